"""Lower budgets for rules that never end, so that nobody waits for a machine to give up."""

from __future__ import annotations

import pytest

from warchest.engine import choices
from warchest.engine import state as run


def lower_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower all budgets of the reference machine to a twentieth."""
    for module, name in ((run, "BUDGET"), (choices, "BUDGET"), (run, "PATIENCE"), (run, "ENOUGH")):
        monkeypatch.setattr(module, name, getattr(module, name) // 20)
