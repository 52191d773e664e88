"""Names in boards, setups and lists of spaces: of spaces, players, teams, fields and documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.board_names import PlaceNames, missing, places_of
from warchest.documents.layers import choices
from warchest.documents.library import Document, Library
from warchest.documents.packs import PACK
from warchest.lint.documents.declarations import (
    Declared,
    declared,
    fill_findings,
    listed_names,
    named,
    under,
    unknown,
    unknown_names,
)
from warchest.lint.documents.question_findings import option_findings, repeated
from warchest.source.nodes import Entry, Node, Scalar, entries, items, scalars


def place_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find unknown names in boards, setups and lists."""
    boards = {board.name: places_of(board) for board in library.of_kind("board")}
    setups: dict[str, set[str]] = {}
    for setup in library.of_kind("setup"):
        setups.setdefault(setup.name, set()).add(setup.values["board"])
    found = list(_usual_setup(game.node.get("setup"), str(game.values.get("board", "")), setups))
    fields = _fields_of_spaces(game, declared(library, game))
    for board in library.of_kind("board"):
        found += _board(board, setups, fields)
    for setup in library.of_kind("setup"):
        found += _setup(setup, boards, library, game)
    anywhere = PlaceNames(
        *(
            frozenset().union(*(getattr(one, part) for one in boards.values()))
            for part in ("spaces", "players", "teams")
        )
    )
    if boards:
        shapes = game.values["documents"]
        for document in library.documents:
            for key in shapes.get(document.kind, {}).get("spaces", ()):
                found += missing(document.node.get(key), anywhere.spaces, "space")
        for pack in library.of_kind(PACK):
            for named_so in entries(pack.node.get("spaces")):
                found += missing(named_so.value, anywhere.spaces, "space")
    return found


def _usual_setup(node: Node | None, board: str, setups: Mapping[str, set[str]]) -> Iterator[Diagnostic]:
    """Find a default setup that does not exist, or is for a board other than the one to play on."""
    if isinstance(node, Scalar) and node.text not in setups:
        yield unknown("setup", node.text, setups, node.span)
    elif isinstance(node, Scalar) and board not in setups[node.text]:
        here = sorted(name for name, boards in setups.items() if board in boards)
        yield report(
            "undeclared",
            f"the setup {quoted(node.text)} is not for the board {quoted(board)}",
            node.span,
            help=listed_names(here) or f"write one with `board: {board}`",
        )


def _fields_of_spaces(game: Document, known: Declared) -> set[str]:
    owners = {"space", *known.nouns("space")}
    return {name for of, shapes in game.values.get("fields", {}).items() if of in owners for name in shapes}


def _board(board: Document, setups: Mapping[str, set[str]], fields: Collection[str]) -> Iterator[Diagnostic]:
    yield from _usual_setup(board.node.get("setup"), board.name, setups)
    seats = items(board.node.get("seats"))
    yield from repeated([name for seat in seats if isinstance(name := seat.get("name"), Scalar)], "a seat of")
    for field in entries(board.node.get("start")):
        yield from named(field.key, fields, "field of spaces")


def _setup(setup: Document, boards: dict[str, PlaceNames], library: Library, game: Document) -> Iterator[Diagnostic]:
    node = setup.node.get("board")
    if isinstance(node, Scalar) and node.text not in boards:
        yield report(
            "no-such-document",
            f"there is no board {quoted(node.text)}",
            node.span,
            help=did_you_mean(node.text, boards) or listed_names(boards),
        )
    places = boards.get(setup.values["board"])
    known = declared(library, game)
    limit, bound = setup.values.get("army limit", {}), setup.node.get("army limit")
    for what in ("armies", "collection"):
        names = held(library, game, str(game.values.get(what, "")))
        for brought in entries(setup.node.get(what)):
            if places is not None:
                yield from missing(brought.key, places.players, "player")
            yield from unknown_names(brought.value, names, kinds_by_name(library, game))
    for army in entries(setup.node.get("armies")):
        yield from _too_much(army, limit, library)
        yield from _outside(army, under(setup.node.get("collection"), army.key.text))
    if not limit:
        armies = [one for army in entries(setup.node.get("armies")) for one in scalars(army.value)]
        yield from repeated(armies, "a card of an army called")
    yield from named(under(bound, "number"), known.numbers, "number of a document")
    yield from named(under(bound, "field"), _numbers_of_players(game), "number of players")
    yield from option_findings(setup.node.get("options"), choices(library))
    yield from fill_findings(setup.node.get("fill"), known)


def _too_much(army: Entry, limit: dict[str, Any], library: Library) -> Iterator[Diagnostic]:
    """Find an army that has more cards, or a greater total of a number, than a setup allows."""
    brought = [scalar.text for scalar in scalars(army.value)]
    found = (
        next((one for one in library.documents if one.name == name and limit.get("number") in one.values), None)
        for name in brought
    )
    total = sum(one.values[limit["number"]] for one in found if one is not None)
    if total > limit.get("most", total):
        yield report(
            "wrong-size",
            f"its {limit['number']} is {total} in all, and {limit['most']} is the most",
            army.key.span,
            help="leave out a card, or raise the `army limit`",
        )
    if len(brought) > limit.get("cards", len(brought)):
        yield report("wrong-size", f"it has {len(brought)} cards, and {limit['cards']} are the most", army.key.span)


def _numbers_of_players(game: Document) -> set[str]:
    return {name for name, kind in game.values.get("fields", {}).get("player", {}).items() if kind == "number"}


def _outside(army: Entry, owned: Node | None) -> Iterator[Diagnostic]:
    """Find the cards of an army that its collection does not have, or not as often."""
    left = Counter(scalar.text for scalar in scalars(owned))
    for scalar in scalars(army.value) if owned is not None else ():
        left[scalar.text] -= 1
        if left[scalar.text] < 0:
            yield report(
                "wrong-size",
                f"{quoted(scalar.text)} is more often in the army than in the collection",
                scalar.span,
                help="put it into the `collection` too, which holds the army and the rest",
            )


def kinds_by_name(library: Library, game: Document) -> dict[str, str]:
    """Return the kinds of all documents that texts can name, by their names."""
    return {document.name: document.kind for document in library.documents if document.kind in game.values["documents"]}


def held(library: Library, game: Document, zone: str) -> set[str]:
    """Return the names of the documents whose tokens can be in a zone."""
    holds = game.values.get("zones", {}).get(zone, {}).get("holds", "")
    return names_of(library, game.values["things"].get(holds, {}).get("token", ()))


def names_of(library: Library, kinds: Collection[str]) -> set[str]:
    """Return the names of all documents of some kinds."""
    return {document.name for document in library.documents if document.kind in kinds}
