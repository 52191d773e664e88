"""What has no room on the native machine is given up, not lost; and states are told apart by all that they hold."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from lockstep_support import checked_for, checked_library, native_for, source_of

import warchest
from loaded import load_once
from warchest.bots import bot_named
from warchest.cli import sim
from warchest.engine.effects import records
from warchest.engine.state import Frame, Run
from warchest.game.held import cells_of_frame
from warchest.game.held import put as put_run
from warchest.game.native import put
from warchest.lowering.code import Routine
from warchest.lowering.layout import GRANT, LIVE, Layout
from warchest.native import library
from warchest.native.bench import Bench, Moment
from warchest.native.definitions import MOST_PLACES, cells_of, document_definitions
from warchest.native.library import NativeGame, NativeLibrary, NativeTable
from warchest.native.unfit import Unfit

SMALL = Path(__file__).parent / "skirmish"


def at(game: warchest.Game, **position: Any) -> warchest.State:
    hands = {"hand": {"raven": ["Scout"], "wolf": ["Archer"]}, "to_act": "raven", "initiative": "raven"}
    return game.position({**hands, **position})


def bench_of(state: warchest.State) -> Bench:
    return Bench(checked_library(state.variant))


def begun(bench: Bench, state: warchest.State) -> Moment:
    found = bench.begin(partial(put, state=state))
    assert isinstance(found, Moment), found
    return found


# ---- all that a state holds


def test_trails_of_players_tell_states_apart(further_game: warchest.Game) -> None:
    beats = (["Archer", "Knight"], ["Knight", "Archer"], ["Archer", "Archer"])
    states = [at(further_game, drum={"wolf": ["Archer", "Knight"]}, beat={"wolf": beat}) for beat in beats]
    bench = bench_of(states[0])
    moments = [begun(bench, state) for state in states]
    assert len({one.key for one in moments}) == len({state.key() for state in states}) == len(beats)
    assert begun(bench, states[0]).key == moments[0].key


def test_the_order_of_hooks_matters_to_trails(further_game: warchest.Game) -> None:
    units = [{"at": space, "unit": name, "owner": "raven"}
             for space, name in (("f4", "Scout"), ("f6", "Piper"), ("e6", "Fifer"))]  # fmt: skip
    state = at(further_game, units=units)
    assert state.decision is not None
    bench = bench_of(state)
    number = next(number for number, one in enumerate(state.decision.options) if one.act == "move")
    moment = bench.choose(begun(bench, state), number)
    asked = state.apply(number).decision
    assert asked is not None and moment is not None and not moment.by_chance
    assert [one.act for one in asked.options] == [moment.act(number) for number in range(moment.count)] == ["first"] * 2


@pytest.mark.parametrize("orders", [(0, 1, 2), (3, 5, 9), (2, 1, 0)])
def test_what_prevails_is_told_by_its_order_alone(orders: tuple[int, ...]) -> None:
    beginning, library = native_for("unigames", "Conjurers")
    variant, layout = beginning.variant, beginning.variant.program.layout
    state, rng = beginning.begin(3), Random(3)
    state.silent = True
    while not state.run.memory[LIVE] or list(records(state.run.memory, layout)):
        assert state.decision is not None
        state.apply(state.decision.sample(rng))
    piece = (state.run.memory[LIVE] & -state.run.memory[LIVE]).bit_length() - 1

    def keys(orders: tuple[int, ...]) -> tuple[Any, Any]:
        run = Run(state.run.machine, list(state.run.memory), state.run.top)
        run.memory[layout.granted] = len(orders)
        for number, order in enumerate(orders):
            first = layout.grants + number * GRANT
            run.memory[first : first + GRANT] = [1, piece, -1, number, -1, -1, order]
        moment = Bench(library).begin(lambda game: put_run(game, run))
        assert isinstance(moment, Moment), moment
        return variant.key(run), moment.key

    (usual, native), (other, natively) = keys((0, 1, 2)), keys(orders)
    assert (usual == other) is (native == natively) is (orders != (2, 1, 0))


# ---- what is given up


def test_an_option_of_too_many_choices_is_given_up(further_game: warchest.Game) -> None:
    state = at(further_game, to_act="wolf", units=[{"at": "f4", "unit": "Dawdler", "owner": "raven"}],
               hand={"raven": ["Dawdler"], "wolf": ["Archer"]})  # fmt: skip
    bench = bench_of(state)
    moment = begun(bench, state)
    for number in range(moment.count):
        assert bench.choose(moment, number) is None
        assert bench._game.why == "there are too many options"


def test_looking_ahead_that_goes_too_deep_is_given_up(further_game: warchest.Game) -> None:
    units = [{"at": "f4", "unit": "Crier", "owner": "raven"}, {"at": "f7", "unit": "Archer", "owner": "wolf"},
             {"at": "e2", "unit": "Ponderer", "owner": "raven"}]  # fmt: skip
    state = at(further_game, units=units, hand={"raven": ["Crier"], "wolf": ["Archer"]})
    bench = bench_of(state)
    moment = begun(bench, state)
    moves = [number for number in range(moment.count) if moment.act(number) == "move"]
    assert moves
    for number in moves:
        assert bench.choose(moment, number) is None
        assert bench._game.why == "looking ahead goes too deep"
    assert bench.choose(moment, next(number for number in range(moment.count) if number not in moves)) is not None


def test_a_bot_that_looks_into_an_option_without_an_end_is_told_nothing(
    further_game: warchest.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warchest.game.held.library_for", checked_for)
    state = at(further_game, units=[{"at": "f4", "unit": "Gong", "owner": "raven"}],
               hand={"raven": ["Gong"], "wolf": ["Archer"]})  # fmt: skip
    reference = state.clone()
    assert state.play_natively() == ""
    bot = bot_named("greedy", load_once("war-chest"))
    for one in (state, reference):
        with pytest.raises(warchest.EndlessError):
            bot.choose(one, Random(1))
    assert state.native and state == reference


def test_limits_beyond_those_of_c_are_as_good_as_none() -> None:
    beginning, library = native_for("war-chest", "Random armies")
    table = sim._BotTable(load_once("war-chest"), beginning, ["policy-c"])
    table.natively = NativeTable(library, beginning.prepared().memory, "Random armies")
    assert table.play(0, 3, (2**32 + 1, 2**32 + 1), None) == table.play(0, 3, (2000, None), None)


def test_a_block_that_no_document_has_is_carried_out_on_none() -> None:
    place = SMALL / "documents.yaml"
    text, block = place.read_text(encoding="utf-8"), "tactic: |\n  move.\n  attack.\n"
    assert text.count("tactic: |") == text.count(block) == 1
    made = source_of(load_once(SMALL).with_text(place, text.replace(block, "")).beginning().variant)
    rows = re.findall(r"\bblock_places_0\[\d+\] = \{(.*?)\}", "\n".join((*made.units, made.machine)), re.DOTALL)
    assert rows and all(set(re.findall(r"-?\d+", row)) == {"-1"} for row in rows)


# ---- numbers


def test_states_that_would_fill_the_memory_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    beginning, machine = native_for("unigames", "Conjurers")
    state, rng, game = beginning.begin(2), Random(2), NativeGame(machine)
    for _ in range(40):
        assert state.decision is not None
        state.apply(state.decision.sample(rng))
    put(game, state)
    assert game.perft(1) is not None
    monkeypatch.setattr(library, "MOST_KEPT", 10_000)
    assert game.perft(1) is None


def test_a_number_under_way_that_is_too_large_is_given_up() -> None:
    routine = Routine("a text", "block", -1, ("number",))
    places: Any = SimpleNamespace(cells=[[0, 1]], number={"a text": 0})
    assert cells_of_frame(places, Frame(None, routine, 0, (2**24,), ())) == [2**24]
    with pytest.raises(Unfit, match="too large"):
        cells_of_frame(places, Frame(None, routine, 0, (2**32 + 5,), ()))


def test_a_frame_has_room_for_the_places_of_mentions() -> None:
    layout = load_once("war-chest").beginning().variant.program.layout
    tokens = 2 + 2 * 48
    most = MOST_PLACES // tokens
    assert cells_of(layout, Routine("", "block", -1, ("tokens",) * most), 8)[-1] == most * tokens
    with pytest.raises(Unfit, match="variables"):
        cells_of(layout, Routine("", "block", -1, ("tokens",) * (most + 1)), 8)


@pytest.mark.parametrize("further", [0, 60, 900, 11000])
def test_a_factor_stands_for_dividing_by_the_number_of_documents(further: int) -> None:
    program = load_once("war-chest").beginning().variant.program
    layout = Layout(program.ruleset, program.board, further)
    try:
        documents, factor = (int(text.split("= ")[1].rstrip("u;")) for text in document_definitions(layout))
    except Unfit:
        assert further == 11000
        return
    last = (layout.holders + 2) * documents - 1
    for token in (0, documents - 1, documents, last - documents, last - documents + 1, last):
        assert token * factor >> 32 == token // documents


# ---- threads


def test_a_table_of_favourites_stays_where_it_is() -> None:
    """Another thread makes the same table while the first one does."""
    _, library = native_for("war-chest", "Random armies")
    mine: NativeLibrary = copy.copy(library)

    class Meanwhile(dict[Any, Any]):
        asked: Callable[[], int] | None = None
        told = 0

        def get(self, key: Any, default: Any = None) -> Any:
            found, asked = super().get(key, default), self.asked
            if asked is not None:
                self.asked = None
                self.told = asked()
            return found

    mine._favoured = tables = Meanwhile()
    tables.asked = lambda: mine.favours((frozenset({"control"}),))
    assert mine.favours((frozenset({"control"}),)) == tables.told
