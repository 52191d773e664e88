"""Leaks of hidden information to a player, by differences in views or questions of states that must look alike.

The rules may reveal hidden things: by chance, by tokens that are shown or leave hidden places, and by decisions of
others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from warchest.engine.history import Decided, Happened, Placed, Seen, TokenMoved
from warchest.game.decision import Option
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.lowering.layout import NOWHERE

AHEAD = 4
"""The most successive options of a player that are taken."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A leak, in words, and the ids of the options that lead to it."""

    text: str
    path: tuple[str, ...] = ()


class Watcher:
    """A player who follows a game, and only sees some places."""

    def __init__(self, variant: Variant, player: str) -> None:
        self.variant, self.player = variant, player
        self.number, self.documents = variant.player_number(player), variant.program.layout.documents

    def learns(self, events: Sequence[Happened]) -> bool:
        """Whether some events may reveal something hidden to the player by the rules."""
        return any(self._learns_by(one) for one in events)

    def _learns_by(self, one: Happened) -> bool:
        match one:
            case Decided(player=by):
                return by != self.player
            case Seen(by=by):
                return by == self.number
            case TokenMoved(token=token) | Placed(token=token):
                return self._hides(token)
        return False

    def _hides(self, token: int) -> bool:
        """Whether a token is in a place that is hidden from the player."""
        holder = token // self.documents
        return holder != NOWHERE and not self.variant.sees(self.number, holder)

    def named(self, state: State, events: Sequence[Happened]) -> str:
        """Return the label of an option that names a token hidden from the player; empty if there is none.

        `events` are those since the last state between acts: the player knows the tokens that these have moved.
        """
        come = {(one.token % self.documents, one.holder) for one in events if isinstance(one, TokenMoved)}
        for option in state.decision.options if state.decision is not None else ():
            if any(
                base == "token"
                and value >= 0
                and self._hides(value)
                and (value % self.documents, value // self.documents) not in come
                for _, base, value in option.path.notes
            ):
                return option.label
        return ""

    def tells_apart(self, one: State, other: State) -> str:
        """Return the difference between two observations of a player in words; empty if equal."""
        asked, instead = one.decision, other.decision
        if (asked and asked.player) != (instead and instead.player):
            return "the question who decides"
        seen, view = one.view(self.player), other.view(self.player)
        if seen != view:
            return f"the view ({', '.join(key for key in {**seen, **view} if seen.get(key) != view.get(key))})"
        if asked is None or instead is None or asked.player != self.player:
            return ""
        same = [option.id for option in asked.options] == [option.id for option in instead.options]
        return "" if same and asked.prompt == instead.prompt else "the choice"


class OwnWay:
    """A state that a player has reached by own options from a state in which no act was under way."""

    def __init__(self, state: State, begun: int | None = None) -> None:
        self.state, self._begun = state, len(state.history()) if begun is None else begun

    def on(self, watcher: Watcher, option: Option) -> OwnWay | None:
        """Return the state after an option; None if it shows the player hidden things, or chance decides next.

        The result is also None after an error, which other laws report.
        """
        try:
            assert self.state.decision is not None
            way = OwnWay(self.state.clone().apply(self.state.decision.by_id(option.id)), self._begun)
            is_chance = way.state.decision is not None and way.state.decision.is_chance
        except Exception:
            return None
        return None if is_chance or watcher.learns(way.events) else way

    @property
    def events(self) -> Sequence[Happened]:
        """The events since the beginning."""
        return self.state.history()[self._begun :]


def leak_at(watcher: Watcher, here: OwnWay, others: Sequence[OwnWay], taken: tuple[Option, ...] = ()) -> Leak | None:
    """Return a leak to a player in a state, or after more options of the player's own; None if there is none.

    `others` are states that must look the same to the player; the same options are taken in them. All options are tried
    at first, and one random option of each later decision.
    """
    decision, name = here.state.decision, watcher.player
    asked = decision.player if decision is not None else None
    after, path = "".join(f"after `{one.label}`, " for one in taken), tuple(one.id for one in taken)
    if decision is not None and asked is not None:
        label = Watcher(watcher.variant, asked).named(here.state, here.events)
        if label:
            return Leak(f"{after}`{label}` names a token that is hidden from {asked}", path)
    for other in others:
        told = watcher.tells_apart(here.state, other.state)
        if told:
            return Leak(f"{after}{told} shows {name} something hidden", path)
    if decision is None or asked != name or len(taken) == AHEAD:
        return None
    for option in decision.options if not taken else [decision.sample(Random(len(taken)))]:
        there = here.on(watcher, option)
        alike = [one for other in others if (one := other.on(watcher, option)) is not None]
        leak = leak_at(watcher, there, alike, (*taken, option)) if there is not None else None
        if leak is not None:
            return leak
    return None
