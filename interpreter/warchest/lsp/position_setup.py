"""Positions that a client sets up: their parts, edits and problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from warchest.game.errors import ASTRAY, CardError, PositionError
from warchest.game.game import Game
from warchest.game.position.editing import PositionEditor, ThingSpot
from warchest.game.position.keys import OVER
from warchest.game.position.position_parts import ZONE_SORTS, KeyPart, ValuePart
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.lsp.messages import CheckedPosition, PositionEdit, PositionProblem, PositionSpot
from warchest.lsp.plays import PREFIX
from warchest.lsp.protocol import RequestError
from warchest.picture import scene_of, style_of, svg

MOST_PROBLEMS = 12
"""The most problems of a position that are listed."""
MOST_EDITS = 200
"""The most edits of a position at once."""
BOARD, OPTIONS = "board", "options"
"""The keys of positions that settle the variant."""


def position_parts(game: Game, position: Mapping[str, object], board: str | None) -> dict[str, object]:
    """Return the parts that positions on a board are made of, and a first position to begin with."""
    variant = _variant(game, {**position, **({BOARD: board} if board is not None else {})})
    keys = variant.format.parts
    name = variant.board.name
    needed = {one.key: one.values[0].choices[0] for one in keys if one.needed and one.values[0].choices}
    first = _written(game, {BOARD: name, **needed})
    teams = {seat.name: seat.team for seat in variant.board.seats}
    return {
        "boards": list(game.boards.documents),
        "board": name,
        "players": list(variant.naming.players),
        "teams": teams,
        "spaces": list(variant.naming.spaces),
        "keys": [_key(one) for one in keys],
        "position": first,
    }


def _written(game: Game, position: dict[str, object]) -> dict[str, object]:
    """Return a position in full, if a player is to decide in it."""
    try:
        state = game.position(position)
        return state.position() if state.decision is not None else position
    except (PositionError, CardError, *ASTRAY):
        return position


def _key(one: KeyPart) -> dict[str, object]:
    return {
        "key": one.key,
        "sort": one.sort,
        "of": one.of,
        "names": list(one.names),
        "owners": list(one.owners),
        "nobody": one.nobody,
        "faces": list(one.faces),
        "on": list(one.on),
        "entry": dict(one.entry),
        "values": [_value(value) for value in one.values],
        "needed": one.needed,
    }


def _value(one: ValuePart) -> dict[str, object]:
    return {
        "path": list(one.path),
        "sort": one.sort,
        "choices": list(one.choices),
        "empty": one.empty,
        "needed": one.needed,
    }


def edited_position(game: Game, position: Mapping[str, object], edits: Sequence[PositionEdit]) -> CheckedPosition:
    """Return a position after some edits, as `checked_position` does; raises PositionError.

    If a new thing would make the position wrong, it is taken out of a zone instead if the position is then right.
    """
    if len(edits) > MOST_EDITS:
        raise RequestError(f"edits: at most {MOST_EDITS} at once", data={"field": "edits"})
    found = _edited(game, position, edits)
    if found["problems"] and len(edits) == 1 and "target" in edits[0] and "source" not in edits[0]:
        return next(_taken_elsewhere(game, position, edits[0]), found)
    return found


def _edited(game: Game, position: Mapping[str, object], edits: Sequence[PositionEdit]) -> CheckedPosition:
    variant = _variant(game, position)
    teams = {seat.name: seat.team for seat in variant.board.seats}
    editor = PositionEditor(variant.format.parts, position, teams)
    for one in edits:
        if "path" in one:
            editor.set(one["path"], one.get("value"))
        else:
            spots = (one.get("source"), one.get("target"))
            source, target = (ThingSpot(**spot) if spot is not None else ThingSpot() for spot in spots)
            editor.move(one.get("name", ""), one.get("owner", ""), source, target)
    return checked_position(game, editor.position)


def _taken_elsewhere(game: Game, position: Mapping[str, object], edit: PositionEdit) -> Iterator[CheckedPosition]:
    """Yield the valid positions after a thing was moved to its target, first from the zone with most such things."""
    name, owner = edit.get("name", ""), edit.get("owner", "")

    def number(part: KeyPart) -> int:
        value = position.get(part.key)
        return _number(value.get(owner) if part.owners and isinstance(value, Mapping) else value, name)

    parts = _variant(game, position).format.parts
    target = edit["target"].get("key") or edit["target"].get("zone")
    zones = [one for one in parts if one.sort in ZONE_SORTS and target not in (one.key, one.of)]
    # Among equal zones the last one comes first: supplies are declared after the zones that players act from.
    for part in sorted(reversed(zones), key=number, reverse=True):
        source = PositionSpot(zone=part.of or part.key, key=part.key)
        if owner and part.owners:
            source["owner"] = owner
        with suppress(PositionError):
            found = _edited(game, position, [{**edit, "source": source}])
            if not found["problems"]:
                yield found


def _number(value: object, name: str) -> int:
    """Return the number of things with a name in a value of a position."""
    if isinstance(value, Mapping):
        return sum(_number(one, name) for key, one in value.items() if not isinstance(one, int) or key == name)
    if isinstance(value, list):
        return sum(_number(one, name) for one in value)
    return value if isinstance(value, int) else int(value == name)


def checked_position(game: Game, position: Mapping[str, object]) -> CheckedPosition:
    """Return a position written in full, its picture, and its problems.

    A position that the game refuses is returned as given, with a picture as far as possible; so is one in which
    the game would be over at once.
    """
    problems = _problems(game, position)
    if problems:
        return {
            "position": dict(position),
            "svg": _drawn(game, position),
            "problems": problems,
            "player": None,
            "question": "",
        }
    state = game.position(position)
    decision, outcome, told = state.decision, state.outcome, state.position()
    if outcome is not None and OVER not in position:
        # It is still to be set up, so it stays as it was given.
        problems, told = [{"field": "", "message": f"the game would be over here: {outcome.reason}"}], dict(position)
    return {
        "position": told,
        "svg": svg(state, styled=False, prefix=PREFIX),
        "problems": problems,
        "player": decision.player if decision is not None else None,
        "question": state.question,
    }


def _problems(game: Game, position: Mapping[str, object]) -> list[PositionProblem]:
    """Return the problems of a position, part by part; each wrong part is left out to find the next problem."""
    from warchest.testing.positions import without

    found, told = list[PositionProblem](), dict(position)
    while len(found) < MOST_PROBLEMS:
        try:
            _asked(game.position(told))
        except PositionError as error:
            found.append({"field": error.field, "message": str(error).removeprefix(f"{error.field}: ")})
            smaller = without(told, error.field)
            if smaller is None:
                break
            told = smaller
        except (CardError, *ASTRAY) as error:
            found.append({"field": "", "message": str(error)})
            break
        else:
            break
    return found


def _asked(state: State) -> None:
    """Ask a state for its position, its views, its options and its news."""
    if state.decision is not None:
        len(state.decision.options)
    state.position()


def _variant(game: Game, position: Mapping[str, object]) -> Variant:
    """Return the variant of a position; raises PositionError."""
    options = position.get(OPTIONS)
    return game.variant(options if isinstance(options, Mapping) else None, game.boards.for_position(position).name)


def _drawn(game: Game, position: Mapping[str, object]) -> str:
    """Return the picture of a position as it is written; empty where it cannot be drawn."""
    try:
        variant = _variant(game, position)
        shapes = variant.format.shapes
        seen = scene_of(position, variant.board, style_of(game.library, shapes), variant.naming.documents, shapes)
        return svg(seen, styled=False, prefix=PREFIX)
    except Exception:
        return ""
