"""Definite things, for which phrases such as `the type of the coin` or `your hand` stand."""

from __future__ import annotations

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.values import (
    NOTHING,
    Attribute,
    Base,
    Bearing,
    Condition,
    Const,
    Distance,
    FieldOf,
    Holder,
    InPiece,
    InZone,
    Latest,
    Parameter,
    PerDocument,
    Set,
    SheetName,
    SheetNumber,
    Size,
    Sum,
    Value,
)
from warchest.resolve.amounts import as_any, not_one
from warchest.resolve.antecedents import Antecedents, PronounTest, anything, understood
from warchest.resolve.model import ATTRIBUTES, BUILT_IN_NOUNS, CarriedDefinition, Use
from warchest.resolve.trails import asks_for_step, first_step, latest_step, refuse_place, refuse_step_of_owner
from warchest.resolve.types import Mention, NobodyIsYou, Scope, Typed, flaw
from warchest.source.text import Span
from warchest.syntax import ast

ONLY_A_FIELD = "only a field is nothing, or becomes nothing: `the … of this is nothing`"
"""Help on `nothing` where it is not said of a field."""
INDEFINITE = ("a", "an", "any", "no", "each", "all", "another", "")


def is_indefinite(node: ast.Expression | ast.ValuePhrase) -> bool:
    """Whether a phrase leaves open which of several things it means."""
    if not isinstance(node, ast.Phrase):
        return False
    if node.determiner == "" and isinstance(node.head, ast.Word) and node.head.text == "number":
        return False
    return node.determiner in INDEFINITE or (isinstance(node.head, ast.Name) and node.determiner == "the")


class ValueReader(Antecedents):
    """Reads definite phrases; the reading of sets and conditions builds on it."""

    def members(self, phrase: ast.Phrase, scope: Scope) -> Set:
        """Read an indefinite phrase as the set of all things that fit it."""
        raise NotImplementedError

    def fits(self, phrase: ast.Phrase, thing: Typed, scope: Scope) -> list[Condition]:
        """Read a phrase as conditions on a thing."""
        raise NotImplementedError

    def value(self, node: ast.Expression, scope: Scope, fits: PronounTest = anything) -> Typed:
        """Read a definite phrase, a number or a sum; `fits` narrows the antecedents of `it`."""
        match node:
            case ast.Number(value):
                return Typed(Const(value, "number"), "number", "number")
            case ast.Letter():
                return self.letter(node, scope, "number")
            case ast.Total(signs, terms):
                _refuse_two_sums(terms)
                values = tuple(self.number(term, scope) for term in terms)
                factors = tuple(1 if sign == "+" else -1 for sign in signs)
                return Typed(Sum(factors, values), "number", "number")
            case ast.Pronoun():
                return self._pronoun(node, scope, fits)
            case ast.Name(text):
                return Typed(Const(self._document(node), "document"), "document", text)
            case ast.Phrase():
                return self._definite(node, scope)
            case ast.Amount(noun):
                said = f"{quoted(node.span.text)} gives an act its {noun.text}, and no act here has any"
                raise flaw(
                    "wrong-kind",
                    said,
                    node.span,
                    help=f"declare that of the act where it is defined: `to … {noun.text}: …`",
                )

    def letter(self, node: ast.Letter, scope: Scope, use: Use) -> Typed:
        """Read a letter, and take note of its use in a text; a letter for a document is one everywhere."""
        letters = self.model.ruleset.sheets[scope.carrier].parameters if scope.carrier >= 0 else ()
        if node.text not in letters or scope.this is None:
            raise flaw(
                "no-antecedent",
                f"nothing fills in {quoted(node.text)} here",
                node.span,
                help="declare it under `parameters:` of the document that carries the text",
            )
        base: Base = "document" if node.text in self.model.ruleset.sheets[scope.carrier].filled_by else "number"
        if base == "number" and self.model.uses.setdefault((scope.carrier, node.text), use) != use:
            raise flaw(
                "wrong-kind",
                f"{quoted(node.text)} is a number in one place and a bonus in another",
                node.span,
                help="give the bonus a letter of its own",
            )
        value = Parameter(scope.carrier, letters.index(node.text), scope.this.value, base)
        return Typed(value, base, "type" if base == "document" else "number")

    def number(self, node: ast.Expression, scope: Scope) -> Value:
        """Read something that must be a number."""
        typed = self.value(node, scope, lambda one: one.base == "number")
        if typed.base != "number":
            raise flaw("wrong-kind", f"{quoted(node.span.text)} is {article(typed)}, not a number", node.span)
        return typed.value

    def of_base(self, node: ast.Expression, scope: Scope, *bases: str) -> Typed:
        """Read something that must be of one of `bases`."""
        typed = self.value(node, scope, lambda one: one.base in bases)
        if typed.base not in bases:
            wanted = " or ".join(bases)
            message = f"{quoted(node.span.text)} is {article(typed)}, not {with_article(wanted)}"
            raise flaw("wrong-kind", message, node.span)
        return typed

    def _document(self, name: ast.Name) -> int:
        number = self.model.ruleset.sheet_number(name.text)
        self.named.add(name.text)
        assert number >= 0, "names are in the vocabulary only because there is such a document"
        return number

    def _pronoun(self, node: ast.Pronoun, scope: Scope, fits: PronounTest = anything) -> Typed:
        if node.word == "nobody":
            return Typed(Const(NOTHING, "player"), "player", "nobody")
        if node.word == "nothing":
            raise flaw("wrong-kind", "`nothing` is no thing of the game", node.span, help=ONLY_A_FIELD)
        if node.word == "you":
            if scope.you is None:
                help = "name the player, or say it of each: `for each player in turn order, it …`"
                raise NobodyIsYou(report("no-antecedent", "nobody is `you` here", node.span, help=help))
            return Typed(scope.you, "player", "player")
        if node.word == "it":
            return self.it(node, scope, fits)
        if scope.this is None:
            raise flaw(
                "no-antecedent",
                "there is nothing here that `this` could be",
                node.span,
                help="name the thing, as in `that unit`",
            )
        return scope.this

    def _definite(self, node: ast.Phrase, scope: Scope) -> Typed:
        if isinstance(node.head, ast.Name):
            return self._named(node, node.head, scope)
        noun, rest = node.head.text, node.modifiers
        if node.determiner in ("its", "your"):
            refuse_step_of_owner(self.model, node, noun)
            self.nothing_more(node, node.adjectives, rest)
            word = "it" if node.determiner == "its" else "you"
            owner = ast.Pronoun(word, span=node.span)
            return self.apply(noun, self._pronoun(owner, scope, self._having(noun, node.span, scope)), node.span, scope)
        if rest and isinstance(rest[0], ast.Related) and rest[0].preposition == "of":
            if asks_for_step(node):
                of = self.value(rest[0].phrase, scope, lambda one: isinstance(one.value, Latest))
                return first_step(node, noun, of)
            self.refuse_one_of(node, scope)
            self.nothing_more(node, node.adjectives, rest[1:])
            if node.determiner != "the" and (noun != "number" or node.determiner):
                known = self.model.thing(noun)
                several = known is not None and known.base is not None
                help = f"choose it first, and then say `that {noun}`" if several else f"say `the {noun} of …`"
                raise flaw("not-definite", f"{quoted(node.span.text)} does not say which", node.span, help=help)
            if noun == "number":
                return self._count(rest[0].phrase, scope)
            target = self.value(rest[0].phrase, scope, self._having(noun, node.span, scope))
            return self.apply(noun, target, node.span, scope)
        if node.determiner in ("the", "that"):
            return self._spoken(noun, node, scope)
        raise flaw(
            "not-definite", f"{quoted(node.span.text)} does not say which", node.span, help=self._settled(node, noun)
        )

    def refuse_one_of(self, node: ast.NounPhrase, scope: Scope) -> None:
        """Raise Flaw for one of several things that somebody or something has: `that unit's coin`."""
        if not isinstance(node, ast.Phrase) or node.determiner != "the" or not isinstance(node.head, ast.Word):
            return
        noun, of = node.head.text, node.modifiers[0] if node.modifiers else None
        known = self.model.thing(noun)
        if known is None or known.base not in ("piece", "token") or not isinstance(of, ast.Related):
            return
        if of.preposition != "of" or noun in (self.model.fields.keys() | self.model.named | ATTRIBUTES.keys()):
            return
        whose = of.phrase.span.text
        head = of.phrase.head if isinstance(of.phrase, ast.Phrase) else None
        called = head.text if isinstance(head, ast.Word) else scope.this.noun if scope.this is not None else ""
        in_piece = bool(self.model.kinds(called))
        place = "of" if known.base == "piece" else "in" if in_piece else "in the … of"
        raise flaw(
            "not-definite",
            f"{quoted(node.span.text)} does not say which",
            node.span,
            help=f"say `{with_article(noun)} {place} {whose}`",
        )

    def _settled(self, node: ast.Phrase, noun: str) -> str:
        """Return help on a phrase that leaves open which thing it means, where one is needed."""
        known, said = self.model.thing(noun), node.span.text
        if known is None or known.base is None:
            if noun in self.model.of_acts.values():
                return f"say `the {noun}`: the one that is under way"
            return "say `the …` or `that …` of something named before"
        if node.count is not None:
            things = node.span.source.text[node.count.span.end : node.span.end].strip()
            many = node.count.low if node.count.letter is None else node.count.letter.text
            return f"to compare how many there are, say `the number of {things} … is at least {many}`"
        if node.determiner in ("each", "all"):
            return "say what is done with each: `for each …, …`"
        if node.determiner == "no" or node.determiner == "":
            return f"say which {noun}: `that {noun}` of one that was named before"
        return f"choose it first: `choose {said}`, and then say `that {noun}`"

    def _having(self, noun: str, span: Span, scope: Scope) -> PronounTest:
        """Return the test whether a thing has an attribute."""
        return lambda one: understood(lambda: self.apply(noun, one, span, scope))

    def _named(self, node: ast.Phrase, name: ast.Name, scope: Scope) -> Typed:
        """Read `the Footman`: one that was spoken of by its name, or else the document."""
        self.nothing_more(node, (), node.modifiers)
        if node.determiner in ("all", "each", "another", "no"):
            raise not_one(node, node.span, f"say `the {name.text}`")
        if node.determiner in ("the", "that") and scope.mentions_of(name.text, self.model.narrows):
            return self.antecedent(name.text, node, scope)
        self.nothing_more(node, node.adjectives, ())
        if node.determiner == "that":
            raise self.no_antecedent(name.text, node, scope)
        return Typed(Const(self._document(name), "document"), "document", name.text)

    def _count(self, phrase: ast.NounPhrase, scope: Scope) -> Typed:
        if not isinstance(phrase, ast.Phrase):
            raise flaw("wrong-kind", "only things of a kind can be counted", phrase.span)
        if phrase.determiner not in ("", "all"):
            raise flaw(
                "number-of-things",
                f"{quoted(phrase.span.text)} is not several things",
                phrase.span,
                help="say how many of what, as in `the number of units`",
            )
        return Typed(Size(self.members(as_any(phrase), scope)), "number", "number")

    def _spoken(self, noun: str, node: ast.Phrase, scope: Scope) -> Typed:
        self.nothing_more(node, (), node.modifiers)
        if noun != "game" and noun not in self.model.ruleset.singles:
            if scope.mentions_of(noun, self.model.narrows):
                return self.antecedent(noun, node, scope)
            if node.determiner == "that":
                raise self.no_antecedent(noun, node, scope)
        self.nothing_more(node, node.adjectives, ())
        if noun == "game" or noun in self.model.ruleset.singles:
            return Typed(Const(NOTHING, "flag"), "flag", noun)
        if noun in self.model.constants:
            return Typed(Const(self.model.constants[noun], "number"), "number", noun)
        for owner, number in self.model.fields.get(noun, ()):
            if owner == "game":
                return self._field(number, None, noun)
        raise self.no_antecedent(noun, node, scope)

    # ---- attributes of things

    def apply(self, noun: str, target: Typed, span: Span, scope: Scope) -> Typed:
        """Read `the NOUN of TARGET`."""
        answers = ATTRIBUTES.get(noun, {})
        if target.base in answers and noun in ("bearing", "distance", "trek"):
            return self._way(noun, target, span, scope)
        if target.base in answers:
            what = {"type": "document", "left neighbour": "left", "right neighbour": "right"}.get(noun, noun)
            base = answers[target.base]
            return Typed(Attribute(what, target.value, base), base, noun if base == "document" else base)  # type: ignore[arg-type]
        for owner, number in self.model.fields.get(noun, ()):
            if owner == target.noun or (target.base != "flag" and self._base_of(owner) == target.base):
                return self._field(number, None if target.base == "flag" else target.value, noun)
        if noun in self.model.values:
            return self._told_value(noun, target, span, scope)
        if noun in self.model.named and target.base in ("piece", "token", "document"):
            return Typed(SheetName(noun, self._document_of(target)), "document", noun)
        if noun in self.model.numbers & self.model.printed and target.base in ("piece", "token", "document"):
            return Typed(SheetNumber(noun, self._document_of(target)), "number", noun)
        refuse_place(noun, target, span)
        raise flaw(
            "no-such-attribute",
            f"{article(target)} has no {quoted(noun)}",
            span,
            help=self._of_act(noun) or self._one_instead(noun) or self._attributes_of(target),
        )

    def owner_said(self, owner: str) -> str:
        """Return help that names the kind of thing, or the act, that an adjective describes."""
        acts = self.model.of_acts.values()
        return f"that is so of {f'an act: say `the {owner}`' if owner in acts else with_article(owner)}"

    def _of_act(self, noun: str) -> str:
        """Return help on an act with values, or a value of an act, that is said to be somebody's; empty elsewhere."""
        acts = self.model.of_acts.values()
        if noun in acts:
            return f"the values of an act are those of the one that is under way: say `the {noun}`"
        act = next((one for one, _ in self.model.fields.get(noun, ()) if one in acts), "")
        return f"it is a value of the act: say `the {noun} of the {act}`" if act else ""

    def _one_instead(self, noun: str) -> str:
        """Return help on a player who is said to be somebody's: `your opponent`."""
        known = self.model.thing(noun)
        if known is None or known.base != "player":
            return ""
        return f"say `{with_article(noun)}`, or choose one first: `choose {with_article(noun)}`, and say `that {noun}`"

    def _way(self, noun: str, target: Typed, span: Span, scope: Scope) -> Typed:
        """Read the direction or the distance of something from where distances are measured."""
        if scope.origin is None:
            raise flaw("no-antecedent", f"{quoted(span.text)} does not say from where", span)
        if noun == "bearing":
            # Nothing is seen from itself: where it is said of who acts, it is seen from the card.
            near = scope.this if scope.origin.value == target.value and scope.this is not None else scope.origin
            return Typed(Bearing(near.value, target.value), "direction", "direction")
        if noun == "trek" and (scope.origin.base != "piece" or self.model.ruleset.heading < 0):
            raise flaw(
                "no-antecedent",
                f"{quoted(span.text)} does not say who goes, and faces where",
                span,
                help="say it of a piece, in a game that declares a `heading:`",
            )
        return Typed(Distance(scope.origin.value, target.value, noun == "trek"), "number", "number")

    def _attributes_of(self, target: Typed) -> str:
        names = [name for name, bases in ATTRIBUTES.items() if target.base in bases]
        names += [
            name
            for name, owners in self.model.fields.items()
            for owner, _ in owners
            if self._base_of(owner) == target.base
        ]
        return f"it has: {', '.join(sorted(set(names)))}" if names else "it has nothing that texts can ask for"

    def _base_of(self, noun: str) -> str:
        thing = self.model.thing(noun)
        return (thing.base or "") if thing else ""

    def _field(self, number: int, of: Value | None, noun: str) -> Typed:
        field = self.model.ruleset.fields[number]
        base, place = field.steps or field.base, FieldOf(number, of, field.base)
        value = place if field.steps is None else latest_step(self.model.ruleset.fields, place)
        return Typed(value, base, base if base in BUILT_IN_NOUNS else noun)

    def _told_value(self, noun: str, target: Typed, span: Span, scope: Scope) -> Typed:
        if noun in scope.within:
            raise flaw("circular-definition", f"the {noun} is defined by itself", span)
        cases: list[tuple[int, Value]] = []
        spans: list[Span] = []
        usual: Value | None = None
        for told in self.model.values[noun]:
            inner = self._inside(told, target, noun, scope)
            if inner is None:
                continue
            assert isinstance(told.sentence, ast.DefineIs)
            try:
                read = self.number(told.sentence.value, inner)  # type: ignore[arg-type]
            except NobodyIsYou as error:
                raise error.of_reader(noun, told.sentence.span, span) from None
            if told.carrier >= 0:
                cases.append((told.carrier, read))
                spans.append(told.sentence.span)
            else:
                usual = read
        if usual is None:
            raise flaw(
                "no-such-attribute", f"{article(target)} has no {quoted(noun)}", span, help=self._attributes_of(target)
            )
        whose = target.value if target.base == "piece" else self._document_of(target)
        value = PerDocument(whose, tuple(cases), usual, tuple(spans)) if cases else usual
        return Typed(value, "number", noun)

    def _document_of(self, target: Typed) -> Value:
        return target.value if target.base == "document" else Attribute("document", target.value, "document")

    def _inside(self, told: CarriedDefinition, target: Typed, noun: str, scope: Scope) -> Scope | None:
        """Return the scope of a definition said of `target`, or None if it is about something else."""
        subject = told.sentence.subject
        if isinstance(subject, ast.Phrase) and subject.modifiers and isinstance(subject.modifiers[0], ast.Related):
            subject = subject.modifiers[0].phrase
        if isinstance(subject, ast.Phrase):
            kinds, possible = self.model.kinds(subject.head.text), self.model.kinds(target.noun)
            if kinds and possible and set(kinds).isdisjoint(possible):
                return None
        return self.definition_scope(subject, told.carrier, target, noun, scope)

    def definition_scope(
        self, subject: ast.NounPhrase, carrier: int, target: Typed, word: str, scope: Scope
    ) -> Scope | None:
        """Return the scope in which a definition of `word` speaks of `target`, or None if it does not."""
        if isinstance(subject, ast.Pronoun) and subject.word == "this" and carrier >= 0:
            if target.base not in ("document", "piece", "token"):
                return None
            this, spoken = target, Mention(target, ())
        elif isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word):
            name = subject.head.text
            if not self._can_be_called(target, name):
                return None
            this, spoken = None, Mention(Typed(target.value, target.base, name), (name,))
        else:
            return None
        within = (*scope.within, word)
        return Scope(scope.variables, this, scope.you, this, carrier, (spoken,), (), (), scope.depth, within)

    def _can_be_called(self, target: Typed, name: str) -> bool:
        """Whether a definition that speaks of a noun is about a thing."""
        if name == "game" or name in self.model.ruleset.singles:
            return target.noun == name
        return target.base == ("document" if name == "type" else self._base_of(name))

    # ---- places of tokens

    def holders(self, node: ast.NounPhrase, scope: Scope) -> tuple[Holder, ...]:
        """Read the place where tokens are or go: a zone of somebody, of anybody, or a piece."""
        if isinstance(node, ast.Phrase) and isinstance(node.head, ast.Word):
            noun = node.head.text
            if noun in self.model.zones:
                return (InZone(self.model.zones[noun], self._whose(node, noun, scope)),)
        typed = self.of_base(node, scope, "piece")
        return (InPiece(typed.value),)

    def _whose(self, node: ast.Phrase, noun: str, scope: Scope) -> Value | None:
        zone = self.model.ruleset.zones[self.model.zones[noun]]
        if zone.of == "game":
            if node.modifiers:
                raise flaw(
                    "wrong-kind",
                    f"there is only one {noun}, and it is nobody's",
                    node.modifiers[0].span,
                    help=f"say what is meant by other words before `in the {noun}`",
                )
            self.nothing_more(node, node.adjectives, ())
            if node.determiner != "the":
                raise flaw("not-definite", f"there is only one {noun}", node.span, help=f"say `the {noun}`")
            return None
        fits: PronounTest = lambda one: one.base in ("player", zone.of)  # noqa: E731
        of = node.modifiers[0] if node.modifiers else None
        if node.determiner in ("its", "your"):
            self.nothing_more(node, node.adjectives, node.modifiers)
            word = "it" if node.determiner == "its" else "you"
            typed = self._pronoun(ast.Pronoun(word, span=node.span), scope, fits)
        elif isinstance(of, ast.Related) and of.preposition == "of":
            self.nothing_more(node, node.adjectives, node.modifiers[1:])
            if node.determiner != "the":
                raise flaw(
                    "not-definite",
                    f"{quoted(node.span.text)} does not say whose",
                    node.span,
                    help=f"say `the {noun} of …`",
                )
            typed = self.value(of.phrase, scope, fits)
        elif node.determiner in ("a", "an", "any", ""):
            self.nothing_more(node, node.adjectives, node.modifiers)
            return None
        else:
            raise flaw(
                "not-definite",
                f"{quoted(node.span.text)} does not say whose",
                node.span,
                help=f"say `your {noun}` or `the {noun} of …`",
            )
        if zone.of == "team" and typed.base == "player":
            return Attribute("team", typed.value, "team")
        if typed.base != zone.of:
            message = f"{with_article(noun)} belongs to {with_article(zone.of)}, and this is {article(typed)}"
            whom = of.phrase.span.text if isinstance(of, ast.Related) else "it"
            help = f"say `the {noun} of the owner of {whom}`" if typed.base == "piece" else ""
            raise flaw("wrong-kind", message, node.span, help=help)
        return typed.value


def article(typed: Typed) -> str:
    """Return the sort of a value, for a message: `a space`, `an event`."""
    noun = typed.noun or typed.base
    return with_article(noun)


def _refuse_two_sums(terms: tuple[ast.Expression, ...]) -> None:
    """Raise Flaw for a term that could be added within a relative clause, too: `units whose height is 2 + 1`."""
    for term in terms[:-1]:
        last: object = term
        while isinstance(last, ast.Phrase) and last.modifiers:
            last = getattr(last.modifiers[-1], "phrase", last.modifiers[-1])
        if isinstance(last, ast.Whose | ast.ThatIs | ast.ThatDoes):
            raise flaw(
                "not-definite",
                f"what is added could belong to {quoted(last.span.text)}",
                last.span,
                help="put the number first: `1 + the number of … whose …`",
            )
