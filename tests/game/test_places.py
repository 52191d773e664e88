"""The places of the things that options name, against the data of the options and the picture of the position."""

from __future__ import annotations

import pickle
import re
from random import Random
from xml.etree import ElementTree

import pytest

from loaded import shipped
from warchest.game.state import State
from warchest.picture import sheet, svg

NAME = re.compile(r"[a-z][0-9]+")


def states(name: str, seed: int, steps: int) -> list[State]:
    """States of a random game, one after the other."""
    state, rng, found = shipped(name).new(seed=seed), Random(seed), []
    for _ in range(steps):
        if state.decision is None:
            break
        found.append(state.clone())
        state.apply(state.decision.sample(rng))
    return found


@pytest.mark.parametrize(("name", "seed"), [("war-chest", 1), ("war-chest", 2), ("unigames", 3)])
def test_each_thing_that_an_option_names_has_its_place(name: str, seed: int) -> None:
    sorts = set()
    for state in states(name, seed, 60):
        shown = {one.name for one in state.board.spaces}
        for option in state.decision.options:  # type: ignore[union-attr]
            data = option.data
            assert {one.role for one in option.places} <= data.keys()
            for one in option.places:
                sorts.add(one.sort)
                said = str(data[one.role])
                assert (one.space in shown) if one.sort in ("space", "piece") else one.space in (*shown, "")
                if one.sort == "space":
                    assert said == one.name == one.space
                elif one.sort == "piece":
                    assert said.startswith(one.space)
                elif one.sort == "token":
                    assert said == one.name and bool(one.zone) != bool(one.space)
        option = state.decision.options[0]  # type: ignore[union-attr]
        assert pickle.loads(pickle.dumps(option)).places == option.places
    assert {"space", "piece", "token"} <= sorts


def test_a_token_is_in_the_zone_of_its_owner() -> None:
    state = shipped("war-chest").position(
        {"to_act": "raven", "units": [{"at": "f4", "unit": "Scout", "owner": "raven"}], "hand": {"raven": ["Scout"]}}
    )
    found = {
        (one.sort, one.name, one.zone, one.owner, one.space)
        for option in state.decision.options
        for one in option.places
    }  # type: ignore[union-attr]
    assert ("token", "Scout", "hand", "raven", "") in found
    assert ("piece", "Scout", "", "raven", "f4") in found
    drawn = ElementTree.fromstring(svg(state).encode())
    places = [one.attrib for one in drawn.iter()]
    assert any(one.get("data-piece") == "Scout" and one.get("data-owner") == "raven" for one in places)
    (zone,) = [one for one in drawn.iter() if one.get("data-zone") == "hand" and one.get("data-owner") == "raven"]
    assert [one.get("data-thing") for one in zone.iter() if one.get("data-thing")] == ["Scout"]


@pytest.mark.parametrize(("name", "seed"), [("war-chest", 4), ("unigames", 4)])
def test_each_space_and_piece_of_a_picture_has_an_id_of_its_own(name: str, seed: int) -> None:
    for state in states(name, seed, 40)[::8]:
        drawn = ElementTree.fromstring(svg(state, styled=False, prefix="left").encode())
        ids = [one.attrib["id"] for one in drawn.iter() if "id" in one.attrib]
        assert len(ids) == len(set(ids)) and all(one.startswith("left-") for one in ids)
        assert {f"left-space-{one.name}" for one in state.board.spaces} <= set(ids)
        assert sum(one.startswith("left-piece-") for one in ids) == state.pieces
        assert not list(drawn.iter("{http://www.w3.org/2000/svg}style"))
        assert drawn.get("class") == "left"


def test_a_sheet_for_a_page_is_about_pictures_only() -> None:
    heads = [line.partition("{")[0] for line in sheet("left").splitlines()]
    assert heads and all(one.strip().startswith(".left ") for head in heads for one in head.split(","))
    assert ".left .disc, .left .wax {" in sheet("left")
