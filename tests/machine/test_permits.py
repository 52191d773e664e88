"""What is written as one function says the same as the rules one by one, for one thing after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

import pytest

import warchest
from loaded import shipped
from warchest.machine import permits
from warchest.machine.acts import Act
from warchest.machine.binding import members_of
from warchest.machine.changes import by_place
from warchest.machine.permits import ONE, UNSET, Permits
from warchest.machine.run import Env, Run
from warchest.rules.ruleset import AGENT, FIXED, YOU, Rule
from warchest.rules.values import Set

asked: Counter[str] = Counter()


class Slowly:
    """The rules of an act, one by one."""

    def __init__(self, act: Act) -> None:
        self.act, self.program, self.binder = act, act.program, act.program.binder

    def scopes(self, run: Run, env: Env, carrier: int, role: int) -> Iterator[Env]:
        """The variables for a rule, for each thing that carries it."""
        if carrier < 0:
            yield env
            return
        layout = self.program.layout
        bearers = run.memory[layout.of_document + carrier]
        value = env[AGENT + role] if role >= 0 else -1
        if role >= 0 and self.act.bases[AGENT + role] == "token":
            if value >= 0 and value % layout.documents == carrier:
                yield (value, *env[1:])
            return
        for this in members_of(bearers) if role < 0 else (value,) if value >= 0 and bearers >> value & 1 else ():
            yield (this, self.program.decider(run, this), *env[2:])

    def forbidding(self, run: Run, env: Env) -> list[Rule]:
        return [
            rule for rule in self.act.rules
            if any(self.binder.test(rule.condition)(run, scope)
                   for scope in self.scopes(run, env, rule.carrier, rule.this_role))
        ]  # fmt: skip

    def ordered(self, run: Run, found: Sequence[int], base: str) -> list[int]:
        return list(by_place(run, self.program.layout, found) if base == "piece" else found)

    def role(self, run: Run, env: Env, role: int) -> list[int]:
        roles, place = env[: self.act.way_place], FIXED + role
        found: list[int] = []
        for domain in self.act.domains[role]:
            for scope in self.scopes(run, roles, domain.carrier, domain.this_role):
                if self.binder.test(domain.applies)(run, scope):
                    found += [one for one in self.binder.gather(domain.among)(run, scope) if one not in found]
        found = self.ordered(run, found, self.act.bases[place])
        if UNSET in roles[place + 1 :]:
            return found
        return [one for one in found if not self.forbidding(run, (*roles[:place], one, *roles[place + 1 :]))]

    def ways(self, run: Run, env: Env) -> list[int]:
        found = []
        for number, definition in enumerate(self.act.verb.definitions):
            applies = self.binder.test(definition.applies)
            if definition.carrier < 0:
                found += [number * 64 + env[0] + 1] if applies(run, env) else []
                continue
            bearers = members_of(run.memory[self.program.layout.of_document + definition.carrier])
            for this in self.ordered(run, bearers, "piece"):
                own = self.act.verb.by != "piece" or this == env[AGENT]
                if own and self.program.decider(run, this) == env[YOU] and applies(run, (this, *env[1:])):
                    found.append(number * 64 + this + 1)
        return found


def compared(what: str, quick: Callable[[Run, Env], object], slow: Callable[[Run, Env], object]) -> Callable:
    def both(run: Run, env: Env) -> object:
        found = quick(run, env)
        asked[what] += 1
        assert (list(found) if isinstance(found, list | tuple) else found) == slow(run, env), what
        return found

    return both


class Compared(Permits):
    """Writes functions that are compared with the slow way whenever they are called."""

    def role(self, role: int, early: Sequence[Rule], late: Sequence[Rule]) -> list[str]:
        slow, quick = Slowly(self.act), self.binder.lines([*super().role(role, early, late), "return found"])
        both = compared("role", quick, lambda run, env: slow.role(run, env, role))
        return [f"found = {self.binder.writer.constant(both)}(run, e)"]

    def member(self, among: Set, known: Mapping[int, str]) -> Callable:
        slow, binder = Slowly(self.act), self.binder
        names = [known[number] for number in range(self.act.way_place)]
        roles = binder.lines([f"return ({', '.join(names)},)"], f"run, e, {ONE}")

        def one_by_one(run: Run, env: Env) -> list[int]:
            found = slow.ordered(run, binder.gather(among)(run, env), among.var.base)
            return [one for one in found if not slow.forbidding(run, roles(run, env, one))]

        return compared("member", super().member(among, known), one_by_one)

    def first_forbidding(self) -> Callable:
        slow = Slowly(self.act)
        return compared(
            "forbidding", super().first_forbidding(), lambda run, env: next(iter(slow.forbidding(run, env)), None)
        )

    def ways(self) -> Callable:
        return compared("ways", super().ways(), Slowly(self.act).ways)


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_one_function_says_what_the_rules_say_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("act_sites", "acts", "sites"):
        monkeypatch.setattr(f"warchest.machine.{module}.Permits", Compared)
    assert permits.Permits is Permits
    asked.clear()
    game = warchest.load(name)
    for seed in range(3):
        rng, state = Random(seed), game.new(seed=seed)
        for _ in range(60):
            if state.decision is None:
                break
            state.apply(state.decision.sample(rng))
    assert all(asked[what] > 30 for what in ("role", "ways", "forbidding")), asked


def test_what_forbids_is_found_first_and_all() -> None:
    state = shipped().new(seed=1)
    for act in state.variant.program.acts:
        env = (-1,) * act.way_place
        found = act.all_forbidding(state.run, env)
        assert act.forbidden_by(state.run, env) == (found[0] if found else None)
