"""Playing a replay again, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from warchest.game.decision import Option
from warchest.game.errors import OptionError, PositionError
from warchest.game.game import Game
from warchest.game.setup.boards import KEY
from warchest.game.state import State
from warchest.replay.fingerprint import layers, other_layers
from warchest.replay.record import CHANCE, Misfit, PlainData, Replay, TakenStep

_OFFERED = 40
"""The most options that a misfit names."""


def begin(game: Game, replay: Replay, path: str = "replay") -> State:
    """Return the first state of a replay; raises Misfit if this state is now impossible or different."""
    start = replay.start
    try:
        _check_layers(game, replay, path)
        if start.from_position:
            board = {KEY: start.board} if start.board is not None else {}
            options = {"options": dict(replay.options)} if replay.options else {}
            return game.position({**start.position, **options, **board})
        state = game.new(
            start.seed,
            start.armies,
            replay.options,
            start.setup,
            sets=start.sets,
            points=start.points,
            collection=start.collection,
        )
    except PositionError as error:
        raise Misfit(path, 0, "a start that can be made", str(error)) from None
    now = state.position()
    for key, value in start.position.items():
        if now.get(key) != value:
            raise Misfit(path, 0, f"{key}: {value}", f"{key}: {now.get(key)}")
    return state


def _check_layers(game: Game, replay: Replay, path: str) -> None:
    """Refuse a replay that was made with other layers than the present ones; raises Misfit."""
    if replay.layers is None:
        return
    offered = {name: value for name, value in replay.options.items() if value in game.choices.get(name, ())}
    differences = other_layers(replay.layers, layers(game, game.options(offered, replay.start.sets)))
    if differences:
        names = ", ".join(replay.layers) or "none"
        raise Misfit(path, 0, f"the layers of the game as it was played: {names}", "; ".join(differences))


def steps(state: State, replay: Replay, path: str = "replay") -> Iterator[tuple[int, str]]:
    """Take the steps of a replay one by one, changing the state; raises Misfit at the first that does not fit.

    Yields the number of steps taken, and the words of the last one: 0 and an empty text before the first.
    """
    yield 0, ""
    for number, step in enumerate(replay.taken, 1):
        if gives_up(state, step):
            give_up(state, step, path, number)
            said = step.label
        else:
            option = matching(state, step, path, number)
            said = f"{step.by or CHANCE}: {option.label}"
            with _fitting(step, path, number):
                state.apply(option)
        yield number, said
    _check_end(state, replay, path)


def concession(state: State) -> PlainData | None:
    """Return the data of a step in which a player gives the game up; None if that is impossible."""
    act = state.variant.program.concession
    return None if act is None else {"act": act.verb.act}


def gives_up(state: State, step: TakenStep) -> bool:
    """Whether a step gives the game up, which is not an option of any decision."""
    return step.by is not None and step.option == concession(state)


@contextmanager
def _fitting(step: TakenStep, path: str, number: int) -> Iterator[None]:
    """Raise Misfit, naming the step, if a state refuses to take it."""
    try:
        yield
    except OptionError as error:
        raise Misfit(path, number, step.label, str(error)) from None


def give_up(state: State, step: TakenStep, path: str, number: int) -> None:
    """Give the game up by a step, changing the state; raises Misfit if that is impossible."""
    assert step.by is not None
    with _fitting(step, path, number):
        state.give_up(step.by)


def replayed(game: Game, replay: Replay, path: str = "replay") -> State:
    """Return the state at the end of a replay; raises Misfit."""
    state = begin(game, replay, path)
    for _ in steps(state, replay, path):
        pass
    return state


def matching(state: State, step: TakenStep, path: str, number: int) -> Option:
    """Return the option that a step takes, even in words of earlier versions; raises Misfit if it is not on offer."""
    decision = state.decision
    if decision is None:
        raise Misfit(path, number, step.label, "the game is over")
    step = in_present_words(state, step)
    if decision.player == step.by:
        for option in decision.options:
            if option.data == step.option:
                return option
        fitting = [option for option in decision.options if _says_more(option.data, step.option)]
        if len(fitting) == 1:
            return fitting[0]
    labels = [option.label for option in decision.options]
    more = [f"… and {len(labels) - _OFFERED} more"] if len(labels) > _OFFERED else []
    raise Misfit(path, number, step.label, decision.prompt, [*labels[:_OFFERED], *more])


def in_present_words(state: State, step: TakenStep) -> TakenStep:
    """Return a step in the present words of the game; a saved game may have earlier ones."""
    renamed: Mapping[str, str] = state.variant.origin.document.values["words"].get("renamed", {})
    if renamed.keys().isdisjoint(_words_in(step.option)):
        return step
    told = {renamed.get(key, key): _renamed(value, renamed) for key, value in step.option.items()}
    return replace(step, option=told)


def _words_in(option: PlainData) -> Iterator[str]:
    for key, value in option.items():
        yield key
        if isinstance(value, str):
            yield from (value, *value.split())


def _renamed(value: object, renamed: Mapping[str, str]) -> object:
    """Return a value of an option in present words, either as a whole or, as in `become marked`, word by word."""
    if not isinstance(value, str):
        return value
    return renamed[value] if value in renamed else " ".join(renamed.get(word, word) for word in value.split())


def _says_more(data: PlainData, saved: PlainData) -> bool:
    """Whether data are equal to the saved ones, or add only further keys for things that were saved as well.

    Options now name a thing under every key that it is chosen for; a replay made before may lack some.
    """
    news = [value for key, value in data.items() if key not in saved]
    return saved.items() <= data.items() and all(value in saved.values() for value in news)


def outcome_of(state: State) -> dict[str, Any] | None:
    """Return the end of a game as a replay writes it, or None while it runs."""
    if state.outcome is None:
        return None
    return {"winners": list(state.outcome.winners), "reason": state.outcome.reason}


def _check_end(state: State, replay: Replay, path: str) -> None:
    now = outcome_of(state)
    ended = now["winners"] if now else None
    before = replay.outcome.get("winners") if replay.outcome else None
    if ended != before:
        raise Misfit(path, len(replay.taken), f"after it, {_ending(before)}", _ending(ended))


def _ending(winners: Iterable[object] | None) -> str:
    if winners is None:
        return "the game goes on"
    return f"won by {', '.join(map(str, winners))}" if winners else "nobody wins"
