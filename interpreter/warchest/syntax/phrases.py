"""The lower half of the typed tree: words, things and places, values and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from warchest.source.text import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """What every node has: the place it was read from."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A word of the game's vocabulary, by its dictionary form (`move` for `moves`)."""

    text: str


# ---- things and numbers


@dataclass(frozen=True, slots=True)
class Pronoun(Node):
    """`this`, `it`, `you` or `nobody`."""

    word: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A document by its printed name."""

    text: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A number or a document that whatever bears the document fills in: `X`."""

    text: str


@dataclass(frozen=True, slots=True)
class Count(Node):
    """How many: one number, or from `low` to `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Phrase(Node):
    """A noun phrase: `another friendly unit within 2 spaces`. A bare phrase has no determiner."""

    determiner: str
    count: Count | None
    adjectives: tuple[Word, ...]
    head: Word | Name
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Total(Node):
    """Terms added and taken away; each sign is `+` or `-`, and the first is `+`."""

    signs: tuple[str, ...]
    terms: tuple[Expression, ...]


NounPhrase: TypeAlias = Pronoun | Name | Parameter | Phrase
Expression: TypeAlias = NounPhrase | Number | Total


# ---- where things are


@dataclass(frozen=True, slots=True)
class Related(Node):
    """`on it`, `in your hand`, `of the unit`, `adjacent to this`, `through open spaces`."""

    preposition: str
    phrase: NounPhrase


@dataclass(frozen=True, slots=True)
class Away(Node):
    """A distance: `exactly 2 spaces away`, `within 2 spaces of this`; `limit` is `exactly`, `within` or empty."""

    limit: str
    count: Count
    unit: Word
    origin: NounPhrase | None


@dataclass(frozen=True, slots=True)
class InLine(Node):
    """`in a straight line`."""


@dataclass(frozen=True, slots=True)
class InDirection(Node):
    """`in that direction`."""


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """A relative clause without its pronoun: `you control`."""

    who: Pronoun
    verb: Word


Place: TypeAlias = Related | Away
Modifier: TypeAlias = Related | Away | InLine | InDirection | Clause


# ---- values and conditions


@dataclass(frozen=True, slots=True)
class Adjective(Node):
    """An adjective said of the subject: `it is empty`."""

    word: Word


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`at least 2`; `how` is one of `at least`, `at most`, `more than`, `less than`."""

    how: str
    than: Expression


Value: TypeAlias = Adjective | Comparison | Related | Away | Expression


@dataclass(frozen=True, slots=True)
class Role(Node):
    """A phrase that tells what an act is done to, with or by: `onto an empty space`."""

    word: str
    phrase: Expression


@dataclass(frozen=True, slots=True)
class Arguments(Node):
    """What a verb is said with: an object without a preposition, and the roles."""

    object: NounPhrase | None
    roles: tuple[Role, ...]


@dataclass(frozen=True, slots=True)
class Is(Node):
    """`its height is at least 2`."""

    subject: NounPhrase
    negated: bool
    value: Value


@dataclass(frozen=True, slots=True)
class Holds(Node):
    """A verb said as a fact: `your team controls it`."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class AnyOf(Node):
    """Conditions of which at least one must hold."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AllOf(Node):
    """Conditions which all must hold."""

    conditions: tuple[Condition, ...]


Condition: TypeAlias = Is | Holds | AnyOf | AllOf
