"""Maneuvers of one unit (move, control, attack) with their consequences, and recruiting."""

from .attacks import normal_attack
from .moves import States, control, displacements, step
from .state import State, give, own_units, put_unit, side, take, unit_by_id


def maneuver(state: State, uid: int) -> States:
    """A move, control or attack by that unit, with the additions of its attributes."""
    for after in _plain_maneuver(state, uid):
        yield from after_maneuver(after, uid)


def _plain_maneuver(state: State, uid: int) -> States:
    """A move, control or attack, without the attributes that follow any maneuver."""
    yield from step(state, uid)
    yield from control(state, uid)
    yield from normal_attack(state, uid)


def after_maneuver(state: State, uid: int) -> States:
    """The unit has maneuvered: a Berserker may go on, a Bannerman may displace an enemy."""
    unit = unit_by_id(state, uid)
    if state.over or unit is None:
        yield state
    elif unit.kind == "Berserker":
        yield from _berserker_goes_on(state, uid)
    elif unit.kind == "Bannerman":
        yield state
        yield from displacements(state, unit.owner, unit.at)
    else:
        yield state


def _berserker_goes_on(state: State, uid: int) -> States:
    """Again and again the Berserker may pay a coin of its own stack to maneuver."""
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


def granted_attack(state: State, uid: int) -> States:
    """A normal attack that something else gives the unit; it counts as its maneuver."""
    for after in normal_attack(state, uid):
        yield from after_maneuver(after, uid)


def granted_move(state: State, uid: int) -> States:
    """A normal step that something else gives the unit; it counts as its maneuver."""
    for after in step(state, uid):
        yield from after_maneuver(after, uid)


def recruit(state: State, player: str) -> States:
    """A coin from the supply to the face-up discard; a recruited Mercenary may maneuver."""
    for coin in set(side(state, player).supply):
        recruited = give(take(state, player, "supply", coin), player, "up", coin)
        yield recruited
        if coin == "Mercenary":
            for unit in own_units(recruited, player, "Mercenary"):
                yield from maneuver(recruited, unit.uid)
