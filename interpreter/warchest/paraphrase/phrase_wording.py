"""Values, sets and conditions of the rules as phrases; each must be read back as the part that it words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

from warchest.ir import values as ir
from warchest.ir.parts import nodes_in
from warchest.ir.ruleset import Verb
from warchest.resolve.amounts import as_any
from warchest.resolve.antecedents import words_for
from warchest.resolve.conditions import having_said, read_condition
from warchest.resolve.distance_phrases import Reach
from warchest.resolve.model import Thing
from warchest.resolve.phrase_nouns import noun_of_document, widest_noun
from warchest.resolve.sets import (
    read_adjective,
    read_another,
    read_called,
    read_fits,
    read_members,
    read_modifier,
    read_relation,
    read_to_one,
)
from warchest.resolve.sides import relative_said
from warchest.resolve.single_sentences import Desk
from warchest.resolve.types import Flaw, Mention, Scope, Typed
from warchest.resolve.value_reader import read_attribute, read_holders, read_value
from warchest.source.text import Span
from warchest.syntax import ast

Wording = TypeVar("Wording")
DistancePhrase = tuple[int, int, ir.Value, bool, ir.Value | None]
"""The least and the greatest distance, its origin, whether in a line, and in which direction."""
_COMPARED: dict[str, str] = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
_SPOKEN_OF = (ir.Var, ir.Attribute, ir.FieldOf, ir.Latest, ir.Earliest, ir.SheetName)
"""The kinds of values that can have words."""
_KNOWN = {"document": "type", "left": "left neighbour", "right": "right neighbour"}
"""Nouns for built-in attributes that have another name in the machine."""
_UNREAD = object()
"""The place of a reading that is not kept yet; one that is kept may be anything."""


class Unsaid(Exception):
    """A part of the rules that the language has no words for; the message says which."""


class Phrases:
    """Finds words for values, sets and conditions, and takes none that would be read as something else."""

    def __init__(self, desk: Desk, span: Span) -> None:
        self.desk, self.reader, self.model, self.span = desk, desk.reader, desk.model, span
        self._read_words: dict[object, object] = {}
        self._typed: dict[object, Typed | None] = {}
        """The values that there are words for; None where there are none."""
        self._modifiers_said: dict[object, ast.Modifier | None] = {}
        """The modifiers that were looked for; None where there is none."""

    # ---- trying

    def read(self, understand: Callable[..., Wording], *words: object) -> Wording | None:
        """Return the reading of words; None if they make no sense."""
        self.reader.unfolded = self.reader.in_all = 0
        try:
            return understand(*words)
        except (Flaw, AssertionError):
            return None

    def first(self, wanted: object, tries: Iterable[Wording], understand: Callable[[Wording], object]) -> Wording:
        """Return the first words that read as wanted; raises Unsaid."""
        for words in tries:
            if self.read(understand, words) == wanted:
                return words
        raise Unsaid(type(wanted).__name__)

    def _kept(self, understand: Callable[..., object], scope: Scope, *words: object) -> object:
        """Return the reading of words in a scope, kept for words that are tried again and again."""
        key = (understand.__name__, words, _around(scope))
        found = self._read_words.get(key, _UNREAD)
        if found is _UNREAD:
            found = self._read_words[key] = self.read(understand, self.reader, *words, scope)
        return found

    # ---- small words

    def word(self, text: str) -> ast.Word:
        """Return a word of the vocabulary."""
        return ast.Word(text, span=self.span)

    def phrase(self, determiner: str, noun: str, *modifiers: ast.Modifier) -> ast.Phrase:
        """Return a noun phrase without adjectives."""
        return ast.Phrase(determiner, None, (), self.word(noun), modifiers, span=self.span)

    def related(self, preposition: str, phrase: ast.NounPhrase) -> ast.Related:
        """Return a phrase after a preposition."""
        return ast.Related(preposition, phrase, span=self.span)

    def name(self, document: int) -> ast.Name:
        """Return the name of a document; raises Unsaid where texts cannot speak of it."""
        sheet = self.model.ruleset.sheets[document]
        if self.model.ruleset.sheet_number(sheet.name) != document:
            raise Unsaid("a document without a name of its own")
        return ast.Name(sheet.name, span=self.span)

    def reference(self, mention: Mention, scope: Scope) -> ast.NounPhrase:
        """Return the words that refer to a mention."""
        adjective, noun = words_for(self.reader, mention, scope)
        if not noun:
            raise Unsaid("something without a name")
        named = noun not in self.model.things and self.model.thing(noun) is None and noun[:1].isupper()
        head = ast.Name(noun, span=self.span) if named else self.word(noun)
        adjectives = (self.word(adjective),) if adjective else ()
        return ast.Phrase("that", None, adjectives, head, (), span=self.span)

    # ---- values

    def known(self, value: ir.Value, scope: Scope) -> Typed | None:
        """Return a value that has its own words here; None for a value that must be described."""
        if scope.this is not None and value == scope.this.value:
            return scope.this
        if scope.you is not None and value == scope.you:
            return Typed(value, "player", "player")
        return next((one.thing for one in scope.mentions if one.thing.value == value), None)

    def value(self, value: ir.Value, scope: Scope) -> ast.Expression:
        """Return the words for a value; raises Unsaid."""
        if scope.this is not None and value == scope.this.value:
            return ast.Pronoun("this", span=self.span)
        if scope.you is not None and value == scope.you:
            return ast.Pronoun("you", span=self.span)
        for mention in scope.mentions:
            if mention.thing.value == value:
                for said in self._once(self.reference, mention, scope):
                    return said
        return self.first(
            value, self._descriptions(value, scope), lambda said: read_value(self.reader, said, scope).value
        )

    def thing(self, value: ir.Value, scope: Scope) -> ast.NounPhrase:
        """Return the words for a value that is not a number."""
        said = self.value(value, scope)
        if isinstance(said, ast.Number | ast.Total | ast.Amount):
            raise Unsaid("a number in the place of a thing")
        return said

    def typed(self, value: ir.Value, scope: Scope) -> Typed:
        """Return a value with the noun that the text has for it."""
        return self.known(value, scope) or read_value(self.reader, self.value(value, scope), scope)

    def _descriptions(self, value: ir.Value, scope: Scope) -> Iterator[ast.Expression]:
        if isinstance(value, ir.Sum | ir.Size | ir.PerDocument):
            yield from self._numbers(value, scope)
        match value:
            case ir.Const(number, "number"):
                yield ast.Number(number, span=self.span)
            case ir.Const(number, "document") if number >= 0:
                yield self.name(number)
            case ir.Const(-1, "player" | "team"):
                yield ast.Pronoun("nobody", span=self.span)
            case ir.FieldOf(number, None) | ir.Latest(ir.FieldOf(number, None)):
                yield from self._single_fields(number)
            case ir.FieldOf(number, of) | ir.Latest(ir.FieldOf(number, of)):
                assert of is not None
                yield self.numbered(self._of(self.model.ruleset.fields[number].name, of, scope))
            case ir.Earliest(trail, base):
                latest = ir.Latest(trail, base, self.model.ruleset.fields[trail.field].width - 1)
                step = self._of("type" if base == "document" else base, latest, scope)
                yield replace(step, adjectives=(self.word("first"),))
            case ir.Attribute("decider"):
                raise Unsaid("who decides for something")
            case ir.Attribute(what, of):
                yield self._of(_KNOWN.get(what, what), of, scope)
            case ir.Bearing(_, goal):
                yield self._of("bearing", goal, scope)
            case ir.Distance(_, goal, turns):
                yield self._of("trek" if turns else "distance", goal, scope)
            case ir.SheetNumber(key, of) | ir.SheetName(key, of):
                yield self._of(key, of.of if isinstance(of, ir.Attribute) and of.what == "document" else of, scope)
            case ir.Parameter(document, index):
                yield ast.Letter(self.model.ruleset.sheets[document].parameters[index], span=self.span)
            case ir.Sum(signs, terms):
                words = tuple("+" if sign > 0 else "-" for sign in signs)
                said = tuple(self.value(term, scope) for term in terms)
                if not any(isinstance(term, ast.Total) for term in said):
                    yield ast.Total(words, said, span=self.span)
        if isinstance(value, ir.Size):
            yield self.phrase("the", "number", self.related("of", self.set(value.of, scope, "")))

    def _single_fields(self, number: int) -> Iterator[ast.Expression]:
        """Yield `the allowance` and `the holder of the throne`: a field of the game, or of a single thing."""
        name = self.model.ruleset.fields[number].name
        yield self.numbered(self.phrase("the", name))
        for owner, one in self.model.fields.get(name, ()):
            if one == number:
                yield self.numbered(self.phrase("the", name, self.related("of", self.phrase("the", owner))))

    def numbered(self, phrase: ast.Phrase) -> ast.Phrase:
        """Return a phrase for a number, in the plural if the game declares another word as the plural of its noun."""
        head, plurals = phrase.head, self.model.vocabulary.plurals
        is_other = isinstance(head, ast.Word) and plurals.get(head.text, head.text) != head.text
        return replace(phrase, head=ast.Word(head.text, in_plural=True, span=self.span)) if is_other else phrase

    def _of(self, noun: str, of: ir.Value, scope: Scope) -> ast.Phrase:
        if scope.you is not None and of == scope.you:
            return self.phrase("your", noun)
        return self.phrase("the", noun, self.related("of", self.thing(of, scope)))

    def _numbers(self, value: ir.Value, scope: Scope) -> Iterator[ast.Expression]:
        """Yield the declared numbers that a value can be: `the height of that unit`."""
        named = [part.value for part in nodes_in(value) if isinstance(part, ir.Const) and part.base == "document"]
        documents = [read_value(self.reader, self.name(one), scope) for one in named if one >= 0]
        for thing in (*self.things_in(value, scope, but=value), *documents):
            for noun in sorted(self.model.values):
                number = self._kept(read_attribute, scope, noun, thing, self.span)
                if isinstance(number, Typed) and number.value == value:
                    yield self._of(noun, thing.value, scope)

    def things_in(self, node: object, scope: Scope, but: object = None) -> list[Typed]:
        """Return the things in a part of the rules for which there are words, except the thing `but`."""
        found: dict[ir.Value, Typed] = {}
        for part in reversed(nodes_in(node)):
            # Only few parts are hashed, because a hash covers all their contents.
            if isinstance(part, _SPOKEN_OF) and part not in found and part != but:
                typed = self.known(part, scope)
                if typed is None and not isinstance(part, ir.Var):
                    typed = self._with_words(part, scope)
                if typed is not None:
                    found[part] = typed
        return list(found.values())

    def _with_words(self, value: ir.Value, scope: Scope) -> Typed | None:
        key = (value, _around(scope), scope.mentions, scope.asked)
        if key not in self._typed:
            try:
                self._typed[key] = self.typed(value, scope)
            except (Unsaid, Flaw):
                self._typed[key] = None
        return self._typed[key]

    # ---- where things are

    def holder(self, holder: ir.Holder, scope: Scope) -> ast.NounPhrase:
        """Return the words for the place of tokens, or for their destination."""
        if isinstance(holder, ir.InPiece):
            return self.thing(holder.piece, scope)
        zone = self.model.ruleset.zones[holder.zone]
        tries = self._zones(zone.name, holder.of, scope)
        return self.first((holder,), tries, lambda said: read_holders(self.reader, said, scope))

    def _zones(self, name: str, of: ir.Value | None, scope: Scope) -> Iterator[ast.NounPhrase]:
        if of is None:
            yield self.phrase("the", name)
            yield self.phrase("a", name)
            return
        for value in (of, of.of) if isinstance(of, ir.Attribute) and of.what == "team" else (of,):
            if value == scope.you:
                yield self.phrase("your", name)
            try:
                yield self._of(name, value, scope)
            except Unsaid:
                continue

    # ---- sets

    def set(self, among: ir.Set, scope: Scope, determiner: str = "a") -> ast.Phrase:
        """Return the indefinite phrase for a set; raises Unsaid."""
        found = self._sets(among, scope, determiner)
        return self.first(among, found, lambda said: read_members(self.reader, as_any(said), scope))

    def _sets(self, among: ir.Set, scope: Scope, determiner: str, closed: bool = True) -> Iterator[ast.Phrase]:
        """Yield phrases for a set; if one modifier is to be worded separately, they need not be `closed`."""
        var = among.var
        inner = replace(scope, depth=scope.depth + 1)
        ways = list(self._settled(among.members, scope))
        for (adjectives, modifiers), head in product(ways, self._heads(var, among.filters, inner)):
            word, used, noun = head
            thing = Typed(var, var.base, noun)
            try:
                rest = self._filters(among.filters[used:], thing, inner)
            except Unsaid:
                continue
            another, further, more = rest
            chosen, others = self._others(determiner) if another else (determiner, ())
            for place in range(len(more) + 1):
                ordered = (*more[:place], *modifiers, *more[place:])
                if determiner == "" and isinstance(word, ast.Name) and not self._has_plural(word):
                    continue
                for said in _following(ordered) if closed else (ordered,):
                    yield ast.Phrase(chosen, None, (*others, *adjectives, *further), word, said, span=self.span)

    def _others(self, determiner: str) -> tuple[str, tuple[ast.Word, ...]]:
        """Return the determiner and the adjective for things other than `this`."""
        return ("another", ()) if determiner in ("a", "any") else (determiner, (self.word("other"),))

    def _has_plural(self, name: ast.Name) -> bool:
        return self.model.vocabulary.form("PLURAL", name.text) != name.text

    def _settled(
        self, members: ir.Members, scope: Scope
    ) -> Iterator[tuple[tuple[ast.Word, ...], tuple[ast.Modifier, ...]]]:
        """Yield the words for the place in which to search for the members of a set."""
        match members:
            case ir.Ring(low, high, origin):
                for words in self._apart((low, high, origin, False, None), scope):
                    yield words
            case ir.Ray(low, high, origin, direction):
                for words in self._apart((low, high, origin, True, direction), scope):
                    yield words
            case ir.Tokens((holder,)):
                yield (), (self.related("in", self.holder(holder, scope)),)
            case _:
                yield (), ()

    def _apart(
        self, reach: DistancePhrase, scope: Scope
    ) -> Iterator[tuple[tuple[ast.Word, ...], tuple[ast.Modifier, ...]]]:
        """Yield the words for a distance: an adjective, or modifiers."""
        low, high, origin, straight, direction = reach
        lines: list[tuple[ast.Modifier, ...]] = [()]
        if straight and direction is None:
            lines = [(ast.InLine(span=self.span),)]
        elif direction is not None:
            lines = [(self.related("in", self.thing(direction, scope)),), (ast.InDirection(span=self.span),)]
        at_origin = scope.origin is not None and scope.origin.value == origin
        for line in lines:
            if (low, high) == (1, 1) and not straight:
                for words in self._once(self.thing, origin, scope):
                    yield (), (self.related("adjacent to", words),)
                if at_origin:
                    yield (self.word("adjacent"),), ()
            limit = "within" if low == 1 and high > 1 else "exactly" if low == high else ""
            count = ast.Count(high if limit == "within" else low, high, span=self.span)
            found = [
                ast.Away(limit, count, self.word("space"), words, span=self.span)
                for words in self._once(self.thing, origin, scope)
            ]
            if at_origin:
                away = ast.Away(
                    "" if limit == "within" else limit,
                    ast.Count(low, high, span=self.span),
                    self.word("space"),
                    None,
                    span=self.span,
                )
                # `within 2 spaces of this` reads better than `1-2 spaces away`, `exactly 2 spaces of this` worse.
                found = [*found, away] if limit == "within" else [away, *found]
            for far in found:
                yield from (((), (*line, far)), ((), (far, *line)))

    def _heads(
        self, var: ir.Var, filters: Sequence[ir.Condition], scope: Scope
    ) -> Iterator[tuple[ast.Word | ast.Name, int, str]]:
        """Yield nouns and names for a thing, each with the number of filters that it replaces, from the largest
        number down."""

        def widest(noun: Thing) -> Typed:
            several = len(noun.kinds) > 1 and not noun.parent
            return Typed(var, var.base, "" if several else widest_noun(self.reader, noun).name)

        yield from self._fitting_heads(
            filters,
            Typed(var, var.base, var.noun),
            widest,
            scope,
            lambda document: noun_of_document(self.reader, document, var.base),
        )

    def _fitting_heads(
        self,
        conditions: Sequence[ir.Condition],
        thing: Typed,
        as_called: Callable[[Thing], Typed],
        scope: Scope,
        named: Callable[[int], str],
    ) -> Iterator[tuple[ast.Word | ast.Name, int, str]]:
        """Yield the heads for a thing that replace its first conditions.

        `as_called` returns the thing as a noun is said of it, `named` the noun of a thing that is named by a document.
        """
        found: list[tuple[ast.Word | ast.Name, int, str]] = []
        for noun, known in self.nouns():
            if known.base != thing.base:
                continue
            called = self.read(read_called, self.reader, self.word(noun), as_called(known), scope)
            if called is not None and tuple(called) == tuple(conditions[: len(called)]):
                found.append((self.word(noun), len(called), noun))
        for condition in conditions[:1]:
            document = _document_of(condition, thing.value)
            if document is not None:
                found.append((self.name(document), 1, named(document)))
        # A thing with a name is called by its name, any other by the noun of the text.
        yield from sorted(found, key=lambda one: (isinstance(one[0], ast.Word), one[2] != thing.noun, -one[1]))

    def nouns(self) -> Iterator[tuple[str, Thing]]:
        """Yield the nouns for things, each with its thing."""
        for noun in (*self.model.things, "space", "player", "team", "direction"):
            thing = self.model.thing(noun)
            if thing is not None and thing.base is not None:
                yield noun, thing

    def _filters(
        self, filters: Sequence[ir.Condition], thing: Typed, scope: Scope
    ) -> tuple[bool, tuple[ast.Word, ...], tuple[ast.Modifier, ...]]:
        """Return the words for conditions on a thing: whether it is another one, adjectives, and modifiers."""
        another, adjectives, modifiers = False, list[ast.Word](), list[ast.Modifier]()
        reach: DistancePhrase | None = None
        for condition in filters:
            if self._is_another(condition, thing, scope) and not (another or adjectives or modifiers):
                another = True
                continue
            if isinstance(condition, ir.Apart) and condition.right == thing.value:
                reach = (condition.low, condition.high, condition.left, condition.straight, condition.direction)
                ways = list(self._apart(reach, scope))
                if not ways:
                    raise Unsaid("a distance from something without a name")
                words, more = next((one for one in ways if _can_follow(one[1])), ways[0])
                adjectives += words
                modifiers += more
                continue
            word = self._adjective(condition, thing, scope)
            if scope.asked_of is not None and word in relative_said(self.reader):
                word = None  # it could be relative to the asked player
            # Adjectives are read first, so a condition after a modifier can only be worded as another modifier.
            later = list(self._once(self.modifier, condition, thing, scope)) if word is None or modifiers else []
            # A relative clause is the last part; an adjective leaves room for more.
            if later and not (word is not None and isinstance(later[-1], ast.Whose | ast.ThatIs | ast.ThatDoes)):
                modifiers += later
            elif word is not None:
                adjectives.append(self.word(word))
            else:
                raise Unsaid("a condition without words")
        return another, tuple(adjectives), tuple(modifiers)

    def _is_another(self, condition: ir.Condition, thing: Typed, scope: Scope) -> bool:
        return condition == read_another(self.reader, thing, scope, self.span)

    def _adjective(self, condition: ir.Condition, thing: Typed, scope: Scope) -> str | None:
        """Return the adjective that says a condition of a thing, if there is one."""
        known, key = self.desk.adjectives, (thing, _of_definitions(scope))
        if key not in known:
            words = reversed((*self.model.flags, *self.model.adjectives))
            known[key] = {self.read(read_adjective, self.reader, self.word(word), thing, scope): word for word in words}
        return known[key].get(condition)

    def fitting(
        self, conditions: Sequence[ir.Condition], thing: Typed, scope: Scope, determiner: str = "a", own: bool = False
    ) -> ast.Phrase:
        """Return the phrase that states conditions on a thing that is known already; raises Unsaid.

        With `own`, it is called by its own noun, or by its name.
        """
        return self.first(
            list(conditions),
            self._fittings(conditions, thing, scope, determiner, own),
            lambda said: read_fits(self.reader, as_any(said), thing, scope),
        )

    def _fittings(
        self, conditions: Sequence[ir.Condition], thing: Typed, scope: Scope, determiner: str, own: bool = False
    ) -> Iterator[ast.Phrase]:
        for head, used, noun in self._fitting_heads(conditions, thing, lambda _: thing, scope, lambda _: thing.noun):
            if own and noun != thing.noun:
                continue
            try:
                rest = self._filters(conditions[used:], replace(thing, noun=noun), scope)
            except Unsaid:
                continue
            another, adjectives, modifiers = rest
            chosen, others = self._others(determiner) if another else (determiner, ())
            for said in _following(modifiers):
                yield ast.Phrase(chosen, None, (*others, *adjectives), head, said, span=self.span)

    # ---- modifiers

    def modifier(self, condition: ir.Condition, thing: Typed, scope: Scope) -> ast.Modifier:
        """Return the modifier that says a condition of a thing; raises Unsaid."""
        key = (condition, thing, _around(scope), scope.mentions, scope.asked)
        if key not in self._modifiers_said:
            self._modifiers_said[key] = next(
                self._once(
                    self.first,
                    condition,
                    self._modifiers(condition, thing, scope),
                    lambda said: self._as_modifier(said, condition, thing, scope),
                ),
                None,
            )
        said = self._modifiers_said[key]
        if said is None:
            raise Unsaid(type(condition).__name__)
        return said

    def _as_modifier(self, said: ast.Modifier, condition: ir.Condition, thing: Typed, scope: Scope) -> ir.Condition:
        """Return the condition that a modifier reads as, given the distance that `through` needs."""
        reach = None
        if isinstance(condition, ir.Passable):
            beside = ast.InLine(span=self.span)
            reach = Reach(condition.low, condition.high, condition.origin, condition.straight, None, beside)
        return read_modifier(self.reader, said, thing, scope, reach)

    def _modifiers(self, condition: ir.Condition, thing: Typed, scope: Scope) -> Iterator[ast.Modifier]:
        me = thing.value
        match condition:
            case ir.HeldIn(token, (holder,)) if token == me:
                yield self.related("in", self.holder(holder, scope))
            case ir.Listed(key, document, space) if space == me:
                is_of = isinstance(document, ir.Attribute) and document.what == "document"
                yield self.related("in", self._of(key, document.of if is_of else document, scope))  # type: ignore[union-attr,arg-type]
            case ir.Compare("==", ir.Attribute("space", of), place) if of == me:
                yield self.related("on", self.thing(place, scope))
            case ir.Compare("==", ir.Attribute("document" | "owner", of), other) if of == me:
                if isinstance(other, ir.Const) and other.base == "document":
                    yield self.related("with", self.name(other.value))
                yield self.related("of", self.thing(other, scope))
            case ir.Compare("==", ir.Attribute("space", of), place) if place == me:
                yield self.related("with", self.thing(of, scope))
            case ir.Bears(of, document) if of == me:
                yield self.related("with", self.name(document))
            case ir.Compare("==", ir.Bearing(_, goal), leads) if goal == me:
                yield from (ast.InDirection(span=self.span), self.related("in", self.thing(leads, scope)))
            case ir.Apart(low, high, origin, of, straight, direction) if of == me:
                for words, modifiers in self._apart((low, high, origin, straight, direction), scope):
                    if not words:
                        yield from modifiers[-1:]
            case ir.Passable(_, _, _, end, _, between, ir.All(fits)) if end == me:
                inner = replace(scope, depth=scope.depth + 1)
                yield self.related("through", self.fitting(fits, Typed(between, "space", "space"), inner, ""))
            case ir.Any((ir.Compare(_, _, ir.Attribute("left", beside)), _)):
                yield self.related("adjacent to", self.thing(beside, scope))
            case ir.Not(inner):
                for inside in self._modifiers(inner, thing, scope):
                    if isinstance(inside, ast.Related) and inside.preposition == "with":
                        yield self.related("without", inside.phrase)
            case ir.Exists(members):
                yield from self._some_modifiers(members, thing, scope)
        yield from self._clauses(condition, thing, scope)
        yield from self._lettered(condition, me, scope)
        yield from self._that_is(condition, thing, scope)
        yield from self._whose(condition, thing, scope)

    def _that_is(self, condition: ir.Condition, thing: Typed, scope: Scope) -> Iterator[ast.Modifier]:
        """Yield `that is this` and `that is not bolstered`: relative clauses that name a thing, or deny a condition."""
        match condition:
            case ir.Compare("==", of, other) if of == thing.value:
                for named in self._once(self.thing, other, scope):
                    yield ast.ThatIs(False, named, span=self.span)
        if isinstance(condition, ir.Not):
            for said in self._tried(self._being, condition.condition, thing, scope):
                yield ast.ThatIs(True, said, span=self.span)

    def _being(self, condition: ir.Condition, thing: Typed, scope: Scope) -> Iterator[ast.ValuePhrase]:
        """Yield the values that word a condition after `that is`."""
        word = self._adjective(condition, thing, scope)
        if word is not None:
            yield ast.Adjective(self.word(word), span=self.span)
        for modifier in self._tried(self._modifiers, condition, thing, scope):
            if isinstance(modifier, ast.Related | ast.Away):
                yield modifier
        parts = condition.conditions if isinstance(condition, ir.All) else (condition,)
        yield from self._tried(self._fittings, parts, thing, scope, "a")

    def _lettered(self, condition: ir.Condition, me: ir.Value, scope: Scope) -> Iterator[ast.Modifier]:
        """Yield `within X spaces of this`, a distance that a letter says."""
        match condition:
            case ir.All((ir.Compare(">=", ir.Distance(near, goal, False), ir.Const(1)), ir.Compare("<=", _, most))):
                limit = "within"
            case ir.Compare("==", ir.Distance(near, goal, False), most):
                limit = "exactly"
            case _:
                return
        if goal == me and isinstance(most, ir.Parameter):
            count = self.value(most, scope)
            assert isinstance(count, ast.Letter)
            for origin in (*self._once(self.thing, near, scope), None):
                yield ast.Away(limit, count, self.word("space"), origin, span=self.span)

    def _whose(self, condition: ir.Condition, thing: Typed, scope: Scope) -> Iterator[ast.Modifier]:
        """Yield `whose height is at least 2`: relative clauses about an attribute."""
        negated, inner = isinstance(condition, ir.Not), scope.about(thing)
        plain = condition.condition if isinstance(condition, ir.Not) else condition
        if isinstance(plain, ir.Exists):
            # The subject of `exists` is the thing itself, and no attribute of it.
            return
        for tries in (self._adjective_conditions, self._plain_conditions):
            for said in self._tried(tries, plain, inner):
                subject = said.subject if isinstance(said, ast.Is) else None
                if isinstance(said, ast.Is) and isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word):
                    yield ast.Whose(subject.head, negated, said.value, span=self.span)

    def _some_modifiers(self, among: ir.Set, thing: Typed, scope: Scope) -> Iterator[ast.Modifier]:
        """Yield `adjacent to a unit`, `on a location` and `with a unit`."""
        member = Typed(among.var, among.var.base, among.var.noun)
        ways: list[tuple[str, tuple[ir.Condition, ...], ir.Condition]] = []
        for preposition in ("adjacent to", "on", "of"):
            said = self.read(read_to_one, self.reader, preposition, member, thing, self.span)
            if said is not None and among.filters[:1] == (said,):
                ways.append((preposition, among.filters[1:], said))
        there = self.read(read_to_one, self.reader, "on", thing, member, self.span)
        if there is not None and among.filters[-1:] == (there,):
            ways.append(("with", among.filters[:-1], there))
        for preposition, filters, _ in ways:
            around = scope.about(thing) if preposition == "with" else scope
            for determiner in ("a", ""):
                try:
                    yield self.related(preposition, self.set(replace(among, filters=filters), around, determiner))
                except Unsaid:
                    continue

    def _clauses(self, condition: ir.Condition, thing: Typed, scope: Scope) -> Iterator[ast.Modifier]:
        """Yield relative clauses: `that attacks this`, `you control`, `that unit hosts`."""
        verbs, parts = self._under_way(condition)
        if verbs:
            yield from self.doing(verbs, parts, thing, scope)
        for verb, who, _ in self._said_of(((who, thing) for who in self._who(condition, scope)), condition, scope):
            words = self.thing(who.value, scope)
            if isinstance(words, ast.Pronoun) or not words.modifiers:  # type: ignore[union-attr]
                yield ast.RelativeClause(words, self.word(verb), span=self.span)
        some = condition.condition if isinstance(condition, ir.Not) else condition
        if not isinstance(some, ir.Exists) or not some.members.filters:
            return
        *filters, does = some.members.filters
        whose = Typed(some.members.var, some.members.var.base, some.members.var.noun)
        for verb, _, _ in self._said_of([(whose, thing)], does, replace(scope, depth=scope.depth + 1)):
            anybody = self.set(replace(some.members, filters=tuple(filters)), scope, "a" if some is condition else "no")
            if not anybody.modifiers:
                yield ast.RelativeClause(anybody, self.word(verb), span=self.span)

    def _said_of(
        self, pairs: Iterable[tuple[Typed, Typed]], condition: object, scope: Scope
    ) -> list[tuple[str, Typed, Typed]]:
        """Return the verbs that state a condition of two things as a fact, each with the two things in order."""
        found: list[tuple[str, Typed, Typed]] = []
        known = self.desk.relations
        for one, other in pairs:
            key = (one, other, _of_definitions(scope))
            if key not in known:
                known[key] = [
                    (self.read(read_relation, self.reader, self.word(verb), one, other, scope), verb)
                    for verb in self.model.relations
                ]
            found += [(verb, one, other) for meaning, verb in known[key] if meaning == condition]
        return sorted(found, key=lambda said: said[0])

    def _who(self, condition: object, scope: Scope) -> Iterator[Typed]:
        """Yield the things that a fact can be about: `you`, and all that a condition speaks of."""
        if scope.you is not None:
            yield Typed(scope.you, "player", "player")
        yield from self.things_in(condition, scope)
        yield Typed(ir.Const(ir.NOTHING, "player"), "player", "nobody")

    # ---- acts under way

    def happening(self, verbs: Sequence[Verb], parts: Sequence[ir.Condition], scope: Scope) -> ast.Proposition:
        """Return the statement that an event is under way, `a unit attacks this`; raises Unsaid."""
        raise NotImplementedError

    def doing(
        self, verbs: Sequence[Verb], parts: Sequence[ir.Condition], thing: Typed, scope: Scope
    ) -> Iterator[ast.Modifier]:
        """Yield a relative clause about an event under way, `that attacks this`, if the thing is its doer."""
        raise NotImplementedError

    # ---- conditions

    def condition(self, condition: ir.Condition, scope: Scope) -> ast.Proposition:
        """Return the sentence that says a condition; raises Unsaid."""
        tries = self._conditions(condition, scope)
        return self.first(condition, tries, lambda said: read_condition(self.reader, said, scope))

    def _conditions(self, condition: ir.Condition, scope: Scope) -> Iterator[ast.Proposition]:
        for tries in (
            self._adjective_conditions,
            self._plain_conditions,
            self._facts,
            self._negations,
            self._place_conditions,
            self._joined,
        ):
            try:
                yield from tries(condition, scope)
            except Unsaid:
                continue

    def _compared(self, value: ir.Value, scope: Scope) -> ast.NounPhrase | ast.Total:
        """Return the words for a compared value that is not a plain number."""
        said = self.value(value, scope)
        if isinstance(said, ast.Number | ast.Amount):
            raise Unsaid("a number that is compared")
        return said

    def _is(self, subject: ast.NounPhrase | ast.Total, value: ast.ValuePhrase, negated: bool = False) -> ast.Is:
        return ast.Is(subject, negated, value, span=self.span)

    def _plain_conditions(self, condition: ir.Condition, scope: Scope) -> Iterator[ast.Proposition]:
        match condition:
            case ir.Compare(how, left, right) if how in _COMPARED:
                than = ast.Comparison(_COMPARED[how], self.value(right, scope), span=self.span)
                yield self._is(self._compared(left, scope), than)
            case ir.Compare("==", ir.Var(base="flag") as flag, _):
                yield from (node for node, var in self.reader.ahead.items() if var == flag)
            case ir.Compare("==", left, ir.Const(-1, "player" | "team")):
                yield self._is(self.thing(left, scope), ast.Pronoun("nobody", span=self.span))
            case ir.Compare("==", left, ir.Const(-1, "document" | "space")):
                yield self._is(self._compared(left, scope), ast.Pronoun("nothing", span=self.span))
            case ir.Compare("==", left, right) if not (isinstance(right, ir.Const) and right.base == "flag"):
                yield self._is(self._compared(left, scope), self.value(right, scope))
            case ir.Upholds(by, piece, document):
                roles = (ast.RolePhrase("by", self.name(document), span=self.span),) if document >= 0 else ()
                said = ast.Arguments(self.thing(piece, scope), roles, span=self.span)
                yield ast.Holds(self.thing(by, scope), (self.word("uphold"),), said, span=self.span)
            case ir.Exists(among):
                yield from self._existence(among, "a", scope)
        verbs, parts = self._under_way(condition)
        if verbs:
            yield self.happening(verbs, parts, scope)

    def _under_way(self, condition: ir.Condition) -> tuple[Sequence[Verb], Sequence[ir.Condition]]:
        """Return the verbs of a condition that an act of one of these is under way, and the conditions on its event;
        both are empty for other conditions."""
        match condition:
            case ir.Happening(number, _, ir.All(parts)):
                return (self.model.ruleset.verbs[number],), parts
            case ir.Any((ir.Happening(_, _, ir.All(parts)), *_)):
                kinds = tuple(one.verb for one in condition.conditions if isinstance(one, ir.Happening))
                return self.model.ruleset.named_together(kinds), parts
        return (), ()

    def _negations(self, condition: ir.Condition, scope: Scope) -> Iterator[ast.Proposition]:
        if not isinstance(condition, ir.Not):
            return
        if isinstance(condition.condition, ir.Exists):
            yield from self._existence(condition.condition.members, "no", scope)
        for said in self._conditions(condition.condition, scope):
            if isinstance(said, ast.CanDo) and getattr(said.subject, "determiner", "") == "a":
                yield replace(said, subject=replace(said.subject, determiner="no"))  # type: ignore[arg-type]
            elif isinstance(said, ast.Is | ast.CanDo) and not said.negated:
                yield replace(said, negated=True)

    def _existence(self, among: ir.Set, determiner: str, scope: Scope) -> Iterator[ast.Proposition]:
        """Yield `a card is in your hand`: the last modifier or adjective becomes the predicate."""
        for whole in self._sets(among, scope, determiner, closed=False):
            for index in range(len(whole.modifiers) - 1, -1, -1):
                last = whole.modifiers[index]
                rest = (*whole.modifiers[:index], *whole.modifiers[index + 1 :])
                if isinstance(last, ast.Related | ast.Away) and _can_follow(rest):
                    yield self._is(replace(whole, modifiers=rest), last)
            if whole.adjectives and _can_follow(whole.modifiers):
                rest_of = replace(whole, adjectives=whole.adjectives[:-1])
                yield self._is(rest_of, ast.Adjective(whole.adjectives[-1], span=self.span))
        *filters, last_filter = among.filters or (None,)
        if last_filter is None:
            return
        for subject in self._sets(replace(among, filters=tuple(filters)), scope, determiner):
            inner = replace(scope, depth=scope.depth + 1)
            marked = Mention(Typed(among.var, among.var.base, among.var.noun), ("number",))
            for said in self._conditions(last_filter, inner.mentioning(marked)):
                if isinstance(said, ast.Is) and said.negated and determiner == "no":
                    yield self._is(replace(subject, determiner="all"), said.value)
                elif isinstance(said, ast.Is):
                    yield self._is(subject, said.value, said.negated)
                elif isinstance(said, ast.Holds):
                    yield replace(said, subject=subject)

    def _adjective_conditions(self, condition: ir.Condition, scope: Scope) -> Iterator[ast.Proposition]:
        for thing in self.things_in(condition, scope):
            word = self._adjective(condition, thing, scope)
            if word is not None:
                yield self._is(self.thing(thing.value, scope), ast.Adjective(self.word(word), span=self.span))
        if isinstance(condition, ir.Compare) and isinstance(condition.left, ir.FieldOf) and condition.left.of is None:
            for word, (owner, _, _) in self.model.flags.items():
                yield self._is(self.phrase("the", owner), ast.Adjective(self.word(word), span=self.span))
        for single in ("game", *self.model.ruleset.singles):
            thing = Typed(ir.Const(ir.NOTHING, "flag"), "flag", single)
            word = self._adjective(condition, thing, scope)
            if word is not None:
                yield self._is(self.phrase("the", single), ast.Adjective(self.word(word), span=self.span))

    def _place_conditions(self, condition: ir.Condition, scope: Scope) -> Iterator[ast.Proposition]:
        for thing in self.things_in(condition, scope):
            subject = self.thing(thing.value, scope)
            for modifier in self._tried(self._modifiers, condition, thing, scope):
                if isinstance(modifier, ast.Related | ast.Away):
                    yield self._is(subject, modifier)
            parts = condition.conditions if isinstance(condition, ir.All) else (condition,)
            for phrase in self._tried(self._fittings, parts, thing, scope, "a"):
                # The content of a relative clause there is a condition of its own.
                if not any(isinstance(one, ast.Whose | ast.ThatIs | ast.ThatDoes) for one in phrase.modifiers):
                    yield self._is(subject, phrase)

    def _tried(self, tries: Callable[..., Iterator[Wording]], *arguments: object) -> Iterator[Wording]:
        """Yield phrases until one cannot be worded."""
        try:
            yield from tries(*arguments)
        except Unsaid:
            return

    def _once(self, words: Callable[..., Wording], *arguments: object) -> Iterator[Wording]:
        """Yield the words, if there are any."""
        try:
            yield words(*arguments)
        except Unsaid:
            return

    def _facts(self, condition: ir.Condition, scope: Scope) -> Iterator[ast.Proposition]:
        """Yield verbs that state facts: `your team controls that location`."""
        whos = list(self._who(condition, scope))
        for verb, first, second in self._said_of(product(whos, whos), condition, scope):
            about = ast.Arguments(self.thing(second.value, scope), (), span=self.span)
            yield ast.Holds(self.thing(first.value, scope), (self.word(verb),), about, span=self.span)

    def _joined(self, condition: ir.Condition, scope: Scope) -> Iterator[ast.Proposition]:
        if isinstance(condition, ir.All | ir.Any) and len(condition.conditions) > 1:
            parts, around = [], scope
            for one in condition.conditions:
                parts.append(self.condition(one, around))
                around = having_said(parts[-1], around)
            if isinstance(condition, ir.All) and all(isinstance(one, ast.Is | ast.Holds | ast.CanDo) for one in parts):
                yield ast.AllOf(tuple(parts), span=self.span)
            if isinstance(condition, ir.Any) and not any(isinstance(one, ast.AnyOf) for one in parts):
                yield ast.AnyOf(tuple(parts), span=self.span)


def _around(scope: Scope) -> object:
    """Return the parts of a scope that the meaning of words depends on."""
    return (scope.this, scope.you, scope.origin, scope.depth, scope.carrier, scope.within, scope.ordered, scope.side)


def _of_definitions(scope: Scope) -> object:
    """Return the parts of a scope that influence the meaning of words which texts define."""
    return scope.you, scope.depth, scope.within


def _following(modifiers: tuple[ast.Modifier, ...]) -> Iterator[tuple[ast.Modifier, ...]]:
    """Yield the possible orders of modifiers: `of its type` is closed, `of the type of this` is not."""
    if _can_follow(modifiers):
        yield modifiers
        return
    closed = tuple(one if _is_closed(one) else _by_its(one) for one in modifiers[:-1])
    if _can_follow((*closed, modifiers[-1])):
        yield (*closed, modifiers[-1])


def _by_its(modifier: ast.Modifier) -> ast.Modifier:
    match modifier:
        case ast.Away(origin=ast.Phrase("the", None, (), ast.Word(), (ast.Related("of"),)) as origin):
            return replace(modifier, origin=replace(origin, determiner="its", modifiers=()))
        case ast.Related(_, ast.Phrase("the", None, (), ast.Word(), (ast.Related("of"),)) as phrase):
            return replace(modifier, phrase=replace(phrase, determiner="its", modifiers=()))
    return modifier


def _can_follow(modifiers: Sequence[ast.Modifier]) -> bool:
    """Whether modifiers can follow one another."""
    return all(_is_closed(one) for one in modifiers[:-1])


def _is_closed(modifier: ast.Modifier) -> bool:
    """Whether a modifier can be followed by another one that belongs to the same noun."""
    match modifier:
        case ast.Related(_, phrase) | ast.Away(_, _, _, phrase):
            closed = isinstance(phrase, ast.Pronoun) or (
                isinstance(phrase, ast.Phrase) and not phrase.modifiers and phrase.determiner in ("that", "its", "your")
            )
            return closed or phrase is None
        case ast.Whose() | ast.ThatIs() | ast.ThatDoes():
            return False
    return True


def _document_of(condition: ir.Condition, thing: ir.Value) -> int | None:
    """Return the document that a condition asks a thing to be of; None for any other condition."""
    match condition:
        case ir.Bears(of, number) if of == thing:
            return number
        case ir.Compare("==", ir.Attribute("document", of), ir.Const(number, "document")) if of == thing:
            return number
        case ir.Compare("==", of, ir.Const(number, "document")) if of == thing:
            return number
    return None
