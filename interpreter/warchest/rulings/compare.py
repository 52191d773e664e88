"""The expectations of a case against the facts: the comparison of parts of positions and of options."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from warchest.game.position.keys import OVER, Shapes
from warchest.source.records import record

_MISSING = object()
_CALLED_BY = ("place", "document", "name")
"""The parts of a list's shape with the names of the keys that identify its items."""
_LONG = 4
"""The least length of lists for which only the differing items are listed."""


@record()
class PartDifference:
    """A part of a position that is not as expected: its key, such as `hand.raven`, and the difference in a line."""

    key: str
    line: str

    @classmethod
    def of(cls, key: str, how: str) -> PartDifference:
        """Return the difference in a part whose line names its key."""
        return cls(key, f"{key}: {how}")

    @property
    def root(self) -> str:
        """The key of the position that the part belongs to."""
        return self.key.partition(".")[0]


def matches(wanted: Mapping[str, object], data: Mapping[str, object]) -> bool:
    """Whether an option's data have every wanted key with the wanted value."""
    return all(data.get(key, _MISSING) == value for key, value in wanted.items())


def differences(
    expected: Mapping[str, object],
    actual: Mapping[str, object],
    counts: Collection[str] = (),
    shapes: Shapes | None = None,
) -> list[str]:
    """Return a line for each of the `unlike_parts`."""
    return [one.line for one in unlike_parts(expected, actual, counts, shapes)]


def unlike_parts(
    expected: Mapping[str, Any], actual: Mapping[str, Any], counts: Collection[str] = (), shapes: Shapes | None = None
) -> list[PartDifference]:
    """Return the parts of `expected` that have another value in a position.

    Only the given entries of a mapping (by player, by option) are compared, and each of these in full. `counts` are the
    keys that are 1 where an item of a list leaves them out. By the `shapes` of the keys of positions, items of lists
    are identified by their place and document.
    """
    found = list[PartDifference]()
    for key, value in expected.items():
        if key not in actual and (_is_empty(value) or (key == OVER and value is None)):
            continue  # positions leave out usually empty keys, and the winner while play goes on
        teller = _PartTeller(counts, _labels_of((shapes or {}).get(key, {})))
        if key not in actual:
            found.append(PartDifference.of(key, f"expected {shown(value)}, but the position has no such key now"))
        elif isinstance(value, Mapping) and isinstance(actual[key], Mapping):
            for name, inner in value.items():
                found += teller.parts(f"{key}.{name}", inner, actual[key].get(name))
        else:
            found += teller.parts(key, value, actual[key])
    return found


def _labels_of(shape: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys by whose values people identify an item of a list: its place and its document."""
    return tuple(shape[one] for one in _CALLED_BY if one in shape)


class _PartTeller:
    """Reports, part by part, the differences of a value from the expected one; items are identified by `labels`."""

    def __init__(self, counts: Collection[str], labels: tuple[str, ...]) -> None:
        self.counts, self.labels = counts, labels

    def parts(self, key: str, expected: object, actual: object) -> list[PartDifference]:
        """Return the parts that differ; none where the values say the same."""
        if agree(expected, actual, self.counts):
            return []
        found = list[PartDifference]()
        if isinstance(expected, Mapping) and isinstance(actual, Mapping):
            for name in dict.fromkeys((*expected, *actual)):
                like = next(one[name] for one in (expected, actual) if name in one)
                usual = 1 if name in self.counts else type(like)() if like is not None else None
                found += self.parts(f"{key}.{name}", expected.get(name, usual), actual.get(name, usual))
        elif isinstance(expected, list) and isinstance(actual, list):
            if self.labels and all(isinstance(one, Mapping) for one in (*expected, *actual)):
                found = [PartDifference.of(key, one) for one in self._of_items(expected, actual)]
            elif min(len(expected), len(actual)) >= _LONG:
                found = [PartDifference.of(key, one) for one in self._of_many(expected, actual)]
        return found or [PartDifference.of(key, f"expected {shown(expected)}, but it is {shown(actual)}")]

    def _of_items(self, expected: list[Any], actual: list[Any]) -> Iterator[str]:
        """Yield the differences between the items of two lists, each item compared with the most similar one."""
        missing, further = self._apart(expected, actual)
        for labels in (self.labels, self.labels[-1:], self.labels[:1]):
            for one in list(missing):
                alike = [other for other in further if all(one.get(key) == other.get(key) for key in labels)]
                if alike:
                    other = min(alike, key=lambda other: len(self._of_parts(one, other)))
                    missing.remove(one)
                    further.remove(other)
                    yield f"{self._called(one)}: {', '.join(self._of_parts(one, other))}"
        yield from (f"{self._called(one)} is expected, but it is not there" for one in missing)
        yield from (f"{self._called(one)} is there, but it is not expected" for one in further)

    def _of_parts(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
        """Return the parts that differ between two items; keys that are left out are empty, or 1 in `counts`."""
        found = []
        for key in dict.fromkeys((*one, *other)):
            pair = [item.get(key, 1 if key in self.counts else _MISSING) for item in (one, other)]
            usual = [type(like)() for like in pair if like is not _MISSING and like is not None]
            said = [usual[0] if value is _MISSING and usual else value for value in pair]
            if not agree(said[0], said[1], self.counts):
                found.append(f"{key} expected {shown(said[0])}, it is {shown(said[1])}")
        return found or [f"expected {shown(one)}, it is {shown(other)}"]

    def _of_many(self, expected: list[object], actual: list[object]) -> Iterator[str]:
        """Yield the items that only one of two long lists has."""
        missing, further = self._apart(expected, actual)
        yield from (f"{shown(one)} is expected, but it is not there" for one in missing)
        yield from (f"{shown(one)} is there, but it is not expected" for one in further)

    def _apart(self, expected: list[object], actual: list[object]) -> tuple[list[Any], list[Any]]:
        """Return the items of two lists that have no equal partner in the other one."""
        missing, further = list[Any](), list(actual)
        for one in expected:
            partner = next((other for other in further if agree([one], [other], self.counts)), _MISSING)
            if partner is _MISSING:
                missing.append(one)
            else:
                further.remove(partner)
        return missing, further

    def _called(self, item: Mapping[str, Any]) -> str:
        """Return the place and the document of an item, or the whole item if it names neither."""
        return " ".join(shown(item[key]) for key in self.labels if key in item) or shown(item)


def _is_empty(value: object) -> bool:
    """Whether a value is an empty list, or a mapping of empty values."""
    return all(map(_is_empty, value.values())) if isinstance(value, Mapping) else value == []


def agree(expected: object, actual: object, counts: Collection[str] = ()) -> bool:
    """Whether two values are equivalent: lists in any order, and missing keys of mappings are empty, or 1 in `counts`."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return _canonical(_filled(expected, actual, counts)) == _canonical(actual)
    if isinstance(expected, list) and isinstance(actual, list):
        # Keys that only some items have are empty in the others.
        like = {key: one for item in actual if isinstance(item, Mapping) for key, one in item.items()}
        said, so = ([_filled(item, like, counts) for item in items] for items in (expected, actual))
        return _canonical(said) == _canonical(so)
    return type(expected) is type(actual) and bool(expected == actual)


def _filled(value: object, like: Mapping[str, object], counts: Collection[str]) -> object:
    """Return a mapping with usual values for the keys that it lacks and another mapping has."""
    if not isinstance(value, Mapping):
        return value
    usual = {key: 1 if key in counts else type(one)() for key, one in like.items() if one is not None}
    return {**usual, **value}


def _canonical(value: object) -> object:
    """Return a value in which equal lists are equal whatever their order."""
    if isinstance(value, Mapping):
        return {key: _canonical(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return sorted(json.dumps(_canonical(item), sort_keys=True) for item in value)
    return value


def shown(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(item) for item in value) + "]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
