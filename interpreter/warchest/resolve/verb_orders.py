"""Orders with the verbs of a game: the agent, the roles, and the player who chooses among several."""

from __future__ import annotations

from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import Role, Verb
from warchest.ir.values import NO_PIECE, NOTHING, Base, Const, Value, Var
from warchest.resolve.antecedents import PronounTest
from warchest.resolve.builtin import asked_player, read_built_in, read_choice
from warchest.resolve.conditions import having_named, nothing_left, said_by_role, single_said
from warchest.resolve.moments import ordered_moment
from warchest.resolve.phrase_nouns import article, is_indefinite, leaves_open, mentioned, thing_of
from warchest.resolve.quantities import amount_said, is_from_nobody, never_negative
from warchest.resolve.sets import read_members
from warchest.resolve.sides import chosen_as, for_role, refuse_sides, take_note
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Mention, Scope, Typed, flaw
from warchest.resolve.value_reader import read_number, read_value
from warchest.syntax import ast
from warchest.syntax.words import plural

AGAIN = "again"
"""The adverb for repeating the act that a hook answers."""


# ---- verbs


def read_order(reader: TextReader, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
    """Read an order."""
    if "if able" in node.adverbs:
        plain = replace(node, adverbs=tuple(word for word in node.adverbs if word != "if able"))
        steps, after = read_order(reader, plain, scope)
        return (ir.IfAble(steps, span=node.span),), after
    if AGAIN in node.adverbs:
        message = f"there is no earlier act that {quoted(AGAIN)} could mean"
        raise flaw("says-nothing", message, node.span, help=f"leave {quoted(AGAIN)} out")
    if len(node.adverbs) > 1:
        message = f"{quoted(node.adverbs[0])} and {quoted(node.adverbs[1])} exclude each other"
        raise flaw("says-nothing", message, node.span, help="leave one of them out")
    manner = reader.model.ruleset.manners.index(node.adverbs[0]) if node.adverbs else ir.INHERITED
    if node.verb.text in reader.model.verbs:
        return _call(reader, node, manner, scope)
    asked = _player_asked(reader, node, scope)
    if asked is None:
        return read_built_in(reader, node, manner, scope)
    assert isinstance(node.subject, ast.Phrase)
    that = replace(node.subject, determiner="that", adjectives=(), modifiers=())
    steps, scope = read_built_in(reader, replace(node, subject=that), manner, scope.mentioning(asked[1]))
    return (*asked[0], *steps), scope


def _player_asked(reader: TextReader, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Mention] | None:
    """Return the choice of the player who is ordered to act, and then decides about the act; None without a choice."""
    subject = node.subject
    if not isinstance(subject, ast.Phrase) or not leaves_open(reader, subject, scope):
        return None
    asking = replace(node, subject=None, span=subject.span)
    is_player = thing_of(reader, subject).base == "player"
    return read_choice(reader, subject, "chosen", asking, scope) if is_player else None


def _call(reader: TextReader, node: ast.Do, manner: int, scope: Scope) -> tuple[ir.Steps, Scope]:
    number = reader.model.verbs[node.verb.text]
    verb = reader.model.ruleset.verbs[number]
    if verb.built_in:
        raise _not_ordered(node)
    if verb.moment_of >= 0:
        read = lambda subject, fits: read_value(reader, subject, scope, fits)  # noqa: E731
        return (ordered_moment(reader.model, node, number, manner, asked_player(scope), read),), scope
    asked = _player_asked(reader, node, scope) if verb.by == "player" else None
    if asked is not None:
        decider, after = asked[1].thing.value, scope.mentioning(asked[1])
        agent: ir.Fill = ir.Bound(decider)
    else:
        agent, decider, after = _agent(reader, node, verb, scope)
    inner = scope_of_order(_agent_typed(agent, scope), scope)
    roles: list[ir.Fill] = []
    said = said_by_role(reader, node.arguments)
    single_said(reader, node.verb, said, node.span)
    for role in verb.roles:
        phrase = said.get(role.word) if verb.yields and role.word == "" else said.pop(role.word, None)
        if role.is_quantity:
            said_amount = amount_said(phrase, verb, role, node.span)
            here = replace(inner, mentions=after.mentions)
            roles.append(ir.Bound(never_negative(read_number(reader, said_amount, here), here)))
            continue
        fill, typed = _fill(reader, phrase, verb, role, inner, after)
        roles.append(fill)
        # The object of a verb with a result names that result.
        if typed is not None and not (verb.yields and role.word == ""):
            after = after.mentioning(typed)
    result = None
    if verb.yields:
        thing = reader.model.thing(verb.yields)
        assert thing is not None and thing.base is not None
        result = after.variables.new(thing.base, thing.name)
        after = after.mentioning(_yielded(node, said, Typed(result, thing.base, thing.name)))
    nothing_left(reader, node.verb, said)
    call = ir.Call(number, agent, tuple(roles), manner, decider, result, span=node.span)
    return (*(asked[0] if asked else ()), call), after


def _not_ordered(node: ast.Do) -> Flaw:
    """Return the Flaw for an order that would make a piece leave the board by itself."""
    who = node.subject.span.text if node.subject is not None else "this"
    help = f"say `remove {who}`"
    if isinstance(node.subject, ast.Phrase) and is_indefinite(node.subject):
        help = f"say `choose {who}, then remove that {node.subject.head.text}`"
    return flaw("wrong-kind", f"{quoted(node.verb.text)} cannot be ordered", node.span, help=help)


def _yielded(node: ast.Do, said: dict[str, ast.Expression | None], thing: Typed) -> Mention:
    """Return the mention of the result of a verb: `a card` in `draw a card`, which can be left out."""
    phrase = said.pop("", None)
    if phrase is not None and not says_nothing(phrase, thing.noun):
        message = f"{quoted(node.verb.text)} hands back any {thing.noun}"
        raise flaw("unknown-role", message, phrase.span, help=f"say `{node.verb.text} {with_article(thing.noun)}`")
    return Mention(thing, (thing.noun,), told=phrase is not None, span=node.span)


def who_can(reader: TextReader, word: ast.Word) -> PronounTest:
    """Return the test of whether a subject can do a verb."""
    verb = reader.model.verb(word.text)
    if verb is None:
        return lambda one: one.base in ("player", "piece")
    return lambda one: can_act(reader, one, verb)


def can_act(reader: TextReader, thing: Typed, verb: Verb) -> bool:
    """Return whether a thing can do an act of a verb."""
    if verb.by == "game":
        return thing.noun == "game"
    return thing.base == verb.by and _may_be_any(reader, thing.noun, verb.agent_noun)


def _may_be_any(reader: TextReader, noun: str, wanted: str) -> bool:
    """Whether pieces called by two nouns can be of one kind."""
    kinds, possible = reader.model.kinds(wanted), reader.model.kinds(noun)
    return not kinds or not possible or not set(kinds).isdisjoint(possible)


def _agent(reader: TextReader, node: ast.Do, verb: Verb, scope: Scope) -> tuple[ir.Fill, Value, Scope]:
    if node.subject is not None and leaves_open(reader, node.subject, scope):
        assert isinstance(node.subject, ast.Phrase)
        among = read_members(reader, node.subject, scope)
        var = scope.variables.new(among.var.base, among.var.noun)
        scope.variables.known += chosen_as(var, among)
        typed = Typed(var, var.base, var.noun)
        _refuse_who_cannot(reader, typed, verb, node)
        return (ir.ChosenRole(among, var), asked_player(scope), scope.mentioning(mentioned(node.subject, typed)))
    if node.subject is not None:
        if isinstance(node.subject, ast.Pronoun) and node.subject.word == "nobody":
            message = "`nobody` cannot be a subject here"
            help = f"a rule of its own forbids it: `… cannot {node.verb.text} …`"
            raise flaw("wrong-kind", message, node.subject.span, help)
        typed = read_value(reader, node.subject, scope, who_can(reader, node.verb))
        scope = having_named(node.subject, scope)
    elif verb.by == "player" and scope.you is not None:
        typed = Typed(scope.you, "player", "player")
    elif verb.by == "piece" and scope.this is not None:
        typed = scope.this
    elif verb.by != "piece":
        return ir.Bound(Const(NOTHING, "player")), asked_player(scope), scope
    else:
        message = f"no agent is named here that could {quoted(node.verb.text)}"
        raise flaw("no-antecedent", message, node.span, help=f"say who does it: `… {node.verb.text} …`")
    _refuse_who_cannot(reader, typed, verb, node)
    if verb.by == "game":
        return ir.Bound(Const(NOTHING, "player")), asked_player(scope), scope
    decider = typed.value if typed.base == "player" else _decider_for(typed.value, scope)
    return ir.Bound(typed.value), decider, scope


def _decider_for(piece: Value, scope: Scope) -> Value:
    """Return the player who decides for a piece that gets an order: the one who was asked to choose it."""
    chosen_by = scope.variables.chosen_by
    return chosen_by.get(piece.id, asked_player(scope)) if isinstance(piece, Var) else asked_player(scope)


def _refuse_who_cannot(reader: TextReader, typed: Typed, verb: Verb, node: ast.Do) -> None:
    if not can_act(reader, typed, verb):
        doer = verb.agent_noun if verb.by == "piece" else verb.by
        help = f"that is something {with_article(doer)} does"
        if typed.base == "player" and verb.by == "piece":
            help += f", as in `this may {verb.name} …`"
            who = node.subject.span.one_line if node.subject is not None else ""
            if who.startswith("each "):
                help = f"say `{who} may {verb.name} one of their {plural(doer)}`"
            if isinstance(node.subject, ast.Pronoun) and node.subject.word == "you":
                rest = node.span.source.text[node.subject.span.end : node.span.end]
                help = f"say `this{' '.join(['', *rest.split()])}`"
        if doer == "game":
            help = "leave out who does it: it is the game's own"
        raise flaw("wrong-kind", f"{article(typed)} cannot {quoted(node.verb.text)}", node.span, help=help)


def scope_of_order(agent: Typed | None, scope: Scope) -> Scope:
    """Return the scope of the phrases of an order with an agent; distances are measured from a piece by default."""
    if agent is None or agent.value == scope.you or (scope.this is not None and agent.value == scope.this.value):
        return scope.from_here(agent if agent is not None and agent.base == "piece" else None)
    return replace(scope.from_here(agent if agent.base == "piece" else None), ordered=agent)


def _agent_typed(agent: ir.Fill, scope: Scope) -> Typed | None:
    match agent:
        case ir.Bound(value):
            if value == Const(NOTHING, "player"):
                return scope.this
            known = scope.this if scope.this and scope.this.value == value else None
            base: Base = "piece" if getattr(value, "base", "") == "piece" else "player"
            return known or Typed(value, base, "" if base == "piece" else base)
        case ir.ChosenRole(_, var):
            return Typed(var, var.base, var.noun)
    return scope.this


def _fill(
    reader: TextReader, phrase: ast.Expression | None, verb: Verb, role: Role, scope: Scope, after: Scope
) -> tuple[ir.Fill, Mention | None]:
    if phrase is None or (says_nothing(phrase, role.noun) and _is_settled(reader, verb, role)):
        var = after.variables.new(role.base, role.noun)
        typed = Typed(var, var.base, role.noun)
        if phrase is None:
            return ir.Usual(var), Mention(typed, (role.noun,), told=False, implied=True)
        return ir.Usual(var), mentioned(phrase, typed)
    if is_from_nobody(phrase, verb, role):
        return ir.Bound(NO_PIECE), None
    scope = replace(scope, mentions=after.mentions)
    if leaves_open(reader, phrase, scope):
        assert isinstance(phrase, ast.Phrase)
        if scope.ordered is not None:
            refuse_sides(reader, phrase, scope.ordered, scope, role.noun)
            take_note(reader, phrase, scope.ordered, role.noun)
        among = read_members(reader, phrase, for_role(reader, scope, role, scope.ordered))
        var = after.variables.new(among.var.base, role.noun)
        after.variables.known += chosen_as(var, among)
        typed = Typed(var, var.base, thing_of(reader, phrase).name)
        refuse_other(reader, typed, role, phrase)
        return ir.ChosenRole(among, var), mentioned(phrase, typed, role.noun)
    typed = read_value(reader, phrase, scope, lambda one: can_fill(reader, one, role))
    refuse_other(reader, typed, role, phrase)
    said_this = isinstance(phrase, ast.Pronoun) and phrase.word == "this"
    return ir.Bound(typed.value), Mention(typed, (), span=phrase.span) if said_this else None


def _is_settled(reader: TextReader, verb: Verb, role: Role) -> bool:
    """Whether a role has a domain, or is filled by a token, which the definition finds."""
    return role.base == "token" or (verb.name, role.word) in reader.model.permitted


def can_fill(reader: TextReader, thing: Typed, role: Role) -> bool:
    """Return whether a thing can fill a role."""
    return thing.base == role.base and _may_be_any(reader, thing.noun, role.noun)


def refuse_other(reader: TextReader, typed: Typed, role: Role, phrase: ast.Expression) -> None:
    """Raise Flaw for a thing that cannot fill a role."""
    if not can_fill(reader, typed, role):
        said = quoted(phrase.span.text)
        message = f"{said} is {article(typed)}, and {with_article(role.noun)} is needed"
        raise flaw("wrong-kind", message, phrase.span)


def says_nothing(phrase: ast.Expression, noun: str) -> bool:
    """Whether a phrase only repeats the role's noun: `lose a coin` if coins are the things lost."""
    return (
        isinstance(phrase, ast.Phrase)
        and isinstance(phrase.head, ast.Word)
        and phrase.head.text == noun
        and is_indefinite(phrase)
        and not phrase.adjectives
        and not phrase.modifiers
        and phrase.count is None
        and phrase.determiner in ("a", "an")
    )
