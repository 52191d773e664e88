"""Common slips of the pen in a sentence, and help on them.

The parser knows only that a word does not fit; this module examines the word and the text around it. Every replacement
is a word of the language itself, of no game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import BY_NAME
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.diagnostics.suggest import did_you_mean, nearest
from warchest.lint.sentences.advice_trial import COMMA, PART, SMALL, AdviceTrial
from warchest.lint.sentences.allegiance import gone_over
from warchest.lint.sentences.answer_advice import EITHER, answered
from warchest.lint.sentences.clauses import of_clauses
from warchest.lint.sentences.coming import of_coming
from warchest.lint.sentences.condition_advice import conditional
from warchest.lint.sentences.declinable import of_changes
from warchest.lint.sentences.phrasing import (
    GONE,
    asks_whether_gone,
    begins_line,
    behind,
    carrier,
    in_line,
    match_at,
    number_of,
    of_having,
    of_numbers,
    of_ones_own,
    of_sight,
    of_times,
    sentence_begin,
    text_before,
)
from warchest.lint.sentences.sayings import INSTEAD, OFTEN, SIGNS
from warchest.lint.sentences.wholes import of_several
from warchest.lint.sentences.window_advice import of_windows
from warchest.resolve.lasting import FOR_GOOD
from warchest.source.text import Source, Span
from warchest.syntax.lexer import small
from warchest.syntax.parse import begins_word, no_full_stop
from warchest.syntax.words import NAMES, Vocabulary, plural

# ---- words of the language in the wrong place

_RANGES = ("exactly", "within")
_PLACES = ("on", "in", "of", "without", "adjacent to")
_HEADS = ("after", "before", "when")
_OF_ACT = {"on": "on", "against": "on", "at": "on", "to": "on", "by": "of", "from": "of"}
"""The prepositions that people write after the noun for an act: each with `of` for the doer or `on` for the object."""


def misplaced(said: list[str], span: Span, expected: str, vocabulary: Vocabulary) -> str:
    """Return help for a word that does not fit after the words before it; empty if there is none."""
    word, last = span.text, said[-1] if said else ""
    following = span.source.text[span.end : span.end + 200].split()
    if word in ("in any order", "in turn order"):
        return f"say it after the noun: `for each … {word}, …`"
    if said and said[0] in _HEADS and len(said) == 1 and "VERBS" in vocabulary.kinds(word):
        return f"say who does it first: `{last} a … {word} …`"
    if said and last in ("cannot", "may") and word in ("unless", "while"):
        return f"put this part last: `… {last} … {word} …`"
    if last in vocabulary.acts and word in _OF_ACT:
        whose = " of this" if "its" in said[-3:] and _OF_ACT[word] == "on" else ""
        return f"say `{with_article(last)}{whose} {_OF_ACT[word]} …`"
    if said and said[0] in _HEADS and word in ("becomes", "become") and following[:1] in (["a"], ["an"]):
        return (
            "no text can answer that; put the steps after the change, `… becomes a …, then …`, or answer the act "
            f"that makes it, `{said[0]} this …s, …`"
        )
    if "ADJ" in vocabulary.kinds(word) and "NOUN" in vocabulary.kinds(last):
        return f"put it before the noun: `{word} {last}`"
    if word == "adjacent" and following[:1] != ["to"] and "NOUN" in vocabulary.kinds(last):
        return f"say `adjacent {last}`, or `{last} adjacent to …`"
    if "VERB" in vocabulary.kinds(last) or "VERBS" in vocabulary.kinds(last):
        if word == "through":
            return "put it after the noun: `a space … spaces away through …`"
        if word in _RANGES:
            return _how_far(said, span, vocabulary)
        if word in _PLACES:
            return f"say `{last} a …` for its object, and `{last} to …` or `{last} onto …` for its destination"
    if said and said[0] == "to" and len(said) > 1 and ":" not in said[-1] and "`:`" in expected:
        return "put a colon after the defined word: `to …: …`"
    if said[-2:] == ["goes", "back"] or last == "goes back":
        return "only a trail goes back, always by one step: `the … of this goes back`"
    if last in ("then", ", then", "and", "or") and word in ("become", "becomes"):
        return f"name the subject: `{last} you become …`, or `{last} this becomes …`"
    if (last, word) == ("that", "can"):
        return "leave it out: only things that can do all of their orders are offered; to ask, say `if it can …, …`"
    if re.fullmatch(r"[0-9]+", last) and word == "to" and following[:1] and following[0][:1].isdigit():
        return f"write a range with a hyphen: `{last}-{following[0]}`"
    return ""


def _to_space(verb: str, vocabulary: Vocabulary) -> str:
    """Return a verb with the beginning of its destination, `move to a space`; empty for a word without one."""
    kinds = vocabulary.kinds(verb)
    to = vocabulary.goes.get(kinds.get("VERB") or kinds.get("VERBS", ""))
    return f"{verb} {to} a space" if to else ""


def _how_far(said: list[str], span: Span, vocabulary: Vocabulary) -> str:
    """Return help for `moves within 2 spaces`: a distance follows a noun."""
    word, verb = span.text, said[-1]
    far = re.match(r"(\S+)\s+([a-z]+)", behind(span))
    if far is None or not number_of(far[1]):
        return f"put the distance after the noun: `{verb} a … {word} …`"
    end = " of this" if said[0] in _HEADS else " away" if word == "exactly" else ""
    away = f"{word} {far[1]} {far[2]}{end}"
    return f"put the distance after the noun: `{_to_space(verb, vocabulary) or f'{verb} a …'} {away}`"


# ---- common slips of the pen in a sentence

_OF = "say `its …`, or `the … of that …`"
_PAST = re.compile(r"(?:(?:has|have|had)\s+(?:not\s+)?[a-z]+ed|[a-z]+ed)\s+(?:\S+\s+)?(?:this|last) (?:turn|round)\b")
"""A question about acts that are over: `has not moved this turn`."""
_AFTER_COMMA = re.compile(r",\s+([a-z]+)")
_SUBJECTS = ("it", "that", "the", "this", "you", "each", "a", "an", "its", "your")
_DOERS = ("a", "an", "the", "no", "your", "its", "this", "it", "you", "nobody")
"""The words that begin a subject other than the noun before `that`."""
_FIRST_PARTS = ("if", "until", "for", "after", "before", "when")
"""The first words of the parts of a sentence that end with a comma."""
_CAPITAL = re.compile(r"[A-Z][A-Za-z'’-]*(?: [A-Z][A-Za-z'’-]*)*")


def with_help(
    findings: Iterable[Diagnostic], vocabulary: Vocabulary, trial: AdviceTrial | None = None
) -> list[Diagnostic]:
    """Return the findings, those of the parser with help that fits the slip, and all with advice that was tried."""
    trial = trial or AdviceTrial(vocabulary)
    return list(dict.fromkeys(_advised(found, vocabulary, trial) for found in findings))


def _advised(found: Diagnostic, vocabulary: Vocabulary, trial: AdviceTrial) -> Diagnostic:
    is_from_parser = _is_from_parser(found)
    if found.span is None:
        return found
    # This help is about a whole part of the sentence, whichever of its words was marked.
    help = trial.with_owners(gone_over(found.span, vocabulary))
    if help and (is_from_parser or found.name == "wrong-kind"):
        return replace(found, help=help)
    if (found.name == "rule-among-steps" or found.help == EITHER) and (help := _answer(found, vocabulary, trial)):
        return trial.of(replace(found, help=help), EITHER)
    if not is_from_parser:
        return trial.of(found)
    return trial.of(_better(found, vocabulary, trial), INSTEAD.get(found.span.text, found.help))


def _is_from_parser(found: Diagnostic) -> bool:
    known = ("unknown-word", "syntax-error", "unknown-role", "otherwise-without-if")
    return found.span is not None and found.name in known


def _better(found: Diagnostic, vocabulary: Vocabulary, trial: AdviceTrial) -> Diagnostic:
    """Return a finding with better help, which does not depend on whether the sentence begins with a capital."""
    assert found.span is not None
    source = found.span.source
    lowered = _with_small_begin(found.span, vocabulary)
    better = _helped(replace(found, span=lowered), vocabulary, trial)
    if better.span is None or lowered.source is source:
        return better
    edits = better.fix.edits if better.fix is not None else ()
    edits = tuple(replace(edit, span=source.span(edit.span.start, edit.span.end)) for edit in edits)
    return replace(
        better,
        span=source.span(better.span.start, better.span.end),
        fix=replace(better.fix, edits=edits) if better.fix is not None else None,
    )


def _with_small_begin(span: Span, vocabulary: Vocabulary) -> Span:
    """Return the same place in a text whose sentence begins with a small letter, unless it begins with a name."""
    source, first = span.source, sentence_begin(span)
    word = re.split(r"[^A-Za-z-]", source.text[first : first + 80], maxsplit=1)[0] if first >= 0 else ""
    if not word[:1].isupper() or begins_word(word, vocabulary):
        return span
    if not begins_word(small(word), vocabulary) and nearest(word, vocabulary.spellings(NAMES)):
        return span
    text = source.text[:first] + small(word) + source.text[first + len(word) :]
    return Source(source.path, text).span(span.start, span.end)


def _helped(found: Diagnostic, vocabulary: Vocabulary, trial: AdviceTrial) -> Diagnostic:
    assert found.span is not None
    word = found.span.text
    if found.name == "unknown-role":
        return _new_line(found, found.span, vocabulary)
    if help := next((one for one in conditional(found.span) if trial.accepts(found.span, one)), ""):
        return replace(found, help=help)
    if help := _answer(found, vocabulary, trial):
        return replace(found, help=help)
    if found.name == "otherwise-without-if":
        return found
    if help := of_coming(found.span, vocabulary) or _of_several(found.span, vocabulary, trial):
        return replace(found, help=help)
    told = _as_a_whole(found, found.span, vocabulary)
    if told is not None:
        return told
    if word in vocabulary.instead:
        return _behind_noun(found, found.span, vocabulary)
    if word[:1].isupper():
        return _capital(found, found.span, vocabulary)
    misplaced = found.name == "syntax-error"
    help = _in_sentence(found, found.span, vocabulary) if misplaced else _unknown(found.span, vocabulary)
    help = help or INSTEAD.get(word, "") or _sign(found.span, vocabulary, found.help)
    if not help and misplaced:
        help = _form(word, found.help, vocabulary) or _run_together(found.span, vocabulary)
    return replace(found, help=help) if help else found


def _answer(found: Diagnostic, vocabulary: Vocabulary, trial: AdviceTrial) -> str:
    """Return the first help on an offer or an `unless` whose sentence is accepted, or the last; otherwise empty."""
    assert found.span is not None
    if found.help.startswith("did you mean") and found.span.text not in INSTEAD:
        return ""  # the sentence is read with that word first
    helps = answered(found.span, vocabulary, trial.is_fact)
    return next((one for one in helps if trial.accepts(found.span, one)), helps[-1] if helps else "")


def _of_several(span: Span, vocabulary: Vocabulary, trial: AdviceTrial) -> str:
    """Return help on a sentence about several things; help with a new verb is only for texts that no piece carries."""
    if of_times(span):
        return ""
    return of_several(span, vocabulary, () if carrier(span, vocabulary) else trial.movers())


def _how_often_or_long(before: str, word: str, vocabulary: Vocabulary) -> str:
    """Return help on words for how often or until when; otherwise empty."""
    said, order = before.split(), re.split(r"[.|,]", before)[-1].removeprefix(" then").split()
    if order[1:] == ["twice"] and word in (".", ",", ", then") and "VERB" in vocabulary.kinds(order[0]):
        return f"say it twice: `{order[0]}, then {order[0]}`"
    if word == "not" and said[-1:] and said[-1] in ("if", "while", "unless"):
        return f"say it of one of them, after `is`: `{said[-1]} a … is not …`"
    if said[-1:] in (["once"], ["twice"], ["times"]) or word in ("once", "twice", "time", "times"):
        return OFTEN
    if said[-3:-1] == ["up", "to"]:
        if not said[-4:-3] or "VERB" not in vocabulary.kinds(said[-4]):
            return f"say `within {said[-1]} …`"
        return f"say `{said[-4]} to a space within {said[-1]} spaces of this`"
    if word.startswith("until the ") and re.search(r"\bmay\b", before):
        return f"say it in front: `{word} …, … may …`"
    if re.search(r"\buntil the end of$", before):
        if re.search(r"\bnext round$", word):
            return "say `until the end of the round, …`, or `until the start of the next round, …`"
        return (
            "say `until the end of the turn, …`, or `until the start of your next turn, …`; a field that ends with "
            "an act is declared so"
        )
    if help := _what_time(before, word):
        return help
    if re.search(r"(?:^|[.|:;]|, then|,)\s*(?:(?:during|for) )?this (?:turn|round)$", before) and word[:1].isalpha():
        return f"put a comma after it: `{' '.join(said[-2:])}, {word} …`"
    begun = re.search(r"\b(?:until the (?:start|beginning|end) of [a-z ]+|this (?:turn|round)),", before)
    if begun and word in ("while", "unless"):
        return "a rule until a time has no condition: restrict the noun, `a … on a …`"
    if begun and word in ("is", "are", "has", *_FIRST_PARTS):
        return "only `… cannot …` or `… may …` can hold until a time; other things are set and taken back"
    return ""


_NUMBER_CHANGES = re.compile(r"\b(?:increase|decrease|double)s?\b")
_SPANS = re.compile(r"(?:(?:during |for )?this (?:round|turn)|until\b.{0,40}|for the rest of)")


def _for_good(before: str, word: str) -> str:
    """Return help for a duration after a changed number: the declaration should give it; otherwise empty."""
    if _NUMBER_CHANGES.search(re.split(r"[.|:,;]", before)[-1]) and _SPANS.fullmatch(word):
        return FOR_GOOD
    return ""


def _what_time(before: str, word: str) -> str:
    """Return help on a time in words that the language does not have; otherwise empty."""
    said = before.split()
    if (word in ("round", "turn") and said[-1:] == ["this"]) or word in ("this round", "this turn"):
        return f"begin the sentence with that time: `until the end of the {word.split()[-1]}, …`"
    if word in ("turn", "round") and said[-2:] in (["for", "a"], ["for", "one"]):
        end = "your next turn" if word == "turn" else "the next round"
        return f"begin the sentence with that time: `until {end}, …`"
    if word == "of" and re.search(r"\b(?:start|beginning|end) of (?:each|every)$", before):
        return "the times are `your turn`, `each turn` and `the round`"
    if word == "turn" and said[-2:] == ["until", "your"]:
        return "it is the next one: `until your next turn, …`"
    return ""


def _later(before: str, word: str) -> str:
    """Return help on the time of an order in the middle of a sentence; otherwise empty."""
    said = re.split(r"[.|]", before)[-1].split()
    if re.match(r"at the (?:start|beginning|end) of", word) and said and said[0].lower() not in _HEADS:
        return f"say a later act in a sentence of its own, beginning with the time: `{word} …, …`"
    return ""


def _as_a_whole(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> Diagnostic | None:
    """Return a finding on several words, including the marked one; None if there is no such help."""
    before = text_before(span)
    last = before.split()[-1:]
    if (clause := of_clauses(found, span, vocabulary)) is not None:
        return clause
    asked = of_windows(span, vocabulary) or of_changes(span, vocabulary) or _for_good(before, span.text)
    asked = asked or _later(before, span.text) or of_times(span) or of_sight(span)
    asked = asked or _how_often_or_long(before, span.text, vocabulary)
    if asked:
        return replace(found, help=asked)
    asking = asks_whether_gone(span) if found.name == "unknown-word" else None
    if asking is not None:
        return replace(
            found,
            message=f"unknown word {quoted(asking.text.split()[-1])}",
            span=asking,
            help=_when_gone(text_before(asking), vocabulary),
        )
    if found.help.startswith("expected `away`, "):
        return _away(found, span)
    if span.text == "not" and last == ["can"]:
        place = span.source.span(span.source.text.rindex("can", 0, span.start), span.end)
        return replace(
            found, message=f"{quoted(place.text)} does not fit here", span=place, help="say `cannot`, in one word"
        )
    comma = _AFTER_COMMA.match(span.source.text, span.start) if span.text == "," else None
    if comma is not None and not begins_word(comma[1], vocabulary) and (joined := nearest(comma[1], ("then", "or"))):
        return replace(found, span=span.source.span(*comma.span()), help=f"did you mean `, {joined}`?")
    if span.text in _DOERS and last == ["that"]:
        place = span.source.span(span.source.text.rindex("that", 0, span.start), span.end)
        return replace(
            found,
            message="after `that`, only the thing itself can be the subject",
            span=place,
            help=f"say `{span.text}`",
        )
    if span.text == "straight" and (line := in_line(span)) is not None:
        return replace(found, span=line, help=INSTEAD["straight"])
    return _gone(found, vocabulary) if found.name == "unknown-word" or span.text == "be" else None


_LINE = re.compile(r"\bin (?:that direction|that line|a straight line)$")
"""The direction at the end of a part of a sentence; words in place of the part keep it."""


def _behind_noun(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> Diagnostic:
    """Return a finding on a word whose replacement goes after the noun, or keeps the end of its part."""
    said, rest = vocabulary.instead[span.text], behind(span)
    line, following = _LINE.search(rest.split(",")[0]), rest.split()
    if line is not None and len(said[0].split()) >= PART:
        return replace(found, help=f"say `{said[0]} {line[0]}`")
    noun = following[0].rstrip(",") if following else ""
    if not said[0].startswith("with ") or "NOUN" not in vocabulary.kinds(noun):
        return found
    place = span.source.span(span.start, span.source.text.index(noun, span.end) + len(noun))
    return replace(found, span=place, help=f"say `{noun} {said[0]}`")


def _when_gone(before: str, vocabulary: Vocabulary) -> str:
    """Return help on a condition that a piece has left the board; of the card's own piece it may mean the event."""
    is_event = re.split(r"[.|:]", before)[-1].split() == ["if", "this"] and "VERBS" in vocabulary.kinds("falls")
    event = "say `when this falls, …`; a thing that has fallen is not on a space"
    return event if is_event else "say `is not on a space`"


def _gone(found: Diagnostic, vocabulary: Vocabulary) -> Diagnostic | None:
    """Return a finding on another word for `falls`, with that as help; None for other words, or outside events."""
    assert found.span is not None
    said = re.split(r"[.|,]", text_before(found.span))[-1].split()
    if "VERBS" not in vocabulary.kinds("falls") or not said or said[0].lower() not in _HEADS:
        return None
    match = match_at(GONE, found.span)
    if match is None:
        return None
    would = match["would"] or ""
    place = found.span.source.span(match.start() + len(would), match.end())
    too_late = " ".join(said[:2]).lower() == "after this"
    help = "say `when this falls, …`" if too_late else "say `falls`"
    word = match[0].split()[-1]
    message = f"unknown word {quoted(word if word not in ('board', 'play') else match[0])}"
    return replace(
        found, code="WC201", name="unknown-word", message=message, span=place, help="say `fall`" if would else help
    )


def _unknown(span: Span, vocabulary: Vocabulary) -> str:
    """Return help for an unknown word, such as the plural of an adjective; empty if no help is known."""
    word = span.text
    if word in ("next", "beside", "near") and (moves := _to_space("".join(text_before(span).split()[-1:]), vocabulary)):
        return f"say `{moves} adjacent to …`"
    if word in ("place", "stead") and text_before(span).split()[-2:-1] == ["in"]:
        return "end the sentence with `instead`: `when …, … instead`"
    if word == "there" and re.match(r"(?:is|are) no\b", behind(span)):
        return "say `if no … is …`, and where it is"
    if word == "then" and text_before(span).endswith("."):
        return "put a comma in place of the full stop before it: `…, then …`"
    if span.text[0].isalpha() and span.source.text[span.start - 1 : span.start].isdigit():
        return "write numbers without letters: `1`"
    if word == "some" and re.match(r"\s+of\b", span.source.text[span.end :][:20]):
        return "say `a …`, and its owner before the noun or after it"
    name = _name_in_small(span, vocabulary)
    if name:
        return f"did you mean `{name}`?"
    help = of_numbers(span, vocabulary) or of_ones_own(span, vocabulary)
    if help:
        return help
    for words, kinds in vocabulary.entries.items():
        if "ADJ" in kinds and len(words) == 1 and plural(words[0]) == word:
            return f"`{words[0]}` needs a noun after it"
    return ""


def _name_in_small(span: Span, vocabulary: Vocabulary) -> str:
    """Return the name of several words that begins with a word, if it was written in small letters."""
    following = span.source.text[span.start : span.start + 80].split()
    for name in vocabulary.spellings(NAMES):
        length = len(name.split())
        if length > 1 and " ".join(following[:length]).rstrip(".,:").lower() == name.lower():
            return name
    return ""


def _in_sentence(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> str:
    """Return help for a word that does not fit, depending on the words before it."""
    said_before = re.split(r"[.|]", text_before(span))[-1]
    said, word = said_before.split(), span.text
    last = said[-1] if said else ""
    if word in ("'s", "’s"):
        return _whose(last, span, vocabulary)
    if re.search(r"\beither\b", said_before) and (word == ", then" or (word == ", or" and "`, then`" in found.help)):
        return "join the steps of one branch by `and then`: `either … and then …, or …`"
    if said[:1] == ["until"] and last in ("is", "are") and "cannot" in behind(span).split():
        return f"put the event after the prohibition: `… cannot … {' '.join(said)} {word}`"
    if word in ("if", "unless") and re.search(r"\beither\b", said_before):
        return "a branch has no condition of its own: `if …, either …, or …; otherwise, …`"
    if word == "either" and last == "may":
        who = said[-2] if len(said) > 1 and said[-2] in _SUBJECTS else "…"
        return f"say who does it in each of the branches: `either {who} may …, or {who} may …`"
    if last == "this" and "NOUN" in vocabulary.kinds(word):
        return _of_this(span, vocabulary)
    if (last, word) == ("adjacent", "to") and (moves := _to_space("".join(said[-2:-1]), vocabulary)):
        return f"say `{moves} adjacent to …`"
    if "a noun" in found.help and "ADJ" in vocabulary.kinds(last):
        return f"`{last}` needs a noun after it"
    if (last, word) == ("no", "more than"):
        return OFTEN
    if _PAST.match(f"{word} {behind(span)}"):
        return INSTEAD["did"]
    if word == "if" and said and said[0] in ("after", "before", "when") and "," not in said_before:
        return f"put a comma in front of it, `{said[0]} …, if …, …`, or say `while …`"
    is_first = said and said[0] not in (*_FIRST_PARTS, "to") and (last, word) != ("only", "if")
    if word in _FIRST_PARTS and is_first and len(behind(span).split()) > 1:
        return _turned_round(said, span)
    help = _by_two_words(last, word, vocabulary) or of_having(text_before(span), span, vocabulary)
    if help := help or misplaced(said, span, found.help, vocabulary):
        return help
    begins = word == "may" or (word in _SUBJECTS and "`,`" in found.help) or found.help == "expected `,`"
    begins = begins or _is_order(last, vocabulary) or _is_order(word, vocabulary)
    if said and said[0] in _FIRST_PARTS and "," not in said_before and begins:
        return f"{COMMA}: `{said[0]} …, …`"
    return ""


def _of_this(span: Span, vocabulary: Vocabulary) -> str:
    """Return help for a noun after `this`, perhaps with `'s` and another noun."""
    owned = re.match(r"['’]s ([a-z]+)", span.source.text[span.end : span.end + 40])
    if owned is None and vocabulary.kinds(span.text)["NOUN"] == span.text and carrier(span, vocabulary) != span.text:
        return f"say `the {span.text} of this`"
    if owned is None:
        return f"`this` needs no noun: leave `{span.text}` out, or say `that {span.text}` of another"
    noun = vocabulary.kinds(owned[1]).get("NOUN", owned[1])
    return f"say `the {noun} of this`" if noun == owned[1] else f"say `all {owned[1]} in this`"


def _whose(last: str, span: Span, vocabulary: Vocabulary) -> str:
    """Return help for `'s` after a word that takes none: a pronoun, or a name alone."""
    following = re.match(r" ([a-z]+(?: neighbour)?)", span.source.text[span.end : span.end + 40])
    if following is None:
        return _OF
    if last in ("this", "it"):
        return f"say `its {following[1]}`, or `the {following[1]} of {last}`"
    return f"say `the {following[1]} of that {last}`" if "NAME" in vocabulary.kinds(last) else _OF


_TIME = re.compile(r"\s*(?:the (?:end|start|beginning|next)|your|next)\b")
"""A start or an end of a turn or a round, after `until`."""


def _turned_round(said: list[str], span: Span) -> str:
    """Return help for a part with a time or a condition that follows its order."""
    rest = re.split(r"[.#]", span.source.text[span.end :][:200], maxsplit=1)[0]
    if span.text == "until" and not _TIME.match(rest) and {"may", "cannot"} & set(said):
        if "may" in said:
            return "a permission lasts until a time, not an event: `until the end of the turn, … may …`"
        return "leave out how often: a prohibition until an event is `… cannot … until …`"
    first, order = " ".join([span.text, *rest.split()]), " ".join(said)
    if re.search(r"\b(it|its)\b", rest) or "," in first or len(first) + len(order) > 90:
        return f"put this part first, and a comma after it: `{span.text} …, {said[0]} …`"
    return f"put this part first, and a comma after it: `{first}, {order}.`"


def _by_two_words(last: str, word: str, vocabulary: Vocabulary) -> str:
    """Return help for a word that can never follow the one before it."""
    if (last, word) == ("only", "if"):
        return "say `if …` of a step, and `only while …` in a rule"
    if word == "not" and "NOUN" in vocabulary.kinds(last):
        return "say `that is not …`"
    if word == "to" and last in ("has", "have"):
        return f"say the order itself, without `{last} to`"
    if word == "be" and last == "would":
        return "say who does it: `when a … would … this, …`"
    if word == "be" and last in ("may", "cannot", "can"):
        return f"say who does it: `a … {'may' if last == 'can' else last} … this`"
    if word in ("may", "cannot") and (not last or last.endswith(",")):
        return f"say who: `this {word} …`, `it {word} …` or `you {word} …`"
    if last in ("has", "have"):
        return "a number is set by `the … of this is …`; a bonus is given by `has +2 … until …`"
    return ""


def _away(found: Diagnostic, span: Span) -> Diagnostic:
    """Return a finding on a distance without a starting point: `exactly 2 spaces`."""
    words = list(re.finditer(r"\S+", span.source.text[max(0, span.start - 60) : span.start]))[-3:]
    first = max(0, span.start - 60)
    place = span.source.span(first + words[0].start(), first + words[-1].end())
    if words[0][0] not in ("exactly", "within"):
        place = span.source.span(first + words[-2].start(), place.end)
    far = place.one_line
    return replace(
        found, span=place, message=f"{quoted(far)} does not say from where", help=f"say `{far} away`, or `{far} of …`"
    )


def _new_line(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> Diagnostic:
    """Report a missing full stop if the words after a verb begin a line, and look like an order."""
    if not begins_line(span) or not _is_order(re.split(r"\W", span.text)[0], vocabulary) or _begins_sentence(span):
        return found
    return _ended_before(span)


def _ended_before(span: Span) -> Diagnostic:
    """Return the finding that the sentence has no full stop before a place."""
    last = text_before(span).split()[-1]
    start = span.source.text.rindex(last, 0, span.start)
    return no_full_stop(span.source.span(start, start + len(last)), f"end it here: `{last}.`")


def _sign(span: Span, vocabulary: Vocabulary, expected: str) -> str:
    """Return help for a sign that the language does not have, or that is in the wrong place."""
    sign, text = span.text, span.source.text
    if sign.endswith(("s'", "s’")):
        return "say it of each: `for each …, … its …`; of one thing it is `that …'s …`"
    if sign == "." and text_before(span).endswith("."):
        return "one full stop ends a sentence: leave this one out"
    if sign == "-" and re.match(r"\s*[0-9]", text[span.end :][:9]):
        return "write a range without blanks: `1-2`"
    if sign == ",":
        following = _AFTER_COMMA.match(text, span.start)
        word = following[1] if following is not None else ""
        if word in ("and", "or"):
            return INSTEAD[word]
        if word in _FIRST_PARTS and ("a full stop" in expected or expected.endswith("…")):
            return f"end the sentence here: `.` in place of the comma; what begins with `{word}` is another sentence"
        follows = _is_order(word, vocabulary) or (word in _SUBJECTS and "`, then`" in expected)
        return "join steps by `, then`" if follows else ""
    return next((help for signs, help in SIGNS.items() if len(sign) == 1 and sign in signs), "")


def _form(word: str, expected: str, vocabulary: Vocabulary) -> str:
    """Return help for a verb in another form than the sentence needs."""
    kinds = vocabulary.kinds(word)
    if "VERBS" in kinds and expected.endswith("a verb"):
        return f"say `{kinds['VERBS']}`"
    if "VERBED" in kinds:
        verb = kinds["VERBED"]
        return f"say `{vocabulary.form('VERBS', verb)}` of the agent, or `is {word}` of the object"
    return ""


def _capital(found: Diagnostic, span: Span, vocabulary: Vocabulary) -> Diagnostic:
    """Return a finding with help on a capital letter: within a sentence, only names begin with one."""
    if found.name != "unknown-word":
        return found
    code = BY_NAME["unknown-name"]
    whole = _CAPITAL.match(span.source.text, span.start)
    place = span.source.span(span.start, max(span.end, whole.end())) if whole else span
    names = vocabulary.spellings(NAMES)
    help = did_you_mean(place.text, names) or did_you_mean(span.text, names)
    if not help and begins_word(span.text.lower(), vocabulary):
        if begins_line(span) and _is_order(span.text.lower(), vocabulary):
            return _ended_before(span)
        help = SMALL
    return replace(
        found,
        code=code.code,
        name=code.name,
        severity=code.severity,
        span=place,
        message=f"there is no document called {quoted(place.text)}",
        help=help or "a name is the printed name of a document, as its first line gives it",
    )


def _begins_sentence(span: Span) -> bool:
    return text_before(span).endswith((".", "|", "|-", "|+"))


def _run_together(span: Span, vocabulary: Vocabulary) -> str:
    """Return help if a line, or the word before, begins like an order, and no sentence or part ends before it."""
    column = span.column - 1
    line = span.source.line(span.line)
    start = len(line) - len(line.lstrip())
    first = line[start:].split(" ", 1)[0].rstrip(".,:")
    before = text_before(span.source.span(span.start - column + start, span.end))
    if (_is_order(first, vocabulary) or start == column) and not before.endswith((".", ",", ":", "|")):
        return "if a new sentence begins in this line, end the one before it with a full stop"
    *others, last = text_before(span).split()[-2:] or [""]
    if others and _is_order(last, vocabulary) and _is_order(others[0], vocabulary):
        return f"if `{last}` is another order, join it by `, then`, or end the sentence before it"
    return ""


def _is_order(word: str, vocabulary: Vocabulary) -> bool:
    return any("VERB" in vocabulary.entries[words] for words in vocabulary.by_first.get(word, ()))
