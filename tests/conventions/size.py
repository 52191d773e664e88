"""The counts that limit the size of the code: `python tests/conventions/size.py` prints them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

from conventions_support import PACKAGE, modules, nodes_of

BEYOND = ("lsp", "studio")
"""The folders that are not counted among the source lines: the language server, and the studio on it."""
_SKIP = "# fmt: skip"


def source_lines() -> Counter[str]:
    """The lines of Python and C by the folder of the package that they are in."""
    lines = Counter[str]()
    for file in sorted(PACKAGE.rglob("*")):
        if file.suffix in (".py", ".c", ".h"):
            lines[_folder(file)] += file.read_text(encoding="utf-8").count("\n")
    return lines


def _folder(file: Path) -> str:
    parts = file.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else "."


def named_alike() -> dict[str, list[str]]:
    """The names that several modules have, each with their folders."""
    found: dict[str, list[str]] = {}
    for name in modules():
        folder, _, stem = name.rpartition("/")
        found.setdefault(stem, []).append(folder)
    return {stem: folders for stem, folders in found.items() if len(folders) > 1 and not stem.startswith("__")}


@cache
def _bases() -> dict[str, tuple[str, ...]]:
    """The names of the bases of each class; no two classes of the package have one name."""
    classes = (one for _, tree in modules().values() for one in nodes_of(tree) if isinstance(one, ast.ClassDef))
    return {one.name: tuple(_plain(base) for base in one.bases) for one in classes}


def _plain(base: ast.expr) -> str:
    """The name of a base, without its module and its parameters."""
    base = base.value if isinstance(base, ast.Subscript) else base
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def chain(name: str) -> tuple[str, ...]:
    """The longest chain of classes of the package from a class to its last base."""
    longest = max((chain(base) for base in _bases().get(name, ()) if base in _bases()), key=len, default=())
    return (name, *longest)


def deepest() -> tuple[str, ...]:
    """The longest chain of classes of all."""
    return max((chain(name) for name in _bases()), key=lambda found: (len(found), found))


def annotations(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the annotations of a module."""
    for node in nodes_of(tree):
        for one in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(one, ast.expr):
                yield one


def any_annotations() -> int:
    """How often annotations name `Any`."""
    trees = (tree for _, tree in modules().values())
    return sum(
        isinstance(one, ast.Name) and one.id == "Any"
        for tree in trees
        for annotation in annotations(tree)
        for one in ast.walk(annotation)
    )


def skips() -> int:
    """How many places the formatter leaves alone."""
    return sum(text.count(_SKIP) for text, _ in modules().values())


def unwritten() -> int:
    """How many methods only announce a method of another class: `raise NotImplementedError`."""
    nodes = (one for _, tree in modules().values() for one in nodes_of(tree) if isinstance(one, ast.Raise))
    return sum(isinstance(one.exc, ast.Name) and one.exc.id == "NotImplementedError" for one in nodes)


def homes_of_ir() -> dict[str, int]:
    """In how many modules each value, condition and step of the IR is named, those of the IR apart."""
    defined = {
        node.name
        for name in ("ir/values.py", "ir/steps.py")
        for node in modules()[name][1].body
        if isinstance(node, ast.ClassDef)
    }
    homes = Counter[str]()
    for name, (_, tree) in modules().items():
        if not name.startswith("ir/"):
            said = {one.id for one in nodes_of(tree) if isinstance(one, ast.Name)}
            homes.update(defined & (said | {one.attr for one in nodes_of(tree) if isinstance(one, ast.Attribute)}))
    return {name: homes[name] for name in sorted(defined)}


def counts() -> dict[str, int]:
    """The counts that only fall."""
    lines = source_lines()
    return {
        "source lines": sum(lines.values()),
        "source lines without server and studio": sum(count for folder, count in lines.items() if folder not in BEYOND),
        "module names that several modules have": len(named_alike()),
        "classes in the longest chain of bases": len(deepest()),
        "methods that only announce": unwritten(),
        "places that the formatter leaves alone": skips(),
        "`Any` in annotations": any_annotations(),
        "modules that name a part of the IR (median)": int(median(homes_of_ir().values())),
    }


if __name__ == "__main__":
    for what, count in counts().items():
        print(f"{count:7,}  {what}")
    for folder, count in source_lines().most_common():
        print(f"{count:7,}  lines in {folder}")
    print("alike: " + ", ".join(f"{stem} ({len(folders)})" for stem, folders in sorted(named_alike().items())))
    print("the longest chain: " + " < ".join(deepest()))
