"""Every operation that values and conditions are lowered to has words, and a text for the machines that meet it."""

from __future__ import annotations

from warchest.engine import evaluation, probed_machine
from warchest.lowering.operations import WORDS
from warchest.lowering.probes import NOTING
from warchest.native import expressions

LISTED = {"beside", "everywhere"}
"""Only the reference machine finds these."""


def test_every_operation_has_words_and_texts() -> None:
    noting = {*probed_machine._ProbedWriter.plain} - evaluation.TEXTS.keys()
    c = {*expressions.C_TEXTS, *expressions.WRITTEN}
    assert noting == NOTING == c & NOTING
    python, c = {*evaluation.TEXTS, *evaluation.WRITTEN}, c - NOTING
    assert python | c == WORDS.keys()
    loops = {"ray", "tokens", "everyone"}
    assert WORDS.keys() - c == LISTED | loops
    assert WORDS.keys() - python == {
        "listed spaces",
        "spaces apart",
        "spaces in line",
        "spaces in direction",
        "occupied",
        "reached",
        "pieces in",
    }
