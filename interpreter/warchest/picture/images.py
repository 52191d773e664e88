"""Pictures as images: an SVG picture as PNG, and several as an animated GIF, by libraries that not all have installed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from math import ceil

from warchest.picture.drawing import PAPER

PNG, GIF = "png", "gif"
_NEEDED = {PNG: {"resvg_py": "resvg-py"}, GIF: {"resvg_py": "resvg-py", "PIL": "Pillow"}}
_LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">'
    '<text x="2" y="14" font-family="sans-serif" font-size="14">{}</text></svg>'
)
_FAMILIES = (
    "DejaVu Sans",
    "Liberation Sans",
    "Noto Sans",
    "Arial",
    "Helvetica",
    "Segoe UI",
    "Verdana",
    "Roboto",
    "Open Sans",
    "Ubuntu",
    "Cantarell",
    "FreeSans",
    "Arimo",
    "Lucida Grande",
    "Tahoma",
)
"""The names of common fonts, the best first; the library itself knows none."""

_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_LAST = 4
"""The time for the last picture of an animation, in multiples of that of the others."""

SHARP = 2.0
"""The number of dots of a PNG image for one of the picture's own, in each direction."""


def missing(kind: str) -> str:
    """Return a line that names the missing libraries or fonts for a kind of image; empty if none is missing."""
    lacking = [name for module, name in _NEEDED[kind].items() if find_spec(module) is None]
    if lacking:
        return f"{kind.upper()} images need {' and '.join(lacking)}: pip install 'warchest[png]'"
    return "" if _font() else f"{kind.upper()} images need a common font, such as DejaVu Sans, and none is installed"


@cache
def _font() -> str:
    """Return the name of an installed font, or empty if there is none; without one all texts would be left out."""
    empty = _drawn(_LETTER.format(""), 1, "")
    return next((name for name in _FAMILIES if _drawn(_LETTER.format("M"), 1, name) != empty), "")


def png(picture: str, sharp: float = SHARP) -> bytes:
    """Return an SVG picture as a PNG image."""
    return _drawn(picture, sharp, _font())


def _drawn(picture: str, sharp: float, font: str) -> bytes:
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=picture, zoom=sharp, sans_serif_family=font or None))


def gif(pictures: Sequence[str], seconds: float, shown: Callable[[Sequence[str]], Iterable[str]]) -> bytes:
    """Return SVG pictures as an animated GIF that shows each for some seconds, and the last one longer.

    `shown` yields the pictures one by one, and can count them.
    """
    from PIL import Image
    from PIL.PngImagePlugin import PngImageFile

    sizes = [(float(found[1]), float(found[2])) for one in pictures if (found := _SIZE.search(one))]
    size = ceil(max(width for width, _ in sizes)), ceil(max(height for _, height in sizes))

    def frame(picture: str) -> Image.Image:
        """Return a picture on paper of the size of the largest."""
        drawn = PngImageFile(BytesIO(png(picture, 1)))
        whole = Image.new("RGB", size, PAPER)
        whole.paste(drawn, mask=drawn)
        return whole

    # All have one palette, so that nothing changes its colour; the last picture has as much on it as any.
    palette = frame(pictures[-1]).quantize(255, dither=Image.Dither.NONE)
    frames = (frame(one).quantize(palette=palette, dither=Image.Dither.NONE) for one in shown(pictures))
    usual = round(1000 * seconds)
    times = [usual] * (len(pictures) - 1) + [_LAST * usual]
    made = BytesIO()
    next(frames).save(made, GIF, save_all=True, append_images=frames, duration=times, loop=0)
    return made.getvalue()
