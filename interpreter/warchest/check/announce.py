"""The first pass over rule blocks: what words mean, and what verbs are said with."""

from __future__ import annotations

from dataclasses import dataclass

from warchest.check.model import Told, add_role
from warchest.check.steps import StepReader
from warchest.check.types import flaw
from warchest.diagnostics.diagnostic import Label, quoted
from warchest.rules.ruleset import Role, Verb
from warchest.syntax import ast


@dataclass(frozen=True, slots=True)
class Carrier:
    """What a block of rules stands on: a document by number (-1: none), with the kind of piece it is."""

    number: int
    noun: str
    path: str


class Announcer(StepReader):
    """Takes note of definitions, so that all texts can use what they define."""

    def announce(self, sentence: ast.Sentence, carrier: Carrier) -> None:
        """Take note of a definition, so that all texts can use what it defines."""
        match sentence:
            case ast.DefineVerb(verb, arguments):
                self._announce_verb(verb, arguments)
            case ast.DefineHolds(_, verb):
                self.model.relations.setdefault(verb.text, []).append(Told(sentence, carrier.number))
            case ast.DefineIs():
                self._announce_word(sentence, carrier)

    def _announce_verb(self, word: ast.Word, arguments: ast.Arguments) -> None:
        verb = self.model.verb(word.text)
        if verb is None:
            raise flaw("undeclared-verb", f"{quoted(word.text)} cannot be defined", word.span,
                       help="declare it under `words: verbs:` in the game's document")  # fmt: skip
        said = [("", arguments.object), *((role.word, role.phrase) for role in arguments.roles)]
        for preposition, phrase in said:
            if isinstance(phrase, ast.Phrase) and isinstance(phrase.head, ast.Word):
                self._announce_role(verb, preposition, phrase.head)

    def _announce_role(self, verb: Verb, preposition: str, head: ast.Word) -> None:
        if head.text in self.model.ruleset.singles:
            return
        thing = self.model.thing(head.text)
        if thing is None or thing.base is None:
            raise flaw("wrong-kind", f"{quoted(head.text)} is not a kind of thing", head.span)
        add_role(verb, Role(preposition, head.text, thing.base))

    def _refuse_second(self, told: Told, noun: str) -> None:
        """Raise a flaw where the same number of the same thing has been given on this document already."""
        for other in self.model.values.get(noun, ()):
            if other.carrier == told.carrier and _words(other.sentence.subject) == _words(told.sentence.subject):
                raise flaw("declared-twice", f"{quoted(noun)} is given twice here", told.sentence.span,
                           help="keep one of the two", labels=(Label(other.sentence.span, "first here"),))  # fmt: skip

    def _announce_word(self, sentence: ast.DefineIs, carrier: Carrier) -> None:
        told = Told(sentence, carrier.number)
        subject, value = sentence.subject, sentence.value
        if isinstance(value, ast.Adjective):
            self.model.adjectives.setdefault(value.word.text, []).append(told)
        elif isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word):
            head = subject.head.text
            if head in self.model.numbers:
                if subject.determiner == "the" and not subject.modifiers:
                    raise flaw("not-definite", f"{quoted(subject.span.text)} does not say of what", subject.span,
                               help=f"say `the {head} of this is …`, or `of a …`")  # fmt: skip
                self._refuse_second(told, head)
                self.model.values.setdefault(head, []).append(told)
            elif isinstance(value, ast.Phrase) and isinstance(value.head, ast.Word) and sentence.condition:
                self.model.nouns.setdefault(value.head.text, []).append(told)
            elif isinstance(value, ast.Phrase):
                self.model.nouns.setdefault(head, []).append(told)
            else:
                raise flaw("not-a-definition", "this says nothing a text could use", sentence.span)


def _words(subject: ast.NounPhrase) -> str:
    return " ".join(subject.span.text.split())
