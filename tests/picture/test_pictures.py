"""Pictures of positions: everything on the board is there, nothing hidden is, and nothing depends on colour."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

import warchest
from loaded import shipped
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.picture import board, plain, style_of, svg, text
from warchest.picture.style import Style, derived, ink

POSITION: dict[str, Any] = {
    "to_act": "raven",
    "initiative": "wolf",
    "control": {"raven": ["e2", "h1"], "wolf": ["g6", "d7"]},
    "units": [
        {"at": "f4", "unit": "Archer", "owner": "raven", "coins": 2},
        {"at": "e5", "unit": "Light Cavalry", "owner": "wolf"},
    ],
    "hand": {"raven": ["Archer"], "wolf": ["Light Cavalry", "Royal Coin"]},
    "bag": {"wolf": ["Light Cavalry"]},
    "discard": {"wolf": {"up": ["Knight"], "down": ["Royal Coin"]}},
}
GAME = shipped()
STATE = GAME.position({**POSITION, "discard": {"wolf": {"up": ["Knight"]}}})
STYLE = style_of(GAME.library)


def coloured(no_color: bool) -> str:
    out = StringIO()
    Console(file=out, width=100, force_terminal=True, no_color=no_color, color_system="truecolor").print(
        text(STATE, STYLE)
    )
    return out.getvalue()


def test_the_board_in_the_terminal() -> None:
    lines = board(STATE, STYLE).plain.split("\n")
    assert [line.rstrip() for line in lines[15:19]] == [
        " /  c6 \\       /  e5 \\       /  g4 \\       /  i3 \\",
        "/       \\_____/ W LCa \\_____/       \\_____/       \\",
        "\\  ( )  /  d6 \\  ( )  /  f5 \\       /  h4 \\       /",
        " \\_____/       \\_____/       \\_____/       \\_____/",
    ]
    assert "R Arc 2" in lines[14]
    assert all(len(line) <= 51 for line in lines)


def test_owners_of_things_can_be_read_without_colours() -> None:
    shown = plain(STATE, STYLE)
    assert shown.isascii()
    for word in ("R Arc 2", "W LCa", "(R)", "(W)", "( )", "Arc Archer", "LCa Light Cavalry", "To act: raven"):
        assert word in shown


def test_colours_are_used_where_they_may_be() -> None:
    assert "\x1b[1;38;2;255;255;255;48;2;47;109;179mR Arc 2" in coloured(no_color=False)
    assert "48;2;" not in coloured(no_color=True)


def test_every_space_has_its_name() -> None:
    shown, drawn = plain(STATE, STYLE), svg(STATE, STYLE)
    for space in GAME.board.spaces:
        assert f" {space.name} " in shown
        assert f">{space.name}<" in drawn


def test_a_viewer_sees_the_view_of_that_player() -> None:
    everything, seen = plain(STATE, STYLE), plain(STATE, STYLE, viewer="raven")
    assert "Light Cavalry, Royal Coin" in everything
    assert "2 hidden" in seen and "Royal Coin" not in seen
    with pytest.raises(warchest.OptionError):
        plain(STATE, STYLE, viewer="fox")


def test_with_little_room_the_zones_are_below() -> None:
    narrow = plain(STATE, STYLE, width=70).split("\n")
    assert max(map(len, narrow)) <= 70
    assert next(index for index, line in enumerate(narrow) if "Hand" in line) > 30


def test_without_a_style_the_shipped_one_is_used() -> None:
    assert plain(STATE) == plain(STATE, STYLE)


def test_without_a_document_the_style_follows_the_format_of_positions() -> None:
    shapes = GAME.document.values["position"]
    how = derived("War Chest", shapes)
    shown = plain(STATE, how)
    assert "R Arc 2" in shown and "(W)" in shown and "hand" in shown
    assert [pieces.key for pieces in how.pieces] == ["units"]
    assert style_of(load([], read_schemas()), shapes).pieces == how.pieces


def test_the_shipped_style_names_keys_that_positions_have() -> None:
    keys = {*STATE.position(), "winner", "pool"}
    named = (*STYLE.pieces, *STYLE.owned, *STYLE.spaces, *STYLE.facts, *STYLE.rows, *STYLE.zones)
    assert {one.key for one in named} <= keys
    piece = STATE.position()["units"][0]
    assert {STYLE.pieces[0].at, STYLE.pieces[0].name, STYLE.pieces[0].owner, STYLE.pieces[0].count} == set(piece)
    assert {tag.key for tag in STYLE.tags} <= {tag for space in GAME.board.spaces for tag in space.tags}
    assert {seat.colour for seat in GAME.variant().board.seats} <= set(STYLE.colours)


def test_the_svg_is_well_formed_and_the_same_for_equal_positions() -> None:
    drawn = svg(STATE, STYLE)
    root = ElementTree.fromstring(drawn)
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "War Chest" and {"Arc", "LCa", "2", "raven", "wolf", "location"} <= set(texts)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}polygon"))) == len(GAME.board.spaces)
    assert drawn == svg(GAME.position(STATE.position()), STYLE)
    assert "nan" not in drawn and "-0 " not in drawn


def test_names_cannot_break_the_svg() -> None:
    assert ElementTree.fromstring(svg(STATE, Style(title='A <b> & "c"'))) is not None


def test_ink_can_be_read_on_its_colour() -> None:
    assert ink("#e0ac2b") == "#000000" and ink("#2f6db3") == "#ffffff"


@pytest.fixture(scope="module")
def squares(tmp_path_factory: pytest.TempPathFactory) -> warchest.Game:
    folder = tmp_path_factory.mktemp("squares") / "war-chest"
    shutil.copytree(GAME.folder, folder, ignore=shutil.ignore_patterns("rulings"))
    for file in (folder / "boards").iterdir():
        file.write_text(file.read_text(encoding="utf-8").replace("shape: hexes", "shape: squares"), encoding="utf-8")
    return warchest.Game(folder)


def test_squares_are_drawn_too(squares: warchest.Game) -> None:
    state = squares.position(POSITION | {"discard": {}})
    shown, drawn = plain(state, STYLE), svg(state, STYLE)
    lines = shown.split("\n")
    row = next(index for index, line in enumerate(lines) if "f4" in line)
    assert "R Arc 2" in lines[row + 1]
    assert "+--------+" in shown
    ElementTree.fromstring(drawn)
    assert drawn.count('<rect class="cell') == len(squares.board.spaces)


PICTURE = "picture: Tiny\n"
GOOD = {
    "pieces that look somewhere": PICTURE + "pieces: [{key: men, at: at, name: man, owner: led, facing: to,"
    ' values: [size, age], differing: [of], marks: [{key: hurt, sign: "-", title: hurt},'
    ' {in: signs, key: tired, sign: ".", title: tired}]}]\nplaced: [{key: huts, name: Hut}]\n',
    "a picture": PICTURE + "pieces: [{key: men, at: at, name: man, owner: of, count: n, facing: to, notes: [hurt]}]\n"
    'spaces: [{key: walls, sign: "#", title: wall, walls: true}]\n'
    "zones: [{key: ground, title: Ground, lone: true}]\n"
    'rows: [{key: laws, title: Laws, name: law, marks: by}]\nlabels: {Big Man: BM}\ncolours: {red: "#ff0000"}\n',
    "bots": "bots: Tiny\neager: [take]\nweights: [{owned: land, each: 2.5}, {pieces: men, toward: hill, each: -1}]\n",
}
BAD = {
    "a mark without a sign": (
        PICTURE + "pieces: [{key: men, at: at, name: man, marks: [{key: a, title: b}]}]\n",
        "missing-key",
    ),
    "what is placed without a name": (PICTURE + "placed: [{key: huts}]\n", "missing-key"),
    "a colour that is none": (PICTURE + "colours: {red: crimson}\n", "malformed-value"),
    "pieces nowhere": (PICTURE + "pieces: [{key: men, name: man}]\n", "missing-key"),
    "a long sign": (PICTURE + "spaces: [{key: walls, sign: wall, title: wall}]\n", "malformed-value"),
    "rows without names": (PICTURE + "rows: [{key: laws, title: Laws}]\n", "missing-key"),
    "walls of what": (PICTURE + 'spaces: [{key: walls, sign: "#", title: wall, walls: brick}]\n', "wrong-type"),
    "a weight of nothing": ("bots: Tiny\nweights: [{each: 1}]\n", "missing-key"),
    "a weight that is no number": ("bots: Tiny\nweights: [{owned: land, each: much}]\n", "wrong-type"),
}


def names_in(document: str, folder: Path) -> list[str]:
    file = folder / "document.yaml"
    file.write_text(document, encoding="utf-8")
    return [found.name for found in load([file], read_schemas()).findings]


@pytest.mark.parametrize("document", GOOD.values(), ids=list(GOOD))
def test_right_documents_are_accepted(document: str, tmp_path: Path) -> None:
    assert names_in(document, tmp_path) == []


@pytest.mark.parametrize(("document", "name"), BAD.values(), ids=list(BAD))
def test_wrong_documents_get_one_finding(document: str, name: str, tmp_path: Path) -> None:
    assert names_in(document, tmp_path) == [name]


def test_a_designer_can_redraw_a_game(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "picture: Mine\npieces: [{key: units, at: at, name: unit, owner: owner}]\nlabels: {Archer: Bow}\n"
    )
    game = warchest.load("war-chest", extra=[tmp_path])
    assert "R Bow" in plain(game.position(STATE.position()), style_of(game.library))
