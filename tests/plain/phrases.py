"""Noun phrases and conditions: their words, and their extensions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from plain.board import LOCATIONS, distance
from plain.world import World

AN = ("a", "e", "i", "o", "u")


class OpenQuestion(Exception):
    """A text that a reader would ask about: such cases are not compared."""


@dataclass(frozen=True)
class Bearings:
    """The antecedents of the words of a text: the card's unit, its owner, and the things mentioned, by unit."""

    # `another` leaves out the card's unit and those chosen.

    this: int
    you: str
    spoken: Mapping[str, int] = field(default_factory=dict)
    chosen: tuple[int, ...] = ()
    """The units that the text has had chosen, and the one whose turn it is."""

    def having(self, ref: str, unit: int) -> Bearings:
        """The bearings after a choice; `ref`: the words that mean the chosen unit from then on."""
        return replace(self, spoken={**self.spoken, ref: unit}, chosen=(*self.chosen, unit))

    def unit(self, ref: str) -> int:
        """The number of the unit that a definite phrase means."""
        return self.this if ref == "this" else self.spoken[ref]


@dataclass(frozen=True)
class Place:
    """The place of a thing: a phrase after its noun."""

    way: str
    """`adjacent`, `within 2`, or `location`; `controlled` for a location that you control."""
    of: str = "this"
    front: bool = False
    """In front of the noun: `an adjacent unit`."""

    def __str__(self) -> str:
        match self.way:
            case "adjacent":
                return f"adjacent to {self.of}"
            case "within 2":
                return f"within 2 spaces of {self.of}"
            case _:
                return "on a location" + (" you control" if self.way == "controlled" else "")

    def holds(self, world: World, space: str, near: Bearings) -> bool:
        """Whether a space is such a place."""
        match self.way:
            case "location":
                return space in LOCATIONS
            case "controlled":
                return world.control.get(space) == near.you
        gap = distance(world.units[near.unit(self.of)].space, space)
        return gap == 1 if self.way == "adjacent" else 1 <= gap <= 2


@dataclass(frozen=True)
class Phrase:
    """An indefinite noun phrase for a unit."""

    side: str = ""
    state: str = ""
    another: bool = False
    place: Place | None = None
    yours: bool = False
    """`one of your units`"""

    def __str__(self) -> str:
        return self.worded()

    def worded(self, determiner: str | None = None) -> str:
        """The phrase, with its usual determiner or another one."""
        behind = f" {self.place}" if self.place and not self.place.front else ""
        front = "adjacent" if self.place and self.place.front else ""
        if self.yours:
            return f"one of your {self.state} units".replace("  ", " ") + behind
        other = "other" if self.another and determiner == "" else ""
        words = " ".join(filter(None, (other, front, self.state, self.side, "unit"))) + behind
        if determiner is None:
            vowel = words.startswith(AN) and not words.startswith("unit")
            determiner = "another" if self.another else "an" if vowel else "a"
        return f"{determiner} {words}".strip()

    def fits(self, world: World, unit: int, near: Bearings) -> bool:
        """Whether a unit on the board is such a one."""
        one = world.units[unit]
        if not one.there or (self.another and unit in (near.this, *near.chosen)):
            return False
        if self.side and (one.owner == near.you) != (self.side == "friendly"):
            return False
        if self.yours and one.owner != near.you:
            return False
        if self.state and not is_state(world, unit, self.state):
            return False
        return self.place is None or self.place.holds(world, one.space, near)

    def members(self, world: World, near: Bearings) -> list[int]:
        """All such units."""
        return [one for one in world.present() if self.fits(world, one, near)]


def is_state(world: World, unit: int, state: str) -> bool:
    """Whether a unit is bolstered, or unbolstered."""
    coins = world.units[unit].coins
    return coins >= 2 if state == "bolstered" else coins == 1


def fits(world: World, what: Phrase | str, unit: int, near: Bearings) -> bool:
    """Whether a unit is the one, or such a one."""
    return unit == near.this if what == "this" else isinstance(what, Phrase) and what.fits(world, unit, near)


ANY = Phrase()
"""`a unit`"""


# ---- conditions


@dataclass(frozen=True)
class Condition:
    """The conditions after `if`, `while` and `unless`."""

    kind: str
    ref: str = "this"
    phrase: Phrase = ANY
    number: int = 2

    def __str__(self) -> str:
        match self.kind:
            case "bolstered" | "unbolstered":
                return f"{self.ref} is {self.kind}"
            case "location":
                return f"{self.ref} is on a location"
            case "neighbour":
                return f"{self.phrase} is adjacent to {self.ref}"
            case "alone":
                return f"{self.phrase.worded('no')} is adjacent to {self.ref}"
            case "beside":
                return f"{self.ref} is adjacent to this"
            case "crowd":
                return f"the number of units adjacent to {self.ref} is at least {self.number}"
            case "sum":
                return f"the height of this + the number of units adjacent to {self.ref} is at least {self.number}"
            case "stale":
                return "the initiative is stale"
            case _:
                return "you control the space of this"

    @property
    def is_plain(self) -> bool:
        """Whether it is about this alone, so that it can be the first part of a sentence."""
        return self.ref == "this"

    def holds(self, world: World, near: Bearings) -> bool:
        """Whether it holds."""
        match self.kind:
            case "stale":
                return world.stale
            case "held":
                return world.control.get(world.units[near.this].space) == near.you
        one = world.units[near.unit(self.ref)]
        match self.kind:
            case "bolstered" | "unbolstered":
                return one.there and is_state(world, near.unit(self.ref), self.kind)
            case "location":
                return one.there and one.space in LOCATIONS
            case "beside":
                return one.there and distance(one.space, world.units[near.this].space) == 1
        beside = [unit for unit in world.present() if distance(world.units[unit].space, one.space) == 1]
        match self.kind:
            case "neighbour":
                return any(self.phrase.fits(world, unit, near) for unit in beside)
            case "alone":
                return not any(self.phrase.fits(world, unit, near) for unit in beside)
            case "crowd":
                return len(beside) >= self.number
        return world.units[near.this].coins + len(beside) >= self.number


STALE = Condition("stale")
"""`the initiative is stale`"""
