"""Fixes that the advice of a finding names: one word in the place of another."""

from __future__ import annotations

import re
from dataclasses import replace

from warchest.diagnostics.diagnostic import Diagnostic, Fix

_ONE = re.compile(
    r"(?P<how>did you mean|write(?: the number in digits:)?) `(?P<words>[^`]+)`(?:\?|, without (?:quotes|brackets))?"
)
"""Advice with one word, which takes the place of the marked one, and with nothing else."""
_FORM = re.compile(r"WC1|WC208|WC21[1-3]|WC22")
"""The codes of findings on keys, names and values. Advice on sentences is tried word by word where it is made."""
_KEEPS_RULES = ("byte-order-mark", "unused-word", "unused-note")
"""The warnings that can be put right without changing what the rules say."""


def proposed(found: Diagnostic) -> Diagnostic:
    """Return a finding with the fix that its advice names, if it has none yet.

    A warning is about a text that can be read, so what puts it right is not safe where it may change the rules.
    """
    fix = found.fix
    if fix is None and found.span is not None and _FORM.match(found.code):
        said = _ONE.fullmatch(found.help)
        marked = found.span.text
        if said is not None and "\n" not in marked and marked:
            quote = marked[0] if said["how"] == "did you mean" and marked[0] in "'\"" else ""
            fix = Fix.put(found.span, f"{quote}{said['words']}{quote}")
    if fix is not None and found.severity != "error" and found.name not in _KEEPS_RULES:
        fix = replace(fix, is_safe=False)
    return found if fix is found.fix else replace(found, fix=fix)
