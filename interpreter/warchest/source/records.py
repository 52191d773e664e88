"""Records: immutable dataclasses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, make_dataclass
from functools import cache
from operator import attrgetter
from types import FunctionType
from typing import Any, TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, kw_only: bool = False) -> Callable[[type[Made]], type[Made]]:
    """Make a class a record: compared and hashed by its fields, and never changed once it is made.

    The type checker, and not Python, ensures that it never changes: a frozen dataclass takes four times as long to
    make, and a game holds some hundred thousand records. There are more than two hundred classes of records, and every
    command declares all of them, so no code is compiled for any class: a dataclass takes ten times as long to declare.
    The functions of `dataclasses` work on records all the same.
    """

    def made(cls: type[Made]) -> type[Made]:
        own = dict(vars(cls))
        named = own.get("__annotations__", {})
        declared = {
            name: _field_of(own, name, kw_only) for name in named if not str(named[name]).startswith("ClassVar")
        }
        if any(one.default_factory is not MISSING or not one.init for one in declared.values()):
            done: Any = dataclass(slots=True, eq=False, repr=False, kw_only=kw_only)(cls)
            done.__record__ = {one.name: one for one in fields(done)}
        else:
            done = _declared(cls, own, declared)
        for name, method in _comparing(done).items():
            if name not in own:
                setattr(done, name, method)
        return done  # type: ignore[no-any-return]

    return made


def names_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of records or dataclasses, those of its bases first; none for other classes."""
    return tuple(_fields_of(kind) or getattr(kind, "__dataclass_fields__", {}))


def _fields_of(kind: type) -> dict[str, Field[Any]]:
    found: dict[str, Field[Any]] = getattr(kind, "__record__", {})
    return found


def _field_of(own: dict[str, Any], name: str, kw_only: bool) -> Field[Any]:
    """Return a field as a class declares it."""
    said = own.get(name, MISSING)
    found: Field[Any] = said if isinstance(said, Field) else field(default=said)
    found.kw_only = kw_only
    return found


def _declared(cls: type, own: dict[str, object], declared: dict[str, Field[Any]]) -> type:
    """Return the class with slots for its fields and a constructor."""
    inherited = {name: one for base in reversed(cls.__mro__[1:]) for name, one in _fields_of(base).items()}
    parts = {**inherited, **declared}
    body = {name: one for name, one in own.items() if name not in (*declared, "__dict__", "__weakref__")}
    body["__slots__"] = tuple(name for name in declared if name not in inherited)
    body["__match_args__"] = tuple(name for name, one in parts.items() if not one.kw_only)
    body["__record__"] = parts
    body["__dataclass_fields__"] = _Described()
    body["__init__"] = own.get("__init__") or _constructor(parts)
    return type(cls)(cls.__name__, cls.__bases__, body)


class _Described:
    """The fields of a record as `dataclasses` describes them, made on first use."""

    def __get__(self, instance: object, owner: type) -> dict[str, Field[Any]]:
        parts = [(name, Any, one) for name, one in _fields_of(owner).items()]
        # With its own docstring, because generating one takes longest.
        told = {"__doc__": owner.__doc__ or ""}
        twin: Any = make_dataclass(owner.__name__, parts, namespace=told, init=False, repr=False, eq=False)
        found: dict[str, Field[Any]] = twin.__dataclass_fields__
        owner.__dataclass_fields__ = found  # type: ignore[attr-defined]
        return found


# ---- constructors


def _constructor(parts: dict[str, Field[Any]]) -> Callable[..., None]:
    """Return a setter of the fields, by the code of a constructor that sets as many of them under other names."""
    by_place = [name for name, one in parts.items() if not one.kw_only]
    by_name = [name for name, one in parts.items() if one.kw_only]
    code = _template(len(by_place), len(by_name)).__code__
    names = (*by_place, *by_name)
    made = FunctionType(code.replace(co_varnames=("self", *names), co_names=names), {}, "__init__")
    usual = {name: one.default for name, one in parts.items() if one.default is not MISSING}
    made.__defaults__ = tuple(usual[name] for name in by_place if name in usual) or None
    made.__kwdefaults__ = {name: usual[name] for name in by_name if name in usual}
    return made


@cache
def _template(by_place: int, by_name: int) -> FunctionType:
    """Return a constructor that takes `by_place` positional fields and `by_name` keyword fields."""
    names = [f"part{number}" for number in range(by_place + by_name)]
    asked = ["self", *names[:by_place], *(["*"] if by_name else []), *names[by_place:]]
    lines = [f"def __init__({', '.join(asked)}):", *(f"    self.{one} = {one}" for one in names), "    return"]
    scope: dict[str, Any] = {}
    exec("\n".join(lines), scope)
    made: FunctionType = scope["__init__"]
    return made


# ---- comparing


def _comparing(done: type) -> dict[str, Callable[..., object]]:
    """Return the methods that compare records by their fields, hash them and show them."""
    parts = _fields_of(done)
    compared = _values_of([name for name, one in parts.items() if one.compare])
    hashed = _values_of([name for name, one in parts.items() if (one.compare if one.hash is None else one.hash)])
    shown = [name for name, one in parts.items() if one.repr]

    def is_equal(self: object, other: object) -> object:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def hash_of(self: object) -> int:
        return hash(hashed(self))

    def shown_as(self: object) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({values})"

    return {"__eq__": is_equal, "__hash__": hash_of, "__repr__": shown_as}


def _values_of(names: list[str]) -> Callable[[object], object]:
    """Return a getter of the values of some fields of a record, to be compared with those of another one."""
    return attrgetter(*names) if names else lambda _: ()
