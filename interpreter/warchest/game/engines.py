"""Engines, which hold a state of a game and play it on: their protocol, and the engine on the reference machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from warchest.engine.choices import clause_of, is_question
from warchest.engine.events import lapse, leave_events, look_again
from warchest.engine.history import Decided
from warchest.engine.lookahead import candidates_of, decider_at
from warchest.engine.options import ENOUGH, EVERYTHING, KnownPaths, OptionSet, follow
from warchest.engine.probed_machine import probed_machine
from warchest.engine.runs import DONE, ENDLESS, DeadEndError, EndlessError, Frame, Onlooker, Overfull, Run, Signal, Stop
from warchest.game.decision import Chances, Decision, FoundOptions, Offers, Option
from warchest.game.errors import ASTRAY, NoRoomError, OptionError, PositionError
from warchest.game.position.whole import ToldRun, ToldState, position_of, run_of
from warchest.game.telling.log import Log
from warchest.game.telling.past import Item, Reader
from warchest.game.variant import Variant
from warchest.ir.values import NOTHING
from warchest.lowering.clause_counts import Counts, fate_probes
from warchest.lowering.code import LEFT_OUT, Act, ChoicePoint, Note, Pick
from warchest.lowering.layout import ENDED, MUST_ASK, ROUND, TURN, WINNER
from warchest.source.text import Span


class Engine(Protocol):
    """A holder of a state: it has the run and the pending decision, takes options, and keeps the history."""

    @property
    def variant(self) -> Variant:
        """The variant that is played."""

    @property
    def run(self) -> Run:
        """The run of the reference machine in this state."""

    @property
    def told(self) -> ToldState:
        """The state, in the form that positions are written from."""

    @property
    def silent(self) -> bool:
        """Whether the log is switched off."""

    @silent.setter
    def silent(self, silent: bool) -> None:
        """Switch the log off, or on again."""

    @property
    def point(self) -> ChoicePoint | None:
        """The pending choice point; None when the game is over."""

    @property
    def decision(self) -> Decision | None:
        """The decision that is asked for now; None when the game is over."""

    def cell(self, number: int) -> int:
        """Return the value of a cell of the memory."""

    def take(self, option: Option | int) -> bool:
        """Take an option, given by itself or by number; return whether the engine could do so. Raises OptionError."""

    def copy(self) -> Engine:
        """Return an independent copy with the same history."""

    def left(self) -> ReferenceEngine:
        """Return an engine on the reference machine, which holds the state and its history from now on."""

    def apart(self) -> ReferenceEngine:
        """Return a copy on the reference machine; its history may be missing."""

    def read(self, reader: Reader[Item]) -> list[Item]:
        """Read all events so far with a new reader; return the results."""

    def same(self, other: Engine) -> bool:
        """Whether the state equals the state of the same variant that another engine holds."""

    def digest(self) -> int:
        """Return the hash of the state: equal states have equal hashes, also on different engines."""


class ReferenceEngine:
    """A state on the reference machine: a run that has stopped at a decision, or at the end."""

    __slots__ = ("_decision", "_entries", "_point", "_surveyed", "_told", "run", "thorough", "variant")

    def __init__(self, variant: Variant, run: Run, entries: Log | None = None) -> None:
        self.variant, self.run = variant, run
        self._entries = entries if entries is not None else Log()
        self._point: ChoicePoint | None = None
        self._decision: Decision | None = None
        self.thorough = False
        """Whether the engine also asks where there is only one option, instead of taking it at once."""
        self._surveyed = False
        """Whether all options of the last decision were asked for: then the caller is likely to ask for all again."""
        self._told = False
        """Whether the pending work was read from a position, so that normal play may never reach its continuation."""

    @property
    def told(self) -> ToldState:
        """The state, in the form that positions are written from."""
        return ToldRun(self.variant, self.run)

    @property
    def silent(self) -> bool:
        """Whether the log is switched off."""
        return self.run.silent

    @silent.setter
    def silent(self, silent: bool) -> None:
        """Switch the log off, or on again."""
        self.run.silent = silent

    @property
    def point(self) -> ChoicePoint | None:
        """The pending choice point; None when the game is over."""
        return self._point

    @property
    def decision(self) -> Decision | None:
        """The decision that is asked for now; None when the game is over."""
        return self.asked()

    def asked(self, known: KnownPaths = ()) -> Decision | None:
        """Return the decision that is asked for now; the paths of its options are listed again unless they are known."""
        if self._decision is None and self._point is not None:
            self.run.begin_work()
            self.run.candidates = candidates_of(self.run, self._point)
            self._decision = self._make(self._point, self._options(self._point, known))
            self.run.end_work()
        return self._decision

    def cell(self, number: int) -> int:
        """Return the value of a cell of the memory."""
        return self.run.memory[number]

    @property
    def can_change_engines(self) -> bool:
        """Whether another engine would go on in the same way."""
        return not self.thorough and not self._told

    # ---- copies and comparison

    def copy(self) -> ReferenceEngine:
        """Return an independent copy with the same history."""
        run = Run(self.run.machine, self.run.memory[:], self.run.top)
        copy = ReferenceEngine(self.variant, run, self.settled())
        # Options keep the memory of their moment, so copies can share a decision.
        copy._point, copy._decision, copy._surveyed = self._point, self._decision, self._surveyed
        copy.thorough, copy._told, copy.silent = self.thorough, self._told, self.silent
        return copy

    def settled(self) -> Log:
        """Move the events of the run into the past; return a log with the same past, which copies share."""
        self._entries.settle(self.run)
        return Log(self._entries.past)

    def elsewhere(self, run: Run) -> ReferenceEngine:
        """Return an engine, without history, at the same choice point in another world."""
        other = ReferenceEngine(self.variant, run)
        other._point, other.thorough, other._told = self._point, self.thorough, self._told
        return other

    def left(self) -> ReferenceEngine:
        """Return the engine itself, as it is already on the reference machine."""
        return self

    def apart(self) -> ReferenceEngine:
        """Return a copy."""
        return self.copy()

    def same(self, other: Engine) -> bool:
        """Whether the state equals the state of the same variant that another engine holds."""
        return self.variant.alike(self.run, other.run)

    def digest(self) -> int:
        """Return the hash of the state."""
        return self.variant.digest.of_run(self.run)

    # ---- the history

    def read(self, reader: Reader[Item]) -> list[Item]:
        """Read all events so far with a new reader; return the results."""
        return self._entries.read(reader, self.run)

    def forget_history(self) -> None:
        """Clear the history."""
        self._entries = Log()

    def count(self, counts: Counts | None) -> None:
        """Count the fate of each clause from now on; None: count nothing, as is usual. Copies count too."""
        machine = self.variant.machine
        if counts is not None:
            fates = fate_probes(machine.program)
            machine = probed_machine(machine.program, fates.probes, counts.seen_by(fates))
        self.run, self._decision = self.run.on(machine), None

    # ---- playing

    def take(self, option: Option | int) -> bool:
        """Take an option, given by itself or by number; after an error the state is unchanged. Raises OptionError."""
        decision, point, run = self.decision, self._point, self.run
        if decision is None or point is None:
            raise OptionError("", "the game is over")
        chosen = chosen_of(decision, option)
        if isinstance(decision.offers, Offers):
            self._surveyed = decision.offers.listed
        del run.log[:]
        run.begin_work()
        mark, told = run.mark(), len(run.history)
        try:
            self._entries.decided(decision.player, chosen, self.variant, run)
            self._advance(follow(run, point, chosen.path.taken))
            self._told = self._told and self._comes_back()
        except BaseException as error:
            clause = run.clause
            run.undo(mark)
            run.lookahead, run.in_option, run.hasty = 0, False, 0
            del run.history[told:], run.notes[:]
            self._point, self._decision = point, decision
            told_error = self._as_told(error, clause)
            if told_error is error:
                raise
            raise told_error from None
        run.end_work()
        return True

    def _as_told(self, error: BaseException, clause: Span | None) -> BaseException:
        """Return the error that a caller gets if an option cannot be taken."""
        if isinstance(error, Overfull):
            return NoRoomError("", str(error))
        if isinstance(error, RecursionError):
            return EndlessError(clause)
        if self._told and isinstance(error, ASTRAY) and not isinstance(error, EndlessError):
            return OptionError("pending", f"the rules lead from it to an impossible state: {error}")
        return error

    def show(self, option: Option | int, onlooker: Onlooker) -> None:
        """Take an option, and notify the observer of each event as its body begins."""
        run = self.run
        run.onlooker = onlooker
        try:
            self.take(option)
        finally:
            run.onlooker = None

    def given_up(self, act: Act, player: str) -> ReferenceEngine:
        """Return a copy in which all pending work is replaced by a player's act of giving up."""
        over, number = self.copy(), self.variant.player_number(player)
        run = over.run
        if not over.silent:
            run.history.append(Decided(None, None, player, (("act", act.verb.act, 0),), False))
        env = (NOTHING, number, NOTHING, number, *[NOTHING] * (act.roles + 1), number)
        run.put_back(Frame(None, act.routine, 0, env, ()))
        run.go()
        if run.memory[ENDED]:
            over._advance(DONE)
        return over

    def advance(self) -> None:
        """Go on to the next decision; for an engine just made.

        State rules that are due already take effect with the first event.
        """
        stop = self.run.go()
        look_again(self.run)
        self._advance(stop)

    def resume(self) -> None:
        """Go on to the first choice; for an engine just made. Raises ValueError if there is none."""
        run = self.run
        begun = run.parent, run.code, run.pc, run.env
        stop = run.go()
        if isinstance(stop, Signal) or (run.parent, run.code, run.pc, run.env) != begun:
            raise ValueError("there is nothing to choose there")
        look_again(run)
        self._advance(stop, offered=True)
        self._told = True

    def _advance(self, stop: Stop, offered: bool = False) -> None:
        """Go on until a decision must be asked; a single option is taken at once and logged.

        If a decision was `offered`, it must have an option; otherwise ValueError is raised.
        """
        run = self.run
        while True:
            self._point, self._decision = None, None
            if stop is DONE or run.memory[ENDED]:
                if run.memory[ENDED]:
                    self._entries.ended(reason_of(winner_of(self.variant, run.memory[WINNER])), self.variant, run)
                return
            if isinstance(stop, Signal):
                stop = self._lapse()
                continue
            self._point = stop
            options = self._options(stop)
            if offered and not options.count:
                raise ValueError("there is nothing to choose from")
            offered = False
            if not options.count:
                stop = self._lapse()
                continue
            decision = self._make(stop, options)
            if self._must_ask(stop, options):
                self._decision = decision
                return
            run.tick(1, fault=ENDLESS)
            only = decision.options[0]
            self._entries.forced(only, self.variant, run)
            stop = follow(run, stop, only.path.taken)

    def _must_ask(self, point: ChoicePoint, options: Offers | Chances) -> bool:
        """Whether a player must be asked to choose among some options; the list of options is not empty."""
        run = self.run
        return options.count > 1 or self.thorough or bool(run.memory[MUST_ASK] and is_question(run, point))

    def _lapse(self) -> Stop:
        """Let the innermost text under way lapse, as it has proved impossible."""
        run = self.run
        # The same step could be left out again and again.
        run.tick(1, fault=ENDLESS)
        found = (self._innermost(run.top, origins) for origins in LEFT_OUT)
        frame = next(filter(None, found), None)
        if frame is None or frame.parent is None:
            # The run has stopped before the pending choice; without one, after the operation that failed.
            raise DeadEndError(run.failed if self._point is None else clause_of(run, self._point))
        lapse(run, frame.code.clause(frame.pc))
        leave_events(run, frame)
        run.put_back(frame.parent)
        return run.go()

    def _innermost(self, frame: Frame | None, origins: tuple[str, ...]) -> Frame | None:
        """Return the innermost frame that has one of the given origins, and that the game itself did not order."""
        acts = self.variant.program.acts
        while frame is not None:
            ordered = frame.code.verb < 0 or acts[frame.code.verb].verb.by != "game"
            if frame.code.origin in origins and ordered:
                return frame
            frame = frame.parent
        return None

    def _comes_back(self) -> bool:
        """Return whether the state's position has pending work; raises PositionError unless it restores the state."""
        position = position_of(self.told)
        if not self.same(engine_at(self.variant, position)):
            raise PositionError("", "no position can tell all that there is then")
        return "pending" in position

    # ---- options

    def _options(self, point: ChoicePoint, known: KnownPaths = ()) -> Offers | Chances:
        """Return the options at a choice point; the run has stopped there, and has found the candidates."""
        if point.by_chance:
            assert isinstance(point, Pick)
            return Chances(self.variant, self.run, point, self._chance_notes(), clause_of(self.run, point))
        enough = EVERYTHING if self._surveyed else 1 if self.run.memory[MUST_ASK] else ENOUGH
        return Offers(self.variant, OptionSet(self.run, point, enough, known), clause_of(self.run, point))

    def _chance_notes(self) -> tuple[Note, ...]:
        """Return the notes that every outcome of chance shares: the act in which it happens, and the player."""
        code = self.run.code
        if code.origin != "verb":
            return ()
        act: Note = ("act", self.variant.program.acts[code.verb].verb.act, 0)
        you = self.run.env[1]
        return (act, ("player", "player", you)) if you != NOTHING else (act,)

    def _make(self, point: ChoicePoint, options: Offers | Chances) -> Decision:
        player = None if point.by_chance else self.variant.naming.players[max(decider_at(self.run, point), 0)]
        return Decision(player, options)

    def named_to(self, player: str) -> set[int]:
        """Return the holders of the tokens that are named in the options of a player, if that player has to decide."""
        decision = self.decision
        if decision is None or decision.player != player or not isinstance(decision.offers, Offers):
            return set()
        return {
            value // self.variant.program.layout.documents
            for path in decision.offers.set.paths
            for _, base, value in path.notes
            if base == "token" and value >= 0
        }

    def is_asked_as(self, other: ReferenceEngine) -> bool:
        """Whether the player asked here must be asked, and is the one asked at the same point of another world."""
        point, decision = self._point, self.decision
        if point is None or decision is None or other.decision is None:
            return True
        offers = decision.offers
        assert not isinstance(offers, FoundOptions)
        return decision.player == other.decision.player and bool(offers.count) and self._must_ask(point, offers)


def chosen_of(decision: Decision, option: Option | int) -> Option:
    """Return the chosen option of a decision, given by itself or by number; raises OptionError."""
    if not isinstance(option, Option | int) or isinstance(option, bool):
        raise OptionError("option", f"an option or its number is needed, not {option!r}")
    if isinstance(option, int):
        if not 0 <= option < len(decision.options):
            raise OptionError("option", f"there are {len(decision.options)} options, and no number {option}")
        return decision.options[option]
    if option.moment is decision.moment:
        return option
    for one in decision.options:
        if one == option:
            return one
    raise OptionError("option", f"{option.label!r} is not on offer")


def winner_of(variant: Variant, number: int) -> str | None:
    """Return the team with a number, as the winner; None if no team has won."""
    return variant.board.teams[number] if number != NOTHING else None


def reason_of(winner: str | None) -> str:
    """Return the result of a game as a phrase, with the winner's name or without one."""
    return f"{winner} has won" if winner is not None else "nobody has won"


def point_at(run: Run) -> ChoicePoint | None:
    """Return the choice point at which a run has stopped; None where the game is over."""
    top = None if run.memory[ENDED] else run.top
    point = top.code.instructions[top.pc] if top is not None else None
    return point if isinstance(point, ChoicePoint) else None


def standing(variant: Variant, run: Run, entries: Log | None = None) -> ReferenceEngine:
    """Return the engine for a run that has stopped at a decision, or at the end."""
    engine = ReferenceEngine(variant, run, entries)
    engine._point = point_at(run)
    return engine


def engine_at(variant: Variant, position: Mapping[str, Any]) -> ReferenceEngine:
    """Return the engine at a position; raises PositionError."""
    run, under_way = run_of(variant, position)
    engine = ReferenceEngine(variant, run)
    if run.memory[ENDED]:
        return engine
    where = "pending" if under_way else ""
    try:
        engine.resume() if under_way else engine.advance()
    except RecursionError:
        raise PositionError(where, f"the game cannot go on from here: {EndlessError()}") from None
    except ASTRAY as error:
        raise PositionError(where, f"the game cannot go on from here: {error}") from None
    run.memory[TURN] = run.memory[ROUND] = 1
    del run.history[:], run.log[:]
    return engine
