"""The pages about the findings of the linter, made from the table of codes and the texts of `wc-lint explain`.

`python tests/docs/findings_support.py` writes them.
"""

from __future__ import annotations

from pathlib import Path

from warchest.diagnostics.codes import GAPS, TABLE
from warchest.lint.explanations import page

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "findings"
MADE = "<!-- Made by `python tests/docs/findings_support.py` from `schemas/explanations.yaml`; do not edit. -->\n\n"
HEAD = """\
# Findings

All findings of `wc-lint`, with a page for each. `wc-lint explain CODE` prints the same text.

"""


def pages() -> dict[str, str]:
    """The pages by the names of their files."""
    found = {f"{row.code}.md": MADE + page(row) for row in TABLE}
    rows = [f"| [{row.code}]({row.code}.md) | {row.name} | {row.severity} | {row.summary} |" for row in TABLE]
    missing = "\n".join(f"- {text}." for text in dict.fromkeys(GAPS.values()))
    table = "| Code | Name | Severity | Summary |\n|---|---|---|---|\n" + "\n".join(rows)
    found["README.md"] = f"{MADE}{HEAD}{table}\n\nCodes that are not in use:\n\n{missing}\n"
    return found


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
