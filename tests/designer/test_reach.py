"""The reach of `for each`, `if`, `until` and `may`: to the end of their part of a sentence, and never further."""

from __future__ import annotations

import pytest

from machine.machine_support import card, coins, game, offered, position, refused, take

HEART = "words: Names\nnames: [gap]\n"


def after_tactic(text: str, units: str) -> dict[str, int]:
    """Return the coins in the units after the tactic of a Probe at f4."""
    state = game(card("Probe", tactic=text)).position(position(units, "Probe"))
    take(state, act="tactic")
    return coins(state)


def finding(**blocks: str) -> tuple[str, str, str]:
    """Return the name, the place as text and the help of the one finding in a card."""
    (found,) = refused(card("Probe", **blocks))
    assert found.span is not None
    return found.name, found.span.text, found.help


BLAST = "for each unit adjacent to this, it loses a coin; put all coins in this into your box."


def test_a_step_after_a_loop_and_a_semicolon_is_always_done_once() -> None:
    assert after_tactic(BLAST, "Probe f4 2, wolf Scout f5 2, wolf Knight g4 3") == {"f5": 1, "g4": 2}
    assert after_tactic(BLAST, "Probe f4 2, wolf Scout f7 2") == {"f7": 2}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "if this is bolstered, this loses a coin; for each unit adjacent to this, it loses a coin.",
            {"f4": 1, "f5": 2},
        ),
        (
            "if this is bolstered, this loses a coin; otherwise, do nothing; "
            "for each unit adjacent to this, it loses a coin.",
            {"f4": 1, "f5": 2},
        ),
        (
            "if this is unbolstered, this loses a coin; otherwise, for each unit adjacent to this, it loses a coin; "
            "this loses a coin.",
            {"f4": 1, "f5": 2},
        ),
        (
            "until this is unbolstered, this loses a coin; for each unit adjacent to this, it loses a coin.",
            {"f4": 1, "f5": 2},
        ),
        (
            "for each unit adjacent to this, it loses a coin; then if this is unbolstered, this moves, then this attacks.",
            {"f4": 2, "f5": 2},
        ),
    ],
)
def test_a_semicolon_ends_open_parts_of_the_sentence(text: str, left: dict[str, int]) -> None:
    assert after_tactic(text, "Probe f4 2, wolf Scout f5 3") == left


def test_an_offer_ends_at_a_semicolon() -> None:
    state = game(card("Probe", tactic="this may move; for each unit adjacent to this, it loses a coin.")).position(
        position("Probe f4, wolf Scout f5 2", "Probe")
    )
    assert len(offered(state, act="tactic", then="move")) > 1
    take(state, act="tactic", then="decline")
    assert coins(state) == {"f4": 1, "f5": 1}


def test_a_hook_continues_after_a_semicolon_and_ends_with_the_sentence() -> None:
    probe = card("Probe", attribute="after this attacks, if it is bolstered, it loses a coin; this may move.")
    state = game(probe).position(position("Probe f4, wolf Scout f5 2", "Probe"))
    take(state, act="attack", target="f5")
    assert len(offered(state, act="move")) > 1
    state = game(probe).position(position("Probe f4, wolf Scout f5 2", "Probe"))
    assert not offered(state, act="move", unit="f4", coin="Scout")


def test_a_definition_continues_after_a_semicolon() -> None:
    words = "words: Tricks\nverbs: {settle: {by: unit}}\n"
    text = "to settle: if this is unbolstered, this loses a coin; then for each unit adjacent to this, it loses a coin."
    state = game(words, card("Probe", tactic="settle.", attribute=text)).position(
        position("Probe f4 2, wolf Scout f5 2", "Probe")
    )
    take(state, act="tactic")
    assert coins(state) == {"f4": 2, "f5": 1}


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (
            "for each unit adjacent to this, it loses a coin, then put all coins in this into your box.",
            "put all coins in this into your box",
        ),
        ("for each unit adjacent to this, if it is bolstered, it loses a coin, then this moves.", "this moves"),
        (
            "for each unit adjacent to this, it moves, then draw a coin, then put that coin into your bag.",
            "draw a coin",
        ),
        ("for each adjacent enemy unit in any order, it loses a coin, then this moves.", "this moves"),
        (
            "draw a coin, then put that coin into your bag, then if this is bolstered, this moves, then this attacks.",
            "this attacks",
        ),
        ("choose an enemy unit, then if it is bolstered, it loses a coin, then that unit moves.", "that unit moves"),
        (
            "choose a unit, then if no coin is in your hand, draw a coin, then put that coin into your hand, then that unit "
            "loses a coin.",
            "that unit loses a coin",
        ),
    ],
)
def test_a_step_with_unclear_reach_is_found_at_its_place(text: str, step: str) -> None:
    name, place, help = finding(tactic=text)
    assert (name, place) == ("unclear-reach", step) and f"`…; {step}`" in help
    # The cure, put in its place, is accepted at once.
    game(card("Probe", tactic=text.replace(f", then {step}", f"; {step}")))
    if ", then if" in text:
        game(card("Probe", tactic=text.replace(", then if", "; if")))


def test_a_step_that_is_put_first_is_done_for_each() -> None:
    text = "for each unit adjacent to this, this loses a coin, then that unit loses a coin."
    assert after_tactic(text, "Probe f4 3, wolf Scout f5 2, wolf Knight g4 3") == {"f4": 1, "f5": 1, "g4": 2}


@pytest.mark.parametrize(
    "text",
    [
        "for each player in turn order, it draws a coin, then put that coin into its hand.",
        "for each unit adjacent to this, it loses a coin, then if it is bolstered, it moves.",
        "for each unit adjacent to this, let gap be its space, then it moves, then put this onto that gap.",
        "for each unit adjacent to this, this may attack that unit, then this loses a coin.",
        "if this is bolstered, this moves, then this attacks.",
        "choose a unit, then if no coin is in your hand, draw a coin, then put that coin into your hand.",
        "this moves, then if this is bolstered, this attacks; otherwise, this moves, then this attacks.",
    ],
)
def test_unambiguous_texts_are_no_findings(text: str) -> None:
    game(HEART, card("Probe", tactic=text))


def test_a_step_after_a_condition_in_a_hook_has_unclear_reach() -> None:
    text = "before this moves, choose a unit, then if this is bolstered, that unit moves, then this attacks."
    assert finding(attribute=text)[0] == "unclear-reach"


TRADE = "draw a coin, then put that coin into your hand"


@pytest.mark.parametrize(
    ("asked", "first", "step", "later"),
    [
        ("if this is {}, ", "attack", "move", "the initiative becomes stale"),
        ("if this is {}, ", "draw a coin, then put that coin into your hand", "move", "draw a coin"),
        ("move, then if this is {}, ", "attack", "move", TRADE),
        ("choose a unit, then if that unit is {}, ", "that unit loses a coin", "attack", "that unit moves"),
        ("for each unit adjacent to this, if it is {}, ", "it loses a coin", "it moves", TRADE),
        ("if no coin is in your hand, move; otherwise, if this is {}, ", "attack", "move", "an own Scout moves"),
    ],
)
@pytest.mark.parametrize("end", ["; ", ". "])
def test_a_step_after_others_under_an_otherwise_has_unclear_reach(
    asked: str, first: str, step: str, later: str, end: str
) -> None:
    if later == "draw a coin":
        later = f"{later}, then put that coin into your bag"
    head = asked.format("bolstered")
    name, place, help = finding(tactic=f"{head}{first}{end}otherwise, {step}, then {later}.")
    assert (name, place) == ("unclear-reach", later.split(", then ")[0])
    # Both cures, put in its place, are accepted at once.
    always = f"; otherwise, {step}; {later}"
    assert f"`…{always}`" in help
    game(card("Probe", tactic=f"{head}{first}{always}."))
    only_then = asked.format("not bolstered")
    if ", then" in first:
        assert "a name: `to …: …`" in help
    else:
        assert f"`if … not …, {step}, then {later}; otherwise, …`" in help
        game(card("Probe", tactic=f"{only_then}{step}, then {later}; otherwise, {first}."))


@pytest.mark.parametrize(
    "text",
    [
        "if this is bolstered, attack; otherwise, move, then attack.",
        f"if this is bolstered, attack; otherwise, {TRADE}.",
        f"if this is bolstered, attack, then stop. move; {TRADE}.",
        f"if this is bolstered, attack; otherwise, move; {TRADE}.",
    ],
)
def test_steps_under_an_otherwise_that_go_on_are_no_findings(text: str) -> None:
    game(card("Probe", tactic=text))


def test_an_otherwise_in_a_definition_has_unclear_reach() -> None:
    words = "words: Tricks\nverbs: {settle: {by: unit}}\n"
    text = "to settle: if this is bolstered, this moves{}otherwise, this attacks{} the initiative becomes stale."
    found = refused(words, card("Probe", tactic="settle.", attribute=text.format(". ", ", then")))
    assert [one.name for one in found] == ["unclear-reach"]
    game(words, card("Probe", tactic="settle.", attribute=text.format("; ", ";")))
