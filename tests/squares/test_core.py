"""The core of the second game: turns, moves with their way back, melee, windows, bonuses; all of it data."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from machine_support import comes_back, take
from squares_support import SQUADS, acts, figure, position

import warchest
from loaded import shipped
from warchest.diagnostics.diagnostic import Diagnostic

PLAIN = "Foot 3/4/5 "
FOES = "P1 Foot d4 n, P2 Foot d5 s"


def test_a_step_and_a_turn_cost_a_point_each() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P1 Foot a3 n, P2 Foot h7 s")
    take(state, act="turn", figure="d4", to="e")
    for square in ("e4", "f4", "g4", "h4"):
        take(state, to=square)
    assert figure(state, "h4")["facing"] == "e" and figure(state, "h4")["acted"]
    assert state.position()["actions_left"] == 1


def test_a_move_without_a_change_is_not_offered() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P2 Foot h7 s")
    assert "halt" not in acts(state)
    take(state, act="turn", figure="d4", to="e")
    assert "halt" in acts(state)
    take(state, act="turn", to="n")
    assert "halt" not in acts(state)


def test_an_attack_goes_back_to_the_last_free_square() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P1 Foot a3 n, P2 Foot d6 s")
    take(state, figure="d4", to="d5")
    take(state, act="step", to="d6")
    assert figure(state, "d6")["damage"] == 3
    assert figure(state, "d5")["owner"] == "P1" and figure(state, "d5")["acted"]


def test_a_captured_figure_is_gone_and_its_square_is_taken() -> None:
    state = position((PLAIN,), "P1 Foot d4 n, P2 Foot d5 s 1")
    take(state, act="step", to="d5")
    assert [one["at"] for one in state.position()["figures"]] == ["d5"]
    assert state.position()["collection"] == {"P1": [], "P2": ["Foot"]}


def test_the_enemy_chest_is_the_end() -> None:
    state = position((PLAIN,), "P1 Foot h7 n, P2 Foot a5 s")
    take(state, to="h8")
    assert state.outcome is not None and state.outcome.winners == ("P1",)


def test_ones_own_chest_is_in_the_way() -> None:
    """It can be passed, but not stayed on: a figure that would stay is led back, without an effect here."""
    state = position((PLAIN,), "P1 Foot a2 s, P2 Foot h7 s")
    take(state, to="a1")
    assert "halt" not in acts(state)


def test_two_turns_without_an_action_are_a_draw() -> None:
    state = position((PLAIN,), FOES)
    take(state, act="desist")
    assert state.decision is not None and state.decision.player == "P2"
    take(state, act="desist")
    assert state.outcome is not None and state.outcome.winners == ()


def test_rest_heals_one_point_and_never_more_than_the_damage() -> None:
    state = position((PLAIN, "Elder 1/3/3 Regenerate (2)"), "P1 Foot d4 n 2, P1 Elder c3 n 1, P2 Foot h7 s")
    take(state, act="rest", figure="d4")
    take(state, act="rest", figure="c3")
    assert figure(state, "d4")["damage"] == 1 and figure(state, "c3")["damage"] == 0


@pytest.mark.parametrize(
    ("attacker", "target", "facing", "damage", "back"),
    [
        ("Foot 3/4/5 Charge", "Foe 1/9/3 ", "s", 5, 0),
        ("Foot 3/4/5 Backstab (2)", "Foe 1/9/3 ", "n", 5, 0),
        ("Foot 3/4/5 Backstab (2)", "Foe 1/9/3 ", "s", 3, 0),
        ("Foot 3/4/5 Backstab (2)", "Foe 1/9/3 Faceless", "n", 3, 0),
        ("Foot 3/4/5 Flanking (1); Backstab (2)", "Foe 1/9/3 ", "n", 6, 0),
        ("Foot 3/4/5 Flanking (1)", "Foe 1/9/3 ", "e", 4, 0),
        ("Foot 3/4/5 Sapper; Charge", "Foe 1/20/0 ", "s", 10, 0),
        ("Foot 3/4/5 ", "Foe 1/9/3 Protection (2)", "s", 1, 0),
        ("Foot 3/4/5 ", "Foe 1/9/3 Protection (5)", "s", 0, 0),
        ("Foot 3/4/5 ", "Foe 1/9/3 Backlash (2)", "s", 3, 2),
        ("Foot 3/4/5 ", "Foe 1/2/3 Backlash (2)", "s", None, 2),
    ],
)
def test_a_blow_has_the_expected_damage(attacker: str, target: str, facing: str, damage: int | None, back: int) -> None:
    state = position((attacker, target), f"P1 Foot d4 n, P2 Foe d6 {facing}")
    take(state, to="d5")
    take(state, act="step", to="d6")
    if "decrease damage" in acts(state):
        take(state, act="decrease damage")
    figures = {one["name"]: one for one in state.position()["figures"]}
    assert (figures["Foe"]["damage"] if "Foe" in figures else None) == damage
    assert figures["Foot"]["damage"] == back


def test_stun_leaves_no_lasting_damage() -> None:
    state = position(("Foot 3/4/5 Stun", "Foe 1/9/3 "), "P1 Foot d4 n, P1 Foot a3 n, P2 Foe d5 s")
    take(state, act="step", to="d5")
    assert (figure(state, "d5")["damage"], figure(state, "d5")["stun"]) == (0, 3)
    take(state, act="desist")
    assert figure(state, "d5")["stun"] == 0


@pytest.mark.parametrize(("guard", "offered"), [(2, False), (3, True), (4, True)])
def test_a_coward_dares_no_stronger_one(guard: int, offered: bool) -> None:
    state = position((f"Foot 3/{guard}/5 Coward", "Foe 3/9/3 "), "P1 Foot d4 n, P2 Foe d5 s")
    assert ("step" in acts(state)) is offered


@pytest.mark.parametrize(("guard", "offered"), [(3, False), (4, True)])
def test_fear_wants_more_than_its_attack(guard: int, offered: bool) -> None:
    state = position((f"Foot 3/{guard}/5 ", "Foe 3/9/3 Fear"), "P1 Foot d4 n, P2 Foe d5 s")
    assert ("step" in acts(state)) is offered


# ---- bonuses, windows


def test_a_boost_lasts_until_its_giver_is_ready_again() -> None:
    state = position(("Foot 3/9/5 ", "Witch 1/3/3 Boost (+2 attack)"), "P1 Foot d4 n, P1 Witch c3 n, P2 Foot d5 s")
    take(state, act="boost", figure="c3", boost="d4")
    assert figure(state, "c3")["disabled"]
    comes_back(state)
    take(state, act="step", figure="d4", to="d5")
    assert figure(state, "d5")["damage"] == 5
    take(state, act="desist")
    take(state, act="reactivate", figure="c3")
    take(state, act="step", figure="d4", to="d5")
    assert figure(state, "d5")["damage"] == 8
    comes_back(state)


def test_a_boost_does_not_end_when_another_is_ready_again() -> None:
    foes = "P1 Foot d4 n, P1 Witch c3 n, P1 Witch b3 n, P2 Foot d5 s"
    state = position(("Foot 3/9/5 ", "Witch 1/3/3 Boost (+2 attack)"), foes)
    take(state, act="boost", figure="c3", boost="d4")
    take(state, act="boost", figure="b3", boost="d5")
    take(state, act="desist")
    take(state, act="reactivate", figure="b3")
    take(state, act="step", figure="d4", to="d5")
    assert figure(state, "d5")["damage"] == 5


def test_an_aid_answers_an_attack_and_lapses_when_its_giver_takes_a_turn() -> None:
    foes = "P1 Foot d4 n, P2 Foe d5 s, P2 Friend e7 s"
    state = position(("Foot 3/9/5 ", "Foe 1/9/3 ", "Friend 1/3/3 Aid (Protection 2)"), foes)
    take(state, act="move", figure="d4")
    take(state, act="decline")
    take(state, act="step", to="d5")
    assert state.decision is not None and state.decision.player == "P2"
    assert acts(state) == {"decline", "aid"}
    comes_back(state)
    take(state, act="aid", figure="e7", aid="d5 Foe")
    take(state, act="decrease damage")
    assert figure(state, "d5")["damage"] == 1 and figure(state, "e7")["disabled"]
    comes_back(state)
    take(state, act="desist")
    assert not state.position().get("pending", {}).get("bonuses")


FEARED = "Foot 3/4/5 ", "Foe 3/9/3 Fear", "Friend 1/9/3 Aid (+2 attack)"


def test_an_aid_is_given_before_fear_is_judged() -> None:
    state = position(FEARED, "P1 Foot d3 n, P2 Foe d5 s, P2 Friend h5 s")
    take(state, act="move", figure="d3")
    comes_back(state)
    take(state, act="decline")
    take(state, act="step", to="d4")
    assert state.decision is not None and state.decision.player == "P2"
    comes_back(state)
    take(state, act="aid", aid="d5")
    assert state.decision is not None and state.decision.player == "P1"
    assert [one.data["to"] for one in state.decision.options if one.data["act"] == "step"] == []
    take(state, act="halt")
    assert figure(state, "d5")["damage"] == 0


def test_a_player_who_could_not_answer_is_not_asked() -> None:
    for friend in ("Friend h5 s", "Foot h5 s"):
        state = position((PLAIN, *FEARED[2:]), f"P1 Foot d4 n, P1 {friend}, P2 Foot d6 s")
        take(state, act="step", figure="d4", to="d5")
        assert state.decision is not None and state.decision.player == "P1"


def test_an_immobile_figure_does_not_begin_a_move_even_with_a_possible_aid() -> None:
    state = position(("Wall 3/4/0 ", "Friend 1/3/3 Aid (+2 move)"), "P1 Wall d4 n, P2 Friend h5 s")
    assert acts(state) == {"desist"}


def test_bonuses_gained_by_a_capture_stay() -> None:
    foes = "P1 Ghoul d4 n, P2 Foe d5 s, P2 Foot d7 s"
    state = position(("Foot 3/9/5 ", "Foe 1/2/3 ", "Ghoul 3/4/5 Drain (+1 attack)"), foes)
    take(state, act="step", to="d5")
    comes_back(state)
    take(state, act="desist")
    take(state, act="desist")
    take(state, figure="d5", to="d6")
    take(state, act="step", to="d7")
    assert figure(state, "d7")["damage"] == 4


def test_an_escaping_figure_is_not_hit_and_is_disabled() -> None:
    state = position((PLAIN, "Dancer 2/3/3 Escape"), "P1 Foot d4 n, P2 Dancer d5 e")
    take(state, act="step", to="d5")
    assert acts(state) >= {"decline"}
    assert state.decision is not None
    option = next(one for one in state.decision.options if one.data.get("to") == "e5")
    comes_back(state.apply(option))
    take(state, act="halt")
    assert figure(state, "e5")["disabled"] and figure(state, "e5")["damage"] == 0
    assert figure(state, "d5")["name"] == "Foot"


def test_an_enemy_at_home_is_out_of_reach() -> None:
    figures = "P1 Foot d4 n, P1 Healer c3 n, P2 Foot d5 s 1, P2 Foot d7 s 1"
    state = position(("Foot 3/4/5 ", "Healer 1/3/3 Healing (1)"), figures)
    assert state.decision is not None
    assert [one.data["heal"] for one in state.decision.options if one.data["act"] == "heal"] == ["c3", "d4", "d5"]


# ---- the whole


def test_without_squads_of_ones_own_the_usual_ones_are_placed() -> None:
    state = shipped("unigames").new(seed=1)
    assert state.decision is not None and state.decision.player == "P1" and acts(state) == {"station", "plant"}
    named = {one.data["profile"] for one in state.decision.options if one.data["act"] == "station"}
    assert named == set(SQUADS["P1"])


def test_a_squad_over_the_limit_is_refused() -> None:
    with pytest.raises(warchest.PositionError) as caught:
        shipped("unigames").new(seed=1, armies={"P1": ["Kotharian Shield"] * 5, "P2": ["Kotharian Ghoul"]})
    assert caught.value.field == "armies.P1" and "48" in str(caught.value)


BAD = {
    "Blacklash (2)": "did you mean `Backlash`?",
    "Backlash": "say `Backlash (X)`",
    "Fear (2)": "say plainly",
    "Missile (2)": "say `Missile (X, range Y)`",
    "Aid (2)": "for example `+2 attack`",
    "Aid (+2)": "for example `+2 attack`",
    "Aid (range 2)": "for example `+2 attack`",
    "Boost (+2 luck)": "a number written on documents",
    "Drain (+1 attackk)": "did you mean `attack`?",
    "Aid (Protecion 2)": "did you mean `Protection`?",
    "Aid (Goblin 2)": "a document that is borne",
    "Boost (Stun 2)": "say plainly `Stun`",
    "Boost (Protection)": "say `Protection 2`",
    "Aid (Missile 2)": "with one number, or with none",
    "Aid (Create)": "with one number, or with none",
    "Aid (Drain 2)": "with one number, or with none",
    "Aid (Flihgt)": "did you mean `Flight`?",
    "Backlash (+2 attack)": "for example `2`",
    "Backlash (Protection 2)": "for example `2`",
    "Missile (range 3, 5)": "in this order",
    "Missile (2, +1 attack)": "for example `range 2`",
}


def bearing(ability: str, name: str) -> str:
    """Return the document of a figure with an ability, in line 6."""
    return f'figure: {name}\nattack: 1\ndefense: 1\nmove: 1\ncost: 1\nabilities: ["{ability}"]\n'


def bearers(abilities: Iterable[str]) -> list[str]:
    """Return the documents of figures that bear these abilities, one each."""
    return [bearing(ability, f"Figure {number}") for number, ability in enumerate(abilities)]


@cache
def found_in_bearers() -> dict[str, list[Diagnostic]]:
    """Return the findings for figures that bear unknown abilities, by their files: they are loaded once together."""
    found: dict[str, list[Diagnostic]] = {}
    with pytest.raises(warchest.CardError) as caught:
        shipped("unigames", *bearers(BAD))
    for one in caught.value.diagnostics:
        found.setdefault(Path(one.file).name, []).append(one)
    return found


@pytest.mark.parametrize(("number", "says"), list(enumerate(BAD.values())), ids=BAD)
def test_abilities_of_a_figure_must_exist(number: int, says: str) -> None:
    found = found_in_bearers()
    assert len(found) == len(BAD)
    (finding,) = found[f"extra{number}.yaml"]
    assert says in finding.help and finding.span is not None and finding.span.line == 6


def test_a_creation_that_comes_back_from_its_corpse_is_still_in_no_collection() -> None:
    figures = (PLAIN, "Imp 2/2/2 Reanimate", "Witch 1/3/3 Create (Imp)", "Archer 1/3/3 Missile (5, range 9)")
    state = position(figures, "P1 Witch d4 n, P1 Foot c5 e, P2 Archer d8 s")
    take(state, act="create", figure="d4", to="d5")
    for revived in (True, False):
        take(state, act="desist")
        take(state, act="shoot", figure="d8", shoot="d5")
        comes_back(state)
        take(state, act="desist")
        if revived:
            take(state, act="reanimate")
    take(state, act="step", figure="c5", to="d5")
    take(state, act="halt")
    take(state, act="desist")
    take(state, act="desist")
    take(state, act="clear", figure="d5")
    assert state.position()["corpses"] == [] and state.position()["collection"] == {"P1": [], "P2": []}


def test_a_copy_that_has_taken_its_other_form_comes_back_as_the_copy() -> None:
    figures = ("Mirror 5/9/4 Doppelganger", "Were 3/4/6 Transform (Bear)", "Bear 4/5/2 ")
    state = position(figures, "P1 Mirror d4 n, P2 Were d5 s 1, P2 Bear h6 s")
    take(state, act="step", to="d5")
    for form, damage in (("Were", 1), ("Bear", 0), ("Were", 1)):
        assert (figure(state, "d5")["form"], figure(state, "d5")["damage"]) == (form, damage)
        comes_back(state)
        take(state, act="desist")
        take(state, act="desist")
        take(state, act="transform", figure="d5")


def test_a_stun_takes_over_without_a_question() -> None:
    state = position(("Lord 5/3/3 Takeover; Stun", PLAIN), "P1 Lord d4 n, P1 Foot a3 n, P2 Foot d5 s")
    take(state, act="step", to="d5")
    assert state.decision is not None and state.decision.player == "P1"
    assert figure(state, "d5")["stun"] == 5 and figure(state, "d5")["controller"] == "P2"


def test_the_corpse_of_a_copy_is_reanimated_as_the_copy() -> None:
    figures = ("Mirror 5/9/4 Doppelganger", "Ghoul 3/4/6 Reanimate", "Archer 4/5/2 Missile (9, range 9)")
    state = position(figures, "P1 Mirror d4 n, P2 Ghoul d5 s 1, P2 Archer d8 s")
    take(state, act="step", to="d5")
    take(state, act="desist")
    take(state, act="shoot", figure="d8", shoot="d5")
    comes_back(state)
    assert {"form": "Ghoul", "of": "Mirror", "owner": "P1"}.items() <= state.position()["corpses"][1].items()
    assert "pending" not in state.position()
    take(state, act="desist")
    assert state.decision is not None
    take(state, act="reanimate")
    comes_back(state)
    mirror = figure(state, "d5")
    assert (mirror["name"], mirror["form"], mirror["damage"]) == ("Mirror", "Ghoul", 3)


GOOD = (
    "Missile (2, 5)",
    "Missile (2, range 5)",
    "Aid (Protection 2)",
    "Drain (+3 move)",
    "Aid (Flight)",
    "Drain (Multi-Attack)",
)


def test_abilities_of_a_figure_may_have_these_forms() -> None:
    of = shipped("unigames", *bearers(GOOD))
    for number, ability in enumerate(GOOD):
        figure = of.library.named("figure", f"Figure {number}")
        assert figure is not None and figure.values["abilities"] == [ability]


def refused(keys: str) -> warchest.CardError:
    """Return the error of loading the game with an ability that cannot be."""
    with pytest.raises(warchest.CardError) as caught:
        shipped("unigames", f"ability: Lob\n{keys}")
    return caught.value


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (
            "parameters: [X]\nrules: |\n  after this steps, this suffers X damage from nobody, then this has X forever.\n",
            "in another",
        ),
        ("parameters: [{K: class}]\nrules: |\n  after this steps, this has K forever.\n", "not a bonus"),
        ("parameters: [{C: figur}]\nrules: |\n  after this steps, swap this for C.\n", "`C` is a number"),
    ],
)
def test_a_letter_has_one_meaning(rules: str, says: str) -> None:
    assert says in refused(rules).diagnostics[0].message


# ---- trails


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("after this steps, its place becomes the way of this until this turns.", "cannot be so for a time"),
        ("after this steps, the controller of this goes back.", "does not keep its former value"),
        ("after this steps, the way of this goes back by 2.", "takes no amount"),
        ("after this steps, its space becomes the way of this.", "say `its place becomes the way of this`"),
        ("after this steps, its facing becomes the way of this.", "cannot become"),
    ],
)
def test_a_trail_keeps_things_of_one_kind(rules: str, says: str) -> None:
    assert says in str(refused(f"rules: |\n  {rules}\n"))


def test_a_trail_goes_back_step_by_step_and_the_log_names_each() -> None:
    state = position((PLAIN,), "P1 Foot d3 n, P1 Foot d5 n, P2 Foot d6 s")
    take(state, figure="d3", to="d4")
    take(state, act="step", to="d5")
    take(state, act="decline")
    take(state, act="step", to="d6")
    told = [one.text.strip() for one in state.trace if " way of" in one.text]
    assert [line.split("   ")[0] for line in told] == [
        # The first place is where the move begins; each step adds the place that it leaves.
        "the way of the Foot on d3 is d3 now",
        "the way of the Foot on d3 is d3 now",
        "the way of the Foot on d4 is d4 now",
        "the way of the Foot on d5 is d5 now",
        "the way of the Foot on d5 is d4 now",
        "the way of the Foot on d4 is d3 now",
    ]
    assert figure(state, "d4")["acted"] and figure(state, "d6")["damage"] == 3
