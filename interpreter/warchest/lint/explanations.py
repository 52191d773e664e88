"""The answers of `wc-lint explain`: the table of codes, and advice and examples, which are data."""

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
    """Advice about a finding, a text that has it, and the corrected text (or empty)."""

    advice: str
    bad: str
    good: str
    fix: str = ""
    """Whether `wc-lint --fix` can fix such findings: `safe`, `unsafe`, or empty."""


@lru_cache(maxsize=1)
def explanations() -> dict[str, Explanation]:
    """Read the explanations, by code."""
    text = (data_folder("schemas") / FILE).read_text(encoding="utf-8")
    entries: dict[str, dict[str, str]] = yaml.safe_load(text)
    return {
        code: Explanation(entry["do"], entry.get("bad", ""), entry.get("good", ""), entry.get("fix", ""))
        for code, entry in entries.items()
    }


def with_help(found: Diagnostic) -> Diagnostic:
    """Return a finding with help: its own, or the advice for its code."""
    return found if found.help else replace(found, help=" ".join(explanations()[found.code].advice.split()))


def listing() -> str:
    """Return one line for each code."""
    width = max(len(row.name) for row in TABLE)
    return "\n".join(f"{row.code}  {row.name:<{width}}  {row.summary}" for row in TABLE)


def explain(code: str) -> str:
    """Return the documentation of a code, given by itself or by its name; raises KeyError with a message."""
    row = _row(code)
    told = explanations()[row.code]
    parts = [f"{row.code} {row.name} ({row.severity})", fill(row.summary, 100), fill(told.advice, 100)]
    parts += [fill(one, 100) for one in about(row)]
    if told.bad:
        parts.append("A text with this finding:\n\n" + indent(told.bad.rstrip(), "    "))
    if told.good:
        parts.append(("Better:" if told.bad else "As it should be:") + "\n\n" + indent(told.good.rstrip(), "    "))
    return "\n\n".join(parts)


def about(row: FindingCode) -> list[str]:
    """Return notes on how the linter fixes findings of a code, if it can, and on how to switch them off."""
    fix = {
        "safe": "`wc-lint --fix` corrects it if there is only one way to do so.",
        "unsafe": "`wc-lint --fix --unsafe-fixes` corrects it; this can change the meaning of a text.",
    }
    off = (
        "It is always reported, because a text with an error cannot be used."
        if row.severity == "error"
        else f"To switch it off, write the note `# wc-lint: ignore[{row.code}] because …` in the file, or use `ignore` "
        "in the settings."
    )
    return [*filter(None, [fix.get(explanations()[row.code].fix, "")]), off]


def page(row: FindingCode) -> str:
    """Return the page of the manual about a code, in Markdown."""
    told = explanations()[row.code]
    parts = [f"# {row.code} {row.name}", f"*{row.severity}*: {row.summary}.", fill(told.advice, 120)]
    if told.bad:
        parts.append(f"A text with this finding:\n\n```yaml\n{told.bad.rstrip()}\n```")
    if told.good:
        parts.append(f"{'Better' if told.bad else 'As it should be'}:\n\n```yaml\n{told.good.rstrip()}\n```")
    return "\n\n".join([*parts, *(fill(one, 120) for one in about(row))]) + "\n"


def _row(code: str) -> FindingCode:
    row, help = find_code(code)
    if row is None:
        raise KeyError(f"there is no code `{code}`; {help}")
    return row
