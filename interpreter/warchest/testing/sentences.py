"""The sentences of cards, and which of them had an effect, in single steps and in counted games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from warchest.ir.values import asks_nothing
from warchest.lowering.clause_counts import Counts
from warchest.lowering.code import AskAhead, Attempt, Branch, Fence, Finish, Jump
from warchest.lowering.program import Program
from warchest.source.text import Span

CONTROL = AskAhead | Attempt | Branch | Fence | Finish | Jump
"""The instructions that only control the flow: they occur with any sentences around them."""
ActedClause: TypeAlias = tuple[str, int, int]
"""The place of a clause: its file, where it begins and where it ends."""


@dataclass(frozen=True, slots=True)
class CardSentence:
    """A sentence of a card, or a part of one that has an effect by itself."""

    text: str
    file: str
    line: int
    start: int
    end: int

    def includes(self, acted: ActedClause) -> bool:
        """Whether a clause is the sentence, or a part of it."""
        return acted[0] == self.file and self.start <= acted[1] and acted[2] <= self.end


def acted_of(counts: Counts) -> Counter[ActedClause]:
    """Return how often clauses had an effect in counted games: were carried out, were true, or forbade an act."""
    times = ((span, one.done or one.held or one.forbade or one.tried_held) for span, one in counts.by_clause.items())
    return Counter({place_in(span): count for span, count in times if count})


def place_in(span: Span) -> ActedClause:
    """Return the place of a clause."""
    return span.path, span.start, span.end


def sentences_in(program: Program, files: Iterable[str]) -> list[CardSentence]:
    """Return the sentences in some files whose effects are counted in games, in the order of the files."""
    wanted = dict.fromkeys(files)
    found = [span for span in _counted(program) if span.path in wanted]
    found.sort(key=lambda one: (list(wanted).index(one.path), one.start, -one.end))
    whole = list[Span]()
    for span in found:
        if not (whole and whole[-1].path == span.path and span.end <= whole[-1].end):
            whole.append(span)
    return [CardSentence(one.one_line, one.path, one.line, one.start, one.end) for one in whole]


def _counted(program: Program) -> Iterator[Span]:
    """Yield the clauses that machines count."""
    for routine in program.routines.values():
        yield from (one.span for one in routine.instructions if one.span is not None and not isinstance(one, CONTROL))
    for bound in program.hooks:
        if not asks_nothing(bound.hook.condition):
            yield bound.hook.condition.span
    for act in program.acts:
        yield from (rule.span for rule in act.rules)
        for domain in (one for domains in act.domains for one in domains):
            if not asks_nothing(domain.applies):
                yield domain.applies.span
