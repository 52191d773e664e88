"""The choices on the way from an act to its event: its roles, its way, and which of its kinds it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from warchest.machine.binding import Binder, Gather
from warchest.machine.permits import UNSET, Permits
from warchest.machine.risk import NEVER, Widening
from warchest.machine.run import Env, Note, Run, Signal, Stop
from warchest.machine.sites import Site
from warchest.rules import steps as ir
from warchest.rules.parts import variables_in
from warchest.rules.ruleset import FIXED, Rule

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.prospects import Hopeless


def role_key(word: str, noun: str) -> str:
    """Return what an option's data calls a role: where a thing goes is `to`, all else goes by its noun."""
    return "to" if word in ("to", "onto", "into") else noun


class RoleSite(Site):
    """A role is filled with what is normally or specially permitted."""

    __slots__ = ("act", "find", "place", "role")
    apart = 1 << 62
    """All candidates go on in one way."""

    def __init__(self, act: Act, role: int, span: Any, widening: Widening) -> None:
        last = role == max(number for number in range(act.roles) if act.domains[number])
        shape = act.verb.roles[role]
        super().__init__(span, role_key(shape.word, shape.noun), last and widening == NEVER)
        if last and widening:
            self.unless = tuple(act.program.layout.of_document + one for one in sorted(widening))
        self.act, self.role, self.place, self.base = act, role, FIXED + role, shape.base
        self.asks = act.chooser_place
        self.find: Gather = self._find_first

    def clause(self, run: Run) -> Any:
        """Return the text that orders the act."""
        return _ordering(run) or self.span

    def _find_first(self, run: Run, env: Env) -> Sequence[int]:
        """Write the function that lists the candidates, and list them."""
        binder = self.act.program.binder
        self.find = found = binder.lines([*self.finding(binder), "return found"])
        return found(run, env)  # type: ignore[no-any-return]

    def finding(self, binder: Binder) -> list[str]:
        """Return the lines for a binder by which the candidates are `found`, or which return that there are none."""
        # What is forbidden whatever fills the role is asked once, where no other role can still be open.
        alone = sum(1 for domains in self.act.domains if domains) == 1
        early = [rule for rule in self.act.rules if alone and self._is_early(rule)]
        late = [rule for rule in self.act.rules if rule not in early]
        return Permits(self.act, binder).role(self.role, early, late)

    def _is_early(self, rule: Rule) -> bool:
        return rule.this_role != self.role + 1 and self.place not in variables_in(rule.condition)

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """As for every site; a role that is already filled needs nothing."""
        return self.of(run, self.find(run, env)) if env[self.place] == UNSET else None

    def context(self, run: Run) -> list[Note]:
        return self.act.said(run.env)

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return self.find(run, env)

    def said(self, run: Run, candidate: int) -> tuple[Note, ...]:
        return ((self.key, self.base, candidate),)

    def told(self, run: Run, candidates: Sequence[int]) -> list[tuple[Note, ...]]:
        key, base = self.key, self.base
        return [((key, base, one),) for one in candidates]

    def take(self, run: Run, candidate: int) -> Signal | None:
        if run.joined:
            run.notes.append((self.key, self.base, candidate))
        run.put(self.place, candidate)
        return None


class ForkSite(Site):
    """A choice among what an act can come to; what can only fail is known beforehand."""

    __slots__ = ("act", "hopeless")

    def __init__(self, act: Act, span: Any) -> None:
        super().__init__(span)
        self.act, self.asks = act, act.chooser_place
        self.hopeless: Hopeless | None = None

    def clause(self, run: Run) -> Any:
        """Return the text that orders the act."""
        return _ordering(run) or self.span

    def promising(self, run: Run, candidates: Sequence[int]) -> Sequence[int]:
        hopeless = self.hopeless(run, run.env) if self.hopeless is not None else 0
        return [one for one in candidates if not hopeless >> one // self.apart & 1] if hopeless else candidates


class WaySite(ForkSite):
    """One of several definitions."""

    __slots__ = ()
    apart = 64

    def __init__(self, act: Act, span: Any) -> None:
        super().__init__(act, span)
        self.shares = any(way.paid_with >= 0 for way in act.ways)

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return self.act.allowed_ways(run, env)

    def named(self, candidate: int) -> str:
        """Return the act with which the definition begins; where it begins with none, the one that it defines."""
        first = self.act.verb.definitions[candidate // 64].code.steps[0]
        verb = self.act.program.acts[first.verb].verb if isinstance(first, ir.Call) else self.act.verb
        return self.act.verb.act if verb.by == "game" else verb.act

    def shared(self, run: Run, candidate: int, known: dict[int, tuple[Any, ...]]) -> tuple[Any, ...] | None:
        role = self.act.ways[candidate // 64].paid_with
        if role < 0:
            return None
        if role not in known:
            known[role] = self._known(run, role)
        return (candidate, *known[role]) if known[role] else None

    def _known(self, run: Run, role: int) -> tuple[Any, ...]:
        """Return all that is known here but the token that pays; empty if it is not the zones' token."""
        place, layout = FIXED + role, self.act.program.layout
        token, below = run.env[place], run.parent
        if token // layout.documents >= layout.first_piece_holder or below is None:
            return ()
        # The caller has chosen the token, so it knows it too; all else it knows must be the same.
        known = tuple([
            None if base == "token" and value == token else value
            for base, value in zip(below.code.bases, below.env, strict=True)
        ])  # fmt: skip
        return (below.code, below.pc, known, below.parent, run.env[:place], run.env[place + 1 :])

    def paid(self, run: Run, candidate: int) -> int:
        """Return the token that pays for a candidate."""
        return run.env[FIXED + self.act.ways[candidate // 64].paid_with]  # type: ignore[no-any-return]

    def take(self, run: Run, candidate: int) -> Signal | None:
        number, this = divmod(candidate, 64)
        env = run.env
        self.act.program.events.enter(run, (this - 1, *env[1 : self.act.way_place]), self.act, number)
        return None


class KindSite(ForkSite):
    """One of the verbs that are kinds of this one."""

    __slots__ = ("begin", "kinds", "left", "noted")

    def __init__(self, act: Act, span: Any) -> None:
        super().__init__(act, span)
        self.kinds = tuple(kind for kind in act.verb.kinds if act.program.ruleset.verbs[kind].definitions)
        self.noted = {kind: ("kind", act.program.layout.ruleset.verbs[kind].act, 0) for kind in self.kinds}
        """What an option says of each kind."""
        self.begin: dict[int, Callable[[Run, Env], Signal | None]] = {}
        """What begins the kinds, each made when it is first needed."""
        self.left: dict[int, tuple[int, ...]] = {}
        """The kinds that are left without those of a set."""

    def context(self, run: Run) -> list[Note]:
        return self.act.said(run.env)[1:]

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return self.kinds

    def promising(self, run: Run, candidates: Sequence[int]) -> Sequence[int]:
        if self.hopeless is None:
            return candidates
        hopeless = self.hopeless(run, run.env)
        left = self.left.get(hopeless)
        if left is None:
            left = self.left[hopeless] = tuple(kind for kind in self.kinds if not hopeless >> kind & 1)
        return left

    def take(self, run: Run, candidate: int) -> Signal | None:
        begin = self.begin.get(candidate)
        if begin is None:
            begin = self.begin[candidate] = self.act.program.acts[candidate].instead_of(self.act)
        if run.joined:
            run.notes.append(self.noted[candidate])
        return begin(run, run.env)


def _ordering(run: Run) -> Any:
    """Return the text that orders the act under way; the run stands in the routine of the act."""
    below = run.parent
    return below.code.spans[below.pc - 1] if below is not None and below.pc > 0 else None
