"""Useless fields: trails that no text extends, or goes back along or asks for, and directions that no text sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.ir import steps as ir
from warchest.ir.parts import names_of, nodes_in
from warchest.ir.ruleset import Field, Ruleset
from warchest.ir.values import Condition, FieldOf, Trail, TrailStep
from warchest.source.text import Span


@dataclass(slots=True)
class _Uses:
    """The places of the texts that make a trail longer and shorter, or that ask for its latest or first step."""

    longer: list[Span] = field(default_factory=list)
    shorter: list[Span] = field(default_factory=list)
    asking: list[Span] = field(default_factory=list)
    is_asked: bool = False


def field_findings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find trails that no text extends, or goes back along or asks for, and directions that no text sets."""
    uses = {number: _Uses() for number, one in enumerate(ruleset.fields) if one.steps is not None}
    directions = {number for number, one in enumerate(ruleset.fields) if one.base == "direction" and one.steps is None}
    if not uses and not directions:
        return
    parts = nodes_in(_parts_of(ruleset))
    for node in parts:
        _note(node, uses)
    for number, used in uses.items():
        yield from _findings(ruleset.fields[number], used)
    for number in directions - {one.field for one in parts if isinstance(one, ir.SetField)}:
        yield from _about_direction(ruleset.fields[number], number, parts)


def _parts_of(ruleset: Ruleset) -> object:
    """Return all parts of the rules."""
    return (
        list(ruleset.codes()),
        ruleset.verbs,
        ruleset.hooks,
        ruleset.state_rules,
        ruleset.standing,
        ruleset.impossible,
        list(ruleset.limits.values()),
        list(ruleset.measures.values()),
    )


def _note(node: object, uses: dict[int, _Uses]) -> None:
    """Record a use of a trail."""
    if isinstance(node, ir.SetField) and isinstance(node.value, Trail):
        used = uses[node.field]
        (used.longer if node.value.step else used.shorter).append(node.span)
    elif isinstance(node, TrailStep):
        uses[node.trail.field].is_asked = True
    elif isinstance(node, ir.Ordered | Condition):
        asked = [one for name in names_of(type(node)) if isinstance(one := getattr(node, name), TrailStep)]  # type: ignore[arg-type]
        for step in asked:
            uses[step.trail.field].asking.append(node.span)


def _findings(trail: Field, used: _Uses) -> Iterator[Diagnostic]:
    name, kept = trail.name, "… becomes" if trail.beside is None else "its place becomes"
    if used.longer and not used.shorter and not used.is_asked:
        yield report(
            "no-difference",
            f"no text goes back on the {name} or asks for it",
            used.longer[0],
            help=f"let it go back, `the {name} of … goes back`, or leave this out",
        )
    if not used.longer:
        for span in dict.fromkeys((*used.shorter, *used.asking)):
            yield report(
                "never-so",
                f"no text adds anything to the {name}",
                span,
                help=f"say when a place is added: `{kept} the {name} of …`",
            )


def _about_direction(direction: Field, number: int, parts: Sequence[object]) -> Iterator[Diagnostic]:
    """Find the first text that asks for a direction that no text sets."""
    texts = [(one, span) for one in parts if isinstance(span := getattr(one, "span", None), Span)]
    asking = [span for one, span in texts if any(isinstance(a, FieldOf) and a.field == number for a in nodes_in(one))]
    if asking:
        yield report(
            "never-so",
            f"no text sets the {direction.name}, so it is always the first direction of the board",
            min(asking, key=lambda span: (span.path, span.start, -span.end)),
            help=f"let a text set it: `choose a direction, then that direction becomes the {direction.name} …`",
        )
