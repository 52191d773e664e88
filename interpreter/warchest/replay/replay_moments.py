"""The moments of a replay as viewers see them: the scene, and the news since the moment before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warchest.game.game import Game
from warchest.game.state import State
from warchest.game.telling.motions import motions_of
from warchest.picture.scene import Scene, scene, with_motions
from warchest.picture.style import Style, style_of
from warchest.replay.record import Replay
from warchest.replay.stepping import begin, steps
from warchest.source.records import record


@record()
class SeenMoment:
    """A moment as a viewer sees it: the number of steps before it, and the words of the last step (empty for none).

    The scene has the motions since the moment before, and the news all events since then.
    """

    viewer: str | None
    number: int
    said: str
    seen: Scene
    news: tuple[str, ...]


def moments(
    game: Game,
    replay: Replay,
    viewers: Sequence[str | None] | None = None,
    path: str = "replay",
    upto: int | None = None,
    with_chance: bool = True,
) -> Iterator[tuple[SeenMoment, ...]]:
    """Yield the start and the moment after each step, for each viewer; raises Misfit and OptionError.

    The usual viewers are the full view (None), and each player. Without `with_chance`, there is only
    one moment for each decision of a player, after chance, so their number reveals no hidden facts. With `upto`,
    the last moment is the one after that number of steps.
    """
    state = begin(game, replay, path)
    eyes = [_Eyes(state, one) for one in ((None, *state.board.players) if viewers is None else viewers)]
    style, last = style_of(game.library), len(replay.taken) if upto is None else upto
    for number, said in steps(state, replay, path):
        if with_chance or number == last or replay.taken[number].by is not None:
            yield tuple(one.moment(state, style, number, said) for one in eyes)
        if number == last < len(replay.taken):
            return


class _Eyes:
    """A viewer who watches a game, and how much of its history and news has been seen."""

    def __init__(self, state: State, viewer: str | None) -> None:
        self.viewer, self.told = viewer, 0
        self.past: int | None = None
        if viewer is not None:
            state.variant.player_number(viewer)

    def moment(self, state: State, style: Style, number: int, said: str) -> SeenMoment:
        """Return the present moment, after a step that has the given words in the full view."""
        history, entries = state.history(), state.news_entries(self.viewer)
        motions = motions_of(history[self.past :], state.variant, self.viewer) if self.past is not None else ()
        news = tuple(one.text.strip() for one in entries[self.told :])
        if number and self.viewer is not None:
            said = news[0] if news else ""
        seen = with_motions(scene(state, style, self.viewer), "", motions)
        self.past, self.told = len(history), len(entries)
        return SeenMoment(self.viewer, number, said, seen, news)
