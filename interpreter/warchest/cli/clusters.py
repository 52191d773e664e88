"""Work on a cluster: the argument that names its address, and the connection to it."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from warchest.cli.common import WORK, UsageError, note, titled
from warchest.diagnostics.articles import many
from warchest.workers.here import Workers

LIBRARY, LOCAL = "distributed", "local"
"""The library for work on clusters, and the address that means a cluster of this machine."""

LOGS = ("distributed", "distributed.client", "tornado.application", "asyncio")
"""The logs that Dask writes to standard error."""


def add_on(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a cluster."""
    told = "work on a cluster of Dask: the address of its scheduler (tcp://HOST:8786), or `local` for this machine"
    titled(parser, WORK).add_argument("--on", metavar="ADDRESS", type=_address, help=told)


def workers_of(args: argparse.Namespace) -> Workers | None:
    """Return the cluster that the arguments name, connected once; None for this machine. Raises UsageError."""
    known: Workers | None = getattr(args, "workers", None)
    if known is not None or getattr(args, "on", None) is None:
        return known
    if find_spec(LIBRARY) is None:
        raise UsageError(f"--on: a cluster needs {LIBRARY}: pip install 'warchest[cluster]'")
    import dask

    # Errors that concern the user have messages of their own.
    dask.config.set({"logging": dict.fromkeys(LOGS, "critical")})
    from warchest.workers.cluster import Cluster, ClusterError

    try:
        args.workers = cluster = Cluster(args.on, args.jobs)
    except ClusterError as error:
        raise UsageError(f"--on: {error}") from None
    note(f"{many(cluster.count, 'worker')} at {args.on}")
    return cluster


def _address(written: str) -> str:
    scheme, separator, host = written.partition("://")
    if written != LOCAL and not (separator and scheme.isalpha() and host):
        raise argparse.ArgumentTypeError(f"tcp://HOST:8786 or `{LOCAL}` is needed, not {written[:60]!r}")
    return written
