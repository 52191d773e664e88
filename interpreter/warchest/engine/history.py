"""The history of a game, as records: each change with the text that ordered it.

A piece is recorded as its document, its space and its nature, because it may be gone when the record is read.
"""

from __future__ import annotations

from warchest.lowering.code import Note
from warchest.lowering.layout import LastKnown
from warchest.source.records import record
from warchest.source.text import Span


@record()
class Happened:
    """An event: the clause that did it, and its cause, the text that ordered the act of the clause."""

    span: Span | None
    cause: Span | None


@record()
class Decided(Happened):
    """An option was taken by a player, or by chance (None); `forced` if it was the only one."""

    player: str | None
    notes: tuple[Note, ...]
    forced: bool


@record()
class Acted(Happened):
    """An act was done, in one of its ways: `roles` are its variables, with pieces in their state at that time."""

    verb: int
    roles: tuple[object, ...]
    way: int


@record()
class Lapsed(Happened):
    """An order was impossible, and lapsed."""


@record()
class Answered(Happened):
    """A hook answered: the hook of a piece, or of a document if `whose` is None, or of the rules if it is -1."""

    whose: LastKnown | None
    carrier: int


@record()
class Performed(Happened):
    """A piece carries out a block of its document."""

    whose: LastKnown


@record()
class Replaced(Happened):
    """An answer took the place of an event."""


@record()
class Unordered(Happened):
    """Several hooks waited whose order makes no difference, so that no player was asked for an order."""

    count: int


@record()
class TokenMoved(Happened):
    """A token, identified by its previous holder, went to a holder; or `count` equal tokens went there."""

    token: int
    holder: int
    count: int = 1


@record()
class FieldSet(Happened):
    """A field got a value."""

    field: int
    of: object
    value: int


@record()
class NumberChanged(Happened):
    """A hook changed the number of an act that is under way."""

    noun: str
    value: int


@record()
class Raised(Happened):
    """A value of a piece was raised by an amount."""

    piece: LastKnown
    what: int
    amount: int


@record()
class Moved(Happened):
    """A piece went to a space."""

    piece: LastKnown
    space: int


@record()
class Placed(Happened):
    """A piece was put onto the board, made of a token."""

    piece: LastKnown
    token: int


@record()
class Removed(Happened):
    """A piece left the board."""

    piece: LastKnown


@record()
class Became(Happened):
    """A piece became one of another document."""

    piece: LastKnown
    document: int


@record()
class KindChanged(Happened):
    """A piece became one of another kind."""

    piece: LastKnown
    kind: int


@record()
class Owned(Happened):
    """A piece got a new owner."""

    piece: LastKnown
    player: int


@record()
class Seen(Happened):
    """A player was shown tokens."""

    tokens: tuple[int, ...]
    by: int


@record()
class Ended(Happened):
    """The game ended, for a reason."""

    reason: str
