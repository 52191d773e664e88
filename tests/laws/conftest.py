"""Lets the laws import what they share, and the examples of the docs."""

import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "docs")]
