"""Conditions: sentences that are true or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from warchest.diagnostics.articles import article as article_of
from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.ruleset import AGENT, Role, Verb
from warchest.ir.values import (
    EVENT_VARIABLES,
    EVENT_WIDTH,
    NOTHING,
    All,
    Any,
    Base,
    CausedBy,
    Compare,
    Condition,
    Const,
    Exists,
    Happening,
    Not,
    Upholds,
    Value,
    Var,
    conjuncts,
)
from warchest.resolve.amounts import as_any, one_of
from warchest.resolve.antecedents import nothing_more, understood
from warchest.resolve.distance_phrases import leads_there
from warchest.resolve.model import BUILT_IN_FACTS, FALL
from warchest.resolve.moments import said_of_doer
from warchest.resolve.phrase_nouns import article, document_named, is_indefinite, mentioned, thing_of
from warchest.resolve.quantities import is_from_nobody, names_quantity, source_said
from warchest.resolve.reach import OTHER_BRANCH
from warchest.resolve.sets import (
    read_adjective,
    read_fits,
    read_members,
    read_modifier,
    read_related_by,
    read_relation,
    read_somewhere,
)
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Mention, Scope, Typed, flaw
from warchest.resolve.unset import is_nothing, nothing_of
from warchest.resolve.value_reader import read_number, read_of_base, read_value
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import third_person

# ---- conditions that are never so

_OPPOSITE = {"==": "!=", "!=": "==", ">=": "<", "<": ">=", "<=": ">", ">": "<="}

_MOST = 1 << 62


def refuse_same(left: Value, right: Value, span: Span) -> None:
    """Raise Flaw if a value is compared with itself; equal constants, which a board can give, are allowed."""
    if left == right and not isinstance(left, Const):
        message = f"{quoted(span.text)} compares something with itself"
        raise flaw("says-nothing", message, span, help="name the other thing, or leave this out")


def refuse_never(conditions: Sequence[Condition], span: Span) -> None:
    """Raise Flaw for conditions that can never hold together."""
    parts = [part for one in conditions for part in conjuncts(one)]
    if _exclude(parts):
        raise flaw("says-nothing", f"{quoted(span.text)} is never so", span, help="its parts exclude each other")


def refuse_always(conditions: Sequence[Condition], span: Span) -> None:
    """Raise Flaw if one of several conditions always holds."""
    if any(Not(one, span) in conditions for one in conditions):
        message = f"{quoted(span.text)} is always so"
        raise flaw("says-nothing", message, span, help="one of its parts is so wherever the other is not")


def _exclude(parts: Sequence[Condition]) -> bool:
    """Whether two conditions are opposites, or leave no possible number for a value."""
    bounds: list[tuple[Value, int, int]] = []
    for one in parts:
        if isinstance(one, Not) and one.condition in parts:
            return True
        found = _bounds(one)
        if found is not None:
            value, low, high = found
            known = [bound for bound in bounds if bound[0] == value]
            if any(max(low, other[1]) > min(high, other[2]) for other in known):
                return True
            bounds.append(found)
    return False


def _bounds(condition: Condition) -> tuple[Value, int, int] | None:
    """Return a value and the bounds that a condition sets on it; None if it sets none."""
    inverted = isinstance(condition, Not)
    inner = condition.condition if isinstance(condition, Not) else condition
    if not isinstance(inner, Compare) or not isinstance(inner.right, Const) or isinstance(inner.left, Const):
        return None
    number = inner.right.value
    match _OPPOSITE[inner.how] if inverted else inner.how:
        case "==":
            return inner.left, number, number
        case ">=":
            return inner.left, number, _MOST
        case ">":
            return inner.left, number + 1, _MOST
        case "<=":
            return inner.left, -_MOST, number
        case "<":
            return inner.left, -_MOST, number - 1
    return None


# ---- conditions

_COMPARISONS: dict[str, Literal[">=", "<=", ">", "<"]] = {
    "at least": ">=",
    "at most": "<=",
    "more than": ">",
    "less than": "<",
}
_CAUSES_ARE = (
    "name an act, as in `by its …` or `for a …`, or the thing that is paid with, by its name, as in `by the …`"
)

_OF_CAUSE = "say the place of a thing after the noun, `a … in …`, and the agent as `by …`, or `against …`"
"""Help on `from`, for a verb that does not take it."""
_ANY = ("a", "an", "any", "no", "another")
"""The determiners of phrases that need a condition to hold for one of the things, or for none."""


def read_condition(reader: TextReader, node: ast.Proposition, scope: Scope) -> Condition:
    """Read a condition; raises Flaw if it makes no sense."""
    match node:
        case ast.AnyOf(conditions):
            some = _one_by_one(reader, conditions, scope)
            if not scope.within:
                refuse_always(some, node.span)
            return Any(some, node.span)
        case ast.AllOf(conditions):
            every = _one_by_one(reader, conditions, scope)
            if not scope.within:
                refuse_never(every, node.span)
            return All(every, node.span)
        case ast.Holds():
            return _holds(reader, node, scope)
        case ast.CanDo():
            return reader.phrases.can_do(reader, node, scope)
        case ast.Is(ast.Phrase(determiner="all" | "each") as subject, negated, value):
            return _all(reader, subject, negated, value, scope, node.span)
        case ast.Is(ast.Phrase(determiner=determiner) as subject, True, value) if determiner in _ANY:
            that = ast.ThatIs(True, value, span=value.span)
            such = Exists(read_members(reader, _such(subject, that), scope), node.span)
            return Not(such, node.span) if determiner == "no" else such
        case ast.Is(subject, negated, value):
            found = _is(reader, subject, value, scope, node.span)
            return Not(found, node.span) if negated else found


def _one_by_one(reader: TextReader, conditions: tuple[ast.Proposition, ...], scope: Scope) -> tuple[Condition, ...]:
    found = []
    for one in conditions:
        found.append(read_condition(reader, one, scope))
        scope = having_said(one, scope)
    return tuple(found)


def having_asked(reader: TextReader, condition: ast.Proposition, scope: Scope) -> Scope:
    """Return the scope of the steps after an `if`, with the things whose existence the `if` tests."""
    for part in _simple(condition):
        is_act = isinstance(part.subject, ast.Phrase) and part.subject.head.text in reader.model.of_acts.values()
        if is_act:
            continue
        if isinstance(part.subject, ast.Phrase) and part.subject.determiner in ("a", "an", "any", "another"):
            said = part.subject
            if isinstance(part, ast.Is) and isinstance(part.value, ast.Related):
                said = replace(said, modifiers=(*said.modifiers, part.value))
            thing = thing_of(reader, said)
            if thing.base is not None:
                some = Typed(Var(EVENT_VARIABLES - 1, thing.base, thing.name), thing.base, thing.name)
                scope = replace(scope, asked=(*scope.asked, mentioned(part.subject, some)))
    return scope


def having_said(condition: ast.Proposition, scope: Scope) -> Scope:
    """Return the scope after a condition: if `this` is its subject or occurs in it, `it` can refer to it."""
    for part in _simple(condition):
        said = [part.subject, *([part.arguments.object] if isinstance(part, ast.Holds | ast.CanDo) else [])]
        if scope.this is not None and any(isinstance(one, ast.Pronoun) and one.word == "this" for one in said):
            scope = scope.mentioning(Mention(scope.this, (), span=part.span))
    return scope


def having_named(subject: ast.SyntaxNode, scope: Scope) -> Scope:
    """Return the scope after a sentence about `this`: `it` can refer to it from there on."""
    if isinstance(subject, ast.Pronoun) and subject.word == "this" and scope.this is not None:
        return scope.mentioning(Mention(scope.this, (), span=subject.span))
    return scope


def _is(
    reader: TextReader, subject: ast.NounPhrase | ast.Total, value: ast.ValuePhrase, scope: Scope, span: Span
) -> Condition:
    if isinstance(subject, ast.Phrase) and subject.determiner in _ANY:
        return _some(reader, subject, value, scope, span)
    thing = read_value(
        reader, subject, scope, lambda one: understood(lambda: read_is_so(reader, one, value, scope, span))
    )
    found = read_is_so(reader, thing, value, scope, span)
    # A condition in a definition may be trivially true for the one thing that it is applied to.
    if not scope.within and isinstance(found, Compare) and found.left == thing.value:
        refuse_same(found.left, found.right, span)
    return found


def _all(
    reader: TextReader, subject: ast.Phrase, negated: bool, value: ast.ValuePhrase, scope: Scope, span: Span
) -> Condition:
    """Read `all adjacent spaces are empty`: no space is not empty; raises Flaw if the sentence is negated."""
    if negated:
        one, what = one_of(subject), value.span.text
        message = f"{quoted(span.text)} could mean that none of them is, or that not all are"
        help = f"say `no {one.partition(' ')[2]} is {what}`, or `{one} is not {what}`"
        raise flaw("ambiguous-it", message, span, help=help)
    that = ast.ThatIs(True, _of_one(value), span=value.span)
    return Not(Exists(read_members(reader, _such(subject, that), scope), span), span)


def _some(reader: TextReader, subject: ast.Phrase, value: ast.ValuePhrase, scope: Scope, span: Span) -> Condition:
    """Read `a coin is in a hand` and `no coin is in a hand`."""
    negated, subject = subject.determiner == "no", as_any(subject)
    if isinstance(value, ast.Somewhere):
        members = read_members(reader, subject, scope, value.modifiers)
    elif isinstance(value, ast.Related | ast.Away) and not leads_there(reader, value, thing_of(reader, subject), scope):
        members = read_members(reader, subject, scope, (value,))
    elif isinstance(value, ast.Adjective):
        members = read_members(reader, replace(subject, adjectives=(*subject.adjectives, value.word)), scope)
    else:
        plain = read_members(reader, subject, scope)
        deeper = replace(scope, depth=scope.depth + 1)
        member = Typed(plain.var, plain.var.base, plain.var.noun)
        extra = read_is_so(reader, member, value, deeper, span)
        members = replace(plain, filters=(*plain.filters, extra))
    found = Exists(members, span)
    return Not(found, span) if negated else found


def read_is_so(reader: TextReader, thing: Typed, value: ast.ValuePhrase, scope: Scope, span: Span) -> Condition:
    """Read the value after `is`, as a condition on a thing."""
    match value:
        case ast.Adjective(word):
            return read_adjective(reader, word, thing, scope)
        case ast.Comparison(how, than):
            if thing.base != "number":
                raise flaw("wrong-kind", f"{article(thing)} cannot be compared with a number", span)
            return Compare(_COMPARISONS[how], thing.value, read_number(reader, than, scope), span)
        case ast.Related() | ast.Away():
            return read_modifier(reader, value, thing, scope, None)
        case ast.Somewhere():
            return read_somewhere(reader, value, thing, scope)
        case ast.Phrase() if is_indefinite(value):
            found = read_fits(reader, value, thing, scope)
            if not found:
                raise flaw("says-nothing", f"{quoted(span.text)} is always so", span, help="leave it out")
            return found[0] if len(found) == 1 else All(tuple(found), span)
        case _:
            if isinstance(value, ast.Pronoun) and value.word == "nobody" and thing.base in ("player", "team"):
                return Compare("==", thing.value, Const(NOTHING, thing.base), span)
            if is_nothing(value):
                return Compare("==", thing.value, nothing_of(thing, value.span), span)
            other = read_value(reader, value, scope)
            if other.base != thing.base:
                raise flaw("wrong-kind", f"{article(thing)} is never {article(other)}", span)
            return Compare("==", thing.value, other.value, span)


def _holds(reader: TextReader, node: ast.Holds, scope: Scope) -> Condition:
    _refuse_several_facts(reader, node)
    verb = node.verbs[0]
    if any(is_fall(reader, one) for one in node.verbs):
        message = f"{quoted(FALL)} is an event, which cannot be a condition"
        raise flaw("says-nothing", message, node.span, help=f"say `{node.subject.span.text} is not on a space`")
    if verb.text in reader.model.verbs and verb.text not in reader.model.relations:
        return read_under_way(reader, node.verbs, node.subject, node.arguments, scope, node.span)
    if node.arguments.object is not None and verb.text in BUILT_IN_FACTS:
        return _upholds(reader, node, scope)
    if node.arguments.object is None or node.arguments.roles:
        raise flaw("syntax-error", "a fact is said as `somebody VERBS something`", node.span)
    if isinstance(node.subject, ast.Phrase) and is_indefinite(node.subject):
        thing = read_value(reader, node.arguments.object, scope)
        return read_related_by(reader, verb, node.subject, thing, scope, node.span)
    first = read_value(reader, node.subject, scope)
    second = read_value(
        reader,
        node.arguments.object,
        having_said(node, scope),
        lambda one: understood(lambda: read_relation(reader, verb, first, one, scope)),
    )
    return read_relation(reader, verb, first, second, scope)


def is_fall(reader: TextReader, word: ast.Word) -> bool:
    """Whether a verb is the built-in one for a piece that leaves the board, and not one of the game."""
    return word.text == FALL and reader.model.ruleset.falls >= 0


def refuse_act_in_place(reader: TextReader, node: ast.Guarded) -> None:
    """Raise Flaw for a step `unless` an act happens: that act could be an offer in place of the step.

    No act replaces `this must be …`, or the steps after a `stop`.
    """
    is_order = not node.ends and not isinstance(node.step, ast.Requirement)
    for one in _simple(node.condition) if node.word == "unless" and is_order else ():
        if isinstance(one, ast.Holds) and not _facts_in(reader, one):
            message = f"{quoted(one.span.text)} asks whether this is being done just now, and could be meant to be "
            message = f"{message}offered in place of the step"
            raise flaw("unclear-reach", message, node.span, help=f"{OTHER_BRANCH}: `either …, or …`")


def _facts_in(reader: TextReader, node: ast.Holds) -> list[ast.Word]:
    """Return the verbs that state facts and are not acts."""
    return [one for one in node.verbs if one.text not in reader.model.verbs or one.text in reader.model.relations]


def _refuse_several_facts(reader: TextReader, node: ast.Holds) -> None:
    """Raise Flaw for several verbs that are not all acts: a fact is one condition."""
    facts = _facts_in(reader, node)
    if len(node.verbs) > 1 and facts:
        message = f"{quoted(facts[0].text)} says no act that is under way, so it is not asked together with others"
        raise flaw("syntax-error", message, facts[0].span, help="give it a condition of its own: `…, or …`")


def _upholds(reader: TextReader, node: ast.Holds, scope: Scope) -> Condition:
    """Read `this upholds that unit`, also with `by` and the name of the document that has the text."""
    by, piece = (read_of_base(reader, one, scope, "piece") for one in (node.subject, node.arguments.object) if one)
    said = {role.word: role.phrase for role in node.arguments.roles}
    name = said.pop("by", None)
    if name is not None and not isinstance(name, ast.Name):
        raise flaw("wrong-kind", f"{quoted(name.span.text)} is not the name of a document", name.span)
    nothing_left(reader, node.verbs[0], said)
    return Upholds(by.value, piece.value, document_named(reader, name) if name is not None else -1, node.span)


def read_under_way(
    reader: TextReader,
    verbs: Sequence[ast.Word],
    subject: ast.NounPhrase | Typed,
    arguments: ast.Arguments,
    scope: Scope,
    span: Span,
) -> Condition:
    """Read that an event is under way, `a unit attacks this`; kinds of the act count as well."""
    refuse_again(reader, verbs)
    said = dict[int, ast.Word]()
    for word in verbs:
        for kind in reader.model.ruleset.verbs[reader.model.verbs[word.text]].kinds:
            said.setdefault(kind, word)
    found = list[Condition]()
    for number, word in said.items():
        verb, inner = reader.model.ruleset.verbs[number], replace(scope, depth=scope.depth + 1)
        of_kind, known = ast.Word(verb.name, span=word.span), parts_known(verb, scope)
        event = said_of_doer(reader.model, None if isinstance(subject, Typed) else subject, verb, arguments)
        doer = subject if isinstance(subject, Typed) else event.subject
        parts = parts_of_event(reader, of_kind, doer, event.arguments, known, inner)
        parts += [read_condition(reader, one, inner) for one in event.about]
        found.append(Happening(number, scope.depth, All(tuple(parts), span), span))
    return found[0] if len(found) == 1 else Any(tuple(found), span)


def refuse_again(reader: TextReader, words: Sequence[ast.Word]) -> None:
    """Raise Flaw for a verb that occurs twice, or together with a verb that it is a kind of."""
    numbers = [reader.model.verbs[word.text] for word in words if word.text in reader.model.verbs]
    for index, word in enumerate(words[: len(numbers)]):
        others = [
            kind
            for other, number in enumerate(numbers)
            if other != index
            for kind in (number, *reader.model.ruleset.verbs[number].kinds)
        ]
        if numbers[index] in others:
            raise flaw("says-nothing", f"{quoted(word.text)} is said twice here", word.span, help="leave it out")


def parts_known(verb: Verb, scope: Scope) -> list[Typed]:
    """Return variables for the agent and the roles of an event that is searched for among the events under way."""
    first = EVENT_VARIABLES + scope.depth * EVENT_WIDTH
    base: Base = "piece" if verb.by == "piece" else "player"
    roles = [Typed(Var(first + index, role.base), role.base, role.noun) for index, role in enumerate(verb.roles, 1)]
    return [Typed(Var(first, base), base, verb.agent_noun), *roles]


def parts_of_event(
    reader: TextReader,
    word: ast.Word,
    subject: ast.NounPhrase | Typed | None,
    arguments: ast.Arguments,
    known: list[Typed],
    scope: Scope,
) -> list[Condition]:
    """Read the phrases of an event as conditions on its agent and its roles, listed in `known` in this order.

    The subject may be a thing that is known already.
    """
    agent, *roles = known
    said = said_by_role(reader, arguments)
    verb = reader.model.ruleset.verbs[reader.model.verbs[word.text]]
    if isinstance(subject, Typed):
        found: list[Condition] = [Compare("==", agent.value, subject.value, word.span)]
    else:
        found = _part_of_event(reader, subject, agent, scope)
    single_said(reader, word, said, word.span)
    for role, typed in zip(verb.roles, roles, strict=True):
        phrase = said.pop(role.word, None)
        if phrase is None or of_any_amount(reader, phrase, role):
            continue
        found += source_said(phrase, verb, role, typed)
        if not is_from_nobody(phrase, verb, role):
            found.extend(_part_of_event(reader, phrase, typed, scope))
    nothing_left(reader, word, said)
    return found


def of_any_amount(reader: TextReader, phrase: ast.Expression | None, role: Role) -> bool:
    """Whether a phrase means the number of an act in any amount; raises Flaw for a certain amount."""
    if not role.is_quantity or phrase is None:
        return False
    if not names_quantity(reader.model, phrase, role.noun):
        said, noun = quoted(phrase.span.text), role.noun
        message = f"{said} is more than {noun} of any amount"
        help = f"say `{noun}`, and then how much: `while that {noun} is at least …`"
        raise flaw("wrong-kind", message, phrase.span, help)
    return True


def said_by_role(reader: TextReader, arguments: ast.Arguments) -> dict[str, ast.Expression | None]:
    """Return the phrases that a verb has, by preposition (empty: the object).

    Raises Flaw for a second phrase with a preposition, and for one that could belong to another verb.
    """
    before: ast.Expression | None = arguments.object
    for role in arguments.roles:
        _refuse_of_two(reader, before, role)
        before = role.phrase
    said: dict[str, ast.Expression | None] = {"": arguments.amount or arguments.object}
    for role in arguments.roles:
        if role.word in said:
            raise flaw("unknown-role", f"`{role.word} …` is said twice", role.span, help="leave out one of the two")
        said[role.word] = role.phrase
    return said


def single_said(reader: TextReader, verb: ast.Word, said: dict[str, ast.Expression | None], place: Span) -> None:
    """Remove from the phrases of a verb the unique thing that it takes, as in `claim the throne`; raises Flaw.

    A verb whose act has a number takes the noun of that number.
    """
    known = reader.model.verb(verb.text)
    noun = next((role.noun for role in known.roles if role.is_quantity), "") if known is not None else ""
    if noun and said.get("") is None:
        message = f"{quoted(verb.text)} is said with its number, the {noun}"
        help = f"say `{verb.text} {noun}`, and in an order how much: `{verb.text} 2 {noun}`"
        raise flaw("unknown-role", message, place, help)
    for word, noun in reader.model.said_with.get(verb.text, {}).items():
        phrase = said.get(word)
        if not isinstance(phrase, ast.Phrase) or phrase.head.text != noun or phrase.determiner != "the":
            span = phrase.span if phrase is not None else place
            message = f"{quoted(verb.text)} is said with `{f'{word} the {noun}'.strip()}`"
            raise flaw("unknown-role", message, span, help=f"say `{verb.text} {f'{word} the {noun}'.strip()}`")
        nothing_more(phrase, phrase.adjectives, phrase.modifiers)
        del said[word]


def nothing_left(reader: TextReader, verb: ast.Word, said: Mapping[str, ast.Expression | None]) -> None:
    """Raise Flaw if a verb has an argument that it does not take."""
    for word, phrase in said.items():
        if phrase is None:
            continue
        about = f"`{word} …`" if word else "an object"
        help = _OF_CAUSE if word == "from" else _how_far(reader, verb, phrase) or _said_as(reader, verb, word)
        raise flaw("unknown-role", f"{quoted(verb.text)} does not take {about}", phrase.span, help=help)


def _how_far(reader: TextReader, verb: ast.Word, phrase: ast.Expression) -> str:
    """Return help on `move 2 spaces`: the place has a preposition; otherwise empty."""
    known = reader.model.verb(verb.text)
    to = next((role for role in known.roles if role.base == "space" and role.word), None) if known else None
    if to is None or not isinstance(phrase, ast.Phrase) or phrase.count is None or phrase.modifiers:
        return ""
    named = reader.model.thing(phrase.head.text)
    if named is None or named.base != "space":
        return ""
    low, high = phrase.count.low, phrase.count.high
    far = f"{low}-{high} spaces" if low != high else f"exactly {low} {'space' if low == 1 else 'spaces'}"
    return f"say `{verb.text} {to.word} a space {far} away`"


def _said_as(reader: TextReader, verb: ast.Word, preposition: str) -> str:
    """Return help that names the roles of a verb, or the acts with these roles if it is a name for acts."""
    known = reader.model.verb(verb.text)
    if known is not None and known.is_name:
        kinds = [reader.model.ruleset.verbs[kind] for kind in known.kinds]
        acts = [f"`{one.name}`" for one in kinds if preposition in [role.word for role in one.roles]]
        if acts:
            return f"{quoted(verb.text)} is a name for several acts: say {' or '.join(acts)}"
    roles = known.roles if known is not None else ()
    said = [f"{role.word} {article_of(role.noun)} {role.noun}".strip() for role in roles]
    if not said:
        return "it is said by itself: leave this out" if known is not None else "leave this out"
    return f"it is said as `{verb.text} {' '.join(said)}`, with as much of it as is to be settled"


def _part_of_event(reader: TextReader, phrase: ast.Expression | None, part: Typed, scope: Scope) -> list[Condition]:
    if phrase is None:
        return []
    if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
        return read_fits(reader, phrase, part, scope)
    if isinstance(phrase, ast.Pronoun) and phrase.word == "nobody":
        raise flaw(
            "wrong-kind", "`nobody` cannot be a subject here", phrase.span, help="say `unless` and the condition"
        )
    return [Compare("==", part.value, read_of_base(reader, phrase, scope, part.base).value, phrase.span)]


def read_cause(reader: TextReader, phrase: ast.Expression, verb_of: Verb, scope: Scope) -> Condition:
    """Read the cause of an act: another act (`its tactic`, `an attack`), or a token that paid for it."""
    acting = Var(AGENT, "piece") if verb_of.by == "piece" else None
    head = phrase.head if isinstance(phrase, ast.Phrase) else phrase
    of = phrase.modifiers[0] if isinstance(phrase, ast.Phrase) and phrase.modifiers else None
    is_owned = isinstance(of, ast.Related) and of.preposition == "of" and phrase.determiner == "the"  # type: ignore[union-attr]
    number = reader.model.verb_nouns.get(head.text) if isinstance(head, ast.Word) else None
    if isinstance(phrase, ast.Phrase) and (number is not None or isinstance(head, ast.Name)):
        taken = int(is_owned and isinstance(head, ast.Word))
        nothing_more(phrase, phrase.adjectives, phrase.modifiers[taken:])
    if isinstance(head, ast.Name) and (head is phrase or phrase.determiner in ("a", "an", "the")):  # type: ignore[union-attr]
        return CausedBy((), None, document_named(reader, head), acting, phrase.span)
    known = isinstance(phrase, ast.Phrase) and (is_owned or phrase.determiner in ("a", "an", "its", "your"))
    if number is None or not isinstance(phrase, ast.Phrase) or not known:
        message = f"{quoted(phrase.span.text)} is not an act that could order something"
        raise flaw("wrong-kind", message, phrase.span, help=_cause_help(reader, phrase, verb_of))
    verb, kinds = reader.model.ruleset.verbs[number], reader.model.ruleset.with_moments(number)
    if phrase.determiner in ("a", "an"):
        return CausedBy(kinds, None, -1, acting, phrase.span)
    owner: ast.NounPhrase = ast.Pronoun("it" if phrase.determiner == "its" else "you", span=phrase.span)
    if isinstance(of, ast.Related):
        owner = of.phrase
    typed = read_value(reader, owner, scope, lambda one: one.base == verb.by)
    if typed.base != verb.by:
        message = f"{article(typed)} cannot {quoted(verb.name)}"
        raise flaw("wrong-kind", message, phrase.span, help=f"that is something {with_article(verb.by)} does")
    return CausedBy(kinds, typed.value, -1, acting, phrase.span)


def _cause_help(reader: TextReader, phrase: ast.Expression, verb: Verb) -> str:
    """Return the help on a phrase that is no cause of an act: it may name the doer, as in `attacked by a unit`."""
    if isinstance(phrase, ast.Phrase) and isinstance(phrase.head, ast.Word) and is_indefinite(phrase):
        named = reader.model.thing(phrase.head.text)
        if named is not None and named.base == verb.by:
            return f"say who does it first: `{phrase.span.text} {third_person(verb.name)} …`"
    is_you = isinstance(phrase, ast.Pronoun) and phrase.word == "you" and verb.by == "player"
    return f"say who does it first: `you {verb.name} …`" if is_you else _CAUSES_ARE


def _such(subject: ast.Phrase, that: ast.ThatIs) -> ast.Phrase:
    """Return a phrase with one more condition on its things."""
    return replace(as_any(subject), modifiers=(*subject.modifiers, that))


def _of_one(value: ast.ValuePhrase) -> ast.ValuePhrase:
    """Return words about several things as words about each of them: `on locations` as `on a location`."""
    match value:
        case ast.Phrase("", None):
            return as_any(value)
        case ast.Related(_, ast.Phrase("", None) as phrase):
            return replace(value, phrase=as_any(phrase))
    return value


def _simple(condition: ast.Proposition) -> Iterator[ast.Is | ast.Holds | ast.CanDo]:
    """Yield the operands of the `and`s and `or`s of a condition."""
    if isinstance(condition, ast.AnyOf | ast.AllOf):
        for one in condition.conditions:
            yield from _simple(one)
    else:
        yield condition


def read_doing(reader: TextReader, clause: ast.ThatDoes, thing: Typed, scope: Scope) -> Condition:
    """Read a relative clause about an act under way that a thing does; raises Flaw if such things never do that act."""
    for word in clause.verbs:
        _refuse_no_act(reader, word, clause, thing)
    return read_under_way(reader, clause.verbs, thing, clause.arguments, scope, clause.span)


def _refuse_no_act(reader: TextReader, word: ast.Word, clause: ast.ThatDoes, thing: Typed) -> None:
    if is_fall(reader, word):
        message = f"{quoted(FALL)} is an event, which cannot be a condition"
        raise flaw("says-nothing", message, clause.span, help="leave it out: a piece that has fallen is not on a space")
    if word.text not in reader.model.verbs or word.text in reader.model.relations:
        said = f"{word.span.text} {clause.arguments.span.one_line}".strip()
        message = f"{quoted(word.span.text)} is not an act that can be under way"
        fact = f"ask for `while that {thing.noun} {said}`, or " if word.text in reader.model.relations else ""
        raise flaw(
            "wrong-kind", message, word.span, help=f"{fact}describe it: `{with_article(thing.noun)} whose … is …`"
        )
    verb = reader.model.ruleset.verbs[reader.model.verbs[word.text]]
    doers, kinds = set(reader.model.kinds(verb.agent_noun)), set(reader.model.kinds(thing.noun))
    if verb.by != thing.base or (doers and kinds and doers.isdisjoint(kinds)):
        message = f"{article(thing)} never {quoted(word.span.text)}"
        raise flaw("wrong-kind", message, word.span, help=f"that is something {with_article(verb.agent_noun)} does")


def _refuse_of_two(reader: TextReader, before: ast.Expression | None, role: ast.RolePhrase) -> None:
    """Raise Flaw for a role that could also belong to the verb of the relative clause before it."""
    while isinstance(before, ast.Phrase) and before.modifiers:
        last = before.modifiers[-1]
        if isinstance(last, ast.ThatDoes):
            for word in last.verbs:
                verb = reader.model.verb(word.text)
                if verb is not None and role.word in [one.word for one in verb.roles]:
                    raise _role_of_two(before, last, word, role)
            before = last.arguments.object
        else:
            before = getattr(last, "phrase", None)


def _role_of_two(whose: ast.Phrase, clause: ast.ThatDoes, verb: ast.Word, role: ast.RolePhrase) -> Flaw:
    """Return the Flaw for a role that could belong to the verb of a relative clause or to the one around it."""
    noun, what = whose.head.text, quoted(role.span.one_line)
    first = f"choose first, `choose {whose.span.one_line}`, and then say `that {noun}`"
    does = f"{clause.span.one_line.removeprefix('that ')} {role.span.one_line}"
    message = f"{what} could belong to {quoted(verb.span.text)}, too"
    help = f"{first}; or define a word for it: `{with_article(noun)} is … when it {does}`"
    return flaw("unclear-reach", message, role.span, help)
