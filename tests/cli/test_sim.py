"""`warchest sim` and `warchest bench`: games between bots, and how fast they are played."""

from __future__ import annotations

import csv
import errno
import gc
import io
import json
import os
import re
import tracemalloc
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import warchest.game.game as loading
from loaded import load_once
from warchest.cli.main import main
from warchest.cli.row_files import COLUMNS, PARQUET
from warchest.engine import effects
from warchest.engine.runs import Overfull, Run
from warchest.lowering.layout import LIVE
from warchest.testing.bot_games import BotTable, GameLimit
from warchest.testing.game_records import Record

PLAY = BotTable.play


Known = dict[tuple[Any, ...], Record]


def once_in(known: Known) -> Callable[..., Record]:
    """Return a way to play that plays each game once."""

    def remembered(table: BotTable, number: int, seed: int, limit: GameLimit, teller: Any = None) -> Record:
        key = (number, seed, limit, *table.names)
        if key not in known:
            known[key] = PLAY(table, number, seed, limit, teller)
        return known[key]

    return remembered


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play each game of a test once, in however many forms it is reported."""
    monkeypatch.setattr(BotTable, "play", once_in({}))


@pytest.fixture(scope="module")
def of_rows() -> Known:
    """The games whose rows are written in each form; the processes that write them know them already."""
    known: Known = {}
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(io.StringIO()):
        patched.setattr(BotTable, "play", once_in(known))
        patched.setattr(loading, "load_game", load_once)
        assert main([*ROWS, "--jobs", "1"]) == 0
    return known


TWO = ("sim", "-n", "2", "--jobs", "1")
"""Two games that are played in this process."""
KEYS = {"seed", "armies", "outcome", "turns", "rounds", "decisions"}


def test_a_table(run: Any) -> None:
    ran = run("sim", "-n", "2", "--seed", "7", "--cap", "60", "--bots", "random")
    assert ran.code == 0
    assert re.fullmatch(r"[0-9.]+ games and [0-9]+ decisions a second\n", ran.err)
    assert "2 games of war-chest" in ran.out
    assert "│ raven" in ran.out and "│ bot random" in ran.out
    assert ran.out.splitlines()[-1].endswith(" decisions a game")


def test_records_and_a_summary_last(run: Any) -> None:
    *records, summary = run(*TWO, "--seed", "7", "--cap", "60", "--format", "json").json
    assert [record["seed"] for record in records] == [7, 8]
    for record in records:
        assert set(record) >= KEYS
        assert set(record["armies"]) == {"raven", "wolf"}
        assert len(set(record["armies"]["raven"]) | set(record["armies"]["wolf"])) == 8
        assert (record["outcome"], record["decisions"]) == (None, 60)
    assert (summary["games"], summary["unfinished"], summary["draws"]) == (2, 2, 0)
    assert summary["mean_decisions"] == 60
    assert summary["wins"] == {"raven": 0, "wolf": 0}


def test_a_game_to_its_end(run: Any) -> None:
    record, summary = run("sim", "-n", "1", "--seed", "17", "--bots", "policy-c", "--format", "json").json
    assert record["outcome"]["winners"] in (["raven"], ["wolf"])
    assert record["outcome"]["reason"]
    assert sum(summary["wins"].values()) == 1
    assert summary["bots"] == {"policy-c": {"seats": 2, "wins": 1}}


def test_the_same_seed_gives_the_same_game(run: Any) -> None:
    arguments = ("sim", "-n", "1", "--seed", "3", "--cap", "80", "--format", "json")
    assert run(*arguments).out == run(*arguments).out


def test_bots_change_seats(run: Any) -> None:
    found = run(*TWO, "--bots", "random,policy-c", "--cap", "5", "--format", "json").json
    assert [record["bots"] for record in found[:-1]] == [
        {"raven": "random", "wolf": "policy-c"},
        {"raven": "policy-c", "wolf": "random"},
    ]
    assert found[-1]["bots"]["random"]["seats"] == 2


def test_a_setup(run: Any) -> None:
    record, _ = run("sim", "-n", "1", "--setup", "First game", "--cap", "5", "--format", "json").json
    assert record["armies"]["raven"] == ["Crossbowman", "Light Cavalry", "Pikeman", "Swordsman"]


def test_a_game_is_shown(run: Any) -> None:
    ran = run("sim", "-n", "1", "--show", "--cap", "40", "--bots", "random")
    assert ran.code == 0
    assert ran.out.startswith("game 1, seed 0: raven is random, wolf is random\n")
    assert "raven draws a " in ran.out
    assert "\nround 1 has ended\n" in ran.out
    assert "\ngiven up after 40 decisions\n" in ran.out
    assert ran.out.count("/  f4 \\") >= 1
    assert "\n  carry on\n" not in ran.out
    assert "\x1b" not in ran.out


def test_showing_leaves_json_alone(run: Any) -> None:
    ran = run("sim", "-n", "1", "--show", "--cap", "5", "--format", "json")
    assert len(ran.json) == 2
    assert "game 1, seed 0" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bots", "radnom"), "did you mean `random`?"),
        (("--bots", ""), "there is no bot ''"),
        (("--setup", "Chess"), "there is no setup 'Chess'"),
        (("-n", "0"), "it is at least 1"),
        (("-n", "many"), "a whole number is needed"),
        (("--seed", "x"), "a whole number is needed"),
        (("--cap", "0"), "it is at least 1"),
        (("--cap", "1000001"), "it is at most 1,000,000"),
    ],
)
def test_wrong_arguments_of_sim_are_refused(run: Any, arguments: tuple[str, ...], words: str) -> None:
    ran = run("sim", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


# ---- bench

SHORT = ("bench", "--seconds", "0.01", "--runs", "3", "--cap", "30")


def test_bench(run: Any) -> None:
    ran = run(*SHORT)
    assert ran.code == 0
    assert " games/s, " in ran.out
    assert ran.out.endswith("median of 3 runs, policy C, cap 30, sets: base\n")
    assert ran.err.count("\n") == 3


def test_games_are_given_up_after_the_given_number_of_turns(run: Any) -> None:
    *records, summary = run(*TWO, "--bots", "random", "--turns", "2", "--format", "json").json
    assert [(one["turns"], one["outcome"]) for one in records] == [(2, None)] * 2 and summary["unfinished"] == 2
    found = run("bench", "--seconds", "0.01", "--runs", "2", "--turns", "2", "--format", "json").json
    assert found["turns"] == 2 and all(one["decisions"] < 60 * one["games"] for one in found["runs"])


def test_bench_as_json(run: Any) -> None:
    found = run(*SHORT, "--sets", "base", "--format", "json").json
    assert (found["policy"], found["sets"], found["cap"]) == ("C", ["base"], 30)
    speeds = sorted(one["games_per_second"] for one in found["runs"])
    assert found["games_per_second"] == pytest.approx(speeds[1], abs=0.01)
    assert all(one["decisions"] == 30 * one["games"] for one in found["runs"])


def test_bench_of_another_bot(run: Any) -> None:
    ran = run(*SHORT, "--bot", "random")
    assert ran.out.endswith("median of 3 runs, policy random, cap 30, sets: base\n")
    assert run(*SHORT, "--bot", "random", "--format", "json").json["policy"] == "random"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--sets", "bsae"), "did you mean `base`?"),
        (("--bot", "policy-d"), "did you mean `policy-c`?"),
        (("--seconds", "0"), "a number of seconds is needed"),
        (("--seconds", "nan"), "a number of seconds is needed"),
        (("--seconds", "soon"), "a number of seconds is needed"),
        (("--runs", "0"), "it is at least 1"),
    ],
)
def test_wrong_arguments_of_bench_are_refused(run: Any, arguments: tuple[str, ...], words: str) -> None:
    ran = run("bench", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_set_too_small(run: Any, tmp_path: Any) -> None:
    (tmp_path / "rider.yaml").write_text("unit: Rider\nset: mine\ncoins: 4\nsource: x\n", encoding="utf-8")
    ran = run("bench", "--sets", "mine", "--cards", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "setup: with the sets mine it orders something impossible: choose a random card" in ran.err
    assert run(*SHORT, "--sets", "mine,base", "--cards", tmp_path, "--format", "json").json["sets"] == ["base", "mine"]


def test_armies_that_have_left_for_the_board_are_listed(run: Any) -> None:
    found = run("sim", "-n", "1", "--game", "unigames", "--bots", "random", "--cap", "40", "--format", "json").json
    squad = ["Kotharian Archer", "Kotharian Dancer", "Kotharian Ghoul", "Kotharian Shield"]
    assert found[0]["armies"]["P2"] == squad


TOLLS = """\
setup: Tolls
board: Two players
source: a test
armies: {raven: [Gong, Scout, Archer, Knight], wolf: [Pikeman, Cavalry, Lancer, Ensign]}
steps: |
  unbox.
  for each player in turn order, it musters.
"""


@pytest.fixture
def tolling(tmp_path: Any, gong: str) -> str:
    """A folder with a unit that is endless once it has moved, and a setup that has it."""
    (tmp_path / "gong.yaml").write_text(gong, encoding="utf-8")
    (tmp_path / "tolls.yaml").write_text(TOLLS, encoding="utf-8")
    return str(tmp_path)


@pytest.mark.usefixtures("once")
def test_a_game_without_an_end_breaks_off_no_other(run: Any, tolling: str) -> None:
    """Some of the three games reach something endless, and others do not."""
    asked = ("--setup", "Tolls", "-n", "3", "--seed", "1", "--bots", "random", "--cap", "120")
    arguments = ("sim", "--cards", tolling, *asked)
    ran = run(*arguments, "--jobs", "1", "--format", "json")
    *records, summary = ran.json
    broken = [record for record in records if record["endless"] is not None]
    assert ran.code == 0 and len(records) == 3 and 0 < len(broken) < 3
    for record in broken:
        assert record["outcome"] is None and record["decisions"] < 120
        assert "until this is bolstered, do nothing" in record["endless"]["clause"]
        assert record["endless"]["file"].endswith("gong.yaml") and record["endless"]["line"] == 5
    assert (summary["games"], summary["endless"]) == (3, len(broken))
    assert summary["unfinished"] >= len(broken)
    assert f"{len(broken)} game" in ran.err and "until this is bolstered, do nothing" in ran.err
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BotTable, "play", PLAY)
        *again, _ = run(*arguments, "--jobs", "2", "--format", "json").json
    for one in (*records, *again):
        # Of two clauses that call each other, the one in which Python's stack is exhausted is reported.
        if one["endless"] is not None:
            one["endless"] = one["endless"]["file"], one["endless"]["line"]
    assert again == records
    table = run(*arguments, "--jobs", "1").out
    assert "│ endless" in table and "│ given up" in table


def test_a_game_with_too_many_pieces_is_left_out(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here there is room for five only; the other games, and their rows, are those of a usual machine."""
    arguments = ("sim", "-n", "8", "--jobs", "1", "--cap", "60", "--format", "json", "--rows")
    *usual, _ = run(*arguments, tmp_path / "usual.jsonl").json
    create = effects.new_piece

    def create_few(run_: Run, *rest: Any) -> int:
        if run_.memory[LIVE].bit_count() == 5:
            raise Overfull("there are too many pieces on the board")
        return create(run_, *rest)

    monkeypatch.setattr(effects, "new_piece", create_few)
    ran = run(*arguments, tmp_path / "few.jsonl")
    *records, summary = ran.json
    left_out = 8 - len(records)
    assert ran.code == 0 and 0 < left_out < 8 and summary["games"] == len(records)
    assert f"{left_out} games left out: there are too many pieces on the board\n" in ran.err
    seeds = {one["seed"] for one in records}
    assert records == [one for one in usual if one["seed"] in seeds]
    assert {one["seed"] for one in read_rows(tmp_path / "few.jsonl")} == seeds


def test_reports_of_games_that_end_are_unchanged(run: Any) -> None:
    record, summary = run("sim", "-n", "1", "--cap", "5", "--format", "json").json
    assert record["endless"] is None and summary["endless"] == 0
    assert "endless" not in run("sim", "-n", "1", "--cap", "5").out


def test_a_game_without_an_end_is_shown_up_to_there(run: Any, tolling: str) -> None:
    asked = ("--setup", "Tolls", "-n", "1", "--seed", "5", "--bots", "random", "--cap", "120")
    ran = run("sim", "--cards", tolling, *asked, "--show")
    assert "broken off: the rules do not terminate" in ran.out


def test_bench_counts_games_without_an_end(run: Any, tolling: str) -> None:
    ran = run(
        "bench",
        "--cards",
        tolling,
        "--setup",
        "Tolls",
        "--seconds",
        "0.01",
        "--runs",
        "1",
        "--bot",
        "random",
        "--format",
        "json",
    )
    (measured,) = ran.json["runs"]
    assert ran.code == 0 and 0 < measured["endless"] <= measured["games"]
    assert "broken off: the rules do not terminate" in ran.err


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_memory_of_many_games_is_that_of_few(run: Any, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    def play(table: BotTable, number: int, seed: int, *_: object) -> Record:
        return Record(seed, {"raven": ["Archer"], "wolf": []}, table.seating(number), (), f"{seed:010000}", 1, 1, 1)

    def peak(games: int) -> int:
        tracemalloc.start()
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            assert main(["sim", "-n", str(games), "--reference", "--jobs", "1", "--format", form]) == 0
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    monkeypatch.setattr(BotTable, "play", play)
    run("sim", "-n", "1", "--jobs", "1")
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as it is outside of the tests
    try:
        # Kept, they would take three megabytes.
        assert peak(300) < peak(3) + 500_000
    finally:
        gc.set_threshold(*usual)


@pytest.mark.usefixtures("once")
def test_shares_of_teams_add_up_and_cards_are_listed(run: Any) -> None:
    arguments = ("-n", "4", "--players", "4", "--seed", "9", "--jobs", "1", "--cap", "400")
    *_, told = run("sim", *arguments, "--format", "json").json
    ended = told["games"] - told["unfinished"]
    assert told["wins"]["raven"] + told["wins"]["wolf"] + told["draws"] == ended
    assert 0 < told["wins"]["wolf"] < ended < told["games"]
    assert sum(one["armies"] for one in told["cards"].values()) == 4 * 3 * ended
    assert sum(one["wins"] for one in told["cards"].values()) == 2 * 3 * (ended - told["draws"])
    table = run("sim", *arguments, "--by", "card").out
    assert "│ raven and raven2 │" in table and "armies with a card" in table and "│ given up" in table


@pytest.mark.usefixtures("once")
def test_pairs_of_cards_and_seats_are_listed(run: Any) -> None:
    arguments = ("-n", "3", "--seed", "1", "--jobs", "1", "--bots", "random,policy-c", "--by", "seat,pair")
    *_, told = run("sim", *arguments, "--format", "json").json
    ended, pairs = told["games"] - told["unfinished"], told["pairs"]
    friends = [one for one in pairs if one["as"] == "with"]
    foes = [one for one in pairs if one["as"] == "against"]
    assert ended > 0
    # Four cards a side: six pairs in each of two armies, and sixteen across.
    assert sum(one["armies"] for one in friends) == 12 * ended and sum(one["armies"] for one in foes) == 16 * ended
    assert sum(one["wins"] for one in friends) == 6 * (ended - told["draws"])
    assert all(one["cards"] == sorted(one["cards"]) and one["wins"] <= one["armies"] for one in pairs)
    table = run("sim", *arguments).out
    assert " with " in table and " against " in table and "│ raven played by random" in table
    assert run("sim", "-n", "1", "--cap", "5", "--format", "json").json[-1]["pairs"] == []
    assert "'luck' is none of card, pair, seat" in run("sim", "--by", "card,luck").err


def read_rows(file: Path) -> list[dict[str, Any]]:
    """Return the rows in a file, as they are in JSON."""
    if file.suffix == ".parquet":
        from pyarrow.parquet import read_table

        found: list[dict[str, Any]] = read_table(file).to_pylist()
        return found
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    with file.open(encoding="utf-8", newline="") as opened:
        return [
            {
                **row,
                "cards": row["cards"].split(", "),
                **{key: int(row[key]) for key, sort in COLUMNS.items() if sort == "int64"},
            }
            for row in csv.DictReader(opened)
        ]


ROWS = ("sim", "-n", "2", "--seed", "5", "--cap", "260", "--format", "json")


@pytest.mark.parametrize(
    "end",
    [
        "csv",
        "jsonl",
        pytest.param(
            "parquet", marks=pytest.mark.skipif(find_spec(PARQUET) is None, reason="Parquet cannot be written here")
        ),
    ],
)
def test_rows_are_the_same_in_each_form(
    run: Any, tmp_path: Path, end: str, of_rows: Known, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / f"games.{end}"
    monkeypatch.setattr(BotTable, "play", once_in(of_rows))
    *games, summary = run(*ROWS, "--jobs", "2", "--rows", file).json
    rows = read_rows(file)
    assert len(rows) == 4 and all(list(row) == list(COLUMNS) for row in rows)
    for game in games:
        there = [row for row in rows if row["seed"] == game["seed"]]
        assert {row["seat"]: row["cards"] for row in there} == game["armies"]
        assert {row["seat"]: row["bot"] for row in there} == game["bots"]
        won = {row["seat"] for row in there if row["result"] == "won"}
        assert won == set(game["outcome"]["winners"] if game["outcome"] else ())
    assert sum(row["result"] == "given up" for row in rows) == 2 * summary["unfinished"] == 2


def test_rows_are_kept_when_games_are_broken_off(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = BotTable.play

    def broken_off(table: BotTable, number: int, *rest: Any) -> Record:
        if number == 2:
            raise KeyboardInterrupt
        return play(table, number, *rest)

    monkeypatch.setattr(BotTable, "play", broken_off)
    ran = run("sim", "-n", "4", "--cap", "20", "--jobs", "1", "--rows", tmp_path / "games.jsonl")
    assert ran.code == 130 and len(read_rows(tmp_path / "games.jsonl")) == 4


def test_rows_that_cannot_be_written_are_reported_before_any_game(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warchest.cli.row_files.find_spec", lambda name: None)
    for name, said in (
        ("games.xls", "--rows: the name must end with .csv, .jsonl or .parquet"),
        ("games.parquet", "Parquet needs pyarrow: pip install 'warchest[parquet]'"),
        ("nowhere/games.csv", "games.csv: No such file or directory"),
    ):
        ran = run("sim", "-n", "1", "--rows", tmp_path / name)
        assert ran.code == 2 and said in ran.err and ran.err.count("\n") == 1 and not ran.out


def test_a_disk_that_is_full_is_the_reason_told_for_rows_of_parquet(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(parquet.ParquetWriter, "write_table", full)
    monkeypatch.setattr("warchest.cli.row_files.TOGETHER", 4)
    ran = run("sim", "-n", "8", "--cap", "20", "--jobs", "1", "--rows", tmp_path / "games.parquet")
    assert ran.code == 2 and "No space left on device" in ran.err and "fault of the program" not in ran.err


# ---- rows in parts


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_rows_in_parts_are_the_rows_of_one_file(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many processes play; parts of before do not stay among them."""
    monkeypatch.setattr("warchest.cli.row_files.ROWS", 4)
    words = ("sim", "-n", "5", "--cap", "20", "--bots", "random", "--seed", "2")
    whole, folder = tmp_path / f"whole{ending}", tmp_path / f"parts{ending}"
    assert main([*words, "--jobs", "1", "--rows", str(whole)]) == 0
    for jobs in ("1", "2"):
        folder.mkdir(exist_ok=True)
        (folder / f"part-00009{ending}").touch()
        assert main([*words, "--jobs", jobs, "--rows", f"{folder}/"]) == 0
        parts = sorted(folder.iterdir())
        assert [one.name for one in parts] == [f"part-0000{number}{ending}" for number in (1, 2, 3)]
        lines = [one.read_text().splitlines() for one in parts]
        head = whole.read_text().splitlines()[: ending == ".csv"]
        assert all(one[: len(head)] == head for one in lines)
        assert [*head, *(line for one in lines for line in one[len(head) :])] == whole.read_text().splitlines()


def test_no_part_takes_the_place_of_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").mkdir()
    (tmp_path / "a.csv" / "part-1.csv").write_text("mine\n")
    assert main(["sim", "-n", "1", "--rows", f"{tmp_path}/a.csv/"]) == 2
    assert "part-1.csv is there already, and is no file of rows" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no disk that is always full")
@pytest.mark.parametrize("verb", ["sim", "balance"])
def test_rows_on_a_full_disk_are_one_line(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.csv"
    file.symlink_to("/dev/full")
    assert main([verb, "-n", "1", "--cap", "5", "--bots", "random", "--jobs", "1", "--rows", str(file)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"warchest: {file}: No space left on device"
