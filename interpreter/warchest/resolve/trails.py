"""Trails of places: a piece records its earlier places, with some of its fields, and can go back to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.ruleset import Field
from warchest.ir.values import NOTHING, Attribute, Compare, Const, Earliest, FieldOf, Latest, Trail, Value
from warchest.resolve.model import ORDINALS, Model
from warchest.resolve.types import Typed, flaw
from warchest.source.text import Span
from warchest.syntax import ast

PLACE = "place"
"""The noun for the members of a trail of places."""


def latest_step(fields: Sequence[Field], place: FieldOf) -> Latest:
    """Return the latest step of a trail; for a trail of places, the space of that step."""
    field = fields[place.field]
    return Latest(place, field.steps or field.base, field.width - 1)


def asks_for_step(node: ast.Phrase) -> bool:
    """Whether a phrase means one of several things by its number: `the first space of its way`."""
    return node.determiner == "the" and len(node.adjectives) == 1 and node.adjectives[0].text in ORDINALS


def refuse_step_of_owner(model: Model, node: ast.Phrase, noun: str) -> None:
    """Raise Flaw for `its first space`, which only a trail has: `the first space of its way`."""
    fields, its = model.ruleset.fields, node.determiner
    trails = [one.name for one in fields if one.steps is not None and one.steps == noun]
    if [one.text for one in node.adjectives] == ["first"] and (trails or noun == "space"):
        said = " or ".join(f"`the first {noun} of {its} {name}`" for name in trails or ["…"])
        declared = f"declare a field with `trail of: space`, add to it by `its space becomes {its} …`, and "
        help = f"{'' if trails else declared}say {said}"
        raise flaw("wrong-kind", f"only a trail has a first {noun}", node.span, help=help)


def first_step(node: ast.Phrase, noun: str, trail: Typed) -> Typed:
    """Return the first step of a trail; of a trail of places, the space of that step. Raise Flaw for other things."""
    of, rest, ordinal = node.modifiers[0].span, node.modifiers[1:], node.adjectives[0].text
    if not isinstance(trail.value, Latest):
        message = f"only a trail has a {ordinal} {noun}"
        help = "only a field that is declared as a trail has steps, and so a first one"
        raise flaw("wrong-kind", message, node.span, help)
    word = "type" if trail.base == "document" else trail.base
    if ordinal != "first":
        message = f"a trail cannot be asked for its {ordinal} step"
        raise flaw("wrong-kind", message, node.adjectives[0].span, help=f"say `the first {word} {of.text}`")
    if noun != word or rest:
        message = f"{quoted(node.span.text)} is not the first step of a trail"
        raise flaw("wrong-kind", message, node.span, help=f"say `the first {word} {of.text}`")
    return Typed(Earliest(trail.value.trail, trail.base), trail.base, trail.noun)


def space_of_place(subject: ast.NounPhrase) -> ast.Phrase | None:
    """Return the phrase for the space of a piece, for a phrase for its place; None for any other phrase."""
    if not isinstance(subject, ast.Phrase) or not isinstance(subject.head, ast.Word) or subject.head.text != PLACE:
        return None
    return replace(subject, head=ast.Word("space", span=subject.head.span))


def refuse_place(noun: str, target: Typed, span: Span) -> None:
    """Raise Flaw for a place that is not added to a trail."""
    if noun == PLACE and target.base == "piece":
        message = f"{quoted(span.text)} can only be added to a trail of places"
        help = "name its space to ask where it is, or keep it: `its place becomes the … of this`"
        raise flaw("wrong-kind", message, span, help)


def kept_as(fields: Sequence[Field], node: ast.Becomes, kept: Value) -> str:
    """Return help on a value that should become a place of a trail; empty if there is no such trail."""
    is_of_places = isinstance(kept, Latest) and fields[kept.trail.field].beside is not None
    return f"say `its place becomes {node.value.span.text}`" if is_of_places else ""


def trails_of(model: Model, node: ast.Changes, thing: Typed) -> str:
    """Return help on a thing that should go back but is not a trail: its trails, or the need to declare one."""
    known = model.thing(thing.noun)
    fields = model.ruleset.fields
    names = [
        name
        for name, owners in model.fields.items()
        for owner, number in owners
        if fields[number].steps is not None and known is not None and owner == known.name
    ]
    said = " or ".join(f"`the {name} of {node.subject.span.text} goes back`" for name in names)
    return f"say {said}" if said else "only a field that is declared as a trail goes back"


def longer(fields: Sequence[Field], node: ast.Becomes, kept: FieldOf | Latest, value: Value) -> ir.SetField:
    """Return the step that extends a trail by a value, or by the place of the piece whose space the value is."""
    trail, is_place = kept if isinstance(kept, FieldOf) else kept.trail, space_of_place(node.subject) is not None
    field = fields[trail.field]
    if field.beside is None:
        if is_place:
            message = f"the {field.name} is no trail of places"
            help = f"add a space to it, or declare it: `{field.name}: {{trail of: [space]}}`"
            raise flaw("wrong-kind", message, node.subject.span, help)
        return ir.SetField(trail.field, trail.of, Trail(trail, (value,)), span=node.span)
    if not is_place or not isinstance(value, Attribute):
        said = node.subject.span.text
        place = said.replace("space", PLACE) if isinstance(value, Attribute) and value.what == "space" else "its place"
        message = f"the {field.name} keeps places, and {quoted(said)} is not one"
        raise flaw("wrong-kind", message, node.subject.span, help=f"say `{place} becomes {node.value.span.text}`")
    if -1 in field.beside:
        message = f"the {field.name} is declared to keep a value that no piece has"
        help = "after `space`, name fields of the piece that are not numbers"
        raise flaw("wrong-kind", message, node.value.span, help)
    parts: tuple[Value, ...] = (value, *(FieldOf(one, value.of, fields[one].base) for one in field.beside))
    return ir.SetField(trail.field, trail.of, Trail(trail, parts, field.width), span=node.span)


def shorter(fields: Sequence[Field], trail: FieldOf, span: Span) -> ir.Steps:
    """Return the steps that take a trail back by one; for a trail of places, the piece goes back, too."""
    field = fields[trail.field]
    end = ir.SetField(trail.field, trail.of, Trail(trail, (), field.width), span=span)
    if field.beside is None or trail.of is None:
        return (end,)
    space = latest_step(fields, trail)
    there = Compare("!=", space, Const(NOTHING, "space"), span)
    facing = (
        ir.SetField(one, trail.of, Latest(trail, fields[one].base, len(field.beside) - place), span=span)
        for place, one in enumerate(field.beside, 1)
    )
    return ir.Must(there, span=span), ir.MovePiece(trail.of, space, span=span), *facing, end
