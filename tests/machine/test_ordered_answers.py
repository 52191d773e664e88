"""Looking ahead decides the options, never the effects: ordered answers are carried out, others are asked."""

from __future__ import annotations

import pytest
from machine_support import card, game, lines, offered, player, position, round_trips, take, units

RA = card("Ra", tactic="attack.\nmove.")
HEMMED = "Ra c7, Scout d7, wolf Archer c6 2"
"""Ra has one space to go to, d6, and one unit to attack."""
FILLS = "choose an empty space adjacent to that unit, then put this onto that space"


def filler(words: str) -> str:
    """Return a card that fills the only space that is left beside the attacker."""
    return card("Filler", attribute=words)


@pytest.mark.parametrize("words", [f"after an enemy unit attacks, {FILLS}.", f"before an enemy unit attacks, {FILLS}."])
def test_an_ordered_answer_takes_the_option_off_the_offer_that_it_would_strand(words: str) -> None:
    there = position(f"{HEMMED}, wolf Filler g4", "Ra, Royal Coin")
    state = game(RA, filler(words)).position(there)
    assert not offered(state, act="tactic")
    # By itself an attack is answered.
    take(state, act="attack", coin="Ra")
    assert "d6" in units(state)


def test_an_offer_to_another_player_is_made_whatever_it_strands() -> None:
    there = position(f"{HEMMED}, wolf Filler g4", "Ra, Royal Coin")
    state = game(RA, filler(f"after an enemy unit attacks, you may {FILLS}.")).position(there)
    take(state, act="tactic")
    assert player(state) == "wolf"
    assert len(offered(state)) == 2 and offered(state, act="decline")
    round_trips(state)
    refused = take(state.clone(), act="decline")
    assert units(refused)["d6"] == ("Ra", 1)
    state.apply(next(one for one in state.decision.options if one.data.get("act") != "decline"))
    assert units(state)["d6"] == ("Filler", 1) and units(state)["c7"] == ("Ra", 1)
    assert player(state) == "wolf"
    assert "left out" in lines(state)


def test_a_unit_without_coins_is_no_target_for_an_order() -> None:
    words = "when this attacks an enemy unit adjacent to this, this attacks that unit."
    state = game(card("Fury", attribute=words)).position(position("Fury f4, wolf Scout f5 3", "Fury"))
    take(state, act="attack", target="f5")
    assert units(state) == {"f4": ("Fury", 1)} and state.position()["box"]["wolf"] == ["Scout"] * 3


YIELDS = "when an enemy unit would attack this, {} may move instead."


@pytest.mark.parametrize(("who", "asked"), [("that unit", "raven"), ("this", "wolf")])
def test_a_replacement_is_offered_to_the_owner_of_its_agent(who: str, asked: str) -> None:
    there = position("Archer f4 2, Knight f3, wolf Ward f5 2", "Knight, Archer", "Ward")
    there["units"][1]["at"] = "g4"
    state = game(card("Ward", attribute=YIELDS.format(who))).position(there)
    take(state, act="attack", unit="g4", target="f5")
    assert player(state) == asked and offered(state, act="decline")
    assert {one["unit"] for one in offered(state, act="move")} == {"g4" if asked == "raven" else "f5"}
    round_trips(state)


REPLACED = (
    "when you would claim the initiative, you may recruit instead.",
    "when you would claim the initiative, recruit instead.",
    "when a player would pass, you may recruit instead.",
)


@pytest.mark.parametrize("words", REPLACED)
def test_a_replacement_that_would_read_like_an_act_names_the_replaced_act(words: str) -> None:
    there = position("Envoy f4, wolf Scout f6", "Archer, Royal Coin") | {"initiative": "wolf"}
    state = game(card("Envoy", attribute=words)).position(there | {"supply": {"raven": ["Archer", "Envoy"]}})
    told = [option.id for option in state.decision.options]
    assert len(set(told)) == len(told) and len({option.label for option in state.decision.options}) == len(told)
    replaced = "claim" if "claim" in words else "pass"
    twice = offered(state, act="recruit", coin="Archer", recruit="Archer")
    assert [one.get("instead of") for one in twice].count(None) == 1
    assert {one.get("instead of") for one in twice} == {None, replaced}
    round_trips(state)


@pytest.mark.parametrize(
    "words",
    [
        "before an enemy unit maneuvers, that unit loses a coin.",
        "when an enemy unit would maneuver, this may move instead.",
        "when an enemy unit would use its tactic, this moves instead.",
    ],
)
def test_an_impossible_act_is_not_offered_for_its_answers(words: str) -> None:
    there = position("Swordsman f4, wolf Ward f6", "Swordsman", "Ward")
    state = game(card("Ward", attribute=words)).position(there)
    assert offered(state, act="move") and not offered(state, act="tactic")
    reasons = [one["reason"] for one in state.why_not({"act": "tactic"})]
    assert reasons == ["Swordsman on f4 has no tactic"]


def test_an_act_in_progress_does_not_depend_on_later_offers() -> None:
    leaver = card("Leaver", attribute="after you recruit, this may move.")
    legate = card("Legate", tactic="recruit.\nmove.")
    there = position("Legate c7, Leaver d6, Scout d7, Archer c6", "Legate", supply={"raven": ["Scout"]})
    state = game(legate, leaver).position(there)
    assert not offered(state, act="tactic")
    assert offered(state, act="recruit")


@pytest.mark.parametrize("what", ["a coin", "all coins"])
def test_a_zone_of_a_missing_owner_lapses(what: str) -> None:
    text = f"choose a fort within 2 spaces of this, then put {what} in your hand into the supply of its owner."
    there = position("Ra f4", "Ra, Scout, Royal Coin")
    there |= {"forts": ["e5"], "fort_supply": 3}
    state = game(card("Ra", tactic=text)).position(there)
    before = state.position()
    assert not before["supply"]["raven"] and not before["supply"]["wolf"]
    state.apply(next(one for one in state.decision.options if one.data["act"] == "tactic"))
    after = state.position()
    assert (after["supply"], after["box"]) == (before["supply"], before["box"])
    assert after["hand"]["raven"] == ["Royal Coin", "Scout"] and "left out" in lines(state)
