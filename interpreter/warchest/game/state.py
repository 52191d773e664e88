"""A state of a game: the board, the pending work, and the decision."""

from __future__ import annotations

import random
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warchest.engine.history import Happened
from warchest.engine.lookahead import candidates_of
from warchest.engine.options import EVERYTHING, OptionSet
from warchest.engine.runs import EndlessError, Onlooker, Overfull, Run
from warchest.game.board_view import BoardMap
from warchest.game.decision import Decision, Option, Random
from warchest.game.engines import Engine, ReferenceEngine, engine_at, reason_of, winner_of
from warchest.game.errors import OptionError
from warchest.game.position.whole import facts_seen, is_boundary, position_of, view_of
from warchest.game.telling.log import Log, LogEntry, LogWriter
from warchest.game.telling.past import ReadAsIs
from warchest.game.telling.public_events import Event, EventReader
from warchest.game.telling.question import question_of
from warchest.game.variant import Variant
from warchest.game.worlds import Worlds
from warchest.lowering.clause_counts import Counts
from warchest.lowering.code import ChoicePoint
from warchest.lowering.layout import ENDED, LIVE, ROUND, TURN, WINNER

if TYPE_CHECKING:
    from warchest.game.counted import CountedMoment
    from warchest.native.shared_game import Moment


WORLDS = 1000
"""The most samples of hidden tokens that are tried before a state is returned unchanged."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winners (none in a draw), and the reason."""

    winners: tuple[str, ...]
    reason: str


def outcome(variant: Variant, number: int) -> Outcome:
    """Return the outcome of a game in which the team with a number has won (-1: no team)."""
    winner = winner_of(variant, number)
    return Outcome((winner,) if winner is not None else (), reason_of(winner))


@dataclass(frozen=True, slots=True)
class StateMark:
    """A moment of a state, for `undo`."""

    state: State


class State:
    """A state; it changes only by `apply` and `undo`. States are equal when positions and pending decisions are.

    It is held by an engine: the reference machine, or on request the native machine. Then the native machine plays it
    on, positions and views are read from its cells, and the reference machine answers all other questions about it. The
    engines differ only in speed.
    """

    __slots__ = ("_engine", "_wanted", "variant")

    def __init__(self, variant: Variant, run: Run, entries: Log | None = None) -> None:
        self.variant = variant
        self._engine: Engine = ReferenceEngine(variant, run, entries)
        self._wanted = False
        """Whether the state is to be held natively, as soon as that is possible."""

    @property
    def run(self) -> Run:
        """The run of the reference machine in this state; it is made on demand where the state is held natively."""
        return self._engine.run

    @property
    def silent(self) -> bool:
        """Whether the log is switched off; setting it switches the log off, or on again."""
        return self._engine.silent

    @silent.setter
    def silent(self, silent: bool) -> None:
        """Stop adding events to the log, or add them again."""
        self._engine.silent = silent

    @property
    def thorough(self) -> bool:
        """Whether the state also asks where there is only one option, instead of taking it at once."""
        return isinstance(self._engine, ReferenceEngine) and self._engine.thorough

    @thorough.setter
    def thorough(self, thorough: bool) -> None:
        """Make the state ask also where there is only one option, or stop this."""
        if thorough or not self.native:
            self._leave().thorough = thorough

    def count(self, counts: Counts | None) -> None:
        """Count the fate of each clause from now on; None: count nothing, as is usual. Copies count too."""
        self._wanted = False
        self._leave().count(counts)

    # ---- the engine that holds it

    @property
    def native(self) -> bool:
        """Whether the state is held natively now."""
        return not isinstance(self._engine, ReferenceEngine)

    def play_natively(self) -> str:
        """Let the native machine hold the state, and copies made of it, from now on; return the reason if it cannot.

        The native machine is compiled for that, or taken from the cache. The reference machine holds states that have
        no room natively, that ask thoroughly, that have pending work from a position, or that were unpickled.
        """
        from warchest.game.native_engine import native_machine

        found = native_machine(self.variant)
        reason = getattr(found, "reason", "")
        self._wanted = not reason
        return reason or self._hold()

    def _hold(self) -> str:
        """Let the native machine hold the state, if possible; return the reason if it never will."""
        from warchest.game.native_engine import NativeEngine, native_engine

        engine = self._engine
        if not isinstance(engine, ReferenceEngine) or not engine.can_change_engines:
            return ""
        native = native_engine(engine)
        if not isinstance(native, NativeEngine):
            self._wanted = False
            return native.reason
        self._engine = native
        return ""

    def _leave(self) -> ReferenceEngine:
        """Let the reference machine hold the state; return its engine."""
        self._engine = engine = self._engine.left()
        return engine

    @property
    def _moment(self) -> Moment | None:
        """The moment of the native machine, where it holds the state."""
        moment: Moment | None = getattr(self._engine, "moment", None)
        return moment

    # ---- the state of the game

    @property
    def board(self) -> BoardMap:
        """The board, with its spaces and players."""
        return BoardMap(self.variant.board)

    @property
    def turn(self) -> int:
        """The number of turns that have begun."""
        return self._engine.cell(TURN)

    @property
    def round(self) -> int:
        """The number of the round; it grows when all work of the previous round has ended."""
        return self._engine.cell(ROUND)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game; None while it is not over."""
        if not self._engine.cell(ENDED):
            return None
        return outcome(self.variant, self._engine.cell(WINNER))

    @property
    def decision(self) -> Decision | None:
        """The decision that is asked for now; None when the game is over."""
        return self._engine.decision

    # ---- playing

    def apply(self, option: Option | int) -> State:
        """Take an option, or the option of this number; return the state. Raises OptionError."""
        if not self._engine.take(option):
            self._wanted = False
            self._leave().take(option)
        elif self._wanted:
            self._hold()
        return self

    def give_up(self, player: str) -> State:
        """Let a player give up, also when another player is to decide; return the state, in which the game is over.

        The game's rules decide who has won. Raises OptionError if giving up is impossible, or the game is over.
        """
        engine, act = self._leave(), self.variant.program.concession
        self.variant.player_number(player)
        if act is None or self.outcome is not None:
            raise OptionError("", "the game is over" if act is not None else "in this game players cannot give up")
        over = engine.given_up(act, player)
        if not over.cell(ENDED):
            raise OptionError("", "by the rules the game goes on when a player gives up")
        self._engine = over
        return self

    def rollouts(
        self, games: int, seed: int = 0, acts: Container[str] = (), cap: int = 1000, counts: Counts | None = None
    ) -> list[Outcome | None]:
        """Play on from here a number of times; return the outcome of each game, None where it takes more than `cap`
        decisions.

        Options are drawn (see `Decision.draw`); options of the given `acts` are preferred. `seed` is the seed of the
        first game; the others have the numbers after it. The state does not change. The events of each clause are added
        to `counts`; natively a separate machine is compiled for that.
        """
        seeds = range(seed, seed + games)
        if counts is None or not self.native:
            return [self._rollout(number, acts, cap, self._moment, counts) for number in seeds]
        from warchest.game.counted import CountedMoment, counted_from

        with counted_from(self.variant, self.run, counts) as moment:
            natively = moment if isinstance(moment, CountedMoment) else None
            return [self._rollout(number, acts, cap, natively, counts) for number in seeds]

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
                state.apply(state.decision.draw(rng, acts))
        except EndlessError:
            return None
        return state.outcome

    def _on_reference(self) -> State:
        """Return a copy on the reference machine; it has no history if this state is held natively."""
        return _held_by(self._engine.apart())

    def advance(self) -> State:
        """Go on to the next decision; for a state just made.

        State rules that are due already take effect with the first event.
        """
        self._leave().advance()
        return self

    # ---- copies and comparison

    def clone(self) -> State:
        """Return an independent copy."""
        copy = _held_by(self._engine.copy())
        copy._wanted = self._wanted
        return copy

    def mark(self) -> StateMark:
        """Return a mark of this moment for `undo`; it can be used repeatedly."""
        return StateMark(self.clone())

    def undo(self, mark: StateMark) -> State:
        """Take back everything since a mark was made of this state, or of a copy; return the state.

        Raises OptionError for a mark of another game.
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
        return self._engine.same(other._engine)

    def __hash__(self) -> int:
        return self._engine.digest()

    def position(self) -> dict[str, Any]:
        """Return the state as a position: JSON-ready, and `game.position` makes an equal state of it."""
        return position_of(self._engine.told)

    def view(self, player: str) -> dict[str, Any]:
        """Return the position as a player may see it: it has the lengths of hidden lists in place of the lists."""
        return view_of(self._engine.told, self._prompt, player)

    def _prompt(self) -> str:
        return self.decision.prompt if self.decision is not None else ""

    def determinize(self, player: str, rng: Random) -> State:
        """Determinization: return a state with the hidden tokens sampled consistently with all that a player knows.

        The player knows the content of `view`, the options of the player's own decisions, which tokens exist, and how
        many tokens are in each place. Earlier knowledge does not count. Tokens change places with those of the
        same owner, and with those in a hidden zone of the game itself. The same decision is pending; if no other sample
        with that decision is found, the tokens stay. The log is empty at first. The same `rng` gives the same state
        wherever the player knows the same. Raises OptionError for an unknown player.
        """
        return self.worlds(player).draw(rng)

    def worlds(self, player: str) -> StateWorlds:
        """Return a source of many states like those of `determinize`; raises OptionError for an unknown player."""
        return StateWorlds(self, self._engine, player, self._wanted)

    @property
    def at_boundary(self) -> bool:
        """Whether no act is under way: the position alone, without pending work, is the whole state."""
        return self.outcome is not None or is_boundary(self._engine.told)

    # ---- explanations

    @property
    def log(self) -> list[str]:
        """The history of the game as told at a table, with one event on each line, in the game's phrases."""
        return self._log_of(None)

    def _log_of(self, viewer: int | None) -> list[str]:
        return [one.text for one in self._told(viewer) if not one.inner]

    def _told(self, viewer: int | None) -> list[LogEntry]:
        return self._engine.read(LogWriter(self.variant, viewer, self.variant.phrases))

    def log_for(self, player: str) -> list[str]:
        """The log without the parts that a player may not see. Raises OptionError for an unknown player.

        It depends only on the player's view at each decision, and on outcomes of chance for the player. If the player
        cannot trace tokens from an open place to their new places, the log only gives their number.
        """
        return self._log_of(self.variant.player_number(player))

    def history(self) -> list[Happened]:
        """Return the records that the log is made from, as the machine kept them."""
        return self._engine.read(ReadAsIs())

    @property
    def events(self) -> list[Event]:
        """All events so far, the oldest first: each with its agent, roles, clause and cause, by name."""
        return self._engine.read(EventReader(self.variant))

    def news_for(self, player: str) -> list[str]:
        """The lines of a player's log that are worth reading as they happen: without the answers of texts."""
        return [one.text for one in self.news_entries(player)]

    def news_entries(self, player: str | None) -> list[LogEntry]:
        """Return the news for a player, or for a viewer who sees everything, with their clauses.

        Raises OptionError for an unknown player.
        """
        viewer = None if player is None else self.variant.player_number(player)
        return [one for one in self._told(viewer) if one.news]

    @property
    def question(self) -> str:
        """The pending question, in the game's phrase for it; empty when the game is over."""
        decision = self.decision
        return question_of(self.variant, decision) if decision is not None else ""

    @property
    def trace(self) -> list[LogEntry]:
        """All changes in plain words, each with the clause that ordered it and the decision that led there.

        It also has the changes without a phrase: fields, tokens that only a text holds, answers that lapse.
        """
        return self._engine.read(LogWriter(self.variant, None))

    def trace_for(self, player: str) -> list[LogEntry]:
        """The trace without the parts that a player may not see. Raises OptionError for an unknown player."""
        return self._engine.read(LogWriter(self.variant, self.variant.player_number(player)))

    def why_not(self, what: Mapping[str, Any] | str, player: str | None = None) -> list[dict[str, Any]]:
        """Return the smallest set of reasons why an option is not on offer; empty if it is."""
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
        return self._engine.cell(LIVE).bit_count()

    @property
    def point(self) -> ChoicePoint | None:
        """The pending choice point."""
        return self._engine.point


class StateWorlds:
    """The worlds that are possible for all that a player knows in a state: see `State.determinize`."""

    def __init__(self, state: State, engine: Engine, player: str, wanted: bool) -> None:
        viewer, here = state.variant.player_number(player), engine.apart()
        self._player, self._here, self._wanted = player, here, wanted
        self._silent, self._native = state.silent, state.native
        self._worlds = Worlds(state.variant, here.run, viewer, here.named_to(player))
        self._seen = _held_by(here).view(player) if self._worlds.is_mixed else None

    def draw(self, rng: Random) -> State:
        """Return the state in one of the worlds, drawn uniformly."""
        here, seen = self._here, self._seen
        others = (here.elsewhere(self._worlds.sample(rng)) for _ in range(WORLDS))
        asked = (one for one in others if one.is_asked_as(here))
        engine = next((one for one in asked if seen is None or _held_by(one).view(self._player) == seen), None)
        engine = here.apart() if engine is None else engine
        engine.forget_history()
        other = _held_by(engine)
        other._wanted, other.silent = self._wanted, self._silent
        if self._native:
            other._hold()
        return other


def show(state: State, option: Option | int, onlooker: Onlooker) -> State:
    """Take an option as `apply` does, and notify the observer of each event as its body begins; return the state."""
    try:
        state._leave().show(option, onlooker)
    finally:
        if state._wanted:
            state._hold()
    return state


def seen_of(state: State, player: str) -> dict[str, Any]:
    """Return the keys of the game in the view of a player, and no more; raises OptionError for an unknown player."""
    return facts_seen(state._engine.told, player)


def survey(state: State, refusing: Onlooker) -> None:
    """List the options of a state again, and report each act that a rule forbids; the state does not change."""
    point = state.point
    if point is None or point.by_chance:
        return
    run = Run(state.run.machine, state.run.memory[:], state.run.top)
    run.candidates = candidates_of(run, point)
    run.refusing = refusing
    OptionSet(run, point, EVERYTHING)


def _held_by(engine: Engine) -> State:
    """Return the state that an engine holds."""
    state = State.__new__(State)
    state.variant, state._engine, state._wanted = engine.variant, engine, False
    return state


def state_of(engine: Engine) -> State:
    """Return the state that an engine holds."""
    return _held_by(engine)


def state_at(variant: Variant, position: Mapping[str, Any]) -> State:
    """Return the state of a position; raises PositionError."""
    return _held_by(engine_at(variant, position))


def restored(variant: Variant, position: Mapping[str, Any], turn: int, round_: int) -> State:
    """Return the state of a position at some turn and round; raises PositionError."""
    state = state_at(variant, position)
    state.run.memory[TURN], state.run.memory[ROUND] = turn, round_
    return state


__all__ = ["EndlessError", "Outcome", "Overfull", "State"]
