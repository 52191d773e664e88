"""Errata: the corrections they name, the options they offer, and whether they can ever be in use."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.layers import LAYER, Before, LayerOption, choice_of, choices, earlier_layers, layered
from warchest.documents.library import Document, Library
from warchest.source.nodes import Mapping as Keys
from warchest.source.nodes import Node, Scalar, scalars
from warchest.source.text import Span
from warchest.syntax.lexer import scan

_FileLine: TypeAlias = tuple[str, int]
_PARTS = ("replace", "add")


def errata_findings(library: Library) -> list[Diagnostic]:
    """Find names of missing corrections, options that choose nothing, and layers that never apply."""
    layers, before = library.of_kind(LAYER), earlier_layers(library)
    found: list[Diagnostic] = []
    for layer in layers:
        found += _unknown(layer, [one.name for one in layers])
        found += _against_itself(library, layer)
        found += _covered(library, layer, before)
        found += _changing_nothing(library, layer, before[layer.name])
    return [*found, *_options(layers)]


def files_of_errata(library: Library) -> set[str]:
    """Return the files of all corrections, and of everything that they correct."""
    targets = {(one.values["amends"]["kind"], one.values["amends"]["name"]) for one in library.of_kind(LAYER)}
    return {one.span.path for one in library.documents if one.kind == LAYER or (one.kind, one.name) in targets}


def _unknown(layer: Document, names: list[str]) -> Iterator[Diagnostic]:
    for key in ("on", "after"):
        for scalar in scalars(layer.node.get(key)):
            if scalar.text not in names:
                nothing = "nothing comes before it" if key == "after" else "so that this one never counts"
                yield report(
                    "no-such-document",
                    f"there is no errata {quoted(scalar.text)}, {nothing}",
                    scalar.span,
                    help=did_you_mean(scalar.text, names) or f"name an existing one, or take it out of `{key}`",
                )


# ---- options


def _options(layers: list[Document]) -> Iterator[Diagnostic]:
    """Find options with only one value, and options whose default differs between their layers."""
    first: dict[str, tuple[Document, LayerOption]] = {}
    for layer in layers:
        choice = choice_of(layer)
        if choice is None or "option" not in layer.values:
            continue
        if choice.value == choice.otherwise:
            message = f"the option {quoted(choice.name)} has one value only, {quoted(choice.value)}"
            yield report(
                "unclear-option",
                message,
                _of_option(layer, "otherwise").span,
                help="give `otherwise` the value under which the text stays as it is, or leave out `option`",
            )
            continue
        other, known = first.setdefault(choice.name, (layer, choice))
        if known.otherwise != choice.otherwise:
            message = (
                f"without {quoted(choice.value)} the option {quoted(choice.name)} is {quoted(choice.otherwise)}"
                f" here, and {quoted(known.otherwise)} for {quoted(other.name)}"
            )
            yield report(
                "unclear-option",
                message,
                _of_option(layer, "otherwise").span,
                labels=(Label(_of_option(other, "otherwise").span, "the other"),),
                help=f"an option has one usual value: write `otherwise: {known.otherwise}`",
            )


def _of_option(layer: Document, key: str) -> Node:
    option = layer.node.get("option")
    node = option.get(key) if isinstance(option, Keys) else None
    return node if node is not None else layer.node


# ---- layers that never count


def needed(library: Library, layer: Document) -> Mapping[str, str] | None:
    """Return the options under which a layer and the layers that it corrects apply; None if these conflict."""
    found: dict[str, str] = {}
    for name in {layer.name, *_below(library, layer)}:
        one = library.named(LAYER, name)
        choice = choice_of(one) if one is not None else None
        if choice is not None and found.setdefault(choice.name, choice.value) != choice.value:
            return None
    return found


def _below(library: Library, layer: Document) -> set[str]:
    """Return the names of the layers that a layer is a correction of, directly or not."""
    found: set[str] = set()
    left = list(layer.values.get("on", ()))
    while left:
        name = left.pop()
        one = library.named(LAYER, name)
        if name not in found:
            found.add(name)
            left += one.values.get("on", ()) if one is not None else ()
    return found


def _against_itself(library: Library, layer: Document) -> Iterator[Diagnostic]:
    if needed(library, layer) is None:
        message = f"{quoted(layer.name)} asks for two values of one option, so that it never counts"
        yield report(
            "never-applied",
            message,
            _at(layer, "on"),
            help="the document that it is `on` applies under other values than it does itself",
        )


def _covered(library: Library, layer: Document, before: Before) -> Iterator[Diagnostic]:
    """Find a text of a layer that a parallel layer replaces whenever the first one applies.

    Replacing a text of another folder may well be intended.
    """
    folder, amended = Path(layer.span.path).parent, layer.values["amends"]
    later = [
        other
        for other in library.of_kind(LAYER)
        if layer.name in before[other.name]
        and other.name not in before[layer.name]
        and other.values["amends"] == amended
        and Path(other.span.path).parent == folder
    ]
    for block in _blocks(layer):
        for other in later:
            if block in other.values.get("replace", {}) and _counts_with(library, other, layer):
                message = f"{quoted(other.name)} always replaces this text, so that it is never used"
                yield report(
                    "never-applied",
                    message,
                    _key_of(layer, block),
                    labels=(Label(other.span, "it comes after"),),
                    help="give one of the two an `option`, or take this text out",
                )
                break


def _counts_with(library: Library, other: Document, layer: Document) -> bool:
    """Whether one layer applies wherever another one does."""
    own, wanted = needed(library, layer), needed(library, other)
    if own is None or wanted is None or not set(other.values.get("on", ())) <= {layer.name, *_below(library, layer)}:
        return False
    return wanted.items() <= own.items()


def _changing_nothing(library: Library, layer: Document, before: Collection[str]) -> Iterator[Diagnostic]:
    """Find a text that replaces an equal text."""
    target = layer.values["amends"]
    document = library.named(target["kind"], target["name"])
    if document is None:
        return
    others = [one for one in library.of_kind(LAYER) if one.name in before and one.values["amends"] == target]
    for block, node in _texts(layer, "replace"):
        touched = any(block in other.values.get(part, {}) for other in others for part in _PARTS)
        printed = [word for span in document.blocks(block) for word in _words(span)]
        if printed and not touched and node.block is not None and printed == _words(node.block):
            yield report(
                "changes-nothing",
                f"the {block} of {quoted(document.name)} says this already",
                _key_of(layer, block),
                help="write the new text, or take it out",
            )


def _words(span: Span) -> list[str]:
    return [raw.text for raw in scan(span.source.text, span.start, span.end)]


def _texts(layer: Document, part: str) -> Iterator[tuple[str, Scalar]]:
    node = layer.node.get(part)
    for entry in node.entries if isinstance(node, Keys) else ():
        if isinstance(entry.value, Scalar):
            yield entry.key.text, entry.value


def _blocks(layer: Document) -> list[str]:
    return list(dict.fromkeys(block for part in _PARTS for block, _ in _texts(layer, part)))


def _key_of(layer: Document, block: str) -> Span:
    """Return the place of the first key under which a layer touches a block."""
    parts = (layer.node.get(part) for part in _PARTS)
    entries = [part.entry(block) for part in parts if isinstance(part, Keys)]
    return next((entry.key.span for entry in entries if entry is not None), layer.span)


def _at(layer: Document, key: str) -> Span:
    entry = layer.node.entry(key)
    return entry.key.span if entry is not None else layer.span


# ---- reading layers that no choice of options has shown


def unread(library: Library, tried: Iterable[Mapping[str, str]]) -> Iterator[tuple[Library, Mapping[str, str]]]:
    """Yield libraries with options under which further texts of layers are read: texts that no tried options cover.

    A layer that can never apply is read all the same: it is put in use without the layer that it corrects.
    """
    shown = {text for options in tried for text in _read(library, options)}
    usual = {name: values[0] for name, values in choices(library).items()}
    for layer in library.of_kind(LAYER):
        if all(_place(node.block) in shown for part in _PARTS for _, node in _texts(layer, part) if node.block):
            continue
        options = needed(library, layer)
        whole = library
        if options is None or not _are_there(library, layer):
            whole = replace(library, documents=[_alone(one) if one is layer else one for one in library.documents])
            options = needed(whole, _alone(layer)) or {}
        chosen = {**usual, **options}
        shown |= _read(whole, chosen)
        yield whole, chosen


def _read(library: Library, options: Mapping[str, str]) -> set[_FileLine]:
    """Return the places of the texts of layers that are read under some options; one layer may hide another's text."""
    documents = layered(library, options)[0].documents
    return {_place(span) for document in documents for _, spans in document.amended for span in spans}


def _place(span: Span) -> _FileLine:
    return span.path, span.start


def _are_there(library: Library, layer: Document) -> bool:
    return all(library.named(LAYER, name) is not None for name in _below(library, layer))


def _alone(layer: Document) -> Document:
    """Return a layer as if it corrected no other."""
    return replace(layer, values={key: value for key, value in layer.values.items() if key != "on"})
