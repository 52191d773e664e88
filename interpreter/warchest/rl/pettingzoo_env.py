"""A game as an environment of PettingZoo, in which the seats act one after the other (AEC)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from warchest.game.errors import OptionError
from warchest.game.game import Game
from warchest.rl.batch import USUAL_CAP, Batch, GameStatus

AgentView: TypeAlias = dict[str, NDArray[np.int16] | NDArray[np.int8]]
"""The observation of a seat, under `observation`, and its actions as 0 and 1, under `action_mask`."""


class TableEnv(AECEnv[str, AgentView, int]):  # type: ignore[misc]  # PettingZoo has no types
    """One game for PettingZoo. The agents are the seats; an action is a part of an option, as in `Batch`.

    Observations have two keys: `observation` (int16, see `columns`) and `action_mask` (int8). The winners are rewarded
    with 1 and the losers with -1 at the end; a game that exceeds the cap is truncated.
    """

    metadata = {"name": "warchest_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        *,
        seed: int = 0,
        cap: int = USUAL_CAP,
        setup: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment; the first `reset` without a seed begins by this one. Raises OptionError as `Batch`."""
        super().__init__()
        self.batch = Batch(game, 1, seed=seed, cap=cap, setup=setup)
        self.possible_agents = list(self.batch.seats)
        self.agents: list[str] = []
        self.columns = self.batch.columns
        """The names of the columns of observations."""
        self.render_mode = render_mode
        self._seed, self._begun = seed, False
        seen = Box(-32767, 32767, (len(self.columns),), np.int16)
        mask = Box(0, 1, (self.batch.action_count,), np.int8)
        self._seen: Space[AgentView] = Dict({"observation": seen, "action_mask": mask})  # type: ignore[assignment]
        self._actions = Discrete(self.batch.action_count)

    def observation_space(self, agent: str) -> Space[AgentView]:
        """Return the space of observations, which is the same for all agents."""
        return self._seen

    def action_space(self, agent: str) -> Discrete:
        """Return the space of actions, which is the same for all agents."""
        return self._actions

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin a game: by a seed, or as the next game of the last seed."""
        if seed is not None or not self._begun:
            self._seed, self._begun = self._seed if seed is None else seed, True
            self.batch.reset(self._seed)
        else:
            self.batch.end()
            self.batch.step([0])
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self._tell()

    def step(self, action: int | None) -> None:
        """Take an action of the agent whose turn it is; raises OptionError if it is not on offer."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise OptionError("action", "a number is needed, as the game is not over")
        self._cumulative_rewards[agent] = 0.0
        self.batch.step([action])
        self.rewards = dict(zip(self.possible_agents, self.batch.rewards[0].tolist(), strict=True))
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        """Note whose turn it is, or that the game has ended."""
        status = GameStatus(self.batch.ended[0])
        if status is GameStatus.RUNNING:
            self.agent_selection = self.batch.seats[self.batch.players[0]]
            return
        self.terminations = dict.fromkeys(self.agents, status is GameStatus.OVER)
        self.truncations = dict.fromkeys(self.agents, status is not GameStatus.OVER)
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> AgentView:
        """Return the observation of an agent; only the agent whose turn it is has actions."""
        decides = bool(self.agents) and agent == self.agent_selection
        mask = self.batch.mask[0] if decides else np.zeros(self.batch.action_count, np.bool_)
        return {"observation": self.batch.observe(agent)[0], "action_mask": mask.astype(np.int8)}

    def render(self) -> str | None:
        """Return the position as text, or nothing if the environment was not made for that."""
        if self.render_mode != "ansi":
            return None
        return str(self.batch.state(0).position())

    def close(self) -> None:
        """Do nothing: memory is released with the environment."""
