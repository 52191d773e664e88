"""Direct tests of the oracle on tricky rulings."""

from fractions import Fraction

from .naive import draw_successors, from_position, perft, turn_successors
from .sketch import boards, pos, stacks, up
from .state import LOCATIONS, NEIGHBOURS, RAYS, SPACES


def test_board() -> None:
    assert len(SPACES) == 37
    assert sum(map(len, NEIGHBOURS.values())) == 2 * 90
    assert LOCATIONS == {"e2", "h1", "g6", "d7", "d4", "g3", "i2", "e5", "h4", "c6"}
    assert set(NEIGHBOURS["f4"]) == {"g4", "e4", "f5", "f3", "g3", "e5"}
    assert ("g3", "h2", "i1") in RAYS["f4"]


def test_royal_coin_alone_passes_or_claims() -> None:
    assert perft(pos(), 1) == 1
    start = pos(initiative="wolf", supply={"raven": ["Archer", "Archer"]})
    after = turn_successors(start)
    assert len(after) == 3
    assert all("Royal Coin" in p["discard"]["raven"]["down"] for p in after)
    claimed = [p for p in after if p["initiative"] == "raven"]
    assert len(claimed) == 1 and claimed[0]["initiative_moved"]
    assert len(turn_successors(start | {"initiative_moved": True})) == 2
    assert [p for p in after if up(p) == ["Archer"] and p["supply"]["raven"] == ["Archer"]]


def test_claim_as_last_coin_starts_the_next_round() -> None:
    start = pos(initiative="wolf", hand="Archer", bag={"wolf": ["Scout"]})
    start["hand"]["wolf"] = []
    claimed = [p for p in turn_successors(start) if p["initiative"] == "raven"]
    assert [(p["to_act"], p["initiative_moved"]) for p in claimed] == [("raven", True)]
    passed = [p for p in turn_successors(start) if p["initiative"] == "wolf"]
    assert {p["to_act"] for p in passed} == {"wolf"}


def test_to_act_skips_an_empty_hand() -> None:
    start = pos(hand="Archer, Archer")
    start["hand"]["wolf"] = []
    assert {p["to_act"] for p in turn_successors(start)} == {"raven"}
    start["to_act"] = "wolf"
    assert from_position(start).to_act == "raven"


def test_pikeman_both_die() -> None:
    after = boards(pos("f4 Swordsman", "f5 Pikeman", "Swordsman"))
    assert ({}, {}) in after
    gone = [p for p in turn_successors(pos("f4 Swordsman", "f5 Pikeman", "Swordsman")) if not p["units"]]
    assert len(gone) == 1
    assert gone[0]["box"] == {"raven": ["Swordsman"], "wolf": ["Pikeman"]}


def test_pikeman_ignores_ranged_but_hits_knight_and_lancer() -> None:
    assert ({"f4": ("Archer", 1)}, {}) in boards(pos("f4 Archer", "f6 Pikeman", "Archer"))
    assert ({"f4": ("Crossbowman", 1)}, {}) in boards(pos("f4 Crossbowman", "f6 Pikeman", "Crossbowman"))
    assert ({}, {}) in boards(pos("f4 Knight", "f5 Pikeman", "Knight"))
    assert ({}, {}) in boards(pos("f4 Lancer", "f7 Pikeman", "Lancer"))


def test_archer_second_ring_only() -> None:
    assert all(w for _, w in boards(pos("f4 Archer 2", "f5 Scout", "Archer")))
    assert all(w for _, w in boards(pos("f4 Archer 2", "f7 Scout", "Archer")))
    for target in ("g5", "f6"):  # a bent shot and a straight one, over units of both sides
        over = pos("f4 Archer, g4 Scout", f"f5 Ensign, {target} Scout", "Archer")
        assert any(target not in w for _, w in boards(over))
    assert all(w for _, w in boards(pos("f4 Archer", "g5 Knight", "Archer")))
    assert any(not w for _, w in boards(pos("f4 Archer 2", "g5 Knight", "Archer")))


def test_crossbowman_is_blocked_by_any_unit() -> None:
    assert any(not w for _, w in boards(pos("f4 Crossbowman", "f6 Scout", "Crossbowman")))
    own = pos("f4 Crossbowman, f5 Ensign", "f6 Scout", "Crossbowman")
    assert all(w for _, w in boards(own))
    assert all(w for _, w in boards(pos("f4 Crossbowman", "g5 Scout", "Crossbowman")))
    assert any(not w for _, w in boards(pos("f4 Crossbowman", "f5 Scout", "Crossbowman")))


def test_lancer_charge() -> None:
    start = pos("f4 Lancer", "f6 Scout", "Lancer")
    assert ({"f5": ("Lancer", 1)}, {}) in boards(start)
    assert all(w for _, w in boards(pos("f4 Lancer", "f5 Scout", "Lancer")))
    assert all(w for _, w in boards(pos("f4 Lancer", "f6 Knight", "Lancer")))
    assert any(not w for _, w in boards(pos("f4 Lancer 2", "f7 Knight", "Lancer")))
    blocked = pos("f4 Lancer, f5 Ensign", "f7 Scout", "Lancer")
    assert all(w for _, w in boards(blocked))


def test_cavalry_killed_by_a_pikeman_after_its_move() -> None:
    after = boards(pos("f4 Cavalry", "f6 Pikeman 2", "Cavalry"))
    assert ({}, {"f6": ("Pikeman", 1)}) in after
    # six plain moves, a pass, two charges that end the same way, a bolster; deploy is barred
    assert len(after) == 6 + 1 + 1 + 1


def test_light_cavalry_ends_at_distance_two() -> None:
    after = boards(pos("f4 Light Cavalry", "", "Light Cavalry"))
    assert len(after) == 6 + 12 + 2
    ring = ["f5", "e5", "e4", "f3", "g3"]
    walled = pos("f4 Light Cavalry", ", ".join(f"{s} Scout" for s in ring), "Light Cavalry")
    ends = {next(iter(r)) for r, _ in boards(walled) if r}
    assert ends == {"f4", "g4", "g5", "h3", "h4"}  # the only way out is g4


def test_berserker_pays_first() -> None:
    start = pos("f4 Berserker 2", "f6 Knight", "Berserker")
    assert all(w for _, w in boards(start))  # after paying it is not bolstered any more
    start = pos("f4 Berserker 2", "f5 Knight 2", "Berserker")
    assert min(w["f5"][1] for _, w in boards(start)) == 1
    start = pos("f4 Berserker 3", "f5 Knight 3", "Berserker")
    assert min(w["f5"][1] for _, w in boards(start)) == 1
    twice = [p for p in turn_successors(start) if up(p) == ["Berserker"] * 2]
    assert twice and all(not p["box"]["raven"] for p in twice)
    assert all(stacks(p, "raven") for p in turn_successors(start))


def test_berserker_shrunk_by_a_pikeman_has_nothing_to_pay() -> None:
    start = pos("f4 Berserker 2", "f5 Pikeman 4", "Berserker")
    hit = [p for p in turn_successors(start) if stacks(p, "wolf")["f5"][1] < 4]
    # attack and shrink to one; or move beside it, pay, attack and die
    assert {tuple(stacks(p, "raven").values()) for p in hit} == {(("Berserker", 1),), ()}
    assert {stacks(p, "wolf")["f5"][1] for p in hit} == {3}


def test_warrior_priest_refill_includes_the_coin_just_played() -> None:
    start = pos("f4 Warrior Priest", "f5 Scout 2", "Warrior Priest")
    after = turn_successors(start)
    killed = [p for p in after if not stacks(p, "wolf")]
    assert killed  # the only coin to draw is the one just played: it attacks again
    assert {tuple(up(p)) for p in killed} <= {(), ("Warrior Priest",)}
    assert any(
        stacks(p, "raven") == {"f4": ("Warrior Priest", 2)} for p in after if stacks(p, "wolf") == {"f5": ("Scout", 1)}
    )


def test_warrior_priest_must_use_the_drawn_coin_and_keeps_the_bag() -> None:
    start = pos("f4 Warrior Priest", "f5 Scout", "Warrior Priest", bag={"raven": ["Royal Coin", "Archer"]})
    drew = [p for p in turn_successors(start) if not stacks(p, "wolf")]
    assert {tuple(p["bag"]["raven"]) for p in drew} == {("Royal Coin",), ("Archer",)}
    assert all(up(p) == ["Warrior Priest"] for p in drew)
    assert {(p["discard"]["raven"]["down"] or ["placed"])[0] for p in drew} == {"Royal Coin", "Archer", "placed"}


def test_dead_or_moving_warrior_priest_draws_nothing() -> None:
    start = pos("f4 Warrior Priest", "f5 Pikeman", "Warrior Priest", bag={"raven": ["Royal Coin"]})
    dead = [p for p in turn_successors(start) if not stacks(p, "raven")]
    assert [p["bag"]["raven"] for p in dead] == [["Royal Coin"]]
    moved = [p for p in turn_successors(start) if "f3" in stacks(p, "raven")]
    assert [p["bag"]["raven"] for p in moved] == [["Royal Coin"]]


def test_warrior_priest_control_draws() -> None:
    start = pos("g3 Warrior Priest", "", "Warrior Priest", bag={"raven": ["Royal Coin"]})
    held = [p for p in turn_successors(start) if "g3" in p["control"]["raven"]]
    assert [p["discard"]["raven"]["down"] for p in held] == [["Royal Coin"]]


def test_royal_guard_owner_may_pay_from_supply() -> None:
    start = pos("f4 Scout", "f5 Royal Guard", "Scout", supply={"wolf": ["Royal Guard", "Royal Guard"]})
    hit = [p for p in turn_successors(start) if p["box"]["wolf"]]
    assert len(hit) == 2
    assert all(p["box"]["wolf"] == ["Royal Guard"] for p in hit)
    assert {len(p["supply"]["wolf"]) for p in hit} == {1, 2}
    start["supply"] = {}
    assert len([p for p in turn_successors(start) if p["box"]["wolf"]]) == 1


def test_royal_guard_supply_does_not_pay_for_the_pikeman() -> None:
    start = pos("f4 Royal Guard", "f5 Pikeman", "Royal Guard", supply={"raven": ["Royal Guard"]})
    hit = [p for p in turn_successors(start) if p["box"]["wolf"]]
    assert [(p["units"], p["supply"]["raven"]) for p in hit] == [([], ["Royal Guard"])]


def test_royal_guard_tactic_original() -> None:
    after = turn_successors(pos("f4 Royal Guard"))
    assert len(after) == 1 + 6
    assert len([p for p in after if up(p) == ["Royal Coin"]]) == 6


def test_royal_guard_tactic_revised() -> None:
    options = {"royal_guard": "revised"}
    control = {"raven": ["g3", "h4", "d4", "e5"], "wolf": ["g6"]}
    start = pos("f4 Royal Guard, d4 Scout", "e5 Archer", control=control, options=options)
    moved = [p for p in turn_successors(start) if up(p) == ["Royal Coin"]]
    assert {next(s for s, (k, _) in stacks(p, "raven").items() if k == "Royal Guard") for p in moved} == {"g3", "h4"}
    home = pos("e2 Royal Guard", options=options)
    assert len(turn_successors(home)) == 1  # never back to its own space
    coin = turn_successors(pos("f4 Royal Guard", hand="Royal Guard", options=options))
    assert len(coin) == 1 + 1 + 6  # pass, bolster, plain moves: that coin pays no tactic


def test_ensign_move_triggers_the_berserker() -> None:
    start = pos("f4 Ensign, f5 Berserker 2", "", "Ensign")
    after = turn_successors(start)
    again = [p for p in after if up(p) == ["Berserker", "Ensign"]]
    assert again and {s[1] for p in again for s in stacks(p, "raven").values()} == {1}
    # after the granted move the extra one may leave the Ensign's reach
    assert any("f7" in stacks(p, "raven") for p in again)
    once = [p for p in after if up(p) == ["Ensign"] and "f4" in stacks(p, "raven")]
    assert {next(s for s in stacks(p, "raven") if s != "f4") for p in once} == {"g4", "e5", "f6", "e6", "g5"}


def test_marshall_grants_normal_attacks_only() -> None:
    start = pos("f4 Marshall, f3 Swordsman", "f2 Scout", "Marshall")
    kills = [r for r, w in boards(start) if not w]
    assert {"f4": ("Marshall", 1), "f3": ("Swordsman", 1)} in kills
    assert {"f4": ("Marshall", 1), "f2": ("Swordsman", 1)} in kills
    for kind in ("Archer", "Lancer"):
        assert all(w for _, w in boards(pos(f"f4 Marshall, f3 {kind}", "f2 Scout", "Marshall")))
    knight = pos("f4 Marshall 3, f3 Scout", "f2 Knight", "Marshall")
    assert all(w for _, w in boards(knight))
    pike = boards(pos("f4 Marshall, f3 Scout", "f2 Pikeman", "Marshall"))
    assert ({"f4": ("Marshall", 1)}, {}) in pike


def test_marshall_wakes_the_berserker() -> None:
    start = pos("f4 Marshall, f3 Berserker 3", "f2 Scout 3", "Marshall")
    assert ({"f4": ("Marshall", 1), "f3": ("Berserker", 1)}, {}) in boards(start)


def test_swordsman_may_move_after_an_attack() -> None:
    after = boards(pos("f4 Swordsman", "f5 Scout", "Swordsman"))
    assert {next(iter(r)) for r, w in after if not w} == {"f4", *NEIGHBOURS["f4"]}


def test_footman_tactic() -> None:
    both = pos("f4 Footman, g3 Footman", "", "Footman", control={"raven": ["e2"], "wolf": []})
    after = turn_successors(both)
    assert any("g3" in p["control"]["raven"] and "f4" not in stacks(p, "raven") for p in after)
    assert not any(p["control"]["raven"] == ["e2"] and len(p["units"]) > 2 for p in after)
    # i1's only ways out are h2, i2 and h1; h1 frees only when its Footman goes first
    order = pos("i1 Footman, i2 Footman, h1 Scout, h2 Ensign", "", "Footman")
    assert any({"i2", "i3"} <= set(r) and "i1" not in r for r, _ in boards(order))


def test_footman_tactic_goes_on_after_a_death_and_needs_no_second() -> None:
    start = pos("f4 Footman, h1 Footman", "f5 Pikeman", "Footman")
    assert ({"h2": ("Footman", 1)}, {}) in boards(start)
    stuck = pos("i1 Footman, f4 Footman, h1 Scout, h2 Ensign, i2 Archer", "", "Footman")
    spots = [set(r) for r, _ in boards(stuck) if "f4" not in r]
    assert len(spots) == 6 and all("i1" in s for s in spots)


def test_two_footmen_may_be_deployed() -> None:
    one = boards(pos("f4 Footman", "", "Footman"))
    assert sum(len(r) == 2 for r, _ in one) == 2
    two = boards(pos("f4 Footman, f5 Footman", "", "Footman"))
    assert sum(len(r) == 3 for r, _ in two) == 0
    assert sum(max(c for _, c in r.values()) == 2 for r, _ in two) == 2


def test_mercenary_after_recruit() -> None:
    start = pos("g3 Mercenary", "f4 Scout", supply={"raven": ["Mercenary", "Archer"]})
    after = turn_successors(start)
    # pass, recruit Archer, recruit Mercenary and then: nothing, five moves, control, attack
    assert len(after) == 1 + 1 + 1 + 5 + 1 + 1
    assert all(up(p) == ["Mercenary"] for p in after if "g3" not in stacks(p, "raven"))
    start["units"] = []
    assert len(turn_successors(start)) == 3


def test_scout_deploys_beside_friends() -> None:
    after = boards(pos("f4 Archer", "f5 Scout", "Scout"))
    spots = {s for r, _ in after for s, (k, _) in r.items() if k == "Scout"}
    assert spots == {"e2", "h1", *NEIGHBOURS["f4"]} - {"f5"}


def test_enemy_location_is_taken_and_the_marker_returned() -> None:
    after = turn_successors(pos("g6 Archer", "", "Archer"))
    taken = [p for p in after if "g6" in p["control"]["raven"]]
    assert [p["control"]["wolf"] for p in taken] == [["d7"]]


def test_win_at_once_cancels_the_rest() -> None:
    control = {"raven": ["e2", "h1", "d4", "i2", "h4"], "wolf": ["g6"]}
    start = pos("g3 Warrior Priest", "", "Warrior Priest", control=control, bag={"raven": ["Royal Coin"]})
    won = [p for p in turn_successors(start) if "winner" in p]
    assert len(won) == 1 and won[0]["winner"] == "raven" and "to_act" not in won[0]
    assert won[0]["bag"]["raven"] == ["Royal Coin"]
    assert won[0]["hand"]["wolf"] == ["Royal Coin"]
    assert turn_successors(won[0]) == [] and perft(won[0], 3) == 1
    footmen = pos("g3 Footman, f6 Footman", "", "Footman", control=control)
    won = [p for p in turn_successors(footmen) if p.get("winner")]
    assert any("f6" in stacks(p, "raven") for p in won)
    assert any("f6" not in stacks(p, "raven") for p in won)  # the other went first
    berserker = pos("g3 Berserker 2", "", "Berserker", control=control)
    won = [p for p in turn_successors(berserker) if p.get("winner")]
    assert {tuple(up(p)) for p in won} == {("Berserker",)}


def test_deadlock_is_a_draw() -> None:
    for board, ways in (("f4 Archer", 1), ("f4 Scout", 2)):  # a bolster; two places to deploy
        start = pos(board, "", "Archer", supply={"raven": ["Archer"]})
        start["hand"]["wolf"] = []
        drawn = [p for p in turn_successors(start) if "winner" in p]
        assert len(drawn) == ways and all(p["winner"] is None for p in drawn)
        start["discard"] = {"wolf": {"down": ["Royal Coin"]}}
        assert not any("winner" in p for p in turn_successors(start))


def test_draw_refills_in_the_middle() -> None:
    start = pos(
        initiative="wolf",
        initiative_moved=True,
        bag={"raven": ["Archer"], "wolf": ["Knight", "Knight", "Scout", "Scout"]},
        discard={"raven": {"up": ["Lancer"], "down": ["Royal Coin", "Lancer"]}},
    )
    start["hand"] = {}
    drawn = draw_successors(start)
    assert sum((c for _, c in drawn), Fraction(0)) == 1
    assert all(p["to_act"] == "wolf" and not p["initiative_moved"] for p, _ in drawn)
    assert all("Archer" in p["hand"]["raven"] for p, _ in drawn)
    both = [c for p, c in drawn if p["hand"]["raven"] == ["Archer", "Lancer", "Lancer"]]
    assert sum(both, Fraction(0)) == Fraction(1, 3)
    assert draw_successors(pos()) == []


def test_ensign_keeps_the_friend_within_two() -> None:
    after = boards(pos("f4 Ensign, f6 Archer, i1 Scout", "", "Ensign"))
    ends = {s for r, _ in after for s, (k, _) in r.items() if k == "Archer"}
    assert ends == {"f6", "f5", "e6", "g5"}
    assert all("i1" in r for r, _ in after)
