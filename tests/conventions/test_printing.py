"""Whatever is printed, asked or written goes out through one module, which shows what would steer or hide."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from conventions_support import MODULES, found_in_modules, name_of, nodes_of, tree_of

pytestmark = pytest.mark.quick

STREAMS = "streams.py"
"""The module that prints."""

WRITERS = {
    "source/replacing.py": "replays escape invisible characters, and texts of cards are written as their authors did",
    "cli/picture_files.py": "the writers of SVG and of pages do",
    "cli/cover.py": "so do those of pages and of tracefiles",
    "cli/print.py": "Typst draws letters as shapes, or keeps them in a PDF",
    "cli/row_files.py": "`json_text` writes what hides as escapes, and cells go through `visible`",
    "cli/exhaust.py": "it keeps a sentence while that is read",
    "source/file_reading.py": "it opens files by flags, all of which are for reading",
    "source/cache.py": "it keeps plain data and compiled code, for the program itself",
    "lsp/stdio.py": "JSON for an editor, which shows no escapes of a terminal",
    "testing/ruling_files.py": "it writes scalars of YAML, in which characters that hide are escaped",
    "studio/bundle.py": "it keeps the libraries of the editor as npm has them",
    "studio/pyodide.py": "so it does with Pyodide",
    "studio/archives.py": "it writes archives, and files for those who build them",
    "studio/compiling.py": "it writes an archive of compiled modules",
    "studio/choosing.py": "it writes names of modules, as JSON",
    "studio/exercise.py": "it copies shipped cards into a folder that nobody sees",
    "studio/export.py": "it writes the page as it lies in the package, and archives",
    "native/c_compiler.py": "it writes the C that it has compiled, in which there are names made of letters only",
}
"""Modules that write files, with why no text goes into one as it came."""

TO_TEXT = {"picture/terminal.py"}
"""Modules with a console of their own, which writes into a text and not to a terminal."""

NAMES = {"print", "input", "breakpoint"}
STREAM_NAMES = {"stdout", "stderr", "__stdout__", "__stderr__", "displayhook", "excepthook"}
MADE = {"Console", "ArgumentParser"}
SHOWN_ON = {"Progress", "Live", "Status"}
"""Displays of rich, which make a console of their own unless they are given one."""
MODULES_THAT_PRINT = {
    "builtins",
    "cmd",
    "code",
    "curses",
    "getpass",
    "logging",
    "pdb",
    "pprint",
    "pty",
    "subprocess",
    "syslog",
    "termios",
    "traceback",
    "tty",
    "warnings",
}
THAT_PRINT = {
    "rich.print",
    "rich.print_json",
    "rich.get_console",
    "rich.inspect",
    "rich.pretty.pprint",
    *(f"sys.{name}" for name in STREAM_NAMES),
}
STARTS = ("native/c_compiler.py", "source/git.py", "studio/bundle.py", "studio/pyodide.py")
"""The only modules that may start processes: the C compiler, git, and Node.js. They read the output of these, and give
them no input."""
MAKES_TEXT = {"traceback.format_exception"}
"""Functions that only make texts, which others print."""
WRITING = {"write", "write_text", "write_bytes", "writelines"}
FILES = {"open", "fdopen"}


def called(node: ast.Call) -> str:
    """The last part of the name of a called function."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def called_of(node: ast.Call) -> str:
    """The name of the object of a method call."""
    return getattr(node.func.value, "id", "") if isinstance(node.func, ast.Attribute) else ""


def given(node: ast.Call) -> set[str | None]:
    return {word.arg for word in node.keywords}


def opens_to_write(node: ast.Call) -> bool:
    """Whether a file is opened to be written to; a mode that is not spelt out is taken for one."""
    given = [word.value for word in node.keywords if word.arg in ("mode", "flags")]
    # The path comes first, except for a method of the path itself.
    first = 0 if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") not in ("os", "io") else 1
    modes = given or node.args[first : first + 1]
    return any(not isinstance(mode, ast.Constant) or set("wax+") & set(str(mode.value)) for mode in modes)


def imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def prints(node: ast.AST, name: str) -> Iterator[str]:
    """The parts of a node that could print, ask or write."""
    if isinstance(node, ast.Name) and node.id in NAMES:
        yield node.id
    if isinstance(node, ast.Attribute) and node.attr in STREAM_NAMES and getattr(node.value, "id", "") == "sys":
        yield f"sys.{node.attr}"
    for one in imports(node):
        if one == "subprocess" and name in STARTS:
            continue
        if (one.split(".")[0] in MODULES_THAT_PRINT and one not in MAKES_TEXT) or one in THAT_PRINT:
            yield one
    if isinstance(node, ast.Call):
        what = called(node)
        if what in MADE and not (what == "Console" and name in TO_TEXT):
            yield f"{what}()"
        if called_of(node) == "subprocess" and not all(word in given(node) for word in ("stdin", "stdout", "stderr")):
            yield f"{what}() of a process that could print or ask"
        if what in SHOWN_ON and not any(word.arg == "console" for word in node.keywords):
            yield f"{what}() without a console"
        is_file = isinstance(node.func, ast.Attribute) and (what in WRITING - {"write"} or is_write_of(node.func))
        if name not in WRITERS and (is_file or (what in FILES and opens_to_write(node))):
            yield f"{what}() of a file"


def is_write_of(method: ast.Attribute) -> bool:
    """Whether a `write` is that of the operating system, or of a stream; that of our own writers gives a mapping."""
    owner = method.value
    said = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
    return method.attr == "write" and said in {"os", "file", "stream", "buffer", "out", *STREAM_NAMES}


def violations(name: str, tree: ast.Module) -> list[str]:
    """Where a module prints by itself."""
    if name == STREAMS:
        return []
    found = [(node, what) for node in nodes_of(tree) for what in prints(node, name)]
    return [f"{name}:{getattr(node, 'lineno', 0)} uses {what}" for node, what in found]


def test_all_that_is_printed_goes_through_one_module() -> None:
    assert found_in_modules(lambda name, _, tree: violations(name, tree)) == {}


def test_the_exceptions_exist() -> None:
    assert {*WRITERS, *TO_TEXT, *STARTS, STREAMS} <= {name_of(file) for file in MODULES}


@pytest.mark.parametrize(
    "planted",
    [
        "print(name)",
        "shout = print",
        "import sys\nsys.stdout.write(name)",
        "import sys\nprogress(sys.stderr)",
        "import sys\nsys.__stdout__.write(name)",
        "from sys import stderr",
        "word = input(f'{player} > ')",
        "from rich.console import Console\nConsole().print(name)",
        "import rich.console\nrich.console.Console(stderr=True)",
        "from rich import print",
        "from rich.progress import Progress\nProgress()",
        "import argparse\nargparse.ArgumentParser(prog='x')",
        "import logging\nlogging.error(name)",
        "import warnings\nwarnings.warn(name)",
        "import traceback\ntraceback.print_exc()",
        "import os\nos.write(1, data)",
        "import os\nos.fdopen(1, 'w')",
        "open('/dev/tty', 'w').write(name)",
        "path.open('w')",
        "path.open(mode)",
        "path.write_text(name)",
        "def late():\n    class A:\n        def f(self):\n            print(self)",
    ],
)
def test_direct_prints_are_found(planted: str) -> None:
    assert violations("cli/planted.py", tree_of(planted)) != []


def test_a_process_that_could_print_or_ask_is_found() -> None:
    name = STARTS[0]
    assert violations("cli/planted.py", tree_of("import subprocess")) != []
    assert violations(name, tree_of("import subprocess\nsubprocess.run([name], stdout=PIPE, stderr=PIPE)")) != []
    fine = "import subprocess\nsubprocess.run([name], stdin=DEVNULL, stdout=PIPE, stderr=PIPE)"
    assert violations(name, tree_of(fine)) == []


@pytest.mark.parametrize(
    "fine",
    [
        "say(name)",
        "console().print(name)",
        "path.open('rb')",
        "open(path, encoding='utf-8')",
        "self.makeup.write(memory)",
        "import sys\nsys.stdin.isatty()",
        "Progress(*columns, console=shown)",
        "shown: Console = console()",
    ],
)
def test_prints_through_the_printer_are_allowed(fine: str) -> None:
    assert violations("cli/planted.py", tree_of(fine)) == []
