"""Random cards: documents of a kind whose texts are made of the parts of the sentences in the game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from warchest.documents.library import Document
from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.paraphrase.reading import study
from warchest.resolve.resolve import texts_of
from warchest.rulings.cases import KIND as RULINGS
from warchest.testing.draws import Draws, one_of, seldom
from warchest.testing.mixing import Excerpt, TextMixer, units

NAME = "Newcomer"
"""The name of the new card."""
TRIED = 12
"""The most texts that are made before one is understood."""


class CardMaker:
    """Makes cards like those of a kind."""

    def __init__(self, game: Game, kind: str | None) -> None:
        self.game = game
        self.study = study(game.library, game.name, game.boards.usual, game.options(None))
        known: list[Excerpt] = []
        self._excerpts: dict[tuple[str, str, str], list[Excerpt]] = {}
        """The texts of each document, by its kind, its name and their key."""
        for text in texts_of(self.study.desk.reader, self.study.library, self.study.game):
            place = (text.document.kind, text.document.name, text.key)
            for unit in units(self.study, text.sentences, text.meaning, text.carrier):
                known.append(Excerpt(text.meaning, text.carrier, tuple(unit)))
                self._excerpts.setdefault(place, []).append(known[-1])
        self.maker = TextMixer(self.study, known)
        self.kind = kind if kind is not None else self._usual()
        self.blocks: Mapping[str, str] = self.study.desk.model.blocks.get(self.kind, {})
        self._templates = sorted(self._of_kind(self.kind), key=lambda one: len(_text(one)))
        if not self._templates:
            raise ValueError(f"cards: no document of the kind {self.kind!r} has texts of its own")

    def _usual(self) -> str:
        """Return the kind of pieces with the most documents that have texts; without such a kind, that of the most
        documents."""
        counts = {kind: len(self._of_kind(kind)) for kind in self.study.desk.model.blocks}
        of_pieces = self.game.piece_kinds
        return max(counts, key=lambda kind: (counts[kind] > 0 and kind in of_pieces, counts[kind]))

    def _of_kind(self, kind: str) -> list[Document]:
        """Return the documents of a kind that have texts."""
        named = {name for of, name, _ in self._excerpts if of == kind}
        return [one for one in self.study.library.of_kind(kind) if one.name in named]

    def card(self, draws: Draws) -> str | None:
        """Return the text of a card; None if no drawn text is understood."""
        template = one_of(draws, self._templates)
        lines = [f"{self.kind}: {NAME}"]
        for key, value in template.values.items():
            if key in (self.kind, "plural", RULINGS):
                continue
            if key not in self.blocks:
                lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
                continue
            told = self._block(self._excerpts.get((self.kind, template.name, key), []), draws)
            if told is None:
                return None
            lines += [f"{key}: |", *(f"  {one}" for one in told)]
        text = "\n".join(lines) + "\n"
        return text if self._is_understood(template, text) else None

    def _is_understood(self, template: Document, text: str) -> bool:
        """Whether the game can be loaded with a card, which temporarily replaces the file of another one."""
        path = template.span.path
        try:
            self.game.with_text(path, f"{template.span.source.text.rstrip()}\n---\n{text}")
        except CardError:
            return False
        return True

    def _block(self, own: list[Excerpt], draws: Draws) -> list[str] | None:
        """Return the sentences of a block: its own, or others in their place."""
        found: list[str] = []
        for excerpt in own:
            made = [excerpt] if seldom(draws, 3) else self._made(excerpt, draws)
            if not made:
                return None
            found += [self.study.printed(sentence) for one in made for sentence in one.sentences]
        return found

    def _made(self, excerpt: Excerpt, draws: Draws) -> list[Excerpt]:
        """Return texts that are made of an excerpt, or of another one on the same carrier."""
        for _ in range(TRIED):
            alike = [one for one in self.maker.excerpts if one.meaning == excerpt.meaning]
            other = excerpt if not seldom(draws, 2) else replace(one_of(draws, alike), carrier=excerpt.carrier)
            _, made = self.maker.changed(other, draws)
            if made:
                return made
        return []


@lru_cache(maxsize=8)
def card_maker(game: Game, kind: str | None) -> CardMaker:
    """Return the maker of cards of a kind for a game, which is made once."""
    return CardMaker(game, kind)


def _text(document: Document) -> str:
    return json.dumps(document.values, default=str)
