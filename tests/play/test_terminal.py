"""Play in a terminal of any size: a pseudo-terminal shows the screen of a person."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Sequence
from pathlib import Path

import pytest

CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")
BEGINNINGS = {
    "two": (), "four": ("--players", "4", "--sets", "all"), "squares": ("--game", "unigames"),
}  # fmt: skip


def seen(lines: Sequence[str], columns: int, rows: int, folder: Path, *arguments: str, **more: str) -> str:
    """Return the text that a terminal of a size shows while somebody types some lines, without its codes."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    environment |= {"TERM": "xterm", "PAGER": "cat", "PYTHONUTF8": "1", **more}
    run = subprocess.Popen([sys.executable, "-m", "warchest.cli.main", "play", "--seed", "3", *arguments],
                           stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment)  # fmt: skip
    os.close(theirs)
    os.write(ours, "".join(f"{line}\n" for line in (*lines, "abandon")).encode())
    told = b""
    while True:
        try:
            told += os.read(ours, 65536)
        except OSError:  # The other end is closed.
            break
    os.close(ours)
    assert run.wait() == 0
    return CODES.sub("", told.decode())


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_nothing_is_wider_than_the_terminal(beginning: str, tmp_path: Path) -> None:
    lines = ["1", "1", "help", "log", "log rules", "c", "board", "options", "why not attack", "hint", "dance"]
    told = seen(lines, 60, 20, tmp_path, *BEGINNINGS[beginning])
    assert "Traceback" not in told and "The greedy bot would take" in told
    assert [line for line in told.split("\n") if len(line) > 60 and " > " not in line] == []


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_the_board_and_the_question_are_seen_together(beginning: str, tmp_path: Path) -> None:
    told = seen(["1"], 80, 24, tmp_path, *BEGINNINGS[beginning])
    screen = told[: told.rindex(" > ")].split("\n")[-24:]
    assert any(re.match(r"[A-Za-z0-9]+, ", line) for line in screen), "the question is not to be seen"
    on_board = [line for line in screen if re.search(r"\bf[1-7]\b", line)]
    assert len(on_board) == (8 if beginning == "squares" else 7), "the board is not to be seen as a whole"
