"""Help in colours: at terminals that want them, in the same words."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from warchest import streams
from warchest.lint.wc_lint import main as lint

CODE = re.compile(r"\x1b\[[0-9;]*m")
COLOURED = pytest.mark.skipif(sys.version_info >= (3, 14), reason="argparse has its own colours")


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "is_terminal", lambda error=False: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")  # the captured output is no terminal for the library
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)


@COLOURED
@pytest.mark.parametrize("asked", [["--help"], ["replay", "--help"], ["cover", "--help"]])
@pytest.mark.usefixtures("at_a_terminal")
def test_help_has_colours_and_the_words_of_plain_help(asked: list[str], run: Any, monkeypatch: Any) -> None:
    coloured = run(*asked).out
    monkeypatch.setenv("NO_COLOR", "1")
    plain = run(*asked).out
    assert CODE.search(coloured) and not CODE.search(plain)
    assert re.sub(r"\s+", "", CODE.sub("", coloured)) == re.sub(r"\s+", "", plain)


@COLOURED
@pytest.mark.usefixtures("at_a_terminal")
def test_commands_and_groups_are_coloured_in_the_list(run: Any) -> None:
    assert re.search(r"\x1b\[[\d;]+mplay\x1b\[0m: ", run("--help").out)
    assert re.search(r"\x1b\[[\d;]+mreplay\x1b\[0m {2,}", run().err)


@pytest.mark.usefixtures("at_a_terminal")
def test_without_the_library_help_is_plain(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich_argparse", None)
    if sys.version_info < (3, 14):
        assert not CODE.search(run("sim", "--help").out)


def test_help_that_goes_elsewhere_is_plain(run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert not CODE.search(run("sim", "--help").out)
    with pytest.raises(SystemExit):
        lint(["--help"])
    assert not CODE.search(capsys.readouterr().out)


def test_paragraphs_of_a_description_stay_apart(run: Any) -> None:
    assert re.search(r"report the results\.\n\nThe bots are given", run("sim", "--help").out)
