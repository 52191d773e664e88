"""Numbers in phrases: how far away, and of how many; what can mean nothing there is refused."""

from __future__ import annotations

from warchest.check.types import flaw
from warchest.diagnostics.diagnostic import quoted
from warchest.syntax import ast


def reach_of(mod: ast.Away) -> tuple[int, int]:
    """Return from which distance to which a phrase means; raises Flaw where that is none."""
    count, said = mod.count, quoted(mod.span.text)
    if mod.unit.text != "space":
        raise flaw("wrong-kind", f"distances are counted in spaces, not in {quoted(mod.unit.span.text)}", mod.unit.span,
                   help=f"say `{count.span.text} spaces`")  # fmt: skip
    if mod.limit == "within" and count.low != count.high:
        help = f"say `{count.span.text} spaces away`, or `within {max(count.low, count.high)} spaces`"
        raise flaw("says-nothing", f"{said} does not say how far", count.span, help=help)
    _in_order(count)
    if count.high == 0:
        raise flaw("says-nothing", f"nothing else is {said}", mod.span,
                   help="say a number from 1 on; where something stands is `its space`")  # fmt: skip
    return (1 if mod.limit == "within" else count.low), count.high


def how_many(count: ast.Count) -> int:
    """Return how many things are meant; raises Flaw where that is left open, or none."""
    _in_order(count)
    if count.low != count.high:
        raise flaw("says-nothing", f"{quoted(count.span.text)} leaves open how many", count.span, help="say one number")
    if count.high == 0:
        raise flaw("says-nothing", "this is said of nothing", count.span, help="say a number from 1 on")
    return count.high


def only_one(phrase: ast.Phrase) -> None:
    """Raise Flaw where a number of things is said, and one thing at a time is meant."""
    count = phrase.count
    if count is not None and (count.low, count.high) != (1, 1):
        raise flaw("number-of-things", f"{quoted(phrase.span.text)} is not one thing, and one is meant here",
                   count.span, help="say `a …`; what is to be done several times is said several times")  # fmt: skip


def _in_order(count: ast.Count) -> None:
    if count.low > count.high:
        raise flaw("says-nothing", f"{quoted(count.span.text)} counts downwards", count.span,
                   help=f"the smaller number comes first: `{count.high}-{count.low}`")  # fmt: skip
