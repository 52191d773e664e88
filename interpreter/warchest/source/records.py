"""Records: dataclasses that nobody changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]:
    """Make a class a record: compared and hashed by its fields, and never changed once it is made.

    The type checker sees to the latter. Python is not asked to, because a frozen dataclass takes four times as long to
    make, and a game holds some hundred thousand of these. There are more than a hundred classes of them, and whoever
    starts a command waits for all, so that nothing but their constructors is compiled for each.
    """

    def made(cls: type[Made]) -> type[Made]:
        done: Any = dataclass(slots=True, eq=False, repr=False, kw_only=kw_only)(cls)
        own = vars(cls)
        parts = fields(done)
        compared = _values_of([one for one in parts if one.compare])
        hashed = _values_of([one for one in parts if (one.compare if one.hash is None else one.hash)])
        shown = [one.name for one in parts if one.repr]

        def is_equal(self: Any, other: Any) -> Any:
            return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

        def hash_of(self: Any) -> int:
            return hash(hashed(self))

        def shown_as(self: Any) -> str:
            values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
            return f"{type(self).__qualname__}({values})"

        for name, method in (("__eq__", is_equal), ("__hash__", hash_of), ("__repr__", shown_as)):
            if name not in own:
                setattr(done, name, method)
        return done  # type: ignore[no-any-return]

    return made


def _values_of(parts: list[Field[Any]]) -> Callable[[Any], Any]:
    """Return what gives the values of some fields of a record, to be compared with those of another one."""
    names = [one.name for one in parts]
    return attrgetter(*names) if names else lambda _: ()
