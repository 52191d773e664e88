"""Compilers, the places of libraries, and the message where there is no native machine."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from lockstep_support import source_of

from loaded import load_once
from warchest.game.game import load_game
from warchest.game.native_engine import MAKERS, made_of
from warchest.lowering.clause_counts import clause_probes
from warchest.lowering.program import Program
from warchest.native import c_compiler, libraries
from warchest.native.c_compiler import Unavailable, compile_units, wasm_compiler
from warchest.native.compiled import NativeLibrary
from warchest.native.generate import CSource, commented, generate
from warchest.native.legend import recalled
from warchest.source.cache import _CHECKSUM, NAMED_BY, Cache


@pytest.fixture(scope="module")
def source() -> CSource:
    old = load_once("war-chest").beginning().variant.program
    return generate(Program(old.given, old.board))


def usual(name: str) -> CSource:
    """Return the source of a shipped game as it is usually played."""
    return source_of(load_once(name).beginning().variant)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "kept"))
    return tmp_path / "kept" / libraries.FOLDER


def reason(found: NativeLibrary | Unavailable) -> str:
    assert isinstance(found, Unavailable)
    assert "\n" not in found.reason
    return found.reason


def compiler_that(does: str, folder: Path) -> str:
    """Return a compiler that tells its version, and does something else than to compile."""
    script = folder / "compiler"
    script.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\n{does}\n')
    script.chmod(0o700)
    return str(script)


def test_a_missing_compiler_is_reported(source: CSource, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nowhere/cc")
    assert "/nowhere/cc" in reason(libraries.library_of(source))


def test_a_broken_compiler_is_reported(
    source: CSource, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", compiler_that('echo "error: out of order" >&2; exit 1', tmp_path))
    assert "out of order" in reason(libraries.library_of(source))
    assert not Cache(kept).records() and not list(kept.glob("making-*"))


def test_a_folder_that_others_can_write_is_refused(source: CSource, kept: Path) -> None:
    kept.mkdir(parents=True)
    kept.chmod(0o777)
    assert "others can write" in reason(libraries.library_of(source))


def test_a_folder_that_cannot_be_written_is_reported(source: CSource, kept: Path) -> None:
    kept.parent.mkdir()
    kept.write_text("in the way", encoding="utf-8")
    assert str(kept) in reason(libraries.library_of(source))


class Loaded:
    """A small library instead of a whole machine."""

    def __init__(self, path: Path, legend: Any) -> None:
        self.path, self.legend = path, legend
        self.answer = ctypes.CDLL(str(path)).answer()


def small_source() -> Any:
    """Return a source that is compiled in no time."""
    visible = '__attribute__((visibility("default")))'
    return SimpleNamespace(
        legend=None,
        units=("int one(void) { return 1; }", "int two(void) { return 2; }"),
        machine=f"int one(void), two(void);\n{visible} int answer(void);\nint answer(void) {{ return one() + two(); }}",
    )


@pytest.fixture
def small(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The small source, and a cache that takes it for a machine."""
    if isinstance(c_compiler.compiler(), Unavailable):
        pytest.skip("there is no C compiler")
    monkeypatch.setattr(libraries, "NativeLibrary", Loaded)
    return small_source()


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the cache after the small source has been compiled."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAMED_BY, str(folder / "kept"))
        patch.setattr(libraries, "NativeLibrary", Loaded)
        assert answer(small_source()) == 3
    return folder / "kept"


@pytest.fixture
def made(small: Any, kept: Path, made_once: Path) -> None:
    """The small source has been compiled before."""
    shutil.copytree(made_once, kept.parent)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """How the compiler has been called."""
    found: list[Any] = []
    call = c_compiler.call
    monkeypatch.setattr(c_compiler, "call", lambda *given: (found.append(given), call(*given))[1])
    return found


def answer(source: Any) -> int:
    found = libraries.library_of(source)
    assert isinstance(found, Loaded), found
    return int(found.answer)


def damage(path: Path, change: Callable[[bytes], bytes]) -> None:
    data = path.read_bytes()
    # A loaded library is unchanged; another file takes its place.
    path.unlink()
    path.write_bytes(change(data))


def test_cached_libraries_are_used_again(small: Any, kept: Path, calls: list[Any]) -> None:
    assert answer(small) == 3 and len(calls) == 4
    del calls[:]
    assert answer(small) == 3 and not calls
    assert Cache(kept).clear() == 4 and not Cache(kept).records()


@pytest.mark.usefixtures("made")
def test_only_changed_units_are_compiled(small: Any, calls: list[Any]) -> None:
    assert answer(small) == 3
    del calls[:]
    small.units = (small.units[0], "int two(void) { return 40; }")
    assert answer(small) == 41 and len(calls) == 2


@pytest.fixture
def written(source: CSource, small: Any, monkeypatch: pytest.MonkeyPatch) -> list[Program]:
    """The programs for which C was written; that is the small source for all of them."""
    found: list[Program] = []
    small.legend = source.legend

    def noted(program: Program, probes: object) -> Any:
        found.append(program)
        return small

    monkeypatch.setattr("warchest.native.generate.generate", noted)
    return found


def test_a_cached_program_is_not_generated_again(
    source: CSource, written: list[Program], kept: Path, calls: Any
) -> None:
    program = source.legend.places.program
    for texts, times, compiled in (("a", 1, 4), ("a", 1, 4), ("b", 2, 4), ("b", 2, 4), ("a", 2, 4)):
        found = libraries.library_for(program, texts)
        assert isinstance(found, Loaded) and found.answer == 3
        assert found.legend.acts == source.legend.acts
        assert (len(written), len(calls)) == (times, compiled)
    assert len(list(kept.glob("*.json"))) == 2
    assert isinstance(libraries.library_for(program, "a", ("-O0",)), Loaded) and len(written) == 3
    for _ in range(2):
        assert isinstance(libraries.library_for(program, "a", probing=clause_probes), Loaded) and len(written) == 4


FURTHER = [
    ("war-chest", "unit: Lurker\ncoins: 4\ntactic: |\n  move to a space 1-2 spaces away through open spaces.\n", 2),
    ("war-chest", "unit: Halberdier\ncoins: 4\nattribute: |\n  after this attacks, it may move.\n", 3),
    (
        "unigames",
        "ability: Lasting Woe\nparameters: [X]\nrules: |\n  "
        "after a figure suffers damage from this by a melee attack, the counter of that figure increases by X.\n",
        3,
    ),
]
"""Cards, each with how many texts it changes: its own, that of the hooks of the game, and the tables."""


@pytest.mark.parametrize(("name", "card", "most"), FURTHER)
def test_a_further_card_changes_few_texts(name: str, card: str, most: int, tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text(card, encoding="utf-8")
    before, after = usual(name), generate(load_once(name, [tmp_path]).beginning().variant.program)
    assert len(before.units) == len(after.units) and before.machine == after.machine
    changed = [one for one, other in zip(before.units, after.units, strict=True) if one != other]
    assert 0 < len(changed) <= most


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("what", ["*.json", "*.so"])
@pytest.mark.parametrize("change", [lambda data: data[:-9], lambda data: b"", lambda data: b"{}" + data[2:], None])
def test_a_damaged_or_dangling_legend_is_made_again(
    source: CSource, written: list[Program], kept: Path, what: str, change: Callable[[bytes], bytes] | None
) -> None:
    program = source.legend.places.program
    libraries.library_for(program, "a")
    for path in [*kept.glob(what)]:
        if change is None:
            path.unlink()
        else:
            damage(path, change)
    assert isinstance(libraries.library_for(program, "a"), Loaded) and len(written) == 2
    assert isinstance(libraries.library_for(program, "a"), Loaded) and len(written) == 2


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_a_legend_says_the_same_when_it_is_read(name: str) -> None:
    program, legend = load_once(name).beginning().variant.program, usual(name).legend
    library, read = recalled(json.loads(json.dumps(legend.plain("made.so"))), program)
    assert library == "made.so" and read.acts == legend.acts
    assert read.sheets.places == legend.sheets.places and read.sheets.numbers() == legend.sheets.numbers()
    assert read.places.known == legend.places.known and read.places.cells == legend.places.cells


def test_other_documents_options_or_boards_are_another_program() -> None:
    game = load_once("war-chest")
    other = load_once("unigames").beginning()
    variants = [game.beginning(), game.beginning(sets="all"), game.beginning(players=4), other]
    assert len({made_of(one.variant) for one in variants}) == 4
    assert made_of(variants[0].variant) == made_of(load_game("war-chest").beginning().variant)


def test_the_digest_covers_all_packages_that_make_code() -> None:
    """All modules that `generate` and the making of programs import, except those that take no part in it."""
    asked = "import sys, warchest.resolve.resolve, warchest.native.generate\nprint(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(libraries.__file__).parents[2])}
    told = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True)
    packages = {name.split(".")[1] for name in told.stdout.split() if name.startswith("warchest.")}
    assert packages - {"diagnostics"} <= set(MAKERS)


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: data[:900] + b"?" + data[901:],
        lambda data: b"nothing like it" * 9,
    ],
)
@pytest.mark.parametrize("what", ["*.so", "*.o"])
def test_damaged_libraries_are_made_again(
    small: Any, kept: Path, calls: list[Any], what: str, change: Callable[[bytes], bytes]
) -> None:
    assert answer(small) == 3
    del calls[:]
    for path in [*kept.glob(what)]:
        damage(path, change)
    for path in kept.glob("*.so") if what == "*.o" else ():
        path.unlink()
    assert answer(small) == 3 and len(calls) == (1 if what == "*.so" else 4)


def test_a_full_disk_is_reported(small: Any, kept: Path) -> None:
    """No file may become longer than some bytes, as if the disk were full; compilers get a signal."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    for most in (0, 20, 1500):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, usual[1]))
        try:
            found = libraries.library_of(small)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        assert reason(found), most
        assert not list(kept.glob("*.so")) and not list(kept.glob("making-*"))
    assert answer(small) == 3


KILLED = """
import sys
from types import SimpleNamespace
from warchest.native import libraries
units = ("int one(void) { return 1; }",)
print(libraries.library_of(SimpleNamespace(legend=None, units=units, machine="int two(void) { return 2; }")))
"""


def test_a_kill_in_the_middle_leaves_no_usable_file(
    small: Any, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = compiler_that("echo begun > begun.o; exec sleep 60", tmp_path)
    paths = os.pathsep.join([str(Path(libraries.__file__).parents[2])])
    environment = {**os.environ, "CC": endless, "PYTHONPATH": paths}
    with subprocess.Popen([sys.executable, "-c", KILLED], env=environment, start_new_session=True) as process:
        until = time.monotonic() + 60
        while not list(kept.glob("making-*/begun.o")):
            assert time.monotonic() < until and process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
    (left,) = kept.glob("making-*")
    assert not Cache(kept).records()
    assert answer(small) == 3 and left.is_dir()
    os.utime(left, (0, 0))
    small.machine += "\n"
    assert answer(small) == 3 and not left.exists()


def test_a_compiler_that_takes_too_long_is_reported(
    small: Any, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", compiler_that("exec sleep 60", tmp_path))
    monkeypatch.setattr(c_compiler, "PATIENCE", 0.1)
    assert "takes too long" in reason(libraries.library_of(small))


@pytest.mark.parametrize("broken", ["exit 1", "kill -9 $$", "exit 0", "printf 'x' > \"$4\"; exit 0"])
def test_a_compiler_without_output_is_reported(
    small: Any, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setenv("CC", compiler_that(broken, tmp_path))
    assert reason(libraries.library_of(small))
    assert not list(kept.glob("*.so")) and not list(kept.glob("making-*"))


def test_no_name_ends_a_comment_of_the_code() -> None:
    assert commented("Light Unit/attribute 2") == "Light Unit/attribute 2"
    assert not set("*?\\#\n") & set(commented("*/ #x \\\n ??/"))


# ---- for a browser


def sections_of(module: bytes) -> list[tuple[int, bytes]]:
    """Return the sorts and contents of the sections of a WebAssembly module; each begins where one ends."""
    assert module[:8] == b"\0asm\1\0\0\0"
    at, found = 8, []
    while at < len(module):
        sort, size, at = module[at], module[at + 1], at + 2
        assert size < 128, "one byte tells the sizes of these"
        found.append((sort, module[at : at + size]))
        at += size
    assert at == len(module)
    return found


def test_a_wasm_module_with_its_checksum_is_one(tmp_path: Path) -> None:
    """The checksum is a section that is not needed, so that the last bytes are the checksum as in other files."""
    kept, types = Cache(tmp_path), bytes((1, 4, 1, 0x60, 0, 0))
    kept.write(f"{0:064x}.so", b"\0asm\1\0\0\0" + types)
    (made,) = kept.records()
    (first, of_types), (custom, told) = sections_of(made.read_bytes())
    assert (first, of_types, custom) == (1, types[2:], 0)
    assert told[0] == len(_CHECKSUM) and told[1:].startswith(_CHECKSUM)
    assert kept.has(made.name)
    spoilt = bytearray(made.read_bytes())
    spoilt[10] ^= 1
    made.write_bytes(spoilt)
    assert not kept.has(made.name)


def test_an_object_for_the_page_is_the_same_in_each_folder(tmp_path: Path) -> None:
    found = wasm_compiler()
    if isinstance(found, Unavailable):
        pytest.skip(found.reason)
    made = []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        assert compile_units(found, [("int seven(void) { return 7; }\n", folder / "seven.o")], folder) is None
        made.append((folder / "seven.o").read_bytes())
    assert made[0] == made[1]
