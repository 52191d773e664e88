"""A session with the language server, as an editor has it: over standard input and output, with bad messages too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inside import CARD
from lsp_client import Client, client

from warchest.lsp.text_positions import offset_of, position_of, range_of, uri_of
from warchest.source.text import Source


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Path]]:
    folder = tmp_path_factory.mktemp("cards")
    file = folder / "halberdier.yaml"
    file.write_text(CARD, encoding="utf-8")
    with client(folder) as told:
        told.begin()
        told.open(file, CARD)
        assert told.found(file, 1) == []
        yield told, file


def put_right(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after the edits of an answer."""
    source = Source("", text)
    places = [
        (offset_of(source, one["range"]["start"]), offset_of(source, one["range"]["end"]), one["newText"])
        for one in edits
    ]
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def test_findings_come_as_one_types_and_have_fixes(session: tuple[Client, Path]) -> None:
    told, file = session
    wrong = CARD.replace("  attack.", "  atack.")
    told.change(file, wrong, 2)
    (found,) = told.found(file, 2)
    assert (found["code"], found["severity"], found["source"]) == ("WC201", 1, "wc-lint")
    assert found["range"] == {"start": {"line": 4, "character": 2}, "end": {"line": 4, "character": 7}}
    uri = uri_of(str(file))
    where = {"textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": [found]}}
    (action,) = told.ask("textDocument/codeAction", where)
    assert action["isPreferred"] and put_right(wrong, action["edit"]["changes"][uri]) == CARD
    told.change(file, CARD, 3)
    assert told.found(file, 3) == []


def test_a_newer_text_takes_the_place_of_an_older_one(session: tuple[Client, Path]) -> None:
    told, file = session
    for version in range(10, 15):
        told.change(file, CARD.replace("coins: 4", f"coins: {version}x"), version)
    told.change(file, CARD, 15)
    assert told.found(file, 15) == []
    told.waiting.clear()


def test_a_sentence_is_read_back(session: tuple[Client, Path]) -> None:
    told, file = session
    hover = told.at("textDocument/hover", file, 6, 10)
    assert hover["contents"]["kind"] == "plaintext"
    assert "read as:" in hover["contents"]["value"] and "It goes two spaces" in hover["contents"]["value"]
    assert hover["range"]["start"]["line"] == 6
    assert told.at("textDocument/hover", file, 1, 2) is None


def test_the_next_words_are_those_that_the_grammar_takes(session: tuple[Client, Path]) -> None:
    told, file = session
    listed = told.at("textDocument/completion", file, 6, len("  after this attacks, it may "))["items"]
    words = {one["label"] for one in listed}
    assert {"move", "attack"} <= words and "unit" not in words
    begun = told.at("textDocument/completion", file, 6, len("  after this attacks, it may mo"))["items"]
    assert begun[0]["label"] == "move" and all(one["label"].lower().startswith("mo") for one in begun)
    assert begun[0]["textEdit"]["range"]["start"]["character"] == len("  after this attacks, it may ")
    told.change(file, CARD.replace("coins: 4\n", "coins: 4\nsou"), 20)
    told.found(file, 20)
    keys = told.at("textDocument/completion", file, 2, 3)["items"]
    assert [one["label"] for one in keys] == ["source"]
    told.change(file, CARD, 21)
    told.found(file, 21)


def test_one_goes_from_a_word_to_where_it_is_declared_and_said(session: tuple[Client, Path]) -> None:
    told, file = session
    line, text = next((number, one) for number, one in enumerate(CARD.split("\n")) if "Scout" in one)
    (place,) = told.at("textDocument/definition", file, line, text.index("Scout") + 2)
    assert place["uri"].endswith("scout.yaml") and place["range"]["start"] == {"line": 0, "character": 6}
    verbs = told.at("textDocument/definition", file, 4, 4)
    assert any(one["uri"].endswith("war-chest/game.yaml") for one in verbs)
    own = told.at("textDocument/references", file, 0, 8, context={"includeDeclaration": True})
    assert [one["range"]["start"]["line"] for one in own if one["uri"] == uri_of(str(file))] == [0, 12, 13, 15]


def test_a_card_is_renamed_in_all_its_forms(session: tuple[Client, Path]) -> None:
    told, file = session
    plurals = CARD + "# Halberdiers are named here, too.\n"
    told.change(file, plurals, 25)
    told.found(file, 25)
    edits = told.at("textDocument/rename", file, 0, 8, newName="Poleaxeman")["changes"][uri_of(str(file))]
    assert put_right(plurals, edits) == plurals.replace("Halberdiers", "Poleaxemen").replace("Halberdier", "Poleaxeman")
    for name in ("Knight", "attack", "[x]", ""):
        place = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 0, "character": 8}, "newName": name}
        assert told.answer("textDocument/rename", place)["error"]["code"] == -32602
    other = {"textDocument": {"uri": uri_of(str(file))}, "position": {"line": 4, "character": 4}, "newName": "hit"}
    assert "comes with the package" in told.answer("textDocument/rename", other)["error"]["message"]
    told.change(file, CARD, 26)
    told.found(file, 26)


def test_words_have_their_sorts(session: tuple[Client, Path]) -> None:
    told, file = session
    data = told.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri_of(str(file))}})["data"]
    lines, line, character, sorts = CARD.split("\n"), 0, 0, {}
    for step, begin, length, sort, _ in zip(*[iter(data)] * 5, strict=True):
        line, character = line + step, begin + (0 if step else character)
        sorts[lines[line][character : character + length]] = sort
    assert (sorts["attack"], sorts["space"], sorts["2"], sorts["exactly"]) == (2, 5, 4, 0)


def test_rulings_say_whether_they_hold(session: tuple[Client, Path]) -> None:
    told, file = session
    where = {"textDocument": {"uri": uri_of(str(file))}}
    lenses = told.ask("textDocument/codeLens", where)
    lens, drawn, *others = [told.ask("codeLens/resolve", one) if "data" in one else one for one in lenses]
    assert lens["command"]["title"] == "passes" and lens["range"]["start"]["line"] == 8
    assert drawn["command"]["title"] == "picture"
    assert [(one["range"]["start"]["line"], one["command"]["title"]) for one in others] == [
        (3, "shown by 1 ruling"),
        (6, "shown by 1 ruling"),
    ]
    asked = {key: drawn["command"][key] for key in ("command", "arguments")}
    assert told.ask("workspace/executeCommand", asked)["svg"].startswith("<?xml")
    told.change(file, CARD.replace("{at: f5, unit: Halberdier, owner", "{at: e5, unit: Halberdier, owner"), 28)
    told.found(file, 28)
    lens = told.ask("codeLens/resolve", told.ask("textDocument/codeLens", where)[0])
    assert lens["command"]["title"].startswith("fails: units: ") and "\n" not in lens["command"]["title"]
    told.change(file, CARD, 29)
    told.found(file, 29)


def test_the_outline_has_documents_blocks_and_rulings(session: tuple[Client, Path]) -> None:
    told, file = session
    where = {"textDocument": {"uri": uri_of(str(file))}}
    (symbol,) = told.ask("textDocument/documentSymbol", where)
    assert (symbol["name"], symbol["detail"]) == ("Halberdier", "unit")
    assert [one["name"] for one in symbol["children"]] == ["coins", "tactic", "attribute", "rulings"]
    assert [one["name"] for one in symbol["children"][-1]["children"]] == ["It goes two spaces"]
    assert {"startLine": 2, "endLine": 4} in told.ask("textDocument/foldingRange", where)


def test_a_text_is_laid_out(session: tuple[Client, Path]) -> None:
    told, file = session
    untidy = CARD.replace("coins: 4", "coins:    4")
    told.change(file, untidy, 30)
    told.found(file, 30)
    where = {"textDocument": {"uri": uri_of(str(file))}, "options": {"tabSize": 2, "insertSpaces": True}}
    edits = told.ask("textDocument/formatting", where)
    assert "coins: 4\n" in put_right(untidy, edits)
    told.change(file, CARD, 31)
    told.found(file, 31)


def test_other_documents_are_passed_over(session: tuple[Client, Path]) -> None:
    told, file = session
    other = file.with_name("docker-compose.yaml")
    told.open(other, "services:\n  web: {image: nginx}\n")
    assert told.found(other, 1) == []


def test_broken_yaml_is_found_and_the_session_continues(session: tuple[Client, Path]) -> None:
    told, file = session
    told.change(file, "unit: [\n\t: ]{", 40)
    assert told.found(file, 40)
    assert told.at("textDocument/completion", file, 1, 1) is not None
    told.change(file, CARD, 41)
    assert told.found(file, 41) == []


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such", {}, -32601),
        ("textDocument/hover", None, -32602),
        ("textDocument/hover", {"textDocument": {"uri": "file:///none"}, "position": {}}, -32602),
        ("textDocument/hover", {"textDocument": {"uri": "http://x"}, "position": {}}, -32602),
        ("textDocument/completion", [], -32602),
        ("textDocument/codeAction", {"textDocument": {}}, -32602),
    ],
)
def test_nonsense_is_refused_and_the_server_lives(
    session: tuple[Client, Path], method: str, params: Any, code: int
) -> None:
    told, file = session
    assert told.answer(method, params)["error"]["code"] == code
    told.notify("textDocument/didChange", {"textDocument": 4})
    assert told.at("textDocument/hover", file, 6, 10) is not None


def test_bytes_that_are_no_message_are_refused(tmp_path: Path) -> None:
    with client(tmp_path) as told:
        assert told.answer("textDocument/hover", {})["error"]["code"] == -32002
        told.send(b"Content-Length: 3\r\n\r\n{x}")
        assert told.until(lambda one: "error" in one)["error"]["code"] == -32700
        told.send(b"Content-Length: 2\r\n\r\n[]")
        assert told.until(lambda one: "error" in one)["error"]["code"] == -32600
        told.begin()
        told.ask("shutdown", None)
        assert told.answer("textDocument/hover", {})["error"]["code"] == -32600
        told.notify("exit", None)
        assert told.process.wait(10) == 0


@pytest.mark.parametrize("text", ["", "a", "a\n", "ä\r\n𝄞x\r\n", "\n\n", "ab\ncd"])
def test_places_are_counted_as_the_protocol_counts(text: str) -> None:
    source = Source("", text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            assert offset_of(source, position_of(source, offset)) == offset
    assert range_of(source.span(0, 0))["start"] == {"line": 0, "character": 0}
    assert offset_of(source, {"line": 99, "character": 0}) == len(text)
