"""The cache of results of mutants, so that only mutants affected by a change are tried again.

It has one file for each document, in the user's own cache folder. A result is valid as long as everything it depends on
is the same: the program, the rules of the game, the document and the cards that its rulings name. A mutant that was
caught stays caught while that ruling exists; others are tried again when a ruling about the document changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property
from hashlib import sha256
from typing import Any

from warchest.documents.library import Document
from warchest.lint.clean_jobs import digest_of_program
from warchest.rulings.compare import PartDifference
from warchest.source.cache import Cache
from warchest.source.records import record
from warchest.testing.budget import Budget
from warchest.testing.differences import Difference
from warchest.testing.mutants.making import Mutant
from warchest.testing.mutants.trying import MutantOutcome, Trial, Trials, Tried
from warchest.testing.search import KitSearch, ShownProgress

FOLDER = "mutants"
"""The name of the cache folder."""
_RULINGS = "rulings"
"""The key of a document for its rulings, which are compared one by one."""


@record()
class _KnownTrials:
    """The trials of mutants by their numbers; some results are known."""

    trials: Trials
    known: Sequence[Tried | None]
    mutants: Sequence[Mutant]

    def __call__(self, number: int) -> Tried:
        return self.known[number] or self.trials.tried(self.mutants[number])


class KeptTrials:
    """The cached results of trials of the documents of a game."""

    def __init__(self, trials: Trials, cache: Cache | None) -> None:
        """Cache results; None: cache nothing."""
        self.trials, self.cache = trials, cache
        self._known: dict[str, dict[str, object]] = {}
        """The results for each document, by the name of its file."""
        self._numbers = {_digest(case.values): number for number, case in enumerate(trials.cases)}
        """The numbers of the rulings by the digests of these."""

    def run(
        self,
        mutants: Sequence[Mutant],
        budget: Budget,
        add: Callable[[Trial], None],
        shown: ShownProgress[Tried | None],
    ) -> None:
        """Try mutants, except those in the cache, and add each trial when it is done."""
        keys = _keys_of(mutants)
        known = [self._known_of(one, key) for one, key in zip(mutants, keys, strict=True)]

        if budget.workers is not None:
            self.trials.prepare(mutants)
        work = _KnownTrials(self.trials, known, mutants)

        def keep(number: int, tried: Tried) -> None:
            if known[number] is None:
                self._add(mutants[number].document, keys[number], tried)
            add(self.trials.trial(mutants[number], tried))

        try:
            KitSearch(range(len(mutants)), work, budget).run(keep, shown)
        finally:
            self._write()

    def _known_of(self, mutant: Mutant, key: str) -> Tried | None:
        """Return the cached trial of a mutant; None if there is none, or if it is not valid any more."""
        kept = self._of(mutant.document).get(key)
        with suppress(KeyError, TypeError, ValueError):
            if isinstance(kept, dict):
                return self._tried(mutant, kept)
        return None

    def _tried(self, mutant: Mutant, kept: Mapping[str, Any]) -> Tried | None:
        outcome: MutantOutcome = kept["outcome"]
        if outcome == "caught":
            number = self._numbers.get(kept["case"], -1)
            return Tried(outcome, number=number) if number >= 0 else None
        if kept["by"] != self._by(mutant.document):
            return None
        told = kept["difference"]
        return Tried(outcome, str(kept["why"]), found=None if told is None else _difference(told))

    def _add(self, document: Document, key: str, tried: Tried) -> None:
        """Add the result of a trial to the cache."""
        self._of(document)[key] = {
            "outcome": tried.outcome,
            "why": tried.why,
            "by": self._by(document),
            "case": None if tried.number < 0 else _digest(self.trials.cases[tried.number].values),
            "difference": None if tried.found is None else asdict(tried.found),
        }

    def _write(self) -> None:
        """Write the results of all documents that were requested."""
        for name, known in self._known.items():
            if known and self.cache is not None:
                self.cache.write_plain(f"{name}.json", known)

    # ---- dependencies of a result

    def _of(self, document: Document) -> dict[str, object]:
        name = self._name_of(document)
        if name not in self._known:
            known = self.cache.read_plain(f"{name}.json") if self.cache is not None else None
            self._known[name] = known if isinstance(known, dict) else {}
        return self._known[name]

    def _name_of(self, document: Document) -> str:
        """Return the file name for a document: a digest of everything that its results depend on, except rulings."""
        cases = [self.trials.cases[number] for number in self.trials.about(document)]
        told = "".join(map(str, (case.values for case in cases)))
        named = [
            _said(one)
            for one in self.trials.game.library.documents
            if self.trials.is_card(one) and one is not document and one.name in told
        ]
        return _digest([self._common, str(document.span.path), _said(document), named])

    @cached_property
    def _common(self) -> list[object]:
        """The common dependencies of all results: the program, and the rules of the game."""
        game = self.trials.game
        rules = [_said(one) for one in game.library.documents if not self.trials.is_card(one)]
        return [digest_of_program(), str(game.folder), rules]

    def _by(self, document: Document) -> str:
        """Return a digest of the other dependencies of a result without a ruling: all rulings, and the search."""
        search, about = self.trials.search, self.trials.about(document)
        looked = None if search is None else [search.positions, search.seed]
        return _digest([looked, [_digest(self.trials.cases[number].values) for number in about]])


def _keys_of(mutants: Sequence[Mutant]) -> list[str]:
    """Return the key of each mutant: both wordings of its sentence, and the number among equal sentences."""
    places: dict[tuple[str, str], list[int]] = {}
    keys = []
    for one in mutants:
        same = places.setdefault((one.path, one.before), [])
        if one.sentence.start not in same:
            same.append(one.sentence.start)
        keys.append(_digest([one.before, one.after, same.index(one.sentence.start)]))
    return keys


def _said(document: Document) -> list[object]:
    return [document.kind, document.name, {key: one for key, one in document.values.items() if key != _RULINGS}]


def _digest(value: object) -> str:
    return sha256(json.dumps(value, default=str, sort_keys=True).encode()).hexdigest()


def _difference(told: Mapping[str, Any]) -> Difference:
    first, second = (tuple(map(str, one)) for one in told["only"])
    parts = tuple(PartDifference(str(one["key"]), str(one["line"])) for one in told["parts"])
    return Difference(dict(told["position"]), tuple(map(str, told["path"])), (first, second), parts)
