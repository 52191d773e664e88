"""The lower half of the typed tree: words, things and places, values and conditions."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from warchest.source.records import record
from warchest.source.text import Span


@record(kw_only=True)
class SyntaxNode:
    """The base of all nodes: the place it was read from."""

    span: Span = field(compare=False, repr=False)


@record()
class Word(SyntaxNode):
    """A word of the game's vocabulary, by its dictionary form (`move` for `moves`)."""

    text: str
    in_plural: bool = field(default=False, compare=False)
    """Whether the noun of a number is written in the plural that the game declares for it: `your points`."""


# ---- things and numbers


@record()
class Pronoun(SyntaxNode):
    """`this`, `it`, `you` or `nobody`."""

    word: str


@record()
class Name(SyntaxNode):
    """A document by its printed name."""

    text: str


@record()
class Number(SyntaxNode):
    """A whole number."""

    value: int


@record()
class Letter(SyntaxNode):
    """A letter for a number or a document, filled in where the document is borne: `X`."""

    text: str


@record()
class Count(SyntaxNode):
    """A number of things: one number, or from `low` to `high`; if a letter gives the number, both are 0."""

    low: int
    high: int
    letter: Letter | None = None


@record()
class Phrase(SyntaxNode):
    """A noun phrase: `another friendly unit within 2 spaces`. A bare phrase has no determiner."""

    determiner: str
    count: Count | None
    adjectives: tuple[Word, ...]
    head: Word | Name
    modifiers: tuple[Modifier, ...]


@record()
class Total(SyntaxNode):
    """Terms added and taken away; each sign is `+` or `-`, and the first is `+`."""

    signs: tuple[str, ...]
    terms: tuple[Expression, ...]


NounPhrase: TypeAlias = Pronoun | Name | Letter | Phrase


@record()
class Amount(SyntaxNode):
    """An amount for the number of an act, with its noun: `X damage`, `damage equal to its attack`."""

    noun: Word
    value: Expression


Expression: TypeAlias = NounPhrase | Number | Total | Amount


# ---- places of things


@record()
class Related(SyntaxNode):
    """`on it`, `in your hand`, `of the unit`, `adjacent to this`, `through open spaces`."""

    preposition: str
    phrase: NounPhrase


@record()
class Away(SyntaxNode):
    """A distance: `exactly 2 spaces away`, `within X spaces of this`; `limit` is `exactly`, `within` or empty."""

    limit: str
    count: Count | Letter
    unit: Word
    origin: NounPhrase | None
    bare: bool = field(default=False, compare=False)
    """Whether the text does not say from where: `within 2 spaces`, without `away`."""


@record()
class InLine(SyntaxNode):
    """`in a straight line`."""


@record()
class InDirection(SyntaxNode):
    """`in that direction`, or (`of_line`) `in that line`: the direction of a thing chosen in a straight line."""

    of_line: bool = False


@record()
class RelativeClause(SyntaxNode):
    """A relative clause without its pronoun: `you control`, `that unit controls`."""

    who: NounPhrase
    verb: Word


@record()
class Whose(SyntaxNode):
    """A relative clause about an attribute: `whose height is at least 2`."""

    noun: Word
    negated: bool
    value: ValuePhrase


@record()
class ThatIs(SyntaxNode):
    """A relative clause about the thing itself: `that is not adjacent to it`."""

    negated: bool
    value: ValuePhrase


@record()
class ThatDoes(SyntaxNode):
    """A relative clause about acts under way: `that attacks this`, `that attacks or targets this`."""

    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class ComesFirst(SyntaxNode):
    """The players that the order of the others begins with: `beginning with your opponent`."""

    who: NounPhrase


@record()
class Somewhere(SyntaxNode):
    """A distance and where it leads, said of the subject: `it is exactly 2 spaces away in that direction`."""

    modifiers: tuple[Modifier, ...]


Place: TypeAlias = Related | Away | Somewhere
Modifier: TypeAlias = Related | Away | InLine | InDirection | RelativeClause | Whose | ThatIs | ThatDoes | ComesFirst


# ---- values and conditions


@record()
class Adjective(SyntaxNode):
    """An adjective said of the subject: `it is empty`."""

    word: Word


@record()
class Comparison(SyntaxNode):
    """`at least 2`; `how` is one of `at least`, `at most`, `more than`, `less than`."""

    how: str
    than: Expression


ValuePhrase: TypeAlias = Adjective | Comparison | Related | Away | Somewhere | Expression


@record()
class RolePhrase(SyntaxNode):
    """A phrase for a role of an act, such as its object or agent: `onto an empty space`."""

    word: str
    phrase: Expression


@record()
class Arguments(SyntaxNode):
    """The arguments of a verb: an object without a preposition, or an amount in its place, and the roles."""

    object: NounPhrase | None
    roles: tuple[RolePhrase, ...]
    amount: Amount | None = None


@record()
class Is(SyntaxNode):
    """`its height is at least 2`; sums are compared, too."""

    subject: NounPhrase | Total
    negated: bool
    value: ValuePhrase


@record()
class Holds(SyntaxNode):
    """A verb that states a fact, `your team controls it`; or several acts in one condition: `it moves or attacks`."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class CanDo(SyntaxNode):
    """An act that is possible now: `that unit can move`, `it cannot attack this`."""

    subject: NounPhrase
    negated: bool
    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class AnyOf(SyntaxNode):
    """A disjunction: at least one of the conditions must hold."""

    conditions: tuple[Proposition, ...]


@record()
class AllOf(SyntaxNode):
    """Conditions which all must hold."""

    conditions: tuple[Proposition, ...]


Proposition: TypeAlias = Is | Holds | CanDo | AnyOf | AllOf
