"""Changes that can have immediate consequences: changes of the things that state rules are about.

The rules are checked again only when such a thing has changed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from warchest.ir.parts import nodes_in
from warchest.ir.ruleset import Ruleset
from warchest.ir.values import (
    AllSpaces,
    Attribute,
    Compare,
    Exists,
    ExpressionPart,
    FieldOf,
    InPiece,
    InZone,
    Pieces,
    Var,
)


class Watched(NamedTuple):
    """The things that state rules are about. The documents that pieces bear, or are of, always count."""

    fields: frozenset[int]
    zones: frozenset[int]
    """The zones whose tokens the rules count."""
    stacks: bool
    """Whether the rules count the tokens that pieces are made of."""
    arrivals: bool
    """Whether a new piece can have a consequence."""
    departures: bool
    """Whether a departed piece can have a consequence."""
    places: bool
    """Whether the places of pieces matter."""


def watched_by(ruleset: Ruleset) -> Watched:
    """Return the things that the state rules of a rule set depend on."""
    parts = [part for rule in ruleset.state_rules for part in nodes_in(rule.among, _is_anywhere)]
    within = [part for rule in ruleset.state_rules for part in nodes_in(rule.among.filters, _is_anywhere)]
    fields = {part.field for part in parts if isinstance(part, FieldOf)}
    if any(isinstance(part, Attribute) and part.what == "decider" for part in parts):
        fields.add(ruleset.decides)
    return Watched(
        fields=frozenset(fields),
        zones=frozenset(part.zone for part in parts if isinstance(part, InZone)),
        stacks=any(isinstance(part, InPiece) for part in parts),
        arrivals=any(isinstance(part, Pieces) for part in parts),
        departures=any(isinstance(part, Pieces) for part in within),
        places=any(isinstance(part, Attribute) and part.what == "space" for part in parts)
        or "places" in {part.reads for part in parts if isinstance(part, ExpressionPart)},
    )


def _is_anywhere(part: Any) -> bool:
    """Whether a condition only requires that a piece is on a space, which is true of every piece on the board."""
    if not isinstance(part, Exists) or not isinstance(part.members.members, AllSpaces):
        return False
    match part.members.filters:
        case (Compare("==", Attribute("space", Var()), Var(id=number)),):
            return number == part.members.var.id
    return False
