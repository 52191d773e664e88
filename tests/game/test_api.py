"""The public contract, line by line: what bots and tools rely on."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest
from game_support import OTHER, PLAYERS, game

import warchest
from warchest import Decision, Option, OptionError, PositionError, State
from warchest.game.telling.log import LogWriter
from watching import data_of

EIGHT = {"raven": ["Swordsman", "Pikeman", "Crossbowman", "Scout"], "wolf": ["Archer", "Cavalry", "Lancer", "Knight"]}
KEYS = {
    "game",
    "initiative",
    "initiative_moved",
    "control",
    "units",
    "hand",
    "bag",
    "discard",
    "supply",
    "box",
    "armies",
    "decrees",
    "forts",
    "fort_supply",
    "options",
}


def position(*units: str, **keys: Any) -> State:
    """Return a state before a coin of raven, from units such as `raven f4 Archer 2`."""
    found = []
    for owner, at, *words in (unit.split() for unit in units):
        coins = int(words.pop()) if words[-1].isdigit() else 1
        found.append({"at": at, "unit": " ".join(words), "owner": owner, "coins": coins})
    return game().position({"to_act": "raven", "initiative": "raven", "units": found, **keys})


def hands(raven: str = "", wolf: str = "") -> dict[str, list[str]]:
    """Return hands from coins with commas between them."""
    return {"raven": [coin for coin in raven.split(", ") if coin], "wolf": [coin for coin in wolf.split(", ") if coin]}


def asked(state: State) -> Decision:
    """Return the decision, which there must be."""
    assert state.decision is not None
    return state.decision


def option(state: State, **parts: Any) -> Option:
    """Return the one option that has all these parts."""
    fits = [one for one in asked(state).options if one.data.items() >= parts.items()]
    assert len(fits) == 1, [one.data for one in asked(state).options]
    return fits[0]


def take(state: State, **parts: Any) -> State:
    """Take the one option that has all these parts."""
    return state.apply(option(state, **parts))


def draw(state: State) -> State:
    """Let chance decide until a player is asked, always by its first option."""
    while state.decision is not None and state.decision.is_chance:
        state.apply(0)
    return state


# ---- making states


def test_the_names_of_the_package() -> None:
    for name in ("load", "CardError", "PositionError", "OptionError"):
        assert hasattr(warchest, name)
    for error in (warchest.CardError, PositionError, OptionError, warchest.EndlessError):
        assert issubclass(error, Exception)


def test_all_public_names_are_listed_before_their_first_use() -> None:
    fresh = "import warchest; print(set(warchest.__all__) - set(dir(warchest)), hasattr(warchest, 'EndlessError'))"
    assert subprocess.run([sys.executable, "-c", fresh], capture_output=True, text=True).stdout == "set() True\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("nope",), "name: there is no game 'nope'; there are: "),
        (("war-chst",), "did you mean `war-chest`?"),
        ((None,), "name: the name of a game is needed, not None"),
        (("war-chest", 5), "extra: the path of a folder or a file is needed, not 5"),
        (("war-chest", [None]), "extra: the path of a folder or a file is needed, not None"),
    ],
)
def test_an_unloadable_argument_is_a_card_error_that_names_it(given: Any, said: str) -> None:
    with pytest.raises(warchest.CardError) as caught:
        warchest.load(*given)
    assert said in str(caught.value) and len(caught.value.diagnostics) == 1


def test_a_new_game() -> None:
    state = game().new(seed=7, armies=EIGHT, options={"royal_guard": "revised"})
    written = state.position()
    assert written["armies"] == {player: sorted(names) for player, names in EIGHT.items()}
    assert written["options"] == {"royal_guard": "revised"}
    assert written["control"] == {"raven": ["e2", "h1"], "wolf": ["d7", "g6"]}
    assert written["units"] == [] and written["hand"] == hands()
    for player in PLAYERS:
        assert written["bag"][player] == sorted([*EIGHT[player] * 2, "Royal Coin"])
        assert set(written["supply"][player]) == set(EIGHT[player])
        assert written["discard"][player] == {"up": [], "down": []} and written["box"][player] == []
    assert written["to_act"] == written["initiative"] and written["initiative_moved"] is False


def test_a_seed_fixes_the_draws_of_the_setup() -> None:
    assert game().new(seed=5) == game().new(seed=5)
    assert game().new(seed=5).position() == game().new(seed=5).position()
    several = [game().new(seed=seed).position() for seed in range(20)]
    assert len({json.dumps(one["armies"]) for one in several}) > 15
    assert {one["initiative"] for one in several} == set(PLAYERS)
    for one in several:
        assert [len(set(one["armies"][player])) for player in PLAYERS] == [4, 4]
        assert not set(one["armies"]["raven"]) & set(one["armies"]["wolf"])
    game().new()
    assert {game().new(seed=seed, armies=EIGHT).position()["initiative"] for seed in range(20)} == set(PLAYERS)


@pytest.mark.parametrize(
    ("armies", "field"),
    [
        ({"raven": ["Dragon"]}, "armies.raven[0]"),
        ({"raven": ["Archer", "Royal Coin"]}, "armies.raven[1]"),
        ({"raven": ["Archer"], "wolf": ["Archer"]}, "armies.wolf[0]"),
        ({"raven": ["Archer", "Archer"]}, "armies.raven[1]"),
        ({"crow": ["Archer"]}, "armies.crow"),
    ],
)
def test_impossible_armies_are_refused_by_their_field(armies: dict[str, list[str]], field: str) -> None:
    with pytest.raises(PositionError) as caught:
        game().new(seed=1, armies=armies)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("options", "field"), [({"dragon": "original"}, "options.dragon"), ({"royal_guard": "lost"}, "options.royal_guard")]
)
def test_impossible_options_are_refused_by_their_field(options: dict[str, str], field: str) -> None:
    with pytest.raises(PositionError) as caught:
        game().new(seed=1, options=options)
    assert caught.value.field == field


# ---- turns and rounds


def test_turns_and_rounds_are_counted() -> None:
    state = game().new(seed=7, armies=EIGHT)
    assert (state.round, state.turn) == (1, 0)
    for turn in range(1, 13):
        if turn in (1, 7):
            assert asked(state).is_chance
            assert (state.round, state.turn) == (1 + turn // 7, turn - 1)
            draw(state)
        assert (state.round, state.turn) == (1 + (turn - 1) // 6, turn)
        state.apply(next(one for one in asked(state).options if one.data["act"] == "pass"))
    assert (state.round, state.turn) == (3, 12)
    assert state.position()["hand"] == hands() and asked(state).is_chance


def test_a_turn_does_not_grow_in_the_middle_of_an_effect() -> None:
    state = position("raven f4 Swordsman", "wolf f5 Scout 2", hand=hands("Swordsman", "Scout"))
    take(state, act="attack")
    assert (state.turn, asked(state).player) == (1, "raven")
    take(state, act="decline")
    assert (state.turn, asked(state).player) == (2, "wolf")


def test_a_state_from_a_position_starts_at_one_and_one() -> None:
    played = draw(game().new(seed=7, armies=EIGHT))
    for _ in range(9):
        draw(played)
        played.apply(asked(played).options[-1])
    assert (played.round, played.turn) != (1, 1)
    again = game().position(played.position())
    assert (again.round, again.turn) == (1, 1)
    assert again == played and hash(again) == hash(played)
    fresh = game().new(seed=7, armies=EIGHT)
    assert game().position(fresh.position()) == fresh


def test_the_end_of_a_round() -> None:
    state = position(hand=hands("Scout"), bag=hands("Scout", "Knight"), initiative="wolf")
    take(state, act="claim")
    written = state.position()
    assert written["hand"] == hands()
    assert (written["to_act"], written["initiative"], written["initiative_moved"]) == ("raven", "raven", True)
    assert asked(state).is_chance and state.round == 2
    draw(state)
    assert state.position()["initiative_moved"] is False


# ---- decisions


def test_a_players_next_coin_is_always_asked_for() -> None:
    state = position(hand=hands("Royal Coin", "Royal Coin"))
    assert data_of(state) == [{"act": "pass", "coin": "Royal Coin"}]
    assert asked(state).player == "raven" and state.turn == 1
    state.apply(0)
    assert asked(state).player == "wolf" and data_of(state) is not None


def test_the_first_draw_of_a_round_is_always_asked_for() -> None:
    state = position(bag=hands("Scout, Scout, Scout", "Knight"))
    assert asked(state).is_chance and len(asked(state).options) == 1
    assert asked(state).options[0].probability == 1
    state.apply(0)
    assert asked(state).player == "raven"
    assert state.position()["hand"] == hands("Scout, Scout, Scout", "Knight")
    assert [line.strip() for line in state.log].count("raven draws a Scout coin") == 3


def test_a_single_way_to_go_on_is_taken_and_logged() -> None:
    state = position(
        "raven c4 Swordsman", "raven d4 Archer", "raven c5 Cavalry", "wolf d3 Scout 2", hand=hands("Swordsman", "Scout")
    )
    take(state, act="attack", target="d3")
    assert asked(state).player == "wolf"
    assert any("Scout" in line for line in state.log)


def test_chance_has_probabilities() -> None:
    state = position(bag=hands("Archer, Archer, Knight, Royal Coin", "Scout"))
    decision = asked(state)
    assert decision.is_chance and decision.player is None
    odds = {one.data["coin"]: one.probability for one in decision.options}
    assert odds == {"Archer": Fraction(1, 2), "Knight": Fraction(1, 4), "Royal Coin": Fraction(1, 4)}
    assert all(isinstance(chance, Fraction) for chance in odds.values())
    assert all(one.data["act"] == "draw" and one.data["player"] == "raven" for one in decision.options)


class Fixed(Random):
    """A source of chance that always gives the same number, and notes how many there were to choose from."""

    def __init__(self, number: int) -> None:
        super().__init__(0)
        self.number, self.stop = number, 0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:  # type: ignore[override]
        self.stop = start
        return self.number


def test_samples_of_chance_follow_the_weights() -> None:
    decision = asked(position(bag=hands("Archer, Archer, Knight, Royal Coin, Scout, Scout, Scout")))
    drawn = []
    number = 0
    while True:
        source = Fixed(number)
        drawn.append(decision.sample(source).data["coin"])
        number += 1
        if number == source.stop:
            break
    for one in decision.options:
        assert Fraction(drawn.count(one.data["coin"]), len(drawn)) == one.probability


def test_samples_are_even_for_a_player() -> None:
    decision = asked(position("raven f4 Knight", hand=hands("Knight")))
    rng = Random(3)
    found = [decision.sample(rng).label for _ in range(200 * len(decision.options))]
    assert set(found) == {one.label for one in decision.options}
    assert max(map(found.count, set(found))) < 2 * min(map(found.count, set(found)))


def test_options() -> None:
    state = position("raven f4 Knight", hand=hands("Knight", "Scout"))
    twin = position("raven f4 Knight", hand=hands("Knight", "Scout"))
    assert isinstance(asked(state).options, tuple)
    for one, other in zip(asked(state).options, asked(twin).options, strict=True):
        assert one == other and one is not other and hash(one) == hash(other)
        assert one.label == other.label and one.data == other.data
    first, second, *_ = asked(state).options
    assert first != second and first != first.data and first != first.label
    assert option(state, act="move", to="f5").data == {"act": "move", "coin": "Knight", "unit": "f4", "to": "f5"}
    assert len({*asked(state).options, *asked(twin).options}) == len(asked(state).options)


def test_apply_takes_an_option_or_its_index_and_returns_the_state() -> None:
    one, other = (position("raven f4 Knight", hand=hands("Knight", "Scout")) for _ in range(2))
    index = asked(one).options.index(option(one, act="move", to="f5"))
    assert one.apply(index) is one
    assert other.apply(option(other, act="move", to="f5")) is other
    assert one == other and one.log == other.log
    assert one.position()["units"][0]["at"] == "f5"


def test_errors_name_the_field_and_leave_everything() -> None:
    state = position("raven f4 Knight", hand=hands("Knight", "Scout"))
    stale = option(state, act="move", to="f5")
    take(state, act="move", to="f3")
    before = (state.position(), state.log, data_of(state), state.turn)
    for wrong in (stale, -1, len(asked(state).options)):
        with pytest.raises(OptionError) as caught:
            state.apply(wrong)
        assert caught.value.field == "option" and str(caught.value)
        assert (state.position(), state.log, data_of(state), state.turn) == before
    for read in (state.view, state.log_for):
        with pytest.raises(OptionError) as caught:
            read("crow")
        assert caught.value.field == "player"


def test_an_option_from_before_is_accepted_where_it_is_on_offer_again() -> None:
    state = position("raven f4 Knight 2", "wolf g6 Scout", hand=hands("Knight, Knight", "Scout"))
    move = option(state, act="move", to="f5")
    take(state, act="pass", coin="Knight")
    take(state, act="pass", coin="Scout")
    assert state.apply(move).position()["units"][0]["at"] == "f5"


def test_clones_are_independent() -> None:
    state = position("raven f4 Knight", hand=hands("Knight", "Scout"))
    clone = state.clone()
    assert clone == state and clone is not state and hash(clone) == hash(state)
    take(clone, act="move", to="f5")
    assert clone != state
    assert state.position()["units"][0]["at"] == "f4" and not any("f5" in line for line in state.log)


def test_equality() -> None:
    one = position("raven f4 Knight", hand=hands("Knight", "Scout"))
    assert one == position("raven f4 Knight", hand=hands("Knight", "Scout"))
    assert one != position("raven f4 Knight 2", hand=hands("Knight", "Scout"))
    assert one != position("raven f4 Knight", hand=hands("Knight", "Scout"), initiative_moved=True)
    assert one != position("raven f4 Knight", hand=hands("Knight", "Scout"), initiative="wolf")
    assert one != position("raven f4 Knight", hand=hands("Knight", "Scout"), options={"royal_guard": "revised"})
    assert one != one.position() and one is not None
    # The order in which pieces were given, or entered the board, does not show.
    two = position("raven f4 Knight", "wolf f6 Scout", hand=hands("Knight", "Scout"))
    assert two == position("wolf f6 Scout", "raven f4 Knight", hand=hands("Knight", "Scout"))


@pytest.mark.parametrize(
    "units",
    [
        ("raven f4 Knight", "wolf f5 Scout", "wolf f3 Archer", "wolf g3 Lancer"),
        ("raven f4 Footman", "raven c5 Footman", "wolf f5 Scout", "wolf c6 Lancer"),
        ("raven f4 Ensign", "raven f6 Scout", "raven g3 Knight", "raven e4 Archer"),
    ],
    ids=["targets", "two of a type", "chosen"],
)
def test_equal_states_offer_their_options_in_the_same_order(units: tuple[str, ...]) -> None:
    hand = hands(units[0].split()[2], "Cavalry")
    assert data_of(position(*units, hand=hand)) == data_of(position(*reversed(units), hand=hand))


# ---- how a game ends


def test_a_win() -> None:
    state = position(
        "raven c6 Knight",
        hand=hands("Knight", "Scout"),
        control={"raven": ["e2", "h1", "d4", "g3", "i2"], "wolf": ["g6"]},
    )
    assert state.outcome is None
    take(state, act="control")
    assert state.decision is None and state.outcome is not None
    assert state.outcome.winners == ("raven",) and state.outcome.reason
    written = state.position()
    assert written["winner"] == "raven" and "to_act" not in written and "pending" not in written
    again = game().position(written)
    assert again == state and again.decision is None and again.position() == written
    assert again.outcome is not None and again.outcome.winners == ("raven",)
    with pytest.raises(OptionError):
        state.apply(0)
    for player in PLAYERS:
        assert state.view(player)["winner"] == "raven" and state.log_for(player)


def test_a_total_deadlock_is_a_draw() -> None:
    state = position(hand=hands("Scout"), control={"raven": ["e2"]}, supply=hands("Scout", "Knight"))
    take(state, act="deploy")
    assert state.decision is None and state.outcome is not None
    assert state.outcome.winners == () and state.outcome.reason
    written = state.position()
    assert "winner" in written and written["winner"] is None and "to_act" not in written
    assert game().position(written) == state
    at_once = position(supply=hands("Scout", "Knight"))
    assert at_once.outcome is not None and at_once.position()["winner"] is None


def test_a_winner_of_none_is_a_finished_game() -> None:
    mapping = {"initiative": "raven", "hand": hands("Scout", "Knight"), "winner": None}
    state = game().position(mapping)
    assert state.decision is None and state.outcome is not None and state.outcome.winners == ()
    assert state.position()["winner"] is None


# ---- positions


def test_all_keys_are_written_and_everything_is_sorted() -> None:
    state = game().position(
        {
            "to_act": "raven",
            "initiative": "wolf",
            "control": {"wolf": ["g6", "d7"], "raven": ["h1", "e2"]},
            "units": [{"at": "g3", "unit": "Scout", "owner": "wolf"}, {"at": "d3", "unit": "Knight", "owner": "raven"}],
            "hand": {"raven": ["Royal Coin", "Knight", "Archer"]},
            "discard": {"wolf": {"down": ["Scout", "Royal Coin"]}},
        }
    )
    written = state.position()
    assert set(written) == KEYS | {"to_act"}
    assert written["game"] == "war-chest"
    assert written["control"] == {"raven": ["e2", "h1"], "wolf": ["d7", "g6"]}
    assert written["units"] == [
        {"at": "d3", "unit": "Knight", "owner": "raven", "coins": 1},
        {"at": "g3", "unit": "Scout", "owner": "wolf", "coins": 1},
    ]
    assert written["hand"] == {"raven": ["Archer", "Knight", "Royal Coin"], "wolf": []}
    assert written["discard"] == {"raven": {"up": [], "down": []}, "wolf": {"up": [], "down": ["Royal Coin", "Scout"]}}
    for zone in ("bag", "supply", "box"):
        assert written[zone] == {"raven": [], "wolf": []}
    assert written["armies"] == {"raven": ["Archer", "Knight"], "wolf": ["Scout"]}
    assert (written["decrees"], written["forts"], written["fort_supply"]) == ([], [], 0)
    assert written["options"] == {"royal_guard": "original"}
    assert json.loads(json.dumps(written)) == written
    assert game().position(written) == state


def test_omitted_keys_are_empty() -> None:
    state = game().position({"to_act": "raven", "initiative": "raven", "hand": {"raven": ["Scout"]}})
    assert state.position()["initiative_moved"] is False
    full = game().position({**state.position()})
    assert full == state
    bare = {key: value for key, value in state.position().items() if value not in ([], {}, 0, False)}
    assert game().position(bare) == state
    given = game().position({**state.position(), "armies": {"raven": ["Scout", "Archer", "Knight", "Lancer"]}})
    assert given.position()["armies"] == {"raven": ["Archer", "Knight", "Lancer", "Scout"], "wolf": []}


def test_an_empty_hand_to_act_is_the_other_sides_turn() -> None:
    state = position(hand=hands("", "Scout, Knight"))
    assert asked(state).player == "wolf"
    assert state.position()["to_act"] == "wolf"
    assert state == position(hand=hands("", "Scout, Knight"), to_act="wolf")


def test_to_act_stays_while_an_effect_is_pending() -> None:
    supply = hands("", "Royal Guard")
    state = position("raven f4 Knight", "wolf f5 Royal Guard", hand=hands("Knight", "Scout"), supply=supply)
    take(state, act="attack")
    assert asked(state).player == "wolf"
    written = state.position()
    assert written["to_act"] == "raven" and "pending" in written
    assert json.loads(json.dumps(written)) == written
    again = game().position(json.loads(json.dumps(written)))
    assert again == state and data_of(again) == data_of(state)
    for player in PLAYERS:
        assert state.view(player)["pending"] == asked(state).prompt
    state = position(bag=hands("Archer, Knight, Lancer, Scout", "Cavalry"), initiative="wolf", to_act="wolf")
    state.apply(0)
    while asked(state).is_chance:
        written = state.position()
        assert written["to_act"] == "wolf"
        assert game().position(written) == state
        state.apply(0)


def test_a_position_between_a_move_and_an_attack() -> None:
    state = position("raven f4 Cavalry", "wolf f6 Scout", "wolf e6 Archer", hand=hands("Cavalry", "Scout"))
    take(state, act="tactic", to="f5")
    assert asked(state).player == "raven" and {one.data["target"] for one in asked(state).options} == {"e6", "f6"}
    assert {one.data["act"] for one in asked(state).options} == {"attack"}
    again = game().position(json.loads(json.dumps(state.position())))
    assert again == state and again.position() == state.position()
    assert take(again, target="e6") == take(state, target="e6")


NO_COINS = [10**6, -7, 1.5, "Scout", ["hand/raven", "Dragon"], ["on z9", "Scout"], [1, 2, 3]]


@pytest.mark.parametrize("wrong", NO_COINS, ids=str)
def test_pending_work_about_an_impossible_coin_is_refused(wrong: Any) -> None:
    state = position("raven f4 Knight", "wolf f5 Royal Guard", hand=hands("Knight"), supply=hands("", "Royal Guard"))
    written = take(state, act="attack").position()
    coins = [
        (frame["values"], place)
        for frame in written["pending"]["stack"]
        for place, value in enumerate(frame["values"])
        if isinstance(value, list) and len(value) == 2 and value[1] == "Knight"
    ]
    assert coins
    for values, place in coins:
        values[place] = wrong
    with pytest.raises(PositionError) as caught:
        game().position(written)
    assert caught.value.field.startswith("pending")


def test_the_trace_names_the_text_of_the_acting_card() -> None:
    state = position("raven f4 Swordsman 2", "wolf f5 Pikeman 2", hand=hands("Swordsman"))
    take(state, act="attack")
    named = {(entry.text.strip(), entry.file.rpartition("/")[2]): entry for entry in state.trace}
    answer = named["the Pikeman on f5 answers", "pikeman.yaml"]
    assert answer.clause.startswith("when an adjacent unit attacks this") and answer.source
    assert named["the Swordsman on f4 answers", "swordsman.yaml"].clause.startswith("after this attacks")
    lost = [index for index, entry in enumerate(state.trace) if entry.text.strip() == "the Swordsman on f4 loses"]
    assert lost and state.trace.index(answer) < lost[0]
    state = position("raven f4 Archer", "wolf f6 Scout", hand=hands("Archer"))
    take(state, act="tactic")
    assert "the Archer on f4 follows its text" in [entry.text.strip() for entry in state.trace]


@pytest.mark.parametrize("wrong", [[[99, 0]], [[0, 99]], [[-1, 0]], [[0, -1]]], ids=str)
def test_pending_work_that_hands_on_unknown_values_is_refused(wrong: Any) -> None:
    state = position("raven f4 Knight", "wolf f5 Royal Guard", hand=hands("Knight"), supply=hands("", "Royal Guard"))
    written = take(state, act="attack").position()
    for frame in written["pending"]["stack"]:
        frame["outs"] = wrong
    with pytest.raises(PositionError) as caught:
        game().position(written)
    assert caught.value.field.startswith("pending")


def test_a_position_with_too_much_nesting_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(PositionError):
        game().position({"to_act": "raven", "hand": {"raven": deep}})
    while deep:
        # Python would take it apart in one go, and too deep for itself.
        deep = deep.pop()


def test_a_truth_is_no_number_of_an_option() -> None:
    state = game().new(seed=1)
    with pytest.raises(OptionError):
        state.apply(True)


def test_one_folder_of_cards_need_not_be_in_a_list(tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text("unit: Halberdier\ncoins: 4\nsource: x\n", encoding="utf-8")
    for extra in (tmp_path, str(tmp_path), [tmp_path]):
        assert warchest.load("war-chest", extra=extra).library.named("unit", "Halberdier")


def test_a_drawn_coin_not_yet_used_is_in_no_list() -> None:
    state = position(
        "raven f4 Warrior Priest",
        "wolf f5 Scout 2",
        hand=hands("Warrior Priest", "Cavalry"),
        bag=hands("Knight, Archer"),
        control={"raven": ["e2"]},
    )
    take(state, act="attack")
    assert asked(state).is_chance
    take(state, coin="Knight")
    assert asked(state).player == "raven"
    assert all(one.data["coin"] == "Knight" for one in asked(state).options)
    written = state.position()
    lists = {key: value for key, value in written.items() if key not in ("pending", "armies")}
    assert "Knight" not in json.dumps(lists) and "Knight" in json.dumps(written["pending"])
    assert "Knight" in written["armies"]["raven"]
    again = game().position(written)
    assert again == state and data_of(again) == data_of(state)
    take(state, act="pass")
    assert state.position()["discard"]["raven"]["down"] == ["Knight"]


def test_a_view() -> None:
    state = position(
        "wolf f5 Scout",
        hand=hands("Archer, Knight", "Scout"),
        bag=hands("Archer", "Lancer, Scout"),
        discard={"raven": {"up": ["Knight"], "down": ["Archer"]}, "wolf": {"down": ["Lancer", "Scout"]}},
        supply=hands("Knight", "Lancer"),
        box=hands("Archer", "Scout"),
    )
    written, view = state.position(), state.view("raven")
    assert view["hand"] == {"raven": ["Archer", "Knight"], "wolf": 1}
    assert view["bag"] == {"raven": 1, "wolf": 2}
    assert view["discard"] == {"raven": {"up": ["Knight"], "down": ["Archer"]}, "wolf": {"up": [], "down": 2}}
    for key in set(written) - {"hand", "bag", "discard"}:
        assert view[key] == written[key]


# ---- the log, and reasons


def test_the_log() -> None:
    state = position("raven f4 Knight", "wolf f5 Scout 2", hand=hands("Knight", "Scout"))
    take(state, act="attack")
    assert state.log and all(isinstance(line, str) and line.strip() and "\n" not in line for line in state.log)
    assert any("attack" in line and "f5" in line for line in state.log)
    again = position("raven f4 Knight", "wolf f5 Scout 2", hand=hands("Knight", "Scout"))
    assert take(again, act="attack").log == state.log
    for line in state.log:
        assert any(letter.isalpha() for letter in line), f"nobody can read {line!r}"


def test_the_log_of_a_finished_game_names_the_winner_and_the_clause() -> None:
    control = {"raven": ["e2", "h1", "d4", "g3", "i2"], "wolf": ["g6", "d7"]}
    state = position("raven e5 Archer", "wolf g5 Knight", hand=hands("Archer", "Knight"), control=control)
    take(state, act="control", unit="e5")
    assert state.log[-1] == state.log_for("wolf")[-1] == "raven has won"
    last = state.trace[-1]
    assert (last.clause, Path(last.file).name) == ("when a team is complete, that team wins", "game.yaml")


def test_the_log_of_a_drawn_game_names_no_winner() -> None:
    state = position(control={"raven": ["e2"]}, hand=hands("Archer"))
    take(state, act="deploy")
    assert state.outcome is not None and state.log[-1] == "nobody has won" and state.trace[-1].clause == "end the game"


def test_lines_of_the_log_are_worded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[Any] = []
    entry = LogWriter.entry
    monkeypatch.setattr(LogWriter, "entry", lambda self, raw: (asked_for.append(raw), entry(self, raw))[1])
    state = draw(game().new(seed=7))
    before = state.log
    told = len(asked_for)
    assert state.log == before and state.log is not before and len(asked_for) == told > 0
    state.apply(0)
    assert state.log[: len(before)] == before and len(asked_for) < 2 * told


def test_a_log_that_was_read_all_the_way_is_that_of_a_copy() -> None:
    state, rng = game().new(seed=3, sets="all"), Random(3)
    for _ in range(40):
        state.apply(asked(state).sample(rng))
        assert state.trace == state.clone().trace
        assert [state.log_for(one) for one in PLAYERS] == [state.clone().log_for(one) for one in PLAYERS]


def test_the_log_of_a_player_hides_secrets() -> None:
    state = position(hand=hands("Knight, Archer", "Scout"))
    take(state, act="pass", coin="Knight")
    assert any("Knight" in line for line in state.log) and any("Knight" in line for line in state.log_for("raven"))
    assert not any("Knight" in line for line in state.log_for("wolf"))
    assert any("pass" in line for line in state.log_for("wolf"))
    drawn = position(bag=hands("Archer, Knight", "Scout")).apply(0)
    for player in PLAYERS:
        other = OTHER[player]
        shown = " ".join(drawn.log_for(player))
        for coin in drawn.position()["hand"][other]:
            assert coin not in shown


def test_open_acts_are_in_the_logs_of_all_players() -> None:
    state = position("raven f4 Knight", hand=hands("Knight, Archer", "Scout"), control={"raven": ["e2"]})
    take(state, act="deploy", to="e2")
    assert any("Archer" in line for line in state.log_for("wolf"))
    take(state, act="pass")
    take(state, act="move", to="f5")
    assert any("f5" in line for line in state.log_for("wolf"))


WITH_REASONS = pytest.mark.skipif(find_spec("warchest.game.explain.why") is None, reason="reasons are not built yet")


@WITH_REASONS
def test_an_offered_option_needs_no_reason() -> None:
    state = position("raven f4 Knight", "wolf f5 Scout 2", hand=hands("Knight", "Scout"))
    for one in asked(state).options:
        assert state.why_not(one.data) == [] and state.why_not(one.label) == []
    assert state.why_not({"act": "move", "to": "f3"}) == []


@WITH_REASONS
@pytest.mark.parametrize(
    ("what", "word"),
    [
        ({"act": "attack", "target": "f5"}, "bolstered"),
        ({"act": "move", "to": "f5"}, "empty"),
        ({"act": "control"}, ""),
        ({"act": "deploy"}, ""),
        ({"act": "claim"}, "initiative"),
    ],
)
def test_options_that_are_not_offered_have_reasons(what: dict[str, str], word: str) -> None:
    state = position("raven f4 Scout", "wolf f5 Knight", hand=hands("Scout", "Knight"))
    before = (state.position(), state.log, data_of(state))
    reasons = state.why_not(what)
    assert reasons
    for one in reasons:
        assert set(one) >= {"reason", "clause", "file", "line"}
        assert isinstance(one["reason"], str) and one["reason"] and isinstance(one["line"], int)
    assert word in json.dumps(reasons)
    assert json.loads(json.dumps(reasons)) == reasons
    assert (state.position(), state.log, data_of(state)) == before
    assert state.why_not(what, "raven") and state.why_not(what, player="wolf")


@pytest.mark.parametrize("what", [5, None, ["attack"]])
def test_why_not_is_asked_of_data_or_a_label(what: Any) -> None:
    with pytest.raises(warchest.OptionError, match="what"):
        position("raven f4 Scout", hand=hands("Scout", "Knight")).why_not(what)
