"""Rulings: the names of their cases, and the spaces, players, documents and options that their positions name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.board_names import PlaceNames, board_findings, missing, places_of
from warchest.documents.layers import choices
from warchest.documents.library import Document, Library
from warchest.documents.packs import PACKS
from warchest.game.position.keys import TOLD, Shape
from warchest.game.setup.boards import IRREGULAR, KEY, Boards
from warchest.lint.documents.declarations import listed_names, unknown, unknown_names
from warchest.lint.documents.place_names import held, kinds_by_name, names_of
from warchest.lint.documents.question_findings import option_findings, repeated
from warchest.lint.documents.shapes import keys_of_entries, shapes_of
from warchest.source.data import shipped_games
from warchest.source.nodes import Mapping, Node, Scalar, entries, items, scalars

CASES, RULINGS = "cases", "rulings"
"""The keys for cases: in a document of rulings, and in any other document."""
_NO_SHAPE = ("game", "winner", "pending", *TOLD, IRREGULAR, PACKS, KEY, "setup", "seed", "sets")
_NOBODY = ("chance", "nobody")
"""The deciders that are not players."""


def cases_of(document: Document) -> list[tuple[Mapping, dict[str, object]]]:
    """Return the cases in a document, each as a node and with its values."""
    key = CASES if document.kind == RULINGS else RULINGS
    return list(zip(items(document.node.get(key)), document.values.get(key, ()), strict=True))


def position_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find unknown names in the cases of all documents."""
    boards = library.of_kind("board")
    reader: _Positions | None = None
    found: list[Diagnostic] = []
    for document in library.documents:
        if document.span.path in library.unread:
            continue
        cases = cases_of(document)
        found += repeated([name for case, _ in cases if isinstance(name := case.get("name"), Scalar)], "a case called")
        if cases and boards:
            reader = reader or _Positions(library, game)
            for case, values in cases:
                found += reader.case(case, values)
    return found


def board_named(library: Library, boards: Boards, position: dict[str, object]) -> str:
    """Return the name of the board of a position: the board it names, its setup's board, or a board with its names."""
    setup = library.named("setup", str(position.get("setup", "")))
    named = position.get("board", setup.values.get("board") if setup is not None else None)
    return str(named) if named is not None else boards.for_position(position).name


class _Positions:
    """Reads positions by the shapes that the game's document gives them."""

    def __init__(self, library: Library, game: Document) -> None:
        self.library, self.game, self.shapes = library, game, shapes_of(game)
        documents = library.of_kind("board")
        self.boards = Boards(documents, game.values.get("board"))
        self.places = {board.name: places_of(board) for board in documents}
        self.wrong = {board.name for board in documents if any(board_findings(board))}
        """The boards that contradict themselves: these findings come first, because either side could be the wrong one."""
        self.offered, self.kinds = choices(library), kinds_by_name(library, game)
        self.games = {game.name, *(folder.name for folder in shipped_games())}
        self.types = {name: kind for shapes in game.values.get("fields", {}).values() for name, kind in shapes.items()}

    def case(self, case: Mapping, values: dict[str, Any]) -> Iterator[Diagnostic]:
        """Find unknown names in a case."""
        position = values.get("position", {})
        if position.get("game", self.game.name) != self.game.name:
            yield from self._of_game(case.get("position"))
            return
        board = board_named(self.library, self.boards, position)
        yield from self._named(case.get("position"), "board", self.places)
        yield from self._named(case.get("position"), "setup", names_of(self.library, ["setup"]))
        sets = {str(one.values["set"]) for one in self.library.documents if "set" in one.values}
        yield from self._named(case.get("position"), "sets", sets, "set")
        here = self.places.get(board)
        if here is None or board in self.wrong:
            return
        for key in ("position", "then"):
            for entry in entries(case.get(key)):
                yield from self._entry(entry.key, entry.value, here)
        for scalar in scalars(case.get("decides")):
            if scalar.text not in _NOBODY:
                yield from missing(scalar, here.players, "player")

    def _of_game(self, position: Node | None) -> Iterator[Diagnostic]:
        for scalar in scalars(position.get("game") if isinstance(position, Mapping) else None):
            if scalar.text not in self.games:
                yield report(
                    "no-such-document",
                    f"there is no game {quoted(scalar.text)}",
                    scalar.span,
                    help=did_you_mean(scalar.text, self.games) or listed_names(self.games),
                )

    def _named(self, position: Node | None, key: str, names: Iterable[str], what: str = "") -> Iterator[Diagnostic]:
        """Find the unknown names that a position has under a key."""
        known = list(names)
        for scalar in scalars(position.get(key) if isinstance(position, Mapping) else None):
            if scalar.text not in known:
                yield report(
                    "no-such-document",
                    f"there is no {what or key} {quoted(scalar.text)}",
                    scalar.span,
                    help=did_you_mean(scalar.text, known) or listed_names(known),
                )

    def _entry(self, key: Scalar, node: Node, here: PlaceNames) -> Iterator[Diagnostic]:
        shape = self.shapes.get(key.text)
        if shape is None:
            if key.text not in _NO_SHAPE:
                yield unknown("key of a position", key.text, self.shapes, key.span)
            elif key.text == "winner" and not (isinstance(node, Scalar) and node.text in ("null", "~", "")):
                yield from missing(node, here.teams, "team")
        elif "options" in shape:
            yield from option_findings(node, self.offered)
        elif "pieces" in shape:
            yield from self._pieces(node, shape, here)
        elif "zone" in shape:
            yield from self._zone(node, str(shape["zone"]), here)
        elif "rows" in shape:
            yield from self._rows(node, shape, here)
        elif "counts" in shape:
            yield from self._counts(node, str(shape["counts"]), here)
        elif "places" in shape:
            yield from missing(node, here.spaces, "space")
        elif "values" in shape:
            named = {"player": here.players, "team": here.teams, "space": here.spaces}
            for owner in entries(node):
                of = str(shape.get("of", "space"))
                yield from missing(owner.key, named.get(of, here.spaces), of)
        elif "spaces by" in shape or "one by owner" in shape:
            owners, what = (here.teams, "team") if "spaces by" in shape else (here.players, "player")
            for owner in entries(node):
                yield from missing(owner.key, owners, what)
                yield from missing(owner.value, here.spaces, "space")
        elif self.types.get(str(shape.get("field", shape.get("turn of", "")))) == "player":
            yield from missing(node, here.players, "player")

    def _pieces(self, node: Node, shape: Shape, here: PlaceNames) -> Iterator[Diagnostic]:
        keys = keys_of_entries(shape)
        things = self.game.values["things"]
        kind = things.get(shape["pieces"], {})
        names = names_of(self.library, [str(kind.get("piece", ""))])
        tokens = names_of(self.library, things.get(kind.get("holds", ""), {}).get("token", ()))
        for piece in items(node):
            for entry in piece.entries:
                if entry.key.text == shape.get("place"):
                    yield from missing(entry.value, here.spaces, "space")
                elif entry.key.text in (shape.get("document"), shape.get("nature")):
                    yield from unknown_names(entry.value, names, self.kinds)
                elif entry.key.text == shape.get("stack"):
                    yield from unknown_names(entry.value, tokens, self.kinds)
                elif entry.key.text == shape.get("owner"):
                    yield from missing(entry.value, here.players, "player")
                elif entry.key.text not in keys:
                    yield unknown("key of a piece", entry.key.text, keys, entry.key.span)

    def _rows(self, node: Node, shape: Shape, here: PlaceNames) -> Iterator[Diagnostic]:
        names = held(self.library, self.game, str(shape["rows"]))
        for row in items(node):
            yield from unknown_names(row.get(str(shape["name"])), names, self.kinds)
            yield from missing(row.get(str(shape["teams"])), here.teams, "team")

    def _counts(self, node: Node, zone: str, here: PlaceNames) -> Iterator[Diagnostic]:
        names = held(self.library, self.game, zone)
        for player in entries(node):
            yield from missing(player.key, here.players, "player")
            for entry in entries(player.value):
                yield from unknown_names(entry.key, names, self.kinds)

    def _zone(self, node: Node, name: str, here: PlaceNames) -> Iterator[Diagnostic]:
        names = held(self.library, self.game, name)
        of = self.game.values.get("zones", {}).get(name, {}).get("of")
        if of == "game":
            yield from unknown_names(node, names, self.kinds)
            return
        for player in entries(node):
            yield from missing(player.key, here.teams if of == "team" else here.players, str(of))
            yield from unknown_names(player.value, names, self.kinds)
            for face in entries(player.value):
                yield from unknown_names(face.value, names, self.kinds)
