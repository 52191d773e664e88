"""Arrivals: whether an event can bring texts into play that had no bearer when it began, found from the rules."""

from __future__ import annotations

from warchest.ir import steps as ir
from warchest.ir.parts import branches_of, kind_changes_in, needed_by, steps_in
from warchest.ir.ruleset import Hook, Ruleset
from warchest.ir.values import Value, Var


class Arrivals:
    """The analyses of the verbs of a rule set."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._hooks: dict[int, list[Hook]] = {}
        for hook in ruleset.hooks:
            for verb in hook.verbs:
                self._hooks.setdefault(verb, []).append(hook)
        self._reached: dict[int, list[ir.Code]] = {}

    def bring(self, verb: int) -> bool:
        """Whether an event of a verb can bring a piece onto the board, change its kind, or give it other texts."""
        steps = (step for code in self._reach(verb) for step in steps_in(code.steps))
        return any(step.changes & {"arrivals", "texts"} for step in steps)

    def reform(self, verb: int) -> bool:
        """Whether an event of a verb can give other texts to a piece that is on the board and keeps its kind."""
        return any(self._reforms(code.steps, ()) for code in self._reach(verb))

    def _reforms(self, steps: ir.Steps, changed: tuple[Value, ...]) -> bool:
        """Whether steps give other texts to pieces, except to pieces that surely change their kind at the same time."""
        changed = (
            *changed,
            *(step.piece for step in kind_changes_in(steps, deep=False) if self._is_sure(step.piece, step.kind)),
        )
        return any(
            ("texts" in step.changes and set(needed_by(step)).isdisjoint(changed))
            or any(self._reforms(branch, changed) for branch in branches_of(step))
            for step in steps
        )

    def _is_sure(self, piece: Value, kind: int) -> bool:
        """Whether a piece surely changes its kind, so that for all other code the former piece has gone."""
        return isinstance(piece, Var) and bool(piece.noun) and not self.ruleset.kinds[kind].alone

    def _reach(self, verb: int) -> list[ir.Code]:
        """Return all code that can be carried out before the hooks `after` an event of a verb."""
        if verb not in self._reached:
            self._reached[verb] = self._codes(verb)
        return self._reached[verb]

    def _codes(self, verb: int) -> list[ir.Code]:
        late = [hook.code for hook in self._hooks.get(verb, ()) if hook.stage == "after"]
        early = [code for code in self._of_verb(verb) if code not in late]
        found, left = dict[str, ir.Code](), [*early, *(rule.code for rule in self.ruleset.state_rules)]
        while left:
            code = left.pop()
            if code.name in found:
                continue
            found[code.name] = code
            for step in steps_in(code.steps):
                left += self._begun(step)
        return list(found.values())

    def _of_verb(self, verb: int) -> list[ir.Code]:
        """Return the code of an event of a verb, of its kinds, and of all answers to these."""
        verbs = {verb, *self.ruleset.verbs[verb].kinds}
        ways = [way.code for one in verbs for way in self.ruleset.verbs[one].definitions]
        return [*ways, *(hook.code for one in verbs for hook in self._hooks.get(one, ()))]

    def _begun(self, step: ir.Order) -> list[ir.Code]:
        match step:
            case ir.Call(verb):
                return self._of_verb(verb)
            case ir.Perform(block):
                return [sheet.blocks[block] for sheet in self.ruleset.sheets if block in sheet.blocks]
        return []
