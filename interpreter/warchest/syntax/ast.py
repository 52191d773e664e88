"""The typed tree of a sentence, as written: words are not yet looked up. Spans take no part in equality.

Phrases and conditions stand in `phrases`; steps, definitions, hooks and rules stand here.
"""

from __future__ import annotations

from typing import TypeAlias

from warchest.source.records import record
from warchest.syntax.phrases import Adjective as Adjective
from warchest.syntax.phrases import AllOf as AllOf
from warchest.syntax.phrases import AnyOf as AnyOf
from warchest.syntax.phrases import Arguments as Arguments
from warchest.syntax.phrases import Away as Away
from warchest.syntax.phrases import Clause as Clause
from warchest.syntax.phrases import Comparison as Comparison
from warchest.syntax.phrases import Condition as Condition
from warchest.syntax.phrases import Count as Count
from warchest.syntax.phrases import Expression as Expression
from warchest.syntax.phrases import Holds as Holds
from warchest.syntax.phrases import InDirection as InDirection
from warchest.syntax.phrases import InLine as InLine
from warchest.syntax.phrases import Is as Is
from warchest.syntax.phrases import Modifier as Modifier
from warchest.syntax.phrases import Name as Name
from warchest.syntax.phrases import Node as Node
from warchest.syntax.phrases import NounPhrase as NounPhrase
from warchest.syntax.phrases import Number as Number
from warchest.syntax.phrases import Parameter as Parameter
from warchest.syntax.phrases import Phrase as Phrase
from warchest.syntax.phrases import Place as Place
from warchest.syntax.phrases import Pronoun as Pronoun
from warchest.syntax.phrases import Related as Related
from warchest.syntax.phrases import Role as Role
from warchest.syntax.phrases import Total as Total
from warchest.syntax.phrases import Value as Value
from warchest.syntax.phrases import Whose as Whose
from warchest.syntax.phrases import Word as Word

# ---- steps


@record()
class Do(Node):
    """An order to the one who acts, or (with a subject) to somebody: `attack a target`, `it moves`."""

    subject: NounPhrase | None
    verb: Word
    arguments: Arguments
    adverbs: tuple[str, ...]


@record()
class May(Node):
    """An offer; several verbs are alternatives. Among rules it is a permission."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments
    adverbs: tuple[str, ...]


@record()
class Cannot(Node):
    """A prohibition."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class Becomes(Node):
    """`you become the holder of the initiative`, `the initiative becomes stale`, `its damage becomes 0`."""

    subject: NounPhrase
    value: Expression | Adjective


@record()
class Prevails(Node):
    """A value that something has until an event, or (without one) as long as it is there, over the one before.

    `you become the controller of it until this is captured`.
    """

    subject: NounPhrase
    value: Expression | Adjective
    until: Event | None


@record()
class Changes(Node):
    """`its damage increases by 2`; `how` is `increases`, `decreases`, `doubles` or `goes back`."""

    subject: NounPhrase
    how: str
    amount: Expression | None


@record()
class Raise(Node):
    """An addition to something printed: `+2 attack`."""

    amount: Expression
    what: Word | Name


@record()
class Has(Node):
    """A bonus that lasts until an event, or (without one) as long as the thing does: `it has +2 attack forever`."""

    subject: NounPhrase
    bonus: Raise | Parameter
    until: Event | None


@record()
class Let(Node):
    """A name for a value: `let gap be its space`."""

    word: Word
    value: Expression


@record()
class Must(Node):
    """A condition without which the line of play does not exist."""

    subject: NounPhrase
    negated: bool
    value: Value


@record()
class If(Node):
    """Steps taken only when a condition holds; the next sentence may say what happens `otherwise`."""

    condition: Condition
    step: Step
    otherwise: Step | None = None


@record()
class Until(Node):
    """Steps taken again and again until a condition holds."""

    condition: Condition
    step: Step


@record()
class ForEach(Node):
    """Steps taken once for each member; `order` is empty, `in any order` or `in turn order`."""

    members: Phrase
    order: str
    step: Step


@record()
class Sequence(Node):
    """Steps one after the other."""

    steps: tuple[Step, ...]


@record()
class Either(Node):
    """Steps of which one is chosen."""

    options: tuple[Step, ...]


Step: TypeAlias = (
    Do | May | Cannot | Becomes | Prevails | Changes | Has | Let | Must | If | Until | ForEach | Sequence | Either
)


@record()
class Otherwise(Node):
    """A step taken when the condition of the sentence before did not hold."""

    step: Step


# ---- definitions, hooks and rules


@record()
class DefineVerb(Node):
    """`to attack a target: the target loses a coin`."""

    verb: Word
    arguments: Arguments
    step: Step


@record()
class DefineIs(Node):
    """The meaning of an adjective, a noun or a value: `a space is empty when no unit is on it`."""

    subject: NounPhrase
    negated: bool
    value: Value
    condition: Condition | None


@record()
class DefineHolds(Node):
    """The meaning of a verb that is said as a fact."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments
    condition: Condition


@record()
class Happens(Node):
    """An event: somebody does one of these."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class Would(Node):
    """An event that is about to happen."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments


@record()
class IsDone(Node):
    """An event seen from its object: `after this is deployed`; any one of several verbs will do."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class Turns(Node):
    """Something comes to be so: `when a unit is spent`."""

    subject: NounPhrase
    value: Value


Event: TypeAlias = Happens | Would | IsDone | Turns


@record()
class Hook(Node):
    """Steps hung on an event; `stage` is `before`, `when` or `after`, `word` is `while`, `unless` or empty."""

    stage: str
    event: Event
    step: Step
    instead: bool
    word: str = ""
    condition: Condition | None = None


@record()
class Normally(Node):
    """A permission that counts unless something else says more or less."""

    step: Step


@record()
class Guarded(Node):
    """A rule that holds `while` or `unless` a condition does."""

    step: Step
    word: str
    condition: Condition


@record()
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
