"""Lets the tests of this folder import their helper and that of the machine, whatever folder pytest is started in."""

import sys
from pathlib import Path

for folder in (Path(__file__).parent, Path(__file__).parent.parent / "machine"):
    sys.path.insert(0, str(folder))
