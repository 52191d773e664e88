"""The pages about the Python API, made from the docstrings of all public names.

`python tests/docs/api_support.py` writes them again.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import warchest
from warchest import format, rl, testing, words

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
WIDTH = 120
NAMES: dict[ModuleType, tuple[str, ...]] = {
    warchest: (
        "load",
        "Game",
        "State",
        "Decision",
        "Option",
        "OptionPlace",
        "Outcome",
        "Event",
        "ToldPiece",
        "Clause",
        "LogEntry",
        "BoardMap",
        "Space",
        "CardError",
        "PositionError",
        "OptionError",
        "EndlessError",
    ),
    format: ("formatted",),
    words: ("words_at", "NextWord"),
    rl: ("Batch", "GameStatus", "TableEnv", "VectorEnv", "open_spiel_game"),
    testing: (
        "property",
        "VacuousError",
        "Step",
        "steps",
        "explore",
        "GameMachine",
        "positions",
        "armies",
        "games",
        "contests",
        "Contests",
        "plays",
        "cards",
        "differences",
        "Compared",
        "Difference",
        "coverage",
        "CoverageReport",
        "mutants",
        "Trial",
        "to_ruling",
        "shrunk",
    ),
}
"""The public modules, each with its public names in the order in which one meets them."""
INNER = {
    "BoardMap": {"board"},
    "Decision": {"clause", "moment"},
    "Game": {"beginning", "contents", "digest", "digest_without_sheets", "layers", "paths", "played_on", "variant"},
    "Option": {"about", "declines", "repeats"},
    "GameMachine": {"begin", "step"},
    "State": {"advance", "count", "history", "point", "run", "thorough", "worlds"},
}
"""Members that only the package itself and its tools use."""
HEAD = """\
# The Python API

<!-- Made from the docstrings by `python tests/docs/api_support.py`; do not edit. -->

All public names of `warchest`, `warchest.format` and `warchest.words`, with their public members:
`load` returns a game, a game makes states, a state has a question and takes options. Other members are the package's
own.
[The README](../../README.md#from-python) has an example of all this, [search.md](../guides/search.md) one of a bot that
looks ahead.

[`warchest.testing`](api-testing.md) and [`warchest.rl`](api-rl.md) have pages of their own.

In what follows, `Random` is anything with a `randrange` like that of `random.Random`; `Armies` are names of documents
by player; `DocumentPath` is a text or a `Path`; `GivenTexts` are texts, or None, by path; a `StateMark` is only handed
back. `PositionData` is a position as a mapping.
"""
TESTING_HEAD = """\
# The Python API for tests

<!-- Made from the docstrings by `python tests/docs/api_support.py`; do not edit. -->

All public names of `warchest.testing`. [Testing cards in Python](../guides/testing-python.md) has examples, and [the
Python API](api.md) the other names.

In what follows, `PositionData` is a position as a mapping; a `Demand` is a function of a `Step` that fails, a `Need`
one that tells whether it counts; `HeldTokens` are `"useful"` or `"any"`; `st` are the strategies of Hypothesis.
"""

LEARNING_HEAD = """\
# The Python API for programs that learn

<!-- Made from the docstrings by `python tests/docs/api_support.py`; do not edit. -->

All public names of `warchest.rl`. [Environments for programs that learn](../guides/rl.md) explains them, and the page
[The Python API](api.md) has the other names. `Integers` are arrays of int32; `Infos` are arrays by name; an `AgentView`
has the arrays `observation` and `action_mask`; `USUAL_CAP` is 1000.
"""


def pages() -> dict[Path, str]:
    """Return the text of each page."""
    own = {testing: ("api-testing.md", TESTING_HEAD), rl: ("api-rl.md", LEARNING_HEAD)}
    found = {FOLDER / file: _page(head, [module]) for module, (file, head) in own.items()}
    return {FOLDER / "api.md": _page(HEAD, [module for module in NAMES if module not in own]), **found}


def _page(head: str, modules: Sequence[ModuleType]) -> str:
    parts = [head]
    for module in modules:
        for name in NAMES[module]:
            parts.append("\n".join(_section(module.__name__, name, getattr(module, name))))
    return "\n".join(parts).rstrip("\n") + "\n"


def members(name: str) -> set[str]:
    """Return the public members of a class, those without a description among them."""
    thing = next(getattr(module, name) for module in NAMES if hasattr(module, name))
    return {member for member, _, _ in _members(_node(thing))}


def _node(thing: Any) -> Any:
    """Return the definition of a class or a function in the source."""
    tree = ast.parse(Path(inspect.getfile(thing)).read_text(encoding="utf-8"))
    return next(one for one in tree.body if getattr(one, "name", "") == thing.__name__)


def _section(module: str, name: str, thing: Any) -> Iterator[str]:
    node = _node(thing)
    if isinstance(node, ast.FunctionDef):
        yield from (f"## `{module}.{name}`", "", _filled(f"`{_signature(node, name)}`"), "", _prose(node), "")
        return
    bases = [base.__name__ for base in thing.__bases__ if base.__module__ == "builtins" and base is not object]
    yield from (f"## `{module}.{name}`" + "".join(f" (a `{base}`)" for base in bases), "", _prose(node), "")
    listed = [one for one in _members(node) if one[0] not in INNER.get(name, ())]
    fields = [said for _, said, text in listed if not text]
    if fields:
        yield from (_filled(f"Fields: {', '.join(f'`{said}`' for said in fields)}."), "")
    made = _made(node) if module == rl.__name__ else []
    told = [_filled(f"- **`{said}`**: {text}", "  ") for _, said, text in [*made, *listed] if text]
    yield from (*told, "") if told else ()


def _made(node: ast.ClassDef) -> list[tuple[str, str, str]]:
    """Return how things of a class are made, as a member."""
    return [
        (node.name, _signature(one, node.name).rpartition(" -> ")[0], " ".join((ast.get_docstring(one) or "").split()))
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.name == "__init__"
    ]


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Yield the public members of a class: the name, how it is used, and the text of its docstring.

    Fields may go without one, where the docstring of the class describes them.
    """
    for one, behind in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and one.target.id[0] != "_":
            told = behind.value if isinstance(behind, ast.Expr) else None
            text = str(told.value) if isinstance(told, ast.Constant) else ""
            yield one.target.id, f"{one.target.id}: {ast.unparse(one.annotation)}", " ".join(text.split())
        elif isinstance(one, ast.FunctionDef) and one.name[0] != "_":
            decorators = {ast.unparse(decorator) for decorator in one.decorator_list}
            if any(decorator.endswith(".setter") for decorator in decorators):
                continue
            read = decorators & {"property", "cached_property"}
            said = f"{one.name}: {_returned(one)}" if read else _signature(one, one.name)
            yield one.name, said, " ".join((ast.get_docstring(one) or "").split())


def _signature(node: ast.FunctionDef, name: str) -> str:
    taken = [one for one in node.args.args if one.arg not in ("self", "cls")]
    usual = [None] * (len(taken) - len(node.args.defaults)) + node.args.defaults
    said = [_argument(one, value) for one, value in zip(taken, usual, strict=True)]
    if node.args.vararg is not None:
        said.append(f"*{_argument(node.args.vararg, None)}")
    elif node.args.kwonlyargs:
        said.append("*")
    said += [_argument(one, value) for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]
    return f"{name}({', '.join(said)}) -> {_returned(node)}"


def _argument(one: ast.arg, usual: ast.expr | None) -> str:
    said = f"{one.arg}: {ast.unparse(one.annotation or ast.Constant(None))}"
    return said + (f" = {ast.unparse(usual)}" if usual is not None else "")


def _returned(node: ast.FunctionDef) -> str:
    return ast.unparse(node.returns) if node.returns is not None else "None"


def _filled(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def _prose(node: ast.ClassDef | ast.FunctionDef) -> str:
    paragraphs = (ast.get_docstring(node) or "").split("\n\n")
    return "\n\n".join(_filled(" ".join(one.split())) for one in paragraphs)


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
