"""The memory of a job: the files whose texts were clean by themselves, with the conditions for each.

The texts of such a file are not checked again while the file, all files that are not independent, the names of all
documents, and the program are unchanged. Findings are never cached. Everything is checked if the texts left out might
affect the findings.
"""

from __future__ import annotations

from typing import TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.layers import LAYER
from warchest.documents.library import Document, Library
from warchest.lint.clean_jobs import KeptJob
from warchest.lint.jobs import Job
from warchest.lint.sentences.independent_files import faces_of
from warchest.lint.sentences.texts import Texts, files_of
from warchest.source.records import record
from warchest.source.text import digest

FileFacts: TypeAlias = list[list[str]]
"""For each file its path, digests of its text and of its face, and its state at the last check; empty for none."""
_APART, _CLEAN, _SHARED = "apart", "clean", "shared"
"""Independent; independent and clean; not independent and clean."""


@record()
class Present:
    """The current files of a job: digests of their texts, and of their meaning for other files (`faces_of`)."""

    texts: dict[str, str]
    faces: dict[str, str]
    replaceable: frozenset[str]
    """The files that can change without invalidating the cached facts of others."""

    @classmethod
    def on(cls, job: Job, library: Library, game: Document) -> Present:
        """Return the files of a job; a file that is read on top of a game depends on the whole game."""
        faces = faces_of(library, game)
        texts = {source.path: digest(source.text) for source in library.sources if source.path in faces}
        return cls(texts, faces, frozenset(job.shown) & texts.keys() if job.on_top else frozenset(texts))

    def compared(self, kept: KeptJob) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Return three sets: the files that need not be read, the clean files, and the changed files.

        The first two sets are empty if too much is different.
        """
        facts = {path: rest for path, *rest in kept.facts}
        changed = frozenset(path for path, text in self.texts.items() if path not in facts or facts[path][0] != text)
        alike = list(facts) == list(self.faces) and all(
            path in self.replaceable and facts[path][1] == self.faces[path] and facts[path][2] in (_APART, _CLEAN)
            for path in changed
        )
        found = {
            known: {path for path in facts if facts[path][2] == known} if alike else set()
            for known in (_CLEAN, _SHARED)
        }
        unread = frozenset(found[_CLEAN]) - changed
        return unread, unread | found[_SHARED], changed

    def facts(self, texts: Texts, found: list[Diagnostic]) -> FileFacts:
        """Return the facts about each file after these findings, none of which is an error."""
        doubtful = texts.leaning.union(*(files_of(one) for one in found))
        library = texts.library
        amended = [layer.values["amends"] for layer in library.of_kind(LAYER) if layer.span.path in doubtful]
        touched = {(one["kind"], one["name"]) for one in amended}
        doubtful |= {one.span.path for one in library.documents if (one.kind, one.name) in touched}
        apart = texts.apart
        return [
            [
                path,
                self.texts[path],
                face,
                (_APART if path in apart else "") if path in doubtful else _CLEAN if path in apart else _SHARED,
            ]
            for path, face in self.faces.items()
        ]
