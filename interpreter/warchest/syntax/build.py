"""From the parser's reductions to the typed tree: one method for each alternative of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.automaton import Build, Extent, Token
from warchest.syntax.words import Vocabulary

_ONE_AND_ALL = {"one of": "a", "each of": "each", "any of": "any", "all of": "all", "none of": "no"}
"""The words before `your units`, each with the determiner that says the same before `unit of you`."""


_Method = TypeVar("_Method", bound=Callable[..., Any])
_IS_PLACED = "is_placed"
"""The mark of the methods that are told where their nodes stand."""


def _many(children: list[Any], kind: type) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _one(children: list[Any], kind: type | tuple[type, ...]) -> Any:
    return next((child for child in children if isinstance(child, kind)), None)


def _placed(method: _Method) -> _Method:
    """Mark a method that asks where its node stands."""
    setattr(method, _IS_PLACED, True)
    return method


class Builder:
    """Builds nodes while the parser runs; `source` and `vocabulary` are set before each sentence."""

    source: Source
    vocabulary: Vocabulary

    def of(self, name: str) -> Build | None:
        """Return the method that builds nodes of a production; None where its children stand for themselves."""
        method: Any = getattr(self, name, None)
        if method is None or getattr(method, _IS_PLACED, False):
            return method  # type: ignore[no-any-return]
        return lambda extent, children: method(children)

    def token(self, terminal: str) -> Callable[[Token], Any] | None:
        """Return the method that makes a node of a token with this terminal; None where it stays as it is."""
        method: Callable[[Token], Any] | None = getattr(self, terminal, None)
        return method

    def _span(self, meta: Extent) -> Span:
        return Span(self.source, meta.start_pos, meta.end_pos)

    def _word(self, token: Token) -> ast.Word:
        return ast.Word(str(token), span=self._token_span(token))

    def _token_span(self, token: Token) -> Span:
        return Span(self.source, token.start_pos, token.end_pos)

    def NOUN(self, token: Token) -> ast.Word:  # noqa: N802 - named after the grammar's terminals
        word = self._word(token)
        written = " ".join(word.span.text.split())
        return replace(word, in_plural=True) if self.vocabulary.in_plural(word.text, written) else word

    def VERB(self, token: Token) -> ast.Word:  # noqa: N802
        return self._word(token)

    ADJ = VERBS = VERBED = VERB

    def UNTIL_ALL(self, token: Token) -> ast.AllPass:  # noqa: N802
        return ast.AllPass("decline" if "decline" in token else "pass", span=self._token_span(token))

    def NAME(self, token: Token) -> ast.Name:  # noqa: N802
        return ast.Name(str(token), span=self._token_span(token))

    NAMES = NAME

    def PARAMETER(self, token: Token) -> ast.Letter:  # noqa: N802
        return ast.Letter(str(token), span=self._token_span(token))

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

    order = change_word = stage = guard_word = compare = sign = preposition = beyond = role = some_of = _text
    able = may_change_word = _text
    frequency = _text

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

    act = conditional = guard = _children

    def tail(self, children: list[Any]) -> list[Any]:
        return [one for child in children for one in (child if isinstance(child, tuple) else (child,))]

    doing = tail

    # ---- things and places

    @_placed
    def count(self, meta: Extent, children: list[Any]) -> ast.Count:
        child = children[0]
        if isinstance(child, ast.Count):
            return child
        return ast.Count(child.value, child.value, span=self._span(meta))

    @_placed
    def pronoun(self, meta: Extent, children: list[Any]) -> ast.Pronoun:
        return ast.Pronoun(str(children[0]), span=self._span(meta))

    def name(self, children: list[Any]) -> ast.Name:
        name: ast.Name = children[0]
        return name

    @_placed
    def phrase(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        return self._phrase(meta, str(children[0]), children[1:])

    @_placed
    def bare(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        return self._phrase(meta, "", children)

    bare_count = bare

    @_placed
    def closed_phrase(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        determiner = "its" if children[0] == "their" else str(children[0])
        return self._phrase(meta, determiner, [*children[1:], ()])

    @_placed
    def possessed(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        """Return the phrase for `that unit's owner`, which is short for `the owner of that unit`."""
        whose, *front = children
        of = ast.Related("of", whose, span=whose.span)
        return self._phrase(meta, "the", [*front, [of]])

    @_placed
    def plain_phrase(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        return self._phrase(meta, str(children[0]), [*children[1:], ()])

    @_placed
    def some_of_those(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        some, *members = children
        return self._some_of(meta, _ONE_AND_ALL[some], members)

    @_placed
    def all_of_those(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        """Return the phrase for `all your units`, which is short for `all of your units`."""
        all_of, *members = children
        whose = str(all_of).split()[-1]
        possessive = Token.of("POSSESSIVE", whose, all_of.end_pos - len(whose), all_of.end_pos)
        return self._some_of(meta, "all", [possessive, *members])

    def _some_of(self, meta: Extent, determiner: str, members: list[Any]) -> ast.Phrase:
        """Return the phrase for `one of your units`, which is short for `a unit of you`."""
        possessive, *front, head, modifiers = members
        span = self._token_span(possessive)
        whose = ast.Pronoun("you" if possessive == "your" else "it", span=span)
        of = ast.Related("of", whose, span=span)
        return self._phrase(meta, determiner, [*front, head, [of, *modifiers]])

    def _phrase(self, meta: Extent, determiner: str, children: list[Any]) -> ast.Phrase:
        *front, head, modifiers = children
        count, adjectives = _one(front, ast.Count), _many(front, ast.Word)
        if determiner == "a" and count is None and adjectives and adjectives[0].text == "other":
            determiner, adjectives = "another", adjectives[1:]
        return ast.Phrase(determiner, count, adjectives, head, tuple(modifiers), span=self._span(meta))

    def noun_phrase(self, children: list[Any]) -> Any:
        return children[0]

    def range(self, children: list[Any]) -> tuple[str, ast.Count | ast.Letter, ast.Word]:
        *limit, count, unit = children
        return (str(limit[0]) if limit else ""), count, unit

    @_placed
    def away(self, meta: Extent, children: list[Any]) -> ast.Away:
        limit, count, unit = children[0]
        return ast.Away(limit, count, unit, None, span=self._span(meta))

    @_placed
    def within(self, meta: Extent, children: list[Any]) -> ast.Away:
        return replace(self.away(meta, children), bare=True)

    @_placed
    def away_from(self, meta: Extent, children: list[Any]) -> ast.Away:
        limit, count, unit = children[0]
        return ast.Away(limit, count, unit, children[1], span=self._span(meta))

    @_placed
    def related(self, meta: Extent, children: list[Any]) -> ast.Related:
        return ast.Related(children[0], children[1], span=self._span(meta))

    @_placed
    def clause(self, meta: Extent, children: list[Any]) -> ast.RelativeClause:
        return ast.RelativeClause(children[0], children[1], span=self._span(meta))

    @_placed
    def whose(self, meta: Extent, children: list[Any]) -> ast.Whose:
        noun, negated, value = self._subject_value(children)
        return ast.Whose(noun, negated, value, span=self._span(meta))

    @_placed
    def that_is(self, meta: Extent, children: list[Any]) -> ast.ThatIs:
        _, negated, value = self._subject_value(children)
        return ast.ThatIs(negated, value, span=self._span(meta))

    @_placed
    def that_does(self, meta: Extent, children: list[Any]) -> ast.ThatDoes:
        return ast.ThatDoes(_many(children, ast.Word), children[-1], span=self._span(meta))

    @_placed
    def in_line(self, meta: Extent, children: list[Any]) -> ast.InLine:
        return ast.InLine(span=self._span(meta))

    @_placed
    def away_in_line(self, meta: Extent, children: list[Any]) -> tuple[ast.Modifier, ...]:
        return self.away(meta, children), self.in_line(meta, [])

    @_placed
    def in_sight(self, meta: Extent, children: list[Any]) -> tuple[ast.Modifier, ...]:
        span = self._span(meta)
        open_ = ast.Word(self.vocabulary.sight, span=span)
        clear = ast.Phrase("", None, (open_,), ast.Word("space", span=span), (), span=span)
        return ast.InLine(span=span), ast.Related("through", clear, span=span)

    @_placed
    def away_in_sight(self, meta: Extent, children: list[Any]) -> tuple[ast.Modifier, ...]:
        return self.away(meta, children), *self.in_sight(meta, [])

    @_placed
    def heading(self, meta: Extent, children: list[Any]) -> ast.Related:
        return ast.Related("in", children[0], span=self._span(meta))

    @_placed
    def somewhere(self, meta: Extent, children: list[Any]) -> ast.Somewhere:
        away: ast.Away = self.away(meta, children)
        return ast.Somewhere((away, *_many(self.tail(children[1:]), ast.SyntaxNode)), span=self._span(meta))

    @_placed
    def passing(self, meta: Extent, children: list[Any]) -> ast.Related:
        return ast.Related("through", children[0], span=self._span(meta))

    @_placed
    def that_way(self, meta: Extent, children: list[Any]) -> ast.Related:
        span = self._span(meta)
        that = ast.Phrase("that", None, (), ast.Word("direction", span=span), (), span=span)
        return ast.Related("in", that, span=span)

    @_placed
    def in_direction(self, meta: Extent, children: list[Any]) -> ast.InDirection:
        return ast.InDirection(span=self._span(meta))

    @_placed
    def in_that_line(self, meta: Extent, children: list[Any]) -> ast.InDirection:
        return ast.InDirection(of_line=True, span=self._span(meta))

    # ---- values and conditions

    @_placed
    def adjective(self, meta: Extent, children: list[Any]) -> ast.Adjective:
        return ast.Adjective(children[0], span=self._span(meta))

    @_placed
    def comparison(self, meta: Extent, children: list[Any]) -> ast.Comparison:
        return ast.Comparison(children[0], children[1], span=self._span(meta))

    def number(self, children: list[Any]) -> ast.Number:
        number: ast.Number = children[0]
        return number

    def parameter(self, children: list[Any]) -> ast.Letter:
        parameter: ast.Letter = children[0]
        return parameter

    @_placed
    def total(self, meta: Extent, children: list[Any]) -> Any:
        if len(children) == 1:
            return children[0]
        return ast.Total(("+", *children[1::2]), tuple(children[0::2]), span=self._span(meta))

    @_placed
    def argument(self, meta: Extent, children: list[Any]) -> ast.RolePhrase:
        word, phrase = children
        return ast.RolePhrase(str(word), phrase, span=self._span(meta))

    @_placed
    def amount(self, meta: Extent, children: list[Any]) -> ast.Amount:
        noun, value = sorted(children, key=lambda one: not isinstance(one, ast.Word))
        return ast.Amount(noun, value, span=self._span(meta))

    @_placed
    def arguments(self, meta: Extent, children: list[Any]) -> ast.Arguments:
        roles = _many(children, ast.RolePhrase)
        thing = children[0] if len(children) > len(roles) else None
        span = self._span(meta) if children else Span(self.source, 0, 0)
        if isinstance(thing, ast.Amount):
            return ast.Arguments(None, roles, thing, span=span)
        return ast.Arguments(thing, roles, span=span)

    def _subject_value(self, children: list[Any]) -> tuple[Any, bool, Any]:
        return children[0], True in children[1:2], children[-1]

    @_placed
    def is_so(self, meta: Extent, children: list[Any]) -> ast.Is:
        subject, negated, value = self._subject_value(children)
        return ast.Is(subject, negated, value, span=self._span(meta))

    @_placed
    def so_many(self, meta: Extent, children: list[Any]) -> ast.Is:
        return self._so_many(meta, children, self._phrase)

    @_placed
    def so_many_of(self, meta: Extent, children: list[Any]) -> ast.Is:
        return self._so_many(meta, children, self._some_of)

    def _so_many(self, meta: Extent, children: list[Any], phrase: Callable[..., ast.Phrase]) -> ast.Is:
        """Return that so many things are so: `at least 2 units are on it` is short for what is said of their number."""
        how, (count, *members, value) = "at least", children
        if not isinstance(count, ast.Count):
            how, (count, *members, value) = str(count), [*members, value]
        number = ast.Number(count.high, span=count.span)
        things, span = phrase(meta, "", members), self._span(meta)
        match value:
            case ast.Adjective(word):
                things = replace(things, adjectives=(*things.adjectives, word))
            case ast.Related() | ast.Away():
                things = replace(things, modifiers=(*things.modifiers, value))
            case ast.Phrase("", None, adjectives, head, ()) if head == things.head or isinstance(head, ast.Name):
                things = replace(things, adjectives=(*things.adjectives, *adjectives), head=head)
            case ast.Phrase(""):
                said = replace(value, determiner="a")
                things = replace(things, modifiers=(*things.modifiers, ast.ThatIs(False, said, span=value.span)))
            case _:
                things = replace(things, modifiers=(*things.modifiers, ast.ThatIs(False, value, span=value.span)))
        of = ast.Related("of", things, span=things.span)
        amount = ast.Phrase("the", None, (), ast.Word("number", span=span), (of,), span=span)
        return ast.Is(amount, False, ast.Comparison(how, number, span=number.span), span=span)

    @_placed
    def does_now(self, meta: Extent, children: list[Any]) -> ast.Holds:
        subject, *verbs, arguments = children
        return ast.Holds(subject, _many(verbs, ast.Word), arguments, span=self._span(meta))

    @_placed
    def can_do(self, meta: Extent, children: list[Any]) -> ast.CanDo:
        subject, word, (verbs, arguments) = children
        return ast.CanDo(subject, word == "cannot", verbs, arguments, span=self._span(meta))

    @_placed
    def any_of(self, meta: Extent, children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else ast.AnyOf(tuple(children), span=self._span(meta))

    @_placed
    def all_of(self, meta: Extent, children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else ast.AllOf(tuple(children), span=self._span(meta))

    # ---- steps

    @_placed
    def sequence(self, meta: Extent, children: list[Any]) -> ast.StepSequence:
        first, rest = children
        steps = rest.steps if isinstance(rest, ast.StepSequence) else (rest,)
        return ast.StepSequence((first, *steps), span=self._span(meta))

    @_placed
    def sections(self, meta: Extent, children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else ast.Sections(tuple(children), span=self._span(meta))

    @_placed
    def when_true(self, meta: Extent, children: list[Any]) -> ast.Conditional:
        return ast.Conditional(*children, span=self._span(meta))

    @_placed
    def until(self, meta: Extent, children: list[Any]) -> ast.Repetition:
        return ast.Repetition(*children, span=self._span(meta))

    @_placed
    def for_each(self, meta: Extent, children: list[Any]) -> ast.Iteration:
        return self._for_each(meta, children, self._phrase)

    @_placed
    def for_each_of(self, meta: Extent, children: list[Any]) -> ast.Iteration:
        return self._for_each(meta, children, self._some_of)

    def _for_each(self, meta: Extent, children: list[Any], phrase: Callable[..., ast.Phrase]) -> ast.Iteration:
        *members, step = children
        order = members.pop() if isinstance(members[-1], str) else ""
        return ast.Iteration(phrase(meta, "each", members), order, step, span=self._span(meta))

    @_placed
    def otherwise(self, meta: Extent, children: list[Any]) -> ast.Otherwise:
        return ast.Otherwise(children[0], span=self._span(meta))

    @_placed
    def either(self, meta: Extent, children: list[Any]) -> ast.Alternatives:
        return ast.Alternatives(tuple(children), span=self._span(meta))

    @_placed
    def several(self, meta: Extent, children: list[Any]) -> ast.StepSequence:
        return ast.StepSequence(tuple(children), span=self._span(meta))

    @_placed
    def order_given(self, meta: Extent, children: list[Any]) -> Any:
        (verb, arguments), *adverbs = children
        return self._often(ast.Do(None, verb, arguments, _many(adverbs, str), span=self._span(meta)), adverbs)

    @_placed
    def given_in_a_number(self, meta: Extent, children: list[Any]) -> ast.Do:
        verb, thing, *roles = children
        said = ast.Arguments(thing, tuple(roles), span=thing.span.to(roles[-1].span) if roles else thing.span)
        return ast.Do(None, verb, said, (), span=self._span(meta))

    @_placed
    def lettered(self, meta: Extent, children: list[Any]) -> ast.Phrase:
        letter, *rest = children
        return self._phrase(meta, "", [ast.Count(0, 0, letter, span=letter.span), *rest])

    @_placed
    def does(self, meta: Extent, children: list[Any]) -> Any:
        subject, verb, arguments, *adverbs = children
        return self._often(ast.Do(subject, verb, arguments, _many(adverbs, str), span=self._span(meta)), adverbs)

    @_placed
    def may(self, meta: Extent, children: list[Any]) -> Any:
        subject, (verbs, arguments), *adverbs = children
        return self._often(ast.May(subject, verbs, arguments, _many(adverbs, str), span=self._span(meta)), adverbs)

    def _often(self, step: ast.Do | ast.May, adverbs: list[Any]) -> Any:
        """Return a step within the limits that are said behind it."""
        limited: Any = step
        for limit in _many(adverbs, ast.Limit):
            limited = ast.Limited(limit, limited, span=step.span)
        return limited

    def adverb(self, children: list[Any]) -> Any:
        return children[0] if isinstance(children[0], ast.Limit) else str(children[0])

    # ---- how often

    @_placed
    def limit(self, meta: Extent, children: list[Any]) -> ast.Limit:
        *times, (per, of_players) = children
        number = next((one.value for one in times if isinstance(one, ast.Number)), 2 if times[0] == "twice" else 1)
        return ast.Limit(number, per, of_players, span=self._span(meta))

    def per_game(self, children: list[Any]) -> tuple[str, bool]:
        return "game", len(children) > 1

    def per_round(self, children: list[Any]) -> tuple[str, bool]:
        return "round", len(children) > 1

    def per_turn(self, children: list[Any]) -> tuple[str, bool]:
        return "turn", len(children) > 1

    def more(self, children: list[Any]) -> ast.Limit:
        limit: ast.Limit = children[-1]
        return limit

    def so_often(self, children: list[Any]) -> ast.Limit:
        """Return the limit below a forbidden number of times: `cannot attack twice a round` allows it once."""
        limit: ast.Limit = children[-1]
        return replace(limit, times=limit.times - 1)

    @_placed
    def limited(self, meta: Extent, children: list[Any]) -> ast.Limited | ast.Guarded:
        """Return steps with a limit; a condition behind the only one of them is asked before anything is counted."""
        limit, step = children
        if not isinstance(step, ast.Guarded):
            return ast.Limited(limit, step, span=self._span(meta))
        limited = ast.Limited(limit, step.step, span=limit.span.to(step.step.span))
        return replace(step, step=limited, span=self._span(meta))

    @_placed
    def hook_limited(self, meta: Extent, children: list[Any]) -> ast.HookSentence:
        limit: ast.Limit = children[0]
        hook: ast.HookSentence = children[1]
        return replace(hook, limit=limit, span=self._span(meta))

    @_placed
    def does_only(self, meta: Extent, children: list[Any]) -> ast.Cannot:
        subject, verb, arguments, limit = children
        return ast.Cannot(subject, (verb,), arguments, limit, span=self._span(meta))

    @_placed
    def may_more(self, meta: Extent, children: list[Any]) -> ast.Can:
        return self.can(meta, children)

    # ---- how long

    def next_one(self, children: list[Any]) -> tuple[str, bool]:
        text = str(children[0])
        return "round" if text.endswith("round") else "turn", text.startswith("your")

    rest_of_it = round_to_come = turn_of_yours = next_one

    @_placed
    def lasting(self, meta: Extent, children: list[Any]) -> ast.ComingTime:
        edge, which = str(children[0]), children[-1]
        if not isinstance(which, tuple):
            which = self.next_one([str(which).removeprefix("until ")])
        return self._coming(edge, which, self._span(meta))

    @_placed
    def this_long(self, meta: Extent, children: list[Any]) -> ast.ComingTime:
        return self._coming("until the end of", self.next_one(children), self._span(meta))

    def _coming(self, edge: str, which: tuple[str, bool], span: Span) -> ast.ComingTime:
        return ast.ComingTime("ends" if edge.endswith(("end of", "rest of")) else "starts", *which, span=span)

    @_placed
    def lasts(self, meta: Extent, children: list[Any]) -> ast.Lasting:
        return ast.Lasting(*children, span=self._span(meta))

    @_placed
    def cannot_until(self, meta: Extent, children: list[Any]) -> ast.Lasting:
        *said, until = children
        return ast.Lasting(until, self.cannot_plain(meta, said), span=self._span(meta))

    @_placed
    def can_until(self, meta: Extent, children: list[Any]) -> ast.Lasting:
        *said, until = children
        return ast.Lasting(until, self.can(meta, said), span=self._span(meta))

    @_placed
    def delayed(self, meta: Extent, children: list[Any]) -> ast.Delayed:
        edge, which, step = children
        return ast.Delayed(self._coming(str(edge), which, self._token_span(edge)), step, span=self._span(meta))

    @_placed
    def can_only(self, meta: Extent, children: list[Any]) -> ast.Cannot:
        subject, (verbs, arguments), limit = children
        if isinstance(subject, ast.Phrase) and subject.determiner == "each":
            subject = replace(subject, determiner="a")
        return ast.Cannot(subject, verbs, arguments, limit, span=self._span(meta))

    @_placed
    def may_beginning(self, meta: Extent, children: list[Any]) -> Any:
        subject, who, *rest = children
        first = ast.ComesFirst(who, span=who.span)
        return self.may(meta, [replace(subject, modifiers=(*subject.modifiers, first)), *rest])

    @_placed
    def window(self, meta: Extent, children: list[Any]) -> ast.Window:
        subject, (verbs, arguments), until, *first = children
        span = self._span(meta)
        end = span.start + len(self.source.text[span.start : until.span.start].rstrip())
        offer = ast.May(subject, verbs, arguments, (), span=self.source.span(span.start, end))
        return ast.Window(offer, until, next(iter(first), None), span=span)

    @_placed
    def window_beginning(self, meta: Extent, children: list[Any]) -> ast.Window:
        subject, who, acts, until = children
        return self.window(meta, [subject, acts, until, who])

    @_placed
    def cannot_plain(self, meta: Extent, children: list[Any]) -> ast.Cannot:
        subject, (verbs, arguments), *limit = children
        return ast.Cannot(subject, verbs, arguments, *limit, span=self._span(meta))

    @_placed
    def can(self, meta: Extent, children: list[Any]) -> ast.Can:
        subject, (verbs, arguments), *limit = children
        return ast.Can(subject, verbs, arguments, *limit, span=self._span(meta))

    @_placed
    def becomes(self, meta: Extent, children: list[Any]) -> ast.Becomes:
        return ast.Becomes(*children, span=self._span(meta))

    @_placed
    def prevails(self, meta: Extent, children: list[Any]) -> ast.Prevails:
        return ast.Prevails(*children, span=self._span(meta))

    @_placed
    def borne(self, meta: Extent, children: list[Any]) -> ast.Addition:
        return ast.Addition(None, *children, span=self._span(meta))

    @_placed
    def raised(self, meta: Extent, children: list[Any]) -> ast.Addition:
        return ast.Addition(*children, span=self._span(meta))

    @_placed
    def has(self, meta: Extent, children: list[Any]) -> ast.Has:
        return ast.Has(*children, span=self._span(meta))

    @_placed
    def may_become(self, meta: Extent, children: list[Any]) -> ast.OfferedChange:
        subject, value, *until = children
        span = self._span(meta)
        change = ast.Prevails(subject, value, *until, span=span) if until else ast.Becomes(subject, value, span=span)
        return ast.OfferedChange(change, span=span)

    @_placed
    def may_change(self, meta: Extent, children: list[Any]) -> ast.OfferedChange:
        change = replace(self.changes(meta, children), written="")
        return ast.OfferedChange(change, span=change.span)

    def change_by(self, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    def floor(self, children: list[Any]) -> ast.Number:
        least: ast.Number = children[-1]
        return least

    @_placed
    def budget(self, meta: Extent, children: list[Any]) -> tuple[ast.FirstPoints]:
        amount, (per, of_players) = children
        limit = ast.Limit(1, per, of_players, span=self._span(meta))
        return (ast.FirstPoints(amount, limit, span=limit.span),)

    @_placed
    def may_have(self, meta: Extent, children: list[Any]) -> ast.OfferedChange:
        change = ast.Has(*children, span=self._span(meta))
        return ast.OfferedChange(change, span=change.span)

    def duration(self, children: list[Any]) -> Any:
        return children[0] if children else None

    @_placed
    def stop(self, meta: Extent, children: list[Any]) -> ast.Ending:
        return ast.Ending(span=self._span(meta))

    @_placed
    def let(self, meta: Extent, children: list[Any]) -> ast.Let:
        return ast.Let(*children, span=self._span(meta))

    @_placed
    def must(self, meta: Extent, children: list[Any]) -> ast.Requirement:
        subject, negated, value = self._subject_value(children)
        return ast.Requirement(subject, negated, value, span=self._span(meta))

    @_placed
    def changes(self, meta: Extent, children: list[Any]) -> ast.Changes:
        subject, written, *by = children
        how = next(one for one, base in ast.OFFERED_CHANGES.items() if written in (one, base))
        change = ast.Changes(subject, how, *(by[0] if by else (None,)), span=self._span(meta))
        return replace(change, written=written)

    # ---- definitions, hooks and rules

    @_placed
    def define_verb(self, meta: Extent, children: list[Any]) -> ast.DefineVerb:
        return ast.DefineVerb(*children, span=self._span(meta))

    @_placed
    def define_moment(self, meta: Extent, children: list[Any]) -> ast.DefineVerb:
        act, verb, arguments, step = children
        return ast.DefineVerb(verb, arguments, step, act, span=self._span(meta))

    @_placed
    def define_is(self, meta: Extent, children: list[Any]) -> ast.DefineIs:
        condition = children.pop()[0] if isinstance(children[-1], list) else None
        subject, negated, value = self._subject_value(children)
        return ast.DefineIs(subject, negated, value, condition, span=self._span(meta))

    @_placed
    def define_does(self, meta: Extent, children: list[Any]) -> ast.DefineHolds:
        return ast.DefineHolds(*children, span=self._span(meta))

    @_placed
    def hook(self, meta: Extent, children: list[Any]) -> ast.HookSentence:
        return self._hook(meta, children)

    def _hook(self, meta: Extent, children: list[Any]) -> ast.HookSentence:
        word, condition = children.pop(2) if isinstance(children[2], list) else ("", None)
        stage, event, step, *instead = children
        return ast.HookSentence(stage, event, step, bool(instead), word, condition, span=self._span(meta))

    @_placed
    def hook_guarded(self, meta: Extent, children: list[Any]) -> ast.HookSentence:
        guard, stage, event, *rest = children
        return self._hook(meta, [stage, event, guard, *rest])

    @_placed
    def timed(self, meta: Extent, children: list[Any]) -> ast.HookSentence:
        edge, time, *guard, step = children
        word, condition = guard[0] if guard else ("", None)
        stage = "at the end of" if str(edge).endswith("end of") else "at the start of"
        return ast.HookSentence(stage, time, step, False, word, condition, span=self._span(meta))

    @_placed
    def round(self, meta: Extent, children: list[Any]) -> ast.Time:
        return ast.Time("round", None, span=self._span(meta))

    @_placed
    def each_turn(self, meta: Extent, children: list[Any]) -> ast.Time:
        return ast.Time("turn", None, span=self._span(meta))

    @_placed
    def your_turn(self, meta: Extent, children: list[Any]) -> ast.Time:
        span = self._span(meta)
        return ast.Time("turn", ast.Pronoun("you", span=span), span=span)

    @_placed
    def turn_of(self, meta: Extent, children: list[Any]) -> ast.Time:
        return ast.Time("turn", children[-1], span=self._span(meta))

    @_placed
    def would(self, meta: Extent, children: list[Any]) -> ast.Would:
        subject, (verb, arguments) = children
        return ast.Would(subject, verb, arguments, span=self._span(meta))

    @_placed
    def happens(self, meta: Extent, children: list[Any]) -> ast.Happens:
        subject, *verbs, arguments = children
        return ast.Happens(subject, _many(verbs, ast.Word), arguments, span=self._span(meta))

    @_placed
    def is_done(self, meta: Extent, children: list[Any]) -> ast.IsDone:
        subject, *verbs, arguments = children
        return ast.IsDone(subject, _many(verbs, ast.Word), arguments, span=self._span(meta))

    @_placed
    def turns(self, meta: Extent, children: list[Any]) -> ast.Turns:
        return ast.Turns(*children, span=self._span(meta))

    @_placed
    def normally(self, meta: Extent, children: list[Any]) -> ast.Normally:
        return ast.Normally(children[0], span=self._span(meta))

    @_placed
    def guarded(self, meta: Extent, children: list[Any]) -> ast.Guarded:
        step, (word, condition) = children
        return ast.Guarded(step, word, condition, span=self._span(meta))

    @_placed
    def guarded_if(self, meta: Extent, children: list[Any]) -> ast.Guarded:
        step, condition = children
        return ast.Guarded(step, "if", condition, span=self._span(meta))

    @_placed
    def guarded_before(self, meta: Extent, children: list[Any]) -> ast.Guarded:
        (word, condition), step = children
        return ast.Guarded(step, word, condition, span=self._span(meta))

    @_placed
    def only(self, meta: Extent, children: list[Any]) -> ast.Only:
        subject, verb, arguments, limit = children
        return self._only(meta, subject, verb, arguments, limit)

    @_placed
    def only_order(self, meta: Extent, children: list[Any]) -> ast.Only:
        (verb, arguments), limit = children
        return self._only(meta, None, verb, arguments, limit)

    # ---- properties

    @_placed
    def of_each(self, meta: Extent, children: list[Any]) -> ast.OfEach:
        *members, asserted = children
        return ast.OfEach(self._phrase(meta, "each", members), asserted, span=self._span(meta))

    @_placed
    def varies(self, meta: Extent, children: list[Any]) -> ast.Varies:
        return ast.Varies(children[0], span=self._span(meta))

    @_placed
    def property(self, meta: Extent, children: list[Any]) -> ast.PropertySentence:
        frequency, asserted, *guard = children
        word, condition = guard[0] if guard else ("", None)
        return ast.PropertySentence(frequency, asserted, word, condition, span=self._span(meta))

    def _only(self, meta: Extent, subject: Any, verb: Any, arguments: Any, limit: Any) -> ast.Only:
        by = None if isinstance(limit, list) else limit
        word, condition = limit if isinstance(limit, list) else ("", None)
        return ast.Only(subject, verb, arguments, by, word, condition, span=self._span(meta))
