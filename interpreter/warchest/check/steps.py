"""Orders: sentences that make something happen, as steps of code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from warchest.check.amounts import as_any
from warchest.check.builtin import BuiltIns
from warchest.check.types import Scope, Typed, flaw
from warchest.check.values import article, is_indefinite
from warchest.diagnostics.diagnostic import quoted
from warchest.rules import steps as ir
from warchest.rules.values import NOTHING, Attribute, Const, FieldOf, Sum, Value
from warchest.source.text import Span
from warchest.syntax import ast


class StepReader(BuiltIns):
    """Reads orders. Every method returns the steps and the scope of what comes after them."""

    def block(self, sentences: Sequence[ast.Sentence], scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read the sentences of a block of steps, one after the other."""
        done: list[ir.Order] = []
        for step in joined(sentences):
            read, scope = self.steps(step, scope)
            done.extend(read)
        return tuple(done), scope

    def steps(self, node: ast.Step, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read one step, which may be a sequence."""
        if isinstance(node, ast.Sequence):
            return self._sequence(list(node.steps), scope)
        return self._sequence([node], scope)

    def _sequence(self, nodes: list[ast.Step], scope: Scope) -> tuple[ir.Steps, Scope]:
        done: list[ir.Order] = []
        for index, node in enumerate(nodes):
            if isinstance(node, ast.May):
                # An offer reaches to the full stop: what follows is part of what is offered.
                done.append(self._offer(node, nodes[index + 1 :], scope))
                break
            read, scope = self._step(node, scope)
            done.extend(read)
        return tuple(done), scope

    def _step(self, node: ast.Step, scope: Scope) -> tuple[ir.Steps, Scope]:
        match node:
            case ast.Do():
                return self._do(node, scope)
            case ast.Becomes():
                return (self._becomes(node, scope),), scope
            case ast.Changes():
                return (self._changes(node, scope),), scope
            case ast.Has() | ast.Prevails():
                return (self.grant(node, scope),), scope
            case ast.Let(word, value):
                typed = self.value(value, scope)
                var = scope.variables.new(typed.base, word.text)
                kept = ir.Keep(var, typed.value, span=node.span)
                return (kept,), scope.speaking_of(Typed(var, typed.base, word.text))
            case ast.Must(subject, negated, value):
                condition = self.condition(ast.Is(subject, negated, value, span=node.span), scope)
                return (ir.Must(condition, span=node.span),), scope
            case ast.If():
                return self._if(node, scope)
            case _:
                return (self._control(node, scope),), scope

    def grant(self, node: ast.Has | ast.Prevails, scope: Scope) -> ir.Order:
        """Read that a piece gets a bonus."""
        raise NotImplementedError

    def _if(self, node: ast.If, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read a condition; what both branches speak of last, if it is of one kind, can be taken up after it."""
        test = self.condition(node.condition, scope)
        then, first = self.steps(node.step, scope)
        if node.otherwise is None:
            return (ir.If(test, then, (), span=node.span),), scope
        otherwise, second = self.steps(node.otherwise, scope)
        if first.it is None or second.it is None or first.it == scope.it or first.it.noun != second.it.noun:
            return (ir.If(test, then, otherwise, span=node.span),), scope
        var = scope.variables.new(first.it.base, first.it.noun)
        then = (*then, ir.Keep(var, first.it.value, span=node.span))
        otherwise = (*otherwise, ir.Keep(var, second.it.value, span=node.span))
        joined = Typed(var, var.base, var.noun)
        return (ir.If(test, then, otherwise, span=node.span),), scope.about(joined)

    def _control(self, node: ast.Step, scope: Scope) -> ir.Order:
        match node:
            case ast.Until(condition, step):
                read = self.condition(condition, scope)
                return ir.Until(read, self.steps(step, scope)[0], span=node.span)
            case ast.ForEach():
                return self._for_each(node, scope)
            case ast.Either(options):
                branches = tuple(self.steps(option, scope)[0] for option in options)
                return ir.Either(branches, self._who_chooses(options, scope), span=node.span)
        raise flaw("rule-among-steps", f"{quoted(node.span.text)} is a rule, and this block holds steps", node.span,
                   help="move it to a block of rules")  # fmt: skip

    def _who_chooses(self, options: tuple[ast.Step, ...], scope: Scope) -> Value:
        """Return who chooses among branches: `you`; in a text without one, whoever the first branch is said of."""
        first = options[0].steps[0] if isinstance(options[0], ast.Sequence) else options[0]
        if scope.you is None and isinstance(first, ast.Do | ast.May) and first.subject is not None:
            return self.controller(self.value(first.subject, scope), first.span)
        return self._you(scope)

    def _you(self, scope: Scope) -> Value:
        return scope.you if scope.you is not None else Const(NOTHING, "player")

    # ---- offers, loops, fields

    def _offer(self, node: ast.May, rest: list[ast.Step], scope: Scope) -> ir.Offer:
        subject = self.value(node.subject, scope)
        branches = []
        for verb in node.verbs:
            order = ast.Do(node.subject, verb, node.arguments, node.adverbs, span=node.span)
            branches.append(self._sequence([order, *rest], scope)[0])
        return ir.Offer(tuple(branches), self.controller(subject, node.span), span=node.span)

    def controller(self, subject: Typed, span: Span) -> Value:
        """Return the player who decides for a piece or a player."""
        if subject.base == "player":
            return subject.value
        if subject.base == "piece":
            return Attribute("decider", subject.value, "player")
        raise flaw("wrong-kind", f"{article(subject)} cannot be asked", span)

    def _for_each(self, node: ast.ForEach, scope: Scope) -> ir.ForEach:
        phrase = node.members
        members = self.members(as_any(phrase), scope)
        var = scope.variables.new(members.var.base, members.var.noun)
        inner = scope.about(Typed(var, var.base, var.noun))
        steps, _ = self.steps(node.step, inner)
        free = node.order == "in any order"
        return ir.ForEach(var, members, free, self._you(scope), steps, span=node.span)

    def _becomes(self, node: ast.Becomes, scope: Scope) -> ir.Order:
        if isinstance(node.value, ast.Adjective):
            word = node.value.word
            if word.text not in self.model.flags:
                raise flaw("wrong-kind", f"{quoted(word.text)} is not something a text can make so", word.span)
            thing = self.value(node.subject, scope)
            _, number, value = self.model.flags[word.text]
            of = None if thing.base == "flag" else thing.value
            return ir.SetField(number, of, Const(value, "flag"), span=node.span)
        value_of = self.value(node.subject, scope)
        place = self.value(node.value, scope)
        form = place.value
        if isinstance(form, Attribute) and form.what == "document" and getattr(form.of, "base", "") == "piece":
            if value_of.base != "document":
                raise flaw("wrong-kind", f"{article(value_of)} cannot become {article(place)}", node.span)
            return ir.ChangeForm(form.of, value_of.value, span=node.span)
        if value_of.base == "number":
            # A number is what becomes another one; elsewhere somebody or something takes the place that is named.
            value_of, place = place, value_of
        if not isinstance(place.value, FieldOf):
            raise flaw("wrong-kind", f"{quoted(node.value.span.text)} cannot be set", node.value.span)
        if place.base != value_of.base:
            raise flaw("wrong-kind", f"{article(value_of)} cannot become {article(place)}", node.span)
        return ir.SetField(place.value.field, place.value.of, value_of.value, span=node.span)

    def _changes(self, node: ast.Changes, scope: Scope) -> ir.Order:
        place = self.value(node.subject, scope)
        field = place.value
        if not isinstance(field, FieldOf) or place.base != "number":
            raise flaw("wrong-kind", f"{quoted(node.subject.span.text)} is not a number that a text can change",
                       node.subject.span, help="numbers that change are declared under `fields:`")  # fmt: skip
        if (node.amount is None) != (node.how == "doubles"):
            said = "by how much" if node.amount is None else "no amount"
            raise flaw("syntax-error", f"{quoted(node.how)} takes {said}", node.span)
        amount = field if node.amount is None else self.number(node.amount, scope)
        sign = -1 if node.how == "decreases" else 1
        return ir.SetField(field.field, field.of, Sum((1, sign), (field, amount)), span=node.span)

    # ---- verbs

    def _do(self, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        if "if able" in node.adverbs:
            plain = replace(node, adverbs=tuple(word for word in node.adverbs if word != "if able"))
            steps, after = self._do(plain, scope)
            return (ir.IfAble(steps, span=node.span),), after
        manner = ir.INHERITED
        for adverb in node.adverbs:
            manner = self.model.ruleset.manners.index(adverb)
        if node.verb.text in self.model.verbs:
            return self._call(node, manner, scope)
        return self.built_in(node, manner, scope)

    def _call(self, node: ast.Do, manner: int, scope: Scope) -> tuple[ir.Steps, Scope]:
        number = self.model.verbs[node.verb.text]
        verb = self.model.ruleset.verbs[number]
        agent, decider, after = self._agent(node, verb.by, scope)
        inner = scope.from_here(self._agent_typed(agent, scope))
        roles: list[ir.Fill] = []
        said = {"": node.arguments.object, **{role.word: role.phrase for role in node.arguments.roles}}
        for role in verb.roles:
            fill, typed = self._fill(said.pop(role.word, None), role.base, role.noun, inner, after)
            roles.append(fill)
            after = after.speaking_of(typed) if typed is not None else after
        result = None
        if verb.yields:
            thing = self.model.thing(verb.yields)
            assert thing is not None and thing.base is not None
            result = after.variables.new(thing.base, thing.name)
            after = after.about(Typed(result, thing.base, thing.name))
            said.pop("", None)
        self.nothing_left(node.verb, said)
        call = ir.Call(number, agent, tuple(roles), manner, decider, result, span=node.span)
        return (call,), after

    def _agent(self, node: ast.Do, by: str, scope: Scope) -> tuple[ir.Fill, Value, Scope]:
        if node.subject is not None and is_indefinite(node.subject):
            assert isinstance(node.subject, ast.Phrase)
            among = self.members(node.subject, scope)
            var = scope.variables.new(among.var.base, among.var.noun)
            after = scope.speaking_of(Typed(var, var.base, var.noun))
            return ir.Pick(among, var), self._you(scope), after
        if node.subject is not None:
            typed = self.value(node.subject, scope)
        elif by == "player" and scope.you is not None:
            typed = Typed(scope.you, "player", "player")
        elif by == "piece" and scope.this is not None:
            typed = scope.this
        else:
            return ir.Bound(Const(NOTHING, "player")), self._you(scope), scope
        if by != "game" and typed.base != by:
            raise flaw("wrong-kind", f"{article(typed)} cannot {quoted(node.verb.text)}", node.span,
                       help=f"that is something a {by} does")  # fmt: skip
        decider = typed.value if typed.base == "player" else self._you(scope)
        return ir.Bound(typed.value), decider, scope

    def _agent_typed(self, agent: ir.Fill, scope: Scope) -> Typed | None:
        match agent:
            case ir.Bound(value):
                base = "piece" if getattr(value, "base", "") == "piece" else "player"
                known = scope.this if scope.this and scope.this.value == value else None
                return known or (Typed(value, "piece", "") if base == "piece" else scope.this)
            case ir.Pick(_, var):
                return Typed(var, var.base, var.noun)
        return scope.this

    def _fill(
        self, phrase: ast.Expression | None, base: str, noun: str, scope: Scope, after: Scope
    ) -> tuple[ir.Fill, Typed | None]:
        if phrase is None or self._says_nothing(phrase, noun):
            var = after.variables.new(base, noun)  # type: ignore[arg-type]
            return ir.Usual(var), Typed(var, var.base, noun)
        scope = replace(scope, spoken=after.spoken)
        if isinstance(phrase, ast.Phrase) and is_indefinite(phrase):
            among = self.members(phrase, scope)
            var = after.variables.new(among.var.base, noun)
            self._same_kind(among.var.base, base, phrase)
            return ir.Pick(among, var), Typed(var, var.base, self.thing_of(phrase).name)
        typed = self.value(phrase, scope)
        self._same_kind(typed.base, base, phrase)
        return ir.Bound(typed.value), None

    def _says_nothing(self, phrase: ast.Expression, noun: str) -> bool:
        """Whether a phrase only repeats the role's noun: `lose a coin` where coins are what is lost."""
        return (
            isinstance(phrase, ast.Phrase)
            and isinstance(phrase.head, ast.Word)
            and phrase.head.text == noun
            and is_indefinite(phrase)
            and not phrase.adjectives
            and not phrase.modifiers
            and phrase.count is None
            and phrase.determiner not in ("any", "all", "each", "no")
        )

    def _same_kind(self, got: str, wanted: str, phrase: ast.Expression) -> None:
        if got != wanted:
            raise flaw("wrong-kind", f"{quoted(phrase.span.text)} is a {got}, and a {wanted} is needed", phrase.span)


def joined(sentences: Sequence[ast.Sentence]) -> list[ast.Step]:
    """Return the steps of a block, each `otherwise` put with the condition of the sentence before."""
    steps: list[ast.Step] = []
    for sentence in sentences:
        if isinstance(sentence, ast.Otherwise):
            if not steps:
                raise flaw("otherwise-without-if", "there is no `if` before this `otherwise`", sentence.span)
            steps[-1] = with_otherwise(steps[-1], sentence)
        elif isinstance(sentence, ast.Step.__args__):
            steps.append(sentence)
        else:
            raise flaw("rule-among-steps", "this is a rule, and this block holds steps", sentence.span,
                       help="move it to a block of rules")  # fmt: skip
    return steps


def with_otherwise(step: ast.Step, otherwise: ast.Otherwise) -> ast.Step:
    """Return the step with `otherwise` said of its last `if`."""
    match step:
        case ast.If(_, inner, other):
            if isinstance(inner, ast.If | ast.Sequence) and other is None and _ends_in_if(inner):
                return replace(step, step=with_otherwise(inner, otherwise))
            if other is not None:
                return replace(step, otherwise=with_otherwise(other, otherwise))
            return replace(step, otherwise=otherwise.step)
        case ast.Sequence(steps):
            return replace(step, steps=(*steps[:-1], with_otherwise(steps[-1], otherwise)))
        case ast.Until(_, inner) | ast.ForEach(_, _, inner):
            return replace(step, step=with_otherwise(inner, otherwise))
    raise flaw("otherwise-without-if", "there is no `if` before this `otherwise`", otherwise.span)


def _ends_in_if(step: ast.Step) -> bool:
    last = step.steps[-1] if isinstance(step, ast.Sequence) else step
    return isinstance(last, ast.If)
