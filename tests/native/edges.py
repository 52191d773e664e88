"""Small games at the edges of the bounds of docs/reference/limits.md: each at one bound, and one beyond it.

`python -m edges` plays all of them on the native machine, checked in two ways, beside the reference machine. At a bound
both play alike; beyond it the native machine says why it has no room, and the reference machine plays on.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from exploring import CHECKED as SANITIZING_FLAGS
from exploring import in_child, sanitizer
from lockstep_support import Lost, Seen, library_of, play_both, source_of
from native_support import SKIRMISH, Made
from packs_support import FORTIFIED

import warchest
from warchest.native.code_places import HOOKS
from warchest.native.compiled import MOST_OPTIONS, NativeGame
from warchest.native.definitions import DEEP
from warchest.native.unfit import Unfit
from warchest.source.limits import MAX_DOCUMENTS, MAX_OF_A_KIND, MAX_PIECES, MAX_SEATS, MAX_SPACES


def words(count: int, begin: str) -> list[str]:
    """Return a number of different words that begin alike."""
    letters = [chr(ord("a") + number) for number in range(26)]
    return [f"{begin}{letters[one // 676]}{letters[one // 26 % 26]}{letters[one % 26]}" for one in range(count)]


def small(
    folder: Path, documents: Iterable[tuple[str, str]] = (), game: Iterable[tuple[str, str]] = (), more: str = ""
) -> warchest.Game:
    """Load the small game from a folder, with changes in both of its files, and with further documents."""
    for name, changes, behind in (("documents.yaml", documents, more), ("game.yaml", game, "")):
        text = (SKIRMISH / name).read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        (folder / name).write_text(text + behind, encoding="utf-8")
    return warchest.load(folder)


def card(name: str, *sentences: str, block: str = "tactic", coins: int = 4) -> str:
    """Return the text of a further unit."""
    text = "".join(f"  {one}\n" for one in sentences)
    return f"---\nunit: {name}\ncoins: {coins}\nsource: a test\n" + (f"{block}: |\n{text}" if text else "")


def standing(units: dict[str, str], hand: Iterable[str] = ("Runner",), **more: Any) -> dict[str, Any]:
    """Return a position with units of the first player by their spaces."""
    return {
        "to_act": "raven",
        "hand": {"raven": list(hand), "wolf": ["Guard"]},
        "units": [{"at": at, "unit": unit, "owner": "raven"} for at, unit in units.items()],
        **more,
    }


# ---- seats and pieces

SEATS = ("raven", "wolf", "fox", "owl", "bear", "lynx", "hare", "crow", "toad")
COLOURS = ("blue", "yellow", "red", "green", "white", "black", "purple", "orange", "brown")
HEXES = "rows: {a: 3-5, b: 2-5, c: 1-5, d: 1-4, e: 1-3}"


def squares(columns: int, rows: int, marks: Sequence[str], seats: int = 2) -> list[tuple[str, str]]:
    """Return the changes that give the small game a board of squares, with locations, the first ones of players."""
    names = "".join(
        f"  - {{name: {one}, team: {one}, colour: {colour}}}\n"
        for one, colour in zip(SEATS[:seats], COLOURS, strict=False)
    )
    held = ", ".join(f"{name}: [{mark}]" for name, mark in zip(SEATS[:seats], marks, strict=False))
    lanes = ", ".join(f"{chr(ord('a') + number)}: 1-{rows}" for number in range(columns))
    return [
        ("shape: hexes", "shape: squares"),
        ("origin: c3", "origin: a1"),
        (HEXES, f"rows: {{{lanes}}}"),
        ("[a3, e3, c1, c5, c3]", f"[{', '.join(marks)}]"),
        ("{raven: [a3], wolf: [e3]}", f"{{{held}}}"),
        ("  - {name: raven, team: raven, colour: blue}\n  - {name: wolf, team: wolf, colour: yellow}\n", names),
    ]


def board(folder: Path, spaces: int) -> warchest.State:
    """Return a state on a board with at most a number of spaces."""
    return small(folder, squares(16, spaces // 16, ["a1", "p1", "h8"])).new(seed=1)


def seated(folder: Path, seats: int) -> warchest.State:
    """Return a state with a number of seats."""
    marks = [f"{chr(ord('a') + number)}{row}" for row in (1, 8) for number in range(8)]
    return small(folder, squares(8, 8, marks, seats)).new(seed=1)


CROWDED = (
    f"there are too many pieces on the board, which has room for {MAX_PIECES}; "
    f"its document can say `pieces:`, up to {MAX_PIECES}"
)


def peopled(folder: Path, units: int) -> warchest.State:
    """Return a state with a number of units on the board, and a player who has a coin of a further one."""
    marks = [f"{chr(ord('a') + number)}1" for number in range(8)]
    changes = [*squares(8, 11, marks), ("origin: a1", f"origin: a1\npieces: {MAX_PIECES}")]
    game = small(folder, changes, more="".join(card(one) for one in words(units + 1, "Q")))
    spaces = [f"{chr(ord('a') + number % 8)}{2 + number // 8}" for number in range(units)]
    *standing_there, further = words(units + 1, "Q")
    return game.position(standing(dict(zip(spaces, standing_there, strict=True)), [further], control={"raven": ["a1"]}))


# ---- documents, faces, candidates, memory


def crowded(folder: Path, documents: int) -> warchest.State:
    """Return a state of the small game with a number of documents in all."""
    known = (SKIRMISH / "documents.yaml").read_text(encoding="utf-8").count("\n---") + 2
    return small(folder, more="".join(card(one) for one in words(documents - known, "Q"))).new(seed=1)


def listing(folder: Path, documents: int) -> warchest.State:
    """Return a state of the small game with a number of documents, in which who passes goes through a list of coins."""
    each = "for each coin in your discard, put that coin into your bag"
    known = (SKIRMISH / "documents.yaml").read_text(encoding="utf-8").count("\n---") + 2
    further = "".join(card(one) for one in words(documents - known, "Q"))
    return small(folder, [("to pass: do nothing", f"to pass: {each}")], more=further).new(seed=1)


BOX = "  box:     {of: player, holds: coin, seen by: all}\n"
DISCARD = "  discard: {of: player, holds: coin, seen by: all}\n"


def faced(
    folder: Path, faces: int, sheets: int = 0, zones: int = 0, passing: str = "do nothing", turn: str = ""
) -> warchest.Game:
    """Return the small game with faces of the discard, the last zone; with further units, and zones of players."""
    named = ", ".join(f"{one}: {one}s" for one in words(faces, "face"))
    spare = "".join(f"  {one}: {{of: player, holds: coin, seen by: all}}\n" for one in words(zones, "spare"))
    discard = f"  discard: {{of: player, holds: coin, seen by: face, faces: {{{named}}}}}\n"
    begin = "    then begin a turn,"
    return small(
        folder,
        [("to pass: do nothing", f"to pass: {passing}")],
        [(f"{DISCARD}{BOX}", f"{spare}{BOX}{discard}"), (begin, f"{begin}{turn}")],
        "".join(card(one, coins=20) for one in words(sheets, "Q")),
    )


FACES = 8
"""The number of faces of the discard where there are many sorts of coins."""
TAKES = "choose a coin in a discard, then put that coin into your box"
DRAWS = "\n    then choose a random coin in a discard, then put that coin into the box of the active player,"


def strewn(folder: Path, sheets: int, passing: str = "do nothing", turn: str = "") -> warchest.State:
    """Return a state in which a coin of each further unit is on each face of each discard."""
    game = faced(folder, FACES, sheets, passing=passing, turn=turn)
    held = {f"{one}s": words(sheets, "Q") for one in words(FACES, "face")}
    return game.position(standing({}, discard={"raven": held, "wolf": held}))


def many_faced(folder: Path, faces: int) -> warchest.State:
    """Return a state of the small game with a number of faces of the last zone."""
    return faced(folder, faces).new(seed=1)


def zoned(folder: Path, zones: int) -> warchest.State:
    """Return a state of the small game with many units and a number of further zones of players."""
    return faced(folder, FACES, 504, zones).new(seed=1)


# ---- hooks, trials, the stack, trails, choices

SPACES = ("a3", "a4", "a5", "b2", "b3", "b4", "b5", "c2", "c3", "c4", "d2", "d3", "d4", "e2")


def hooked(folder: Path, hooks: int) -> warchest.State:
    """Return a state in which a number of hooks wait once a unit has moved."""
    names = words(hooks, "Q")
    game = small(
        folder,
        more="".join(
            card(one, "after a Runner moves, put a coin in your box into this.", block="attribute") for one in names
        ),
    )
    return game.position(standing({"c1": "Runner", **dict(zip(SPACES, names, strict=False))}, box={"raven": ["Guard"]}))


def nested(folder: Path, trials: int) -> warchest.State:
    """Return a state in which a tactic asks whether an act is possible, which asks the same, and so on."""
    verbs = words(trials, "try")
    rules = [f"  to {one}: if this can {other}, move." for one, other in zip(verbs, [*verbs[1:], "move"], strict=True)]
    game = small(
        folder,
        [("  to use its tactic:", "\n".join([*rules, "  to use its tactic:"]))],
        [("    move:    {by", "\n".join([*(f"    {one}: {{by: unit}}" for one in verbs), "    move:    {by"]))],
        card("Asker", f"if this can {verbs[0]}, move."),
    )
    return game.position(standing({"c1": "Asker"}, ["Asker"]))


def digging(condition: str, turn: str = "") -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the changes that let players dig: while a condition holds, a coin is made, and they dig again."""
    dug = f"if the number of coins in your bag is less than {condition}, put a new Mud into your bag, then dig"
    begin = "    then begin a turn,"
    return [("  to use its tactic:", f"  to dig: {dug}, then pass.\n  to use its tactic:")], [
        ("    move:    {by", "    dig: {by: player}\n    move:    {by"),
        (begin, f"{begin}{turn}"),
    ]


def joined(folder: Path, depth: int) -> warchest.State:
    """Return a state with an option that repeats the same to a depth, each time with a choice of one thing."""
    game = small(folder, *digging(f"{depth}"), card("Digger", "dig.") + card("Mud", coins=1))
    return game.position(standing({"c1": "Digger"}, ["Digger"]))


def stacked(folder: Path, depth: int) -> warchest.State:
    """Return a state in which the next turn gives an order that gives the same order again, to a depth."""
    changes = digging("the number of coins in your box", " then the active player digs,")
    names = words(60, "M")
    game = small(folder, *changes, card("Mud", coins=1) + "".join(card(one, coins=20) for one in names))
    coins = [one for one in names for _ in range(20)][:depth]
    return game.position(standing({"c1": "Runner"}, box={"wolf": coins}))


def trailed(folder: Path, steps: int, kept: str = "space", of: str = "space") -> warchest.State:
    """Return a state in which a tactic makes a trail with a number of steps, each of an attribute of the unit."""
    field = "  location:   {controller: team}\n"
    walker = card("Walker", *[f"its {kept} becomes the path of this."] * steps, "move.")
    fields = f"{field}  unit:       {{path: {{trail of: {of}}}, lair: space}}\n"
    game = small(folder, (), [(field, fields)], walker)
    return game.position(standing({"c1": "Walker"}, ["Walker"]))


def wide(folder: Path, locations: int) -> warchest.State:
    """Return a state in which a tactic has an option for each pair of a location and one of 128 spaces."""
    marks = [f"{chr(ord('a') + number % 8)}{1 + number // 8}" for number in range(locations)]
    chooser = card("Chooser", "choose a location, then choose a space, then this attacks if able.")
    return small(folder, squares(8, 16, marks), more=chooser).position(standing({"a1": "Chooser"}, ["Chooser"]))


def heaped(folder: Path, coins: int) -> warchest.State:
    """Return a state in which a tactic makes a number of coins, in two steps."""
    made = [f"put {number} new Muds into your bag." for number in (coins // 2, coins - coins // 2)]
    game = small(folder, more=card("Maker", *made, "move.") + card("Mud", coins=1))
    return game.position(standing({"c1": "Maker"}, ["Maker"]))


# ---- all of them


@dataclass(frozen=True)
class Edge:
    """A bound: a game for each amount, the greatest amount that both machines play alike, and the message beyond it."""

    make: Callable[[Path, int], warchest.State]
    most: int
    """The greatest amount; if it is `looked_for`, an amount below it."""
    why: str = ""
    """The message of the native machine beyond it; if there is none, the game is refused as a whole."""
    beyond: int = 0
    """The amount to try beyond the bound; 0 for one more than `most`."""
    looked_for: bool = False
    """Whether to search for the greatest amount between `most` and `beyond`."""
    decisions: int = 12


REFUSED = "refused"
EDGES = {
    "spaces": Edge(board, MAX_SPACES, beyond=MAX_SPACES + 16),
    "seats": Edge(seated, MAX_SEATS),
    "pieces": Edge(peopled, MAX_PIECES - 1, CROWDED),
    "documents": Edge(crowded, MAX_DOCUMENTS),
    "lists of tokens": Edge(listing, MAX_DOCUMENTS, decisions=30),
    "faces": Edge(many_faced, 9, "a zone has too many faces"),
    "candidates": Edge(partial(strewn, passing=TAKES), 509, "one choice can be among 8,448 things", decisions=4),
    "outcomes": Edge(partial(strewn, turn=DRAWS), 509, "one choice can be among 8,448 things", decisions=4),
    "cells": Edge(zoned, 219, "the memory has 250,543 cells"),
    "hooks": Edge(hooked, HOOKS, "too many hooks wait"),
    "trials": Edge(nested, 19, "looking ahead goes too deep"),
    "stack": Edge(stacked, 700, "too much is under way", beyond=1200, looked_for=True),
    "choices": Edge(joined, 45, "there are too many options", beyond=60, looked_for=True),
    "options": Edge(wide, MOST_OPTIONS // 128 - 1, "there are too many options", decisions=2),
    "steps of trails": Edge(trailed, DEEP, "a trail is too long", decisions=2),
    "places of trails": Edge(
        partial(trailed, kept="place", of="[space, lair]"), DEEP, "a trail is too long", decisions=2
    ),
    "tokens": Edge(heaped, MAX_OF_A_KIND, "a number is too large"),
}


def verdict(state: warchest.State, flags: tuple[str, ...], decisions: int, seen: Seen) -> str:
    """Return the reason why the native machine refuses a state; empty if both machines play some decisions alike.

    The reference machine plays on after a refusal.
    """
    state.silent = True
    try:
        play_both(NativeGame(library_of(source_of(state.variant), flags)), state, Random(1), decisions, seen)
    except (Unfit, Lost) as error:
        rng = Random(1)
        for _ in range(decisions):
            if state.decision is not None:
                state.apply(state.decision.sample(rng))
        return str(error)
    except warchest.OptionError as error:
        return str(error)
    return ""


def told(edge: Edge, amount: int, flags: tuple[str, ...], seen: Seen) -> str:
    """Return the verdict on the game of an amount; REFUSED if it cannot be loaded."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return verdict(edge.make(Path(folder), amount), flags, edge.decisions, seen)
        except warchest.CardError:
            return REFUSED


def fault(name: str, flags: tuple[str, ...], seen: Seen) -> str:
    """Return the fault at an edge or beyond it; empty if there is none."""
    edge = EDGES[name]
    alike, beyond = edge.most, edge.beyond or edge.most + 1
    found = {amount: told(edge, amount, flags, seen) for amount in (alike, beyond)}
    while edge.looked_for and beyond - alike > 1 and not found[alike] and found[beyond]:
        middle = (alike + beyond) // 2
        found[middle] = told(edge, middle, flags, seen)
        alike, beyond = (alike, middle) if found[middle] else (middle, beyond)
    if found[alike]:
        return f"{name}: {alike:,} is not played alike: {found[alike]}"
    wanted = edge.why or REFUSED
    return "" if found[beyond] == wanted else f"{name}: {beyond:,} is told {found[beyond]!r}, and not {wanted!r}"


CHILD = "import edges; edges.play_what_is_given()"
"""The work of a child process, which reads the names of edges from standard input."""


def play_what_is_given() -> None:
    """Play at the edges from standard input, and write the faults."""
    # The compiler has no room for the sanitizer, which is here already.
    os.environ.pop("LD_PRELOAD", None)
    names, flags, Made.folder = pickle.load(sys.stdin.buffer)
    seen = Seen()
    wrong = [one for one in (fault(name, flags, seen) for name in names) if one]
    print(json.dumps({"wrong": wrong, "decisions": seen.decisions, "options": seen.options}))


def play(names: Sequence[str], folder: Path, sanitized: bool) -> list[str]:
    """Play at some edges in a process of its own, with compiled code in a folder; return the faults."""
    flags = SANITIZING_FLAGS if sanitized else FORTIFIED
    done = in_child(CHILD, pickle.dumps((list(names), flags, folder)), sanitized)
    if done.returncode:
        return [f"{', '.join(names)}: exit code {done.returncode}, {done.stderr.decode()[-2000:]}"]
    return list(json.loads(done.stdout)["wrong"])


def main() -> int:
    """Play at all edges, in both checked builds."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name in EDGES:
            for sanitized in (False, True) if sanitizer() is not None else (False,):
                found = play([name], Path(folder), sanitized)
                print(
                    f"{name}, {'sanitized' if sanitized else 'fortified'}: {'; '.join(found) or 'as it should be'}",
                    flush=True,
                )
                wrong += found
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
