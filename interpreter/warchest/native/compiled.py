"""The compiled machine, called through ctypes."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from warchest.lowering.failure import Failure
from warchest.native.code_places import Places, most_cells, wide_frames
from warchest.native.counters import Counters
from warchest.native.legend import Legend
from warchest.native.memory_transfer import Border
from warchest.native.size_bounds import MOST_CANDIDATES
from warchest.native.unfit import Unfit

MOST_TAKEN, TOLD = 32, 5
STACK = 8192
"""The number of cells of the stack, apart from those that wide frames add."""
MOST_OPTIONS, LONGEST = 1 << 13, 24
"""The most options that there can be, and the most candidates that one of them takes."""
KEY = (2 + 5 * LONGEST + 4) // 4
"""The most cells that the key of an option takes: two bytes, five for each candidate, two for the list."""
LOOK, LEVELS = 32, 4
"""The most states that are valued after the first further choice, and the levels of choices in all: see valued.c."""
MOMENT = 8
"""The number of cells before the stack in a stored moment of a game."""
ALWAYS = 100
"""The percentage of decisions with look-ahead for a player who always looks ahead."""
MOST_STATES = 10_000_000
"""The most states in a search for turn successors."""
MOST_KEPT = 1 << 30
"""The most cells for waiting states: four gigabytes."""
KEPT_WITH = 3
"""The number of cells kept between the memory of a state and its stack; the last contains the stack's size."""


class Standing(IntEnum):
    """The state of a game: it is over, a player decides, chance does, or the machine has given up."""

    OVER = 0
    PLAYER = 1
    CHANCE = 2
    LOST = 3


WHY: dict[int, str] = {
    1: "too much is changed between two decisions",
    2: "there are too many pieces on the board",
    4: "too much is given for a time",
    8: "a trail is too long",
    16: "a number is too large",
    32: "too much is under way",
    64: "too many hooks wait",
    128: "there are too many options",
    256: "the rules do not terminate",
    512: "the game orders something impossible",
    1024: "looking ahead goes too deep",
    2048: "the run stopped where it should not",
    4096: "a signal has come",
}
"""The reasons why the machine gives up, by their bits."""


@dataclass(frozen=True, slots=True)
class NativeOption:
    """An option: the candidates it takes, and the number of its act (0: none)."""

    taken: tuple[int, ...]
    act: int


@dataclass(frozen=True, slots=True)
class FrameAt:
    """A frame of pending work: its routine, the next instruction, and its variables as cells."""

    routine: int
    instruction: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """The end of a game that was played at random: its state, the winner (-1: none), and counts."""

    standing: Standing
    winner: int
    decisions: int
    rounds: int
    turns: int

    @property
    def ended(self) -> bool:
        """Whether the game is over."""
        return self.standing is Standing.OVER


class NativeLibrary:
    """A compiled machine for a program."""

    def __init__(self, path: Path, legend: Legend) -> None:
        self.path, self.legend = path, legend
        self.places, self.acts = legend.places, legend.acts
        self.layout = legend.places.program.layout
        self.border = Border(self.layout)
        self.code = ctypes.CDLL(str(path))
        numbers = legend.sheets.numbers()
        self.sheets = (ctypes.c_int32 * len(numbers))(*numbers)
        _declare(self.code)
        self.setups = {name: number for number, name in enumerate(self.places.program.setups)}
        self.act_count = 1 + max(self.acts.values(), default=0)
        """The number of acts that name options."""
        self.names = {0: "", **{number: name for name, number in self.acts.items()}}
        """The acts by their numbers; 0 is none."""
        self.stack_cells = STACK + wide_frames(self.places)
        """The number of cells of the stack."""
        self._favoured: dict[tuple[frozenset[str], ...], Any] = {}

    def cells(self, memory: Sequence[int]) -> Any:
        """Return the cells of the machine for a memory."""
        found = self.border.inward(memory)
        return (ctypes.c_int32 * len(found)).from_buffer(array("i", found))

    def act(self, name: str) -> int:
        """Return the number of an act that names options; -1 if there is none."""
        return self.acts.get(name, -1)

    def favours(self, favourites: tuple[frozenset[str], ...]) -> int:
        """Return the address of a table that marks the favourite acts of each player."""
        found = self._favoured.get(favourites)
        if found is None:
            made = (ctypes.c_int8 * (self.act_count * len(favourites)))()
            for player, acts in enumerate(favourites):
                for name, number in self.acts.items():
                    made[player * self.act_count + number] = name in acts
            # Another thread may have made it meanwhile, and its address is in use.
            found = self._favoured.setdefault(favourites, made)
        return ctypes.addressof(found)

    def room_for_moment(self) -> int:
        """Return the number of cells that is enough for any state of a game with all its options."""
        return MOMENT + self.border.cells + self.stack_cells + MOST_OPTIONS * (2 + LONGEST)

    def room_for_looks(self) -> Any:
        """Return the cells for valuing options: for the numbers of the best options, and one state for each depth."""
        return (ctypes.c_int32 * (MOST_OPTIONS + LEVELS * self.room_for_moment()))()

    @cached_property
    def counters(self) -> Counters:
        """The counters of the machine's probes; empty if the machine was made without probes."""
        return Counters(self.code)

    def playouts(
        self, memory: Sequence[int], setup: str, favourite: str, cap: int, seeds: Sequence[int]
    ) -> list[Played]:
        """Play whole games from a setup at random, taking an option of the favourite act whenever there is one."""
        game, count = NativeGame(self), len(seeds)
        out = (ctypes.c_int32 * (TOLD * count))()
        self.code.game_playouts(
            game.handle,
            self.cells(memory),
            self.setups[setup],
            self.act(favourite),
            most(cap),
            (ctypes.c_uint64 * count)(*seeds),
            count,
            out,
        )
        return [played(out[first : first + TOLD]) for first in range(0, TOLD * count, TOLD)]


@dataclass(frozen=True, slots=True)
class Contest:
    """A game that was played between bots, with the values of the requested cells at its beginning and end."""

    played: Played
    begun: tuple[int, ...]
    ended: tuple[int, ...]


@dataclass(frozen=True)
class Valuation:
    """The terms in the value of a state for players with look-ahead: see valued.c."""

    counted: tuple[int, ...]
    each: tuple[float, ...]

    @cached_property
    def arguments(self) -> tuple[Any, Any]:
        """The numbers in the form for C."""
        counted, each = self.counted, self.each
        return (ctypes.c_int32 * len(counted))(*counted), (ctypes.c_double * len(each))(*each)


@dataclass(frozen=True, slots=True)
class PlayCourse:
    """The way games are played: favourite acts, limits on decisions and turns, and the cells to return."""

    favourites: tuple[frozenset[str], ...]
    """The favourite acts of each player, for all seatings in a row."""
    cap: int
    turns: int | None
    cells: range
    looks: tuple[int, ...] = ()
    """The percentage of decisions in which each of these players looks ahead, if any does."""
    valuation: Valuation | None = None
    """The valuation that players with look-ahead use."""
    seatings: int = 1
    """The number of seatings of the bots; consecutive games use them in turn."""


class ContestNumber(IntEnum):
    """The numbers in the result of a game between bots; after them are the cells at its beginning and at its end."""

    STANDING = 0
    WINNER = 1
    DECISIONS = 2
    ROUNDS = 3
    TURNS = 4
    UNFIT = 5


@dataclass(frozen=True, slots=True)
class ContestRows:
    """Games that were played between bots, each as a row of numbers (see `ContestNumber`), one after the other."""

    numbers: array[int]
    cells: int
    """The number of cells in a row, once for the beginning and once for the end."""

    @property
    def width(self) -> int:
        """The number of numbers in a row."""
        return len(ContestNumber) + 2 * self.cells

    def column(self, which: ContestNumber) -> list[int]:
        """Return one number of each game."""
        return self.numbers[which :: self.width].tolist()

    def contest(self, number: int) -> Contest | None:
        """Return one of the games; None if the machine has given it up."""
        first = number * self.width
        told = played(self.numbers[first : first + TOLD])
        begun = first + len(ContestNumber)
        ended, behind = begun + self.cells, begun + 2 * self.cells
        if told.standing is Standing.LOST:
            return None
        return Contest(told, tuple(self.numbers[begun:ended]), tuple(self.numbers[ended:behind]))


class NativeTable:
    """A machine that plays games from one setup one after the other, each as the reference machine plays it."""

    def __init__(self, library: NativeLibrary, memory: Sequence[int], setup: str) -> None:
        self.library, self.game = library, NativeGame(library)
        self._cells, self._setup = library.cells(memory), library.setups.get(setup, -1)
        self._room: Any = None
        self._told: dict[range, ctypes.Array[ctypes.c_int32]] = {}

    def play(self, seed: int, course: PlayCourse) -> Contest | None:
        """Play the game of a seed; None if the reference machine has to play it (`game.why` is the reason)."""
        return self.contests((seed,), course).contest(0)

    def contests(self, seeds: Sequence[int], course: PlayCourse, first: int = 0) -> ContestRows:
        """Play one game for each seed in a single call; the games are numbered from `first` on.

        After a signal to end the process, the remaining games are given up at once.
        """
        keys, words = _keys_of(seeds)
        told, width = self._places(course.cells), len(ContestNumber) + 2 * len(course.cells)
        rows = ContestRows(array("i", bytes(4 * len(seeds) * width)), len(course.cells))
        looks, valued = None, (None, None, None)
        if course.valuation is not None:
            self._room = self._room or self.library.room_for_looks()
            looks, valued = bytes(course.looks), (*course.valuation.arguments, self._room)
        self.library.code.game_contests(
            self.game.handle,
            self._cells,
            self._setup,
            keys.buffer_info()[0],
            words,
            len(seeds),
            first % course.seatings,
            course.seatings,
            len(course.favourites) // course.seatings,
            most(course.cap),
            -1 if course.turns is None else most(course.turns),
            self.library.favours(course.favourites),
            self.library.act_count,
            looks,
            *valued,
            told,
            rows.numbers.buffer_info()[0],
        )
        return rows

    def _places(self, cells: range) -> ctypes.Array[ctypes.c_int32]:
        """Return an array with the number of requested cells, and then these cells."""
        if cells not in self._told:
            places = self.library.border.places(cells)
            self._told[cells] = (ctypes.c_int32 * (1 + len(places)))(len(places), *places)
        return self._told[cells]


class NativeGame:
    """One game in the machine."""

    def __init__(self, library: NativeLibrary) -> None:
        self.library, self.code = library, library.code
        self.handle = self.code.game_new(library.sheets)
        if not self.handle:
            raise MemoryError("no memory for the native machine")
        self._taken = (ctypes.c_int32 * MOST_TAKEN)()

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.code.game_free(self.handle)

    @property
    def standing(self) -> Standing:
        """The state of the game: over, or who decides."""
        return Standing(self.code.game_state(self.handle))

    @property
    def why(self) -> str:
        """The reason why the machine gave up."""
        return why_given_up(self.code.game_unfit(self.handle))

    # ---- where it begins

    def put(
        self, memory: Sequence[int], frames: Sequence[FrameAt], waits: Sequence[tuple[tuple[int, int], ...]]
    ) -> Standing:
        """Load some pending work, the innermost frame first, and go on to its decision.

        `waits` has for each frame the variables that the frame above hands back to it. Raises Unfit if there is no room
        for the work.
        """
        places = self.library.places
        self.code.game_put_memory(self.handle, self.library.cells(memory))
        stack, fp, place = stacked(places, frames, waits)
        if len(stack) > self.library.stack_cells - most_cells(places):
            raise Unfit("too much is under way")
        cells = (ctypes.c_int32 * len(stack))(*stack)
        self.code.game_put_stack(self.handle, cells, len(stack), fp, place)
        return Standing(self.code.game_go_on(self.handle))

    def put_ended(self, memory: Sequence[int]) -> Standing:
        """Load the end of a game."""
        self.code.game_put_memory(self.handle, self.library.cells(memory))
        return Standing(self.code.game_put_ended(self.handle))

    # ---- the present state

    @property
    def memory(self) -> list[int]:
        """The memory."""
        border = self.library.border
        return border.outward(self.code.game_memory(self.handle)[: border.cells])

    @property
    def frames(self) -> list[FrameAt]:
        """The frames under way, the innermost first."""
        # Each frame has a head of four cells.
        out = (ctypes.c_int32 * (3 * self.library.stack_cells // 4))()
        count, stack = self.code.game_frames(self.handle, out), self.code.game_stack(self.handle)
        sizes = [cells[-1] for cells in self.library.places.cells]
        found = []
        for at in range(0, 3 * count, 3):
            routine, instruction, first = out[at : at + 3]
            found.append(FrameAt(routine, instruction, tuple(stack[first : first + sizes[routine]])))
        return found

    @property
    def decider(self) -> int:
        """The player who decides; -1 is chance."""
        return int(self.code.game_decider(self.handle))

    @property
    def options(self) -> list[NativeOption]:
        """The options to choose from, in order."""
        found = []
        for number in range(self.code.game_options(self.handle)):
            count = self.code.game_option(self.handle, number, self._taken)
            found.append(NativeOption(tuple(self._taken[:count]), self._taken[count]))
        return found

    @property
    def outcomes(self) -> dict[int, int]:
        """The possible outcomes of chance, with weights."""
        outcomes, weights = (ctypes.c_int32 * MOST_CANDIDATES)(), (ctypes.c_int32 * MOST_CANDIDATES)()
        count = self.code.game_outcomes(self.handle, outcomes, weights)
        return dict(zip(outcomes[:count], weights[:count], strict=True))

    # ---- going on

    def take(self, number: int) -> Standing:
        """Take an option, and go on to the next decision."""
        return Standing(self.code.game_take(self.handle, number))

    def roll(self, outcome: int) -> Standing:
        """Apply an outcome of chance, and go on to the next decision."""
        return Standing(self.code.game_roll(self.handle, outcome))

    # ---- turn successors

    def perft(self, depth: int, states: int = MOST_STATES) -> tuple[int, list[list[int]]] | None:
        """Count the different states after a number of turns; None if the machine gives up (see `why`).

        It also gives up where there are more than some `states` after a turn.
        States at the end of the game are not counted; their memories are returned, some of them perhaps more than once.
        """
        game, other = NativeGame(self.library), NativeGame(self.library)
        ended, cells = ctypes.POINTER(ctypes.c_int32)(), ctypes.c_long()
        count = int(
            self.code.game_perft(
                game.handle,
                other.handle,
                self.handle,
                most(depth),
                most(states),
                MOST_KEPT,
                ctypes.byref(ended),
                ctypes.byref(cells),
            )
        )
        border, found, at = self.library.border, list[list[int]](), 0
        while at < cells.value:
            found.append(border.outward(ended[at : at + border.cells]))
            at += border.cells + KEPT_WITH + ended[at + border.cells + KEPT_WITH - 1]
        self.code.game_free_cells(ended)
        return (count, found) if count >= 0 else None


def why_given_up(bits: int) -> str:
    """Return the reasons why the machine has given up, from their bits."""
    return "; ".join(text for bit, text in WHY.items() if bits & bit)


def played(told: Sequence[int]) -> Played:
    """Return the end of a game from its numbers in C."""
    return Played(Standing(told[0]), *told[1:])


def most(number: int) -> int:
    """Return a limit in the form for C; a limit too large for C is cut, and is then never reached."""
    return min(number, 2**31 - 1)


def words_of(seed: int) -> ctypes.Array[ctypes.c_uint32]:
    """Return the words of a seed, the lowest first, in the form that Python's generator takes."""
    keys, words = _keys_of((seed,))
    return (ctypes.c_uint32 * words)(*keys)


def _keys_of(seeds: Sequence[int]) -> tuple[array[int], int]:
    """Return the words of seeds, the lowest first, in a row for each, and the number of words of a row."""
    words = max((-(-seed.bit_length() // 32) for seed in seeds), default=1) or 1
    return array("I", (abs(seed) >> 32 * at & 0xFFFFFFFF for seed in seeds for at in range(words))), words


def stacked(
    places: Places, frames: Sequence[FrameAt], waits: Sequence[tuple[tuple[int, int], ...]]
) -> tuple[list[int], int, int]:
    """Return a stack with some frames, the innermost frame's place in it, and the place where that frame goes on."""
    stack: list[int] = []
    below, back, fails = -1, 0, 0
    for frame, outs in reversed(list(zip(frames, waits, strict=True))):
        routine = places.routines[frame.routine]
        at = len(stack)
        stack += [below, back, fails, -1, *frame.cells]
        below, back = at, places.known[places.back(routine, frame.instruction, outs)]
        failure = places.failure(routine, frame.instruction)
        fails = {Failure.MAY: 1, Failure.YIELDS: 0, Failure.NEVER: fails}[failure]
    return stack, below, back


TYPES = {
    "-": None,
    "r": ctypes.c_void_p,
    "n": ctypes.c_int,
    "l": ctypes.c_long,
    "d": ctypes.c_double,
    "u": ctypes.c_uint32,
    "c": ctypes.POINTER(ctypes.c_int32),
    "w": ctypes.POINTER(ctypes.c_uint64),
    "s": ctypes.POINTER(ctypes.c_uint32),
    "C": ctypes.POINTER(ctypes.POINTER(ctypes.c_int32)),
    "L": ctypes.POINTER(ctypes.c_long),
}
"""The types of results and arguments, by letters: `r` is any pointer, such as the machine."""
SIGNATURES = {
    "game_new": "rc",
    "game_free": "-r",
    "game_state": "nr",
    "game_unfit": "nr",
    "game_put_memory": "-rc",
    "game_memory": "cr",
    "game_put_stack": "-rcnnn",
    "game_go_on": "nr",
    "game_put_ended": "nr",
    "game_frames": "nrc",
    "game_stack": "cr",
    "game_decider": "nr",
    "game_options": "nr",
    "game_option": "nrnc",
    "game_take": "nrn",
    "game_outcomes": "nrcc",
    "game_roll": "nrn",
    "game_perft": "lrrrnllCL",
    "game_free_cells": "-c",
    "game_playouts": "-rcnnnwnc",
    "game_contests": "-rcnrnnnnnnnrnrrrrcr",
    "game_worths": "nrrrnrr",
    "game_worth": "drrrn",
    "game_keep": "-rr",
    "game_stand": "-rr",
    "game_ways": "nr",
    "game_choose": "nrnr",
    "game_key": "-rw",
    "game_opens": "nrrcn",
    "game_pick": "nrur",
    "game_play_on": "-rrsnnnrnrrrrc",
    "tree_new": "r",
    "tree_free": "-r",
    "tree_chance": "-rsn",
    "tree_grow": "nrrrnndrnrrr",
    "tree_tell": "-rrrcrr",
    "batch_new": "rr",
    "batch_free": "-r",
    "batch_reset": "-r",
    "batch_begin": "nrr",
    "batch_serve": "-rn",
    "batch_step": "-r",
    "batch_refuses": "nrr",
    "batch_put": "nrnrrn",
    "batch_see": "-rnr",
    "batch_game": "rrn",
}
"""The functions of a library, each with the types of its result and its arguments."""


def _declare(code: ctypes.CDLL) -> None:
    """Declare the arguments and results of the functions of a library."""
    for name, types in SIGNATURES.items():
        function = getattr(code, name)
        function.restype, *function.argtypes = (TYPES[letter] for letter in types)
