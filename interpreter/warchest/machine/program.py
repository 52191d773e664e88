"""A program: the rules of a game on a board, made ready to run once and for all."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from warchest.machine.acts import Act
from warchest.machine.bind_steps import RoutineBinder
from warchest.machine.binding import Binder
from warchest.machine.board import Board
from warchest.machine.catalogue import Catalogue
from warchest.machine.events import Events
from warchest.machine.layout import ASK, DOCUMENT, NATURE, SCRATCH, TURN, Layout, Meant
from warchest.machine.previews import find_previews
from warchest.machine.prospects import foresee
from warchest.machine.risk import Risk, RiskTable
from warchest.machine.run import EDGE, Env, Routine, Run, Stop
from warchest.machine.sharing import Sharing
from warchest.machine.sites import PickSite
from warchest.machine.starts import pay_without_trying
from warchest.rules import steps as ir
from warchest.rules.ruleset import FIXED, Ruleset
from warchest.rules.values import NOTHING


class Program:
    """Everything a run looks up: acts, events, routines by name, the layout of the memory."""

    def __init__(self, ruleset: Ruleset, board: Board, further: int = 0, raises: Sequence[str] = ()) -> None:
        self.ruleset, self.board = ruleset, board
        self.layout = Layout(ruleset, board, further, raises)
        self.catalogue = Catalogue(self.layout)
        self.binder = Binder(self.layout)
        self.risks = RiskTable(ruleset)
        self.watched = self.layout.watched
        self.sharing = Sharing(ruleset, self.risks, self.watched)
        self.routines: dict[str, Routine] = {}
        self.agents: list[tuple[PickSite, Act, ir.Call]] = []
        """The choices of who does an act."""
        self.acts = [Act(self, number) for number in range(len(ruleset.verbs))]
        self.events = Events(self)
        self._blocks = {
            (number, name): self.routine_of(code)
            for number, sheet in enumerate(ruleset.sheets) for name, code in sheet.blocks.items()
        }  # fmt: skip
        self._bind_acts()
        self.events.bind()
        foresee(self)
        for frame in (self.events.settling, *self.events.frames):
            if frame is not None:
                self.routines[frame.name] = frame
        self.play = self.routine_of(ruleset.play) if ruleset.play is not None else None
        self.setups = {name: self.routine_of(code) for name, code in ruleset.setups.items()}
        self.limits = [self.binder.value(value) for value in ruleset.limits.values()]
        """The values by which documents limit what positions tell."""
        self.opening = _opening(self.events)
        self.routines[self.opening.name] = self.opening
        if self.play is not None:
            self.play.waits(0, lambda: (self.opening,))
        self.opening.waits(0, lambda: self.setups.values())
        find_previews(self)
        del self.agents

    def having(self, ruleset: Ruleset) -> Program:
        """Return this program for a rule set that has other sheets, without texts, in the room for further ones."""
        made = copy(self)
        made.ruleset, made.layout = ruleset, self.layout.having(ruleset)
        made.catalogue = Catalogue(made.layout)
        return made

    def _bind_acts(self) -> None:
        for act in self.acts:
            act.bind()
            self.routines[act.routine.name] = act.routine
        for act in self.acts:
            for way in act.ways:
                if way.paid_with >= 0:
                    pay_without_trying(way.routine, FIXED + way.paid_with)

    @property
    def concession(self) -> Act | None:
        """How a player gives the game up; None where nobody can."""
        number = self.ruleset.concession
        return self.acts[number] if number >= 0 else None

    def routine_of(self, code: ir.Code) -> Routine:
        """Return the routine of a piece of code, made on first use."""
        if code.name not in self.routines:
            binder = RoutineBinder(self, code)
            # The routine is known before it is filled, because code can call what calls it.
            self.routines[code.name] = binder.routine
            binder.bind()
        return self.routines[code.name]

    def block(self, run: Run, piece: int, name: str) -> Routine | None:
        """Return the routine of a block of a piece's document, or None if the document has no such block."""
        if piece < 0:
            return None
        return self.block_of(run.memory[self.layout.piece(piece) + DOCUMENT], name)

    def block_of(self, document: int, name: str) -> Routine | None:
        """Return the routine of a block of a document, or None if it has no such block."""
        return self._blocks.get((document, name))

    def blocks(self, name: str) -> list[Routine]:
        """Return the routines of all blocks of one name."""
        return [routine for (_, block), routine in self._blocks.items() if block == name]

    def decider(self, run: Run, piece: int) -> int:
        """Return the player who decides for a piece, or -1."""
        return run.memory[self.layout.piece(piece) + self.layout.decider] if piece >= 0 else NOTHING

    def active(self, run: Run) -> int:
        """Return the active player, whom a field of the game names; the first if none does."""
        cell = self.layout.fields.get(self.ruleset.active)
        return max(run.memory[cell], 0) if cell is not None else 0

    def told(self, run: Run, piece: int) -> Meant:
        """Return what still says which piece was meant when it is gone."""
        first = self.layout.pieces + piece * self.layout.stride
        return tuple(run.memory[first + DOCUMENT : first + NATURE + 1])  # type: ignore[return-value]

    def memory_key(self, run: Run) -> tuple[int, ...]:
        """Return the memory without what takes no part in equality."""
        memory = run.memory[:]
        for cell in SCRATCH:
            memory[cell] = 0
        return tuple(memory)


def _opening(events: Events) -> Routine:
    """Return the routine between a setup and play: no turn has begun, and what play asks first is always asked."""
    routine = Routine("opening", "game", -1, 0, ())

    def begin(run: Run, env: Env) -> Stop | None:
        # Whether play can go on is no reason against anything in a setup.
        if run.trying:
            run.pc -= 1
            return EDGE
        run.set(TURN, 0)
        run.set(ASK, 1)
        return None

    routine.add(begin, None, Risk.STOPS)
    routine.add(events.finish(routine), None, Risk.TOTAL)
    return routine
