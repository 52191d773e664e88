"""Cards and positions, on the machine of the package, beside their plain reading."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import warchest
from linted import lint_together
from loaded import shipped
from plain.hooks import Card
from plain.making import PLAIN, Maker, position
from plain.phrases import OpenQuestion
from plain.reading import Act, Ends, acts, ends_of, in_a_row
from plain.world import PLAYERS, World
from warchest.game.state import State

TOGETHER = 60
"""The cards that are linted and loaded at once."""
A_CARD = 7
"""The positions that each card is tried in."""
ENDS = 600
"""The most ends of a turn that are compared."""


@dataclass
class Wrong:
    """A case in which the machine and the reading differ."""

    card: Card
    position: dict[str, Any]
    act: dict[str, Any]
    missing: Any
    extra: Any

    def __str__(self) -> str:
        lines = [self.card.text().rstrip(), *pictured(self.position)]
        lines.append(f"raven does {self.act}" if self.act else "what raven can do")
        for name, found in (("as it reads", self.missing), ("as it is played", self.extra)):
            lines += [f"  only {name}: {_differing(one, self.position)}" for one in found]
        return "\n".join(lines)


def pictured(position: dict[str, Any]) -> Iterator[str]:
    """A position in short lines."""
    for one in position["units"]:
        yield f"  {one['owner']} {one['unit']} on {one['at']} with {one['coins']}"
    for key, value in position.items():
        if key != "units" and value and value != {"raven": [], "wolf": []}:
            yield f"  {key}: {json.dumps(value)}"


def _differing(end: Any, position: dict[str, Any]) -> str:
    """The end of a turn: the player asked, and the changes."""
    if isinstance(end, str):
        return end
    then = json.loads(end[1])
    units = {one["at"]: one for one in position["units"]}
    left = {one["at"]: one for one in then["units"]}
    changes = [
        f"{at}: {_short(units.get(at))} -> {_short(left.get(at))}"
        for at in sorted({*units, *left})
        if units.get(at) != left.get(at)
    ]
    changes += [
        f"{key}: {value}" for key, value in then.items() if key not in ("units", "to_act") and position[key] != value
    ]
    return f"asked: {', '.join(end[0]) or 'nobody'}; {'; '.join(changes)}"


def _short(unit: dict[str, Any] | None) -> str:
    return f"{unit['unit']} {unit['coins']}" if unit else "nobody"


@dataclass
class Tally:
    """The compared cases."""

    cards: int = 0
    accepted: int = 0
    cases: int = 0
    answered: int = 0
    """The cases in which the card made a difference."""
    open: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)


def compare(seed: int, cases: int, made: Maker | None = None, most: int | None = None) -> Tally:
    """Make cards and positions until a number of cases have been compared, or a number were wrong."""
    rng, tally = Random(seed), Tally()
    maker = made or Maker(rng)
    while tally.cases < cases and (most is None or len(tally.wrong) < most):
        cards = {(card := maker.card(f"Probe {number}")).text(): card for number in range(TOGETHER)}
        tally.cards += len(cards)
        sound = accepted(cards)
        tally.accepted += len(sound)
        game = shipped.__wrapped__("war-chest", *blanks(), *(card.text() for card in sound))
        for card in sound:
            for _ in range(A_CARD):
                world = position(rng, card.name, card.limit)
                # A given position begins with the start of the turn, and its hooks come before the first coin.
                if tally.cases < cases and not card.starts(world):
                    try:
                        try_case(game, card, world, rng, tally)
                    except OpenQuestion as question:
                        tally.open[str(question)] += 1
                    except RuntimeError as fault:
                        tally.wrong.append(Wrong(card, world.position(), {}, [], [f"{type(fault).__name__}: {fault}"]))
    return tally


def accepted(cards: dict[str, Card]) -> list[Card]:
    """The cards in which the linter finds nothing."""
    found = lint_together(tuple(cards), "")
    if any(one.severity == "error" for each in found.values() for one in each):
        # Errors can hide what else is wrong.
        cards = {text: card for text, card in cards.items() if not found[text]}
        found = lint_together(tuple(cards), "")
    return [card for text, card in cards.items() if not found[text]]


def blanks() -> Iterator[str]:
    """Documents of units without a text."""
    for kinds in PLAIN.values():
        for kind in kinds:
            yield Card(kind).text()


def try_case(game: warchest.Game, card: Card, world: World, rng: Random, tally: Tally) -> None:
    """Compare the options in a position, and the result of one of the acts."""
    many = card.limit > 1
    read: dict[str, Ends] = {}
    for data, ends in _ended(card, world):
        read.setdefault(key_of(data, many=many), set()).update(ends)
    state = game.position(given(world, card.name))
    tally.cases += 1
    offered: dict[str, list[Any]] = {}
    assert state.decision is not None
    for option in state.decision.options:
        offered.setdefault(key_of(option.data, many=many), []).append(option)
    shown = world.position()
    if any(hook.stage == "instead" for hook in card.hooks):
        # An option is named by the replacement of its act.
        offered = {"": [one for each in offered.values() for one in each]}
        read = {"": {end for ends in read.values() for end in ends}}
    if offered.keys() != read.keys():
        missing, extra = sorted(read.keys() - offered.keys()), sorted(offered.keys() - read.keys())
        tally.wrong.append(Wrong(card, shown, {}, missing, extra))
        return
    chosen = chosen_act(rng, card, world, [*read]) if len(read) > 1 else next(iter(read))
    ends = read[chosen]
    bare = Card(card.name)
    tally.answered += any(
        _differs(card, bare, world, act) for act in acts(card, world) if chosen in ("", key_of(act[0], many=many))
    )
    merged = len(offered[chosen]) > 1 or key_of(offered[chosen][0].data, whole=True) != chosen
    found: Ends = set()
    for option in offered[chosen]:
        found |= played(state, option)
    if merged:
        first = str(world.active)
        ends, found = _without(ends, first), _without(found, first)
    if ends != found:
        missing, extra = sorted(ends - found)[:3], sorted(found - ends)[:3]
        tally.wrong.append(Wrong(card, shown, json.loads(chosen or "{}"), missing, extra))


def _without(ends: Ends, first: str) -> Ends:
    return {(askers[1:] if askers[:1] == (first,) else askers, end) for askers, end in ends}


def _ended(card: Card, world: World) -> Iterator[tuple[dict[str, Any], Ends]]:
    for data, work in acts(card, world):
        ends = ends_of(card, world, work, name_of)
        if ends:
            yield data, ends


def _differs(card: Card, bare: Card, world: World, act: Act) -> bool:
    return bool(card.tactic) or ends_of(card, world, act[1], name_of) != ends_of(bare, world, act[1], name_of)


def chosen_act(rng: Random, card: Card, world: World, keys: list[str]) -> str:
    """An act that the card has to do with, mostly."""
    said = {*(verb for hook in card.hooks for verb in hook.event.verbs), *(rule.verb for rule in card.rules)}
    if said & {"lose", "fall"}:
        said.add("attack")
    if card.tactic is not None:
        said.add("tactic")
    apt = [key for key in sorted(keys) if json.loads(key)["act"] in said]
    return rng.choice(apt if apt and rng.random() < 0.9 else sorted(keys))


ASKS_FOR_A_COIN = "the active player uses a coin"
"""The words of the game that ask for the next coin."""
KEYS = ("act", "coin", "unit", "target", "to", "location", "recruit")


def key_of(data: dict[str, Any], *, whole: bool = False, many: bool = False) -> str:
    """The act at the start of an option; `whole`: with all its words.

    With `many` units of a card the unit of a tactic is left out: tactics that do the same are offered once.
    """
    if data["act"] == "tactic" and not whole:
        data = {key: data[key] for key in ("act", "coin", *(() if many else ("unit",)))}
    return json.dumps(data if whole else {key: data[key] for key in KEYS if key in data}, sort_keys=True)


def given(world: World, card: str) -> dict[str, Any]:
    """The position as the package takes it."""
    made = world.position()
    owner = next((one.owner for one in world.units if one.kind == card), None)
    if owner is None:
        held = [key[1] for key, coins in world.zones.items() if card in coins]
        owner = held[0] if held else "raven"
    armies = {player: [*PLAIN[player], *([card] if player == owner else [])] for player in PLAYERS}
    return {**made, "armies": armies}


def name_of(world: World) -> str:
    """A position in one line."""
    return json.dumps(world.position(), sort_keys=True)


def told(state: State) -> str:
    """The position of a state in one line, with the same keys as a `World` has."""
    found = state.position()
    units = [{key: one[key] for key in ("at", "unit", "owner", "coins")} for one in found["units"]]
    return json.dumps(
        {
            "to_act": found["to_act"],
            "initiative": found["initiative"],
            "initiative_moved": found["initiative_moved"],
            "control": {player: sorted(found["control"].get(player, [])) for player in PLAYERS},
            "units": sorted(units, key=lambda one: str(one["at"])),
            **{
                zone: {player: sorted(found[zone].get(player, [])) for player in PLAYERS}
                for zone in ("hand", "bag", "supply", "box")
            },
            "discard": {
                player: {side: sorted(found["discard"].get(player, {}).get(side, [])) for side in ("up", "down")}
                for player in PLAYERS
            },
        },
        sort_keys=True,
    )


def played(state: State, option: Any) -> Ends:
    """All ends of a turn that begins with an option."""
    started, found = state.turn, set()
    waiting: list[tuple[State, tuple[str, ...], str | None]] = [(state.clone().apply(option), (), None)]
    while waiting:
        here, askers, last = waiting.pop()
        decision = here.decision
        # A turn that starts is answered before its player is asked for a coin.
        if decision is None or (here.turn != started and ASKS_FOR_A_COIN in decision.prompt):
            found.add((in_a_row(askers), told(here)))
            continue
        if len(found) + len(waiting) > ENDS:
            raise OpenQuestion("too many ends")
        player = decision.player
        asked = askers if player is None or player == last else (*askers, player)
        waiting += [(here.clone().apply(one), asked, player) for one in decision.options]
    return found
