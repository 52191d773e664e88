"""Line scripts: taken from rulings, mutated, given to `warchest script`, and played on."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random

from attack import texts
from attack.cases import ACCEPTED, GROUP, REFUSED, Case, Kind, Verdict
from attack.games import game, keep, scripted, scripts
from attack.judging import Wrong, findings_placed, guarded, play, run
from attack.limits import rearm
from warchest.cli.main import main

GAME = "unigames"
"""The game that has a notation."""
AT_ONCE = 25
"""How many lines are played in the time of one command."""
WAYS = {"byte": 2, "token": 6, "line": 4, "sentence": 3}


@lru_cache
def stock() -> texts.Stock:
    """The material of scripts."""
    return texts.stock_of(scripts())


class Scripts(Kind):
    """Positions and plays in lines."""

    name, extent = "scripts", "lines"

    def warm(self) -> None:
        """Load the games."""
        keep()
        stock()

    def make(self, seed: str, group: int) -> list[Case]:
        """Return mutations of two scripts, only two, because each needs a new game for its figures."""
        rng = Random(f"{seed} {self.name} {group}")
        two = rng.sample(scripts(), 2)
        made = (texts.mutated(_one_of(two, rng), rng, stock(), WAYS) for _ in range(GROUP))
        return [Case(self.name, GAME, "script.txt", data) for data in made]

    def judge(self, case: Case, folder: Path) -> Verdict:
        """Run it; play on from where it ends."""
        file = folder / case.name
        file.write_bytes(case.data)
        portions = 1 + case.data.count(b"\n") // AT_ONCE
        ran = run(main, "script", "--game", case.game, str(file), portions=portions)
        if ran.code:
            if not findings_placed(ran.out + ran.err, str(file)):
                raise Wrong("a script refused without a finding", ran.out + ran.err)
            return Verdict(REFUSED)
        at = game(case.game)
        rearm(portions)
        state = guarded(lambda: scripted(at, case.data.decode("utf-8-sig")))
        return Verdict(ACCEPTED, play(state, at.position, Random(len(case.data))) if state is not None else 0)


def _one_of(two: list[str], rng: Random) -> str:
    """Return one of two scripts, or both; two of three have no assertions."""
    text = "\n".join(two) if rng.random() < 0.1 else rng.choice(two)
    if rng.random() < 0.67:
        return "\n".join(line for line in text.split("\n") if line[:1] not in ("=", "!"))
    return text
