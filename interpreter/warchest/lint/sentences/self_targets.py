"""Orders that their agent could turn on itself, though the text does not say so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.ir import steps as ir
from warchest.ir.parts import steps_in
from warchest.ir.ruleset import AGENT, THIS, YOU, Ruleset
from warchest.ir.values import (
    All,
    Any,
    Apart,
    Attribute,
    Bears,
    Compare,
    Condition,
    Const,
    Distance,
    Earliest,
    Everyone,
    Exists,
    FieldOf,
    KindIs,
    Latest,
    Not,
    Passable,
    Pieces,
    Set,
    Value,
    Var,
)
from warchest.lint.sentences.reasoning import replaced
from warchest.source.records import record
from warchest.source.text import Span

_OF_ITSELF = {"==": True, ">=": True, "<=": True, "!=": False, ">": False, "<": False}
"""The outcome of comparing a value with itself."""


def itself_findings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find the orders whose object could be their agent, without a word that says so.

    `another …` leaves it out, and so does a condition that cannot hold of itself; `any …` says that it may be.
    """
    for who, code in _codes(ruleset):
        steps = list(steps_in(code.steps))
        chosen = {one.var.id: one.among for one in steps if isinstance(one, ir.Choose)}
        for call in steps:
            if isinstance(call, ir.Call) and ruleset.verbs[call.verb].by == "piece" and who.is_agent_of(call):
                for among in filter(None, (_among(fill, chosen) for fill in call.roles)):
                    if _says_nothing_of_itself(among) and who.may_be_in(among):
                        yield _finding(ruleset.verbs[call.verb].act, among)


def owners_findings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find cards that forbid `you` to do something to them that nobody does to a piece of its own."""
    codes = list(_codes_of_all(ruleset))
    for number, verb in enumerate(ruleset.verbs):
        for rule in verb.forbidden if verb.by == "player" else ():
            role = rule.this_role - 1
            if rule.carrier >= 0 and role >= 0 and verb.roles[role].base == "piece" and _is_of_you(rule.condition):
                who = _who(ruleset, rule.carrier, set())
                if not verb.domains and not any(_does(who, code, number, role) for code in codes):
                    yield _of_nobody(verb.name, rule.span)


def _is_of_you(condition: Condition) -> bool:
    parts = condition.conditions if isinstance(condition, All) else (condition,)
    return any(
        isinstance(one, Compare) and (one.left, one.right) == (Var(AGENT, "player"), Var(YOU, "player"))
        for one in parts
    )


def _does(who: _Who, code: ir.Code, verb: int, role: int) -> bool:
    """Whether a piece of code can do a verb to a piece of the player who does it."""
    steps = list(steps_in(code.steps))
    chosen = {one.var.id: one.among for one in steps if isinstance(one, ir.Choose)}
    for call in steps:
        if isinstance(call, ir.Call) and call.verb == verb:
            among = _among(call.roles[role], chosen)
            if among is None or call.agent != ir.Bound(Var(YOU, "player")) or who.may_be_in(among):
                return True
    return False


def _codes_of_all(ruleset: Ruleset) -> Iterator[ir.Code]:
    for sheet in ruleset.sheets:
        yield from sheet.blocks.values()
    for verb in ruleset.verbs:
        yield from (one.code for one in verb.definitions)
    yield from (one.code for one in ruleset.hooks)


def _of_nobody(verb: str, span: Span) -> Diagnostic:
    _, _, rest = span.one_line.partition(" cannot ")
    everybody = f"a player cannot {rest}"
    return report(
        "never-so",
        f"`you` is the owner of this card, and nobody would {verb} a piece of its own",
        span,
        help=f"say `{everybody}`: a rule about everybody",
    )


def _among(fill: ir.Fill, chosen: Mapping[int, Set]) -> Set | None:
    """Return the set from which the object of an order is chosen, in its own words or in those of a choice before it."""
    if isinstance(fill, ir.Bound) and isinstance(fill.value, Var):
        return chosen.get(fill.value.id)
    return fill.among if isinstance(fill, ir.ChosenRole) else None


def _finding(act: str, among: Set) -> Diagnostic:
    phrase = among.span.one_line
    first, _, rest = phrase.partition(" ")
    bare = rest if first in ("a", "an") else phrase
    message = f"{quoted(phrase)} can be the very piece that is to {act}"
    return report(
        "may-be-itself",
        message,
        among.span,
        help=f"say {quoted(f'another {bare}')}, or {quoted(f'any {bare}')} if it may be itself",
    )


def _says_nothing_of_itself(among: Set) -> bool:
    """Whether a phrase for pieces has neither `any` nor a distance that begins at 0."""
    from_here = any(isinstance(one, Apart) and one.low == 0 for one in among.filters)
    return isinstance(among.members, Pieces) and among.span.text.split()[:1] != ["any"] and not from_here


def _codes(ruleset: Ruleset) -> Iterator[tuple[_Who, ir.Code]]:
    """Yield each block of code that may have a piece as `this`, with the facts known of that piece."""
    for number, sheet in enumerate(ruleset.sheets):
        for code in sheet.blocks.values():
            yield _who(ruleset, number, {THIS, AGENT}), code
    for verb in ruleset.verbs:
        for definition in verb.definitions if verb.by == "piece" else ():
            yield _who(ruleset, definition.carrier, {THIS, AGENT}), definition.code
    for hook in ruleset.hooks:
        yield _who(ruleset, hook.carrier, {THIS}), hook.code


def _who(ruleset: Ruleset, sheet: int, variables: Iterable[int]) -> _Who:
    """Return the facts known of the piece whose text stands on a document: its kind, if that has such documents."""
    kind = ruleset.sheets[sheet].kind if sheet >= 0 else ""
    kinds = {number for number, one in enumerate(ruleset.kinds) if one.sheet == kind}
    return _Who(frozenset(variables), sheet if kinds else -1, frozenset(kinds), ruleset.decides)


@record()
class _Who:
    """A piece as its own text knows it: by some variables, of a document (-1: of any), of some kinds (none: of any)."""

    variables: frozenset[int]
    sheet: int
    kinds: frozenset[int]
    decides: int

    def is_agent_of(self, call: ir.Call) -> bool:
        """Whether it is told to do the act itself."""
        return isinstance(call.agent, ir.Bound) and self._is(call.agent.value)

    def may_be_in(self, among: Set) -> bool:
        """Whether nothing that is said of the members of a set leaves it out."""
        if self.kinds and isinstance(among.members, Pieces) and self.kinds.isdisjoint(among.members.kinds):
            return False
        inside = replace(self, variables=self.variables | {among.var.id})
        return all(inside.holds(condition) is not False for condition in among.filters)

    def _is(self, value: Value | None) -> bool:
        return isinstance(value, Var) and value.id in self.variables

    def holds(self, condition: Condition) -> bool | None:
        """Return whether a condition holds, None where that cannot be told from the text."""
        match condition:
            case All(conditions):
                return _all_of([self.holds(one) for one in conditions])
            case Any(conditions):
                return _not(_all_of([_not(self.holds(one)) for one in conditions]))
            case Not(inner):
                return _not(self.holds(inner))
            case Compare(how, left, right):
                return self._compared(how, self.known(left), self.known(right))
            case Apart(low, _, left, right) | Passable(low, _, left, right):
                return low == 0 if self._place(left) == self._place(right) else None
            case Exists(Set(var, Everyone("player"), filters)):
                return self._exists(var, filters)
            case KindIs(piece, kinds) if self._is(piece) and self.kinds:
                return True if self.kinds <= set(kinds) else False if self.kinds.isdisjoint(kinds) else None
            case Bears(piece, document) if self._is(piece) and self.sheet == document:
                return True
        return None

    def _exists(self, var: Var, filters: Sequence[Condition]) -> bool | None:
        """Return false where the only player who could be meant is the owner of this piece, and cannot be."""
        you = Var(YOU, "player")
        if not any(
            isinstance(one, Compare) and one.how == "==" and {self.known(one.left), self.known(one.right)} == {you, var}
            for one in filters
        ):
            return None
        return False if any(self.holds(replaced(one, {var: you})) is False for one in filters) else None

    def _compared(self, how: str, left: Value, right: Value) -> bool | None:
        if left == right:
            return _OF_ITSELF[how]
        if isinstance(left, Const) and isinstance(right, Const) and how in ("==", "!="):
            return how == "!="
        return None

    def known(self, value: Value) -> Value:
        """Return a value as it is for this piece, so that equal values mean the same thing."""
        if self._is(value):
            return Var(THIS, "piece")
        match value:
            case Attribute("document", of, base) if self._is(of) and self.sheet >= 0:
                return Const(self.sheet, base)
            # The owner decides for a piece except for a time, and is not the player whom its text means in that time
            # either.
            case Attribute("owner" | "decider", of) if self._is(of):
                return Var(YOU, "player")
            case FieldOf(field, of) if field == self.decides and self._is(of):
                return Var(YOU, "player")
            case Attribute(what, of, base):
                return Attribute(what, self.known(of), base)
            case FieldOf(field, of, base) if of is not None:
                return FieldOf(field, self.known(of), base)
            case Latest(FieldOf(field, of, base), steps, part) if of is not None:
                return Latest(FieldOf(field, self.known(of), base), steps, part)
            case Earliest(FieldOf(field, of, base), steps) if of is not None:
                return Earliest(FieldOf(field, self.known(of), base), steps)
            case Distance(origin, goal) if self._place(origin) == self._place(goal):
                return Const(0, "number")
        return value

    def _place(self, value: Value) -> Value:
        """Return the place of something: for a space known by its piece, that piece."""
        known = self.known(value)
        return known.of if isinstance(known, Attribute) and known.what == "space" else known


def _not(known: bool | None) -> bool | None:
    return None if known is None else not known


def _all_of(known: list[bool | None]) -> bool | None:
    return False if False in known else None if None in known else True
