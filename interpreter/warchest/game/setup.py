"""Beginning a game: what stands where before the first round, by the text of a setup.

A setup is played like all else: pending are its own steps, below them the opening, and below that the whole game. Only
what chance decides before anybody has been asked is settled at once, by the seed of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from warchest.documents.load import Document
from warchest.game.errors import PositionError
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.machine import changes
from warchest.machine.layout import ASK, ENDED
from warchest.machine.run import DONE, Frame, Run, Signal, frames
from warchest.machine.sites import PickSite

Armies: TypeAlias = Mapping[str, Sequence[str] | None]
"""What the players bring, by player; None where the setup is to see to it."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a new game is to begin: by which setup, on what board, with which options, sets and armies."""

    setup: Document
    variant: Variant
    sets: tuple[str, ...]
    armies: Armies | None
    zone: str
    """The zone that armies go into; empty if the game has none."""
    fill: Mapping[str, str]
    """What is put into which zones: the zone, and the noun for what goes there."""

    def begin(self, seed: int | None = None) -> State:
        """Return the first state; `seed` settles what chance decides before anybody is asked. Raises PositionError."""
        if seed is not None and not isinstance(seed, int):
            raise PositionError("seed", f"a whole number is needed, not {seed!r}")
        variant, rng = self.variant, Random(seed)
        run = variant.blank_run()
        _fill_fields(variant, run)
        given = _bring(variant, run, self._armies(), self.zone, "army limit" in self.setup.values)
        self._check_armies()
        _fill_zones(variant, run, self.fill, given, self.sets)
        run.memory[ASK] = 0
        run.begin(variant.program.setups[self.setup.name])
        _settle(run, rng, self.sets)
        _put_below(run)
        state = State(variant, run).advance()
        while state.decision is not None and state.decision.is_chance and _is_pending(run):
            state.apply(state.decision.sample(rng))
        del run.events[:]
        run.go_on()
        return state

    # ---- armies

    def _armies(self) -> dict[str, Sequence[str]]:
        """Return what each player brings: what is given, else what the setup names."""
        own: dict[str, Sequence[str]] = self.setup.values.get("armies", {})
        if not self.armies:
            return own
        if not self.zone:
            raise PositionError("armies", "in this game nobody brings an army")
        if not {"army size", "army limit"} & self.setup.values.keys() and not own:
            raise PositionError("armies", f"in the setup {self.setup.name!r} armies are not brought, but made")
        return {player: own.get(player, ()) if names is None else names for player, names in self.armies.items()}

    def _check_armies(self) -> None:
        """Check that every player brings an army, and that it is of the right size."""
        if "army limit" in self.setup.values:
            for player, brought in self._armies().items():
                self._check_limit(player, brought)
        own: dict[str, Sequence[str]] = self.setup.values.get("armies", {})
        for player in self.variant.naming.players if self.armies else ():
            if player not in self.armies:  # type: ignore[operator]
                raise PositionError(f"armies.{player}", "this is missing; all players bring an army, or none does")
            names = self.armies[player]  # type: ignore[index]
            if "army limit" in self.setup.values:
                continue
            size = self.setup.values.get("army size", len(own.get(player, ())))
            if names is not None and len(names) != size:
                cards = "card is" if size == 1 else "cards are"
                raise PositionError(f"armies.{player}", f"{size} {cards} needed, not {len(names)}")

    def _check_limit(self, player: str, names: Sequence[str]) -> None:
        """Check that the cards of an army do not come to more than they may, and are not too many."""
        limit, ruleset = self.setup.values["army limit"], self.variant.program.ruleset
        key, most = limit["number"], limit["most"]
        kinds = ruleset.kinds_in(self.variant.format.zones[self.zone])
        total = sum(ruleset.sheets[ruleset.sheet_number(name, kinds)].numbers.get(key, 0) for name in names)
        if total > most:
            raise PositionError(f"armies.{player}", f"its {key} comes to {total}, and {most} is the most")
        if len(names) > limit.get("cards", len(names)):
            raise PositionError(f"armies.{player}", f"these are {len(names)} cards, and {limit['cards']} is the most")


# ---- carrying it out


def _settle(run: Run, rng: Random, sets: Sequence[str]) -> None:
    """Carry a setup out until it is done or a player must choose; chance is settled."""
    stop = run.go()
    while isinstance(stop, PickSite) and stop.by_chance:
        weights = [stop.weight(run, candidate) for candidate in run.candidates]
        left = rng.randrange(sum(weights))
        chosen = 0
        while left >= weights[chosen]:
            left -= weights[chosen]
            chosen += 1
        stop.resume(run, run.candidates[chosen])
        stop = run.go()
    if run.memory[ENDED]:
        raise PositionError("setup", "the game is over before it has begun")
    if isinstance(stop, Signal) and stop is not DONE:
        span = run.code.spans[max(run.pc - 1, 0)]
        clause = f": {' '.join(span.text.split())}" if span is not None else ""
        using = f"with the sets {', '.join(sets)} " if sets else ""
        raise PositionError("setup", f"{using}it orders something that cannot be done{clause}")


def _put_below(run: Run) -> None:
    """Let what is left of a setup be followed by the opening, and that by the game."""
    program = run.program
    assert program.play is not None
    top = run.top
    run.begin(program.play)
    run.push(program.opening, ())
    if top is not None:
        run.put_back(_on_top_of(top, run.top))


def _on_top_of(frame: Frame, below: Frame | None) -> Frame:
    parent = below if frame.parent is None else _on_top_of(frame.parent, below)
    return Frame(parent, frame.code, frame.pc, frame.env, frame.outs)


def _is_pending(run: Run) -> bool:
    """Whether the opening is still to come."""
    return any(frame.code is run.program.opening for frame in frames(run.top))


# ---- what lies where before it


def _fill_fields(variant: Variant, run: Run) -> None:
    for name in variant.board.start:
        variant.program.layout.put_start(run.memory, variant.format.fields[name])
    active = variant.program.layout.fields.get(variant.program.ruleset.active)
    if active is not None:
        run.memory[active] = 0
    for number, field in enumerate(variant.program.ruleset.fields):
        if field.of == "" and field.base == "player":
            run.memory[variant.program.layout.fields[number]] = 0


def _bring(variant: Variant, run: Run, armies: Mapping[str, Sequence[str]], zone_name: str, again: bool) -> set[int]:
    """Put armies into their zone; return their documents. `again` allows the same card twice. Raises PositionError."""
    given: set[int] = set()
    if not armies:
        return given
    zone = variant.format.zones[zone_name]
    kinds = variant.program.ruleset.kinds_in(zone)
    for player, names in armies.items():
        if player not in variant.naming.players:
            raise PositionError(f"armies.{player}", "there is no such player")
        if isinstance(names, str) or not isinstance(names, Sequence):
            raise PositionError(f"armies.{player}", f"a list of names is needed, not {names!r}")
        holder = variant.program.layout.zones[zone].number(variant.naming.players.index(player))
        for index, name in enumerate(names):
            where = f"armies.{player}[{index}]"
            document = variant.program.ruleset.sheet_number(name, kinds)
            if document < 0 or variant.program.ruleset.sheets[document].kind not in kinds:
                raise PositionError(where, f"there is no {' or '.join(kinds)} {name!r}")
            if document in given and not again:
                raise PositionError(where, f"{name} is dealt twice")
            given.add(document)
            changes.add_tokens(run, variant.program.layout, holder, document, 1)
    return given


def _fill_zones(
    variant: Variant, run: Run, fill: Mapping[str, Any], given: set[int], sets: Sequence[str]
) -> None:
    """Fill zones with one of each document there is, but those that are given, and those of other sets."""
    ruleset, layout = variant.program.ruleset, variant.program.layout
    for zone_name, noun in fill.items():
        holder = layout.zones[variant.format.zones[zone_name]].number(0)
        for document, sheet in enumerate(ruleset.sheets):
            fits = sheet.kind in ruleset.token_sheets[noun] and (not sheet.set or sheet.set in sets)
            if fits and document not in given:
                changes.add_tokens(run, layout, holder, document, 1)
