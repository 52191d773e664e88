"""The uses of one coin, for any player; the actions that a coin can pay for.

`state.to_act` stays the player whose coin it was at first; a Warrior Priest may bring in another
coin, and with four players another player.
"""

from .decrees import proclaim
from .maneuvers import maneuver, recruit
from .moves import States, deploy, deployable
from .state import ROYAL, State, Unit, friends, give, own_units, put_unit
from .tactics import TACTICS, royal_guard


def play_coin(state: State, player: str, coin: str) -> set[State]:
    """Every way for `player` to play out `coin`, which is in no zone any more."""
    found = set(_face_down(state, player, coin))
    face_up = give(state, player, "up", coin)
    if coin == ROYAL:
        found.update(royal_guard(face_up, player))
        found.update(proclaim(face_up, player))
    else:
        found.update(_place(state, player, coin))
        found.update(_maneuver_with(face_up, player, coin))
    return found


def _face_down(state: State, player: str, coin: str) -> States:
    """Pass, claim the initiative (not a teammate's), or recruit: the coin is face-down."""
    state = give(state, player, "down", coin)
    yield state
    if not friends(state.initiative, player) and not state.initiative_moved:
        yield state._replace(initiative=player, initiative_moved=True)
    yield from recruit(state, player)


def _place(state: State, player: str, coin: str) -> States:
    """Bolster an own unit with the coin, or deploy it as a new one."""
    for unit in own_units(state, player, coin):
        yield put_unit(state, unit._replace(coins=unit.coins + 1))
    if deployable(state, player, coin):
        new = Unit(state.next_uid, "", coin, player, 1)
        yield from deploy(state._replace(next_uid=state.next_uid + 1), new)


def _maneuver_with(state: State, player: str, kind: str) -> States:
    """The coin is already face-up in the discard: an own unit of its kind maneuvers."""
    for unit in own_units(state, player, kind):
        yield from maneuver(state, unit.uid)
        if kind in TACTICS:
            yield from TACTICS[kind](state, unit)
