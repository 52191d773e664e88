"""Unit data, and an immutable state with the small questions and changes that rules need.

Written from the rules facts alone; shares nothing with the engine on purpose.
"""

from typing import Any, NamedTuple

from .board import BOARDS, Axial, Board, axial_of
from .board import name_of as name_of

RAVEN, WOLF = "raven", "wolf"
TEAMS = (RAVEN, WOLF)
PLAYERS = (RAVEN, WOLF)
FOUR_PLAYERS = ("raven", "wolf", "raven2", "wolf2")
TEAM_OF = {"raven": RAVEN, "wolf": WOLF, "raven2": RAVEN, "wolf2": WOLF}
ROYAL = "Royal Coin"
FORTS = 7

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
NOBILITY_COUNTS: dict[str, int] = {"Bannerman": 4, "Bishop": 5, "Earl": 5, "Herald": 5}
SIEGE_COUNTS: dict[str, int] = {"Sapper": 5, "Siege Tower": 5, "Trebuchet": 5, "War Wagon": 4}
SET_COUNTS = {"nobility": NOBILITY_COUNTS, "siege": SIEGE_COUNTS}
ALL_COUNTS: dict[str, int] = COIN_COUNTS | NOBILITY_COUNTS | SIEGE_COUNTS
DECREE_NAMES = ("Enlist", "Guard", "March", "Redeploy", "Reinforce", "Sacrifice", "Spy")

# The two-player board.
AXIAL: dict[str, Axial] = {space: axial_of(space) for space in BOARDS[2].spaces}
SPACES, LOCATIONS, NEIGHBOURS = BOARDS[2].spaces, BOARDS[2].locations, BOARDS[2].neighbours
RAYS, DISTANCE, MARKERS = BOARDS[2].rays, BOARDS[2].distance, BOARDS[2].markers


class Unit(NamedTuple):
    """A stack on the board; `uid` only tells stacks apart while a turn runs."""

    uid: int
    at: str
    kind: str
    owner: str
    coins: int


class Side(NamedTuple):
    """Everything that belongs to one player alone but the stacks on the board."""

    hand: Coins
    bag: Coins
    up: Coins
    down: Coins
    supply: Coins
    box: Coins
    army: Coins


class Decree(NamedTuple):
    """A face-up decree and the teams whose seal it carries."""

    name: str
    seals: Coins


class State(NamedTuple):
    """A whole game state. Between turns it is canonical: equal positions are equal states."""

    players: tuple[str, ...]
    to_act: str
    initiative: str
    initiative_moved: bool
    sides: tuple[Side, ...]
    control: tuple[frozenset[str], frozenset[str]]
    units: tuple[Unit, ...]
    next_uid: int
    decrees: tuple[Decree, ...]
    forts: frozenset[str]
    fort_supply: int
    royal_guard: str
    over: bool
    winner: str | None


# --- players and teams ------------------------------------------------------------------------


def board(state: State) -> Board:
    """The board this game is played on."""
    return BOARDS[len(state.players)]


def friends(a: str, b: str) -> bool:
    """Whether two players are of one team; each player is their own friend."""
    return TEAM_OF[a] == TEAM_OF[b]


def seats_from(state: State, player: str) -> tuple[str, ...]:
    """All players in turn order, `player` first."""
    place = state.players.index(player)
    return state.players[place:] + state.players[:place]


def next_player(state: State, player: str) -> str:
    """The next player in turn order."""
    return seats_from(state, player)[1]


def side(state: State, player: str) -> Side:
    """The side of `player`."""
    return state.sides[state.players.index(player)]


def with_side(state: State, player: str, new: Side) -> State:
    """`state` with the side of `player` replaced."""
    place = state.players.index(player)
    return state._replace(sides=(*state.sides[:place], new, *state.sides[place + 1 :]))


def controlled(state: State, player: str) -> frozenset[str]:
    """The locations that the team of `player` controls."""
    return state.control[TEAMS.index(TEAM_OF[player])]


def controller(state: State, space: str) -> str | None:
    """The team that controls `space`, or None."""
    return next((team for team in TEAMS if space in controlled(state, team)), None)


# --- coins ------------------------------------------------------------------------------------


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


def refilled(state: State, player: str) -> State:
    """`state` ready for a draw of `player`: an empty bag takes in the whole discard."""
    own = side(state, player)
    if own.bag:
        return state
    own = own._replace(bag=tuple(sorted(own.up + own.down)), up=(), down=())
    return with_side(state, player, own)


# --- stacks -----------------------------------------------------------------------------------


def unit_by_id(state: State, uid: int) -> Unit | None:
    """The stack `uid`, or None when it is no longer on the board."""
    return next((u for u in state.units if u.uid == uid), None)


def living(state: State, uid: int) -> Unit:
    """The stack `uid`, which is known to be on the board."""
    unit = unit_by_id(state, uid)
    assert unit is not None
    return unit


def unit_at(state: State, space: str) -> Unit | None:
    """The stack in `space`, or None."""
    return next((u for u in state.units if u.at == space), None)


def put_unit(state: State, unit: Unit) -> State:
    """`state` with the stack of that uid replaced; a stack of no coins leaves the board."""
    kept = tuple(unit if u.uid == unit.uid else u for u in state.units if u.uid != unit.uid or unit.coins)
    return state._replace(units=kept)


def own_units(state: State, player: str, kind: str | None = None) -> list[Unit]:
    """The stacks of one player, all of them or only those of one kind."""
    return [u for u in state.units if u.owner == player and kind in (None, u.kind)]


def team_units(state: State, player: str) -> list[Unit]:
    """The stacks that are friendly to `player`: the whole team's."""
    return [u for u in state.units if friends(u.owner, player)]


def lose_coin(state: State, unit: Unit) -> State:
    """One coin of the stack goes to its owner's box."""
    state = put_unit(state, unit._replace(coins=unit.coins - 1))
    return give(state, unit.owner, "box", unit.kind)


# --- between two coins ------------------------------------------------------------------------


def hands_empty(state: State) -> bool:
    """Whether no player has a coin in hand."""
    return not any(own.hand for own in state.sides)


def settle(state: State) -> State:
    """Bring a state between two coins into canonical form: stacks renumbered, turn passed on.

    `to_act` must be the player asked next if that player has a coin in hand.
    """
    units = sorted((u.at, u.kind, u.owner, u.coins) for u in state.units)
    state = state._replace(units=tuple(Unit(n, *u) for n, u in enumerate(units)), next_uid=len(units))
    if state.over:
        return state._replace(to_act="")
    if hands_empty(state):
        if not any(own.bag + own.up + own.down for own in state.sides):
            return state._replace(to_act="", over=True, winner=None)
        return state._replace(to_act=state.initiative)
    waiting = (p for p in seats_from(state, state.to_act) if side(state, p).hand)
    return state._replace(to_act=next(waiting))
