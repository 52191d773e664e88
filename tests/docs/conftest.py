"""A fixture for the tests of this folder, and the path to their helper, whatever folder pytest is started in."""

import sys
from pathlib import Path

import pytest

from warchest import parallel

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands do all their work here, as on one processor; that several come to the same is tested with them."""
    monkeypatch.setattr(parallel, "processors", lambda: 1)
