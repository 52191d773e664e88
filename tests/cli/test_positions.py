"""The verbs that read a position: their output, and their errors about files that are none."""

from __future__ import annotations

import io
import json
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

DRAW = "to_act: raven\ninitiative: raven\nbag: {raven: [Scout, Scout, Archer, Knight], wolf: [Cavalry]}\n"
OVER = "winner: null\n"


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "written.yaml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


@pytest.mark.parametrize("verb", ["moves", "view", "show"])
def test_a_position_of_another_game_that_ships(run: Any, tmp_path: Path, verb: str) -> None:
    (tmp_path / "inner").mkdir()
    file = written(tmp_path / "inner", "game: unigames\nturn: P1\n")
    ran = run(verb, file, *(["P1"] if verb == "view" else []), "--game", "war-chest")
    assert ran.code == 2 and "this is war-chest, not unigames" in ran.err and "add `--game unigames`" in ran.err


# ---- moves


def test_moves(run: Any, position: Path) -> None:
    ran = run("moves", position)
    assert (ran.code, ran.err) == (0, "")
    prompt, *lines = ran.out.splitlines()
    assert prompt.startswith("raven: ")
    assert [line.split(None, 1)[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    assert " 2  attack: coin Scout, unit f4, target f5" in ran.out or "attack: coin Scout" in ran.out


def test_moves_as_json(run: Any, position: Path) -> None:
    found = run("moves", position, "--format", "json").json
    assert (found["player"], found["is_chance"]) == ("raven", False)
    assert len({option["label"] for option in found["options"]}) == len(found["options"])
    assert {"act": "bolster", "coin": "Scout", "unit": "f4"} in [option["data"] for option in found["options"]]
    assert {option["probability"] for option in found["options"]} == {None}


def test_moves_of_chance_have_probabilities(run: Any, tmp_path: Path) -> None:
    file = written(tmp_path, DRAW)
    assert "coin Scout   1/2\n" in run("moves", file).out
    found = run("moves", file, "--format", "json").json
    assert (found["player"], found["is_chance"]) == (None, True)
    assert sum(Fraction(option["probability"]) for option in found["options"]) == 1


def test_moves_of_a_finished_game(run: Any, tmp_path: Path) -> None:
    file = written(tmp_path, OVER)
    assert run("moves", file).out == "the game is over\n"
    assert run("moves", file, "--format", "json").json["options"] == []


def test_moves_from_standard_input(run: Any, position: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = run("moves", position).out
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(position.read_bytes())))
    assert run("moves", "-").out == there


# ---- perft


def test_perft(run: Any, position: Path) -> None:
    assert run("perft", position, "--depth", "0").out == "1 position at depth 0\n"
    ran = run("perft", position)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(" positions at depth 1\n")


def test_perft_lists_different_positions(run: Any, position: Path) -> None:
    found = run("perft", position, "--depth", "2", "--list", "--format", "json").json
    assert found["depth"] == 2
    texts = {json.dumps(one, sort_keys=True) for one in found["positions"]}
    assert len(texts) == found["count"] == len(found["positions"])
    *lines, last = run("perft", position, "--depth", "2", "--list").out.splitlines()
    assert {json.dumps(json.loads(line), sort_keys=True) for line in lines} == texts
    assert last == f"{len(texts)} positions at depth 2"


def test_perft_counts_without_list(run: Any, position: Path) -> None:
    assert set(run("perft", position, "--format", "json").json) == {"depth", "count"}


def test_perft_distinguishes_versions_with_equal_counts(run: Any, tmp_path: Path) -> None:
    """Another card in the same place gives as many positions, and the same card in other words the same ones."""
    card = "unit: {}\ncoins: 4\ntactic: |\n  {}.\n"
    position = "{{to_act: raven, units: [{{at: f4, unit: {0}, owner: raven}}], hand: {{raven: [{0}]}}}}"
    found = {}
    for number, (name, says) in enumerate((("Rider", "move"), ("Rider", "this moves"), ("Walker", "move"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "card.yaml").write_text(card.format(name, says), encoding="utf-8")
        file = written(tmp_path, position.format(name))
        told = run("perft", file, "--cards", folder, "--digest", "--format", "json").json
        assert f"at depth 1, digest {told['digest']}\n" in run("perft", file, "--cards", folder, "--digest").out
        found[number] = told["count"], told["digest"]
    assert found[0] == found[1] and found[0][0] == found[2][0] and found[0][1] != found[2][1]


def test_perft_counts_ended_games(run: Any, tmp_path: Path) -> None:
    for text in (DRAW, OVER):
        assert run("perft", written(tmp_path, text), "--depth", "3", "--format", "json").json["count"] == 1


def test_perft_reads_its_own_list(run: Any, position: Path, tmp_path: Path) -> None:
    line = run("perft", position, "--list").out.splitlines()[0]
    assert run("moves", written(tmp_path, line)).code == 0


@pytest.mark.parametrize("depth", ["-1", "1.5", "two", "9" * 30, ""])
def test_perft_to_no_depth(run: Any, position: Path, depth: str) -> None:
    ran = run("perft", position, f"--depth={depth}")
    assert (ran.code, ran.out) == (2, "")


# ---- view


def test_view(run: Any, position: Path) -> None:
    ran = run("view", position, "wolf")
    assert (ran.code, ran.err) == (0, "")
    seen = yaml.safe_load(ran.out)
    assert seen == run("view", position, "wolf", "--format", "json").json
    assert seen["hand"] == {"raven": 1, "wolf": ["Knight", "Royal Coin"]}
    assert seen["bag"] == {"raven": 2, "wolf": 1}


def test_the_view_of_an_unknown_player_is_refused(run: Any, position: Path) -> None:
    ran = run("view", position, "wofl")
    assert (ran.code, ran.err) == (2, "warchest: there is no player 'wofl'; did you mean `wolf`?\n")


# ---- what is no position

BAD = {
    "no YAML": ("units: [", "written.yaml:1:"),
    "no mapping": ("- f4\n", "written.yaml:1:1"),
    "only a word": ("position\n", "expected keys with values"),
    "two positions": ("to_act: raven\n---\nto_act: wolf\n", "written.yaml:3:1"),
    "nothing": ("", "the file is empty"),
    "only a comment": ("# here\n", "the file holds no document"),
    "binary": (b"\x00\x01\xff", "it is not text"),
    "not UTF-8": (b"units: \xff\n", "line 1 is not UTF-8"),
    "too large": ("#" * (1 << 20) + "\n", "larger than 1024 KiB"),
    "too deep": ("a: " + "[" * 5000, "nested more than 40 deep"),
    "an alias": ("a: &x 1\nb: *x\n", "written.yaml:1:4"),
    "a key twice": ("to_act: raven\nto_act: wolf\n", "written.yaml:2:1"),
    "an unknown key": ("to_act: raven\nunit: []\n", "written.yaml:2:1"),
    "an unknown key of a word": ("to_act: raven\ninitative: raven\n", "written.yaml:2:1"),
    "an unknown key of an entry": ("to_act: raven\nunits: [{at: f4, unti: Scout}]\n", "written.yaml:2:18"),
    "not UTF-8 behind other signs": ("to_act: raven\nü: ü".encode() + b"\xff\n", "written.yaml:2:5"),
    "an unknown player": ("to_act: fox\n", "written.yaml:1:9"),
    "an unknown space": ("units:\n  - {at: z9, unit: Scout, owner: raven}\n", "written.yaml:2:10"),
    "a piece in part": ("units:\n  - {at: f4, owner: raven}\n", "units[0].unit"),
    "no list": ("units: 7\n", "units: a list is needed"),
    "a hand for nobody": ("hand: [Scout]\n", "hand: a mapping is needed"),
    "a count of text": ("units:\n  - {at: f4, unit: Scout, owner: raven, coins: x}\n", "written.yaml:2:48"),
    "a wrong option": ("options: {royal_guard: [original]}\n", "options.royal_guard"),
    "another game": ("game: chess\n", "game: this is war-chest, not chess"),
    "a wrong number in pending": ("to_act: raven\npending: {stack: [], hold: many}\n", "written.yaml:2:"),
    "pending nonsense": ("to_act: raven\npending: {stack: [{code: 1}]}\n", "pending.stack[0]"),
}


@pytest.mark.parametrize("verb", [("moves",), ("perft", "--depth", "2"), ("view", "wolf")], ids=" ".join)
@pytest.mark.parametrize("what", BAD)
def test_bad_positions(run: Any, tmp_path: Path, what: str, verb: tuple[str, ...]) -> None:
    text, words = BAD[what]
    ran = run(verb[0], written(tmp_path, text), *verb[1:])
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    if "written.yaml:" not in words:
        assert "written.yaml" in ran.err


def test_paths_of_no_file_are_refused(run: Any, tmp_path: Path) -> None:
    for path, words in ((tmp_path, "this is a folder"), (tmp_path / "none", "no such file"), ("/dev/null", "not an")):
        ran = run("moves", path)
        assert (ran.code, ran.out) == (2, "")
        assert words in ran.err


# ---- the second game


SQUARES = """\
game: unigames
turn: P1
actions_left: 2
figures:
  - {name: Dwarf Spear, at: d4, owner: P1, facing: n}
  - {name: Dwarf Spear, at: f4, owner: P1, facing: n}
  - {name: Kotharian Shield, at: d6, owner: P2, facing: s, damage: 1}
chests: {P1: a1, P2: h8}
"""


def test_a_view_of_equal_pieces_can_be_read_again(run: Any, tmp_path: Path) -> None:
    seen = run("view", written(tmp_path, SQUARES), "P1", "--game", "unigames")
    assert seen.code == 0 and "&" not in seen.out
    again = tmp_path / "view.yaml"
    again.write_text(seen.out)
    shown = run("moves", again, "--game", "unigames")
    assert shown.out == run("moves", written(tmp_path, SQUARES), "--game", "unigames").out
    assert "move: Dwarf Spear d4, step to d5" in shown.out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("name: Kotharian Shield", "name: Kotharian Sheild", "Kotharian Shield"),
        ("at: d6", "at: d9", "d9"),
        ("facing: s", "facing: ne", "ne"),
        ("owner: P2", "owner: P3", "P3"),
        ("damage: 1", "damage: much", "damage"),
        ("actions_left: 2", "actions_left: two", "actions_left"),
        ("P2: h8", "P2: h9", "h9"),
    ],
)
def test_impossible_values_are_reported_with_their_place(
    run: Any, tmp_path: Path, old: str, new: str, said: str
) -> None:
    ran = run("moves", written(tmp_path, SQUARES.replace(old, new)), "--game", "unigames")
    assert ran.code == 2 and said in ran.err and "fault of the program" not in ran.err
    assert "written.yaml:" in ran.err
