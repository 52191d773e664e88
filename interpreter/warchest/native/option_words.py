"""Things that an option says of itself while one looks on: put together when the code is written, told at the end."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

SAYING = re.compile(r"say_(\w+)\(&r->said(?:, (\d+))?\);")


@dataclass(frozen=True)
class Said:
    """The words said on the way: the acts that were said first and last, and the way; 0 is none."""

    way: int = 0
    first: int = 0
    last: int = 0
    anything: bool = False
    within: bool = False
    """Whether a document's own text has taken over, behind which acts name nothing."""

    def then(self, text: str) -> Said:
        """Return the words said after some statements; only those that say something count."""
        said = self
        for found in SAYING.finditer(text):
            said = said._with(found[1], int(found[2] or 0))
        return said

    def _with(self, kind: str, number: int) -> Said:
        if kind == "way":
            return replace(self, way=number)
        said = replace(self, anything=True)
        if kind == "within":
            return replace(said, within=True)
        if kind == "role" or self.within:
            return said
        return replace(said, first=self.first or number, last=number if kind == "act" else self.last)

    @property
    def told(self) -> str:
        """The expression for all that has been said."""
        return "said" if self == Said() else f"saying({self._words})"

    @property
    def act(self) -> str:
        """The expression for the act by which an option is called that has said this."""
        return f"act_of({self._words})"

    @property
    def _words(self) -> str:
        flags = [*(["SAID"] if self.anything else []), *(["WITHIN"] if self.within else [])]
        return f"said, {self.way}, {self.first}, {self.last}, {' | '.join(flags) or '0'}"


SILENT = Said()
