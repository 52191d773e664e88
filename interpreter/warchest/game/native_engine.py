"""The engine on the native machine: how it gets a state, and the run of the reference machine that is the same.

The machine is made on demand only. If it cannot be made, the reference machine plays, and the reason is returned.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from warchest.engine.runs import Run, frames
from warchest.game.decision import Decision, FoundOption, FoundOptions, Option
from warchest.game.engines import Engine, ReferenceEngine, chosen_of, point_at, standing
from warchest.game.errors import OptionError
from warchest.game.native_frames import cells_of_frame, run_at
from warchest.game.native_telling import ToldMoment
from warchest.game.position.whole import ToldState
from warchest.game.telling.log import Log
from warchest.game.telling.past import Item, Reader
from warchest.game.variant import Variant
from warchest.lowering.code import ChoicePoint
from warchest.lowering.layout import ENDED
from warchest.lowering.probes import Probing
from warchest.native.c_compiler import Unavailable
from warchest.native.compiled import FrameAt, NativeGame, NativeLibrary, Standing
from warchest.native.libraries import library_for
from warchest.native.shared_game import Bench, Moment
from warchest.native.unfit import Unfit
from warchest.source.cache import digest_of_program

MAKERS = ("source", "documents", "syntax", "resolve", "ir", "lowering", "native", "game")
"""The packages that make C of documents; this one chooses boards, options and room."""
Chosen: TypeAlias = "tuple[Chosen | None, int]"
"""The numbers of the options taken so far, as a linked list: all earlier ones, and the last one."""


@lru_cache(maxsize=8)
def native_machine(variant: Variant, probing: Probing | None = None) -> NativeLibrary | Unavailable:
    """Return the native machine of a variant, with probes if requested, or the reason why there is none."""
    try:
        return library_for(variant.program, made_of(variant), (), probing)
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this game: {error}")


def is_made(variant: Variant) -> bool:
    """Whether the native machine of a variant is ready."""
    return not isinstance(library_for(variant.program, made_of(variant), made_only=True), Unavailable)


def made_of(variant: Variant) -> str:
    """Return a text of everything that the program of a variant and its C are generated from."""
    origin, further = variant.origin, variant.program.layout.further
    # Further sheets, in the room kept for them, are only read.
    texts = origin.digest_without_sheets if further else origin.digest
    options = json.dumps(variant.options, sort_keys=True)
    parts = (digest_of_program(MAKERS), texts, variant.board.name, options, str(further))
    return "\0".join(parts)


@lru_cache(maxsize=8)
def _bench_of(library: NativeLibrary) -> Bench:
    return Bench(library)


# ---- to the native machine


def put(game: NativeGame, run: Run) -> Standing:
    """Put a native game into the state of a run; raises Unfit where the game has no room for the state."""
    places = game.library.places
    if run.memory[ENDED]:
        return game.put_ended(run.memory)
    pending = list(frames(run.top))
    outs = [(), *(frame.outs for frame in pending[:-1])]
    rows = [FrameAt(places.number[one.code.name], one.pc, tuple(cells_of_frame(places, one))) for one in pending]
    return game.put(run.memory, rows, outs)


# ---- the engine


class NativeEngine:
    """A state on the native machine: a moment, and the options taken since the log was last brought up to date."""

    __slots__ = ("_begun", "_chosen", "_decision", "_entries", "_run", "_silent", "moment", "variant")

    def __init__(self, variant: Variant, moment: Moment, silent: bool, entries: Log) -> None:
        self.variant, self.moment = variant, moment
        self._silent, self._entries = silent, entries
        self._begun = moment
        """The moment that the log has reached."""
        self._chosen: Chosen | None = None
        self._run: Run | None = None
        """The run of the reference machine, once requested."""
        self._decision: Decision | None = None

    @property
    def run(self) -> Run:
        """The run of the reference machine in this state."""
        if self._run is None:
            self._run = run_at(self.moment, self.variant.machine)
        return self._run

    @property
    def told(self) -> ToldState:
        """The state, in the form that positions are written from: its cells."""
        return ToldMoment(self.variant, self.moment, lambda: self.run)

    @property
    def silent(self) -> bool:
        """Whether the log is switched off."""
        return self._silent

    @silent.setter
    def silent(self, silent: bool) -> None:
        """Switch the log off, or on again."""
        if self._silent != silent:
            self._tell()
            self._silent, self._begun = silent, self.moment

    @property
    def point(self) -> ChoicePoint | None:
        """The pending choice point; None when the game is over."""
        return point_at(self.run)

    @property
    def decision(self) -> Decision | None:
        """The decision that is asked for now; None when the game is over."""
        if self._decision is None and not self.moment.is_over:
            moment, variant = self.moment, self.variant
            player = None if moment.by_chance else variant.naming.players[max(moment.decider, 0)]
            self._decision = Decision(player, FoundOptions(variant, moment, _decision_at))
        return self._decision

    def cell(self, number: int) -> int:
        """Return the value of a cell of the memory."""
        return self.moment.cell(number)

    # ---- playing

    def take(self, option: Option | int) -> bool:
        """Take an option, given by itself or by number; return whether the machine could do so. Raises OptionError."""
        if self.moment.is_over:
            raise OptionError("", "the game is over")
        number = self._number(option)
        moment = self.moment.bench.choose(self.moment, number)
        if moment is None:
            return False
        self.moment = moment
        if not self._silent:
            self._chosen = self._chosen, number
        self._decision = None
        self._forget_run()
        return True

    def _number(self, option: Option | int) -> int:
        """Return the number of an option that is on offer; raises OptionError where it is not."""
        if isinstance(option, FoundOption) and option.found.moment is self.moment:
            return option.number
        if isinstance(option, int) and not isinstance(option, bool) and 0 <= option < self.moment.count:
            return option
        assert self.decision is not None
        return self.decision.options.index(chosen_of(self.decision, option))

    # ---- copies and comparison

    def copy(self) -> NativeEngine:
        """Return an independent copy with the same history."""
        if self._run is not None:
            self._entries.settle(self._run)
        copy = NativeEngine(self.variant, self.moment, self._silent, Log(self._entries.past))
        copy._begun, copy._chosen, copy._decision = self._begun, self._chosen, self._decision
        return copy

    def left(self) -> ReferenceEngine:
        """Return the engine on the reference machine that holds the state, with its history, from now on."""
        self._tell()
        engine = standing(self.variant, self.run, self._entries)
        engine.silent = self._silent
        return engine

    def apart(self) -> ReferenceEngine:
        """Return a copy on the reference machine, without history."""
        return standing(self.variant, run_at(self.moment, self.variant.machine))

    def same(self, other: Engine) -> bool:
        """Whether the state equals the state of the same variant that another engine holds."""
        same = self.moment.same(other.moment) if isinstance(other, NativeEngine) else None
        return self.variant.alike(self.run, other.run) if same is None else same

    def digest(self) -> int:
        """Return the hash of the state."""
        hashes = self.variant.digest
        return hashes.of_moment(self.moment) if self._run is None else hashes.of_run(self._run)

    # ---- the history

    def read(self, reader: Reader[Item]) -> list[Item]:
        """Read all events so far with a new reader; return the results."""
        self._tell()
        return self._entries.read(reader, self.run)

    def _tell(self) -> None:
        """Bring the log up to date: the reference machine repeats the options that the log does not have yet."""
        if self._chosen is None:
            return
        self._forget_run()
        teller = standing(self.variant, run_at(self._begun, self.variant.machine), self._entries)
        for candidates in self._untold():
            decision = teller.decision
            assert decision is not None and not isinstance(decision.offers, FoundOptions)
            teller.take(decision.offers.taking(candidates))
        self._run = teller.run
        self._begun, self._chosen = self.moment, None

    def _untold(self) -> Iterator[tuple[int, ...]]:
        """Yield the candidates of each option that is not in the log yet."""
        numbers, chosen = list[int](), self._chosen
        while chosen is not None:
            chosen, number = chosen
            numbers.append(number)
        moment = self._begun
        while numbers:
            number = numbers.pop()
            yield moment.keys[number]
            if numbers:
                further = moment.bench.choose(moment, number)
                assert further is not None, "the machine could do it before"
                moment = further

    def _forget_run(self) -> None:
        """Forget the run of the reference machine, except its history."""
        if self._run is not None:
            self._entries.settle(self._run)
            self._run = None


def _decision_at(variant: Variant, moment: Moment) -> Decision:
    """Return the decision of the reference machine at a moment."""
    decision = standing(variant, run_at(moment, variant.machine)).asked(moment.keys)
    assert decision is not None
    return decision


def moment_at(variant: Variant, run: Run, probing: Probing | None = None) -> Moment | Unavailable:
    """Return the moment of a run that has stopped at a decision or at the end; on request the machine has probes.

    Where the native machine is unavailable, the reason is returned.
    """
    library = native_machine(variant, probing)
    if isinstance(library, Unavailable):
        return library
    try:
        moment = _bench_of(library).begin(lambda game: put(game, run))
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this state: {error}")
    return Unavailable(f"natively {moment}") if isinstance(moment, str) else moment


def engine_of(variant: Variant, library: NativeLibrary, handle: int) -> NativeEngine:
    """Return the engine that holds the state of a native game, given by its address, without history."""
    return NativeEngine(variant, _bench_of(library).moment_of(handle), False, Log())


def native_engine(engine: ReferenceEngine) -> NativeEngine | Unavailable:
    """Return an engine that holds another engine's state natively from now on, or the reason why this is impossible."""
    moment = moment_at(engine.variant, engine.run)
    if isinstance(moment, Unavailable):
        return moment
    return NativeEngine(engine.variant, moment, engine.silent, engine.settled())
