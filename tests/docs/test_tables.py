"""docs/reference/positions.md and events.md: each key of a position, each form of a key, each kind of event."""

from __future__ import annotations

import re

import pytest
from docs_support import DOCS

from loaded import shipped
from warchest import Event
from warchest.game.position.keys import OVER, TOLD
from warchest.game.position.writing import CODECS

POSITIONS, EVENTS = (
    (DOCS / "reference" / f"{name}.md").read_text(encoding="utf-8") for name in ("positions", "events")
)


def section(title: str) -> str:
    return POSITIONS.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> set[str]:
    rows = re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


@pytest.mark.parametrize(("name", "title"), [("war-chest", "War Chest"), ("unigames", "WarChest (UNIgames)")])
def test_the_keys_of_each_shipped_game_are_listed(name: str, title: str) -> None:
    assert first_cells(section(f"Keys of {title}")) == set(shipped(name).document.values["position"])


def test_the_keys_of_every_position_are_listed() -> None:
    assert {OVER, *TOLD, "pending", "packs", "game"} <= first_cells(section("Keys of every position"))


def test_each_form_of_a_key_has_a_row() -> None:
    shown = set(re.findall(r"\{([a-z ]+):", section("Keys of your own game")))
    assert {word for codec in CODECS for word in codec.words} <= shown


def test_each_kind_of_event_has_a_row() -> None:
    kinds = set(re.findall(r"`([a-z]+)`", (Event.__doc__ or "").split("`kind` is")[1].split("`agent` is")[0]))
    assert kinds == first_cells(EVENTS.split("## When hooks answer")[0])
