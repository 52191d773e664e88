"""Checking of laws in a game: in positions near some cards, alone and with others, and in whole games.

The work is divided into portions: a card alone, or with another card of the same or of another player. The result of a
portion only depends on its cards and the seed, so that each portion can be run separately, and repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from warchest.bots.choose import BOTS, bot_named
from warchest.bots.simple import acts_drawn
from warchest.documents.library import Document
from warchest.game.decision import Option
from warchest.game.errors import CardError, PositionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.lowering.clause_counts import Counts
from warchest.source.text import Span
from warchest.testing.bearers import bearers_of
from warchest.testing.blank import NoBlankError, without_texts
from warchest.testing.budget import OutOfTime, ending, look_at_clock
from warchest.testing.differences import Difference, GameComparison
from warchest.testing.draws import RandomDraws
from warchest.testing.known import RuledPositions
from warchest.testing.laws import (
    IDLE,
    LAWS,
    NO_DEAD_END,
    NO_ROOM,
    PROPERTIES,
    VIEWS,
    Law,
    LawFault,
    acted_in,
    breach_fault,
    fault_of,
    faults_in,
    faults_of,
    law_named,
    listed,
    taken,
)
from warchest.testing.paths import behind, data_along, offered, rests_of
from warchest.testing.playing import SHORT, GamePlayer, PlayedGames
from warchest.testing.positions import NoPositionError, PositionData, PositionSampler, Sampling, drawn_near
from warchest.testing.properties.watch import PropertyWatch
from warchest.testing.sentences import ActedClause, acted_of, place_in
from warchest.testing.shrinking import OptionPath, shrunk_way
from warchest.testing.steps import Step

Relation: TypeAlias = Literal["alone", "friend", "foe", "idle"]
"""The relation between the cards of a portion; an idle card is not in play."""
POSITIONS, DEPTH = 8, 3
"""The number of positions in a portion, and of successive decisions that are checked from each."""
FURTHER = 16
"""The number of decisions from each position on in which only properties are checked."""
SMALLER, COMPARED = 300, 40
"""The most positions that are tried to shrink a finding, and the number of positions that check an idle card."""
TRIPLES = 2
"""The number of triples of a card for each pair."""
IN_GAMES = (PROPERTIES, NO_DEAD_END, VIEWS)
"""The laws that are also checked in the middle of games."""
SEEDS = 2**32
"""The number of possible seeds of games that are stopped in the middle."""


@dataclass(frozen=True, slots=True)
class CheckTask:
    """A portion of work: the check of the first of some cards, with the relation between these cards."""

    cards: tuple[str, ...]
    relation: Relation = "alone"
    number: int = 0
    """The number of the repetition, which is a part of the seed."""
    place: int = field(default=0, compare=False, repr=False)
    """The place of the portion among all."""

    @property
    def title(self) -> str:
        """The cards and their relation, in words."""
        first, *others = self.cards
        how = {"friend": "beside", "foe": "against", "alone": "with", "idle": "with"}[self.relation]
        return f"{first} {how} {' and '.join(others)}" if others else f"{first} {self.relation}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault and its place: a position, and the options that lead from there to the state that breaks a law.

    `on_step`: the law is broken by the step of the last option, not by a state.
    """

    task: CheckTask
    fault: LawFault
    position: PositionData
    path: tuple[str, ...] = ()
    on_step: bool = False
    found_as: tuple[str, str] = ("", "")
    """The key that it had before it was shrunk."""

    @property
    def key(self) -> tuple[str, str]:
        """The law, and the file and the words of the clause to blame; findings with the same key are duplicates."""
        if not self.fault.clauses:
            return self.fault.law, ""
        clause = self.fault.clauses[0]
        return self.fault.law, f"{Path(clause.path).name}: {' '.join(clause.text.split())}"


@dataclass(slots=True)
class TaskOutcome:
    """The result of a portion of work: its counts, the first fault of each law, and the clauses that acted."""

    task: CheckTask
    positions: int = 0
    options: int = 0
    games: int = 0
    """The number of whole games, which begin with armies."""
    unfinished: int = 0
    """The number of games that were stopped at the limit of decisions."""
    played_on: int = 0
    """The number of times that play continued from a position, for some decisions."""
    findings: list[Finding] = field(default_factory=list)
    acted: Counter[ActedClause] = field(default_factory=Counter)
    """The clauses that had an effect, with the numbers of times."""
    note: str = ""
    """The reason why something could not be checked."""
    whole: bool = True
    """Whether the portion was completed before the time was over."""


class GameCheck:
    """The search for faults in a game with some sets; all random choices depend on the seed."""

    def __init__(
        self,
        game: Game,
        sets: Iterable[str] | str | None = None,
        seed: int = 0,
        laws: Iterable[Law] = LAWS,
        games: int = 200,
    ) -> None:
        self.game, self.seed, self.laws, self.games = game, seed, tuple(laws), games
        self.sets = game.sets(sets)
        options = game.options(None, self.sets)
        self.options = options if options != game.options(None) else {}
        favourites = acts_drawn(bot_named(BOTS[1], game)) or frozenset()
        self._known = dict[tuple[str, str], int]()
        """The keys of findings, each with the place of the first portion in which it was found."""
        self.player = GamePlayer(game, self.sets, options, favourites)
        self.under_way: TaskOutcome | None = None
        """The result so far of the current portion."""

    # ---- portions

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The cards in these sets that players bring or, if players bring none, those with pieces on the board."""
        zone, ruleset = self.game.document.values.get("armies"), self.game.variant().program.ruleset
        brought = ruleset.kinds_in(self.game.variant().format.zones[zone]) if zone else self.game.piece_kinds
        return tuple(
            sorted({name for kind in brought if kind in self.game.kinds for name in self.game.names(kind, self.sets)})
        )

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The names of all documents of the kinds that the game lists as its documents."""
        kinds = self.game.document.values["documents"]
        return tuple(sorted({one.name for kind in kinds for one in self.game.library.of_kind(kind)}))

    def tasks(
        self, cards: Sequence[str], pairs: bool, triples: bool, times: int = 1, others: Sequence[str] | None = None
    ) -> list[CheckTask]:
        """Return the portions for some cards: each alone and idle, then with all `others`, and a sample of triples.

        By default, the others are all cards in use. Pairs among the cards themselves come first.
        """
        company = self.cards if others is None else others
        found = [CheckTask((card,)) for card in cards]
        found += [CheckTask((card,), "idle") for card in cards if card in self.cards]
        if pairs:
            own = [one for one in company if one in cards]
            met = dict.fromkeys(
                frozenset((card, one)) for group in (own, company) for card in cards for one in group if one != card
            )
            for pair in met:
                first, second = sorted(pair, key=lambda one: (one not in cards, one))
                found += [CheckTask((first, second), how) for how in _BOTH]
        for card in cards if triples else ():
            among = list(combinations([one for one in company if one != card], 2))
            rng = Random(f"triples {self.seed} {card}")
            chosen = rng.sample(among, min(len(among), TRIPLES * len(company)))
            found += [CheckTask((card, *two), rng.choice(_BOTH)) for two in chosen]
        repeated = (replace(one, number=number) for number in range(times) for one in found)
        return [replace(one, place=place) for place, one in enumerate(repeated)]

    def cards_near(self, name: str) -> tuple[str, ...]:
        """Return the cards that a document is checked with: itself, or its bearers if it cannot be in a position.

        A document that affects no card more than others is checked by itself. If some bearers are in use, only these
        are returned.
        """
        ruleset = self.game.variant().program.ruleset
        placed = {one.sheet for one in ruleset.kinds}
        placed = placed.union(*(ruleset.kinds_in(number) for number in range(len(ruleset.zones))))
        found = [one for kind in self._kinds for one in self.game.library.of_kind(kind) if one.name == name]
        if not found or any(one.kind in placed for one in found):
            return (name,)
        bearers = tuple(dict.fromkeys(card for one in found for card in bearers_of(self.game, one)))
        return tuple(card for card in bearers if card in self.cards) or bearers or (name,)

    def borne_by(self, cards: Collection[str]) -> set[str]:
        """Return the names of the documents that the sheets of some cards name."""
        sheets = self.game.variant().program.ruleset.sheets
        told = (number for one in sheets if one.name in cards for number in (*one.bears, *one.names.values()))
        return {sheets[number].name for number in told if number >= 0}

    # ---- work on a portion

    def prepare(self) -> None:
        """Read the files that portions need in advance: a machine that runs a portion may not have them."""
        assert self._ruled is not None

    def look(self, task: CheckTask, until: float = inf, most: float = inf) -> TaskOutcome:
        """Do a portion of work, until a moment of `testing.budget.clock`; an interrupted portion is not `whole`.

        After that moment its last findings are still shrunk, until the moment `most`.
        """
        outcome = self.under_way = TaskOutcome(task)
        try:
            with ending(until):
                look_at_clock()
                self._look(task, outcome)
        except OutOfTime:
            outcome.whole = False
        outcome.findings = [self._told_once(one, most) for one in outcome.findings]
        self.under_way = None
        return outcome

    def _look(self, task: CheckTask, outcome: TaskOutcome) -> None:
        if task.relation == "idle":
            self._look_without(task, outcome)
            return
        broken = dict[str, Finding]()
        for finding in chain(self._near(task, outcome, broken), self._games(task, outcome)):
            look_at_clock()
            if finding.fault.law not in broken:
                broken[finding.fault.law] = finding
                outcome.findings.append(finding)

    def _told_once(self, finding: Finding, most: float) -> Finding:
        """Return a finding, shrunk if there is time until `most`; duplicates of earlier findings are not shrunk.

        Portions may run in any order and in several processes; of all findings with the same key, the first is shrunk.
        """
        place, finding = finding.task.place, replace(finding, found_as=finding.key)
        if self._known.get(finding.key, place) < place:
            return finding
        self._known[finding.key] = place
        with suppress(OutOfTime), ending(most):
            return self.smallest(finding)
        return finding

    def _near(self, task: CheckTask, outcome: TaskOutcome, broken: Collection[str]) -> Iterator[Finding]:
        """Check positions near the cards: all options of each, then one of these options and the decisions after it.

        Laws that are `broken` already are not checked again.
        """
        draws = RandomDraws(Random(f"check {self.seed} {task}"))
        together = None if len(task.cards) == 1 else task.relation == "friend"
        wishes = [
            Sampling(task.cards, pieces=pieces, tokens=tokens, together=together, aimed=aimed)
            for pieces, tokens, aimed in ((3, 1, len(task.cards) > 1), (5, 2, True))
        ]
        samplers = [PositionSampler(self.game, one, self.options) for one in wishes]
        ruled = self._ruled.naming(task.cards)
        for number in range(POSITIONS):
            try:
                told = drawn_near(samplers, number, draws, ruled)
            except NoPositionError as error:
                outcome.note = f"no position was found: {error}"
                continue
            outcome.positions += 1
            look_at_clock()
            laws = [one for one in self.laws if one.name not in broken]
            yield from self._walk(task, told, draws.rng, outcome, laws)
            if any(one.name == PROPERTIES for one in laws):
                yield from self._watched(task, told, draws.rng, number)
            yield from self._games_from(task, told, self.games // 20, outcome)

    def _walk(
        self, task: CheckTask, told: PositionData, rng: Random, outcome: TaskOutcome, laws: Sequence[Law]
    ) -> Iterator[Finding]:
        state, path = self.game.position(told), tuple[str, ...]()
        for _ in range(DEPTH):
            for fault in faults_in(state, laws):
                yield Finding(task, fault, told, path)
            further, counts, acted = list[Step](), Counts(), Counter[ActedClause]()
            counting = None if self._is_counted else _counting(state, counts)
            options = listed(state)
            for option in options if not isinstance(options, LawFault) else ():
                outcome.options += 1
                look_at_clock()
                step = taken(state, option)
                if isinstance(step, LawFault):
                    if step is not NO_ROOM:
                        yield Finding(task, step, told, (*path, option.id), on_step=True)
                    continue
                acted.update(map(place_in, acted_in(step)))
                _take_again(counting, option)
                for fault in faults_of(step, laws):
                    yield Finding(task, fault, told, (*path, option.id), on_step=True)
                further.append(step)
            outcome.acted += acted | acted_of(counts)
            if not further:
                return
            step = rng.choice(further)
            state, path = step.after, (*path, step.option.id)

    @cached_property
    def _is_counted(self) -> bool:
        """Whether games are played natively; these count all clauses that act."""
        return self.games > 0 and not self.player.prepare()

    def _watched(self, task: CheckTask, told: PositionData, rng: Random, number: int) -> Iterator[Finding]:
        """Play on from a position for some decisions, and yield the first broken property.

        Only properties are checked, and only one option of each decision, so that this gets further than `_walk`.
        """
        state, path = self.game.position(told), list[str]()
        state.silent = True
        self._watch.begin(state)
        acts = self.player.favourites if number % 2 else frozenset[str]()
        for _ in range(FURTHER):
            if state.decision is None:
                return
            option = state.decision.sample(rng, acts)
            path.append(option.id)
            try:
                self._watch.take(state, option)
            except Exception:
                return  # Other laws report errors.
            if self._watch.breaches:
                fault = replace(breach_fault(self._watch.breaches[0]), asked=PROPERTIES)
                finding = Finding(task, fault, told, tuple(path), on_step=True)
                yield replace(finding, fault=self.trial(finding, told) or fault)
                return

    @cached_property
    def _ruled(self) -> RuledPositions:
        return RuledPositions(self.game)

    @cached_property
    def _watch(self) -> PropertyWatch:
        return PropertyWatch(self.game)

    def _games(self, task: CheckTask, outcome: TaskOutcome) -> Iterator[Finding]:
        """Play whole games with the cards, if players can bring them in armies."""
        starts = self.player.starts(task.cards, task.relation != "foe", f"{self.seed} {task}")
        if not starts:
            outcome.note = outcome.note or "players cannot bring these cards in armies; games begin in positions"
        for number, state in enumerate(starts):
            share = range(self.games)[number :: len(starts)]
            played = self.player.play(state, len(share), self.seed + task.number * len(share))
            outcome.games += played.games
            outcome.unfinished += played.unfinished
            yield from self._broken_off(task, played, outcome)
            yield from self._in_game(task, state, f"{self.seed} {task} {number}")

    def _games_from(self, task: CheckTask, told: PositionData, games: int, outcome: TaskOutcome) -> Iterator[Finding]:
        played = self.player.play(self.game.position(told), games, self.seed + task.number * games, SHORT)
        outcome.played_on += played.games
        yield from self._broken_off(task, played, outcome)

    def _broken_off(self, task: CheckTask, played: PlayedGames, outcome: TaskOutcome) -> Iterator[Finding]:
        outcome.acted += played.acted
        for broken in played.broken:
            yield Finding(task, fault_of(broken.error), broken.position, broken.path, on_step=True)

    def _in_game(self, task: CheckTask, begun: State, seed: str) -> Iterator[Finding]:
        """Check the laws of games in some states of a game, and after an option of each."""
        laws, rng = [one for one in self.laws if one.name in IN_GAMES], Random(f"options {seed}")
        for moment in self.player.moments(begun, rng.randrange(SEEDS)) if laws and self.games else ():
            state = moment.state.clone()
            state.silent = False
            for fault in faults_in(state, laws):
                yield Finding(task, fault, moment.position, moment.path)
            options = listed(state)
            option = rng.choice(options) if options and not isinstance(options, LawFault) else None
            step = taken(state, option) if option is not None else None
            if option is not None and isinstance(step, Step):
                for fault in faults_of(step, laws):
                    yield Finding(task, fault, moment.position, (*moment.path, option.id), on_step=True)

    # ---- idle cards

    def _look_without(self, task: CheckTask, outcome: TaskOutcome) -> None:
        """Compare the game with one in which a card has no texts, in positions in which the card is not in play."""
        if law_named(IDLE) not in self.laws:
            return
        card = task.cards[0]
        try:
            comparison = GameComparison(without_texts(self.game, card), self.game, (self.options, self.options))
        except NoBlankError:
            return
        except CardError as error:
            outcome.note = f"not compared without the texts of {card}: {str(error).splitlines()[0]}"
            return
        others = [one for one in self.cards if one != card]
        compared = comparison.look((), others, seed=self.seed + task.number, most=COMPARED)
        outcome.positions, outcome.options = compared.positions, compared.steps
        if compared.found is not None and card not in str(compared.found.position):
            outcome.findings.append(_idle_finding(task, comparison, compared.found, self._texts_of(card)))
        look_at_clock()

    def _texts_of(self, card: str) -> tuple[Span, ...]:
        documents = [one for one in self.game.library.documents if one.name == card and one.kind in self._kinds]
        return tuple(
            span for one in documents for key in self._kinds[one.kind].get("blocks", ()) for span in one.blocks(key)
        )

    @property
    def _kinds(self) -> Mapping[str, Any]:
        kinds: Mapping[str, object] = self.game.document.values["documents"]
        return kinds

    # ---- findings

    def trial(self, finding: Finding, told: PositionData) -> LawFault | None:
        """Take the options of a finding in another position, and check its law there; return the fault, or None."""
        look_at_clock()
        try:
            state = self.game.position(told)
        except PositionError:
            return None
        there = behind(state, finding.path[:-1] if finding.on_step else finding.path)
        if there is None:
            return None
        law, asked = finding.fault.law, [law_named(finding.fault.asked)] if finding.fault.asked else []
        if finding.on_step:
            option = offered(there, finding.path[-1])
            if option is None:
                return None
            step = taken(there, option)
            found = iter([step]) if isinstance(step, LawFault) else faults_of(step, asked)
        else:
            found = faults_in(there, asked)
        return next((one for one in found if one.law == law), None)

    def smallest(self, finding: Finding) -> Finding:
        """Return the finding in the smallest position found that shows it; clauses of cards come first."""

        def holds(told: PositionData, way: OptionPath) -> bool:
            fault = self.trial(replace(finding, path=way), told) if way or not finding.on_step else None
            return fault is not None and fault.clauses[:1] == finding.fault.clauses[:1]

        finding = self._sooner(finding)
        told, way = finding.position, finding.path
        if holds(told, way):
            told, way = shrunk_way(told, way, holds, SMALLER, self.game)
        finding = replace(finding, path=way)
        fault = self.trial(finding, told) or finding.fault
        return replace(finding, position=told, fault=replace(fault, clauses=self._to_blame(fault.clauses)))

    def _sooner(self, finding: Finding) -> Finding:
        """Return the finding with the shortest possible path, from the last position that contains the whole state."""
        begun, best = self.game.position(finding.position), finding
        for told, way in rests_of(begun, finding.path, last=not finding.on_step):
            later = replace(finding, position=told, path=way)
            best = later if self.trial(later, told) is not None else best
        return best

    def _to_blame(self, clauses: tuple[Span, ...]) -> tuple[Span, ...]:
        """Return the clauses of cards, before those of the rules of the game."""
        files = {one.span.path for one in self.documents_of(self.cards)}
        return tuple(sorted(clauses, key=lambda one: one.path not in files))

    def documents_of(self, cards: Collection[str]) -> list[Document]:
        """Return the documents of some cards."""
        return [one for kind in self._kinds for one in self.game.library.of_kind(kind) if one.name in cards]


def sets_with(game: Game, documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the usual sets of a game, and those of some documents."""
    own = (str(one.values["set"]) for one in documents if one.values.get("set"))
    return tuple(dict.fromkeys([*game.sets(), *own]))


_BOTH: tuple[Relation, Relation] = ("friend", "foe")


def _counting(state: State, counts: Counts) -> State:
    """Return a copy of a state that counts the clauses that act, even those that no event names."""
    copy = state.clone()
    copy.count(counts)
    return copy


def _take_again(counting: State | None, option: Option) -> None:
    """Take an option in the counting copy of a state, if there is one; the copy has the same list of options."""
    # An error that is raised only here is for laws to find.
    with suppress(Exception):
        if counting is not None and counting.decision is not None:
            counting.clone().apply(option)


def _idle_finding(task: CheckTask, comparison: GameComparison, found: Difference, clauses: tuple[Span, ...]) -> Finding:
    without, usual = found.only
    expected: dict[str, object] = {}
    if without:
        expected["offered"] = data_along(comparison.first, found.position, (*found.path, without[0]))[-1:]
        said = f"{without[0]} is not on offer"
    elif usual:
        expected["not offered"] = data_along(comparison.second, found.position, (*found.path, usual[0]))[-1:]
        said = f"{usual[0]} is on offer"
    else:
        after, said = behind(comparison.first.position(found.position), found.path), "; ".join(found.lines)
        told = after.position() if after is not None else {}
        keys = {one.root for one in found.parts}
        expected["then"] = {key: value for key, value in told.items() if key in keys}
    text = f"{task.cards[0]} is not in play, and all the same: {said}"
    return Finding(task, LawFault(IDLE, text, clauses, expected=expected), found.position, found.path)
