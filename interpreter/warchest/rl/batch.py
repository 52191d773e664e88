"""A batch: many games side by side on the native machine, each waiting for an action."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from enum import IntEnum
from itertools import compress
from typing import NoReturn, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from warchest.bots.choose import bot_named
from warchest.bots.seated import Seated, seated
from warchest.bots.simple import Uniform
from warchest.game.errors import OptionError
from warchest.game.game import Game
from warchest.game.native_games import moment_of, native_machine, state_of_game
from warchest.game.setup.armies import Armies
from warchest.game.state import State
from warchest.game.variant import Variant
from warchest.native.c_compiler import Unavailable
from warchest.native.compiled import NativeLibrary
from warchest.rl.actions import ActionTable
from warchest.rl.lanes import Lane, NativeBatch, OneThread
from warchest.rl.observations import ObservationTable

MOST_GAMES, MOST_THREADS, MOST_SEED = 100_000, 256, 2**64 - 1
"""The most games of a batch, the most threads, and the greatest seed."""
USUAL_CAP = 1000
"""The most decisions of a game, those of chance and of bots among them."""
Integers: TypeAlias = NDArray[np.int32]
Held = TypeVar("Held", bound=np.generic)


class GameStatus(IntEnum):
    """The status of a game: it goes on, it is over, it has had too many decisions, or the machine has given it up."""

    RUNNING = 0
    OVER = 1
    CAPPED = 2
    LOST = 3


class BatchArrays(ctypes.Structure):
    """The numbers and the arrays that the native machine reads and fills: see batch.c."""

    _fields_ = (
        *((name, ctypes.c_int32) for name in ("slots", "setup", "cap", "seats", "teams", "actions", "others")),
        *((name, ctypes.c_int32) for name in ("words", "acts", "lanes")),
        *((name, ctypes.c_void_p) for name in ("sheets", "memory", "first_point", "point_at", "points", "tokens")),
        *(
            (name, ctypes.c_void_p)
            for name in ("kind_documents", "seen", "pieces", "documents_seen", "team_of", "seen_from", "key", "bots")
        ),
        *((name, ctypes.c_void_p) for name in ("favours", "looks", "counted", "each", "player", "count", "legal")),
        *((name, ctypes.c_void_p) for name in ("mask", "ended", "rewards", "observations", "decisions", "taken")),
        ("away", ctypes.c_void_p),
    )


class Batch:
    """Many games at once: `step` takes an action in each, and arrays describe the next decisions.

    An action is a part of an option; an option whose parts are settled is taken at once, and so is a single one. Chance
    and `bots` (by seat: `random`, `policy-c`, `beginner`, `greedy`) choose natively. A game that has ended stays as it
    is; the next step begins another one in its place, whatever the action. Equal seeds give equal games, however many
    games or threads there are: game k (from 1) of slot s begins as `game.new(seed=batch.seed_of(s, k))`.

    The arrays, all with a row for each slot, are read-only, and written anew by each step: `players` (int8: the seat that
    decides, -1 at an end), `mask` (bool) and `actions` (int32: the first `counts` of a row) with what can be done,
    `rewards` (float32 by seat: 1 for winners, -1 for losers, at the end of a game), `ended` (see `GameStatus`),
    `decisions` (int32), `taken` (int32: the option that the last action has settled, by its number in the decision; -1 is
    none) and `observations` (int16: all that the deciding seat sees). `seats` are the players, `columns` the names of the
    columns of observations, `action_count` is the number of actions, and `action_names` has their names.

    One thread at a time uses a batch: to others, methods raise OptionError. In a copy of the process (`os.fork`) it goes
    on with one thread.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        *,
        seed: int = 0,
        bots: Mapping[str, str] | None = None,
        cap: int = USUAL_CAP,
        threads: int = 1,
        observe: bool = True,
        armies: Armies | None = None,
        options: Mapping[str, str] | None = None,
        setup: str | None = None,
        players: int | None = None,
        sets: Sequence[str] | str | None = None,
    ) -> None:
        """Begin games; without `observe` there are no observations, which take time. The rest is as for `Game.new`.

        Raises OptionError if a number is out of range, a bot is unknown, the game has no native machine, or threads
        cannot begin; PositionError as `Game.new` does.
        """
        if not isinstance(game, Game):
            raise OptionError("game", f"a game is needed, as `load` returns it, not {game!r}")
        _check("games", games, 1, MOST_GAMES)
        _check("threads", threads, 1, MOST_THREADS)
        _check("cap", cap, 1, 2**31 - 1)
        self.beginning = game.beginning(armies=armies, options=options, setup=setup, players=players, sets=sets)
        self.variant, self.games, self.threads = self.beginning.variant, games, threads
        self._library = _library(self.variant)
        self.seats = self.variant.naming.players
        """The seats, by the names of their players."""
        self._bots = self._seat(game, bots or {})
        self._make_tables()
        self._make_arrays(observe)
        self._native = NativeBatch(self._library, self._arrays(cap))
        self._handle = self._native.handle
        self._alone, self._lanes = OneThread(), list[Lane]()
        try:
            for number in range(1, threads):
                self._lanes.append(Lane(self._native, number))
        except RuntimeError as error:
            raise OptionError("threads", f"the system does not begin {threads} threads: {error}") from None
        self.reset(seed)

    def __del__(self) -> None:
        for lane in getattr(self, "_lanes", ()):
            lane.end()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a batch cannot be copied or pickled, because its games are in native memory")

    # ---- inputs and arrays

    def _make_tables(self) -> None:
        self.table = ActionTable(self.variant, self._library.places)
        self.action_count = self.table.count
        """The number of actions; an action is below it."""
        self.action_names: tuple[str, ...] = tuple(self.table.names)
        """The names of the actions, by number."""
        seen = ObservationTable(self.variant, self._library.border)
        self.columns = seen.columns
        """The names of the columns of observations."""
        self._kept = self._inputs(seen)

    def _make_arrays(self, observe: bool) -> None:
        games, actions = self.games, self.action_count
        self._key, self._away = np.zeros(2, np.uint32), np.zeros(self.threads, np.uint8)
        self._owned: dict[str, NDArray[np.generic]] = {}
        """The arrays that the machine writes, and reads again; others only read them."""
        self.players = self._own("player", np.full(games, -1, np.int8))
        self.counts = self._own("count", np.zeros(games, np.int32))
        self.actions = self._own("legal", np.zeros((games, actions), np.int32))
        self.mask = self._own("mask", np.zeros((games, actions), np.bool_))
        self.ended = self._own("ended", np.zeros(games, np.uint8))
        self.rewards = self._own("rewards", np.zeros((games, len(self.seats)), np.float32))
        self.decisions = self._own("decisions", np.zeros(games, np.int32))
        self.taken = self._own("taken", np.full(games, -1, np.int32))
        self.observations = self._own("observations", np.zeros((games if observe else 0, len(self.columns)), np.int16))

    def _own(self, name: str, array: NDArray[Held]) -> NDArray[Held]:
        self._owned[name], seen = array, array.view()
        seen.flags.writeable = False
        return seen

    def _seat(self, game: Game, bots: Mapping[str, str]) -> Seated:
        for name in bots:
            self.variant.player_number(name)
        chosen = [bot_named(bots[seat], game) if seat in bots else Uniform() for seat in self.seats]
        self.played = tuple(seat for seat in self.seats if seat not in bots)
        """The seats whose actions `step` takes."""
        if not self.played:
            raise OptionError("bots", "leave a seat without a bot, so that there is something to decide")
        found = seated(chosen, self.variant)
        if isinstance(found, str):
            raise OptionError("bots", f"such bots do not play natively: {found}")
        self._is_bot = np.array([seat in bots for seat in self.seats], np.int8)
        return found

    def _inputs(self, seen: ObservationTable) -> dict[str, Integers]:
        """Return the tables that the machine reads."""
        table, layout = self.table, self.variant.program.layout
        rows = {
            "memory": self._library.border.inward(self.beginning.prepared().memory),
            "first_point": table.first_point,
            "point_at": table.point_at,
            "points": [number for row in table.points for number in (row.way, row.first, row.size, row.more)],
            "tokens": [number for row in table.tokens() for number in row],
            "kind_documents": table.kind_documents(),
            "seen": seen.cells(),
            "pieces": seen.pieces(),
            "documents_seen": seen.documents_seen(),
            "team_of": layout.team_of,
            "seen_from": seen.seen_from(),
        }
        return {name: np.array(row, np.int32) for name, row in rows.items()}

    def _arrays(self, cap: int) -> BatchArrays:
        library, bots, layout = self._library, self._bots, self.variant.program.layout
        setup = library.setups.get(self.beginning.setup.name, -1)
        numbers = (self.games, setup, cap, len(self.seats), layout.teams, self.action_count, self.table.others)
        made = BatchArrays(*numbers, len(self._key), library.act_count, self.threads)
        told = {**self._kept, **self._owned, "key": self._key, "bots": self._is_bot, "away": self._away}
        for name, array in told.items():
            setattr(made, name, array.ctypes.data if array.size else None)
        made.sheets = ctypes.addressof(library.sheets)
        made.favours = library.favours(bots.favourites)
        if bots.valuation is not None:
            self._looks = np.array(bots.looks, np.int8)
            counted, each = bots.valuation.arguments
            made.looks = self._looks.ctypes.data
            made.counted, made.each = ctypes.addressof(counted), ctypes.addressof(each)
        return made

    # ---- playing

    def reset(self, seed: int = 0) -> None:
        """Restart all games, the first game of each slot by a seed. Raises OptionError for a seed out of range."""
        _check("seed", seed, 0, MOST_SEED)
        with self._alone:
            self.seed = seed
            self._key[:] = seed & 0xFFFFFFFF, seed >> 32
            self._library.code.batch_reset(self._handle)
            self._run(None)

    def end(self) -> None:
        """Break all games off, so that the next step begins the next game of each slot."""
        with self._alone:
            self._owned["ended"].fill(GameStatus.CAPPED)

    def step(self, actions: NDArray[np.integer] | Sequence[int]) -> None:
        """Take an action in each game, and begin the next game in place of each that has ended.

        Raises OptionError, with nothing changed, if an action is not on offer.
        """
        taken = np.ascontiguousarray(actions, np.int32)
        if taken.shape != (self.games,):
            raise OptionError("actions", f"one action for each of the {self.games} games is needed, not {taken.shape}")
        with self._alone:
            odd = self._library.code.batch_refuses(self._handle, taken.ctypes.data)
            if odd >= 0:
                raise OptionError(f"actions[{odd}]", f"{self._named(int(taken[odd]))} is not on offer; see `mask`")
            self._run(taken)

    def _named(self, action: int) -> str:
        known = 0 <= action < self.action_count
        return f"{action} ({self.action_names[action]})" if known else str(action)

    def _run(self, actions: Integers | None) -> None:
        code, at = self._library.code, actions.ctypes.data if actions is not None else None
        try:
            if code.batch_begin(self._handle, at):
                for lane in compress(self._lanes, self._away[1:]):
                    lane.rouse()
        finally:
            code.batch_step(self._handle)

    def sample(self, rng: np.random.Generator) -> Integers:
        """Return an action for each game, any of those on offer with equal chances; 0 for games that have ended."""
        which = (rng.random(self.games) * self.counts).astype(np.int32)
        found: Integers = self.actions[np.arange(self.games), which] * (self.counts > 0)
        return found

    # ---- states in slots

    def observe(self, seat: str) -> NDArray[np.int16]:
        """Return the observations of a seat in all games, a row each. Raises OptionError for an unknown seat."""
        number = self.variant.player_number(seat)
        found = np.zeros((self.games, len(self.columns)), np.int16)
        with self._alone:
            self._library.code.batch_see(self._handle, number, found.ctypes.data)
        return found

    def seed_of(self, slot: int, number: int) -> int:
        """Return the seed of a game: that of the batch, followed by its slot and its number, counted from 1."""
        return self.seed | slot << 64 | number << 96

    def state(self, slot: int) -> State:
        """Return the state of the game in a slot, without history or the chosen parts of an option under way."""
        _check("slot", slot, 0, self.games - 1)
        with self._alone:
            return state_of_game(self.variant, self._library, self._library.code.batch_game(self._handle, slot))

    def put(self, slot: int, state: State, parts: Sequence[int] = ()) -> None:
        """Put a state into a slot, with some parts of an option chosen; no option is taken.

        The arrays of the slot are as after a step, except for its observation; `taken` is the option that these parts
        settle, or a single one. Steps go on from there. Raises OptionError for a state of another game, one that the
        native machine has no room for, and parts that are not on offer.
        """
        _check("slot", slot, 0, self.games - 1)
        if not self.variant.is_same(state.variant):
            raise OptionError("state", "a state of the same game is needed, with the same board and options")
        moment = moment_of(state)
        if isinstance(moment, Unavailable):
            raise OptionError("state", moment.reason)
        chosen = np.array(parts, np.int32)
        with self._alone:
            known = self._library.code.batch_put(self._handle, slot, moment, chosen.ctypes.data, len(chosen))
        if known < len(chosen):
            raise OptionError(f"parts[{known}]", f"{self._named(int(chosen[known]))} is not on offer there")


def _library(variant: Variant) -> NativeLibrary:
    found = native_machine(variant)
    if isinstance(found, Unavailable):
        raise OptionError("game", f"a batch plays natively only, and that cannot be: {found.reason}")
    return found


def _check(name: str, value: int, least: int, most: int) -> None:
    """Raise OptionError unless a value is a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(name, f"a whole number from {least} to {most} is needed, not {value!r}")
