"""Places of the things that options name, so that a picture can show them: spaces, pieces, and tokens in zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from warchest.game.telling.naming import ABSENT, BOARD, NotedThing
from warchest.ir.values import NOTHING
from warchest.lowering.layout import SPACE
from warchest.source.records import record

if TYPE_CHECKING:
    from warchest.game.variant import Variant

PlaceSort: TypeAlias = Literal["space", "piece", "token", "document", "player", "number", "word"]
_SORTS: Mapping[str, PlaceSort] = {
    "space": "space",
    "piece": "piece",
    "printed": "piece",
    "token": "token",
    "document": "document",
    "player": "player",
    "team": "player",
    "number": "number",
}


@record()
class OptionPlace:
    """A thing named by an option, and its place: the `role` is its key in the data of the option.

    `sort` is `space`, `piece`, `token`, `document`, `player` (also for a team), `number` or `word`. `name` is the name
    of the space, the document or the player. Pieces, and tokens on the board, have a `space`; other tokens have a
    `zone`. `owner` is the player or the team that owns the piece or the zone. Fields that do not apply are empty.
    """

    role: str
    sort: PlaceSort
    name: str
    zone: str = ""
    owner: str = ""
    space: str = ""


def places_of(things: Mapping[str, NotedThing], variant: Variant, memory: list[int]) -> Iterator[OptionPlace]:
    """Yield the places that things, given by their roles, have in a memory."""
    naming, layout = variant.naming, variant.program.layout
    for role, (base, value) in things.items():
        sort = _SORTS.get(base, "word")
        if value == NOTHING and base not in ("number", "flag", "branch"):
            yield OptionPlace(role, "word", "")
        elif base == "piece":
            cells = layout.piece(value)
            owner = memory[cells + layout.decider]
            yield OptionPlace(
                role,
                sort,
                naming.document(value, memory),
                space=naming.spaces[memory[cells + SPACE]],
                owner=naming.players[owner] if owner != NOTHING else "",
            )
        elif base == "token":
            holder, document = divmod(value, layout.documents)
            yield _token(role, naming.documents[document], holder, variant, memory)
        elif base == "printed":
            yield OptionPlace(role, sort, naming.documents[value[1]], space=naming.spaces[value[2]])
        else:
            name = str(naming.name(base, value, memory))
            yield OptionPlace(role, sort, name, space=name if sort == "space" else "")


def _token(role: str, name: str, holder: int, variant: Variant, memory: list[int]) -> OptionPlace:
    """Return the place of a token in a holder."""
    naming, layout = variant.naming, variant.program.layout
    zone, owner = naming.place(holder)
    if zone == BOARD:
        space: Any = memory[layout.piece(holder - layout.first_piece_holder) + SPACE]
        return OptionPlace(role, "token", name, space=naming.spaces[space])
    return OptionPlace(role, "token", name, "" if zone == ABSENT else zone, owner)
