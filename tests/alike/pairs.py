"""States that look alike to a player: the lines of the log that the player reads on the way are alike, too.

From a state, and from others in which the tokens hidden from a player are placed again, some options and
outcomes of chance are taken, up to the next decision of a player. Where two ways lead to equal views, and the player
has seen the same things come and go, the lines of the log on the way are compared, with the question, the options
and reasons.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from warchest import Decision, State
from warchest.engine.history import Decided, Seen

WORLDS = 2
"""The number of times that hidden tokens are placed again."""
TRIED = 6
"""The number of options that are tried in a state."""
WAYS = 3
"""The number of times that an option is tried, each with other outcomes of chance."""
STEPS = 12
"""The most decisions that are taken from a state."""
REASONS = 0.1
"""The share of pairs that are asked for reasons, which takes long."""


@dataclass
class Way:
    """A state, the options that led there, and everything that a player reads on the way."""

    state: State
    taken: list[str]
    told: dict[str, Any]


@dataclass
class Tally:
    """The number of pairs that were compared, the number of those that really differ, and the faults."""

    pairs: int = 0
    different: int = 0
    wrong: list[str] = field(default_factory=list)


def compare(state: State, player: str, rng: Random, tally: Tally) -> None:
    """Compare the states that follow on one, and on others that look like it, wherever they look alike to a player."""
    alike: dict[str, list[Way]] = {}
    for way in _ways(state, player, state.turn + rng.randrange(2), rng):
        alike.setdefault(_seen(way.state, player, way.told.pop("seen")), []).append(way)
    for ways in alike.values():
        first = ways[0]
        for other in ways[1:]:
            tally.pairs += 1
            tally.different += other.state.position() != first.state.position()
            unlike = [key for key, told in first.told.items() if other.told[key] != told]
            if rng.random() < REASONS and not _reasons_alike(first.state, other.state, player):
                unlike.append("reasons")
            if unlike:
                tally.wrong.append(_difference(player, first, other, unlike))


def _ways(state: State, player: str, turn: int, rng: Random) -> Iterator[Way]:
    """Yield the states that follow on one, and on others that look like it, up to a turn."""
    worlds = [state, *(state.determinize(player, rng) for _ in range(WORLDS))]
    for world in worlds:
        assert world.decision is not None
        count = len(world.decision.options)
        for number in rng.sample(range(count), min(count, TRIED)):
            for _ in range(WAYS):
                yield _way(world, number, player, turn, rng)


def _way(world: State, number: int, player: str, turn: int, rng: Random) -> Way:
    """Return the way from an option, by chance and by others up to a turn, to the next decision of a player."""
    state, taken, seen = world.clone(), list[str](), dict[str, Any]()
    begun = {name: len(lines) for name, lines in _lines(state, player).items()}
    while state.decision is not None and len(taken) < STEPS:
        by = state.decision.player
        if taken and by is not None and (by == player or state.turn > turn):
            break
        option = state.decision.options[number] if not taken else state.decision.sample(rng)
        taken.append(option.label)
        state.apply(option)
        view = state.view(player) | {"pending": None}
        # While nothing with a name comes or goes, the number of looks does not matter.
        seen.setdefault(json.dumps(_named(view)), view)
    known = _known(state, player, len(world.history()))
    told = {name: lines[begun[name] :] for name, lines in _lines(state, player).items()}
    now = {"question": state.question, "options": _asked(state.decision, player)}
    return Way(state, taken, {"seen": [*seen.items(), known], **told, **now})


def _lines(state: State, player: str) -> dict[str, list[Any]]:
    """Return all lines that a player reads, by their kinds."""
    entries = state.news_entries(player)
    clauses = [(one.text, one.clause, one.file, one.line, one.source) for one in entries]
    numbers = [entries[-1].decision - one.decision for one in entries]
    plain = [one.text for one in state.trace_for(player)]
    lines = {"log": state.log_for(player), "news": state.news_for(player), "trace": plain}
    return {"numbers": numbers, **lines, "clauses": clauses}


def _known(state: State, player: str, past: int) -> str:
    """Return everything else that a player knows of the events since an earlier time.

    That is: the players who were asked, and the public part of their decisions; the player's own decisions, and the
    tokens that the player was shown; and the picks of chance for the player.
    """
    variant, known = state.variant, list[Any]()
    number, documents = variant.player_number(player), variant.program.layout.documents
    for one in state.history()[past:]:
        match one:
            case Decided(player=by, forced=forced, notes=notes):
                is_own = by == player or ("player", "player", number) in notes
                if is_own or by is not None or forced:
                    named = [
                        (key, base, value % documents if base == "token" else value)
                        for key, base, value in notes
                        if is_own or base != "token"
                    ]
                    known.append((by, forced, named))
            case Seen(tokens=tokens, by=by) if by == number:
                known.append([token % documents for token in tokens])
    return str(known)


def _named(seen: Any) -> Any:
    """Return the parts of a view that name something, without lengths, which would reveal their order."""
    if isinstance(seen, dict):
        return {key: _named(value) for key, value in seen.items() if not isinstance(value, int)}
    return seen


def _seen(state: State, player: str, seen: list[Any]) -> str:
    """Return the view of a player of a state, with earlier views on the way."""
    return json.dumps([seen, state.view(player)], sort_keys=True)


def _asked(decision: Decision | None, player: str) -> Any:
    """Return the options of a decision, if they are a player's own."""
    if decision is None or decision.player != player:
        return None if decision is None else decision.player
    return [[one.label, one.id, one.data] for one in decision.options]


def _reasons_alike(one: State, other: State, player: str) -> bool:
    """Whether two states have the same reasons why a player cannot perform each act."""
    acts = [act.verb.act for act in one.variant.program.acts if act.told]
    what = {"act": Random(len(one.log)).choice(acts)}
    return one.why_not(what, player) == other.why_not(what, player)


def _difference(player: str, one: Way, other: Way, unlike: list[str]) -> str:
    """Return the difference between two ways, for people to read."""
    lines = [f"{player} tells apart, by {', '.join(unlike)}:", f"  {one.taken}", f"  {other.taken}"]
    for key in unlike:
        for way in (one, other):
            told = way.told.get(key)
            lines += [f"  {key}:", *(f"    {line}" for line in (told if isinstance(told, list) else [told]))]
    return "\n".join(lines)
