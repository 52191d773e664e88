"""Layers: printings and errata that replace or add to the texts of other documents, by name.

Every layer that need not always apply is a value of an option: of the option that it names or, if it only names its
set or day, of an option with the layer's own name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Mapping as Options
from dataclasses import replace
from typing import TypeAlias

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library
from warchest.source.nodes import Mapping, Scalar
from warchest.source.records import record
from warchest.source.text import Span, slug

LAYER = "errata"
AMENDED, PRINTED = "amended", "printed"
"""The values of an option that a layer has without naming one."""

Before: TypeAlias = Options[str, set[str]]
"""For each layer, the names of those that come before it."""
_PARTS = ("replace", "add")


@record()
class LayerOption:
    """The option under which a layer applies: its name, the value that chooses the layer, and the value without it."""

    name: str
    value: str
    otherwise: str


def choice_of(layer: Document) -> LayerOption | None:
    """Return the option under which a layer applies, or None if it always does."""
    option = layer.values.get("option")
    if option:
        return LayerOption(option["name"], option["value"], option["otherwise"])
    if "set" in layer.values or "date" in layer.values:
        return LayerOption(_slug(layer.name), AMENDED, PRINTED)
    return None


def _slug(name: str) -> str:
    return slug(name).replace("-", "_")


def choices(library: Library) -> dict[str, list[str]]:
    """Return the options that layers offer: for each its values, beginning with the value without any layer."""
    found: dict[str, list[str]] = {}
    for layer in library.of_kind(LAYER):
        choice = choice_of(layer)
        if choice is not None:
            values = found.setdefault(choice.name, [choice.otherwise])
            if choice.value not in values:
                values.append(choice.value)
    return found


def readings(library: Library) -> set[str]:
    """Return the options that choose how a text is read: a printing has the name of its layer or its document."""
    layers = library.of_kind(LAYER)
    printings = {_slug(name) for layer in layers for name in (layer.name, layer.values["amends"]["name"])}
    return set(choices(library)) - printings


def usual(library: Library, sets: Collection[str] = (), date: str | None = None) -> dict[str, str]:
    """Return the default values of options, when these sets are in use at that date.

    A layer whose set is in use, or which had been published by then, is played; of several, the latest. With no date, a
    layer without an option of its own is played if it has no condition except its day.
    """
    found = {name: values[0] for name, values in choices(library).items()}
    latest: dict[str, str] = {}
    for layer in library.of_kind(LAYER):
        choice = choice_of(layer)
        day = str(layer.values.get("date", ""))
        if choice is not None and _is_usual(layer, sets, date) and day >= latest.get(choice.name, ""):
            found[choice.name], latest[choice.name] = choice.value, day
    return found


def _is_usual(layer: Document, sets: Collection[str], date: str | None) -> bool:
    of, day = layer.values.get("set"), layer.values.get("date")
    if of is not None and of in sets:
        return True
    if date is None:
        return day is not None and of is None and "option" not in layer.values
    # Either may leave out the day, or the month too; the parts that both have are compared.
    return day is not None and day[: len(date)] <= date[: len(day)]


def in_use(library: Library, options: Options[str, str]) -> list[Document]:
    """Return the layers that these options choose, each after all that it names under `after`."""
    left = [layer for layer in library.of_kind(LAYER) if _is_chosen(layer, options)]
    counted = -1
    # A correction of a layer that does not apply does not apply either, and so on.
    while counted != len(left):
        counted, names = len(left), {layer.name for layer in left}
        left = [layer for layer in left if names.issuperset(layer.values.get("on", ()))]
    return _in_order(left, earlier_layers(library))


def of_board(library: Library, board: str) -> Library:
    """Return the library without the setups for other boards, whose texts need not fit this board."""
    documents = [one for one in library.documents if one.kind != "setup" or one.values.get("board") == board]
    return replace(library, documents=documents)


def layered(library: Library, options: Options[str, str]) -> tuple[Library, list[Diagnostic]]:
    """Return the library with all layers applied that these options choose, and the faults of the layers.

    Two layers for the same text collide unless one is declared to come after the other, or both only add to it.
    """
    layers = in_use(library, options)
    before = earlier_layers(library)
    findings = _circles(library, before) or list(_collisions(layers, before))
    changed: dict[tuple[str, str], Document] = {}
    for layer in layers:
        target = layer.values["amends"]
        key = (target["kind"], target["name"])
        document = changed.get(key) or library.named(*key)
        if document is None:
            findings.append(_missing(library, layer))
            continue
        changed[key] = _amended(document, layer)
    documents = [changed.get((one.kind, one.name), one) for one in library.documents]
    return replace(library, documents=documents), findings


def _is_chosen(layer: Document, options: Options[str, str]) -> bool:
    choice = choice_of(layer)
    return choice is None or options.get(choice.name, choice.otherwise) == choice.value


# ---- which comes first


def earlier_layers(library: Library) -> Before:
    """Return, for each layer, the names of all that come before it by `after` or `on`, directly or not."""
    named = {
        layer.name: {*layer.values.get("after", ()), *layer.values.get("on", ())} for layer in library.of_kind(LAYER)
    }
    found = {}
    for name, names in named.items():
        known, edge = set(names), set(names)
        while edge:
            edge = set().union(*(named.get(one, set()) for one in edge)) - known
            known |= edge
        found[name] = known
    return found


def _in_order(layers: list[Document], before: Before) -> list[Document]:
    """Return the layers in topological order; layers in a cycle stay in reading order."""
    done: list[Document] = []
    waiting = list(layers)
    while waiting:
        names = {layer.name for layer in waiting}
        ready = [layer for layer in waiting if not names & before[layer.name]] or waiting
        done.extend(ready)
        waiting = [layer for layer in waiting if layer not in ready]
    return done


def _circles(library: Library, before: Before) -> list[Diagnostic]:
    """Find the first cycle of layers that each come after the next."""
    around = [layer for layer in library.of_kind(LAYER) if layer.name in before[layer.name]]
    if not around:
        return []
    first = around[0]
    circle = [one for one in around if one.name in before[first.name] and first.name in before[one.name]]
    names = " and ".join(quoted(one.name) for one in circle)
    message = f"{names} each come after the other" if len(circle) > 1 else f"{names} comes after itself"
    labels = tuple(Label(one.span, "and this") for one in circle[1:])
    return [
        report(
            "colliding-layers", message, first.span, labels=labels, help="take one of the names out of `after` or `on`"
        )
    ]


def _collisions(layers: list[Document], before: Before) -> Iterator[Diagnostic]:
    """Find layers that replace a text, or an addition, of an earlier layer without a declared order between the two."""
    for number, layer in enumerate(layers):
        for block in _touched(layer):
            for other in layers[:number]:
                alike = other.values["amends"] == layer.values["amends"] and block in _touched(other)
                both_add = _doing(layer, block) == _doing(other, block) == "adds to"
                if alike and not both_add and other.name not in before[layer.name]:
                    yield _collision(layer, other, block)
                    break


def _collision(layer: Document, other: Document, block: str) -> Diagnostic:
    said = f"the {block} of {quoted(layer.values['amends']['name'])}"
    first, then = _doing(other, block), _doing(layer, block)
    if first == then:
        message = f"{quoted(layer.name)} and {quoted(other.name)} both replace {said}"
    else:
        message = f"{quoted(layer.name)} {then}, and {quoted(other.name)} {first} {said}"
    return report(
        "colliding-layers",
        message,
        layer.span,
        labels=(Label(other.span, "the other"),),
        help=f"say which comes last: `after: [{other.name}]`",
    )


def _touched(layer: Document) -> list[str]:
    return list(dict.fromkeys(block for part in _PARTS for block in layer.values.get(part, {})))


def _doing(layer: Document, block: str) -> str:
    return "replaces" if block in layer.values.get("replace", {}) else "adds to"


# ---- applying one


def _missing(library: Library, layer: Document) -> Diagnostic:
    target = layer.values["amends"]
    names = [document.name for document in library.of_kind(target["kind"])]
    node = layer.node.get("amends")
    span = node.span if isinstance(node, Mapping) else layer.span
    other = sorted(one.kind for one in library.documents if one.name == target["name"] and one.kind != LAYER)
    kind = f"it is a document of another kind: write `kind: {other[0]}`" if other else ""
    return report(
        "no-such-document",
        f"there is no {target['kind']} {quoted(target['name'])} to amend",
        span,
        help=kind
        or did_you_mean(target["name"], names)
        or did_you_mean(target["kind"], {one.kind for one in library.documents}),
    )


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
