"""What documents bear and name: whether it is there, and filled in with as many things as it asks for."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.check.model import NUMBERED, Model, borne, filling
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.load import Document, Library
from warchest.source.nodes import Scalar, Sequence


def borne_findings(model: Model, library: Library, game: Document) -> Iterator[Diagnostic]:
    """Find what documents say to bear or name and is not there, or is filled in with too little or too much."""
    for kind, shape in game.values["documents"].items():
        for key, wanted in shape.get("names", {}).items():
            names = [document.name for document in library.of_kind(wanted)]
            for document in library.of_kind(kind):
                name = document.node.get(key)
                if isinstance(name, Scalar) and name.text not in names:
                    yield _missing(name, name.text, wanted, names)
        for key, wanted in shape.get("bears", {}).items():
            names = [document.name for document in library.of_kind(wanted)]
            for document in library.of_kind(kind):
                listed = document.node.get(key)
                for item in listed.items if isinstance(listed, Sequence) else ():
                    if isinstance(item, Scalar):
                        yield from _bears(model, item, wanted, names)


def _bears(model: Model, item: Scalar, kind: str, names: list[str]) -> Iterator[Diagnostic]:
    name, filled = borne(item.text)
    if name not in names:
        yield _missing(item, name, kind, names)
        return
    borne_sheet = model.ruleset.sheets[model.ruleset.sheet_number(name, (kind,))]
    letters = borne_sheet.parameters
    if len(filled) != len(letters):
        asked = f"`{name} ({', '.join(letters)})`" if letters else f"plainly `{name}`"
        yield report("malformed-value", f"{quoted(name)} is filled in with {len(filled)} things, not {len(letters)}",
                     item.span, help=f"say {asked}")
        return
    for letter, part in zip(letters, filled, strict=True):
        yield from _fills(model, item, borne_sheet.filled_by.get(letter), part)


def _missing(item: Scalar, name: str, kind: str, names: list[str]) -> Diagnostic:
    return report("unknown-name", f"there is no {kind} {quoted(name)}", item.span,
                  help=did_you_mean(name, names) or f"the names are those of the documents of kind {quoted(kind)}")


def _fills(model: Model, item: Scalar, kind: str | None, part: str) -> Iterator[Diagnostic]:
    """Find a letter that is filled in with what it does not take: a document of some kind, a number or a bonus."""
    sheets = model.ruleset.sheets
    if kind is not None:
        names = [sheet.name for sheet in sheets if sheet.kind == kind]
        if filling(part) not in names:
            yield _missing(item, filling(part), kind, names)
    elif not NUMBERED.search(part):
        yield report("malformed-value", f"{quoted(part)} is neither a number nor a bonus", item.span,
                     help="say for example `2`, `range 5` or `+2 …`")  # fmt: skip
