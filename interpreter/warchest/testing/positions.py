"""Random small positions of any game, made by the shapes that its document gives the keys of positions.

A few cards are in play, mostly the requested ones, and each belongs to one player; their pieces are near each other,
and their tokens are in the players' zones. Entries that the game refuses are left out, by the field that it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.position.keys import Shape
from warchest.game.setup.boards import KEY as BOARD
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.ir.ruleset import Field
from warchest.testing.draws import Draws, one_of, seldom, some_of

RULED = 3
"""The interval at which a random position is near a known one, if there is any."""
PositionData: TypeAlias = dict[str, Any]
"""A position as a mapping."""
_OwnerOf: TypeAlias = dict[str, str]
"""The player to whom the pieces and tokens of each document belong."""
MENDED = 12
"""The most faulty entries that are removed from a position before another one is drawn."""
TRIED = 40
"""The most positions that are drawn for one that the game accepts."""
MANY = 12
"""A key lists few spaces, but with probability 1/`MANY` up to all that it can."""
READY = 4
"""The interval at which a `ready` position lacks its token; its owner is not the one to act half as often."""
KEPT = 40
"""The probability of leaving out a drawn entry is 1/`KEPT`."""
_STEP = re.compile(r"\[(\d+)\]|[^.\[\]]+")


@dataclass(frozen=True)
class Sampling:
    """The wishes for positions.

    `cards` are on the board, or wherever else they can be, most of the time; `others` are cards for company (empty: all
    that have pieces). There are up to `pieces` pieces, each no more than `near` spaces from another one. Zones of a
    player hold up to `tokens` tokens: those of the player's cards in play where they are to be `useful`, or of any. The
    first of the cards and the others belong to one player (`together`), or to different ones, or (None) to any player.
    In `aimed` positions, pieces are more often than by chance straight ahead of others, between two, and on spaces that
    keys list. In `ready` positions, usually the owner of the first card, or sometimes of another one in play, acts and
    holds a token of it, and other cards belong to each player equally often. Other cards are of the `sets` (None: of
    any set).
    """

    cards: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    pieces: int = 4
    near: int = 3
    tokens: int = 2
    useful: bool = True
    together: bool | None = None
    aimed: bool = False
    ready: bool = False
    sets: tuple[str, ...] | None = None


class NoPositionError(Exception):
    """No drawn value was a position of the game; the message is the last reason."""


class PositionSampler:
    """Draws positions of a game, with some options and on some board (the usual one), by some wishes."""

    def __init__(
        self,
        game: Game,
        sampling: Sampling = Sampling(),
        options: Mapping[str, str] | None = None,
        board: str | None = None,
    ) -> None:
        self.game, self.sampling, self.named_board = game, sampling, board
        self.options = dict(options or {})
        self.variant: Variant = game.variant(self.options or None, board)
        self.shapes = self.variant.format.shapes
        self.ruleset, self.naming, self.board = (self.variant.program.ruleset, self.variant.naming, self.variant.board)

    def state(self, draws: Draws) -> State:
        """Return a state with a pending decision; raises NoPositionError if none was found."""
        return self.game.position(self.told(draws))

    def told(self, draws: Draws, near: PositionData | None = None) -> PositionData:
        """Return a position with a pending decision; raises NoPositionError where none was found.

        It is `near` another one: equal to it except for further pieces and tokens.
        """
        reason = "there is no decision"
        for _ in range(TRIED):
            drawn = self._drawn(draws, self._told_owners(near or {}))
            told = drawn if near is None else self._crossed(near, drawn)
            try:
                mended = self._mended(told)
            except PositionError as error:
                reason = str(error)
                continue
            if mended is not None:
                return mended
        raise NoPositionError(reason)

    def _crossed(self, told: PositionData, drawn: PositionData) -> PositionData:
        """Return a position with the drawn pieces of other cards and the drawn tokens added."""
        found, taken, standing = {**drawn, **told}, set(self._taken(told)), self._told_owners(told)
        for key in told.keys() & drawn.keys():
            shape = self.shapes.get(key, {})
            if "pieces" in shape:
                further = (one for one in drawn[key] if one[shape["place"]] not in taken)
                found[key] = [*told[key], *(one for one in further if one[shape["document"]] not in standing)]
            elif isinstance(told[key], dict) and isinstance(drawn[key], dict):
                found[key] = {**drawn[key], **told[key]}
        return found

    def _mended(self, told: PositionData) -> PositionData | None:
        """Return a position without the entries that the game refuses; None where it has no pending decision."""
        for _ in range(MENDED):
            try:
                return told if self.game.position(told).decision is not None else None
            except PositionError as error:
                smaller = without(told, error.field)
                if smaller is None:
                    raise
                told = smaller
        return None

    # ---- which cards

    @cached_property
    def _with_pieces(self) -> tuple[str, ...]:
        return tuple(self._named({kind.sheet for kind in self.ruleset.kinds if kind.sheet}))

    def _named(self, kinds: Collection[str]) -> list[str]:
        """Return the names of the sheets of some kinds that are requested, or that are in the sets."""
        sets, wanted = self.sampling.sets, {*self.sampling.cards, *self.sampling.others}
        return [
            one.name
            for one in self.ruleset.sheets
            if one.kind in kinds and (sets is None or one.set in ("", *sets) or one.name in wanted)
        ]

    def _owners(self, draws: Draws) -> _OwnerOf:
        """Return the cards in play, each with the player to whom it belongs."""
        known = self.naming.documents
        wanted = [name for name in self.sampling.cards if name in known and not seldom(draws, 8)]
        company = [name for name in self.sampling.others or self._with_pieces if name in known and name not in wanted]
        # Without company there is little to do, so some comes with most; and mostly it belongs to another player.
        some = [] if not company or seldom(draws, 8) else [company.pop(draws.number(0, len(company) - 1))]
        owners, players = _OwnerOf(), self.naming.players
        for name in (*wanted, *some, *some_of(draws, company, 2)):
            before = players.index(next(reversed(owners.values()), players[-1]))
            # A ready piece acts with friends as often as with foes.
            further = () if self.sampling.ready else (players[(before + 1) % len(players)],)
            owners[name] = one_of(draws, [*players, *further])
        if self.sampling.together is not None and self.sampling.cards:
            owner = owners.get(self.sampling.cards[0], players[0])
            others = [one for one in players if (one == owner) == self.sampling.together] or [owner]
            owners.update({name: one_of(draws, others) for name in wanted if name != self.sampling.cards[0]})
        if self.sampling.ready and owners and draws.number(0, 2) == 2:
            first = one_of(draws, list(owners))
            owners = {first: owners[first], **owners}
        return owners

    # ---- the keys

    def _drawn(self, draws: Draws, known: _OwnerOf) -> PositionData:
        owners, told = self._owners(draws), PositionData()
        owners.update({name: owner for name, owner in known.items() if name in owners})
        for key, shape in self.shapes.items():
            value = self._value(draws, shape, owners, told)
            if value is not None and value not in ([], {}):
                told[key] = value
        told = {key: left for key, one in told.items() if (left := _thinned(one, draws)) not in ([], {})}
        if self.options and "options" in self.shapes:
            told["options"] = dict(self.options)
        return {**({BOARD: self.named_board} if self.named_board else {}), **told}

    def _value(self, draws: Draws, shape: Shape, owners: _OwnerOf, told: PositionData) -> object:
        """Return the value of a key; None if the key keeps its default."""
        drawn: dict[str, Callable[[], object]] = {
            "turn of": lambda: self._turn(draws, owners),
            "field": lambda: self._field(draws, self.variant.format.fields[shape["field"]], shape),
            "spaces by": lambda: self._spaces_by(draws, shape, told),
            "pieces": lambda: self._pieces(draws, shape, owners, told),
            "one by owner": lambda: {one: one_of(draws, self.naming.spaces) for one in self._few(draws)},
            "zone": lambda: self._zone(draws, self.variant.format.zones[shape["zone"]], owners),
            "rows": lambda: self._rows(draws, shape),
            "places": lambda: self._places(draws, shape, told),
            "counts": lambda: {one: draws.number(0, 3) for one in self._few(draws)},
        }
        sort = next((sort for sort in drawn if sort in shape), None)
        return drawn[sort]() if sort is not None and not shape.get("gathered") else None

    def _turn(self, draws: Draws, owners: _OwnerOf) -> str:
        """Return the player to act: in `ready` positions, usually the owner of the first card in play."""
        if self.sampling.ready and owners and not seldom(draws, 2 * READY):
            return next(iter(owners.values()))
        return one_of(draws, [*owners.values(), *self.naming.players])

    def _few(self, draws: Draws) -> list[str]:
        """Return some of the players, but usually none."""
        return [one for one in self.naming.players if seldom(draws, 3)]

    def _field(self, draws: Draws, number: int, shape: Shape) -> object:
        values = list(self._values(self.ruleset.fields[number], shape.get("most", 2)))
        return one_of(draws, values) if values and seldom(draws, 3) else None

    def _values(self, field: Field, most: int) -> Iterator[object]:
        """Yield the values of a field that are worth trying, the simplest first."""
        match field.base:
            case "flag":
                yield from (False, True)
            case "number":
                yield from range(most + 1)
            case "player":
                yield from self.naming.players
            case "team":
                yield from self.board.teams
            case "direction":
                yield from self.board.directions

    def _spaces_by(self, draws: Draws, shape: Shape, told: PositionData) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for space in self._tagged(draws, shape, told, 4):
            found.setdefault(one_of(draws, self.board.teams), []).append(space)
        return found

    def _tagged(self, draws: Draws, shape: Shape, told: PositionData, most: int) -> list[str]:
        """Return some spaces that a key can list, often those of pieces."""
        tag = shape.get("tag")
        spaces = [one.name for one in self.board.spaces if not tag or tag in one.tags]
        if not self.sampling.aimed:
            return some_of(draws, spaces, most)
        under = [one for one in dict.fromkeys(self._taken(told)) if one in spaces]
        found = some_of(draws, spaces, len(spaces) if seldom(draws, MANY) else most)
        more = one_of(draws, under) if under and seldom(draws, 2) else None
        return found if more is None or more in found else [more, *found]

    def _rows(self, draws: Draws, shape: Shape) -> list[dict[str, object]]:
        kinds = self.ruleset.kinds_in(self.variant.format.zones[shape["rows"]])
        names = self._named(kinds)
        wanted = [one for one in names if one in self.sampling.cards]
        if not wanted and not seldom(draws, 3):
            return []
        most = shape.get("most", 2)
        chosen = list(dict.fromkeys([*wanted, *some_of(draws, names, most)]))[:most]
        return [
            {shape["name"]: one, shape["teams"]: [team for team in self.board.teams if seldom(draws, 4)]}
            for one in chosen
        ]

    def _places(self, draws: Draws, shape: Shape, told: PositionData) -> list[str]:
        return self._tagged(draws, shape, told, 2) if seldom(draws, 3) else []

    # ---- pieces

    def _pieces(self, draws: Draws, shape: Shape, owners: _OwnerOf, told: PositionData) -> list[dict[str, object]]:
        kind = next(one for one in self.ruleset.kinds if one.name == shape["pieces"])
        known = {one.name for one in self.ruleset.sheets if one.kind == kind.sheet}
        names = [name for name in owners if name in known]
        if not names:
            return []
        # Each card that is in play has a piece at first, and some have several.
        more = [one_of(draws, names) for _ in range(draws.number(0, max(0, self.sampling.pieces - len(names))))]
        taken, listed = list(self._taken(told)), self._listed(told)
        found = []
        for name in [*names, *more][: max(self.sampling.pieces, len(self.sampling.cards))]:
            place = self._place(draws, taken, listed)
            taken.append(place)
            found.append(self._piece(draws, shape, name, owners[name], place))
        return found

    def _piece(self, draws: Draws, shape: Shape, name: str, owner: str, place: str) -> dict[str, object]:
        entry: dict[str, object] = {shape["place"]: place, shape["document"]: name}
        if "owner" in shape:
            entry[shape["owner"]] = owner
        if "tokens" in shape:
            entry[shape["tokens"]] = 1 + (draws.number(0, 2) if seldom(draws, 2) else 0)
        for key, field in shape.get("fields", {}).items():
            known = self.ruleset.fields[self.variant.format.of_pieces[field]] if isinstance(field, str) else None
            # No direction is the usual one.
            if known is not None and (known.base == "direction" or seldom(draws, 3)):
                values = list(self._values(known, 2))
                if values:
                    entry[key] = one_of(draws, values)
        return entry

    def _taken(self, told: PositionData) -> Iterator[str]:
        """Yield the spaces of pieces."""
        for key, value in told.items():
            if "pieces" in self.shapes.get(key, {}):
                yield from (one[self.shapes[key]["place"]] for one in value)

    def _told_owners(self, told: PositionData) -> _OwnerOf:
        """Return the owners of the cards whose pieces are in a position."""
        pieces = (
            (self.shapes[key], one)
            for key, value in told.items()
            if "pieces" in self.shapes.get(key, {})
            for one in value
        )
        return {one[shape["document"]]: one[shape["owner"]] for shape, one in pieces if shape.get("owner") in one}

    def _listed(self, told: PositionData) -> list[str]:
        """Return the drawn spaces that keys list, where pieces have more to do than elsewhere."""
        found = (value.values() for key, value in told.items() if "spaces by" in self.shapes[key])
        return [space for lists in found for spaces in lists for space in spaces]

    def _place(self, draws: Draws, taken: Sequence[str], listed: Sequence[str]) -> str:
        """Return a space, mostly a free one near others that are taken, and now and then one that keys list."""
        if not taken or seldom(draws, 10):
            return one_of(draws, listed if self.sampling.aimed and listed and seldom(draws, 3) else self._spaces)
        number, reach = self.naming.spaces.index(one_of(draws, taken)), draws.number(1, self.sampling.near)
        # Long moves and reaches go straight ahead, where random pieces are rare.
        if self.sampling.aimed and seldom(draws, 4):
            lines = [[self.naming.spaces[one] for one in line] for line in self.board.rays[number]]
            between = [one for line in lines for at, last in enumerate(line) if last in taken for one in line[:at]]
            ahead = [one for line in lines for one in line[reach - 1 : reach + 1]]
            near = between if between and seldom(draws, 2) else ahead
        else:
            row = self.board.distance[number]
            near = [one for one in self._spaces if 1 <= row[self.naming.spaces.index(one)] <= reach]
        near = [one for one in near if one not in taken]
        special = [one for one in near if one in listed] if self.sampling.aimed else []
        return one_of(draws, special if special and seldom(draws, 3) else near or self._spaces)

    @cached_property
    def _spaces(self) -> tuple[str, ...]:
        """The spaces, those in the middle of the board first, where people place pieces."""
        far = {space: sum(row) for space, row in zip(self.naming.spaces, self.board.distance, strict=True)}
        return tuple(sorted(self.naming.spaces, key=far.__getitem__))

    # ---- tokens

    def _zone(self, draws: Draws, number: int, owners: _OwnerOf) -> object:
        zone = self.ruleset.zones[number]
        kinds = self.ruleset.kinds_in(number)
        # Tokens of no piece, which all players can have, are included.
        named = set(self._named(kinds))
        common = sorted(named - set(self._with_pieces) - set(self.sampling.cards))
        if not zone.of_player:
            return None
        found: dict[str, object] = {}
        is_ready = self.sampling.ready and draws.number(0, READY - 1) > 0
        for player in self.naming.players:
            own = [name for name, owner in owners.items() if owner == player and name in named] or common
            own = own if self.sampling.useful else sorted(named)
            if not own:
                continue
            tokens = [
                one_of(draws, common if common and seldom(draws, 4) else own)
                for _ in range(draws.number(0, self.sampling.tokens))
            ]
            if is_ready:
                tokens = self._with_first(tokens, player, own, owners)
            if tokens:
                found[player] = {one_of(draws, zone.faces): tokens} if zone.faces else tokens
        return found

    def _with_first(self, tokens: list[str], player: str, own: Collection[str], owners: _OwnerOf) -> list[str]:
        """Return the tokens of a player, including one of the first card in play if the player owns it."""
        first = next(iter(owners), "")
        is_there = first in tokens or first not in own or owners[first] != player
        return tokens if is_there else [*tokens[: self.sampling.tokens - 1], first][: self.sampling.tokens]


def drawn_near(
    samplers: Sequence[PositionSampler], number: int, draws: Draws, near: Sequence[PositionData]
) -> PositionData:
    """Return the position with a number; the samplers take turns by the numbers. Raises NoPositionError.

    One in `RULED` positions is near a given one, if there are any and the sampler finds such a position.
    """
    sampler = samplers[number % len(samplers)]
    if near and number % RULED == RULED - 1:
        beside = one_of(draws, near)
        with suppress(NoPositionError):
            return sampler.told(draws, beside)
    return sampler.told(draws)


def _thinned(value: object, draws: Draws) -> object:
    """Return a value without some items of its lists, usually with all; leaving an item out is the simplest draw."""
    if isinstance(value, Mapping):
        return {key: left for key, one in value.items() if (left := _thinned(one, draws)) not in ([], {})}
    if isinstance(value, list):
        return [one for one in value if draws.number(0, KEPT)]
    return value


def zone_of_players(shape: Shape, variant: Variant) -> int | None:
    """Return the zone that a key of positions is for; None if the key is not for a plain zone of players."""
    if "zone" not in shape or shape.get("gathered"):
        return None
    number: int = variant.format.zones[shape["zone"]]
    zone = variant.program.ruleset.zones[number]
    return number if zone.of_player and not zone.faces else None


def position_alone(state: State) -> PositionData:
    """Return the position of a state between acts, in a form that another version of the game can read."""
    return {key: value for key, value in state.position().items() if key not in ("game", "pending")}


def state_told(game: Game, told: PositionData) -> State:
    """Return the state of a position, or of the beginning of a game by a setup; raises PositionError."""
    if "setup" not in told:
        return game.position(told)
    return game.new(told.get("seed", 0), options=told.get("options"), setup=told["setup"], sets=told.get("sets"))


def without(told: PositionData, field: str) -> PositionData | None:
    """Return a position without the entry of a field, or without its key; None where there is none."""
    steps = [int(one[1]) if one[1] is not None else one[0] for one in _STEP.finditer(field)]
    while steps and isinstance(steps[-1], str) and len(steps) > 2 and isinstance(steps[-2], int):
        # A piece goes as a whole.
        steps.pop()
    less = _less(told, steps) if steps else None
    return {key: value for key, value in less.items() if value not in ([], {})} if less is not None else None


def _less(value: object, steps: list[str | int]) -> Any:
    """Return a value without the part at the end of a path in it; None if there is none."""
    first, *rest = steps
    if isinstance(value, Mapping) and first in value:
        inner = _less(value[first], rest) if rest else None
        if rest and inner is None:
            return None
        return {key: inner if key == first else one for key, one in value.items() if key != first or rest}
    if isinstance(value, list) and isinstance(first, int) and first < len(value):
        inner = _less(value[first], rest) if rest else None
        if rest and inner is None:
            return None
        return [*value[:first], *([inner] if rest else []), *value[first + 1 :]]
    return None
