"""Loops in C that end soon after a signal."""

from __future__ import annotations

import re

_LONG = re.compile(r"\bfor \(|\(r, ")
"""A body with another loop in it, or with a call that can have one."""


def interruptible(body: str) -> str:
    """Return the block of a loop around a body; if the body can take long, the loop ends after a signal."""
    return f"{{if (signalled) break; {body}}}" if _LONG.search(body) else f"{{{body}}}"
