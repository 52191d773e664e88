"""Records: dataclasses that nobody changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]:
    """Make a class a record: compared and hashed by its fields, and never changed once it is made.

    The type checker sees to the latter. Python is not asked to, because a frozen dataclass takes four times as long to
    make, and a game holds some hundred thousand of these.
    """
    return dataclass(slots=True, unsafe_hash=True, kw_only=kw_only)
