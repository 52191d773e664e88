"""Random mid-game positions, crowded enough for units to meet."""

from collections.abc import Iterable
from random import Random

from .board import BOARDS, Board
from .convert import from_position, to_position
from .state import (
    ALL_COUNTS,
    COIN_COUNTS,
    DECREE_NAMES,
    FORTS,
    FOUR_PLAYERS,
    PLAYERS,
    ROYAL,
    SET_COUNTS,
    TEAM_OF,
    TEAMS,
    Position,
)

Stock = dict[str, int]


def random_position(
    rng: Random, focus: Iterable[str] | None = None, sets: Iterable[str] = (), players: int = 2
) -> Position:
    """A consistent position before some coin of `to_act`, in canonical form.

    `sets` are expansions in play ("nobility", "siege"): their units join the pool, Nobility brings
    three decrees and Siege the forts. Units of `focus` (at most eight, or twelve with four
    `players`; by default a random few, mostly of the sets) are in the armies, nearly always on
    the board, and their coins are likely in hand; a focus on a unit of a set brings the set in.
    Coins are conserved: all coins of each unit and one Royal Coin a player. No team controls as
    many locations as win.
    """
    focus = None if focus is None else list(focus)
    used = {s for s in SET_COUNTS if s in tuple(sets) or set(focus or ()) & set(SET_COUNTS[s])}
    seats = PLAYERS if players == 2 else FOUR_PLAYERS
    wanted, armies = _random_armies(rng, focus, sorted(used), seats)
    position = _bare_position(rng, armies)
    stocks = {p: {kind: ALL_COUNTS[kind] for kind in armies[p]} for p in seats}
    _place_units(rng, position, stocks, wanted, BOARDS[players])
    if "nobility" in used:
        _add_decrees(rng, position)
        wanted = [*wanted, ROYAL]
    if "siege" in used:
        _add_forts(rng, position, BOARDS[players])
    for player in seats:
        least = 1 if player == position["to_act"] else 0
        _deal_coins(rng, position, player, stocks[player], wanted, rng.randint(least, 3))
    return to_position(from_position(position))


def _bare_position(rng: Random, armies: dict[str, list[str]]) -> Position:
    """A position with armies and control, but no stacks and coins yet."""
    seats = tuple(armies)
    return {
        "game": "war-chest",
        "to_act": rng.choice(seats),
        "initiative": rng.choice(seats),
        "initiative_moved": rng.random() < 0.4,
        "control": _random_control(rng, BOARDS[len(seats)]),
        "units": [],
        "armies": armies,
        "options": {"royal_guard": rng.choice(("original", "revised"))},
        **{zone: {} for zone in ("hand", "bag", "discard", "supply", "box")},
    }


def _random_armies(
    rng: Random, focus: list[str] | None, sets: list[str], seats: tuple[str, ...]
) -> tuple[list[str], dict[str, list[str]]]:
    """The units wanted on the board, and the armies: four units a player, or three of four."""
    new = [kind for name in sets for kind in sorted(SET_COUNTS[name])]
    if focus is not None:
        wanted = focus
    elif new:
        wanted = rng.sample(new, rng.randint(2, 4)) + rng.sample(sorted(COIN_COUNTS), 2)
    else:
        wanted = rng.sample(sorted(COIN_COUNTS), 3)
    size = 4 if len(seats) == 2 else 3
    wanted = list(dict.fromkeys(wanted))[: size * len(seats)]
    rest = sorted({*COIN_COUNTS, *new} - set(wanted))
    drafted = wanted + rng.sample(rest, size * len(seats) - len(wanted))
    rng.shuffle(drafted)
    armies = {p: sorted(drafted[n * size : (n + 1) * size]) for n, p in enumerate(seats)}
    return wanted, armies


def _random_control(rng: Random, table: Board) -> dict[str, list[str]]:
    """The controlled locations: often the own starts, one short of winning at most."""
    control: dict[str, list[str]] = {team: [] for team in TEAMS}
    starts = {space: team for team in TEAMS for space in table.starts[team]}
    for place in rng.sample(sorted(table.locations), len(table.locations)):
        if place in starts and rng.random() < 0.75:
            owner: str | None = starts[place]
        else:
            owner = rng.choice(("raven", "wolf", "raven", "wolf", None))
        if owner is not None and len(control[owner]) < table.markers - 1:
            control[owner].append(place)
    return control


def _pick_space(rng: Random, taken: list[str], table: Board) -> str:
    """A free space, mostly close to the others, with a liking for locations."""
    free = [s for s in table.spaces if s not in taken]
    if taken and rng.random() < 0.9:
        reach = table.distance
        near = [s for s in free if min(reach[s, t] for t in taken) <= rng.choice((1, 1, 2))]
        free = near or free
    places = [s for s in free if s in table.locations]
    return rng.choice(places if places and rng.random() < 0.35 else free)


def _place_units(rng: Random, position: Position, stocks: dict[str, Stock], wanted: list[str], table: Board) -> None:
    """Put stacks on the board, taking their coins out of the stocks."""
    stacks = []
    for player in stocks:
        for kind in position["armies"][player]:
            if rng.random() < (0.93 if kind in wanted else 0.6):
                stacks.append((player, kind))
                if kind == "Footman" and rng.random() < 0.6:
                    stacks.append((player, kind))
    rng.shuffle(stacks)
    taken: list[str] = []
    for player, kind in stacks:
        coins = min(rng.choice((1, 1, 1, 2, 2, 3)), stocks[player][kind])
        space = _pick_space(rng, taken, table)
        taken.append(space)
        stocks[player][kind] -= coins
        position["units"].append({"at": space, "unit": kind, "owner": player, "coins": coins})


def _add_decrees(rng: Random, position: Position) -> None:
    """Three of the seven decrees, each team's seal on some of them."""
    position["decrees"] = [
        {"name": name, "seals": [team for team in TEAMS if rng.random() < 0.3]} for name in rng.sample(DECREE_NAMES, 3)
    ]


def _add_forts(rng: Random, position: Position, table: Board) -> None:
    """Up to seven forts, seldom around an enemy of who controls the place; the rest in supply."""
    holders = {space: team for team in TEAMS for space in position["control"][team]}
    inside = {unit["at"]: TEAM_OF[unit["owner"]] for unit in position["units"]}
    forts: list[str] = []
    for space in rng.sample(sorted(table.locations), len(table.locations)):
        hostile = space in inside and holders.get(space, inside[space]) != inside[space]
        if len(forts) < FORTS and rng.random() < (0.06 if hostile else 0.45):
            forts.append(space)
    left = FORTS - len(forts)
    position["forts"] = forts
    position["fort_supply"] = left if rng.random() < 0.8 else rng.randint(0, left)


def _deal_coins(rng: Random, position: Position, player: str, stock: Stock, wanted: list[str], size: int) -> None:
    """Spread the coins that are not on the board over hand, bag, discard, supply and box."""
    loose = [ROYAL] + [kind for kind, count in stock.items() for _ in range(count)]
    zones: dict[str, list[str]] = {z: [] for z in ("hand", "bag", "up", "down", "supply", "box")}
    while loose and len(zones["hand"]) < size:
        weights = [5 if c in wanted else 3 if c == ROYAL else 2 for c in loose]
        zones["hand"].append(loose.pop(rng.choices(range(len(loose)), weights)[0]))
    empty_bag = rng.random() < 0.2
    for coin in loose:
        names, weights = ["bag", "up", "down", "supply", "box"], [4, 2, 2, 3, 2]
        if coin == ROYAL:
            names, weights = names[:3], weights[:3]
        zone = rng.choices(names, weights)[0]
        if zone == "bag" and empty_bag:
            zone = rng.choice(("up", "down"))
        zones[zone].append(coin)
    position["discard"][player] = {"up": zones.pop("up"), "down": zones.pop("down")}
    for zone, coins in zones.items():
        position[zone][player] = coins
