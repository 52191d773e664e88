"""Disassembly: code as text, one instruction a line, with the names of the game for its numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from typing import cast

from warchest.ir import values as ir
from warchest.ir.ruleset import AGENT, FIXED, MANNER, THIS, YOU, Domain, Field, Kind, Rule, Sheet, Verb
from warchest.ir.steps import Bound, Raise
from warchest.lowering.code import (
    SETTLED,
    Act,
    Again,
    Announcement,
    AskAhead,
    AskLater,
    Attempt,
    BoundHook,
    Branch,
    CallAct,
    ChoicePoint,
    Collect,
    Fence,
    Finish,
    Hold,
    Instruction,
    Judge,
    Jump,
    KeepMembers,
    LoopTest,
    Next,
    PerformBlock,
    Pick,
    PickBranch,
    PickKind,
    PickMember,
    PickRole,
    Plain,
    RequirePieces,
    Routine,
    StillDue,
)
from warchest.lowering.expression_lowering import ExpressionLowering
from warchest.lowering.failure import Failure
from warchest.lowering.operations import GATHERED, JOINING, WORDS, HolderRows, Operation, SetSearch
from warchest.lowering.program import Program

_FAILURES = {Failure.NEVER: " ", Failure.YIELDS: "~", Failure.MAY: "!"}
"""The mark of an instruction: no later failure is possible; looking ahead stops before one; one is possible."""
_FIRST = {THIS: "this", YOU: "you", MANNER: "manner", AGENT: "agent"}


def disassembled(program: Program, routine: Routine) -> list[tuple[str, str]]:
    """Return the lines of a routine: its header and its instructions, each with the text that it comes from."""
    words = _InstructionWords(program, routine)
    lines = [(words.header(), "")]
    for number, one in enumerate(routine.instructions):
        text = one.span.one_line if one.span is not None else ""
        lines.append((f"{number:>4} {_FAILURES[one.failure]} {words.instruction(one)}", text))
    return lines


def permissions(program: Program, act: Act, carriers: Collection[int] | None = None) -> list[tuple[str, str]]:
    """Return the permissions and prohibitions of an act, line by line, each with its text.

    If `carriers` are given, return only the lines of these documents.
    """
    words, lines = _InstructionWords(program, act.routine), list[tuple[str, str]]()
    for domain in (one for row in act.domains for one in row):
        if carriers is None or domain.carrier in carriers:
            applies = "" if domain.always else f", if {words.node(domain.applies)}"
            role = words.variable(FIXED + domain.role)
            head = f"permits {act.verb.name}: {role} among {words.node(domain.among)}{applies}"
            lines.append((head + words.carried(domain), domain.span.one_line))
    for rule in act.rules:
        if carriers is None or rule.carrier in carriers:
            head = f"forbids {act.verb.name}: if {words.node(rule.condition)}"
            lines.append((head + words.carried(rule), rule.span.one_line))
    return lines


def answering(program: Program, bound: BoundHook) -> tuple[str, str]:
    """Return the line for the condition of a hook, with its text."""
    words, hook = _InstructionWords(program, bound.routine), bound.hook
    verbs = " or ".join(program.ruleset.verbs[verb].name for verb in hook.verbs)
    return f"{hook.stage} {verbs}, if {words.node(hook.condition)}", hook.span.one_line


FIXED_WORDS = {
    Judge: "judge the hooks that answer later",
    StillDue: "finish where something was done instead, unless still due",
}
"""The words for the instructions that have no parts to name."""


class _InstructionWords:
    """Words for the instructions of one routine."""

    def __init__(self, program: Program, routine: Routine) -> None:
        self.ruleset, self.routine = program.ruleset, routine
        self.lowering = ExpressionLowering(program.layout, "listed")
        rules = program.ruleset
        self.names: dict[str, Sequence[Field | Sheet | Verb | Kind]] = {
            "field": rules.fields,
            "document": rules.sheets,
            "verb": rules.verbs,
            "kind": rules.kinds,
        }

    def header(self) -> str:
        """Return the name of the routine, with the kinds of its variables."""
        named = (f"{self.variable(place)}: {base}" for place, base in enumerate(self.routine.bases))
        return f"{self.routine.name} ({', '.join(named)})"

    def variable(self, place: int) -> str:
        """Return the name of a variable."""
        if place in _FIRST:
            return _FIRST[place]
        if self.routine.verb >= 0 and self.routine.origin in ("verb", "act"):
            roles = self.ruleset.verbs[self.routine.verb].roles
            if place < FIXED + len(roles):
                role = roles[place - FIXED]
                return f"{role.word}.{role.noun}".lstrip(".").replace(" ", "-")
        return f"v{place}"

    def carried(self, said: Domain | Rule) -> str:
        """Return the document of a rule or a permission, and the role that bears it."""
        if said.carrier < 0:
            return ""
        bearer = self.variable(AGENT + said.this_role) if said.this_role >= 0 else "anybody"
        return f" [{self.ruleset.sheets[said.carrier].name}, borne by {bearer}]"

    # ---- instructions

    def instruction(self, one: Instruction) -> str:
        """Return the words for an instruction."""
        if isinstance(one, ChoicePoint):
            return " ".join(self._choice(one))
        match one:
            case Jump(target=target):
                return f"jump {target}"
            case Branch(condition=condition, otherwise=target):
                return f"unless {self.node(condition)}: jump {target}"
            case LoopTest(condition=condition, end=end):
                return f"if {self.node(condition)}: jump {end}"
            case RequirePieces(pieces=pieces, absent=absent):
                return f"unless there: {', '.join(map(self.variable, pieces))}: jump {absent}"
            case Again(start=start, of_game=of_game):
                return f"again {start}{' (of the game)' if of_game else ''}"
            case KeepMembers(slot=slot, among=among):
                return f"{self.variable(slot)} = members of {self.node(among)}"
            case Next(place=place, slot=slot, end=end):
                return f"{self.variable(place)} = next of {self.variable(slot)}, else jump {end}"
            case Fence(target=target):
                return f"fence, then jump {target}"
            case Attempt() | AskAhead():
                return self._looking_ahead(one)
            case CallAct():
                return self._call(one)
            case Plain(step=step):
                return self.node(step)
            case PerformBlock(block=block, of=of, by=by):
                return f"perform {block} of {self.node(of)} for {self.node(by)}"
            case Collect(stage=stage):
                return f"collect {stage} hooks"
            case Hold(change=change):
                return "hold the consequences" if change > 0 else "release the consequences"
            case AskLater(change=change):
                return "let the next question wait" if change > 0 else "ask the next question"
            case Finish(settles=settles, extends=extends):
                return "finish" + (", settle" * settles) + (", end of an option" * extends)
        return FIXED_WORDS.get(type(one)) or _plain_name(one)

    def _looking_ahead(self, one: Attempt | AskAhead) -> str:
        if isinstance(one, Attempt):
            return f"attempt up to {one.fence}, else jump {one.fence + 1}"
        return f"{self.variable(one.place)} = whether {one.fence} can be reached, then jump {one.fence + 1}"

    def _choice(self, one: ChoicePoint) -> Iterator[str]:
        match one:
            case Pick(place=place, among=among):
                how = "draw" if one.by_chance else "pick"
                yield f"{how} {self.variable(place)} among {self.node(among)}"
                if one.verb >= 0:
                    yield f"for {self.ruleset.verbs[one.verb].name}"
            case PickBranch(targets=targets, declined=declined):
                ways = " or ".join(map(str, targets))
                yield f"pick a branch: {ways}" + (f", declined {declined}" if declined >= 0 else "")
            case PickMember(place=place, slot=slot, fence=fence, done=done):
                yield f"pick {self.variable(place)} of {self.variable(slot)} that can reach {fence}, else jump {done}"
            case PickRole(place=place):
                yield f"pick role {self.variable(place)} among the permitted things"
            case PickKind(kinds=kinds):
                yield f"pick a kind: {' or '.join(self.ruleset.verbs[kind].name for kind in kinds)}"
            case _:
                yield _plain_name(one)
        if one.chooser is not None:
            yield f"by {self.node(one.chooser)}"
        if one.ends:
            yield "(ends the option)"
        if one.unless:
            names = " or ".join(self.ruleset.sheets[document].name for document in one.unless)
            yield f"(ends the option, except for bearers of {names})"
        if isinstance(one, Pick) and one.announcement is not None:
            yield self._announced(one.announcement)

    def _announced(self, announcement: Announcement) -> str:
        said = [announcement.verb[1]] if announcement.verb is not None else []
        said += [f"{key.removesuffix(SETTLED)} {self.node(value)}" for key, _, value in announcement.roles]
        return f"says [{', '.join(said)}]" if said else "says nothing"

    def _call(self, one: CallAct) -> str:
        verb, roles = self.ruleset.verbs[one.verb], one.variables[FIXED:-2]
        told = [f"{role.word or role.noun} {self.node(value)}" for role, value in zip(verb.roles, roles, strict=True)]
        who = self.node(one.variables[AGENT])
        back = ", ".join(f"{self.variable(target)} back" for _, target in one.outs)
        call = f"call {verb.name}: {', '.join([f'by {who}', *told])}" + (f"; {back}" if back else "")
        return f"{call} {self._announced(one.announcement)}" if one.announcement is not None else call

    # ---- values, sets, conditions, steps

    def node(self, node: object) -> str:
        """Return the words for a part of the rules; values, sets and conditions are shown as their operations."""
        if isinstance(node, ir.Value):
            return self.operation(self.lowering.value(node))
        if isinstance(node, ir.Condition):
            return self.operation(self.lowering.condition(node))
        if isinstance(node, ir.Set):
            return self.operation(self.lowering.search(node))
        if isinstance(node, ir.InPiece):
            return self.node(node.piece)
        if isinstance(node, ir.InZone):
            return self.ruleset.zones[node.zone].name + (f" of {self.node(node.of)}" if node.of is not None else "")
        return self._record(node)

    def operation(self, one: object) -> str:
        """Return the words for an operation, or an operand of one."""
        match one:
            case SetSearch():
                return self._search(one)
            case HolderRows(whose=node):
                whose = self._whose(node) if node is not None else ""
                return f"{one.zone} of {whose}" if one.zone and whose else one.zone or whose
            case Operation("variable", (int(place),)):
                return self._variable_of_any(place)
            case Operation("number", (int(value), base)):
                named = base == "document" and value >= 0
                words = {-2: "unset", ir.NOTHING: "nothing"}.get(value, str(value))
                return self.ruleset.sheets[value].name if named else words
            case Operation("field", (Operation("cell"), int(field))):
                return self.ruleset.fields[field].name
            case Operation("sheet", ((_, *key), of)):
                return f"{' '.join(self.named(one, 'document') for one in key[:1])} on {self.operation(of)}"
            case Operation("sum", (tuple(signs), *terms)):
                signed = zip(cast(tuple[int, ...], signs), map(self.operation, terms), strict=True)
                return f"({' '.join(('+ ' if sign > 0 else '- ') + term for sign, term in signed)})"
            case Operation("every" | "some" | "both" | "either" as code, parts):
                joined = f" {JOINING[code]} ".join(map(self.operation, parts))
                return f"({joined})" if parts else {"every": "always", "some": "never"}[code]
            case Operation(code):
                return WORDS[code].format(*[_NumberWords(self, part) for part in _gathered(one)])
            case tuple():
                return ", ".join(map(self.operation, one))
        return self.node(one)

    def _whose(self, node: Operation) -> str:
        """Return the words for the owner of holders; a test that a piece has not gone is left out."""
        return self.operation(node.operands[0] if node.code == "present" else node)

    def _search(self, search: SetSearch) -> str:
        among = " & ".join(map(self.operation, search.within or [search.source]))
        tests = " and ".join(map(self.operation, (*search.fixed, *search.tests)))
        of = f" of {self.operation(search.of)}" if search.of is not None and search.are_tokens else ""
        return f"{{{self.operation(search.variable)} in {among}{of}{' where ' + tests if tests else ''}}}"

    def _variable_of_any(self, place: int) -> str:
        if place < ir.SET_VARIABLES:
            return self.variable(place)
        return f"x{place - ir.SET_VARIABLES}" if place < ir.EVENT_VARIABLES else f"event.{place}"

    def _record(self, node: object) -> str:
        """Return the words for a part by the name of its kind and its own parts."""
        if isinstance(node, tuple):
            return " or ".join(map(self.node, node)) if node else "nothing"
        if not hasattr(node, "__dataclass_fields__"):
            return str(node)
        if isinstance(node, Bound):
            return self.node(node.value)
        parts = [
            f"{one.name} {self._part(node, one.name)}"
            for one in fields(node)  # type: ignore[arg-type]
            if one.compare and getattr(node, one.name) is not None
        ]
        return f"{_plain_name(node)}({', '.join(parts)})" if parts else _plain_name(node)

    def _part(self, node: object, name: str) -> str:
        part = getattr(node, name)
        named = self._numbered(name, part)
        if named is not None:
            return named
        if name == "what" and isinstance(node, Raise):
            return self.ruleset.raised[node.what]
        return self.node(part)

    def _numbered(self, name: str, part: object) -> str | None:
        """Return the names for the numbers in a part; None if it has other contents."""
        names = self.names.get(name.removesuffix("s"))
        numbers = part if isinstance(part, tuple) else (part,)
        if names is None or not all(isinstance(one, int) for one in numbers):
            return None
        return " or ".join(names[one].name if one >= 0 else "any" for one in numbers) or "any"

    def named(self, part: object, noun: str) -> str:
        """Return the words for an operand: the names for its numbers, if these are numbers of a `noun`."""
        return (self._numbered(noun, part) if noun else None) or self.operation(part)


class _NumberWords:
    """An operand of an operation in a template, in which `{0:document}` is the name of the document with a number."""

    def __init__(self, words: _InstructionWords, part: object) -> None:
        self.words, self.part = words, part

    def __format__(self, noun: str) -> str:
        return self.words.named(self.part, noun)


def _gathered(one: Operation) -> tuple[object, ...]:
    """Return the operands of an operation; operands whose number varies are joined into a tuple at the end."""
    fixed = GATHERED.get(one.code, len(one.operands))
    return (*one.operands[:fixed], one.operands[fixed:])


def _plain_name(one: object) -> str:
    """Return the name of a record's kind in small letters: `find answers`."""
    name = type(one).__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()
