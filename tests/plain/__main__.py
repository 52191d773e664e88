"""`python -m plain --count 20000 --seed 1`: compare far more cases than a test run does."""

from __future__ import annotations

import argparse

from plain.comparing import compare


def main() -> int:
    """Compare, and say what was wrong."""
    parser = argparse.ArgumentParser(prog="plain", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="so many cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=None, help="stop after so many that are wrong")
    given = parser.parse_args()
    tally = compare(given.seed, given.count, most=given.most)
    for one in tally.wrong:
        print(one, end="\n\n")
    print(
        f"{tally.cards} cards, {tally.accepted} accepted, {tally.cases} cases, {tally.answered} in which the card "
        f"made a difference, {sum(tally.open.values())} left open, {len(tally.wrong)} wrong"
    )
    print(dict(tally.open))
    return min(1, len(tally.wrong))


if __name__ == "__main__":
    raise SystemExit(main())
