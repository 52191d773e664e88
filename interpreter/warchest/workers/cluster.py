"""A cluster of many machines as workers, by Dask: a scheduler, and processes that join and leave it at any time.

The work is sent once to each process, also to one that joins later, with the documents of its games. A portion whose
process has ended is done again by another one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import resource_tracker
from time import monotonic
from uuid import uuid4

from distributed import Client, LocalCluster, get_worker
from distributed.comm import connect
from distributed.diagnostics.plugin import WorkerPlugin
from distributed.scheduler import KilledWorker

from warchest.parallel import Result, Results, Task, WorkLostError
from warchest.signals import held_back
from warchest.workers.doing import OtherVersionError, outcomes
from warchest.workers.portions import PortionFuture, Portions
from warchest.workers.sending import SentWork, program, sent

LOCAL = "local"
"""The address that means a cluster of this machine."""
PATIENCE = 10.0
"""The seconds to wait for a scheduler, or for a first worker."""
ALONE = 30.0
"""The seconds to wait without any worker, as one may be restarted."""
MOST_TOGETHER = 5000
"""The most small tasks that are worth handing out at a time, so that a scheduler can serve hundreds of workers."""
SHARES = 8
"""The portions of small tasks that each worker gets at least, so that all of them end at about the same time."""


class ClusterError(Exception):
    """The cluster cannot be used; the message gives the reason and the remedy."""


async def _greeted(address: str, patience: float) -> None:
    """Return once the scheduler at an address has answered; raises OSError if it does not.

    A client by itself would wait for ever for an answer from a program of another kind.
    """
    made = await asyncio.wait_for(connect(address, timeout=patience), patience)
    await made.close()


class Cluster:
    """The workers of a cluster with a scheduler's address, or of this machine alone, with as many workers as jobs."""

    def __init__(self, address: str, jobs: int, patience: float = PATIENCE) -> None:
        """Connect to the scheduler; raises ClusterError if it is not there, or if it has no usable worker."""
        self.address = address
        try:
            # Where a thread has to begin the tracker, it takes signals from then on.
            resource_tracker.ensure_running()
            # The threads, and the processes of this machine, take no signals: these are for the thread that works.
            with held_back():
                self._own = _local(jobs) if address == LOCAL else asyncio.run(_greeted(address, patience))
                self._client = Client(self._own or address, timeout=patience, set_as_default=False)
        except (OSError, ValueError, RuntimeError, ImportError) as error:
            reason = "it does not answer" if isinstance(error, OSError) else str(error).splitlines()[0]
            raise ClusterError(f"there is no scheduler at {address} ({reason}); `dask scheduler` begins one") from None
        try:
            self._check(patience)
        except BaseException:
            self.close()
            raise

    def _check(self, patience: float) -> None:
        """Raise ClusterError if there is no worker, or one with another version of the program."""
        try:
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            begin = f"`dask worker {self.address} --nworkers -1 --nthreads 1` on a machine begins some"
            raise ClusterError(f"the scheduler at {self.address} has no workers; {begin}") from None
        for worker, said in sorted(self._programs().items()):
            if said != program():
                raise ClusterError(
                    f"the worker at {worker} has {said}, but here it is {program()}; install the same on both"
                )

    def _programs(self) -> dict[str, str]:
        """Return the versions of the program by the addresses of the workers that have it."""

        def said() -> str:
            import sys

            try:
                from warchest.workers.sending import program
            except ImportError:
                return f"no warchest, or one without workers, on Python {sys.version_info[0]}.{sys.version_info[1]}"
            return program()

        # A function without a name elsewhere is sent whole, also to who has no such module.
        found: Mapping[str, object] = self._client.run(said, on_error="return")
        # One that has died meanwhile is no matter.
        found = {worker: one for worker, one in found.items() if not isinstance(one, OSError)}
        return {
            worker: one if isinstance(one, str) else f"{type(one).__name__}: {one}" for worker, one in found.items()
        }

    @property
    def count(self) -> int:
        """The number of workers there are now."""
        return len(self._client.scheduler_info(n_workers=-1)["workers"])

    def portion_of(self, total: int) -> int:
        """Return the number of small tasks that are worth handing out at a time."""
        return max(1, min(MOST_TOGETHER, total // (SHARES * max(self.count, 1))))

    def results(self, work: Callable[[Task], Result], tasks: Sequence[Task], together: int = 1) -> Results[Result]:
        """Do the work, as the protocol says; raises WorkLostError if there are no workers for long."""
        # Work that cannot be sent is reported before any output.
        told = sent(work)
        return Results(lambda hear: self._results(told, tasks, together, hear))

    def _results(
        self, told: SentWork, tasks: Sequence[Task], together: int, hear: Callable[[Result], object]
    ) -> Iterator[Result]:
        crew = _ClusterCrew(self, self._client, told)
        try:
            yield from Portions[Task, Result](crew, tasks, together, hear).results()
        finally:
            crew.close()

    def close(self) -> None:
        """Leave the cluster; end it if it runs on this machine alone."""
        with suppress(Exception):
            self._client.close()
        if self._own is not None:
            with suppress(Exception):
                self._own.close()


class _Delivery(WorkerPlugin):  # type: ignore[misc]
    """Some work that every worker gets, whenever it joins."""

    def __init__(self, told: SentWork, name: str) -> None:
        self.told, self.name = told, name


def _do(delivery: str, tasks: Sequence[object]) -> bytes:
    """Do a portion of the work that was delivered to this worker under a name."""
    return outcomes(get_worker().plugins[delivery].told, tasks)


class _ClusterCrew:
    """The workers of a cluster as they do some work."""

    def __init__(self, cluster: Cluster, client: Client, told: SentWork) -> None:
        self.cluster, self.client = cluster, client
        self.name, self.begun = f"warchest-{uuid4().hex}", 0
        self.count = max(cluster.count, 1)
        self._seen = monotonic()
        client.register_plugin(_Delivery(told, self.name))

    def submit(self, tasks: Sequence[object]) -> PortionFuture:
        self.begun += 1
        key = f"{self.name}-{self.begun}"
        found: PortionFuture = self.client.submit(_do, self.name, tasks, key=key, pure=False, priority=-self.begun)
        return found

    def look(self) -> None:
        if self.client.status not in ("running", "connecting"):
            raise WorkLostError(f"the scheduler at {self.cluster.address} is gone")
        count = self.cluster.count
        self.count = max(count, 1)
        if count:
            self._seen = monotonic()
        elif monotonic() - self._seen > ALONE:
            raise WorkLostError(f"the cluster at {self.cluster.address} has no workers any more")

    def lost(self, error: BaseException) -> BaseException:
        if isinstance(error, OtherVersionError):
            return WorkLostError(f"a worker has joined that has another version of the program: {error}")
        if isinstance(error, KilledWorker):
            return WorkLostError("several workers have ended too early, one after the other, at the same portion")
        if type(error).__name__ in ("CancelledError", "FutureCancelledError"):
            return WorkLostError(f"the scheduler at {self.cluster.address} is gone")
        return WorkLostError(f"a worker could not do its work: {type(error).__name__}: {error}")

    def close(self) -> None:
        with suppress(Exception):
            self.client.unregister_worker_plugin(self.name)


def _local(jobs: int) -> LocalCluster:
    """Return a cluster of this machine, which is not reachable from outside."""
    return LocalCluster(
        n_workers=jobs, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs="CRITICAL"
    )
