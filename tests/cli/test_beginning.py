"""`--points`, `--collection` and `--armies`: the things that players bring, on the command line and in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SIM = ("sim", "--game", "unigames", "-n", "1", "--jobs", "1", "--turns", "3")
ARMIES = ("--armies", "P1=Goblin Pack,Goblin Caller", "--armies", "P2=Dwarf Spear")


def sim(run: Any, *further: str | Path) -> Any:
    """Let bots play a game that begins so."""
    return run(*SIM, "--format", "json", *further)


def test_squads_on_the_command_line(run: Any) -> None:
    ran = sim(run, *ARMIES)
    assert ran.code == 0
    assert ran.json[0]["armies"] == {"P1": ["Goblin Caller", "Goblin Pack"], "P2": ["Dwarf Spear"]}


def test_armies_are_limited_by_points(run: Any) -> None:
    assert sim(run, "--points", "60").code == 0
    ran = sim(run, "--points", "20")
    assert ran.code == 2 and "armies.P1: its cost is 40 in all, and 20 is the most" in ran.err
    assert sim(run, "--points", "20", *ARMIES).code == 0


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ("many", "a whole number is needed, not 'many'"),
        ("-5", "it is at least 0"),
        ("6.5", "a whole number is needed"),
        ("10000", "a whole number from 0 to 9999 is needed"),
        ("\x1b[31m", "a whole number is needed, not '\\x1b[31m'"),
    ],
)
@pytest.mark.parametrize("verb", ["sim", "bench", "play"])
def test_invalid_points_are_refused(run: Any, verb: str, points: str, said: str) -> None:
    ran = run(verb, "--game", "unigames", "--points", points)
    assert ran.code == 2 and said in ran.err and "\x1b" not in ran.err


@pytest.mark.parametrize("verb", ["sim", "bench", "play"])
def test_a_game_without_points_or_collections(run: Any, verb: str) -> None:
    ran = run(verb, "--points", "60")
    assert ran.code == 2 and "points: in the setup 'Random armies' armies have no cost in points" in ran.err
    ran = run(verb, "--collection", "raven=Scout")
    assert ran.code == 2 and "collection: in this game players have no collections" in ran.err


def test_a_collection_on_the_command_line_and_in_a_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "owned.yaml"
    file.write_text("P1: [Goblin Pack, Goblin Caller, Goblin Imp]\n", encoding="utf-8")
    assert sim(run, *ARMIES, "--collection", file).code == 0
    assert sim(run, *ARMIES, "--collection", file, "--collection", "P2=Dwarf Spear").code == 0
    ran = sim(run, *ARMIES, "--collection", file, "--collection", "P2=Dwarf Elder")
    assert ran.code == 2 and "armies.P2: `Dwarf Spear` is not in the collection it is taken from" in ran.err
    ran = sim(run, *ARMIES, "--collection", "P1=Goblin Pack")
    assert ran.code == 2 and "armies.P1: `Goblin Caller` is not in the collection" in ran.err


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("P1: [Goblin Pack, Goblin Pak]\n", ":1:19", "there is no figure `Goblin Pak`; did you mean `Goblin Pack`?"),
        ("P1: [Goblin Pack]\nP3: [Goblin Imp]\n", ":2:1", "there is no such player"),
        ("P1: Goblin Pack\n", ":1:5", "a list of names is needed"),
        ('P1: ["\\e[31mred"]\n', ":1:6", "an escape means U+001B"),
        ("- Goblin Pack\n", ":1:1", "expected keys with values"),
        ("P1: [Goblin Pack]\n---\nP2: [Goblin Imp]\n", ":3:1", "the file holds more than one collection"),
        ("P1: [Goblin\n", "", "error"),
        ("", "", "error"),
        ("P1: [{a: 1}]\n", ":1:7", "there is no figure"),
    ],
)
def test_invalid_collections_are_reported_with_their_place(
    run: Any, tmp_path: Path, text: str, place: str, said: str
) -> None:
    file = tmp_path / "owned.yaml"
    file.write_text(text, encoding="utf-8")
    ran = sim(run, *ARMIES, "--collection", file)
    assert ran.code == 2 and said in ran.err and f"owned.yaml{place}" in ran.err and "\x1b" not in ran.err


def test_a_missing_file_of_a_collection_is_reported(run: Any, tmp_path: Path) -> None:
    ran = sim(run, "--collection", tmp_path / "none.yaml")
    assert ran.code == 2 and "none.yaml" in ran.err


def test_a_resumed_game_takes_no_other_beginning(run: Any, tmp_path: Path, monkeypatch: Any) -> None:
    def leave(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", leave)
    saved = tmp_path / "game.json"
    ran = run(
        "play",
        "--game",
        "unigames",
        "--points",
        "60",
        "--collection",
        "P1=Goblin Pack,Goblin Caller,Goblin Imp",
        *ARMIES,
        "--save",
        saved,
    )
    assert ran.code == 0
    start = json.loads(saved.read_text(encoding="utf-8"))["start"]
    assert start["points"] == 60 and start["collection"] == {"P1": ["Goblin Pack", "Goblin Caller", "Goblin Imp"]}
    assert run("play", "--resume", saved).code == 0
    assert "Goblin Imp" in run("replay", saved, "--format", "json").out
    for further in (("--points", "60"), ("--collection", "P1=Goblin Imp"), ("--armies", "P1=Goblin Imp")):
        ran = run("play", "--resume", saved, *further)
        assert ran.code == 2 and f"there is no {further[0]} with it" in ran.err
