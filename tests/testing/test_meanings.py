"""Near-miss readings: the right one of a card that is written wrong is among the answers to a few questions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from time import monotonic

import pytest

from loaded import shipped
from warchest.cli.main import main
from warchest.game.game import Game
from warchest.testing.meanings import MOST_QUESTIONS, Meanings, meanings_of

WRONG = [("Archer", "exactly 2 spaces", "exactly 3 spaces")]


@cache
def meanings(game: Game, card: str) -> Meanings:
    """Return the meanings of a card, of few positions."""
    document = game.library.named("unit", card)
    assert document is not None
    return meanings_of(game, document, 12, 0, monotonic() + 300)


@pytest.fixture(autouse=True)
def _asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command have the meanings that are known already."""
    monkeypatch.setattr("warchest.testing.meanings.meanings_of", lambda _, one, *rest: meanings(shipped(), one.name))


@pytest.mark.parametrize(("card", "right", "wrong"), WRONG)
def test_the_right_reading_is_among_the_answers(card: str, right: str, wrong: str) -> None:
    document = shipped().library.named("unit", card)
    assert document is not None
    text = document.span.source.text
    found = meanings(shipped().with_text(document.span.path, text.replace(right, wrong, 1)), card)
    assert 1 <= len(found.questions) <= MOST_QUESTIONS
    (number,) = [number for number, one in enumerate(found.readings) if one.mutant and one.mutant.text == text]
    chosen = {index: next(key for key, answer in enumerate(one.answers) if number in answer.readings)
              for index, one in enumerate(found.questions)}  # fmt: skip
    left = found.meant(chosen)
    assert found.readings[number] in left and found.readings[0] not in left and len(left) < len(found.readings)


def test_questions_are_asked_and_answers_become_rulings(
    capsys: pytest.CaptureFixture[str], loads_once: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["means", "Archer", "--jobs", "1", "--answer", "1=1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("question 1 of ") and "  1. as it is written:" in out and "  2. if it said otherwise:" in out
    assert "what is meant:\n  the text as it is written" in out
    assert main(["test", "found"]) == 0


def test_a_person_is_asked_and_can_stop(
    capsys: pytest.CaptureFixture[str], loads_once: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = iter(["what?", "99", "", "1"])

    def answer(_: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    assert main(["means", "Archer", "--jobs", "1", "--ask"]) == 0
    said = capsys.readouterr()
    assert said.out.count("There are the answers 1 to ") == 2 and "what is meant:" in said.out
    assert len(list((tmp_path / "found").glob("*.yaml"))) == 1 and "archer-means-2" in said.err


@pytest.mark.parametrize(("arguments", "said"), [
    (("Nobody",), "there is no card 'Nobody'"),
    (("Archer", "--answer", "9=1"), "none is '9'"),
    (("Archer", "--answer", "1=99"), "question 1 has answers 1 to"),
    (("Archer", "--answer", "1"), "--answer: `NAME=…` is needed"),
])  # fmt: skip
def test_bad_input_is_said_in_a_line(
    capsys: pytest.CaptureFixture[str], loads_once: None, arguments: tuple[str, ...], said: str
) -> None:
    assert main(["means", *arguments, "--jobs", "1"]) == 2
    assert said in capsys.readouterr().err
