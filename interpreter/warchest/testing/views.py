"""The things that a player could learn of what is hidden, by what is seen or asked in states that look alike.

Rules may tell a player of it: by chance, by tokens that are shown or leave hidden places, and by what others decide.
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
"""The most options of a player that are taken one after the other."""


@dataclass(frozen=True, slots=True)
class Leak:
    """Something hidden that a player learns of, in words, and the options by their ids that lead there."""

    text: str
    path: tuple[str, ...] = ()


class Watcher:
    """A player who looks on while a state comes to others, and sees some places only."""

    def __init__(self, variant: Variant, player: str) -> None:
        self.variant, self.player = variant, player
        self.number, self.documents = variant.player_number(player), variant.program.layout.documents

    def learns(self, events: Sequence[Happened]) -> bool:
        """Whether the rules tell the player of something hidden by some events, or others may have done so."""
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
        """Whether a token lies where the player does not see it."""
        holder = token // self.documents
        return holder != NOWHERE and not self.variant.sees(self.number, holder)

    def named(self, state: State, events: Sequence[Happened]) -> str:
        """Return an option of the player that names what is hidden from the player; empty if none does.

        The events are those since nothing was half done: the player knows what has come to its place by them.
        """
        come = {(one.token % self.documents, one.holder) for one in events if isinstance(one, TokenMoved)}
        for option in state.decision.options if state.decision is not None else ():
            if any(base == "token" and value >= 0 and self._hides(value) and
                   (value % self.documents, value // self.documents) not in come
                   for _, base, value in option.path.notes):  # fmt: skip
                return option.label
        return ""

    def tells_apart(self, one: State, other: State) -> str:
        """Return the part of the view or of the question that differs in two states, in words; empty if none does."""
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
    """A state that a player has come to by own options, from one in which nothing was half done."""

    def __init__(self, state: State, begun: int | None = None) -> None:
        self.state, self._begun = state, len(state.history()) if begun is None else begun

    def on(self, watcher: Watcher, option: Option) -> OwnWay | None:
        """Return the way on by an option; None where the player learns something by it, or chance decides next.

        So it is where it comes to an error, which other laws are about.
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
        """The events on the way."""
        return self.state.history()[self._begun :]


def leak_at(watcher: Watcher, here: OwnWay, others: Sequence[OwnWay], taken: tuple[Option, ...] = ()) -> Leak | None:
    """Return a leak to a player where a way stands, or behind own options from there on; None if there is none.

    The others stand in states that look like it, and the same options are taken there: all of them where nothing is
    half done, and one of them further on.
    """
    decision, name = here.state.decision, watcher.player
    asked = decision.player if decision is not None else None
    after, path = "".join(f"after `{one.label}`, " for one in taken), tuple(one.id for one in taken)
    if decision is not None and asked is not None:
        label = Watcher(watcher.variant, asked).named(here.state, here.events)
        if label:
            return Leak(f"{after}`{label}` names what is hidden from {asked}", path)
    for other in others:
        told = watcher.tells_apart(here.state, other.state)
        if told:
            return Leak(f"{after}{told} tells {name} of what is hidden", path)
    if decision is None or asked != name or len(taken) == AHEAD:
        return None
    for option in decision.options if not taken else [decision.sample(Random(len(taken)))]:
        there = here.on(watcher, option)
        alike = [one for other in others if (one := other.on(watcher, option)) is not None]
        leak = leak_at(watcher, there, alike, (*taken, option)) if there is not None else None
        if leak is not None:
            return leak
    return None


__all__ = ["Leak", "OwnWay", "Watcher", "leak_at"]
