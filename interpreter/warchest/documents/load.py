"""Read folders of documents. A document is one YAML root whose first key says its kind and its name."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.documents.schemas import Schemas
from warchest.documents.validate import validated
from warchest.source.nodes import Entry, Mapping, Node, Scalar
from warchest.source.read import read_source
from warchest.source.text import Source, Span
from warchest.source.yaml import parse

SUFFIXES = (".yaml", ".yml")
_NAMED = re.compile(r"^[a-z]+: *([^\s#].*)", re.MULTILINE)
_NO_BLANK = re.compile(r"([a-z]+):([A-Z][A-Za-z'-]*)")


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its kind and printed name, its marked YAML, and its values as the schema types them."""

    kind: str
    name: str
    node: Mapping
    values: dict[str, Any] = field(repr=False)
    amended: tuple[tuple[str, tuple[Span, ...]], ...] = ()

    @property
    def span(self) -> Span:
        """The place of its name."""
        return self.node.entries[0].value.span

    @property
    def source(self) -> str:
        """What it cites, or an empty text."""
        return str(self.values.get("source", ""))

    def blocks(self, key: str) -> tuple[Span, ...]:
        """Return the spans of the texts under `key`: its literal block, or what layers have made of it."""
        for name, spans in self.amended:
            if name == key:
                return spans
        node = self.node.get(key)
        return (node.block,) if isinstance(node, Scalar) and node.block is not None else ()


@dataclass(slots=True)
class Library:
    """All documents that were read, and what was found on the way."""

    documents: list[Document] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    left_out: set[str] = field(default_factory=set)
    """The names of documents that were found wrong, so that a text which names them is not blamed for it."""
    unspoken: frozenset[tuple[str, str]] = frozenset()
    """The kinds and names of documents that no text can speak of, because their names are no words of the game."""

    def of_kind(self, kind: str) -> list[Document]:
        """Return the documents of a kind, in the order they were read."""
        return [document for document in self.documents if document.kind == kind]

    def named(self, kind: str, name: str) -> Document | None:
        """Return the document of this kind and name, or None."""
        return next((found for found in self.of_kind(kind) if found.name == name), None)


CLAUSES = "clauses"
"""What schemas call a text of rules."""

DECLARES = ("documents", "things", "fields", "zones", "words", "play", "rules", "title")
"""Keys by which a document of kind `game` says what the game is made of."""


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the given files, and all YAML files in the given folders, in a fixed order."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = (child for child in path.rglob("*") if child.suffix in SUFFIXES and child.is_file())
            found.extend(sorted(inside))
        else:
            found.append(path)
    return list(dict.fromkeys(found))


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep Python from looking for circles of objects meanwhile: documents hold none, and the search takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@uncollected()
def load(paths: Iterable[Path], schemas: Schemas) -> Library:
    """Read every document in `paths` (files and folders); never raises for what the files hold."""
    library = Library()
    for root in paths:
        files = files_in([root])
        if not files:
            library.findings.append(
                report("no-documents", "the folder holds no YAML file", None, path=str(root),
                       help="a document is a `.yaml` file whose first key is its kind")
            )
        for file in files:
            _load_file(file, schemas, library)
    return library


def from_source(source: Source, schemas: Schemas) -> Library:
    """Read the documents in a text; never raises for what it says."""
    library = Library(sources=[source])
    roots, library.findings = parse(source)
    if not any(found.severity == "error" for found in library.findings):
        for root in roots:
            _load_root(root, schemas, library)
    return library


def _load_file(file: Path, schemas: Schemas, library: Library) -> None:
    read = read_source(file)
    library.findings.extend(read.diagnostics)
    if read.source is None:
        return
    library.sources.append(read.source)
    roots, findings = parse(read.source)
    library.findings.extend(findings)
    if any(found.severity == "error" for found in findings):
        library.left_out.update(_names_in(read.source.text))
        return
    for root in roots:
        if not _is_position(root, file):
            _load_root(root, schemas, library)


def _names_in(text: str) -> Iterator[str]:
    """Yield what can be names of documents in a text that is no YAML: what stands behind the keys, without notes."""
    for match in _NAMED.finditer(text):
        yield match[1].partition(" #")[0].rstrip(" \t")


def _is_position(root: Node, file: Path) -> bool:
    """Whether a file holds a position: it begins with the game it is of, and declares nothing of one."""
    if not isinstance(root, Mapping) or not root.entries or file.stem == "game":
        return False
    keys = {entry.key.text for entry in root.entries}
    return root.entries[0].key.text == "game" and keys.isdisjoint(DECLARES)


def _load_root(root: Node, schemas: Schemas, library: Library) -> None:
    if not isinstance(root, Mapping) or not root.entries or not isinstance(root.entries[0].value, Scalar):
        library.findings.append(
            report("not-a-document", "a document begins with its kind and its name", root.span, help=_first_line(root))
        )
        return
    first = root.entries[0]
    kind, name = first.key.text, root.entries[0].value.text
    schema = schemas.for_kind(kind)
    if schema is None:
        library.findings.append(
            report("unknown-kind", f"{quoted(kind)} is no kind of document", first.key.span,
                   help=_kind_given_later(root, schemas) or schemas.suggestion(kind))
        )
        library.left_out.add(name)
        return
    values, found = validated(root, schema)
    found += list(_unmarked(root, schema))
    library.findings.extend(found)
    if not any(finding.severity == "error" for finding in found):
        assert isinstance(values, dict)
        library.documents.append(Document(kind, name, root, values))
    else:
        library.left_out.add(name)


def _unmarked(root: Mapping, schema: dict[str, Any]) -> Iterator[Diagnostic]:
    """Yield what is wrong with texts of rules that are not literal blocks: as anything else they would not be read."""
    clauses = schema.get("$defs", {}).get(CLAUSES)
    for entry in root.entries if clauses is not None else ():
        wanted = schema.get("properties", {}).get(entry.key.text, {})
        if wanted == clauses:
            yield from _marked(entry)
        elif wanted.get("additionalProperties") == clauses and isinstance(entry.value, Mapping):
            for below in entry.value.entries:
                yield from _marked(below)


def _marked(entry: Entry) -> Iterator[Diagnostic]:
    if isinstance(entry.value, Scalar) and entry.value.block is None and entry.value.text:
        key = entry.key.text
        yield report("unmarked-text", f"the sentences of {quoted(key)} do not stand in a block", entry.value.span,
                     help=f"write `{key}: |`, and the sentences in the lines below, indented")  # fmt: skip


def _first_line(root: Node) -> str:
    """Return help for a text that does not begin as documents do."""
    run_together = _NO_BLANK.match(root.text) if isinstance(root, Scalar) else None
    if run_together is not None:
        return f"write a blank behind each colon: `{run_together[1]}: {run_together[2]}`"
    return "write for example `unit: Name` in the first line"


def _kind_given_later(root: Mapping, schemas: Schemas) -> str:
    """Return help for a document whose kind is there, but not in the first line."""
    for entry in root.entries[1:]:
        if schemas.for_kind(entry.key.text) is not None and isinstance(entry.value, Scalar):
            return f"the kind and the name come first: move `{entry.key.text}: …` to the first line"
    return ""
