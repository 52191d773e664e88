"""Words added to sentences: words that an author may have left out, taken from the other texts of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from warchest.resolve.model import ORDINALS
from warchest.syntax import ast
from warchest.syntax.agreement import with_parts
from warchest.testing.mutants.habits import (
    NOWHERE,
    PIECE,
    Habits,
    Likely,
    Slot,
    StandIn,
    is_possessive,
    placed,
    refers,
    verbs_of,
)

FEW = 10
"""The most words of a sort that are tried at one place of a sentence."""
OFTENER = 2.0
"""The weight of adjectives and determiners, which people leave out more often than other words."""
_DETERMINERS = ("another", "each", "all")
"""The determiners that say more than `a`."""


class AddedWords:
    """Additions to parts of sentences: adjectives, phrases of place, roles, adverbs, verbs and determiners."""

    def __init__(self, habits: Habits) -> None:
        self.habits = habits

    def to(self, node: object, slot: Slot, nouns: Sequence[ast.Word]) -> Iterator[tuple[float, Any]]:
        """Yield versions of a part of a sentence with added words, each with its likelihood; `nouns` are known there."""
        if isinstance(node, ast.Phrase) and not refers(node) and not self._is_one(node):
            yield from self._to_phrase(node, slot, nouns)
        verbs = verbs_of(node)
        for verb in verbs:
            yield from self._to_act(node, verb, verbs, nouns)

    def _is_one(self, node: ast.Phrase) -> bool:
        """Whether a phrase names an owner's only thing, as `its space` does; an owner's act can be one of several."""
        return bool(node.count is None and is_possessive(node) and self.habits.base_of(node))

    def _to_phrase(self, node: ast.Phrase, slot: Slot, nouns: Sequence[ast.Word]) -> Iterator[tuple[float, Any]]:
        said = [one.text for one in node.adjectives]
        said += [other for one in said for other in self.habits.near.adjectives(one)]
        # Ordinals are only for things that the text has mentioned.
        for word, likely in _new(self.habits.of_phrase(node, slot, "adjective"), (*said, *ORDINALS)):
            at = self.habits.place_among(word, node.adjectives)
            more = (*node.adjectives[:at], ast.Word(word, span=node.span), *node.adjectives[at:])
            yield OFTENER * likely, replace(node, adjectives=more)
        there = [*map(_relation, node.modifiers), *(("of",) if is_possessive(node) else ())]
        for shape, likely in self.habits.of_phrase(node, slot, "modifier")[:FEW]:
            for one in self._bound(shape, nouns) if _relation(shape) not in there else ():
                yield likely, replace(node, modifiers=_in_order(one, node.modifiers))
        if node.determiner == "a":
            for word, likely in self.habits.of_phrase(node, slot, "determiner"):
                if word in _DETERMINERS:
                    yield OFTENER * likely, replace(node, determiner=word)

    def _to_act(
        self, node: Any, verb: str, verbs: Sequence[str], nouns: Sequence[ast.Word]
    ) -> Iterator[tuple[float, Any]]:
        if isinstance(node, ast.Happens | ast.IsDone | ast.May | ast.Cannot):
            for word, likely in _new(self.habits.of_verb(verb, "verb"), verbs):
                yield likely, replace(node, verbs=(*node.verbs, replace(node.verbs[0], text=word)))
        if isinstance(node, ast.Do | ast.May):
            for word, likely in _new(self.habits.of_verb(verb, "adverb"), node.adverbs):
                yield likely, replace(node, adverbs=(*node.adverbs, word))
        arguments = getattr(node, "arguments", None)
        if isinstance(arguments, ast.Arguments):
            there = [one.word for one in arguments.roles]
            for shape, likely in _new(self.habits.of_verb(verb, "role"), ()):
                for one in self._bound(shape, nouns) if shape.word not in there else ():
                    yield likely, replace(node, arguments=replace(arguments, roles=(*arguments.roles, one)))

    def _bound(self, shape: Any, nouns: Sequence[ast.Word]) -> list[Any]:
        """Return a phrase for each way to fill in its placeholders; the phrase itself if it has none."""
        things: dict[str, list[Any]] = {PIECE: [ast.Pronoun("this", span=NOWHERE)]}
        for one in nouns:
            phrase = ast.Phrase("that", None, (), one, (), span=NOWHERE)
            things.setdefault(self.habits.base_of(phrase), []).append(phrase)
        bases = list(dict.fromkeys(one.base for one, _ in placed(shape) if isinstance(one, StandIn)))
        ways = product(*(things.get(base, ()) for base in bases))
        return [_filled(shape, dict(zip(bases, way, strict=True))) for way in ways]


def _new(likely: Iterable[Likely], there: Sequence[object]) -> list[Likely]:
    """Return the likeliest words that are not there yet."""
    return [one for one in likely if one[0] not in there][:FEW]


def _relation(modifier: object) -> object:
    """Return the key of a modifier: a phrase has at most one distance, one clause, and one of each preposition."""
    match modifier:
        case ast.Related(preposition):
            return preposition
        case ast.Away() | ast.RelativeClause():
            return type(modifier)
    return modifier


def _in_order(new: Any, there: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return modifiers with a new one; a distance comes first, since a direction refers to it."""
    return (new, *there) if isinstance(new, ast.Away) else (*there, new)


def _filled(node: object, things: Mapping[str, object]) -> object:
    return things[node.base] if isinstance(node, StandIn) else with_parts(node, lambda part: _filled(part, things))
