"""The typed tree of a sentence, as written: words are not yet looked up. Spans take no part in equality.

Phrases and conditions are in `phrase_nodes`; steps, definitions, hooks and rules are here.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from warchest.source.records import record
from warchest.syntax.phrase_nodes import Adjective as Adjective
from warchest.syntax.phrase_nodes import AllOf as AllOf
from warchest.syntax.phrase_nodes import Amount as Amount
from warchest.syntax.phrase_nodes import AnyOf as AnyOf
from warchest.syntax.phrase_nodes import Arguments as Arguments
from warchest.syntax.phrase_nodes import Away as Away
from warchest.syntax.phrase_nodes import CanDo as CanDo
from warchest.syntax.phrase_nodes import ComesFirst as ComesFirst
from warchest.syntax.phrase_nodes import Comparison as Comparison
from warchest.syntax.phrase_nodes import Count as Count
from warchest.syntax.phrase_nodes import Expression as Expression
from warchest.syntax.phrase_nodes import Holds as Holds
from warchest.syntax.phrase_nodes import InDirection as InDirection
from warchest.syntax.phrase_nodes import InLine as InLine
from warchest.syntax.phrase_nodes import Is as Is
from warchest.syntax.phrase_nodes import Letter as Letter
from warchest.syntax.phrase_nodes import Modifier as Modifier
from warchest.syntax.phrase_nodes import Name as Name
from warchest.syntax.phrase_nodes import NounPhrase as NounPhrase
from warchest.syntax.phrase_nodes import Number as Number
from warchest.syntax.phrase_nodes import Phrase as Phrase
from warchest.syntax.phrase_nodes import Place as Place
from warchest.syntax.phrase_nodes import Pronoun as Pronoun
from warchest.syntax.phrase_nodes import Proposition as Proposition
from warchest.syntax.phrase_nodes import Related as Related
from warchest.syntax.phrase_nodes import RelativeClause as RelativeClause
from warchest.syntax.phrase_nodes import RolePhrase as RolePhrase
from warchest.syntax.phrase_nodes import Somewhere as Somewhere
from warchest.syntax.phrase_nodes import SyntaxNode as SyntaxNode
from warchest.syntax.phrase_nodes import ThatDoes as ThatDoes
from warchest.syntax.phrase_nodes import ThatIs as ThatIs
from warchest.syntax.phrase_nodes import Total as Total
from warchest.syntax.phrase_nodes import ValuePhrase as ValuePhrase
from warchest.syntax.phrase_nodes import Whose as Whose
from warchest.syntax.phrase_nodes import Word as Word

# ---- steps


@record()
class Limit(SyntaxNode):
    """A bound on the number of times of an act: `once a turn`, `up to 2 times a round per player`.

    `per` is `turn`, `round` or `game`. Where `of_players` is not set, each piece has a count of its own. `field` is the
    number of the field that counts; -1 while that is unknown.
    """

    times: int
    per: str
    of_players: bool
    field: int = field(default=-1, compare=False, repr=False)


@record()
class Do(SyntaxNode):
    """An order to the agent, or (with a subject) to another thing or player: `attack a target`, `it moves`."""

    subject: NounPhrase | None
    verb: Word
    arguments: Arguments
    adverbs: tuple[str, ...]


@record()
class May(SyntaxNode):
    """An offer; several verbs are alternatives. Among rules it is a permission."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments
    adverbs: tuple[str, ...]


@record()
class AllPass(SyntaxNode):
    """The end of a window, when all have passed in a row: `until all pass`, or `until all decline`."""

    word: str


@record()
class Window(SyntaxNode):
    """An offer to players in turn until all pass: `each player may reply until all pass, beginning with you`."""

    offer: May
    until: AllPass
    first: NounPhrase | None


@record()
class Cannot(SyntaxNode):
    """A prohibition: of an act altogether, or of its repetition beyond a limit."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments
    limit: Limit | None = None


@record()
class Can(SyntaxNode):
    """A prohibition whose subject is no thing or player: `no unit can attack this`."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments
    limit: Limit | None = None


@record()
class Becomes(SyntaxNode):
    """`you become the holder of the initiative`, `the initiative becomes stale`, `its damage becomes 0`."""

    subject: NounPhrase
    value: Expression | Adjective


@record()
class Prevails(SyntaxNode):
    """A value that a thing has until an event, or (without one) as long as it exists, in place of its value before.

    `you become the controller of it until this is captured`.
    """

    subject: NounPhrase
    value: Expression | Adjective
    until: EventPhrase | ComingTime | None


OFFERED_CHANGES = {"increases": "increase", "decreases": "decrease", "doubles": "double", "goes back": "go back"}
"""The words for a change, each with its form after `may`."""


@record()
class FirstPoints(SyntaxNode):
    """The points of a number that are among the first of a time: `the first 2 each turn`.

    `limit` has the time, and whether each player has their own; its number of times is not used.
    """

    amount: Number | Letter
    limit: Limit


@record()
class Changes(SyntaxNode):
    """`its damage increases by 2`; `how` is `increases`, `decreases`, `doubles` or `goes back`.

    `least` is the number below which it does not decrease: `to a minimum of 0`.
    """

    subject: NounPhrase
    how: str
    amount: Expression | FirstPoints | None
    least: Number | None = None
    written: str = field(default="", compare=False, repr=False)
    """The word in the text: `increase` for numbers in the plural. Empty for an offer."""


@record()
class Addition(SyntaxNode):
    """An addition to something printed, `+2 attack`, or (without an amount) a borne document, `Swiftness`."""

    amount: Expression | None
    what: Word | Name


@record()
class Has(SyntaxNode):
    """A bonus that lasts until an event, or (without one) as long as the thing exists: `it has +2 attack forever`."""

    subject: NounPhrase
    bonus: Addition | Letter
    until: EventPhrase | ComingTime | None


OrderedChange: TypeAlias = Becomes | Prevails | Changes | Has
"""A step that changes a value of a thing."""


@record()
class OfferedChange(SyntaxNode):
    """A change that can be declined: `this may become marked`, `its damage may decrease by 2`."""

    change: OrderedChange

    @property
    def subject(self) -> NounPhrase:
        """The phrase for the thing, or the number, that changes."""
        return self.change.subject


@record()
class Let(SyntaxNode):
    """A name for a value: `let gap be its space`."""

    word: Word
    value: Expression


@record()
class Requirement(SyntaxNode):
    """A condition without which the line of play is impossible."""

    subject: NounPhrase
    negated: bool
    value: ValuePhrase


@record()
class Conditional(SyntaxNode):
    """Steps taken only when a condition holds; the next sentence may say what happens `otherwise`."""

    condition: Proposition
    step: Statement
    otherwise: Statement | None = None


@record()
class Repetition(SyntaxNode):
    """Steps taken again and again until a condition holds."""

    condition: Proposition
    step: Statement


@record()
class Iteration(SyntaxNode):
    """Steps taken once for each member; `order` is empty, `in any order` or `in turn order`."""

    members: Phrase
    order: str
    step: Statement


@record()
class Limited(SyntaxNode):
    """Steps with a limit: `once a round, this may move`. Among rules it is a permission."""

    limit: Limit
    step: Statement


@record()
class ComingTime(SyntaxNode):
    """The next start of a turn or a round, or the end of one; `yours` marks a turn of yours."""

    edge: str
    span_of: str
    yours: bool


@record()
class Lasting(SyntaxNode):
    """A prohibition or a permission for a time: `until the end of the turn, that unit cannot move`.

    A prohibition can also last until an event: `that unit cannot move until it is attacked`.
    """

    until: EventPhrase | ComingTime
    step: Statement


@record()
class Delayed(SyntaxNode):
    """Steps that are taken later: `at the start of your next turn, this moves`."""

    at: ComingTime
    step: Statement


@record()
class StepSequence(SyntaxNode):
    """Steps one after the other."""

    steps: tuple[Statement, ...]


@record()
class Sections(SyntaxNode):
    """Parts of a sentence, joined by semicolons: an `if` or a loop ends with its part, and does not reach the next."""

    sections: tuple[Statement | Otherwise, ...]


@record()
class Alternatives(SyntaxNode):
    """Alternative steps; one is chosen."""

    options: tuple[Statement, ...]


@record()
class Guarded(SyntaxNode):
    """A step that is done `if` or `unless` a condition holds; or a rule that holds `while` or `unless` it does."""

    step: Statement
    word: str
    condition: Proposition
    ends: bool = field(default=False, compare=False)
    """Whether the text says when it ends, `stop if …`, and the step is all that it goes on with otherwise."""

    @property
    def is_behind(self) -> bool:
        """Whether the text has the condition after the step."""
        return self.condition.span.start > self.step.span.start


@record()
class Ending(SyntaxNode):
    """The end of a text: the steps after it are not carried out."""


Statement: TypeAlias = (
    Do
    | May
    | Window
    | Cannot
    | Can
    | Becomes
    | Prevails
    | Changes
    | Has
    | OfferedChange
    | Let
    | Requirement
    | Conditional
    | Repetition
    | Iteration
    | Limited
    | Lasting
    | Delayed
    | StepSequence
    | Sections
    | Alternatives
    | Guarded
    | Ending
)


@record()
class Otherwise(SyntaxNode):
    """A step that is taken if the condition of the sentence before did not hold."""

    step: Statement


# ---- definitions, hooks and rules


@record()
class DefineVerb(SyntaxNode):
    """`to attack a target: the target loses a coin`; with `act`, the definition of one of its moments.

    `as an attack lands, its victim loses a coin` defines the moment `land` of `an attack`.
    """

    verb: Word
    arguments: Arguments
    step: Statement
    act: NounPhrase | None = None


@record()
class DefineIs(SyntaxNode):
    """The meaning of an adjective, a noun or a value: `a space is empty when no unit is on it`."""

    subject: NounPhrase
    negated: bool
    value: ValuePhrase
    condition: Proposition | None


@record()
class DefineHolds(SyntaxNode):
    """The meaning of a verb that states a fact."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments
    condition: Proposition


@record()
class Happens(SyntaxNode):
    """An event: a subject does one of the verbs."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class Would(SyntaxNode):
    """An event that is about to happen."""

    subject: NounPhrase
    verb: Word
    arguments: Arguments


@record()
class IsDone(SyntaxNode):
    """An event seen from its object: `after this is deployed`; any one of several verbs counts."""

    subject: NounPhrase
    verbs: tuple[Word, ...]
    arguments: Arguments


@record()
class Turns(SyntaxNode):
    """A change of state: `when a unit is spent`."""

    subject: NounPhrase
    value: ValuePhrase


@record()
class Time(SyntaxNode):
    """A round, or a turn: the turn of a player, or any turn (if `whose` is None)."""

    span_of: str
    whose: NounPhrase | None


EventPhrase: TypeAlias = Happens | Would | IsDone | Turns | Time


@record()
class HookSentence(SyntaxNode):
    """Steps that answer an event; `stage` is `before`, `when` or `after`, `word` is `while`, `unless` or empty.

    The stage of a time is `at the start of` or `at the end of`. `limit` says how often it is answered.
    """

    stage: str
    event: EventPhrase
    step: Statement
    instead: bool
    word: str = ""
    condition: Proposition | None = None
    limit: Limit | None = None


@record()
class Normally(SyntaxNode):
    """A permission that holds unless something else widens or narrows it."""

    step: Statement


@record()
class Only(SyntaxNode):
    """A verb that its subject does only by something, or only while or unless a condition holds."""

    subject: NounPhrase | None
    verb: Word
    arguments: Arguments
    by: NounPhrase | None
    word: str
    condition: Proposition | None


# ---- properties


@record()
class Varies(SyntaxNode):
    """A change of a value: `the number of all coins changes`."""

    subject: NounPhrase | Total


@record()
class OfEach(SyntaxNode):
    """A condition on each of some things: `for each player, it is armed`."""

    members: Phrase
    asserted: Proposition | Varies


Asserted: TypeAlias = Proposition | IsDone | Varies | OfEach


@record()
class PropertySentence(SyntaxNode):
    """A property of all games: `always`, `never` or `sometimes` a condition holds, or an event happens.

    `word` is `while`, `unless` or empty.
    """

    frequency: str
    asserted: Asserted
    word: str = ""
    condition: Proposition | None = None


Sentence: TypeAlias = (
    Statement | Otherwise | DefineVerb | DefineIs | DefineHolds | HookSentence | Normally | Only | PropertySentence
)
