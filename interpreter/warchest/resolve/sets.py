"""Indefinite phrases: the set of all things that fit, and the conditions for fitting."""

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
    Bears,
    Compare,
    Condition,
    Const,
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
from warchest.resolve.amounts import as_any, not_one, only_one
from warchest.resolve.antecedents import nothing_more
from warchest.resolve.distance_phrases import (
    Reach,
    beside_said,
    is_direction,
    is_line,
    reach_said,
    read_away,
    refuse_nowhere,
)
from warchest.resolve.model import ORDINALS, CarriedDefinition, Thing
from warchest.resolve.phrase_nouns import (
    article,
    base_of,
    document_named,
    is_indefinite,
    leaves_open,
    noun_of,
    thing_of,
    widest_noun,
)
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import NobodyIsYou, Scope, Typed, flaw
from warchest.resolve.value_reader import definition_scope, read_attribute, read_holders, read_of_base, read_value
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import SIGHT

_NAMED = 3
"""The most verbs of a game that a help names."""
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")

_HELP_WITH = {
    "new": "make new things by `put a new … into …`",
    SIGHT: "say `in a straight line through …`; a game declares by `sight:` through which spaces one can see",
    "other": "say it before the noun, after `each`, `any`, `no` or a number: `each other …`",
    **dict.fromkeys(ORDINALS, "it distinguishes things named before: `the first …`"),
}
"""Adjectives that are not conditions on a thing, each with the words to write instead."""


def _by_chance(noun: str) -> str:
    """Return help for a random thing that a noun and its modifiers describe."""
    that = noun.split(" ", 1)[0]
    return f"chance chooses by an order of its own: `choose a random {noun}`, and then it is `that {that}`"


@record()
class Defined:
    """A definition applied to a thing: the things it is about, and the condition.

    `around` is the piece of a card that defines it for other things; None for other definitions.
    """

    scope: Scope = field(compare=False, repr=False)
    about: tuple[Condition, ...]
    condition: Condition | None
    around: Var | None


# ---- the set


def read_members(reader: TextReader, phrase: ast.Phrase, scope: Scope, extra: tuple[ast.Modifier, ...] = ()) -> Set:
    """Read an indefinite phrase, with further modifiers, as the set of all things that fit it."""
    only_one(phrase)
    phrase = replace(phrase, modifiers=(*phrase.modifiers, *extra))
    thing = thing_of(reader, phrase)
    assert thing.base is not None
    var, inner = scope.member(thing.base, thing.name, phrase.span)
    members, settled = _members(reader, phrase, thing, scope)
    # A noun for several kinds has only the meaning that texts give it.
    several = len(thing.kinds) > 1 and not thing.parent
    member = Typed(var, thing.base, "" if several else widest_noun(reader, thing).name)
    filters = _fits(reader, phrase, member, inner, settled)
    return Set(var, members, tuple(filters), phrase.span)


def _members(reader: TextReader, phrase: ast.Phrase, thing: Thing, scope: Scope) -> tuple[Members, tuple[object, ...]]:
    """Return the place in which to search for members, and the parts of the phrase that this settles."""
    if thing.base == "space":
        reach = reach_said(reader, phrase, scope)
        if reach is None:
            return AllSpaces(), ()
        if reach.straight:
            lines = tuple(mod for mod in phrase.modifiers if is_line(reader, mod))
            return Ray(reach.low, reach.high, reach.origin, reach.direction), (reach.part, *lines)
        return Ring(reach.low, reach.high, reach.origin), (reach.part,)
    if thing.base == "piece":
        return Pieces(thing.kinds), ()
    if thing.base == "token":
        held = [mod for mod in phrase.modifiers if isinstance(mod, ast.Related) and mod.preposition == "in"]
        if not held and reader.everywhere:
            return Everywhere(thing.name), ()
        if not held:
            by_chance = any(word.text == "random" for word in phrase.adjectives)
            help = f"say `{with_article(thing.name)} in …`" if not by_chance else _by_chance(f"{thing.name} in …")
            raise flaw("not-definite", f"{quoted(phrase.span.text)} does not say where", phrase.span, help=help)
        holders = read_holders(reader, held[0].phrase, scope)
        _refuse_elsewhere(reader, thing.name, holders, held[0])
        return Tokens(holders), (held[0],)
    if thing.base in ("player", "team", "direction"):
        return Everyone(thing.base), ()
    raise flaw("wrong-kind", f"one cannot choose {with_article(thing.name)}", phrase.span)


def _refuse_elsewhere(reader: TextReader, noun: str, holders: Sequence[Holder], part: ast.Modifier) -> None:
    """Raise Flaw if the tokens in a zone or a piece are of another kind than in a phrase."""
    for holder in holders:
        if isinstance(holder, InZone):
            zone = reader.model.ruleset.zones[holder.zone]
            if zone.holds != noun:
                raise flaw("wrong-kind", f"no {noun} lies in the {zone.name}", part.span, help=f"say `{zone.holds}`")
        elif isinstance(holder.piece, Var):
            kinds = [reader.model.ruleset.kinds[kind] for kind in reader.model.kinds(holder.piece.noun)]
            if kinds and all(kind.holds != noun for kind in kinds):
                message = f"{with_article(kinds[0].name)} is not made of {with_article(noun)}"
                raise flaw("wrong-kind", message, part.span, help=f"say `{kinds[0].holds}`")


# ---- distances


# ---- the conditions of fitting


def read_fits(reader: TextReader, phrase: ast.Phrase, thing: Typed, scope: Scope) -> list[Condition]:
    """Read a phrase as conditions on a thing."""
    only_one(phrase, among_rules=True)
    return _fits(reader, phrase, thing, scope, ())


def _fits(
    reader: TextReader, phrase: ast.Phrase, thing: Typed, scope: Scope, settled: tuple[object, ...]
) -> list[Condition]:
    found: list[Condition] = []
    if isinstance(phrase.head, ast.Name):
        found.append(_is_document(reader, thing, document_named(reader, phrase.head), phrase.head.span))
    else:
        found.extend(read_called(reader, phrase.head, thing, scope))
        thing = replace(thing, noun=phrase.head.text)
    scope = replace(scope, side=None) if scope.side is not None else scope
    others = [word for word in phrase.adjectives if word.text == "other"]
    if len(others) > (phrase.determiner != "another"):
        message = f"{quoted(others[-1].text)} says once more that another one is meant"
        raise flaw("says-nothing", message, others[-1].span, help="leave it out")
    if phrase.determiner == "another" or others:
        found.append(_another(reader, phrase, thing, scope))
        settled = (*settled, *others)
    reach = reach_said(reader, phrase, scope) if thing.base in ("space", "piece") else None
    if reach is not None and reach.part not in settled:
        found.append(
            Apart(reach.low, reach.high, reach.origin, thing.value, reach.straight, reach.direction, reach.part.span)
        )
        settled = (*settled, reach.part, *(mod for mod in phrase.modifiers if is_line(reader, mod)))
    for word in phrase.adjectives:
        if word not in settled:
            found.append(read_adjective(reader, word, thing, scope))
    for mod in phrase.modifiers:
        if mod not in settled:
            found.append(read_modifier(reader, mod, thing, scope, reach))
    return found


def read_another(reader: TextReader, thing: Typed, scope: Scope, span: Span) -> Condition | None:
    """Return the condition of `another` on a thing; None if it could not exclude anything.

    It excludes `this` and, in an order to another piece, that piece; in texts that no card carries it excludes the
    piece that acts. Another space is one without the piece that acts. Things that were chosen earlier in the text by
    the same noun are excluded as well.
    """
    left_out = [*_acting(thing, scope), *(one.value for one in _chosen_before(reader, thing, scope))]
    found = [Compare("!=", thing.value, value, span) for value in dict.fromkeys(left_out)]
    return found[0] if len(found) == 1 else All(tuple(found), span) if found else None


def _acting(thing: Typed, scope: Scope) -> list[Value]:
    """Return the carrier of a text or the piece that acts, and the piece ordered to act, if of the right type."""
    if thing.base == "space":
        who = next((one for one in (scope.origin, scope.this) if one is not None and one.base == "piece"), None)
        return [Attribute("space", who.value, "space")] if who is not None else []
    ones = (scope.this, scope.origin) if scope.carrier >= 0 else (scope.origin, scope.this)
    first = next((one for one in ones if one is not None and one.base == thing.base), None)
    if first is None:
        return []
    return [one.value for one in (first, scope.ordered) if one is not None and one.base == thing.base]


def _chosen_before(reader: TextReader, thing: Typed, scope: Scope) -> list[Typed]:
    """Return things that were chosen earlier in the text, or whose turn it is, and that `another` could mean.

    Tokens of one document are indistinguishable.
    """
    first, named, kinds = scope.variables.first, scope.variables.named, set(reader.model.kinds(thing.noun))
    return [
        one.thing
        for one in scope.mentions
        if isinstance(one.thing.value, Var)
        and first <= one.thing.value.id < SET_VARIABLES
        and one.thing.value.id not in named
        and one.thing.value != thing.value
        and one.thing.base == thing.base != "token"
        and not (kinds and (its := reader.model.kinds(one.thing.noun)) and kinds.isdisjoint(its))
    ]


def _another(reader: TextReader, phrase: ast.Phrase, thing: Typed, scope: Scope) -> Condition:
    found = read_another(reader, thing, scope, phrase.span)
    if found is None:
        message = f"{quoted(phrase.span.text)} does not name the other thing"
        help = "say `a …`, or leave out by a condition which one is not meant"
        raise flaw("no-antecedent", message, phrase.span, help)
    return found


def _is_document(reader: TextReader, thing: Typed, number: int, span: Span) -> Condition:
    if thing.base == "document":
        return Compare("==", thing.value, Const(number, "document"), span)
    if thing.base not in ("piece", "token"):
        raise flaw("wrong-kind", f"{article(thing)} is never {quoted(span.text)}", span)
    if thing.base == "piece" and reader.model.ruleset.sheets[number].kind in reader.model.bearers:
        return Bears(thing.value, number, span)
    return Compare("==", Attribute("document", thing.value, "document"), Const(number, "document"), span)


def read_called(reader: TextReader, head: ast.Word, thing: Typed, scope: Scope) -> list[Condition]:
    """Return the conditions under which a noun fits the thing; empty if it always fits."""
    if scope.side is not None:
        scope = replace(scope, you=scope.side[1] if scope.side[0] == head.text else scope.you, side=None)
    known = kind_named(reader, head, thing)
    if known is None:
        message = f"{article(thing)} is never {article_of(head.text)} {quoted(head.text)}"
        raise flaw("wrong-kind", message, head.span)
    if reader.model.narrows(thing.noun, head.text):
        return []
    found: list[Condition] = []
    if known.tag:
        found.append(Tagged(known.tag, thing.value, head.span))
    told = reader.model.nouns.get(head.text, [])
    if told:
        found.append(_told(reader, told, head.text, thing, head.span, scope))
    elif not known.parent:
        found.extend(_of_kind(reader, head.text, thing, head.span))
    return found


def kind_named(reader: TextReader, head: ast.Word, thing: Typed) -> Thing | None:
    """Return the kind of things that a noun names; None if a thing is never of it."""
    known = reader.model.thing(head.text)
    return None if known is None or known.base != thing.base or _apart(reader, known, thing.noun) else known


def _apart(reader: TextReader, known: Thing, noun: str) -> bool:
    """Whether no token is of both nouns: the documents are of different kinds."""
    other = reader.model.thing(noun)
    sheets = set(other.sheets) if other is not None and other.base == "token" else set()
    return bool(sheets and known.sheets and sheets.isdisjoint(known.sheets))


def _of_kind(reader: TextReader, noun: str, thing: Typed, span: Span) -> list[Condition]:
    """Return the condition that a piece is of a kind that a noun means; empty if it always is."""
    wanted, possible = reader.model.kinds(noun), reader.model.kinds(thing.noun)
    if not wanted or (possible and set(possible) <= set(wanted)):
        return []
    return [KindIs(thing.value, wanted, span)]


def _told(
    reader: TextReader, told: list[CarriedDefinition], word: str, thing: Typed, span: Span, scope: Scope
) -> Condition:
    """Return the condition of a word that texts define: some definition affirms it, and none denies it."""
    if word in scope.within:
        raise flaw("circular-definition", f"{quoted(word)} is defined by itself", span)
    yes: list[Condition] = []
    no: list[Condition] = []
    for one in told:
        assert isinstance(one.sentence, ast.DefineIs)
        try:
            said = _said(reader, one.sentence, one.carrier, thing, word, scope)
        except NobodyIsYou as error:
            raise error.of_reader(word, one.sentence.span, span) from None
        if said is not None:
            (no if one.sentence.negated else yes).append(said)
    for other, one in _opposed(reader, word, scope) if yes else ():
        assert isinstance(one.sentence, ast.DefineIs)
        said = None if one.sentence.negated else _said(reader, one.sentence, one.carrier, thing, other, scope)
        no += [said] if said is not None else []
    if not yes:
        raise flaw("wrong-kind", f"{quoted(word)} is not said of {article(thing)}", span)
    holds: Condition = yes[0] if len(yes) == 1 else Any(tuple(yes), span)
    if not no:
        return holds
    return All((holds, *(Not(condition, span) for condition in no)), span)


def _can_be(reader: TextReader, subject: ast.NounPhrase, thing: Typed) -> bool:
    """Whether a piece can be of a kind that a definition is about."""
    wanted, possible = reader.model.kinds(noun_of(subject)), reader.model.kinds(thing.noun)
    return not wanted or not possible or not set(wanted).isdisjoint(possible)


def _said(
    reader: TextReader, sentence: ast.DefineIs, carrier: int, thing: Typed, word: str, scope: Scope
) -> Condition | None:
    """Return the condition under which a definition applies its word to a thing; None if it is about other things."""
    said = read_defined(reader, sentence, carrier, thing, word, scope)
    if said is None:
        return None
    span, this = sentence.span, said.scope.this
    found = [*said.about, *([said.condition] if said.condition is not None else [])]
    if said.around is not None:
        assert this is not None
        kinds = reader.model.kinds(this.noun)
        filters = (_is_document(reader, this, carrier, span), *found)
        return Exists(Set(said.around, Pieces(kinds), filters, span), span)
    if carrier >= 0:
        found.insert(0, _is_document(reader, thing, carrier, span))
    return found[0] if len(found) == 1 else All(tuple(found), span)


def read_defined(
    reader: TextReader, sentence: ast.DefineIs, carrier: int, thing: Typed, word: str, scope: Scope
) -> Defined | None:
    """Read a definition as applied to a thing; None if it is about other things.

    `a target is an enemy unit` names the things it is about by its value, other definitions by their subject.
    """
    about = sentence.subject
    if isinstance(sentence.value, ast.Phrase) and sentence.condition is None:
        about = sentence.value
    there = defined_scope(reader, about, carrier, thing, word, scope)
    if there is None or not _can_be(reader, about, thing):
        return None
    inner, around = there
    conditions = read_about(reader, about, thing, inner)
    condition = reader.phrases.condition(reader, sentence.condition, inner) if sentence.condition is not None else None
    return Defined(inner, tuple(conditions), condition, around)


def defined_scope(
    reader: TextReader, about: ast.NounPhrase, carrier: int, thing: Typed, word: str, scope: Scope
) -> tuple[Scope, Var | None] | None:
    """Return the scope of a definition; a card applies to other things only while a piece of it is on the board."""
    inner = definition_scope(reader, about, carrier, thing, word, scope)
    if inner is None or carrier < 0 or isinstance(about, ast.Pronoun):
        return (inner, None) if inner is not None else None
    noun = next(
        (
            one.name
            for one in reader.model.things.values()
            if one.base == "piece" and one.kinds and not one.parent and _carries(reader, one, carrier)
        ),
        "",
    )
    if not noun:
        message = "no piece carries this text, so that it cannot compare others with one"
        raise flaw("not-a-definition", message, about.span, help="say it in a document of the game's own rules")
    var, inner = inner.member("piece", noun, about.span)
    this = Typed(var, "piece", noun)
    return replace(inner, this=this, origin=this, you=Attribute("decider", var, "player")), var


def _carries(reader: TextReader, thing: Thing, carrier: int) -> bool:
    """Whether pieces with a noun can be of a document, or bear it."""
    kind = reader.model.ruleset.sheets[carrier].kind
    return not {kind, *reader.model.bearers.get(kind, ())}.isdisjoint(thing.sheets)


def read_adjective(reader: TextReader, word: ast.Word, thing: Typed, scope: Scope) -> Condition:
    """Read an adjective as a condition on a thing."""
    if word.text in _HELP_WITH or word.text == "random":
        help = _HELP_WITH.get(word.text) or _by_chance(f"{thing.noun} …")
        raise flaw("says-nothing", f"{quoted(word.text)} says nothing here", word.span, help=help)
    if word.text == "adjacent":
        refuse_nowhere(thing, word.span)
        return Apart(1, 1, beside_said(reader, word, scope), thing.value, False, None, word.span)
    if word.text in reader.model.flags:
        owner, number, value = reader.model.flags[word.text]
        if owner == thing.noun or base_of(reader, owner) == thing.base:
            of = None if thing.base == "flag" else thing.value
            return Compare("==", FieldOf(number, of, "flag"), Const(value, "flag"), word.span)
    told = reader.model.adjectives.get(word.text, [])
    if not told:
        message = f"no text says what {quoted(word.text)} means"
        raise flaw("undefined-word", message, word.span, help=f"define it: `a … is {word.text} when …`")
    return _told(reader, told, word.text, thing, word.span, scope)


def _opposed(reader: TextReader, word: str, scope: Scope) -> Iterator[tuple[str, CarriedDefinition]]:
    """Yield the definitions in cards and packs of the opposite of a word.

    Definitions in the place where the two words are declared to be opposites are left out. Within a definition of the
    opposite, the word is read by its own definitions alone.
    """
    for other, folders in reader.model.opposites.get(word, {}).items():
        for one in reader.model.adjectives.get(other, ()) if other not in scope.within else ():
            path = PurePath(one.sentence.span.path)
            if one.carrier >= 0 or not any(path.is_relative_to(folder) for folder in folders):
                yield other, one


def read_modifier(reader: TextReader, mod: ast.Modifier, thing: Typed, scope: Scope, reach: Reach | None) -> Condition:
    """Read a modifier of a noun as a condition on the thing."""
    match mod:
        case ast.Related("through", phrase):
            return _through(reader, phrase, thing, scope, reach, mod.span)
        case ast.Related(preposition, phrase):
            return _related(reader, preposition, phrase, thing, scope, mod.span)
        case ast.RelativeClause(who, verb):
            return read_related_by(reader, verb, who, thing, scope, mod.span)
        case ast.Away():
            return read_away(reader, mod, thing, scope)
        case ast.InDirection(False) if thing.base in ("space", "piece"):
            that = ast.Phrase("that", None, (), ast.Word("direction", span=mod.span), (), span=mod.span)
            return _related(reader, "in", that, thing, scope, mod.span)
        case ast.Whose(noun, negated, value):
            return _whose_is(reader, noun, negated, value, thing, scope, mod.span)
        case ast.ComesFirst():
            message = f"{quoted(mod.who.span.text)} comes first of several players only"
            raise flaw("syntax-error", message, mod.span, help="say `each player, beginning with your …, may …`")
        case ast.ThatIs(negated, value):
            found = reader.phrases.is_so(reader, thing, value, scope, mod.span)
            return Not(found, mod.span) if negated else found
        case ast.ThatDoes():
            return reader.phrases.does(reader, mod, thing, scope)
    message = f"{quoted(mod.span.text)} needs a distance beside it"
    raise flaw("not-definite", message, mod.span, help="say how far: `exactly 2 spaces away in a straight line`")


def _whose_is(
    reader: TextReader, noun: ast.Word, negated: bool, value: ast.ValuePhrase, thing: Typed, scope: Scope, span: Span
) -> Condition:
    """Read a relative clause about an attribute of a thing: `whose height is at least 2`."""
    found = reader.phrases.is_so(reader, read_attribute(reader, noun.text, thing, noun.span, scope), value, scope, span)
    return Not(found, span) if negated else found


def _through(
    reader: TextReader, phrase: ast.NounPhrase, thing: Typed, scope: Scope, reach: Reach | None, span: Span
) -> Condition:
    if reach is None or not isinstance(phrase, ast.Phrase):
        message = f"{quoted(span.text)} needs a distance beside it"
        raise flaw("not-definite", message, span, help="say how far: `exactly 2 spaces away through an open space`")
    if phrase.determiner in ("all", "each", "no"):
        message = f"no way leads through {quoted(phrase.span.text)}"
        raise flaw("number-of-things", message, span, help=_through_such(reader, phrase))
    between, inner = scope.member("space", "space", span)
    fits = read_fits(reader, as_any(phrase), Typed(between, "space", "space"), inner)
    if not fits:
        message = f"{quoted(span.text)} always holds: there are spaces between"
        help = "say which spaces, as in `through empty spaces`, or leave it out"
        raise flaw("says-nothing", message, span, help)
    return Passable(
        reach.low, reach.high, reach.origin, thing.value, reach.straight, between, All(tuple(fits), phrase.span), span
    )


def _through_such(reader: TextReader, phrase: ast.Phrase) -> str:
    """Return help on a way through all spaces of a kind, or through none."""
    if phrase.determiner == "no":
        return "say what the spaces between are: `through … spaces`"
    spaces = reader.model.vocabulary.form("PLURAL", phrase.head.text)
    said = " ".join((*(one.text for one in phrase.adjectives), spaces))
    return f"say `through {said}`" if not phrase.modifiers else "say `through … spaces`, each with that condition"


def _related(
    reader: TextReader, preposition: str, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span
) -> Condition:
    there = ast.Related(preposition, phrase, span=span)
    if thing.base in ("space", "piece") and is_direction(reader, there, scope):
        leads = read_of_base(reader, phrase, scope, "direction").value
        return Compare("==", read_attribute(reader, "bearing", thing, span, scope).value, leads, span)
    if preposition == "in" and thing.base == "space":
        return _listed(reader, phrase, thing, scope, span)
    if preposition == "in":
        holders = read_holders(reader, phrase, scope)
        if thing.base != "token":
            raise flaw("wrong-kind", f"{article(thing)} is never in {quoted(phrase.span.text)}", span)
        _refuse_elsewhere(reader, thing.noun, holders, ast.Related(preposition, phrase, span=span))
        return HeldIn(thing.value, holders, span)
    if preposition == "occupied by":
        return _occupied(reader, phrase, thing, scope, span)
    if preposition in ("with", "without"):
        found = _with(reader, phrase, thing, scope, span)
        return Not(found, span) if preposition == "without" else found
    if leaves_open(reader, phrase, scope):
        assert isinstance(phrase, ast.Phrase)
        return _to_some(reader, preposition, phrase, thing, scope, span)
    return read_to_one(reader, preposition, read_value(reader, phrase, scope), thing, span)


def _occupied(reader: TextReader, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
    """Read a condition that a piece is on a space; several pieces mean several spaces, one for each."""
    if thing.base != "space":
        message = f"{article(thing)} is never {quoted(span.text)}, only a space is"
        raise flaw("wrong-kind", message, span, help="say it of the space: `a space occupied by …`")
    if isinstance(phrase, ast.Name):
        message = f"{quoted(phrase.text)} does not say which one"
        raise flaw("number-of-things", message, phrase.span, help=f"say `{with_article(phrase.text)}`")
    return _with(reader, as_any(phrase) if isinstance(phrase, ast.Phrase) else phrase, thing, scope, span)


def read_somewhere(reader: TextReader, node: ast.Somewhere, thing: Typed, scope: Scope) -> Condition:
    """Read a distance of a thing in a direction or in a line."""
    refuse_nowhere(thing, node.span)
    known = reader.model.thing(thing.noun)
    if known is None or known.base != thing.base:
        space = thing.value if thing.base == "space" else Attribute("space", thing.value, "space")
        thing = Typed(space, "space", "space")
    head = ast.Word(thing.noun, span=node.span)
    found = read_fits(reader, ast.Phrase("a", None, (), head, node.modifiers, span=node.span), thing, scope)
    return found[0] if len(found) == 1 else All(tuple(found), node.span)


def _with(reader: TextReader, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
    """Read a condition that a thing bears a document, or that a piece is on a space."""
    if isinstance(phrase, ast.Name):
        number = document_named(reader, phrase)
        if reader.model.ruleset.sheets[number].kind not in reader.model.bearers:
            message = f"nothing bears {quoted(phrase.text)}"
            help = f"say `of {phrase.text}`, or `{phrase.text}` alone for its things"
            raise flaw("wrong-kind", message, phrase.span, help)
        return _is_document(reader, thing, number, span)
    if not is_indefinite(phrase):
        return read_to_one(reader, "on", thing, read_of_base(reader, phrase, scope, "piece"), span)
    assert isinstance(phrase, ast.Phrase)
    some = read_members(reader, phrase, scope.about(thing))
    if some.var.base == "token":
        noun = noun_of(phrase)
        message = f"{quoted(span.text.split()[0])} says what is on a space, and {with_article(noun)} is not on any"
        raise flaw("wrong-kind", message, span, help=_of_token(reader, phrase, noun))
    there = read_to_one(reader, "on", thing, Typed(some.var, some.var.base, some.var.noun), span)
    return Exists(replace(some, filters=(*some.filters, there)), span)


def _of_token(reader: TextReader, phrase: ast.Phrase, noun: str) -> str:
    """Return help on a token after `with`: an act moves it first, or an act takes it."""
    verbs = reader.model.ruleset.verbs
    taking = [verb.name for verb in verbs for role in verb.roles if (role.word, role.base) == ("using", "token")]
    done = [
        verb.name
        for verb in verbs
        if verb.by == "player" and verb.roles and (verb.roles[0].word, verb.roles[0].noun) == ("", noun)
    ]
    said = phrase.span.one_line
    first = f"say first the act on it{_such_as(done)}, and join the act by `, then`: `… {said}, then …`"
    return f"{first}; an act that takes it{_such_as(taking)} has it after `using`" if taking else first


def _listed(reader: TextReader, phrase: ast.NounPhrase, thing: Typed, scope: Scope, span: Span) -> Condition:
    """Read `a space in the plan of that card`: a member of a list on a document."""
    key = noun_of(phrase)
    if key not in reader.model.lists:
        raise flaw("wrong-kind", f"{article(thing)} is never in {quoted(phrase.span.text)}", span)
    assert isinstance(phrase, ast.Phrase)
    first = phrase.modifiers[0] if phrase.modifiers else None
    of = first.phrase if isinstance(first, ast.Related) and first.preposition == "of" else None
    nothing_more(phrase, phrase.adjectives, phrase.modifiers[0 if of is None else 1 :])
    if of is None and phrase.determiner == "its":
        of = ast.Pronoun("it", span=phrase.span)
    if of is None or phrase.determiner not in ("the", "its"):
        raise flaw(
            "not-definite", f"{quoted(phrase.span.text)} does not say of what", span, help=f"say `the {key} of …`"
        )
    whose = read_of_base(reader, of, scope, "token", "piece", "document")
    document = whose.value if whose.base == "document" else Attribute("document", whose.value, "document")
    return Listed(key, document, thing.value, span)


def _to_some(
    reader: TextReader, preposition: str, phrase: ast.Phrase, thing: Typed, scope: Scope, span: Span
) -> Condition:
    some = read_members(reader, phrase, scope)
    inner = read_to_one(reader, preposition, Typed(some.var, some.var.base, some.var.noun), thing, span)
    return Exists(replace(some, filters=(inner, *some.filters)), span)


def read_to_one(reader: TextReader, preposition: str, other: Typed, thing: Typed, span: Span) -> Condition:
    """Read the place of a thing relative to another thing: `adjacent to` it, `on` it, `of` it; raises Flaw."""
    if preposition == "adjacent to" and other.base in ("space", "piece"):
        refuse_nowhere(thing, span)
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


def read_relation(reader: TextReader, verb: ast.Word, subject: Typed, thing: Typed, scope: Scope) -> Condition:
    """Read a verb as a fact, such as `you control` about a location."""
    if verb.text in scope.within:
        raise flaw("circular-definition", f"{quoted(verb.text)} is defined by itself", verb.span)
    found: list[Condition] = []
    for told in reader.model.relations.get(verb.text, ()):
        sentence = told.sentence
        assert isinstance(sentence, ast.DefineHolds)
        wanted = sentence.arguments.object
        both = fact_scope(reader, sentence.subject, wanted, told.carrier, subject, thing, verb.text, scope)
        if both is not None and wanted is not None:
            try:
                parts = [
                    *read_about(reader, sentence.subject, subject, both),
                    *read_about(reader, wanted, thing, both),
                    reader.phrases.condition(reader, sentence.condition, both),
                ]
            except NobodyIsYou as error:
                raise error.of_reader(verb.text, sentence.span, verb.span) from None
            found.append(parts[0] if len(parts) == 1 else All(tuple(parts), sentence.span))
    if not found:
        message = f"no text says when {article(subject)} {quoted(verb.text)}s {article(thing)}"
        raise flaw("undefined-word", message, verb.span, help=f"define it: `a … {verb.text}s a … when …`")
    return found[0] if len(found) == 1 else Any(tuple(found), verb.span)


def read_related_by(
    reader: TextReader, verb: ast.Word, who: ast.NounPhrase, thing: Typed, scope: Scope, span: Span
) -> Condition:
    """Read a fact: a verb with a subject, or any of several, and a thing."""
    if verb.text in reader.model.verbs and verb.text not in reader.model.relations:
        done = f"{who.span.one_line} {verb.span.text} that {thing.noun}"
        message = f"{quoted(verb.span.text)} is an act, not a fact"
        raise flaw("undefined-word", message, verb.span, help=f"put the act last, as a condition: `… while {done}`")
    if not isinstance(who, ast.Phrase) or not is_indefinite(who):
        return read_relation(reader, verb, read_value(reader, who, scope), thing, scope)
    if who.determiner in ("each", "all"):
        raise not_one(who, who.span, "say `a …` of any of them")
    some = read_members(reader, as_any(who), scope)
    member = Typed(some.var, some.var.base, some.var.noun)
    does = read_relation(reader, verb, member, thing, replace(scope, depth=scope.depth + 1))
    found = Exists(replace(some, filters=(*some.filters, does)), span)
    return Not(found, span) if who.determiner == "no" else found


def fact_scope(
    reader: TextReader,
    subject: ast.NounPhrase,
    wanted: ast.NounPhrase | None,
    carrier: int,
    first: Typed,
    second: Typed,
    verb: str,
    scope: Scope,
) -> Scope | None:
    """Return the scope of a verb as a fact about two things; None if its definition is about others."""
    inner = definition_scope(reader, subject, carrier, first, verb, scope)
    if inner is None or not isinstance(wanted, ast.Phrase):
        return None
    other = definition_scope(reader, wanted, carrier, second, verb, scope)
    return inner.mentioning(*other.mentions) if other is not None else None


def read_about(reader: TextReader, phrase: ast.NounPhrase, thing: Typed, scope: Scope) -> list[Condition]:
    """Return the conditions that the subject of a definition puts on its thing."""
    if not isinstance(phrase, ast.Phrase):
        return []
    if thing.base == "flag":
        nothing_more(phrase, phrase.adjectives, phrase.modifiers)
        return []
    return read_fits(reader, phrase, thing, scope)


def _such_as(verbs: Sequence[str]) -> str:
    """Return some of the verbs of a game in brackets; empty if there are none."""
    names = list(dict.fromkeys(verbs))[:_NAMED]
    return f" ({', '.join(f'`{one}`' for one in names)})" if names else ""
