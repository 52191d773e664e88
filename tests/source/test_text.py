"""Offsets, lines and columns."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warchest.source.text import Source, Span


def test_lines_and_columns_count_characters_from_one() -> None:
    source = Source("a", "x😀y\r\nsecond\n\rlast")
    assert [source.position(offset) for offset in (0, 2, 5, 11, 12, 13, 17, 99)] == [
        (1, 1),
        (1, 3),
        (2, 1),
        (2, 7),
        (3, 1),
        (4, 1),
        (4, 5),
        (4, 5),
    ]
    assert [source.line(n) for n in range(1, source.line_count + 1)] == ["x😀y", "second", "", "last"]


@pytest.mark.parametrize("number", [0, -1, 3])
def test_lines_outside_of_the_text_are_refused(number: int) -> None:
    with pytest.raises(IndexError):
        Source("a", "x\ny").line(number)


@given(st.text(alphabet="ab\n\r😀 "))
def test_a_position_leads_back_to_its_offset(text: str) -> None:
    source = Source("a", text)
    starts = [len(text)]
    for offset in range(len(text) + 1):
        line, column = source.position(offset)
        shown = source.line(line)
        if column <= len(shown):
            assert shown[column - 1] == text[offset]
        starts.append(offset)
    assert sum(len(source.line(n + 1)) for n in range(source.line_count)) <= len(text)


def test_spans_are_equal_by_path_and_place_and_tell_their_ends() -> None:
    one, other = Source("a", "ab\ncd"), Source("a", "ab\ncd")
    span = one.span(1, 4)
    assert span == Span(other, 1, 4) and hash(span) == hash(Span(other, 1, 4))
    assert span != Span(Source("b", "ab\ncd"), 1, 4) and span != "x"
    assert (span.line, span.column, span.end_line, span.end_column, span.text) == (1, 2, 2, 2, "b\nc")
    assert "cd" not in repr(span)
