"""Pictures of positions: for the terminal in colour, as plain text, as SVG, and as images.

A document of kind `picture` tells how the keys of a position are drawn; without one, that follows from the format of
the game's positions. A picture is made of a state; or of a scene, which `scene_of` makes of a position as it is
written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from warchest.picture.drawing import sheet
from warchest.picture.images import png
from warchest.picture.picture_parts import PictureParts, parts
from warchest.picture.scene import Scene, scene, scene_of, with_motions
from warchest.picture.style import Style, style_of
from warchest.picture.svg import svg

if TYPE_CHECKING:
    from warchest.picture.terminal import board, plain, text

__all__ = [
    "PictureParts",
    "Scene",
    "Style",
    "board",
    "parts",
    "plain",
    "png",
    "scene",
    "scene_of",
    "sheet",
    "style_of",
    "svg",
    "text",
    "with_motions",
]


def __getattr__(name: str) -> Any:
    """Import the drawing in a terminal on first use: pages and bots have no use for it."""
    if name not in ("board", "plain", "text"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from warchest.picture import terminal

    return getattr(terminal, name)
