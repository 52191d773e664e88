"""Sets of cards, errata by set and by date, and their record in a saved game."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from setups_support import DEALT, DRAFTS, SEATS, game

import warchest
from warchest import CardError, PositionError
from warchest.cli.main import main
from warchest.documents.layers import usual
from warchest.replay import Misfit, Session, begin, load, replayed, save

LANCES = """\
errata: Longer lances
source: a test
{head}
amends: {{kind: unit, name: Lancer}}
add:
  attribute: |
    after this attacks, it may move.
"""
RIDER = "unit: Rider\nset: house\ncoins: 4\nsource: a test\n"
GUEST = "unit: Guest\ncoins: 4\nsource: a test\n"


def lances(head: str) -> str:
    """Return an erratum with a head of its own."""
    return LANCES.format(head=head)


def cards(of: warchest.Game, seeds: int = 12, **given: Any) -> set[str]:
    """Return all cards that are dealt in some games."""
    positions = (of.new(seed=seed, **given).position() for seed in range(seeds))
    return {card for one in positions for army in one["armies"].values() for card in army}


def cards_of(of: warchest.Game, *sets: str) -> set[str]:
    """Return all unit cards of some sets."""
    return {one.name for one in of.library.of_kind("unit") if one.values.get("set") in sets}


# ---- sets


@pytest.mark.parametrize("setup", DEALT)
def test_the_usual_set_is_the_base_one(setup: str) -> None:
    assert game().sets() == ("base",)
    assert cards(game(), setup=setup) == cards_of(game(), "base") and len(cards_of(game(), "base")) == 16


def test_other_sets_are_dealt_when_they_are_asked_for() -> None:
    everything = {"base", "nobility", "siege"}
    assert set(game().sets("all")) == everything == set(game().sets(["siege", "base", "nobility"]))
    assert cards(game(), 40, sets="all") == cards_of(game(), *everything)
    assert cards(game(), 40, sets="base,siege") == cards_of(game(), "base", "siege")
    assert cards(game(), sets=("siege", "nobility")) == cards_of(game(), "siege", "nobility")


def test_a_set_that_is_too_small() -> None:
    with pytest.raises(PositionError) as caught:
        game().new(seed=1, sets="nobility")
    assert caught.value.field == "setup" and "with the sets nobility" in str(caught.value)
    assert len(game().new(seed=1, sets=["nobility", "siege"]).position()["armies"]["wolf"]) == 4


def test_armies_that_are_brought_may_be_of_any_set() -> None:
    armies = {"raven": ["Earl", "Archer", "Sapper", "Scout"], "wolf": ["Knight", "Lancer", "Ensign", "Bishop"]}
    position = game().new(seed=1, armies=armies).position()
    assert position["armies"] == {player: sorted(names) for player, names in armies.items()}
    assert (position["decrees"], position["forts"]) == ([], [])


def test_a_card_without_a_set_is_always_there() -> None:
    own = game(RIDER, GUEST)
    assert cards(own, 40) == {*cards_of(own, "base"), "Guest"}
    assert cards(own, 40, sets="base,house") == {*cards_of(own, "base"), "Guest", "Rider"}
    assert "house" in own.sets("all")


@pytest.mark.parametrize("setup", DRAFTS)
def test_sets_in_a_draft(setup: str) -> None:
    for sets in (["base"], ["nobility", "siege", "base"]):
        pools = [game().new(seed=seed, setup=setup, sets=sets).position()["pool"] for seed in range(20)]
        assert {card for pool in pools for card in pool} == cards_of(game(), *sets)


# ---- errata by set and date


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({}, "original"),
        ({"sets": "all"}, "revised"),
        ({"sets": "base,nobility"}, "revised"),
        ({"sets": "base,siege"}, "original"),
        ({"date": "2018"}, "original"),
        ({"date": "2018-12-31"}, "original"),
        ({"date": "2019"}, "revised"),
        ({"date": "2019-01"}, "revised"),
        ({"date": "2024-02-29"}, "revised"),
        ({"sets": "all", "date": "2018"}, "revised"),
        ({"sets": "all", "options": {"royal_guard": "original"}}, "original"),
        ({"date": "2018", "options": {"royal_guard": "revised"}}, "revised"),
    ],
)
def test_the_usual_printing_depends_on_the_sets(given: dict[str, Any], value: str) -> None:
    state = game().new(seed=1, **given)
    assert state.position()["options"] == {"royal_guard": value}
    assert game().position(state.position()) == state


@pytest.mark.parametrize(
    ("head", "given", "value"),
    [
        ("set: house", {}, "printed"),
        ("set: house", {"sets": "base,house"}, "amended"),
        ("set: house", {"options": {"longer_lances": "amended"}}, "amended"),
        ("set: house", {"date": "2024"}, "printed"),
        ('date: "2020-03"', {}, "amended"),
        ('date: "2020-03"', {"date": "2020-02"}, "printed"),
        ('date: "2020-03"', {"date": "2020"}, "amended"),
        ('date: "2020-03"', {"date": "2020-03-01"}, "amended"),
        ('date: "2020-03"', {"date": "2019", "options": {"longer_lances": "amended"}}, "amended"),
        ('date: "2020-03"', {"options": {"longer_lances": "printed"}}, "printed"),
        ('set: house\ndate: "2020"', {}, "printed"),
        ('set: house\ndate: "2020"', {"date": "2021"}, "amended"),
        ('set: house\ndate: "2020"', {"sets": "base,house", "date": "2019"}, "amended"),
    ],
)
def test_a_layer_without_an_option_of_its_own(head: str, given: dict[str, Any], value: str) -> None:
    own = game(lances(head), RIDER)
    state = own.new(seed=1, **given)
    assert state.position()["options"]["longer_lances"] == value
    in_use = [layer.name for layer in own.layers(state.variant.options)]
    assert ("Longer lances" in in_use) is (value == "amended")
    assert own.position(state.position()) == state


def test_a_layer_with_nothing_said_applies_always() -> None:
    own = game(lances("# nothing"))
    assert [layer.name for layer in own.layers(own.new(seed=1).variant.options)] == ["Longer lances"]
    assert "longer_lances" not in own.new(seed=1).position()["options"]


def test_the_latest_of_several_printings_is_usual() -> None:
    def printing(name: str, value: str, date: str) -> str:
        return lances(f'option: {{name: lancer, value: {value}, otherwise: first}}\ndate: "{date}"').replace(
            "Longer lances", name
        )

    own = game(printing("Third", "third", "2022-05"), printing("Second", "second", "2020"))
    dates = (None, "2019", "2020", "2022-04", "2022", "2030")
    values = [usual(own.library, ("base",), date)["lancer"] for date in dates]
    assert values == ["first", "first", "second", "second", "third", "third"]
    assert own.choices["lancer"] == ["first", "third", "second"]


def test_an_erratum_in_use_has_its_stated_effect() -> None:
    own = game(lances("set: house"), RIDER)
    units = [{"at": "f3", "unit": "Lancer", "owner": "raven"}, {"at": "f5", "unit": "Scout", "owner": "wolf"}]
    asked = {}
    for value in ("printed", "amended"):
        state = own.position(
            {
                "to_act": "raven",
                "units": units,
                "options": {"longer_lances": value},
                "hand": {"raven": ["Lancer"], "wolf": ["Royal Coin"]},
            }
        )
        assert state.decision is not None
        (charge,) = [one for one in state.decision.options if one.data["act"] == "tactic"]
        state.apply(charge)
        assert state.decision is not None
        asked[value] = {option.data["act"] for option in state.decision.options}
    assert asked["amended"] == {"move", "decline"} and "decline" not in asked["printed"]


def test_circles_longer_than_two() -> None:
    def layer(name: str, after: str) -> str:
        return lances(f"after: [{after}]").replace("Longer lances", name)

    with pytest.raises(CardError) as caught:
        game(layer("One", "Three"), layer("Two", "One"), layer("Three", "Two"))
    (found,) = caught.value.diagnostics
    assert found.name == "colliding-layers" and len(found.labels) == 2
    with pytest.raises(CardError) as caught:
        game(layer("One", "One"))
    assert "comes after itself" in str(caught.value)
    game(layer("Two", "One"), layer("Three", "Two"), lances("# first").replace("Longer lances", "One"))


# ---- saved games


def session(of: warchest.Game, **given: Any) -> Session:
    """Return a game of 40 decisions."""
    found, rng = Session.new(of, 3, **given), Random(3)
    for _ in range(40):
        assert found.state.decision is not None
        found.take(found.state.decision.sample(rng))
    return found


@pytest.mark.parametrize(
    "given",
    [
        {"setup": "Draft"},
        {"players": 4, "sets": "all"},
        {"setup": "Four players draft", "sets": ["base", "nobility"], "date": "2019"},
        {"armies": {"raven": ["Earl", "Archer", "Sapper", "Scout"], "wolf": None}},
    ],
)
def test_a_saved_game_comes_back(tmp_path: Path, given: dict[str, Any]) -> None:
    played = session(game(), **given)
    save(tmp_path / "game.json", played.replay())
    read = load(tmp_path / "game.json")
    assert read == played.replay()
    assert replayed(game(), read) == played.state
    written = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    board = played.state.variant.board.name
    assert written["start"]["board"] == board and written["start"]["setup"] == played.start.setup
    assert written["start"]["sets"] == list(played.start.sets or ())
    assert set(written["layers"]) == ({"Royal Guard revised"} if "sets" in given else set())
    assert Session.resumed(game(), read, None, "game.json").state == played.state


def test_a_saved_game_is_not_played_with_other_errata() -> None:
    own, plain = game(lances("# always")), session(game()).replay()
    with pytest.raises(Misfit, match=r"the layers of the game as it was played: none\n.*Longer lances is in use too"):
        begin(own, plain)
    with_it = session(own).replay()
    with pytest.raises(Misfit, match=r"as it was played: Longer lances\n.*Longer lances is not there"):
        begin(game(), with_it)
    changed = game(lances("# always").replace("it may move", "it may control"))
    with pytest.raises(Misfit, match="Longer lances has another text"):
        begin(changed, with_it)
    assert begin(own, with_it) is not None
    assert begin(own, replace(plain, layers=None)) is not None
    dated = game(lances('date: "2020"'))
    with pytest.raises(Misfit, match="Longer lances is in use too"):
        begin(dated, plain)
    with pytest.raises(Misfit, match="Longer lances is not there"):
        begin(game(), session(dated).replay())


def test_a_position_of_four_is_saved_too(tmp_path: Path) -> None:
    state = game().new(seed=2, players=4)
    found = Session.from_position(game(), game().position(state.position()), 1)
    found.roll()
    save(tmp_path / "game.json", found.replay())
    assert replayed(game(), load(tmp_path / "game.json")) == found.state


# ---- the command line

pytestmark = pytest.mark.usefixtures("loads_once")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command; return its exit code and its output."""
    capsys.readouterr()
    code = main(list(words))
    captured = capsys.readouterr()
    assert "fault of the program" not in captured.err
    return code, captured.out, captured.err


def test_errata_are_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "lances.yaml").write_text(lances('date: "2020-03"'), encoding="utf-8")
    _, out, _ = run(capsys, "errata", "--cards", str(tmp_path), "--format", "json")
    found = {one["name"]: one for one in json.loads(out)}
    assert found["Longer lances"] == {
        "name": "Longer lances",
        "amends": {"kind": "unit", "name": "Lancer"},
        "set": None,
        "date": "2020-03",
        "option": {"name": "longer_lances", "value": "amended", "values": ["printed", "amended"]},
        "after": [],
        "source": "a test",
        "in_use": True,
        "file": str(tmp_path / "lances.yaml"),
        "line": 1,
    }
    assert found["Royal Guard revised"]["in_use"] is False
    for words, used in (
        (["--date", "2019"], [True, False]),
        (["--sets", "all", "--date", "2018"], [True, False]),
        (["--option", "longer_lances=printed"], [False, False]),
    ):
        _, out, _ = run(capsys, "errata", "--cards", str(tmp_path), "--format", "json", *words)
        listed = {one["name"]: one["in_use"] for one in json.loads(out)}
        assert [listed["Royal Guard revised"], listed["Longer lances"]] == used, words
    code, out, _ = run(capsys, "errata", "--sets", "all")
    assert code == 0 and "royal_guard=revised" in out and "unit: Royal Guard" in out and "yes" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["errata", "--date", "tomorrow"], "date: "),
        (["errata", "--sets", "bsae"], "did you mean `base`?"),
        (["sim", "--players", "3"], "boards for 2 and 4"),
        (["sim", "--players", "4", "--setup", "Draft"], "players: "),
        (["sim", "--setup", "Drafts"], "did you mean `Draft`?"),
        (["bench", "--sets", "nobility"], "setup: with the sets nobility"),
        (["play", "--armies", "raven=Archer"], "armies.raven: 4 cards are needed, not 1"),
        (["play", "--armies", "raven2=Archer"], "armies.raven2: 3 cards are needed, not 1"),
        (["play", "--position", "p.yaml", "--setup", "Draft"], "there is no --setup with it"),
    ],
)
def test_wrong_arguments_are_refused(capsys: pytest.CaptureFixture[str], words: list[str], says: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "") and says in err


def test_bots_play_by_every_setup(capsys: pytest.CaptureFixture[str]) -> None:
    for setup, size in (DRAFTS | DEALT).items():
        words = ["sim", "-n", "2", "--cap", "30", "--sets", "all", "--setup", setup, "--format", "json"]
        code, out, _ = run(capsys, *words, "--jobs", "1")
        *records, summary = json.loads(out)
        assert code == 0 and list(summary["wins"]) in SEATS.values()
        for record in records:
            assert [len(army) for army in record["armies"].values()] == [size] * len(summary["wins"])


def test_a_person_can_draft(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for setup in DRAFTS:
        answers = iter(["1"] * 8)
        monkeypatch.setattr("builtins.input", lambda _, left=answers: next(left, "quit"))
        code, out, _ = run(
            capsys,
            "play",
            "--setup",
            setup,
            "--seed",
            "4",
            "--bot",
            "random",
            "--as",
            "wolf",
            "--sets",
            "all",
            "--save",
            "draft.json",
        )
        assert code == 0 and "draft" in out.lower()
        found = load("draft.json")
        assert found.start.setup == setup and {"base", "siege"} <= set(found.start.sets or ())
        assert "act" in found.taken[0].option
