"""The arguments of `wc-lint`, and the settings that result from them and from a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from warchest import __version__
from warchest.diagnostics.report_forms import FORMS
from warchest.diagnostics.visible import visible
from warchest.source.data import pack_or_path
from warchest.streams import CommandParser

if TYPE_CHECKING:
    from warchest.lint.settings import Settings


ABOUT = """Check card files: their form, their words, and the meaning of their sentences.

`wc-lint explain CODE` explains a code, with examples; `wc-lint explain` lists all codes.

`wc-lint fmt` lays out card files; see `wc-lint fmt --help`.
"""
CODES = """exit codes: 0 no findings; 1 findings; 2 no file could be read, or the arguments are invalid"""
STANDARD_INPUT = "-"
FORMATS = ("text", "concise", "json", *FORMS)
"""The formats in which findings are written."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    made = CommandParser(prog="wc-lint", description=ABOUT, epilog=CODES)
    _add_inputs(made)
    _add_settings(made)
    add = made.add_argument
    add("--format", choices=FORMATS, default="text", help="the format of the findings (default: text)")
    add(
        "--output-file",
        metavar="FILE",
        type=Path,
        help="write the findings to a file; an existing file is only replaced if it is a report, a text or a log",
    )
    add("--statistics", action="store_true", help="write the number of findings for each code instead of the findings")
    add("--fix", action="store_true", help="apply safe fixes to the files")
    add(
        "--diff",
        action="store_true",
        help="show the changes that --fix would make, and write nothing; the exit code is 1 if there are any",
    )
    unsafe = "with --fix or --diff: also apply fixes that may change the meaning of a text"
    add("--unsafe-fixes", action="store_true", help=unsafe)
    add("--watch", action="store_true", help="check again whenever a file changes, until interrupted")
    add("--exit-zero", action="store_true", help="exit with 0 even if there are findings")
    uncached = "also check unchanged files that had no findings last time"
    add("--no-cache", dest="cache", action="store_false", help=uncached)
    add("--version", action="version", version=f"wc-lint {__version__}", help="show the version and exit")
    return made


def _add_inputs(made: argparse.ArgumentParser) -> None:
    add = made.add_argument
    add(
        "paths",
        nargs="*",
        metavar="PATH",
        type=Path,
        help="files and folders to check, or `-` for standard input (default: the shipped cards)",
    )
    add(
        "--stdin-filename",
        metavar="FILE",
        type=Path,
        default=Path("stdin.yaml"),
        help="the name of the file whose text is standard input, which decides on its neighbours and its game",
    )
    add(
        "--game",
        metavar="NAME",
        help="the game of files outside of any game's folder: a name, or a folder written with a slash (default: war-chest)",
    )
    known = "further cards that are known but not checked, unless no PATH is given; may be repeated"
    add("--cards", metavar="DIR", type=pack_or_path, action="append", default=[], help=known)


def _add_settings(made: argparse.ArgumentParser) -> None:
    add = made.add_argument
    add(
        "--config",
        metavar="FILE",
        type=Path,
        help="the file of settings (default: wc-lint.toml or pyproject.toml, here or in a folder above)",
    )
    add("--isolated", action="store_true", help="take no settings from files")
    codes = "the warnings to report: codes, beginnings of codes, names, or ALL (default: ALL)"
    _add_several(made, "--select", "CODES", codes)
    _add_several(made, "--ignore", "CODES", "the warnings to ignore")
    in_files = "the warnings to ignore in files that match a pattern as in .gitignore"
    _add_several(made, "--per-file-ignores", "PATTERN:CODES", in_files)
    _add_several(made, "--exclude", "PATTERN", "files in folders that are not checked")
    pages = "the address of the pages about codes (docs/reference/findings), for links in SARIF"
    add("--pages", metavar="URL", default="", help=pages)
    _add_several(made, "--severity", "CODE=GRADE", "another grade for a warning: error, warning or info")


def _add_several(made: argparse.ArgumentParser, name: str, metavar: str, told: str) -> None:
    """Add an option that may be given several times."""
    made.add_argument(name, metavar=metavar, action="append", default=[], help=f"{told}; may be repeated")


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Return the settings of a file combined with those of the command line; raises SettingsError."""
    from warchest.lint.settings import Settings, settings, with_arguments

    base = Settings() if arguments.isolated else settings(arguments.config)
    table: dict[str, object] = {"ignore": _listed(arguments.ignore)}
    if arguments.select:
        table["select"] = _listed(arguments.select)
    if arguments.exclude:
        table["exclude"] = arguments.exclude
    table["pages"] = arguments.pages
    table["severity"] = dict(_parted(one, "=", "severity", "CODE=GRADE") for one in arguments.severity)
    ignored = dict(_parted(one, ":", "per-file-ignores", "PATTERN:CODES") for one in arguments.per_file_ignores)
    table["per-file-ignores"] = {pattern: _listed([codes]) for pattern, codes in ignored.items()}
    return with_arguments(base, table)


def _listed(said: list[str]) -> list[str]:
    return [word.strip() for one in said for word in one.split(",") if word.strip()]


def _parted(said: str, sign: str, option: str, form: str) -> tuple[str, str]:
    """Return the parts of an argument before and after its last sign; raises SettingsError if there are not two."""
    first, _, last = said.rpartition(sign)
    if not first or not last.strip():
        from warchest.lint.settings import SettingsError

        raise SettingsError(f"--{option}: write `{form}`, not {visible(said)!r}")
    return first, last
