"""The command: tries a number of cases of a kind, reports the results, and keeps minimized failures."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from attack.cards import Cards
from attack.cases import ACCEPTED, FAILED, GROUP, REFUSED, Case, Kind, Verdict
from attack.found import FOUND, keep, kept
from attack.judging import deaf
from attack.positions import Positions
from attack.replays import Replays
from attack.scripts import Scripts
from attack.smaller import Smaller
from attack.supervising import alone, tried
from warchest.parallel import processors, side_by_side

KINDS: dict[str, type[Kind]] = {"cards": Cards, "positions": Positions, "replays": Replays, "scripts": Scripts}
TOGETHER = 4
"""How many groups one process tries."""


def main(argv: Sequence[str] | None = None) -> int:
    """Attack; return 1 if anything failed."""
    args = _arguments(argv)
    # Games are made all the time, and Python need not look for circles among their objects again and again.
    gc.set_threshold(1_000_000, 20, 100)
    os.environ.update(WARCHEST_CACHE="", WARCHEST_DEBUG="1", NO_COLOR="1", COLUMNS="120")
    deaf()
    failed = 0
    for name in [args.kind] if args.kind else KINDS:
        kind = KINDS[name]()
        cases = [case for case in kept(args.again) if case.kind == name] if args.again else []
        if not cases and not args.count:
            continue
        _warm(kind)
        failed += again(kind, cases)
        if args.count:
            failed += attack(kind, args)
    return 1 if failed else 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__)
    add = parser.add_argument
    add("--count", type=int, metavar="N", help="how many cases of each kind (default: 1000; with --again, 0)")
    add("--first", type=int, default=0, metavar="N", help="the number of the first case (default: %(default)s)")
    add("--kind", choices=KINDS, help="the kind of files (default: all, one after the other)")
    add("--seed", default="1", help="what settles all that is random (default: %(default)s)")
    add("--jobs", type=int, default=processors(), metavar="N", help="how many processes (default: all processors)")
    add("--keep", type=Path, default=FOUND, metavar="DIR", help="where failures are kept (default: tests/attack/found)")
    add("--again", type=Path, metavar="DIR", help="first try what was kept in a folder, such as tests/attack/found")
    args = parser.parse_args(argv)
    if args.count is None:
        args.count = 0 if args.again else 1000
    return args


def _warm(kind: Kind) -> None:
    """Get ready in a folder that is like those in which cases are tried."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        os.chdir(folder)
        kind.settle()
        kind.warm()
        os.chdir(before)
    # Shared memory is left out of garbage collection, which would copy it for each process.
    gc.freeze()


def again(kind: Kind, cases: Sequence[Case]) -> int:
    """Try the kept cases; return how many failed."""
    failed = 0
    for case, found in zip(cases, tried(cases, kind), strict=True):
        failed += found.status == FAILED
        print(f"{kind.name} {case.game} {case.label}: {found.status} {found.sort}".rstrip(), flush=True)
    return failed


def attack(kind: Kind, args: argparse.Namespace) -> int:
    """Try the cases of a kind, report the results, and keep one failure of each sort; return how many failed."""
    began, counts, played = (time.monotonic(), sum(os.times()[:4])), Counter[str](), 0
    sorts: dict[str, list[tuple[int, Case, Verdict]]] = {}
    for number, case, found in _tried(kind, args):
        counts[found.status] += 1
        played += found.decisions
        if found.status == FAILED:
            sorts.setdefault(found.sort, []).append((number, case, found))
            print(f"{kind.name} {number}: {found.sort}", flush=True)
    for sort, ones in sorts.items():
        _keep(kind, args.keep, sort, ones)
    tried = f"{counts.total()} cases, {counts[REFUSED]} refused, {counts[ACCEPTED]} accepted, {played} decisions played"
    failed = f"{counts[FAILED]} failures of {len(sorts)} sorts"
    took = f"{time.monotonic() - began[0]:.0f} s, {sum(os.times()[:4]) - began[1]:.0f} s of processor time"
    print(f"{kind.name}: {tried}, {failed}; {took}", flush=True)
    return counts[FAILED]


def _tried(kind: Kind, args: argparse.Namespace) -> Iterator[tuple[int, Case, Verdict]]:
    """Yield the cases with their numbers and results, in their order."""
    last = args.first + args.count
    groups = range(args.first // GROUP, (last + GROUP - 1) // GROUP)
    portions = [groups[start : start + TOGETHER] for start in range(0, len(groups), TOGETHER)]

    def work(numbers: range) -> list[tuple[int, Case, Verdict]]:
        made = [
            (group * GROUP + place, case) for group in numbers for place, case in enumerate(kind.make(args.seed, group))
        ]
        asked = [(number, case) for number, case in made if args.first <= number < last]
        found = tried([case for _, case in asked], kind)
        return [(number, case, verdict) for (number, case), verdict in zip(asked, found, strict=True)]

    for portion in side_by_side(work, portions, args.jobs):
        yield from portion


def _keep(kind: Kind, folder: Path, sort: str, ones: list[tuple[int, Case, Verdict]]) -> None:
    """Make the smallest failure of a sort smaller, keep it, and say where, and which cases were like it."""
    _, case, found = min(ones, key=lambda one: len(one[1].data))
    by_itself = Smaller(lambda data: alone(replace(case, data=data), kind).sort == sort)
    smaller = replace(case, data=by_itself.of(case.data, kind.extent))
    file = keep(folder, smaller, sort)
    numbers = ", ".join(str(one) for one, _, _ in ones[:20])
    print(f"\n{sort}\n  {len(ones)} of {kind.name}: {numbers}\n  kept: {file}")
    print("  " + "\n  ".join(found.detail.strip().splitlines()[-14:]), flush=True)


if __name__ == "__main__":
    sys.exit(main())
