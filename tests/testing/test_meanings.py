"""Near-miss readings: the right one of a card that is written wrong is among the answers to a few questions."""

from __future__ import annotations

import io
import os
from functools import cache
from pathlib import Path

import pytest

import warchest.game.game as loading
from loaded import shipped
from warchest.cli.main import main
from warchest.game.game import Game
from warchest.source.text import Source
from warchest.testing.answers import comes_to
from warchest.testing.budget import Budget
from warchest.testing.meanings import MOST_QUESTIONS, Meanings, MeaningSearch

ALL = os.environ.get("HYPOTHESIS_PROFILE") == "explore"
WRONG = [
    ("Mercenary", "this may maneuver", "this maneuvers"),
    ("Pikeman", "that unit loses", "this loses"),
    ("Knight", "unless that unit is", "unless this is"),
    ("Archer", "exactly 2 spaces", "exactly 3 spaces"),
    ("Berserker", "you may discard a coin in this faceup", "discard a coin in this faceup"),
    ("Crossbowman", "exactly 2 spaces", "within 2 spaces"),
    ("Crossbowman", "through empty spaces", "through open spaces"),
    ("Lancer", "1-2 spaces", "1-3 spaces"),
    ("Light Cavalry", "through an open space", "through an empty space"),
    ("Marshall", "within 2 spaces", "within 3 spaces"),
    ("Swordsman", "it may move", "it moves"),
    ("Warrior Priest", "after this attacks", "before this attacks"),
    ("Bannerman", "adjacent enemy unit", "adjacent unit"),
    ("Pikeman", "an adjacent unit", "a unit"),
    ("Herald", "adjacent unbolstered friendly", "adjacent unbolstered"),
]
"""Sentences of cards, each with words that might have been written in place of others, or left out."""
QUICK = 1
"""This many of them are tested in every run, and the others by `make explore`."""
FEW = (5,)
ROUNDS = (60, 240) if ALL else FEW
"""The number of positions for each reading, as in the command, or fewer."""


def text_of(card: str) -> Source:
    """Return the file of a card as it is shipped."""
    document = shipped().library.named("unit", card)
    assert document is not None
    return document.span.source


@cache
def meanings(card: str, right: str, wrong: str, rounds: tuple[int, ...]) -> tuple[Game, Meanings]:
    """Return the game in which a card is written wrong, and the meanings of the card there."""
    source = text_of(card)
    game = shipped().with_text(source.path, source.text.replace(right, wrong, 1))
    document = game.library.named("unit", card)
    assert document is not None
    search = MeaningSearch(game, document)
    for positions in rounds:
        assert [*search.round(positions, Budget(300))]
    search.split(rounds[0], Budget(300))
    return game, search.meanings()


@pytest.fixture
def asked_once(monkeypatch: pytest.MonkeyPatch) -> Meanings:
    """Let the command have the meanings of a Mercenary that is written wrong, which are looked for once."""
    game, known = meanings(*WRONG[0], FEW)
    monkeypatch.setattr(loading, "load_game", lambda *_: game)
    monkeypatch.setattr("warchest.testing.meanings.rulings_of", lambda _: [])
    monkeypatch.setattr(MeaningSearch, "round", lambda *_: iter(()))
    monkeypatch.setattr(MeaningSearch, "meanings", lambda _: known)
    return known


class Typed(io.StringIO):
    """Typed lines, ended by Ctrl-C or by the end of the input."""

    def __init__(self, *lines: str, end: type[BaseException] = EOFError) -> None:
        super().__init__("".join(f"{one}\n" for one in lines))
        self.end = end

    def readline(self, size: int | None = -1, /) -> str:
        """Return the next line; raises the exception that breaks off."""
        line = super().readline(-1 if size is None else size)
        if not line:
            raise self.end
        return line


@pytest.mark.parametrize(("card", "right", "wrong"), WRONG if ALL else WRONG[:QUICK])
def test_the_right_reading_is_among_the_answers(card: str, right: str, wrong: str) -> None:
    (_, found), text = meanings(card, right, wrong, ROUNDS), text_of(card).text
    assert 1 <= len(found.questions) <= MOST_QUESTIONS
    (number,) = [number for number, one in enumerate(found.readings) if one.mutant and one.mutant.text == text]
    chosen = {
        index: next(key for key, answer in enumerate(one.answers) if number in answer.readings)
        for index, one in enumerate(found.questions)
    }
    left = found.meant(chosen)
    assert found.readings[number] in left and found.readings[0] not in left and len(left) < len(found.readings)


def test_readings_without_a_difference_are_listed_apart_from_the_others() -> None:
    _, found = meanings(*WRONG[0], FEW)
    assert found.alike and not {one.said for one in found.alike} & {one.said for one in found.readings}
    for question in found.questions:
        written = comes_to(found.readings[0].game, question.moment)
        assert all(comes_to(one.game, question.moment) == written for one in found.alike)


def test_questions_are_asked_and_answers_become_rulings(
    capsys: pytest.CaptureFixture[str], asked_once: Meanings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["quiz", "Mercenary", "--jobs", "1", "--answer", "1=1", "--found", "found"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("question 1 of ") and "  1. as it is written:" in out and "  2. if it said otherwise:" in out
    assert "readings that agree with your answers:\n  the text as it is written" in out
    assert "no difference in any position that was compared:\n  - " in out
    assert main(["test", "found"]) == 0


def test_the_ruling_of_an_answer_holds_only_by_readings_that_give_it(
    capsys: pytest.CaptureFixture[str], asked_once: Meanings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number, question in enumerate(asked_once.questions, 1):
        for answer in range(1, len(question.answers) + 1):
            folder = f"a{number}{answer}"
            main(["quiz", "Mercenary", "--jobs", "1", "--answer", f"{number}={answer}", "--found", folder])
            assert main(["test", folder]) == int(answer > 1), (number, answer)
    capsys.readouterr()


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_a_reader_picks_answers_and_they_are_kept(
    capsys: pytest.CaptureFixture[str],
    asked_once: Meanings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    end: type[BaseException],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("warchest.cli.quiz.is_attended", lambda: True)
    monkeypatch.setattr("sys.stdin", Typed("seven", "1", end=end))
    assert main(["quiz", "Mercenary", "--jobs", "1", "--found", "found"]) == 0
    out, err = capsys.readouterr()
    assert "a number from 1 to 5 is needed, not 'seven'" in out and "which is right? (1-5; nothing: skip)" in out
    assert "readings that agree with your answers:" in out and "your answers are kept" in err
    (file,) = tmp_path.glob("found/*.yaml")
    assert file.name == "mercenary-quiz-1.yaml"
    assert main(["test", "found"]) == 0


@pytest.mark.usefixtures("asked_once")
def test_a_reader_passes_over_a_question(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("warchest.cli.quiz.is_attended", lambda: True)
    monkeypatch.setattr("sys.stdin", Typed("", "1"))
    assert main(["quiz", "Mercenary", "--jobs", "1", "--found", "found"]) == 0
    assert "your answers are kept" not in capsys.readouterr().err
    assert [one.name for one in tmp_path.glob("found/*.yaml")] == ["mercenary-quiz-2.yaml"]


def test_only_open_questions_are_asked(asked_once: Meanings) -> None:
    first = asked_once.questions[0].answers
    for number, answer in enumerate(first):
        still = [one for one in range(len(asked_once.questions)) if asked_once.is_open(one, {0: number})]
        assert 0 not in still and (len(answer.readings) > 1 or not still)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("Nobody",), "there is no card 'Nobody'"),
        (("Mercenary", "--answer", "9=1"), "none is '9'"),
        (("Mercenary", "--answer", "1=99"), "question 1 has answers 1 to"),
        (("Mercenary", "--answer", "1"), "--answer: `NAME=…` is needed"),
    ],
)
@pytest.mark.usefixtures("asked_once")
def test_bad_input_is_reported(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    assert main(["quiz", *arguments, "--jobs", "1"]) == 2
    assert said in capsys.readouterr().err
