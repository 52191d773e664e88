"""The words and games that a page is told of before it begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from warchest.source.data import shipped_games

PAGE = Path(__file__).parent / "page"
"""The folder with the files of the page."""


def about_page() -> dict[str, Any]:
    """Return the languages and the games, as plain data."""
    languages = sorted(one.stem for one in (PAGE / "words").glob("*.json"))
    return {"languages": languages, "games": [one.name for one in shipped_games()]}
