"""Properties: conditions and events that occur always, never or sometimes. No machine runs them, and play needs
none."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from warchest.ir.ruleset import AGENT
from warchest.ir.values import Condition, Set, Value, Var
from warchest.source.records import record
from warchest.source.text import Span

Frequency: TypeAlias = Literal["always", "never", "sometimes"]


@record()
class EventAssertion:
    """An assertion about the events of a verb, judged like a hook with `when`, with the same variables.

    `verbs` are the acts that count, `verb` is the one whose roles order the variables. `applies` is the condition of
    the `that is …` in the sentence, which selects the events; None if there is no such condition. `subject` is the
    variable of the thing that the sentence is about.
    """

    verbs: tuple[int, ...]
    verb: int
    applies: Condition | None
    holds: Condition
    subject: int = field(default=AGENT, compare=False)


@record()
class StateAssertion:
    """An assertion about a whole state, or about each of some things, by a variable.

    A `value` is asserted to differ from its previous value, if `applies` held both times.
    """

    among: Set | None
    member: Var | None
    variables: int
    applies: Condition
    holds: Condition
    value: Value | None = None


@record()
class Property:
    """A property of all games. Several verbs in one sentence are several assertions.

    If an assertion applies, `always` requires it to hold, `never` not to hold, and `sometimes` to hold at least once.
    """

    frequency: Frequency
    assertions: tuple[EventAssertion | StateAssertion, ...]
    span: Span = field(compare=False, repr=False)
