"""Lower budgets for rules that never end, so that no test waits long for a machine to give up."""

from __future__ import annotations

import pytest

from warchest.engine import choices, runs


def lower_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower all budgets of the reference machine to a twentieth."""
    for module, name in ((runs, "BUDGET"), (choices, "BUDGET"), (runs, "PATIENCE"), (runs, "ENOUGH")):
        monkeypatch.setattr(module, name, getattr(module, name) // 20)
