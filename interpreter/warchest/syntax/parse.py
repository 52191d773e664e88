"""Parse a block of text: cut it at the full stops, and parse each sentence by itself.

One bad sentence gives one finding and leaves the others alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, quoted
from warchest.diagnostics.suggest import alternatives, damerau, nearest
from warchest.source.data import data_folder
from warchest.source.limits import MAX_DIGITS, MAX_TOKENS
from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.automaton import Automaton, Token, Unexpected
from warchest.syntax.build import Builder
from warchest.syntax.lexer import UNKNOWN, Raw, SentenceInput, WordLexer, begun_small, cut, scan
from warchest.syntax.table import END, table_of
from warchest.syntax.words import NAMES, Vocabulary, third_person

_SELDOM = frozenset({"AGAIN", "ONCE", "TWICE", "UP_TO"})
"""The terminals that fit after almost any act, and are listed only where few are expected."""
_PLAIN_WORDS = {
    "NOUN": "a noun",
    "ADJ": "an adjective",
    "NAME": "a name",
    "NAMES": "names",
    "PARAMETER": "a parameter",
    "VERB": "a verb",
    "VERBS": "a verb",
    "VERBED": "a participle",
    "ADV": "an adverb",
    "NUMBER": "a number",
    "DET": "`the` or `a`",
    "PRONOUN": "`this` or `it`",
    "DOT": "a full stop",
}

_GENITIVE = "_GENITIVE"
_WHO_DOES = frozenset({_GENITIVE, "_TURN_OF_WHOM", "VERB", "VERBS"})
"""The terminals after a phrase that can only be a possessor or a subject."""
MAX_LOOKED_AT = 60
"""The most words of a sentence in which more than one fault is looked for."""
MOST_GUESSES = 3
"""The most words that are guessed for a misspelt one."""
SURE = 5
"""The fewest letters of a word in which one wrong letter is corrected without a doubt."""
_NO_SIGN = "leave it out; sentences are made of words, names, numbers, and the signs `,` `:` and `.`"


class _Parser:
    """The parser with its table, which is the same for every game."""

    def __init__(self, grammar: Path) -> None:
        self.builder = Builder()
        self.table = table_of(grammar.read_text(encoding="utf-8"))
        self.lexer = WordLexer(self.table.terminals)
        self._builds = [self.builder.of(one.name) for one in self.table.productions]
        terminals = {symbol for state in self.table.states for symbol in state if symbol.isupper()}
        self._takes = {one: take for one in terminals if (take := self.builder.token(one)) is not None}

    def automaton(self) -> Automaton:
        """Return an automaton at the beginning of a sentence."""
        return Automaton(self.table, self._builds, self._takes)

    def parse(self, sentence: SentenceInput) -> ast.Sentence:
        """Return the tree of a sentence; raises Unexpected where the grammar does not take it."""
        self.built(sentence)
        return self.builder.read

    def built(self, sentence: SentenceInput) -> object:
        """Build a sentence by the functions for the productions; raises Unexpected as `parse` does."""
        self.builder.source, self.builder.vocabulary = sentence.span.source, sentence.vocabulary
        automaton, last = self.automaton(), None
        for token in self.lexer.lex(sentence, automaton):
            automaton.feed(token)
            last = token
        return automaton.end(last)

    def at_its_beginning(self, sentence: SentenceInput, error: Unexpected) -> Unexpected:
        """Return an error at the first word of a phrase that does not fit, where it was noticed only at its end.

        Any phrase can still go on as a possessor or a subject, so the words of a misplaced one are taken at first.
        """
        if error.token.type == UNKNOWN or not {_GENITIVE} <= error.expected <= _WHO_DOES:
            return error
        automaton, found = self.automaton(), error
        for token in self.lexer.lex(sentence, automaton):
            if token.start_pos >= error.token.start_pos:
                break
            if token.type == "DET":
                found = Unexpected(token, automaton.named() - {"DET"})
            automaton.feed(token)
        return found


@lru_cache(maxsize=1)
def _parser() -> _Parser:
    return _Parser(data_folder("grammar") / "sentence.lark")


def automaton_and_lexer(source: Source, vocabulary: Vocabulary) -> tuple[Automaton, WordLexer]:
    """Return an automaton at the beginning of a sentence in a source, and the lexer for its words."""
    parser = _parser()
    parser.builder.source, parser.builder.vocabulary = source, vocabulary
    return parser.automaton(), parser.lexer


def parse_block(span: Span, vocabulary: Vocabulary) -> tuple[list[ast.Sentence], list[Diagnostic]]:
    """Parse all sentences in `span`; return the sentences that parse, and a finding for each other."""
    sentences: list[ast.Sentence] = []
    findings: list[Diagnostic] = []
    for raw in cut(scan(span.source.text, span.start, span.end)):
        place = Span(span.source, raw[0].start, raw[-1].end)
        if raw[-1].text != ".":
            wrong, is_whole = _wrong_otherwise(raw, place, vocabulary)
            help = "end every sentence with `.`" if is_whole else "finish what it says, and end it with a full stop"
            findings += [no_full_stop(_end(place), help, is_whole), *wrong]
            continue
        parsed = _parse(SentenceInput(place, begun_small(raw, vocabulary), vocabulary))
        if isinstance(parsed, list):
            findings.extend(parsed)
        else:
            sentences.append(parsed)
    return sentences, findings


def _wrong_otherwise(raw: list[Raw], place: Span, vocabulary: Vocabulary) -> tuple[list[Diagnostic], bool]:
    """Return the other findings in a sentence without a full stop, and whether a full stop could end it."""
    ended = [*raw, Raw(".", place.end, place.end)]
    parsed = _parse(SentenceInput(place, begun_small(ended, vocabulary), vocabulary))
    found = [one for one in parsed if one.span is not None] if isinstance(parsed, list) else []
    # The added full stop has no letter of the text, and neither have findings on it.
    others = [one for one in found if one.span is not None and one.span.start < one.span.end]
    return others, len(others) == len(found)


def no_full_stop(place: Span, help: str, is_whole: bool = True) -> Diagnostic:
    """Return the finding that a sentence has no full stop, which belongs after the place if the sentence `is_whole`."""
    fix = Fix.put(Span(place.source, place.end, place.end), ".") if is_whole else None
    return report("missing-full-stop", "the sentence has no full stop", place, help=help, fix=fix)


def _end(span: Span) -> Span:
    return Span(span.source, span.end - 1, span.end)


def _parse(sentence: SentenceInput) -> ast.Sentence | list[Diagnostic]:
    """Return the parsed sentence, or the findings about it."""
    too_much = _too_much(sentence)
    if too_much is not None:
        return [too_much]
    try:
        return _parser().parse(sentence)
    except Unexpected as failed:
        error = _parser().at_its_beginning(sentence, failed)
        stops = [] if error.token.type == UNKNOWN else _missing_stops(sentence)
        if stops:
            return stops
        found = _finding(error.token, set(error.expected), sentence)
        return [found, *_also_unknown(sentence, found)]
    except RecursionError:
        return [report("syntax-error", "the sentence is nested too deeply", sentence.span)]


def _missing_stops(sentence: SentenceInput) -> list[Diagnostic]:
    """Find sentences on successive lines without a full stop between them, so that each can be read."""
    raw, found = sentence.raw, list[Diagnostic]()
    if not raw or _place(sentence, 0).line == _place(sentence, len(raw) - 1).line:
        return []
    begin = 0
    for end in range(1, len(raw) + 1):
        if end < len(raw) and _place(sentence, end).line == _place(sentence, end - 1).line:
            continue
        stop = Raw(".", raw[end - 1].end, raw[end - 1].end)
        part = raw[begin:end] if end == len(raw) else [*raw[begin:end], stop]
        if not _reads(SentenceInput(sentence.span, begun_small(part, sentence.vocabulary), sentence.vocabulary)):
            continue
        if end < len(raw):
            found.append(no_full_stop(_place(sentence, end - 1), f"end it here: `{raw[end - 1].text}.`"))
        begin = end
    return found if begin == len(raw) else []


def _place(sentence: SentenceInput, position: int) -> Span:
    raw = sentence.raw[position]
    return Span(sentence.span.source, raw.start, raw.end)


def _reads(sentence: SentenceInput) -> bool:
    """Whether the grammar takes a sentence."""
    try:
        _parser().parse(sentence)
    except (Unexpected, RecursionError):
        return False
    return True


def _also_unknown(sentence: SentenceInput, first: Diagnostic) -> Iterator[Diagnostic]:
    """Find the words after the first finding that are in no vocabulary either."""
    assert first.span is not None
    if len(sentence.raw) > MAX_LOOKED_AT:
        return
    for raw in _parser().lexer.unknown(sentence):
        if raw.start >= first.span.end and _is_slip(raw.text, sentence.vocabulary):
            yield _unknown(Span(sentence.span.source, raw.start, raw.end), frozenset(), sentence)


def _is_slip(word: str, vocabulary: Vocabulary) -> bool:
    """Whether the correction of a word is certain, so that it need not wait for others."""
    if vocabulary.instead_of(word):
        return True
    guess = nearest(word, vocabulary.spellings() + function_words()) if word.islower() and len(word) >= SURE else ""
    return bool(guess) and damerau(word, guess) == 1


def _too_much(sentence: SentenceInput) -> Diagnostic | None:
    """Find a sentence, or a number, that is too long to be meant."""
    if len(sentence.raw) > MAX_TOKENS:
        return report(
            "syntax-error",
            f"the sentence has more than {MAX_TOKENS} words",
            sentence.span,
            help="cut it into several, or name a part of it: `to …: …`",
        )
    for raw in sentence.raw:
        if raw.text[0] in "0123456789" and any(len(part) > MAX_DIGITS for part in raw.text.split("-")):
            span = Span(sentence.span.source, raw.start, raw.end)
            return report("syntax-error", f"{quoted(raw.text)} is too large a number", span)
    return None


def _finding(token: Token, expected: set[str], sentence: SentenceInput) -> Diagnostic:
    source = sentence.span.source
    if token.type == END:
        return report("syntax-error", "the sentence ends too early", _end(sentence.span), help=_expectation(expected))
    span = Span(source, token.start_pos, token.end_pos)
    if token.type == UNKNOWN:
        return _unknown(span, frozenset(expected), sentence)
    return report("syntax-error", f"{quoted(span.text)} does not fit here", span, help=_expectation(expected))


def _unknown(span: Span, expected: frozenset[str], sentence: SentenceInput) -> Diagnostic:
    """The finding for a word that is in no vocabulary, or for a sign that the language does not have."""
    text = span.source.text
    while span.end < sentence.span.end and _is_letter(text[span.start]) and _is_letter(text[span.end]):
        span = Span(span.source, span.start, span.end + 1)
    odd = next((letter for letter in span.text if _is_letter(letter) and not letter.isascii()), "")
    if odd:
        return report(
            "unknown-word",
            f"unknown word {quoted(span.text)}",
            span,
            help=f"`{odd}` (U+{ord(odd):04X}) is no plain letter; write the word with letters from A to Z",
        )
    if not text[span.start].isalnum():
        return report("unknown-word", f"unknown sign {quoted(span.text)}", span, help=_NO_SIGN)
    said = sentence.vocabulary.instead_of(span.text)
    if said:
        return report("unknown-word", f"unknown word {quoted(span.text)}", span, help=said)
    guesses = _guesses(span.text, expected, sentence.vocabulary)[:MOST_GUESSES]
    said = " or ".join(f"`{one}`" for one in guesses)
    help = f"did you mean {said}?" if said else _declare(span, expected, sentence)
    return report("unknown-word", f"unknown word {quoted(span.text)}", span, help=help)


def _guesses(word: str, expected: frozenset[str], vocabulary: Vocabulary) -> list[str]:
    """Return the words that were probably meant: the nearest ones, beginning with those that fit at the place."""
    fitting = alternatives(word, (vocabulary.spellings(expected) or vocabulary.spellings()) + function_words(expected))
    others = alternatives(word, function_words()) or alternatives(word, function_words(within=True))
    if not fitting or not others:
        return fitting or others
    far, near = damerau(word, fitting[0]), damerau(word, others[0])
    if far == near:
        return list(dict.fromkeys((*fitting, *others)))
    return others if near < far else fitting


def _declare(span: Span, expected: frozenset[str], sentence: SentenceInput) -> str:
    """Return help on declaring a word of one's own in a folder of cards, with an example where its kind is plain."""
    following = next((raw.text for raw in sentence.raw if raw.start >= span.end), "")
    noun = sentence.vocabulary.kinds(following).get("NOUN")
    if "ADJ" in expected and noun is not None:
        defined = f"{with_article(noun)} is {span.text} when …"
        entry = f"adjectives: [{span.text}]"
        return f"a word of your own is declared: {declaring(span.text, entry)}, and define it: `{defined}`"
    if "VERB" in expected and "ADJ" not in expected:
        verb = _plain_form(span.text)
        entry = f"verbs: {{{verb}: {{by: player}}}}"
        return f"a word of your own is declared: {declaring(verb, entry)}, and define it: `to {verb}: …`"
    return "a word of your own is declared in a document that begins `words: My words`, and then defined"


def declaring(word: str, entry: str) -> str:
    """Return the declaration of a word of one's own, with its entry in the document."""
    return f"put the lines `words: {word.capitalize()} words`, `{entry}` and `---` in front of this document"


def _plain_form(word: str) -> str:
    """Return the verb that a word is a form of, judging by its end."""
    if len(word) > len("dies") and third_person(f"{word[:-3]}y") == word:
        return f"{word[:-3]}y"
    for short in (1, 2):
        if third_person(word[:-short]) == word:
            return word[:-short]
    return word


def _is_letter(character: str) -> bool:
    return character.isalpha() or "\u0300" <= character <= "\u036f"


def function_words(expected: frozenset[str] = frozenset(), within: bool = False) -> list[str]:
    """Return the first words of the language's own phrases (`within`: further words), for some terminals or for all."""
    found: list[str] = []
    for phrases in _parser().lexer.phrases.values():
        for words, terminal in phrases:
            if not expected or terminal in expected:
                found += words[1:] if within else words[:1]
    return [word for word in found if word.isalpha()]


def begins_word(word: str, vocabulary: Vocabulary) -> bool:
    """Whether a word is one of the language or of the vocabulary, or begins one of several words."""
    lexer = _parser().lexer
    return word in vocabulary.by_first or word in lexer.phrases


def is_word(words: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether the words spell a word (but not a name) of the language or of the vocabulary."""
    lexer = _parser().lexer
    spelling = tuple(words)
    if vocabulary.entries.get(spelling, {}).keys() - NAMES:
        return True
    return any(phrase == spelling for phrase, _ in lexer.phrases.get(words[0], ()))


def _expectation(expected: set[str]) -> str:
    names = _parser().table.terminals
    words = set()
    for terminal in expected - _SELDOM if len(expected) > len(_SELDOM) else expected:
        spelling = names.get(terminal, "")
        plain = spelling.replace("\\ ", " ").removeprefix("(?:").removesuffix(")").split("|")[0]
        words.add(_PLAIN_WORDS.get(terminal) or (f"`{plain}`" if plain else ""))
    listed = sorted(word for word in words if word)
    shown = ", ".join(listed[:8]) + (", …" if len(listed) > 8 else "")
    return f"expected {shown}" if shown else ""
