"""Positions that are set up by dragging: any thing of any game can be put, moved and removed, and values set."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inside import Desk

from loaded import shipped
from warchest.game.game import Game
from warchest.lsp.position_setup import checked_position, edited_position, position_parts
from warchest.lsp.protocol import RequestError
from warchest.testing.draws import RandomDraws
from warchest.testing.positions import PositionSampler, Sampling

SKIRMISH = Path(__file__).parents[1] / "native" / "skirmish"
GAMES = ("war-chest", "unigames", "skirmish")


@cache
def game_of(name: str) -> Game:
    return Game(SKIRMISH) if name == "skirmish" else shipped(name)


@cache
def drawn(name: str) -> list[dict[str, Any]]:
    """Positions of a game, with pieces and things in zones."""
    game, draws = game_of(name), RandomDraws(Random(5))
    sampler = PositionSampler(game, Sampling(pieces=5, tokens=3))
    return [game.position(sampler.told(draws)).position() for _ in range(12)]


def edited(name: str, position: dict[str, Any], *edits: dict[str, Any]) -> dict[str, Any]:
    return edited_position(game_of(name), position, edits)


def written(name: str, position: dict[str, Any]) -> dict[str, Any]:
    """A position in full, without an act under way."""
    found = {key: value for key, value in position.items() if key != "pending"}
    checked: dict[str, Any] = checked_position(game_of(name), found)["position"]
    return checked


def pieces(name: str, position: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The entries of pieces with the parts of their keys."""
    parts = position_parts(game_of(name), position, None)["keys"]
    return [(part, entry) for part in parts if part["sort"] == "pieces" for entry in position[part["key"]]]


@pytest.mark.parametrize("name", GAMES)
def test_a_position_in_full_is_as_it_was(name: str) -> None:
    for position in drawn(name):
        checked = checked_position(game_of(name), position)
        assert checked["position"] == position and checked["problems"] == [] and "<svg" in checked["svg"]


@pytest.mark.parametrize("name", GAMES)
def test_a_piece_that_goes_and_comes_back_is_the_same(name: str) -> None:
    moved = 0
    for position in drawn(name):
        spaces = position_parts(game_of(name), position, None)["spaces"]
        for part, entry in pieces(name, position):
            at = entry[part["entry"]["place"]]
            free = [space for space in spaces if space not in str(position)]
            here, there = {"space": at, "key": part["key"]}, {"space": free[0], "key": part["key"]}
            once = edited(name, position, {"source": here, "target": there})
            listed = [one[part["entry"]["place"]] for one in once["position"][part["key"]]]
            assert free[0] in listed and listed.count(at) == sum(
                one is not entry and one[part["entry"]["place"]] == at for one in position[part["key"]]
            )
            again = edited(name, once["position"], {"source": there, "target": here})
            if not once["problems"]:
                moved += 1
                assert sorted(map(str, again["position"][part["key"]])) == sorted(map(str, position[part["key"]]))
    assert moved > 5


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_thing_can_be_put_and_removed(name: str) -> None:
    game = game_of(name)
    parts = position_parts(game, {}, None)
    position, seen = parts["position"], set[str]()
    for part in parts["keys"]:
        owner = {"owner": part["owners"][-1]} if part["owners"] else {}
        if part["sort"] in ("pieces", "places", "owned pieces", "spaces"):
            spot = {"space": (part["on"] or parts["spaces"])[0], "key": part["key"]}
        elif part["sort"] in ("zone", "counts", "count", "rows"):
            spot = {"zone": part["of"], "key": part["key"], **owner}
        else:
            continue
        seen.add(part["sort"])
        thing = (part["names"] or [part["key"]])[-1]
        put = edited_position(game, position, [{"name": thing, **owner, "target": spot}])
        told = put["position"][part["key"]]
        assert told not in ([], {}, 0) and (not part["owners"] or part["owners"][-1] in str(told)), part["key"]
        gone = edited_position(game, put["position"], [{"name": thing, "source": spot}])["position"]
        assert not holds(gone.get(part["key"])), part["key"]
    assert len(seen) > 2


def holds(value: Any) -> bool:
    """Whether a value of a position has anything in it."""
    return any(map(holds, value.values())) if isinstance(value, dict) else bool(value)


@pytest.mark.parametrize("name", GAMES)
def test_every_choice_of_a_value_can_be_set(name: str) -> None:
    game = game_of(name)
    parts = position_parts(game, {}, None)
    for part in parts["keys"]:
        for value in part["values"] if part["sort"] in ("value", "values") else ():
            for choice in {"flag": [True, False], "number": [0, 1]}.get(value["sort"], value["choices"]):
                path = [part["key"], *(part["owners"][:1]), *value["path"]]
                told = [choice] if value["sort"] == "trail" else choice
                found = edited_position(game, parts["position"], [{"path": path, "value": told}])
                assert not [one for one in found["problems"] if one["field"].startswith(part["key"])], (path, told)


def tokens(value: Any, thing: str) -> int:
    """How often a thing is named in a value of a position, the lists of armies aside."""
    if isinstance(value, dict):
        return sum(tokens(one, thing) for key, one in value.items() if key != "armies")
    return sum(tokens(one, thing) for one in value) if isinstance(value, list) else int(value == thing)


@pytest.mark.parametrize("seed", range(4))
def test_a_new_thing_is_taken_from_the_supply_when_there_are_no_more(seed: int) -> None:
    game = game_of("war-chest")
    position = game.beginning().begin(seed).position()
    owner = position["to_act"]
    thing = position["supply"][owner][0]
    edit = {"name": thing, "owner": owner, "target": {"space": position["control"][owner][0], "key": "units"}}
    found = edited_position(game, position, [edit])
    assert not found["problems"] and [one["coins"] for one in found["position"]["units"]] == [1]
    assert tokens(found["position"], thing) == tokens(position, thing)
    assert len(found["position"]["supply"][owner]) == len(position["supply"][owner]) - 1
    (other,) = set(position["supply"]) - {owner}
    assert edited_position(game, position, [{**edit, "owner": other}])["problems"]


def test_tokens_go_from_a_hand_onto_a_piece_and_back() -> None:
    position = {
        "to_act": "raven",
        "initiative": "raven",
        "hand": {"raven": ["Scout", "Archer"]},
        "units": [{"at": "f4", "unit": "Scout", "owner": "raven"}],
    }
    hand, f4, f5 = {"zone": "hand", "owner": "raven"}, {"space": "f4"}, {"space": "f5"}
    higher = edited("war-chest", position, {"name": "Scout", "source": hand, "target": f4})["position"]
    assert higher["units"] == [{"at": "f4", "unit": "Scout", "owner": "raven", "coins": 2}]
    assert higher["hand"]["raven"] == ["Archer"]
    back = edited("war-chest", higher, {"source": f4, "target": hand}, {"name": "Archer", "source": hand, "target": f5})
    assert back["position"]["hand"]["raven"] == ["Scout", "Scout"]
    assert [(one["at"], one["unit"], one["owner"]) for one in back["position"]["units"]] == [("f5", "Archer", "raven")]
    down = {"zone": "discard", "owner": "raven", "face": "down"}
    thrown = edited("war-chest", back["position"], {"name": "Scout", "source": hand, "target": down})
    assert thrown["position"]["discard"]["raven"] == {"up": [], "down": ["Scout"]} and thrown["problems"] == []


def test_spaces_are_held_by_the_teams_of_players() -> None:
    parts = position_parts(game_of("war-chest"), {}, "Four players")
    player = parts["players"][-1]
    spot = {"space": next(one for one in parts["keys"] if one["key"] == "control")["on"][0], "key": "control"}
    found = edited("war-chest", parts["position"], {"owner": player, "target": spot})["position"]
    assert found["control"][parts["teams"][player]] == [spot["space"]] and parts["teams"][player] != player


def test_problems_are_listed_part_by_part_with_a_picture() -> None:
    position = {
        "to_act": "raven",
        "units": [
            {"at": "f4", "unit": "Scout", "owner": "raven"},
            {"at": "z9", "unit": "Scout"},
            {"at": "f4", "unit": "Archer", "owner": "wolf"},
        ],
        "hand": {"raven": ["Nobody"]},
    }
    found = checked_position(game_of("war-chest"), position)
    fields = [one["field"] for one in found["problems"]]
    assert len(fields) > 2 and "hand.raven[0]" in fields and any(field.startswith("units[1]") for field in fields)
    assert found["position"] == position and 'data-piece="Scout"' in found["svg"]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"name": "Nobody", "target": {"space": "f4"}}, "name: there is no piece 'Nobody'"),
        ({"target": {"space": "f4"}}, "name: the name of a thing"),
        ({"source": {"space": "f4"}}, "source: there is no thing at f4"),
        ({"name": "Scout", "target": {"zone": "moon"}}, "target: there is no zone 'moon'"),
        ({"name": "Scout", "target": {"zone": "hand", "owner": "bear"}}, "owner: one of raven, wolf"),
        ({"name": "Scout", "target": {"space": "f4", "key": "moon"}}, "key: there is no key 'moon'"),
        ({"path": ["units", 7, "at"], "value": "f4"}, "path: there is nothing at units.7.at"),
        ({"path": []}, "path: 1 to 8 keys"),
        ({"path": ["a"] * 9}, "path: 1 to 8 keys"),
    ],
)
def test_impossible_edits_are_refused(tmp_path: Path, edit: dict[str, Any], said: str) -> None:
    desk = Desk(tmp_path)
    position = {"to_act": "raven", "units": [], "hand": {"raven": ["Scout"]}}
    assert said in desk.refused("warchest/position/edit", {"position": position, "edits": [edit]})
    assert desk.ask("warchest/position/check", {"position": position})["player"] == "raven"
    assert desk.ask("warchest/position/parts", {})["board"] == "Two players"


WORDS = st.sampled_from(["units", "hand", "f4", "f5", "raven", "wolf", "Scout", "control", "discard", "up", "at", ""])
SPOTS = st.dictionaries(st.sampled_from(["space", "zone", "owner", "face", "key"]), WORDS)
VALUES = st.recursive(
    WORDS | st.integers(0, 3) | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
PATHS = st.lists(WORDS | st.integers(0, 2), max_size=4)
EDITS = st.fixed_dictionaries(
    {}, optional={"path": PATHS, "value": VALUES, "name": WORDS, "owner": WORDS, "source": SPOTS, "target": SPOTS}
)


@given(st.dictionaries(WORDS | st.just("to_act"), VALUES, max_size=4), st.lists(EDITS, max_size=3))
def test_any_position_is_edited_or_refused_plainly(position: dict[str, Any], edits: list[dict[str, Any]]) -> None:
    from warchest.game.errors import PositionError

    try:
        found = edited_position(game_of("war-chest"), position, edits)
    except (PositionError, RequestError):
        return
    assert found["problems"] or found["position"]["game"] == "war-chest"
