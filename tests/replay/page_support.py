"""Games that were played, their pages, and the data in these."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from loaded import shipped
from warchest.bots import bot_named
from warchest.replay import Replay, Session
from warchest.replay.page import replay_page

HOSTILE = "</script><script>document.title='hit'</script><img src=x onerror=\"document.title=1\">\"'&amp;<!--{{game}}"
"""A text that would be more than a text where it is not written as one."""


@cache
def played(
    name: str = "war-chest", seed: int = 3, most: int = 1000, players: int | None = None, bot: str = "beginner"
) -> Replay:
    """Return a game between bots, to its end or to a number of steps."""
    game = shipped(name)
    chooser, session = bot_named(bot, game), Session.new(game, seed, players=players)
    while (decision := session.state.decision) is not None and len(session.taken) < most:
        if decision.is_chance:
            session.roll()
        else:
            session.take(chooser.choose(session.state, session.rng("bot")))
    return session.replay()


@cache
def page(
    name: str = "war-chest", seed: int = 3, most: int = 1000, players: int | None = None, viewer: str | None = None,
    bot: str = "beginner",
) -> str:  # fmt: skip
    """Return the page of such a game."""
    return replay_page(shipped(name), played(name, seed, most, players, bot), viewer)


def data_of(text: str, which: str = "game") -> Any:
    """Return the data in a page."""
    [found] = re.findall(rf'<script type="application/json" id="{which}">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)


def picture(data: Any, number: int) -> str:
    """Return a picture of a page."""
    return "\n".join(data["lines"][line] for line in data["pictures"][number])


def shown(data: Any, view: int) -> list[Any]:
    """Return the steps of a view with their pictures and lines in full."""
    lines = data["lines"]
    return [
        ([picture(data, one) for one in (board, *beside, *signs)], lines[facts], [lines[one] for one in news])
        for board, beside, signs, facts, news in data["views"][view]["steps"]
    ]
