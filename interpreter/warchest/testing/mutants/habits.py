"""Habits of a game's authors: the words and phrases in its texts for things and acts, with their frequencies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, Literal, TypeAlias

from warchest.source.records import names_of, record
from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.agreement import with_parts
from warchest.testing.mutants.near import NearWords

Slot: TypeAlias = tuple[str, str]
"""The role of a phrase in its sentence: a verb with a preposition (`by` for the agent), or a preposition alone."""
Likely: TypeAlias = tuple[Any, float]
"""Words that could be used, and their likelihood."""
SaidSort: TypeAlias = Literal["adjective", "modifier", "determiner", "verb", "adverb", "role"]
"""The kinds of words that are counted."""
NOWHERE = Span(Source("habits", ""), 0, 0)
"""The place of words that are in no text."""
ANY = "any"
"""The key under which everything is counted."""
PIECE = "piece"
"""The base of `this` on a card, and of names."""
_WEIGHTS = (4.0, 2.0, 1.0, 0.5)
"""The weights of words used with the same noun in the same slot, the same noun, nouns of its base, and any noun."""
_AKIN = 0.25
"""The share of the likelihood of a word that is added to words near to it."""


@record()
class StandIn(ast.SyntaxNode):
    """A placeholder for a thing that a phrase refers to; `base` is the sort of thing."""

    base: str


class Habits:
    """Counts of the words in sentences, for estimating the words that a text may lack."""

    def __init__(self, near: NearWords, sentences: Iterable[ast.SyntaxNode]) -> None:
        self.near = near
        self._things: Counter[object] = Counter()
        """The numbers of phrases and acts, by noun and by verb."""
        self._said: dict[tuple[object, SaidSort], Counter[object]] = defaultdict(Counter)
        self._before: Counter[tuple[str, str]] = Counter()
        """The numbers of pairs of adjectives, in their order."""
        for sentence in sentences:
            for node, slot in placed(sentence):
                match node:
                    case ast.Phrase():
                        self._count_phrase(node, slot)
                    case ast.Is(subject, _, ast.Adjective(word)) | ast.DefineIs(subject, _, ast.Adjective(word)):
                        self._count_told(subject, word.text)
                    case ast.Becomes(subject, ast.Adjective(word)):
                        self._count_told(subject, word.text)
                self._count_act(node)

    def _count_phrase(self, node: ast.Phrase, slot: Slot) -> None:
        adjectives = [one.text for one in node.adjectives]
        self._before.update(combinations(adjectives, 2))
        for circle in self._circles(node, slot):
            self._things[circle] += 1
            self._said[circle, "adjective"].update(adjectives)
            self._said[circle, "modifier"].update(self._unbound(one) for one in node.modifiers)
            self._said[circle, "determiner"][node.determiner] += 1

    def _count_told(self, subject: object, adjective: str) -> None:
        """Count an adjective after its noun, as in `it is alert`, as one that can also come before it."""
        circles = self._circles(subject, ("", ""))[1:-1] if isinstance(subject, ast.Phrase) else [("base", PIECE)]
        for circle in circles:
            self._said[circle, "adjective"][adjective] += 1

    def _count_act(self, node: Any) -> None:
        verbs = verbs_of(node)
        roles = node.arguments.roles if verbs and isinstance(getattr(node, "arguments", None), ast.Arguments) else ()
        for verb in (*verbs, ANY) if verbs else ():
            self._things[verb] += 1
            self._said[verb, "verb"].update(one for one in verbs if one != verb)
            self._said[verb, "adverb"].update(getattr(node, "adverbs", ()))
            self._said[verb, "role"].update(self._unbound(one) for one in roles)

    def _circles(self, phrase: ast.Phrase, slot: Slot) -> tuple[object, ...]:
        """Return the keys under which a phrase is counted, the nearest first."""
        noun = phrase.head.text
        return (slot, noun), noun, ("base", self.base_of(phrase) or noun), ANY

    def base_of(self, phrase: object) -> str:
        """Return the base of the things that a phrase is about, such as piece or space; empty if it has none."""
        if isinstance(phrase, ast.Phrase) and isinstance(phrase.head, ast.Word):
            thing = self.near.model.thing(phrase.head.text)
            return "" if thing is None or thing.base is None else str(thing.base)
        return PIECE

    def _unbound(self, node: object) -> object:
        """Return a phrase with placeholders for its references, because their words differ from card to card.

        A reference to an act under way, such as `the attack`, stays: its words are the same on all cards.
        """
        if not refers(node) or not self.base_of(node):
            return with_parts(node, self._unbound)
        return StandIn(self.base_of(node), span=NOWHERE)

    # ---- estimates

    def of_phrase(self, phrase: ast.Phrase, slot: Slot, sort: SaidSort) -> list[Likely]:
        """Return words of a sort that could be used in a phrase in its slot, the likeliest first.

        Phrases of place can also come from phrases about things of any base; other words cannot.
        """
        found: dict[Any, float] = defaultdict(float)
        for circle, weight in zip(self._circles(phrase, slot), _WEIGHTS, strict=True):
            for one, often in self._said[circle, sort].items():
                if circle != ANY or is_place(one):
                    found[one] += weight * often / (self._things[circle] + 1)
        return _sorted(_with_near(found, self.near.adjectives) if sort == "adjective" else found)

    def of_verb(self, verb: str, sort: SaidSort) -> list[Likely]:
        """Return words of a sort that could be used with a verb, the likeliest first."""
        found = {one: often / (self._things[verb] + 1) for one, often in self._said[verb, sort].items()}
        if sort == "adverb":
            found = {**{one: often / (self._things[ANY] + 1) for one, often in self._said[ANY, sort].items()}, **found}
        if sort == "verb":
            found = {**dict.fromkeys(self.near.acts(verb), _AKIN / (self._things[verb] + 1)), **found}
        return _sorted(found)

    def place_among(self, adjective: str, others: tuple[ast.Word, ...]) -> int:
        """Return the usual place of an adjective among others."""
        before = (
            number
            for number, one in enumerate(others)
            if self._before[adjective, one.text] > self._before[one.text, adjective]
        )
        return next(before, len(others))


def placed(node: ast.SyntaxNode, slot: Slot = ("", "")) -> Iterator[tuple[ast.SyntaxNode, Slot]]:
    """Yield a node and all nodes in it, each with its slot."""
    yield node, slot
    verb = " or ".join(verbs_of(node)) or slot[0]
    for name in names_of(type(node)):
        value = getattr(node, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, ast.SyntaxNode):
                yield from placed(one, _slot_in(node, name, verb))


def verbs_of(node: object) -> tuple[str, ...]:
    """Return the verbs of a node, by their dictionary forms; none where it has none."""
    return tuple(one.text for one in getattr(node, "verbs", ()) or (getattr(node, "verb", None),) if one is not None)


def refers(phrase: object) -> bool:
    """Whether a phrase only refers to something known: `this`, `it`, or `that` or `the` with a noun."""
    match phrase:
        case ast.Pronoun("this" | "it") | ast.Phrase("that" | "the", None, (), ast.Word(), ()):
            return True
    return False


def is_place(said: object) -> bool:
    """Whether words give a place, as `adjacent to this` does and `of this` does not."""
    return isinstance(said, ast.Away | ast.InDirection | ast.InLine | ast.Related) and not is_possessive(said)


def is_possessive(said: object) -> bool:
    """Whether words name an owner: `of this`, or the determiner of `its strength`."""
    match said:
        case ast.Related("of") | ast.Phrase("its" | "your"):
            return True
    return False


def _slot_in(node: object, name: str, verb: str) -> Slot:
    """Return the slot of a part of a node, by the name of that part and the verb around it."""
    match node:
        case ast.RolePhrase(word):
            return verb, word
        case ast.Related(preposition):
            return "", preposition
        case ast.Arguments():
            return verb, ""
    return (verb, "" if name == "arguments" else "by") if verbs_of(node) else ("", type(node).__name__)


def _with_near(found: dict[str, float], near: Callable[[str], list[str]]) -> dict[str, float]:
    """Return the likelihoods of words and of words near to them."""
    more = dict(found)
    for word, likely in found.items():
        for one in near(word):
            more[one] = more.get(one, 0.0) + _AKIN * likely
    return more


def _sorted(found: dict[Any, float]) -> list[Likely]:
    return sorted(found.items(), key=lambda one: (-one[1], str(one[0])))
