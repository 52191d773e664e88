"""Checks of the documents that others bear or name: each must exist, with all its letters filled in rightly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from warchest.diagnostics.articles import many
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library
from warchest.ir.ruleset import Sheet
from warchest.resolve.model import BONUS, Model, Use, borne, filling
from warchest.source.nodes import Scalar, Sequence

_NUMBER = re.compile(r"(?:([a-z][a-z -]*) )?[0-9]+")


def borne_findings(
    model: Model, library: Library, game: Document, documents: Iterable[Document]
) -> Iterator[Diagnostic]:
    """Find names in the given documents that no document of the library has, or whose letters are filled in wrongly.

    All texts have been read before: their use of a letter shows its type.
    """
    asked: dict[str, list[Document]] = {}
    for document in documents:
        asked.setdefault(document.kind, []).append(document)
    for kind, shape in game.values["documents"].items():
        if kind not in asked:
            continue
        for key, wanted in shape.get("names", {}).items():
            names = [document.name for document in library.of_kind(wanted)]
            for document in asked[kind]:
                name = document.node.get(key)
                if isinstance(name, Scalar) and name.text not in names:
                    yield _missing(name, name.text, wanted, names)
        for key, wanted in shape.get("bears", {}).items():
            names = [document.name for document in library.of_kind(wanted)]
            for document in asked[kind]:
                listed = document.node.get(key)
                items = listed.items if isinstance(listed, Sequence) else ()
                seen: dict[str, Scalar] = {}
                for item in (one for one in items if isinstance(one, Scalar)):
                    yield from _bears(model, item, wanted, names)
                    yield from _again(seen.setdefault(borne(item.text)[0], item), item)


def _again(first: Scalar, item: Scalar) -> Iterator[Diagnostic]:
    """Find an item that is already in the list, perhaps filled in with another thing."""
    if first is not item and first.text != item.text:
        name = borne(item.text)[0]
        yield report(
            "repeated-item",
            f"{quoted(name)} is listed twice",
            item.span,
            labels=(Label(first.span, "first here"),),
            help="nothing says what two of them mean together",
        )


def _bears(model: Model, item: Scalar, kind: str, names: list[str]) -> Iterator[Diagnostic]:
    name, filled = borne(item.text)
    if name not in names:
        yield _missing(item, name, kind, names)
        return
    borne_sheet = model.ruleset.sheets[model.ruleset.sheet_number(name, (kind,))]
    letters = borne_sheet.parameters
    if len(filled) != len(letters):
        asked = quoted(_asked(borne_sheet)) if letters else f"plainly {quoted(name)}"
        yield report(
            "malformed-value",
            f"{quoted(name)} is filled in with {many(len(filled), 'thing')}, not {len(letters)}",
            item.span,
            help=f"say {asked}",
        )
        return
    for letter, part in zip(letters, filled, strict=True):
        yield from _fills(model, item, borne_sheet, letter, part)


def _asked(sheet: Sheet) -> str:
    """Return the form in which a document with parameters is written."""
    return f"{sheet.name} ({', '.join(' '.join((sheet.called.get(one, ''), one)).strip() for one in sheet.parameters)})"


def _missing(item: Scalar, name: str, kind: str, names: list[str]) -> Diagnostic:
    return report(
        "unknown-name",
        f"there is no {kind} {quoted(name)}",
        item.span,
        help=did_you_mean(name, names) or f"the names are those of the documents of kind {quoted(kind)}",
    )


def _use(model: Model, sheet: Sheet, letter: str) -> Use | None:
    """Return the use of a letter in the text of a document; None if no readable text has it."""
    return model.uses.get((model.ruleset.sheet_number(sheet.name), letter))


def _fills(model: Model, item: Scalar, sheet: Sheet, letter: str, part: str) -> Iterator[Diagnostic]:
    """Find a letter filled in with the wrong type of thing: a document of some kind, a number or a bonus."""
    kind = sheet.filled_by.get(letter)
    use = _use(model, sheet, letter)
    bonus, number = BONUS.fullmatch(part), _NUMBER.fullmatch(part)
    if kind is not None:
        names = [one.name for one in model.ruleset.sheets if one.kind == kind]
        if filling(part) not in names:
            yield _missing(item, filling(part), kind, names)
    elif bonus is not None and use != "number":
        yield from _raises(model, item, bonus)
    elif number is None or use == "bonus":
        takes = {"number": "a number", "bonus": "a bonus"}.get(use or "", "a number or a bonus")
        yield report(
            "malformed-value",
            f"{quoted(part)} is not {takes}, which {letter} of {sheet.name} means",
            item.span,
            help=f"say for example {_example(model, sheet, letter)}",
        )
    elif number[1] and number[1] != sheet.called.get(letter) and number[1] in sheet.called.values():
        yield report(
            "malformed-value",
            f"{quoted(part)} is given for {letter} of {sheet.name}, which has another name",
            item.span,
            help=f"say {quoted(_asked(sheet))}, in this order",
        )


def _raises(model: Model, item: Scalar, bonus: re.Match[str]) -> Iterator[Diagnostic]:
    """Find a bonus on a name that is neither a number that documents have, nor a document that others bear."""
    what, printed = bonus[2] or bonus[3], bool(bonus[2])
    borne_sheets = {one.name: one for one in model.ruleset.sheets if one.kind in model.bearers}
    if what not in (model.printed if printed else borne_sheets):
        known = sorted(model.printed | borne_sheets.keys())
        yield report(
            "unknown-name",
            f"a bonus cannot raise {quoted(what)}",
            item.span,
            help=did_you_mean(what, known) or "name a number written on documents, or a document that is borne",
        )
    elif not printed:
        sheet, filled = borne_sheets[what], int(bonus[4] is not None)
        takes_more = any(_use(model, sheet, letter) == "bonus" for letter in sheet.parameters)
        if len(sheet.parameters) > 1 or sheet.filled_by or takes_more:
            yield report(
                "malformed-value",
                f"{quoted(what)} asks for more than a bonus can fill in",
                item.span,
                help="name a parameter with one number, or with none",
            )
        elif len(sheet.parameters) != filled:
            said = quoted(f"{what} 2") if sheet.parameters else f"plainly {quoted(what)}"
            yield report(
                "malformed-value",
                f"{quoted(what)} is filled in with {many(filled, 'thing')}, not {1 - filled}",
                item.span,
                help=f"say {said}",
            )


def _example(model: Model, sheet: Sheet, letter: str) -> str:
    """Return an example of a number or bonus to write in place of a letter, for a message."""
    number = f"{sheet.called[letter]} 2" if letter in sheet.called else "2"
    bonus = f"+2 {min(model.printed, default='…')}"
    use = _use(model, sheet, letter)
    return " or ".join(quoted(one) for kind, one in (("number", number), ("bonus", bonus)) if use in (None, kind))
