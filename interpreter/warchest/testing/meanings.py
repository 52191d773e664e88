"""Near-miss readings of a card: its sentences with a word changed, and positions in which they differ.

A few positions are chosen as questions: in each, the readings give different answers, so that the chosen answers select
the intended reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple, TypeAlias

from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.rulings.compare import matches
from warchest.source.text import Span
from warchest.testing.answers import OFFERED, Comes, after, comes_to, lines_of, state_at, telling, value_of
from warchest.testing.bearers import bearers_of
from warchest.testing.budget import Budget
from warchest.testing.differences import Difference, GameComparison, decider_of, facts_of
from warchest.testing.laws import OptionData
from warchest.testing.mutants.making import Mutant, Mutants
from warchest.testing.mutants.readings import ReadingChanges
from warchest.testing.mutants.trying import TextLinter, Trials, rules_of, rulings_of
from warchest.testing.paths import RecordedPlay, data_along
from warchest.testing.positions import NoPositionError
from warchest.testing.search import KitSearch

MOST_QUESTIONS, MOST_ANSWERS = 8, 6
"""The most questions about a card, and the number of answers above which a question is less preferred."""
MOST_ADDED, EACH_ADDED = 60, 16
"""The most readings of a card with words added, and the number of them that each sentence can have in any case."""
MOST_PAIRS = 24
"""The most pairs of changed readings that are compared with each other, after the comparisons with the text."""
TOGETHER = 8
"""The number of pairs that are compared before their moments are tried with all readings; independent of processes."""
ROUND = 5
"""The divisor of the positions: one part is compared for all readings, the rest for those that did not differ."""
LOOKING = 0.9
"""The share of the budget for finding positions; the rest is for trying all readings in them."""
WRITTEN = -1
"""The number of the unchanged text among the mutants."""
_TwoReadings: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NearReading:
    """A reading of a card: the unchanged text, or one with a change that the author might have meant."""

    mutant: Mutant | None
    game: Game

    @property
    def said(self) -> str:
        """The changed sentence; empty for the unchanged text."""
        if self.mutant is None:
            return ""
        return self.mutant.after or f"(without `{self.mutant.before}`)"


@dataclass(frozen=True, slots=True)
class MeaningAnswer:
    """An answer that some readings give, by their numbers, and the lines in which it differs from the others.

    Its ruling takes the option `taken`, if there is one, and has the expectations `expected`.
    """

    readings: tuple[int, ...]
    lines: tuple[str, ...]
    taken: tuple[OptionData, ...]
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MeaningQuestion:
    """A position in which readings differ; the first answer is that of the unchanged text."""

    moment: RecordedPlay
    answers: tuple[MeaningAnswer, ...]


@dataclass(frozen=True, slots=True)
class Meanings:
    """The readings of a card, the first as it is written, and the questions that distinguish them.

    `alike` are further readings that played like the unchanged text in all positions that were compared.
    """

    readings: tuple[NearReading, ...]
    questions: tuple[MeaningQuestion, ...]
    alike: tuple[NearReading, ...] = ()

    def meant(self, chosen: Mapping[int, int]) -> list[NearReading]:
        """Return the readings that agree with the chosen answers, which are given by the numbers of questions."""
        return [self.readings[number] for number in sorted(self._left(chosen))]

    def is_open(self, number: int, chosen: Mapping[int, int]) -> bool:
        """Whether a question has no answer yet, and distinguishes readings that agree with the chosen answers."""
        left = self._left(chosen)
        told = [not left.isdisjoint(answer.readings) for answer in self.questions[number].answers]
        return number not in chosen and sum(told) > 1

    def _left(self, chosen: Mapping[int, int]) -> set[int]:
        left = set(range(len(self.readings)))
        for number, answer in chosen.items():
            left &= set(self.questions[number].answers[answer].readings)
        return left


class MeaningSearch:
    """The search for positions in which near-miss readings of a document differ, in rounds."""

    def __init__(self, game: Game, document: Document, seed: int = 0, within: Span | None = None) -> None:
        """Make the search for all sentences of a document, or only for those that overlap a part of its text."""
        self.game, self.document, self.seed = game, document, seed
        self._near = bearers_of(game, document)
        """The cards that the document affects."""
        made = Mutants(game, ReadingChanges).of(document)
        self._mutants = likeliest(one for one in made if within is None or _overlaps(one.sentence, within))
        self._linter = TextLinter(game)
        self._known = Trials(game, rulings_of(game)).known_positions(document)
        """The positions of rulings about the document, which are compared first."""
        self._games: dict[int, Game] = {WRITTEN: game}
        """The game of each reading, by the number of the mutant."""
        self._comes: dict[int, list[Comes]] = {WRITTEN: []}
        """The facts that result from each reading at each of the moments found so far."""
        self._moments: list[RecordedPlay] = []
        self._rounds = 0
        self._is_begun = False
        self._fitting: dict[int, Game] = {}
        """The games of mutants that were made to see whether they fit."""

    @property
    def left(self) -> list[int]:
        """The numbers of the mutants for which no difference from the text as it is written was found so far.

        Mutants with added words are only tried in the first round.
        """
        if not self._rounds:
            return list(range(len(self._mutants)))
        alike = (one for one, comes in self._comes.items() if one != WRITTEN and comes == self._comes[WRITTEN])
        return [one for one in alike if self._mutants[one].kind != "addition"]

    def round(self, positions: int, budget: Budget) -> Iterator[int]:
        """Compare further positions for each mutant that is left; yield its number when that is done.

        A moment that is found for one reading is tried with all others, so that few of them need their own search.
        """
        for _ in self.begin(budget.half):
            pass
        begun, seed = not self._rounds, self.seed + self._rounds
        pairs = [(WRITTEN, one) for one in (self._comes if begun else self.left) if one != WRITTEN]
        self._rounds += 1
        yield from self._looked(pairs, partial(self._look, positions, seed, begun), budget)

    def split(self, positions: int, budget: Budget) -> None:
        """Search for positions that distinguish readings which so far were distinguished only from the text."""
        groups: dict[str, list[int]] = {}
        for number, comes in self._comes.items():
            groups.setdefault(str(comes), []).append(number)
        pairs = [
            (group[0], one)
            for group in sorted(groups.values(), key=len, reverse=True)
            if WRITTEN not in group
            for one in group[1:]
        ]
        for _ in self._looked(pairs[:MOST_PAIRS], partial(self._look, positions, self.seed, True), budget):
            pass

    def begin(self, budget: Budget) -> Iterator[int]:
        """Make the games of those mutants that have other rules and no new findings of the linter, within a budget.

        Yield the number of each mutant when its game is made or it is ruled out; nothing if all this was done before.
        """
        if self._is_begun:
            return
        self._is_begun = True
        for number, fits in KitSearch(range(len(self._mutants)), self._fits, budget).parts():
            if fits:
                self._games[number], self._comes[number] = self._made(number), []
            yield number

    def _made(self, number: int) -> Game:
        """Return the game of a mutant, which is kept for the next request in this process."""
        known = self._fitting.pop(number, None)
        if known is None:
            known = self._fitting[number] = self.game.with_text(self._mutants[number].path, self._mutants[number].text)
        return known

    def _fits(self, number: int) -> bool:
        try:
            made = self._made(number)
        except CardError:
            return False
        fits = rules_of(made, {}) != rules_of(self.game, {}) and not self._linter.new_in(self._mutants[number])
        if not fits:
            del self._fitting[number]
        return fits

    def _looked(
        self, pairs: Sequence[_TwoReadings], look: Callable[[_TwoReadings], tuple[RecordedPlay, ...]], budget: Budget
    ) -> Iterator[int]:
        """Compare pairs of readings, and try the moments found with all readings; yield the second of each pair."""
        for first in range(0, len(pairs), TOGETHER):
            portion = pairs[first : first + TOGETHER]
            still = [(one, other) for one, other in portion if self._comes[one] == self._comes[other]]
            compared = KitSearch(still, look, budget).parts()
            found = {str(one): one for _, several in compared for one in several}
            self._add([one for one in found.values() if one not in self._moments], budget)
            yield from (other for _, other in portion)

    def _add(self, moments: Sequence[RecordedPlay], budget: Budget) -> None:
        """Compute the facts of all readings at more moments: as many as there is time for, and at least one."""
        for moment in moments:
            if self._moments and budget.spent:
                break
            seen = budget.results(partial(self._seen, moment), list(self._games))
            for known, comes in zip(self._comes.values(), seen, strict=True):
                known.append(comes)
            self._moments.append(moment)

    def _seen(self, moment: RecordedPlay, number: int) -> Comes:
        return comes_to(self._games[number], moment)

    def _look(self, positions: int, seed: int, begun: bool, pair: _TwoReadings) -> tuple[RecordedPlay, ...]:
        """Return a moment at which two readings differ, shrunk and as it was found; none if they do not differ.

        The original moment has more on the board, so that it can distinguish further readings.
        """
        comparison = GameComparison(self._games[pair[0]], self._games[pair[1]])
        known = self._known[:positions] if begun else ()
        try:
            most = positions + len(known)
            found = comparison.look(self._near, (), seed, most, known=known, small=False).found
        except NoPositionError:
            return ()
        return () if found is None else (_moment(comparison.smallest(found)), _moment(found))

    def meanings(self) -> Meanings:
        """Return the readings found so far, and the questions that distinguish them."""
        written = self._comes[WRITTEN]
        numbers = [WRITTEN, *(one for one, comes in self._comes.items() if comes != written)]
        readings = [NearReading(None if one == WRITTEN else self._mutants[one], self._games[one]) for one in numbers]
        alike = tuple(
            NearReading(self._mutants[one], self._games[one])
            for one, comes in self._comes.items()
            if one != WRITTEN and comes == written
        )
        comes = [[self._comes[one][number] for one in numbers] for number in range(len(self._moments))]
        return Meanings(tuple(readings), tuple(_asked(readings, self._moments, comes)), alike)


class SearchRound(NamedTuple):
    """A round of a search: the number of its mutants, and these one by one, each when it is finished."""

    size: int
    done: Iterator[int]


def rounds(search: MeaningSearch, positions: int, budget: Budget) -> Iterator[SearchRound]:
    """Yield the rounds of a search; each must be finished before the next one.

    The games of all readings are made; then a few positions are compared for each, and more for those without a
    difference so far.
    """
    few = max(positions // ROUND, 1)
    yield SearchRound(len(search.left), search.begin(budget.half))
    for share in (few, positions - few) if positions > few else (few,):
        yield SearchRound(len(search.left), search.round(share, budget))
        if share == few:
            search.split(few, budget)


def _overlaps(span: Span, other: Span) -> bool:
    """Whether two parts of a file overlap, or one of them is a place in the other."""
    return span.path == other.path and span.start <= other.end and other.start <= span.end


def _moment(found: Difference) -> RecordedPlay:
    """Return the last moment before two games differ."""
    return RecordedPlay(found.position, found.path[:-1] if found.lines else found.path)


def likeliest(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return the mutants that are tried as readings: by turns those with other words and those with added words.

    Of the additions, the likeliest of each sentence come first. A reading without a whole sentence is left out, because
    sentences without a meaning are not written.
    """
    places: Counter[int] = Counter()
    added, others = list[tuple[int, Mutant]](), list[Mutant]()
    for one in mutants:
        if one.kind == "addition":
            added.append((places[one.sentence.start], one))
            places[one.sentence.start] += 1
        elif one.kind != "sentence":
            others.append(one)
    added.sort(key=lambda one: one[0])
    additions = [one for number, (place, one) in enumerate(added) if number < MOST_ADDED or place < EACH_ADDED]
    # Where the time is too short for all, both sorts get a share of it.
    return [one for pair in zip_longest(others, additions) for one in pair if one is not None]


# ---- questions


def _asked(
    readings: Sequence[NearReading], moments: Sequence[RecordedPlay], comes: Sequence[Sequence[Comes]]
) -> Iterator[MeaningQuestion]:
    """Yield the questions, chosen greedily: each is the one that splits the most readings that are still together."""
    answers = {number: _grouped(seen) for number, seen in enumerate(comes)}
    told: list[tuple[int, ...]] = [()] * len(readings)
    for _ in range(min(MOST_QUESTIONS, len(moments))):
        further = {
            number: [(*one, said) for one, said in zip(told, given, strict=True)] for number, given in answers.items()
        }
        best = min(further, key=lambda one: (_left(further[one]) * _room(answers[one]), one), default=-1)
        if best < 0 or len({*further[best]}) == len({*told}):
            return
        told = further[best]
        yield MeaningQuestion(moments[best], tuple(_answers(answers.pop(best), readings, moments[best], comes[best])))


def _left(told: Sequence[tuple[int, ...]]) -> float:
    """Return a measure of the number of readings that an answer leaves; the original text has half the weight."""
    sizes = Counter(told)
    return sizes[told[0]] * len(told) + sum(size * size for size in sizes.values())


def _room(answers: Sequence[int]) -> float:
    """Return the penalty factor of a question with more than `MOST_ANSWERS` answers."""
    return 1 + max(len({*answers}) - MOST_ANSWERS, 0)


def _grouped(comes: Sequence[Comes]) -> list[int]:
    """Return the number of the answer that each reading gives; equal facts are one answer."""
    facts = list(dict.fromkeys(fact for one in comes for fact in one))
    known: dict[tuple[str | None, ...], int] = {}
    return [known.setdefault(tuple(value_of(one, fact) for fact in facts), len(known)) for one in comes]


def _answers(
    answers: Sequence[int], readings: Sequence[NearReading], moment: RecordedPlay, comes: Sequence[Comes]
) -> Iterator[MeaningAnswer]:
    """Yield the answers to a question, each with the lines in which it differs from the others."""
    members = [tuple(one for one, said in enumerate(answers) if said == number) for number in range(max(answers) + 1)]
    seen = [comes[one[0]] for one in members]
    facts = telling(seen)
    options = [_Options(readings[one[0]].game, moment, come) for one, come in zip(members, seen, strict=True)]
    for number, one in enumerate(members):
        taken, expected = _ruled(options, number)
        yield MeaningAnswer(one, tuple(lines_of(seen[number], facts)), taken, expected)


# ---- rulings of answers


class _Options:
    """The options that a reading has on offer at a moment, and the facts that result from it there."""

    def __init__(self, game: Game, moment: RecordedPlay, comes: Comes) -> None:
        self.comes = comes
        self.offered = [option for option, name in comes if name == OFFERED]
        self._state = state_at(game, moment)

    @property
    def decides(self) -> dict[str, object]:
        """The decider at the moment, as an expectation of a ruling."""
        return {"decides": decider_of(self._state)} if self._state is not None else {}

    def data(self, chosen: str) -> OptionData:
        """Return the data of an option on offer."""
        assert self._state is not None and self._state.decision is not None
        return self._state.decision.by_id(chosen).data

    def has(self, data: OptionData) -> bool:
        """Whether any option on offer matches some data, so that no ruling can say that these are not offered."""
        return any(matches(data, self.data(one)) for one in self.offered)

    def behind(self, chosen: str) -> tuple[dict[str, Any], str]:
        """Return the facts after an option, with the next decider; none if the option does not end."""
        assert self._state is not None
        there = after(self._state, chosen)
        return ({}, "") if there is None else (facts_of(there), decider_of(there))


def _ruled(answers: Sequence[_Options], number: int) -> tuple[tuple[OptionData, ...], dict[str, object]]:
    """Return the option that a ruling of an answer takes, and its expectations, which the other answers fail.

    They are chosen so that the text as it is written fails, and then as many other answers as possible.
    """
    here, others = answers[number], [one for one in answers if one is not answers[number]]

    def told(chosen: str) -> int:
        there = [_at(one, chosen) != _at(here, chosen) if chosen in one.offered else False for one in others]
        return sum(there) + (len(answers) if there[0] else 0)

    by_offers = [set(one.offered) != set(here.offered) for one in others]
    best = max(here.offered, key=told, default="")
    if best and told(best) > sum(by_offers) + (len(answers) if by_offers[0] else 0):
        facts, decides = here.behind(best)
        if facts:
            there = [one.behind(best)[0] for one in others if best in one.offered]
            then = {key: value for key, value in facts.items() if any(one.get(key) != value for one in there)}
            return (here.data(best),), {"decides": decides, **({"then": then} if then else {})}
    known = {option: one.data(option) for one in answers for option in one.offered}
    apart = [one for one in known if not all(one in other.offered for other in answers)]
    expected = {
        "offered": [known[one] for one in apart if one in here.offered],
        "not offered": [known[one] for one in apart if not here.has(known[one])],
    }
    return (), {key: value for key, value in expected.items() if value} or here.decides


def answer_case(document: Document, meanings: Meanings, question: MeaningQuestion, answer: int) -> dict[str, object]:
    """Return the ruling of an answer to a question, by the keys of a case."""
    chosen, position = question.answers[answer], question.moment.position
    done = data_along(meanings.readings[chosen.readings[0]].game, position, question.moment.path)
    return {
        "name": f"{document.name}: what is meant",
        "source": "ruling: as answered",
        "position": position,
        "do": [*done, *chosen.taken],
        **chosen.expected,
    }


def _at(answer: _Options, chosen: str) -> list[tuple[str, str]]:
    """Return the facts after an option in an answer, with their names."""
    return sorted((name, value) for (option, name), value in answer.comes.items() if option == chosen)
