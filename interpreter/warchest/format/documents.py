"""Documents as lines: their keys in the order of their kind, lists and mappings indented by two, comments kept."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping as Table
from itertools import accumulate, takewhile

from warchest.format.comments import Remark, Remarks, end_of, is_flow
from warchest.format.scalars import block_comment, block_lines, in_one_line, over_lines
from warchest.format.sentence_lines import STEP, WIDTH, laid_out
from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence

_INDENT = " " * STEP


class DocumentLayout:
    """The layout of the documents in a text; nodes have to be laid out once each, in the order of the text."""

    def __init__(self, text: str, roots: Collection[Node], sentences: Collection[int]) -> None:
        self._text = text
        self._remarks = Remarks(text, list(roots))
        self._sentences = sentences
        """The identities of the scalars that are sentences."""
        self._end = 0
        """The offset after the node that was laid out last."""

    def document(self, root: Mapping, order: Table[str, int]) -> list[str]:
        """Return the lines of a document, its keys in an order; keys that are not in it stay where they are."""
        parts, below = self._entries(root, 0, -1)
        places = list(accumulate((order.get(entry.key.text, -1) for entry in root.entries[1:]), _known, initial=-1))
        ordered = [part for _, part in sorted(zip(places, parts, strict=True), key=lambda one: one[0])]
        return [*(line for part in ordered for line in part), *below]

    def rest(self) -> list[str]:
        """Return the comments after the last document."""
        lines = _separated(self._remarks.before(len(self._text) + 1))
        return lines[:-1] if lines and not lines[-1] else lines

    def _entries(self, node: Mapping, indent: int, around: int) -> tuple[list[list[str]], list[str]]:
        """Return the lines of each entry with the comments above it, and the comments after the last."""
        parts = list[list[str]]()
        for entry in node.entries:
            lead = _separated(self._remarks.before(entry.key.span.start))
            parts.append([*(lead if parts else _begun(lead)), *self._entry(entry, indent)])
        return parts, self._below(node, around)

    def _below(self, node: Mapping | Sequence, around: int) -> list[str]:
        """Return the comments after the last item of a list or a mapping that belong to it."""
        if is_flow(node, self._text):
            return [one.text for one in self._remarks.before(node.span.end) if one.text]
        return _separated(self._remarks.below(self._end, max(self._column(node), around + 1)))

    def _column(self, node: Node) -> int:
        return node.span.start - self._text.rfind("\n", 0, node.span.start) - 1

    def _entry(self, entry: Entry, indent: int) -> list[str]:
        key, value = in_one_line(entry.key), entry.value
        self._end = entry.key.span.end
        if isinstance(value, Scalar) or not self._is_long(value, indent, len(key) + 2):
            above = self._above(value)
            (first, *others), beside = self._leaf(value, indent, len(key) + 2)
            return [*above, *_ended([f"{key}: {first}".rstrip(), *_indented(others)], beside)]
        beside = self._remarks.beside(self._end)
        lines, behind = self._several(value, indent + STEP, self._column(entry.key))
        first, *others = [one for one in (beside, behind) if one] or [""]
        return [*_ended([f"{key}:"], first), *_indented([*others, *lines])]

    def _above(self, value: Node) -> list[str]:
        """Return the comments before a value that goes into the line of its key, or inside a value that is empty."""
        if isinstance(value, Scalar) and value.is_absent:
            return []
        return [one.text for one in self._remarks.before(self._beginning(value)) if one.text]

    def _beginning(self, node: Node) -> int:
        """Return the offset of the first word of a node, or of its bracket if there is no comment inside."""
        while not isinstance(node, Scalar):
            if not _parts_of(node):
                return node.span.end
            if is_flow(node, self._text) and not self._remarks.any_within(node.span.start, node.span.end):
                break
            node = _parts_of(node)[0]
        return node.span.start

    def _several(self, node: Mapping | Sequence, indent: int, around: int) -> tuple[list[str], str]:
        """Return the lines of a list or a mapping with an item in each, and the comment after its bracket, if any.

        If there are comments inside as well, that comment becomes the last line instead.
        """
        has_comments = self._remarks.any_within(node.span.start, node.span.end)
        lines = self._items(node, indent, around)
        if not is_flow(node, self._text):
            return lines, ""
        self._end = node.span.end
        behind = self._remarks.beside(self._end)
        return ([*lines, behind], "") if has_comments and behind else (lines, behind)

    def _items(self, node: Mapping | Sequence, indent: int, around: int) -> list[str]:
        if isinstance(node, Mapping):
            parts, below = self._entries(node, indent, around)
            return [*(line for part in parts for line in part), *below]
        lines = list[str]()
        for item in node.items:
            lead = _separated(self._remarks.before(self._beginning(item)))
            lines += lead if lines else _begun(lead)
            lines += self._item(item, indent + STEP, self._column(node))
        return lines + self._below(node, around)

    def _item(self, item: Node, indent: int, around: int) -> list[str]:
        if isinstance(item, Scalar) or not self._is_long(item, indent, 0):
            (first, *others), beside = self._leaf(item, indent, 0)
            return _ended([f"- {first}".rstrip(), *_indented(others)], beside)
        lines, behind = self._several(item, indent, around)
        lines = [behind, *lines] if behind else lines
        # A comment before the first value is above its key, and so goes above the whole item.
        above = list(takewhile(lambda line: line.startswith("#"), lines))
        first, *others = lines[len(above) :]
        return [*above, f"- {first}", *_indented(others)]

    # ---- scalars, and lists and mappings in brackets

    def _is_long(self, node: Mapping | Sequence, indent: int, used: int) -> bool:
        """Whether a list or a mapping is written with an item in each line; one in brackets only if necessary."""
        if not is_flow(node, self._text):
            return True
        parts = _parts_of(node)
        if not parts:
            return False
        if self._remarks.any_within(node.span.start, node.span.end):
            return True
        if len(self._in_brackets(node)) <= WIDTH - indent - (STEP if used else 0):
            return False
        return isinstance(node, Mapping) or not all(isinstance(part, Scalar) for part in parts)

    def _leaf(self, value: Node, indent: int, used: int) -> tuple[list[str], str]:
        """Return the lines of a value and the comment after it; `used` is the width of the key before the value."""
        if isinstance(value, Scalar):
            lines = self._scalar(value, indent, used)
            self._end = self._end if value.is_absent else end_of(value, self._text)
            if value.block is not None:
                return lines, ""
        else:
            lines = self._bracketed(value, indent, used)
            self._remarks.before(value.span.end)
            self._end = value.span.end
        return lines, self._remarks.beside(self._end)

    def _scalar(self, value: Scalar, indent: int, used: int) -> list[str]:
        if value.block is None:
            written = in_one_line(value)
            if "\n" not in value.span.text:
                return [written]
            return over_lines(written, WIDTH - indent - used, WIDTH - indent - STEP)
        mark, lines = block_lines(value)
        if id(value) in self._sentences:
            mark, lines = "|", laid_out(value.text, WIDTH - indent - STEP)
        comment = block_comment(value)
        return [*_ended([mark], comment), *lines]

    def _bracketed(self, node: Mapping | Sequence, indent: int, used: int) -> list[str]:
        """Return the lines of a list or a mapping in brackets: after its key, or below it if that is too long."""
        whole, width = self._in_brackets(node), WIDTH - indent - (STEP if used else 0)
        if len(whole) <= WIDTH - indent - used:
            return [whole]
        below = [""] if used else []
        if len(whole) <= width or isinstance(node, Mapping):
            return [*below, whole]
        lines = [""]
        for number, item in enumerate(node.items, 1):
            part = f" {self._in_brackets(item)}{',' if number < len(node.items) else ']'}"
            if lines[-1] and len(lines[-1]) + len(part) > width:
                lines.append("")
            lines[-1] += part
        return [*below, f"[{lines[0][1:]}", *lines[1:]]

    def _in_brackets(self, node: Node) -> str:
        """Return a node in one line."""
        if isinstance(node, Scalar):
            return in_one_line(node)
        if isinstance(node, Sequence):
            return f"[{', '.join(map(self._in_brackets, node.items))}]"
        return f"{{{', '.join(map(self._pair, node.entries))}}}"

    def _pair(self, entry: Entry) -> str:
        value = self._in_brackets(entry.value)
        return f"{in_one_line(entry.key)}: {value}" if value else in_one_line(entry.key)


def _parts_of(node: Mapping | Sequence) -> list[Node]:
    """Return the items of a list, or the keys of a mapping."""
    return [entry.key for entry in node.entries] if isinstance(node, Mapping) else list(node.items)


def _known(last: int, place: int) -> int:
    return last if place < 0 else place


def _separated(remarks: list[Remark]) -> list[str]:
    """Return comments and blank lines as lines, with successive blank lines reduced to one."""
    return [one.text for number, one in enumerate(remarks) if one.text or not (number and not remarks[number - 1].text)]


def _begun(lines: list[str]) -> list[str]:
    """Return lines without a blank one at their beginning."""
    return lines[1:] if lines and not lines[0] else lines


def _ended(lines: list[str], comment: str) -> list[str]:
    """Return lines with a comment after the last, if there is one."""
    return [*lines[:-1], f"{lines[-1]}  {comment}"] if comment else lines


def _indented(lines: list[str]) -> list[str]:
    return [_INDENT + line if line else line for line in lines]
