"""Formats that schemas require of texts, where a pattern is not enough."""

from __future__ import annotations

import re
from calendar import month_name, monthrange
from collections.abc import Callable
from functools import lru_cache

BLANKS = "take the blanks at its beginning and its end out"
"""The fault of a line with blanks around its words."""
_DAY = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})")


def day_wrong(text: str) -> str:
    """Return the reason why a day does not exist; empty if it exists, or the text is not a complete date."""
    written = _DAY.fullmatch(text)
    if written is None or written[1] == "0000":
        return "the years are counted from 0001" if text.startswith("0000") else ""
    year, month, day = (int(part) for part in written.groups())
    most = monthrange(year, month)[1]
    return "" if 1 <= day <= most else f"{month_name[month]} {year} has {most} days"


def line_wrong(text: str) -> str:
    """Return the reason why a text is not one line; empty if it is one."""
    if "\n" in text or "\t" in text:
        return "write it in one line, with blanks for ends of lines and tabs"
    return BLANKS if text != text.strip() else ""


FORMATS: dict[str, Callable[[str], str]] = {"day": day_wrong, "line": line_wrong}
"""For each format, a function that returns the fault of a text that should have it; empty if there is none."""


def fits(text: object, name: str) -> bool:
    """Whether a value has a format; a value that is not a text has every format."""
    return not isinstance(text, str) or not FORMATS[name](text)


# A sign after a backslash, and the signs in brackets, have another meaning.
_END = re.compile(r"(\\.?|\[(?:\\.?|[^\]\\])*\]?)|\$", re.DOTALL)


@lru_cache(maxsize=200)
def expression(pattern: str) -> re.Pattern[str]:
    """Return a pattern of a schema, ready for use: its `$` is the very end, and not also a line end before that."""
    return re.compile(_END.sub(lambda sign: sign[1] or r"\Z", pattern))
