"""Packs of generated cards, played on the checked native machine beside the reference machine.

The cards of a pack are in one game, which is compiled once; eight of them at a time are in play. Cards with findings
of the linter are left out. The results are counted by card.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import tempfile
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from exploring import CHECKED as SANITIZING_FLAGS
from exploring import in_child, sanitizer
from lockstep_support import Lost, Seen, forget, made_of, play_both, source_of
from native_support import compiled_in

import warchest
from loaded import load_once
from warchest.lint.wc_lint import findings_in
from warchest.lowering.clause_counts import Counts
from warchest.native.compiled import NativeGame, NativeLibrary
from warchest.native.generate import CSource
from warchest.native.unfit import Unfit
from warchest.parallel import processors, side_by_side
from warchest.testing.draws import RandomDraws
from warchest.testing.newcomers import NAME, card_maker
from warchest.testing.sentences import acted_of

FORTIFIED = ("-DCHECK", "-O1", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3", "-fstack-protector-strong")
"""The flags that make C check its own stack, and the sizes of memory that it copies."""
PACK = 160
"""The number of cards that are made for a pack."""
TOGETHER = 8
"""The number of cards in play at a time."""
CAP = 50
"""The number of decisions of a game that are compared."""
FAVOURITES = ("tactic", "attack", "")
"""The acts that players prefer, game by game."""
SPACES = ("f3", "f4", "f5", "e4", "e5", "g3", "g4", "e6", "g5")
PLAYERS = ("raven", "wolf")
OUTCOMES = ("acted", "idle", "given up", "endless", "over", "unfit")
"""The fates of cards without findings: they acted in a game, or were in play and did not; or each game with them was
given up by the native machine, did not end, or was over at once; or the native machine has no room for them."""


def name_of(number: int) -> str:
    """Return the name of a card of a pack."""
    return f"Novice{chr(ord('a') + number // 26)}{chr(ord('a') + number % 26)}"


def made(game: warchest.Game, seed: str, size: int) -> dict[str, str]:
    """Return the texts of a number of different units by their names; the seed determines them."""
    draws, maker, found = RandomDraws(Random(seed)), card_maker(game, "unit"), dict[str, None]()
    while len(found) < size:
        text = maker.card(draws)
        if text is not None:
            found[text] = None
    return {name_of(number): text.replace(NAME, name_of(number)) for number, text in enumerate(found)}


def written(texts: dict[str, str], folder: str) -> dict[str, Path]:
    """Write cards into a folder, each into a file of its own."""
    files = {name: Path(folder, f"{name}.yaml") for name in texts}
    for name, file in files.items():
        file.write_text(texts[name], encoding="utf-8")
    return files


def clean(texts: dict[str, str]) -> dict[str, str]:
    """Return the cards without findings; they are linted again while there are errors, which can hide others."""
    while texts:
        with tempfile.TemporaryDirectory() as folder:
            files = written(texts, folder)
            found = findings_in([Path(folder)], "war-chest")
        faulty = {one.file for one in found}
        texts = {name: text for name, text in texts.items() if str(files[name]) not in faulty}
        if not any(one.severity == "error" for one in found):
            break
    return texts


class Pack:
    """Some cards without findings."""

    def __init__(self, texts: dict[str, str], seed: str) -> None:
        self.texts, self.seed, self.seen = texts, seed, Seen()
        self.fates = dict.fromkeys(texts, OUTCOMES[-1])
        """The fate of each card, which is one of OUTCOMES."""
        self.wrong: list[str] = []
        """The games in which the machines differed."""

    def sources(self, names: Sequence[str]) -> Iterator[tuple[Sequence[str], CSource]]:
        """Yield the C of a game with some cards, without those that end it at once; if unfit, of two smaller games."""
        ending = self._ending(names)
        self._fare(ending, "over")
        left = [name for name in names if name not in ending]
        try:
            yield left, source_of(self._game_with(left).variant())
        except Unfit:
            for half in (left[: len(left) // 2], left[len(left) // 2 :]) if len(left) > 1 else ():
                yield from self.sources(half)

    def _game_with(self, names: Sequence[str]) -> warchest.Game:
        with tempfile.TemporaryDirectory() as folder:
            written({name: self.texts[name] for name in names}, folder)
            return warchest.load("war-chest", [folder])

    def _ending(self, names: Sequence[str]) -> set[str]:
        """Return those of some cards that end a game at once, whether they are in play or not."""
        try:
            self._game_with(names).position(thrown(names[:TOGETHER], Random(self.seed)))
        except warchest.PositionError:
            if len(names) == 1:
                return {*names}
            return self._ending(names[: len(names) // 2]) | self._ending(names[len(names) // 2 :])
        return set()

    def play(self, names: Sequence[str], library: NativeLibrary) -> None:
        """Compare games with some cards, which are compiled together; each card has others beside it each time."""
        with tempfile.TemporaryDirectory() as folder:
            files = written({name: self.texts[name] for name in names}, folder)
            game = warchest.load("war-chest", [folder])
            for favourite in FAVOURITES:
                rng = Random(f"{self.seed} {favourite}")
                order = rng.sample(names, len(names))
                for first in range(0, len(names), TOGETHER):
                    group = order[max(min(first, len(names) - TOGETHER), 0) :][:TOGETHER]
                    self._play_group(game, library, files, group, rng, favourite)

    def _play_group(
        self,
        game: warchest.Game,
        library: NativeLibrary,
        files: dict[str, Path],
        group: Sequence[str],
        rng: Random,
        favourite: str,
    ) -> None:
        """Compare a game with some cards close together; if they end it at once, two games with half of them each."""
        counts, fate = Counts(), "idle"
        try:
            state = game.position(thrown(group, rng))
            state.silent = True
            state.count(counts)
            play_both(NativeGame(library), state, rng, CAP, self.seen, favourite)
        except warchest.PositionError as error:
            fate = "over"
            if error.field != "winner":
                self.wrong.append(f"{', '.join(group)}: {error}")
            for half in (group[: len(group) // 2], group[len(group) // 2 :]) if len(group) > 1 else ():
                self._play_group(game, library, files, half, rng, favourite)
        except Lost as error:
            fate = "given up"
            if "stopped where it should not" in str(error):
                self.wrong.append(f"{', '.join(group)}: {error}")
        except warchest.EndlessError:
            fate = "endless"
        except Exception as error:
            self.wrong.append(f"{', '.join(group)}: {type(error).__name__}: {str(error)[:500]}")
        acting = {path for path, _, _ in acted_of(counts)} if fate == "idle" else ()
        self._fare(group, fate, [name for name in group if str(files[name]) in acting])

    def _fare(self, names: Sequence[str], fate: str, acting: Container[str] = ()) -> None:
        """Note the fate of some cards in a game; the best fate of each card is kept."""
        for name in names:
            came = "acted" if name in acting else fate
            self.fates[name] = min(self.fates[name], came, key=OUTCOMES.index)


def thrown(group: Sequence[str], rng: Random) -> dict[str, Any]:
    """Return a position with units close together, and with coins for each."""
    spaces, names = rng.sample(SPACES, len(group)), rng.sample(group, len(group))
    owners = {name: PLAYERS[number % 2] for number, name in enumerate(names)}
    coins = {name: rng.choice((1, 2)) for name in names}
    units = [
        {"at": space, "unit": name, "owner": owners[name], "coins": coins[name]}
        for name, space in zip(names, spaces, strict=True)
    ]
    own = {player: [name for name in names if owners[name] == player] for player in PLAYERS}
    return {
        "to_act": "raven",
        "initiative": rng.choice(PLAYERS),
        "units": units,
        "hand": {player: held[:3] for player, held in own.items()},
        "bag": own,
        "supply": {player: [name for name in held if coins[name] == 1] for player, held in own.items()},
    }


# ---- in a process of its own


def play_what_is_given() -> None:
    """Play a compiled pack from standard input, and write the result."""
    pack, compiled = pickle.loads(sys.stdin.buffer.read())
    for names, path, legend in compiled:
        pack.play(names, NativeLibrary(path, legend))
    print(json.dumps({"fates": Counter(pack.fates.values()), "wrong": pack.wrong, **asdict(pack.seen)}), flush=True)


def played(number: int, seed: str, size: int) -> dict[str, Any]:
    """Make a pack, compile it, and play it in a process of its own; return the result.

    Every other pack is played under sanitizers, where the compiler has them.
    """
    texts = clean(made(load_once("war-chest"), f"{seed} {number}", size))
    pack, sanitized = Pack(texts, f"{seed} {number}"), number % 2 and sanitizer() is not None
    flags = SANITIZING_FLAGS if sanitized else FORTIFIED
    with tempfile.TemporaryDirectory() as folder, compiled_in(Path(folder)):
        # The code compiled for one pack is of no use to the next.
        forget()
        compiled = [(names, made_of(one, flags), one.legend) for names, one in pack.sources(list(texts))]
        given = pickle.dumps((pack, compiled))
        told = in_child("import packs_support; packs_support.play_what_is_given()", given, sanitized=bool(sanitized))
    digests = [sha256(text.replace(name, NAME).encode()).hexdigest()[:12] for name, text in texts.items()]
    found = {"made": size, "clean": len(texts), "digests": digests, "fates": {}, "decisions": 0, "options": 0}
    if told.returncode:
        return found | {"wrong": [f"exit code {told.returncode}: {told.stderr.decode()[-2000:]}"]}
    return found | json.loads(told.stdout)


class Tally:
    """The results of many packs."""

    def __init__(self) -> None:
        self.counts, self.fates, self.different = Counter[str](), Counter[str](), set[str]()
        self.wrong: list[str] = []

    def add(self, number: int, told: dict[str, Any]) -> None:
        """Add the result of a pack, and print its faults."""
        self.counts.update({key: told[key] for key in ("made", "clean", "decisions", "options")})
        self.fates.update(told["fates"])
        self.different.update(told["digests"])
        for one in told["wrong"]:
            self.wrong.append(f"pack {number}: {one}")
            print(self.wrong[-1], flush=True)

    def __str__(self) -> str:
        fates = ", ".join(f"{self.fates[one]} {one}" for one in OUTCOMES if self.fates[one])
        return (
            f"{self.counts['made']} cards made, {self.counts['clean']} without findings, {len(self.different)} of "
            f"these different: {fates}; {self.counts['decisions']} decisions, {self.counts['options']} options, "
            f"{len(self.wrong)} wrong"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Play packs with a number of cards, several of them at the same time."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--cards", type=int, default=PACK, help="the number of cards to make (default: one pack)")
    add("--first", type=int, default=0, help="the number of the first pack (default: %(default)s)")
    add("--seed", default="1", help="the seed of all random choices, a text (default: %(default)s)")
    add("--jobs", type=int, default=processors(), help="the number of processes (default: all processors)")
    args = parser.parse_args(argv)
    numbers = range(args.first, args.first + -(-args.cards // PACK))
    begun, tally, size = monotonic(), Tally(), min(args.cards, PACK)
    card_maker(load_once("war-chest"), "unit")
    for number, told in zip(
        numbers, side_by_side(partial(played, seed=args.seed, size=size), numbers, args.jobs), strict=True
    ):
        tally.add(number, told)
        print(f"pack {number}: {tally}; {monotonic() - begun:.0f} s", flush=True)
    return int(bool(tally.wrong))


if __name__ == "__main__":
    # Pickled objects are found by the name of this module.
    from packs_support import main as main_of_packs

    sys.exit(main_of_packs())
