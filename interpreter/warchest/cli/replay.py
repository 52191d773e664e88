"""Step through a saved game: the choice, the log and the board at each step."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.outputs import GIF, HTML, PICTURES
from warchest.cli.picture_files import add_files, check_installed, write_files, write_many, write_page
from warchest.cli.show import print_picture
from warchest.diagnostics.visible import visible
from warchest.streams import ask, console, is_attended, say, say_lines

if TYPE_CHECKING:
    from warchest.game.game import Game
    from warchest.game.state import State
    from warchest.picture import Scene
    from warchest.replay import Replay


_KEYS = "Enter: on, b: back, a number: go there, q: leave"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="the saved game")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--step", action="store_true", help="wait for Enter after each step (default at a terminal)")
    how.add_argument("--short", action="store_true", help="only list the choices, and show the board at the end")
    common.add_number(parser, "--at", least=0, help="show the position after N steps")
    parser.add_argument("--viewer", metavar="PLAYER", help="hide everything that this player may not see")
    parser.add_argument(
        "--html", type=HTML, metavar="FILE", help="write the game as a self-contained page for a browser"
    )
    add_files(parser, "the last position, or the one after --at, with its last step as arrows,")
    parser.add_argument(
        "--svg-dir",
        type=PICTURES,
        metavar="DIR",
        help="write an SVG picture of each step to a folder: `step-000.svg` is the start",
    )
    parser.add_argument(
        "--gif", type=GIF, metavar="FILE", help="write the game as an animated GIF (needs warchest[png])"
    )
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=1.0,
        metavar="S",
        help="the seconds that the GIF shows each step (default: %(default)s)",
    )
    common.add_common(parser, None, "the one that the file names")


def _seconds(text: str) -> float:
    """Return a time, which must be long enough to be seen."""
    seconds = float(text)
    if not 0.02 <= seconds <= 60:
        raise argparse.ArgumentTypeError(f"{text}: from 0.02 to 60 seconds")
    return seconds


def run(args: argparse.Namespace) -> int:
    """Step through the game; exit code 1 if it no longer fits the cards."""
    from warchest.replay import Misfit, Unreadable, changed, load

    check_installed(png=args.png, gif=args.gif)
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
    if args.html or args.svg or args.png or args.svg_dir or args.gif:
        return _pictures(game, replay, args)
    if args.format == "json":
        return _json(game, replay, args)
    if args.step or (args.at is None and not args.short and is_attended()):
        return _by_hand(game, replay, args)
    if args.at is not None:
        _show(game, replay, args, args.at)
        return common.FINE
    return _short(game, replay, args) if args.short else _whole(game, replay, args)


def _pictures(game: Game, replay: Replay, args: argparse.Namespace) -> int:
    """Write a page, the last picture, or all of them, to files."""
    if args.html:
        _write_page(game, replay, args)
    if args.svg_dir or args.gif:
        total = 1 + (len(replay.taken) if args.at is None else args.at)
        by_chance = {number for number, step in enumerate(replay.taken, 1) if step.by is None}
        write_many(_scenes(game, replay, args), total, args.svg_dir, args.gif, args.seconds, by_chance)
    if args.svg or args.png:
        [last] = deque(_scenes(game, replay, args), maxlen=1)
        write_files(last, args)
    return common.FINE


def _scenes(game: Game, replay: Replay, args: argparse.Namespace) -> Iterator[Scene]:
    """Yield the scene after each step, from the start on, with the step as arrows."""
    from warchest.picture import with_motions
    from warchest.replay.replay_moments import moments

    for [one] in moments(game, replay, [args.viewer], args.file, args.at):
        yield with_motions(one.seen, _label(replay, one.number, one.said), one.seen.motions)


def _write_page(game: Game, replay: Replay, args: argparse.Namespace) -> None:
    """Write the replay as a page; raises UsageError if it is too long for one."""
    from warchest.replay.page import PageTooLarge, replay_page

    try:
        with common.progress() as bar:
            page = replay_page(
                game,
                replay,
                args.viewer,
                args.file,
                args.at,
                counted=lambda found, total: common.counted(bar, found, total, "page"),
            )
    except PageTooLarge as error:
        raise common.UsageError(f"--html: {visible(args.file)}: {error}; --at N and --viewer PLAYER do so") from None
    write_page(page, args.html)


def _label(replay: Replay, number: int, said: str) -> str:
    if not number:
        return "the start"
    return f"step {number} of {len(replay.taken)}" + (f": {said}" if said else "")


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


def _at(game: Game, replay: Replay, path: str, number: int, viewer: str | None) -> tuple[State, list[str], list[str]]:
    """Return the state after a number of steps, the words of each step, and the log lines added by the last step."""
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
    """Print the choice of a step, the lines that it added to the log, and the board after it."""
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
    """Show one step at a time, and wait for the next command."""
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
    result: dict[str, object] = {"game": replay.game, "options": replay.options, "outcome": replay.outcome}
    if args.at is not None:
        result["step"] = args.at
    if args.viewer is None:
        taken = zip(replay.taken, labels[1:], strict=False)
        result["steps"] = [{"by": step.by, "label": said, "option": step.option} for step, said in taken]
    result["log"] = log
    result["position"] = state.position() if args.viewer is None else state.view(args.viewer)
    common.print_json(result)
    return common.FINE
