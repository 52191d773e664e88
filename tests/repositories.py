"""Repositories of git that tests make."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_AUTHOR = ("-c", "user.name=A", "-c", "user.email=a@example.org")


def git(folder: Path, *arguments: str) -> None:
    """Let git do something in a folder."""
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    """Commit all files of a repository."""
    git(folder, "add", "-A")
    git(folder, *_AUTHOR, "commit", "-q", "-m", "All")


def make_repository(folder: Path) -> None:
    """Make a repository of a folder and commit its files; where git is not installed, skip the test."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git(folder, "init", "-q")
    commit(folder)
