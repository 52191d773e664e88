"""Phrases for an event: they become conditions on the agent and on the roles of the act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import AGENT, FIXED, MANNER, THIS, YOU, Verb
from warchest.ir.values import All, Base, Compare, Condition, Not, Var
from warchest.resolve.announce import NO_CARRIER, Carrier
from warchest.resolve.conditions import (
    nothing_left,
    of_any_amount,
    read_cause,
    read_condition,
    said_by_role,
    single_said,
)
from warchest.resolve.idle import finished
from warchest.resolve.moments import EventSaid, mention_of_act
from warchest.resolve.phrase_nouns import is_indefinite, mentioned
from warchest.resolve.quantities import is_from_nobody, source_said
from warchest.resolve.sets import kind_named, read_fits
from warchest.resolve.sides import actor_of, for_role, take_note
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import ACTOR, ITSELF, Flaw, Mention, Scope, Typed, Variables, flaw
from warchest.resolve.value_reader import read_value
from warchest.resolve.verb_orders import can_act, can_fill, refuse_other
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast

MOST_VERBS = 8
"""The most verbs of a game in the list of a finding."""
Guard: TypeAlias = tuple[str, ast.Proposition]
"""A condition after an event, and the word before it: `while`, or `unless`."""
_CAUSES = ("against", "for", "by")
"""The prepositions of causes."""


# ---- scopes


def scope_of_text(
    reader: TextReader, verb: Verb, carrier: Carrier = NO_CARRIER, this: Typed | None = None
) -> tuple[Scope, list[Typed]]:
    """Return the scope of a text about a verb, and the agent and the roles that it can name."""
    base: Base = "piece" if verb.by == "piece" else "player"
    agent = Typed(Var(AGENT, base, verb.agent_noun), base, verb.agent_noun)
    roles = [
        Typed(Var(FIXED + index, role.base, role.noun), role.base, role.noun) for index, role in enumerate(verb.roles)
    ]
    you = Var(YOU, "player", "player")
    variables = Variables(FIXED + len(roles))
    return Scope(variables, this, you, this, carrier.number, reader.spoken_before), [agent, *roles]


def this_of(carrier: Carrier, base: Base = "piece") -> Typed | None:
    """Return the thing that `this` means in a text; None if no document carries the text."""
    if carrier.number < 0:
        return None
    return Typed(Var(THIS, base, carrier.noun), base, carrier.noun)


def params_of(known: list[Typed], this: Base = "piece") -> tuple[Var, ...]:
    """Return the parameters of the code of a text: the fixed ones, the agent and the roles."""
    fixed = (Var(THIS, this), Var(YOU, "player"), Var(MANNER, "manner"))
    return (*fixed, *(typed.value for typed in known if isinstance(typed.value, Var)))


def code_of(
    name: str, origin: ir.Origin, verb: int, params: tuple[Var, ...], steps: ir.Steps, variables: Variables, span: Span
) -> ir.Code:
    """Return a piece of code, without variables for shared mentions that nothing uses."""
    return ir.Code(name, origin, verb, params, finished(steps, variables), variables.used, span)


def refuse_it_there(reader: TextReader, phrase: ast.Expression) -> None:
    """Raise Flaw for a rule that begins with `it`: `it` has no antecedent there."""
    if isinstance(phrase, ast.Pronoun) and phrase.word == "it" and not reader.spoken_before:
        message = "nothing was spoken of that `it` could take up"
        raise flaw("no-antecedent", message, phrase.span, help="say `this`, or of what kind of thing it is: `a …`")


def act_so(reader: TextReader, said: EventSaid, scope: Scope) -> list[Condition]:
    """Return the conditions that the phrase for an act contains: `a dark attack`."""
    return [read_condition(reader, one, scope) for one in said.about]


def read_pattern(
    reader: TextReader,
    word: ast.Word,
    arguments: ast.Arguments,
    verb: Verb,
    roles: list[Typed],
    scope: Scope,
    *,
    causes: bool = False,
    this_role: int = -1,
    actor: Typed | None = None,
    defined: bool = False,
) -> list[Condition]:
    """Read the phrases of a verb as conditions on its roles, and on the cause of the act.

    `actor` is the agent, if a text on a card has another subject; `defined`: the text defines the verb.
    """
    found: list[Condition] = []
    said = said_by_role(reader, arguments)
    single_said(reader, word, said, word.span)
    for index, (role, typed) in enumerate(zip(verb.roles, roles, strict=True)):
        phrase = said.pop(role.word, None)
        said_this = isinstance(phrase, ast.Pronoun) and phrase.word == "this"
        if phrase is None or (said_this and index + 1 == this_role) or of_any_amount(reader, phrase, role):
            continue
        so_far = scope.before(*roles[index:])
        take_note(reader, phrase, actor, role.noun)
        found += () if defined else source_said(phrase, verb, role, typed)
        if is_from_nobody(phrase, verb, role):
            continue
        if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
            if _is_other_thing(reader, phrase, typed):
                needed = with_article(role.noun)
                message = f"{needed} is needed here, not {quoted(phrase.span.text)}"
                raise flaw("wrong-kind", message, phrase.head.span, help=f"name {needed}")
            found.extend(read_fits(reader, phrase, typed, for_role(reader, so_far, role, actor)))
        else:
            refuse_it_there(reader, phrase)
            value = read_value(reader, phrase, so_far, lambda one, r=role: can_fill(reader, one, r))  # type: ignore[misc]
            refuse_other(reader, value, role, phrase)
            found.append(Compare("==", typed.value, value.value, phrase.span))
    found += _causes(reader, said, verb, scope) if causes else ()
    nothing_left(reader, word, said)
    return found


def _causes(reader: TextReader, said: dict[str, ast.Expression | None], verb: Verb, scope: Scope) -> list[Condition]:
    """Remove the causes of an act from its phrases, and read them."""
    by = [cause for preposition in _CAUSES if (cause := said.pop(preposition, None)) is not None]
    if len(by) > 1 and isinstance(by[0], ast.Phrase) and not _is_an_act(reader, by[1]):
        by = [_act_of(by[0], by[1])]
    if len(by) > 1:
        # People would read the second of two as a modifier of the first.
        raise flaw("unknown-role", "the cause of this is named twice", by[1].span, help="leave out one of the two")
    return [read_cause(reader, cause, verb, scope) for cause in by]


def _is_an_act(reader: TextReader, phrase: ast.Expression) -> bool:
    """Whether a phrase names an act, and not a known thing."""
    noun = phrase.head.text if isinstance(phrase, ast.Phrase) else ""
    return noun in reader.model.verb_nouns or is_indefinite(phrase) or isinstance(phrase, ast.Name)


def _act_of(act: ast.Phrase, doer: ast.Expression) -> ast.Phrase:
    """Return the phrase for an act of an agent: `an attack by this` is `the attack of this`."""
    if act.determiner not in ("a", "an") or act.modifiers or not isinstance(doer, ast.Pronoun | ast.Phrase):
        message = "the cause of this is named twice"
        raise flaw("unknown-role", message, doer.span, help=f"say whose act it is: `the {act.head.text} of …`")
    return replace(act, determiner="the", modifiers=(ast.Related("of", doer, span=doer.span),))


# ---- the things that a text about an event speaks of


def _this_role(subject: ast.NounPhrase | None, arguments: ast.Arguments, verb: Verb) -> int:
    """Return the number of the role of `this` in the pattern: 0 for the agent, then the roles; -1 for none."""
    if isinstance(subject, ast.Pronoun) and subject.word == "this":
        return 0
    said = {"": arguments.object, **{role.word: role.phrase for role in arguments.roles}}
    for index, role in enumerate(verb.roles):
        phrase = said.get(role.word)
        if isinstance(phrase, ast.Pronoun) and phrase.word == "this":
            return index + 1
    return -1


def event_scope(
    reader: TextReader,
    subject: ast.NounPhrase | None,
    arguments: ast.Arguments,
    verb: Verb,
    carrier: Carrier,
    *,
    as_piece: bool = False,
) -> tuple[Scope, list[Typed], int]:
    """Return the scope of a rule or hook about a verb, the agent and roles, and the role of `this`.

    With `as_piece`, a rule about a token as `this` is read as one about the piece that it becomes, or still is.
    """
    this_role = _this_role(subject, arguments, verb)
    if this_role >= 0 and carrier.number < 0:
        message = "`this` is nothing here, because no document carries this text"
        raise flaw("no-antecedent", message, (subject or arguments).span)
    base: Base = "piece"
    if this_role > 0 and not as_piece:
        base = verb.roles[this_role - 1].base
    scope, known = scope_of_text(reader, verb, carrier, this_of(carrier, base))
    said = {role.word: role.phrase for role in roles_of(arguments)}
    mentions = []
    if this_role != 0 and isinstance(subject, ast.Phrase) and is_indefinite(subject):
        mentions.append(mentioned(subject, known[0], verb.agent_noun))
    for index, role in enumerate(verb.roles, 1):
        phrase = said.get(role.word)
        if phrase is None:
            if verb.moment_of < 0:
                mentions.append(Mention(known[index], (role.noun,), told=False, implied=True))
        elif index != this_role and isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
            mentions.append(mentioned(phrase, known[index], role.noun))
    mentions += mention_of_act(reader.model, verb, arguments.span)
    if this_role >= 0 and scope.this is not None:
        spoken = subject if this_role == 0 else said[verb.roles[this_role - 1].word]
        mentions.append(Mention(scope.this, (), span=(spoken or arguments).span))
    return scope.mentioning(*mentions), known, this_role


def subject_fits(
    reader: TextReader, subject: ast.NounPhrase | None, agent: Typed, verb: Verb, carrier: Carrier, scope: Scope
) -> list[Condition]:
    """Read the subject as conditions on the agent; in a text on a card `you` is the owner of the card."""
    if subject is None:
        return []
    scope = replace(scope, mentions=reader.spoken_before)
    if isinstance(subject, ast.Phrase) and is_indefinite(subject):
        if _is_other_thing(reader, subject, agent):
            raise _never_does(subject, verb)
        return read_fits(reader, subject, agent, scope.from_here(scope.this))
    refuse_it_there(reader, subject)
    who = read_value(reader, subject, scope)
    if not can_act(reader, who, verb) and not reader.model.akin(who.noun, verb.agent_noun):
        raise _never_does(subject, verb)
    if (isinstance(subject, ast.Pronoun) and (subject.word == "this" or carrier.number < 0)) or verb.by == "game":
        return []
    return [Compare("==", agent.value, who.value, subject.span)]


def _is_other_thing(reader: TextReader, phrase: ast.Phrase, needed: Typed) -> bool:
    """Whether a phrase names a kind of thing that the needed one never is."""
    return isinstance(phrase.head, ast.Word) and kind_named(reader, phrase.head, needed) is None


def _never_does(subject: ast.NounPhrase, verb: Verb) -> Flaw:
    """Return the Flaw for a subject that cannot do the act of a verb."""
    doer = with_article(verb.agent_noun or "piece" if verb.by == "piece" else verb.by)
    message = f"{quoted(subject.span.text)} never does this"
    return flaw("wrong-kind", message, subject.span, help=f"it is done by {doer}")


def read_guard(reader: TextReader, guard: Guard | None, scope: Scope) -> list[Condition]:
    """Read the condition after `while` or `unless`, if there is one."""
    if guard is None:
        return []
    word, condition = guard
    read = read_condition(reader, condition, scope)
    if isinstance(read, All) and not read.conditions:
        raise flaw("says-nothing", f"{quoted(condition.span.text)} is always so", condition.span, help="leave it out")
    return [Not(read, condition.span) if word == "unless" else read]


def acts_meant(reader: TextReader, words: Sequence[ast.Word], arguments: ast.Arguments) -> list[ast.Word]:
    """Return the verbs of an event: a name for several acts counts as each of these that has the given roles."""
    if arguments.object is None and all(role.word in _CAUSES for role in arguments.roles):
        return [*words]
    said = [(word, reader.model.verb(word.text)) for word in words]
    return [
        one
        for word, verb in said
        for one in (
            [ast.Word(reader.model.ruleset.verbs[kind].name, span=word.span) for kind in verb.kinds]
            if verb is not None and verb.is_name
            else [word]
        )
    ]


def known_verb(reader: TextReader, word: ast.Word) -> Verb:
    """Return the verb of the game that a rule is about; raises Flaw."""
    verb = reader.model.verb(word.text)
    if verb is None:
        message = f"no rule can be made about {quoted(word.text)}"
        help = f"rules are about the verbs of the game: {_some_verbs(reader)}"
        raise flaw("undeclared-verb", message, word.span, help)
    return verb


def _some_verbs(reader: TextReader) -> str:
    """Return a list of some of the verbs that pieces and players of the game do."""
    names = [verb.name for verb in reader.model.ruleset.verbs if verb.by != "game" and not verb.built_in]
    shown = [f"`{name}`" for name in names[:MOST_VERBS]]
    return ", ".join([*shown, "…"] if len(names) > MOST_VERBS else shown)


def concrete_verbs(reader: TextReader, verb: Verb, word: ast.Word) -> tuple[int, ...]:
    """Return the numbers of the verbs whose events count as events of a verb."""
    return verb.kinds or (reader.model.verbs[word.text],)


def event_said(event: ast.EventPhrase) -> tuple[ast.NounPhrase | None, tuple[ast.Word, ...], ast.Arguments]:
    """Return the subject, the verbs and the arguments of an event; raises Flaw for anything else."""
    match event:
        case ast.Happens(subject, verbs, arguments):
            return subject, verbs, arguments
        case ast.Would(subject, verb, arguments):
            return subject, (verb,), arguments
        case ast.IsDone(subject, verbs, arguments):
            if arguments.object is not None:
                message = f"{quoted(arguments.object.span.text)} does not fit here"
                raise flaw("unknown-role", message, arguments.object.span, help="say who does it: `after a … … this`")
            return None, verbs, replace(arguments, object=subject)
    raise flaw("syntax-error", "this is not an event", event.span)


def state_scope(phrase: ast.Phrase | None = None, member: Typed | None = None) -> Scope:
    """Return the scope of a state rule, or (with a member) the scope of its steps about that member."""
    scope = Scope(Variables(FIXED))
    if phrase is None or member is None:
        return scope
    return replace(scope, variables=Variables(FIXED + 1)).mentioning(mentioned(phrase, member))


def measured_from(agent: Typed, scope: Scope, *, named: bool = True, itself: bool = False) -> Scope:
    """Return the scope in which distances without an origin are measured from the agent, which may be `this` itself.

    They are measured from `this` if the agent is a player, or if a text on a card does not name the agent (`named`).
    """
    if agent.base != "piece" or not (named or scope.carrier < 0):
        return scope.from_here(scope.this)
    return scope.from_here(replace(agent, noun=ITSELF if itself else ACTOR))


def roles_of(arguments: ast.Arguments) -> list[ast.RolePhrase]:
    """Return the roles of a verb; its object is a role without a preposition."""
    thing = arguments.amount or arguments.object
    return [*([ast.RolePhrase("", thing, span=thing.span)] if thing is not None else []), *arguments.roles]


@record()
class EventRead:
    """An event in a text: the agent and the roles, the role of `this`, and their conditions.

    `scope` is the scope of further conditions, `around` the scope of phrases for the act.
    """

    known: list[Typed]
    this_role: int
    conditions: list[Condition]
    scope: Scope
    around: Scope


def read_event(
    reader: TextReader,
    word: ast.Word,
    said: EventSaid,
    verb: Verb,
    carrier: Carrier,
    *,
    as_piece: bool = False,
    named: bool = True,
) -> EventRead:
    """Read an event in a rule; it is `named` if the subject is the agent itself, which can be left out."""
    subject, arguments = said.subject, said.arguments
    scope, (agent, *roles), this_role = event_scope(reader, subject, arguments, verb, carrier, as_piece=as_piece)
    found = subject_fits(reader, subject, agent, verb, carrier, scope)
    around, actor = measured_from(agent, scope, named=named, itself=this_role == 0), actor_of(subject, agent, scope)
    found += read_pattern(reader, word, arguments, verb, roles, around, causes=True, this_role=this_role, actor=actor)
    return EventRead([agent, *roles], this_role, [*found, *act_so(reader, said, around)], scope, around)
