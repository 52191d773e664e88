"""`wc-lint explain`: every code is explained, and every example is as described."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from lint_support import CARD, codes, lint_among, sound

from linted import usual_texts
from warchest.diagnostics.codes import GAPS, TABLE
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.explanations import explain, explanations, listing
from warchest.lint.fixing.fix_trial import lint_and_try
from warchest.lint.jobs import jobs
from warchest.lint.wc_lint import main

BY_CODE = {row.code: row for row in TABLE}
SHOWN = {code: told for code, told in explanations().items() if told.bad}


def test_every_code_is_explained_and_nothing_else() -> None:
    assert sorted(explanations()) == sorted(BY_CODE)
    for code, told in explanations().items():
        assert told.advice.endswith("."), code
        assert bool(told.good) or not told.bad, code


def test_every_code_of_the_language_has_examples() -> None:
    wanted = {code for code in BY_CODE if code[2] in "234" or code in ("WC020", "WC021")}
    assert wanted <= set(SHOWN)


def findings(folder: Path, text: str, others: Iterable[str]) -> list[Diagnostic]:
    """The findings in an example, linted together with those that are named alike, or with those named otherwise.

    A game of its own is linted by itself, and so are all but the first of two that are named alike otherwise.
    """
    usual, named = CARD.partition("\n")[0], {}
    for other in others:
        named.setdefault(other.partition("\n")[0], other)
    if text.startswith(f"{usual}\n"):
        return lint_among(folder, text, others)
    apart = [one for first, one in named.items() if first != usual and "game: " not in one]
    return lint_among(folder, text, apart, named="")


@pytest.mark.parametrize("code", SHOWN)
def test_the_bad_example_is_found_fault_with(code: str, tmp_path: Path) -> None:
    found = findings(tmp_path, SHOWN[code].bad, [one.bad for one in SHOWN.values()])
    sound(found)
    assert BY_CODE[code].name in codes(found)


@pytest.mark.parametrize("code", [code for code in explanations() if explanations()[code].good])
def test_the_good_example_has_no_findings(code: str, tmp_path: Path) -> None:
    good = [one.good for one in explanations().values() if one.good]
    assert findings(tmp_path, explanations()[code].good, good) == []


def test_every_gap_between_codes_is_explained() -> None:
    numbers = [int(row.code[2:]) for row in TABLE]
    assert numbers == sorted(numbers)
    missing = {
        f"WC{number:03}"
        for one, other in pairwise(numbers)
        if one // 100 == other // 100
        for number in range(one + 1, other)
    }
    assert missing == set(GAPS)


# There are several ways to correct the examples of these codes.
SEVERAL = ("WC201", "WC209")
OF_SETS = ("WC107", "WC223", "WC224", "WC225")
"""The codes whose examples need the whole game."""


@pytest.mark.parametrize("code", [code for code, told in SHOWN.items() if told.fix and code not in SEVERAL])
def test_every_promised_fix_is_made(code: str, tmp_path: Path) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(SHOWN[code].bad, encoding="utf-8")
    (job,) = jobs([file], None if code in OF_SETS else usual_texts(), ())
    fixes = [one.fix for one in lint_and_try(job).findings if one.code == code and one.fix is not None]
    assert [one.is_safe for one in fixes[:1]] == [SHOWN[code].fix == "safe"]


def test_a_code_is_explained_by_number_and_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "wc204"]) == main(["explain", "no-antecedent"]) == 0
    first, second = capsys.readouterr().out.split("WC204 no-antecedent (error)\n")[1:]
    assert first == second and "A text with this finding:" in first and "Better:" in first


def test_an_unknown_code_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "WC9999"]) == 2
    assert "there is no code `WC9999`" in capsys.readouterr().err


def test_all_codes_are_listed() -> None:
    assert [line.split()[0] for line in listing().splitlines()] == sorted(BY_CODE)
    assert all(explain(code) for code in BY_CODE)
