"""The one canonical form of a sentence, for the formatter and for sentences that are shown and have no text.

The tree keeps dictionary forms only, so the printer chooses the forms: plurals after numbers, after `all` and in bare
phrases, the form of a verb by its subject, `a` or `an` by the sound. Parsing the printed text gives the same tree.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TypeAlias, assert_never

from warchest.diagnostics.articles import article
from warchest.syntax import ast
from warchest.syntax.plurals import is_several, takes_base_form
from warchest.syntax.words import Vocabulary

_OneOrder: TypeAlias = (
    ast.Do
    | ast.May
    | ast.Window
    | ast.Cannot
    | ast.Can
    | ast.OrderedChange
    | ast.OfferedChange
    | ast.Let
    | ast.Requirement
)
"""The steps that are one order."""
WIDTH = 88
"""The most columns of a printed block, unless one word is longer."""


def print_sentence(node: ast.Sentence, vocabulary: Vocabulary) -> str:
    """Return the canonical form of a sentence, on one line and with its full stop.

    An `if` that an `otherwise` has been joined to is printed as the two sentences it was read from.
    """
    return _Printer(vocabulary).sentence(node) + "."


def print_block(sentences: Iterable[ast.Sentence], vocabulary: Vocabulary) -> str:
    """Return the canonical form of a block: each sentence begins a line, and goes on two columns further in."""
    printer = _Printer(vocabulary)
    return "\n".join(_wrapped(printer.sentence(sentence) + ".") for sentence in sentences)


def _wrapped(sentence: str) -> str:
    return textwrap.fill(sentence, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


class _Printer:
    """Prints nodes; one method for each place that several kinds of node can fill."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    # ---- sentences

    def sentence(self, node: ast.Sentence) -> str:
        """Return a sentence without its full stop."""
        match node:
            case ast.Otherwise(step):
                return f"otherwise, {self.step(step)}"
            case ast.DefineVerb(verb, arguments, step, act):
                if act is not None:
                    return f"as {self._fact(act, (verb,), arguments)}, {self.step(step)}"
                return f"{_joined('to', verb.text, self._arguments(arguments))}: {self.step(step)}"
            case ast.DefineIs():
                return self._define_is(node)
            case ast.DefineHolds(subject, verb, arguments, condition):
                return f"{self._fact(subject, (verb,), arguments)} when {self._condition(condition)}"
            case ast.HookSentence(stage, event, step, instead, word, condition, limit):
                guard = _joined(word, self._condition(condition)) if condition is not None else ""
                often = f"{self._limit(limit)}," if limit is not None else ""
                answered = _joined(often, stage, self._event(event), guard)
                return _joined(f"{answered},", self.step(step), "instead" if instead else "")
            case ast.Normally(step):
                return f"normally, {self.step(step)}"
            case ast.Only():
                return self._only(node)
            case ast.PropertySentence(frequency, asserted, word, condition):
                guard = _joined(word, self._condition(condition)) if condition is not None else ""
                return _joined(frequency, self._asserted(asserted), guard)
            case _:
                return self.step(node)

    def _define_is(self, node: ast.DefineIs) -> str:
        said = self._said(node.subject, self._be(node.subject), node.negated, node.value)
        return said if node.condition is None else f"{said} when {self._condition(node.condition)}"

    def _only(self, node: ast.Only) -> str:
        if node.subject is None:
            said = _joined(node.verb.text, self._arguments(node.arguments))
        else:
            said = self._fact(node.subject, (node.verb,), node.arguments)
        if node.by is not None:
            return f"{said} only by {self._noun_phrase(node.by)}"
        if node.condition is None:
            raise ValueError("an `only` needs what it is by, or a condition")
        return f"{said} only {node.word} {self._condition(node.condition)}"

    def _event(self, node: ast.EventPhrase) -> str:
        match node:
            case ast.Happens(subject, verbs, arguments):
                return self._fact(subject, verbs, arguments)
            case ast.Would(subject, verb, arguments):
                return _joined(self._noun_phrase(subject), "would", verb.text, self._arguments(arguments))
            case ast.IsDone(subject, verbs, arguments):
                done = " or ".join(self.vocabulary.form("VERBED", verb.text) for verb in verbs)
                return _joined(self._noun_phrase(subject), self._be(subject), done, self._arguments(arguments))
            case ast.Time(span_of, whose):
                return self._time(span_of, whose)
            case ast.Turns(subject, value):
                return self._said(subject, self._be(subject), False, value)
            case _:
                assert_never(node)

    def _time(self, span_of: str, whose: ast.NounPhrase | None) -> str:
        if whose is None:
            return "the round" if span_of == "round" else "each turn"
        if isinstance(whose, ast.Pronoun) and whose.word == "you":
            return "your turn"
        return f"the turn of {self._noun_phrase(whose)}"

    def _asserted(self, node: ast.Asserted) -> str:
        match node:
            case ast.IsDone():
                return self._event(node)
            case ast.OfEach(members, asserted):
                return f"for {self._phrase(members)}, {self._asserted(asserted)}"
            case ast.Varies(subject):
                return f"{self._expression(subject)} changes"
            case _:
                return self._condition(node)

    # ---- steps

    def step(self, node: ast.Statement) -> str:
        """Return a step; a sequence, a condition or a loop reaches to the end of the printed text."""
        match node:
            case ast.StepSequence(steps):
                return ", then ".join(self.step(step) for step in steps)
            case ast.Sections(sections):
                return "; ".join(self.sentence(part) for part in sections)
            case ast.Alternatives(options):
                return "either " + ", or ".join(self._branch(option) for option in options)
            case ast.Conditional(condition, step, otherwise):
                first = f"if {self._condition(condition)}, {self.step(step)}"
                return first if otherwise is None else f"{first}. otherwise, {self.step(otherwise)}"
            case ast.Guarded(step, word, condition):
                return f"{self.step(step)} {word} {self._condition(condition)}"
            case ast.Ending():
                return "stop"
            case ast.Limited(limit, step):
                return f"{self._limit(limit)}, {self.step(step)}"
            case ast.Lasting(ast.ComingTime() as until, step):
                if isinstance(step, ast.Cannot) and step.limit is None:
                    return f"{self.step(step)} {_span(until)}"
                return f"until {_moment(until)}, {self.step(step)}"
            case ast.Lasting(until, step):
                return f"{self.step(step)} {self._duration(until)}"
            case ast.Delayed(at, step):
                return f"at {_moment(at, 'this')}, {self.step(step)}"
            case ast.Repetition(condition, step):
                return f"until {self._condition(condition)}, {self.step(step)}"
            case ast.Iteration(members, order, step):
                # The phrase begins with `each`, as it does after any other word.
                return f"{_joined('for', self._phrase(members), order)}, {self.step(step)}"
            case _:
                return self._plain(node)

    def _branch(self, node: ast.Statement) -> str:
        """Return the steps of one branch of an `either`, which ends before the next."""
        steps = node.steps if isinstance(node, ast.StepSequence) else (node,)
        return " and then ".join(self.step(step) for step in steps)

    def _plain(self, node: _OneOrder) -> str:
        match node:
            case ast.Do(None, verb, arguments, adverbs):
                return _joined(verb.text, self._arguments(arguments), *adverbs)
            case ast.Do(subject, verb, arguments, adverbs) if subject is not None:
                return _joined(self._fact(subject, (verb,), arguments), *adverbs)
            case ast.May(subject, verbs, arguments, adverbs):
                return _joined(self._modal(subject, "may", verbs, arguments), *adverbs)
            case ast.Window(offer, until, first):
                who = f", beginning with {self._noun_phrase(first)}" if first is not None else ""
                return f"{self._plain(offer)} until all {until.word}{who}"
            case ast.Cannot(subject, verbs, arguments, limit) | ast.Can(subject, verbs, arguments, limit):
                said = self._modal(subject, "can" if isinstance(node, ast.Can) else "cannot", verbs, arguments)
                return said if limit is None else f"{said} more than {self._limit(limit, plain=True)}"
            case ast.OfferedChange(change):
                return self._change(change, "may")
            case ast.Becomes() | ast.Prevails() | ast.Changes() | ast.Has():
                return self._change(node)
            case ast.Let(word, value):
                return f"let {word.text} be {self._expression(value)}"
            case ast.Requirement(subject, negated, value):
                return _joined(self._noun_phrase(subject), "must", "not" if negated else "", "be", self._value(value))
        raise TypeError(f"not a step: {node!r}")

    def _change(self, node: ast.OrderedChange, may: str = "") -> str:
        """Return the words for a change, or (with `may`) for the offer of it."""
        is_base = bool(may) or takes_base_form(node.subject, self.vocabulary)
        match node:
            case ast.Becomes(subject, value):
                return self._said(subject, _joined(may, "become" if is_base else "becomes"), False, value)
            case ast.Prevails(subject, value, until):
                said = self._said(subject, _joined(may, "become" if is_base else "becomes"), False, value)
                return _joined(said, self._duration(until))
            case ast.Changes(subject, how):
                word = ast.OFFERED_CHANGES[how] if is_base else how
                return _joined(self._noun_phrase(subject), may, word, *self._by(node))
            case ast.Has(subject, bonus, until):
                what = bonus.text if isinstance(bonus, ast.Letter) else self._raise(bonus)
                return _joined(
                    self._noun_phrase(subject), may, "have" if is_base else "has", what, self._duration(until)
                )

    def _by(self, node: ast.Changes) -> Iterator[str]:
        """Yield the words for how much a number changes."""
        if isinstance(node.amount, ast.FirstPoints):
            first, limit = self._expression(node.amount.amount), node.amount.limit
            yield f"by the first {first} each {limit.per}" + (" per player" if limit.of_players else "")
        elif node.amount is not None:
            yield f"by {self._expression(node.amount)}"
        if node.least is not None:
            yield f"to a minimum of {node.least.value}"

    def _limit(self, limit: ast.Limit, plain: bool = False) -> str:
        """Return the words for the limit on the times of an act; `plain` leaves out `up to`."""
        up_to = "" if plain or limit.times == 1 else "up to "
        return f"{up_to}{how_often(limit.times)} a {limit.per}" + (" per player" if limit.of_players else "")

    def _duration(self, until: ast.EventPhrase | ast.ComingTime | None) -> str:
        if isinstance(until, ast.ComingTime):
            return f"until {_moment(until)}"
        return f"until {self._event(until)}" if until is not None else "forever"

    def _raise(self, bonus: ast.Addition) -> str:
        if bonus.amount is None:
            return bonus.what.text
        return f"+{self._expression(bonus.amount)} {bonus.what.text}"

    def _modal(self, subject: ast.NounPhrase, modal: str, verbs: tuple[ast.Word, ...], arguments: ast.Arguments) -> str:
        named = " or ".join(verb.text for verb in verbs)
        return _joined(self._noun_phrase(subject), modal, named, self._arguments(arguments))

    def _fact(self, subject: ast.NounPhrase, verbs: tuple[ast.Word, ...], arguments: ast.Arguments) -> str:
        named = " or ".join(self._verb(subject, verb) for verb in verbs)
        return _joined(self._noun_phrase(subject), named, self._arguments(arguments))

    def _verb(self, subject: ast.NounPhrase, verb: ast.Word) -> str:
        return self._form(verb, takes_base_form(subject, self.vocabulary))

    def _form(self, verb: ast.Word, several: bool) -> str:
        """Return the form of a verb that is said of several things, or of one."""
        return verb.text if several else self.vocabulary.form("VERBS", verb.text)

    def _arguments(self, node: ast.Arguments) -> str:
        thing = self._noun_phrase(node.object) if node.object is not None else ""
        thing = thing if node.amount is None else self._amount(node.amount)
        return _joined(thing, *(f"{role.word} {self._expression(role.phrase)}" for role in node.roles))

    def _amount(self, node: ast.Amount) -> str:
        if isinstance(node.value, ast.Letter):
            return f"{node.value.text} {self._head(node.noun, True)}"
        return f"{node.noun.text} equal to {self._expression(node.value)}"

    def _be(self, subject: ast.NounPhrase | ast.Total) -> str:
        return "are" if takes_base_form(subject, self.vocabulary) else "is"

    # ---- conditions and values

    def _condition(self, node: ast.Proposition) -> str:
        match node:
            case ast.AnyOf(conditions):
                return ", or ".join(self._condition(condition) for condition in conditions)
            case ast.AllOf(conditions):
                return " and ".join(self._condition(condition) for condition in conditions)
            case ast.CanDo(subject, negated, verbs, arguments):
                able = "cannot" if negated else "can"
                done = " or ".join(verb.text for verb in verbs)
                return _joined(self._noun_phrase(subject), able, done, self._arguments(arguments))
            case ast.Holds(subject, verbs, arguments):
                return self._fact(subject, verbs, arguments)
            case ast.Is(subject, negated, value):
                return self._said(subject, self._be(subject), negated, value)
            case _:
                assert_never(node)

    def _said(self, subject: ast.NounPhrase | ast.Total, verb: str, negated: bool, value: ast.ValuePhrase) -> str:
        return _joined(self._expression(subject), verb, "not" if negated else "", self._value(value))

    def _value(self, node: ast.ValuePhrase) -> str:
        match node:
            case ast.Adjective(word):
                return word.text
            case ast.Comparison(how, than):
                return f"{how} {self._expression(than)}"
            case ast.Related() | ast.Away():
                return self._modifier(node)
            case ast.Somewhere(modifiers):
                return _joined(*(self._modifier(one) for one in modifiers))
            case _:
                return self._expression(node)

    def _expression(self, node: ast.Expression) -> str:
        match node:
            case ast.Number(value):
                return str(value)
            case ast.Total(signs, terms):
                rest = (f"{sign} {self._expression(term)}" for sign, term in zip(signs[1:], terms[1:], strict=True))
                return _joined(self._expression(terms[0]), *rest)
            case ast.Amount():
                return self._amount(node)
            case _:
                return self._noun_phrase(node)

    # ---- things and places

    def _noun_phrase(self, node: ast.NounPhrase) -> str:
        match node:
            case ast.Pronoun(word):
                return word
            case ast.Name(text) | ast.Letter(text):
                return text
            case ast.Phrase():
                return self._phrase(node)
            case _:
                assert_never(node)

    def _phrase(self, node: ast.Phrase) -> str:
        several = is_several(node)
        count = _count(node.count) if node.count is not None else ""
        adjectives = (word.text for word in node.adjectives)
        modifiers = (self._modifier(modifier, several) for modifier in node.modifiers)
        words = _joined(count, *adjectives, self._head(node.head, several), *modifiers).replace(" , ", ", ")
        return _joined(article(words) if node.determiner == "a" else node.determiner, words)

    def _head(self, node: ast.Word | ast.Name, several: bool) -> str:
        is_plural = several or (isinstance(node, ast.Word) and node.in_plural)
        return self.vocabulary.form("PLURAL", node.text) if is_plural else node.text

    def _modifier(self, node: ast.Modifier, several: bool = False) -> str:
        match node:
            case ast.Related(preposition, phrase):
                return f"{preposition} {self._noun_phrase(phrase)}"
            case ast.Away(limit, count, unit, origin):
                several = isinstance(count, ast.Letter) or (count.low, count.high) != (1, 1)
                distance = _joined(limit, _count(count), self._head(unit, several))
                return f"{distance} away" if origin is None else f"{distance} of {self._noun_phrase(origin)}"
            case ast.InLine():
                return "in a straight line"
            case ast.InDirection(of_line):
                return "in that line" if of_line else "in that direction"
            case ast.RelativeClause(who, verb):
                return f"{self._noun_phrase(who)} {self._verb(who, verb)}"
            case ast.Whose(noun, negated, value):
                being = "are" if self.vocabulary.is_plural(noun.text) else "is"
                return _joined("whose", noun.text, being, "not" if negated else "", self._value(value))
            case ast.ThatDoes(verbs, arguments):
                done = " or ".join(self._form(verb, several) for verb in verbs)
                return _joined("that", done, self._arguments(arguments))
            case ast.ComesFirst(who):
                return f", beginning with {self._noun_phrase(who)},"
            case ast.ThatIs(negated, value):
                return _joined("that", "are" if several else "is", "not" if negated else "", self._value(value))
            case _:
                assert_never(node)


def how_often(times: int) -> str:
    """Return a number of times, in words."""
    return "once" if times == 1 else f"{times} times"


def _count(node: ast.Count | ast.Letter) -> str:
    if isinstance(node, ast.Letter):
        return node.text
    if node.letter is not None:
        return node.letter.text
    return str(node.low) if node.low == node.high else f"{node.low}-{node.high}"


def _span(until: ast.ComingTime) -> str:
    """Return a span of time in its form after a prohibition: `this turn`, `until the start of your next turn`."""
    return f"this {until.span_of}" if until.edge == "ends" and not until.yours else f"until {_moment(until)}"


def _moment(node: ast.ComingTime, which: str = "the") -> str:
    """Return the next start or end of a turn or a round."""
    if node.edge == "starts":
        return "the start of your next turn" if node.yours else f"the start of the next {node.span_of}"
    return "the end of your turn" if node.yours else f"the end of {which} {node.span_of}"
