"""`PYTHONPATH=tests python -m planted [NAME …]`: look for all planted faults, and print what came of each."""

from __future__ import annotations

import sys

from planted.planting import faults, sighted


def main(names: list[str]) -> int:
    """Look for the faults whose names hold one of some texts (all, where there is none)."""
    found = missed = 0
    for fault in faults():
        if names and not any(name.casefold() in fault.name.casefold() for name in names):
            continue
        seen = sighted(fault)
        if seen is None:
            missed += 1
            print(f"MISSED  {fault.by:<5}  {fault.name}", flush=True)
            continue
        large = seen.pieces > fault.pieces or seen.options > fault.options
        found += not large
        print(f"{'LARGE ' if large else 'found '}  {fault.by:<5}  {seen.seconds:5.1f} s  {seen.pieces} pieces"
              f"  {seen.options} options  {fault.name}: {seen.what}", flush=True)  # fmt: skip
    print(f"{found} found, {missed} missed")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
