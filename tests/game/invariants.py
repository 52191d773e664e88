"""The invariants of every state of every game of War Chest: each invariant is watched in every game, see `watching`."""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from game_support import game, names_hidden, pick, play, redealt, tells_only_lengths
from modes_support import FORTS, LIMITS, SEATS, TEAMS, coins, stock, tidy, turned

from oracle.board import BOARDS
from warchest import OptionError, State
from warchest.game.turn_successors import turn_successors
from watching import (
    Check,
    Invariant,
    Moment,
    collected,
    data_of,
    everything,
    kept,
    text,
    the_same_options_make_the_same_game,
)

INVARIANTS: list[Invariant] = []
IN_DUELS: list[Invariant] = []
"""The same of short games, which are more."""


def invariant(looks: float = math.inf, duels: float = math.inf, last: bool = False) -> Callable[[Check], Check]:
    """Let a function be one of the invariants, with the approximate number of checked moments of a game, and of a
    duel."""

    in_games, in_duels = collected(INVARIANTS, looks=looks, last=last), collected(IN_DUELS, looks=duels, last=last)
    return lambda check: in_duels(in_games(check))


# ---- positions that can be


@invariant()
def coins_are_conserved(moment: Moment, rng: Random) -> None:
    if not has_begun(moment) and not (moment.before is not None and has_begun(moment.before)):
        return
    position = moment.position
    full, found = stock(position), coins(position)
    assert not found - full
    # A coin that is drawn and not yet used is in no list; the pending work names it.
    missing = full - found
    assert missing.total() <= 1
    assert all(coin in text(position["pending"]) for _, coin in missing)


def has_begun(moment: Moment) -> bool:
    """Whether the players have mustered; they have not yet in a draft."""
    return bool(coins(moment.position))


@invariant()
def armies_do_not_change(moment: Moment, rng: Random) -> None:
    before = moment.before
    if before is not None and has_begun(before):
        assert moment.position["armies"] == before.position["armies"]
        assert moment.position["options"] == before.position["options"]


@invariant()
def seals_and_forts_are_conserved(moment: Moment, rng: Random) -> None:
    position = moment.position
    forts = len(position["forts"]) + position["fort_supply"]
    seals = {decree["name"]: decree["seals"] for decree in position["decrees"]}
    assert forts <= FORTS and len(seals) == len(position["decrees"])
    assert all(teams == [team for team in TEAMS if team in teams] for teams in seals.values())
    if moment.before is None:
        return
    before = moment.before.position
    assert forts == len(before["forts"]) + before["fort_supply"]
    sealed = {decree["name"]: decree["seals"] for decree in before["decrees"]}
    assert set(seals) == (set(sealed) or set(seals))
    assert all(set(teams) >= set(sealed.get(name, ())) for name, teams in seals.items())


@invariant()
def the_board_is_in_order(moment: Moment, rng: Random) -> None:
    position, state = moment.position, moment.state
    players = list(SEATS[len(position["hand"])])
    table = BOARDS[len(players)]
    spaces = [unit["at"] for unit in position["units"]]
    assert len(set(spaces)) == len(spaces) and set(spaces) <= set(table.spaces)
    assert all(unit["coins"] >= 1 for unit in position["units"])
    types = Counter((unit["owner"], unit["unit"]) for unit in position["units"])
    assert all(number <= LIMITS.get(kind, 1) for (_, kind), number in types.items())
    assert all(kind in position["armies"][owner] for owner, kind in types)
    assert len(set(position["forts"])) == len(position["forts"]) and set(position["forts"]) <= table.locations
    held = [space for spaces in position["control"].values() for space in spaces]
    assert len(set(held)) == len(held) and set(held) <= table.locations
    assert list(position["control"]) == TEAMS and list(position["hand"]) == players
    assert ("winner" in position) == (state.outcome is not None) == (moment.decision is None)
    assert ("to_act" in position) == (state.outcome is None)
    if position.get("winner"):
        assert len(position["control"][position["winner"]]) == table.markers
    else:
        assert all(len(spaces) < table.markers for spaces in position["control"].values())


@invariant(last=True)
def a_game_that_is_over_is_over(moment: Moment, rng: Random) -> None:
    outcome = moment.state.outcome
    if moment.decision is not None:
        return
    assert outcome is not None and outcome.reason
    assert outcome.winners in ((), ("raven",), ("wolf",))  # a team, or none
    assert moment.position["winner"] == (outcome.winners[0] if outcome.winners else None)
    refused(moment, 0)
    assert turn_successors(moment.state) == []


# ---- options


invariant()(kept("words"))
invariant(looks=3, duels=1)(kept("refused"))


@invariant(looks=4.5, duels=0.7)
def every_option_can_be_carried_to_its_end(moment: Moment, rng: Random) -> None:
    before, began = moment.everything, (moment.state.turn, moment.state.round)
    for index in range(len(moment.options or ())):
        there, own = moment.state.clone().apply(index), Random(index)
        for _ in range(200):
            if turn_is_over(there, began):
                break
            assert there.decision is not None
            there.apply(pick(there.decision, own))
        assert turn_is_over(there, began)
    assert everything(moment.state) == before


def turn_is_over(state: State, began: tuple[int, int]) -> bool:
    """Whether the state is in another turn or round than it began in, or at its end."""
    return state.decision is None or (state.turn, state.round) != began


def refused(moment: Moment, *options: Any) -> None:
    """Check that options are not taken, and that nothing changes by trying."""
    before = moment.everything
    for option in options:
        with pytest.raises(OptionError):
            moment.state.apply(option)
    assert everything(moment.state) == before


@invariant(looks=2.5, duels=1.1)
def a_wrong_index_is_refused(moment: Moment, rng: Random) -> None:
    count = len(moment.options or ())
    refused(moment, -1, count, count + 7, -count - 1, None)


@invariant(looks=4, duels=0.8)
def an_option_of_an_earlier_decision_is_refused(moment: Moment, rng: Random) -> None:
    """Of the one before, and of any one."""
    past = list(moment.past())
    for old in {id(one): one for one in (past[0], rng.choice(past))}.values() if past else ():
        assert old.decision is not None
        stale = [option for option in old.decision.options if option.data not in (moment.options or ())]
        refused(moment, *rng.sample(stale, min(len(stale), 5)))


@invariant(looks=0.3, duels=1)
def an_option_of_another_game_is_refused(moment: Moment, rng: Random) -> None:
    other = game().new(seed=rng.randrange(1000))
    for _ in range(12):
        assert other.decision is not None
        other.apply(pick(other.decision, rng))
    assert other.decision is not None
    strange = [option for option in other.decision.options if option.data not in (moment.options or ())]
    refused(moment, *strange[:5])


@invariant(looks=4, duels=13)
def an_option_of_an_equal_state_is_accepted(moment: Moment, rng: Random) -> None:
    if moment.decision is None:
        return
    twin = game().position(moment.position)
    assert twin.decision is not None
    option = moment.decision.options[pick(moment.decision, rng)]
    same = next(one for one in twin.decision.options if one == option)
    assert hash(same) == hash(option)
    assert moment.state.clone().apply(same).position() == moment.state.clone().apply(option).position()


# ---- states and positions


invariant(looks=40, duels=16)(kept("saved"))
invariant(looks=4, duels=1.5)(kept("views"))


@invariant(looks=1, duels=0.8)
def the_game_goes_on_alike_from_a_position(moment: Moment, rng: Random) -> None:
    state, twin = moment.state.clone(), game().position(moment.position)
    for _ in range(25):
        assert state == twin and state.position() == twin.position()
        if state.decision is None:
            break
        option = state.decision.options[pick(state.decision, rng)]
        state.apply(option)
        twin.apply(option)


invariant(last=True)(the_same_options_make_the_same_game)


@invariant(looks=1.3, duels=1)
def reading_changes_nothing(moment: Moment, rng: Random) -> None:
    state, first, key = moment.state, moment.everything, moment.state.key()
    hash(state)
    repr(moment.decision)
    assert state.clone() == state and state.at_boundary in (True, False)
    assert isinstance(state.trace, list)
    if has_begun(moment):  # a draft is one turn, with millions of ends
        turn_successors(state)
    state.why_not({"act": "proclaim"})
    for read in (state.view, state.log_for):
        with pytest.raises(OptionError):
            read("nobody")
    assert everything(state) == first and state.key() == key
    assert data_of(state) == moment.options


@invariant(looks=1.5, duels=2)
def what_is_handed_out_is_a_copy(moment: Moment, rng: Random) -> None:
    state, first = moment.state, moment.everything
    for handed in (state.position(), *map(state.view, moment.position["hand"])):
        for value in handed.values():
            if isinstance(value, list | dict):
                value.clear()
        handed.clear()
    state.log.clear()
    assert everything(state) == first


@invariant(looks=1, duels=1.5)
def a_position_that_is_read_is_left_alone(moment: Moment, rng: Random) -> None:
    kept = copy.deepcopy(moment.position)
    there = game().position(moment.position)
    if there.decision is not None:
        there.apply(0)
    assert moment.position == kept


@invariant(looks=1, duels=1.8)
def a_clone_is_independent(moment: Moment, rng: Random) -> None:
    first, clone, again, seed = moment.everything, moment.state.clone(), moment.state.clone(), rng.random()
    assert everything(clone) == first
    assert clone == moment.state and hash(clone) == hash(moment.state)
    for _ in play(clone, Random(seed), 12):
        pass
    assert everything(again) == first
    moved = everything(clone)
    for _ in play(again, Random(seed), 12):
        pass
    assert everything(clone) == moved == everything(again)
    assert everything(moment.state) == first


# ---- what a player may not see


@invariant(looks=11, duels=2.5)
def hidden_coins_do_not_show(moment: Moment, rng: Random) -> None:
    decision, position = moment.decision, moment.position
    if decision is None or decision.is_chance or "pool" in position:
        return
    me = str(decision.player)
    owner = rng.choice([player for player in position["hand"] if player != me])
    if names_hidden(position, owner) or is_spying(moment):
        return
    one, two = game().position(position), game().position(redealt(position, owner, rng))
    others = [player for player in position["hand"] if player != owner]
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


@invariant(looks=6, duels=1.5)
def what_a_player_knows_stays_when_hidden_coins_are_dealt_anew(moment: Moment, rng: Random) -> None:
    state, decision = moment.state, moment.decision
    me = rng.choice(list(moment.position["hand"]))
    dealt = state.determinize(me, rng)
    there = dealt.position()
    assert dealt.view(me) == state.view(me) and (dealt.turn, dealt.round) == (state.turn, state.round)
    assert dealt.outcome == state.outcome and dealt.log == []
    assert (dealt.decision is None) == (decision is None)
    if dealt.decision is not None and decision is not None:
        assert (dealt.decision.player, dealt.decision.prompt) == (decision.player, decision.prompt)
        assert decision.player != me or data_of(dealt) == moment.options
    if has_begun(moment):  # a coin that was drawn and not yet used may be another one
        gone, come = coins(moment.position) - coins(there), coins(there) - coins(moment.position)
        assert gone.total() == come.total() <= 1
        assert {player for player, _ in gone} == {player for player, _ in come}
        coins_are_conserved(Moment(moment.walk, dealt, moment.before), rng)
    assert game().position(there) == dealt
    for _ in play(dealt, rng, 3):
        pass


def spies(state: State, option: Any) -> bool:
    """Whether an option lets its player see the hand of another: by Spy, which may be the only decree there is."""
    before = len(state.trace)
    there = state.clone().apply(option)
    return any(words in entry.text for entry in there.trace[before:] for words in ("see all coins", "Spy", " sees "))


def is_spying(moment: Moment) -> bool:
    """Whether the choice is one among the coins in another's hand."""
    prompt = moment.decision.prompt if moment.decision is not None else ""
    return "pending" in moment.position and "in the hand of that player" in prompt


@invariant(looks=9, duels=2)
def a_view_tells_no_more_than_lengths(moment: Moment, rng: Random) -> None:
    tells_only_lengths(moment.state, SEATS[len(moment.position["hand"])])


@invariant(looks=5.5, duels=2)
def a_coin_laid_face_down_is_not_told(moment: Moment, rng: Random) -> None:
    decision, state = moment.decision, moment.state
    if decision is None or decision.is_chance or not state.at_boundary:
        return
    passing = [option for option in decision.options if option.data["act"] == "pass"]
    for player in set(moment.position["hand"]) - {str(decision.player)}:
        told = set()
        for option in passing:
            there = state.clone().apply(option)
            told.add(text([there.log_for(player), {**there.view(player), "pending": 0}]))
        assert len(told) == min(len(passing), 1)


# ---- the sides of the table


@invariant(looks=2.4, duels=0.8)
def the_game_is_the_same_from_every_seat(moment: Moment, rng: Random) -> None:
    """The board turned by half, and all players one seat further on: teams change places, the order stays."""
    position, count = dict(moment.position), len(moment.position["hand"])
    if "pool" in position or not any(position["bag"].values()):
        return
    position.pop("pending", None)
    here, there = game().position(position), game().position(turned(position, count))
    assert tidy(there.position()) == turned(here.position(), count)
    assert (here.decision is None) == (there.decision is None)
    if here.decision is None or there.decision is None:
        return
    assert there.decision.player == turned(here.decision.player, count)
    assert tidy(data_of(there)) == turned(data_of(here), count)
    ends = [text(turned(one.position(), count)) for one in turn_successors(here)]
    assert sorted(ends) == sorted(text(tidy(one.position())) for one in turn_successors(there))
