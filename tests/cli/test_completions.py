"""Completion in shells: scripts that these accept, and the candidates that bash gets from one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from warchest.bots.choose import BOTS
from warchest.cli.commands import COMMANDS
from warchest.cli.completions import PROGRAMS, SHELLS

ASK = """
source {script}
ask() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _shtab_warchest warchest "${{@: -1}}" ""; }}
{asked}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_shell_accepts_its_script(shell: str, program: str, run: Any, tmp_path: Path) -> None:
    script = tmp_path / "script"
    ran = run("completions", shell, program)
    assert (ran.code, ran.err) == (0, "") and program in ran.out
    script.write_text(ran.out, encoding="utf-8")
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("typed", "candidates"),
    [
        ("", set(COMMANDS)),
        ("re", {"read", "replay"}),
        ("sim --b", {"--bots", "--by"}),
        ("sim --bots ", set(BOTS)),
        ("play --game u", {"unigames"}),
        ("test --format s", {"sarif"}),
        ("moves po", {"position.yaml"}),
        ("exhaust --upt", {"--upto"}),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_a_line(typed: str, candidates: set[str], run: Any, tmp_path: Path) -> None:
    (tmp_path / "position.yaml").touch()
    (tmp_path / "script").write_text(run("completions", "bash").out, encoding="utf-8")
    words = " ".join(f"'{word}'" for word in ["warchest", *typed.split(" ")])
    line = ASK.format(script="./script", asked=f"ask {words}")
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert set(done.stdout.split()) == candidates, done.stderr


def test_without_the_library_it_says_how_to_get_it(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.cli.completions.find_spec", lambda name: None)
    ran = run("completions", "zsh")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "warchest: completion needs shtab: pip install 'warchest[shell]'\n"


def test_other_shells_are_refused(run: Any) -> None:
    assert "choose from" in run("completions", "tcsh").err
