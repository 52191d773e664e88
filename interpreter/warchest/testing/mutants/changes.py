"""Changes of sentences: each makes one slip that a writer or a reader of a card could make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

from warchest.source.records import names_of
from warchest.syntax import ast
from warchest.testing.mutants.adding import AddedWords
from warchest.testing.mutants.habits import Habits, placed
from warchest.testing.mutants.near import YOU

ChangeKind: TypeAlias = Literal[
    "number",
    "range",
    "condition",
    "negation",
    "word",
    "choice",
    "hook",
    "clause",
    "addition",
    "step",
    "repeat",
    "sentence",
]
"""The sorts of changes: `choice` makes an offer of an order and the other way round, `clause` leaves a phrase out, and
`addition` adds one.
"""
Changed: TypeAlias = tuple[ChangeKind, Any]
"""A change, and the part of a sentence that it leads to."""

KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
ChangeLabel = TypeVar("ChangeLabel")
_STAGES = ("before", "when", "after")
_EDGES = ("at the start of", "at the end of")
_LIMITS = ("exactly", "within")
_OPPOSITES = {
    "with": "without",
    "without": "with",
    "increases": "decreases",
    "decreases": "increases",
    "+": "-",
    "-": "+",
    "this": "it",
    "it": "this",
}
_COMPARED = {
    "at least": ("more than", "less than"),
    "more than": ("at least", "at most"),
    "at most": ("less than", "more than"),
    "less than": ("at most", "at least"),
}
"""For each comparison the one with the next number, and the opposite."""


class SentenceChanges:
    """Makes all changes of the sentences of a game, by the words that it has."""

    most: ClassVar[int] = 4
    """The most changes of a sentence that add words: the likeliest."""

    def __init__(self, habits: Habits) -> None:
        self.near, self._added = habits.near, AddedWords(habits)

    def of(self, sentence: ast.SyntaxNode, nouns: Sequence[ast.Word] = ()) -> Iterator[Changed]:
        """Yield all changes of a sentence; `nouns` are those of the things that it can refer to."""
        for kind, new in _within(sentence, self._own):
            # A sentence with `normally` is never an offer.
            if kind != "choice" or not isinstance(sentence, ast.Normally):
                yield kind, new
        slots = {id(node): slot for node, slot in placed(sentence)}
        added = _within(sentence, lambda node: self._added.to(node, slots[id(node)], nouns))
        likeliest = dict.fromkeys(new for _, new in sorted(added, key=lambda one: -one[0]))
        yield from (("addition", new) for new in list(likeliest)[: self.most])

    def _own(self, node: Any) -> Iterator[Changed]:
        match node:
            case ast.Count() | ast.Number():
                yield from _numbers(node)
            case ast.Phrase():
                yield from self._phrase(node)
            case ast.Away() | ast.Related() | ast.Comparison() | ast.Is() | ast.Whose() | ast.Requirement():
                yield from self._fact(node)
            case ast.AnyOf(conditions) | ast.AllOf(conditions):
                other = ast.AllOf if isinstance(node, ast.AnyOf) else ast.AnyOf
                yield "condition", other(conditions, span=node.span)
                yield from (("condition", _several(node, "conditions", left)) for left in _without_one(conditions))
            case ast.Total(signs):
                for index, sign in enumerate(signs):
                    if index:
                        yield "word", replace(node, signs=(*signs[:index], _OPPOSITES[sign], *signs[index + 1 :]))
            case ast.Pronoun(word) if word in _OPPOSITES:
                yield "word", replace(node, word=_OPPOSITES[word])
            case ast.Adjective(word):
                yield from (("word", replace(node, word=one)) for one in _instead(word, self.near.adjectives))
            case ast.RelativeClause():
                yield from self._verb(node)
            case ast.Arguments(_, roles):
                yield from (("clause", replace(node, roles=left)) for left in _without_one(roles))
            case _:
                yield from self._statement(node)

    def _phrase(self, node: ast.Phrase) -> Iterator[Changed]:
        """Change a phrase: its determiner, its adjectives, its noun, and its phrases of place."""
        for index, adjective in enumerate(node.adjectives):
            before, after = node.adjectives[:index], node.adjectives[index + 1 :]
            for one in _instead(adjective, self.near.adjectives):
                yield "word", replace(node, adjectives=(*before, one, *after))
            yield "clause", replace(node, adjectives=(*before, *after))
        yield from (("clause", replace(node, modifiers=left)) for left in _without_one(node.modifiers))
        if node.determiner in ("another", "each", "all"):
            yield "clause", replace(node, determiner="a")
        if isinstance(node.head, ast.Word):
            yield from (("word", replace(node, head=one)) for one in _instead(node.head, self.near.nouns))

    def _fact(self, node: object) -> Iterator[Changed]:
        """Change a fact about a thing."""
        match node:
            case ast.Away(limit):
                yield from (("range", replace(node, limit=one)) for one in (*_LIMITS, "") if one != limit)
            case ast.Related(preposition) if preposition in _OPPOSITES:
                yield "negation", replace(node, preposition=_OPPOSITES[preposition])
            case ast.Comparison(how):
                near, opposite = _COMPARED[how]
                yield "number", replace(node, how=near)
                yield "negation", replace(node, how=opposite)
            case ast.Is(ast.Phrase(determiner=("no" | "a" | "all" | "each") as said) as subject, False):
                turned = replace(subject, determiner="a" if said == "no" else "no")
                yield "negation", replace(node, subject=turned)
            case ast.Is() | ast.Whose() | ast.Requirement():
                yield "negation", replace(node, negated=not node.negated)

    def _verb(self, node: Any) -> Iterator[Changed]:
        """Replace the verb of a node by near verbs."""
        yield from (("word", replace(node, verb=one)) for one in _instead(node.verb, self.near.acts))

    def _statement(self, node: object) -> Iterator[Changed]:
        match node:
            case ast.StepSequence(steps):
                yield from (("step", _several(node, "steps", left)) for left in _without_one(steps))
            case ast.Sections(sections):
                yield from (("step", _several(node, "sections", left)) for left in _without_one(sections))
            case ast.Alternatives(options):
                yield from (("step", _several(node, "options", left)) for left in _without_one(options))
            case ast.Conditional(_, step, None):
                yield "condition", step
            case ast.Limited(_, step):
                yield "condition", step
            case ast.Limit(times, per):
                yield "number", replace(node, times=times + 1)
                yield "word", replace(node, per="round" if per == "turn" else "turn")
            case ast.Iteration(order=order) if order:
                yield "clause", replace(node, order="")
            case ast.Do() | ast.May() | ast.Cannot():
                yield from self._act(node)
            case ast.OfferedChange(change):
                yield "choice", change
            case ast.Changes(how=how) if how in _OPPOSITES:
                yield "word", replace(node, how=_OPPOSITES[how])
            case ast.DefineIs(condition=condition) if condition is not None:
                yield "negation", replace(node, negated=not node.negated)
            case ast.HookSentence() | ast.Guarded() | ast.Only():
                yield from self._rule(node)
            case ast.CanDo():
                yield "negation", replace(node, negated=not node.negated)
                yield from self._verbs(node)
            case ast.Happens() | ast.IsDone() | ast.Would() | ast.Holds():
                yield from self._verbs(node) if hasattr(node, "verbs") else self._verb(node)

    def _act(self, node: Any) -> Iterator[Changed]:
        """Change an order, an offer or a prohibition."""
        if isinstance(node, ast.Do):
            yield from self._verb(node)
            agent = ast.Pronoun(self.near.agent(node.verb.text), span=node.verb.span)
            yield "repeat", ast.StepSequence((node, node), span=node.span)
            yield "choice", ast.May(node.subject or agent, (node.verb,), node.arguments, node.adverbs, span=node.span)
        else:
            yield from self._verbs(node)
        if isinstance(node, ast.May):
            you = isinstance(node.subject, ast.Pronoun) and node.subject.word == YOU
            for verb in node.verbs:
                who = None if you and self.near.agent(verb.text) == YOU else node.subject
                yield "choice", ast.Do(who, verb, node.arguments, node.adverbs, span=node.span)
        for left in _without_one(getattr(node, "adverbs", ())):
            yield "clause", replace(node, adverbs=left)

    def _verbs(self, node: Any) -> Iterator[Changed]:
        """Change one of several verbs, or leave it out."""
        for index, verb in enumerate(node.verbs):
            for one in _instead(verb, self.near.acts):
                yield "word", replace(node, verbs=(*node.verbs[:index], one, *node.verbs[index + 1 :]))
        if len(node.verbs) > 1:
            yield from (("clause", replace(node, verbs=left)) for left in _without_one(node.verbs))

    def _rule(self, node: Any) -> Iterator[Changed]:
        """Change the stage of an answer, or the condition under which something holds."""
        if isinstance(node, ast.HookSentence):
            stages = _EDGES if isinstance(node.event, ast.Time) else _STAGES
            yield from (("hook", replace(node, stage=one)) for one in stages if one != node.stage)
            if node.instead:
                yield "hook", replace(node, instead=False)
            if node.condition is not None:
                yield "condition", replace(node, word="", condition=None)
        if isinstance(node, ast.Guarded):
            yield "condition", node.step
        if node.word:
            opposite = "if" if isinstance(node, ast.Guarded) and isinstance(node.step, ast.Do) else "while"
            yield "negation", replace(node, word=opposite if node.word == "unless" else "unless")


def _within(node: Any, own: Callable[[Any], Iterator[tuple[ChangeLabel, Any]]]) -> Iterator[tuple[ChangeLabel, Any]]:
    """Yield all changes of a part of a sentence, each with its label: first its `own`, then those of the parts in it."""
    yield from own(node)
    for name in names_of(type(node)):
        value: Any = getattr(node, name)
        if isinstance(value, ast.SyntaxNode):
            yield from ((label, _with(node, name, new)) for label, new in _within(value, own))
        for index, one in enumerate(value if isinstance(value, tuple) else ()):
            for label, new in _within(one, own) if isinstance(one, ast.SyntaxNode) else ():
                yield label, _with(node, name, (*value[:index], new, *value[index + 1 :]))


def _numbers(node: ast.Count | ast.Number) -> Iterator[Changed]:
    """Change a number, or one end of a range, by one."""
    if isinstance(node, ast.Number):
        yield from (("number", replace(node, value=one)) for one in (node.value - 1, node.value + 1) if one >= 0)
        return
    low, high = node.low, node.high
    ends = [(one, one) for one in (low - 1, low + 1)]
    if low < high:
        ends = [(low - 1, high), (low + 1, high), (low, high - 1), (low, high + 1)]
    yield from (("number", replace(node, low=one, high=other)) for one, other in ends if one >= 0)


def _instead(word: ast.Word, near: Any) -> Iterator[ast.Word]:
    yield from (replace(word, text=one) for one in near(word.text))


def _without_one(parts: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield some parts with one of them left out, for each of them in turn."""
    yield from ((*parts[:index], *parts[index + 1 :]) for index in range(len(parts)))


def _several(node: object, name: str, left: tuple[object, ...]) -> object:
    """Return a node with the parts that are left in it, or the only part that is left."""
    return left[0] if len(left) == 1 else _with(node, name, left)


def _with(node: Any, name: str, value: Any) -> Any:
    return replace(node, **{name: value})
