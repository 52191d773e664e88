"""Findings about kinds of remains that no piece ever becomes."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document
from warchest.ir.parts import kind_changes_in
from warchest.ir.ruleset import Ruleset
from warchest.source.nodes import entries


def remains_findings(ruleset: Ruleset, game: Document) -> Iterator[Diagnostic]:
    """Find kinds of remains that no text turns a piece into."""
    if not any(kind.remains_of >= 0 for kind in ruleset.kinds):
        return
    made = {step.kind for code in ruleset.codes() for step in kind_changes_in(code.steps)}
    for entry in entries(game.node.get("things")):
        number = next((one for one, kind in enumerate(ruleset.kinds) if kind.name == entry.key.text), -1)
        if number >= 0 and ruleset.kinds[number].remains_of >= 0 and number not in made:
            noun = with_article(entry.key.text)
            yield report(
                "unused-word",
                f"nothing ever becomes {noun}",
                entry.key.span,
                help=f"let a text order it: `this becomes {noun}`; or leave out `remains of:`",
            )
