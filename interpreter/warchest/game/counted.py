"""Counters of games that are played natively: the same counts as the reference machine keeps, clause by clause."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass

from warchest.engine.counting import Counts
from warchest.engine.runs import Run
from warchest.game.native_engine import moment_at
from warchest.game.variant import Variant
from warchest.native.compiled import NativeLibrary, Played
from warchest.native.counters import Counters
from warchest.native.shared_game import Moment


@contextmanager
def counted(library: NativeLibrary, counts: Counts) -> Iterator[Counters]:
    """Count the games that are played meanwhile on a machine that counts, and add that to some counts in the end."""
    counters = library.counters
    assert counters is not None, "the machine was not made to count"
    with counters.lock:
        counters.forget()
        yield counters
        _add(counters, counts)


def _add(counters: Counters, counts: Counts) -> None:
    for instruction, done, considered in counters.instructions:
        if instruction.span is not None and (done or considered):
            count = counts.of(instruction.span)
            count.done += done
            count.considered += considered
    for span, asked in counters.asked:
        if not any(astuple(asked)):
            continue
        count = counts.of(span)
        count.held += asked.held
        count.failed += asked.failed
        count.tried_held += asked.tried_held
        count.tried_failed += asked.tried_failed
        count.forbade += asked.forbade


@dataclass(frozen=True, slots=True)
class CountedMoment:
    """A moment from which games are played on that are counted."""

    moment: Moment
    counters: Counters

    def play_on(self, seed: int, acts: Container[str], players: tuple[str, ...], cap: int) -> Played | None:
        """Play on to the end by the draws of a seed; None where the machine gives up, and nothing is counted then."""
        before = self.counters.kept()
        played = self.moment.play_on(seed, acts, players, cap)
        if played is None:
            self.counters.bring_back(before)
        return played


@contextmanager
def counted_from(variant: Variant, run: Run, counts: Counts) -> Iterator[CountedMoment | None]:
    """Count the games that are played on natively from where a run stands; None where there is no machine for that."""
    moment = moment_at(variant, run, counting=True)
    if not isinstance(moment, Moment):
        yield None
        return
    with counted(moment.bench.library, counts) as counters:
        yield CountedMoment(moment, counters)
