"""`PYTHONPATH=tests python -m mutation --count 100 --seed 1`: draw mutants and tell which of them no test notices."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from mutation.copies import STAGES, Copy
from mutation.mutants import FOLDERS, PACKAGE, Mutant, drawn

SHARE = 95
"""How many of a hundred have to be noticed."""


def main() -> int:
    """Try mutants, and return 1 if too few of them are noticed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", action="append", choices=FOLDERS, help="only the modules of a folder")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--trust", action="store_true", help="take it that the tests pass where nothing is changed")
    args = parser.parse_args()
    mutants = drawn(args.seed, args.count, args.folder or FOLDERS)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(args.jobs):
            copies.put(Copy.made(Path(folder) / str(number)))
        if not args.trust:
            one = copies.get()
            failing = [stage for stage in STAGES if not one.passes(stage)]
            if failing:
                print(f"without any change these tests fail: {failing}")
                return 1
            copies.put(one)
        noticed = sum(pool.map(lambda mutant: tried(mutant, copies), mutants))
    print(f"{noticed} of {len(mutants)} noticed")
    return int(noticed * 100 < SHARE * len(mutants))


def tried(mutant: Mutant, copies: SimpleQueue[Copy]) -> bool:
    """Try a mutant in a copy that is free, and print whether it is noticed."""
    copy, begun = copies.get(), time.monotonic()
    try:
        stage = copy.noticed(mutant)
    finally:
        copies.put(copy)
    text = (PACKAGE / mutant.file).read_bytes()
    told, line = mutant.told(text), text[: mutant.place[0]].count(b"\n") + 1
    said = f"noticed by {' '.join(stage)}" if stage else "SURVIVED"
    print(f"{said}  {time.monotonic() - begun:.0f} s  {mutant.file}:{line} ({mutant.kind})")
    print(f"    {told['old']}\n    {told['new']}", flush=True)
    return stage is not None


if __name__ == "__main__":
    sys.exit(main())
