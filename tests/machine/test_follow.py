"""Who takes the option that was drawn comes to where looking ahead has been; all others go the whole way."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from loaded import shipped
from warchest.game.decision import Offers, Option
from warchest.game.state import State
from warchest.machine import follow, options
from warchest.machine.options import Listing
from warchest.machine.risk import anything_can_fail
from warchest.machine.run import FAIL, EndlessError, Run, Stop
from warchest.machine.sites import Site
from warchest.machine.trial import Proof, completes

GAMES: dict[str, dict[str, Any]] = {"war-chest": {"sets": ["base", "nobility", "siege"]}, "unigames": {}}
ASKED = 80
"""How many decisions of a game are looked at."""


def _asked_anew(state: State) -> State:
    """Return a copy that asks by itself, so that it knows of no way, and leaves the state as it is."""
    copy = state.clone()
    copy._decision = None
    return copy


def _take(state: State, option: Option) -> State:
    """Have a copy take an option the whole way."""
    # Options are told apart by their paths, because to compare them is to list all of them.
    copy = _asked_anew(state)
    assert copy.decision is not None
    return copy.apply(next(one for one in copy.decision.options if one.path == option.path))


def _known(state: State) -> bool:
    decision = state.decision
    return decision is not None and isinstance(decision.offers, Offers) and decision.offers.listing.lead is not None


def _same(one: State, other: State) -> bool:
    """Whether two states are equal, have come about in the same way, and ask the same."""
    asked = [_asked_anew(state).decision for state in (one, other)]
    first, second = [[option.data for option in decision.options] if decision else None for decision in asked]
    return (
        first == second
        and one.run.memory == other.run.memory
        and one == other
        and one.history() == other.history()
        and one.log == other.log
    )


@pytest.mark.parametrize("name", GAMES)
def test_a_known_way_leads_where_the_whole_way_does(name: str) -> None:
    known = 0
    for seed in range(3):
        state, rng = shipped(name).new(seed=seed, **GAMES[name]), Random(seed)
        for _ in range(ASKED):
            if state.decision is None:
                break
            option = state.decision.sample(rng)
            known += _known(state)
            whole = _take(state, option)
            assert not _known(whole)
            assert _same(state.apply(option), whole)
    # War Chest has little that can fail; in the other game nearly all that is done can.
    assert known > (0 if name == "war-chest" else ASKED)


def test_copies_share_what_is_known_and_whoever_takes_something_else_does_not_need_it() -> None:
    shared = 0
    for seed in range(8, 11):
        state, rng = shipped("unigames").new(seed=seed), Random(seed)
        for _ in range(ASKED // 2):
            if state.decision is None:
                break
            option = state.decision.sample(rng)
            copy = state.clone()
            if _known(state):
                shared += 1
                asked = _asked_anew(state).decision
                assert asked is not None
                other = rng.choice([one for one in asked.options if one.path != option.path])
                assert _same(state.clone().apply(other), _take(state, other))
            assert _same(state.apply(option), copy.apply(option))
    assert shared > ASKED // 4


def test_a_proof_is_a_way_to_go_on_choice_by_choice() -> None:
    """Each of its choices comes after the one before, with its candidate on offer; nothing fails behind the last."""
    lengths = []
    for seed in range(8, 12):
        state, rng = shipped("unigames").new(seed=seed), Random(seed)
        for _ in range(ASKED):
            if state.decision is None:
                break
            option, run, stop = state.decision.sample(rng), state.clone().run, state.site
            offers = state.decision.offers
            proof = offers.listing.proofs.get(option.path.taken, ()) if isinstance(offers, Offers) else ()
            taken = option.path.taken
            for site, candidate in proof:
                assert isinstance(stop, Site)
                stop = follow.follow(run, stop, taken)
                assert stop is site and candidate in run.candidates
                taken = (candidate,)
            if proof:
                stop = follow.follow(run, cast(Site, stop), taken)
                assert stop is not FAIL and (not anything_can_fail(run) or completes(run, stop) is not None)
            lengths.append(len(proof))
            state.apply(option)
    assert max(lengths) > 2


def test_what_is_forced_on_a_way_that_is_proved_is_not_looked_into_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has an answer to the attack, so that both only pass: it is tried as it is drawn, and then done."""
    foot = {"name": "Dwarf Spear", "owner": "P1", "at": "d4", "facing": "n"}
    foe = {"name": "Bandit Chief", "owner": "P2", "at": "d5", "facing": "s"}
    state = shipped("unigames").position({"turn": "P1", "figures": [foot, foe]})
    assert state.decision is not None
    attack = next(one for one in state.decision.options if one.act == "step")
    tried = []
    monkeypatch.setattr(options, "lead", lambda run, site, path: tried.append(path))
    monkeypatch.setattr(options, "can_follow", lambda run, site, path: tried.append(path))
    state.apply(attack)
    assert any("strike" in line for line in state.log) and not tried


def test_rules_that_do_not_end_leave_the_run_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    state, rng = shipped("unigames").new(seed=2), Random(2)
    while not _known(state):
        assert state.decision is not None
        state.apply(state.decision.sample(rng))
        assert state.decision is not None
        state.decision.sample(rng)
    run, site = _asked_anew(state).run, cast(Site, state.site)
    run.candidates = site.candidates(run, run.env)
    kept, listing = run.memory[:], Listing(run, site)

    def endless(run: Run, stop: Stop) -> Proof | None:
        # It may happen in a trial within the trial.
        run.trying += 1
        raise EndlessError

    monkeypatch.setattr(follow, "completes", endless)
    raised = 0
    for number in sorted(listing.open):
        for ask in (listing.draw, listing.holds):
            try:
                ask(number)
            except EndlessError:
                raised += 1
            assert (run.trying, run.telling, run.events, run.memory) == (0, 0, [], kept)
    assert raised
