"""`PYTHONPATH=tests python -m planted [NAME …]`: look for all planted faults, and print the result of each."""

from __future__ import annotations

import sys

from planted.machine import FAULTS, sighted_in_machine
from planted.planting import faults, sighted


def main(names: list[str]) -> int:
    """Look for the faults whose names hold one of some texts (all, where there is none)."""
    searches = [(fault, fault.by, lambda fault=fault: sighted(fault)) for fault in faults()]
    searches += [(fault, "check", lambda fault=fault: sighted_in_machine(fault)) for fault in FAULTS]
    found = asked = 0
    for fault, command, search in searches:
        if names and not any(name.casefold() in fault.name.casefold() for name in names):
            continue
        asked += 1
        seen = search()
        if seen is None:
            print(f"MISSED  {command:<5}  {fault.name}", flush=True)
            continue
        large = seen.pieces > fault.pieces or seen.options > fault.options
        found += not large
        print(f"{'LARGE ' if large else 'found '}  {command:<5}  {seen.seconds:5.1f} s  {seen.pieces} pieces"
              f"  {seen.options} options  {fault.name}: {seen.what}", flush=True)  # fmt: skip
    print(f"{found} of {asked} found, as small as is stated")
    return int(found < asked)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
