"""Packs of cards that nobody has written, played on the checked native machine beside the reference machine."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from exploring import CHECKED as SANITIZING_FLAGS
from exploring import sanitizer
from lockstep_support import Seen, forget, library_of, play_both, source_of
from native_support import SANITIZING, Made

import warchest
from warchest.native.library import NativeGame
from warchest.native.unfit import Unfit
from warchest.testing.draws import RandomDraws
from warchest.testing.newcomers import NAME, card_maker

NAMES = ("Acolyte", "Brewer", "Cooper", "Drover")
"""The names of the cards of a pack."""
FORTIFIED = ("-DCHECK", "-O1", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3", "-fstack-protector-strong")
"""The flags by which C checks its own stack, and the sizes of memory that it copies."""
CAP = 50
"""The number of decisions of a game that are compared."""


def pack(game: warchest.Game, seed: str, size: int) -> list[str]:
    """Return the texts of some units, four at most; the same ones for the same seed."""
    draws, maker, found = RandomDraws(Random(seed)), card_maker(game, "unit"), list[str]()
    while len(found) < size:
        text = maker.card(draws)
        if text is not None:
            found.append(text.replace(NAME, NAMES[len(found)]))
    return found


def played(
    source: str | Path, texts: list[str], seeds: range, seen: Seen, flags: tuple[str, ...] = FORTIFIED
) -> str:
    """Compare games with the units of a pack; return `played`, or `refused`, `unfit`, `endless` if there are none."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            Path(folder, f"{number}.yaml").write_text(text, encoding="utf-8")
        try:
            game = warchest.load(source, [folder])
            own = NAMES[: len(texts)]
            others = [name for name in game.names("unit") if name not in own]
            armies = {"raven": [*own, *others][:4], "wolf": others[-4:]}
            for seed in seeds:
                state = game.new(seed=seed, armies=armies, sets="all")
                state.silent = True
                play_both(
                    NativeGame(library_of(source_of(state.variant), flags)), state, Random(seed), CAP, seen
                )
        except warchest.CardError:
            return "refused"
        except Unfit:
            return "unfit"
        except warchest.EndlessError:
            return "endless"
    return "played"


def child(cards: int, seed: int) -> subprocess.CompletedProcess[str]:
    """Play packs in another process, with sanitizers where the compiler has them."""
    preload = sanitizer()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    if preload is not None:
        environment |= {"LD_PRELOAD": str(preload), **SANITIZING}
    command = [sys.executable, "-m", "packs_support", "--cards", str(cards), "--seed", str(seed), "--here"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def play_packs(cards: int, first: int, flags: tuple[tuple[str, ...], ...]) -> int:
    """Play packs with a number of cards, each compiled with the next of some flags; return the number that failed."""
    game, told, seen, wrong = warchest.load("war-chest"), Counter[str](), Seen(), 0
    for number in range(first, first + -(-cards // len(NAMES))):
        with tempfile.TemporaryDirectory() as made:
            # The code compiled for one pack is of no use to the next.
            Made.folder = Path(made)
            forget()
            texts, seeds = pack(game, str(number), len(NAMES)), range(number, number + 2)
            try:
                told[played("war-chest", texts, seeds, seen, flags[number % len(flags)])] += 1
            except Exception as error:
                wrong += 1
                print(f"pack {number}: {type(error).__name__}: {str(error)[:500]}", flush=True)
    print(f"packs: {dict(told)}, {wrong} wrong; {seen.decisions} decisions, {seen.options} options")
    return wrong


def main() -> int:
    """Play packs with a number of cards, in processes with 100 cards each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=200, help="the number of cards to make")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first pack")
    parser.add_argument("--here", action="store_true", help="play them in this process")
    args = parser.parse_args()
    if args.here:
        # The compiler has no room for the sanitizer, which is here already.
        sanitized = (SANITIZING_FLAGS,) if os.environ.pop("LD_PRELOAD", "") else ()
        return int(bool(play_packs(args.cards, args.seed, (FORTIFIED, *sanitized))))
    failed = 0
    for done in range(0, args.cards, 100):
        told = child(min(100, args.cards - done), args.seed + done // len(NAMES))
        print(told.stdout, end="", flush=True)
        if told.returncode:
            failed += 1
            print(f"cards {done} and on: {told.returncode}, {told.stderr[-2000:]}", flush=True)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
