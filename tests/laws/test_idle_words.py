"""The second law: no word is idle. Without it, or with another in its place, a sentence is refused or differs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from zlib import crc32

import pytest
from hypothesis import settings
from laws_support import (
    CHUNKS,
    GAMES,
    GENERATED,
    Text,
    documented,
    generated,
    shipped,
    study_of,
    super_card,
    understood,
    variants,
)

from warchest.resolve import sets

SYNONYMS = {
    ("a", "any"): "both mean whatever fits; `any` says that it may be the one who acts",
    ("any", "a"): "the same",
    ("a", "each"): "a rule that holds for a thing of a kind holds for each",
    ("each", "a"): "the same",
    ("any", "each"): "the same",
    ("each", "any"): "the same",
    ("the", "that"): "both take up what was spoken of",
    ("that", "the"): "the same",
    ("exactly", ""): "`2 spaces away` is exactly two; the word is there for who wants to be sure",
    ("away", ""): "right before `in a straight line` a distance is told in short",
    ("exactly", "within"): "within 1 space is exactly 1",
    ("within", "exactly"): "the same",
    ("for", "by"): "what ordered an act is told by any of three prepositions, as English goes",
    ("by", "for"): "the same",
    ("against", "by"): "the same",
    ("by", "against"): "the same",
    ("for", "against"): "the same",
    ("against", "for"): "the same",
    ("this", "it"): "where only this was spoken of, `it` is this",
    ("it", "this"): "the same",
    ("corpse", "mortal"): "what is done with corpses alone is defined for them, whatever the definition calls them",
    ("normally ,", ""): "what a text of the game permits, it permits normally",
}
"""Words that say the same in some places, each pair with the reason."""


SHARE = 6 if settings().max_examples <= 40 else 1
"""One of this many words that could replace another is tried where the profile takes few examples."""


def idle(texts: Iterable[Text], share: int = SHARE) -> Iterator[str]:
    """The words that could be left out, or be others, without a difference."""
    for text in texts:
        meaning = understood(text)
        for old, new, written in variants(text):
            if new and crc32(written.encode()) % share:
                continue
            if _is_synonym(text, old, new, written):
                continue
            if understood(text, written) == meaning:
                yield f"`{old}` -> `{new}`: {written}"


@cache
def names_in(game: str) -> str:
    """An expression for the names of documents."""
    return "|".join(study_of(game).vocabulary.spellings(frozenset({"NAME"})))


def _is_synonym(text: Text, old: str, new: str, written: str) -> bool:
    if (old, new) in SYNONYMS:
        return True
    articles = {old, new} <= {"a", "an", "the", "any", "each"}
    if articles and re.search(rf"\b{new} ([a-z]+ )*({names_in(text.game)})\b", written):
        return True  # a name says which document is meant: `a` and `the` both say any thing of it
    if {old, new} <= {"the", "each", "every"} and re.search(
        rf"\bat the (start|beginning|end) of {new} (round|turn)\b", written
    ):
        return True  # a rule about a time holds each time
    if (old, new) == ("within", "") and re.search(r"(?<!-)\b1 space\b", written):
        return True  # nothing else is nearer than one space
    model = study_of(text.game).desk.reader.model
    tokens = [thing.sheets for word in (old, new) if (thing := model.thing(word)) is not None and thing.base == "token"]
    if len(tokens) == 2 and set(tokens[0]) == set(tokens[1]):
        return True  # both are tokens of the same documents: only their places distinguish a decree from a seal
    if model.narrows(old, new):
        return True  # the wider noun where only the narrower one is possible: `control a space` where locations are
    return _takes_up(text, old, new, written)


def _takes_up(text: Text, old: str, new: str, written: str) -> bool:
    """Whether a thing is taken up by another noun that it was called, too: `that player` for `that opponent`."""
    return bool(new) and " " not in old and any(f"{word} {new}" in written for word in ("that", "the"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("chunk", range(5))
def test_no_word_of_the_shipped_texts_is_idle(game: str, chunk: int) -> None:
    assert list(idle(shipped(game)[chunk::5])) == []


def test_no_word_of_the_docs_is_idle() -> None:
    assert list(idle(documented())) == []


def test_no_word_of_the_super_card_is_idle() -> None:
    assert list(idle(super_card())) == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_word_of_generated_sentences_is_idle(chunk: int) -> None:
    game = GAMES[chunk % 2]
    assert list(idle(generated(game, chunk, GENERATED // CHUNKS))) == []


def test_a_word_that_is_passed_over_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = sets._fits
    monkeypatch.setattr(sets, "_fits", lambda *given: whole(*given)[:1])
    assert any(idle(shipped("war-chest")[::3]))
