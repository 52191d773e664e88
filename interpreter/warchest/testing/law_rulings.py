"""Rulings from broken laws: written into a folder, and checked again if they exist already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.state import State
from warchest.lowering.code import DECLINED
from warchest.rulings.cases import Case
from warchest.rulings.compare import matches
from warchest.rulings.runner import decider_of
from warchest.testing.law_check import Finding
from warchest.testing.laws import LAWS, LawFault, faults_in, faults_of, law_named, listed, taken
from warchest.testing.paths import data_along
from warchest.testing.ruling_files import fails, file_stem, found_cases, ruling_text, write_ruling
from warchest.testing.steps import Step

LAW = "law: "
"""The beginning of the source of a ruling from a broken law."""
UNSAID = "Rulings have no words for this law; `warchest check` asks it again here."


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A ruling from a broken law, and whether it still shows a fault."""

    case: Case
    law: str
    still: bool


def source_of(finding: Finding) -> str:
    """Return the source of the ruling of a finding: its law, and the file and the words of the clause to blame."""
    law, clause = finding.key
    return f"{LAW}{law}; {clause}"[:199].rstrip() if clause else f"{LAW}{law}"


def text_of(game: Game, finding: Finding, seed: int) -> str:
    """Return the ruling of a finding."""
    fault, law = finding.fault, law_named(finding.fault.law)
    expected = dict(fault.expected or {})
    do = expected.pop("do", [])
    position = fault.position
    if position is None:
        position, do = finding.position, data_along(game, finding.position, (*finding.path, *fault.path))
        do = do[: len(do) - 1] if "offered" in expected and len(do) > len(finding.path) else do
    if not do and not expected:
        # A case says something; where a law has no words for it, that it is asked there who decides.
        expected = _who_decides(game, position)
    remarks = [f"{finding.task.title}, seed {seed}: {fault.text[:300]}"]
    remarks += [f"by {one.path}:{one.line}: {' '.join(one.text.split())[:200]}" for one in fault.clauses[:1]]
    remarks += [] if fault.expected is not None else [UNSAID]
    title = " ".join(["Found", finding.fault.law, *finding.task.cards])[:54].rstrip()
    return ruling_text(title, law.says.rstrip("."), source_of(finding), position, do, expected, remarks)


def _who_decides(game: Game, position: Mapping[str, object]) -> dict[str, object]:
    """Return the expectation of a case about the decider in a position; if this fails, one that is always met."""
    try:
        decides = decider_of(game.position(position))
    except Exception:
        return {"not offered": [{"act": DECLINED}]}
    return {"decides": decides}


def write_finding(game: Game, finding: Finding, folder: Path, seed: int) -> Path:
    """Write the ruling of a finding into a folder; return its file."""
    return write_ruling(folder, stem_of(finding), text_of(game, finding, seed))


def stem_of(finding: Finding) -> str:
    """Return the name of the file of a finding, without its ending."""
    return file_stem(finding.fault.law, *finding.task.cards)


# ---- those that are known


def known_findings(game: Game, folder: Path) -> Iterator[KnownFinding]:
    """Yield the findings of laws in a folder, each checked again; those about unknown cards are skipped."""
    names = {one.name for one in LAWS}
    for case in found_cases(game, folder):
        law = case.source.removeprefix(LAW).partition(";")[0]
        if case.source.startswith(LAW) and law in names and _can_be_asked(game, case):
            yield KnownFinding(case, law, fails(game, case) or _is_broken(game, case, law))


def _can_be_asked(game: Game, case: Case) -> bool:
    """Whether the game accepts the position of a case; if its rules fail there, that is the fault to check."""
    try:
        game.position(case.values["position"])
    except PositionError as error:
        return not error.field
    except Exception:
        return True
    return True


def _is_broken(game: Game, case: Case, law: str) -> bool:
    """Whether a law is broken in the position of a case, or on the path given there."""
    try:
        state = game.position(case.values["position"])
    except PositionError:
        return False
    for wanted in (*case.values.get("do", ()), None):
        if any(one.law == law for one in faults_in(state, LAWS)):
            return True
        step = _taken_like(state, wanted) if wanted is not None else None
        if not isinstance(step, Step):
            return step is not None and step.law == law
        if any(one.law == law for one in faults_of(step, LAWS)):
            return True
        state = step.after
    return False


def _taken_like(state: State, wanted: dict[str, object]) -> Step | LawFault | None:
    options = listed(state)
    found = [one for one in options if matches(wanted, one.data)] if not isinstance(options, LawFault) else []
    return taken(state, found[0]) if len(found) == 1 else None
