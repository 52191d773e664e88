"""What a text talks about: types, values with a type, and what is known at a place in a text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label
from warchest.rules.values import SET_VARIABLES, Base, Value, Var
from warchest.source.text import Span


class Flaw(Exception):
    """A sentence that cannot be understood. It ends the check of that sentence only; see `check.check`."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


def flaw(name: str, message: str, span: Span, help: str = "", labels: tuple[Label, ...] = ()) -> Flaw:
    """Return the exception that carries a finding out of the check of a sentence."""
    return Flaw(report(name, message, span, help=help, labels=labels))


@dataclass(frozen=True, slots=True)
class Typed:
    """A value, what it is, and the noun the text has for it (`target` for a piece, say)."""

    value: Value
    base: Base
    noun: str


class Variables:
    """Hands out the numbers of the variables of one piece of code."""

    def __init__(self, used: int) -> None:
        self.used = used

    def new(self, base: Base, noun: str) -> Var:
        """Return a new variable of the code."""
        self.used += 1
        return Var(self.used - 1, base, noun)


@dataclass(frozen=True, slots=True)
class Scope:
    """What words stand for at a place in a text.

    `this` is what carries the text, `it` what was spoken of last, `origin` what distances are measured from
    where the text does not say, `spoken` what can be taken up again by `the …` and `that …` (latest last).
    """

    variables: Variables
    this: Typed | None = None
    you: Value | None = None
    it: Typed | None = None
    origin: Typed | None = None
    carrier: int = -1
    spoken: tuple[Typed, ...] = ()
    depth: int = 0
    within: tuple[str, ...] = field(default=())

    def about(self, subject: Typed) -> Scope:
        """Return the scope in which `subject` is what is spoken of."""
        return replace(self, it=subject, spoken=(*self.spoken, subject))

    def speaking_of(self, thing: Typed) -> Scope:
        """Return the scope in which `thing` can be taken up again, without being `it`."""
        return replace(self, spoken=(*self.spoken, thing))

    def from_here(self, origin: Typed | None) -> Scope:
        """Return the scope in which bare distances are measured from `origin`."""
        return replace(self, origin=origin) if origin is not None else self

    def member(self, base: Base, noun: str) -> tuple[Var, Scope]:
        """Return a variable for the members of a set, and the scope of the set's filters."""
        return Var(SET_VARIABLES + self.depth, base, noun), replace(self, depth=self.depth + 1)
