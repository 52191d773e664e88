"""A cache of readings: most sentences mean the same under all options, and in the next game too.

A reading depends on the declared words, on the announcements of all texts (the roles of verbs, permissions, the
meanings of words) and on the documents that it names; and on other readings only through the numbers of bonuses, which
are assigned in reading order.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from warchest.ir.ruleset import Field
from warchest.resolve.model import Model, Use
from warchest.source.records import record
from warchest.source.text import Span

MOST_READINGS = 6000
"""The most readings, of some twenty games, that are kept before all are forgotten."""
MOST_VERSIONS = 4
"""The most readings of one place with different sentences, such as earlier texts during typing."""
Put: TypeAlias = tuple[str, int, Any]
"""A rule that was added to the rule set: its list, the verb that has the list (-1: none), and the rule."""


@record()
class Numbered:
    """All objects that are numbered in reading order, or only those added since an earlier list."""

    raised: tuple[str, ...]
    prevailing: tuple[int, ...]
    grants: tuple[str, ...]
    uses: tuple[tuple[tuple[int, str], Use], ...]
    fields: tuple[Field, ...]
    limits: tuple[tuple[Span, int], ...]
    lasting: tuple[tuple[int, object], ...]
    upheld: tuple[tuple[int, Any], ...] = ()
    """The steps of grants, by the numbers of these; no reading uses them."""

    @classmethod
    def of(cls, model: Model) -> Numbered:
        """Return everything that is numbered in a model, without the steps."""
        rules = model.ruleset
        return cls(
            tuple(rules.raised),
            tuple(rules.prevailing),
            tuple(rules.grants),
            tuple(model.uses.items()),
            tuple(rules.fields),
            tuple(model.limits.items()),
            tuple(model.lasting.items()),
        )

    def further(self, model: Model) -> Numbered:
        """Return everything that a model has numbered since these objects were listed."""
        now, first = Numbered.of(model), len(self.grants)
        upheld = tuple((number, step) for number, step in model.ruleset.upheld.items() if number >= first)
        return Numbered(
            now.raised[len(self.raised) :],
            now.prevailing[len(self.prevailing) :],
            now.grants[first:],
            now.uses[len(self.uses) :],
            now.fields[len(self.fields) :],
            now.limits[len(self.limits) :],
            now.lasting[len(self.lasting) :],
            upheld,
        )

    def add_to(self, model: Model) -> None:
        """Append these to the numbered objects of a model."""
        model.ruleset.raised += self.raised
        model.ruleset.prevailing += self.prevailing
        model.ruleset.grants += self.grants
        model.uses.update(self.uses)
        model.ruleset.fields += self.fields
        model.limits.update(self.limits)
        model.lasting.update(self.lasting)
        model.ruleset.upheld.update(self.upheld)


@record()
class ReadSentences:
    """The result of reading sentences: rules or a code, and the number of definitions expanded on the way.

    The documents that were named on the way are recorded with all facts that a reading can use.
    """

    sentences: Sequence[object]
    put: tuple[Put, ...]
    code: Any
    unfolded: int
    named: tuple[tuple[str, Hashable], ...]
    numbered: Numbered


@dataclass(slots=True)
class KnownReadings:
    """Readings under the same words and announcements.

    The definitions among these are held, so that no other object gets their identity.
    """

    definitions: list[object]
    known: dict[Hashable, list[ReadSentences]] = field(default_factory=dict)
    """The readings at each place, the latest last."""

    def get(self, model: Model, sentences: Sequence[object], *place: Hashable) -> ReadSentences | None:
        """Return the result of reading sentences at a place; None if they were not read, or had a fault."""
        found = next((one for one in self.known.get(place, ()) if _same(one.sentences, sentences)), None)
        return found if found is not None and found.named == _named(model, (name for name, _ in found.named)) else None


class Readings:
    """The readings of all sentences that were read without a fault, by all words and announcements at that time."""

    def __init__(self) -> None:
        self._announced: dict[Hashable, KnownReadings] = {}
        self._count = 0

    def under(self, model: Model) -> KnownReadings:
        """Return the readings for a model in which all texts have announced their definitions."""
        definitions = _definitions(model)
        usual = KnownReadings([one for _, _, one in definitions])
        return self._announced.setdefault(_key(model, definitions), usual)

    def keep(
        self,
        among: KnownReadings,
        model: Model,
        sentences: Sequence[object],
        *place: Hashable,
        put: tuple[Put, ...],
        code: object,
        unfolded: int,
        names: Iterable[str],
        numbered: Numbered,
    ) -> None:
        """Keep the result of reading sentences at a place."""
        if self._count >= MOST_READINGS:
            self._announced.clear()
            self._count = 0
        read = ReadSentences(tuple(sentences), put, code, unfolded, _named(model, names), numbered)
        before = among.known.get(place, [])
        now = [*(one for one in before if not _same(one.sentences, sentences)), read][-MOST_VERSIONS:]
        among.known[place] = now
        self._count += len(now) - len(before)


def _same(first: Sequence[object], second: Sequence[object]) -> bool:
    """Whether sentences are the same ones."""
    return len(first) == len(second) and all(one is other for one, other in zip(first, second, strict=True))


def _named(model: Model, names: Iterable[str]) -> tuple[tuple[str, Hashable], ...]:
    return tuple((name, as_read(model, model.ruleset.sheet_number(name))) for name in names)


def as_read(model: Model, number: int) -> Hashable:
    """Return the number of a document (-1: none), with all facts about it that a reading can use."""
    if number < 0:
        return number
    sheet = model.ruleset.sheets[number]
    return number, sheet.kind, sheet.parameters, tuple(sheet.filled_by)


def _definitions(model: Model) -> list[tuple[str, int, object]]:
    """Return the definitions of words, each with its word and the document that carries it."""
    tables = (model.adjectives, model.nouns, model.values, model.relations)
    return [(word, one.carrier, one.sentence) for table in tables for word, told in table.items() for one in told]


def _key(model: Model, definitions: list[tuple[str, int, object]]) -> Hashable:
    """Return all words and announcements that readings depend on."""
    return (
        tuple((word, as_read(model, carrier), id(sentence)) for word, carrier, sentence in definitions),
        tuple((verb, *said.items()) for verb, said in model.said_with.items()),
        frozenset(model.permitted),
        *_declared(model),
    )


def _declared(model: Model) -> Iterable[Hashable]:
    """Yield all that the documents of a game declare, besides its sheets."""
    rules = model.ruleset
    yield from (
        tuple(table.items())
        for table in (model.things, model.flags, model.zones, model.verbs, model.verb_nouns, model.constants)
    )
    yield from (tuple((name, *told) for name, told in table.items()) for table in (model.fields, model.lists))
    yield tuple((kind, *told.items()) for kind, told in model.blocks.items())
    yield from (frozenset(names) for names in (model.numbers, model.named, model.printed))
    yield tuple((kind, frozenset(told)) for kind, told in model.bearers.items())
    yield tuple(
        (verb.name, verb.act, verb.by, verb.agent_noun, verb.yields, verb.parents, verb.kinds, *verb.roles)
        for verb in rules.verbs
    )
    yield from (tuple[Hashable, ...](told) for told in (rules.kinds, rules.zones, rules.fields))
    yield from (tuple[Hashable, ...](told) for told in (rules.manners, rules.singles))
    yield rules.active, rules.orders, rules.decides, rules.heading
    yield tuple(rules.times.items())


READINGS = Readings()
"""The readings of this process: when a game is loaded or linted again, only new sentences are read."""
