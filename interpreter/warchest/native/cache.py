"""Compiled code that is kept, by all that it depends on, in a folder of the user's own.

The folder has objects, one for each unit of C, and libraries made of them; and legends, which say by what a program was
made of which library is its own, so that no C has to be written to find it. Each file ends with its own checksum, so
that one which was not written to its end, or was changed, is made again. Everything is written beside, then renamed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from warchest.lowering.program import Program
from warchest.native.c_compiler import PLATFORM, Compiler, Unavailable, compile_units, compiler, link
from warchest.native.compiled import NativeLibrary
from warchest.native.legend import Legend, recalled
from warchest.source.private import doubt_of, make_private, newest_first, private_folder
from warchest.source.text import digest

if TYPE_CHECKING:
    from warchest.native.generate import CSource

FOLDER = "native"
MOST_BYTES = 64 * 2**20
"""The most bytes that are kept."""
SHIPPED = Path(__file__).resolve().parent.parent / "_native"
"""The folder of compiled code that a wheel for one platform brings along; it is only read."""
FORGOTTEN = 3600.0
"""After so many seconds a folder in which somebody compiled is taken for left behind."""
_KEPT = re.compile(r"[0-9a-f]{64}\.(o|so|json)")
_MAKING = "making-"
_DIGEST = 32
_CHECKSUM = b"checksum"
_WASM = b"\0asm"
"""The bytes that a WebAssembly module begins with."""
_SECTION = bytes((0, 1 + len(_CHECKSUM) + _DIGEST, len(_CHECKSUM))) + _CHECKSUM
"""The head of the section that its checksum is in: its sort, its size and its name. Nothing may come after sections."""


def native_folder() -> Path | Unavailable:
    """Return the folder in which compiled code is kept, if it is the user's own."""
    folder = private_folder(FOLDER)
    if folder is None:
        return Unavailable("no folder is named in which compiled code could be kept")
    doubt = doubt_of(folder)
    return Unavailable(f"compiled code is not kept where others could write it: {doubt}") if doubt else folder


def library_for(
    program: Program, made_of: str, flags: Sequence[str] = (), counting: bool = False, made_only: bool = False
) -> NativeLibrary | Unavailable:
    """Return the compiled machine for a program, from the cache or made anew; or why there is none.

    Where it is to be `made_only`, one that is not in the cache is not made.
    `made_of` has all that the program and its C are made of: with the same text they are the same. Raises Unfit
    where the native machine has no room for the program.
    """
    made_of = f"{made_of}\0counting" if counting else made_of
    shipped = None if flags or counting else _recall(SHIPPED, _shipped_name(made_of), program)
    if shipped is not None:
        return shipped
    place = _place()
    if isinstance(place, Unavailable):
        return place
    folder, found = place
    name = _key(made_of, found, flags)
    known = _recall(folder, name, program)
    if known is not None:
        _used(folder / f"{name}.json")
        _used(known.path)
        return known
    if made_only:
        return Unavailable("nobody has made the native machine yet")
    from warchest.native.generate import generate

    library = library_of(generate(program, counting), flags)
    if not isinstance(library, Unavailable):
        _note(folder, name, library.path, library.legend)
    return library


def library_of(source: CSource, flags: Sequence[str] = ()) -> NativeLibrary | Unavailable:
    """Return the compiled machine for some text, from the cache or made anew; or why there is none."""
    place = _place()
    if isinstance(place, Unavailable):
        return place
    folder, found = place
    try:
        made = _library_in(folder, source, found, tuple(flags))
        return made if isinstance(made, Unavailable) else _loaded(made, source.legend)
    except OSError as error:
        return Unavailable(f"compiled code cannot be kept: {error.filename or folder}: {error.strerror or error}")


def _place() -> tuple[Path, Compiler] | Unavailable:
    """Return the folder in which code is kept, and the compiler."""
    folder = native_folder()
    if isinstance(folder, Unavailable):
        return folder
    found = compiler()
    return found if isinstance(found, Unavailable) else (folder, found)


def _library_in(folder: Path, source: CSource, found: Compiler, flags: tuple[str, ...]) -> Path | Unavailable:
    """Return the file of a machine that is compiled from C, or was in a folder; raises OSError."""
    texts = (*source.units, source.machine)
    keys = [_key(text, found, flags) for text in texts]
    target = folder / f"{_key(' '.join(keys), found, flags)}.so"
    if _whole(target) is None:
        make_private(folder)
        problem = _make(folder, target, list(zip(texts, keys, strict=True)), found, flags)
        if problem is not None:
            return problem
    _used(target)
    return target


def _loaded(library: Path, legend: Legend) -> NativeLibrary | Unavailable:
    try:
        return NativeLibrary(library, legend)
    except OSError as error:
        return Unavailable(f"{library} cannot be loaded: {error}")


# ---- legends


def _recall(folder: Path, name: str, program: Program) -> NativeLibrary | None:
    """Return the library that a legend names, if both are there."""
    note = folder / f"{name}.json"
    try:
        text = _whole(note)
        if text is None:
            return None
        library, legend = recalled(text.decode(), program)
        if _whole(folder / library) is None:
            return None
        return NativeLibrary(folder / library, legend)
    except (OSError, LookupError, ValueError, TypeError, AttributeError):
        return None  # a file that is whole, and says something else


def _note(folder: Path, name: str, library: Path, legend: Legend) -> Path:
    """Keep the legend of a library under the name of a program; without it the C is written again the next time."""
    target = folder / f"{name}.json"
    with contextlib.suppress(OSError), tempfile.TemporaryDirectory(prefix=_MAKING, dir=folder) as work:
        note = Path(work, target.name)
        note.write_text(legend.written(library.name), encoding="utf-8")
        _mark_whole(note)
        note.replace(target)
    return target


# ---- compiled code that comes with the package


def ship(folder: Path, program: Program, made_of: str, found: Compiler) -> list[Path] | Unavailable:
    """Compile the machine of a program into a folder; return its files, which are to be SHIPPED; raises Unfit."""
    from warchest.native.generate import generate

    source = generate(program)
    try:
        library = _library_in(folder, source, found, ())
    except OSError as error:
        return Unavailable(f"{error.filename or folder}: {error.strerror or error}")
    if isinstance(library, Unavailable):
        return library
    return [library, _note(folder, _shipped_name(made_of, found.platform), library, source.legend)]


def _shipped_name(made_of: str, platform: Sequence[str] = PLATFORM) -> str:
    """Return the name of the legend of a program, whichever compiler has made its library."""
    return digest("\0".join((made_of, *platform)))


def _used(path: Path) -> None:
    with contextlib.suppress(OSError):
        os.utime(path)


# ---- files


def _key(text: str, found: Compiler, flags: Sequence[str]) -> str:
    return digest("\0".join((found.identity, *flags, text)))


def _mark_whole(made: Path) -> None:
    """Let a file end with its own checksum, which nobody who reads it looks at."""
    data = made.read_bytes()
    if data.startswith(_WASM):
        data += _SECTION
    made.write_bytes(data + sha256(data).digest())


def _whole(made: Path) -> bytes | None:
    """Return the contents of a file that is there as it was made, without its checksum; else None."""
    try:
        data = made.read_bytes()
    except FileNotFoundError:
        return None
    is_whole = len(data) > _DIGEST and sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]
    return data[:-_DIGEST] if is_whole else None


def _make(
    folder: Path, target: Path, texts: Sequence[tuple[str, str]], found: Compiler, flags: tuple[str, ...]
) -> Unavailable | None:
    """Compile the missing objects, link all to the library, and keep it."""
    work = Path(tempfile.mkdtemp(prefix=_MAKING, dir=folder))
    try:
        kept = [folder / f"{key}.o" for _, key in texts]
        missing = [(text, path) for (text, _), path in zip(texts, kept, strict=True) if _whole(path) is None]
        made = [(text, work / path.name) for text, path in missing]
        # Those that are linked again are not the ones to let go.
        for path in kept:
            _used(path)
        problem = compile_units(found, made, work, flags)
        if problem is not None:
            return problem
        for _, path in made:
            _mark_whole(path)
            path.replace(folder / path.name)
        library = work / target.name
        problem = link(found, kept, library, work, flags)
        if problem is not None:
            return problem
        _mark_whole(library)
        library.replace(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    # Another process may let the same files go.
    with contextlib.suppress(OSError):
        _forget_old(folder, target)
    return None


def _forget_old(folder: Path, but: Path) -> None:
    """Let the files go that were not used for longest, where they take too much room; and folders left behind."""
    left = MOST_BYTES
    for path in newest_first(kept_in(folder)):
        left -= path.stat().st_size
        if left < 0 and path != but:
            path.unlink(missing_ok=True)
    for path in folder.glob(f"{_MAKING}*"):
        if time() - path.stat().st_mtime > FORGOTTEN:
            shutil.rmtree(path, ignore_errors=True)


def kept_in(folder: Path) -> list[Path]:
    """Return the compiled code in a folder; other files there are not ours."""
    return [path for path in folder.iterdir() if _KEPT.fullmatch(path.name)] if folder.is_dir() else []


def clear(folder: Path) -> int:
    """Let all compiled code in a folder go; return how many files there were. Raises OSError."""
    found = kept_in(folder)
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)
