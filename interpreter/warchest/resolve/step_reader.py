"""Orders: sentences that make something happen, as steps of code.

Most functions return the steps, and the scope of the steps after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TypeAlias

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.opposites import opposite_of
from warchest.ir.parts import nodes_in, variables_in
from warchest.ir.values import NO_PIECE, All, Any, Condition, FieldOf, Not, Value
from warchest.resolve.amounts import as_any, not_one
from warchest.resolve.antecedents import PronounTest
from warchest.resolve.budgets import begins_within, is_left, refuse_count_in_loop, within
from warchest.resolve.builtin import asked_player, controller_of, leaves_no_choice, scope_of_offer
from warchest.resolve.conditions import having_asked, having_named, having_said, read_condition, refuse_act_in_place
from warchest.resolve.field_changes import counted_in, flag_test, read_becomes, read_changes, steps_aside
from warchest.resolve.foresight import read_asking, refuse_same_order
from warchest.resolve.grants import read_grant
from warchest.resolve.joining import joined
from warchest.resolve.lasting import read_delayed, read_lasting
from warchest.resolve.model import ORDINALS
from warchest.resolve.phrase_nouns import article, mentioned, thing_of
from warchest.resolve.quantities import some_left, unclear_who, without_vain
from warchest.resolve.reach import (
    no_step,
    pronoun_in,
    refuse_after_if,
    refuse_after_otherwise,
    refuse_event_before,
    refuse_guard,
    refuse_in_loop,
    refuse_two_readings,
    sequence_of,
)
from warchest.resolve.remains import having_become
from warchest.resolve.sets import read_members
from warchest.resolve.sides import chosen_as
from warchest.resolve.stopping import stopped
from warchest.resolve.text_reader import TextReader
from warchest.resolve.trails import space_of_place
from warchest.resolve.types import Flaw, Mention, Scope, Typed, flaw
from warchest.resolve.value_reader import read_value
from warchest.resolve.verb_orders import read_order, who_can
from warchest.resolve.windows import opened
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import plural

_SaidOfEach: TypeAlias = ast.Do | ast.May | ast.Becomes | ast.Has | ast.Prevails | ast.OfferedChange
"""The steps that can be applied to each of several things."""


def read_sentences(reader: TextReader, sentences: Sequence[ast.Sentence], scope: Scope) -> tuple[ir.Steps, Scope]:
    """Read the sentences of a block of steps, one after the other."""
    done: list[ir.Order] = []
    for step in stopped(joined(sentences)):
        read, scope = read_steps(reader, step, scope)
        done.extend(read)
    return tuple(done), scope


def read_steps(reader: TextReader, node: ast.Statement, scope: Scope) -> tuple[ir.Steps, Scope]:
    """Read one step, which may be a sequence, or several parts of a sentence."""
    if isinstance(node, ast.Sections):
        return read_sentences(reader, node.sections, scope)
    return _sequence(reader, sequence_of(node), scope)


def _sequence(reader: TextReader, nodes: Sequence[ast.Statement], scope: Scope) -> tuple[ir.Steps, Scope]:
    done, scope = _in_turn(reader, nodes, scope)
    return tuple(step for steps in done for step in steps), scope


def _in_turn(reader: TextReader, nodes: Sequence[ast.Statement], scope: Scope) -> tuple[list[ir.Steps], Scope]:
    """Read steps one after the other; return the steps that each of them makes."""
    done: list[ir.Steps] = []
    for index, node in enumerate(nodes):
        rest = nodes[index + 1 :]
        _refuse_behind_time(node, rest)
        loops = _said_of_each(reader, node, rest, scope)
        if loops:
            done.append(tuple(_for_each(reader, loop, scope) for loop in loops))
            if isinstance(node, ast.May | ast.OfferedChange):
                break
            continue
        first, *then = _as_choice(reader, node, scope)
        if isinstance(first, ast.May | ast.OfferedChange):
            # An offer reaches to the end of its part, and includes all later steps there.
            done.append(_offered(reader, first, [*then, *rest], scope))
            break
        if then:
            read, scope = _sequence(reader, [first, *then], scope)
        elif isinstance(node, ast.Conditional):
            read, scope = _if(reader, node, scope, is_first=index == 0)
        elif isinstance(node, ast.Guarded):
            read, scope = _guarded(reader, node, rest, scope)
        elif isinstance(node, ast.Limited):
            read = _limited(reader, node, scope, is_first=index == 0)
        else:
            read, scope = _step(reader, node, scope)
        done.append(read)
    return done, scope


def _step(reader: TextReader, node: ast.Statement, scope: Scope) -> tuple[ir.Steps, Scope]:
    match node:
        case ast.Do():
            return read_order(reader, node, scope)
        case ast.Becomes():
            return ((made := read_becomes(reader, node, scope)),), having_become(made, node, scope)
        case ast.Changes():
            return (*steps_aside(reader, node, scope), *read_changes(reader, node, scope)), scope
        case ast.Has() | ast.Prevails():
            return (read_grant(reader, node, scope),), having_named(node.subject, scope)
        case ast.Let():
            return _let(reader, node, scope)
        case ast.Lasting():
            return read_lasting(reader, node, scope), scope
        case ast.Delayed():
            return read_delayed(reader, node, scope, read_steps), scope
        case ast.Requirement(subject, negated, value):
            must = read_condition(reader, ast.Is(subject, False, value, span=node.span), scope)
            condition = Not(must, node.span) if negated else must
            return (ir.Must(condition, span=node.span),), having_named(subject, scope)
        case ast.Repetition(condition, step):
            refuse_event_before(node)
            asked, read = read_asking(reader, condition, scope)
            done = read_steps(reader, step, having_said(condition, scope))[0]
            return (*asked, ir.Until(read, (*done, *asked), span=node.span)), scope
        case ast.Alternatives(options):
            branches = [read_steps(reader, option, scope) for option in options]
            branches = [(begins_within(steps), after) for steps, after in branches]
            told, after = _joined(branches, scope, node.span)
            return (ir.Either(told, _who_chooses(reader, options, scope), span=node.span),), after
        case ast.Iteration():
            return (_for_each(reader, node, scope),), scope
        case ast.Window():
            return _window(reader, node, scope), _after_window(reader, node.offer, scope)
        case ast.Sections():
            return read_steps(reader, node, scope)
        case _:
            raise no_step(node)


def _let(reader: TextReader, node: ast.Let, scope: Scope) -> tuple[ir.Steps, Scope]:
    typed, word = read_value(reader, node.value, scope), node.word.text
    known = reader.model.thing(word)
    if known is not None and known.base != typed.base:
        message = f"{quoted(node.value.span.text)} is {article(typed)}, not {with_article(word)}"
        raise flaw("wrong-kind", message, node.word.span, help="give it another name, of `words: names:`")
    var = scope.variables.new(typed.base, word)
    scope.variables.named[var.id] = word, node.span
    kept = ir.Keep(var, typed.value, span=node.span)
    return (kept,), scope.mentioning(Mention(Typed(var, typed.base, word), (word,), told=False, span=node.span))


def _if(reader: TextReader, node: ast.Conditional, scope: Scope, is_first: bool) -> tuple[ir.Steps, Scope]:
    """Read an `if`; later words can refer to things that both branches mention."""
    known = scope.variables.used
    refuse_same_order(reader, node.condition, sequence_of(node.step)[0])
    asked, test = read_asking(reader, node.condition, scope)
    scope = having_said(node.condition, scope)
    done, after = _in_turn(reader, sequence_of(node.step), having_asked(reader, node.condition, scope))
    if not is_first and node.otherwise is None:
        refuse_after_if(sequence_of(node.step), done, test, known)
    then = tuple(step for steps in done for step in steps), replace(after, asked=scope.asked)
    if node.otherwise is None:
        return (*asked, ir.If(test, then[0], (), span=node.span)), scope.doubting(after)
    branches = [then, _otherwise(reader, node, scope, known)]
    (first, second), after = _joined(branches, scope, node.span)
    return (*asked, ir.If(test, first, second, span=node.span)), after


def _otherwise(reader: TextReader, node: ast.Conditional, scope: Scope, known: int) -> tuple[ir.Steps, Scope]:
    """Read the steps of an `otherwise`; the variables below `known` come from the text before its `if`."""
    assert node.otherwise is not None
    if not isinstance(node.otherwise, ast.StepSequence):
        return read_steps(reader, node.otherwise, scope)
    done, after = _in_turn(reader, node.otherwise.steps, scope)
    refuse_after_otherwise(node, done, known)
    return tuple(step for steps in done for step in steps), after


def _guarded(
    reader: TextReader, node: ast.Guarded, rest: Sequence[ast.Statement], scope: Scope
) -> tuple[ir.Steps, Scope]:
    """Read a step with its condition, which is evaluated before it: `this moves if it is bolstered`."""
    refuse_guard(node, rest, bool(_said_of_each(reader, node.step, (), scope)))
    refuse_act_in_place(reader, node)
    known, variables = scope.variables.used, copy(scope.variables)
    before, behind = _read_or_flaw(reader, node.condition, scope), having_said(node.condition, scope)
    done, after = read_steps(
        reader, node.step, scope if node.is_behind else having_asked(reader, node.condition, behind)
    )
    if node.is_behind:
        after = _having_acted(node.step, after)
        later = _read_or_flaw(reader, node.condition, replace(after, variables=variables))
        refuse_two_readings(node, before, later, done)
    if isinstance(before, Flaw):
        raise before
    asked, test = before
    known_still = [one for one in after.mentions if all(number < known for number in variables_in(one.thing.value))]
    condition = test if node.word == "if" else opposite_of(_cases(node.condition, test), node.condition.span)
    behind = behind.mentioning(*known_still).doubting(after)
    return (*asked, ir.If(condition, done, (), span=node.span)), behind


def _having_acted(step: ast.Statement, scope: Scope) -> Scope:
    """Return the scope after a step, where `it` can refer to `this` as the agent, even if it is not named."""
    subject = getattr(step.step if isinstance(step, ast.Limited) else step, "subject", step)
    if subject is None and scope.this is not None:
        return scope.mentioning(Mention(scope.this, (), span=step.span))
    return having_named(subject, scope) if isinstance(subject, ast.Pronoun) else scope


def _read_or_flaw(reader: TextReader, condition: ast.Proposition, scope: Scope) -> tuple[ir.Steps, Condition] | Flaw:
    """Read a condition of steps with its look-ahead; return its flaw if it makes no sense there."""
    try:
        asked, test = read_asking(reader, condition, scope)
    except Flaw as found:
        return found
    return tuple(asked), test


def _limited(reader: TextReader, node: ast.Limited, scope: Scope, is_first: bool) -> ir.Steps:
    """Read steps that are done at most a number of times, counted for `this`, or for `you` if no piece is `this`."""
    _refuse_count_of_other(reader, node, scope)
    known = scope.variables.used
    done, _ = _in_turn(reader, sequence_of(node.step), scope)
    place = counted_in(reader, node.limit, scope)
    if not is_first:
        refuse_after_if(sequence_of(node.step), done, is_left(place, node.limit), known)
    return within(tuple(step for steps in done for step in steps), place, node.limit, node.span)


def _refuse_count_of_other(reader: TextReader, node: ast.Limited, scope: Scope) -> None:
    """Raise Flaw for a limit on an act of another agent: it could count for that agent, or for this card."""
    step, said = node.step, quoted(node.limit.span.text)
    if not isinstance(step, ast.Do | ast.May) or step.subject is None or node.limit.of_players:
        return
    if node.limit.span.start <= step.span.start:
        return
    verb, who = step.verb if isinstance(step, ast.Do) else step.verbs[0], step.subject
    known = read_value(reader, who, scope, who_can(reader, verb)).value if isinstance(who, ast.Pronoun) else None
    if known is None or known not in (scope.you, scope.this and scope.this.value):
        raise flaw(
            "unclear-reach",
            f"{said} could be counted for {quoted(who.span.text)}, or for this card",
            node.limit.span,
            help="put it in front, `once a round, …`, to count for this card; a limit for each is worded "
            "`a … cannot … more than once a round`",
        )


def _joined(branches: Sequence[tuple[ir.Steps, Scope]], scope: Scope, span: Span) -> tuple[tuple[ir.Steps, ...], Scope]:
    """Return the branches of a choice, and the scope after them.

    A thing that each branch mentions once, by the same noun, can be referred to after them.
    """
    new = [[one for one in after.mentions if one not in scope.mentions] for _, after in branches]
    told = [list(steps) for steps, _ in branches]
    for first in new[0]:
        row = [first]
        for others in new[1:]:
            row += [one for one in others if _alike(first, one)][-1:]
        called = tuple(word for word in first.called if all(word in one.called for one in row))
        if len(row) < len(branches) or not called:
            continue
        if all(one.thing.value == first.thing.value for one in row):
            scope = scope.mentioning(first)
            continue
        var = scope.variables.new(first.thing.base, called[0])
        scope.variables.joined.add(var.id)
        for steps, one in zip(told, row, strict=True):
            steps.append(ir.Keep(var, one.thing.value, span=span))
        adjectives = tuple(word for word in first.adjectives if all(word in one.adjectives for one in row))
        by_all, implied = all(one.told for one in row), any(one.implied for one in row)
        new_one = Typed(var, var.base, var.noun)
        scope = scope.mentioning(Mention(new_one, called, adjectives, by_all, implied, span))
    return tuple(tuple(steps) for steps in told), scope


def _alike(first: Mention, second: Mention) -> bool:
    """Whether two branches mention things by the same noun."""
    return first.thing.base == second.thing.base and not set(first.called).isdisjoint(second.called)


def _who_chooses(reader: TextReader, options: tuple[ast.Statement, ...], scope: Scope) -> Value:
    """Return the player who chooses a branch: `you`; in a text without `you`, the subject of the first branch."""
    first = options[0].steps[0] if isinstance(options[0], ast.StepSequence) else options[0]
    if scope.you is None and isinstance(first, ast.Do | ast.May) and first.subject is not None:
        return controller_of(reader, read_value(reader, first.subject, scope), first.span)
    return asked_player(scope)


# ---- offers, loops, fields


def _said_of_each(
    reader: TextReader, node: ast.Statement, rest: Sequence[ast.Statement], scope: Scope
) -> list[ast.Iteration]:
    """Return the loops for a plain sentence with `each`: `each adjacent unit loses a coin`.

    An offer to each of them includes everything that follows it.
    """
    if not isinstance(node, _SaidOfEach):
        return []
    members = node.subject
    if isinstance(members, ast.Phrase) and members.determiner == "all" and isinstance(members.head, ast.Word):
        words = " ".join(word.text for word in (*members.adjectives, members.head))
        raise not_one(members, members.span, f"say it of each: `each {words} …`")
    if not isinstance(members, ast.Phrase) or members.determiner != "each":
        return []
    one = _with_subject(node, ast.Pronoun("it", span=members.span))
    reaches_on = isinstance(node, ast.May | ast.OfferedChange) and rest
    step = ast.StepSequence((one, *rest), span=node.span) if reaches_on else one
    if reaches_on:
        _refuse_nameless(reader, members, rest)
    if any(one.told for one in scope.mentions):
        unnamed = _with_subject(node, ast.Pronoun("this", span=members.span))
        said = next(filter(None, map(pronoun_in, (unnamed, *(rest if step is not one else ())))), None)
        if said is not None:
            message = f"{quoted(said.span.text)} could be each of these, or one named before"
            raise flaw("ambiguous-it", message, said.span, help="name it: `that …`, or begin with `for each …, it …`")
    order = "in turn order" if thing_of(reader, members).base == "player" else ""
    return [ast.Iteration(part, order, step, span=node.span) for part in _in_order(reader, members, scope)]


def _refuse_nameless(reader: TextReader, members: ast.Phrase, rest: Sequence[ast.Statement]) -> None:
    """Raise Flaw for an act without an agent after an offer to each of several pieces."""
    for step in rest if thing_of(reader, members).base == "piece" else ():
        verb = reader.model.verb(step.verb.text) if isinstance(step, ast.Do) and step.subject is None else None
        if verb is not None and verb.by == "piece":
            does = reader.model.vocabulary.form("VERBS", verb.name)
            message = f"{quoted(step.span.text)} could be an act of each of them, or of this one"
            raise flaw("unclear-reach", message, step.span, help=f"say who does it: `it {does} …`, or `this {does} …`")


def _as_choice(reader: TextReader, node: ast.Statement, scope: Scope) -> tuple[ast.Statement, ...]:
    """Return the steps for a player who makes a piece act: `you may move one of your units`."""
    if not isinstance(node, ast.Do | ast.May) or not isinstance(node.arguments.object, ast.Phrase):
        return (node,)
    word, piece = node.verb if isinstance(node, ast.Do) else node.verbs[0], node.arguments.object
    verb = reader.model.verb(word.text)
    if verb is None or verb.by != "piece" or any(role.word == "" for role in verb.roles):
        return (node,)
    if piece.determiner not in ("a", "any", "another") or (isinstance(node, ast.May) and len(node.verbs) > 1):
        return (node,)
    known = reader.model.thing(piece.head.text) if isinstance(piece.head, ast.Word) else thing_of(reader, piece)
    each = isinstance(node.subject, ast.Phrase) and node.subject.determiner == "each"
    who = None if node.subject is None or each else read_value(reader, node.subject, scope)
    if known is None or known.base != "piece" or (who is not None and who.base != "player"):
        return (node,)
    chosen, span = ast.Arguments(piece, (), span=piece.span), node.span
    choose = ast.Word("choose", span=word.span)
    earlier = sum(not one.implied for one in scope.mentions_of(known.name, reader.model.narrows))
    place = (ast.Word(ORDINALS[min(earlier, len(ORDINALS) - 1)], span=piece.span),) if earlier else ()
    that = ast.Phrase("that", None, place, ast.Word(known.name, span=piece.span), (), span=piece.span)
    order = ast.Do(that, word, replace(node.arguments, object=None), node.adverbs, span=span)
    if isinstance(node, ast.May):
        return ast.May(node.subject, (choose,), chosen, (), span=span), order
    return ast.Do(node.subject, choose, chosen, (), span=span), order


def _in_order(reader: TextReader, members: ast.Phrase, scope: Scope) -> tuple[ast.Phrase, ...]:
    """Return the members of a loop; if some players come first, two phrases: these players, then all others."""
    first = next((one for one in members.modifiers if isinstance(one, ast.ComesFirst)), None)
    if first is None:
        return (members,)
    rest = tuple(one for one in members.modifiers if one is not first)
    return _beginning_with(reader, first.who, replace(members, modifiers=rest), scope)


def _beginning_with(
    reader: TextReader, who: ast.NounPhrase, members: ast.Phrase, scope: Scope
) -> tuple[ast.Phrase, ast.Phrase]:
    """Return the players who come first, and all others."""
    all_players = thing_of(reader, members).name == "player" and not (members.modifiers or members.adjectives)
    some = _first_of(reader, who, scope) if all_players else None
    if some is None:
        message = f"{quoted(who.span.text)} does not say which players come first"
        help = "say `each player, beginning with your …, may …`, or `for each player in turn order, …`"
        raise flaw("syntax-error", message, who.span, help)
    others = ast.ThatIs(True, some, span=who.span)
    if isinstance(some, ast.Phrase) and some.determiner == "a":
        return replace(some, determiner="each"), replace(members, modifiers=(others,))
    alone = ast.ThatIs(False, some, span=who.span)
    return replace(members, modifiers=(alone,)), replace(members, modifiers=(others,))


def _first_of(reader: TextReader, who: ast.NounPhrase, scope: Scope) -> ast.NounPhrase | None:
    """Return the phrase for a player who comes first, with `a` if several can; None if the words name no player."""
    if isinstance(who, ast.Phrase) and who.determiner == "your" and isinstance(who.head, ast.Word):
        known = reader.model.thing(who.head.text)
        if known is not None and known.base == "player":
            return ast.Phrase("a", None, who.adjectives, who.head, (), span=who.span)
    is_one = isinstance(who, ast.Phrase) or (isinstance(who, ast.Pronoun) and who.word == "you")
    return who if is_one and read_value(reader, who, scope).base == "player" else None


def _offered(
    reader: TextReader, node: ast.May | ast.OfferedChange, rest: Sequence[ast.Statement], scope: Scope
) -> ir.Steps:
    """Read an offer; an offer to change a number within a budget is only made while some of the budget is left."""
    aside = steps_aside(reader, node.change, scope) if isinstance(node, ast.OfferedChange) else ()
    offer = _offer(reader, node, rest, scope)
    return (*aside, some_left(aside, offer)) if aside else (without_vain(offer),)


def _offer(
    reader: TextReader, node: ast.May | ast.OfferedChange, rest: Sequence[ast.Statement], scope: Scope
) -> ir.Offer:
    orders: list[ast.Statement]
    if isinstance(node, ast.OfferedChange):
        decider, orders = _decides_on(reader, node.change, scope), [node.change]
    else:
        # An offer of a change without a choice can only be taken or declined.
        decider = controller_of(
            reader, read_value(reader, node.subject, scope, who_can(reader, node.verbs[0])), node.span
        )
        orders = [
            ast.Do(
                None if leaves_no_choice(reader, verb, node) else node.subject,
                verb,
                node.arguments,
                node.adverbs,
                span=node.span,
            )
            for verb in node.verbs
        ]
    scope = scope_of_offer(decider, scope)
    branches = tuple(_sequence(reader, [order, *rest], scope)[0] for order in orders)
    called = _called(node.change) if isinstance(node, ast.OfferedChange) else ""
    return ir.Offer(branches, decider, called=called, span=node.span)


def _decides_on(reader: TextReader, change: ast.OrderedChange, scope: Scope) -> Value:
    """Return the player who decides on a change: the owner of the thing or of the number, or `you`."""
    fits: PronounTest = lambda one: one.base in ("player", "piece")  # noqa: E731
    if isinstance(change, ast.Becomes) and isinstance(change.value, ast.Adjective):
        fits = flag_test(reader, change.value.word)
    thing = read_value(reader, space_of_place(change.subject) or change.subject, scope, fits)
    if thing.base in ("player", "piece"):
        return controller_of(reader, thing, change.span)
    place = thing.value
    owner = reader.model.ruleset.fields[place.field].of if isinstance(place, FieldOf) else ""
    if isinstance(place, FieldOf) and place.of is not None and (owner == "player" or owner == "piece"):
        decider = controller_of(reader, Typed(place.of, owner, thing.noun), change.span)
        if scope_of_offer(decider, scope).asked_of == decider:
            raise unclear_who(change, reader.model.vocabulary)
        return decider
    if scope.you is None and scope.asked_of is None:
        message = f"{quoted(change.subject.span.text)} has no owner who could decline"
        help = "say who decides: `each player, beginning with you, may …`, or let it change in an act of a player"
        raise flaw("wrong-kind", message, change.subject.span, help)
    return asked_player(scope)


def _for_each(reader: TextReader, node: ast.Iteration, scope: Scope) -> ir.ForEach:
    phrase = node.members
    members = read_members(reader, as_any(phrase), scope)
    var = scope.variables.new(members.var.base, members.var.noun)
    scope.variables.known += chosen_as(var, members)
    inner = scope.each(mentioned(phrase, Typed(var, var.base, var.noun)))
    refuse_count_in_loop(node)
    done, _ = _in_turn(reader, sequence_of(node.step), inner)
    refuse_in_loop(sequence_of(node.step), done, var)
    steps = tuple(step for steps in done for step in steps)
    free = node.order == "in any order"
    if not free and (node.order != "") != (members.var.base == "player"):
        said = "players are in turn order" if node.order == "" else "only players are in turn order"
        help = "say `in turn order`" if node.order == "" else "say `in any order`, or leave it out"
        raise flaw("syntax-error", said, phrase.span, help=help)
    return ir.ForEach(var, members, free, asked_player(scope), steps, span=node.span)


def _window(reader: TextReader, node: ast.Window, scope: Scope) -> ir.Steps:
    """Read an offer to players in turn, until all of them have passed in a row."""
    offer, players, until = node.offer, node.offer.subject, f"until all {node.until.word}"
    several = isinstance(players, ast.Phrase) and players.determiner == "each"
    if not isinstance(players, ast.Phrase) or not several or thing_of(reader, players).base != "player":
        help = f"say `{_each_of(reader, players)} … {until}`; an offer to one player is made once: `you may …`"
        raise flaw(
            "wrong-kind", f"{quoted(until)} takes several players, who are asked in turn", node.until.span, help=help
        )
    _refuse_act_of_passing(reader, node.until)
    passes = scope.variables.new("number", "number")
    counted = read_members(reader, as_any(players), scope)
    one = replace(offer, subject=ast.Pronoun("it", span=players.span))
    parts = _beginning_with(reader, node.first, players, scope) if node.first is not None else (players,)
    rounds = [_for_each(reader, ast.Iteration(part, "in turn order", one, span=node.span), scope) for part in parts]
    _refuse_left_over(offer, rounds)
    return opened(passes, counted, rounds, node.span)


def _each_of(reader: TextReader, asked: ast.NounPhrase) -> str:
    """Return the words for an offer to each of some players; if pieces are asked, to their owners."""
    thing = thing_of(reader, asked) if isinstance(asked, ast.Phrase) else None
    if thing is not None and thing.base == "piece":
        return f"each player may … one of their {plural(thing.name)}"
    return f"each {thing.name if thing is not None and thing.base == 'player' else 'player'} may"


def _after_window(reader: TextReader, offer: ast.May, scope: Scope) -> Scope:
    """Return the scope after a window; later steps cannot refer to the acts in it."""
    phrases = [one for one in (offer.subject, offer.arguments.object) if isinstance(one, ast.Phrase)]
    things = [(one, thing_of(reader, one)) for one in phrases]
    spoken = [
        replace(mentioned(one, Typed(NO_PIECE, thing.base, thing.name)), in_window=True)
        for one, thing in things
        if thing.base is not None
    ]
    return replace(scope, perhaps=(*scope.perhaps, *spoken))


def _refuse_act_of_passing(reader: TextReader, until: ast.AllPass) -> None:
    """Raise Flaw if the word for passing is also that for an act of the game, which a player could think is meant."""
    if reader.model.verb(until.word) is not None:
        other = "decline" if until.word == "pass" else "pass"
        help = f"say `until all {other}`" if reader.model.verb(other) is None else "give the act another name"
        message = f"{quoted(until.word)} is an act of this game, but is no duty here"
        raise flaw("unclear-reach", message, until.span, help=help)


def _called(change: ast.OrderedChange) -> str:
    """Return the name of the change in an option: `become marked`, `increase heat`."""
    match change:
        case ast.Becomes(_, value) | ast.Prevails(_, value):
            return f"become {value.span.one_line}"
        case ast.Changes(subject, how):
            head = subject.head if isinstance(subject, ast.Phrase) else subject
            return f"{ast.OFFERED_CHANGES[how]} {head.span.one_line}"
        case ast.Has(_, bonus):
            return f"have {bonus.span.one_line}"


def _with_subject(node: _SaidOfEach, subject: ast.NounPhrase) -> _SaidOfEach:
    """Return a step, or the offer of a step, with another thing as its subject."""
    if isinstance(node, ast.OfferedChange):
        return replace(node, change=replace(node.change, subject=subject))
    return replace(node, subject=subject)


def _refuse_left_over(offer: ast.May, rounds: Sequence[ir.ForEach]) -> None:
    """Raise Flaw if an act in a window yields a token that only a later step could place."""
    left = next((one.result for one in nodes_in(rounds) if isinstance(one, ir.Call) and one.result is not None), None)
    if left is not None:
        verb, that = offer.verbs[0].text, f"put that {left.noun} into …"
        raise flaw(
            "says-nothing",
            f"nothing takes up the {left.noun}, which is nowhere then",
            offer.span,
            help=f"a window offers one act; define a verb for all of it, in an `action:` document: "
            f"`to …: {verb} …, then {that}`",
        )


def _cases(node: ast.Proposition, condition: Condition) -> list[tuple[Condition, ...]]:
    """Return the alternatives of a condition that a sentence joins by `or`; each has conditions joined by `and`."""
    if isinstance(node, ast.AnyOf) and isinstance(condition, Any):
        return [case for one in zip(node.conditions, condition.conditions, strict=True) for case in _cases(*one)]
    return [condition.conditions if isinstance(node, ast.AllOf) and isinstance(condition, All) else (condition,)]


def _refuse_behind_time(node: ast.Statement, rest: Sequence[ast.Statement]) -> None:
    """Raise Flaw for a step after a rule until a time: it could be taken at once, or when that time comes."""
    if not rest or not isinstance(node, ast.Lasting):
        return
    said, help = quoted(rest[0].span.text), "end the sentence before it"
    if not isinstance(node.until, ast.ComingTime):
        raise flaw("unclear-reach", f"{said} could act at once, or when that happens", rest[0].span, help=help)
    edge = "end" if node.until.edge == "ends" else "start"
    when = f"at the {edge} of …" if edge == "start" or node.until.yours else f"at the end of this {node.until.span_of}"
    message = f"{said} could act at once, or at that time"
    raise flaw("unclear-reach", message, rest[0].span, help=f"{help}, or say `{when}, …` in another one")
