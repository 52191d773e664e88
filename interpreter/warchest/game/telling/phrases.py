"""Phrases: the words that people at the table read in place of those of the rules, as the game's documents have them.

Nothing hangs on them: the log, the data and the labels of options stay in the words of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from warchest.documents.library import Library
from warchest.source.records import record

KIND = "phrases"
GAP = re.compile(r"\{([a-z_ ]+)\}")
"""A gap of a phrase, with the name of the thing that fills it."""
GAPS: Mapping[str, Mapping[str, str]] = {
    "changed": {"of": "of", "value": "to"},
    "token": {"token": "token", "whose": "whose"},
    "placed": {"piece": "agent"},
    "moved": {"piece": "agent", "space": "to"},
    "removed": {"piece": "agent"},
    "became": {"piece": "agent", "document": "to"},
    "owned": {"piece": "agent", "player": "by"},
}
"""The gaps that the phrases for each kind of change may have, with the roles that fill them; those of an act are its
roles, and `who` does it.
"""
IS, IS_NOT = "is", "is not"
"""The keys of the two phrases of a field that is so or not."""


@record()
class TokenPhrase:
    """The phrase for tokens that go from one place to another; a place that is not said is any."""

    origin: str
    target: str
    say: str


@record()
class TablePhrases:
    """All phrases of a game. An empty phrase means that nothing is said."""

    questions: Mapping[str, str] = field(default_factory=dict)
    """By the clauses that ask."""
    acts: Mapping[str, str] = field(default_factory=dict)
    forced: tuple[str, ...] = ()
    """The acts of which nothing is said where nobody could do anything else."""
    fields: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    tokens: tuple[TokenPhrase, ...] = ()
    pieces: Mapping[str, str] = field(default_factory=dict)

    def of_field(self, name: str, value: object) -> str | None:
        """Return the phrase for a field that gets a value; None where there is none."""
        found = self.fields.get(name)
        return found.get(IS if value else IS_NOT) if isinstance(found, Mapping) else found

    def of_tokens(self, origin: str, target: str) -> str | None:
        """Return the first phrase that fits a token's way; None where there is none."""
        return next((one.say for one in self.tokens if one.origin in ("", origin) and one.target in ("", target)), None)


def phrases_of(library: Library) -> TablePhrases:
    """Return the phrases of a library's documents; those of a later one count before those of an earlier one."""
    found = TablePhrases()
    for document in library.of_kind(KIND):
        values = document.values
        found = TablePhrases(
            questions={**found.questions, **values.get("questions", {})},
            acts={**found.acts, **values.get("acts", {})},
            forced=(*found.forced, *values.get("forced", ())),
            fields={**found.fields, **values.get("fields", {})},
            tokens=(*(_token_phrase(one) for one in values.get("tokens", ())), *found.tokens),
            pieces={**found.pieces, **values.get("pieces", {})},
        )
    return found


def _token_phrase(given: Mapping[str, str]) -> TokenPhrase:
    return TokenPhrase(given.get("from", ""), given.get("to", ""), given["say"])


def filled(phrase: str, things: Mapping[str, Any]) -> str:
    """Return a phrase with its gaps filled."""
    return GAP.sub(lambda gap: str(things.get(gap[1], gap[0])), phrase)
