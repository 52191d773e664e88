"""One native game that many states share in turn, so that a moment consists only of its cells."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple
from weakref import ref

from warchest.lowering.code import Routine
from warchest.lowering.layout import FIRST, LIVE
from warchest.native.compiled import (
    KEY,
    MOMENT,
    MOST_OPTIONS,
    TOLD,
    NativeGame,
    NativeLibrary,
    PlayCourse,
    Played,
    Standing,
    Valuation,
    most,
    played,
    words_of,
)
from warchest.native.memory_transfer import whole_set
from warchest.native.option_keys import OptionKeys, keys_of


class At(IntEnum):
    """The cells of a stored moment before those of the stack: see held.c."""

    SIZE = 0
    STATE = 1
    FRAME = 2
    PLACE = 3
    STACK = 4
    WAYS = 5
    MEMORY = 6
    KEYS = 7


@dataclass(frozen=True, slots=True)
class Playout:
    """The end of a game that was played on from a moment, and the requested worths of its last state."""

    played: Played
    worths: tuple[float, ...]


class WaitingFrame(NamedTuple):
    """A frame under way: its routine, the next instruction, its variables, and the variables that it hands back."""

    routine: int
    instruction: int
    cells: list[int]
    outs: tuple[tuple[int, int], ...]


class Moment:
    """A moment of a game; it never changes. It is on the bench, or its cells are stored."""

    def __init__(self, bench: Bench, ways: int) -> None:
        self.bench, at = bench, ways & 3
        self.standing = _STANDINGS[at]
        self.is_over = at == _OVER
        """Whether the game is over."""
        self.by_chance = at == _CHANCE
        """Whether chance decides."""
        self.decider = (ways >> 2 & 63) - 1
        """The player who decides; -1 is chance."""
        self.count = ways >> 8
        """The number of options, or of outcomes of chance."""
        self.kept: bytes | None = None
        self._keys: OptionKeys | None = None

    def cell(self, number: int) -> int:
        """Return the value of a cell of the memory, as on the reference machine; the only set it can read is `LIVE`."""
        return self.live if number == LIVE else self.bench.cell(self, number)

    @cached_property
    def cells(self) -> memoryview:
        """The cells of the memory, in the form of the native machine."""
        return memoryview(self.bench.memory(self)).cast("i")

    @cached_property
    def _stored(self) -> memoryview:
        """The cells of the moment as it is stored."""
        return memoryview(self.bench.keep(self)).cast("i")

    @cached_property
    def key(self) -> tuple[int, int]:
        """The key of the moment, in which pieces are identified by their places; equal moments have equal keys."""
        return self.bench.key(self)

    @cached_property
    def memory(self) -> list[int]:
        """The memory, in the form of the reference machine."""
        return self.bench.library.border.outward(self.cells.tolist())

    def part(self, first: int, end: int) -> bytes:
        """Return some consecutive cells of the memory of a state, from one up to another."""
        at = self.bench.library.border.place(first)
        return self.cells[at : at + end - first].tobytes()

    @property
    def live(self) -> int:
        """The set of all pieces."""
        return whole_set(self.cells, LIVE, self.bench.library.border.further)

    @property
    def keys(self) -> OptionKeys:
        """For each option in order, the candidates that it takes; for each outcome of chance, its candidate."""
        # A cached property takes longer than all the rest.
        if self._keys is None:
            self._keys = self.bench.keys(self)
        return self._keys

    @cached_property
    def _ranks(self) -> list[int]:
        """The acts of the options by their numbers, or the weights of the outcomes of chance."""
        cells, found = self._stored, list[int]()
        at = MOMENT + cells[At.STACK]
        for taken in self.keys:
            found.append(cells[at + 1])
            at += 2 + len(taken)
        return found

    @property
    def weights(self) -> list[int]:
        """The weights of the outcomes of chance; none where a player decides."""
        return self._ranks if self.by_chance else []

    def odds(self, number: int) -> tuple[int, int]:
        """Return the weight of an option or outcome, and the sum of all weights; for a player's option, 1 of 1."""
        return (self.weights[number], sum(self.weights)) if self.by_chance else (1, 1)

    def act(self, number: int) -> str:
        """Return the act of an option; chance has none."""
        return "" if self.by_chance else self.bench.library.names[self._ranks[number]]

    def pick(self, drawn: int, acts: Container[str]) -> int:
        """Return the number of the option that a drawn number selects, among options of these acts if there are any."""
        return self.bench.pick(self, drawn, acts)

    def worths(self, valuation: Valuation, player: int) -> list[float]:
        """Return the worth to a player of the result of each option; nothing if the machine gives up."""
        return self.bench.worths(self, valuation, player)

    def worth(self, valuation: Valuation, player: int) -> float:
        """Return the worth to a player."""
        return self.bench.worth(self, valuation, player)

    def play_on(self, seed: int, acts: Container[str], players: Sequence[str], cap: int) -> Played | None:
        """Play on to the end by the draws of a seed; None if the machine gives up."""
        course = PlayCourse((self.bench.favourites(acts),) * len(players), cap, None, range(0))
        end = self.bench.play_on(self, course, seed).played
        return None if end.standing is Standing.LOST else end

    def opens(self, timed: ctypes.Array[ctypes.c_int32]) -> bool | None:
        """Whether play that begins from the memory alone stops here; None if only the reference machine knows.

        `timed` are pairs of a cell that a new turn or round resets, and the piece that it belongs to, or -1.
        """
        return self.bench.opens(self, timed)

    @property
    def code(self) -> tuple[Routine, int]:
        """The routine under way, and its next instruction."""
        places = self.bench.library.places
        routine, pc = places.at[self._stored[At.PLACE]]
        return places.routines[routine], pc

    @property
    def waiting_code(self) -> tuple[Routine, int] | None:
        """The routine that waits for the one under way, and its next instruction; None if no routine waits."""
        cells, library = self._stored, self.bench.library
        first = MOMENT + cells[At.FRAME]
        if cells[At.FRAME] < 0 or cells[first] < 0:
            return None
        routine, pc = library.places.at[cells[first + 1]]
        return library.places.routines[routine], pc

    @property
    def frames(self) -> list[WaitingFrame]:
        """The frames under way, the innermost first."""
        places, cells = self.bench.library.places, self._stored
        stack = cells[MOMENT : MOMENT + cells[At.STACK]].tolist()
        at, place, found = cells[At.FRAME], cells[At.PLACE], list[WaitingFrame]()
        while at >= 0:
            routine, pc = places.at[place]
            first = at + HEADER
            variables = stack[first : first + places.cells[routine][-1]]
            at, place = stack[at], stack[at + 1]
            found.append(WaitingFrame(routine, pc, variables, places.handed_back(place) if at >= 0 else ()))
        return found

    def same(self, other: Moment) -> bool | None:
        """Whether two moments of a game that is not over are equal; None if only their states can decide it."""
        if self is other:
            return True
        if Standing.OVER in (self.standing, other.standing):
            return None if self.standing is other.standing else False
        if self.key != other.key:
            return False
        # Pieces may have other numbers, which only the states can tell; counters of turns and rounds play no part.
        mine, others = self._stored, other._stored
        memory = mine[At.MEMORY]
        head, rest = slice(At.FRAME, memory), slice(memory + FIRST, None)
        return True if mine[head] == others[head] and mine[rest] == others[rest] else None


_NONE = frozenset[str]()
_STANDINGS = tuple(Standing)
_OVER, _CHANCE = int(Standing.OVER), int(Standing.CHANCE)
HEADER = 4
"""The number of cells before the variables of a frame."""


class Bench:
    """A native game that is at one moment, which is being played on; all other moments are stored meanwhile."""

    def __init__(self, library: NativeLibrary) -> None:
        self.library, self._game, self._lock = library, NativeGame(library), Lock()
        self._code, self._handle = library.code, self._game.handle
        self._room = (ctypes.c_int32 * (library.room_for_moment() + MOST_OPTIONS * KEY))()
        self._view, self._to = memoryview(self._room).cast("B"), ctypes.addressof(self._room)
        self._memory = self._code.game_memory(self._handle)
        self._here: Callable[[], Moment | None] = _nothing
        """The present moment of the game; its cells are in the room."""

    def begin(self, put: Callable[[NativeGame], object]) -> Moment | str:
        """Return the moment of a game after `put` has loaded it; or the reason why there is none."""
        with self._lock:
            self._keep_here()
            put(self._game)
            self._code.game_keep(self._handle, self._to)
            moment = self._stands(self._code.game_ways(self._handle))
            return moment if moment is not None else self._game.why

    def moment_of(self, handle: int) -> Moment:
        """Return the present moment of another native game, given by its address."""
        with self._lock:
            self._keep_here()
            self._code.game_keep(handle, self._to)
            moment = Moment(self, self._code.game_ways(handle))
            moment.kept = self._told()
            return moment

    def choose(self, moment: Moment, number: int) -> Moment | None:
        """Return the moment after an option or an outcome of chance; None if the machine gives up."""
        with self._lock:
            self._place(moment)
            if moment.kept is None:
                moment.kept = self._told()
            return self._stands(self._code.game_choose(self._handle, number, self._to))

    def _stands(self, ways: int) -> Moment | None:
        """Return the moment at which the game has arrived."""
        if ways & 3 == Standing.LOST:
            self._here = _nothing
            return None
        moment = Moment(self, ways)
        self._here = ref(moment)
        return moment

    def _place(self, moment: Moment) -> None:
        """Load a moment into the game."""
        if self._here() is not moment:
            self._keep_here()
            self._code.game_stand(self._handle, moment.kept)
            self._here = ref(moment)

    def _keep_here(self) -> None:
        """Store the moment that the game is at, if it is still referenced."""
        here = self._here()
        if here is not None and here.kept is None:
            here.kept = self._told()
        self._here = _nothing

    def _told(self) -> bytes:
        """Return the cells of the moment that was stored last."""
        return bytes(self._view[: 4 * self._room[At.SIZE]])

    # ---- the data of moments

    def keep(self, moment: Moment) -> bytes:
        """Return the cells of a moment, which are stored with it from now on."""
        with self._lock:
            if moment.kept is None:
                moment.kept = self._told()
            return moment.kept

    def memory(self, moment: Moment) -> bytes:
        """Return the cells of the memory at a moment."""
        with self._lock:
            self._place(moment)
            return ctypes.string_at(self._memory, 4 * self.library.border.cells)

    def keys(self, moment: Moment) -> OptionKeys:
        """Return the candidates that each option takes at a moment."""
        with self._lock:
            return keys_of(moment.kept or self._view)

    def cell(self, moment: Moment, number: int) -> int:
        """Return the value of a cell of the memory at a moment."""
        with self._lock:
            if moment.kept is None:
                return int(self._memory[number])
        return int(moment.cells[number])

    def key(self, moment: Moment) -> tuple[int, int]:
        """Return the key of a moment."""
        found = (ctypes.c_uint64 * 2)()
        with self._lock:
            self._place(moment)
            self._code.game_key(self._handle, found)
        return found[0], found[1]

    def opens(self, moment: Moment, timed: ctypes.Array[ctypes.c_int32]) -> bool | None:
        """Whether play that begins from the memory of a moment alone stops there; None if that is unknown here."""
        kept = self.keep(moment)
        with self._lock:
            self._keep_here()
            told = self._code.game_opens(self._handle, kept, timed, len(timed) // 2)
        return None if told < 0 else bool(told)

    def pick(self, moment: Moment, drawn: int, acts: Container[str]) -> int:
        """Return the number of the option that a drawn number selects, among options of these acts if there are any."""
        favours = self.library.favours((self.favourites(acts),))
        with self._lock:
            self._place(moment)
            return int(self._code.game_pick(self._handle, drawn, favours))

    def favourites(self, acts: Container[str]) -> frozenset[str]:
        """Return the given acts that exist in the game."""
        if not acts:
            return _NONE
        if isinstance(acts, frozenset):
            return acts
        return frozenset(one for one in self.library.names.values() if one in acts)

    def worths(self, moment: Moment, valuation: Valuation, player: int) -> list[float]:
        """Return the worth to a player of the result of each option; nothing if the machine gives up."""
        found = (ctypes.c_double * moment.count)()
        with self._lock:
            self._place(moment)
            if not self._code.game_worths(self._handle, *valuation.arguments, player, self._room_for_looks, found):
                self._keep_here()
                return []
        return found[:]

    @cached_property
    def _room_for_looks(self) -> Any:
        return self.library.room_for_looks()

    def worth(self, moment: Moment, valuation: Valuation, player: int) -> float:
        """Return the worth of a moment to a player."""
        with self._lock:
            self._place(moment)
            return float(self._code.game_worth(self._handle, *valuation.arguments, player))

    def play_on(self, moment: Moment, course: PlayCourse, seed: int, viewers: Sequence[int] = ()) -> Playout:
        """Play on from a moment by the draws of a seed, and return for `viewers` the worth of the last state."""
        key, out, kept = words_of(seed), (ctypes.c_int32 * TOLD)(), self.keep(moment)
        turns = -1 if course.turns is None else most(course.turns)
        looks, counted, room = None, (None, None), None
        if course.valuation is not None:
            looks, counted, room = bytes(course.looks), course.valuation.arguments, self._room_for_looks
        with self._lock:
            self._keep_here()
            self._code.game_play_on(
                self._handle,
                kept,
                key,
                len(key),
                most(course.cap),
                turns,
                self.library.favours(course.favourites),
                self.library.act_count,
                looks,
                *counted,
                room,
                out,
            )
            worths = [float(self._code.game_worth(self._handle, *counted, player)) for player in viewers]
        return Playout(played(out[:]), tuple(worths))


def _nothing() -> None:
    """Return None, for a game that is at no moment."""
