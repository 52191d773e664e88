"""Properties that cannot be read, and properties that by the rules can never apply, so that no game tests them."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Library
from warchest.ir.properties import EventAssertion, StateAssertion
from warchest.ir.values import Condition
from warchest.lint.sentences.reasoning import among, never
from warchest.resolve.stated import KIND, StatedProperty, stated
from warchest.resolve.text_reader import TextReader


def property_findings(reader: TextReader, library: Library) -> Iterator[Diagnostic]:
    """Find sentences that are not properties, and vacuous properties, with a reader of all texts of a game."""
    found = stated(reader, [one for one in library.of_kind(KIND) if one.span.path not in library.unread])
    yield from found.findings
    yield from (one for told in found.properties for one in _never_so(told))


def _never_so(told: StatedProperty) -> Iterator[Diagnostic]:
    if all(_is_never(assertion) for assertion in told.meaning.assertions):
        yield report(
            "never-so",
            f"{quoted(told.text)} is vacuous: by the rules it never applies",
            told.sentence.span,
            help="its parts exclude each other; say what can be, or leave the sentence out",
        )


def _is_never(assertion: EventAssertion | StateAssertion) -> bool:
    """Whether by the rules an assertion never applies."""
    known: list[Condition] = []
    if isinstance(assertion, StateAssertion) and assertion.among is not None and assertion.member is not None:
        known = among(assertion.among, assertion.member)
    return assertion.applies is not None and never([*known, assertion.applies])
