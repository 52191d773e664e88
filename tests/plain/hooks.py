"""The parts of a card: events and the hooks on them, prohibitions, permissions, a tactic; and when each answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plain.board import LOCATIONS, within
from plain.phrases import STALE, Bearings, Condition, OpenQuestion, Phrase, Place, fits
from plain.world import Unit, World

if TYPE_CHECKING:
    from plain.clauses import Sentence
    from plain.reading import Run

BY_UNIT = ("attack", "move", "control", "tactic")
"""The kinds of maneuver."""


@dataclass(eq=False)
class Happening:
    """An event: the act, its agent, its object and its destination."""

    verb: str
    agent: int | None
    target: int | None = None
    to: str = ""
    player: str = ""
    coin: str = ""
    by: str = ""
    """The act that ordered it, if one did directly."""


VERBS = {
    "attack": ("attacks", "attack", "attacked"),
    "move": ("moves", "move", ""),
    "lose": ("loses a coin", "lose a coin", ""),
    "control": ("controls", "control", ""),
    "maneuver": ("maneuvers", "maneuver", ""),
    "deploy": ("deploy", "deploy", "deployed"),
    "bolster": ("bolster", "bolster", "bolstered"),
    "recruit": ("recruit", "recruit", ""),
    "claim": ("claim the initiative", "claim the initiative", ""),
    "pass": ("pass", "pass", ""),
    "fall": ("falls", "fall", ""),
    "tactic": ("uses its tactic", "use its tactic", ""),
}
"""How each verb is worded: of a unit, or of you; after `would`; and in the passive of a unit."""
THIRD = {
    "deploy": "deploys",
    "bolster": "bolsters",
    "recruit": "recruits",
    "claim": "claims the initiative",
    "pass": "passes",
}

TURNS = {"you": "your turn", "an opponent": "the turn of an opponent", "a player": "each turn"}
"""The words for a turn that starts or ends, by the words for its player."""


@dataclass(frozen=True)
class Event:
    """The event pattern of a hook."""

    verb: str
    subject: Phrase | str = ""
    """A unit, `this`, or a player (`you`, `an opponent`, `a player`); None for the passive."""
    object: Phrase | str = ""
    to: Place | str = ""
    """A place that is moved or deployed to: a `Place`, or `a location`."""
    by: str = ""
    guard: str = ""
    """`while` or `unless`"""
    condition: Condition = STALE
    front: bool = False
    """Whether the guard is the first part of the sentence."""

    @property
    def verbs(self) -> tuple[str, ...]:
        """The acts that are such an event."""
        return BY_UNIT if self.verb == "maneuver" else (self.verb,)

    def worded(self, would: bool) -> str:
        """The event as a hook says it."""
        said = VERBS[self.verb]
        if not self.subject:
            verb = f"would be {said[2]}" if would else f"is {said[2]}"
            parts = [self.object, verb]
        else:
            verb = THIRD[self.verb] if self.verb in THIRD and self.subject != "you" else said[0]
            parts = [self.subject, f"would {said[1]}" if would else verb, self.object]
        preposition = "onto" if self.verb == "deploy" else "to"
        if isinstance(self.to, Place):
            parts.append(f"{preposition} a space {self.to}")
        elif self.to:
            parts.append(f"{preposition} {self.to}" if self.verb != "control" else self.to)
        if self.by:
            parts.append("against an attack")
        if self.guard and not self.front:
            parts.append(f"{self.guard} {self.condition}")
        return " ".join(str(one) for one in parts if one)

    def roles(self) -> dict[str, str]:
        """The units that the event speaks of, by the words that take them up."""
        spoken = [role for role, what in (("agent", self.subject), ("target", self.object)) if isinstance(what, Phrase)]
        if len(spoken) == 2:
            return {"the first unit": spoken[0], "the second unit": spoken[1]}
        return {"that unit": spoken[0]} if spoken else {}

    def near(self, happening: Happening, this: int, you: str) -> Bearings:
        """The antecedents of the words of a hook when the event happens."""
        units = {"agent": happening.agent, "target": happening.target}
        spoken = {ref: unit for ref, role in self.roles().items() if (unit := units[role]) is not None}
        return Bearings(this, you, spoken)

    def is_so(self, world: World, happening: Happening, near: Bearings) -> bool:
        """Whether an event matches, in the position before it."""
        if happening.verb not in self.verbs or (self.by and happening.by != self.by):
            return False
        if not self._is_by(world, happening, near) or not self._is_to(world, happening, near):
            return False
        if self.object and self.object != "a coin" and not self._is_done_to(world, happening, near):
            return False
        return not self.guard or self.condition.holds(world, near) == (self.guard == "while")

    def _is_done_to(self, world: World, happening: Happening, near: Bearings) -> bool:
        return happening.target is not None and fits(world, self.object, happening.target, near)

    def _is_to(self, world: World, happening: Happening, near: Bearings) -> bool:
        if isinstance(self.to, Place):
            return self.to.holds(world, happening.to, near)
        is_held = world.control.get(happening.to) == near.you
        return not self.to or (happening.to in LOCATIONS and (self.to == "a location" or is_held))

    def _is_by(self, world: World, happening: Happening, near: Bearings) -> bool:
        match self.subject:
            case "":
                return True
            case "you":
                return happening.player == near.you
            case "an opponent":
                return happening.player != near.you
            case "a player":
                return True
        return happening.agent is not None and fits(world, self.subject, happening.agent, near)

    @property
    def measures(self) -> bool:
        """Whether anything in it is measured from the card."""
        places = [what.place for what in (self.subject, self.object) if isinstance(what, Phrase)]
        return bool(self.guard) or isinstance(self.to, Place) or any(places)


@dataclass(frozen=True, eq=False)
class Hook:
    """Steps that hang on an event."""

    stage: str
    """`before`, `when`, `instead` or `after`; `start` or `end` of a turn, which is no event with stages"""
    event: Event
    steps: Sentence
    condition: Condition | None = None
    """An `if` in front of the steps."""

    def __str__(self) -> str:
        stage = "when" if self.stage == "instead" else self.stage
        if stage in ("start", "end"):
            return f"at the {stage} of {TURNS[str(self.event.subject)]}, {self._front()}{self.steps}."
        behind = " instead" if self.stage == "instead" else ""
        guard = f"{self.event.guard} {self.event.condition}, " if self.event.guard and self.event.front else ""
        return f"{guard}{stage} {self.event.worded(self.stage == 'instead')}, {self._front()}{self.steps}{behind}."

    def _front(self) -> str:
        return f"if {self.condition}, " if self.condition else ""

    def is_apt(self, world: World, near: Bearings) -> bool:
        """Whether the `if` in front holds."""
        return self.condition is None or self.condition.holds(world, near)

    def offered_to(self, world: World, near: Bearings) -> str | None:
        """To whom all of the steps are offered, if they are."""
        return self.steps.offered_to(world, near)

    def carry_out(self, run: Run, near: Bearings, taken: bool) -> None:
        """Carry out the steps; before and after an event the `if` in front is one of them."""
        if self.stage in ("when", "instead") or self.is_apt(run.world, near):
            self.steps.carry_out(run, near, taken=taken)


@dataclass(frozen=True, eq=False)
class Answer:
    """A hook that answers, and the antecedents of its words."""

    hook: Hook
    near: Bearings


@dataclass(frozen=True)
class Rule:
    """A prohibition, or a permission."""

    verb: str
    subject: Phrase | str
    object: Phrase | str = ""
    to: Place | str = ""
    allows: str = ""
    """The distance that is permitted, where it is a permission: `exactly 2`."""
    guard: str = ""
    condition: Condition = STALE
    front: bool = False

    def __str__(self) -> str:
        if self.front and self.guard:
            return f"{self.guard} {self.condition}, {replace(self, guard='')}"
        if self.allows:
            goal = "a target" if self.verb == "attack" else "to a space"
            return f"{self.subject} may {self.verb} {goal} {self.allows} spaces away{self._guard()}."
        to = f" to a space {self.to}" if isinstance(self.to, Place) else f" to {self.to}" if self.to else ""
        what = f" {self.object}" if self.object else ""
        return f"{self.subject} cannot {self.verb}{what}{to}{self._guard()}."

    def _guard(self) -> str:
        return f" {self.guard} {self.condition}" if self.guard else ""

    def near(self, this: int, you: str, agent: int) -> Bearings:
        """The antecedents of its words."""
        return Bearings(this, you, {"that unit": agent})

    def is_about(self, world: World, near: Bearings, agent: int, target: int | None, to: str) -> bool:
        """Whether it speaks of such an act."""
        if not fits(world, self.subject, agent, near):
            return False
        if self.object and (target is None or not fits(world, self.object, target, near)):
            return False
        if isinstance(self.to, Place) and not self.to.holds(world, to, near):
            return False
        if self.to == "a location" and to not in LOCATIONS:
            return False
        return not self.guard or self.condition.holds(world, near) == (self.guard == "while")


@dataclass(eq=False)
class Tactic:
    """The steps of a tactic."""

    sentences: Sequence[Sentence]

    def __str__(self) -> str:
        return "\n".join(f"{one}." for one in self.sentences)

    def carry_out(self, run: Run, near: Bearings) -> None:
        """Carry out the sentences one after the other."""
        for one in self.sentences:
            near = one.carry_out(run, near)


@dataclass(eq=False)
class Card:
    """A card, with its name."""

    name: str
    hooks: Sequence[Hook] = ()
    rules: Sequence[Rule] = ()
    tactic: Tactic | None = None
    limit: int = 1
    """How many units of it a player can have."""

    def text(self) -> str:
        """The document."""
        lines = [f"unit: {self.name}", "set: test", "coins: 15", "source: a test"]
        if self.tactic is not None:
            lines += ["tactic: |", *(f"  {one}" for one in str(self.tactic).splitlines())]
        said = [*self.hooks, *([f"the limit of this is {self.limit}."] if self.limit > 1 else [])]
        if said:
            lines += ["attribute: |", *(f"  {one}" for one in said)]
        if self.rules:
            lines += ["restriction: |", *(f"  {one}" for one in self.rules)]
        return "\n".join(lines) + "\n"

    def most(self, kind: str) -> int:
        """How many units of a kind a player can have."""
        return self.limit if kind == self.name else 1

    def carriers(self, world: World) -> list[int]:
        """The units of this card on the board."""
        return [one for one in world.present() if world.units[one].kind == self.name]

    def answers(self, moment: World, event: Happening) -> list[Answer]:
        """The answers to an event that is about to happen."""
        return [
            Answer(hook, near)
            for this in self.carriers(moment)
            for hook in self.hooks
            if hook.event.is_so(moment, event, near := hook.event.near(event, this, moment.units[this].owner))
        ]

    def starts(self, world: World) -> bool:
        """Whether a hook answers the start of the turn in a position."""
        event = Happening("start", None, player=world.active)
        return any(one.hook.stage == "start" for one in self.answers(world, event))

    def newcomers(self, moment: World, world: World, event: Happening) -> Iterator[Answer]:
        """The answers after an event of units that have come with it."""
        for this in self.carriers(world):
            if this < len(moment.units):
                continue
            for hook in self.hooks:
                if hook.stage == "after" and event.verb in hook.event.verbs:
                    yield from self._of_newcomer(hook, moment, event, Bearings(this, world.units[this].owner))

    def _of_newcomer(self, hook: Hook, moment: World, event: Happening, near: Bearings) -> Iterator[Answer]:
        if hook.event.object == "this" and event.verb == "deploy":
            if not hook.event.guard:
                yield Answer(hook, near)
                return
            raise OpenQuestion("what was so of a newcomer")
        if "this" in (hook.event.subject, hook.event.object):
            return
        if hook.event.measures:
            raise OpenQuestion("what was so of a newcomer")
        near = hook.event.near(event, near.this, near.you)
        if hook.event.is_so(moment, event, near):
            yield Answer(hook, near)

    def forbids(self, world: World, verb: str, agent: int, target: int | None = None, to: str = "") -> bool:
        """Whether the card forbids an act."""
        return any(
            rule.is_about(world, rule.near(this, world.units[this].owner, agent), agent, target, to)
            for this in self.carriers(world)
            for rule in self.rules
            if rule.verb == verb and not rule.allows
        )

    def permitted(self, world: World, verb: str, agent: int) -> set[str]:
        """The spaces that the card permits besides those next to a unit."""
        found: set[str] = set()
        for this in self.carriers(world):
            for rule in self.rules:
                near = rule.near(this, world.units[this].owner, agent)
                if rule.verb == verb and rule.allows and rule.is_about(world, near, agent, None, ""):
                    low, high = (2, 2) if rule.allows == "exactly 2" else (1, 2)
                    found.update(within(world.units[agent].space, low, high))
        return found

    def deployable(self, world: World, player: str) -> list[str]:
        """The spaces on which a player can deploy a coin."""
        return [one for one in sorted(LOCATIONS) if world.control.get(one) == player and world.on(one) is None]

    def enter(self, world: World, coin: str, player: str, to: str) -> None:
        """Let a unit come onto the board."""
        world.units.append(Unit(coin, player, to, 1))
