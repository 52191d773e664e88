"""Lets the tests of this folder import their helper, whatever folder pytest is started in."""

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent.parent / "laws"):
    sys.path.insert(0, str(folder))
