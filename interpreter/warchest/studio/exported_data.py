"""The data that the exported page keeps of the shipped games, made by the Python of the page: see `run.mjs`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from warchest.game.game import Game
from warchest.lint.jobs import jobs
from warchest.lint.run import lint_in_steps
from warchest.resolve.parsed_blocks import keep_known
from warchest.source.cache import BUILT
from warchest.source.contents import Contents, WrittenTrees, keep_built
from warchest.source.data import shipped_games
from warchest.source.text import Source

KEPT, CARD = Path("/work/kept"), Path("/work/card.yaml")


def read_by_linter(folder: Path, contents: Contents) -> Iterator[Source]:
    """Lint a card on top of a game, as the page does; yield all texts that were read: more than those of the game."""
    for job in jobs([CARD], folder.name, [], contents=contents):
        for _ in lint_in_steps(job):
            pass
        yield from (found for file in job.files if (found := contents.source(file).source) is not None)


def main() -> None:
    """Read the shipped games, which stores the parser's table; store their blocks and trees, and copy all of this."""
    trees = list[WrittenTrees]()
    for folder in shipped_games():
        contents = Contents().with_texts({str(CARD): ""})
        Game(folder, contents=contents)
        sources = [one for one in read_by_linter(folder, contents) if one.path != str(CARD)]
        keep_known(folder, sources)
        trees.append(contents.written(sources))
    keep_built(trees)
    shutil.copytree(BUILT, KEPT)


if __name__ == "__main__":
    main()
