"""The property all positions rest on: a block's span is exactly its content in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from source_support import LOADERS, blocks, clean, read

loaders = pytest.mark.parametrize("loader", LOADERS)

_WORDS = st.text(alphabet="abc xyz.:#-'\"[]{}&*!|>%@😀é漢\u0301", max_size=20)
_HEADERS = st.tuples(st.sampled_from(["|", "|-", "|+"]), st.sampled_from(["", "  ", " # note", " # 😀 |"]))


@dataclass(frozen=True)
class Piece:
    header: str
    lines: tuple[str, ...]
    blanks: int
    comment: bool
    depth: int
    in_list: bool


_PIECES = st.builds(
    Piece,
    header=_HEADERS.map("".join),
    # The first line must have something in it, or YAML takes its indentation from a later one.
    lines=st.tuples(_WORDS.map(lambda words: "w" + words), st.lists(st.one_of(_WORDS, st.just("   ")), max_size=4)).map(
        lambda both: (both[0], *both[1])
    ),
    blanks=st.integers(0, 2),
    comment=st.booleans(),
    depth=st.integers(0, 4),
    in_list=st.booleans(),
)


def _document(pieces: list[Piece], end: str, final: bool, lead: str) -> tuple[str, list[str]]:
    """The text of a document, and the content that each of its blocks should have."""
    text, contents = f"# 😀 {lead}{end}top: '😀'{end}", []
    for number, piece in enumerate(pieces):
        for level in range(piece.depth):
            text += f"{'  ' * level}k{number if level == 0 else level}:{end}"
        indent = "  " * piece.depth
        key = "- " if piece.in_list and piece.depth else f"v{number}: "
        text += f"{indent}{key}{piece.header}{end}"
        content = "".join(f"{indent}  {line}{end}" for line in piece.lines)
        content += end * piece.blanks
        contents.append(content)
        text += content
        if piece.comment:
            text += f"# outside 😀{end}{end}"
    # Blanks in an unfinished last line belong to no block; the block may end before them.
    if not final and not pieces[-1].comment and text.removesuffix(end)[-1:].strip():
        text = text.removesuffix(end)
        contents[-1] = contents[-1].removesuffix(end)
    return text, contents


@loaders
@given(
    pieces=st.lists(_PIECES, min_size=1, max_size=4),
    end=st.sampled_from(["\n", "\r\n"]),
    final=st.booleans(),
    lead=_WORDS,
)
def test_a_block_is_exactly_its_content_in_the_file(
    loader: Any, pieces: list[Piece], end: str, final: bool, lead: str
) -> None:
    text, contents = _document(pieces, end, final, lead)
    found = blocks(clean(text, loader))
    assert [block.block.text for block in found if block.block] == contents
    for block, piece in zip(found, pieces, strict=True):
        assert block.block is not None and block.block.column == 1
        assert block.block.line == block.span.line + 1
        indent = "  " * piece.depth + "  "
        lines = [line.removeprefix(indent) for line in block.block.text.splitlines()]
        assert [line.rstrip() for line in lines][: len(piece.lines)] == [x.rstrip() for x in piece.lines]


@loaders
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("a: |", ""),
        ("a: |\n", ""),
        ("a: |\nb: 1\n", ""),
        ("a: |2\n    x\n", "    x\n"),
        ("a: |\n\n\n  x\n# c\nb: 1\n", "\n\n  x\n"),
        ("a: |\n  x\n # c\nb: 1\n", "  x\n"),
        ("a: |\n  x\n  # kept\n", "  x\n  # kept\n"),
        ("a: |\n  x\n...\n", "  x\n"),
        ("|\n x\n", " x\n"),
    ],
)
def test_blocks_by_hand(text: str, content: str, loader: Any) -> None:
    (block,) = blocks(clean(text, loader))
    assert block.block is not None and block.block.text == content


@loaders
def test_an_anchor_or_tag_before_the_marker_does_not_hide_the_content(loader: Any) -> None:
    roots, _ = read("a: &x\n  !tu # |\n  |-\n  x\n", loader)
    (block,) = blocks(roots[0])
    assert block.block is not None and block.block.text == "  x\n"
