"""Properties as sentences, with every reference spelt out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from warchest.ir.properties import EventAssertion, Property, StateAssertion
from warchest.ir.ruleset import Rule
from warchest.ir.values import All
from warchest.paraphrase.facts import RuleFact
from warchest.paraphrase.rule_sentences import Paraphrase
from warchest.resolve.announce import NO_CARRIER
from warchest.resolve.event_patterns import event_scope, state_scope
from warchest.resolve.moments import said_of_act
from warchest.resolve.phrase_nouns import mentioned
from warchest.resolve.single_sentences import Meaning
from warchest.resolve.types import Scope, Typed
from warchest.syntax import ast

_JUDGED = {
    EventAssertion: "judged before the act, once nothing takes its place",
    StateAssertion: "judged where nothing is half done",
}


def property_facts(told: Property) -> list[RuleFact]:
    """Return the times at which a property is judged."""
    return list(dict.fromkeys(RuleFact("when", _JUDGED[type(assertion)]) for assertion in told.assertions))


class PropertyParaphrase(Paraphrase):
    """Finds sentences for properties; a sentence is taken only if it is read as the same property."""

    def property(self, told: Property) -> list[ast.Sentence]:
        """Return a sentence for each assertion of a property; raises Unsaid."""
        self.reader.everywhere = True
        try:
            return [self._said_as(replace(told, assertions=(assertion,))) for assertion in told.assertions]
        finally:
            self.reader.everywhere = False

    def _said_as(self, told: Property) -> ast.Sentence:
        (assertion,) = told.assertions
        if isinstance(assertion, EventAssertion):
            return self.first(told, self._of_events(told, assertion), self.desk.property)
        return self.first(told, self._of_states(told, assertion), self.desk.property)

    # ---- what happens

    def _of_events(self, told: Property, assertion: EventAssertion) -> Iterator[ast.Sentence]:
        assert isinstance(assertion.holds, All)
        rule = Rule(-1, -1, assertion.holds, told.span)
        meaning = Meaning("rule", assertion.verb, rule, carrier=NO_CARRIER)
        verb = self.model.ruleset.verbs[assertion.verb]
        for subject, arguments, rest in self.event(meaning, -1, assertion.holds.conditions):
            scope, known, _ = event_scope(self.reader, subject, arguments, verb, NO_CARRIER)
            for guard in self._once(self.guard, rest, scope.from_here(known[0])):
                for who, what in _with_relatives(subject, arguments):
                    for said in said_of_act(self.model, verb, who, what):
                        event = ast.Holds(said.subject, (self.word(verb.name),), said.arguments, span=self.span)
                        yield ast.PropertySentence(told.frequency, event, *(guard or ("", None)), span=self.span)

    # ---- conditions

    def _of_states(self, told: Property, assertion: StateAssertion) -> Iterator[ast.Sentence]:
        assert isinstance(assertion.holds, All) and isinstance(assertion.applies, All)
        asked = assertion.applies.conditions if assertion.value is not None else assertion.holds.conditions[:-1]
        for members, scope in self._members_of(assertion):
            for guard, said in product(self._once(self.guard, asked, scope), self._assertions(assertion, scope)):
                whole: ast.Asserted = ast.OfEach(members, said, span=self.span) if members is not None else said
                yield ast.PropertySentence(told.frequency, whole, *(guard or ("", None)), span=self.span)

    def _members_of(self, assertion: StateAssertion) -> Iterator[tuple[ast.Phrase | None, Scope]]:
        """Yield the phrase for the things that an assertion is made about, with the scope of the assertion."""
        scope = state_scope()
        if assertion.among is None or assertion.member is None:
            yield None, scope
            return
        member = Typed(assertion.member, assertion.member.base, assertion.member.noun)
        for phrase in self._once(self.set, assertion.among, scope, "each"):
            yield phrase, scope.each(mentioned(phrase, member))

    def _assertions(self, assertion: StateAssertion, scope: Scope) -> Iterator[ast.Proposition | ast.Varies]:
        assert isinstance(assertion.holds, All)
        if assertion.value is None:
            yield from self._once(self.condition, assertion.holds.conditions[-1], scope)
            return
        for said in self._once(self.value, assertion.value, scope):
            if not isinstance(said, ast.Number | ast.Amount):
                yield ast.Varies(said, span=self.span)


def _with_relatives(
    subject: ast.NounPhrase, arguments: ast.Arguments
) -> Iterator[tuple[ast.NounPhrase, ast.Arguments]]:
    """Yield the wordings of an event in which the last part of any phrase becomes a relative clause of its own."""
    things = [arguments.object] if arguments.object is not None else []
    phrases: Sequence[ast.Expression] = [subject, *things, *(role.phrase for role in arguments.roles)]
    for who, *rest in product(*([*_ways(one)] for one in phrases)):
        thing = rest.pop(0) if things else None
        roles = tuple(replace(role, phrase=phrase) for role, phrase in zip(arguments.roles, rest, strict=True))
        numbers = ast.Number | ast.Total | ast.Amount
        assert not isinstance(who, numbers) and not isinstance(thing, numbers)
        yield who, replace(arguments, object=thing, roles=roles)


def _ways(phrase: ast.Expression) -> Iterator[ast.Expression]:
    yield phrase
    if not isinstance(phrase, ast.Phrase):
        return
    last = phrase.modifiers[-1] if phrase.modifiers else None
    if isinstance(last, ast.Related | ast.Away):
        relative = ast.ThatIs(False, last, span=last.span)
        yield replace(phrase, modifiers=(*phrase.modifiers[:-1], relative))
    elif last is None and phrase.adjectives:
        word = phrase.adjectives[-1]
        relative = ast.ThatIs(False, ast.Adjective(word, span=word.span), span=word.span)
        yield replace(phrase, adjectives=phrase.adjectives[:-1], modifiers=(relative,))
