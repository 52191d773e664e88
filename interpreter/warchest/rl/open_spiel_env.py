"""A game for OpenSpiel: chance is explicit, actions are parts of options, and seats observe the parts they may see."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyspiel

from warchest.game.game import Game, load_game
from warchest.rl.batch import USUAL_CAP, Batch

NAME = "python_warchest"
"""The name of shipped games for `pyspiel.load_game`."""
PARAMETERS: dict[str, str | int] = {"game": "war-chest", "setup": "", "seed": 0, "cap": USUAL_CAP}
"""The parameters of a game, with their usual values: see `open_spiel_game`."""
TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Board games written as text",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class Viewpoint:
    """A slot of a batch for reading states; copies of its owner share it."""

    def __init__(self, game: Game, setup: str | None, cap: int) -> None:
        self._made = game, setup, cap
        self.batch = Batch(game, 1, setup=setup, cap=cap)

    def __deepcopy__(self, memo: Mapping[int, object]) -> Viewpoint:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Viewpoint, self._made


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game whose setup is drawn by a seed."""

    def __init__(self, params: Mapping[str, str | int] | None = None, game: Game | None = None) -> None:
        """Make a game by its parameters; `game` is one that is loaded already. Raises OptionError as `Batch` does."""
        told = PARAMETERS | dict(params or {})
        made = load_game(str(told["game"])) if game is None else game
        setup, self.cap = str(told["setup"]) or None, int(told["cap"])
        self.viewpoint = Viewpoint(made, setup, self.cap)
        self.first = made.new(seed=int(told["seed"]), setup=setup)
        self.first.silent = True
        self.first.play_natively()
        batch = self.viewpoint.batch
        layout = batch.variant.program.layout
        info = pyspiel.GameInfo(
            num_distinct_actions=batch.action_count,
            max_chance_outcomes=max(layout.documents, len(layout.board.spaces), layout.room),
            num_players=len(batch.seats),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=self.cap,
        )
        super().__init__(TYPE, info, told)

    def new_initial_state(self) -> SpielState:
        """Return the first state."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: object = None, params: Mapping[str, object] | None = None
    ) -> SpielObserver:
        """Return an observer, which gives the observations of the seats."""
        return SpielObserver(self.viewpoint)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state, with the parts chosen of the option under way. After as many actions as the cap it is a draw."""

    def __init__(self, game: SpielGame) -> None:
        """Begin the game."""
        super().__init__(game)
        self.viewpoint, self.state, self.parts = game.viewpoint, game.first.clone(), list[int]()
        self._cap, self._taken = game.cap, 0
        self._go_on()

    def _go_on(self) -> None:
        """Take decisions that have a single option."""
        decision = self.state.decision
        while decision is not None and decision.count == 1:
            decision = self.state.apply(0).decision

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's number for chance or the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        assert self.state.decision is not None
        player = self.state.decision.player
        return int(pyspiel.PlayerId.CHANCE) if player is None else self.viewpoint.batch.seats.index(player)

    def _legal_actions(self, player: int) -> list[int]:
        batch = self.viewpoint.batch
        batch.put(0, self.state, self.parts)
        return sorted(batch.actions[0, : batch.counts[0]].tolist())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each possible outcome of chance: its number, and its probability."""
        assert self.state.decision is not None
        return [(number, float(one.probability)) for number, one in enumerate(self.state.decision.options)]

    def _apply_action(self, action: int) -> None:
        self._taken += 1
        assert self.state.decision is not None
        if self.state.decision.is_chance:
            self.state.apply(action)
        else:
            batch = self.viewpoint.batch
            batch.put(0, self.state, [*self.parts, action])
            if batch.taken[0] < 0:
                self.parts.append(action)
                return
            self.state.apply(int(batch.taken[0]))
            self.parts.clear()
        self._go_on()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            assert self.state.decision is not None
            return self.state.decision.options[action].label
        return self.viewpoint.batch.action_names[action]

    def is_terminal(self) -> bool:
        """Whether the game is over, or has taken too long."""
        return self.state.decision is None or self._taken >= self._cap

    def returns(self) -> list[float]:
        """Return 1 for each winner and -1 for each loser; 0 where there are none."""
        board, outcome = self.state.board, self.state.outcome
        if outcome is None or not outcome.winners:
            return [0.0] * len(board.players)
        return [1.0 if board.teams[seat] in outcome.winners else -1.0 for seat in board.players]

    def __str__(self) -> str:
        """Return the position, and the parts chosen."""
        return f"{self.state.position()} {self.parts}"


class SpielObserver:
    """Observes a state as a seat sees it."""

    def __init__(self, viewpoint: Viewpoint) -> None:
        self._viewpoint = viewpoint
        self.tensor = np.zeros(len(viewpoint.batch.columns), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Observe a state as a seat does."""
        batch = self._viewpoint.batch
        batch.put(0, state.state, state.parts)
        self.tensor[:] = batch.observe(batch.seats[player])[0]

    def string_from(self, state: SpielState, player: int) -> str | None:
        """Return None, because observations are numbers only."""
        return None


def open_spiel_game(game: Game, *, setup: str | None = None, seed: int = 0, cap: int = USUAL_CAP) -> pyspiel.Game:
    """Return a game for OpenSpiel. The setup is drawn by `seed`; after that chance is explicit.

    An action is a part of an option, as in `Batch`; after `cap` actions, those of chance among them, it is a draw. With
    this module imported, `pyspiel.load_game("python_warchest(game=unigames,seed=3)")` loads shipped games. Raises
    OptionError and PositionError as `Batch` does.
    """
    return SpielGame({"game": game.name, "setup": setup or "", "seed": seed, "cap": cap}, game)


pyspiel.register_game(TYPE, SpielGame)
