"""Games with a designer's own cards, and short notations for positions and options."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent, indent
from typing import Any

import pytest

import warchest
from loaded import shipped
from warchest import State
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.game.state import state_at

Data = dict[str, Any]


def card(name: str, *, kind: str = "unit", coins: int = 5, **parts: str | int) -> str:
    """Return a document with blocks of sentences and with numbers: a unit with 5 coins, or of another kind."""
    lines = [f"{kind}: {name}"]
    if kind == "unit":
        lines += ["set: test", f"coins: {coins}"]
    lines.append("source: a test")
    for key, part in parts.items():
        lines += [f"{key}: {part}"] if isinstance(part, int) else [f"{key}: |", indent(dedent(part).strip(), "  ")]
    return "\n".join(lines) + "\n"


def layer(name: str, amends: tuple[str, str], *, head: str = "", **parts: Mapping[str, str]) -> str:
    """Return an erratum: `replace` or `add`, each with its blocks."""
    lines = [f"errata: {name}", "source: a test"]
    if head:
        lines.append(head)
    lines.append(f"amends: {{kind: {amends[0]}, name: {amends[1]}}}")
    for part, blocks in parts.items():
        lines.append(f"{part}:")
        for key, text in blocks.items():
            lines += [f"  {key}: |", indent(dedent(text).strip(), "    ")]
    return "\n".join(lines) + "\n"


def game(*documents: str) -> warchest.Game:
    """Return War Chest with further documents."""
    return shipped("war-chest", *documents)


def refused(*documents: str) -> list[Diagnostic]:
    """Return the findings for which War Chest refuses further documents."""
    with pytest.raises(warchest.CardError) as caught:
        game(*documents)
    return list(caught.value.diagnostics)


def position(units: str = "", hand: str = "Royal Coin", other: str = "Royal Coin", **more: Any) -> Data:
    """Return a position: `Archer f4 2, wolf Knight f5`; hands are names with commas between them."""
    stacks = []
    for one in filter(None, (part.strip() for part in units.split(","))):
        words = one.split()
        owner = words.pop(0) if words[0] in ("raven", "wolf") else "raven"
        coins = int(words.pop()) if words[-1].isdigit() else 1
        at = words.pop()
        stacks.append({"at": at, "unit": " ".join(words), "owner": owner, "coins": coins})
    hands = {"raven": names(hand), "wolf": names(other)}
    return {"to_act": "raven", "initiative": "raven", "units": stacks, "hand": hands, **more}


def names(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def offered(state: State, **wanted: Any) -> list[Data]:
    """Return the data of the options that say at least this."""
    if state.decision is None:
        return []
    return [
        option.data
        for option in state.decision.options
        if all(option.data.get(key) == value for key, value in wanted.items())
    ]


def take(state: State, **wanted: Any) -> State:
    """Take the one option that says this; of several, the one that says nothing more."""
    assert state.decision is not None, "the game is over"
    found = [
        option
        for option in state.decision.options
        if all(option.data.get(key) == value for key, value in wanted.items())
    ]
    if len(found) > 1:
        found = [option for option in found if option.data == wanted] or found
    assert len(found) == 1, (wanted, state.decision.prompt, [option.data for option in state.decision.options])
    return state.apply(found[0])


def passed(state: State) -> State:
    """Return a state after the active player has passed."""
    return take(state, act="pass", coin=offered(state, act="pass")[0]["coin"])


def drawn(state: State) -> State:
    """Return a state after all that chance decides now."""
    while state.decision is not None and state.decision.is_chance:
        state.apply(0)
    return state


def units(state: State) -> dict[str, tuple[str, int]]:
    """Return the pieces by their places, with the numbers of their coins."""
    return {unit["at"]: (unit["unit"], unit["coins"]) for unit in state.position()["units"]}


def unit(state: State, name: str) -> Data:
    """Return the entry of the first unit of a name in a position."""
    found: Data = next(one for one in state.position()["units"] if one["unit"] == name)
    return found


def coins(state: State) -> dict[str, int]:
    """Return how many coins the unit on each space has."""
    return {unit["at"]: unit["coins"] for unit in state.position()["units"]}


def spaces(state: State) -> dict[str, str]:
    """Return the space of each unit, by name."""
    return {unit["unit"]: unit["at"] for unit in state.position()["units"]}


def player(state: State) -> str | None:
    """Return who decides."""
    assert state.decision is not None, "the game is over"
    return state.decision.player


def lines(state: State) -> str:
    """Return the log as one text."""
    return "\n".join(entry.text for entry in state.trace)


def comes_back(state: State) -> State:
    """Check that a state can be restored from its position, with its question; return the restored state."""
    written = state.position()
    back = state_at(state.variant, written)
    assert back == state and hash(back) == hash(state)
    assert back.position() == written
    assert (back.decision is None) == (state.decision is None)
    if state.decision is not None and back.decision is not None:
        assert back.decision.player == state.decision.player
        assert [one.data for one in back.decision.options] == [one.data for one in state.decision.options]
    return back


def round_trips(state: State) -> None:
    """Check that a state comes back from its position, and that a clone goes its own way."""
    back = comes_back(state)
    if state.decision is None:
        return
    before, log = state.position(), state.log
    for index in range(len(state.decision.options)):
        copy, again = state.clone(), back.clone()
        assert copy == state
        copy.apply(index)
        again.apply(index)
        assert copy.position() == again.position()
        assert state.position() == before and state.log == log
