"""Values, sets and conditions of the rules. All of them are integers when they run; -1 means nothing.

A space, a piece, a player, a team, a direction and a document are given as their index, a token as `holder *
documents + document`, a flag as 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from warchest.source.records import record
from warchest.source.text import Span

Base: TypeAlias = Literal[
    "space", "piece", "token", "player", "team", "document", "direction", "number", "flag", "manner"
]
NOTHING = -1
CAN_BE_UNSET = ("document", "space")
"""The types of fields that texts call `nothing` while they are not set; for a player, the word is `nobody`."""
TRAIL_BITS = 16
"""The number of bits for each part of a step in a trail, the latest part lowest; each is its value plus one."""
TRAIL_MASK = (1 << TRAIL_BITS) - 1
"""The bits of the latest part of a trail."""
SET_VARIABLES = 1000
"""The first number of variables of sets, which are numbered by depth and live only during the search."""
EVENT_VARIABLES, EVENT_WIDTH = 2000, 20
"""The first number of variables for the agent and the roles of an event under way, and their number for each depth."""


def steps_of(trail: int) -> list[int]:
    """Return the parts of the steps of a trail, the latest first, each as its value plus one."""
    return [trail >> shift & TRAIL_MASK for shift in range(0, trail.bit_length(), TRAIL_BITS)]


_OfBoard: TypeAlias = Literal["board", "kinds", "pieces", "places", "players"]
_OfTexts: TypeAlias = Literal["attributes", "fields", "sheets", "texts"]


class ExpressionPart:
    """The base of values, holders, sets and conditions. `reads` is the part of a position that each kind reads itself.

    `cause` is the cause of an act, which never changes; `events` are the events under way, `places` the places of
    pieces; `sheets` are the values written on documents, `texts` the texts that pieces have; the `board` is the same
    for a whole game.
    """

    __slots__ = ()
    reads: ClassVar[_OfBoard | _OfTexts | Literal["", "cause", "events", "tokens", "zones"]] = ""


@record()
class Var(ExpressionPart):
    """A place for a value in a piece of code; `noun` is its name in texts."""

    id: int
    base: Base
    noun: str = field(default="", compare=False)


@record()
class Const(ExpressionPart):
    """A fixed value."""

    value: int
    base: Base


NO_PIECE = Const(NOTHING, "piece")
"""No piece, as the source of an act without one."""


@record()
class FieldOf(ExpressionPart):
    """A declared field, of a thing or (if `of` is None) of the game.

    `per` is the time for which the field counts acts: a `turn`, a `round` or a `game`; or `until`, if it keeps whether
    a text is in force.
    """

    reads = "fields"
    field: int
    of: Value | None
    base: Base
    per: str = ""


@record()
class Latest(ExpressionPart):
    """A part of the latest step of a trail, or nothing; `part` counts back from the last part."""

    trail: FieldOf
    base: Base
    part: int = 0


@record()
class Earliest(ExpressionPart):
    """The first step of a trail, or nothing; of a trail of places, the space of that step."""

    trail: FieldOf
    base: Base


@record()
class Trail(ExpressionPart):
    """A trail with one more step or, if `step` is empty, without its latest step; a step has `width` parts."""

    trail: FieldOf
    step: tuple[Value, ...]
    width: int = 1


@record()
class Attribute(ExpressionPart):
    """A built-in attribute of a value.

    `what` is `document`, `nature` (the document that it is made of, whatever form it has), `owner`, `decider` (the
    player who decides for it) or `space` of a piece, `document` of a token, `team`, `left` or `right` (the neighbour
    who is next, or was last) of a player, `left`, `right` or `opposite` of a direction.
    """

    reads = "attributes"
    what: Literal["document", "nature", "owner", "decider", "space", "team", "left", "right", "opposite"]
    of: Value
    base: Base


@record()
class Bearing(ExpressionPart):
    """The direction of the straight line from one space or piece to another; nothing if there is none."""

    reads = "places"
    origin: Value
    goal: Value


@record()
class Distance(ExpressionPart):
    """The number of steps from one space or piece to another; with `turns` also a piece's turns on the way.

    Turns are counted as steps; a piece begins in its heading, and turns to the direction on its left or right.
    """

    reads = "places"
    origin: Value
    goal: Value
    turns: bool


@record()
class SheetNumber(ExpressionPart):
    """A number written on a document, such as the number of its copies."""

    reads = "sheets"
    key: str
    of: Value


@record()
class SheetName(ExpressionPart):
    """The document that a document names under a key; nothing if it names none."""

    reads = "sheets"
    key: str
    of: Value
    base: Base = "document"


@record()
class Parameter(ExpressionPart):
    """The filling that a piece has for a parameter of a document that it bears."""

    reads = "texts"
    document: int
    index: int
    piece: Value
    base: Base = "number"


@record()
class PerDocument(ExpressionPart):
    """A value that documents override: the first case whose document `of` is of, or bears; otherwise `otherwise`.

    `of` is a piece or a document.
    """

    reads = "sheets"
    of: Value
    cases: tuple[tuple[int, Value], ...]
    otherwise: Value
    spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    """The sentences of the cases."""


@record()
class Sum(ExpressionPart):
    """Terms with their signs (1 or -1)."""

    signs: tuple[int, ...]
    terms: tuple[Value, ...]


@record()
class Floored(ExpressionPart):
    """A value, or a number if the number is greater."""

    of: Value
    least: int


@record()
class Size(ExpressionPart):
    """The number of members of a set; for tokens, the number of tokens."""

    of: Set


TrailStep: TypeAlias = Latest | Earliest
"""A step of a trail, or a part of one."""
Value: TypeAlias = (
    Var
    | Const
    | FieldOf
    | Latest
    | Earliest
    | Trail
    | Attribute
    | Bearing
    | Distance
    | SheetNumber
    | SheetName
    | Parameter
    | PerDocument
    | Sum
    | Floored
    | Size
)


# ---- where tokens are


@record()
class InZone(ExpressionPart):
    """The zone of one player, of every player (`of` None, zone of players), or of the game; face -1 is any face."""

    reads = "zones"
    zone: int
    of: Value | None
    face: int = -1


@record()
class InPiece(ExpressionPart):
    """The tokens a piece is made of."""

    reads = "tokens"
    piece: Value


Holder: TypeAlias = InZone | InPiece


# ---- sets


@record()
class AllSpaces(ExpressionPart):
    """Every space of the board."""

    reads = "board"


@record()
class Ring(ExpressionPart):
    """The spaces from `low` to `high` away from `origin` (a space or a piece)."""

    reads = "places"
    low: int
    high: int
    origin: Value


@record()
class Ray(ExpressionPart):
    """The spaces from `low` to `high` away in a straight line: in one direction, or (None) in any."""

    reads = "places"
    low: int
    high: int
    origin: Value
    direction: Value | None


@record()
class Pieces(ExpressionPart):
    """All pieces of some kinds on the board."""

    reads = "pieces"
    kinds: tuple[int, ...]


@record()
class Tokens(ExpressionPart):
    """The different tokens in some holders."""

    holders: tuple[Holder, ...]


@record()
class Everywhere(ExpressionPart):
    """The different tokens of a noun, wherever they are. Only properties use these, and no machine evaluates them."""

    reads = "tokens"
    noun: str


@record()
class Everyone(ExpressionPart):
    """All players (in turn order, from the active one), all teams, or all directions."""

    reads = "players"
    base: Literal["player", "team", "direction"]


Ranged: TypeAlias = Ring | Ray
"""Spaces at a distance within a range."""
Members: TypeAlias = AllSpaces | Ring | Ray | Pieces | Tokens | Everywhere | Everyone


@record()
class Set(ExpressionPart):
    """The members for which all filters hold; `var` is the member in the filters."""

    var: Var
    members: Members
    filters: tuple[Condition, ...]
    span: Span = field(compare=False, repr=False)


# ---- conditions


@record()
class Compare(ExpressionPart):
    """Two values compared."""

    how: Literal["==", "!=", ">=", "<=", ">", "<"]
    left: Value
    right: Value
    span: Span = field(compare=False, repr=False)


@record()
class All(ExpressionPart):
    """Every one of the conditions holds (none: always)."""

    conditions: tuple[Condition, ...]
    span: Span = field(compare=False, repr=False)


@record()
class Any(ExpressionPart):
    """At least one of the conditions holds."""

    conditions: tuple[Condition, ...]
    span: Span = field(compare=False, repr=False)


@record()
class Not(ExpressionPart):
    """The condition does not hold."""

    condition: Condition
    span: Span = field(compare=False, repr=False)


@record()
class Exists(ExpressionPart):
    """The set has at least one member."""

    members: Set
    span: Span = field(compare=False, repr=False)


@record()
class Tagged(ExpressionPart):
    """A space bears a tag of the board."""

    reads = "board"
    tag: str
    space: Value
    span: Span = field(compare=False, repr=False)


@record()
class Listed(ExpressionPart):
    """A space is in a list of spaces of a document."""

    reads = "board"
    key: str
    document: Value
    space: Value
    span: Span = field(compare=False, repr=False)


@record()
class KindIs(ExpressionPart):
    """The kind of a piece is one of the given kinds."""

    reads = "kinds"
    piece: Value
    kinds: tuple[int, ...]
    span: Span = field(compare=False, repr=False)


@record()
class Bears(ExpressionPart):
    """A piece is of a document, or bears it."""

    reads = "texts"
    piece: Value
    document: int
    span: Span = field(compare=False, repr=False)


@record()
class Upholds(ExpressionPart):
    """A temporary value or bonus of a piece is given by another piece.

    If `document` is not -1, it must be given by a text on that document.
    """

    reads = "texts"
    by: Value
    piece: Value
    document: int
    span: Span = field(compare=False, repr=False)


@record()
class HeldIn(ExpressionPart):
    """A token is in one of the given holders."""

    token: Value
    holders: tuple[Holder, ...]
    span: Span = field(compare=False, repr=False)


@record()
class Apart(ExpressionPart):
    """Two spaces or pieces are at a distance from `low` to `high`; `straight` asks for a straight line."""

    reads = "places"
    low: int
    high: int
    left: Value
    right: Value
    straight: bool
    direction: Value | None
    span: Span = field(compare=False, repr=False)


@record()
class Passable(ExpressionPart):
    """A way of `low` to `high` steps leads from `origin` to `end`, and every space between fits `fits`.

    `straight` asks for the straight way; `between` is the space in between.
    """

    reads = "places"
    low: int
    high: int
    origin: Value
    end: Value
    straight: bool
    between: Var
    fits: Condition
    span: Span = field(compare=False, repr=False)


@record()
class CausedBy(ExpressionPart):
    """The act is ordered, directly or through its own steps, by an event of one of `verbs`.

    If `agent` is given the event must be that piece's or player's; if `document` is not -1 the event must have been
    done with a token of that document. The orders of a hook are caused by the hook alone, and the orders of an act of
    a piece other than `acting` by that act alone.
    """

    reads = "cause"
    verbs: tuple[int, ...]
    agent: Value | None
    document: int
    acting: Value | None
    span: Span = field(compare=False, repr=False)


@record()
class Happening(ExpressionPart):
    """An event of a verb that satisfies a condition is under way; `depth` numbers the variables of its roles."""

    reads = "events"
    verb: int
    depth: int
    condition: Condition
    span: Span = field(compare=False, repr=False)


Condition: TypeAlias = (
    Compare
    | All
    | Any
    | Not
    | Exists
    | Tagged
    | Listed
    | KindIs
    | Bears
    | Upholds
    | HeldIn
    | Apart
    | Passable
    | CausedBy
    | Happening
)


def conjuncts(condition: Condition) -> Iterator[Condition]:
    """Yield the conditions whose conjunction a condition is, however deep they are nested."""
    if isinstance(condition, All):
        for one in condition.conditions:
            yield from conjuncts(one)
    else:
        yield condition


def asks_nothing(condition: Condition) -> bool:
    """Whether a condition holds in every state: an empty conjunction."""
    return isinstance(condition, All) and not condition.conditions
