"""A plugin of pytest: if folders of cards are configured, the rulings and properties there are tests.

Every run of pytest imports this module, so it imports nothing else until there is something for it to do.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from warchest.testing.items import CardFile, CardFolders

SUFFIXES = (".yaml", ".yml")
_FOLDERS: pytest.StashKey[CardFolders] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the settings for the folders of cards, and their game."""
    group = parser.getgroup("warchest", "cards of warchest")
    group.addoption(
        "--warchest",
        action="append",
        default=[],
        metavar="DIR",
        help="run the rulings in this folder of cards too; may be given again",
    )
    group.addoption("--warchest-game", metavar="NAME", help="the game that the cards belong to")
    group.addoption(
        "--warchest-position",
        metavar="POSITION",
        help="check properties in Python in this position alone: a mapping, or a file",
    )
    parser.addini("warchest_cards", "folders of cards whose rulings are tests", type="paths", default=[])
    parser.addini("warchest_game", "the game that the cards belong to (default: war-chest)", default="war-chest")


def pytest_configure(config: pytest.Config) -> None:
    """Let pytest collect from the folders that are named on the command line."""
    given = [_absolute(config, one) for one in config.getoption("warchest")]
    there = [_absolute(config, one.partition("::")[0]) for one in config.args]
    config.args += [str(one) for one in given if not any(one.is_relative_to(other) for other in there)]
    position = config.getoption("warchest_position")
    if position is not None:
        _ask_about(config, position)


def _ask_about(config: pytest.Config, position: str) -> None:
    """Set the only position in which properties in Python are checked, until the run ends."""
    from warchest.testing.asked import ASKED, position_in

    try:
        before = ASKED.set(position_in(position))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    config.add_cleanup(lambda: ASKED.reset(before))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CardFile | None:
    """Collect the rulings and the properties of a file in a folder of cards."""
    if file_path.suffix not in SUFFIXES or not any(file_path.is_relative_to(one) for one in _folders(parent.config)):
        return None
    from warchest.testing import items

    config = parent.config
    if _FOLDERS not in config.stash:
        game = config.getoption("warchest_game") or config.getini("warchest_game")
        config.stash[_FOLDERS] = items.CardFolders(game, _folders(config))
    return items.CardFile.of(parent, file_path, config.stash[_FOLDERS])


def _folders(config: pytest.Config) -> list[Path]:
    """Return the folders of cards that are configured."""
    return [*config.getini("warchest_cards"), *(_absolute(config, one) for one in config.getoption("warchest"))]


def _absolute(config: pytest.Config, given: str) -> Path:
    return Path(config.invocation_params.dir, given).resolve()
