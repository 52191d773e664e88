"""Steps as orders, one after the other; each is read again in its place before the next one is worded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from warchest.ir import steps as ir
from warchest.ir.parts import way_back_in, with_branches
from warchest.ir.ruleset import LASTS, YOU, Hook, Role, Verb
from warchest.ir.values import (
    CAN_BE_UNSET,
    NO_PIECE,
    NOTHING,
    All,
    Any,
    Attribute,
    Compare,
    Condition,
    Const,
    FieldOf,
    Floored,
    Holder,
    Not,
    Parameter,
    Set,
    Sum,
    Trail,
    Value,
    Var,
)
from warchest.paraphrase.acts import ActPhrases
from warchest.paraphrase.phrase_wording import Unsaid
from warchest.resolve.announce import Carrier
from warchest.resolve.budgets import limit_in, uncounted
from warchest.resolve.builtin import asked_player, scope_of_offer, scope_of_swap
from warchest.resolve.conditions import having_said, parts_of_event
from warchest.resolve.event_patterns import event_scope
from warchest.resolve.foresight import read_asking
from warchest.resolve.grants import ending_scope
from warchest.resolve.moments import act_of, said_of_act
from warchest.resolve.phrase_nouns import mentioned
from warchest.resolve.quantities import budget_in, offered_in
from warchest.resolve.sides import for_role
from warchest.resolve.single_sentences import untouched
from warchest.resolve.step_reader import read_steps
from warchest.resolve.times import times_of
from warchest.resolve.trails import PLACE, latest_step, shorter
from warchest.resolve.types import Scope, Typed, Variables
from warchest.resolve.verb_orders import scope_of_order
from warchest.resolve.windows import window_in
from warchest.syntax import ast
from warchest.syntax.agreement import with_parts

_CLOCKS = {
    "end": "end the game",
    "turn": "begin a turn",
    "round": "begin a round",
    "choice": "begin a choice",
    "nothing": "do nothing",
}


class Orders(ActPhrases):
    """Finds words for steps."""

    endings: Sequence[Hook] = ()
    """The hooks that end the grants of the steps."""

    def orders(self, steps: ir.Steps, scope: Scope) -> tuple[list[ast.Statement], Scope]:
        """Return the orders for some steps, and the scope after them; raises Unsaid."""
        said: list[ast.Statement] = []
        while steps:
            order, used, scope = self._next(steps, scope)
            said.append(order)
            steps = steps[used:]
        return said, scope

    def order(self, steps: ir.Steps, scope: Scope) -> ast.Statement:
        """Return all steps as one order, with a new part where something has to end or to begin."""
        return self._in_parts(self.whole(steps, scope))

    def whole(self, steps: ir.Steps, scope: Scope) -> list[ast.Statement]:
        """Return the orders for all steps of a text; raises Unsaid.

        Steps that cannot be printed within a last `if`, or its `otherwise`, are printed after a `stop`.
        """
        last = steps[-1] if steps else None
        try:
            return self.orders(steps, scope)[0]
        except Unsaid:
            if not isinstance(last, ir.If) or limit_in(last.condition) is not None:
                raise
        if last.otherwise:
            place = len(steps) - 1
            while place and isinstance(steps[place - 1], ir.Foresee):
                place -= 1
            before, scope = self.orders(steps[:place], scope)
            return [
                *before,
                *self._stopping(last, [one for one in steps[place:] if isinstance(one, ir.Foresee)], scope),
            ]
        before, scope = self.orders(steps[:-1], scope)
        word, asked = self._end(last.condition, scope)
        stop = ast.Guarded(ast.Ending(span=self.span), word, asked, span=self.span)
        return [*before, stop, *self.whole(last.then, _fork(having_said(asked, scope)))]

    def _stopping(self, last: ir.If, tried: Sequence[ir.Foresee], scope: Scope) -> list[ast.Statement]:
        """Return the orders for a last `if`, after whose steps the text stops, and the orders for its other branch."""
        scope = _fork(scope)
        asked = self._condition_tried(last.condition, tried, scope)
        around = _fork(having_said(asked, scope))
        then, otherwise = map(self.begun, _unjoined((last.then, last.otherwise), around))
        orders, after = self.orders(then, around)
        steps = ast.StepSequence((*orders, ast.Ending(span=self.span)), span=self.span)
        first = ast.Conditional(asked, steps, span=self.span)
        return [first, *self.whole(otherwise, replace(around, variables=after.variables))]

    def _end(self, test: Condition, scope: Scope) -> tuple[str, ast.Proposition]:
        """Return the condition, with its word, of a `stop` before steps that are only carried out if a test holds."""
        if isinstance(test, Not) and _is_act(test.condition):
            return "if", self.condition(test.condition, scope)
        condition = self.condition(test, scope)
        if isinstance(condition, ast.Is | ast.CanDo) and condition.negated:
            return "if", replace(condition, negated=False)
        return "unless", condition

    def _in_parts(self, orders: Sequence[ast.Statement]) -> ast.Statement:
        """Return orders as one, with a new part where something has to end or to begin."""
        parts: list[list[ast.Statement]] = [[]]
        for one in orders:
            open_end = parts[-1] and (_reaches_on(parts[-1][-1]) or isinstance(parts[-1][-1], ast.Lasting))
            if parts[-1] and (open_end or _asks_for_several(one)):
                parts.append([])
            parts[-1].append(one)
        said = [one for part in parts[:-1] for one in _apart(self._one(part))]
        return ast.Sections((*said, self._one(parts[-1])), span=self.span) if said else self._one(parts[-1])

    def within(self, steps: ir.Steps, scope: Scope) -> ast.Statement:
        """Return all steps as one order within another one, whose parts are joined by `then`."""
        return self._in_one_part(self.orders(steps, scope)[0])

    def _in_one_part(self, orders: list[ast.Statement]) -> ast.Statement:
        """Return orders as one, without parts; raises Unsaid where one of them would include the next."""
        return self._one([*map(_with_end, orders[:-1]), *orders[-1:]])

    def _one(self, orders: list[ast.Statement]) -> ast.Statement:
        flat = [part for one in orders for part in (one.steps if isinstance(one, ast.StepSequence) else (one,))]
        return flat[0] if len(flat) == 1 else ast.StepSequence(tuple(flat), span=self.span)

    def _next(self, steps: ir.Steps, scope: Scope) -> tuple[ast.Statement, int, Scope]:
        """Return the order for the first steps, the number of steps that it covers, and the scope after it."""
        for order, used in self._tries(steps, scope):
            around = _fork(scope)
            with untouched(self.reader):
                read = self.read(read_steps, self.reader, order, around)
            if read is not None and _without(read[0], around) == _without(steps[:used], around):
                return order, used, read[1]
        raise Unsaid(type(steps[0]).__name__)

    def _tries(self, steps: ir.Steps, scope: Scope) -> Iterator[tuple[ast.Statement, int]]:
        first = steps[0]
        match first:
            case ir.Call(number) if self.model.ruleset.verbs[number].moment_of >= 0:
                yield self._moment_ordered(number), 1
            case ir.Call():
                yield from ((one, 1) for one in self._tried(self._calls, first, scope))
            case ir.Choose():
                yield from self._tried(self._choices, steps, scope)
            case ir.Foresee():
                yield from self._tried(self._foreseen, steps, scope)
            case ir.Keep() if (found := window_in(steps)) is not None:
                yield from ((one, 2) for one in self._tried(self._windows, *found, scope))
            case ir.Keep(part) if (used := budget_in(steps)) is not None:
                yield from ((one, 3) for one in self._tried(self._budgets, part, used, steps[2], scope))
            case ir.If() | ir.Until() | ir.ForEach() | ir.Either() | ir.Offer() | ir.IfAble():
                yield from ((one, 1) for one in self._tried(self._control, first, scope))
            case ir.Must() if (trail := way_back_in(first.condition)) is not None:
                for one in self._tried(self._way_back, trail, scope):
                    yield one, len(shorter(self.model.ruleset.fields, trail, self.span))
            case (
                ir.SetField()
                | ir.ChangeForm()
                | ir.BecomeKind()
                | ir.ChangeOwner()
                | ir.Grant()
                | ir.Prevail()
                | ir.Keep()
                | ir.Must()
            ):
                yield from ((one, 1) for one in self._tried(self._changes, first, scope))
            case _:
                yield from ((one, 1) for one in self._tried(self._plain_orders, first, scope))

    # ---- words for orders

    def _do(
        self,
        verb: str,
        thing: ast.NounPhrase | None,
        subject: ast.NounPhrase | None,
        manner: int,
        *roles: tuple[str, ast.Expression],
    ) -> ast.Do:
        said = tuple(ast.RolePhrase(word, phrase, span=self.span) for word, phrase in roles)
        adverbs = (self.model.ruleset.manners[manner],) if manner >= 0 else ()
        return ast.Do(subject, self.word(verb), ast.Arguments(thing, said, span=self.span), adverbs, span=self.span)

    def _asked(self, decider: Value | None, scope: Scope) -> ast.NounPhrase | None:
        """Return the words for the chooser; None for the usual chooser."""
        usual = asked_player(scope)
        if decider is None or decider == usual:
            return None
        return self._named(decider, scope)

    def _moment_ordered(self, number: int) -> ast.Statement:
        """Return the order of a moment: `the attack lands`."""
        verb = self.model.ruleset.verbs[number]
        act, nothing = self.phrase("the", act_of(self.model, verb).noun), ast.Arguments(None, (), span=self.span)
        return ast.Do(act, self.word(verb.name), nothing, (), span=self.span)

    def _calls(self, step: ir.Call, scope: Scope) -> Iterator[ast.Statement]:
        verb = self.model.ruleset.verbs[step.verb]
        subject: ast.NounPhrase | None = None
        origin: Typed | None = scope.this
        match step.agent:
            case ir.ChosenRole(among, var):
                subject = self.set(among, scope)
                origin = Typed(var, var.base, var.noun)
            case ir.Bound(value) if verb.by != "game" and value != Const(NOTHING, "player"):
                subject = self.thing(value, scope)
                origin = self.known(value, scope) or Typed(value, verb.by, "" if verb.by == "piece" else verb.by)
        after = scope
        if isinstance(step.agent, ir.ChosenRole) and isinstance(subject, ast.Phrase) and origin is not None:
            after = after.mentioning(mentioned(subject, origin))
        slots: list[ast.Expression | None] = []
        for role, fill in zip(verb.roles, step.roles, strict=True):
            around = replace(scope_of_order(origin, scope), mentions=after.mentions)
            words = self._slot_of(verb, role, fill, for_role(self.reader, around, role, around.ordered))
            slots.append(self.phrase("a", verb.yields) if verb.yields and role.word == "" else words)
            if isinstance(fill, ir.ChosenRole | ir.Usual) and words is not None:
                after = after.mentioning(mentioned(words, Typed(fill.var, fill.var.base, role.noun), role.noun))
        arguments = self.arguments(verb, slots)
        if verb.yields and arguments.object is None:
            arguments = replace(arguments, object=self.phrase("a", verb.yields))
        adverbs = (self.model.ruleset.manners[step.manner],) if step.manner >= 0 else ()
        yield ast.Do(subject, self.word(verb.name), arguments, adverbs, span=self.span)
        yield ast.Do(None, self.word(verb.name), arguments, adverbs, span=self.span)

    def _amount(self, noun: str, value: Value, scope: Scope) -> ast.Expression:
        """Return the words for the number of an act that is ordered: `2 damage`, `damage equal to its attack`."""
        if isinstance(value, Const):
            count = ast.Count(value.value, value.value, span=self.span)
            return replace(self.phrase("", noun), count=count)
        said = self.value(value.of if isinstance(value, Floored) else value, scope)
        if isinstance(said, ast.Phrase) and (said.determiner, said.head) == ("that", self.word(noun)):
            return said
        return ast.Amount(self.word(noun), said, span=self.span)

    def _slot_of(self, verb: Verb, role: Role, fill: ir.Fill, scope: Scope) -> ast.Expression | None:
        match fill:
            case ir.Bound(value) if role.is_quantity:
                return self._amount(role.noun, value, scope)
            case ir.Bound(value) if verb.is_source(role) and value == NO_PIECE:
                return ast.Pronoun("nobody", span=self.span)
            case ir.Bound(value):
                return self.value(value, scope)
            case ir.ChosenRole(among):
                said = self.set(among, scope)
                plain = not (said.adjectives or said.modifiers) and said.head.text == role.noun
                # A bare noun would leave the choice to the permitted things.
                return replace(said, determiner="any") if plain else said
            case ir.Usual(var) if var.base == "token" or (verb.name, role.word) in self.model.permitted:
                return self.phrase("a", role.noun)
        return None

    def _choices(self, steps: ir.Steps, scope: Scope) -> Iterator[tuple[ast.Statement, int]]:
        """Yield `choose a …`, or one order for a choice and the next act: of the chosen player, or with the chosen thing."""
        first = steps[0]
        assert isinstance(first, ir.Choose)
        if len(steps) > 1 and isinstance(steps[1], ir.SwapPlaces) and steps[1].other == first.var:
            yield from self._swapped(steps[1], first.among, scope)
        thing = self.set(first.among, scope.from_here(scope.this))
        if first.decider is None:
            thing = replace(thing, adjectives=(self.word("random"), *thing.adjectives))
        subject = self._asked(first.decider, scope)
        yield self._do("choose", thing, subject, -1), 1
        if len(steps) > 1:
            around = _fork(scope).mentioning(mentioned(thing, Typed(first.var, first.var.base, first.var.noun)))
            for order in self._tried(self._plain_orders, steps[1], around):
                if isinstance(order, ast.Do):
                    yield replace(order, subject=subject, arguments=replace(order.arguments, object=thing)), 2
            for order, used in self._tries(steps[1:], around) if first.var.base == "player" else ():
                if isinstance(order, ast.Do) and isinstance(order.subject, ast.Phrase):
                    yield replace(order, subject=thing), used + 1

    def _swapped(self, step: ir.SwapPlaces, among: Set, scope: Scope) -> Iterator[tuple[ast.Statement, int]]:
        """Yield `… swaps places with a …`, which can also be an offer to the piece, as a choice by itself cannot."""
        for piece in self._once(self.thing, step.piece, scope):
            known = self.known(step.piece, scope)
            around = scope_of_swap(known, scope) if known is not None else scope
            for thing in self._once(self.set, among, around.from_here(scope.this)):
                yield self._do("swap places", None, piece, -1, ("with", thing)), 2

    def _plain_orders(self, step: ir.Order, scope: Scope) -> Iterator[ast.Statement]:
        match step:
            case ir.MoveToken(token, None, manner):
                yield self._do("take", self.thing(token, scope), None, manner)
            case ir.MoveToken(token, into, manner):
                assert into is not None
                yield self._do("put", self.thing(token, scope), None, manner, ("into", self.holder(into, scope)))
            case ir.MoveAll(tokens, count, into, manner):
                yield from self._all(tokens, count, into, manner, scope)
            case ir.MakeTokens(document, _, count, into):
                for thing in self._new(document, scope):
                    for counted in self._counted_new(thing, count, scope):
                        yield self._do("put", counted, None, -1, ("into", self.holder(into, scope)))
            case ir.MovePiece(piece, space):
                yield self._do("put", self.thing(piece, scope), None, -1, ("onto", self.value(space, scope)))
            case ir.SwapPlaces(piece, other):
                beside = ("with", self.thing(other, scope))
                yield self._do("swap places", None, self.thing(piece, scope), -1, beside)
            case ir.RaisePiece():
                yield self._raised(step, scope)
            case ir.RemovePiece(piece):
                yield self._do("remove", self.thing(piece, scope), None, -1)
            case ir.SwapForm(piece, document):
                yield self._do("swap", self.thing(piece, scope), None, -1, ("for", self.value(document, scope)))
            case ir.See(tokens, by):
                yield self._do("see", self.set(tokens, scope, "all"), self._asked(by, scope), -1)
            case ir.Perform(block, of, by):
                yield self._do("perform", self._of(block, of, scope), self._asked(by, scope), -1)
            case ir.Win(team):
                for one in (team, team.of) if isinstance(team, Attribute) else (team,):
                    for said in self._once(self.thing, one, scope):
                        yield self._do("win", None, said, -1)
            case ir.Clock():
                verb = _CLOCKS[step.what]
                yield self._do(verb, None, None, -1)

    def _raised(self, step: ir.RaisePiece, scope: Scope) -> ast.Statement:
        """Return the order that turns a token into a piece, with its owner if that is not the usual one."""
        noun = self.model.ruleset.kinds[step.kind].name
        usual = scope.you if scope.you is not None else Const(NOTHING, "player")
        kind = self.phrase("a", noun)
        if step.owner not in (usual, Const(NOTHING, "player")):
            kind = self.phrase("a", noun, self.related("of", self.thing(step.owner, scope)))
        place = self.value(step.space, scope)
        return self._do("put", self.thing(step.token, scope), None, -1, ("onto", place), ("as", kind))

    def _all(self, tokens: Set, count: int, into: Holder | None, manner: int, scope: Scope) -> Iterator[ast.Statement]:
        thing = self.set(tokens, scope, "all" if count < 0 else "")
        if count >= 0:
            thing = replace(thing, count=ast.Count(count, count, span=self.span))
        if into is not None:
            yield self._do("put", thing, None, manner, ("into", self.holder(into, scope)))
        else:
            yield self._do("remove", thing, None, -1)
            yield self._do("take", thing, None, manner)

    def _new(self, document: Value, scope: Scope) -> Iterator[ast.Phrase]:
        new = (self.word("new"),)
        if isinstance(document, Const):
            yield ast.Phrase("a", None, new, self.name(document.value), (), span=self.span)
        of = self.related("of", self.thing(document, scope))
        for noun, thing in self.nouns():
            if thing.base == "token":
                yield replace(self.phrase("a", noun, of), adjectives=new)

    def _counted_new(self, thing: ast.Phrase, count: Value | None, scope: Scope) -> Iterator[ast.Phrase]:
        if count is None or isinstance(count, Const):
            yield from self._counted(thing, -1 if count is None else count.value)
            return
        said = self.value(count, scope)
        if isinstance(said, ast.Letter):
            yield replace(thing, determiner="", count=ast.Count(0, 0, said, span=self.span))

    def _counted(self, thing: ast.Phrase, count: int) -> Iterator[ast.Phrase]:
        if count < 0:
            yield replace(thing, determiner="all")
        elif count == 1:
            yield thing
        else:
            yield replace(thing, determiner="", count=ast.Count(count, count, span=self.span))

    # ---- control

    def _control(self, step: ir.Order, scope: Scope) -> Iterator[ast.Statement]:
        match step:
            case ir.If() if (offer := offered_in(step)) is not None:
                yield from self._control(offer, scope)
            case ir.If(test, then) if limit_in(test) is not None:
                limit = self.limit([test], scope)
                assert limit is not None
                yield ast.Limited(limit, self.within(uncounted(then, limit.field), _fork(scope)), span=self.span)
            case ir.If(Not(test), then, ()) if _is_act(test):
                order = self.within(then, _fork(scope))
                if not isinstance(order, ast.Do | ast.May) and not _opens(order):
                    yield ast.Guarded(order, "unless", self.condition(test, scope), span=self.span)
            case ir.If(test, then, otherwise):
                condition = self.condition(test, scope)
                around = having_said(condition, scope)
                first, second = self._branches((then, otherwise) if otherwise else (then,), around) * (
                    1 if otherwise else 2
                )
                yield _with_otherwise(ast.Conditional(condition, first, second if otherwise else None, span=self.span))
            case ir.Until(test, steps):
                condition = self.condition(test, scope)
                inner = self.within(steps, _fork(having_said(condition, scope)))
                yield ast.Repetition(condition, inner, span=self.span)
            case ir.ForEach(var, among, free, _, steps):
                yield from self._loops(var, among, free, steps, scope)
            case ir.Either(options):
                yield ast.Alternatives(tuple(self._branches(options, scope)), span=self.span)
            case ir.Offer(options, decider):
                yield from self._offer(options, decider, scope_of_offer(decider, scope))
            case ir.IfAble(steps):
                for order, used in self._tries(steps, _fork(scope)):
                    if isinstance(order, ast.Do) and used == len(steps):
                        yield replace(order, adverbs=(*order.adverbs, "if able"))

    def _foreseen(self, steps: ir.Steps, scope: Scope) -> Iterator[tuple[ast.Statement, int]]:
        """Yield the `if` or `until` after the steps of its look-ahead, and the number of these steps."""
        asked: list[ir.Foresee] = []
        for one in steps:
            if not isinstance(one, ir.Foresee):
                break
            asked.append(one)
        then = steps[len(asked)] if len(steps) > len(asked) else None
        if not isinstance(then, ir.If | ir.Until):
            raise Unsaid("a look-ahead that nothing asks for")
        around = _fork(scope)
        condition = self._condition_tried(then.condition, asked, around)
        around = having_said(condition, around)
        if isinstance(then, ir.Until):
            inner = self.within(then.steps[: -len(asked)], _fork(around))
            yield ast.Repetition(condition, inner, span=self.span), len(asked) + 1
            return
        first, second = self._branches((then.then, then.otherwise) if then.otherwise else (then.then,), around) * (
            1 if then.otherwise else 2
        )
        said = ast.Conditional(condition, first, second if then.otherwise else None, span=self.span)
        yield _with_otherwise(said), len(asked) + 1

    def _condition_tried(self, test: Condition, tried: Sequence[ir.Foresee], scope: Scope) -> ast.Proposition:
        """Return the words for a condition after its look-ahead; the scope numbers the variables of both."""
        before = _fork(scope)
        self.reader.ahead = {self._can_do(one, scope): one.var for one in tried}
        try:
            condition = self.condition(test, before)
        finally:
            self.reader.ahead = {}
        # Now it is read once more, for the variables that come before those of the steps.
        read_asking(self.reader, condition, scope)
        return condition

    def _can_do(self, step: ir.Foresee, scope: Scope) -> ast.CanDo:
        """Return the words for an act that is tried, with the roles that it must have."""
        call = next(one for one in step.steps if isinstance(one, ir.Call))
        said: dict[object, ir.Fill] = {}
        for one in step.steps:
            match one:
                case ir.Keep(var, value):
                    said[var] = ir.Bound(value)
                case ir.Choose(var, among):
                    said[var] = ir.ChosenRole(among, var)
        wanted = {
            one.condition.left: one.condition.right
            for one in step.steps
            if isinstance(one, ir.Must) and isinstance(one.condition, Compare)
        }
        roles = tuple(
            said[wanted[fill.var]] if isinstance(fill, ir.Usual) and fill.var in wanted else fill for fill in call.roles
        )
        agent = said.get(call.agent.value, call.agent) if isinstance(call.agent, ir.Bound) else call.agent
        for order in self._calls(replace(call, agent=agent, roles=roles), scope):
            if isinstance(order, ast.Do):
                subject = order.subject or ast.Pronoun("you", span=self.span)
                return ast.CanDo(subject, False, (order.verb,), order.arguments, span=self.span)
        raise Unsaid("what can be done")

    def begun(self, steps: ir.Steps) -> ir.Steps:
        """Return steps without the requirement that the limit they begin with is not used up."""
        first = steps[0] if steps else None
        return steps[1:] if isinstance(first, ir.Must) and limit_in(first.condition) is not None else steps

    def limit(self, conditions: Sequence[Condition], scope: Scope) -> ast.Limit | None:
        """Return the limit that is among some conditions; None if there is no limit."""
        for condition in conditions:
            place = limit_in(condition)
            if place is not None:
                assert isinstance(condition, Compare) and isinstance(condition.right, Const)
                of_player = isinstance(place.of, Var | Attribute) and place.of.base == "player"
                of_players = of_player and scope.this is not None and scope.this.base == "piece"
                return ast.Limit(condition.right.value, place.per, of_players, place.field, span=self.span)
        return None

    def _loops(self, var: Var, among: Set, free: bool, steps: ir.Steps, scope: Scope) -> Iterator[ast.Statement]:
        around = _fork(scope)
        around.variables.new(var.base, var.noun)
        members = self.set(among, scope, "each")
        inner = around.each(mentioned(members, Typed(var, var.base, var.noun)))
        order = self.within(steps, inner)
        for said in ("in any order",) if free else ("in turn order", ""):
            yield ast.Iteration(members, said, order, span=self.span)

    def _windows(self, players: Set, rounds: Sequence[ir.ForEach], scope: Scope) -> Iterator[ast.Statement]:
        """Yield the words for a window; if a round has several loops, some players come first."""
        around, last = _fork(scope), rounds[-1]
        around.variables.used = last.var.id
        everyone = self.set(players, around, "each")
        until = ast.AllPass("decline" if self.model.verb("pass") is not None else "pass", span=self.span)
        for said in self._tried(self._loops, last.var, last.among, last.free, last.steps, around):
            if isinstance(said, ast.Iteration):
                offer = replace(_at_once(said.step), subject=everyone)
                for first in self._first_of(rounds, around):
                    yield ast.Window(offer, until, first, span=self.span)

    def _first_of(self, rounds: Sequence[ir.ForEach], scope: Scope) -> Iterator[ast.NounPhrase | None]:
        """Yield the words for the players who come first in a window; None if no player comes first."""
        if len(rounds) == 1:
            yield None
            return
        some = self.set(rounds[0].among, scope)
        told = [one.value for one in some.modifiers if isinstance(one, ast.ThatIs) and not one.negated]
        yield from (one for one in told if isinstance(one, ast.Phrase | ast.Pronoun))
        yield replace(some, determiner="your", modifiers=())

    def _branches(self, branches: Sequence[ir.Steps], scope: Scope) -> list[ast.Statement]:
        """Return the orders of branches, whose variables are numbered one after the other."""
        said = []
        around = _fork(scope)
        for steps in map(self.begun, _unjoined(branches, scope)):
            orders, after = self.orders(steps, around)
            said.append(self._in_one_part(orders))
            around = replace(around, variables=after.variables)
        return said

    def _offer(self, options: Sequence[ir.Steps], decider: Value, scope: Scope) -> Iterator[ast.Statement]:
        """Yield the words for an offer; if it is of several acts, they may have no arguments in common."""
        ways: list[tuple[ast.Do, tuple[ast.Statement, ...]]] = []
        around = _fork(scope)
        for steps in options:
            orders, after = self.orders(steps, around)
            around = replace(around, variables=after.variables)
            whole = self._in_one_part(orders)
            first, *rest = whole.steps if isinstance(whole, ast.StepSequence) else (whole,)
            if isinstance(first, ast.OrderedChange) and len(options) == 1:
                yield self._in_turn(ast.OfferedChange(first, span=self.span), rest)
                return
            if not isinstance(first, ast.Do):
                raise Unsaid("an offer that begins with no order")
            ways.append((first, tuple(rest)))
        first, then = ways[0]
        subject = first.subject or self._who_is_asked(decider, scope)
        verbs = tuple(one.verb for one, _ in ways)
        plain = ast.Arguments(None, (), span=self.span)
        for arguments in (first.arguments, plain)[: len(options)]:
            yield self._in_turn(ast.May(subject, verbs, arguments, first.adverbs, span=self.span), then)

    def _in_turn(self, first: ast.Statement, then: Sequence[ast.Statement]) -> ast.Statement:
        """Return an order with those that follow it."""
        return ast.StepSequence((first, *then), span=self.span) if then else first

    def _who_is_asked(self, decider: Value, scope: Scope) -> ast.NounPhrase:
        """Return the words for the player to whom an offer is made, or for the piece that the player decides for."""
        return ast.Pronoun("you", span=self.span) if decider == scope.you else self._named(decider, scope)

    def _named(self, decider: Value, scope: Scope) -> ast.NounPhrase:
        """Return the words for a decider, who may be the player who decides for a piece."""
        if isinstance(decider, Attribute) and decider.what == "decider":
            decider = decider.of
        return self.thing(decider, scope)

    # ---- what changes

    def _changes(self, step: ir.Order, scope: Scope) -> Iterator[ast.Statement]:
        match step:
            case ir.Keep(var, value) if any(one.thing.value == var for one in scope.mentions):
                yield from self._numbers_set(var, value, scope)
            case ir.Keep(var, value):
                yield ast.Let(self.word(var.noun), self.value(value, scope), span=self.span)
            case ir.Must(condition):
                must = self.condition(condition, scope)
                if isinstance(must, ast.Is) and not isinstance(must.subject, ast.Total):
                    yield ast.Requirement(must.subject, must.negated, must.value, span=self.span)
            case ir.ChangeForm(piece, document):
                yield self._becomes(self.thing(document, scope), self._of("type", piece, scope))
            case ir.BecomeKind(piece, kind):
                noun = self.model.ruleset.kinds[kind].name
                yield self._becomes(self.thing(piece, scope), self.phrase("a", noun))
            case ir.ChangeOwner(piece, owner):
                yield self._becomes(self.thing(owner, scope), self._of("owner", piece, scope))
            case ir.SetField(number, of) if self._is_lasting(number):
                lasting = cast("ast.SyntaxNode", self.model.lasting[number])
                # With all other references spelt out, `it` may be ambiguous.
                spelt_out = (_with_it(lasting, self.thing(of, scope)),) if of is not None else ()
                yield from cast("tuple[ast.Statement, ...]", (lasting, *spelt_out))
            case ir.SetField(number, of, value):
                yield from self._settings(number, of, value, scope)
            case ir.Prevail(number, of, value, clause):
                for said in self._tried(self._settings, number, of, value, scope):
                    if isinstance(said, ast.Becomes):
                        yield ast.Prevails(said.subject, said.value, self._ending(clause, scope), span=self.span)
            case ir.Grant(piece, bonus, clause):
                yield ast.Has(
                    self.thing(piece, scope), self._bonus(bonus, scope), self._ending(clause, scope), span=self.span
                )

    def _is_lasting(self, number: int) -> bool:
        """Whether a field belongs to a rule that lasts until a moment, or to steps that are taken at such a moment."""
        fields = self.model.ruleset.fields
        return number in self.model.lasting and (number >= len(fields) or fields[number].per == LASTS)

    def _becomes(self, subject: ast.NounPhrase, value: ast.Expression | ast.Adjective) -> ast.Becomes:
        return ast.Becomes(subject, value, span=self.span)

    def _settings(self, number: int, of: Value | None, value: Value, scope: Scope) -> Iterator[ast.Statement]:
        field = self.model.ruleset.fields[number]
        place = FieldOf(number, of, field.base)
        if field.base == "flag":
            for word, (owner, one, flag) in self.model.flags.items():
                if one == number and value == Const(flag, "flag"):
                    subject = self.phrase("the", owner) if of is None else self.thing(of, scope)
                    yield self._becomes(subject, ast.Adjective(self.word(word), span=self.span))
            return
        if field.steps is not None:
            assert isinstance(value, Trail)
            if not value.step:
                yield from self._way_back(place, scope)
                return
            latest, kept = self.thing(latest_step(self.model.ruleset.fields, place), scope), value.step[0]
            said = self.thing(kept, scope)
            yield self._becomes(said if field.beside is None else self._place(said), latest)
            return
        if field.base in CAN_BE_UNSET and value == Const(NOTHING, field.base):
            yield self._becomes(self.thing(place, scope), ast.Pronoun("nothing", span=self.span))
        elif field.base == "number":
            yield from self._numbers_set(place, value, scope)
        else:
            yield self._becomes(self.thing(value, scope), self.thing(place, scope))

    def _way_back(self, trail: FieldOf, scope: Scope) -> Iterator[ast.Statement]:
        """Yield the words for a trail that goes back."""
        latest = self.thing(latest_step(self.model.ruleset.fields, trail), scope)
        yield ast.Changes(latest, "goes back", None, span=self.span)

    def _place(self, space: ast.NounPhrase) -> ast.NounPhrase:
        """Return the words for the place of a piece, made from the words for its space."""
        return replace(space, head=self.word(PLACE)) if isinstance(space, ast.Phrase) else space

    def _numbers_set(self, place: FieldOf | Var, value: Value, scope: Scope) -> Iterator[ast.Statement]:
        """Yield the words for a change of a number."""
        where = self.thing(place, scope)
        least = ast.Number(value.least, span=self.span) if isinstance(value, Floored) else None
        value = value.of if isinstance(value, Floored) else value
        match value:
            case Sum((1, sign), (first, amount)) if first == place:
                if amount == place:
                    yield ast.Changes(where, "doubles", None, span=self.span)
                how = "increases" if sign > 0 else "decreases"
                for said in self._once(self.value, amount, scope):
                    yield ast.Changes(where, how, said, span=self.span)
                    yield ast.Changes(where, how, said, least, span=self.span)
        yield self._becomes(where, self.value(value, scope))

    def _budgets(
        self, part: Var, used: tuple[Var, Value, FieldOf], step: ir.Order, scope: Scope
    ) -> Iterator[ast.Statement]:
        """Yield the words for a decrease of a number within a budget, or for its offer."""
        number, most, place = used
        amount, where = self.value(most, scope), self.thing(number, scope)
        if not isinstance(amount, ast.Number | ast.Letter):
            raise Unsaid("a budget that is worked out")
        of_players = getattr(place.of, "base", "") == "player" and scope.this is not None
        limit = ast.Limit(1, place.per, of_players, place.field, span=self.span)
        change = ast.Changes(where, "decreases", ast.FirstPoints(amount, limit, span=self.span), span=self.span)
        if not isinstance(step, ir.If):
            yield change
            return
        offer = step.then[0]
        assert isinstance(offer, ir.Offer)
        around = _fork(scope_of_offer(offer.decider, scope))
        around.variables.used = max(around.variables.used, part.id + 1)
        rest = self.orders(offer.options[0][1:], around)[0]
        may = ast.OfferedChange(change, span=self.span)
        yield self._in_turn(may, rest)

    def _bonus(self, bonus: ir.Raise | Parameter, scope: Scope) -> ast.Addition | ast.Letter:
        if isinstance(bonus, Parameter):
            return ast.Letter(self.model.ruleset.sheets[bonus.document].parameters[bonus.index], span=self.span)
        known = self.model.ruleset.raised
        if bonus.what >= len(known):
            raise Unsaid("a bonus that no text of the game gives")
        what = known[bonus.what]
        word = ast.Name(what, span=self.span) if what[:1].isupper() else self.word(what)
        if isinstance(word, ast.Name) and bonus.amount == Const(1, "number") and not self._has_letters(what):
            return ast.Addition(None, word, span=self.span)
        return ast.Addition(self.value(bonus.amount, scope), word, span=self.span)

    def _has_letters(self, document: str) -> bool:
        """Whether a document that can be borne has parameters."""
        number = self.model.ruleset.sheet_number(document)
        return number >= 0 and bool(self.model.ruleset.sheets[number].parameters)

    def _ending(self, clause: int, scope: Scope) -> ast.EventPhrase | ast.ComingTime | None:
        """Return the event that ends a bonus or a field given for a time; None if it has no end."""
        if clause < 0:
            return None
        ends = [
            (hook, step)
            for hook in self.endings
            for step in hook.code.steps
            if isinstance(step, ir.EndGrants) and step.clause == clause
        ]
        if not ends:
            raise Unsaid("what ends something")
        moment = self._moment(*ends[0])
        if moment is not None:
            return moment
        verbs = [self.model.ruleset.verbs[hook.code.verb] for hook, _ in ends]
        known = event_scope(self.reader, None, ast.Arguments(None, (), span=self.span), verbs[0], Carrier(-1, "", ""))[
            1
        ]
        inner = ending_scope(self.reader, verbs[0], scope)
        when = ends[0][1].when
        conditions: list[Condition] = list(when.conditions) if isinstance(when, All) else [when]
        slots = self.slots(
            conditions,
            known,
            [inner] * len(known),
            lambda said: parts_of_event(
                self.reader, self.word(verbs[0].name), said[0], self.arguments(verbs[0], said[1:]), known, inner
            ),
        )
        subject = slots[0] or self.phrase("a", verbs[0].agent_noun if verbs[0].by == "piece" else "player")
        words = tuple(self.word(verb.name) for verb in verbs)
        said = next(said_of_act(self.model, verbs[0], subject, self.arguments(verbs[0], slots[1:])))
        return ast.Happens(said.subject, words, said.arguments, span=self.span)

    def _moment(self, hook: Hook, step: ir.EndGrants) -> ast.ComingTime | None:
        """Return the start or the end of a turn or a round that ends something; None for another event."""
        active = Compare("==", FieldOf(self.model.ruleset.active, None, "player"), Var(YOU, "player"), self.span)
        anybodys, yours = All((), self.span), All((active,), self.span)
        for span_of, edge in times_of(self.model.ruleset, hook) if step.when in (anybodys, yours) else ():
            return ast.ComingTime(edge, span_of, step.when == yours, span=self.span)
        return None


def _reaches_on(order: ast.Statement) -> bool:
    """Whether words after an order in the same part would belong to it."""
    first = order.steps[0] if isinstance(order, ast.StepSequence) else order
    offers = ast.May | ast.OfferedChange
    return isinstance(first, offers | ast.Conditional | ast.Repetition | ast.Iteration | ast.Limited)


def _at_once(offer: ast.Statement) -> ast.May:
    """Return an offer as one step, which may choose a piece and let it act; raises Unsaid for other offers."""
    match offer:
        case ast.May():
            return offer
        case ast.StepSequence((ast.May() as chosen, ast.Do(ast.Phrase("that"), verb, ast.Arguments(None) as more))):
            thing = replace(more, object=chosen.arguments.object)
            return replace(chosen, verbs=(verb,), arguments=thing)
    raise Unsaid("an offer of several steps until all pass")


def _with_end(order: ast.Statement) -> ast.Statement:
    """Return an order in a form that does not include later orders of the same part; raises Unsaid if there is none."""
    if isinstance(order, ast.Conditional) and order.otherwise is None and not _opens(order.step):
        return ast.Guarded(order.step, "if", order.condition, span=order.span)
    steps = order.steps if isinstance(order, ast.StepSequence) else (order,)
    if any(map(_reaches_on, steps)) or isinstance(steps[-1], ast.Delayed | ast.Lasting):
        raise Unsaid("something that would reach to what is behind it")
    return order


def _with_otherwise(said: ast.Conditional) -> ast.Conditional:
    """Return an `if` in a form in which its `otherwise` cannot belong to another `if` at the end of its steps."""
    *before, last = said.step.steps if isinstance(said.step, ast.StepSequence) else (said.step,)
    if said.otherwise is None or not isinstance(last, ast.Conditional) or last.otherwise is not None:
        return said
    last = _with_end(last)
    return replace(said, step=ast.StepSequence((*before, last), span=said.span) if before else last)


def _is_act(test: Condition) -> bool:
    """Whether a condition is about acts under way, which texts cannot negate."""
    return test.reads == "events" or (isinstance(test, Any) and all(map(_is_act, test.conditions)))


def _opens(step: ast.Statement) -> bool:
    """Whether a step cannot have a condition after it, because it is not plain."""
    return _reaches_on(step) or isinstance(step, ast.StepSequence | ast.Alternatives | ast.Delayed | ast.Lasting)


def _asks_for_several(order: ast.Statement) -> bool:
    """Whether an order is an `if` without `otherwise` that covers several steps."""
    return isinstance(order, ast.Conditional) and isinstance(order.step, ast.StepSequence) and order.otherwise is None


def _apart(part: ast.Statement) -> Iterator[ast.Statement | ast.Otherwise]:
    """Yield a part of a sentence; if it has an `otherwise`, yield that separately."""
    if isinstance(part, ast.Conditional) and part.otherwise is not None:
        yield replace(part, otherwise=None)
        yield ast.Otherwise(part.otherwise, span=part.span)
    else:
        yield part


def _with_it(node: ast.SyntaxNode, thing: ast.NounPhrase) -> ast.SyntaxNode:
    """Return a node in which a thing is named instead of `it`."""
    is_it = isinstance(node, ast.Pronoun) and node.word == "it"
    return thing if is_it else cast("ast.SyntaxNode", with_parts(node, lambda part: _with_it(part, thing)))


def _fork(scope: Scope) -> Scope:
    """Return a copy of a scope that numbers its further variables independently."""
    variables = Variables(scope.variables.used, scope.variables.first)
    variables.known = list(scope.variables.known)
    variables.chosen_by = dict(scope.variables.chosen_by)
    return replace(scope, variables=variables)


def _unjoined(branches: Sequence[ir.Steps], scope: Scope) -> list[ir.Steps]:
    """Return branches without the steps that keep a new mention which all branches share."""
    known = {one.thing.value for one in scope.mentions}
    tails = [{one.var.id for one in steps if isinstance(one, ir.Keep) and one.var not in known} for steps in branches]
    shared = set.intersection(*tails) if len(branches) > 1 else set()
    return [
        tuple(step for step in steps if not (isinstance(step, ir.Keep) and step.var.id in shared)) for steps in branches
    ]


def _without(steps: ir.Steps, scope: Scope) -> ir.Steps:
    """Return steps without those that keep a shared mention of branches; later steps need not use it."""
    return tuple(_plain(step, scope.variables.joined) for step in steps)


def _plain(step: ir.Order, joined: set[int]) -> ir.Order:
    def less(steps: ir.Steps) -> ir.Steps:
        kept = (one for one in steps if not (isinstance(one, ir.Keep) and one.var.id in joined))
        return tuple(_plain(one, joined) for one in kept)

    if isinstance(step, ir.Grant | ir.Prevail) and step.clause >= 0:
        return replace(step, clause=0)
    return with_branches(step, less)
