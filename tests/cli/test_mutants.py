"""`warchest mutants`: its reports in each form, and wrong arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from linted import usual_texts
from loaded import shipped
from repositories import make_repository
from warchest.cli.mutants import _kit_case
from warchest.testing.mutants.making import Mutant, Mutants
from warchest.testing.mutants.trying import Trial, Trials, Tried

CARD = """\
unit: Outrider
coins: 4
tactic: |
  attack.
rulings:
  - name: It attacks
    position:
      to_act: raven
      units: [{at: f3, unit: Outrider, owner: raven}, {at: f4, unit: Scout, owner: wolf}]
      hand: {raven: [Outrider], wolf: [Royal Coin]}
    do: [{act: tactic, coin: Outrider, target: f4}]
    then: {units: [{at: f3, unit: Outrider, owner: raven}]}
"""
LINE = "my-cards/outrider.yaml:4: missed: `attack` -> `this may attack`"


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-cards").mkdir()
    (tmp_path / "my-cards" / "outrider.yaml").write_text(CARD, encoding="utf-8")
    return Path("my-cards")


@pytest.fixture
def mutants(run: Any, cards: Path) -> Any:
    """Run the command on the card, in the game without errata, which would make each change be linted many times."""
    return lambda *arguments: run("mutants", *arguments, "--cards", cards, "--game", usual_texts())


def test_a_missed_mutant_is_reported_with_both_wordings_and_a_new_ruling(
    run: Any, mutants: Any, cards: Path, tmp_path: Path
) -> None:
    ran = mutants("--positions", "20", "--verbose", "--jobs", "1", "--found", tmp_path / "found")
    assert ran.code == 1
    missed = ran.out.count("a ruling that would notice it")
    assert missed > 0 and ran.err.count("wrote ") == missed == len(list((tmp_path / "found").glob("*.yaml")))
    assert run("test", tmp_path / "found", "--cards", cards, "--jobs", "1").code == 0
    told = f"{LINE}\n  old: attack.\n  new: this may attack.\n  a ruling that would notice it, if it is right:\n"
    assert f"{told}    - name: attack.\n" in ran.out
    *lines, last = ran.out.splitlines()
    assert "my-cards/outrider.yaml:4: caught: `attack.` -> `do nothing.` (by Outrider: It attacks)" in lines
    assert any(one.startswith("my-cards/outrider.yaml:4: unviable: `attack` -> `use its tactic` (") for one in lines)
    counts = "11 mutants: 4 caught, 3 missed, 2 unviable, 2 equivalent"
    assert last == f"{counts}; 57.1% caught of those that make a difference"


def test_the_numbers_in_the_document_are_those_of_a_run(run: Any) -> None:
    *_, last = run("mutants", "Knight", "--positions", "10", "--jobs", "1").out.splitlines()
    page = Path(__file__).parents[2] / "docs" / "guides" / "testing.md"
    assert f"$ warchest mutants Knight --positions 10\n{last}\n" in page.read_text(encoding="utf-8")


def test_they_are_listed_and_not_tried(mutants: Any) -> None:
    listed = mutants("--list")
    assert listed.code == 0
    assert "my-cards/outrider.yaml:4: `attack` -> `this may attack`\n" in listed.out
    records = mutants("--list", "--format", "json").json
    assert listed.out.splitlines()[-1] == f"{len(records)} mutants"
    assert {record["card"] for record in records} == {"Outrider"}


def test_a_missed_mutant_is_a_fault_for_programs() -> None:
    game = shipped("war-chest", CARD)
    (mutant,) = (one for one in Mutants(game).of(game.library.documents[-1]) if one.new == "this may attack")
    one = _kit_case(Trial(mutant, "missed"))
    assert (one.fault, one.skipped, one.line) == ("no ruling notices `attack` -> `this may attack`", "", 4)
    assert _kit_case(Trial(mutant, "equivalent", "it reads the same")).skipped == "equivalent: it reads the same"


def test_wrong_arguments_are_reported_in_one_line(mutants: Any) -> None:
    for arguments, message in (
        (("Outridr",), "there is no card 'Outridr'; did you mean `Outrider`?"),
        (("Outrider", "--in-diff", "HEAD"), "is in no repository of git"),
        (("--positions", "-1"), "it is at least 0"),
        (("--budget", "soon"), "a time is needed"),
    ):
        ran = mutants(*arguments)
        assert ran.code == 2 and message in ran.err, arguments
        assert not ran.out


def test_rulings_must_pass_without_any_change(mutants: Any, cards: Path) -> None:
    wrong = CARD.replace("then: {units: [{at: f3", "then: {units: [{at: f2")
    (cards / "outrider.yaml").write_text(wrong, encoding="utf-8")
    ran = mutants()
    assert ran.code == 2
    assert "'Outrider: It attacks' fails without any change (my-cards/outrider.yaml:6)" in ran.err


def test_when_the_time_is_over_it_says_how_to_go_on_and_repeats_nothing(mutants: Any) -> None:
    """Also in the forms for programs."""
    first = mutants("--format", "json", "--positions", "0", "--jobs", "1", "--budget", "0.001s")
    assert first.json["partial"] and first.json["left"] == 11 and first.json["mutants"] == []
    assert first.err == "11 changes are left; add `--from 0` to go on, or a longer --budget\n"
    rest = mutants("--format", "json", "--positions", "0", "--from", "0", "--jobs", "1")
    assert not rest.json["partial"] and rest.json["left"] == 0 and not rest.err
    outcomes = [one["outcome"] for one in rest.json["mutants"]]
    assert all(rest.json[name] == outcomes.count(name) for name in ("caught", "missed", "unviable", "equivalent"))
    caught = next(one for one in rest.json["mutants"] if one["outcome"] == "caught")
    assert caught["ruling"]["name"] == "It attacks" and caught["line"] == 4
    told = [(one["old"], one["new"]) for ran in (first, rest) for one in ran.json["mutants"]]
    assert told == [(one["old"], one["new"]) for one in mutants("--list", "--format", "json").json]
    suite = ElementTree.fromstring(mutants("--list", "--format", "junit").out)
    assert suite.get("tests") == suite.get("skipped") == str(len(told))


def test_results_before_an_interruption_are_kept(mutants: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    try_one, done = Trials.tried, list[Mutant]()

    def broken_off(trials: Trials, mutant: Mutant) -> Tried:
        if done:
            raise KeyboardInterrupt
        done.append(mutant)
        return try_one(trials, mutant)

    monkeypatch.setattr(Trials, "tried", broken_off)
    ran = mutants("--positions", "0", "--from", "5", "--jobs", "1")
    assert ran.code == 130 and LINE in ran.out and ran.out.endswith("; 5 not tried\n")
    assert ran.err == "5 changes are left; add `--from 6` to go on, or a longer --budget\ninterrupted\n"


def test_only_changed_cards_are_tried_again(
    mutants: Any, cards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARCHEST_CACHE", str(tmp_path / "kept"))
    tried: list[str] = []
    try_one = Trials.tried

    def counted(trials: Trials, mutant: Mutant) -> Tried:
        tried.append(mutant.after)
        return try_one(trials, mutant)

    monkeypatch.setattr(Trials, "tried", counted)

    def run_again(*more: str) -> tuple[str, int]:
        tried.clear()
        told = mutants("--positions", "0", "--jobs", "1", "--verbose", *more).out
        return told, len(tried)

    first, all_of_them = run_again()
    caught = first.count(": caught: ")
    assert run_again() == (first, 0) and 0 < caught < all_of_them
    with (cards / "outrider.yaml").open("a", encoding="utf-8") as file:
        file.write(CARD.partition("rulings:\n")[2].replace("It attacks", "It attacks again"))
    assert run_again() == (first, all_of_them - caught)
    assert run_again("--no-cache") == (first, all_of_them)
    (cards / "outrider.yaml").write_text(CARD.replace("It attacks", "It still attacks"), encoding="utf-8")
    assert run_again()[1] == all_of_them
    (tmp_path / "kept" / "mutants").chmod(0o777)
    assert run_again()[1] == all_of_them


def test_only_the_given_cards_are_compared_with_a_revision(
    run: Any, cards: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program is in no repository, or in another one."""
    make_repository(Path())
    told = (
        "mutants",
        "--cards",
        "my-cards",
        "--game",
        usual_texts(),
        "--in-diff",
        "HEAD",
        "--list",
        "--format",
        "json",
    )
    assert run(*told).json == []
    (cards / "outrider.yaml").write_text(CARD.replace("  attack.", "  move.\n  attack."), encoding="utf-8")
    found = run(*told).json
    assert {(one["card"], one["line"]) for one in found} == {("Outrider", 4)}
    monkeypatch.chdir(cards)
    there = run("mutants", "--cards", ".", *told[3:]).json
    assert [one["new"] for one in there] == [one["new"] for one in found]
