"""Rules as sentences: definitions, permissions, prohibitions and hooks, as they were understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

from warchest.ir import steps as ir
from warchest.ir.ruleset import (
    AGENT,
    Definition,
    Domain,
    Hook,
    InitialValue,
    Role,
    Rule,
    StandingChange,
    StateRule,
    Verb,
)
from warchest.ir.values import All, CausedBy, Condition, FieldOf, Not, Ring, Var
from warchest.paraphrase.orders import Orders
from warchest.paraphrase.phrase_wording import Unsaid
from warchest.resolve.announce import Carrier
from warchest.resolve.budgets import limit_in, uncounted, without_limit
from warchest.resolve.builtin import asked_player, scope_of_offer
from warchest.resolve.conditions import having_said
from warchest.resolve.event_patterns import event_scope, read_pattern, roles_of, state_scope, subject_fits, this_of
from warchest.resolve.initial_values import beginning_scope
from warchest.resolve.lasting import ends_grant, is_of_time
from warchest.resolve.moments import act_of, said_of_act
from warchest.resolve.rules import way_scope
from warchest.resolve.sets import Defined, defined_scope, fact_scope
from warchest.resolve.settled import number_of, standing_scope
from warchest.resolve.sides import actor_of, for_role
from warchest.resolve.single_sentences import FREE, Fact, Meaning, untouched
from warchest.resolve.times import EDGES, time_scope, times_of
from warchest.resolve.types import Scope, Typed
from warchest.syntax import ast


class Paraphrase(Orders):
    """Finds sentences for rules; a sentence is taken only if it is read as the same rules."""

    def sentences(self, meanings: Sequence[Meaning]) -> list[ast.Sentence]:
        """Return the sentences for the rules of one sentence, or for a block of steps; raises Unsaid."""
        self.endings = [one.rule for one in meanings if ends_grant(one.rule)]
        left = _said(meanings)
        said: list[ast.Sentence] = []
        while left:
            first = left[0]
            if first.kind == "steps":
                assert first.scope is not None
                said += self.whole(self.begun(first.rule), first.scope)  # type: ignore[arg-type]
                left = left[1:]
                continue
            sentence, used = self._sentence(left)
            said.append(sentence)
            left = [one for one in left if one not in used]
        return said

    def _sentence(self, meanings: Sequence[Meaning]) -> tuple[ast.Sentence, Sequence[Meaning]]:
        """Return a sentence for the first of some rules, with all rules that it makes."""
        first = meanings[0]
        if isinstance(first.about, int) and first.roles:
            roles = self.model.ruleset.verbs[first.about].roles
            if tuple(roles) != first.roles:
                with untouched(self.reader):
                    roles[:] = first.roles
                    return self._sentence(meanings)
        for sentence in self._tried(self._rules, first):
            read = self.read(self.desk.rules, sentence, first.carrier)
            rest = _said(read or ())
            if first in rest and all(one in meanings for one in rest):
                return sentence, rest
        raise Unsaid(f"a rule of the kind {first.kind!r}")

    def _rules(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        for order in self._kinds(meaning):
            yield from self._tried(order, meaning)

    def _kinds(self, meaning: Meaning) -> tuple[Callable[[Meaning], Iterator[ast.Sentence]], ...]:
        match meaning.rule:
            case Definition():
                return (self._ways,)
            case Domain():
                return (self._permissions,)
            case Rule():
                return (self._prohibitions,)
            case Hook():
                return (self._hooks,)
            case StateRule():
                return (self._state_rules,)
            case StandingChange():
                return (self._standing,)
            case InitialValue():
                return (self._beginnings,)
            case Defined():
                return (self._words,)
            case Fact():
                return (self._fact_sentences,)
        return (self._values,)

    # ---- verbs

    def _verb(self, meaning: Meaning) -> Verb:
        assert isinstance(meaning.about, int)
        return self.model.ruleset.verbs[meaning.about]

    def _nothing(self) -> ast.Arguments:
        return ast.Arguments(None, (), span=self.span)

    def _ways(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        """Yield definitions; the first one names the parts of its verb, so it uses the nouns of these parts."""
        for own in (True, False):
            with suppress(Unsaid):
                yield from self._way(meaning, own)

    def _way(self, meaning: Meaning, own: bool) -> Iterator[ast.Sentence]:
        way, verb = meaning.rule, self._verb(meaning)
        assert isinstance(way, Definition) and isinstance(way.applies, All)
        if verb.moment_of >= 0:
            yield self._moment_defined(meaning, way)
            return
        word = self.word(verb.name)
        scope, (_, *roles) = way_scope(self.reader, verb, self._nothing(), meaning.carrier)
        said = self.slots(
            list(way.applies.conditions),
            roles,
            [scope.before(*roles[index:]) for index in range(len(roles))],
            lambda slots: read_pattern(
                self.reader, word, self.arguments(verb, slots), verb, roles, scope, defined=True
            ),
            own=own,
        )
        filled = [words or self._any(role) for words, role in zip(said, verb.roles, strict=True)]
        arguments = self.arguments(verb, filled)
        inner, _ = way_scope(self.reader, verb, arguments, meaning.carrier)
        steps = self.begun(way.code.steps)
        if verb.yields:
            steps = steps[:-1]
        yield ast.DefineVerb(word, arguments, self.order(steps, inner), span=self.span)

    def _moment_defined(self, meaning: Meaning, way: Definition) -> ast.Sentence:
        """Return the definition of a moment; adjectives give the conditions on its act."""
        verb = self._verb(meaning)
        scope, _ = way_scope(self.reader, verb, self._nothing(), meaning.carrier)
        act = self.phrase("its" if meaning.carrier.number >= 0 else "a", act_of(self.model, verb).noun)
        applies = way.applies.conditions if isinstance(way.applies, All) else (way.applies,)
        said = replace(act, adjectives=tuple(self.act_is(condition, scope) for condition in applies))
        step = self.order(self.begun(way.code.steps), scope)
        return ast.DefineVerb(self.word(verb.name), self._nothing(), step, said, span=self.span)

    def _any(self, role: Role) -> ast.Phrase:
        """Return the phrase for any filler of a role, or for any amount if the role is a number."""
        return self.phrase("" if role.is_quantity else "a", role.noun)

    # ---- events

    def event(
        self, meaning: Meaning, this_role: int, conditions: Sequence[Condition]
    ) -> Iterator[tuple[ast.NounPhrase, ast.Arguments, list[Condition]]]:
        """Yield subjects and arguments for an event, with the conditions that they leave unsaid."""
        verb = self._verb(meaning)
        this = ast.Pronoun("this", span=self.span)
        fixed: dict[int, ast.NounPhrase] = {this_role: this} if this_role >= 0 else {}
        for count in range(len(conditions), -1, -1):
            front, rest = list(conditions[:count]), list(conditions[count:])
            cause = rest.pop(0) if rest and isinstance(rest[0], CausedBy) else None
            for subject in self._subjects(verb, this_role):
                anybody = self.phrase("a", verb.agent_noun) if verb.by != "game" and this_role != 0 else subject
                spoken = anybody if subject is None else subject
                scope, known, _ = event_scope(self.reader, spoken, self._nothing(), verb, meaning.carrier)
                if this_role > 0:
                    here = this_of(meaning.carrier, verb.roles[this_role - 1].base)
                    scope = replace(scope, this=here)
                agents = {**fixed, **({0: subject} if subject is not None and 0 not in fixed else {})}
                try:
                    scopes = self._slot_scopes(verb, spoken, known, scope)
                    read = self._understood(meaning, verb, this_role, known, scope)
                    slots = self.slots(front, known, scopes, read, agents)
                    roles = () if cause is None else (self._by_cause(verb, cause, scope),)
                except Unsaid:
                    continue
                who = slots[0] or self.phrase("a", verb.agent_noun if verb.by == "piece" else "player")
                filled = [
                    words or (None if verb.is_source(role) else self._any(role))
                    for words, role in zip(slots[1:], verb.roles, strict=True)
                ]
                arguments = self.arguments(verb, filled)
                yield who, replace(arguments, roles=(*arguments.roles, *roles)), rest

    def _slot_scopes(
        self, verb: Verb, subject: ast.NounPhrase | None, known: Sequence[Typed], scope: Scope
    ) -> list[Scope]:
        around, actor = scope.from_here(known[0]), actor_of(subject, known[0], scope)
        return [
            replace(scope, mentions=()).from_here(scope.this),
            *(
                for_role(self.reader, around.before(*known[index:]), role, actor)
                for index, role in enumerate(verb.roles, 1)
            ),
        ]

    def _subjects(self, verb: Verb, this_role: int) -> Iterator[ast.NounPhrase | None]:
        if this_role == 0:
            yield ast.Pronoun("this", span=self.span)
        elif verb.by == "game":
            yield self.phrase("the", "game")
        else:
            yield None
            if verb.by == "player":
                yield ast.Pronoun("you", span=self.span)

    def _understood(
        self, meaning: Meaning, verb: Verb, this_role: int, known: Sequence[Typed], scope: Scope
    ) -> Callable[[list[ast.NounPhrase | None]], object]:
        def read(slots: list[ast.NounPhrase | None]) -> object:
            agent, *roles = known
            found = subject_fits(self.reader, slots[0], agent, verb, meaning.carrier, scope)
            word, arguments = self.word(verb.name), self.arguments(verb, slots[1:])
            around = scope.from_here(agent)
            actor = actor_of(slots[0] or self.phrase("a", verb.agent_noun), agent, scope)
            said = read_pattern(self.reader, word, arguments, verb, roles, around, this_role=this_role, actor=actor)
            return [*found, *said]

        return read

    def _by_cause(self, verb: Verb, cause: Condition, scope: Scope) -> ast.RolePhrase:
        """Return the words `by …` for a cause; `for …` if the verb takes a number after `by`."""
        word = "for" if any(role.word == "by" for role in verb.roles) else "by"
        return ast.RolePhrase(word, self._cause(cause, scope), span=self.span)

    def _cause(self, cause: Condition, scope: Scope) -> ast.NounPhrase:
        """Return the words for a cause: a name, or the noun of an act."""
        assert isinstance(cause, CausedBy)
        if cause.document >= 0:
            return replace(self.phrase("a", ""), head=self.name(cause.document))
        number = next(
            (
                one
                for one in range(len(self.model.ruleset.verbs))
                if frozenset(self.model.ruleset.with_moments(one)) == frozenset(cause.verbs)
            ),
            -1,
        )
        if number < 0:
            raise Unsaid("an act among several")
        noun = self.model.ruleset.verbs[number].act
        return self.phrase("a", noun) if cause.agent is None else self._of(noun, cause.agent, scope)

    # ---- permissions and prohibitions

    def _permissions(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        domain, verb = meaning.rule, self._verb(meaning)
        assert isinstance(domain, Domain) and isinstance(domain.applies, All)
        applies = without_limit(domain.applies.conditions)
        for subject, arguments, rest in self.event(meaning, domain.this_role, applies):
            scope, known, _ = event_scope(self.reader, subject, arguments, verb, meaning.carrier)
            agent = known[0]
            around = scope.before(*known[domain.role + 1 :]).from_here(agent if agent.base == "piece" else scope.this)
            try:
                guard = self.guard(rest, scope)
            except Unsaid:
                continue
            word = self.word(verb.name)
            role, actor = verb.roles[domain.role], actor_of(subject, agent, scope)
            for phrase in self._domains(domain, for_role(self.reader, around, role, actor)):
                place = ast.RolePhrase(role.word, phrase, span=self.span)
                whole = self._arranged(verb, [*roles_of(arguments), place])
                limit = self._limit_of_acts(domain.applies.conditions, verb)
                yield from self._permitting(subject, word, whole, guard, meaning, limit)

    def _permitting(
        self,
        subject: ast.NounPhrase,
        word: ast.Word,
        whole: ast.Arguments,
        guard: tuple[str, ast.Proposition] | None,
        meaning: Meaning,
        limit: ast.Limit | None = None,
    ) -> Iterator[ast.Sentence]:
        may: ast.May | ast.Limited = ast.May(subject, (word,), whole, (), span=self.span)
        if limit is not None:
            may = ast.Limited(limit, may, span=self.span)
        if guard is not None:
            yield ast.Guarded(may, *guard, span=self.span)
        elif meaning.carrier.number < 0:
            yield ast.Normally(ast.Do(subject, word, whole, (), span=self.span), span=self.span)
        yield may

    def _limit_of_acts(self, conditions: Sequence[Condition], verb: Verb) -> ast.Limit | None:
        """Return the limit of acts that is among the conditions of a rule; None if there is no limit."""
        agent = Typed(Var(AGENT, "piece"), "piece", verb.agent_noun) if verb.by == "piece" else None
        return self.limit(conditions, replace(FREE, this=agent))

    def _arranged(self, verb: Verb, said: Sequence[ast.RolePhrase]) -> ast.Arguments:
        """Return the arguments of a verb in the order of its roles."""
        by_word = {role.word: role.phrase for role in said}
        known = [role.word for role in verb.roles]
        arguments = self.arguments(verb, [by_word.get(word) for word in known])
        causes = tuple(role for role in said if role.word not in known)
        return replace(arguments, roles=(*arguments.roles, *causes))

    def _domains(self, domain: Domain, scope: Scope) -> Iterator[ast.Expression]:
        match domain.among.members:
            case Ring(0, 0, origin):
                yield from self._once(self.thing, origin, scope)
        for determiner in ("a", "any"):
            yield from self._once(self.set, domain.among, scope, determiner)

    def guard(self, conditions: Sequence[Condition], scope: Scope) -> tuple[str, ast.Proposition] | None:
        """Return the condition under which a rule holds, with its word; None if there is no such condition."""
        if not conditions:
            return None
        if len(conditions) > 1:
            raise Unsaid("several guards")
        (condition,) = conditions
        if isinstance(condition, Not):
            for inside in self._once(self.condition, condition.condition, scope):
                return "unless", inside
        return "while", self.condition(condition, scope)

    def _prohibitions(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        rule, verb = meaning.rule, self._verb(meaning)
        assert isinstance(rule, Rule) and isinstance(rule.condition, All)
        wider = [
            verb,
            *(other for other in self.model.ruleset.verbs if meaning.about in other.kinds and other is not verb),
        ]
        limit = self._limit_of_acts(rule.condition.conditions, verb)
        left = without_limit(rule.condition.conditions)
        for subject, arguments, rest in self.event(meaning, rule.this_role, left):
            scope, known, _ = event_scope(self.reader, subject, arguments, verb, meaning.carrier)
            around = scope.from_here(known[0])
            for named, event in product(wider, list(said_of_act(self.model, verb, subject, arguments))):
                word = self.word(named.name)
                match rest:
                    case [Not(CausedBy() as cause)]:
                        for by in self._once(self._cause, cause, around):
                            yield ast.Only(event.subject, word, event.arguments, by, "", None, span=self.span)
                    case _:
                        for guard in self._once(self.guard, rest, around):
                            cannot = ast.Cannot(event.subject, (word,), event.arguments, limit, span=self.span)
                            yield cannot if guard is None else ast.Guarded(cannot, *guard, span=self.span)

    # ---- hooks

    def _timed(self, hook: Hook, meaning: Meaning) -> Iterator[ast.Sentence]:
        """Yield sentences about the start or the end of a turn or a round, if a hook is about one."""
        conditions = hook.condition.conditions if isinstance(hook.condition, All) else ()
        for span_of, edge in times_of(self.model.ruleset, hook):
            stage = next(said for said, one in EDGES.items() if one == edge)
            for time in self._times(span_of, edge, hook, meaning):
                _, scope, asked = time_scope(self.reader, time, edge, meaning.carrier)
                if list(conditions[: len(asked)]) != asked:
                    continue
                try:
                    guard = self.guard(conditions[len(asked) :], scope)
                    said = having_said(guard[1], scope) if guard is not None else scope
                    limit, answer = self._limit_of_hook(hook, said)
                    steps = self.order(answer, said)
                except Unsaid:
                    continue
                word, condition = guard or ("", None)
                yield ast.HookSentence(stage, time, steps, False, word, condition, limit, span=self.span)

    def _times(self, span_of: str, edge: str, hook: Hook, meaning: Meaning) -> Iterator[ast.Time]:
        any_time = ast.Time(span_of, None, span=self.span)
        your_time = replace(any_time, whose=ast.Pronoun("you", span=self.span))
        if span_of != "turn" or self.model.ruleset.active < 0:
            yield any_time
            return
        if meaning.carrier.number >= 0:
            yield your_time
        active = Typed(FieldOf(self.model.ruleset.active, None, "player"), "player", "player")
        scope = time_scope(self.reader, any_time, edge, meaning.carrier)[1]
        conditions = hook.condition.conditions if isinstance(hook.condition, All) else ()
        for count in range(len(conditions), 0, -1):
            whose = self._slot(conditions[:count], active, scope, False)
            if whose is not None:
                yield replace(any_time, whose=whose)
        yield any_time
        if meaning.carrier.number < 0:
            yield your_time

    def _hooks(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        hook, verb = meaning.rule, self._verb(meaning)
        assert isinstance(hook, Hook) and isinstance(hook.condition, All)
        yield from self._timed(hook, meaning)
        word = self.word(verb.name)
        instead = hook.stage == "instead"
        left = without_limit(hook.condition.conditions)
        for subject, arguments, rest in self.event(meaning, hook.this_role, left):
            scope = event_scope(self.reader, subject, arguments, verb, meaning.carrier, as_piece=True)[0]
            scope = scope.from_here(scope.this)
            scope.variables.known += hook.condition.conditions
            try:
                guards, inner = self._guards(rest, scope)
                limit, answer = self._limit_of_hook(hook, inner)
                answers = list(self._answers(hook, answer, inner, is_within=len(guards) > 1))
            except Unsaid:
                continue
            word_of, condition = guards[0] if guards else ("", None)
            stage = "when" if instead else hook.stage
            for of, steps in product(said_of_act(self.model, verb, subject, arguments), answers):
                for guard in reversed(guards[1:]):
                    steps = ast.Conditional(guard[1], steps, span=self.span)
                event: ast.EventPhrase = ast.Happens(of.subject, (word,), of.arguments, span=self.span)
                if instead:
                    event = ast.Would(of.subject, word, of.arguments, span=self.span)
                yield ast.HookSentence(stage, event, steps, instead, word_of, condition, limit, span=self.span)

    def _guards(self, conditions: Sequence[Condition], scope: Scope) -> tuple[list[tuple[str, ast.Proposition]], Scope]:
        found: list[tuple[str, ast.Proposition]] = []
        for condition in conditions:
            guard = self.guard([condition], scope) if not found else ("while", self.condition(condition, scope))
            assert guard is not None
            found.append(guard)
            scope = having_said(guard[1], scope)
        return found, scope

    def _limit_of_hook(self, hook: Hook, scope: Scope) -> tuple[ast.Limit | None, ir.Steps]:
        """Return the number of times that a hook is answered, and its steps without the counting."""
        steps, conditions = hook.code.steps, list[Condition]()
        if isinstance(hook.condition, All):
            conditions += hook.condition.conditions
        first = steps[0]
        if isinstance(first, ir.If) and len(steps) == 1 and limit_in(first.condition) is not None:
            conditions, steps = [first.condition], first.then
        limit = self.limit(conditions, scope)
        return limit, steps if limit is None else uncounted(steps, limit.field)

    def _answers(self, hook: Hook, steps: ir.Steps, scope: Scope, is_within: bool) -> Iterator[ast.Statement]:
        """Yield the steps of a hook as an order, perhaps within an `if`; an optional hook is an offer again."""
        if not hook.optional:
            yield self.within(steps, scope) if is_within else self.order(steps, scope)
            return
        decider = asked_player(scope)
        if hook.asked is not None:
            decider, scope = hook.asked, scope_of_offer(hook.asked, scope)
        options: tuple[ir.Steps, ...] = (steps,)
        if len(steps) == 1 and isinstance(steps[0], ir.Either):
            options = steps[0].options
        yield from self._offer(options, decider, scope)

    def _state_rules(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        rule = meaning.rule
        assert isinstance(rule, StateRule)
        scope = state_scope()
        var = rule.code.params[-1]
        for said in self._existence(rule.among, "a", scope):
            if isinstance(said, ast.Is) and isinstance(said.subject, ast.Phrase):
                inner = state_scope(said.subject, Typed(var, var.base, rule.among.var.noun))
                event = ast.Turns(said.subject, said.value, span=self.span)
                for steps in self._once(self.order, rule.code.steps, inner):
                    yield ast.HookSentence("when", event, steps, False, span=self.span)

    def _standing(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        change = meaning.rule
        assert isinstance(change, StandingChange)
        conditions = change.condition.conditions
        how = "doubles" if change.amount is None else "increases" if change.sign > 0 else "decreases"
        for subject, count in self._whose_number(change, meaning.carrier):
            _, _, scope = number_of(self.reader, subject, standing_scope(meaning.carrier))
            amounts = [None] if change.amount is None else self._once(self.value, change.amount, scope)
            for amount, guard in product(amounts, self._once(self.guard, conditions[count:], scope)):
                said = ast.Changes(subject, how, amount, span=self.span)
                yield ast.Guarded(said, *guard, span=self.span) if guard is not None else said

    def _beginnings(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        begun = meaning.rule
        assert isinstance(begun, InitialValue)
        of = self.related("of", self.phrase("a", self.model.of_acts[begun.number]))
        subject = self.phrase("the", self.model.ruleset.fields[begun.number].name, of)
        for value in self._once(self.value, begun.value, beginning_scope(self.model, begun.number)):
            yield ast.DefineIs(subject, False, value, None, span=self.span)

    def _whose_number(self, change: StandingChange, carrier: Carrier) -> Iterator[tuple[ast.Phrase, int]]:
        """Yield phrases for the number that changes, each with the number of conditions that it states."""
        name = self.model.ruleset.fields[change.number].name
        act = self.model.of_acts.get(change.number)
        if act is not None:
            said, scope, words = self.phrase("its" if change.of_this else "the", act), FREE, list[ast.Word]()
            yield self.numbered(self.phrase("the", name, self.related("of", said))), 0
            with suppress(Unsaid):
                for count, condition in enumerate(change.condition.conditions, 1):
                    words.append(self.act_is(condition, scope))
                    of = replace(said, adjectives=tuple(words))
                    yield self.numbered(self.phrase("the", name, self.related("of", of))), count
            return
        if change.of_this:
            yield self.numbered(self.phrase("the", name, self.related("of", ast.Pronoun("this", span=self.span)))), 0
            return
        scope = standing_scope(carrier)
        for kind in self.model.ruleset.kinds:
            piece = Typed(Var(AGENT, "piece", kind.name), "piece", kind.name)
            for count in range(len(change.condition.conditions), -1, -1):
                for of in self._tried(self._fittings, change.condition.conditions[:count], piece, scope, "a"):
                    yield self.numbered(self.phrase("the", name, self.related("of", of))), count

    # ---- words

    def _words(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        said, scope, (thing,) = meaning.rule, meaning.scope, meaning.things
        assert isinstance(said, Defined) and scope is not None and isinstance(meaning.about, str)
        for subject in self._subjects_of(said, thing, scope, meaning):
            around = self.read(defined_scope, self.reader, subject, meaning.carrier.number, thing, meaning.about, FREE)
            if around is None:
                continue
            try:
                condition = self.condition(said.condition, around[0]) if said.condition is not None else None
            except Unsaid:
                continue
            if meaning.kind == "adjective":
                word = ast.Adjective(self.word(meaning.about), span=self.span)
                yield ast.DefineIs(subject, meaning.negated, word, condition, span=self.span)
            elif condition is None and isinstance(subject, ast.Phrase):
                noun = self.phrase("a", meaning.about)
                yield ast.DefineIs(noun, meaning.negated, subject, None, span=self.span)
            else:
                noun = self.phrase("a", meaning.about)
                yield ast.DefineIs(subject, meaning.negated, noun, condition, span=self.span)

    def _subjects_of(self, said: Defined, thing: Typed, scope: Scope, meaning: Meaning) -> Iterator[ast.NounPhrase]:
        if meaning.carrier.number >= 0 and said.around is None:
            yield ast.Pronoun("this", span=self.span)
        elif thing.base == "flag":
            yield self.phrase("a" if thing.noun in self.model.of_acts.values() else "the", thing.noun)
        elif thing.base == "document":
            yield self.phrase("a", "type")
        else:
            yield from self._fittings(said.about, thing, scope, "a")

    def _values(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        scope, (thing,) = meaning.scope, meaning.things
        assert scope is not None and isinstance(meaning.about, str)
        of: ast.NounPhrase = self.phrase("a", thing.noun)
        if meaning.carrier.number >= 0:
            of = ast.Pronoun("this", span=self.span)
        number = self.phrase("the", meaning.about, self.related("of", of))
        yield ast.DefineIs(number, False, self.value(meaning.rule, scope), None, span=self.span)  # type: ignore[arg-type]

    def _fact_sentences(self, meaning: Meaning) -> Iterator[ast.Sentence]:
        fact, scope, (first, second) = meaning.rule, meaning.scope, meaning.things
        assert isinstance(fact, Fact) and scope is not None and isinstance(meaning.about, str)
        subjects = list(self._fittings(fact.about, first, scope, "a"))
        for subject, wanted in product(subjects, list(self._fittings(fact.object, second, scope, "a"))):
            both = self.read(
                fact_scope, self.reader, subject, wanted, meaning.carrier.number, first, second, meaning.about, FREE
            )
            if both is not None:
                for condition in self._once(self.condition, fact.condition, both):
                    arguments = ast.Arguments(wanted, (), span=self.span)
                    yield ast.DefineHolds(subject, self.word(meaning.about), arguments, condition, span=self.span)


def _said(meanings: Sequence[Meaning]) -> list[Meaning]:
    """Return the meanings that have a sentence of their own, without the rules and hooks of texts for a time."""
    return [one for one in meanings if not ends_grant(one.rule) and not is_of_time(one.rule)]
