"""The facts that follow from readings of a text in a state, split up so that a report can show only differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.state import EndlessError, State
from warchest.rulings.compare import shown
from warchest.testing.differences import decider_of, facts_of
from warchest.testing.paths import RecordedPlay, behind

OFFERED = ""
"""The name of the fact that an option is on offer."""
DECIDES = "then"
"""The name of the fact that names the decider after an option."""
NOTHING = "nothing"
ENDLESS = "this does not end"
OptionFact: TypeAlias = tuple[str, str]
"""The id of an option on offer, and the name of a fact about the state after it."""
Comes: TypeAlias = Mapping[OptionFact, str]
"""The values of all facts that result from a reading at a moment."""


def state_at(game: Game, moment: RecordedPlay) -> State | None:
    """Return the state of a game after a recorded play; None if the game cannot reach that state."""
    try:
        state = game.position(moment.position)
    except PositionError:
        return None
    state.silent = True
    return behind(state, moment.path)


def comes_to(game: Game, moment: RecordedPlay) -> Comes:
    """Return the facts about the options after a recorded play; empty if the game cannot reach that state."""
    state = state_at(game, moment)
    if state is None or state.decision is None:
        return {}
    return {(one.id, name): value for one in state.decision.options for name, value in _behind(state, one.id)}


def after(state: State, chosen: str) -> State | None:
    """Return the state after an option on offer; None if the option does not end."""
    assert state.decision is not None
    try:
        return state.clone().apply(state.decision.by_id(chosen))
    except EndlessError:
        return None


def _behind(state: State, chosen: str) -> Iterator[tuple[str, str]]:
    """Yield the facts about the state after an option, with their names."""
    yield OFFERED, "on offer"
    there = after(state, chosen)
    if there is None:
        yield DECIDES, ENDLESS
        return
    yield DECIDES, f"{decider_of(there)} decides"
    for key, value in facts_of(there).items():
        yield from _single(key, value)


def _single(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the single facts in a value: one for each item of a mapping, and for each piece in a list."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _single(f"{name} {key}", one)
    elif isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        yield from _of_pieces(name, value)
    elif isinstance(value, list):
        yield from [(name, shown(sorted(value, key=str)))] if value else []
    else:
        yield name, shown(value)


def _of_pieces(name: str, pieces: Sequence[Mapping[str, object]]) -> Iterator[tuple[str, str]]:
    """Yield the single facts about pieces; their names begin with the place of the piece, which is its first value."""
    places: dict[str, list[Mapping[str, object]]] = {}
    for piece in pieces:
        places.setdefault(shown(next(iter(piece.values()), "")), []).append(piece)
    for place, there in places.items():
        (first, *_), told = there, [list(one.values())[1:2] for one in there]
        yield f"{name} {place}", ", ".join(sorted(shown(one) for names in told for one in names)) or "there"
        if len(there) > 1:
            yield f"{name} {place} in full", shown(sorted(there, key=str))
            continue
        for key in list(first)[2:]:
            yield from _single(f"{name} {place} {key}", first[key])


# ---- telling answers apart


def telling(answers: Sequence[Comes]) -> list[OptionFact]:
    """Return a small set of facts that tells all answers apart, chosen greedily, in the order of the options."""
    facts = list(dict.fromkeys(fact for one in answers for fact in one))
    apart = [fact for fact in facts if len({value_of(one, fact) for one in answers}) > 1]
    left, chosen = set(combinations(range(len(answers)), 2)), list[OptionFact]()
    while left:
        told = {fact: {pair for pair in left if _tells(fact, answers[pair[0]], answers[pair[1]])} for fact in apart}
        best = max(apart, key=lambda fact: len(told[fact]), default=None)
        if best is None or not told[best]:
            break
        chosen.append(best)
        left -= told[best]
    return sorted(chosen, key=facts.index)


def _tells(fact: OptionFact, one: Comes, other: Comes) -> bool:
    return value_of(one, fact) != value_of(other, fact)


def value_of(comes: Comes, fact: OptionFact) -> str | None:
    """Return the value of a fact in an answer; None where the option is not on offer there."""
    if fact[1] == OFFERED:
        return comes.get(fact, "not on offer")
    return comes.get(fact, NOTHING) if (fact[0], OFFERED) in comes else None


def lines_of(comes: Comes, facts: Sequence[OptionFact]) -> Iterator[str]:
    """Yield the lines that describe an answer by some facts."""
    for option in dict.fromkeys(option for option, _ in facts):
        if (option, OFFERED) not in comes:
            yield f"{option}: not on offer"
            continue
        names = [name for other, name in facts if other == option and name != OFFERED]
        told = [
            f"{name}: {comes.get((option, name), NOTHING)}" if name != DECIDES else comes[option, name]
            for name in names
        ]
        yield f"{option}: {'; '.join(told) if told else 'on offer'}"
