"""Whole games that are played natively are those of the reference machine, and `warchest sim` prints the same."""

from __future__ import annotations

import json
import os
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from threading import Timer
from time import perf_counter
from typing import Any

import pytest
from edges import seated as seated_by
from lockstep_support import checked_for, library_for, native_for

from budgets import lower_budgets
from loaded import load_once
from warchest.bots import bot_named
from warchest.bots.bot import played
from warchest.bots.greedy import Greedy
from warchest.bots.seated import seated
from warchest.cli.main import main
from warchest.game.decision import DRAWS, mark_of
from warchest.game.native_engine import made_of, native_machine
from warchest.game.native_games import put
from warchest.game.valuation import Valuation, Weight
from warchest.native.c_compiler import Unavailable
from warchest.native.compiled import ContestNumber, ContestRows, NativeTable, PlayCourse, Standing
from warchest.native.shared_game import Bench, Moment
from warchest.picture.style import style_of
from warchest.testing.bot_games import BotTable, GameLimit
from warchest.testing.table_speed import TableSpeed, table_speed

PLAYED = [
    ("war-chest", "Random armies", ["policy-c", "random"], 3, (1000, None)),
    ("war-chest", "Draft", ["policy-c"], 2, (120, None)),
    ("war-chest", "Gaugamela", ["policy-c"], 2, (200, 25)),
    ("war-chest", "Four players random", ["policy-c"], 1, (200, None)),
    ("war-chest", "Four players draft", ["random"], 1, (150, None)),
    ("unigames", "Alternate reveal", ["policy-c"], 2, (90, 12)),
    ("unigames", "Conjurers", ["policy-c", "random"], 2, (60, None)),
    ("war-chest", "Random armies", ["greedy", "beginner", "random"], 2, (24, None)),
    ("war-chest", "Draft", ["greedy"], 1, (16, None)),
    ("war-chest", "Four players random", ["greedy", "random"], 1, (16, None)),
    ("unigames", "Conjurers", ["greedy", "policy-c"], 1, (12, None)),
]
SMALL = Path(__file__).parent / "skirmish"
"""A game of its own, which is compiled as it is for users, in a moment; with the shipped games that takes long."""
DEEP = (1301, 1695)
SEEDS = (0, 3, 2**32 - 1, 2**32 + 5, 10**30)


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _machines_anew() -> Iterator[None]:
    """Keep the machine of one test, or the answer that there is none, away from other tests."""
    native_machine.cache_clear()
    yield
    native_machine.cache_clear()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def called(*arguments: str) -> Ran:
        code = main(list(arguments))
        told = capsys.readouterr()
        return Ran(code, told.out, told.err)

    return called


@pytest.mark.parametrize(("name", "setup", "bots", "games", "limit"), PLAYED)
def test_games_have_the_same_results(
    name: str, setup: str, bots: list[str], games: int, limit: tuple[int, int | None]
) -> None:
    beginning, library = native_for(name, setup)
    table = BotTable(load_once(name), beginning, bots)
    reference = [table.play(number, SEEDS[number], GameLimit(*limit)) for number in range(games)]
    table.natively = NativeTable(library, beginning.prepared().memory, setup)
    assert [table.play(number, SEEDS[number], GameLimit(*limit)) for number in range(games)] == reference
    assert all(one.decisions > 10 and not one.lost for one in reference)


@pytest.mark.parametrize(
    ("name", "setup", "games"),
    [("war-chest", "Random armies", 1000), ("war-chest", "Four players random", 400), ("unigames", "Conjurers", 30)],
)
def test_games_of_one_call_are_those_of_one_call_each(name: str, setup: str, games: int) -> None:
    """Whatever the game before has left in the machine, and with three bots that take two or four seats by turns."""
    beginning, library = native_for(name, setup)
    table = BotTable(load_once(name), beginning, ["policy-c", "random", "policy-c"])
    table.natively = NativeTable(library, beginning.prepared().memory, setup)
    seeds, limit = [*SEEDS, *range(games)], GameLimit(300, None)
    together = list(table.records(1, seeds, limit))
    assert together == [table.play(number, seed, limit) for number, seed in enumerate(seeds, 1)]
    assert len({one.decisions for one in together}) > 7 and len({tuple(one.bots.values()) for one in together}) == 3


@pytest.mark.usefixtures("interrupts")
def test_after_a_signal_no_further_game_is_played() -> None:
    """All games of the call that are left are given up, and say why."""
    beginning, library = native_for("war-chest", "Random armies")
    table = NativeTable(library, beginning.prepared().memory, "Random armies")
    course = PlayCourse((frozenset(),) * 2, 100_000, None, range(0))
    begun, interruption = perf_counter(), Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    interruption.start()
    with pytest.raises(KeyboardInterrupt):
        table.contests(range(100_000), course)
    assert table.game.why == "a signal has come" and perf_counter() - begun < 5


def test_a_greedy_bot_beats_chance_in_whole_games() -> None:
    """Eight games with both seats in turn; it wins them all in practice, as chance would once in 256."""
    beginning, library = native_for("war-chest", "Random armies")
    table = BotTable(load_once("war-chest"), beginning, ["greedy", "random"])
    table.natively = NativeTable(library, beginning.prepared().memory, "Random armies")
    played = [table.play(number, number, GameLimit(300, None)) for number in range(8)]
    assert [one.bots[winner] for one in played for winner in one.winners or ()] == ["greedy"] * 8


def test_recursive_choices_are_played_natively() -> None:
    """In these games choices come up again deep within themselves, and are in vain."""
    beginning, library = native_for("unigames", "Alternate reveal")
    table = BotTable(load_once("unigames"), beginning, ["random"])
    reference = [table.play(0, seed, GameLimit(400, None)) for seed in DEEP]
    table.natively = NativeTable(library, beginning.prepared().memory, "Alternate reveal")
    assert [table.play(0, seed, GameLimit(400, None)) for seed in DEEP] == reference
    assert not any(one.lost for one in reference)


def test_a_choice_within_an_answer_is_the_same_where_options_are_left_open() -> None:
    """A figure that escapes past an ally is asked whether it attacks; to decline is the only option, and holds."""
    game = load_once("unigames")
    names = {"Dancer": "b5", "Shield": "b6", "Ghoul": "c5", "Archer": "a5"}
    figures = [{"name": f"Kotharian {name}", "at": at, "owner": "P2", "facing": "n"} for name, at in names.items()]
    healer = {"name": "Dwarf Elder", "at": "d2", "owner": "P1", "facing": "n"}
    state = game.position({"turn": "P1", "chests": {"P1": "a1", "P2": "h8"}, "figures": [healer, *figures]})
    state.silent = True
    moment = Bench(native_for("unigames", "Alternate reveal")[1]).begin(partial(put, state=state))
    assert isinstance(moment, Moment)
    bots = dict.fromkeys(state.variant.naming.players, bot_named("random", game))
    for seed in range(160, 280):
        natively, reference = moment.play_on(seed, (), [*bots], 8), state.clone()
        course = played(reference, bots, Random(seed), 8)
        assert natively is not None
        assert (natively.decisions, natively.turns) == (course.decisions, reference.turn), seed


@pytest.mark.parametrize("seed", SEEDS)
def test_chance_is_that_of_python(seed: int) -> None:
    beginning, library = native_for("war-chest", "Random armies")
    table = BotTable(load_once("war-chest"), beginning, ["random"])
    reference = table.play(0, seed, GameLimit(12, None))
    table.natively = NativeTable(library, beginning.prepared().memory, "Random armies")
    assert table.play(0, seed, GameLimit(12, None)) == reference


def test_the_reference_machine_plays_games_without_native_room(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    beginning, library = native_for("war-chest", "Random armies")
    table = NativeTable(library, beginning.prepared().memory, "Random armies")
    played_natively = table.contests

    def sometimes(seeds: Sequence[int], course: PlayCourse, first: int) -> ContestRows:
        found = played_natively(seeds, course, first)
        for row in (place * found.width for place, seed in enumerate(seeds) if seed == 1):
            # As if too much had been under way.
            found.numbers[row + ContestNumber.STANDING], found.numbers[row + ContestNumber.UNFIT] = Standing.LOST, 32
        return found

    arguments = ("sim", "-n", "3", "--cap", "40", "--sets", "all", "--format", "json", "--jobs", "1")
    reference = run(*arguments, "--reference")
    monkeypatch.setattr(table, "contests", sometimes)
    monkeypatch.setattr("warchest.game.native_games.table_for", lambda _: table)
    ran = run(*arguments, "--native")
    assert ran.out == reference.out
    assert "1 game played on the reference machine, because natively too much is under way\n" in ran.err
    assert "reference machine" not in reference.err


@pytest.mark.parametrize(
    ("name", "setup"), [("war-chest", "Random armies"), ("war-chest", "Four players random"), ("unigames", "Conjurers")]
)
def test_states_are_worth_the_same(name: str, setup: str) -> None:
    beginning, library = native_for(name, setup)
    bot, bench, state = greedy(name), Bench(library), beginning.begin(2)
    valuation, rng, worths = bot.valuation(beginning.variant), Random(2), set[float]()
    assert isinstance(valuation, Valuation)
    for _ in range(120):
        moment = bench.begin(partial(put, state=state))
        assert isinstance(moment, Moment)
        for number, player in enumerate(state.variant.naming.players):
            worths.add(bot.worth(state, player))
            assert moment.worth(valuation, number) == bot.worth(state, player)
        if state.decision is None:
            break
        state.apply(state.decision.draw(rng, {"control", "step", "storm"}))
    assert len(worths) > 10


@pytest.mark.parametrize(
    ("name", "compiled"), [("war-chest", checked_for), (SMALL, library_for)], ids=["checked", "fast"]
)
def test_a_greedy_bot_chooses_the_same_on_either_machine(
    monkeypatch: pytest.MonkeyPatch, name: str | Path, compiled: Any
) -> None:
    monkeypatch.setattr("warchest.game.native_engine.library_for", compiled)
    bot, rng, state = greedy(name), Random(7), load_once(name).beginning().begin(7)
    native, chosen = state.clone(), 0
    assert native.play_natively() == ""
    for _ in range(30):
        assert state.decision is not None
        if state.decision.player is not None and state.decision.count < 12:
            assert bot.choose(native, Random(1)) == bot.choose(state, Random(1))
            chosen += 1
        option = state.decision.draw(rng)
        state.apply(option)
        native.apply(option)
    assert chosen > 3


@pytest.mark.parametrize("bots", [["policy-c", "random"], ["greedy", "beginner"]])
def test_games_have_the_same_results_when_compiled_as_for_users(bots: list[str]) -> None:
    game = load_once(SMALL)
    beginning = game.beginning()
    library = library_for(beginning.variant.program, made_of(beginning.variant))
    table, seeds = BotTable(game, beginning, bots), range(4)
    reference = [table.play(number, seed, GameLimit(120, None)) for number, seed in enumerate(seeds)]
    table.natively = NativeTable(library, beginning.prepared().memory, beginning.setup.name)
    assert [table.play(number, seed, GameLimit(120, None)) for number, seed in enumerate(seeds)] == reference
    assert all(one.decisions > 10 and not one.lost for one in reference)


def test_weights_without_a_native_count_use_the_reference_machine() -> None:
    game = load_once("unigames")
    variant = game.beginning().variant
    for weight in (
        Weight(1, pieces="figures", count="facing"),
        Weight(1, owned="links"),
        Weight(1, zone="no such"),
        Weight(1, pieces="figures", toward="figures"),
        Weight(1, pieces="chests"),
    ):
        found = Greedy([weight], style_of(game.library)).valuation(variant)
        assert isinstance(found, str) and found.endswith("cannot be counted natively")
        told = seated([Greedy([weight], style_of(game.library))], variant)
        assert told == found
    for weight in (Weight(1, zone="pools"), Weight(1, owned="chests"), Weight(2, zone="collection")):
        assert isinstance(Greedy([weight], style_of(game.library)).valuation(variant), Valuation)


def greedy(name: str | Path) -> Greedy:
    bot = bot_named("greedy", load_once(name))
    assert isinstance(bot, Greedy)
    return bot


def test_the_reason_for_the_reference_machine_is_printed_once(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.game.native_games.table_for", lambda _: Unavailable("there is no compiler"))
    for bots in ("policy-c", "greedy", "mcts:1"):
        ran = run("sim", "-n", "2", "--cap", "3", "--native", "--jobs", "1", "--bots", bots)
        assert ran.code == 0 and ran.err.count("the reference machine plays: there is no compiler") == 1, ran.err


SLOW = r"the reference machine plays: {}; that is slow: [0-9.e+]+ (s a game(, so 2 take .+)?|decisions a second)\n"
"""The line about the slow machine."""
COMMANDS = {
    "sim": ("sim", "-n", "2", "--native", "--jobs", "1"),
    "rate": ("rate", "random", "policy-c", "-n", "1", "--native", "--jobs", "1"),
    "bench": ("bench", "--seconds", "0.01", "--runs", "1", "--native"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_say_in_one_line_how_slow_the_reference_machine_is(
    run: Any, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("warchest.game.native_games.table_for", lambda _: Unavailable("there is no compiler"))
    ran = run(*COMMANDS[command], "--cap", "3")
    assert ran.code == 0 and re.match(SLOW.format("there is no compiler"), ran.err), ran.err
    assert ran.err.count("the reference machine plays") == 1


@pytest.mark.parametrize("command", COMMANDS)
def test_they_go_on_where_a_game_is_beyond_a_native_limit(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("WARCHEST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("warchest.native.size_bounds.MOST_CELLS", 100)
    (tmp_path / "game").mkdir()
    seated_by(tmp_path / "game", 7)
    ran = run(*COMMANDS[command], "--cap", "3", "--game", str(tmp_path / "game"))
    why = "the native machine has no room for this game: the memory has [0-9,]+ cells"
    assert ran.code == 0 and re.match(SLOW.format(why), ran.err), ran.err


def test_a_game_that_is_not_over_in_time_is_measured_by_its_decisions() -> None:
    told = TableSpeed(games=1, decisions=30, seconds=2.0).told(5)
    assert told == "15 decisions a second"
    assert TableSpeed(seconds=2.1).told(5) == "the first decision takes more than 2 s"
    assert TableSpeed(2, 80, 1.0, True).told(1200) == "0.5 s a game, so 1,200 take about 10 minutes of processor time"
    assert TableSpeed(1, 80, 9.0, True).told(2000).endswith(", so 2,000 take about 5.0 hours of processor time")


def test_a_measurement_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.testing.table_speed.PATIENCE", 0.05)
    game = load_once("war-chest")
    table = BotTable(game, game.beginning(), ["mcts:1000"])
    found = table_speed([table], 1, GameLimit(1000))
    assert not found.ended and found.seconds < 5 and found.told().startswith("the first decision takes more than")


def test_games_with_a_bot_that_searches_are_the_same_on_either_machine(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few as they are, their states are held natively by default."""
    _, library = native_for("war-chest", "Random armies")
    wanted = list[Any]()
    monkeypatch.setattr("warchest.game.native_engine.library_for", lambda *given: wanted.append(given) or library)
    native_machine.cache_clear()
    arguments = (
        "sim",
        "-n",
        "1",
        "--setup",
        "Random armies",
        "--sets",
        "all",
        "--cap",
        "7",
        "--bots",
        "mcts:1,beginner",
    )
    reference = run(*arguments, "--reference")
    assert not wanted
    assert run(*arguments).out == reference.out and wanted
    native_machine.cache_clear()


def test_few_games_are_played_without_a_compiler(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.game.native_games.table_for", lambda _: pytest.fail("nobody has asked for it"))
    assert run("sim", "-n", "2", "--cap", "5").code == 0


def test_a_card_that_goes_round_for_ever_ends_in_the_same_error(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, further: Path
) -> None:
    monkeypatch.setattr("warchest.game.native_engine.library_for", checked_for)
    lower_budgets(monkeypatch)
    armies = ("--armies", "raven=Gong,Scout,Pikeman,Knight", "--armies", "wolf=Archer,Cavalry,Lancer,Ensign")
    arguments = (
        "sim",
        "--cards",
        str(further),
        *armies,
        "-n",
        "4",
        "--bots",
        "random",
        "--cap",
        "100",
        "--jobs",
        "1",
        "--format",
        "json",
    )
    native, reference = run(*arguments, "--native"), run(*arguments, "--reference")
    assert native.out == reference.out
    broken = [one["endless"] for one in json.loads(native.out) if one.get("endless")]
    assert broken and all("until this is bolstered, do nothing" in one["clause"] for one in broken[:-1])
    assert "because natively the rules do not terminate" in native.err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--setup", "Draft"),
        ("--turns", "9"),
        ("--setup", "Four players random"),
        ("--bot", "greedy", "--cap", "30"),
        ("--game", str(SMALL)),
    ],
)
def test_games_are_measured_natively(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    is_small = str(SMALL) in arguments
    monkeypatch.setattr("warchest.game.native_engine.library_for", library_for if is_small else checked_for)
    monkeypatch.setattr("warchest.cli.bench.NATIVE_GAMES", 3)
    given = arguments if is_small else ("--sets", "all", *arguments)
    ran = run("bench", "--native", "--seconds", "0.01", "--runs", "1", "--format", "json", *given)
    (measured,) = json.loads(ran.out)["runs"]
    assert measured["games"] >= 3 and measured["decisions"] > measured["games"] * 9
    assert "reference" not in ran.err and "left out" not in ran.err


POSITIONS = {
    "war-chest": """\
to_act: raven
units: [{at: f4, unit: Scout, owner: raven, coins: 2}, {at: f5, unit: Knight, owner: wolf}]
control: {raven: [e2, h1], wolf: [g6, d7]}
hand: {raven: [Scout, Archer], wolf: [Royal Coin, Knight]}
bag: {raven: [Archer, Archer], wolf: [Knight]}
""",
    str(SMALL): """\
to_act: raven
units: [{at: c3, unit: Runner, owner: raven, coins: 2}, {at: c4, unit: Guard, owner: wolf}]
control: {raven: [a3, c3], wolf: [e3]}
hand: {raven: [Runner, Guard], wolf: [Chaser, Guard]}
bag: {raven: [Guard, Runner], wolf: [Chaser]}
""",
}
"""Positions in which a turn is done in many ways, by the games that they belong to."""


@pytest.mark.parametrize(
    ("name", "compiled"), [("war-chest", checked_for), (str(SMALL), library_for)], ids=["checked", "fast"]
)
def test_turn_successors_are_counted_natively(
    run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, compiled: Any
) -> None:
    monkeypatch.setattr("warchest.game.native_engine.library_for", compiled)
    (tmp_path / "position.yaml").write_text(POSITIONS[name], encoding="utf-8")
    arguments = ("perft", "--game", name, str(tmp_path / "position.yaml"), "--depth", "2")
    native, reference = run(*arguments, "--native"), run(*arguments, "--reference")
    assert native.out == reference.out and int(native.out.split()[0]) > 20
    assert "reference" not in native.err


# ---- drawing


def test_every_option_is_drawn_as_often() -> None:
    options = [(one, *rest) for one in range(5) for rest in ((), (0,), (0, 7), (1, 7))]
    rng, times = Random(1), 20_000
    drawn = Counter[tuple[int, ...]]()
    for _ in range(times):
        number = rng.randrange(DRAWS)
        drawn[max(options, key=lambda one: mark_of(number, one))] += 1
    wanted = times / len(options)
    # Chi square with 19 degrees of freedom: 43.8 is passed once in a thousand.
    assert sum((drawn[one] - wanted) ** 2 / wanted for one in options) < 43.8


def test_a_draw_does_not_depend_on_earlier_questions() -> None:
    state, rng = load_once("unigames").beginning().begin(2), Random(2)
    for _ in range(60):
        decision = state.decision
        if decision is None:
            break
        hasty = [decision.draw(Random(seed)).path.taken for seed in range(6)]
        copy = state.clone()
        copy._engine._surveyed, copy._engine._decision = True, None
        assert copy.decision is not None and len(copy.decision.options) >= len(set(hasty))
        assert [copy.decision.draw(Random(seed)).path.taken for seed in range(6)] == hasty
        state.apply(decision.sample(rng))
