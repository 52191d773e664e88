"""Reports of findings: the board, the smallest position, the clauses to blame and a command to repeat them."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.game.state import State
from warchest.picture import plain
from warchest.source.text import Span
from warchest.source.yaml_writing import yaml_text
from warchest.testing.positions import PositionData


def report(state: State | None, told: PositionData, culprits: Sequence[Span], chosen: str = "", again: str = "") -> str:
    """Return the report of a finding in a position, on several lines; `chosen` is the act there.

    The board is that of the `state`, if any; `culprits` are the sentences to blame, `again` is the command.
    """
    parts = [f"the smallest position that shows it:\n{_indented(yaml_text(told).rstrip())}"]
    if state is not None:
        parts.append(_indented(_picture(state)))
    if chosen:
        parts.append(f"the option there: {chosen}")
    if culprits:
        said = "\n".join(f"{one.path}:{one.line}: {' '.join(one.text.split())}" for one in culprits)
        parts.append(f"it does not happen without:\n{_indented(said)}")
    if again:
        parts.append(f"to see it again: {again}")
    return "\n".join(parts)


def _picture(state: State) -> str:
    try:
        return plain(state).rstrip()
    except Exception as error:  # a fault in the cards may spoil the picture too
        return f"(the board cannot be drawn: {type(error).__name__}: {error})"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
