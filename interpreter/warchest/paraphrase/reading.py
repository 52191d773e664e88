"""Readings: each sentence of a document next to the sentence for its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.editions import edition
from warchest.documents.library import Document, Library
from warchest.ir.properties import Property
from warchest.paraphrase.facts import RuleFact, facts
from warchest.paraphrase.phrase_wording import Unsaid
from warchest.paraphrase.property_sentences import PropertyParaphrase, property_facts
from warchest.paraphrase.rule_sentences import Paraphrase
from warchest.resolve.announce import NO_CARRIER, Carrier
from warchest.resolve.resolve import Text, read_all, texts_of
from warchest.resolve.rules import numbered_rules
from warchest.resolve.sides import relative_said, says_sides
from warchest.resolve.single_sentences import Desk, Meaning
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw
from warchest.source.records import record
from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.agreement import read_block
from warchest.syntax.printer import print_sentence

STEPS, RULES, PROPERTIES = "steps", "rules", "properties"


@record()
class Reading:
    """A sentence (or a block of steps, which go together), with its reading.

    `said` are equivalent sentences with every reference spelt out; it is empty where the language has no words for a
    rule, and `unsaid` is then the kind of that rule.
    """

    key: str
    span: Span
    sentences: tuple[str, ...]
    said: tuple[str, ...]
    facts: tuple[RuleFact, ...]
    unsaid: str = ""
    taken_up: tuple[tuple[int, int, str], ...] = ()
    """The phrases that refer back (`it`, `that …`), by their offsets, with words for the thing."""


class Study:
    """Reads the texts of a game back from their rules, and further sentences on top of them."""

    def __init__(self, reader: TextReader, library: Library, game: Document, errors: Sequence[Diagnostic] = ()) -> None:
        self.desk, self.library, self.game, self.errors = Desk(reader), library, game, tuple(errors)
        self.vocabulary = reader.model.vocabulary
        self.nobody = NO_CARRIER

    def document(self, document: Document) -> Iterator[Reading | Diagnostic]:
        """Yield a reading of each sentence of a document, or the finding where one is not understood."""
        for text in texts_of(self.desk.reader, self.library, self.game):
            if text.document is document:
                yield from self.text(text)

    def text(self, text: Text) -> Iterator[Reading | Diagnostic]:
        """Yield a reading of each sentence of a block of rules, or one of a whole block of steps."""
        if text.meaning == STEPS:
            yield self.sentences(text.sentences, STEPS, text.carrier, text.key)
            return
        for sentence, _ in numbered_rules(self.desk.reader, text.sentences, text.carrier):
            yield self.sentences([sentence], RULES, text.carrier, text.key)

    def written(self, text: str, meaning: str, carrier: Carrier) -> Reading | list[Diagnostic]:
        """Return a reading of sentences outside documents; or the findings."""
        source = Source("<sentence>", text)
        sentences, findings = read_block(Span(source, 0, len(text)), self.vocabulary)
        if findings or not sentences:
            return findings
        try:
            if meaning == RULES:
                sentences = [one for one, _ in numbered_rules(self.desk.reader, sentences, carrier)]
        except Flaw as wrong:
            return [wrong.finding]
        found = self.sentences(sentences, meaning, carrier, meaning)
        return [found] if isinstance(found, Diagnostic) else found

    def sentences(
        self, sentences: Sequence[ast.Sentence], meaning: str, carrier: Carrier, key: str
    ) -> Reading | Diagnostic:
        """Return a reading of some sentences together, or the finding where they are not understood."""
        span = Span(sentences[0].span.source, sentences[0].span.start, sentences[-1].span.end)
        words: Callable[[], Iterable[ast.Sentence]]
        try:
            if meaning == PROPERTIES:
                properties = [self.desk.property(one) for one in sentences]
                told = tuple(fact for one in properties for fact in property_facts(one))
                words = partial(self._properties, properties, span)
            else:
                self.desk.reader.seen_from.clear()
                self.desk.reader.taken_up.clear()
                meanings = self.understood(sentences, meaning, carrier)
                told = (*facts(meanings, self.desk.model.ruleset), *self._sides(sentences, carrier))
                words = partial(Paraphrase(self.desk, span).sentences, meanings)
        except Flaw as wrong:
            return wrong.finding
        written = tuple(self.printed(one) for one in sentences)
        # Wording the rules again reads further sentences.
        inside = [
            (one, words)
            for one, words in self.desk.reader.taken_up.items()
            if one.source is span.source and span.start <= one.start and one.end <= span.end
        ]
        taken = tuple(sorted((one.start, one.end, words) for one, words in inside))
        try:
            said = tuple(self.printed(one) for one in words())
        except Unsaid as unsaid:
            return Reading(key, span, written, (), told, str(unsaid), taken)
        return Reading(key, span, written, said, told, taken_up=taken)

    def _sides(self, sentences: Iterable[ast.Sentence], carrier: Carrier) -> Iterator[RuleFact]:
        """Yield the sides that the relative words mean in the sentences that were read last."""
        reader = self.desk.reader
        for word, side in sorted(reader.seen_from.items()):
            yield RuleFact("sides", f"`{word}`: from the side of {side}")
        words = [one for one in sentences if isinstance(one, ast.DefineIs)] if carrier.number < 0 else []
        if any(says_sides(one, relative_said(reader)) for one in words):
            yield RuleFact("sides", "from the side of the one who asks whether it is so")

    def _properties(self, properties: Iterable[Property], span: Span) -> Iterator[ast.Sentence]:
        """Yield the sentences for some properties; raises Unsaid."""
        for one in properties:
            yield from PropertyParaphrase(self.desk, span).property(one)

    def understood(self, sentences: Sequence[ast.Sentence], meaning: str, carrier: Carrier) -> tuple[Meaning, ...]:
        """Return the rules that some sentences make; raises Flaw."""
        if meaning == STEPS:
            return self.desk.steps(sentences, carrier)
        return tuple(one for sentence in sentences for one in self.desk.rules(sentence, carrier))

    def printed(self, sentence: ast.Sentence) -> str:
        """Return the canonical form of a sentence."""
        return print_sentence(sentence, self.vocabulary)

    def bearer(self, name: str = "") -> Carrier:
        """Return the carrier of a text on the document of a name; without a name, on a card of the first kind."""
        model = self.desk.model
        for number, sheet in enumerate(model.ruleset.sheets):
            kinds = {sheet.kind, *model.bearers.get(sheet.kind, ())}
            noun = next(
                (one.name for one in model.things.values() if one.base == "piece" and not kinds.isdisjoint(one.sheets)),
                "",
            )
            if sheet.name == name if name else (noun and set(model.blocks.get(sheet.kind, {}).values())):
                return Carrier(number, noun, f"{sheet.kind}/{sheet.name}")
        return self.nobody


def study(library: Library, game: str, board: Document, options: Mapping[str, str]) -> Study:
    """Return the study of the texts of a game, on a board and under some options.

    The documents are those of a loaded game; if the game was not checked, the study has the `errors` in them.
    """
    there = edition(library, game, board.name, options)
    reader, found = read_all(there.library, there.game, there.board)
    errors = [one for one in (*there.faults, *found) if one.severity == "error"]
    return Study(reader, there.library, there.game, errors)
