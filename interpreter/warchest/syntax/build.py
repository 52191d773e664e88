"""From the parser's reductions to the typed tree: one method for each alternative of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Transformer, v_args

from warchest.source.text import Source, Span
from warchest.syntax import ast

_ONE_AND_ALL = {"one of": "a", "each of": "each", "any of": "any", "all of": "all", "none of": "no"}
"""The words before `your units`, each with the determiner that says the same before `unit of you`."""


def _many(children: list[Any], kind: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _one(children: list[Any], kind: type | tuple[type, ...]) -> Any:
    return next((child for child in children if isinstance(child, kind)), None)


class Builder(Transformer[Token, ast.Sentence]):
    """Builds nodes while the parser runs; `source` is set before each sentence."""

    source: Source

    def __init__(self) -> None:
        super().__init__()
        # Lark wraps a method anew whenever it is looked up in the class; in the instance it is found ready.
        for name in vars(Builder):
            method = getattr(self, name)
            if hasattr(method, "visit_wrapper"):
                setattr(self, name, method)

    def _span(self, meta: Any) -> Span:
        return Span(self.source, meta.start_pos, meta.end_pos)

    def _word(self, token: Token) -> ast.Word:
        return ast.Word(str(token), span=self._token_span(token))

    def _token_span(self, token: Token) -> Span:
        assert token.start_pos is not None and token.end_pos is not None
        return Span(self.source, token.start_pos, token.end_pos)

    def NOUN(self, token: Token) -> ast.Word:  # noqa: N802 - named after the grammar's terminals
        return self._word(token)

    ADJ = VERB = VERBS = VERBED = NOUN

    def NAME(self, token: Token) -> ast.Name:  # noqa: N802
        return ast.Name(str(token), span=self._token_span(token))

    NAMES = NAME

    def PARAMETER(self, token: Token) -> ast.Parameter:  # noqa: N802
        return ast.Parameter(str(token), span=self._token_span(token))

    def NUMBER(self, token: Token) -> ast.Number:  # noqa: N802
        return ast.Number(int(token), span=self._token_span(token))

    def SPAN(self, token: Token) -> ast.Count:  # noqa: N802
        low, high = str(token).split("-")
        return ast.Count(int(low), int(high), span=self._token_span(token))

    def start(self, children: list[Any]) -> Any:
        return children[0]

    # ---- small pieces that carry one word

    def _text(self, children: list[Any]) -> str:
        return str(children[0])

    order = change_word = stage = guard_word = compare = sign = preposition = role = adverb = some_of = _text

    def determiner(self, children: list[Any]) -> str:
        word = str(children[0])
        return "a" if word == "an" else word

    def negation(self, children: list[Any]) -> bool:
        return True

    def instead(self, children: list[Any]) -> bool:
        return True

    def acts(self, children: list[Any]) -> tuple[tuple[ast.Word, ...], ast.Arguments]:
        return _many(children, ast.Word), children[-1]

    def verb(self, children: list[Any]) -> ast.Word:
        word: ast.Word = children[0]
        return word

    def _children(self, children: list[Any]) -> list[Any]:
        return children

    act = conditional = tail = guard = _children

    # ---- things and places

    @v_args(meta=True)
    def count(self, meta: Any, children: list[Any]) -> ast.Count:
        child = children[0]
        if isinstance(child, ast.Count):
            return child
        return ast.Count(child.value, child.value, span=self._span(meta))

    @v_args(meta=True)
    def pronoun(self, meta: Any, children: list[Any]) -> ast.Pronoun:
        return ast.Pronoun(str(children[0]), span=self._span(meta))

    def name(self, children: list[Any]) -> ast.Name:
        name: ast.Name = children[0]
        return name

    @v_args(meta=True)
    def phrase(self, meta: Any, children: list[Any]) -> ast.Phrase:
        return self._phrase(meta, str(children[0]), children[1:])

    @v_args(meta=True)
    def bare(self, meta: Any, children: list[Any]) -> ast.Phrase:
        return self._phrase(meta, "", children)

    bare_count = bare

    @v_args(meta=True)
    def closed_phrase(self, meta: Any, children: list[Any]) -> ast.Phrase:
        return self._phrase(meta, str(children[0]), [*children[1:], ()])

    @v_args(meta=True)
    def some_of_those(self, meta: Any, children: list[Any]) -> ast.Phrase:
        some, *members = children
        return self._some_of(meta, _ONE_AND_ALL[some], members)

    def _some_of(self, meta: Any, determiner: str, members: list[Any]) -> ast.Phrase:
        """Return the phrase for `one of your units`, which is short for `a unit of you`."""
        possessive, *front, head, modifiers = members
        span = self._token_span(possessive)
        whose = ast.Pronoun("you" if possessive == "your" else "it", span=span)
        of = ast.Related("of", whose, span=span)
        return self._phrase(meta, determiner, [*front, head, [of, *modifiers]])

    def _phrase(self, meta: Any, determiner: str, children: list[Any]) -> ast.Phrase:
        *front, head, modifiers = children
        count = _one(front, ast.Count)
        return ast.Phrase(
            determiner, count, _many(front, ast.Word), head, tuple(modifiers), span=self._span(meta)
        )

    def noun_phrase(self, children: list[Any]) -> Any:
        return children[0]

    def range(self, children: list[Any]) -> tuple[str, ast.Count | ast.Parameter, ast.Word]:
        *limit, count, unit = children
        return (str(limit[0]) if limit else ""), count, unit

    @v_args(meta=True)
    def away(self, meta: Any, children: list[Any]) -> ast.Away:
        limit, count, unit = children[0]
        return ast.Away(limit, count, unit, None, span=self._span(meta))

    @v_args(meta=True)
    def away_from(self, meta: Any, children: list[Any]) -> ast.Away:
        limit, count, unit = children[0]
        return ast.Away(limit, count, unit, children[1], span=self._span(meta))

    @v_args(meta=True)
    def related(self, meta: Any, children: list[Any]) -> ast.Related:
        return ast.Related(children[0], children[1], span=self._span(meta))

    @v_args(meta=True)
    def clause(self, meta: Any, children: list[Any]) -> ast.Clause:
        return ast.Clause(children[0], children[1], span=self._span(meta))

    @v_args(meta=True)
    def whose(self, meta: Any, children: list[Any]) -> ast.Whose:
        noun, negated, value = self._subject_value(children)
        return ast.Whose(noun, negated, value, span=self._span(meta))

    @v_args(meta=True)
    def in_line(self, meta: Any, children: list[Any]) -> ast.InLine:
        return ast.InLine(span=self._span(meta))

    @v_args(meta=True)
    def in_direction(self, meta: Any, children: list[Any]) -> ast.InDirection:
        return ast.InDirection(span=self._span(meta))

    # ---- values and conditions

    @v_args(meta=True)
    def adjective(self, meta: Any, children: list[Any]) -> ast.Adjective:
        return ast.Adjective(children[0], span=self._span(meta))

    @v_args(meta=True)
    def comparison(self, meta: Any, children: list[Any]) -> ast.Comparison:
        return ast.Comparison(children[0], children[1], span=self._span(meta))

    def number(self, children: list[Any]) -> ast.Number:
        number: ast.Number = children[0]
        return number

    def parameter(self, children: list[Any]) -> ast.Parameter:
        parameter: ast.Parameter = children[0]
        return parameter

    @v_args(meta=True)
    def total(self, meta: Any, children: list[Any]) -> Any:
        if len(children) == 1:
            return children[0]
        return ast.Total(("+", *children[1::2]), tuple(children[0::2]), span=self._span(meta))

    @v_args(meta=True)
    def argument(self, meta: Any, children: list[Any]) -> ast.Role:
        word, phrase = children
        return ast.Role(str(word), phrase, span=self._span(meta))

    @v_args(meta=True)
    def arguments(self, meta: Any, children: list[Any]) -> ast.Arguments:
        roles = _many(children, ast.Role)
        thing = children[0] if len(children) > len(roles) else None
        span = self._span(meta) if children else Span(self.source, 0, 0)
        return ast.Arguments(thing, roles, span=span)

    def _subject_value(self, children: list[Any]) -> tuple[Any, bool, Any]:
        return children[0], True in children[1:2], children[-1]

    @v_args(meta=True)
    def is_so(self, meta: Any, children: list[Any]) -> ast.Is:
        subject, negated, value = self._subject_value(children)
        return ast.Is(subject, negated, value, span=self._span(meta))

    @v_args(meta=True)
    def does_now(self, meta: Any, children: list[Any]) -> ast.Holds:
        return ast.Holds(*children, span=self._span(meta))

    @v_args(meta=True)
    def any_of(self, meta: Any, children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else ast.AnyOf(tuple(children), span=self._span(meta))

    @v_args(meta=True)
    def all_of(self, meta: Any, children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else ast.AllOf(tuple(children), span=self._span(meta))

    # ---- what happens

    @v_args(meta=True)
    def sequence(self, meta: Any, children: list[Any]) -> ast.Sequence:
        first, rest = children
        steps = rest.steps if isinstance(rest, ast.Sequence) else (rest,)
        return ast.Sequence((first, *steps), span=self._span(meta))

    @v_args(meta=True)
    def when_true(self, meta: Any, children: list[Any]) -> ast.If:
        return ast.If(*children, span=self._span(meta))

    @v_args(meta=True)
    def until(self, meta: Any, children: list[Any]) -> ast.Until:
        return ast.Until(*children, span=self._span(meta))

    @v_args(meta=True)
    def for_each(self, meta: Any, children: list[Any]) -> ast.ForEach:
        return self._for_each(meta, children, self._phrase)

    @v_args(meta=True)
    def for_each_of(self, meta: Any, children: list[Any]) -> ast.ForEach:
        return self._for_each(meta, children, self._some_of)

    def _for_each(self, meta: Any, children: list[Any], phrase: Callable[..., ast.Phrase]) -> ast.ForEach:
        *members, step = children
        order = members.pop() if isinstance(members[-1], str) else ""
        return ast.ForEach(phrase(meta, "each", members), order, step, span=self._span(meta))

    @v_args(meta=True)
    def otherwise(self, meta: Any, children: list[Any]) -> ast.Otherwise:
        return ast.Otherwise(children[0], span=self._span(meta))

    @v_args(meta=True)
    def either(self, meta: Any, children: list[Any]) -> ast.Either:
        return ast.Either(tuple(children), span=self._span(meta))

    @v_args(meta=True)
    def several(self, meta: Any, children: list[Any]) -> ast.Sequence:
        return ast.Sequence(tuple(children), span=self._span(meta))

    @v_args(meta=True)
    def order_given(self, meta: Any, children: list[Any]) -> ast.Do:
        (verb, arguments), *adverbs = children
        return ast.Do(None, verb, arguments, tuple(adverbs), span=self._span(meta))

    @v_args(meta=True)
    def does(self, meta: Any, children: list[Any]) -> ast.Do:
        subject, verb, arguments, *adverbs = children
        return ast.Do(subject, verb, arguments, tuple(adverbs), span=self._span(meta))

    @v_args(meta=True)
    def may(self, meta: Any, children: list[Any]) -> ast.May:
        subject, (verbs, arguments), *adverbs = children
        return ast.May(subject, verbs, arguments, tuple(adverbs), span=self._span(meta))

    @v_args(meta=True)
    def cannot_plain(self, meta: Any, children: list[Any]) -> ast.Cannot:
        verbs, arguments = children[-1]
        return ast.Cannot(children[0], verbs, arguments, span=self._span(meta))

    @v_args(meta=True)
    def becomes(self, meta: Any, children: list[Any]) -> ast.Becomes:
        return ast.Becomes(*children, span=self._span(meta))

    @v_args(meta=True)
    def prevails(self, meta: Any, children: list[Any]) -> ast.Prevails:
        return ast.Prevails(*children, span=self._span(meta))

    @v_args(meta=True)
    def raised(self, meta: Any, children: list[Any]) -> ast.Raise:
        return ast.Raise(*children, span=self._span(meta))

    @v_args(meta=True)
    def has(self, meta: Any, children: list[Any]) -> ast.Has:
        return ast.Has(*children, span=self._span(meta))

    def duration(self, children: list[Any]) -> Any:
        return children[0] if children else None

    @v_args(meta=True)
    def let(self, meta: Any, children: list[Any]) -> ast.Let:
        return ast.Let(*children, span=self._span(meta))

    @v_args(meta=True)
    def must(self, meta: Any, children: list[Any]) -> ast.Must:
        subject, negated, value = self._subject_value(children)
        return ast.Must(subject, negated, value, span=self._span(meta))

    @v_args(meta=True)
    def changes(self, meta: Any, children: list[Any]) -> ast.Changes:
        subject, how, *amount = children
        return ast.Changes(subject, how, amount[0] if amount else None, span=self._span(meta))

    # ---- definitions, hooks and rules

    @v_args(meta=True)
    def define_verb(self, meta: Any, children: list[Any]) -> ast.DefineVerb:
        return ast.DefineVerb(*children, span=self._span(meta))

    @v_args(meta=True)
    def define_is(self, meta: Any, children: list[Any]) -> ast.DefineIs:
        condition = children.pop()[0] if isinstance(children[-1], list) else None
        subject, negated, value = self._subject_value(children)
        return ast.DefineIs(subject, negated, value, condition, span=self._span(meta))

    @v_args(meta=True)
    def define_does(self, meta: Any, children: list[Any]) -> ast.DefineHolds:
        return ast.DefineHolds(*children, span=self._span(meta))

    @v_args(meta=True)
    def hook(self, meta: Any, children: list[Any]) -> ast.Hook:
        word, condition = children.pop(2) if isinstance(children[2], list) else ("", None)
        stage, event, step, *instead = children
        return ast.Hook(stage, event, step, bool(instead), word, condition, span=self._span(meta))

    @v_args(meta=True)
    def would(self, meta: Any, children: list[Any]) -> ast.Would:
        subject, (verb, arguments) = children
        return ast.Would(subject, verb, arguments, span=self._span(meta))

    @v_args(meta=True)
    def happens(self, meta: Any, children: list[Any]) -> ast.Happens:
        subject, *verbs, arguments = children
        return ast.Happens(subject, _many(verbs, ast.Word), arguments, span=self._span(meta))

    @v_args(meta=True)
    def is_done(self, meta: Any, children: list[Any]) -> ast.IsDone:
        subject, *verbs, arguments = children
        return ast.IsDone(subject, _many(verbs, ast.Word), arguments, span=self._span(meta))

    @v_args(meta=True)
    def turns(self, meta: Any, children: list[Any]) -> ast.Turns:
        return ast.Turns(*children, span=self._span(meta))

    @v_args(meta=True)
    def normally(self, meta: Any, children: list[Any]) -> ast.Normally:
        return ast.Normally(children[0], span=self._span(meta))

    @v_args(meta=True)
    def guarded(self, meta: Any, children: list[Any]) -> ast.Guarded:
        step, (word, condition) = children
        return ast.Guarded(step, word, condition, span=self._span(meta))

    @v_args(meta=True)
    def only(self, meta: Any, children: list[Any]) -> ast.Only:
        subject, verb, arguments, limit = children
        return self._only(meta, subject, verb, arguments, limit)

    @v_args(meta=True)
    def only_order(self, meta: Any, children: list[Any]) -> ast.Only:
        (verb, arguments), limit = children
        return self._only(meta, None, verb, arguments, limit)

    def _only(self, meta: Any, subject: Any, verb: Any, arguments: Any, limit: Any) -> ast.Only:
        by = None if isinstance(limit, list) else limit
        word, condition = limit if isinstance(limit, list) else ("", None)
        return ast.Only(subject, verb, arguments, by, word, condition, span=self._span(meta))
