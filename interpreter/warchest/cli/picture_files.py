"""The files that pictures are written to: as SVG, in pages, and as images where the libraries for these are installed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warchest.cli import common
from warchest.cli.outputs import PIPED_SVG, PNG
from warchest.streams import say_lines

if TYPE_CHECKING:
    from warchest.picture import Scene


def add_files(parser: argparse.ArgumentParser, what: str, needed: str = "warchest[png]") -> None:
    """Add the arguments for the files of one picture; `needed` says what its PNG needs."""
    parser.add_argument("--svg", type=PIPED_SVG, metavar="FILE", help=f"write {what} as SVG (`-` for standard output)")
    parser.add_argument("--png", type=PNG, metavar="FILE", help=f"write {what} as PNG (needs {needed})")


def check_installed(**wanted: str | None) -> None:
    """Raise UsageError if an image of a requested kind cannot be drawn here."""
    from warchest.picture.images import missing

    for kind, file in wanted.items():
        if file and (lacking := missing(kind)):
            raise common.UsageError(f"--{kind}: {lacking}")


def write_files(seen: Scene, args: argparse.Namespace) -> bool:
    """Write a picture to the requested files; return whether there were any."""
    from warchest.picture import png, svg

    drawn = svg(seen) if args.svg or args.png else ""
    write_drawn(drawn, lambda: png(drawn), args)
    return bool(drawn)


def write_drawn(drawn: str, as_png: Callable[[], bytes], args: argparse.Namespace) -> None:
    """Write a drawing, as SVG and as PNG, to the requested files."""
    if args.svg == common.STANDARD_INPUT:
        say_lines(drawn)
    elif args.svg:
        Path(args.svg).write_text(drawn, encoding="utf-8")
        common.note(f"wrote {args.svg}")
    if args.png:
        Path(args.png).write_bytes(as_png())
        common.note(f"wrote {args.png}")


def write_page(page: str, file: str) -> None:
    """Write a page to a file."""
    Path(file).write_bytes(page.encode())
    common.note(f"wrote {file}")


def write_many(
    scenes: Iterable[Scene], total: int, folder: str | None, gif: str | None, seconds: float, by_chance: Container[int]
) -> None:
    """Write pictures that follow each other: each to a file of its own in a folder, to an animated GIF, or both.

    The animation leaves out pictures with numbers in `by_chance`, except the last: the next picture shows the outcome.
    """
    from warchest.picture import svg
    from warchest.picture.images import gif as animated

    with common.progress() as bar:
        drawn = [svg(one) for one in common.counted(bar, scenes, total, "pictures")]
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            width = max(len(str(total - 1)), 3)
            for number, picture in enumerate(drawn):
                Path(folder, f"step-{number:0{width}}.svg").write_text(picture, encoding="utf-8")
            common.note(f"wrote {len(drawn)} pictures to {folder}")
        if gif:

            def counted(pictures: Sequence[str]) -> Iterable[str]:
                return common.counted(bar, pictures, len(pictures), "animation")

            moving = [one for number, one in enumerate(drawn) if number not in by_chance or number == len(drawn) - 1]
            Path(gif).write_bytes(animated(moving, seconds, counted))
            common.note(f"wrote {gif}")
