"""The statements of SECURITY.md on programs that are started, on code that is loaded, and on bounds, are true."""

from __future__ import annotations

import ast
import re
from functools import cache
from types import ModuleType

import pytest
from docs_support import PACKAGE, ROOT

from warchest.native import c_compiler
from warchest.source import cache as kept
from warchest.source import git

pytestmark = pytest.mark.quick

PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
STARTING = {"subprocess", "multiprocessing", "pty", "asyncio", "concurrent", "webbrowser", "pydoc", "_posixsubprocess"}
STARTING |= {"loky", "distributed"}
"""Modules that start processes."""
CONNECTING = {
    "socket",
    "ssl",
    "http",
    "urllib",
    "ftplib",
    "smtplib",
    "xmlrpc",
    "telnetlib",
    "requests",
    "httpx",
    "distributed",
}
STARTING_OF_OS = re.compile(r"(exec|spawn|fork|popen|system|posix_spawn|startfile)\w*")
LOADING = {"CDLL", "PyDLL", "WinDLL", "LoadLibrary", "dlopen"}
BOUNDS = {
    "time for an answer of git": (git, "SECONDS", "seconds", 1),
    "time for a compiler to print its version": (c_compiler, "ASKING", "seconds", 1),
    "time to compile a game, and again to link it": (c_compiler, "PATIENCE", "seconds", 1),
    "time to compile all units of a game for a wheel": (c_compiler, "PATIENCE_TRAINED", "minutes", 60),
    "memory of one call of a compiler": (c_compiler, "COMPILER_MEMORY", "MiB", 2**20),
    "time of a processor for one call of a compiler": (c_compiler, "COMPILER_SECONDS", "seconds", 1),
    "size of the cached files of each kind; files unused for longest are deleted": (kept, "MOST_BYTES", "MiB", 2**20),
    "number of cached files of each kind": (kept, "MOST_RECORDS", "files", 1),
    "age of cached files, since they were used or written": (kept, "MOST_DAYS", "days", 1),
    "age of incomplete files": (kept, "FORGOTTEN", "minutes", 60),
}


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading."""
    part = PAGE.partition(f"### {heading}\n")[2].partition("\n#")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line[:1] == "|"]
    return rows[2:]


@cache
def nodes(text: str) -> list[ast.AST]:
    """Return the nodes of a module."""
    return list(ast.walk(ast.parse(text)))


def starts(text: str) -> set[str]:
    """Return the names in a module that start a process, or load code."""
    found: set[str] = set()
    for node in nodes(text):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names if one.name.partition(".")[0] in STARTING}
        elif isinstance(node, ast.ImportFrom):
            module, names = str(node.module), {one.name for one in node.names}
            found |= {module} if module.partition(".")[0] in STARTING else set()
            found |= {one for one in names if module == "os" and STARTING_OF_OS.fullmatch(one)} | (names & LOADING)
        elif isinstance(node, ast.Attribute):
            of_os = isinstance(node.value, ast.Name) and node.value.id in ("os", "posix")
            found |= {node.attr} if of_os and STARTING_OF_OS.fullmatch(node.attr) else set()
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOADING:
            found.add(node.func.attr)
    return found


def test_modules_that_start_or_load_programs_are_listed() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if starts(path.read_text(encoding="utf-8"))
    }
    assert found == {row[-1].strip("`") for row in table("Programs and code that are started and loaded")}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import subprocess", {"subprocess"}),
        ("from multiprocessing.pool import Pool", {"multiprocessing.pool"}),
        ("import os\nos.execv(a, b)\nos.path.join(a)", {"execv"}),
        ("from os import system", {"system"}),
        ("import ctypes\nctypes.CDLL(a)", {"CDLL"}),
        ("import os\nos.listdir(a)", set()),
    ],
)
def test_the_scan_sees_what_starts_and_loads(text: str, found: set[str]) -> None:
    assert starts(text) == found


LISTENING = {"lsp/sockets.py": {"socket"}, "studio/local_server.py": {"socket"}}
"""The modules that listen for connections, with the modules of Python that they use for it."""


JOINING = {"workers/cluster.py": {"distributed"}}
"""The module that connects to the cluster that the user names."""


def test_only_listed_modules_connect() -> None:
    for path in PACKAGE.rglob("*.py"):
        for node in nodes(path.read_text(encoding="utf-8")):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            found = {one.partition(".")[0] for one in names} & CONNECTING
            assert found <= {**LISTENING, **JOINING}.get(path.relative_to(PACKAGE).as_posix(), set()), path


def test_a_server_only_listens() -> None:
    for name in LISTENING:
        called = {
            node.attr for node in nodes((PACKAGE / name).read_text(encoding="utf-8")) if isinstance(node, ast.Attribute)
        }
        assert not {"connect", "connect_ex", "create_connection"} & called and "create_server" in called


def test_bounds_are_those_of_the_package() -> None:
    told = {what: f"{getattr(module, name) / unit:,.0f} {word}" for what, (module, name, word, unit) in BOUNDS.items()}
    assert dict(table("Bounds")) == told


@pytest.mark.parametrize("module", [git, c_compiler, kept])
def test_every_bound_is_listed(module: ModuleType) -> None:
    """A new number in one of these modules belongs into the table `Bounds` of SECURITY.md, and into BOUNDS here."""
    numbers = {
        name
        for name, value in vars(module).items()
        if re.fullmatch(r"[A-Z][A-Z_]+", name) and type(value) in (int, float)
    }
    assert numbers == {name for of, name, _, _ in BOUNDS.values() if of is module}
