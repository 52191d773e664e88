"""Marked YAML from a source: `parse` reads it, `plain` turns it into ordinary values.

It is built from the parser's events, not its node composer: the composer hides anchors, lets aliases multiply and
calls itself for every level, while events come one at a time and can be stopped. No value is typed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, Label, quoted
from warchest.diagnostics.visible import first_hidden, visible_lines
from warchest.source.characters import blanked, is_readable, odd_characters, tab_indentation
from warchest.source.hints import NO_BLANK, closer_help, hint_for
from warchest.source.limits import MAX_DEPTH, MAX_FINDINGS
from warchest.source.nodes import Entry, Mapping, Node, Scalar, ScalarStyle, Sequence
from warchest.source.plain_values import plain
from warchest.source.text import Source, Span

__all__ = ["Entry", "Mapping", "Node", "Scalar", "Sequence", "parse", "plain"]

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_YamlEvent: TypeAlias = Any
_STYLES: dict[str | None, ScalarStyle] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
# An anchor or tag may precede the marker; possessive, so that no input makes the match slow.
_BLOCK_HEADER = re.compile(r"(?:[&!]\S*+(?:\s|#[^\r\n]*+)++)*+[|>][^\r\n]*+(?:\r\n|\r|\n|\Z)")


def parse(source: Source, loader: Any = None) -> tuple[list[Node], list[Diagnostic]]:
    """Read a source: one root node per document, and the findings in the order of the file.

    Never raises. After a mistake in the YAML itself the documents before it are still returned. `loader` is
    the PyYAML loader to use (default: the one in C if there is one).
    """
    builder = _NodeBuilder(source)
    builder.run(loader or LOADER)
    return builder.roots, sorted(builder.found, key=lambda found: found.sort_key)


def _fault_of_escape(hidden: str) -> str:
    """Return the fault of an escape for a character, in words."""
    if not is_readable(hidden):
        return "an escape means half a character"
    return f"an escape means U+{ord(hidden):04X}, which cannot be seen and is not allowed"


@dataclass(slots=True)
class _OpenCollection:
    """A collection whose end has not been read."""

    event: _YamlEvent
    is_mapping: bool
    items: list[Node] = field(default_factory=list)
    """The items of a list, or the values of a mapping."""
    entries: list[Entry] = field(default_factory=list)
    seen: dict[str, Span] = field(default_factory=dict)
    key: Node | None = None


class _Enough(Exception):
    """Stops the reading of events; never leaves this module."""


class _NodeBuilder:
    """Builds nodes from events with a stack of its own, so that no nesting uses up Python's."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.roots: list[Node] = []
        self.found: list[Diagnostic] = []
        self.stack: list[_OpenCollection] = []
        # A byte order mark that came this far is cut off: the parser in C does not count it.
        self.base = 1 if source.text.startswith("\ufeff") else 0

    def run(self, loader: Any) -> None:
        """Read all events of the text; a mistake becomes a finding and ends the reading."""
        odd, tabs = odd_characters(self.source), tab_indentation(self.source)
        text = blanked(self.source.text) if odd else self.source.text
        try:
            for found in odd + tabs:
                self._tell(found)
            # Not `yaml.parse`: it makes two calls for every event.
            taken = self._taken_by()
            for event in iter(loader(text[self.base :]).get_event, None):
                take = taken.get(type(event))
                if take is not None:
                    take(event)
        except _Enough:
            return
        except yaml.MarkedYAMLError as error:
            # A tab is the cause of errors after it, and has been reported already.
            if not (tabs and self._is_about_tab(error)):
                self.found.append(self._syntax_finding(error))
        except (yaml.YAMLError, ValueError, OverflowError):
            # The pure Python parser lets number errors of hostile escapes through.
            self.found.append(report("yaml-syntax", "the file is not well-formed YAML", self._span(0, 0)))
        else:
            if not self.roots and not self.found:
                self.found.append(report("empty-file", "the file holds no document", self._span(0, 0)))

    def _tell(self, found: Diagnostic) -> None:
        """Add a finding; where there are too many, the file is not read any further."""
        if len(self.found) == MAX_FINDINGS:
            message = f"more than {MAX_FINDINGS} things are wrong in this file; the rest of it was not read"
            self.found.append(report("too-many-findings", message, found.span))
            raise _Enough
        self.found.append(found)

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source, start + self.base, end + self.base)

    def _event_span(self, event: _YamlEvent) -> Span:
        return self._span(event.start_mark.index, event.end_mark.index)

    def _taken_by(self) -> dict[type, Callable[[_YamlEvent], None]]:
        """Return the method that takes each kind of event; other kinds are ignored."""
        return {
            ScalarEvent: self._scalar,
            MappingStartEvent: self._open,
            SequenceStartEvent: self._open,
            MappingEndEvent: self._close,
            SequenceEndEvent: self._close,
            AliasEvent: self._alias,
        }

    def _alias(self, event: _YamlEvent) -> None:
        span = self._event_span(event)
        self._refuse("yaml-alias", f"{quoted(span.text)} is a YAML alias, which is not used here", span)
        self._add(Scalar(span.text, "plain", span))

    def _open(self, event: _YamlEvent) -> None:
        if event.anchor is not None or event.tag is not None:
            self._properties(event)
        if len(self.stack) == MAX_DEPTH:
            span = self._span(event.start_mark.index, event.start_mark.index + 1)
            message = f"lists and mappings are nested more than {MAX_DEPTH} deep"
            self._tell(report("nesting-too-deep", message, span))
            raise _Enough
        self.stack.append(_OpenCollection(event, type(event) is MappingStartEvent))

    def _close(self, event: _YamlEvent) -> None:
        opened = self.stack.pop()
        start = opened.event.start_mark.index
        if opened.event.flow_style:
            end = event.end_mark.index
        else:
            # The parser's end mark of a block is at the next token, after comments and blank lines.
            last = opened.items[-1] if opened.items else None
            end = last.span.end - self.base if last is not None else opened.event.end_mark.index
        span = self._span(start, max(start, end))
        if opened.is_mapping:
            self._add(Mapping(tuple(opened.entries), span))
        else:
            self._add(Sequence(tuple(opened.items), span))

    def _add(self, node: Node) -> None:
        if not self.stack:
            self.roots.append(node)
            return
        parent = self.stack[-1]
        key = parent.key
        if not parent.is_mapping:
            parent.items.append(node)
        elif key is None:
            parent.key = node
            self._check_key(node, parent)
        else:
            if type(key) is Scalar and key.text:
                parent.entries.append(Entry(key, node))
                parent.items.append(node)
            parent.key = None

    def _check_key(self, key: Node, parent: _OpenCollection) -> None:
        if not isinstance(key, Scalar) or not key.text:
            message = "a key must be a word or a text" if not isinstance(key, Scalar) else "a value has no key"
            self._refuse("invalid-key", message, key.span, "write `key: value`")
        elif key.text == "<<" and key.style == "plain":
            self._refuse("yaml-merge", "`<<` merges mappings in YAML, which is not used here", key.span)
        elif key.text in parent.seen:
            first = Label(parent.seen[key.text], "first given here")
            message = f"the key {quoted(key.text)} is given twice"
            help = "remove one of the two; nothing says which would count"
            self._tell(report("duplicate-key", message, key.span, help=help, labels=(first,)))
        else:
            parent.seen[key.text] = key.span

    def _scalar(self, event: _YamlEvent) -> None:
        if event.anchor is not None or event.tag is not None:
            self._properties(event)
        base, style = self.base, _STYLES.get(event.style, "plain")
        span = Span(self.source, event.start_mark.index + base, event.end_mark.index + base)
        block = self._block(span, style) if style in ("literal", "folded") else None
        text: str = event.value
        # A text can hold more than is written only in double quotes: the written part has been checked.
        if style == "double" and (hidden := first_hidden(text)):
            self._refuse("invisible-character", _fault_of_escape(hidden), span, "leave the escape out")
            text = visible_lines(text)
        self._add(Scalar(text, style, span, block))

    def _block(self, span: Span, style: ScalarStyle) -> Span | None:
        """Return the place of the content of a literal block; a folded one is refused."""
        header = _BLOCK_HEADER.match(self.source.text, span.start)
        start = min(header.end(), span.end) if header else span.end
        if style == "literal":
            return self.source.span(start, span.end)
        marker = self.source.span(span.start, start)
        place = self.source.span(span.start, span.start + len(marker.text.rstrip()))
        message, fix = "a folded block (`>`) changes the lines of its text", Fix.put(place, f"|{place.text[1:]}")
        self._tell(report("folded-text", message, place, help="write `|`", fix=fix))
        return None

    def _properties(self, event: _YamlEvent) -> None:
        start = event.start_mark.index + self.base
        end = event.end_mark.index + self.base
        text = self.source.text
        if event.anchor is not None:
            at = max(start, text.find(f"&{event.anchor}", start, end))
            span = self.source.span(at, at + 1 + len(event.anchor))
            self._refuse("yaml-anchor", f"{quoted(span.text)} is a YAML anchor, which is not used here", span)
        if event.tag is not None:
            written = re.compile(r"![^\s,\[\]{}]*+").search(text, start, max(start, end))
            span = self.source.span(*(written.span() if written else (start, start)))
            self._refuse("yaml-tag", f"{quoted(span.text)} is a YAML tag, which is not used here", span)

    def _refuse(self, name: str, message: str, span: Span, help: str = "write it out, or put it in quotes") -> None:
        self._tell(report(name, message, span, help=help))

    def _is_about_tab(self, error: yaml.MarkedYAMLError) -> bool:
        mark = error.problem_mark
        if mark is None:
            return False
        line = self.source.line(self._span(mark.index, mark.index).line)
        return "\t" in line[: len(line) - len(line.lstrip())]

    def _syntax_finding(self, error: yaml.MarkedYAMLError) -> Diagnostic:
        hint = hint_for(error.context or "", error.problem or "")
        noticed, began = error.problem_mark or error.context_mark, error.context_mark
        mark = began if hint.at_start and began is not None else noticed
        start = mark.index if mark is not None else 0
        span = self._span(start, min(start + 1, len(self.source.text) - self.base))
        labels: tuple[Label, ...] = ()
        if noticed is not None and mark is not noticed:
            labels = (Label(self._span(noticed.index, noticed.index), "noticed here"),)
        help = closer_help(hint, self.source.line(span.line), self._above(span.line))
        fix = self._apart(span) if help == NO_BLANK else None
        return report("yaml-syntax", hint.message, span, help=help, labels=labels, fix=fix)

    def _apart(self, span: Span) -> Fix:
        """Return the fix that inserts a blank after the first colon from a place on."""
        colon = self.source.text.find(":", span.start) + 1
        return Fix.put(self.source.span(colon, colon), " ")

    def _above(self, number: int) -> str:
        """Return the nearest line above that is neither blank nor a comment; empty if there is none."""
        for before in range(number - 1, 0, -1):
            line = self.source.line(before)
            if line.strip() and not line.lstrip().startswith("#"):
                return line
        return ""
