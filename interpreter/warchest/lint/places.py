"""Names in boards, setups and the positions of rulings: of spaces, players, teams, and documents."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.load import Document, Library
from warchest.lint.declarations import declared, entries, fill_findings, scalars, unknown
from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence


@dataclass(frozen=True, slots=True)
class Places:
    """The names that a board (or, where it does not matter which, any board) has."""

    spaces: frozenset[str]
    players: frozenset[str]
    teams: frozenset[str]


def place_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find names in boards, setups and rulings that nothing bears."""
    boards = {board.name: _places(board) for board in library.of_kind("board")}
    setups = {setup.name for setup in library.of_kind("setup")}
    found: list[Diagnostic] = []
    for board in library.of_kind("board"):
        found += _board(board, boards[board.name], setups)
    for setup in library.of_kind("setup"):
        found += _setup(setup, boards, library, game)
    anywhere = Places(*(frozenset().union(*(getattr(one, part) for one in boards.values()))
                        for part in ("spaces", "players", "teams")))  # fmt: skip
    if boards:
        shapes = game.values["documents"]
        for document in library.documents:
            for key in shapes.get(document.kind, {}).get("spaces", ()):
                found += _missing(document.node.get(key), anywhere.spaces, "space")
        reader = _Positions(anywhere, library, game)
        for document in library.documents:
            for key in ("cases", "rulings"):
                found += reader.cases(document.node.get(key))
    return found


def _places(board: Document) -> Places:
    values = board.values
    spaces = set()
    for column, rows in values["rows"].items():
        low, _, high = str(rows).partition("-")
        spaces |= {f"{column}{number}" for number in range(int(low), int(high or low) + 1)}
    seats = values["seats"]
    players, teams = (frozenset(seat[key] for seat in seats) for key in ("name", "team"))
    return Places(frozenset(spaces), players, teams)


def _board(board: Document, places: Places, setups: Collection[str]) -> Iterator[Diagnostic]:
    usual = board.node.get("setup")
    if isinstance(usual, Scalar) and usual.text not in setups:
        yield unknown("setup", usual.text, setups, usual.span)
    yield from _missing(board.node.get("origin"), places.spaces, "space")
    for tag in entries(board.node.get("tags")):
        yield from _missing(tag.value, places.spaces, "space")
    for field in entries(board.node.get("start")):
        for team in entries(field.value):
            yield from _missing(team.key, places.teams, "team")
            yield from _missing(team.value, places.spaces, "space")


def _missing(node: Node | None, names: Collection[str], what: str) -> Iterator[Diagnostic]:
    """Find each name of a scalar or a list that is not among those the board has."""
    for scalar in scalars(node):
        if scalar.text not in names:
            listed = ", ".join(f"`{name}`" for name in sorted(names)) if len(names) <= 8 else ""
            help = did_you_mean(scalar.text, names) if what != "space" else "the board's `rows` say which there are"
            yield report("not-on-the-board", f"the board has no {what} {quoted(scalar.text)}", scalar.span,
                         help=help or (f"it has {listed}" if listed else ""))  # fmt: skip


def _setup(setup: Document, boards: dict[str, Places], library: Library, game: Document) -> Iterator[Diagnostic]:
    node = setup.node.get("board")
    if isinstance(node, Scalar) and node.text not in boards:
        yield report("no-such-document", f"there is no board {quoted(node.text)}", node.span,
                     help=did_you_mean(node.text, boards) or _listed(boards))  # fmt: skip
    places = boards.get(setup.values["board"])
    known = declared(library, game)
    names = _names(library, game.values["documents"])
    for army in entries(setup.node.get("armies")):
        if places is not None:
            yield from _missing(army.key, places.players, "player")
        yield from _unknown_names(army.value, names)
        yield from _too_much(army, setup.values.get("army limit", {}), library)
    yield from fill_findings(setup.node.get("fill"), known)


def _too_much(army: Entry, limit: dict[str, Any], library: Library) -> Iterator[Diagnostic]:
    """Find an army that has more cards, or more of a number in all, than a setup allows."""
    brought = [scalar.text for scalar in scalars(army.value)]
    found = (next((one for one in library.documents if one.name == name and limit.get("number") in one.values), None)
             for name in brought)  # fmt: skip
    total = sum(one.values[limit["number"]] for one in found if one is not None)
    if total > limit.get("most", total):
        yield report("wrong-size", f"its {limit['number']} comes to {total}, and {limit['most']} is the most",
                     army.key.span, help="leave out a card, or raise the `army limit`")  # fmt: skip
    if len(brought) > limit.get("cards", len(brought)):
        yield report("wrong-size", f"it has {len(brought)} cards, and {limit['cards']} are the most", army.key.span)


def _listed(names: Collection[str]) -> str:
    return f"there are {', '.join(f'`{name}`' for name in sorted(names)[:12])}" if names else ""


def _names(library: Library, kinds: Collection[str]) -> set[str]:
    return {document.name for document in library.documents if document.kind in kinds}


def _unknown_names(node: Node | None, names: Collection[str]) -> Iterator[Diagnostic]:
    for scalar in scalars(node):
        if scalar.text not in names:
            yield report("unknown-name", f"there is no document called {quoted(scalar.text)}", scalar.span,
                         help=did_you_mean(scalar.text, names)
                         or "a name is the printed name of a document, as its first line gives it")  # fmt: skip


class _Positions:
    """Reads positions by the shapes that the game's document gives them."""

    def __init__(self, places: Places, library: Library, game: Document) -> None:
        self.places, self.game = places, game
        self.shapes = {key: shape for key, shape in game.values.get("position", {}).items() if isinstance(shape, dict)}
        self.names = _names(library, game.values["documents"])
        self.types = {name: kind for shapes in game.values.get("fields", {}).values() for name, kind in shapes.items()}

    def cases(self, node: Node | None) -> Iterator[Diagnostic]:
        """Find unknown names in the positions of a list of cases."""
        for case in node.items if isinstance(node, Sequence) else ():
            for key in ("position", "then"):
                for entry in entries(case.get(key) if isinstance(case, Mapping) else None):
                    yield from self._entry(entry.key, entry.value)

    def _entry(self, key: Scalar, node: Node) -> Iterator[Diagnostic]:
        shape = self.shapes.get(key.text)
        if shape is None:
            if key.text not in ("game", "winner", "pending", "board"):
                yield unknown("key of a position", key.text, self.shapes, key.span)
        elif "pieces" in shape:
            yield from self._pieces(node, shape)
        elif "zone" in shape:
            yield from self._zone(node, str(shape["zone"]))
        elif "spaces by" in shape:
            for team in entries(node):
                yield from _missing(team.key, self.places.teams, "team")
                yield from _missing(team.value, self.places.spaces, "space")
        elif self.types.get(str(shape.get("field", shape.get("turn of", "")))) == "player":
            yield from _missing(node, self.places.players, "player")

    def _pieces(self, node: Node, shape: dict[str, object]) -> Iterator[Diagnostic]:
        for piece in node.items if isinstance(node, Sequence) else ():
            for entry in entries(piece):
                if entry.key.text == shape.get("place"):
                    yield from _missing(entry.value, self.places.spaces, "space")
                elif entry.key.text == shape.get("document"):
                    yield from _unknown_names(entry.value, self.names)
                elif entry.key.text == shape.get("owner"):
                    yield from _missing(entry.value, self.places.players, "player")

    def _zone(self, node: Node, name: str) -> Iterator[Diagnostic]:
        if self.game.values.get("zones", {}).get(name, {}).get("of") == "game":
            yield from _unknown_names(node, self.names)
            return
        for player in entries(node):
            yield from _missing(player.key, self.places.players, "player")
            yield from _unknown_names(player.value, self.names)
            for face in entries(player.value):
                yield from _unknown_names(face.value, self.names)
