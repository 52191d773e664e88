"""Replays: they come back as they were, play again to the same end, and say where they no longer fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import warchest
from loaded import shipped
from warchest.cli.main import main
from warchest.replay import Misfit, Replay, Session, TakenStep, Unreadable, begin, changed, load, replayed, save, steps

pytestmark = pytest.mark.usefixtures("loads_once")

GAME = shipped()


def played(seed: int, length: int, session: Session | None = None) -> Session:
    session = session or Session.new(GAME, seed)
    while session.state.decision is not None and len(session.taken) < length:
        decision = session.state.decision
        if decision.is_chance:
            session.roll()
        else:
            session.take(decision.sample(session.rng("bot")), mark=decision.player == "raven")
    return session


SESSION = played(7, 120)


def test_a_replay_comes_back_as_it_was(tmp_path: Path) -> None:
    save(tmp_path / "game.json", SESSION.replay())
    again = load(tmp_path / "game.json")
    assert again == SESSION.replay()
    assert replayed(GAME, again) == SESSION.state
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_a_game_from_a_position_comes_back_too(tmp_path: Path) -> None:
    position = SESSION.state.position()
    session = played(1, 20, Session.from_position(GAME, GAME.position(position), 1))
    save(tmp_path / "game.json", session.replay())
    assert replayed(GAME, load(tmp_path / "game.json")) == session.state


def test_armies_and_options_are_kept(tmp_path: Path) -> None:
    armies = {"raven": ["Archer", "Scout", "Pikeman", "Ensign"], "wolf": ["Royal Guard", "Knight", "Lancer", "Cavalry"]}
    session = played(3, 30, Session.new(GAME, 3, armies=armies, options={"royal_guard": "revised"}))
    save(tmp_path / "game.json", session.replay())
    state = replayed(GAME, load(tmp_path / "game.json"))
    assert state == session.state and state.position()["options"] == {"royal_guard": "revised"}


def test_the_steps_can_be_counted() -> None:
    state = begin(GAME, SESSION.replay())
    assert [number for number, _ in steps(state, SESSION.replay())] == list(range(121))


def test_going_back_and_on_again_meets_the_same_chance() -> None:
    session = played(7, 120)
    while session.undo():
        pass
    assert 0 < len(session.taken) < 12
    assert played(7, 120, session).state == SESSION.state


def test_leaving_and_coming_again_meets_the_same_chance() -> None:
    half = played(7, 60)
    resumed = Session.resumed(GAME, half.replay(), "raven", "game.json")
    assert resumed.state == half.state
    assert played(7, 120, resumed).state == SESSION.state
    assert resumed.undo()


def test_a_step_that_does_not_fit_is_reported() -> None:
    taken = list(SESSION.replay().taken)
    number = next(index for index, step in enumerate(taken) if step.by == "wolf")
    taken[number] = TakenStep("wolf", {"act": "fly", "to": "f4"})
    with pytest.raises(Misfit) as caught:
        replayed(GAME, replace(SESSION.replay(), taken=tuple(taken)), "game.json")
    told = str(caught.value)
    assert told.startswith(f"game.json: step {number + 1} no longer fits the cards")
    assert "expected: wolf: fly: to f4" in told and "found:    wolf: " in told
    assert "on offer:" in told and "recruit" in told and caught.value.offered


ON_ITSELF = {
    "to_act": "raven",
    "options": {"orders_to_itself": "included"},
    "units": [{"at": "f4", "unit": "Ensign", "owner": "raven"}, {"at": "f6", "unit": "Scout", "owner": "raven"}],
    "hand": {"raven": ["Ensign"], "wolf": ["Royal Coin"]},
}
"""An addition to the data of options: that the Ensign which is chosen is the very one whose tactic it is."""


def on_itself(**saved: str) -> Replay:
    session = Session.from_position(GAME, GAME.position(ON_ITSELF), 1)
    step = TakenStep("raven", {"act": "tactic", "coin": "Ensign", "unit": "f4", "then": "move", **saved})
    return replace(session.replay(), taken=(step,))


def test_a_step_without_an_alternative_name_of_a_thing_fits() -> None:
    steps = [on_itself(to="f5"), on_itself(to="f5", chosen="f4")]
    first, second = [replayed(GAME, replay) for replay in steps]
    assert first == second and [unit["at"] for unit in first.position()["units"]] == ["f5", "f6"]


@pytest.mark.parametrize("saved", [{}, {"to": "e6"}, {"to": "f5", "chosen": "f6", "target": "f6"}])
def test_a_step_without_another_part_does_not_fit(saved: dict[str, str]) -> None:
    with pytest.raises(Misfit, match="step 1 no longer fits"):
        replayed(GAME, on_itself(**saved))


def test_another_start_is_reported() -> None:
    start = replace(SESSION.start, position={**SESSION.start.position, "initiative": "fox"})
    with pytest.raises(Misfit, match="the start no longer fits the cards\n  expected: initiative: fox"):
        begin(GAME, replace(SESSION.replay(), start=start))
    with pytest.raises(Misfit, match="there is no setup 'Long'"):
        begin(GAME, replace(SESSION.replay(), start=replace(SESSION.start, setup="Long")))


def test_another_end_is_reported() -> None:
    replay = replace(SESSION.replay(), outcome={"winners": ["wolf"], "reason": "so it was"})
    with pytest.raises(Misfit, match="expected: after it, won by wolf\n  found:    the game goes on"):
        replayed(GAME, replay)


def test_changed_cards_are_named(tmp_path: Path) -> None:
    (tmp_path / "halberdier.yaml").write_text("unit: Halberdier\ncoins: 4\n")
    more = warchest.load("war-chest", extra=[tmp_path])
    replay = Session.new(more, 1).replay()
    assert changed(replay.cards, more) == []
    assert changed(replay.cards, shipped()) == [
        "unit/Halberdier of an extra folder is missing; give its folder with --cards"
    ]
    (tmp_path / "halberdier.yaml").write_text("unit: Halberdier\ncoins: 5\n")
    assert changed(replay.cards, warchest.load("war-chest", extra=[tmp_path])) == [
        "unit/Halberdier of an extra folder has changed"
    ]


BROKEN = {
    "nothing": "",
    "no JSON": "replay: war-chest",
    "deep": "[" * 100_000,
    "a list": "[]",
    "no replay": "{}",
    "a later version": '{"replay": "war-chest", "version": 99}',
    "no start": '{"replay": "war-chest", "version": 1}',
    "a bad seed": '{"replay": "war-chest", "version": 1, "start": {"position": {}, "seed": "x"}, "taken": []}',
    "a bad step": '{"replay": "war-chest", "version": 1, "start": {"position": {}}, "taken": [1]}',
    "a bad player": '{"replay": "x", "version": 1, "start": {"position": {}}, "taken": [{"by": 1, "option": {}}]}',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=list(BROKEN))
def test_invalid_replays_are_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    with pytest.raises(Unreadable, match=r"game\.json"):
        load(file)
    assert main(["replay", str(file)]) == 2
    assert "game.json" in capsys.readouterr().err


@given(st.binary(max_size=200))
def test_any_bytes_give_a_replay_or_a_refusal(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "bytes.json"
    file.write_bytes(data)
    with pytest.raises(Unreadable):
        load(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file"):
        load(tmp_path / "none.json")


# ---- the verb


@pytest.fixture
def file(tmp_path: Path) -> str:
    save(tmp_path / "game.json", SESSION.replay())
    return str(tmp_path / "game.json")


def test_the_verb_shows_the_log_and_the_board_at_each_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = played(7, 30)
    save(tmp_path / "game.json", session.replay())
    assert main(["replay", str(tmp_path / "game.json")]) == 0
    out = capsys.readouterr().out
    parts = out.split("\nstep ")
    assert len(parts) == 31 and parts[0].startswith("the start\n") and parts[1].startswith("1 of 30: chance: draw")
    assert all(part.count("War Chest   ") == 1 for part in parts)
    inner = [line.strip() for line in out.splitlines()]
    assert set(map(str.strip, session.state.log)) <= set(inner)


def test_at_a_terminal_the_verb_waits_after_each_step(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes = iter(["", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(wishes))
    monkeypatch.setattr("warchest.cli.replay.is_attended", lambda: True)
    assert main(["replay", file]) == 0
    assert capsys.readouterr().out.count("of 120: ") == 1 and next(wishes, None) is None


def test_the_verb_lists_the_steps_and_shows_the_end(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", file, "--short"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("  1  chance: draw") and "120  " in out and "War Chest" in out


def test_the_verb_shows_one_step(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", file, "--at", "8"]) == 0
    assert capsys.readouterr().out.startswith("step 8 of 120: ")
    assert main(["replay", file, "--at", "500"]) == 2


def test_the_verb_writes_json(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", file, "--at", "8", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["step"] == 8 and len(found["steps"]) == 8
    assert GAME.position(found["position"]).position() == found["position"]


def test_a_viewer_is_not_shown_hidden_coins(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", file, "--at", "8", "--viewer", "raven", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "steps" not in found and isinstance(found["position"]["bag"]["wolf"], int)
    assert main(["replay", file, "--viewer", "fox"]) == 2


def test_the_verb_steps_to_and_fro(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wishes = iter(["", "n", "b", "50", "what", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(wishes))
    assert main(["replay", file, "--step"]) == 0
    # The prompts do not end their lines, as no input is typed here.
    out = capsys.readouterr().out.replace(" > ", "\n")
    shown = [line.split(":")[0] for line in out.split("\n") if line.startswith(("the start", "step "))]
    assert shown == ["the start", *(f"step {number} of 120" for number in (1, 2, 1, 50, 50))]
    assert "'what' is not known here" in out


def test_a_misfit_is_a_finding(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    values = json.loads(Path(file).read_text())
    values["taken"][0]["option"]["act"] = "fly"
    Path(file).write_text(json.dumps(values))
    assert main(["replay", file]) == 1
    assert "step 1 no longer fits the cards" in capsys.readouterr().err


def test_a_game_without_options_is_stepped_through_with_its_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = shipped("unigames")
    state = game.position(
        {
            "turn": "P1",
            "actions_left": 2,
            "chests": {"P1": "a1", "P2": "h8"},
            "figures": [
                {"name": "Dwarf Spear", "at": "d4", "owner": "P1", "facing": "n"},
                {"name": "Dwarf Elder", "at": "d7", "owner": "P2", "facing": "s"},
            ],
        }
    )
    session = Session.from_position(game, state, 1)
    assert state.decision is not None
    session.take(next(one for one in state.decision.options if one.data["act"] == "step"))
    save(tmp_path / "a.json", session.replay())
    assert main(["replay", str(tmp_path / "a.json"), "--short"]) == 0
    assert "1  P1: move: Dwarf Spear d4, step to d5\n" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "a.json"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"][0]["label"] == "P1: move: Dwarf Spear d4, step to d5"
