"""The candidates for an act in C: candidates that are permitted and not forbidden.

In these texts `one` is the candidate in question, and `bearer` the piece that carries a rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warchest.ir.parts import nodes_in, variables_in
from warchest.ir.ruleset import AGENT, THIS, YOU, Domain, Rule
from warchest.ir.values import All, Condition, Const, HeldIn, InPiece, Set, Tokens, Value, Var, asks_nothing
from warchest.lowering.code import UNSET, Act, PickRole
from warchest.native.c_units import ARGUMENTS, UNUSED, Unit

WAYS = 64
"""A definition as a candidate is its number times this, plus the piece that carries it, counted from 1."""
KnownRoles = Mapping[int, str]
"""The variables of an act, each with the expression for it; those left out are in its own frame."""


class Permits:
    """Writes the permissions and prohibitions of an act, for a unit."""

    def __init__(self, unit: Unit, act: Act) -> None:
        self.unit, self.act, self.write, self.layout = unit, act, unit.write.of_act(), unit.layout

    # ---- prohibitions

    def forbidden(self) -> str:
        """Return the name of the function that tests whether the act is forbidden with the roles in `e`."""
        name = self.unit.shared(f"forbidden_{self.act.number}")
        if self.unit.places.unit(self.act.routine) == self.unit.number and name not in self.unit.written:
            self.unit.written.add(name)
            tests = "\n".join(f"if ({test}) return 1;" for test in self.prohibitions(self.act.rules, {}))
            self.unit.define(name, ARGUMENTS, f"{UNUSED}\n{tests}\nreturn 0;")
        return name

    def forbids(self, rule: Rule, known: KnownRoles) -> str:
        """Return the condition under which a rule forbids the act."""
        if rule.carrier < 0:
            return self.write.reading(known).condition(rule.condition)
        carried, test = self._carried(rule, known)
        write = self.write.reading({**known, **carried})
        condition = write.condition(rule.condition)
        if rule.this_role < 0:
            token = self._lies_in_bearer(rule)
            if token is not None:
                holder = f"holder_of({write.value(token)})"
                test = f"bearer >= 0 && has({test}, bearer) && {condition}"
                return f"({{const int bearer = {holder} - {self.layout.first_piece_holder}; {test};}})"
            enough = "" if self._is_probed(rule) else " break;"
            found = f"int found = 0; {self._bearers(rule, f'if ({condition}) {{found = 1;{enough}}}')}"
            return f"({{{found} found;}})"
        return f"({test} && {condition})"

    def _is_probed(self, *parts: Rule | Domain | Condition) -> bool:
        """Whether any tested part is probed, so that all parts are tested, one after the other."""
        return self.write.lowering.is_probed(parts)

    def _lies_in_bearer(self, rule: Rule) -> Value | None:
        """Return the token that a rule requires to be in the piece that bears the rule's text; None for other rules."""
        parts = rule.condition.conditions if isinstance(rule.condition, All) else (rule.condition,)
        if self._is_probed(rule) or self.layout.first_piece_holder + self.layout.room != self.layout.holders:
            return None
        for part in parts:
            if isinstance(part, HeldIn) and part.holders == (InPiece(Var(THIS, "piece")),):
                return part.token if THIS not in variables_in(part.token) else None
        return None

    def prohibitions(self, rules: Sequence[Rule], known: KnownRoles) -> list[str]:
        """Return the conditions under which some rules forbid the act; they first test whether a piece bears any."""
        if self._is_probed(*rules):
            return [self.forbids(rule, known) for rule in rules]
        groups: dict[str, list[Rule]] = {}
        for rule in sorted(rules, key=lambda rule: rule.carrier >= 0):
            groups.setdefault(self._of_bearer(rule, known), []).append(rule)
        found: list[str] = []
        for bearer, group in groups.items():
            tests = [self.forbids(rule, known) for rule in group]
            if bearer and len(group) > 1:
                bearers = self.write.bearers([rule.carrier for rule in group])
                tests = [f"({bearer} >= 0 && has({bearers}, {bearer}) && ({' || '.join(tests)}))"]
            found += tests
        return found

    def _of_bearer(self, rule: Rule, known: KnownRoles) -> str:
        """Return the piece that must bear the text of a rule, and has a role in the act; empty if there is none."""
        place = AGENT + rule.this_role
        if rule.carrier < 0 or rule.this_role < 0 or self.act.bases[place] == "token":
            return ""
        return known.get(place, f"e[{place}]")

    def allowed(self, rules: Sequence[Rule], known: KnownRoles, place: int = -1) -> tuple[str, str]:
        """Return the test that `one`, which goes into a variable, is allowed, unless it is in a set of spaces."""
        masks = {number: self._mask(rule, known, place) for number, rule in enumerate(rules)}
        tests = self.prohibitions([rule for number, rule in enumerate(rules) if not masks[number]], known)
        return (f"!({' || '.join(tests)})" if tests else ""), " | ".join(filter(None, masks.values()))

    def _mask(self, rule: Rule, known: KnownRoles, place: int) -> str:
        """Return the set of the spaces that a rule forbids for a role; empty if it is not a set of bits."""
        parts = [one for one in nodes_in(rule.condition) if isinstance(one, Var) and one.id == place]
        if rule.carrier >= 0 or not parts or not self.write.small:
            return ""
        if self.act.bases[place] != "space":
            return ""
        return self.write.reading(known).spaces_where(parts[0], rule.condition)

    # ---- permissions

    def role(self, one: PickRole) -> str:
        """Return the statements that find the candidates for a role."""
        act, domains = self.act, self.act.domains
        if self._is_probed(*act.rules, *domains[one.role]):
            return self._role_one_by_one(one)
        early = self.early(one)
        late = [rule for rule in act.rules if rule not in early]
        tests = " || ".join(self.prohibitions(early, {}))
        text = f"if ({tests}) return 0;" if early else ""
        still = [f"e[{place}] == {UNSET}" for place in range(one.place + 1, act.way_place)]
        allowed, bad = self.allowed(late, {one.place: "one"}, one.place)
        if late and any(domains[one.role + 1 :]):
            # It is forbidden with all roles only.
            text += f"const int open = {' || '.join(still)};"
            allowed, bad = f"(open || {allowed or '1'})", f"open ? 0 : {bad}" if bad else ""
        text += f"const uint64_t bad = {bad};" if bad else ""
        for domain in domains[one.role]:
            text += self._permitted(domain, len(domains[one.role]) > 1, allowed, "bad" if bad else "")
        return text + self._in_order(one)

    def _in_order(self, one: PickRole) -> str:
        """Return the statements that leave out pieces with a pending consequence, and sort the others."""
        return f"{self.unit.without_due()} by_place(r, out, count);" if self.act.bases[one.place] == "piece" else ""

    def _role_one_by_one(self, one: PickRole) -> str:
        """Return the statements with probes: rules are tested for each of the permitted candidates in turn."""
        act, row = self.act, self.act.domains[one.role]
        text = "".join(self._permitted(domain, True, "", "") for domain in row)
        text += self._in_order(one)
        still = [f"e[{place}] == {UNSET}" for place in range(one.place + 1, act.way_place)]
        allowed, _ = self.allowed(act.rules, {one.place: "one"})
        if not allowed:
            return text
        text += f"if ({' || '.join(still)}) return count;" if still else ""
        each = f"const int one = out[number]; if ({allowed}) out[left++] = one;"
        return f"{text} {{int left = 0; for (int number = 0; number < count; number++) {{{each}}} count = left;}}"

    def early(self, one: PickRole) -> list[Rule]:
        """Return the rules that forbid the act with every candidate for a role."""
        alone = sum(1 for row in self.act.domains if row) == 1
        return [rule for rule in self.act.rules if alone and self._is_early(one, rule)]

    def _is_early(self, one: PickRole, rule: Rule) -> bool:
        return rule.this_role != one.role + 1 and one.place not in variables_in(rule.condition)

    def _permitted(self, domain: Domain, several: bool, allowed: str, bad: str) -> str:
        """Return the statements that add the candidates of a domain, each once, if it is `allowed` and not in `bad`."""
        if domain.carrier < 0:
            return self._added(domain, {}, several, allowed, bad)
        known, test = self._carried(domain, {})
        if domain.this_role < 0:
            return self._bearers(domain, self._added(domain, known, several, allowed, bad))
        return self._added(domain, known, several, allowed, bad, test)

    def _added(self, domain: Domain, known: KnownRoles, several: bool, allowed: str, bad: str, *tests: str) -> str:
        write = self.write.reading(known)
        if not asks_nothing(domain.applies):
            tests += (write.condition(domain.applies),)
        asked = [*(["!is_among(out, count, one)"] if several else []), *([allowed] if allowed else [])]
        put = f"if ({' && '.join(asked)}) out[count++] = one;" if asked else "out[count++] = one;"
        loop = write.loop(domain.among, f"const int one = {write.value(domain.among.var)}; {put}", bad)
        return f"if ({' && '.join(tests)}) {{{loop}}}" if tests else f"{{{loop}}}"

    def ways(self) -> str:
        """Return the statements that find the definitions of the act; each goes with the piece that carries it."""
        return "".join(self.way(number, "out[count++] = {};") for number in range(len(self.act.ways)))

    def way(self, number: int, body: str) -> str:
        """Return the statements that do `body` for each candidate of a definition, which replaces `{}` in `body`."""
        way, applies = self.act.ways[number], self.act.verb.definitions[number].applies
        if way.carrier < 0:
            test = "" if way.always else f"if ({self.write.condition(applies)}) "
            return f"{test}{body.replace('{}', f'{number * WAYS + 1} + e[{THIS}]', 1)}\n"
        bearers, this = self.write.bearers([way.carrier]), f"e[{AGENT}]"
        if not self.act.by_piece:
            this = "bearer"
        write = self.write.reading({THIS: this})
        test = f"{write.decider(this)} == e[{YOU}] && {write.condition(applies)}"
        add = body.replace("{}", f"{number * WAYS + 1} + {this}", 1)
        # A piece acts in ways of its own, not in those of another one.
        if self.act.by_piece:
            return f"if (has({bearers}, {this}) && {test}) {add}\n"
        early = not self._is_probed(applies) and THIS not in variables_in(applies)
        first = f"{bearers} && {write.condition(applies)}" if early else bearers
        return f"""if ({first}) {{
  int32_t pieces[ROOM];
  const int many = members_of({bearers}, pieces);
  by_place(r, pieces, many);
  for (int at = 0; at < many; at++) {{ const int bearer = pieces[at]; (void)bearer; if ({test}) {add} }}
}}
"""

    # ---- rules on documents

    def _bearers(self, rule: Rule | Domain, body: str) -> str:
        """Return the loop through the pieces that carry a rule."""
        each = f"const int bearer = first_of(bearers); (void)bearer; {body}"
        bearers = self.write.bearers([rule.carrier])
        return f"for (PieceSet bearers = {bearers}; bearers; bearers &= bearers - 1) {{{each}}}"

    def _carried(self, rule: Rule | Domain, known: KnownRoles) -> tuple[KnownRoles, str]:
        """Return the texts of `this` and `you` for the bearer of the document of a rule, and the test for it."""
        place = AGENT + rule.this_role
        this = "bearer" if rule.this_role < 0 else known.get(place, f"e[{place}]")
        if rule.this_role >= 0 and self.act.bases[place] == "token":
            return {THIS: this}, f"{this} >= 0 && document_of({this}) == {rule.carrier}"
        borne = {THIS: this, YOU: self.write.decider(this)}
        bearers = self.write.bearers([rule.carrier])
        test = bearers if rule.this_role < 0 else f"{this} >= 0 && has({bearers}, {this})"
        return borne, test


def is_plain_zone(among: Set) -> bool:
    """Whether a set is all tokens of some holders."""
    return isinstance(among.members, Tokens) and not among.filters


def is_unset(value: Value) -> bool:
    """Whether a variable of an order is left to be chosen."""
    return isinstance(value, Const) and value.value == UNSET
