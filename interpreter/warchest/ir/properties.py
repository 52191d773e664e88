"""Properties: things that are so, or happen, always, never or sometimes. No machine runs them, and play needs none."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from warchest.ir.values import Condition, Set, Value, Var
from warchest.source.records import record
from warchest.source.text import Span

Frequency: TypeAlias = Literal["always", "never", "sometimes"]


@record()
class EventClaim:
    """A claim about the events of a verb, judged as a hook with `when` is: its variables are the same.

    `verbs` are the acts that count, `verb` is the one by whose roles the variables stand. `met` says of which events
    the claim is made; None where it is made of all that is ever done.
    """

    verbs: tuple[int, ...]
    verb: int
    met: Condition | None
    holds: Condition


@record()
class StateClaim:
    """A claim about all that stands there, or about each of some things, by a variable.

    With a `value` it is that this is another than when it was looked at before, `met` holding both times.
    """

    among: Set | None
    member: Var | None
    variables: int
    met: Condition
    holds: Condition
    value: Value | None = None


@record()
class Property:
    """A property of all games. Several verbs in one sentence are several claims.

    Of a claim that is met, `always` says that it holds, `never` that it does not, `sometimes` that it will some day.
    """

    frequency: Frequency
    claims: tuple[EventClaim | StateClaim, ...]
    span: Span = field(compare=False, repr=False)
