"""Where a game that is played is saved, and how one goes on with it."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from warchest.cli import common
from warchest.replay import Session, Unreadable, load, save

DEFAULT_BOT = "greedy"
"""Who plays the others, unless it is said otherwise."""


class Ended(BaseException):
    """The program is told to end, by the signal of this number."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def told_to_end() -> Iterator[None]:
    """Let the signals that end a program raise Ended while the block runs, but those that are to be ignored."""
    names = ("SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {one: signal.getsignal(one) for one in numbers if signal.getsignal(one) is not signal.SIG_IGN}

    def end(number: int, _: FrameType | None) -> None:
        for one in before:
            # Nothing else breaks off what is still to be done.
            signal.signal(one, signal.SIG_IGN)
        raise Ended(number)

    for one in before:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _free_name(stem: str) -> Path:
    """Return the name of a file in the current folder that does not exist yet."""
    number = 1
    while (path := Path(f"{stem}{f'-{number}' if number > 1 else ''}.json")).exists():
        number += 1
    return path


def refuse_other_files(path: Path) -> None:
    """Raise UsageError where a file is there already and is no saved game."""
    # An empty file is nobody's; what is no file at all is not to be replaced by one.
    if os.path.exists(path) and not (path.is_file() and path.stat().st_size == 0):
        try:
            load(path)
        except Unreadable:
            raise common.UsageError(f"{path} is there already, and is no saved game; choose another name") from None


class Saving:
    """The file of a game; a game that cannot be saved there is saved in the current folder."""

    def __init__(self, session: Session, player: str, args: argparse.Namespace) -> None:
        self.session = session
        self.file = Path(args.save or args.resume) if args.save or args.resume else None
        if args.save:
            refuse_other_files(Path(args.save))
        self.keep = self.file is not None
        """Whether the game is saved when it is over, too."""
        self.lost = False
        """Whether the last attempt to save has failed."""
        self._words = ["warchest", "play", "--as", player, *self._further(args)]

    @staticmethod
    def _further(args: argparse.Namespace) -> list[str]:
        cards = [word for folder in args.cards for word in ("--cards", str(folder))]
        return cards if args.bot == DEFAULT_BOT else [*cards, "--bot", args.bot]

    def save(self) -> None:
        """Save the game; a failure is said, and is no reason not to go on."""
        stem = f"{self.session.game.name}-{self.session.start.seed}"
        files = [*([self.file] if self.file is not None else []), _free_name(stem)]
        self.lost = not any(self._saved(file) for file in files)

    def save_as(self, name: str) -> None:
        """Save the game under a name, which it keeps from then on if that can be done."""
        try:
            refuse_other_files(Path(name))
        except common.UsageError as error:
            common.note(f"not saved: {error}")
            return
        self._saved(Path(name))

    def _saved(self, file: Path) -> bool:
        try:
            save(file, self.session.replay())
        except OSError as error:
            common.note(f"the game could not be saved to {file}: {error.strerror}")
            return False
        self.file, self.lost = file, False
        sys.stdout.flush()
        common.note(f"saved to {file}; go on with: {shlex.join([*self._words, '--resume', str(file)])}")
        return True
