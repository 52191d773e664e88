"""The pages about findings agree with the table of codes and with `wc-lint explain`."""

from __future__ import annotations

import pytest
from findings_support import FOLDER, pages

pytestmark = pytest.mark.quick


def test_the_pages_are_up_to_date() -> None:
    assert {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()} == pages()
