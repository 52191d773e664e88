"""Imports between layers: they run one way along the pipeline; the tools are on top of it."""

from __future__ import annotations

import ast

import pytest
from conventions_support import MODULES, PACKAGE, found_in_modules, name_of, nodes_of, tree_of

pytestmark = pytest.mark.quick

ALLOWED: dict[str, set[str]] = {
    # The pipeline, in its order. Even findings are made of `source.text`, so it is below them, and so are the bounds of
    # all of it, `source.limits`; the classes of all of it are made by `source.records`, and by `source.repository`
    # findings name their files for GitHub.
    "source": {"diagnostics"},
    "diagnostics": {"source.text", "source.limits", "source.records", "source.repository"},
    "documents": {"source", "diagnostics"},
    "syntax": {"source", "diagnostics"},
    "ir": {"source.text", "source.records"},
    "resolve": {"source", "diagnostics", "documents", "syntax", "ir"},
    "lowering": {"source.text", "source.limits", "source.records", "ir"},
    "engine": {"source.text", "source.limits", "source.records", "ir", "lowering"},
    "native": {"source.cache", "source.programs", "source.limits", "source.records", "source.text", "ir", "lowering"},
    "paraphrase": {"source", "diagnostics", "documents", "syntax", "resolve", "ir"},
    "game": {"source", "diagnostics", "documents", "syntax.words", "resolve", "ir", "lowering", "engine", "native"},
    # The tools: on top of the API for users (`game`), and of findings.
    "lint": {"source", "diagnostics", "documents", "syntax", "resolve", "ir", "game", "scripts", "format", ""},
    "format": {"source", "diagnostics", "documents", "syntax", "resolve", ""},
    "words": {"source", "documents", "syntax", "game"},
    "scripts": {"source", "diagnostics", "documents", "game", "lowering.board"},
    "rulings": {"source", "diagnostics", "documents", "game", "scripts"},
    "explain": {"source", "diagnostics", "documents", "syntax", "rulings", "game", ""},
    "picture": {"source", "diagnostics", "documents", "game", "lowering.board"},
    "replay": {"source", "diagnostics", "documents", "game", "picture"},
    "bots": {"source", "diagnostics", "documents", "game", "lowering.board", "picture"},
    # The language server gives editors the results of the linter, the formatter and the paraphrase; and it plays, for
    # clients that show more than text.
    "lsp": {
        "source",
        "diagnostics",
        "documents",
        "syntax",
        "game",
        "lint",
        "format",
        "paraphrase",
        "rulings",
        "words",
        "picture",
        "bots",
        "replay",
        "testing",
        "balance",
        "paper.game_parts",
        "paper.ranges",
        "paper.pages",
        "templates",
        "",
    },
    # The property-testing kit uses all parts of a game.
    "testing": {
        "source",
        "diagnostics",
        "documents",
        "syntax",
        "ir",
        "resolve",
        "lowering",
        "engine",
        "native.c_compiler",
        "paraphrase",
        "game",
        "lint",
        "scripts",
        "rulings",
        "picture",
        "replay",
        "bots",
        "workers",
        "",
    },
    # Work is sent to others with the documents of its games.
    "workers": {"source", "game", ""},
    # New documents.
    "templates": {"source", "diagnostics", "documents", "game", "format"},
    # Pages on paper; ranges are found by playing positions of the kit.
    "paper": {
        "source",
        "documents",
        "resolve",
        "ir",
        "game",
        "picture",
        "testing",
        "lowering.board",
        "diagnostics.visible",
    },
    # Games between bots, and the strength of cards that follows from them; its report has cards as they are printed.
    "balance": {"diagnostics", "documents", "game", "lowering.board", "paper.game_parts", "source", "testing"},
    # Environments for programs that learn, on the native machine, with bots as opponents.
    "rl": {"bots", "game", "ir.ruleset", "lowering", "native"},
    # The page of the studio talks to the language server; its export keeps the files that a first lint reads.
    "studio": {
        "source",
        "diagnostics.visible",
        "lint",
        "lsp",
        "resolve.parsed_blocks",
        "game",
        "native.c_compiler",
        "",
    },
    "cli": {
        "source",
        "diagnostics",
        "documents",
        "syntax",
        "resolve",
        "lowering",
        "native",
        "game",
        "scripts",
        "rulings",
        "picture",
        "replay",
        "bots",
        "lint",
        "format",
        "explain",
        "paraphrase",
        "testing",
        "balance",
        "paper",
        "templates",
        "studio",
        "workers",
        "",
    },
    # The package itself only hands out the public names, and prints; "" above is its version, and printing.
    "": {"game", "diagnostics.suggest", "diagnostics.visible"},
}
"""For each package, what it may import: a whole package, or one module of it."""

BELOW_EVERYTHING = {"source/text.py", "source/limits.py", "source/records.py", "source/repository.py"}


def imported(tree: ast.Module) -> list[tuple[int, str]]:
    """The imports of a module from this package, as `package.module`, with the lines."""
    found = []
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are written out in full"
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    ours = [(line, name.split(".")[1:3]) for line, name in found if name.split(".")[0] == "warchest"]
    packages = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    return [(line, ".".join(parts) if parts and parts[0] in packages else "") for line, parts in ours]


def package_of(name: str) -> str:
    """The package of a module; `python -m warchest` is the command line."""
    return name.split("/")[0] if "/" in name else "cli" if name == "__main__.py" else ""


def violations(name: str, tree: ast.Module) -> list[str]:
    """Imports that the table does not allow to the module called `name`."""
    package = package_of(name)
    allowed = ALLOWED.get(package, set())
    found = []
    for line, target in imported(tree):
        other = target.split(".")[0]
        inside = other == package and name not in BELOW_EVERYTHING
        if not inside and other not in allowed and target not in allowed:
            found.append(f"{name}:{line} imports {target or 'warchest'}")
    return found


def test_imports_run_one_way() -> None:
    assert found_in_modules(lambda name, _, tree: violations(name, tree)) == {}


def test_every_package_has_its_row() -> None:
    packages = {package_of(name_of(file)) for file in MODULES}
    assert packages - ALLOWED.keys() == set()


def test_the_table_runs_one_way() -> None:
    """No package can be reached from itself; modules below everything belong to none."""
    below = {file.removesuffix(".py").replace("/", ".") for file in BELOW_EVERYTHING}
    reach = {
        package: {entry.split(".")[0] for entry in row - below} - {""} for package, row in ALLOWED.items() if package
    }
    for package in reach:
        seen: set[str] = set()
        edge = set(reach[package])
        while edge:
            seen |= edge
            edge = {further for one in edge for further in reach[one]} - seen
        assert package not in seen


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("engine/runs.py", "from warchest.syntax import ast"),
        ("engine/runs.py", "from warchest.source.yaml import parse"),
        ("engine/runs.py", "import warchest.resolve.resolve"),
        ("syntax/parse.py", "from warchest.resolve.model import declare"),
        ("source/text.py", "from warchest.source.file_reading import decode"),
        ("diagnostics/codes.py", "from warchest.source.file_reading import decode"),
        ("resolve/resolve.py", "def late():\n    from warchest.engine.runs import Run"),
        ("ir/values.py", "from warchest import load"),
        ("somewhere/new.py", "from warchest.source.text import Span"),
    ],
)
def test_a_planted_import_is_found(name: str, line: str) -> None:
    assert len(violations(name, tree_of(line))) == 1
