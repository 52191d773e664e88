"""The fault that stops a script: a finding at the place it is about."""

from __future__ import annotations

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.carried import Carried
from warchest.source.text import Span


class Fault(Carried):
    """A line that cannot be read or does not hold; `finding` gives the fault, the place, the reason and the remedy."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


def fault(name: str, message: str, span: Span, help: str = "") -> Fault:
    """Make the fault of the kind called `name`."""
    return Fault(report(name, message, span, help=help))
