"""The parts of the forms of reports that the package writes, as JSON Schemas, written by hand.

SARIF: the required and allowed properties of the objects used are those of `sarif-schema-2.1.0.json` (OASIS SARIF
2.1.0 with its errata 01). GitLab: the keys that its manual requires of a code quality report. In both, what the package
does not use is left out, so that a report with something else fails here.
"""

from __future__ import annotations

from typing import Any


def _object(required: str, optional: str = "", **properties: Any) -> dict[str, Any]:
    """An object with just these properties."""
    assert set(properties) == {*required.split(), *optional.split()}
    return {"type": "object", "required": required.split(), "properties": properties, "additionalProperties": False}


def _list(items: Any, least: int = 0, unique: bool = False) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least, "uniqueItems": unique}


_TEXT = {"type": "string"}
_PATH = {"type": "string", "minLength": 1, "pattern": r"^(?!/|\.\./|\./)[^\\]+$"}
"""A path from the root of a repository."""
_COUNT = {"type": "integer", "minimum": 1}
_MESSAGE = _object("text", text={"type": "string", "minLength": 1})
_ARTIFACT = _object("uri uriBaseId", uri={**_PATH, "format": "uri-reference"}, uriBaseId={"const": "%SRCROOT%"})
_REGION = _object(
    "startLine startColumn", "endLine endColumn", startLine=_COUNT, startColumn=_COUNT, endLine=_COUNT, endColumn=_COUNT
)
_CHANGE = _object(
    "artifactLocation replacements",
    artifactLocation=_ARTIFACT,
    replacements=_list(
        _object("deletedRegion insertedContent", deletedRegion=_REGION, insertedContent=_object("text", text=_TEXT)), 1
    ),
)
_FIX = _object(
    "artifactChanges properties",
    artifactChanges=_list(_CHANGE, 1, unique=True),
    properties=_object("safe", safe={"type": "boolean"}),
)
_LOCATION = _object(
    "physicalLocation", physicalLocation=_object("artifactLocation region", artifactLocation=_ARTIFACT, region=_REGION)
)
_RESULT = _object(
    "ruleId level message locations partialFingerprints",
    "fixes",
    ruleId=_TEXT,
    level={"enum": ["none", "note", "warning", "error"]},
    message=_MESSAGE,
    locations=_list(_LOCATION, 1),
    partialFingerprints={"type": "object", "minProperties": 1, "additionalProperties": _TEXT},
    fixes=_list(_FIX, 1, unique=True),
)
_RULE = _object(
    "id shortDescription",
    "helpUri",
    id={"type": "string", "minLength": 1},
    shortDescription=_MESSAGE,
    helpUri={"type": "string", "format": "uri", "pattern": "^https?://"},
)
_RUN = _object(
    "tool columnKind results",
    tool=_object(
        "driver", driver=_object("name rules", name={"type": "string", "minLength": 1}, rules=_list(_RULE, unique=True))
    ),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results=_list(_RESULT),
)
SARIF = _object(
    "$schema version runs",
    version={"const": "2.1.0"},
    runs=_list(_RUN, 1),
    **{"$schema": {"type": "string", "format": "uri"}},
)
"""A log in SARIF 2.1.0."""
GITLAB = _list(
    _object(
        "description check_name fingerprint severity location",
        description={"type": "string", "minLength": 1},
        check_name=_TEXT,
        fingerprint=_TEXT,
        severity={"enum": ["info", "minor", "major", "critical", "blocker"]},
        location=_object("path lines", path=_PATH, lines=_object("begin", begin=_COUNT)),
    )
)
"""A code quality report of GitLab."""
JUNIT = {
    "testsuites": ({"tests", "failures", "skipped"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "skipped"}, {"testcase"}),
    "testcase": ({"classname", "name"}, {"failure", "skipped", "system-out"}),
    "failure": ({"message"}, set[str]()),
    "skipped": ({"message"}, set[str]()),
    "system-out": (set[str](), set[str]()),
}
"""The elements of a JUnit report, as build servers read them: the attributes and the children of each."""
