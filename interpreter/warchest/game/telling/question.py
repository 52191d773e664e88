"""The question of a decision, in the game's phrase for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warchest.game.telling.phrases import CARD, filled
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.game.decision import Decision
    from warchest.game.variant import Variant


def question_of(variant: Variant, decision: Decision) -> str:
    """Return the question of a decision as people ask it: in the game's phrase, or as the clause that asks.

    The clause of a document without a phrase is given with the document's name.
    """
    who, clause = decision.player or "chance", decision.clause
    if clause is None:
        return decision.prompt
    words = clause.one_line
    phrase = variant.phrases.questions.get(words)
    name = _card_of(variant, clause)
    if phrase is not None:
        return f"{who}, {filled(phrase, {CARD: name} if name else {})}"
    return f"{who}, {name}: {words}" if name else f"{who}: {words}"


def _card_of(variant: Variant, clause: Span) -> str:
    """Return the name of the document that contains a clause; empty for a clause of the game's rules."""
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
