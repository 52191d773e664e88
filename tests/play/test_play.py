"""A person at the terminal: all possible input, and no traceback."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import warchest
from copied import Copy
from loaded import shipped
from warchest.cli.main import main
from warchest.game.native_engine import native_machine
from warchest.native.c_compiler import Unavailable
from warchest.picture.menu import matching, menu
from warchest.picture.terminal import rendered
from warchest.replay import load

pytestmark = pytest.mark.usefixtures("loads_once")

Play = Callable[..., str]
GAME = shipped()


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Play with some lines typed and then the end of input; return the output."""
    monkeypatch.chdir(tmp_path)

    def run(lines: Iterable[str | type[BaseException]], *arguments: str, code: int = 0, usual_bot: bool = False) -> str:
        waiting = iter(lines)

        def answer(_: str) -> str:
            line = next(waiting, EOFError)
            if isinstance(line, str):
                return line
            raise line

        monkeypatch.setattr("builtins.input", answer)
        # The bot that is usual thinks long.
        bot = () if usual_bot or "--bot" in arguments else ("--bot", "random")
        assert main(["play", *bot, *arguments]) == code
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        return shown.out + shown.err

    return run


def test_an_option_is_taken_by_number_or_by_words(play: Play) -> None:
    play(["1", "deploy lancer"], "--seed", "7", "--bot", "random", "--save", "a.json")
    assert [dict(step.option)["act"] for step in load("a.json").taken if step.by == "raven"][:1] == ["claim"]
    out = play(["recruit", "coin lancer, to h1"], "--seed", "7", "--bot", "random", "--save", "b.json")
    assert "Which of these 12?" in out
    assert load("b.json").taken[-1].by != "raven"
    mine = [step.option for step in load("b.json").taken if step.by == "raven"]
    assert mine == [{"act": "deploy", "coin": "Lancer", "to": "h1"}]


def test_input_that_fits_no_option_is_reported(play: Play) -> None:
    out = play(["99", "0", "dance", ""], "--seed", "7")
    assert out.count("There are the numbers 1 to 22.") == 2
    assert "Nothing on offer fits 'dance'" in out


def test_why_not_confirms_offered_options(play: Play) -> None:
    out = play(["why not deploy Lancer h1", "why not coin Lancer, to h1", "why not recruit dance"], "--seed", "7")
    assert out.count("It is on offer.") == 2 and out.count("coin Lancer, to h1") >= 3
    assert "options say no" in out or "the role of" in out


def test_undone_steps_are_no_news(play: Play) -> None:
    out = play(["2", "undo", "c"], "--seed", "7")
    assert (
        "deploys" not in out.rpartition("Back to your last decision.")[2] and "The question: raven, play a coin" in out
    )
    assert "to nowhere" not in out.rpartition("The question: ")[2]


def test_an_open_coin_is_named_beside_a_hidden_one(play: Play) -> None:
    out = play(["1", "2", "1", "1", "log"], "--seed", "7", "--sets", "all")
    assert re.search(r"wolf recruits a \w+ coin with a hidden coin", out)


def test_remarks_are_printed_with_the_seats(play: Play) -> None:
    openly, chooses = "Whatever teammates tell each other they tell openly", "chooses a faction"
    two, four = play([], "--seed", "7"), play([], "--seed", "7", "--players", "4")
    assert chooses in two and "`--as`" in two and openly not in two
    assert chooses in four and openly in four
    taken = play([], "--seed", "7", "--players", "4", "--as", "wolf2", "--save", "a.json")
    assert chooses not in taken and openly in taken
    assert chooses not in play([], "--resume", "a.json")
    wrong = play([], "--as", "wofl", code=2)
    assert "there are: raven, wolf. Each player chooses a faction" in wrong
    wrong = play([], "--as", "wofl", "--game", "unigames", code=2)
    assert "there are: P1, P2. The players agree on who goes first" in wrong


def test_undo_goes_back_to_the_last_decision(play: Play) -> None:
    out = play(["undo", "1", "1", "undo", "undo", "undo"], "--seed", "7", "--save", "a.json")
    assert out.count("Back to your last decision.") == 2
    assert out.count("There is nothing to go back to.") == 2
    assert [step for step in load("a.json").taken if step.by == "raven"] == []


def test_a_game_can_be_left_and_resumed(play: Play) -> None:
    out = play(["1"], "--seed", "7")
    assert "saved to war-chest-7.json" in out and "--resume war-chest-7.json" in out
    before = load("war-chest-7.json")
    play([], "--resume", "war-chest-7.json")
    assert load("war-chest-7.json") == before
    out = play(["undo"], "--resume", "war-chest-7.json", "--save", "new.json")
    assert "Back to your last decision." in out
    assert len(load("new.json").taken) < len(before.taken)


def test_a_saved_game_is_not_overwritten_by_another(play: Play) -> None:
    play([], "--seed", "7")
    assert "war-chest-7-2.json" in play([], "--seed", "7")


@pytest.mark.parametrize("stop", [EOFError, KeyboardInterrupt])
def test_an_interrupted_game_is_saved(play: Play, stop: type[BaseException]) -> None:
    assert "saved to mine.json" in play(["1", stop], "--seed", "7", "--save", "mine.json")
    assert load("mine.json").taken


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_game_that_a_signal_ends_is_saved(tmp_path: Path, name: str) -> None:
    number = getattr(signal, name)
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("whoever runs the tests has it ignored, as `nohup` does, and a game keeps to that")

    def played() -> int:
        os.chdir(tmp_path)
        sys.stdout.reconfigure(write_through=True)  # type: ignore[union-attr]
        return main(["play", "--seed", "7", "--bot", "random", "--save", "mine.json"])

    with Copy(played) as copy:
        os.write(copy.stdin, b"1\n")
        shown = b""
        while b"\n" not in shown.partition(b"raven > ")[2]:
            shown += os.read(copy.stdout, 65536)
        os.kill(copy.pid, number)
        assert copy.wait() == 128 + number
        assert b"saved to mine.json" in copy.rest(copy.stderr)
    assert load(tmp_path / "mine.json").taken


def test_abandoning_does_not_save(play: Play) -> None:
    play(["abandon"], "--seed", "7", "--save", "mine.json")
    assert not Path("mine.json").exists()


def test_a_file_that_cannot_be_written_is_no_traceback(play: Play) -> None:
    out = play(["1", "save none/such.json", "quit"], "--seed", "7")
    assert "could not be saved to none/such.json" in out and "saved to war-chest-7.json" in out
    assert load("war-chest-7.json").taken


def test_a_game_is_saved_elsewhere_if_need_be(play: Play) -> None:
    out = play(["1", KeyboardInterrupt], "--seed", "7", "--save", "none/such.json")
    assert "could not be saved to none/such.json" in out and load("war-chest-7.json").taken


def test_no_other_file_is_written_over(play: Play) -> None:
    card = Path("card.yaml")
    card.write_text("unit: Halberdier\n", encoding="utf-8")
    assert "no saved game" in play(["save card.yaml", "quit"], "--seed", "7")
    assert "no saved game" in play([], "--seed", "7", "--save", "card.yaml", code=2)
    assert card.read_text(encoding="utf-8") == "unit: Halberdier\n"
    assert "saved to war-chest-7.json" in play(["quit"], "--seed", "7", "--save", "war-chest-7.json")


def test_the_command_to_go_on_is_complete(play: Play) -> None:
    Path("my cards").mkdir()
    Path("my cards/card.yaml").write_text("unit: Halberdier\ncoins: 4\nsource: x\n", encoding="utf-8")
    out = play(["quit"], "--seed", "7", "--cards", "my cards", "--bot", "random", "--save", "mine.json")
    words = "warchest play --as raven --cards 'my cards' --bot random --resume mine.json"
    assert f"go on: {words}" in out
    assert "saved to mine.json" in play(["quit"], *shlex.split(words)[2:])


def test_questions_at_the_table_are_answered(play: Play) -> None:
    out = play(["help", "board", "options", "log", "show archer", "show archr", "show", "why", "quit"], "--seed", "7")
    for words in ("a number ", "Archer   unit", "did you mean `Archer`?", "rulings (", "Say what"):
        assert words in out
    assert out.count("War Chest   To act") == 2


def test_why_not_is_answered(play: Play) -> None:
    out = play(["why not attack", "why not fly to the moon"], "--seed", "7")
    assert "fault of the program" not in out


def test_why_not_reads_words_without_signs(play: Play) -> None:
    out = play(["why not move to z9", "why not deploy lancer to f4", "why not deploy x"], "--seed", "7")
    assert "there is no space 'z9' on the board" in out and "there is no act" not in out
    assert "the role of 'x' is unclear; add the word that precedes it in options" in out


def test_the_table_shows_no_hidden_draws(play: Play) -> None:
    """The draws of the other player are not visible, also not in the log."""
    brought = {"raven": ["Archer", "Scout", "Pikeman", "Ensign"], "wolf": ["Knight", "Lancer", "Cavalry", "Marshall"]}
    armies = [word for player, names in brought.items() for word in ("--armies", f"{player}={','.join(names)}")]
    out = play(["log"], "--seed", "3", "--bot", "random", *armies)
    state = load("war-chest-3.json")
    assert state.start.armies == brought
    drawn = [step.option for step in state.taken if step.by is None and step.option.get("player") == "wolf"]
    assert drawn
    assert not any("player wolf, coin" in line for line in out.split("\n"))


def test_another_player_can_be_played(play: Play) -> None:
    out = play([], "--as", "wolf", "--seed", "7", usual_bot=True)
    assert "You are wolf; raven: the greedy bot." in out


def test_a_bot_that_searches_plays_without_a_compiler(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says so, at the beginning; with other bots no line does."""
    monkeypatch.setattr("warchest.game.native_engine.library_for", lambda *_, **__: Unavailable("there is no compiler"))
    native_machine.cache_clear()
    Path("p.yaml").write_text(
        "to_act: raven\nhand: {raven: [Archer, Archer, Archer], wolf: [Knight, Knight, Royal Coin]}\n"
    )
    out = play(["1", "1"], "--position", "p.yaml", "--seed", "7", "--bot", "mcts:1")
    assert "raven; wolf: the mcts:1 bot." in out
    assert out.count("the reference machine plays: there is no compiler\n") == 1
    assert "no compiler" not in play(["1"], "--position", "p.yaml", "--seed", "7", "--bot", "beginner")
    native_machine.cache_clear()


def test_a_bot_thinks_natively_where_a_machine_is_there_and_takes_the_same(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[warchest.State] = []
    monkeypatch.setattr(warchest.State, "play_natively", lambda state: held.append(state) or "")
    files = []
    for there in (False, True):
        monkeypatch.setattr("warchest.game.native_engine.is_made", lambda variant, there=there: there)
        play(["1", "1", "1"], "--seed", "4", "--save", f"{there}.json", usual_bot=True)
        files.append(load(f"{there}.json").taken)
        assert bool(held) == there
    assert files[0] == files[1] and len(files[0]) > 6


def test_a_whole_game_ends_with_its_outcome(play: Play) -> None:
    """A player who always takes the first option loses to the greedy bot."""
    out = play(["1"] * 1000, "--seed", "4", "--save", "done.json", usual_bot=True)
    assert "The game is over: wolf has won." in out
    assert load("done.json").outcome == {"winners": ["wolf"], "reason": "wolf has won"}


def test_a_position_can_be_played_on(play: Play) -> None:
    Path("p.yaml").write_text(
        "to_act: raven\ninitiative: raven\nhand: {raven: [Archer], wolf: [Knight]}\n"
        "control: {raven: [e2, h1, d4, g3, i2], wolf: [g6]}\nunits: [{at: h4, unit: Archer, owner: raven}]\n"
    )
    out = play(["control"], "--position", "p.yaml", "--seed", "1", "--save", "won.json")
    assert "The game is over: raven has won." in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--as", "fox"],
        ["--armies", "raven"],
        ["--armies", "raven=Nobody"],
        ["--setup", "None"],
        ["--seed", "x"],
        ["--option", "royal_guard=blue"],
        ["--resume", "none.json"],
        ["--position", "none.yaml"],
        ["--bot", "god"],
        ["--format", "json"],
    ],
    ids=" ".join,
)
def test_wrong_arguments_are_refused(play: Play, arguments: list[str]) -> None:
    assert play([], *arguments, code=2)


def test_resuming_takes_no_other_beginning(play: Play) -> None:
    play([], "--seed", "7", "--save", "a.json")
    assert "there is no --seed with it" in play([], "--resume", "a.json", "--seed", "8", code=2)


def test_plain_pipes_and_no_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    with Copy(lambda: main(["play", "--seed", "7"])) as done:
        os.write(done.stdin, b"1\n")
        done.close(done.stdin)
        shown = done.rest(done.stdout)
        assert done.wait() == 0 and shown and b"\x1b" not in shown
    assert (tmp_path / "war-chest-7.json").exists()


# ---- the menu


def first_decision() -> warchest.Decision:
    state = GAME.position(
        {
            "to_act": "raven",
            "hand": {"raven": ["Archer", "Royal Coin"], "wolf": ["Knight"]},
            "supply": {"raven": ["Archer"]},
            "control": {"raven": ["e2", "h1"]},
        }
    )
    assert state.decision is not None
    return state.decision


def test_the_menu_numbers_every_option_once_and_groups_them() -> None:
    decision = first_decision()
    shown = rendered(menu(decision, 80))
    numbers = [int(word) for word in shown.split() if word.isdigit()]
    assert sorted(numbers) == list(range(1, len(decision.options) + 1))
    acts = [line.strip() for line in shown.split("\n") if line.startswith("  ") and not line.startswith("   ")]
    assert sorted(acts) == sorted({option.data["act"] for option in decision.options})


def test_every_label_finds_its_option() -> None:
    decision = first_decision()
    for number, option in enumerate(decision.options):
        assert matching(decision, option.label) == [number]
        assert matching(decision, option.label.upper()) == [number]


def test_words_in_any_order_find_options() -> None:
    decision = first_decision()
    (number,) = matching(decision, "h1 deploy")
    assert decision.options[number].label == "deploy: coin Archer, to h1"
    assert matching(decision, "xyzzy") == []


# ---- paths of steps


SQUARES = """\
turn: P1
actions_left: 2
figures:
  - {name: Dwarf Spear, at: d4, owner: P1, controller: P1, facing: n}
  - {name: Dwarf Elder, at: b5, owner: P1, controller: P1, facing: n}
  - {name: Kotharian Shield, at: d7, owner: P2, controller: P2, facing: s}
chests: {P1: a1, P2: h8}
"""


def walked(play: Play, *lines: str, squares: str = SQUARES) -> tuple[str, list[dict[str, object]]]:
    """Play some lines at the position above, or another; return the output and the taken options."""
    Path("p.yaml").write_text(squares, encoding="utf-8")
    out = play(lines, "--game", "unigames", "--position", "p.yaml", "--seed", "1", "--save", "a.json")
    return out, [dict(step.option) for step in load("a.json").taken]


def test_a_path_takes_one_step_after_the_other(play: Play) -> None:
    out, taken = walked(play, "d4 F R F", "Elder f")
    assert [(one["act"], one["to"]) for one in taken] == [("step", "d5"), ("turn", "e"), ("step", "e5"), ("step", "b6")]
    assert "stops" not in out and "P1: the Dwarf Spear on d5 moves to e5" in out


def test_a_path_stops_where_a_step_is_not_on_offer(play: Play) -> None:
    out, taken = walked(play, "spear F L R F F", "spear F")
    assert [one["act"] for one in taken] == ["step", "turn", "turn"]
    assert "The path stops before `F F`: the act that it was part of is over." in out
    assert "The path stops before `F`: `F` is not on offer to spear." in out


def test_why_not_follows_a_path(play: Play) -> None:
    out, taken = walked(play, "why not d4 F R F", "why not d4 F B", "why not d4 F Z", "d4 F Z")
    said = " ".join(out.split())
    assert not taken and "It is on offer." in said
    assert "The path stops before `B`: `B` is not on offer to Dwarf Spear." in said
    assert "in the facing of the figure" in said and "no act" not in said
    assert said.count("`Z` is no step; the steps are F F- F! ") == 2


@pytest.mark.parametrize(
    ("name", "path", "acts"),
    [
        ("Hykolaran Glider", "d4 F F^ F", ["step", "step", "overfly", "step"]),
        ("Hykolaran Glider", "d4 F^ F^", ["step", "step", "overfly"]),
        ("Bandit Enforcer", "d4 F F*", ["step", "step", "become repelling"]),
        ("Bandit Enforcer", "d4 L F*", ["turn", "step", "assail", "become repelling"]),
        ("Bandit Enforcer", "d4 L F F", ["turn", "step", "decline", "step"]),
    ],
)
def test_a_path_may_state_its_way_past_others(play: Play, name: str, path: str, acts: list[str]) -> None:
    squares = SQUARES.replace("Dwarf Spear", name).replace("at: b5", "at: c4").replace("at: d7", "at: d6")
    _, taken = walked(play, path, squares=squares)
    assert [one["act"] for one in taken][: len(acts)] == acts


def test_a_path_of_several_must_say_whose_it_is(play: Play) -> None:
    out, taken = walked(play, "F F")
    assert not taken
    assert "`F` is possible for Dwarf Elder b5, Dwarf Spear d4; name one, such as `b5 F F`." in " ".join(out.split())


def test_undo_goes_back_before_the_whole_path(play: Play) -> None:
    out, taken = walked(play, "d4 F R", "undo")
    assert not taken and "Back to your last decision." in out


def test_words_that_are_no_path_are_words_of_labels(play: Play) -> None:
    out, taken = walked(play, "zebra b", "help")
    assert not taken and "Nothing on offer fits 'zebra b'" in out
    assert "a path             signs of steps, each an option as long as it is on offer: F " in out
    assert "a path " not in play(["help"], "--seed", "7")


def test_news_contain_only_facts_of_positions(play: Play) -> None:
    out, _ = walked(play, "d4 F R F")
    assert "the Dwarf Spear on d5 moves to e5" in out
    assert "vigor" not in out and "remember" not in out


def test_very_many_options_are_summarised(play: Play) -> None:
    out = play(["dwarf spear", "dwarf spear a1 n"], "--game", "unigames", "--seed", "1", "--save", "a.json")
    assert "256 ways, by words for:" in out and "profile Dwarf Drummer, Dwarf Elder, Dwarf Spear, Dwarf Stalker" in out
    assert "Which of these 64?" in out and "profile Dwarf Spear, to a1, direction n" in out
    assert load("a.json").taken[0].option == {"act": "station", "profile": "Dwarf Spear", "to": "a1", "direction": "n"}


def test_offers_not_in_a_path_are_declined(play: Play) -> None:
    """A figure that passes an ally may attack it, and does not."""
    Path("p.yaml").write_text(SQUARES.replace("at: b5", "at: d5"), encoding="utf-8")
    out = play(["d4 F F"], "--game", "unigames", "--position", "p.yaml", "--seed", "1", "--save", "a.json")
    assert "stops" not in out and "P1: the Dwarf Spear on d5 moves to d6" in out
    assert [step.option.get("to") for step in load("a.json").taken] in (["d5", None, "d6"], ["d5", "d6"])


TOLL = """\
to_act: {mover}
initiative: raven
units:
  - {{at: f4, unit: Gong, owner: {mover}}}
hand: {{raven: [{raven}], wolf: [{wolf}]}}
"""


@pytest.fixture
def toll(tmp_path: Path, gong: str) -> Callable[[str], tuple[str, ...]]:
    """Write a unit that is endless once it has moved, and a position; return the arguments for both."""

    def write(mover: str) -> tuple[str, ...]:
        (tmp_path / "cards").mkdir()
        (tmp_path / "cards" / "gong.yaml").write_text(gong, encoding="utf-8")
        place = tmp_path / "toll.yaml"
        coins = {"raven": "Royal Coin", "wolf": "Royal Coin", mover: "Gong"}
        place.write_text(TOLL.format(mover=mover, **coins), encoding="utf-8")
        return "--cards", str(tmp_path / "cards"), "--position", str(place)

    return write


def test_an_endless_option_is_undone_and_the_game_continues(play: Play, toll: Callable[[str], tuple[str, ...]]) -> None:
    shown = play(["move to f5", "pass", "quit"], *toll("raven"), "--save", "toll.json")
    assert "That is not done, because the rules do not terminate" in shown
    assert "until this is bolstered, do nothing" in shown and "Take something else." in shown
    taken = load(Path("toll.json")).taken
    assert [step.option["act"] for step in taken if step.by == "raven"][:1] == ["pass"]


def test_a_game_that_a_bot_makes_endless_is_saved(
    play: Play, toll: Callable[[str], tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def move(bot: object, state: warchest.State, rng: object) -> warchest.Option:
        assert state.decision is not None
        return next(one for one in state.decision.options if one.data["act"] == "move")

    monkeypatch.setattr("warchest.bots.simple.Uniform.choose", move)
    arguments = ("--as", "wolf", "--bot", "random", "--save", "toll.json")
    shown = play([], *toll("raven"), *arguments, code=1)
    assert "The game cannot go on: the rules do not terminate" in shown and "saved to toll.json" in shown
    assert not load(Path("toll.json")).taken
