"""Phrases for acts: for events under way, for things that are doing something, and for the parts of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

from warchest.ir import values as ir
from warchest.ir.parts import variables_in
from warchest.ir.ruleset import Verb
from warchest.paraphrase.phrase_wording import Phrases, Unsaid
from warchest.resolve.conditions import parts_known, parts_of_event
from warchest.resolve.moments import said_of_act
from warchest.resolve.types import Scope, Typed
from warchest.syntax import ast


class ActPhrases(Phrases):
    """Finds words for acts and their doers."""

    def happening(self, verbs: Sequence[Verb], parts: Sequence[ir.Condition], scope: Scope) -> ast.Proposition:
        """Return the statement that an event is under way: `a unit attacks this`."""
        inner = replace(scope, depth=scope.depth + 1)
        of_act = [one for one in parts if verbs[0].moment_of >= 0 and not _is_of_event(one)]
        adjectives = tuple(self.act_is(one, inner) for one in of_act)
        verb, slots = self._parts(verbs, [one for one in parts if one not in of_act], None, scope)
        subject = slots[0] or self.phrase("a", verb.agent_noun if verb.by == "piece" else "player")
        words = tuple(self.word(one.name) for one in verbs)
        said = next(said_of_act(self.model, verb, subject, self.arguments(verb, slots[1:]), adjectives))
        return ast.Holds(said.subject, words, said.arguments, span=self.span)

    def act_is(self, condition: ir.Condition, scope: Scope) -> ast.Word:
        """Return the adjective for a condition on an act; raises Unsaid."""
        for said in self._once(self.condition, condition, scope):
            if isinstance(said, ast.Is) and isinstance(said.value, ast.Adjective) and not said.negated:
                return said.value.word
        raise Unsaid("what an act must be")

    def doing(
        self, verbs: Sequence[Verb], parts: Sequence[ir.Condition], thing: Typed, scope: Scope
    ) -> Iterator[ast.Modifier]:
        """Yield a relative clause about an event under way, `that attacks this`, if the thing is its doer."""
        agent = ir.Compare("==", parts_known(verbs[0], scope)[0].value, thing.value, self.span)
        if parts[:1] == (agent,):
            for verb, slots in self._once(self._parts, verbs, parts, thing, scope):
                words = tuple(self.word(one.name) for one in verbs)
                yield ast.ThatDoes(words, self.arguments(verb, slots[1:]), span=self.span)

    def _parts(
        self, verbs: Sequence[Verb], parts: Sequence[ir.Condition], doer: Typed | None, scope: Scope
    ) -> tuple[Verb, list[ast.NounPhrase | None]]:
        """Return one of the verbs and the phrases for the parts of its event; the doer may be known already."""
        verb = verbs[0] if not verbs[0].is_name else self.model.ruleset.verbs[verbs[0].kinds[0]]
        inner = replace(scope, depth=scope.depth + 1)
        known = parts_known(verb, scope)
        told = () if doer is None else parts[:1]

        def understood(slots: list[ast.NounPhrase | None]) -> object:
            subject, arguments = doer or slots[0], self.arguments(verb, slots[1:])
            found = parts_of_event(self.reader, self.word(verb.name), subject, arguments, known, inner)
            return found[len(told) :]

        fixed: dict[int, ast.NounPhrase] | None = None if doer is None else {0: self.phrase("a", verb.agent_noun)}
        return verb, self.slots(list(parts[len(told) :]), known, [inner] * len(known), understood, fixed)

    def arguments(self, verb: Verb, slots: Sequence[ast.Expression | None]) -> ast.Arguments:
        """Return the arguments of a verb, one phrase for each of its roles."""
        said = dict(zip((role.word for role in verb.roles), slots, strict=True))
        for word, noun in self.model.said_with.get(verb.name, {}).items():
            said[word] = self.phrase("the", noun)
        thing = said.pop("", None)
        if thing is None:
            thing = next((self.phrase("", role.noun) for role in verb.roles if role.is_quantity), None)
        roles = tuple(ast.RolePhrase(word, one, span=self.span) for word, one in said.items() if one is not None)
        if isinstance(thing, ast.Amount):
            return ast.Arguments(None, roles, thing, span=self.span)
        return ast.Arguments(cast("ast.NounPhrase | None", thing), roles, span=self.span)

    def slots(
        self,
        conditions: list[ir.Condition],
        known: Sequence[Typed],
        scopes: Sequence[Scope],
        understood: Callable[[list[ast.NounPhrase | None]], object],
        fixed: dict[int, ast.NounPhrase] | None = None,
        own: bool = False,
    ) -> list[ast.NounPhrase | None]:
        """Return one phrase for each part of an event, so that together they say the conditions; raises Unsaid.

        The conditions of the agent come first, then those of each role, so they are cut into stretches. The result is
        from the first cut whose phrases are read as the same conditions. Each part has a scope of its own. With `own`,
        each part is called by its own noun, as in a definition.
        """
        fixed = fixed or {}
        for cuts in _cuts(len(conditions), len(known), fixed):
            said: list[ast.NounPhrase | None] = []
            for index, (start, end) in enumerate(cuts):
                words = fixed.get(index)
                if words is None and end > start:
                    words = self._slot(conditions[start:end], known[index], scopes[index], own)
                    if words is None:
                        break
                said.append(words)
            if len(said) == len(known) and self.read(understood, said) == conditions:
                return said
        raise Unsaid("the parts of an event")

    def _slot(self, conditions: Sequence[ir.Condition], thing: Typed, scope: Scope, own: bool) -> ast.NounPhrase | None:
        first, *more = conditions
        no_source = ir.Compare("==", thing.value, ir.NO_PIECE, self.span)
        if first == no_source:
            return ast.Pronoun("nobody", span=self.span)
        if first == ir.Not(no_source, self.span):
            return self._slot(more, thing, scope, own) if more else self.phrase("a", thing.noun)
        if not (more or own) and isinstance(first, ir.Compare) and (first.how, first.left) == ("==", thing.value):
            with suppress(Unsaid):
                return self.thing(first.right, scope)
        with suppress(Unsaid):
            return self.fitting(conditions, thing, scope, own=own)
        return None


def _is_of_event(condition: ir.Condition) -> bool:
    """Whether a condition is about the agent of an act under way, or about the things in its roles."""
    return any(one >= ir.EVENT_VARIABLES for one in variables_in(condition))


def _cuts(count: int, parts: int, fixed: dict[int, ast.NounPhrase]) -> Iterator[list[tuple[int, int]]]:
    """Yield the ways to cut a row into stretches, one for each part; a fixed part gets none."""

    def further(start: int, index: int) -> Iterator[list[tuple[int, int]]]:
        if index == parts:
            if start == count:
                yield []
            return
        for end in range(start, (start if index in fixed else count) + 1):
            for rest in further(end, index + 1):
                yield [(start, end), *rest]

    yield from further(0, 0)
