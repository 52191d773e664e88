"""Programs of the system that may be started, which must be in folders with absolute paths."""

from __future__ import annotations

import os
import shutil


def program(name: str) -> str | None:
    """Return the path of a program; relative folders in PATH are skipped, because they could be a stranger's."""
    places = [one for one in os.get_exec_path() if os.path.isabs(one)]
    found = shutil.which(name, path=os.pathsep.join(places))
    return found if found is not None and os.path.dirname(found) in places else None
