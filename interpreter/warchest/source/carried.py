"""Errors that can be carried to another process, whatever they are made of."""

from __future__ import annotations

from copyreg import __newobj__  # type: ignore[attr-defined]


class Carried(Exception):
    """An error that is pickled with all that it holds.

    Python makes an error anew from the words of its message, which is wrong where it was made of something else.
    """

    def __reduce__(self) -> tuple[object, ...]:
        return __newobj__, (type(self), *self.args), self.__dict__
