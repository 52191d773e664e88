"""Jobs: long requests about cards, with progress, on the texts as they are in the client."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from inside import CARD, Desk

from warchest.lsp.jobs import meaning, mutating
from warchest.lsp.jobs.task import EACH, ProgressReports
from warchest.lsp.text_positions import uri_of

RUNNER = """\
unit: Runner
coins: 4
attribute: |
  after this moves, it may move.
"""
"""A card that can go on for ever."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.open(tmp_path / "runner.yaml", RUNNER)
    return made


def job(desk: Desk, kind: str, **params: Any) -> dict[str, Any]:
    found: dict[str, Any] = desk.ask("warchest/job", {"kind": kind, "jobs": 1, **params})
    return found


def test_files_with_errors_and_cards_of_other_games_are_left_out(desk: Desk, tmp_path: Path) -> None:
    desk.open(tmp_path / "empty.yaml", "")
    desk.open(tmp_path / "slip.yaml", CARD.replace("attack", "atack"))
    desk.open(tmp_path / "other.yaml", "ability: Dread\nrules: |\n  this is not faced.\n")
    own = uri_of(str(tmp_path / "runner.yaml"))
    found = job(desk, "sim", games=2, bots=["random"], setup="First game", uri=own)
    assert found["data"]["games"] == 2
    assert found["notes"][0] == "left out, because of errors: empty.yaml, slip.yaml"
    slip = uri_of(str(tmp_path / "slip.yaml"))
    assert "atack" in desk.refused("warchest/job", {"kind": "check", "uri": slip})


def progress(desk: Desk) -> list[dict[str, Any]]:
    return [one["params"] for one in desk.messages if one.get("method") == "warchest/progress"]


def test_games_are_played_and_counted(desk: Desk) -> None:
    params = {"games": 3, "seed": 4, "bots": ["random", "policy-c"], "setup": "First game"}
    found = job(desk, "sim", **params)
    assert (found["data"]["games"], found["partial"]) == (3, False)
    wins = sum(found["data"]["wins"].values()) + found["data"]["draws"] + found["data"]["unfinished"]
    assert wins == 3 and [one["seed"] for one in found["data"]["lengths"]] == [4, 5, 6]
    assert [one["title"] for one in found["tables"]][1:] == ["seats", "armies with a card"]
    assert all(len(row) == len(one["columns"]) for one in found["tables"] for row in one["rows"])
    told = progress(desk)
    assert told[0] == {"done": 0, "total": 3, "text": "games"} and all(one["done"] <= 3 for one in told)
    assert job(desk, "sim", **params) == found


def test_rules_without_end_are_findings_of_games(desk: Desk, tmp_path: Path, gong: str) -> None:
    desk.open(tmp_path / "gong.yaml", gong)
    armies = {"raven": ["Gong", "Scout", "Archer", "Knight"], "wolf": ["Pikeman", "Cavalry", "Lancer", "Ensign"]}
    found = job(desk, "sim", games=4, seed=4, armies=armies, bots=["random"], setup="First game")
    (one,) = found["findings"]
    assert one["uri"] == uri_of(str(tmp_path / "gong.yaml")) and one["range"]["start"]["line"] == 4
    assert found["data"]["endless"] and any("broken off" in note for note in found["notes"])


def test_a_fault_of_an_unsaved_card_is_found_with_its_position(desk: Desk, tmp_path: Path) -> None:
    uri = uri_of(str(tmp_path / "runner.yaml"))
    found = job(desk, "check", uri=uri, alone=True, budget=60)
    one = next(one for one in found["findings"] if one["law"] == "ends by choice")
    assert (one["uri"], one["range"]["start"], one["cards"]) == (uri, {"line": 3, "character": 20}, ["Runner"])
    assert "<svg" in one["svg"] and "Runner" in str(one["position"])
    ((edited, (edit,)),) = one["edit"]["changes"].items()
    assert edited == uri and edit["newText"].startswith("rulings:") and "ends by choice" in one["ruling"]
    view = desk.ask("warchest/play/new", {"position": one["position"]})
    assert view["options"]
    (laws,) = found["tables"]
    assert [row[2] for row in laws["rows"] if row[0] == "ends by choice"] == ["FAIL"]


def test_the_changed_text_is_checked(desk: Desk, tmp_path: Path) -> None:
    desk.change(tmp_path / "runner.yaml", RUNNER.replace("moves", "attacks"), 2)
    found = job(desk, "check", uri=uri_of(str(tmp_path / "runner.yaml")), alone=True, budget=4)
    assert not [one for one in found["findings"] if one["law"] == "ends by choice"]
    assert found["data"]["positions"] > 0


def test_a_job_ends_with_its_budget(desk: Desk) -> None:
    found = job(desk, "check", names=["Runner"], budget=1)
    assert found["partial"] and found["data"]["left"] > 0
    assert job(desk, "sim", games=9999, budget=1)["partial"]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"names": ["Nobody"]}, "no document 'Nobody'"),
        ({"budget": 0}, "budget: a number from 1 to 3,600"),
        ({"budget": 10**9}, "budget: a number from 1 to 3,600"),
        ({"jobs": 0}, "jobs: a number from 1"),
        ({"sets": ["Nowhere"]}, "no set 'Nowhere'"),
    ],
)
def test_impossible_checks_are_refused(desk: Desk, params: dict[str, Any], said: str) -> None:
    assert said in desk.refused("warchest/job", {"kind": "check", **params})


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"bots": ["nobody"]}, "no bot 'nobody'"),
        ({"bots": ["mcts:60s"]}, "bots: at most 10 seconds"),
        ({"bots": ["mcts:6sx2"]}, "bots: at most 10 seconds"),
        ({"games": 10**6}, "games: a number from 1"),
        ({"setup": "None"}, "setup"),
        ({"players": 9}, "players"),
    ],
)
def test_impossible_games_are_refused(desk: Desk, params: dict[str, Any], said: str) -> None:
    assert said in desk.refused("warchest/job", {"kind": "sim", **params})


def test_errors_in_cards_refuse_a_job_with_their_place(desk: Desk, tmp_path: Path) -> None:
    desk.change(tmp_path / "runner.yaml", RUNNER.replace("may move", "may mve"), 2)
    answer = desk.answer("warchest/job", {"kind": "sim", "games": 1})
    assert answer["error"]["message"].startswith("runner.yaml:4: ")
    data = answer["error"]["data"]
    assert (data["field"], data["uri"]) == ("cards", uri_of(str(tmp_path / "runner.yaml")))
    desk.change(tmp_path / "runner.yaml", CARD, 3)
    assert job(desk, "sim", games=1)["data"]["games"] == 1


def test_progress_is_reported_ten_times_a_second_at_most() -> None:
    moments = [number * EACH / 4 for number in range(100)]
    told, passed = list[tuple[float, int]](), iter(moments)
    now = [0.0]
    made = ProgressReports(lambda params: told.append((now[0], params["done"])), lambda: now[0])
    for _ in made.counted(range(90), 90, "parts"):
        now[0] = next(passed)
    assert told[0][1] == 0 and len(told) < 30
    assert all(later - sooner >= EACH for (sooner, _), (later, _) in pairwise(told))


def test_a_text_is_played_in_place_of_that_of_its_file(desk: Desk, tmp_path: Path) -> None:
    uri = uri_of(str(tmp_path / "runner.yaml"))
    faulty = RUNNER.replace("may move", "may mve")
    assert "runner.yaml:4: " in desk.refused("warchest/job", {"kind": "sim", "games": 1, "uri": uri, "text": faulty})
    assert "uri: " in desk.refused("warchest/job", {"kind": "sim", "games": 1, "text": RUNNER})
    text = RUNNER.replace("moves", "attacks")
    found = job(desk, "cover", uri=uri, text=text, games=1)
    assert [(one["text"], one["range"]["start"]) for one in found["marks"]] == [
        ("it may move", {"line": 3, "character": 22})
    ]


def test_jobs_need_neither_processes_nor_threads(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("there is nothing of the kind here")

    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr("os.fork", refuse)
    monkeypatch.setattr("threading.Thread.start", refuse)
    monkeypatch.setattr("subprocess.Popen.__init__", refuse)
    params = {"games": 2, "bots": ["random"], "setup": "First game"}
    assert desk.ask("warchest/job", {"kind": "sim", **params})["data"]["games"] == 2
    assert desk.ask("warchest/job", {"kind": "check", "names": ["Runner"], "alone": True, "budget": 3})["findings"]


PLACE = {"line": 6, "character": 6}
"""A place in the last sentence of the card."""


@pytest.fixture
def halberdier(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.open(tmp_path / "halberdier.yaml", CARD)
    return made


def test_similar_readings_are_distinguished_by_questions(
    halberdier: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "POSITIONS", 40)
    uri = uri_of(str(tmp_path / "halberdier.yaml"))
    found = job(halberdier, "means", uri=uri, position=PLACE, budget=8)
    assert found["questions"] and not found["findings"]
    for question in found["questions"]:
        first, *others = question["answers"]
        assert first["written"] and others and not any(one["written"] for one in others) and "<svg" in question["svg"]
        assert first["readings"][0] == {"text": ""} and len({tuple(one["lines"]) for one in question["answers"]}) > 1
        assert halberdier.ask("warchest/play/new", {"position": question["position"]})["options"]
    reading = found["questions"][0]["answers"][-1]["readings"][0]
    ((_, (edit,)),) = reading["edit"]["changes"].items()
    start, end = (edit["range"][key] for key in ("start", "end"))
    assert start["line"] == end["line"] == 6
    line = CARD.splitlines()[6]
    assert reading["text"] == (line[: start["character"]] + edit["newText"] + line[end["character"] :]).strip()
    # The ruling of an answer passes where the text says so, and fails where it says something else.
    ruling = found["questions"][0]["answers"][0]["ruling"]
    item = ruling[ruling.index("  - name:") :]
    halberdier.change(tmp_path / "halberdier.yaml", CARD + item, 2)
    assert outcomes_of(halberdier, uri) == ["passed", "passed"]
    changed = CARD.replace(line, line[: start["character"]] + edit["newText"] + line[end["character"] :])
    halberdier.change(tmp_path / "halberdier.yaml", changed + item, 3)
    assert outcomes_of(halberdier, uri)[1] == "failed"


def outcomes_of(desk: Desk, uri: str) -> list[str]:
    return [one["outcome"] for one in desk.ask("warchest/rulings/run", {"uri": uri})]


def test_sentences_are_marked_by_how_often_they_acted(halberdier: Desk, tmp_path: Path) -> None:
    never = "after this attacks, if at least 9 units are adjacent to this, it may attack."
    uri = uri_of(str(tmp_path / "halberdier.yaml"))
    halberdier.change(tmp_path / "halberdier.yaml", CARD.replace("may move.\n", f"may move.\n  {never}\n"), 2)
    found = job(halberdier, "cover", uri=uri, games=2, budget=60)
    marks = {one["text"]: one for one in found["marks"]}
    assert all(one["uri"] == uri for one in found["marks"])
    assert marks["attack"]["count"] > 0 and "in play" in marks["attack"]["message"]
    assert marks["it may attack"]["count"] == 0 and marks["it may attack"]["message"] == "never seen to act"
    assert (found["data"]["sentences"], found["data"]["silent"]) == (4, 1)


def test_changes_that_no_ruling_notices_come_with_one_that_does(
    halberdier: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutating, "POSITIONS", 40)
    uri = uri_of(str(tmp_path / "halberdier.yaml"))
    found = job(halberdier, "mutants", uri=uri, range={"start": PLACE, "end": PLACE}, budget=60)
    missed = next(one for one in found["findings"] if "edit" in one)
    assert missed["before"] == "after this attacks, it may move." and missed["after"] != missed["before"]
    assert missed["range"]["start"]["line"] == 6 and missed["uri"] == uri and "<svg" in missed["svg"]
    ((_, (edit,)),) = missed["edit"]["changes"].items()
    lines = CARD.splitlines(keepends=True)
    lines.insert(edit["range"]["start"]["line"], edit["newText"])
    halberdier.change(tmp_path / "halberdier.yaml", "".join(lines), 2)
    assert outcomes_of(halberdier, uri) == ["passed", "passed"]
    (mark,) = found["marks"]
    assert mark["text"] == "after this attacks, it may move." and "noticed by rulings" in mark["message"]


@pytest.mark.parametrize("kind", ["means", "cover", "mutants"])
def test_jobs_about_no_sentences_are_refused(halberdier: Desk, tmp_path: Path, kind: str) -> None:
    assert "uri" in halberdier.refused("warchest/job", {"kind": kind})
    assert "uri" in halberdier.refused("warchest/job", {"kind": kind, "uri": uri_of(str(tmp_path / "none.yaml"))})


def test_the_strength_of_a_card_is_reported(desk: Desk, tmp_path: Path) -> None:
    uri = uri_of(str(tmp_path / "swift.yaml"))
    desk.open(tmp_path / "swift.yaml", CARD)
    found = job(desk, "balance", uri=uri, games=20, bots=["policy-c"], budget=60)
    name = CARD.partition("\n")[0].removeprefix("unit: ")
    assert list(found["data"]["cards"]) == [name] and found["data"]["games"] == 20
    assert found["summary"].startswith(f"{name} wins ")
    assert found["page"].startswith("<!doctype html>") and f"The balance of {name}" in found["page"]
    assert all(len(row) == len(one["columns"]) for one in found["tables"] for row in one["rows"])
    everything = job(desk, "balance", games=20, bots=["policy-c"], budget=60)
    assert len(everything["data"]["cards"]) > 16 and "is the strongest card" in everything["summary"]


def test_without_the_libraries_a_job_says_what_to_install(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "warchest.balance.needed_libraries.find_spec", lambda name: None if name == "altair" else object()
    )
    assert "this needs altair: pip install" in desk.refused("warchest/job", {"kind": "balance", "games": 1})
