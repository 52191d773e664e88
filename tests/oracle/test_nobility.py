"""Nobility in the oracle: small positions whose successors were counted by hand.

Free neighbours on the small board: f4 has six (g3 and e5 are locations), e2 has f2 e3 f1 d3, and
h1 has i1 g1 h2 g2. Raven's Royal Coin alone can only pass, as raven holds the initiative.
"""

import pytest

from .naive import turn_successors
from .sketch import Stacks, boards, count, decrees, pos, stacks, up
from .state import NEIGHBOURS, Position


def proclaimed(start: Position) -> list[Position]:
    """The successors in which the Royal Coin was spent face-up."""
    return [p for p in turn_successors(start) if "Royal Coin" in up(p)]


def killed(start: Position) -> list[Stacks]:
    """Raven's stacks in the successors where no wolf unit is left."""
    return [r for r, w in boards(start) if not w]


# --- Bannerman --------------------------------------------------------------------------------


def test_bannerman_displaces_after_a_move_or_an_attack() -> None:
    # pass, bolster, 5 moves; from e5 and g4 the Scout may go to 5 places each; the attack kills
    assert count(pos("f4 Bannerman", "f5 Scout", "Bannerman")) == 1 + 1 + 5 + 10 + 1
    # now it survives the attack and may be displaced afterwards
    assert count(pos("f4 Bannerman", "f5 Scout 2", "Bannerman")) == 1 + 1 + 5 + 10 + 6


def test_bannerman_displaces_after_control() -> None:
    start = pos("g3 Bannerman", "h2 Knight", "Bannerman")
    held = [p for p in turn_successors(start) if "g3" in p["control"]["raven"]]
    assert len(held) == 1 + 5


def test_dead_bannerman_displaces_no_unit() -> None:
    after = boards(pos("f4 Bannerman", "f5 Pikeman 2, f3 Scout", "Bannerman"))
    assert [w for r, w in after if not r] == [{"f5": ("Pikeman", 1), "f3": ("Scout", 1)}]


def test_bannerman_displaces_after_a_granted_attack_or_move() -> None:
    start = pos("f4 Marshall, f3 Bannerman", "f2 Scout 2", "Marshall")
    assert len([w for _, w in boards(start) if ("Scout", 1) in w.values()]) == 1 + 5
    start = pos("f4 Ensign, f3 Bannerman", "f1 Scout", "Ensign")
    moved = [w for r, w in boards(start) if r.get("f2") == ("Bannerman", 1)]
    assert len(moved) == 1 + 2  # the corner f1 has e2 and g1 besides f2


def test_displaced_sapper_builds_nothing() -> None:
    start = pos("f4 Bannerman", "f5 Sapper 2", "Bannerman", fort_supply=2)
    there = [p for p in turn_successors(start) if "e5" in stacks(p, "wolf")]
    assert there and all(p["forts"] == [] for p in there)


@pytest.mark.parametrize(("holder", "ends"), [("raven", 4), ("wolf", 5), ("", 5)])
def test_displacement_obeys_the_entry_rule_of_the_displaced(holder: str, ends: int) -> None:
    control = {"raven": ["e2"], "wolf": ["g6"]}
    if holder:
        control[holder].append("e5")
    start = pos("f4 Bannerman", "f5 Scout 2", "Bannerman", control=control, forts=["e5"])
    hit = [w for _, w in boards(start) if ("Scout", 1) in w.values()]
    assert len(hit) == 1 + ends


def test_a_unit_may_be_displaced_out_of_a_fort_just_hit_or_not() -> None:
    start = pos("f4 Bannerman", "g3 Knight", "Bannerman", forts=["g3"])
    gone = [p for p in turn_successors(start) if not p["forts"]]
    assert len(gone) == 1 + 5
    assert any(p["forts"] and "g3" not in stacks(p, "wolf") for p in turn_successors(start))


# --- Bishop -----------------------------------------------------------------------------------


def test_bishop_recruits_and_moves_or_attacks() -> None:
    start = pos("f4 Bishop", "f5 Scout", "Bishop")
    assert count(start) == 1 + 1 + 5 + 1
    start["supply"] = {"raven": ["Archer"]}
    assert count(start) == 1 + 1 + 1 + 5 + 1 + (5 + 1)
    assert len([p for p in turn_successors(start) if up(p) == ["Archer", "Bishop"]]) == 6


def test_bishop_is_safe_from_bolstered_units() -> None:
    assert not killed(pos("f4 Knight 2", "f5 Bishop", "Knight"))
    assert killed(pos("f4 Knight", "f5 Bishop", "Knight"))
    assert not killed(pos("f4 Cavalry 2", "f6 Bishop", "Cavalry"))
    assert ({}, {}) in boards(pos("f4 Bishop", "f5 Pikeman", "Bishop"))


def test_berserker_of_two_cannot_open_on_a_bishop() -> None:
    start = pos("f4 Berserker 2", "f5 Bishop", "Berserker")
    assert sorted(r for board in killed(start) for r in board) == ["e5", "g4"]


def test_bishop_needs_room_before_the_mercenary_makes_any() -> None:
    board = "i1 Bishop, i2 Archer, h1 Scout, h2 Mercenary"
    start = pos(board, "", "Bishop", supply={"raven": ["Mercenary"]})
    # pass, recruit and the Mercenary's nothing or 3 moves, bolster, no tactic
    assert count(start) == 1 + 4 + 1
    assert not [p for p in turn_successors(start) if len(up(p)) == 2]


def test_mercenary_win_ends_the_bishops_tactic() -> None:
    control = {"raven": ["e2", "h1", "d4", "i2", "h4"], "wolf": []}
    start = pos("f4 Bishop, g3 Mercenary", "", "Bishop", control=control)
    start["supply"] = {"raven": ["Mercenary"]}
    won = [p for p in turn_successors(start) if p.get("winner") == "raven"]
    assert {tuple(up(p)) for p in won} == {("Mercenary",), ("Bishop", "Mercenary")}
    assert all("f4" in stacks(p, "raven") for p in won)


# --- Earl -------------------------------------------------------------------------------------


def test_earl_may_move_when_deployed() -> None:
    assert count(pos(hand="Earl")) == 1 + 2 * (1 + 4)


def test_earl_controls_and_proclaims_without_a_seal() -> None:
    start = pos("g3 Earl", "", "Earl", decrees=decrees(March="raven wolf"))
    assert count(start) == 1 + 1 + 6 + 1  # no unit is bolstered, so March is out of the question
    start = pos("g3 Earl 2", "", "Earl", decrees=decrees(March="raven wolf"))
    assert count(start) == 1 + 1 + 6 + 1 + 6
    assert all(p["decrees"] == start["decrees"] for p in turn_successors(start))


def test_earl_guards_from_the_location_just_taken() -> None:
    start = pos("g3 Earl", "g4 Scout", "Earl", decrees=decrees("Guard"))
    both = [p for p in turn_successors(start) if "g3" in p["control"]["raven"]]
    assert [len(stacks(p, "wolf")) for p in both].count(0) == 1 and len(both) == 2
    start["control"] = {"raven": ["g3"]}  # nothing to control, so no tactic
    assert count(start) == 1 + 1 + 5 + 1


def test_earls_win_comes_before_the_decree() -> None:
    control = {"raven": ["e2", "h1", "d4", "i2", "h4"], "wolf": []}
    start = pos("g3 Earl 2", "", "Earl", control=control, decrees=decrees("March"))
    won = [p for p in turn_successors(start) if p.get("winner") == "raven"]
    assert len(won) == 1 and "g3" in stacks(won[0], "raven")


# --- Herald and proclaiming -------------------------------------------------------------------


def test_herald_bolsters_a_single_neighbour() -> None:
    start = pos("f4 Herald, f5 Scout, f3 Archer 2", "", "Herald")
    start["supply"] = {"raven": ["Scout", "Archer"]}
    assert count(start) == 1 + 2 + 1 + 4 + 1
    assert [r["f5"] for r, _ in boards(start)].count(("Scout", 2)) == 1


def test_herald_maneuvers_after_a_proclamation() -> None:
    start = pos("f4 Herald", "", decrees=decrees("Reinforce"), box={"raven": ["Archer"]})
    assert count(start) == 1 + (1 + 6)
    assert all(p["decrees"][0]["seals"] == ["raven"] for p in proclaimed(start))
    start["decrees"] = decrees(Reinforce="wolf")
    assert count(start) == 1 + (1 + 6)
    start["decrees"] = decrees(Reinforce="raven")
    assert count(start) == 1


def test_herald_may_use_its_tactic_after_a_proclamation() -> None:
    start = pos("f4 Herald, f5 Scout", "", decrees=decrees("Reinforce"))
    start |= {"box": {"raven": ["Archer"]}, "supply": {"raven": ["Scout"]}}
    assert count(start) == 1 + 1 + (1 + 5 + 1)


def test_herald_removed_by_the_decree_does_nothing() -> None:
    start = pos("f4 Herald", "f5 Scout 2", decrees=decrees("Sacrifice"))
    assert [p["units"] for p in proclaimed(start)] == [[{"at": "f5", "unit": "Scout", "owner": "wolf", "coins": 1}]]


def test_herald_follows_the_earls_proclamation() -> None:
    start = pos("g3 Earl, d5 Herald", "", "Earl", decrees=decrees(Reinforce="raven"))
    start["box"] = {"raven": ["Archer"]}
    back = [p for p in turn_successors(start) if not p["box"]["raven"]]
    assert len(back) == 1 + len(NEIGHBOURS["d5"])


def test_enemy_herald_is_unmoved() -> None:
    start = pos("", "f4 Herald", decrees=decrees("Reinforce"), box={"raven": ["Archer"]})
    assert count(start) == 2


def test_priest_proclaims_with_a_drawn_royal_coin() -> None:
    start = pos("f4 Warrior Priest", "f5 Scout", "Warrior Priest", decrees=decrees("Reinforce"))
    start |= {"bag": {"raven": ["Royal Coin"]}, "box": {"raven": ["Archer"]}}
    assert len(killed(start)) == 2


# --- the decrees ------------------------------------------------------------------------------


def test_enlist() -> None:
    start = pos(decrees=decrees("Enlist"), supply={"raven": ["Archer", "Archer", "Scout"]})
    assert count(start) == 1 + 2 + 2
    start["supply"] = {"raven": ["Archer"]}
    assert count(start) == 2


def test_enlisted_mercenary_acts_after_each_recruit() -> None:
    start = pos("f4 Mercenary", "f6 Scout", decrees=decrees("Enlist"))
    start["supply"] = {"raven": ["Mercenary", "Mercenary"]}
    assert killed(start)  # it takes two maneuvers: a step and an attack
    control = {"raven": ["e2", "h1", "d4", "i2", "h4"], "wolf": []}
    start = pos("g3 Mercenary", control=control, decrees=decrees("Enlist"))
    start["supply"] = {"raven": ["Mercenary", "Archer"]}
    won = [p for p in proclaimed(start) if "winner" in p]
    assert sorted(p["supply"]["raven"] for p in won) == [[], ["Archer"]]
    # where the first maneuver wins, the second coin is not needed any more
    assert all("winner" in p for p in proclaimed(start | {"supply": {"raven": ["Mercenary"]}}))


def test_guard() -> None:
    start = pos("e2 Swordsman", "f2 Scout", decrees=decrees("Guard"))
    assert count(start) == 1 + (1 + 4)
    for unit in ("e2 Archer", "e2 Lancer", "e2 Trebuchet 2", "e3 Swordsman"):
        assert count(pos(unit, "f2 Scout", decrees=decrees("Guard"))) == 1


def test_march() -> None:
    assert count(pos("f4 Knight 2, i1 Scout", decrees=decrees("March"))) == 1 + 6
    assert count(pos("f4 Knight", decrees=decrees("March"))) == 1
    # to g3 and e5 with or without a fort
    assert count(pos("f4 Sapper 2", decrees=decrees("March"), fort_supply=1)) == 1 + 8


def test_redeploy() -> None:
    start = pos("f4 Knight 3", "h4 Scout", decrees=decrees("Redeploy"))
    assert {next(iter(stacks(p, "raven").items())) for p in proclaimed(start)} == {
        ("e2", ("Knight", 3)),
        ("h1", ("Knight", 3)),
    }
    assert len(proclaimed(pos("e2 Knight", decrees=decrees("Redeploy")))) == 2
    # the Scout to e2, h1 or beside the Archer; the Archer to h1
    assert len(proclaimed(pos("e2 Scout, f4 Archer", decrees=decrees("Redeploy")))) == 8 + 1
    assert len(proclaimed(pos("f4 Scout", decrees=decrees("Redeploy")))) == 2


def test_redeploy_wakes_deploy_attributes() -> None:
    assert len(proclaimed(pos("f4 Earl", decrees=decrees("Redeploy")))) == 2 * (1 + 4)
    start = pos("f4 Siege Tower", decrees=decrees("Redeploy"))
    start["supply"] = {"raven": ["Siege Tower"]}
    assert len(proclaimed(start)) == 2 * 2


def test_redeploy_needs_a_place() -> None:
    control = {"raven": ["e2"], "wolf": ["g6"]}
    start = pos("f4 Knight", "e2 Scout", control=control, decrees=decrees("Redeploy"))
    assert proclaimed(start) == []


def test_reinforce() -> None:
    box = {"raven": ["Archer", "Archer", "Scout"], "wolf": ["Knight"]}
    start = pos(decrees=decrees("Reinforce"), box=box)
    assert sorted(p["supply"]["raven"] for p in proclaimed(start)) == [["Archer"], ["Scout"]]
    assert proclaimed(start | {"box": {"wolf": ["Knight"]}}) == []


def test_sacrifice() -> None:
    start = pos("f4 Swordsman 2", "f5 Scout", decrees=decrees("Sacrifice"))
    assert len(proclaimed(start)) == 1 + 6
    assert all(("Swordsman", 1) in stacks(p, "raven").values() for p in proclaimed(start))
    start = pos("f4 Swordsman", "f5 Scout", decrees=decrees("Sacrifice"))
    assert [p["units"] for p in proclaimed(start)] == [[]]
    start = pos("f4 Swordsman 2", "f5 Pikeman", decrees=decrees("Sacrifice"))
    assert [p["box"]["raven"] for p in proclaimed(start)] == [["Swordsman", "Swordsman"]]
    start = pos("f4 Swordsman", "f5 Pikeman", decrees=decrees("Sacrifice"))
    assert [p["box"]["raven"] for p in proclaimed(start)] == [["Swordsman"]]


def test_sacrificed_coin_comes_before_the_attributes() -> None:
    start = pos("f4 Warrior Priest", "f5 Scout", decrees=decrees("Sacrifice"))
    assert [p["bag"]["raven"] for p in proclaimed(start | {"bag": {"raven": ["Scout"]}})] == [["Scout"]]
    start = pos("f4 Berserker 2", "f5 Scout 2", decrees=decrees("Sacrifice"))
    assert len(proclaimed(start)) == 1  # one coin is left, so there is nothing to pay with
    start = pos("f4 Knight 2", "f5 Knight", decrees=decrees("Sacrifice"))
    assert len(proclaimed(start)) == 1  # still bolstered when it attacks


def test_sacrifice_of_a_royal_guard_takes_its_own_coin() -> None:
    start = pos("f4 Royal Guard 2", "f5 Scout", decrees=decrees("Sacrifice"))
    start["supply"] = {"raven": ["Royal Guard"]}
    done = [p for p in proclaimed(start) if p["decrees"][0]["seals"]]
    assert [stacks(p, "raven") for p in done] == [{"f4": ("Royal Guard", 1)}]


@pytest.mark.parametrize(
    ("hand", "bag", "up_coins", "ways"),
    [
        (["Knight", "Scout"], ["Archer"], [], 3),
        (["Knight"], [], [], 1),  # it comes back: as if nothing had happened
        (["Knight"], ["Knight"], [], 2),  # not the same as declining
        (["Knight"], [], ["Archer"], 3),  # a refill brings either back
        ([], ["Archer"], [], 0),
    ],
)
def test_spy(hand: list[str], bag: list[str], up_coins: list[str], ways: int) -> None:
    start = pos(decrees=decrees("Spy"), bag={"wolf": bag}, discard={"wolf": {"up": up_coins}})
    start["hand"]["wolf"] = hand
    after = proclaimed(start)
    assert len(after) == ways
    assert all(len(p["hand"]["wolf"]) == len(hand) for p in after)
    assert all(up(p, "wolf") in (up_coins, []) for p in after)
