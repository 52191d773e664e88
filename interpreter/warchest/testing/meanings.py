"""Near-miss readings of a card: its sentences with a word changed, and the positions that tell them apart.

A few positions are chosen as questions: in each the readings come to several answers, so that whoever answers them has
said which reading is meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from warchest.documents.library import Document
from warchest.game.errors import CardError, PositionError
from warchest.game.game import Game
from warchest.game.state import EndlessError, State
from warchest.parallel import side_by_side
from warchest.rulings.compare import matches, shown
from warchest.testing.budget import clock
from warchest.testing.differences import GameComparison, decider_of, facts_of
from warchest.testing.laws import OptionData
from warchest.testing.mutants.making import Mutant, Mutants
from warchest.testing.mutants.readings import ReadingChanges
from warchest.testing.mutants.trying import TextLinter, Trials, rulings_of
from warchest.testing.paths import behind
from warchest.testing.positions import NoPositionError, PositionData

MOST_QUESTIONS = 5
"""The most questions that are asked of a card."""
UNFIT, SAME = "unfit", "same"
"""The results for a mutant that cannot be read, and for one that does not differ where it was looked at."""
_Answer: TypeAlias = tuple[tuple[str, str], ...]
"""The options on offer, by ids, each with the facts behind it."""


@dataclass(frozen=True, slots=True)
class NearReading:
    """A way to read a card: as it is written, or with a change that somebody might have meant."""

    mutant: Mutant | None
    game: Game

    @property
    def said(self) -> str:
        """The sentence that is another one, in its words; empty where nothing is changed."""
        if self.mutant is None:
            return ""
        return self.mutant.after or f"(without `{self.mutant.before}`)"


@dataclass(frozen=True, slots=True)
class AskedMoment:
    """A position, and the options that are taken from there on, by their ids."""

    position: PositionData
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeaningAnswer:
    """The answer that some readings, by their numbers, come to, in lines that set it apart from the others.

    A ruling holds it that does the option `taken`, if there is one, and asks for what is `expected`.
    """

    readings: tuple[int, ...]
    lines: tuple[str, ...]
    taken: tuple[OptionData, ...]
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MeaningQuestion:
    """A position in which readings differ; the first answer is that of the text as it is written."""

    moment: AskedMoment
    answers: tuple[MeaningAnswer, ...]


@dataclass(frozen=True, slots=True)
class Meanings:
    """The readings of a card, the first as it is written, and the questions that tell them apart."""

    readings: tuple[NearReading, ...]
    questions: tuple[MeaningQuestion, ...]

    def meant(self, chosen: Mapping[int, int]) -> list[NearReading]:
        """Return the readings that come to the chosen answers, by the numbers of questions."""
        return [self.readings[number] for number in sorted(self._left(chosen))]

    def is_open(self, number: int, chosen: Mapping[int, int]) -> bool:
        """Whether a question has no answer yet, and tells readings apart that come to all those chosen."""
        left = self._left(chosen)
        told = [not left.isdisjoint(answer.readings) for answer in self.questions[number].answers]
        return number not in chosen and sum(told) > 1

    def _left(self, chosen: Mapping[int, int]) -> set[int]:
        left = set(range(len(self.readings)))
        for number, answer in chosen.items():
            left &= set(self.questions[number].answers[answer].readings)
        return left


class MeaningSearch:
    """Looks for positions in which near-miss readings of a document differ from it, round by round."""

    def __init__(self, game: Game, document: Document, seed: int = 0) -> None:
        self.game, self.document, self.seed = game, document, seed
        self._mutants = list(Mutants(game, ReadingChanges).of(document))
        self._linter = TextLinter(game)
        self._known = Trials(game, rulings_of(game)).known_positions(document)
        """The positions of rulings about the document, which are looked at first."""
        self._rounds = 0
        self._moments: dict[int, AskedMoment] = {}
        self._unfit: set[int] = set()
        """The mutants that are no readings."""

    @property
    def left(self) -> list[int]:
        """The mutants, by number, that could differ and have not been seen to do so."""
        return [one for one in range(len(self._mutants)) if one not in self._moments and one not in self._unfit]

    def round(self, positions: int, until: float, jobs: int = 1) -> Iterator[int]:
        """Look at so many further positions for each mutant that is left; yield its number when that is done."""
        numbers, seed = self.left, self.seed + self._rounds
        found = side_by_side(partial(self._look, positions, until, seed, not self._rounds), numbers, jobs)
        self._rounds += 1
        for number, moment in zip(numbers, found, strict=True):
            if isinstance(moment, AskedMoment):
                self._moments[number] = moment
            elif moment == UNFIT:
                self._unfit.add(number)
            yield number

    def _look(self, positions: int, until: float, seed: int, linted: bool, number: int) -> AskedMoment | str:
        """Return the smallest moment in which a mutant differs; UNFIT where it will not do, SAME where it does not."""
        if clock() >= until:
            return SAME
        mutant = self._mutants[number]
        try:
            other = self.game.with_text(mutant.path, mutant.text)
            if linted and self._linter.new_in(mutant):
                return UNFIT
            known = self._known[:positions] if linted else ()
            comparison = GameComparison(self.game, other)
            found = comparison.look(
                [self.document.name], seed=seed, most=positions + len(known), until=until, known=known
            ).found
        except (CardError, NoPositionError):
            return UNFIT
        if found is None:
            return SAME
        return AskedMoment(found.position, found.path[:-1] if found.lines else found.path)

    def meanings(self) -> Meanings:
        """Return the readings that were found so far, and the questions that tell them apart."""
        made = [(self._mutants[number], moment) for number, moment in sorted(self._moments.items())]
        readings = [NearReading(None, self.game)]
        readings += [NearReading(one, self.game.with_text(one.path, one.text)) for one, _ in made]
        moments = list({str(moment): moment for _, moment in reversed(made)}.values())[::-1]
        return Meanings(tuple(readings), tuple(_asked(readings, moments)))


def _asked(readings: Sequence[NearReading], moments: Sequence[AskedMoment]) -> Iterator[MeaningQuestion]:
    """Yield the questions, each that which tells the most readings apart that were not told apart before."""
    answers = {number: [_answer(one.game, moment) for one in readings] for number, moment in enumerate(moments)}
    told: list[tuple[Any, ...]] = [()] * len(readings)
    for _ in range(min(MOST_QUESTIONS, len(moments))):
        best = max(answers, key=lambda number: (len({(*one, answer) for one, answer in
                                                     zip(told, answers[number], strict=True)}), -number))  # fmt: skip
        after = [(*one, answer) for one, answer in zip(told, answers[best], strict=True)]
        if len(set(after)) == len(set(told)):
            return
        told = after
        yield MeaningQuestion(moments[best], tuple(_grouped(answers.pop(best), readings, moments[best])))
        if not answers:
            return


def _grouped(
    answers: Sequence[_Answer], readings: Sequence[NearReading], moment: AskedMoment
) -> Iterator[MeaningAnswer]:
    """Yield the answers that readings come to, each with the lines that set it apart from others."""
    groups: dict[_Answer, list[int]] = {}
    for number, answer in enumerate(answers):
        groups.setdefault(answer, []).append(number)
    told = [_Told(readings[members[0]].game, moment, dict(answer)) for answer, members in groups.items()]
    everything = list(dict.fromkeys(one for each in told for one in each.comes))
    apart = [one for one in everything if not all(one in each.comes for each in told)]
    changed = [one for one in everything if len({each.comes[one] for each in told if one in each.comes}) > 1]
    known = {one: next(each.data(one) for each in told if one in each.comes) for one in (*apart, *changed)}
    for members, each in zip(groups.values(), told, strict=True):
        others = {one: [other for other in told if one in other.comes] for one in changed if one in each.comes}
        outcomes = {one: _outcome(one, each, there) for one, there in others.items()}
        lines = [f"{'on' if one in each.comes else 'not on'} offer: {one}" for one in apart]
        lines += [f"{one}: {line}" for one, (said, _) in outcomes.items() for line in said]
        if outcomes:
            taken, (_, expected) = next(iter(outcomes.items()))
            yield MeaningAnswer(tuple(members), tuple(lines), (known[taken],), expected)
            continue
        there = {"offered": [known[one] for one in apart if one in each.comes],
                 "not offered": [known[one] for one in apart if not each.has(known[one])]}  # fmt: skip
        expected = {key: value for key, value in there.items() if value} or each.decides
        yield MeaningAnswer(tuple(members), tuple(lines), (), expected)


class _Told:
    """The options that a reading has on offer at a moment, by ids, with the results to which each `comes`."""

    def __init__(self, game: Game, moment: AskedMoment, comes: Mapping[str, str]) -> None:
        self.comes = comes
        self._state = _state(game, moment)

    @property
    def decides(self) -> dict[str, Any]:
        """The decider at the moment, as a ruling asks for it."""
        return {"decides": decider_of(self._state)} if self._state is not None else {}

    def data(self, chosen: str) -> OptionData:
        """Return the data of an option on offer."""
        assert self._state is not None and self._state.decision is not None
        return self._state.decision.by_id(chosen).data

    def has(self, data: OptionData) -> bool:
        """Whether any option on offer says all that some data say: then no ruling can say that these are not."""
        return any(matches(data, self.data(one)) for one in self.comes)

    def facts(self, chosen: str) -> tuple[dict[str, Any], str]:
        """Return the facts behind an option, and who decides then; without facts, why there are none."""
        assert self._state is not None
        after = _after(self._state, chosen)
        return ({}, after) if isinstance(after, str) else (facts_of(after), decider_of(after))


def _outcome(chosen: str, here: _Told, there: Sequence[_Told]) -> tuple[list[str], dict[str, Any]]:
    """Return the lines about results of an option here and not everywhere, and the keys of a ruling that hold them."""
    (facts, decides), others = here.facts(chosen), [one.facts(chosen) for one in there]
    if not facts:
        return [decides], {}
    then = {key: value for key, value in facts.items() if any(other.get(key) != value for other, _ in others)}
    lines = [f"{key} becomes {shown(value)}" for key, value in then.items()]
    if any(other != decides for _, other in others) or not lines:
        lines.append(f"then {decides} decides")
    return lines, {"decides": decides, **({"then": then} if then else {})}


def _answer(game: Game, moment: AskedMoment) -> _Answer:
    """Return the options of a game at a moment, each with its outcome."""
    state = _state(game, moment)
    if state is None or state.decision is None:
        return ()
    comes = ((one.id, _after(state, one.id)) for one in state.decision.options)
    return tuple((chosen, after if isinstance(after, str) else f"{decider_of(after)} {facts_of(after)}")
                 for chosen, after in comes)  # fmt: skip


def _state(game: Game, moment: AskedMoment) -> State | None:
    """Return the state at a moment; None where the game does not come to it."""
    try:
        state = game.position(moment.position)
    except PositionError:
        return None
    state.silent = True
    return behind(state, moment.path)


def _after(state: State, chosen: str) -> State | str:
    assert state.decision is not None
    try:
        return state.clone().apply(state.decision.by_id(chosen))
    except EndlessError:
        return "this does not come to an end"


__all__ = ["AskedMoment", "MeaningAnswer", "MeaningQuestion", "MeaningSearch", "Meanings", "NearReading"]
