"""A whole expansion of one's own, docs/examples/borderlands: units, a decree, a board and a setup, all of it text."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest

import warchest
import warchest.game.game as loading
from loaded import shipped
from seeds import is_usual
from warchest import PositionError, State
from warchest.bots import BOTS, bot_named, drive
from warchest.cli.main import main
from warchest.lint.wc_lint import findings_in
from warchest.rulings.cases import Case, read_cases
from warchest.rulings.runner import run_case

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "examples" / "borderlands"
SETUP, BOARD, SETS = "Ford skirmish", "Ford", ("base", "borderlands")
UNITS = {"Falconer", "Magistrate", "Mason"}
CASES, DOCUMENTS, ERRORS = read_cases([FOLDER])


@pytest.fixture(scope="module")
def game() -> warchest.Game:
    """The game with the expansion."""
    return warchest.load("war-chest", extra=[FOLDER])


def begun(game: warchest.Game, seed: int, sets: Any = SETS) -> State:
    """Return a game by the setup, after the forts have been placed."""
    state, rng = game.new(seed=seed, setup=SETUP, sets=sets), Random(seed)
    while state.decision is not None and state.decision.options[0].data["act"] == "fortify":
        state.apply(state.decision.sample(rng))
    return state


# ---- the cards


def test_it_has_no_findings() -> None:
    assert findings_in([FOLDER]) == []


def test_its_contents_are_complete() -> None:
    assert not ERRORS
    kinds = Counter(document.kind for document in DOCUMENTS)
    assert kinds == {"unit": 3, "decree": 1, "board": 1, "setup": 1}
    assert {document.name for document in DOCUMENTS if document.kind == "unit"} == UNITS
    cards = {document.name for document in DOCUMENTS if document.kind in ("unit", "decree")}
    assert {case.card for case in CASES} == cards and all(case.source for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.card}: {case.name}")
def test_rulings(game: warchest.Game, case: Case) -> None:
    result = run_case(game, case)
    assert result.outcome == "passed", f"{case.place}\n{result.message}"


def test_the_cards_are_dealt_where_their_set_is_asked_for(game: warchest.Game) -> None:
    def dealt(**given: Any) -> set[str]:
        armies = (game.new(seed=seed, **given).position()["armies"].values() for seed in range(30))
        return {card for army in armies for cards in army for card in cards}

    assert dealt(sets=SETS) >= UNITS and dealt(sets="all", players=4) >= UNITS
    assert not dealt() & UNITS and not dealt(sets="base,nobility,siege") & UNITS
    decrees = [game.new(seed=seed, sets="all").position()["decrees"] for seed in range(12)]
    assert any({"name": "Stand Fast", "seals": []} in one for one in decrees)


# ---- the board and the setup


def test_the_setup(game: warchest.Game) -> None:
    state = game.new(seed=5, setup=SETUP, sets=SETS)
    board = state.variant.board
    assert (board.name, len(board.spaces), len(board.tagged("location"))) == (BOARD, 19, 5)
    asked = []
    while state.decision is not None and state.decision.options[0].data["act"] == "fortify":
        asked.append(state.decision.player)
        state.apply(state.decision.options[0])
    position = state.position()
    assert asked == ["raven", "wolf"] and len(position["forts"]) == 2 and position["fort_supply"] == 5
    assert [len(army) for army in position["armies"].values()] == [3, 3]
    assert position["control"] == {"raven": ["e3"], "wolf": ["g5"]}
    assert position["decrees"] == [{"name": "Stand Fast", "seals": []}] and position["board"] == BOARD
    assert position["initiative"] == position["to_act"]


def test_armies_may_be_brought(game: warchest.Game) -> None:
    armies = {"raven": sorted(UNITS), "wolf": ["Archer", "Knight", "Sapper"]}
    assert game.new(seed=1, setup=SETUP, armies=armies).position()["armies"] == armies
    with pytest.raises(PositionError) as caught:
        game.new(seed=1, setup=SETUP, armies={**armies, "wolf": ["Archer"]})
    assert caught.value.field == "armies.wolf" and "3 cards are needed, not 1" in str(caught.value)


@pytest.mark.parametrize("sets", [SETS, "all", None], ids=str)
def test_games_on_the_board_round_trip(game: warchest.Game, sets: Any) -> None:
    ended, seen = 0, set()
    for seed in range(3):
        state, rng = game.new(seed=seed, setup=SETUP, sets=sets), Random(seed)
        for number in range(300):
            if number % (12 if is_usual() else 4) == 0 or number < 12 or state.decision is None:
                position = state.position()
                twin = game.position(json.loads(json.dumps(position)))
                assert twin == state and hash(twin) == hash(state) and twin.position() == position
                assert position["board"] == BOARD
            if state.decision is None:
                break
            seen |= {option.data["act"] for option in state.decision.options}
            eager = [one for one in state.decision.options if one.act == "control" and not state.decision.is_chance]
            state.apply(eager[0] if eager else state.decision.sample(rng))
        if state.outcome is not None:
            ended += 1
            (winner,) = state.outcome.winners
            assert len(state.position()["control"][winner]) == 4
    assert ended >= (sets == "all") and seen >= {"fortify", "attack", "control", "tactic", "draw"}


def test_a_position_must_name_the_board(game: warchest.Game) -> None:
    written = begun(game, 2).position()
    assert game.position(written).variant.board.name == BOARD
    with pytest.raises(PositionError) as caught:
        game.position({**written, "board": "Fjord"})
    assert caught.value.field == "board" and "did you mean `Ford`" in str(caught.value)
    with pytest.raises(PositionError) as caught:
        game.position({**written, "forts": ["g3"]})
    assert caught.value.field == "forts[0]"


@pytest.mark.parametrize("name", BOTS[:-1])  # the last one searches, and has tests of its own
def test_bots_play_on_it(game: warchest.Game, name: str) -> None:
    state = begun(game, 3)
    bots = {player: bot_named(name, game) for player in ("raven", "wolf")}
    taken = drive(state, bots, Random(3), 60)
    assert taken == 60 or state.outcome is not None
    assert state.round > 1 and game.position(state.position()) == state


def test_the_commands_know_it(
    game: warchest.Game, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(loading, "load_game", lambda name, extra=(): game)
    sets = ["--cards", str(FOLDER), "--sets", ",".join(SETS), "--setup", SETUP]
    assert main(["sim", *sets, "-n", "2", "--cap", "80", "--format", "json"]) == 0
    *records, summary = json.loads(capsys.readouterr().out)
    assert len(records) == 2 and list(summary["wins"]) == ["raven", "wolf"]
    assert main(["test", str(FOLDER), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["passed"] == len(CASES)
    state = begun(game, 1)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(state.position()), encoding="utf-8")
    for verb in ("moves", "show"):
        assert main([verb, str(file), "--cards", str(FOLDER)]) == 0
        assert capsys.readouterr().out
    assert main(["perft", str(file), "--cards", str(FOLDER), "--depth", "1"]) == 0


# ---- nothing else is touched


def test_the_usual_game_is_unchanged(game: warchest.Game) -> None:
    for given in ({}, {"players": 4}, {"sets": "base,nobility,siege"}, {"setup": "Draft"}):
        mine, theirs = game.new(seed=4, **given), shipped().new(seed=4, **given)
        rng = Random(4)
        for _ in range(60):
            if theirs.decision is None:
                break
            assert mine.position() == theirs.position() and mine.log == theirs.log
            assert mine.decision is not None
            assert [one.data for one in mine.decision.options] == [one.data for one in theirs.decision.options]
            index = theirs.decision.options.index(theirs.decision.sample(rng))
            mine.apply(index)
            theirs.apply(index)


def test_the_shipped_game_does_not_know_it() -> None:
    assert "borderlands" not in shipped().sets("all")
    with pytest.raises(PositionError):
        shipped().new(setup=SETUP)


# ---- limits for designers


def own(folder: Path, *texts: str) -> warchest.Game:
    """Return the game with documents of one's own."""
    for number, text in enumerate(texts):
        (folder / f"{number}.yaml").write_text(dedent(text), encoding="utf-8")
    return warchest.load("war-chest", extra=[folder])


def test_a_ruling_on_a_board_of_ones_own(game: warchest.Game, tmp_path: Path) -> None:
    ruling = """\
        rulings: Ford
        cases:
          - name: Four locations win on the Ford
            source: "ruling: the board says four markers"
            position:
              board: Ford
              to_act: raven
              control: {raven: [e3, d5, f4], wolf: [g5]}
              units:
                - {at: h3, unit: Scout, owner: raven}
              hand: {raven: [Scout], wolf: [Royal Coin]}
            do:
              - {act: control}
            decides: nobody
    """
    (tmp_path / "ruling.yaml").write_text(dedent(ruling), encoding="utf-8")
    cases, _, errors = read_cases([tmp_path])
    assert [error.message for error in errors] == []
    assert run_case(game, cases[0]).outcome == "passed"


def test_a_choice_while_a_deck_is_full_round_trips(tmp_path: Path) -> None:
    """A setup that asks the players before all cards are dealt: the deck is in no position, and is lost."""
    game = own(
        tmp_path,
        """\
        setup: Builders first
        board: Two players
        source: a test
        army size: 3
        fill: {card deck: card}
        steps: |
          put all new Fortification into the fort supply.
          for each player in turn order, it fortifies a location without a fort.
          for each player in turn order, until the number of cards in its army is at least 3,
            put a random card in the card deck into its army.
          for each player in turn order, it musters.
    """,
    )
    state = game.new(seed=1, setup="Builders first")
    assert state.decision is not None and not state.decision.is_chance
    twin = game.position(state.position())
    assert twin == state
    for _ in range(2):
        state.apply(0)
        twin.apply(0)
    assert state.decision is not None and twin.decision is not None


def test_the_decider_about_a_fort_is_the_same_from_either_side(tmp_path: Path) -> None:
    game = own(
        tmp_path,
        """\
        unit: Shieldwright
        coins: 4
        source: a test
        attribute: |
          when an adjacent own fort would lose a coin, you may put a coin in this into your box instead.
    """,
    )
    deciders = []
    for mine, other in (("raven", "wolf"), ("wolf", "raven")):
        state = game.position(
            {
                "to_act": other,
                "initiative": other,
                "control": {mine: ["e5"]},
                "forts": ["e5"],
                "units": [
                    {"at": "f4", "unit": "Shieldwright", "owner": mine, "coins": 2},
                    {"at": "e6", "unit": "Scout", "owner": other},
                ],
                "hand": {mine: ["Royal Coin"], other: ["Scout"]},
            }
        )
        assert state.decision is not None
        state.apply(next(one for one in state.decision.options if one.data.get("target") == "e5"))
        assert state.decision is not None and len(state.decision.options) == 2
        deciders.append({mine: "mine", other: "other"}[str(state.decision.player)])
    assert deciders[0] == deciders[1]


def test_a_card_that_builds_does_not_build_twice_on_a_space(tmp_path: Path) -> None:
    game = own(
        tmp_path,
        """\
        unit: Digger
        coins: 4
        source: a test
        tactic: |
          choose a location within 1 space of this.
          fortify that location.
    """,
    )
    for forts, free in ((["e5", "g3"], []), (["e5"], ["g3"]), ([], ["e5", "g3"])):
        state = game.position(
            {
                "to_act": "raven",
                "units": [{"at": "f4", "unit": "Digger", "owner": "raven"}],
                "forts": forts,
                "fort_supply": 5,
                "hand": {"raven": ["Digger"], "wolf": ["Royal Coin"]},
            }
        )
        assert state.decision is not None
        tactics = [one for one in state.decision.options if one.data["act"] == "tactic"]
        there = [state.clone().apply(option).position() for option in tactics]
        assert [one["forts"] for one in there] == [sorted([*forts, space]) for space in free]
        assert [game.position(one).position() for one in there] == there
