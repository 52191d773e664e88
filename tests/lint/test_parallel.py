"""Several large jobs are done side by side, and come to the same as one after the other."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lint_support import CARDS

HERE = "import sys\nfrom pathlib import Path\nfrom warchest.lint import parallel\nfrom warchest.lint.jobs import jobs\n"
TELL = "print([(one.name, one.file, one.span.line) for report in found for one in report.findings])\n"


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """Copies of two games, each with a mistake."""
    for name, file, old, new in (
        ("war-chest", "units/pikeman.yaml", "coins: 4", "coins: foo"),
        ("unigames", "actions/move.yaml", "this departs", "this deparrts"),
    ):
        shutil.copytree(CARDS / name, tmp_path / name)
        card = tmp_path / name / file
        card.write_text(card.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere one after the other is the only way")
def test_it_is_the_same_side_by_side(spoilt: Path) -> None:
    told = []
    for large in (1, 10_000):
        code = f"{HERE}parallel.LARGE = {large}\nfound = parallel.linted(jobs([Path(sys.argv[1])], None, ()))\n{TELL}"
        done = subprocess.run([sys.executable, "-c", code, str(spoilt)], capture_output=True, text=True, check=True)
        told.append(done.stdout)
    assert told[0] == told[1] and "wrong-type" in told[0] and "unknown-word" in told[0]


@pytest.mark.parametrize("side", ["one", "several"])
def test_a_fault_of_the_linter_is_told_with_the_game(side: str) -> None:
    code = f"""
import sys
from warchest import parallel as work
from warchest.lint import main, parallel
work.processors = lambda: 2
parallel.LARGE = {1 if side == "several" else 10_000}
def stumble(job, folder):
    raise AttributeError("oh")
parallel.lint = stumble
sys.exit(main.main(["--no-cache"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wc-lint: this is a fault of the program itself: ")
    assert done.stderr.endswith("unigames cannot be linted: AttributeError: oh\n") and done.stderr.count("\n") == 1
