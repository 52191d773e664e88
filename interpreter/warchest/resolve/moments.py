"""Moments of acts: events within an act under way that texts define, order and answer, as in `its attack lands`.

A moment has the doer and the roles of its act, so rules about it are read as rules about the doer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Document, Library
from warchest.ir import steps as ir
from warchest.ir.ruleset import BY, Verb
from warchest.ir.values import NOTHING, Const, FieldOf, Value
from warchest.resolve.antecedents import PronounTest
from warchest.resolve.model import Model
from warchest.resolve.types import Flaw, Mention, Typed, flaw
from warchest.source.nodes import Entry, entries
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import third_person

_OBJECT = "on"
"""The preposition between the noun for an act and its object: `an attack on this`."""


@record()
class EventSaid:
    """An event in terms of its doer, with the conditions that the phrase for its act contains."""

    subject: ast.NounPhrase | None
    arguments: ast.Arguments
    about: tuple[ast.Proposition, ...] = ()


@record()
class MomentSaid:
    """An event in the form of a sentence: a moment has its act as its subject."""

    subject: ast.NounPhrase
    arguments: ast.Arguments


# ---- sentences about moments


def act_of(model: Model, verb: Verb) -> Typed:
    """Return the act of a moment as a thing that texts can name."""
    return Typed(Const(NOTHING, "flag"), "flag", model.ruleset.verbs[verb.moment_of].act)


def mention_of_act(model: Model, verb: Verb, span: Span | None) -> tuple[Mention, ...]:
    """Return the mention of the act in a text about a moment of it; empty for other events."""
    if verb.moment_of < 0:
        return ()
    act = act_of(model, verb)
    return (Mention(act, (act.noun,), span=span),)


def said_of_doer(model: Model, subject: ast.NounPhrase | None, verb: Verb, arguments: ast.Arguments) -> EventSaid:
    """Return an event in terms of its doer; raises Flaw for a moment whose subject is not its act.

    `a dark attack of a unit on this lands` is read as `a unit lands this`, while the attack is dark.
    """
    if verb.moment_of < 0:
        return EventSaid(subject, arguments)
    act = act_of(model, verb).noun
    if subject is None or arguments.object is not None or arguments.amount is not None:
        raise _not_of_act(subject, verb, act, arguments)
    if not isinstance(subject, ast.Phrase) or subject.head.text != act or subject.count is not None:
        raise _not_of_act(subject, verb, act, arguments)
    if subject.determiner not in ("a", "an", "any", "each", "its"):
        message = f"{quoted(subject.span.text)} is not just any {act}"
        help = f"say `{with_article(act)}`, and forbid it as `{with_article(act)} … cannot {verb.name}`"
        raise flaw("number-of-things", message, subject.span, help)
    doer, object = None, None
    for part in _apart(model, subject.modifiers):
        if isinstance(part, ast.Related) and part.preposition == "of" and doer is None:
            doer = part.phrase
        elif isinstance(part, ast.Related) and part.preposition == _OBJECT and object is None:
            object = part.phrase
        else:
            message = f"{quoted(part.span.text)} says nothing about {with_article(act)}"
            help = f"say its owner and its object: `{with_article(act)} of … on …`"
            raise flaw("unknown-role", message, part.span, help)
    if subject.determiner == "its":
        doer = doer or ast.Pronoun("this", span=subject.span)
    the_act = replace(subject, determiner="the", adjectives=(), modifiers=())
    about = tuple(
        ast.Is(the_act, False, ast.Adjective(word, span=word.span), span=word.span) for word in subject.adjectives
    )
    return EventSaid(doer, replace(arguments, object=object), about)


def said_in_definition(model: Model, node: ast.DefineVerb, verb: Verb, is_on_card: bool) -> EventSaid:
    """Return the things that a definition names, with the conditions on the act if it defines a moment; raises Flaw."""
    if node.act is None and verb.moment_of < 0:
        return EventSaid(None, node.arguments)
    act = with_article(model.ruleset.verbs[verb.moment_of if verb.moment_of >= 0 else 0].act)
    if verb.moment_of < 0:
        message = f"{quoted(verb.name)} is no moment of an act"
        help = f"say `to {verb.name} …: …`, or declare it under `moments:` of an act"
        raise flaw("wrong-kind", message, node.verb.span, help)
    if node.act is None:
        message = f"{quoted(verb.name)} is a moment of {act}"
        raise flaw("wrong-kind", message, node.verb.span, help=f"say `as {act} {third_person(verb.name)}, …`")
    said = said_of_doer(model, node.act, verb, node.arguments)
    is_own = isinstance(said.subject, ast.Pronoun) and said.subject.word == "this"
    if (said.subject is not None and not is_own) or is_own != (is_on_card):
        whose = f"its {act.split(' ', 1)[1]}" if is_on_card else act
        raise flaw(
            "not-a-definition",
            "a card only defines moments of its own acts, and the game those of all acts",
            node.act.span,
            help=f"say `as {whose} {third_person(verb.name)}, …`, or answer those of others: "
            f"`when {act} … would {verb.name}, … instead`",
        )
    if said.arguments.object is not None:
        message = f"a moment is defined for all objects of {act}"
        help = "leave it out, and say `if …` where it is done"
        raise flaw("not-a-definition", message, said.arguments.object.span, help)
    return said


def refuse_moment(model: Model, verb: Verb, span: Span) -> None:
    """Raise Flaw if a text restricts the things that take part in a moment, because the act determines these."""
    if verb.moment_of >= 0:
        message = f"the act settles the participants of {quoted(verb.name)}"
        raise flaw("wrong-kind", message, span, help=f"say it of `{model.ruleset.verbs[verb.moment_of].name}`")


def _apart(model: Model, parts: Sequence[ast.Modifier]) -> Iterator[ast.Modifier]:
    """Yield the modifiers of a phrase for an act; `on …` becomes one of them if it was read as part of the doer.

    `an attack of a unit on this` is an attack on this; `an attack of a unit on a location` is by a unit there.
    """
    for part in parts:
        inner = part.phrase if isinstance(part, ast.Related) and part.preposition == "of" else None
        last = inner.modifiers[-1] if isinstance(inner, ast.Phrase) and inner.modifiers else None
        if isinstance(last, ast.Related) and last.preposition == _OBJECT and not _is_of_space(model, last.phrase):
            assert isinstance(part, ast.Related) and isinstance(inner, ast.Phrase)
            yield replace(part, phrase=replace(inner, modifiers=inner.modifiers[:-1]))
            yield last
        else:
            yield part


def _is_of_space(model: Model, phrase: ast.Expression) -> bool:
    known = model.thing(phrase.head.text) if isinstance(phrase, ast.Phrase) else None
    return known is not None and known.base == "space"


def _not_of_act(subject: ast.NounPhrase | None, verb: Verb, act: str, arguments: ast.Arguments) -> Flaw:
    place = subject or arguments.amount or arguments.object or arguments
    return flaw(
        "wrong-kind",
        f"{quoted(verb.name)} is a moment of {with_article(act)}",
        place.span,
        help=f"say `{with_article(act)} of … on … {third_person(verb.name)}`, or `the {act} "
        f"{third_person(verb.name)}` where one is under way",
    )


def said_of_act(
    model: Model, verb: Verb, subject: ast.NounPhrase, arguments: ast.Arguments, words: tuple[ast.Word, ...] = ()
) -> Iterator[MomentSaid]:
    """Yield the ways to word an event, which is given with its doer; a moment has its act as its subject.

    A doer or object without conditions is left out at first, and then named, since other words may refer to it; `words`
    are the adjectives of the act.
    """
    if verb.moment_of < 0:
        yield MomentSaid(subject, arguments)
        return
    head = ast.Word(act_of(model, verb).noun, span=subject.span)
    both = [("of", verb.agent_noun, subject), (_OBJECT, _object_of(verb), arguments.object)]
    every = [(word, said, _is_plain(said, noun)) for word, noun, said in both if said is not None]
    is_own = isinstance(subject, ast.Pronoun) and subject.word == "this"
    for left_out in range(1 << len(every)):
        named = [
            (word, said) for index, (word, said, is_plain) in enumerate(every) if not is_plain or left_out >> index & 1
        ]
        if any(not is_plain and left_out >> index & 1 for index, (_, _, is_plain) in enumerate(every)):
            continue
        own = is_own and len(named) == 1
        parts = tuple(ast.Related(word, said, span=said.span) for word, said in named[int(own) :])
        phrase = ast.Phrase("its" if own else "a", None, words, head, parts, span=subject.span)
        yield MomentSaid(phrase, replace(arguments, object=None))


def _object_of(verb: Verb) -> str:
    return next((role.noun for role in verb.roles if role.word == ""), "")


def _is_plain(phrase: ast.Expression, noun: str) -> bool:
    """Whether a phrase is `a NOUN`, which does not restrict an event."""
    return (
        isinstance(phrase, ast.Phrase)
        and phrase.determiner == "a"
        and phrase.head.text == noun
        and not (phrase.adjectives or phrase.modifiers or phrase.count)
    )


def ordered_moment(
    model: Model,
    node: ast.Do,
    number: int,
    manner: int,
    decider: Value,
    value: Callable[[ast.NounPhrase, PronounTest], Typed],
) -> ir.Call:
    """Return the order of a moment of the act under way; `value` reads its subject. Raises Flaw."""
    verb = model.ruleset.verbs[number]
    act = act_of(model, verb)
    if node.subject is None or value(node.subject, lambda one: one.noun == act.noun).noun != act.noun:
        raise _not_of_act(node.subject, verb, act.noun, node.arguments)
    said = node.arguments.amount or node.arguments.object or next(iter(node.arguments.roles), None)
    if said is not None:
        raise flaw(
            "unknown-role", f"{quoted(said.span.text)} is settled by the {act.noun}", said.span, help="leave it out"
        )
    doer, *roles = (part_of(model, verb.moment_of, word, node) for word in (BY, *(role.word for role in verb.roles)))
    filled = tuple(ir.Bound(one) for one in roles)
    return ir.Call(number, ir.Bound(doer), filled, manner, decider, None, span=node.span)


def part_of(model: Model, act: int, word: str, node: ast.SyntaxNode) -> Value:
    """Return the part of an act under way for its doer or a role; raises Flaw if the game does not name that part."""
    for number, field in enumerate(model.ruleset.fields):
        if field.act == act and field.part == word:
            return FieldOf(number, None, field.base)
    verb = model.ruleset.verbs[act]
    key = "object" if word == "" else word
    message = f"`{key}` of {with_article(verb.act)} has no name"
    raise flaw("undeclared", message, node.span, help=f"declare it with the verb `{verb.name}`: `parts: {{…: {key}}}`")


def refuse_part(model: Model, node: ast.Becomes, *places: Typed) -> None:
    """Raise Flaw if a text would change a part of an act."""
    for place in places:
        field = model.ruleset.fields[place.value.field] if isinstance(place.value, FieldOf) else None
        if field is not None and field.part is not None:
            message = f"the {field.name} is settled when the act is ordered"
            help = "order another act in its place: `when … would …, … instead`"
            raise flaw("wrong-kind", message, node.span, help)


# ---- what the game declares


def settle_parts(model: Model, library: Library, game: Document, defined: Collection[str]) -> Iterator[Diagnostic]:
    """Give moments the roles of their acts, and parts of acts their kinds of things; yield the findings.

    `defined` are the verbs that texts define: other verbs have no roles.
    """
    ruleset = model.ruleset
    for verb in ruleset.verbs:
        if verb.moment_of >= 0:
            verb.roles[:] = ruleset.verbs[verb.moment_of].roles
    for number, field in enumerate(ruleset.fields):
        if field.part is None or field.part == BY:
            continue
        verb = ruleset.verbs[field.act]
        role = next((one for one in verb.roles if one.word == field.part), None)
        if role is not None:
            ruleset.fields[number] = replace(field, base=role.base)
        elif verb.name in defined and (entry := _declaration(library, game, verb.name, field.name)) is not None:
            said = " ".join(["to", verb.name, *([field.part] if field.part else []), "a …"])
            yield report(
                "undeclared",
                f"{quoted(entry.key.text)} is no part of this act: no definition has it",
                entry.value.span,
                help=f"say it where the act is defined: `{said}: …`",
            )


def _declaration(library: Library, game: Document, verb: str, part: str) -> Entry | None:
    """Return the entry that declares a part of an act."""
    words = [game.node.get("words"), *(one.node for one in library.of_kind("words"))]
    level = [one for one in words if one is not None]
    for key in ("verbs", verb, "parts"):
        level = [entry.value for node in level for entry in entries(node) if entry.key.text == key]
    return next((entry for node in level for entry in entries(node) if entry.key.text == part), None)
