"""Cards for tables on the screen: files for Tabletop Simulator and for Card Game Simulator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from warchest.diagnostics.visible import json_text
from warchest.paper.game_parts import CardFace, PrintedGame
from warchest.paper.pages import BACK, CARDS, bare_sheet, card_pages
from warchest.paper.sizes import PageSize
from warchest.paper.typeset import PPI, Templates
from warchest.source.text import slug

COLUMNS, ROWS = 10, 7
"""The most columns and rows of cards in an image for Tabletop Simulator."""
WIDEST = 4096
"""The most dots of a side of such an image."""
_USUAL_PPI = 150.0
_INCH = 25.4
_NO_FILE = re.compile(r"[^A-Za-z0-9 _.-]")
_LYING = {
    "posX": 0.0,
    "posY": 1.0,
    "posZ": 0.0,
    "rotX": 0.0,
    "rotY": 180.0,
    "rotZ": 180.0,
    "scaleX": 1.0,
    "scaleY": 1.0,
    "scaleZ": 1.0,
}
"""A heap of cards in the middle of the table, face down."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an export: its path in the folder, and its bytes."""

    path: str
    content: bytes


def file_name(name: str) -> str:
    """Return a name in small letters, digits and hyphens, which is a valid name of a file on every system."""
    return slug(name) or "card"


def _json(path: str, value: object) -> ExportedFile:
    return ExportedFile(path, (json_text(value, indent=2) + "\n").encode())


def _rules(card: CardFace) -> str:
    """Return the whole text of a card, a line for each value and sentence."""
    return "\n".join([*(f"{one.key}: {one.value}" for one in card.values), *_lines(card)])


def _lines(card: CardFace) -> list[str]:
    """Return the lines of the texts of a card, each text with its heading."""
    return [line for text in card.texts for line in (text.key, *text.lines) if line]


class CardExport:
    """The cards of a game that are exported, and the templates that draw them."""

    def __init__(
        self, game: PrintedGame, cards: Sequence[CardFace], size: PageSize, templates: Templates, base: str
    ) -> None:
        """Take the cards, their size, and the address under which the files will be found."""
        self.game, self.cards, self.size, self.templates = game, cards, size, templates
        self.base = base.rstrip("/")
        self.overflowing: list[tuple[str, str]] = []

    def _drawn(self, cards: Sequence[CardFace], columns: int, rows: int, ppi: float) -> bytes:
        """Return an image of cards edge to edge; without cards, return an image of a back."""
        sheet = bare_sheet(self.size, columns, rows)
        data = card_pages(self.game, cards, sheet, marks=False, backs=False)
        data["cards"] = data["cards"] or [BACK]
        pages = self.templates.laid_out(CARDS, data, "png", ppi)
        self.overflowing += pages.overflowing
        return pages.files[0]

    # ---- Tabletop Simulator

    def tabletop(self) -> Iterator[ExportedFile]:
        """Yield the files for Tabletop Simulator: images of up to 70 cards, their back, and a saved object."""
        name = file_name(self.game.game.name)
        most = COLUMNS * ROWS
        decks: dict[str, object] = {}
        ids: list[int] = []
        back = ExportedFile(f"{name}-back.png", self._drawn([], 1, 1, _USUAL_PPI))
        yield back
        for number, start in enumerate(range(0, len(self.cards), most), start=1):
            part = self.cards[start : start + most]
            rows = max(ceil(len(part) / COLUMNS), 2)
            ppi = min(_USUAL_PPI, *(WIDEST * _INCH / side for side in (self.size.x * COLUMNS, self.size.y * rows)))
            image = ExportedFile(f"{name}-{number}.png", self._drawn(part, COLUMNS, rows, ppi))
            yield image
            decks[str(number)] = {
                "FaceURL": self._url(image.path),
                "BackURL": self._url(back.path),
                "NumWidth": COLUMNS,
                "NumHeight": rows,
                "BackIsHidden": True,
                "UniqueBack": False,
                "Type": 0,
            }
            ids += [100 * number + index for index in range(len(part))]
        yield _json(f"{name}.json", self._saved(decks, ids))

    def _url(self, path: str) -> str:
        return f"{self.base}/{path}"

    def _saved(self, decks: dict[str, object], ids: Sequence[int]) -> dict[str, object]:
        """Return the saved object: a deck, or a card if there is only one."""
        cards = [self._tabletop_card(one, number, decks) for one, number in zip(self.cards, ids, strict=True)]
        deck = {
            "GUID": "000000",
            "Name": "DeckCustom",
            "Transform": _LYING,
            "Nickname": self.game.title,
            "Description": "",
            "HideWhenFaceDown": True,
            "DeckIDs": list(ids),
            "CustomDeck": decks,
            "ContainedObjects": cards,
        }
        return {
            "SaveName": self.game.title,
            "GameMode": "",
            "Date": "",
            "Table": "",
            "Sky": "",
            "Note": "",
            "Rules": "",
            "PlayerTurn": "",
            "ObjectStates": [deck] if len(cards) > 1 else cards,
        }

    def _tabletop_card(self, card: CardFace, number: int, decks: dict[str, object]) -> dict[str, object]:
        deck = str(number // 100)
        return {
            "GUID": f"{number:06x}",
            "Name": "Card",
            "Transform": _LYING,
            "Nickname": card.name,
            "Description": _rules(card),
            "Tags": [card.kind],
            "HideWhenFaceDown": True,
            "Hands": True,
            "SidewaysCard": False,
            "CardID": number,
            "CustomDeck": {deck: decks[deck]},
        }

    # ---- Card Game Simulator

    def card_game(self, addressed: bool) -> Iterator[ExportedFile]:
        """Yield the files for Card Game Simulator: the game, its cards and sets, and an image of each card.

        Images are found under the address if there is one (`addressed`); otherwise they are in the folder that
        reads them.
        """
        title = self.game.title
        ids = self._ids()
        keys = list(dict.fromkeys(value.key for card in self.cards for value in card.values))
        rules = self._card_game_rules(keys) | (self._addresses() if addressed else {"autoUpdate": -1})
        yield _json("cgs.json", rules)
        yield _json(f"{_plain(title)}.json", rules)
        told = [self._card(card, name, keys) for card, name in zip(self.cards, ids, strict=True)]
        yield _json("AllCards.json", told)
        sets = dict.fromkeys(card.set or "cards" for card in self.cards)
        yield _json("AllSets.json", [{"code": file_name(one), "name": one} for one in sets])
        yield ExportedFile("CardBack.png", self._drawn([], 1, 1, PPI))
        for card, name in zip(self.cards, ids, strict=True):
            yield ExportedFile(f"sets/{file_name(card.set or 'cards')}/{name}.png", self._drawn([card], 1, 1, PPI))

    def _ids(self) -> list[str]:
        """Return a name for each card, with a number where several cards would have the same."""
        found: list[str] = []
        for card in self.cards:
            name = plain = file_name(card.name)
            number = 1
            while name in found:
                number += 1
                name = f"{plain}-{number}"
            found.append(name)
        return found

    def _card_game_rules(self, keys: Sequence[str]) -> dict[str, object]:
        properties = [
            {"name": "kind", "display": "Kind", "type": "string"},
            {"name": "text", "display": "Text", "type": "string"},
            *({"name": file_name(key), "display": key.capitalize(), "type": "string"} for key in keys),
            {"name": "source", "display": "Source", "type": "string"},
        ]
        return {
            "name": self.game.title,
            "cardIdIdentifier": "id",
            "cardNameIdentifier": "name",
            "cardSetIdentifier": "set",
            "cardNameIsUnique": len({one.name for one in self.cards}) == len(self.cards),
            "cardPrimaryProperty": "text",
            "cardProperties": properties,
            "cardImageFileType": "png",
            "cardBackImageFileType": "png",
            "cardSize": {"x": round(self.size.x / _INCH, 3), "y": round(self.size.y / _INCH, 3)},
        }

    def _addresses(self) -> dict[str, str]:
        return {
            "autoUpdateUrl": self._url("cgs.json"),
            "allCardsUrl": self._url("AllCards.json"),
            "allSetsUrl": self._url("AllSets.json"),
            "cardBackImageUrl": self._url("CardBack.png"),
            "cardImageUrl": f"{self.base}/sets/{{cardSet}}/{{cardId}}.{{cardImageFileType}}",
        }

    def _card(self, card: CardFace, name: str, keys: Sequence[str]) -> dict[str, str]:
        told = {value.key: value.value for value in card.values}
        return {
            "id": name,
            "name": card.name,
            "set": file_name(card.set or "cards"),
            "kind": card.kind,
            "text": "\n".join(_lines(card)),
            **{file_name(key): told.get(key, "") for key in keys},
            "source": card.source,
        }


def _plain(title: str) -> str:
    """Return a title without the signs that some systems refuse in names of files."""
    return _NO_FILE.sub("", title).strip(" .") or "game"
