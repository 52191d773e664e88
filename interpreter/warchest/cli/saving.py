"""The file in which a game at the terminal is saved, and the command line that goes on with it."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import gettempdir

from warchest.cli import common
from warchest.cli.outputs import refusal
from warchest.replay import Session, Unreadable, load, save
from warchest.signals import held_back
from warchest.streams import flush

DEFAULT_BOT = "greedy"
"""The default bot for the other seats."""


def _free_name(folder: str, stem: str) -> Path:
    """Return a file name in a folder that is not used yet."""
    number = 1
    while os.path.lexists(path := Path(folder, f"{stem}{f'-{number}' if number > 1 else ''}.json")):
        number += 1
    return path


def refuse_other_files(path: Path) -> None:
    """Raise UsageError if a path is an existing file other than a saved game."""
    reason = refusal(path, "saved game", _is_saved_game)
    if reason:
        raise common.UsageError(reason)


def _is_saved_game(path: Path) -> bool:
    # A device or a folder must not be replaced by a file.
    try:
        load(path)
    except Unreadable:
        return False
    return True


class Saving:
    """The file of a game; if it cannot be written, the game is saved in the current folder or the temporary folder."""

    def __init__(self, session: Session, player: str, args: argparse.Namespace) -> None:
        self.session = session
        self.file = Path(args.save or args.resume) if args.save or args.resume else None
        if args.save:
            refuse_other_files(Path(args.save))
        self.keep = self.file is not None
        """Whether the game is also saved when it is over."""
        self.lost = False
        """Whether the last attempt to save has failed."""
        self.spare: Path | None = None
        """The file in which the game has been saved because its own could not be written."""
        game = ["--game", args.game] if common.is_folder(args.game) else []
        self._cards = [*game, *common.words_for_cards(args)]
        bot = [] if args.bot == DEFAULT_BOT else ["--bot", args.bot]
        self._words = ["warchest", "play", "--as", player, *self._cards, *bot]

    def save(self) -> bool:
        """Save the game; return whether this succeeded. A failure is printed, and does not stop the game."""
        with held_back():
            self.lost = not any(self._saved(file) for file in self._files())
        return not self.lost

    def _files(self) -> Iterator[Path]:
        """Yield the files in which the game can be saved, the best one first."""
        if self.file is not None:
            yield self.file
        if self.spare is not None:
            yield self.spare
        stem = f"{self.session.game.name}-{self.session.start.seed}"
        yield _free_name("", stem)
        with suppress(OSError):
            yield _free_name(gettempdir(), stem)

    def save_as(self, name: str) -> None:
        """Save the game under a name, which it keeps from then on if this succeeds."""
        try:
            refuse_other_files(Path(name))
        except common.UsageError as error:
            common.note(f"not saved: {error}")
            return
        with held_back():
            if self._saved(Path(name)):
                self.file = Path(name)

    def _next(self, file: Path) -> str:
        """Return the command that resumes a saved game, or shows it if it is over."""
        if self.session.state.outcome is None:
            return f"go on: {shlex.join([*self._words, '--resume', str(file)])}"
        return f"see it again: {shlex.join(['warchest', 'replay', str(file), *self._cards])}"

    def _saved(self, file: Path) -> bool:
        try:
            save(file, self.session.replay())
        except (OSError, ValueError) as error:
            whole = "; the existing file is unchanged" if os.path.lexists(file) else ""
            common.note(f"the game could not be saved to {file}: {getattr(error, 'strerror', None) or error}{whole}")
            return False
        self.lost = False
        if self.file is None:
            self.file = file
        elif file != self.file:
            self.spare = file
        with suppress(OSError):
            flush()
        common.note(f"saved to {file}")
        common.note(self._next(file))
        return True
