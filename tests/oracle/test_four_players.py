"""Four players in two teams: turn order, the things shared with a teammate, and one's own."""

from fractions import Fraction

from .board import BOARDS
from .naive import draw_successors, from_position, perft, turn_successors
from .sketch import count, decrees, pos4, stacks, up
from .state import Position


def proclaimed(start: Position) -> list[Position]:
    """The successors in which raven's Royal Coin was spent face-up."""
    return [p for p in turn_successors(start) if "Royal Coin" in up(p)]


def test_the_large_board() -> None:
    table = BOARDS[4]
    assert len(table.spaces) == 47
    degrees = [len(near) for near in table.neighbours.values()]
    assert [degrees.count(n) for n in (6, 4, 3)] == [25, 16, 6]
    assert len(table.locations) == 14
    assert {*table.starts["raven"], *table.starts["wolf"]} == {"e2", "h1", "b5", "g6", "d7", "j3"}
    assert {"a7", "k1"} <= table.locations
    places = table.locations
    assert min(table.distance[a, b] for a in places for b in places if a != b) == 2


def test_turns_go_round() -> None:
    start = pos4()
    assert {p["to_act"] for p in turn_successors(start)} == {"wolf"}
    assert {p["to_act"] for p in turn_successors(start | {"to_act": "wolf2"})} == {"raven"}
    start["hand"]["wolf"] = []
    assert {p["to_act"] for p in turn_successors(start)} == {"raven2"}
    assert from_position(start | {"to_act": "wolf"}).to_act == "raven2"
    last = pos4(hand="Knight")
    last |= {"hand": {"raven": ["Knight"]}, "bag": {"wolf": ["Scout"]}}
    assert {p["to_act"] for p in turn_successors(last | {"initiative": "wolf2"})} == {
        "wolf2",
        "raven",  # having claimed it
    }


def test_initiative_is_not_claimed_from_a_teammate() -> None:
    assert count(pos4(initiative="raven2")) == 1
    claimed = [p for p in turn_successors(pos4(initiative="wolf2")) if p["initiative_moved"]]
    assert [p["initiative"] for p in claimed] == ["raven"]


def test_deploying_on_the_teams_locations() -> None:
    start = pos4(to_act="raven2")
    start["hand"]["raven2"] = ["Knight"]
    assert count(start) == 1 + 3
    assert {s for p in turn_successors(start) for s in stacks(p, "raven2")} == {"e2", "h1", "b5"}


def test_control_is_the_teams_and_eight_win() -> None:
    start = pos4("Knight", raven="g3 Knight")
    taken = [p for p in turn_successors(start) if "g3" in p["control"]["raven"]]
    assert len(taken) == 1 and "winner" not in taken[0]
    seven = ["e2", "h1", "b5", "d4", "i2", "e5", "h4"]
    start = pos4("Royal Coin", raven2="j3 Knight", to_act="raven2", initiative="raven2")
    start["control"] = {"raven": seven, "wolf": ["j3"]}
    start["hand"]["raven2"] = ["Knight"]
    won = [p for p in turn_successors(start) if "winner" in p]
    assert [(p["winner"], p["control"]["wolf"]) for p in won] == [("raven", [])]
    start["control"]["raven"] = seven[1:]
    assert not any("winner" in p for p in turn_successors(start))


def test_a_teammates_unit_is_no_enemy() -> None:
    # f4's other five neighbours, pass and bolster
    assert count(pos4("Knight", raven="f4 Knight", raven2="f5 Scout")) == 1 + 1 + 5
    assert count(pos4("Knight", raven="f4 Knight", wolf2="f5 Scout")) == 1 + 1 + 5 + 1


def test_own_is_not_the_teams() -> None:
    start = pos4(raven2="f4 Knight, f5 Royal Guard", box={"raven2": ["Knight"]})
    start |= {"decrees": decrees("Redeploy", "Reinforce", "Enlist")}
    start["supply"] = {"raven2": ["Knight", "Knight"]}
    assert count(start) == 1
    start = pos4(raven2="f4 Mercenary", supply={"raven": ["Scout"], "raven2": ["Mercenary"]})
    assert count(start) == 1 + 1


def test_decrees_for_any_friendly_unit() -> None:
    start = pos4(raven2="e2 Swordsman 2", wolf="f2 Scout", decrees=decrees("Guard"))
    assert len(proclaimed(start)) == 1 + len(BOARDS[4].neighbours["e2"])
    start["decrees"] = decrees("March")
    assert len(proclaimed(start)) == len(BOARDS[4].neighbours["e2"]) - 1
    start["decrees"] = decrees("Sacrifice")
    assert len(proclaimed(start)) == 1 + len(BOARDS[4].neighbours["e2"])
    assert all(p["box"]["raven2"] == ["Swordsman"] for p in proclaimed(start))


def test_seals_are_the_teams() -> None:
    start = pos4(box={"raven": ["Knight"], "raven2": ["Scout"]}, decrees=decrees("Reinforce"))
    (sealed,) = proclaimed(start)
    assert sealed["decrees"] == decrees(Reinforce="raven")
    assert count(start | {"to_act": "raven2"}) == 1 + 1
    assert count(sealed | {"to_act": "raven2"}) == 1
    assert count(sealed | {"to_act": "wolf", "box": {"wolf": ["Archer"]}}) == 1 + 1 + 1


def test_spy_sees_the_hand_of_either_opponent() -> None:
    start = pos4(decrees=decrees("Spy"), bag={"wolf": ["Knight"], "wolf2": ["Scout"]})
    assert len(proclaimed(start)) == 1 + 1 + 1
    start["hand"]["wolf"] = []
    assert len(proclaimed(start)) == 1 + 1
    start["hand"]["wolf2"] = []
    assert len(proclaimed(start)) == 0


def test_herald_bolsters_a_teammate_from_that_supply() -> None:
    start = pos4("Herald", raven="f4 Herald", raven2="f5 Scout", supply={"raven2": ["Scout"]})
    # pass, bolster, 5 moves, the tactic
    assert count(start) == 1 + 1 + 5 + 1
    assert [p for p in turn_successors(start) if stacks(p, "raven2") == {"f5": ("Scout", 2)}]
    start["supply"] = {"raven": ["Scout"]}
    assert count(start) == 1 + 1 + 1 + 5


def test_herald_answers_its_own_player() -> None:
    start = pos4(raven2="f4 Herald", box={"raven": ["Knight"]}, decrees=decrees("Reinforce"))
    assert len(proclaimed(start)) == 1
    start = pos4(raven="f4 Herald", box={"raven": ["Knight"]}, decrees=decrees("Reinforce"))
    assert len(proclaimed(start)) == 1 + 6


def test_tactics_on_a_teammate() -> None:
    start = pos4("Ensign", raven="f4 Ensign", raven2="f5 Berserker 2")
    paid = [p for p in turn_successors(start) if up(p, "raven2") == ["Berserker"]]
    assert paid and all(up(p) == ["Ensign"] for p in paid)
    start = pos4("Marshall", raven="f4 Marshall", raven2="f5 Warrior Priest", wolf2="f6 Scout")
    start["bag"] = {"raven": ["Knight"], "raven2": ["Royal Coin"]}
    drew = [p for p in turn_successors(start) if not stacks(p, "wolf2")]
    assert [p["discard"]["raven2"]["down"] for p in drew] == [["Royal Coin"]]
    assert [p["bag"]["raven"] for p in drew] == [["Knight"]]
    assert {p["to_act"] for p in drew} == {"wolf"}
    start = pos4("War Wagon", raven="f4 War Wagon 2", raven2="f5 Scout")
    assert count(start) == 1 + 1 + 5 + 5


def test_scout_deploys_beside_a_teammate() -> None:
    assert count(pos4("Scout", raven2="f4 Archer")) == 1 + 3 + 6
    start = pos4(raven="j1 Scout", raven2="f4 Archer", decrees=decrees("Redeploy"))
    assert len(proclaimed(start)) == 3 + 6


def test_war_wagon_pays_for_a_teammate() -> None:
    start = pos4("Knight", raven="f4 Knight", wolf="f5 Scout 2", wolf2="f6 War Wagon")
    assert count(start) == 1 + 1 + 5 + 2
    gone = [p for p in turn_successors(start) if not stacks(p, "wolf2")]
    assert [p["box"]["wolf2"] for p in gone] == [["War Wagon"]]


def test_bannerman_displaces_either_enemy_but_no_friend() -> None:
    start = pos4("Bannerman", raven="g3 Bannerman", raven2="g4 Scout", wolf2="g2 Knight")
    held = [p for p in turn_successors(start) if "g3" in p["control"]["raven"]]
    assert len(held) == 1 + len(BOARDS[4].neighbours["g2"]) - 1
    assert all(stacks(p, "raven2") == {"g4": ("Scout", 1)} for p in held)


def test_forts_belong_to_the_team() -> None:
    start = pos4("Knight", raven="c5 Knight", forts=["b5"])
    assert any("b5" in stacks(p, "raven") for p in turn_successors(start))
    assert all(p["forts"] for p in turn_successors(start))
    start["control"] = {"raven": [], "wolf": ["b5"]}
    assert not any("b5" in stacks(p, "raven") for p in turn_successors(start))
    assert [p["fort_supply"] for p in turn_successors(start) if not p["forts"]] == [1]


def test_draws_go_round_for_four() -> None:
    bag = {p: ["Knight", "Scout"] for p in ("raven", "wolf", "wolf2")}
    start = pos4(hand="", bag=bag, initiative="wolf2", to_act="wolf2")
    start["hand"] = {}
    start["bag"]["raven2"] = ["Archer", "Archer", "Archer", "Lancer"]
    drawn = draw_successors(start)
    assert sorted(chance for _, chance in drawn) == [Fraction(1, 4), Fraction(3, 4)]
    assert all(p["to_act"] == "wolf2" for p, _ in drawn)
    assert all(p["hand"]["wolf"] == ["Knight", "Scout"] for p, _ in drawn)


def test_deadlock_of_four_is_a_draw() -> None:
    start = pos4("Knight", raven="f4 Knight")
    start["hand"] = {"raven": ["Knight"], "raven2": []}
    assert [p["winner"] for p in turn_successors(start) if "winner" in p] == [None]
    start["bag"] = {"wolf2": ["Scout"]}
    assert perft(start, 1) == count(start) and not any("winner" in p for p in turn_successors(start))
