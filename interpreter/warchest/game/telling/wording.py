"""Words for things and acts in lines of a log: English grammar around the names that a game has given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from warchest.diagnostics.articles import with_article
from warchest.game.telling.naming import ABSENT, BOARD, Naming, NotedThing
from warchest.game.telling.phrases import HIDDEN
from warchest.ir.values import CAN_BE_UNSET
from warchest.syntax.words import plural, third_person


class LineWording:
    """Words for the things and the acts of one program, with the words of its game for directions."""

    def __init__(self, naming: Naming, directions: Mapping[str, str]) -> None:
        self.naming, self.directions = naming, directions
        self.verbs = {verb.act: verb.name for verb in naming.layout.ruleset.verbs}
        """The verbs of acts, by the names that options use for the acts."""

    def thing(self, base: str, value: Any) -> str:
        """Return the words for a thing that the reader knows; for a token, its name alone."""
        naming = self.naming
        match base:
            case "printed":
                return f"the {naming.documents[value[1]]} on {naming.spaces[value[2]]}"
            case "piece" if isinstance(value, tuple):
                return f"the {naming.told(base, value)}"
            case "amount":
                return f"{value:+d}"
        told = naming.told(base, value)
        if told is None and base:
            return "nothing" if base in CAN_BE_UNSET else "nobody"
        if base == "direction":
            return self.directions.get(told, str(told))
        return str(told).lower() if isinstance(told, bool) else str(told)

    def tokens(self, tokens: Mapping[int, int], is_told: bool) -> str:
        """Return the words for tokens with their numbers: `a Scout coin and 2 Archer coins`, or `2 hidden coins`."""
        found: Counter[tuple[str, str]] = Counter()
        for token, count in tokens.items():
            found[(str(self.naming.told("token", token)) if is_told else "", self.naming.noun(token))] += count
        return listed(counted(name, noun, count) for (name, noun), count in sorted(found.items()))

    def place(self, holder: int, face: bool = True) -> str:
        """Return the words for a place of tokens: `raven's hand`, `the fort supply`, `raven's discard (up)`."""
        if holder >= self.naming.layout.first_piece_holder:
            return BOARD
        zone, owner = self.naming.place(holder)
        side = self.naming.holders[holder].removeprefix("/".join(filter(None, (zone, owner)))).removeprefix("/")
        return (f"{owner}'s {zone}" if owner else f"the {zone}") + (f" ({side})" if side and face else "")

    def way(self, source: int, target: int, face: bool, is_single: bool) -> str:
        """Return the words for the way of tokens, between the tokens and the end of the line."""
        if self.naming.place(target)[0] == ABSENT:
            return f"{'is' if is_single else 'are'} taken from {self.place(source, face)}"
        goes = f"{'goes' if is_single else 'go'} to {self.place(target)}"
        if self.naming.place(source)[0] == ABSENT:
            return goes
        return goes.replace(" to ", f" from {self.place(source, face)} to ", 1)

    def verb(self, act: str) -> str:
        """Return the verb of an act in the third person, by the name that options use: `uses its tactic` for `tactic`."""
        return third_person(self.verbs.get(act, act))

    def role(self, thing: NotedThing, is_told: bool) -> str:
        """Return the words for a thing in a role of an act, with its article: `a Scout coin`."""
        base, value = thing
        if base == "token":
            return self.tokens({value: 1}, is_told)
        return self.thing(base, value)


def counted(name: str, noun: str, count: int) -> str:
    """Return the words for a number of equal tokens: `a Scout coin`, `2 Scout coins`; without a name they are hidden."""
    words = (
        (f"hidden {noun}" if noun else HIDDEN)
        if not name
        else name
        if name.lower().endswith(noun)
        else f"{name} {noun}"
    )
    if count == 1:
        return words if words == HIDDEN else with_article(words)
    return f"{count} {words if words == HIDDEN else plural(words)}"


def listed(words: Iterable[str]) -> str:
    """Return words joined by commas, and by `and` before the last."""
    found: Sequence[str] = list(words)
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
