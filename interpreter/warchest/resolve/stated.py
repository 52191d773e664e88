"""Documents of properties: their sentences, read on top of all texts of a game and without a trace there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.library import Document
from warchest.ir.properties import Property
from warchest.resolve.desk import untouched
from warchest.resolve.repeated import READINGS, KnownReadings, Numbered
from warchest.resolve.resolve import BoundedReader, Parsed, parse_blocks
from warchest.resolve.types import Flaw
from warchest.source.limits import MAX_UNFOLDED_IN_ALL
from warchest.source.records import record
from warchest.syntax import ast

KIND, TEXT, TIMES = "properties", "says", "times"
"""The kind of document that holds properties, its text, and the key for how often each must apply."""
FOLDER = "properties"
"""The folder of a game in which they stand: play reads nothing of it."""


@record()
class StatedProperty:
    """A property with the document that states it, and the sentence; `least` is how often it must apply."""

    document: str
    sentence: ast.Sentence
    meaning: Property
    least: int
    source: str

    @property
    def text(self) -> str:
        """The sentence as it is written, on one line."""
        return " ".join(self.sentence.span.text.split())

    @property
    def place(self) -> str:
        """The file, the line and the column of the sentence."""
        span = self.sentence.span
        return f"{span.path}:{span.line}:{span.column}"


@dataclass(slots=True)
class StatedProperties:
    """The properties in some documents, and the findings about sentences that are none."""

    properties: list[StatedProperty] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)


def stated(reader: BoundedReader, documents: Iterable[Document]) -> StatedProperties:
    """Read the properties in documents, with a reader that has read all texts of a game."""
    found, parsed = StatedProperties(), Parsed()
    known = READINGS.under(reader.model)
    with untouched(reader):
        for document in documents:
            spans = document.blocks(TEXT)
            parse_blocks(spans, reader.model.vocabulary, parsed)
            for _, sentences, wrong in (one for span in spans for one in parsed[span]):
                found.findings += wrong
                for sentence in sentences:
                    _read(reader, document, sentence, known, found)
    return found


def _read(
    reader: BoundedReader, document: Document, sentence: ast.Sentence, known: KnownReadings,
    found: StatedProperties,
) -> None:  # fmt: skip
    reader.unfolded = 0
    try:
        meaning = _meaning(reader, sentence, known)
    except Flaw as flaw:
        found.findings.append(flaw.finding)
    except RecursionError:
        found.findings.append(report("nesting-too-deep", "the sentence is nested too deeply", sentence.span))
    else:
        least = int(document.values.get(TIMES, 1))
        found.properties.append(StatedProperty(document.name, sentence, meaning, least, document.source))


def _meaning(reader: BoundedReader, sentence: ast.Sentence, known: KnownReadings) -> Property:
    """Read a property, or take the outcome of an earlier reading."""
    numbered = Numbered.of(reader.model)
    before = known.get(reader.model, (sentence,), KIND, numbered)
    if before is not None and reader.in_all + before.unfolded <= MAX_UNFOLDED_IN_ALL:
        reader.in_all += before.unfolded
        before.numbered.add_to(reader.model)
        meaning: Property = before.code
        return meaning
    unfolded = reader.in_all
    reader.named.clear()
    meaning = reader.property(sentence)
    READINGS.keep(
        known, reader.model, (sentence,), KIND, numbered, put=(), code=meaning,
        unfolded=reader.in_all - unfolded, names=reader.named, numbered=numbered.further(reader.model),
    )  # fmt: skip
    return meaning
