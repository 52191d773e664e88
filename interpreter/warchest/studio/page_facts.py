"""The facts that a page gets before it begins: its languages, the shipped games, and its policy."""

from __future__ import annotations

from pathlib import Path

from warchest.source.data import shipped_games

PAGE = Path(__file__).parent / "page"
"""The folder with the files of the page."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The content security policy of all files."""


def about_page() -> dict[str, object]:
    """Return the languages and the games, as plain data."""
    languages = sorted(one.stem for one in (PAGE / "words").glob("*.json"))
    return {"languages": languages, "games": [one.name for one in shipped_games()]}
