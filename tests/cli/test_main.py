"""The entry: commands, help, version, exit codes."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import warchest
from copied import CLOSED, Copy
from loaded import shipped
from warchest.cli.commands import COMMANDS, GROUPS, RENAMED, command_module, command_parser
from warchest.cli.main import main
from warchest.lint.wc_lint import main as lint

INTERPRETER = Path(warchest.__file__).resolve().parents[1]
HERE = ("moves", "perft", "test", "sim", "bench", "view")


def shell(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(INTERPRETER), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "warchest.cli.main", *arguments]
    how = {"capture_output": True, "text": True, "env": environment, "check": False, **more}
    return subprocess.run(command, **how)


def test_version(run: Any) -> None:
    assert run("--version").out == f"warchest {warchest.__version__}\n"


def test_the_command_runs_from_a_shell() -> None:
    done = shell("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("warchest ")


@pytest.mark.parametrize("program", ["warchest", "warchest.cli.main"])
def test_the_package_and_its_entry_can_be_run_as_modules(program: str) -> None:
    command = [sys.executable, "-m", program, "--version"]
    environment = {**os.environ, "PYTHONPATH": str(INTERPRETER)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (0, f"warchest {warchest.__version__}\n"), done.stderr


def test_help_lists_the_commands_in_groups(run: Any) -> None:
    ran = run("--help")
    assert ran.code == 0
    listed = re.findall(r"^(\w+): |^  ([a-z]+)  ", ran.out, re.MULTILINE)
    wanted = [one for group in GROUPS for one in ((group.name, ""), *(("", name) for name in group.commands))]
    assert listed[1 : len(wanted) + 1] == wanted  # after the usage
    assert all(len(line) <= 80 for line in ran.out.splitlines())


def test_help_for_a_command_can_be_asked_for_in_front(run: Any) -> None:
    assert run("help", "moves").out == run("moves", "--help").out
    assert run("help").out == run("--help").out
    assert "no command 'moevs'; did you mean `moves`?" in run("help", "moevs").err


@pytest.mark.parametrize("old", RENAMED)
def test_a_former_name_works_and_is_noted(old: str, run: Any) -> None:
    now = run(RENAMED[old], "--help")
    assert run(old, "--help") == replace(now, err=f"warchest: `{old}` is now called `{RENAMED[old]}`\n")
    assert old not in COMMANDS and RENAMED[old] in COMMANDS


def test_a_call_without_arguments_lists_the_commands(run: Any) -> None:
    ran = run()
    assert (ran.code, ran.out) == (2, "")
    assert "moves" in ran.err


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("mvoes", "did you mean `moves`?"),
        ("Show", "did you mean `show`?"),
        ("simulate", "did you mean `sim`?"),
        ("complete", "did you mean `completions`?"),
        ("mutate", "did you mean `mutants`?"),
        ("lint", "that is `wc-lint`"),
        ("fmt", "that is `wc-lint fmt`"),
        ("xyzzy", "`warchest --help` lists the commands"),
        ("", "`warchest --help` lists the commands"),
    ],
)
def test_an_unknown_command(given: str, hint: str, run: Any) -> None:
    ran = run(given)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"warchest: there is no command {given!r}; {hint}\n"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--frobnicate"], "warchest: unrecognized arguments: --frobnicate; see `warchest --help`"),
        (["sim", "--sead", "3"], "warchest sim: unrecognized arguments: --sead 3; did you mean `--seed`?"),
        (["sim", "--seeds=3"], "warchest sim: unrecognized arguments: --seeds=3; did you mean `--seed`?"),
        (["sim", "-n", "0"], "warchest sim: argument -n/--games: it is at least 1; see `warchest sim --help`"),
        (["moves", "x", "y"], "warchest moves: unrecognized arguments: y; see `warchest moves --help`"),
        (["moves"], "warchest moves: the following arguments are required: POSITION; see `warchest moves --help`"),
        (
            ["moves", "\x1b[2J", "--x\x07"],
            "warchest moves: unrecognized arguments: --x\\x07; see `warchest moves --help`",
        ),
    ],
)
def test_wrong_arguments_are_reported_in_one_line(given: list[str], told: str, run: Any) -> None:
    ran = run(*given)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{told}\n")


def test_a_command_that_is_not_installed_is_reported(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "warchest.cli.moves", None)
    ran = run("moves", "x.yaml")
    assert (ran.code, ran.err) == (2, "warchest: this installation lacks `moves`\n")


@pytest.mark.parametrize("name", HERE)
def test_every_command_has_help(name: str, run: Any) -> None:
    ran = run(name, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: warchest {name} ")
    for option in ("--cards", "--game", "--format"):
        assert option in ran.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_module_with_help_for_each_argument(name: str) -> None:
    command = command_module(name)
    assert command is not None and command.run
    assert command.__doc__ and not command.__doc__.split()[0].endswith("s"), "an imperative"
    for action in command_parser(name, command)._actions:
        assert action.help and not re.match(r"(what|who|whom|whose|how|where)\b", action.help), action.help
        assert not action.help.endswith(".") and action.help[0].islower(), action.help


@pytest.mark.parametrize("name", ["moves", "perft"])
def test_arguments_are_missing(name: str, run: Any) -> None:
    ran = run(name)
    assert (ran.code, ran.out) == (2, "")
    assert "POSITION" in ran.err


def test_an_unknown_game(run: Any, position: Path) -> None:
    ran = run("moves", position, "--game", "chess")
    assert (ran.code, ran.out) == (2, "")
    assert "warchest: --game: there is no game 'chess'; there are: " in ran.err and "war-chest" in ran.err


def test_unreadable_cards_are_reported(run: Any, position: Path, tmp_path: Path) -> None:
    assert "not-a-file" not in run("moves", position).err
    ran = run("moves", position, "--cards", tmp_path / "none")
    assert ran.code == 2
    assert "unreadable-file" in ran.err


def test_wrong_cards(run: Any, position: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cards"
    folder.mkdir()
    (folder / "rider.yaml").write_text("unit: Rider\ncoins: many\nsource: x\n", encoding="utf-8")
    ran = run("moves", position, "--cards", folder)
    assert (ran.code, ran.out) == (2, "")
    assert "rider.yaml:2:8" in ran.err


def test_cards_of_a_folder_are_in_the_game(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "cards"
    folder.mkdir()
    (folder / "rider.yaml").write_text("unit: Rider\ncoins: 4\nsource: x\n", encoding="utf-8")
    file = tmp_path / "position.yaml"
    file.write_text("to_act: raven\ncontrol: {raven: [e2]}\nhand: {raven: [Rider]}\n", encoding="utf-8")
    assert run("moves", file).code == 2
    assert "deploy: coin Rider, to e2" in run("moves", file, "--cards", folder).out


@pytest.mark.usefixtures("loads_once")
def test_a_closed_pipe_is_no_error(position: Path) -> None:
    """A pipe is closed while a command prints more than it holds, and one before Python writes to it at its end."""
    shipped()
    with Copy(lambda: main(["perft", str(position), "--list", "--depth", "2"])) as done:
        assert len(os.read(done.stdout, 10)) == 10
        done.close(done.stdout)
        assert (done.rest(done.stderr), done.wait()) == (b"", 0)
    reader, writer = os.pipe()
    os.close(reader)
    closed = shell("--version", capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (closed.returncode, closed.stderr) == (0, "")


def test_an_interruption(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("warchest.cli.moves.run", stop)
    assert main(["moves", "x"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_even_a_fault_gives_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stumble(*_: object) -> int:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("warchest.cli.moves.run", stumble)
    assert main(["moves", "x"]) == 2
    assert "fault of the program itself: ZeroDivisionError: oh" in capsys.readouterr().err
    monkeypatch.setenv("WARCHEST_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["moves", "x"])


@pytest.mark.usefixtures("loads_once")
@pytest.mark.parametrize("arguments", [["errata"], ["errata", "--format", "json"]])
def test_output_that_cannot_be_written_is_no_fault_of_the_program(arguments: list[str]) -> None:
    shipped()
    with open("/dev/full", "w", encoding="utf-8") as full, Copy(lambda: main(arguments), stdout=full.fileno()) as done:
        assert done.rest(done.stderr) == b"warchest: the output could not be written: No space left on device\n"
        assert done.wait() == 2


@pytest.mark.usefixtures("loads_once")
def test_a_closed_output_is_never_written_to() -> None:
    shipped()
    with Copy(lambda: main(["errata"]), stdout=CLOSED) as done:
        assert (done.rest(done.stderr), done.wait()) == (b"", 0)


@pytest.mark.usefixtures("loads_once")
def test_characters_that_a_terminal_cannot_show_are_escaped() -> None:
    shown = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with redirect_stdout(shown):
        assert main(["show", "Archer"]) == 0
    assert b"  * The Archer cannot" in shown.buffer.getvalue()  # type: ignore[attr-defined]
    line = [sys.executable, "-m", "warchest.lint.wc_lint", "explain", "no-antecedent"]
    environment = {**os.environ, "PYTHONPATH": str(INTERPRETER), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(line, capture_output=True, env=environment, check=False)
    assert done.returncode == 0 and done.stdout.isascii() and b"(`choose a ...`)" in done.stdout


def test_a_file_that_cannot_be_written_is_named(run: Any, tmp_path: Path) -> None:
    position = tmp_path / "position.yaml"
    position.write_text("game: war-chest\nto_act: raven\nhand: {raven: [Royal Coin]}\n", encoding="utf-8")
    ran = run("show", str(position), "--svg", str(tmp_path / "none" / "x.svg"))
    assert (ran.code, ran.err) == (2, f"warchest: {tmp_path}/none/x.svg: No such file or directory\n")


def test_the_linter_prints_in_the_same_way(tmp_path: Path) -> None:
    card = tmp_path / "card.yaml"
    card.write_text("unit: Halberdier\ncoins: many\n", encoding="utf-8")
    full = os.open("/dev/full", os.O_WRONLY)
    with Copy(lambda: lint([str(card)]), stdout=full) as done:
        os.close(full)
        told = done.rest(done.stderr).decode()
        assert done.wait() == 2
    assert "wc-lint: the output could not be written: No space left on device\n" in told
    with Copy(lambda: lint(["--no-cache", str(card)]), stdout=CLOSED) as done:
        assert (b"Traceback" in done.rest(done.stderr), done.wait()) == (False, 1)
    line = f"{sys.executable} -m warchest.lint.wc_lint explain >&-"
    environment = {**os.environ, "PYTHONPATH": str(INTERPRETER)}
    closed = subprocess.run(["/bin/sh", "-c", line], stderr=subprocess.PIPE, text=True, env=environment, check=False)
    assert (closed.returncode, closed.stderr) == (0, "")


def test_a_file_given_as_the_name_of_a_card_is_reported(run: Any, tmp_path: Path) -> None:
    card = tmp_path / "card.yaml"
    card.write_text("unit: Halberdier\ncoins: 4\ntactic: |\n  move.\n", encoding="utf-8")
    ran = run("read", str(card))
    assert ran.code == 2 and "it is a file: add `--cards` in front of it, and the name of a card in it" in ran.err
    assert run("read", "--cards", str(card), "Halberdier").code == 0


@pytest.mark.parametrize(
    ("sentence", "help"),
    [
        ("move next to an enemy unit.", "say `move to a space adjacent to …`"),
        ("all friendly units are bolstered.", "say `a friendly unit is`: a rule holds for each"),
        ("a unit behind this loses a coin.", "say it by directions: `if that … is in the opposite of …`"),
    ],
)
def test_a_sentence_that_cannot_be_read_has_the_help_of_the_linter(run: Any, sentence: str, help: str) -> None:
    ran = run("read", sentence)
    assert ran.code == 1 and f"help: {help}" in ran.out
