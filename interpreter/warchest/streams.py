"""Standard output and error: all that a command prints goes out here, and so does what it asks at a terminal.

Texts come from strangers, and from names of files and arguments. Characters in them that would steer the terminal, or
hide from the reader, are shown as escapes. If output cannot be written, that is reported.
"""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Literal, NoReturn, TextIO

from warchest.diagnostics.suggest import did_you_mean
from warchest.diagnostics.visible import visible, visible_lines, visible_painted

if TYPE_CHECKING:
    from _typeshed import SupportsWrite
    from rich.console import Console, ConsoleOptions, PagerContext, RenderableType
    from rich.segment import Segment

WRONG = 2
_UNKNOWN = "unrecognized arguments: "
"""The beginning of the message of argparse about unknown options."""
NARROWEST = 20
"""The fewest columns in which lines are laid out; a narrower window folds them."""
_SPELLED = {"—": "--", "–": "-", "“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "•": "*", "×": "x", "→": "->"}
"""Signs of our own texts, as they are written where they cannot be shown."""


# ---- printing


def say(line: str = "", *, error: bool = False) -> None:
    """Print a line to standard output or error; a line end inside of it is shown, too.

    Raises OSError where standard output does not take it; what standard error does not take is lost.
    """
    _put(visible(line) + "\n", error)


def say_lines(text: str, *, error: bool = False, painted: bool = False) -> None:
    """Print a text of several lines, with or without a line end; a `painted` text has the colours of findings."""
    shown = visible_painted(text) if painted else visible_lines(text)
    _put(shown if shown.endswith("\n") or not shown else shown + "\n", error)


def hand_back(data: bytes) -> None:
    """Write a text to standard output as it was read; at a terminal, in signs that can be shown."""
    if is_terminal():
        say_lines(data.decode("utf-8", "replace"))
        return
    flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


@contextmanager
def collected() -> Iterator[io.StringIO]:
    """Collect the results that are printed in a text; notes and errors are printed all the same."""
    before, sys.stdout = sys.stdout, io.StringIO()
    try:
        yield sys.stdout
    finally:
        sys.stdout = before


def _put(text: str, error: bool) -> None:
    # Output on standard error is not essential: it is lost if the stream is closed.
    with suppress(OSError) if error else nullcontext():
        _stream(error).write(text)


def ask(prompt: str) -> str:
    """Ask for a line of standard input; raises EOFError where there is none, OSError where the prompt cannot be
    written."""
    shown = visible(prompt)
    if not is_attended():
        _put(shown, error=False)
        shown = ""
    # `input` swallows whatever a signal raises while it writes itself, and waits on.
    flush()
    return input(shown)


def console(*, error: bool = False) -> Console:
    """Return a rich console for standard output or error; lines are never cut off if that is no terminal."""
    from shutil import get_terminal_size

    size: tuple[int | None, int | None] = (None, None) if is_terminal(error=error) else (120, None)
    if is_terminal(error=error) and os.environ.get("TERM") in ("dumb", "unknown"):
        # rich takes such a terminal for 80 columns wide, however wide it is.
        size = get_terminal_size()
    width, height = size
    return _kind_of_console()(
        file=_stream(error), width=width, height=height, highlight=False, markup=False, emoji=False
    )


@cache
def _kind_of_console() -> type[Console]:
    """Return the class of consoles."""
    from pydoc import pager

    from rich.console import Console, ConsoleDimensions
    from rich.pager import Pager
    from rich.segment import Segment

    class Pages(Pager):
        """A pager that is handed only signs that the terminal can show; on its own it would take escapes."""

        def __init__(self, encoding: str) -> None:
            self._encoding = encoding

        def show(self, content: str) -> None:
            pager(content.encode(self._encoding, "spelled").decode(self._encoding))

    class Shown(Console):
        """A console at least as wide as the narrowest layout, with escapes for control signs in texts."""

        @property
        def size(self) -> ConsoleDimensions:
            width, height = super().size
            return ConsoleDimensions(max(width, NARROWEST), height)

        @size.setter
        def size(self, new: tuple[int, int]) -> None:
            self._width, self._height = new

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else visible_lines(text), style, control)

        def pager(self, pager: Pager | None = None, styles: bool = False, links: bool = False) -> PagerContext:
            return super().pager(pager or Pages(self.encoding), styles, links)

        def on_broken_pipe(self) -> None:
            raise  # The command decides how to end when its output is no longer read.

    return Shown


def is_terminal(*, error: bool = False) -> bool:
    """Whether a terminal shows what is printed."""
    return _stream(error).isatty()


def is_attended() -> bool:
    """Whether a person reads the output and can answer questions."""
    return sys.stdin is not None and sys.stdin.isatty() and is_terminal()


def wants_color(*, error: bool = False) -> bool:
    """Whether findings are to be printed in colours."""
    return is_terminal(error=error) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def flush() -> None:
    """Write out all that has been printed so far; raises OSError where that fails."""
    sys.stdout.flush()


def _stream(error: bool) -> TextIO:
    return sys.stderr if error else sys.stdout


class ParagraphFormatter(argparse.HelpFormatter):
    """Formats help: wraps each paragraph of a description by itself, and keeps a paragraph with indented lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = text.strip("\n").split("\n\n")
        return "\n\n".join(
            one if "\n " in one else super(ParagraphFormatter, self)._fill_text(one, width, indent)
            for one in paragraphs
        )


class CommandParser(argparse.ArgumentParser):
    """A parser of arguments that shows its help in colours at a terminal, and wrong arguments without control signs."""

    _in_colours = False

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help to a file (default: standard output), in colours if that is a terminal that wants them."""
        self._in_colours = wants_color(error=file is not None)
        try:
            super().print_help(file)
        finally:
            self._in_colours = False

    def print_help_as_error(self) -> None:
        """Print the help to standard error."""
        self.print_help(sys.stderr)

    def error(self, message: str) -> NoReturn:
        """Report an error in the arguments in one line, and leave with exit code 2."""
        said = message if message.endswith("?") else f"{message}; {self._hint(message)}"
        say(f"{self.prog}: {said}", error=True)
        self.exit(WRONG)

    def _hint(self, message: str) -> str:
        """Return the option that an unknown one was probably meant to be, or how to list all of them."""
        unknown = (word.partition("=")[0] for word in message.removeprefix(_UNKNOWN).split() if word.startswith("--"))
        first = next(unknown, "") if message.startswith(_UNKNOWN) else ""
        return did_you_mean(first, self._option_string_actions) or f"see `{self.prog} --help`"

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Return a formatter of help; from Python 3.14 on argparse has colours of its own."""
        self.color = self._in_colours and sys.version_info >= (3, 14)
        self.formatter_class = _coloured() if self._in_colours and not self.color else ParagraphFormatter
        return super()._get_formatter()


def _coloured() -> type[argparse.HelpFormatter]:
    """Return a formatter of help in colours, or the plain one where the library that makes them is not installed."""
    try:
        from rich_argparse import RichHelpFormatter
    except ImportError:
        return ParagraphFormatter
    from rich.text import Text

    class Coloured(RichHelpFormatter):
        """Formats help in colours, the names of commands and groups in a description among them."""

        group_name_formatter = str
        text_markup = help_markup = False  # brackets are brackets
        highlights: ClassVar[list[str]] = [
            *RichHelpFormatter.highlights,
            r"(?m)^  (?P<args>[a-z]+)(?=  )",
            r"(?m)^(?P<groups>[a-z]+)(?=: )",
        ]

        def _rich_fill_text(self, text: Text, width: int, indent: Text) -> Text:
            made = Text(ParagraphFormatter(self._prog, width=width)._fill_text(text.plain, width, indent.plain))
            for highlight in self.highlights:
                made.highlight_regex(highlight, style_prefix="argparse.")
            return made.append("\n\n")

    return Coloured


# ---- working streams


def printing(name: str, work: Callable[[], int], enough: int) -> int:
    """Do the work of the command of a name; return its exit code.

    The code is `enough` if the reader of the output closes it early, and 2 if the output cannot be written.
    """
    _open()
    try:
        code = work()
        flush()
        return code
    except BrokenPipeError:
        return enough
    except OSError as error:
        if error.filename is not None:
            raise
        say(f"{name}: the output could not be written: {error.strerror}", error=True)
        return WRONG
    finally:
        _let_go()


def _let_go() -> None:
    """Drop text that a stream still holds and cannot write any more: Python would complain at its own end."""
    for stream in (sys.stdout, sys.stderr):
        if stream.closed:
            continue
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open() -> None:
    """Discard output, and give no input, where a stream is closed; escape bytes that are no text, and characters
    that cannot be shown. Common signs that cannot be shown are spelled.
    """
    sys.excepthook = _tell
    codecs.register_error("spelled", _spelled)
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout, sys.stderr = sys.stdout or _nowhere("w"), sys.stderr or _nowhere("w")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="spelled")


def _spelled(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return other signs for one that a stream does not have: an escape, unless it is a common one."""
    if isinstance(error, UnicodeEncodeError) and (sign := _SPELLED.get(error.object[error.start])):
        return sign, error.start + 1
    return codecs.backslashreplace_errors(error)


def shows_all_signs() -> bool:
    """Whether standard output takes all signs of our texts."""
    try:
        "".join(_SPELLED).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print where a fault of the program itself comes from."""
    from traceback import format_exception

    say_lines("".join(format_exception(kind, error, trace)), error=True)


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")
