"""Declarations in a game's own document: every name in it must be declared somewhere, and every word once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass, field

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Label, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document, Library
from warchest.resolve.model import (
    ATTRIBUTES,
    BUILT_IN_ADJECTIVES,
    BUILT_IN_FACTS,
    BUILT_IN_NOUNS,
    BUILT_IN_VERBS,
    KEPT_IN_PLACES,
    TIMES,
)
from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence, entries, scalars
from warchest.source.text import Span
from warchest.syntax.ast import OFFERED_CHANGES

_TYPES = ("document", *BUILT_IN_NOUNS)
_KIND = "kind of document"
_OF_ALL_KINDS = ("plural", "set", "source", "ruling", "rulings")
"""The keys of documents of every kind."""
_PRINTED = "a name is the printed name of a document, as its first line gives it"
_FLAG = "an adjective is declared with its opposite: `{flag: true, opposite: …}`"


@dataclass(slots=True)
class Declared:
    """The names that the parts of a game's document declare."""

    kinds: set[str]
    numbers: set[str]
    zones: set[str]
    verbs: set[str]
    fields: set[str] = field(default_factory=set)
    bases: dict[str, str] = field(default_factory=dict)

    def nouns(self, *bases: str) -> set[str]:
        """Return the nouns for things of these bases (of any base, if none is given)."""
        return {noun for noun, base in self.bases.items() if not bases or base in bases}


def declaration_findings(library: Library, game: Document) -> list[Diagnostic]:
    """Find names in the game's document that are declared nowhere, and words that are declared twice."""
    known = declared(library, game)
    boards = {document.name for document in library.of_kind("board")}
    found = [
        *named(game.node.get("board"), boards, "board"),
        *fill_findings(game.node.get("fill"), known),
        *named(game.node.get("active"), known.fields, "field"),
        *named(game.node.get("orders"), known.fields, "field"),
        *_times(game, known),
        *named(game.node.get("armies"), known.zones, "zone"),
        *named(game.node.get("collection"), known.zones, "zone"),
        *_of_pieces(game, known),
        *_things(game, known),
        *_zones_and_fields(library, game, known),
        *_verbs(library, game, known),
        *_twice(library, game),
    ]
    return found


def declared(library: Library, game: Document) -> Declared:
    """Return the declarations of the game's document, and the verbs that designers' documents add."""
    values = game.values
    added = {verb for document in library.of_kind("words") for verb in document.values.get("verbs", {})}
    numbers = {key for shape in values["documents"].values() for key in shape.get("numbers", ())}
    known = Declared(
        set(values["documents"]), numbers, set(values.get("zones", {})), {*values["words"].get("verbs", {}), *added}
    )
    known.bases.update(BUILT_IN_NOUNS)
    for noun, shape in values["things"].items():
        base = next((key for key in ("piece", "token", "single") if key in shape), "piece" if "is any" in shape else "")
        known.bases[noun] = base or known.bases.get(shape.get("is a", ""), "")
    known.fields.update(name for shapes in values.get("fields", {}).values() for name in shapes)
    return known


def acts_of(library: Library, game: Document) -> set[str]:
    """Return the names of all acts, as options use them."""
    verbs = {**game.values["words"].get("verbs", {})}
    for document in library.of_kind("words"):
        verbs.update(document.values.get("verbs", {}))
    return {shape.get("noun", verb) for verb, shape in verbs.items()} | set(_changes(library, game))


def _changes(library: Library, game: Document) -> Iterator[str]:
    """Yield the names of changes that can be offered: `become bolstered`, `increase damage`."""
    for document in (game, *library.of_kind("words")):
        for fields in document.values.get("fields", {}).values():
            for name, shape in fields.items():
                if isinstance(shape, Table) and "flag" in shape:
                    yield from (f"become {one}" for one in (name, shape.get("opposite")) if one)
                elif shape == "number" or (isinstance(shape, Table) and "number" in shape):
                    yield from (f"{change} {name}" for change in OFFERED_CHANGES.values())


def unknown(
    what: str, name: str, names: Collection[str], span: Span, otherwise: str = "", more: str = ""
) -> Diagnostic:
    """Return the finding for a name that is declared nowhere.

    `otherwise` is the help if there are no names, `more` is further help if none is near.
    """
    listed = ", ".join(f"`{one}`" for one in sorted(names)[:12])
    others = f"there are {listed}" if listed else otherwise or f"declare the {what}"
    help = did_you_mean(name, names) or "; ".join(filter(None, (others, more)))
    return report("undeclared", f"there is no {what} {quoted(name)}", span, help=help)


def listed_names(names: Collection[str]) -> str:
    """Return help that lists some names; empty if there are none."""
    return f"there are {', '.join(f'`{name}`' for name in sorted(names)[:12])}" if names else ""


def fill_findings(node: Node | None, known: Declared) -> Iterator[Diagnostic]:
    """Find unknown zones, and unknown nouns for the things that can be in these."""
    for zone in entries(node):
        if zone.key.text not in known.zones:
            yield unknown("zone", zone.key.text, known.zones, zone.key.span)
        yield from named(zone.value, known.nouns("token"), "token")


def named(node: Node | None, names: Collection[str], what: str, more: str = "") -> Iterator[Diagnostic]:
    """Find each name of a scalar or a list that is not in `names`; `more` is further help if no name is similar."""
    for scalar in scalars(node):
        if scalar.text not in names:
            yield unknown(what, scalar.text, names, scalar.span, more=more)


def unknown_names(
    node: Node | None, names: Collection[str], kinds: Table[str, str] | None = None, otherwise: str = _PRINTED
) -> Iterator[Diagnostic]:
    """Find each name of a scalar or a list that none of the given documents has.

    `kinds` are the kinds of all other documents; `otherwise` is the help if no name is near.
    """
    for scalar in scalars(node):
        if scalar.text not in names:
            kind = (kinds or {}).get(scalar.text)
            message = f"there is no document called {quoted(scalar.text)}"
            if kind is not None:
                message = f"{quoted(scalar.text)} is a document of kind {quoted(kind)}, which cannot be here"
            yield report(
                "unknown-name",
                message,
                scalar.span,
                help=did_you_mean(scalar.text, names)
                or (f"for example `{min(names)}` can be" if kind is not None and names else "")
                or otherwise,
            )


def under(node: Node | None, key: str) -> Node | None:
    """Return the node under a key, if there is one."""
    return node.get(key) if isinstance(node, Mapping) else None


def text_under(node: Node | None, key: str) -> str:
    """Return the text of the scalar under a key; empty if there is none."""
    value = under(node, key)
    return value.text if isinstance(value, Scalar) else ""


def words_of(library: Library, game: Document) -> list[Node]:
    """Return the nodes that declare words: in the game's document, and in a designer's documents that add words."""
    own = game.node.get("words")
    return [*([own] if own is not None else []), *(document.node for document in library.of_kind("words"))]


def _things(game: Document, known: Declared) -> Iterator[Diagnostic]:
    above = set(BUILT_IN_NOUNS)
    for entry in entries(game.node.get("things")):
        yield from named(under(entry.value, "piece"), known.kinds, "kind of document")
        yield from named(under(entry.value, "token"), known.kinds, "kind of document")
        yield from named(under(entry.value, "holds"), known.nouns("token"), "token")
        yield from named(under(entry.value, "copies"), known.numbers, "number of a document")
        yield from named(under(entry.value, "is a"), above, "noun above this one")
        yield from named(under(entry.value, "is any"), above & known.nouns("piece"), "piece above this one")
        above.add(entry.key.text)
    yield from _remains(game, known)


def _remains(game: Document, known: Declared) -> Iterator[Diagnostic]:
    """Find remains that are no other kind of piece, or are made differently, and unknown fields to keep."""
    things = game.values["things"]
    kinds = {noun for noun, shape in things.items() if "piece" in shape}
    fields = {
        name for of, shapes in game.values.get("fields", {}).items() if of in known.nouns("piece") for name in shapes
    }
    for entry in entries(game.node.get("things")):
        origin, own = under(entry.value, "remains of"), entry.key.text
        yield from named(origin, kinds - {own}, "other kind of piece")
        yield from named(under(entry.value, "keeps"), fields, "field of a piece")
        if isinstance(origin, Scalar) and origin.text in kinds - {own}:
            other = things[origin.text]
            for key in ("piece", "holds", "of"):
                if things[own].get(key) != other.get(key):
                    said = f"`{key}: {other[key]}`" if key in other else f"no `{key}:`"
                    message = f"{with_article(own)} is not made like {with_article(origin.text)}"
                    yield report(
                        "wrong-kind",
                        message,
                        origin.span,
                        help=f"{with_article(origin.text)} has {said}; say the same here",
                    )


def _of_pieces(game: Document, known: Declared) -> Iterator[Diagnostic]:
    """Find settings for fields of pieces that no piece has."""
    pieces = known.nouns("piece")
    fields = {name for of, shapes in game.values.get("fields", {}).items() if of in pieces for name in shapes}
    for key in ("decides", "heading", "kept"):
        yield from named(game.node.get(key), fields, "field of a piece")
    for shape in entries(game.node.get("documents")):
        for key in ("bears", "names"):
            for entry in entries(under(shape.value, key)):
                yield from named(entry.value, known.kinds, "kind of document")


def _zones_and_fields(library: Library, game: Document, known: Declared) -> Iterator[Diagnostic]:
    for zone in entries(game.node.get("zones")):
        yield from named(under(zone.value, "holds"), known.nouns("token"), "token")
    owners, acts, types = {"game", *known.nouns()}, set(_acts(library, game)), {*_TYPES, *known.nouns()}
    pieces = {*known.nouns("piece", "token")}
    for owner in entries(game.node.get("fields")):
        yield from named(owner.key, owners | acts, "thing")
        for shape in entries(owner.value):
            kept = under(shape.value, "trail of")
            if not isinstance(kept, Sequence):
                yield from named(shape.value, types, "type", more=_FLAG)
            else:
                yield from _trail_of_places(kept, shape.key, owner.key.text, game, known)
            yield from _span(shape, owner.key.text, game, known, acts)
            if isinstance(shape.value, Scalar) and shape.value.text in pieces:
                yield report(
                    "wrong-kind",
                    f"{with_article(shape.value.text)} can leave, and cannot be kept",
                    shape.value.span,
                    help="keep its space, or a flag of its own",
                )
            if owner.key.text in acts - owners:
                yield from _value_of_act(shape.value)


def _trail_of_places(
    kept: Sequence, trail: Scalar, owner: str, game: Document, known: Declared
) -> Iterator[Diagnostic]:
    """Find entries that a trail of places cannot keep: any before the space, and any other than fields."""
    if owner not in known.nouns("piece"):
        yield report(
            "wrong-kind",
            f"only pieces have places, and {with_article(owner)} is not a piece",
            kept.span,
            help=f"declare it for a piece, or keep a space: `{trail.text}: {{trail of: space}}`",
        )
        return
    first, *others = list(scalars(kept))
    if first.text != "space":
        listed = ", ".join(("space", *(one.text for one in (first, *others) if one.text != "space")))
        yield report(
            "wrong-kind",
            "a place is a space with fields of the piece",
            first.span,
            help=f"name the space first: `{trail.text}: {{trail of: [{listed}]}}`",
        )
    pieces = known.nouns("piece")
    fields = {
        name: shape
        for of, shapes in game.values.get("fields", {}).items()
        if of in pieces
        for name, shape in shapes.items()
    }
    fitting = {name for name, shape in fields.items() if _is_kept(shape, known)}
    for one in (one for one in others if one.text not in fitting and one.text != "space"):
        if one.text in fields:
            yield report(
                "wrong-kind",
                f"{quoted(one.text)} cannot be kept with a place",
                one.span,
                help=listed_names(fitting) or "keep only the space",
            )
        else:
            yield unknown("field of a piece", one.text, fitting, one.span)


def _is_kept(shape: str | Table[str, object], known: Declared) -> bool:
    """Whether a trail of places can keep a field of this shape."""
    return known.bases.get(shape, shape) in KEPT_IN_PLACES if isinstance(shape, str) else "flag" in shape


def _acts(library: Library, game: Document) -> Iterator[str]:
    """Yield the nouns for the acts of a game."""
    for entry in (one for words in words_of(library, game) for one in entries(under(words, "verbs"))):
        yield text_under(entry.value, "noun") or entry.key.text


def _value_of_act(shape: Node) -> Iterator[Diagnostic]:
    """Find a value of an act that is declared with a duration, or as a trail."""
    for entry in entries(shape):
        if entry.key.text in ("until", "trail of"):
            yield report(
                "wrong-kind",
                "a value of an act ends with the act",
                entry.key.span,
                help="leave that out, or declare it of a thing",
            )


def _span(shape: Entry, owner: str, game: Document, known: Declared, acts: set[str]) -> Iterator[Diagnostic]:
    """Find the end of a field at a time, or with an act, that the game does not know or that the field cannot have."""
    until, times = under(shape.value, "until"), game.values.get("times", {})
    is_trail = under(shape.value, "trail of") is not None
    if shape.key.text in game.values.get("kept", ()) and any(one.text not in TIMES for one in scalars(until)):
        yield report(
            "wrong-kind",
            "a field that belongs to a form does not end with an act",
            shape.key.span,
            help=f"take `{shape.key.text}` out of `kept:`, or leave out `until:`",
        )
    for one in scalars(until):
        if one.text not in TIMES:
            yield from named(one, acts | known.verbs, "act")
            if owner not in known.nouns("piece"):
                yield report(
                    "wrong-kind",
                    "only fields of pieces last for acts",
                    one.span,
                    help="declare it for a piece, or as a value of the act: `{‹act›: {…}}`",
                )
        elif is_trail or isinstance(until, Sequence):
            said = "a trail lasts for acts" if is_trail else "a list names acts"
            yield report(
                "wrong-kind",
                f"{said}, and a {one.text} is a time",
                one.span,
                help="name an act, by its verb or its noun",
            )
        elif one.text not in times:
            yield report(
                "undeclared",
                f"this game does not declare when a {one.text} starts",
                one.span,
                help=f"declare it: `times: {{{one.text}: {{starts: …, ends: …}}}}`",
            )


def _times(game: Document, known: Declared) -> Iterator[Diagnostic]:
    for span in entries(game.node.get("times")):
        for edge in entries(span.value):
            yield from named(edge.value, known.verbs, "verb")


def _verbs(library: Library, game: Document, known: Declared) -> Iterator[Diagnostic]:
    for entry in (one for words in words_of(library, game) for one in entries(under(words, "verbs"))):
        yield from named(under(entry.value, "by"), {"game", "player", *known.nouns("piece")}, "agent")
        yield from named(under(entry.value, "is"), known.verbs - {entry.key.text}, "other verb")
        yields = known.nouns("piece", "token", *BUILT_IN_NOUNS.values())
        yield from named(under(entry.value, "yields"), yields, "thing")
    numbers = {one.text for words in words_of(library, game) for one in scalars(under(words, "numbers"))}
    numbers |= {
        shape.key.text
        for owner in entries(game.node.get("fields"))
        for shape in entries(owner.value)
        if text_under(owner.value, shape.key.text) == "number" or under(shape.value, "number")
    }
    for entry in (one for words in words_of(library, game) for one in entries(under(words, "plurals"))):
        if not isinstance(entry.value, Scalar) or entry.value.text not in numbers:
            yield from named(entry.key, numbers, "noun for a number")
    adjectives = {one.text for words in words_of(library, game) for one in scalars(under(words, "adjectives"))}
    for entry in (one for words in words_of(library, game) for one in entries(under(words, "opposites"))):
        yield from named(entry.key, adjectives, "adjective with a definition")
        yield from named(entry.value, adjectives - {entry.key.text}, "other adjective with a definition")


def _twice(library: Library, game: Document) -> Iterator[Diagnostic]:
    """Find nouns, adjectives, verbs, fields, kinds of document and keys that are declared twice."""
    known: dict[str, dict[str, Span | None]] = {
        "noun": dict.fromkeys((*BUILT_IN_NOUNS, *ATTRIBUTES, "game")),
        "adjective": dict.fromkeys(BUILT_IN_ADJECTIVES),
        "verb": dict.fromkeys((*BUILT_IN_VERBS, *BUILT_IN_FACTS)),
    }
    for kind in entries(game.node.get("documents")):
        known[f"key of {with_article(kind.key.text)}"] = dict.fromkeys(_OF_ALL_KINDS)
    # The game's own words precede those of packs, in any order of the parts.
    for scalar, what in sorted(_declaring(library, game), key=lambda one: one[0].span.path != game.span.path):
        yield from _again(scalar, known.setdefault(what, {}), what)
    yield from _fields_twice(game)


def _declaring(library: Library, game: Document) -> Iterator[tuple[Scalar, str]]:
    """Yield each declared name in its place, with its sort."""
    for part, what in (("things", "noun"), ("zones", "noun"), ("documents", _KIND), ("position", "key of positions")):
        yield from ((entry.key, what) for entry in entries(game.node.get(part)))
    for owner in entries(game.node.get("fields")):
        for shape in entries(owner.value):
            opposite = under(shape.value, "opposite")
            yield from (
                (one, "adjective")
                for one in (shape.key, opposite)
                if isinstance(opposite, Scalar) and isinstance(one, Scalar)
            )
    for kind in entries(game.node.get("documents")):
        what = f"key of {with_article(kind.key.text)}"
        for part in ("blocks", "names", "bears"):
            yield from ((entry.key, what) for entry in entries(under(kind.value, part)))
        for part in ("numbers", "spaces"):
            yield from ((one, what) for one in scalars(under(kind.value, part)))
    for words in words_of(library, game):
        for part, what in (("numbers", "noun"), ("adjectives", "adjective")):
            yield from ((one, what) for one in scalars(under(words, part)))
        verbs = entries(under(words, "verbs"))
        yield from ((entry.key, "verb") for entry in verbs)
        yield from ((one, "verb") for entry in verbs for one in scalars(under(entry.value, "moments")))
        parts = {part.key.text: part.key for entry in verbs for part in entries(under(entry.value, "parts"))}
        yield from ((key, "noun") for key in parts.values())


def _fields_twice(game: Document) -> Iterator[Diagnostic]:
    """Find fields that two documents declare; in one document different things may have fields with one name."""
    known: dict[str, Span | None] = {}
    for shape in (shape for owner in entries(game.node.get("fields")) for shape in entries(owner.value)):
        first = known.get(shape.key.text)
        if isinstance(shape.value, Scalar) and (first is None or first.path != shape.key.span.path):
            yield from _again(shape.key, known, "field")


def _again(scalar: Scalar, known: dict[str, Span | None], what: str) -> Iterator[Diagnostic]:
    if scalar.text not in known:
        known[scalar.text] = scalar.span
        return
    first = known[scalar.text]
    labels = (Label(first, "declared here"),) if first is not None else ()
    help = f"the language has this {what} already; choose another word"
    if first is not None:
        apart = first.path != scalar.span.path
        help = "call it otherwise here, or use the one that is there" if apart else "take one of the two out"
        if apart and what == _KIND:
            help = "call it otherwise here; to a kind that is there a pack adds `numbers:`, and nothing else"
    yield report(
        "declared-twice", f"the {what} {quoted(scalar.text)} is declared already", scalar.span, help=help, labels=labels
    )
