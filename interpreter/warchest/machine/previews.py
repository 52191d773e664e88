"""What the options after a candidate are, told without beginning what it stands for.

Most candidates come down to one act: a payment that makes no difference, perhaps, and then the act, of which one thing
is still to be chosen. Who is asked is told by the text of the order, what may be chosen by the rules; so neither
frames nor operations are needed to list such options, only the functions that these would call. Whatever is not as
plain as that is walked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from warchest.machine.act_sites import KindSite, RoleSite, WaySite
from warchest.lowering.layout import ASK, DIRTY
from warchest.machine.risk import Risk, anything_below_can_fail, joined
from warchest.machine.run import Env, Frame, Routine, Run, Signal, Stop
from warchest.machine.sites import DECLINE, BranchSite, PickSite
from warchest.machine.starts import Start
from warchest.rules import steps as ir
from warchest.rules.ruleset import AGENT, FIXED
from warchest.rules.values import NOTHING

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.binding import Binder
    from warchest.machine.program import Program

Look: TypeAlias = Callable[[Run, Env, int], "Sequence[int] | None"]
"""Notes what is said, and returns what can be chosen in the end; None where that is not known without walking.

It is given the variables of the site and the candidate. The run then stands where it would be asked but for what waits
below; whoever looks puts its code, its variables and its notes back.
"""
Take: TypeAlias = Callable[[Run, Env, int], "Stop | None"]
"""Takes a candidate with what is chosen after it, for whoever knows both: the run goes on behind them.

Where that is not so plain it returns BENT, and has changed no more than the code and the variables of the run.
"""
BENT = Signal("bent")
"""Two choices cannot be taken at once."""
Begun: TypeAlias = "Callable[[Binder], list[str]]"
"""Returns the lines that go from the variables of the site to those of the routine that a candidate begins."""
NO_CHOICE = (NOTHING,)
"""What can be chosen where nothing is asked."""


class Preview:
    """What is asked after a candidate, or that nothing is.

    `end` is the site with which the option ends, None where nothing is asked. `fails` tells whether what follows it can
    fail, in the routines that the candidate begins; None: only what waits below the site can.
    """

    __slots__ = ("_write", "_write_take", "end", "fails", "look", "take")

    def __init__(
        self, end: RoleSite | PickSite | None, risk: Risk, write: Callable[[], Look],
        write_take: Callable[[], Take] | None = None,
    ) -> None:  # fmt: skip
        self.end, self._write, self._write_take = end, write, write_take
        self.fails = None if risk is Risk.TOTAL else risk is Risk.FAILS
        self.look: Look = self._first
        self.take: Take | None = self._first_taken if write_take is not None else None

    def _first(self, run: Run, env: Env, candidate: int) -> Sequence[int] | None:
        """Write the function that looks, and look."""
        self.look = self._write()
        return self.look(run, env, candidate)

    def _first_taken(self, run: Run, env: Env, chosen: int) -> Stop | None:
        """Write the function that takes both, and take them."""
        assert self._write_take is not None
        self.take = self._write_take()
        return self.take(run, env, chosen)


def find_previews(program: Program) -> None:
    """Let the choices among definitions, kinds and branches, and of roles, know what is asked after each."""
    for routine in program.routines.values():
        for op in routine.ops:
            if isinstance(op, WaySite):
                found = {number: _of_way(program, op.act, number) for number in range(len(op.act.ways))}
            elif isinstance(op, KindSite):
                found = {kind: _of_kind(program.acts[kind], op.act) for kind in op.kinds}
            elif isinstance(op, RoleSite):
                found = {0: _of_role(program, op)}
            elif isinstance(op, BranchSite):
                found = {number: _preview(program, routine, first, _at_once) for number, first in enumerate(op.targets)}
                found[DECLINE] = _declined(routine, op)
            else:
                continue
            op.previews = {number: preview for number, preview in found.items() if preview is not None}


def _of_way(program: Program, act: Act, number: int) -> Preview | None:
    """Return what is asked in a definition."""
    begun = _begun_way(program, act, number, f"(candidate % {WaySite.apart} - 1, *e[1:{act.way_place}])")
    return _preview(program, act.ways[number].routine, 0, begun)


def _of_role(program: Program, site: RoleSite) -> Preview | None:
    """Return what is asked after the last role of an act, where its only definition comes next in the same option."""
    act, place = site.act, site.place
    if _can_end(site) or len(act.ways) != 1 or act.ways[0].carrier >= 0 or site is not act.routine.ops[-2]:
        return None
    begun = _begun_way(program, act, 0, f"(*e[:{place}], candidate, *e[{place + 1}:{act.way_place}])")

    def filled(binder: Binder) -> list[str]:
        return [f"run.notes += {binder.writer.constant(site)}.said(run, candidate)", *begun(binder)]

    return _preview(program, act.ways[0].routine, 0, filled)


def _begun_way(program: Program, act: Act, number: int, roles: str) -> Begun:
    """Return what begins a definition; its variables are the roles of the act, and more that are blank."""
    way = act.ways[number]

    def begun(binder: Binder) -> list[str]:
        name, lines = binder.writer.constant, [f"e = {roles}"]
        if program.events.hooks[act.number]:
            lines.append(f"if {name(program.events)}.answered(run, {act.number}, e): return None")
        lines += [f"e += {way.blank}"] if way.blank else []
        return [*lines, f"run.code, run.env = {name(way.routine)}, e"]

    return begun


def _of_kind(act: Act, general: Act) -> Preview | None:
    """Return what is asked of one kind of an act."""
    asked = [number for number, domains in enumerate(act.domains) if domains]
    found = _role_of(act, FIXED + asked[0]) if len(asked) == 1 else None
    if found is None:
        return None
    end, place = found
    binder, note = act.program.binder, f"run.notes.append({('kind', act.verb.act, 0)})"

    def written() -> Look:
        return binder.lines([note, *_asked(binder, end, *act.begun_as_kind(general))], "run, e, candidate")

    return Preview(end, act.routine.risky[place + 1], written)


def _declined(routine: Routine, site: BranchSite) -> Preview | None:
    """Return what is asked of whoever takes nothing of an offer: nothing that belongs to the option."""
    if site.declined is None:
        return None

    def look(run: Run, env: Env, candidate: int) -> Sequence[int]:
        run.notes += site.said(run, DECLINE)
        return NO_CHOICE

    return Preview(None, routine.risky[site.declined], lambda: look)


def _role_of(act: Act, variable: int) -> tuple[RoleSite, int] | None:
    """Return the site that fills a role of an act, and its place, if an option can end with it."""
    for place, op in enumerate(act.routine.ops):
        if isinstance(op, RoleSite) and op.place == variable and _can_end(op):
            return op, place
    return None


def _can_end(site: RoleSite | PickSite) -> bool:
    return site.leaf or bool(site.unless)


def _preview(program: Program, routine: Routine, first: int, begun: Begun) -> Preview | None:
    """Return what is asked in a routine from a place on, if that can be told without walking."""
    paid, place = list[Start](), first
    while isinstance(op := routine.ops[place], Start) and op.paid >= 0:
        paid.append(op)
        place += 1
    if not isinstance(op, PickSite | Start):
        return None
    after = routine.risky[place + 1]
    if isinstance(op, PickSite):
        binder = paid[0].binder if paid else program.binder
        if op.by_chance or not (_can_end(op) or (op.last and op.key)):
            return None
        # Behind the last site that says anything an option goes on; it is foreseen where nothing there can fail.
        after = after if _can_end(op) else Risk.STOPS
        return Preview(op, after, lambda: _written(binder, begun, paid, _picked(binder, op)))
    asked = op.left_open
    found = _role_of(op.act, asked[0]) if len(asked) == 1 else None
    if found is not None:
        end, there = found
        risk = joined(op.act.routine.risky[there + 1], after)
        taking = (lambda: _taken(op, end, there, routine, place)) if begun is _at_once and not paid else None
        return Preview(end, risk, lambda: _written(op.binder, begun, paid, _filled(op, end)), taking)
    if not asked and _is_over_with(program, routine, place, op):
        return Preview(None, after, lambda: _written(op.binder, begun, paid, _plainly(op)))
    return None


def _is_over_with(program: Program, routine: Routine, place: int, order: Start) -> bool:
    """Whether an act that asks nothing, and after which nothing follows at once, ends the option.

    It does where the next round of a loop comes after it, or the end of an act that is decided with its parts.
    """
    act = order.act
    wide = routine.origin == "verb" and program.risks.wide(routine.verb)
    return (
        (place + 1 in routine.rounds or (wide and place + 2 == len(routine.ops)))
        and act.direct
        and not order.outs
        and not program.events.hooks[act.number]
        and bool(act.plain)
        and all(_is_quiet(program, step) for step in act.verb.definitions[0].code.steps)
    )


def _is_quiet(program: Program, step: ir.Order) -> bool:
    """Whether nothing follows at once from a step."""
    match step:
        case ir.SetField(field):
            return field not in program.watched.fields
        case ir.Clock(what):
            return what == "nothing"
        case _:
            return False


# ---- the functions


def _at_once(binder: Binder) -> list[str]:
    return []


def _written(binder: Binder, begun: Begun, paid: Sequence[Start], last: Sequence[str]) -> Look:
    """Return the function that looks; nothing is paid in it, because that makes no difference to what is asked."""
    lines = begun(binder)
    for order in paid:
        below = binder.writer.constant(anything_below_can_fail)
        lines.append(f"if e[{order.paid}] >= {order.zones} or {below}(run): return None")
        lines += [f"run.notes += {order.notes}"] if order.notes else []
    return binder.lines([*lines, *last], "run, e, candidate")


def _picked(binder: Binder, end: PickSite) -> list[str]:
    name = binder.writer.constant
    if not _can_end(end):
        surely = [f"if m[{DIRTY}] or {name(anything_below_can_fail)}(run): return None"]
    else:
        surely = _unless_it_goes_on(end)
    announced = [f"{name(end.announce)}(run, e)"] if end.announce is not None else []
    found = f"{name(end)}.find(run, e)"
    if end.able is not None:
        found = f"{name(end)}.able(run, {found})"
    return [*announced, *surely, f"return {found}"]


def _filled(order: Start, end: RoleSite) -> list[str]:
    return _asked(order.binder, end, *order.begun("return None"))


def _asked(binder: Binder, end: RoleSite, begun: Sequence[str], inner: str) -> list[str]:
    """Return the lines that find what fills a role, with those that have `begun` the act and its variables."""
    return [
        *begun, f"e = {inner}", *_unless_it_goes_on(end), *end.finding(binder), "run.env = e", "return found",
    ]  # fmt: skip


def _unless_it_goes_on(end: RoleSite | PickSite) -> list[str]:
    """Return the line that leaves an option to be walked which does not end there for whoever acts."""
    masks = " | ".join(f"m[{cell}]" for cell in end.unless)
    return [] if end.leaf else [f"if ({masks}) >> e[{AGENT}] & 1: return None"]


def _taken(order: Start, end: RoleSite, there: int, routine: Routine, place: int) -> Take:
    """Return the function that begins an order in a branch and fills the role that is left open in it."""
    name, act = order.binder.writer.constant, order.act
    bent = name(BENT)
    lines, inner = order.begun(f"return {bent}", end.place)
    return order.binder.lines([
        f"if m[{ASK}]: return {bent}", *lines, f"run.env = {inner}",
        *([] if end.leaf else [f"if not {name(end)}.ends(run): return {bent}"]),
        f"run.parent = {name(tuple.__new__)}({name(Frame)}, (run.parent, run.code, {place + 1}, e, run.outs))",
        f"run.code, run.pc, run.outs, run.joined = {name(act.routine)}, {there + 2}, {name(order.outs)}, False",
        f"return {name(act.routine.calls)}[{there + 1}](run, run.env)",
    ], "run, e, chosen")  # fmt: skip


def _plainly(order: Start) -> list[str]:
    lines, _ = order.begun("return None")
    name = order.binder.writer.constant
    if order.act.rules:
        lines.append(f"if {name(order.act)}.forbidden_by(run, roles) is not None: return ()")
    return [f"if m[{DIRTY}]: return None", *lines, f"return {name(NO_CHOICE)}"]
