"""Changes of one thing are drawn; a planted fault is noticed, and what makes no difference survives."""

from __future__ import annotations

import ast

import pytest

from mutation.copies import Copy
from mutation.mutants import PACKAGE, Mutant, drawn, excuses, is_excused, mutants_in

STAGE = ("tests/machine/test_rounds.py", "-k", "names_its_text")
FILE = "lowering/layout.py"

SAMPLE = '''
def f(a: int, b: "list[int] | None" = None) -> bool:
    """Do."""
    assert a < 3 and b
    if not (a == 0 or b is None):
        b.append(a + 1)
    elif a:
        raise ValueError(a > 1)
    return True if a not in b else zip(a, b, strict=True)
'''


def test_one_thing_is_changed_and_only_what_runs() -> None:
    text = SAMPLE.encode()
    told = [(one.kind, one.told(text)["new"]) for one in mutants_in("f.py", text)]
    assert told == [
        ("not", "if (a == 0 or b is None):"),
        ("comparison", "if not (a != 0 or b is None):"),
        ("and, or", "if not (a == 0 and b is None):"),
        ("comparison", "if not (a == 0 or b is not None):"),
        ("statement", "pass"),
        ("plus, minus", "b.append(a - 1)"),
        ("branches", "elif not (a):"),
        ("truth", "return False if a not in b else zip(a, b, strict=True)"),
        ("branches", "return True if not (a not in b) else zip(a, b, strict=True)"),
        ("comparison", "return True if a in b else zip(a, b, strict=True)"),
    ]


def test_the_same_are_drawn_by_a_seed_and_each_is_python() -> None:
    mutants = drawn(1, 50, ["lowering"])
    assert mutants == drawn(1, 50, ["lowering"]) != drawn(2, 50, ["lowering"])
    for one in mutants:
        text = (PACKAGE / one.file).read_bytes()
        assert ast.dump(ast.parse(one.changed(text))) != ast.dump(ast.parse(text))


def test_each_excuse_has_its_place_and_a_reason() -> None:
    for one in excuses():
        text = (PACKAGE / one["file"]).read_bytes()
        assert one["why"] and any(is_excused(mutant, text) for mutant in mutants_in(one["file"], text)), one


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy.made(tmp_path_factory.mktemp("copy"))


def test_a_planted_mutant_is_noticed_and_one_that_makes_no_difference_survives(copy: Copy) -> None:
    text = (PACKAGE / FILE).read_bytes()
    (fault,) = (
        one
        for one in mutants_in(FILE, text)
        if one.told(text)["new"] == 'return 0 if base not in ("flag", "number") else NOTHING'
    )
    assert copy.noticed(fault, [STAGE]) == STAGE
    assert copy.noticed(Mutant(FILE, "nothing", (len(text), len(text)), "pass\n"), [STAGE]) is None
    assert (copy.folder / "interpreter" / "warchest" / FILE).read_bytes() == text
