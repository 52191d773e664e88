"""Properties that cannot be read, and those that can never be met: by the rules alone nothing is known by them."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.library import Library
from warchest.ir.properties import EventClaim, StateClaim
from warchest.ir.values import Condition
from warchest.lint.sentences.reasoning import among, never
from warchest.resolve.resolve import BoundedReader
from warchest.resolve.stated import KIND, StatedProperty, stated


def property_findings(reader: BoundedReader, library: Library) -> Iterator[Diagnostic]:
    """Find sentences that are no properties, and properties that are vacuous, with a reader of all texts of a game."""
    found = stated(reader, [one for one in library.of_kind(KIND) if one.span.path not in library.unread])
    yield from found.findings
    yield from (one for told in found.properties for one in _never_met(told))


def _never_met(told: StatedProperty) -> Iterator[Diagnostic]:
    if all(_is_never(claim) for claim in told.meaning.claims):
        yield report("never-so", f"{quoted(told.text)} is vacuous: by the rules it is never met", told.sentence.span,
                     help="its parts exclude each other; say what can be, or leave the sentence out")  # fmt: skip


def _is_never(claim: EventClaim | StateClaim) -> bool:
    """Whether by the rules a claim is never met."""
    known: list[Condition] = []
    if isinstance(claim, StateClaim) and claim.among is not None and claim.member is not None:
        known = among(claim.among, claim.member)
    return claim.met is not None and never([*known, claim.met])
