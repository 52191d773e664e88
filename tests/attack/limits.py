"""The limits of a case, enforced by the operating system, so that a case cannot get around them."""

from __future__ import annotations

import resource
import signal

SECONDS, WAITING, MEGABYTES = 5, 180, 500
"""The most processor time and time by the clock of a command or a decision, and the most memory beside that of the
process before it."""
SIGNS = {
    signal.SIGPROF: f"more than {SECONDS} s of processor time",
    signal.SIGALRM: f"waiting for more than {WAITING} s",
}
"""The meanings of signals that end a process."""
_held: list[bool] = []


def hold() -> None:
    """Let this process end at too much time, and run out of memory, from now on; for a process that tries cases."""
    for each in SIGNS:
        signal.signal(each, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _held.append(True)


def rearm(portions: int = 1) -> None:
    """Count time and memory from zero, in a process that is held to them; for work in portions, time for each."""
    if not _held:
        return
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (MEGABYTES << 20), most))
    signal.setitimer(signal.ITIMER_PROF, SECONDS * portions)
    signal.setitimer(signal.ITIMER_REAL, WAITING)


def named(status: int) -> str:
    """Return the cause of a process's end, by `os.waitstatus_to_exitcode`; empty if it ended by itself."""
    if status >= 0:
        return f"exit status {status}" if status else ""
    return SIGNS.get(signal.Signals(-status), f"killed by {signal.Signals(-status).name}")
