"""docs/reference/limits.md is true, and the names in SECURITY.md exist."""

from __future__ import annotations

import re

import pytest
from docs_support import ROOT

from warchest.engine import choices, options, runs
from warchest.lowering import layout
from warchest.native import code_places, compiled, definitions, size_bounds
from warchest.resolve.resolve import MAX_FINDINGS
from warchest.source import cache, limits

BOUNDS = {
    "a file of cards, a position, a script": f"{limits.MAX_BYTES >> 20} MiB",
    "a replay": f"{limits.MAX_REPLAY >> 20} MiB",
    "a replay as a page": f"{limits.MAX_PAGE >> 20} MiB",
    "characters of all files that are read at once": f"{limits.MAX_TEXT >> 20} Mi",
    "YAML files that are read at once": limits.MAX_FILES,
    "files and folders that are searched for them": limits.MAX_ENTRIES,
    "patterns of a `.gitignore` or `.wc-lint-ignore`": limits.MAX_PATTERNS,
    "documents that are read at once": limits.MAX_DOCUMENTS,
    "lists and mappings within each other": limits.MAX_DEPTH,
    "characters of all texts of rules": limits.MAX_RULES,
    "sentences of all texts of rules": limits.MAX_SENTENCES,
    "things, fields, zones, kinds of document and keys of positions of a game with its packs": limits.MAX_DECLARED,
    "limits such as `once a round`, and texts such as `until the end of the turn, …`, in all texts of rules": (
        f"{limits.MAX_LIMITS} each"
    ),
    "boards of a game": limits.MAX_BOARDS,
    "spaces of a board": limits.MAX_SPACES,
    "seats of a board": limits.MAX_SEATS,
    "lines of a script": limits.MAX_LINES,
    "characters of a line of a script": limits.MAX_LINE,
    "times that lines of a script are tried again": limits.MAX_TRIES,
    "words and signs of a sentence": limits.MAX_TOKENS,
    "digits of a number": limits.MAX_DIGITS,
    "phrases and clauses within each other": limits.MAX_PHRASES,
    "sets within each other": limits.MAX_SETS,
    "definitions that are used within each other, one by the next": limits.MAX_WITHIN,
    "definitions that a sentence unfolds into": limits.MAX_UNFOLDED,
    "definitions that all texts together unfold into": limits.MAX_UNFOLDED_IN_ALL,
    "findings that are shown": f"{limits.MAX_FINDINGS}, and `… more`",
    "records of one kind": f"{cache.MOST_BYTES >> 20} MiB in {cache.MOST_RECORDS:,} files, those unused longest are deleted",
    "days since a record was last used": cache.MOST_DAYS,
    "findings in one text of rules; the rest of the text is not read": MAX_FINDINGS,
    "operations from one decision to the next": runs.BUDGET,
    "operations for one question, including look-ahead": runs.ENOUGH,
    "options of one decision": options.TOO_MANY,
    "trials within each other": runs.TRIALS,
    "tokens of one kind in one place": limits.MAX_OF_A_KIND,
    "pieces at once on a board whose document does not say `pieces:`": (
        f"{layout.ROOM}, and {layout.ROOM_EACH} for each seat"
    ),
    "pieces at once on any board": limits.MAX_PIECES,
    "cells for the variables of a text; a list of tokens takes two for each document that is read": (
        definitions.MOST_PLACES
    ),
    "cells of the memory of a game": size_bounds.MOST_CELLS,
    "candidates of one choice": size_bounds.MOST_CANDIDATES,
    "waiting hooks at one time": code_places.HOOKS,
    "options of a decision that are listed natively": compiled.MOST_OPTIONS,
    "steps of a trail": definitions.DEEP,
    "a number of a piece, a place or a player, above or below zero": definitions.LARGEST,
    "characters of C in one unit": size_bounds.MOST_OF_UNIT,
    "characters of C for a game": size_bounds.MOST_OF_CODE,
    "hooks on one event whose possible orders are compared": choices.MANY_HOOKS,
}


def test_bounds_are_those_of_the_program() -> None:
    page = (ROOT / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", page, re.MULTILINE))
    del rows["Bound"]
    assert rows == {what: bound if isinstance(bound, str) else f"{bound:,}" for what, bound in BOUNDS.items()}


def test_every_bound_of_the_readers_is_listed() -> None:
    named = {name for name in vars(limits) if name.startswith("MAX_")}
    text = (ROOT / "tests" / "docs" / "test_limits.py").read_text(encoding="utf-8")
    assert named == set(re.findall(r"limits\.(MAX_\w+)", text))


@pytest.mark.parametrize("name", re.findall(r"`(tests/[\w/.]+)`", (ROOT / "SECURITY.md").read_text(encoding="utf-8")))
def test_tests_that_are_named_are_there(name: str) -> None:
    assert (ROOT / name).is_file()
