"""Slips of sense: cards that can be read and played, and that cannot be meant."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import ascii_lowercase

import pytest

from linted import usual_texts
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.wc_lint import findings_in

UNUSUAL = Path(__file__).parent / "unusual"

SLIPS: dict[str, tuple[str, str]] = {
    # contradictions
    "tactic: choose a bolstered unbolstered enemy unit. attack that unit.": ("never-so", "there is never"),
    "tactic: choose a friendly enemy unit. that unit moves.": ("never-so", "`a friendly enemy unit`"),
    "tactic: choose an own enemy unit within 2 spaces of this. that unit moves.": ("never-so", "there is never"),
    "tactic: attack an adjacent target exactly 2 spaces away.": ("never-so", "there is never"),
    "tactic: attack a target exactly 2 spaces away within 1 space of this.": ("never-so", "there is never"),
    "tactic: choose an empty space with a unit. move.": ("never-so", "there is never"),
    "tactic: choose a unit on an empty space. that unit moves.": ("never-so", "there is never"),
    # conditions that are never or always true because of the player asked
    "attribute: after this moves, if its height is 0, it may attack.": ("never-so", "is never so here"),
    "attribute: after this moves, if its height is at least 1, it may attack.": ("no-difference", "always so here"),
    "attribute: after this moves, if it is bolstered, or it is unbolstered, it may attack.": ("no-difference", "so"),
    "attribute: before this moves while it is bolstered, if it is unbolstered, it attacks.": ("never-so", "never so"),
    "tactic: choose an adjacent enemy unit. move to the space of that unit.": ("at-odds", "always forbidden"),
    "attribute: after this moves, if it is enemy, it may attack.": ("never-so", "never so here"),
    "attribute: after this moves, if it is own, it may attack.": ("no-difference", "always so here"),
    "attribute: after another enemy unit moves, this may attack.": ("no-difference", "`another` makes no difference"),
    "attribute: before another enemy unit is attacked, this may move.": ("no-difference", "`another` makes no"),
    "attribute: after this moves, if you are enemy, it may attack.": ("never-so", "never so here"),
    "attribute: after this moves, if no unit is on its space, it may attack.": ("never-so", "never so here"),
    "tactic: if the number of coins in your hand is less than 0, move.": ("never-so", "never so here"),
    "tactic: if the number of coins in your hand is at least 0, move.": ("no-difference", "always so here"),
    "tactic: move. it must be enemy.": ("never-so", "never so here"),
    "tactic: move. it must be own.": ("no-difference", "always so here"),
    "restriction: this cannot move while it is friendly.": ("no-difference", "always so here"),
    "restriction: this cannot move while it is enemy.": ("never-so", "forbids nothing"),
    "attribute: after this moves while it is enemy, it may attack.": ("never-so", "nothing ever sets this off"),
    # conditions without an effect
    "tactic: if it is bolstered, move. otherwise, move.": ("no-difference", "both branches do the same"),
    "tactic: either move, or move.": ("no-difference", "two of the branches are the same"),
    "tactic: either move and then attack, or control, or move and then attack.": ("no-difference", "branches"),
    "tactic: choose an enemy unit. move.": ("no-difference", "nothing takes up `an enemy unit`"),
    "tactic: put a coin in your bag into your bag.": ("no-difference", "it is there already"),
    "tactic: move to its space.": ("at-odds", "always forbidden"),
    "attribute: when this would lose a coin, this loses a coin instead.": ("no-difference", "replacement is the same"),
    "attribute: when this would move, it moves instead.": ("no-difference", "replacement is the same"),
    "attribute: after this moves, it may attack. after this moves, it may attack.": ("no-difference", "said before"),
    "attribute: after this moves, it attacks. after this attacks, it moves.": ("again-and-again", "each other off"),
    # idle permissions and prohibitions
    "attribute: this may attack an adjacent target.": ("no-difference", "permitted anyway"),
    "attribute: this may move to an adjacent space.": ("no-difference", "permitted anyway"),
    "restriction: this cannot attack a target exactly 3 spaces away.": ("no-difference", "never permitted"),
    "restriction: this cannot attack a friendly unit.": ("no-difference", "never permitted"),
    "restriction: a friendly unit cannot attack this.": ("no-difference", "never permitted"),
    "restriction: this cannot move to a space with a unit.": ("no-difference", "forbidden anyway"),
    "restriction: this cannot control a location while your team controls the location.": ("no-difference", "anyway"),
    "restriction: this cannot attack. this cannot attack while it is bolstered.": ("no-difference", "forbidden anyway"),
    "restriction: this moves only while it is bolstered. this cannot move while it is unbolstered.": (
        "no-difference",
        "forbidden anyway",
    ),
    "attribute: the limit of this is 0.": ("never-so", "can ever be there"),
    "attribute: the limit of this is 1.": ("no-difference", "so of all of them"),
    "attribute: the limit of this is 9.": ("no-difference", "there are only 4"),
    # conflicts with the rest of the card
    "tactic: move, then attack. restriction: this cannot use its tactic.": ("at-odds", "takes away"),
    "attribute: this may attack a target exactly 2 spaces away. "
    "restriction: this cannot attack a target exactly 2 spaces away.": (
        "at-odds",
        "this permission is forbidden elsewhere",
    ),
    "attribute: this may move to an empty space exactly 2 spaces away. restriction: this cannot move.": (
        "at-odds",
        "this permission is forbidden elsewhere",
    ),
    "attribute: after this moves, it may attack. restriction: this cannot move.": ("at-odds", "it is forbidden here"),
    "restriction: this moves only while it is bolstered. this moves only while it is unbolstered.": (
        "at-odds",
        "forbids it altogether",
    ),
    "restriction: this attacks only by its tactic.": ("never-so", "this has no `tactic`"),
    "restriction: this cannot use its tactic while it is bolstered.": ("never-so", "this has no `tactic`"),
    "attribute: after this uses its tactic, it may move.": ("never-so", "this has no `tactic`"),
    "attribute: after you recruit this, you may move a friendly unit.": ("never-so", "the coin of that act never goes"),
    "attribute: after an opponent discards this, this may move.": ("never-so", "the coin of that act never goes"),
    # impossible events
    "attribute: after this is proclaimed, it may move.": ("never-so", "never the object of that act"),
    "attribute: before this is deployed, it may move.": ("never-so", "not on the board before that"),
}

SENSE = [
    "tactic: choose a bolstered enemy unit. attack that unit.",
    "tactic: attack a target exactly 2 spaces away in a straight line.",
    "attribute: after this moves, if its height is at least 2, it may attack.",
    "attribute: after this loses a coin, if it is unbolstered, it may attack.",
    "attribute: after this attacks while it is bolstered, put a coin in this into your box.",
    "attribute: after this moves, it may move.",
    "attribute: after a friendly unit moves, this may attack.",
    "attribute: this may attack an adjacent friendly unit.",
    "attribute: this may attack a target exactly 2 spaces away. restriction: this cannot attack a unit on a location.",
    "attribute: when this would lose a coin, put a coin in your supply into your box instead.",
    "restriction: this cannot move to a location. this cannot move while it is unbolstered.",
    "restriction: a unit cannot attack this while this is on a location.",
    "tactic: move, then attack. restriction: this cannot use its tactic while it is bolstered.",
    "tactic: move, then attack. restriction: this attacks only by its tactic.",
    "tactic: put a coin in your bag into your hand.",
    "tactic: choose another friendly unit. that unit must be bolstered. that unit moves.",
    "attribute: after this attacks an adjacent unit, this moves to the space of that unit if able.",
    "attribute: after a friendly unit falls, this may move to the space of that unit.",
    "attribute: after this attacks while it is bolstered, if it is unbolstered, it may move.",
    "tactic: attack an adjacent target. move to the space of that target if able.",
]


def named(number: int) -> str:
    return f"Trial {ascii_lowercase[number // 26].upper()}{ascii_lowercase[number % 26]}"


def card(number: int, said: str) -> str:
    """A card with these texts: each begins with its key."""
    lines = [f"unit: {named(number)}", "coins: 4"]
    for part in said.replace(". restriction:", ".\nrestriction:").split("\n"):
        key, _, text = part.partition(": ")
        lines += [f"{key}: |", f"  {text}"]
    return "\n".join(lines) + "\n"


@cache
def found(folder: Path, *texts: str) -> dict[int, list[Diagnostic]]:
    """The findings in cards with these texts, by their numbers; all of them are linted at once."""
    for number, said in enumerate(texts):
        (folder / f"{number:03}.yaml").write_text(card(number, said), "utf-8")
    by_card: dict[int, list[Diagnostic]] = {number: [] for number in range(len(texts))}
    for one in findings_in([folder], usual_texts()):
        by_card[int(Path(one.file).stem)].append(one)
    return by_card


@pytest.fixture(scope="module")
def slips(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Diagnostic]]:
    by_card = found(tmp_path_factory.mktemp("slips"), *SLIPS)
    return {said: by_card[number] for number, said in enumerate(SLIPS)}


@pytest.mark.parametrize(("said", "name", "words"), [(said, *told) for said, told in SLIPS.items()], ids=list(SLIPS))
def test_a_slip_is_found(slips: dict[str, list[Diagnostic]], said: str, name: str, words: str) -> None:
    told = [(one.name, one.message) for one in slips[said]]
    assert any(one == name and words in message for one, message in told), told
    assert all(one.help for one in slips[said])


def test_a_number_that_the_rules_watch_cannot_be_fixed(tmp_path: Path) -> None:
    wrong = (
        "the height of this is 2.",
        "the height of this is the number of coins in it + 1.",
        "this is not spent.",
        "the height of this is the number of units adjacent to this.",
        "a unit adjacent to this is not spent.",
    )
    right = (
        "this is bolstered.",
        "the height of this is the number of coins in this.",
        "when this would fall, put a coin in your supply of its type into this instead.",
    )
    by_card = found(tmp_path, *(f"attribute: {text}" for text in (*wrong, *right)))
    told = [(one.name, one.span.text + "." if one.span else "") for some in by_card.values() for one in some]
    assert told == [("watched-number", text) for text in wrong]


def test_sensible_cards_have_no_findings(tmp_path: Path) -> None:
    by_card = found(tmp_path, *SENSE)
    assert {SENSE[number]: [one.message for one in told] for number, told in by_card.items() if told} == {}


def test_unusual_cards_that_are_right_have_no_findings() -> None:
    assert [(one.name, one.message) for one in findings_in([UNUSUAL], usual_texts())] == []
    assert sum(line.startswith("unit:") for line in (UNUSUAL / "cards.yaml").read_text("utf-8").splitlines()) >= 30


def test_no_board_is_as_wide_as_that(tmp_path: Path) -> None:
    for far, found in (("exactly 10 spaces away", 0), ("11-12 spaces away", 1), ("within 20 spaces of this", 0)):
        file = tmp_path / "card.yaml"
        file.write_text(f"unit: Far\ncoins: 4\ntactic: |\n  attack a target {far}.\n", encoding="utf-8")
        assert [one.name for one in findings_in([file], usual_texts())] == ["never-so"] * found


def test_an_error_in_one_file_hides_no_slip_in_another(tmp_path: Path) -> None:
    for name, tactic in (("Wrong", "atack."), ("Odd", "choose a friendly enemy unit. that unit moves.")):
        (tmp_path / f"{name}.yaml").write_text(f"unit: {name}\ncoins: 4\ntactic: |\n  {tactic}\n", encoding="utf-8")
    assert sorted(one.name for one in findings_in([tmp_path], usual_texts())) == ["never-so", "unknown-word"]
