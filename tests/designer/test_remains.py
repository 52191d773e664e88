"""The remains of a piece: `this becomes a wreck`, `that wreck becomes a unit`, and the usual mistakes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import warchest
from designer.reading_support import advised_with
from linted import game_for, lint_text
from loaded import read_card, said_by, studied
from machine.machine_support import card, comes_back, game, lines, offered, position, round_trips, take
from warchest import State
from warchest.lint.wc_lint import findings_in
from warchest.words.expected import expected_words

WORDS = """\
words: Wrecks
things: {wreck: {piece: unit, holds: coin, remains of: unit, keeps: [marked, master]}}
fields: {unit: {marked: {flag: true, opposite: clean}, pain: number, master: player}}
documents: {unit: {numbers: [rank]}}
numbers: [rank]
verbs: {founder: {by: unit}, refloat: {by: wreck}}
"""
RULES = card(
    "Wrecks",
    kind="action",
    rules="""
    to founder: this becomes a wreck.
    to refloat: this becomes a unit.
""",
)
ALONE = "this attacks."


@cache
def yard(tactic: str, attribute: str = "", rules: str = RULES) -> warchest.Game:
    more = {"attribute": attribute} if attribute else {}
    return game(WORDS, rules, card("Galley", tactic=tactic, **more))


def standing(tactic: str, attribute: str = "", rules: str = RULES, **more: Any) -> State:
    """Return the state before the tactic of a Galley beside an Archer, on top of a Knight's wreck if there is one."""
    units = [
        {"at": "f4", "unit": "Galley", "owner": "raven", "coins": 2},
        {"at": "f5", "unit": "Archer", "owner": "wolf", "coins": 2, "marked": True, "pain": 4},
    ]
    return yard(tactic, attribute, rules).position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "units": units,
            **more,
            "hand": {"raven": ["Galley", "Galley"], "wolf": ["Archer", "Royal Coin"]},
        }
    )


def after(state: State) -> State:
    done = take(state, act="tactic")
    round_trips(done)
    return done


CHOSEN = "choose a unit adjacent to this, then "


# ---- what a piece keeps and loses


def test_its_coins_its_owner_and_its_kept_fields_stay() -> None:
    state = after(standing(CHOSEN + "that unit becomes a wreck."))
    told = state.position()
    assert [one["unit"] for one in told["units"]] == ["Galley"]
    assert told["wrecks"] == [{"at": "f5", "unit": "Archer", "owner": "wolf", "coins": 2, "marked": True}]
    assert "Archer on f5 becomes a wreck" in lines(state)
    (became,) = [one for one in state.events if one.kind == "became"]
    assert (became.agent, became.roles) == ("Archer on f5", {"to": "wreck"})
    assert not offered(state, unit="f5")


def test_the_same_words_turn_it_into_a_unit_again() -> None:
    state = after(
        standing(
            CHOSEN + "that unit becomes a wreck, then that wreck becomes a unit, "
            "then the pain of that unit increases by 1."
        )
    )
    (archer,) = [one for one in state.position()["units"] if one["unit"] == "Archer"]
    assert archer == {"at": "f5", "unit": "Archer", "owner": "wolf", "coins": 2, "marked": True, "pain": 1}
    assert "wrecks" not in state.position()


def test_bonuses_end_and_lasting_changes_are_undone() -> None:
    given = (
        "that unit has +2 rank forever, then that unit has +1 rank until this moves, "
        "then its owner becomes the master of that unit, "
        "then you become the master of that unit until this moves; "
    )
    state = after(
        standing(
            CHOSEN + given + "that unit becomes a wreck, then that wreck becomes a unit, "
            "then the pain of that unit becomes the rank of that unit + 1."
        )
    )
    (archer,) = [one for one in state.position()["units"] if one["unit"] == "Archer"]
    assert (archer["pain"], archer["master"]) == (1, "wolf")
    assert "bonuses" not in state.position().get("pending", {})


def test_this_means_the_piece_after_the_change() -> None:
    state = after(standing("this becomes a wreck, then this becomes marked; put a coin in this into your box."))
    (wreck,) = state.position()["wrecks"]
    assert wreck == {"at": "f4", "unit": "Galley", "owner": "raven", "coins": 1, "marked": True}


def test_earlier_references_do_not_follow_the_change() -> None:
    # The unit that the attack began against has gone, although its wreck is there.
    state = take(
        standing(
            ALONE,
            "before this attacks a unit, that unit founders. "
            "after this attacks a unit, if that unit is on a space, this becomes marked.",
        ),
        act="tactic",
    )
    units = {one["unit"]: one for one in state.position()["units"]}
    assert "marked" not in units["Galley"] and [one["coins"] for one in state.position()["wrecks"]] == [2]


def test_a_fall_can_leave_remains() -> None:
    state = take(
        standing("this loses a coin, then this loses a coin.", "when this would fall, this becomes a wreck instead."),
        act="tactic",
    )
    assert [one["unit"] for one in state.position()["units"]] == ["Archer"]
    round_trips(state)


def test_delayed_steps_wait_for_the_former_piece() -> None:
    later = "choose an enemy unit. at the start of your next turn, the pain of that unit increases by 7."
    for more, pain in (
        ("", 11),
        (" that unit becomes a wreck, then that wreck becomes a unit.", 7),
        (" that unit becomes a wreck.", 0),
    ):
        state = take(after(standing(later + more)), act="pass", coin="Royal Coin")
        told = comes_back(state).position()
        (archer,) = [one for one in (*told["units"], *told.get("wrecks", ())) if one["at"] == "f5"]
        assert archer.get("pain", 0) == pain


def test_an_offer_can_be_declined() -> None:
    state = standing("this may become a wreck, then it becomes marked.")
    assert [one["then"] for one in offered(state, act="tactic")] == ["decline", "become a wreck"]
    assert "wrecks" not in take(state.clone(), then="decline").position()
    assert take(state, then="become a wreck").position()["wrecks"][0]["marked"] is True


def test_a_prohibition_holds_on() -> None:
    for more in ("", "that unit cannot move this round; "):
        state = after(standing(f"{CHOSEN}{more}that unit becomes a wreck, then that wreck becomes a unit."))
        assert bool(offered(state, act="move", unit="f5")) == (not more)


# ---- sentences that are right, and near misses


@pytest.mark.parametrize(
    "tactic",
    [
        "this becomes a wreck.",
        "choose an enemy unit within 2 spaces of this, then that unit becomes a wreck.",
        "choose a wreck, then that wreck becomes a unit, then that unit may move.",
        "each adjacent enemy unit becomes a wreck.",
        "attack, then this becomes a wreck if it is unbolstered.",
    ],
)
def test_first_attempts_of_a_designer_are_accepted(tactic: str) -> None:
    said = said_by(yard(tactic), "Galley")
    assert any("becomes a wreck" in one or "becomes a unit" in one for one in said)


def test_a_reading_lists_the_fields_that_stay() -> None:
    facts = [one.text for reading in read_card(yard("this becomes a wreck."), "Galley") for one in reading.facts]
    assert any("of its fields only `marked` and `master` stay" in one for one in facts)


def test_a_kind_is_among_the_words_that_can_follow() -> None:
    text = "this becomes a "
    found = expected_words(text, 0, len(text), studied(game(WORDS, RULES)).vocabulary)
    assert "wreck" in [one.text for one in found]


@pytest.mark.parametrize(
    ("tactic", "help"),
    [
        ("this becomes the wreck", "`this becomes a wreck`"),
        ("this becomes wreck", "`this becomes a wreck`"),
        ("this becomes a fort", "`this becomes a wreck`"),
        ("this becomes a unit", "`this becomes a wreck`"),
        ("this becomes a marked wreck", "`this becomes a wreck, then that wreck becomes marked`"),
        ("this becomes a wreck this round", "leave out"),
        ("swap this for a wreck", "`this becomes a wreck`"),
        ("replace this with a wreck", "`… becomes a …`"),
        ("this turns into a wreck", "`… becomes …`"),
        ("put this onto its space as a wreck", "`this becomes a wreck`"),
        (CHOSEN + "that unit becomes a wreck, then that unit loses a coin", "`that wreck`"),
    ],
)
def test_nearly_right_texts_get_advice(tactic: str, help: str) -> None:
    (first, *_) = advised_with(WORDS, RULES, card("Anvil", tactic=f"{tactic}."))
    assert help in (first.help or "")


def test_a_piece_that_has_fallen_becomes_nothing(tmp_path: Path) -> None:
    """It can become something before it falls, and does then."""
    text = "when this falls, it becomes a wreck."
    found = lint_text(tmp_path, "---\n".join((WORDS, RULES, card("Anvil", attribute=text))))
    (late,) = (one for one in found if one.name == "never-so")
    right = "before this falls, it becomes a wreck"
    assert f"say `{right}`" in late.help
    maul = card("Maul", tactic=CHOSEN + "that unit loses a coin.")
    made = game(WORDS, RULES, card("Anvil", attribute=f"{right}."), maul)
    state = take(made.position(position("Maul f4, wolf Anvil f5", "Maul")), act="tactic")
    assert [one["unit"] for one in state.position()["wrecks"]] == ["Anvil"]


@pytest.mark.parametrize("stage", ["when", "after", "before"])
def test_a_hook_on_it_is_led_to_the_act(stage: str) -> None:
    (first,) = advised_with(WORDS, RULES, card("Anvil", attribute=f"{stage} this becomes a wreck, this may move."))
    assert f"answer the act that makes it, `{stage} this …s, …`" in (first.help or "")


# ---- declarations


def findings(folder: Path, words: str, rules: str = RULES) -> list[tuple[str, str]]:
    """Return the messages and the help of the findings in a pack and its texts."""
    for name, text in (("words", words), ("rules", rules), ("galley", card("Galley", tactic="founder."))):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    found = findings_in([folder], game_for(file.read_text("utf-8") for file in folder.iterdir()))
    return [(one.message, one.help or "") for one in found]


@pytest.mark.parametrize(
    ("old", "new", "message", "help"),
    [
        ("remains of: unit", "remains of: unti", "there is no other kind of piece `unti`", "did you mean `unit`?"),
        ("remains of: unit", "remains of: wreck", "there is no other kind of piece `wreck`", "`unit`"),
        ("remains of: unit", "remains of: fort", "a wreck is not made like a fort", "a fort has"),
        ("[marked, master]", "[marked, mastr]", "there is no field of a piece `mastr`", "did you mean `master`?"),
    ],
)
def test_a_wrong_declaration_is_found(tmp_path: Path, old: str, new: str, message: str, help: str) -> None:
    found = findings(tmp_path, WORDS.replace(old, new))
    assert any(one[0] == message and help in one[1] for one in found)


def test_remains_that_nothing_becomes_are_found(tmp_path: Path) -> None:
    rules = RULES.replace("this becomes a wreck", "this loses a coin").replace("this becomes a unit", "do nothing")
    found = findings(tmp_path, WORDS, rules)
    help = "let a text order it: `this becomes a wreck`; or leave out `remains of:`"
    assert ("nothing ever becomes a wreck", help) in found
