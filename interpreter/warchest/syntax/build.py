"""From the parser's reductions to the typed tree: one method, or one kind of node, for each alternative of the grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.automaton import Build, Token
from warchest.syntax.words import Vocabulary

_NodeKind = TypeVar("_NodeKind")
_OnlyChild = TypeVar("_OnlyChild")
_Acts: TypeAlias = tuple[tuple[ast.Word, ...], ast.Arguments]
_GuardParts: TypeAlias = tuple[str, ast.Proposition]
_Range: TypeAlias = tuple[str, ast.Count | ast.Letter, ast.Word]
_Modifiers: TypeAlias = tuple[ast.Modifier, ...]
_PhrasePart: TypeAlias = ast.Count | ast.Word | ast.Name | _Modifiers
"""A part of a phrase: a number, an adjective, the head, or the modifiers after it."""
_Adverb: TypeAlias = str | ast.Limit
_NamedTime: TypeAlias = tuple[str, bool]
"""A time, `round` or `turn`, and whether the turn is yours, or the time of each player."""
_Change: TypeAlias = tuple[()] | tuple[ast.Expression | ast.FirstPoints] | tuple[ast.Expression, ast.Number]
_UntilPhrase: TypeAlias = ast.EventPhrase | ast.ComingTime
_Verbs: TypeAlias = tuple[*tuple[ast.Word | Token, ...], ast.Arguments]
_SaidValue: TypeAlias = tuple[*tuple[bool, ...], ast.ValuePhrase]
"""A value for a subject, perhaps negated."""

_UNGUARDED = ("", None)
_ONE_AND_ALL = {"one of": "a", "each of": "each", "any of": "any", "all of": "all", "none of": "no"}
"""The words before `your units`, each with the determiner that says the same before `unit of you`."""

_NODES: dict[str, Callable[..., ast.SyntaxNode]] = {
    "related": ast.Related,
    "clause": ast.RelativeClause,
    "in_line": ast.InLine,
    "in_direction": ast.InDirection,
    "adjective": ast.Adjective,
    "comparison": ast.Comparison,
    "when_true": ast.Conditional,
    "until": ast.Repetition,
    "otherwise": ast.Otherwise,
    "lasts": ast.Lasting,
    "becomes": ast.Becomes,
    "prevails": ast.Prevails,
    "raised": ast.Addition,
    "has": ast.Has,
    "stop": ast.Ending,
    "let": ast.Let,
    "define_verb": ast.DefineVerb,
    "define_does": ast.DefineHolds,
    "turns": ast.Turns,
    "normally": ast.Normally,
    "varies": ast.Varies,
}
"""The nodes that are made of all their parts, in the order of the text, by the names of their productions."""


def _many(children: Iterable[object], kind: type[_NodeKind]) -> tuple[_NodeKind, ...]:
    return tuple(child for child in children if isinstance(child, kind))


def _members(front: Iterable[str | _PhrasePart]) -> list[_PhrasePart]:
    """Return the parts of a phrase after its number."""
    return [one for one in front if not isinstance(one, str | ast.Count)]


def _guard_in(parts: Iterable[_GuardParts | ast.Statement | bool]) -> _GuardParts | tuple[str, None]:
    return next((one for one in parts if isinstance(one, tuple)), _UNGUARDED)


class Builder:
    """Builds nodes while the parser runs; `source` and `vocabulary` are set before each sentence.

    Each method is given the place that its production was read from, and the parts of the production.
    """

    source: Source
    vocabulary: Vocabulary
    read: ast.Sentence
    """The sentence that was built last."""

    def of(self, name: str) -> Build | None:
        """Return the function that builds nodes of a production; None if its children are passed on unchanged."""
        node = _NODES.get(name)
        if node is not None:
            return lambda extent, children: node(*children, span=Span(self.source, extent.start_pos, extent.end_pos))
        method: Callable[..., object] | None = getattr(self, name, None)
        if method is None:
            return None
        return lambda extent, children: method(Span(self.source, extent.start_pos, extent.end_pos), *children)

    def token(self, terminal: str) -> Callable[[Token], object] | None:
        """Return the method that makes a node of a token with this terminal; None if the token stays as it is."""
        method: Callable[[Token], object] | None = getattr(self, terminal, None)
        return method

    def _span(self, token: Token) -> Span:
        return Span(self.source, token.start_pos, token.end_pos)

    def _word(self, token: Token) -> ast.Word:
        return ast.Word(str(token), span=self._span(token))

    def NOUN(self, token: Token) -> ast.Word:  # noqa: N802 - named after the grammar's terminals
        word = self._word(token)
        written = " ".join(word.span.text.split())
        return replace(word, in_plural=True) if self.vocabulary.in_plural(word.text, written) else word

    ADJ = VERB = VERBS = VERBED = _word

    def UNTIL_ALL(self, token: Token) -> ast.AllPass:  # noqa: N802
        return ast.AllPass("decline" if "decline" in token else "pass", span=self._span(token))

    def NAME(self, token: Token) -> ast.Name:  # noqa: N802
        return ast.Name(str(token), span=self._span(token))

    NAMES = NAME

    def PARAMETER(self, token: Token) -> ast.Letter:  # noqa: N802
        return ast.Letter(str(token), span=self._span(token))

    def NUMBER(self, token: Token) -> ast.Number:  # noqa: N802
        return ast.Number(int(token), span=self._span(token))

    def SPAN(self, token: Token) -> ast.Count:  # noqa: N802
        low, high = str(token).split("-")
        return ast.Count(int(low), int(high), span=self._span(token))

    # ---- small pieces that carry one word

    def start(self, _: Span, sentence: ast.Sentence) -> None:
        self.read = sentence

    def _only_child(self, _: Span, child: _OnlyChild) -> _OnlyChild:
        return child

    verb = name = noun_phrase = number = parameter = more = floor = _only_child

    def _text(self, _: Span, word: str) -> str:
        return str(word)

    order = change_word = stage = guard_word = compare = sign = preposition = beyond = role = some_of = _text
    able = may_change_word = frequency = _text

    def determiner(self, _: Span, word: str) -> str:
        return "a" if word == "an" else str(word)

    def _said(self, _: Span, word: Token) -> bool:
        return True

    negation = instead = _said

    def acts(self, _: Span, *parts: *_Verbs) -> _Acts:
        *verbs, arguments = parts
        return _many(verbs, ast.Word), arguments

    def _children(self, _: Span, *children: object) -> tuple[object, ...]:
        return children

    act = conditional = guard = change_by = _children

    def tail(self, _: Span, *children: ast.Modifier | _Modifiers) -> _Modifiers:
        return tuple(one for child in children for one in (child if isinstance(child, tuple) else (child,)))

    doing = tail

    # ---- things and places

    def count(self, span: Span, number: ast.Count | ast.Number) -> ast.Count:
        return number if isinstance(number, ast.Count) else ast.Count(number.value, number.value, span=span)

    def pronoun(self, span: Span, word: Token) -> ast.Pronoun:
        return ast.Pronoun(str(word), span=span)

    def phrase(self, span: Span, determiner: str, *parts: _PhrasePart) -> ast.Phrase:
        return self._phrase(span, determiner, parts)

    def bare(self, span: Span, *parts: _PhrasePart) -> ast.Phrase:
        return self._phrase(span, "", parts)

    bare_count = bare

    def closed_phrase(self, span: Span, determiner: str, *parts: _PhrasePart) -> ast.Phrase:
        return self._phrase(span, "its" if determiner == "their" else str(determiner), [*parts, ()])

    plain_phrase = closed_phrase

    def possessed(self, span: Span, whose: ast.NounPhrase, *front: _PhrasePart) -> ast.Phrase:
        """Return the phrase for `that unit's owner`, which is short for `the owner of that unit`."""
        return self._phrase(span, "the", [*front, (ast.Related("of", whose, span=whose.span),)])

    def some_of_those(self, span: Span, some: str, possessive: Token, *parts: _PhrasePart) -> ast.Phrase:
        return self._some_of(span, _ONE_AND_ALL[some], possessive, parts)

    def all_of_those(self, span: Span, all_of: Token, *parts: _PhrasePart) -> ast.Phrase:
        """Return the phrase for `all your units`, which is short for `all of your units`."""
        whose = str(all_of).split()[-1]
        possessive = Token.of("POSSESSIVE", whose, all_of.end_pos - len(whose), all_of.end_pos)
        return self._some_of(span, "all", possessive, parts)

    def _some_of(self, span: Span, determiner: str, possessive: Token, parts: Sequence[_PhrasePart]) -> ast.Phrase:
        """Return the phrase for `one of your units`, which is short for `a unit of you`."""
        *front, modifiers = parts
        assert isinstance(modifiers, tuple)
        place = self._span(possessive)
        whose = ast.Pronoun("you" if possessive == "your" else "it", span=place)
        return self._phrase(span, determiner, [*front, (ast.Related("of", whose, span=place), *modifiers)])

    def _phrase(self, span: Span, determiner: str, parts: Sequence[_PhrasePart]) -> ast.Phrase:
        *front, head, modifiers = parts
        assert isinstance(head, ast.Word | ast.Name) and isinstance(modifiers, tuple)
        count, adjectives = next(iter(_many(front, ast.Count)), None), _many(front, ast.Word)
        if determiner == "a" and count is None and adjectives and adjectives[0].text == "other":
            determiner, adjectives = "another", adjectives[1:]
        return ast.Phrase(determiner, count, adjectives, head, modifiers, span=span)

    def range(self, _: Span, *parts: *tuple[*tuple[Token, ...], ast.Count | ast.Letter, ast.Word]) -> _Range:
        *limit, count, unit = parts
        return "".join(limit), count, unit

    def away(self, span: Span, measure: _Range, away: Token | None = None) -> ast.Away:
        return ast.Away(*measure, None, span=span)

    def within(self, span: Span, measure: _Range) -> ast.Away:
        return ast.Away(*measure, None, bare=True, span=span)

    def away_from(self, span: Span, measure: _Range, origin: ast.NounPhrase) -> ast.Away:
        return ast.Away(*measure, origin, span=span)

    def whose(self, span: Span, noun: ast.Word, *said: *_SaidValue) -> ast.Whose:
        *negated, value = said
        return ast.Whose(noun, bool(negated), value, span=span)

    def that_is(self, span: Span, that: Token, *said: *_SaidValue) -> ast.ThatIs:
        *negated, value = said
        return ast.ThatIs(bool(negated), value, span=span)

    def that_does(self, span: Span, that: Token, *parts: *_Verbs) -> ast.ThatDoes:
        return ast.ThatDoes(*self.acts(span, *parts), span=span)

    def away_in_line(self, span: Span, measure: _Range) -> _Modifiers:
        return self.away(span, measure), ast.InLine(span=span)

    def in_sight(self, span: Span) -> _Modifiers:
        open_ = ast.Word(self.vocabulary.sight, span=span)
        clear = ast.Phrase("", None, (open_,), ast.Word("space", span=span), (), span=span)
        return ast.InLine(span=span), ast.Related("through", clear, span=span)

    def away_in_sight(self, span: Span, measure: _Range) -> _Modifiers:
        return self.away(span, measure), *self.in_sight(span)

    def heading(self, span: Span, direction: ast.NounPhrase) -> ast.Related:
        return ast.Related("in", direction, span=span)

    def somewhere(self, span: Span, measure: _Range, *where: Token | ast.Modifier | _Modifiers) -> ast.Somewhere:
        leading = self.tail(span, *(one for one in where if not isinstance(one, Token)))
        return ast.Somewhere((self.away(span, measure), *leading), span=span)

    def passing(self, span: Span, through: ast.NounPhrase) -> ast.Related:
        return ast.Related("through", through, span=span)

    def that_way(self, span: Span) -> ast.Related:
        that = ast.Phrase("that", None, (), ast.Word("direction", span=span), (), span=span)
        return ast.Related("in", that, span=span)

    def in_that_line(self, span: Span) -> ast.InDirection:
        return ast.InDirection(of_line=True, span=span)

    # ---- values and conditions

    def total(self, span: Span, first: ast.Expression, *rest: ast.Expression | str) -> ast.Expression:
        if not rest:
            return first
        terms = (one for one in rest if not isinstance(one, str))
        return ast.Total(("+", *_many(rest, str)), (first, *terms), span=span)

    def argument(self, span: Span, word: str, phrase: ast.Expression) -> ast.RolePhrase:
        return ast.RolePhrase(str(word), phrase, span=span)

    def amount(self, span: Span, *parts: ast.Word | ast.Expression) -> ast.Amount:
        (noun,), (value,) = _many(parts, ast.Word), (one for one in parts if not isinstance(one, ast.Word))
        return ast.Amount(noun, value, span=span)

    def arguments(self, span: Span, *parts: ast.NounPhrase | ast.Amount | ast.RolePhrase) -> ast.Arguments:
        thing = next((one for one in parts if not isinstance(one, ast.RolePhrase)), None)
        roles, place = _many(parts, ast.RolePhrase), span if parts else Span(self.source, 0, 0)
        if isinstance(thing, ast.Amount):
            return ast.Arguments(None, roles, thing, span=place)
        return ast.Arguments(thing, roles, span=place)

    def is_so(self, span: Span, subject: ast.NounPhrase | ast.Total, *said: *_SaidValue) -> ast.Is:
        *negated, value = said
        return ast.Is(subject, bool(negated), value, span=span)

    def so_many(self, span: Span, *parts: *tuple[*tuple[str | _PhrasePart, ...], ast.ValuePhrase]) -> ast.Is:
        *front, value = parts
        return self._so_many(span, front, self._phrase(span, "", _members(front)), value)

    def so_many_of(self, span: Span, *parts: *tuple[*tuple[str | _PhrasePart, ...], ast.ValuePhrase]) -> ast.Is:
        *front, value = parts
        (possessive,) = _many(front, Token)
        return self._so_many(span, front, self._some_of(span, "", possessive, _members(front)), value)

    def _so_many(
        self, span: Span, front: Sequence[str | _PhrasePart], things: ast.Phrase, value: ast.ValuePhrase
    ) -> ast.Is:
        """Return the condition on the number of some things: `at least 2 units are on it`."""
        how = front[0] if isinstance(front[0], str) else "at least"
        (count,) = _many(front, ast.Count)
        number = ast.Number(count.high, span=count.span)
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

    def does_now(self, span: Span, subject: ast.NounPhrase, *parts: *_Verbs) -> ast.Holds:
        return ast.Holds(subject, *self.acts(span, *parts), span=span)

    def can_do(self, span: Span, subject: ast.NounPhrase, word: str, acts: _Acts) -> ast.CanDo:
        return ast.CanDo(subject, word == "cannot", *acts, span=span)

    def any_of(self, span: Span, *conditions: ast.Proposition) -> ast.Proposition:
        return conditions[0] if len(conditions) == 1 else ast.AnyOf(conditions, span=span)

    def all_of(self, span: Span, *conditions: ast.Proposition) -> ast.Proposition:
        return conditions[0] if len(conditions) == 1 else ast.AllOf(conditions, span=span)

    # ---- steps

    def sequence(self, span: Span, first: ast.Statement, rest: ast.Statement) -> ast.StepSequence:
        steps = rest.steps if isinstance(rest, ast.StepSequence) else (rest,)
        return ast.StepSequence((first, *steps), span=span)

    def sections(self, span: Span, *parts: ast.Statement | ast.Otherwise) -> ast.Statement | ast.Otherwise:
        return parts[0] if len(parts) == 1 else ast.Sections(parts, span=span)

    def for_each(self, span: Span, *parts: *tuple[*tuple[str | _PhrasePart, ...], ast.Statement]) -> ast.Iteration:
        *front, step = parts
        return ast.Iteration(self._phrase(span, "each", _members(front)), "".join(_many(front, str)), step, span=span)

    def for_each_of(
        self, span: Span, possessive: Token, *parts: *tuple[*tuple[str | _PhrasePart, ...], ast.Statement]
    ) -> ast.Iteration:
        iteration = self.for_each(span, *parts)
        *front, _ = parts
        return replace(iteration, members=self._some_of(span, "each", possessive, _members(front)))

    def either(self, span: Span, *options: ast.Statement) -> ast.Alternatives:
        return ast.Alternatives(options, span=span)

    def several(self, span: Span, *steps: ast.Statement) -> ast.StepSequence:
        return ast.StepSequence(steps, span=span)

    def order_given(self, span: Span, act: tuple[ast.Word, ast.Arguments], *adverbs: _Adverb) -> ast.Statement:
        return self._often(ast.Do(None, *act, _many(adverbs, str), span=span), adverbs)

    def given_in_a_number(self, span: Span, verb: ast.Word, thing: ast.Phrase, *roles: ast.RolePhrase) -> ast.Do:
        said = ast.Arguments(thing, roles, span=thing.span.to(roles[-1].span) if roles else thing.span)
        return ast.Do(None, verb, said, (), span=span)

    def lettered(self, span: Span, letter: ast.Letter, *parts: _PhrasePart) -> ast.Phrase:
        return self._phrase(span, "", [ast.Count(0, 0, letter, span=letter.span), *parts])

    def does(
        self, span: Span, subject: ast.NounPhrase, verb: ast.Word, arguments: ast.Arguments, *adverbs: _Adverb
    ) -> ast.Statement:
        return self._often(ast.Do(subject, verb, arguments, _many(adverbs, str), span=span), adverbs)

    def may(self, span: Span, subject: ast.NounPhrase, acts: _Acts, *adverbs: _Adverb) -> ast.Statement:
        return self._often(ast.May(subject, *acts, _many(adverbs, str), span=span), adverbs)

    def _often(self, step: ast.Statement, adverbs: Sequence[_Adverb]) -> ast.Statement:
        """Return a step with the limits that follow it."""
        for limit in _many(adverbs, ast.Limit):
            step = ast.Limited(limit, step, span=step.span)
        return step

    def adverb(self, _: Span, said: _Adverb) -> _Adverb:
        return said if isinstance(said, ast.Limit) else str(said)

    # ---- how often

    def limit(self, span: Span, *parts: *tuple[*tuple[Token | ast.Number, ...], _NamedTime]) -> ast.Limit:
        *times, (per, of_players) = parts
        number = next((one.value for one in times if isinstance(one, ast.Number)), 2 if times[0] == "twice" else 1)
        return ast.Limit(number, per, of_players, span=span)

    def per_game(self, _: Span, *words: Token) -> _NamedTime:
        return "game", len(words) > 1

    def per_round(self, _: Span, *words: Token) -> _NamedTime:
        return "round", len(words) > 1

    def per_turn(self, _: Span, *words: Token) -> _NamedTime:
        return "turn", len(words) > 1

    def so_often(self, _: Span, limit: ast.Limit) -> ast.Limit:
        """Return the limit below a forbidden number of times: `cannot attack twice a round` allows it once."""
        return replace(limit, times=limit.times - 1)

    def limited(self, span: Span, limit: ast.Limit, step: ast.Statement) -> ast.Limited | ast.Guarded:
        """Return steps with a limit; a condition after a single step is tested before its limit counts."""
        if not isinstance(step, ast.Guarded):
            return ast.Limited(limit, step, span=span)
        limited = ast.Limited(limit, step.step, span=limit.span.to(step.step.span))
        return replace(step, step=limited, span=span)

    def hook_limited(self, span: Span, limit: ast.Limit, hook: ast.HookSentence) -> ast.HookSentence:
        return replace(hook, limit=limit, span=span)

    def does_only(
        self, span: Span, subject: ast.NounPhrase, verb: ast.Word, arguments: ast.Arguments, limit: ast.Limit
    ) -> ast.Cannot:
        return ast.Cannot(subject, (verb,), arguments, limit, span=span)

    # ---- how long

    def next_one(self, _: Span, text: str) -> _NamedTime:
        return "round" if text.endswith("round") else "turn", text.startswith("your")

    rest_of_it = round_to_come = turn_of_yours = next_one

    def lasting(self, span: Span, edge: str, which: _NamedTime | str = "") -> ast.ComingTime:
        if not isinstance(which, tuple):
            which = self.next_one(span, (which or edge).removeprefix("until "))
        return self._coming(edge, which, span)

    def this_long(self, span: Span, text: str) -> ast.ComingTime:
        return self._coming("until the end of", self.next_one(span, text), span)

    def _coming(self, edge: str, which: _NamedTime, span: Span) -> ast.ComingTime:
        return ast.ComingTime("ends" if edge.endswith(("end of", "rest of")) else "starts", *which, span=span)

    def cannot_until(self, span: Span, subject: ast.NounPhrase, acts: _Acts, until: _UntilPhrase) -> ast.Lasting:
        return ast.Lasting(until, self.cannot_plain(span, subject, acts), span=span)

    def can_until(self, span: Span, subject: ast.NounPhrase, acts: _Acts, until: _UntilPhrase) -> ast.Lasting:
        return ast.Lasting(until, self.can(span, subject, acts), span=span)

    def delayed(self, span: Span, edge: Token, which: _NamedTime, step: ast.Statement) -> ast.Delayed:
        return ast.Delayed(self._coming(edge, which, self._span(edge)), step, span=span)

    def can_only(self, span: Span, subject: ast.NounPhrase, acts: _Acts, limit: ast.Limit) -> ast.Cannot:
        if isinstance(subject, ast.Phrase) and subject.determiner == "each":
            subject = replace(subject, determiner="a")
        return ast.Cannot(subject, *acts, limit, span=span)

    def may_beginning(
        self, span: Span, subject: ast.Phrase, who: ast.NounPhrase, acts: _Acts, *adverbs: _Adverb
    ) -> ast.Statement:
        first = ast.ComesFirst(who, span=who.span)
        return self.may(span, replace(subject, modifiers=(*subject.modifiers, first)), acts, *adverbs)

    def window(
        self, span: Span, subject: ast.NounPhrase, acts: _Acts, until: ast.AllPass, first: ast.NounPhrase | None = None
    ) -> ast.Window:
        end = span.start + len(self.source.text[span.start : until.span.start].rstrip())
        offer = ast.May(subject, *acts, (), span=self.source.span(span.start, end))
        return ast.Window(offer, until, first, span=span)

    def window_beginning(
        self, span: Span, subject: ast.NounPhrase, who: ast.NounPhrase, acts: _Acts, until: ast.AllPass
    ) -> ast.Window:
        return self.window(span, subject, acts, until, who)

    def cannot_plain(
        self, span: Span, subject: ast.NounPhrase, acts: _Acts, limit: ast.Limit | None = None
    ) -> ast.Cannot:
        return ast.Cannot(subject, *acts, limit, span=span)

    def can(self, span: Span, subject: ast.NounPhrase, acts: _Acts, limit: ast.Limit | None = None) -> ast.Can:
        return ast.Can(subject, *acts, limit, span=span)

    may_more = can

    def borne(self, span: Span, name: ast.Name) -> ast.Addition:
        return ast.Addition(None, name, span=span)

    def may_become(
        self, span: Span, subject: ast.NounPhrase, value: ast.Expression | ast.Adjective, *until: _UntilPhrase | None
    ) -> ast.OfferedChange:
        change = ast.Prevails(subject, value, until[0], span=span) if until else ast.Becomes(subject, value, span=span)
        return ast.OfferedChange(change, span=span)

    def may_change(self, span: Span, subject: ast.NounPhrase, written: str, by: _Change = ()) -> ast.OfferedChange:
        return ast.OfferedChange(replace(self.changes(span, subject, written, by), written=""), span=span)

    def budget(self, span: Span, amount: ast.Number | ast.Letter, per: _NamedTime) -> tuple[ast.FirstPoints]:
        return (ast.FirstPoints(amount, ast.Limit(1, *per, span=span), span=span),)

    def may_have(
        self, span: Span, subject: ast.NounPhrase, bonus: ast.Addition | ast.Letter, until: _UntilPhrase | None
    ) -> ast.OfferedChange:
        return ast.OfferedChange(ast.Has(subject, bonus, until, span=span), span=span)

    def duration(self, _: Span, until: _UntilPhrase | None = None) -> _UntilPhrase | None:
        return until

    def must(self, span: Span, subject: ast.NounPhrase, *said: *_SaidValue) -> ast.Requirement:
        *negated, value = said
        return ast.Requirement(subject, bool(negated), value, span=span)

    def changes(self, span: Span, subject: ast.NounPhrase, written: str, by: _Change = ()) -> ast.Changes:
        how = next(one for one, base in ast.OFFERED_CHANGES.items() if written in (one, base))
        amount, least = by[0] if by else None, by[1] if len(by) == 2 else None
        return ast.Changes(subject, how, amount, least, written, span=span)

    # ---- definitions, hooks and rules

    def define_moment(
        self, span: Span, act: ast.NounPhrase, verb: ast.Word, arguments: ast.Arguments, step: ast.Statement
    ) -> ast.DefineVerb:
        return ast.DefineVerb(verb, arguments, step, act, span=span)

    def define_is(
        self, span: Span, subject: ast.NounPhrase, *said: bool | ast.ValuePhrase | tuple[ast.Proposition]
    ) -> ast.DefineIs:
        (value,) = (one for one in said if not isinstance(one, bool | tuple))
        condition = next((one[0] for one in said if isinstance(one, tuple)), None)
        return ast.DefineIs(subject, True in said, value, condition, span=span)

    def hook(
        self, span: Span, stage: str, event: ast.EventPhrase, *rest: _GuardParts | ast.Statement | bool
    ) -> ast.HookSentence:
        (step,) = (one for one in rest if not isinstance(one, bool | tuple))
        return ast.HookSentence(stage, event, step, True in rest, *_guard_in(rest), span=span)

    def hook_guarded(
        self, span: Span, guard: _GuardParts, stage: str, event: ast.EventPhrase, *rest: ast.Statement | bool
    ) -> ast.HookSentence:
        return self.hook(span, stage, event, guard, *rest)

    def timed(
        self, span: Span, edge: str, time: ast.Time, *rest: *tuple[*tuple[_GuardParts, ...], ast.Statement]
    ) -> ast.HookSentence:
        *guard, step = rest
        stage = "at the end of" if edge.endswith("end of") else "at the start of"
        return ast.HookSentence(stage, time, step, False, *_guard_in(guard), span=span)

    def round(self, span: Span, word: Token) -> ast.Time:
        return ast.Time("round", None, span=span)

    def each_turn(self, span: Span, word: Token) -> ast.Time:
        return ast.Time("turn", None, span=span)

    def your_turn(self, span: Span, word: Token) -> ast.Time:
        return ast.Time("turn", ast.Pronoun("you", span=span), span=span)

    def turn_of(self, span: Span, *said: *tuple[*tuple[Token, ...], ast.NounPhrase]) -> ast.Time:
        return ast.Time("turn", said[-1], span=span)

    def would(self, span: Span, subject: ast.NounPhrase, act: tuple[ast.Word, ast.Arguments]) -> ast.Would:
        return ast.Would(subject, *act, span=span)

    def happens(self, span: Span, subject: ast.NounPhrase, *parts: *_Verbs) -> ast.Happens:
        return ast.Happens(subject, *self.acts(span, *parts), span=span)

    def is_done(self, span: Span, subject: ast.NounPhrase, *parts: *_Verbs) -> ast.IsDone:
        return ast.IsDone(subject, *self.acts(span, *parts), span=span)

    def guarded(self, span: Span, step: ast.Statement, guard: _GuardParts) -> ast.Guarded:
        return ast.Guarded(step, *guard, span=span)

    def guarded_if(self, span: Span, step: ast.Statement, condition: ast.Proposition) -> ast.Guarded:
        return ast.Guarded(step, "if", condition, span=span)

    def guarded_before(self, span: Span, guard: _GuardParts, step: ast.Statement) -> ast.Guarded:
        return ast.Guarded(step, *guard, span=span)

    def only(
        self,
        span: Span,
        subject: ast.NounPhrase | None,
        verb: ast.Word,
        arguments: ast.Arguments,
        limit: ast.NounPhrase | _GuardParts,
    ) -> ast.Only:
        by, guard = (None, limit) if isinstance(limit, tuple) else (limit, _UNGUARDED)
        return ast.Only(subject, verb, arguments, by, *guard, span=span)

    def only_order(
        self, span: Span, act: tuple[ast.Word, ast.Arguments], limit: ast.NounPhrase | _GuardParts
    ) -> ast.Only:
        return self.only(span, None, *act, limit)

    # ---- properties

    def of_each(self, span: Span, *parts: *tuple[*tuple[_PhrasePart, ...], ast.Proposition | ast.Varies]) -> ast.OfEach:
        *members, asserted = parts
        return ast.OfEach(self._phrase(span, "each", members), asserted, span=span)

    def property(
        self, span: Span, frequency: str, asserted: ast.Asserted, guard: _GuardParts | tuple[str, None] = _UNGUARDED
    ) -> ast.PropertySentence:
        return ast.PropertySentence(frequency, asserted, *guard, span=span)
