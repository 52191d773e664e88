"""Help on phrases that the language words differently: times, distances, numbers, and designers' own words.

If the text around the marked words is sufficient, the help gives words that can replace them directly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from warchest.diagnostics.articles import many
from warchest.diagnostics.suggest import nearest
from warchest.lint.sentences.sayings import INSTEAD
from warchest.source.text import Span
from warchest.syntax.lexer import NUMBER_WORDS
from warchest.syntax.parse import declaring
from warchest.syntax.words import Vocabulary

# ---- the text around a place


def text_before(span: Span) -> str:
    """Return the text before a span, starting a few lines earlier, without comments and white space at its end."""
    lines = span.source.text[max(0, span.start - 400) : span.start].split("\n")
    kept = [line.split("#", 1)[0] for line in lines[:-1]] + lines[-1:]
    return "\n".join(kept).rstrip()


def sentence_before(span: Span) -> str:
    """Return the words of the sentence before a span, on one line."""
    return " ".join(re.split(r"[.|:]", text_before(span))[-1].split())


def sentence_begin(span: Span) -> int:
    """Return the offset of the first word of the sentence with a span; -1 if it is more than a few lines earlier."""
    start = max(0, span.start - 400)
    text = re.sub(r"#[^\n]*", lambda found: " " * len(found[0]), span.source.text[start : span.start])
    begin = max(text.rfind("."), text.rfind("|"))
    if begin < 0:
        return -1
    first = re.search(r"[^|+\s-]", text[begin + 1 :])
    return start + begin + 1 + first.start() if first is not None else span.start


def begins_line(span: Span) -> bool:
    """Whether a span is the first text in its line."""
    line = span.source.line(span.line)
    return len(line) - len(line.lstrip()) == span.column - 1


def behind(span: Span, most: int = 80) -> str:
    """Return the text after a span, up to the full stop, on one line."""
    rest = re.split(r"[.#]", span.source.text[span.end :][:most], maxsplit=1)[0]
    return " ".join(rest.split())


def begin_of(text: str, place: int, signs: Iterable[str]) -> int:
    """Return the offset where the part of a text around a place begins: after the last of the given signs before it."""
    return max(text.rfind(sign, 0, place) + len(sign) for sign in signs)


def sentence_around(span: Span, signs: str) -> Span:
    """Return the text around a span, from the last of the given signs to the full stop, both excluded."""
    text = span.source.text
    end = text.find(".", span.end)
    return span.source.span(begin_of(text, span.start, signs), end if end >= 0 else len(text))


def match_at(pattern: re.Pattern[str], span: Span, back: int = 20, ahead: int = 40) -> re.Match[str] | None:
    """Return the match of a pattern that contains the first letter of a span; None if none is nearby."""
    found = pattern.finditer(span.source.text, max(0, span.start - back), span.end + ahead)
    return next((match for match in found if match.start() <= span.start < match.end()), None)


def number_of(word: str) -> int:
    """Return the number that a word names, in letters or digits; 0 for any other word."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS.index(word) + 1
    return int(word) if re.fullmatch(r"[0-9]{1,2}", word) else 0


# ---- who does something


def act_of(who: str, verb: str, vocabulary: Vocabulary) -> str:
    """Return a doer with the form of the verb that agrees with it: `you move`, `this moves`."""
    return f"{who} {verb if who == 'you' else vocabulary.form('VERBS', verb)}"


def who_does(behind_it: str, vocabulary: Vocabulary) -> str:
    """Return the words for the doer after a participle, `by an enemy unit`; empty if none is named."""
    words = re.findall(r"[a-z-]+", re.split(r"[.,;:]", behind_it)[0])
    if words[:1] != ["by"]:
        return ""
    if words[1:2] in (["this"], ["it"], ["you"]):
        return str(words[1])
    end = next((number for number, word in enumerate(words[1:], 2) if "NOUN" in vocabulary.kinds(word)), 2)
    return " ".join(words[1:end])


# ---- what a thing has

_IN_CONDITION = re.compile(r"\b(?:if|unless|while|when|until)\b[^,.;:]*$")
_HAVING = re.compile(
    r"(?P<least>at least |at most )?(?P<many>[a-z0-9]+) (?P<noun>[a-z]+)(?: (?P<place>(?:in|on) [a-z ]+))?"
)


def of_having(before: str, span: Span, vocabulary: Vocabulary) -> str:
    """Return help on `has` in a condition, such as `if this has 2 coins`; otherwise empty."""
    if span.text not in ("has", "have") or not _IN_CONDITION.search(before):
        return ""
    words, behind_it = before.split(), behind(span)
    who = words[-1] if words[-1] in ("this", "it", "you") else "…"
    verb = vocabulary.kinds(re.split(r"[^a-z-]", behind_it, maxsplit=1)[0]).get("VERBED", "")
    if verb:
        act = act_of(who, verb, vocabulary)
        return (
            f"no text remembers that: ask whether it is being done, `{act}`, or let a field keep it: `after {act}, …`"
        )
    found = _HAVING.match(behind_it)
    noun = vocabulary.kinds(found["noun"]).get("NOUN", "") if found is not None else ""
    place = "in your …" if who == "you" else f"in {who}"
    if found is not None and noun and found["many"] == "no":
        return f"ask whether `no {noun} is {found['place'] or place}`"
    if found is not None and noun and number_of(found["many"]):
        several = vocabulary.form("PLURAL", noun)
        return f"say `the number of {several} {place} is {found['least'] or ''}{number_of(found['many'])}`"
    if who == "you":
        return "say `a … is in your …` of tokens, and `your … is …` or `you are the …` of a field"
    return f"say `a … is in {who}` of tokens, and `a … is the … of {who}` of a field"


# ---- times

_TIME = re.compile(
    r"\bat (?:the )?(?:start|beginning|end) of (?:(?P<whose>[a-z]+ [a-z]+)'s turn|[a-z]+ (?P<next>next )?"
    r"(?:of your )?(?P<what>turn|round)s?)\b(?! of)",
    re.IGNORECASE,
)
"""The start or the end of a turn or a round, in other words than the language has."""
_EDGE = re.compile(
    r"(?P<head>after|before|when|whenever|once|as soon as|until|till)\s+(?:(?P<whose>[a-z]+(?:\s+[a-z]+)?)('s)?\s+)??"
    r"(?P<what>turn|round)\s+(?P<edge>begins|starts|started|ends|ended|is\s+over|is\s+finished)",
    re.IGNORECASE,
)
"""The start or end of a turn or a round, worded as an event."""
_BEGINS = ("begins", "starts", "started")
_NEXT = re.compile(r"(?P<until>until )?next (?:[a-z0-9]+ )?(?P<what>turn|round)s?\b", re.IGNORECASE)
"""The turn or round after this one, without `your` or `the` before it."""


def _of_next(already: str, rest: str) -> str:
    """Return help on `next turn` and `next round` after the words of a sentence; otherwise empty."""
    coming = _NEXT.match(rest)
    if coming is None:
        return ""
    said, what = already.lower(), coming["what"].lower()
    if coming["until"]:
        return f"say it in front: `until {'the next round' if what == 'round' else 'your next turn'}, …`"
    if said.endswith("end of your"):
        return "say `the end of your turn`, or `the start of your next turn`"
    if re.search(r"(?:\buntil|\b(?:start|beginning) of)$", said) and not coming[0].endswith("s"):
        return "say `the next round`" if what == "round" else "say `your next turn` or `the next turn`"
    turn = "the next round" if what == "round" else "your next turn"
    return (
        f"say in front the rule that lasts until then, `until {turn}, … cannot …`, or the act at that time: "
        f"`at the start of {turn}, …`"
    )


def of_times(span: Span) -> str:
    """Return help if a sentence gives a time in words that the language does not have; otherwise empty."""
    already = re.split(r"[.|,:]", text_before(span))[-1].strip()
    said = f"{already} {span.source.text[span.start : span.start + 60]}".strip()
    coming = _of_next(already, span.source.text[span.start : span.start + 60])
    if coming:
        return coming
    edge = _EDGE.match(said)
    if edge is not None and edge["head"].lower() not in ("until", "till"):
        return _edge(edge)
    time = _TIME.match(said)
    if time is None or time["next"]:
        return ""
    if time["whose"]:
        return f"say `the turn of {time['whose']}`"
    return "say `the round`" if time["what"].startswith("round") else "say `your turn` or `each turn`"


def _edge(edge: re.Match[str]) -> str:
    at = "at the start of" if edge["edge"] in _BEGINS else "at the end of"
    whose = " ".join((edge["whose"] or "").lower().split())
    if edge["what"] == "round":
        return f"say `{at} the round, …`"
    if whose in ("your", "my"):
        return f"say `{at} your turn, …`"
    if whose in ("", "a", "any", "each", "every", "the", "a player"):
        return f"say `{at} each turn, …`"
    return f"say `{at} the turn of {whose}, …`" if " " in whose else f"say `{at} the turn of …, …`"


# ---- pieces that have gone

GONE = re.compile(
    r"(?:(?P<would>\bwould\s+)(?:be\s+)?|\b(?:is|are|gets|be|was|were|has been|have been|has|have)\s+)?"
    r"\b(?:die|dies|died|dead|destroyed|killed|eliminated|defeated|slain|annihilated|vanquished|lost|gone|"
    r"leaves? the board|leaves? play)\b"
)
"""People's words for a piece that leaves the board."""
_ASKING = ("if", "while", "unless", "until")


def asks_whether_gone(span: Span) -> Span | None:
    """Return the words of a condition that ask whether a piece has left the board; None if there are no such words."""
    words = re.split(r"[.|,;:]", text_before(span))[-1].lower().split()
    if not words or words[0] not in (*_ASKING, "then") or set(_ASKING).isdisjoint(words):
        return None
    match = match_at(GONE, span)
    return span.source.span(*match.span()) if match is not None and not match["would"] else None


# ---- numbers, distances and chance


def of_numbers(span: Span, vocabulary: Vocabulary) -> str:
    """Return help on `up to 2 spaces`, `twice` and `at random`; otherwise empty."""
    said, following = sentence_before(span).lower().split(), behind(span).split()
    last = said[-1] if said else ""
    if span.text == "at" and following[:1] == ["random"]:
        noun = last if "NOUN" in vocabulary.kinds(last) else "…"
        return (
            f"chance chooses by an order of its own: `choose a random {noun}"
            + (" in …`" if noun != "…" else "`")
            + f", and refer to it as `that {noun}`"
        )
    if span.text == "up" and following[:1] == ["to"] and len(following) > 1:
        return _up_to(last, following[1:], vocabulary)
    return ""


def _up_to(last: str, following: list[str], vocabulary: Vocabulary) -> str:
    count = number_of(following[0])
    noun = vocabulary.kinds(following[1].rstrip(",")).get("NOUN", "") if len(following) > 1 else ""
    if not count:
        return ""
    if noun == "space":
        far = many(count, "space")
        to = vocabulary.goes.get(last) if "VERB" in vocabulary.kinds(last) else None
        return f"say `{last} {to} a space within {far} of this`" if to else f"say `within {far} of …`"
    if "VERB" in vocabulary.kinds(last) and noun:
        return f"it is done one by one: `{last} a {noun}`, and then it is offered: `you may …`, once for each more"
    return ""


# ---- sight

_SIGHT = re.compile(r"in\s+(?:(?:the|its|their|a|your)\s+)?(?:direct\s+|clear\s+)?(?:line\s+of\s+sight|sight|view)\b")
_IN_LINE = re.compile(r"in\s+straight\s+line")


def of_sight(span: Span) -> str:
    """Return help on a line of sight, in other words than the language has; otherwise empty."""
    match = match_at(_SIGHT, span, back=12)
    if match is not None and " ".join(match[0].split()) != "in line of sight":
        return "say `within 3 spaces in line of sight`, with the distance in front"
    if re.search(r"in\s+line\s+of\s+sight\s+(?:within|exactly)\s+\S+\s+\S+\s*$", text_before(span)):
        return "put the distance in front: `within 3 spaces in line of sight`"
    return ""


def in_line(span: Span) -> Span | None:
    """Return the words `in straight line` around one of them; None if there are none."""
    match = match_at(_IN_LINE, span, back=8, ahead=12)
    return span.source.span(*match.span()) if match is not None else None


# ---- words of one's own


def of_ones_own(span: Span, vocabulary: Vocabulary) -> str:
    """Return help on declaring a word whose kind is clear from the text around it; empty if it is unclear."""
    said, word = sentence_before(span).lower().split(), span.text
    last, following = (said[-1] if said else ""), behind(span).split()
    if last == "let" and following[:1] == ["be"]:
        return f"a name of your own is declared: {declaring(word, f'names: [{word}]')}"
    nouns = vocabulary.spellings(frozenset({"NOUN"}))
    if not word.islower() or word in INSTEAD or nearest(word, nouns):
        return ""
    owner = ""
    if last in ("its", "their"):
        owner = carrier(span, vocabulary)
    elif last == "your":
        owner = "player"
    elif last == "the" and following[:1] == ["of"]:
        owner = _owner(following[1:], span, vocabulary)
    if not owner:
        return ""
    field = f"fields: {{{owner}: {{{word}: number}}}}"
    return f"a number that {'a player' if owner == 'player' else 'a thing'} has is declared: {declaring(word, field)}"


def _owner(following: list[str], span: Span, vocabulary: Vocabulary) -> str:
    if following[:1] == ["this"]:
        return carrier(span, vocabulary)
    for word in following[:4]:
        noun = vocabulary.kinds(word.rstrip(",")).get("NOUN")
        if noun is not None:
            return noun
    return ""


def carrier(span: Span, vocabulary: Vocabulary) -> str:
    """Return the noun for the piece that carries the text, by the first line of its document; empty if it has none."""
    document = re.split(r"^---\s*$", span.source.text[: span.start], flags=re.MULTILINE)[-1].lstrip()
    kind = document.split(": ", 1)[0]
    return kind if "NOUN" in vocabulary.kinds(kind) else ""
