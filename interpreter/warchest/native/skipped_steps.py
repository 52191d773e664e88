"""Steps that were skipped while listing options, so that later tests must not depend on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from warchest.ir import steps as ir
from warchest.ir import values
from warchest.ir.parts import base_of, nodes_in
from warchest.lowering.layout import Layout
from warchest.native.c_units import Unit


@dataclass(frozen=True)
class Touched:
    """The steps skipped on the way, with the statements that carry them out after all."""

    tokens: bool = False
    fields: frozenset[int] = frozenset()
    pieces: bool = False
    into: frozenset[int] = frozenset()
    """The zones that tokens would have gone into; -1 is anywhere."""
    sources: tuple[str, ...] = ()
    """The variables in C for these tokens."""
    outdated: frozenset[tuple[int, int]] = frozenset()
    """The variables, each with the number of its frame, that would name a token at its new place."""
    pending: tuple[str, ...] = ()
    """The statements that were skipped."""

    def by(self, step: ir.Order, source: str) -> Touched:
        """Return the skipped steps together with one more; `source` is the token that this step moves."""
        match step:
            case ir.MoveToken(into=into):
                zone = into.zone if isinstance(into, values.InZone) else -1
                return replace(self, tokens=True, into=self.into | {zone}, sources=(*self.sources, source))
            case ir.SetField(field=number):
                return replace(self, fields=self.fields | {number})
            case ir.Clock():
                return self
        return replace(self, pieces=True)

    def matters_to(self, nodes: Iterable[Any], frame: int) -> bool:
        """Whether any of some parts of the rules, in a frame, depends on the skipped changes."""
        if not self.pending:
            return False
        outdated = {place for number, place in self.outdated if number == frame}
        return any(self._looks_within(nodes_in(node), outdated) for node in nodes)

    def _looks_within(self, parts: list[Any], outdated: set[int]) -> bool:
        named = sum(isinstance(part, values.Var) and part.id in outdated for part in parts)
        # The document of a token is the same wherever it is.
        named -= sum(
            isinstance(part, values.Attribute)
            and part.what == "document"
            and isinstance(part.of, values.Var)
            and part.of.id in outdated
            for part in parts
        )
        return named > 0 or any(map(self._looks, parts))

    def _looks(self, part: Any) -> bool:
        if self.pieces:
            return True
        if isinstance(part, values.FieldOf):
            return part.field in self.fields
        if self.tokens and isinstance(part, values.Compare):
            return "token" in (base_of(part.left), base_of(part.right))
        if self.tokens and isinstance(part, values.Tokens):
            zones = {one.zone if isinstance(one, values.InZone) else -1 for one in part.holders}
            return -1 in zones | self.into or bool(zones & self.into)
        is_event = isinstance(part, values.ExpressionPart) and part.reads == "events"
        return self.tokens and (is_event or isinstance(part, values.HeldIn))

    def guard(self, unit: Unit, nodes: Iterable[Any]) -> str:
        """Return the condition that skipped steps take a token from a place that some parts read; empty if none can."""
        zones = {
            one.zone
            for node in nodes
            for part in nodes_in(node)
            if isinstance(part, values.Tokens)
            for one in part.holders
            if isinstance(one, values.InZone)
        }
        rows = [unit.layout.zones[zone] for zone in sorted(zones)]
        ranges = [(row.first, row.first + row.owners * row.faces) for row in rows]
        return " || ".join(in_holders(source, ranges) for source in self.sources if ranges)


UNTOUCHED = Touched()


def can_wait(layout: Layout, step: ir.Order) -> bool:
    """Whether a step can be skipped for now: its changes have no immediate consequences."""
    match step:
        case ir.MoveToken(into=None):
            return True
        case ir.MoveToken(into=into):
            zone = getattr(into, "zone", -1)
            return zone >= 0 and zone not in layout.watched.zones
        case ir.SetField(field=number):
            return number not in layout.watched.fields
    return isinstance(step, ir.Clock) and step.what == "nothing"


def in_holders(token: str, ranges: Iterable[tuple[int, int]]) -> str:
    """Return the condition that a token is in any of the given ranges of holders."""
    return " || ".join(
        f"(uint32_t)({token} - {first} * documents) < {end - first}u * documents" for first, end in ranges
    )


def watched_ranges(layout: Layout) -> list[tuple[int, int]]:
    """Return the ranges of holders where a token that arrives or leaves can have immediate consequences."""
    found: list[tuple[int, int]] = []
    for holder, watched in enumerate(layout.watched_holders):
        if watched and found and found[-1][1] == holder:
            found[-1] = found[-1][0], holder + 1
        elif watched:
            found.append((holder, holder + 1))
    return found
