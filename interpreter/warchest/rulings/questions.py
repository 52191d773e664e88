"""Questions that the printed rules leave open, with their readings and the reading that is taken."""

from __future__ import annotations

import re
from collections.abc import Iterable

from warchest.documents.library import Document, Library
from warchest.source.records import record
from warchest.source.text import Span

KIND = "question"
"""The kind of document that holds one question."""


@record()
class QuestionReading:
    """One way to read the rules: its text, the people who read them so, and the value of the option that chooses it."""

    text: str
    used_by: tuple[str, ...]
    value: str | None


@record()
class Question:
    """A question with its readings; `option` chooses among those that have a value."""

    name: str
    about: tuple[str, ...]
    asks: str
    taken: QuestionReading
    others: tuple[QuestionReading, ...]
    because: str
    option: str | None
    not_offered: str
    source: str
    span: Span
    cited_as: tuple[str, ...] = ()
    """The short names that rulings use to cite it."""

    @property
    def readings(self) -> tuple[QuestionReading, ...]:
        """All readings; the first is the one that is taken."""
        return (self.taken, *self.others)

    @property
    def title(self) -> str:
        """Its name, with the short names that rulings use to cite it."""
        return f"{self.name} ({', '.join(self.cited_as)})" if self.cited_as else self.name

    def chosen_by(self, reading: QuestionReading) -> str:
        """Return the option and its value that choose a reading, or an empty text."""
        return f"{self.option}={reading.value}" if self.option and reading.value else ""


def questions_in(library: Library) -> list[Question]:
    """Return the questions among the documents of a library, by their names."""
    return sorted(map(_question, library.of_kind(KIND)), key=lambda question: question.name)


def cited_by(source: str, questions: Iterable[Question]) -> list[Question]:
    """Return the questions that the source of a ruling cites: `question: NAME`, or a short name, `ruling: R7`."""
    words = set(re.findall(r"\w+", source))
    return [one for one in questions if source == f"{KIND}: {one.name}" or words & set(one.cited_as)]


def _question(document: Document) -> Question:
    values = document.values
    readings = [
        QuestionReading(one["reading"], tuple(one.get("used by", ())), one.get("value")) for one in values["readings"]
    ]
    known = next((one for one in readings if one.text == values["taken"]), None)
    taken = known or QuestionReading(values["taken"], (), None)
    return Question(
        document.name,
        tuple(values["about"]),
        values["asks"],
        taken,
        tuple(one for one in readings if one is not known),
        values["because"],
        values.get("option"),
        values.get("not offered", ""),
        document.source,
        document.span,
        tuple(values.get("cited as", ())),
    )
