"""Excuses: facts of clauses that need not be seen, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from warchest.documents.library import Document
from warchest.lowering.obligations import Obligation
from warchest.source.nodes import Mapping as Keys
from warchest.source.nodes import Sequence
from warchest.source.records import record
from warchest.source.text import Span

KIND = "excused"
"""The kind of document that holds them."""


@record()
class Excuse:
    """The facts of a clause of a document that are excused, and the reason."""

    of: str
    clause: str
    never: tuple[str, ...]
    because: str
    span: Span

    def fits(self, obligation: Obligation, name: str) -> bool:
        """Whether this excuse covers an obligation in the document of a name."""
        return self.of == name and obligation.what in self.never and self.clause == obligation.clause


def excuses_in(documents: Iterable[Document]) -> list[Excuse]:
    """Return the excuses in some documents."""
    found = []
    for document in documents:
        if document.kind != KIND:
            continue
        node = document.node.get("clauses")
        items = node.items if isinstance(node, Sequence) else ()
        for item, values in zip(items, document.values["clauses"], strict=True):
            assert isinstance(item, Keys)
            clause = " ".join(values["clause"].split())
            span = item.entries[0].key.span
            found.append(Excuse(values["of"], clause, tuple(values["never"]), values["because"], span))
    return found


def excused(
    obligations: Iterable[Obligation], excuses: Iterable[Excuse], names: Mapping[str, str]
) -> dict[tuple[str, int, int, str], Excuse]:
    """Return the excuses of obligations by the obligations' keys; `names` are the names of documents by their files."""
    by_clause: dict[tuple[str, str], list[Excuse]] = {}
    for one in excuses:
        by_clause.setdefault((one.of, one.clause), []).append(one)
    found = {}
    for obligation in obligations:
        name = names.get(obligation.span.path, "")
        for one in by_clause.get((name, obligation.clause), ()):
            if one.fits(obligation, name):
                found[obligation.key] = one
    return found
