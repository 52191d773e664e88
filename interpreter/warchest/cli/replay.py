"""Steps through a replay: the choice, the log and the board at each step."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.cli.show import print_picture
from warchest.streams import ask, console, is_terminal, say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.game.state import State
    from warchest.replay import Replay

NAME = "replay"
HELP = "step through a game that was saved"

_KEYS = "Enter: on, b: back, a number: to that step, q: leave"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", metavar="FILE", help="the replay")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--step", action="store_true", help="wait after each step, as at a terminal")
    how.add_argument("--short", action="store_true", help="only list what was chosen, and show the board at the end")
    parser.add_argument("--at", type=common.whole_number(0), metavar="N", help="show what stands after N steps")
    parser.add_argument("--viewer", metavar="PLAYER", help="show only what this player may see")
    common.add_common(parser, None, "the one that the replay names")


def run(args: argparse.Namespace) -> int:
    """Step through it; exit code 1 if it no longer fits the cards."""
    from warchest.replay import Misfit, Unreadable, changed, load

    try:
        replay = load(args.file)
    except Unreadable as error:
        raise common.UsageError(str(error)) from None
    game = common.game_of(replay, args, args.file)
    if args.at is not None and args.at > len(replay.taken):
        raise common.UsageError(f"--at: the replay has {len(replay.taken)} steps")
    differences = changed(replay.cards, game)
    if differences:
        common.note(f"the cards are not those of the replay: {'; '.join(differences)}")
    try:
        return _run(game, replay, args)
    except Misfit as error:
        say_lines(str(error), error=True)
        return common.FINDINGS


def _run(game: Game, replay: Replay, args: argparse.Namespace) -> int:
    from warchest.replay import begin

    if args.viewer is not None:
        begin(game, replay, args.file).variant.player_number(args.viewer)
    if args.format == "json":
        return _json(game, replay, args)
    if args.step or (args.at is None and not args.short and _attended()):
        return _by_hand(game, replay, args)
    if args.at is not None:
        _show(game, replay, args, args.at)
        return common.FINE
    return _short(game, replay, args) if args.short else _whole(game, replay, args)


def _attended() -> bool:
    """Whether somebody reads the output and can type the next wish."""
    return sys.stdin is not None and sys.stdin.isatty() and is_terminal()


def _label(replay: Replay, number: int, said: str) -> str:
    return f"step {number} of {len(replay.taken)}: {said}" if number else "the start"


def _whole(game: Game, replay: Replay, args: argparse.Namespace) -> int:
    """Show the log and the board at each step."""
    from warchest.replay import begin, steps

    state, told = begin(game, replay, args.file), 0
    for number, said in steps(state, replay, args.file):
        log = _log(state, args.viewer)
        if number:
            say()
        _print_step(game, replay, args, state, number, said, log[told:])
        told = len(log)
    return common.FINE


def _short(game: Game, replay: Replay, args: argparse.Namespace) -> int:
    """List the choices, and show the board at the end."""
    from warchest.replay import begin, steps

    state = begin(game, replay, args.file)
    width = len(str(len(replay.taken)))
    for number, said in steps(state, replay, args.file):
        if number and args.viewer is None:
            say(f"{number:>{width}}  {said}")
    if args.viewer is not None:
        say_lines("\n".join(_log(state, args.viewer)))
    say()
    print_picture(game, state, args.viewer)
    return common.FINE


def _at(
    game: Game, replay: Replay, path: str, number: int, viewer: str | None
) -> tuple[State, list[str], list[str]]:
    """Return the state after so many steps, the words of each, and the lines that the last of them added to the log."""
    from warchest.replay import begin, steps

    state = begin(game, replay, path)
    seen, labels = 0, []
    for taken, said in steps(state, replay, path):
        labels.append(said)
        if taken == number - 1:
            seen = len(_log(state, viewer))
        if taken == number < len(replay.taken):
            break
    return state, labels, _log(state, viewer)[seen:]


def _log(state: State, viewer: str | None) -> list[str]:
    return state.log if viewer is None else state.log_for(viewer)


def _show(game: Game, replay: Replay, args: argparse.Namespace, number: int) -> None:
    state, labels, log = _at(game, replay, args.file, number, args.viewer)
    _print_step(game, replay, args, state, number, labels[-1], log)


def _print_step(
    game: Game, replay: Replay, args: argparse.Namespace, state: State, number: int, said: str, log: Sequence[str]
) -> None:
    """Print the choice of a step, the lines that it added to the log, and the board behind it."""
    out = console()
    if args.viewer is None:
        out.print(_label(replay, number, said), style="bold")
    else:
        out.print(f"step {number} of {len(replay.taken)}", style="bold")
    for line in log:
        out.print(f"  {line}")
    out.print()
    print_picture(game, state, args.viewer)


def _by_hand(game: Game, replay: Replay, args: argparse.Namespace) -> int:
    """Show a step, and wait for the next wish."""
    number = args.at or 0
    while True:
        _show(game, replay, args, number)
        try:
            say()
            wish = ask(f"[{number}/{len(replay.taken)}] {_KEYS} > ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            say()
            return common.FINE
        if wish in ("q", "quit", "exit"):
            return common.FINE
        if wish in ("", "n", "next"):
            if number == len(replay.taken):
                return common.FINE
            number += 1
        elif wish in ("b", "back"):
            number = max(number - 1, 0)
        elif wish.isascii() and wish.isdigit() and int(wish[:9]) <= len(replay.taken):
            number = int(wish)
        else:
            say(f"{wish!r} is not known here; {_KEYS}")


def _json(game: Game, replay: Replay, args: argparse.Namespace) -> int:
    number = len(replay.taken) if args.at is None else args.at
    state, labels, log = _at(game, replay, args.file, number, args.viewer)
    if args.at is None:
        log = _log(state, args.viewer)
    result: dict[str, Any] = {"game": replay.game, "options": replay.options, "outcome": replay.outcome}
    if args.at is not None:
        result["step"] = args.at
    if args.viewer is None:
        taken = zip(replay.taken, labels[1:], strict=False)
        result["steps"] = [{"by": step.by, "label": said, "option": step.option} for step, said in taken]
    result["log"] = log
    result["position"] = state.position() if args.viewer is None else state.view(args.viewer)
    common.print_json(result)
    return common.FINE
