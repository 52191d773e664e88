"""Rulings to start from: for each fact of a clause that was never seen, a small position, drawn or met in play.

A case for a fact about options only lists options; a case for another fact takes one option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from textwrap import shorten
from typing import Any

from warchest.bots import Bot
from warchest.game.errors import OptionError, PositionError
from warchest.game.setup.beginning import Beginning
from warchest.game.state import EndlessError, State
from warchest.lowering.obligations import Obligation
from warchest.source.records import record
from warchest.testing.budget import look_at_clock
from warchest.testing.coverage.collecting import Collector
from warchest.testing.differences import decider_of
from warchest.testing.draws import RandomDraws
from warchest.testing.positions import NoPositionError, PositionData, PositionSampler, Sampling
from warchest.testing.shrinking import shrunk

MOST_OPTIONS = 60
"""The most options of a position that are taken."""
MOST_SMALLER = 300
"""The most smaller positions that are tried for one."""
ENOUGH_DRAWN = 60
"""The number of positions that are drawn for a document before the next one has its turn."""
ROUNDS = 5
"""The number of turns that each document has."""


@record()
class FoundCase:
    """An obligation with a position in which it is met, and the option to take there, if one must be taken.

    `decides` is the decider in the position.
    """

    obligation: Obligation
    position: PositionData
    option: Mapping[str, Any] | None
    decides: str

    def about(self) -> dict[str, Any]:
        """Return the clause and the fact, JSON-ready."""
        span = self.obligation.span
        return {"file": span.path, "line": span.line, "clause": self.obligation.clause, "what": self.obligation.what}

    def data(self) -> dict[str, Any]:
        """Return the case as a document of rulings has it, with the keys that a person must fill in."""
        name = shorten(f"{self.obligation.what}: {self.obligation.clause}".replace('"', ""), 110, placeholder=" …")
        told: dict[str, object] = {"name": name, "source": "ruling: give the printed source here, or the reason"}
        told["position"] = self.position
        if self.option is not None:
            told["do"] = [dict(self.option)]
        else:
            told["decides"] = self.decides
        return told


class MissingSearch:
    """Searches for positions in which obligations are met; raises OutOfTime when its time is over."""

    def __init__(self, collector: Collector, wanted: Sequence[Obligation], names: Mapping[str, str], seed: int) -> None:
        self.collector, self.game, self.rng = collector, collector.game, Random(seed)
        self.left = {mark: one for one in wanted if (mark := collector.table.number(one.key)) is not None}
        self.names = names

    def found(self) -> Iterator[FoundCase]:
        """Yield cases from drawn positions, until no fact is left."""
        files = list(dict.fromkeys(one.span.path for one in self.left.values()))
        samplers = {file: PositionSampler(self.game, Sampling(cards=(self.names.get(file, ""),))) for file in files}
        for _ in range(ROUNDS):
            for sampler in samplers.values():
                for _ in range(ENOUGH_DRAWN):
                    look_at_clock()
                    if not self.left:
                        return
                    try:
                        told = sampler.told(RandomDraws(self.rng))
                    except NoPositionError:
                        break
                    yield from self._shown(told)

    def in_play(self, beginning: Beginning, bots: Mapping[str, Bot], seed: int, cap: int) -> Iterator[FoundCase]:
        """Yield cases from a game: the position before a decision, if it contains the whole state."""
        state, rng = self.collector.begun(beginning, seed), Random(seed)
        for _ in range(cap):
            look_at_clock()
            if not self.left or state.decision is None:
                return
            if state.at_boundary:
                yield from self._shown(state.position())
            player = state.decision.player
            state.apply(state.decision.sample(rng) if player is None else bots[player].choose(state, rng))

    def _shown(self, told: PositionData) -> Iterator[FoundCase]:
        """Yield a case for each missing fact that a position shows, each in a small position of its own."""
        for mark in sorted(self._seen(told)):
            if mark in self.left:
                told_less = shrunk(told, partial(self._shows, mark), MOST_SMALLER, self.game)
                option = self._seen(told_less)[mark]
                decides = decider_of(self.game.position(told_less))
                yield FoundCase(self.left.pop(mark), told_less, option, decides)

    def _shows(self, mark: int, told: PositionData) -> bool:
        look_at_clock()
        return mark in self._seen(told)

    def _seen(self, told: PositionData) -> dict[int, Mapping[str, object] | None]:
        """Return the missing marks that a position makes, each with the option that must be taken for it, or None."""
        seen, found = self.collector.seen, dict[int, Mapping[str, Any] | None]()
        seen.clear()
        try:
            state: State = self.game.position(told)
            options = state.decision.options if state.decision is not None else ()
            found.update(dict.fromkeys(seen.keys() & self.left.keys()))
            for option in options[:MOST_OPTIONS] if len(found) < len(self.left) else ():
                seen.clear()
                state.clone().apply(option)
                for mark in (seen.keys() & self.left.keys()) - found.keys():
                    found[mark] = dict(option.data)
        except (PositionError, OptionError, EndlessError):
            pass
        return found
