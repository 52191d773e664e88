"""The words at the table: the news that people want to hear of, and the question, in the game's phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from warchest.diagnostics.articles import with_article
from warchest.engine.history import (
    Became,
    Decided,
    FieldSet,
    Happened,
    KindChanged,
    Moved,
    Owned,
    Placed,
    Removed,
    TokenMoved,
)
from warchest.game.labels import OptionWords
from warchest.game.log import LogEntry, LogWriter
from warchest.game.phrases import GAP, filled
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.game.decision import Decision
    from warchest.game.variant import Variant


class NewsWriter(LogWriter):
    """Turns raw events into news: those that positions tell of, but for those of which the phrases say nothing."""

    def entries(self, events: Sequence[Happened]) -> list[LogEntry]:
        """Return the news of some raw events."""
        return [one for one in super().entries(events) if one.news and one.text.strip()]

    def entry(self, one: Happened) -> LogEntry | None:
        """Return the entry for something that happened, in a phrase of the game where it has one."""
        entry = super().entry(one)
        nameless = isinstance(one, TokenMoved) and self._nameless(one) is not None
        if entry is None or not (entry.news or nameless) or isinstance(one, Decided):
            return entry
        phrase, things = self._phrase(one)
        return entry if phrase is None else replace(entry, text=f"  {filled(phrase, things)}".rstrip(), news=True)

    def alike(self, moved: TokenMoved) -> tuple[object, ...] | None:
        """Return the key of a move: its words if they name no token, so that many tokens share a line."""
        nameless = self._nameless(moved)
        return super().alike(moved) if nameless is None else (nameless,)

    def _nameless(self, moved: TokenMoved) -> str | None:
        """Return the line for a token that moves, in a phrase that does not name it; None where there is none."""
        phrase, things = self._phrase(moved)
        return None if phrase is None or "token" in GAP.findall(phrase) else filled(phrase, things)

    def _decision_words(self, taken: Decided, who: str, told: OptionWords) -> str:
        """Return a decision in a phrase: one that has a gap for each role, so that it says as much as the label."""
        phrases, act = self.variant.phrases, str(told.data["act"])
        if taken.forced and act in phrases.forced:
            return ""
        phrase = phrases.acts.get(act)
        roles = {key: value for key, value in told.data.items() if key != "act"}
        if phrase is None or not set(roles) <= set(GAP.findall(phrase)) <= {*roles, "who"}:
            return super()._decision_words(taken, who, told)
        return filled(phrase, {**roles, "who": who})

    def _phrase(self, one: Happened) -> tuple[str | None, dict[str, Any]]:
        """Return the phrase for a change, if there is one, with the things that fill its gaps."""
        phrases, naming = self.variant.phrases, self.naming
        match one:
            case FieldSet(field=number, of=of, value=value):
                field = self.layout.ruleset.fields[number]
                return phrases.of_field(field.name, value), {
                    "of": naming.whose(field, of),
                    "value": self._field_value(field, value),
                }
            case TokenMoved(token=token, holder=target):
                (origin, sender), (aim, receiver) = naming.place(token // self.layout.documents), naming.place(target)
                return phrases.of_tokens(origin, aim), {"token": self._moved(one), "whose": sender or receiver}
            case Placed(piece=piece):
                return phrases.pieces.get("placed"), {"piece": naming.told("piece", piece)}
            case Removed(piece=piece):
                return phrases.pieces.get("removed"), {"piece": naming.told("piece", piece)}
            case Moved(piece=piece, space=space):
                return phrases.pieces.get("moved"), {
                    "piece": naming.told("piece", piece),
                    "space": naming.spaces[space],
                }
            case Became(piece=piece, document=document):
                return phrases.pieces.get("became"), {
                    "piece": naming.told("piece", piece),
                    "document": naming.documents[document],
                }
            case KindChanged(piece=piece, kind=kind):
                became = with_article(self.layout.ruleset.kinds[kind].name)
                return phrases.pieces.get("became"), {"piece": naming.told("piece", piece), "document": became}
            case Owned(piece=piece, player=player):
                return phrases.pieces.get("owned"), {
                    "piece": naming.told("piece", piece),
                    "player": naming.players[player],
                }
        return None, {}


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
