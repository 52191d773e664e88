"""Comparing the engine with the oracle: the ends of a turn, and the draws of a round."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache

import warchest
from loaded import shipped
from oracle import naive
from oracle.state import Position
from warchest.game.turn_successors import turn_successors


@lru_cache
def game() -> warchest.Game:
    """The shipped game."""
    return shipped()


def keys(positions: list[Position]) -> list[str]:
    """Return positions as sorted canonical JSON."""
    return sorted(map(naive.position_key, positions))


def check_turn(position: Position) -> None:
    """Check that the engine and the oracle find the same ends of a turn."""
    state = game().position(position)
    ours = turn_successors(state)
    assert len({one.key() for one in ours}) == len(ours)
    found, wanted = keys([one.position() for one in ours]), keys(naive.turn_successors(position))
    assert len(set(found)) == len(found)
    missing, extra = sorted(set(wanted) - set(found)), sorted(set(found) - set(wanted))
    assert not missing and not extra, (
        f"{len(missing)} missing, {len(extra)} too many from\n{naive.position_key(position)}\n"
        f"missing: {(missing or ['none'])[0]}\ntoo many: {(extra or ['none'])[0]}"
    )


def drawn(state: warchest.State) -> dict[str, Fraction]:
    """Return the positions after the draw, with their probabilities; equal states on the way are expanded once."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    layer = {state: Fraction(1)}
    while layer:
        following: dict[warchest.State, Fraction] = defaultdict(Fraction)
        for here, chance in layer.items():
            if here.decision is None or not here.decision.is_chance:
                found[naive.position_key(here.position())] += chance
                continue
            for option in here.decision.options:
                following[here.clone().apply(option)] += chance * option.probability
        layer = following
    return dict(found)


def check_draw(position: Position) -> None:
    """Check that the engine and the oracle find the same draws, equally likely."""
    state = game().position(position)
    wanted = {naive.position_key(one): chance for one, chance in naive.draw_successors(position)}
    if not wanted:
        assert state.decision is None and state.outcome is not None
        return
    assert state.decision is not None and state.decision.is_chance
    assert turn_successors(state) == []
    found = drawn(state)
    assert found == wanted
    assert sum(found.values()) == 1
