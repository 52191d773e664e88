"""Lenses: beside each ruling of a text, whether it holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.lsp.places import range_of
from warchest.rulings.cases import Case, cases_of
from warchest.rulings.runner import run_case
from warchest.source.nodes import Mapping
from warchest.source.text import Source

MOST = 100
"""The most rulings of a text that are run."""


def lenses(game: Game, documents: Iterable[Document], source: Source) -> list[dict[str, Any]]:
    """Return a lens for each ruling of some documents of the current text."""
    cases = [case for document in documents for case in cases_of(document)][:MOST]
    return [{"range": _place(case, source), "command": {"title": _outcome(game, case), "command": ""}}
            for case in cases]  # fmt: skip


def _place(case: Case, source: Source) -> dict[str, Any]:
    """Return the range of the name of a ruling."""
    node = case.node.get("name") if isinstance(case.node, Mapping) else None
    span = node.span if node is not None else case.span
    return range_of(source.span(span.start, span.end))


def _outcome(game: Game, case: Case) -> str:
    """Return whether a ruling holds, with the reason where it does not."""
    result = run_case(game, case)
    if result.outcome == "passed":
        return "holds"
    why = result.wrong[0] if result.wrong else result.message.partition("\n")[0]
    return f"{'skipped' if result.outcome == 'skipped' else 'fails'}: {why}"
