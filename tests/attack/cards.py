"""Cards: files of both games, mutated, given to `wc-lint` as replacements or beside the game, and played."""

from __future__ import annotations

import re
import shutil
from functools import lru_cache
from pathlib import Path
from random import Random
from zlib import crc32

from attack import texts
from attack.armies import starts
from attack.cases import ACCEPTED, GROUP, REFUSED, Case, Kind, Verdict
from attack.games import CARDS, NAMES, files, instead, keep
from attack.judging import Wrong, findings_placed, guarded, play, run
from attack.remembering import remember
from warchest import CardError, Game
from warchest.cli.main import main as warchest
from warchest.lint.wc_lint import main as lint

BESIDE = "beside.yaml"
"""The name of a file that is read beside the game, as a stranger's card is; all others replace one of the game's."""
WAYS = {"byte": 2, "token": 5, "line": 3, "sentence": 6}
LOADED_ALL_THE_SAME = 12
"""One in this many refused files is loaded, too, to see that the game is refused as the file was."""
AT_ONCE = 5
"""The number of rulings in the time of one command: each may bring sheets, which need a new game."""
_ELSEWHERE = "more in other files of the game"
_RARE = ("rulings/", "questions/", "game.yaml", "notation.yaml")
_ONE_OF_A_KIND = {
    "war-chest": ["units/archer.yaml", "decrees/spy.yaml"],
    "unigames": ["figures/goblin-pack.yaml", "abilities/flight.yaml"],
}
"""Files with names of their own, one of each kind of names that sentences can speak of."""
_NAMED = re.compile(r"\A((?:#.*\n)*(?:unit|figure|ability|decree|plan|errata|setup|question): )(.*)")


@lru_cache
def stock() -> texts.Stock:
    """The material of cards, from both games."""
    return texts.stock_of([text for name in NAMES for text in files(name).values()])


class Cards(Kind):
    """Documents: units, figures, actions, abilities, boards, setups, rulings, the notation, the game itself."""

    name, extent = "cards", "lines"

    def warm(self) -> None:
        """Load the games from the working folder, and remember the contents of their files."""
        keep()
        stock()
        remember()
        for name in NAMES:
            Game(Path(name))
            for path in _ONE_OF_A_KIND[name]:
                # The cache holds the files that linting parses; playing would add none.
                Path(BESIDE).write_text(_NAMED.sub(r"\1Stranger", files(name)[path]), encoding="utf-8")
                run(lint, "--no-cache", "--game", name, BESIDE)
        Path(BESIDE).unlink()

    def settle(self) -> None:
        """Copy the games."""
        for name in NAMES:
            shutil.copytree(CARDS / name, name)

    def make(self, seed: str, group: int) -> list[Case]:
        """Return mutations of files of one game after the other; long ones, and rulings, are rarer."""
        rng = Random(f"{seed} {self.name} {group}")
        found = []
        for number in range(GROUP):
            name = NAMES[number % 2]
            weights = [0.15 if path.startswith(_RARE) else 1.0 for path in files(name)]
            path = rng.choices(list(files(name)), weights)[0]
            text = files(name)[path]
            if rng.random() < 0.3 and _NAMED.match(text):
                path, text = BESIDE, _NAMED.sub(r"\1Stranger", text)
            data = texts.mutated(text, rng, stock(), WAYS)
            found.append(Case(self.name, name, path, data))
        return found

    def judge(self, case: Case, folder: Path) -> Verdict:
        """Lint the file; if it is sound, play with it; rulings are carried out."""
        home = folder / case.game
        file = folder / BESIDE if case.name == BESIDE else home / case.name
        file.write_bytes(case.data)
        try:
            ran = run(lint, "--no-cache", "--game", case.game, str(file))
            findings_placed(ran.out)
            if ran.code and not ran.out:
                raise Wrong("refused without a finding", ran.err)
            if ran.code and re.search(r"^error\[", ran.out, re.MULTILINE):
                if crc32(case.data) % LOADED_ALL_THE_SAME == 0 and not case.name.startswith(_RARE[:2]):
                    _load(home, file, case)
                return Verdict(REFUSED)
            if case.name != BESIDE and _ELSEWHERE in ran.err:
                # The game is a stranger's then as a whole, and some other file of it no longer fits.
                return Verdict(REFUSED)
            if case.name.startswith(_RARE[:2]):
                portions = 1 + case.data.count(b"- name:") // AT_ONCE
                run(warchest, "test", "--jobs", "1", "-v", "--game", case.game, str(file), portions=portions)
                run(warchest, "rulings", "--game", case.game, "--cards", str(file))
                return Verdict(ACCEPTED)
            return self._played(_load(home, file, case), file, case)
        finally:
            instead.clear()
            _restore(file, case)

    def _played(self, at: Game | None, file: Path, case: Case) -> Verdict:
        """Show the documents of the file, and play games that they have to do with."""
        if at is None:
            raise Wrong("no findings, and the game is refused", case.name)
        rng = Random(len(case.data))
        inside = [one for one in at.library.documents if one.span.path == str(file)]
        instead[case.game] = at
        for one in inside[:2]:
            run(warchest, "show", "--game", case.game, one.name)
        run(warchest, "errata", "--game", case.game)
        return Verdict(ACCEPTED, sum(play(state, at.position, rng) for state in starts(at, inside, rng)))


def _load(home: Path, file: Path, case: Case) -> Game | None:
    """Return the game with the file in it; None where it is refused, by a finding."""
    extra = [file] if case.name == BESIDE else []
    try:
        return guarded(lambda: Game(home, extra), CardError)  # type: ignore[no-any-return]
    except CardError as error:
        if not all(one.span is not None or one.path for one in error.diagnostics):
            raise Wrong("a CardError without a place", str(error)) from None
        return None


def _restore(file: Path, case: Case) -> None:
    """Put the file of the game back."""
    if case.name == BESIDE:
        file.unlink(missing_ok=True)
    else:
        file.write_text(files(case.game)[case.name], encoding="utf-8")
