"""The readings of the second game, R1 to R42: each is beside the cards as a question, and is listed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from loaded import documents
from warchest.cli.main import main
from warchest.documents.layers import choices, usual
from warchest.rulings.cases import cases_in
from warchest.rulings.questions import cited_by, questions_in

SHIPPED = Path(__file__).resolve().parents[2] / "cards" / "unigames"
NUMBERS = [f"R{number}" for number in range(1, 43)]
LIBRARY = documents("unigames")
QUESTIONS = questions_in(LIBRARY)
pytestmark = pytest.mark.usefixtures("loads_once")


def cited() -> set[str]:
    """Return the numbers that are anywhere in the cards of the game, except in the questions themselves."""
    texts = [file.read_text(encoding="utf-8") for file in SHIPPED.rglob("*.yaml") if file.parent.name != "questions"]
    return {number for text in texts for number in re.findall(r"\bR[0-9]+\b", text)}


def test_every_number_is_that_of_a_question() -> None:
    assert [number for number in NUMBERS if not any(number in one.cited_as for one in QUESTIONS)] == []


def test_no_question_has_another_number() -> None:
    assert {number for one in QUESTIONS for number in one.cited_as} <= set(NUMBERS)


def test_the_cards_cite_every_number_and_no_other() -> None:
    assert cited() == set(NUMBERS)


def test_the_chosen_reading_is_first_and_there_are_others() -> None:
    told = {one.name: one.values for one in LIBRARY.of_kind("question")}
    texts = {name: [one["reading"] for one in values["readings"]] for name, values in told.items()}
    assert set(texts) == {question.name for question in QUESTIONS}
    assert [name for name, values in told.items() if values["taken"] != texts[name][0]] == []
    assert [name for name, among in texts.items() if len(set(among)) != len(among) or len(among) < 2] == []


def test_their_sources_and_documents_exist() -> None:
    assert [one.name for one in QUESTIONS if not one.source.startswith("004 ")] == []
    assert [one.name for one in QUESTIONS if not one.asks.endswith("?") or not one.because.endswith(".")] == []
    apart = ("question", "rulings", "errata")
    names = {document.name for document in LIBRARY.documents if document.kind not in apart}
    assert [(one.name, name) for one in QUESTIONS for name in one.about if name not in names] == []


def test_a_reading_is_chosen_by_an_option_or_it_says_why_not() -> None:
    offered = {one.name: bool(one.others) and all(reading.value for reading in one.others) for one in QUESTIONS}
    assert [one.name for one in QUESTIONS if bool(one.not_offered) is offered[one.name]] == []
    values = {one.name: sorted(reading.value for reading in one.readings if reading.value) for one in QUESTIONS}
    known, usually = choices(LIBRARY), usual(LIBRARY, ())
    assert values == {one.name: [] if one.option is None else sorted(known[one.option]) for one in QUESTIONS}
    chosen = [one for one in QUESTIONS if one.option is not None]
    assert [one.name for one in chosen if one.taken.value != usually[str(one.option)]] == []


def test_a_ruling_cites_by_number_or_by_name() -> None:
    of = {number: one for one in QUESTIONS for number in one.cited_as}
    assert cited_by("ruling: R9, R23", QUESTIONS) == sorted((of["R9"], of["R23"]), key=lambda one: one.name)
    assert cited_by(f"question: {of['R9'].name}", QUESTIONS) == [of["R9"]]
    for source in ("004", "ruling: R", "ruling: R99", "ruling: XR9", "ruling: R90", ""):
        assert cited_by(source, QUESTIONS) == []


def test_they_are_listed_with_the_rulings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulings", "--game", "unigames"]) == 0
    out = capsys.readouterr().out
    for one in QUESTIONS:
        assert out.count(f"  read: {one.title}: {one.asks} {one.taken.text}\n") == len(one.about)
    assert main(["rulings", "Summon", "--game", "unigames"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Summon\n  • ") and "  read: Where the captured go (R20): May a figure that was" in out
    assert "(R28)" not in out
    assert main(["rulings", "Station", "--game", "unigames"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Station\n  read: ") and all(f"({number})" in out for number in ("R3", "R4", "R39"))


def test_every_ruling_names_the_readings_it_cites(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulings", "--game", "unigames", "--format", "json"]) == 0
    told = {(one["card"], one["name"]): one["cites"] for one in json.loads(capsys.readouterr().out)}
    assert len(told) == len(cases_in(LIBRARY))
    cites = told["The core", "An attack that leads back to its start was an Action"]
    (taken,) = [one.taken.text for one in QUESTIONS if "R1" in one.cited_as]
    assert cites == [{"question": "An attack that comes back", "reading": taken}]
    assert told["The core", "Nobody steps off the board"] == []


def test_they_are_listed_as_open_questions(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulings", "--open", "--game", "unigames", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {(one["question"], *one["cited_as"]) for one in told} == {(one.name, *one.cited_as) for one in QUESTIONS}
    assert main(["rulings", "--open", "--game", "unigames"]) == 0
    out = capsys.readouterr().out
    for one in QUESTIONS:
        assert f"{one.title}   {', '.join(one.about)}\n  {one.asks}\n  taken:   {one.taken.text}" in out
