"""Bots by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from warchest.bots.bot import Bot
from warchest.bots.greedy import Beginner, Greedy
from warchest.bots.mcts import Mcts, ThinkingTime
from warchest.bots.simple import Eager, Uniform
from warchest.diagnostics.suggest import did_you_mean
from warchest.game.decision import Option
from warchest.game.errors import OptionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.game.valuation import Weight
from warchest.picture.style import style_of

KIND = "bots"
BOTS = ("random", "policy-c", "beginner", "greedy", "mcts")
"""The names of the bots, the weakest first."""
SEARCHING = "mcts"
USUAL_TIME = ThinkingTime(seconds=1.0)
MOST_SECONDS, MOST_ITERATIONS, MOST_TREES = 3600.0, 10_000_000, 64
_TIME = re.compile(r"(?:([0-9]{1,8})|([0-9]{1,4}(?:\.[0-9]{1,6})?)s)(?:x([0-9]{1,2}))?")


def bot_named(name: str, game: Game) -> Bot:
    """Return the bot of this name for a game; raises OptionError if there is none.

    The name of a searching bot may be followed by its time for a decision, as in `mcts:2000` (iterations) or
    `mcts:0.5s` (seconds); with `x4` after that, it grows four trees side by side, each for that time.
    """
    kind, time = read_name(name)
    values = _values(game)
    weights, style = [Weight(**one) for one in values.get("weights", ())], style_of(game.library)
    makers: Mapping[str, Callable[[], Bot]] = {
        "random": Uniform,
        "policy-c": lambda: Eager(values.get("eager", ())),
        "beginner": lambda: Beginner(weights, style),
        "greedy": lambda: Greedy(weights, style),
        "mcts": lambda: Mcts(Greedy(weights, style), time),
    }
    return makers[kind]()


def natively_chosen(bot: Bot, state: State, rng: Random) -> Option:
    """Return the option that a bot chooses after thinking on a native copy of a state; the state stays the same."""
    if state.native:
        return bot.choose(state, rng)
    thought = state.clone()
    thought.play_natively()
    assert state.decision is not None
    return state.decision.by_id(bot.choose(thought, rng).id)


def read_name(name: str) -> tuple[str, ThinkingTime]:
    """Return the bot that a name means, and the time it takes for a decision; raises OptionError if there is none."""
    kind, colon, written = name.partition(":")
    if kind not in BOTS:
        hint = did_you_mean(kind, BOTS)
        raise OptionError("bot", f"there is no bot {kind[:60]!r}; {hint or 'there are: ' + ', '.join(BOTS)}")
    if not colon:
        return kind, USUAL_TIME
    if kind != SEARCHING:
        raise OptionError("bot", f"{kind!r} takes no time to think; only {SEARCHING!r} does, as in {SEARCHING}:0.5s")
    found = _TIME.fullmatch(written)
    iterations, seconds = (found[1], found[2]) if found else (None, None)
    trees = int(found[3] or 1) if found else 0
    if iterations and 0 < int(iterations) <= MOST_ITERATIONS and 0 < trees <= MOST_TREES:
        return kind, ThinkingTime(iterations=int(iterations), trees=trees)
    if seconds and 0 < float(seconds) <= MOST_SECONDS and 0 < trees <= MOST_TREES:
        return kind, ThinkingTime(seconds=float(seconds), trees=trees)
    raise OptionError(
        "bot",
        f"{written[:60]!r} is no time to think: write a number of iterations, such as"
        f" {SEARCHING}:2000, or of seconds, up to an hour, such as {SEARCHING}:0.5s; x2 to x{MOST_TREES} behind it"
        " are trees side by side",
    )


def _values(game: Game) -> dict[str, Any]:
    """Return the values of the last document of the kind, so that a designer's own folder takes precedence."""
    documents = game.library.of_kind(KIND)
    return documents[-1].values if documents else {}
