"""The acts that a piece of the rules can come to, so that a question about one act is not answered by another."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.ir import steps as ir
from warchest.ir.ruleset import Ruleset


class ReachableActs:
    """The acts that the definitions of a rule set can come to, in their own steps."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._steps = {one.code.name: one.code.steps for verb in ruleset.verbs for one in verb.definitions}
        self._found: dict[str, frozenset[str]] = {}

    def acts(self, name: str) -> frozenset[str] | None:
        """Return the acts that the definition of this name comes to, or None if it is none."""
        if name not in self._steps:
            return None
        if name not in self._found:
            verbs: set[int] = set()
            for call in _calls(self._steps[name]):
                self._add(call.verb, verbs)
            self._found[name] = frozenset(self.ruleset.verbs[number].act for number in verbs)
        return self._found[name]

    def _add(self, number: int, found: set[int]) -> None:
        for verb in {number, *self.ruleset.verbs[number].kinds} - found:
            found.add(verb)
            for definition in self.ruleset.verbs[verb].definitions:
                for call in _calls(definition.code.steps):
                    if call.verb not in found:
                        self._add(call.verb, found)


def _calls(steps: ir.Steps) -> Iterator[ir.Call]:
    """Yield the acts that steps order; what a block of a card orders is done within another act."""
    for step in steps:
        match step:
            case ir.Call():
                yield step
            case ir.If(_, then, otherwise):
                yield from _calls(then)
                yield from _calls(otherwise)
            case ir.Until(_, inner) | ir.ForEach(_, _, _, _, inner) | ir.IfAble(inner):
                yield from _calls(inner)
            case ir.Either(options) | ir.Offer(options):
                for option in options:
                    yield from _calls(option)
