"""The package as a user gets it: the built wheel in a fresh environment, away from the checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import PathDistribution, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DATA = ("grammar", "cards", "schemas", "layouts")

CARD = """\
unit: Halberdier
coins: 4
attribute: |
  after this attacks, it may move.
"""

pytestmark = pytest.mark.packaging


def run(*command: str | Path, cwd: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would: no variable of this test's environment leads back to the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    settings = kept | {"PYTHONNOUSERSITE": "1", "NO_COLOR": "1", "PYTHONUTF8": "1"} | settings
    return subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=settings,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def build(root: Path, target: str, into: Path, **settings: str) -> Path:
    """Build the wheel or the source distribution of the project at `root`."""
    done = run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", into, cwd=root, **settings)
    assert done.returncode == 0, done.stderr
    (built,) = into.iterdir()
    return built


def copy_requirements(of: PathDistribution, into: Path) -> None:
    """Copy the declared requirements of the wheel, and theirs, from the environment of this test.

    So an undeclared requirement is found, and no network is needed.
    """
    waiting, seen = list(of.requires or ()), set()
    while waiting:
        wanted = Requirement(waiting.pop())
        if wanted.name in seen or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        seen.add(wanted.name)
        found = distribution(wanted.name)
        assert wanted.specifier.contains(found.version, prereleases=True), f"{wanted} is not what is installed here"
        waiting += found.requires or ()
        for file in found.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                target = into / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(file.locate()), target)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment `env`, in which the wheel is installed and nothing else."""
    return installed_in(tmp_path_factory.mktemp("home"), wheel)


def installed_in(folder: Path, wheel: Path) -> Path:
    venv.create(folder / "env", with_pip=False, symlinks=True)
    python = folder / "env" / "bin" / "python"
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
    done = run(sys.executable, "-m", "pip", "--python", python, "install", *options, wheel, cwd=folder)
    assert done.returncode == 0, done.stderr
    (packages,) = (folder / "env" / "lib").glob("python*/site-packages")
    (described,) = packages.glob("warchest-*.dist-info")
    copy_requirements(PathDistribution(described), packages)
    return folder


def test_the_wheel_holds_the_package_and_all_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    wanted = {f"warchest/_data/{file.relative_to(ROOT)}" for part in DATA for file in files(ROOT / part)}
    source = ROOT / "interpreter"
    wanted |= {str(file.relative_to(source)) for file in files(source / "warchest")}
    assert names == wanted


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    archive = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(archive) as packed:
        # The first patch releases of Python 3.11 know no filters.
        packed.extractall(tmp_path, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    again = build(tmp_path / archive.name.removesuffix(".tar.gz"), "wheel", tmp_path / "wheel")
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(again) as second:
        assert sorted(first.namelist()) == sorted(second.namelist())


def test_the_data_is_that_of_the_wheel(home: Path) -> None:
    code = f"from warchest.source.data import data_folder; print(*map(data_folder, {DATA}))"
    done = run(home / "env/bin/python", "-c", code, cwd=home)
    assert done.returncode == 0, done.stderr
    found = [Path(word) for word in done.stdout.split()]
    assert [path.name for path in found] == list(DATA)
    assert all((home / "env").resolve() in path.resolve().parents for path in found)


def test_the_linter_prints_its_version(home: Path) -> None:
    done = run(home / "env/bin/wc-lint", "--version", cwd=home)
    assert (done.returncode, done.stderr) == (0, "")
    assert PROJECT["version"] in done.stdout.split()


def test_a_card_is_linted(home: Path) -> None:
    good, bad = home / "halberdier.yaml", home / "misspelt.yaml"
    good.write_text(CARD, encoding="utf-8")
    bad.write_text(CARD.replace("Halberdier", "Fusilier").replace("coins:", "cions:"), encoding="utf-8")
    done = run(home / "env/bin/wc-lint", "--format", "json", good, bad, cwd=home)
    assert done.returncode == 1, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert "unknown-key" in {one["name"] for one in found}
    assert {one["file"] for one in found} == {str(bad)}


def test_a_game_is_played_to_its_end(home: Path) -> None:
    asked = ("sim", "-n", "1", "--seed", "1", "--bots", "policy-c", "--format", "json")
    done = run(home / "env/bin/warchest", *asked, cwd=home)
    assert done.returncode == 0, done.stdout + done.stderr
    game, _summary = records(done.stdout)
    assert {"seed", "armies", "outcome", "turns", "rounds", "decisions"} <= set(game)
    assert game["seed"] == 1
    assert game["outcome"] is not None


def records(text: str) -> list[dict[str, Any]]:
    """The records of an output, which is a list or has one record a line."""
    if text.lstrip().startswith("["):
        return list(json.loads(text))
    return [json.loads(line) for line in text.splitlines() if line.strip()]


# ---- a wheel for one platform


KEPT = {
    "units": "royal-coin archer berserker bishop cavalry crossbowman footman knight pikeman scout swordsman",
    "setups": "random-armies",
    "errata": "bishop-acts-if-able",
    "decrees": "",
    "questions": "",
    "rulings": "",
    "properties": "",
}
"""The files of some folders of the first game that are there in a small one: armies of two sets, and one option."""


def copy_small_game(into: Path) -> None:
    """Copy the first game with few documents, so that few things are compiled."""
    shutil.copytree(ROOT / "cards" / "war-chest", into / "cards" / "war-chest")
    for part, names in KEPT.items():
        kept = {f"{name}.yaml" for name in names.split()}
        files_there = {file.name: file for file in (into / "cards" / "war-chest" / part).iterdir()}
        assert kept <= set(files_there)
        for name in set(files_there) - kept:
            files_there[name].unlink()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that holds a small game compiled, with its usual sets and with all, and in no time."""
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if found is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("compiled")
    hasty = folder / "cc"
    # Its version names no compiler whose output would be trained first: see tests/native/test_trained.py.
    hasty.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo hasty && exit\nexec {found} "$@" -O0 -w\n')
    hasty.chmod(0o700)
    root = folder / "project"
    for part in ("interpreter", "grammar", "schemas", "layouts"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    copy_small_game(root)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, root / name)
    return build(root, "wheel", folder / "wheel", WARCHEST_COMPILED="1", CC=str(hasty))


def test_a_wheel_with_compiled_games_is_for_one_platform(compiled: Path, wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert "-py3-none-" in compiled.name and not compiled.name.endswith("-any.whl")
    with zipfile.ZipFile(compiled) as archive:
        made = [Path(name) for name in archive.namelist() if name.startswith("warchest/_native/")]
    assert {one.suffix for one in made} == {".so", ".json"} and len({one.stem for one in made}) == len(made)


PLAYING = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from warchest.cli.main import main
told = []
for arguments in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        told.append([main(arguments), out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""
"""Commands carried out one after the other: prints the code, the output and the messages of each."""


def test_compiled_games_are_played_without_a_compiler(compiled: Path, home: Path, tmp_path: Path) -> None:
    """The wheel is only unpacked, and precedes the other one, which is installed as this one would be."""
    with zipfile.ZipFile(compiled) as archive:
        archive.extractall(tmp_path / "there")
    nothing = {
        "CC": "/nowhere/cc",
        "PATH": "/nowhere",
        "WARCHEST_CACHE": str(tmp_path / "empty"),
        "PYTHONPATH": str(tmp_path / "there"),
    }
    command = ("sim", "-n", "2", "--cap", "40", "--format", "json", "--jobs", "1")
    wanted = [(*command, "--sets", sets, how) for sets in ("base", "all") for how in ("--native", "--reference")]
    wanted.append((*command, "--native", "--option", "bishop_tactic=lapses"))
    done = run(home / "env/bin/python", "-c", PLAYING, json.dumps(wanted), cwd=home, **nothing)
    assert done.returncode == 0, done.stderr
    *both, other = json.loads(done.stdout)
    assert len(both) == 4 and not any(code for code, _, _ in (*both, other)), done.stdout
    for (_, native, told), (_, reference, _) in zip(both[::2], both[1::2], strict=True):
        assert json.loads(native) == json.loads(reference)
        assert "reference machine" not in told
    assert not list(tmp_path.glob("empty/native/*"))
    assert "the reference machine plays: " in other[2]
