"""The folder of the studio: only its own card files are read and written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warchest.lsp.protocol import MODIFIED, RequestError
from warchest.studio.folder import CardFolder, shipped_text


@pytest.fixture
def folder(tmp_path: Path) -> CardFolder:
    (tmp_path / "mine").mkdir()
    (tmp_path / "secret.yaml").write_text("unit: Hidden\n", encoding="utf-8")
    return CardFolder(tmp_path / "mine")


def save(folder: CardFolder, path: str, text: str = "unit: New\n", was: str | None = None) -> dict[str, Any]:
    return folder.save({"path": path, "text": text, "was": was})


def test_files_are_listed_with_their_texts(folder: CardFolder) -> None:
    assert folder.listed({})["files"] == []
    save(folder, "b.yaml", "unit: B\n")
    save(folder, "sub/a.yaml", "unit: A\n")
    (folder.root / "bad.yaml").write_bytes(b"\xff\xfe")
    (folder.root / "notes.txt").write_text("no card", encoding="utf-8")
    found = {one["path"]: one.get("text", one.get("problem")) for one in folder.listed({})["files"]}
    assert found == {"b.yaml": "unit: B\n", "sub/a.yaml": "unit: A\n", "bad.yaml": "bad.yaml is not written in UTF-8"}


@pytest.mark.parametrize(
    "path",
    [
        "../secret.yaml",
        "/etc/hosts.yaml",
        "a/../../secret.yaml",
        "a.txt",
        "",
        ".yaml",
        ".git/a.yaml",
        "a\\b.yaml",
        "a\n.yaml",
        "x" * 300 + ".yaml",
        "/".join("abcdefghij") + ".yaml",
        "a//b.yaml",
        "a/ /b.yaml",
    ],
)
def test_no_file_is_written_outside_or_of_another_kind(folder: CardFolder, path: str) -> None:
    before = sorted(folder.root.parent.rglob("*"))
    with pytest.raises(RequestError) as caught:
        save(folder, path)
    assert caught.value.data == {"field": "path"}
    assert sorted(folder.root.parent.rglob("*")) == before


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.text(st.sampled_from("ab./\\ :~\n"), max_size=12).map(lambda one: one + ".yaml"))
def test_all_written_files_are_in_the_folder(folder: CardFolder, path: str) -> None:
    try:
        save(folder, path, was="unit: New\n")
    except RequestError:
        return
    files = [one for one in folder.root.parent.rglob("*.yaml") if one.name != "secret.yaml"]
    assert all(folder.root in one.parents for one in files)


def test_a_link_out_of_the_folder_is_not_followed(folder: CardFolder) -> None:
    os.symlink(folder.root.parent / "secret.yaml", folder.root / "link.yaml")
    os.symlink(folder.root.parent, folder.root / "up")
    for path in ("link.yaml", "up/secret.yaml", "up/new.yaml"):
        with pytest.raises(RequestError, match="leads out of the folder"):
            save(folder, path, was="unit: Hidden\n")
    assert folder.listed({})["files"] == []


def test_changes_by_another_program_are_not_lost(folder: CardFolder) -> None:
    save(folder, "a.yaml", "unit: Mine\n")
    (folder.root / "a.yaml").write_text("unit: Theirs\n", encoding="utf-8")
    with pytest.raises(RequestError, match="was changed by another program") as caught:
        save(folder, "a.yaml", "unit: Later\n", was="unit: Mine\n")
    assert (caught.value.code, caught.value.data) == (MODIFIED, {"field": "was", "text": "unit: Theirs\n"})
    save(folder, "a.yaml", "unit: Later\n", was="unit: Theirs\n")
    assert (folder.root / "a.yaml").read_text(encoding="utf-8") == "unit: Later\n"


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_without_rights_is_a_plain_line(folder: CardFolder) -> None:
    folder.root.chmod(0o500)
    with pytest.raises(RequestError, match=r"a\.yaml cannot be written: Permission denied"):
        save(folder, "a.yaml")


def test_a_folder_that_is_gone_is_a_plain_line(folder: CardFolder) -> None:
    (folder.root / "a.yaml").mkdir()
    with pytest.raises(RequestError, match="cannot be written"):
        save(folder, "a.yaml")


def test_only_files_of_shipped_games_are_read() -> None:
    from warchest.lsp.text_positions import uri_of
    from warchest.source.data import data_folder

    game = data_folder("cards") / "war-chest" / "game.yaml"
    assert shipped_text({"uri": uri_of(str(game))})["text"] == game.read_text(encoding="utf-8")
    for path in ("/etc/passwd", str(game.with_name("none.yaml")), f"{game.parent}/../../pyproject.toml"):
        with pytest.raises(RequestError, match="uri"):
            shipped_text({"uri": uri_of(path)})
