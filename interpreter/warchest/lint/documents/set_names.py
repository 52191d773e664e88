"""Sets that documents belong to. They are not declared, so a name close to another may be a misspelling of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, quoted
from warchest.diagnostics.suggest import damerau, did_you_mean, nearest
from warchest.documents.library import Document, Library
from warchest.source.nodes import Scalar, scalars


def set_findings(library: Library, game: Document) -> Iterator[Diagnostic]:
    """Find default sets without documents, and sets of one document whose names look misspelt.

    A designer's own set can have any other name, and a name that two documents share is assumed to be intended.
    """
    members: dict[str, list[Scalar]] = defaultdict(list)
    for document in library.documents:
        for scalar in scalars(document.node.get("set")):
            members[scalar.text].append(scalar)
    for scalar in scalars(game.node.get("sets")):
        if scalar.text not in members:
            help = did_you_mean(scalar.text, members) or "take it out, or write it on a document as its `set`"
            yield report("undeclared", f"no document is of the set {quoted(scalar.text)}", scalar.span, help=help)
    usual = {scalar.text for scalar in scalars(game.node.get("sets"))}
    for name, found in members.items():
        meant = nearest(name, members)
        if len(found) == 1 and name not in usual and meant and _is_slip(name, meant, members):
            yield report(
                "lonely-set",
                f"only this document is of the set {quoted(name)}",
                found[0].span,
                help=f"did you mean `{meant}`? Else call it by a name that is less like that one",
                fix=Fix.put(found[0].span, meant),
            )


def _is_slip(name: str, meant: str, members: dict[str, list[Scalar]]) -> bool:
    """Whether the name of a set is nearly that of a larger set, and differs not only in a number."""
    numbered = name.strip("0123456789-") == meant.strip("0123456789-")
    return not numbered and len(members[meant]) > 1 and damerau(name, meant) <= 2
