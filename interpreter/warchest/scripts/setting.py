"""The position of a script: the sum of its lines, and the words that its faults are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from warchest.diagnostics.diagnostic import quoted
from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.scripts.fault import Fault, fault
from warchest.scripts.forms import Caught
from warchest.scripts.gaps import SheetText
from warchest.scripts.notation import LinePhrase, Notation, bare, filled
from warchest.source.text import Span

IMPOSSIBLE = "impossible-position"
_LAST = re.compile(r"[.\[][^.\[]*$")


class Setting:
    """A position that is assembled line by line."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.mapping: dict[str, Any] = {}
        self.places: dict[str, Span] = {}
        """The words that gave the parts of the position, by the paths of these: `pieces[2].at`."""
        self.said: set[str] = set()
        """The parts that lines give explicitly, and do not only imply; each is given once."""
        self.changes: list[tuple[Mapping[str, Any], Span]] = []
        """The changes that lines make in the entries of others, with their places; those may follow later."""

    def add(self, phrase: LinePhrase) -> None:
        """Add the phrase of a line."""
        says, known = phrase.form.says, dict(phrase.known)
        for key, value in says.get("with", {}).items():
            known.setdefault(key, Caught(bare(filled(value, known)), phrase.span))
        added: set[str] = set()
        for one in phrase.more:
            for key, value in filled(one.form.says.get("adds", {}), one.known).items():
                if key in added and not isinstance(value, list):
                    raise _again(key, one.span)
                added.add(key)
                kept = known[key].value if key in known else None
                joined = [*kept, *value] if isinstance(kept, list) and isinstance(value, list) else value
                known[key] = Caught(joined, one.span)
        self._merge(self.mapping, filled(says.get("gives", {}), known), "", phrase.span, False)
        self._merge(self.mapping, filled(says.get("once", {}), known), "", phrase.span, True)
        for one in phrase.more:
            self._merge(self.mapping, filled(one.form.says.get("gives", {}), one.known), "", one.span, False)
        for caught in _texts(phrase):
            self._merge(self.mapping, getattr(caught.value, "once", {}), "", caught.span, True)
        self.changes += [(bare(filled(change, known)), phrase.span) for change in says.get("changes", ())]

    def settle(self) -> None:
        """Make the changes of the lines, now that all are there; raises Fault for a change of a missing entry."""
        for change, span in self.changes:
            self._change(change, span)
        self.changes.clear()

    def _merge(self, into: dict[str, Any], given: Mapping[str, Any], path: str, span: Span, once: bool) -> None:
        """Merge a mapping into another: lists are extended, mappings merged; raises Fault if a value is given twice."""
        for key, told in given.items():
            value, place = (told.value, told.span) if isinstance(told, Caught) else (told, span)
            where = f"{path}.{key}" if path else str(key)
            if isinstance(value, Mapping):
                self.places.setdefault(where, place)
                self._merge(into.setdefault(key, {}), value, where, place, once)
            elif isinstance(value, list) and not path.endswith("]"):
                self._extend(into.setdefault(key, []), value, where, place, once)
            elif not (once and key in into):
                if where in self.said:
                    raise _again(where, place)
                if not once:
                    self.said.add(where)
                self.places[where] = place
                for index, item in enumerate(value if isinstance(value, list) else ()):
                    self.places[f"{where}[{index}]"] = item.span if isinstance(item, Caught) else place
                into[key] = bare(value)

    def _extend(self, into: list[Any], items: Iterable[Any], path: str, span: Span, once: bool) -> None:
        for told in items:
            item, place = (told.value, told.span) if isinstance(told, Caught) else (told, span)
            if once and bare(item) in into:
                continue
            where = f"{path}[{len(into)}]"
            self.places[where] = place
            if isinstance(item, Mapping):
                into.append({})
                self._merge(into[-1], item, where, place, False)
            else:
                into.append(item)

    def _change(self, change: Mapping[str, Any], span: Span) -> None:
        """Change the entries of a list that a line is about; raises Fault where there is none."""
        found = [
            entry
            for entry in self.mapping.get(change["in"], ())
            if all(entry.get(key) == getattr(value, "name", value) for key, value in change["where"].items())
        ]
        if not found:
            named = ", ".join(str(getattr(value, "name", value)) for value in change["where"].values())
            raise fault(IMPOSSIBLE, f"no line of the position has {quoted(named)}", span)
        for entry in found:
            entry.update({key: getattr(value, "name", value) for key, value in change["to"].items()})

    def state(self, game: Game, span: Span) -> State:
        """Return the state for the position; raises Fault at the words that caused it."""
        self.settle()
        mapping: dict[str, Any] = {}
        base = Setting(self.notation)
        base._merge(mapping, self.notation.values.get("start", {}), "", span, False)
        for key, value in self.mapping.items():
            joined = isinstance(value, Mapping) and isinstance(mapping.get(key), Mapping)
            mapping[key] = {**mapping[key], **value} if joined else value
        try:
            state = game.position(mapping)
        except PositionError as error:
            raise self.fault(error, span) from None
        return state

    def fault(self, error: PositionError, span: Span) -> Fault:
        """Return the fault of the position, at the words that caused it."""
        field = error.field
        while field and field not in self.places:
            field = _LAST.sub("", field) if _LAST.search(field) else ""
        return fault(IMPOSSIBLE, f"the position cannot be: {error}", self.places.get(field, span))


def _again(what: str, span: Span) -> Fault:
    return fault(
        IMPOSSIBLE, f"{quoted(span.text)} repeats an earlier line: {what}", span, help="take one of the two out"
    )


def _texts(phrase: LinePhrase) -> list[Caught]:
    """Return the caught values that are borne documents."""
    everything = [*phrase.known.values(), *(caught for one in phrase.more for caught in one.known.values())]
    return [caught for caught in everything if isinstance(caught.value, SheetText)]
