"""Exhaustive search of small scopes: all positions of a size once, and the shortest path to a fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loaded import shipped
from warchest.cli.main import main
from warchest.testing.laws import law_named
from warchest.testing.properties import PropertyWatch, properties_of
from warchest.testing.proving import prove
from warchest.testing.scopes import SmallScope, SmallWorld
from warchest.testing.symmetry import canonical, symmetries_of


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], loads_once: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs the command in this process: its exit code, and its output."""

    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> tuple[int, str, str]:
        code = main(["exhaust", *arguments, "--jobs", "1"])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


@pytest.mark.parametrize(
    ("name", "card", "first", "ways"), [("war-chest", "Lancer", "f4", 1), ("unigames", "Dwarf Spear", "d4", 4)]
)
def test_every_position_is_there_once(name: str, card: str, first: str, ways: int) -> None:
    world = SmallWorld(shipped(name), SmallScope(card, spaces=3, pieces=2, marks=0))
    assert world.region[0] == first and len(world.region) == 3 and len(world.others) == 1
    told = list(world.positions())
    assert len(told) == 2 * (2 * 3 * ways + 4 * 3 * 2 * ways**2)
    found = [one for one in told if one is not None]
    symmetries = symmetries_of(world.variant)
    images = [frozenset([canonical(one), *(canonical(turn.of(one)) for turn in symmetries)]) for one in found]
    assert len(set(images)) == len(found)
    assert all(shipped(name).position(one).decision is not None for one in found[:5])


NEVER = "properties: Mine\nsource: a test\nsays: |\n  never you pass.\n"


@pytest.mark.parametrize("laws", [(), ("words",)])
def test_a_property_that_is_broken_is_found_by_the_shortest_way(laws: tuple[str, ...]) -> None:
    game = shipped("war-chest", NEVER)
    told = [
        one for one in SmallWorld(game, SmallScope("Scout", spaces=3, pieces=1, marks=0)).positions() if one is not None
    ]
    stated = [one for one in properties_of(game) if one.document == "Mine"]
    proof = prove(game, told, 2, [law_named(one) for one in laws], watch=PropertyWatch(game, stated))
    assert proof.fault is not None and proof.fault.path[0].startswith("pass coin=") and proof.fault.law == "properties"
    assert proof.position == told[0] and proof.positions == 1


@pytest.mark.parametrize(
    ("what", "depth", "code", "said"),
    [
        ("never you pass.", 1, 1, "properties: this breaks `never you pass`"),
        ("The board", 1, 0, "is not nobody (applied "),
        ("never a unit attacks a target that is not within 3 spaces of it.", 1, 0, "within 3 spaces of it (applied "),
        ("never a bolstered unit moves.", 1, 1, "VACUOUS: the property never applied in "),
        ("never a unit that is not bolstered attacks a Knight.", 1, 0, "attacks a Knight (applied "),
        ("never you pass", 1, 1, "properties: this breaks `never you pass`"),
        ("never a unit atacks a Knight.", 1, 2, "unknown word `atacks`"),
        ("Nobodies", 1, 2, "there is no card with pieces, and no property, 'Nobodies'"),
    ],
)
def test_properties_are_proven_too(run: Callable[..., Any], what: str, depth: int, code: int, said: str) -> None:
    found, out, err = run(what, "--spaces", "2", "--depth", str(depth), "--marks", "0")
    assert found == code and said in out + err


@pytest.mark.parametrize(
    ("what", "size", "said"),
    [
        ("never a bolstered unit moves.", "--spaces 2", "then: move "),
        ("never a coin is recruited.", "--spaces 1", "then: recruit "),
        ("never a coin is deployed.", "--spaces 3 --vary hand --fix decrees,coins,forts --marks 2", "then: deploy "),
        ("never a decree is proclaimed.", "--spaces 1", "then: proclaim "),
        ("never a fort loses a coin.", "--spaces 3", "VACUOUS: "),
        ("never a unit moves to a space with a fort.", "--spaces 3", "then: move "),
        ("never a Scout that is on a location you control moves.", "--spaces 3", "then: move "),
        ("never a unit attacks for a sacrifice.", "--spaces 2 --units 2", "then: proclaim "),
    ],
)
def test_a_property_that_was_not_tested_does_not_hold(run: Callable[..., Any], what: str, size: str, said: str) -> None:
    least = ["--units", "1", "--depth", "1"]
    code, out, _ = run(what, *least, *size.split())
    assert code == 1 and said in out and "holds" not in out.splitlines()[0]
    if said != "VACUOUS: " and "recruited" not in what:
        # Without such a thing, the result is unknown.
        assert "VACUOUS: the property never applied in" in run(what, *least, "--spaces", "1", "--marks", "0")[1]


def test_laws_can_be_asked_step_by_step() -> None:
    world = SmallWorld(shipped(), SmallScope("Scout", spaces=2, pieces=1, marks=0))
    told = [one for one in world.positions() if one is not None]
    quick, thorough = (prove(shipped(), told, 2, laws) for laws in ([], [law_named("conservation")]))
    assert (quick.states, quick.steps) == (thorough.states, thorough.steps) and quick.steps > 10
    assert quick.fault is None is thorough.fault and quick.whole


def test_a_proof_is_reported_with_all_numbers(run: Callable[..., Any]) -> None:
    size = ("Lancer", "--spaces", "3", "--units", "1", "--depth", "2", "--marks", "0")
    code, out, _ = run(*size)
    assert code == 0 and out.startswith(
        "holds for all 10 positions of at most 1 piece on 3 spaces (2 more are rotations"
    )
    told = json.loads(run(*size, "--format", "json")[1])
    assert told["positions"] == 10 and told["whole"] and told["fault"] is None


def test_a_fault_is_shown(run: Callable[..., Any], tmp_path: Path, gong: str) -> None:
    (tmp_path / "gong.yaml").write_text(gong, encoding="utf-8")
    code, out, _ = run("Gong", "--cards", str(tmp_path), "--spaces", "2", "--units", "1", "--depth", "1")
    assert code == 1 and out.startswith("ends by rule: the rules do not terminate")
    assert "then: move coin=Gong to=" in out and "gong.yaml:5" in out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("Nobody",), 2, "there is no card with pieces, and no property, 'Nobody'"),
        (("Lancer", "--others", "March"), 2, "there is no card with pieces 'March'"),
        (("Lancer", "--law", "gravity"), 2, "there is no law 'gravity'"),
        (("Lancer", "--budget", "0.01s", "--spaces", "5"), 1, "not proven: the time was over "),
        (("Lancer", "--vary", "weather"), 2, "positions have no 'weather' that can be varied, only to_act, "),
        (("Lancer", "--give", "armies"), 2, "players cannot be given tokens in 'armies', only in hand, "),
        (("Lancer", "--upto", "coins"), 2, "a name and a number are needed, such as"),
        (("Lancer", "--law", "idle"), 2, "there is no law 'idle'"),
    ],
)
def test_impossible_proofs_are_reported(
    run: Callable[..., Any], arguments: tuple[str, ...], code: int, said: str
) -> None:
    found, out, err = run(*arguments)
    assert found == code and said in out + err
