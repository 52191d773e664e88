"""No input makes a regular expression slow: each of the package's is tried on long hostile texts."""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pkgutil import walk_packages
from time import process_time
from typing import Any

import pytest
from conventions_support import ROOT, modules, nodes_of

import warchest
from seeds import quick
from warchest.source.hints import HINTS

LENGTHS, LONGER = (1_000, 4_000), 10
"""There are thousands of texts of these lengths to a pattern, and a few that are `LONGER` times longer than each."""
MOST = 1e-5
"""The seconds that a text may take for each of its characters: what is linear takes a hundredth of that or less."""
METHODS = ("match", "fullmatch", "search", "finditer")
AS = {"findall": "finditer", "sub": "finditer", "subn": "finditer", "split": "finditer"}
"""Methods that go through a text as another one does."""
NOT_WRITTEN_OUT = {
    # The patterns of the schemas, which are tried below.
    "documents/formats.py",
    "source/plain_values.py",
    # The complaints of parsers, which are tried below, too.
    "source/hints.py",
    # Words from lists of ours, and one letter.
    "lint/jobs.py",
    "diagnostics/visible.py",
    "game/borne_documents.py",
    "cli/script.py",
    "lsp/links.py",
    # A pattern that is a part of another one.
    "game/telling/phrases.py",
    # Words of a sentence, escaped, with blanks between them.
    "lsp/completion.py",
    "lsp/inlay_hints.py",
    # The patterns of `.gitignore`, which tests/source/test_ignoring.py tries.
    "source/ignoring.py",
}
"""The modules with patterns that are made of something when the program runs."""

PARSER: Any = importlib.import_module("re._parser")
Try = tuple[re.Pattern[str], str]


# ---- the patterns


@lru_cache(maxsize=1)
def used() -> dict[tuple[str, str], set[str]]:
    """The methods that use patterns, by the module and the name of the variable that holds them there."""
    found: dict[tuple[str, str], set[str]] = {}
    for name, (_, tree) in modules().items():
        for node in nodes_of(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                method = AS.get(node.attr, node.attr)
                if method in METHODS:
                    found.setdefault((name, node.value.id), set()).add(method)
    return found


def kept() -> Iterator[Try]:
    """The patterns that modules hold, also in mappings, each with the methods that the module calls on it."""
    for module in walk_packages(warchest.__path__, "warchest."):
        if module.name.endswith("__main__"):
            continue
        file = module.name.removeprefix("warchest.").replace(".", "/") + ".py"
        for name, value in vars(importlib.import_module(module.name)).items():
            for one in value.values() if isinstance(value, dict) else [value]:
                if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                    # Where it is handed on under another name its uses are unknown.
                    methods = used().get((file, name)) or (() if name in imported(file) else METHODS)
                    yield from ((one, method) for method in sorted(methods))


@lru_cache
def imported(file: str) -> set[str]:
    """The names that a module has from others."""
    _, tree = modules()[file]
    return {one.name for node in nodes_of(tree) if isinstance(node, ast.ImportFrom) for one in node.names}


def on_the_spot() -> Iterator[tuple[str, str, str]]:
    """The patterns that are handed to functions of `re`: the module, the function and the argument."""
    for name, (_, tree) in modules().items():
        for node in nodes_of(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                owner = node.func.value
                if isinstance(owner, ast.Name) and owner.id == "re":
                    constant = node.args[0]
                    written = constant.value if isinstance(constant, ast.Constant) else ""
                    yield name, node.func.attr, str(written)


def of_schemas(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("pattern"), str):
            yield part["pattern"]
        yield from part.get("patternProperties", ())
        part = list(part.values())
    for inner in part if isinstance(part, list) else ():
        yield from of_schemas(inner)


@lru_cache(maxsize=1)
def all_tries() -> dict[Try, None]:
    """Every pattern with every method that is called on it."""
    tries = list(kept())
    for _, function, written in on_the_spot():
        if written and function != "compile":
            tries.append((re.compile(written), AS.get(function, function)))
        elif written:
            # Kept by a module, mostly; where it is not, its method follows at once.
            tries += [(re.compile(written), "match")]
    for file in sorted((ROOT / "schemas").glob("*.json")):
        tries += [(re.compile(one), "search") for one in of_schemas(json.loads(file.read_text(encoding="utf-8")))]
    tries += [(re.compile(hint.pattern), "search") for hint in HINTS]
    return dict.fromkeys(tries)


# ---- what they are tried on

OTHERS = "a1 \t\n#:(é\u200d"
"""Characters that patterns name or leave out: one of each sort."""


def characters_of(part: Any) -> str:
    """One character of each sort that a part of a pattern can take."""
    found = ""
    for name, value in part:
        match str(name):
            case "LITERAL":
                found += chr(value)
            case "NOT_LITERAL" | "ANY":
                found += "".join(one for one in OTHERS if one != "\n" and value != ord(one))
            case "IN":
                found += _of_class(value)
            case "BRANCH":
                found += "".join(characters_of(branch) for branch in value[1])
            case "SUBPATTERN" | "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                found += characters_of(value[-1])
            case "ATOMIC_GROUP":
                found += characters_of(value)
    return "".join(dict.fromkeys(found))


def _of_class(items: Any) -> str:
    named = ""
    for name, value in items:
        match str(name):
            case "LITERAL":
                named += chr(value)
            case "RANGE":
                named += chr(value[0])
            case "CATEGORY":
                named += {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " \n", "CATEGORY_WORD": "a1"}.get(str(value), "a#")
    negated = any(str(name) == "NEGATE" for name, _ in items)
    taken = "".join(one for one in OTHERS if one not in named) if negated else named
    # Long lists of signs are all alike.
    return taken[:6]


def ways_into(part: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """The shortest text before each repetition in a pattern, and a text that can be repeated there."""
    for name, value in part:
        match str(name):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                if value[1] > 9:
                    yield from ((before, one) for one in characters_of(value[2]))
                    # The repeated part may be several things in a row.
                    yield before, shortest(value[2])
                yield from ways_into(value[2], before)
                before += shortest(value[2]) * value[0]
            case "SUBPATTERN":
                yield from ways_into(value[-1], before)
                before += shortest(value[-1])
            case "BRANCH":
                for branch in value[1]:
                    yield from ways_into(branch, before)
                before += shortest(value[1][0])
            case _:
                before += shortest([(name, value)])


def shortest(part: Any) -> str:
    """The shortest text that a part of a pattern takes, or one about as short."""
    text = ""
    for name, value in part:
        match str(name):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                text += shortest(value[2]) * value[0]
            case "SUBPATTERN":
                text += shortest(value[-1])
            case "ATOMIC_GROUP":
                text += shortest(value)
            case "BRANCH":
                text += shortest(value[1][0])
            case "AT" | "ASSERT" | "ASSERT_NOT":
                continue
            case _:
                text += characters_of([(name, value)])[:1]
    return text


def hostile(pattern: re.Pattern[str], long: int) -> Iterator[str]:
    """Texts that lead a pattern into each of its repetitions, go on for long, and end in another way than it needs."""
    tree = PARSER.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    ends = ["", *OTHERS, ")", '"']
    for before, repeated in dict.fromkeys(ways_into(tree)):
        if repeated:
            for end in ends:
                yield before + repeated * (long // len(repeated)) + end
                yield before + (repeated * 9 + end) * (long // (9 * len(repeated) + 1))
    yield from (one * long * LONGER for one in dict.fromkeys(characters_of(tree) + OTHERS))


def exhaust(found: Any) -> None:
    for _ in found if hasattr(found, "__next__") else ():
        pass


def slow(pattern: re.Pattern[str], method: str) -> str:
    """The beginning of the first hostile text that takes too long; empty if none does."""
    run: Callable[[str], Any] = getattr(pattern, method)
    for text in (one for length in LENGTHS for one in hostile(pattern, length)):
        # A single slow run may have other causes, but not if it is as slow as that.
        first = seconds(run, text)
        if first > MOST * len(text) and (first > 0.5 or all(seconds(run, text) > MOST * len(text) for _ in range(2))):
            return f"{text[:20]!r} … {text[-5:]!r}"
    return ""


def seconds(run: Callable[[str], Any], text: str) -> float:
    start = process_time()
    exhaust(run(text))
    return process_time() - start


@pytest.mark.parametrize("number", quick([*range(8)], 1))
def test_no_pattern_is_slow(number: int) -> None:
    tries = list(all_tries())[number::8]
    assert [(one.pattern, method, text) for one, method in tries if (text := slow(one, method))] == []


@pytest.mark.quick
@pytest.mark.parametrize(
    ("written", "flags", "method"),
    [
        # Former patterns: for blanks in a line, marks without width, digits before a letter, blanks in a name.
        (r"^[a-z]+: *([^\s#].*?)[ \t]*(?: #.*)?$", re.MULTILINE, "finditer"),
        ("(?<=[\x20-\x7e])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x20-\x7e])", 0, "finditer"),
        (r"[ \t\r\n]+|#[^\n]*|[0-9]+-[0-9]+\b|[0-9]+\b|[A-Za-z][A-Za-z'-]*|.", re.DOTALL, "finditer"),
        (r"([^()]+?)\s*(?:\((.*)\))?!", 0, "fullmatch"),
        (r"(\S+ [0-9]+) (.+)", 0, "search"),
    ],
)
def test_a_slow_pattern_is_found(written: str, flags: int, method: str) -> None:
    assert slow(re.compile(written, flags), method)


@pytest.mark.quick
def test_patterns_that_are_not_written_out_are_known() -> None:
    assert {module for module, _, written in on_the_spot() if not written} == NOT_WRITTEN_OUT


@pytest.mark.quick
def test_all_kinds_of_patterns_are_tried() -> None:
    tried = {(one.pattern, method) for one, method in all_tries()}
    assert len(tried) > 80
    assert (r"^[a-z]+: *([^\s#].*)", "finditer") in tried
