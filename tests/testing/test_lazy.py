"""`warchest.testing` is imported at once, and Hypothesis only with the first name that needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from warchest import testing

pytestmark = pytest.mark.quick
LONGEST = 0.3
"""The most seconds that an import may take."""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["warchest.testing", "warchest.testing.plugin"])
def test_it_is_imported_at_once(module: str) -> None:
    # The plugin is imported by pytest, which is there by then.
    code = f"import sys, time{', pytest' if module.endswith('plugin') else ''}; begun = time.process_time()"
    others = "print(*(one for one in sys.modules if one.startswith(('hypothesis', 'warchest', 'lark', 'yaml'))))"
    said = run(f"{code}; import {module}; print(time.process_time() - begun); {others}")
    spent, _, modules = said.partition("\n")
    assert float(spent) < LONGEST
    assert set(modules.split()) <= {"warchest", "warchest.testing", "warchest.testing.plugin"}


def test_positions_and_steps_need_no_hypothesis() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; from warchest.testing import explore, differences, shrunk"
    assert run(f"{code}; print('fine')") == "fine"


@pytest.mark.parametrize("name", ["positions", "property", "GameMachine"])
def test_one_line_says_which_extra_is_missing(name: str) -> None:
    code = (
        f"import sys; sys.modules['hypothesis'] = None\ntry:\n  from warchest.testing import {name}\n"
        "except ImportError as error:\n  print(error)"
    )
    assert run(code) == f"warchest.testing.{name} needs Hypothesis, which comes with: pip install 'warchest[testing]'"


def test_names_stay_when_modules_of_the_same_name_are_imported() -> None:
    code = (
        "import warchest.testing.differences, warchest.testing.steps\nfrom warchest import testing\n"
        "print(testing.differences.__name__, callable(testing.differences), callable(testing.steps))"
    )
    assert run(code) == "differences True True"


def test_every_public_name_is_there() -> None:
    assert set(testing.__all__) <= set(dir(testing))
    for name in testing.__all__:
        assert getattr(testing, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        testing.nothing  # noqa: B018
