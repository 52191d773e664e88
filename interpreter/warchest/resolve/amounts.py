"""Numbers in phrases: distances and numbers of things; numbers without a meaning at their place are rejected."""

from __future__ import annotations

from dataclasses import replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.diagnostic import Fix, quoted
from warchest.resolve.types import Flaw, flaw
from warchest.source.text import Span
from warchest.syntax import ast

_MOST = 80
"""The most letters of a phrase that advice quotes in full."""
_EACH = ", or begin with `for each … in any order, …`"


def reach_of(mod: ast.Away) -> tuple[int, int] | None:
    """Return the least and the greatest distance in a phrase, None if a letter gives it; raises Flaw."""
    count, whole = mod.count, quoted(mod.span.text)
    if mod.unit.text != "space":
        place, one = mod.span.source.span(count.span.start, mod.unit.span.end), count.span.text == "1"
        message = f"distances are counted in spaces, not in {quoted(mod.unit.span.text)}"
        raise flaw("wrong-kind", message, place, help=f"say `{count.span.text} {'space' if one else 'spaces'}`")
    if isinstance(count, ast.Letter):
        return None
    one, unit = (count.low, count.high) == (1, 1), mod.unit.text
    written = mod.unit.span.text.casefold()
    # A phrase of a paraphrase has no place in a file.
    if written in (unit, f"{unit}s") and one != (written == unit):
        said, meant = f"{count.span.text} {mod.unit.span.text}", "one space" if one else "several spaces"
        place = mod.span.source.span(count.span.start, mod.unit.span.end)
        message = f"{quoted(said)} speaks of {meant}"
        right = f"{count.span.text} {unit if one else 'spaces'}"
        raise flaw("number-of-things", message, place, help=f"say `{right}`", fix=Fix.put(place, right))
    if mod.limit == "within" and count.low != count.high:
        end = "" if mod.origin is not None or mod.bare else " away"
        place = mod.span.source.span(mod.span.start, mod.unit.span.end if mod.origin is not None else mod.span.end)
        low, high = sorted((count.low, count.high))
        apart = f"{low}-{high} spaces{' away' if mod.origin is None else ''}"
        help = f"say `{apart}`, or `within {high} spaces{end}`"
        raise flaw("says-nothing", f"{whole} does not say how far", place, help=help)
    _in_order(count)
    if count.high == 0:
        message = f"nothing else is {whole}"
        help = "say a number from 1 on; the place of a thing is `its space`"
        raise flaw("says-nothing", message, mod.span, help)
    return (1 if mod.limit == "within" else count.low), count.high


def how_many(count: ast.Count) -> int:
    """Return the number of things in a phrase; raises Flaw if it is open, or 0."""
    _refuse_letter(count)
    _in_order(count)
    if count.low != count.high:
        raise flaw("says-nothing", f"{quoted(count.span.text)} leaves open how many", count.span, help="say one number")
    if count.high == 0:
        raise flaw("says-nothing", "this is said of nothing", count.span, help="say a number from 1 on")
    return count.high


def _refuse_letter(count: ast.Count) -> None:
    """Raise Flaw for a letter that counts existing things."""
    if count.letter is not None:
        message = f"{quoted(count.span.text)} is no number here: a letter counts only new things"
        raise flaw("number-of-things", message, count.span, help="say a number, or `put … new … into …`")


def only_one(phrase: ast.Phrase, among_rules: bool = False) -> None:
    """Raise Flaw for a phrase for several things, or none, where one at a time is needed.

    Rules hold for each thing that fits, and so they may use `each`.
    """
    count = phrase.count
    if count is not None:
        _refuse_letter(count)
    if count is not None and (count.low, count.high) != (1, 1):
        raise not_one(phrase, phrase.span, f"say `{one_of(phrase)}`; to do it several times, repeat the order")
    if phrase.determiner in ("the", "that", "its", "your") and isinstance(phrase.head, ast.Word):
        message = f"{quoted(phrase.span.text)} is one thing, and any that fits is meant here"
        raise flaw("not-indefinite", message, phrase.span, help=f"say `{one_of(phrase)}`")
    if phrase.determiner == "no":
        help = "say `cannot …` for a forbidden act, and `without a …` or `if no … is …` for a missing thing"
        message = f"{quoted(phrase.span.text)} means no thing, and one is needed here"
        raise flaw("number-of-things", message, phrase.span, help=help)
    if phrase.determiner == "" and count is None:
        message = f"{quoted(phrase.span.text)} does not say whether one is meant, or each"
        help = f"say `{one_of(phrase)}`" + ("" if among_rules else _EACH)
        raise flaw("number-of-things", message, phrase.span, help=help)
    if phrase.determiner == "all" or (phrase.determiner == "each" and not among_rules):
        text, end = phrase.span.source.text, phrase.span.end
        several = among_rules and text[end : end + 5] == " are "
        span = phrase.span.source.span(phrase.span.start, end + 4) if several else phrase.span
        help = f"say `{one_of(phrase)}{' is' if several else ''}`" + (
            ": a rule holds for each" if among_rules else _EACH
        )
        raise not_one(phrase, span, help)


def one_of(phrase: ast.Phrase) -> str:
    """Return a phrase in the form for any one thing: `a bolstered unit adjacent to this`."""
    words = " ".join((*(word.text for word in phrase.adjectives), phrase.head.text))
    behind = phrase.span.source.text[phrase.head.span.end : phrase.span.end].split()
    behind = ["that", "is", *behind[2:]] if behind[:2] == ["that", "are"] else behind
    said = " ".join((with_article(words), *behind))
    return said if len(said) <= _MOST else f"{with_article(words)} …"


def not_one(phrase: ast.Phrase, span: Span, help: str) -> Flaw:
    """Return the Flaw for a phrase for several things where one is needed."""
    message = f"{quoted(phrase.span.text)} is not one thing, and one is meant here"
    return flaw("number-of-things", message, span, help=help)


def as_any(phrase: ast.Phrase) -> ast.Phrase:
    """Return a phrase with `all`, `each` or `no` as the phrase for any one of its things."""
    return replace(phrase, determiner="a") if phrase.determiner in ("all", "each", "no", "") else phrase


def _in_order(count: ast.Count) -> None:
    if count.low > count.high:
        message = f"{quoted(count.span.text)} counts downwards"
        help = f"the smaller number comes first: `{count.high}-{count.low}`"
        raise flaw("says-nothing", message, count.span, help)
