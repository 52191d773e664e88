"""The vocabulary of options: their acts, the keys of each act, and the values of each key.

A rule is not shown to forbid an option that could never be offered anyway.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from warchest.diagnostics.suggest import did_you_mean
from warchest.game.explain.option_questions import SPACE, own_acts
from warchest.game.setup.boards import Boards
from warchest.game.variant import Variant
from warchest.ir import steps as ir
from warchest.ir.parts import nodes_in, reached, verbs_ordered
from warchest.ir.ruleset import Ruleset
from warchest.lowering.act_orders import role_key
from warchest.lowering.board import Board

ACTS = ("act", "as", "then")
"""The keys under which an option names acts."""
_ANYWHERE = {*ACTS, "each", "of", "clause", "number", "way", "does"}
"""The keys that go with every act."""
_FREE = ("of", "clause", "number", "way", "does")
"""The keys whose values are not names of one kind."""
_BEFORE = ("before", "instead")
"""The stages of hooks that ask before their event happens, so that an option can include both."""
_LISTED = 8


class Unsayable(NamedTuple):
    """A part that no option can have: its key, whether the key itself is wrong, a message, and help."""

    key: str
    by_key: bool
    message: str
    help: str


class Sayable:
    """The vocabulary of a game's options on a board; `spaces` are the spaces of all its boards."""

    def __init__(self, ruleset: Ruleset, board: Board, spaces: Collection[str]) -> None:
        self.ruleset, self.spaces = ruleset, set(spaces)
        self._codes: dict[int, list[ir.Code]] = {}
        for number, verb in enumerate(ruleset.verbs):
            hooks = [hook.code for hook in ruleset.hooks if number in hook.verbs and hook.stage in _BEFORE]
            self._codes[number] = [*(definition.code for definition in verb.definitions), *hooks]
        self._below = self._reached()
        self.acts: dict[str, set[int]] = {act: set() for act in own_acts(ruleset)}
        for number, verb in enumerate(ruleset.verbs):
            self.acts.setdefault(verb.act, set()).add(number)
        self._by_key: dict[str, set[int]] = {}
        self._bases: dict[str, set[str]] = {}
        self._verbs()
        self._chosen = self._choices()
        self._names = {
            "space": self.spaces,
            "player": {seat.name for seat in board.seats},
            "team": set(board.teams),
            "direction": set(board.directions),
            "document": {sheet.name for sheet in ruleset.sheets},
        }

    # ---- possible combinations of keys

    def _verbs(self) -> None:
        """Note the keys that the verbs use in options, with the types of their values."""
        for number, verb in enumerate(self.ruleset.verbs):
            if verb.by == "piece":
                self._note(verb.agent_noun, number, "piece")
            elif verb.by == "player":
                self._note(verb.agent_noun, number, "player")
            for role in (one for one in verb.roles if not one.is_quantity):
                self._note(role_key(role.word, role.noun), number, role.base)
                # Roles filled by the agent itself, or named twice, have the act as their key.
                self._note(verb.act, number, role.base)
            for choice in (node for code in self._codes[number] for node in nodes_in(code.steps)):
                if isinstance(choice, ir.Choose):
                    self._note(verb.act, number, choice.var.base)

    def _note(self, key: str, number: int, base: str) -> None:
        self._by_key.setdefault(key, set()).add(number)
        self._bases.setdefault(key, set()).add(base)

    def _choices(self) -> set[str]:
        """Return the keys of choices outside any act, which can come before any act."""
        found: set[str] = set()
        for step in (node for code in self.ruleset.codes() for node in nodes_in(code.steps)):
            if isinstance(step, ir.Choose):
                found.add(step.key)
                self._bases.setdefault(step.key, set()).add(step.var.base)
            elif isinstance(step, ir.ForEach):
                self._bases.setdefault("each", set()).add(step.var.base)
        return found

    def _reached(self) -> dict[int, set[int]]:
        """Return, for each verb, all verbs that its definitions lead to, itself included."""
        steps = {number: verbs_ordered(self.ruleset, codes) for number, codes in self._codes.items()}
        for hook in self.ruleset.hooks:
            # A preceding act can be part of the same option as the act that depends on it.
            for first in verbs_ordered(self.ruleset, [hook.code]) if hook.stage in _BEFORE else ():
                steps[first] |= set(hook.verbs)
        return {one: reached((one,), lambda verb: (*steps[verb], *self.ruleset.verbs[verb].kinds)) for one in steps}

    def _goes_with(self, key: str, acts: Collection[str]) -> bool:
        """Whether an option with these acts can have a key."""
        verbs = {number for act in acts for number in self.acts.get(act, ())}
        if key in self._chosen or key in _ANYWHERE or not verbs:
            return True
        takers = self._by_key.get(key, set())
        return any(taker in self._below[verb] or verb in self._below[taker] for taker in takers for verb in verbs)

    # ---- what is wrong

    def wrong(self, wanted: Mapping[str, object]) -> Iterator[Unsayable]:
        """Yield each part of a question that no option of the game can have.

        A question why an option is not on offer may name an act by its verb; see `called`.
        """
        acts = [str(wanted[key]) for key in ACTS if key in wanted]
        for act_key in ACTS:
            act = wanted.get(act_key)
            if act is not None and act not in self.acts:
                yield Unsayable(act_key, False, f"there is no act `{act}`", did_you_mean(str(act), self.acts))
        known = {*self._by_key, *self._chosen, *_ANYWHERE}
        for key, value in wanted.items():
            word = key.rstrip("0123456789").rstrip()
            if word not in known:
                yield Unsayable(
                    key, True, f"options say no `{word}`", did_you_mean(word, known) or self._keys(acts, wanted)
                )
            elif not self._goes_with(word, acts):
                named = " and ".join(f"`{act}`" for act in acts)
                yield Unsayable(key, True, f"{named} is never said with `{word}`", self._keys(acts, wanted))
            elif key not in ACTS and word not in _FREE:
                yield from self._value(key, word, value)

    def called(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data asked about, with the act as options name it."""
        named = {verb.name: verb.act for verb in self.ruleset.verbs}
        return {key: named.get(value, value) if key == "act" else value for key, value in wanted.items()}

    def _keys(self, acts: Collection[str], said: Collection[str]) -> str:
        """Return help that lists the keys of some acts, except keys that are already mentioned."""
        verbs = {number for act in acts for number in self.acts.get(act, ())}
        roles = {key for key, takers in self._by_key.items() if takers & verbs and key not in self.acts}
        left = sorted(roles.union(*map(self._own_choices, verbs)).difference(said))
        otherwise = "leave it out" if verbs else ""
        return f"say {', '.join(f'`{key}`' for key in left)}" if left else otherwise

    def _own_choices(self, number: int) -> set[str]:
        """Return the keys of the choices in the definitions of a verb; for a repeated key also the name of the act."""
        verb, keys = self.ruleset.verbs[number], set[str]()
        for definition in verb.definitions:
            named = Counter(choice.key for choice in nodes_in(definition.code.steps) if isinstance(choice, ir.Choose))
            keys |= {*named, *([verb.act] if max(named.values(), default=0) > 1 else [])}
        return keys

    def _value(self, key: str, word: str, value: object) -> Iterator[Unsayable]:
        bases = self._bases.get(word, set())
        if not isinstance(value, str) or not bases or "number" in bases:
            return
        names = {name for base in bases for name in self._named(base, word)}
        first, _, rest = value.partition(" ")
        standing = "piece" in bases and first.partition("/")[0] in self.spaces
        if value in names or (standing and (not rest or rest in self._names["document"])):
            return
        if SPACE.fullmatch(first.partition("/")[0]) and bases & {"space", "piece"}:
            help = "the `rows` of the boards list the existing ones"
            yield Unsayable(key, False, f"no board has a space `{first}`", help)
            return
        yield Unsayable(key, False, f"`{word}` cannot be `{value}`", did_you_mean(value, names) or _such(bases, names))

    def _named(self, base: str, word: str) -> Collection[str]:
        """Return the names of the values of a type, as far as a noun limits their kind."""
        if base == "token":
            kinds = self.ruleset.token_sheets.get(word)
            return {sheet.name for sheet in self.ruleset.sheets if kinds is None or sheet.kind in kinds}
        return self._names.get(base, ()) if base != "piece" else self.spaces


def _such(bases: set[str], names: Collection[str]) -> str:
    """Return help on the sort of value that is needed; empty if the sort is unknown."""
    if bases & {"space", "piece"}:
        return "name a space"
    listed = ", ".join(f"`{one}`" for one in sorted(names)[:_LISTED])
    return f"it is one of {listed}{', …' if len(names) > _LISTED else ''}" if listed else ""


@lru_cache(maxsize=8)
def sayable(variant: Variant, boards: Boards) -> Sayable:
    """Return the vocabulary of a variant's options, in a game with these boards."""
    return Sayable(variant.program.ruleset, variant.board, boards.spaces)
