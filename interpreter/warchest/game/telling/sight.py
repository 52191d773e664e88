"""The sight of a viewer: the tokens that the viewer can identify as they move, between two decisions.

A viewer sees the tokens in open places before and afterwards, the number of tokens in hidden places, and each token
that is laid open. So if tokens leave a place for several others, and some of these are hidden, other players cannot say
which token went where.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from warchest.engine.history import Decided, Happened, Placed, TokenMoved
from warchest.lowering.layout import NOWHERE

if TYPE_CHECKING:
    from warchest.game.variant import Variant

_Place: TypeAlias = "tuple[str, str] | int"
"""A zone and its owner, with all its faces; or the holder of a piece, or of tokens that are nowhere."""


def looks(events: Sequence[Happened]) -> Iterator[Sequence[Happened]]:
    """Yield the events between two decisions that are asked, when all players can see the table.

    Each part begins with its decision; the events before the first such decision are yielded, too.
    """
    asked = [at for at, one in enumerate(events) if at and is_look(one)]
    for first, last in zip([0, *asked], [*asked, len(events)], strict=True):
        yield events[first:last]


def is_look(one: Happened) -> bool:
    """Whether a record is about a decision that was asked."""
    return isinstance(one, Decided) and not one.forced


class Sight:
    """The sight of a viewer between two looks, which identifies tokens that move. Without a viewer, it identifies all."""

    def __init__(self, variant: Variant, viewer: int | None, events: Sequence[Happened]) -> None:
        self.variant, self.viewer, self.documents = variant, viewer, variant.program.layout.documents
        self.drawn = _drawn(events[0], viewer) if events else set()
        """The tokens that chance has picked for the viewer."""
        moves = self._moves(events)
        self.blurred = {place for place, some in moves.items() if self._is_blurred(some)}
        """The places whose tokens the viewer cannot distinguish as they leave."""
        self.mingled = {place for place, some in moves.items() if self._is_mingled(some)}
        """The places whose tokens leave without showing the viewer which face each of them had."""
        self.ahead: defaultdict[int, list[bool]] = defaultdict(list)
        """For each token, whether the viewer can identify it at each of its future moves, the next move last."""
        for one in reversed(events) if viewer is not None else ():
            if isinstance(one, TokenMoved | Placed):
                self.ahead[one.token].append(isinstance(one, Placed) or self.tells(one))

    def tells(self, moved: TokenMoved) -> bool:
        """Whether the viewer can identify a token that moves."""
        source = moved.token // self.documents
        return self._arrives(moved) or (self.sees(source) and self._place(source) not in self.blurred)

    def knows(self, token: int, further: int = 0) -> bool:
        """Whether the viewer can identify a token at its next move (or `further` moves later), or at its last place."""
        ahead, holder = self.ahead[token], token // self.documents
        if ahead:
            return ahead[max(-1 - further, -len(ahead))]
        return self.sees(holder) and self._place(holder) not in self.blurred

    def leave_behind(self, one: Happened) -> None:
        """Go on to the moves after an event."""
        if isinstance(one, TokenMoved | Placed) and self.ahead[one.token]:
            self.ahead[one.token].pop()

    def sees(self, holder: int) -> bool:
        """Whether the viewer sees the tokens in a holder."""
        return self.viewer is None or self.variant.sees(self.viewer, holder)

    def is_mingled(self, holder: int) -> bool:
        """Whether the viewer does not know which face a token from a holder had there."""
        return self._place(holder) in self.mingled

    def where(self, holder: int) -> str:
        """Return the place of tokens, without the face if the viewer does not know it."""
        naming = self.variant.naming
        return "/".join(filter(None, naming.place(holder))) if self.is_mingled(holder) else naming.where(holder)

    def _arrives(self, moved: TokenMoved) -> bool:
        """Whether the viewer sees a token at its destination: an open place, or nowhere if chance has picked it."""
        return self.sees(moved.holder) or (moved.holder == NOWHERE and moved.token in self.drawn)

    def _place(self, holder: int) -> _Place:
        layout = self.variant.program.layout
        return holder if holder == NOWHERE or holder >= layout.first_piece_holder else self.variant.naming.place(holder)

    def _moves(self, events: Sequence[Happened]) -> dict[_Place, list[TokenMoved]]:
        """Return the moves of tokens by the place that they leave; empty if there is no viewer."""
        found: dict[_Place, list[TokenMoved]] = defaultdict(list)
        for one in events if self.viewer is not None else ():
            if isinstance(one, TokenMoved):
                found[self._place(one.token // self.documents)].append(one)
        return found

    def _is_blurred(self, moves: Sequence[TokenMoved]) -> bool:
        unseen = [one for one in moves if not self._arrives(one)]
        faces, goals = self._faces(moves), {one.holder for one in unseen}
        if len(faces) == 1:
            return len(goals) > 1 and self.sees(*faces) and len({one.token for one in moves}) > 1
        # All open tokens that the viewer did not see arrive elsewhere have gone to the one hidden place.
        is_left = len(unseen) < len(moves) and not all(map(self.sees, faces))
        return len(goals) > 1 or (len(goals) == 1 and is_left)

    def _is_mingled(self, moves: Sequence[TokenMoved]) -> bool:
        return len(self._faces(moves)) > 1 and len({one.holder for one in moves}) > 1

    def _faces(self, moves: Sequence[TokenMoved]) -> set[int]:
        return {one.token // self.documents for one in moves}


def _drawn(first: Happened, viewer: int | None) -> set[int]:
    """Return the tokens that chance has picked for a viewer in an event; empty for any other event."""
    if not isinstance(first, Decided) or first.player is not None or ("player", "player", viewer) not in first.notes:
        return set()
    return {value for _, base, value in first.notes if base == "token"}
