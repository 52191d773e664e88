"""Findings: one small file each, in the folders of its kind and game, tried again in every test run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from attack.cases import Case

FOUND = Path(__file__).parent / "found"


def keep(folder: Path, case: Case, sort: str) -> Path:
    """Write a case into a folder of its own, below that of its kind and its game; return the file."""
    short = re.sub(r"[^a-z0-9]+", "-", sort.lower()).strip("-")[:48]
    slug = f"{short}-{sha256(case.data).hexdigest()[:6]}"
    file = folder / case.kind / case.game / slug / case.name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(case.data)
    return file


def kept(folder: Path = FOUND) -> Iterator[Case]:
    """Yield all cases that were kept in a folder."""
    for file in sorted(folder.glob("*/*/*/**/*")):
        if file.is_file():
            kind, game, slug, *name = file.relative_to(folder).parts
            yield Case(kind, game, "/".join(name), file.read_bytes(), slug)
