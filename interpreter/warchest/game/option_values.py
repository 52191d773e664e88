"""The options of a game and their values: the sets in use, and the default of each option."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.layers import choices, usual
from warchest.documents.library import Document, Library
from warchest.game.errors import PositionError

ALL = "all"
"""The word for all sets."""
_DATE = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")


class OptionValues:
    """The options that the layers of a game offer, with their values."""

    def __init__(self, library: Library, document: Document) -> None:
        self.library, self.document = library, document
        self.choices = choices(library)
        self._usual: dict[tuple[tuple[str, ...], str | None], dict[str, str]] = {}
        """The options with their default values, by sets and date."""

    def sets(self, given: Iterable[str] | str | None = None) -> tuple[str, ...]:
        """Return the sets in use: those given (by commas, or `"all"`), or the usual ones; raises PositionError."""
        if given is None and "sets" in self.document.values:
            return tuple(self.document.values["sets"])
        there = sorted({str(one.values["set"]) for one in self.library.documents if "set" in one.values})
        if given is None or given == ALL:
            return tuple(there)
        if not isinstance(given, Iterable):
            raise PositionError("sets", f"a list of names is needed, not {given!r}")
        names = [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)
        for name in names:
            if name not in there:
                hint = did_you_mean(str(name), there) or f"there are: {', '.join(there) or 'none'}"
                raise PositionError("sets", f"there is no set {name!r}; {hint}")
        return tuple(dict.fromkeys(names))

    def all(
        self, given: Mapping[str, Any] | None, sets: Iterable[str] | str | None = None, date: str | None = None
    ) -> dict[str, str]:
        """Return all options with their values: the given values, or the usual ones with these sets at that date.

        Raises PositionError for an option, a set or a date that does not exist.
        """
        if date is not None and not _DATE.fullmatch(str(date)):
            raise PositionError("date", f"a year, or also month and day, is needed, as in 2019-08-31, not {date!r}")
        asked = self.sets(sets), None if date is None else str(date)
        if asked not in self._usual:
            self._usual[asked] = usual(self.library, *asked)
        chosen = dict(self._usual[asked])
        for name, value in (given or {}).items():
            if name not in self.choices:
                raise PositionError(f"options.{name}", f"there are only {', '.join(self.choices) or 'no options'}")
            if value not in self.choices[name]:
                raise PositionError(f"options.{name}", f"it is one of {', '.join(self.choices[name])}")
            chosen[name] = value
        return chosen
