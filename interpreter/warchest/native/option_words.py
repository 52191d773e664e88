"""Descriptions of options during their listing: composed when the code is written, stored when options end."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

SAYING = re.compile(r"say_(\w+)\(&r->said(?:, (\d+))?\);")


@dataclass(frozen=True)
class Said:
    """The description so far: the first and the last named act, and the definition; 0 is none."""

    way: int = 0
    first: int = 0
    last: int = 0
    anything: bool = False
    within: bool = False
    """Whether a document's own text has taken over, after which acts name nothing."""

    def then(self, text: str) -> Said:
        """Return the description after some statements, which can add to it."""
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
        """The expression for the whole description."""
        return "said" if self == Said() else f"saying({self._words})"

    @property
    def act(self) -> str:
        """The expression for the act that names an option with this description."""
        return f"act_of({self._words})"

    @property
    def _words(self) -> str:
        flags = [*(["SAID"] if self.anything else []), *(["WITHIN"] if self.within else [])]
        return f"said, {self.way}, {self.first}, {self.last}, {' | '.join(flags) or '0'}"


SILENT = Said()
