"""Whatever becomes of the terminal, the output or the disk, a game that is played is kept, or stays on the table."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import pty
import resource
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import warchest.cli.play  # noqa: F401  (so that copies have it)
from copied import CLOSED, Copy
from loaded import shipped
from warchest.cli.main import main
from warchest.replay import load
from warchest.signals import EndedBySignal, told_to_end
from warchest.streams import ask

SAVED = ("--save", "mine.json")
PROMPT = b"raven > "

# The copies have the game that is loaded here.
pytestmark = pytest.mark.usefixtures("loads_once")


def table(folder: Path, *arguments: str, first: Callable[[], object] = int, **streams: Any) -> Copy:
    """A game at a process of its own, which does something else first."""
    shipped()
    (folder / "passing").mkdir()

    def play() -> int:
        first()
        os.chdir(folder)
        os.environ["TMPDIR"] = str(folder / "passing")
        return main(["play", "--seed", "7", "--bot", "random", *arguments])

    return Copy(play, **streams)


def heard(stream: int, until: bytes = PROMPT) -> bytes:
    """The output up to some words."""
    said = b""
    while until not in said:
        assert select.select([stream], [], [], 60)[0], said
        more = os.read(stream, 65536)
        assert more, said
        said += more
    return said


@pytest.mark.parametrize("arguments", [SAVED, ()], ids=["save", "no file"])
def test_a_game_is_saved_when_its_reader_goes_away(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with table(tmp_path, *arguments) as played:
        heard(played.stdout)
        os.write(played.stdin, b"1\n")
        heard(played.stdout)
        played.close(played.stdout)
        os.write(played.stdin, b"1\n")
        assert played.wait() == 0
        said = played.rest(played.stderr).decode()
    name = arguments[-1] if arguments else "war-chest-7.json"
    assert f"saved to {name}\ngo on: warchest play" in said and "Traceback" not in said
    assert sum(step.by == "raven" for step in load(tmp_path / name).taken) == 2


def test_a_game_is_saved_when_its_output_is_full(tmp_path: Path) -> None:
    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, 15_000))

    out = os.open(tmp_path / "out.txt", os.O_WRONLY | os.O_CREAT)
    with table(tmp_path, *SAVED, first=small_disk, stdout=out) as played:
        os.close(out)
        os.write(played.stdin, b"1\n" * 30)
        said = played.rest(played.stderr).decode()
        assert played.wait() == 2
    assert "saved to mine.json" in said and "the output could not be written: File too large" in said
    assert any(step.by == "raven" for step in load(tmp_path / "mine.json").taken)


def test_a_game_without_a_move_leaves_no_file(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full, table(tmp_path, stdout=full.fileno()) as played:
        played.close(played.stdin)
        said = played.rest(played.stderr)
        assert (played.wait(), [one.name for one in tmp_path.iterdir()]) == (2, ["passing"])
    assert said == b"warchest: the output could not be written: No space left on device\n"


def test_a_closed_input_is_its_end(tmp_path: Path) -> None:
    with open(os.devnull, "wb") as nowhere, table(tmp_path, *SAVED, stdin=CLOSED, stdout=nowhere.fileno()) as played:
        assert b"saved to mine.json" in played.rest(played.stderr) and played.wait() == 0


class Signalling(io.StringIO):
    """An output in whose writing out a signal comes."""

    def flush(self) -> None:
        """Send the process a signal to end."""
        os.kill(os.getpid(), signal.SIGTERM)


def test_a_signal_that_comes_while_the_prompt_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    monkeypatch.setattr("sys.stdout", Signalling())
    with told_to_end(), pytest.raises(EndedBySignal):
        ask("raven > ")


def test_bytes_that_are_no_text_fit_nothing(tmp_path: Path) -> None:
    with table(tmp_path, *SAVED) as played:
        os.write(played.stdin, b"\xff\xfe\n1\nquit\n")
        said, notes = played.rest(played.stdout), played.rest(played.stderr)
        assert played.wait() == 0
    assert b"Nothing on offer fits" in said and b"saved to mine.json" in notes


# ---- terminals


@contextmanager
def at_terminal(folder: Path, controls: bool) -> Iterator[tuple[Copy, int]]:
    """A game at a terminal of its own, which may control it: then its end is announced by a signal, too."""
    ours, theirs = pty.openpty()

    def begin() -> None:
        os.setsid()
        if controls:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    with table(folder, *SAVED, first=begin, stdin=theirs, stdout=theirs, stderr=theirs) as played:
        os.close(theirs)
        try:
            yield played, ours
        finally:
            with suppress(OSError):
                os.close(ours)


# Output to the terminal may fail before the signal arrives.
@pytest.mark.parametrize(("controls", "codes"), [(True, {128 + signal.SIGHUP, 2}), (False, {0, 2})])
def test_a_game_is_saved_when_its_terminal_goes_away(tmp_path: Path, controls: bool, codes: set[int]) -> None:
    with at_terminal(tmp_path, controls) as (played, terminal):
        heard(terminal)
        os.write(terminal, b"1\r")
        heard(terminal)
        os.close(terminal)
        assert played.wait() in codes
    assert sum(step.by == "raven" for step in load(tmp_path / "mine.json").taken) == 1


def test_a_window_that_changes_its_size(tmp_path: Path) -> None:
    with at_terminal(tmp_path, controls=True) as (played, terminal):
        heard(terminal)
        for height, width in ((0, 0), (1, 1), (5, 20), (200, 500), (24, 80)):
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
            time.sleep(0.05)
            os.write(terminal, b"board\r")
            heard(terminal)
        os.write(terminal, b"1\r")
        heard(terminal)
        os.write(terminal, b"quit\r")
        assert b"saved to mine.json" in heard(terminal, b"--resume mine.json")
        assert played.wait() == 0


# ---- disks


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Let some lines be typed; each of them may be an act at that moment."""
    monkeypatch.chdir(tmp_path)

    def type_(*typed: str | Callable[[], str]) -> None:
        waiting = iter(typed)

        def answer(_: str) -> str:
            line = next(waiting, None)
            if line is None:
                raise EOFError
            return line if isinstance(line, str) else line()

        monkeypatch.setattr("builtins.input", answer)

    return type_


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_fills_up_spoils_nothing_and_the_game_goes_on(
    lines: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fills_up() -> str:
        monkeypatch.setattr("os.fsync", full)
        return "save"

    def has_room() -> str:
        monkeypatch.setattr("os.fsync", lambda _: None)
        return "quit"

    kept: list[int] = []

    def look() -> str:
        kept.append(len(load("mine.json").taken))
        return "1"

    lines("1", "save", look, fills_up, "quit", look, has_room)
    assert main(["play", "--seed", "7", "--bot", "random", *SAVED]) == 0
    out, err = capsys.readouterr()
    lost = "could not be saved to mine.json: No space left on device; the existing file is unchanged"
    # `save` and `quit` try the file, this folder, and the one for temporary files.
    assert err.count(lost) == 2 and err.count("could not be saved to") == 6
    assert "You are still at the table" in out
    assert kept[0] == kept[1] < len(load("mine.json").taken)
    assert [one.name for one in Path().iterdir()] == ["mine.json"]


def test_a_game_that_can_be_saved_nowhere_is_said_to_be_lost(
    lines: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.fsync", full)
    lines("1")
    assert main(["play", "--seed", "7"]) == 1
    assert "could not be saved" in capsys.readouterr().err


def test_the_place_of_a_game_saved_outside_of_the_folder_is_printed(
    lines: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    passing = tmp_path / "passing"
    passing.mkdir()
    monkeypatch.setattr("warchest.cli.saving.gettempdir", lambda: str(passing))
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    lines("1")
    assert main(["play", "--seed", "7"]) == 0
    assert f"saved to {passing}/war-chest-7.json\ngo on: " in capsys.readouterr().err
    assert load(passing / "war-chest-7.json").taken


@pytest.mark.parametrize("fault", [TypeError("oh"), RecursionError(), MemoryError()], ids=repr)
def test_a_fault_of_the_program_costs_no_game(
    lines: Callable[..., None], fault: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    def stumble() -> str:
        raise fault

    lines("1", stumble)
    assert main(["play", "--seed", "7", *SAVED]) == 2
    assert "saved to mine.json" in capsys.readouterr().err and load("mine.json").taken


@pytest.mark.parametrize("name", ["none\0such.json", "x" * 300, "."])
def test_impossible_names_are_reported(
    lines: Callable[..., None], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines("1", f"save {name}", "quit")
    assert main(["play", "--seed", "7", *SAVED]) == 0
    err = capsys.readouterr().err
    assert ("could not be saved" in err or "not saved" in err) and "saved to mine.json" in err
