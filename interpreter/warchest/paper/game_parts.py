"""The printed parts of a game as plain data: its cards, tokens and rules, from the texts in use."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from warchest.documents.layers import layered
from warchest.documents.library import Document, Library
from warchest.game.borne_documents import bearing_keys, borne_by, borne_documents, text_in
from warchest.game.game import Game
from warchest.picture import style_of
from warchest.picture.scene import short_labels
from warchest.picture.style import CardStyle, Style, ink

PALETTE = ("#7a2e2e", "#2f4f6f", "#3f5d3a", "#6b4a1f", "#553a6b", "#1f5f5b", "#7a4a5a", "#4a4f57")
"""The colours of cards by their sets, in the order in which the game's cards name these."""
_APART = ("source", "ruling", "rulings", "cases", "remarks", "set", "plural", "parameters")
"""Keys that are printed in a place of their own, or not at all."""
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


@dataclass(frozen=True, slots=True)
class Section:
    """A text of a card: its title, and its sentences; sentences that belong together are in one line."""

    key: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedValue:
    """A short value of a card, with its key."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class ErratumInUse:
    """An erratum that changes a printed text, and its source."""

    name: str
    source: str


@dataclass(frozen=True, slots=True)
class CardFace:
    """Everything that is printed on a card. `range` is the data of the drawing of its range, or None."""

    kind: str
    name: str
    label: str
    set: str
    values: tuple[PrintedValue, ...]
    texts: tuple[Section, ...]
    source: str
    errata: tuple[ErratumInUse, ...]
    colour: str
    ink: str
    range: Mapping[str, object] | None = field(default=None)


@dataclass(frozen=True, slots=True)
class PrintedToken:
    """One token: the kind, name and label of its document, its short values in one word, its colours, if it faces."""

    kind: str
    name: str
    label: str
    values: str
    colour: str
    ink: str
    facing: bool


class PrintedGame:
    """The printable parts of a game with some options."""

    def __init__(self, game: Game, options: Mapping[str, str]) -> None:
        self.game, self.options = game, dict(options)
        self.library: Library = layered(game.library, options)[0]
        self.layers = game.layers(options)
        self.style: Style = style_of(game.library, game.variant(options).format.shapes)
        self.kinds: Mapping[str, Any] = game.document.values["documents"]
        named = (one.name for one in self.library.documents if one.kind in self.kinds)
        self.labels = short_labels(named, self.style.labels)
        sets = dict.fromkeys(str(one.values["set"]) for one in self.library.documents if "set" in one.values)
        self.palette = {name: PALETTE[number % len(PALETTE)] for number, name in enumerate(sets)}

    @property
    def title(self) -> str:
        """The title of the game."""
        return str(self.game.document.values.get("title", self.game.name))

    # ---- cards

    @property
    def card_styles(self) -> tuple[CardStyle, ...]:
        """The kinds of cards in the style of the game; if there are none, all kinds that have tokens and texts."""
        if self.style.cards:
            return self.style.cards
        kinds = dict.fromkeys(kind for thing in self._things() for kind in thing.get("token", ()))
        return tuple(CardStyle(kind, "own") for kind in kinds if self.kinds[kind].get("blocks"))

    def card_kinds(self) -> list[str]:
        """Return the kinds of documents that are cards."""
        return [how.kind for how in self.card_styles]

    def documents(self, kinds: Iterable[str], sets: Collection[str]) -> list[Document]:
        """Return the documents of some kinds that are in some sets or in no set, with the layers in use applied."""
        return [one for kind in kinds for one in self.library.of_kind(kind) if is_in(one, sets)]

    def face(self, document: Document) -> CardFace:
        """Return the front of the card of a document, without its range."""
        colour = self.colour(document)
        return CardFace(
            document.kind,
            document.name,
            self._label(document),
            str(document.values.get("set", "")),
            tuple(self._values(document)),
            tuple(self._texts(document)),
            str(document.values.get("source") or document.values.get("ruling") or ""),
            tuple(self._errata(document)),
            colour,
            ink(colour),
        )

    def _label(self, document: Document) -> str:
        return self.labels.get(document.name, document.name[:3])

    def style_of(self, document: Document) -> CardStyle:
        """Return the style of cards of the kind of a document."""
        return next((how for how in self.card_styles if how.kind == document.kind), CardStyle(document.kind))

    def colour(self, document: Document) -> str:
        """Return the colour of a document: that of its kind or, if this has none, of its set."""
        return self.style_of(document).colour or self.palette.get(str(document.values.get("set", "")), PALETTE[-1])

    def _values(self, document: Document) -> Iterator[PrintedValue]:
        apart = {*_APART, *self.kinds.get(document.kind, {}).get("blocks", {}), *bearing_keys(self.game, document.kind)}
        for key, value in list(document.values.items())[1:]:
            if key not in apart and not isinstance(value, dict):
                listed = value if isinstance(value, list | tuple) else [value]
                yield PrintedValue(key.replace("_", " "), ", ".join(map(str, listed)))

    def _texts(self, document: Document) -> Iterator[Section]:
        for block in self.kinds.get(document.kind, {}).get("blocks", {}):
            if document.blocks(block):
                yield Section(block, sentences(text_in(document, block)))
        for written, blocks in borne_by(self.game, document, self.library):
            yield Section(written, tuple(line for text in blocks.values() for line in sentences(text)))

    def _errata(self, document: Document) -> Iterator[ErratumInUse]:
        """Yield the layers in use that change a document, or one that it bears."""
        borne_ones = (other for _, other, _ in borne_documents(self.game, document, self.library))
        return self.errata_for([document, *borne_ones])

    # ---- tokens

    def tokens(self, documents: Collection[Document]) -> list[PrintedToken]:
        """Return the tokens of documents that pieces on the board are made of, each as often as the game has it."""
        return [token for one in documents for token in [self._token(one)] * self.copies(one)]

    def copies(self, document: Document) -> int:
        """Return the number of tokens of a document if pieces are made of them, otherwise 0."""
        copies = next((one.get("copies", "") for one in self._held() if document.kind in one.get("token", ())), None)
        return 0 if copies is None else int(document.values.get(copies, 1)) if copies else 1

    def token_kinds(self) -> list[str]:
        """Return the kinds of documents whose tokens pieces are made of."""
        return list(dict.fromkeys(kind for one in self._held() for kind in one.get("token", ())))

    def _held(self) -> Iterator[Mapping[str, Any]]:
        """Yield the declarations of the tokens that pieces hold."""
        things = self.game.document.values["things"]
        return (things.get(str(thing.get("holds", "")), {}) for thing in self._things() if "piece" in thing)

    def _token(self, document: Document) -> PrintedToken:
        colour = self.colour(document)
        how = next((one for one in self.style.pieces if all(key in document.values for key in one.values)), None)
        values = "/".join(str(document.values[key]) for key in how.values) if how is not None else ""
        faces = bool(values and how is not None and how.facing)
        return PrintedToken(document.kind, document.name, self._label(document), values, colour, ink(colour), faces)

    # ---- rules

    def rules_of(self, document: Document) -> Iterator[Section]:
        """Yield the rules in a game's document or in a pack, under the headings that comments in them make."""
        if document.kind in self.kinds or "rules" not in document.values:
            return
        key, lines = "", list[str]()
        for line in str(document.values["rules"]).splitlines():
            if line.startswith("#"):
                if lines:
                    yield Section(key, sentences("\n".join(lines)))
                key, lines = line.lstrip("# "), []
            else:
                lines.append(line)
        if lines:
            yield Section(key, sentences("\n".join(lines)))

    def errata_for(self, documents: Iterable[Document]) -> Iterator[ErratumInUse]:
        """Yield the errata in use that amend some documents."""
        amended = {(one.kind, one.name) for one in documents}
        for layer in self.layers:
            if (layer.values["amends"]["kind"], layer.values["amends"]["name"]) in amended:
                why = layer.values.get("source") or layer.values.get("ruling", "")
                yield ErratumInUse(layer.name, str(why))

    def _things(self) -> Iterable[Mapping[str, Any]]:
        return (one for one in self.game.document.values["things"].values() if isinstance(one, Mapping))


def is_in(document: Document, sets: Collection[str]) -> bool:
    """Whether a document is in one of some sets, or in no set at all."""
    return str(document.values.get("set", "")) in ("", *sets)


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text as they are printed: without comments, and with capitals at their beginnings.

    Each begins with a line, and includes the further lines up to one that ends with a full stop.
    """
    found: list[str] = []
    begun = False
    for line in text.splitlines():
        said = " ".join(_COMMENT.sub("", line).split())
        if not said:
            continue
        found = [*found[:-1], f"{found[-1]} {said}"] if begun else [*found, said]
        begun = not said.endswith(".")
    return tuple(re.sub(r"(^|\. )([a-z])", lambda match: match[1] + match[2].upper(), one) for one in found)
