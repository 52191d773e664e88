"""Indefinite phrases: the set of all things that fit, and what it takes to fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from warchest.check.amounts import as_any, only_one, reach_of
from warchest.check.model import Thing, Told
from warchest.check.types import Scope, Typed, flaw
from warchest.check.values import ValueReader, article, is_indefinite
from warchest.diagnostics.diagnostic import quoted
from warchest.rules.values import (
    All,
    AllSpaces,
    Any,
    Apart,
    Attribute,
    Bears,
    Compare,
    Condition,
    Const,
    Everyone,
    Exists,
    FieldOf,
    HeldIn,
    KindIs,
    Listed,
    Members,
    Not,
    Passable,
    Pieces,
    Ray,
    Ring,
    Set,
    Tagged,
    Tokens,
    Value,
)
from warchest.source.text import Span
from warchest.syntax import ast

_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


@dataclass(frozen=True, slots=True)
class Reach:
    """How far from where a phrase says its things are, and whether in a line or a direction."""

    low: int
    high: int
    origin: Value
    straight: bool
    direction: Value | None
    part: ast.Modifier | ast.Word


class SetReader(ValueReader):
    """Reads indefinite phrases."""

    def condition(self, node: ast.Condition, scope: Scope) -> Condition:
        """Read a condition."""
        raise NotImplementedError

    # ---- the set

    def members(self, phrase: ast.Phrase, scope: Scope, extra: tuple[ast.Modifier, ...] = ()) -> Set:
        """Read an indefinite phrase, with further modifiers, as the set of all things that fit it."""
        only_one(phrase)
        phrase = replace(phrase, modifiers=(*phrase.modifiers, *extra))
        thing = self.thing_of(phrase)
        assert thing.base is not None
        var, inner = scope.member(thing.base, thing.name)
        members, settled = self._members(phrase, thing, scope)
        # A noun for several kinds means nothing by itself but what texts say it means.
        several = len(thing.kinds) > 1 and not thing.parent
        member = Typed(var, thing.base, "" if several else self._widest(thing).name)
        filters = self._fits(phrase, member, inner, settled)
        return Set(var, members, tuple(filters), phrase.span)

    def thing_of(self, phrase: ast.Phrase) -> Thing:
        """Return the noun a phrase is about; a printed name stands for the pieces of that document."""
        if isinstance(phrase.head, ast.Name):
            sheet = self.model.ruleset.sheets[self._document(phrase.head)]
            in_zone = any(isinstance(mod, ast.Related) and mod.preposition == "in" for mod in phrase.modifiers)
            for thing in self.model.things.values():
                if sheet.kind in thing.sheets and (thing.base == "token") == in_zone:
                    return thing
            raise flaw("wrong-kind", f"{quoted(phrase.head.text)} cannot be on the board", phrase.head.span)
        known = self.model.thing(phrase.head.text)
        if known is None or known.base is None:
            raise flaw("wrong-kind", f"{quoted(phrase.head.text)} is not a kind of thing", phrase.head.span)
        return known

    def _widest(self, thing: Thing) -> Thing:
        while thing.parent:
            parent = self.model.thing(thing.parent)
            assert parent is not None
            thing = parent
        return thing

    def _members(self, phrase: ast.Phrase, thing: Thing, scope: Scope) -> tuple[Members, tuple[object, ...]]:
        """Return where to look for members, and the parts of the phrase that are settled by that."""
        if thing.base == "space":
            reach = self._reach(phrase, scope)
            if reach is None:
                return AllSpaces(), ()
            if reach.straight:
                lines = tuple(mod for mod in phrase.modifiers if self._is_line(mod))
                return Ray(reach.low, reach.high, reach.origin, reach.direction), (reach.part, *lines)
            return Ring(reach.low, reach.high, reach.origin), (reach.part,)
        if thing.base == "piece":
            return Pieces(thing.kinds), ()
        if thing.base == "token":
            held = [mod for mod in phrase.modifiers if isinstance(mod, ast.Related) and mod.preposition == "in"]
            if not held:
                raise flaw("not-definite", f"{quoted(phrase.span.text)} does not say where", phrase.span,
                           help=f"say `a {thing.name} in …`")  # fmt: skip
            return Tokens(self.holders(held[0].phrase, scope)), (held[0],)
        if thing.base in ("player", "team", "direction"):
            return Everyone(thing.base), ()
        raise flaw("wrong-kind", f"one cannot choose a {thing.name}", phrase.span)

    # ---- distances

    def _reach(self, phrase: ast.Phrase, scope: Scope) -> Reach | None:
        """Return how far away the phrase puts its things, if it measures from a single thing."""
        straight = any(self._is_line(mod) for mod in phrase.modifiers)
        if not straight:
            for word in phrase.adjectives:
                if word.text == "adjacent":
                    return Reach(1, 1, self._origin(None, word.span, scope), False, None, word)
        direction = self._direction(phrase, scope)
        for mod in phrase.modifiers:
            if isinstance(mod, ast.Away):
                low, high = reach_of(mod)
                origin = self._origin(mod.origin, mod.span, scope)
                return Reach(low, high, origin, straight, direction, mod)
            if isinstance(mod, ast.Related) and mod.preposition == "adjacent to" and not is_indefinite(mod.phrase):
                near = self.of_base(mod.phrase, scope, "space", "piece").value
                return Reach(1, 1, near, straight, direction, mod)
        return None

    def _direction(self, phrase: ast.Phrase, scope: Scope) -> Value | None:
        for mod in phrase.modifiers:
            if self._is_heading(mod):
                assert isinstance(mod, ast.Related)
                return self.of_base(mod.phrase, scope, "direction").value
            if isinstance(mod, ast.InDirection):
                head = ast.Word("direction", span=mod.span)
                that = ast.Phrase("that", None, (), head, (), span=mod.span)
                return self._spoken("direction", that, scope).value
        return None

    def _is_line(self, mod: ast.Modifier) -> bool:
        return isinstance(mod, ast.InLine | ast.InDirection) or self._is_heading(mod)

    def _is_heading(self, mod: ast.Modifier) -> bool:
        """Whether a modifier says in which direction a space is: `in its facing`."""
        if not isinstance(mod, ast.Related) or mod.preposition != "in":
            return False
        noun = _noun_of(mod.phrase)
        return noun not in self.model.lists and noun not in self.model.zones

    def _origin(self, node: ast.NounPhrase | None, span: Span, scope: Scope) -> Value:
        if node is not None:
            return self.of_base(node, scope, "space", "piece").value
        if scope.origin is None or scope.origin.base not in ("space", "piece"):
            raise flaw("no-antecedent", f"{quoted(span.text)} does not say from where", span,
                       help="say `adjacent to …` or `… away from …`")  # fmt: skip
        return scope.origin.value

    # ---- what it takes to fit

    def fits(self, phrase: ast.Phrase, thing: Typed, scope: Scope) -> list[Condition]:
        """Read a phrase as conditions on a thing."""
        only_one(phrase, among_rules=True)
        return self._fits(phrase, thing, scope, ())

    def _fits(
        self, phrase: ast.Phrase, thing: Typed, scope: Scope, settled: tuple[object, ...]
    ) -> list[Condition]:
        found: list[Condition] = []
        if isinstance(phrase.head, ast.Name):
            found.append(self._is_document(thing, self._document(phrase.head), phrase.head.span))
        else:
            found.extend(self._is_called(phrase.head, thing, scope))
        if phrase.determiner == "another" and scope.this is not None:
            found.append(Compare("!=", thing.value, scope.this.value, phrase.span))
        reach = self._reach(phrase, scope) if thing.base in ("space", "piece") else None
        if reach is not None and reach.part not in settled:
            found.append(Apart(reach.low, reach.high, reach.origin, thing.value, reach.straight,
                               reach.direction, reach.part.span))  # fmt: skip
            settled = (*settled, reach.part, *(mod for mod in phrase.modifiers if self._is_line(mod)))
        for word in phrase.adjectives:
            if word not in settled and word.text not in ("random", "new"):
                found.append(self.adjective(word, thing, scope))
        for mod in phrase.modifiers:
            if mod not in settled:
                found.append(self.modifier(mod, thing, scope, reach))
        return found

    def _is_document(self, thing: Typed, number: int, span: Span) -> Condition:
        if thing.base == "document":
            return Compare("==", thing.value, Const(number, "document"), span)
        if thing.base not in ("piece", "token"):
            raise flaw("wrong-kind", f"{article(thing)} is never {quoted(span.text)}", span)
        if thing.base == "piece" and self.model.ruleset.sheets[number].kind in self.model.bearers:
            return Bears(thing.value, number, span)
        return Compare("==", Attribute("document", thing.value, "document"), Const(number, "document"), span)

    def _is_called(self, head: ast.Word, thing: Typed, scope: Scope) -> list[Condition]:
        """Return what makes the thing one that is called by this noun, if it is not always."""
        known = self.model.thing(head.text)
        if known is None or known.base != thing.base:
            raise flaw("wrong-kind", f"{article(thing)} is never a {quoted(head.text)}", head.span)
        if self.model.narrows(thing.noun, head.text):
            return []
        found: list[Condition] = []
        if known.tag:
            found.append(Tagged(known.tag, thing.value, head.span))
        told = self.model.nouns.get(head.text, [])
        if told:
            found.append(self._told(told, head.text, thing, head.span, scope))
        elif not known.parent:
            found.extend(self._of_kind(head.text, thing, head.span))
        return found

    def _of_kind(self, noun: str, thing: Typed, span: Span) -> list[Condition]:
        """Return what makes a piece one of the kinds that a noun stands for, if it is not always."""
        wanted, possible = self.model.kinds(noun), self.model.kinds(thing.noun)
        if not wanted or (possible and set(possible) <= set(wanted)):
            return []
        return [KindIs(thing.value, wanted, span)]

    def _told(self, told: list[Told], word: str, thing: Typed, span: Span, scope: Scope) -> Condition:
        """Return when a word defined by texts holds: some definition says so, and none says it does not."""
        if word in scope.within:
            raise flaw("circular-definition", f"{quoted(word)} is defined by itself", span)
        yes: list[Condition] = []
        no: list[Condition] = []
        for one in told:
            assert isinstance(one.sentence, ast.DefineIs)
            subject = one.sentence.subject
            inner = self.definition_scope(subject, one.carrier, thing, word, scope)
            if isinstance(one.sentence.value, ast.Phrase):
                subject = self._plain(one.sentence.value)
                inner = self.definition_scope(subject, -1, thing, word, scope)
            if inner is not None and self._can_be(subject, thing):
                (no if one.sentence.negated else yes).append(self._said(one, subject, thing, inner))
        if not yes:
            raise flaw("wrong-kind", f"{quoted(word)} is not said of {article(thing)}", span)
        holds: Condition = yes[0] if len(yes) == 1 else Any(tuple(yes), span)
        if not no:
            return holds
        return All((holds, *(Not(condition, span) for condition in no)), span)

    def _plain(self, phrase: ast.Phrase) -> ast.Phrase:
        return replace(phrase, modifiers=())

    def _can_be(self, subject: ast.NounPhrase, thing: Typed) -> bool:
        """Whether a piece can be of a kind that a definition is about."""
        wanted, possible = self.model.kinds(_noun_of(subject)), self.model.kinds(thing.noun)
        return not wanted or not possible or not set(wanted).isdisjoint(possible)

    def _said(self, told: Told, subject: ast.NounPhrase, thing: Typed, scope: Scope) -> Condition:
        sentence = told.sentence
        assert isinstance(sentence, ast.DefineIs)
        found = self._of_kind(_noun_of(subject), thing, sentence.span) if thing.base == "piece" else []
        if told.carrier >= 0:
            found.append(self._is_document(thing, told.carrier, sentence.span))
        if isinstance(sentence.value, ast.Phrase):
            widest = Typed(thing.value, thing.base, self._widest(self.thing_of(sentence.value)).name)
            found.extend(self.fits(sentence.value, widest, scope))
        if sentence.condition is not None:
            found.append(self.condition(sentence.condition, scope))
        return found[0] if len(found) == 1 else All(tuple(found), sentence.span)

    def adjective(self, word: ast.Word, thing: Typed, scope: Scope) -> Condition:
        """Read an adjective said of a thing."""
        if word.text == "adjacent":
            return Apart(1, 1, self._origin(None, word.span, scope), thing.value, False, None, word.span)
        if word.text in self.model.flags:
            owner, number, value = self.model.flags[word.text]
            if owner == thing.noun or self._base_of(owner) == thing.base:
                of = None if thing.base == "flag" else thing.value
                return Compare("==", FieldOf(number, of, "flag"), Const(value, "flag"), word.span)
        told = self.model.adjectives.get(word.text, [])
        if not told:
            raise flaw("undefined-word", f"no text says what {quoted(word.text)} means", word.span,
                       help=f"define it: `a … is {word.text} when …`")  # fmt: skip
        return self._told(told, word.text, thing, word.span, scope)

    def modifier(self, mod: ast.Modifier, thing: Typed, scope: Scope, reach: Reach | None) -> Condition:
        """Read a modifier of a noun as a condition on the thing."""
        match mod:
            case ast.Related("through", phrase):
                return self._through(phrase, thing, scope, reach, mod.span)
            case ast.Related(preposition, phrase):
                return self._related(preposition, phrase, thing, scope, mod.span)
            case ast.Clause(who, verb):
                return self.relation(verb, self.value(who, scope), thing, scope)
            case ast.Away():
                start = self._origin(mod.origin, mod.span, scope)
                return Apart(*reach_of(mod), start, thing.value, False, None, mod.span)
        raise flaw("not-definite", f"{quoted(mod.span.text)} needs a distance beside it", mod.span,
                   help="say how far: `exactly 2 spaces away in a straight line`")  # fmt: skip

    def _through(
        self, phrase: ast.NounPhrase, thing: Typed, scope: Scope, reach: Reach | None, span: Span
    ) -> Condition:
        if reach is None or not isinstance(phrase, ast.Phrase):
            raise flaw("not-definite", f"{quoted(span.text)} needs a distance beside it", span,
                       help="say how far: `exactly 2 spaces away through an open space`")  # fmt: skip
        between, inner = scope.member("space", "space")
        every = as_any(phrase) if phrase.determiner == "all" else phrase
        fits = self.fits(every, Typed(between, "space", "space"), inner)
        return Passable(reach.low, reach.high, reach.origin, thing.value, reach.straight, between,
                        All(tuple(fits), phrase.span), span)  # fmt: skip

    def _related(
        self, preposition: str, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span
    ) -> Condition:
        if preposition == "in" and thing.base == "space":
            return self._listed(phrase, thing, scope, span)
        if preposition == "in":
            return HeldIn(thing.value, self.holders(phrase, scope), span)
        if preposition in ("with", "without") and isinstance(phrase, ast.Name):
            borne = self._is_document(thing, self._document(phrase), span)
            return Not(borne, span) if preposition == "without" else borne
        if preposition in ("with", "without"):
            assert isinstance(phrase, ast.Phrase)
            there = ast.Related("on", ast.Pronoun("it", span=span), span=span)
            found: Condition = Exists(self.members(phrase, scope.about(thing), (there,)), span)
            return Not(found, span) if preposition == "without" else found
        if is_indefinite(phrase):
            assert isinstance(phrase, ast.Phrase)
            return self._to_some(preposition, phrase, thing, scope, span)
        return self._to_one(preposition, self.value(phrase, scope), thing, span)

    def _listed(self, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        """Read `a space in the plan of that card`: it stands in a list on a document."""
        key = _noun_of(phrase)
        if key not in self.model.lists:
            raise flaw("wrong-kind", f"{article(thing)} is never in {quoted(phrase.span.text)}", span)
        assert isinstance(phrase, ast.Phrase)
        of = phrase.modifiers[0].phrase if phrase.modifiers and isinstance(phrase.modifiers[0], ast.Related) else None
        if of is None and phrase.determiner == "its":
            of = ast.Pronoun("it", span=phrase.span)
        if of is None:
            raise flaw("not-definite", f"{quoted(phrase.span.text)} does not say of what", span,
                       help=f"say `the {key} of …`")  # fmt: skip
        whose = self.of_base(of, scope, "token", "piece", "document")
        document = whose.value if whose.base == "document" else Attribute("document", whose.value, "document")
        return Listed(key, document, thing.value, span)

    def _to_some(self, preposition: str, phrase: ast.Phrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        some = self.members(phrase, scope)
        inner = self._to_one(preposition, Typed(some.var, some.var.base, some.var.noun), thing, span)
        return Exists(replace(some, filters=(inner, *some.filters)), span)

    def _to_one(self, preposition: str, other: Typed, thing: Typed, span: Span) -> Condition:
        if preposition == "adjacent to" and other.base in ("space", "piece"):
            return Apart(1, 1, other.value, thing.value, False, None, span)
        if preposition == "adjacent to" and other.base == thing.base == "direction":
            beside = [Attribute(side, other.value, "direction") for side in _SIDES]
            return Any(tuple(Compare("==", thing.value, one, span) for one in beside), span)
        if preposition == "on" and thing.base == "piece" and other.base == "space":
            return Compare("==", Attribute("space", thing.value, "space"), other.value, span)
        if preposition == "of" and other.base == "document":
            return Compare("==", Attribute("document", thing.value, "document"), other.value, span)
        if preposition == "of" and other.base == "player" and thing.base == "piece":
            return Compare("==", Attribute("owner", thing.value, "player"), other.value, span)
        raise flaw("wrong-kind", f"{article(thing)} is never {quoted(preposition)} {article(other)}", span)

    def relation(self, verb: ast.Word, subject: Typed, thing: Typed, scope: Scope) -> Condition:
        """Read a verb said as a fact, such as `you control` of a location."""
        found: list[Condition] = []
        for told in self.model.relations.get(verb.text, ()):
            sentence = told.sentence
            assert isinstance(sentence, ast.DefineHolds)
            inner = self.definition_scope(sentence.subject, told.carrier, subject, verb.text, scope)
            wanted = sentence.arguments.object
            if inner is None or not isinstance(wanted, ast.Phrase):
                continue
            second = self.definition_scope(wanted, told.carrier, thing, verb.text, scope)
            if second is not None:
                both = replace(inner, spoken=(*second.spoken, *inner.spoken))
                found.append(self.condition(sentence.condition, both))
        if not found:
            raise flaw("undefined-word", f"no text says when {article(subject)} {quoted(verb.text)}s {article(thing)}",
                       verb.span, help=f"define it: `a … {verb.text}s a … when …`")  # fmt: skip
        return found[0] if len(found) == 1 else Any(tuple(found), verb.span)


def _noun_of(node: ast.NounPhrase) -> str:
    return node.head.text if isinstance(node, ast.Phrase) and isinstance(node.head, ast.Word) else ""
