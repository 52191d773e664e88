"""Completion outside sentences: keys at each depth, values and names; and it never fails, wherever the cursor is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inside import CARD, Inside

from warchest.lsp.text_positions import position_of, uri_of
from warchest.source.text import Source

HERE = "⌖"
"""The sign for the cursor."""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> tuple[Inside, Path]:
    folder = tmp_path_factory.mktemp("cards")
    made, file = Inside(folder), folder / "halberdier.yaml"
    made.open(file, CARD)
    made.idle()
    return made, file


def offered(editor: tuple[Inside, Path], text: str) -> list[dict[str, Any]]:
    inside, file = editor
    offset, text = text.index(HERE), text.replace(HERE, "")
    inside.change(file, text, inside.number + 2)
    asked = {"textDocument": {"uri": uri_of(str(file))}, "position": position_of(Source("", text), offset)}
    found: list[dict[str, Any]] = inside.ask("textDocument/completion", asked)["items"]
    return found


@pytest.mark.parametrize(
    ("old", "new", "some", "none"),
    [
        ("coins: 4", f"coins: 4\n{HERE}", {"source", "set", "restriction"}, {"coins", "tactic", "name"}),
        ("coins: 4", f"coins: 4\nso{HERE}", {"source"}, {"set"}),
        ("    do:", f"    {HERE}\n    do:", {"offered", "why not", "source"}, {"do", "then", "position", "unit"}),
        (
            "      to_act: raven",
            f"      to_act: raven\n      {HERE}",
            {"control", "decrees"},
            {"units", "hand", "to_act"},
        ),
        ("unit: Halberdier, owner", f"unit: Ha{HERE}, owner", {"Halberdier"}, {"Scout"}),
        ("unit: Scout", f"unit: {HERE}", {"Scout", "Halberdier"}, {"Two players"}),
        ("[Halberdier]}\n", f"[Halberdier, Sc{HERE}]}}\n", {"Scout"}, {"Halberdier"}),
        ("coins: 4", f"coins: {HERE}", set(), {"Scout"}),
        ("{at: f5", f"{{at: {HERE}", set(), {"Scout"}),
    ],
)
def test_keys_values_and_names_fit_their_place(
    editor: tuple[Inside, Path], old: str, new: str, some: set[str], none: set[str]
) -> None:
    assert old in CARD
    labels = {one["label"] for one in offered(editor, CARD.replace(old, new, 1))}
    assert some <= labels and not none & labels and (some or not labels)


def test_a_key_is_put_in_with_its_colon_and_says_what_it_is(editor: tuple[Inside, Path]) -> None:
    (found,) = offered(editor, CARD.replace("coins: 4", f"coins: 4\nsour{HERE}"))
    assert found["textEdit"]["newText"] == "source: " and "printed" in found["detail"]


def test_hovering_shows_the_meaning_of_a_word(editor: tuple[Inside, Path]) -> None:
    inside, file = editor
    inside.change(file, CARD, inside.number + 2)
    place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 6, "character": 13}}
    said = inside.ask("textDocument/hover", place)["contents"]["value"]
    assert said.startswith("`attacks`:\nto attack a target:") and "read as:" in said
    assert said.endswith("rulings:\n- It goes two spaces")


@given(data=st.data())
def test_completion_never_fails_at_any_cursor(editor: tuple[Inside, Path], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(CARD)))
    more = data.draw(st.sampled_from(["", "- ", "  - ", "{", "[", "a: ", "---\n", "rulings:\n  - ", "\t", ": "]))
    begun = CARD[:cut] + more + HERE
    for one in offered(editor, begun + data.draw(st.sampled_from(["", CARD[cut:]]))):
        edit = one["textEdit"]
        assert edit["range"]["end"] == position_of(Source("", begun), begun.index(HERE))
        assert edit["range"]["start"]["line"] == edit["range"]["end"]["line"] and edit["newText"]
