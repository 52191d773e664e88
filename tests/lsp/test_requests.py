"""The server's own requests: sentences, plays, rulings, pictures and links; and answers to nonsense."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inside import CARD, Desk, Inside

from budgets import lower_budgets
from loaded import shipped
from warchest.lsp.plays import MOST_PLAYS
from warchest.lsp.text_positions import path_of, uri_of

FILE = "halberdier.yaml"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.open(tmp_path / FILE, CARD)
    return made


def uri(folder: Path) -> str:
    return uri_of(str(folder / FILE))


def test_a_game_with_an_unsaved_card_is_described(desk: Desk, tmp_path: Path) -> None:
    told = desk.ask("warchest/set", {})
    game = shipped("war-chest")
    assert (told["game"], told["players"], told["usualSets"]) == (game.name, list(game.players), list(game.sets()))
    (own,) = [one for one in told["files"] if not one["readOnly"]]
    assert own.pop("uri") == uri(tmp_path)
    assert own == {"kind": "unit", "name": "Halberdier", "set": "", "readOnly": False, "rulings": 1}
    assert told["seats"].keys() == set(told["setups"]) and len(told["seats"]["Four players random"]) == 4
    assert ".board .cell" in told["style"] and set(told["options"]) == set(game.choices)


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_a_new_card_of_each_kind_can_be_begun(tmp_path: Path, game: str) -> None:
    (tmp_path / "wc-lint.toml").write_text(f'game = "{game}"\n', encoding="utf-8")
    desk = Desk(tmp_path)
    kinds = desk.ask("warchest/set", {})["kinds"]
    for kind in kinds:
        asked = {"kind": kind, "name": f"Wanderer {kind}", "folder": uri_of(str(tmp_path))}
        made = desk.ask("warchest/card/new", asked)
        assert {"uri": made["uri"], "text": made["text"]} in made["files"]
        assert all(one["uri"].startswith(uri_of(str(tmp_path))) for one in made["files"])
        if kind in ("game", "pack"):
            continue
        file = Path(path_of(made["uri"]))
        desk.open(file, made["text"])
        assert not [code for _, codes in desk.published(file) for code in codes if code.startswith("WC1")]
        assert all(one["outcome"] == "passed" for one in desk.ask("warchest/rulings/run", {"uri": made["uri"]}))


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"kind": "unit", "name": "Halberdier"}, "there is a file"),
        ({"kind": "unit", "name": "Archer"}, "Archer"),
        ({"kind": "unit", "name": "<b>"}, "a name begins"),
        ({"kind": "spell", "name": "Fire"}, "no kind of document"),
        ({"kind": "unit", "name": "x" * 100}, "a name begins"),
        ({"kind": "unit", "name": "Move"}, "Move"),
    ],
)
def test_impossible_new_cards_are_refused(desk: Desk, params: dict[str, Any], said: str) -> None:
    assert said in desk.refused("warchest/card/new", params)


@pytest.mark.parametrize("card", ["Halberdier", "Archer"])
def test_a_play_begins_with_a_card_for_the_first_player(desk: Desk, card: str) -> None:
    for seed in range(5):
        play = desk.ask("warchest/play/new", {"seed": seed, "card": card, "viewer": None})
        position = desk.ask("warchest/play/position", {"play": play["play"]})
        assert card in position["armies"][play["players"][0]]
    assert "Nobody" in desk.refused("warchest/play/new", {"card": "Nobody"})


def test_sentences_are_read_in_a_text_and_by_themselves(desk: Desk, tmp_path: Path) -> None:
    whole = desk.ask("warchest/read", {"uri": uri(tmp_path)})
    assert [one["key"] for one in whole["readings"]] == ["tactic", "attribute"] and whole["findings"] == []
    place = {"line": 6, "character": 4}
    part = desk.ask("warchest/read", {"uri": uri(tmp_path), "range": {"start": place, "end": place}})
    assert [one["key"] for one in part["readings"]] == ["attribute"]
    alone = desk.ask("warchest/read", {"text": "this may attack.", "on": "Halberdier", "meaning": "steps"})
    assert alone["readings"][0]["said"] and {one["about"] for one in alone["readings"][0]["facts"]} >= {"asked"}
    wrong = desk.ask("warchest/read", {"text": "this may atack."})
    assert wrong["readings"] == [] and wrong["findings"][0]["code"] == "WC201"
    assert "no card" in desk.refused("warchest/read", {"text": "attack.", "on": "Nobody"})


def test_next_words_are_listed_in_a_block_only(desk: Desk, tmp_path: Path) -> None:
    document = {"uri": uri(tmp_path)}
    told = desk.ask("warchest/words", {"textDocument": document, "position": {"line": 6, "character": 29}})
    assert told["open"] and [one["rank"] for one in told["words"]] == list(range(len(told["words"])))
    assert "move" in {one["text"] for one in told["words"][:5]}
    none = desk.ask("warchest/words", {"textDocument": document, "position": {"line": 1, "character": 3}})
    assert none == {"words": [], "open": False}


def played(desk: Desk, seed: int = 3) -> dict[str, Any]:
    """A play of three decisions of each side, as its viewer sees it."""
    view = desk.ask("warchest/play/new", {"seed": seed, "viewer": "raven"})
    for _ in range(3):
        asked = {"play": view["play"], "count": view["count"], "id": view["options"][0]["id"]}
        view = desk.ask("warchest/play/apply", asked)
        view = desk.ask("warchest/play/bot", {"play": view["play"], "bot": "greedy", "until": "viewer"})
    return view


def test_a_game_is_played_and_taken_back_and_forward(desk: Desk) -> None:
    view = played(desk)
    play, count = view["play"], view["count"]
    assert view["player"] == "raven" and view["canUndo"] and view["redo"] == 0
    assert any(one["text"].startswith("wolf") for one in view["news"])
    back = desk.ask("warchest/play/undo", {"play": play, "to": 2})
    assert (back["count"], back["redo"]) == (2, count - 2)
    again = desk.ask("warchest/play/undo", {"play": play, "to": count})
    assert {key: again[key] for key in view if key != "news"} == {key: view[key] for key in view if key != "news"}
    assert "decisions" in desk.refused("warchest/play/undo", {"play": play, "to": count + 1})
    one = desk.ask("warchest/play/bot", {"play": play, "bot": "random"})
    assert one["count"] == count + 1


def test_the_same_seed_and_decisions_give_the_same_play(tmp_path: Path) -> None:
    views = []
    for _ in range(2):
        desk = Desk(tmp_path)
        views.append(played(desk, seed=11))
    assert views[0] == views[1]


def test_a_play_is_saved_and_loaded_with_the_way_back(desk: Desk, tmp_path: Path) -> None:
    view = played(desk)
    text = desk.ask("warchest/play/save", {"play": view["play"]})["text"]
    other = Desk(tmp_path)
    other.open(tmp_path / FILE, CARD)
    loaded = other.ask("warchest/play/load", {"text": text, "viewer": "raven"})
    rest = {"play", "news", "last"}
    assert {key: loaded[key] for key in view.keys() - rest} == {key: view[key] for key in view.keys() - rest}
    back = other.ask("warchest/play/undo", {"play": loaded["play"], "to": 1})
    assert (back["count"], back["redo"]) == (1, view["count"] - 1)
    again = other.ask("warchest/play/undo", {"play": loaded["play"], "to": view["count"]})
    assert again["svg"] == view["svg"]
    assert other.ask("warchest/play/save", {"play": loaded["play"]})["text"] == text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: "", "not a replay"),
        (lambda text: text[:-9], "not a replay"),
        (lambda text: text.replace('"replay": "war-chest"', '"replay": "chess"'), "chess"),
        (lambda text: text.replace('"seed": 3', '"seed": 4'), "no longer fits"),
    ],
)
def test_texts_that_are_no_replays_of_the_game_are_refused(desk: Desk, change: Any, said: str) -> None:
    text = desk.ask("warchest/play/save", {"play": played(desk)["play"]})["text"]
    assert said in desk.refused("warchest/play/load", {"text": change(text)})


def test_a_play_becomes_a_page_of_the_view_of_a_player(desk: Desk) -> None:
    view = desk.ask("warchest/play/new", {"seed": 3})
    desk.ask("warchest/play/apply", {"play": view["play"], "count": 0, "id": view["options"][0]["id"]})
    for viewer in ({}, {"viewer": view["players"][0]}):
        html = desk.ask("warchest/play/page", {"play": view["play"], **viewer})["html"]
        assert html.startswith("<!doctype html>") and view["players"][1] in html
    assert "no player" in desk.refused("warchest/play/page", {"play": view["play"], "viewer": "nobody"})


def test_a_range_is_drawn_around_the_piece(desk: Desk, tmp_path: Path) -> None:
    found = desk.ask("warchest/range", {"uri": uri(tmp_path), "name": "Halberdier"})
    assert {(one["x"], one["y"]) for one in found["marks"]} <= {(one["x"], one["y"]) for one in found["spaces"]}
    words = {(one["sort"], one["word"]) for one in found["legend"]}
    assert {(one["sort"], one["word"]) for one in found["marks"]} <= words
    assert "name" in desk.refused("warchest/range", {"uri": uri(tmp_path), "name": "Nobody"})


@pytest.mark.parametrize("seed", range(4))
def test_motions_reveal_no_hidden_information(desk: Desk, seed: int) -> None:
    """They are the same in all states that are alike for the viewer."""
    view = desk.ask("warchest/play/new", {"seed": seed, "viewer": None})
    for _ in range(12):
        params = {"play": view["play"], "count": view["count"], "id": view["options"][0]["id"]}
        view = desk.ask("warchest/play/apply", params)
    player = view["player"]
    told = desk.ask("warchest/play/view", {"play": view["play"], "viewer": player})
    position = desk.ask("warchest/play/position", {"play": view["play"]})
    state = shipped("war-chest", CARD).position(position)
    other = state.determinize(player, Random(seed + 1))
    again = desk.ask("warchest/play/new", {"position": other.position(), "viewer": player})
    for one in told["options"]:
        asked = [{"play": play, "id": one["id"]} for play in (view["play"], again["play"])]
        first, second = (desk.ask("warchest/play/motions", params) for params in asked)
        assert first == second


def test_a_native_machine_is_there_or_not_for_a_reason(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    play = desk.ask("warchest/play/new", {"seed": 3})["play"]
    told = desk.ask("warchest/play/native", {"play": play})
    assert told["state"] == "ready" or told["reason"]
    monkeypatch.setattr("warchest.lsp.machines.is_made", lambda variant: False)
    monkeypatch.setattr("warchest.lsp.machines.native_machine", lambda variant: None)
    found = desk.ask("warchest/play/native", {"play": play, "compile": True})
    assert found["state"] == "compiling"
    monkeypatch.setattr("warchest.lsp.machines.is_made", lambda variant: True)
    assert desk.ask("warchest/play/native", {"play": play}) == {"state": "ready", "reason": ""}


def test_arrows_lead_from_pieces_to_the_targets_of_options(desk: Desk) -> None:
    position = {
        "to_act": "raven",
        "initiative": "raven",
        "hand": {"raven": ["Scout"]},
        "units": [{"at": "f4", "unit": "Scout", "owner": "raven"}, {"at": "f5", "unit": "Archer", "owner": "wolf"}],
    }
    view = desk.ask("warchest/play/new", {"position": position})
    arrows = {(one["act"], arrow["start"], arrow["end"]) for one in view["options"] for arrow in one["arrows"]}
    assert {("move", "f4", "g4"), ("attack", "f4", "f5"), ("bolster", "f4", "f4")} <= arrows
    assert all(f'data-space="{space}"' in view["svg"] for _, *spaces in arrows for space in spaces)
    attack = next(one for one in view["options"] if one["act"] == "attack")
    motions = desk.ask("warchest/play/motions", {"play": view["play"], "id": attack["id"]})
    assert {"kind": "acts", "start": "f4", "end": "f5"} in motions and "leaves" in {one["kind"] for one in motions}
    after = desk.ask("warchest/play/apply", {"play": view["play"], "count": 0, "id": attack["id"]})
    assert [one for one in after["last"] if one["kind"] != "named"] == motions


def test_the_decisions_of_a_bot_are_shown_together(desk: Desk) -> None:
    view = desk.ask("warchest/play/new", {"seed": 3, "viewer": "raven"})
    for _ in range(12):
        asked = {"play": view["play"], "count": view["count"], "id": view["options"][0]["id"]}
        before = desk.ask("warchest/play/apply", asked)
        view = desk.ask("warchest/play/bot", {"play": view["play"], "bot": "greedy", "until": "viewer"})
        told = {one["count"] for one in view["news"]}
        assert all(before["count"] <= count for count in told) and (view["count"] == before["count"] or told)
    back = desk.ask("warchest/play/undo", {"play": view["play"], "to": view["count"] - 1})
    assert back["redo"] == 1


SETUPS = [(game, one.name) for game in ("war-chest", "unigames") for one in shipped(game).library.of_kind("setup")]


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_every_setup_of_every_game_can_be_played(tmp_path: Path, game: str, setup: str) -> None:
    """Drafts and boards for more players, too: a player decides, sees the board, and it goes on."""
    (tmp_path / "wc-lint.toml").write_text(f'game = "{game}"\n', encoding="utf-8")
    desk = Desk(tmp_path)
    told = desk.ask("warchest/set", {})
    assert told["game"] == game and setup in told["setups"]
    view = desk.ask("warchest/play/new", {"setup": setup, "seed": 1})
    seen = set[str]()
    for _ in range(8):
        assert view["svg"].startswith("<?xml") and view["options"] and view["question"]
        player = view["player"]
        seen.add(player)
        own = desk.ask("warchest/play/view", {"play": view["play"], "viewer": player})
        assert own["viewer"] == player and own["options"] == view["options"]
        desk.ask("warchest/play/view", {"play": view["play"], "viewer": None})
        asked = {"play": view["play"], "count": view["count"], "id": view["options"][-1]["id"]}
        view = desk.ask("warchest/play/apply", asked)
    assert view["count"] == 8 and seen


def test_a_viewer_sees_the_view_of_the_player(desk: Desk) -> None:
    play = played(desk)["play"]
    raven, wolf = (desk.ask("warchest/play/view", {"play": play, "viewer": one}) for one in ("raven", "wolf"))
    assert raven["options"] and not wolf["options"] and raven["svg"] != wolf["svg"]
    whole = desk.ask("warchest/play/position", {"play": play})
    seen = desk.ask("warchest/play/position", {"play": play, "viewer": "wolf"})
    assert isinstance(whole["hand"]["raven"], list) and isinstance(seen["hand"]["raven"], int)
    all_of_it = desk.ask("warchest/play/view", {"play": play, "viewer": None})
    assert all_of_it["viewer"] is None and all_of_it["options"] == raven["options"]


def test_options_have_places_that_the_picture_shows(desk: Desk) -> None:
    view = played(desk)
    places = [place for option in view["options"] for place in option["places"]]
    assert {one["sort"] for one in places} >= {"space", "token"}
    for one in places:
        if one["space"]:
            assert f'data-space="{one["space"]}"' in view["svg"]
        if one["sort"] == "token" and one["zone"] == "hand":
            assert f'data-zone="{one["zone"]}" data-owner="{one["owner"]}"' in view["svg"]
    assert "<style>" not in view["svg"]


def test_why_not_names_the_text_and_its_place(desk: Desk) -> None:
    play = played(desk)["play"]
    found = desk.ask("warchest/play/whyNot", {"play": play, "what": "attack"})
    assert found and all(one["reason"] for one in found)
    assert any(one["uri"].startswith("file://") for one in found)


def test_a_changed_card_is_announced_and_used_in_the_running_play(desk: Desk, tmp_path: Path) -> None:
    position = {
        "to_act": "raven",
        "units": [{"at": "f3", "unit": "Halberdier", "owner": "raven"}, {"at": "f7", "unit": "Scout", "owner": "wolf"}],
        "hand": {"raven": ["Halberdier"]},
    }
    view = desk.ask("warchest/play/new", {"position": position})
    desk.idle()
    assert not any(one.get("method") == "warchest/changed" for one in desk.messages)
    desk.change(tmp_path / FILE, CARD.replace("exactly 2", "exactly 3"), 2)
    desk.idle()
    (told,) = [one["params"] for one in desk.messages if one.get("method") == "warchest/changed"]
    assert checked_change(told) == (True, [])
    again = desk.ask("warchest/play/reload", {"play": view["play"]})
    assert {one["label"] for one in again["options"]} != {one["label"] for one in view["options"]}
    desk.change(tmp_path / FILE, CARD.replace("Halberdier", "Poleaxeman"), 3)
    desk.idle()
    last = [one["params"] for one in desk.messages if one.get("method") == "warchest/changed"][-1]
    assert checked_change(last) == (True, [view["play"]])
    assert "Halberdier" in desk.refused("warchest/play/reload", {"play": view["play"]})
    desk.change(tmp_path / FILE, CARD.replace("  attack.", "  atack."), 4)
    desk.idle()
    last = [one["params"] for one in desk.messages if one.get("method") == "warchest/changed"][-1]
    assert not last["whole"]


def test_the_way_forward_outlives_a_reload(desk: Desk, tmp_path: Path) -> None:
    position = {
        "to_act": "raven",
        "units": [{"at": "f3", "unit": "Halberdier", "owner": "raven"}, {"at": "f5", "unit": "Scout", "owner": "wolf"}],
        "hand": {"raven": ["Halberdier"]},
    }
    play = (view := desk.ask("warchest/play/new", {"position": position}))["play"]
    tactic = next(one["id"] for one in view["options"] if one["act"] == "tactic")
    desk.ask("warchest/play/apply", {"play": play, "count": 0, "id": tactic})
    desk.ask("warchest/play/undo", {"play": play, "to": 0})
    for version, text in enumerate((CARD, f"{CARD}# a note\n", CARD.replace("exactly 2", "exactly 3")), 2):
        desk.change(tmp_path / FILE, text, version)
        desk.idle()
        again = desk.ask("warchest/play/reload", {"play": play})
        assert (again["count"], again["redo"]) == (0, 1)
    assert "cannot be decided again" in desk.refused("warchest/play/undo", {"play": play, "to": 1})
    assert desk.ask("warchest/play/view", {"play": play})["redo"] == 0


def checked_change(told: dict[str, Any]) -> tuple[bool, list[str]]:
    assert set(told) == {"digest", "whole", "plays"}
    return told["whole"], told["plays"]


def test_a_play_becomes_a_ruling_that_passes(desk: Desk, tmp_path: Path) -> None:
    view = played(desk)
    asked = {"play": view["play"], "start": 0, "end": 2, "name": "As it was played", "uri": uri(tmp_path)}
    for shrink in (True, False):
        made = desk.ask("warchest/play/ruling", {**asked, "shrink": shrink})
        (edit,) = made["edit"]["changes"][uri(tmp_path)]
        lines = CARD.split("\n")
        line = edit["range"]["start"]["line"]
        assert edit["range"]["start"] == edit["range"]["end"] and edit["range"]["start"]["character"] == 0
        text = "\n".join(lines[:line]) + "\n" + edit["newText"] + "\n".join(lines[line:])
        desk.change(tmp_path / FILE, text, 2)
        desk.idle()
        found = desk.ask("warchest/rulings/run", {"uri": uri(tmp_path)})
        assert [(one["name"], one["outcome"]) for one in found] == [
            ("It goes two spaces", "passed"),
            ("As it was played", "passed"),
        ]
        assert desk.published(tmp_path / FILE)[-1] == (2, [])
    assert "decisions" in desk.refused("warchest/play/ruling", {**asked, "start": 3, "end": 2})


def test_rulings_that_fail_say_why_and_can_be_drawn(desk: Desk, tmp_path: Path) -> None:
    desk.change(tmp_path / FILE, CARD.replace("{at: f5, unit: Halberdier", "{at: e5, unit: Halberdier"), 2)
    (found,) = desk.ask("warchest/rulings/run", {"names": ["It goes two spaces"], "pictures": True})
    assert found["outcome"] == "failed" and found["wrong"][0].startswith("units:")
    assert 'data-space="f5"' in found["svg"]
    drawn = desk.ask("warchest/picture", {"uri": uri(tmp_path), "name": "It goes two spaces", "prefix": "small"})
    assert 'id="small-piece-f3-1"' in drawn["svg"]
    assert desk.ask("warchest/rulings/run", {"names": []}) == []
    assert "no ruling" in desk.refused("warchest/picture", {"uri": uri(tmp_path), "name": "None"})


def test_a_play_begins_at_a_ruling(desk: Desk, tmp_path: Path) -> None:
    desk.change(tmp_path / FILE, CARD, 2)
    about = {"uri": uri(tmp_path)}
    view = desk.ask("warchest/play/new", {**about, "ruling": "It goes two spaces"})
    position = desk.ask("warchest/play/position", {"play": view["play"]})
    assert [one["at"] for one in position["units"] if one["unit"] == "Halberdier"] == ["f3"]
    assert any("tactic" in one["label"] for one in view["options"])
    assert "no ruling" in desk.refused("warchest/play/new", {**about, "ruling": "None"})


def test_a_link_holds_own_cards_and_a_position(desk: Desk) -> None:
    play = played(desk)["play"]
    told = desk.ask("warchest/link", {"play": play})
    assert told["cards"] == {FILE: CARD} and told["format"] == 1
    assert told["position"] == desk.ask("warchest/play/position", {"play": play})
    assert "position" not in desk.ask("warchest/link", {})


def test_plays_are_bounded(desk: Desk) -> None:
    first = desk.ask("warchest/play/new", {})["play"]
    others = [desk.ask("warchest/play/new", {})["play"] for _ in range(MOST_PLAYS)]
    assert "no play" in desk.refused("warchest/play/view", {"play": first})
    for name in others:
        desk.ask("warchest/play/view", {"play": name})


def test_a_rule_that_never_ends_leaves_the_play_as_it_was(
    desk: Desk, tmp_path: Path, gong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower_budgets(monkeypatch)
    desk.open(tmp_path / "gong.yaml", gong)
    units = [{"at": "f4", "unit": "Gong", "owner": "raven"}]
    position = {"to_act": "raven", "units": units, "hand": {"raven": ["Gong"]}}
    view = desk.ask("warchest/play/new", {"position": position})
    move = next(one["id"] for one in view["options"] if one["act"] == "move")
    asked = {"play": view["play"], "count": 0, "id": move}
    assert desk.refused("warchest/play/apply", asked)
    again = desk.ask("warchest/play/view", {"play": view["play"]})
    assert (again["count"], again["options"]) == (0, view["options"])


REFUSED = [
    ("warchest/play/new", {"seed": -1}, "seed"),
    ("warchest/play/new", {"seed": 2**60}, "seed"),
    ("warchest/play/new", {"seed": True}, "seed"),
    ("warchest/play/new", {"setup": "None"}, "setup"),
    ("warchest/play/new", {"position": []}, "position"),
    ("warchest/play/new", {"position": {"x": 1}}, "x"),
    ("warchest/play/new", {"viewer": "fox"}, "viewer"),
    ("warchest/play/new", {"colour": 1}, "colour"),
    ("warchest/play/new", {"armies": {"raven": ["Knight"] * 20_000}}, "armies"),
    ("warchest/play/view", {}, "play"),
    ("warchest/play/view", {"play": "99"}, "play"),
    ("warchest/play/apply", {"play": "1", "count": 10**30, "id": "x"}, "count"),
    ("warchest/play/apply", {"play": "1", "count": 5, "id": "x"}, "count"),
    ("warchest/play/apply", {"play": "1", "count": 0, "id": "x"}, "x"),
    ("warchest/play/bot", {"play": "1", "bot": "none"}, "bot"),
    ("warchest/play/bot", {"play": "1", "bot": "mcts:10000000"}, "bot"),
    ("warchest/play/bot", {"play": "1", "bot": "mcts:2000x3"}, "bot"),
    ("warchest/play/bot", {"play": "1", "bot": "greedy", "until": "viewer"}, "viewer"),
    ("warchest/play/whyNot", {"play": "1", "what": 7}, "what"),
    ("warchest/picture", {}, "play"),
    ("warchest/picture", {"play": "1", "prefix": '"><script>'}, "prefix"),
    ("warchest/rulings/run", {"uri": "http://x"}, "URI"),
    ("warchest/words", {"textDocument": {"uri": "file:///n"}, "position": {"line": 0}}, "character"),
]


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("cards")
    made = Desk(folder)
    made.open(folder / FILE, CARD)
    made.ask("warchest/play/new", {"seed": 1})
    return made


@pytest.mark.parametrize(("method", "params", "named"), REFUSED)
def test_nonsense_is_refused_by_name_and_the_play_goes_on(
    lasting: Desk, method: str, params: dict[str, Any], named: str
) -> None:
    assert named in lasting.refused(method, params)
    assert lasting.ask("warchest/play/view", {"play": "1"})["count"] == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, Any]:
    """A method of the server with parameters that are anything, or nearly fit."""
    made = Inside()
    method = draw(st.sampled_from([*made.connection.methods, "no/such"]))
    if draw(st.booleans()):
        return method, draw(JSON)
    keys = [
        "textDocument",
        "position",
        "range",
        "play",
        "count",
        "id",
        "uri",
        "what",
        "to",
        "name",
        "bot",
        "data",
        "label",
        "command",
        "arguments",
        "newName",
        "seed",
        "contentChanges",
        "text",
    ]
    values = JSON | st.sampled_from([{"uri": "file:///a.yaml"}, {"line": 0, "character": 0}, "1", 0, 10**40, [{}]])
    return method, draw(st.dictionaries(st.sampled_from(keys), values, max_size=5))


@given(call=calls())
def test_anything_gets_an_answer_and_the_server_lives(lasting: Desk, call: tuple[str, Any]) -> None:
    method, params = call
    if method not in ("initialize", "shutdown", "exit"):
        answer = lasting.answer(method, params)
        assert ("result" in answer) != ("error" in answer)
        lasting.notify(method, params)
    assert lasting.ask("warchest/play/view", {"play": "1"})["play"] == "1"


@given(text=st.text(max_size=30) | JSON.map(str), data=st.binary(max_size=30))
def test_no_input_ends_the_connection(lasting: Desk, text: str, data: bytes) -> None:
    lasting.connection.receive(text)
    lasting.connection.receive(data)
    assert lasting.connection.exit_code is None
