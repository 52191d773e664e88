"""A cluster of processes on this machine, whose workers have another folder of the package, and none of its games."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from copied import Copy
from warchest.cli.main import main

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
"""The seconds for which a process is waited for on a busy machine."""


def package_without_games(folder: Path) -> Path:
    """Copy the package into a folder, as another machine has it, without its games; return the folder of modules."""
    for name in ("grammar", "schemas", "interpreter"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "cards").mkdir()
    return folder / "interpreter"


@dataclass
class ProcessCluster:
    """A scheduler and workers, each a process of its own; the address is that of the scheduler."""

    folder: Path
    package: Path
    address: str = ""
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def begin(self, workers: int) -> None:
        """Begin the scheduler and some workers, and wait until all have come."""
        found = self.folder / "scheduler.json"
        self.scheduler = self._process("distributed.cli.dask_scheduler", "--port", "0", "--scheduler-file", str(found))
        _until(lambda: found.exists() and found.stat().st_size > 0, self.scheduler)
        self.address = json.loads(found.read_text(encoding="utf-8"))["address"]
        for _ in range(workers):
            self.join()

    def join(self, package: Path | None = None) -> subprocess.Popen[bytes]:
        """Begin a further worker, with another folder of the package if one is given."""
        arguments = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))
        worker = self._process("distributed.cli.dask_worker", self.address, *arguments, package=package)
        self.workers.append(worker)
        return worker

    def kill(self, worker: int | None) -> None:
        """Kill a worker, by its number, or the scheduler, without warning; also from a copy of this process."""
        process = self.scheduler if worker is None else self.workers[worker]
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)

    def end(self) -> None:
        """End all processes."""
        for process in (*self.workers, *([self.scheduler] if self.scheduler is not None else [])):
            process.kill()
            process.wait()

    def _process(self, module: str, *arguments: str, package: Path | None = None) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(package or self.package),
            "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
        }
        command = [sys.executable, "-m", module, *arguments, "--no-dashboard", "--host", "127.0.0.1"]
        with (self.folder / "log.txt").open("ab") as log:
            return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[ProcessCluster]:
    """Have a cluster while the block runs; its workers are in another folder than the senders of work."""
    made = ProcessCluster(folder, package_without_games(folder / "package"))
    try:
        made.begin(workers)
        yield made
    finally:
        made.end()


def _until(holds: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while not holds():
        assert process.poll() is None, "the scheduler has ended"
        assert time.monotonic() - begun < PATIENCE, "the scheduler has not come"
        time.sleep(0.05)


def told(
    *arguments: str, folder: Path | None = None, first: Callable[[], object] = lambda: None
) -> tuple[int, str, str]:
    """Return the exit code, the output and the errors of a command, in a copy of this process.

    Clusters come with threads, and a process that has any cannot be copied any more.
    """

    def work() -> int:
        os.chdir(folder or ".")
        first()
        return main(list(arguments))

    with Copy(work) as copy:
        out = copy.rest(copy.stdout).decode()
        err = copy.rest(copy.stderr).decode()
        return copy.wait(PATIENCE), out, err


def in_a_copy(work: Callable[[], int]) -> int:
    """The exit code of some work with a cluster, in a copy of this process, which stays without threads."""
    with Copy(work) as copy:
        print(copy.rest(copy.stdout).decode(), copy.rest(copy.stderr).decode())
        return copy.wait(PATIENCE)
