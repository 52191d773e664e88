"""Whatever a file is, reading it gives a source or a finding."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warchest.cli.common import UsageError
from warchest.cli.saving import refuse_other_files
from warchest.diagnostics import render
from warchest.documents.schema_findings import validate
from warchest.replay import Unreadable, load
from warchest.source.file_reading import NotAFileError, begins_with, decode, read_source
from warchest.source.limits import MAX_BYTES
from warchest.source.yaml import parse, plain


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"a: \0", "not-text"),
        (b"a: \xff\n", "not-text"),
        ("a: 1".encode("utf-16"), "not-text"),
        (b"x" * (MAX_BYTES + 1), "file-too-large"),
        (b"", "empty-file"),
        (b"\xef\xbb\xbf", "empty-file"),
        (b" \r\n\n", "empty-file"),
    ],
)
def test_unusable_files_are_refused_with_a_finding(tmp_path: Path, data: bytes, name: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    read = read_source(path)
    assert read.source is None
    assert [(one.name, one.file) for one in read.diagnostics] == [(name, str(path))]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a: \xff\n", (1, 4)),
        (b"a: 1\r\nb: Caf\xe9\n", (2, 7)),
        ("é: ü".encode() + b"\xfc", (1, 5)),
        (b"\xef\xbb\xbfa\xe9", (1, 2)),
        (b"a: \xe2\x82", (1, 4)),
    ],
)
def test_the_first_byte_that_is_not_utf_8_is_shown(data: bytes, place: tuple[int, int]) -> None:
    (found,) = decode(data, "a").diagnostics
    assert found.span is not None and (found.span.line, found.span.column) == place
    assert f"line {place[0]} is not UTF-8" in found.message


@pytest.mark.parametrize("reader", [lambda path: begins_with(path, 9), load, refuse_other_files])
def test_only_files_are_read(tmp_path: Path, reader: Callable[[Path], object]) -> None:
    """A pipe would be waited for, and a device never ends; a replay is refused like any other file."""
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "pipe", tmp_path / "socket", Path("/dev/zero"), Path("/dev/tty"), tmp_path):
            with pytest.raises((NotAFileError, Unreadable, UsageError), match=r"ordinary file|a folder|saved game"):
                reader(path)


def test_a_pipe_that_replaces_a_file_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An earlier answer about the path need not hold for the opened file."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_bytes(b"0123456789")
    known = os.stat(tmp_path / "file")
    monkeypatch.setattr(os, "stat", lambda *_, **__: known)
    assert begins_with(tmp_path / "file", 4) == b"0123"
    with pytest.raises(NotAFileError):
        begins_with(tmp_path / "pipe", 4)


def test_missing_folder_pipe_and_impossible_path(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = [read_source(p).diagnostics[0] for p in (tmp_path / "no", tmp_path, tmp_path / "pipe", Path("a\0b"))]
    assert [one.name for one in found] == ["unreadable-file", "not-a-file", "not-a-file", "unreadable-file"]
    assert found[0].message == "the file cannot be read: no such file or directory"


def test_a_byte_order_mark_is_found_and_moves_no_place(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\na: 2\r\n")
    read = read_source(path)
    assert [one.name for one in read.diagnostics] == ["byte-order-mark"]
    assert read.source is not None
    roots, found = parse(read.source)
    assert [(one.name, one.span and (one.span.line, one.span.column)) for one in found] == [("duplicate-key", (2, 1))]
    assert plain(roots[0]) == {"a": 1}


def test_the_largest_allowed_file_is_read() -> None:
    assert decode(b"x" * MAX_BYTES, "a").source is not None


_YAMLISH = st.lists(
    st.sampled_from(
        [
            "a",
            ": ",
            "- ",
            "\n",
            "  ",
            "|",
            ">",
            "[",
            "]",
            "{",
            "}",
            "&a ",
            "*a",
            "!t ",
            "'",
            '"',
            "#",
            "\t",
            "? ",
            "<<",
            "---\n",
            "...\n",
            "\\x",
            "\\U0010FFFF",
            "%",
            "\r\n",
            "\ufeff",
            "\x85",
            "1",
            ",",
        ]
    )
).map(lambda parts: "".join(parts).encode())


@given(st.one_of(st.binary(), _YAMLISH, st.text().map(lambda text: text.encode("utf-8", "replace"))))
def test_hostile_bytes_never_raise(data: bytes) -> None:
    read = decode(data, "a.yaml")
    found = list(read.diagnostics)
    if read.source is not None:
        roots, more = parse(read.source)
        found += more
        for root in roots:
            found += validate(root, {"type": "object", "properties": {"a": {"type": ["integer", "array"]}}})
        assert roots or found
    render.text(found), render.concise(found), render.to_json(found), render.summary(found)
    assert all(one.span is None or 0 <= one.span.start <= one.span.end for one in found)
