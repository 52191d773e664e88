"""The report of a result as one page of HTML that loads nothing: charts, tables, games and cards."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files

from warchest.balance.charts import charts_of, drawn_chart
from warchest.balance.result import JudgedCards
from warchest.diagnostics.articles import many
from warchest.diagnostics.visible import visible
from warchest.game.game import Game
from warchest.paper.game_parts import CardFace, PrintedGame
from warchest.testing.tally import TallyTable

ENDS = 3
"""The number of the strongest cards, and of the weakest, in a report about no particular card."""
_GAP = re.compile(r"\{\{(\w+)\}\}")


def report_page(result: JudgedCards, faces: Sequence[CardFace], command: str = "") -> str:
    """Return the page of a result; `faces` are cards that it shows, `command` is the command that made it, if known.

    The same result gives the same page.
    """
    title = f"The balance of {', '.join(result.cards) or result.game}"
    style = _file("report.css")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    gaps = {
        "policy": policy,
        "style": style,
        "title": _text(title),
        "about": _text(
            "; ".join([f"{many(result.games, 'game')} of {result.game} between bots", result.ended, *result.notes()])
        ),
        "charts": "\n".join(_chart(chart.title, drawn_chart(chart)) for chart in charts_of(result)),
        "tables": "\n".join(_table(one) for one in result.tables()),
        "games": "\n".join(_games(result)),
        "cards": _cards(faces),
        "how": f"Made by <code>{_text(command)}</code>." if command else "",
    }
    return _GAP.sub(lambda gap: gaps[gap[1]], _file("report.html"))


def faces_for(game: Game, options: dict[str, str], result: JudgedCards) -> list[CardFace]:
    """Return the cards that a report shows: those asked about, or the strongest and the weakest ones."""
    told = [one.name for one in result.told]
    if not result.cards and len(told) > 2 * ENDS:
        told = told[:ENDS] + told[-ENDS:]
    contents = PrintedGame(game, options)
    documents = (next((one for one in contents.library.documents if one.name == name), None) for name in told)
    return [contents.face(one) for one in documents if one is not None and one.kind in contents.kinds]


# ---- parts


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _text(told: str) -> str:
    return escape(visible(told))


def _chart(title: str, svg: str) -> str:
    # An image runs no script and reaches nothing, whatever names it holds.
    return f'<img alt="{_text(title)}; the table has the same" src="data:image/svg+xml;base64,{_base64(svg)}">'


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _table(one: TallyTable) -> str:
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in one.columns)
    rows = "\n".join(_row(cells) for section in one.sections for cells in section)
    return (
        f'<div class="wide"><table><caption>{_text(one.title)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _row(cells: Sequence[str]) -> str:
    first, *others = cells
    return f'<tr><th scope="row">{_text(first)}</th>{"".join(f"<td>{_text(one)}</td>" for one in others)}</tr>'


def _games(result: JudgedCards) -> Iterator[str]:
    """Yield a list of the games that show the conspicuous pairs."""
    pairs = [one for one in result.pairs if one.seeds]
    if pairs:
        yield "<h2>games that show pairs</h2>\n<ul>"
        for pair in pairs:
            yield f"<li>{_text(pair.name)}: {', '.join(_seed(seed, result) for seed in pair.seeds)}</li>"
        yield "</ul>"


def _seed(seed: int, result: JudgedCards) -> str:
    link = result.links.get(seed)
    return f'<a href="{escape(link)}">seed {seed}</a>' if link else f"seed {seed}"


def _cards(faces: Iterable[CardFace]) -> str:
    told = "\n".join(_card(one) for one in faces)
    return f'<h2>cards</h2>\n<div class="cards">\n{told}\n</div>' if told else ""


def _card(face: CardFace) -> str:
    values = "; ".join(f"{one.key}: {one.value}" for one in face.values)
    texts = "\n".join(
        f"<p><dfn>{_text(one.key)}</dfn> {'<br>'.join(_text(line) for line in one.lines)}</p>" for one in face.texts
    )
    return f'<section class="card"><h3>{_text(face.name)}</h3>\n<p>{_text(values)}</p>\n{texts}</section>'
