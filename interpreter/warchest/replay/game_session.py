"""A game that is being played: its state, the steps that led to it, and undo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from warchest.game.decision import Option
from warchest.game.game import Game
from warchest.game.setup.armies import Armies
from warchest.game.setup.beginning import Beginning
from warchest.game.state import State
from warchest.replay.fingerprint import fingerprint, layers
from warchest.replay.record import Replay, Start, TakenStep
from warchest.replay.stepping import begin, concession, give_up, gives_up, matching, outcome_of


class Session:
    """A state with its past. Chance depends on the seed and the number of the step alone, so the same choices meet the
    same chance after going back, and after leaving and resuming a game."""

    def __init__(self, game: Game, state: State, start: Start) -> None:
        self.game, self.state, self.start = game, state, start
        self.taken: list[TakenStep] = []
        self._marks: list[tuple[State, int]] = []

    @classmethod
    def new(
        cls,
        game: Game,
        seed: int,
        setup: str | None = None,
        armies: Armies | None = None,
        options: Mapping[str, object] | None = None,
        players: int | None = None,
        sets: Iterable[str] | str | None = None,
        date: str | None = None,
        points: int | None = None,
        collection: Armies | None = None,
    ) -> Session:
        """Begin a game by a setup; raises PositionError."""
        beginning = game.beginning(armies, options, setup, players, sets, date, points, collection)
        return cls.begun(game, beginning, beginning.begin(seed), seed)

    @classmethod
    def begun(cls, game: Game, beginning: Beginning, state: State, seed: int) -> Session:
        """Go on with the initial state of a beginning for a seed."""
        asked = beginning.asked
        armies = {player: army for player, army in (asked.armies or {}).items() if army is not None}
        start = Start(
            state.position(),
            seed,
            beginning.setup.name,
            armies or None,
            board=beginning.variant.board.name,
            sets=beginning.sets,
            points=asked.points,
            collection=asked.collection,
        )
        return cls(game, state, start)

    @classmethod
    def from_position(cls, game: Game, state: State, seed: int) -> Session:
        """Begin a game at a state made from a position; the seed settles chance."""
        board = state.variant.board.name
        return cls(game, state, Start(state.position(), seed, from_position=True, board=board))

    @classmethod
    def resumed(cls, game: Game, replay: Replay, player: str | None, path: str, everybody: bool = False) -> Session:
        """Go on with a replay; decisions of one player (by default the first), or all, can be undone. Raises Misfit."""
        session = cls(game, begin(game, replay, path), replay.start)
        player = player or session.state.variant.board.seats[0].name
        for number, step in enumerate(replay.taken, 1):
            if gives_up(session.state, step):
                if everybody or step.by == player:
                    session._marks.append((session.state.clone(), len(session.taken)))
                give_up(session.state, step, path, number)
                session.taken.append(step)
                continue
            option = matching(session.state, step, path, number)
            session.take(option, mark=step.by == player or (everybody and step.by is not None))
        return session

    def rng(self, what: str) -> Random:
        """Return the source of chance for the next step; `what` keeps chance and bots apart."""
        return Random(f"{self.start.seed}/{len(self.taken)}/{what}")

    def take(self, option: Option, mark: bool = False) -> None:
        """Take an option; with a mark, `undo` goes back to the moment before."""
        decision = self.state.decision
        before = (self.state.clone(), len(self.taken)) if mark else None
        step = TakenStep(decision.player if decision else None, dict(option.data))
        self.state.apply(option)
        self.taken.append(step)
        if before is not None:
            self._marks.append(before)

    def roll(self) -> None:
        """Let chance decide."""
        decision = self.state.decision
        assert decision is not None and decision.is_chance
        self.take(decision.sample(self.rng("chance")))

    def give_up(self, player: str) -> None:
        """Let a player give the game up; `undo` goes back to the moment before. Raises OptionError."""
        before = (self.state.clone(), len(self.taken))
        self.state.give_up(player)
        self.taken.append(TakenStep(player, concession(self.state) or {}))
        self._marks.append(before)

    @property
    def marks(self) -> int:
        """The number of moments that `undo` can go back to."""
        return len(self._marks)

    def moment(self, mark: int) -> tuple[State, int]:
        """Return the state at a mark, and the number of steps before it; the number of all marks means the present.

        The state must not be changed.
        """
        return self._marks[mark] if mark < self.marks else (self.state, len(self.taken))

    def undo(self) -> bool:
        """Go back to the last mark; return whether there was one."""
        if not self._marks:
            return False
        self.state, length = self._marks.pop()
        del self.taken[length:]
        return True

    def replay(self) -> Replay:
        """Return the replay of the steps so far."""
        options = dict(self.state.variant.options)
        return Replay(
            self.game.name,
            options,
            self.start,
            tuple(self.taken),
            outcome_of(self.state),
            fingerprint(self.game),
            layers(self.game, options),
        )
