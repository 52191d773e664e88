"""Giving a game up: in both games, by any player at any time, at the terminal, in saved games and in scripts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest

import warchest
from loaded import shipped
from warchest import CardError, OptionError, State
from warchest.cli.main import main
from warchest.replay import Misfit, Session, TakenStep, load, replayed, save

pytestmark = pytest.mark.usefixtures("loads_once")

GAMES = {name: shipped(name) for name in ("war-chest", "unigames")}

every_game = pytest.mark.parametrize("name", GAMES)


def winners(state: State) -> tuple[str, ...]:
    """Return who has won."""
    assert state.outcome is not None
    return state.outcome.winners


def played(name: str, decisions: int, players: int = 2) -> State:
    """Return a state some decisions into a game, in the midst of whatever is under way there."""
    state, rng = GAMES[name].new(seed=5, players=players), Random(5)
    for _ in range(decisions):
        assert state.decision is not None
        state.apply(state.decision.sample(rng))
    return state


# ---- who has won


@every_game
@pytest.mark.parametrize("decisions", [0, 1, 7, 30])
def test_the_other_side_wins_at_any_decision(name: str, decisions: int) -> None:
    """004 2.6: either player may concede the game."""
    state = played(name, decisions)
    first, second = state.variant.naming.players
    for loser, winner in ((first, second), (second, first)):
        over = state.clone()
        assert over.give_up(loser) is over
        assert winners(over) == (winner,) and over.decision is None
        assert over.log[-2:] == [f"{loser} concedes", f"{winner} has won"]
        assert over.trace[-1].clause == "your left neighbour wins"
        assert GAMES[name].position(over.position()) == over and over.position()["winner"] == winner
    assert state.outcome is None and state.decision is not None, "what is done to a copy is not done to the state"


@pytest.mark.parametrize(
    ("loser", "winner"), [("raven", "wolf"), ("wolf", "raven"), ("raven2", "wolf"), ("wolf2", "raven")]
)
def test_a_player_of_a_team_gives_it_up_for_the_team(loser: str, winner: str) -> None:
    assert winners(played("war-chest", 9, players=4).give_up(loser)) == (winner,)


@every_game
def test_a_game_is_given_up_once_and_by_a_player(name: str) -> None:
    state = played(name, 3)
    before = state.clone()
    with pytest.raises(OptionError, match="there is no player 'nobody'"):
        state.give_up("nobody")
    assert state == before and state.log == before.log
    state.give_up(state.variant.naming.players[0])
    with pytest.raises(OptionError, match="the game is over"):
        state.give_up(state.variant.naming.players[1])


@every_game
def test_it_is_no_option_and_leaves_bots_alone(name: str) -> None:
    state, rng = played(name, 0), Random(1)
    for _ in range(60):
        if state.decision is None:
            break
        assert all(option.act != "concede" for option in state.decision.options)
        state.apply(state.decision.sample(rng))


# ---- what a game's document says of it


def amended(folder: Path, text: str) -> warchest.Game:
    """Return War Chest with an erratum of how it is given up."""
    file = folder / "amended.yaml"
    file.write_text(f"errata: Mine\nruling: a test\namends: {{kind: action, name: Concede}}\n{text}", encoding="utf-8")
    return warchest.load("war-chest", extra=[file])


def test_the_rules_of_the_game_name_the_winner(tmp_path: Path) -> None:
    game = amended(tmp_path, "replace:\n  rules: |\n    to concede: the team of the holder of the initiative wins.\n")
    for loser in ("raven", "wolf"):
        hand = {"wolf": ["Scout"], "raven": ["Archer"]}
        state = game.position({"to_act": "wolf", "initiative": "wolf", "hand": hand})
        assert winners(state.give_up(loser)) == ("wolf",)


@pytest.mark.parametrize(
    "rule", ["to concede: do nothing.", "to concede: your left neighbour wins.\n    a player cannot concede."]
)
def test_a_rule_that_does_not_end_the_game_is_refused(tmp_path: Path, rule: str) -> None:
    state = amended(tmp_path, f"replace:\n  rules: |\n    {rule}\n").new(seed=1)
    with pytest.raises(OptionError, match="the game goes on"):
        state.give_up("raven")
    assert state.outcome is None and state.decision is not None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("concession: concede", "concession: conceed", "there is no verb `conceed`"),
        ("concession: concede", "concession: recruit", "players cannot give a game up by `recruit`"),
        ("concession: concede", "concession: move", "players cannot give a game up by `move`"),
    ],
)
def test_a_verb_that_cannot_be_a_concession_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(CardError, match=said):
        told_otherwise(old, new)


def test_a_game_without_a_concession_refuses_to_be_given_up() -> None:
    with pytest.raises(OptionError, match="in this game players cannot give up"):
        told_otherwise("concession: concede\n", "").new(seed=1).give_up("raven")


def told_otherwise(old: str, new: str) -> warchest.Game:
    """Return War Chest with another text in its own document."""
    file = GAMES["war-chest"].folder / "game.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    return GAMES["war-chest"].with_text(file, text.replace(old, new))


# ---- saved games


@every_game
def test_a_saved_game_ends_as_it_was_given_up(name: str, tmp_path: Path) -> None:
    session = Session.new(GAMES[name], 4)
    first, second = session.state.variant.naming.players
    for _ in range(5):
        assert session.state.decision is not None
        session.take(session.state.decision.sample(session.rng("bot")))
    before = session.state.clone()
    session.give_up(first)
    save(tmp_path / "game.json", session.replay())
    again = load(tmp_path / "game.json")
    assert again.taken[-1] == TakenStep(first, {"act": "concede"})
    assert again.outcome == {"winners": [second], "reason": f"{second} has won"}
    assert replayed(GAMES[name], again) == session.state
    resumed = Session.resumed(GAMES[name], again, first, "game.json")
    for one in (session, resumed):
        assert one.undo() and one.state == before and len(one.taken) == 5
    assert replayed(GAMES[name], session.replay()) == before


def test_steps_after_a_concession_do_not_fit() -> None:
    session = Session.new(GAMES["war-chest"], 4)
    session.give_up("raven")
    session.taken.append(TakenStep("wolf", {"act": "concede"}))
    with pytest.raises(Misfit, match="the game is over"):
        replayed(GAMES["war-chest"], session.replay())
    session.taken[:] = [TakenStep("nobody", {"act": "concede"})]
    with pytest.raises(Misfit, match="there is no player 'nobody'"):
        replayed(GAMES["war-chest"], session.replay())


# ---- at the terminal

Play = Callable[..., str]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Play with some lines typed and then the end of input; return the output."""
    monkeypatch.chdir(tmp_path)

    def run(lines: Iterable[str], *arguments: str) -> str:
        waiting = iter(lines)

        def answer(_: str) -> str:
            for line in waiting:
                return line
            raise EOFError

        monkeypatch.setattr("builtins.input", answer)
        # The bot that is usual thinks long.
        assert main(["play", "--bot", "random", *arguments]) == 0
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        return shown.out + shown.err

    return run


@pytest.mark.parametrize(
    ("name", "meant"), [("war-chest", "yes"), ("war-chest", "Y"), ("war-chest", "concede"), ("unigames", "yes")]
)
def test_a_person_concedes(play: Play, name: str, meant: str) -> None:
    first, second = GAMES[name].new(seed=1).variant.naming.players
    out = play(["help", "1", "concede", meant], "--game", name, "--seed", "7", "--save", "game.json")
    assert "concede            give the game up" in out
    assert f"That ends the game: {second} has won. Type `yes` if you mean it." in out
    assert f"The game is over: {second} has won." in out and "saved to game.json" in out
    told = json.loads(Path("game.json").read_text(encoding="utf-8"))
    assert told["taken"][-1] == {"by": first, "option": {"act": "concede"}}
    assert told["outcome"]["winners"] == [second]
    assert f"The game is over: {second} has won." in play([], "--resume", "game.json")


def test_a_person_withdraws_a_concession(play: Play) -> None:
    out = play(["concede", "no", "1", "undo", "quit"], "--seed", "7", "--save", "game.json")
    assert "The game goes on." in out and "Back to your last decision." in out and "The game is over" not in out
    assert all(step.option["act"] != "concede" for step in load("game.json").taken)


def test_leaving_in_between_is_no_concession(play: Play) -> None:
    play(["concede"], "--seed", "7", "--save", "game.json")
    assert load("game.json").outcome is None
    play(["concede", "yes"], "--resume", "game.json")
    assert load("game.json").outcome == {"winners": ["wolf"], "reason": "wolf has won"}


def test_one_of_four(play: Play) -> None:
    out = play(["concede", "yes"], "--players", "4", "--as", "wolf2", "--seed", "7")
    assert "The game is over: raven has won." in out


@every_game
def test_a_replay_shows_it(play: Play, capsys: pytest.CaptureFixture[str], name: str) -> None:
    play(["concede", "yes"], "--game", name, "--seed", "7", "--save", "game.json")
    first, second = GAMES[name].new(seed=1).variant.naming.players
    assert main(["replay", "game.json", "--short"]) == 0
    assert f"{first}: concede" in capsys.readouterr().out
    assert main(["replay", "game.json"]) == 0
    assert f"  {second} has won" in capsys.readouterr().out.splitlines()
    assert main(["replay", "game.json", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["steps"][-1] == {"by": first, "label": f"{first}: concede", "option": {"act": "concede"}}
    assert told["position"]["winner"] == second


def test_show_prints_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    for name, source in (("war-chest", "no rulebook says so"), ("unigames", "004 2.6")):
        assert main(["show", "Concede", "--game", name]) == 0
        out = capsys.readouterr().out
        assert "to concede: your left neighbour wins." in out and source in out


def test_scripts_concede_by_the_same_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "case.txt"
    lines = "P1 Foot@d3n 3/4/6\nP2 Foe@h6s 1/9/3\n> concede P2\n= winner P1\n! concede P1\n"
    file.write_text(lines, encoding="utf-8")
    assert main(["script", str(file)]) == 0
    assert "all 5 lines hold" in capsys.readouterr().out
