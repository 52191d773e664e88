"""Errors that cross from another process are unchanged, with all that they hold."""

from __future__ import annotations

import pickle
import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import warchest
from warchest.diagnostics.codes import report
from warchest.source.text import Source, Span

SPAN: Span = Source("card.yaml", "tactic: move.").span(8, 13)
FOUND = report("not-a-document", "a document begins with its kind", SPAN)

MADE_OF: dict[str, tuple[Any, ...]] = {
    "CardError": ([FOUND],),
    "EndedBySignal": (15,),
    "EndlessError": (SPAN, "it never ends"),
    "DeepError": (SPAN,),
    "DeadEndError": (SPAN,),
    "Fault": (FOUND,),
    "Flaw": (FOUND,),
    "InputError": ([FOUND],),
    "Leave": (True,),
    "NoRoomError": ("", "too many"),
    "NobodyIsYou": (FOUND, "your hand"),
    "Misfit": ("a.json", 3, "this", "that", ["move"]),
    "NotAFileError": ("this is a folder",),
    "OptionError": ("to", "not on offer"),
    "Overfull": ("too many",),
    "PositionError": ("units.1", "no such unit"),
    "TemplateError": ("kind", "no such kind"),
    "Stopped": ("it stops", {"act": "move"}),
    "TooMuch": (Path("cards"), 9, "files"),
    "UnknownGame": ("no game",),
    "Unreadable": ("a.json: no",),
    "Unexpected": ("move", frozenset({"DOT"})),
    "Unsaid": ("a number",),
    "UsageError": ("--as",),
    "WorkLostError": ("gone",),
}
"""The arguments of an error of each class; for all others that is a message."""


def every_error() -> list[type[BaseException]]:
    """All classes of errors in the package."""
    found = {}
    for module in pkgutil.walk_packages(warchest.__path__, "warchest."):
        for one in vars(import_module(module.name)).values():
            if isinstance(one, type) and issubclass(one, BaseException) and one.__module__.startswith("warchest."):
                found[f"{one.__module__}.{one.__name__}"] = one
    return [found[name] for name in sorted(found)]


@pytest.mark.parametrize("kind", every_error(), ids=lambda one: one.__name__)
def test_an_error_holds_the_same_after_it_was_carried(kind: type[BaseException]) -> None:
    error = kind(*MADE_OF.get(kind.__name__, ("a message",)))
    error.add_note("while it was read")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind and str(again) == str(error)
    before, after = vars(error), vars(again)
    assert {key: after.get(key) for key in before if key != "__notes__"} == {
        key: value for key, value in before.items() if key != "__notes__"
    }


def test_all_classes_of_errors_are_tested() -> None:
    names = {one.__name__ for one in every_error()}
    assert names >= MADE_OF.keys()
    assert names >= {"CardError", "PositionError", "OptionError", "EndlessError"}
