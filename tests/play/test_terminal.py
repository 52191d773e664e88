"""Play in a terminal of any size: a pseudo-terminal shows the screen of a person."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import warchest.cli.play  # noqa: F401  (so that copies have it)
from copied import Copy
from loaded import shipped
from warchest.cli.main import main

# The copies have the games that are loaded here.
pytestmark = pytest.mark.usefixtures("loads_once")

CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")
BEGINNINGS = {"two": (), "four": ("--players", "4", "--sets", "all"), "squares": ("--game", "unigames")}


def begun(
    columns: int, rows: int, folder: Path, *arguments: str, encoding: str = "utf-8", **more: str
) -> tuple[int, Copy]:
    """Begin to play in a terminal of a size; return our end of it, and the process."""
    shipped("unigames" if "unigames" in arguments else "war-chest")
    ours, theirs = pty.openpty()
    resize(theirs, columns, rows)

    def play() -> int:
        os.chdir(folder)
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            os.environ.pop(name, None)
        os.environ.update({"TERM": "xterm", "PAGER": "cat", **more})
        return main(["play", "--seed", "3", "--bot", "random", *arguments])

    run = Copy(play, theirs, theirs, theirs, encoding)
    os.close(theirs)
    return ours, run


def resize(terminal: int, columns: int, rows: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def told(ours: int, until: str = "") -> str:
    """Return the text that the terminal shows, without its codes, up to some text, or to the end of the process."""
    shown = b""
    while not until or not CODES.sub("", shown.decode(errors="ignore")).endswith(until):
        try:
            shown += os.read(ours, 65536)
        except OSError:  # The other end is closed.
            break
    return CODES.sub("", shown.decode())


def seen(lines: Sequence[str], columns: int, rows: int, folder: Path, *arguments: str, **more: Any) -> str:
    """Return the text that a terminal of a size shows while some lines are typed, without its codes."""
    ours, run = begun(columns, rows, folder, *arguments, **more)
    os.write(ours, "".join(f"{line}\n" for line in (*lines, "abandon")).encode())
    shown = told(ours)
    os.close(ours)
    assert run.wait() == 0
    return shown


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_no_line_is_wider_than_the_terminal(beginning: str, tmp_path: Path) -> None:
    lines = ["1", "1", "help", "log", "log rules", "c", "board", "options", "why not attack", "hint", "dance"]
    shown = seen(lines, 60, 20, tmp_path, *BEGINNINGS[beginning])
    assert "Traceback" not in shown and "The greedy bot would take" in shown
    assert [line for line in shown.split("\n") if len(line) > 60 and " > " not in line] == []


def test_a_plain_terminal_has_its_own_width(tmp_path: Path) -> None:
    shown = seen(["help", "1"], 60, 40, tmp_path, TERM="dumb")
    assert longest(shown) <= 60 and "Traceback" not in shown


def test_pages_spell_characters_that_the_terminal_does_not_show(tmp_path: Path) -> None:
    shown = seen(["1", "log rules", "show Lancer"], 80, 12, tmp_path, encoding="ascii", TERM="dumb", PAGER="")
    assert "chance draws: player raven" in shown and "\\u20" not in shown


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_the_board_and_the_question_are_seen_together(beginning: str, tmp_path: Path) -> None:
    shown = seen(["1"], 80, 24, tmp_path, *BEGINNINGS[beginning])
    screen = shown[: shown.rindex(" > ")].split("\n")[-24:]
    assert any(re.match(r"[A-Za-z0-9]+, ", line) for line in screen), "the question is not to be seen"
    on_board = [line for line in screen if re.search(r"\bf[1-7]\b", line)]
    assert len(on_board) == (8 if beginning == "squares" else 7), "the board is not to be seen as a whole"


def longest(shown: str) -> int:
    """The width of the output; typed text follows the question."""
    return max(len(line) for line in shown.split("\n") if " > " not in line)


def test_a_window_that_changes_its_size_is_followed(tmp_path: Path) -> None:
    """The window is made small while the game waits for an answer, and then large again."""
    ours, run = begun(120, 40, tmp_path)
    widest = [longest(told(ours, " > "))]
    for columns, rows in ((60, 20), (120, 40)):
        resize(ours, columns, rows)
        os.write(ours, b"board\n")
        widest.append(longest(told(ours, " > ")))
    os.write(ours, b"abandon\n")
    told(ours)
    os.close(ours)
    assert run.wait() == 0
    assert widest[1] <= 60 < widest[0] and widest[2] > 60


@pytest.mark.parametrize("size", [(1, 1), (2, 24), (7, 3), (19, 1)])
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_window_can_be_as_small_as_it_likes(beginning: str, size: tuple[int, int], tmp_path: Path) -> None:
    """All is laid out as if it were somewhat wider, and the terminal folds the lines."""
    lines = ["1", "help", "log", "c", "board", "options", "why not attack", "hint", "dance"]
    shown = seen(lines, *size, tmp_path, *BEGINNINGS[beginning])
    assert "fault" not in shown and "would take" in " ".join(shown.split())
