"""List the errata and printings of a game: the document each amends, its option, its source, and whether it is in use."""

from __future__ import annotations

import argparse
from typing import Any

from warchest.cli import begin_options, common
from warchest.documents.layers import LAYER, choice_of
from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.streams import console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    begin_options.add_choice(parser)
    common.add_common(parser)


def run(args: argparse.Namespace) -> int:
    """List the layers; return the exit code."""
    game = common.load_game(args)
    options = begin_options.choice_of(game, args)
    used = {layer.name for layer in game.layers(options)}
    records = [_record(game, layer, layer.name in used) for layer in game.library.of_kind(LAYER)]
    if args.format == "json":
        common.print_json(records)
    elif records:
        _print(records)
    else:
        common.note("there are no errata")
    return common.FINE


def _record(game: Game, layer: Document, used: bool) -> dict[str, object]:
    """Return all data about a layer, ready for JSON."""
    choice = choice_of(layer)
    option = None
    if choice is not None:
        option = {"name": choice.name, "value": choice.value, "values": game.choices[choice.name]}
    return {
        "name": layer.name,
        "amends": dict(layer.values["amends"]),
        "option": option,
        "set": layer.values.get("set"),
        "date": layer.values.get("date"),
        "after": list(layer.values.get("after", ())),
        "source": str(layer.values.get("source") or layer.values.get("ruling", "")),
        "in_use": used,
        **common.place_record(layer.span),
    }


def _print(records: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table()
    for column in ("erratum", "amends", "option", "set", "date", "in use", "source"):
        table.add_column(column, overflow="fold")
    for one in records:
        table.add_row(
            one["name"],
            f"{one['amends']['kind']}: {one['amends']['name']}",
            _option(one["option"]),
            one["set"] or "",
            one["date"] or "",
            "yes" if one["in_use"] else "no",
            one["source"],
        )
    console().print(table)


def _option(option: dict[str, Any] | None) -> str:
    """Return an option with its values, the one that chooses the layer first."""
    if option is None:
        return "always"
    others = [value for value in option["values"] if value != option["value"]]
    return f"{option['name']}={option['value']} ({', '.join(others)})"
