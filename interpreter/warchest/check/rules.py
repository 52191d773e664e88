"""Sentences of rule blocks: definitions, hooks, permissions and prohibitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warchest.check.announce import Announcer, Carrier
from warchest.check.steps import with_otherwise
from warchest.check.types import Scope, Typed, Variables, flaw
from warchest.check.values import is_indefinite
from warchest.diagnostics.diagnostic import quoted
from warchest.rules import steps as ir
from warchest.rules.ruleset import (
    AGENT,
    FIXED,
    MANNER,
    THIS,
    YOU,
    Definition,
    Domain,
    Hook,
    Rule,
    StateRule,
    Verb,
)
from warchest.rules.values import All, Base, CausedBy, Compare, Condition, Not, Ring, Set, Var
from warchest.source.text import Span
from warchest.syntax import ast

_CAUSES = ("against", "for")
"""The prepositions by which a hook asks what ordered the event."""


class RuleReader(Announcer):
    """Reads the sentences of rule blocks into the verbs, hooks and state rules of the rule set."""

    def rules(self, sentences: Sequence[ast.Sentence], carrier: Carrier) -> list[tuple[ast.Sentence, int]]:
        """Return the sentences of a block with their numbers, each `otherwise` joined to what it belongs to."""
        found: list[tuple[ast.Sentence, int]] = []
        for sentence in sentences:
            if not isinstance(sentence, ast.Otherwise):
                found.append((sentence, len(found)))
                continue
            if not found or not isinstance(found[-1][0], ast.DefineVerb | ast.Hook):
                raise flaw("otherwise-without-if", "there is no `if` before this `otherwise`", sentence.span)
            last, number = found[-1]
            assert isinstance(last, ast.DefineVerb | ast.Hook)
            found[-1] = (replace(last, step=with_otherwise(last.step, sentence)), number)
        return found

    def rule(self, sentence: ast.Sentence, number: int, carrier: Carrier) -> None:
        """Read one sentence of a rule block; raises Flaw where it makes no sense."""
        name = f"{carrier.path}#{number}"
        match sentence:
            case ast.DefineVerb():
                self._define_verb(sentence, name, carrier)
            case ast.Hook(_, ast.Turns()):
                self._state_rule(sentence, name)
            case ast.Hook():
                self._hook(sentence, name, carrier)
            case ast.Normally(ast.Do() as step):
                self._domain(step.subject, step.verb, step.arguments, None, carrier, sentence.span)
            case ast.Guarded(ast.May() as may, word, condition):
                self._permit(may, (word, condition), carrier, sentence.span)
            case ast.May():
                self._permit(sentence, None, carrier, sentence.span)
            case ast.Guarded(ast.Cannot() as cannot, word, condition):
                self._forbid(cannot, (word, condition), carrier, sentence.span)
            case ast.Cannot():
                self._forbid(sentence, None, carrier, sentence.span)
            case ast.Only():
                self._only(sentence, carrier)
            case ast.DefineIs() | ast.DefineHolds():
                pass
            case _:
                raise flaw("step-among-rules", f"{quoted(sentence.span.text)} is an order, and this block holds rules",
                           sentence.span, help="say when it happens: `after …, …`")  # fmt: skip

    # ---- scopes

    def _scope(self, verb: Verb, carrier: Carrier, this: Typed | None) -> tuple[Scope, list[Typed]]:
        """Return the scope of a text about a verb, and the agent and the roles it can speak of."""
        base: Base = "piece" if verb.by == "piece" else "player"
        agent = Typed(Var(AGENT, base, verb.agent_noun), base, verb.agent_noun)
        roles = [
            Typed(Var(FIXED + index, role.base, role.noun), role.base, role.noun)
            for index, role in enumerate(verb.roles)
        ]
        you = Var(YOU, "player", "player")
        variables = Variables(FIXED + len(roles))
        scope = Scope(variables, this, you, None, this, carrier.number, (), 0, ())
        return scope, [agent, *roles]

    def _this(self, carrier: Carrier, base: Base = "piece") -> Typed | None:
        if carrier.number < 0:
            return None
        return Typed(Var(THIS, base, carrier.noun), base, carrier.noun)

    def _params(self, known: list[Typed], this: Base = "piece") -> tuple[Var, ...]:
        fixed = (Var(THIS, this), Var(YOU, "player"), Var(MANNER, "manner"))
        return (*fixed, *(typed.value for typed in known if isinstance(typed.value, Var)))

    # ---- verbs

    def _define_verb(self, node: ast.DefineVerb, name: str, carrier: Carrier) -> None:
        number = self.model.verbs[node.verb.text]
        verb = self.model.ruleset.verbs[number]
        this = self._this(carrier)
        scope, (agent, *roles) = self._scope(verb, carrier, this)
        if verb.by == "piece":
            scope = replace(scope, this=Typed(Var(THIS, "piece", verb.agent_noun), "piece", verb.agent_noun))
        if verb.by == "game":
            scope = replace(scope, you=None)
        spoken = [agent, *roles] if verb.by == "piece" else roles
        scope = replace(scope, spoken=tuple(spoken), origin=scope.this, it=roles[0] if roles else scope.this)
        applies = self._pattern(node.arguments, verb, roles, scope)
        steps, after = self.steps(node.step, scope)
        if verb.yields:
            steps = (*steps, self._yield(verb, scope, after, node.span))
        code = ir.Code(name, "verb", number, self._params([agent, *roles]), steps, scope.variables.used, node.span)
        verb.definitions.append(Definition(carrier.number, All(tuple(applies), node.span), code))

    def _yield(self, verb: Verb, before: Scope, after: Scope, span: Span) -> ir.Order:
        """Hand back what the definition spoke of last, in place of the role that it fills for the caller."""
        if after.it is None or after.it == before.it or after.it.noun != verb.yields:
            raise flaw("yields-nothing", f"this does not end with a {verb.yields} to hand back", span)
        return ir.Keep(Var(FIXED, after.it.base, verb.yields), after.it.value, span=span)

    def _pattern(
        self, arguments: ast.Arguments, verb: Verb, roles: list[Typed], scope: Scope
    ) -> list[Condition]:
        """Read the phrases a verb is said with as conditions on its roles."""
        found: list[Condition] = []
        said = [("", arguments.object), *((role.word, role.phrase) for role in arguments.roles)]
        for preposition, phrase in said:
            role = self._role_of(verb, preposition, roles)
            if phrase is None or role is None:
                continue
            if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
                found.extend(self.fits(phrase, role, scope))
            elif not (isinstance(phrase, ast.Pronoun) and phrase.word == "this"):
                value = self.value(phrase, scope).value
                found.append(Compare("==", role.value, value, phrase.span))
        return found

    def _role_of(self, verb: Verb, preposition: str, roles: list[Typed]) -> Typed | None:
        for role, typed in zip(verb.roles, roles, strict=True):
            if role.word == preposition:
                return typed
        return None

    # ---- what a text about an event speaks of

    def _this_role(self, subject: ast.NounPhrase | None, arguments: ast.Arguments, verb: Verb) -> int:
        """Return which role `this` is in the pattern: 0 for the agent, then the roles; -1 if it is none."""
        if isinstance(subject, ast.Pronoun) and subject.word == "this":
            return 0
        said = {"": arguments.object, **{role.word: role.phrase for role in arguments.roles}}
        for index, role in enumerate(verb.roles):
            phrase = said.get(role.word)
            if isinstance(phrase, ast.Pronoun) and phrase.word == "this":
                return index + 1
        return -1

    def _event_scope(
        self, subject: ast.NounPhrase | None, arguments: ast.Arguments, verb: Verb, carrier: Carrier
    ) -> tuple[Scope, list[Typed], int]:
        """Return the scope of a rule or hook about a verb, the agent and roles, and the role of `this`."""
        this_role = self._this_role(subject, arguments, verb)
        if this_role >= 0 and carrier.number < 0:
            raise flaw("no-antecedent", "`this` is nothing here, because no document carries this text",
                       (subject or arguments).span)  # fmt: skip
        base: Base = "piece"
        if this_role > 0:
            base = verb.roles[this_role - 1].base
        scope, known = self._scope(verb, carrier, self._this(carrier, base))
        spoken = tuple(typed for index, typed in enumerate(known) if index != this_role)
        subject_typed = scope.this if this_role == 0 else known[0]
        return replace(scope, spoken=spoken, it=subject_typed), known, this_role

    def _subject_fits(self, subject: ast.NounPhrase | None, agent: Typed, scope: Scope) -> list[Condition]:
        if isinstance(subject, ast.Phrase) and is_indefinite(subject):
            return self.fits(subject, agent, scope.from_here(scope.this))
        return []

    def _is_you(self, subject: ast.NounPhrase | None, agent: Typed, carrier: Carrier) -> list[Condition]:
        """Read `you` in a text on a card: the one that acts is the owner of the card."""
        if carrier.number < 0 or not (isinstance(subject, ast.Pronoun) and subject.word == "you"):
            return []
        return [Compare("==", agent.value, Var(YOU, "player"), subject.span)]

    def _guard(self, guard: tuple[str, ast.Condition] | None, scope: Scope) -> list[Condition]:
        if guard is None:
            return []
        word, condition = guard
        read = self.condition(condition, scope)
        return [Not(read, condition.span) if word == "unless" else read]

    # ---- permissions and prohibitions

    def _domain(
        self,
        subject: ast.NounPhrase | None,
        word: ast.Word,
        arguments: ast.Arguments,
        guard: tuple[str, ast.Condition] | None,
        carrier: Carrier,
        span: Span,
    ) -> None:
        verb = self._known(word)
        scope, (agent, *roles), this_role = self._event_scope(subject, arguments, verb, carrier)
        applies = [*self._subject_fits(subject, agent, scope), *self._is_you(subject, agent, carrier),
                   *self._guard(guard, scope)]  # fmt: skip
        scope = scope.from_here(agent if agent.base == "piece" else scope.this)
        said = {"": arguments.object, **{role.word: role.phrase for role in arguments.roles}}
        found = False
        for index, role in enumerate(verb.roles):
            phrase = said.get(role.word)
            if phrase is None or index + 1 == this_role or self._says_nothing(phrase, role.noun):
                continue
            among = self._among(phrase, roles[index], scope)
            verb.domains.append(Domain(carrier.number, this_role, All(tuple(applies), span), index, among, span))
            found = True
        if not found:
            raise flaw("permits-nothing", f"this does not say with what one may {quoted(word.text)}", span,
                       help="say it, as in `onto an empty space`")  # fmt: skip

    def _among(self, phrase: ast.Expression, role: Typed, scope: Scope) -> Set:
        if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
            return self.members(phrase, scope)
        typed = self.value(phrase, scope)
        if typed.base != "space" or role.base != "space":
            raise flaw("not-indefinite", f"{quoted(phrase.span.text)} leaves no choice", phrase.span,
                       help="say `a …`")  # fmt: skip
        var, inner = scope.member("space", "space")
        narrow = ast.Word(role.noun, span=phrase.span)
        filters = self._is_called(narrow, Typed(var, "space", "space"), inner)
        return Set(var, Ring(0, 0, typed.value), tuple(filters), phrase.span)

    def _permit(
        self, may: ast.May, guard: tuple[str, ast.Condition] | None, carrier: Carrier, span: Span
    ) -> None:
        for word in may.verbs:
            self._domain(may.subject, word, may.arguments, guard, carrier, span)

    def _forbid(
        self, cannot: ast.Cannot, guard: tuple[str, ast.Condition] | None, carrier: Carrier, span: Span
    ) -> None:
        for word in cannot.verbs:
            self._prohibition(cannot.subject, word, cannot.arguments, lambda scope: self._guard(guard, scope),
                              carrier, span)  # fmt: skip

    def _only(self, node: ast.Only, carrier: Carrier) -> None:
        def outside(scope: Scope) -> list[Condition]:
            if node.by is not None:
                return [Not(self.caused_by(node.by, scope), node.by.span)]
            assert node.condition is not None
            word = "unless" if node.word == "while" else "while"
            return self._guard((word, node.condition), scope)

        self._prohibition(node.subject, node.verb, node.arguments, outside, carrier, node.span)

    def _prohibition(self, subject, word, arguments, guard, carrier, span) -> None:  # type: ignore[no-untyped-def]
        named = self._known(word)
        numbers = named.kinds if named.kinds else (self.model.verbs[word.text],)
        for number in numbers:
            verb = self.model.ruleset.verbs[number]
            scope, (agent, *roles), this_role = self._event_scope(subject, arguments, verb, carrier)
            found = [*self._subject_fits(subject, agent, scope), *self._is_you(subject, agent, carrier)]
            found.extend(self._pattern(arguments, verb, roles, scope.from_here(agent)))
            found.extend(guard(scope.from_here(agent)))
            verb.forbidden.append(Rule(carrier.number, this_role, All(tuple(found), span), span))

    def _known(self, word: ast.Word) -> Verb:
        verb = self.model.verb(word.text)
        if verb is None:
            raise flaw("undeclared-verb", f"no rule can be made about {quoted(word.text)}", word.span,
                       help="rules are about the verbs that the game defines")  # fmt: skip
        return verb

    # ---- hooks

    def _hook(self, node: ast.Hook, name: str, carrier: Carrier) -> None:
        subject, words, arguments = self._event(node)
        causes = [role for role in arguments.roles if role.word in _CAUSES]
        arguments = replace(arguments, roles=tuple(role for role in arguments.roles if role not in causes))
        for position, word in enumerate(words):
            named = self._known(word)
            scope, (agent, *roles), this_role = self._event_scope(subject, arguments, named, carrier)
            if this_role > 0:
                # What was said of a token holds for the piece it has become, and that is what acts.
                this = self._this(carrier)
                scope = replace(scope, this=this, it=this)
            conditions = self._subject_fits(subject, agent, scope)
            conditions.extend(self._pattern(arguments, named, roles, scope.from_here(agent)))
            conditions.extend(self.caused_by(self._cause(role), scope) for role in causes)
            if isinstance(subject, ast.Pronoun) and subject.word == "you" and carrier.number >= 0:
                conditions.append(Compare("==", agent.value, Var(YOU, "player"), subject.span))
            steps, optional = self._hook_steps(node, scope.from_here(scope.this))
            code = ir.Code(f"{name}.{position}", "hook", self.model.verbs[word.text],
                           self._params([agent, *roles]), steps, scope.variables.used, node.span)  # fmt: skip
            stage = "instead" if node.instead else node.stage
            holds = All(tuple(conditions), node.span)
            concrete = self._concrete(named, word)
            hook = Hook(stage, concrete, carrier.number, this_role, holds, optional, code, node.span)  # type: ignore[arg-type]
            self.model.ruleset.hooks.append(hook)

    def _cause(self, role: ast.Role) -> ast.NounPhrase:
        if isinstance(role.phrase, ast.Number | ast.Parameter | ast.Total):
            raise flaw("wrong-kind", f"{quoted(role.phrase.span.text)} is not an event", role.phrase.span)
        return role.phrase

    def _concrete(self, verb: Verb, word: ast.Word) -> tuple[int, ...]:
        return verb.kinds or (self.model.verbs[word.text],)

    def _event(self, node: ast.Hook) -> tuple[ast.NounPhrase | None, tuple[ast.Word, ...], ast.Arguments]:
        match node.event:
            case ast.Happens(subject, verbs, arguments):
                return subject, verbs, arguments
            case ast.Would(subject, verb, arguments):
                return subject, (verb,), arguments
            case ast.IsDone(subject, verbs, arguments):
                return None, verbs, replace(arguments, object=subject)
        raise flaw("syntax-error", "this is not an event", node.event.span)

    def _hook_steps(self, node: ast.Hook, scope: Scope) -> tuple[ir.Steps, bool]:
        """Read what a hook does; an `instead` that begins with an offer is offered as a whole."""
        steps, _ = self.steps(node.step, scope)
        if node.instead and len(steps) == 1 and isinstance(steps[0], ir.Offer):
            offer = steps[0]
            if len(offer.options) == 1:
                return offer.options[0], True
            return (ir.Either(offer.options, offer.decider, span=offer.span),), True
        return steps, False

    def _state_rule(self, node: ast.Hook, name: str) -> None:
        event = node.event
        assert isinstance(event, ast.Turns)
        if not isinstance(event.subject, ast.Phrase) or node.stage != "when":
            raise flaw("syntax-error", "say `when a … is …, …`", node.span)
        variables = Variables(FIXED)
        value = event.value
        plain = Scope(variables)
        condition = ast.Is(event.subject, False, value, span=event.span)
        found = self.condition(condition, plain)
        among = getattr(found, "members", None)
        if not isinstance(among, Set):
            raise flaw("syntax-error", "say `when a … is …, …`", event.span)
        var = variables.new(among.var.base, among.var.noun)
        member = Typed(var, var.base, var.noun)
        steps, _ = self.steps(node.step, plain.about(member))
        params = (Var(THIS, "piece"), Var(YOU, "player"), Var(MANNER, "manner"), Var(AGENT, "player"), var)
        code = ir.Code(name, "state", -1, params, steps, variables.used, node.span)
        self.model.ruleset.state_rules.append(StateRule(among, code))


__all__ = ["Carrier", "CausedBy", "RuleReader"]
