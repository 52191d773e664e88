"""What compiles, where it is kept, and what is said where there is no native machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from warchest.game.game import load_game
from warchest.lowering.program import Program
from warchest.native import build, cache
from warchest.native.build import Unavailable
from warchest.native.generate import Source, commented, generate
from warchest.native.library import Library
from warchest.source.private import NAMED_BY


@pytest.fixture(scope="module")
def source() -> Source:
    old = load_game("war-chest").beginning().variant.program
    return generate(Program(old.ruleset, old.board))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "kept"))
    return tmp_path / "kept" / cache.FOLDER


def reason(found: Library | Unavailable) -> str:
    assert isinstance(found, Unavailable)
    assert "\n" not in found.reason
    return found.reason


def test_no_compiler_is_said(source: Source, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc")
    assert "/nowhere/cc" in reason(cache.library_for(source))


def test_a_broken_compiler_is_said(
    source: Source, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "error: out of order" >&2; exit 1\n')
    broken.chmod(0o700)
    monkeypatch.setenv("CC", str(broken))
    assert "out of order" in reason(cache.library_for(source))
    assert not cache.kept_in(kept) and not list(kept.glob("making-*"))


def test_a_folder_that_others_can_write_is_refused(source: Source, kept: Path) -> None:
    kept.mkdir(parents=True)
    kept.chmod(0o777)
    assert "others can write" in reason(cache.library_for(source))


@pytest.mark.skipif(os.getuid() == 0, reason="root can write everywhere")
def test_a_folder_that_cannot_be_written_is_said(source: Source, kept: Path) -> None:
    kept.mkdir(parents=True)
    kept.chmod(0o500)
    assert str(kept) in reason(cache.library_for(source))


def test_what_is_kept_is_used_again_and_what_is_damaged_is_made_anew(
    source: Source, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(build.compiler(), Unavailable):
        pytest.skip("there is no C compiler")
    assert isinstance(cache.library_for(source), Library)
    calls: list[object] = []
    call = build.call
    monkeypatch.setattr(build, "call", lambda *given: (calls.append(given), call(*given))[1])
    assert isinstance(cache.library_for(source), Library) and not calls
    (made,) = kept.glob("*.so")
    data = made.read_bytes()
    made.unlink()
    made.write_bytes(data[: len(data) // 2])
    assert isinstance(cache.library_for(source), Library) and len(calls) == 1
    assert cache.clear(kept) == len(source.units) + 2 and not cache.kept_in(kept)


def test_no_name_ends_a_comment_of_the_code() -> None:
    assert commented("Light Unit/attribute 2") == "Light Unit/attribute 2"
    assert not set("*?\\#\n") & set(commented("*/ #x \\\n ??/"))
