"""Characters that hide the content of a text: found before YAML sees them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Edit, Fix
from warchest.diagnostics.visible import LOOSE, UNSEEN, has_changes
from warchest.source.limits import MAX_FINDINGS
from warchest.source.text import Source

TAB = "  "
"""The spaces that take the place of a tab."""
ENOUGH = MAX_FINDINGS + 1
"""The number of findings of a sort that shows that there are too many."""
# Blanks that are none for YAML, at the beginning of a line.
_ODD_INDENT = re.compile(r"^[ ]*([\xa0\u2000-\u200a\u202f\u205f\u3000]+)(?=[^\r\n])", re.MULTILINE)
_TAB_INDENT = re.compile(r"^[ ]*(\t[ \t]*)(?=[^\s])", re.MULTILINE)


def blanked(text: str) -> str:
    """Return the text with each odd character as a space, so that YAML can read it and every place stays."""
    # This covers more than all characters that YAML cannot read, so that neither parser finds such an error.
    plain = UNSEEN.sub(lambda match: " " * len(match.group()), text)
    return _ODD_INDENT.sub(lambda match: " " * len(match.group()), plain)


def is_readable(text: str) -> bool:
    """Whether the text holds whole characters only."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def odd_characters(source: Source) -> list[Diagnostic]:
    """Find control characters, odd line ends, and marks that cannot be seen or turn the reading direction.

    For each sort, the search ends at the first character beyond the limit.
    """
    found = list(islice(UNSEEN.finditer(source.text), ENOUGH))
    if has_changes(source.text):
        found += islice(LOOSE.finditer(source.text), ENOUGH)
    unseen = [_odd(source, match.span(), "cannot be seen and is not allowed", "delete it", "") for match in found]
    if source.text.isascii():
        return unseen
    what, help = "indents the line, and is no plain blank", "indent with spaces"
    indents = islice(_ODD_INDENT.finditer(source.text), ENOUGH)
    return unseen + [_odd(source, match.span(1), what, help, " " * len(match[1])) for match in indents]


def _odd(source: Source, at: tuple[int, int], what: str, help: str, instead: str) -> Diagnostic:
    message, span = f"the character U+{ord(source.text[at[0]]):04X} {what}", source.span(*at)
    return report("invisible-character", message, span, help=help, fix=Fix.put(span, instead))


def tab_indentation(source: Source) -> list[Diagnostic]:
    """Find lines indented with tabs, up to the limit; consecutive lines make one finding."""
    found: list[Diagnostic] = []
    if "\t" not in source.text:
        return found
    last_line = -1
    edits: list[Edit] = []
    for match in _TAB_INDENT.finditer(source.text):
        span = source.span(match.start(1), match.end(1))
        edit = Edit(span, span.text.replace("\t", TAB))
        if span.line != last_line + 1:
            if len(found) == ENOUGH:
                break
            help, edits = "indent with spaces, here and in the lines below", []
            found.append(report("tab-indentation", "the line is indented with a tab", span, help=help))
        edits.append(edit)
        found[-1] = replace(found[-1], fix=Fix(tuple(edits)))
        last_line = span.line
    return found
