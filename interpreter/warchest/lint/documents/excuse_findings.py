"""Excuses: the documents and the clauses that they are about."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Document, Library
from warchest.lint.documents.declarations import unknown_names
from warchest.lint.documents.question_findings import repeated
from warchest.source.nodes import Scalar, items

KIND = "excused"


def excuse_findings(library: Library) -> list[Diagnostic]:
    """Find excuses for clauses that do not exist, and clauses that an excuse names twice."""
    excuses = library.of_kind(KIND)
    if not excuses:
        return []
    documents: dict[str, list[Document]] = {}
    for one in library.documents:
        documents.setdefault(one.name, []).append(one)
    found: list[Diagnostic] = []
    for excuse in excuses:
        said: dict[str, list[Scalar]] = {}
        for item in items(excuse.node.get("clauses")):
            of, clause = item.get("of"), item.get("clause")
            found += unknown_names(of, documents)
            if isinstance(of, Scalar) and isinstance(clause, Scalar) and of.text in documents:
                found += _unknown(clause, of.text, documents[of.text])
                said.setdefault(of.text, []).append(clause)
        found += [one for clauses in said.values() for one in repeated(clauses, "an excuse for")]
    return found


def _unknown(clause: Scalar, of: str, documents: list[Document]) -> Iterator[Diagnostic]:
    """Find a clause that no text of the documents with a name has."""
    texts = (
        _plain(value.text)
        for one in documents
        for entry in one.node.entries
        if isinstance(value := entry.value, Scalar) and value.block is not None
    )
    if not any(_plain(clause.text) in text for text in texts):
        yield report(
            "unknown-clause",
            f"{quoted(of)} has no clause {quoted(clause.text)}",
            clause.span,
            help="copy the clause from `warchest cover`, word for word",
        )


def _plain(text: str) -> str:
    """Return a text on one line, without the parts that the reader of clauses skips."""
    lines = (line.partition("#")[0] for line in text.splitlines())
    return " ".join(" ".join(lines).split())
