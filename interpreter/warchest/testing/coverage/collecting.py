"""Collecting: the facts that rulings and games show about the clauses of a game, and about its cards together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from random import Random

from warchest.bots import Bot, played
from warchest.engine.history import Acted, Happened
from warchest.engine.probed_machine import probed_machine
from warchest.engine.runs import Machine, Run
from warchest.game.counted import probed_from
from warchest.game.game import Game
from warchest.game.setup.beginning import Beginning
from warchest.game.state import State
from warchest.ir.ruleset import AGENT
from warchest.lowering.obligations import ObligationTable, What, obligation_probes, obligations_of
from warchest.lowering.program import Program
from warchest.native.c_compiler import Unavailable
from warchest.rulings.cases import Case
from warchest.rulings.runner import CaseResult, run_case

ACTING: tuple[What, ...] = ("done", "used", "forbade", "answered", "true", "taken")
"""The facts that show that a clause has acted."""
CardPair = tuple[str, str]
"""Two cards, in the order of the alphabet."""


@dataclass(slots=True)
class SeenPairs:
    """Cards that were together on the board, and those that affected each other."""

    met: set[CardPair] = field(default_factory=set)
    interacted: set[CardPair] = field(default_factory=set)

    def add(self, others: SeenPairs) -> None:
        """Add pairs that were seen elsewhere."""
        self.met |= others.met
        self.interacted |= others.interacted


class Collector:
    """The observer of a game, with all facts that it has seen."""

    def __init__(self, game: Game) -> None:
        self.table, self.pairs = ObligationTable(), SeenPairs()
        self.by_ruling: dict[int, list[Case]] = {}
        """For each mark the rulings that made it."""
        self.in_play: set[int] = set()
        """The marks that games have made."""
        self.seen = Counter[int]()
        """The facts that were seen since they were last noted, by their marks."""
        self._machines: dict[int, tuple[Program, Machine]] = {}
        self._names = {one.span.path: one.name for one in game.library.documents}
        self.game = game.played_on(self._machine_for)
        for board in game.boards.boards:
            # Setups have texts, too, each on its board.
            self.game.variant({}, board)
        self._boards: set[tuple[int, ...]] = set()
        self._known = frozenset(self.cards)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards with texts: those that pieces are made of, and those whose rules pieces carry."""
        program = self.game.variant().program
        ruleset, acts = program.ruleset, program.acts
        kinds = {kind.sheet for kind in ruleset.kinds}
        carriers = {bound.hook.carrier for bound in program.hooks}
        carriers |= {rule.carrier for act in acts for rule in act.rules}
        carriers |= {way.carrier for act in acts for way in act.ways}
        carriers |= {domain.carrier for act in acts for domains in act.domains for domain in domains}
        found = {
            sheet.name
            for number, sheet in enumerate(ruleset.sheets)
            if number in carriers or (sheet.blocks and sheet.kind in kinds)
        }
        return tuple(sorted(found))

    def _machine_for(self, program: Program) -> Machine:
        key = id(program.acts)
        if key not in self._machines:
            # The program is kept, so that no other one takes its identity.
            probes = self.table.probes(program)
            self._machines[key] = program, probed_machine(program, probes, self.seen, self._told)
        return replace(self._machines[key][1], program=program)

    # ---- rulings

    def run(self, cases: Iterable[Case]) -> Iterator[CaseResult]:
        """Run rulings, and yield the result of each when its facts have been noted."""
        for case in cases:
            self.seen.clear()
            result = run_case(self.game, case)
            for mark in self.seen:
                self.by_ruling.setdefault(mark, []).append(case)
            yield result
        self.seen.clear()

    # ---- play

    def play(self, beginning: Beginning, bots: Mapping[str, Bot], seed: int, cap: int) -> None:
        """Play a game of this seed, and note the facts that it shows."""
        self.seen.clear()
        played(self.begun(beginning, seed), bots, Random(seed), cap)
        self.in_play.update(self.seen)
        self.seen.clear()

    def play_natively(self, beginning: Beginning, acts: Container[str], seed: int, cap: int) -> str:
        """Play a game of this seed natively, and note the facts that it shows; return the reason if this is impossible.

        Players take options of some acts wherever there are any.
        """
        variant, seen = beginning.variant, Counter[int]()
        with probed_from(variant, beginning.begin(seed).run, obligation_probes, seen) as moment:
            if isinstance(moment, Unavailable):
                return moment.reason
            played = moment.play_on(seed, acts, variant.naming.players, cap)
        if played is None:
            self.begun(beginning, seed).rollouts(1, seed, acts, cap)
            self.in_play.update(self.seen)
            self.seen.clear()
        own = obligations_of(variant.program).all
        self.in_play.update(mark for one in seen if (mark := self.table.number(own[one].key)) is not None)
        return ""

    def begun(self, beginning: Beginning, seed: int) -> State:
        """Return the first state of a watched game; `beginning` may come from the same game without a watch."""
        variant = beginning.variant
        watched = variant.on(self._machine_for(variant.program))
        return replace(beginning, variant=watched).begin(seed)

    # ---- pairs of cards

    def _told(self, run: Run, events: Sequence[Happened]) -> None:
        board = self._board(run)
        if board not in self._boards:
            self._boards.add(board)
            self.pairs.met.update(self._pairs(self._name(run, one) for one in board))
        for one in events:
            if isinstance(one, Acted):
                self.pairs.interacted.update(self._pairs(self._involved(run, one)))

    def _pairs(self, names: Iterable[str]) -> Iterator[CardPair]:
        return pairs_of(name for name in names if name in self._known)

    def _board(self, run: Run) -> tuple[int, ...]:
        """Return the documents of the pieces on the board."""
        layout = run.program.layout
        sheets = range(len(run.program.ruleset.sheets))
        return tuple(one for one in sheets if run.memory[layout.of_document + one])

    def _involved(self, run: Run, event: Acted) -> Iterator[str]:
        """Yield the cards in an act: of the agent, of the things in its roles, and of the text that ordered the act."""
        act, documents = run.program.acts[event.verb], run.program.layout.documents
        for place, value in enumerate(event.roles[AGENT:], AGENT):
            base = act.bases[place]
            if base == "piece" and isinstance(value, tuple):
                yield self._name(run, value[0])
            elif base == "token" and isinstance(value, int) and value >= 0:
                yield self._name(run, value % documents)
        for span in (event.span, event.cause):
            if span is not None:
                yield self._names.get(span.path, "")

    def _name(self, run: Run, document: int) -> str:
        sheets = run.program.ruleset.sheets
        return sheets[document].name if document < len(sheets) else ""


def pairs_of(names: Iterable[str]) -> Iterator[CardPair]:
    """Yield all pairs of different names."""
    yield from combinations(sorted(set(names)), 2)
