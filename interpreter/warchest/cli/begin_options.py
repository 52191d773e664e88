"""The beginning of new games by the arguments of a command: the setup, and the things that players bring."""

from __future__ import annotations

import argparse
import gc
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.diagnostics.codes import report
from warchest.game.errors import PositionError
from warchest.rulings.field_places import place_of
from warchest.source.nodes import Mapping as Marked
from warchest.source.yaml import plain

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.game.setup.beginning import Beginning

_COLLECTION = "collection"
BEGINNING = ("armies", "points", _COLLECTION, "setup", "players", "sets", "date", "option")
"""The arguments that determine how a new game begins."""


def add_beginning(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that determine how a new game begins, except the seed."""
    group = common.titled(parser, common.NEW_GAMES)
    again = "repeat it for each player"
    common.add_several(group, "--armies", "PLAYER=NAME,NAME,…", f"the army of a player; {again}")
    common.add_number(group, "--points", least=0, help="the most points of an army, in games that count points")
    owned = f"the cards that a player owns: PLAYER=NAME,NAME,…, or a file with lists for players; {again}"
    common.add_several(group, "--collection", "OWNED", owned)
    group.add_argument("--setup", metavar="NAME", help="the setup to start from (default: the usual one of the board)")
    common.add_number(group, "--players", help="the number of players, which decides on the board")
    add_choice(parser)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that determine the cards in use and their printing."""
    group = common.titled(parser, common.CARDS_IN_USE)
    group.add_argument(
        "--sets", metavar="A,B", help="the sets of cards in use, or `all` (default: the usual ones of the game)"
    )
    group.add_argument(
        "--date", metavar="DATE", help="use the errata published by this date: a year, or a day such as 2019-08-31"
    )
    common.add_several(group, "--option", "NAME=VALUE", "a value for an option of the cards, such as a printing")


def choice_of(game: Game, args: argparse.Namespace) -> dict[str, str]:
    """Return the options of a game by the arguments of `add_choice`; raises PositionError or UsageError."""
    return game.options(dict(common.pairs("option", args.option)), args.sets, args.date)


def beginning_of(game: Game, args: argparse.Namespace) -> Beginning:
    """Return the beginning of new games for the arguments; raises the errors of `begun_with`."""
    beginning = game.beginning(**begun_with(game, args))
    # Objects loaded now stay until the command ends, so the garbage collector can skip them.
    gc.freeze()
    return beginning


def begun_with(game: Game, args: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `game.new` that the command's arguments mean.

    Raises PositionError, UsageError, or InputError for a file.
    """
    keys = ("setup", "players", "sets", "date", "points")
    how: dict[str, Any] = {key: getattr(args, key) for key in keys}
    how["options"] = dict(common.pairs("option", args.option))
    how["armies"] = _names_by_player("armies", args.armies) or None
    owned, files = _collections(args.collection)
    how[_COLLECTION] = owned or None
    try:
        game.beginning(**how).brought()
    except PositionError as error:
        raise _in_its_file(error, files) from None
    return how


def _names_by_player(name: str, given: list[str]) -> dict[str, list[str]]:
    """Return the names in arguments of the form `PLAYER=NAME,NAME,…`; raises UsageError."""
    pairs = common.pairs(name, given)
    return {player: [one.strip() for one in names.split(",")] if names else [] for player, names in pairs}


def _collections(given: list[str]) -> tuple[dict[str, object], dict[str, Marked]]:
    """Return the collections of players, and the files that contain them, by player; raises UsageError or InputError."""
    owned: dict[str, object] = {}
    files: dict[str, Marked] = {}
    for one in given:
        if "=" in one:
            owned |= _names_by_player(_COLLECTION, [one])
            continue
        marked = common.read_marked(one, _COLLECTION)
        told = plain(marked)
        assert isinstance(told, dict)
        owned |= told
        files |= dict.fromkeys(told, marked)
    return owned, files


def _in_its_file(error: PositionError, files: dict[str, Marked]) -> Exception:
    """Return an error about a collection as a finding in the collection's file, if it has one."""
    what, _, field = error.field.partition(".")
    marked = files.get(field.partition("[")[0]) if what == _COLLECTION else None
    if marked is None:
        return error
    message = str(error).removeprefix(f"{error.field}: ")
    return common.InputError([report("schema-mismatch", message, place_of(marked, field))])
