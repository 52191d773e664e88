"""The course of a game as data for a page. Pictures that follow each other share nearly all of their lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypedDict

from warchest.diagnostics.visible import visible
from warchest.picture import parts
from warchest.picture.scene import Scene, Side
from warchest.picture.style import ink
from warchest.replay.replay_moments import SeenMoment
from warchest.source.limits import MAX_PAGE

PREFIX = "game"
"""The class of pictures on the page, and the beginning of their ids."""
_NUMBER = 5
"""The bytes of the number of a line, about."""


class PageTooLarge(ValueError):
    """The game is too long for a page; the message names the limit."""


class PictureStore:
    """Lines of text, and pictures made of lines, each stored once; both are identified by number."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.pictures: dict[tuple[int, ...], int] = {}
        self.size = 0
        """The bytes of all of it, about."""

    def line(self, text: str) -> int:
        """Return the number of a line."""
        if text not in self.lines:
            # Quotes and brackets are written as escapes.
            self.size += len(text.encode("utf-8", "backslashreplace")) + text.count('"') + 5 * text.count("<")
        return self.lines.setdefault(text, len(self.lines))

    def picture(self, drawn: str) -> int:
        """Return the number of a picture."""
        lines = tuple(map(self.line, drawn.split("\n")))
        if lines not in self.pictures:
            self.size += _NUMBER * len(lines)
        return self.pictures.setdefault(lines, len(self.pictures))


class PageCourse(TypedDict):
    """The data of a page: its titles, the players, the steps that each viewer sees, and the lines used in the steps."""

    title: str
    ending: str
    seats: list[Mapping[str, str]]
    views: list[dict[str, object]]
    lines: list[str]
    pictures: list[tuple[int, ...]]


def course_of(moments: Iterable[tuple[SeenMoment, ...]]) -> PageCourse:
    """Return the data of a page for some moments; raises PageTooLarge.

    A step is a list: the board, pictures beside the board, pictures of motions, facts, and news. The first three items
    are numbers of pictures, the last two numbers of lines; a picture is a list of numbers of lines.
    """
    pictures = PictureStore()
    views: dict[str | None, list[object]] = {}
    last: Scene | None = None
    for number, moment in enumerate(moments):
        for one in moment:
            views.setdefault(one.viewer, []).append(step := _step(one, pictures))
            pictures.size += _NUMBER * (sum(len(part) for part in step if isinstance(part, list)) + 2)
        if pictures.size > MAX_PAGE:
            raise PageTooLarge(
                f"the page would be larger than {MAX_PAGE >> 20} MiB, which is the most, from decision "
                f"{number:,} on; let it end before, or make it for one viewer"
            )
        last = moment[0].seen
    assert last is not None
    return {
        "title": visible(last.title),
        "ending": visible(last.ending),
        "seats": list(map(_seat, last.sides)),
        "views": [{"viewer": viewer, "steps": steps} for viewer, steps in views.items()],
        "lines": list(pictures.lines),
        "pictures": list(pictures.pictures),
    }


def _step(one: SeenMoment, pictures: PictureStore) -> list[object]:
    drawn, seen = parts(one.seen, PREFIX), one.seen
    beside = [pictures.picture(part) for part in (*drawn.panels, drawn.tables, drawn.legend) if part]
    facts = " · ".join(f"{title}: {value}" if value else title for title, value in seen.facts)
    return [
        pictures.picture(drawn.board),
        beside,
        [pictures.picture(part) for part in drawn.motions],
        pictures.line(visible(facts)),
        [pictures.line(visible(said)) for said in one.news],
    ]


def _seat(side: Side) -> Mapping[str, str]:
    return {
        "name": visible(side.name),
        "team": visible(side.team),
        "letter": visible(side.letter),
        "colour": side.colour,
        "ink": ink(side.colour),
    }
