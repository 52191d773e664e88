"""Native machines of the shipped games for Python in a browser: `python -m warchest.studio.browser_machines FOLDER`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from warchest.game.native_games import compile_shipped
from warchest.native.c_compiler import Unavailable, wasm_compiler
from warchest.streams import say


def main(folder: Path) -> int:
    """Compile the games into a folder and print the names of their files there; return the exit code."""
    made = compile_shipped(folder, wasm_compiler())
    if isinstance(made, Unavailable):
        say(made.reason, error=True)
        return 1
    say(json.dumps(sorted(file.name for file in made)))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
