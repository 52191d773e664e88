"""Whom `another` leaves out, from where distances count, and whose side words are said from."""

from __future__ import annotations

from pathlib import Path

import pytest

from linted import lint_text
from machine.machine_support import card, game, offered, player, position, take, units

ANOTHER = "another friendly unit"


# ---- whom `another` leaves out


@pytest.mark.parametrize(
    ("attribute", "at", "answers"),
    [
        (f"after an enemy unit attacks {ANOTHER}, this may move.", "f4", False),
        (f"after an enemy unit attacks {ANOTHER}, this may move.", "e4", True),
        (f"after {ANOTHER} is attacked, this may move.", "f4", False),
        (f"after {ANOTHER} is attacked, this may move.", "e4", True),
        (f"after an enemy unit attacks a unit adjacent to {ANOTHER}, this may move.", "f4", True),
        (f"after an enemy unit attacks a unit adjacent to {ANOTHER}, this may move.", "e4", False),
        (f"after an enemy unit attacks a unit, if {ANOTHER} is bolstered, this may move.", "f4", False),
    ],
)
def test_another_leaves_out_the_card_itself_in_an_event(attribute: str, at: str, answers: bool) -> None:
    units = "Probe f4 3, Scout e4 2, wolf Cavalry e5" if "if" not in attribute else "Probe f4 3, wolf Cavalry e5"
    state = game(card("Probe", attribute=attribute)).position(position(units, "Royal Coin", "Cavalry", to_act="wolf"))
    take(state, act="attack", target=at)
    assert bool(offered(state, act="decline")) == answers


@pytest.mark.parametrize(
    ("restriction", "targets"),
    [
        (f"a unit cannot attack {ANOTHER}.", {"f4"}),
        (f"an enemy unit cannot attack a unit adjacent to {ANOTHER}.", {"e4"}),
        (f"a unit cannot attack while {ANOTHER} is bolstered.", set()),
        (f"{ANOTHER} cannot attack.", {"f4", "e4"}),
    ],
)
def test_another_leaves_out_the_card_itself_in_a_prohibition(restriction: str, targets: set[str]) -> None:
    state = game(card("Probe", restriction=restriction)).position(
        position("Probe f4, Scout e4 2, wolf Cavalry e5", "Royal Coin", "Cavalry", to_act="wolf")
    )
    assert {one["target"] for one in offered(state, act="attack")} == targets


def test_another_leaves_out_the_card_itself_in_a_permission() -> None:
    probe = card("Probe", attribute=f"a friendly unit may attack a target adjacent to {ANOTHER}.")
    state = game(probe).position(position("Probe f4, Scout c4, wolf Cavalry d4, wolf Archer f5", "Scout"))
    assert {one["target"] for one in offered(state, act="attack")} == {"d4"}


def test_another_excludes_a_piece_that_is_ordered_to_act() -> None:
    state = game(card("Lord", tactic="choose another unit. that unit attacks another unit.")).position(
        position("Lord f4, Scout e4, wolf Archer e5", "Lord")
    )
    assert {one["target"] for one in offered(state, act="tactic", chosen="e4")} == {"e5"}
    swapping = card("Lord", tactic="choose another unit. that unit swaps places with another unit.")
    state = game(swapping).position(position("Lord f4, Scout e4, wolf Archer e5", "Lord"))
    found = offered(state, act="tactic", chosen="e4")
    assert found and all("e4" not in str({**one, "chosen": "", "unit": ""}) for one in found)


@pytest.mark.parametrize(
    "text", [f"after an enemy unit attacks {ANOTHER}, this may move.", f"a unit cannot attack {ANOTHER}."]
)
def test_no_word_is_idle_where_another_leaves_out_the_card(text: str, tmp_path: Path) -> None:
    assert not lint_text(tmp_path, card("Probe", attribute=text))


# ---- from where distances count


@pytest.mark.parametrize(
    ("event", "at", "answers"),
    [
        ("before an adjacent unit is attacked", "e4", True),
        ("before an adjacent unit is attacked", "c4", False),
        ("before a unit within 2 spaces of this is attacked", "e4", True),
        ("before an own unit exactly 3 spaces away is attacked", "c4", True),
        ("before an own unit exactly 3 spaces away is attacked", "e4", False),
    ],
)
def test_a_distance_without_an_agent_is_measured_from_the_card(event: str, at: str, answers: bool) -> None:
    probe = card("Probe", attribute=f"{event}, this may move.")
    state = game(probe).position(
        position("Probe f4, Scout e4 2, Archer c4 2, wolf Cavalry d4", "Royal Coin", "Cavalry", to_act="wolf")
    )
    take(state, act="attack", target=at)
    assert bool(offered(state, act="decline")) == answers


# ---- from whose side words are said

ENEMY = "choose an enemy unit within 2 spaces of this."
AROUND = "Probe f4, wolf Swordsman f5, wolf Cavalry f6, Scout g4"


def targets(tactic: str, chosen: str = "f5", units: str = AROUND) -> set[str]:
    """Return the targets of the unit that the tactic has attack."""
    state = game(card("Probe", tactic=tactic)).position(position(units, "Probe"))
    return {one["target"] for one in offered(state, act="tactic", chosen=chosen)}


@pytest.mark.parametrize(
    "attack", ["", " an adjacent target", " a target exactly 1 space away", " a target adjacent to it"]
)
def test_a_unit_ordered_to_attack_chooses_among_its_own_targets(attack: str) -> None:
    assert targets(f"{ENEMY} that unit attacks{attack}.") == {"f4", "g4"}


def test_an_offer_to_another_unit_is_read_from_its_side() -> None:
    probe = card("Probe", attribute="after an enemy unit moves, that unit may attack an adjacent target.")
    state = game(probe).position(position(AROUND, "Royal Coin", "Cavalry", to_act="wolf"))
    take(state, act="move", to="g5")
    assert {one["target"] for one in offered(state, act="attack")} == {"g4"}


@pytest.mark.parametrize("word", ["enemy", "friendly", "own"])
def test_a_word_that_could_be_said_from_two_sides_has_advice_for_both(word: str, tmp_path: Path) -> None:
    text = f"choose an enemy unit. that unit attacks an adjacent {word} unit."
    (found,) = lint_text(tmp_path, card("Probe", tactic=text))
    assert found.name == "ambiguous-it" and found.span is not None and found.span.text == word
    phrase, rest = found.help.removeprefix("say which: ").split(", or ")
    whole = phrase.strip("`")
    other = whole[: whole.index("whose")] + rest.strip("`").removeprefix("… ")
    for said in (whole, other):
        assert not lint_text(tmp_path, card("Probe", tactic=f"choose an enemy unit. that unit attacks {said}."))
    mine = {"f4"} if word != "enemy" else {"f6"}
    assert targets(f"{ENEMY} that unit attacks {whole}.", units="Probe f4, wolf Swordsman f5, wolf Cavalry f6") == mine
    theirs = {"f4", "f6"} - mine
    assert (
        targets(f"{ENEMY} that unit attacks {other}.", units="Probe f4, wolf Swordsman f5, wolf Cavalry f6") == theirs
    )


@pytest.mark.parametrize(
    "text",
    [
        "choose a unit. that unit moves to a space adjacent to a friendly unit.",
        "choose a unit. that unit attacks a unit that is not friendly.",
        "for each unit in any order, it attacks an adjacent enemy unit.",
        "an enemy unit attacks any friendly unit.",
        "choose an opponent. that player chooses an own unit.",
        "choose an opponent. that player redeploys any friendly unit.",
    ],
)
def test_ambiguous_words_about_the_act_of_another_are_a_finding(text: str, tmp_path: Path) -> None:
    assert [one.name for one in lint_text(tmp_path, card("Probe", tactic=text))] == ["ambiguous-it"]


@pytest.mark.parametrize(
    "text",
    [
        "choose another friendly unit. that unit attacks an adjacent enemy unit.",
        "choose one of your units. that unit moves to a space adjacent to an own unit.",
        "choose a unit whose owner is you. that unit attacks an adjacent enemy unit.",
        "for each own unit in any order, it attacks an adjacent enemy unit.",
        "a friendly unit attacks an enemy unit adjacent to this.",
    ],
)
def test_words_are_no_finding_where_both_sides_are_one(text: str, tmp_path: Path) -> None:
    assert not lint_text(tmp_path, card("Probe", tactic=text))


@pytest.mark.parametrize(
    ("restriction", "targets"),
    [
        ("a unit cannot attack a target adjacent to this.", {"f4"}),
        ("an enemy unit cannot attack a target adjacent to this.", {"f4"}),
        ("a unit cannot attack an enemy unit adjacent to this.", {"f4", "g4"}),
    ],
)
def test_the_noun_of_a_verb_is_read_from_the_side_of_the_agent(restriction: str, targets: set[str]) -> None:
    state = game(card("Probe", restriction=restriction)).position(
        position("Probe f4, Scout g4, wolf Cavalry f5", "Royal Coin", "Cavalry", to_act="wolf")
    )
    assert {one["target"] for one in offered(state, act="attack")} == targets


def test_a_permission_for_both_players_is_read_from_the_side_of_each(tmp_path: Path) -> None:
    probe = card("Probe", attribute="a unit may attack a target exactly 2 spaces away.")
    for who, unit, target in (("raven", "Scout", "f6"), ("wolf", "Cavalry", "f4")):
        state = game(probe).position(position("Scout f4, Probe c4, wolf Cavalry f6", "Scout", "Cavalry", to_act=who))
        assert {one["target"] for one in offered(state, act="attack", coin=unit)} == {target}
    text = "a unit may move to a space adjacent to a friendly unit."
    assert [one.name for one in lint_text(tmp_path, card("Probe", attribute=text))] == ["ambiguous-it"]


# ---- who decides what others do

MINE = "a unit whose owner is that player"


@pytest.mark.parametrize(
    "said", [f"it may choose {MINE}, then", f"it chooses {MINE}, then", f"that player may choose {MINE}, then"]
)
def test_each_player_chooses_the_destination_of_its_chosen_unit(said: str) -> None:
    courtesy = card("Courtesy", kind="decree", effect=f"for each player in turn order, {said} that unit moves.")
    there = position("Scout f4, wolf Cavalry f6", "Royal Coin", "Cavalry", decrees=[{"name": "Courtesy"}])
    state = game(courtesy).position(there)
    take(state, act="proclaim")
    take(state, to="e4")
    assert player(state) == "wolf" and len([one for one in offered(state) if "to" in one]) == 6


@pytest.mark.parametrize(("text", "decides"), [("moves", "raven"), ("may move", "wolf")])
def test_you_choose_the_destination_of_a_unit_that_you_order(text: str, decides: str) -> None:
    state = game(card("Lord", tactic=f"choose an enemy unit. that unit {text}.")).position(
        position("Lord f4, wolf Cavalry f6", "Lord", "Cavalry")
    )
    found = offered(state, act="tactic")
    assert len(found) == (6 if decides == "raven" else 1)
    if decides == "wolf":
        take(state, act="tactic")
        assert player(state) == "wolf" and len(offered(state, act="move")) == 6


@pytest.mark.parametrize("who", ["an opponent", "each opponent", "a random opponent"])
def test_a_player_who_is_ordered_to_act_decides_about_the_act(who: str) -> None:
    state = game(card("Lord", tactic=f"{who} discards a coin in its hand.")).position(
        position("Lord f4, wolf Cavalry f6", "Lord", "Cavalry, Archer")
    )
    take(state, act="tactic")
    assert player(state) == "wolf" and {one["coin"] for one in offered(state)} == {"Cavalry", "Archer"}


def test_you_may_choose_within_an_offer_to_another_player(tmp_path: Path) -> None:
    offer = "that player may discard a coin in its hand, then you choose a space, then put this onto that space."
    assert not lint_text(tmp_path, card("Lord", tactic=f"choose an opponent. {offer}"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("you cannot displace this.", ["never-so"]),
        ("you cannot displace this to a location.", ["never-so"]),
        ("a player cannot displace this.", []),
        ("you cannot bolster this.", []),
        ("you cannot redeploy this.", []),
    ],
)
def test_you_on_a_card_is_its_owner_alone(text: str, found: list[str], tmp_path: Path) -> None:
    assert [one.name for one in lint_text(tmp_path, card("Probe", restriction=text))] == found


# ---- offers without a choice, numbers of things, and the agents of acts


@pytest.mark.parametrize(
    ("offer", "left"),
    [
        ("you may remove this", {}),
        ("you may swap this for a Knight", {"f5": ("Knight", 2)}),
        ("you may put all coins in this into your box", {}),
        ("this may put a coin in this into your box", {"f5": ("Probe", 1)}),
    ],
)
def test_a_change_can_be_offered(offer: str, left: dict[str, tuple[str, int]]) -> None:
    probe = card("Probe", attribute=f"after this moves, {offer}.")
    for act in ("decline", "choose"):
        state = game(probe).position(position("Probe f4 2", "Probe, Royal Coin"))
        take(state, act="move", to="f5")
        taken = [one for one in offered(state) if (one["act"] == "decline") == (act == "decline")]
        take(state, **taken[0])
        assert units(state) == (left if act == "choose" else {"f5": ("Probe", 2)})


def test_a_change_offered_to_another_player_is_its_own_choice() -> None:
    probe = card("Probe", attribute="after an enemy unit moves, that unit may remove this.")
    state = game(probe).position(position("Probe f4, wolf Cavalry f6", "Royal Coin", "Cavalry", to_act="wolf"))
    take(state, act="move", to="g5")
    assert player(state) == "wolf"
    take(state, act="choose")
    assert units(state) == {"g5": ("Cavalry", 1)}


@pytest.mark.parametrize(
    ("condition", "moves"),
    [
        ("at least 2 friendly units are adjacent to this", True),
        ("two of your units are adjacent to this", True),
        ("3 friendly units are adjacent to this", False),
        ("more than 2 of your units are adjacent to this", False),
        ("at most 2 friendly units are adjacent to this", True),
        ("at least 2 units are enemy units", False),
    ],
)
def test_conditions_count_units(condition: str, moves: bool) -> None:
    probe = card("Probe", tactic=f"if {condition}, move.")
    state = game(probe).position(position("Probe f4, Scout f5, Archer e4, wolf Cavalry g4", "Probe"))
    assert bool([one for one in offered(state, act="tactic") if "to" in one]) == moves


@pytest.mark.parametrize(("by", "at", "answers"), [("this", "f4", True), ("this", "e5", False), ("a", "e5", True)])
def test_the_attacker_can_be_named_after_the_attack(by: str, at: str, answers: bool) -> None:
    cause = "against an attack" + (" by this" if by == "this" else "")
    probe = card("Probe", attribute=f"when an enemy unit would lose a coin {cause}, this may move instead.")
    hand = "Probe" if at == "f4" else "Scout"
    state = game(probe).position(position("Probe f4, Scout e5, wolf Cavalry f5 2", hand, bag={"raven": ["Probe"]}))
    take(state, act="attack", unit=at)
    assert bool(state.decision is not None and offered(state, act="decline")) == answers


@pytest.mark.parametrize(
    ("text", "says", "followed"),
    [
        (
            "choose an enemy unit. if that unit is in line of sight, move.",
            "`within 3 spaces in line of sight`",
            "choose an enemy unit. if that unit is within 3 spaces in line of sight, move.",
        ),
        (
            "choose an enemy unit. if that unit is behind this, move.",
            "`if that … is in the opposite of …`",
            "choose a direction. choose an enemy unit. if that unit is in the opposite of that direction, move.",
        ),
    ],
)
def test_advice_for_wrong_conditions_is_accepted(text: str, says: str, followed: str, tmp_path: Path) -> None:
    (found,) = lint_text(tmp_path, card("Probe", tactic=text))
    assert says in found.help
    assert not lint_text(tmp_path, card("Probe", tactic=followed))
