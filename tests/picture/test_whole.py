"""Pictures of everything at once: walls, tables with marks, four players on the big board."""

from __future__ import annotations

import re
from colorsys import rgb_to_hls
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from picture_support import (
    COMMAND,
    DECREES,
    FEW,
    FOUR_POSITION,
    GOLDEN,
    TWO_POSITION,
    UNITS,
    big_board,
    four,
    kept,
    seen,
    small_board,
    squares,
    style,
    two,
)
from rich.console import Console

from loaded import shipped
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.setup.boards import board_of
from warchest.lowering.board import Board
from warchest.picture import Scene, board, plain, scene_of, svg, text
from warchest.picture.scene import Stone
from warchest.picture.style import derived, ink, shade
from warchest.picture.terminal import stone_text
from warchest.source.data import data_folder

SVG = "{http://www.w3.org/2000/svg}"


# ---- pictures that are kept


@pytest.mark.parametrize("name", sorted(kept()))
def test_kept_pictures(name: str) -> None:
    assert (GOLDEN / name).read_text(encoding="utf-8") == kept()[name], f"if the new one is right: {COMMAND}"


def test_no_other_picture_is_kept() -> None:
    assert {file.name for file in GOLDEN.iterdir()} == set(kept())


@pytest.mark.parametrize(("position", "scene"), [(TWO_POSITION, two()), (FOUR_POSITION, four())], ids=["two", "four"])
def test_a_state_looks_like_its_position(position: dict[str, Any], scene: Scene) -> None:
    state = shipped().position(position)
    assert plain(state) == plain(scene) and svg(state) == svg(scene)


# ---- everything is there, at any place


@st.composite
def positions(draw: st.DrawFn, on: Board) -> dict[str, Any]:
    """Some position of two or four players, be it possible in play or not."""
    spaces = st.sampled_from([space.name for space in on.spaces])
    players = [seat.name for seat in on.seats]
    units = [
        {
            "at": at,
            "unit": draw(st.sampled_from(UNITS)),
            "owner": draw(st.sampled_from(players)),
            "coins": draw(st.integers(1, 12)),
        }
        for at in draw(st.lists(spaces, max_size=12, unique=True))
    ]
    decrees = [
        {"name": name, "seals": draw(st.lists(st.sampled_from(players), max_size=2, unique=True))}
        for name in draw(st.lists(st.sampled_from(DECREES), max_size=3, unique=True))
    ]
    coins = st.lists(st.sampled_from([*UNITS, "Royal Coin"]), max_size=6)
    zones = {zone: {player: draw(coins) for player in players} for zone in ("hand", "bag", "supply", "box")}
    forts = draw(st.lists(spaces, max_size=7, unique=True))
    owned = draw(st.lists(spaces, max_size=8, unique=True))
    return {
        "to_act": players[-1],
        "units": units,
        "decrees": decrees,
        "forts": forts,
        "fort_supply": 7 - len(forts),
        "control": {on.teams[0]: owned[::2], on.teams[1]: owned[1::2]},
        **zones,
    }


def inside(drawn: str, name: str) -> list[str]:
    """Return the three lines that a board in the terminal shows in a hex."""
    lines = drawn.split("\n")
    row = next(number for number, line in enumerate(lines) if re.search(rf"\b{name}\b", line))
    column = lines[row].index(name) - 3
    return [line.ljust(200)[column : column + 7] for line in lines[row : row + 3]]


@pytest.mark.parametrize("on", [small_board(), big_board()], ids=lambda on: on.name)
@given(data=st.data(), width=st.integers(80, 160))
@settings(max_examples=2 * FEW, deadline=None)
def test_everything_is_there_and_no_line_is_wider_than_asked_for(on: Board, data: st.DataObject, width: int) -> None:
    position = data.draw(positions(on))
    scene = seen(position, on)
    assert_no_line_is_wider(scene, on, width)
    shown, drawn, hexes = plain(scene), svg(scene), board(scene).plain
    titles = {element.text for element in ElementTree.fromstring(drawn).iter(f"{SVG}title")}
    letters = {side.name: side.letter for side in scene.sides}
    labels = dict((name, label) for label, name in scene.legend)
    for unit in position["units"]:
        middle, coins = inside(hexes, unit["at"])[1].strip(), unit["coins"]
        assert middle.startswith(letters[unit["owner"]]) and labels[unit["unit"]] in middle
        assert coins == 1 or middle.endswith(str(coins))
        count = f"{coins} " if coins > 1 else ""
        assert any(str(one).startswith(f"{unit['at']}: {count}{unit['unit']} ({unit['owner']})") for one in titles)
        assert f"{labels[unit['unit']]} {unit['unit']}" in shown
    for name in position["forts"]:
        upper, _, lower = inside(hexes, name)
        assert upper[1] == upper[5] == lower[0] == lower[6] == "#"
        assert any(re.match(rf"{name}: .*fortification", str(one)) for one in titles)
    assert hexes.count("#") == 4 * len(position["forts"])
    for decree in position["decrees"]:
        line = next(line for line in shown.split("\n") if f"  {decree['name']} " in line)
        assert sorted(re.findall(r"\(([RW]2?)\)", line.split(decree["name"], 1)[1])[: len(decree["seals"])]) == sorted(
            letters[seal] for seal in decree["seals"]
        )
    assert drawn.count('class="wax"/>') == sum(len(decree["seals"]) for decree in position["decrees"])


def assert_no_line_is_wider(scene: Scene, on: Board, width: int) -> None:
    shown = plain(scene, width=width)
    assert shown.isascii() and "\x1b" not in shown
    assert max(map(len, shown.split("\n"))) <= width
    assert all(re.search(rf"\b{space.name}\b", shown) for space in on.spaces)


def test_the_big_board_fits_a_terminal() -> None:
    lines = plain(four(), width=100).rstrip("\n").split("\n")
    assert len(lines) <= 39 and max(map(len, lines)) <= 100
    assert "Hand: Crossbowman, Footman, Royal Coin" in lines[2]
    assert lines[2].endswith("Hand: Sapper, 2 War Wagon") and "R2  raven2, raven" in "\n".join(lines[20:])


def test_without_colours_there_are_none() -> None:
    for scene in (two(), four()):
        out = StringIO()
        Console(file=out, width=100, force_terminal=True, no_color=True, color_system="truecolor").print(text(scene))
        assert set(re.findall(r"\x1b\[([0-9;]*)m", out.getvalue())) <= {"0", "1", "2", "7"}
        assert re.search(r"Enlist +(\x1b\[[01]m)*\(R\)|Guard +(\x1b\[[01]m)*\(R\)", out.getvalue())


# ---- players of one team


def test_players_of_a_team_have_one_hue_in_different_shades() -> None:
    raven, wolf, second_raven, second_wolf = four().sides
    assert len({side.colour for side in four().sides}) == 4
    for first, second in ((raven, second_raven), (wolf, second_wolf)):
        assert abs(hue(first.colour) - hue(second.colour)) < 0.03
        assert ink(first.colour) != ink(second.colour)
        assert (first.rank, second.rank) == (0, 1) and second.letter == first.letter + "2"
    assert four().heads == (raven, wolf)


def hue(colour: str) -> float:
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return rgb_to_hls(red, green, blue)[0]


@pytest.mark.parametrize("colours", [("blue", "", ""), ("blue", "azure", "navy"), ("", "", "")], ids=str)
def test_a_seat_without_a_colour_of_its_own_gets_a_shade(colours: tuple[str, str, str]) -> None:
    seats = tuple((f"p{number}", "p1", colour) for number, colour in enumerate(colours, 1))
    sides = seen({}, big_board(seats)).sides
    assert len({side.colour for side in sides}) == 3
    assert max(hue(side.colour) for side in sides) - min(hue(side.colour) for side in sides) < 0.05


def test_a_seat_with_a_colour_of_its_own_keeps_it() -> None:
    seats = (("red", "red", "blue"), ("rose", "red", "yellow"))
    assert [side.colour for side in seen({}, big_board(seats)).sides] == [
        style().colours[name] for name in ("blue", "yellow")
    ]


def test_shades() -> None:
    assert shade("#2f6db3", 0) == "#2f6db3"
    assert [shade(colour, 1) for colour in ("#000000", "#ffffff")] == ["#808080", "#9e9e9e"]


BOARDS = sorted((data_folder("cards") / "war-chest" / "boards").iterdir())


@pytest.mark.parametrize("file", BOARDS, ids=lambda file: file.stem)
def test_shipped_boards(file: Path) -> None:
    on = board_of(load([file], read_schemas()).documents[0])
    scene = scene_of({}, on, style())
    assert len({side.colour for side in scene.sides}) == len({side.letter for side in scene.sides}) == len(on.seats)
    assert {seat.colour for seat in on.seats} <= set(style().colours)
    assert len(plain(scene).split("\n")) <= 40


# ---- where there is little room


def test_with_less_room_short_labels_are_in_the_corners() -> None:
    shown = plain(four(), width=80)
    assert "Hand: Cro, Foo, RCo" in shown.split("\n")[2]
    assert "Cro Crossbowman" in shown and "RCo Royal Coin" in shown


def test_long_lists_of_players_are_below_the_board() -> None:
    much = {"raven": list(UNITS), "wolf": list(UNITS), "raven2": list(UNITS), "wolf2": list(UNITS)}
    for width in (80, 100):
        lines = plain(seen({**FOUR_POSITION, "bag": much}, big_board()), width=width).split("\n")
        assert max(map(len, lines)) <= width
        assert next(number for number, line in enumerate(lines) if "R  raven" in line) > 30
        assert "W  wolf" in next(line for line in lines if "R  raven" in line)


def test_armies_are_shown_while_a_player_has_no_coins() -> None:
    armies = {"raven": ["Scout", "Spy"], "wolf": ["Earl"]}
    position = {"armies": armies, "pool": list(UNITS), "hand": {"wolf": ["Earl"]}}
    for on in (small_board(), big_board()):
        scene = seen(position, on)
        shown = " ".join(plain(scene).split())
        assert re.search(r"Army:? +Scout, Spy", shown) and re.search(r"Hand:? +Earl", shown)
        assert len(re.findall("Army", shown)) == 1 and "Pool: Archer, Bannerman" in shown
        told = [element.text for element in ElementTree.fromstring(svg(scene)).iter(f"{SVG}text")]
        assert "Warrior Priest" in " ".join(filter(None, told))


def test_more_players_than_corners() -> None:
    seats = tuple((name, name, "") for name in ("ann", "ben", "cat", "dan", "eve"))
    shown = plain(seen({"hand": {"eve": ["Archer"]}}, big_board(seats)))
    assert all(f" {name[0].upper()}  {name}" in shown for name, _, _ in seats) and "Archer" in shown


def test_wide_names() -> None:
    name, player = "Grand Duke of the Very Long Name and of Many Other Places 1", "a" * 40
    seats = ((player, player, "blue"), ("wolf", "wolf", "yellow"), ("raven2", player, "blue"), ("d", "wolf", "yellow"))
    position = {
        "units": [{"at": "f4", "unit": name, "owner": "raven2", "coins": 12}],
        "hand": {player: [name, name]},
        "decrees": [{"name": name, "seals": [player, "stranger"]}],
    }
    for on in (big_board(seats), replace(small_board(), seats=big_board(seats).seats)):
        for width in (80, 100, 120):
            scene = seen(position, on)
            shown = plain(scene, width=width)
            assert max(map(len, shown.split("\n"))) <= width
            middle = inside(board(scene).plain, "f4")[1]
            assert middle.startswith("R2") and middle.endswith("12")
            assert "".join(name.split()) in "".join(shown.split()) and "stranger" in shown
        ElementTree.fromstring(svg(scene))


def test_a_piece_in_few_characters() -> None:
    side = four().sides[2]
    plain_stone = Stone("War Wagon", "WWa", side, 1, "", "")
    assert stone_text(plain_stone) == "R2 WWa"
    assert stone_text(replace(plain_stone, count=3)) == "R2WWa 3"
    assert stone_text(replace(plain_stone, count=13)) == "R2WWa13"
    assert stone_text(replace(plain_stone, label="WWag", count=13)) == "R2WWa13"
    assert stone_text(replace(plain_stone, facing="n", count=2)) == "R2WWa^2"


# ---- SVG


@pytest.mark.parametrize("make", [two, four])
def test_the_svg_describes_itself_in_words(make: Any) -> None:
    drawn = svg(make())
    assert drawn == svg(make())
    root = ElementTree.fromstring(drawn)
    title, words = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and words is not None and title.text == "War Chest"
    assert root.get("aria-labelledby") == f"{title.get('id')} {words.get('id')}" and root.get("role") == "img"
    told = words.text or ""
    assert "2 Footman (raven), fortification, location" in told or "Sapper (wolf), fortification, location" in told
    assert "Fortifications left: " in told and "Decrees and seals: " in told


def test_walls_in_the_svg() -> None:
    with_walls, without = svg(two()), svg(seen({**TWO_POSITION, "forts": []}, small_board()))
    assert with_walls.count('class="post"') == 6 * (4 + 1)  # one in the legend
    assert 'class="post"' not in without and ">fortification<" not in without
    squares = svg(seen(TWO_POSITION, replace(small_board(), shape="squares")))
    assert squares.count('class="post"') == 4 * (4 + 1)


def test_walls_on_squares_in_the_terminal() -> None:
    lines = board(seen(TWO_POSITION, replace(small_board(), shape="squares"))).plain.split("\n")
    row = next(number for number, line in enumerate(lines) if "e2" in line)
    assert "|#   e2  #|" in lines[row] or "|#  e2  #|" in lines[row]
    assert "# (R)  #" in lines[row + 2] or "#  (R) #" in lines[row + 2]


def test_the_shades_of_a_team_differ_in_their_rims_too() -> None:
    assert 'stroke-dasharray="5.8 4.3"' in svg(four()) and 'stroke-dasharray="5.8 4.3"' not in svg(two())


def test_marks_of_players_are_in_the_column_of_their_team() -> None:
    position = {"decrees": [{"name": "Spy", "seals": ["wolf2", "raven2"]}, {"name": "March", "seals": "raven"}]}
    lines = plain(seen(position, big_board())).split("\n")
    head = next(line for line in lines if line.startswith("Decrees"))
    spy, march = (next(line for line in lines if line.startswith(f"  {name}")) for name in ("Spy", "March"))
    assert abs(spy.index("R2") - head.index("R")) <= 1 and abs(spy.index("W2") - head.index("W")) <= 1
    assert abs(march.index("R") - head.index("R")) <= 1 and abs(march.index("-") - head.index("W")) <= 1


# ---- pieces that look somewhere, and share spaces


def test_pieces_show_their_facing_and_their_tokens() -> None:
    shown = plain(squares())
    lines = shown.split("\n")
    row = next(index for index, line in enumerate(lines) if "|   d4   |" in line)
    assert "|P1 DSp ^|P1 HWi <|" in lines[row + 1] and "|  -2 .  |  %1 ?3 |" in lines[row + 2]
    assert "P1 HWi < 1/3/4 lingering 1, mind control 3, owner P2" in shown
    assert "Hykolaran Witch (P1) w 1/3/4 lingering 1, mind control 3, owner P2" in svg(squares())


def test_all_pieces_on_one_space_are_shown() -> None:
    shown = plain(squares())
    for one in ("P2 KSh v", "P1 DEl >", "- KGh >", "P2+GMa v", "P2KDa^+1", "P1 +DSt ^"):
        assert one in shown
    root = ElementTree.fromstring(svg(squares()))
    labels = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "label"]
    assert sorted(labels) == sorted(("WCh", "WCh", "KAr", "KDa", "+DSt", "KSh", "DEl", "DSp", "HWi", "KGh", "+GMa"))
    turned = [element for element in root.iter(f"{SVG}path") if "rotate(" in element.get("transform", "")]
    assert len(turned) == 9


def test_where_there_is_no_document_pieces_of_one_owner_each_are_drawn_too() -> None:
    found = derived("Tiny", {"huts": {"one by owner": "hut"}})
    assert [(one.key, one.name) for one in found.placed] == [("huts", "hut")]
