"""A cache of compiled code in the user's own folder; its keys cover everything that the code depends on.

It has objects, one for each unit of C, libraries made of them, and legends. A legend is kept under the texts that a
program was made of, and names the program's library, so that no C has to be generated to find it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.lowering.probes import Probing
from warchest.lowering.program import Program
from warchest.native.c_compiler import (
    PATIENCE_TRAINED,
    PLATFORM,
    TRAINED_FLAGS,
    TRAINING_FLAGS,
    Compiler,
    Unavailable,
    compile_units,
    compiler,
    link,
)
from warchest.native.compiled import NativeLibrary
from warchest.native.legend import recalled
from warchest.source.cache import Cache, own_cache
from warchest.source.text import digest

if TYPE_CHECKING:
    from warchest.native.generate import CSource

FOLDER = "native"
SHIPPED = Path(__file__).resolve().parent.parent / "_native"
"""The folder of compiled code that a wheel for one platform brings along; it is only read."""


def native_cache() -> Cache | Unavailable:
    """Return the cache for compiled code, if only the user can write it."""
    cache, doubt = own_cache(FOLDER)
    if doubt:
        return Unavailable(f"compiled code is not kept where others could write it: {doubt}")
    return cache or Unavailable("no folder is named in which compiled code could be kept")


def library_for(
    program: Program, made_of: str, flags: Sequence[str] = (), probing: Probing | None = None, made_only: bool = False
) -> NativeLibrary | Unavailable:
    """Return the compiled machine for a program, cached or newly made; or the reason why there is none.

    With `probing`, it has these probes. With `made_only`, it is not compiled if it is not in the cache. `made_of` has
    everything that the program and its C are made of: with the same text they are the same. Raises Unfit if the native
    machine has no room for the program.
    """
    made_of = f"{made_of}\0{probing.__qualname__}" if probing is not None else made_of
    shipped = None if flags or probing is not None else _recall(Cache(SHIPPED), _shipped_name(made_of), program)
    if shipped is not None:
        return shipped
    place = _place()
    if isinstance(place, Unavailable):
        return place
    cache, found = place
    name = f"{_key(made_of, found, flags)}.json"
    known = _recall(cache, name, program)
    if known is not None:
        cache.used(name)
        cache.used(known.path.name)
        return known
    if made_only:
        return Unavailable("the native machine has not been made yet")
    from warchest.native.generate import generate

    library = library_of(generate(program, probing(program) if probing is not None else None), flags)
    if not isinstance(library, Unavailable):
        # Without the legend the C is written again the next time.
        cache.write_plain(name, library.legend.plain(library.path.name))
    return library


def library_of(source: CSource, flags: Sequence[str] = ()) -> NativeLibrary | Unavailable:
    """Return the compiled machine for some text, cached or newly made; or the reason why there is none."""
    place = _place()
    if isinstance(place, Unavailable):
        return place
    cache, found = place
    made = _library_in(cache, source, found, tuple(flags))
    if isinstance(made, Unavailable):
        return made
    try:
        return NativeLibrary(made, source.legend)
    except OSError as error:
        return Unavailable(f"{made} cannot be loaded: {error}")


def _place() -> tuple[Cache, Compiler] | Unavailable:
    """Return the cache of compiled code, and the compiler."""
    cache = native_cache()
    if isinstance(cache, Unavailable):
        return cache
    found = compiler()
    return found if isinstance(found, Unavailable) else (cache, found)


def _library_in(cache: Cache, source: CSource, found: Compiler, flags: tuple[str, ...]) -> Path | Unavailable:
    """Return the file of a machine that is compiled from C, or was in a cache."""
    texts = (*source.units, source.machine)
    objects = {f"{_key(text, found, flags)}.o": text for text in texts}
    name = f"{_key(' '.join(one.removesuffix('.o') for one in objects), found, flags)}.so"
    if not cache.has(name):
        try:
            problem = _make(cache, name, objects, found, flags)
        except OSError as error:
            place = error.filename or cache.folder
            return Unavailable(f"compiled code cannot be kept: {place}: {error.strerror or error}")
        if problem is not None:
            return problem
    cache.used(name)
    return cache.folder / name


def _make(
    cache: Cache, name: str, objects: dict[str, str], found: Compiler, flags: tuple[str, ...]
) -> Unavailable | None:
    """Compile the missing objects, link all to the library, and store it; raises OSError."""
    with cache.making() as work:
        missing = [(text, work / one) for one, text in objects.items() if not cache.has(one)]
        # Objects that are linked again stay in the cache longest.
        for one in objects:
            cache.used(one)
        problem = compile_units(found, missing, work, flags)
        if problem is not None:
            return problem
        for _, made in missing:
            cache.adopt(made)
        problem = link(found, [cache.folder / one for one in objects], work / name, work, flags)
        if problem is not None:
            return problem
        cache.adopt(work / name)
    cache.tidy()
    return None


def _recall(cache: Cache, name: str, program: Program) -> NativeLibrary | None:
    """Return the library that a legend names, if both exist."""
    try:
        library, legend = recalled(cache.read_plain(name), program)
        return NativeLibrary(cache.folder / library, legend) if cache.has(library) else None
    except (OSError, LookupError, ValueError, TypeError, AttributeError):
        return None  # a legend that is missing, or differs


def _key(text: str, found: Compiler, flags: Sequence[str]) -> str:
    return digest("\0".join((found.identity, *flags, text)))


# ---- compiled code that comes with the package


def ship(
    folder: Path, program: Program, made_of: str, found: Compiler, train: Callable[[NativeLibrary], None] | None = None
) -> list[Path] | Unavailable:
    """Compile the machine of a program into a folder; return its files, which are to be SHIPPED; raises Unfit.

    Some compilers make a faster machine if `train` has first played on one that records a profile.
    """
    from warchest.native.generate import generate

    cache, source, name = Cache(folder), generate(program), _shipped_name(made_of, found.platform)
    if train is not None and found.learns:
        library = _trained_in(cache, source, found, train)
    else:
        library = _library_in(cache, source, found, ())
    if isinstance(library, Unavailable):
        return library
    cache.write_plain(name, source.legend.plain(library.name))
    return [library, folder / name]


def _trained_in(
    cache: Cache, source: CSource, found: Compiler, train: Callable[[NativeLibrary], None]
) -> Path | Unavailable:
    """Return the file of a machine that is compiled twice: first to count in training, then by means of the counts."""
    texts = (*source.units, source.machine)
    with cache.making() as work:
        # The compiler looks for the counts of an object beside it.
        parts = [(text, work / f"{number}.o") for number, text in enumerate(texts)]
        for flags, name in (
            (TRAINING_FLAGS, "training"),
            (TRAINED_FLAGS, _key("\0".join(texts), found, TRAINED_FLAGS)),
        ):
            target = work / f"{name}.so"
            problem = compile_units(found, parts, work, flags, PATIENCE_TRAINED)
            if problem is None:
                objects = [part for _, part in parts]
                problem = link(found, objects, target, work, flags, PATIENCE_TRAINED)
            if problem is not None:
                return problem
            if flags is TRAINING_FLAGS:
                library = NativeLibrary(target, source.legend)
                train(library)
                library.code.game_trained()
        return cache.adopt(target)


def _shipped_name(made_of: str, platform: Sequence[str] = PLATFORM) -> str:
    """Return the name of the legend of a program, whichever compiler made its library."""
    name = digest("\0".join((made_of, *platform)))
    return f"{name}.json"
