"""Small cards and positions, put together at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from plain.board import LOCATIONS, SPACES, within
from plain.clauses import (
    Attack,
    Choose,
    Claim,
    Clause,
    Draw,
    Each,
    Either,
    Fetch,
    Fill,
    Fine,
    Follow,
    Hand,
    If,
    Lose,
    Move,
    Parts,
    Recruit,
    Sentence,
    Shoot,
    beside,
)
from plain.hooks import Card, Event, Hook, Rule, Tactic
from plain.phrases import STALE, Condition, Phrase, Place
from plain.world import PLAYERS, ROYAL, Unit, World

T = TypeVar("T")
PLAIN = {"raven": ("Ox", "Elk"), "wolf": ("Yak", "Hare")}
"""The units that have no text, of each player."""
SIDES = ("enemy", "friendly")
STAGES = ("before", "when", "instead", "after", "after", "after")
EVENTS = (
    "attack",
    "attack",
    "attack",
    "attack",
    "attacked",
    "attacked",
    "move",
    "move",
    "lose",
    "lose",
    "control",
    "fall",
    "fall",
    "bolster",
    "bolstered",
    "deploy",
    "deployed",
    "recruit",
    "claim",
    "pass",
    "maneuver",
    "tactic",
)


class Maker:
    """Makes cards."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def one(self, of: Sequence[T]) -> T:
        """One of some things."""
        return of[self.rng.randrange(len(of))]

    def at_times(self, share: float) -> bool:
        """Whether to take a rare alternative."""
        return self.rng.random() < share

    # ---- phrases

    def place(self, ref: str = "this") -> Place:
        way = self.one(("adjacent", "adjacent", "within 2", "location", "controlled"))
        return Place(way, ref)

    def phrase(self, side: str | None = None) -> Phrase:
        """A unit, with possible modifiers."""
        if side is None:
            side = self.one(("", "enemy", "friendly", "friendly"))
        another = side != "enemy" and self.at_times(0.45)
        if side == "friendly" and not another and self.at_times(0.3):
            return Phrase(yours=True, state=self.state())
        return Phrase(side, self.state(), another, self.place() if self.at_times(0.4) else None)

    def subject(self, side: str | None = None) -> Phrase:
        """A unit without modifiers before it: `adjacent` can be in front, and is measured from the card."""
        made = self.phrase(side)
        is_front = made.place is not None and made.place.way == "adjacent" and self.at_times(0.4)
        return replace(made, place=Place("adjacent", front=True)) if is_front and not made.yours else made

    def state(self) -> str:
        return self.one(("bolstered", "unbolstered")) if self.at_times(0.3) else ""

    def condition(self, refs: Sequence[str]) -> Condition:
        """A condition about this, or about a unit that is spoken of."""
        ref = self.one(("this", *refs))
        kind = self.one(
            (
                "bolstered",
                "unbolstered",
                "location",
                "neighbour",
                "alone",
                "crowd",
                "sum",
                "stale",
                "held",
                *["beside"] * (ref != "this"),
            )
        )
        side = self.one(("", "enemy", "friendly"))
        another = side != "enemy" and kind == "neighbour" and self.at_times(0.5)
        return Condition(kind, ref, Phrase(side, self.state(), another), self.one((1, 2, 3)))

    # ---- events

    def event(self, stage: str) -> Event:
        """A possible event."""
        kind = self.one(EVENTS)
        made = self._of_units(kind) or self._of_players(kind)
        if self.at_times(0.25):
            made = replace(made, guard=self.one(("while", "unless")), condition=self.condition([*made.roles()]))
            made = replace(made, front=made.condition.is_plain and self.at_times(0.4))
        return made

    def _of_units(self, kind: str) -> Event | None:
        match kind:
            case "attack":
                subject: Phrase | str = self.one(("this", self.subject(), self.subject("enemy")))
                other: Phrase | str = self.one(("this", self.phrase("friendly"), self.phrase()))
                other = self.phrase("enemy") if subject == "this" else other
                return Event("attack", subject, self.one((other, other, "")))
            case "attacked":
                return Event("attack", "", self.one(("this", self.subject(), self.subject("friendly"))))
            case "move":
                subject = self.one(("this", self.subject(), self.subject("enemy")))
                places = (Place("adjacent"), Place("within 2"))
                to: Place | str = self.one(("", "", "a location", "a location you control", *places))
                return Event("move", subject, to=to if subject != "this" or isinstance(to, str) else "")
            case "lose":
                return Event("lose", self.one(("this", self.subject())), by=self.one(("", "attack")))
            case "control":
                return Event("control", self.one(("this", self.phrase())), to=self.one(("", "a location")))
            case "fall":
                return Event("fall", self.one(("this", self.subject(), self.subject(), self.phrase("friendly"))))
            case "maneuver" | "tactic":
                return Event(kind, self.one(("this", self.phrase())) if kind == "maneuver" else "this")
        return None

    def _of_players(self, kind: str) -> Event:
        who = self.one(("you", "you", "an opponent", "a player"))
        match kind:
            case "bolster":
                return Event("bolster", who, self.one(("", self.phrase("friendly"), self.phrase(""))))
            case "bolstered":
                return Event("bolster", "", self.one(("this", self.phrase())))
            case "deployed":
                return Event("deploy", "", "this")
            case "deploy":
                to: Place | str = self.one(("", "", "a location", Place("adjacent"), Place("within 2")))
                return Event("deploy", who, self.one(("", "a coin")) if not to else "a coin", to=to)
        return Event(kind, who)

    # ---- steps

    def steps(self, refs: Sequence[str], sure: Sequence[str], whole: bool) -> Sentence:
        """Steps that can take up some units, some of which are enemies for sure; `whole`: in one part."""
        may = self.at_times(0.6)
        simple: list[Clause] = [
            Move(may),
            Move(may),
            Attack(may),
            Draw(may),
            Fetch(may),
            Fetch(may, of="this"),
            Recruit(may),
            Claim(may),
            Lose(),
            Each(phrase=self.gone("this")),
            Each(phrase=Phrase("friendly", self.state(), True)),
        ]
        for ref in refs:
            simple += [
                Lose(ref=ref),
                Lose(ref=ref),
                Each(phrase=self.gone(ref)),
                Each(phrase=self.gone(ref)),
                Move(True, ref=ref),
                Move(may, beside=ref),
                Fetch(may, of=ref),
                Fine(of=ref),
                Hand(of=ref),
                Follow(to=ref),
            ]
        simple += [Attack(may, target=ref) for ref in sure for _ in range(3)]
        first = self.one(simple)
        match self.rng.randrange(13):
            case 11:
                return Sentence((Fill(number=self.one((2, 3, 4))),))
            case 12 if not whole:
                behind = [one for one in simple if not isinstance(one, Follow)]
                asked = If(condition=self.condition(refs), then=Sentence((self.one(behind),)))
                return Parts((asked,), behind=(self.one(behind),))
            case 10 if not whole:
                behind = [one for one in simple if not isinstance(one, Follow)]
                return Parts((first,), behind=(self.one(behind),))
            case 0:
                return Sentence((Lose(), Move(True)))
            case 1:
                behind = [one for one in simple if isinstance(one, Lose | Hand | Recruit | Claim) and not one.may]
                return Sentence((first, self.one(behind))) if not isinstance(first, Each) else Sentence((first,))
            case 2:
                return Sentence((Either(ways=(Move(), Lose())),))
            case 3:
                ref = "that friendly unit"
                chosen = Choose(phrase=self.gone("this", "friendly"), called=ref)
                return Sentence((chosen, self.one((Lose(ref=ref), Move(True, ref=ref)))))
        return Sentence((first,))

    def gone(self, ref: str, side: str | None = None) -> Phrase:
        """A unit beside another one, which may have gone."""
        made = beside(ref, self.one(("", "enemy", "friendly")) if side is None else side, self.state())
        return made

    def hook(self) -> Hook:
        """A hook, of any stage."""
        stage = self.one(STAGES)
        if self.at_times(0.12):
            return self.timed()
        event = self.event(stage)
        refs = [*event.roles()]
        of = {"agent": event.subject, "target": event.object}
        sure = [
            ref
            for ref, role in event.roles().items()
            if isinstance(phrase := of[role], Phrase) and phrase.side == "enemy"
        ]
        condition = self.condition(refs) if self.at_times(0.3) else None
        whole = stage == "instead" or condition is not None
        return Hook(stage, event, self.steps(refs, sure, whole), condition)

    def timed(self) -> Hook:
        """A hook on the start or the end of a turn."""
        edge = self.one(("start", "end"))
        condition = self.condition(()) if self.at_times(0.3) else None
        event = Event(edge, self.one(("you", "you", "an opponent", "a player")))
        return Hook(edge, event, self.steps((), (), condition is not None), condition)

    # ---- rules, and tactics

    def rule(self) -> Rule:
        """A prohibition or a permission."""
        verb = self.one(("attack", "attack", "move"))
        subject = self.one(("this", self.phrase(), self.phrase()))
        guard, condition = "", STALE
        if self.at_times(0.35):
            guard = self.one(("while", "unless"))
            condition = self.condition(("that unit",) if subject != "this" else ())
        if self.at_times(0.3):
            subject = self.one(("this", self.phrase("friendly")))
            if subject == "this":
                condition = self.condition(())
            return Rule(verb, subject, allows="exactly 2", guard=guard, condition=condition)
        if verb == "attack":
            other = self.one(("", "this", self.phrase(), self.phrase()))
            return Rule(verb, subject, other, guard=guard, condition=condition)
        to = self.one(("", "a location", Place("adjacent"), Place("within 2")))
        front = bool(guard) and condition.is_plain and self.at_times(0.4)
        return Rule(verb, subject, to=to, guard=guard, condition=condition, front=front)

    def tactic(self) -> Tactic:
        """A tactic."""
        chosen = Choose(phrase=Phrase("friendly", self.state(), True, Place(self.one(("adjacent", "within 2")))))
        enemy = Choose(phrase=Phrase("enemy", self.state(), False, Place(self.one(("adjacent", "within 2")))))
        blast = self.gone("that target")
        found: tuple[tuple[Clause, ...], ...] = (
            (Shoot(), Each(phrase=blast)),
            (Shoot(), Each(phrase=blast)),
            (Shoot(), Move(beside="that target")),
            (Shoot(), Follow(to="that target")),
            (Shoot(), Fetch(of="that target")),
            (Shoot(), Fine(of="that target")),
            (chosen, Move(ref="that unit")),
            (chosen, Attack(ref="that unit")),
            (chosen, Lose(ref="that unit"), Move()),
            (enemy, Lose(ref="that unit")),
            (enemy, Lose(ref="that unit"), Each(phrase=self.gone("that unit"))),
            (enemy, Lose(ref="that unit"), Follow(to="that unit")),
            (Move(), Attack()),
            (Attack(), Move()),
            (Either(ways=(Move(), Attack())),),
            (Each(phrase=self.gone("this")),),
            (Each(phrase=Phrase(self.one(SIDES), self.state())),),
            (Each(phrase=Phrase("friendly"), then=Move(True, ref="it")),),
            (If(condition=self.condition(()), then=Sentence((Move(),)), otherwise=Sentence((Attack(),))),),
            (Recruit(), Move()),
            (Lose(), Move(True)),
            (Fill(number=4),),
            *self._others(),
        )
        return Tactic([Sentence((one,)) for one in self.one(found)])

    def _others(self) -> tuple[tuple[Clause, ...], ...]:
        """Tactics about a unit other than the one chosen before."""
        enemy, friend = (Phrase(side, self.state(), place=self.one((None, Place("within 2")))) for side in SIDES)
        first, second = "the first unit", "the second unit"

        def other(phrase: Phrase) -> Phrase:
            return replace(phrase, another=True)

        return (
            (Choose(phrase=enemy, called=first), Choose(phrase=other(enemy), called=second), Lose(ref=second)),
            (Choose(phrase=enemy, called=first), Choose(phrase=other(enemy), called=second), Lose(ref=first)),
            (Choose(phrase=other(friend), called=first), Choose(phrase=other(friend), called=second), Move(ref=second)),
            (Choose(phrase=friend, called=first), Choose(phrase=other(friend), called=second), Lose(ref=second)),
            (Shoot(), Each(phrase=Phrase("enemy", another=True))),
            (Shoot(), Each(phrase=other(Phrase()))),
            (Choose(phrase=friend), Each(phrase=Phrase("friendly", another=True))),
        )

    def card(self, name: str) -> Card:
        """A card: mostly one hook, at times a rule or a tactic; at times its limit is two units."""
        made = self._card(name)
        return replace(made, limit=2) if self.at_times(0.1) else made

    def _card(self, name: str) -> Card:
        match self.rng.randrange(10):
            case 0 | 1:
                return Card(name, tactic=self.tactic())
            case 2 | 3:
                return Card(name, rules=[self.rule()])
            case 4:
                return Card(name, hooks=[self.hook()], tactic=self.tactic())
            case 5:
                return Card(name, hooks=[self.hook(), self.hook()])
            case 6:
                return Card(name, hooks=[self.hook()], rules=[self.rule()])
        return Card(name, hooks=[self.hook()])


# ---- positions


def position(rng: Random, card: str, limit: int = 1) -> World:
    """A position in which a card has something to do: few units, close together, and coins in all zones."""
    world = World(holder=rng.choice(PLAYERS), stale=rng.random() < 0.25, active="raven")
    owner = rng.choice(PLAYERS)
    middle = rng.choice([one for one in SPACES if len(within(one, 1, 1)) >= 4])
    near = [*within(middle, 1, 1)] * 3 + [*within(middle, 2, 2)]
    kinds = {player: [*PLAIN[player]] for player in PLAYERS}
    for player in PLAYERS:
        for kind in kinds[player]:
            if rng.random() < 0.75:
                _place(rng, world, kind, player, rng.choice(near))
    if rng.random() < 0.88:
        _place(rng, world, card, owner, middle)
        if limit > 1 and rng.random() < 0.8:
            _place(rng, world, card, owner, rng.choice(near))
    kinds[owner].append(card)
    for place in sorted(LOCATIONS):
        world.control[place] = rng.choice(("raven", "wolf", ""))
    for player in PLAYERS:
        for place in [one for one in sorted(LOCATIONS) if world.control[one] == player][4:]:
            world.control[place] = ""
        _deal(rng, world, player, kinds[player])
    return world


def _place(rng: Random, world: World, kind: str, owner: str, space: str) -> None:
    if world.on(space) is None:
        world.units.append(Unit(kind, owner, space, rng.choice((1, 1, 2, 2, 3))))


def _deal(rng: Random, world: World, player: str, kinds: Sequence[str]) -> None:
    zones = world.zones
    there = [one.kind for one in world.units if one.kind in kinds]
    zones["hand", player] = [ROYAL, *rng.sample(kinds, 2)] if player == world.active else [ROYAL]
    if player == world.active and there and rng.random() < 0.8:
        zones["hand", player][1] = rng.choice(there)
    if player != world.active and rng.random() < 0.5:
        zones["hand", player] = [rng.choice(kinds)]
    if rng.random() < 0.7:
        zones["supply", player] = sorted(rng.sample(kinds, rng.choice((1, 1, 2))))
    # Never empty: a hook that cannot draw forbids its own event, where it should lapse.
    zones["bag", player] = [rng.choice(kinds)] * rng.choice((2, 3))
