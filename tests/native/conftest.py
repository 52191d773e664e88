"""Lets the tests of this folder import their helper, whatever folder pytest is started in."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
for folder in (TESTS / "native", TESTS / "laws", TESTS / "docs"):
    sys.path.insert(0, str(folder))
