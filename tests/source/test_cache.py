"""The laws of all that is kept from run to run: its owner, that damage is no matter, and its bounds."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from warchest.resolve import parsed_blocks
from warchest.source import cache, contents
from warchest.source.cache import (
    NAMED_BY,
    Cache,
    built_digest,
    digest_of_files,
    digest_of_program,
    own_cache,
    program_cache,
)
from warchest.source.contents import Contents
from warchest.source.text import Source
from warchest.syntax import table

NAME = f"{'0' * 64}.json"
DEEP = b"[" * 100_000


def name_of(number: int, ending: str = "json") -> str:
    return f"{number:064x}.{ending}"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """The user's cache, in a folder that exists only after the first record."""
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "kept"))
    found, doubt = own_cache("some")
    assert found is not None and found.folder == tmp_path / "kept" / "some" and not doubt
    return found


def doubt() -> str:
    """Return why the cache is not used."""
    found, told = own_cache("some")
    assert (found is None) == bool(told)
    return told


# ---- records


def test_written_records_are_read(kept: Cache) -> None:
    assert kept.read(NAME) is None and kept.records() == []
    for data in (b"", b"some", b"\0asm with more"):
        kept.write(NAME, data)
        assert (kept.read(NAME) or b"").startswith(data) and kept.read(NAME) is not None
    kept.write_plain(NAME, {"a": [1, None]})
    assert kept.read_plain(NAME) == {"a": [1, None]}
    assert kept.records() == [kept.folder / NAME] == list(kept.folder.iterdir())
    assert kept.clear() == 1 and kept.read_plain(NAME) is None


@pytest.mark.parametrize("found", [b"", b"{}", b"\x80\x04.", DEEP, b"x" * 5000, pickle.dumps(Path("x")), None])
def test_a_damaged_record_is_ignored_and_replaced(kept: Cache, found: bytes | None) -> None:
    """No contents of a record are run; and one changed byte is seen."""
    kept.write_plain(NAME, [1])
    file = kept.folder / NAME
    data = file.read_bytes()
    for spoilt in (found,) if found is not None else (data[:-1], b"[2]" + data[3:], data[:-1] + b"?"):
        file.write_bytes(spoilt)
        assert kept.read(NAME) is None and kept.read_plain(NAME) is None
        kept.write_plain(NAME, [3])
        assert kept.read_plain(NAME) == [3]
        os.utime(file, (0, 0))


@pytest.mark.parametrize("data", [b"no JSON", b"", b"\xff", DEEP])
def test_records_without_plain_data_are_none(kept: Cache, data: bytes) -> None:
    kept.write(NAME, data)
    assert kept.read_plain(NAME) is None


def test_other_files_are_neither_read_nor_removed(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.write(name_of(1), b"")
    whole = (kept.folder / name_of(1)).read_bytes()
    strange = [kept.folder.parent / NAME, *(kept.folder / one for one in ("notes", "0" * 64, f"{NAME}.part"))]
    for file in strange:
        file.write_bytes(whole)
    link, below, pipe = (kept.folder / name_of(number) for number in (2, 3, 4))
    link.symlink_to(kept.folder / name_of(1))
    below.mkdir()
    os.mkfifo(pipe)
    assert [kept.read(path.name) for path in (*strange[1:], link, below, pipe)] == [None] * 6
    monkeypatch.setattr(cache, "MOST_RECORDS", 0)
    kept.write(NAME, b"")
    assert {kept.folder / NAME, link, below, pipe, *strange[1:]} == set(kept.folder.iterdir())
    assert kept.clear() == 1 and all(file.read_bytes() == whole for file in strange)


def test_others_find_the_whole_of_a_record_or_nothing(kept: Cache) -> None:
    """However many write one at the same time."""
    texts = [bytes([number]) * 100_000 for number in range(4)]
    with ThreadPoolExecutor() as pool:
        written = [pool.submit(kept.write, NAME, texts[number % 4]) for number in range(40)]
        read = [kept.read(NAME) for _ in range(200)]
        assert all(one.result() is None for one in written)
    assert set(read) <= {None, *texts} and kept.read(NAME) in texts
    assert [one.name for one in kept.folder.iterdir()] == [NAME]


# ---- bounds


def test_the_size_has_a_bound_and_the_newest_records_stay(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_RECORDS", 3)
    for number in range(5):
        kept.write(name_of(number), b"x" * 1000)
        os.utime(kept.folder / name_of(number), (time.time() - 60 + number,) * 2)
    kept.used(name_of(2))
    kept.write(name_of(5), b"")
    assert {path.name for path in kept.records()} == {name_of(2), name_of(4), name_of(5)}
    monkeypatch.setattr(cache, "MOST_BYTES", 1500)
    kept.write(name_of(6), b"x" * 1000)
    assert {path.name for path in kept.records()} == {name_of(5), name_of(6)}
    monkeypatch.setattr(cache, "MOST_BYTES", 10_000)
    os.utime(kept.folder / name_of(5), (time.time() - (cache.MOST_DAYS + 1) * 24 * 3600,) * 2)
    kept.write(name_of(7), b"")
    assert {path.name for path in kept.records()} == {name_of(6), name_of(7)}


def test_abandoned_folders_are_removed_after_a_while(kept: Cache) -> None:
    kept.write(NAME, b"")
    left, new = kept.folder / "making-one", kept.folder / "making-other"
    for folder in (left, new):
        folder.mkdir()
        (folder / "begun").write_text("")
    os.utime(left, (0, 0))
    kept.write(NAME, b"")
    assert not left.exists() and new.is_dir()


# ---- ownership


@pytest.mark.parametrize("where", ["kept", "kept/some", "."])
@pytest.mark.parametrize("mode", [0o770, 0o707], ids=oct)
def test_a_folder_that_others_can_write_to_is_not_trusted(kept: Cache, tmp_path: Path, where: str, mode: int) -> None:
    kept.write(NAME, b"")
    assert doubt() == ""
    shared = tmp_path / where
    shared.chmod(mode)
    assert doubt() == f"others can write to {shared}"


def test_a_sticky_folder_above_is_trusted(kept: Cache, tmp_path: Path) -> None:
    """As `/tmp` is: others can write there, but not touch the files of another user."""
    kept.write(NAME, b"")
    tmp_path.chmod(0o1777)
    assert doubt() == ""
    kept.folder.chmod(0o1777)
    assert "others can write" in doubt()


def test_the_folder_of_another_user_is_not_trusted(kept: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.write(NAME, b"")
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert "belongs to another user" in doubt()


def test_a_link_is_followed_to_where_the_records_are(kept: Cache, tmp_path: Path) -> None:
    """A link of one's own is fine; the folder that it leads to must be, too."""
    real = tmp_path / "real"
    real.mkdir(0o700)
    (tmp_path / "kept").symlink_to(real)
    kept.write(NAME, b"")
    assert doubt() == "" and (real / "some" / NAME).is_file()
    real.chmod(0o777)
    assert "others can write" in doubt()


def test_new_folders_are_for_their_owner_alone(kept: Cache) -> None:
    before = os.umask(0)
    try:
        kept.write(NAME, b"")
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (kept.folder.parent, kept.folder)] == [0o700, 0o700]


def test_an_impossible_folder_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    inside = Cache(tmp_path / "file" / "within")
    inside.write(NAME, b"")
    inside.used(NAME)
    assert inside.read(NAME) is None and inside.records() == []


def test_it_is_off_on_request_or_where_owners_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAMED_BY, "")
    assert own_cache("some") == (None, "")
    monkeypatch.delenv(NAMED_BY)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert own_cache("some") == (Cache(Path("/somewhere/warchest/some")), "")
    monkeypatch.delattr(os, "getuid")
    assert own_cache("some") == (None, "")


# ---- records of the package's own files


def test_records_of_the_program_are_beside_its_compiled_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    found = program_cache()
    assert found is not None and found.folder.is_relative_to(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert program_cache() is None


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that was built with records, once it has a digest."""
    monkeypatch.setattr(cache, "BUILT", tmp_path / "_kept")
    monkeypatch.setattr(contents, "BUILT", tmp_path / "_kept")
    monkeypatch.setattr(cache, "built_digest", built_digest.__wrapped__)
    monkeypatch.setattr(contents, "built_digest", built_digest.__wrapped__)
    (tmp_path / "_kept").mkdir()
    return tmp_path / "_kept"


def say_digest(built: Path, digest: object) -> None:
    (built / cache.BUILD).write_text(json.dumps({"digest": digest}), encoding="utf-8")


def test_a_package_that_was_built_has_its_records_in_itself(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources may be missing there, times of files say nothing, and Python may keep nothing beside its modules."""
    before = table._maker(), parsed_blocks._reader.__wrapped__(), digest_of_program.__wrapped__()
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(table, "find_spec", lambda name: pytest.fail(f"{name} is looked for"))
    say_digest(built, "abc")
    assert program_cache() == Cache(built) and digest_of_files(["/nowhere"]) == "abc"
    after = table._maker(), parsed_blocks._reader.__wrapped__(), digest_of_program.__wrapped__()
    assert after == ("abc", "abc", "abc") and "abc" not in before


@pytest.mark.parametrize("found", ["", "[]", "{}", '{"digest": 1}', "\x80", None])
def test_without_a_digest_it_is_no_build(built: Path, found: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    if found is not None:
        (built / cache.BUILD).write_text(found, encoding="latin-1")
    kept = program_cache()
    assert kept is not None and kept.folder != built


def test_trees_of_a_build_are_those_of_the_texts(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that the package was built with is not parsed again, under any path; any other text is."""
    monkeypatch.setattr(contents, "_built", contents._built.__wrapped__)
    say_digest(built, "abc")
    sources = [Source("a.yaml", "unit: A\nlist: [1, {b: c}]\n"), Source("b.yaml", "other: |\n  some text\n")]
    first = Contents()
    usual = [first.roots(one) for one in sources]
    contents.keep_built([first.written(sources)])
    parsed: list[str] = []
    parse = contents.parse
    monkeypatch.setattr(contents, "parse", lambda source: parsed.append(source.text) or parse(source))
    again = Contents()
    assert str([again.roots(Source(one.path, one.text)) for one in sources]) == str(usual) and parsed == []
    Contents().roots(Source("x/a.yaml", "unit: B\n"))
    assert parsed == ["unit: B\n"]


# ---- the parser's table


def test_a_table_is_the_same_in_every_process_and_is_made_once(tmp_path: Path) -> None:
    """Lark numbers states as its sets give them, which differs with the seed of hashes; it is not loaded for a kept one."""
    program = (
        "import sys, hashlib; from warchest.source.data import data_folder; from warchest.syntax import table;"
        "sys.pycache_prefix, sys.dont_write_bytecode = sys.argv[1], False;"
        "made = table.table_of((data_folder('grammar') / 'sentence.lark').read_text(encoding='utf-8'));"
        "print(hashlib.sha256(repr(made).encode()).hexdigest(), 'lark' in sys.modules)"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / folder)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for seed, folder in (("1", "one"), ("2", "other"), ("3", "one"))
    ]
    assert [lark for _, lark in told] == ["True", "True", "False"] and len({digest for digest, _ in told}) == 1


@pytest.mark.parametrize("plain", [None, [], {"states": [1], "productions": 2}, {"productions": []}])
def test_a_table_with_wrong_contents_is_made_again(
    plain: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "program_cache", lambda: Cache(tmp_path))
    grammar = 'start: "a"\n'
    made = table.table_of(grammar)
    (record,) = Cache(tmp_path).records()
    Cache(tmp_path).write_plain(record.name, plain)
    assert table.table_of(grammar) == made == table.table_of(grammar)
    assert table.table_of('start: "b"\n') != made and len(Cache(tmp_path).records()) == 2
