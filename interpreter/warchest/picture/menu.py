"""Options as a numbered list, and finding one by its number or by words of its label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from warchest.game.decision import Decision, Option

_GAP = 3
_INDENT = 6
"""The indent of what does not fit into a line with its option."""
_MANY = 80
"""The most options of an act that are told one by one; more are told by their parts."""


def menu(decision: Decision, width: int = 100, only: Iterable[int] | None = None, height: int | None = None) -> Text:
    """Return the options of a decision with their numbers from 1 on, or `only` some of them.

    They are grouped by act, or by what that is a part of. Very many of one group are told in sum, and so are the
    largest groups where all would take more lines than `height`.
    """
    numbers = list(range(len(decision.options))) if only is None else list(only)
    groups: dict[str, list[int]] = {}
    for number in numbers:
        groups.setdefault(_act(decision.options[number]), []).append(number)
    told = {number: f"{number + 1:>3} {_rest(decision.options[number])}" for number in numbers}
    listed = {act: list(_columns([told[number] for number in members], width - 4)) for act, members in groups.items()}
    in_sum = {act: list(_summary([decision.options[number] for number in members], width - 4))
              for act, members in groups.items()}  # fmt: skip
    brief = [act for act, members in groups.items() if len(members) > _MANY]
    while height is not None and (longer := [act for act in groups if act not in brief
                                             and len(listed[act]) > len(in_sum[act])]):  # fmt: skip
        if sum(1 + len((in_sum if act in brief else listed)[act]) for act in groups) <= height:
            break
        brief.append(max(longer, key=lambda act: len(listed[act])))
    return _grouped({act: (in_sum if act in brief else listed)[act] for act in groups})


def _grouped(groups: Mapping[str, Sequence[str]]) -> Text:
    shown = Text()
    for act, lines in groups.items():
        shown.append(f"  {act}\n", style="bold")
        for line in lines:
            shown.append(f"    {line}\n")
    shown.rstrip()
    return shown


def matching(decision: Decision, words: str) -> list[int]:
    """Return the options that some words mean: an exact label before labels that hold the words as they stand,
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
    return option.label.removeprefix(_act(option)).removeprefix(": ") or "—"


def _summary(options: Sequence[Option], width: int) -> Iterable[str]:
    """Tell for each role the things that can fill it."""
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
