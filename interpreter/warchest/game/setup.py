"""Beginning a game: what stands where before the first round, by the text of a setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from warchest.game.errors import PositionError
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.machine import changes
from warchest.machine.layout import ASK, ENDED, TURN
from warchest.machine.run import DONE, Run, Signal
from warchest.machine.sites import PickSite

Armies = Mapping[str, Sequence[str]]


def begin(
    variant: Variant, setup: Mapping[str, Any], name: str, armies: Armies | None, rng: Random, army_zone: str
) -> State:
    """Return the first state of a game by a setup; `rng` settles what its text leaves to chance."""
    run = variant.blank_run()
    _fill_fields(variant, run)
    given = _given(variant, run, armies or {}, army_zone)
    _fill_zones(variant, run, setup.get("fill", {}), given)
    run.begin(variant.program.setups[name])
    _settle(run, rng)
    del run.events[:]
    del run.trail[:]
    run.memory[ENDED], run.memory[ASK], run.memory[TURN] = 0, 1, 0
    assert variant.program.play is not None
    run.begin(variant.program.play)
    return State(variant, run).advance()


def _settle(run: Run, rng: Random) -> None:
    """Carry the setup out; whatever is asked is settled by chance."""
    run.memory[ASK] = 0
    stop = run.go()
    while stop is not DONE:
        if isinstance(stop, Signal):
            raise PositionError("setup", "it orders something that cannot be done")
        assert isinstance(stop, PickSite)
        weights = [stop.weight(run, candidate) for candidate in run.candidates]
        left = rng.randrange(sum(weights))
        chosen = 0
        while left >= weights[chosen]:
            left -= weights[chosen]
            chosen += 1
        stop.resume(run, run.candidates[chosen])
        stop = run.go()


def _fill_fields(variant: Variant, run: Run) -> None:
    for name, by_team in variant.board.start.items():
        first = variant.program.layout.fields[variant.format.fields[name]]
        for team, spaces in by_team.items():
            for space in spaces:
                run.memory[first + variant.board.number[space]] = variant.board.teams.index(team)
    active = variant.program.layout.fields.get(variant.program.ruleset.active)
    if active is not None:
        run.memory[active] = 0
    for number, field in enumerate(variant.program.ruleset.fields):
        if field.of == "" and field.base == "player":
            run.memory[variant.program.layout.fields[number]] = 0


def _given(variant: Variant, run: Run, armies: Armies, zone_name: str) -> set[int]:
    """Put the given armies into their zone; return their documents. Raises PositionError."""
    given: set[int] = set()
    if not armies:
        return given
    zone = variant.format.zones[zone_name]
    kinds = variant.program.ruleset.token_sheets[variant.program.ruleset.zones[zone].holds]
    for player, names in armies.items():
        if player not in variant.naming.players:
            raise PositionError(f"armies.{player}", "there is no such player")
        holder = variant.program.layout.zones[zone].number(variant.naming.players.index(player))
        for index, name in enumerate(names):
            where = f"armies.{player}[{index}]"
            document = variant.program.ruleset.sheet_number(name)
            if document < 0 or variant.program.ruleset.sheets[document].kind not in kinds:
                raise PositionError(where, f"there is no {' or '.join(kinds)} {name!r}")
            if document in given:
                raise PositionError(where, f"{name} is dealt twice")
            given.add(document)
            changes.add_tokens(run, variant.program.layout, holder, document, 1)
    return given


def _fill_zones(variant: Variant, run: Run, fill: Mapping[str, str], given: set[int]) -> None:
    ruleset, layout = variant.program.ruleset, variant.program.layout
    for zone_name, noun in fill.items():
        holder = layout.zones[variant.format.zones[zone_name]].number(0)
        for document, sheet in enumerate(ruleset.sheets):
            if sheet.kind in ruleset.token_sheets[noun] and document not in given:
                changes.add_tokens(run, layout, holder, document, 1)
