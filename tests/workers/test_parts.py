"""Work in parts has the same results, however it is divided, and whichever process does which part first."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loaded import shipped
from warchest.source.text import Source
from warchest.testing.bot_games import BotTable, GameLimit, GamesPart, SeededGames
from warchest.testing.budget import UNLIMITED
from warchest.testing.check_report import CheckReport, portions_of
from warchest.testing.game_records import Record
from warchest.testing.law_check import CheckTask, Finding, GameCheck, TaskOutcome
from warchest.testing.laws import LAWS, LawFault
from warchest.testing.tally import BY, Tally

LIMIT = GameLimit(400)
GAMES = 9


@cache
def record_of(number: int, seed: int) -> Record:
    """A game that was played once."""
    return _PLAY(table(), number, seed, LIMIT)


@cache
def table() -> BotTable:
    return BotTable(shipped(), shipped().beginning(), ["policy-c", "random"])


_PLAY = BotTable.play


def parts(together: int, fails: int = -1) -> list[GamesPart]:
    """The results of the games in parts; one of them may fail."""

    def play(_: BotTable, number: int, seed: int, *__: object) -> Record:
        if number == fails:
            raise ValueError(f"game {number}")
        return record_of(number, seed)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BotTable, "play", play)
        games = SeededGames(table(), 3, GAMES, together, LIMIT, BY, keeps=True)
        return [games(first) for first in games.units]


@settings(max_examples=20, deadline=None)
@given(st.integers(1, GAMES + 1), st.integers(-1, GAMES - 1))
def test_parts_of_games_add_up(together: int, fails: int) -> None:
    seats = table().beginning.variant.board.seats
    whole, merged, records = Tally(seats, BY), Tally(seats, BY), list[Record]()
    for number in range(GAMES if fails < 0 else fails):
        whole.add(record_of(number, 3 + number))
    for part in parts(together, fails):
        merged.merge(part.tally)
        records += part.records
        if part.error is not None:
            assert str(part.error) == f"game {fails}"
            break
    else:
        assert fails < 0
    assert [one.seed for one in records] == list(range(3, 3 + whole.games))
    # Also the order in which bots and cards come is the same.
    assert (repr(vars(merged)), list(merged.tables("games"))) == (repr(vars(whole)), list(whole.tables("games")))


class PlantedCheck(GameCheck):
    """A check that finds, in each portion, the faults that a plan says, and names another clause when it shrinks them."""

    plan: list[list[int]]

    def _look(self, task: CheckTask, outcome: TaskOutcome) -> None:
        for law, number in zip(LAWS, self.plan[task.place], strict=False):
            text = f"clause {number}\nshrunk {number % 3} by {task.place}\n"
            clauses = (Source("planted.yaml", text).span(0, text.index("\n")),)
            outcome.findings.append(Finding(task, LawFault(law.name, "planted", clauses), {}))

    def smallest(self, finding: Finding) -> Finding:
        """Blame the second line."""
        source = finding.fault.clauses[0].source
        clauses = (source.span(source.text.index("\n") + 1, len(source.text) - 1),)
        return replace(finding, path=("shrunk",), fault=replace(finding.fault, clauses=clauses))


def reported(plan: list[list[int]], order: list[int], processes: list[int]) -> list[tuple[object, ...]]:
    """The findings in the report, where portions are done in this order, each by the process of this number."""
    checks = [PlantedCheck(shipped(), games=0) for _ in range(3)]
    outcomes: dict[int, TaskOutcome] = {}
    for one in checks:
        one.plan = plan
    for place in order:
        outcomes[place] = checks[processes[place]].look(CheckTask((f"card {place}",), place=place))
    report = CheckReport(checks[0], [], [], portions_of(checks[0], [], UNLIMITED))
    for place in sorted(outcomes):
        report.add(outcomes[place].task, outcomes[place])
    report.sort(None)
    return [(line.name, one.task.place, one.path, one.key) for line in report.laws for one, _ in line.findings]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_report_of_a_check_does_not_depend_on_the_distribution_of_work(data: st.DataObject) -> None:
    plan = data.draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=2), min_size=1, max_size=6))
    places = list(range(len(plan)))
    order = data.draw(st.permutations(places))
    processes = data.draw(st.lists(st.integers(0, 2), min_size=len(plan), max_size=len(plan)))
    expected = reported(plan, places, [0] * len(plan))
    assert reported(plan, list(order), processes) == expected
    assert expected and all(path == ("shrunk",) for _, _, path, _ in expected)


def test_a_full_disk_in_a_report_keeps_the_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = PlantedCheck(shipped(), games=0)
    check.plan = [[0], [1]]
    report = CheckReport(check, [], [], portions_of(check, [], UNLIMITED))
    for place in range(2):
        report.add(CheckTask(("card",)), check.look(CheckTask(("card",), place=place)))

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device", "a.yaml")

    monkeypatch.setattr("warchest.testing.check_report.write_finding", full)
    report.sort(tmp_path)
    assert [file for line in report.laws for _, file in line.findings] == ["", ""]
    assert report.unwritten is not None and report.unwritten.filename == "a.yaml"
