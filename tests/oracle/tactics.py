"""The tactics of all units. The paying coin is already face-up in the discard."""

from collections.abc import Callable, Iterable
from itertools import pairwise

from .attacks import attack, fort_is_target, normal_attack
from .decrees import herald_tactic, proclaim
from .maneuvers import after_maneuver, granted_attack, maneuver, recruit
from .moves import States, can_enter, control, on_through, step
from .state import State, Unit, board, controlled, living, own_units, put_unit, team_units, unit_at, unit_by_id


def royal_guard(state: State, player: str) -> States:
    """The Royal Coin (already face-up in the discard) moves the own Royal Guard."""
    for guard in own_units(state, player, "Royal Guard"):
        for once in step(state, guard.uid):
            if state.royal_guard == "original":
                yield once
                continue
            for after in (once, *on_through(once, guard.uid)):
                space = living(after, guard.uid).at
                if space != guard.at and space in controlled(after, player):
                    yield after


def _then(firsts: Iterable[State], more: Callable[[State], Iterable[State]]) -> States:
    """The successors of each state, unless the game is over there."""
    for first in firsts:
        yield from (first,) if first.over else more(first)


def _friends_within_two(state: State, unit: Unit) -> list[Unit]:
    """The other friendly units at distance one or two."""
    reach = board(state).distance
    near = [u for u in team_units(state, unit.owner) if reach[unit.at, u.at] <= 2]
    return [u for u in near if u.uid != unit.uid]


# --- base game --------------------------------------------------------------------------------


def _archer(state: State, unit: Unit) -> States:
    """Attack at distance exactly two, across any piece."""
    for space in board(state).spaces:
        if board(state).distance[unit.at, space] == 2:
            yield from attack(state, unit.uid, space)


def _cavalry(state: State, unit: Unit) -> States:
    """Move, then attack."""
    for moved in step(state, unit.uid):
        yield from normal_attack(moved, unit.uid)


def _crossbowman(state: State, unit: Unit) -> States:
    """Attack at distance two in a straight line with no unit between."""
    for ray in board(state).rays[unit.at]:
        if len(ray) >= 2 and unit_at(state, ray[0]) is None:
            yield from attack(state, unit.uid, ray[1])


def _ensign(state: State, unit: Unit) -> States:
    """Another friendly unit within two moves to a space within two."""
    for friend in _friends_within_two(state, unit):
        for moved in step(state, friend.uid):
            if board(state).distance[unit.at, living(moved, friend.uid).at] <= 2:
                yield from after_maneuver(moved, friend.uid)


def _footman(state: State, unit: Unit) -> States:
    """Each Footman maneuvers, in either order; the second is skipped only if it then cannot."""
    footmen = [u.uid for u in own_units(state, unit.owner, "Footman")]
    for first in footmen:
        for after in maneuver(state, first):
            last = [uid for uid in footmen if uid != first]
            if after.over or not last:
                yield after
            else:
                yield from list(maneuver(after, last[0])) or [after]


def _lancer(state: State, unit: Unit) -> States:
    """One or two steps along a line, not through a fort, then attack the next space on it."""
    for ray in board(state).rays[unit.at]:
        now = state
        for here, target in pairwise(ray):
            lancer = living(now, unit.uid)
            through = lancer.at != unit.at and lancer.at in state.forts
            if through or not can_enter(now, unit.owner, here):
                break
            now = put_unit(now, lancer._replace(at=here))
            yield from attack(now, unit.uid, target)


def _light_cavalry(state: State, unit: Unit) -> States:
    """Two steps, ending at distance two."""
    for once in step(state, unit.uid):
        for twice in on_through(once, unit.uid):
            if board(state).distance[unit.at, living(twice, unit.uid).at] == 2:
                yield twice


def _marshall(state: State, unit: Unit) -> States:
    """Another friendly unit within two makes a normal attack."""
    for friend in _friends_within_two(state, unit):
        yield from granted_attack(state, friend.uid)


# --- Nobility ---------------------------------------------------------------------------------


def _bishop(state: State, unit: Unit) -> States:
    """Recruit (a Mercenary acts at once), then move or attack, if it could do so without that."""
    if not any(True for _ in (*step(state, unit.uid), *normal_attack(state, unit.uid))):
        return
    yield from _then(recruit(state, unit.owner), lambda one: (*step(one, unit.uid), *normal_attack(one, unit.uid)))


def _earl(state: State, unit: Unit) -> States:
    """Control, then proclaim any decree without a seal."""
    yield from _then(control(state, unit.uid), lambda one: proclaim(one, unit.owner, sealing=False))


# --- Siege ------------------------------------------------------------------------------------


def _sapper(state: State, unit: Unit) -> States:
    """Move, then attack a fort."""
    for moved in step(state, unit.uid):
        for space in board(state).neighbours[living(moved, unit.uid).at]:
            if fort_is_target(moved, unit.owner, space):
                yield from attack(moved, unit.uid, space)


def _siege_tower(state: State, unit: Unit) -> States:
    """Bolstered: attack, and again if it lives and can."""
    if unit.coins < 2:
        return
    for once in normal_attack(state, unit.uid):
        if unit_by_id(once, unit.uid) is None:
            yield once
        else:
            yield from list(normal_attack(once, unit.uid)) or [once]


def _trebuchet(state: State, unit: Unit) -> States:
    """Bolstered: attack two or three spaces away in a straight line, over anything."""
    if unit.coins < 2:
        return
    for ray in board(state).rays[unit.at]:
        for target in ray[1:3]:
            yield from attack(state, unit.uid, target)


def _war_wagon(state: State, unit: Unit) -> States:
    """Bolstered: an adjacent friendly unit moves, its attributes fire, the Wagon follows, as it could without them."""
    if unit.coins < 2:
        return
    for friend in team_units(state, unit.owner):
        if board(state).distance[unit.at, friend.at] != 1:
            continue
        for moved in step(state, friend.uid):
            if not can_enter(moved, unit.owner, friend.at):
                continue
            for after in after_maneuver(moved, friend.uid):
                if after.over:
                    yield after
                elif can_enter(after, unit.owner, friend.at):
                    yield put_unit(after, living(after, unit.uid)._replace(at=friend.at))


TACTICS: dict[str, Callable[[State, Unit], States]] = {
    "Archer": _archer,
    "Cavalry": _cavalry,
    "Crossbowman": _crossbowman,
    "Ensign": _ensign,
    "Footman": _footman,
    "Lancer": _lancer,
    "Light Cavalry": _light_cavalry,
    "Marshall": _marshall,
    "Bishop": _bishop,
    "Earl": _earl,
    "Herald": herald_tactic,
    "Sapper": _sapper,
    "Siege Tower": _siege_tower,
    "Trebuchet": _trebuchet,
    "War Wagon": _war_wagon,
}
