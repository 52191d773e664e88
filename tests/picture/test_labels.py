"""Short labels: different for each name, near to it, and the same whatever else is asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from warchest.picture.scene import letters, short_labels

NAMES = st.lists(st.text("abcdeXYZ '-", min_size=1, max_size=12).map(str.strip).filter(bool), max_size=30, unique=True)


def test_labels_are_made_from_names() -> None:
    found = short_labels(["Archer", "Light Cavalry", "Cavalry", "Royal Guard", "Marshall", "Mercenary"])
    assert found == {
        "Archer": "Arc",
        "Cavalry": "Cav",
        "Light Cavalry": "LCa",
        "Marshall": "Mar",
        "Mercenary": "Mer",
        "Royal Guard": "RGu",
    }


def test_names_that_begin_alike_get_different_labels() -> None:
    found = short_labels(["Mars", "Marsh", "Marshal"])
    assert len(set(found.values())) == 3 and found["Mars"] == "Mar"


def test_given_labels_are_kept_and_not_used_twice() -> None:
    assert short_labels(["Archer", "Bow"], {"Bow": "Arc"}) == {"Bow": "Arc", "Archer": "Arh"}


@given(NAMES)
def test_labels_are_different_and_short(names: list[str]) -> None:
    found = short_labels(names)
    assert set(found) == set(names)
    assert len({label.casefold() for label in found.values()}) == len(found)
    assert all(1 <= len(label) <= 5 for label in found.values())
    assert found == short_labels(reversed(names))


def test_letters_of_players() -> None:
    assert letters(["raven", "wolf"]) == {"raven": "R", "wolf": "W"}
    assert letters(["raven", "wolf", "raven2", "wolf2"]) == {"raven": "R", "wolf": "W", "raven2": "R2", "wolf2": "W2"}
    assert letters(["P1", "P2"]) == {"P1": "P1", "P2": "P2"}
    assert len(set(letters(["red", "rose", "ruby"]).values())) == 3
