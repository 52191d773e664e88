"""Errors that can be carried to another process, whatever they are made of."""

from __future__ import annotations

from copyreg import __newobj__  # type: ignore[attr-defined]


class Carried(Exception):
    """An error that is pickled with all that it holds.

    Python rebuilds a pickled error from its message, which is wrong if the constructor takes other arguments.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return __newobj__, (type(self), *self.args), self.__dict__
