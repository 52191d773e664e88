"""The arguments common to the commands that search games for findings: the game, a seed, and the time they may take."""

from __future__ import annotations

import argparse
import re
import time
from dataclasses import dataclass, field

from warchest.cli.common import add_common, add_jobs, whole_number

FORMATS = ("text", "json", "github", "junit")
"""The forms of the results of these commands."""
UNITS = {"s": 1, "m": 60, "h": 3600}
"""The units of a time that is given, in seconds."""
LONGEST = 7 * 24 * 3600
"""The longest time that can be given, in seconds."""
_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smh])")


@dataclass(frozen=True, slots=True)
class Budget:
    """The work that a command may do: a time, which runs from the moment the budget is made, processes, and a seed."""

    seconds: float
    jobs: int = 1
    seed: int = 0
    begun: float = field(default_factory=time.monotonic, compare=False)

    @property
    def deadline(self) -> float:
        """The moment at which the time is over, by the clock of `time.monotonic`."""
        return self.begun + self.seconds

    @property
    def left(self) -> float:
        """The seconds that are left; 0 when the time is over."""
        return max(self.deadline - time.monotonic(), 0.0)

    @property
    def spent(self) -> bool:
        """Whether the time is over."""
        return not self.left


def add_kit_arguments(parser: argparse.ArgumentParser, usual: str = "60s", work: str = "portions of work") -> None:
    """Add the arguments of these commands; `usual` is the time that they take by default, `work` what jobs do."""
    parser.add_argument("--seed", type=whole_number(0), default=0, metavar="S",
                        help="the seed of all that is drawn (default: %(default)s)")  # fmt: skip
    parser.add_argument("--budget", type=seconds_of, default=seconds_of(usual), metavar="TIME",
                        help=f"the longest time it may take, such as 60s or 2m (default: {usual})")  # fmt: skip
    add_jobs(parser, work)
    add_common(parser, formats=FORMATS)


def budget_of(args: argparse.Namespace) -> Budget:
    """Return the budget that the arguments give; its time runs from now on."""
    return Budget(args.budget, args.jobs, args.seed)


def seconds_of(written: str) -> float:
    """Return the seconds of a time such as `60s`, `1.5m` or `2h`, for argparse."""
    found = _TIME.fullmatch(written.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"a time is needed, such as 60s or 2m, not {written[:40]!r}")
    seconds = float(found[1]) * UNITS[found[2]]
    if not seconds:
        raise argparse.ArgumentTypeError("it is more than 0s")
    if seconds > LONGEST:
        raise argparse.ArgumentTypeError(f"it is at most {LONGEST // 3600}h")
    return seconds
