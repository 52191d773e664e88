"""Both machines perform and ask the same of each clause; no kind of instruction is left out.

Real acts are equal in number. Trials are not: looking ahead, the reference machine may go on
where no failure is possible any more, and the native one stops there. But that tries no other acts, and the facts that
a game has shown of a clause are the same on both.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple, fields, replace
from random import Random
from typing import Any

import pytest
from lockstep_support import Seen, checked_for, checked_library, native_for, play_both

import warchest
from loaded import load_once, shipped
from machine.machine_support import card
from warchest.engine.machine import HANDLERS
from warchest.engine.plain_steps import PLAIN
from warchest.game import native_engine
from warchest.game.counted import probed
from warchest.game.game import load_game
from warchest.game.native_games import playouts
from warchest.game.setup.beginning import Beginning
from warchest.lowering.clause_counts import ClauseCount, Counts, fate_probes
from warchest.lowering.probes import Probes
from warchest.lowering.program import Program
from warchest.native.c_compiler import Unavailable
from warchest.native.compiled import NativeGame, NativeLibrary
from warchest.native.shared_game import Moment
from warchest.source.text import Span

FOOT = {"raven": ["Footman", "Scout", "Ensign", "Archer"], "wolf": ["Pikeman", "Knight", "Royal Guard", "Lancer"]}
GAMES: list[tuple[str, str, dict[str, Any], tuple[int, ...]]] = [
    ("war-chest", "Random armies", {}, (3, 7)),
    ("war-chest", "Random armies", {"armies": FOOT}, (1, 2)),
    ("war-chest", "Draft", {}, (1,)),
    ("unigames", "Alternate reveal", {}, (3,)),
    ("unigames", "Conjurers", {}, (2,)),
]
FURTHER = (
    card("Looker", attribute="after this moves, if it can attack, it attacks."),
    card("Rebirth", kind="action", rules="when a unit would fall, put a coin in your box into that unit instead."),
    card("Riser", attribute="at the start of your turn, this may move."),
)
"""Cards for the instructions that no shipped text needs."""
WITH_FURTHER = {"raven": ["Looker", "Riser", "Scout", "Archer"], "wolf": FOOT["wolf"]}
CAP = 160
REAL, TRIED = ("done", "held", "failed"), ("considered", "tried_held", "tried_failed")
TOGETHER = [("done", "considered"), ("held", "tried_held"), ("failed", "tried_failed"), ("forbade",)]
"""The counters that tell, together, whether something has been seen of a clause."""

Told = dict[Span, ClauseCount]
Pair = tuple[Told, Told]


def of(counts: Told, *names: str) -> dict[Span, tuple[int, ...]]:
    """The counters of some names, for the clauses that have any."""
    found = {span: tuple(getattr(one, name) for name in names) for span, one in counts.items()}
    return {span: row for span, row in found.items() if any(row)}


def difference(after: Told, before: Told) -> Told:
    """The difference between the later counts and the earlier ones."""
    return {
        span: ClauseCount(*(new - old for new, old in zip(astuple(one), astuple(known), strict=True)))
        for span, one in after.items()
        for known in [before.get(span, ClauseCount())]
    }


def counted_in_both(beginning: Beginning, library: NativeLibrary, seed: int) -> Pair:
    """The counts of a game natively, and by the reference machine."""
    counters, natively, reference = library.counters, Counts(), Counts()
    state, before = beginning.begin(seed), dict[Span, ClauseCount]()
    state.silent = True

    def begun() -> None:
        # Both are at a decision, whose options are listed.
        counters.forget()
        state.count(reference)
        assert state.decision is not None
        before.update(reference.by_clause)

    fates, seen = fate_probes(library.places.program), Counter[int]()
    with probed(library, seen):
        play_both(NativeGame(library), state, Random(seed), CAP, Seen(), "tactic", begun)
    natively.seen_by(fates).update({one: times for one, times in seen.items() if one < fates.probes.size})
    return natively.by_clause, difference(reference.by_clause, before)


@pytest.fixture(scope="module")
def played() -> tuple[list[Pair], set[str]]:
    """The counts of each of the games, and the kinds of instructions that are met in any of them."""
    pairs, met = [], set[str]()
    for name, setup, given, seeds in GAMES:
        beginning, library = native_for(name, setup, probing=with_kinds)
        if given:
            beginning = load_once(name).beginning(setup=setup, sets="all", **given)
        for seed in seeds:
            pairs.append(counted_in_both(beginning, library, seed))
            met |= met_in(library)
    beginning = shipped("war-chest", *FURTHER).beginning(setup="Random armies", sets="all", armies=WITH_FURTHER)
    library = checked_library(beginning.variant, probing=with_kinds)
    pairs += [counted_in_both(beginning, library, seed) for seed in (1, 2)]
    return pairs, met | met_in(library)


def with_kinds(program: Program) -> Probes:
    """The probes of clauses, and a counter for each kind of instruction."""
    probes, kinds = fate_probes(program).probes, [*HANDLERS]
    steps = dict(probes.steps)
    for routine in program.routines.values():
        for one in routine.instructions:
            if one.span is None:
                steps[id(one)] = (probes.size + kinds.index(type(one)),) * 2
    return replace(probes, steps=steps, size=probes.size + len(kinds))


def met_in(library: NativeLibrary) -> set[str]:
    """The kinds of instructions that a library has carried out."""
    program, seen = library.places.program, library.counters.seen
    steps = with_kinds(program).steps
    instructions = [one for routine in program.routines.values() for one in routine.instructions]
    return {type(one).__name__ for one in instructions if seen.keys() & set(steps[id(one)])}


def test_both_machines_do_and_ask_the_same_of_each_clause(played: tuple[list[Pair], set[str]]) -> None:
    for natively, reference in played[0]:
        assert of(natively, *REAL) == of(reference, *REAL)
        for name in REAL:
            assert sum(row[0] for row in of(natively, name).values()) > CAP


def test_the_native_machine_tries_no_other_acts(played: tuple[list[Pair], set[str]]) -> None:
    for natively, reference in played[0]:
        assert of(natively, "forbade") == of(reference, "forbade") != {}
        for name in TRIED:
            tried, known = of(natively, name), of(reference, name)
            assert tried and all(known[span] >= times for span, times in tried.items())


def test_both_machines_count_the_same_for_each_clause(played: tuple[list[Pair], set[str]]) -> None:
    for names in TOGETHER:
        seen = [of(natively, *names).keys() for natively, _ in played[0]]
        assert seen == [of(reference, *names).keys() for _, reference in played[0]]
        assert set().union(*seen)


def test_every_kind_of_instruction_is_met(played: tuple[list[Pair], set[str]]) -> None:
    assert played[1] == {kind.__name__ for kind in HANDLERS.keys() - PLAIN.keys()}


# ---- many games


def standing(name: str, setup: str, decisions: int) -> tuple[warchest.State, warchest.State]:
    """A state of a game that is held natively, and the same on the reference machine."""
    state, rng = native_for(name, setup)[0].begin(4), Random(4)
    for _ in range(decisions):
        assert state.decision is not None
        state.apply(state.decision.draw(rng))
    natively = state.clone()
    assert natively.play_natively() == ""
    return natively, state


@pytest.mark.usefixtures("compiled_for_tests")
@pytest.mark.parametrize(("name", "setup"), [("war-chest", "Random armies"), ("unigames", "Alternate reveal")])
def test_rollouts_are_counted_alike_on_either_machine(name: str, setup: str) -> None:
    natively, state = standing(name, setup, 30)
    counts, known = Counts(), Counts()
    ends = [one.rollouts(3, 5, {"control", "step"}, 80, counts=to) for one, to in ((natively, counts), (state, known))]
    assert ends[0] == ends[1] == natively.rollouts(3, 5, {"control", "step"}, 80)
    assert of(counts.by_clause, *REAL) == of(known.by_clause, *REAL) != {}
    assert natively.native and natively == state


@pytest.mark.usefixtures("compiled_for_tests")
def test_a_game_that_is_given_up_natively_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    natively, state = standing("war-chest", "Random armies", 10)
    counts, known, play_on = Counts(), Counts(), Moment.play_on

    def sometimes(moment: Moment, seed: int, *given: Any) -> Any:
        found = play_on(moment, seed, *given)
        return None if seed == 6 else found

    monkeypatch.setattr(Moment, "play_on", sometimes)
    assert natively.rollouts(3, 5, cap=60, counts=counts) == state.rollouts(3, 5, cap=60, counts=known)
    assert of(counts.by_clause, *REAL) == of(known.by_clause, *REAL)


@pytest.mark.usefixtures("compiled_for_tests")
def test_equal_games_share_a_machine_and_are_counted_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine was made for the code of the first one; the counters are those of the code that goes on."""
    states = [load_game("war-chest").new(seed=2) for _ in range(2)]
    monkeypatch.setattr(Moment, "play_on", lambda *_: None)
    found = []
    for state in states:
        counts = Counts()
        assert state.play_natively() == ""
        state.rollouts(1, cap=60, counts=counts)
        found.append(counts.by_clause)
    known = Counts()
    load_game("war-chest").new(seed=2).rollouts(1, cap=60, counts=known)
    assert found == [known.by_clause] * 2 and known.by_clause


@pytest.mark.usefixtures("compiled_for_tests")
def test_counts_of_whole_games_add_up() -> None:
    beginning, counts, both = native_for("war-chest", "Random armies")[0], [Counts(), Counts()], Counts()
    rows = [playouts(beginning, "control", 300, [seed], one) for seed, one in enumerate(counts)]
    assert playouts(beginning, "control", 300, range(2), both) == [row for one in rows for row in one]
    assert playouts(beginning, "control", 300, range(2)) == playouts(beginning, "control", 300, range(2), Counts())
    first, second = (one.by_clause for one in counts)
    names = [one.name for one in fields(ClauseCount)]
    assert of(difference(both.by_clause, first), *names) == of(second, *names) != {}


def test_the_reference_machine_counts_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    beginning, counts, known = native_for("war-chest", "Random armies")[0], Counts(), Counts()
    state = beginning.begin(2)
    ends = state.rollouts(2, cap=20, counts=known)
    monkeypatch.setattr(native_engine, "library_for", checked_for)
    native_engine.native_machine.cache_clear()
    assert state.play_natively() == ""
    monkeypatch.setattr(native_engine, "library_for", lambda *_: Unavailable("there is no compiler"))
    assert state.rollouts(2, cap=20, counts=counts) == ends
    assert counts.by_clause == known.by_clause
    assert isinstance(playouts(beginning, "control", 20, [1], counts), Unavailable)
    assert counts.by_clause == known.by_clause
    native_engine.native_machine.cache_clear()
