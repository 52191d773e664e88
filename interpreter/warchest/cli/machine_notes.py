"""Notes of commands that play many games about the machine: why it is the slow one, and how slow that is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from warchest.cli import common
from warchest.testing.bot_games import MANY, BotTable, GameLimit
from warchest.testing.table_speed import table_speed


def wants_native(args: argparse.Namespace, tables: Sequence[BotTable], games: int) -> bool:
    """Whether a number of games are to be played natively: if requested, for many games, or if a bot searches."""
    return not args.reference and bool(args.native or games >= MANY or any(table.searches for table in tables))


def note_reference(why: str, tables: Sequence[BotTable], seed: int, limit: GameLimit, seeds: int = 0) -> None:
    """Print a line on why the reference machine plays at tables, and how slow it is, measured by the games of a seed.

    `seeds` is the number of seeds to be played, if it is known.
    """
    speed = table_speed(tables, seed, limit).told(seeds * len(tables))
    common.note(f"the reference machine plays: {why}; that is slow: {speed}")


def play_natively_or_note(tables: Sequence[BotTable], seeds: int, seed: int, limit: GameLimit) -> bool:
    """Let tables play natively; return whether all can.

    If a table cannot, a line says why, and how slow the reference machine is.
    """
    found = [(table, reason) for table in tables if (reason := table.play_natively())]
    if found:
        why = "; ".join(dict.fromkeys(reason for _, reason in found))
        note_reference(why, [table for table, _ in found], seed, limit, seeds)
    return not found
