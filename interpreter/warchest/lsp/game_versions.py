"""Games by the texts of an editor: the last version without errors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

from warchest.game.errors import CardError
from warchest.source.text import Source

MOST_TRIED = 4
"""The most attempts to make a version of some texts: each further one leaves out those with errors."""


class GameKey(NamedTuple):
    """A game, by its name or by its folder with a slash at the end, and the folders of cards read on top of it."""

    name: str
    folders: tuple[str, ...]


GivenText = Mapping[str, str | None]
V = TypeVar("V")


class LatestVersion(Generic[V]):
    """A value that is made of a game's texts, such as the game itself: its last version without errors.

    A text with errors is replaced by its last version without errors, or left out if there never was one. If the
    errors are outside of the game's folders, the value stays as it was.
    """

    def __init__(self, make: Callable[[GameKey, V | None, GivenText], V]) -> None:
        self._make = make
        self._made: dict[GameKey, V] = {}
        self._tried: dict[GameKey, tuple[tuple[int, ...], bool]] = {}
        """The texts that it was last made of, by their identities, and whether all of them were valid."""
        self._valid: dict[str, str] = {}
        """For each path the last text that was valid."""

    def of(self, key: GameKey, texts: Mapping[str, Source]) -> V | None:
        """Return the version of some texts, as far as they are valid; None if there is none."""
        marks = tuple(map(id, texts.values()))
        if self._tried.get(key, (None, False))[0] != marks:
            self._tried[key] = marks, self._try(key, {path: one.text for path, one in texts.items()})
        return self._made.get(key)

    def _try(self, key: GameKey, texts: Mapping[str, str]) -> bool:
        """Make the value from the valid texts among some; return whether all are valid."""
        given: dict[str, str | None] = dict(texts)
        for _ in range(MOST_TRIED):
            try:
                self._made[key] = self._make(key, self._made.get(key), given)
            except CardError as error:
                broken = {os.path.abspath(one.file) for one in error.diagnostics if one.file}
                own = (one for one in sorted(broken) if one.startswith(heads(key.folders)))
                inside = [one for one in own if given.get(one, "") is not None]
                if not inside:
                    return False
                for one in inside:
                    last = self._valid.get(one)
                    given[one] = last if last != given.get(one) else None
            else:
                self._valid.update({one: text for one, text in given.items() if text is not None})
                return given == texts
        return False

    def latest(self, key: GameKey) -> V | None:
        """Return the last version, even if the texts have changed; None if there is none."""
        return self._made.get(key)

    def is_whole(self, key: GameKey) -> bool:
        """Whether all texts that the value was last made from were valid."""
        return self._tried.get(key, (None, False))[1]

    def forget(self) -> None:
        """Forget all versions: other files are read from now on."""
        self._made.clear()
        self._tried.clear()


def heads(folders: Iterable[str]) -> tuple[str, ...]:
    """Return the beginnings of the paths of files in some folders."""
    return tuple(os.path.join(os.path.abspath(one), "") for one in folders)
