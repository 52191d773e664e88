"""Forms of lines: what is read by one with parts that may be left out, in a time that every form keeps to."""

from __future__ import annotations

from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warchest.scripts.forms import CaughtValues, FormReader, Misses, parts_of
from warchest.scripts.gaps import WORDS, EitherGap, NameGap, NumberGap, WordGap
from warchest.source.text import Source, Span

KINDS = {"number": NumberGap(), "letter": NameGap("a letter", "xy"), "name": WordGap("a name", "name")}
Written = list["str | Written"]
"""A form: texts, and lists for optional parts."""

PIECES = st.sampled_from(["x", "y", "xy", " ", "x ", "<number n>", "<letter a>", "<letter b>"])
FORMS: st.SearchStrategy[Written] = st.recursive(
    st.lists(PIECES, max_size=4), lambda inner: st.lists(PIECES | inner, max_size=5), max_leaves=8
)


def written(form: Written) -> str:
    return "".join(part if isinstance(part, str) else f"[{written(part)}]" for part in form)


def readings(form: Written) -> list[str]:
    """The forms that are meant, with nothing to be left out, in the order in which they are to be tried."""
    ways = [[part] if isinstance(part, str) else [*readings(part), ""] for part in form]
    return ["".join(chosen) for chosen in product(*ways)]


def read(form: str, text: str, misses: Misses) -> tuple[CaughtValues, int] | None:
    return FormReader(KINDS).read(parts_of(form), Span(Source("case.script", text), 0, len(text)), misses)


@given(FORMS, st.lists(st.sampled_from(["x", "y", " ", "1", "xy", "x "]), max_size=8).map("".join))
def test_a_form_reads_like_the_first_of_its_readings(form: Written, text: str) -> None:
    # Blanks or words that meet where a part is left out are still two parts, as in the form.
    ours, theirs = Misses(), Misses()
    found = read(written(form), text, ours)
    tried = (read(one, text, theirs) for one in readings([_apart(part) for part in form]))
    expected = next((one for one in tried if one is not None), None)
    assert (found and ({name: one.value for name, one in found[0].items()}, found[1])) == (
        expected and ({name: one.value for name, one in expected[0].items()}, expected[1])
    )


def _apart(part: str | Written) -> str | Written:
    """Separate parts are not joined: `[]` is empty, and separates two words."""
    return f"{part}[]" if isinstance(part, str) else [_apart(one) for one in part]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("[x ]" * 35 + "y", "x " * 36 + "z"),
        ("[x [x [x ]]]" * 16 + "y", "x " * 50 + "z"),
        ("[<number n> ]" * 15 + "y", "1 " * 40),
        ("[" * 95 + "x" + "]" * 95, "y"),
        ("[x]" * 60, "x" * 61),
    ],
)
def test_no_form_takes_long(form: str, text: str) -> None:
    start = process_time()
    assert read(form, text, Misses()) is None
    assert process_time() - start < 1


def test_a_miss_names_the_expected_words_at_the_furthest_place() -> None:
    misses = Misses()
    assert read("[x ]" * 35 + "y", "x " * 36 + "z", misses) is None
    assert (misses.at, misses.wanted) == (70, ["`y`"])


@pytest.mark.parametrize(
    ("kind", "text", "end"),
    [
        ("name", "Al-Kaz_3’s@d4", 10),
        ("name", "3rd", None),
        ("name", "_a", None),
        ("word", "abC3", 3),
        ("word", "3", None),
        ("capitalised", "UndEad4", 6),
        ("capitalised", "undead", None),
        ("capitalised", "Éa", None),
    ],
)
def test_a_kind_of_word_agrees_with_the_page(kind: str, text: str, end: int | None) -> None:
    found = WordGap("a word", kind).read(Span(Source("case.script", text), 0, len(text)))
    assert found == (None if end is None else (text[:end], end))


@pytest.mark.parametrize(("text", "caught"), [("generic", "generic"), ("Undead", "Undead"), ("Foobar", "Foobar")])
def test_the_longest_of_several_kinds_is_read(text: str, caught: str) -> None:
    kind = EitherGap("a class", [NameGap("a class", ["generic", "Foo"]), WordGap("a class", "capitalised")])
    assert kind.read(Span(Source("case.script", text), 0, len(text))) == (caught, len(caught))
    assert kind.read(Span(Source("case.script", "x"), 0, 1)) is None


def test_no_word_takes_long() -> None:
    text = "A" * 1_000_000 + "!"
    start = process_time()
    for kind in WORDS:
        WordGap("a word", kind).read(Span(Source("case.script", text), 0, len(text)))
    assert process_time() - start < 1
