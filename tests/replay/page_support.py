"""Games that were played, their pages, and the data in these."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from typing import Any

from loaded import shipped
from warchest.bots import bot_named
from warchest.picture.scene import Row, Scene, ZonePile
from warchest.replay import Replay, Session
from warchest.replay.page import page_of, replay_page
from warchest.replay.replay_moments import SeenMoment, moments

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
    name: str = "war-chest",
    seed: int = 3,
    most: int = 1000,
    players: int | None = None,
    viewer: str | None = None,
    bot: str = "beginner",
) -> str:
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


def hostile(one: SeenMoment) -> SeenMoment:
    """Return a moment with hostile texts in place of all names that designers give."""
    seen: Scene = one.seen
    panels = tuple(
        replace(each, piles=tuple(ZonePile(HOSTILE, pile.heaps, HOSTILE) for pile in each.piles))
        for each in seen.panels
    )
    cells = tuple(
        replace(cell, stones=tuple(replace(stone, name=HOSTILE, label="<b>") for stone in cell.stones))
        for cell in seen.cells
    )
    scene = replace(
        seen,
        title=HOSTILE,
        ending=HOSTILE,
        facts=((HOSTILE, HOSTILE),),
        panels=panels,
        cells=cells,
        tables=((HOSTILE, (Row(HOSTILE, (), HOSTILE),)),),
        short=(("<b>", HOSTILE),),
        sides=tuple(replace(side, name=side.name + HOSTILE) for side in seen.sides),
    )
    viewer = one.viewer and one.viewer + HOSTILE
    return replace(one, viewer=viewer, seen=scene, news=(HOSTILE, *one.news))


def hostile_page() -> str:
    found = moments(shipped(), played(most=40), with_chance=False)
    return page_of([tuple(map(hostile, moment)) for moment in found])
