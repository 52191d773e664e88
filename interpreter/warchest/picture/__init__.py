"""Pictures of positions: for the terminal in colour, as plain text, as SVG, and as images.

A document of kind `picture` tells how the keys of a position are drawn; without one, that follows from the format of
the game's positions. A picture is made of a state; or of a scene, which `scene_of` makes of a position as it is
written.
"""

from warchest.picture.drawing import sheet
from warchest.picture.images import png
from warchest.picture.parts import PictureParts, parts
from warchest.picture.scene import Scene, scene, scene_of, with_motions
from warchest.picture.style import Style, style_of
from warchest.picture.svg import svg
from warchest.picture.terminal import board, plain, text

__all__ = [
    "PictureParts", "Scene", "Style", "board", "parts", "plain", "png", "scene", "scene_of", "sheet", "style_of", "svg",
    "text", "with_motions",
]  # fmt: skip
