"""Layers: printings and errata that replace or add to the texts of other documents, by name."""

from __future__ import annotations

from collections.abc import Mapping as Options
from dataclasses import replace
from typing import Any

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.load import Document, Library
from warchest.source.nodes import Mapping, Scalar
from warchest.source.text import Span

LAYER = "errata"


def choices(library: Library) -> dict[str, list[str]]:
    """Return the options that layers offer: for each its values, the usual one first."""
    found: dict[str, list[str]] = {}
    for layer in library.of_kind(LAYER):
        option = layer.values.get("option")
        if option:
            values = found.setdefault(option["name"], [option["otherwise"]])
            if option["value"] not in values:
                values.append(option["value"])
    return found


def layered(library: Library, options: Options[str, str]) -> tuple[Library, list[Diagnostic]]:
    """Return the library with all layers applied that these options choose, and what is wrong with them.

    Two layers that replace the same text collide unless one says that it comes after the other.
    """
    findings: list[Diagnostic] = []
    changed: dict[tuple[str, str], Document] = {}
    replaced: dict[tuple[str, str, str], Document] = {}
    for layer in _in_order([layer for layer in library.of_kind(LAYER) if _chosen(layer, options)]):
        target = layer.values["amends"]
        key = (target["kind"], target["name"])
        document = changed.get(key) or library.named(*key)
        if document is None:
            findings.append(_missing(library, layer))
            continue
        findings.extend(_collisions(layer, key, replaced))
        changed[key] = _amended(document, layer)
    documents = [changed.get((one.kind, one.name), one) for one in library.documents]
    return Library(documents, library.findings), findings


def _chosen(layer: Document, options: Options[str, str]) -> bool:
    option: dict[str, Any] | None = layer.values.get("option")
    return option is None or options.get(option["name"], option["otherwise"]) == option["value"]


def _in_order(layers: list[Document]) -> list[Document]:
    """Return the layers, each behind all that it names under `after`."""
    done: list[Document] = []
    waiting = list(layers)
    while waiting:
        names = {layer.name for layer in waiting}
        ready = [layer for layer in waiting if not names & set(layer.values.get("after", ()))]
        done.extend(ready or waiting)
        waiting = [layer for layer in waiting if layer not in ready] if ready else []
    return done


def _missing(library: Library, layer: Document) -> Diagnostic:
    target = layer.values["amends"]
    names = [document.name for document in library.of_kind(target["kind"])]
    node = layer.node.get("amends")
    span = node.span if isinstance(node, Mapping) else layer.span
    return report("no-such-document", f"there is no {target['kind']} {quoted(target['name'])} to amend", span,
                  help=did_you_mean(target["name"], names))  # fmt: skip


def _collisions(
    layer: Document, key: tuple[str, str], replaced: dict[tuple[str, str, str], Document]
) -> list[Diagnostic]:
    findings = []
    for block in layer.values.get("replace", {}):
        place = (*key, block)
        other = replaced.get(place)
        if other is not None and other.name not in layer.values.get("after", ()):
            message = f"{quoted(layer.name)} and {quoted(other.name)} both replace the {block} of {quoted(key[1])}"
            findings.append(report("colliding-layers", message, layer.span, labels=(Label(other.span, "the other"),),
                                   help=f"say which comes last: `after: [{other.name}]`"))  # fmt: skip
        replaced[place] = layer
    return findings


def _amended(document: Document, layer: Document) -> Document:
    texts = dict(document.amended)
    for block, span in _spans(layer, "replace"):
        texts[block] = (span,)
    for block, span in _spans(layer, "add"):
        texts[block] = (*(texts.get(block) or document.blocks(block)), span)
    return replace(document, amended=tuple(texts.items()))


def _spans(layer: Document, key: str) -> list[tuple[str, Span]]:
    node = layer.node.get(key)
    if not isinstance(node, Mapping):
        return []
    return [
        (entry.key.text, entry.value.block)
        for entry in node.entries
        if isinstance(entry.value, Scalar) and entry.value.block is not None
    ]
