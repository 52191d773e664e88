"""Games that test a document: ones in which it matters soon, as far as its kind shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

from attack.games import of_ruling, scripted
from attack.judging import Wrong, guarded
from warchest import CardError, EndlessError, Game, PositionError, State
from warchest.documents.library import Document

Maker: TypeAlias = Callable[[], State | None]
_SPACES = ["f4", "f5", "e4", "g4", "e5", "d4", "f6", "g5"]
_SQUARES = [f"{file}{rank}" for file in "bcdefg" for rank in "3456"]
_FELLOWS = ("Archer", "Scout", "Knight", "Footman", "Mercenary", "Earl", "Bannerman", "Siege Tower")


def starts(at: Game, inside: list[Document], rng: Random) -> Iterator[State]:
    """Yield at most two states for trying the documents of a file; an impossible one is left out."""
    makers = _of_figures if "figure" in at.document.values["documents"] else _of_units
    tried = rng.sample(inside, min(2, len(inside))) or [at.document]
    for make in [one for document in tried for one in makers(at, document, rng)]:
        try:
            state = guarded(make, PositionError, CardError, EndlessError)
        except (PositionError, EndlessError):
            continue
        except CardError as error:
            raise Wrong("no findings, and the game is refused when it is played", str(error)) from None
        if state is not None:
            yield state


# ---- the first game


def _of_units(at: Game, document: Document, rng: Random) -> list[Maker]:
    if document.kind == "setup":
        return [lambda: at.new(seed=rng.randrange(99), setup=document.name, sets="all")]
    option = document.values.get("option", {})
    options = {option["name"]: option["value"]} if document.kind == "errata" and option else {}
    about = document.values.get("amends", {}).get("name", "") if document.kind == "errata" else document.name
    units = [one.name for one in at.library.of_kind("unit")]
    if about not in units:
        players = rng.choice((2, 2, 4))
        return [
            lambda: at.new(seed=rng.randrange(99), players=players, sets="all", options=options),
            lambda: of_ruling(rng, "war-chest", at, options),
        ]
    others = [name for name in rng.sample(units, len(units)) if name != about]
    armies = {"raven": [about, *others[:3]], "wolf": others[3:7]}
    return [
        lambda: at.new(seed=rng.randrange(99), armies=armies, sets="all", options=options),
        lambda: at.position(_deployed(about, others[0], rng, options)),
    ]


def _deployed(unit: str, other: str, rng: Random, options: dict[str, Any]) -> dict[str, Any]:
    """Return a position with a unit among others, and its owner has its coins."""
    spaces = rng.sample(_SPACES, 4)
    foes = [name for name in rng.sample(_FELLOWS, 2) if name not in (unit, other)]
    units: list[dict[str, Any]] = [
        {"at": spaces[0], "unit": unit, "owner": "raven", "coins": rng.choice((1, 2))},
        {"at": spaces[1], "unit": other, "owner": "raven"},
    ]
    units += [{"at": space, "unit": name, "owner": "wolf"} for space, name in zip(spaces[2:], foes, strict=False)]
    return {
        "to_act": "raven",
        "initiative": "raven",
        "options": options,
        "units": units,
        "hand": {"raven": [unit, other, "Royal Coin"], "wolf": ["Royal Coin"]},
    }


# ---- the second game


def _of_figures(at: Game, document: Document, rng: Random) -> list[Maker]:
    if document.kind == "setup":
        return [lambda: at.new(seed=rng.randrange(99), setup=document.name)]
    bearers = [
        one.name
        for one in at.library.of_kind("figure")
        if one.name == document.name or document.name in str(one.values.get("abilities", ""))
    ]
    option = document.values.get("option", {})
    lines = [f"option {option['name']} {option['value']}"] if document.kind == "errata" and option else []
    setup = rng.choice([one.name for one in at.library.of_kind("setup")] or ["none"])
    drawn_up = "\n".join([*lines, *_drawn_up(at, bearers, rng)])
    if rng.random() < 0.3:
        return [lambda: scripted(at, drawn_up), lambda: at.new(seed=rng.randrange(99), setup=setup)]
    return [lambda: scripted(at, drawn_up), lambda: of_ruling(rng, "unigames", at)]


def _drawn_up(at: Game, bearers: list[str], rng: Random) -> list[str]:
    """Return a script with six figures near each other; those that matter are among the first player's."""
    names = rng.sample(bearers, min(2, len(bearers)))
    names += rng.sample([one.name for one in at.library.of_kind("figure") if one.name not in names], 6 - len(names))
    squares = rng.sample(_SQUARES, 6)
    return [
        f"P{1 + number // 3} {name.replace(' ', '')}@{square}{rng.choice('nesw')}"
        for number, (name, square) in enumerate(zip(names, squares, strict=True))
    ]
