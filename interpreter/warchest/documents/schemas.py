"""The JSON Schemas of the kinds of document: one file a kind, `<kind>.schema.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from warchest.diagnostics.suggest import did_you_mean
from warchest.source.data import data_folder

_ENDING = ".schema.json"


@dataclass(frozen=True, slots=True)
class Schemas:
    """The schemas in one folder, by kind."""

    by_kind: dict[str, dict[str, Any]]

    def for_kind(self, kind: str) -> dict[str, Any] | None:
        """Return the schema of a kind of document, or None if there is no such kind."""
        return self.by_kind.get(kind)

    def suggestion(self, kind: str) -> str:
        """Return help for a kind that is not there."""
        return did_you_mean(kind, self.by_kind) or f"the kinds are {', '.join(sorted(self.by_kind))}"


@lru_cache(maxsize=4)
def read_schemas(folder: Path | None = None) -> Schemas:
    """Read all schemas in `folder`, by default those that travel with the package."""
    files = sorted((folder or data_folder("schemas")).glob(f"*{_ENDING}"))
    return Schemas({file.name.removesuffix(_ENDING): json.loads(file.read_text(encoding="utf-8")) for file in files})
