"""Paths of options: from a state to another one by options, each given by its id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from warchest.game.decision import Option
from warchest.game.game import Game
from warchest.game.state import State
from warchest.testing.budget import look_at_clock
from warchest.testing.positions import PositionData, position_alone, state_told


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """A position, and the ids of successive options from there on."""

    position: PositionData
    path: tuple[str, ...] = ()


class PlayRecorder:
    """A spectator that records the last play of a game, if no act was under way when that play began."""

    def __init__(self) -> None:
        self._begun: PositionData | None = None
        self._path = list[str]()

    def begin(self, state: State) -> None:
        """Note the position at the beginning of a play."""
        self._begun = position_alone(state) if state.at_boundary else None
        self._path.clear()

    def take(self, state: State, option: Option) -> State:
        """Note an option and take it."""
        self._path.append(option.id)
        return state.apply(option)

    def wrong(self) -> list[str]:
        """Return an empty list, because a recorder finds no faults."""
        return []

    @property
    def play(self) -> RecordedPlay | None:
        """The recorded play; None if there is none."""
        return RecordedPlay(self._begun, tuple(self._path)) if self._begun is not None else None


def along(begun: State, path: Iterable[str]) -> Iterator[tuple[State, Option, State | None]]:
    """Yield the options of a path, each with the states before and after it; `begun` does not change.

    The path ends at an option that is not on offer, and after one that cannot be carried out, which leads to None.
    """
    before = begun
    for chosen in path:
        look_at_clock()
        option = offered(before, chosen)
        if option is None:
            return
        after = _taken(before, option)
        yield before, option, after
        if after is None:
            return
        before = after


def rests_of(begun: State, path: Sequence[str], last: bool) -> Iterator[tuple[PositionData, tuple[str, ...]]]:
    """Yield the positions on a path between acts, each with the rest of the path.

    Without `last` the last option is not taken.
    """
    for number, (_, _, state) in enumerate(along(begun, path if last else path[:-1]), 1):
        if state is not None and state.at_boundary:
            yield position_alone(state), tuple(path[number:])


def behind(begun: State, path: Iterable[str]) -> State | None:
    """Return the state after a path, which is `begun` itself if the path is empty; None if the path fails."""
    wanted = tuple(path)
    steps = [after for _, _, after in along(begun, wanted)]
    if len(steps) < len(wanted):
        return None
    return steps[-1] if steps else begun


def data_along(game: Game, told: PositionData, path: Iterable[str]) -> list[dict[str, object]]:
    """Return the data of the options of a path from a position, as far as that goes."""
    return [option.data for _, option, _ in along(state_told(game, told), path)]


def offered(state: State, chosen: str) -> Option | None:
    """Return the option with an id; None if it is not on offer, or the options cannot be listed."""
    try:
        options = state.decision.options if state.decision is not None else ()
        # To ask for an id that is not there is no mistake here, for which another one would have to be proposed.
        return next((one for one in options if one.id == chosen), None)
    except Exception:  # errors of the rules are for laws to report
        return None


def _taken(state: State, option: Option) -> State | None:
    try:
        return state.clone().apply(option)
    except Exception:  # as above
        return None
