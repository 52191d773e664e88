"""Lays data out by templates, with the Typst compiler, which not all have installed.

A template gets its data as JSON, and never as a part of its own text. It reads files of one folder only, made for it:
the shipped templates, some replaced by those of a designer. It cannot fetch anything.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from warchest.source.data import data_folder

FOLDER = "layouts"
"""The folder of the shipped templates."""
ENDING = ".typ"
MAX_FILES, MAX_SIZE = 500, 64 * 1024 * 1024
"""The most files, and bytes of all, that a folder of templates may have."""
PPI = 300.0
"""The dots of an image in an inch."""
_PLACE = re.compile(r"┌─ (.*?):(\d+):(\d+)$", re.MULTILINE)
_NOWHERE = "http://127.0.0.1:9"
"""An address without a server, as the proxy for the packages that the compiler would fetch."""
_PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
_UNPROXIED = ("NO_PROXY", "no_proxy")

PageFormat = Literal["pdf", "svg", "png"]
"""A form of pages."""


class LayoutError(Exception):
    """The template cannot be laid out; the message gives the place and the reason."""


def missing() -> str:
    """Return a line that names the missing libraries; empty if none is missing."""
    return "" if find_spec("typst") is not None else "this needs typst: pip install 'warchest[print]'"


def shipped_templates() -> list[Path]:
    """Return the templates that come with the package, by name."""
    return sorted(data_folder(FOLDER).glob(f"*{ENDING}"))


@dataclass(frozen=True, slots=True)
class PrintedPages:
    """Pages of some form, each as a file (a PDF is one file), and the cards on which a part has no room.

    The cards are given by name, with the part that is cut off or left out: the `text` or the `drawing`.
    """

    files: tuple[bytes, ...]
    overflowing: tuple[tuple[str, str], ...] = ()


@dataclass
class Templates:
    """The templates in use: the shipped ones; files of a `folder` replace them, and a single file replaces `main`."""

    folder: Path | None = None
    single: Path | None = None
    _origins: dict[str, Path] = field(default_factory=dict, init=False, repr=False)

    def laid_out(self, main: str, data: Mapping[str, object], form: PageFormat, ppi: float = PPI) -> PrintedPages:
        """Return the pages that a template makes of data; raises LayoutError with the place of a fault.

        The same data and templates give the same bytes.
        """
        with self._together(main) as root, _fetching_nothing():
            return self._compiled(root, main, data, form, ppi)

    def _compiled(
        self, root: Path, main: str, data: Mapping[str, object], form: PageFormat, ppi: float
    ) -> PrintedPages:
        import typst

        nothing = root / ".packages"
        try:
            compiler = typst.Compiler(
                root / main,
                root=root,
                font_paths=[root],
                ignore_system_fonts=True,
                sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
                package_path=nothing,
                package_cache_path=nothing,
            )
            made = compiler.compile(format=form, ppi=ppi)
            over = json.loads(compiler.query("<overflow>", field="value"))
        except (typst.TypstError, RuntimeError) as error:
            raise LayoutError(self._fault(root, main, error)) from None
        files = made if isinstance(made, list) else [made]
        told = dict.fromkeys((str(one.get("name")), str(one.get("what"))) for one in over if isinstance(one, dict))
        return PrintedPages(tuple(one for one in files if one is not None), tuple(told))

    # ---- the folder of one run

    @contextmanager
    def _together(self, main: str) -> Iterator[Path]:
        """Make a folder of all templates while the block runs."""
        with TemporaryDirectory(prefix="warchest-print-") as made:
            root = Path(made).resolve()
            self._origins = {}
            for file in shipped_templates():
                self._take(root, file.name, file)
            for name, file in self._own_files:
                self._take(root, name, file)
            if self.single is not None:
                self._take(root, main, self.single)
            yield root

    def _take(self, root: Path, name: str, file: Path) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, root / name)
        self._origins[name] = file

    @cached_property
    def _own_files(self) -> Sequence[tuple[str, Path]]:
        """The files in the folder with their names in it; no link is followed. Raises LayoutError if it is too large."""
        found: list[tuple[str, Path]] = []
        size = 0
        for path, folders, files in os.walk(self.folder or os.devnull):
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for file in (Path(path, name) for name in sorted(files)):
                if file.is_symlink() or not file.is_file():
                    continue
                size += file.stat().st_size
                found.append((str(file.relative_to(self.folder or path)), file))
                if len(found) > MAX_FILES or size > MAX_SIZE:
                    most = f"at most {MAX_FILES} files, and {MAX_SIZE // 2**20} MiB of them"
                    raise LayoutError(f"{self.folder}: a folder of templates has {most}")
        return found

    # ---- faults

    def _fault(self, root: Path, main: str, error: Exception) -> str:
        """Return the words of an error of the compiler in one line, after its place in the faulty file."""
        said = str(getattr(error, "message", "") or error).strip() or type(error).__name__
        hints = [str(one) for one in getattr(error, "hints", ()) or ()]
        hints = [one for one in hints if "--" not in one]  # options of Typst's own command
        if "package" in said and ("download" in said or "not found" in said):
            said, hints = "a template cannot use packages, because nothing is fetched", ["put the files beside it"]
        said = "; ".join([said.replace(f"{root}{os.sep}", "").splitlines()[0], *hints])
        for found in _PLACE.finditer(str(getattr(error, "diagnostic", ""))):
            place = Path(found[1])
            name = os.path.relpath(place, root) if place.is_absolute() else found[1]
            file = self._origins.get(name) or self._origins.get(place.name)
            if file is not None:
                return f"{file}:{found[2]}:{found[3]}: {said}"
        return f"{self._origins.get(main, main)}: {said}"


@contextmanager
def _fetching_nothing() -> Iterator[None]:
    """Block the compiler's network access while the block runs: it would fetch packages that it has no copy of."""
    before = {name: os.environ.get(name) for name in (*_PROXIES, *_UNPROXIED)}
    os.environ.update(dict.fromkeys(_PROXIES, _NOWHERE))
    for name in _UNPROXIED:
        os.environ.pop(name, None)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
