"""Options for one act with the same things differ in their data, also if one of them is a part of another act."""

from __future__ import annotations

from pathlib import Path

import warchest

MARCH = """words: March words
source: our own
verbs: {march: {by: unit}}
---
action: March
source: our own
rules: |
  to use a coin: discard the coin faceup, then an own unit of its type marches.
  to march: move, then move.
"""
POSITION = {
    "to_act": "raven",
    "initiative": "raven",
    "units": [{"at": "f3", "unit": "Scout", "owner": "raven"}],
    "hand": {"raven": ["Scout"], "wolf": ["Royal Coin"]},
}


def test_a_step_within_another_act_has_data_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "march.yaml").write_text(MARCH, encoding="utf-8")
    state = warchest.load("war-chest", extra=[tmp_path]).position(POSITION)
    assert state.decision is not None
    told = [str(option.data) for option in state.decision.options]
    assert len(told) == len(set(told)) == 14
