"""Grants for a time: bonuses on printed numbers or borne documents, set fields, and the events that end them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.parts import variables_in
from warchest.ir.ruleset import FIXED, THIS, YOU, Hook, Verb
from warchest.ir.values import NO_PIECE, NOTHING, All, Compare, Condition, Const, FieldOf, Parameter, Value, Var
from warchest.resolve.conditions import having_named, parts_of_event
from warchest.resolve.event_patterns import (
    act_so,
    code_of,
    concrete_verbs,
    event_said,
    known_verb,
    params_of,
    scope_of_text,
)
from warchest.resolve.field_changes import read_becomes
from warchest.resolve.model import raised
from warchest.resolve.moments import said_of_doer
from warchest.resolve.phrase_nouns import article
from warchest.resolve.text_reader import TextReader
from warchest.resolve.times import hook_at, time_verb
from warchest.resolve.types import Mention, Scope, Typed, Variables, flaw
from warchest.resolve.value_reader import read_letter, read_number, read_of_base
from warchest.source.text import Span
from warchest.syntax import ast


def read_grant(reader: TextReader, node: ast.Has | ast.Prevails, scope: Scope) -> ir.Grant | ir.Prevail:
    """Read a bonus for a piece, or a field that is set for a time."""
    given = _has(reader, node, scope) if isinstance(node, ast.Has) else _prevails(reader, node, scope)
    if node.until is None:
        return given
    clause, asks_you = _until(reader, node.until, node.span, scope)
    given = replace(given, clause=clause)
    if isinstance(given, ir.Grant) and not asks_you:
        # The giver's player makes no difference from then on, and equal positions have to be equal states.
        given = replace(given, you=Const(NOTHING, "player"))
    reader.model.ruleset.upheld[given.clause] = (scope.carrier, given)
    return given


def _givers(scope: Scope) -> tuple[Value, Value]:
    """Return the piece and the player that give something, if there are any."""
    this = scope.this.value if scope.this is not None and scope.this.base == "piece" else NO_PIECE
    return this, scope.you if scope.you is not None else Const(NOTHING, "player")


def _has(reader: TextReader, node: ast.Has, scope: Scope) -> ir.Grant:
    piece = read_of_base(reader, node.subject, scope, "piece")
    return ir.Grant(piece.value, _bonus(reader, node.bonus, scope), -1, *_givers(scope), span=node.span)


def _prevails(reader: TextReader, node: ast.Prevails, scope: Scope) -> ir.Prevail:
    plain = read_becomes(reader, ast.Becomes(node.subject, node.value, span=node.span), scope)
    ruleset = reader.model.ruleset
    if isinstance(plain, ir.ChangeOwner):
        raise flaw("wrong-kind", "an owner changes for good", node.span, help="leave out `until …` and `forever`")
    if not isinstance(plain, ir.SetField) or plain.of is None or ruleset.fields[plain.field].of != "piece":
        message = "only a bonus or value of a piece can be temporary"
        raise flaw("wrong-kind", message, node.span, help="leave out `until …` and `forever`")
    if ruleset.fields[plain.field].steps is not None:
        raise flaw("wrong-kind", "a trail cannot be so for a time", node.span, help="leave out `until …` and `forever`")
    field = ruleset.fields[plain.field]
    if field.lasts or field.lasts_for:
        acts = " or ".join(quoted(ruleset.verbs[act].name) for act in field.lasts_for)
        long = f"for a {field.lasts}" if field.lasts else f"until no {acts} is under way"
        message = f"{quoted(field.name)} is declared to last {long}, and no longer"
        help = "leave out how long it lasts here, or `until:` in its declaration"
        raise flaw("wrong-kind", message, node.span, help)
    if plain.field not in ruleset.prevailing:
        ruleset.prevailing.append(plain.field)
    return ir.Prevail(plain.field, plain.of, plain.value, -1, *_givers(scope), span=node.span)


def _bonus(reader: TextReader, node: ast.Addition | ast.Letter, scope: Scope) -> ir.Raise | Parameter:
    if isinstance(node, ast.Addition):
        what = node.what.text
        borne = isinstance(node.what, ast.Name) and _is_borne(reader, node.what)
        if not borne and what not in reader.model.printed:
            message = f"{quoted(what)} cannot be raised by a bonus"
            help = "name a number written on documents, or a document that is borne"
            raise flaw("wrong-kind", message, node.what.span, help)
        if node.amount is None:
            _refuse_without_number(reader, node)
        amount = read_number(reader, node.amount, scope) if node.amount is not None else Const(1, "number")
        return ir.Raise(raised(reader.model, what), amount)
    letter = read_letter(reader, node, scope, "bonus")
    if letter.base != "number":
        raise flaw("wrong-kind", f"{quoted(node.text)} is {article(letter)}, not a bonus", node.span)
    assert isinstance(letter.value, Parameter)
    return letter.value


def _refuse_without_number(reader: TextReader, node: ast.Addition) -> None:
    """Raise Flaw for a borne document that takes a number, if the text gives none."""
    number = reader.model.ruleset.sheet_number(node.what.text)
    if number >= 0 and reader.model.ruleset.sheets[number].parameters:
        message = f"{quoted(node.what.text)} is borne with a number"
        raise flaw("wrong-kind", message, node.what.span, help=f"say how much more of it: `+2 {node.what.text}`")


def _is_borne(reader: TextReader, name: ast.Name) -> bool:
    number = reader.model.ruleset.sheet_number(name.text)
    return reader.model.ruleset.sheets[number].kind in reader.model.bearers


def _until(reader: TextReader, event: ast.EventPhrase | ast.ComingTime, span: Span, scope: Scope) -> tuple[int, bool]:
    """Add a hook on the event that ends a bonus; return the number of its clause, and whether it is about `you`."""
    clause = len(reader.model.ruleset.grants)
    reader.model.ruleset.grants.append(span.one_line)
    if isinstance(event, ast.ComingTime):
        _until_moment(reader, event, clause, span)
        return clause, event.yours
    asks_you = False
    for position, (word, condition) in enumerate(endings_of(reader, event, scope, span)):
        asks_you |= YOU in variables_in(condition)

        def steps(_: Variables, condition: Condition = condition) -> ir.Steps:
            return (ir.EndGrants(clause, condition, span=span),)

        end_before(reader, word, f"until/{clause}.{position}", steps, All((), span))
    return clause, asks_you


def endings_of(
    reader: TextReader, event: ast.EventPhrase, scope: Scope, span: Span, kept: Mention | None = None
) -> Iterator[tuple[ast.Word, All]]:
    """Yield each verb of an event that ends an effect, with the condition on the act.

    The event can be about `this`, or instead about a thing that is `kept`.
    """
    subject, words, arguments = event_said(event)
    for word in words:
        verb = known_verb(reader, word)
        _, known = scope_of_text(reader, verb)
        said = said_of_doer(reader.model, subject, verb, arguments)
        inner = having_named(said.subject or arguments, ending_scope(reader, verb, scope))
        if kept is not None:
            that = Typed(Var(THIS, "piece"), "piece", kept.thing.noun)
            inner = replace(inner, this=None, mentions=(replace(kept, thing=that),))
        told = parts_of_event(reader, word, said.subject, said.arguments, known, inner)
        yield word, All((*told, *act_so(reader, said, inner)), span)


def end_before(
    reader: TextReader, word: ast.Word, name: str, steps: Callable[[Variables], ir.Steps], holds: All
) -> None:
    """Add a hook that ends an effect when an act begins; `steps` makes the steps of the hook, with its variables."""
    verb, number = known_verb(reader, word), reader.model.verbs[word.text]
    scope, known = scope_of_text(reader, verb)
    done = steps(scope.variables)
    code = code_of(name, "hook", number, params_of(known), done, scope.variables, holds.span)
    verbs = concrete_verbs(reader, verb, word)
    reader.put("hooks", None, Hook("before", verbs, -1, -1, holds, False, None, code, holds.span))


def _until_moment(reader: TextReader, at: ast.ComingTime, clause: int, span: Span) -> None:
    """Add a hook on the start or the end of a turn or a round, which ends a bonus."""
    number = time_verb(reader, at, at.edge)
    verb, ruleset = reader.model.ruleset.verbs[number], reader.model.ruleset
    _, known = scope_of_text(reader, verb)
    active = FieldOf(ruleset.active, None, "player")
    ended: list[Condition] = [Compare("==", active, Var(YOU, "player"), span)] if at.yours else []
    steps = (ir.EndGrants(clause, All(tuple(ended), span), span=span),)
    code = ir.Code(f"until/{clause}.0", "hook", number, params_of(known), steps, FIXED + len(known) - 1, span)
    hook_at(reader, at.edge, code, All((), span))


def ending_scope(reader: TextReader, verb: Verb, scope: Scope) -> Scope:
    """Return the scope of an event that ends a grant: `this` is the giver."""
    inner, _ = scope_of_text(reader, verb)
    return replace(inner, this=scope.this and Typed(Var(THIS, "piece"), "piece", scope.this.noun))
