"""What holds of every state of every game, tried on long random ones with all sets, of two players and of four."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from game_support import (
    Position,
    check_options,
    data_of,
    game,
    is_mid_effect,
    names_hidden,
    pick,
    redealt,
    tells_only_lengths,
    text,
)
from hypothesis import given
from hypothesis import strategies as st
from modes_support import (
    FORTS,
    LIMITS,
    SEATS,
    TEAM,
    TEAMS,
    Walk,
    coins,
    everything,
    some,
    stock,
    tidy,
    turned,
    walks,
)  # fmt: skip

from oracle.board import BOARDS
from oracle.state import ALL_COUNTS
from warchest import OptionError, State
from warchest.game.perft import turn_successors

games = st.sampled_from(sorted(SEATS)).flatmap(walks)


# ---- positions that can be


@some(8)
@given(games)
def test_coins_seals_and_forts_are_conserved(walk: Walk) -> None:
    full, forts, sealed = Counter[tuple[str, str]](), None, dict[str, list[str]]()
    for state in walk.states():
        position = state.position()
        if not any(position["bag"].values()) and not full:
            continue  # a draft, before the players have mustered
        full = full or stock(position)
        missing = full - coins(position)
        assert not coins(position) - full
        # A coin that is drawn and not yet used is in no list; the pending work tells of it.
        assert missing.total() <= 1
        assert all(coin in text(position["pending"]) for _, coin in missing)
        here = len(position["forts"]) + position["fort_supply"]
        forts = here if forts is None else forts
        assert here == forts <= FORTS
        seals = {decree["name"]: decree["seals"] for decree in position["decrees"]}
        assert set(seals) == (set(sealed) or set(seals)) and len(seals) == len(position["decrees"])
        for name, teams in seals.items():
            assert teams == [team for team in TEAMS if team in teams]
            assert set(teams) >= set(sealed.get(name, ()))
        sealed = seals


@some(14)
@given(games)
def test_the_board_is_in_order(walk: Walk) -> None:
    table = BOARDS[walk.players]
    for state in walk.states():
        position = state.position()
        spaces = [unit["at"] for unit in position["units"]]
        assert len(set(spaces)) == len(spaces) and set(spaces) <= set(table.spaces)
        assert all(unit["coins"] >= 1 for unit in position["units"])
        types = Counter((unit["owner"], unit["unit"]) for unit in position["units"])
        assert all(number <= LIMITS.get(kind, 1) for (_, kind), number in types.items())
        assert all(kind in position["armies"][owner] for owner, kind in types)
        assert len(set(position["forts"])) == len(position["forts"]) and set(position["forts"]) <= table.locations
        held = [space for spaces in position["control"].values() for space in spaces]
        assert len(set(held)) == len(held) and set(held) <= table.locations
        assert list(position["control"]) == TEAMS and list(position["hand"]) == list(SEATS[walk.players])
        assert ("winner" in position) == (state.outcome is not None) == (state.decision is None)
        assert ("to_act" in position) == (state.outcome is None)
        if position.get("winner"):
            assert len(position["control"][position["winner"]]) == table.markers
        else:
            assert all(len(spaces) < table.markers for spaces in position["control"].values())


# ---- options


@some(14)
@given(games)
def test_options_are_told_apart(walk: Walk) -> None:
    for state in walk.states():
        decision = state.decision
        if decision is None:
            continue
        check_options(decision, SEATS[walk.players])


def turn_is_over(state: State, began: tuple[int, int]) -> bool:
    """Whether the state has come to another turn or round than it began in, or to its end."""
    return state.decision is None or (state.turn, state.round) != began


@some(8)
@given(games)
def test_every_option_can_be_carried_to_its_end(walk: Walk) -> None:
    for state in walk.moments(8):
        before, began = everything(state), (state.turn, state.round)
        for index in range(len(state.decision.options) if state.decision is not None else 0):
            there, rng = state.clone().apply(index), Random(index)
            for _ in range(200):
                if turn_is_over(there, began):
                    break
                assert there.decision is not None
                there.apply(pick(there.decision, rng))
            assert turn_is_over(there, began)
        assert everything(state) == before


@some(10)
@given(games)
def test_a_rejected_option_changes_nothing(walk: Walk) -> None:
    old: State | None = None
    for state in walk.moments(6):
        offered, before = data_of(state) or [], everything(state)
        stale = old.decision.options if old is not None and old.decision is not None else ()
        wrong = [-1, len(offered), len(offered) + 7, None, *(one for one in stale if one.data not in offered)]
        for option in wrong:
            with pytest.raises(OptionError):
                state.apply(option)  # type: ignore[arg-type]
        assert everything(state) == before
        old = state


# ---- states and positions


@some(4)
@given(games)
def test_clones_and_positions_round_trip_at_every_decision(walk: Walk) -> None:
    for state in walk.states():
        position = state.position()
        twin = game().position(json.loads(json.dumps(position)))
        for one in (twin, state.clone()):
            assert one == state and hash(one) == hash(state)
            assert one.position() == position
            assert (one.outcome and one.outcome.winners) == (state.outcome and state.outcome.winners)
            assert data_of(one) == data_of(state)
        if state.decision is None or twin.decision is None:
            assert state.decision is twin.decision
            continue
        assert (twin.decision.player, twin.decision.prompt) == (state.decision.player, state.decision.prompt)
        odds = [[one.probability for one in there.decision.options] for there in (state, twin) if there.decision]
        assert odds[0] == odds[1]


@some(14)
@given(games)
def test_the_game_goes_on_alike_from_a_position(walk: Walk) -> None:
    state = walk.moment()
    twin, rng = game().position(state.position()), Random(walk.seed)
    for _ in range(25):
        assert state == twin and state.position() == twin.position()
        if state.decision is None:
            break
        option = state.decision.options[pick(state.decision, rng)]
        state.apply(option)
        twin.apply(option)


@some(14)
@given(games)
def test_a_clone_is_independent(walk: Walk) -> None:
    state, rng = walk.moment(), Random(walk.seed)
    first, clone = everything(state), state.clone()
    assert everything(clone) == first
    for _ in range(12):
        if clone.decision is None:
            break
        clone.apply(pick(clone.decision, rng))
    assert everything(state) == first
    again = everything(clone)
    for handed in (state.position(), *map(state.view, SEATS[walk.players])):
        handed.clear()
    state.log.clear()
    assert everything(state) == first and everything(clone) == again


@some(14)
@given(games)
def test_the_same_options_make_the_same_game(walk: Walk) -> None:
    first, second = walk.start(), walk.start()
    assert everything(first) == everything(second)
    rng = Random(walk.seed)
    for _ in range(120):
        assert data_of(first) == data_of(second)
        if first.decision is None:
            break
        index = pick(first.decision, rng)
        first.apply(first.decision.options[index])
        second.apply(index)
    assert everything(first) == everything(second)


@some(5)
@given(games)
def test_reading_changes_nothing(walk: Walk) -> None:
    for state in walk.moments(4):
        first, key = everything(state), state.key()
        hash(state)
        assert state.clone() == state and state.at_boundary in (True, False)
        assert isinstance(state.trace, list)
        turn_successors(state)
        state.why_not({"act": "proclaim"})
        assert everything(state) == first and state.key() == key


# ---- what a player may not see


def spies(state: State, option: Any) -> bool:
    """Whether an option lets its player see the hand of another: by Spy, which may be the only decree there is."""
    before = len(state.trace)
    there = state.clone().apply(option)
    return any("see all coins" in entry.text or "Spy" in entry.text for entry in there.trace[before:])


@some(14)
@given(games)
def test_hidden_coins_do_not_show(walk: Walk) -> None:
    rng = Random(walk.seed)
    for state in walk.moments(12):
        decision, position = state.decision, state.position()
        if decision is None or decision.is_chance or "pool" in position:
            continue
        me = str(decision.player)
        owner = rng.choice([player for player in SEATS[walk.players] if player != me])
        if names_hidden(position, owner) or is_spying(state):
            continue
        one, two = game().position(position), game().position(redealt(position, owner, rng))
        others = [player for player in SEATS[walk.players] if player != owner]
        assert one.decision is not None and two.decision is not None
        assert (one.decision.player, one.decision.prompt) == (two.decision.player, two.decision.prompt)
        assert data_of(one) == data_of(two)
        assert [one.view(player) for player in others] == [two.view(player) for player in others]
        index = pick(one.decision, rng)
        seen = {me} if spies(one, index) else set()
        one.apply(index)
        two.apply(index)
        for player in set(others) - seen:
            assert one.log_for(player) == two.log_for(player)
            assert one.view(player) == two.view(player)


def is_spying(state: State) -> bool:
    """Whether the choice is one among the coins in another's hand."""
    position, decision = state.position(), state.decision
    prompt = decision.prompt if decision is not None else ""
    return "pending" in position and "in the hand of that player" in prompt


SPYING: Position = {
    "to_act": "raven", "initiative": "raven", "decrees": [{"name": "Spy"}],
    "hand": {"raven": ["Royal Coin"], "wolf": ["Knight", "Scout"], "raven2": ["Royal Coin"], "wolf2": ["Royal Coin"]},
    "bag": {"wolf": ["Archer", "Lancer"]},
}  # fmt: skip


def test_only_the_spy_sees_what_is_spied_out() -> None:
    """Four players: the spy sees the hand, its owner what is lost and drawn, the others nothing of it."""
    told: dict[str, set[str]] = {player: set() for player in SEATS[4]}
    for coin in ("Knight", "Scout"):
        for drawn in ("Archer", "Lancer"):
            state = game().position(SPYING)
            for wanted in ({"act": "proclaim"}, {"player": "wolf"}, {"coin": coin}, {"coin": drawn}):
                assert state.decision is not None
                found = [one for one in state.decision.options if one.data.items() >= wanted.items()]
                if "player" in wanted and not found:
                    found = [one for one in state.decision.options if "wolf" in one.data.values()]
                state.apply(found[0])
            assert state.position()["discard"]["wolf"] == {"up": [], "down": [coin]}
            assert drawn in state.position()["hand"]["wolf"]
            for player in SEATS[4]:
                told[player].add(text([state.log_for(player), state.view(player)]))
    assert [len(told[player]) for player in SEATS[4]] == [2, 4, 1, 1]


@some(14)
@given(games)
def test_a_view_tells_no_more_than_lengths(walk: Walk) -> None:
    for state in walk.moments(12):
        tells_only_lengths(state, SEATS[walk.players])


@some(10)
@given(games)
def test_a_coin_laid_face_down_is_not_told(walk: Walk) -> None:
    for state in walk.moments(8):
        decision = state.decision
        if decision is None or decision.is_chance or not state.at_boundary:
            continue
        passing = [option for option in decision.options if option.data["act"] == "pass"]
        for player in set(SEATS[walk.players]) - {str(decision.player)}:
            told = set()
            for option in passing:
                there = state.clone().apply(option)
                told.add(text([there.log_for(player), {**there.view(player), "pending": 0}]))
            assert len(told) == min(len(passing), 1)


# ---- the sides of the table


@some(12)
@given(games)
def test_the_game_is_the_same_from_every_seat(walk: Walk) -> None:
    """The board turned by half, and everybody one seat further on: teams change places, the order stays."""
    count = walk.players
    for state in walk.moments(4):
        position = state.position()
        if "pool" in position or not any(position["bag"].values()):
            continue
        position.pop("pending", None)
        here, there = game().position(position), game().position(turned(position, count))
        assert tidy(there.position()) == turned(here.position(), count)
        assert (here.decision is None) == (there.decision is None)
        if here.decision is None or there.decision is None:
            continue
        assert there.decision.player == turned(here.decision.player, count)
        assert tidy(data_of(there)) == turned(data_of(here), count)
        ends = [text(turned(one.position(), count)) for one in turn_successors(here)]
        assert sorted(ends) == sorted(text(tidy(one.position())) for one in turn_successors(there))


# ---- that all this is no idle test


def test_everything_is_met() -> None:
    """Among the games above are all units, all decrees, forts that are built and razed, and ends of games."""
    seen: Counter[str] = Counter()
    for walk in [Walk(players, seed) for players in SEATS for seed in range(15)]:
        forts: set[str] | None = None
        for number, state in enumerate(walk.states()):
            seen["mid effect"] += is_mid_effect(state)
            if number % 3 and state.outcome is None:
                continue
            position = state.position()
            seen.update({unit["unit"] for unit in position["units"]})
            if forts is not None:
                seen["built"] += bool(set(position["forts"]) - forts)
                seen["razed"] += bool(forts - set(position["forts"]))
            forts = set(position["forts"])
        seen.update(decree["name"] for decree in position["decrees"] if decree["seals"])
        seen["won"] += state.outcome is not None and bool(state.outcome.winners)
        seen["draft"] += walk.seed % 5 == 1
    decrees = {one.name for one in game().library.of_kind("decree")}
    assert decrees and not (decrees | set(ALL_COUNTS)) - set(seen), seen
    assert seen["built"] >= 1 and seen["razed"] >= 3 and seen["won"] >= 3 and seen["mid effect"] >= 50, seen


def test_members_of_a_team_sit_opposite_each_other() -> None:
    assert [TEAM[player] for player in SEATS[4]] == 2 * TEAMS
    assert turned({"winner": "wolf", "to_act": "wolf"}, 4) == {"winner": "raven", "to_act": "raven2"}
