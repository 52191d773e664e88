"""If able, either, until, and for each in both orders."""

from __future__ import annotations

from machine_support import card, game, lines, offered, player, position, round_trips, take, units


def test_if_able_lapses_and_says_so() -> None:
    state = game(card("Ra", tactic="attack.\nattack if able.\nrecruit if able.")).position(
        position("Ra f4, wolf Archer f5", "Ra")
    )
    take(state, act="tactic")
    assert lines(state).count("left out") == 2 and player(state) == "wolf"


def test_if_able_is_not_optional() -> None:
    state = game(card("Ra", tactic="attack.\nattack if able.")).position(position("Ra f4, wolf Archer f5 3", "Ra"))
    take(state, act="tactic")
    assert units(state)["f5"] == ("Archer", 1)


def test_either_offers_the_possible_branches() -> None:
    ra = card("Ra", attribute="after this moves, either it attacks, or you pass.")
    state = game(ra).position(position("Ra f4, wolf Archer f6", "Ra"))
    there = take(state.clone(), act="move", to="f5")
    assert sorted(one["act"] for one in offered(there)) == ["attack", "pass"]
    round_trips(there)
    there = take(state.clone(), act="move", to="e4")
    assert "nothing else can be done: pass" in lines(there) and player(there) == "wolf"


def test_until_goes_on_as_long_as_it_must() -> None:
    text = "until no coin is in your supply, put a coin in your supply into your bag."
    state = game(card("Ra", tactic=text)).position(position("Ra f4", "Ra", supply={"raven": ["Ra"] * 3}))
    state.apply(next(option for option in state.decision.options if option.data["act"] == "tactic"))
    assert state.position()["bag"]["raven"] == ["Ra"] * 3


def test_options_of_a_loop_differ_in_their_data() -> None:
    text = "until no coin is in your supply, put a coin in your supply into your bag."
    state = game(card("Ra", tactic=text)).position(position("Ra f4", "Ra", supply={"raven": ["Scout", "Ra", "Ra"]}))
    data = [option.data for option in state.decision.options]
    assert all(data.count(one) == 1 for one in data)
    labels = [option.label for option in state.decision.options]
    assert len(set(labels)) == len(labels)


def test_for_each_in_turn_order_begins_with_the_active_player() -> None:
    text = "for each player in turn order, that player draws a coin, then put that coin into the box of that player."
    state = game(card("Ra", tactic=text)).position(
        position("Ra f4", "Ra", "Royal Coin", bag={"raven": ["Ra", "Scout"], "wolf": ["Archer", "Knight"]})
    )
    take(state, act="tactic")
    assert {one["player"] for one in offered(state)} == {"raven"}
    round_trips(state)
    take(state, act="draw", coin="Scout")
    assert {one["player"] for one in offered(state)} == {"wolf"}
    round_trips(state)
    take(state, act="draw", coin="Knight")
    assert state.position()["box"] == {"raven": ["Scout"], "wolf": ["Knight"]}


SHIFT = card("Shift", tactic="for each own unit in any order, it moves.")


def test_for_each_takes_those_that_can_until_none_can() -> None:
    state = game(SHIFT).position(position("Shift f4, Swordsman c4, Knight d4, Archer d3, Scout c5", "Shift"))
    # Shut in on c4 the Swordsman can only move once another has.
    assert not offered(state, act="tactic", each="c4")
    state.apply(next(option for option in state.decision.options if option.data.get("each") == "d4"))
    assert offered(state, each="c4")
    round_trips(state)


def test_for_each_needs_one_that_can() -> None:
    still = card("Still", attribute="this cannot move.", tactic="for each Still in any order, it moves.")
    assert not offered(game(still).position(position("Still f4", "Still")), act="tactic")


def test_members_are_fixed_at_the_start() -> None:
    caller = card(
        "Caller", tactic="for each own unit in any order, either it moves, or you deploy a coin in your hand."
    )
    state = game(caller).position(position("Caller e3", "Caller, Scout", control={"raven": ["e2", "h1"]}))
    found = [one for one in state.decision.options if one.data["act"] == "tactic" and "deploy" in one.data.values()]
    state.apply(found[0])
    assert player(state) == "wolf"


def test_nested_for_each() -> None:
    text = "for each player in turn order, for each own unit in any order, it moves if able."
    state = game(card("Shift", tactic=text)).position(position("Shift f4, Swordsman f5, wolf Archer i1", "Shift"))
    state.apply(next(option for option in state.decision.options if option.data["act"] == "tactic"))
    moved = 1
    while player(state) == "raven":
        round_trips(state)
        state.apply(0)
        moved += 1
        assert moved < 10
    assert lines(state).count(" moves to ") == 4


def test_a_choice_of_a_text_names_an_act() -> None:
    text = "recruit.\nchoose an adjacent enemy unit, then that unit loses a coin."
    state = game(card("Ra", tactic=text)).position(
        position("Ra f4, wolf Archer f5 2, wolf Knight f3 2", "Ra", supply={"raven": ["Ra"]})
    )
    take(state, act="tactic")
    assert {one["target"] for one in offered(state)} == {"f3", "f5"}
    assert all(one["act"] for one in offered(state))


def test_a_piece_does_not_go_onto_an_occupied_space() -> None:
    text = "choose an adjacent enemy unit, then put that unit onto the space of this."
    state = game(card("Ra", tactic=text)).position(position("Ra f4, wolf Archer f5 2", "Ra"))
    take(state, act="tactic")
    assert "left out" in lines(state)
    assert units(state) == {"f4": ("Ra", 1), "f5": ("Archer", 2)}
    round_trips(state)


def test_coins_of_a_removed_piece_do_not_vanish() -> None:
    text = "choose an adjacent enemy unit, then remove that unit."
    state = game(card("Ra", tactic=text)).position(position("Ra f4, wolf Archer f5 2", "Ra"))
    take(state, act="tactic")
    assert lines(state).count("2 Archers are taken from the board") == 1


def test_each_otherwise_belongs_to_the_if_before_it() -> None:
    text = """
        if the height of this is at least 3, recruit.
        otherwise, if the height of this is 2, attack.
        otherwise, move."""
    for coins, then in ((1, "move"), (2, "attack"), (3, "recruit")):
        state = game(card("Ra", tactic=text)).position(
            position(f"Ra f4 {coins}, wolf Archer f5", "Ra", supply={"raven": ["Ra"]})
        )
        assert {one["then"] for one in offered(state, act="tactic")} == {then}


def test_the_second_branch_does_not_know_the_choice_of_the_first() -> None:
    tactic = "either choose an adjacent space and then move to that space, or attack a target."
    state = game(card("Ra", tactic=tactic)).position(
        position("Ra f4 2, wolf Royal Guard f5", "Ra, Royal Coin", supply={"wolf": ["Royal Guard"]})
    )
    state.apply(next(one for one in state.decision.options if one.data.get("then") == "attack"))
    assert player(state) == "wolf" and offered(state, act="decline")
    round_trips(state)
