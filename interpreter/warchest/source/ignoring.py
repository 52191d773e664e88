"""Files of patterns for paths that are skipped, read as git reads `.gitignore`.

Git compares bytes. Texts here have one character for each byte, so that names in any encoding are compared as git does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from warchest.source.file_reading import begins_with
from warchest.source.limits import MAX_BYTES, MAX_PATTERNS
from warchest.source.records import record
from warchest.source.repository import roots_above

IGNORING = (".gitignore", ".wc-lint-ignore")
"""The files with such patterns; only this program reads the second."""
_LONGEST = 4096
"""The most characters that a path can have, so that no longer pattern can match one."""
_WILD = re.compile(r"[*?\[\\]")
_BOUND = r"(?:\\?/|\Z)"
_DEEP = re.compile(rf"\*{{2,}}(?={_BOUND})")
_CLASS = re.compile(r"\[:([^\]]*):\]")
_CLASSES = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t\n\v\f\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class TooManyPatterns(ValueError):
    """A file has more patterns than are compared with all files; the message is its name."""


class _NoMatch(Exception):
    """A pattern that matches nothing, because a bracket is not closed, for example."""


@record()
class _Pattern:
    """A line of such a file; `expression` is compared with a path, or, if `by_name`, with the path's last name."""

    expression: re.Pattern[str]
    takes_back: bool
    folders_only: bool
    by_name: bool


@record()
class IgnoreFile:
    """The patterns of a file, the last one first, and the folder that they apply to, ending in a slash."""

    inside: str
    patterns: tuple[_Pattern, ...]

    @classmethod
    def read(cls, folder: str, name: str) -> IgnoreFile:
        """Return the patterns in a folder's file with a name; empty if the file cannot be read, or is a link.

        Raises TooManyPatterns.
        """
        file, data = os.path.join(folder, name), b""
        if not os.path.islink(file):
            with suppress(OSError, ValueError):
                data = begins_with(file, MAX_BYTES)
        lines = [
            line
            for line in data.decode("latin-1").removeprefix("\xef\xbb\xbf").split("\n")
            if line.removesuffix("\r") and not line.startswith("#")
        ]
        if len(lines) > MAX_PATTERNS:
            raise TooManyPatterns(name)
        return cls.of(folder, [line.removesuffix("\r") for line in lines])

    @classmethod
    def of(cls, folder: str, lines: Sequence[str]) -> IgnoreFile:
        """Return the patterns in some lines of a file in a folder; texts have one character for each byte."""
        patterns = (_pattern(line) for line in reversed(lines))
        return cls(as_git(os.path.join(folder, "")), tuple(one for one in patterns if one is not None))

    def ignores(self, place: str, is_folder: bool) -> bool | None:
        """Return whether a path is ignored by the patterns; None where none of them matches it."""
        below = place[len(self.inside) :]
        name = below.rpartition("/")[2]
        for one in self.patterns:
            if (is_folder or not one.folders_only) and one.expression.match(name if one.by_name else below):
                return not one.takes_back
        return None


Chain: TypeAlias = tuple[IgnoreFile, ...]
"""The files of one name that a folder is subject to, the topmost first."""


class Ignored:
    """The patterns that apply to the entries of a folder: the patterns of the folder and of the folders above it.

    Call `has` for each folder before its entries, because no pattern can include a file of an ignored folder again.
    """

    def __init__(self, chains: tuple[Chain, ...] = ((),) * len(IGNORING)) -> None:
        self._chains = chains

    def within(self, folder: str, names: set[str]) -> Ignored:
        """Return the patterns that apply in a folder with entries of some names; raises TooManyPatterns."""
        if names.isdisjoint(IGNORING):
            return self
        chains = zip(IGNORING, self._chains, strict=True)
        return Ignored(
            tuple((*chain, IgnoreFile.read(folder, name)) if name in names else chain for name, chain in chains)
        )

    def has(self, path: str, is_folder: bool) -> bool:
        """Whether an entry of the folder is ignored; a link to a folder does not count as a folder."""
        place = as_git(path) if any(self._chains) else ""
        return any(_is_ignored(chain, place, is_folder) for chain in self._chains)


def ignored_above(folder: str) -> Ignored:
    """Return the patterns of the folders above one, up to the root of its repository of git.

    The result is empty if the folder is in no repository, or is ignored itself: a user who names it still wants its
    files. Raises TooManyPatterns.
    """
    found = Ignored()
    for outer, inner in pairwise((*_above(folder), folder)):
        found = found.within(outer, {name for name in IGNORING if os.path.lexists(os.path.join(outer, name))})
        if found.has(inner, True):
            return Ignored()
    return found


def _above(folder: str) -> list[str]:
    """Return the folders above one in its repository, the root first; none where it is in no repository."""
    root, found = next(roots_above(folder), folder), list[str]()
    while folder != root:
        found.append(folder := os.path.dirname(folder))
    return found[::-1]


def _is_ignored(chain: Chain, place: str, is_folder: bool) -> bool:
    """Whether a path is ignored, by the lowest file with a pattern that matches it."""
    for file in reversed(chain):
        said = file.ignores(place, is_folder)
        if said is not None:
            return said
    return False


def as_git(path: str) -> str:
    """Return a path with slashes, and with one character for each byte."""
    return os.fsencode(path.replace(os.sep, "/")).decode("latin-1")


# ---- patterns

_PatternPart: TypeAlias = tuple[str, str]
"""A part of a pattern: its kind (`one` for a character, `star`, or `deep` for `**`), and the expression for it."""


@lru_cache(maxsize=512)
def _pattern(line: str) -> _Pattern | None:
    """Return the pattern of a line; None where it can match nothing."""
    line = _without_blanks(line)
    takes_back = line.startswith("!")
    written = line[1:] if takes_back else line
    folders_only = written.endswith("/")
    written = written[:-1] if folders_only else written
    by_name = "/" not in written
    try:
        expression = re.compile(_expression(written if by_name else written.removeprefix("/"), by_name), re.DOTALL)
    except _NoMatch:
        return None
    return _Pattern(expression, takes_back, folders_only, by_name)


def _without_blanks(line: str) -> str:
    """Return a line without the blanks at its end; a blank after a backslash is kept."""
    kept = line.rstrip(" ")
    slashes = len(kept) - len(kept.rstrip("\\"))
    return kept + " " if slashes % 2 and kept != line else kept


def _expression(written: str, by_name: bool) -> str:
    """Return the regular expression for a pattern; raises _NoMatch.

    No path takes long to match: the part before a star, or before `**`, is matched where it first fits and nowhere
    else, since the star takes all characters in between.
    """
    parts = list(_parts(written, by_name))
    if len(parts) > _LONGEST:
        raise _NoMatch
    found = list[str]()
    for stretch in _split(parts, "deep"):
        # A stretch that begins with `**` is tried at each folder in turn, and a star does not leave its folder.
        fixed, *runs = ("".join(part for _, part in run) for run in _split(stretch, "star"))
        found.append("".join((fixed, *(f"(?>{run})" for run in runs[:-1]), *runs[-1:])))
    return "".join((*(f"(?>{stretch})" for stretch in found[:-1]), found[-1], r"\Z"))


def _split(parts: list[_PatternPart], kind: str) -> list[list[_PatternPart]]:
    """Split some parts into groups; each group except the first begins with a part of a given kind."""
    found = [list[_PatternPart]()]
    for part in parts:
        if part[0] == kind:
            found.append([])
        found[-1].append(part)
    return found


def _parts(written: str, by_name: bool) -> Iterator[_PatternPart]:
    """Yield the parts of a pattern; raises _NoMatch."""
    wild = _WILD.search(written)
    first = wild.start() if wild is not None else 0
    at = 0
    while at < len(written):
        sign = written[at]
        deep = None if by_name or not (at == first or written[at - 1] == "/") else _DEEP.match(written, at)
        if deep is not None:
            at = deep.end()
            slash = written[at : at + 1] == "/"
            yield "deep", "(?:.*?/)??" if slash else ".*?"
            at += slash
        elif sign == "*":
            at += len(written[at:]) - len(written[at:].lstrip("*"))
            yield "star", "[^/]*?"
        elif sign == "[":
            at, part = _bracket(written, at + 1)
            yield "one", part
        elif sign == "\\":
            if at + 1 == len(written):
                raise _NoMatch
            yield "one", re.escape(written[at + 1])
            at += 2
        else:
            yield "one", "[^/]" if sign == "?" else re.escape(sign)
            at += 1


def _bracket(written: str, at: int) -> tuple[int, str]:
    """Return a bracket's end, given the place after its first sign, and the expression for it; raises _NoMatch."""
    negated = written[at : at + 1] in ("!", "^")
    at += negated
    start, before, parts = at, "", list[str]()
    while at == start or written[at : at + 1] != "]":
        named = _CLASS.match(written, at)
        if named is not None:
            if named[1] not in _CLASSES:
                raise _NoMatch
            parts.append(_CLASSES[named[1]])
            at, before = named.end(), ""
        elif before and written[at : at + 1] == "-" and written[at + 1 : at + 2] not in ("", "]"):
            at, last = _sign(written, at + 1)
            parts += [f"{re.escape(before)}-{re.escape(last)}"] if before <= last else []
            before = ""
        else:
            at, before = _sign(written, at)
            parts.append(re.escape(before))
    fits = f"[{''.join(parts)}]" if parts else "(?!)"
    return at + 1, f"(?!/)(?!{fits})." if negated else f"(?!/){fits}"


def _sign(written: str, at: int) -> tuple[int, str]:
    """Return the place after a sign of a bracket, and the sign itself, perhaps escaped; raises _NoMatch."""
    at += written[at : at + 1] == "\\"
    if at >= len(written):
        raise _NoMatch
    return at + 1, written[at]
