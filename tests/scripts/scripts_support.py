"""Running scripts for the second game, and their outcomes."""

from __future__ import annotations

from functools import lru_cache

from loaded import shipped
from warchest import Game, State
from warchest.scripts.line_script import ScriptResult, run_script
from warchest.source.text import Source

FIELD = "P1 Foot@d4n 3/9/5 dmg=2\nP1 Friend@f3n 1/3/3 Aid(Protection 2)\nP2 Foe@d6s 1/4/3\n"
"""Three lines that most cases begin with."""
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
    ("P1 Foot@z4n 3/4/5", "unreadable-line", 1, 9, "a space (a1 to h8)"),
    ("P1 Foot@d4q 3/4/5", "unreadable-line", 1, 11, "a direction (n e s w)"),
    ("P1 Foot@d4n 3/4/5\nchest P1 i0", "unreadable-line", 2, 10, "a space (a1 to h8)"),
    ("P1 Foot@d4n 3/4", "unreadable-line", 1, 16, "`/`"),
    ("P1 Foot@d4n", "unreadable-line", 1, 12, "a number"),
    ("turn P9", "unreadable-line", 1, 6, "a player"),
    ("tern P1", "unreadable-line", 1, 1, "did you mean `turn`?"),
    # positions that cannot be
    (FIELD + "P1 Two@d4n 1/1/1", "impossible-position", LINE, 8, ""),
    (FIELD + "chest P1 d4", "impossible-position", 1, 9, ""),
    (FIELD + "P1 Foot@a3n 1/1/1", "impossible-position", LINE, 1, ""),
    (FIELD + "P1 Two@a3n 1/1/1 Backstab(1) Backstab(2)", "impossible-position", LINE, 30, ""),
    (FIELD + "P1 Two@a3n 1/1/1 dmg=1", "impossible-position", LINE, 8, ""),
    (FIELD + "controlled Foe by P1 via Foot", "impossible-position", LINE, 26, ""),
    (FIELD + "controlled Fow by P1 via Foot", "impossible-position", LINE, 1, ""),
    # repetitions
    ("P1 Foot@d4n 3/4/5 dmg=1 dmg=2", "impossible-position", 1, 25, "take one of the two out"),
    ("P1 Foot@d4n 3/4/5 disabled disabled", "impossible-position", 1, 28, "take one of the two out"),
    (FIELD + "turn P1\nturn P2", "impossible-position", LINE + 1, 6, "take one of the two out"),
    (FIELD + "opening\nopening", "impossible-position", LINE + 1, 1, "take one of the two out"),
    (FIELD + "chest P1 a2\nchest P1 a3", "impossible-position", LINE + 1, 10, "take one of the two out"),
    (FIELD + "pool P1 Undead 2 Undead 3", "impossible-position", LINE, 25, "take one of the two out"),
    # lines in the wrong place
    ("> end", "misplaced-line", 1, 3, "begin with lines of the position"),
    (FIELD + "| aid Friend -> Foe", "misplaced-line", LINE, 3, "after a line with"),
    (FIELD + "= Foot dmg 2\n| aid Friend -> Foe", "misplaced-line", LINE + 1, 3, "after a line with"),
    (FIELD + ">", "misplaced-line", LINE, 2, ""),
    # acts
    (FIELD + "> mov Foot F", "unreadable-line", LINE, 3, "did you mean `move`?"),
    (FIELD + "> move Fooot F", "unreadable-line", LINE, 8, "did you mean `Foot`?"),
    (FIELD + "> move Foot", "unreadable-line", LINE, 12, "a step"),
    (FIELD + "> move Foot@a9 F", "unreadable-line", LINE, 13, "did you mean `a1`?"),
    (FIELD + "> move Foot@ F", "unreadable-line", LINE, 13, ""),
    (FIELD + "> move Foot F Q", "unreadable-line", LINE, 15, ""),
    (FIELD + "> aid Friend Foe", "unreadable-line", LINE, 14, "`->`"),
    (FIELD + "> rest Foot now", "unreadable-line", LINE, 13, ""),
    (FIELD + "> rest Friend", "refused-line", LINE, 3, "a figure cannot rest unless its damage is at least 1"),
    (FIELD + "> move Foot F F F", "refused-line", LINE, 17, "a line of its own"),
    (FIELD + "> move Foot L F F F F", "refused-line", LINE, 21, "on offer to P1"),
    (FIELD + "> move Foot R R R R", "refused-line", LINE, 3, "this must not be fruitless"),
    (FIELD + "> move Foot F F target Friend", "refused-line", LINE, 17, "on offer to P1: halt: Foot d5"),
    (FIELD + "> move Foot F by Friend", "refused-line", LINE, 15, "on offer to P1: move: Foot d4, turn to e"),
    (FIELD + "> move Foot F\n| aid Friend -> Foe", "refused-line", LINE + 1, 3, "must be asked before"),
    (FIELD + "! move Foot F", "not-refused", LINE, 3, ""),
    (FIELD + "> move Foot F F\n| eid Friend -> Foe", "unreadable-line", LINE + 1, 3, "did you mean `aid`?"),
    # assertions
    (FIELD + "= Foot dmg", "unreadable-line", LINE, 11, "a number"),
    (FIELD + "= Foot dgm 2", "unreadable-line", LINE, 8, "did you mean `dmg`?"),
    (FIELD + "= Foof dmg 2", "unreadable-line", LINE, 3, "did you mean `Foot`?"),
    (FIELD + "= nonsense", "unreadable-line", LINE, 3, "`actions`"),
    (FIELD + "= Foot", "unreadable-line", LINE, 3, "it can be followed by `@<space at><direction facing>`"),
    (FIELD + "= Foe def 4 Foot", "unreadable-line", LINE, 13, "it can be followed by"),
    (FIELD + "= pool P1", "unreadable-line", LINE, 3, "`<class x> <number n>`"),
    (FIELD + "= Foot lacks Escap", "unreadable-line", LINE, 14, "did you mean `Escape`?"),
    (FIELD + "= Foot dmg 2 atk 9 def 1", "wrong-assertion", LINE, 14, ""),
]
"""The answer to a faulty script: the finding, its line and column, and some of its help."""


@lru_cache(maxsize=1)
def game() -> Game:
    return shipped("unigames")


def run(text: str) -> ScriptResult:
    source = Source("case.script", text)
    return run_script(game(), source.span(0, len(source.text)))


def holds(text: str) -> State:
    """Run a script that holds, and return the state it leads to."""
    result = run(text)
    assert result.finding is None, result.finding
    assert result.state is not None
    return result.state


def stops(text: str) -> tuple[str, int, int]:
    """Run a script that does not hold: the kind of finding, and its line and column."""
    finding = run(text).finding
    assert finding is not None and finding.span is not None
    return finding.name, finding.span.line, finding.span.column
