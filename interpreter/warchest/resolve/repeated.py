"""Readings that are repeated: the meaning of most sentences is the same under all options.

It depends on the declared words and on the announcements of all texts (the roles of verbs, permissions, the meanings of
words), and on no other reading; but bonuses are numbered in the order in which they are read.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from warchest.resolve.model import Model
from warchest.source.records import record

Put: TypeAlias = tuple[str, int, Any]
"""A rule that was put into the rule set: the list it stands in, the verb that has the list (-1: none), and the rule."""


@record()
class ReadSentences:
    """The outcome of reading sentences: rules or a code, and the number of definitions unfolded on the way."""

    sentences: Sequence[object]
    put: tuple[Put, ...]
    code: Any
    unfolded: int


@dataclass(slots=True)
class _Announced:
    """Readings under the same announcements, and the definitions among these, so that no other has their identity."""

    definitions: list[object]
    known: dict[Hashable, ReadSentences]


class Readings:
    """The readings of all sentences that were read without a fault, by the announcements at that time."""

    def __init__(self) -> None:
        self._announced: dict[Hashable, _Announced] = {}
        self._now: _Announced | None = None

    def begin(self, model: Model) -> None:
        """Go on with a model in which all texts have announced their definitions."""
        self._now = None
        if is_unnumbered(model):
            definitions = _definitions(model)
            usual = _Announced([one for _, _, one in definitions], {})
            self._now = self._announced.setdefault(_key(model, definitions), usual)

    def known(self, sentences: Sequence[object], *place: Hashable) -> ReadSentences | None:
        """Return the outcome of reading sentences at a place; None if they were not read, or not without a fault."""
        return self._now.known.get(_name(sentences, place)) if self._now is not None else None

    def keep(self, reading: ReadSentences, *place: Hashable) -> None:
        """Keep the outcome of reading sentences at a place."""
        if self._now is not None:
            self._now.known[_name(reading.sentences, place)] = reading


def is_unnumbered(model: Model) -> bool:
    """Whether nothing has been numbered in the order in which it was read."""
    rules = model.ruleset
    return not (rules.grants or rules.raised or rules.prevailing or model.uses)


def _name(sentences: Sequence[object], place: tuple[Hashable, ...]) -> Hashable:
    return (*map(id, sentences), *place)


def _definitions(model: Model) -> list[tuple[str, int, object]]:
    """Return the definitions of words, each with its word and the document that carries it."""
    tables = (model.adjectives, model.nouns, model.values, model.relations)
    return [(word, one.carrier, one.sentence) for table in tables for word, told in table.items() for one in told]


def _key(model: Model, definitions: list[tuple[str, int, object]]) -> Hashable:
    """Return all that readings depend on and that may be otherwise in the same game."""
    return (
        tuple((word, carrier, id(sentence)) for word, carrier, sentence in definitions),
        tuple((verb.name, *verb.roles) for verb in model.ruleset.verbs),
        tuple((verb, *said.items()) for verb, said in model.said_with.items()),
        frozenset(model.permitted), tuple(model.constants.items()),
        tuple((sheet.kind, sheet.name, sheet.spoken) for sheet in model.ruleset.sheets),
    )  # fmt: skip
