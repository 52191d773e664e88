"""Lets the laws import their shared code, and the examples of the docs."""

import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "docs")]
