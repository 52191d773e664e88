"""A desk for single sentences: each is read on top of all texts of a game, and leaves no trace there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from warchest.ir import steps as ir
from warchest.ir.properties import Property
from warchest.ir.ruleset import (
    FIXED,
    YOU,
    Definition,
    Domain,
    Hook,
    InitialValue,
    Role,
    Rule,
    StandingChange,
    StateRule,
)
from warchest.ir.values import NOTHING, Condition, Const, Value, Var
from warchest.resolve.announce import NO_CARRIER, Carrier, announce
from warchest.resolve.budgets import begins_within
from warchest.resolve.conditions import read_condition
from warchest.resolve.idle import finished
from warchest.resolve.initial_values import key_of, value_of_act
from warchest.resolve.phrase_nouns import widest_noun
from warchest.resolve.property_reader import read_property
from warchest.resolve.resolve import block_scope
from warchest.resolve.rules import numbered_rules, read_rule
from warchest.resolve.sets import Defined, fact_scope, read_about, read_defined
from warchest.resolve.step_reader import read_sentences
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Scope, Typed, Variables, flaw
from warchest.resolve.value_reader import definition_scope, read_number, read_value
from warchest.source.records import record
from warchest.syntax import ast

SentenceKind: TypeAlias = Literal[
    "way", "domain", "rule", "hook", "state", "standing", "beginning", "adjective", "noun", "value", "fact", "steps"
]


@record()
class Fact:
    """The conditions of a verb that states a fact."""

    about: tuple[Condition, ...]
    object: tuple[Condition, ...]
    condition: Condition


@record()
class Meaning:
    """One rule that a sentence makes: the verb (by number) or the word that it is about, and the rule itself.

    Names of code are addresses in files, so they are not compared. `scope` holds the meanings of its words, `thing` is
    the thing that a word applies to, `carrier` the thing that carries the text.
    """

    kind: SentenceKind
    about: int | str
    rule: (
        Definition
        | Domain
        | Rule
        | Hook
        | StateRule
        | StandingChange
        | InitialValue
        | Defined
        | Fact
        | Value
        | ir.Steps
    )
    negated: bool = False
    carrier: Carrier = field(default=NO_CARRIER, compare=False)
    roles: tuple[Role, ...] = ()
    """The roles of the verb, including those that the sentence has added."""
    things: tuple[Typed, ...] = ()
    scope: Scope | None = field(default=None, compare=False, repr=False)


@contextmanager
def untouched(reader: TextReader) -> Iterator[_Sizes]:
    """Undo everything that the block reads, and yield the sizes from before."""
    model, rules = reader.model, reader.model.ruleset
    verbs = rules.verbs
    grown: list[list[Any]] = [
        rules.hooks,
        rules.state_rules,
        rules.standing,
        rules.beginnings,
        rules.raised,
        rules.grants,
        rules.prevailing,
        rules.fields,
    ]
    for verb in verbs:
        grown += verb.roles, verb.definitions, verb.domains, verb.forbidden, verb.counts
    tables: list[dict[str, list[Any]]] = [model.adjectives, model.nouns, model.values, model.relations]
    sizes = list(map(len, grown))
    words = [{word: list(told) for word, told in table.items()} for table in tables]
    others = dict(model.uses), dict(rules.upheld), {verb: dict(one) for verb, one in model.said_with.items()}
    permitted, limits = set(model.permitted), dict(model.limits)
    reader.unfolded = reader.in_all = 0
    try:
        yield _Sizes(
            len(rules.hooks),
            len(rules.state_rules),
            len(rules.standing),
            len(rules.beginnings),
            tuple((len(verb.definitions), len(verb.domains), len(verb.forbidden)) for verb in verbs),
        )
    except RecursionError:
        raise flaw("nesting-too-deep", "the sentence is nested too deeply", None) from None  # type: ignore[arg-type]
    finally:
        # The new parts are appended to the existing ones.
        for one, size in zip(grown, sizes, strict=True):
            del one[size:]
        for table, told in zip(tables, words, strict=True):
            table.clear()
            table.update(told)
        model.uses, rules.upheld, model.said_with = others
        model.permitted, model.limits = permitted, limits


FREE = Scope(Variables(FIXED + 2), None, Var(YOU, "player"))
"""The scope for reading words that no rule uses yet."""


class Desk:
    """Reads sentences with a reader that has read all texts of a game."""

    def __init__(self, reader: TextReader) -> None:
        self.reader, self.model = reader, reader.model
        self.adjectives: dict[object, dict[object, str]] = {}
        """The adjectives by their meanings for a thing in a scope, kept between searches; of equal ones, the first."""
        self.relations: dict[object, list[tuple[object, str]]] = {}
        """The verbs that state facts about two things, each after its meaning, kept in the same way."""

    def rules(self, sentence: ast.Sentence, carrier: Carrier) -> tuple[Meaning, ...]:
        """Return the rules of a sentence of a block of rules; raises Flaw."""
        self.model.reading = carrier.document
        with untouched(self.reader) as before:
            ((joined_sentence, number),) = numbered_rules(self.reader, [sentence], carrier)
            if isinstance(joined_sentence, ast.DefineIs) and isinstance(joined_sentence.subject, ast.Phrase):
                # A number is given once: this must not prevent reading its text again.
                begun = value_of_act(self.model, joined_sentence.subject)
                word = key_of(self.model, begun) if begun >= 0 else joined_sentence.subject.head.text
                told = self.model.values.get(word, [])
                told[:] = [one for one in told if one.carrier != carrier.number]
            announce(self.reader, joined_sentence, carrier)
            read_rule(self.reader, joined_sentence, number, carrier)
            return tuple([*self._added(before, carrier), *self._words(joined_sentence, carrier)])

    def steps(self, sentences: Sequence[ast.Sentence], carrier: Carrier) -> tuple[Meaning, ...]:
        """Return the steps of a block of sentences, and the rules that they put into force for a time; raises Flaw."""
        self.model.reading = carrier.document
        with untouched(self.reader) as before:
            scope = block_scope(carrier)
            steps, _ = read_sentences(self.reader, sentences, scope)
            steps = begins_within(finished(steps, scope.variables))
            lasting = self._added(before, carrier)
            return (Meaning("steps", "", steps, carrier=carrier, scope=block_scope(carrier)), *lasting)

    def property(self, sentence: ast.Sentence) -> Property:
        """Return a property; raises Flaw."""
        with untouched(self.reader):
            return read_property(self.reader, sentence)

    def _added(self, before: _Sizes, carrier: Carrier) -> Iterator[Meaning]:
        rules = self.model.ruleset
        for number, (verb, sizes) in enumerate(zip(rules.verbs, before.verbs, strict=True)):
            for way in verb.definitions[sizes[0] :]:
                yield Meaning("way", number, replace(way, code=_nameless(way.code)), False, carrier, tuple(verb.roles))
            for domain in verb.domains[sizes[1] :]:
                yield Meaning("domain", number, domain, carrier=carrier)
            for rule in verb.forbidden[sizes[2] :]:
                yield Meaning("rule", number, rule, carrier=carrier)
        for hook in rules.hooks[before.hooks :]:
            yield Meaning("hook", hook.code.verb, replace(hook, code=_nameless(hook.code)), carrier=carrier)
        for state in rules.state_rules[before.state_rules :]:
            yield Meaning("state", -1, replace(state, code=_nameless(state.code)), carrier=carrier)
        for change in rules.standing[before.standing :]:
            yield Meaning("standing", -1, change, carrier=carrier)
        for begun in rules.beginnings[before.beginnings :]:
            yield Meaning("beginning", -1, begun, carrier=carrier)

    # ---- words, which make rules only where they are used

    def _words(self, sentence: ast.Sentence, carrier: Carrier) -> Iterator[Meaning]:
        """Yield the rules of a definition, read for any thing that it is about."""
        match sentence:
            case ast.DefineIs(subject, negated, ast.Adjective(word)):
                thing = self._any(subject, carrier)
                yield self._word("adjective", word.text, sentence, thing, carrier, negated)
            case ast.DefineIs(subject) if value_of_act(self.model, subject) >= 0:
                return
            case ast.DefineIs(ast.Phrase(head=ast.Word(head)) as subject, negated, value):
                if head in self.model.numbers:
                    yield self._value(subject, head, value, carrier)
                elif isinstance(value, ast.Phrase):
                    about = value if sentence.condition is None else subject
                    noun = subject.head.text if sentence.condition is None else value.head.text
                    yield self._word("noun", noun, sentence, self._any(about, carrier), carrier, negated)
            case ast.DefineHolds(subject, verb, ast.Arguments(ast.Phrase() as wanted), condition):
                yield self._fact(subject, verb.text, wanted, condition, carrier)

    def _word(
        self, kind: SentenceKind, word: str, sentence: ast.DefineIs, thing: Typed, carrier: Carrier, negated: bool
    ) -> Meaning:
        said = read_defined(self.reader, sentence, carrier.number, thing, word, FREE)
        if said is None:
            raise flaw("wrong-kind", "this is about no existing thing", sentence.span)
        return Meaning(kind, word, said, negated, carrier, (), (thing,), said.scope)

    def _value(self, subject: ast.Phrase, noun: str, value: ast.ValuePhrase, carrier: Carrier) -> Meaning:
        of = subject.modifiers[0]
        assert isinstance(of, ast.Related)
        thing = self._any(of.phrase, carrier)
        inner = definition_scope(self.reader, of.phrase, carrier.number, thing, noun, FREE)
        if inner is None or isinstance(value, ast.Adjective | ast.Comparison | ast.Place):
            raise flaw("wrong-kind", "this is about no existing thing", subject.span)
        return Meaning(
            "value", noun, read_number(self.reader, value, inner), carrier=carrier, things=(thing,), scope=inner
        )

    def _fact(
        self, subject: ast.NounPhrase, verb: str, wanted: ast.Phrase, condition: ast.Proposition, carrier: Carrier
    ) -> Meaning:
        first, second = self._any(subject, carrier), self._any(wanted, carrier, FIXED + 1)
        both = fact_scope(self.reader, subject, wanted, carrier.number, first, second, verb, FREE)
        if both is None:
            raise flaw("wrong-kind", "this is about no existing thing", subject.span)
        fact = Fact(
            tuple(read_about(self.reader, subject, first, both)),
            tuple(read_about(self.reader, wanted, second, both)),
            read_condition(self.reader, condition, both),
        )
        return Meaning("fact", verb, fact, carrier=carrier, things=(first, second), scope=both)

    def _any(self, phrase: ast.NounPhrase, carrier: Carrier, number: int = FIXED) -> Typed:
        """Return any thing that a phrase can be about, by its widest noun."""
        if isinstance(phrase, ast.Phrase):
            head = phrase.head.text
            if head == "type":
                return Typed(Var(number, "document"), "document", "type")
            if head in self.model.of_acts.values():
                return Typed(Const(NOTHING, "flag"), "flag", head)
            if head == "game" or head in self.model.ruleset.singles:
                return read_value(self.reader, phrase, Scope(Variables(FIXED)))
            known = self.model.thing(head)
            if known is not None and known.base is not None:
                widest = widest_noun(self.reader, known)
                several = len(widest.kinds) > 1
                return Typed(Var(number, known.base, widest.name), known.base, "" if several else widest.name)
        return Typed(Var(number, "piece", carrier.noun), "piece", carrier.noun)


@record()
class _Sizes:
    """The numbers of hooks, state rules, standing changes, and rules of each verb."""

    hooks: int
    state_rules: int
    standing: int
    beginnings: int
    verbs: tuple[tuple[int, int, int], ...]


def _nameless(code: ir.Code) -> ir.Code:
    return replace(code, name="")
