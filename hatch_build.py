"""A wheel for one platform, with the shipped games compiled: `make wheel` asks for it by an environment variable.

Without that nothing is done, and the wheel is the plain one, for every platform.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ASKED_BY = "WARCHEST_COMPILED"
"""The variable of the environment by which compiled games are asked for."""


class CompiledGames(BuildHookInterface[Any]):
    """Puts the compiled machines of the shipped games into the wheel."""

    def dependencies(self) -> list[str]:
        """Return the packages that reading the games takes."""
        return list(self.metadata.core.dependencies) if _is_asked() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the games, and say for which platform the wheel is."""
        if not _is_asked() or version == "editable":
            return
        self._folder = Path(tempfile.mkdtemp())
        sys.path.insert(0, str(Path(self.root, "interpreter")))
        from warchest.bots.training_games import train
        from warchest.game.native_games import compile_shipped

        made = compile_shipped(self._folder, training=train)
        if not isinstance(made, list):
            raise RuntimeError(f"the games cannot be compiled: {made.reason}")
        for file in set(self._folder.iterdir()) - set(made):
            file.unlink()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        build_data["force_include"][str(self._folder)] = "warchest/_native"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled code."""
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder, ignore_errors=True)


def _is_asked() -> bool:
    return bool(os.environ.get(ASKED_BY))
