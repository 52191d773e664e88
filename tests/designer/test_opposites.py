"""Opposites: if a card gives a thing one of two words, it does not have the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from designer.reading_support import read
from lint.lint_support import lint_text
from machine.machine_support import card, game, offered, position

HUNTER = card("Hunter", tactic="choose an adjacent unbolstered unit. that unit loses a coin.")
HOUND = card("Hound", tactic="choose an adjacent bolstered unit. that unit loses a coin.")


def reached(text: str, who: str) -> set[str]:
    """Return the targets of the tactic of a unit on f4, beside a Probe with a text on e5."""
    state = game(card("Probe", attribute=text), HUNTER, HOUND).position(
        position(f"{who} f4, Probe e5, wolf Knight f5, wolf Scout e4 2", who)
    )
    return {one["target"] for one in offered(state, act="tactic")}


@pytest.mark.parametrize(
    ("text", "bolstered"),
    [
        ("this is bolstered.", {"e4", "e5"}),
        ("this is unbolstered.", {"e4"}),
        ("an enemy unit adjacent to this is unbolstered.", set()),
        ("a unit adjacent to this is bolstered.", {"e4", "f5"}),
        # The condition of the card asks for the word as it is without the card.
        ("a bolstered unit adjacent to this is unbolstered.", set()),
        ("an unbolstered unit adjacent to this is bolstered.", {"e4", "f5"}),
    ],
)
def test_each_unit_is_one_of_both(text: str, bolstered: set[str]) -> None:
    assert reached(text, "Hound") == bolstered
    assert reached(text, "Hunter") == {"e4", "e5", "f5"} - bolstered


def test_a_pack_has_opposites_of_its_own(tmp_path: Path) -> None:
    words = "words: Moods\nadjectives: [bold, meek]\nopposites: {bold: meek}\n"
    rules = (
        "action: Moods\nsource: a test\nrules: |\n  a unit is bold when its height is at least 2.\n"
        "  a unit is meek when its height is 1.\n"
    )
    cards = (
        card("Probe", attribute="a unit adjacent to this is meek."),
        card("Hound", tactic="choose an adjacent bold unit. that unit loses a coin."),
        card("Hunter", tactic="choose an adjacent meek unit. that unit loses a coin."),
    )
    assert not lint_text(tmp_path, "---\n".join((words, rules, *cards)))
    pack = game(words, rules, *cards)
    for who, there in (("Hound", set()), ("Hunter", {"e4"})):
        state = pack.position(position(f"{who} f4, Probe e5, wolf Scout e4 2", who))
        assert {one["target"] for one in offered(state, act="tactic")} - {"e5"} == there


def test_opposites_of_a_pack_that_are_not_declared_are_found(tmp_path: Path) -> None:
    words = "words: Moods\nadjectives: [bold, meek]\n"
    rules = (
        "action: Moods\nsource: a test\nrules: |\n  a unit is bold when its height is at least 2.\n"
        "  a unit is meek when its height is 1.\n  a bold unit cannot attack a meek unit.\n"
    )

    def said(words: str, text: str) -> list[str]:
        found = lint_text(tmp_path, "---\n".join((words, rules, card("Probe", attribute=text))))
        help = "declare them where they are declared as words: `opposites: {meek: bold}`"
        assert all(one.help == help for one in found)
        return [one.name for one in found]

    assert said(words, "a unit adjacent to this is meek.") == ["at-odds"]
    assert said(words, "a unit adjacent to this is meek.\na unit adjacent to this is not bold.") == []
    assert said(words + "opposites: {meek: bold}\n", "a unit adjacent to this is meek.") == []
    assert said(words, "this cannot move while it is meek.") == []


@pytest.mark.parametrize(
    "text", ["a unit is unbolstered when it is on a location.", "a unit on a location is unbolstered."]
)
def test_rules_of_a_pack_say_what_is_the_opposite_too(text: str) -> None:
    pack = game(HUNTER, HOUND, card("Mud", kind="action", rules=text))
    for who, there in (("Hound", {"e4"}), ("Hunter", {"e5"})):
        state = pack.position(position(f"{who} f4, wolf Knight e5 2, wolf Scout e4 2", who))
        assert {one["target"] for one in offered(state, act="tactic")} == there


@pytest.mark.parametrize("pair", ["bold: mild", "mild: bold", "bold: bold"])
def test_opposites_are_declared_as_words(tmp_path: Path, pair: str) -> None:
    words = f"words: Moods\nadjectives: [bold]\nopposites: {{{pair}}}\n---\n"
    rules = card("Probe", attribute="this is bold while it is on a location.\na bold unit cannot attack this.")
    assert "undeclared" in [one.name for one in lint_text(tmp_path, words + rules)]


def test_an_adjacent_unit_is_adjacent_to_this(tmp_path: Path) -> None:
    short, whole = "an adjacent unit is bolstered.", "a unit adjacent to this is bolstered."
    assert not lint_text(tmp_path, card("Probe", attribute=short))
    assert read(short, "rules")[1:] == read(whole, "rules")[1:]
