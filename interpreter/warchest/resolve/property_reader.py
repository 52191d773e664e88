"""Sentences about all games: conditions and events that occur always, never or sometimes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from warchest.diagnostics.diagnostic import quoted
from warchest.ir.properties import EventAssertion, Frequency, Property, StateAssertion
from warchest.ir.ruleset import AGENT, FIXED
from warchest.ir.values import All, Condition, Exists
from warchest.resolve.amounts import as_any
from warchest.resolve.announce import NO_CARRIER
from warchest.resolve.conditions import read_condition, refuse_again
from warchest.resolve.event_patterns import (
    Guard,
    act_so,
    acts_meant,
    event_said,
    event_scope,
    known_verb,
    read_guard,
    read_pattern,
    state_scope,
    subject_fits,
)
from warchest.resolve.moments import said_of_doer
from warchest.resolve.phrase_nouns import mentioned, thing_of
from warchest.resolve.sets import read_members
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Scope, Typed, flaw
from warchest.resolve.value_reader import read_value
from warchest.syntax import ast

_OF_ANY = ("a", "any", "another")


def read_property(reader: TextReader, sentence: ast.Sentence) -> Property:
    """Read a property; raises Flaw if it makes no sense."""
    if not isinstance(sentence, ast.PropertySentence):
        message = f"{quoted(sentence.span.text)} is no property"
        raise flaw("not-a-property", message, sentence.span, help="begin with `always`, `never` or `sometimes`")
    before, reader.everywhere = reader.everywhere, True
    try:
        assertions = tuple(_assertions(reader, sentence))
    finally:
        reader.everywhere = before
    return Property(cast(Frequency, sentence.frequency), assertions, sentence.span)


def _assertions(reader: TextReader, sentence: ast.PropertySentence) -> Iterator[EventAssertion | StateAssertion]:
    event = _as_event(reader, sentence.asserted)
    yield from _events(reader, sentence, event) if event is not None else _states(reader, sentence)


def _as_event(reader: TextReader, assertion: ast.Asserted) -> ast.Happens | ast.IsDone | None:
    """Return the event that an assertion is about; None if it is about a state."""
    match assertion:
        case ast.IsDone():
            return assertion
        case ast.Holds(subject, verbs, arguments) if _is_act(reader, assertion):
            return ast.Happens(subject, verbs, arguments, span=assertion.span)
    return None


def _is_act(reader: TextReader, node: ast.Holds) -> bool:
    """Whether a verb states an act; a verb that can also state a fact does if its subject is of the type that acts."""
    word = node.verbs[0].text
    verb = reader.model.verb(word)
    if verb is None or len(node.verbs) > 1 or word not in reader.model.relations:
        return verb is not None
    return isinstance(node.subject, ast.Phrase) and thing_of(reader, node.subject).base == verb.by


# ---- what happens


def _events(
    reader: TextReader, sentence: ast.PropertySentence, event: ast.Happens | ast.IsDone
) -> Iterator[EventAssertion]:
    subject, words, arguments = event_said(event)
    refuse_again(reader, words)
    meant = acts_meant(reader, words, arguments)
    if sentence.frequency == "sometimes" and len(meant) > len(words):
        one = next(word for word in words if word.text not in [other.text for other in meant])
        acts = " or ".join(f"`{word.text}`" for word in meant if word.span == one.span)
        message = f"{quoted(one.text)} is a name for several acts"
        raise flaw("not-a-property", message, one.span, help=f"say which of them sometimes happens: {acts}")
    for word in meant:
        yield _event_assertion(reader, sentence, word, subject, arguments)


def _event_assertion(
    reader: TextReader,
    sentence: ast.PropertySentence,
    word: ast.Word,
    subject: ast.NounPhrase | None,
    arguments: ast.Arguments,
) -> EventAssertion:
    """Read an assertion about the events of a verb.

    The phrases of the sentence are read without their `that is …`. Only for `never` the subject keeps its full
    description, because acts of other things do not test a statement about the subject.
    """
    guard = (sentence.word, sentence.condition) if sentence.condition is not None else None
    is_done = subject is None
    plain, several = _without_relative(subject), _arguments_without(arguments, is_done=False)
    if sentence.frequency == "always" and (plain, several) == (subject, arguments):
        message = "this does not say what is so of each such event"
        help = "say it after the noun, `… a unit that is …`, or say an event after `never`"
        raise flaw("says-nothing", message, sentence.span, help)
    if sentence.frequency == "never":
        plain, several = subject, _arguments_without(arguments, is_done)
    holds = _holds_of(reader, word, subject, arguments, guard)
    applies: Condition | None = _holds_of(reader, word, plain, several, guard)
    if applies == holds and sentence.frequency != "sometimes":
        applies = None
    number = reader.model.verbs[word.text]
    verb = reader.model.ruleset.verbs[number]
    about = next((FIXED + at for at, role in enumerate(verb.roles) if not role.word), AGENT) if is_done else AGENT
    return EventAssertion(verb.kinds or (number,), number, applies, holds, about)


def _holds_of(
    reader: TextReader, word: ast.Word, subject: ast.NounPhrase | None, arguments: ast.Arguments, guard: Guard | None
) -> Condition:
    """Read an event, with its conditions, as a condition on its agent and roles."""
    verb = known_verb(reader, word)
    said = said_of_doer(reader.model, subject, verb, arguments)
    scope, (agent, *roles), this_role = event_scope(reader, said.subject, said.arguments, verb, NO_CARRIER)
    found = subject_fits(reader, said.subject, agent, verb, NO_CARRIER, scope)
    around = scope.from_here(agent)
    found.extend(read_pattern(reader, word, said.arguments, verb, roles, around, causes=True, this_role=this_role))
    found.extend(act_so(reader, said, around))
    found.extend(read_guard(reader, guard, around))
    return All(tuple(found), word.span)


# ---- conditions


def _states(reader: TextReader, sentence: ast.PropertySentence) -> Iterator[StateAssertion]:
    guard = (sentence.word, sentence.condition) if sentence.condition is not None else None
    assertion, scope = sentence.asserted, state_scope()
    among = member = None
    if isinstance(assertion, ast.OfEach):
        among = read_members(reader, as_any(assertion.members), scope)
        member = scope.variables.new(among.var.base, among.var.noun)
        scope = scope.each(mentioned(assertion.members, Typed(member, member.base, member.noun)))
        assertion = assertion.asserted
    asked = read_guard(reader, guard, scope)
    if isinstance(assertion, ast.Varies):
        yield _change(
            reader,
            sentence,
            assertion,
            StateAssertion(among, member, 0, All(tuple(asked), assertion.span), All((), assertion.span)),
            scope,
        )
        return
    assert isinstance(assertion, ast.Is | ast.Holds | ast.AllOf | ast.AnyOf)
    _refuse_events(reader, assertion)
    said = read_condition(reader, assertion, scope)
    applies = [*asked, *_subject_there(reader, sentence.frequency, assertion, scope)]
    yield StateAssertion(
        among, member, scope.variables.used, All(tuple(applies), assertion.span), All((*asked, said), assertion.span)
    )


def _change(
    reader: TextReader, sentence: ast.PropertySentence, assertion: ast.Varies, bare: StateAssertion, scope: Scope
) -> StateAssertion:
    """Read an assertion about a change; raises Flaw if the change is certain, or cannot be observed."""
    if sentence.frequency == "always":
        message = "no value differs in every state"
        raise flaw("says-nothing", message, sentence.span, help="say that it `never` or `sometimes` changes")
    if bare.member is not None and bare.member.base == "piece":
        message = "a piece can be followed no longer than it is there"
        raise flaw("wrong-kind", message, assertion.span, help="say it of players, teams, spaces, or of their things")
    return replace(bare, variables=scope.variables.used, value=read_value(reader, assertion.subject, scope).value)


def _subject_there(reader: TextReader, frequency: str, assertion: ast.Proposition, scope: Scope) -> Sequence[Condition]:
    """Return the condition that a thing exists which a `never` claim is about; otherwise the claim would be empty."""
    subject = assertion.subject if isinstance(assertion, ast.Is) else None
    if not isinstance(subject, ast.Phrase) or not isinstance(assertion, ast.Is):
        return []
    denied = subject.determiner in ("no", "all", "each") if frequency == "always" else subject.determiner in _OF_ANY
    if frequency == "sometimes" or not denied:
        return []
    return [Exists(read_members(reader, as_any(subject), scope), subject.span)]


def _refuse_events(reader: TextReader, assertion: ast.Proposition) -> None:
    """Raise Flaw for an event among conditions: a state contains no events."""
    match assertion:
        case ast.AllOf(parts) | ast.AnyOf(parts):
            for part in parts:
                _refuse_events(reader, part)
        case ast.Holds() if _is_act(reader, assertion):
            message = f"{quoted(assertion.span.text)} is an event, and the rest are conditions"
            help = "say the event alone, and its conditions after `while` or `unless`"
            raise flaw("not-a-property", message, assertion.span, help)


_AnyPhrase = TypeVar("_AnyPhrase", bound=ast.Expression | None)


def _without_relative(phrase: _AnyPhrase) -> _AnyPhrase:
    """Return a phrase without its `that is …`."""
    if not isinstance(phrase, ast.Phrase):
        return phrase
    return replace(phrase, modifiers=tuple(one for one in phrase.modifiers if not isinstance(one, ast.ThatIs)))


def _arguments_without(arguments: ast.Arguments, is_done: bool) -> ast.Arguments:
    """Return the arguments of a verb, each without its `that is …`, except for the object of a passive sentence."""
    roles = tuple(replace(role, phrase=_without_relative(role.phrase)) for role in arguments.roles)
    object = arguments.object if is_done else _without_relative(arguments.object)
    return replace(arguments, object=object, roles=roles)
