"""`PYTHONPATH=tests python -m mutation --count 100 --seed 1`: draw mutants and print those that no test notices."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from mutation.mutants import FOLDERS, PACKAGE, Mutant, drawn
from mutation.notes import ROOT, SUITES, digest, noted, trial
from mutation.results import Results
from mutation.trying import try_all

SHARE = 95
"""How many of a hundred have to be noticed."""


def main() -> int:
    """Try mutants, and return 1 if too few of them are noticed, or not all could be tried."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", action="append", choices=FOLDERS, help="only the modules of a folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--minutes", type=float, default=240, help="begin no mutant later than this (default: %(default)s)"
    )
    parser.add_argument(
        "--keep", type=Path, default=ROOT / "build" / "mutation", help="where notes and results are kept"
    )
    args = parser.parse_args()
    until = time.monotonic() + args.minutes * 60
    mutants = drawn(args.seed, args.count, args.folder or FOLDERS)
    notes = noted(args.keep, args.jobs)
    kept = args.keep / "results.json", digest(), digest(*(path for paths in SUITES.values() for path in paths))
    results = Results.read(*kept)

    stdout = os.dup(sys.stdout.fileno())

    def keep(mutant: Mutant, by: str, seconds: float) -> None:
        results.keep(mutant, by, seconds)
        os.write(stdout, b"." if by else b"S")

    try_all([trial(one, notes) for one in mutants if results.of(one) is None], args.jobs, until, keep)
    print()
    return _told(mutants, Results.read(*kept))


def _told(mutants: Sequence[Mutant], results: Results) -> int:
    """Print the result for each mutant, and return the exit code."""
    tried = noticed = 0
    seconds = 0.0
    for one in mutants:
        found = results.of(one)
        if found is None:
            continue
        text = (PACKAGE / one.file).read_bytes()
        told, line = one.told(text), text[: one.place[0]].count(b"\n") + 1
        print(f"noticed by {found[0]}" if found[0] else "SURVIVED", f"({found[1]:.1f} s)")
        print(f"    {one.file}:{line} ({one.kind})\n    {told['old']}\n    {told['new']}")
        tried, noticed, seconds = tried + 1, noticed + bool(found[0]), seconds + found[1]
    print(f"{noticed} of {tried} noticed, in {seconds / 60:.1f} minutes of processor time")
    if left := len(mutants) - tried:
        print(f"{left} not tried: run the command again to go on")
    return int(left > 0 or noticed * 100 < SHARE * tried)


if __name__ == "__main__":
    sys.exit(main())
