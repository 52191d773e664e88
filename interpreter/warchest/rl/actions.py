"""Actions: numbers for the parts of options, the same in every state, process and machine.

An option can have several parts: a token, an act, a piece, a space. Each part is an action, and its number depends only
on the kind of thing that is chosen and on the thing itself. Players, and their things, are counted from the
player who chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from warchest.game.variant import Variant
from warchest.ir.ruleset import Kind
from warchest.lowering.code import (
    ChoicePoint,
    OrderAnswers,
    PickAnswer,
    PickBranch,
    PickHook,
    PickKind,
    PickWay,
    Routine,
)
from warchest.lowering.layout import Holders
from warchest.native.code_places import Places
from warchest.native.permits import WAYS

MOST_OTHERS = 64
"""The number of actions for candidates that have no number of their own, or share it with another one."""
LARGEST_NUMBER = 64
"""A number that is chosen has an action of its own below this."""
WHICH = ("", "second ")
"""The words for the distinguishable pieces of one kind on one space, in the order of their visible facts."""


class NumberedBy(IntEnum):
    """The ways in which choice points number their candidates; see batch.c."""

    IN_ORDER = 0
    BY_SEAT = 1
    BY_TEAM = 2
    BY_WAY = 3
    BY_HOOK = 4
    BY_PIECE = 5
    BY_TOKEN = 6


@dataclass(frozen=True, slots=True)
class PointRow:
    """The numbering of the candidates of a choice point: see batch.c."""

    way: NumberedBy
    first: int
    size: int
    more: int = 0


class ActionTable:
    """The numbers of all actions of a variant, as the native machine uses them.

    Action 0 declines an offer. The last MOST_OTHERS actions are for candidates that share a number with one listed
    before them: only their order distinguishes these.
    """

    def __init__(self, variant: Variant, places: Places) -> None:
        self.variant, self.places = variant, places
        self.layout, self.naming = variant.program.layout, variant.naming
        self.names: list[str] = ["decline"]
        """The names of the actions, by number."""
        self.first_point: list[int] = []
        self.point_at: list[int] = []
        self.points: list[PointRow] = []
        self.questions: list[str] = []
        """The choice points: the name of the routine, and the instruction in it."""
        self._shared: dict[str, int] = {}
        self._tokens: list[tuple[int, int, int, int]] = []
        for number, routine in enumerate(places.routines):
            self._add_routine(number, routine)
        self.others = len(self.names)
        """The first of the actions for other candidates."""
        self.names += [f"other {number + 1}" for number in range(MOST_OTHERS)]
        self.count = len(self.names)
        """The number of actions."""

    def _add_routine(self, number: int, routine: Routine) -> None:
        self.first_point.append(len(self.point_at))
        for pc, instruction in enumerate(routine.instructions):
            asks = isinstance(instruction, ChoicePoint) and not instruction.by_chance
            self.point_at.append(len(self.points) if asks else 0)
            if asks:
                assert isinstance(instruction, ChoicePoint)
                self.points.append(self._row(number, f"{routine.name} {pc}", instruction))
                self.questions.append(f"{routine.name} {pc}")

    def _row(self, number: int, question: str, point: ChoicePoint) -> PointRow:
        match point:
            case PickBranch():
                return self._own(NumberedBy.IN_ORDER, question, len(point.targets), "way")
            case PickKind():
                acts = self.variant.program.acts
                first = len(self.names)
                self.names += [f"{question}: {acts[kind].verb.name}" for kind in point.kinds]
                return PointRow(NumberedBy.IN_ORDER, first, len(point.kinds))
            case PickWay(verb=verb):
                count = len(self.variant.program.acts[verb].ways)
                return self._own(NumberedBy.BY_WAY, question, count, "definition", WAYS)
            case PickHook() | OrderAnswers() | PickAnswer():
                queue = self.places.cells[number][-2]
                first, size = self._section("hook", self._hooks)
                return PointRow(NumberedBy.BY_HOOK, first, size, queue)
        return self._row_of_things(point.base)

    def _own(self, way: NumberedBy, question: str, size: int, word: str, more: int = 0) -> PointRow:
        """Return the row of a choice point with actions of its own."""
        first = len(self.names)
        self.names += [f"{question}: {word} {one + 1}" for one in range(size)]
        return PointRow(way, first, size, more)

    def _row_of_things(self, base: str) -> PointRow:
        """Return the row of a choice point whose candidates are things, which have the same numbers at all of them."""
        ways = {"player": NumberedBy.BY_SEAT, "team": NumberedBy.BY_TEAM, "piece": NumberedBy.BY_PIECE}
        if base == "token":
            self._section("token", self._token_names)
            return PointRow(NumberedBy.BY_TOKEN, 0, len(self.names))
        first, size = self._section(base, lambda: self._things(base))
        return PointRow(ways.get(base, NumberedBy.IN_ORDER), first, size)

    def _section(self, base: str, names: Callable[[], Iterator[str]]) -> tuple[int, int]:
        """Return the first action, and the number of actions, for things of a base."""
        if base not in self._shared:
            self._shared[base] = len(self.names)
            self.names += names()
            self._shared[f"{base}s"] = len(self.names)
        return self._shared[base], self._shared[f"{base}s"] - self._shared[base]

    def _hooks(self) -> Iterator[str]:
        for number, bound in enumerate(self.variant.program.hooks):
            yield f"hook {number + 1}: {bound.hook.span.one_line}"

    def _things(self, base: str) -> Iterator[str]:
        """Yield the names of all things of a base, in the order of their numbers."""
        spaces = self.naming.spaces
        match base:
            case "piece":
                for kind in self.layout.ruleset.kinds:
                    yield from (
                        f"{which}{kind.name} on {space}" for space in spaces for which in WHICH[: deep_of(kind)]
                    )
            case "player" | "team":
                count = self.layout.players if base == "player" else self.layout.teams
                yield from (f"{base} +{number}" for number in range(count))
            case "space" | "direction" | "document":
                yield from (f"{base} {name}" for name in self.variant.format.names[base])
            case "manner":
                yield from (f"manner {name}" for name in self.layout.ruleset.manners)
            case _:
                yield from (f"{base} {number}" for number in range(LARGEST_NUMBER))

    # ---- tokens

    def _token_names(self) -> Iterator[str]:
        """Yield the names of all tokens in zones, and in pieces of each kind, and note their numbers."""
        number = len(self.names)
        for zone, owner, face, document in self._places_of_tokens():
            self._tokens.append((zone, owner, face, document))
            declared = self.layout.ruleset.zones[zone]
            whose = f" of {declared.of} +{owner}" if declared.of != "game" else ""
            faced = f" {declared.faces[face]}" if declared.faces else ""
            yield f"{self.naming.documents[document]} in {declared.name}{faced}{whose}"
            number += 1
        for kind in self.layout.ruleset.kinds:
            yield from (f"{document} in {kind.name}" for document in self.naming.documents)

    def _places_of_tokens(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield each zone, owner (counted from who chooses), face and document that tokens can be of."""
        ruleset = self.layout.ruleset
        for zone, holders in enumerate(self.layout.zones):
            kinds = ruleset.kinds_in(zone)
            for owner in range(holders.owners):
                for face in range(holders.faces):
                    for document, sheet in enumerate(ruleset.sheets):
                        if sheet.kind in kinds:
                            yield zone, owner, face, document

    def tokens(self) -> list[list[int]]:
        """Return for each seat the action for each token in a zone, by the number of the token (the rest: `others`)."""
        layout, first = self.layout, self._shared.get("token", 0)
        found = []
        for seat in range(layout.players):
            row = [self.others] * (layout.first_piece_holder * layout.documents)
            for number, (zone, owner, face, document) in enumerate(self._tokens):
                holder = holder_from(layout.zones[zone], layout.ruleset.zones[zone].of, seat, owner, face, self.variant)
                row[holder * layout.documents + document] = first + number
            found.append(row)
        return found

    def kind_documents(self) -> list[int]:
        """Return for each kind of piece the action for a token of the first document in such a piece."""
        first = self._shared.get("token", 0) + len(self._tokens)
        return [first + kind * len(self.naming.documents) for kind in range(len(self.layout.ruleset.kinds))]


def deep_of(kind: Kind) -> int:
    """Return how many pieces of a kind on the same space have different numbers."""
    return 1 if kind.alone else len(WHICH)


def holder_from(holders: Holders, of: str, seat: int, owner: int, face: int, variant: Variant) -> int:
    """Return the holder of a zone whose owner is counted from a seat, or from the team of the seat."""
    layout = variant.program.layout
    first = seat if of == "player" else layout.team_of[seat] if of == "team" else 0
    return holders.number((first + owner) % holders.owners, face)
