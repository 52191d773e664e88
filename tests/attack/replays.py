"""Replays: recorded in random games, mutated, given to `warchest replay`, and played on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from attack import trees
from attack.cases import ACCEPTED, GROUP, REFUSED, Case, Kind, Verdict
from attack.games import BEGINNINGS, NAMES, chosen, game, keep, of_ruling
from attack.judging import Ran, Wrong, findings_placed, guarded, play, run
from attack.positions import as_text
from warchest.cli.main import main
from warchest.replay import Session, load, replayed
from warchest.replay.file import written

_KEY = re.compile(r"[\w.\[\] -]+: |step \d+|the start|line \d+ column \d+|has no key|not UTF-8|can't decode")


class Replays(Kind):
    """Games as they were saved."""

    name, extent = "replays", "branches"

    def warm(self) -> None:
        """Load the games."""
        keep()

    def make(self, seed: str, group: int) -> list[Case]:
        """Return the cases of one random game, saved at several moments."""
        rng = Random(f"{seed} {self.name} {group}")
        session, saved = self._session(rng, group), []
        for _ in range(rng.choice((3, 6, 10, 16))):
            if session.state.decision is None:
                break
            session.take(chosen(session.state, rng))
            saved.append(_shorter(json.loads(written(session.replay())), rng))
        return [self._case(session.game.name, rng, saved) for _ in range(GROUP)]

    def _session(self, rng: Random, group: int) -> Session:
        if group % 2:
            name = NAMES[group // 2 % 2]
            return Session.from_position(game(name), of_ruling(rng, name), rng.randrange(99))
        name, how = BEGINNINGS[group // 2 % len(BEGINNINGS)]
        return Session.new(game(name), rng.randrange(1 << 30), **how)

    def _case(self, name: str, rng: Random, saved: list[Any]) -> Case:
        replay = rng.choice(saved)
        if rng.random() < 0.67:
            favourite = rng.choice(("start", "taken", ""))
            data = json.dumps(trees.mutated(replay, rng, saved, favourite)).encode()
        else:
            data = as_text(replay, rng, saved, _by_step)
        return Case(self.name, name, "replay.json", data)

    def judge(self, case: Case, folder: Path) -> Verdict:
        """Step through it; what is taken is shown as data, too, and played on."""
        file = folder / case.name
        file.write_bytes(case.data)
        ran = run(main, "replay", "--short", str(file))
        if ran.code:
            _refused(ran, str(file))
            return Verdict(REFUSED)
        run(main, "replay", "--format", "json", str(file))
        replay = guarded(lambda: load(file))
        if replay.game not in NAMES:
            raise Wrong("a replay chose a folder to load cards from", replay.game)
        at = game(replay.game)
        return Verdict(ACCEPTED, play(guarded(lambda: replayed(at, replay)), at.position, Random(len(case.data))))


def _shorter(replay: dict[str, Any], rng: Random) -> dict[str, Any]:
    """Leave out most of the fingerprints of cards, which take up most of a short replay."""
    if "cards" in replay:
        replay["cards"] = (
            {part: dict(rng.sample(sorted(told.items()), min(3, len(told)))) for part, told in replay["cards"].items()}
            if rng.random() < 0.3
            else {}
        )
    return replay


def _by_step(replay: Any) -> str:
    """Return a replay as it is saved, one step a line."""
    keys = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in replay.items() if key != "taken"]
    taken = ",\n".join(json.dumps(step) for step in replay.get("taken", ()))
    return "{\n" + ",\n".join([*keys, f'"taken": [\n{taken}\n]']) + "\n}\n"


def _refused(ran: Ran, path: str) -> None:
    """Raise Wrong unless a replay was refused with its path, and the step or the key that is wrong, or the clause."""
    if findings_placed(ran.err):
        return
    if "cannot go on" in ran.err and re.search(r"\.yaml:\d+:\d+", ran.err):
        return
    if path not in ran.err and "there is no game" not in ran.err:
        raise Wrong("a replay refused without its path", ran.err)
    if not _KEY.search(ran.err.partition(path)[2]) and "there is no game" not in ran.err:
        raise Wrong("a replay refused without a step or a key", ran.err)
