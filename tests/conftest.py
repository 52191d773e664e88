"""Hypothesis profiles for all tests, and an environment without caches.

HYPOTHESIS_PROFILE chooses one: `dev` (the default: few examples, the same in every run), `ci` (more of them, also the
same in every run) or `explore` (many, from fresh seeds). One is always loaded by name, so that Hypothesis does not
fall back on a profile of its own where the environment looks like that of a build server.
"""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, find, settings
from hypothesis.strategies import none

import warchest
import warchest.game.game as loading
from loaded import load_modules, load_once
from remembered import remember_files
from slow_tests import LIST, listed, mark_slow
from warchest.source.data import data_folder

# The tests are about the work of the linter, not about its cache.
os.environ["WARCHEST_CACHE"] = ""

# The matrices of tests are small, and further threads for them would only wait for a processor.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Games are made all the time and hold many objects, among which Python would look for circles again and again: at the
# usual threshold that takes a tenth of the time.
gc.set_threshold(1_000_000, 20, 100)

# The files of the shipped games are those that nearly all tests begin from.
remember_files(data_folder("cards"))

CALM = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "dev", max_examples=40, derandomize=True, deadline=None, database=None, suppress_health_check=CALM
)
settings.register_profile(
    "ci", max_examples=100, derandomize=True, deadline=None, database=None, print_blob=True, suppress_health_check=CALM
)
settings.register_profile(
    "explore", max_examples=1000, derandomize=False, deadline=None, print_blob=True, suppress_health_check=CALM
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "dev")


LONG = ("laws", "paraphrase", "game", "attack", "squares", "differential")
"""The folders with the longest tests, which begin with them, so that all workers end at about the same time."""


def pytest_collection() -> None:
    """Give an example: with its first one Hypothesis looks through all existing objects, which are few now."""
    find(none(), lambda _: True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, so that pytest leaves them out later on, and put the longest tests first."""
    mark_slow(items, listed(LIST.read_text(encoding="utf-8")))
    items.sort(key=lambda item: item.path.parent.name not in LONG)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Let pytest, which looks for circles five times, pass over all objects: the process ends."""
    gc.freeze()


@pytest.fixture
def loads_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let commands that are run in this process have games that are loaded already."""
    # The package keeps the public names that were asked for.
    known = vars(warchest).pop("load", loading.load_game)
    monkeypatch.setattr(loading, "load_game", load_once)
    yield
    vars(warchest)["load"] = known


@pytest.fixture(scope="module")
def all_modules() -> None:
    """All modules, before pytester notes the finders of modules: some libraries add some, and they are put back."""
    load_modules()


@pytest.fixture(scope="session")
def gong() -> str:
    """A card whose attribute never ends, once it has begun."""
    return """\
unit: Gong
coins: 4
source: a test
attribute: |
  after this moves, until this is bolstered, do nothing.
"""


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt; a shell lets programs in the background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
