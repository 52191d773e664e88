"""Paths: the candidate taken at each site that asks, and the notes of an option that goes this way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from warchest.machine.run import DECLINED, VERBS, WITHIN, Note


class Path(NamedTuple):
    """The candidate to take at each site that asks, the notes on the way (roles by name), and the verb it comes to.

    The verb is None where it is still to be looked for in the notes.
    """

    taken: tuple[int, ...]
    notes: tuple[Note, ...]
    act: str | None


def act_of(notes: tuple[Note, ...]) -> str:
    """Return the verb of an option: the last one named before a document's own text took over."""
    own = notes[: notes.index(WITHIN)] if WITHIN in notes else notes
    for key, verb, _ in reversed(own):
        if key == "kind" or (key == "act" and verb != DECLINED):
            return verb
    return next((verb for key, verb, _ in own if key in VERBS), "")


def repeated(found: Iterable[Path], start: Path, behind: int, noted: int, paid: int, token: int) -> Iterator[Path]:
    """Yield paths that were found behind another choice once more, with another token in the place of the one `paid`.

    They begin with `start` now; `behind` and `noted` tell how much of them that stands for.
    """
    swapped: dict[Note, Note] = {}
    for path in found:
        tail = []
        for note in path.notes[noted:]:
            if note[2] == paid and note[1] == "token":
                note = swapped.setdefault(note, (note[0], "token", token))
            tail.append(note)
        yield Path(start.taken + path.taken[behind:], (*start.notes, *tail), path.act)
