"""Board tables, unit data, and an immutable state with its conversion from and to positions.

Written from the rules facts alone; shares nothing with the engine on purpose.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

RAVEN, WOLF = "raven", "wolf"
PLAYERS = (RAVEN, WOLF)
ROYAL = "Royal Coin"
MARKERS = 6

Coins = tuple[str, ...]
Position = dict[str, Any]

COIN_COUNTS: dict[str, int] = {
    "Archer": 4,
    "Berserker": 5,
    "Cavalry": 4,
    "Crossbowman": 5,
    "Ensign": 5,
    "Footman": 5,
    "Knight": 4,
    "Lancer": 4,
    "Light Cavalry": 5,
    "Marshall": 5,
    "Mercenary": 5,
    "Pikeman": 4,
    "Royal Guard": 5,
    "Scout": 5,
    "Swordsman": 5,
    "Warrior Priest": 4,
}

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


def name_of(q: int, r: int) -> str:
    """The name of the hex at axial (q, r): column letter (f at q = 0), then r + 4."""
    return "abcdefghijk"[q + 5] + str(r + 4)


AXIAL: dict[str, tuple[int, int]] = {
    name_of(q, r): (q, r) for q in range(-3, 4) for r in range(-3, 4) if -3 <= q + r <= 3
}
SPACES: tuple[str, ...] = tuple(sorted(AXIAL))

RAVEN_STARTS = (name_of(-1, -2), name_of(2, -3))
WOLF_STARTS = (name_of(1, 2), name_of(-2, 3))
NEUTRALS = tuple(name_of(q, r) for q, r in ((-2, 0), (1, -1), (3, -2), (-1, 1), (2, 0), (-3, 2)))
LOCATIONS = frozenset(RAVEN_STARTS + WOLF_STARTS + NEUTRALS)


def _distance(a: str, b: str) -> int:
    """Hex distance between two spaces."""
    dq, dr = AXIAL[a][0] - AXIAL[b][0], AXIAL[a][1] - AXIAL[b][1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def _beyond(space: str, direction: tuple[int, int], steps: int) -> str | None:
    """The space `steps` away from `space` in a straight line, or None off the board."""
    q, r = AXIAL[space]
    q, r = q + steps * direction[0], r + steps * direction[1]
    on_board = abs(q) <= 3 and abs(r) <= 3 and abs(q + r) <= 3
    return name_of(q, r) if on_board else None


DISTANCE = {(a, b): _distance(a, b) for a in SPACES for b in SPACES}
NEIGHBOURS = {a: tuple(b for b in SPACES if DISTANCE[a, b] == 1) for a in SPACES}
# RAYS[space]: for each direction the straight line of on-board spaces, nearest first, up to three.
RAYS: dict[str, tuple[tuple[str, ...], ...]] = {
    a: tuple(tuple(s for n in (1, 2, 3) if (s := _beyond(a, d, n)) is not None) for d in DIRECTIONS)
    for a in SPACES
}


class Unit(NamedTuple):
    """A stack on the board; `uid` only tells stacks apart while a turn runs."""

    uid: int
    at: str
    kind: str
    owner: str
    coins: int


class Side(NamedTuple):
    """Everything that belongs to one player but the stacks on the board."""

    control: frozenset[str]
    hand: Coins
    bag: Coins
    up: Coins
    down: Coins
    supply: Coins
    box: Coins
    army: Coins


class State(NamedTuple):
    """A whole game state. Between turns it is canonical: equal positions are equal states."""

    to_act: str
    initiative: str
    initiative_moved: bool
    raven: Side
    wolf: Side
    units: tuple[Unit, ...]
    next_uid: int
    royal_guard: str
    over: bool
    winner: str | None


def other(player: str) -> str:
    """The opponent of `player`."""
    return WOLF if player == RAVEN else RAVEN


def side(state: State, player: str) -> Side:
    """The side of `player`."""
    return state.raven if player == RAVEN else state.wolf


def with_side(state: State, player: str, new: Side) -> State:
    """`state` with the side of `player` replaced."""
    return state._replace(raven=new) if player == RAVEN else state._replace(wolf=new)


def plus(coins: Coins, coin: str) -> Coins:
    """`coins` with one `coin` more."""
    return tuple(sorted((*coins, coin)))


def minus(coins: Coins, coin: str) -> Coins:
    """`coins` with one `coin` less; it must be there."""
    place = coins.index(coin)
    return coins[:place] + coins[place + 1 :]


def give(state: State, player: str, zone: str, coin: str) -> State:
    """Put `coin` into a zone (`hand`, `bag`, `up`, `down`, `supply`, `box`) of `player`."""
    own = side(state, player)
    change: dict[str, Any] = {zone: plus(getattr(own, zone), coin)}
    return with_side(state, player, own._replace(**change))


def take(state: State, player: str, zone: str, coin: str) -> State:
    """Take `coin` out of a zone of `player`; it is then in no zone."""
    own = side(state, player)
    change: dict[str, Any] = {zone: minus(getattr(own, zone), coin)}
    return with_side(state, player, own._replace(**change))


def unit_by_id(state: State, uid: int) -> Unit | None:
    """The stack `uid`, or None when it is no longer on the board."""
    return next((u for u in state.units if u.uid == uid), None)


def unit_at(state: State, space: str) -> Unit | None:
    """The stack in `space`, or None."""
    return next((u for u in state.units if u.at == space), None)


def put_unit(state: State, unit: Unit) -> State:
    """`state` with the stack of that uid replaced; a stack of no coins leaves the board."""
    kept = tuple(
        unit if u.uid == unit.uid else u for u in state.units if u.uid != unit.uid or unit.coins
    )
    return state._replace(units=kept)


def own_units(state: State, player: str, kind: str | None = None) -> list[Unit]:
    """The stacks of `player`, all of them or only those of one kind."""
    return [u for u in state.units if u.owner == player and kind in (None, u.kind)]


def hands_empty(state: State) -> bool:
    """Whether neither player has a coin in hand."""
    return not state.raven.hand and not state.wolf.hand


def settle(state: State) -> State:
    """Bring a state between two coins into canonical form: stacks renumbered, turn passed on.

    `to_act` must be the player asked next if that player has a coin in hand.
    """
    units = sorted((u.at, u.kind, u.owner, u.coins) for u in state.units)
    state = state._replace(
        units=tuple(Unit(n, *u) for n, u in enumerate(units)), next_uid=len(units)
    )
    if state.over:
        return state._replace(to_act="")
    if hands_empty(state):
        stock = [c for p in PLAYERS for c in side(state, p).bag + side(state, p).up]
        if not stock and not state.raven.down and not state.wolf.down:
            return state._replace(to_act="", over=True, winner=None)
        return state._replace(to_act=state.initiative)
    if not side(state, state.to_act).hand:
        return state._replace(to_act=other(state.to_act))
    return state


def _read_side(position: Mapping[str, Any], player: str) -> Side:
    """One player's part of a position mapping."""

    def coins(value: Any) -> Coins:
        return tuple(sorted((value or {}).get(player) or ()))

    discard = (position.get("discard") or {}).get(player) or {}
    new = Side(
        control=frozenset(coins(position.get("control"))),
        hand=coins(position.get("hand")),
        bag=coins(position.get("bag")),
        up=tuple(sorted(discard.get("up") or ())),
        down=tuple(sorted(discard.get("down") or ())),
        supply=coins(position.get("supply")),
        box=coins(position.get("box")),
        army=coins(position.get("armies")),
    )
    if not new.army:
        zones = new.hand + new.bag + new.up + new.down + new.supply + new.box
        stacks = [u["unit"] for u in position.get("units") or () if u["owner"] == player]
        new = new._replace(army=tuple(sorted({*zones, *stacks} - {ROYAL})))
    return new


def _check(state: State) -> None:
    """Refuse what is plainly no two-player base position."""
    places = [u.at for u in state.units]
    bad_spaces = set(places) - set(SPACES)
    if bad_spaces or len(places) != len(set(places)):
        raise ValueError(f"units: two in one space, or off the board: {sorted(places)}")
    controlled = state.raven.control | state.wolf.control
    if not controlled <= LOCATIONS or state.raven.control & state.wolf.control:
        raise ValueError("control: not a location, or controlled twice")
    kinds = {u.kind for u in state.units}
    zones = {c for p in PLAYERS for field in side(state, p)[1:] for c in field}
    unknown = (kinds | zones) - set(COIN_COUNTS) - {ROYAL}
    if unknown:
        raise ValueError(f"not base coins: {sorted(unknown)}")


def from_position(position: Mapping[str, Any]) -> State:
    """The state that a contract position (between two coins) stands for."""
    if position.get("decrees") or position.get("forts") or position.get("fort_supply"):
        raise ValueError("the oracle knows the base game only")
    if position.get("pending"):
        raise ValueError("the oracle takes positions between two coins only")
    units = tuple(
        Unit(n, u["at"], u["unit"], u["owner"], int(u.get("coins", 1)))
        for n, u in enumerate(position.get("units") or ())
    )
    state = State(
        to_act=position.get("to_act", ""),
        initiative=position["initiative"],
        initiative_moved=bool(position.get("initiative_moved", False)),
        raven=_read_side(position, RAVEN),
        wolf=_read_side(position, WOLF),
        units=units,
        next_uid=len(units),
        royal_guard=(position.get("options") or {}).get("royal_guard", "original"),
        over="winner" in position,
        winner=position.get("winner"),
    )
    if not state.over and state.to_act not in PLAYERS:
        raise ValueError("to_act: neither raven nor wolf")
    _check(state)
    return settle(state)


def to_position(state: State) -> Position:
    """The canonical mapping of a state between two coins; every base-game key is written."""
    head: Position = {"game": "war-chest"}
    if state.over:
        head["winner"] = state.winner
    else:
        head["to_act"] = state.to_act
    sides = {p: side(state, p) for p in PLAYERS}
    return head | {
        "initiative": state.initiative,
        "initiative_moved": state.initiative_moved,
        "control": {p: sorted(s.control) for p, s in sides.items()},
        "units": [
            {"at": u.at, "unit": u.kind, "owner": u.owner, "coins": u.coins}
            for u in sorted(state.units, key=lambda u: u.at)
        ],
        "hand": {p: sorted(s.hand) for p, s in sides.items()},
        "bag": {p: sorted(s.bag) for p, s in sides.items()},
        "discard": {p: {"up": sorted(s.up), "down": sorted(s.down)} for p, s in sides.items()},
        "supply": {p: sorted(s.supply) for p, s in sides.items()},
        "box": {p: sorted(s.box) for p, s in sides.items()},
        "armies": {p: sorted(s.army) for p, s in sides.items()},
        "decrees": [],
        "forts": [],
        "fort_supply": 0,
        "options": {"royal_guard": state.royal_guard},
    }
