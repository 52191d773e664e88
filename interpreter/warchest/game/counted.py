"""Counters of games that are played natively: by the same probes, they equal the counters of the reference machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from warchest.engine.runs import Run
from warchest.game.native_engine import moment_at
from warchest.game.variant import Variant
from warchest.lowering.clause_counts import Counts, clause_probes, fate_probes
from warchest.lowering.probes import Probing
from warchest.native.c_compiler import Unavailable
from warchest.native.compiled import NativeLibrary, Played
from warchest.native.counters import Counters
from warchest.native.shared_game import Moment


@contextmanager
def probed(library: NativeLibrary, seen: Counter[int]) -> Iterator[Counters]:
    """When the block ends, add the counts that a machine's probes made of the games played in it to some counters."""
    counters = library.counters
    assert len(counters), "the machine was made without probes"
    with counters.lock:
        counters.forget()
        yield counters
        seen.update(counters.seen)


@dataclass(frozen=True, slots=True)
class CountedMoment:
    """A moment to play counted games from."""

    moment: Moment
    counters: Counters

    def play_on(self, seed: int, acts: Container[str], players: tuple[str, ...], cap: int) -> Played | None:
        """Play on to the end by the draws of a seed; None, without counts, where the machine gives up."""
        before = self.counters.kept()
        played = self.moment.play_on(seed, acts, players, cap)
        if played is None:
            self.counters.bring_back(before)
        return played


@contextmanager
def probed_from(
    variant: Variant, run: Run, probing: Probing, seen: Counter[int]
) -> Iterator[CountedMoment | Unavailable]:
    """Play games on natively from a run, and add their counts to `seen`; yields the reason if no game can be played."""
    moment = moment_at(variant, run, probing)
    if isinstance(moment, Unavailable):
        yield moment
        return
    with probed(moment.bench.library, seen) as counters:
        yield CountedMoment(moment, counters)


def counted_from(variant: Variant, run: Run, counts: Counts) -> AbstractContextManager[CountedMoment | Unavailable]:
    """Play games on natively from a run, and count the fate of each clause; gives a reason if no game can be played."""
    return probed_from(variant, run, clause_probes, counts.seen_by(fate_probes(variant.program)))
