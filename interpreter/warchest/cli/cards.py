"""Cards by name, and the documents and ranges that commands print on cards."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.picture_files import write_drawn
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.documents.packs import PACK
from warchest.workers.here import Jobs

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.paper.game_parts import PrintedGame
    from warchest.paper.ranges import CardRange


def documents_named(game: Game, name: str) -> list[Document]:
    """Return the documents with a name (`kind: Name` restricts the kind), ignoring case."""
    kind, colon, rest = name.partition(":")
    wanted = (rest if colon else name).strip().casefold()
    return [
        one
        for one in game.library.documents
        if one.name.casefold() == wanted and (not colon or one.kind == kind.strip()) and one.kind != "rulings"
    ]


def documents_in(documents: Iterable[Document], folders: Iterable[str | Path]) -> list[Document]:
    """Return the documents in some folders or files."""
    places = [Path(one).resolve() for one in folders]
    return [one for one in documents if any(Path(one.span.path).resolve().is_relative_to(place) for place in places)]


def hint(game: Game, name: str) -> str:
    """Return the name that was probably meant by an unknown name, or the existing names."""
    if os.path.isfile(name):
        return "it is a file: add `--cards` in front of it, and the name of a card in it"
    names = sorted({one.name for one in game.library.documents if one.kind != "rulings"})
    inside = [one for one in names if name.casefold() in one.casefold()]
    if inside:
        return did_you_mean(name, names) or f"with it in their names there are: {', '.join(inside)}"
    return did_you_mean(name, names) or f"there are: {', '.join(names)}"


# ---- printed cards


def draw_card(game: Game, found: Sequence[Document], args: argparse.Namespace) -> int:
    """Draw the card of a document as SVG or PNG into the requested files; raises UsageError."""
    from warchest.paper.game_parts import PrintedGame
    from warchest.paper.pages import CARDS, bare_sheet, card_pages, faces
    from warchest.paper.sizes import card_size
    from warchest.paper.typeset import LayoutError, Templates, missing

    if lacking := missing():
        raise common.UsageError(lacking)
    printed = PrintedGame(game, game.options(None))
    cards = [one for one in found if one.kind in printed.kinds]
    if len(cards) != 1:
        names = " or ".join(f"{one.kind}: {one.name}" for one in cards)
        raise common.UsageError(f"{found[0].name} is no card" if not cards else f"several are called so; say {names}")
    documents = [one for one in printed.library.of_kind(cards[0].kind) if one.name == cards[0].name]
    front = faces(printed, documents, ranges_of(printed, documents, 1))
    data = card_pages(printed, front, bare_sheet(card_size("poker")), marks=False, backs=False)
    try:
        drawn = Templates().laid_out(CARDS, data, "svg").files[0].decode() if args.svg else ""
        write_drawn(drawn, lambda: Templates().laid_out(CARDS, data, "png").files[0], args)
    except LayoutError as error:
        raise common.UsageError(str(error)) from None
    return common.FINE


def chosen(contents: PrintedGame, args: argparse.Namespace, kinds: Sequence[str], noun: str) -> list[Document]:
    """Return the requested documents of some kinds, with layers applied; raises UsageError."""
    if args.names:
        return [one for name in args.names for one in _named(contents, name)]
    sets = contents.game.sets("all" if args.cards and args.sets is None else args.sets)
    found = contents.documents(kinds, sets)
    if args.cards and args.sets is None:
        found = documents_in(found, args.cards)
    if not found:
        raise common.UsageError(f"there are no {noun}s to print")
    return found


def _named(contents: PrintedGame, name: str) -> list[Document]:
    found = [one for one in documents_named(contents.game, name) if one.kind in contents.kinds]
    if not found:
        raise common.UsageError(f"there is no card {name!r}; {hint(contents.game, name)}")
    return [layered for one in found if (layered := contents.library.named(one.kind, one.name)) is not None]


def summed_up(contents: PrintedGame, args: argparse.Namespace) -> tuple[str, list[Document]]:
    """Return the title of a summary and its documents: those of named packs, of folders, or of the game."""
    from warchest.paper.game_parts import is_in

    game, library = contents.game, contents.library
    if args.names:
        folders = []
        for name in args.names:
            packs = [one for one in library.of_kind(PACK) if one.name.casefold() == name.strip().casefold()]
            if not packs:
                known = [one.name for one in library.of_kind(PACK)]
                near = did_you_mean(name, known) or f"there are: {', '.join(known) or 'none'}"
                raise common.UsageError(f"there is no pack {name!r}; {near}")
            folders += [Path(one.span.path).resolve().parent for one in packs]
        return ", ".join(args.names), documents_in(library.documents, folders)
    if args.cards and args.sets is None:
        own = documents_in(library.documents, args.cards)
        return ", ".join(one.name for one in own if one.kind == PACK) or contents.title, own
    sets = game.sets(args.sets)
    return contents.title, [one for one in library.documents if is_in(one, sets)]


def ranges_of(contents: PrintedGame, documents: Sequence[Document], jobs: int) -> list[CardRange | None]:
    """Return the ranges of cards, found by `jobs` processes, as their kinds are drawn."""
    from warchest.paper.ranges import RangeFinder

    wanted = [one for one in documents if contents.style_of(one).range]
    if not wanted:
        return [None] * len(documents)
    finder = RangeFinder(contents.game, contents.options)

    def find(document: Document) -> CardRange | str | None:
        try:
            return finder.range_of(document, whole=contents.style_of(document).range == "whole")
        except RuntimeError as error:  # rules that do not terminate, or have too many choices
            return str(error)

    # The processes are made before progress is shown.
    found = list(common.shown("ranges")(Jobs(jobs).results(find, wanted), len(wanted)))
    for document, one in zip(wanted, found, strict=True):
        if isinstance(one, str):
            common.note(f"{document.name}: no range is drawn, because the game cannot go on: {one}")
    ranges = iter([None if isinstance(one, str) else one for one in found])
    return [next(ranges) if one in wanted else None for one in documents]
