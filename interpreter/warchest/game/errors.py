"""The errors a user meets at the edge of the package."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import text
from warchest.source.carried import Carried

ASTRAY = LookupError, RuntimeError, TypeError, ValueError
"""The errors of rules that are carried out from a place that they never reach, as a position can say."""


class CardError(Carried, ValueError):
    """Documents that cannot be used; `diagnostics` says what is wrong, and where."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(text(diagnostics))
        self.diagnostics = tuple(diagnostics)


class PositionError(Carried, ValueError):
    """A position that cannot be; `field` names the part that is wrong, or whose key is (`by_key`)."""

    def __init__(self, field: str, message: str, *, by_key: bool = False) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field, self.by_key = field, by_key


class OptionError(Carried, ValueError):
    """An option that is not on offer; `field` names the wrong part."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field


class NoRoomError(OptionError):
    """An option that leads to more than a state has room for."""
