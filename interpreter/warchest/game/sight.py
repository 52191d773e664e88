"""The sight of a viewer: the tokens that the viewer can tell by name as they move, between two looks at the table.

A viewer sees what lies in open places before and afterwards, how many lie in hidden ones, and what comes into the open.
So where tokens leave a place for several others, some of them hidden, nobody else can say which of them went where.
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
"""A zone and its owner, with all its faces; or the holder of a piece, or of what is nowhere."""


def looks(events: Sequence[Happened]) -> Iterator[Sequence[Happened]]:
    """Yield the events between two decisions that are asked for, where everybody can look at the table.

    The decision comes first; what happens before any is asked for is yielded, too.
    """
    asked = [at for at, one in enumerate(events) if at and is_look(one)]
    for first, last in zip([0, *asked], [*asked, len(events)], strict=True):
        yield events[first:last]


def is_look(one: Happened) -> bool:
    """Whether something is a decision that was asked for."""
    return isinstance(one, Decided) and not one.forced


class Sight:
    """The sight of a viewer between two looks: which token it is that moves. With no viewer, everything is told."""

    def __init__(self, variant: Variant, viewer: int | None, events: Sequence[Happened]) -> None:
        self.variant, self.viewer, self.documents = variant, viewer, variant.program.layout.documents
        self.drawn = _drawn(events[0], viewer) if events else set()
        """The tokens that chance has picked for the viewer."""
        moves = self._moves(events)
        self.blurred = {place for place, some in moves.items() if self._is_blurred(some)}
        """The places of which the viewer cannot tell which token went where."""
        self.mingled = {place for place, some in moves.items() if self._is_mingled(some)}
        """The places of which the viewer cannot tell with which face each token lay."""
        self.ahead: defaultdict[int, list[bool]] = defaultdict(list)
        """Of each token, whether it can be told when it moves the next time, and at each time after that."""
        for one in reversed(events) if viewer is not None else ():
            if isinstance(one, TokenMoved | Placed):
                self.ahead[one.token].append(isinstance(one, Placed) or self.tells(one))

    def tells(self, moved: TokenMoved) -> bool:
        """Whether the viewer can tell which token it is that moves."""
        source = moved.token // self.documents
        return self._arrives(moved) or (self.sees(source) and self._place(source) not in self.blurred)

    def knows(self, token: int, further: int = 0) -> bool:
        """Whether the viewer can tell which token is meant, or which moves so many times later of those called so."""
        ahead, holder = self.ahead[token], token // self.documents
        if ahead:
            return ahead[max(-1 - further, -len(ahead))]
        return self.sees(holder) and self._place(holder) not in self.blurred

    def leave_behind(self, one: Happened) -> None:
        """Go on to what comes after an event."""
        if isinstance(one, TokenMoved | Placed) and self.ahead[one.token]:
            self.ahead[one.token].pop()

    def sees(self, holder: int) -> bool:
        """Whether the viewer sees the tokens in a holder."""
        return self.viewer is None or self.variant.sees(self.viewer, holder)

    def is_mingled(self, holder: int) -> bool:
        """Whether the viewer cannot tell with which face a token lay that comes from a holder."""
        return self._place(holder) in self.mingled

    def where(self, holder: int) -> str:
        """Return where tokens lie, without the face where the viewer cannot tell with which they lay."""
        naming = self.variant.naming
        return "/".join(filter(None, naming.place(holder))) if self.is_mingled(holder) else naming.where(holder)

    def _arrives(self, moved: TokenMoved) -> bool:
        """Whether a token comes to where the viewer sees it: into the open, or nowhere yet but to the viewer."""
        return self.sees(moved.holder) or (moved.holder == NOWHERE and moved.token in self.drawn)

    def _place(self, holder: int) -> _Place:
        layout = self.variant.program.layout
        return holder if holder == NOWHERE or holder >= layout.first_piece_holder else self.variant.naming.place(holder)

    def _moves(self, events: Sequence[Happened]) -> dict[_Place, list[TokenMoved]]:
        """Return the moves of tokens out of each place, where somebody views them."""
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
        # Of what lay open all that was not seen to come elsewhere has gone to the one hidden place.
        is_left = len(unseen) < len(moves) and not all(map(self.sees, faces))
        return len(goals) > 1 or (len(goals) == 1 and is_left)

    def _is_mingled(self, moves: Sequence[TokenMoved]) -> bool:
        return len(self._faces(moves)) > 1 and len({one.holder for one in moves}) > 1

    def _faces(self, moves: Sequence[TokenMoved]) -> set[int]:
        return {one.token // self.documents for one in moves}


def _drawn(first: Happened, viewer: int | None) -> set[int]:
    """Return the tokens that chance has picked for a viewer, where it has."""
    if not isinstance(first, Decided) or first.player is not None or ("player", "player", viewer) not in first.notes:
        return set()
    return {value for _, base, value in first.notes if base == "token"}
