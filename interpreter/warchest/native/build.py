"""Compiling: which compiler there is, and how it is called. What goes wrong is a value."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from platform import machine
from time import monotonic

FLAGS = ("-std=gnu11", "-O1", "-fPIC", "-fvisibility=hidden", "-fno-semantic-interposition", "-Wall",
         "-Wno-misleading-indentation", "-Wno-maybe-uninitialized", "-Wno-unknown-warning-option")  # fmt: skip
ZIG_FLAGS = ("-fno-sanitize=undefined",)
"""What zig is told besides: it would look for undefined behaviour at the cost of speed."""
PATIENCE = 180.0
"""How many seconds it may take to compile everything."""
ASKING = 20.0
"""How many seconds a compiler may take to tell its version."""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why there is no native machine, in one line."""

    reason: str


@dataclass(frozen=True, slots=True)
class Compiler:
    """A compiler: how it is called, with which flags, and what it says of itself."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    version: str

    @property
    def identity(self) -> str:
        """What compiled code depends on besides its text."""
        return "\0".join(
            (*self.command, *self.flags, self.version, sys.platform, machine(), str(sys.maxsize))
        )


@cache
def find_compiler(named: str | None = None) -> Compiler | Unavailable:
    """Return the compiler that is named, else `cc` of the system, else that of the wheel `ziglang`."""
    reason = "there is no C compiler: install one, or warchest[native]"
    for command, flags in _candidates(named):
        version = _version(command)
        if isinstance(version, Unavailable):
            reason = version.reason
        else:
            return Compiler(command, (*FLAGS, *flags), version)
    return Unavailable(reason)


def compiler() -> Compiler | Unavailable:
    """Return the compiler to be used here: what the environment names as CC, else what there is."""
    return find_compiler(os.environ.get("CC") or None)


def _candidates(named: str | None) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    if named is not None:
        try:
            words = tuple(shlex.split(named))
        except ValueError:
            words = (named,)
        return [(words, ZIG_FLAGS if any("zig" in one for one in words) else ())]
    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    system = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
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
            capture_output=True,
            text=True,
            timeout=ASKING,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return Unavailable(f"the C compiler {name} cannot be called: {_said(error)}")
    if told.returncode:
        return Unavailable(f"the C compiler {name} does not work: {_first_line(told.stderr)}")
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
    compiler: Compiler, texts: Sequence[tuple[str, Path]], folder: Path, flags: Sequence[str] = ()
) -> Unavailable | None:
    """Compile texts to objects, several at once; `folder` is one of its own. Return what went wrong, if any."""
    until = monotonic() + PATIENCE

    def one(number: int, text: str, target: Path) -> Unavailable | None:
        source = folder / f"{number}.c"
        try:
            source.write_text(text, encoding="utf-8")
        except OSError as error:
            return Unavailable(f"{folder}: {error.strerror}")
        return call(compiler, [*flags, "-c", str(source), "-o", str(target)], folder, until)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = list(pool.map(lambda numbered: one(numbered[0], *numbered[1]), enumerate(texts)))
    return next((problem for problem in found if problem is not None), None)


def link(
    compiler: Compiler, objects: Sequence[Path], target: Path, folder: Path, flags: Sequence[str] = ()
) -> Unavailable | None:
    """Link objects to a shared library. Return what went wrong, if anything did."""
    arguments = [*flags, "-shared", "-o", str(target), *map(str, objects)]
    return call(compiler, arguments, folder, monotonic() + PATIENCE)


def call(compiler: Compiler, arguments: Sequence[str], folder: Path, until: float) -> Unavailable | None:
    """Call a compiler. Return what went wrong, if anything did."""
    kept = {name: str(folder / "zig") for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}
    environment = {
        **os.environ,
        **({} if "ZIG_GLOBAL_CACHE_DIR" in os.environ else kept),
        "TMPDIR": str(folder),
    }
    command = [*compiler.command, *compiler.flags, *arguments]
    try:
        told = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False,
            stdin=subprocess.DEVNULL, timeout=max(until - monotonic(), 1.0),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Unavailable(f"the C compiler {compiler.command[0]} takes too long")
    except OSError as error:
        return Unavailable(f"the C compiler {compiler.command[0]} cannot be called: {_said(error)}")
    if told.returncode:
        return Unavailable(f"the C compiler {compiler.command[0]} fails: {_first_line(told.stderr)}")
    return None
