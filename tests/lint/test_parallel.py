"""Several large jobs run in parallel, with the same results as one after the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lint_support import small_game

BOTH_WAYS = """
import sys
from pathlib import Path
from warchest import parallel as work
from warchest.lint import side_by_side
from warchest.lint.jobs import jobs
work.processors = lambda: 2
for side_by_side.LARGE in (1, 10_000):
    found = side_by_side.linted(jobs([Path(sys.argv[1])], None, ()))
    print([(one.name, one.file, one.span.line) for report in found for one in report.findings])
"""


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """Two games, each with a mistake."""
    for name, file, old, new in (
        ("first", "game.yaml", "title: Small", "title: [Small]"),
        ("second", "actions/close.yaml", "to close", "to closse"),
    ):
        card = small_game(tmp_path / name) / file
        card.write_text(card.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one after the other is the only way")
def test_it_is_the_same_side_by_side(spoilt: Path) -> None:
    command = [sys.executable, "-c", BOTH_WAYS, str(spoilt)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = done.stdout.splitlines()
    assert told[0] == told[1] and "wrong-type" in told[0] and "unknown-word" in told[0]


@pytest.mark.parametrize("side", ["one", "several"])
def test_a_fault_of_the_linter_is_reported_with_the_game(side: str) -> None:
    code = f"""
import sys
from warchest import parallel as work
from warchest.lint import wc_lint, side_by_side
work.processors = lambda: 2
side_by_side.LARGE = {1 if side == "several" else 10_000}
def stumble(job, cache):
    raise AttributeError("oh")
side_by_side.lint_and_try = stumble
sys.exit(wc_lint.main(["--no-cache"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wc-lint: this is a fault of the program itself: ")
    assert done.stderr.endswith("unigames cannot be linted: AttributeError: oh\n") and done.stderr.count("\n") == 1
