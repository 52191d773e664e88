"""Contents of SVG pictures and their places: zones with their counts, nothing hidden, nothing covered, arrows, ends."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from math import hypot
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from boxes import SVG, Drawn, read, shapes
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_support import (
    FEW,
    FIGURES,
    FOUR_POSITION,
    NAMES,
    TWO_POSITION,
    UNITS,
    big_board,
    shipped_board,
    small_board,
)
from picture_support import style as style_named

from loaded import played, shipped
from warchest.game.telling.motions import Motion, MotionKind, motions_by, motions_of
from warchest.lowering.board import Board
from warchest.picture import Scene, plain, scene, scene_of, style_of, svg, with_motions
from warchest.picture.style import Style

GAMES = ("war-chest", "unigames")


# ---- nothing covers anything

MARKS = {"name", "values", "facing", "pill", "holder", "badge", "label"}
"""The texts and signs on a space."""
ON_DISCS = {"label", "badge", "holder"}
"""The signs on the disc of its piece, where there is no text."""


def spaces(root: ElementTree.Element) -> dict[str, list[Drawn]]:
    """The things on each space, by its name."""
    titled = [(one, one.find(f"{SVG}title")) for one in root.findall(f"{SVG}g")]
    return {(title.text or "").split(":")[0]: list(shapes(one)) for one, title in titled if title is not None}


def assert_apart(drawn: str, scenery: Scene) -> None:
    root = read(drawn)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    outlines = [one for one in shapes(root) if one.kind == "cell"]
    at = dict(zip((cell.name for cell in scenery.cells), outlines, strict=True))
    for name, things in spaces(root).items():
        if name not in at:
            continue
        marks = [one for one in things if one.kind in MARKS]
        for one in marks:
            assert one.kind == "label" or all(at[name].nearly(*place) for place in one.corners), (name, one)
        for one, other in combinations(marks, 2):
            assert not one.covers(other), (name, one, other)
        discs = [one for one in things if one.kind == "disc"]
        for disc in discs:
            for one in marks:
                assert one.kind in ON_DISCS | {"facing"} or not disc.covers(one), (name, disc, one)
    for one in shapes(root):
        for x, y in one.corners:
            assert -0.5 <= x <= width + 0.5 and -0.5 <= y <= height + 0.5, one


@st.composite
def crowded(draw: st.DrawFn, on: Board, facings: tuple[str, ...]) -> dict[str, Any]:
    """A board with many pieces that look somewhere, and with many things on them."""
    names = draw(st.lists(st.sampled_from([space.name for space in on.spaces]), min_size=4, max_size=20))
    players = [seat.name for seat in on.seats]
    some = st.sampled_from
    amount = st.sampled_from([0, 0, 1, 3, 12])
    return {
        "figures": [
            {
                "name": draw(some(FIGURES)),
                "at": at,
                "controller": draw(some([*players, None])),
                "owner": draw(some(players)),
                "facing": draw(some(facings)),
                "attack": draw(some([1, 5, 12])),
                "defense": draw(some([3, 12])),
                "move": draw(some([0, 4, 11])),
                "damage": draw(amount),
                "stun": draw(amount),
                "disabled": draw(st.booleans()),
                "acted": draw(st.booleans()),
                "counters": {"lingering": draw(amount), "control": draw(amount)},
            }
            for at in names
        ],
        "corpses": [
            {"of": draw(some(FIGURES)), "at": at, "owner": players[0], "facing": draw(some(facings))}
            for at in names[:1]
        ],
        "collection": {player: list(FIGURES)[: draw(st.integers(0, 9))] for player in players},
    }


@given(data=st.data())
@settings(max_examples=2 * FEW, deadline=None)
def test_nothing_covers_anything_on_squares(data: st.DataObject) -> None:
    on = shipped_board("board", "unigames")
    assert_all_apart(data, on, crowded(on, ("n", "e", "s", "w")))


@given(data=st.data())
@settings(max_examples=3 * FEW // 2, deadline=None)
def test_nothing_covers_anything_on_hexes(data: st.DataObject) -> None:
    """Also not where pieces look somewhere, on spaces that a player holds."""
    on = small_board()
    assert_all_apart(data, on, crowded(on, ("n", "ne", "se", "s", "sw", "nw")))


def assert_all_apart(data: st.DataObject, on: Board, positions: st.SearchStrategy[dict[str, Any]]) -> None:
    how = replace(style_named("unigames"), owned=style_named().owned, tags=style_named().tags)
    position = data.draw(positions)
    held = data.draw(st.lists(st.sampled_from([space.name for space in on.spaces]), max_size=12, unique=True))
    seen = scene_of({**position, "control": {on.teams[0]: held}}, on, how, FIGURES)
    assert_apart(svg(seen), seen)


@given(data=st.data())
@settings(max_examples=3 * FEW // 2, deadline=None)
def test_nothing_covers_anything_on_stacks(data: st.DataObject) -> None:
    on = data.draw(st.sampled_from([small_board(), big_board()]))
    spaces_ = st.sampled_from([space.name for space in on.spaces])
    players = [seat.name for seat in on.seats]
    units = [
        {
            "at": at,
            "unit": data.draw(st.sampled_from(UNITS)),
            "owner": data.draw(st.sampled_from(players)),
            "coins": data.draw(st.integers(1, 12)),
        }
        for at in data.draw(st.lists(spaces_, max_size=14, unique=True))
    ]
    held, forts = (data.draw(st.lists(spaces_, max_size=10, unique=True)) for _ in range(2))
    seen = scene_of({"units": units, "control": {on.teams[1]: held}, "forts": forts}, on, style_named(), NAMES)
    assert_apart(svg(seen), seen)


def test_overlaps_are_found() -> None:
    """The boxes can tell: a mark that is put onto a piece is said to cover it."""
    seen = scene_of(TWO_POSITION, small_board(), style_named(), NAMES)
    assert_apart(svg(seen), seen)
    with pytest.raises(AssertionError):
        assert_apart(re.sub(r'(<text x="\S+" y=")\S+(" class="name")', r"\g<1>400\2", svg(seen)), seen)


# ---- zones


def panels(drawn: str) -> dict[str, dict[str, str]]:
    """The zones that a picture shows before each player, with their contents in words."""
    found: dict[str, dict[str, str]] = {}
    for group in read(drawn).findall(f"{SVG}g"):
        player = next((one.text or "" for one in group.findall(f"{SVG}text") if one.get("class") == "player"), "")
        titles = [zone.find(f"{SVG}title") for zone in group.findall(f"{SVG}g")]
        if player:
            told = ((one.text or "").partition(": ") for one in titles if one is not None)
            found[player.split(" ")[0]] = {title: rest for title, _, rest in told}
    return found


def count_of(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(count_of, value.values()))
    return value if isinstance(value, int) else len(value)


ZONES = {"hand": "Hand", "bag": "Bag", "discard": "Discard", "supply": "Supply", "box": "Box"}


@pytest.mark.parametrize("given", [TWO_POSITION, FOUR_POSITION], ids=["two", "four"])
def test_every_zone_is_there_with_its_count(given: dict[str, Any]) -> None:
    state = shipped().position(given)
    for viewer in (None, *(seat.name for seat in state.variant.board.seats)):
        position = state.position() if viewer is None else state.view(viewer)
        drawn = svg(scene(state, viewer=viewer))
        said = [one.said for one in shapes(read(drawn))]
        for player, zones in panels(drawn).items():
            assert list(zones) == list(ZONES.values())
            for key, title in ZONES.items():
                count = count_of(position[key][player])
                assert (f"{title} {count}" if count else title) in said
                numbers = re.findall(r"(?:^|[,;:] )(?:up: |down: )?(\d+ )?(?=[A-Z\d]|hidden)", zones[title])
                assert sum(int(one or 1) for one in numbers) == count or not count, (zones[title], count)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", GAMES)
def test_the_picture_has_no_hidden_information(name: str, seed: int) -> None:
    """The player's picture is the same for all contents of places that the player may not see."""
    state, rng = played(60 + seed, name, seed), Random(seed)
    different = 0
    for player in (seat.name for seat in state.variant.board.seats):
        others = [state.determinize(player, rng) for _ in range(3)]
        pictures = {svg(scene(other, viewer=player)) for other in (state, *others)}
        assert len(pictures) == 1
        different += len({svg(scene(other)) for other in (state, *others)}) > 1
    assert different or name != GAMES[0], "something is hidden in the first game"


def test_hidden_things_show_their_backs() -> None:
    drawn = svg(scene(shipped().position(TWO_POSITION), viewer="raven"))
    raven, wolf = panels(drawn).values()
    assert raven["Hand"] == "Earl, Herald, Royal Coin" and raven["Bag"] == "2 hidden"
    assert wolf["Bag"] == "3 hidden" and wolf["Discard"] == "up: Light Cavalry; down: 1 hidden"
    assert drawn.count('class="back"') == 4 and "War Wagon" not in str(wolf)


# ---- motions


def named_spaces(data: dict[str, Any], all_spaces: set[str]) -> set[str]:
    values = [str(value) for key, value in data.items() if key not in ("act", "as", "then")]
    return {word for value in values for word in re.split(r"[ /]", value)} & all_spaces


@pytest.mark.parametrize("name", GAMES)
def test_arrows_are_those_of_the_option(name: str) -> None:
    """Each space that an option names is the end of an arrow or has a sign, and the option then does the same."""
    rng, state = Random(5), shipped(name).new(seed=5)
    every = {space.name: number for number, space in enumerate(state.variant.board.spaces)}
    seen: set[MotionKind] = set()
    for _ in range(80):
        if state.decision is None:
            break
        option = state.decision.sample(rng)
        motions, before = motions_by(state, option), len(state.history())
        named = named_spaces(option.data, set(every))
        assert named <= {space for one in motions for space in (one.start, one.end)}, option.label
        seen |= {one.kind for one in motions}
        state.apply(option)
        assert motions_of(state.history()[before:], state.variant) == motions
    assert {MotionKind.GOES, MotionKind.ACTS, MotionKind.COMES, MotionKind.NAMED} <= seen


@pytest.mark.parametrize(("given", "name"), [(TWO_POSITION, "war-chest")])
def test_arrows_have_the_stated_ends(given: dict[str, Any], name: str) -> None:
    seen = scene(shipped(name).position(given))
    names = [cell.name for cell in seen.cells]
    motions = [
        Motion(kind, one, other)
        for kind in (MotionKind.GOES, MotionKind.ACTS)
        for one in names[::5]
        for other in names[::7]
        if one != other
    ]
    motions += [Motion(kind, one, one) for kind in (MotionKind.LEAVES, MotionKind.NAMED) for one in names[::6]]
    root = read(svg(with_motions(seen, "all of them", motions)))
    cells = [one for one in shapes(root) if one.kind == "cell"]
    at = dict(
        zip(
            names,
            (next(iter([(sum(x for x, _ in one.corners) / 6, sum(y for _, y in one.corners) / 6)])) for one in cells),
            strict=True,
        )
    )
    groups = [one for one in root.iter(f"{SVG}g") if one.get("data-from")]
    assert {(one.get("class"), one.get("data-from"), one.get("data-to")) for one in groups} == {
        (one.kind.name.lower(), one.start, one.end) for one in motions
    }
    for group in groups:
        start, end = at[group.get("data-from", "")], at[group.get("data-to", "")]
        path = group.find(f"{SVG}path[@class]")
        if start == end or path is None:
            continue
        x, y = map(float, re.findall(r"M (\S+) (\S+)", path.get("d", ""))[0])
        [head] = [one for one in shapes(group) if one.kind == "head"]
        tip = head.corners[0]
        assert hypot(x - start[0], y - start[1]) < 48 and hypot(tip[0] - end[0], tip[1] - end[1]) < 48


def test_others_do_not_see_a_mere_choice() -> None:
    state = shipped().position(TWO_POSITION)
    before = len(state.history())
    option = next(one for one in state.decision.options if one.act == "bolster")  # type: ignore[union-attr]
    [chosen] = motions_by(state, option)
    assert chosen.kind is MotionKind.NAMED and chosen.start == chosen.end == option.data["unit"]
    state.apply(option)
    history = state.history()[before:]
    assert motions_of(history, state.variant, "raven") == (chosen,)
    assert all(one.start == option.data["unit"] for one in motions_of(history, state.variant, "wolf"))


# ---- ends


@pytest.mark.parametrize("winner", ["wolf", None])
@pytest.mark.parametrize("given", [TWO_POSITION, FOUR_POSITION], ids=["two", "four"])
def test_an_end_is_shown_in_pictures_and_texts(given: dict[str, Any], winner: str | None) -> None:
    over = {key: value for key, value in given.items() if key != "to_act"} | {"winner": winner, "control": {}}
    on = big_board() if given is FOUR_POSITION else small_board()
    seen = scene_of(over, on, style_named(), NAMES)
    said = f"The game is over: {winner or 'nobody'} has won."
    drawn, shown = svg(seen), plain(seen)
    assert [one.said for one in shapes(read(drawn)) if one.kind == "ending"] == [said]
    assert shown.count(said) == 1 and shown.split("\n")[1] == said
    assert said in (read(drawn).findtext(f"{SVG}desc") or "")
    assert_apart(drawn, seen)


def test_a_drawn_position_of_squares_says_so() -> None:
    game = shipped("unigames")
    seen = scene(game.position({"winner": None}), style_of(game.library))
    assert "nobody has won" in svg(seen) and "nobody has won" in plain(seen)


def test_a_running_game_does_not_mention_an_end() -> None:
    assert "is over" not in svg(scene(shipped().position(TWO_POSITION)))


# ---- all there is together


@pytest.mark.parametrize("length", [1, 30, 60])
def test_long_words_stay_in_the_picture(length: int) -> None:
    how = Style(title="W" * min(length, 40), zones=style_named().zones, pieces=style_named().pieces)
    name = "W" * length
    hands = {"raven": [name] * 300, "wolf": [f"{name}{number}" for number in range(40)]}
    units = [{"at": "f4", "unit": name, "owner": "raven", "coins": 2}]
    seen = scene_of({"units": units, "hand": hands, "winner": None}, small_board(), how)
    assert_apart(svg(seen), seen)
    told = with_motions(seen, "W " * length * 3, [Motion(MotionKind.GOES, "f4", "f5")])
    assert_apart(svg(told), told)
