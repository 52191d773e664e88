"""Fixes that the advice of a finding names: replacing one word by another."""

from __future__ import annotations

import re
from dataclasses import replace

from warchest.diagnostics.diagnostic import Diagnostic, Fix
from warchest.documents.formats import BLANKS

_ONE = re.compile(
    r"(?P<how>did you mean|write(?: the number in digits:)?) `(?P<words>[^`]+)`(?:\?|, without (?:quotes|brackets))?"
)
"""Advice with exactly one replacement for the marked words."""
_IN_QUOTES = re.compile(r"(?P<sign>[\"'])(?P<text>[^\"'\\\n]*)(?P=sign)")
_FORM = re.compile(r"WC1|WC208|WC21[1-3]|WC22")
"""The codes of findings on keys, names and values. Findings on sentences already have their fixes."""
_KEEPS_RULES = ("byte-order-mark", "unused-word", "unused-note", "wrong-article")
"""The warnings whose fixes do not change the rules."""


def proposed(found: Diagnostic) -> Diagnostic:
    """Return a finding with the fix that its advice names, if it has none yet.

    A warning is about a text that is valid, so its fix is safe only if it cannot change the rules.
    """
    fix = found.fix
    if fix is None and found.span is not None and _FORM.match(found.code):
        said = _ONE.fullmatch(found.help)
        marked = found.span.text
        if said is not None and "\n" not in marked and marked:
            quote = marked[0] if said["how"] == "did you mean" and marked[0] in "'\"" else ""
            fix = Fix.put(found.span, f"{quote}{said['words']}{quote}")
        elif found.help == BLANKS and (quoted := _IN_QUOTES.fullmatch(marked)) is not None:
            fix = Fix.put(found.span, quoted["sign"] + quoted["text"].strip() + quoted["sign"])
    if fix is not None and found.severity != "error" and found.name not in _KEEPS_RULES:
        fix = replace(fix, is_safe=False)
    return found if fix is found.fix else replace(found, fix=fix)
