"""The pictures of the pages, drawn by the program from the positions beside them.

`python tests/docs/pictures_support.py` draws them again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from warchest.cli.main import main

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def draw(folder: Path) -> int:
    """Draw each position as SVG into a folder, and return the exit code of the last command that failed, or 0."""
    codes = [
        main(["show", str(position), "--svg", str(folder / f"{position.stem}.svg")])
        for position in sorted(FOLDER.glob("*.yaml"))
    ]
    return max(codes)


if __name__ == "__main__":
    sys.exit(draw(FOLDER))
