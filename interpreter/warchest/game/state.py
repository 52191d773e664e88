"""A state of a game: the board, the pending work, and the decision."""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from warchest.engine.choices import clause_of, is_question
from warchest.engine.counting import Counts, counting_machine
from warchest.engine.events import lapse, leave_events, look_again
from warchest.engine.history import Decided, Happened
from warchest.engine.lookahead import candidates_of, decider_at
from warchest.engine.options import ENOUGH, EVERYTHING, OptionSet, follow
from warchest.engine.runs import (
    DONE,
    ENDLESS,
    DeadEndError,
    EndlessError,
    Frame,
    Onlooker,
    Overfull,
    Run,
    Signal,
    Stop,
)
from warchest.game.board_view import BoardMap
from warchest.game.decision import (
    Chances,
    Decision,
    FoundOption,
    FoundOptions,
    Offers,
    Option,
    Random,
    ReferenceDecision,
)
from warchest.game.errors import ASTRAY, OptionError, PositionError
from warchest.game.log import Log, LogEntry, LogWriter, WordReader
from warchest.game.news import NewsWriter, question_of
from warchest.game.past import ReadAsIs
from warchest.game.position.whole import is_boundary, position_of, run_of, view_of
from warchest.game.public_events import Event, EventReader
from warchest.game.variant import Variant
from warchest.game.worlds import Worlds
from warchest.ir.values import NOTHING
from warchest.lowering.code import LEFT_OUT, Act, ChoicePoint, Note, Pick
from warchest.lowering.layout import ENDED, LIVE, MUST_ASK, ROUND, TURN, WINNER

if TYPE_CHECKING:
    from warchest.game.counted import CountedMoment
    from warchest.game.held import Held
    from warchest.native.shared_game import Moment


WORLDS = 1000
"""The most ways to place hidden tokens that are tried before a state is taken as it is."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winners (none in a draw), and the reason."""

    winners: tuple[str, ...]
    reason: str


def outcome(variant: Variant, winner: int) -> Outcome:
    """Return the outcome of a game that a team has won, by its number (-1: nobody has)."""
    if winner == NOTHING:
        return Outcome((), reason_of(None))
    return Outcome((variant.board.teams[winner],), reason_of(variant.board.teams[winner]))


def reason_of(winner: str | None) -> str:
    """Return the outcome of a game that somebody, or nobody, has won."""
    return f"{winner} has won" if winner is not None else "nobody has won"


@dataclass(frozen=True, slots=True)
class StateMark:
    """A moment of a state, to which `undo` comes back."""

    state: State


class State:
    """A state; it changes only by `apply` and `undo`. States are equal when positions and pending decisions are.

    It is held by the reference machine, or natively where somebody has asked for that: then the native machine plays it
    on, and the reference machine answers all questions about it. The holder makes no difference but in speed.
    """

    __slots__ = (
        "_decision",
        "_entries",
        "_held",
        "_point",
        "_run",
        "_surveyed",
        "_thorough",
        "_told",
        "_wanted",
        "variant",
    )

    def __init__(self, variant: Variant, run: Run | None, entries: Log | None = None) -> None:
        self.variant = variant
        self._run = run
        """The run of the reference machine; None where the state is held natively and nobody has read of it."""
        self._held: Held | None = None
        """The native part, where the state is held natively."""
        self._wanted = False
        """Whether it is to be held natively, as soon as that can be."""
        self._entries = entries if entries is not None else Log()
        self._point: ChoicePoint | None = None
        self._decision: Decision | None = None
        self._thorough = False
        self._surveyed = False
        """Whether all options of the last decision were asked for: such a caller will do so again."""
        self._told = False
        """Whether the pending work is that of a position, so that the rules may never get to where it leads."""

    @property
    def run(self) -> Run:
        """The run of the reference machine that stands here; it is made anew where the state is held natively."""
        if self._run is None:
            self._run = _run_at(self.variant, self._natively.moment)
        return self._run

    @property
    def silent(self) -> bool:
        """Whether nothing is told to the log from now on: for callers that play many games, and read no log."""
        return self.run.silent if self._held is None else self._held.silent

    @silent.setter
    def silent(self, silent: bool) -> None:
        """Tell the log of nothing any more, or again of everything."""
        if self._held is None:
            self.run.silent = silent
        elif self._held.silent != silent:
            self._tell()
            self._held.silent, self._held.begun = silent, self._held.moment

    @property
    def thorough(self) -> bool:
        """Whether the state also asks where there is one option only, instead of taking it at once."""
        return self._thorough

    @thorough.setter
    def thorough(self, thorough: bool) -> None:
        """Begin or stop asking also where there is one option only."""
        if thorough:
            self._leave()
        self._thorough = thorough

    def count(self, counts: Counts | None) -> None:
        """Count the fate of each clause from now on; None: count nothing, as is usual. Copies count too."""
        self._leave()
        self._wanted = False
        usual = self.variant.machine
        machine = usual if counts is None else counting_machine(usual.program, counts)
        self._run = self.run.on(machine)
        self._decision = None

    # ---- the machine that holds it

    @property
    def native(self) -> bool:
        """Whether the state is held natively now."""
        return self._held is not None

    def play_natively(self) -> str:
        """Let the state, and all copies made of it, be held natively from now on; return why not, if that cannot be.

        The native machine is compiled for that, or taken from the cache. The reference machine holds states that have
        no room natively, that are asked thoroughly, that come with pending work from a position, or out of a pickle.
        """
        from warchest.game.held import native_machine

        found = native_machine(self.variant)
        reason = getattr(found, "reason", "")
        self._wanted = not reason
        return reason or self._hold()

    def _hold(self) -> str:
        """Let the state be held natively, where it can be; return why not, if it never will be."""
        from warchest.game.held import Held, held_at

        if self._held is not None or self._thorough or self._told:
            return ""
        held = held_at(self.variant, self.run, self.silent)
        if not isinstance(held, Held):
            self._wanted = False
            return held.reason
        self._held, self._decision, self._point = held, None, None
        self._forget_run()
        return ""

    def _leave(self) -> None:
        """Let the reference machine hold the state."""
        if self._held is not None:
            self._tell()
            run = self.run
            run.silent, self._held, self._decision = self._held.silent, None, None
            self._point = point_at(run)

    @property
    def _natively(self) -> Held:
        assert self._held is not None
        return self._held

    def _forget_run(self) -> None:
        """Forget the run of the reference machine, but for its history."""
        if self._run is not None:
            self._entries.settle(self._run)
            self._run = None

    def _tell(self) -> None:
        """Tell the log of the options that were taken natively: the reference machine takes them again."""
        held = self._held
        if held is None or held.chosen is None:
            return
        self._forget_run()
        teller = standing(self.variant, _run_at(self.variant, held.begun), self._entries)
        for candidates in held.untold():
            decision = teller.decision
            assert decision is not None and not isinstance(decision.offers, FoundOptions)
            teller.apply(decision.offers.taking(candidates))
        self._run = teller.run
        held.told()

    # ---- where the game stands

    @property
    def board(self) -> BoardMap:
        """The board, with its spaces and players."""
        return BoardMap(self.variant.board)

    @property
    def turn(self) -> int:
        """The number of turns that have begun."""
        return self._cell(TURN)

    @property
    def round(self) -> int:
        """The round; it grows when the last round's work is done."""
        return self._cell(ROUND)

    def _cell(self, number: int) -> int:
        return self.run.memory[number] if self._held is None else self._held.moment.cell(number)

    @property
    def outcome(self) -> Outcome | None:
        """None while the game runs; else how it ended."""
        if not self._cell(ENDED):
            return None
        return outcome(self.variant, self._cell(WINNER))

    @property
    def decision(self) -> Decision | None:
        """The decision that is asked for now; None when the game is over."""
        if self._decision is None:
            if self._held is not None:
                self._decision = self._found(self._held.moment)
            elif self._point is not None:
                self._decision = self._decide(self._point)
        return self._decision

    def _found(self, moment: Moment) -> Decision | None:
        """Return the decision that the native machine has found at a moment."""
        if moment.is_over:
            return None
        player = None if moment.by_chance else self.variant.naming.players[max(moment.decider, 0)]
        return Decision(player, FoundOptions(ReferenceDecision(moment, partial(_decision_at, self.variant))))

    # ---- playing

    def apply(self, option: Option | int) -> State:
        """Take an option, or the option of this number; return the state. Raises OptionError."""
        if self._held is None or not self._take(self._held, option):
            self._apply(option)
            if self._wanted:
                self._hold()
        return self

    def _take(self, held: Held, option: Option | int) -> bool:
        """Take an option natively; return whether the machine could, else the reference machine has the state."""
        if held.moment.is_over:
            raise OptionError("", "the game is over")
        if not held.take(self._number(held.moment, option)):
            self._leave()
            self._wanted = False
            return False
        self._decision = None
        self._forget_run()
        return True

    def _number(self, moment: Moment, option: Option | int) -> int:
        """Return the number of an option that is on offer natively; raises OptionError where it is not."""
        if isinstance(option, FoundOption) and option.reading.moment is moment:
            return option.number
        if isinstance(option, int) and not isinstance(option, bool) and 0 <= option < moment.count:
            return option
        assert self.decision is not None
        return self.decision.options.index(self._chosen(self.decision, option))

    def _apply(self, option: Option | int) -> State:
        decision = self.decision
        if decision is None:
            raise OptionError("", "the game is over")
        chosen = self._chosen(decision, option)
        point, run = self._point, self.run
        assert point is not None
        if isinstance(decision.offers, Offers):
            self._surveyed = decision.offers.listed
        del run.log[:]
        run.begin_work()
        mark, told = run.mark(), len(run.history)
        try:
            self._entries.decided(decision.player, chosen, self.variant, self.run)
            self._advance(follow(run, point, chosen.path.taken))
            if self._told:
                self._told = self._comes_back()
        except BaseException as error:
            clause = run.clause
            run.undo(mark)
            run.lookahead, run.in_option, run.hasty = 0, False, 0
            del run.history[told:], run.notes[:]
            self._point, self._decision = point, decision
            if isinstance(error, Overfull):
                raise OptionError("", str(error)) from None
            if isinstance(error, RecursionError):
                raise EndlessError(clause) from None
            if self._told and isinstance(error, ASTRAY) and not isinstance(error, EndlessError):
                raise OptionError("pending", f"the rules lead from it to what cannot be: {error}") from None
            raise
        return self

    def give_up(self, player: str) -> State:
        """Let a player give the game up, also when another one is to decide; return the state, in which it is over.

        Who has won then is for the game to say. Raises OptionError where nobody can, or not any more.
        """
        self._leave()
        act, number = self.variant.program.concession, self.variant.player_number(player)
        if act is None or self.outcome is not None:
            raise OptionError("", "the game is over" if act is not None else "in this game nobody can give it up")
        over = self.clone()
        run = over.run
        if not over.silent:
            run.history.append(Decided(None, None, player, (("act", act.verb.act, 0),), False))
        _begin(run, act, number)
        run.go()
        if over.outcome is None:
            raise OptionError("", "the game goes on, as the rules have it, when somebody gives it up")
        over._advance(DONE)
        self._run, self._entries, self._point, self._decision = run, over._entries, None, None
        return self

    def rollouts(
        self, games: int, seed: int = 0, acts: Container[str] = (), cap: int = 1000, counts: Counts | None = None
    ) -> list[Outcome | None]:
        """Play on from here so many times; return how each game ended, None where it takes more than `cap` decisions.

        Options are drawn (see `Decision.draw`), those of some `acts` wherever there are any. `seed` is that of the
        first game, from which those of the others count on. The state stays where it is. To `counts` is added what the
        games do and ask of each clause; natively a machine of its own is compiled for that.
        """
        seeds = range(seed, seed + games)
        if counts is None or self._held is None:
            moment = self._held.moment if self._held is not None else None
            return [self._rollout(number, acts, cap, moment, counts) for number in seeds]
        from warchest.game.counted import counted_from

        with counted_from(self.variant, self.run, counts) as counting:
            return [self._rollout(number, acts, cap, counting, counts) for number in seeds]

    def _rollout(
        self, seed: int, acts: Container[str], cap: int, natively: Moment | CountedMoment | None, counts: Counts | None
    ) -> Outcome | None:
        if natively is not None:
            played = natively.play_on(seed, acts, self.variant.naming.players, cap)
            if played is not None:
                return outcome(self.variant, played.winner) if played.ended else None
        state, rng = self._on_reference(), random.Random(seed)
        state.silent = True
        if counts is not None:
            state.count(counts)
        try:
            for _ in range(cap):
                if state.decision is None:
                    break
                state._apply(state.decision.draw(rng, acts))
        except EndlessError:
            return None
        return state.outcome

    def _on_reference(self) -> State:
        """Return a copy that the reference machine holds, and that has no history where this one is held natively."""
        return self.clone() if self._held is None else standing(self.variant, _run_at(self.variant, self._held.moment))

    def _chosen(self, decision: Decision, option: Option | int) -> Option:
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

    def advance(self) -> State:
        """Carry on to the next decision; for a state just made.

        What should have followed already from what stands there follows with the first thing that happens.
        """
        self._leave()
        stop = self.run.go()
        look_again(self.run)
        self._advance(stop)
        return self

    def resume(self) -> State:
        """Carry on where somebody must choose at once; for a state just made. Raises ValueError where nobody can."""
        self._leave()
        run = self.run
        begun = run.parent, run.code, run.pc, run.env
        stop = run.go()
        if isinstance(stop, Signal) or (run.parent, run.code, run.pc, run.env) != begun:
            raise ValueError("nobody has to choose there")
        look_again(run)
        self._advance(stop, offered=True)
        self._told = True
        return self

    def _advance(self, stop: Stop, offered: bool = False) -> None:
        """Carry on until a decision must be asked; a single option is taken at once and logged.

        Where one has been `offered`, there must be something to choose from.
        """
        run = self.run
        while True:
            self._point, self._decision = None, None
            if stop is DONE or run.memory[ENDED]:
                if self.outcome is not None:
                    self._entries.ended(self.outcome.reason, self.variant, run)
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
        """Whether options are to be asked for, of which there is one at least."""
        run = self.run
        return options.count > 1 or self.thorough or bool(run.memory[MUST_ASK] and is_question(run, point))

    def _lapse(self) -> Stop:
        """Leave out what has proved impossible: the innermost text that is under way."""
        run = self.run
        # The same step could be left out again and again.
        run.tick(1, fault=ENDLESS)
        found = (self._innermost(run.top, origins) for origins in LEFT_OUT)
        frame = next(filter(None, found), None)
        if frame is None or frame.parent is None:
            # Where there is a choice to make, the run stands before it; else behind the operation that failed.
            raise DeadEndError(run.failed if self._point is None else clause_of(run, self._point))
        lapse(run, frame.code.clause(frame.pc))
        leave_events(run, frame)
        run.put_back(frame.parent)
        return run.go()

    def _innermost(self, frame: Frame | None, origins: tuple[str, ...]) -> Frame | None:
        """Return the innermost frame of some origins that the game itself did not order."""
        acts = self.variant.program.acts
        while frame is not None:
            ordered = frame.code.verb < 0 or acts[frame.code.verb].verb.by != "game"
            if frame.code.origin in origins and ordered:
                return frame
            frame = frame.parent
        return None

    # ---- options

    def _decide(self, point: ChoicePoint) -> Decision:
        self.run.begin_work()
        self.run.candidates = candidates_of(self.run, point)
        return self._make(point, self._options(point))

    def _options(self, point: ChoicePoint) -> Offers | Chances:
        """Return the options at a choice point where the run stands with its candidates."""
        if point.by_chance:
            assert isinstance(point, Pick)
            return Chances(self.variant, self.run, point, self._chance_notes(), clause_of(self.run, point))
        enough = EVERYTHING if self._surveyed else 1 if self.run.memory[MUST_ASK] else ENOUGH
        return Offers(self.variant, OptionSet(self.run, point, enough), clause_of(self.run, point))

    def _chance_notes(self) -> tuple[Note, ...]:
        """Return the notes of every outcome of chance: the act it happens in, and the player."""
        code = self.run.code
        if code.origin != "verb":
            return ()
        act: Note = ("act", self.variant.program.acts[code.verb].verb.act, 0)
        you = self.run.env[1]
        return (act, ("player", "player", you)) if you != NOTHING else (act,)

    def _make(self, point: ChoicePoint, options: Offers | Chances) -> Decision:
        player = None if point.by_chance else self.variant.naming.players[max(decider_at(self.run, point), 0)]
        return Decision(player, options)

    # ---- copies and comparison

    def clone(self) -> State:
        """Return an independent copy."""
        run = None if self._held is not None else Run(self.run.machine, self.run.memory[:], self.run.top)
        if self._run is not None:
            self._entries.settle(self._run)
        copy = State(self.variant, run, Log(self._entries.past))
        # Options keep the memory of their moment, so copies can share a decision.
        copy._point, copy._decision, copy._surveyed = self._point, self._decision, self._surveyed
        copy._thorough, copy._told, copy._wanted = self._thorough, self._told, self._wanted
        if run is None:
            copy._held = self._natively.copy()
        else:
            copy.silent = self.silent
        return copy

    def mark(self) -> StateMark:
        """Return a mark, with which `undo` comes back to this moment; it can be used again and again."""
        return StateMark(self.clone())

    def undo(self, mark: StateMark) -> State:
        """Take back all that was done since a mark was made of this state, or of a copy; return the state.

        Raises OptionError where the mark is that of another game.
        """
        if not isinstance(mark, StateMark) or not self.variant.is_same(mark.state.variant):
            raise OptionError("mark", f"a mark of this game is needed, not {mark!r}")
        before = mark.state.clone()
        for name in State.__slots__:
            setattr(self, name, getattr(before, name))
        return self

    def key(self) -> tuple[Any, ...]:
        """Return the identity of this state: equal states have equal keys."""
        return self.variant.key(self.run)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State) or not self.variant.is_same(other.variant):
            return False
        same = None
        if self._held is not None and other._held is not None:
            same = self._held.moment.same(other._held.moment)
        return self.variant.alike(self.run, other.run) if same is None else same

    def __hash__(self) -> int:
        if self._held is not None and self._run is None:
            return self.variant.digest.of_moment(self._held.moment)
        return self.variant.digest.of_run(self.run)

    def position(self) -> dict[str, Any]:
        """Return the state as a position: JSON-ready, and `game.position` makes the same state of it."""
        return position_of(self.variant, self.run)

    def view(self, player: str) -> dict[str, Any]:
        """Return the position as a player may see it: hidden lists are their lengths."""
        prompt = self.decision.prompt if self.decision is not None else ""
        return view_of(self.variant, self.run, prompt, player)

    def determinize(self, player: str, rng: Random) -> State:
        """Return a state like this one for all that a player knows, in which what is hidden is placed anew at random.

        The player knows what `view` shows and what the options of the player's own decision name; besides, which tokens
        there are and how many lie where. What was seen earlier does not count. Tokens change places with those of the
        same owner, and with those that lie in a hidden zone of the game itself. The same decision is pending; where no
        other way is found in which it would be, nothing changes. The log begins anew, as it would tell. The same `rng`
        gives the same state wherever the player knows the same. Raises OptionError for an unknown player.
        """
        viewer, here = self.variant.player_number(player), self._on_reference()
        worlds = Worlds(self.variant, here.run, viewer, here._named_to(player))
        seen = here.view(player) if worlds.is_mixed else None
        other = next(
            (
                one
                for one in here._others(worlds, rng)
                if one._is_asked_as(here) and (seen is None or one.view(player) == seen)
            ),
            here,
        )
        other._entries, other._wanted, other.silent = Log(), self._wanted, self.silent
        if self._held is not None:
            other._hold()
        return other

    def _others(self, worlds: Worlds, rng: Random) -> Iterator[State]:
        """Yield states in other worlds, at the same point."""
        for _ in range(WORLDS):
            other = State(self.variant, worlds.sample(rng))
            other._point, other._thorough, other._told = self._point, self._thorough, self._told
            yield other

    def _named_to(self, player: str) -> set[int]:
        """Return the holders of the tokens that the options of a player name, if the player has to decide."""
        decision = self.decision
        if decision is None or decision.player != player or not isinstance(decision.offers, Offers):
            return set()
        return {
            value // self.variant.program.layout.documents
            for path in decision.offers.set.paths
            for _, base, value in path.notes
            if base == "token" and value >= 0
        }

    def _is_asked_as(self, other: State) -> bool:
        """Whether the same player is asked here as in another state at the same point, and must be."""
        point, decision = self._point, self.decision
        if point is None or decision is None or other.decision is None:
            return True
        offers = decision.offers
        assert not isinstance(offers, FoundOptions)
        return decision.player == other.decision.player and bool(offers.count) and self._must_ask(point, offers)

    @property
    def at_boundary(self) -> bool:
        """Whether nothing is half done: the position alone, without pending work, says everything."""
        return self.outcome is not None or is_boundary(self.variant, self.run)

    def _comes_back(self) -> bool:
        """Return whether something is pending once the position makes the state again; raises PositionError."""
        position = self.position()
        if state_at(self.variant, position) != self:
            raise PositionError("", "no position can tell all that there is then")
        return "pending" in position

    # ---- explanations

    @property
    def log(self) -> list[str]:
        """The history of the game, one event a line."""
        self._tell()
        return self._log_of(None)

    def _log_of(self, viewer: int | None) -> list[str]:
        return self._entries.read(WordReader(LogWriter(self.variant, viewer)), self.run)

    def log_for(self, player: str) -> list[str]:
        """The log without the parts that a player may not see. Raises OptionError for an unknown player.

        It depends only on the player's view at each decision, and on outcomes of chance for the player. If the
        player cannot tell which tokens of an open place went where, the log only gives their number.
        """
        self._tell()
        return self._log_of(self.variant.player_number(player))

    def history(self) -> list[Happened]:
        """Return the records that the log is made of, as the machine told them."""
        self._tell()
        return self._entries.read(ReadAsIs(), self.run)

    @property
    def events(self) -> list[Event]:
        """All that has happened, the oldest first: each event with its agent, roles, clause and cause, by name."""
        self._tell()
        return self._entries.read(EventReader(self.variant), self.run)

    def news_for(self, player: str) -> list[str]:
        """The news for a player, in the game's phrases: decisions, and changes that positions tell of."""
        self._tell()
        writer = NewsWriter(self.variant, self.variant.player_number(player))
        return self._entries.read(WordReader(writer), self.run)

    def news_entries(self, player: str | None) -> list[LogEntry]:
        """Return the news for a player, or for somebody who sees everything, with the clauses behind them.

        Raises OptionError for an unknown player.
        """
        self._tell()
        writer = NewsWriter(self.variant, None if player is None else self.variant.player_number(player))
        return self._entries.read(writer, self.run)

    @property
    def question(self) -> str:
        """The question that is open, in the game's phrase for it; empty when the game is over."""
        decision = self.decision
        return question_of(self.variant, decision) if decision is not None else ""

    @property
    def trace(self) -> list[LogEntry]:
        """The log with, for each entry, the clause that ordered it and the decision that led there."""
        self._tell()
        return self._entries.read(LogWriter(self.variant, None), self.run)

    def why_not(self, what: Mapping[str, Any] | str, player: str | None = None) -> list[dict[str, Any]]:
        """Return the smallest set of reasons why something is not on offer; empty if it is."""
        from warchest.game.explain.why import why_not

        try:
            asked = self._on_reference()
            return why_not(asked.variant, asked.run, asked.point, asked.decision, what, player)
        except EndlessError as error:
            return [error.data()]

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.variant, self.position(), self.turn, self.round)

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    @property
    def pieces(self) -> int:
        """The number of pieces on the board."""
        live = self._cell(LIVE)
        # The cells of the native machine have a sign.
        return (live if live >= 0 else live + 2**32).bit_count()

    @property
    def point(self) -> ChoicePoint | None:
        """The choice point where somebody must choose now."""
        return self._point if self._held is None else point_at(self.run)


def show(state: State, option: Option | int, onlooker: Onlooker) -> State:
    """Take an option as `apply` does, and show each event to somebody as its body begins; return the state."""
    state._leave()
    run = state.run
    run.onlooker = onlooker
    try:
        return state._apply(option)
    finally:
        run.onlooker = None
        if state._wanted:
            state._hold()


def survey(state: State, refusing: Onlooker) -> None:
    """List the options of a state again, and report each act that a rule forbids; the state does not change."""
    point = state.point
    if point is None or point.by_chance:
        return
    run = Run(state.run.machine, state.run.memory[:], state.run.top)
    run.candidates = candidates_of(run, point)
    run.refusing = refusing
    OptionSet(run, point, EVERYTHING)


def point_at(run: Run) -> ChoicePoint | None:
    """Return the choice point at which a run stands; None where the game is over."""
    top = None if run.memory[ENDED] else run.top
    point = top.code.instructions[top.pc] if top is not None else None
    return point if isinstance(point, ChoicePoint) else None


def standing(variant: Variant, run: Run, entries: Log | None = None) -> State:
    """Return the state whose run stands at a decision, or at the end."""
    state = State(variant, run, entries)
    state._point = point_at(run)
    return state


def _run_at(variant: Variant, moment: Moment) -> Run:
    """Return the run of the reference machine at a moment of the native one."""
    from warchest.game.held import run_at

    return run_at(moment, variant.machine)


def _decision_at(variant: Variant, moment: Moment) -> Decision:
    """Return the decision of the reference machine at a moment."""
    decision = standing(variant, _run_at(variant, moment)).decision
    assert decision is not None
    return decision


def _begin(run: Run, act: Act, player: int) -> None:
    """Let a player do an act with nothing else, in the place of all that is pending."""
    env = (NOTHING, player, NOTHING, player, *[NOTHING] * (act.roles + 1), player)
    run.put_back(Frame(None, act.routine, 0, env, ()))


def state_at(variant: Variant, position: Mapping[str, Any]) -> State:
    """Return the state of a position; raises PositionError."""
    run, under_way = run_of(variant, position)
    state = State(variant, run)
    if run.memory[ENDED]:
        return state
    where = "pending" if under_way else ""
    try:
        state.resume() if under_way else state.advance()
    except RecursionError:
        raise PositionError(where, f"the game cannot go on from here: {EndlessError()}") from None
    except ASTRAY as error:
        raise PositionError(where, f"the game cannot go on from here: {error}") from None
    run.memory[TURN] = run.memory[ROUND] = 1
    del run.history[:], run.log[:]
    return state


def restored(variant: Variant, position: Mapping[str, Any], turn: int, round_: int) -> State:
    """Return the state of a position at some turn and round; raises PositionError."""
    state = state_at(variant, position)
    state.run.memory[TURN], state.run.memory[ROUND] = turn, round_
    return state


__all__ = ["EndlessError", "Outcome", "State"]
