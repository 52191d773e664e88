"""A turn, as a careful reader of the cards carries it out: choices, events and their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from plain.board import LOCATIONS, within
from plain.hooks import Answer, Card, Happening
from plain.phrases import Bearings, OpenQuestion
from plain.world import ROYAL, World, opponent

DEEP = 9
"""The most events within each other that are followed."""
MANY = 1500
"""The most lines of play that are followed."""


class Impossible(Exception):
    """An order cannot be carried out."""


@dataclass(frozen=True)
class Chosen:
    """One choice: its player (None: chance), the number of candidates, and the one taken."""

    player: str | None
    among: int
    taken: int
    is_offer: bool = False


Line = tuple[tuple[Chosen, ...], World]
"""The choices of a line of play, and where it ended."""
Work = Callable[["Run"], None]


class Run:
    """One line of play: a position that changes, and the choices made so far."""

    def __init__(self, card: Card, world: World, script: Sequence[int] = ()) -> None:
        self.card, self.world, self.script = card, world, script
        self.made: list[Chosen] = []
        self.held = 0
        self.around: list[Happening | Answer] = []
        """The events and answers under way, the outermost first."""

    # ---- choices

    def choose(self, player: str | None, among: int, is_offer: bool = False) -> int:
        """The number of the candidate taken; a dead end if there is none."""
        if not among:
            raise Impossible
        place = len(self.made)
        taken = self.script[place] if place < len(self.script) else 0
        self.made.append(Chosen(player, among, taken, is_offer))
        return taken

    def can(self, work: Work) -> bool:
        """Whether some work can be carried out by some choices."""
        for _ in lines_of(self._twin, work):
            return True
        return False

    def _twin(self, script: Sequence[int]) -> Run:
        twin = Run(self.card, self.world.copy(), script)
        twin.held, twin.around = self.held, self.around[:]
        return twin

    # ---- events

    def happen(self, event: Happening, body: Work) -> None:
        """Let something happen, with all answers to it."""
        if len(self.around) > DEEP:
            raise OpenQuestion("it goes on and on")
        moment = self.world.copy()
        told = [one for one in self.card.answers(moment, event) if self._is_outermost(one, event)]
        self.around.append(event)
        self._stages(event, body, moment, told)
        self.around.remove(event)

    def _stages(self, event: Happening, body: Work, moment: World, told: list[Answer]) -> None:
        self._answer([one for one in told if one.hook.stage == "before"])
        if event.agent is not None and not self.world.units[event.agent].there:
            return
        if self._is_replaced(event, [one for one in told if one.hook.stage == "instead"]) and not self._must(event):
            return
        whens = [one for one in told if one.hook.stage == "when" and one.hook.is_apt(self.world, one.near)]
        self.held += bool(whens)
        body(self)
        self._answer(whens)
        self.held -= bool(whens)
        self.settle()
        afters = [one for one in told if one.hook.stage == "after" and self._is_there(one)]
        come = [one for one in self.card.newcomers(moment, self.world, event) if self._is_outermost(one, event)]
        self._answer(afters + come)

    def pass_on(self) -> None:
        """End the turn, and start the next one, with all that answers that."""
        self._turn("end")
        self.world.active = opponent(self.world.active)
        self._turn("start")

    def _turn(self, edge: str) -> None:
        event = Happening(edge, None, player=self.world.active)
        self._answer([one for one in self.card.answers(self.world.copy(), event) if one.hook.stage == edge])

    def _is_there(self, answer: Answer) -> bool:
        return self.world.units[answer.near.this].there

    def _is_outermost(self, answer: Answer, event: Happening) -> bool:
        verbs = answer.hook.event.verbs
        if len(verbs) == 1:
            return True
        for outer in reversed(self.around):
            if isinstance(outer, Answer):
                return True
            if outer.verb in verbs and outer.agent == event.agent:
                return False
        return True

    def _answer(self, answers: list[Answer]) -> None:
        if len(answers) > 1:
            raise OpenQuestion("the order of answers")
        for one in answers:
            if self.can(lambda run, one=one: run.carry_out(one)):  # type: ignore[misc]
                self.carry_out(one)

    def _is_replaced(self, event: Happening, answers: list[Answer]) -> bool:
        apt = [one for one in answers if one.hook.is_apt(self.world, one.near) and not self._is_under_way(one)]
        if len(apt) > 1:
            raise OpenQuestion("the order of answers")
        for one in apt:
            taker = one.hook.offered_to(self.world, one.near)
            if not self.can(lambda run, one=one: run.carry_out(one, taken=True)):  # type: ignore[misc]
                return False
            if taker is not None and self.choose(taker, 2, is_offer=True) == 0:
                return False
            self.carry_out(one, taken=True)
            return True
        return False

    def _must(self, event: Happening) -> bool:
        """Whether an event happens in spite of an answer in its place: a unit falls that it left without a coin."""
        if event.verb != "fall" or event.agent is None:
            return False
        unit = self.world.units[event.agent]
        return unit.there and not unit.coins

    def _is_under_way(self, answer: Answer) -> bool:
        return any(isinstance(one, Answer) and one.hook is answer.hook for one in self.around)

    def carry_out(self, answer: Answer, *, taken: bool = False) -> None:
        """Carry out the steps of an answer; `taken`: their offer has been accepted already."""
        self.around.append(answer)
        answer.hook.carry_out(self, answer.near, taken)
        self.around.remove(answer)

    def settle(self) -> None:
        """Take all units without coins off the board, unless an event holds that up."""
        if self.held:
            return
        while (unit := self._spent()) is not None:
            self.fall(unit)

    def _spent(self) -> int | None:
        falling = {one.agent for one in self.around if isinstance(one, Happening) and one.verb == "fall"}
        spent = (one for one in self.world.present() if not self.world.units[one].coins)
        return next((one for one in spent if one not in falling), None)

    def fall(self, unit: int) -> None:
        """A unit without coins leaves the board."""

        def body(run: Run) -> None:
            run.world.units[unit].there = False

        self.happen(Happening("fall", unit), body)

    # ---- acts

    def lose(self, unit: int) -> None:
        """A unit loses a coin; an order to one that has gone lapses."""
        one = self.world.units[unit]
        if not one.there:
            return

        def body(run: Run) -> None:
            it = run.world.units[unit]
            if it.there and it.coins:
                it.coins -= 1
                run.world.zones["box", it.owner].append(it.kind)
                run.settle()

        self.happen(Happening("lose", unit, by=self._cause()), body)

    def _cause(self) -> str:
        outer = self.around[-1] if self.around else None
        return outer.verb if isinstance(outer, Happening) else ""

    def move(self, unit: int, to: str) -> None:
        """A unit moves to a space."""

        def body(run: Run) -> None:
            it = run.world.units[unit]
            if it.there and run.world.on(to) is None:
                it.space = to

        self.happen(Happening("move", unit, to=to), body)

    def attack(self, unit: int, target: int) -> None:
        """A unit attacks another one."""
        self.happen(Happening("attack", unit, target=target), lambda run: run.lose(target))

    def control(self, unit: int) -> None:
        """A unit controls its space."""
        space = self.world.units[unit].space

        def body(run: Run) -> None:
            run.world.control[space] = run.world.units[unit].owner

        self.happen(Happening("control", unit, to=space), body)

    def use_tactic(self, unit: int) -> None:
        """A unit uses its tactic."""
        near = Bearings(unit, self.world.units[unit].owner)
        assert self.card.tactic is not None
        self.happen(Happening("tactic", unit), lambda run: run.card.tactic.carry_out(run, near))  # type: ignore[union-attr]

    def deploy(self, player: str, coin: str, to: str) -> None:
        """A player deploys a coin."""
        event = Happening("deploy", None, player=player, coin=coin, to=to)

        def body(run: Run) -> None:
            if run.world.on(to) is None and coin in run.world.zones["hand", player]:
                run.world.zones["hand", player].remove(coin)
                run.card.enter(run.world, coin, player, to)

        self.happen(event, body)

    def bolster(self, player: str, unit: int, zone: str = "hand") -> None:
        """A player bolsters a unit using a coin of its type."""

        def body(run: Run) -> None:
            it = run.world.units[unit]
            if it.there and it.kind in run.world.zones[zone, player]:
                run.world.zones[zone, player].remove(it.kind)
                it.coins += 1

        self.happen(Happening("bolster", None, player=player, target=unit), body)

    def recruit(self, player: str) -> None:
        """A player recruits a coin of the player's choice."""
        kinds = sorted(set(self.world.zones["supply", player]))
        self.recruit_one(player, kinds[self.choose(player, len(kinds))])

    def recruit_one(self, player: str, coin: str) -> None:
        """A player recruits a coin."""

        def body(run: Run) -> None:
            if coin in run.world.zones["supply", player]:
                run.world.zones["supply", player].remove(coin)
                run.world.zones["up", player].append(coin)

        self.happen(Happening("recruit", None, player=player, coin=coin), body)

    def claim(self, player: str) -> None:
        """A player claims the initiative."""
        if self.world.stale or self.world.holder == player:
            raise Impossible

        def body(run: Run) -> None:
            run.world.holder, run.world.stale = player, True

        self.happen(Happening("claim", None, player=player), body)

    def give_pass(self, player: str) -> None:
        """A player passes."""
        self.happen(Happening("pass", None, player=player), lambda run: None)

    def draw(self, player: str) -> str:
        """A player draws a coin: chance decides which; it is in no zone until it is placed."""
        zones = self.world.zones
        bag = zones["bag", player]
        drawn = bag if bag else zones["up", player] + zones["down", player]
        kinds = sorted(set(drawn))
        coin = kinds[self.choose(None, len(kinds))]
        if not bag:
            zones["bag", player] = drawn
            zones["up", player], zones["down", player] = [], []
        zones["bag", player].remove(coin)
        return coin

    # ---- what is permitted

    def moves(self, unit: int) -> list[str]:
        """The spaces that a unit is permitted to move to."""
        space = self.world.units[unit].space
        said = {*within(space, 1, 1), *self.card.permitted(self.world, "move", unit)}
        return [one for one in sorted(said) if self.can_move(unit, one)]

    def can_move(self, unit: int, to: str) -> bool:
        """Whether nothing forbids a unit to move to a space."""
        return self.world.on(to) is None and not self.card.forbids(self.world, "move", unit, to=to)

    def targets(self, unit: int) -> list[int]:
        """The units that a unit can attack as it is permitted to."""
        space = self.world.units[unit].space
        spaces = {*within(space, 1, 1), *self.card.permitted(self.world, "attack", unit)}
        return [
            one for one in self.world.present() if self.world.units[one].space in spaces and self.can_attack(unit, one)
        ]

    def can_attack(self, unit: int, target: int) -> bool:
        """Whether a unit is an enemy of another one, has coins, and nothing forbids it to be attacked."""
        one, other = self.world.units[unit], self.world.units[target]
        return (
            one.owner != other.owner
            and other.there
            and other.coins > 0
            and not self.card.forbids(self.world, "attack", unit, target=target)
        )

    def can_control(self, unit: int) -> bool:
        """Whether a unit can control its space."""
        one = self.world.units[unit]
        return (
            one.space in LOCATIONS
            and self.world.control.get(one.space) != one.owner
            and not self.card.forbids(self.world, "control", unit)
        )


# ---- lines of play


def lines_of(begin: Callable[[Sequence[int]], Run], work: Work) -> Iterator[Line]:
    """All lines of play that some work can take and that can be finished."""
    script: list[int] = []
    for _ in range(MANY):
        run = begin(script)
        try:
            work(run)
            yield tuple(run.made), run.world
        except Impossible:
            if any(one.player is None for one in run.made):
                raise OpenQuestion("what chance has made impossible") from None
        made = run.made
        while made and made[-1].taken + 1 == made[-1].among:
            made.pop()
        if not made:
            return
        script = [one.taken for one in made]
        script[-1] += 1
    raise OpenQuestion("too many lines of play")


Act = tuple[dict[str, Any], Work]
"""An option of a turn: its data, as the game names it, and its result."""


def acts(card: Card, world: World) -> list[Act]:
    """All acts of the active player by the rules alone, also those without an effect."""
    player = world.active
    return [act for coin in sorted(set(world.zones["hand", player])) for act in _uses(Run(card, world), player, coin)]


def _uses(run: Run, player: str, coin: str) -> Iterator[Act]:
    def used(data: dict[str, Any], work: Work, side: str) -> Act:
        def whole(it: Run) -> None:
            it.world.zones["hand", player].remove(coin)
            it.world.zones[side, player].append(coin)
            work(it)

        return {"coin": coin, **data}, whole

    world, units = run.world, [one for one in run.world.present() if run.world.units[one].kind == coin]
    yield used({"act": "pass"}, lambda it: it.give_pass(player), "down")
    if not world.stale and world.holder != player:
        yield used({"act": "claim"}, lambda it: it.claim(player), "down")
    for kind in sorted(set(world.zones["supply", player])):
        yield used({"act": "recruit", "recruit": kind}, lambda it, kind=kind: it.recruit_one(player, kind), "down")
    if coin == ROYAL:
        return
    if len([one for one in units if world.units[one].owner == player]) < run.card.most(coin):
        for to in run.card.deployable(world, player):
            yield {"act": "deploy", "coin": coin, "to": to}, lambda it, to=to: it.deploy(player, coin, to)
    for unit in units:
        at = world.units[unit].space
        yield {"act": "bolster", "coin": coin, "unit": at}, lambda it, unit=unit: it.bolster(player, unit)
        for to in run.moves(unit):
            yield used({"act": "move", "unit": at, "to": to}, lambda it, unit=unit, to=to: it.move(unit, to), "up")
        for target in run.targets(unit):
            data = {"act": "attack", "unit": at, "target": world.units[target].space}
            yield used(data, lambda it, unit=unit, target=target: it.attack(unit, target), "up")
        if run.can_control(unit):
            yield used({"act": "control", "unit": at, "location": at}, lambda it, unit=unit: it.control(unit), "up")
        if run.card.tactic is not None and coin == run.card.name:
            yield used({"act": "tactic", "unit": at}, lambda it, unit=unit: it.use_tactic(unit), "up")


Ends = set[tuple[tuple[str, ...], str]]
"""How a turn can end: who is asked on the way, each once for choices in a row, and the position then."""


def ends_of(card: Card, world: World, work: Work, name: Callable[[World], str]) -> Ends:
    """All ends of an act."""

    def whole(run: Run) -> None:
        work(run)
        run.pass_on()

    lines = list(lines_of(lambda script: Run(card, world.copy(), script), whole))
    check_offers([made for made, _ in lines])
    return {(in_a_row(askers(made, lines)), name(end)) for made, end in lines}


def check_offers(lines: Sequence[Sequence[Chosen]]) -> None:
    """Leave the options open where a player could not go on without accepting an offer on the way."""
    begun = {tuple(made[: place + 1]) for made in lines for place in range(len(made))}
    for made in lines:
        for place, one in enumerate(made):
            if one.is_offer and one.taken and (*made[:place], replace(one, taken=0)) not in begun:
                raise OpenQuestion("an offer that has to be taken")


def in_a_row(askers: Iterable[str]) -> tuple[str, ...]:
    """Players who are asked one after the other, each once where several questions are theirs."""
    return tuple(player for player, _ in groupby(askers))


def askers(made: Sequence[Chosen], lines: Sequence[Line]) -> Iterator[str]:
    """The players who are asked on a line: all with more than one way to go on until another one chooses."""
    place = 0
    while place < len(made):
        player = made[place].player
        behind = place
        while behind < len(made) and made[behind].player == player:
            behind += 1
        before = [one.taken for one in made[:place]]
        ways = {
            tuple(_run_of(other, place, player)) for other, _ in lines if [one.taken for one in other[:place]] == before
        }
        if player is not None and len(ways) > 1:
            yield player
        place = behind


def _run_of(made: Sequence[Chosen], place: int, player: str | None) -> Iterator[int]:
    for one in made[place:]:
        if one.player != player:
            return
        yield one.taken
