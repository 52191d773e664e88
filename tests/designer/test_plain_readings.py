"""Small cards as designers write them: each plays as a careful reader takes it, or is refused with advice that does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import warchest
from lint.lint_support import lint_text
from machine.machine_support import card, game, offered, player, position, take, units

SHOOTER = {"tactic": "attack a target exactly 2 spaces away.\nfor each unit adjacent to that target, it loses a coin."}


def begun(*documents: str, where: str, hand: str = "Probe", other: str = "Royal Coin", **more: Any) -> warchest.State:
    """Return a state of War Chest with further documents; `to_act` says whose turn it is."""
    return game(*documents).position(position(where, hand, other, **more))


def probe(text: str) -> str:
    """Return a unit with an attribute."""
    return card("Probe", attribute=text)


# ---- cards that play as they say


@pytest.mark.parametrize(
    ("text", "coins", "answers"),
    [
        ("after this attacks an enemy unit, this may move.", 1, True),
        ("after this attacks an enemy unit, this may move.", 2, True),
        ("after this attacks a bolstered unit, this may move.", 1, False),
        ("after this attacks a bolstered unit, this may move.", 2, True),
        ("after this attacks an unbolstered unit, this may move.", 1, True),
        ("after this attacks an unbolstered unit, this may move.", 2, False),
    ],
)
def test_an_attack_is_answered_by_its_target(text: str, coins: int, answers: bool) -> None:
    state = begun(probe(text), where=f"Probe g3, wolf Archer g4 {coins}")
    take(state, act="attack")
    assert bool(offered(state, act="decline")) == answers


def test_a_unit_that_falls_by_its_own_step_gets_no_offer() -> None:
    text = "after one of your units is attacked, this loses a coin, then this may move."
    state = begun(probe(text), where="wolf Probe g3 2, Archer f4, Cavalry g4", hand="Cavalry")
    take(state, act="attack", target="g3")
    assert "g3" not in units(state) and not offered(state, act="decline")


@pytest.mark.parametrize(
    ("text", "target", "answers"),
    [
        ("after an enemy unit attacks a friendly unit adjacent to this, this may attack that enemy unit.", "e5", True),
        ("after an enemy unit attacks a friendly unit adjacent to this, this may attack that enemy unit.", "f4", False),
        ("after an enemy unit attacks another friendly unit, this may attack that enemy unit.", "e5", True),
        ("after an enemy unit attacks another friendly unit, this may attack that enemy unit.", "f4", False),
    ],
)
def test_a_friend_is_avenged_and_the_card_itself_is_no_friend(text: str, target: str, answers: bool) -> None:
    state = begun(
        probe(text), where="Probe f4 2, Scout e5, wolf Cavalry f5", hand="Royal Coin", other="Cavalry", to_act="wolf"
    )
    take(state, act="attack", target=target)
    assert bool(offered(state, act="decline")) == answers


def test_another_friendly_unit_is_not_the_card_itself() -> None:
    state = begun(
        probe("a unit cannot attack another friendly unit."),
        where="Probe f4, Scout e5, wolf Cavalry f5",
        hand="Royal Coin",
        other="Cavalry",
        to_act="wolf",
    )
    assert {one["target"] for one in offered(state, act="attack")} == {"f4"}


def test_a_blast_reaches_the_neighbours_of_the_fallen() -> None:
    state = begun(card("Probe", **SHOOTER), where="Probe f3, wolf Archer f5, wolf Cavalry f6 2, Scout e6 2")
    take(state, act="tactic")
    assert units(state) == {"f3": ("Probe", 1), "f6": ("Cavalry", 1), "e6": ("Scout", 1)}


@pytest.mark.parametrize("order", ["that unit attacks.", "that unit attacks an adjacent target."])
def test_the_target_of_another_unit_is_an_enemy_of_that_unit(order: str) -> None:
    text = f"choose an enemy unit within 2 spaces of this.\n{order}"
    state = begun(card("Probe", tactic=text), where="Probe f4, wolf Swordsman f5, wolf Cavalry f6, Scout g4")
    assert {one["target"] for one in offered(state, act="tactic", chosen="f5")} == {"f4", "g4"}


def test_each_player_moves_a_unit_of_its_own() -> None:
    text = "for each player in turn order, it may choose a unit whose owner is that player, then that unit moves."
    state = begun(
        card("Grace", kind="decree", effect=text),
        where="Scout f4, wolf Cavalry f6",
        hand="Royal Coin",
        other="Cavalry",
        decrees=[{"name": "Grace"}],
    )
    take(state, act="proclaim")
    take(state, act="move", unit="f4", to="e4")
    # The unit and where it goes are one option.
    assert player(state) == "wolf" and offered(state, act="move", unit="f6", to="f5")


# ---- cards that are refused, and the advice that they get


def refused(folder: Path, *documents: str) -> dict[str, str]:
    """Return the names of the findings in some documents, with their help."""
    return {one.name: one.help for one in lint_text(folder, "---\n".join(documents))}


@pytest.mark.parametrize("friends", [0, 1])
def test_a_step_after_a_loop_is_done_once(tmp_path: Path, friends: int) -> None:
    wrong = "for each unit adjacent to this, it loses a coin, then put all coins in this into your box."
    help = refused(tmp_path, card("Probe", tactic=wrong))["unclear-reach"]
    assert "say `…; put all coins in this into your box` to do it once" in help
    right = wrong.replace(", then put", "; put")
    assert not refused(tmp_path, card("Probe", tactic=right))
    state = begun(card("Probe", tactic=right), where="Probe f4, wolf Archer f7" + ", Scout f5 2" * friends)
    take(state, act="tactic")
    assert units(state) == {"f7": ("Archer", 1)} | ({"f5": ("Scout", 1)} if friends else {})


def test_a_prohibition_of_acts_against_ones_own_card_gets_advice(tmp_path: Path) -> None:
    help = refused(tmp_path, card("Probe", restriction="you cannot displace this."))["never-so"]
    assert "`a player cannot displace this`" in help
    right = card("Probe", restriction="a player cannot displace this.")
    assert not refused(tmp_path, right)
    state = begun(right, where="Probe f4, wolf Bannerman f6", hand="Royal Coin", other="Bannerman", to_act="wolf")
    take(state, act="move", to="f5")
    assert not offered(state, act="displace")


def test_a_number_that_the_rules_watch(tmp_path: Path) -> None:
    help = refused(tmp_path, probe("the height of this is 2."))["watched-number"]
    assert "say what this counts as, `this is …`" in help
    assert not refused(tmp_path, probe("this is bolstered."))
    state = begun(
        probe("this is bolstered."), where="Probe f4, wolf Knight e5, wolf Cavalry g3", other="Cavalry", hand="Probe"
    )
    assert offered(state, act="attack", target="e5")  # only a bolstered unit attacks a Knight
    state = begun(probe("this is bolstered."), where="Probe f4, wolf Cavalry g3", other="Cavalry", to_act="wolf")
    take(state, act="attack")
    assert units(state) == {"g3": ("Cavalry", 1)}


def test_an_attack_in_answer_to_itself(tmp_path: Path) -> None:
    assert (
        "`after this attacks, this may attack`"
        in refused(tmp_path, probe("when this attacks, this may attack."))["again-and-again"]
    )
    right = probe("after this attacks, this may attack.")
    assert not refused(tmp_path, right)
    state = begun(right, where="Probe f4, wolf Cavalry f5, wolf Scout e5")
    take(state, act="attack", target="f5")
    # A unit that fell by the first attack is no target of the second.
    assert {one["target"] for one in offered(state, act="attack")} == {"e5"}
    take(state, act="attack", target="e5")
    assert units(state) == {"f4": ("Probe", 1)} and not offered(state, act="attack")


def test_a_definition_on_a_card_serves_its_owner_only(tmp_path: Path) -> None:
    words = "words: Bets\nzones: {wager: {of: player, holds: coin, seen by: owner}}\nverbs: {bet: {by: player}}\n"
    tactic, how = "choose an opponent.\nbet.\nthat player bets.", "to bet: put a coin in your hand into your wager."
    help = refused(tmp_path, words, card("Probe", tactic=tactic, attribute=how))["never-so"]
    assert "`to bet: …` among the `rules:` of a document that begins `action: …`" in help
    right = words, card("Probe", tactic=tactic), card("Bets", kind="action", rules=how)
    assert not refused(tmp_path, *right)
    state = begun(*right, where="Probe f4, wolf Cavalry f6", hand="Probe, Royal Coin", other="Cavalry")
    assert offered(state, act="tactic")


def test_a_unit_that_becomes_another(tmp_path: Path) -> None:
    promoted = probe("after this moves to a location, swap this for a Knight.")
    assert "whose nature is its type" in refused(tmp_path, promoted)["left-idle"]
    right = (
        "words: Promotions\nadjectives: [changed]\n",
        promoted,
        card(
            "Promotion",
            kind="action",
            rules=(
                "a unit is changed when its type is not its nature.\n"
                "to use a coin: discard the coin faceup, then an own changed unit whose nature is its type maneuvers."
            ),
        ),
    )
    assert not refused(tmp_path, *right)
    where = position("", "Probe", armies={"raven": ["Probe"]})
    where["units"] = [{"at": "e5", "unit": "Knight", "nature": "Probe", "owner": "raven", "coins": 2}]
    assert offered(game(*right).position(where), act="move")
    # A unit that is not swapped is offered nothing twice.
    state = begun(*right, where="Probe f4")
    assert len(offered(state, act="move", to="f5")) == 1
