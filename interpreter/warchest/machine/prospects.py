"""Which of several ways can lead nowhere, told by one expression before any is begun.

A definition that first asks for a member of an empty set, or orders what is forbidden, need not be tried. What makes
it fail is found in the rules once: the set of its first choice, the prohibitions of its first act. Where more is
needed to tell, the way is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from warchest.machine.act_sites import KindSite, WaySite
from warchest.machine.bearers import Able, Documents, able, asked_in, needs
from warchest.machine.risk import usual_of
from warchest.rules import steps as ir
from warchest.rules import values
from warchest.rules.parts import nodes_in, variables_in
from warchest.rules.ruleset import AGENT, FIXED, THIS, YOU, Verb
from warchest.rules.values import NOTHING, SET_VARIABLES, CausedBy, InZone, Var

if TYPE_CHECKING:
    from warchest.machine.acts import Act, Way
    from warchest.machine.program import Program
    from warchest.machine.run import Env, Run

Hopeless: TypeAlias = "Callable[[Run, Env], int]"
"""Returns the set of those that can lead nowhere, a bit for each."""
Known: TypeAlias = Mapping[int, str]
"""The variables of an act that are known before it begins, each with its expression."""


def foresee(program: Program) -> None:
    """Let the choices among definitions and among kinds know which can only fail."""
    for act in program.acts:
        for op in act.routine.ops:
            if isinstance(op, WaySite):
                op.hopeless = _hopeless_ways(program, act)
            elif isinstance(op, KindSite):
                op.hopeless = _hopeless_kinds(program, act, op.kinds)
    for site, chosen_for, call in program.agents:
        site.able = able(chosen_for, call) or _able_at_all(program, chosen_for)


def _hopeless_ways(program: Program, act: Act) -> Hopeless | None:
    if _answered_first(program, act.number):
        return None
    known = {number: f"e[{number}]" for number in range(FIXED + act.roles)}
    sheets = program.ruleset.token_sheets
    kinds = {FIXED + number: frozenset(sheets.get(role.noun, ())) for number, role in enumerate(act.verb.roles)}
    found = {}
    for number, (way, definition) in enumerate(zip(act.ways, act.verb.definitions, strict=True)):
        if definition.carrier < 0:
            # Trials leave out what is paid with a token that makes no difference.
            moving = {var: of for var, of in kinds.items() if var != FIXED + way.paid_with or way.paid_with < 0}
            foresight = Foresight(program, known, moving)
            tests = foresight.code(definition.code.steps)
            if tests:
                found[number] = foresight.where(way, definition.applies, tests)
    return _function(program, found)


def _hopeless_kinds(program: Program, act: Act, kinds: Iterable[int]) -> Hopeless | None:
    known = {number: f"e[{number}]" for number in range(FIXED)}
    acts = [program.acts[kind] for kind in kinds if program.acts[kind].verb.by == act.verb.by]
    foresight = Foresight(program, known, {}, begun=True)
    tests = {one.number: list(dict.fromkeys(foresight.act(one, known))) for one in acts}
    tests = {kind: found for kind, found in tests.items() if found}
    if not tests:
        return None
    # What would stand in the way of all is asked once, and so is whether anything that some need is borne at all.
    common = _common(list(tests.values()))
    lines = [f"if {' or '.join(common)}: return {_mask(tests)}"] if common else []
    left = {kind: [one for one in found if one not in common] for kind, found in tests.items()}
    needed = {one.number: documents for one in acts for documents in foresight.needed(one, known)[:1]}
    lines.append(f"found = {_parts({kind: found for kind, found in left.items() if kind not in needed})}")
    if len(needed) > 1:
        borne = sorted({one for documents in needed.values() for one in documents})
        lines.append(f"if {foresight.lacks(borne, known[AGENT])}: return found | {_mask(needed)}")
    return program.binder.lines([*lines, f"return found | {_parts({kind: left[kind] for kind in needed})}"])


def _able_at_all(program: Program, act: Act) -> Able | None:
    """Return what leaves out those who can do no kind of an act; None where nothing of the sort is known."""
    first = act.routine.ops[0] if act.routine.ops else None
    if not isinstance(first, KindSite) or act.verb.by != "piece":
        return None
    known = {THIS: "one", YOU: program.binder.writer.decider("one"), AGENT: "one"}
    foresight = Foresight(program, known, {})
    acts = [program.acts[kind] for kind in first.kinds]
    common = _common([foresight.act(one, known) for one in acts])
    needed = [foresight.needed(one, known) for one in acts]
    if all(needed):
        common.append(foresight.lacks(sorted({one for documents, *_ in needed for one in documents}), "one"))
    if not common:
        return None
    return program.binder.lines([f"return [one for one in pieces if not ({' or '.join(common)})]"], "run, pieces")


def _common(tests: Sequence[Sequence[str]]) -> list[str]:
    """Return the tests that are among those of each of several things."""
    return [one for one in tests[0] if len(tests) > 1 and all(one in found for found in tests)]


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _parts(tests: Mapping[int, Sequence[str]]) -> str:
    """Return the expression for the set of those of which any test is true."""
    parts = [f"(({' or '.join(found)}) and {1 << number})" for number, found in tests.items() if found]
    return " | ".join(parts) or "0"


def _answered_first(program: Program, verb: int) -> bool:
    """Whether hooks on a verb can do anything before, or in place of, what it is defined to do."""
    return bool(program.events.hooks[verb].keys() & {"before", "instead"})


def _function(program: Program, tests: Mapping[int, str]) -> Hopeless | None:
    return program.binder.whole(_parts({number: (test,) for number, test in tests.items()})) if tests else None


class Foresight:
    """Finds, as expressions, what makes code or an act fail whatever is chosen.

    `moving` has the variables of tokens that payments really move, with the kinds of documents they can be of.
    """

    def __init__(
        self, program: Program, known: Known, moving: Mapping[int, frozenset[str]], begun: bool = False
    ) -> None:
        self.program, self.writer = program, program.binder.writer.reading(known)
        self.known, self.moving, self.begun = known, moving, begun
        self.paid: list[int] = []
        """The variables of the tokens that have been paid with so far."""

    def code(self, steps: ir.Steps) -> list[str]:
        """Return what makes steps fail: what stands in the way of the first that is not only a payment."""
        for step in steps:
            if not isinstance(step, ir.Call):
                return []
            picks = [fill for fill in (step.agent, *step.roles) if isinstance(fill, ir.Pick)]
            if picks:
                return self._with_payments(self._empty(self._able(step, picks[0]), self.known))
            token = self._paid_with(step)
            if token < 0:
                return self._ordered(step)
            self.paid.append(token)
        return []

    def _ordered(self, call: ir.Call) -> list[str]:
        """Return what makes an act that is ordered fail; one about a piece that is gone lapses and does not fail."""
        act = self.program.acts[call.verb]
        pieces = act.verb.by == "piece" or any(
            role.base == "piece" and isinstance(fill, ir.Bound)
            for role, fill in zip(act.verb.roles, call.roles, strict=True)
        )
        return [] if pieces else self.act(act, self._roles(call))

    def where(self, way: Way, applies: values.Condition, tests: list[str]) -> str:
        """Return tests as one, asked only where a way applies at all."""
        applying = "" if way.always else f"{self.writer.condition(applies)} and "
        return f"({applying}({' or '.join(tests)}))"

    def act(self, act: Act, known: Known) -> list[str]:
        """Return what makes an act fail: nothing to fill a role with, or a prohibition."""
        asked = [act.domains[number] for number in self._asked(act, known)]
        found = [self.lacks(documents, known[AGENT]) for documents in self.needed(act, known)]
        found += [
            self.writer.reading(known).condition(rule.condition)
            for rule in act.verb.forbidden if rule.carrier < 0 and self._can_tell(rule.condition, known)
        ]  # fmt: skip
        if not asked:
            found += self._unwritten(act.verb, known) + self._refused(act.verb, known)
        elif len(asked[0]) == 1 and asked[0][0].always:
            found += self._empty(asked[0][0].among, known)
        return self._with_payments(found)

    def needed(self, act: Act, known: Known) -> list[Documents]:
        """Return sets of documents of each of which whoever does an act must bear one."""
        return needs(act, self._asked(act, known)) if AGENT in known else []

    def _asked(self, act: Act, known: Known) -> list[int]:
        return [number for number, domains in enumerate(act.domains) if domains and FIXED + number not in known]

    def lacks(self, documents: Iterable[int], piece: str) -> str:
        """Return what tells that a piece bears none of some documents."""
        borne = " | ".join(f"m[{self.program.layout.of_document + one}]" for one in documents)
        return f"({piece} < 0 or not ({borne}) >> {piece} & 1)"

    def _able(self, call: ir.Call, pick: ir.Pick) -> values.Set:
        """Return those among whom somebody is chosen who bear what an act needs that they are to do."""
        act, among = self.program.acts[call.verb], pick.among
        needed = needs(act, asked_in(act, call)) if pick is call.agent else []
        bears = [
            values.Any(tuple([values.Bears(among.var, one, call.span) for one in documents]), call.span)
            for documents in needed
        ]
        return replace(among, filters=(*among.filters, *bears))

    def _with_payments(self, tests: list[str]) -> list[str]:
        """Return tests that ask, too, whether what is paid with comes from zones and not out of a piece."""
        zones = self.program.layout.first_piece_holder * self.program.layout.documents
        return [f"({' and '.join((*(f'e[{token}] < {zones}' for token in self.paid), test))})" for test in tests]

    def _unwritten(self, verb: Verb, known: Known) -> list[str]:
        """Return what makes an act fail that performs a block which not every document has."""
        steps = verb.definitions[0].code.steps if len(verb.definitions) == 1 else ()
        first = steps[0] if steps else None
        hooked = any(_answered_first(self.program, number) for number in verb.kinds)
        if hooked or not isinstance(first, ir.Perform) or not self._can_tell(first.of, known):
            return []
        writer, sheets = self.writer.reading(known), self.program.ruleset.sheets
        document = writer.value(values.Attribute("document", first.of, "document"))
        having = {number for number, sheet in enumerate(sheets) if first.block in sheet.blocks}
        lacking = frozenset(range(self.program.layout.documents)) - having
        return [f"{document} in {writer.constant(lacking)}"]

    def _refused(self, verb: Verb, known: Known) -> list[str]:
        """Return what makes an act fail that begins with something that must be so."""
        usual = usual_of(verb)
        first = usual.code.steps[0] if usual is not None else None
        hooked = any(_answered_first(self.program, number) for number in verb.kinds)
        if hooked or not isinstance(first, ir.Must) or AGENT not in known or not self._can_tell(first.condition, known):
            return []
        others = [one.carrier for one in verb.definitions if one is not usual]
        test = f"not {self.writer.reading(known).condition(first.condition)}"
        return [f"({self.lacks(others, known[AGENT])} and {test})" if others else test]

    def _empty(self, among: values.Set, known: Known) -> list[str]:
        if not self._can_tell(among, known):
            return []
        return [f"not {self.writer.reading(known).condition(values.Exists(among, among.span))}"]

    def _can_tell(self, node: Any, known: Known) -> bool:
        """Whether a part of the rules comes to the same now as after the payments, once the act has begun."""
        variables = {number for number in variables_in(node) if number < SET_VARIABLES}
        if not variables <= known.keys():
            return False
        return not any(
            (isinstance(part, CausedBy) and not self.begun) or (isinstance(part, InZone) and self._touched(part.zone))
            for part in nodes_in(node)
        )

    def _touched(self, zone: int) -> bool:
        """Whether a payment can have taken a token out of a zone or put one into it."""
        held = self.program.ruleset.kinds_in(zone)
        return any(not self.moving.get(token, frozenset()).isdisjoint(held) for token in self.paid)

    def _roles(self, call: ir.Call) -> Known:
        """Return the variables that an act begins with, as far as they are known."""
        found = {FIXED + number: text for number, text in enumerate(map(self._text, call.roles)) if text}
        agent = self._text(call.agent)
        if agent:
            found |= {THIS: str(NOTHING), YOU: agent, AGENT: agent}
        return found

    def _text(self, fill: ir.Fill) -> str:
        """Return the expression for what fills a role from the start; empty where that is not known."""
        if not isinstance(fill, ir.Bound) or not self._can_tell(fill.value, self.known):
            return ""
        return self.writer.value(fill.value)

    def _paid_with(self, call: ir.Call) -> int:
        """Return the variable of the token that an act only puts into a zone, or -1 where it does anything else."""
        tokens = [fill.value.id for fill in call.roles if isinstance(fill, ir.Bound) and isinstance(fill.value, Var)]
        if len(tokens) != 1 or tokens[0] not in self.known or not self.program.sharing.pays(call, tokens[0]):
            return -1
        steps = self.program.ruleset.verbs[call.verb].definitions[0].code.steps
        into_zones = all(isinstance(step, ir.MoveToken) and isinstance(step.into, InZone) for step in steps)
        return tokens[0] if into_zones else -1
