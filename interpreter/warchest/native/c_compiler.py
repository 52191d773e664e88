"""Compiling: the compiler that is available, and the way to call it. An error is a value."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from time import monotonic

from warchest.source.programs import program

FLAGS = (
    "-std=gnu11",
    "-O1",
    "-foptimize-sibling-calls",
    "-falign-functions=32",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-Wall",
    "-Wno-misleading-indentation",
    "-Wno-maybe-uninitialized",
    "-Wno-tautological-compare",
    "-Wno-unknown-warning-option",
)
"""The flags for every compiler. A sentence may compare a thing with itself, so that is no reason for a warning. Calls
at the end of a function become jumps, and functions are aligned: each makes games about 2 % faster, and neither costs
time to compile. Fractions are computed as in Python, without a library.
"""
TRAINING_FLAGS = ("-O3", "-fprofile-generate", "-fprofile-update=single", "-DTRAINED")
"""The further flags for code that counts the branches taken, so that a machine reports that it is being trained."""
TRAINED_FLAGS = ("-O3", "-flto=auto", "-fprofile-use")
"""The further flags for code that is compiled with these counts, all units at once."""
ZIG_FLAGS = ("-fno-sanitize=undefined", "-g0")
"""The further flags for zig.

By default it would check for undefined behaviour at the cost of speed, and write names of folders into objects.
"""
PATIENCE = 180.0
"""The time limit for compiling everything, in seconds."""
PATIENCE_TRAINED = 1800.0
"""The time limit for machines that are shipped, which take longer."""
PLATFORM = (sys.platform, machine(), str(sys.maxsize))
"""The facts about the platform for which code is compiled."""
WASM_PLATFORM = ("emscripten", "wasm32", str(2**31 - 1))
"""The same facts for Python in a browser."""
WASM_FLAGS = ("-target", "wasm32-wasi", "-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-w", *ZIG_FLAGS)
WASM_LINKING = ("--experimental-pic", "--no-entry", "--export=__wasm_call_ctors", "--allow-undefined", "--strip-all")
"""The flags for the linker of WebAssembly. Python calls the exported function as it loads a library; that function
calls the one that fills the tables of the machine.
"""
COMPILER_MEMORY = 3 * 2**30
"""The most bytes of memory that one call of a compiler may use."""
COMPILER_SECONDS = 120
"""The most seconds of a processor that one call of a compiler may use."""
_LIMITED = 'ulimit -v "$1"; ulimit -t "$2"; shift 2; exec "$@"'
"""The shell script that calls a compiler, and all programs that this starts, within the limits."""
ASKING = 20.0
"""The most seconds for a compiler to report its version."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """The reason why there is no native machine, in one line."""

    reason: str


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler: its command, its flags, and the version that it reports."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    version: str
    linker: tuple[str, ...] = ()
    """The command that links objects to a library, if it is a different one."""
    platform: tuple[str, str, str] = PLATFORM
    """The facts about the platform for which it compiles."""
    known_as: tuple[str, ...] = ()
    """Words that replace its commands in digests, if the folders of these do not matter."""

    @property
    def learns(self) -> bool:
        """Whether it can compile with a profile, as the compiler of GNU can."""
        return "Free Software Foundation" in self.version and not self.linker

    @property
    def identity(self) -> str:
        """Everything that compiled code depends on, apart from its text."""
        return "\0".join((*(self.known_as or self.command), *self.flags, self.version, *self.platform))


@cache
def find_compiler(named: str | None = None) -> Compiler | Unavailable:
    """Return the named compiler, by default `cc` of the system, or the compiler of the wheel `ziglang`."""
    reason = "there is no C compiler: install one, or warchest[native]"
    for command, flags in _candidates(named):
        version = _version(command)
        if isinstance(version, Unavailable):
            reason = version.reason
        else:
            return Compiler(command, (*FLAGS, *flags), version)
    return Unavailable(reason)


def compiler() -> Compiler | Unavailable:
    """Return the compiler to use here: the one that the environment names as CC, or the first that is found."""
    return find_compiler(os.environ.get("CC") or None)


@cache
def wasm_compiler() -> Compiler | Unavailable:
    """Return the compiler of the wheel `ziglang` for Python in a browser, which loads a library as on any system."""
    if find_spec("ziglang") is None:
        return Unavailable("there is no compiler for WebAssembly: install warchest[native]")
    zig = (sys.executable, "-m", "ziglang")
    version = _version((*zig, "cc"))
    if isinstance(version, Unavailable):
        return version
    linker, known_as = (*zig, "wasm-ld", *WASM_LINKING), ("ziglang", *WASM_LINKING)
    # The second line of its version is its folder.
    return Compiler((*zig, "cc"), WASM_FLAGS, _first_line(version), linker, WASM_PLATFORM, known_as)


def _candidates(named: str | None) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    if named is not None:
        try:
            words = tuple(shlex.split(named))
        except ValueError:
            words = (named,)
        return [(words, ZIG_FLAGS if any("zig" in one for one in words) else ())]
    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    system = program("cc") or program("gcc") or program("clang")
    if system is not None:
        found.append(((system,), ()))
    if find_spec("ziglang") is not None:
        found.append(((sys.executable, "-m", "ziglang", "cc"), ZIG_FLAGS))
    return found


def _version(command: Sequence[str]) -> str | Unavailable:
    name = command[0] if command else "CC"
    try:
        told = subprocess.run(
            [*command, "--version"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=ASKING,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return Unavailable(f"the C compiler {name} cannot be called: {_said(error)}")
    if told.returncode:
        return Unavailable(f"the C compiler {name} does not work: {_first_line(told.stdout)}")
    return told.stdout.strip()


def _said(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"it took more than {error.timeout:.0f} s"
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    worst = [line for line in lines if "error" in line.lower()]
    return (worst or lines or ["it says nothing"])[0][:200]


# ---- compiling


def compile_units(
    compiler: Compiler,
    texts: Sequence[tuple[str, Path]],
    folder: Path,
    flags: Sequence[str] = (),
    patience: float | None = None,
) -> Unavailable | None:
    """Compile texts to objects, several at once, within a time limit (PATIENCE); `folder` is a temporary one.

    Return the error, if any.
    """
    until, waiting = monotonic() + (patience or PATIENCE), iter(list(enumerate(texts)))
    problems: list[Unavailable] = []
    workers = [
        threading.Thread(target=_compile_all, args=(compiler, waiting, folder, flags, until, problems))
        for _ in range(min(os.cpu_count() or 1, len(texts)))
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return problems[0] if problems else None


def _compile_all(
    compiler: Compiler,
    waiting: Iterator[tuple[int, tuple[str, Path]]],
    folder: Path,
    flags: Sequence[str],
    until: float,
    problems: list[Unavailable],
) -> None:
    """Compile the waiting texts, one after the other, until one text has an error."""
    for number, (text, target) in waiting:
        source = folder / f"{number}.c"
        try:
            source.write_text(text, encoding="utf-8")
            problem = call(compiler, [*flags, "-c", str(source), "-o", str(target)], folder, until)
        except OSError as error:
            problem = Unavailable(f"{folder}: {error.strerror}")
        if problem is not None:
            problems.append(problem)
        if problems:
            return


def link(
    compiler: Compiler,
    objects: Sequence[Path],
    target: Path,
    folder: Path,
    flags: Sequence[str] = (),
    patience: float | None = None,
) -> Unavailable | None:
    """Link objects to a shared library, within a time limit (PATIENCE). Return the error, if any."""
    if compiler.linker:
        compiler = replace(compiler, command=compiler.linker, flags=())
    arguments = [*flags, "-shared", "-o", str(target), *map(str, objects)]
    return call(compiler, arguments, folder, monotonic() + (patience or PATIENCE))


def _limited(command: Sequence[str]) -> list[str]:
    """Return the command that calls a program within the limits, if the system has a shell that can set them."""
    shell = Path("/bin/sh")
    if os.name != "posix" or not shell.exists():
        return list(command)
    return [str(shell), "-c", _LIMITED, str(shell), str(COMPILER_MEMORY // 1024), str(COMPILER_SECONDS), *command]


def call(compiler: Compiler, arguments: Sequence[str], folder: Path, until: float) -> Unavailable | None:
    """Call a compiler. Return the error, if any."""
    kept = {name: str(folder / "zig") for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}
    environment = {**os.environ, **({} if "ZIG_GLOBAL_CACHE_DIR" in os.environ else kept), "TMPDIR": str(folder)}
    command = _limited([*compiler.command, *compiler.flags, *arguments])
    try:
        told = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=max(until - monotonic(), 1.0),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Unavailable(f"the C compiler {compiler.command[0]} takes too long")
    except OSError as error:
        return Unavailable(f"the C compiler {compiler.command[0]} cannot be called: {_said(error)}")
    if told.returncode:
        return Unavailable(f"the C compiler {compiler.command[0]} fails: {_first_line(told.stdout)}")
    return None
