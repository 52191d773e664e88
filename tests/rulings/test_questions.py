"""Every open question: its readings, the option that chooses among them, and a ruling that shows the difference."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import warchest
from loaded import documents, shipped
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.layers import choices, readings, usual
from warchest.documents.library import Document
from warchest.rulings.cases import Case, read_cases
from warchest.rulings.questions import Question, questions_in
from warchest.rulings.runner import run_case

SHIPPED = Path(__file__).resolve().parents[2] / "cards" / "war-chest"
CASES = SHIPPED / "rulings" / "open-questions.yaml"
LIBRARY = documents()
QUESTIONS = questions_in(LIBRARY)
OPTIONS = sorted(readings(LIBRARY))


def alternatives() -> list[tuple[Question, str]]:
    """Each question with an option, and each of its values that is not the usual one."""
    return [
        (question, reading.value)
        for question in QUESTIONS
        for reading in question.others
        if question.option and reading.value
    ]


every_alternative = pytest.mark.parametrize(
    ("question", "value"), alternatives(), ids=[f"{question.option}={value}" for question, value in alternatives()]
)


@cache
def cases_of_questions() -> tuple[list[Case], list[Document], list[Diagnostic]]:
    """Return the rulings that show the readings, and their mistakes, read once."""
    return read_cases([CASES])


def test_there_are_many_questions() -> None:
    assert len(QUESTIONS) >= 22
    assert {question.option for question in QUESTIONS} - {None} == set(OPTIONS)


def test_the_chosen_reading_is_first_and_all_readings_differ() -> None:
    told = {one.name: one.values for one in LIBRARY.of_kind("question")}
    texts = {name: [one["reading"] for one in values["readings"]] for name, values in told.items()}
    assert set(texts) == {question.name for question in QUESTIONS}
    assert [name for name, values in told.items() if values["taken"] != texts[name][0]] == []
    assert [name for name, among in texts.items() if len(set(among)) != len(among)] == []


def test_they_are_about_existing_documents() -> None:
    apart = ("question", "rulings", "errata")
    names = {document.name for document in LIBRARY.documents if document.kind not in apart}
    assert [(one.name, name) for one in QUESTIONS for name in one.about if name not in names] == []


def test_an_option_has_the_values_of_the_readings() -> None:
    values = {one.name: sorted(reading.value for reading in one.readings if reading.value) for one in QUESTIONS}
    known = choices(LIBRARY)
    assert values == {one.name: [] if one.option is None else sorted(known[one.option]) for one in QUESTIONS}
    usually, chosen = usual(LIBRARY, ("base",)), [one for one in QUESTIONS if one.option is not None]
    assert [one.name for one in chosen if one.taken.value != usually[str(one.option)]] == []


def test_a_reading_that_is_not_offered_has_a_reason() -> None:
    offered = {one.name: bool(one.others) and all(reading.value for reading in one.others) for one in QUESTIONS}
    assert [one.name for one in QUESTIONS if bool(one.not_offered) is offered[one.name]] == []


def test_every_option_of_a_reading_is_explained_by_one_question() -> None:
    assert sorted(question.option for question in QUESTIONS if question.option is not None) == OPTIONS


def test_printings_are_no_readings() -> None:
    assert set(choices(LIBRARY)) - set(OPTIONS) == {"royal_guard"}


def test_a_ruling_shows_every_other_reading() -> None:
    cases, _, errors = cases_of_questions()
    assert not errors
    cited = defaultdict[tuple[str | None, str], set[str]](set)
    for case in cases:
        for one in case.values["position"].get("options", {}).items():
            cited[one].add(case.source)
    named = {(question.option, value): f"question: {question.name}" for question, value in alternatives()}
    assert {one: cited[one] for one in named} == {one: {source} for one, source in named.items()}


def test_a_ruling_shows_the_difference() -> None:
    """The expectations of the cases under an option fail without it."""
    game, cases = shipped(), cases_of_questions()[0]
    differing = set()
    for case in cases:
        options = case.values["position"]["options"]
        ((option, value),) = [one for one in options.items() if one[0] in OPTIONS]
        then = {key: kept for key, kept in case.values.get("then", {}).items() if key != "options"}
        rest = {name: kept for name, kept in options.items() if name != option}
        position = {**case.values["position"], "options": rest}
        values = {**case.values, "position": position, **({"then": then} if then else {})}
        if run_case(game, Case(case.card, case.name, case.source, values, case.node)).outcome == "failed":
            differing.add((option, value))
    assert differing == {(question.option, value) for question, value in alternatives()}


# ---- options of readings in positions


@pytest.fixture(scope="module")
def game() -> warchest.Game:
    return shipped()


def start(options: dict[str, Any] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"to_act": "raven", "hand": {"raven": ["Scout"], "wolf": ["Royal Coin"]}}
    return found if options is None else {**found, "options": options}


def test_a_position_contains_only_unusual_readings(game: warchest.Game) -> None:
    for given in (None, {}, {"spy_discard": "facedown"}, {"royal_guard": "original"}):
        assert game.position(start(given)).position()["options"] == {"royal_guard": "original"}
    told = {"royal_guard": "revised", "spy_discard": "faceup"}
    assert game.position(start(told)).position()["options"] == told


@every_alternative
def test_a_position_with_another_reading_is_read_back(game: warchest.Game, question: Question, value: str) -> None:
    assert question.option is not None
    state = game.new(seed=1, options={question.option: value})
    assert state.position()["options"] == {"royal_guard": "original", question.option: value}
    assert game.position(state.position()) == state
    assert state.variant.options[question.option] == value


def test_a_position_without_them_means_the_usual_values(game: warchest.Game) -> None:
    state = game.new(seed=1)
    assert game.position({**state.position(), "options": {}}) == state
    assert {name: state.variant.options[name] for name in OPTIONS} == {name: game.choices[name][0] for name in OPTIONS}


def test_all_other_readings_can_be_combined(game: warchest.Game) -> None:
    others = {name: values[-1] for name, values in game.choices.items()}
    state = game.new(seed=1, options=others, sets="all")
    assert state.position()["options"] == others
    assert game.position(state.position()) == state
