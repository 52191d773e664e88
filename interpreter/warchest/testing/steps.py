"""Steps: each option of a state, taken once, with its events and the state after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warchest.engine.evaluation import members_of
from warchest.game.decision import Option
from warchest.game.state import State
from warchest.game.telling.public_events import Event, ToldPiece, events_of
from warchest.lowering.layout import DOCUMENT, LIVE, OWNER, SPACE


@dataclass(frozen=True, slots=True)
class Step:
    """An option that was taken: the states before and after it, and the events between them, the oldest first."""

    before: State
    option: Option
    events: tuple[Event, ...]
    after: State

    @property
    def who(self) -> str | None:
        """The player who decides; None for chance."""
        decision = self.before.decision
        return decision.player if decision is not None else None

    def owner(self, event: Event, role: str = "agent") -> str | None:
        """Return the owner of a piece at the time of an event of the step; None if there is none.

        `role` is a key of `event.pieces`.
        """
        owners = _owners(self.before)
        for one in self.events:
            if one is event:
                break
            piece = one.pieces.get("agent")
            match one.kind:
                case "moved" if piece in owners:
                    owners[ToldPiece(piece.name, one.roles["to"])] = owners.pop(piece)
                case "became" if piece in owners:
                    owners[ToldPiece(one.roles["to"], piece.at)] = owners.pop(piece)
                case "owned" if piece is not None:
                    owners[piece] = one.roles["by"]
        piece = event.pieces.get(role)
        return {**_owners(self.after), **owners}.get(piece) if piece is not None else None

    def of(self, *kinds: str) -> tuple[Event, ...]:
        """Return the events of some kinds: verbs of the game, or `moved`, `changed` and so on (see `Event`)."""
        return tuple(one for one in self.events if one.kind in kinds)


def _owners(state: State) -> dict[ToldPiece, str]:
    """Return the owner of each piece on the board that has one."""
    naming, memory = state.variant.naming, state.run.memory
    found = dict[ToldPiece, str]()
    for number in members_of(memory[LIVE]):
        first = naming.layout.piece(number)
        if memory[first + OWNER] >= 0:
            name, at = naming.documents[memory[first + DOCUMENT]], naming.spaces[memory[first + SPACE]]
            found[ToldPiece(name, at)] = naming.players[memory[first + OWNER]]
    return found


def step_of(before: State, option: Option) -> Step:
    """Take an option of a state, which stays unchanged; raises EndlessError as `apply` does."""
    after = before.clone()
    told = len(after.history())
    after.apply(option)
    return Step(before, option, tuple(events_of(after.history()[told:], after.variant)), after)


def steps(state: State) -> Iterator[Step]:
    """Yield a step for each option of a state, in their order; none where the game is over."""
    decision = state.decision
    for option in decision.options if decision is not None else ():
        yield step_of(state, option)


def explore(state: State, depth: int) -> Iterator[Step]:
    """Yield every step within a number of decisions; each state is visited once, the nearest states first."""
    seen, layer = {state}, [state]
    for _ in range(depth):
        further: list[State] = []
        for one in layer:
            for step in steps(one):
                yield step
                if step.after not in seen:
                    seen.add(step.after)
                    further.append(step.after)
        layer = further
