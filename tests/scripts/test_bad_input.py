"""What a script that is wrong gets: the kind of finding, its line and its column, and what to do."""

from __future__ import annotations

import pytest
from scripts_support import FIELD, game, run, stops

from warchest.scripts.script import run_script
from warchest.source.text import Source

LINE = len(FIELD.splitlines()) + 1
WRONG = [
    # figures
    ("P1 Foot@d4n 3/4/5 Blacklash(2)", "unreadable-line", 1, 19, "did you mean `Backlash`?"),
    ("P1 Foot@d4n 3/4/5 Backlash", "unreadable-line", 1, 19, "`Backlash(<number x>)`"),
    ("P1 Foot@d4n 3/4/5 Backlash(1/2)", "unreadable-line", 1, 28, "`Backlash(<number x>)`"),
    ("P1 Foot@d4n 3/4/5 Backlash(2", "unreadable-line", 1, 19, "`Backlash(<number x>)`"),
    ("P1 Foot@d4n 3/4/5 Missile(3)", "unreadable-line", 1, 27, "`Missile(<number x>/<number y>)`"),
    ("P1 Foot@d4n 3/4/5 Fear(2)", "unreadable-line", 1, 19, "write `Fear`"),
    ("P1 Foot@d4n 3/4/5 Fear\nP1 Foe@e4n 1/1/1 dgm=2", "unreadable-line", 2, 18, "here can stand `dmg=`"),
    ("P1 Foot@d4n 3/4/5 Bogus(2)", "unreadable-line", 1, 19, "there are"),
    ("P1 Foot@d4n 3/4/5 disabld", "unreadable-line", 1, 19, "did you mean `disabled`?"),
    ("P1 Foot@d4n 3/4/5 dmg=x", "unreadable-line", 1, 23, "here can stand a number"),
    ("P1 Foot@d4n 3/4/5 dmg=", "unreadable-line", 1, 23, "here can stand a number"),
    ("P1 Foot@d4n 3/4/5 class=undead", "unreadable-line", 1, 25, "here can stand a class"),
    ("P3 Foot@d4n 3/4/5", "unreadable-line", 1, 1, "did you mean `P1`?"),
    ("P1 Foot@z4n 3/4/5", "unreadable-line", 1, 9, "a space"),
    ("P1 Foot@d4q 3/4/5", "unreadable-line", 1, 11, "a direction"),
    ("P1 Foot@d4n 3/4", "unreadable-line", 1, 16, "`/`"),
    ("P1 Foot@d4n", "unreadable-line", 1, 12, "a number"),
    ("turn P9", "unreadable-line", 1, 6, "a player"),
    ("tern P1", "unreadable-line", 1, 1, "did you mean `turn`?"),
    # positions that cannot be
    (FIELD + "P1 Two@d4n 1/1/1", "impossible-position", LINE, 8, ""),
    (FIELD + "chest P1 d4", "impossible-position", 1, 9, ""),
    (FIELD + "P1 Foot@a3n 1/1/1", "impossible-position", LINE, 1, ""),
    # lines in the wrong place
    ("> end", "misplaced-line", 1, 3, "begin with lines that tell of the position"),
    (FIELD + "| aid Friend -> Foe", "misplaced-line", LINE, 3, "behind a line with"),
    (FIELD + "= Foot dmg 2\n| aid Friend -> Foe", "misplaced-line", LINE + 1, 3, "behind a line with"),
    (FIELD + ">", "misplaced-line", LINE, 2, ""),
    # what is done
    (FIELD + "> mov Foot F", "unreadable-line", LINE, 3, "did you mean `move`?"),
    (FIELD + "> move Fooot F", "unreadable-line", LINE, 8, "did you mean `Foot`?"),
    (FIELD + "> move Foot", "unreadable-line", LINE, 12, "a step"),
    (FIELD + "> move Foot F Q", "unreadable-line", LINE, 15, ""),
    (FIELD + "> aid Friend Foe", "unreadable-line", LINE, 14, "`->`"),
    (FIELD + "> rest Foot now", "unreadable-line", LINE, 13, ""),
    (FIELD + "> rest Friend", "refused-line", LINE, 3, "a figure cannot rest unless it is hurt"),
    (FIELD + "> move Foot F F F", "refused-line", LINE, 17, "a line of its own"),
    (FIELD + "> move Foot L F F F F", "refused-line", LINE, 21, "on offer to P1"),
    (FIELD + "> move Foot R R R R", "refused-line", LINE, 3, "this must not be fruitless"),
    (FIELD + "> move Foot F F target Friend", "refused-line", LINE, 17, "on offer to P1: halt: Foot d5"),
    (FIELD + "> move Foot F by Friend", "refused-line", LINE, 15, "on offer to P1: move: Foot d4, turn to e"),
    (FIELD + "> move Foot F\n| aid Friend -> Foe", "refused-line", LINE + 1, 3, "must be asked before"),
    (FIELD + "! move Foot F", "not-refused", LINE, 3, ""),
    (FIELD + "> move Foot F F\n| eid Friend -> Foe", "unreadable-line", LINE + 1, 3, "did you mean `aid`?"),
    # what is said to hold
    (FIELD + "= Foot dmg", "unreadable-line", LINE, 11, "a number"),
    (FIELD + "= Foot dgm 2", "unreadable-line", LINE, 8, "did you mean `dmg`?"),
    (FIELD + "= Foof dmg 2", "unreadable-line", LINE, 3, "did you mean `Foot`?"),
    (FIELD + "= nonsense", "unreadable-line", LINE, 3, "`actions`"),
    (FIELD + "= Foot lacks Escap", "unreadable-line", LINE, 14, "did you mean `Escape`?"),
    (FIELD + "= Foot dmg 2 atk 9 def 1", "wrong-assertion", LINE, 14, ""),
]


@pytest.mark.parametrize(("text", "name", "line", "column", "help"), WRONG, ids=[one[0][-30:] for one in WRONG])
def test_what_is_found(text: str, name: str, line: int, column: int, help: str) -> None:
    assert stops(text) == (name, line, column)
    finding = run(text).finding
    assert finding is not None and help in finding.help and finding.message


def test_only_the_first_line_that_does_not_hold_is_told_of() -> None:
    result = run(FIELD + "= Foot dmg 2\n= Foot dmg 3\n= nonsense")
    assert result.finding is not None and result.finding.span is not None
    assert (result.finding.span.line, result.lines) == (LINE + 1, LINE)


def test_an_empty_script_holds() -> None:
    assert run("").finding is None and run("# nothing\n\n").lines == 0


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one(end: str) -> None:
    assert stops((FIELD + "= Foot dmg 9").replace("\n", end)) == ("wrong-assertion", LINE, 8)


@pytest.mark.parametrize("text", ["=", "P1", "P1 \x00", "> " * 50, "<" * 200, "P1 A@d4n 3/4/5 " + "(" * 300, "=" * 99])
def test_odd_texts_are_findings_too(text: str) -> None:
    source = Source("odd", FIELD + text)
    assert run_script(game(), source.span(0, len(source.text))).finding is not None
