"""Records: dataclasses that nobody changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")
_LATER = ("__eq__", "__hash__", "__repr__")
"""What many records are never asked for: it is made when it is first needed."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]:
    """Make a class a record: compared and hashed by its fields, and never changed once it is made.

    The type checker sees to the latter. Python is not asked to, because a frozen dataclass takes four times as long to
    make, and a game holds some hundred thousand of these. There are more than a hundred classes of them, and whoever
    starts a command waits for all, so that each gets only what it is surely asked for.
    """

    def made(cls: type[Made]) -> type[Made]:
        done: Any = dataclass(slots=True, eq=False, repr=False, kw_only=kw_only)(cls)
        for name in _LATER:
            setattr(done, name, _later(done, name))
        return done  # type: ignore[no-any-return]

    return made


def _later(cls: Any, name: str) -> Callable[..., Any]:
    """Return a method that makes the real ones of its class when it is first called."""

    def first(self: Any, *others: object) -> Any:
        if getattr(cls, name) is first:
            _complete(cls)
        return getattr(cls, name)(self, *others)

    return first


def _complete(cls: Any) -> None:
    """Give a record the methods that a dataclass with its fields has."""
    known = fields(cls)
    parts: dict[str, Any] = {one.name: field(compare=one.compare, hash=one.hash, repr=one.repr) for one in known}
    like = type(cls.__name__, (), {**parts, "__annotations__": dict.fromkeys(parts, object)})
    whole: Any = dataclass(init=False, unsafe_hash=True, match_args=False)(like)
    for name in _LATER:
        setattr(cls, name, getattr(whole, name))
