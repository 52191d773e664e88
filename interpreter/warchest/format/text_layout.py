"""Texts of documents, laid out by the formatter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.load import is_position, kind_of, texts_of_rules
from warchest.documents.schemas import Schemas, read_schemas
from warchest.format.documents import DocumentLayout
from warchest.format.sameness import are_same
from warchest.source.file_reading import BYTE_ORDER_MARK
from warchest.source.nodes import Entry, Mapping, Scalar
from warchest.source.records import record
from warchest.source.text import Source, line_end, with_line_ends
from warchest.source.yaml import parse

_DIRECTIVE = re.compile(r"^%", re.MULTILINE)
_SEPARATOR = "---"


@record()
class Formatted:
    """The result of laying out a text: the new text, or None if it holds no documents or cannot be laid out."""

    text: str | None = None
    findings: tuple[Diagnostic, ...] = ()
    """The errors in its YAML."""
    failure: str = ""
    """The reason why documents without such errors cannot be laid out, as a predicate of the name of their file."""
    has_unknown: bool = False
    """Whether the text may have a document of a kind that the schemas do not have."""


def formatted(text: str) -> str:
    """Return a text of documents in the layout of `wc-lint fmt`; never raises.

    A text that is not well-formed YAML, or holds no documents, is returned unchanged. The values, the words of the
    sentences and the comments stay the same, and formatting twice makes no further change. Documents of kinds that
    only a game or a pack declares keep the order of their keys.
    """
    return laid_out(Source("text", text.removeprefix(BYTE_ORDER_MARK)), read_schemas()).text or text


def laid_out(source: Source, schemas: Schemas) -> Formatted:
    """Lay out the documents in a source, of the kinds in some schemas; all lines end like the first. Never raises."""
    ending, text = line_end(source.text), with_line_ends(source.text, "\n")
    roots, findings = parse(source)
    if findings:
        return Formatted(findings=tuple(findings))
    if text != source.text:
        source = Source(source.path, text)
        roots, findings = parse(source)
    documents = [root for root in roots if isinstance(root, Mapping) and root.entries]
    absent = sum(isinstance(root, Scalar) and root.is_absent for root in roots)
    if len(documents) + absent < len(roots) or not any(_is_document(one, schemas) for one in documents):
        return Formatted(has_unknown=bool(documents))
    if any(is_position(one, Path(source.path)) for one in documents):
        return Formatted()
    if _DIRECTIVE.search(text, 0, documents[0].span.start):
        return Formatted(failure="has YAML directives, which are not supported")
    return _rewritten(source, documents, schemas, ending)


def _rewritten(source: Source, documents: list[Mapping], schemas: Schemas, ending: str) -> Formatted:
    """Lay out documents, and parse the result to check that their content is the same."""
    sentences = {id(entry.value) for one in documents for entry in _sentences(one, schemas)}
    layout = DocumentLayout(source.text, documents, sentences)
    lines = list[str]()
    for number, document in enumerate(documents):
        properties = schemas.raw.get(kind_of(document), {}).get("properties", {})
        order = {key: place for place, key in enumerate(properties)}
        lines += [*([_SEPARATOR] if number else []), *layout.document(document, order)]
    lines += layout.rest()
    text = "".join(f"{line}\n" for line in lines)
    roots, findings = parse(Source(source.path, text))
    if findings or not are_same(documents, roots, sentences):
        return Formatted(failure="cannot be laid out without changing its content")
    unknown = any(kind_of(one) not in schemas.raw for one in documents)
    return Formatted(with_line_ends(text, ending), has_unknown=unknown)


def _is_document(root: Mapping, schemas: Schemas) -> bool:
    """Whether a root is a document: it has a known kind, or sentences, since a game can declare its own kinds."""
    if not isinstance(root.entries[0].value, Scalar):
        return False
    return kind_of(root) in schemas.raw or any(_sentences(root, schemas))


def _sentences(root: Mapping, schemas: Schemas) -> Iterator[Entry]:
    """Yield the entries of a document that hold sentences in a block."""
    schema = schemas.for_kind(kind_of(root))
    entries = root.entries if schema is None else texts_of_rules(root, schema)
    for entry in entries:
        is_block = isinstance(entry.value, Scalar) and entry.value.block is not None
        if is_block and (schema is not None or entry.key.text in schemas.texts):
            yield entry
