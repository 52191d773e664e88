"""Options with the same description, distinguished by the parts of the text that each of them follows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import shorten

from warchest.engine.lookahead import resume
from warchest.engine.permissions import WAYS
from warchest.engine.runs import Run, Signal, Stop
from warchest.lowering.code import DECLINE, DOES, ChoicePoint, Note, PickBranch, PickWay
from warchest.source.text import Span

LONGEST = 100
"""The most characters that are quoted from a part of a text."""


def told_apart(run: Run, point: ChoicePoint, paths: Sequence[tuple[int, ...]]) -> list[Note]:
    """Return a note for each of several paths from a point that read the same: its number, and the text it follows.

    If the texts do not distinguish the paths, their numbers do. The run must be at the point, and stays there.
    """
    followed = [_followed(run, point, taken) for taken in paths]
    differing = [len(set(texts)) > 1 for texts in zip_longest(*followed, fillvalue="")]
    told = [
        ", then ".join(dict.fromkeys(text for text, differs in zip(texts, differing, strict=False) if differs and text))
        for texts in followed
    ]
    apart = all(told) and len(set(told)) == len(told)
    return [(DOES, text if apart else "", number) for number, text in enumerate(told, 1)]


def _followed(run: Run, point: ChoicePoint, taken: tuple[int, ...]) -> list[str]:
    """Return the text that is followed from each point on a path; empty where a thing is chosen, not a text."""
    mark, found = run.mark(), list[str]()
    stop: Stop = point
    for candidate in taken:
        if isinstance(stop, Signal):
            break
        found.append(_said(_text_of(run, stop, candidate)))
        failed = resume(run, stop, candidate)
        stop = failed if failed is not None else run.go()
    run.undo(mark)
    return found


def _text_of(run: Run, point: ChoicePoint, candidate: int) -> Span | None:
    if isinstance(point, PickBranch):
        return point.texts[candidate] if candidate != DECLINE else None
    if isinstance(point, PickWay):
        steps = run.program.acts[point.verb].verb.definitions[candidate // WAYS].code.steps
        return steps[0].span.to(steps[-1].span) if steps else None
    return None


def _said(span: Span | None) -> str:
    return shorten(span.text, LONGEST, placeholder=" …") if span is not None else ""
