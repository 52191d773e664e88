"""Indefinite phrases: the set of all things that fit, and the conditions of fitting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from pathlib import PurePath
from typing import Literal

from warchest.diagnostics.articles import article as article_of
from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.values import (
    SET_VARIABLES,
    All,
    AllSpaces,
    Any,
    Apart,
    Attribute,
    Base,
    Bears,
    Compare,
    Condition,
    Const,
    Distance,
    Everyone,
    Everywhere,
    Exists,
    FieldOf,
    HeldIn,
    Holder,
    InZone,
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
    Var,
)
from warchest.resolve.amounts import as_any, not_one, only_one, reach_of
from warchest.resolve.antecedents import understood
from warchest.resolve.model import ORDINALS, CarriedDefinition, Thing
from warchest.resolve.types import ITSELF, Mention, NobodyIsYou, Scope, Typed, flaw
from warchest.resolve.value_reader import ValueReader, article, is_indefinite
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import SIGHT

_NAMED = 3
"""The most verbs of a game that a help names."""
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
_HELP_WITH = {
    "new": "new things come by `put a new … into …`",
    SIGHT: "say `in a straight line through …`; a game declares by `sight:` through which spaces one can see",
    "other": "it stands before the noun, behind `each`, `any`, `no` or a number: `each other …`",
    **dict.fromkeys(ORDINALS, "it tells apart what was spoken of before: `the first …`"),
}
"""Adjectives that are no conditions on a thing, each with the words to write instead."""


def _by_chance(noun: str) -> str:
    """Return help for a random thing that a noun and its modifiers describe."""
    that = noun.split(" ", 1)[0]
    return f"chance chooses by an order of its own: `choose a random {noun}`, and then it is `that {that}`"


@record()
class Reach:
    """The distances at which a phrase puts its things, from where, and whether in a line or a direction."""

    low: int
    high: int
    origin: Value
    straight: bool
    direction: Value | None
    part: ast.Modifier | ast.Word


@record()
class Defined:
    """A definition as said of a thing: the things it is about, and the condition.

    `around` is the piece of a card that says it of other things, and None where nothing of the kind is asked for.
    """

    scope: Scope = field(compare=False, repr=False)
    about: tuple[Condition, ...]
    condition: Condition | None
    around: Var | None


class SetReader(ValueReader):
    """Reads indefinite phrases."""

    everywhere = False
    """Whether tokens may be spoken of wherever they are."""

    def condition(self, node: ast.Proposition, scope: Scope) -> Condition:
        """Read a condition."""
        raise NotImplementedError

    def is_so(self, thing: Typed, value: ast.ValuePhrase, scope: Scope, span: Span) -> Condition:
        """Read the value that is said of a thing after `is`."""
        raise NotImplementedError

    def does(self, clause: ast.ThatDoes, thing: Typed, scope: Scope) -> Condition:
        """Read a relative clause about what a thing is doing."""
        raise NotImplementedError

    def noun_of_set(self, phrase: ast.Expression, among: Set) -> str:
        """Return the noun of a phrase for a set."""
        is_open = isinstance(phrase, ast.Phrase) and is_indefinite(phrase)
        return self.thing_of(phrase).name if is_open else among.var.noun  # type: ignore[arg-type]

    def mentioned(self, phrase: ast.Expression, thing: Typed, role: str = "") -> Mention:
        """Return that a phrase has spoken of a thing; it can be taken up by the noun of the role it fills, too."""
        if thing.base == "number":
            return Mention(thing, (role,), told=False, span=phrase.span)
        called, adjectives = [role] if role else [], list[str]()
        if isinstance(phrase, ast.Phrase):
            adjectives = [word.text for word in phrase.adjectives]
            called[:0] = [phrase.head.text] if isinstance(phrase.head, ast.Word) else [thing.noun, phrase.head.text]
        return Mention(thing, tuple(dict.fromkeys(called)), tuple(adjectives), span=phrase.span)

    def leaves_open(self, node: ast.Expression, scope: Scope) -> bool:
        """Whether a phrase means any thing that fits; `the Footman` does unless one was spoken of."""
        if not is_indefinite(node):
            return False
        named = isinstance(node, ast.Phrase) and isinstance(node.head, ast.Name) and node.determiner == "the"
        return not named or not scope.mentions_of(node.head.text, self.model.narrows)  # type: ignore[union-attr]

    # ---- the set

    def members(self, phrase: ast.Phrase, scope: Scope, extra: tuple[ast.Modifier, ...] = ()) -> Set:
        """Read an indefinite phrase, with further modifiers, as the set of all things that fit it."""
        only_one(phrase)
        phrase = replace(phrase, modifiers=(*phrase.modifiers, *extra))
        thing = self.thing_of(phrase)
        assert thing.base is not None
        var, inner = scope.member(thing.base, thing.name, phrase.span)
        members, settled = self._members(phrase, thing, scope)
        # A noun for several kinds has no meaning by itself but the one that texts give it.
        several = len(thing.kinds) > 1 and not thing.parent
        member = Typed(var, thing.base, "" if several else self.widest(thing).name)
        filters = self._fits(phrase, member, inner, settled)
        return Set(var, members, tuple(filters), phrase.span)

    def thing_of(self, phrase: ast.Phrase) -> Thing:
        """Return the noun a phrase is about; a printed name means the pieces of that document."""
        if isinstance(phrase.head, ast.Name):
            sheet = self.model.ruleset.sheets[self._document(phrase.head)]
            in_zone = any(isinstance(mod, ast.Related) and mod.preposition == "in" for mod in phrase.modifiers)
            called = [thing for thing in self.model.things.values() if sheet.kind in thing.sheets]
            for thing in called:
                if (thing.base == "token") == in_zone:
                    return thing
            if called and self.everywhere:
                return called[0]
            raise flaw("wrong-kind", f"{quoted(phrase.head.text)} cannot be on the board", phrase.head.span)
        known = self.model.thing(phrase.head.text)
        if known is None or known.base is None:
            is_act = phrase.head.text in self.model.of_acts.values()
            raise flaw(
                "wrong-kind",
                f"{quoted(phrase.head.text)} is not a kind of thing",
                phrase.head.span,
                help=f"say `the {phrase.head.text}` of the one that is under way" if is_act else "",
            )
        return known

    def widest(self, thing: Thing) -> Thing:
        """Return the noun that a noun narrows in the end, which may be itself."""
        while thing.parent:
            parent = self.model.thing(thing.parent)
            assert parent is not None
            thing = parent
        return thing

    def _members(self, phrase: ast.Phrase, thing: Thing, scope: Scope) -> tuple[Members, tuple[object, ...]]:
        """Return the place to look for members, and the parts of the phrase that are settled by that."""
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
            if not held and self.everywhere:
                return Everywhere(thing.name), ()
            if not held:
                by_chance = any(word.text == "random" for word in phrase.adjectives)
                help = f"say `{with_article(thing.name)} in …`" if not by_chance else _by_chance(f"{thing.name} in …")
                raise flaw("not-definite", f"{quoted(phrase.span.text)} does not say where", phrase.span, help=help)
            holders = self.holders(held[0].phrase, scope)
            self._refuse_elsewhere(thing.name, holders, held[0])
            return Tokens(holders), (held[0],)
        if thing.base in ("player", "team", "direction"):
            return Everyone(thing.base), ()
        raise flaw("wrong-kind", f"one cannot choose {with_article(thing.name)}", phrase.span)

    def noun_of_document(self, document: int, base: Base) -> str:
        """Return the noun for pieces or tokens that are of a document; empty where there are none."""
        kind = self.model.ruleset.sheets[document].kind
        fitting = (one.name for one in self.model.things.values() if one.base == base and kind in one.sheets)
        return next(fitting, "")

    def _refuse_elsewhere(self, noun: str, holders: Sequence[Holder], part: ast.Modifier) -> None:
        """Raise Flaw where tokens of another kind lie in a zone, or are in a piece, than a phrase says."""
        for holder in holders:
            if isinstance(holder, InZone):
                zone = self.model.ruleset.zones[holder.zone]
                if zone.holds != noun:
                    raise flaw(
                        "wrong-kind", f"no {noun} lies in the {zone.name}", part.span, help=f"say `{zone.holds}`"
                    )
            elif isinstance(holder.piece, Var):
                kinds = [self.model.ruleset.kinds[kind] for kind in self.model.kinds(holder.piece.noun)]
                if kinds and all(kind.holds != noun for kind in kinds):
                    message = f"{with_article(kinds[0].name)} is not made of {with_article(noun)}"
                    raise flaw("wrong-kind", message, part.span, help=f"say `{kinds[0].holds}`")

    # ---- distances

    def _reach(self, phrase: ast.Phrase, scope: Scope) -> Reach | None:
        """Return the distances at which the phrase puts its things, if it measures from a single thing."""
        lines = [mod for mod in phrase.modifiers if self._is_line(mod)]
        if len(lines) > 1:
            raise flaw(
                "says-nothing",
                f"{quoted(lines[1].span.text)} says again in which line that is",
                lines[1].span,
                help="leave out one of the two",
            )
        straight = bool(lines)
        if not straight:
            for word in phrase.adjectives:
                if word.text == "adjacent":
                    return Reach(1, 1, self._origin(None, word.span, scope), False, None, word)
        direction = self._direction(phrase, scope)
        for mod in phrase.modifiers:
            far = reach_of(mod) if isinstance(mod, ast.Away) else None
            if isinstance(mod, ast.Away) and far is not None:
                origin = self._start(mod, scope)
                self._refuse_other_start(phrase, origin, scope)
                return Reach(*far, origin, straight, direction, mod)
            if isinstance(mod, ast.Related) and mod.preposition == "adjacent to" and not is_indefinite(mod.phrase):
                near = self.of_base(mod.phrase, scope, "space", "piece").value
                self._refuse_other_start(phrase, near, scope)
                return Reach(1, 1, near, straight, direction, mod)
        return None

    def _direction(self, phrase: ast.Phrase, scope: Scope) -> Value | None:
        for mod in phrase.modifiers:
            if self._is_heading(mod):
                assert isinstance(mod, ast.Related)
                return self.of_base(mod.phrase, scope, "direction").value
            if isinstance(mod, ast.InDirection) and mod.of_line:
                return self._line(mod, scope)[1]
            if isinstance(mod, ast.InDirection):
                head = ast.Word("direction", span=mod.span)
                that = ast.Phrase("that", None, (), head, (), span=mod.span)
                return self._spoken("direction", that, scope).value
        return None

    def _line(self, mod: ast.InDirection, scope: Scope) -> tuple[Value, Value]:
        """Return the beginning of the straight line in which one thing was chosen, and its direction; raises Flaw."""
        found = {one.thing.value: one.line for one in scope.mentions if one.line is not None}
        if not found:
            message = f"nothing was chosen in a straight line before {quoted(mod.span.text)}"
            help = "choose something in one first: `choose a … 1-3 spaces away in a straight line`"
            raise flaw("no-antecedent", message, mod.span, help=help)
        if len(found) > 1:
            raise flaw(
                "ambiguous-it",
                f"{quoted(mod.span.text)} could be that of {len(found)} things",
                mod.span,
                help="say of which: `in the bearing of that …`",
            )
        (line,) = found.values()
        return line

    def _refuse_other_start(self, phrase: ast.Phrase, start: Value, scope: Scope) -> None:
        """Raise Flaw where `in that line` is said of places that are counted from elsewhere than the line begins."""
        for mod in phrase.modifiers:
            if isinstance(mod, ast.InDirection) and mod.of_line and self._line(mod, scope)[0] != start:
                help = "say how far from where the line begins: `exactly 1 space away in that line`"
                message = f"{quoted(mod.span.text)} could lead from there to either side"
                raise flaw("ambiguous-it", message, mod.span, help=help)

    def _is_line(self, mod: ast.Modifier) -> bool:
        return isinstance(mod, ast.InLine | ast.InDirection) or self._is_heading(mod)

    def _is_heading(self, mod: ast.Modifier) -> bool:
        """Whether a modifier says in which direction a space is: `in its facing`."""
        if not isinstance(mod, ast.Related) or mod.preposition != "in":
            return False
        noun = _noun_of(mod.phrase)
        return noun not in self.model.lists and noun not in self.model.zones

    def _start(self, mod: ast.Away, scope: Scope) -> Value:
        """Return the thing from which a distance is counted; raises Flaw where one on a card could be two."""
        start = self._origin(mod.origin, mod.span, scope)
        is_this = scope.origin is not None and scope.origin.noun == ITSELF
        if mod.bare and scope.this is not None and start != scope.this.value and not is_this:
            said = mod.span.text
            raise flaw(
                "ambiguous-it",
                f"{quoted(said)} could be counted from this, or from who acts",
                mod.span,
                help=f"say `{said} of this`, or `{said} away` from who acts",
            )
        return start

    def _origin(self, node: ast.NounPhrase | None, span: Span, scope: Scope) -> Value:
        if node is not None:
            return self.of_base(node, scope, "space", "piece").value
        if scope.origin is None or scope.origin.base not in ("space", "piece"):
            far_from = "this" if scope.this is not None else "…"
            said = "adjacent to" if span.text == "adjacent" else f"{span.text.removesuffix(' away')} of"
            raise flaw(
                "no-antecedent", f"{quoted(span.text)} does not say from where", span, help=f"say `{said} {far_from}`"
            )
        return scope.origin.value

    # ---- the conditions of fitting

    def fits(self, phrase: ast.Phrase, thing: Typed, scope: Scope) -> list[Condition]:
        """Read a phrase as conditions on a thing."""
        only_one(phrase, among_rules=True)
        return self._fits(phrase, thing, scope, ())

    def _fits(self, phrase: ast.Phrase, thing: Typed, scope: Scope, settled: tuple[object, ...]) -> list[Condition]:
        found: list[Condition] = []
        if isinstance(phrase.head, ast.Name):
            found.append(self._is_document(thing, self._document(phrase.head), phrase.head.span))
        else:
            found.extend(self.is_called(phrase.head, thing, scope))
            thing = replace(thing, noun=phrase.head.text)
        scope = replace(scope, side=None) if scope.side is not None else scope
        others = [word for word in phrase.adjectives if word.text == "other"]
        if len(others) > (phrase.determiner != "another"):
            raise flaw(
                "says-nothing",
                f"{quoted(others[-1].text)} says once more that another one is meant",
                others[-1].span,
                help="leave it out",
            )
        if phrase.determiner == "another" or others:
            found.append(self._another(phrase, thing, scope))
            settled = (*settled, *others)
        reach = self._reach(phrase, scope) if thing.base in ("space", "piece") else None
        if reach is not None and reach.part not in settled:
            found.append(
                Apart(
                    reach.low, reach.high, reach.origin, thing.value, reach.straight, reach.direction, reach.part.span
                )
            )
            settled = (*settled, reach.part, *(mod for mod in phrase.modifiers if self._is_line(mod)))
        for word in phrase.adjectives:
            if word not in settled:
                found.append(self.adjective(word, thing, scope))
        for mod in phrase.modifiers:
            if mod not in settled:
                found.append(self.modifier(mod, thing, scope, reach))
        return found

    def another(self, thing: Typed, scope: Scope, span: Span) -> Condition | None:
        """Return the condition of `another` on a thing; None where there is nothing that it could leave out.

        It leaves out `this`, and in an order to another piece that one, too; in texts that no card carries it leaves
        out the piece that acts. Another space is one without the piece that acts. Things that the text has had chosen
        before by the same noun are left out as well.
        """
        left_out = [*self._acting(thing, scope), *(one.value for one in self._chosen_before(thing, scope))]
        found = [Compare("!=", thing.value, value, span) for value in dict.fromkeys(left_out)]
        return found[0] if len(found) == 1 else All(tuple(found), span) if found else None

    def _acting(self, thing: Typed, scope: Scope) -> list[Value]:
        """Return the carrier of a text or the piece that acts, and the piece ordered to act, if of the right base."""
        if thing.base == "space":
            who = next((one for one in (scope.origin, scope.this) if one is not None and one.base == "piece"), None)
            return [Attribute("space", who.value, "space")] if who is not None else []
        ones = (scope.this, scope.origin) if scope.carrier >= 0 else (scope.origin, scope.this)
        first = next((one for one in ones if one is not None and one.base == thing.base), None)
        if first is None:
            return []
        return [one.value for one in (first, scope.ordered) if one is not None and one.base == thing.base]

    def _chosen_before(self, thing: Typed, scope: Scope) -> list[Typed]:
        """Return the things that a text has had chosen, or whose turn it is, and of whose kind another one could be.

        Tokens are not told apart.
        """
        first, named, kinds = scope.variables.first, scope.variables.named, set(self.model.kinds(thing.noun))
        return [
            one.thing
            for one in scope.mentions
            if isinstance(one.thing.value, Var)
            and first <= one.thing.value.id < SET_VARIABLES
            and one.thing.value.id not in named
            and one.thing.value != thing.value
            and one.thing.base == thing.base != "token"
            and not (kinds and (its := self.model.kinds(one.thing.noun)) and kinds.isdisjoint(its))
        ]

    def _another(self, phrase: ast.Phrase, thing: Typed, scope: Scope) -> Condition:
        found = self.another(thing, scope, phrase.span)
        if found is None:
            raise flaw(
                "no-antecedent",
                f"{quoted(phrase.span.text)} does not say another than what",
                phrase.span,
                help="say `a …`, or leave out by a condition which one is not meant",
            )
        return found

    def _is_document(self, thing: Typed, number: int, span: Span) -> Condition:
        if thing.base == "document":
            return Compare("==", thing.value, Const(number, "document"), span)
        if thing.base not in ("piece", "token"):
            raise flaw("wrong-kind", f"{article(thing)} is never {quoted(span.text)}", span)
        if thing.base == "piece" and self.model.ruleset.sheets[number].kind in self.model.bearers:
            return Bears(thing.value, number, span)
        return Compare("==", Attribute("document", thing.value, "document"), Const(number, "document"), span)

    def is_called(self, head: ast.Word, thing: Typed, scope: Scope) -> list[Condition]:
        """Return the conditions under which this noun fits the thing; none if it always does."""
        if scope.side is not None:
            scope = replace(scope, you=scope.side[1] if scope.side[0] == head.text else scope.you, side=None)
        known = self.model.thing(head.text)
        if known is None or known.base != thing.base or self._apart(known, thing.noun):
            message = f"{article(thing)} is never {article_of(head.text)} {quoted(head.text)}"
            raise flaw("wrong-kind", message, head.span)
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

    def _apart(self, known: Thing, noun: str) -> bool:
        """Whether nothing is both: tokens of documents of other kinds."""
        other = self.model.thing(noun)
        sheets = set(other.sheets) if other is not None and other.base == "token" else set()
        return bool(sheets and known.sheets and sheets.isdisjoint(known.sheets))

    def _of_kind(self, noun: str, thing: Typed, span: Span) -> list[Condition]:
        """Return the condition that a piece is of a kind that a noun means; none if it always is."""
        wanted, possible = self.model.kinds(noun), self.model.kinds(thing.noun)
        if not wanted or (possible and set(possible) <= set(wanted)):
            return []
        return [KindIs(thing.value, wanted, span)]

    def _told(self, told: list[CarriedDefinition], word: str, thing: Typed, span: Span, scope: Scope) -> Condition:
        """Return the condition of a word defined by texts: some definition says so, and none says it does not."""
        if word in scope.within:
            raise flaw("circular-definition", f"{quoted(word)} is defined by itself", span)
        yes: list[Condition] = []
        no: list[Condition] = []
        for one in told:
            assert isinstance(one.sentence, ast.DefineIs)
            try:
                said = self._said(one.sentence, one.carrier, thing, word, scope)
            except NobodyIsYou as error:
                raise error.of_reader(word, one.sentence.span, span) from None
            if said is not None:
                (no if one.sentence.negated else yes).append(said)
        for other, one in self._opposed(word, scope) if yes else ():
            assert isinstance(one.sentence, ast.DefineIs)
            said = None if one.sentence.negated else self._said(one.sentence, one.carrier, thing, other, scope)
            no += [said] if said is not None else []
        if not yes:
            raise flaw("wrong-kind", f"{quoted(word)} is not said of {article(thing)}", span)
        holds: Condition = yes[0] if len(yes) == 1 else Any(tuple(yes), span)
        if not no:
            return holds
        return All((holds, *(Not(condition, span) for condition in no)), span)

    def _can_be(self, subject: ast.NounPhrase, thing: Typed) -> bool:
        """Whether a piece can be of a kind that a definition is about."""
        wanted, possible = self.model.kinds(_noun_of(subject)), self.model.kinds(thing.noun)
        return not wanted or not possible or not set(wanted).isdisjoint(possible)

    def _said(self, sentence: ast.DefineIs, carrier: int, thing: Typed, word: str, scope: Scope) -> Condition | None:
        """Return the condition for a definition to say its word of a thing; None where it is about other things."""
        said = self.defined(sentence, carrier, thing, word, scope)
        if said is None:
            return None
        span, this = sentence.span, said.scope.this
        found = [*said.about, *([said.condition] if said.condition is not None else [])]
        if said.around is not None:
            assert this is not None
            kinds = self.model.kinds(this.noun)
            filters = (self._is_document(this, carrier, span), *found)
            return Exists(Set(said.around, Pieces(kinds), filters, span), span)
        if carrier >= 0:
            found.insert(0, self._is_document(thing, carrier, span))
        return found[0] if len(found) == 1 else All(tuple(found), span)

    def defined(self, sentence: ast.DefineIs, carrier: int, thing: Typed, word: str, scope: Scope) -> Defined | None:
        """Read a definition as said of a thing; None where it is about other things.

        `a target is an enemy unit` says by its value which things it is about, all others by their subject.
        """
        about = sentence.subject
        if isinstance(sentence.value, ast.Phrase) and sentence.condition is None:
            about = sentence.value
        there = self.defined_scope(about, carrier, thing, word, scope)
        if there is None or not self._can_be(about, thing):
            return None
        inner, around = there
        conditions = self.about(about, thing, inner)
        condition = self.condition(sentence.condition, inner) if sentence.condition is not None else None
        return Defined(inner, tuple(conditions), condition, around)

    def defined_scope(
        self, about: ast.NounPhrase, carrier: int, thing: Typed, word: str, scope: Scope
    ) -> tuple[Scope, Var | None] | None:
        """Return the scope of a definition; a card speaks of other things only while a piece of it is there."""
        inner = self.definition_scope(about, carrier, thing, word, scope)
        if inner is None or carrier < 0 or isinstance(about, ast.Pronoun):
            return (inner, None) if inner is not None else None
        noun = next(
            (
                one.name
                for one in self.model.things.values()
                if one.base == "piece" and one.kinds and not one.parent and self._carries(one, carrier)
            ),
            "",
        )
        if not noun:
            raise flaw(
                "not-a-definition",
                "no piece carries this text, so that it says nothing of other things",
                about.span,
                help="say it in a document of the game's own rules",
            )
        var, inner = inner.member("piece", noun, about.span)
        this = Typed(var, "piece", noun)
        return replace(inner, this=this, origin=this, you=Attribute("decider", var, "player")), var

    def _carries(self, thing: Thing, carrier: int) -> bool:
        """Whether pieces called by a noun can be of a document, or bear it."""
        kind = self.model.ruleset.sheets[carrier].kind
        return not {kind, *self.model.bearers.get(kind, ())}.isdisjoint(thing.sheets)

    def adjective(self, word: ast.Word, thing: Typed, scope: Scope) -> Condition:
        """Read an adjective said of a thing."""
        if word.text in _HELP_WITH or word.text == "random":
            help = _HELP_WITH.get(word.text) or _by_chance(f"{thing.noun} …")
            raise flaw("says-nothing", f"{quoted(word.text)} says nothing here", word.span, help=help)
        if word.text == "adjacent":
            self._refuse_nowhere(thing, word.span)
            return Apart(1, 1, self._origin(None, word.span, scope), thing.value, False, None, word.span)
        if word.text in self.model.flags:
            owner, number, value = self.model.flags[word.text]
            if owner == thing.noun or self._base_of(owner) == thing.base:
                of = None if thing.base == "flag" else thing.value
                return Compare("==", FieldOf(number, of, "flag"), Const(value, "flag"), word.span)
        told = self.model.adjectives.get(word.text, [])
        if not told:
            raise flaw(
                "undefined-word",
                f"no text says what {quoted(word.text)} means",
                word.span,
                help=f"define it: `a … is {word.text} when …`",
            )
        return self._told(told, word.text, thing, word.span, scope)

    def _opposed(self, word: str, scope: Scope) -> Iterator[tuple[str, CarriedDefinition]]:
        """Yield the definitions by which cards and packs call things the opposite of a word.

        The words themselves are defined where they are declared to be opposites. Within one of them, the word
        itself is read without them.
        """
        for other, folders in self.model.opposites.get(word, {}).items():
            for one in self.model.adjectives.get(other, ()) if other not in scope.within else ():
                path = PurePath(one.sentence.span.path)
                if one.carrier >= 0 or not any(path.is_relative_to(folder) for folder in folders):
                    yield other, one

    def modifier(self, mod: ast.Modifier, thing: Typed, scope: Scope, reach: Reach | None) -> Condition:
        """Read a modifier of a noun as a condition on the thing."""
        match mod:
            case ast.Related("through", phrase):
                return self._through(phrase, thing, scope, reach, mod.span)
            case ast.Related(preposition, phrase):
                return self._related(preposition, phrase, thing, scope, mod.span)
            case ast.RelativeClause(who, verb):
                return self.related_by(verb, who, thing, scope, mod.span)
            case ast.Away():
                return self._away(mod, thing, scope)
            case ast.InDirection(False) if thing.base in ("space", "piece"):
                that = ast.Phrase("that", None, (), ast.Word("direction", span=mod.span), (), span=mod.span)
                return self._related("in", that, thing, scope, mod.span)
            case ast.Whose(noun, negated, value):
                return self._whose_is(noun, negated, value, thing, scope, mod.span)
            case ast.ComesFirst():
                raise flaw(
                    "syntax-error",
                    f"{quoted(mod.who.span.text)} comes first of several players only",
                    mod.span,
                    help="say `each player, beginning with your …, may …`",
                )
            case ast.ThatIs(negated, value):
                found = self.is_so(thing, value, scope, mod.span)
                return Not(found, mod.span) if negated else found
            case ast.ThatDoes():
                return self.does(mod, thing, scope)
        raise flaw(
            "not-definite",
            f"{quoted(mod.span.text)} needs a distance beside it",
            mod.span,
            help="say how far: `exactly 2 spaces away in a straight line`",
        )

    def _away(self, mod: ast.Away, thing: Typed, scope: Scope) -> Condition:
        """Read the distance of a thing, where that says nothing of where to look for it."""
        self._refuse_nowhere(thing, mod.span)
        start, far = self._start(mod, scope), reach_of(mod)
        if far is not None:
            return Apart(*far, start, thing.value, False, None, mod.span)
        assert isinstance(mod.count, ast.Letter)
        limit, distance = self.letter(mod.count, scope, "number"), Distance(start, thing.value, False)
        if limit.base != "number":
            raise flaw("wrong-kind", f"{quoted(mod.count.text)} is {article(limit)}, not a number", mod.count.span)
        if mod.limit == "exactly":
            return Compare("==", distance, limit.value, mod.span)
        elsewhere = Compare(">=", distance, Const(1, "number"), mod.span)
        return All((elsewhere, Compare("<=", distance, limit.value, mod.span)), mod.span)

    def _whose_is(
        self, noun: ast.Word, negated: bool, value: ast.ValuePhrase, thing: Typed, scope: Scope, span: Span
    ) -> Condition:
        """Read a relative clause about an attribute of a thing: `whose height is at least 2`."""
        found = self.is_so(self.apply(noun.text, thing, noun.span, scope), value, scope, span)
        return Not(found, span) if negated else found

    def _through(
        self, phrase: ast.NounPhrase, thing: Typed, scope: Scope, reach: Reach | None, span: Span
    ) -> Condition:
        if reach is None or not isinstance(phrase, ast.Phrase):
            raise flaw(
                "not-definite",
                f"{quoted(span.text)} needs a distance beside it",
                span,
                help="say how far: `exactly 2 spaces away through an open space`",
            )
        if phrase.determiner in ("all", "each", "no"):
            raise flaw(
                "number-of-things",
                f"no way leads through {quoted(phrase.span.text)}",
                span,
                help=self._through_such(phrase),
            )
        between, inner = scope.member("space", "space", span)
        fits = self.fits(as_any(phrase), Typed(between, "space", "space"), inner)
        if not fits:
            raise flaw(
                "says-nothing",
                f"{quoted(span.text)} is always so: spaces lie between",
                span,
                help="say which spaces, as in `through empty spaces`, or leave it out",
            )
        return Passable(
            reach.low,
            reach.high,
            reach.origin,
            thing.value,
            reach.straight,
            between,
            All(tuple(fits), phrase.span),
            span,
        )

    def _through_such(self, phrase: ast.Phrase) -> str:
        """Return help on a way through all spaces of a kind, or through none."""
        if phrase.determiner == "no":
            return "say what the spaces between are: `through … spaces`"
        spaces = self.model.vocabulary.form("PLURAL", phrase.head.text)
        said = " ".join((*(one.text for one in phrase.adjectives), spaces))
        return f"say `through {said}`" if not phrase.modifiers else "say `through … spaces`, of which each is so"

    def _related(self, preposition: str, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        there = ast.Related(preposition, phrase, span=span)
        if thing.base in ("space", "piece") and self._is_direction(there, scope):
            leads = self.of_base(phrase, scope, "direction").value
            return Compare("==", self.apply("bearing", thing, span, scope).value, leads, span)
        if preposition == "in" and thing.base == "space":
            return self._listed(phrase, thing, scope, span)
        if preposition == "in":
            holders = self.holders(phrase, scope)
            if thing.base != "token":
                raise flaw("wrong-kind", f"{article(thing)} is never in {quoted(phrase.span.text)}", span)
            self._refuse_elsewhere(thing.noun, holders, ast.Related(preposition, phrase, span=span))
            return HeldIn(thing.value, holders, span)
        if preposition == "occupied by":
            return self._occupied(phrase, thing, scope, span)
        if preposition in ("with", "without"):
            found = self._with(phrase, thing, scope, span)
            return Not(found, span) if preposition == "without" else found
        if self.leaves_open(phrase, scope):
            assert isinstance(phrase, ast.Phrase)
            return self._to_some(preposition, phrase, thing, scope, span)
        return self.to_one(preposition, self.value(phrase, scope), thing, span)

    def _occupied(self, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        """Read that a piece is on a space; several of them are meant of several spaces, one on each."""
        if thing.base != "space":
            raise flaw(
                "wrong-kind",
                f"{article(thing)} is never {quoted(span.text)}, only a space is",
                span,
                help="say it of the space: `a space occupied by …`",
            )
        if isinstance(phrase, ast.Name):
            raise flaw(
                "number-of-things",
                f"{quoted(phrase.text)} does not say which one",
                phrase.span,
                help=f"say `{with_article(phrase.text)}`",
            )
        return self._with(as_any(phrase) if isinstance(phrase, ast.Phrase) else phrase, thing, scope, span)

    def _is_direction(self, mod: ast.Modifier, scope: Scope) -> bool:
        """Whether a place is told by a direction: `in that direction`."""
        if not isinstance(mod, ast.Related) or not self._is_heading(mod) or is_indefinite(mod.phrase):
            return False
        return understood(lambda: self.of_base(mod.phrase, scope, "direction"))

    def leads_there(self, mod: ast.Modifier, thing: Thing, scope: Scope) -> bool:
        """Whether a place of things on the board is told by a direction."""
        return thing.base in ("space", "piece") and self._is_direction(mod, scope)

    def somewhere(self, node: ast.Somewhere, thing: Typed, scope: Scope) -> Condition:
        """Read that a thing is so far away in a direction or in a line."""
        self._refuse_nowhere(thing, node.span)
        known = self.model.thing(thing.noun)
        if known is None or known.base != thing.base:
            space = thing.value if thing.base == "space" else Attribute("space", thing.value, "space")
            thing = Typed(space, "space", "space")
        head = ast.Word(thing.noun, span=node.span)
        found = self.fits(ast.Phrase("a", None, (), head, node.modifiers, span=node.span), thing, scope)
        return found[0] if len(found) == 1 else All(tuple(found), node.span)

    def _with(self, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        """Read that a thing bears a document, or that a piece is on a space."""
        if isinstance(phrase, ast.Name):
            number = self._document(phrase)
            if self.model.ruleset.sheets[number].kind not in self.model.bearers:
                raise flaw(
                    "wrong-kind",
                    f"nothing bears {quoted(phrase.text)}",
                    phrase.span,
                    help=f"say `of {phrase.text}`, or `{phrase.text}` alone for what is of it",
                )
            return self._is_document(thing, number, span)
        if not is_indefinite(phrase):
            return self.to_one("on", thing, self.of_base(phrase, scope, "piece"), span)
        assert isinstance(phrase, ast.Phrase)
        some = self.members(phrase, scope.about(thing))
        if some.var.base == "token":
            noun = _noun_of(phrase)
            raise flaw(
                "wrong-kind",
                f"{quoted(span.text.split()[0])} says what is on a space, and {with_article(noun)} is not on any",
                span,
                help=self._of_token(phrase, noun),
            )
        there = self.to_one("on", thing, Typed(some.var, some.var.base, some.var.noun), span)
        return Exists(replace(some, filters=(*some.filters, there)), span)

    def _of_token(self, phrase: ast.Phrase, noun: str) -> str:
        """Return help on a token said behind `with`: something is done with it first, or an act takes it."""
        verbs = self.model.ruleset.verbs
        taking = [verb.name for verb in verbs for role in verb.roles if (role.word, role.base) == ("using", "token")]
        done = [
            verb.name
            for verb in verbs
            if verb.by == "player" and verb.roles and (verb.roles[0].word, verb.roles[0].noun) == ("", noun)
        ]
        said = phrase.span.one_line
        first = f"say first what is done with it{_such_as(done)}, and join the act by `, then`: `… {said}, then …`"
        return f"{first}; an act that takes it{_such_as(taking)} has it behind `using`" if taking else first

    def _listed(self, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        """Read `a space in the plan of that card`: it stands in a list on a document."""
        key = _noun_of(phrase)
        if key not in self.model.lists:
            raise flaw("wrong-kind", f"{article(thing)} is never in {quoted(phrase.span.text)}", span)
        assert isinstance(phrase, ast.Phrase)
        first = phrase.modifiers[0] if phrase.modifiers else None
        of = first.phrase if isinstance(first, ast.Related) and first.preposition == "of" else None
        self.nothing_more(phrase, phrase.adjectives, phrase.modifiers[0 if of is None else 1 :])
        if of is None and phrase.determiner == "its":
            of = ast.Pronoun("it", span=phrase.span)
        if of is None or phrase.determiner not in ("the", "its"):
            raise flaw(
                "not-definite", f"{quoted(phrase.span.text)} does not say of what", span, help=f"say `the {key} of …`"
            )
        whose = self.of_base(of, scope, "token", "piece", "document")
        document = whose.value if whose.base == "document" else Attribute("document", whose.value, "document")
        return Listed(key, document, thing.value, span)

    def _to_some(self, preposition: str, phrase: ast.Phrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        some = self.members(phrase, scope)
        inner = self.to_one(preposition, Typed(some.var, some.var.base, some.var.noun), thing, span)
        return Exists(replace(some, filters=(inner, *some.filters)), span)

    def to_one(self, preposition: str, other: Typed, thing: Typed, span: Span) -> Condition:
        """Read the place of a thing, by another one: `adjacent to` it, `on` it, `of` it; raises Flaw."""
        if preposition == "adjacent to" and other.base in ("space", "piece"):
            self._refuse_nowhere(thing, span)
            return Apart(1, 1, other.value, thing.value, False, None, span)
        if preposition == "adjacent to" and other.base == thing.base == "direction":
            beside = [Attribute(side, other.value, "direction") for side in _SIDES]
            return Any(tuple(Compare("==", thing.value, one, span) for one in beside), span)
        if preposition == "on" and thing.base == "piece" and other.base == "space":
            return Compare("==", Attribute("space", thing.value, "space"), other.value, span)
        if preposition == "of" and other.base == "document" and thing.base in ("piece", "token"):
            return Compare("==", Attribute("document", thing.value, "document"), other.value, span)
        if preposition == "of" and other.base == "player" and thing.base == "piece":
            return Compare("==", Attribute("owner", thing.value, "player"), other.value, span)
        raise flaw("wrong-kind", f"{article(thing)} is never {quoted(preposition)} {article(other)}", span)

    def _refuse_nowhere(self, thing: Typed, span: Span) -> None:
        """Raise Flaw for a place that is told of something without one."""
        if thing.base not in ("space", "piece"):
            raise flaw("wrong-kind", f"{article(thing)} is never {quoted(span.text)}", span)

    def relation(self, verb: ast.Word, subject: Typed, thing: Typed, scope: Scope) -> Condition:
        """Read a verb said as a fact, such as `you control` of a location."""
        if verb.text in scope.within:
            raise flaw("circular-definition", f"{quoted(verb.text)} is defined by itself", verb.span)
        found: list[Condition] = []
        for told in self.model.relations.get(verb.text, ()):
            sentence = told.sentence
            assert isinstance(sentence, ast.DefineHolds)
            wanted = sentence.arguments.object
            both = self.fact_scope(sentence.subject, wanted, told.carrier, subject, thing, verb.text, scope)
            if both is not None and wanted is not None:
                try:
                    parts = [
                        *self.about(sentence.subject, subject, both),
                        *self.about(wanted, thing, both),
                        self.condition(sentence.condition, both),
                    ]
                except NobodyIsYou as error:
                    raise error.of_reader(verb.text, sentence.span, verb.span) from None
                found.append(parts[0] if len(parts) == 1 else All(tuple(parts), sentence.span))
        if not found:
            raise flaw(
                "undefined-word",
                f"no text says when {article(subject)} {quoted(verb.text)}s {article(thing)}",
                verb.span,
                help=f"define it: `a … {verb.text}s a … when …`",
            )
        return found[0] if len(found) == 1 else Any(tuple(found), verb.span)

    def related_by(self, verb: ast.Word, who: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
        """Read a fact: a verb said of somebody, or of any of some, and a thing."""
        if verb.text in self.model.verbs and verb.text not in self.model.relations:
            done = f"{who.span.one_line} {verb.span.text} that {thing.noun}"
            raise flaw(
                "undefined-word",
                f"{quoted(verb.span.text)} is an act, not a fact",
                verb.span,
                help=f"put the act last, as a condition: `… while {done}`",
            )
        if not isinstance(who, ast.Phrase) or not is_indefinite(who):
            return self.relation(verb, self.value(who, scope), thing, scope)
        if who.determiner in ("each", "all"):
            raise not_one(who, who.span, "say `a …` of any of them")
        some = self.members(as_any(who), scope)
        member = Typed(some.var, some.var.base, some.var.noun)
        does = self.relation(verb, member, thing, replace(scope, depth=scope.depth + 1))
        found = Exists(replace(some, filters=(*some.filters, does)), span)
        return Not(found, span) if who.determiner == "no" else found

    def fact_scope(
        self,
        subject: ast.NounPhrase,
        wanted: ast.NounPhrase | None,
        carrier: int,
        first: Typed,
        second: Typed,
        verb: str,
        scope: Scope,
    ) -> Scope | None:
        """Return the scope in which a verb is said of two things as a fact; None where it is about others."""
        inner = self.definition_scope(subject, carrier, first, verb, scope)
        if inner is None or not isinstance(wanted, ast.Phrase):
            return None
        other = self.definition_scope(wanted, carrier, second, verb, scope)
        return inner.mentioning(*other.mentions) if other is not None else None

    def about(self, phrase: ast.NounPhrase, thing: Typed, scope: Scope) -> list[Condition]:
        """Return the conditions of a phrase at the head of a definition on the thing it is about."""
        if not isinstance(phrase, ast.Phrase):
            return []
        if thing.base == "flag":
            self.nothing_more(phrase, phrase.adjectives, phrase.modifiers)
            return []
        return self.fits(phrase, thing, scope)


def _such_as(verbs: Sequence[str]) -> str:
    """Return some of the verbs of a game in brackets; empty if there are none."""
    names = list(dict.fromkeys(verbs))[:_NAMED]
    return f" ({', '.join(f'`{one}`' for one in names)})" if names else ""


def _noun_of(node: ast.NounPhrase) -> str:
    return node.head.text if isinstance(node, ast.Phrase) and isinstance(node.head, ast.Word) else ""
