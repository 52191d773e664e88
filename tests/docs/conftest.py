"""A fixture for the tests of this folder."""

import pytest

from warchest import parallel


@pytest.fixture
def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands do all their work here, as on one processor; equal results on several are tested elsewhere."""
    monkeypatch.setattr(parallel, "processors", lambda: 1)
