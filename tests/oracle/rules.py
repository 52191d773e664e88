"""What one coin can do. Every function maps a state to the states that can follow.

A line of play is a path through nested generators, so an effect that cannot be completed simply
yields nothing. `state.to_act` stays the player whose coin is being played out.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from .state import (
    DISTANCE,
    LOCATIONS,
    MARKERS,
    NEIGHBOURS,
    RAYS,
    ROYAL,
    SPACES,
    State,
    Unit,
    give,
    other,
    own_units,
    put_unit,
    side,
    take,
    unit_at,
    unit_by_id,
    with_side,
)

States = Iterator[State]
TACTIC_ONLY_ATTACKERS = ("Archer", "Lancer")


def play_coin(state: State, coin: str) -> set[State]:
    """Every way to play out `coin`, which is in no zone any more, by the player to act."""
    found = set(_face_down(state, coin))
    if coin == ROYAL:
        found.update(_royal_tactic(give(state, state.to_act, "up", coin)))
    else:
        found.update(_place(state, coin))
        found.update(_maneuver_with(give(state, state.to_act, "up", coin), coin))
    return found


# --- face-down actions ------------------------------------------------------------------------


def _face_down(state: State, coin: str) -> States:
    """Pass, claim the initiative, or recruit: the coin goes face-down to the discard."""
    me = state.to_act
    state = give(state, me, "down", coin)
    yield state
    if state.initiative != me and not state.initiative_moved:
        yield state._replace(initiative=me, initiative_moved=True)
    for recruit in set(side(state, me).supply):
        recruited = give(take(state, me, "supply", recruit), me, "up", recruit)
        yield recruited
        if recruit == "Mercenary":
            for unit in own_units(recruited, me, "Mercenary"):
                yield from maneuver(recruited, unit.uid)


# --- placement --------------------------------------------------------------------------------


def _place(state: State, coin: str) -> States:
    """Deploy the coin as a new unit, or bolster a matching one."""
    me = state.to_act
    same = own_units(state, me, coin)
    for unit in same:
        yield put_unit(state, unit._replace(coins=unit.coins + 1))
    if len(same) >= (2 if coin == "Footman" else 1):
        return
    spaces = set(side(state, me).control)
    if coin == "Scout":
        for unit in own_units(state, me):
            spaces.update(NEIGHBOURS[unit.at])
    for space in spaces:
        if unit_at(state, space) is None:
            new = Unit(state.next_uid, space, coin, me, 1)
            yield state._replace(units=(*state.units, new), next_uid=state.next_uid + 1)


# --- maneuvers --------------------------------------------------------------------------------


def _maneuver_with(state: State, kind: str) -> States:
    """The coin is already face-up in the discard: a unit of its kind maneuvers."""
    for unit in own_units(state, state.to_act, kind):
        yield from maneuver(state, unit.uid)
        if kind in TACTICS:
            yield from TACTICS[kind](state, unit)


def maneuver(state: State, uid: int) -> States:
    """A move, control or attack by that unit, with what its attributes add afterwards."""
    for after in _plain_maneuver(state, uid):
        yield from _after_maneuver(after, uid)


def _plain_maneuver(state: State, uid: int) -> States:
    """A move, control or attack, without the Berserker's attribute."""
    yield from _step(state, uid)
    yield from _control(state, uid)
    yield from _normal_attack(state, uid)


def _after_maneuver(state: State, uid: int) -> States:
    """The Berserker may, again and again, pay a coin of its own stack to maneuver."""
    unit = unit_by_id(state, uid)
    if unit is None or unit.kind != "Berserker":
        yield state
        return
    seen: set[State] = set()
    waiting = [state]
    while waiting:
        now = waiting.pop()
        if now in seen:
            continue
        seen.add(now)
        yield now
        berserker = unit_by_id(now, uid)
        if now.over or berserker is None or berserker.coins < 2:
            continue
        paid = put_unit(now, berserker._replace(coins=berserker.coins - 1))
        paid = give(paid, berserker.owner, "up", "Berserker")
        waiting.extend(_plain_maneuver(paid, uid))


def _step(state: State, uid: int) -> States:
    """One step of a unit into an adjacent empty space."""
    unit = unit_by_id(state, uid)
    assert unit is not None
    for space in NEIGHBOURS[unit.at]:
        if unit_at(state, space) is None:
            yield put_unit(state, unit._replace(at=space))


def _control(state: State, uid: int) -> States:
    """Take the location the unit stands on; the sixth marker wins at once."""
    unit = unit_by_id(state, uid)
    assert unit is not None
    me, foe = unit.owner, other(unit.owner)
    if unit.at not in LOCATIONS or unit.at in side(state, me).control:
        return
    mine, theirs = side(state, me), side(state, foe)
    state = with_side(state, me, mine._replace(control=mine.control | {unit.at}))
    state = with_side(state, foe, theirs._replace(control=theirs.control - {unit.at}))
    if len(side(state, me).control) >= MARKERS:
        yield state._replace(over=True, winner=me)
    elif unit.kind == "Warrior Priest":
        yield from _priest_draws(state)
    else:
        yield state


# --- attacks ----------------------------------------------------------------------------------


def _normal_attack(state: State, uid: int) -> States:
    """An attack on an adjacent enemy."""
    unit = unit_by_id(state, uid)
    assert unit is not None
    if unit.kind in TACTIC_ONLY_ATTACKERS:
        return
    for space in NEIGHBOURS[unit.at]:
        yield from _attack_space(state, uid, space)


def _attack_space(state: State, uid: int, space: str) -> States:
    """The unit attacks whatever enemy stands in `space`, then its own attribute fires."""
    attacker, target = unit_by_id(state, uid), unit_at(state, space)
    assert attacker is not None
    if target is None or target.owner == attacker.owner:
        return
    for after in _strike(state, attacker, target):
        if unit_by_id(after, uid) is None:
            yield after
        elif attacker.kind == "Warrior Priest":
            yield from _priest_draws(after)
        else:
            yield after
            if attacker.kind == "Swordsman":
                yield from _step(after, uid)


def _strike(state: State, attacker: Unit, target: Unit) -> States:
    """The losses of an attack: Knight's protection, Royal Guard's supply, Pikeman's answer."""
    if target.kind == "Knight" and attacker.coins < 2:
        return
    outcomes = [_lose_coin(state, target)]
    if target.kind == "Royal Guard" and "Royal Guard" in side(state, target.owner).supply:
        spared = take(state, target.owner, "supply", "Royal Guard")
        outcomes.append(give(spared, target.owner, "box", "Royal Guard"))
    for after in outcomes:
        if target.kind == "Pikeman" and DISTANCE[attacker.at, target.at] == 1:
            yield _lose_coin(after, attacker)
        else:
            yield after


def _lose_coin(state: State, unit: Unit) -> State:
    """One coin of the stack goes to its owner's box."""
    state = put_unit(state, unit._replace(coins=unit.coins - 1))
    return give(state, unit.owner, "box", unit.kind)


@lru_cache(maxsize=5000)
def _priest_draws(state: State) -> tuple[State, ...]:
    """The Warrior Priest's owner draws a coin and must use it at once; all coins are followed."""
    me = state.to_act
    own = side(state, me)
    if not own.bag:
        refilled = own._replace(bag=tuple(sorted(own.up + own.down)), up=(), down=())
        state = with_side(state, me, refilled)
    bag = side(state, me).bag
    if not bag:
        return (state,)
    found: set[State] = set()
    for coin in set(bag):
        found |= play_coin(take(state, me, "bag", coin), coin)
    return tuple(found)


# --- tactics ----------------------------------------------------------------------------------


def _royal_tactic(state: State) -> States:
    """The Royal Coin (already face-up in the discard) moves the Royal Guard."""
    me = state.to_act
    for guard in own_units(state, me, "Royal Guard"):
        for once in _step(state, guard.uid):
            if state.royal_guard == "original":
                yield once
                continue
            for after in (once, *_step(once, guard.uid)):
                moved = unit_by_id(after, guard.uid)
                assert moved is not None
                if moved.at != guard.at and moved.at in side(after, me).control:
                    yield after


def _archer(state: State, unit: Unit) -> States:
    """Attack at distance exactly two, whatever stands between."""
    for space in SPACES:
        if DISTANCE[unit.at, space] == 2:
            yield from _attack_space(state, unit.uid, space)


def _cavalry(state: State, unit: Unit) -> States:
    """Move, then attack."""
    for moved in _step(state, unit.uid):
        yield from _normal_attack(moved, unit.uid)


def _crossbowman(state: State, unit: Unit) -> States:
    """Attack at distance two in a straight line with no unit between."""
    for ray in RAYS[unit.at]:
        if len(ray) >= 2 and unit_at(state, ray[0]) is None:
            yield from _attack_space(state, unit.uid, ray[1])


def _ensign(state: State, unit: Unit) -> States:
    """Another friendly unit within two moves to a space within two."""
    for friend in own_units(state, unit.owner):
        if friend.uid == unit.uid or DISTANCE[unit.at, friend.at] > 2:
            continue
        for moved in _step(state, friend.uid):
            now = unit_by_id(moved, friend.uid)
            assert now is not None
            if DISTANCE[unit.at, now.at] <= 2:
                yield from _after_maneuver(moved, friend.uid)


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
    """One or two steps along a line of empty spaces, then attack the next space on it."""
    for ray in RAYS[unit.at]:
        for steps in (1, 2):
            if len(ray) > steps and all(unit_at(state, s) is None for s in ray[:steps]):
                moved = put_unit(state, unit._replace(at=ray[steps - 1]))
                yield from _attack_space(moved, unit.uid, ray[steps])


def _light_cavalry(state: State, unit: Unit) -> States:
    """Two steps, ending at distance two."""
    for once in _step(state, unit.uid):
        for twice in _step(once, unit.uid):
            now = unit_by_id(twice, unit.uid)
            assert now is not None
            if DISTANCE[unit.at, now.at] == 2:
                yield twice


def _marshall(state: State, unit: Unit) -> States:
    """Another friendly unit within two makes a normal attack."""
    for friend in own_units(state, unit.owner):
        if friend.uid != unit.uid and DISTANCE[unit.at, friend.at] <= 2:
            for after in _normal_attack(state, friend.uid):
                yield from _after_maneuver(after, friend.uid)


TACTICS: dict[str, Callable[[State, Unit], States]] = {
    "Archer": _archer,
    "Cavalry": _cavalry,
    "Crossbowman": _crossbowman,
    "Ensign": _ensign,
    "Footman": _footman,
    "Lancer": _lancer,
    "Light Cavalry": _light_cavalry,
    "Marshall": _marshall,
}
