"""Work done at once, and in idle moments: findings of changed texts, of new files, and of settings."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from inside import CARD, Inside

from warchest.lsp.text_positions import uri_of

WRONG = CARD.replace("  attack.", "  atack.")
UNTIDY = CARD.replace("  attack.", "  attack a target.\n  if this can attack, attack.")
VAIN = CARD.replace("after this attacks, it may move.", "when this falls, this attacks.")


@pytest.fixture
def opened(tmp_path: Path) -> tuple[Inside, Path]:
    made, file = Inside(tmp_path), tmp_path / "halberdier.yaml"
    made.open(file, CARD)
    made.idle()
    assert made.published(file) == [(1, [])]
    return made, file


def test_errors_come_at_once_and_warnings_when_idle(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    inside.change(file, WRONG, 2)
    assert inside.published(file)[-1] == (2, ["WC201"])
    inside.change(file, VAIN, 3)
    assert inside.published(file)[-1] == (2, ["WC201"])
    inside.idle()
    assert inside.published(file)[-1] == (3, ["WC411"])


def test_the_linting_of_an_older_text_is_given_up(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    inside.change(file, VAIN, 2)
    assert inside.connection.has_work
    inside.connection.work_idly()
    inside.change(file, CARD, 3)
    inside.idle()
    assert inside.published(file) == [(1, []), (3, [])]


def test_only_the_last_of_several_waiting_texts_is_checked(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    for version in range(2, 6):
        inside.connection.put(
            json.dumps(
                {
                    "jsonrpc": "2.0",
                    "method": "textDocument/didChange",
                    "params": {
                        "textDocument": {"uri": uri_of(str(file)), "version": version},
                        "contentChanges": [{"text": WRONG}],
                    },
                }
            )
        )
    while inside.connection.is_pending:
        inside.connection.work()
    assert inside.published(file) == [(1, []), (5, ["WC201"])]


def test_requests_come_before_the_check_of_a_text(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    before = len(inside.texts)
    put = inside.connection.put
    put(
        json.dumps(
            {
                "jsonrpc": "2.0",
                "method": "textDocument/didChange",
                "params": {
                    "textDocument": {"uri": uri_of(str(file)), "version": 2},
                    "contentChanges": [{"text": WRONG}],
                },
            }
        )
    )
    asked = {"textDocument": {"uri": uri_of(str(file))}}
    put(json.dumps({"jsonrpc": "2.0", "id": 90, "method": "textDocument/documentSymbol", "params": asked}))
    while inside.connection.is_pending:
        inside.connection.work()
    assert [one.get("method", one.get("id")) for one in inside.messages[before:]] == [
        90,
        "textDocument/publishDiagnostics",
    ]


def test_a_request_that_waits_can_be_cancelled_and_is_answered_so(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    before, put = len(inside.texts), inside.connection.put
    asked = {"textDocument": {"uri": uri_of(str(file))}}
    for number in (70, 71, 72):
        put(json.dumps({"jsonrpc": "2.0", "id": number, "method": "textDocument/documentSymbol", "params": asked}))
    for number in (71, "70", 99, True, None):
        put(json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}}))
    put(json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": 4}))
    while inside.connection.is_pending:
        inside.connection.work()
    came = {one["id"]: one for one in inside.messages[before:]}
    assert came[71]["error"]["code"] == -32800
    assert "result" in came[70] and "result" in came[72] and len(came) == 3


def test_a_new_file_counts_before_it_is_saved(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    naming = CARD.replace("after this attacks, it may move.", "after a friendly Poleaxeman attacks, this may move.")
    inside.change(file, naming, 2)
    assert inside.published(file)[-1] == (2, ["WC208"])
    other = file.with_name("poleaxeman.yaml")
    inside.open(other, "unit: Poleaxeman\ncoins: 4\ntactic: |\n  attack.\n")
    inside.change(file, naming, 3)
    inside.idle()
    assert inside.published(file)[-1] == (3, []) and not other.exists()
    place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 6, "character": 24}}
    (found,) = inside.ask("textDocument/definition", place)
    assert found["uri"] == uri_of(str(other))
    inside.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(str(other))}})
    inside.change(file, naming, 4)
    assert inside.published(file)[-1] == (4, ["WC208"])


def test_a_file_that_is_removed_does_not_count(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    other = file.with_name("poleaxeman.yaml")
    other.write_text("unit: Poleaxeman\ncoins: 4\ntactic: |\n  attack.\n", encoding="utf-8")
    naming = CARD.replace("after this attacks, it may move.", "after a friendly Poleaxeman attacks, this may move.")
    inside.notify("workspace/didChangeWatchedFiles", {"changes": []})
    inside.change(file, naming, 2)
    inside.idle()
    assert inside.published(file)[-1] == (2, [])
    other.unlink()
    inside.notify("workspace/didChangeWatchedFiles", {"changes": []})
    assert inside.published(file)[-1] == (2, ["WC208"])


def test_a_text_that_is_no_yaml_leaves_the_others_as_they_are(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    other = file.with_name("other.yaml")
    for version, text in enumerate(["unit: [", "\0", "\ufffe", "- - -\n  ?", "{" * 5000, "a: *b", ""], 1):
        inside.open(other, text, version)
        inside.idle()
        assert inside.published(other)[-1][0] == version
        inside.change(file, CARD, 10 + version)
        inside.idle()
        assert inside.published(file)[-1] == (10 + version, [])
        place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 6, "character": 10}}
        assert "read as:" in inside.ask("textDocument/hover", place)["contents"]["value"]
    assert not any(one.get("method") == "window/logMessage" for one in inside.messages)


def test_an_empty_folder_of_cards_is_allowed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "wc-lint.toml").write_text('cards = ["mine"]\n', encoding="utf-8")
    inside, file = Inside(tmp_path), tmp_path / "mine" / "halberdier.yaml"
    assert inside.ask("warchest/set", {"uri": uri_of(str(file))})["game"] == "war-chest"
    inside.open(file, CARD)
    inside.idle()
    assert inside.published(file) == [(1, [])]
    names = {one["name"] for one in inside.ask("warchest/set", {})["files"]}
    assert "Halberdier" in names


def test_changed_settings_count_from_the_next_change_on(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    inside.change(file, VAIN, 2)
    inside.idle()
    assert inside.published(file)[-1] == (2, ["WC411"])
    settings = file.with_name("wc-lint.toml")
    settings.write_text('ignore = ["WC411"]\n', encoding="utf-8")
    inside.change(file, VAIN, 3)
    inside.idle()
    assert inside.published(file)[-1] == (3, [])
    settings.write_text('ignore = ["WC411"\n', encoding="utf-8")
    os.utime(settings, (1, 1))
    inside.change(file, VAIN, 4)
    inside.change(file, VAIN, 5)
    inside.idle()
    (fault,) = [one["params"] for one in inside.messages if one.get("method") == "window/showMessage"]
    assert "wc-lint.toml" in fault["message"] and inside.published(file)[-1] == (5, [])
    settings.unlink()
    inside.notify("workspace/didChangeWatchedFiles", {"changes": []})
    inside.idle()
    assert inside.published(file)[-1] == (5, ["WC411"])


def test_cards_of_the_settings_are_known(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "library" / "poleaxeman.yaml").write_text("unit: Poleaxeman\ncoins: 4\ntactic: |\n  attack.\n")
    (tmp_path / "wc-lint.toml").write_text('cards = ["library"]\n', encoding="utf-8")
    inside, file = Inside(tmp_path), tmp_path / "own" / "halberdier.yaml"
    inside.open(file, CARD.replace("after this attacks, it", "after a friendly Poleaxeman attacks, this"))
    inside.idle()
    assert inside.published(file) == [(1, [])]
    names = {one["name"] for one in inside.ask("warchest/set", {})["files"]}
    assert {"Halberdier", "Poleaxeman"} <= names


def test_a_saved_file_that_is_open_is_not_read_again(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    other = file.with_name("poleaxeman.yaml")
    other.write_text("unit: [", encoding="utf-8")
    for path, kind, count in ((file, 2, 0), (other, 1, 1), (other, 2, 1), (other, 3, 1)):
        before = len(inside.published(file))
        told = {"changes": [{"uri": uri_of(str(path)), "type": kind}]}
        inside.notify("workspace/didChangeWatchedFiles", told)
        inside.idle()
        assert len(inside.published(file)) == before + count


def test_files_are_watched_where_the_client_can(tmp_path: Path) -> None:
    inside = Inside()
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    inside.ask("initialize", {"rootUri": uri_of(str(tmp_path)), "capabilities": capabilities})
    inside.notify("initialized", {})
    assert inside.messages[-1]["method"] == "client/registerCapability"
    inside.connection.receive('{"jsonrpc": "2.0", "id": "files", "result": null}')


def test_words_of_a_completion_have_their_meanings(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 6, "character": 29}}
    items = {one["label"]: one for one in inside.ask("textDocument/completion", place)["items"]}
    told = {
        name: inside.ask("completionItem/resolve", items[name]).get("documentation", "")
        for name in ("attack", "move", "choose")
    }
    assert told["attack"].startswith("to attack a target:") and told["move"].startswith("to move to a space:")
    assert told["choose"].startswith("as in:")
    assert inside.ask("completionItem/resolve", {"label": "x"}) == {"label": "x"}


def test_hints_name_antecedents_and_deciders(opened: tuple[Inside, Path]) -> None:
    inside, file = opened
    text = CARD.replace("  attack.", "  choose an enemy unit adjacent to this.\n  that unit loses a coin.")
    inside.change(file, text, 2)
    asked = {
        "textDocument": {"uri": uri_of(str(file))},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}},
    }
    told = [(one["position"]["line"], one["label"]) for one in inside.ask("textDocument/inlayHint", asked)]
    assert (4, "← you choose") in told and (5, "= an enemy unit adjacent to this") in told and (7, "= this") in told
    asked["range"] = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 60}}  # type: ignore[dict-item]
    assert [one["position"]["line"] for one in inside.ask("textDocument/inlayHint", asked)] == [4]


def test_a_picture_is_shown_where_the_client_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    monkeypatch.setenv("WARCHEST_CACHE", str(kept))
    inside, file = Inside(), tmp_path / "halberdier.yaml"
    inside.ask("initialize", {"capabilities": {"window": {"showDocument": {"support": True}}}})
    inside.open(file, CARD)
    asked = {"command": "warchest.picture", "arguments": [{"uri": uri_of(str(file)), "name": "It goes two spaces"}]}
    drawn = inside.ask("workspace/executeCommand", asked)["svg"]
    (shown,) = [one["params"] for one in inside.messages if one.get("method") == "window/showDocument"]
    assert shown["external"] and shown["uri"] == uri_of(str(kept / "pictures" / "ruling.svg"))
    assert (kept / "pictures" / "ruling.svg").read_text(encoding="utf-8") == drawn and "<style>" in drawn
    assert "no command" in inside.refused("workspace/executeCommand", {"command": "x", "arguments": []})
