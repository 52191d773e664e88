"""Questions: the documents they are about, their readings, and the options that choose among these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.layers import LAYER, choices, readings
from warchest.documents.library import Document, Library
from warchest.lint.documents.declarations import unknown_names
from warchest.source.nodes import Mapping as Keys
from warchest.source.nodes import Node, Scalar, entries, items

KIND, RULINGS = "question", "rulings"
_LEFT_OPEN = "name the card, or the document of rules, that leaves it open"


def question_findings(library: Library) -> list[Diagnostic]:
    """Find unknown names in questions, and readings that do not fit together."""
    offered, chosen = choices(library), readings(library)
    names = {one.name for one in library.documents if one.kind not in (KIND, RULINGS, LAYER)}
    # A question about a game is also one about those that begin from it.
    names |= {str(one.values["begins from"]) for one in library.of_kind("game") if "begins from" in one.values}
    found: list[Diagnostic] = []
    for question in library.of_kind(KIND):
        found += unknown_names(question.node.get("about"), names, otherwise=_LEFT_OPEN)
        found += _readings(question)
        found += _values(question, offered, chosen)
    return found


def option_findings(node: Node | None, offered: Mapping[str, Sequence[str]]) -> Iterator[Diagnostic]:
    """Find options in a mapping, and values of these, that no erratum offers."""
    for entry in entries(node):
        yield from _unoffered(entry.key, offered)
        if isinstance(entry.value, Scalar):
            yield from _no_value(entry.value, entry.key.text, offered)


def repeated(named: Sequence[Scalar], what: str) -> Iterator[Diagnostic]:
    """Find names that occur earlier in the same list."""
    first: dict[str, Scalar] = {}
    for scalar in named:
        known = first.setdefault(scalar.text, scalar)
        if known is not scalar:
            yield report(
                "repeated-item",
                f"there is {what} {quoted(scalar.text)} above",
                scalar.span,
                labels=(Label(known.span, "first here"),),
                help="say how the two differ, or take one out",
            )


def _unoffered(name: Scalar, offered: Mapping[str, Sequence[str]]) -> Iterator[Diagnostic]:
    if name.text not in offered:
        listed = ", ".join(f"`{one}`" for one in sorted(offered)[:12])
        yield report(
            "unknown-option",
            f"no erratum has the option {quoted(name.text)}",
            name.span,
            help=did_you_mean(name.text, offered)
            or (f"there are {listed}" if listed else "write an erratum whose `option` has this name"),
        )


def _no_value(value: Scalar, option: str, offered: Mapping[str, Sequence[str]]) -> Iterator[Diagnostic]:
    values = [str(one) for one in offered.get(option, ())]
    if values and value.text not in values:
        yield report(
            "unknown-option",
            f"the option {quoted(option)} has no value {quoted(value.text)}",
            value.span,
            help=did_you_mean(value.text, values) or f"it is one of {', '.join(f'`{one}`' for one in values)}",
        )


def _readings(question: Document) -> Iterator[Diagnostic]:
    said = [one for reading in _each(question) if isinstance(one := reading.get("reading"), Scalar)]
    yield from repeated(said, "a reading")
    taken = question.node.get("taken")
    if isinstance(taken, Scalar) and taken.text not in [one.text for one in said]:
        near = did_you_mean(taken.text, [one.text for one in said])
        yield report(
            "unknown-reading",
            "the value under `taken` is none of the readings",
            taken.span,
            help=near or "write one of the readings, word for word",
        )


def _values(question: Document, offered: Mapping[str, Sequence[str]], chosen: set[str]) -> Iterator[Diagnostic]:
    """Find values of readings that choose nothing, and an option whose default is not the chosen reading."""
    option, values = question.node.get("option"), []
    for reading in _each(question):
        value = reading.get("value")
        if isinstance(value, Scalar):
            values.append(value)
    yield from repeated(values, "a reading with the value")
    if not isinstance(option, Scalar):
        for value in values:
            yield report(
                "unknown-reading",
                f"{quoted(value.text)} is the value of no option",
                value.span,
                help="name the `option` of the question, or take the value out",
            )
        return
    yield from _unoffered(option, offered)
    for value in values:
        yield from _no_value(value, option.text, offered)
    yield from _unusual(question, option, offered, chosen)


def _unusual(
    question: Document, option: Scalar, offered: Mapping[str, Sequence[str]], chosen: set[str]
) -> Iterator[Diagnostic]:
    """Find a reading that is played by default although it is not the chosen one."""
    told: list[dict[str, str]] = question.values["readings"]
    taken = next((one for one in told if one["reading"] == question.values["taken"]), {})
    if option.text not in chosen or not taken:
        return
    usual = offered[option.text][0]
    if taken.get("value") != usual:
        has = f"has the value {quoted(taken['value'])}" if "value" in taken else "has no value"
        node = question.node.get("taken")
        yield report(
            "unknown-reading",
            f"the reading that is taken {has}, and {quoted(usual)} is played",
            node.span if node is not None else question.span,
            help=f"take the reading of `{usual}`, or make its value the `otherwise` of the option",
        )


def _each(question: Document) -> list[Keys]:
    return items(question.node.get("readings"))
