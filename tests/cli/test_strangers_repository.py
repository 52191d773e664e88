"""A folder from a stranger with a `.git` that names programs: no command that takes a revision starts any of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linted import usual_texts
from repositories import make_repository
from warchest.source import git

PACKAGE = Path(git.__file__).parents[1]
CARD = "unit: Stranger\ncoins: 4\ntactic: |\n  move.\n"
HOOKS = ("post-checkout", "post-index-change", "pre-commit", "reference-transaction", "pre-auto-gc")
URLS = {
    "ext": "ext::{run} fetched",
    "ssh": "ssh://example.invalid/x",
    "file": "/nowhere",
    "git": "git://example.invalid/x",
    "https": "https://example.invalid/x",
    "helper": "evil::x",
}
"""Addresses of a missing object; git would use another program for each to fetch it."""
COMMANDS = (
    ("mutants", "--in-diff", "HEAD", "--list"),
    ("mutants", "Stranger", "--in-diff", "HEAD", "--list"),
    ("diff", "HEAD:pike.yaml", "pike.yaml", "--positions", "1", "--jobs", "1"),
    ("diff", "pike.yaml", "HEAD:./pike.yaml", "--positions", "1", "--jobs", "1"),
    ("same", "HEAD:pike.yaml", "pike.yaml", "--positions", "1", "--jobs", "1"),
)


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository in which everything that can name a program names one that leaves a mark."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for name in ("WARCHEST_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    folder, marks = tmp_path / "strange", tmp_path / "marks"
    folder.mkdir()
    marks.mkdir()
    run = tmp_path / "run"
    run.write_text(f'#!/bin/sh\ntouch "{marks}/$1"\ncase $1 in clean | smudge) cat ;; esac\n', encoding="utf-8")
    run.chmod(0o755)
    (folder / "pike.yaml").write_text(CARD, encoding="utf-8")
    make_repository(folder)
    (folder / "pike.yaml").write_text(CARD.replace("move.", "attack."), encoding="utf-8")
    plant(folder, run)
    monkeypatch.chdir(folder)
    yield folder
    assert not list(marks.iterdir())


def call(*arguments: str, cwd: Path) -> None:
    subprocess.run(["git", *arguments], cwd=cwd, check=False, capture_output=True, stdin=subprocess.DEVNULL, timeout=20)


def plant(folder: Path, run: Path) -> None:
    """Name the program wherever one can be named, also in a file that is included."""
    settings = {
        "core.fsmonitor": "fsmonitor",
        "core.pager": "pager",
        "core.sshCommand": "ssh",
        "core.askPass": "askpass",
        "core.editor": "editor",
        "core.gitProxy": "proxy",
        "core.alternateRefsCommand": "alternates",
        "credential.helper": "credentials",
        "diff.external": "external",
        "diff.evil.textconv": "textconv",
        "diff.evil.command": "command",
        "filter.evil.clean": "clean",
        "filter.evil.smudge": "smudge",
        "gpg.program": "gpg",
        "remote.origin.uploadpack": "uploadpack",
        "pager.cat-file": "pager",
        "pager.rev-parse": "pager",
        "pager.check-ignore": "pager",
    }
    aliases = {f"alias.{name}": f"!{run} alias" for name in ("cat-file", "rev-parse", "check-ignore", "show", "diff")}
    others = {
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
        "core.hooksPath": str(folder / "hooks"),
        "log.showSignature": "true",
        **aliases,
    }
    for name, value in ({name: f"{run} {mark}" for name, mark in settings.items()} | others).items():
        call("config", "--file", str(folder / "more"), name, value, cwd=folder)
        call("config", name, value, cwd=folder)
    call("config", "include.path", str(folder / "more"), cwd=folder)
    for place in (folder / "hooks", folder / ".git" / "hooks"):
        place.mkdir(exist_ok=True)
        for name in HOOKS:
            (place / name).write_text(f"#!/bin/sh\n{run} hook\n", encoding="utf-8")
            (place / name).chmod(0o755)
    for place in (folder / ".gitattributes", folder / ".git" / "info" / "attributes"):
        place.write_text("* filter=evil diff=evil\n", encoding="utf-8")
    (folder / "git").write_text(f"#!/bin/sh\n{run} named-git\n", encoding="utf-8")
    (folder / "git").chmod(0o755)


def lose(folder: Path, url: str) -> None:
    """Let the text of the card be missing, to be fetched from a place."""
    name = subprocess.run(
        ["git", "-c", "core.fsmonitor=", "ls-tree", "HEAD", "pike.yaml"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()[2]
    (folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
    run = folder.parent / "run"
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": url.format(run=run),
        "remote.origin.vcs": "evil" if url.startswith("evil") else None,
        "fetch.bundleURI": "https://example.invalid/bundle",
    }.items():
        if value is not None:
            call("config", key, value, cwd=folder)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: " ".join(one[:3]))
def test_no_program_named_by_a_repository_is_started(run: Any, planted: Path, command: tuple[str, ...]) -> None:
    ran = run(*command, "--cards", ".", "--game", usual_texts())
    assert ran.code in (0, 1) and "attack" in ran.out


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: " ".join(one[:3]))
def test_missing_objects_are_not_fetched(run: Any, planted: Path, command: tuple[str, ...], url: str) -> None:
    lose(planted, URLS[url])
    ran = run(*command, "--cards", ".", "--game", usual_texts())
    assert ran.code == 2
    assert "git has kept no text of pike.yaml at 'HEAD', and nothing is fetched" in ran.err


def test_a_git_in_the_folder_is_not_the_one_that_is_asked(
    run: Any, planted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join((".", "", os.environ["PATH"])))
    assert run(*COMMANDS[0], "--cards", ".", "--game", usual_texts()).code == 0


def test_other_commands_of_git_would_start_the_planted_programs(planted: Path, tmp_path: Path) -> None:
    """The tests above would see that."""
    for command in (("diff", "HEAD"), ("diff", "--no-ext-diff", "HEAD"), ("status",), ("nosuch",)):
        call(*command, cwd=planted)
    lose(planted, URLS["ext"])
    call("cat-file", "-p", "HEAD:pike.yaml", cwd=planted)
    marks = tmp_path / "marks"
    assert {"clean", "textconv", "fsmonitor", "hook", "fetched"} <= {one.name for one in marks.iterdir()}
    for one in marks.iterdir():
        one.unlink()


def test_no_other_command_takes_a_revision() -> None:
    asking = ("warchest.source.revisions", "warchest.testing.versions", "warchest.source.git")
    told = {
        path.stem
        for path in (PACKAGE / "cli").glob("*.py")
        if any(f"from {name} import" in path.read_text(encoding="utf-8") for name in asking)
    }
    assert told == {command[0] for command in COMMANDS}
