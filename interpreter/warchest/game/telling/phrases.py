"""Phrases: wordings for people at the table, from the game's documents, in place of the words of the rules.

The log and the news use them; the data and the labels of options keep the words of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from warchest.diagnostics.articles import article
from warchest.documents.library import Library
from warchest.source.records import record

KIND = "phrases"
GAP = re.compile(r"\{([a-z][a-z0-9_ -]*)\}")
"""A gap of a phrase, with the name of the thing that fills it."""
_FILLED = re.compile(rf"(?:\b(an?) )?{GAP.pattern}(?: ([a-z]+)\b)?")
"""A gap, with the article before it and the word after it."""
HIDDEN = "something hidden"
"""The words for a thing that is hidden from the reader."""
GAPS: Mapping[str, Mapping[str, str]] = {
    "changed": {"of": "of", "value": "to"},
    "token": {"token": "token", "whose": "whose", "from": "from", "to": "to"},
    "placed": {"piece": "agent"},
    "moved": {"piece": "agent", "space": "to"},
    "removed": {"piece": "agent"},
    "became": {"piece": "agent", "document": "to"},
    "owned": {"piece": "agent", "player": "by"},
}
"""The gaps that the phrases for each kind of change may have, with the roles that fill them. The gaps of an act are its
roles, and `who` for the one who does it or decides on it.
"""
CARD = "card"
"""The gap of a question for the name of the document whose clause asks."""
CHOSEN, DONE = "chosen", "done"
"""The keys of the phrases of an act: where it is taken as an option, and where it is carried out."""
IS, IS_NOT = "is", "is not"
"""The keys of the two phrases of a field: for a true or non-zero value, and for a false or zero one."""

_Phrases: TypeAlias = "str | Sequence[str]"
"""One phrase, or several in the order in which they are tried."""


@record()
class TokenPhrase:
    """The phrase for tokens that go from one place to another; a place that is not given can be any."""

    origin: str
    target: str
    say: str


@record()
class TablePhrases:
    """All phrases of a game. An empty phrase means no line at all."""

    questions: Mapping[str, str] = field(default_factory=dict)
    """Questions, by the clauses that ask them."""
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Phrases for options, by their acts."""
    done: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Phrases for acts that are carried out."""
    forced: tuple[str, ...] = ()
    """The acts that are not reported where the player had no other option."""
    fields: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)
    tokens: tuple[TokenPhrase, ...] = ()
    pieces: Mapping[str, str] = field(default_factory=dict)
    directions: Mapping[str, str] = field(default_factory=dict)
    """The words for directions, by their names on boards."""

    def of_choice(self, act: str, things: Mapping[str, str]) -> str | None:
        """Return the first phrase for an option whose gaps its things can fill, `who` among them; otherwise None."""
        return _first_filled(self.chosen.get(act, ()), things)

    def of_act(self, act: str, things: Mapping[str, str]) -> str | None:
        """Return the first phrase, chosen as for options, for an act that is carried out."""
        return _first_filled(self.done.get(act, ()), things)

    def of_field(self, name: str, value: object) -> str | None:
        """Return the phrase for a field that gets a value; None where there is none."""
        found = self.fields.get(name)
        return found.get(IS if value else IS_NOT) if isinstance(found, Mapping) else found

    def of_tokens(self, origin: str, target: str, is_owned: bool) -> str | None:
        """Return the first phrase that fits the way of a token; None where there is none.

        A phrase that names the owner of the place fits only a way from or to a place that `is_owned`.
        """
        fitting = (one.say for one in self.tokens if one.origin in ("", origin) and one.target in ("", target))
        return next((one for one in fitting if is_owned or "whose" not in GAP.findall(one)), None)


def phrases_of(library: Library) -> TablePhrases:
    """Return the phrases in a library's documents; phrases of later documents take precedence."""
    found = TablePhrases()
    for document in library.of_kind(KIND):
        values = document.values
        found = TablePhrases(
            questions={**found.questions, **values.get("questions", {})},
            chosen={**found.chosen, **_act_phrases(values.get("acts", {}), CHOSEN)},
            done={**found.done, **_act_phrases(values.get("acts", {}), DONE)},
            forced=(*found.forced, *values.get("forced", ())),
            fields={**found.fields, **values.get("fields", {})},
            tokens=(*(_token_phrase(one) for one in values.get("tokens", ())), *found.tokens),
            pieces={**found.pieces, **values.get("pieces", {})},
            directions={**found.directions, **values.get("directions", {})},
        )
    return found


def _token_phrase(given: Mapping[str, str]) -> TokenPhrase:
    return TokenPhrase(given.get("from", ""), given.get("to", ""), given["say"])


def _act_phrases(acts: Mapping[str, _Phrases | Mapping[str, _Phrases]], which: str) -> dict[str, tuple[str, ...]]:
    """Return the phrases for acts, by their verbs; phrases in a mapping only if they are for `which`."""
    found = {}
    for act, given in acts.items():
        phrases = given.get(which, ()) if isinstance(given, Mapping) else given
        found[act] = (phrases,) if isinstance(phrases, str) else tuple(phrases)
    return found


def _first_filled(phrases: Sequence[str], things: Mapping[str, str]) -> str | None:
    return next((one for one in phrases if things.keys() >= set(GAP.findall(one))), None)


def filled(phrase: str, things: Mapping[str, str]) -> str:
    """Return a phrase with its gaps filled.

    `a` becomes `an` where the sound requires it, and a word after a gap is left out if the name ends with it: `a {coin}
    coin` is `an Archer coin`, `a Royal Coin`, or `a hidden coin`.
    """
    return _FILLED.sub(lambda gap: _filled_gap(gap, things), phrase)


def _filled_gap(gap: re.Match[str], things: Mapping[str, str]) -> str:
    one, name, noun = gap[1], str(things.get(gap[2], f"{{{gap[2]}}}")), gap[3]
    if name == HIDDEN and one and noun:
        name = name.split()[-1]
    elif name == HIDDEN:
        one = None
    behind = [noun] if noun and not name.lower().endswith(noun) else []
    return " ".join((*([article(name)] if one else ()), name, *behind))
