"""Sentences as they are read on a card of War Chest."""

from __future__ import annotations

from functools import cache

from loaded import shipped, studied
from machine.machine_support import game, refused
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.sentences.slips import with_help
from warchest.paraphrase.reading import Study


@cache
def words_of_war_chest() -> Study:
    """Return the study of War Chest as it is usually played."""
    known = shipped()
    return studied(known)


def read(text: str, meaning: str) -> tuple[str, ...]:
    """Return the canonical form of sentences on a card of War Chest, and how they are understood."""
    reader = words_of_war_chest()
    found = reader.written(text, meaning, reader.bearer("Archer"))
    assert not isinstance(found, list) or not isinstance(found[0], Diagnostic), found
    (one,) = found if isinstance(found, list) else (found,)
    return (*one.sentences, *one.said)


def advised(*documents: str) -> list[Diagnostic]:
    """Return the findings for which War Chest refuses further documents, with all the help that they get."""
    return list(with_help(refused(*documents), words_of_war_chest().vocabulary))


def advised_with(words: str, *documents: str) -> list[Diagnostic]:
    """Return the findings for which War Chest with some words refuses further documents, with all their help."""
    return list(with_help(refused(words, *documents), studied(game(words)).vocabulary))
