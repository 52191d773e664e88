"""Declarations of a game's own document: things, fields, zones, words and verbs, before any text is read."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, Literal, TypeAlias, cast

from warchest.documents.library import Document, Library
from warchest.ir.ruleset import (
    AGENT,
    BY,
    FIXED,
    MANNER,
    THIS,
    YOU,
    Definition,
    Field,
    Filled,
    Kind,
    Role,
    Ruleset,
    Sheet,
    Verb,
    Zone,
)
from warchest.ir.steps import Code, RemovePiece
from warchest.ir.values import All, Base, Var
from warchest.resolve.names import add_names
from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.words import Vocabulary

BUILT_IN_NOUNS: dict[str, Base] = {
    "space": "space",
    "player": "player",
    "team": "team",
    "direction": "direction",
    "number": "number",
}
TIMES = ("turn", "round")
"""The times that a field can last for; if a game also has acts with these names, the times are meant."""
ATTRIBUTES: dict[str, dict[Base, Base]] = {
    "type": {"piece": "document", "token": "document"},
    "nature": {"piece": "document"},
    "owner": {"piece": "player"},
    "space": {"piece": "space"},
    "team": {"player": "team"},
    "left neighbour": {"player": "player", "direction": "direction"},
    "right neighbour": {"player": "player", "direction": "direction"},
    "opposite": {"direction": "direction"},
    "bearing": {"space": "direction", "piece": "direction"},
    "distance": {"space": "number", "piece": "number"},
    "trek": {"space": "number", "piece": "number"},
}
"""The built-in attributes: by noun and by the type of their owner, the type of the value."""
KEPT_IN_PLACES = ("space", "direction", "player", "team", "document", "flag")
"""The types of the fields that a trail of places can keep."""
BUILT_IN_VERBS = (
    "put",
    "take",
    "remove",
    "swap",
    "swap places",
    "choose",
    "see",
    "perform",
    "win",
    "end the game",
    "begin a turn",
    "begin a round",
    "begin a choice",
    "do nothing",
)
FALL = "fall"
"""The verb of a piece that is removed, which hooks can answer; a game that declares the word uses it as its own."""
BUILT_IN_FACTS = ("uphold",)
"""Verbs that can only state facts."""
ORDINALS = ("first", "second", "third", "fourth")
"""The words that distinguish things with the same words: `the second unit` is the one that was named second."""
BUILT_IN_ADJECTIVES = ("adjacent", "other", "random", "new", *ORDINALS)


@record()
class Thing:
    """A noun for things: its type, the noun it narrows (or empty), the tag and the kinds of sheet it needs.

    `owned`: whether a piece that is made belongs to the player who makes it.
    """

    name: str
    base: Base | None
    parent: str = ""
    tag: str = ""
    kinds: tuple[int, ...] = ()
    sheets: tuple[str, ...] = ()
    copies: str = ""
    owned: bool = True


Use: TypeAlias = Literal["number", "bonus"]
"""The uses of a letter that no document fills in."""


@record()
class CarriedDefinition:
    """A definition in a text, with the document of the text (-1: none)."""

    sentence: ast.DefineIs | ast.DefineHolds
    carrier: int


@dataclass(slots=True)
class Model:
    """Everything in which a reader looks words up."""

    ruleset: Ruleset
    vocabulary: Vocabulary
    things: dict[str, Thing] = field(default_factory=dict)
    fields: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    flags: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    zones: dict[str, int] = field(default_factory=dict)
    verbs: dict[str, int] = field(default_factory=dict)
    verb_nouns: dict[str, int] = field(default_factory=dict)
    of_acts: dict[int, str] = field(default_factory=dict)
    """The fields that are values of acts, each with the noun for the act."""
    spans: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The fields of pieces that last for acts, each with the words for these."""
    permitted: set[tuple[str, str]] = field(default_factory=set)
    """The roles, by verb and preposition, that have a normal or a special domain."""
    said_with: dict[str, dict[str, str]] = field(default_factory=dict)
    """The verbs that take a unique thing: its noun, by preposition."""
    constants: dict[str, int] = field(default_factory=dict)
    blocks: dict[str, dict[str, str]] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    numbers: set[str] = field(default_factory=set)
    bearers: dict[str, set[str]] = field(default_factory=dict)
    """The kinds of documents that others bear, each with the kinds of those."""
    named: set[str] = field(default_factory=set)
    """The keys for names of other documents."""
    printed: set[str] = field(default_factory=set)
    """The numbers that are written on documents."""
    reading: str = ""
    """The name of the document that is being read."""
    limits: dict[Span, int] = field(default_factory=dict)
    """The fields of limits and of texts that last, by the places of these."""
    lasting: dict[int, object] = field(default_factory=dict)
    """The sentences about a future time, by the fields that keep whether they hold."""
    uses: dict[tuple[int, str], Use] = field(default_factory=dict)
    """The uses of letters in texts, by the document of the text."""
    adjectives: dict[str, list[CarriedDefinition]] = field(default_factory=dict)
    opposites: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    """The adjectives that are never true together with another one, with the folders of the declarations."""
    nouns: dict[str, list[CarriedDefinition]] = field(default_factory=dict)
    values: dict[str, list[CarriedDefinition]] = field(default_factory=dict)
    relations: dict[str, list[CarriedDefinition]] = field(default_factory=dict)

    def thing(self, noun: str) -> Thing | None:
        """Return the thing that a noun means, built-in nouns included; None for any other word."""
        if noun in self.things:
            return self.things[noun]
        return Thing(noun, BUILT_IN_NOUNS[noun]) if noun in BUILT_IN_NOUNS else None

    def narrows(self, noun: str, wider: str) -> bool:
        """Whether everything called `noun` is called `wider` too."""
        while noun:
            if noun == wider:
                return True
            thing = self.thing(noun)
            noun = thing.parent if thing else ""
        return False

    def kinds(self, noun: str) -> tuple[int, ...]:
        """Return the kinds of piece a noun means; empty if it means no pieces."""
        thing = self.thing(noun)
        return thing.kinds if thing is not None and thing.base == "piece" else ()

    def akin(self, noun: str, other: str) -> bool:
        """Whether a piece of one noun can become one of another noun: one of them is the remains of the other."""
        kinds, others = self.ruleset.kinds, self.kinds(other)
        return any(
            kinds[one].remains_of in others or kinds[two].remains_of == one
            for one in self.kinds(noun)
            for two in others
        )

    def changes(self, noun: str) -> bool:
        """Whether a piece of a noun can become one of another kind."""
        return any(self.akin(noun, kind.name) for kind in self.ruleset.kinds)

    def verb(self, name: str) -> Verb | None:
        """Return the declared verb, or None."""
        number = self.verbs.get(name)
        return self.ruleset.verbs[number] if number is not None else None


def declare(library: Library, game: Document, board: Document | None) -> Model:
    """Build the model of a game from its document, the board in use, and the names of all sheets."""
    values = game.values
    model = Model(Ruleset(game.name, [], [], [], [], [], [], []), Vocabulary())
    _declare_sheets(model, library, values, game)
    _declare_things(model, values)
    _declare_zones(model, values)
    # A game that begins from another has texts of both.
    words = [(values["words"], _folders(game.span, *game.blocks("rules"), *game.blocks("play")))]
    words += [(document.values, _folders(document.span)) for document in library.of_kind("words")]
    verbs: dict[str, Any] = {}
    for declared, _ in words:
        verbs = {**declared.get("verbs", {}), **verbs}
    _declare_fields(model, values, {shape.get("noun", name) for name, shape in verbs.items()})
    _join_places(model, values)
    _join_remains(model, values)
    active = model.fields.get(values.get("active", ""), [("", -1)])
    model.ruleset.active = active[0][1]
    model.ruleset.orders = model.fields.get(values.get("orders", ""), [("", -1)])[0][1]
    model.ruleset.kept += [
        number
        for number, one in enumerate(model.ruleset.fields)
        if one.of == "piece" and one.name in values.get("kept", ())
    ]
    model.ruleset.heading = model.fields.get(values.get("heading", ""), [("", -1)])[0][1]
    model.ruleset.decides = model.fields.get(values.get("decides", ""), [("", -1)])[0][1]
    model.vocabulary.sight = values.get("sight", model.vocabulary.sight)
    _declare_words(model, words, board)
    _declare_verbs(model, verbs)
    _declare_parts(model, verbs)
    _declare_spans(model)
    _join_values(model)
    for span, edges in values.get("times", {}).items():
        for edge, verb in edges.items():
            if verb in model.verbs:
                model.ruleset.times[span, edge] = model.verbs[verb]
    if FALL not in model.verbs and model.ruleset.kinds:
        _declare_falls(model, game.span)
    add_names(model.ruleset, model.vocabulary, library, game)
    return model


def _declare_sheets(model: Model, library: Library, values: dict[str, Any], game: Document) -> None:
    for kind, shape in values["documents"].items():
        model.blocks[kind] = shape.get("blocks", {})
        for block in model.blocks[kind]:
            model.vocabulary.add_noun(block)
        for key in shape.get("spaces", ()):
            model.lists.setdefault(key, []).append(kind)
            model.vocabulary.add_noun(key)
        model.printed.update(shape.get("numbers") or ())
    for document in _with_sheets(library, values["documents"], game):
        model.ruleset.sheets.append(_sheet(document, values["documents"][document.kind], values, library))
        for letter in letters_of(document):
            model.vocabulary.add_parameter(letter)
    for kind, shape in values["documents"].items():
        for borne_kind in shape.get("bears", {}).values():
            model.bearers.setdefault(borne_kind, set()).add(kind)
        for key in shape.get("names", {}):
            model.named.add(key)
            model.vocabulary.add_noun(key)
        for document in library.of_kind(kind) if shape.get("numbers") is not None else ():
            _join(model, document, shape)


def _with_sheets(library: Library, shapes: dict[str, Any], game: Document) -> list[Document]:
    """Return the documents that have sheets, by kind; those that were read after the game are last."""
    beside = Path(game.span.path).parent
    order = {id(one): number for number, one in enumerate(library.documents)}
    last = next((order[id(one)] for one in reversed(library.documents) if beside in Path(one.span.path).parents), -1)
    found = [
        document
        for kind, shape in shapes.items()
        if shape.get("numbers") is not None
        for document in library.of_kind(kind)
    ]
    return sorted(found, key=lambda one: order[id(one)] > last)


def _sheet(document: Document, shape: dict[str, Any], values: dict[str, Any], library: Library) -> Sheet:
    """Return the sheet of a document, which bears and names nothing yet."""
    numbers = {key: document.values[key] for key in shape["numbers"] if isinstance(document.values.get(key), int)}
    spaces = {key: tuple(document.values.get(key, ())) for key in shape.get("spaces", ())}
    told = document.values.get("parameters", ())
    said = {letter: word for one in told if not isinstance(one, str) for letter, word in one.items()}
    filled_by = {letter: word for letter, word in said.items() if word in values["documents"]}
    called = {letter: word for letter, word in said.items() if letter not in filled_by}
    return Sheet(
        document.name,
        document.kind,
        document.values.get("set", ""),
        numbers,
        document.source,
        {},
        spaces,
        letters_of(document),
        filled_by,
        called=called,
        plural=document.values.get("plural", ""),
        spoken=(document.kind, document.name) not in library.unspoken,
    )


def _join(model: Model, document: Document, shape: dict[str, Any]) -> None:
    """Link the sheet of a document to those that it bears and names."""
    sheet = model.ruleset.sheets[model.ruleset.sheet_number(document.name, (document.kind,))]
    for key, wanted in shape.get("bears", {}).items():
        _bear(model, sheet, document.values.get(key, ()), wanted)
    for key, wanted in shape.get("names", {}).items():
        if key in document.values:
            sheet.names[key] = model.ruleset.sheet_number(document.values[key], (wanted,))


def with_plain(model: Model, library: Library, game: Document, documents: Sequence[Document]) -> Model:
    """Return a model with more documents that have no texts; a document of a known name replaces the known document.

    Texts that were read before keep their meaning: a document keeps its number, and new ones are appended.
    """
    ruleset = model.ruleset
    made = replace(model, ruleset=replace(ruleset, sheets=list(ruleset.sheets), raised=list(ruleset.raised)))
    sheets = made.ruleset.sheets
    for one in documents:
        sheet = _sheet(one, game.values["documents"][one.kind], game.values, library)
        number = ruleset.sheet_number(one.name, (one.kind,))
        if number >= 0:
            sheets[number] = sheet
        else:
            sheets.append(sheet)
    for one in documents:
        _join(made, one, game.values["documents"][one.kind])
    return made


def raisable(model: Model) -> list[str]:
    """Return the names that bonuses can raise: first those raised already, then all others that could be raised."""
    borne = {one.name for one in model.ruleset.sheets if one.kind in model.bearers and len(one.parameters) <= 1}
    return [*model.ruleset.raised, *sorted((model.printed | borne) - set(model.ruleset.raised))]


def _bear(model: Model, sheet: Sheet, listed: Sequence[str], kind: str) -> None:
    """Record the documents that a document bears; the linter reports senseless entries."""
    for text in listed:
        name, parts = borne(text)
        number = model.ruleset.sheet_number(name, (kind,))
        letters = model.ruleset.sheets[number].parameters if number >= 0 else ()
        if number >= 0 and len(parts) == len(letters):
            kinds = model.ruleset.sheets[number].filled_by
            filled = tuple(
                model.ruleset.sheet_number(filling(part), (kinds[letter],)) if letter in kinds else _filled(part)
                for letter, part in zip(letters, parts, strict=True)
            )
            sheet.bears[number] = filled
            for one in filled:
                if isinstance(one, tuple):
                    raised(model, one[0])


_NUMBERED = re.compile(r"[0-9]+")
_CALLED = re.compile(r"^[a-z]+ (?=[A-Za-z])")
_BORNE = re.compile(r"([^()]++)(?:\((.*)\))?\s*+")
BONUS = re.compile(r"\+([0-9]+) ([a-z][a-z ]*)|([A-Z][A-Za-z' -]*?)(?: ([0-9]+))?")
"""A bonus on a printed number, or a document that others bear, with a number or without."""


def letters_of(document: Document) -> tuple[str, ...]:
    """Return the letters of a document, which are filled in where it is borne."""
    return tuple(one if isinstance(one, str) else next(iter(one)) for one in document.values.get("parameters", ()))


def borne(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of a borne document and its fillings, from `Name (2, range 5)` or `Name (+2 key)`."""
    match = _BORNE.fullmatch(text)
    if match is None:
        return text, ()
    return match[1].rstrip(), tuple(part.strip() for part in (match[2] or "").split(",") if part.strip())


def filling(part: str) -> str:
    """Return the name of the document that fills a letter; a word before it, as in `class Elf`, is its kind."""
    return _CALLED.sub("", part)


def _filled(part: str) -> Filled:
    bonus = BONUS.fullmatch(part)
    if bonus is not None:
        return (bonus[2], int(bonus[1])) if bonus[1] else (bonus[3], int(bonus[4] or 1))
    digits = _NUMBERED.search(part)
    return int(digits[0]) if digits else 0


def raised(model: Model, what: str) -> int:
    """Return the index of a value that bonuses raise, registering a new one."""
    if what not in model.ruleset.raised:
        model.ruleset.raised.append(what)
    return model.ruleset.raised.index(what)


def _declare_things(model: Model, values: dict[str, Any]) -> None:
    for noun in (*BUILT_IN_NOUNS, *ATTRIBUTES, "game"):
        model.vocabulary.add_noun(noun)
    for noun, shape in values["things"].items():
        model.vocabulary.add_noun(noun, shape.get("plural", ""))
        model.things[noun] = _thing(model, noun, shape)


def _thing(model: Model, noun: str, shape: dict[str, Any]) -> Thing:
    if "piece" in shape:
        alone, by_name = shape.get("alone", False), shape.get("by name", False)
        model.ruleset.kinds.append(Kind(noun, shape["piece"], shape.get("holds", ""), alone, by_name))
        return Thing(
            noun,
            "piece",
            kinds=(len(model.ruleset.kinds) - 1,),
            sheets=(shape["piece"],),
            owned=shape.get("of") != "game",
        )
    if "token" in shape:
        model.ruleset.token_sheets[noun] = tuple(shape["token"])
        if "copies" in shape:
            model.ruleset.copies[noun] = shape["copies"]
        return Thing(noun, "token", sheets=tuple(shape["token"]), copies=shape.get("copies", ""))
    if "is any" in shape:
        covered = [model.thing(one) for one in shape["is any"]]
        kinds = tuple(kind for thing in covered if thing is not None for kind in thing.kinds)
        # Only kinds of piece can share a noun. The linter reports others.
        together = all(thing is not None and thing.base == "piece" for thing in covered)
        return Thing(noun, "piece" if together else None, kinds=kinds)
    if "is a" in shape:
        parent = model.thing(shape["is a"])
        if parent is None:
            # Only nouns declared above count, so that none can be a kind of itself. The linter reports others.
            return Thing(noun, None, tag=shape.get("tag", ""))
        return Thing(noun, parent.base, parent=shape["is a"], tag=shape.get("tag", ""), kinds=parent.kinds)
    model.ruleset.singles.append(noun)
    return Thing(noun, None)


def _join_remains(model: Model, values: dict[str, Any]) -> None:
    """Link kinds of remains to the kinds that they remain of; the linter reports unknown names."""
    kinds, fields = model.ruleset.kinds, enumerate(model.ruleset.fields)
    by_name = {one.name: number for number, one in fields if one.of == "piece" and not one.per}
    for number, kind in enumerate(kinds):
        shape = values["things"][kind.name]
        origin = next((other for other, one in enumerate(kinds) if one.name == shape.get("remains of")), -1)
        if origin >= 0 and origin != number:
            keeps = tuple(by_name[one] for one in shape.get("keeps", ()) if one in by_name)
            kinds[number] = replace(kind, remains_of=origin, keeps=keeps)


def _declare_zones(model: Model, values: dict[str, Any]) -> None:
    for name, shape in values.get("zones", {}).items():
        faces: dict[str, str] = shape.get("faces", {})
        for manner in faces:
            if manner not in model.ruleset.manners:
                model.ruleset.manners.append(manner)
                model.vocabulary.add_adverb(manner)
        model.zones[name] = len(model.ruleset.zones)
        model.ruleset.zones.append(Zone(name, shape["of"], shape["holds"], shape["seen by"], tuple(faces.values())))
        model.vocabulary.add_noun(name)


def _declare_fields(model: Model, values: dict[str, Any], acts: Collection[str]) -> None:
    """Declare the fields of things, and the values of acts; `acts` are the nouns for these."""
    for owner, shapes in values.get("fields", {}).items():
        is_act = owner in acts and owner not in model.things
        if is_act:
            _declare_act(model, owner)
        for name, kind in shapes.items():
            thing = model.thing(owner)
            base = thing.base if thing else None
            of = base if base in ("space", "player", "team", "piece") else ""
            shape = {} if isinstance(kind, str) else kind
            type_: Base = "number" if "trail of" in shape else _type_of(model, kind)
            number = len(model.ruleset.fields)
            kept = shape.get("trail of")
            steps = "space" if isinstance(kept, list) else kept
            until = shape.get("until", "")
            one = Field(name, cast(Any, of), type_, cast(Any, steps), lasts=until if until in TIMES else "")
            if of == "piece" and (acts_said := acts_of_span(until)):
                model.spans[number] = acts_said
            model.ruleset.fields.append(one)
            if is_act:
                model.of_acts[number] = owner
            if "flag" in shape:
                for value, adjective in ((1, name), (0, shape["opposite"])):
                    model.flags[adjective] = (owner, number, value)
                    model.vocabulary.add_adjective(adjective)
            else:
                model.fields.setdefault(name, []).append((owner, number))
                of_number = type_ == "number" and one.steps is None
                (model.vocabulary.add_number if of_number else model.vocabulary.add_noun)(name)


def _declare_act(model: Model, noun: str) -> None:
    """Declare an act as a thing that texts can name while it is under way."""
    model.things[noun] = Thing(noun, None)
    model.ruleset.singles.append(noun)
    _declare_value(model, noun, Field(f"{noun} (under way)", "", "flag", is_under_way=True))


def _declare_value(model: Model, act: str, field: Field) -> None:
    model.of_acts[len(model.ruleset.fields)] = act
    model.ruleset.fields.append(field)


def _declare_parts(model: Model, shapes: dict[str, Any]) -> None:
    """Declare the parts of acts, which are names for the doer and the things in the roles, and their moments."""
    for name, shape in shapes.items():
        number, moments = model.verbs.get(name, -1), shape.get("moments", ())
        if number < 0 or not (moments or "parts" in shape):
            continue
        verb = model.ruleset.verbs[number]
        if verb.act not in model.things:
            _declare_act(model, verb.act)
        for part, role in shape.get("parts", {}).items():
            model.fields.setdefault(part, []).append((verb.act, len(model.ruleset.fields)))
            base: Base = "player" if role == BY and verb.by == "player" else "piece"
            _declare_value(model, verb.act, Field(part, "", base, part="" if role == "object" else role))
            model.vocabulary.add_noun(part)
        if moments:
            model.vocabulary.acts.add(verb.act)
        # A word that is a verb already stays one; the linter reports that it is declared twice.
        for moment in (one for one in moments if one not in model.verbs):
            model.verbs[moment] = len(model.ruleset.verbs)
            kinds = (len(model.ruleset.verbs),)
            one = Verb(moment, moment, verb.by, verb.agent_noun, (), kinds, moment_of=number)
            model.ruleset.verbs.append(one)
            model.vocabulary.add_verb(moment)


def _join_places(model: Model, values: dict[str, Any]) -> None:
    """Link the fields that trails of places keep to these trails; a field that the linter reports is -1 there."""
    fields = model.ruleset.fields
    for owner, shapes in values.get("fields", {}).items():
        for name, shape in shapes.items():
            kept = shape.get("trail of") if isinstance(shape, dict) else None
            number = dict(model.fields.get(name, ())).get(owner, -1)
            if isinstance(kept, list) and number >= 0 and fields[number].of == "piece":
                beside = tuple(_kept_field(model, one) for one in kept[1:])
                fields[number] = replace(fields[number], beside=beside)
                model.vocabulary.add_noun("place")


def _kept_field(model: Model, name: str) -> int:
    """Return the field of a piece that a trail of places can keep, by the name of the field; -1 if there is none."""
    known = [number for _, number in model.fields.get(name, ())]
    known += [model.flags[name][1]] if name in model.flags else []
    fields = model.ruleset.fields
    fitting = (one for one in known if fields[one].of == "piece" and fields[one].steps is None)
    return next((one for one in fitting if fields[one].base in KEPT_IN_PLACES), -1)


def _declare_spans(model: Model) -> None:
    """Declare the fields of pieces that last for acts; the linter reports invalid ones."""
    fields = model.ruleset.fields
    for number, acts in model.spans.items():
        known = dict.fromkeys(model.verb_nouns.get(act, model.verbs.get(act, -1)) for act in acts)
        fields[number] = replace(fields[number], lasts_for=tuple(verb for verb in known if verb >= 0))
    for verb in dict.fromkeys(verb for one in fields for verb in one.lasts_for):
        noun = model.ruleset.verbs[verb].act
        if noun not in model.of_acts.values():
            _declare_value(model, noun, Field(f"{noun} (under way)", "", "flag", is_under_way=True))


def acts_of_span(until: str | Sequence[str]) -> tuple[str, ...]:
    """Return the words for the acts until whose end a field is declared to last; empty for a turn or a round."""
    acts = (until,) if isinstance(until, str) else until
    return tuple(one for one in acts if one and one not in TIMES)


def _join_values(model: Model) -> None:
    """Link the values of acts to the verbs of these."""
    fields = model.ruleset.fields
    for number, noun in model.of_acts.items():
        fields[number] = replace(fields[number], act=model.verb_nouns[noun])


def _type_of(model: Model, kind: str | dict[str, Any]) -> Base:
    """Return the type that a field is declared with: a word, a number, or a flag with its opposite."""
    if not isinstance(kind, str):
        return "flag" if "flag" in kind else "number"
    known = model.thing(kind)
    return cast(Base, known.base if known and known.base else kind)


def _folders(*spans: Span) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(PurePath(span.path).parent) for span in spans))


def _declare_words(
    model: Model, declared: list[tuple[dict[str, Any], tuple[str, ...]]], board: Document | None
) -> None:
    """Declare the words of the game's document, and those that further documents of kind `words` add."""
    for adjective in BUILT_IN_ADJECTIVES:
        model.vocabulary.add_adjective(adjective)
    for words, folders in declared:
        for adjective in words.get("adjectives", ()):
            model.vocabulary.add_adjective(adjective)
        for one, other in words.get("opposites", {}).items():
            model.opposites.setdefault(one, {})[other] = folders
            model.opposites.setdefault(other, {})[one] = folders
        for name in words.get("names", ()):
            model.vocabulary.add_noun(name)
        for word, say in words.get("instead", {}).items():
            model.vocabulary.add_instead(word, tuple(say))
        for word, now in words.get("renamed", {}).items():
            model.vocabulary.add_instead(word, (now,))
        for number in words.get("numbers", ()):
            model.numbers.add(number)
            model.vocabulary.add_number(number)
    for words, _ in declared:
        for noun, several in words.get("plurals", {}).items():
            model.vocabulary.set_plural(noun, several)
    for name, value in (board.values.get("numbers", {}) if board else {}).items():
        model.constants[name] = value
        model.vocabulary.add_noun(name, name)


def _declare_verbs(model: Model, shapes: dict[str, Any]) -> None:
    built_in = (*BUILT_IN_VERBS, *BUILT_IN_FACTS)
    for name in built_in:
        model.vocabulary.add_verb(name)
    # A built-in verb keeps its meaning; the linter reports the second declaration.
    shapes = {name: shape for name, shape in shapes.items() if name not in built_in}
    for name, shape in shapes.items():
        model.verbs[name] = len(model.ruleset.verbs)
        noun = shape.get("noun", name)
        by = model.thing(shape["by"])
        agent = "player" if shape["by"] == "player" else ("piece" if by else "game")
        verb = Verb(name, noun, cast(Any, agent), shape["by"], ())
        handed = model.thing(shape.get("yields", ""))
        verb.yields = handed.name if handed is not None and handed.base is not None else ""
        model.ruleset.verbs.append(verb)
        model.vocabulary.add_verb(name, shape.get("past", ""))
        model.verb_nouns[noun] = model.verbs[name]
        model.vocabulary.add_noun(noun)
    for name, shape in shapes.items():
        said = shape.get("is", ())
        wider = (said,) if isinstance(said, str) else said
        model.ruleset.verbs[model.verbs[name]].parents = tuple(model.verbs[one] for one in wider if one in model.verbs)
    _close_kinds(model)


def _declare_falls(model: Model, span: Span) -> None:
    """Declare the verb of a piece that leaves the board: every removal of a piece makes it fall."""
    ruleset = model.ruleset
    number, noun = len(ruleset.verbs), ruleset.kinds[0].name if len(ruleset.kinds) == 1 else ""
    you, this, agent = Var(YOU, "player", "player"), Var(THIS, "piece", noun), Var(AGENT, "piece", noun)
    code = Code(
        FALL, "verb", number, (this, you, Var(MANNER, "manner"), agent), (RemovePiece(this, span=span),), FIXED, span
    )
    verb = Verb(FALL, FALL, "piece", noun, (), (number,), built_in=True)
    verb.definitions.append(Definition(-1, All((), span), code))
    ruleset.verbs.append(verb)
    ruleset.falls = model.verbs[FALL] = number
    model.vocabulary.add_act(FALL)


def _close_kinds(model: Model) -> None:
    """Give every verb all verbs that are kinds of it, itself included."""
    narrower: dict[int, list[int]] = {}
    for number, verb in enumerate(model.ruleset.verbs):
        for wider in verb.parents:
            narrower.setdefault(wider, []).append(number)
    for number, verb in enumerate(model.ruleset.verbs):
        kinds = [number]
        for wider in kinds:
            kinds.extend(one for one in narrower.get(wider, ()) if one not in kinds)
        verb.kinds = tuple(kinds)


def settle_kinds(model: Model, defined: Collection[str]) -> None:
    """Remove verbs without a definition from the kinds of acts, if they are only names for several of these."""
    verbs = model.ruleset.verbs
    for verb in verbs:
        verb.is_name = len(verb.kinds) > 1 and verb.name not in defined
    for verb in verbs:
        verb.kinds = tuple(one for one in verb.kinds if not verbs[one].is_name)
    named = [(model.verb(name), word) for name, word in model.permitted]
    model.permitted |= {
        (verbs[kind].name, word) for verb, word in named if verb is not None and verb.is_name for kind in verb.kinds
    }


def add_role(verb: Verb, role: Role) -> int:
    """Return the number of the verb's role for this preposition, adding it if it is new."""
    for number, known in enumerate(verb.roles):
        if known.word == role.word:
            return number
    verb.roles.append(role)
    return len(verb.roles) - 1
