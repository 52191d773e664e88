"""The common parts of the commands: arguments, reading of positions, printing of results and of errors."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.render import text
from warchest.diagnostics.suggest import did_you_mean
from warchest.diagnostics.visible import json_text
from warchest.game.errors import CardError, OptionError, PositionError
from warchest.parallel import Results, WorkLostError, processors
from warchest.rulings.field_places import place_of
from warchest.signals import EndedBySignal, held_back
from warchest.source.carried import Carried
from warchest.source.data import pack_or_path, shipped_game
from warchest.source.file_reading import Read, decode, read_source
from warchest.source.folders import about_lost
from warchest.source.limits import MAX_BYTES
from warchest.source.nodes import Mapping as Marked
from warchest.source.nodes import Scalar
from warchest.source.text import Span
from warchest.source.yaml import parse, plain
from warchest.streams import collected, console, is_terminal, say, say_lines, wants_color

if TYPE_CHECKING:
    from rich.progress import Progress

    from warchest.game.game import Game
    from warchest.game.state import State
    from warchest.replay import Replay
    from warchest.workers.here import Workers

FINE, FINDINGS, WRONG = 0, 1, 2
USUAL_GAME = "war-chest"
STANDARD_INPUT = STANDARD_OUTPUT = "-"
PENDING = "pending"


class UsageError(Exception):
    """The command line asks for something impossible; the message explains it."""


class InputError(Carried):
    """The input cannot be used; `diagnostics` give the reasons and places."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__(text(diagnostics))
        self.diagnostics = diagnostics


# ---- arguments

AGAIN = "; may be repeated"
"""The note in the help of an argument that can be given several times."""
Arguments = argparse._ActionsContainer
"""A parser, or a group of its arguments."""
NEW_GAMES, CARDS_IN_USE, LENGTH = "new games", "cards in use", "length of games"
WORK, GAME_AND_OUTPUT = "work", "game and output"
SHARED = (NEW_GAMES, CARDS_IN_USE, LENGTH, WORK, GAME_AND_OUTPUT)
"""The titles of the groups of arguments that several commands have."""


def titled(parser: argparse.ArgumentParser, title: str) -> Arguments:
    """Return the group of arguments with a title, added to the parser unless it is there."""
    for group in parser._action_groups:
        if group.title == title:
            return group
    return parser.add_argument_group(title)


def add_common(
    parser: argparse.ArgumentParser,
    game: str | None = USUAL_GAME,
    usual: str = "%(default)s",
    formats: Sequence[str] = ("text", "json"),
) -> None:
    """Add the arguments of nearly all commands: the game, folders with more cards, and the format of the output.

    `usual` describes the default game of commands that choose it themselves; `formats` begins with the default format.
    """
    add_game(parser, game, usual)
    group = titled(parser, GAME_AND_OUTPUT)
    cards = "a folder with cards of your own, or the name of a shipped pack"
    add_several(group, "--cards", "DIR", cards, lambda name: str(pack_or_path(name)))
    group.add_argument(
        "--format", choices=formats, default=formats[0], help="the format of the output (default: %(default)s)"
    )
    if "sarif" in formats:
        group.add_argument("--output-file", type=Path, metavar="FILE", help="write the output to a file")


def add_game(parser: argparse.ArgumentParser, game: str | None = USUAL_GAME, usual: str = "%(default)s") -> None:
    """Add the argument for the game; `usual` describes the default of commands that choose it themselves."""
    told = f"the name of a game, or the folder of your own, written with a slash: ./my-game (default: {usual})"
    titled(parser, GAME_AND_OUTPUT).add_argument("--game", default=game, metavar="NAME", help=told)


def add_several(parser: Arguments, name: str, metavar: str, help: str, type: Callable[[str], object] = str) -> None:
    """Add an argument that may be given several times; its help mentions that."""
    help = help if "repeat" in help else help + AGAIN
    parser.add_argument(name, action="append", default=[], metavar=metavar, type=type, help=help)


def add_number(
    parser: Arguments,
    *names: str,
    help: str,
    least: int = 1,
    most: int = 10**18,
    usual: int | None = None,
    metavar: str = "N",
    dest: str | None = None,
) -> None:
    """Add an argument for a whole number from `least` to `most`; `usual` is its default, which the help mentions."""
    told = help if usual is None or "(default: " in help else f"{help} (default: {usual})"
    parser.add_argument(*names, type=_whole_number(least, most), default=usual, metavar=metavar, dest=dest, help=told)


def pairs(name: str, given: list[str]) -> list[tuple[str, str]]:
    """Return the names and values of an argument of the form `NAME=VALUE`; raises UsageError."""
    for one in given:
        if "=" not in one:
            raise UsageError(f"--{name}: `NAME=…` is needed, not {one!r}")
    return [(key.strip(), value.strip()) for key, _, value in (one.partition("=") for one in given)]


def _whole_number(least: int, most: int) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds, for argparse."""

    def read(written: str) -> int:
        if not written.isascii() or not written.removeprefix("-").isdigit() or len(written) > 18:
            raise argparse.ArgumentTypeError(f"a whole number is needed, not {written[:40]!r}")
        number = int(written)
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"it is at least {least}" if number < least else f"it is at most {most:,}")
        return number

    return read


def bot_name(written: str) -> str:
    """Read the name of a bot, for argparse; the name of a bot that searches may be followed by its thinking time."""
    from warchest.bots import read_name

    try:
        read_name(written)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix(f"{error.field}: ")) from None
    return written


def add_machine(parser: argparse.ArgumentParser, native: str, reference: str) -> None:
    """Add the two arguments for the machine on which games are played; only one of them can be given."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--native", action="store_true", help=native)
    how.add_argument("--reference", action="store_true", help=reference)


def add_first_seed(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the seed of the first of several games."""
    told = "the seed of the first game; the next games count up from it"
    add_number(parser, "--seed", least=0, usual=0, metavar="S", help=told)


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the limits after which a game is given up."""
    group = titled(parser, LENGTH)
    add_number(group, "--cap", most=1_000_000, usual=1000, help="give a game up after N decisions")
    add_number(group, "--turns", help="give a game up after N turns (default: never)")


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the argument for the number of processes that share the work."""
    told = "the number of processes that share the work (default: one for each processor)"
    add_number(titled(parser, WORK), "--jobs", usual=processors(), help=told)


def load_game(args: argparse.Namespace) -> Game:
    """Load the game that the arguments name, with their folders of cards; raises UsageError or CardError."""
    from warchest.game.game import load_game as load

    folder_of_game(args)
    folders = [Path(folder) for folder in args.cards]
    try:
        game = load(_named(args.game), folders)
    except CardError as error:
        raise CardError(_as_linted(error.diagnostics, folders, args.game)) from None
    if game.library.lost:
        note(about_lost(game.library.lost))
    return game


def words_for_game(args: argparse.Namespace) -> list[str]:
    """Return the options that another command needs to load the same game with the same cards."""
    return [*([] if args.game == USUAL_GAME else ["--game", args.game]), *words_for_cards(args)]


def words_for_cards(args: argparse.Namespace) -> list[str]:
    """Return the options that another command needs to load the same further cards."""
    return [word for folder in args.cards for word in ("--cards", str(folder))]


def _as_linted(found: Sequence[Diagnostic], folders: Sequence[Path], game: str) -> list[Diagnostic]:
    """Return errors of cards as the linter reports them, because it recognises many slips and gives better help."""
    from warchest.lint.wc_lint import findings_in

    try:
        linted = {(one.name, one.span): one for one in findings_in(folders, game)} if folders else {}
    except OSError:
        linted = {}
    return [linted.get((one.name, one.span), one) for one in found]


def folder_of_game(args: argparse.Namespace) -> Path:
    """Return the folder of the game that the arguments name; raises UsageError."""
    from warchest.game.game_files import folder_of, no_game

    name = _named(args.game)
    folder = folder_of(name)
    if folder is None:
        near = f"; a folder is written with a slash: ./{name}" if folder_of(Path(name)) is not None else ""
        raise UsageError(f"--game: {no_game(name)}{near}")
    return folder


def _named(game: str) -> str | Path:
    """Return the name of a game, or its folder if it looks like a path."""
    return Path(game) if is_folder(game) else game


def is_folder(game: str) -> bool:
    """Whether the value given as a game is a folder, and not a name."""
    return game in (os.curdir, os.pardir) or any(sign in game for sign in (os.sep, os.altsep) if sign)


def game_of(replay: Replay, args: argparse.Namespace, path: str) -> Game:
    """Load a replay's game, by its name there or by the value of `--game`; raises UsageError or CardError."""
    from warchest.game.game_files import folder_of, no_game

    if args.game is None and folder_of(replay.game) is None:
        raise UsageError(f"{path}: replay: {no_game(replay.game)}; for a game of your own add --game FOLDER")
    args.game = args.game or replay.game
    game = load_game(args)
    if game.name != replay.game:
        raise UsageError(f"--game: {path} is a replay of {replay.game}, not of {game.name}")
    return game


# ---- positions


def read_marked(path: str, kind: str = "position") -> Marked:
    """Return the mapping in a file (`-`: standard input) with its places; `kind` names such files in messages. Raises
    InputError.
    """
    read = _read(path)
    if read.source is None:
        raise InputError(list(read.diagnostics))
    roots, findings = parse(read.source)
    errors = [found for found in (*read.diagnostics, *findings) if found.severity == "error"]
    if errors:
        raise InputError(errors)
    if len(roots) > 1:
        raise InputError([report("schema-mismatch", f"the file holds more than one {kind}", roots[1].span)])
    if not isinstance(roots[0], Marked):
        raise InputError([report("wrong-type", "expected keys with values", roots[0].span)])
    return roots[0]


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Raise UsageError, with the name that was probably meant, for an unknown name."""
    names = list(known)
    if name not in names:
        hint = did_you_mean(name, names) or f"there are {', '.join(names) or 'none'}"
        raise UsageError(f"there is no {what} {name[:60]!r}; {hint}")


USUAL_OF_POSITIONS = f"the game of the position, or else {USUAL_GAME}"
"""The default game of commands that take a position, in the words of their help."""


def game_and_state(args: argparse.Namespace, path: str) -> tuple[Game, State]:
    """Return the state for the position in a file, and its game.

    The game is that of `--game`, or the shipped one that the position names, or the default one. Raises UsageError,
    CardError, or InputError, which names the place of the fault.
    """
    marked = read_marked(path)
    named = marked.get("game")
    name = named.text if isinstance(named, Scalar) else ""
    args.game = args.game or (USUAL_GAME if shipped_game(name) is None else name)
    game = load_game(args)
    return game, state_of(game, marked)


def state_of(game: Game, marked: Marked) -> State:
    """Return the state of a position that was read; raises InputError, which names the place of the fault."""
    values = plain(marked)
    assert isinstance(values, dict)
    try:
        state = game.position(values)
        assert state.outcome is not None or state.decision is not None
    except PositionError as error:
        raise InputError(
            [
                report(
                    "schema-mismatch",
                    str(error),
                    place_of(marked, error.field, by_key=error.by_key),
                    help=_of_another(values) if error.field == "game" else "",
                )
            ]
        ) from None
    except Exception as error:
        if PENDING not in values:
            raise
        # Pending work is written by the program; edited, it may be wrong in more ways than messages exist for.
        message = f"this is not pending work of the game: {error}"
        raise InputError([report("schema-mismatch", message, place_of(marked, PENDING))]) from None
    return state


def _of_another(values: dict[str, object]) -> str:
    """Return help for a position that belongs to another game."""
    name = str(values.get("game"))
    if shipped_game(name) is not None:
        return f"add `--game {name}`"
    return "for a game of your own add `--game FOLDER`, with a slash"


def _read(path: str) -> Read:
    if path == STANDARD_INPUT:
        return decode(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    return read_source(Path(path))


# ---- results


def print_json(result: object) -> None:
    """Print a result as JSON."""
    say_lines(json_text(result, indent=2))


def place_record(span: Span) -> dict[str, object]:
    """Return a place ready for JSON: its file and its line."""
    return {"file": span.path, "line": span.line}


class JsonList:
    """A list that is printed as JSON item by item, without keeping the items; the output equals that of `print_json`."""

    def __init__(self) -> None:
        self._begun = False
        self._last = ""

    def add(self, item: object) -> None:
        """Print a further item without its line end, as it is not known yet whether a comma follows."""
        self._print_last(",")
        self._last = json_text([item], indent=2).removeprefix("[\n").removesuffix("\n]")

    def end(self) -> None:
        """Print the end of the list."""
        self._print_last("")
        say("]" if self._begun else "[]")

    def _print_last(self, end: str) -> None:
        if self._last:
            say_lines(("" if self._begun else "[\n") + self._last + end)
            self._begun = True


T = TypeVar("T")


@contextmanager
def progress(among: bool = False) -> Iterator[Progress]:
    """Show progress on standard error while the block runs; nothing if that is no terminal.

    `among` says that results are printed meanwhile; then nothing is shown on a terminal, so that the two do not mix.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    shown = console(error=True)
    hidden = not shown.is_terminal or (among and is_terminal())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=shown, transient=True, redirect_stdout=False, disable=hidden)
    # The thread that shows progress takes no signals, so that the working thread can hold them back.
    with held_back():
        bar.start()
    try:
        yield bar
    finally:
        bar.stop()


def counted(
    bar: Progress, items: Iterable[T], total: int, description: str, size: Callable[[T], int] = lambda _: 1
) -> Iterator[T]:
    """Yield items, and show the number that is done; results of work count as soon as a worker has finished them.

    `size` returns the amount that an item counts for.
    """
    task = bar.add_task(description, total=total)
    if isinstance(items, Results):
        items.heard = lambda item: bar.advance(task, size(item))
        yield from items
        return
    for item in items:
        yield item
        bar.advance(task, size(item))


def shown(description: str, among: bool = False) -> Callable[[Iterable[T], int], Iterator[T]]:
    """Return a function that yields a number of items, and shows the number that is done as `progress` does."""

    def show(items: Iterable[T], total: int) -> Iterator[T]:
        with progress(among) as bar:
            yield from counted(bar, items, total, description)

    return show


def shown_by(
    description: str, whole: int, size: Callable[[T], int], among: bool = False
) -> Callable[[Iterable[T], int], Iterator[T]]:
    """Return a function like `shown`, for items of different sizes: each counts for its `size`, all for `whole`."""

    def show(items: Iterable[T], _: int) -> Iterator[T]:
        with progress(among) as bar:
            yield from counted(bar, items, whole, description, size)

    return show


def drawn(state: State) -> str:
    """Return a picture of the board as plain text."""
    from warchest.picture import plain

    return plain(state)


def note(line: str) -> None:
    """Print a line for the user that is not part of the result."""
    say(line, error=True)


# ---- errors


class Broken:
    """The exception that interrupted the work, if any."""

    by: BaseException | None = None

    def __bool__(self) -> bool:
        return self.by is not None

    def again(self) -> None:
        """Raise the exception again, once the results so far have been reported."""
        if self.by is not None:
            raise self.by


@contextmanager
def as_far_as_it_goes() -> Iterator[Broken]:
    """Catch an interruption or error that ends the work of the block, so that the results so far can be reported."""
    broken = Broken()
    try:
        yield broken
    except (KeyboardInterrupt, EndedBySignal, Exception) as error:
        broken.by = error


def into_file(work: Callable[[], int], args: argparse.Namespace) -> int:
    """Do some work, and write its result into the file given with --output-file, if any; raises UsageError."""
    file: Path | None = getattr(args, "output_file", None)
    if file is None or str(file) == STANDARD_OUTPUT:
        return work()
    from warchest.lint.files import WrongUse
    from warchest.lint.output import check_target, keep_report

    try:
        check_target(file)
        with collected() as result:
            code = work()
        keep_report(file, result.getvalue())
    except WrongUse as error:
        raise UsageError(str(error)) from None
    return code


def guarded(work: Callable[[], int], args: argparse.Namespace) -> int:
    """Do some work; errors that concern the user are printed to standard error, and give exit code 2."""
    try:
        return into_file(work, args)
    except InputError as error:
        _print_findings(error.diagnostics)
    except CardError as error:
        _print_findings(error.diagnostics)
    except UsageError as error:  # several lines for a replay that does not fit
        say_lines(f"warchest: {error}", error=True)
    except (PositionError, OptionError) as error:
        note(f"warchest: {error}")
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:
        if error.filename is None:
            raise
        note(f"warchest: {error.filename}: {error.strerror}")
    except WorkLostError as error:
        note(f"warchest: {error}")
    except RecursionError:
        note("warchest: the game cannot go on: the rules do not terminate")
    except RuntimeError as error:  # rules that do not terminate, or that order the impossible
        note(f"warchest: the game cannot go on: {error or type(error).__name__}")
    except Exception as error:
        if os.environ.get("WARCHEST_DEBUG"):
            raise
        note(f"warchest: this is a fault of the program itself: {type(error).__name__}: {error}")
        note("set WARCHEST_DEBUG=1 to see where it comes from")
    finally:
        workers: Workers | None = getattr(args, "workers", None)
        if workers is not None:
            workers.close()
    return WRONG


def _print_findings(diagnostics: Iterable[Diagnostic]) -> None:
    say_lines(text(diagnostics, wants_color(error=True)), error=True, painted=True)
