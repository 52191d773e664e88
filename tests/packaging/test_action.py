"""The action for GitHub: it is well-formed, its names exist, and its steps work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import yaml

from warchest.lint.arguments import parser

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "action.yml"
ACTION: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
SET_UP, INSTALL, LINT = ACTION["runs"]["steps"]
CARD = "unit: Outrider\ncoins: 4\ntactic: |\n  move to an adjacent {}.\n"


def shell_of(step: dict[str, Any], folder: Path, given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a step of a shell in a folder, whose `bin` is in front of the path."""
    if which("bash") is None:
        pytest.skip("there is no bash")
    path = f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "interpreter"), **given}
    return subprocess.run(
        ["bash", "-e", "-c", step["run"]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def program(file: Path, text: str) -> None:
    """Write a script that can be run."""
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)


def test_it_names_only_existing_inputs_and_options() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert ACTION["runs"]["using"] == "composite"
    assert set(re.findall(r"inputs\.([a-z-]+)", text)) == set(ACTION["inputs"])
    assert all({"description", "default"} == one.keys() for one in ACTION["inputs"].values())
    known = {name for action in parser()._actions for name in action.option_strings}
    named = set(re.findall(r"--[a-z-]+", LINT["run"] + ACTION["inputs"]["args"]["description"]))
    assert named and named <= known


def test_inputs_reach_shells_by_the_environment_alone() -> None:
    for step in (INSTALL, LINT):
        assert "${{" not in step["run"]
        assert {f"${name}" in step["run"] for name in step["env"]} == {True}


def test_other_actions_are_those_of_the_tests_of_each_change() -> None:
    workflow = ROOT / ".github" / "workflows" / "ci.yml"
    assert re.fullmatch(r"actions/setup-python@[0-9a-f]{40}", SET_UP["uses"])
    assert not workflow.is_file() or SET_UP["uses"] in workflow.read_text(encoding="utf-8")


def test_the_package_comes_from_the_checkout_of_the_action(tmp_path: Path) -> None:
    """With a Python that records its arguments; the environment that it makes is put on the path."""
    program(tmp_path / "bin" / "python", 'echo "$@" >> calls; mkdir -p tools/bin; cp "$0" tools/bin/ || true')
    done = shell_of(INSTALL, tmp_path, {"TOOLS": "tools", "ACTION_FOLDER": "/the action", "GITHUB_PATH": "path"})
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert done.returncode == 0, done.stderr
    assert calls[0] == "-m venv tools" and calls[1].startswith("-m pip install") and calls[1].endswith(" /the action")
    assert (tmp_path / "path").read_text(encoding="utf-8") == "tools/bin\n"


def test_findings_are_annotations_and_fail_the_step(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "wc-lint", f'exec "{sys.executable}" -m warchest.lint.wc_lint "$@"')
    for name, word in (("good", "space"), ("bad", "spase")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "outrider.yaml").write_text(CARD.format(word), encoding="utf-8")
    quiet = {"GITHUB_WORKSPACE": str(tmp_path), "ARGS": "--isolated --no-cache"}
    good = shell_of(LINT, tmp_path, {**quiet, "PATHS": "good"})
    assert good.returncode == 0, good.stdout + good.stderr
    bad = shell_of(LINT, tmp_path, {**quiet, "PATHS": "good bad"})
    assert bad.returncode == 1 and "::error file=bad/outrider.yaml,line=4," in bad.stdout
    assert shell_of(LINT, tmp_path, {**quiet, "PATHS": "$(touch made)"}).returncode == 2
    assert not (tmp_path / "made").exists()
