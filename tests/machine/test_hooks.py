"""Stages of an event: before, instead, the body with `when`, the state rules, after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from machine_support import card, game, lines, offered, player, position, round_trips, take, units

import warchest

ELSEWHERE = ["", ", wolf Royal Guard i1"]


def attacked(others: str, *cards: str, **where: Any) -> warchest.State:
    """Return the state after raven's Cavalry on f4 has attacked, with other units on the board."""
    state = game(*cards).position(position(f"Cavalry f4, {others}", "Cavalry", **where))
    return take(state, act="attack")


# ---- before


def test_before_happens_before_the_body() -> None:
    state = game(card("Eager", attribute="before this attacks, it moves.")).position(
        position("Eager f4, wolf Archer f5", "Eager")
    )
    take(state, act="attack")
    assert {one["to"] for one in offered(state, act="move")} == {"e4", "e5", "f3", "g3", "g4"}
    assert units(state)["f5"] == ("Archer", 1)
    round_trips(state)
    take(state, act="move", to="f3")
    assert units(state) == {"f3": ("Eager", 1)}


def test_before_pays_and_settles_first() -> None:
    state = game(card("Spender", attribute="before this attacks, put a coin in this into your discard.")).position(
        position("Spender f4 2, wolf Archer f5 2", "Spender")
    )
    take(state, act="attack")
    assert units(state) == {"f4": ("Spender", 1), "f5": ("Archer", 1)}
    assert state.position()["discard"]["raven"]["up"] == ["Spender", "Spender"]


def test_before_may_be_the_other_players_choice() -> None:
    state = game(card("Dodger", attribute="before a unit attacks this, this may move.")).position(
        position("Cavalry f4, wolf Dodger f5 2", "Cavalry")
    )
    take(state, act="attack")
    assert player(state) == "wolf"
    round_trips(state)
    take(state, act="decline")
    assert units(state)["f5"] == ("Dodger", 1)


def test_a_move_whose_piece_died_before_it_lapses() -> None:
    state = game(card("Martyr", attribute="before this moves, this loses a coin.")).position(
        position("Martyr f4", "Martyr")
    )
    take(state, act="move", to="e4")
    assert units(state) == {}
    assert "left out" in lines(state)


def test_an_attack_whose_agent_died_before_it_lapses() -> None:
    state = game(card("Thorn", attribute="before a unit attacks this, that unit loses a coin.")).position(
        position("Cavalry f4, wolf Thorn f5 2", "Cavalry")
    )
    take(state, act="attack")
    assert units(state) == {"f5": ("Thorn", 2)}


# ---- when


def test_when_needs_no_survivor() -> None:
    state = game().position(position("Swordsman f4, wolf Pikeman f5", "Swordsman"))
    take(state, act="attack")
    assert units(state) == {}
    assert player(state) == "wolf"


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_both_die_at_once(elsewhere: str) -> None:
    state = game().position(position("Swordsman f4, wolf Pikeman f5" + elsewhere, "Swordsman"))
    take(state, act="attack")
    log = lines(state)
    assert log.index("a Swordsman goes from the board to raven's box") < log.index("leaves the board")


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_when_is_carried_out_for_the_owner_of_its_carrier(elsewhere: str) -> None:
    state = game(card("Herald One", attribute="when an adjacent unit attacks this, recruit.")).position(
        position(
            "Cavalry f4, wolf Herald One f5" + elsewhere,
            "Cavalry",
            supply={"raven": ["Cavalry"], "wolf": ["Herald One"]},
        )
    )
    take(state, act="attack")
    assert state.position()["supply"] == {"raven": ["Cavalry"], "wolf": []}


def test_the_event_is_judged_when_it_begins_at_every_stage() -> None:
    for stage in ("before", "when", "after"):
        watcher = card("Watcher", attribute=f"{stage} a unit attacks a bolstered target, you claim the initiative.")
        state = attacked("wolf Archer f5 2, wolf Watcher i1", watcher)
        assert state.position()["initiative"] == "wolf", stage


def test_when_may_be_the_other_players_choice() -> None:
    taker = card("Taker", attribute="when a unit attacks this, you may put a coin in this into your discard.")
    state = attacked("wolf Taker f5 3", taker)
    assert player(state) == "wolf"
    round_trips(state)
    take(state, act="put", coin="Taker")
    assert units(state)["f5"] == ("Taker", 1)


# ---- after


def test_after_needs_its_carrier() -> None:
    state = game().position(position("Swordsman f4, wolf Pikeman f5 2", "Swordsman"))
    take(state, act="attack")
    assert player(state) == "wolf" and units(state) == {"f5": ("Pikeman", 1)}
    victim = card("Victim", attribute="after a unit attacks this, you claim the initiative.")
    for coins, holder in ((1, "raven"), (2, "wolf")):
        state = game(victim).position(position(f"Cavalry f4, wolf Victim f5 {coins}", "Cavalry"))
        take(state, act="attack")
        assert state.position()["initiative"] == holder


def test_after_does_not_need_the_agent() -> None:
    ghost = card(
        "Ghost",
        attribute="""
        when an adjacent unit attacks this, that unit loses a coin.
        after a unit attacks this, you claim the initiative.""",
    )
    state = attacked("wolf Ghost f5 2", ghost)
    assert units(state) == {"f5": ("Ghost", 1)}
    assert state.position()["initiative"] == "wolf"


def test_a_mandatory_hook_that_cannot_be_completed_lapses_as_a_whole() -> None:
    far = card(
        "Far", attribute="after a unit attacks this, you pass, then this attacks a target exactly 2 spaces away."
    )
    state = attacked("wolf Far f5 2", far)
    assert "left out" in lines(state) and "wolf pass" not in lines(state)
    assert units(state)["f5"] == ("Far", 1)


def test_a_hook_on_a_kind_fires_for_the_outermost_event() -> None:
    state = game(card("Scribe", attribute="after this maneuvers, you recruit.", tactic="move.\nmove.")).position(
        position("Scribe f4", "Scribe", supply={"raven": ["Scribe"] * 3})
    )
    tactic = next(option for option in state.decision.options if option.data["act"] == "tactic")
    state.apply(tactic).apply(0)
    assert player(state) == "wolf"
    assert state.position()["supply"]["raven"] == ["Scribe"] * 2


def test_a_maneuver_of_a_hook_is_a_new_one() -> None:
    state = game().position(position("Berserker f4 3", "Berserker"))
    take(state, act="move", to="f5")
    for to in ("f4", "f5"):
        found = [option for option in state.decision.options if option.data.get("to") == to]
        state.apply(found[0])
    assert player(state) == "wolf" and units(state) == {"f5": ("Berserker", 1)}


# ---- the order of hooks

SUPPLY = {"raven": ["Scout"], "wolf": ["Archer"]}


def test_an_order_that_makes_no_difference_is_not_asked_for_and_logged() -> None:
    draws = "after a unit attacks, put a coin in your supply into your hand."
    state = game(card("Left", attribute=draws), card("Right", attribute=draws)).position(
        position("Cavalry f4, wolf Archer f5 3, Left c4, wolf Right i1", "Cavalry", supply=SUPPLY)
    )
    take(state, act="attack")
    assert player(state) == "wolf" and "the order makes no difference" in lines(state)


def test_an_order_that_makes_no_difference_is_not_asked_for_where_pieces_leave() -> None:
    leaves = "after a unit attacks, remove this."
    state = game(card("Left", attribute=leaves), card("Right", attribute=leaves)).position(
        position("Cavalry f4, wolf Archer f5 3, Left c4, wolf Right i1", "Cavalry")
    )
    take(state, act="attack")
    assert set(units(state)) == {"f4", "f5"}
    assert "the order makes no difference" in lines(state)


STRIKE = card("Left", attribute="after a unit attacks, an adjacent unit loses a coin.")
LEAVE = card("Right", attribute="after a unit attacks, remove this.")


def test_an_order_that_makes_a_difference_is_asked_of_the_active_player() -> None:
    state = game(STRIKE, LEAVE).position(position("Cavalry f4, wolf Archer f5 3, Left c4, wolf Right d4", "Cavalry"))
    take(state, act="attack")
    assert player(state) == "raven" and len(state.decision.options) == 2
    round_trips(state)
    boxes = [state.clone().apply(index).position()["box"]["wolf"] for index in range(2)]
    assert sorted(boxes) == [["Archer"], ["Archer", "Right"]]


def test_an_order_is_asked_for_in_words() -> None:
    state = game(STRIKE, LEAVE).position(position("Cavalry f4, wolf Archer f5 3, Left c4, wolf Right d4", "Cavalry"))
    take(state, act="attack")
    assert player(state) == "raven" and len(state.decision.options) == 2
    assert all(option.data["act"] for option in state.decision.options)


def test_hooks_with_choices_of_their_own_are_ordered() -> None:
    moves = "after a unit attacks, that unit moves to an adjacent space."
    state = game(card("Left", attribute=moves), card("Right", attribute=moves)).position(
        position("Cavalry f4, wolf Archer f5 3, Left c4, wolf Right i1", "Cavalry")
    )
    take(state, act="attack")
    # Either raven moves it first or wolf does: two orders, and raven is asked for one.
    assert player(state) == "raven" and len(state.decision.options) == 2
    assert not offered(state, act="move")


def test_an_order_does_not_reveal_the_draw_of_a_hook() -> None:
    draw = card("Left", attribute="after a unit attacks, draw a coin, then put that coin into your hand.")
    moves = card("Right", attribute="after a unit attacks, that unit moves to an adjacent space.")
    state = game(draw, moves).position(
        position("Cavalry f4, wolf Archer f5 3, wolf Left c4, wolf Right i1", "Cavalry", bag={"wolf": ["Archer"]})
    )
    take(state, act="attack")
    assert player(state) == "raven"
    assert not any("Archer" in option.label for option in state.decision.options)


# ---- instead


def test_instead_replaces_and_there_is_no_after() -> None:
    shield = card(
        "Shield",
        attribute="""
        when this would lose a coin, put a coin in your supply into your box instead.
        after this loses a coin, you claim the initiative.""",
    )
    for supply, holder, coins in (({"wolf": ["Shield"]}, "raven", 2), ({}, "wolf", 1)):
        state = attacked("wolf Shield f5 2", shield, supply=supply)
        assert state.position()["initiative"] == holder
        assert units(state)["f5"] == ("Shield", coins)


def test_an_optional_instead_is_a_decision_of_the_other_player() -> None:
    state = game().position(
        position("Swordsman f4, wolf Royal Guard f5", "Swordsman", supply={"wolf": ["Royal Guard"]})
    )
    take(state, act="attack")
    assert player(state) == "wolf"
    assert [one["act"] for one in offered(state)] == ["decline", "put"]
    round_trips(state)
    take(state, act="put", coin="Royal Guard")
    # The attack itself happened: only the loss was replaced.
    assert player(state) == "raven" and offered(state, act="decline")
    assert units(state)["f5"] == ("Royal Guard", 1)


def test_a_hook_is_no_attack() -> None:
    state = game().position(
        position("Royal Guard f4, wolf Pikeman f5 2", "Cavalry, Royal Guard", supply={"raven": ["Royal Guard"]})
    )
    take(state, act="attack", coin="Royal Guard")
    assert units(state) == {"f5": ("Pikeman", 1)}


def test_the_active_player_chooses_among_answers() -> None:
    cards = (
        card("Aa", attribute="when a unit would lose a coin, pass instead."),
        card("Bb", attribute="when this would lose a coin, claim the initiative instead."),
    )
    state = attacked("wolf Bb f5 3, Aa i1", *cards)
    assert player(state) == "raven" and [one["act"] for one in offered(state)] == ["first", "first"]
    assert {one["of"] for one in offered(state)} == {"f5", "i1"}
    round_trips(state)


def test_answers_with_equal_texts_are_distinguished() -> None:
    takes = "when {} would lose a coin, you become the holder of the initiative instead."
    cards = card("Aa", attribute=takes.format("a unit")), card("Bb", attribute=takes.format("this"))
    state = attacked("wolf Bb f5 3, Aa i1", *cards)
    assert player(state) == "raven" and len(state.decision.options) == 2
    holders = {state.clone().apply(index).position()["initiative"] for index in range(2)}
    assert holders == {"raven", "wolf"}


def test_an_offer_to_answer_is_made_to_the_player_who_pays() -> None:
    leech = card(
        "Leech",
        attribute="""
        when an enemy unit would attack this, you may put a coin in your supply into your box instead.""",
    )
    state = attacked("wolf Leech f5", leech, supply={"wolf": ["Leech"]})
    assert player(state) == "wolf"


def test_an_order_and_an_offer_are_asked_for_one_after_the_other() -> None:
    """A player can accept or decline an offer, whenever the active player has it asked."""
    cards = (
        card("Aa", attribute="when a unit would attack a unit, you may pass instead."),
        card("Bb", attribute="when a unit would attack this, this moves to an adjacent space instead."),
    )
    state = attacked("wolf Bb f5 3, wolf Aa i1", *cards)
    assert player(state) == "raven" and {one["of"] for one in offered(state)} == {"f5", "i1"}
    take(state, act="first", of="i1")
    assert player(state) == "wolf" and {one["act"] for one in offered(state)} == {"decline", "pass"}
    round_trips(state)
    take(state, act="decline")
    assert player(state) == "wolf" and {one["act"] for one in offered(state)} == {"move"}


WARDS = """\
words: Wards
source: a test
verbs: {ward: {by: figure}, mirror: {by: figure}}
---
ability: Ward
source: a test
rules: |
  when EVENT, this wards instead.
  to ward: this becomes tired.
---
ability: Mirror
source: a test
rules: |
  when EVENT, this mirrors instead.
  to mirror: this becomes disabled.
"""


@pytest.mark.parametrize("event", ["this would suffer damage from a figure", "a figure would shoot this"])
def test_the_owner_of_the_affected_piece_orders_the_answers_by_default(tmp_path: Path, event: str) -> None:
    """The piece may be the agent of the act that is answered, or its object."""
    (tmp_path / "wards.yaml").write_text(WARDS.replace("EVENT", event), encoding="utf-8")
    sheet = {"class": "Warrior", "attack": 3, "defense": 9, "move": 5, "cost": 10}
    foot = {"name": "Foot", "at": "d4", "owner": "P1", "facing": "n", "abilities": ["Missile (2, range 5)"], **sheet}
    foe = {"name": "Foe", "at": "d6", "owner": "P2", "facing": "s", "abilities": ["Ward", "Mirror"], **sheet}
    state = warchest.load("unigames", extra=[tmp_path]).position(
        {"turn": "P1", "figures": [foot, foe], "chests": {"P1": "a1", "P2": "h8"}}
    )
    take(state, act="shoot", shoot="d6")
    assert player(state) == "P2" and [one["act"] for one in offered(state)] == ["first", "first"]
    take(state, act="first", clause=f"when {event}, this mirrors instead")
    figures = {one["name"]: one for one in state.position()["figures"]}
    assert figures["Foe"]["disabled"] and not figures["Foe"]["acted"]


def test_offers_to_one_player_need_no_order() -> None:
    gives = "when {} would lose a coin, you may pass instead."
    cards = card("Aa", attribute=gives.format("a unit")), card("Bb", attribute=gives.format("this"))
    state = attacked("wolf Bb f5 3, wolf Aa i1", *cards)
    assert player(state) == "wolf" and len(offered(state)) == 3
    round_trips(state)


def test_offers_to_two_players_are_ordered_by_the_active_one() -> None:
    gives = "when {} would lose a coin, you may pass instead."
    cards = card("Aa", attribute=gives.format("a unit")), card("Bb", attribute=gives.format("this"))
    state = attacked("wolf Bb f5 3, Aa i1", *cards)
    assert player(state) == "raven" and {one["of"] for one in offered(state)} == {"f5", "i1"}
    take(state, act="first", of="i1")
    assert player(state) == "raven" and len(offered(state)) == 2
    round_trips(state)
    take(state, act="decline")
    assert player(state) == "wolf" and len(offered(state)) == 2
    take(state, act="decline")
    assert units(state)["f5"] == ("Bb", 2)


def test_a_clause_answers_once_for_an_event_and_its_replacements() -> None:
    # Language study, S12.
    state = game(card("Loop", attribute="when this would lose a coin, this loses a coin instead.")).position(
        position("Cavalry f4, wolf Loop f5 2", "Cavalry")
    )
    take(state, act="attack")
    assert units(state)["f5"] == ("Loop", 1)


def test_an_answer_that_cannot_be_given_leaves_the_event_and_is_logged() -> None:
    shield = card(
        "Shield", attribute="when this would lose a coin, this attacks a target exactly 3 spaces away instead."
    )
    state = attacked("wolf Shield f5 2", shield)
    assert units(state)["f5"] == ("Shield", 1)
    assert "left out" in lines(state)


# ---- what follows at once


def test_a_win_ends_everything() -> None:
    proud = card("Proud", attribute="after this controls, the initiative becomes stale.")
    held = ["e2", "h1", "d4", "g3", "i2"]
    state = game(proud).position(position("Proud e5", "Proud", control={"raven": held}))
    take(state, act="control")
    assert state.outcome is not None and state.outcome.winners == ("raven",)
    assert state.decision is None and state.position()["initiative_moved"] is False


def test_no_rule_is_checked_between_two_losses_of_one_step() -> None:
    bane = card(
        "Bane", attribute="when a unit attacks this, that unit loses a coin, then that unit loses a coin if able."
    )
    state = attacked("wolf Bane f5 2", bane)
    assert units(state) == {"f5": ("Bane", 1)}


def test_an_order_that_decides_who_still_answers_is_asked_for() -> None:
    strikes = card(
        "Left", attribute="after a unit attacks, choose an adjacent unit, then that adjacent unit loses a coin."
    )
    claims = card("Right", attribute="after a unit attacks, claim the initiative.")
    state = game(strikes, claims).position(position("Cavalry f4, wolf Archer f5 3, Left c4, wolf Right d4", "Cavalry"))
    take(state, act="attack")
    assert player(state) == "raven" and len(state.decision.options) == 2
    holders = {state.clone().apply(index).position()["initiative"] for index in range(2)}
    assert holders == {"raven", "wolf"}


def test_a_waiting_hook_whose_carrier_has_gone_lapses_and_is_logged() -> None:
    leaves = card("Left", attribute="after a unit attacks, the initiative becomes stale, then remove this.")
    killer = card("Right", attribute="after a unit attacks, choose an adjacent unit, then remove that adjacent unit.")
    state = game(killer, leaves).position(
        position("Cavalry f4, wolf Archer f5 3, wolf Left d4, Right c4", "Cavalry, Royal Coin")
    )
    take(state, act="attack")
    for index in range(len(state.decision.options)):
        there = state.clone().apply(index)
        if not there.position()["initiative_moved"]:
            assert "left out" in lines(there)
            return
    pytest.fail("the order was not asked for")


# ---- hooks that say the same


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("after this attacks, you may draw a coin, then put that coin into your hand.", "draw"),
        ("before this attacks, you may draw a coin, then put that coin into your hand.", "draw"),
    ],
)
def test_hooks_of_the_same_words_are_one_choice(text: str, act: str) -> None:
    state = game(card("Twin", attribute=f"{text}\n{text}", restriction=text)).position(
        position("Twin f4, wolf Scout f5 2", "Twin", bag={"raven": ["Twin", "Twin", "Twin"]})
    )
    take(state, act="attack")
    for _ in range(3):
        assert state.decision is not None
        labels = [option.label for option in state.decision.options]
        assert len(set(labels)) == len(labels) and "first" not in {one.data["act"] for one in state.decision.options}
        round_trips(state)
        take(state, act=act)
    assert state.position()["hand"]["raven"] == ["Twin", "Twin", "Twin"]


def test_answers_of_the_same_words_are_one_choice() -> None:
    text = "when this would lose a coin against an attack, you may put a coin in your supply into your box instead."
    state = game(card("Twin", attribute=f"{text}\n{text}")).position(
        position("Cavalry f4, wolf Twin f5", "Cavalry", supply={"wolf": ["Twin"]})
    )
    take(state, act="attack")
    assert state.decision is not None and len(state.decision.options) == 2
    labels = [option.label for option in state.decision.options]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("stage", ["before", "when", "after"])
def test_a_hook_that_has_nothing_to_draw_from_lapses(stage: str) -> None:
    drawer = card("Drawer", attribute=f"{stage} a player passes, draw a coin, then put that coin into your hand.")
    state = game(drawer).position(position("Scout f4, wolf Drawer i1"))
    take(state, act="pass")
    assert "left out" in lines(state)


def test_a_piece_that_an_act_removes_falls_as_one_that_a_card_removes() -> None:
    words = "words: Banishment\nverbs: {banish: {by: unit}}\n"
    banish = card("Banish", kind="action", rules="to banish a unit: remove the unit.")
    exile = card("Exile", tactic="choose an adjacent enemy unit, then banish that unit.")
    mourner = card("Mourner", attribute="after an enemy unit falls, you become the holder of the initiative.")
    there = position("Exile f4, Mourner i1, wolf Scout f5", "Exile") | {"initiative": "wolf"}
    state = take(game(words, banish, exile, mourner).position(there), act="tactic")
    assert "f5" not in units(state) and state.position()["initiative"] == "raven"


def test_a_piece_that_has_gone_is_named_by_the_space_that_it_left() -> None:
    text = "choose an adjacent enemy unit. attack that unit. displace that unit to an adjacent space."
    ward = card("Ward", attribute="when an enemy unit would attack this, you may remove this instead.")
    state = game(card("Ra", tactic=text), ward).position(position("Ra f4 2, wolf Ward f5 2", "Ra", "Ward"))
    take(state, act="tactic")
    assert player(state) == "wolf"
    for option in offered(state):
        assert option.get("unit") in (None, "f5")
        further = take(state.clone(), **option).decision
        assert further is not None and all(one.label for one in further.options)
