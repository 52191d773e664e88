"""The archives of Python's files that the exported page fetches: its library and all packages, compiled.

The first archive has the modules that the page uses, and everything kept from reading the shipped games. The second
has the rest, and is fetched only when one of its modules is imported. The third has the native machines of the shipped
games.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from warchest.source.cache import BUILD, BUILT
from warchest.source.data import data_folder
from warchest.studio.bundle import called
from warchest.studio.pyodide import run_node

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent
DISTRIBUTIONS = ("lark", "PyYAML", "jsonschema", "jsonschema-specifications", "referencing", "attrs", "rich")
"""The other packages in the archives, by the names under which they are installed; `rpds` has a stand-in."""
DATA = ("grammar", "cards", "schemas", "layouts")
LEFT_OUT = ("cli", "_data", "_kept", "_native", "studio/page", "studio/editor")
"""The folders of the package that the page does not need, or that are built for it."""
IN_PAGE = "python3.14/site-packages"
"""The folder of packages in Python's folder of libraries."""
OURS = f"{IN_PAGE}/warchest"
KEPT, NATIVE = f"{OURS}/{BUILT.name}", f"{OURS}/_native"
FURTHER = "further.json"
"""The file in the folder of kept data that names the modules of the second archive."""


class Archives(NamedTuple):
    """The compressed archives; `native` is empty where there is no compiler for it, and `lacking` says why."""

    first: bytes
    further: bytes
    native: bytes
    lacking: str


def archives(pyodide: Path, cache: Path, work: Path) -> Archives:
    """Return the archives, built in an empty folder; raises Unbuilt."""
    sources = staged(work / "sources")
    machines, lacking = _machines(work / "sources", cache)
    _write_tar(work / "sources.tar", sources)
    shutil.copyfile(pyodide / "python_stdlib.zip", work / "python_stdlib.zip")
    with zipfile.ZipFile(work / "empty.zip", "w"):
        pass
    _in_page("compiling", pyodide, work)
    compiled = {**_read_tar(work / "all.tar"), **machines}
    _write_tar(work / "whole.tar", compiled)
    _in_page("exported_data", pyodide, work, work / "whole.tar")
    compiled |= {f"{KEPT}/{file.name}": file.read_bytes() for file in (work / "kept").iterdir()}
    _write_tar(work / "whole.tar", compiled)
    _in_page("choosing", pyodide, work, work / "whole.tar")
    return _divided(compiled, frozenset(json.loads((work / "used.json").read_text(encoding="utf-8"))), lacking)


def _in_page(name: str, pyodide: Path, work: Path, *archive: Path) -> None:
    """Run a module beside this one in the Python of the page, with the files of an archive."""
    run_node([*map(str, (HERE / "run.mjs", pyodide, work, HERE / f"{name}.py", *archive))], work)


# ---- the sources


def staged(folder: Path) -> dict[str, bytes]:
    """Write all sources into a new folder, so that they can be imported from it; return them by their paths there."""
    found = {**dict(_own()), **dict(_others())}
    made = hashlib.sha256()
    for name, data in sorted(found.items()):
        made.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\0".encode())
    found[f"warchest/{BUILT.name}/{BUILD}"] = json.dumps({"digest": made.hexdigest()}).encode()
    for name, data in found.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return found


def _own() -> Iterator[tuple[str, bytes]]:
    """Yield the modules of this package and its data."""
    left_out = tuple(f"{one}/" for one in LEFT_OUT)
    for file in sorted(PACKAGE.rglob("*")):
        name = file.relative_to(PACKAGE).as_posix()
        if file.is_file() and "__pycache__" not in file.parts and not name.startswith(left_out):
            yield f"warchest/{name}", file.read_bytes()
    for part in DATA:
        folder = data_folder(part)
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"warchest/_data/{part}/{file.relative_to(folder).as_posix()}", file.read_bytes()


def _others() -> Iterator[tuple[str, bytes]]:
    """Yield the modules of other packages and their data."""
    yield "rpds/__init__.py", (HERE / "persistent.py").read_bytes()
    for name in DISTRIBUTIONS:
        for path in distribution(name).files or ():
            is_ours = path.parts[0] != ".." and path.suffix not in (".pyc", ".pyi", ".so", ".pyd")
            if is_ours and ".dist-info" not in path.parts[0] and not {"tests", "benchmarks"} & set(path.parts):
                yield path.as_posix(), path.read_binary()


# ---- native machines


def _machines(sources: Path, cache: Path) -> tuple[dict[str, bytes], str]:
    """Return the native machines of the shipped games, made by the staged package; if there are none, the reason."""
    folder = cache / "machines"
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "warchest.studio.browser_machines", str(folder)]
    done = called(command, sources, {"PYTHONPATH": str(sources)})
    if done.returncode:
        return {}, (done.stdout.strip().splitlines() or ["the compiler says nothing"])[-1]
    return {f"{NATIVE}/{name}": (folder / name).read_bytes() for name in json.loads(done.stdout.splitlines()[-1])}, ""


# ---- the archives


def _divided(files: Mapping[str, bytes], used: frozenset[str], lacking: str) -> Archives:
    """Return the archives of all files, by the modules that are used."""
    native = {name: data for name, data in files.items() if name.startswith(f"{NATIVE}/")}
    first = {name: data for name, data in files.items() if name not in native and _is_used(name, used)}
    rest = {name: data for name, data in files.items() if name not in native and name not in first}
    first[f"{KEPT}/{FURTHER}"] = json.dumps(sorted(_module_names(rest))).encode()
    return Archives(_compressed(first), _compressed(rest), _compressed(native) if native else b"", lacking)


def _is_used(name: str, used: frozenset[str]) -> bool:
    """Whether a file is a module that is used, or a data file of a package that is used."""
    if name.endswith(".pyc"):
        return name in used
    if name.startswith(OURS):
        return not name.endswith((".c", ".h"))
    package = "/".join(name.split("/")[: 3 if name.startswith(IN_PAGE) else 2])
    return f"{package}/__init__.pyc" in used


def _module_names(files: Iterable[str]) -> Iterator[str]:
    """Yield the names of the modules among files."""
    for name in files:
        if name.endswith(".pyc"):
            inside = name.removeprefix(f"{IN_PAGE}/") if name.startswith(IN_PAGE) else name.partition("/")[2]
            yield inside.removesuffix(".pyc").removesuffix("/__init__").replace("/", ".")


def _compressed(files: Mapping[str, bytes]) -> bytes:
    """Return a tar of files, compressed; the same files give the same bytes."""
    written = io.BytesIO()
    _write_tar(written, files)
    return gzip.compress(written.getvalue(), 9, mtime=0)


def _write_tar(target: Path | io.BytesIO, files: Mapping[str, bytes]) -> None:
    opened = target.open("wb") if isinstance(target, Path) else target
    with tarfile.open(fileobj=opened, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in sorted(files.items()):
            told = tarfile.TarInfo(name)
            told.size = len(data)
            tar.addfile(told, io.BytesIO(data))
    if isinstance(target, Path):
        opened.close()


def _read_tar(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as tar:
        found = {one.name: tar.extractfile(one) for one in tar}
        return {name: data.read() for name, data in found.items() if data is not None}
