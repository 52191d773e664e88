"""Comparison of two texts apart from their layout."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from warchest.format.comments import Remarks
from warchest.format.scalars import block_comment, keeps_blank_lines
from warchest.source.nodes import Mapping, Node, Scalar, within
from warchest.source.nodes import Sequence as List
from warchest.syntax.lexer import scan


def are_same(before: Sequence[Node], after: Sequence[Node], sentences: Collection[int]) -> bool:
    """Whether documents have the same values, the same words in their sentences, and the same comments.

    The order of the keys of a document does not matter, nor do blanks at the ends of lines. `sentences` are the
    identities of the scalars of the first documents that are sentences.
    """
    if len(before) != len(after) or not all(map(_are_roots_same, before, after, [sentences] * len(before))):
        return False
    return sorted(comments_in(before)) == sorted(comments_in(after))


def comments_in(roots: Sequence[Node]) -> list[str]:
    """Return the comments of a text in order, except comments between sentences."""
    if not roots:
        return []
    text = roots[0].span.source.text
    found = [(one.at, one.text) for one in Remarks(text, roots).before(len(text) + 1) if one.text]
    found += [
        (one.span.start, comment)
        for root in roots
        for one in within(root)
        if isinstance(one, Scalar) and one.block is not None and (comment := block_comment(one))
    ]
    return [comment for _, comment in sorted(found)]


def _are_roots_same(before: Node, after: Node, sentences: Collection[int]) -> bool:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        by_key = {entry.key.text: entry for entry in after.entries}
        ordered = tuple(by_key[entry.key.text] for entry in before.entries if entry.key.text in by_key)
        return len(after.entries) == len(ordered) and _are_same(before, Mapping(ordered, after.span), sentences)
    return _are_same(before, after, sentences)


def _are_same(before: Node, after: Node, sentences: Collection[int]) -> bool:
    if isinstance(before, Scalar):
        if not isinstance(after, Scalar) or _could_be_a_number(before) != _could_be_a_number(after):
            return False
        if before.block is None:
            return before.text == after.text
        if id(before) in sentences:
            return _words(before.text) == _words(after.text)
        return after.block is not None and _lines(before) == _lines(after)
    if isinstance(before, List):
        pairs = zip(before.items, after.items, strict=False) if isinstance(after, List) else ()
        return (
            isinstance(after, List)
            and len(before.items) == len(after.items)
            and all(_are_same(one, other, sentences) for one, other in pairs)
        )
    if not isinstance(after, Mapping) or len(before.entries) != len(after.entries):
        return False
    return all(
        one.key.text == other.key.text and _are_same(one.value, other.value, sentences)
        for one, other in zip(before.entries, after.entries, strict=True)
    )


def _could_be_a_number(one: Scalar) -> bool:
    """Whether a scalar may be read as something other than a text."""
    return one.style == "plain" and "\n" not in one.text


def _words(text: str) -> list[str]:
    """Return the words of sentences, and the comments between them."""
    words, place = list[str](), 0
    for word in scan(text, 0, len(text)):
        words += _comments(text[place : word.start])
        words.append(word.text)
        place = word.end
    return [*words, *_comments(text[place:])]


def _comments(gap: str) -> list[str]:
    return [line.strip() for line in gap.split("\n") if line.strip()]


def _lines(block: Scalar) -> list[str]:
    lines = [line.rstrip() for line in block.text.split("\n")]
    while lines[-2:] == ["", ""] and not keeps_blank_lines(block):
        lines.pop()
    return lines
