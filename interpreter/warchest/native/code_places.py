"""Places in the code: routines have numbers, and each of their instructions has a place in a unit of C.

A unit is a part of the code that is compiled by itself. Its places begin with the entries of its routines, so that
other units stay the same when a text in it changes. After the instructions are the places where a candidate is taken,
and the places where a routine goes on after another routine has handed values back.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from warchest.lowering.code import OWN, Act, Outs, PerformBlock, Routine, choice_points
from warchest.lowering.failure import Failure
from warchest.lowering.program import Program
from warchest.native.definitions import cells_of
from warchest.native.unfit import Unfit

UNIT_BITS = 12
"""The number of bits of a place for its index in its unit."""
ENTRIES_ROOM = 32
"""The number of places for entries of routines is a multiple of this."""
ENTRIES = 2
"""The number of instructions at which a routine can begin: at the second, an act skips a check."""
USUAL_CELLS = 1024
"""The greatest number of free cells for the next frame that needs no longer stack."""
HOOKS = 8
"""The most hooks that can wait at once."""
QUEUE = 1 + 2 * HOOKS
"""The number of cells of the variable for waiting hooks."""
OF_DOCUMENTS, OF_RULES = 6, 1
"""The numbers of units for the routines of documents, and for those of the game itself."""


def _in_order(program: Program) -> list[Routine]:
    """Return the routines in the order of their numbers: first routines of the game itself, then document by document.

    So the routines of a further document are last, and all others keep their numbers.
    """
    documents = {f"{one.kind}/{one.name}": number for number, one in enumerate(program.ruleset.sheets)}

    def document_of(routine: Routine) -> int:
        return documents.get("/".join(routine.name.split("/")[:2]), -1)

    return sorted(program.routines.values(), key=document_of)


def unit_of(routine: Routine) -> int:
    """Return the unit of a routine: the routines of one document are together, and so are the routines of one verb."""
    if routine.origin in OWN:
        return OF_RULES + crc32(_document(routine).encode()) % OF_DOCUMENTS
    name = routine.name.rpartition("/")[2]
    return crc32(name.encode()) % OF_RULES


def _document(routine: Routine) -> str:
    """Return the name of the document that contains a text."""
    return routine.name.rpartition("/")[0]


def behind_roles(act: Act) -> int:
    """Return the first cell of the stages of an event after its roles, saved values and judged hooks."""
    return act.judged_place + (QUEUE if act.judges else 0)


class Places:
    """The numbers of the routines of a program, of their variables, and of their instructions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.routines: Sequence[Routine] = _in_order(program)
        self.number = {routine.name: number for number, routine in enumerate(self.routines)}
        self.units = [unit_of(routine) for routine in self.routines]
        layout = program.layout
        self.cells = [cells_of(layout, routine, HOOKS) for routine in self.routines]
        """For each routine the first cells of its variables in its frame, and, last, the number of its cells."""
        self.known: dict[str, int] = {}
        """The places by their names in C."""
        self.at: dict[int, tuple[int, int]] = {}
        """For each place the routine and the instruction."""
        self.landings: dict[tuple[int, int], list[Outs]] = {}
        """For each instruction after which a routine waits, the lists of variables that can be handed back there."""
        self._backs: dict[int, Outs] = {}
        """For each place where a routine goes on after values were handed back to it, the list of those values."""
        self.looked: set[tuple[int, int]] = set()
        """The choice points whose further options can be listed directly."""
        self.sizes: dict[int, int] = {}
        """The number of places in each unit."""
        orders = (one for routine in self.routines for one in routine.instructions)
        self.blocks = sorted({one.block for one in orders if isinstance(one, PerformBlock)})
        """The names of the blocks that are carried out, whether documents have them or not, by their numbers in C."""
        for unit in sorted(set(self.units)):
            self._number(unit)

    def size(self, routine: Routine) -> int:
        """Return the number of cells of the variables of a routine."""
        return self.cells[self.number[routine.name]][-1]

    def cell(self, routine: Routine, variable: int) -> int:
        """Return the cell of a variable."""
        return self.cells[self.number[routine.name]][variable]

    def unit(self, routine: Routine) -> int:
        """Return the unit of a routine."""
        return self.units[self.number[routine.name]]

    def name(self, routine: Routine, pc: int) -> str:
        """Return the name of the place of an instruction; beyond the last instruction, the place of the last."""
        return f"P{self.number[routine.name]}_{min(pc, len(routine.instructions) - 1)}"

    def take(self, routine: Routine, pc: int) -> str:
        """Return the name of the place where a candidate is taken."""
        return f"T{self.number[routine.name]}_{pc}"

    def back(self, routine: Routine, pc: int, outs: Outs) -> str:
        """Return the name of the place where a routine goes on when values have been handed back to it."""
        if not outs:
            return self.name(routine, pc)
        number = self.number[routine.name]
        return f"B{number}_{pc}_{self.landings[number, pc].index(outs)}"

    def handed_back(self, place: int) -> Outs:
        """Return the variables that are handed back to a routine which goes on at a place."""
        if not self._backs:
            for (number, pc), some in self.landings.items():
                for outs in some:
                    self._backs[self.known[self.back(self.routines[number], pc, outs)]] = outs
        return self._backs.get(place, ())

    def failure(self, routine: Routine, pc: int) -> Failure:
        """Return whether the rest of a routine can fail, from an instruction on."""
        return routine.instructions[min(pc, len(routine.instructions) - 1)].failure

    def _number(self, unit: int) -> None:
        members = [number for number, one in enumerate(self.units) if one == unit]
        slots: list[tuple[str, int, int]] = []
        for number in members:
            last = len(self.routines[number].instructions) - 1
            slots += [(f"P{number}_{pc}", number, min(pc, last)) for pc in range(ENTRIES)]
        # Further routines find room for their entries.
        slots += [("", members[0], 0)] * (-len(slots) % ENTRIES_ROOM)
        for number in members:
            routine = self.routines[number]
            slots += [(f"P{number}_{pc}", number, pc) for pc in range(ENTRIES, len(routine.instructions))]
            slots += [(f"T{number}_{pc}", number, pc) for pc, _ in choice_points(routine)]
            for pc, waits in routine.waits.items():
                found = self.landings[number, pc] = list(dict.fromkeys(one.outs for one in waits if one.outs))
                slots += [(f"B{number}_{pc}_{index}", number, pc) for index in range(len(found))]
        if len(slots) >= 1 << UNIT_BITS or unit >= 1 << 8:
            raise Unfit(f"a unit of the code has {len(slots)} places")
        self.sizes[unit] = len(slots)
        for slot, (name, number, pc) in enumerate(slots):
            place = unit << UNIT_BITS | slot
            if name:
                self.known[name] = place
            self.at[place] = number, pc


def most_cells(places: Places) -> int:
    """Return the number of cells that must be free for the next frame."""
    return 3 * max(cells[-1] for cells in places.cells) + 16


def wide_frames(places: Places) -> int:
    """Return the number of cells that the stack has beyond the usual number, for unusually wide frames."""
    cells = most_cells(places)
    return cells if cells > USUAL_CELLS else 0
