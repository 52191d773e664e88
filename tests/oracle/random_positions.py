"""Random mid-game positions, crowded enough for units to meet."""

from collections.abc import Iterable
from random import Random

from .state import (
    COIN_COUNTS,
    DISTANCE,
    LOCATIONS,
    PLAYERS,
    RAVEN_STARTS,
    ROYAL,
    SPACES,
    WOLF_STARTS,
    Position,
    from_position,
    to_position,
)

Stock = dict[str, int]


def random_position(rng: Random, focus: Iterable[str] | None = None) -> Position:
    """A consistent position before some coin of `to_act`, in canonical form.

    Units of `focus` (at most eight; by default a random few) are in the armies, nearly always
    on the board, and their coins are likely in hand. Coins are conserved: 4 or 5 of each unit
    and one Royal Coin a side. Nobody controls six locations.
    """
    wanted = list(focus) if focus is not None else rng.sample(sorted(COIN_COUNTS), 3)
    wanted = list(dict.fromkeys(wanted))[:8]
    rest = sorted(set(COIN_COUNTS) - set(wanted))
    eight = wanted + rng.sample(rest, 8 - len(wanted))
    rng.shuffle(eight)
    armies = {"raven": sorted(eight[:4]), "wolf": sorted(eight[4:])}
    to_act = rng.choice(PLAYERS)
    position: Position = {
        "game": "war-chest",
        "to_act": to_act,
        "initiative": rng.choice(PLAYERS),
        "initiative_moved": rng.random() < 0.4,
        "control": _random_control(rng),
        "units": [],
        "armies": armies,
        "options": {"royal_guard": rng.choice(("original", "revised"))},
        **{zone: {} for zone in ("hand", "bag", "discard", "supply", "box")},
    }
    stocks = {p: {kind: COIN_COUNTS[kind] for kind in armies[p]} for p in PLAYERS}
    _place_units(rng, position, stocks, wanted)
    for player in PLAYERS:
        least = 1 if player == to_act else 0
        _deal_coins(rng, position, player, stocks[player], wanted, rng.randint(least, 3))
    return to_position(from_position(position))


def _random_control(rng: Random) -> dict[str, list[str]]:
    """Who controls what: often the own starts, up to five locations a side."""
    control: dict[str, list[str]] = {p: [] for p in PLAYERS}
    starts = {**dict.fromkeys(RAVEN_STARTS, "raven"), **dict.fromkeys(WOLF_STARTS, "wolf")}
    for place in rng.sample(sorted(LOCATIONS), len(LOCATIONS)):
        if place in starts and rng.random() < 0.75:
            owner: str | None = starts[place]
        else:
            owner = rng.choice(("raven", "wolf", "raven", "wolf", None))
        if owner is not None and len(control[owner]) < 5:
            control[owner].append(place)
    return control


def _pick_space(rng: Random, taken: list[str]) -> str:
    """A free space, mostly close to the others, with a liking for locations."""
    free = [s for s in SPACES if s not in taken]
    if taken and rng.random() < 0.9:
        near = [s for s in free if min(DISTANCE[s, t] for t in taken) <= rng.choice((1, 1, 2))]
        free = near or free
    places = [s for s in free if s in LOCATIONS]
    return rng.choice(places if places and rng.random() < 0.35 else free)


def _place_units(
    rng: Random, position: Position, stocks: dict[str, Stock], wanted: list[str]
) -> None:
    """Put stacks on the board, taking their coins out of the stocks."""
    stacks = []
    for player in PLAYERS:
        for kind in position["armies"][player]:
            if rng.random() < (0.93 if kind in wanted else 0.6):
                stacks.append((player, kind))
                if kind == "Footman" and rng.random() < 0.6:
                    stacks.append((player, kind))
    rng.shuffle(stacks)
    taken: list[str] = []
    for player, kind in stacks:
        coins = min(rng.choice((1, 1, 1, 2, 2, 3)), stocks[player][kind])
        space = _pick_space(rng, taken)
        taken.append(space)
        stocks[player][kind] -= coins
        position["units"].append({"at": space, "unit": kind, "owner": player, "coins": coins})


def _deal_coins(
    rng: Random, position: Position, player: str, stock: Stock, wanted: list[str], size: int
) -> None:
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
