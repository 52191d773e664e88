"""Input from a stranger can steer no terminal and hide nothing, in any file and with any command."""

from __future__ import annotations

import copy
import json
import os
import pty
import re
import sys
import unicodedata
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from copied import Copy
from loaded import shipped
from warchest.cli.main import main
from warchest.lint.wc_lint import main as lint
from warchest.replay import Session, Unreadable, load, save
from warchest.streams import ask

UNSEEN = "x\x1b]0;PWNED\x07\x1b[2J\x9b31m\u202e\u2028\u2066\u200b\ufeff\r\x7f\x85\U000e0041y"
"""Characters that set the title of a terminal, clear it, ring, turn the reading direction, end lines, and hide."""

HIDING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
GAME = shipped()


def raw(text: str) -> str:
    """The characters of a text that are not to be printed."""
    return "".join(sign for sign in text if sign != "\n" and unicodedata.category(sign) in HIDING)


def quoted(text: str) -> str:
    """A text in double quotes, with an escape for all that cannot be seen."""
    written: str = yaml.safe_dump(text, default_style='"', width=10**6)
    return written.strip()


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all texts in a value; a key is a place, too, with None after it."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield (*path, key, None)
            yield from leaves(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from leaves(below, (*path, index))
    elif isinstance(value, str):
        yield path


def with_text(value: Any, path: tuple[Any, ...], text: str) -> Any:
    """A copy of a value with some text added after that at a place."""
    made = copy.deepcopy(value)
    spot, last = made, path[-1]
    for step in path[:-1] if last is not None else path[:-2]:
        spot = spot[step]
    if last is None:
        key = path[-2]
        items = [(f"{one}{text}" if one == key else one, below) for one, below in spot.items()]
        spot.clear()
        spot.update(items)
    else:
        spot[last] += text
    return made


def test_the_oracle_sees_what_must_not_be_printed() -> None:
    assert len(raw(UNSEEN)) == 13 and raw("é 漢字\n") == ""


# ---- contents of a print, were it not refused before

CARDS = {
    "scribe.yaml": """
unit: Scribe
coins: 4
source: {0}
ruling: {0}
tactic: |
  move.
rulings:
  - {{name: {0}, source: {0}, position: {{to_act: raven, initiative: raven}}, decides: wolf}}
  - {{name: {0}, ruling: {0}, position: {{to_act: raven, initiative: raven}}, then: {{to_act: raven}}}}
""",
    "scout.yaml": """
rulings: Scout
ruling: {0}
cases:
  - {{name: {0}, position: {{to_act: raven, initiative: raven}}, then: {{to_act: wolf}}}}
""",
    "erratum.yaml": """
errata: Scribe 2
ruling: {0}
amends: {{kind: unit, name: Scribe}}
option: {{name: scribe, value: {0}, otherwise: {0}}}
replace: {{tactic: "move. {1}"}}
""",
    "question.yaml": """
question: Scribe range
about: [Scribe]
asks: {0}
readings:
  - {{reading: {0}, used by: [{0}]}}
  - {{reading: {0}}}
taken: {0}
because: {0}
not offered: {0}
source: {0}
""",
}


def folder_of(root: Path, *names: str) -> Path:
    """A folder of cards in which every free text has invisible characters."""
    root.mkdir()
    for name in names or CARDS:
        (root / name).write_text(CARDS[name].format(quoted(UNSEEN), UNSEEN[1:3]), encoding="utf-8")
    return root


@pytest.fixture
def let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Accept texts that the reader should refuse, as if the check had been forgotten."""
    monkeypatch.setattr("warchest.source.yaml.first_hidden", lambda text: "")
    monkeypatch.setattr("warchest.replay.file._check_texts", lambda values: None)


@pytest.mark.usefixtures("let_in")
def test_every_verb_shows_the_texts_of_cards_as_escapes(run: Any, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "cards", "scribe.yaml", "scout.yaml", "question.yaml")
    for words in (
        ["show", "Scribe"],
        ["rulings", "Scribe"],
        ["rulings", "--open", "Scribe"],
        ["read", "Scribe"],
        ["test", folder, "-v", "--jobs", "1"],
    ):
        for form in ("text", "json"):
            ran = run(*words, "--cards", folder, "--format", form)
            assert raw(ran.out + ran.err) == "" and ran.out
            assert words[0] == "read" or (r"x\x1b]0" if form == "text" else r"x\u001b]0") in ran.out, words
            assert form == "text" or ran.json


@pytest.mark.usefixtures("let_in")
def test_every_verb_shows_the_texts_of_errata_and_options_as_escapes(run: Any, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "cards", "scribe.yaml")
    text = CARDS["erratum.yaml"].replace('replace: {{tactic: "move. {1}"}}', "replace:\n  tactic: |\n    attack.")
    (folder / "erratum.yaml").write_text(text.format(quoted(UNSEEN)), encoding="utf-8")
    few = ["-n", "1", "--cap", "2"]
    for words in (
        ["errata"],
        ["show", "Scribe"],
        ["errata", "--option", "scribe=nothing"],
        ["sim", *few, "--show"],
        ["sim", *few, "--option", "scribe=x"],
    ):
        for form in ("text", "json"):
            ran = run(*words, "--cards", folder, "--format", form)
            assert raw(ran.out + ran.err) == "" and (words[0] == "sim" or "PWNED" in ran.out + ran.err)


@pytest.mark.usefixtures("let_in")
def test_the_table_and_saved_games_have_no_raw_characters(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path / "cards", "scribe.yaml")
    typed = iter(["show Scribe", f"show {UNSEEN}", f"why not {UNSEEN}", UNSEEN, "log", "help", "1", "quit"])
    asked = []
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or next(typed))
    ran = run("play", "--cards", folder, "--seed", "3", "--save", tmp_path / "game.json", "--bot", "random")
    assert raw(ran.out + ran.err + "".join(asked)) == "" and ran.out.count("PWNED") > 5
    assert raw((tmp_path / "game.json").read_text(encoding="utf-8")) == ""


@pytest.mark.usefixtures("let_in")
@pytest.mark.parametrize("form", ["text", "concise", "json", "github"])
def test_findings_show_escapes(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path / "cards")
    bad = quoted(UNSEEN)
    (folder / "wrong.yaml").write_text(f"unit: {bad}\n{bad}: {bad}\n", encoding="utf-8")
    (folder / "raw.yaml").write_text(f"unit: Knave {UNSEEN}\ncoins: {UNSEEN}\n", encoding="utf-8", newline="")
    assert lint([str(folder), "--format", form]) == 1
    shown = capsys.readouterr()
    assert raw(shown.out + shown.err) == "" and "PWNED" in shown.out


def test_pictures_show_escapes(run: Any, position: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    from warchest.picture import svg
    from warchest.picture.scene import scene

    seen = replace(scene(GAME.new(seed=1)), title=UNSEEN, facts=((UNSEEN, UNSEEN),), legend=((UNSEEN, UNSEEN),))
    assert raw(svg(seen)) == "" and "PWNED" in svg(seen)


def test_a_prompt_shows_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: prompt)
    assert raw(ask(f"{UNSEEN} > ")) == "" and "\n" not in ask("a\nb > ")


def test_a_fault_of_the_program_shows_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError(UNSEEN)
    except ValueError as error:
        main(["--version"])
        sys.excepthook(ValueError, error, error.__traceback__)
    shown = capsys.readouterr().err
    assert raw(shown) == "" and r"ValueError: x\x1b]0" in shown and "test_unseen.py" in shown


# ---- what is refused when it is read

PLACES = ("source: {}", "tactic: {}", "{}: x", "rulings: [{{name: {}}}]")
"""The lines of a card in which a text can be: as a value, a block, a key, and in a ruling."""


def test_an_escape_in_a_card_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A card for each escape in each place, all of them linted at once."""
    lines = {}
    escapes = (
        r"\e",
        r"\a",
        r"\x9b",
        r"\u202e",
        r"\r",
        r"\L",
        r"\P",
        r"\N",
        r"\0",
        r"\x7f",
        r"\u200b",
        r"\U000e0041",
        r"\ufeff",
        r"\u3164",
    )
    for number, (escape, where) in enumerate(product(escapes, PLACES)):
        file = tmp_path / f"{number}.yaml"
        lines[str(file)] = where.format(f'"a{escape}b"')
        file.write_text(f"unit: Scribe {number}\ncoins: 4\n{lines[str(file)]}\n", encoding="utf-8")
    assert lint([str(tmp_path), "--format", "json"]) == 1
    found = [one for one in json.loads(capsys.readouterr().out) if one["name"] == "invisible-character"]
    places = {one["file"]: (one["line"], one["column"]) for one in found}
    assert places == {file: (3, line.index('"a') + 1) for file, line in lines.items()} and len(found) == len(lines)
    assert all("means U+" in one["message"] and one["help"] == "leave the escape out" for one in found)


OF_SEVERAL_LINES = (
    ('unit: "Pike {}\\n"\nset: base', "unit"),
    ('unit: Pike {}\nset: "base\\n"', "set"),
    ("unit: |\n  Pike {}", "unit"),
    ('unit: Pike {}\nsource: "000\\n p.1"', "source"),
    ("unit: Pike {}\nsource: |\n  000 p.1", "source"),
    ('unit: Pike {}\nsource: " 000 p.1"', "source"),
    ('unit: Pike {}\nsource: "000\\tp.1"', "source"),
    ('unit: " Pike {}"', "unit"),
)
"""Cards with a name, a set or a source that is no single line, and the key of it."""


def test_names_and_sources_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = {}
    for number, (text, key) in enumerate(OF_SEVERAL_LINES):
        file = tmp_path / f"{number}.yaml"
        file.write_text(f"{text.format(number)}\ncoins: 4\n", encoding="utf-8")
        lines[str(file)] = next(at for at, line in enumerate(text.split("\n"), 1) if line.startswith(f"{key}:"))
    assert lint([str(tmp_path), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {one["file"]: one["line"] for one in found} == lines and len(found) == len(lines)
    assert all(one["name"] == "malformed-value" and one["help"] and "\n" not in one["message"] for one in found)


def test_the_texts_of_rules_keep_their_lines(tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text("unit: Scribe\ncoins: 4\nsource: x\ntactic: |\n  move,\n  then attack.\n")
    assert lint([str(tmp_path / "card.yaml")]) == 0


POSITION: dict[str, Any] = {
    "game": "war-chest",
    "to_act": "raven",
    "initiative": "raven",
    "control": {"raven": ["e2"], "wolf": ["g6"]},
    "units": [{"at": "f4", "unit": "Scout", "owner": "raven", "coins": 2}],
    "hand": {"raven": ["Scout"]},
    "options": {"royal_guard": "original"},
}


@pytest.mark.parametrize("path", list(leaves(POSITION)), ids=str)
def test_a_position_is_refused_at_the_place(path: tuple[Any, ...], run: Any, tmp_path: Path) -> None:
    text = json.dumps(with_text(POSITION, path, UNSEEN.replace("\U000e0041", "")))
    (tmp_path / "bad.json").write_text(text, encoding="utf-8")
    ran = run("moves", tmp_path / "bad.json")
    assert ran.code == 2 and raw(ran.out + ran.err) == ""
    column = int(re.findall(r"bad\.json:1:([0-9]+)", ran.err)[0])
    assert "an escape means U+001B" in ran.err and "PWNED" in text[column - 1 :].split('"')[1]


@pytest.mark.parametrize("verb", [["moves"], ["view", "raven"], ["show"], ["perft"], ["play", "--position"]])
@pytest.mark.parametrize("form", ["text", "json"])
def test_every_verb_refuses_such_a_position(verb: list[str], form: str, run: Any, tmp_path: Path) -> None:
    for index, text in enumerate((json.dumps({"to_act": "raven\x1b[2J"}), f"to_act: raven{UNSEEN}\n")):
        file = tmp_path / f"{index}.json"
        file.write_text(text, encoding="utf-8", newline="")
        words = [verb[0], file, *verb[1:]] if verb[0] != "play" else [*verb, file]
        ran = run(*words, "--format", form)
        assert ran.code == 2 and raw(ran.out + ran.err) == "" and (index or verb[0] == "play" or "U+001B" in ran.err)


@pytest.fixture(scope="module")
def replay() -> Any:
    """A short replay, as its file has it."""
    from warchest.replay.file import written

    session = Session.new(GAME, 7)
    while len(session.taken) < 12 and session.state.decision is not None:
        if session.state.decision.is_chance:
            session.roll()
        else:
            session.take(session.state.decision.options[0])
    return json.loads(written(session.replay()))


def test_a_replay_is_refused_at_the_key(replay: Any, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    places = [path for path in leaves(replay) if path[0] != "cards"]
    for path in places:
        file.write_text(json.dumps(with_text(replay, path, UNSEEN)), encoding="utf-8")
        with pytest.raises(Unreadable) as refused:
            load(file)
        said = str(refused.value)
        assert "holds a character that ends the line or cannot be seen" in said and raw(said) == ""
        above = [step for step in path if isinstance(step, str)][: -1 if path[-1] is None else None]
        assert all(key in said for key in above)
    assert len(places) > 100


@pytest.mark.parametrize("words", [["replay"], ["replay", "--short"], ["replay", "--at", "1"], ["play", "--resume"]])
@pytest.mark.parametrize("place", [("start", "position", "to_act"), ("replay",), ("taken", 0, "option", "act")])
@pytest.mark.parametrize("closed", [True, False])
def test_every_verb_refuses_such_a_replay(
    words: list[str],
    place: tuple[Any, ...],
    closed: bool,
    replay: Any,
    run: Any,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    if not closed:
        request.getfixturevalue("let_in")
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(with_text(replay, place, UNSEEN)), encoding="utf-8")
    for form in ("text", "json") if words[0] == "replay" else ("text",):
        ran = run(*words, file, "--format", form)
        assert ran.code in (1, 2) and raw(ran.out + ran.err) == "" and "PWNED" in ran.err


SCRIBE = "unit: Scribe\ncoins: 4\nsource: x\ntactic: |\n  move.\n"
SCRIPT = "P1: Foot@h7n 3/4/5\n> move Foot F\n= winner P1\n"


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_script_is_refused_at_the_place(form: str, run: Any, tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    for number, line in enumerate(SCRIPT.splitlines()):
        for sign in ("\x1b", "\x07", "\x9b", "\u202e", "\u2028", "\u200b"):
            for bad in (line.replace("o", sign, 1).replace("i", sign, 1), f"{line} # {sign}"):
                file.write_text(SCRIPT.replace(line, bad), encoding="utf-8")
                ran = run("script", file, "--format", form)
                assert ran.code == 1 and raw(ran.out + ran.err) == ""
                where = f'"line": {number + 1}' if form == "json" else f"bad.txt:{number + 1}:"
                assert f"the character U+{ord(sign):04X} cannot be seen" in ran.out and where in ran.out


# ---- arguments, and names of files and folders


NAME = f"{UNSEEN}\nPWNED \udc9b"
"""The same with an end of the line, and a byte that is no part of a character, as names of files can have them."""


@pytest.mark.parametrize(
    "words",
    [
        ["{}"],
        ["show", "{}"],
        ["show", "{}", "--format", "json"],
        ["show", "Archer", "--viewer", "{}"],
        ["show", "{}.json"],
        ["read", "move.", "--on", "{}"],
        ["replay", "{}"],
        ["errata", "--option", "royal_guard={}"],
        ["moves", "{}"],
        ["moves", "-", "{}"],
        ["view", "pos", "{}"],
        ["view", "{}", "raven"],
        ["perft", "{}"],
        ["perft", "pos", "--depth", "{}"],
        ["test", "{}"],
        ["test", "--jobs", "{}"],
        ["rulings", "{}"],
        ["rulings", "--open", "{}"],
        ["read", "{}"],
        ["read", "{}."],
        ["read", "move {}."],
        ["read", "move.", "--as", "{}"],
        ["errata", "--option", "{}"],
        ["errata", "--option", "{}=x"],
        ["script", "{}"],
        ["errata", "--date", "{}"],
        ["errata", "--sets", "{}"],
        ["replay", "x", "--at", "{}"],
        ["sim", "--bots", "{}"],
        ["sim", "--seed", "{}"],
        ["sim", "--setup", "{}"],
        ["sim", "--armies", "{}"],
        ["sim", "--armies", "{}=Scout"],
        ["sim", "--armies", "raven={}"],
        ["bench", "--bot", "{}"],
        ["sim", "--collection", "{}"],
        ["play", "--as", "{}"],
        ["play", "--bot", "{}"],
        ["play", "--resume", "{}"],
        ["play", "--position", "{}"],
        ["show", "Archer", "--game", "{}"],
        ["show", "Archer", "--cards", "{}"],
        ["show", "Archer", "--format", "{}"],
        ["show", "Archer", "--{}"],
        ["sim", "--seconds={}"],
    ],
    ids=" ".join,
)
def test_arguments_are_repeated_with_escapes(
    words: list[str], run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pos").write_text(json.dumps(POSITION), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ran = run(*(word.format(NAME) for word in words))
    shown = ran.out + ran.err
    assert ran.code in (1, 2) and shown and raw(shown) == "" and "\nPWNED" not in shown


def test_names_of_files_and_folders_are_shown_with_escapes(
    run: Any, replay: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / NAME
    root.mkdir()
    cards = root / "cards"
    cards.mkdir()
    case = "rulings:\n  - {name: It goes on, source: x, position: {to_act: raven, initiative: raven}, decides: wolf}\n"
    (cards / f"{NAME}.yaml").write_text(f"{SCRIBE}{case}", encoding="utf-8")
    (root / "pos").write_text(json.dumps(POSITION), encoding="utf-8")
    (root / "bad").write_text("to_act: nobody\n", encoding="utf-8")
    (root / "script").write_text(SCRIPT, encoding="utf-8")
    (root / "replay").write_text(json.dumps(replay), encoding="utf-8")
    (root / "misfit").write_text(json.dumps(with_text(replay, ("taken", 0, "option", "act"), "x")), encoding="utf-8")
    (root / "other").write_text("x", encoding="utf-8")
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    for words in (
        ["show", "Scribe", "--cards", cards],
        ["rulings", "Scribe", "--cards", cards],
        ["test", "-v", cards, "--jobs", "1"],
        ["replay", root / "bad"],
        ["moves", root / "bad"],
        ["moves", root],
        ["show", root / "pos", "--svg", root / "picture.svg"],
        ["script", root / "script"],
        ["script", root / "pos"],
        ["replay", root / "misfit"],
        ["play", "--seed", "1", "--save", root / "saved"],
        ["play", "--save", root / "other"],
        ["play", "--resume", root / "saved", "--cards", cards],
        ["read", "Scribe", "--cards", cards],
        ["show", "Scribe", "--cards", root / "nothing"],
    ):
        for form in ("text", "json") if words[0] != "play" else ("text",):
            ran = run(*words, "--format", form)
            assert raw(ran.out + ran.err) == "" and "\nPWNED" not in ran.out + ran.err, words
    (root / "wrong.yaml").write_text("unit: Scribe\n", encoding="utf-8")
    for form in ("text", "concise", "json", "github"):
        lint([str(root), "--format", form])
        shown = capsys.readouterr()
        assert raw(shown.out + shown.err) == "" and "\nPWNED" not in shown.out and "PWNED" in shown.out
    for file in ("picture.svg", "saved"):
        assert raw((root / file).read_text(encoding="utf-8")) == ""


def test_colours_reach_a_terminal_and_nothing_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / UNSEEN
    folder.mkdir()
    (folder / "card.yaml").write_text(SCRIBE, encoding="utf-8")
    (folder / "wrong.txt").write_text(f"unit: {quoted(UNSEEN)}\n{UNSEEN}: 4\n", encoding="utf-8", newline="")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for command, words in ((main, ["show", "Scribe", "--cards", str(folder)]), (lint, [str(folder / "wrong.txt")])):
        terminal, end = pty.openpty()
        with Copy(lambda command=command, words=words: command(words), end, end, end):  # type: ignore[misc]
            os.close(end)
            shown = b""
            try:
                while part := os.read(terminal, 1 << 16):
                    shown += part
            except OSError:  # the other end has been closed
                pass
        os.close(terminal)
        text = shown.decode().replace("\r\n", "\n")
        assert "\x1b[1" in text and raw(re.sub(r"\x1b\[[0-9;]*m", "", text)) == "" and r"x\x1b]0;PWNED" in text


def test_saving_writes_escapes(tmp_path: Path) -> None:
    from dataclasses import replace

    session = Session.new(GAME, 7)
    save(tmp_path / "game.json", replace(session.replay(), options={"royal_guard": UNSEEN}))
    text = (tmp_path / "game.json").read_text(encoding="utf-8")
    assert raw(text) == "" and json.loads(text)["options"] == {"royal_guard": UNSEEN}
