"""The standard library and the packages of the exported page, compiled by the Python that will import them.

This is run by that Python, see `run.mjs`: it reads the tar of sources in its folder, and writes a tar of compiled ones.
"""

from __future__ import annotations

import ast
import io
import py_compile
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

WORK = Path("/work")
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = f"{VERSION}/site-packages"
"""The folder of packages, seen from the folder of libraries."""


def compile_all(library: Path, sources: Path, target: Path) -> None:
    """Write a tar of all files of a zipped library and of a tar of packages; modules are compiled, without sources."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in sorted([*_library(library), *_packages(sources)]):
            if name.endswith(".py"):
                name, data = f"{name}c", _compiled(name, data, Path(folder))
            told = tarfile.TarInfo(name)
            told.size = len(data)
            tar.addfile(told, io.BytesIO(data))


def _library(file: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(file) as zipped:
        for one in zipped.infolist():
            if not one.is_dir():
                yield f"{VERSION}/{one.filename}", zipped.read(one)


def _packages(file: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(file) as tar:
        for one in tar:
            data = tar.extractfile(one)
            if data is not None:
                yield f"{PACKAGES}/{one.name}", data.read()


def _compiled(name: str, source: bytes, folder: Path) -> bytes:
    """Return a module compiled; the result does not depend on folders or times."""
    file, made = folder / "module.py", folder / "module.pyc"
    file.write_bytes(_undocumented(source))
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(file), str(made), f"/lib/{name}", doraise=True, invalidation_mode=unchecked)
    return made.read_bytes()


def _undocumented(source: bytes) -> bytes:
    """Return a module with empty docstrings, which the page never shows; statements stay on their lines."""
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        body = node.body if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) else []
        first = body[0] if body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            assert first.end_lineno is not None and first.end_col_offset is not None
            start, end = first.lineno - 1, first.end_lineno - 1
            head, tail = lines[start][: first.col_offset], lines[end][first.end_col_offset :]
            lines[start : end + 1] = [head + b'""' + b"\\\n" * (end - start) + tail, *[b""] * (end - start)]
    return b"".join(lines)


if __name__ == "__main__":
    compile_all(WORK / "python_stdlib.zip", WORK / "sources.tar", WORK / "all.tar")
