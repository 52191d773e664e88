"""Entering spaces, single steps, displacement, control, and deploying.

As everywhere in the oracle, a function that takes a state yields the states that can follow; a line of play is a path
through nested generators, so a line that cannot be completed yields nothing.
"""

from collections.abc import Iterator
from functools import lru_cache

from .state import (
    TEAM_OF,
    TEAMS,
    State,
    Unit,
    board,
    controlled,
    controller,
    friends,
    give,
    living,
    own_units,
    put_unit,
    refilled,
    side,
    take,
    team_units,
    unit_at,
)

States = Iterator[State]


# --- moving -----------------------------------------------------------------------------------


def can_enter(state: State, player: str, space: str) -> bool:
    """Whether a unit of `player` may come into `space`: empty, and no fort of the enemy."""
    if unit_at(state, space) is not None:
        return False
    holder = controller(state, space)
    return space not in state.forts or holder is None or friends(holder, player)


def step(state: State, uid: int) -> States:
    """One step into an adjacent space; a Sapper may build where it arrives."""
    unit = living(state, uid)
    for space in board(state).neighbours[unit.at]:
        if can_enter(state, unit.owner, space):
            moved = put_unit(state, unit._replace(at=space))
            yield moved
            if unit.kind == "Sapper":
                yield from _build(moved, space)


def _build(state: State, space: str) -> States:
    """A Fortification from the supply onto a location that has none."""
    if space in board(state).locations and space not in state.forts and state.fort_supply:
        yield state._replace(forts=state.forts | {space}, fort_supply=state.fort_supply - 1)


def on_through(state: State, uid: int) -> States:
    """One more step of the same move: not out of a fort, for nothing moves through one."""
    if living(state, uid).at not in state.forts:
        yield from step(state, uid)


def displacements(state: State, player: str, space: str) -> States:
    """Each enemy stack adjacent to `space` one step anywhere it may enter; triggers nothing."""
    for near in board(state).neighbours[space]:
        unit = unit_at(state, near)
        if unit is None or friends(unit.owner, player):
            continue
        for target in board(state).neighbours[near]:
            if can_enter(state, unit.owner, target):
                yield put_unit(state, unit._replace(at=target))


# --- control ----------------------------------------------------------------------------------


def control(state: State, uid: int) -> States:
    """Take the location of the unit; the team's last marker wins at once."""
    unit = living(state, uid)
    if unit.at not in board(state).locations or unit.at in controlled(state, unit.owner):
        return
    team = TEAM_OF[unit.owner]
    raven, wolf = (
        held | {unit.at} if name == team else held - {unit.at} for name, held in zip(TEAMS, state.control, strict=True)
    )
    state = state._replace(control=(raven, wolf))
    if len(controlled(state, team)) >= board(state).markers:
        yield state._replace(over=True, winner=team)
    elif unit.kind == "Warrior Priest":
        yield from priest_draws(state, unit.owner)
    else:
        yield state


@lru_cache(maxsize=5000)
def priest_draws(state: State, player: str) -> tuple[State, ...]:
    """The Warrior Priest's owner draws a coin and must use it at once; all coins are followed."""
    from .rules import play_coin  # the one circle in the rules

    state = refilled(state, player)
    bag = side(state, player).bag
    if not bag:
        return (state,)
    found: set[State] = set()
    for coin in set(bag):
        found |= play_coin(take(state, player, "bag", coin), player, coin)
    return tuple(found)


# --- deploying --------------------------------------------------------------------------------


def deployable(state: State, player: str, kind: str) -> bool:
    """Whether another unit of that kind may enter the board: one, or two Footmen."""
    return len(own_units(state, player, kind)) < (2 if kind == "Footman" else 1)


def deploy_spaces(state: State, player: str, kind: str) -> set[str]:
    """Where `player` may deploy: the team's locations; a Scout also beside any friendly unit."""
    spaces = set(controlled(state, player))
    if kind == "Scout":
        for unit in team_units(state, player):
            spaces.update(board(state).neighbours[unit.at])
    return {space for space in spaces if can_enter(state, player, space)}


def deploy(state: State, unit: Unit) -> States:
    """Put a stack that is not on the board into each space it may be deployed to."""
    for space in deploy_spaces(state, unit.owner, unit.kind):
        placed = unit._replace(at=space)
        yield from _deployed(state._replace(units=(*state.units, placed)), placed)


def _deployed(state: State, unit: Unit) -> States:
    """The stack is placed; the Earl may move, the Siege Tower may take a coin from its supply."""
    yield state
    if unit.kind == "Earl":
        yield from step(state, unit.uid)
    if unit.kind == "Siege Tower" and "Siege Tower" in side(state, unit.owner).supply:
        yield bolstered_from_supply(state, unit)


def bolstered_from_supply(state: State, unit: Unit) -> State:
    """A coin of the stack's kind goes from its owner's supply onto it; it must be there."""
    state = take(state, unit.owner, "supply", unit.kind)
    return put_unit(state, unit._replace(coins=unit.coins + 1))


# --- drawing into the hand --------------------------------------------------------------------


def draws(state: State, player: str) -> Iterator[tuple[str, State]]:
    """Each kind of coin `player` can draw into the hand, the bag refilled if empty."""
    state = refilled(state, player)
    for coin in sorted(set(side(state, player).bag)):
        yield coin, give(take(state, player, "bag", coin), player, "hand", coin)
