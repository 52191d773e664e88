"""The complaints of the YAML parsers, in plain words.

Both parsers (C and Python) word their complaints a little differently; a row matches either.
"""

from __future__ import annotations

import re

from warchest.source.records import record


@record()
class Hint:
    """A complaint recognised by `pattern`, in our words.

    `at_start` says that the mistake is where the unfinished thing starts, not where the parser noticed.
    """

    pattern: str
    message: str
    help: str
    at_start: bool = False


_INDENT_HELP = (
    "check that the line is indented like its neighbours; text after a closing quote, "
    "or a block going on after a less indented line, reads like this too"
)

_COLON = Hint(
    "mapping values are not allowed",
    "a colon starts a value in the wrong place",
    "put text that holds a colon in quotes, or check the indentation",
)
_NO_PAIR = Hint(
    "could not find expected ':'",
    "a line with neither a key nor a value",
    "write `key: value`, or indent the line so that it belongs to the value above",
    at_start=True,
)

# Tried from the top, on the text "context; problem".
HINTS: tuple[Hint, ...] = (
    _COLON,
    Hint(
        "sequence entries are not allowed",
        "a list starts in the line of its key",
        "start each item in a line of its own, below the key",
    ),
    _NO_PAIR,
    Hint("quoted scalar; found unexpected end", "the quote is never closed", "add the closing quote", at_start=True),
    Hint(
        "quoted scalar; found unexpected document",
        "the quote is not closed before the document ends",
        "add the closing quote",
        at_start=True,
    ),
    Hint(
        "escape", "an unknown escape after a backslash", "use single quotes, in which a backslash is only a backslash"
    ),
    Hint(
        "flow sequence",
        "the list that starts here is not closed, or two of its items have no comma between them",
        "close it with `]`",
        at_start=True,
    ),
    Hint(
        "flow mapping",
        "the mapping that starts here is not closed, or two of its keys have no comma between them",
        "close it with `}`",
        at_start=True,
    ),
    Hint("found a tab", "a tab is used for indentation, which needs spaces", "indent with spaces"),
    Hint("cannot start any token", "a value cannot start with this character", "put the value in quotes"),
    Hint("scanning an alias", "a value cannot start with `*`", "put the value in quotes", at_start=True),
    Hint("scanning an anchor", "a value cannot start with `&`", "put the value in quotes", at_start=True),
    Hint("tag", "a value cannot start with `!`", "put the value in quotes", at_start=True),
    Hint("scanning a block scalar", "there is text after the block marker", "start the text in the line below the `|`"),
    Hint("node content", "this character is in the place of a value", "put the value in quotes"),
    Hint(
        "'-' indicator|block collection",
        "lines that begin with `- ` and lines that do not begin in the same column",
        "begin each item of the list with `- `, and its other lines two blanks further to the right",
    ),
    Hint("did not find expected key|<block end>", "the line does not fit the lines above it", _INDENT_HELP),
    Hint("<?document start>?", "there is text where a new document should start", "separate documents by a line `---`"),
    Hint("directive|incompatible YAML", "the `%` line is not understood", "leave it out"),
)


NO_BLANK = "write a blank after the colon: `key: value`"
"""The help on a key and a value that are run together."""
_PAIR = re.compile(r"[^#]*\S:(?:\s+\S|\s*$)")
_WITH_VALUE = re.compile(r"[^#]*\S:\s+[^\s#|>]")


def closer_help(hint: Hint, line: str, above: str) -> str:
    """Return help made from the line of a mistake and the line above; if no such help can be made, the hint's
    own."""
    deeper = len(line) - len(line.lstrip()) > len(above) - len(above.lstrip())
    if hint is _NO_PAIR and re.search(r":\s*[|>][+-]?\s*$", above):
        return "indent the text below the `|` by two spaces"
    if hint is _NO_PAIR and re.match(r"\s*+(?:- )?+[A-Za-z_]++:[^\s:]", line):
        return NO_BLANK
    if hint is _NO_PAIR and line.lstrip().startswith(("//", "--", "/*")):
        return "write notes for people after a `#`"
    if hint is _COLON and above and not _PAIR.match(above):
        return "the line above has no colon: write `key: value`, or put text that goes over several lines in quotes"
    if hint is _COLON and deeper and _WITH_VALUE.match(above):
        return "begin the line in the same column as the one above, which has its value already"
    return hint.help


def hint_for(context: str, problem: str) -> Hint:
    """Return the row for a parser's complaint; an unknown one is passed on in the parser's own words."""
    complaint = f"{context}; {problem}"
    for hint in HINTS:
        if re.search(hint.pattern, complaint):
            return hint
    return Hint("", f"the file is not well-formed YAML: {problem or 'unreadable'}", "")
