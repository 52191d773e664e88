"""Phrases about several things: their nouns are in the plural, and so are the verbs of such subjects."""

from __future__ import annotations

from warchest.syntax import ast
from warchest.syntax.words import Vocabulary


def is_several(phrase: ast.NounPhrase | ast.Total) -> bool:
    """Whether a phrase is about several things, so that its noun is in the plural."""
    if not isinstance(phrase, ast.Phrase):
        return False
    if phrase.count is not None:
        return (phrase.count.low, phrase.count.high) != (1, 1)
    bare = phrase.determiner == "" and not (isinstance(phrase.head, ast.Word) and phrase.head.text == "number")
    return phrase.determiner == "all" or bare


def takes_base_form(subject: ast.NounPhrase | ast.Total, vocabulary: Vocabulary) -> bool:
    """Whether a verb with this subject is in its base form: `you move`, `all units move`, `your points increase`."""
    if isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word):
        return is_several(subject) or subject.head.in_plural or vocabulary.is_plural(subject.head.text)
    return is_several(subject) or (isinstance(subject, ast.Pronoun) and subject.word == "you")
