"""A cluster gives the results of one machine, byte for byte: also where a worker dies, and where workers lack the files."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster_support import PATIENCE, ProcessCluster, cluster, in_a_copy, package_without_games, told

CARD = """unit: Sent
coins: 4
tactic: |
    attack a target exactly 2 spaces away.
"""


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessCluster]:
    """A scheduler and two workers that all stay alive."""
    with cluster(tmp_path_factory.mktemp("machines"), 2) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a card of one's own, which only this machine has."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "sent.yaml").write_text(CARD, encoding="utf-8")
    return tmp_path


SIM = ("sim", "-n", "6", "--cap", "60", "--seed", "5", "--cards", "cards", "--by", "card,pair,seat")
VERBS = {
    "sim": (*SIM, "--format", "json"),
    "text": SIM,
    "rate": ("rate", "random", "policy-c", "-n", "4", "--cap", "60", "--cards", "cards", "--format", "json"),
    "balance": ("balance", "-n", "8", "--cap", "60", "--cards", "cards", "--format", "json"),
    "check": ("check", "Sent", "--cards", "cards", "--alone", "--budget", "1h", "--format", "json"),
    "mutants": ("mutants", "--cards", "cards", "--no-cache", "--positions", "2", "--from", "15", "--budget", "1h"),
    "impact": ("rulings", "--impact", "Berserker", "--positions", "3", "--games", "0", "--budget", "1h"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_says_the_same_on_a_cluster(verb: str, machines: ProcessCluster, folder: Path) -> None:
    code, out, err = told(*VERBS[verb], "--on", machines.address, folder=folder)
    assert err.startswith(f"2 workers at {machines.address}\n") and "warchest:" not in err
    assert (code, out) == told(*VERBS[verb], "--jobs", "1", folder=folder)[:2] and out


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
def test_files_of_rows_have_the_same_bytes(ending: str, machines: ProcessCluster, tmp_path: Path) -> None:
    games = ("sim", "-n", "6", "--cap", "60", "--rows")
    assert told(*games, str(tmp_path / f"here{ending}"), "--jobs", "1")[0] == 0
    assert told(*games, str(tmp_path / f"there{ending}"), "--on", machines.address)[0] == 0
    assert (tmp_path / f"here{ending}").read_bytes() == (tmp_path / f"there{ending}").read_bytes()


def test_saved_games_have_the_same_bytes(machines: ProcessCluster, tmp_path: Path) -> None:
    games = ("sim", "-n", "3", "--cap", "60", "--seed", "4", "--save")
    here, there = tmp_path / "here", tmp_path / "there"
    assert told(*games, str(here), "--jobs", "1")[0] == 0
    assert told(*games, str(there), "--on", machines.address)[0] == 0
    files = {one.name: one.read_bytes() for one in here.iterdir()}
    assert sorted(files) == ["game-4.json", "game-5.json", "game-6.json"]
    assert {one.name: one.read_bytes() for one in there.iterdir()} == files


def test_an_interrupted_cluster_of_this_machine_keeps_its_results() -> None:
    """Its processes take no notice of Ctrl-C, which a terminal sends to all of them."""
    command = [sys.executable, "-m", "warchest.cli.main", "sim", "-n", "9999", "--reference", "--cap", "20"]
    games = [*command, "--bots", "random", "--format", "json", "--on", "local", "--jobs", "1"]
    with subprocess.Popen(
        games, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, bufsize=0
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        lines = [process.stdout.readline() for _ in range(200)]
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    *records, summary = json.loads(b"".join(lines) + out)
    assert process.returncode == 130 and summary["partial"] and summary["games"] == len(records) > 0
    assert [one["seed"] for one in records] == list(range(len(records)))
    assert err.decode().splitlines()[0] == "1 worker at local" and err.decode().splitlines()[-1] == "interrupted"
    assert "Traceback" not in err.decode() and "WARNING" not in err.decode()


# ---- faults on the way


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    """One is killed in the middle of a portion, another joins then: each result comes once, and in order."""
    with cluster(tmp_path, 2) as machines:

        def work() -> int:
            from warchest.workers.cluster import Cluster

            there, found = Cluster(machines.address, 2), list[int]()
            for number in there.results(lambda number: time.sleep(0.02) or number, range(120), together=3):
                found.append(number)
                if number == 20:
                    machines.kill(0)
                    machines.join()
            there.close()
            assert found == list(range(120))
            return 7

        assert in_a_copy(work) == 7
        assert machines.workers[0].wait(10) == -signal.SIGKILL


def test_a_command_goes_on_where_a_worker_is_killed(tmp_path: Path) -> None:
    games = ("sim", "-n", "12", "--reference", "--cap", "100", "--bots", "random", "--seed", "2", "--format", "json")
    with cluster(tmp_path, 2) as machines:
        found = list[tuple[int, str, str]]()
        at_work = threading.Thread(target=lambda: found.append(outside(*games, "--on", machines.address)))
        at_work.start()
        until_busy(machines.workers[0].pid)
        machines.kill(0)
        at_work.join(PATIENCE)
    assert found[0][:2] == told(*games, "--jobs", "1")[:2]


def outside(*arguments: str) -> tuple[int, str, str]:
    """The result of `told` in a process that is no copy: none is made beside threads."""
    done = subprocess.run(
        [sys.executable, "-m", "warchest.cli.main", *arguments], capture_output=True, text=True, timeout=PATIENCE
    )
    return done.returncode, done.stdout, done.stderr


def until_busy(process: int, seconds: float = 0.5) -> None:
    """Wait until a process has worked for some seconds more of processor time than before."""
    before, begun = processor_time(process), time.monotonic()
    while processor_time(process) < before + seconds and time.monotonic() < begun + PATIENCE:
        time.sleep(0.05)


def processor_time(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_a_portion_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    with cluster(tmp_path, 5) as machines:

        def work() -> int:
            from warchest.parallel import WorkLostError
            from warchest.workers.cluster import Cluster

            there, found = Cluster(machines.address, 5), list[object]()
            try:
                deadly = there.results(
                    lambda number: os.kill(os.getpid(), signal.SIGKILL) if number == 1 else number, range(2)
                )
                found.extend(deadly)
            except WorkLostError as error:
                assert "several workers have ended too early" in str(error), error
                assert found == [0]
                return 7
            return 1

        assert in_a_copy(work) == 7


def test_results_are_kept_when_the_scheduler_ends(tmp_path: Path) -> None:
    with cluster(tmp_path, 1) as machines:

        def work() -> int:
            from warchest.parallel import WorkLostError
            from warchest.workers.cluster import Cluster

            there, found = Cluster(machines.address, 1), list[int]()
            try:
                for number in there.results(lambda number: time.sleep(0.05) or number, range(100)):
                    found.append(number)
                    if number == 5:
                        machines.kill(None)
            except WorkLostError as error:
                assert str(error) == f"the scheduler at {machines.address} is gone", error
                assert found == list(range(len(found))) and 6 <= len(found) < 100
                return 7
            return 1

        assert in_a_copy(work) == 7


# ---- clusters that cannot be used


def test_a_missing_scheduler_is_reported() -> None:
    code, out, err = told("sim", "-n", "2", "--on", "tcp://127.0.0.1:9")
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert err.startswith("warchest: --on: there is no scheduler at tcp://127.0.0.1:9 (it does not answer); ")


def test_a_program_that_never_answers_is_no_scheduler() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"

        def work() -> int:
            from warchest.workers.cluster import Cluster, ClusterError

            with pytest.raises(ClusterError, match=r"there is no scheduler at tcp://.* \(it does not answer\)"):
                Cluster(address, 1, patience=1.0)
            return 7

        assert in_a_copy(work) == 7


@pytest.mark.parametrize("address", ["there", "tcp://", "8786", ""])
def test_invalid_addresses_are_refused(address: str) -> None:
    code, out, err = told("sim", "-n", "2", "--on", address)
    assert (code, out) == (2, "") and "tcp://HOST:8786 or `local` is needed" in err


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.cli.clusters.find_spec", lambda name: None)
    code, out, err = told("sim", "-n", "2", "--on", "local")
    assert (code, out, err.count("\n")) == (2, "", 1) and "pip install 'warchest[cluster]'" in err


def test_a_worker_of_another_version(tmp_path: Path) -> None:
    other = package_without_games(tmp_path / "other")
    (other / "warchest" / "signals.py").write_text("changed = 1\n", encoding="utf-8")
    with cluster(tmp_path, 0) as machines:
        code, out, err = told("sim", "-n", "2", "--on", machines.address)
        assert (code, out, err.count("\n")) == (2, "", 1) and "has no workers; `dask worker tcp://" in err
        machines.join(other)
        code, out, err = told("sim", "-n", "2", "--on", machines.address)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "the worker at tcp://127.0.0.1:" in err and "but here it is warchest 0.1.0 of" in err


@pytest.mark.parametrize(("games", "room", "broken"), [(120, 12_000, True), (12, 1_000, False)])
def test_a_full_disk_keeps_the_rows_and_the_report(games: int, room: int, broken: bool, tmp_path: Path) -> None:
    """Rows are written some thousand bytes at a time, and the rest when all games are over."""

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    verb = ("sim", "-n", str(games), "--cap", "2", "--reference", "--jobs", "1", "--rows", "rows.csv")
    code, out, err = told(*verb, folder=tmp_path, first=small_disk)
    rows = (tmp_path / "rows.csv").read_text(encoding="utf-8")
    assert code == 2 and " games of war-chest" in out and "Traceback" not in err
    assert (f"broken off; {games} games were asked for" in out) == broken
    assert err.splitlines()[-1] == "warchest: rows.csv: File too large"
    assert rows.startswith("seed,seat,") and len(rows) == room
