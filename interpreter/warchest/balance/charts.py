"""Charts of a result: shares with their intervals, drawn by Altair as pictures in SVG that load nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from warchest.balance.result import JudgedCards

MOST_ROWS = 60
"""The most rows of a chart; a table beside it has all of them."""
WIDTH, ROW = 460, 20
"""The width of a chart, and the height of a row."""
PADDING = 16
"""The room around a chart: text may be wider in one browser than in another."""
INK, MARK = "#7a2e2e", "#8a8378"


class ChartRow(NamedTuple):
    """A share of games, or a change of it, with its name and the bounds of its interval."""

    name: str
    share: float
    low: float
    high: float


class BalanceChart(NamedTuple):
    """A chart: its title, its rows, and the share that a line marks."""

    title: str
    rows: Sequence[ChartRow]
    middle: float


def charts_of(result: JudgedCards) -> Iterator[BalanceChart]:
    """Yield the charts of a result, those that have any rows."""
    cards = [ChartRow(one.name, one.share, *one.shares) for one in result.told]
    pairs = [ChartRow(one.name, one.share, *one.shares) for one in result.pairs]
    versions = [ChartRow(f"{one.card}, {one.version}", one.value, *one.interval) for one in result.differences]
    tuned = [ChartRow(one.words, one.share, *one.interval) for one in result.tuned if not one.refused]
    for title, rows, middle in (
        ("games won with a card in place of a mean one", cards, 0.5),
        ("games won with a pair, between equal armies", pairs, 0.5),
        ("change in games won", versions, 0.0),
        ("games won with other numbers", tuned, result.target),
    ):
        if rows:
            yield BalanceChart(title, rows[:MOST_ROWS], middle)


def drawn_chart(chart: BalanceChart) -> str:
    """Return a chart as SVG; the same chart gives the same text."""
    import altair as alt
    from vl_convert import vegalite_to_svg

    order = [one.name for one in chart.rows]
    bounds = [one for row in chart.rows for one in (row.low, row.high)] + [chart.middle]
    scale = alt.Scale(domain=[min(bounds), max(bounds)], nice=True, zero=False)
    # Formulas in names would be no formulas: they are data.
    rows = alt.Chart(alt.InlineData([one._asdict() for one in chart.rows]))
    name = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=240))
    share = alt.Axis(format=".0%", title=None, grid=True, tickCount=6)
    lines = rows.mark_rule(color=INK, strokeWidth=2).encode(
        y=name, x=alt.X("low:Q", scale=scale, axis=share), x2=alt.X2("high:Q")
    )
    points = rows.mark_point(color=INK, filled=True, size=60, opacity=1).encode(y=name, x=alt.X("share:Q", scale=scale))
    middle = alt.Chart(alt.InlineData([{"middle": chart.middle}])).mark_rule(color=MARK, strokeDash=[4, 3])
    drawn = alt.layer(middle.encode(x=alt.X("middle:Q", scale=scale)), lines, points)
    drawn = drawn.properties(
        width=WIDTH, height=ROW * len(order), title=chart.title, background="white", padding=PADDING
    )
    svg: str = vegalite_to_svg(drawn.to_dict())
    return svg
