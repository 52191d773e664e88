"""The answers of `wc-lint explain`: the table of codes, and beside it advice and examples, which are data."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from textwrap import fill, indent

import yaml

from warchest.diagnostics.codes import TABLE, FindingCode, find_code
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.data import data_folder
from warchest.source.records import record

FILE = "explanations.yaml"


@record()
class Explanation:
    """Advice about a finding, a text in which it is found, and that text put right (or empty)."""

    advice: str
    bad: str
    good: str


@lru_cache(maxsize=1)
def explanations() -> dict[str, Explanation]:
    """Read the explanations, by code."""
    text = (data_folder("schemas") / FILE).read_text(encoding="utf-8")
    entries: dict[str, dict[str, str]] = yaml.safe_load(text)
    return {
        code: Explanation(entry["do"], entry.get("bad", ""), entry.get("good", "")) for code, entry in entries.items()
    }


def with_help(found: Diagnostic) -> Diagnostic:
    """Return a finding with what can be done about it: its own help, or the advice there is for its code."""
    return found if found.help else replace(found, help=" ".join(explanations()[found.code].advice.split()))


def listing() -> str:
    """Return one line for each code."""
    width = max(len(row.name) for row in TABLE)
    return "\n".join(f"{row.code}  {row.name:<{width}}  {row.summary}" for row in _by_code())


def explain(code: str) -> str:
    """Return the documentation of a code, given as such or by its name; raises KeyError with a message."""
    row = _row(code)
    told = explanations()[row.code]
    parts = [f"{row.code} {row.name} ({row.severity})", fill(row.summary, 100), fill(told.advice, 100)]
    if told.bad:
        parts.append("Found fault with:\n\n" + indent(told.bad.rstrip(), "    "))
    if told.good:
        parts.append(("Better:" if told.bad else "As it should be:") + "\n\n" + indent(told.good.rstrip(), "    "))
    return "\n\n".join(parts)


def _by_code() -> list[FindingCode]:
    return sorted(TABLE, key=lambda row: row.code)


def _row(code: str) -> FindingCode:
    row, help = find_code(code)
    if row is None:
        raise KeyError(f"there is no code `{code}`; {help}")
    return row
