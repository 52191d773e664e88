"""Results of mutants that are kept from one run to the next, so that only what has changed is tried again.

They lie in the user's own folder of results, one file for each document. A result is believed as long as all that it
was found by is the same: the program, the rules of the game, the document and the cards that its rulings name. One that
was caught stays so while that ruling is there; any other one is tried again when a ruling about the document changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

from warchest.documents.library import Document
from warchest.lint.clean import digest_of_program, read_checked, write_checked
from warchest.source.private import doubt_of, private_folder
from warchest.testing.differences import Difference
from warchest.testing.mutants.making import Mutant
from warchest.testing.mutants.trying import MutantOutcome, Trial, Trials

FOLDER = "mutants"
"""The name of the folder of results."""
_RULINGS = "rulings"
"""The key of a document under which its rulings stand: these count one by one."""


class KeptTrials:
    """The results of earlier trials of the documents of a game, and those that are added."""

    def __init__(self, trials: Trials, folder: Path | None) -> None:
        """Keep results in a folder; None: nothing is kept."""
        self.trials, self.folder = trials, folder
        self._known: dict[str, dict[str, Any]] = {}
        """The results for each document, by the name of its file."""
        self._cases = {_digest(case.values): case for case in trials.cases}

    def each(self, mutants: Sequence[Mutant], workers: int = 1, until: float = inf) -> Iterator[Trial]:
        """Yield the outcomes of mutants as `Trials.each` does, those that are known without trying them again."""
        keys = _keys_of(mutants)
        known = [self._of_mutant(one, key) for one, key in zip(mutants, keys, strict=True)]
        further = self.trials.each([one for one, told in zip(mutants, known, strict=True) if told is None],
                                   workers, until)  # fmt: skip
        try:
            for key, told in zip(keys, known, strict=True):
                trial = told or next(further, None)
                if trial is None:
                    return
                if told is None:
                    self._add(trial, key)
                yield trial
        finally:
            self._write()

    def _of_mutant(self, mutant: Mutant, key: str) -> Trial | None:
        """Return the earlier trial of a mutant; None where there is none, or where it need not be so any more."""
        kept = self._of(mutant.document).get(key)
        with suppress(KeyError, TypeError, ValueError):
            if isinstance(kept, dict):
                return self._trial(mutant, kept)
        return None

    def _trial(self, mutant: Mutant, kept: Mapping[str, Any]) -> Trial | None:
        outcome: MutantOutcome = kept["outcome"]
        if outcome == "caught":
            case = self._cases.get(kept["case"])
            return Trial(mutant, outcome, case=case) if case is not None else None
        if kept["by"] != self._by(mutant.document):
            return None
        told = kept["difference"]
        found = None if told is None else _difference(told)
        return Trial(mutant, outcome, str(kept["why"]), difference=found)

    def _add(self, trial: Trial, key: str) -> None:
        """Keep the result of a trial."""
        document, told = trial.mutant.document, trial.difference
        self._of(document)[key] = {
            "outcome": trial.outcome, "why": trial.why, "by": self._by(document),
            "case": None if trial.case is None else _digest(trial.case.values),
            "difference": None if told is None else asdict(told),
        }  # fmt: skip

    def _write(self) -> None:
        """Write down what is known of all documents that were asked for."""
        for name, known in self._known.items():
            if known and self.folder is not None:
                write_checked(self.folder / f"{name}.json", json.dumps(known).encode())

    # ---- what a result depends on

    def _of(self, document: Document) -> dict[str, Any]:
        name = self._name_of(document)
        if name not in self._known:
            known: object = None
            with suppress(ValueError, RecursionError):
                known = json.loads(read_checked(self.folder / f"{name}.json") or b"{}") if self.folder else None
            self._known[name] = known if isinstance(known, dict) else {}
        return self._known[name]

    def _name_of(self, document: Document) -> str:
        """Return the name of the file about a document: of all that its results depend on, but for the rulings."""
        cases = [self.trials.cases[number] for number in self.trials.about(document)]
        told = "".join(map(str, (case.values for case in cases)))
        named = [_said(one) for one in self.trials.game.library.documents
                 if self.trials.is_card(one) and one is not document and one.name in told]  # fmt: skip
        return _digest([self._common, str(document.span.path), _said(document), named])

    @cached_property
    def _common(self) -> list[object]:
        """All that every result depends on: the program, and the rules of the game."""
        game = self.trials.game
        rules = [_said(one) for one in game.library.documents if not self.trials.is_card(one)]
        return [digest_of_program().hex(), str(game.folder), rules]

    def _by(self, document: Document) -> str:
        """Return a digest of all that a result without a ruling depends on besides: all rulings, and the search."""
        search, about = self.trials.search, self.trials.about(document)
        looked = None if search is None else [search.positions, search.seed]
        return _digest([looked, [_digest(self.trials.cases[number].values) for number in about]])


def _keys_of(mutants: Sequence[Mutant]) -> list[str]:
    """Return a key for each of some mutants: its sentence in both wordings, and the place among the same sentences."""
    places: dict[tuple[str, str], list[int]] = {}
    keys = []
    for one in mutants:
        same = places.setdefault((one.path, one.before), [])
        if one.sentence.start not in same:
            same.append(one.sentence.start)
        keys.append(_digest([one.before, one.after, same.index(one.sentence.start)]))
    return keys


def kept_folder() -> tuple[Path | None, str]:
    """Return the folder in which results are kept, and why not where there is reason to doubt it; None for nowhere."""
    folder = private_folder(FOLDER)
    doubt = doubt_of(folder) if folder is not None else ""
    return (None, doubt) if doubt else (folder, "")


def _said(document: Document) -> list[object]:
    return [document.kind, document.name, {key: one for key, one in document.values.items() if key != _RULINGS}]


def _digest(value: object) -> str:
    return sha256(json.dumps(value, default=str, sort_keys=True).encode()).hexdigest()


def _difference(told: Mapping[str, Any]) -> Difference:
    first, second = (tuple(map(str, one)) for one in told["only"])
    path, lines = (tuple(map(str, told[key])) for key in ("path", "lines"))
    return Difference(dict(told["position"]), path, (first, second), lines)


__all__ = ["KeptTrials", "kept_folder"]
