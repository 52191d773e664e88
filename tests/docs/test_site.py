"""The site of the documentation: it is built without a warning, which includes its links."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from docs_support import ROOT


@pytest.mark.slow
def test_it_is_built_without_a_warning(tmp_path: Path) -> None:
    if find_spec("material") is None:
        pytest.skip("mkdocs-material is not installed: `make docs` installs it")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "tutorials" / "first-card.html").is_file()
