"""Bounds of work: sentences that are too deep are findings, and work beyond the budget ends with its clause."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from lint_support import lint_text, tactic, usual_texts

import warchest
from machine.machine_support import card, game, position, take
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.engine import runs
from warchest.engine.choices import MANY_HOOKS
from warchest.engine.runs import EndlessError
from warchest.lint.wc_lint import findings_in
from warchest.source.limits import MAX_PHRASES, MAX_SETS, MAX_WITHIN

NEAR = " adjacent to a space"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


WORDS = [f"q{one}{two}" for one in LETTERS for two in LETTERS if one != two][:120]


def chained(folder: Path, length: int) -> list[Diagnostic]:
    """Return the findings in a chain of definitions, each using the next one, in the game's own texts."""
    told = [f"a unit is {word} when it is not {after}." for word, after in pairwise(WORDS[:length])]
    lines = "\n  ".join([*told, f"a unit is {WORDS[length - 1]} when it is not bolstered."])
    (folder / "words.yaml").write_text(f"words: Chain\nsource: a test\nadjectives: [{', '.join(WORDS)}]\n")
    (folder / "rules.yaml").write_text(f"action: Chain\nsource: a test\nrules: |\n  {lines}\n")
    return findings_in([folder], usual_texts())


@pytest.mark.parametrize("more", [1, 4, 13, 40])
def test_nested_descriptions_of_things_are_refused_where_they_are_too_deep(tmp_path: Path, more: int) -> None:
    deep = MAX_SETS - 1
    assert lint_text(tmp_path, tactic(f"if a unit is on a space{NEAR * (deep - 1)}, attack.")) == []
    (found,) = lint_text(tmp_path, tactic(f"if a unit is on a space{NEAR * (deep - 1 + more)}, attack."))
    assert found.name == "nesting-too-deep" and re.search(f"more than ({MAX_SETS} deep|{MAX_PHRASES})", found.message)
    assert found.span is not None and found.help


def test_a_chain_of_definitions_is_refused_where_it_is_too_long(tmp_path: Path) -> None:
    fitting = [one for one in chained(tmp_path, MAX_WITHIN - 2) if one.severity == "error"]
    assert fitting == []
    for length in (MAX_WITHIN + 5, 110):
        found = [one for one in chained(tmp_path, length) if one.severity == "error"]
        assert {one.name for one in found} == {"nesting-too-deep"}
        assert all(f"more than {MAX_WITHIN} long" in one.message and one.help for one in found)


def test_a_sentence_is_refused_that_is_too_deep(tmp_path: Path) -> None:
    """Steps nested too deep to follow, also for readers of the tree."""
    told = "for each unit, " * 10 + "it may move."
    assert lint_text(tmp_path, tactic(told)) == []
    found = lint_text(tmp_path, tactic("for each unit, " * 60 + "it may move."))
    assert [one.name for one in found] == ["nesting-too-deep"] and f"more than {MAX_PHRASES}" in found[0].message


COSTLY = card("Gong", attribute=f"you cannot pass while no unit is on a space{NEAR * 3} exactly 20 spaces of this.")


def test_the_cost_of_searching_sets_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    state = game(COSTLY).position(position("Gong f4, Cavalry f5", "Gong, Royal Coin", "Royal Coin"))
    before = state.position()
    monkeypatch.setattr(runs, "ENOUGH", 20)
    for _ in range(2):
        with pytest.raises(EndlessError, match=r'too many ways to go on: ".*" .*yaml:[0-9]+:[0-9]+'):
            take(state, act="move", unit="f4", to="e4")
        assert state.position() == before
    with pytest.raises(warchest.PositionError, match="too many ways to go on"):
        game(COSTLY).position(before)
    monkeypatch.undo()
    take(state, act="move", unit="f4", to="e4")


def test_many_hooks_on_one_event_are_answered_soon() -> None:
    """Whether their order matters is explored within the budget; beyond it the player who orders them is asked."""
    begun = process_time()
    for does, count, asked in (
        ("the initiative becomes fresh", MANY_HOOKS, False),
        ("the initiative becomes fresh", MANY_HOOKS + 1, True),
        ("this attacks an enemy unit", 200, True),
    ):
        gong = card(
            "Gong",
            attribute="\n".join(
                f"after this moves, if the number of units is at most {30 + number}, {does}." for number in range(count)
            ),
        )
        state = game(gong).position(position("Gong f4, wolf Archer c4", "Gong, Royal Coin"))
        take(state, act="move", unit="f4", to="f5")
        assert state.decision is not None
        assert (state.decision.options[0].data["act"] == "first") is asked
    assert process_time() - begun < 15
