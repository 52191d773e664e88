"""The words at the table: the news that people want to hear of, and the question, in the game's phrases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from warchest.engine.history import Happened
from warchest.game.telling.log import LogEntry, LogWriter
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.game.decision import Decision
    from warchest.game.variant import Variant


class NewsWriter(LogWriter):
    """Turns raw events into news: those that positions tell of, but for those of which the phrases say nothing."""

    def __init__(self, variant: Variant, viewer: int | None) -> None:
        super().__init__(variant, viewer, variant.phrases)

    def entries(self, events: Sequence[Happened]) -> list[LogEntry]:
        """Return the news of some raw events."""
        return [one for one in super().entries(events) if one.news and one.text.strip()]


# ---- the question


def question_of(variant: Variant, decision: Decision) -> str:
    """Return the question of a decision as people ask it: with the game's phrase, else with the clause that asks.

    A clause of a card is asked with the name of the card.
    """
    who, clause = decision.player or "chance", decision.clause
    if clause is None:
        return decision.prompt
    words = clause.one_line
    phrase = variant.phrases.questions.get(words)
    if phrase is not None:
        return f"{who}, {phrase}"
    name = _card_of(variant, clause)
    return f"{who}, {name}: {words}" if name else f"{who}: {words}"


def _card_of(variant: Variant, clause: Span) -> str:
    """Return the name of the document on whose sheet a clause stands; empty where it stands in the game's rules."""
    kinds = {kind for kind, _ in variant.format.sheets}
    return next(
        (
            one.name
            for one in variant.origin.library.documents
            if one.kind in kinds
            and one.span.path == clause.path
            and one.node.span.start <= clause.start < one.node.span.end
        ),
        "",
    )
