"""The parts of a picture: they agree with the whole picture, and are allowed in a page with a strict policy."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from picture_support import FOUR_POSITION, TWO_POSITION

from loaded import shipped
from warchest.game.telling.motions import motions_by
from warchest.picture import parts, scene, sheet, svg, with_motions
from warchest.picture.drawing import DARK, STYLE
from warchest.picture.scene import Scene


def scenes() -> list[Scene]:
    found = []
    for name, position in (("war-chest", TWO_POSITION), ("war-chest", FOUR_POSITION), ("unigames", None)):
        game = shipped(name)
        state = game.new(seed=1) if position is None else game.position(position)
        while state.decision is not None and state.decision.is_chance:
            state.apply(0)
        decision = state.decision
        assert decision is not None
        found.append(with_motions(scene(state), "", motions_by(state, decision.options[-1])))
    return found


@pytest.mark.parametrize("seen", scenes(), ids=lambda seen: f"{seen.title}, {len(seen.sides)} players")
def test_parts_show_all_that_the_picture_shows(seen: Scene) -> None:
    drawn = parts(seen)
    all_parts = [drawn.board, *drawn.panels, *filter(None, (drawn.tables, drawn.legend)), *drawn.motions]
    roots = [ElementTree.fromstring(one) for one in all_parts]
    shown = {one.text for root in roots for one in root.iter() if one.text and one.text.strip()}
    whole = ElementTree.fromstring(svg(seen))
    heads = {"title", "fact", "caption", "ending"}
    wanted = {one.text for one in whole.iter() if one.tag.endswith("}text") and one.get("class") not in heads}
    assert wanted <= shown
    things = [
        {
            tuple(sorted(one.attrib.items()))
            for root in some
            for one in root.iter()
            if any(key.startswith("data-") and key != "data-style" for key in one.attrib)
            and one.tag.endswith("}g")
            and "transform" not in one.attrib
        }
        for some in (roots, [whole])
    ]
    assert things[0] == things[1]


@pytest.mark.parametrize("seen", scenes(), ids=lambda seen: f"{seen.title}, {len(seen.sides)} players")
def test_each_part_says_what_it_shows_and_a_strict_page_can_have_it(seen: Scene) -> None:
    drawn = parts(seen, "board")
    for one in filter(None, (drawn.board, *drawn.panels, drawn.tables, drawn.legend, *drawn.motions)):
        root = ElementTree.fromstring(one)
        assert root.get("role") == "img" and root.get("aria-label") and root.get("class") == "board"
        width, height = root.get("width"), root.get("height")
        assert root.get("viewBox") == f"0 0 {width} {height}"
        assert not any(key == "style" or key.startswith("on") for each in root.iter() for key in each.attrib)
        assert not [each for each in root.iter() if each.tag.rpartition("}")[2] in ("style", "script")]
    assert len(drawn.motions) == len({(one.kind, one.start == one.end) for one in seen.motions})


def test_a_text_that_looks_like_a_paint_stays_as_it_is() -> None:
    state = shipped().position(TWO_POSITION)
    said = 'x" style="fill: red'
    seen = scene(state)
    drawn = parts(Scene(**{**{name: getattr(seen, name) for name in seen.__slots__}, "short": (("Sty", said),)}))
    assert said in {one.text for one in ElementTree.fromstring(drawn.legend).iter()}


def test_the_dark_sheet_changes_colours_of_existing_rules() -> None:
    light, dark = [dict(re.findall(r"^(\S.*?) \{ (.*?) \}$", one, re.MULTILINE)) for one in (STYLE, DARK)]
    selectors = {one for heads in light for one in heads.split(", ")}
    for heads, rules in dark.items():
        assert set(heads.split(", ")) <= selectors
        assert {rule.split(":")[0].strip() for rule in rules.split(";") if rule.strip()} <= {"fill", "stroke"}
    assert ".board text { fill:" in sheet("board", dark=True) and sheet("board") != sheet("board", dark=True)
