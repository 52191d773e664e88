"""Work in the form for other machines: pickled, with the documents of its games, for one version of the program.

Compiled code is not sent: the receiver of a game compiles it, or finds it in its own cache.
"""

from __future__ import annotations

import os
import pickle
import sys
import zlib
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO

from cloudpickle import Pickler

from warchest.game.game import Game, arrived
from warchest.source.cache import digest_of_program
from warchest.source.contents import Contents
from warchest.source.records import record

DATA = ("grammar", "schemas")
"""The folders of data that can change a game; documents are sent."""


@record()
class SentWork:
    """Work as it is sent: its digest, which identifies it, the version of the program, and its compressed pickle."""

    key: str
    program: str
    data: bytes


def sent(work: Callable[..., object]) -> SentWork:
    """Return some work in the form for sending; raises TypeError or PicklingError if it cannot be pickled."""
    into = BytesIO()
    _WorkPickler(into, protocol=pickle.HIGHEST_PROTOCOL).dump(work)
    data = zlib.compress(into.getvalue())
    return SentWork(sha256(data).hexdigest(), program(), data)


def received(told: SentWork) -> Callable[[object], object]:
    """Return work that was sent by the same version of the program."""
    work: Callable[[object], object] = pickle.loads(zlib.decompress(told.data))
    return work


@cache
def program() -> str:
    """Return a text that is equal in two processes if they do the same work in the same way.

    It holds the versions of the package and of Python, the separator of paths, and a digest of the program's files.
    """
    from warchest import __version__

    python = ".".join(map(str, sys.version_info[:2]))
    return f"warchest {__version__} of {digest_of_program(data=DATA)[:12]} on Python {python} ({os.sep})"


class _WorkPickler(Pickler):  # type: ignore[misc]
    """A pickler that sends games and contents of files in full, because the receiver has no path to load them from."""

    def reducer_override(self, obj: object) -> object:
        if isinstance(obj, Game):
            return arrived, (obj.sent(),)
        if isinstance(obj, Contents):
            return Contents.arrived, obj.sent()
        return super().reducer_override(obj)
