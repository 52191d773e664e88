"""Lets the tests of this folder import their shared helper, from any folder in which pytest is started."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
