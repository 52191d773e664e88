"""Faults of the second list, each looked for by a command as it is given, in a copy of a game or in new cards.

A fault replaces some texts of a game, or adds some cards. `warchest diff` has to find that the copy plays differently,
or `warchest check` that it has a fault. They get no hints: `check` is only given the card that was changed. All
faults were written down before the first search; those that are not found are marked as `missed`.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from warchest.source.data import data_folder

COMMANDS = Path(__file__).parent / "commands.json"
JOBS = 2
"""The number of processes of a command, the same in all runs because the results depend on it."""


@dataclass(frozen=True)
class Edit:
    """The replacement of a text that is in a file of a game once."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class CommandFault:
    """A fault in texts or in new `cards`; `finds` matches the output of `check` when it finds the fault.

    `check` is the list of cards to name; None: `diff` looks for the fault.
    """

    name: str
    kind: str
    game: str
    edits: tuple[Edit, ...] = ()
    cards: dict[str, str] = field(default_factory=dict)
    check: tuple[str, ...] | None = None
    finds: str = ""
    missed: bool = False
    quick: bool = False

    @property
    def by(self) -> str:
        """The name of the command that looks for it."""
        return "diff" if self.check is None else "check"

    def shipped_folder(self) -> Path:
        """Return the folder of the game as it is shipped."""
        return data_folder("cards") / self.game

    def shipped_text(self, edit: Edit) -> str:
        """Return the text of the file that an edit changes, as it is shipped."""
        return (self.shipped_folder() / edit.file).read_text(encoding="utf-8")

    def plant(self, folder: Path) -> None:
        """Write the copy of the game and the cards into a folder; raises AssertionError where a text has changed."""
        if self.edits:
            shutil.copytree(self.shipped_folder(), folder / self.game)
        for edit in self.edits:
            path = folder / self.game / edit.file
            text = path.read_text(encoding="utf-8")
            assert text.count(edit.old) == 1, f"{edit.file} has {edit.old!r} {text.count(edit.old)} times"
            path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")
        for name, text in self.cards.items():
            (folder / "cards").mkdir(exist_ok=True)
            (folder / "cards" / name).write_text(text, encoding="utf-8")

    def arguments(self) -> list[str]:
        """Return the arguments of the command, in the folder in which it is planted."""
        copy = f"./{self.game}"
        if self.check is None:
            return ["diff", str(self.shipped_folder()), copy, "--game", self.game]
        where = ["--game", copy] if self.edits else ["--game", self.game, "--cards", "cards"]
        return ["check", *where, *self.check]


@dataclass(frozen=True)
class CommandResult:
    """The result of a command: whether it found the fault, the seconds of processor time, and its output."""

    found: bool
    seconds: float
    output: str

    @property
    def how(self) -> str:
        """The way in which the command found it: for `diff` rulings, a position, or both; for `check` the law."""
        law = re.search(r"^FAIL +(.*?)  ", self.output, re.MULTILINE)
        if law is not None:
            return law[1]
        rulings = re.search(r": (\d[\d,]*) (?:has another result|have other results)$", self.output, re.MULTILINE)
        said = [f"{rulings[1]} rulings"] if rulings else []
        return " and ".join(said + ["a position"] * ("the smallest position" in self.output))


def command_faults() -> list[CommandFault]:
    """Return the faults of the list."""
    told = json.loads(COMMANDS.read_text(encoding="utf-8"))
    return [
        CommandFault(
            **{
                **one,
                "edits": tuple(Edit(**edit) for edit in one.get("edits", ())),
                "check": tuple(one["check"]) if "check" in one else None,
            }
        )
        for one in told
    ]


def looked_for(fault: CommandFault, folder: Path, options: Sequence[str] = ()) -> CommandResult:
    """Plant a fault in an empty folder and run its command there, with further options."""
    fault.plant(folder)
    begun = _seconds_of_children()
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from warchest.cli.main import main; sys.exit(main())",
            *fault.arguments(),
            "--jobs",
            str(JOBS),
            *options,
        ],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    output = run.stdout + run.stderr
    assert run.returncode in (0, 1), output
    found = run.returncode == 1 if fault.by == "diff" else re.search(fault.finds, output) is not None
    return CommandResult(found, _seconds_of_children() - begun, output)


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
