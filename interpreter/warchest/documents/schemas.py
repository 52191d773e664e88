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
    return Schemas({
        file.name.removesuffix(_ENDING): _written_out(json.loads(file.read_text(encoding="utf-8"))) for file in files
    })  # fmt: skip


def _written_out(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with its references to `$defs` replaced by what they mean.

    Following them anew at every value takes most of the time of a check. A reference stays where it leads
    back to itself, or stands beside a keyword that it repeats.
    """
    done: dict[str, dict[str, Any]] = {}
    within: set[str] = set()

    def definition(name: str) -> dict[str, Any] | None:
        if name in within or name not in schema.get("$defs", {}):
            return None
        if name not in done:
            within.add(name)
            done[name] = copy(schema["$defs"][name])
            within.discard(name)
        return done[name]

    def copy(part: Any) -> Any:
        if isinstance(part, list):
            return [copy(item) for item in part]
        if not isinstance(part, dict):
            return part
        written = {key: copy(value) for key, value in part.items() if key != "$defs"}
        meant = definition(str(part.get("$ref", "")).removeprefix("#/$defs/"))
        if meant is None or (written.keys() & meant.keys()) - {"title", "description"}:
            return written
        del written["$ref"]
        return {**written, **meant}

    whole: dict[str, Any] = copy(schema)
    if "$defs" in schema:
        whole["$defs"] = schema["$defs"]
    return whole
