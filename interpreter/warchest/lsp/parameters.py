"""Parameters of requests, checked against their types: strangers send them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NoReturn,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from warchest.lsp.protocol import RequestError

ParamsShape = TypeVar("ParamsShape")

MOST_NUMBER = 2**53 - 1
"""The greatest number, which is the greatest that every reader of JSON takes as it is."""
MOST_CHARACTERS = 1 << 20
"""The most characters of a text."""
MOST_ITEMS = 10_000
"""The most entries of a list or a mapping."""
_NAMES: dict[object, str] = {str: "a text", int: "a whole number", bool: "true or false", NoneType: "null"}


def checked(shape: type[ParamsShape], given: object) -> ParamsShape:
    """Return parameters that fit a typed dictionary; raises RequestError, which names the wrong parameter."""
    found: ParamsShape = _value(shape, {} if given is None else given, "")
    return found


def bounded(params: Mapping[str, object], field: str, usual: int, most: int) -> int:
    """Return a number from parameters, or its default; raises RequestError if it is 0 or more than the maximum."""
    found = params.get(field, usual)
    if not isinstance(found, int) or not 1 <= found <= most:
        _refuse(field, f"a number from 1 to {most:,} is needed", found)
    return found


@cache
def fields_of(shape: type) -> dict[str, tuple[object, bool]]:
    """Return the keys of a typed dictionary, each with its type and whether it is required."""
    found = {}
    for key, hint in get_type_hints(shape, include_extras=True).items():
        is_optional = get_origin(hint) is NotRequired
        found[key] = (get_args(hint)[0] if is_optional else hint, not is_optional)
    return found


def _value(shape: object, given: object, where: str) -> Any:
    """Return a value of a type; raises RequestError if the value is not of this type."""
    origin = get_origin(shape)
    if is_typeddict(shape):
        return _typed(shape, given, where)
    if origin in (Union, UnionType):
        return _one_of(get_args(shape), given, where)
    if origin is Literal:
        if given not in get_args(shape):
            _refuse(where, f"one of {', '.join(map(repr, get_args(shape)))} is needed", given)
        return given
    if origin is list:
        return _listed(get_args(shape)[0], given, where)
    if origin is dict or shape is dict:
        return _mapped(get_args(shape)[1] if origin is dict else object, given, where)
    return given if shape is object else _plain(shape, given, where)


def _typed(shape: object, given: object, where: str) -> dict[str, object]:
    if not isinstance(given, Mapping):
        _refuse(where, "a mapping is needed", given)
    fields = fields_of(shape)
    for key in given:
        if key not in fields:
            _refuse(where, f"there is no {str(key)[:60]!r} here; there are: {', '.join(fields)}", None)
    for key, (_, is_required) in fields.items():
        if is_required and key not in given:
            _refuse(f"{where}.{key}" if where else key, "this is missing", None)
    return {key: _value(fields[key][0], one, f"{where}.{key}" if where else key) for key, one in given.items()}


def _one_of(shapes: tuple[object, ...], given: object, where: str) -> object:
    for shape in shapes:
        try:
            return _value(shape, given, where)
        except RequestError:
            continue
    needed = " or ".join(_NAMES.get(shape, "a mapping") for shape in shapes)
    return _refuse(where, f"{needed} is needed", given)


def _listed(shape: object, given: object, where: str) -> list[object]:
    if not isinstance(given, list):
        _refuse(where, "a list is needed", given)
    if len(given) > MOST_ITEMS:
        _refuse(where, f"there are more than {MOST_ITEMS:,} entries", None)
    return [_value(shape, one, f"{where}[{number}]") for number, one in enumerate(given)]


def _mapped(shape: object, given: object, where: str) -> dict[str, object]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        _refuse(where, "a mapping is needed", given)
    if len(given) > MOST_ITEMS:
        _refuse(where, f"there are more than {MOST_ITEMS:,} keys", None)
    return {key: _value(shape, one, f"{where}.{key[:60]}") for key, one in given.items()}


def _plain(shape: object, given: object, where: str) -> object:
    if shape is None or shape is NoneType:
        return None if given is None else _refuse(where, "null is needed", given)
    if not isinstance(shape, type) or not isinstance(given, shape) or (shape is int and isinstance(given, bool)):
        _refuse(where, f"{_NAMES[shape]} is needed", given)
    if shape is int and isinstance(given, int) and not 0 <= given <= MOST_NUMBER:
        _refuse(where, f"a number from 0 to {MOST_NUMBER} is needed", None)
    if isinstance(given, str) and len(given) > MOST_CHARACTERS:
        _refuse(where, f"there are more than {MOST_CHARACTERS:,} characters", None)
    return given


def _refuse(where: str, message: str, given: object) -> NoReturn:
    said = f", not {given!r:.60}" if given is not None else ""
    raise RequestError(f"{where}: {message}{said}" if where else f"{message}{said}", data={"field": where})
