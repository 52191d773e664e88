"""The names that boards have: of spaces, players and teams; and unknown names on a board."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.source.nodes import Node, entries, scalars
from warchest.source.records import record


@record()
class PlaceNames:
    """The names that a board has, or that any of several boards has."""

    spaces: frozenset[str]
    players: frozenset[str]
    teams: frozenset[str]


def places_of(board: Document) -> PlaceNames:
    """Return the names that a board has."""
    values = board.values
    spaces = set()
    for column, rows in values["rows"].items():
        low, _, high = str(rows).partition("-")
        spaces |= {f"{column}{number}" for number in range(int(low), int(high or low) + 1)}
    seats = values["seats"]
    players, teams = (frozenset(seat[key] for seat in seats) for key in ("name", "team"))
    return PlaceNames(frozenset(spaces), players, teams)


def board_findings(board: Document) -> Iterator[Diagnostic]:
    """Find references of a board to spaces and teams that it does not have; no game could be played on it."""
    places = places_of(board)
    yield from missing(board.node.get("origin"), places.spaces, "space")
    for tag in entries(board.node.get("tags")):
        yield from missing(tag.value, places.spaces, "space")
    for field in entries(board.node.get("start")):
        for team in entries(field.value):
            yield from missing(team.key, places.teams, "team")
            yield from missing(team.value, places.spaces, "space")


def missing(node: Node | None, names: Collection[str], what: str) -> Iterator[Diagnostic]:
    """Find each name of a scalar or a list that is not among those the board has."""
    for scalar in scalars(node):
        if scalar.text not in names:
            listed = ", ".join(f"`{name}`" for name in sorted(names)) if len(names) <= 8 else ""
            help = did_you_mean(scalar.text, names) if what != "space" else "the board's `rows` list them"
            yield report(
                "not-on-the-board",
                f"the board has no {what} {quoted(scalar.text)}",
                scalar.span,
                help=help or (f"it has {listed}" if listed else ""),
            )
