"""The beginning of a game: the state before the first round, made by the text of a setup.

A setup is played like everything else: its own steps are pending, below them the opening, and below that the whole
game. Only the decisions of chance before the first decision of a player are settled at once, by the seed of the game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from warchest.documents.library import Document
from warchest.engine import effects
from warchest.engine.choices import weight_of
from warchest.engine.lookahead import resume
from warchest.engine.runs import DONE, Frame, Overfull, Run, Signal, frames
from warchest.game.errors import PositionError
from warchest.game.setup.armies import LIMIT, Asked, Bringing, Brought, Documents
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.lowering.code import Pick
from warchest.lowering.layout import ENDED, MUST_ASK


@dataclass(frozen=True, slots=True)
class Beginning:
    """The beginning of a new game: its setup, board, options and sets, and the things that players bring."""

    setup: Document
    variant: Variant
    sets: tuple[str, ...]
    asked: Asked
    zone: str
    """The zone that armies go into; empty if the game has none."""
    apart: str
    """The zone for the rest of collections; empty if the game has none."""
    fill: Mapping[str, str]
    """The zones to be filled, each with the noun for its contents."""
    left_out: Collection[Document] = ()
    """The documents left out when these zones are filled."""

    def begin(self, seed: int | None = None) -> State:
        """Return the first state; `seed` settles the decisions of chance before the first decision of a player. Raises
        PositionError."""
        if seed is not None and not isinstance(seed, int):
            raise PositionError("seed", f"a whole number is needed, not {seed!r}")
        variant, rng, run = self.variant, Random(seed), self.prepared()
        if self.setup.name in variant.program.setups:
            run.begin(variant.program.setups[self.setup.name])
        try:
            _settle(run, rng, self.sets)
        except Overfull as error:
            raise PositionError("setup", f"{self.setup.name!r} cannot be carried out: {error}") from None
        _put_below(run)
        state = State(variant, run).advance()
        while state.decision is not None and state.decision.is_chance and _is_pending(run):
            state.apply(state.decision.sample(rng))
        del run.history[:], run.log[:]
        return state

    def prepared(self) -> Run:
        """Return a run that is ready for the setup, before its first step."""
        variant, brought = self.variant, self.brought()
        run = variant.blank_run()
        _fill_fields(variant, run)
        self._put(run, brought.armies, self.zone)
        self._put(run, brought.besides, self.apart)
        self._count_points(run, brought.points)
        self._fill_zones(run, {one for army in brought.armies.values() for one in army})
        run.memory[MUST_ASK] = 0
        return run

    def brought(self) -> Brought:
        """Return the things that players bring; raises PositionError for impossible or forbidden ones."""
        return Bringing(self.setup, self.variant, self.zone, self.apart, self.asked).brought()

    def _put(self, run: Run, documents: Documents, zone: str) -> None:
        """Put documents that players bring into one of the players' zones."""
        players, layout = self.variant.naming.players, self.variant.program.layout
        for player, numbers in documents.items():
            holder = layout.zones[self.variant.format.zones[zone]].number(players.index(player))
            for document in numbers:
                effects.add_tokens(run, layout, holder, document, 1)

    def _count_points(self, run: Run, points: int | None) -> None:
        """Set the field that the setup names, for every player, to the most points of an army."""
        name = self.setup.values.get(LIMIT, {}).get("field")
        if name is None or points is None:
            return
        ruleset, number = self.variant.program.ruleset, self.variant.format.fields.get(name, -1)
        if number < 0 or (ruleset.fields[number].of, ruleset.fields[number].base) != ("player", "number"):
            raise PositionError("setup", f"players have no number {name!r}")
        first = self.variant.program.layout.fields[number]
        for player in range(len(self.variant.naming.players)):
            run.memory[first + player] = points

    def _fill_zones(self, run: Run, given: set[int]) -> None:
        """Fill zones with one of each document, except documents that are given, left out, or of other sets."""
        ruleset, layout = self.variant.program.ruleset, self.variant.program.layout
        without = {(one.kind, one.name) for one in self.left_out}
        for zone_name, noun in self.fill.items():
            holder = layout.zones[self.variant.format.zones[zone_name]].number(0)
            for document, sheet in enumerate(ruleset.sheets):
                fits = sheet.kind in ruleset.token_sheets[noun] and (not sheet.set or sheet.set in self.sets)
                if fits and document not in given and (sheet.kind, sheet.name) not in without:
                    effects.add_tokens(run, layout, holder, document, 1)


# ---- carrying it out


def _settle(run: Run, rng: Random, sets: Sequence[str]) -> None:
    """Carry a setup out until it ends or a player must choose; chance is settled at random."""
    stop = run.go()
    while isinstance(stop, Pick) and stop.by_chance:
        weights = [weight_of(run, stop, candidate) for candidate in run.candidates]
        left = rng.randrange(sum(weights))
        chosen = 0
        while left >= weights[chosen]:
            left -= weights[chosen]
            chosen += 1
        resume(run, stop, run.candidates[chosen])
        stop = run.go()
    if run.memory[ENDED]:
        raise PositionError("setup", "the game is over before it has begun")
    if isinstance(stop, Signal) and stop is not DONE:
        span = run.failed
        clause = f": {' '.join(span.text.split())}" if span is not None else ""
        using = f"with the sets {', '.join(sets)} " if sets else ""
        raise PositionError("setup", f"{using}it orders something impossible{clause}")


def _put_below(run: Run) -> None:
    """Put the opening below the rest of a setup, and the game below the opening."""
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


# ---- the initial places


def _fill_fields(variant: Variant, run: Run) -> None:
    for name in variant.board.start:
        variant.program.layout.put_start(run.memory, variant.format.fields[name])
    active = variant.program.layout.fields.get(variant.program.ruleset.active)
    if active is not None:
        run.memory[active] = 0
    for number, field in enumerate(variant.program.ruleset.fields):
        if field.of == "" and field.base == "player":
            run.memory[variant.program.layout.fields[number]] = 0
