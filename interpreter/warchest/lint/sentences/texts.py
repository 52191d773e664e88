"""The texts of a game, checked under each choice of options and on every board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.layers import LAYER, layered, of_board
from warchest.documents.library import Document, Library
from warchest.ir.ruleset import Ruleset
from warchest.lint.documents.ruling_options import Alike
from warchest.lint.sentences.advice_trial import AdviceTrial
from warchest.lint.sentences.endless import endless_findings
from warchest.lint.sentences.independent_files import apart, layers_on, texts_of
from warchest.lint.sentences.moment_findings import moment_findings
from warchest.lint.sentences.property_findings import property_findings
from warchest.lint.sentences.self_targets import itself_findings, owners_findings
from warchest.lint.sentences.senseless import senseless_findings
from warchest.lint.sentences.slips import with_help
from warchest.lint.sentences.undeclared_opposites import opposite_findings
from warchest.lint.sentences.untimely import untimely_findings
from warchest.lint.sentences.unused_remains import remains_findings
from warchest.lint.sentences.useless_fields import field_findings
from warchest.lint.sentences.vain import vain_findings
from warchest.resolve.resolve import Parsed, parse_blocks, read_all
from warchest.resolve.text_reader import TextReader
from warchest.source.limits import MAX_FILES, MAX_UNFOLDED_IN_ALL
from warchest.source.text import Span

_USED = MAX_UNFOLDED_IN_ALL // 2
"""The most definitions that all skipped files may have expanded together; all others may expand as many."""


class Uncertain(Exception):
    """The findings may exist only because some texts were not read."""


@dataclass(slots=True)
class Texts:
    """The texts of a library, with everything that was parsed from them and learnt about their files."""

    library: Library
    game: Document
    shown: Collection[str]
    clean: frozenset[str] = frozenset()
    """The files that have not changed since they were found clean under all options."""
    alike: Alike = field(default_factory=list)
    """The boards that add the same words to the game, with all blocks that were parsed with these words.

    The words of a game are the same under all options, so no sentence is parsed again for each of them.
    """
    leaning: set[str] = field(default_factory=set)
    """The files that would have more findings without the texts of independent files."""
    _done: set[object] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.alike = [(boards, {}) for boards in _alike(self.library, self.game)]

    @property
    def apart(self) -> frozenset[str]:
        """The independent files, among those whose texts have been parsed."""
        return apart(self.library, self.game, [parsed for _, parsed in self.alike])

    def under(
        self, options: Mapping[str, str], shown: Collection[str] = (), library: Library | None = None
    ) -> list[Diagnostic]:
        """Return the findings under these options of the players."""
        amended, found = layered(library or self.library, options)
        # Documents read before with the same texts are not read again; the unread ones do not matter.
        texts = tuple(
            (one.span, told)
            for one in amended.documents
            if one.span.path not in amended.unread and (told := self._telling(one))
        )
        if texts in self._done:
            return found
        self._done.add(texts)
        # A layer can change the game's own document too.
        now = next((one for one in amended.of_kind("game") if one.name == self.game.name), self.game)
        return [
            *found,
            *(one for boards, parsed in self.alike for one in self._checked(amended, now, boards, parsed, shown)),
        ]

    def _telling(self, document: Document) -> tuple[tuple[str, tuple[Span, ...]], ...]:
        """Return the texts of layers in a document that can matter to others, or were not clean before.

        Only the carrier of a sheet can use the steps on it; others can only depend on their orders.
        """
        steady = document.amended and self._is_steady(document)
        return tuple(one for one in document.amended if not (steady and self._are_steps(document, one[0])))

    def _is_steady(self, document: Document) -> bool:
        """Whether a document, or any layer on it, has not changed since it was found clean."""
        return all(one.span.path in self.clean for one in (document, *layers_on(document, self.library)))

    def _steady(self) -> set[str]:
        """Return the files of documents whose steps are not read under all options."""
        amended = [self.library.named(**layer.values["amends"]) for layer in self.library.of_kind(LAYER)]
        return {one.span.path for one in amended if one is not None and self._is_steady(one)}

    def _are_steps(self, document: Document, key: str) -> bool:
        shape = self.game.values["documents"].get(document.kind, {})
        return shape.get("numbers") is not None and shape.get("blocks", {}).get(key) == "steps"

    def _checked(
        self, library: Library, game: Document, boards: list[Document], parsed: Parsed, shown: Collection[str]
    ) -> list[Diagnostic]:
        """Check the texts that boards with the same words share, with all their setups, at once; with errors, one by
        one.

        Boards differ for a check only in their setups, and one setup means nothing to another text.
        """
        found, trial = self._found(library, game, boards, parsed, shown)
        if not found or len(boards) < 2:
            return with_help(found, trial.vocabulary, trial)
        alone, trial = self._found(library, game, boards[:1], parsed, shown)
        # Equal findings on the one board and on all boards together do not come from the setups of the others.
        others = boards[1:] if set(alone) != set(found) else []
        told = with_help(alone, trial.vocabulary, trial)
        return told + [one for board in others for one in self._checked(library, game, [board], parsed, shown)]

    def _found(
        self, library: Library, game: Document, boards: list[Document], parsed: Parsed, shown: Collection[str]
    ) -> tuple[list[Diagnostic], AdviceTrial]:
        """Return the findings in the texts that boards share, before their advice is tried, and the trial for it."""
        here = _of_boards(library, boards) if boards else library
        reader, wrong = read_all(here, game, boards[0] if boards else None, parsed)
        ruleset, vocabulary = reader.model.ruleset, reader.model.vocabulary
        self._note_used(reader)
        wrong += self._about_properties(reader, library, wrong)
        at_fault = {one.file for one in wrong if one.severity == "error"}
        aside: Collection[str] = ()
        if not at_fault:
            for layer in library.of_kind(LAYER):
                parse_blocks(texts_of(layer), vocabulary, parsed)
            aside = apart(library, game, [parsed]) | self._steady()
        # Senseless sentences can still be reported in files without faults where there are faults in others.
        if at_fault <= set(shown):
            more = self._both(lambda aside: endless_findings(ruleset, aside), aside)
            more += [*itself_findings(ruleset), *owners_findings(ruleset), *opposite_findings(reader)]
            more += self._both(lambda aside: moment_findings(ruleset, aside), aside)
            more += self._both(lambda aside: vain_findings(ruleset, _commons(game), aside), aside)
            if not at_fault:
                more += self._among_all(remains_findings(ruleset, game), library)
                more += self._both(lambda aside: untimely_findings(ruleset, shown, aside), aside)
                more += self._about_fields(ruleset, shown)
            wrong += [one for one in more if one.file not in at_fault]
            wrong += self._both(
                lambda aside: senseless_findings(ruleset, set(shown) - at_fault, not at_fault, aside), aside
            )
        return wrong, AdviceTrial(vocabulary, reader, here, game, parsed)

    def _about_fields(self, ruleset: Ruleset, shown: Collection[str]) -> list[Diagnostic]:
        """Return the findings about trails and directions, which depend on all texts together."""
        found = [one for one in field_findings(ruleset) if one.file in shown]
        if found and self.library.unread:
            raise Uncertain
        return found

    def _about_properties(self, reader: TextReader, library: Library, wrong: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the findings about properties, which are read on top of all texts, if these have no errors."""
        if any(one.severity == "error" for one in wrong):
            return []
        found = list(property_findings(reader, library))
        if found and library.unread:
            raise Uncertain
        return found

    def lean(self, files: Collection[str]) -> None:
        """Record files that are clean only because of independent ones; raises Uncertain if one of these is unread."""
        if files and self.library.unread:
            raise Uncertain
        self.leaning.update(files)

    def _both(
        self, find: Callable[[Collection[str]], Iterable[Diagnostic]], aside: Collection[str]
    ) -> list[Diagnostic]:
        """Return no findings if a search without the independent files has none (as usual); otherwise all findings."""
        found = list(find(aside))
        if not found or not aside:
            return found
        self.lean({path for one in found for path in files_of(one)})
        return list(find(()))

    def _among_all(self, found: Iterable[Diagnostic], library: Library) -> list[Diagnostic]:
        """Return findings about missing texts; raises Uncertain if some texts are not read."""
        told = list(found)
        if told and library.unread:
            raise Uncertain
        return told

    def _note_used(self, reader: TextReader) -> None:
        """Record the files that expand more than their share of definitions, so that the total could be too large."""
        self.leaning.update(path for path, used in reader.used_in.items() if used > _USED // MAX_FILES)
        if self.library.unread and reader.in_all > _USED:
            raise Uncertain


def _commons(game: Document) -> str:
    """Return the kind of the documents whose rules apply to all; by default, that of the game's document."""
    shapes = game.values["documents"]
    said = (
        kind
        for kind, shape in shapes.items()
        if "rules" in shape.get("blocks", {}).values() and shape.get("numbers") is None
    )
    return next(said, game.kind)


def files_of(found: Diagnostic) -> set[str]:
    """Return the files in which a finding has places."""
    return {found.file, *(label.span.path for label in found.labels)}


def _alike(library: Library, game: Document) -> list[list[Document]]:
    """Return the boards in groups that add the same words to the game; without boards, there is one empty group."""
    boards = library.of_kind("board")
    if "setup" in game.values["documents"]:
        # Here the names of setups are words too, and each board has its own.
        return [[board] for board in boards] or [[]]
    by_words: dict[tuple[str, ...], list[Document]] = {}
    for board in boards:
        by_words.setdefault(tuple(sorted(board.values.get("numbers", ()))), []).append(board)
    return list(by_words.values()) or [[]]


def _of_boards(library: Library, boards: list[Document]) -> Library:
    parts = [of_board(library, board.name) for board in boards]
    kept = {id(document) for part in parts for document in part.documents}
    return replace(parts[0], documents=[one for one in library.documents if id(one) in kept])
