"""Edits of written positions, for any game: things are put, moved and removed, and values are set.

The result need not be a position that the game accepts: that is checked separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from warchest.game.errors import PositionError
from warchest.game.position.position_parts import ZONE_SORTS, KeyPart
from warchest.source.records import record

PENDING = "pending"
"""The key of an act under way, which an edited position does not have."""
MOST_DEEP = 8
"""The most keys of a path to a value."""


@record()
class ThingSpot:
    """A place for a thing: a space, or a zone with its face, if it has any; and the owner.

    `key` names the key of the position if several keys can have the thing. If there is no place, all fields are empty.
    """

    space: str = ""
    zone: str = ""
    owner: str = ""
    face: str = ""
    key: str = ""


@record()
class _MovedThing:
    """A thing that is moved: its name and its owner, the number of tokens, and the entry of a piece with its key."""

    name: str
    owner: str = ""
    tokens: tuple[str, ...] = ()
    entry: Mapping[str, Any] | None = None
    key: str = ""


class PositionEditor:
    """Edits one position of a variant; `parts` are the parts of the variant's positions."""

    def __init__(self, parts: Iterable[KeyPart], position: Mapping[str, Any], teams: Mapping[str, str]) -> None:
        """Make the editor; `teams` are the teams of the players, which have things together."""
        self.parts, self.teams = {one.key: one for one in parts}, teams
        self.position: dict[str, Any] = deepcopy({key: value for key, value in position.items() if key != PENDING})

    def set(self, path: Sequence[str | int], value: Any) -> None:
        """Set a value by its path, or remove it (None); raises PositionError where the path leads nowhere."""
        if not 0 < len(path) <= MOST_DEEP:
            raise PositionError("path", f"1 to {MOST_DEEP} keys are needed")
        *before, last = path
        holder: Any = self.position
        for step in before:
            named = isinstance(holder, dict) and isinstance(step, str)
            holder = holder.setdefault(step, {}) if named else _item(holder, step, path)
        if isinstance(holder, dict) and isinstance(last, str):
            holder.update({last: value}) if value is not None else holder.pop(last, None)
        elif value is not None:
            _item(holder, last, path)
            holder[last] = value
        else:
            _item(holder, last, path)
            del holder[last]

    def move(self, name: str, owner: str, source: ThingSpot, target: ThingSpot) -> None:
        """Move a thing from one place to another; without a source it is new, without a target it is removed.

        An empty name means the first thing at the source; an owner, if given, is the new owner. Raises PositionError.
        """
        thing = _MovedThing(name, owner, (name,))
        if source.space or source.zone:
            thing = self._taken(name, owner, source)
        elif not name and not any(one.sort == "spaces" and one.key == target.key for one in self.parts.values()):
            raise PositionError("name", "the name of a thing is needed")
        if target.space:
            self._put_on(thing, target)
        elif target.zone:
            self._put_into(thing, target)

    # ---- taking

    def _taken(self, name: str, owner: str, source: ThingSpot) -> _MovedThing:
        """Take a thing away from a place, and return it."""
        for part in self._keys(source):
            found = self._taken_from(part, name, source) if source.space else self._taken_out(part, name, source)
            if found is not None:
                return replace(found, owner=owner or found.owner)
        raise PositionError("source", f"there is no {name or 'thing'} at {source.space or source.zone}")

    def _keys(self, spot: ThingSpot) -> list[KeyPart]:
        """Return the parts that a place can belong to: pieces before the spaces of owners, because pieces are on top."""
        if spot.key and spot.key not in self.parts:
            raise PositionError("key", f"there is no key {spot.key[:60]!r}; there are: {', '.join(self.parts)}")
        found = [self.parts[spot.key]] if spot.key else list(self.parts.values())
        if spot.zone:
            return [one for one in found if spot.zone in (one.of, one.key)]
        return sorted(found, key=lambda one: one.sort == "spaces")

    def _taken_from(self, part: KeyPart, name: str, source: ThingSpot) -> _MovedThing | None:
        """Take a piece, or a space of an owner, away from the board."""
        value = self.position.get(part.key)
        if part.sort == "pieces":
            return self._entry_taken(part, name, source)
        if part.sort == "places" and name in ("", *part.names) and source.space in _list(value):
            _list(value).remove(source.space)
            return _MovedThing(part.names[0], tokens=part.names)
        if part.sort in ("owned pieces", "spaces") and name in ("", *part.names, part.key):
            for one, spaces in _mapping(value).items():
                if source.space in _spaces(spaces) and (
                    source.owner in ("", one) or self.teams.get(source.owner) == one
                ):
                    self._keep(part, one, [space for space in _spaces(spaces) if space != source.space])
                    return _MovedThing(next(iter(part.names), ""), one, part.names, key=part.key)
        return None

    def _entry_taken(self, part: KeyPart, name: str, source: ThingSpot) -> _MovedThing | None:
        """Remove the entry of a piece, or the row of a thing in a zone."""
        entries, at = _list(self.position.get(part.key)), part.entry
        for entry in entries:
            called, whose = _text(entry, at["document"]), _text(entry, at.get("owner", ""))
            is_there = part.sort == "rows" or (
                _text(entry, at["place"]) == source.space and source.owner in ("", whose)
            )
            if is_there and name in ("", called):
                entries.remove(entry)
                count = _mapping(entry).get(at.get("tokens", ""), 1)
                stack = _mapping(entry).get(at.get("stack", "")) or [called] * (count if isinstance(count, int) else 1)
                return _MovedThing(called, whose, tuple(map(str, stack)), entry, part.key)
        return None

    def _taken_out(self, part: KeyPart, name: str, source: ThingSpot) -> _MovedThing | None:
        """Take a thing out of a zone."""
        value, whose = self.position.get(part.key), source.owner
        if part.sort == "count" and isinstance(value, int) and value > 0:
            self.position[part.key] = value - 1
            return _MovedThing(part.names[0], tokens=part.names)
        if part.sort == "rows":
            return self._entry_taken(part, name, source)
        if part.sort == "counts":
            counts = _mapping(_mapping(value).get(whose))
            if counts.get(name):
                counts[name] -= 1
                return _MovedThing(name, whose, (name,))
        if part.sort == "zone":
            for things in self._lists(part, source):
                called = name or next(iter(things), "")
                if called in things:
                    things.remove(called)
                    return _MovedThing(called, whose, (called,))
        return None

    def _lists(self, part: KeyPart, spot: ThingSpot) -> list[list[str]]:
        """Return the lists of things in an owner's zone: the list of the face, or the lists of all faces."""
        value = self.position.get(part.key)
        if part.owners:
            value = _mapping(value).get(spot.owner)
        faces = [spot.face] if spot.face else part.faces
        return [_list(_mapping(value).get(face)) for face in faces] if part.faces else [_list(value)]

    # ---- putting

    def _put_on(self, thing: _MovedThing, target: ThingSpot) -> None:
        """Put a thing onto a space, as a piece, or as a space of its owner where the key lists such spaces."""
        wanted = target.key or thing.key
        fitting = [one for one in self._keys(replace(target, key=wanted)) if self._takes(one, thing, wanted)]
        if not fitting:
            raise PositionError("name", f"there is no piece {thing.name[:60]!r}")
        part = fitting[0]
        owner = self._owner(part, thing.owner or target.owner or next(iter(part.owners), ""))
        if part.sort == "pieces":
            self._put_entry(part, thing, owner, target.space)
        elif part.sort == "places":
            self.position[part.key] = sorted({*_list(self.position.get(part.key)), target.space})
        else:
            spaces = _spaces(_mapping(self.position.get(part.key)).get(owner))
            self._keep(part, owner, sorted({*spaces, target.space}))

    def _owner(self, part: KeyPart, owner: str) -> str:
        """Return the owner, or the owner's team, in the form that a key uses; raises PositionError."""
        found = owner if owner in part.owners else self.teams.get(owner, owner)
        if part.owners and found not in part.owners and (owner or not part.nobody):
            raise PositionError("owner", f"one of {', '.join(part.owners)} is needed, not {owner[:60]!r}")
        return found if part.owners else ""

    def _takes(self, part: KeyPart, thing: _MovedThing, wanted: str) -> bool:
        """Whether a key can have a thing on a space; a key for a list of spaces must be requested explicitly."""
        if part.sort == "spaces":
            return wanted == part.key
        return part.sort in ("pieces", "places", "owned pieces") and thing.name in part.names

    def _put_entry(self, part: KeyPart, thing: _MovedThing, owner: str, space: str) -> None:
        """Put a piece onto a space; if the space has a piece of this name and owner, add a token to that piece."""
        at, entries = part.entry, self.position.setdefault(part.key, [])
        if not isinstance(entries, list):
            raise PositionError(part.key, "a list is needed")
        whose = {at["owner"]: owner or None} if "owner" in at else {}
        fresh = {at["place"]: space, at["document"]: thing.name, **whose}
        same = [one for one in entries if all(_text(one, key) == (said or "") for key, said in fresh.items())]
        if "tokens" in at and same and isinstance(same[0].get(at["tokens"], 1), int):
            same[0][at["tokens"]] = same[0].get(at["tokens"], 1) + len(thing.tokens)
            return
        moved = dict(thing.entry) if thing.entry is not None and thing.key == part.key else {}
        if not moved:
            fresh |= {value.path[0]: value.choices[0] for value in part.values if value.needed and len(value.path) == 1}
        entries.append({**moved, **fresh})

    def _put_into(self, thing: _MovedThing, target: ThingSpot) -> None:
        """Put a thing, or the tokens that a piece is made of, into a zone."""
        parts = [one for one in self._keys(target) if one.sort in ZONE_SORTS]
        if not parts:
            raise PositionError("target", f"there is no zone {target.zone[:60]!r}")
        part = parts[0]
        owner = self._owner(part, target.owner or thing.owner)
        for name in thing.tokens or (thing.name,):
            if name not in part.names:
                raise PositionError("name", f"{name[:60]!r} cannot lie in {target.zone}")
            self._add(part, name, owner, target.face, thing)

    def _add(self, part: KeyPart, name: str, owner: str, face: str, thing: _MovedThing) -> None:
        """Add a thing to a zone."""
        key = part.key
        if part.sort == "count":
            count = self.position.get(key, 0)
            self.position[key] = count + 1 if isinstance(count, int) else 1
        elif part.sort == "rows":
            row = dict(thing.entry) if thing.entry is not None and thing.key == key else {part.entry["document"]: name}
            self.position.setdefault(key, []).append(row)
        elif part.sort == "counts":
            counts = self.position.setdefault(key, {}).setdefault(owner, {})
            counts[name] = counts.get(name, 0) + 1
        else:
            holder, last = self.position, key
            for step in (*([owner] if part.owners else []), *([face or part.faces[0]] if part.faces else [])):
                holder, last = holder.setdefault(last, {}), step
            holder.setdefault(last, []).append(name)

    def _keep(self, part: KeyPart, owner: str, spaces: Sequence[str]) -> None:
        """Set the spaces of an owner."""
        told = self.position.setdefault(part.key, {})
        if part.sort == "spaces" or len(spaces) > 1:
            told[owner] = list(spaces)
        elif spaces:
            told[owner] = spaces[0]
        else:
            told.pop(owner, None)


def _item(holder: Any, step: str | int, path: Sequence[str | int]) -> Any:
    """Return an item of a list; raises PositionError where there is none."""
    if not isinstance(holder, list) or not isinstance(step, int) or step >= len(holder):
        raise PositionError("path", f"there is nothing at {'.'.join(map(str, path))[:80]}")
    return holder[step]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _spaces(value: Any) -> list[Any]:
    """Return the spaces of an owner, where a single one may be given without a list."""
    return [value] if isinstance(value, str) else _list(value)


def _text(entry: Any, key: str) -> str:
    """Return a text of an entry; empty where it has none."""
    value = entry.get(key) if isinstance(entry, dict) else None
    return value if isinstance(value, str) else ""
