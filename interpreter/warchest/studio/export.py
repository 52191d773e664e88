"""The studio as a folder of static files, for any web host: the page, and Python for it, run by the browser.

Names contain digests of the files' contents, except for `index.html`: a host may let browsers keep all others for ever.
The same package, built with the same versions of others, gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

from warchest.studio import bundle
from warchest.studio.archives import DISTRIBUTIONS, archives
from warchest.studio.bundle import Unbuilt
from warchest.studio.page_facts import PAGE, POLICY, about_page
from warchest.studio.pyodide import cache_folder, pinned, pyodide_folder

INDEX, TOLD, PLACES, LICENCES = "index.html", "studio.json", "places.js", "THIRD-PARTY.txt"
CONTENTS = "contents.json"
"""The file that names all files of an export, so that a later export can remove those no longer needed."""
RUN = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""The files of Pyodide that the page fetches as they are."""
NO_FILES = b"PK\5\6" + bytes(18)
"""A zip without files, in place of Python's library: that is in the first archive."""
_QUOTED = re.compile(r"(?P<quote>[\"'`])(?:\./)?(?P<path>[\w.-]+(?:/|(?=(?P=quote))))")
"""The name of a file beside this one in quotes, or that of a folder which a path begins with."""
_META = '<meta charset="utf-8">'
_DIGITS = 10
_TEXTS = (".html", ".js", ".css")


def export(target: Path, tell: Callable[[str], None]) -> int:
    """Write the studio into a folder and return the size of its files in bytes; raises Unbuilt and OSError.

    The folder is new or empty, or that of an earlier export, whose files are removed.
    """
    old = _earlier(target)
    _make_writable(target)
    if not bundle.is_current():
        tell("building the editor")
        bundle.build()
    cache = cache_folder()
    tell("fetching Pyodide, where it is not there yet")
    pyodide = pyodide_folder(cache)
    tell("building the archives of Python, which takes some minutes")
    with tempfile.TemporaryDirectory(prefix="warchest-") as work:
        made = archives(pyodide, cache, Path(work))
    if made.lacking:
        tell(f"the page plays without native machines: {made.lacking}")
    found = {f"{name}.bin": data for name, data in made._asdict().items() if isinstance(data, bytes) and data}
    files = _of_python(pyodide) | {_named(name, _digest(data)): data for name, data in found.items()}
    told = {"home": "page", "place": "page"} | about_page()
    files |= _of_page({TOLD: json.dumps(told).encode(), PLACES: _places(files, pyodide)})
    files[LICENCES] = licences().encode()
    files[CONTENTS] = json.dumps(sorted([*files, CONTENTS]), indent=1).encode() + b"\n"
    _write(target, files, old)
    return sum(map(len, files.values()))


def _earlier(target: Path) -> list[str]:
    """Return the files of an earlier export in a folder; raises Unbuilt if other files are in it."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return []
    try:
        known = json.loads((target / CONTENTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = None
    if not isinstance(known, list) or not all(isinstance(one, str) and _is_plain(one) for one in known):
        raise Unbuilt(f"{target} is there already, and is no earlier export: name a new or an empty folder")
    return known


def _make_writable(target: Path) -> None:
    """Make a folder, write a file into it and remove it again: a refusal is reported before the long work begins."""
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=target):
        pass


def _is_plain(name: str) -> bool:
    """Whether a name is one that an export gives, in its folder or in a folder directly inside."""
    return re.fullmatch(r"(?:\w[\w.-]*/)?\w[\w.-]*", name) is not None


# ---- the files


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_DIGITS]


def _named(name: str, digest: str) -> str:
    """Return the name of a file, or of the folder it is in, with a digest."""
    first, slash, rest = name.partition("/")
    return f"{first}-{digest}/{rest}" if slash else f"{Path(name).stem}-{digest}{Path(name).suffix}"


def _of_python(pyodide: Path) -> dict[str, bytes]:
    """Return the files of Pyodide as they were fetched, in a folder with their version and digest."""
    found = {name: (pyodide / name).read_bytes() for name in RUN} | {"empty.zip": NO_FILES}
    folder = _named(f"pyodide-{pinned().version}/", _digest(b"".join(found.values())))
    return {f"{folder}{name}": data for name, data in found.items()}


def _places(files: Iterable[str], pyodide: Path) -> bytes:
    """Return the module that names the files of Python for the worker."""
    kinds = {name.partition("-")[0]: f"./{name}" for name in files}
    folder = kinds.pop("pyodide").rpartition("/")[0]
    info = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    told = {
        "native": "",
        **kinds,
        "pyodide": f"{folder}/",
        "empty": f"{folder}/empty.zip",
        "lock": {"info": info, "packages": {}},
    }
    return f"export default {json.dumps(told, indent=1)};\n".encode()


def _of_page(made: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the page; all but the first carry one digest, and name each other by it."""
    found = {file.relative_to(PAGE).as_posix(): file.read_bytes() for file in sorted(PAGE.rglob("*")) if file.is_file()}
    found = {name: data for name, data in found.items() if name != bundle.LICENCES.name} | dict(made)
    digest = _digest(b"\0".join(name.encode() + b"\0" + data for name, data in sorted(found.items())))
    names = {name: _named(name, digest) for name in found if name != INDEX}
    names |= {
        f"{PurePosixPath(name).parts[0]}/": _named(name, digest).partition("/")[0] + "/"
        for name in names
        if "/" in name
    }

    def renamed(part: re.Match[str]) -> str:
        path = part["path"]
        return f"{part['quote']}./{names[path]}" if path in names else part[0]

    texts = {name: _QUOTED.sub(renamed, data.decode()) for name, data in found.items() if name.endswith(_TEXTS)}
    # A host need not send the policy with the page; only a host can restrict the frames that may show it.
    policy = f'{_META}\n<meta http-equiv="Content-Security-Policy" content="{POLICY.partition("; frame-")[0]}">'
    texts[INDEX] = texts[INDEX].replace(_META, policy, 1)
    return {names.get(name, name): texts[name].encode() if name in texts else data for name, data in found.items()}


def licences() -> str:
    """Return the licences of everything in an export that is made by others."""
    wanted = pinned()
    parts = [
        f"Pyodide {wanted.version} (Mozilla Public License 2.0, https://mozilla.org/MPL/2.0/), files as they were\n"
        f"published; their source: https://github.com/pyodide/pyodide/tree/{wanted.version}\n\n"
        "Python 3.14 and its standard library, in Pyodide and compiled (Python Software Foundation License 2),\n"
        "Copyright (c) 2001 Python Software Foundation; All Rights Reserved. https://docs.python.org/3.14/license.html"
    ]
    for name in DISTRIBUTIONS:
        found = distribution(name)
        files = [path for path in found.files or () if ".dist-info/" in path.as_posix() and "licenses" in path.parts]
        title = f"{found.metadata['Name']} {found.version}"
        parts.append("\n\n".join([title, *(path.read_text().strip() for path in sorted(files))]))
    parts.append(bundle.LICENCES.read_text(encoding="utf-8").strip())
    rule = "\n\n" + "-" * 80 + "\n\n"
    return "The exported studio contains the following works of others.\n\n" + rule.join(parts) + "\n"


def _write(target: Path, files: Mapping[str, bytes], old: Iterable[str]) -> None:
    """Write files into a folder, the page itself last, and remove the earlier ones."""
    for name, data in sorted(files.items(), key=lambda one: one[0] == INDEX):
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    for name in set(old) - set(files):
        file = target / name
        file.unlink(missing_ok=True)
        if file.parent != target and file.parent.is_dir() and not any(file.parent.iterdir()):
            file.parent.rmdir()
