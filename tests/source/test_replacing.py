"""Files that are replaced: whole, or not at all, with errors about the file that was meant."""

from __future__ import annotations

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
