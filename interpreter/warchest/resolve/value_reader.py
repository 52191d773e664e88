"""Definite things, the values of phrases such as `the type of the coin` or `your hand`."""

from __future__ import annotations

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.values import (
    NOTHING,
    Attribute,
    Base,
    Bearing,
    Const,
    Distance,
    FieldOf,
    Holder,
    InPiece,
    InZone,
    Latest,
    Parameter,
    PerDocument,
    SheetName,
    SheetNumber,
    Size,
    Sum,
    Value,
)
from warchest.resolve.amounts import as_any, not_one
from warchest.resolve.antecedents import (
    PronounTest,
    antecedent_of,
    antecedent_of_it,
    anything,
    no_antecedent,
    nothing_more,
    understood,
)
from warchest.resolve.model import ATTRIBUTES, BUILT_IN_NOUNS, CarriedDefinition, Use
from warchest.resolve.phrase_nouns import article, base_of, document_named
from warchest.resolve.text_reader import TextReader
from warchest.resolve.trails import asks_for_step, first_step, latest_step, refuse_place, refuse_step_of_owner
from warchest.resolve.types import Flaw, Mention, NobodyIsYou, Scope, Typed, flaw
from warchest.source.text import Span
from warchest.syntax import ast

ONLY_A_FIELD = "only a field is nothing, or becomes nothing: `the … of this is nothing`"
"""Help on `nothing` if it is not the value of a field."""


def read_value(reader: TextReader, node: ast.Expression, scope: Scope, fits: PronounTest = anything) -> Typed:
    """Read a definite phrase, a number or a sum; `fits` narrows the antecedents of `it`."""
    match node:
        case ast.Number(value):
            return Typed(Const(value, "number"), "number", "number")
        case ast.Letter():
            return read_letter(reader, node, scope, "number")
        case ast.Total(signs, terms):
            _refuse_two_sums(terms)
            values = tuple(read_number(reader, term, scope) for term in terms)
            factors = tuple(1 if sign == "+" else -1 for sign in signs)
            return Typed(Sum(factors, values), "number", "number")
        case ast.Pronoun():
            return _pronoun(reader, node, scope, fits)
        case ast.Name(text):
            return Typed(Const(document_named(reader, node), "document"), "document", text)
        case ast.Phrase():
            return _definite(reader, node, scope)
        case ast.Amount(noun):
            message = f"{quoted(node.span.text)} gives an act its {noun.text}, and no act here has any"
            help = f"declare that of the act where it is defined: `to … {noun.text}: …`"
            raise flaw("wrong-kind", message, node.span, help)


def read_letter(reader: TextReader, node: ast.Letter, scope: Scope, use: Use) -> Typed:
    """Read a letter, and record its use in a text, which must be the same everywhere; raises Flaw."""
    letters = reader.model.ruleset.sheets[scope.carrier].parameters if scope.carrier >= 0 else ()
    if node.text not in letters or scope.this is None:
        message = f"nothing fills in {quoted(node.text)} here"
        help = "declare it under `parameters:` of the document that carries the text"
        raise flaw("no-antecedent", message, node.span, help)
    base: Base = "document" if node.text in reader.model.ruleset.sheets[scope.carrier].filled_by else "number"
    if base == "number" and reader.model.uses.setdefault((scope.carrier, node.text), use) != use:
        message = f"{quoted(node.text)} is a number in one place and a bonus in another"
        raise flaw("wrong-kind", message, node.span, help="give the bonus a letter of its own")
    value = Parameter(scope.carrier, letters.index(node.text), scope.this.value, base)
    return Typed(value, base, "type" if base == "document" else "number")


def read_number(reader: TextReader, node: ast.Expression, scope: Scope) -> Value:
    """Read an expression that must be a number."""
    typed = read_value(reader, node, scope, lambda one: one.base == "number")
    if typed.base != "number":
        raise flaw("wrong-kind", f"{quoted(node.span.text)} is {article(typed)}, not a number", node.span)
    return typed.value


def read_of_base(reader: TextReader, node: ast.Expression, scope: Scope, *bases: str) -> Typed:
    """Read an expression that must have one of the types in `bases`."""
    typed = read_value(reader, node, scope, lambda one: one.base in bases)
    if typed.base not in bases:
        wanted = " or ".join(bases)
        message = f"{quoted(node.span.text)} is {article(typed)}, not {with_article(wanted)}"
        raise flaw("wrong-kind", message, node.span)
    return typed


def _pronoun(reader: TextReader, node: ast.Pronoun, scope: Scope, fits: PronounTest = anything) -> Typed:
    if node.word == "nobody":
        return Typed(Const(NOTHING, "player"), "player", "nobody")
    if node.word == "nothing":
        raise flaw("wrong-kind", "`nothing` is no thing of the game", node.span, help=ONLY_A_FIELD)
    if node.word == "you":
        if scope.you is None:
            help = "name the player, or say it of each: `for each player in turn order, it …`"
            raise NobodyIsYou(report("no-antecedent", "there is no `you` here", node.span, help=help))
        return Typed(scope.you, "player", "player")
    if node.word == "it":
        return antecedent_of_it(reader, node, scope, fits)
    if scope.this is None:
        message = "there is nothing here that `this` could be"
        raise flaw("no-antecedent", message, node.span, help="name the thing, as in `that unit`")
    return scope.this


def _definite(reader: TextReader, node: ast.Phrase, scope: Scope) -> Typed:
    if isinstance(node.head, ast.Name):
        return _named(reader, node, node.head, scope)
    noun, rest = node.head.text, node.modifiers
    if node.determiner in ("its", "your"):
        refuse_step_of_owner(reader.model, node, noun)
        nothing_more(node, node.adjectives, rest)
        word = "it" if node.determiner == "its" else "you"
        owner = ast.Pronoun(word, span=node.span)
        return read_attribute(
            reader, noun, _pronoun(reader, owner, scope, _having(reader, noun, node.span, scope)), node.span, scope
        )
    if rest and isinstance(rest[0], ast.Related) and rest[0].preposition == "of":
        if asks_for_step(node):
            of = read_value(reader, rest[0].phrase, scope, lambda one: isinstance(one.value, Latest))
            return first_step(node, noun, of)
        refuse_one_of(reader, node, scope)
        nothing_more(node, node.adjectives, rest[1:])
        if node.determiner != "the" and (noun != "number" or node.determiner):
            known = reader.model.thing(noun)
            several = known is not None and known.base is not None
            help = f"choose it first, and then say `that {noun}`" if several else f"say `the {noun} of …`"
            raise flaw("not-definite", f"{quoted(node.span.text)} does not say which", node.span, help=help)
        if noun == "number":
            return _count(reader, rest[0].phrase, scope)
        target = read_value(reader, rest[0].phrase, scope, _having(reader, noun, node.span, scope))
        return read_attribute(reader, noun, target, node.span, scope)
    if node.determiner in ("the", "that"):
        return read_spoken(reader, noun, node, scope)
    raise flaw(
        "not-definite", f"{quoted(node.span.text)} does not say which", node.span, help=_settled(reader, node, noun)
    )


def refuse_one_of(reader: TextReader, node: ast.NounPhrase, scope: Scope) -> None:
    """Raise Flaw for a singular phrase for one of several things of an owner: `that unit's coin`."""
    if not isinstance(node, ast.Phrase) or node.determiner != "the" or not isinstance(node.head, ast.Word):
        return
    noun, of = node.head.text, node.modifiers[0] if node.modifiers else None
    known = reader.model.thing(noun)
    if known is None or known.base not in ("piece", "token") or not isinstance(of, ast.Related):
        return
    if of.preposition != "of" or noun in (reader.model.fields.keys() | reader.model.named | ATTRIBUTES.keys()):
        return
    whose = of.phrase.span.text
    head = of.phrase.head if isinstance(of.phrase, ast.Phrase) else None
    called = head.text if isinstance(head, ast.Word) else scope.this.noun if scope.this is not None else ""
    in_piece = bool(reader.model.kinds(called))
    place = "of" if known.base == "piece" else "in" if in_piece else "in the … of"
    message = f"{quoted(node.span.text)} does not say which"
    raise flaw("not-definite", message, node.span, help=f"say `{with_article(noun)} {place} {whose}`")


def _settled(reader: TextReader, node: ast.Phrase, noun: str) -> str:
    """Return help on a phrase that can mean several things, where one is needed."""
    known, said = reader.model.thing(noun), node.span.text
    if known is None or known.base is None:
        if noun in reader.model.of_acts.values():
            return f"say `the {noun}`: the one that is under way"
        return "say `the …` or `that …` of something named before"
    if node.count is not None:
        things = node.span.source.text[node.count.span.end : node.span.end].strip()
        many = node.count.low if node.count.letter is None else node.count.letter.text
        return f"to compare how many there are, say `the number of {things} … is at least {many}`"
    if node.determiner in ("each", "all"):
        return "say the act on each: `for each …, …`"
    if node.determiner == "no" or node.determiner == "":
        return f"say which {noun}: `that {noun}` of one that was named before"
    return f"choose it first: `choose {said}`, and then say `that {noun}`"


def _having(reader: TextReader, noun: str, span: Span, scope: Scope) -> PronounTest:
    """Return the test of whether a thing has an attribute."""
    return lambda one: understood(lambda: read_attribute(reader, noun, one, span, scope))


def _named(reader: TextReader, node: ast.Phrase, name: ast.Name, scope: Scope) -> Typed:
    """Read `the Footman`: a piece that was mentioned by its name, or otherwise the document."""
    nothing_more(node, (), node.modifiers)
    if node.determiner in ("all", "each", "another", "no"):
        raise not_one(node, node.span, f"say `the {name.text}`")
    if node.determiner in ("the", "that") and scope.mentions_of(name.text, reader.model.narrows):
        return antecedent_of(reader, name.text, node, scope)
    nothing_more(node, node.adjectives, ())
    if node.determiner == "that":
        raise no_antecedent(reader, name.text, node, scope)
    return Typed(Const(document_named(reader, name), "document"), "document", name.text)


def _count(reader: TextReader, phrase: ast.NounPhrase, scope: Scope) -> Typed:
    if not isinstance(phrase, ast.Phrase):
        raise flaw("wrong-kind", "only things of a kind can be counted", phrase.span)
    if phrase.determiner not in ("", "all"):
        message = f"{quoted(phrase.span.text)} is not several things"
        raise flaw(
            "number-of-things", message, phrase.span, help="name the counted things, as in `the number of units`"
        )
    return Typed(Size(reader.phrases.members(reader, as_any(phrase), scope)), "number", "number")


def read_spoken(reader: TextReader, noun: str, node: ast.Phrase, scope: Scope) -> Typed:
    """Read `the NOUN` without an owner: a thing mentioned before, a constant, or a field of the game."""
    nothing_more(node, (), node.modifiers)
    if noun != "game" and noun not in reader.model.ruleset.singles:
        if scope.mentions_of(noun, reader.model.narrows):
            return antecedent_of(reader, noun, node, scope)
        if node.determiner == "that":
            raise no_antecedent(reader, noun, node, scope)
    nothing_more(node, node.adjectives, ())
    if noun == "game" or noun in reader.model.ruleset.singles:
        return Typed(Const(NOTHING, "flag"), "flag", noun)
    if noun in reader.model.constants:
        return Typed(Const(reader.model.constants[noun], "number"), "number", noun)
    for owner, number in reader.model.fields.get(noun, ()):
        if owner == "game":
            return _field(reader, number, None, noun)
    raise no_antecedent(reader, noun, node, scope)


# ---- attributes of things


def read_attribute(reader: TextReader, noun: str, target: Typed, span: Span, scope: Scope) -> Typed:
    """Read `the NOUN of TARGET`."""
    answers = ATTRIBUTES.get(noun, {})
    if target.base in answers and noun in ("bearing", "distance", "trek"):
        return _way(reader, noun, target, span, scope)
    if target.base in answers:
        what = {"type": "document", "left neighbour": "left", "right neighbour": "right"}.get(noun, noun)
        base = answers[target.base]
        return Typed(Attribute(what, target.value, base), base, noun if base == "document" else base)  # type: ignore[arg-type]
    for owner, number in reader.model.fields.get(noun, ()):
        if owner == target.noun or (target.base != "flag" and base_of(reader, owner) == target.base):
            return _field(reader, number, None if target.base == "flag" else target.value, noun)
    if noun in reader.model.values:
        return _told_value(reader, noun, target, span, scope)
    if noun in reader.model.named and target.base in ("piece", "token", "document"):
        return Typed(SheetName(noun, _document_of(target)), "document", noun)
    if noun in reader.model.numbers & reader.model.printed and target.base in ("piece", "token", "document"):
        return Typed(SheetNumber(noun, _document_of(target)), "number", noun)
    refuse_place(noun, target, span)
    message = f"{article(target)} has no {quoted(noun)}"
    help = _of_act(reader, noun) or _of_zone(reader, noun, span) or _one_instead(reader, noun)
    raise flaw("no-such-attribute", message, span, help or _attributes_of(reader, target))


def owner_said(reader: TextReader, owner: str) -> str:
    """Return help that names the kind of thing, or the act, that an adjective describes."""
    acts = reader.model.of_acts.values()
    return f"that is so of {f'an act: say `the {owner}`' if owner in acts else with_article(owner)}"


def _of_act(reader: TextReader, noun: str) -> str:
    """Return help on an act with values, or a value of an act, with a possessor; otherwise empty."""
    acts = reader.model.of_acts.values()
    if noun in acts:
        return f"the values of an act are those of the one that is under way: say `the {noun}`"
    act = next((one for one, _ in reader.model.fields.get(noun, ()) if one in acts), "")
    return f"it is a value of the act: say `the {noun} of the {act}`" if act else ""


def _of_zone(reader: TextReader, noun: str, span: Span) -> str:
    """Return help on a zone that a text uses like a thing, `your hand is empty`; otherwise empty."""
    zone = reader.model.zones.get(noun)
    if zone is None:
        return ""
    thing, place = reader.model.ruleset.zones[zone].holds, span.one_line
    return f"it is a place: say `{with_article(thing)} is in {place}`, or `no {thing} is in {place}`"


def _one_instead(reader: TextReader, noun: str) -> str:
    """Return help on a player with a possessor: `your opponent`."""
    known = reader.model.thing(noun)
    if known is None or known.base != "player":
        return ""
    return f"say `{with_article(noun)}`, or choose one first: `choose {with_article(noun)}`, and say `that {noun}`"


def _way(reader: TextReader, noun: str, target: Typed, span: Span, scope: Scope) -> Typed:
    """Read the direction or the distance of a thing from the origin of distances."""
    if scope.origin is None:
        raise flaw("no-antecedent", f"{quoted(span.text)} does not say from where", span)
    if noun == "bearing":
        # A thing has no direction from itself: that of the agent is measured from the card.
        near = scope.this if scope.origin.value == target.value and scope.this is not None else scope.origin
        return Typed(Bearing(near.value, target.value), "direction", "direction")
    if noun == "trek" and (scope.origin.base != "piece" or reader.model.ruleset.heading < 0):
        message = f"{quoted(span.text)} does not say who goes, and faces where"
        raise flaw("no-antecedent", message, span, help="say it of a piece, in a game that declares a `heading:`")
    return Typed(Distance(scope.origin.value, target.value, noun == "trek"), "number", "number")


def _attributes_of(reader: TextReader, target: Typed) -> str:
    known = [name for name in ATTRIBUTES if name != "trek" or reader.model.ruleset.heading >= 0]
    names = [name for name in known if target.base in ATTRIBUTES[name]]
    names += [
        name
        for name, owners in reader.model.fields.items()
        for owner, _ in owners
        if base_of(reader, owner) == target.base
    ]
    return f"it has: {', '.join(sorted(set(names)))}" if names else "it has no properties that texts can use"


def _field(reader: TextReader, number: int, of: Value | None, noun: str) -> Typed:
    field = reader.model.ruleset.fields[number]
    base, place = field.steps or field.base, FieldOf(number, of, field.base)
    value = place if field.steps is None else latest_step(reader.model.ruleset.fields, place)
    return Typed(value, base, base if base in BUILT_IN_NOUNS else noun)


def _told_value(reader: TextReader, noun: str, target: Typed, span: Span, scope: Scope) -> Typed:
    if noun in scope.within:
        raise flaw("circular-definition", f"the {noun} is defined by itself", span)
    cases: list[tuple[int, Value]] = []
    spans: list[Span] = []
    usual: Value | None = None
    for told in reader.model.values[noun]:
        inner = _inside(reader, told, target, noun, scope)
        if inner is None:
            continue
        assert isinstance(told.sentence, ast.DefineIs)
        try:
            read = read_number(reader, told.sentence.value, inner)  # type: ignore[arg-type]
        except NobodyIsYou as error:
            raise error.of_reader(noun, told.sentence.span, span) from None
        if told.carrier >= 0:
            cases.append((told.carrier, read))
            spans.append(told.sentence.span)
        else:
            usual = read
    if usual is None:
        raise flaw(
            "no-such-attribute", f"{article(target)} has no {quoted(noun)}", span, help=_attributes_of(reader, target)
        )
    whose = target.value if target.base == "piece" else _document_of(target)
    value = PerDocument(whose, tuple(cases), usual, tuple(spans)) if cases else usual
    return Typed(value, "number", noun)


def _document_of(target: Typed) -> Value:
    return target.value if target.base == "document" else Attribute("document", target.value, "document")


def _inside(reader: TextReader, told: CarriedDefinition, target: Typed, noun: str, scope: Scope) -> Scope | None:
    """Return the scope of a definition applied to `target`, or None if it is about something else."""
    subject = told.sentence.subject
    if isinstance(subject, ast.Phrase) and subject.modifiers and isinstance(subject.modifiers[0], ast.Related):
        subject = subject.modifiers[0].phrase
    if isinstance(subject, ast.Phrase):
        kinds, possible = reader.model.kinds(subject.head.text), reader.model.kinds(target.noun)
        if kinds and possible and set(kinds).isdisjoint(possible):
            return None
    return definition_scope(reader, subject, told.carrier, target, noun, scope)


def definition_scope(
    reader: TextReader, subject: ast.NounPhrase, carrier: int, target: Typed, word: str, scope: Scope
) -> Scope | None:
    """Return the scope in which a definition of `word` applies to `target`, or None if it does not apply.

    Raises Flaw if texts expand into too many definitions.
    """
    reader.unfold(subject, word, scope)
    if isinstance(subject, ast.Pronoun) and subject.word == "this" and carrier >= 0:
        if target.base not in ("document", "piece", "token"):
            return None
        this, spoken = target, Mention(target, ())
    elif isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word):
        name = subject.head.text
        if not _can_be_called(reader, target, name):
            return None
        this, spoken = None, Mention(Typed(target.value, target.base, name), (name,))
    else:
        return None
    within = (*scope.within, word)
    return Scope(scope.variables, this, scope.you, this, carrier, (spoken,), (), (), scope.depth, within)


def _can_be_called(reader: TextReader, target: Typed, name: str) -> bool:
    """Whether a definition about a noun applies to a thing."""
    if name == "game" or name in reader.model.ruleset.singles:
        return target.noun == name
    return target.base == ("document" if name == "type" else base_of(reader, name))


# ---- places of tokens


def read_holders(reader: TextReader, node: ast.NounPhrase, scope: Scope) -> tuple[Holder, ...]:
    """Read the place of tokens: a zone of one player, of any player, or a piece."""
    if isinstance(node, ast.Phrase) and isinstance(node.head, ast.Word):
        noun = node.head.text
        if noun in reader.model.zones:
            return (InZone(reader.model.zones[noun], _whose(reader, node, noun, scope)),)
    typed = read_of_base(reader, node, scope, "piece")
    return (InPiece(typed.value),)


def unclear_whose(node: ast.NounPhrase, noun: str) -> Flaw:
    """Return the Flaw for a zone without an owner."""
    message, help = f"{quoted(node.span.text)} does not say whose", f"say `your {noun}` or `the {noun} of …`"
    return flaw("not-definite", message, node.span, help=help)


def _refuse_whose(node: ast.Phrase, noun: str) -> None:
    """Raise Flaw if the only zone of its kind has a possessor."""
    if node.modifiers:
        message = f"there is only one {noun}, and it has no owner"
        help = f"say what is meant by other words before `in the {noun}`"
        raise flaw("wrong-kind", message, node.modifiers[0].span, help)
    nothing_more(node, node.adjectives, ())
    if node.determiner != "the":
        raise flaw("not-definite", f"there is only one {noun}", node.span, help=f"say `the {noun}`")


def _whose(reader: TextReader, node: ast.Phrase, noun: str, scope: Scope) -> Value | None:
    zone = reader.model.ruleset.zones[reader.model.zones[noun]]
    if zone.of == "game":
        _refuse_whose(node, noun)
        return None
    fits: PronounTest = lambda one: one.base in ("player", zone.of)  # noqa: E731
    of = node.modifiers[0] if node.modifiers else None
    if node.determiner in ("its", "your"):
        nothing_more(node, node.adjectives, node.modifiers)
        word = "it" if node.determiner == "its" else "you"
        typed = _pronoun(reader, ast.Pronoun(word, span=node.span), scope, fits)
    elif isinstance(of, ast.Related) and of.preposition == "of":
        nothing_more(node, node.adjectives, node.modifiers[1:])
        if node.determiner != "the":
            raise flaw(
                "not-definite", f"{quoted(node.span.text)} does not say whose", node.span, help=f"say `the {noun} of …`"
            )
        typed = read_value(reader, of.phrase, scope, fits)
    elif node.determiner in ("a", "an", "any", ""):
        nothing_more(node, node.adjectives, node.modifiers)
        return None
    else:
        raise unclear_whose(node, noun)
    if zone.of == "team" and typed.base == "player":
        return Attribute("team", typed.value, "team")
    if typed.base != zone.of:
        message = f"{with_article(noun)} belongs to {with_article(zone.of)}, and this is {article(typed)}"
        whom = of.phrase.span.text if isinstance(of, ast.Related) else "it"
        help = f"say `the {noun} of the owner of {whom}`" if typed.base == "piece" else ""
        raise flaw("wrong-kind", message, node.span, help=help)
    return typed.value


def _refuse_two_sums(terms: tuple[ast.Expression, ...]) -> None:
    """Raise Flaw for a term that could also be added within a relative clause: `units whose height is 2 + 1`."""
    for term in terms[:-1]:
        last: object = term
        while isinstance(last, ast.Phrase) and last.modifiers:
            last = getattr(last.modifiers[-1], "phrase", last.modifiers[-1])
        if isinstance(last, ast.Whose | ast.ThatIs | ast.ThatDoes):
            message = f"the addition could belong to {quoted(last.span.text)}"
            raise flaw("not-definite", message, last.span, help="put the number first: `1 + the number of … whose …`")
