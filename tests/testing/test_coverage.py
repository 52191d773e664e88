"""Coverage: the obligations of clauses, the facts that meet each kind of them, and the report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from linted import lint_among
from loaded import documents, shipped
from warchest import testing
from warchest.cli.main import main
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.game import Game
from warchest.lowering.code import Branch, KeepMembers, LoopTest, Pick
from warchest.lowering.obligations import ObligationTable
from warchest.rulings.cases import Case, cases_in
from warchest.testing.budget import OutOfTime, ending
from warchest.testing.coverage.collecting import Collector, pairs_of
from warchest.testing.coverage.coverage_page import as_page
from warchest.testing.coverage.excuses import Excuse, excuses_in
from warchest.testing.coverage.missing import MissingSearch
from warchest.testing.coverage.report import LACKING, CoverageReport, as_lcov, as_text, by_ruling, report_of

PROBE = """\
unit: Probe
coins: 5
source: a test
tactic: |
  choose an adjacent unit.
  move to a space 1-2 spaces away through open spaces.
  either control, or attack.
attribute: |
  the limit of this is 3.
  after this controls, it may move.
  when this would lose a coin against an attack,
    you may put a coin in your supply of the type of this into your box instead.
restriction: |
  this cannot control a location unless the height of this is at least 2, or an enemy unit is adjacent to this.
"""
FILE = "extra0.yaml"
UNITS = [{"at": "f4", "unit": "Probe", "owner": "raven", "coins": 2}, {"at": "f5", "unit": "Knight", "owner": "raven"}]
POSITION = {"to_act": "raven", "units": UNITS, "hand": {"raven": ["Probe"], "wolf": ["Scout"]}}

Fact = tuple[str, str]
"""The beginning of a clause of the probe, and a fact of it."""


def case(position: Mapping[str, Any], *do: Mapping[str, Any]) -> Case:
    """Return a ruling that takes some options in a position."""
    anything = cases_in(documents())[0]
    return Case("Probe", "a case", "a test", {"name": "a case", "position": position, "do": list(do)}, anything.node)


def probing() -> Game:
    return shipped("war-chest", PROBE)


def facts(collector: Collector, seen: bool, by: Case | None = None) -> set[Fact]:
    """The facts of the probe that were seen, or those that were not, by any ruling or by one of them."""
    table = collector.table
    own = [one for one in table.in_order() if one.span.path.endswith(FILE)]
    rulings = {(one.clause, one.what): collector.by_ruling.get(table.number(one.key), []) for one in own}
    return {
        fact
        for fact, among in rulings.items()
        if (any(one is by for one in among) if by is not None else bool(among)) is seen
    }


def shown(*cases: Case) -> set[Fact]:
    """The facts of the probe that some rulings show."""
    collector = Collector(probing())
    results = list(collector.run(cases))
    assert [one.message for one in results if one.outcome != "passed"] == []
    return facts(collector, True)


RANGE = "a space 1-2 spaces away through open spaces"
CHOOSE, MOVE = "choose an adjacent unit", "move to a space 1-2 spaces away through open spaces"
AFTER, HEIGHT = "it may move", "the height of this is at least 2"
NEAR = "an enemy unit is adjacent to this"
CANNOT = f"this cannot control a location unless {HEIGHT}, or {NEAR}"
INSTEAD = (
    "when this would lose a coin against an attack, you may put a coin in your supply of the type of this into "
    "your box instead"
)
TACTIC = {"act": "tactic", "coin": "Probe"}


# ---- obligations


def test_obligations_follow_the_order_of_the_text() -> None:
    table = ObligationTable()
    table.probes(probing().variant().program)
    own = [one for one in table.in_order() if one.span.path.endswith(FILE)]
    assert [one.place for one in own] == sorted(one.place for one in own)
    assert [(one.clause, one.what) for one in own[:4]] == [
        (CHOOSE, "done"),
        (CHOOSE, "none"),
        (CHOOSE, "one"),
        (CHOOSE, "many"),
    ]
    wanted = {
        (MOVE, "done"),
        ("control", "done"),
        ("attack", "done"),
        ("the limit of this is 3", "used"),
        (AFTER, "taken"),
        (AFTER, "declined"),
        (INSTEAD, "taken"),
        (INSTEAD, "declined"),
        (INSTEAD, "answered"),
        (INSTEAD, "ignored"),
        (CANNOT, "forbade"),
        (CANNOT, "allowed"),
        (HEIGHT, "true"),
        (HEIGHT, "false"),
        (HEIGHT, "just"),
        (HEIGHT, "beside"),
        (NEAR, "true"),
        (NEAR, "false"),
    }
    assert wanted <= {(one.clause, one.what) for one in own}
    assert {one.number for one in own if one.what in ("least", "most")} == {1, 2}


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_every_text_of_a_game_has_obligations(name: str) -> None:
    """Each document with a sentence that can do anything has something to be seen, each once."""
    table = ObligationTable()
    table.probes(shipped(name).variant().program)
    keys = [one.key for one in table.in_order()]
    assert len(set(keys)) == len(keys)
    assert {one.what for one in table.in_order()} <= LACKING.keys()
    files = {one.span.path for one in table.in_order()}
    for document in shipped(name).library.documents:
        if any(document.blocks(key) for key in ("tactic", "effect")):
            assert document.span.path in files


def test_a_condition_that_is_put_together_counts_part_by_part() -> None:
    table = ObligationTable()
    table.probes(shipped("unigames").variant().program)
    coward = [one for one in table.in_order() if one.span.path.endswith("abilities/coward.yaml")]
    kinds = {one.what for one in coward}
    assert {"forbade", "allowed", "true", "false", "just", "beside"} == kinds


# ---- what is seen


def test_without_a_case_no_fact_is_seen() -> None:
    assert shown() == set()
    collector = Collector(probing())
    assert facts(collector, False) >= {(CHOOSE, "done"), (CANNOT, "forbade")}


def at(*units: tuple[str, str, str, int], **more: Any) -> dict[str, Any]:
    """A position with some units: space, unit, owner and coins."""
    keys = ("at", "unit", "owner", "coins")
    return {**POSITION, "units": [dict(zip(keys, one, strict=True)) for one in units], **more}


ALONE = at(("f4", "Probe", "raven", 2))
CROWD = {**POSITION, "units": [*UNITS, {"at": "f3", "unit": "Scout", "owner": "wolf"}]}
WATCHED = at(("f4", "Probe", "raven", 1), ("f5", "Scout", "wolf", 1), to_act="wolf", supply={"raven": ["Probe"]})
TALL, SMALL = ("e5", "Probe", "raven", 2), ("e5", "Probe", "raven", 1)
FOE = ("e4", "Scout", "wolf", 1)
GRAB, STRIKE = {"act": "control", "coin": "Probe"}, {"act": "attack", "coin": "Scout"}

SEEN: dict[str, tuple[Case, set[Fact], set[Fact]]] = {
    "nothing to choose": (case(ALONE), {(CHOOSE, "none")}, {(CHOOSE, "one"), (CHOOSE, "many"), (CHOOSE, "done")}),
    "one thing": (case(POSITION), {(CHOOSE, "one")}, {(CHOOSE, "none"), (CHOOSE, "many"), (CHOOSE, "done")}),
    "two things": (case(CROWD), {(CHOOSE, "many")}, {(CHOOSE, "none"), (CHOOSE, "one"), (CHOOSE, "done")}),
    "done": (
        case(CROWD, {"act": "tactic", "chosen": "f3", "to": "g3"}, {"act": "control"}),
        {(CHOOSE, "done"), (MOVE, "done"), ("control", "done")},
        {("attack", "done")},
    ),
    "an offer is taken": (
        case(at(TALL), GRAB, {"act": "move", "to": "e4"}),
        {(AFTER, "taken"), (AFTER, "done")},
        {(AFTER, "declined")},
    ),
    "an offer is declined": (
        case(at(TALL), GRAB, {"act": "decline"}),
        {(AFTER, "declined")},
        {(AFTER, "taken"), (AFTER, "done")},
    ),
    "what is tall": (
        case(at(TALL)),
        {(HEIGHT, "true"), (HEIGHT, "just"), (CANNOT, "allowed")},
        {(HEIGHT, "false"), (HEIGHT, "beside"), (NEAR, "true"), (NEAR, "false"), (CANNOT, "forbade")},
    ),
    "what is small and near": (
        case(at(SMALL, FOE)),
        {(HEIGHT, "beside"), (NEAR, "true"), (CANNOT, "allowed")},
        {(HEIGHT, "true"), (HEIGHT, "just")},
    ),
    "what is small and far": (
        case(at(SMALL)),
        {(HEIGHT, "beside"), (HEIGHT, "false"), (NEAR, "false"), (CANNOT, "forbade")},
        {(HEIGHT, "true"), (HEIGHT, "just"), (NEAR, "true"), (CANNOT, "allowed")},
    ),
    "an answer is declined": (
        case(WATCHED, STRIKE, {"act": "decline"}),
        {(INSTEAD, "declined"), (INSTEAD, "answered")},
        {(INSTEAD, "taken"), (INSTEAD, "ignored")},
    ),
    "an answer is given": (
        case(WATCHED, STRIKE, {"act": "put"}),
        {(INSTEAD, "taken"), (INSTEAD, "answered")},
        {(INSTEAD, "declined")},
    ),
    "a case of a value": (
        case(at(TALL, hand={"raven": ["Probe"], "wolf": ["Scout"]}, control={"raven": ["e2"]})),
        {("the limit of this is 3", "used")},
        set(),
    ),
    "the ends of a range": (case(POSITION), {(RANGE, "least"), (RANGE, "most")}, set()),
    "one end of a range": (
        case(
            at(
                ("f1", "Probe", "raven", 1),
                ("e2", "Knight", "raven", 1),
                ("f2", "Archer", "raven", 1),
                ("g2", "Pikeman", "raven", 1),
                ("h1", "Lancer", "raven", 1),
            )
        ),
        {(RANGE, "least")},
        {(RANGE, "most")},
    ),
}


@cache
def all_shown() -> Collector:
    """The collector that has run all these rulings; it has for each fact the rulings that show it."""
    collector = Collector(probing())
    results = list(collector.run([one for one, _, _ in SEEN.values()]))
    assert [one.message for one in results if one.outcome != "passed"] == []
    return collector


@pytest.mark.parametrize("name", SEEN)
def test_a_ruling_shows_its_facts(name: str) -> None:
    one, there, missing = SEEN[name]
    found = facts(all_shown(), True, one)
    assert there - found == set()
    assert missing & found == set()


@pytest.mark.parametrize("fact", LACKING)
def test_every_fact_can_be_lacking_and_be_said(fact: str) -> None:
    said = LACKING[fact]  # type: ignore[index]
    assert said.startswith("has ") and not said.endswith(".")


def test_acts_that_are_only_considered_are_reported_as_such() -> None:
    collector = Collector(probing())
    list(collector.run([case(POSITION)]))
    report = report_of(collector, (), {one.span.path for one in collector.table.all if one.span.path.endswith(FILE)})
    lack = {one.obligation.clause: one.lack for one in report.entries if one.obligation.what == "done"}
    assert lack[CHOOSE] == lack[MOVE] == "has only been considered, and never done"
    assert lack["it may move"] == "has never been done"


def test_a_watched_game_is_the_same_game() -> None:
    """Options and their results do not depend on observers."""
    collector, game = Collector(probing()), probing()
    for one, _, _ in SEEN.values():
        usual, watched = game.position(one.values["position"]), collector.game.position(one.values["position"])
        for step in range(3):
            if usual.decision is None:
                break
            assert watched.decision is not None
            assert [option.data for option in usual.decision.options] == [
                option.data for option in watched.decision.options
            ]
            usual.apply(step % usual.decision.count)
            watched.apply(step % watched.decision.count)
            assert usual.position() == watched.position()


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_every_expression_can_be_watched(name: str) -> None:
    """All conditions of a game can be written so that their parts show their results."""
    collector = Collector(shipped(name))
    variant = collector.game.variant()
    functions, program = variant.machine.functions, variant.program
    for act in program.acts:
        assert all(callable(functions.test(rule.condition)) for rule in act.rules)
        assert all(callable(functions.members(one.among)) for domains in act.domains for one in domains)
    assert all(callable(functions.test(bound.hook.condition)) for bound in program.hooks)
    for routine in program.routines.values():
        for one in routine.instructions:
            assert not isinstance(one, Branch | LoopTest) or callable(functions.test(one.condition))
            assert not isinstance(one, Pick | KeepMembers) or callable(functions.members(one.among))


def test_states_of_the_same_game_elsewhere_are_not_counted() -> None:
    game = probing()
    collector = Collector(game)
    state = game.position(POSITION)
    assert state.decision is not None and state.decision.options
    assert not collector.seen


# ---- pairs of cards


def test_pairs_have_met_on_the_board_and_had_to_do_with_each_other() -> None:
    collector = Collector(probing())
    list(collector.run([case(CROWD)]))
    assert collector.pairs.met == set(pairs_of(["Probe", "Knight", "Scout"]))
    assert collector.pairs.interacted == set()
    list(collector.run([case(CROWD, {"act": "attack", "target": "f3"})]))
    assert collector.pairs.interacted == {("Probe", "Scout")}
    assert set(collector.pairs.interacted) <= set(pairs_of(collector.cards))


# ---- excuses


def test_an_excuse_holds_for_its_facts_alone(tmp_path: Path) -> None:
    file = tmp_path / "excuses.yaml"
    file.write_text(
        f"excused: Some\nclauses:\n  - of: Probe\n    clause: {CHOOSE}\n    never: [none, done]\n    because: a test\n",
        encoding="utf-8",
    )
    library = load([file], read_schemas())
    assert library.findings == []
    excuses = excuses_in(library.documents)
    collector = Collector(probing())
    list(collector.run([case(ALONE)]))
    files = {one.span.path for one in collector.table.all if one.span.path.endswith(FILE)}
    report = report_of(collector, excuses, files)
    kept = {one.obligation.what for one in report.entries if one.excuse is not None}
    assert kept == {"none", "done"}
    assert {one.obligation.what for one in report.entries if one.obligation.clause == CHOOSE and one.lacking} == {
        "one",
        "many",
    }
    assert report.idle == []
    list(collector.run([case(CROWD, {"act": "tactic", "chosen": "f3", "to": "g3"})]))
    assert [one.clause for one in report_of(collector, excuses, files).idle] == [CHOOSE]


# ---- the shipped game


OTHERWISE = ({"light_cavalry_end": "anywhere"}, {"spy_empty": "allowed"})
"""The options under which clauses of the usual texts come up that do not otherwise."""


def test_the_shipped_game_meets_its_obligations() -> None:
    """All clauses of War Chest are shown by a ruling, or excused; and no excuse is idle."""
    library, game = documents("war-chest"), shipped("war-chest")
    collector, usual = Collector(game), game.options(None)
    # Most readings and printings have texts of their own, which are not told here.
    cases = [
        one
        for one in cases_in(library)
        if (given := one.values.get("position", {}).get("options")) in OTHERWISE or game.options(given) == usual
    ]
    for result in collector.run(cases):
        assert result.outcome == "passed"
    files = {one.span.path for one in collector.game.library.documents if one.kind != "errata"}
    report = report_of(collector, excuses_in(library.documents), files)
    assert list(as_text(report))[:-1] == []
    assert [one.clause for one in report.idle] == []
    assert len(report.entries) > 700 and report.pairs > 250


# ---- reports


@pytest.fixture(scope="module")
def report() -> CoverageReport:
    """The report of a few rulings about the probe and its neighbours."""
    collector = all_shown()
    files = {one.span.path for one in collector.game.library.documents if one.kind in ("unit", "action")}
    return report_of(collector, [Excuse("Probe", MOVE, ("none",), "a <b> & test", collector.table.all[0].span)], files)


def test_the_text_describes_missing_facts_in_words(report: CoverageReport) -> None:
    lines = list(as_text(report))
    assert f'"{MOVE}" has never had nothing' not in "".join(lines)
    assert any(line.endswith(f'"{RANGE}" has never been used at its most, 2 (most)') for line in lines) is False
    assert any('"attack" has only been considered, and never done (done)' in line for line in lines)
    counts = report.counts()
    assert counts["obligations"] == counts["met"] + counts["excused"] + counts["lacking"] == len(report.entries)
    assert lines[-1].startswith(f"{counts['obligations']} obligations: {counts['met']} met, ")


def test_the_data_are_json_and_say_the_same(report: CoverageReport) -> None:
    data = json.loads(json.dumps(report.data()))
    assert len(data["entries"]) == data["obligations"]
    assert sum(one["met"] for one in data["entries"]) == data["met"]
    assert sum(not one["met"] and one["excused"] is None for one in data["entries"]) == data["lacking"] > 0


def test_rulings_are_listed_with_the_obligations_they_meet(report: CoverageReport) -> None:
    listed = list(by_ruling(report))
    assert listed and all(entries for _, entries in listed)
    assert {id(one) for _, entries in listed for one in entries} == {id(one) for one in report.entries if one.rulings}


def records(lines: Iterable[str]) -> list[tuple[str, list[str]]]:
    return [(kind, rest.split(",")) for kind, _, rest in (line.partition(":") for line in lines)]


def test_the_tracefile_is_well_formed(report: CoverageReport) -> None:
    """Counts agree with the records they count, and every line and branch is reported once."""
    parts = "\n".join(as_lcov(report)).split("end_of_record")
    assert parts.pop() == "" and len(parts) == len(list(report.files()))
    for part in parts:
        told = records(part.strip().splitlines())
        assert [kind for kind, _ in told[:2]] == ["TN", "SF"]
        lines = [rest for kind, rest in told if kind == "DA"]
        branches = [rest for kind, rest in told if kind == "BRDA"]
        sums = {kind: int(rest[0]) for kind, rest in told if kind in ("LF", "LH", "BRF", "BRH")}
        assert sums["LF"] == len({line for line, _ in lines}) == len(lines)
        assert sums["LH"] == sum(int(count) > 0 for _, count in lines)
        assert sums["BRF"] == len({(line, block, number) for line, block, number, _ in branches}) == len(branches)
        assert sums["BRH"] == sum(taken not in ("-", "0") for *_, taken in branches)
        assert {kind for kind, _ in told} <= {"TN", "SF", "DA", "BRDA", "LF", "LH", "BRF", "BRH"}


class Tags(HTMLParser):
    """Reads a page, and finds tags that are not closed, or that fetch anything."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href"} & {name for name, _ in attrs} and tag not in ("script", "link", "img", "iframe")
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def test_the_page_is_well_formed_and_escaped(report: CoverageReport) -> None:
    page, tags = as_page(report, 'A "page" of <tests>'), Tags()
    tags.feed(page)
    assert tags.open == []
    said = "".join(tags.said)
    assert 'A "page" of <tests>' in said and "a <b> & test" in said
    assert "choose an adjacent unit." in said and "@import" not in page and len(page) < 200_000


# ---- rulings to start from


def test_a_missing_ruling_is_found_by_drawing_and_small() -> None:
    collector = Collector(probing())
    wanted = [
        one
        for one in collector.table.in_order()
        if one.span.path.endswith(FILE) and (one.clause, one.what) == (CHOOSE, "many")
    ]
    names = {one.span.path: one.name for one in collector.game.library.documents}
    search = MissingSearch(collector, wanted, names, seed=1)
    found = {one.obligation.what: one for one in search.found()}
    many = found["many"]
    assert not search.left.keys() & {collector.table.number(one.obligation.key) for one in found.values()}
    assert (CHOOSE, "many") in shown(case(many.position, *([many.option] if many.option else [])))
    assert len(many.position["units"]) <= 3
    assert many.data()["position"] == many.position and many.data()["name"].startswith("many: choose")


def test_no_search_begins_when_the_time_is_over() -> None:
    collector = Collector(probing())
    search = MissingSearch(collector, collector.table.in_order(), {}, seed=1)
    with ending(0.0), pytest.raises(OutOfTime):
        next(search.found())


def test_games_show_clauses_and_pairs() -> None:
    from warchest.bots import bot_named

    game = shipped("war-chest")
    beginning = game.beginning(
        armies={"raven": ["Lancer", "Knight", "Archer", "Scout"], "wolf": ["Pikeman", "Cavalry", "Footman", "Marshall"]}
    )
    collector, bot = Collector(game), bot_named("policy-c", game)
    collector.play(beginning, {"raven": bot, "wolf": bot}, 3, 60)
    seen = set(collector.in_play)
    assert seen and collector.pairs.met and collector.pairs.interacted <= set(pairs_of(collector.cards))


# ---- the command


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], loads_once: None) -> Any:
    def run(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["cover", *map(str, arguments)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err and "fault of the program" not in err
        return code, out, err

    return run


RULINGS = Path(__file__).resolve().parents[2] / "cards" / "war-chest" / "rulings" / "lancer.yaml"


def test_the_command_reports_and_writes(run: Any, tmp_path: Path) -> None:
    lcov, page = tmp_path / "c.info", tmp_path / "c.html"
    code, out, _ = run(RULINGS, "--lcov", lcov, "--html", page)
    assert code == 1 and "units/lancer.yaml: 0 of" not in out and "units/scout.yaml: 0 of" in out
    assert lcov.read_text(encoding="utf-8").startswith("TN:\nSF:")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    code, out, _ = run(RULINGS, "--format", "junit")
    suites = ElementTree.fromstring(out.partition("?>\n")[2])
    cases = suites.findall("./testsuite/testcase")
    assert code == 1 and len(cases) == int(suites.attrib["tests"])
    assert len([one for one in cases if one.find("failure") is not None]) == int(suites.attrib["failures"]) > 0
    code, out, _ = run(RULINGS, "--format", "github")
    assert code == 1 and all(line.startswith("::warning file=") for line in out.splitlines())
    code, out, _ = run(RULINGS, "--by-ruling")
    assert "Lancer: The Lancer does not ride three spaces  (" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--by-ruling", "--missing"], "ask for one of them"),
        (["--html", "no/such/folder/c.html"], "there is no folder 'no/such/folder'"),
        (["--budget", "soon"], "such as 60s or 2m, not 'soon'"),
        (["--games", "0"], "it is at least 1"),
        (["--native", "--reference"], "not allowed with argument"),
        (["no/such/rulings.yaml"], "no/such/rulings.yaml"),
        (["--game", "no-such-game"], "there is no game"),
    ],
)
def test_wrong_arguments_are_refused(run: Any, arguments: list[str], said: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2 and said in err and out == ""


# ---- the page

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "testing.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Coverage\n")[2].partition("\n## ")[0]


def test_the_page_lists_every_fact() -> None:
    told = [fact for row in SECTION.splitlines() if row.startswith("| `") for fact in re.findall(r"`(\w+)`", row[:30])]
    assert sorted(told) == sorted(LACKING.keys() - {"considered"})


def test_the_excuse_on_the_page_is_one(tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", SECTION, re.DOTALL)
    assert [one.message for one in lint_among(tmp_path, text, [])] == []


def test_the_report_on_the_page_is_worded_so() -> None:
    (text,) = re.findall(r"```text\n(.*?)```", SECTION, re.DOTALL)
    for line in text.splitlines()[1:]:
        found = re.fullmatch(r'  \d+:\d+: "[^"]+" (.*) \((\w+)\)', line)
        assert found is not None and LACKING[found[2]] == found[1]  # type: ignore[index]


def test_coverage_is_there_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [one for one in cases_in(documents("war-chest")) if one.card == "Archer"]
    monkeypatch.setattr("warchest.testing.shortcuts.read_rulings", lambda game: (cases, []))
    monkeypatch.setattr("warchest.testing.shortcuts.CAP", 80)
    alone, played = (testing.coverage(shipped(), games) for games in (0, 1))
    assert 0 < len(played.lacking) < len(alone.lacking) < len(alone.entries)
    assert alone.counts() != played.counts()
