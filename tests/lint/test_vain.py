"""Orders in vain are found, and the texts that their findings advise are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lint_support import attribute, lint_text, tactic

FALLING = [
    # A piece that has left the board does nothing.
    ("when this falls, this attacks.", "never-so", "before this falls, this attacks."),
    (
        "when this falls, this may attack an adjacent target.",
        "never-so",
        "before this falls, this may attack an adjacent target.",
    ),
    ("after a friendly unit falls, that unit moves.", "never-so", "before a friendly unit falls, that unit moves."),
    (
        "when this falls, put a coin in your supply of its type into this.",
        "never-so",
        "when this would fall, put a coin in your supply of its type into this instead.",
    ),
    # An answer that is meant to keep a piece has to give it the token that it needs.
    ("when this would fall, this may move instead.", "no-difference", "before this falls, this may move."),
    ("when this would fall, attack instead.", "no-difference", "before this falls, attack."),
    (
        "when another friendly unit would fall, remove this instead.",
        "no-difference",
        "before another friendly unit falls, remove this.",
    ),
    (
        "before this falls, put a coin in your supply of its type into this.",
        "no-difference",
        "when this would fall, put a coin in your supply of its type into this instead.",
    ),
    (
        "before an adjacent friendly unit falls, put a coin in this into that unit.",
        "no-difference",
        "when an adjacent friendly unit would fall, put a coin in this into that unit instead.",
    ),
]


@pytest.mark.parametrize(("text", "name", "followed"), FALLING)
def test_an_answer_to_a_fall_without_effect_is_found(tmp_path: Path, text: str, name: str, followed: str) -> None:
    (found,) = lint_text(tmp_path, attribute(text))
    assert found.name == name and f"`{followed.removesuffix('.')}`" in found.help
    assert lint_text(tmp_path, attribute(followed)) == []


@pytest.mark.parametrize(
    "text",
    [
        "when this falls, draw a coin, then put that coin into your hand.",
        "when this falls, each enemy unit adjacent to this loses a coin.",
        "after an enemy unit falls, this may move to the space of that unit.",
        "when this would fall, rally instead.",
        "when this would fall, bolster this using a coin in your supply of its type instead.",
        "when an adjacent friendly unit would fall, put a coin in this into that unit instead.",
        "when a fort would fall, this may move instead.",
    ],
)
def test_an_answer_to_a_fall_with_an_effect_is_not_found(tmp_path: Path, text: str) -> None:
    assert lint_text(tmp_path, attribute(text)) == []


def test_an_escape_from_an_order_to_remove_is_not_in_vain(tmp_path: Path) -> None:
    reaper = "unit: Reaper\ncoins: 4\ntactic: |\n  choose an adjacent unit. remove that unit.\n---\n"
    assert lint_text(tmp_path, reaper + attribute("when this would fall, this may move instead.")) == []


TOO_LATE = [
    ("remove this. this moves.", "this moves", "this moves. remove this."),
    ("remove this. move.", "move", "move. remove this."),
    ("choose an adjacent unit. remove that unit. that unit moves.", "that unit moves", None),
    (
        "choose an adjacent unit. remove that unit, then that unit loses a coin.",
        "that unit loses a coin",
        "choose an adjacent unit. that unit loses a coin, then remove that unit.",
    ),
    ("choose an adjacent unit. you may remove that unit, then that unit moves.", "that unit moves", None),
    (
        "choose an adjacent enemy unit. remove that unit. attack that unit if able.",
        "attack that unit if able",
        "choose an adjacent enemy unit. attack that unit if able. remove that unit.",
    ),
    (
        "choose an adjacent unit. remove that unit. choose a coin in that unit. put that coin into your box.",
        "choose a coin in that unit",
        None,
    ),
    (
        "choose another friendly unit. remove that unit. this swaps places with that unit.",
        "this swaps places with that unit",
        None,
    ),
    ("choose an adjacent unit. remove that unit. if this is bolstered, that unit moves.", "that unit moves", None),
]


@pytest.mark.parametrize(("text", "at", "followed"), TOO_LATE)
def test_an_order_to_a_lost_unit_is_found(tmp_path: Path, text: str, at: str, followed: str | None) -> None:
    found = [one for one in lint_text(tmp_path, tactic(text)) if one.name == "never-so"]
    assert [one.span.text for one in found if one.span is not None] == [at]
    assert "say it first" in found[0].help
    assert followed is None or "never-so" not in [one.name for one in lint_text(tmp_path, tactic(followed))]


@pytest.mark.parametrize(
    "text",
    [
        "choose an adjacent unit. remove that unit. for each unit adjacent to that unit, it loses a coin.",
        "choose an adjacent unit. remove that unit. put a coin in your supply of the type of that unit into your hand.",
        "choose an adjacent enemy unit. remove that unit. move to the space of that unit.",
        "choose an adjacent unit. if that unit is bolstered, remove that unit. that unit moves.",
        "choose an adjacent unit. either remove that unit, or move. that unit moves.",
        "remove this. draw a coin, then put that coin into your hand.",
    ],
)
def test_a_reference_to_a_lost_unit_is_allowed(tmp_path: Path, text: str) -> None:
    assert lint_text(tmp_path, tactic(text)) == []


NOWHERE = [
    (
        "choose an adjacent fort. put a coin in your supply into the bag of the owner of that fort.",
        "never-so",
        "name its owner",
    ),
    ("put a coin in your supply into the box of nobody.", "never-so", "name its owner"),
    ("choose an adjacent unit. put this onto the space of that unit.", "never-so", "say where there is room for it"),
    (
        "choose an adjacent location with a unit. put this onto that location.",
        "never-so",
        "say where there is room for it",
    ),
    (
        "choose a coin in your hand. put that coin onto the space of this as a unit.",
        "never-so",
        "say where there is room for it",
    ),
    ("put this onto its space.", "no-difference", "say where else it goes"),
]


@pytest.mark.parametrize(("text", "name", "help"), NOWHERE)
def test_impossible_destinations_are_found(tmp_path: Path, text: str, name: str, help: str) -> None:
    (found,) = lint_text(tmp_path, tactic(text))
    assert (found.name, found.help) == (name, help)


@pytest.mark.parametrize(
    "text",
    [
        "choose an adjacent unit. put a coin in your supply into the bag of the owner of that unit.",
        "choose an adjacent unit. that unit swaps places with this.",
        "choose an adjacent unit. remove that unit. put this onto the space of that unit.",
        "choose an adjacent unit. let gap be its space. that unit moves. put this onto that gap.",
        "choose an adjacent fort. put this onto the space of that fort.",
        "choose an adjacent empty space. put this onto that space.",
    ],
)
def test_possible_destinations_are_not_found(tmp_path: Path, text: str) -> None:
    assert lint_text(tmp_path, tactic(text)) == []


@pytest.mark.parametrize(
    ("text", "used", "without"),
    [
        ("let gap be its space. move.", "let gap be its space. move. put this onto that gap.", "move."),
        ("move, then let gap be its space, then attack.", "", "move, then attack."),
    ],
)
def test_the_help_on_an_unused_name_says_to_use_it_or_to_leave_it_out(
    tmp_path: Path, text: str, used: str, without: str
) -> None:
    (found,) = lint_text(tmp_path, tactic(text))
    assert (found.name, found.help) == ("says-nothing", "use `that gap` in a later step, or leave this step out")
    for followed in filter(None, (used, without)):
        assert lint_text(tmp_path, tactic(followed)) == []


WORDS = (
    "words: Bets\nzones: {wager: {of: player, holds: coin, seen by: owner}}\n"
    "verbs: {bet: {by: player}, advance: {by: unit}}\n---\n"
)
HOW = ["to bet: put a coin in your hand into your wager.", "to advance: move, then attack."]
ONLY = [
    ("choose an opponent. bet. that player bets.", "that player bets"),
    ("choose an opponent. bet. that player may bet.", "that player may bet"),
    ("for each player in turn order, it bets.", "it bets"),
    ("choose another friendly unit. that unit advances.", "that unit advances"),
    ("advance. bet.", ""),
    ("choose a Halberdier, then that Halberdier advances.", ""),
    ("for each own Halberdier in any order, it may advance.", ""),
]


@pytest.mark.parametrize(("text", "at"), ONLY)
def test_an_order_that_only_one_card_can_obey_is_found(tmp_path: Path, text: str, at: str) -> None:
    own = [
        one
        for one in lint_text(tmp_path, WORDS + tactic(text) + attribute(*HOW).partition("coins: 4\n")[2])
        if one.name == "never-so"
    ]
    assert [one.span.text for one in own if one.span is not None] == ([at] if at else [])
    assert all("among the `rules:` of a document that begins `action: …`" in one.help for one in own)
    everybodys = "action: Bets\nrules: |\n" + "".join(f"  {line}\n" for line in HOW)
    assert "never-so" not in [one.name for one in lint_text(tmp_path, WORDS + tactic(text) + "---\n" + everybodys)]


def test_an_order_to_this_that_only_another_card_can_obey_is_found(tmp_path: Path) -> None:
    rider = "unit: Rider\ncoins: 4\nattribute: |\n  to advance: move, then attack.\n---\n"
    words = "words: More\nverbs: {advance: {by: unit}}\n---\n"
    (found,) = lint_text(tmp_path, words + rider + tactic("advance."))
    assert found.name == "never-so" and found.message == "only `Rider` can `advance`: no other text says how"


def test_a_unit_that_no_coin_moves_is_found(tmp_path: Path) -> None:
    promoted = attribute("after this moves to a location, swap this for a Knight.")
    (found,) = lint_text(tmp_path, promoted)
    assert (found.name, found.span.text if found.span else "") == ("left-idle", "swap this for a Knight")
    rules = (
        "words: Promotions\nadjectives: [changed]\n---\naction: Promotion\nrules: |\n"
        "  a unit is changed when its type is not its nature.\n"
        "  to use a coin: discard the coin faceup, then an own changed unit whose nature is its type maneuvers.\n"
        "---\n"
    )
    assert lint_text(tmp_path, rules + promoted) == []
    back = attribute(
        "after this moves to a location, swap this for a Knight.",
        "after you recruit, swap this for the nature of this.",
    )
    assert lint_text(tmp_path, back) == []


BASTIONS = (
    "errata: Bastions\nsource: x\namends: {kind: fortification, name: Fortification}\nadd:\n  rules: |\n"
    "    after a unit attacks this, put a coin in the supply of the owner of that unit into "
)


@pytest.mark.parametrize(("zone", "found"), [("your box", ["never-so"]), ("the box of the owner of that unit", [])])
def test_a_zone_of_a_missing_owner_is_found(tmp_path: Path, zone: str, found: list[str]) -> None:
    assert [one.name for one in lint_text(tmp_path, f"{BASTIONS}{zone}.\n")] == found


@pytest.mark.parametrize(
    ("text", "help", "followed"),
    [
        (
            "this cannot attack unless another friendly unit is on the board.",
            "say `a space`",
            "this cannot attack unless another friendly unit is on a space.",
        ),
        (
            "after a friendly unit leaves the board, this may move.",
            "say `falls`",
            "after a friendly unit falls, this may move.",
        ),
    ],
)
def test_the_board_has_other_words(tmp_path: Path, text: str, help: str, followed: str) -> None:
    (found,) = lint_text(tmp_path, attribute(text))
    assert (found.name, found.help) == ("unknown-word", help)
    assert lint_text(tmp_path, attribute(followed)) == []
