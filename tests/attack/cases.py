"""Cases: inputs, and their outcomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

GROUP = 16
"""How many cases are made together, of one random game or with one source of chance."""
REFUSED, ACCEPTED, FAILED = "refused", "accepted", "failed"


@dataclass(frozen=True, slots=True)
class Case:
    """Untrusted input: a file for a game, by the name it is given there."""

    kind: str
    game: str
    name: str
    data: bytes
    label: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a case; `sort` and `detail` describe the failure, `decisions` is the number taken."""

    status: str
    decisions: int = 0
    sort: str = ""
    detail: str = ""


class Kind(ABC):
    """A kind of file: how cases of it are made, and judged."""

    name: str
    extent: str
    """Whether a case is made smaller by its `lines` or by its `branches`."""

    @abstractmethod
    def warm(self) -> None:
        """Get ready for many cases, in a working folder that is settled."""

    def settle(self) -> None:  # noqa: B027, most kinds need nothing
        """Put the files that all cases need into the working folder."""

    @abstractmethod
    def make(self, seed: str, group: int) -> list[Case]:
        """Return the cases of a group, the same ones everywhere."""

    @abstractmethod
    def judge(self, case: Case, folder: Path) -> Verdict:
        """Try a case, whose file is put into a folder; raises Wrong."""


def digests(kinds: Mapping[str, type[Kind]], seed: str = "1", group: int = 3) -> dict[str, list[str]]:
    """Return the digests of the cases of a group, by their kinds."""
    return {name: [sha256(case.data).hexdigest() for case in kind().make(seed, group)] for name, kind in kinds.items()}
