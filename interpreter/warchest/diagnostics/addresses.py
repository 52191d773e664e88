"""Percent-encoding of paths in URIs."""

from __future__ import annotations

import re
import string

_PLAIN = frozenset((string.ascii_letters + string.digits + "/-._~").encode())
_NUMBER = re.compile(rb"%([0-9A-Fa-f]{2})")


def escaped(path: str) -> str:
    """Return a path, with slashes, encoded as a part of a URI."""
    written = path.encode("utf-8", "surrogateescape")
    return "".join(chr(one) if one in _PLAIN else f"%{one:02X}" for one in written)


def unescaped(part: str) -> str:
    """Return the path that an encoded part of a URI means."""
    written = part.encode("utf-8", "surrogatepass")
    return _NUMBER.sub(lambda found: bytes((int(found[1], 16),)), written).decode("utf-8", "surrogateescape")
