"""Words that are near each other: a writer or a reader could mistake one for the other."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.resolve.model import ATTRIBUTES, ORDINALS, Model
from warchest.syntax import ast
from warchest.syntax.agreement import nodes_in

THIS, YOU = "this", "you"
MOST = 4
"""The most words that replace one."""
ALIKE = 0.25
"""The share of common words from which on two definitions are near each other."""


class NearWords:
    """The words of a game, with the words near each."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.verbs = {verb.name: verb for verb in model.ruleset.verbs}
        self._said = {word: {word, *self._told(word)} for word in model.adjectives}
        """For each defined adjective, the words of its definition, and itself."""

    def agent(self, verb: str) -> str:
        """Return the pronoun for the agent of a verb on a card: the card's piece, or its player."""
        known = self.verbs.get(verb)
        return THIS if known is not None and known.by == "piece" else YOU

    def adjectives(self, word: str) -> list[str]:
        """Return the opposite of an adjective, or the adjectives that are defined by the same words."""
        if word in self.model.flags:
            _, field, value = self.model.flags[word]
            return [one for one, (_, other, said) in self.model.flags.items() if other == field and said != value]
        if word in ORDINALS:
            place = ORDINALS.index(word)
            return [*ORDINALS[max(place - 1, 0) : place], *ORDINALS[place + 1 : place + 2]]
        own = {word, *self._said.get(word, ())}
        alike = {one: len(own & said) / len(own | said) for one, said in self._said.items() if one != word}
        return sorted((one for one, much in alike.items() if much >= ALIKE), key=lambda one: -alike[one])[:MOST]

    def _told(self, word: str) -> Iterator[str]:
        """Yield the words that define an adjective, without the noun of the thing it describes."""
        for one in self.model.adjectives[word]:
            condition = one.sentence.condition
            words = nodes_in(condition) if condition is not None else ()
            yield from (node.text for node, _ in words if isinstance(node, ast.Word))

    def nouns(self, noun: str) -> list[str]:
        """Return the nouns that are near: zones of the same owners and things, wider and narrower things, numbers."""
        return list(dict.fromkeys(one for one in self._nouns(noun) if one != noun))[:MOST]

    def _nouns(self, noun: str) -> Iterator[str]:
        model, things = self.model, self.model.things
        if noun in model.zones:
            zones = model.ruleset.zones
            own = zones[model.zones[noun]]
            yield from (one.name for one in zones if (one.of, one.holds) == (own.of, own.holds))
        thing = model.thing(noun)
        if thing is not None:
            yield from [thing.parent] if thing.parent else []
            yield from (one for one, other in things.items() if other.parent == noun)
            kinds = set(thing.kinds)
            yield from (one for one, other in things.items() if other.base == "piece" and kinds & set(other.kinds))
        for numbers in (sorted(model.printed), sorted(model.numbers)):
            yield from numbers if noun in numbers else ()
        if noun in ATTRIBUTES:
            yield from (one for one, said in ATTRIBUTES.items() if said == ATTRIBUTES[noun])

    def acts(self, verb: str) -> list[str]:
        """Return the verbs that are near: the wider verb, the narrower ones, and others with the same wider verb."""
        known = self.verbs.get(verb)
        if known is None:
            return []
        wider = [self.model.ruleset.verbs[one].name for one in known.parents]
        kin = (one.name for one in self.model.ruleset.verbs if not set(known.parents).isdisjoint(one.parents))
        narrower = (self.model.ruleset.verbs[one].name for one in known.kinds)
        return [one for one in dict.fromkeys((*wider, *kin, *narrower)) if one != verb]
