"""Attacks: the targets, the losses, and the acts of an attacker afterwards."""

from .moves import States, priest_draws, step
from .state import (
    State,
    Unit,
    board,
    controller,
    friends,
    give,
    living,
    lose_coin,
    side,
    take,
    team_units,
    unit_at,
    unit_by_id,
)

TACTIC_ONLY_ATTACKERS = ("Archer", "Lancer", "Trebuchet")


def normal_attack(state: State, uid: int) -> States:
    """An attack on an adjacent enemy or fort."""
    for space in normal_targets(state, uid):
        yield from attack(state, uid, space)


def normal_targets(state: State, uid: int) -> tuple[str, ...]:
    """The adjacent spaces, unless the unit attacks by its tactic only."""
    unit = living(state, uid)
    if unit.kind in TACTIC_ONLY_ATTACKERS:
        return ()
    return board(state).neighbours[unit.at]


def attack(state: State, uid: int, space: str) -> States:
    """The unit attacks the piece in `space`; then, if it lives, its own attribute fires."""
    for after in strike(state, uid, space):
        yield from after_attack(after, uid)


def after_attack(state: State, uid: int) -> States:
    """The additions of a surviving attacker: a Warrior Priest's coin, a Swordsman's step."""
    unit = unit_by_id(state, uid)
    if unit is not None and unit.kind == "Warrior Priest":
        yield from priest_draws(state, unit.owner)
        return
    yield state
    if unit is not None and unit.kind == "Swordsman":
        yield from step(state, uid)


def fort_is_target(state: State, player: str, space: str) -> bool:
    """Whether there is a fort for `player` to hit: not an own one, unless an enemy sits in it."""
    if space not in state.forts:
        return False
    holder, inside = controller(state, space), unit_at(state, space)
    own = holder is not None and friends(holder, player)
    return not own or (inside is not None and not friends(inside.owner, player))


def strike(state: State, uid: int, space: str) -> States:
    """The losses of one attack, before any attribute of the attacker; a fort is hit first."""
    attacker, target = living(state, uid), unit_at(state, space)
    if space in state.forts:
        if fort_is_target(state, attacker.owner, space):
            yield state._replace(forts=state.forts - {space}, fort_supply=state.fort_supply + 1)
        return
    if target is None or friends(target.owner, attacker.owner):
        return
    if target.kind == "Knight" and attacker.coins < 2:
        return
    if target.kind == "Bishop" and attacker.coins > 1:
        return
    for after in _defended(state, target):
        if target.kind == "Pikeman" and board(state).distance[attacker.at, space] == 1:
            yield lose_coin(after, attacker)
        else:
            yield after


def _defended(state: State, target: Unit) -> States:
    """The coin the attack costs: the target's, a Royal Guard's in supply, or a War Wagon's."""
    yield lose_coin(state, target)
    if target.kind == "Royal Guard" and "Royal Guard" in side(state, target.owner).supply:
        spared = take(state, target.owner, "supply", "Royal Guard")
        yield give(spared, target.owner, "box", "Royal Guard")
    for unit in team_units(state, target.owner):
        near = board(state).distance[unit.at, target.at] == 1
        if unit.kind == "War Wagon" and near:
            yield lose_coin(state, unit)
