"""`python -m alike --pairs 10000 --seed 1`: compare far more pairs of states than a test run does."""

from __future__ import annotations

import argparse

from alike.games import compared


def main() -> int:
    """Compare, and print the faults."""
    parser = argparse.ArgumentParser(prog="alike", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000, help="the least number of pairs")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first games")
    parser.add_argument("--most", type=int, default=5, help="the most faults to print")
    given = parser.parse_args()
    tally = compared(given.seed, given.pairs)
    for one in tally.wrong[: given.most]:
        print(one, end="\n\n")
    print(f"{tally.pairs} pairs, {tally.different} of states that differ, {len(tally.wrong)} told apart")
    return min(1, len(tally.wrong))


if __name__ == "__main__":
    raise SystemExit(main())
