"""Decisions and options as a user sees them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from warchest.machine.options import Path
from warchest.machine.run import Note

if TYPE_CHECKING:
    from warchest.game.variant import Variant


_VERBS = ("act", "act?", "within")
"""The keys of notes that name no thing."""
KINDS, REPEATS = 1, 2
"""What options that would read the same say besides: of which kind their pieces are; what was named before, too."""


class Random(Protocol):
    """What a source of chance must offer; `random.Random` does."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 up to, not including, `stop`."""


class Option:
    """Something that can be done now. Two options are equal when their data are."""

    __slots__ = ("_data", "_variant", "alike", "detail", "memory", "path", "weight", "whole")

    def __init__(self, variant: Variant, memory: list[int], path: Path, weight: int = 1, whole: int = 1) -> None:
        # The memory is that of the moment of asking: what an option says does not change when the game goes on.
        self._variant, self.memory, self.path = variant, memory, path
        self.weight, self.whole = weight, whole
        self.detail = 0
        """How much has to be said for no other option to read the same: see KINDS and REPEATS."""
        self.alike: Sequence[Option] = ()
        """The options among which such ones are still to be looked for; that is done when anything is named."""
        self._data: dict[str, Any] | None = None

    @property
    def data(self) -> dict[str, Any]:
        """What is done: `act`, and one key for each role. It is the reader's own copy."""
        return dict(self._named())

    def _named(self) -> dict[str, Any]:
        if self.alike:
            _tell_apart(self.alike, self._variant.crowded(self.memory))
        if self._data is None:
            self._data = describe(self.path.notes, self._variant, self.memory, self.detail)
        return self._data

    @property
    def label(self) -> str:
        """The option in one line."""
        return label_of(self._named())

    @property
    def probability(self) -> Fraction:
        """How likely this is, where chance decides; 1 for a player's option."""
        return Fraction(self.weight, self.whole)

    @property
    def act(self) -> str:
        """The verb, without the work of naming everything else."""
        return self.path.act

    def about(self, pieces: int) -> bool:
        """Whether the option is about any of a set of pieces."""
        return any(base == "piece" and value >= 0 and pieces >> value & 1 for _, base, value in self.path.notes)

    def repeats(self) -> bool:
        """Whether the same thing is named more than once on the way."""
        named = [note[1:] for note in self.path.notes if note[0] not in _VERBS]
        return len(set(named)) < len(named)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and self._named() == other._named()

    def __hash__(self) -> int:
        return hash(self.label)

    def __repr__(self) -> str:
        return f"Option({self.label!r})"


class Decision:
    """What is asked, and of whom; chance is nobody."""

    def __init__(self, player: str | None, prompt: str, options: Sequence[Option]) -> None:
        self.player, self.prompt = player, prompt
        self.options = tuple(options)

    @property
    def is_chance(self) -> bool:
        """Whether chance decides; then options have their probabilities."""
        return self.player is None

    def sample(self, rng: Random) -> Option:
        """Return one option: by weight where chance decides, else each as likely as any other."""
        if not self.is_chance:
            return self.options[rng.randrange(len(self.options))]
        left = rng.randrange(self.options[0].whole)
        for option in self.options:
            left -= option.weight
            if left < 0:
                return option
        raise AssertionError("weights add up to the whole")

    def __repr__(self) -> str:
        return f"Decision({self.player!r}, {self.prompt!r}, {len(self.options)} options)"


def label_of(data: Mapping[str, Any]) -> str:
    """Return the line that stands for an option's data."""
    rest = ", ".join(f"{key} {value}" for key, value in data.items() if key != "act")
    return f"{data.get('act', '')}: {rest}" if rest else str(data.get("act", ""))


def _tell_apart(options: Sequence[Option], crowded: int) -> None:
    """Let options that would read the same say more: of what kind a piece is, or what has been named before."""
    for option in options:
        option.alike = ()
    _say_more([option for option in options if option.about(crowded)], KINDS)
    repeating = {id(option) for option in options if option.repeats()}
    if repeating:
        _say_more(options, REPEATS, repeating)


def _say_more(options: Sequence[Option], detail: int, only: Container[int] | None = None) -> None:
    seen: dict[str, list[Option]] = {}
    for option in options:
        seen.setdefault(option.label, []).append(option)
    for alike in seen.values():
        for option in alike if len(alike) > 1 else ():
            if only is None or id(option) in only:
                option.detail, option._data = detail, None


def describe(notes: Sequence[Note], variant: Variant, memory: list[int], detail: int = 0) -> dict[str, Any]:
    """Return the data that the notes of a path come to, by name.

    The act is the last verb named before a document's own text took over; a later one is `then`. A role whose key
    is taken by something else goes by its verb.
    """
    data: dict[str, Any] = {"act": ""}
    raw: dict[str, tuple[str, int]] = {}
    inside, verb = False, ""
    for key, base, value in notes:
        if key == "within":
            inside = True
        elif key in _VERBS:
            verb = base
            if inside:
                data["then"] = base
            elif key == "act" or not data["act"]:
                data["act"] = base
        elif raw.get("chosen") == (base, value) and key not in raw:
            # What was chosen turns out to have a part in what is done.
            data = {(key if old == "chosen" else old): named for old, named in data.items()}
            raw = {(key if old == "chosen" else old): known for old, known in raw.items()}
        elif base == "piece" and value >= 0 and not variant.naming.is_there(value, memory):
            # A piece that the option itself brings has no name before.
            continue
        elif detail == REPEATS or (base, value) not in raw.values():
            name = key if key not in raw else (verb if verb and verb not in raw else f"{key} {len(raw)}")
            raw[name] = (base, value)
            data[name] = variant.naming.name(base, value, memory)
            if detail and base == "piece" and value >= 0:
                data[name] += f" {variant.naming.document(value, memory)}"
    if not data["act"] and len(data) > 1:
        data["act"] = "choose"
    return data
