"""States that are held natively have the same members as those of the reference machine, with the same meaning."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from lockstep_support import checked_for, native_for

import warchest
from budgets import lower_budgets
from loaded import load_once
from warchest.game import native_engine
from warchest.game.telling.log import LogWriter
from warchest.lowering.clause_counts import Counts
from warchest.native import compiled
from warchest.native.c_compiler import Unavailable
from warchest.native.compiled import Standing
from warchest.native.generate import runtime

SETUPS = [
    ("war-chest", "Random armies"),
    ("war-chest", "Draft"),
    ("war-chest", "Four players random"),
    ("unigames", "Alternate reveal"),
    ("unigames", "Conjurers"),
]
DECISIONS, EACH = 60, 29
"""The decisions of a game that are compared, and, at intervals, in all that can be read."""

pytestmark = pytest.mark.usefixtures("compiled_for_tests")
State = warchest.State


def both(name: str, setup: str, seed: int) -> tuple[State, State]:
    """Return the same first state twice, held natively and by the reference machine."""
    beginning, _ = native_for(name, setup)
    native, reference = beginning.begin(seed), beginning.begin(seed)
    assert native.play_natively() == "" and native.native and not reference.native
    return native, reference


def played(name: str, setup: str, seed: int, count: int) -> tuple[State, State]:
    """Return the same state twice after some random decisions."""
    native, reference = both(name, setup, seed)
    rng = Random(seed)
    for _ in range(count):
        if native.decision is None:
            break
        number = rng.randrange(native.decision.count)
        native.apply(number)
        reference.apply(number)
    assert native.native
    return native, reference


# ---- all that can be read


def decision(state: State) -> Any:
    one = state.decision
    if one is None:
        return None
    options = [(two.data, two.id, two.label, two.act, two.path, two.probability, two.declines) for two in one.options]
    draws = [one.draw(Random(seed), acts).path for seed in range(3) for acts in ((), {"control", "step"})]
    return one.player, one.is_chance, one.prompt, one.clause, one.count, repr(one), options, draws


def reasons(state: State) -> Any:
    if state.decision is None:
        return None
    acts = sorted({one.act for one in state.decision.options})[:2]
    return [state.why_not({"act": act}) for act in acts] + [state.why_not("no such thing")]


READ: dict[str, Callable[[State], Any]] = {
    "at_boundary": lambda one: one.at_boundary,
    "board": lambda one: one.board,
    "decision": decision,
    "determinize": lambda one: [one.determinize(player, Random(1)).key() for player in one.board.players],
    "worlds": lambda one: [[one.worlds(player).draw(Random(2)).key()] for player in one.board.players],
    "events": lambda one: one.events,
    "history": lambda one: one.history(),
    "key": lambda one: one.key(),
    "log": lambda one: one.log,
    "log_for": lambda one: [one.log_for(player) for player in one.variant.naming.players],
    "news_for": lambda one: [one.news_for(player) for player in one.variant.naming.players],
    "news_entries": lambda one: [one.news_entries(player) for player in one.variant.naming.players],
    "question": lambda one: one.question,
    "outcome": lambda one: one.outcome,
    "pieces": lambda one: one.pieces,
    "point": lambda one: one.point,
    "position": lambda one: one.position(),
    "rollouts": lambda one: one.rollouts(1, seed=4, acts={"control"}, cap=8),
    "round": lambda one: one.round,
    "run": lambda one: (one.run.memory, one.variant.key(one.run)),
    "silent": lambda one: one.silent,
    "thorough": lambda one: one.thorough,
    "trace": lambda one: one.trace,
    "trace_for": lambda one: [one.trace_for(player) for player in one.variant.naming.players],
    "turn": lambda one: one.turn,
    "variant": lambda one: one.variant,
    "view": lambda one: [one.view(player) for player in one.variant.naming.players],
    "why_not": reasons,
}
QUICK = ("outcome", "pieces", "round", "turn", "silent", "thorough")
"""The members that are compared at each decision."""
DONE = {"advance", "apply", "clone", "count", "give_up", "mark", "native", "play_natively", "undo"}
"""The members that do something, or tell the machines apart; they have tests of their own."""


def same(native: State, reference: State, members: Any = READ) -> None:
    """Compare two states in some members, and as a whole; the native one stays so."""
    was = native.native
    for name in members:
        mine, other = READ[name](native), READ[name](reference)
        assert mine == other, name
    assert native.native is was and not reference.native
    assert native == reference and reference == native and hash(native) == hash(reference)


def test_every_member_is_compared() -> None:
    public = {name for name in dir(State) if not name.startswith("_")}
    assert public == READ.keys() | DONE and not READ.keys() & DONE


@pytest.mark.parametrize(("name", "setup"), SETUPS)
def test_random_games_read_the_same(name: str, setup: str) -> None:
    native, reference = both(name, setup, 5)
    rng = Random(5)
    for number in range(DECISIONS):
        same(native, reference, READ if number % EACH == 0 else QUICK)
        if native.decision is None or reference.decision is None:
            break
        assert native.decision.player == reference.decision.player
        chosen = rng.randrange(native.decision.count)
        assert native.decision.count == len(reference.decision.options)
        native.apply(native.decision.options[chosen] if number % 2 else chosen)
        reference.apply(chosen)
    same(native, reference)


def test_a_finished_game_reads_the_same() -> None:
    beginning, _ = native_for("war-chest", "Random armies")
    native, reference = beginning.begin(4), beginning.begin(4)
    native.play_natively()
    rng = Random(4)
    while native.decision is not None:
        option = native.decision.draw(rng, {"control"})
        assert reference.decision is not None
        reference.apply(next(one for one in reference.decision.options if one == option))
        native.apply(option)
    assert native.outcome is not None and native.native
    same(native, reference)
    for state in (native, reference):
        with pytest.raises(warchest.OptionError, match="the game is over"):
            state.apply(0)


# ---- options


def test_options_are_taken_by_number_by_themselves_and_from_equal_states() -> None:
    native, reference = played("war-chest", "Random armies", 2, 20)
    assert native.decision is not None and reference.decision is not None
    last = native.decision.options[-1]
    for option in (-1, native.decision.count, True, "no", 1.0):
        with pytest.raises(warchest.OptionError) as mine:
            native.apply(option)  # type: ignore[arg-type]
        with pytest.raises(warchest.OptionError) as other:
            reference.apply(option)  # type: ignore[arg-type]
        assert str(mine.value) == str(other.value)
    mixed = native.clone().apply(reference.decision.options[-1])
    assert mixed == reference.clone().apply(last) == native.clone().apply(last)
    assert pickle.loads(pickle.dumps(last)) == copy.copy(last) == last
    native.apply(last)
    before = last.data
    native.apply(0)
    assert last.data == before, "an option says what it said when the game goes on"
    if all(one != last for one in native.decision.options):
        with pytest.raises(warchest.OptionError, match="is not on offer"):
            native.apply(last)


# ---- copies


@pytest.mark.parametrize(("name", "setup"), [SETUPS[0], SETUPS[3]])
def test_copies_are_independent(name: str, setup: str) -> None:
    native, reference = played(name, setup, 1, 30)
    copies = [native.clone(), copy.copy(native), copy.deepcopy(native)]
    assert all(one.native for one in copies)
    other = reference.clone()
    for _ in range(5):
        assert copies[0].decision is not None
        number = copies[0].decision.count - 1
        other.apply(number)
        copies[0].apply(number)
    same(copies[0], other)
    for one in (native, *copies[1:]):
        same(one, reference)
    travelled = pickle.loads(pickle.dumps(native))
    assert travelled == native == reference and hash(travelled) == hash(native)
    assert (travelled.turn, travelled.round) == (native.turn, native.round)


@pytest.mark.parametrize(("name", "setup"), [SETUPS[0], SETUPS[4]])
def test_undo_comes_back_to_a_mark(name: str, setup: str) -> None:
    native, reference = played(name, setup, 3, 25)
    marks = native.mark(), reference.mark()
    for first in range(3):
        for state in (native, reference):
            for _ in range(4):
                assert state.decision is not None
                state.apply(min(first, state.decision.count - 1))
        same(native, reference)
        assert native.undo(marks[0]) is native and reference.undo(marks[1]) is reference
        same(native, reference)
    native.undo(marks[1])
    assert native == reference and not native.native
    for odd in (None, native_for("unigames" if name == "war-chest" else "war-chest", None)[0].begin(1).mark()):
        with pytest.raises(warchest.OptionError, match="a mark of this game is needed"):
            native.undo(odd)  # type: ignore[arg-type]


def test_states_are_equal_natively_where_they_are_on_the_reference_machine() -> None:
    pairs = [played("war-chest", "Random armies", 6, 12)]
    for native, reference in list(pairs):
        assert native.decision is not None
        for first in range(native.decision.count):
            one, other = native.clone().apply(first), reference.clone().apply(first)
            pairs.append((one, other))
            assert one.decision is not None
            pairs += [(one.clone().apply(number), other.clone().apply(number)) for number in range(one.decision.count)]
    pairs = pairs[:40]
    found = 0
    for mine, other in pairs:
        for again, further in pairs:
            assert (mine == again) is (other == further) is (mine == further)
            found += mine == again
            assert mine != again or hash(mine) == hash(again) == hash(other)
    assert found >= len(pairs)


# ---- which machine


def test_no_library_is_compiled_without_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_engine, "library_for", lambda *_: pytest.fail("nobody has asked for it"))
    state = load_once("war-chest").new(seed=1)
    for _ in range(5):
        state = state.clone().apply(0)
    assert not state.native and state.rollouts(1, cap=3) == [None]


def test_without_a_native_machine_the_reference_machine_plays_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_engine, "library_for", lambda *_: Unavailable("there is no compiler"))
    game = load_once("war-chest")
    state = game.new(seed=1)
    assert state.play_natively() == "there is no compiler" and not state.native
    assert state.apply(0) == game.new(seed=1).apply(0)


def test_states_without_native_room_are_held_by_the_reference_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    native, reference = played("war-chest", "Random armies", 8, 10)
    other = native.clone()
    monkeypatch.setattr(native_engine.NativeEngine, "take", lambda *_: False)
    assert native.decision is not None
    option = native.decision.options[0]
    native.apply(option)
    reference.apply(0)
    assert not native.native
    same(native, reference)
    monkeypatch.undo()
    other.apply(0)
    assert other.native and other == native
    same(other, reference)


def test_the_machine_itself_gives_up() -> None:
    """A state is unchanged when the native machine really gives up."""
    native, reference = played("war-chest", "Random armies", 8, 10)
    bench = native._engine.moment.bench
    taken, times = bench._code.game_choose, iter((True,))

    def lost(*given: Any) -> int:
        found = int(taken(*given))
        return Standing.LOST if next(times, False) else found

    class Code:
        def __getattr__(self, name: str) -> Any:
            return lost if name == "game_choose" else getattr(bench.library.code, name)

    bench._code = Code()  # type: ignore[assignment]
    try:
        native.apply(0)
    finally:
        bench._code = bench.library.code
    assert not native.native
    same(native, reference.apply(0))


def test_rules_without_an_end_end_in_the_same_error(
    further_game: warchest.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_engine, "library_for", checked_for)
    lower_budgets(monkeypatch)
    game = further_game
    armies = {"raven": ["Gong", "Scout", "Pikeman", "Knight"], "wolf": ["Archer", "Cavalry", "Lancer", "Ensign"]}
    raised = 0
    for seed in range(4):
        native, reference = (game.new(seed=seed, armies=armies) for _ in range(2))
        native.play_natively()
        rng = Random(seed)
        for _ in range(100):
            if reference.decision is None:
                break
            option, found = reference.decision.draw(rng), list[str]()
            for state in (native, reference):
                try:
                    state.apply(option)
                except warchest.EndlessError as error:
                    found.append(str(error))
            same(native, reference, QUICK)
            if found:
                assert len(found) == 2 and found[0] == found[1] and not native.native
                same(native, reference, ("log", "decision"))
                raised += 1
                break
    assert raised


def test_positions_and_pending_work_go_natively_as_soon_as_they_can() -> None:
    beginning, _ = native_for("war-chest", "Random armies")
    game, rng = beginning.variant.origin, Random(1)
    state = beginning.begin(9)
    for _ in range(40):
        native, reference = game.position(state.position()), game.position(state.position())
        assert native.play_natively() == ""
        assert native.native == ("pending" not in state.position())
        for _ in range(6):
            same(native, reference, QUICK)
            if native.decision is None:
                break
            number = rng.randrange(native.decision.count)
            native.apply(number)
            reference.apply(number)
        same(native, reference, ("log", "position", "decision"))
        assert state.decision is not None
        state.apply(state.decision.sample(rng))


def test_tasks_of_the_reference_machine_alone_are_passed_to_it() -> None:
    native, reference = played("war-chest", "Random armies", 5, 15)
    for state in (native, reference):
        state.thorough = True
    assert not native.native
    same(native, reference)
    native.apply(0)
    reference.apply(0)
    assert not native.native
    for state in (native, reference):
        state.thorough = False
        state.apply(0)
    assert native.native
    same(native, reference)
    counts = Counts(), Counts()
    native.count(counts[0])
    reference.count(counts[1])
    assert not native.native
    same(native.apply(0), reference.apply(0))
    done = [{span: one.done for span, one in some.by_clause.items() if one.done} for some in counts]
    assert done[0] == done[1] and done[0]


def test_giving_up_natively() -> None:
    for name, setup in (SETUPS[0], SETUPS[3]):
        native, reference = played(name, setup, 5, 15)
        player = native.variant.naming.players[0]
        told = []
        for state in (native, reference):
            try:
                state.give_up(player)
                told.append("")
            except warchest.OptionError as error:
                told.append(str(error))
        assert told[0] == told[1]
        same(native, reference)


def test_the_log_of_silent_steps_is_left_out() -> None:
    native, reference = both("war-chest", "Random armies", 11)
    for number in range(60):
        silent = number % 20 in range(5, 12)
        native.silent = reference.silent = silent
        assert native.decision is not None
        chosen = native.decision.count // 2
        native.apply(chosen)
        reference.apply(chosen)
        if number % 9 == 0:
            same(native, reference, ("log", "silent", "history"))
    same(native, reference)


def test_there_is_room_for_as_much_as_the_machine_finds() -> None:
    assert f"LONGEST = {compiled.LONGEST} " in runtime("machine.h")
    assert f"MOST_OPTIONS = 1 << {compiled.MOST_OPTIONS.bit_length() - 1} " in runtime("machine.c")
    head = re.search(r"enum \{ (KEPT_[^}]*) \}", runtime("held.c"))
    assert head is not None and head[1].split(", ").index("KEPT_HEAD") == compiled.MOMENT


def test_the_page_about_searching_says_how(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "guides" / "search.md").read_text(encoding="utf-8")
    searching, counting = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    here: dict[str, Any] = {}
    exec(searching, here)
    assert capsys.readouterr().out.startswith("natively\n")
    assert here["state"] == here["game"].new(seed=7) and here["state"].native and here["most"] > 0
    exec(counting, here)
    told = capsys.readouterr().out.splitlines()
    assert here["state"].native and 0 < len(told) < len(here["counts"].by_clause)


def test_threads_take_turns() -> None:
    beginning, _ = native_for("war-chest", "Random armies")
    first = beginning.begin(1)
    first.play_natively()

    def game(seed: int) -> State:
        state, rng = first.clone(), Random(seed)
        for _ in range(80):
            if state.decision is None:
                break
            state.apply(state.decision.draw(rng))
        return state

    one_by_one = [game(seed) for seed in range(4)]
    together: dict[int, State] = {}
    threads = [Thread(target=lambda seed=seed: together.update({seed: game(seed)})) for seed in range(4)]  # type: ignore[misc]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[seed] for seed in range(4)] == one_by_one


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_hidden_things_are_dealt_again_natively(name: str) -> None:
    native, reference = played(name, SETUPS[0][1] if name == "war-chest" else SETUPS[3][1], 7, 40)
    for player in native.board.players:
        mine, other = native.determinize(player, Random(2)), reference.determinize(player, Random(2))
        assert mine.native and not other.native and mine == other
        assert mine.view(player) == native.view(player)
        for _ in range(20):
            if mine.decision is None:
                break
            mine.apply(0)
            other.apply(0)
        assert mine == other
    assert native == reference


def test_lines_of_the_log_are_worded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = both("war-chest", "Random armies", 5)
    for _ in range(30):
        assert state.decision is not None
        state.apply(state.decision.count - 1)
    read, entries = list[int](), LogWriter.entries
    monkeypatch.setattr(LogWriter, "entries", lambda self, events: (read.append(len(events)), entries(self, events))[1])
    whole = state.log_for("wolf")
    mark, told = state.mark(), sum(read)
    assert state.native and told > 60
    for _ in range(3):
        del read[:]
        assert state.log_for("wolf") == state.clone().log_for("wolf") == whole and sum(read) == 0
        assert state.apply(0).log_for("wolf")[: len(whole)] == whole and 0 < sum(read) < told / 2
        state.undo(mark)
