"""All input is data: no file that is read can make Python run code."""

from __future__ import annotations

import ast

import pytest
from conventions_support import found_in_modules, nodes_of, tree_of

pytestmark = pytest.mark.quick

RUN_WHAT_THEY_READ = {"pickle", "_pickle", "marshal", "shelve", "dbm", "dill", "cloudpickle", "joblib", "runpy"}
"""Modules that make objects, or run modules, from their input."""
YAML_THAT_MAKES_OBJECTS = {
    "load",
    "load_all",
    "unsafe_load",
    "unsafe_load_all",
    "full_load",
    "full_load_all",
    "UnsafeLoader",
    "FullLoader",
    "Loader",
    "CLoader",
    "CFullLoader",
    "CUnsafeLoader",
}

OF_OWN_PROCESSES = {
    "parallel.py",
    "workers/sending.py",
    "workers/doing.py",
    "workers/processes.py",
    "native/option_keys.py",
}
"""Modules that read only data of processes of this very command, through private pipes, or of the scheduler of a
cluster, which could have its workers run anything; or of the native machine, which is part of this process.
"""

MAKES_PARSERS = {"Lark", "open", "open_from_package"}


def runs(tree: ast.Module) -> list[str]:
    """The places where a module may run its input."""
    found: list[tuple[int, str]] = []
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            found += [(node.lineno, name) for name in names if name.split(".")[0] in RUN_WHAT_THEY_READ]
        elif isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] in RUN_WHAT_THEY_READ:
            found.append((node.lineno, str(node.module)))
        elif isinstance(node, ast.ImportFrom) and node.module == "yaml":
            found += [(node.lineno, one.name) for one in node.names if one.name in YAML_THAT_MAKES_OBJECTS]
        elif isinstance(node, ast.Attribute) and node.attr in YAML_THAT_MAKES_OBJECTS:
            # `load` is a name of Lark's, too.
            said = ast.unparse(node).removeprefix("lark.")
            found += [(node.lineno, said)] if said in (f"yaml.{node.attr}", "Lark.load") else []
        elif isinstance(node, ast.Call) and any(one.arg == "cache" for one in node.keywords):
            # Lark keeps its tables as pickles.
            found += [(node.lineno, "Lark's cache")] if ast.unparse(node.func).split(".")[-1] in MAKES_PARSERS else []
    return [f"{line}: {what}" for line, what in found]


def test_no_module_runs_its_input() -> None:
    assert found_in_modules(lambda name, _, tree: name not in OF_OWN_PROCESSES and runs(tree)) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import pickle", ["1: pickle"]),
        ("def f():\n    from pickle import loads", ["2: pickle"]),
        ("import json, marshal", ["1: marshal"]),
        ("import yaml\nyaml.load(text, Loader=yaml.CLoader)", ["2: yaml.load", "2: yaml.CLoader"]),
        ("from yaml import FullLoader", ["1: FullLoader"]),
        ("Lark(grammar, cache=True)", ["1: Lark's cache"]),
        ("lark.Lark.open(file, cache=name)", ["1: Lark's cache"]),
        ("lark.Lark.load(file)", ["1: Lark.load"]),
        ("import json\njson.loads(text)\nparser = Lark(grammar)", []),
    ],
)
def test_planted_calls_are_found(text: str, found: list[str]) -> None:
    assert runs(tree_of(text)) == found
