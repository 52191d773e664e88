"""The native machine does of each clause what the reference machine does, and no kind of instruction is left out."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from lockstep_support import Seen, native_for, play_both

from warchest.engine.counting import Counts
from warchest.engine.machine import HANDLERS
from warchest.game.game import load_game
from warchest.native.library import NativeGame
from warchest.source.text import Span

FOOT = {"raven": ["Footman", "Scout", "Ensign", "Archer"], "wolf": ["Pikeman", "Knight", "Royal Guard", "Lancer"]}
GAMES: list[tuple[str, str, dict[str, Any], tuple[int, ...]]] = [
    ("war-chest", "Random armies", {}, (3, 7)),
    ("war-chest", "Random armies", {"armies": FOOT}, (1, 2)),
    ("war-chest", "Draft", {}, (1,)),
    ("unigames", "Alternate reveal", {}, (3,)),
    ("unigames", "Conjurers", {}, (2,)),
]
CAP = 160


def instructions_met(name: str, setup: str, given: dict[str, Any], seeds: tuple[int, ...]) -> set[str]:
    """The kinds of instructions that were carried out, of whose clauses both machines have done the same."""
    beginning, library = native_for(name, setup)
    if given:
        beginning = load_game(name).beginning(setup=setup, sets="all", **given)
    game, met, considered = NativeGame(library), set[str](), 0
    for seed in seeds:
        state, counts = beginning.begin(seed), Counts()
        state.silent = True
        state.count(counts)
        play_both(game, state, Random(seed), CAP, Seen(), "tactic", library.forget_counts)
        done = Counter[Span]()
        for one, times, tried in library.counted():
            if one.span is not None:
                done[one.span] += times
            if times or tried:
                met.add(type(one).__name__)
            considered += tried
        assert done.total() > CAP
        assert +done == Counter({span: one.done for span, one in counts.by_clause.items() if one.done})
    assert considered
    return met


def test_the_same_is_done_of_each_clause_and_every_kind_of_instruction_is_met() -> None:
    met = set[str]().union(*(instructions_met(*one) for one in GAMES))
    assert {kind.__name__ for kind in HANDLERS} == met
