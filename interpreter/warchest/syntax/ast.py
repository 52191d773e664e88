"""The typed tree of a sentence, as written: words are not yet looked up. Spans take no part in equality."""

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


NounPhrase: TypeAlias = Pronoun | Name | Phrase
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


# ---- what happens


@dataclass(frozen=True, slots=True)
class Do(Node):
    """An order to the one who acts, or (with a subject) to somebody: `attack a target`, `it moves`."""

    subject: NounPhrase | None
    verb: Word
    arguments: Arguments
    adverbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class May(Node):
    """An offer; several verbs are alternatives. Among rules it is a permission."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments
    adverbs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cannot(Node):
    """A prohibition."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Becomes(Node):
    """`you become the holder of the initiative`, `the initiative becomes stale`."""

    subject: NounPhrase
    value: NounPhrase | Adjective


@dataclass(frozen=True, slots=True)
class Changes(Node):
    """`its damage increases by 2`; `how` is `increases`, `decreases` or `doubles`."""

    subject: NounPhrase
    how: str
    amount: Expression | None


@dataclass(frozen=True, slots=True)
class Let(Node):
    """A name for a value: `let gap be its space`."""

    word: Word
    value: Expression


@dataclass(frozen=True, slots=True)
class Must(Node):
    """A condition without which the line of play does not exist."""

    subject: NounPhrase
    negated: bool
    value: Value


@dataclass(frozen=True, slots=True)
class If(Node):
    """Steps taken only when a condition holds; the next sentence may say what happens `otherwise`."""

    condition: Condition
    step: Step
    otherwise: Step | None = None


@dataclass(frozen=True, slots=True)
class Until(Node):
    """Steps taken again and again until a condition holds."""

    condition: Condition
    step: Step


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """Steps taken once for each member; `order` is empty, `in any order` or `in turn order`."""

    members: Phrase
    order: str
    step: Step


@dataclass(frozen=True, slots=True)
class Sequence(Node):
    """Steps one after the other."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Either(Node):
    """Steps of which one is chosen."""

    options: tuple[Step, ...]


Step: TypeAlias = (
    Do | May | Cannot | Becomes | Changes | Let | Must | If | Until | ForEach | Sequence | Either
)


@dataclass(frozen=True, slots=True)
class Otherwise(Node):
    """What happens when the condition of the sentence before did not hold."""

    step: Step


# ---- definitions, hooks and rules


@dataclass(frozen=True, slots=True)
class DefineVerb(Node):
    """`to attack a target: the target loses a coin`."""

    verb: Word
    arguments: Arguments
    step: Step


@dataclass(frozen=True, slots=True)
class DefineIs(Node):
    """What an adjective, a noun or a value means: `a space is empty when no unit is on it`."""

    subject: NounPhrase
    negated: bool
    value: Value
    condition: Condition | None


@dataclass(frozen=True, slots=True)
class DefineHolds(Node):
    """What a verb means when it is said as a fact."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments
    condition: Condition


@dataclass(frozen=True, slots=True)
class Happens(Node):
    """An event: somebody does one of these."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Would(Node):
    """An event that is about to happen."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class IsDone(Node):
    """An event seen from its object: `after this is deployed`."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Turns(Node):
    """Something comes to be so: `when a unit is spent`."""

    subject: NounPhrase
    value: Value


Event: TypeAlias = Happens | Would | IsDone | Turns


@dataclass(frozen=True, slots=True)
class Hook(Node):
    """Steps hung on an event; `stage` is `before`, `when` or `after`."""

    stage: str
    event: Event
    step: Step
    instead: bool


@dataclass(frozen=True, slots=True)
class Normally(Node):
    """What is permitted unless something else says more or less."""

    step: Step


@dataclass(frozen=True, slots=True)
class Guarded(Node):
    """A rule that holds `while` or `unless` a condition does."""

    step: Step
    word: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Only(Node):
    """A verb that its subject does only by something, or only while or unless a condition holds."""

    subject: NounPhrase | None
    verb: Word
    arguments: Arguments
    by: NounPhrase | None
    word: str
    condition: Condition | None


Sentence: TypeAlias = (
    Step | Otherwise | DefineVerb | DefineIs | DefineHolds | Hook | Normally | Guarded | Only
)
