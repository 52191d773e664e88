"""Options as a numbered list, and finding one by its number or by words of its label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from warchest.game.decision import Decision, Option

_GAP = 3
_INDENT = 6
"""The indent of further lines of an option."""
_MANY = 80
"""The most options of an act that are listed one by one; more are listed by their parts."""


def menu(decision: Decision, width: int = 100, only: Iterable[int] | None = None, height: int | None = None) -> Text:
    """Return the options of a decision with their numbers from 1 on, or `only` some of them.

    Options are grouped by act, or by the act that theirs is a part of. Very many of a group are summed up. If all would
    take more lines than `height`, the largest groups are summed up, and then only counted.
    """
    numbers = list(range(len(decision.options))) if only is None else list(only)
    groups: dict[str, list[int]] = {}
    for number in numbers:
        groups.setdefault(_act(decision.options[number]), []).append(number)
    ways = {act: _ways(decision, members, width - 4) for act, members in groups.items()}
    while height is not None and sum(1 + len(shown[0]) for shown in ways.values()) > height:
        longest = max(ways, key=lambda act: (len(ways[act]) > 1, len(ways[act][0])))
        if len(ways[longest]) == 1:
            break
        ways[longest].pop(0)
    return _grouped({act: shown[0] for act, shown in ways.items()}, {act: len(groups[act]) for act in groups})


def _ways(decision: Decision, members: Sequence[int], width: int) -> list[list[str]]:
    """Return the possible layouts of a group of options in lines, from the most lines to the fewest, and no lines at
    last."""
    listed = list(_columns([f"{number + 1:>3} {_rest(decision.options[number])}" for number in members], width))
    in_sum = list(_summary([decision.options[number] for number in members], width))
    found = [listed] if len(members) <= _MANY else []
    if not found or len(in_sum) < len(listed):
        found.append(in_sum)
    return [*found, []] if len(members) > 1 else found


def _grouped(groups: Mapping[str, Sequence[str]], counts: Mapping[str, int]) -> Text:
    shown = Text()
    for act, lines in groups.items():
        shown.append(f"  {act}", style="bold").append("\n" if lines else f": {counts[act]} ways\n")
        for line in lines:
            shown.append(f"    {line}\n")
    shown.rstrip()
    return shown


def matching(decision: Decision, words: str) -> list[int]:
    """Return the options that some words mean: an exact label before labels that hold the words literally,
    those before labels that hold each word somewhere."""
    wanted = " ".join(words.casefold().split())
    labels = [option.label.casefold() for option in decision.options]
    for fits in (
        lambda label: label == wanted,
        lambda label: wanted in label,
        lambda label: all(word in label.replace(":", " ").replace(",", " ").split() for word in wanted.split()),
        lambda label: all(word in label for word in wanted.split()),
    ):
        found = [number for number, label in enumerate(labels) if fits(label)]
        if found:
            return found
    return []


def _act(option: Option) -> str:
    return str(option.data.get("as") or option.data.get("act") or "…")


def _rest(option: Option) -> str:
    return option.label.removeprefix(_act(option)).removeprefix(": ") or option.label


def _summary(options: Sequence[Option], width: int) -> Iterable[str]:
    """Yield for each role the things that can fill it."""
    roles: dict[str, dict[str, None]] = {}
    for option in options:
        for key, value in option.data.items():
            if key not in ("act", "as"):
                roles.setdefault(key, {})[str(value)] = None
    yield f"{len(options)} ways, by words for:"
    for key, values in roles.items():
        yield from wrap(f"{key} {', '.join(values)}", width, initial_indent="  ", subsequent_indent="    ")


def _columns(items: Sequence[str], width: int) -> Iterable[str]:
    """Set items in as many columns as fit, reading downward."""
    widest = max(map(cell_len, items)) + _GAP
    columns = max(min((width + _GAP) // widest, len(items)), 1)
    if columns == 1:
        yield from (line for item in items for line in wrap(item, width, subsequent_indent=" " * _INDENT) or [""])
        return
    rows = -(-len(items) // columns)
    for row in range(rows):
        line = [item + " " * (widest - cell_len(item)) for item in items[row::rows]]
        yield "".join(line).rstrip()
