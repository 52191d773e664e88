"""Files that are replaced: whole, or not at all, with errors about the file that was meant."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from warchest.source.replacing import replace_file


def test_a_file_gets_its_new_contents_and_leaves_no_other_file(tmp_path: Path) -> None:
    for data in (b"old", b"new"):
        replace_file(tmp_path / "card.yaml", data)
        assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("card.yaml", data)]


@pytest.mark.parametrize("name", ["none/card.yaml", "folder"])
def test_an_error_names_the_file_that_was_meant(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError) as error:
        replace_file(tmp_path / name, b"new")
    assert (error.value.filename, error.value.filename2) == (str(tmp_path / name), None)
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, b"new")
    assert os.read(reader, 10) == b"new" and pipe.is_fifo()
    os.close(reader)


def test_a_file_in_place_of_a_link_gets_the_permissions_of_the_linked_file(tmp_path: Path) -> None:
    linked, link = tmp_path / "linked", tmp_path / "link"
    linked.write_bytes(b"old")
    linked.chmod(0o600)
    try:
        link.symlink_to(linked)
    except OSError:
        pytest.skip("no links can be made here")
    replace_file(link, b"new")
    assert (link.read_bytes(), linked.read_bytes()) == (b"new", b"old")
    assert stat.S_IMODE(link.lstat().st_mode) == stat.S_IMODE(linked.stat().st_mode)
