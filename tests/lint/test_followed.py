"""Two rules for all messages: following advice leads to no other refusal, and a finding is reported at its fault.

Cards are spoilt in one place, and the words that their findings say to write are put into the text: none of them
may be refused.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from following import followed
from spoilt import spoilt
from test_advice import FOLLOWED
from test_slips import SENTENCES

from linted import usual_texts
from seeds import seeds
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.explanations import explanations
from warchest.lint.wc_lint import findings_in

BATCH = 25
CASES = 150
"""How many cards are spoilt by a seed."""
ONE_ADVICE_IN = 5
"""At least one finding in this number has advice that can be followed to the letter."""
OF_OTHERS = ("missing-full-stop", "yaml-syntax")
"""The findings on faults that were there before the advice."""
LEAST_KNOWN = 40
TOLD_OF_ALL = "nothing says which"
"""The message of findings on all texts together, which no trial of one sentence can find."""


def linted(texts: Sequence[str]) -> Iterator[list[Diagnostic]]:
    """Yield the findings in each of some texts, which are linted in batches."""
    for start in range(0, len(texts), BATCH):
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / f"{number}.yaml" for number in range(len(texts[start : start + BATCH]))]
            for file, text in zip(files, texts[start:], strict=False):
                file.write_text(text, encoding="utf-8")
            found = findings_in([Path(folder)], usual_texts())
            for file in files:
                yield [one for one in found if one.file == str(file)]


def chains(texts: Sequence[str]) -> tuple[int, list[str]]:
    """The number of findings in some texts whose advice could be followed, and those that lead to another refusal."""
    advised = [(found[0], then) for found in linted(texts) if len(found) == 1 and (then := followed(found[0]))]
    refused: list[list[str]] = [[] for _ in advised]
    accepted = [False] * len(advised)
    for number in range(max((len(then) for _, then in advised), default=0)):
        # Texts that result from one advice have the same name, so they are linted one after the other.
        some = [(place, found, then[number]) for place, (found, then) in enumerate(advised) if number < len(then)]
        for (place, found, text), after in zip(some, linted([one[-1] for one in some]), strict=True):
            told = refusals(found, text, after)
            refused[place] += told
            accepted[place] = accepted[place] or not told
    ends = zip(advised, refused, accepted, strict=True)
    return len(advised), [f"{found.message}: {found.help} -> {told[0]}" for (found, _), told, good in ends if not good]


def refusals(found: Diagnostic, text: str, after: Iterable[Diagnostic]) -> list[str]:
    """The refusals of the words that an advice put in, and of those beside them."""
    assert found.span is not None
    before = found.span.source.text
    first = alike(before, text)
    last = max(first, len(text) - alike(before[::-1], text[::-1]))
    return [
        f"{one.message} ({one.help})"
        for one in after
        if one.severity == "error"
        and one.span is not None
        and one.span.start <= last
        and one.span.end >= first
        and one.name not in OF_OTHERS
        and TOLD_OF_ALL not in one.message
    ]


def alike(one: str, other: str) -> int:
    """The length of the common prefix of two texts."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def numbered(texts: Iterable[str]) -> list[str]:
    """Some texts of units, each under a name of its own."""
    units = dict.fromkeys(one for one in texts if one.startswith("unit: Halberdier\n"))
    return [one.replace("\n", f" {number}\n", 1) for number, one in enumerate(units)]


@pytest.mark.parametrize("seed", seeds(4, "advice", usual=range(4)))
def test_advice_on_a_spoilt_card_leads_to_no_other_refusal(seed: int) -> None:
    known, told = chains([one.text for one in spoilt(seed, CASES)])
    assert not told, told
    assert known >= CASES // ONE_ADVICE_IN, known


def test_advice_on_wrong_sentences_leads_to_no_other_refusal() -> None:
    wrong = [*(text for text, *_ in SENTENCES), *(text for text, *_ in FOLLOWED)]
    known, told = chains(numbered([*wrong, *(one.bad for one in explanations().values())]))
    assert not told, told
    assert known >= LEAST_KNOWN, known


@pytest.mark.parametrize("seed", seeds(2, "places", usual=range(100, 102)))
def test_a_finding_is_in_the_changed_line(seed: int) -> None:
    cards, elsewhere = spoilt(seed, CASES), 0
    for card, found in zip(cards, linted([one.text for one in cards]), strict=True):
        for one in found:
            assert one.span is not None and one.file == one.span.path, one
            assert 1 < one.span.line <= card.text.count("\n"), (card, one)
            elsewhere += one.span.line != card.line
    assert elsewhere <= CASES // 20, elsewhere
