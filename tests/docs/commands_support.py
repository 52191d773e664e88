"""The reference of commands: pages whose tables of options are made from the parsers, between texts written by hand.

`python tests/docs/commands_support.py` writes the tables, which are between comments: `<!-- options: warchest sim -->`
and `<!-- end -->`, `<!-- commands -->` for the list of all commands, `<!-- shared -->` for options of several commands.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections import defaultdict
from functools import cache
from pathlib import Path

from warchest.cli.commands import COMMANDS, GROUPS, command_module, command_parser
from warchest.cli.common import SHARED
from warchest.lint.arguments import parser as lint_parser
from warchest.lint.formatting import parser as fmt_parser
from warchest.lint.wc_lint import explain_parser

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "commands"
INDEX = FOLDER / "README.md"
WIDTH = 120
FEW, MANY = 3, 20
"""The most exceptions, and the most commands, that are listed by name."""
SEVERAL = 3
"""The fewest commands for which an option is described on the first page, instead of at each of them."""
Row = tuple[str, str]
"""An option or argument as it is written, and its meaning."""
_BLOCK = re.compile(r"^<!-- (options: [a-z -]+|commands|shared) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(
    r"(`[^`]*`|(?<![\w-])--[a-z][a-z-]*|\bwarchest\[\w+\]|\b[A-Z]+[:=][A-Z]+(?:,[A-Z]+)*(?:,…)?|\./[\w-]+|tcp://[\w:]+"
    r"|~?\.\w+/[\w/.]+)"
)


# ---- the parsers


def pages() -> list[Path]:
    """The pages, the first of which is about all commands."""
    return sorted(FOLDER.glob("*.md"))


@cache
def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command, by the words that it is called with."""
    found: dict[str, argparse.ArgumentParser] = {
        "wc-lint": lint_parser(),
        "wc-lint fmt": fmt_parser(),
        "wc-lint explain": explain_parser(),
    }
    for name in COMMANDS:
        module = command_module(name)
        assert module is not None, name
        found[f"warchest {name}"] = command_parser(name, module)
    return found


def rows(parser: argparse.ArgumentParser) -> list[tuple[str, Row]]:
    """The arguments of a parser, each with the title of its group."""
    found = []
    for group in parser._action_groups:
        for action in group._group_actions:
            if "--help" not in action.option_strings:
                found.append((group.title or "", _row(action)))
    return found


def _row(action: argparse.Action) -> Row:
    value = f"{{{','.join(map(str, action.choices))}}}" if action.choices and not action.metavar else action.metavar
    if action.option_strings:
        *short, name = action.option_strings
        written = [*short, name if action.nargs == 0 else f"{name} {value}"]
    else:
        several = " …" if action.nargs in ("*", "+") and "|" not in str(value) else ""
        written = [f"{one}{several}" for one in str(value).split("|")]
    shown = ", ".join(f"`{one}`" for one in written)
    return shown, _meaning((action.help or "") % {"default": action.default})


def _meaning(text: str) -> str:
    """The help of an argument in Markdown: names of options and forms of values are code."""
    return _CODE.sub(lambda found: found[0] if found[0].startswith("`") else f"`{found[0]}`", text).replace("|", r"\|")


# ---- options of several commands


@cache
def shared() -> dict[str, dict[Row, list[str]]]:
    """The options that several commands have, by the title of their group, with these commands."""
    found: dict[str, dict[Row, list[str]]] = {title: defaultdict(list) for title in SHARED}
    for words, parser in parsers().items():
        for title, row in rows(parser):
            if title in found:
                found[title][row].append(words.removeprefix("warchest "))
    return {
        title: {row: commands for row, commands in of_group.items() if len(commands) >= SEVERAL}
        for title, of_group in found.items()
    }


def _shared_tables() -> str:
    parts = []
    for title, of_group in shared().items():
        having = [
            words.removeprefix("warchest ")
            for words, parser in parsers().items()
            if any(one == title for one, _ in rows(parser))
        ]
        lines = [f"### {title.capitalize()}", ""]
        if len(having) <= MANY:
            lines += [_filled(f"For {_listed(having)}."), ""]
        lines += ["| Option | Meaning | Commands |", "|---|---|---|"]
        for row in sorted(of_group, key=_name):
            alike = [one for one in of_group if _name(one) == _name(row)]
            if len(alike) > 1 and row == max(alike, key=lambda one: len(of_group[one])):
                lines.append(f"| {row[0]} | {row[1]} | all others |")
            else:
                lines.append(f"| {row[0]} | {row[1]} | {_those(of_group[row], having)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _name(row: Row) -> str:
    """The name of an option without its value."""
    return row[0].split()[0].strip("`")


def _those(commands: list[str], having: list[str]) -> str:
    """The commands that have an option, or those that do not if these are few."""
    others = [one for one in having if one not in commands]
    if not others:
        return "all"
    return f"all but {_listed(others)}" if len(others) <= FEW < len(commands) else _listed(commands)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{one}`" for one in names)


def _filled(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False)


# ---- the blocks


def _options(words: str) -> str:
    own = [(title, row) for title, row in rows(parsers()[words]) if row not in shared().get(title, {})]
    lines = [f"| {name} | {meaning} |" for _, (name, meaning) in own]
    table = "\n".join(["| Argument | Meaning |", "|---|---|", *lines]) if lines else ""
    titles = [title for title in SHARED if any(one == title for one, _ in rows(parsers()[words]))]
    links = [f"[{title}]({INDEX.name}#{title.replace(' ', '-')})" for title in titles]
    further = _filled(f"{'Further options' if table else 'Options'}: {', '.join(links)}.") if links else ""
    return "\n\n".join(part for part in (table, further) if part)


def _listing() -> str:
    lines = ["| Command | |", "|---|---|"]
    for group in GROUPS:
        lines.append(f"| [**{group.name}**]({group.name}.md) | **{group.purpose}** |")
        lines += [
            f"| [`warchest {name}`]({group.name}.md#warchest-{name}) | {about} |"
            for name, about in group.commands.items()
        ]
    return "\n".join(lines)


def written(text: str) -> str:
    """The text of a page with its blocks made again."""

    def made(block: re.Match[str]) -> str:
        kind = block[1]
        inner = _listing() if kind == "commands" else _shared_tables() if kind == "shared" else _options(kind[9:])
        return f"<!-- {kind} -->\n\n{inner}\n\n<!-- end -->"

    return _BLOCK.sub(made, text)


if __name__ == "__main__":
    for page in pages():
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
