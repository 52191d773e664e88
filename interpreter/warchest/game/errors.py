"""The public errors of the package."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import text
from warchest.source.carried import Carried

ASTRAY = LookupError, RuntimeError, TypeError, ValueError
"""The errors that can occur where rules go on from a point that play never reaches, such as a position can describe."""


class CardError(Carried, ValueError):
    """The documents cannot be used; `diagnostics` has the faults with their places."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(text(diagnostics))
        self.diagnostics = tuple(diagnostics)


class PositionError(Carried, ValueError):
    """The position is impossible; `field` names the faulty part; with `by_key`, the key itself is faulty."""

    def __init__(self, field: str, message: str, *, by_key: bool = False) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field, self.by_key = field, by_key


class OptionError(Carried, ValueError):
    """The option is not on offer; `field` names the wrong part."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field


class NoRoomError(OptionError):
    """The option leads to more pieces or tokens than a state has room for."""
