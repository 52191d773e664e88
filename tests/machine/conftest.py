"""Lets the tests of this folder import their shared helper and the oracle, whatever folder pytest is started in."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))
