"""Tokens of a sentence: each word is typed by the vocabulary and by the terminals that the parser accepts there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from warchest.source.records import record
from warchest.source.text import Span
from warchest.syntax.automaton import Automaton, Token
from warchest.syntax.words import Vocabulary

UNKNOWN = "UNKNOWN"
_VERBS = ("VERB", "VERBS")
NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""Numbers that may be written in words, the first being 1."""
_OF_STATES = ("when", "always", "never", "sometimes")
"""The first words of sentences in which a word for a state and for an act is that for the state."""
_GENITIVE = "'s"
_ONE_WORD = ("it's", "that's", "there's", "here's", "he's", "she's", "who's", "what's", "let's")
"""Words that are short for two, so that their `'s` is no genitive."""
# Numbers are matched only where their digits begin: a long one would be read again and again.
_RAW = re.compile(r"[ \t\r\n]+|#[^\n]*|(?<![0-9])[0-9]++(?:-[0-9]++\b|\b)|[A-Za-z][A-Za-z'-]*|.", re.DOTALL)


@record()
class Raw:
    """A run of characters that could be a word, a number or a sign, before it is typed."""

    text: str
    start: int
    end: int


def scan(text: str, start: int, end: int) -> list[Raw]:
    """Cut `text[start:end]` into raw tokens, leaving out white space and comments."""
    return [
        Raw(found, match.start(), match.end())
        for match in _RAW.finditer(text, start, end)
        if (found := match[0])[0] != "#" and not found.isspace()
    ]


def cut(raw: list[Raw]) -> list[list[Raw]]:
    """Return the tokens of each sentence, with its full stop; the last sentence may lack one."""
    sentences: list[list[Raw]] = [[]]
    for token in raw:
        sentences[-1].append(token)
        if token.text == ".":
            sentences.append([])
    return [sentence for sentence in sentences if sentence]


def with_genitives(raw: list[Raw], vocabulary: Vocabulary) -> list[Raw]:
    """Return the tokens of a sentence with each genitive `'s` cut off as signs of its own, except within a name."""
    if not any(token.text.endswith(_GENITIVE) for token in raw):
        return raw
    found, left = list[Raw](), 0
    for place, token in enumerate(raw):
        left = max(left - 1, _named(raw, place, vocabulary))
        if left or not token.text.endswith(_GENITIVE) or token.text.lower() in _ONE_WORD:
            found.append(token)
            continue
        end = token.end - len(_GENITIVE)
        found += (Raw(token.text[: -len(_GENITIVE)], token.start, end), Raw("'", end, end + 1))
        found.append(Raw("s", end + 1, token.end))
    return found


def _named(raw: list[Raw], place: int, vocabulary: Vocabulary) -> int:
    """Return the number of tokens that belong to a word of the vocabulary, the last perhaps without its `'s`."""
    rows = vocabulary.by_first.get(raw[place].text, ())
    found = [len(words) for words in rows if _matches(raw, place, words)]
    found += [len(words) - 1 for words in rows if _matches(raw, place, (*words[:-1], words[-1] + _GENITIVE))]
    return max(found, default=0)


def begun_small(raw: list[Raw], vocabulary: Vocabulary) -> list[Raw]:
    """Return the tokens of a sentence, the first with a small letter, as printed cards begin with a capital.

    A name keeps its capital.
    """
    if not raw or not raw[0].text[0].isupper():
        return raw
    first = raw[0]
    if any(_matches(raw, 0, words) for words in vocabulary.by_first.get(first.text, ())):
        return raw
    return [Raw(small(first.text), first.start, first.end), *raw[1:]]


def small(word: str) -> str:
    """Return a word with its first letter small."""
    return word[:1].lower() + word[1:]


@record()
class SentenceInput:
    """The input of the parser: the raw tokens of one sentence and the words they may be."""

    span: Span
    raw: list[Raw]
    vocabulary: Vocabulary


class WordLexer:
    """Types the words of sentences; the function words are read off the grammar's own terminals."""

    def __init__(self, terminals: Mapping[str, str]) -> None:
        self.phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for terminal, pattern in terminals.items():
            for phrase in _alternatives(pattern):
                words = tuple(raw.text for raw in scan(phrase, 0, len(phrase)))
                self.phrases.setdefault(words[0], []).append((words, terminal))

    def lex(self, sentence: SentenceInput, parser: Automaton) -> Iterator[Token]:
        """Yield the tokens of a sentence; the parser must move on after each of them."""
        position, raw = 0, with_genitives(sentence.raw, sentence.vocabulary)
        while position < len(raw):
            terminal, value, length = self._best(raw, position, sentence.vocabulary, parser)
            yield Token.of(terminal, value, raw[position].start, raw[position + length - 1].end)
            position += length

    def unknown(self, sentence: SentenceInput) -> Iterator[Raw]:
        """Yield the tokens of a sentence that are not the beginning of any word of the language or the vocabulary."""
        position, raw = 0, with_genitives(sentence.raw, sentence.vocabulary)
        while position < len(raw):
            candidates = self._candidates(raw, position, sentence.vocabulary)
            if not candidates:
                yield raw[position]
            position += max((length for _, _, length in candidates), default=1)

    def _best(self, raw: list[Raw], position: int, vocabulary: Vocabulary, parser: Automaton) -> tuple[str, str, int]:
        candidates = self._candidates(raw, position, vocabulary)
        if len(candidates) < 2:
            return candidates[0] if candidates else (UNKNOWN, raw[position].text, 1)
        usable = [candidate for candidate in candidates if parser.accepts(candidate[0])] or candidates
        # A word can name both a state of a thing and an act done to it: it is an event, except after these beginnings.
        event = "" if raw[0].text in _OF_STATES else "VERBED"
        # Distances are counted in spaces, so after a number (`whose height is 2 …`) a word that can be a verb is one.
        # The same holds after `that`, unless another verb follows: `a place that guard holds`.
        is_doer = _is_doer(raw, position, vocabulary)
        return max(usable, key=lambda one: (one[2], one[0] == event, (one[0] in _VERBS) != is_doer))

    def _candidates(self, raw: list[Raw], position: int, vocabulary: Vocabulary) -> list[tuple[str, str, int]]:
        text = raw[position].text
        if text[0] in "0123456789":
            return [("SPAN" if "-" in text else "NUMBER", text, 1)]
        found = [
            (terminal, " ".join(words), len(words))
            for words, terminal in self.phrases.get(text, ())
            if _matches(raw, position, words)
        ]
        if text in NUMBER_WORDS:
            found.append(("NUMBER", str(NUMBER_WORDS.index(text) + 1), 1))
        for words in vocabulary.by_first.get(text, ()):
            if _matches(raw, position, words):
                kinds = vocabulary.entries[words]
                found.extend((terminal, lexeme, len(words)) for terminal, lexeme in kinds.items())
        return found


def _is_doer(raw: list[Raw], position: int, vocabulary: Vocabulary) -> bool:
    """Whether a word after `that` is the subject of the verb that follows it in the third person."""
    if position == 0 or raw[position - 1].text != "that" or position + 1 >= len(raw):
        return False
    return "VERB" in vocabulary.kinds(raw[position].text) and "VERBS" in vocabulary.kinds(raw[position + 1].text)


def _matches(raw: list[Raw], position: int, words: tuple[str, ...]) -> bool:
    return tuple([one.text for one in raw[position : position + len(words)]]) == words


def _alternatives(pattern: str) -> list[str]:
    """Return the spellings of a terminal: Lark joins them to a pattern such as `(?:is|are)`."""
    if pattern.startswith("(?:"):
        pattern = pattern[3:-1]
        return [part.replace("\\", "") for part in pattern.split("|")]
    return [pattern]
