"""Strategies for Hypothesis: positions, armies, games, plays and cards, which shrink to forms that people would write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Literal, TypeAlias

from hypothesis import note, reject
from hypothesis import strategies as st

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.testing.beginnings import ArmySampler, GameWishes
from warchest.testing.blame import named_in
from warchest.testing.draws import one_of, seldom
from warchest.testing.known import RuledPositions
from warchest.testing.newcomers import card_maker
from warchest.testing.positions import RULED, NoPositionError, PositionData, PositionSampler, Sampling
from warchest.testing.steps import steps

HeldTokens: TypeAlias = Literal["useful", "any"]
"""The tokens that players hold in a position: those of their cards in play, or of any."""
DEPTH = 3
"""The most decisions that are made to reach a pending effect."""


class HypothesisDraws:
    """The draws of an example of Hypothesis, which makes the numbers smaller when it searches for a simpler one."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, least: int, most: int) -> int:
        """Return a number from `least` to `most`; the least is the simplest."""
        return least if least == most else self._draw(_numbers(least, most))


@cache
def _numbers(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


def positions(
    game: Game,
    cards: Sequence[str] = (),
    others: Sequence[str] = (),
    pieces: int = 4,
    near: int = 3,
    hands: HeldTokens = "useful",
    pending: bool = False,
    options: Mapping[str, str] | None = None,
    tokens: int = 3,
    together: bool | None = None,
    aimed: bool = True,
    ruled: bool = False,
    sets: Sequence[str] | str | None = None,
    players: int | None = None,
) -> st.SearchStrategy[PositionData]:
    """Return a strategy for small positions with a pending decision, as `game.position` takes them.

    Usually the `cards` are on the board, or in another possible place, with some of the `others` (if none are given,
    any of the `sets`). There are at most `pieces` pieces, each within `near` spaces of another one. All cards belong to
    one player (`together`), or the first to one player and the rest to others (False), or each to any player (None).
    Players hold at most `tokens` tokens in each place: those of their cards in play (`hands="useful"`), or any.

    In `aimed` positions usually the owner of the first card, or sometimes of another one in play, acts and holds a
    token of it; in half of them pieces can reach each other, in line or with one between. With `ruled`, one in three
    positions is near a ruling that names the first card, and has its pieces and more. With `pending`, an act is under
    way. `players` is the number of players of the board. Raises PositionError for sets, options or a number of players
    that do not exist.
    """
    in_use = None if sets is None else game.sets(sets)
    with_sets = game.options(options, in_use)
    chosen = options if with_sets == game.options(options) else with_sets
    board = None if players in (None, len(game.players)) else game.boards.with_seats(players or 0).name
    useful = hands == "useful"
    wishes = Sampling(tuple(cards), tuple(others), pieces, near, tokens, useful, together, ready=aimed, sets=in_use)
    samplers = [PositionSampler(game, replace(wishes, aimed=far), chosen, board) for far in (False, aimed)]
    told = _told_by_rulings(game, cards, others) if ruled and board is None and not options else []

    def drawn(draw: st.DrawFn) -> PositionData:
        draws = HypothesisDraws(draw)
        sampler = one_of(draws, samplers) if aimed else samplers[0]
        near_to = one_of(draws, told) if told and seldom(draws, RULED) else None
        try:
            found = sampler.told(draws, near_to)
        except NoPositionError:
            reject()
        return _half_done(game.position(found), draws) if pending else found

    return st.composite(drawn)()


def _told_by_rulings(game: Game, cards: Sequence[str], others: Sequence[str]) -> list[PositionData]:
    """Return the positions of rulings that name the first card, and have only pieces of the requested cards."""
    found = _ruled_positions(game).naming(cards) if cards else []
    asked, kinds = {*cards, *others}, game.piece_kinds
    return [
        one
        for one in found
        if not others or all(document.name in asked for document in named_in(game, one) if document.kind in kinds)
    ]


@lru_cache(2)
def _ruled_positions(game: Game) -> RuledPositions:
    """Return the positions of the rulings of a game; they are read once for all its properties."""
    return RuledPositions(game)


def _half_done(state: State, draws: HypothesisDraws) -> PositionData:
    """Return a position after a state, in the middle of an act."""
    for _ in range(DEPTH):
        after = [step.after for step in steps(state)]
        halves = [one for one in after if not one.at_boundary]
        if halves or not after:
            break
        state = one_of(draws, after)
    if not halves:
        reject()
    return one_of(draws, halves).position()


def armies(
    game: Game,
    cards: Sequence[str] = (),
    setup: str | None = None,
    options: Mapping[str, str] | None = None,
    players: int | None = None,
    sets: Sequence[str] | str | None = None,
) -> st.SearchStrategy[dict[str, list[str]]]:
    """Return a strategy for armies that players can bring, by player, with the `cards` in one of them.

    A game with the setup (by default the usual one), the options, the number of players and the sets accepts these
    armies. Raises ValueError if players cannot bring armies in the setup, because they are dealt them or choose them.
    """
    sampler = ArmySampler(game, tuple(cards), GameWishes(setup, options, players, sets))

    def drawn(draw: st.DrawFn) -> dict[str, list[str]]:
        try:
            return sampler.armies(HypothesisDraws(draw))
        except PositionError:
            reject()

    return st.composite(drawn)()


def games(
    game: Game,
    cards: Sequence[str] = (),
    setup: str | None = None,
    options: Mapping[str, str] | None = None,
    players: int | None = None,
    sets: Sequence[str] | str | None = None,
) -> st.SearchStrategy[State]:
    """Return a strategy for games that have just begun, with the `cards` in the armies if players bring any."""
    return _states(game, cards, GameWishes(setup, options, players, sets), 0)


def plays(
    game: Game,
    cards: Sequence[str] = (),
    most: int = 40,
    setup: str | None = None,
    options: Mapping[str, str] | None = None,
    players: int | None = None,
    sets: Sequence[str] | str | None = None,
) -> st.SearchStrategy[State]:
    """Return a strategy for games after at most `most` decisions; `log` and `events` of the state list these."""
    return _states(game, cards, GameWishes(setup, options, players, sets), most)


def _states(game: Game, cards: Sequence[str], wishes: GameWishes, most: int) -> st.SearchStrategy[State]:
    sampler = ArmySampler(game, tuple(cards), wishes)

    def drawn(draw: st.DrawFn) -> State:
        draws = HypothesisDraws(draw)
        try:
            brought = sampler.armies(draws) if sampler.sizes else None
            seed = draws.number(0, 999)
            state = game.new(seed, brought, **wishes.told)
        except PositionError:
            reject()
        said = "".join(f", {key}={value!r}" for key, value in wishes.told.items())
        note(LateText(lambda: f"the game begins with game.new({seed}, {brought!r}{said})"))
        # To stop comes first, so that fewer decisions are simpler.
        while most and state.decision is not None and draws.number(0, most):
            take(state, draws.number(0, state.decision.count - 1))
        return state

    return st.composite(drawn)()


def take(state: State, number: int) -> None:
    """Take an option by its number, and note it for the examples that Hypothesis prints."""
    decision = state.decision
    assert decision is not None
    option = decision.options[number % len(decision.options)]
    note(LateText(lambda: f"{decision.player or 'chance'}: {option.label}"))
    state.apply(option)


class LateText:
    """A text that is made on demand: most notes of Hypothesis are never printed."""

    def __init__(self, said: Callable[[], str]) -> None:
        self._said = said

    def __repr__(self) -> str:
        return self._said()


def cards(game: Game, kind: str | None = None) -> st.SearchStrategy[str]:
    """Return a strategy for generated cards, as the text of a file; the game understands each.

    They are of a kind of document; without one, of the kind of pieces with the most documents that have texts. Parts of
    the game's sentences are exchanged in them.
    """
    maker = card_maker(game, kind)

    def drawn(draw: st.DrawFn) -> str:
        text = maker.card(HypothesisDraws(draw))
        if text is None:
            reject()
        return text

    return st.composite(drawn)()
