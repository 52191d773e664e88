"""The work of following one option: an attack is carried out, and the next options are listed.

`python tests/machine/test_following.py` prints the figures of the package that is first on the path.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

import warchest

POSITION = {
    "to_act": "raven",
    "initiative": "raven",
    "control": {"raven": ["e2", "h1"], "wolf": ["g6", "d7"]},
    "units": [
        {"at": "f4", "unit": "Archer", "owner": "raven", "coins": 1},
        {"at": "f6", "unit": "Cavalry", "owner": "wolf", "coins": 1},
    ],
    "hand": {"raven": ["Archer", "Royal Coin"], "wolf": ["Cavalry", "Royal Coin"]},
}
WITHIN = ("<listcomp>", "<genexpr>", "<lambda>")
"""Parts of functions, which are read with them."""


@dataclass
class Following:
    """The counts of calls, of those into another file, and of called functions."""

    calls: int = 0
    changes: int = 0
    functions: set[CodeType] = field(default_factory=set)

    def look(self, frame: FrameType, event: str, arg: Any) -> None:
        """Note a call of a function of the package, or of one that it has written."""
        code = frame.f_code
        if event != "call" or code.co_name in WITHIN or not is_of_package(code):
            return
        back = frame.f_back
        while back is not None and not is_of_package(back.f_code):
            back = back.f_back
        self.calls += 1
        self.changes += back is None or back.f_code.co_filename != code.co_filename
        self.functions.add(code)

    @property
    def files(self) -> set[str]:
        """The files that were met."""
        return {code.co_filename for code in self.functions}

    @property
    def concepts(self) -> set[str]:
        """The classes of the package, and the constants, that the functions name."""
        modules = {getattr(one, "__file__", None): one for one in list(sys.modules.values())}
        return {
            name
            for function in self.functions
            for code in parts_of(function)
            for name in code.co_names
            if is_concept(name, getattr(modules.get(code.co_filename), name, None))
        }

    def __str__(self) -> str:
        met = f"{len(self.functions)} functions in {len(self.files)} files"
        return f"{self.calls} calls, {self.changes} changes of file; {met}, {len(self.concepts)} concepts"


def is_of_package(code: CodeType) -> bool:
    return "/warchest/" in code.co_filename or code.co_filename == "<rules>"


def is_concept(name: str, value: Any) -> bool:
    if inspect.isclass(value):
        return value.__module__.startswith("warchest.")
    return value is not None and name.isupper()


def parts_of(code: CodeType) -> Iterator[CodeType]:
    """Yield a piece of code, and those that are written within it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from parts_of(one)


def follow_one_option() -> Following:
    """Follow an attack of an Archer, after all that is done only once has been done."""
    state = warchest.load("war-chest").position(POSITION)
    assert state.decision is not None
    (option,) = [one for one in state.decision.options if one.data["act"] == "tactic"]
    state.clone().apply(option)
    found, before = Following(), sys.getprofile()
    sys.setprofile(found.look)
    try:
        state.apply(option)
    finally:
        sys.setprofile(before)
    return found


def test_following_one_option_leads_through_few_files_and_concepts() -> None:
    found = follow_one_option()
    assert 200 < found.calls < 732
    assert 100 < found.changes < 534
    assert 10 < len(found.files) < 25
    assert 20 < len(found.concepts) < 90


if __name__ == "__main__":
    print(follow_one_option())
