"""The plugin of pytest: rulings are tests where folders of cards are configured, and other folders are left alone."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from warchest.cli.main import main

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.usefixtures("all_modules")

GOOD = """\
unit: Wayfarer
coins: 4
source: a test
tactic: |
  move to an adjacent space.
rulings:
  - name: It moves
    position:
      to_act: raven
      units:
        - {at: f3, unit: Wayfarer, owner: raven}
        - {at: f7, unit: Scout, owner: wolf, coins: 2}
      hand: {raven: [Wayfarer], wolf: [Royal Coin]}
    offered:
      - {act: tactic, to: f4}
"""
BAD = GOOD.replace("offered:", "not offered:").replace("Wayfarer", "Wanderer")


@pytest.fixture
def cards(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with cards, beside a test in Python, with pytest run as a user would run it."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(test_python="def test_python(): pass\n")
    folder = pytester.mkdir("my-cards")
    (folder / "wayfarer.yaml").write_text(GOOD, encoding="utf-8")
    return folder


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    plugin = ("-p", "warchest.testing.plugin", "-p", "no:cacheprovider")
    return pytester.runpytest_inprocess(*plugin, *arguments)


@pytest.mark.usefixtures("cards")
def test_the_plugin_is_idle_without_configuration(pytester: pytest.Pytester) -> None:
    run(pytester).assert_outcomes(passed=1)


@pytest.mark.usefixtures("cards")
def test_rulings_are_tests(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwarchest_cards = my-cards\n")
    done = run(pytester, "-v")
    done.assert_outcomes(passed=2)
    done.stdout.fnmatch_lines(["my-cards/wayfarer.yaml::It moves PASSED*"])


@pytest.mark.usefixtures("cards")
def test_a_folder_is_named_on_the_command_line(pytester: pytest.Pytester) -> None:
    run(pytester, "--warchest", "my-cards").assert_outcomes(passed=2)
    run(pytester, "--warchest", "my-cards", "test_python.py").assert_outcomes(passed=2)
    run(pytester, "--warchest=my-cards", "-k", "moves").assert_outcomes(passed=1, deselected=1)


def test_a_failing_ruling_shows_the_board_and_how_to_see_it_again(
    pytester: pytest.Pytester, cards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (cards / "wanderer.yaml").write_text(BAD, encoding="utf-8")
    done = run(pytester, "--warchest", "my-cards")
    done.assert_outcomes(passed=2, failed=1)
    done.stdout.fnmatch_lines(
        [
            "*expected not on offer: {act: tactic, to: f4}; but there is*",
            "*\\_____/*",
            "*the smallest position that shows it:*",
            "*- {at: f3, unit: Wanderer, owner: raven}*",
            "*it does not happen without:*",
            "*wanderer.yaml:5: move to an adjacent space.*",
            "*to see it again: warchest test my-cards/wanderer.yaml:7*",
        ]
    )
    assert "Scout, owner" not in str(done.stdout), "the other unit has nothing to do with it"
    capsys.readouterr()
    assert main(["test", "my-cards/wanderer.yaml:7", "my-cards/wayfarer.yaml:9", "--cards", "my-cards"]) == 1
    assert capsys.readouterr().out.endswith("1 passed, 1 failed, 0 skipped\n")
    assert main(["test", "my-cards/wanderer.yaml:2", "--cards", "my-cards"]) == 2
    assert "there is no ruling there" in capsys.readouterr().err


def test_a_card_that_is_wrong_is_an_error_with_its_place(pytester: pytest.Pytester, cards: Path) -> None:
    (cards / "wayfarer.yaml").write_text(GOOD.replace("adjacent", "adjacemt"), encoding="utf-8")
    done = run(pytester, "--warchest", "my-cards")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*unknown word `adjacemt`*", "*wayfarer.yaml:5:14*"])
    (cards / "wayfarer.yaml").write_text("unit: [", encoding="utf-8")
    run(pytester, "--warchest", "my-cards").assert_outcomes(errors=1)
    assert run(pytester, "--warchest", "my-cards", "--warchest-game", "chess").ret != 0


@pytest.mark.usefixtures("cards")
def test_rulings_are_run_side_by_side(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nwarchest_cards = my-cards\n")
    done = run(pytester, "-p", "xdist", "-n", "2", "-v")
    done.assert_outcomes(passed=2)
    done.stdout.fnmatch_lines(["*PASSED my-cards/wayfarer.yaml::It moves*"])


PYTHON = """
from hypothesis import Phase, settings
import warchest
from warchest import testing

@settings(max_examples=8, derandomize=True, database=None, phases=[Phase.generate])
@testing.property(warchest.load(), ["Lancer"], pieces=2)
def test_no_unit_moves(step):
    assert not step.of("move")
"""


def apart(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run in a process of its own, because modules stay loaded."""
    plugins = ("warchest.testing.plugin", "_hypothesis_pytestplugin", "no:cacheprovider")
    return pytester.runpytest_subprocess(*(word for one in plugins for word in ("-p", one)), *arguments)


@pytest.mark.usefixtures("cards")
def test_a_property_in_python_is_checked_again_in_the_position_it_failed_in(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_moves=PYTHON)
    done = apart(pytester, "--hypothesis-show-statistics", "test_moves.py")
    assert done.ret == 1
    assert "stepwise.py" not in str(done.stdout), "its own lines are no help"
    done.stdout.fnmatch_lines(["test_moves.py::test_no_unit_moves:", "*Typical runtimes*"])
    (line,) = {one.removeprefix("E").strip() for one in done.outlines if "to see it again" in one}
    again = shlex.split(line.partition("pytest ")[2])
    done = apart(pytester, *again)
    assert done.ret == 1 and any(line in one for one in done.outlines)
    passes = '{"to_act": "wolf", "hand": {"wolf": ["Royal Coin"]}}'
    assert apart(pytester, *again[:-1], passes).ret == 0
    done = apart(pytester, *again[:-1], "{")
    assert done.ret not in (0, 1)
    done.stderr.fnmatch_lines(["*--warchest-position:1:2*"])


PROPERTIES = """\
properties: Mine
source: a test
says: |
  always for each space, the number of units on it is at most 1.
  never a unit attacks a Knight.
"""


def test_properties_are_tests_that_fail_where_they_are_broken_or_vacuous(
    pytester: pytest.Pytester, cards: Path
) -> None:
    (cards / "mine.yaml").write_text(PROPERTIES, encoding="utf-8")
    done = run(pytester, "-v", "--warchest", "my-cards")
    done.assert_outcomes(passed=3, failed=1)
    done.stdout.fnmatch_lines(
        [
            "my-cards/mine.yaml::always for each space* PASSED*",
            "*VACUOUS: it applied 0 times*",
            "to see it again: warchest test --properties *my-cards",
        ]
    )


def test_a_ruling_that_breaks_a_property_fails(pytester: pytest.Pytester, cards: Path) -> None:
    (cards / "wayfarer.yaml").write_text(
        GOOD.replace(
            "    offered:\n      - {act: tactic, to: f4}\n",
            """\
    do:
      - {act: tactic, to: f4}
""",
        ),
        encoding="utf-8",
    )
    (cards / "mine.yaml").write_text(PROPERTIES.replace("attacks a Knight", "moves"), encoding="utf-8")
    done = run(pytester, "--warchest", "my-cards")
    done.assert_outcomes(passed=2, failed=2)
    done.stdout.fnmatch_lines(["*broken in step 1 (tactic: *`never a unit moves`*"])
