"""Common slips of the pen in a sentence, and what to do about them.

The parser knows only that a word does not fit; this module looks at the word and at what stands around it.
Every word named here is a word of the language itself, of no game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from warchest.diagnostics.codes import BY_NAME
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.source.text import Span
from warchest.syntax.words import Vocabulary

_INSTEAD: dict[str, str] = {
    "then": "a comma stands before it: `…, then …`",
    "else": "say `otherwise, …` in a sentence of its own",
    "and": "join steps by `, then`; `and` joins conditions",
    "or": "a comma stands before it: `either …, or …`",
    "can": "say `may`",
    "could": "say `may`",
    "should": "say `must`, or give the order itself",
    "can't": "say `cannot`",
    "isn't": "say `is not`",
    "doesn't": "say `cannot`, or `is not`",
    "do": "say `cannot` for what must not be done",
    "does": "say `cannot` for what must not be done",
    "not": "say `cannot …` of what is done, and `is not …` of what is so",
    "he": "say `it`",
    "she": "say `it`",
    "they": "say `it`, or name the thing as in `that …`",
    "them": "say `it`, or name the thing as in `that …`",
    "their": "say `its`",
    "his": "say `its`",
    "her": "say `its`",
    "my": "say `your`",
    "i": "say `you`",
    "me": "say `you`",
    "these": "say `all …`",
    "those": "say `all …`",
    "every": "say `each` or `all`",
    "some": "say `a`",
    "whenever": "say `when` or `after`",
    "whilst": "say `while`",
    "once": "say `when` or `after`",
    "up": "say `within 2 …`, or a range of numbers: `1-2`",
    "one": "write numbers in digits: `1`",
    "two": "write numbers in digits: `2`",
    "three": "write numbers in digits: `3`",
    "four": "write numbers in digits: `4`",
    "five": "write numbers in digits: `5`",
    "six": "write numbers in digits: `6`",
    "is": "an order begins with its verb: say what is done",
}
_CAPITAL = re.compile(r"[A-Z][A-Za-z'’-]*(?: [A-Z][A-Za-z'’-]*)*")


def with_help(findings: Iterable[Diagnostic], vocabulary: Vocabulary) -> list[Diagnostic]:
    """Return the findings, those of the parser with the help that fits the slip, if one is recognised."""
    return [_better(found, vocabulary) if _is_from_parser(found) else found for found in findings]


def _is_from_parser(found: Diagnostic) -> bool:
    return found.span is not None and found.name in ("unknown-word", "syntax-error")


def _better(found: Diagnostic, vocabulary: Vocabulary) -> Diagnostic:
    assert found.span is not None
    word = found.span.text
    if word[:1].isupper():
        return _capital(found, found.span, vocabulary)
    help = _INSTEAD.get(word, "")
    if not help and found.name == "syntax-error":
        help = _run_together(found.span, vocabulary)
    return replace(found, help=help) if help else found


def _capital(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> Diagnostic:
    """A capital begins a name, and nothing else; a sentence begins with a small letter."""
    small = span.text[:1].lower() + span.text[1:]
    if _begins_sentence(span) and (small in vocabulary.by_first or small in _FIRST_WORDS):
        return replace(found, help=f"a sentence begins with a small letter: `{small}`")
    if found.name != "unknown-word":
        return found
    code = BY_NAME["unknown-name"]
    whole = _CAPITAL.match(span.source.text, span.start)
    place = span.source.span(span.start, max(span.end, whole.end())) if whole else span
    names = [" ".join(words) for words, kinds in vocabulary.entries.items() if "NAME" in kinds]
    help = did_you_mean(place.text, names) or did_you_mean(span.text, names)
    help = help or ("write the word in small letters" if small in vocabulary.by_first else "")
    return replace(found, code=code.code, name=code.name, severity=code.severity, span=place,
                   message=f"there is no document called {quoted(place.text)}",
                   help=help or "a name is the printed name of a document, as its first line gives it")  # fmt: skip


_FIRST_WORDS = (
    "a", "all", "an", "another", "after", "any", "before", "each", "either", "for", "if", "it", "its", "let",
    "nobody", "no", "normally", "otherwise", "that", "the", "this", "to", "until", "when", "you", "your",
)  # fmt: skip


def _before(span: Span) -> str:
    """Return what stands before a span, without comments and white space at its end, from a few lines back."""
    lines = span.source.text[max(0, span.start - 400) : span.start].split("\n")
    kept = [line.split("#", 1)[0] for line in lines[:-1]] + lines[-1:]
    return "\n".join(kept).rstrip()


def _begins_sentence(span: Span) -> bool:
    return _before(span).endswith((".", "|", "|-", "|+"))


def _run_together(span: Span, vocabulary: Vocabulary) -> str:
    """Help for a line that begins like an order, where the line before has no full stop, comma or colon."""
    column = span.column - 1
    line = span.source.line(span.line)
    start = len(line) - len(line.lstrip())
    first = line[start:].split(" ", 1)[0].rstrip(".,:")
    begins = any("VERB" in vocabulary.entries[words] for words in vocabulary.by_first.get(first, ()))
    before = _before(span.source.span(span.start - column + start, span.end))
    if before.endswith((".", ",", ":", "|")) or not (begins or start == column):
        return ""
    return "if a new sentence begins in this line, end the one before it with a full stop"
