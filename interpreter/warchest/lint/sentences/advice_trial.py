"""Trial of advice before it is given: the advised words are put into the text, and the sentence is read with them.

Words that are rejected there are not advised, even if they are right elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from warchest.diagnostics.diagnostic import Diagnostic, Fix
from warchest.documents.library import Document, Library
from warchest.ir.ruleset import Role
from warchest.lint.sentences.phrasing import begin_of
from warchest.lint.sentences.wholes import OF_ONE, RULE
from warchest.resolve.resolve import Parsed, Text, texts_of
from warchest.resolve.single_sentences import Desk
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw
from warchest.source.text import Source, Span
from warchest.syntax import ast
from warchest.syntax.agreement import read_block
from warchest.syntax.words import Vocabulary

_SAID = re.compile(
    r"(?P<verb>say|write|did you mean) (?P<words>`[^`]+`(?:(?:,? or |, )`[^`]+`)*)(?P<rest>.*)", re.DOTALL
)
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9'’-]*")
PART = 4
"""The fewest words that can replace a whole part of a sentence."""
_SMALL = ("by", "of", "a", "an", "the", "up", "to")
_QUOTED = re.compile(r"`([^`]+)`")
_BEFORE = (". ", ".\n", "|\n")
"""The signs that precede a sentence."""
_NEXT_KEY = re.compile(r"\n(?=[^\s#])")
_OTHERS = re.compile(r"\bor\b|\belse\b|[…;]")
"""The signs of further advice, so that more than one correction is possible."""
_NEAR = "did you mean"
"""The beginning of advice on a misspelt word that can only mean one known word."""
_ELSE = re.compile(r",? or (?P<help>[a-z].*)", re.DOTALL)
MOST_TRIED = 100
"""The budget of a game: the most findings whose advice is tried."""
MOST_BACK = 4
"""The most words before the marked one at which a missing comma is tried."""
NEXT_WORD = 12
"""The number of letters around a change within which a rejection counts against it."""
LONGEST_PART = 80
_OWNER_OF = re.compile(r"the owner of (?:the|that) (?:[a-z]+ )*?([a-z]+)[.`,]")
WITH_LINES = "in front of this document, and write `"
"""The mark of advice with declarations: without these, its sentence would be rejected, so it is not tried."""
SMALL = "write the word in small letters"
COMMA = "put a comma after the first part"
_LONGEST = 4_000
"""The most letters of a block in which advice is tried."""


@dataclass(slots=True)
class AdviceTrial:
    """Tries advice on the texts of a game; without a reader, sentences are only parsed."""

    vocabulary: Vocabulary
    reader: TextReader | None = None
    library: Library | None = None
    game: Document | None = None
    parsed: Parsed = field(default_factory=dict)
    """The blocks of the game that are parsed already."""
    _left: int = MOST_TRIED

    def movers(self) -> list[str]:
        """Return the verbs for acts that move the acting piece to another space."""
        verbs = self.reader.model.ruleset.verbs if self.reader is not None else ()
        return [one.name for one in verbs if one.by == "piece" and any(_leads(role) for role in one.roles)]

    def is_fact(self, verb: str) -> bool:
        """Whether a verb can state a fact, as in `you control it`."""
        return self.reader is not None and verb in self.reader.model.relations

    def with_owners(self, help: str) -> str:
        """Return advice about an owner; for a thing without one, it names the field of the thing that holds a player."""
        said = _OWNER_OF.search(help)
        thing = self.reader.model.thing(said[1]) if said is not None and self.reader is not None else None
        if thing is None or thing.base == "piece" or self.reader is None:
            return help
        declared, fields = self.reader.model.fields, self.reader.model.ruleset.fields
        numbered = [(name, number) for name, kept in declared.items() for of, number in kept if of == thing.name]
        whose = [name for name, number in numbered if fields[number].base == "player"]
        return help.replace("the owner of", f"the {whose[0]} of") if len(whose) == 1 else ""

    def accepts(self, span: Span, help: str) -> bool:
        """Whether the whole sentence in a help (if any) is accepted in place of the sentence at a span."""
        whole = _whole_in(help)
        place = _sentence_at(span)
        return not whole or "…" in whole or place is None or self._fault(place, f" {whole}") is None

    def of(self, found: Diagnostic, otherwise: str = "") -> Diagnostic:
        """Return a finding with the part of its advice that is accepted at its place, or with other help."""
        if found.span is None or self._left <= 0 or WITH_LINES in found.help:
            return found
        self._left -= 1
        said = _SAID.match(found.help)
        if said is not None:
            return self._in_place(found, found.span, said, otherwise)
        whole = _whole_in(found.help)
        if whole:
            return found if "…" in whole else self._whole(found, found.span, whole, otherwise)
        if found.help.startswith("leave it out"):
            return self._without(found, found.span)
        if found.help == SMALL:
            fits = self._fault(found.span, found.span.text.lower()) is None
            return replace(found, fix=Fix.put(found.span, found.span.text.lower())) if fits else found
        if found.help.startswith(COMMA):
            return self._with_comma(found, found.span, otherwise)
        change = _change(found.help, found.span)
        fault = self._fault(*change) if change is not None else None
        if fault is not None:
            return self._otherwise(found, _elsewhere(fault), otherwise)
        return replace(found, fix=Fix.put(*change)) if change is not None else found

    def _otherwise(self, found: Diagnostic, help: str, otherwise: str) -> Diagnostic:
        """Return a finding with another help; if that is empty, with the accepted part of the parser's own help."""
        if help or otherwise in ("", found.help):
            return replace(found, help=help)
        return self.of(replace(found, help=otherwise))

    def _without(self, found: Diagnostic, span: Span) -> Diagnostic:
        """Return a finding on words to leave out, with other help if the sentence is rejected without them."""
        text = span.source.text
        if text[span.end : span.end + 1] == "." and text[: span.start].rstrip().endswith((".", "|")):
            return replace(found, help=found.help.replace("leave it out", "leave this sentence out", 1))
        is_followed = text[span.end : span.end + 1] == " "
        place = span.source.span(span.start, span.end + is_followed)
        fault = self._fault(place, "")
        if fault is None:
            return replace(found, fix=Fix.put(place, ""))
        reason = found.help.partition("; ")[2]
        help = "its place needs another word"
        if reason or fault.help.startswith("expected "):
            help += f"; {reason}" if reason else f": {fault.help}"
        return replace(found, help=help)

    def _with_comma(self, found: Diagnostic, span: Span, otherwise: str) -> Diagnostic:
        """Return a finding with the place of a missing comma, which may be some words before the marked word."""
        text, fault = span.source.text, None
        start = begin_of(text, span.start, _BEFORE)
        words = list(re.finditer(r"\S+", text[start : span.start]))
        for last in range(len(words), max(0, len(words) - MOST_BACK), -1):
            place = start + words[last - 1].end()
            wrong = self._fault(span.source.span(place, place), ",", NEXT_WORD)
            if wrong is None:
                first = span.source.span(start, place).one_line
                help = f"{COMMA}: `{first}, …`" if len(first) <= LONGEST_PART else found.help
                return replace(found, help=help, fix=Fix.put(span.source.span(place, place), ","))
            fault = fault or wrong
        return self._otherwise(found, _elsewhere(fault) if fault is not None else "", otherwise)

    def _whole(self, found: Diagnostic, span: Span, sentence: str, otherwise: str) -> Diagnostic:
        """Return a finding with a whole sentence to write, if it is accepted."""
        place = _sentence_at(span)
        if place is None:
            return found
        if self._fault(place, f" {sentence}") is None:
            start = place.end - len(place.text.lstrip())
            place = place.source.span(start, place.end)
            return replace(found, fix=Fix.put(place, sentence, is_safe=_is_in_order(place.text, sentence)))
        if found.help.startswith("put this part first") and len(span.text.split()) == 1:
            return replace(found, help=f"{found.help.partition('`')[0]}`{span.text} …, …`")
        if found.help.startswith(OF_ONE):
            return replace(found, help=f"{OF_ONE}: `{RULE.split(sentence)[0]} …`")
        return self._otherwise(found, "", otherwise)

    def _in_place(self, found: Diagnostic, span: Span, said: re.Match[str], otherwise: str) -> Diagnostic:
        """Return a finding with only the alternatives that are accepted in its place."""
        words = _QUOTED.findall(said["words"])
        whole = [one for one in words if len(one.split()) >= PART and "…" not in one]
        is_only = not _OTHERS.search(said["rest"])
        parts = [(part, one) for one in whole for part in _parts(span)]
        # If only a part fits that has further words, the advice is right, but it is no fix.
        for part, one in sorted(parts, key=lambda pair: _leaves_out(pair[0], span, pair[1])):
            if self._fault(part, one) is None:
                is_fix = len(words) == 1 and is_only and not _leaves_out(part, span, one)
                return replace(found, fix=Fix.put(part, one) if is_fix else None)
        place, faults = self._placed(span, words)
        fitting = [one for one in words if faults.get(one) is None]
        found = replace(found, span=place) if fitting else found
        is_only = is_only and (len(words) == 1 or said["verb"] == _NEAR)
        if is_only and len(fitting) == 1 and "…" not in fitting[0]:
            found = replace(found, fix=Fix.put(place, fitting[0]))
        if len(fitting) == len(words):
            return found
        if fitting:
            kept = " or ".join(f"`{one}`" for one in fitting)
            return replace(found, help=f"{said['verb']} {kept}{said['rest']}")
        rest = said["rest"].removeprefix("?")
        other = _ELSE.match(rest)
        if other is not None:
            return replace(found, help=other["help"])
        fault = next(one for one in faults.values() if one is not None)
        return self._otherwise(found, _weaker(found, words, fault), otherwise)

    def _placed(self, span: Span, words: Sequence[str]) -> tuple[Span, dict[str, Diagnostic | None]]:
        """Return the smallest place where one of the alternatives is accepted, and the rejection of each there.

        If no alternative is accepted, return the largest place. Alternatives with gaps are not tried.
        """
        whole = [one for one in words if "…" not in one]
        faults: dict[str, Diagnostic | None] = {}
        place = span
        for place in _places(span, words) if len(whole) == len(words) else (span,):
            faults = {one: self._fault(place, one, 0 if place == span else NEXT_WORD) for one in whole}
            if None in faults.values():
                break
        return place, faults

    def _fault(self, span: Span, words: str, beyond: int = 0) -> Diagnostic | None:
        """Return the first rejection of words put at a span, or of `beyond` letters around; None if there is none."""
        block = self._block(span)
        if block.end - block.start > _LONGEST:
            return None
        text, first = span.source.text, span.start - block.start
        changed = Source(span.source.path, text[block.start : span.start] + words + text[span.end : block.end])
        place = changed.span(max(0, first - beyond), min(first + len(words) + beyond, len(changed.text)))
        sentences, wrong = read_block(changed.span(0, len(changed.text)), self.vocabulary)
        wrong = [one for one in wrong if _touches(one, place)]
        if wrong or self.reader is None:
            return wrong[0] if wrong else None
        return self._refused(span, sentences, place)

    def _block(self, span: Span) -> Span:
        """Return the lines of the block around a place; without a block, the rest of the text from its sentence on."""
        text = span.source.text
        start = text.rfind("|\n", 0, span.start + 1) + 1
        if start <= 0:
            return span.source.span(text.rfind(".", 0, span.start) + 1, len(text))
        ended = _NEXT_KEY.search(text, span.end)
        return span.source.span(start, ended.start() if ended is not None else len(text))

    def _refused(self, span: Span, sentences: Sequence[ast.Sentence], place: Span) -> Diagnostic | None:
        text = self._text(span)
        if text is None or self.reader is None:
            return None
        desk = Desk(self.reader)
        try:
            if text.meaning == "steps":
                desk.steps(sentences, text.carrier)
            elif text.meaning == "rules":
                for sentence in sentences:
                    if sentence.span.start <= place.end and place.start < sentence.span.end:
                        desk.rules(sentence, text.carrier)
        except Flaw as wrong:
            return wrong.finding if _touches(wrong.finding, place) else None
        return None

    def _text(self, span: Span) -> Text | None:
        """Return the text of a game that contains a place; None if none does."""
        assert self.reader is not None and self.library is not None and self.game is not None
        for document in self.library.documents:
            # A sentence with a capital is tried in another source of the same file.
            if document.span.path == span.path:
                here = replace(self.library, documents=[document])
                for text in texts_of(self.reader, here, self.game, self.parsed):
                    if any(one.start <= span.start < one.end for one in document.blocks(text.key)):
                        return text
        return None


def _whole_in(help: str) -> str:
    """Return the whole sentence in a help; empty if it has none."""
    return next((one for one in _QUOTED.findall(help) if one.endswith(".") and " " in one), "")


def _sentence_at(span: Span) -> Span | None:
    """Return the sentence around a place, with the white space before it and its full stop; None if there is none."""
    text = span.source.text
    end = text.find(".", span.end) + 1
    return span.source.span(begin_of(text, span.start, _BEFORE), end) if end > 0 else None


def _is_in_order(said: str, sentence: str) -> bool:
    """Whether a sentence has no words that another lacks, except words that join its parts."""
    return _beyond(sentence, said) <= {"then"}


def _leaves_out(part: Span, marked: Span, words: str) -> bool:
    """Whether a part has more than the marked words, small ones, and those of the text that would replace it."""
    return not _beyond(part.text, marked.text, words) <= {*_SMALL, "then"}


def _beyond(text: str, *others: str) -> set[str]:
    """Return the words that a text has more often than all others together."""
    said, *known = (Counter(_WORD.findall(one.lower())) for one in (text, *others))
    return set(said - sum(known, Counter()))


def _leads(role: Role) -> bool:
    """Whether a role of a verb is the destination of a movement."""
    return role.base == "space" and role.word in ("to", "onto", "into")


def _parts(span: Span) -> Iterator[Span]:
    """Yield the sentence at a place without its full stop, and shorter parts that commas bound."""
    text = span.source.text
    first = begin_of(text, span.start, (*_BEFORE, "; "))
    stop, comma = text.find(".", span.end - 1), text.find(",", span.end)
    last = stop if stop >= 0 else len(text)
    end = comma if 0 <= comma < last else last
    commas = [match.end() for match in re.finditer(r", (?:then )?", text[first : span.start])]
    start = first + commas[-1] if commas else first
    for begin, until in dict.fromkeys(((first, last), (start, last), (first, end), (start, end))):
        yield span.source.span(until - len(text[begin:until].lstrip()), until)


def _places(span: Span, words: Sequence[str]) -> Iterator[Span]:
    """Yield a place, and larger places that include the words around it which some alternatives repeat."""
    again = {*_SMALL, *(word for one in words for word in _WORD.findall(one.lower()))}
    text = span.source.text
    past = span.end + 2 * text.startswith(("'s", "’s"), span.end)
    before = [*_WORD.finditer(text, max(0, span.start - 60), span.start)][::-1][:MOST_BACK]
    behind = [*_WORD.finditer(text, past, span.end + 60)][:MOST_BACK]
    ends = [span.end, *(one.end() for one in _while_said(behind, again))]
    for start in (span.start, *(one.start() for one in _while_said(before, again))):
        yield from (span.source.span(start, end) for end in ends)


def _while_said(found: Sequence[re.Match[str]], again: Collection[str]) -> Iterator[re.Match[str]]:
    """Yield words until one is not repeated in the alternatives."""
    for one in found:
        if one[0].lower().removesuffix("'s").removesuffix("’s") not in again:
            return
        yield one


def _touches(found: Diagnostic, place: Span) -> bool:
    """Whether a finding is about words at a place."""
    span = found.span
    return span is not None and span.start <= place.end and span.end >= place.start


def _advice(fault: Diagnostic) -> str:
    """Return the help of a finding; empty if it only lists the words that are expected there."""
    return "" if fault.help.startswith("expected ") else fault.help


def _elsewhere(fault: Diagnostic) -> str:
    """Return the help of a finding for use at another place; empty if the help only fits the marked words."""
    help = _advice(fault)
    return "" if _SAID.match(help) or help.startswith("leave ") else help


def _change(help: str, span: Span) -> tuple[Span, str] | None:
    """Return the place that advice changes and the words it puts there; None if the advice names no words."""
    source, said = span.source, _QUOTED.findall(help)
    start = len(source.text[: span.start].rstrip())
    if help.startswith(("join steps by `, then`", "write a comma before it: `…, ")):
        word = said[0].removeprefix("…").removesuffix("…").strip(" ,")
        return source.span(start, span.end), f", {word}"
    if help.startswith("put it before the noun") and said and "…" not in said[0]:
        noun = said[0].split(" ", 1)[1]
        first = source.text.rfind(noun, 0, span.start)
        return (source.span(first, span.end), said[0]) if first >= 0 else None
    return None


def _weaker(found: Diagnostic, words: Sequence[str], fault: Diagnostic) -> str:
    """Return help that names words which are rejected at the place, with the help on their rejection."""
    help, is_word = _advice(fault), found.name == "unknown-word"
    meant = " or ".join(f"`{one}`" for one in words)
    if not help or fault.name == found.name:  # a rejection of the same kind: its help is useless
        return f"the word for it is {meant}, which needs another place, or other words beside it" if is_word else ""
    return f"{'the word for it is' if is_word else 'that would be'} {meant}, and there {fault.message}: {help}"
