"""Lets the tests of this folder import their shared helper, and reads each shipped file once, to save time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from warchest.documents import load as loading
from warchest.documents.schemas import Schemas, read_schemas

sys.path.insert(0, str(Path(__file__).parent))
CARDS = Path(__file__).resolve().parents[2] / "cards"


@pytest.fixture(scope="session", autouse=True)
def shipped_files_are_read_once() -> Iterator[None]:
    read = loading._load_file

    @lru_cache(maxsize=None)
    def shipped(file: Path) -> loading.Library:
        library = loading.Library()
        read(file, read_schemas(), library)
        return library

    def load_file(file: Path, schemas: Schemas, library: loading.Library) -> None:
        if CARDS not in file.parents:
            read(file, schemas, library)
            return
        known = shipped(file)
        library.documents += known.documents
        library.findings += known.findings
        library.sources += known.sources
        library.left_out |= known.left_out

    loading._load_file = load_file
    yield
    loading._load_file = read
