"""Two versions of a game, by the names that people use: folders, files, revisions of files, cards, options of errata."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from warchest.documents.layers import layered
from warchest.documents.library import Document
from warchest.documents.load import from_source
from warchest.documents.schemas import read_schemas
from warchest.game.game import Game, load_game
from warchest.source.folders import is_yaml
from warchest.source.git import GitError
from warchest.source.revisions import text_at
from warchest.source.text import Source

APART = ("source", "ruling", "rulings", "cases", "remarks", "copyright")
"""The keys of documents that no rule depends on."""
_REVISION = re.compile(r"([^:\s-][^:\s]*):(.+)")


class NoVersionError(ValueError):
    """The name is no version of the game; the message gives the reason, and the existing names."""


@dataclass(frozen=True)
class Version:
    """A version of a game: its name, the game with its options, and the cards that the version is about, if any."""

    said: str
    game: Game = field(repr=False)
    options: Mapping[str, str] = field(default_factory=dict)
    cards: tuple[str, ...] = ()


def read_the_same(old: Version, new: Version) -> bool:
    """Whether the texts of two versions give the same rules on each board that both versions have."""
    if old.game is new.game and old.options == new.options:
        return True
    boards = old.game.boards.boards.keys() & new.game.boards.boards.keys()
    return all(_rules(old, board) == _rules(new, board) for board in sorted(boards))


def _rules(version: Version, board: str) -> object:
    return version.game.variant(version.options or None, board).program.ruleset


@dataclass(frozen=True, slots=True)
class WordChange:
    """A text that differs in the other version; a text that is only in one version is empty in the other."""

    kind: str
    name: str
    key: str
    old: str
    new: str
    is_sentences: bool = False
    """Whether the text consists of sentences, in each version that has it."""

    def lines(self) -> Iterator[str]:
        """Yield the lines that are only in one of the texts: `-` before those of the old one, `+` of the new one."""
        for line in difflib.ndiff(self.old.splitlines(), self.new.splitlines()):
            if line[0] in "-+":
                yield f"{line[0]} {line[2:].strip()}"


def version_of(base: Game, said: str) -> Version:
    """Return the named version: an option (`NAME=VALUE`, several by commas), a folder or a file, a revision of a file
    (`REV:PATH`), or the name of a card. Raises NoVersionError, or CardError if its texts are wrong.
    """
    path = Path(said)
    if path.is_dir():
        return replace(_of_folder(base, path), said=said)
    if path.is_file():
        return _of_text(base, said, path.read_text(encoding="utf-8"), path)
    revision = _REVISION.fullmatch(said)
    if revision is not None and is_yaml(revision[2]):
        try:
            text, file = text_at(revision[1], revision[2])
        except GitError as error:
            raise NoVersionError(str(error)) from None
        return _of_text(base, said, text, file)
    options = dict(one.strip().partition("=")[::2] for one in said.split(",") if "=" in one)
    if options:
        return Version(said, base, base.options(options))
    if any(one.name == said for one in base.library.documents):
        return Version(said, base, {}, (said,))
    raise NoVersionError(f"{said!r} is no folder, file, `REV:FILE`, card, or option such as `NAME=VALUE`")


def in_place_of(card: Version, other: Version) -> Version:
    """Return the version in which a card has the texts of another one; raises NoVersionError if it cannot."""
    old, new = (_only(one.game, one.cards[0]) for one in (card, other))
    if old.kind != new.kind:
        raise NoVersionError(f"{old.name} is of kind `{old.kind}`, and {new.name} of kind `{new.kind}`")
    head = new.node.entries[0].value.span
    text = new.span.source.text
    named = text[head.start :].replace(new.name, old.name)
    return Version(other.said, card.game.with_text(old.span.path, text[: head.start] + named), {}, (old.name,))


def words_changed(first: Version, second: Version) -> list[WordChange]:
    """Return all texts that differ between two versions, by their documents, in the order of the first one."""
    old, new = (_texts(one) for one in (first, second))
    keys = [*old, *(key for key in new if key not in old)]
    return [
        WordChange(*key, both[0].said, both[1].said, all(one.is_sentences for one in both if one.said))
        for key in keys
        if (both := [one.get(key, _WrittenText("")) for one in (old, new)])[0] != both[1]
    ]


class _WrittenText(NamedTuple):
    """A text without layout, and whether it consists of sentences."""

    said: str
    is_sentences: bool = False


def _texts(version: Version) -> dict[tuple[str, str, str], _WrittenText]:
    """Return the text under each key of each document, without layout."""
    library, _ = layered(version.game.library, version.game.options(version.options))
    return {
        (one.kind, one.name, key): _said(one, key, value)
        for one in library.documents
        for key, value in one.values.items()
        if key not in APART
    }


def _said(document: Document, key: str, value: object) -> _WrittenText:
    blocks = document.blocks(key)
    lines = "\n".join(one.text for one in blocks) if blocks else str(value)
    return _WrittenText("\n".join(" ".join(line.split()) for line in lines.splitlines() if line.strip()), bool(blocks))


def _of_folder(base: Game, folder: Path) -> Version:
    """Return a folder as a separate game, or as cards on top of the game."""
    try:
        held = load_game(folder)
        return Version("", held)
    except ValueError:
        if any(
            re.search(r"^game\s*:", file.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
            for file in folder.glob("*.y*ml")
        ):
            raise
    return Version("", load_game(base.folder, [*base.extra, folder]))


def _of_text(base: Game, said: str, text: str, path: Path) -> Version:
    """Return the game with the text of a file: it replaces the document of that name, or is added to the others."""
    library = from_source(Source(os.fspath(path), text), base.library.schemas or read_schemas())
    names = tuple(one.name for one in library.documents)
    if not library.documents:
        raise NoVersionError(f"{said!r} holds no document")
    known = [base.library.named(one.kind, one.name) for one in library.documents]
    files = {one.span.path for one in known if one is not None}
    if not files and path.is_file():
        return Version(said, load_game(base.folder, [*base.extra, path]).with_text(path, text), {}, names)
    if not files:
        raise NoVersionError(f"{said!r} holds no document of the game; name the folder of its cards with --cards")
    there = [one for one in base.library.documents if one.span.path in files]
    if len(files) != 1 or len(there) != len(names) or None in known:
        raise NoVersionError(f"{said!r} holds other documents than the file of the game that it would replace")
    return Version(said, base.with_text(files.pop(), text), {}, names)


def _only(game: Game, name: str) -> Document:
    found = [one for one in game.library.documents if one.name == name]
    if len(found) > 1:
        raise NoVersionError(f"there are several documents {name!r}")
    document = found[0]
    beside = [one for one in game.library.documents if one.span.path == document.span.path]
    if len(beside) > 1:
        raise NoVersionError(f"{name} shares its file with other documents")
    return document
