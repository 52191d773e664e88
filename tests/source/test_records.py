"""Records behave like dataclasses, but are quicker to declare."""

from __future__ import annotations

import pickle
from dataclasses import field, fields, is_dataclass, replace
from inspect import signature

import pytest

from warchest.source.records import names_of, record


@record(kw_only=True)
class Base:
    """A base with a field that is given by its name."""

    place: int = field(compare=False, repr=False)


@record()
class Part(Base):
    """A record with fields of its own."""

    text: str
    number: int = 2
    rest: tuple[str, ...] = field(default=(), repr=False)


@record()
class Filled:
    """A record that begins with a list of its own."""

    name: str
    items: list[int] = field(default_factory=list)


def test_a_record_is_made_compared_and_shown_by_its_fields() -> None:
    one = Part("a", place=1)
    assert (one.text, one.number, one.rest, one.place) == ("a", 2, (), 1)
    assert one == Part("a", 2, place=9) and hash(one) == hash(Part("a", place=9)) and one != Part("b", place=1)
    assert repr(one) == "Part(text='a', number=2)" and Part.__match_args__ == ("text", "number", "rest")
    assert not hasattr(one, "__dict__")


def test_a_record_is_a_dataclass_to_others() -> None:
    one = Part("a", 3, place=1)
    assert is_dataclass(Part) and [part.name for part in fields(Part)] == ["place", "text", "number", "rest"]
    assert names_of(Part) == ("place", "text", "number", "rest") and names_of(int) == ()
    changed = replace(one, number=4)
    assert (changed, changed.place) == (Part("a", 4, place=1), 1)
    assert (again := pickle.loads(pickle.dumps(one))) == one and again.place == 1
    assert Filled("a").items == [] and Filled("a").items is not Filled("a").items
    assert names_of(Filled) == ("name", "items")


@pytest.mark.parametrize("wrong", [lambda: Part(place=1), lambda: Part("a"), lambda: Part("a", 1, (), 4, place=1)])  # type: ignore[call-arg, arg-type, misc]
def test_a_record_asks_for_its_fields(wrong: object) -> None:
    with pytest.raises(TypeError, match="argument"):
        wrong()  # type: ignore[operator]


def test_a_record_has_a_signature() -> None:
    assert list(signature(Part).parameters) == ["text", "number", "rest", "place"]
