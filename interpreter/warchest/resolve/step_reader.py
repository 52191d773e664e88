"""Orders: sentences that make something happen, as steps of code."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TypeAlias

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir import steps as ir
from warchest.ir.opposites import opposite_of
from warchest.ir.parts import nodes_in, variables_in
from warchest.ir.ruleset import Role, Verb
from warchest.ir.values import (
    NO_PIECE,
    NOTHING,
    All,
    Any,
    Attribute,
    Base,
    Condition,
    Const,
    FieldOf,
    Floored,
    Latest,
    Not,
    Sum,
    Value,
    Var,
)
from warchest.resolve.amounts import as_any, not_one
from warchest.resolve.antecedents import PronounTest
from warchest.resolve.budgets import begins_within, is_left, place_of, refuse_count_in_loop, within
from warchest.resolve.foresight import ForesightReader
from warchest.resolve.joining import joined
from warchest.resolve.model import ORDINALS
from warchest.resolve.moments import ordered_moment, refuse_part
from warchest.resolve.owners import is_owner, turned_round
from warchest.resolve.quantities import (
    amount_said,
    is_from_nobody,
    kept_number,
    never_negative,
    refuse_budget,
    refuse_it,
    set_aside,
    some_left,
    unclear_who,
    within_budget,
    without_vain,
)
from warchest.resolve.reach import (
    no_step,
    pronoun_in,
    refuse_after_if,
    refuse_event_before,
    refuse_guard,
    refuse_in_loop,
    refuse_two_readings,
    sequence_of,
)
from warchest.resolve.sides import chosen_as
from warchest.resolve.stopping import stopped
from warchest.resolve.trails import kept_as, longer, shorter, space_of_place, trails_of
from warchest.resolve.types import Flaw, Mention, Scope, Typed, flaw
from warchest.resolve.unset import cleared, is_nothing
from warchest.resolve.value_reader import article, is_indefinite
from warchest.resolve.windows import opened
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import plural

AGAIN = "again"
"""The adverb for doing the act once more that a hook answers."""
_SaidOfEach: TypeAlias = ast.Do | ast.May | ast.Becomes | ast.Has | ast.Prevails | ast.OfferedChange
"""The steps that can be said of each of several things."""


class StepReader(ForesightReader):
    """Reads orders. Every method returns the steps and the scope of those after them."""

    def block(self, sentences: Sequence[ast.Sentence], scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read the sentences of a block of steps, one after the other."""
        done: list[ir.Order] = []
        for step in stopped(joined(sentences)):
            read, scope = self.steps(step, scope)
            done.extend(read)
        return tuple(done), scope

    def steps(self, node: ast.Statement, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read one step, which may be a sequence, or several parts of a sentence."""
        if isinstance(node, ast.Sections):
            return self.block(node.sections, scope)
        return self._sequence(sequence_of(node), scope)

    def _sequence(self, nodes: Sequence[ast.Statement], scope: Scope) -> tuple[ir.Steps, Scope]:
        done, scope = self._in_turn(nodes, scope)
        return tuple(step for steps in done for step in steps), scope

    def _in_turn(self, nodes: Sequence[ast.Statement], scope: Scope) -> tuple[list[ir.Steps], Scope]:
        """Read steps one after the other; return the steps that each of them makes."""
        done: list[ir.Steps] = []
        for index, node in enumerate(nodes):
            rest = nodes[index + 1 :]
            _refuse_behind_time(node, rest)
            loops = self._said_of_each(node, rest, scope)
            if loops:
                done.append(tuple(self._for_each(loop, scope) for loop in loops))
                if isinstance(node, ast.May | ast.OfferedChange):
                    break
                continue
            first, *then = self._as_choice(node, scope)
            if isinstance(first, ast.May | ast.OfferedChange):
                # An offer reaches to the end of its part: all that follows is in it.
                done.append(self._offered(first, [*then, *rest], scope))
                break
            if then:
                read, scope = self._sequence([first, *then], scope)
            elif isinstance(node, ast.Conditional):
                read, scope = self._if(node, scope, is_first=index == 0)
            elif isinstance(node, ast.Guarded):
                read, scope = self._guarded(node, rest, scope)
            elif isinstance(node, ast.Limited):
                read = self._limited(node, scope, is_first=index == 0)
            else:
                read, scope = self._step(node, scope)
            done.append(read)
        return done, scope

    def _step(self, node: ast.Statement, scope: Scope) -> tuple[ir.Steps, Scope]:
        match node:
            case ast.Do():
                return self._do(node, scope)
            case ast.Becomes():
                return ((made := self._becomes(node, scope)),), self.having_become(made, node, scope)
            case ast.Changes():
                return (*self._set_aside(node, scope), *self._changes(node, scope)), scope
            case ast.Has() | ast.Prevails():
                return (self.grant(node, scope),), self.having_named(node.subject, scope)
            case ast.Let():
                return self._let(node, scope)
            case ast.Lasting():
                return self.lasting(node, scope), scope
            case ast.Delayed():
                return self.delayed(node, scope), scope
            case ast.Requirement(subject, negated, value):
                must = self.condition(ast.Is(subject, False, value, span=node.span), scope)
                condition = Not(must, node.span) if negated else must
                return (ir.Must(condition, span=node.span),), self.having_named(subject, scope)
            case ast.Repetition(condition, step):
                refuse_event_before(node)
                asked, read = self.asking(condition, scope)
                done = self.steps(step, self.having_said(condition, scope))[0]
                return (*asked, ir.Until(read, (*done, *asked), span=node.span)), scope
            case ast.Alternatives(options):
                branches = [self.steps(option, scope) for option in options]
                branches = [(begins_within(steps), after) for steps, after in branches]
                told, after = self._joined(branches, scope, node.span)
                return (ir.Either(told, self._who_chooses(options, scope), span=node.span),), after
            case ast.Iteration():
                return (self._for_each(node, scope),), scope
            case ast.Window():
                return self._window(node, scope), self._after_window(node.offer, scope)
            case ast.Sections():
                return self.steps(node, scope)
            case _:
                raise no_step(node)

    def grant(self, node: ast.Has | ast.Prevails, scope: Scope) -> ir.Order:
        """Read that a piece gets a bonus."""
        raise NotImplementedError

    def lasting(self, node: ast.Lasting, scope: Scope) -> ir.Steps:
        """Read a prohibition or a permission until a moment."""
        raise NotImplementedError

    def delayed(self, node: ast.Delayed, scope: Scope) -> ir.Steps:
        """Read steps that are taken at a moment to come."""
        raise NotImplementedError

    def _let(self, node: ast.Let, scope: Scope) -> tuple[ir.Steps, Scope]:
        typed, word = self.value(node.value, scope), node.word.text
        known = self.model.thing(word)
        if known is not None and known.base != typed.base:
            raise flaw(
                "wrong-kind",
                f"{quoted(node.value.span.text)} is {article(typed)}, not {with_article(word)}",
                node.word.span,
                help="give it another name, of `words: names:`",
            )
        var = scope.variables.new(typed.base, word)
        scope.variables.named[var.id] = word, node.span
        kept = ir.Keep(var, typed.value, span=node.span)
        return (kept,), scope.mentioning(Mention(Typed(var, typed.base, word), (word,), told=False, span=node.span))

    def _if(self, node: ast.Conditional, scope: Scope, is_first: bool) -> tuple[ir.Steps, Scope]:
        """Read an `if`; things that both branches mention can be taken up after it."""
        known = scope.variables.used
        self.refuse_same_order(node.condition, sequence_of(node.step)[0])
        asked, test = self.asking(node.condition, scope)
        scope = self.having_said(node.condition, scope)
        done, after = self._in_turn(sequence_of(node.step), self.having_asked(node.condition, scope))
        if not is_first and node.otherwise is None:
            refuse_after_if(sequence_of(node.step), done, test, known)
        then = tuple(step for steps in done for step in steps), replace(after, asked=scope.asked)
        if node.otherwise is None:
            return (*asked, ir.If(test, then[0], (), span=node.span)), scope.doubting(after)
        branches = [then, self.steps(node.otherwise, scope)]
        (first, second), after = self._joined(branches, scope, node.span)
        return (*asked, ir.If(test, first, second, span=node.span)), after

    def _guarded(self, node: ast.Guarded, rest: Sequence[ast.Statement], scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read a step with its condition, which is evaluated before it: `this moves if it is bolstered`."""
        refuse_guard(node, rest, bool(self._said_of_each(node.step, (), scope)))
        self.refuse_act_in_place(node)
        known, variables = scope.variables.used, copy(scope.variables)
        before, behind = self._read_or_flaw(node.condition, scope), self.having_said(node.condition, scope)
        done, after = self.steps(node.step, scope if node.is_behind else self.having_asked(node.condition, behind))
        if node.is_behind:
            after = self._having_acted(node.step, after)
            later = self._read_or_flaw(node.condition, replace(after, variables=variables))
            refuse_two_readings(node, before, later, done)
        if isinstance(before, Flaw):
            raise before
        asked, test = before
        known_still = [one for one in after.mentions if all(number < known for number in variables_in(one.thing.value))]
        condition = test if node.word == "if" else opposite_of(_cases(node.condition, test), node.condition.span)
        behind = behind.mentioning(*known_still).doubting(after)
        return (*asked, ir.If(condition, done, (), span=node.span)), behind

    def _having_acted(self, step: ast.Statement, scope: Scope) -> Scope:
        """Return the scope behind a step in which `it` can refer to `this` where that acts, even if it is not named."""
        subject = getattr(step.step if isinstance(step, ast.Limited) else step, "subject", step)
        if subject is None and scope.this is not None:
            return scope.mentioning(Mention(scope.this, (), span=step.span))
        return self.having_named(subject, scope) if isinstance(subject, ast.Pronoun) else scope

    def _read_or_flaw(self, condition: ast.Proposition, scope: Scope) -> tuple[ir.Steps, Condition] | Flaw:
        """Read a condition of steps with its look-ahead; return its flaw if it makes no sense there."""
        try:
            asked, test = self.asking(condition, scope)
        except Flaw as found:
            return found
        return tuple(asked), test

    def _limited(self, node: ast.Limited, scope: Scope, is_first: bool) -> ir.Steps:
        """Read steps that are done at most so often, counted for `this`, or for `you` where no piece is `this`."""
        self._refuse_count_of_other(node, scope)
        known = scope.variables.used
        done, _ = self._in_turn(sequence_of(node.step), scope)
        place = self.counted_in(node.limit, scope)
        if not is_first:
            refuse_after_if(sequence_of(node.step), done, is_left(place, node.limit), known)
        return within(tuple(step for steps in done for step in steps), place, node.limit, node.span)

    def counted_in(self, limit: ast.Limit, scope: Scope) -> FieldOf:
        """Return the field in which a limit is counted; raises Flaw where there is nobody to count for."""
        of = None if limit.of_players or scope.this is None or scope.this.base != "piece" else scope.this
        if of is None and scope.you is not None:
            of = Typed(scope.you, "player", "player")
        if of is None:
            raise flaw(
                "no-antecedent",
                "there is no player or piece here for whom this could be counted",
                limit.span,
                help="say it where a player or a piece acts",
            )
        return place_of(self.model, limit, of)

    def _refuse_count_of_other(self, node: ast.Limited, scope: Scope) -> None:
        """Raise Flaw for a limit on an act of somebody else: it could count for that one, or for this card."""
        step, said = node.step, quoted(node.limit.span.text)
        if not isinstance(step, ast.Do | ast.May) or step.subject is None or node.limit.of_players:
            return
        if node.limit.span.start <= step.span.start:
            return
        verb, who = step.verb if isinstance(step, ast.Do) else step.verbs[0], step.subject
        known = self.value(who, scope, self._who_can(verb)).value if isinstance(who, ast.Pronoun) else None
        if known is None or known not in (scope.you, scope.this and scope.this.value):
            raise flaw(
                "unclear-reach",
                f"{said} could be counted for {quoted(who.span.text)}, or for this card",
                node.limit.span,
                help="put it in front, `once a round, …`, to count for this card; what each may do is told by "
                "`a … cannot … more than once a round`",
            )

    def _joined(
        self, branches: Sequence[tuple[ir.Steps, Scope]], scope: Scope, span: Span
    ) -> tuple[tuple[ir.Steps, ...], Scope]:
        """Return branches of which one is taken, and the scope behind them.

        A thing of which each branch speaks by the same noun, and only once, can be taken up behind them.
        """
        new = [[one for one in after.mentions if one not in scope.mentions] for _, after in branches]
        told = [list(steps) for steps, _ in branches]
        for first in new[0]:
            row = [first]
            for others in new[1:]:
                row += [one for one in others if self._alike(first, one)][-1:]
            called = tuple(word for word in first.called if all(word in one.called for one in row))
            if len(row) < len(branches) or not called:
                continue
            if all(one.thing.value == first.thing.value for one in row):
                scope = scope.mentioning(first)
                continue
            var = scope.variables.new(first.thing.base, called[0])
            scope.variables.joined.add(var.id)
            for steps, one in zip(told, row, strict=True):
                steps.append(ir.Keep(var, one.thing.value, span=span))
            adjectives = tuple(word for word in first.adjectives if all(word in one.adjectives for one in row))
            by_all, implied = all(one.told for one in row), any(one.implied for one in row)
            new_one = Typed(var, var.base, var.noun)
            scope = scope.mentioning(Mention(new_one, called, adjectives, by_all, implied, span))
        return tuple(tuple(steps) for steps in told), scope

    def _alike(self, first: Mention, second: Mention) -> bool:
        """Whether two branches speak of things by the same noun."""
        return first.thing.base == second.thing.base and not set(first.called).isdisjoint(second.called)

    def _who_chooses(self, options: tuple[ast.Statement, ...], scope: Scope) -> Value:
        """Return the player who chooses a branch: `you`; in a text without one, the subject of the first branch."""
        first = options[0].steps[0] if isinstance(options[0], ast.StepSequence) else options[0]
        if scope.you is None and isinstance(first, ast.Do | ast.May) and first.subject is not None:
            return self.controller(self.value(first.subject, scope), first.span)
        return self.asked(scope)

    # ---- offers, loops, fields

    def _said_of_each(self, node: ast.Statement, rest: Sequence[ast.Statement], scope: Scope) -> list[ast.Iteration]:
        """Return the loops that a plain sentence with `each` means: `each adjacent unit loses a coin`.

        An offer to each has all that follows in it.
        """
        if not isinstance(node, _SaidOfEach):
            return []
        members = node.subject
        if isinstance(members, ast.Phrase) and members.determiner == "all" and isinstance(members.head, ast.Word):
            words = " ".join(word.text for word in (*members.adjectives, members.head))
            raise not_one(members, members.span, f"say it of each: `each {words} …`")
        if not isinstance(members, ast.Phrase) or members.determiner != "each":
            return []
        one = _with_subject(node, ast.Pronoun("it", span=members.span))
        reaches_on = isinstance(node, ast.May | ast.OfferedChange) and rest
        step = ast.StepSequence((one, *rest), span=node.span) if reaches_on else one
        if reaches_on:
            self._refuse_nameless(members, rest)
        if any(one.told for one in scope.mentions):
            unnamed = _with_subject(node, ast.Pronoun("this", span=members.span))
            said = next(filter(None, map(pronoun_in, (unnamed, *(rest if step is not one else ())))), None)
            if said is not None:
                raise flaw(
                    "ambiguous-it",
                    f"{quoted(said.span.text)} could be each of these, or one named before",
                    said.span,
                    help="name it: `that …`, or begin with `for each …, it …`",
                )
        order = "in turn order" if self.thing_of(members).base == "player" else ""
        return [ast.Iteration(part, order, step, span=node.span) for part in self._in_order(members, scope)]

    def _refuse_nameless(self, members: ast.Phrase, rest: Sequence[ast.Statement]) -> None:
        """Raise Flaw for an act behind an offer to each of several pieces that does not say which piece does it."""
        for step in rest if self.thing_of(members).base == "piece" else ():
            verb = self.model.verb(step.verb.text) if isinstance(step, ast.Do) and step.subject is None else None
            if verb is not None and verb.by == "piece":
                does = self.model.vocabulary.form("VERBS", verb.name)
                raise flaw(
                    "unclear-reach",
                    f"{quoted(step.span.text)} could be done by each of them, or by this one",
                    step.span,
                    help=f"say who does it: `it {does} …`, or `this {does} …`",
                )

    def _as_choice(self, node: ast.Statement, scope: Scope) -> tuple[ast.Statement, ...]:
        """Return the steps of a player who has a piece do what pieces do: `you may move one of your units`."""
        if not isinstance(node, ast.Do | ast.May) or not isinstance(node.arguments.object, ast.Phrase):
            return (node,)
        word, piece = node.verb if isinstance(node, ast.Do) else node.verbs[0], node.arguments.object
        verb = self.model.verb(word.text)
        if verb is None or verb.by != "piece" or any(role.word == "" for role in verb.roles):
            return (node,)
        if piece.determiner not in ("a", "any", "another") or (isinstance(node, ast.May) and len(node.verbs) > 1):
            return (node,)
        known = self.model.thing(piece.head.text) if isinstance(piece.head, ast.Word) else self.thing_of(piece)
        each = isinstance(node.subject, ast.Phrase) and node.subject.determiner == "each"
        who = None if node.subject is None or each else self.value(node.subject, scope)
        if known is None or known.base != "piece" or (who is not None and who.base != "player"):
            return (node,)
        chosen, span = ast.Arguments(piece, (), span=piece.span), node.span
        choose = ast.Word("choose", span=word.span)
        earlier = sum(not one.implied for one in scope.mentions_of(known.name, self.model.narrows))
        place = (ast.Word(ORDINALS[min(earlier, len(ORDINALS) - 1)], span=piece.span),) if earlier else ()
        that = ast.Phrase("that", None, place, ast.Word(known.name, span=piece.span), (), span=piece.span)
        order = ast.Do(that, word, replace(node.arguments, object=None), node.adverbs, span=span)
        if isinstance(node, ast.May):
            return ast.May(node.subject, (choose,), chosen, (), span=span), order
        return ast.Do(node.subject, choose, chosen, (), span=span), order

    def _in_order(self, members: ast.Phrase, scope: Scope) -> tuple[ast.Phrase, ...]:
        """Return the members of a loop; where some players come first, these and then all others."""
        first = next((one for one in members.modifiers if isinstance(one, ast.ComesFirst)), None)
        if first is None:
            return (members,)
        rest = tuple(one for one in members.modifiers if one is not first)
        return self._beginning_with(first.who, replace(members, modifiers=rest), scope)

    def _beginning_with(self, who: ast.NounPhrase, members: ast.Phrase, scope: Scope) -> tuple[ast.Phrase, ast.Phrase]:
        """Return the players who come first, and all others."""
        all_players = self.thing_of(members).name == "player" and not (members.modifiers or members.adjectives)
        some = self._first_of(who, scope) if all_players else None
        if some is None:
            raise flaw(
                "syntax-error",
                f"{quoted(who.span.text)} does not say which players come first",
                who.span,
                help="say `each player, beginning with your …, may …`, or `for each player in turn order, …`",
            )
        others = ast.ThatIs(True, some, span=who.span)
        if isinstance(some, ast.Phrase) and some.determiner == "a":
            return replace(some, determiner="each"), replace(members, modifiers=(others,))
        alone = ast.ThatIs(False, some, span=who.span)
        return replace(members, modifiers=(alone,)), replace(members, modifiers=(others,))

    def _first_of(self, who: ast.NounPhrase, scope: Scope) -> ast.NounPhrase | None:
        """Return the phrase for any of the players who come first, or for the one who does; None where it means none."""
        if isinstance(who, ast.Phrase) and who.determiner == "your" and isinstance(who.head, ast.Word):
            known = self.model.thing(who.head.text)
            if known is not None and known.base == "player":
                return ast.Phrase("a", None, who.adjectives, who.head, (), span=who.span)
        is_one = isinstance(who, ast.Phrase) or (isinstance(who, ast.Pronoun) and who.word == "you")
        return who if is_one and self.value(who, scope).base == "player" else None

    def _offered(self, node: ast.May | ast.OfferedChange, rest: Sequence[ast.Statement], scope: Scope) -> ir.Steps:
        """Read an offer; one to change a number within a budget is made while some of that is left."""
        aside = self._set_aside(node.change, scope) if isinstance(node, ast.OfferedChange) else ()
        offer = self._offer(node, rest, scope)
        return (*aside, some_left(aside, offer)) if aside else (without_vain(offer),)

    def _offer(self, node: ast.May | ast.OfferedChange, rest: Sequence[ast.Statement], scope: Scope) -> ir.Offer:
        orders: list[ast.Statement]
        if isinstance(node, ast.OfferedChange):
            decider, orders = self._decides_on(node.change, scope), [node.change]
        else:
            # Who is offered a change that leaves no choice takes it or leaves it; there is nothing else to say of it.
            decider = self.controller(self.value(node.subject, scope, self._who_can(node.verbs[0])), node.span)
            orders = [
                ast.Do(
                    None if self.leaves_no_choice(verb, node) else node.subject,
                    verb,
                    node.arguments,
                    node.adverbs,
                    span=node.span,
                )
                for verb in node.verbs
            ]
        scope = self.offered(decider, scope)
        branches = tuple(self._sequence([order, *rest], scope)[0] for order in orders)
        called = _called(node.change) if isinstance(node, ast.OfferedChange) else ""
        return ir.Offer(branches, decider, called=called, span=node.span)

    def _decides_on(self, change: ast.OrderedChange, scope: Scope) -> Value:
        """Return the player who decides on a change: the owner of the thing or of the number, or else `you`."""
        fits: PronounTest = lambda one: one.base in ("player", "piece")  # noqa: E731
        if isinstance(change, ast.Becomes) and isinstance(change.value, ast.Adjective):
            fits = self._has_flag(change.value.word)
        thing = self.value(space_of_place(change.subject) or change.subject, scope, fits)
        if thing.base in ("player", "piece"):
            return self.controller(thing, change.span)
        place = thing.value
        owner = self.model.ruleset.fields[place.field].of if isinstance(place, FieldOf) else ""
        if isinstance(place, FieldOf) and place.of is not None and (owner == "player" or owner == "piece"):
            decider = self.controller(Typed(place.of, owner, thing.noun), change.span)
            if self.offered(decider, scope).asked_of == decider:
                raise unclear_who(change, self.model.vocabulary)
            return decider
        if scope.you is None and scope.asked_of is None:
            raise flaw(
                "wrong-kind",
                f"{quoted(change.subject.span.text)} belongs to nobody who could decline",
                change.subject.span,
                help="say who decides: `each player, beginning with you, may …`, or let it "
                "change in an act of a player",
            )
        return self.asked(scope)

    def _for_each(self, node: ast.Iteration, scope: Scope) -> ir.ForEach:
        phrase = node.members
        members = self.members(as_any(phrase), scope)
        var = scope.variables.new(members.var.base, members.var.noun)
        scope.variables.known += chosen_as(var, members)
        inner = scope.each(self.mentioned(phrase, Typed(var, var.base, var.noun)))
        refuse_count_in_loop(node)
        done, _ = self._in_turn(sequence_of(node.step), inner)
        refuse_in_loop(sequence_of(node.step), done, var)
        steps = tuple(step for steps in done for step in steps)
        free = node.order == "in any order"
        if not free and (node.order != "") != (members.var.base == "player"):
            said = "players come in turn order" if node.order == "" else "only players come in turn order"
            help = "say `in turn order`" if node.order == "" else "say `in any order`, or leave it out"
            raise flaw("syntax-error", said, phrase.span, help=help)
        return ir.ForEach(var, members, free, self.asked(scope), steps, span=node.span)

    def _window(self, node: ast.Window, scope: Scope) -> ir.Steps:
        """Read an offer to players in turn, until all of them have passed in a row."""
        offer, players, until = node.offer, node.offer.subject, f"until all {node.until.word}"
        several = isinstance(players, ast.Phrase) and players.determiner == "each"
        if not isinstance(players, ast.Phrase) or not several or self.thing_of(players).base != "player":
            help = f"say `{self._each_of(players)} … {until}`; what is offered to one is offered once: `you may …`"
            raise flaw(
                "wrong-kind",
                f"{quoted(until)} takes several players, who are asked in turn",
                node.until.span,
                help=help,
            )
        self._refuse_act_of_passing(node.until)
        passes = scope.variables.new("number", "number")
        counted = self.members(as_any(players), scope)
        one = replace(offer, subject=ast.Pronoun("it", span=players.span))
        parts = self._beginning_with(node.first, players, scope) if node.first is not None else (players,)
        rounds = [self._for_each(ast.Iteration(part, "in turn order", one, span=node.span), scope) for part in parts]
        _refuse_left_over(offer, rounds)
        return opened(passes, counted, rounds, node.span)

    def _each_of(self, asked: ast.NounPhrase) -> str:
        """Return the words for an offer to each of some players; where pieces are asked, to those they belong to."""
        thing = self.thing_of(asked) if isinstance(asked, ast.Phrase) else None
        if thing is not None and thing.base == "piece":
            return f"each player may … one of their {plural(thing.name)}"
        return f"each {thing.name if thing is not None and thing.base == 'player' else 'player'} may"

    def _after_window(self, offer: ast.May, scope: Scope) -> Scope:
        """Return the scope behind a window, in which later steps cannot refer to what was done in it."""
        phrases = [one for one in (offer.subject, offer.arguments.object) if isinstance(one, ast.Phrase)]
        things = [(one, self.thing_of(one)) for one in phrases]
        spoken = [
            replace(self.mentioned(one, Typed(NO_PIECE, thing.base, thing.name)), in_window=True)
            for one, thing in things
            if thing.base is not None
        ]
        return replace(scope, perhaps=(*scope.perhaps, *spoken))

    def _refuse_act_of_passing(self, until: ast.AllPass) -> None:
        """Raise Flaw where the word for passing is that for an act of the game, which a player could think is meant."""
        if self.model.verb(until.word) is not None:
            other = "decline" if until.word == "pass" else "pass"
            help = f"say `until all {other}`" if self.model.verb(other) is None else "give the act another name"
            raise flaw(
                "unclear-reach",
                f"{quoted(until.word)} is an act of this game, which nobody has to do here",
                until.span,
                help=help,
            )

    def _has_flag(self, word: ast.Word) -> PronounTest:
        """Return whether a thing can be made so by an adjective; nothing can by one that texts do not change."""
        owner = self.model.flags[word.text][0] if word.text in self.model.flags else ""
        return lambda one: owner == one.noun or (one.base != "flag" and self._base_of(owner) == one.base)

    def _becomes_so(self, node: ast.Becomes, value: ast.Adjective, scope: Scope) -> ir.Order:
        word = value.word
        if word.text not in self.model.flags:
            raise flaw(
                "wrong-kind",
                f"{quoted(word.text)} is not something a text can make so",
                word.span,
                help=self.made_so(node, value, scope),
            )
        owner, number, flag = self.model.flags[word.text]
        has_flag = self._has_flag(word)
        thing = self.value(node.subject, scope, has_flag)
        if not has_flag(thing):
            raise flaw(
                "wrong-kind",
                f"{article(thing)} never becomes {quoted(word.text)}",
                node.span,
                help=self.owner_said(owner),
            )
        of = None if thing.base == "flag" else thing.value
        return ir.SetField(number, of, Const(flag, "flag"), span=node.span)

    def _becomes(self, node: ast.Becomes, scope: Scope) -> ir.Order:
        if isinstance(node.value, ast.Adjective):
            return self._becomes_so(node, node.value, scope)
        if (other := self.change_kind(node, scope)) is not None:
            return other
        if is_nothing(node.value):
            return cleared(node, self.value(node.subject, scope))
        of_place = space_of_place(node.subject)
        others = self.apart_from_own(node, scope)
        value_of, place = self.value(of_place or node.subject, scope), self.value(node.value, others)
        refuse_part(self.model, node, place, value_of)
        if place.base == "number" != value_of.base:
            refuse_it(node.subject, scope)
        form = place.value
        if isinstance(form, Attribute) and form.what == "document" and getattr(form.of, "base", "") == "piece":
            if value_of.base != "document":
                raise flaw("wrong-kind", f"{article(value_of)} cannot become {article(place)}", node.span)
            return ir.ChangeForm(form.of, value_of.value, span=node.span)
        if is_owner(place.value):
            return self.change_owner(node, value_of, place.value, others)
        if value_of.base == "number":
            # A number becomes another number; elsewhere somebody or something takes the place that is named.
            value_of, place = place, value_of
        if isinstance(place.value, Var) and place.base == value_of.base == "number":
            return kept_number(place.value, value_of.value, scope, node.span)
        if not isinstance(place.value, FieldOf | Latest):
            raise flaw(
                "wrong-kind",
                f"{quoted(node.value.span.text)} cannot be set",
                node.value.span,
                help=_set_otherwise(node, value_of, place),
            )
        if place.base != value_of.base:
            raise flaw(
                "wrong-kind",
                f"{article(value_of)} cannot become {article(place)}",
                node.span,
                help=kept_as(self.model.ruleset.fields, node, place.value),
            )
        if isinstance(place.value, Latest) or of_place is not None:
            return longer(self.model.ruleset.fields, node, place.value, value_of.value)
        return ir.SetField(place.value.field, place.value.of, value_of.value, span=node.span)

    def _changes(self, node: ast.Changes, scope: Scope) -> ir.Steps:
        place = self.value(node.subject, scope)
        field = place.value
        self.refuse_amount(node)
        if node.how == "goes back":
            if not isinstance(field, Latest):
                raise flaw(
                    "wrong-kind",
                    f"{quoted(node.subject.span.text)} does not keep what it was before",
                    node.subject.span,
                    help=trails_of(self.model, node, place),
                )
            return shorter(self.model.ruleset.fields, field.trail, node.span)
        if not isinstance(field, FieldOf | Var) or place.base != "number":
            refuse_it(node.subject, scope)
            raise flaw(
                "wrong-kind",
                f"{quoted(node.subject.span.text)} is not a number that a text can change",
                node.subject.span,
                help="numbers that change are declared under `fields:`",
            )
        sign = -1 if node.how == "decreases" else 1
        value: Value = Sum((1, sign), (field, self._by_how_much(node, field, scope)))
        value = value if node.least is None else Floored(value, node.least.value)
        if isinstance(field, Var):
            return (kept_number(field, value, scope, node.span),)
        return (ir.SetField(field.field, field.of, value, span=node.span),)

    def _by_how_much(self, node: ast.Changes, number: FieldOf | Var, scope: Scope) -> Value:
        if node.amount is None:
            return number
        if isinstance(node.amount, ast.FirstPoints):
            return scope.variables.set_aside.pop(node.amount.span)
        return self.number(node.amount, scope)

    def _set_aside(self, change: ast.OrderedChange, scope: Scope) -> ir.Steps:
        """Return the steps that keep the part of an act's number within a budget; none for a change without one."""
        budget = change.amount if isinstance(change, ast.Changes) else None
        if not isinstance(change, ast.Changes) or not isinstance(budget, ast.FirstPoints):
            return ()
        if budget.span in scope.variables.set_aside:
            # An offer has set it aside already.
            return ()
        number = self.value(change.subject, scope)
        refuse_budget(change, budget, number, scope)
        most, used = self.number(budget.amount, scope), self.counted_in(budget.limit, scope)
        part = scope.variables.new("number", "number")
        scope.variables.set_aside[budget.span] = part
        return set_aside(part, within_budget(number.value, most, used), used, budget.span)

    def refuse_amount(self, node: ast.Changes) -> None:
        """Raise Flaw where it is not said by how much a number changes, or where that is said in vain."""
        if node.least is not None and node.how != "decreases":
            raise flaw(
                "says-nothing",
                f"a number that {node.how} has no minimum",
                node.least.span,
                help=f"leave out `to a minimum of {node.least.value}`",
            )
        if (node.amount is None) != (node.how in ("doubles", "goes back")):
            said = "by how much" if node.amount is None else "no amount"
            raise flaw("syntax-error", f"{quoted(node.how)} takes {said}", node.span)

    # ---- verbs

    def order(self, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        """Read an order."""
        return self._do(node, scope)

    def _do(self, node: ast.Do, scope: Scope) -> tuple[ir.Steps, Scope]:
        if "if able" in node.adverbs:
            plain = replace(node, adverbs=tuple(word for word in node.adverbs if word != "if able"))
            steps, after = self._do(plain, scope)
            return (ir.IfAble(steps, span=node.span),), after
        if AGAIN in node.adverbs:
            raise flaw(
                "says-nothing",
                f"nothing was told before that {quoted(AGAIN)} could mean",
                node.span,
                help=f"leave {quoted(AGAIN)} out",
            )
        if len(node.adverbs) > 1:
            raise flaw(
                "says-nothing",
                f"{quoted(node.adverbs[0])} and {quoted(node.adverbs[1])} exclude each other",
                node.span,
                help="leave one of them out",
            )
        manner = self.model.ruleset.manners.index(node.adverbs[0]) if node.adverbs else ir.INHERITED
        if node.verb.text in self.model.verbs:
            return self._call(node, manner, scope)
        return self.built_in(node, manner, scope)

    def _call(self, node: ast.Do, manner: int, scope: Scope) -> tuple[ir.Steps, Scope]:
        number = self.model.verbs[node.verb.text]
        verb = self.model.ruleset.verbs[number]
        if verb.built_in:
            raise self._not_ordered(node)
        if verb.moment_of >= 0:
            read = lambda subject, fits: self.value(subject, scope, fits)  # noqa: E731
            return (ordered_moment(self.model, node, number, manner, self.asked(scope), read),), scope
        agent, decider, after = self._agent(node, verb, scope)
        inner = self.ordered(self._agent_typed(agent, scope), scope)
        roles: list[ir.Fill] = []
        said = self.said_by_role(node.arguments)
        self.single_said(node.verb, said, node.span)
        for role in verb.roles:
            phrase = said.get(role.word) if verb.yields and role.word == "" else said.pop(role.word, None)
            if role.is_quantity:
                said_amount = amount_said(phrase, verb, role, node.span)
                here = replace(inner, mentions=after.mentions)
                roles.append(ir.Bound(never_negative(self.number(said_amount, here), here)))
                continue
            fill, typed = self._fill(phrase, verb, role, inner, after)
            roles.append(fill)
            # The object of a verb that hands something back speaks of that.
            if typed is not None and not (verb.yields and role.word == ""):
                after = after.mentioning(typed)
        result = None
        if verb.yields:
            thing = self.model.thing(verb.yields)
            assert thing is not None and thing.base is not None
            result = after.variables.new(thing.base, thing.name)
            after = after.mentioning(self._yielded(node, said, Typed(result, thing.base, thing.name)))
        self.nothing_left(node.verb, said)
        call = ir.Call(number, agent, tuple(roles), manner, decider, result, span=node.span)
        return (call,), after

    def _not_ordered(self, node: ast.Do) -> Flaw:
        """Return the flaw of an order by which a piece would leave the board by itself."""
        who = node.subject.span.text if node.subject is not None else "this"
        help = f"say `remove {who}`"
        if isinstance(node.subject, ast.Phrase) and is_indefinite(node.subject):
            help = f"say `choose {who}, then remove that {node.subject.head.text}`"
        return flaw("wrong-kind", f"nothing is ordered to {quoted(node.verb.text)}", node.span, help=help)

    def _yielded(self, node: ast.Do, said: dict[str, ast.Expression | None], thing: Typed) -> Mention:
        """Return the mention of the result of a verb: `a card` in `draw a card`, which can be left out."""
        phrase = said.pop("", None)
        if phrase is not None and not self._says_nothing(phrase, thing.noun):
            raise flaw(
                "unknown-role",
                f"{quoted(node.verb.text)} hands back any {thing.noun}",
                phrase.span,
                help=f"say `{node.verb.text} {with_article(thing.noun)}`",
            )
        return Mention(thing, (thing.noun,), told=phrase is not None, span=node.span)

    def _who_can(self, word: ast.Word) -> PronounTest:
        """Return the test whether somebody can do a verb."""
        verb = self.model.verb(word.text)
        if verb is None:
            return lambda one: one.base in ("player", "piece")
        return lambda one: self._can_do(one, verb)

    def _can_do(self, thing: Typed, verb: Verb) -> bool:
        if verb.by == "game":
            return thing.noun == "game"
        return thing.base == verb.by and self._may_be_any(thing.noun, verb.agent_noun)

    def _may_be_any(self, noun: str, wanted: str) -> bool:
        """Whether pieces called by two nouns can be of one kind."""
        kinds, possible = self.model.kinds(wanted), self.model.kinds(noun)
        return not kinds or not possible or not set(kinds).isdisjoint(possible)

    def _agent(self, node: ast.Do, verb: Verb, scope: Scope) -> tuple[ir.Fill, Value, Scope]:
        if node.subject is not None and self.leaves_open(node.subject, scope):
            assert isinstance(node.subject, ast.Phrase)
            among = self.members(node.subject, scope)
            var = scope.variables.new(among.var.base, among.var.noun)
            scope.variables.known += chosen_as(var, among)
            typed = Typed(var, var.base, var.noun)
            self._refuse_who_cannot(typed, verb, node)
            return ir.ChosenRole(among, var), self.asked(scope), scope.mentioning(self.mentioned(node.subject, typed))
        if node.subject is not None:
            if isinstance(node.subject, ast.Pronoun) and node.subject.word == "nobody":
                raise flaw(
                    "wrong-kind",
                    "`nobody` does nothing",
                    node.subject.span,
                    help=f"a rule of its own forbids it: `… cannot {node.verb.text} …`",
                )
            typed = self.value(node.subject, scope, self._who_can(node.verb))
            scope = self.having_named(node.subject, scope)
        elif verb.by == "player" and scope.you is not None:
            typed = Typed(scope.you, "player", "player")
        elif verb.by == "piece" and scope.this is not None:
            typed = scope.this
        elif verb.by != "piece":
            return ir.Bound(Const(NOTHING, "player")), self.asked(scope), scope
        else:
            raise flaw(
                "no-antecedent",
                f"nobody is named here who could {quoted(node.verb.text)}",
                node.span,
                help=f"say who does it: `… {node.verb.text} …`",
            )
        self._refuse_who_cannot(typed, verb, node)
        if verb.by == "game":
            return ir.Bound(Const(NOTHING, "player")), self.asked(scope), scope
        decider = typed.value if typed.base == "player" else self._decider_for(typed.value, scope)
        return ir.Bound(typed.value), decider, scope

    def _decider_for(self, piece: Value, scope: Scope) -> Value:
        """Return the player who decides for a piece that is given an order: the one who was asked to choose it."""
        chosen_by = scope.variables.chosen_by
        return chosen_by.get(piece.id, self.asked(scope)) if isinstance(piece, Var) else self.asked(scope)

    def _refuse_who_cannot(self, typed: Typed, verb: Verb, node: ast.Do) -> None:
        if not self._can_do(typed, verb):
            doer = verb.agent_noun if verb.by == "piece" else verb.by
            help = f"that is something {with_article(doer)} does"
            if typed.base == "player" and verb.by == "piece":
                help += f", as in `this may {verb.name} …`"
                who = node.subject.span.one_line if node.subject is not None else ""
                if who.startswith("each "):
                    help = f"say `{who} may {verb.name} one of their {plural(doer)}`"
                if isinstance(node.subject, ast.Pronoun) and node.subject.word == "you":
                    rest = node.span.source.text[node.subject.span.end : node.span.end]
                    help = f"say `this{' '.join(['', *rest.split()])}`"
            if doer == "game":
                help = "leave out who does it: it is the game's own"
            raise flaw("wrong-kind", f"{article(typed)} cannot {quoted(node.verb.text)}", node.span, help=help)

    def ordered(self, agent: Typed | None, scope: Scope) -> Scope:
        """Return the scope of what is said of an order to somebody; bare distances are measured from a piece."""
        if agent is None or agent.value == scope.you or (scope.this is not None and agent.value == scope.this.value):
            return scope.from_here(agent if agent is not None and agent.base == "piece" else None)
        return replace(scope.from_here(agent if agent.base == "piece" else None), ordered=agent)

    def _agent_typed(self, agent: ir.Fill, scope: Scope) -> Typed | None:
        match agent:
            case ir.Bound(value):
                if value == Const(NOTHING, "player"):
                    return scope.this
                known = scope.this if scope.this and scope.this.value == value else None
                base: Base = "piece" if getattr(value, "base", "") == "piece" else "player"
                return known or Typed(value, base, "" if base == "piece" else base)
            case ir.ChosenRole(_, var):
                return Typed(var, var.base, var.noun)
        return scope.this

    def _fill(
        self, phrase: ast.Expression | None, verb: Verb, role: Role, scope: Scope, after: Scope
    ) -> tuple[ir.Fill, Mention | None]:
        if phrase is None or (self._says_nothing(phrase, role.noun) and self._is_settled(verb, role)):
            var = after.variables.new(role.base, role.noun)
            typed = Typed(var, var.base, role.noun)
            if phrase is None:
                return ir.Usual(var), Mention(typed, (role.noun,), told=False, implied=True)
            return ir.Usual(var), self.mentioned(phrase, typed)
        if is_from_nobody(phrase, verb, role):
            return ir.Bound(NO_PIECE), None
        scope = replace(scope, mentions=after.mentions)
        if self.leaves_open(phrase, scope):
            assert isinstance(phrase, ast.Phrase)
            if scope.ordered is not None:
                self.refuse_sides(phrase, scope.ordered, scope, role.noun)
                self.take_note(phrase, scope.ordered, role.noun)
            among = self.members(phrase, self.for_role(scope, role, scope.ordered))
            var = after.variables.new(among.var.base, role.noun)
            after.variables.known += chosen_as(var, among)
            typed = Typed(var, var.base, self.thing_of(phrase).name)
            self._refuse_other(typed, role, phrase)
            return ir.ChosenRole(among, var), self.mentioned(phrase, typed, role.noun)
        typed = self.value(phrase, scope, lambda one: self._can_fill(one, role))
        self._refuse_other(typed, role, phrase)
        said_this = isinstance(phrase, ast.Pronoun) and phrase.word == "this"
        return ir.Bound(typed.value), Mention(typed, (), span=phrase.span) if said_this else None

    def _is_settled(self, verb: Verb, role: Role) -> bool:
        """Whether a role has a domain, or is a token, which the definition finds."""
        return role.base == "token" or (verb.name, role.word) in self.model.permitted

    def _can_fill(self, thing: Typed, role: Role) -> bool:
        return thing.base == role.base and self._may_be_any(thing.noun, role.noun)

    def _refuse_other(self, typed: Typed, role: Role, phrase: ast.Expression) -> None:
        """Raise Flaw for something that cannot fill a role."""
        if not self._can_fill(typed, role):
            said = quoted(phrase.span.text)
            message = f"{said} is {article(typed)}, and {with_article(role.noun)} is needed"
            raise flaw("wrong-kind", message, phrase.span)

    def _says_nothing(self, phrase: ast.Expression, noun: str) -> bool:
        """Whether a phrase only repeats the role's noun: `lose a coin` where coins are the things lost."""
        return (
            isinstance(phrase, ast.Phrase)
            and isinstance(phrase.head, ast.Word)
            and phrase.head.text == noun
            and is_indefinite(phrase)
            and not phrase.adjectives
            and not phrase.modifiers
            and phrase.count is None
            and phrase.determiner in ("a", "an")
        )


def _called(change: ast.OrderedChange) -> str:
    """Return the name of the change in an option: `become marked`, `increase heat`."""
    match change:
        case ast.Becomes(_, value) | ast.Prevails(_, value):
            return f"become {value.span.one_line}"
        case ast.Changes(subject, how):
            head = subject.head if isinstance(subject, ast.Phrase) else subject
            return f"{ast.OFFERED_CHANGES[how]} {head.span.one_line}"
        case ast.Has(_, bonus):
            return f"have {bonus.span.one_line}"


def _with_subject(node: _SaidOfEach, subject: ast.NounPhrase) -> _SaidOfEach:
    """Return a step, or the offer of one, that is said of another thing."""
    if isinstance(node, ast.OfferedChange):
        return replace(node, change=replace(node.change, subject=subject))
    return replace(node, subject=subject)


def _refuse_left_over(offer: ast.May, rounds: Sequence[ir.ForEach]) -> None:
    """Raise Flaw where an act in a window gives something that only a further step could put somewhere."""
    left = next((one.result for one in nodes_in(rounds) if isinstance(one, ir.Call) and one.result is not None), None)
    if left is not None:
        verb, that = offer.verbs[0].text, f"put that {left.noun} into …"
        raise flaw(
            "says-nothing",
            f"nothing takes up the {left.noun}, which is nowhere then",
            offer.span,
            help=f"a window offers one act; define a verb for all of it, in an `action:` document: "
            f"`to …: {verb} …, then {that}`",
        )


def _cases(node: ast.Proposition, condition: Condition) -> list[tuple[Condition, ...]]:
    """Return the alternatives of a condition that a sentence joins by `or`; each has conditions joined by `and`."""
    if isinstance(node, ast.AnyOf) and isinstance(condition, Any):
        return [case for one in zip(node.conditions, condition.conditions, strict=True) for case in _cases(*one)]
    return [condition.conditions if isinstance(node, ast.AllOf) and isinstance(condition, All) else (condition,)]


def _refuse_behind_time(node: ast.Statement, rest: Sequence[ast.Statement]) -> None:
    """Raise Flaw for a step after a rule until a time: it could be taken at once, or when that time comes."""
    if not rest or not isinstance(node, ast.Lasting):
        return
    said, help = quoted(rest[0].span.text), "end the sentence before it"
    if not isinstance(node.until, ast.ComingTime):
        raise flaw("unclear-reach", f"{said} could be done at once, or when that happens", rest[0].span, help=help)
    edge = "end" if node.until.edge == "ends" else "start"
    when = f"at the {edge} of …" if edge == "start" or node.until.yours else f"at the end of this {node.until.span_of}"
    raise flaw(
        "unclear-reach",
        f"{said} could be done at once, or when that time comes",
        rest[0].span,
        help=f"{help}, or say `{when}, …` in another one",
    )


def _set_otherwise(node: ast.Becomes, subject: Typed, place: Typed) -> str:
    """Return help for `X becomes Y` where Y is nothing that a text can set, but X may be."""
    is_form = isinstance(subject.value, Attribute) and subject.value.what == "document"
    if is_form and place.base == "document":
        return turned_round(node)
    if (isinstance(subject.value, FieldOf | Latest) or is_owner(subject.value)) and subject.base == place.base:
        return turned_round(node)
    if place.base == "document" and subject.base == "piece":
        return f"say `swap {node.subject.span.text} for {node.value.span.text}`"
    return "only what a document declares under `fields:` can be set; the rest follows from what lies where"
