"""The size of the house only falls: counts of lines, of names, of chains of classes, and of places left unformatted."""

from __future__ import annotations

import ast

import pytest
import size

pytestmark = pytest.mark.quick

MOST = {
    "source lines": 106_681,
    "source lines without server and studio": 99_421,
    "module names that several modules have": 1,
    "classes in the longest chain of bases": 5,
    "methods that only announce": 2,
    "places that the formatter leaves alone": 0,
    "`Any` in annotations": 486,
    "modules that name a part of the IR (median)": 5,
}
"""The most of each; a change that lowers a count lowers the number here, too."""
SLACK = 300
"""How many lines fewer than the number there may be."""


def too_many(counts: dict[str, int], most: dict[str, int]) -> dict[str, int]:
    """The counts above their number."""
    return {what: count for what, count in counts.items() if count > most[what]}


def too_loose(counts: dict[str, int], most: dict[str, int]) -> dict[str, int]:
    """The counts so far below their number that it has to be lowered."""
    return {what: count for what, count in counts.items() if count < most[what] - (SLACK if "lines" in what else 0)}


def test_no_count_rises() -> None:
    assert too_many(size.counts(), MOST) == {}, "take something away for what has come"


def test_no_number_is_looser_than_its_count() -> None:
    assert too_loose(size.counts(), MOST) == {}, "lower the number in MOST"


def test_both_are_found() -> None:
    assert too_many({"source lines": 12}, {"source lines": 11}) == {"source lines": 12}
    assert too_loose({"methods that only announce": 12}, {"methods that only announce": 13})
    assert not too_loose({"source lines": 99_250}, {"source lines": 99_550})


def test_it_counts_by_its_description() -> None:
    tree = ast.parse("def f(one: dict[str, Any], two: Any) -> 'Any': three: Any = 1")
    found = [one for annotation in size.annotations(tree) for one in ast.walk(annotation)]
    assert sum(isinstance(one, ast.Name) and one.id == "Any" for one in found) == 3
    first, *_, last = size.deepest()
    assert (first, last) == ("PropertyParaphrase", "Phrases") and set(size.source_lines()) > {"engine", "native", "."}
    assert all(len(folders) > 1 for folders in size.named_alike().values())
