"""Parts and moments of acts: `as an attack lands, its victim loses a coin`, `when its bold attack lands, …`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import warchest
from designer.reading_support import advised_with
from linted import lint_text
from loaded import said_by
from machine.machine_support import card, game, offered, position, round_trips, take
from warchest import State

WORDS = """\
words: Taunts
fields:
  taunt: {force: number, loud: {flag: true, opposite: soft}}
  unit: {pain: number}
verbs:
  taunt: {by: unit, parts: {taunter: by, butt: object}, moments: [sting, settle]}
adjectives: [uneven]
"""
RULES = card(
    "Taunts",
    kind="action",
    rules="""
    to taunt a unit: the taunt stings if able, then the taunt settles if able.
    as a taunt stings, the pain of its butt increases by 1.
    as a taunt settles, the pain of its taunter increases by 10.
    normally, a unit taunts an adjacent unit.
    a taunt is uneven when its butt is bolstered.
""",
)
TAUNT = "this taunts an adjacent unit."


@cache
def taunting(attribute: str, other: str = "this is own.", tactic: str = TAUNT) -> warchest.Game:
    return game(WORDS, RULES, card("Hammer", tactic=tactic, attribute=attribute), card("Anvil", attribute=other))


def poised(attribute: str, other: str = "", coins: int = 2, tactic: str = TAUNT) -> State:
    """Return the state before the tactic of a Hammer beside an enemy Anvil, each with an attribute that may answer."""
    place = position(f"Hammer f4 2, wolf Anvil f5 {coins}", "Hammer, Hammer")
    return taunting(attribute or "this is own.", other or "this is own.", tactic).position(place)


def pains(state: State) -> tuple[int, ...]:
    """Return the pain of the Hammer and of the Anvil; -1 for one that has gone."""
    found = {one["unit"]: int(one.get("pain", 0)) for one in state.position()["units"]}
    return tuple(found.get(name, -1) for name in ("Hammer", "Anvil"))


MORE = "the pain of this increases by 100"


@pytest.mark.parametrize(
    ("attribute", "other", "left"),
    [
        ("", "", (10, 1)),
        (f"when its taunt stings, {MORE}.", "", (110, 1)),
        ("", f"when a taunt on this stings, {MORE}.", (10, 101)),
        ("", f"when a taunt of an enemy unit on this stings, {MORE}.", (10, 101)),
        ("", f"when a taunt of a friendly unit on this stings, {MORE}.", (10, 1)),
        (f"when a taunt on this stings, {MORE}.", "", (10, 1)),
        ("", "after a taunt on this settles, the pain of its taunter increases by 100.", (110, 1)),
        ("", "when a taunt on this would sting, the pain of its taunter increases by 100 instead.", (110, 0)),
        ("", "a taunt on this cannot sting.", (10, 0)),
        ("", "a loud taunt on this cannot sting.", (10, 1)),
        ("before this taunts a unit, the taunt becomes loud.", "a loud taunt on this cannot sting.", (10, 0)),
        (f"before this taunts a unit, the taunt becomes loud. when its loud taunt stings, {MORE}.", "", (110, 1)),
        (f"when its loud taunt stings, {MORE}.", "", (10, 1)),
        # The adjective is judged when the moment comes, not when the act begins.
        (f"before its taunt stings, the taunt becomes loud. when its loud taunt stings, {MORE}.", "", (110, 1)),
        (f"when its uneven taunt stings, {MORE}.", "", (110, 1)),
        (
            "before this taunts a unit, the force of the taunt becomes 1. the force of its uneven taunt increases by 2. "
            "after its taunt stings, the pain of this increases by the force of the taunt.",
            "",
            (13, 1),
        ),
        (
            "before this taunts a unit, the force of the taunt becomes 1. the force of its loud taunt increases by 2. "
            "after its taunt stings, the pain of this increases by the force of the taunt.",
            "",
            (11, 1),
        ),
        # Everything that happens within an act knows its parts.
        (
            "",
            f"before this loses a coin, if a taunt on this stings, {MORE}. "
            "when a taunt on this stings, this loses a coin.",
            (10, 101),
        ),
        ("", "when a taunt on this stings, remove this.", (10, -1)),
        (
            "before its taunt settles, remove the butt of the taunt, then the pain of its butt increases by 1.",
            "",
            (10, -1),
        ),
    ],
)
def test_moments_are_answered_and_forbidden_as_acts_are(attribute: str, other: str, left: tuple[int, int]) -> None:
    state = poised(attribute, other)
    round_trips(state)
    after = take(state, act="tactic")
    assert pains(after) == left
    assert "pending" not in after.position()


def test_adjectives_are_asked_of_the_act_under_way() -> None:
    state = poised(f"when its uneven taunt stings, {MORE}.", coins=1)
    assert pains(take(state, act="tactic")) == (10, 1)


def test_positions_within_an_act_are_restored_with_its_participants() -> None:
    state = poised("when its taunt stings, this may move. after its taunt stings, the pain of its butt increases by 5.")
    asked = take(state, act="tactic")
    round_trips(asked)
    told = asked.position()["pending"]["fields"]
    assert not any("butt" in name or "taunter" in name for name in told)
    assert pains(take(asked, act="decline")) == (10, 6)


def test_moments_name_no_option_and_no_line_of_the_log() -> None:
    state = poised("before this taunts a unit, the taunt may become loud.")
    asked = take(state, act="tactic")
    assert [one["act"] for one in offered(asked)] == ["decline", "become loud"]
    done = take(asked, act="become loud")
    assert pains(done) == (10, 1) and not any("sting" in line for line in done.log)


@pytest.mark.parametrize(
    "attribute",
    [
        "when its taunt stings, this loses a coin.",
        "when a taunt on this stings, this loses a coin.",
        "when a taunt of an enemy unit on this stings, that unit loses a coin.",
        "before a taunt on this settles, the taunt becomes loud.",
        "when a taunt on this would sting, this loses a coin instead.",
        "as its loud taunt stings, the butt of the taunt loses a coin.",
        "its taunt cannot settle while this is bolstered.",
        "a taunt on this cannot sting.",
        "after its taunt settles, the taunt stings.",
        "before this loses a coin, if a loud taunt of an enemy unit settles, this loses a coin.",
    ],
)
def test_readings_say_it_again(attribute: str) -> None:
    said = said_by(taunting(attribute), "Hammer")
    assert attribute in said


@pytest.mark.parametrize(
    ("attribute", "help"),
    [
        ("when its taunt on a Knight stings, this may move", "say `a taunt of this on …`"),
        ("when a taunt by this stings, this may move", "say `a taunt of …`"),
        ("when a taunt against this stings, this may move", "say `a taunt on …`"),
        ("when this stings a unit, this may move", "`a taunt of … on … stings`"),
        ("when it stings, this may move", "`a taunt of … on … stings`"),
        ("when no taunt stings, this may move", "`a taunt … cannot sting`"),
        ("when the taunt stings, this may move", "say `a taunt`"),
        ("to sting a unit: it loses a coin", "say `as a taunt stings, …`"),
        ("as this taunts, it stings", "say `to taunt …: …`"),
        ("as a taunt stings, this moves", "say `as its taunt stings, …`"),
        ("as its taunt on this stings, this moves", "say `a taunt of this on …`"),
        ("after its taunt stings, the butt of the taunt becomes this", "order another act in its place"),
        ("before this taunts a unit, the taunt may settle", "offer it to the agent"),
        ("this may sting a unit", "say it of `taunt`"),
        ("when the butt of a taunt moves, this may move", "say `the taunt`"),
        ("the taunt is uneven when its butt is bolstered", "say the kind of thing here"),
        ("after its taunt stings, the taunt settles a unit", "leave it out"),
    ],
)
def test_other_words_get_the_sentence_to_write(attribute: str, help: str) -> None:
    findings = advised_with(WORDS, RULES, card("Hammer", tactic=TAUNT, attribute=f"{attribute}."))
    assert help in findings[0].help, findings[0]


PARTS = "parts: {taunter: by, butt: object}, moments: [sting]"
USUAL = """\
to taunt a unit: the taunt stings.
as a taunt stings, its butt loses a coin.
normally, a unit taunts an adjacent unit.
"""


def declared(parts: str, rules: str, more: str = "this loses a coin", fields: str = "", **blocks: str) -> str:
    """Return the declaration of an act with these parts, its rules, and a card that does it and more."""
    words = f"words: Taunts\n{fields}verbs:\n  taunt: {{by: unit, {parts}}}\n"
    halberdier = card("Halberdier", **blocks, tactic=f"this taunts an adjacent unit, then {more}.")
    return "---\n".join((words, card("Taunts", kind="action", rules=rules), halberdier))


@pytest.mark.parametrize(
    ("parts", "rules", "more", "name", "message"),
    [
        (
            PARTS,
            USUAL.replace("as a taunt stings, its butt loses a coin.\n", ""),
            "this loses a coin",
            "verb-without-definition",
            "no text says how a taunt stings",
        ),
        (
            PARTS,
            USUAL.replace("the taunt stings", "the unit loses a coin"),
            "this loses a coin",
            "never-so",
            "no text orders that the taunt stings",
        ),
        (
            PARTS.replace("[sting]", "[sting, settle]"),
            USUAL,
            "this loses a coin",
            "unused-word",
            "no text uses `settle`",
        ),
        (PARTS.replace("butt: object", "butt: onto"), USUAL, "this loses a coin", "undeclared", "`butt` is no part"),
        (
            "parts: {taunter: by}, moments: [sting]",
            USUAL.replace("its butt", "its taunter"),
            "this loses a coin",
            "undeclared",
            "`object` of a taunt has no name",
        ),
        (
            PARTS.replace("butt", "unit"),
            USUAL.replace("its butt", "its unit"),
            "this loses a coin",
            "declared-twice",
            "the noun `unit`",
        ),
        (PARTS.replace("[sting]", "[sting, move]"), USUAL, "this loses a coin", "declared-twice", "the verb `move`"),
        (
            PARTS,
            USUAL + "as a taunt stings, its taunter loses a coin.\n",
            "this loses a coin",
            "two-ways",
            "another text also says how such an act stings",
        ),
        (PARTS, USUAL, "the taunt stings", "never-so", "no taunt is under way here, so this does nothing"),
    ],
)
def test_useless_declarations_are_findings(
    parts: str, rules: str, more: str, name: str, message: str, tmp_path: Path
) -> None:
    found = lint_text(tmp_path, declared(parts, rules, more))
    assert any(one.name == name and message in one.message for one in found), found


def test_sound_moments_have_no_findings(tmp_path: Path) -> None:
    assert lint_text(tmp_path, declared(PARTS, USUAL)) == []
    apart = USUAL.replace("as a taunt stings,", "as a soft taunt stings, do nothing.\nas a loud taunt stings,")
    fields = "fields: {taunt: {loud: {flag: true, opposite: soft}}}\n"
    loud = "before this taunts a unit, the taunt becomes loud."
    assert lint_text(tmp_path, declared(PARTS, apart, fields=fields, attribute=loud)) == []
