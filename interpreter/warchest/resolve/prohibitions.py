"""Permissions and prohibitions: the usual choices for the roles of an act, and forbidden acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.ruleset import Domain, Rule, Verb
from warchest.ir.values import All, Attribute, Condition, FieldOf, Not, Ring, Set
from warchest.resolve.announce import Carrier
from warchest.resolve.budgets import count_of, is_left, is_used_up, place_of
from warchest.resolve.conditions import nothing_left, read_cause, refuse_again, said_by_role, single_said
from warchest.resolve.event_patterns import (
    Guard,
    acts_meant,
    event_scope,
    known_verb,
    measured_from,
    read_event,
    read_guard,
    read_pattern,
    subject_fits,
)
from warchest.resolve.moments import refuse_moment, said_of_doer
from warchest.resolve.phrase_nouns import is_indefinite, noun_of_set
from warchest.resolve.sets import read_called, read_members
from warchest.resolve.sides import actor_of, for_role, refuse_sides, take_note
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Scope, Typed, flaw
from warchest.resolve.value_reader import read_value
from warchest.resolve.verb_orders import refuse_other, says_nothing
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.printer import how_often


def as_prohibition(reader: TextReader, sentence: ast.Sentence) -> ast.Sentence:
    """Return a prohibition in its usual form: `no unit can attack this` as `a unit cannot attack this`."""
    if isinstance(sentence, ast.Guarded):
        step = as_prohibition(reader, sentence.step)
        if step is sentence.step or not isinstance(step, ast.Cannot):
            return sentence
        return replace(sentence, step=step)
    limit = sentence.limit if isinstance(sentence, ast.Can) else None
    if isinstance(sentence, ast.Limited) and isinstance(sentence.step, ast.May):
        # `No unit may attack twice a round` allows one attack.
        forbidding = as_prohibition(reader, sentence.step)
        if not isinstance(forbidding, ast.Cannot):
            return sentence
        return replace(forbidding, limit=replace(sentence.limit, times=sentence.limit.times - 1))
    if not isinstance(sentence, ast.Can | ast.May):
        return sentence
    subject = sentence.subject
    if isinstance(subject, ast.Pronoun) and subject.word == "nobody":
        verb = reader.model.verb(sentence.verbs[0].text)
        who = "" if verb is None else verb.agent_noun if verb.by == "piece" else verb.by
        if who in ("", "game"):
            return sentence
        subject = ast.Phrase("a", None, (), ast.Word(who, span=subject.span), (), span=subject.span)
    elif isinstance(subject, ast.Phrase) and subject.determiner == "no":
        is_other = bool(subject.adjectives) and subject.adjectives[0].text == "other"
        subject = replace(subject, determiner="another" if is_other else "a", adjectives=subject.adjectives[is_other:])
    else:
        return sentence
    return ast.Cannot(subject, sentence.verbs, sentence.arguments, limit, span=sentence.span)


def _refuse_player(reader: TextReader, subject: ast.NounPhrase | None, verb: Verb, limit: ast.Limit | None) -> None:
    """Raise Flaw for a rule that forbids players an act of pieces."""
    if verb.by != "piece" or not isinstance(subject, ast.Phrase) or isinstance(subject.head, ast.Name):
        return
    known = reader.model.thing(subject.head.text)
    if known is None or known.base != "player":
        return
    often = f" more than {how_often(limit.times)} a {limit.per} per player" if limit is not None else ""
    message = f"a player does not {quoted(verb.name)}"
    help = f"say it of the pieces: `{with_article(verb.agent_noun or 'piece')} cannot {verb.name}{often}`"
    raise flaw("wrong-kind", message, subject.span, help)


# ---- permissions and prohibitions


def read_domain(
    reader: TextReader,
    permitted: ast.May | ast.Do,
    word: ast.Word,
    guard: Guard | None,
    carrier: Carrier,
    span: Span,
    limit: ast.Limit | None = None,
) -> None:
    """Read the usual, or the permitted, fillers of a role of an act."""
    verb, subject, arguments = known_verb(reader, word), permitted.subject, permitted.arguments
    refuse_moment(reader.model, verb, span)
    scope, (agent, *roles), this_role = event_scope(reader, subject, arguments, verb, carrier)
    applies = [*subject_fits(reader, subject, agent, verb, carrier, scope), *read_guard(reader, guard, scope)]
    scope, actor = measured_from(agent, scope, itself=this_role == 0), actor_of(subject, agent, scope)
    if limit is not None:
        _refuse_count_of_any(subject, agent, limit)
        about = read_pattern(reader, word, arguments, verb, roles, scope, this_role=this_role, actor=actor)
        told = Rule(carrier.number, this_role, All((*applies, *about), span), span)
        applies.append(is_left(_count_acts(reader, verb, told, agent, limit), limit))
    said = said_by_role(reader, arguments)
    single_said(reader, word, said, span)
    found = False
    for index, role in enumerate(verb.roles):
        phrase = said.pop(role.word, None)
        if phrase is None or index + 1 == this_role or says_nothing(phrase, role.noun):
            continue
        so_far = scope.before(*roles[index:])
        if actor is not None:
            scope.variables.known[:] = applies
            refuse_sides(reader, phrase, actor, so_far, role.noun)
        take_note(reader, phrase, actor, role.noun)
        among = _among(reader, phrase, roles[index], for_role(reader, so_far, role, actor))
        refuse_other(reader, Typed(among.var, among.var.base, noun_of_set(reader, phrase, among)), role, phrase)
        reader.put("domains", verb, Domain(carrier.number, this_role, All(tuple(applies), span), index, among, span))
        found = True
    nothing_left(reader, word, said)
    if not found:
        raise _permits_nothing(subject, word, verb, span, limit)


def _permits_nothing(
    subject: ast.NounPhrase | None, word: ast.Word, verb: Verb, span: Span, limit: ast.Limit | None
) -> Flaw:
    """Return the Flaw for a permission that names no permitted thing for any role of its act."""
    free = [f"{role.word} a … {role.noun}".strip() for role in verb.roles]
    help = f"say it, as in `{word.text} {free[0]}`" if free else "leave the sentence out"
    if limit is not None:
        who = subject.span.text if subject is not None else "a …"
        help = f"say `{who} cannot {word.text} more than {how_often(limit.times)} a {limit.per}`"
    return flaw(
        "permits-nothing", f"this does not name the permitted instrument of {quoted(word.text)}", span, help=help
    )


def _among(reader: TextReader, phrase: ast.Expression, role: Typed, scope: Scope) -> Set:
    if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
        return read_members(reader, phrase, scope)
    typed = read_value(reader, phrase, scope)
    if typed.base != "space" or role.base != "space":
        raise flaw("not-indefinite", f"{quoted(phrase.span.text)} leaves no choice", phrase.span, help="say `a …`")
    var, inner = scope.member("space", "space", phrase.span)
    narrow = ast.Word(role.noun, span=phrase.span)
    filters = read_called(reader, narrow, Typed(var, "space", "space"), inner)
    return Set(var, Ring(0, 0, typed.value), tuple(filters), phrase.span)


def read_permission(reader: TextReader, said: ast.Statement, guard: Guard | None, carrier: Carrier, span: Span) -> None:
    """Read a permission of each act that it is about."""
    may = said.step if isinstance(said, ast.Limited) else said
    if not isinstance(may, ast.May):
        raise not_a_rule(said)
    limit = said.limit if isinstance(said, ast.Limited) else None
    for word in acts_meant(reader, may.verbs, may.arguments):
        read_domain(reader, may, word, guard, carrier, span, limit)


def _counted_for(reader: TextReader, limit: ast.Limit, agent: Typed) -> FieldOf:
    """Return the field in which the acts of a piece or a player are counted."""
    if limit.of_players and agent.base == "piece":
        agent = Typed(Attribute("decider", agent.value, "player"), "player", "player")
    return place_of(reader.model, limit, agent)


def _count_acts(reader: TextReader, verb: Verb, rule: Rule, agent: Typed, limit: ast.Limit) -> FieldOf:
    """Have the acts of a rule counted, with all kinds of a verb; return the field that counts them."""
    place = _counted_for(reader, limit, agent)
    for number in verb.kinds or (reader.model.verbs[verb.name],):
        kind = reader.model.ruleset.verbs[number]
        reader.put("counts", kind, count_of(kind, rule, place, limit))
    return place


def read_prohibition(reader: TextReader, cannot: ast.Cannot, guard: Guard | None, carrier: Carrier, span: Span) -> None:
    """Read a prohibition of each act that it is about."""
    if cannot.limit is not None and len(cannot.verbs) > 1:
        raise flaw(
            "unclear-reach",
            f"{quoted(cannot.limit.span.text)} could be counted for each of these acts, or for all of them together",
            cannot.limit.span,
            help="say it of each in a sentence of its own: `… cannot … more than …`",
        )
    refuse_again(reader, cannot.verbs)
    for word in cannot.verbs:
        _prohibition(reader, cannot, word, lambda _, scope: read_guard(reader, guard, scope), carrier, span)


def read_only(reader: TextReader, node: ast.Only, carrier: Carrier) -> None:
    """Read a rule that restricts an act to a certain way, or to a condition."""

    def outside(verb: Verb, scope: Scope) -> list[Condition]:
        if node.by is not None:
            return [Not(read_cause(reader, node.by, verb, scope), node.by.span)]
        assert node.condition is not None
        word = "unless" if node.word == "while" else "while"
        return read_guard(reader, (word, node.condition), scope)

    named = node.by.head.text if isinstance(node.by, ast.Phrase) else ""
    own = reader.model.verb_nouns.get(named, -1)
    _prohibition(reader, node, node.verb, outside, carrier, node.span, own)


def _prohibition(
    reader: TextReader,
    forbidden: ast.Cannot | ast.Only,
    word: ast.Word,
    guard: Callable[[Verb, Scope], list[Condition]],
    carrier: Carrier,
    span: Span,
    but: int = -1,
) -> None:
    """Read a prohibition of an act; `guard` reads its condition, and acts of the kind `but` are exempt."""
    subject, limit = forbidden.subject, forbidden.limit if isinstance(forbidden, ast.Cannot) else None
    named = known_verb(reader, word)
    if named.built_in:
        who = subject.span.text if subject is not None else "this"
        message = f"this leaves open the fate of an act that would {quoted(word.text)}"
        help = f"say what happens in its place: `when {who} would {word.text}, … instead`"
        raise flaw("not-a-definition", message, span, help)
    numbers = named.kinds if named.kinds else (reader.model.verbs[word.text],)
    # The exempt kind is forbidden, too, if the act has no other kind.
    for number in [one for one in numbers if one != but or len(numbers) == 1]:
        verb = reader.model.ruleset.verbs[number]
        said = said_of_doer(reader.model, subject, verb, forbidden.arguments)
        _refuse_player(reader, said.subject, verb, limit)
        event = read_event(reader, word, said, verb, carrier)
        holds = [*event.conditions, *guard(verb, event.around)]
        if limit is not None:
            told = Rule(carrier.number, event.this_role, All(tuple(event.conditions), span), span)
            place = _counted_for(reader, limit, event.known[0])
            reader.put("counts", verb, count_of(verb, told, place, limit))
            holds.append(is_used_up(place, limit))
        reader.put("forbidden", verb, Rule(carrier.number, event.this_role, All(tuple(holds), span), span))


def _refuse_count_of_any(subject: ast.NounPhrase | None, agent: Typed, limit: ast.Limit) -> None:
    """Raise Flaw for a limit on a permission of several pieces: it could be counted for each, or for all of them."""
    if limit.of_players or agent.base != "piece" or not isinstance(subject, ast.Phrase) or not is_indefinite(subject):
        return
    if subject.determiner != "each":
        raise flaw(
            "unclear-reach",
            f"{quoted(limit.span.text)} could be counted for each that may, or for all of them",
            limit.span,
            help=f"say `{limit.span.text} per player` to count for all of a player together; "
            "of each of them say `each … may …`",
        )


def not_a_rule(sentence: ast.Sentence | ast.Statement) -> Flaw:
    """Return the Flaw for an order among rules."""
    match sentence:
        case ast.Conditional(condition, ast.Changes() | ast.Cannot() | ast.May() as change, None):
            help = f"a rule holds always: say `{change.span.one_line} while {condition.span.one_line}`"
        case ast.Repetition():
            help = "a rule holds always: say `… cannot … while …`"
        case ast.Lasting():
            help = "a rule holds always: say `… cannot … while …`, or when it begins: `after …, until …, …`"
        case ast.Delayed(at):
            edge = "start" if at.edge == "starts" else "end"
            help = f"a rule is about all turns: say `at the {edge} of your turn, …` or `at the {edge} of each turn, …`"
        case _:
            help = "say when it happens: `after …, …`"
    message = f"{quoted(sentence.span.text)} is an order, and this block holds rules"
    return flaw("step-among-rules", message, sentence.span, help=help)
