"""The tally of games on the screen: shares of wins, with their confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from warchest.streams import console
from warchest.testing.tally import Tally, TallyTable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_tally(tally: Tally, title: str) -> None:
    """Print the tables of a tally, and the averages of a game."""
    out = console()
    for one in tally.tables(title):
        print_table(out, one)
    out.print(tally.means_text())


def print_table(out: Console, told: TallyTable) -> None:
    """Print a table of shares."""
    out.print(_printed(told))


def _printed(told: TallyTable) -> Table:
    from rich.table import Table

    table = Table(title=told.title)
    for name in told.columns:
        table.add_column(name, justify="right" if name else "left")
    for section in told.sections:
        for row in section:
            table.add_row(*row)
        table.add_section()
    return table
