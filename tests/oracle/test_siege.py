"""Siege in the oracle: small positions whose successors were counted by hand.

f4 has six neighbours: g4 e4 f5 f3, and the locations g3 and e5; d4 and h4 are two away from it in
a straight line. Unless told otherwise raven controls e2 and h1, wolf g6 and d7.
"""

import pytest

from .naive import from_position, turn_successors
from .sketch import boards, count, decrees, pos, stacks, up
from .state import Position

E5_IS_WOLFS = {"raven": ["e2", "h1"], "wolf": ["e5"]}
G3_IS_RAVENS = {"raven": ["g3"], "wolf": []}


def fort_hit(start: Position) -> list[Position]:
    """The successors with fewer forts."""
    return [p for p in turn_successors(start) if len(p["forts"]) < len(start["forts"])]


def built(start: Position) -> list[Position]:
    """The successors with more forts."""
    before = len(start.get("forts", ()))
    return [p for p in turn_successors(start) if len(p["forts"]) > before]


# --- forts ------------------------------------------------------------------------------------


def test_only_neutral_and_own_forts_may_be_entered() -> None:
    start = pos("f4 Archer", "", "Archer", control=E5_IS_WOLFS, forts=["g3", "e5"])
    assert count(start) == 1 + 1 + 5  # an Archer cannot hit an adjacent unit
    start["control"] = {"raven": ["g3", "e5"], "wolf": []}
    assert len([r for r, _ in boards(start) if "f4" not in r]) == 6


def test_forts_are_attacked_like_units() -> None:
    start = pos("f4 Swordsman", "", "Swordsman", control=E5_IS_WOLFS, forts=["g3", "e5"])
    # pass, bolster, 5 moves; g3 falls and then nothing or 5 steps; e5 falls: nothing or 6
    assert count(start) == 1 + 1 + 5 + (1 + 5) + (1 + 6)
    assert all(p["fort_supply"] == 1 for p in fort_hit(start))


def test_own_fort_is_no_target_unless_an_enemy_is_inside() -> None:
    start = pos("f4 Knight", "", "Knight", control=G3_IS_RAVENS, forts=["g3"])
    assert not fort_hit(start)
    friend = pos("f4 Knight, g3 Scout", "", "Knight", control=G3_IS_RAVENS, forts=["g3"])
    assert not fort_hit(friend)
    enemy = pos("f4 Knight", "g3 Scout", "Knight", control=G3_IS_RAVENS, forts=["g3"])
    assert [stacks(p, "wolf") for p in fort_hit(enemy)] == [{"g3": ("Scout", 1)}]


@pytest.mark.parametrize("control", [{"raven": ["e2"]}, {"raven": ["e2"], "wolf": ["g3"]}])
def test_a_fort_around_a_friend_may_be_hit(control: dict[str, list[str]]) -> None:
    start = pos("f4 Knight, g3 Scout", "", "Knight", control=control, forts=["g3"])
    assert [len(p["units"]) for p in fort_hit(start)] == [2]


@pytest.mark.parametrize("inside", ["Knight", "Bishop", "Pikeman", "Royal Guard"])
def test_the_fort_is_hit_first_and_no_unit_inside_reacts(inside: str) -> None:
    start = pos("f4 Crossbowman 1, f5 Bishop", f"g3 {inside}, h2 War Wagon", "Crossbowman")
    start |= {"forts": ["g3"], "supply": {"wolf": ["Royal Guard"]}}
    hit = fort_hit(start)
    assert len(hit) == 1
    assert stacks(hit[0], "wolf") == {"g3": (inside, 1), "h2": ("War Wagon", 1)}
    assert "f4" in stacks(hit[0], "raven")
    assert all(len(stacks(p, "wolf")) == 2 for p in turn_successors(start))


def test_hitting_a_fort_is_an_attack() -> None:
    start = pos("f4 Warrior Priest", "", "Warrior Priest", forts=["g3"])
    start["bag"] = {"raven": ["Royal Coin"]}
    assert [p["discard"]["raven"]["down"] for p in fort_hit(start)] == [["Royal Coin"]]
    start = pos("f4 Berserker 2", "", "Berserker", forts=["g3"])
    assert len(fort_hit(start)) == 1 + 6  # hit and nothing, or a paid move (before or after)
    start = pos("f4 Bannerman", "g3 Knight", "Bannerman", forts=["g3"])
    assert len(fort_hit(start)) == 1 + 5


def test_forts_between_stop_no_shot() -> None:
    shot = pos("f4 Crossbowman", "h2 Scout", "Crossbowman", forts=["g3"])
    assert [r for r, w in boards(shot) if not w] == [{"f4": ("Crossbowman", 1)}]
    assert len(fort_hit(shot)) == 1
    assert len(fort_hit(pos("f4 Crossbowman", "", "Crossbowman", forts=["d4", "h4"]))) == 2
    assert len(fort_hit(pos("f4 Crossbowman, g4 Scout", "", "Crossbowman", forts=["h4"]))) == 0
    assert len(fort_hit(pos("f4 Archer, g4 Scout", "", "Archer", forts=["h4"]))) == 1


def test_lancer_charges_from_but_not_through_a_fort() -> None:
    through = pos("f4 Lancer", "i1 Scout", "Lancer")
    assert [r for r, w in boards(through) if not w] == [{"h2": ("Lancer", 1)}]
    assert all(w for _, w in boards(through | {"forts": ["g3"]}))
    into = pos("f4 Lancer", "h2 Scout", "Lancer", forts=["g3"])
    assert [r for r, w in boards(into) if not w] == [{"g3": ("Lancer", 1)}]
    out = pos("g3 Lancer", "i1 Scout", "Lancer", forts=["g3"])
    assert [r for r, w in boards(out) if not w] == [{"h2": ("Lancer", 1)}]
    assert not fort_hit(pos("f5 Lancer", "", "Lancer", forts=["g3"]))  # not in a line
    assert len(fort_hit(pos("e5 Lancer", "", "Lancer", forts=["g3"]))) == 1


def test_light_cavalry_goes_round_a_fort() -> None:
    start = pos("f4 Light Cavalry", "", "Light Cavalry")
    assert count(start) == 1 + 1 + 6 + 12
    start["forts"] = ["g3", "h4"]  # h2 is straight beyond g3; h4 is an end of a move
    # the attacks on g3, and nothing on h4
    assert count(start) == 1 + 1 + 6 + 11 + 1


def test_revised_royal_guard_ends_in_an_own_fort() -> None:
    start = pos("f4 Royal Guard", control=G3_IS_RAVENS, forts=["g3"])
    start["options"] = {"royal_guard": "revised"}
    assert sorted(space for r, _ in boards(start) for space in r) == ["f4", "g3"]
    start["control"] = {"raven": [], "wolf": ["g3"]}
    assert count(start) == 1


def test_original_royal_guard_stays_out_of_enemy_forts() -> None:
    start = pos("f4 Royal Guard", control=E5_IS_WOLFS, forts=["g3", "e5"])
    assert count(start) == 1 + 5


def test_deploying_onto_forts() -> None:
    assert count(pos(hand="Knight", forts=["e2", "h1"])) == 1 + 2
    start = pos("f4 Archer", "", "Scout", control=E5_IS_WOLFS, forts=["g3", "e5"])
    assert count(start) == 1 + 2 + 5  # beside the Archer anywhere but in wolf's fort


def test_control_carries_the_fort_along() -> None:
    start = pos("g3 Archer", "", "Archer", forts=["g3"])
    held = [p for p in turn_successors(start) if "g3" in p["control"]["raven"]]
    assert [p["forts"] for p in held] == [["g3"]]
    start["control"] = {"raven": [], "wolf": ["g3"]}
    held = [p for p in turn_successors(start) if "g3" in p["control"]["raven"]]
    assert [p["control"]["wolf"] for p in held] == [[]]


def test_swordsman_steps_into_the_hex_of_a_fallen_fort() -> None:
    start = pos("f4 Swordsman", "", "Swordsman", control=E5_IS_WOLFS, forts=["e5"])
    assert {next(iter(stacks(p, "raven"))) for p in fort_hit(start)} >= {"e5", "f4"}


def test_positions_with_too_many_forts_are_refused() -> None:
    for bad in ({"forts": ["f4"]}, {"forts": ["g3"], "fort_supply": 7}):
        with pytest.raises(ValueError, match="forts"):
            from_position(pos(**bad))


# --- Sapper -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("forts", "supply", "ways"), [([], 1, 8), ([], 0, 6), (["e5"], 6, 7), (["e5", "g3"], 5, 6)])
def test_sapper_may_build_where_it_moves(forts: list[str], supply: int, ways: int) -> None:
    start = pos("f4 Sapper", "", "Sapper", forts=forts, fort_supply=supply)
    moved = [p for p in turn_successors(start) if "f4" not in stacks(p, "raven")]
    plain = [p for p in moved if len(p["forts"]) >= len(forts)]
    assert len(plain) == ways
    assert all(len(p["forts"]) + p["fort_supply"] == len(forts) + supply for p in moved)


def test_sapper_builds_on_an_enemy_location_too() -> None:
    start = pos("f4 Sapper", "", "Sapper", control=E5_IS_WOLFS, fort_supply=1)
    assert sorted(p["forts"] for p in built(start)) == [["e5"], ["g3"]]


def test_sapper_attacks_a_fort_after_moving() -> None:
    start = pos("f4 Sapper", "", "Sapper", forts=["g3"])
    # pass, bolster, 6 moves, the plain attack; from f3 and g4 the tactic
    assert count(start) == 1 + 1 + 6 + 1 + 2
    assert all(p["forts"] == [] and p["fort_supply"] == 1 for p in fort_hit(start))
    scout = pos("f4 Sapper", "f6 Scout", "Sapper")
    assert all(w for _, w in boards(scout))  # the tactic is for forts only
    assert count(pos("f4 Sapper", "", "Sapper", forts=["g3"], control=G3_IS_RAVENS)) == 8


def test_sapper_builds_before_its_attack() -> None:
    start = pos("e4 Sapper", "", "Sapper", forts=["d4"], fort_supply=0)
    # e4 touches d4, d5, f3, f4, e3 and e5; from e5 the fort is two away
    assert not any("e5" in p["forts"] for p in turn_successors(start))


def test_sapper_moved_by_others_builds() -> None:
    assert len(built(pos("f5 Ensign, f4 Sapper", "", "Ensign", fort_supply=1))) == 2
    assert len(built(pos("g4 War Wagon 2, f4 Sapper", "", "War Wagon", fort_supply=1))) == 2


def test_deployed_sapper_does_not_build() -> None:
    assert count(pos(hand="Sapper", fort_supply=3)) == 1 + 2
    assert not built(pos("f4 Sapper", decrees=decrees("Redeploy"), fort_supply=3))


# --- Siege Tower ------------------------------------------------------------------------------


def test_siege_tower_may_be_bolstered_when_deployed() -> None:
    assert count(pos(hand="Siege Tower", supply={"raven": ["Siege Tower"]})) == 1 + 1 + 2 * 2
    assert count(pos(hand="Siege Tower", supply={"raven": ["Scout"]})) == 1 + 1 + 2


def test_siege_tower_attacks_twice_if_bolstered() -> None:
    assert count(pos("f4 Siege Tower", "f5 Scout 3", "Siege Tower")) == 1 + 1 + 5 + 1
    assert count(pos("f4 Siege Tower 2", "f5 Scout 3", "Siege Tower")) == 1 + 1 + 5 + 1 + 1
    both = pos("f4 Siege Tower 2", "f5 Scout, f3 Archer", "Siege Tower")
    assert count(both) == 1 + 1 + 4 + 2 + 1
    alone = pos("f4 Siege Tower 2", "f5 Scout", "Siege Tower")
    assert count(alone) == 1 + 1 + 5 + 1  # without a second target it is a plain attack


def test_siege_tower_shrunk_by_a_pikeman_goes_on() -> None:
    start = pos("f4 Siege Tower 2", "f5 Pikeman 3", "Siege Tower")
    assert count(start) == 1 + 1 + 5 + 1 + 1
    assert ({}, {"f5": ("Pikeman", 1)}) in boards(start)
    bishop = pos("f4 Siege Tower 2", "f5 Pikeman 2, f3 Bishop", "Siege Tower")
    hit = [r for r, w in boards(bishop) if "f3" not in w]
    assert hit == [{"f4": ("Siege Tower", 1)}]


def test_siege_tower_killed_by_its_first_attack() -> None:
    start = pos("f4 Siege Tower 2", "f5 Pikeman 3, f3 Pikeman 3", "Siege Tower")
    dead = [w for r, w in boards(start) if not r]
    assert sorted(w["f5"][1] for w in dead) == [1, 2, 3]


def test_siege_tower_takes_fort_and_unit() -> None:
    start = pos("f4 Siege Tower 2", "g3 Scout", "Siege Tower", forts=["g3"])
    assert ({"f4": ("Siege Tower", 2)}, {}) in boards(start)
    assert len(fort_hit(start)) == 2


# --- Trebuchet --------------------------------------------------------------------------------


def test_trebuchet_shoots_two_or_three_in_a_line() -> None:
    wolf = "f6 Scout, f5 Archer, f7 Knight, g5 Lancer"
    assert count(pos("f4 Trebuchet 2", wolf, "Trebuchet")) == 1 + 1 + 5 + 2
    assert count(pos("f4 Trebuchet", wolf, "Trebuchet")) == 1 + 1 + 5
    assert count(pos("f4 Trebuchet 2", "f6 Bishop, f7 Pikeman", "Trebuchet")) == 1 + 1 + 6 + 1


def test_trebuchet_shoots_forts_and_takes_no_orders() -> None:
    assert len(fort_hit(pos("f4 Trebuchet 2", "", "Trebuchet", forts=["d4", "h4", "g3"]))) == 2
    assert all(w for _, w in boards(pos("f4 Marshall, f3 Trebuchet 2", "f2 Scout", "Marshall")))


# --- War Wagon --------------------------------------------------------------------------------


def test_war_wagon_pushes_and_follows() -> None:
    assert count(pos("f4 War Wagon 2, f5 Scout", "", "War Wagon")) == 1 + 1 + 5 + 5
    assert count(pos("f4 War Wagon, f5 Scout", "", "War Wagon")) == 1 + 1 + 5
    assert count(pos("f4 War Wagon 2, f6 Scout", "", "War Wagon")) == 1 + 1 + 6


def test_war_wagon_cannot_follow_into_an_enemy_fort() -> None:
    start = pos("f4 War Wagon 2, g3 Scout", "", "War Wagon", forts=["g3"])
    assert len([r for r, _ in boards(start) if r.get("g3") == ("War Wagon", 2)]) == 5
    start["control"] = {"raven": [], "wolf": ["g3"]}
    assert not [r for r, _ in boards(start) if r.get("g3") == ("War Wagon", 2)]


def test_war_wagon_pushing_a_berserker() -> None:
    start = pos("f4 War Wagon 2, f5 Berserker 2", "", "War Wagon")
    ends = [(r, up(p)) for p in turn_successors(start) if len(r := stacks(p, "raven")) == 2]
    pushed = [coins for r, coins in ends if r.get("f5") == ("War Wagon", 2)]
    # five ends; then, paid for, one step more: to any of the five, or to the second ring around f5
    # but f3, which only f4 leads to; or control of e5. Never back to f5.
    assert pushed.count(["War Wagon"]) == 5
    assert pushed.count(["Berserker", "War Wagon"]) == 5 + 11 + 1


def test_war_wagon_pushing_a_bannerman() -> None:
    start = pos("f4 War Wagon 2, f5 Bannerman", "f7 Scout", "War Wagon")
    at_f6 = [w for r, w in boards(start) if r == {"f5": ("War Wagon", 2), "f6": ("Bannerman", 1)}]
    assert len(at_f6) == 1 + 2  # f7 is a corner: e7 and g6, neither of them the vacated f5
    start = pos("f4 War Wagon 2, f5 Bannerman", "g5 Scout", "War Wagon")
    at_f6 = [w for r, w in boards(start) if r == {"f5": ("War Wagon", 2), "f6": ("Bannerman", 1)}]
    assert len(at_f6) == 1 + 4  # h4 h5 g4 g6, not f5, which the Wagon needs


def test_war_wagon_pays_for_a_neighbour() -> None:
    start = pos("f4 Knight", "f5 Scout 2, f6 War Wagon", "Knight")
    assert count(start) == 1 + 1 + 5 + 2
    assert [w for _, w in boards(start) if "f6" not in w] == [{"f5": ("Scout", 2)}]
    start = pos("f4 Knight", "f5 War Wagon 2, f6 Scout", "Knight")
    assert count(start) == 1 + 1 + 5 + 1
    start = pos("f4 Archer", "f6 Scout, f7 War Wagon", "Archer")
    assert len([w for _, w in boards(start) if len(w) == 1]) == 2


def test_war_wagon_or_royal_guard_supply() -> None:
    start = pos("f4 Knight", "f5 Royal Guard 2, f6 War Wagon", "Knight")
    start["supply"] = {"wolf": ["Royal Guard"]}
    hit = [p for p in turn_successors(start) if p["box"]["wolf"]]
    assert len(hit) == 3


def test_war_wagon_paying_for_a_pikeman_does_not_stop_its_answer() -> None:
    start = pos("f4 Knight", "f5 Pikeman, f6 War Wagon", "Knight")
    dead = [w for r, w in boards(start) if not r]
    assert sorted(map(len, dead)) == [1, 1]


def test_war_wagon_pays_for_no_pikeman_loss_and_no_sacrifice() -> None:
    start = pos("f4 Knight, e4 War Wagon", "f5 Pikeman", "Knight")
    assert [r for r, w in boards(start) if not w] == [{"e4": ("War Wagon", 1)}]
    start = pos("f4 Knight, e4 War Wagon", "f5 Scout", decrees=decrees("Sacrifice"))
    assert [r for r, w in boards(start) if not w] == [{"e4": ("War Wagon", 1)}]
