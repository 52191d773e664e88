"""Places in the code where somebody must choose.

A site is an operation: it lists its candidates, goes on by itself where there is only one, and otherwise stops the
machine. `resume` takes one candidate up. `leaf` sites end an option: what follows them is a new decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from warchest.lowering.layout import ASK
from warchest.machine.permits import ONE, Permits
from warchest.machine.risk import anything_can_fail
from warchest.machine.run import DECLINED, EDGE, FAIL, OPEN, SETTLED, Env, Note, Run, Signal, Stop
from warchest.rules.ruleset import AGENT, THIS
from warchest.rules.values import NOTHING, Set, Value

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.bearers import Able
    from warchest.machine.binding import Chooser
    from warchest.machine.previews import Preview
from warchest.machine.binding import Gather

DECLINE = -1
"""The candidate of an offer that stands for taking nothing."""


class Site:
    """A choice. Subclasses list candidates and take them up."""

    # What every site has stands in slots, because an attribute of a class is found at twice the cost.
    __slots__ = ("asks", "base", "by_chance", "key", "last", "leaf", "previews", "shares", "span", "unless")
    apart = 1
    """How far apart the candidates of one way are from those of the next."""
    forks = False
    """Whether options after different candidates can come to say the same, because nothing is said of these."""

    def __init__(self, span: Any, key: str = "", leaf: bool = False) -> None:
        self.base, self.by_chance = "branch", False
        self.asks = -1
        """The variable of the frame that names who chooses; -1 where it is none, and `decider` finds it otherwise."""
        self.shares = False
        """Whether options after different candidates can be the same but for a token; see `shared`."""
        self.span, self.key, self.leaf = span, key, leaf
        self.unless: tuple[int, ...] = ()
        """The sets of pieces for which an option does not end here, where it does for all others."""
        self.last = False
        """Whether nothing is said of an option after it: only quiet steps lead from here to the end of the act."""
        self.previews: Mapping[int, Preview] = {}
        """What is asked after a candidate, by its way, where that is known without walking."""

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Stop for a choice, or take the only candidate at once; FAIL where there is none."""
        return self.of(run, self.candidates(run, env))

    def of(self, run: Run, found: Sequence[int]) -> Stop | None:
        """As `__call__`, for candidates that are known. A run that stops stands at the site from then on."""
        if len(found) > 1 or (found and run.memory[ASK]):
            run.candidates = found
            run.pc -= 1
            return self
        if found:
            return self.taken_at_once(run, found[0])
        run.failure = self
        return FAIL

    def taken_at_once(self, run: Run, candidate: int) -> Signal | None:
        """Take the only candidate; a trial that then has only sure things before it is over."""
        if self.by_chance:
            # What chance brings is not known before, even where it can bring only one thing.
            run.joined = False
        failed = self.take(run, candidate)
        if self.leaf or (self.unless and self.ends(run)):
            ends, run.joined = run.joined, False
            if failed is None and run.trying:
                if not anything_can_fail(run):
                    return EDGE
                if ends and run.trying == run.hasty:
                    return OPEN
        return failed

    def clause(self, run: Run) -> Any:
        """Return the text that asks for the choice; the run stands at the site."""
        return self.span

    def is_question(self, run: Run) -> bool:
        """Whether somebody can be asked here although there is only one way to go on."""
        return True

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        """Return what can be chosen, without looking further ahead."""
        raise NotImplementedError

    def context(self, run: Run) -> list[Note]:
        """Return what is settled already where the run stands: the act, and the roles that are filled."""
        return []

    def said(self, run: Run, candidate: int) -> tuple[Note, ...]:
        """Return what an option says of a candidate that it takes."""
        return ((self.key, self.base, candidate),) if self.key else ()

    def told(self, run: Run, candidates: Sequence[int]) -> list[tuple[Note, ...]]:
        """Return what options say of each of some candidates."""
        return [self.said(run, one) for one in candidates]

    def named(self, candidate: int) -> str:
        """Return the act by which an option is called that takes a candidate and says nothing else; perhaps none."""
        return ""

    def promising(self, run: Run, candidates: Sequence[int]) -> Sequence[int]:
        """Return the candidates without those that can lead nowhere, as far as that is known beforehand."""
        return candidates

    def shared(self, run: Run, candidate: int, known: dict[int, tuple[Any, ...]]) -> tuple[Any, ...] | None:
        """Return what the options after a candidate depend on, where they need not be found again; usually None.

        `known` keeps what is the same for all candidates of one visit.
        """
        return None

    def paid(self, run: Run, candidate: int) -> int:
        """Return the token in which options that are otherwise the same differ."""
        raise NotImplementedError

    def resume(self, run: Run, candidate: int) -> Signal | None:
        """Take a candidate up; the run stands at the site."""
        if run.memory[ASK]:
            run.set(ASK, 0)
        run.pc += 1
        failed = self.take(run, candidate)
        if self.leaf or (self.unless and self.ends(run)):
            run.joined = False
        return failed

    def ends(self, run: Run) -> bool:
        """Whether who acts is in none of the sets for which an option goes on; the run is at the site, or behind it."""
        memory, agent = run.memory, run.env[AGENT]
        bearers = 0
        for cell in self.unless:
            bearers |= memory[cell]
        return not bearers >> agent & 1

    def take(self, run: Run, candidate: int) -> Signal | None:
        """Put the candidate where it belongs; the run stands behind the site."""
        raise NotImplementedError

    def decider(self, run: Run) -> int:
        """Return the player who chooses, or -1 for chance; the run stands at the site."""
        return run.env[self.asks]  # type: ignore[no-any-return]


class PickSite(Site):
    """A member of a set goes into a variable; without a chooser chance decides, and tokens count by their number."""

    __slots__ = (
        "able", "act", "among", "announce", "chooser", "find", "place", "values", "weigh",
    )  # fmt: skip

    def __init__(
        self, span: Any, key: str, leaf: bool, place: int, base: str, candidates: Gather, chooser: Chooser | None
    ) -> None:
        super().__init__(span, key, leaf)
        self.place, self.base = place, base
        self.by_chance = chooser is None
        self.asks, self.chooser = chooser or (-1, lambda run, env: NOTHING)
        self.find = candidates
        self.act: Act | None = None
        """The act that could be forbidden with what is chosen, once all else about it is known."""
        self.values: Sequence[Value] = ()
        """The variables of that act up to its last role."""
        self.announce: Callable[[Run, Env], None] | None = None
        """Notes the act that the choice is part of."""
        self.among: Set | None = None
        """The set the candidates are of, for whoever asks why something is not among them."""
        self.weigh: Callable[[Run, int], int] | None = None
        self.able: Able | None = None
        """Leaves out those that bear nothing with which they could do the act."""

    def of_act(self, act: Act, values: Sequence[Value]) -> None:
        """Let the candidates be left out with which an act is forbidden, the variables of which are known."""
        self.act, self.values = act, values
        if act.verb.forbidden:
            self.find = self._find_first

    def _find_first(self, run: Run, env: Env) -> Sequence[int]:
        """Write the function that lists the candidates, and list them."""
        assert self.act is not None and self.among is not None
        writer = run.program.binder.writer.reading({self.place: ONE})
        known = {number: writer.value(value) for number, value in enumerate(self.values)}
        self.find = Permits(self.act).member(self.among, known)
        return self.find(run, env)

    def roles_with(self, run: Run, candidate: int) -> tuple[int, ...]:
        """Return the variables of the act with a candidate; the run stands at the site."""
        env = (*run.env[: self.place], candidate, *run.env[self.place + 1 :])
        return run.program.binder.row(self.values)(run, env)

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """As for every site; the act that the choice is part of is noted first."""
        if self.announce is not None and run.joined:
            self.announce(run, env)
        return self.of(run, self.find(run, env))

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return self.find(run, env)

    def promising(self, run: Run, candidates: Sequence[int]) -> Sequence[int]:
        return candidates if self.able is None else self.able(run, candidates)

    def take(self, run: Run, candidate: int) -> Signal | None:
        if self.key and run.joined:
            run.notes.append((self.key, self.base, candidate))
        run.put(self.place, candidate)
        return None

    def decider(self, run: Run) -> int:
        return self.chooser(run, run.env)

    def context(self, run: Run) -> list[Note]:
        if self.announce is None:
            return []
        kept, run.notes = run.notes, []
        self.announce(run, run.env)
        said, run.notes = run.notes, kept
        return said

    def weight(self, run: Run, candidate: int) -> int:
        """Return how many equal things a candidate stands for."""
        return 1 if self.weigh is None else self.weigh(run, candidate)


class BranchSite(Site):
    """One of several ways to go on in the code; an offer can be declined too."""

    __slots__ = ("chooser", "declined", "tacit", "targets", "ways")
    forks = True

    def __init__(self, span: Any, chooser: Chooser) -> None:
        super().__init__(span)
        self.asks, self.chooser = chooser
        self.targets: list[int] = []
        self.declined: int | None = None
        self.ways: tuple[int, ...] = ()
        """The candidates, once they have been asked for."""
        self.tacit = False
        """Whether whoever takes the offer names an act by it, so that declining can go without saying."""

    def said(self, run: Run, candidate: int) -> tuple[Note, ...]:
        if candidate == DECLINE:
            return (("act?" if self.tacit else "act", DECLINED, 0),)
        return ()

    def __call__(self, run: Run, env: Env) -> Stop | None:
        return self.of(run, self.ways or self.candidates(run, env))

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        if not self.ways:
            branches = range(len(self.targets))
            self.ways = tuple(branches) if self.declined is None else (DECLINE, *branches)
        return self.ways

    def resume(self, run: Run, candidate: int) -> Signal | None:
        # As for every site, without what branches never are: the end of an option.
        if run.memory[ASK]:
            run.set(ASK, 0)
        return self.take(run, candidate)

    def take(self, run: Run, candidate: int) -> Signal | None:
        if candidate == DECLINE:
            assert self.declined is not None
            if run.joined:
                run.notes += self.said(run, candidate)
            run.joined = False
            run.pc = self.declined
        else:
            run.pc = self.targets[candidate]
        return None

    def decider(self, run: Run) -> int:
        return self.chooser(run, run.env)


class MemberSite(Site):
    """The member of a fixed set that acts next, of those that can act now; at least one must."""

    __slots__ = ("chooser", "done", "place", "remaining", "test")

    def __init__(self, span: Any, place: int, remaining: int, base: str, chooser: Chooser) -> None:
        super().__init__(span, "each")
        self.place, self.remaining, self.base = place, remaining, base
        self.asks, self.chooser = chooser
        self.done = 0
        self.test: Callable[[Run], bool] = lambda run: True

    def __call__(self, run: Run, env: Env) -> Stop | None:
        """Choose among those that can act; when none can, go on, but fail if none has acted yet."""
        members = self.candidates(run, env)
        if members:
            return self.of(run, members)
        if not env[self.remaining][0]:
            return FAIL
        run.pc = self.done
        return None

    def candidates(self, run: Run, env: Env) -> Sequence[int]:
        return [member for member in env[self.remaining][1:] if member >= 0 and self._can(run, member)]

    def _can(self, run: Run, member: int) -> bool:
        mark = run.mark()
        self._begin(run, member)
        able = self.test(run)
        run.undo(mark)
        return able

    def _begin(self, run: Run, member: int) -> None:
        left = tuple(other for other in run.env[self.remaining][1:] if other != member)
        run.put(self.place, member)
        run.put(self.remaining, (1, *left))

    def take(self, run: Run, candidate: int) -> Signal | None:
        if run.joined:
            # Whoever carries the text has been named where it is known, and goes without saying.
            itself = self.base == "piece" and candidate == run.env[THIS]
            run.notes.append((self.key + SETTLED if itself else self.key, self.base, candidate))
        self._begin(run, candidate)
        return None

    def decider(self, run: Run) -> int:
        return self.chooser(run, run.env)
