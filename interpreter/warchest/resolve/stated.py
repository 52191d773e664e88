"""Documents of properties: their sentences, read on top of all texts of a game without leaving a trace there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.ir.properties import Property
from warchest.resolve.property_reader import read_property
from warchest.resolve.reading_cache import READINGS, KnownReadings, Numbered
from warchest.resolve.resolve import Parsed, parse_blocks
from warchest.resolve.single_sentences import untouched
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw
from warchest.source.limits import MAX_UNFOLDED_IN_ALL
from warchest.source.records import record
from warchest.syntax import ast

KIND, TEXT, TIMES, LIFTS = "properties", "says", "times", "lifts"
"""The kind of document that holds properties, its text, the key for how often each must apply, and that of the
properties of other documents that are lifted."""
FOLDER = "properties"
"""The folder of a game that holds them: play does not read it."""


@record()
class StatedProperty:
    """A property with the document that states it, and the sentence; `least` is the number of times it must apply."""

    document: str
    sentence: ast.Sentence
    meaning: Property
    least: int
    source: str

    @property
    def text(self) -> str:
        """The sentence as written, on one line."""
        return self.sentence.span.one_line

    @property
    def place(self) -> str:
        """The file, the line and the column of the sentence."""
        span = self.sentence.span
        return f"{span.path}:{span.line}:{span.column}"


@dataclass(slots=True)
class StatedProperties:
    """The properties in some documents, and the findings about sentences that are not properties."""

    properties: list[StatedProperty] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)


def stated(reader: TextReader, documents: Iterable[Document], whole: bool = False) -> StatedProperties:
    """Read the properties in documents, with a reader that has read all texts of a game.

    Properties that another document lifts are left out. If the documents are the `whole` of a game, lifting a property
    that none of them states is a finding.
    """
    found, parsed, documents = StatedProperties(), Parsed(), list(documents)
    known, lifted = READINGS.under(reader.model), list[ast.Sentence]()
    with untouched(reader):
        for document in documents:
            lifted += _sentences(reader, document, LIFTS, parsed, found)
        for document in documents:
            for sentence in _sentences(reader, document, TEXT, parsed, found):
                _read(reader, document, sentence, known, found)
    if whole:
        said = [one.sentence for one in found.properties]
        found.findings += [_lifts_nothing(one, said) for one in lifted if one not in said]
    found.properties = [one for one in found.properties if one.sentence not in lifted]
    return found


def _sentences(
    reader: TextReader, document: Document, key: str, parsed: Parsed, found: StatedProperties
) -> list[ast.Sentence]:
    """Return the sentences under a key of a document; those that cannot be parsed are findings."""
    spans = document.blocks(key)
    parse_blocks(spans, reader.model.vocabulary, parsed)
    told: list[ast.Sentence] = []
    for _, sentences, wrong in (one for span in spans for one in parsed[span]):
        found.findings += wrong
        told += sentences
    return told


def _lifts_nothing(sentence: ast.Sentence, said: list[ast.Sentence]) -> Diagnostic:
    """Return the finding about a sentence that lifts no property."""
    text = sentence.span.one_line
    near = did_you_mean(text, [one.span.one_line for one in said])
    help = near or "repeat a property word for word, or leave this out"
    return report("lifts-nothing", f"{quoted(text)} is no property of this game", sentence.span, help=help)


def _read(
    reader: TextReader, document: Document, sentence: ast.Sentence, known: KnownReadings, found: StatedProperties
) -> None:
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


def _meaning(reader: TextReader, sentence: ast.Sentence, known: KnownReadings) -> Property:
    """Read a property, or take the result of an earlier reading."""
    numbered = Numbered.of(reader.model)
    before = known.get(reader.model, (sentence,), KIND, numbered)
    if before is not None and reader.in_all + before.unfolded <= MAX_UNFOLDED_IN_ALL:
        reader.in_all += before.unfolded
        before.numbered.add_to(reader.model)
        meaning: Property = before.code
        return meaning
    unfolded = reader.in_all
    reader.named.clear()
    meaning = read_property(reader, sentence)
    READINGS.keep(
        known,
        reader.model,
        (sentence,),
        KIND,
        numbered,
        put=(),
        code=meaning,
        unfolded=reader.in_all - unfolded,
        names=reader.named,
        numbered=numbered.further(reader.model),
    )
    return meaning
