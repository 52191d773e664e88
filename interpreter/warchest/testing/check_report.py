"""The report of a check: the findings of each law without duplicates, and the numbers of things that were checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path

from warchest.diagnostics.articles import many
from warchest.testing.budget import Budget
from warchest.testing.law_check import CheckTask, Finding, GameCheck, TaskOutcome
from warchest.testing.law_rulings import KnownFinding, source_of, write_finding
from warchest.testing.search import KitSearch
from warchest.testing.sentences import CardSentence, sentences_in

GRACE = 0.05
"""The share of the budget that may be used on top of it to shrink the last faults."""


@dataclass(slots=True)
class LawLine:
    """The findings of a law without duplicates, each with its file, and those known from earlier runs."""

    name: str
    says: str
    findings: list[tuple[Finding, str]] = field(default_factory=list)
    known: list[KnownFinding] = field(default_factory=list)

    @property
    def is_broken(self) -> bool:
        """Whether there is a fault."""
        return bool(self.findings) or any(one.still for one in self.known)

    def told(self, has_looked: bool) -> str:
        """Return the outcome in a word; `?` if nothing was checked."""
        return "FAIL" if self.is_broken else "ok" if has_looked else "?"


@dataclass(slots=True)
class CheckReport:
    """The portions that were done so far, and their results."""

    check: GameCheck
    cards: list[str]
    named: list[str]
    search: KitSearch[CheckTask, TaskOutcome]
    known: list[KnownFinding] = field(default_factory=list)
    outcomes: list[TaskOutcome] = field(default_factory=list)
    laws: list[LawLine] = field(default_factory=list)
    unwritten: OSError | None = None
    """The error that kept a finding from being written, if there was one; the others are in the report all the same."""

    def add(self, _: CheckTask, outcome: TaskOutcome) -> None:
        """Add the result of a portion."""
        self.outcomes.append(outcome)

    @property
    def is_broken(self) -> bool:
        """Whether any law is broken."""
        return any(one.is_broken for one in self.laws)

    @property
    def has_looked(self) -> bool:
        """Whether anything was checked."""
        return any(one.positions or one.games for one in self.outcomes)

    def sort(self, folder: Path | None) -> None:
        """Sort the new findings by laws, and write them into a folder if there is one."""
        seen = {one.case.source for one in self.known if one.still}
        self.laws = [LawLine(one.name, one.says) for one in self.check.laws]
        # Which of the others with the same key were shrunk depends on the processes that have found them.
        found = (one for outcome in self.outcomes for one in outcome.findings)
        first = list({one.found_as: one for one in reversed(list(found))}.values())[::-1]
        for line in self.laws:
            line.known = [one for one in self.known if one.law == line.name]
            for finding in (one for one in first if one.fault.law == line.name):
                source = source_of(finding)
                if source not in seen:
                    seen.add(source)
                    line.findings.append((finding, self._written(finding, folder)))

    def _written(self, finding: Finding, folder: Path | None) -> str:
        """Write a finding into a folder, if there is one; return its file, or an empty text."""
        if folder is not None and self.unwritten is None:
            try:
                return str(write_finding(self.check.game, finding, folder, self.check.seed))
            except OSError as error:
                self.unwritten = error
        return ""

    # ---- counts

    def counts(self) -> dict[str, int]:
        """Return the numbers of pairs of cards, positions, options and games that were checked."""
        done = [one.task for one in self.outcomes]
        return {
            "portions": self.search.done,
            "left": self.search.left,
            "pairs": len({one.cards for one in done if len(one.cards) == 2}),
            "triples": len({one.cards for one in done if len(one.cards) > 2}),
            "positions": sum(one.positions for one in self.outcomes),
            "options": sum(one.options for one in self.outcomes),
            "games": sum(one.games for one in self.outcomes),
            "fewest_games_of_a_pair": self._fewest(),
            "unfinished": sum(one.unfinished for one in self.outcomes),
            "played_on": sum(one.played_on for one in self.outcomes),
        }

    def totals(self) -> Iterator[str]:
        """Yield the counts in words: of cards together, of positions, and of games."""
        counts = self.counts()
        yield f"{many(counts['pairs'], 'pair')} as friend and as foe, {many(counts['triples'], 'triple')}"
        games = f"{many(counts['games'], 'game')} ({counts['unfinished']:,} given up)"
        least = f", at least {counts['fewest_games_of_a_pair']} for each pair" if counts["pairs"] else ""
        further = f"{many(counts['played_on'], 'time')} played on from there"
        looked = f"{many(counts['positions'], 'position')}, {many(counts['options'], 'option')}"
        yield f"{looked}, {further}; {games}{least}"

    def _fewest(self) -> int:
        games = [one.games for one in self.outcomes if len(one.task.cards) == 2]
        return min(games, default=0)

    def sentences(self) -> list[CardSentence]:
        """Return the sentences to observe: those of the cards, and of the documents that their sheets name."""
        cards = dict.fromkeys([*self.named, *self.cards])
        names = {*cards, *(() if self.named and not set(self.named) & set(self.cards) else self.check.borne_by(cards))}
        files = [one.span.path for one in self.check.documents_of(names)]
        return sentences_in(self.check.game.variant(self.check.options or None).program, files)

    def silent(self) -> list[CardSentence]:
        """Return the sentences that were never seen to act."""
        acted = {one for outcome in self.outcomes for one in outcome.acted}
        return [one for one in self.sentences() if not any(map(one.includes, acted))]

    def notes(self) -> dict[str, int]:
        """Return the reasons why something could not be checked, each with its number of portions."""
        found = dict[str, int]()
        for one in self.outcomes:
            if one.note:
                found[one.note] = found.get(one.note, 0) + 1
        return found


def portions_of(
    check: GameCheck, tasks: Sequence[CheckTask], budget: Budget, begin: int = 0
) -> KitSearch[CheckTask, TaskOutcome]:
    """Return the search that does portions of a check; findings in an interrupted portion count, too."""
    check.prepare()
    look = partial(check.look, until=budget.deadline, most=budget.deadline + GRACE * budget.seconds)
    return KitSearch(tasks, look, replace(budget, seconds=inf), begin, ends=lambda one: not one.whole)
