"""Words for options: the notes on the path of an option, turned into its data and its label."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from warchest.game.telling.naming import NotedThing
from warchest.game.telling.phrases import HIDDEN
from warchest.lowering.code import DECLINED, DOES, INSTEAD, SETTLED, VERBS, Note

if TYPE_CHECKING:
    from warchest.game.variant import Variant

KINDS, REPEATS, REPLACED, NUMBERED = 1, 2, 4, 8
"""Flags for additions that distinguish options with the same words: the kinds of their pieces; things that were named
before; acts that are replaced; and, as a multiple of the last, the number of each option among equal ones.
"""


_PLAIN = re.compile(r"[^\W\d_][\w/'-]*")
"""A word that needs no quotation marks in an id."""
CHOSEN, EACH, REPLACES = "chosen", "each", "instead of"
"""Keys that name no role: of a choice outside any act, of the next member in a loop, and of a replaced act."""


class OptionWords(NamedTuple):
    """The words of an option: its data, and by their keys the things that its label calls by their printed names.

    `things` are all things in the data, by their keys, in the form that the machine uses.
    """

    data: dict[str, Any]
    names: dict[str, str]
    things: dict[str, NotedThing]


def label_of(data: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Return the line for an option's data, with some things called by other names.

    A part of a wider act follows that act: `move: figure c3, turn to n`. A text that is carried out is the last part.
    """
    act = str(data.get("act", ""))
    left_out = ("act", "as", DOES, *(("way",) if DOES in data else ()))
    roles = {key: (names or {}).get(key) or f"{key} {value}" for key, value in data.items() if key not in left_out}
    if "as" in data and act not in roles:
        first = next((key for key in list(roles)[1:]), None)
        roles |= {first: f"{act} {roles[first]}"} if first is not None else {act: act}
    rest = ", ".join((*roles.values(), *([str(data[DOES])] if DOES in data else [])))
    head = str(data.get("as", act))
    return f"{head}: {rest}" if rest else head


def id_of(data: Mapping[str, Any]) -> str:
    """Return the text that identifies an option's data: the act, then each key with its value, sorted.

    Values that are not plain words are written as in JSON: `attack target=f6 unit="Royal Guard"`.
    """
    rest = [f"{_worded(key)}={_worded(value)}" for key, value in sorted(data.items()) if key != "act"]
    return " ".join([_worded(data.get("act", "")), *rest])


def _worded(value: Any) -> str:
    plain = isinstance(value, str) and _PLAIN.fullmatch(value) and value not in ("true", "false", "null")
    return str(value) if plain else json.dumps(value, ensure_ascii=False, sort_keys=True)


def describe(
    notes: Sequence[Note], variant: Variant, memory: list[int], detail: int = 0, hidden: Container[NotedThing] = ()
) -> OptionWords:
    """Return the data of the notes of a path, by name; `hidden` things get no name.

    The act is the last verb named before a document's own text took over; a later verb is `then`. If the act is only a
    part of a wider act, that act is `as`. A chosen role is always named; a settled one if its key is free and its
    thing was not the latest choice, or is new. If its key is taken, a role is named after its verb, or numbered.
    """
    return _Telling(variant, memory, detail, hidden).tell(notes)


def next_key(notes: Sequence[Note], key: str, variant: Variant, memory: list[int]) -> str:
    """Return the key in the data that a role would get if it were chosen after some notes."""
    telling = _Telling(variant, memory, 0)
    telling.tell(notes)
    return telling.name_of(key)


class _Telling:
    """Turns the notes of a path into data, one after the other."""

    def __init__(self, variant: Variant, memory: list[int], detail: int, hidden: Container[NotedThing] = ()) -> None:
        self.naming, self.memory, self.detail, self.hidden = variant.naming, memory, detail, hidden
        self.words: dict[str, Any] = {"act": ""}
        """The data, in which roles keep their places until their things are named."""
        self.things: dict[str, NotedThing] = {}
        self.times: Counter[str] = Counter()
        """The number of times that a role of each key has been named, under any name."""
        self.inside, self.verb, self.kind = False, "", ""
        self.placed = False
        """Whether a thing that was chosen outside any act has turned out to have a part in an act."""

    def tell(self, notes: Sequence[Note]) -> OptionWords:
        """Return the data of the notes."""
        for key, base, value in notes:
            if key in VERBS:
                self._verb(key, base)
            elif key == DOES:
                self.words |= {"way": value, **({DOES: base} if base else {})}
            elif base == "piece" and value >= 0 and not self.naming.is_there(value, self.memory):
                # A piece that the option itself brings has no name before.
                continue
            elif key.endswith(SETTLED):
                self._settled(key.removesuffix(SETTLED), (base, value))
            else:
                self._role(key, (base, value))
        act = self.words["act"]
        if not act:
            self.words["act"] = "choose"
        if self.detail >= NUMBERED:
            self.words["way"] = self.detail // NUMBERED
        if self.kind not in ("", act):
            self.words = {"act": act, "as": self.kind, **self.words}
        return self._named()

    def _named(self) -> OptionWords:
        """Return the data with the names of all things, and the labels of things called by their printed names."""
        names: dict[str, str] = {}
        for key, thing in self.things.items():
            if thing in self.hidden:
                self.words[key] = HIDDEN
                continue
            base, value = thing
            self.words[key] = self.naming.name(base, value, self.memory)
            if base == "piece" and value >= 0 and self.detail & KINDS:
                self.words[key] += f" {self.naming.document(value, self.memory)}"
            printed, noun = self.naming.printed(base, value, self.memory)
            if printed:
                names[key] = printed if key == noun else f"{key} {printed}"
        return OptionWords(self.words, names, self.things)

    def _verb(self, key: str, verb: str) -> None:
        if key == "within":
            self.inside = True
            return
        if key == INSTEAD:
            if self.detail & REPLACED:
                self.words[REPLACES] = verb
            return
        self.verb, tacit = verb, key == "act?"
        if not self.inside and (not self.words["act"] or not (tacit or verb == DECLINED)):
            self.words["act"] = verb
            self.kind = verb if key == "kind" else self.kind
        elif not (tacit and (not self.inside or "then" in self.words)):
            self.words["then"] = verb

    def _settled(self, key: str, known: NotedThing) -> None:
        """Name a role that is not chosen, unless its thing is named already and this adds nothing new."""
        is_free, was_chosen = key not in self.things, not self.placed and self.things.get(CHOSEN) == known
        self.placed |= was_chosen
        if is_free and was_chosen:
            # A thing chosen by itself has its part in an act.
            self.words = {(key if one == CHOSEN else one): said for one, said in self.words.items()}
            self.things = {(key if one == CHOSEN else one): thing for one, thing in self.things.items()}
            self.times[key] += 1
        elif known not in self.things.values() or self._is_news(key, known):
            self._role(key, known)

    def _is_news(self, key: str, known: NotedThing) -> bool:
        """Whether a key adds information about a thing that is already named under another key."""
        if key in self.things:
            return bool(self.detail & REPEATS) and self.things[key] != known
        return key != EACH and self.things.get(EACH) != known

    def name_of(self, key: str) -> str:
        """Return the name of the next role with a key: the key, or the verb, or the key followed by a number."""
        if key not in self.things:
            return key
        if self.verb and self.verb not in self.things:
            return self.verb
        return f"{key} {self.times[key] + 1}"

    def _role(self, key: str, thing: NotedThing) -> None:
        name = self.name_of(key)
        self.words[name] = None
        self.things[name] = thing
        self.times[key] += 1
