"""A reader who follows a page: writes its files as they come, types its commands, and compares their output."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import dedent

import pytest
from docs_support import PROGRAMS, ROOT, carried_out

LEFT_OUT = "…"
FINDING = ("misspelt", "fmt --diff", "warchest diff", "warchest same")
"""The commands that end as those do that have found something."""
MEASURED = ("warchest bench", "warchest sim", "warchest rate", "warchest balance")
"""Commands whose output depends on the computer and the bots: numbers in it are not compared."""
_BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\S+\.(?:yaml|py|toml))(, at the end)?\n")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    kind: str
    text: str
    line: int

    @property
    def file(self) -> str:
        """The file that it is written into, if its first line names one."""
        first = _FILE.match(self.text)
        return first[1] if first else ""

    @property
    def is_added(self) -> bool:
        """Whether it is added to a file that is there."""
        first = _FILE.match(self.text)
        return first is not None and first[2] is not None

    @property
    def content(self) -> str:
        return self.text.partition("\n")[2] if self.file else self.text

    @property
    def is_shipped(self) -> bool:
        return self.file.startswith("cards/")

    @property
    def commands(self) -> list[tuple[str, str]]:
        """The commands in it, each with its output as shown."""
        if self.kind != "console":
            return []
        parts = (part.partition("\n") for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:])
        return [(command, printed) for command, _, printed in parts]


@lru_cache
def blocks(page: Path) -> tuple[Block, ...]:
    text = page.read_text(encoding="utf-8")
    return tuple(
        Block(found[1], dedent(found[2]), text.count("\n", 0, found.start()) + 1) for found in _BLOCK.finditer(text)
    )


def of_kind(page: Path, kind: str) -> list[Block]:
    return [block for block in blocks(page) if block.kind == kind]


def write(block: Block, folder: Path) -> None:
    """Write a block into the file that it names, or add it at the end of that file."""
    file = folder / block.file
    file.parent.mkdir(exist_ok=True, parents=True)
    if block.is_added:
        file.write_text(file.read_text(encoding="utf-8") + block.content, encoding="utf-8")
    else:
        file.write_text(block.text, encoding="utf-8")


def write_files(page: Path, folder: Path) -> Path:
    """Write all the cards that a page tells its reader to write."""
    for block in of_kind(page, "yaml"):
        if block.file and not block.is_shipped:
            write(block, folder)
    return folder


def steps(page: Path) -> list[tuple[str, str, int]]:
    """The commands of a page with their outputs as shown, and the line of their block."""
    return [(command, said, block.line) for block in blocks(page) for command, said in block.commands]


def agrees(command: str, said: str, printed: str) -> bool:
    """Whether the output is as shown; `…` matches anything."""
    if any(one in command for one in MEASURED):
        said, printed = (re.sub(r"[ \d.]+", " ", text) for text in (said, printed))
    said, printed = ("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (said, printed))
    return re.fullmatch(re.escape(said).replace(re.escape(LEFT_OUT), ".*"), printed, re.DOTALL) is not None


def finds(command: str, said: str) -> bool:
    """Whether a command ends with exit code 1, by its name or by the output shown for it."""
    return any(one in command for one in FINDING) or re.search(r"^error\[|\b[1-9]\d* failed", said, re.M) is not None


def parted(command: str) -> tuple[str, str, str]:
    """Part a command line into a command for a shell, the sign after it, and our own command, which is last."""
    before, sign, own = re.fullmatch(r"(?:(.*?) ?([;|]) )?(.*)", command).groups()  # type: ignore[union-attr]
    is_own = own.split()[0] in PROGRAMS and not re.search(r" [|>;] |; ", own)
    return (before, sign, own) if is_own else (command, "", "")


def environment(folder: Path) -> dict[str, str]:
    """The environment of a reader: the commands on the path, in a folder, and a plain terminal of 100 columns."""
    for name, module in (("warchest", "warchest.cli.main"), ("wc-lint", "warchest.lint.wc_lint"), ("pytest", "pytest")):
        (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n', encoding="utf-8")
        (folder / name).chmod(0o755)
    added = {
        "PATH": f"{folder}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": str(ROOT / "interpreter"),
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    return {**os.environ, **added}


def in_shell(command: str, shell: dict[str, str]) -> tuple[int, str]:
    """The exit code of a command that is run by a shell, and all its output."""
    done = subprocess.run(
        ["sh", "-c", command],
        env=shell,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def follow(page: Path, folder: Path, shell: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Follow a page in a folder, block by block; an output or an exit code other than shown fails the test.

    A shell runs whatever precedes one of the commands in a line, and lines without any; the commands themselves are
    run in this process.
    """
    monkeypatch.chdir(folder)
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.setenv(name, shell[name])
    for block in blocks(page):
        if block.file and not block.is_shipped:
            write(block, folder)
        for command, said in block.commands:
            _type(command, said, f"{page.name}:{block.line}: {command}", shell, monkeypatch)


def _type(command: str, said: str, place: str, shell: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run one command line and compare."""
    before, sign, own = parted(command)
    code, printed = in_shell(before, shell) if before else (0, "")
    if own:
        assert code == 0, f"{place}\n{printed}"
        piped, printed = (printed, "") if sign == "|" else ("", printed)
        code, more = carried_out(own, monkeypatch, piped)
        printed += more
    assert agrees(command, said, printed), f"{place}\nprinted:\n{printed}"
    assert code == finds(command, said), f"{place}\nexit code {code}"
