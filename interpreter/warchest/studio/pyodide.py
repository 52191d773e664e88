"""Pyodide, which is Python for browsers: fetched from npm, verified, and run by Node.js to build with it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import tempfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from warchest.source.cache import make_private, own_cache
from warchest.studio.bundle import Unbuilt, called, node, npm

PINNED = Path(__file__).with_name("pyodide.json")
"""The file with the version of Pyodide, and the digest of its package according to npm."""
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of the package that are used."""
MOST_BYTES = 64 << 20
"""The most bytes of a file in the package."""
FOLDER = "studio"


class Pinned(NamedTuple):
    """A package of npm: its name, its version, and the digest of its archive."""

    package: str
    version: str
    integrity: str


def pinned() -> Pinned:
    """Return the package of Pyodide that the studio is built with."""
    return Pinned(**json.loads(PINNED.read_text(encoding="utf-8")))


def cache_folder() -> Path:
    """Return the folder for fetched or built files; a temporary one if no cache is allowed."""
    cache, _ = own_cache(FOLDER)
    if cache is None:
        return Path(tempfile.mkdtemp(prefix="warchest-"))
    make_private(cache.folder)
    return cache.folder


def pyodide_folder(cache: Path) -> Path:
    """Return the folder of Pyodide, from the cache or fetched; raises Unbuilt."""
    wanted = pinned()
    folder = cache / f"{wanted.package}-{wanted.version}-{hashlib.sha256(wanted.integrity.encode()).hexdigest()[:12]}"
    if all((folder / name).is_file() for name in FILES):
        return folder
    with tempfile.TemporaryDirectory(dir=cache, prefix="fetching-") as work:
        unpack(verified(fetched(wanted, Path(work)), wanted), Path(work, "made"))
        try:
            Path(work, "made").replace(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was faster
                raise
    return folder


def fetched(wanted: Pinned, folder: Path) -> bytes:
    """Return the archive of a package, which npm fetches into a folder; raises Unbuilt."""
    named = f"{wanted.package}@{wanted.version}"
    done = called([*npm(), "pack", named, "--silent", "--ignore-scripts", "--pack-destination", str(folder)], folder)
    found = list(folder.glob("*.tgz"))
    if done.returncode or len(found) != 1:
        said = (done.stdout.strip().splitlines() or ["it says nothing"])[0][:200]
        raise Unbuilt(f"npm cannot fetch {named}: {said}")
    return found[0].read_bytes()


def verified(archive: bytes, wanted: Pinned) -> bytes:
    """Return an archive if it is the wanted one, byte for byte; raises Unbuilt for any other."""
    kind, _, digest = wanted.integrity.partition("-")
    if kind != "sha512" or base64.b64encode(hashlib.sha512(archive).digest()).decode() != digest:
        raise Unbuilt(f"what npm fetched is not {wanted.package} {wanted.version}: its digest is another one")
    return archive


def unpack(archive: bytes, folder: Path) -> None:
    """Write the files that are used into a new folder; raises Unbuilt if one is missing."""
    folder.mkdir()
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        for one in tar:
            name = PurePosixPath(one.name).name
            if one.isreg() and one.name == f"package/{name}" and name in FILES and one.size <= MOST_BYTES:
                data = tar.extractfile(one)
                if data is not None:
                    (folder / name).write_bytes(data.read())
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise Unbuilt(f"the package of Pyodide lacks {', '.join(missing)}")


def run_node(arguments: list[str], folder: Path) -> None:
    """Run a script by Node.js in a folder; raises Unbuilt with the last lines of its errors."""
    done = called([*node(), *arguments], folder)
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if line.strip()] or ["it says nothing"]
        raise Unbuilt("Node.js cannot build the page: " + "\n".join(said[-6:]))
