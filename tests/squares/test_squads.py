"""Squads to a number of points, taken from a player's collection: when a game of the second game begins, and later."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import warchest
from loaded import shipped
from warchest import CardError, PositionError, State
from warchest.lint.wc_lint import main as lint
from warchest.replay import Session, load, replayed, save

GAME = shipped("unigames")
PACK, CALLER, SPEAR, GHOUL = "Goblin Pack", "Goblin Caller", "Dwarf Spear", "Kotharian Ghoul"
CHEAP: dict[str, list[str] | None] = {"P1": [PACK], "P2": [SPEAR]}


def cost(*names: str) -> int:
    """Return the sum of the costs of some figures."""
    costs = {one.name: int(one.values["cost"]) for one in GAME.library.of_kind("figure")}
    return sum(costs[name] for name in names)


def placed(state: State) -> State:
    """Place everything, taking the first option each time."""
    while state.decision is not None and not state.position()["actions_left"]:
        state.apply(state.decision.options[0])
    return state


def refused(**given: Any) -> PositionError:
    """Return why a game cannot begin so."""
    with pytest.raises(PositionError) as caught:
        GAME.new(seed=1, **given)
    return caught.value


# ---- points


@pytest.mark.parametrize("setup", ["Alternate reveal", "Ambush", "Conjurers"])
def test_unused_points_of_a_squad_go_into_the_pool(setup: str) -> None:
    """004 2.0, 2.3: the number of points is decided on before a game; the rest becomes generic points."""
    for points in (48, 60):
        told = placed(GAME.new(seed=1, setup=setup, armies=CHEAP, points=points)).position()
        assert {player: pool.get("generic", 0) for player, pool in told["pools"].items()} == {
            "P1": points - cost(PACK),
            "P2": points - cost(SPEAR),
        }


def test_without_a_choice_it_is_the_number_of_the_setup() -> None:
    told = placed(GAME.new(seed=1, armies=CHEAP)).position()
    assert told["pools"]["P1"]["generic"] == 48 - cost(PACK)


def test_a_squad_may_cost_all_points_but_not_more() -> None:
    exactly = cost(SPEAR)
    assert "generic" not in placed(GAME.new(seed=1, armies=CHEAP, points=exactly)).position()["pools"]["P2"]
    error = refused(armies=CHEAP, points=exactly - 1)
    assert error.field == "armies.P2"
    assert str(error) == f"armies.P2: its cost is {exactly} in all, and {exactly - 1} is the most"


def test_more_points_allow_a_larger_squad() -> None:
    squad = {"P1": [SPEAR] * 9, "P2": [SPEAR]}
    assert cost(SPEAR) * 9 > 48 and refused(armies=squad).field == "armies.P1"
    assert len(placed(GAME.new(seed=1, armies=squad, points=cost(SPEAR) * 9)).position()["figures"]) == 10


def test_the_squad_of_a_setup_is_held_to_them_too() -> None:
    error = refused(points=20)
    assert error.field == "armies.P1" and "it is the army of the setup, so bring another one" in str(error)


@pytest.mark.parametrize("points", [-1, 10_000, 10**30, True, "60", 6.5, [60], "\x1b[31m60"])
def test_points_are_a_whole_number(points: Any) -> None:
    error = refused(points=points)
    assert error.field == "points" and "a whole number from 0 to 9999 is needed" in str(error)
    assert "\x1b" not in str(error)


@pytest.mark.parametrize("points", [0, 9999])
def test_the_least_and_the_most_points(points: int) -> None:
    state = placed(GAME.new(seed=1, armies={"P1": [], "P2": []}, points=points))
    assert state.position()["pools"]["P1"].get("generic", 0) == points
    assert GAME.position(state.position()) == state


def test_a_game_that_counts_no_points_says_so() -> None:
    for setup in [one.name for one in shipped().library.of_kind("setup")]:
        with pytest.raises(PositionError) as caught:
            shipped().new(seed=1, setup=setup, players=None, points=60)
        assert caught.value.field == "points" and "armies have no cost in points" in str(caught.value)


# ---- collections


def test_a_squad_is_taken_from_the_collection_and_the_rest_can_be_summoned() -> None:
    """004 2.0, 3.0 Summon: figures that are in your collection, but not already on the board."""
    state = GAME.new(seed=1, armies={"P1": [PACK, CALLER], "P2": None}, collection={"P1": [GHOUL, PACK, CALLER, PACK]})
    assert state.position()["collection"] == {"P1": [PACK, GHOUL], "P2": []}
    assert placed(state).position()["collection"]["P1"] == [PACK, GHOUL]


def test_without_a_collection_any_squad_may_be_brought() -> None:
    assert GAME.new(seed=1, armies=CHEAP).position()["collection"] == {"P1": [], "P2": []}


@pytest.mark.parametrize(
    ("owned", "field", "said"),
    [
        ([PACK, PACK], "armies.P1", f"`{CALLER}` is not in the collection it is taken from"),
        ([], "armies.P1", f"`{PACK}` is not in the collection it is taken from"),
        ([CALLER, PACK], "armies.P1", f"it has 2 times `{PACK}`, and the collection it is taken from has 1"),
        ([CALLER, "Goblin Pak"], "collection.P1[1]", "there is no figure `Goblin Pak`; did you mean `Goblin Pack`?"),
        ([CALLER, "War Chest"], "collection.P1[1]", "there is no figure `War Chest`"),
        (["\x1b[31mred\n"], "collection.P1[0]", r"there is no figure `\x1b[31mred\n`"),
        ([["nested"]], "collection.P1[0]", "there is no figure `['nested']`"),
        ([7], "collection.P1[0]", "there is no figure `7`"),
        ("Goblin Pack", "collection.P1", "a list of names is needed, not `'Goblin Pack'`"),
        (7, "collection.P1", "a list of names is needed, not `7`"),
    ],
)
def test_a_squad_outside_its_collection_is_refused(owned: Any, field: str, said: str) -> None:
    error = refused(armies={"P1": [PACK, CALLER, PACK], "P2": [SPEAR]}, collection={"P1": owned})
    assert (error.field, str(error)) == (field, f"{field}: {said}")


def test_a_collection_of_an_unknown_player_is_refused() -> None:
    assert str(refused(collection={"P3": [PACK]})) == "collection.P3: there is no such player"
    assert refused(collection=[PACK]).field == "collection"
    with pytest.raises(PositionError, match="in this game players have no collections"):
        shipped().new(seed=1, collection={"raven": ["Scout"]})


def test_the_collection_of_a_setup_goes_with_its_squad() -> None:
    told = GAME.new(seed=1, setup="Conjurers").position()["collection"]
    assert told == {"P1": [PACK, GHOUL], "P2": [PACK, GHOUL]}
    brought = GAME.new(seed=1, setup="Conjurers", armies={"P1": [SPEAR], "P2": None}).position()["collection"]
    assert brought == {"P1": [], "P2": [PACK, GHOUL]}
    error = refused(setup="Conjurers", collection={"P2": [GHOUL]})
    assert error.field == "armies.P2" and "is not in the collection" in str(error)


# ---- setups of one's own

MINE = """\
setup: Skirmish
board: Battlefield
source: a test
army limit: {number: cost, most: 30, field: thrift}
armies: {P1: [Goblin Pack], P2: [Goblin Caller]}
collection: {P1: [Goblin Pack, Goblin Pack, Goblin Imp]}
steps: |
  for each player in turn order, put a new War Chest into its vault.
  until no profile is in a squad and no hoard is in a vault, muster.
  for each player in turn order, it banks.
  the allowance becomes 1.
"""


def begun(folder: Path, text: str, **given: Any) -> State:
    """Begin a game by a setup of one's own."""
    (folder / "mine.yaml").write_text(text, encoding="utf-8")
    return warchest.load("unigames", extra=[folder]).new(seed=1, setup="Skirmish", **given)


def test_a_setup_has_points_and_collections(tmp_path: Path) -> None:
    state = begun(tmp_path, MINE)
    assert state.position()["collection"] == {"P1": ["Goblin Imp", PACK], "P2": []}
    assert placed(state).position()["pools"]["P1"]["generic"] == 30 - cost(PACK)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("field: thrift", "field: thirft", "players have no number 'thirft'"),
        ("field: thrift", "field: waived", "players have no number 'waived'"),
        ("collection: {P1: [Goblin Pack, Goblin Pack,", "collection: {P1: [", "`Goblin Pack` is not in the collection"),
        ("Goblin Imp]", "Goblin Impp]", "there is no figure `Goblin Impp`; did you mean `Goblin Imp`?"),
    ],
)
def test_a_setup_that_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in MINE
    with pytest.raises((PositionError, CardError)) as caught:
        begun(tmp_path, MINE.replace(old, new))
    assert said in str(caught.value)


# ---- saved games


def test_a_saved_game_keeps_both(tmp_path: Path) -> None:
    owned = {"P1": [PACK, GHOUL], "P2": [SPEAR]}
    session = Session.new(GAME, 3, armies=CHEAP, points=60, collection=owned)
    for _ in range(6):
        assert session.state.decision is not None
        session.take(session.state.decision.options[0])
    save(tmp_path / "game.json", session.replay())
    told = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))["start"]
    assert (told["points"], told["collection"]) == (60, owned)
    assert replayed(GAME, load(tmp_path / "game.json")) == session.state


# ---- the linter

WRONG = [
    ("field: thrift", "field: thrif", "undeclared", "thrif", "did you mean `thrift`?"),
    ("field: thrift", "field: damage", "undeclared", "damage", "there are `thrift`"),
    ("Goblin Imp]", "Goblin Imq]", "unknown-name", "Goblin Imq", "did you mean `Goblin Imp`?"),
    ("Goblin Imp]", "War Chest]", "unknown-name", "War Chest", "can be"),
    ("collection: {P1", "collection: {P4", "not-on-the-board", "P4", "P1"),
    ("armies: {P1: [Goblin Pack]", "armies: {P1: [Dwarf Spear]", "wrong-size", "Dwarf Spear", "`collection`"),
    ("P1: [Goblin Pack], P2", "P1: [Goblin Imp, Goblin Imp], P2", "wrong-size", "Goblin Imp", "`collection`"),
]
WRONGLY = [
    MINE.replace(old, new).replace("Skirmish", f"Skirmish {number}") for number, (old, new, *_) in enumerate(WRONG)
]


@cache
def linted(*texts: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code and the findings when setups are linted together, each in a file with its number."""
    with TemporaryDirectory() as folder, redirect_stdout(StringIO()) as told:
        for number, text in enumerate(texts):
            (Path(folder) / f"{number}.yaml").write_text(text, encoding="utf-8")
        code = lint(["--game", "unigames", "--no-cache", "--format", "json", folder])
    return code, json.loads(told.getvalue())


@pytest.mark.parametrize("number", range(len(WRONG)), ids=[new for _, new, *_ in WRONG])
def test_the_linter_finds_mistakes_in_a_setup(number: int) -> None:
    _, _, name, at, help = WRONG[number]
    lines = WRONGLY[number].splitlines()
    code, everything = linted(*WRONGLY)
    found = [one for one in everything if Path(one["file"]).name == f"{number}.yaml"]
    assert code == 1 and found
    places = [lines[one["line"] - 1][one["column"] - 1 : one["end_column"] - 1] for one in found]
    assert (name, at) in [(one["name"], place) for one, place in zip(found, places, strict=True)]
    assert any(help in one["help"] for one in found)


def test_the_linter_finds_nothing_in_a_setup_that_fits() -> None:
    assert linted(MINE) == (0, [])
