"""Steps: their words, and their effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plain.board import within
from plain.phrases import ANY, STALE, Bearings, Condition, OpenQuestion, Phrase, Place
from plain.world import World

if TYPE_CHECKING:
    from plain.reading import Run


@dataclass(frozen=True)
class Clause:
    """A part of a sentence; `may`: from here on it is an offer."""

    may: bool = False

    def taker(self, world: World, near: Bearings) -> str | None:
        """The player to whom it is offered; None if the agent has gone."""
        return near.you

    def do(self, run: Run, near: Bearings) -> Bearings:
        """Carry it out; return the things that later words can refer to."""
        raise NotImplementedError


@dataclass(frozen=True)
class ByUnit(Clause):
    """An act of a unit; an order to one that has gone lapses."""

    ref: str = "this"

    def taker(self, world: World, near: Bearings) -> str | None:
        one = world.units[near.unit(self.ref)]
        return one.owner if one.there else None

    def do(self, run: Run, near: Bearings) -> Bearings:
        if run.world.units[near.unit(self.ref)].there:
            self.act(run, near, near.unit(self.ref))
        return near

    def act(self, run: Run, near: Bearings, unit: int) -> None:
        """Have the unit do it."""
        raise NotImplementedError

    def verb(self, third: str, plain: str) -> str:
        """The agent and the verb."""
        return f"{self.ref} may {plain}" if self.may else f"{self.ref} {third}"


@dataclass(frozen=True)
class Move(ByUnit):
    """It moves, anywhere or to a space beside another unit."""

    beside: str = ""
    if_able: bool = False

    def __str__(self) -> str:
        to = f" to a space adjacent to {self.beside}" if self.beside else ""
        return self.verb("moves", "move") + to + (" if able" if self.if_able else "")

    def act(self, run: Run, near: Bearings, unit: int) -> None:
        if self.beside:
            around = within(run.world.units[near.unit(self.beside)].space, 1, 1)
            spaces = [one for one in around if run.can_move(unit, one)]
        else:
            spaces = run.moves(unit)
        if not spaces and self.if_able:
            return
        run.move(unit, spaces[run.choose(run.world.units[unit].owner, len(spaces))])


@dataclass(frozen=True)
class Follow(ByUnit):
    """It moves to where another unit is, or was."""

    to: str = "that unit"

    def __str__(self) -> str:
        return f"let gap be the space of {self.to}, then {self.ref} moves to that gap if able"

    def act(self, run: Run, near: Bearings, unit: int) -> None:
        space = run.world.units[near.unit(self.to)].space
        if run.can_move(unit, space):
            run.move(unit, space)


@dataclass(frozen=True)
class Attack(ByUnit):
    """It attacks, whom it can or a certain unit."""

    target: str = ""

    def __str__(self) -> str:
        return self.verb("attacks", "attack") + (f" {self.target}" if self.target else "")

    def act(self, run: Run, near: Bearings, unit: int) -> None:
        if self.target:
            target = near.unit(self.target)
            if not run.world.units[target].there and not self.may:
                raise OpenQuestion("what becomes of the steps behind an attack on what has gone")
            found = [target] if run.can_attack(unit, target) else []
        else:
            found = run.targets(unit)
        run.attack(unit, found[run.choose(run.world.units[unit].owner, len(found))])


@dataclass(frozen=True)
class Shoot(Clause):
    """This attacks a target at a distance, which is `that target` from then on."""

    def __str__(self) -> str:
        return "attack a target exactly 2 spaces away"

    def do(self, run: Run, near: Bearings) -> Bearings:
        spaces = within(run.world.units[near.this].space, 2, 2)
        found = [
            one
            for one in run.world.present()
            if run.world.units[one].space in spaces and run.can_attack(near.this, one)
        ]
        target = found[run.choose(near.you, len(found))]
        run.attack(near.this, target)
        return near.having("that target", target)


@dataclass(frozen=True)
class Lose(ByUnit):
    """It loses a coin."""

    def __str__(self) -> str:
        return f"{self.ref} loses a coin"

    def act(self, run: Run, near: Bearings, unit: int) -> None:
        run.lose(unit)


@dataclass(frozen=True)
class Draw(Clause):
    """You draw a coin."""

    def __str__(self) -> str:
        return ("you may " if self.may else "") + "draw a coin, then put that coin into your hand"

    def do(self, run: Run, near: Bearings) -> Bearings:
        coin = run.draw(near.you)
        run.world.zones["hand", near.you].append(coin)
        return near


@dataclass(frozen=True)
class Fill(Clause):
    """You draw until you have at least a number of coins in hand."""

    number: int = 3

    def __str__(self) -> str:
        return f"until the number of coins in your hand is at least {self.number}, {Draw()}"

    def do(self, run: Run, near: Bearings) -> Bearings:
        while len(run.world.zones["hand", near.you]) < self.number:
            Draw().do(run, near)
        return near


@dataclass(frozen=True)
class Fetch(Clause):
    """A coin leaves your supply, of any type or of that of a unit."""

    of: str = ""

    def __str__(self) -> str:
        kind = f" of the type of {self.of}" if self.of else ""
        return ("you may " if self.may else "") + f"put a coin in your supply{kind} into your hand"

    def do(self, run: Run, near: Bearings) -> Bearings:
        supply = run.world.zones["supply", near.you]
        kinds = sorted(set(supply))
        if self.of:
            kinds = [one for one in kinds if one == run.world.units[near.unit(self.of)].kind]
        coin = kinds[run.choose(near.you, len(kinds))]
        supply.remove(coin)
        run.world.zones["hand", near.you].append(coin)
        return near


@dataclass(frozen=True)
class Fine(Clause):
    """A coin of a unit's owner goes out of its supply."""

    of: str = "that unit"

    def __str__(self) -> str:
        return f"put a coin in the supply of the owner of {self.of} into the box of the owner of {self.of}"

    def do(self, run: Run, near: Bearings) -> Bearings:
        owner = run.world.units[near.unit(self.of)].owner
        kinds = sorted(set(run.world.zones["supply", owner]))
        coin = kinds[run.choose(near.you, len(kinds))]
        run.world.zones["supply", owner].remove(coin)
        run.world.zones["box", owner].append(coin)
        return near


@dataclass(frozen=True)
class Hand(Clause):
    """The initiative goes to the owner of a unit."""

    of: str = "that unit"

    def __str__(self) -> str:
        return f"the owner of {self.of} becomes the holder of the initiative"

    def do(self, run: Run, near: Bearings) -> Bearings:
        run.world.holder = run.world.units[near.unit(self.of)].owner
        return near


@dataclass(frozen=True)
class Recruit(Clause):
    """You recruit."""

    def __str__(self) -> str:
        return "you may recruit" if self.may else "recruit"

    def do(self, run: Run, near: Bearings) -> Bearings:
        run.recruit(near.you)
        return near


@dataclass(frozen=True)
class Claim(Clause):
    """You claim the initiative."""

    def __str__(self) -> str:
        return "you may claim the initiative" if self.may else "claim the initiative"

    def do(self, run: Run, near: Bearings) -> Bearings:
        run.claim(near.you)
        return near


@dataclass(frozen=True)
class Each(Clause):
    """An act of each of some units, which are settled at the start."""

    phrase: Phrase = ANY
    then: ByUnit = Lose(ref="it")

    def __str__(self) -> str:
        return f"for each {self.phrase.worded('')}, {self.then}"

    def do(self, run: Run, near: Bearings) -> Bearings:
        for unit in self.phrase.members(run.world, near):
            it = near.having("it", unit)
            Sentence((self.then,)).carry_out(run, it)
        return near


@dataclass(frozen=True)
class Choose(Clause):
    """You choose a unit, which is taken up from then on."""

    phrase: Phrase = ANY
    called: str = "that unit"

    def __str__(self) -> str:
        return ("you may " if self.may else "") + f"choose {self.phrase}"

    def do(self, run: Run, near: Bearings) -> Bearings:
        found = self.phrase.members(run.world, near)
        unit = found[run.choose(near.you, len(found))]
        return near.having(self.called, unit)


@dataclass(frozen=True)
class Either(Clause):
    """One of two things."""

    ways: tuple[Clause, ...] = ()

    def __str__(self) -> str:
        return "either " + ", or ".join(map(str, self.ways))

    def do(self, run: Run, near: Bearings) -> Bearings:
        way = self.ways[run.choose(near.you, len(self.ways))]
        if isinstance(way, ByUnit) and not run.world.units[near.unit(way.ref)].there:
            raise OpenQuestion("a way for what has gone")
        return way.do(run, near)


@dataclass(frozen=True)
class If(Clause):
    """A step if a condition holds, and otherwise another step, or none."""

    condition: Condition = STALE
    then: Sentence | None = None
    otherwise: Sentence | None = None

    def __str__(self) -> str:
        behind = f".\notherwise, {self.otherwise}" if self.otherwise else ""
        return f"if {self.condition}, {self.then}{behind}"

    def do(self, run: Run, near: Bearings) -> Bearings:
        chosen = self.then if self.condition.holds(run.world, near) else self.otherwise
        if chosen is not None:
            chosen.carry_out(run, near)
        return near


@dataclass(frozen=True)
class Sentence:
    """Parts of a sentence, joined by `, then`."""

    parts: Sequence[Clause]

    def __str__(self) -> str:
        return ", then ".join(map(str, self.parts))

    def offered_to(self, world: World, near: Bearings) -> str | None:
        """To whom all of it is offered, if it is."""
        return self.parts[0].taker(world, near) if self.parts[0].may else None

    def carry_out(self, run: Run, near: Bearings, taken: bool = False) -> Bearings:
        """Do the parts one after the other; what is offered can be left."""
        for place, part in enumerate(self.parts):
            if part.may and not (taken and place == 0):
                taker = part.taker(run.world, near)
                if taker is None or run.choose(taker, 2, is_offer=True) == 0:
                    return near
            near = part.do(run, near)
        return near


@dataclass(frozen=True)
class Parts(Sentence):
    """A sentence in two parts: the semicolon ends the scope of the first."""

    behind: Sequence[Clause] = ()

    def __str__(self) -> str:
        return f"{Sentence(self.parts)}; {Sentence(self.behind)}"

    def carry_out(self, run: Run, near: Bearings, taken: bool = False) -> Bearings:
        """Do one part, then the other."""
        near = Sentence(self.parts).carry_out(run, near, taken)
        return Sentence(self.behind).carry_out(run, near)


def beside(ref: str, side: str = "", state: str = "") -> Phrase:
    """A unit adjacent to another one."""
    return Phrase(side=side, state=state, place=Place("adjacent", ref))
