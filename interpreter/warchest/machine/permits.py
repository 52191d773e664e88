"""What may be chosen for an act, as one Python function: what is permitted, without what is forbidden.

The functions say what `Act.permitted` and `Act.forbidden_by` say one thing at a time, for all candidates at once. They
are written when they are first needed, because a game has many acts that are seldom thought of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from warchest.machine.binding import Binder, Gather
from warchest.rules.ruleset import AGENT, FIXED, THIS, YOU, Domain, Rule
from warchest.rules.values import Set, asks_nothing

if TYPE_CHECKING:
    from warchest.machine.acts import Act
    from warchest.machine.run import Env, Run

UNSET = -2
"""The value of a role that is still to be chosen."""
ONE = "one"
"""The candidate that is looked at, in an expression."""
Known = Mapping[int, str]
"""The variables of an act, each with the expression for it; those that are left out stand in its own frame."""


class Permits:
    """Writes the functions for an act. In them `m` is the memory, `e` the variables, `found` the candidates so far."""

    def __init__(self, act: Act, binder: Binder | None = None) -> None:
        self.act, self.layout = act, act.program.layout
        self.binder = binder or act.program.binder

    def role(self, role: int, early: Sequence[Rule], late: Sequence[Rule]) -> list[str]:
        """Return the lines by which what may fill a role is `found`, or which return that there is nothing.

        The `early` rules forbid the act whatever fills it, the `late` ones are asked of each candidate.
        """
        place = FIXED + role
        lines = [f"if {' or '.join(self.forbids(rule, {}) for rule in early)}: return ()"] if early else []
        lines += self._permitted(self.act.domains[role])
        if self.act.bases[place] == "piece":
            lines += self._ordered()
        if late and any(self.act.domains[role + 1 :]):
            lines.append(f"if {UNSET} in e[{place + 1}:{self.act.way_place}]: return found")
        return [*lines, *self._left(late, {place: ONE})]

    def member(self, among: Set, known: Known) -> Gather:
        """Return the function that lists the members of a set with which an act is not forbidden."""
        lines = [f"found = {self.binder.writer.members(among)}"]
        if among.var.base == "piece":
            lines += self._ordered()
        return self._function([*lines, *self._left(self.act.rules, known)])

    def first_forbidding(self) -> Callable[[Run, Env], Rule | None]:
        """Return the function that finds the first rule that forbids the act; the variables are those of its roles."""
        name = self.binder.writer.constant
        return self.binder.lines([f"if {self.forbids(rule, {})}: return {name(rule)}" for rule in self.act.rules])

    def all_forbidding(self) -> Callable[[Run, Env], list[Rule]]:
        """Return the function that finds every rule that forbids the act."""
        name = self.binder.writer.constant
        lines = [f"if {self.forbids(rule, {})}: found.append({name(rule)})" for rule in self.act.rules]
        return self.binder.lines(["found = []", *lines, "return found"])

    def standing(self, role: int) -> Callable[[Run, Env], list[Domain]]:
        """Return the function that lists what is said of a role in general, and by what those carry it is about."""
        name, lines = self.binder.writer.constant, list[str]()
        for domain in self.act.domains[role]:
            test = "True" if domain.carrier < 0 else self._carried(domain, {})[1]
            lines.append(f"if {test}: found.append({name(domain)})")
        return self.binder.lines(["found = []", *lines, "return found"])

    def ways(self) -> Callable[[Run, Env], list[int]]:
        """Return the function that lists the ways an act can be done."""
        lines = [line for number in range(len(self.act.ways)) for line in self._way(number)]
        return self.binder.lines(["found = []", *lines, "return found"])

    def _way(self, number: int) -> list[str]:
        """Return the lines that add one way; it goes with the piece on whose document it stands, if any."""
        way, applies = self.act.ways[number], self.act.verb.definitions[number].applies
        if way.carrier < 0:
            test = "" if way.always else f"if {self.binder.writer.condition(applies)}: "
            return [f"{test}found.append({number * 64 + 1} + e[{THIS}])"]
        bearers, this = f"m[{self.layout.of_document + way.carrier}]", f"e[{AGENT}]"
        if self.act.verb.by != "piece":
            this = "this"
        writer = self.binder.writer.reading({THIS: this})
        test = f"{writer.decider(this)} == e[{YOU}] and {writer.condition(applies)}"
        added = f"found.append({number * 64 + 1} + {this})"
        # What a piece does is done in ways of its own, not in those of another one.
        if self.act.verb.by == "piece":
            return [f"if {bearers} >> {this} & 1 and {test}: {added}"]
        members = f"by_place(run, {writer.constant(self.layout)}, members_of({bearers}))"
        return [f"for this in {members}:", f" if {test}: {added}"]

    def _function(self, lines: Iterable[str]) -> Gather:
        return self.binder.lines([*lines, "return found"])

    def _ordered(self) -> list[str]:
        return [f"if len(found) > 1: found = by_place(run, {self.binder.writer.constant(self.layout)}, found)"]

    # ---- what is permitted

    def _permitted(self, domains: Sequence[Domain]) -> list[str]:
        if len(domains) == 1 and domains[0].always:
            return [f"found = {self.binder.writer.members(domains[0].among)}"]
        return ["found = []", *(line for domain in domains for line in self._of(domain))]

    def _of(self, domain: Domain) -> list[str]:
        """Return the lines that add what a domain permits."""
        if domain.carrier < 0:
            return self._added(domain, {})
        known, test = self._carried(domain, {})
        if domain.this_role < 0:
            return [f"for this in {self._carriers(domain)}:", *(" " + line for line in self._added(domain, known))]
        return self._added(domain, known, test)

    def _added(self, domain: Domain, known: Known, *tests: str) -> list[str]:
        writer = self.binder.writer.reading(known)
        if not asks_nothing(domain.applies):
            tests += (writer.condition(domain.applies),)
        members = f"({writer.members(domain.among)})"
        lines = [f"if found: found += [one for one in {members} if one not in found]", f"else: found = [*{members}]"]
        return [f"if {' and '.join(tests)}:", *(" " + line for line in lines)] if tests else lines

    # ---- what is forbidden

    def _left(self, rules: Sequence[Rule], known: Known) -> list[str]:
        """Return the lines that leave out what is forbidden, first by what anybody may be asked."""
        general = [rule for rule in rules if rule.carrier < 0]
        special = [rule for rule in rules if rule.carrier >= 0]
        lines = [self._without(general, known)] if general else []
        if special:
            apt = " or ".join(self._apt(rule, known) for rule in special)
            lines.append(f"if found and ({apt}): {self._without(special, known)}")
        return lines

    def _without(self, rules: Iterable[Rule], known: Known) -> str:
        return f"found = [one for one in found if not ({' or '.join(self.forbids(rule, known) for rule in rules)})]"

    def _apt(self, rule: Rule, known: Known) -> str:
        """Return what must hold for a rule on a document to forbid any candidate."""
        carried, test = self._carried(rule, known)
        if ONE not in carried[THIS]:
            return test
        return self._bearers(rule) if YOU in carried else "True"

    def forbids(self, rule: Rule, known: Known) -> str:
        """Return the condition under which a rule forbids the act."""
        writer = self.binder.writer
        if rule.carrier < 0:
            return f"({writer.reading(known).condition(rule.condition)})"
        carried, test = self._carried(rule, known)
        condition = writer.reading({**known, **carried}).condition(rule.condition)
        if rule.this_role < 0:
            return f"any([{condition} for this in {self._carriers(rule)}])"
        return f"({test} and {condition})"

    # ---- what stands on documents

    def _bearers(self, rule: Rule | Domain) -> str:
        return f"m[{self.layout.of_document + rule.carrier}]"

    def _carriers(self, rule: Rule | Domain) -> str:
        return f"members_of({self._bearers(rule)})"

    def _carried(self, rule: Rule | Domain, known: Known) -> tuple[Known, str]:
        """Return how `this` and `you` are written for what carries a rule on a document, and the test that it does.

        Where any piece can carry it (`this_role` -1), `this` goes through these, and the test is that there is one.
        """
        place = AGENT + rule.this_role
        this = "this" if rule.this_role < 0 else known.get(place, f"e[{place}]")
        if rule.this_role >= 0 and self.act.bases[place] == "token":
            return {THIS: this}, f"{this} >= 0 and {this} % {self.layout.documents} == {rule.carrier}"
        borne = {THIS: this, YOU: self.binder.writer.decider(this)}
        bearers = self._bearers(rule)
        return borne, bearers if rule.this_role < 0 else f"{this} >= 0 and {bearers} >> {this} & 1"
