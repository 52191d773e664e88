"""Distances, lines and directions: the origin, the length and the direction in which a phrase locates its things."""

from __future__ import annotations

from warchest.diagnostics.diagnostic import quoted
from warchest.ir.values import All, Apart, Compare, Condition, Const, Distance, Value
from warchest.resolve.amounts import reach_of
from warchest.resolve.antecedents import understood
from warchest.resolve.model import Thing
from warchest.resolve.phrase_nouns import article, is_indefinite, noun_of
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import ACTOR, ITSELF, Flaw, Scope, Typed, flaw
from warchest.resolve.value_reader import read_letter, read_of_base, read_spoken
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast


@record()
class Reach:
    """The distances of the things of a phrase, their origin, and whether they are in a line or a direction."""

    low: int
    high: int
    origin: Value
    straight: bool
    direction: Value | None
    part: ast.Modifier | ast.Word


def reach_said(reader: TextReader, phrase: ast.Phrase, scope: Scope) -> Reach | None:
    """Return the distances of the things of a phrase, if they are measured from a single thing."""
    lines = [mod for mod in phrase.modifiers if is_line(reader, mod)]
    if len(lines) > 1:
        message = f"{quoted(lines[1].span.text)} says again in which line that is"
        raise flaw("says-nothing", message, lines[1].span, help="leave out one of the two")
    straight = bool(lines)
    if not straight:
        for word in phrase.adjectives:
            if word.text == "adjacent":
                return Reach(1, 1, beside_said(reader, word, scope), False, None, word)
    direction = _direction(reader, phrase, scope)
    for mod in phrase.modifiers:
        far = reach_of(mod) if isinstance(mod, ast.Away) else None
        if isinstance(mod, ast.Away) and far is not None:
            origin = _start(reader, mod, scope)
            _refuse_other_start(phrase, origin, scope)
            return Reach(*far, origin, straight, direction, mod)
        if isinstance(mod, ast.Related) and mod.preposition == "adjacent to" and not is_indefinite(mod.phrase):
            near = read_of_base(reader, mod.phrase, scope, "space", "piece").value
            _refuse_other_start(phrase, near, scope)
            return Reach(1, 1, near, straight, direction, mod)
    return None


def _direction(reader: TextReader, phrase: ast.Phrase, scope: Scope) -> Value | None:
    for mod in phrase.modifiers:
        if _is_heading(reader, mod):
            assert isinstance(mod, ast.Related)
            return read_of_base(reader, mod.phrase, scope, "direction").value
        if isinstance(mod, ast.InDirection) and mod.of_line:
            return _line(mod, scope)[1]
        if isinstance(mod, ast.InDirection):
            head = ast.Word("direction", span=mod.span)
            that = ast.Phrase("that", None, (), head, (), span=mod.span)
            return read_spoken(reader, "direction", that, scope).value
    return None


def _line(mod: ast.InDirection, scope: Scope) -> tuple[Value, Value]:
    """Return the beginning and the direction of the straight line in which one thing was chosen; raises Flaw."""
    found = {one.thing.value: one.line for one in scope.mentions if one.line is not None}
    if not found:
        message = f"nothing was chosen in a straight line before {quoted(mod.span.text)}"
        help = "choose something in one first: `choose a … 1-3 spaces away in a straight line`"
        raise flaw("no-antecedent", message, mod.span, help=help)
    if len(found) > 1:
        message = f"{quoted(mod.span.text)} could be that of {len(found)} things"
        raise flaw("ambiguous-it", message, mod.span, help="name the thing: `in the bearing of that …`")
    (line,) = found.values()
    return line


def _refuse_other_start(phrase: ast.Phrase, start: Value, scope: Scope) -> None:
    """Raise Flaw for `in that line` on places whose distance is measured from another origin than the line's."""
    for mod in phrase.modifiers:
        if isinstance(mod, ast.InDirection) and mod.of_line and _line(mod, scope)[0] != start:
            help = "say how far from where the line begins: `exactly 1 space away in that line`"
            message = f"{quoted(mod.span.text)} could lead from there to either side"
            raise flaw("ambiguous-it", message, mod.span, help=help)


def is_line(reader: TextReader, mod: ast.Modifier) -> bool:
    """Whether a modifier locates things in a line or a direction."""
    return isinstance(mod, ast.InLine | ast.InDirection) or _is_heading(reader, mod)


def _is_heading(reader: TextReader, mod: ast.Modifier) -> bool:
    """Whether a modifier gives the direction of a space: `in its facing`."""
    if not isinstance(mod, ast.Related) or mod.preposition != "in":
        return False
    noun = noun_of(mod.phrase)
    return noun not in reader.model.lists and noun not in reader.model.zones


def _start(reader: TextReader, mod: ast.Away, scope: Scope) -> Value:
    """Return the origin of a distance; raises Flaw if there could be two on a card."""
    start = origin_said(reader, mod.origin, mod.span, scope)
    is_this = scope.origin is not None and scope.origin.noun == ITSELF
    if mod.bare and scope.this is not None and start != scope.this.value and not is_this:
        said = mod.span.text
        raise _two_starts(mod.span, f"say `{said} of this`, or `{said} away` from who acts")
    return start


def beside_said(reader: TextReader, word: ast.Word, scope: Scope) -> Value:
    """Return the origin of the adjective `adjacent`; raises Flaw if there could be two in an event or a rule on a card."""
    start = origin_said(reader, None, word.span, scope)
    is_actor = scope.origin is not None and scope.origin.noun == ACTOR
    if is_actor and scope.this is not None and start != scope.this.value:
        raise _two_starts(word.span, f"say it after the noun: `… {word.text} to this`, or `… {word.text} to it`")
    return start


def _two_starts(span: Span, help: str) -> Flaw:
    """Return the finding on a distance that has two possible origins."""
    return flaw("ambiguous-it", f"{quoted(span.text)} could be counted from this, or from who acts", span, help=help)


def origin_said(reader: TextReader, node: ast.NounPhrase | None, span: Span, scope: Scope) -> Value:
    """Return the origin of a distance, which a text need not name."""
    if node is not None:
        return read_of_base(reader, node, scope, "space", "piece").value
    if scope.origin is None or scope.origin.base not in ("space", "piece"):
        far_from = "this" if scope.this is not None else "…"
        said = "adjacent to" if span.text == "adjacent" else f"{span.text.removesuffix(' away')} of"
        raise flaw(
            "no-antecedent", f"{quoted(span.text)} does not say from where", span, help=f"say `{said} {far_from}`"
        )
    return scope.origin.value


def read_away(reader: TextReader, mod: ast.Away, thing: Typed, scope: Scope) -> Condition:
    """Read the distance of a thing as a condition, where the distance does not limit the search for the thing."""
    refuse_nowhere(thing, mod.span)
    start, far = _start(reader, mod, scope), reach_of(mod)
    if far is not None:
        return Apart(*far, start, thing.value, False, None, mod.span)
    assert isinstance(mod.count, ast.Letter)
    limit, distance = read_letter(reader, mod.count, scope, "number"), Distance(start, thing.value, False)
    if limit.base != "number":
        raise flaw("wrong-kind", f"{quoted(mod.count.text)} is {article(limit)}, not a number", mod.count.span)
    if mod.limit == "exactly":
        return Compare("==", distance, limit.value, mod.span)
    elsewhere = Compare(">=", distance, Const(1, "number"), mod.span)
    return All((elsewhere, Compare("<=", distance, limit.value, mod.span)), mod.span)


def is_direction(reader: TextReader, mod: ast.Modifier, scope: Scope) -> bool:
    """Whether a direction determines a place: `in that direction`."""
    if not isinstance(mod, ast.Related) or not _is_heading(reader, mod) or is_indefinite(mod.phrase):
        return False
    return understood(lambda: read_of_base(reader, mod.phrase, scope, "direction"))


def leads_there(reader: TextReader, mod: ast.Modifier, thing: Thing, scope: Scope) -> bool:
    """Whether a direction determines a place of things on the board."""
    return thing.base in ("space", "piece") and is_direction(reader, mod, scope)


def refuse_nowhere(thing: Typed, span: Span) -> None:
    """Raise Flaw for the place of a thing that is neither a space nor a piece."""
    if thing.base not in ("space", "piece"):
        raise flaw("wrong-kind", f"{article(thing)} is never {quoted(span.text)}", span)
