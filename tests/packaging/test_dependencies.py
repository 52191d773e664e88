"""Installed packages: ranges that are tested at both ends, a lock with hashes, licences that are listed."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = [Requirement(line) for line in PROJECT["dependencies"]]
TOOLS = [Requirement(line) for line in PROJECT["optional-dependencies"]["dev"]]
LOWEST = ROOT / "requirements" / "lowest.txt"
LOCKED = ROOT / "requirements" / "locked.txt"
LICENCES = ROOT / "docs" / "reference" / "licences.md"
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"


def name_of(requirement: Requirement) -> str:
    return str(canonicalize_name(requirement.name))


def bound(requirement: Requirement, sign: str) -> str:
    """The version after a sign; empty where there is none."""
    return next((one.version for one in requirement.specifier if one.operator == sign), "")


def pinned(file: Path) -> dict[str, Requirement]:
    """The packages of a file of requirements, by name."""
    text = re.sub(r"(\\\n| --hash=\S+|#.*)", "", file.read_text(encoding="utf-8"))
    found = [Requirement(line) for line in text.splitlines() if line.strip()]
    return {name_of(one): one for one in found}


# ---- ranges


@pytest.mark.parametrize("needed", NEEDED, ids=name_of)
def test_a_range_has_two_ends(needed: Requirement) -> None:
    assert bound(needed, ">=") and bound(needed, "<"), "say from which version on, and below which, it works"
    assert len(needed.specifier) == 2


def test_the_lowest_versions_are_those_that_are_tested() -> None:
    lowest = {name: str(one.specifier) for name, one in pinned(LOWEST).items()}
    assert lowest == {name_of(one): f"=={bound(one, '>=')}" for one in NEEDED}


@pytest.mark.parametrize("needed", NEEDED, ids=name_of)
def test_installed_packages_are_in_the_range(needed: Requirement) -> None:
    assert needed.specifier.contains(distribution(needed.name).version, prereleases=True)


# ---- the lock


def test_everything_that_is_asked_for_is_locked_within_its_range() -> None:
    locked = pinned(LOCKED)
    for wanted in (*NEEDED, *TOOLS):
        assert wanted.specifier.contains(bound(locked[name_of(wanted)], "==")), wanted


def test_dependencies_of_locked_packages_are_locked_too() -> None:
    """As far as they are installed here in the version that is locked; or pip would refuse the lock."""
    locked = pinned(LOCKED)
    seen = 0
    for name in locked:
        found = installed(name, locked)
        for line in (found.requires or []) if found is not None else ():
            wanted = Requirement(line)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                assert wanted.specifier.contains(bound(locked[name_of(wanted)], "=="), prereleases=True), (name, line)
                seen += 1
    assert seen > 10 or any(installed(name_of(one), locked) is None for one in NEEDED)


def test_each_locked_package_has_its_version_and_hashes() -> None:
    text = LOCKED.read_text(encoding="utf-8")
    entries = re.split(r"\n(?=[a-z0-9])", text)[1:]
    assert len(entries) == len(pinned(LOCKED)) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==[0-9][0-9a-z.]*( ; .+)? \\\n( +--hash=sha256:[0-9a-f]{64}( \\)?\n)+ +# ", entry)


@pytest.mark.parametrize("file", [LOWEST, LOCKED], ids=lambda file: file.name)
def test_no_source_of_packages_is_named(file: Path) -> None:
    """That is the choice of who installs."""
    assert re.search(r"://|--(extra-)?index|--find-links| @ ", file.read_text(encoding="utf-8")) is None


# ---- what is run for each change


def job() -> dict[str, Any]:
    if not WORKFLOW.is_file():
        pytest.skip("this is no checkout")
    found: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["test"]
    return found


def test_all_versions_of_python_are_tested_that_are_promised() -> None:
    promised = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert job()["strategy"]["matrix"]["python"] == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"


def test_both_ends_of_the_ranges_are_tested() -> None:
    matrix = job()["strategy"]["matrix"]
    ends = {(one["python"], one["versions"]) for one in matrix["include"]}
    assert matrix["versions"] == ["locked"]
    assert ends == {(matrix["python"][0], "lowest"), (matrix["python"][-1], "newest")}
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\ntools_{versions} = " in make for versions in ("locked", "lowest", "newest"))


def test_actions_are_named_by_commit() -> None:
    """With the version after it, for readers."""
    used = [step["uses"] for step in job()["steps"] if "uses" in step]
    text = WORKFLOW.read_text(encoding="utf-8")
    assert used and text.count("uses:") == len(used)
    for action in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.search(rf"{action} # v\d+\.\d+\.\d+\n", text), action


# ---- licences

ALLOWED = {
    "MIT",
    "MIT AND PSF-2.0",
    "MIT-CMU",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0",
    "Apache-2.0",
    "Apache-2.0 OR BSD-2-Clause",
    "MPL-2.0",
    "MPL-2.0 AND MIT",
    "PSF-2.0",
}
SPOKEN = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "BSD": "BSD-3-Clause",
}
"""The names of licences in older metadata."""
MIT = "Permission is hereby granted, free of charge, to any person obtaining a"
"""The beginning of a licence that some metadata do not name."""


def listed() -> list[tuple[str, dict[str, str]]]:
    """The tables of the page: packages with their licences, for users and for developers."""
    parts = LICENCES.read_text(encoding="utf-8").split("\n## ")[1:]
    return [(part, dict(re.findall(r"^\| ([a-z0-9-]+) \| (\S.*?) \|", part, re.MULTILINE))) for part in parts]


def installed(name: str, locked: dict[str, Requirement]) -> Distribution | None:
    """A package, if it is installed here in the version that is locked."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return None
    return found if Version(found.version) == Version(bound(locked[name], "==")) else None


def licence_of(found: Distribution) -> str:
    """The licence that metadata tell."""
    said = found.metadata.get("License-Expression")
    short = str(found.metadata.get("License", ""))
    if said or short in ALLOWED:
        return str(said or short)
    classified = [
        one.rpartition(" :: ")[2] for one in found.metadata.get_all("Classifier") or () if one.startswith("License ::")
    ]
    if not classified and any(MIT in file.read_text() for file in found.files or () if file.name == "LICENSE"):
        return "MIT"
    classified = classified or [short]
    return " AND ".join(SPOKEN.get(one, one) for one in classified)


def test_every_package_is_listed_once() -> None:
    (_, users), (_, developers) = listed()
    assert not users.keys() & developers.keys()
    assert users.keys() | developers.keys() == pinned(LOCKED).keys()
    assert [list(one) for one in (users, developers)] == [sorted(users), sorted(developers)]


def test_users_install_the_needs_of_the_package() -> None:
    """All of it, also the needs of its needs; some only with older versions of Python, or elsewhere."""
    waiting, seen = list(NEEDED), set[str]()
    while waiting:
        wanted = waiting.pop()
        marks = (
            {"extra": "", "python_version": version, "sys_platform": system}
            for version in ("3.11", "3.14")
            for system in ("linux", "darwin")
        )
        if name_of(wanted) not in seen and (wanted.marker is None or any(map(wanted.marker.evaluate, marks))):
            seen.add(name_of(wanted))
            found = installed(name_of(wanted), pinned(LOCKED))
            if found is None:
                pytest.skip(f"{wanted.name} is not installed as it is locked")
            waiting += [Requirement(line) for line in found.requires or ()]
    assert seen - {"colorama"} == listed()[0][1].keys()


@pytest.mark.parametrize(("name", "licence"), [pair for _, table in listed() for pair in table.items()])
def test_licences_are_those_of_the_packages(name: str, licence: str) -> None:
    assert licence in ALLOWED
    found = installed(name, pinned(LOCKED))
    if found is None:
        pytest.skip(f"{name} is not installed as it is locked")
    assert licence_of(found) == licence
