"""The search for differences in play between two versions: their rulings first, then positions near the change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, count, repeat

from warchest.game.game import Game
from warchest.source.records import record
from warchest.testing.bearers import bearers_of, rules_of
from warchest.testing.budget import Budget
from warchest.testing.differences import Compared, GameComparison
from warchest.testing.paths import RecordedPlay
from warchest.testing.positions import PositionData
from warchest.testing.rerunning import Rerun, RulingComparison
from warchest.testing.search import KitSearch
from warchest.testing.versions import Version, WordChange

TOGETHER, FOLLOWED = 20, 5
"""The number of random positions in a portion, and of plays of rulings in one."""
AT_ONCE = 3
"""The most changed cards that are put into the same positions."""


@record()
class SearchPortion:
    """A portion of the search: plays to follow, or random positions from a seed, most of them with some cards."""

    most: int
    seed: int = 0
    cards: tuple[str, ...] = ()
    before: int = 0
    """The number of random positions in the portions before this one."""
    plays: tuple[RecordedPlay, ...] = ()


class VersionSearch:
    """The search for differences in play between two versions whose texts differ in some words.

    Positions are near the given cards, or else near those that the changed documents affect. `implied`: only options
    that the first version offers and the second one lacks are a difference.
    """

    def __init__(
        self, old: Version, new: Version, words: Sequence[WordChange], near: Sequence[str] = (), implied: bool = False
    ) -> None:
        changed = list(dict.fromkeys((one.kind, one.name) for one in words))
        self.games = GameComparison(old.game, new.game, (old.options, new.options), implied)
        self.rulings = RulingComparison(old, new, changed)
        self.groups = [tuple(dict.fromkeys(near))] if near else _groups(old.game, new.game, changed)
        self._near: list[PositionData] = []

    def portions(self, reruns: Sequence[Rerun], seed: int, most: int) -> list[SearchPortion]:
        """Return the portions of a search in `most` positions: first the plays of rulings with other results.

        The plays of other rulings alternate with random positions; some of these are near such a play.
        """
        first, others = (
            [one.play for one in reruns if one.play is not None and one.differs == wanted] for wanted in (True, False)
        )
        self._near = list(_usual(self.games.first, [*first, *others]))
        followed, found, left = iter(_followed(others)), list[SearchPortion](), most
        by_turns = chain.from_iterable(zip(self._drawn(seed), chain(followed, repeat(None)), strict=False))
        for one in chain(_followed(first), by_turns):
            if one is not None and left > 0:
                found.append(replace(one, most=min(one.most, left), plays=one.plays[:left]))
                left -= one.most
            if left <= 0:
                break
        return found

    def search_in(self, portions: Sequence[SearchPortion], budget: Budget) -> KitSearch[SearchPortion, Compared]:
        """Return the search that does some portions, up to the first difference."""
        return KitSearch(portions, self._compared, budget, ends=lambda one: one.is_last)

    def _compared(self, portion: SearchPortion) -> Compared:
        return self.games.look(
            portion.cards,
            seed=portion.seed,
            most=portion.most,
            known=portion.plays,
            near=self._near,
            before=portion.before,
        )

    def _drawn(self, seed: int) -> Iterator[SearchPortion]:
        """Yield endless portions of random positions, near one group of cards after the other."""
        for number in count():
            cards = self.groups[number % len(self.groups)]
            yield SearchPortion(TOGETHER, seed + number, cards, number * TOGETHER)


def _followed(plays: Sequence[RecordedPlay]) -> list[SearchPortion]:
    """Return portions that follow some plays."""
    parts = (tuple(plays[first : first + FOLLOWED]) for first in range(0, len(plays), FOLLOWED))
    return [SearchPortion(len(part), plays=part) for part in parts]


def _usual(game: Game, plays: Sequence[RecordedPlay]) -> Iterator[PositionData]:
    """Yield the positions in which plays with the usual options begin, without the key for options."""
    usual = game.options(None)
    for play in plays:
        told = {key: value for key, value in play.position.items() if key != "options"}
        if "setup" not in told and play.position.get("options", usual) == usual:
            yield told


def _groups(old: Game, new: Game, changed: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return groups of cards near which changed documents can make a difference: the cards that they affect.

    A few changed cards with pieces form one group, many form one group each. A document that has tokens is a group
    itself, so that positions have these tokens. A document that affects no card more than others gives an empty group.
    """
    cards, groups = list[str](), list[tuple[str, ...]]()
    for key in changed:
        bearers = _bearers(old, new, key)
        if bearers == key[1:]:
            cards += bearers
        else:
            tokens = key[0] in _kinds_of_tokens(new if new.library.named(*key) is not None else old)
            groups += [*([key[1:]] if tokens else []), *((one,) for one in bearers)] or [()]
    together = [tuple(cards)] if len(cards) <= AT_ONCE else [(one,) for one in cards]
    return list(dict.fromkeys([*(one for one in together if one), *groups])) or [()]


def _bearers(old: Game, new: Game, key: tuple[str, str]) -> tuple[str, ...]:
    """Return the cards that a changed document affects through rules that only one of the games has."""
    here = [(game, document) for game in (new, old) if (document := game.library.named(*key)) is not None]
    told = [rules_of(*one) for one in here]
    alike = set.intersection(*told) if len(told) > 1 else set[str]()
    differ = [one for one, rules in zip(here, told, strict=True) if rules - alike] or here[:1]
    return tuple(dict.fromkeys(card for one in differ for card in bearers_of(*one, alike)))


def _kinds_of_tokens(game: Game) -> set[str]:
    """Return the kinds of documents that have tokens."""
    ruleset = game.variant().program.ruleset
    return {kind for zone in range(len(ruleset.zones)) for kind in ruleset.kinds_in(zone)}
