"""Print cards, tokens, a board or a summary of the rules, on paper or for virtual tables."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warchest.cli import common
from warchest.cli.begin_options import add_choice, choice_of
from warchest.cli.cards import chosen, ranges_of, summed_up
from warchest.cli.outputs import CARD_GAME, EXPORTS, PDF, PNG, SVG, TABLETOP, TEMPLATE, TEMPLATES, Output
from warchest.diagnostics.articles import many
from warchest.diagnostics.visible import visible

if TYPE_CHECKING:
    from warchest.paper.game_parts import CardFace, PrintedGame
    from warchest.paper.sizes import CardSheet, PageSize
    from warchest.paper.typeset import PageFormat, Templates


CARDS, TOKENS, BOARD, SUMMARY = "cards", "tokens", "board", "summary"
_WHAT = (CARDS, TOKENS, BOARD, SUMMARY)
_ADDRESS = re.compile(r"(?:https?|file)://[!-~]+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from warchest.paper.sizes import PAPERS

    parser.add_argument("what", nargs="?", choices=_WHAT, help="the kind of thing to print")
    parser.add_argument(
        "names",
        metavar="NAME",
        nargs="*",
        help="the cards, the board or the pack (default: the cards in --cards, or else those in use)",
    )
    _add_outputs(parser)
    parser.add_argument("--paper", choices=sorted(PAPERS), default="a4", help="the paper size (default: %(default)s)")
    parser.add_argument(
        "--size",
        metavar="SIZE",
        help="the size of cards: poker, bridge, mini, tarot or WxH, as in 63x88 (default: poker); or the width of "
        "tokens (default: 30mm), or of the spaces of a board (default: so that it fills a page)",
    )
    parser.add_argument(
        "--bleed", type=_length, metavar="LENGTH", help="the width of colour beyond the cut (default: up to 2mm)"
    )
    parser.add_argument("--no-marks", action="store_true", help="leave out the crop marks")
    parser.add_argument("--backs", action="store_true", help="also print the backs of cards, on a page after each page")
    parser.add_argument("--template", metavar="FILE", help="use a layout template of your own")
    parser.add_argument("--templates", metavar="DIR", help="a folder with templates that replace shipped ones")
    parser.add_argument(
        "--write-templates",
        metavar="DIR",
        type=TEMPLATES,
        help="write the shipped templates to a folder, as a start, and exit",
    )
    add_choice(parser)
    common.add_jobs(parser)
    common.add_common(parser)


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pdf", type=PDF, metavar="FILE", help="write the pages as PDF")
    parser.add_argument("--svg", type=SVG, metavar="FILE", help="write each page as SVG, numbered if there are several")
    parser.add_argument("--png", type=PNG, metavar="FILE", help="write each page as PNG, numbered if there are several")
    parser.add_argument(
        "--tts",
        type=EXPORTS,
        metavar="DIR",
        help="write cards for Tabletop Simulator: images of up to 70 cards, and a saved object",
    )
    parser.add_argument(
        "--cgs",
        type=EXPORTS,
        metavar="DIR",
        help="write cards for Card Game Simulator: an image of each card, and the game's files",
    )
    parser.add_argument(
        "--url-base",
        type=_address,
        metavar="URL",
        help="the address at which the files of --tts and --cgs will be published (default: their path)",
    )


def _address(written: str) -> str:
    if _ADDRESS.fullmatch(written) is None:
        raise argparse.ArgumentTypeError(
            f"an address such as https://example.org/cards is needed, not {visible(written[:80])!r}"
        )
    return written


def _length(written: str) -> float:
    from warchest.paper.sizes import SizeError, length

    try:
        return length(written)
    except SizeError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def rewritten(arguments: list[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return the arguments with the names moved to the end, so that options may be between names."""
    takes_value = {name for action in parser._actions if action.nargs is None for name in action.option_strings}
    options, names, left = list[str](), list[str](), iter(arguments)
    for one in left:
        if one == "--":
            return [*options, one, *names, *left]
        if one.startswith("-"):
            options += [one, *([value] if one in takes_value and (value := next(left, None)) is not None else [])]
        else:
            names.append(one)
    return [*options, *names]


def run(args: argparse.Namespace) -> int:
    """Print the requested things; return the exit code."""
    from warchest.paper.sizes import SizeError
    from warchest.paper.typeset import LayoutError, missing

    if args.write_templates:
        return _write_templates(args.write_templates)
    _check(args)
    if args.format != "json" and (lacking := missing()):
        raise common.UsageError(lacking)
    try:
        job = _job(args)
        if args.format == "json":
            common.print_json(job.data)
            return common.FINE
        return _write(job, args)
    except SizeError as error:
        raise common.UsageError(f"--size: {error}") from None
    except (LayoutError, argparse.ArgumentTypeError) as error:
        raise common.UsageError(str(error)) from None


def _check(args: argparse.Namespace) -> None:
    """Raise UsageError where the arguments contradict each other."""
    if args.what is None:
        raise common.UsageError(f"nothing says what is printed; it is one of {', '.join(_WHAT)}")
    if not (args.pdf or args.svg or args.png or args.tts or args.cgs or args.format == "json"):
        raise common.UsageError(
            "nothing says where to; name a file with --pdf, --svg or --png, or a folder with --tts or --cgs"
        )
    if (args.tts or args.cgs) and args.what != CARDS:
        raise common.UsageError(f"--tts and --cgs are for cards, and not for {args.what}")


@dataclass(frozen=True, slots=True)
class _PrintJob:
    """Pages to make: the template, its data, the number of things with their noun, and for cards their fronts."""

    game: PrintedGame
    template: str
    data: dict[str, Any]
    count: int
    noun: str
    cards: Sequence[CardFace] = ()


def _job(args: argparse.Namespace) -> _PrintJob:
    from warchest.paper.game_parts import PrintedGame

    game = common.load_game(args)
    options = choice_of(game, args)
    jobs = {CARDS: _cards, TOKENS: _tokens, BOARD: _board, SUMMARY: _summary}
    return jobs[args.what](PrintedGame(game, options), args)


# ---- files


def _write(job: _PrintJob, args: argparse.Namespace) -> int:
    templates = _templates(args)
    overflowing: list[tuple[str, str]] = []
    forms: list[tuple[PageFormat, str | None, Output]] = [
        ("pdf", args.pdf, PDF),
        ("svg", args.svg, SVG),
        ("png", args.png, PNG),
    ]
    for form, file, kind in forms:
        if file is not None:
            pages = templates.laid_out(job.template, job.data, form)
            paths = _paths(file, len(pages.files))
            _save(dict(zip(paths, pages.files, strict=True)), lambda _, kind=kind: kind)  # type: ignore[misc]
            where = f"{paths[0]} to {paths[-1]}" if len(paths) > 1 else file
            common.note(f"wrote {many(job.count, job.noun)} to {where}")
            overflowing += pages.overflowing
    for folder, is_tabletop in ((args.tts, True), (args.cgs, False)):
        if folder is not None:
            overflowing += _export(job, args, Path(folder), templates, is_tabletop)
    for name, part in dict.fromkeys(overflowing):
        lacks = "is too long for the card, and is cut off" if part == "text" else "has no room beside the text"
        common.note(f"{name}: the {part} {lacks}")
    return common.FINE


def _export(
    job: _PrintJob, args: argparse.Namespace, folder: Path, templates: Templates, is_tabletop: bool
) -> list[tuple[str, str]]:
    """Write the files of an export; return the cards on which a part has no room, each with the part."""
    from warchest.paper.exports import CardExport
    from warchest.paper.sizes import card_size

    base = args.url_base or (folder.resolve().as_uri() if is_tabletop else "")
    export = CardExport(job.game, job.cards, card_size(args.size or "poker"), templates, base)
    files = list(export.tabletop() if is_tabletop else export.card_game(bool(args.url_base)))
    data = TABLETOP if is_tabletop else CARD_GAME
    _save({folder / one.path: one.content for one in files}, lambda path: PNG if path.suffix == ".png" else data)
    common.note(f"wrote {many(job.count, job.noun)} to {folder}")
    return export.overflowing


def _write_templates(folder: str) -> int:
    from warchest.paper.typeset import shipped_templates

    files = {Path(folder, one.name): one.read_bytes() for one in shipped_templates()}
    _save(files, lambda _: TEMPLATE)
    common.note(f"wrote {many(len(files), 'template')} to {folder}")
    return common.FINE


def _save(files: Mapping[Path, bytes], kind: Callable[[Path], Output]) -> None:
    """Write files; raises ArgumentTypeError if a file of another kind has the name of one of them."""
    for path in files:
        kind(path)(str(path))
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _templates(args: argparse.Namespace) -> Templates:
    from warchest.paper.typeset import Templates

    if args.template is not None and not Path(args.template).is_file():
        raise common.UsageError(f"--template: there is no file {args.template}")
    if args.templates is not None and not Path(args.templates).is_dir():
        raise common.UsageError(f"--templates: there is no folder {args.templates}")
    return Templates(Path(args.templates) if args.templates else None, Path(args.template) if args.template else None)


def _paths(file: str, count: int) -> list[Path]:
    path = Path(file)
    if count == 1:
        return [path]
    return [path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, count + 1)]


# ---- contents of a print


def _cards(contents: PrintedGame, args: argparse.Namespace) -> _PrintJob:
    from warchest.paper import pages
    from warchest.paper.sizes import card_size

    sheet = _sheet(args, card_size(args.size or "poker"), "card")
    documents = chosen(contents, args, contents.card_kinds(), "card")
    cards = pages.faces(contents, documents, ranges_of(contents, documents, args.jobs))
    data = pages.card_pages(contents, cards, sheet, not args.no_marks, args.backs)
    return _PrintJob(contents, pages.CARDS, data, len(cards), "card", cards)


def _tokens(contents: PrintedGame, args: argparse.Namespace) -> _PrintJob:
    from warchest.paper import pages
    from warchest.paper.sizes import PageSize, side

    size = side(args.size or "30mm")
    sheet = _sheet(args, PageSize(size, size), "token")
    tokens = contents.tokens(chosen(contents, args, contents.token_kinds(), "token"))
    if not tokens:
        raise common.UsageError("pieces are made of no tokens of this name")
    data = pages.token_pages(contents, tokens, sheet, not args.no_marks)
    return _PrintJob(contents, pages.TOKENS, data, len(tokens), "token")


def _board(contents: PrintedGame, args: argparse.Namespace) -> _PrintJob:
    from warchest.paper import pages
    from warchest.paper.sizes import PAPERS, PageSize, side

    boards = contents.game.boards
    name = " ".join(args.names) or boards.usual.name
    common.check_known("board", name, boards.boards)
    board = boards.described_by(boards.named(name))
    space = side(args.size) if args.size else None
    data = pages.board_pages(contents, board, PageSize(*PAPERS[args.paper]), space, not args.no_marks)
    return _PrintJob(contents, pages.BOARD, data, 1, "board")


def _summary(contents: PrintedGame, args: argparse.Namespace) -> _PrintJob:
    from warchest.paper import pages
    from warchest.paper.sizes import PAPERS, PageSize

    title, documents = summed_up(contents, args)
    data = pages.summary_pages(contents, title, documents, PageSize(*PAPERS[args.paper]))
    return _PrintJob(contents, pages.SUMMARY, data, len(documents), "document")


def _sheet(args: argparse.Namespace, thing: PageSize, noun: str) -> CardSheet:
    """Return the sheet for things of a size, and print a note if their bleed differs from the requested one."""
    from warchest.paper.sizes import BLEED, PAPERS, PageSize, sheet_of

    sheet = sheet_of(PageSize(*PAPERS[args.paper]), thing, BLEED if args.bleed is None else args.bleed)
    if args.bleed is not None and min(sheet.bleed.x, sheet.bleed.y) < args.bleed:
        common.note(
            f"the bleed is {sheet.bleed.x:g} mm across and {sheet.bleed.y:g} mm down, so that "
            f"{many(sheet.columns * sheet.rows, noun)} fit on a page"
        )
    return sheet
