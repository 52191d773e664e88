"""Changes of one thing are drawn; a planted fault is noticed, and a change that makes no difference survives."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mutation import mutants
from mutation.mutants import PACKAGE, Mutant, drawn, excuses, is_excused, mutants_in
from mutation.notes import ROOT, Notes, Trial, trial
from mutation.places import site
from mutation.results import Results

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


def test_one_part_of_executed_code_is_changed() -> None:
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


TEST = "tests/lowering/test_disassembly.py::test_code_is_unchanged[war-chest-Archer]"
FILE = "lowering/disassembly.py"


def planted(old: str, new: str) -> Mutant:
    """A mutant of a file that has one text in place of another."""
    begin = (PACKAGE / FILE).read_text(encoding="utf-8").index(old)
    return Mutant(FILE, "planted", (begin, begin + len(old)), new)


def run_in_new_process(code: str, *arguments: str, **environment: str) -> str:
    """Return the output of code that begins before the package is imported."""
    called = [sys.executable, *(["-c", code] if code else []), *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "tests"), **environment}
    return subprocess.run(called, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout


IN_FUNCTION, AT_IMPORT = (
    planted("if place in _FIRST", "if place not in _FIRST"),
    planted('THIS: "this"', 'THIS: "thus"'),
)
NOTHING = planted("if place in _FIRST", "if place  in _FIRST")
TRY = """
import sys, time
from mutation.mutants import Mutant
from mutation.notes import Trial
from mutation.places import Site
from mutation.trying import try_all
print_to = open(sys.argv[2], "a")
keep = lambda mutant, by, seconds: print(repr((mutant.new, by)), file=print_to, flush=True)
try_all(eval(sys.argv[1]), 2, time.monotonic() + 600, keep)
"""


def test_planted_mutants_are_noticed_and_equivalent_ones_survive(tmp_path: Path) -> None:
    text = (PACKAGE / FILE).read_bytes()
    trials = [Trial(one, site(one, text), True, (TEST,), 60.0) for one in (IN_FUNCTION, AT_IMPORT, NOTHING)]
    run_in_new_process(TRY, repr(trials), str(tmp_path / "said"))
    found = dict(map(ast.literal_eval, (tmp_path / "said").read_text(encoding="utf-8").splitlines()))
    assert found == {IN_FUNCTION.new: TEST, AT_IMPORT.new: TEST, NOTHING.new: ""}
    assert (PACKAGE / FILE).read_bytes() == text


def test_the_tests_that_run_a_line_are_noted_and_chosen(tmp_path: Path) -> None:
    text = (PACKAGE / FILE).read_bytes()
    line = text[: IN_FUNCTION.place[0]].count(b"\n") + 1
    other = TEST.partition("::")[0] + "::test_no_golden_file_is_left_over"
    options = ["-n0", "-q", "-p", "mutation.noting", "-p", "no:cacheprovider"]
    run_in_new_process("", "-m", "pytest", *options, TEST, other, MUTATION_NOTES=str(tmp_path / "notes"))
    notes = {"one": Notes.read(tmp_path / "notes")}
    assert [name for name, _ in notes["one"].tests] == [TEST, other]
    assert trial(IN_FUNCTION, notes).tests == (TEST,) and not trial(IN_FUNCTION, notes).early
    # Code that is run by the import, and while games are loaded, is run by all.
    (loading, *_) = (one for one in mutants_in("resolve/model.py", (PACKAGE / "resolve/model.py").read_bytes()))
    for one in (AT_IMPORT, loading):
        assert set(trial(one, notes).tests) == {TEST, other} and trial(one, notes).early
    assert site(AT_IMPORT, text).lines == () and site(IN_FUNCTION, text).lines == (f"{FILE}:{line}",)


def test_a_run_goes_on_where_it_was_broken_off(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    first = Results(file, "package", "suites", {})
    first.keep(IN_FUNCTION, TEST, 1.0)
    first.keep(NOTHING, "", 2.0)
    assert Results.read(file, "package", "suites") == first
    # Each session is a process of its own, which begins with the results of the first one.
    others = Results(file, "package", "suites", {})
    others.keep(AT_IMPORT, TEST, 3.0)
    assert Results.read(file, "package", "suites").known == others.known and others.of(NOTHING) == ("", 2.0)
    # Another test may notice a survivor, and another package has other mutants.
    assert Results.read(file, "package", "others").of(NOTHING) is None
    assert Results.read(file, "package", "others").of(IN_FUNCTION) == (TEST, 1.0)
    assert Results.read(file, "another", "suites").of(IN_FUNCTION) is None


def test_an_excuse_changes_no_other_mutant_that_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    before = drawn(3, 20, ["lowering"])
    told = before[5].told((PACKAGE / before[5].file).read_bytes())
    monkeypatch.setattr(mutants, "excuses", lambda: [{**told, "why": "it is all one"}])
    after = drawn(3, 20, ["lowering"])
    assert after[:-1] == [*before[:5], *before[6:]] and after[-1] not in before
