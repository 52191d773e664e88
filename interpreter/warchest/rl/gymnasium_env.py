"""Many games as a vector environment of Gymnasium: one seat learns, bots have the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from warchest.game.errors import OptionError
from warchest.game.game import Game
from warchest.rl.batch import USUAL_CAP, Batch, GameStatus

Infos: TypeAlias = dict[str, NDArray[np.generic]]
"""Further facts of each game, by name: the facts of an end, and the actions on offer."""


class VectorEnv(GymnasiumVectorEnv[NDArray[np.int16], NDArray[np.integer], NDArray[np.float64]]):
    """Many games for Gymnasium: `step` plays one `seat`, and a bot the others.

    An action is a part of an option, as in `Batch`. `infos["action_mask"]` has the actions on offer. After the end of a
    game the next step begins another one, whatever the action (`AutoresetMode.NEXT_STEP`).
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seat: str | None = None,
        bot: str = "greedy",
        seed: int = 0,
        cap: int = USUAL_CAP,
        threads: int = 1,
        setup: str | None = None,
    ) -> None:
        """Begin games; the default seat is the first one. Raises OptionError as `Batch` does."""
        seats = game.board_for(setup).players
        if seat is not None and seat not in seats:
            raise OptionError("seat", f"there is no player {seat!r}; there are: {', '.join(seats)}")
        self.seat = seat or seats[0]
        """The seat that `step` plays."""
        bots = {one: bot for one in seats if one != self.seat}
        self.batch = Batch(game, num_envs, seed=seed, bots=bots, cap=cap, threads=threads, setup=setup)
        self.num_envs = num_envs
        self._column = self.batch.seats.index(self.seat)
        self.single_observation_space = Box(-32767, 32767, (len(self.batch.columns),), np.int16)
        self.single_action_space = Discrete(self.batch.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[NDArray[np.int16], Infos]:
        """Restart all games by a seed, or by the last one; return the observations and the actions on offer.

        Raises OptionError for several seeds: those of the games follow from one.
        """
        if seed is not None and not isinstance(seed, int):
            raise OptionError("seed", "one whole number is needed, from which the seeds of all games follow")
        self.batch.reset(self.batch.seed if seed is None else seed)
        return self._seen(), {"action_mask": self.batch.mask.copy()}

    def step(  # type: ignore[override]  # ends are told as truth values, as by all environments of Gymnasium
        self, actions: NDArray[np.integer]
    ) -> tuple[NDArray[np.int16], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Take an action in each game; raises OptionError, with nothing changed, if one is not on offer."""
        self.batch.step(actions)
        over = self.batch.ended == GameStatus.OVER
        cut = (self.batch.ended != GameStatus.RUNNING) & ~over
        rewards = self.batch.rewards[:, self._column].astype(np.float64)
        return self._seen(), rewards, over, cut, {"action_mask": self.batch.mask.copy()}

    def _seen(self) -> NDArray[np.int16]:
        """Return the observations of the seat, also at the end of games."""
        found = self.batch.observations.copy()
        if self._column:
            ended = self.batch.ended != GameStatus.RUNNING
            found[ended] = self.batch.observe(self.seat)[ended]
        return found
