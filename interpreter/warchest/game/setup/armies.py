"""The things that players bring to a game: armies, the collections they are taken from, and the points of an army."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from warchest.diagnostics.diagnostic import quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.game.errors import PositionError
from warchest.game.variant import Variant

Armies: TypeAlias = Mapping[str, Sequence[str] | None]
"""The armies or collections of players, by player; None leaves them to the setup."""
Documents: TypeAlias = dict[str, list[int]]
"""The numbers of documents, by player."""

MOST_POINTS = 9999
"""The greatest sum of points that can be allowed to armies."""
LIMIT = "army limit"


@dataclass(frozen=True, slots=True)
class Asked:
    """The armies, points and collections requested in place of the setup's own; None leaves them to the setup."""

    armies: Armies | None = None
    collection: Armies | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Brought:
    """The things that players begin with: their armies, the rest of their collections, and the points of an army."""

    armies: Documents
    besides: Documents
    points: int | None


@dataclass(frozen=True, slots=True)
class Bringing:
    """The rules of a setup for things that players bring: armies go into the zone `army`, the rest of collections into
    `apart`.
    """

    setup: Document
    variant: Variant
    army: str
    apart: str
    asked: Asked

    def brought(self) -> Brought:
        """Return the things that players bring; raises PositionError for impossible or forbidden ones."""
        points = self._points()
        armies = self._documents("armies", self._armies(), self.army, LIMIT in self._values)
        self._check_sizes(points)
        owned = self._documents("collection", self._collections(), self.apart, again=True)
        besides = {player: self._left(player, armies.get(player, []), owned[player]) for player in owned}
        return Brought(armies, besides, points)

    @property
    def _values(self) -> Mapping[str, Any]:
        return self.setup.values

    def _own(self, what: str) -> Armies:
        """Return the armies, or collections, of the setup itself."""
        own: Armies = self._values.get(what, {})
        return own

    # ---- what is asked for

    def _points(self) -> int | None:
        """Return the most points of an army; None if there is no limit."""
        asked, limit = self.asked.points, self._values.get(LIMIT)
        if asked is None:
            return None if limit is None else int(limit["most"])
        if limit is None:
            raise PositionError("points", f"in the setup {self.setup.name!r} armies have no cost in points")
        if isinstance(asked, bool) or not isinstance(asked, int) or not 0 <= asked <= MOST_POINTS:
            needed = f"a whole number from 0 to {MOST_POINTS} is needed"
            raise PositionError("points", f"{needed}, not {quoted(repr(asked))}")
        return asked

    def _armies(self) -> Armies:
        """Return the army of each player: the given army, or the army of the setup."""
        own = self._own("armies")
        if not self.asked.armies:
            return own
        if not self.army:
            raise PositionError("armies", "in this game players bring no armies")
        self._check_brought("armies")
        return {player: own.get(player, ()) if names is None else names for player, names in self.asked.armies.items()}

    def _collections(self) -> Armies:
        """Return the given collections; the collections of a setup are only for the setup's own armies."""
        brought = self.asked.armies or {}
        own = {player: names for player, names in self._own("collection").items() if brought.get(player) is None}
        given = {player: names for player, names in (self.asked.collection or {}).items() if names is not None}
        if (own or given) and not self.apart:
            raise PositionError("collection", "in this game players have no collections")
        if given:
            self._check_brought("collection")
        return {**own, **given}

    def _check_brought(self, what: str) -> None:
        """Check that players bring their armies, and that the setup neither deals them nor lets players choose."""
        if not {"army size", LIMIT} & self._values.keys() and not self._own("armies"):
            raise PositionError(what, f"in the setup {self.setup.name!r} armies are not brought, but made")

    # ---- the documents of armies

    def _documents(self, what: str, lists: Armies, zone: str, again: bool) -> Documents:
        """Return the documents that are named; `again` allows the same one twice. Raises PositionError."""
        found, given = dict[str, list[int]](), set[int]()
        known = self._known(zone) if lists else {}
        for player, names in lists.items():
            if player not in self.variant.naming.players:
                raise PositionError(f"{what}.{player}", "there is no such player")
            if isinstance(names, str) or not isinstance(names, Sequence):
                raise PositionError(f"{what}.{player}", f"a list of names is needed, not {quoted(repr(names))}")
            found[player] = []
            for index, name in enumerate(names):
                document = known.get(name) if isinstance(name, str) else None
                if document is None:
                    raise PositionError(f"{what}.{player}[{index}]", self._unknown(str(name), known, zone))
                if document in given and not again:
                    raise PositionError(f"{what}.{player}[{index}]", f"{name} is dealt twice")
                given.add(document)
                found[player].append(document)
        return found

    def _known(self, zone: str) -> dict[str, int]:
        """Return the documents that can be in a zone, by name."""
        ruleset = self.variant.program.ruleset
        kinds = ruleset.kinds_in(self.variant.format.zones[zone])
        return {one.name: ruleset.sheet_number(one.name, kinds) for one in ruleset.sheets if one.kind in kinds}

    def _unknown(self, name: str, known: Iterable[str], zone: str) -> str:
        kinds = self.variant.program.ruleset.kinds_in(self.variant.format.zones[zone])
        hint = did_you_mean(name, known)
        return f"there is no {' or '.join(kinds)} {quoted(name)}{f'; {hint}' if hint else ''}"

    def _check_sizes(self, points: int | None) -> None:
        """Check that every player brings an army, and that it is of the right size."""
        if points is not None:
            for player, brought in self._armies().items():
                self._check_limit(player, brought or (), points)
        own, asked = self._own("armies"), self.asked.armies or {}
        for player, names in asked.items() if points is None else ():
            size = self._values.get("army size", len(own.get(player) or ()))
            if names is not None and len(names) != size:
                cards = "card is" if size == 1 else "cards are"
                raise PositionError(f"armies.{player}", f"{size} {cards} needed, not {len(names)}")

    def _check_limit(self, player: str, names: Sequence[str], points: int) -> None:
        """Check that the documents of an army are within the limits on points and number."""
        limit, ruleset = self._values[LIMIT], self.variant.program.ruleset
        key, kinds = limit["number"], ruleset.kinds_in(self.variant.format.zones[self.army])
        total = sum(ruleset.sheets[ruleset.sheet_number(name, kinds)].numbers.get(key, 0) for name in names)
        if total > points:
            own = "" if (self.asked.armies or {}).get(player) else "; it is the army of the setup, so bring another one"
            raise PositionError(f"armies.{player}", f"its {key} is {total} in all, and {points} is the most{own}")
        if len(names) > limit.get("cards", len(names)):
            raise PositionError(f"armies.{player}", f"these are {len(names)} cards, and {limit['cards']} is the most")

    def _left(self, player: str, army: Sequence[int], owned: Sequence[int]) -> list[int]:
        """Return the rest of a collection after an army was taken from it; raises PositionError."""
        sheets, there = self.variant.program.ruleset.sheets, Counter(owned)
        for document, needed in Counter(army).items():
            name = quoted(sheets[document].name)
            if document not in there:
                raise PositionError(f"armies.{player}", f"{name} is not in the collection it is taken from")
            if needed > there[document]:
                has = f"the collection it is taken from has {there[document]}"
                raise PositionError(f"armies.{player}", f"it has {needed} times {name}, and {has}")
        return list((there - Counter(army)).elements())
