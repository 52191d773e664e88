"""Whole games played to find faults that end them: natively where there is a machine, and by the reference machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from warchest.diagnostics.articles import many
from warchest.game.counted import counted_from
from warchest.game.errors import CardError, PositionError
from warchest.game.game import Game
from warchest.game.native_engine import native_machine
from warchest.game.setup.armies import LIMIT
from warchest.game.setup.beginning import Beginning
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.lowering.clause_counts import Counts, clause_probes
from warchest.native.c_compiler import Unavailable
from warchest.testing.budget import look_at_clock
from warchest.testing.laws import NO_ROOM, fault_of
from warchest.testing.positions import PositionData
from warchest.testing.sentences import ActedClause, acted_of

STARTS = 4
"""The number of armies that games of some cards begin with."""
CAP, SHORT = 1000, 150
"""The most decisions of a game, and of one that begins in a position or is played without the native machine."""
SLOW, AGAIN = 1, 2
"""The numbers of games from each state that the reference machine plays alone, or repeats after native play."""
WILD = 8
"""The interval at which a game has no favourite acts; without favourites few games would end."""
MOMENTS, APART = 4, 20
"""The number of moments of a game that are checked, and the average number of decisions between them."""
FAR = 20
"""The longest path of options that leads from a position to a fault; beyond it, a position amid an effect is used."""
FILLED = 4
"""The number of cards that fill up an army if only its points are limited."""


def slow_note(reason: str) -> str:
    """Return the note that the reference machine plays, with the reason, and how few games this makes possible."""
    games = f"{many(SLOW, 'game')} of at most {SHORT} decisions"
    return f"the reference machine plays: {reason}; that is slow, so from each start only {games}"


@dataclass(frozen=True, slots=True)
class BrokenGame:
    """A game that an error has ended: the last position between acts, and the options taken since."""

    error: Exception
    position: PositionData
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameMoment:
    """A state in the middle of a game: the last position between acts, and the options since."""

    state: State
    position: PositionData
    path: tuple[str, ...]


@dataclass(slots=True)
class PlayedGames:
    """The results of games: their number, those that were given up, those broken off, and the clauses that acted."""

    games: int = 0
    unfinished: int = 0
    """The number of games stopped at the limit of decisions, or by a refusal of the native machine."""
    broken: list[BrokenGame] = field(default_factory=list)
    acted: Counter[ActedClause] = field(default_factory=Counter)


class GamePlayer:
    """Plays games with some sets and options, in which players draw options, those of favourite acts before others."""

    def __init__(self, game: Game, sets: Sequence[str], options: Mapping[str, str], favourites: frozenset[str]) -> None:
        self.game, self.sets, self.options, self.favourites = game, tuple(sets), dict(options), favourites

    # ---- beginnings

    def starts(self, cards: Sequence[str], together: bool, seed: str) -> list[State]:
        """Return the first states of games in whose armies the cards are; none where no such army can be brought.

        All cards belong to the first player; or, if not `together`, the first card does, and another player has others.
        """
        found = list[State]()
        for number in range(STARTS):
            rng = Random(f"armies {seed} {number}")
            try:
                beginning = self._beginning(cards, together, rng)
                if beginning is not None:
                    found.append(beginning.begin(number))
            except (PositionError, CardError):
                return found
        return found

    def _beginning(self, cards: Sequence[str], together: bool, rng: Random) -> Beginning | None:
        usual = self.game.beginning(sets=self.sets, options=self.options)
        values, players = usual.setup.values, usual.variant.naming.players
        zone = self.game.document.values.get("armies")
        if not zone:
            return None
        kinds = usual.variant.program.ruleset.kinds_in(usual.variant.format.zones[zone])
        known = [name for kind in kinds if kind in self.game.kinds for name in self.game.names(kind, self.sets)]
        if not set(cards) <= set(known):
            return None
        limited = LIMIT in values
        size = values.get("army size", FILLED)
        armies: dict[str, list[str]] = {player: [] for player in players}
        for number, card in enumerate(cards):
            armies[players[0 if together or not number else 1 % len(players)]].append(card)
        left = [name for name in known if name not in cards]
        rng.shuffle(left)
        if limited and self._is_too_much(usual, armies):
            return None
        for player in players:
            while len(armies[player]) < size and left:
                armies[player].append(left.pop())
                if limited and self._is_too_much(usual, armies):
                    armies[player].pop()
                    break
        return self.game.beginning(armies, self.options, setup=usual.setup.name, sets=self.sets)

    def _is_too_much(self, usual: Beginning, armies: Mapping[str, Sequence[str]]) -> bool:
        """Whether armies have more points than the setup allows."""
        sheets = {one.name: one.numbers for one in usual.variant.program.ruleset.sheets}
        limit = usual.setup.values[LIMIT]
        return any(
            sum(sheets[name].get(limit["number"], 0) for name in army) > limit["most"] for army in armies.values()
        )

    # ---- games

    def prepare(self) -> str:
        """Make the native machine for all games; return the reason if there is none."""
        found = [native_machine(one, clause_probes) for one in self._variants()]
        return next((reason for one in found if (reason := getattr(one, "reason", ""))), "")

    def _variants(self) -> list[Variant]:
        """Return the variants in which games are played: those of positions, and those of the usual setup."""
        return [self.game.variant(self.options), self.game.beginning(sets=self.sets, options=self.options).variant]

    def play(self, state: State, games: int, seed: int, cap: int = CAP) -> PlayedGames:
        """Play some games from a state on, with successive seeds from `seed` on and at most `cap` decisions each."""
        played, counts, refused = PlayedGames(), Counts(), 0
        with counted_from(state.variant, state.run, counts) as moment:
            for number in range(seed, seed + games):
                if isinstance(moment, Unavailable):
                    break
                look_at_clock()
                end = moment.play_on(number, self._acts(number), state.variant.naming.players, cap)
                if end is None and refused < AGAIN:
                    refused += 1
                    self._play_slowly(state, number, cap, played)
                else:
                    played.games += 1
                    played.unfinished += end is None or not end.ended
        if isinstance(moment, Unavailable):
            for number in range(seed, seed + min(games, SLOW)):
                self._play_slowly(state, number, min(cap, SHORT), played)
        played.acted = acted_of(counts)
        return played

    def _acts(self, number: int) -> frozenset[str]:
        return self.favourites if number % WILD else frozenset()

    def _play_slowly(self, begun: State, seed: int, cap: int, played: PlayedGames) -> None:
        """Play the game of a seed on the reference machine, with the favourite acts of native games; note a fault."""
        state = begun.clone()
        state.silent = True
        course = _GameCourse(state, seed, self._acts(seed))
        played.games += 1
        for _ in range(cap):
            try:
                if not course.goes_on():
                    return
            except Exception as error:
                if fault_of(error) is not NO_ROOM:
                    played.broken.append(BrokenGame(error, course.last.position(), tuple(course.path)))
                    return
                break
        played.unfinished += 1

    def moments(self, begun: State, seed: int) -> Iterator[GameMoment]:
        """Play a part of a game of a seed, and yield some moments of it; an error ends it silently."""
        state, rng = begun.clone(), Random(f"moments {seed}")
        state.silent = True
        course, found = _GameCourse(state, seed, self._acts(seed)), 0
        with suppress(Exception):
            for _ in range(SHORT):
                if found == MOMENTS or not course.goes_on():
                    return
                if not rng.randrange(APART) and state.decision is not None:
                    found += 1
                    yield GameMoment(state, course.last.position(), tuple(course.path))


class _GameCourse:
    """A game that is played decision by decision."""

    def __init__(self, state: State, seed: int, acts: frozenset[str]) -> None:
        self.state, self.rng, self.acts = state, Random(seed), acts
        self.last, self.path = state.clone(), list[str]()
        """The last state in which nothing was half done, or an earlier one, and the options after it."""

    def goes_on(self) -> bool:
        """Take a further option; return whether there was one."""
        look_at_clock()
        decision = self.state.decision
        if decision is None:
            return False
        if self.state.at_boundary or len(self.path) == FAR:
            self.last, self.path = self.state.clone(), []
        option = decision.draw(self.rng, self.acts)
        self.path.append(option.id)
        self.state.apply(option)
        return True
