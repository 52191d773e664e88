"""The orders of the rules: steps, and the pieces of code that hold them."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from warchest.ir.values import Condition, Holder, Parameter, Set, Value, Var
from warchest.source.records import record
from warchest.source.text import Span

INHERITED = -2
"""The manner of a step without an adverb: that of the act it is a step of."""


_OfPieces: TypeAlias = Literal["arrivals", "departures", "lasting", "owners", "places", "texts"]
_OfGames: TypeAlias = Literal["fields", "game", "knowledge", "line", "questions", "time", "variables"]
StepChange: TypeAlias = _OfPieces | _OfGames | Literal["anything", "new tokens", "tokens"]
"""The things that a step can change: among others `new tokens` that are made, the `places` of pieces, their `texts` and
documents, the pieces that are there (`arrivals` and `departures`), all values given for a time (`lasting`), whether the
`line` of play exists, and `anything` if another text determines the changes.
"""
_NOTHING: frozenset[StepChange] = frozenset()


def _some(*changed: StepChange) -> frozenset[StepChange]:
    return frozenset(changed)


QUIET = _some("variables", "knowledge", "questions", "line")
"""The changes that leave the state of a game unchanged."""
IN_PLACE = _some("variables", "tokens", "new tokens", "places", "fields", "owners")
"""The changes without a choice or an end that leave every piece on the board with its texts."""


@record(kw_only=True)
class Ordered:
    """The base of all steps, each with the text that orders it.

    Each kind of step has the things that it `changes` by itself, and the names of the parts that it `needs`: without
    the things in them it has no effect.
    """

    span: Span = field(compare=False, repr=False)
    changes: ClassVar[frozenset[StepChange]] = _NOTHING
    needs: ClassVar[tuple[str, ...]] = ()


@record()
class Bound:
    """A role that is already filled."""

    value: Value


@record()
class ChosenRole:
    """A role filled by a choice from a set, which is also its own domain; `var` keeps the choice."""

    among: Set
    var: Var


@record()
class Usual:
    """A role filled by a choice among the things that are normally or specially permitted; `var` keeps the choice."""

    var: Var


@record()
class Open:
    """A role that stays empty: the text names it, but the definition does not use it."""


Fill: TypeAlias = Bound | ChosenRole | Usual | Open


@record()
class Call(Ordered):
    """A defined verb: its agent, and one filling for each of its roles.

    `manner` is its adverb (-1: none, -2: the adverb of the act it is a step of); `result` keeps the thing that the verb
    hands back.
    """

    verb: int
    agent: Fill
    roles: tuple[Fill, ...]
    manner: int
    decider: Value
    result: Var | None
    needs = ("agent", "roles")

    @property
    def fills(self) -> tuple[Fill, ...]:
        """The fillings of the agent and of each role."""
        return self.agent, *self.roles


@record()
class Choose(Ordered):
    """A choice by a player, or (with `decider` None) by chance, each token as likely as any other."""

    var: Var
    among: Set
    decider: Value | None
    key: str
    changes = _some("variables")
    needs = ("among",)


@record()
class MoveToken(Ordered):
    """One token goes into a holder; with `into` None it goes nowhere, and only `token` still refers to it."""

    token: Value
    into: Holder | None
    manner: int
    changes = _some("tokens")
    needs = ("into",)


@record()
class MoveAll(Ordered):
    """All tokens of a set, or at most `count` of them, go into a holder."""

    tokens: Set
    count: int
    into: Holder | None
    manner: int
    changes = _some("tokens")
    needs = ("tokens", "into")


@record()
class MakeTokens(Ordered):
    """New tokens of a document appear in a holder: `count` of them, or (None) as many as on its sheet."""

    document: Value
    key: str
    count: Value | None
    into: Holder
    changes = _some("tokens", "new tokens")
    needs = ("into",)


@record()
class MovePiece(Ordered):
    """A piece goes to a space."""

    piece: Value
    space: Value
    changes = _some("places")
    needs = ("piece",)


@record()
class SwapPlaces(Ordered):
    """Two pieces change places."""

    piece: Value
    other: Value
    changes = _some("places")
    needs = ("piece", "other")


@record()
class RaisePiece(Ordered):
    """A token goes onto a space as a new piece of `kind`, owned by `owner` and made of that token.

    `result` keeps the piece.
    """

    token: Value
    space: Value
    kind: int
    owner: Value
    result: Var
    changes = _some("arrivals")


@record()
class RemovePiece(Ordered):
    """A piece leaves the board; the tokens it is still made of leave with it."""

    piece: Value
    changes = _some("departures")
    needs = ("piece",)


@record()
class SetField(Ordered):
    """A field gets a value."""

    field: int
    of: Value | None
    value: Value
    changes = _some("fields")
    needs = ("of",)


@record()
class Raise:
    """A fixed bonus: an amount added to a value, which is one of the values that the rule set lists as raisable."""

    what: int
    amount: Value


@record()
class Grant(Ordered):
    """A piece gets a bonus, for as long as it is on the board or (`clause` not -1) until that clause is ended.

    The bonus is fixed, or the filling that a piece has for a letter of a document that it bears. `this` and `you` are
    kept for the event that ends it.
    """

    piece: Value
    bonus: Raise | Parameter
    clause: int
    this: Value
    you: Value
    changes = _some("lasting", "texts")
    needs = ("piece",)


@record()
class Prevail(Ordered):
    """A field of a piece gets a value that overrides its own until the clause is ended; its parts are as in a bonus."""

    field: int
    piece: Value
    value: Value
    clause: int
    this: Value
    you: Value
    changes = _some("lasting", "fields")
    needs = ("piece",)


@record()
class ChangeForm(Ordered):
    """A piece becomes a piece of another document; its tokens stay the same."""

    piece: Value
    document: Value
    changes = _some("texts")
    needs = ("piece",)


@record()
class SwapForm(Ordered):
    """A piece changes to its other form; the fields of its previous form wait until that form returns."""

    piece: Value
    document: Value
    changes = _some("texts")
    needs = ("piece",)


@record()
class BecomeKind(Ordered):
    """A piece changes its kind: it becomes its remains, or turns back.

    `result` holds the piece after the change; everything that named it before only remembers it as it was.
    """

    piece: Value
    kind: int
    result: Var
    changes = _some("arrivals", "departures")
    needs = ("piece",)


@record()
class ChangeOwner(Ordered):
    """A piece gets another owner."""

    piece: Value
    owner: Value
    changes = _some("owners")
    needs = ("piece",)


@record()
class Forget(Ordered):
    """The fields that last for some acts are reset, for all pieces, unless one of the acts is under way."""

    verbs: tuple[int, ...]
    changes = _some("fields", "lasting")


@record()
class EndGrants(Ordered):
    """The grants of a clause end where the condition holds for its `this` and `you`."""

    clause: int
    when: Condition
    changes = _some("lasting")


@record()
class Keep(Ordered):
    """A variable gets a value."""

    var: Var
    value: Value
    changes = _some("variables")


@record()
class Perform(Ordered):
    """A block of a document is carried out: of a piece's document for the piece, of a token's for the player `by`."""

    block: str
    of: Value
    by: Value
    changes = _some("anything")


@record()
class See(Ordered):
    """A player is shown tokens that are hidden otherwise."""

    tokens: Set
    by: Value
    changes = _some("knowledge")


@record()
class If(Ordered):
    """One of two branches."""

    condition: Condition
    then: Steps
    otherwise: Steps


@record()
class Until(Ordered):
    """Steps that are repeated until a condition holds."""

    condition: Condition
    steps: Steps


@record()
class ForEach(Ordered):
    """Steps for each member of a set that is fixed at the start.

    With `free` the order is chosen: a member that can act now is taken, again and again, until no member can; at least
    one must act. Otherwise the members are taken in the set's own order.
    """

    var: Var
    among: Set
    free: bool
    decider: Value
    steps: Steps


@record()
class Either(Ordered):
    """One of several branches is chosen."""

    options: tuple[Steps, ...]
    decider: Value


@record()
class Offer(Ordered):
    """Steps that the decider may take as a whole, or decline.

    An offer in a window counts as declined in look-aheads: an act that has begun must be possible if all pass. `called`
    is the name of the option to take it, if the steps begin with no act.
    """

    options: tuple[Steps, ...]
    decider: Value
    in_window: bool = False
    called: str = field(default="", compare=False)


@record()
class IfAble(Ordered):
    """Steps that lapse as a whole if they cannot be completed."""

    steps: Steps


@record()
class Foresee(Ordered):
    """A variable gets whether steps could be completed now; they are only tried."""

    var: Var
    steps: Steps
    changes = _some("variables")


@record()
class Must(Ordered):
    """If the condition does not hold here, this line of play is impossible."""

    condition: Condition
    changes = _some("line")


@record()
class Win(Ordered):
    """A team wins, and the game is over."""

    team: Value
    changes = _some("game")


@record()
class Clock(Ordered):
    """One of these: the game ends without a winner, a turn or a round begins, a question is forced, or nothing."""

    what: Literal["end", "turn", "round", "choice", "nothing"]


_BY_CLOCK: dict[str, frozenset[StepChange]] = {
    "end": _some("game"),
    "turn": _some("time"),
    "round": _some("time"),
    "choice": _some("questions"),
    "nothing": _NOTHING,
}


Order: TypeAlias = (
    Call
    | Choose
    | MoveToken
    | MoveAll
    | MakeTokens
    | MovePiece
    | SwapPlaces
    | RaisePiece
    | RemovePiece
    | SetField
    | Grant
    | Prevail
    | ChangeForm
    | SwapForm
    | BecomeKind
    | ChangeOwner
    | Forget
    | EndGrants
    | Keep
    | See
    | Perform
    | If
    | Until
    | ForEach
    | Either
    | Offer
    | IfAble
    | Foresee
    | Must
    | Win
    | Clock
)
Steps: TypeAlias = tuple[Order, ...]


def changes_of(step: Order) -> frozenset[StepChange]:
    """Return the things that a step itself changes; steps within it, and the steps of an act, do not count."""
    return _BY_CLOCK[step.what] if isinstance(step, Clock) else step.changes


def only_changes(step: Order, some: frozenset[StepChange]) -> bool:
    """Whether a step changes anything by itself, and only the given things."""
    changed = changes_of(step)
    return bool(changed) and changed <= some


Origin: TypeAlias = Literal["verb", "hook", "block", "state", "game"]


@record()
class Code:
    """A piece of code: `this`, `you`, the manner and the roles come first among its variables.

    `origin` is its kind, which decides the cause of its orders. `name` is stable over runs and identifies code under
    way in a position.
    """

    name: str
    origin: Origin
    verb: int
    params: tuple[Var, ...]
    steps: Steps
    size: int
    span: Span = field(compare=False, repr=False)
