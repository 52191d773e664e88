"""`PYTHONPATH=tests python -m planted [NAME …]`: look for all planted faults, and print the result of each."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from planted.commands import command_faults, looked_for
from planted.machine import FAULTS, sighted_in_machine
from planted.planting import faults, sighted


def main() -> int:
    """Look for the faults whose names hold one of some texts (all, where there is none); return the exit code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", metavar="NAME", nargs="*")
    parser.add_argument("--list", choices=("sizes", "commands"), help="only the faults of one of the lists")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=int, default=60, help="seconds of processor time (default: %(default)s)")
    parser.add_argument("--keep", type=Path, help="a folder for the outputs of commands")
    args = parser.parse_args()
    left = (_small(args) if args.list != "commands" else 0) + (_told(args) if args.list != "sizes" else 0)
    return int(left > 0)


def _asked(name: str, names: Sequence[str]) -> bool:
    return not names or any(one.casefold() in name.casefold() for one in names)


def _small(args: argparse.Namespace) -> int:
    """Look for the faults of the first list and in the machine; return the number not found, or not small."""
    searches = [(fault, fault.by, lambda fault=fault: sighted(fault, args.budget, args.seed)) for fault in faults()]
    searches += [
        (fault, "check", lambda fault=fault: sighted_in_machine(fault, args.budget, args.seed)) for fault in FAULTS
    ]
    found = asked = 0
    for fault, command, search in searches:
        if not _asked(fault.name, args.names):
            continue
        asked += 1
        seen = search()
        if seen is None:
            print(f"MISSED  {command:<5}  {fault.name}", flush=True)
            continue
        large = seen.pieces > fault.pieces or seen.options > fault.options
        found += not large
        print(
            f"{'LARGE ' if large else 'found '}  {command:<5}  {seen.seconds:5.1f} s  {seen.pieces} pieces"
            f"  {seen.options} options  {fault.name}: {seen.what}",
            flush=True,
        )
    print(f"{found} of {asked} found, as small as is stated")
    return asked - found


def _told(args: argparse.Namespace) -> int:
    """Look for the faults of the second list by commands; return the number that are not found."""
    found = asked = 0
    for fault in command_faults():
        if not _asked(fault.name, args.names):
            continue
        asked += 1
        with tempfile.TemporaryDirectory() as folder:
            result = looked_for(fault, Path(folder), ("--seed", str(args.seed), "--budget", f"{args.budget}s"))
        found += result.found
        if args.keep is not None:
            args.keep.mkdir(parents=True, exist_ok=True)
            (args.keep / f"{fault.name} {args.seed}.txt").write_text(result.output, encoding="utf-8")
        print(
            f"{'found ' if result.found else 'MISSED'}  {fault.by:<5}  {result.seconds:5.1f} s  {fault.name}: "
            f"{result.how or fault.kind}",
            flush=True,
        )
    print(f"{found} of {asked} found by the commands")
    return asked - found


if __name__ == "__main__":
    sys.exit(main())
