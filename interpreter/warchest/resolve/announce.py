"""The first pass over rule blocks: the meanings of words, and the roles of verbs."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import Label, quoted
from warchest.ir.ruleset import Role, Verb
from warchest.resolve.antecedents import nothing_more
from warchest.resolve.initial_values import key_of, value_of_act
from warchest.resolve.model import BUILT_IN_ADJECTIVES, CarriedDefinition, add_role
from warchest.resolve.phrase_nouns import thing_of
from warchest.resolve.quantities import is_noun_of_number, names_quantity, no_quantity
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import flaw
from warchest.source.records import record
from warchest.syntax import ast
from warchest.syntax.words import third_person


@record()
class Carrier:
    """The carrier of a block of rules: the number of a document (-1: none), and the kind of piece that it is."""

    number: int
    noun: str
    path: str

    @property
    def document(self) -> str:
        """The name of the carrier's document, from the path; empty if the path has no folder."""
        return self.path.split("/")[1] if "/" in self.path else ""


NO_CARRIER = Carrier(-1, "", "")
"""The carrier of texts that are on no document."""


def announce(reader: TextReader, sentence: ast.Sentence, carrier: Carrier) -> None:
    """Register a definition, so that all texts can use the word that it defines."""
    match sentence:
        case ast.DefineVerb(verb, _, _, ast.Phrase() | ast.Pronoun() | ast.Name() | ast.Letter()):
            if reader.model.verb(verb.text) is None:
                message = f"{quoted(verb.text)} is no moment of an act"
                help = "declare it under `moments:` of the verb for the act"
                raise flaw("undeclared-verb", message, verb.span, help)
        case ast.DefineVerb(verb, arguments):
            _announce_verb(reader, verb, arguments)
        case ast.DefineHolds(subject, verb, arguments):
            _refuse_no_fact(reader, subject, arguments, sentence)
            reader.model.relations.setdefault(verb.text, []).append(CarriedDefinition(sentence, carrier.number))
            reader.model.vocabulary.facts.add(verb.text)
        case ast.DefineIs():
            _announce_word(reader, sentence, carrier)
        case ast.Normally(ast.Do(_, verb, arguments)):
            _announce_permission(reader, (verb,), arguments)
        case (
            ast.May(_, verbs, arguments)
            | ast.Guarded(ast.May(_, verbs, arguments))
            | ast.Limited(_, ast.May(_, verbs, arguments))
            | ast.Guarded(ast.Limited(_, ast.May(_, verbs, arguments)))
        ):
            _announce_permission(reader, verbs, arguments)


def _refuse_no_fact(
    reader: TextReader, subject: ast.NounPhrase, arguments: ast.Arguments, sentence: ast.Sentence
) -> None:
    """Raise Flaw unless a verb relates two kinds of things, as a fact does."""
    for phrase in (subject, arguments.object):
        if not isinstance(phrase, ast.Phrase) or not isinstance(phrase.head, ast.Word) or arguments.roles:
            message = "a fact is that one thing does something to another"
            raise flaw("not-a-definition", message, sentence.span, help="say `a … VERBS a … when …`")
        thing_of(reader, phrase)


def _announce_permission(reader: TextReader, verbs: Sequence[ast.Word], arguments: ast.Arguments) -> None:
    said = [("", arguments.object), *((role.word, role.phrase) for role in arguments.roles)]
    for word in verbs:
        reader.model.permitted.update((word.text, preposition) for preposition, phrase in said if phrase is not None)


def _announce_verb(reader: TextReader, word: ast.Word, arguments: ast.Arguments) -> None:
    verb = reader.model.verb(word.text)
    if verb is None:
        message = f"{quoted(word.text)} cannot be defined"
        help = "declare it under `words: verbs:` in the game's document"
        raise flaw("undeclared-verb", message, word.span, help)
    if verb.built_in:
        message = f"{quoted(word.text)} is a word of the language and is not defined"
        help = f"hang it on the event: `when this {third_person(word.text)}, …`"
        raise flaw("declared-twice", message, word.span, help)
    said = [("", arguments.object), *((role.word, role.phrase) for role in arguments.roles)]
    for preposition, phrase in said:
        if preposition == "" and isinstance(phrase, ast.Phrase) and names_quantity(reader.model, phrase):
            add_role(verb, Role("", phrase.head.text, "number"))
        elif isinstance(phrase, ast.Phrase) and isinstance(phrase.head, ast.Word):
            if phrase.head.text in reader.model.of_acts.values():
                message = f"{quoted(phrase.span.text)} is an act, and takes part in no other one"
                raise flaw("wrong-kind", message, phrase.span, help="leave it out, and ask for it: `if …`")
            if phrase.head.text in reader.model.ruleset.singles:
                reader.model.said_with.setdefault(verb.name, {})[preposition] = phrase.head.text
            else:
                _announce_role(reader, verb, preposition, phrase.head)


def _announce_role(reader: TextReader, verb: Verb, preposition: str, head: ast.Word) -> None:
    thing = reader.model.thing(head.text)
    if is_noun_of_number(reader.model, head.text) or (thing is not None and thing.base == "number"):
        raise no_quantity(verb, preposition, head)
    if thing is None or thing.base is None:
        raise flaw("wrong-kind", f"{quoted(head.text)} is not a kind of thing", head.span)
    add_role(verb, Role(preposition, head.text, thing.base))
    if thing.base == "space" and preposition:
        reader.model.vocabulary.goes.setdefault(verb.name, preposition)


def _refuse_second(reader: TextReader, told: CarriedDefinition, noun: str) -> None:
    """Raise a flaw if the same number of the same thing is already given on this document."""
    for other in reader.model.values.get(noun, ()):
        if other.carrier == told.carrier and _words(other.sentence.subject) == _words(told.sentence.subject):
            raise flaw(
                "declared-twice",
                f"{quoted(noun)} is given twice here",
                told.sentence.span,
                help="keep one of the two",
                labels=(Label(other.sentence.span, "first here"),),
            )


def _announce_word(reader: TextReader, sentence: ast.DefineIs, carrier: Carrier) -> None:
    told = CarriedDefinition(sentence, carrier.number)
    subject, value = sentence.subject, sentence.value
    if isinstance(value, ast.Adjective):
        _announce_adjective(reader, value.word, told)
    elif (begun := value_of_act(reader.model, subject)) >= 0:
        _refuse_second(reader, told, key_of(reader.model, begun))
        reader.model.values.setdefault(key_of(reader.model, begun), []).append(told)
    elif isinstance(subject, ast.Phrase) and isinstance(subject.head, ast.Word):
        if subject.head.text in reader.model.numbers:
            _announce_value(reader, subject, subject.head.text, told)
        elif isinstance(value, ast.Phrase) and isinstance(value.head, ast.Word):
            # `a target is an enemy unit`, or `a unit is a target when …`: one of the two is the word itself.
            word, other = (value, subject) if sentence.condition else (subject, value)
            plain_noun(word)
            assert isinstance(word.head, ast.Word)
            defined, about = reader.model.thing(word.head.text), thing_of(reader, other)
            if defined is None or defined.base != about.base:
                message = f"{with_article(word.head.text)} is never {with_article(about.name)}"
                raise flaw("wrong-kind", message, other.span)
            reader.model.nouns.setdefault(word.head.text, []).append(told)
        else:
            raise flaw("not-a-definition", "this says nothing a text could use", sentence.span)
    else:
        message = "this says nothing a text could use"
        help = "say the kind of thing: `a … is … when …`"
        raise flaw("not-a-definition", message, sentence.span, help)


def _announce_adjective(reader: TextReader, word: ast.Word, told: CarriedDefinition) -> None:
    subject = told.sentence.subject
    if word.text in BUILT_IN_ADJECTIVES:
        message = f"{quoted(word.text)} is a word of the language and is not defined"
        raise flaw("declared-twice", message, word.span, help="take another word for it")
    noun = subject.head.text if isinstance(subject, ast.Phrase) else ""
    if isinstance(subject, ast.Phrase) and noun in reader.model.of_acts.values():
        plain_noun(subject)
    if noun == "number":
        raise flaw("wrong-kind", "numbers have no adjectives", subject.span, help="compare them: `is at least 2`")
    if word.text in reader.model.flags and noun in ("", reader.model.flags[word.text][0]):
        message = f"{quoted(word.text)} is kept as a field, and is not defined"
        help = f"say when it becomes so: `after …, it becomes {word.text}`"
        raise flaw("declared-twice", message, word.span, help)
    reader.model.adjectives.setdefault(word.text, []).append(told)


def _announce_value(reader: TextReader, subject: ast.Phrase, noun: str, told: CarriedDefinition) -> None:
    """Record the value of a number, for every thing of a kind or for the carrier of the text."""
    if not subject.modifiers or subject.determiner != "the":
        message = f"{quoted(subject.span.text)} does not say of what"
        raise flaw("not-definite", message, subject.span, help=f"say `the {noun} of this is …`, or `of a …`")
    assert isinstance(told.sentence, ast.DefineIs)
    if isinstance(told.sentence.value, ast.Comparison | ast.Related | ast.Away):
        message = f"{quoted(told.sentence.value.span.text)} is no number"
        raise flaw("wrong-kind", message, told.sentence.value.span, help=f"say which number the {noun} is")
    _refuse_no_owner(reader, subject, noun, told)
    if told.sentence.negated or told.sentence.condition is not None:
        part = told.sentence.condition.span if told.sentence.condition is not None else told.sentence.span
        message = f"the {noun} is one number in all cases"
        help = f"name the thing it depends on: `the {noun} of a … is … + the number of …`"
        raise flaw("not-a-definition", message, part, help)
    _refuse_second(reader, told, noun)
    reader.model.values.setdefault(noun, []).append(told)


def _refuse_no_owner(reader: TextReader, subject: ast.Phrase, noun: str, told: CarriedDefinition) -> None:
    """Raise Flaw unless a number belongs to `this`, or to all things of one kind."""
    of_this = isinstance(subject.modifiers[0], ast.Related) and isinstance(subject.modifiers[0].phrase, ast.Pronoun)
    if told.carrier >= 0 and not of_this:
        message = "a card says what its own numbers are, and no others"
        raise flaw("not-a-definition", message, subject.span, help=f"say `the {noun} of this is …`")
    nothing_more(subject, subject.adjectives, subject.modifiers[1:])
    of = subject.modifiers[0]
    if not isinstance(of, ast.Related) or of.preposition != "of":
        message = f"{quoted(subject.span.text)} does not say of what"
        raise flaw("not-definite", message, of.span, help=f"say `the {noun} of this is …`, or `of a …`")
    if isinstance(of.phrase, ast.Phrase):
        plain_noun(of.phrase)
        kind = reader.model.thing(of.phrase.head.text)
        if kind is not None and (kind.parent or len(kind.kinds) > 1):
            message = f"not every {kind.name} is of one kind"
            help = f"say it of each kind, as in `the {noun} of a …`"
            raise flaw("not-a-definition", message, of.phrase.span, help)


def plain_noun(phrase: ast.Phrase) -> None:
    """Raise Flaw for a phrase that restricts the noun of a kind, where a definition applies to the whole kind."""
    more = (*phrase.adjectives, *phrase.modifiers, *((phrase.count,) if phrase.count else ()))
    if more or phrase.determiner not in ("a", "an"):
        span = more[0].span if more else phrase.span
        message = f"{quoted(phrase.span.text)} is more than a kind of thing"
        help = "say the kind of thing here, and the condition after `when`"
        raise flaw("not-a-definition", message, span, help)


def _words(subject: ast.NounPhrase) -> str:
    return subject.span.one_line
