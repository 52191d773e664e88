"""Determinization: samples of the hidden tokens that are consistent with all that one player knows.

The player sees the content of views, and knows how many tokens are in each hidden place and which tokens exist, but not
their places. Tokens change places only with those of the same owner, where zones hold the same things; a hidden zone of
the game that holds them, too, is shared by all. Tokens that pending work still needs stay where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from warchest.engine.runs import Frame, Run, frames
from warchest.game.decision import Random
from warchest.game.variant import Variant
from warchest.ir.parts import variables_in
from warchest.ir.ruleset import YOU
from warchest.lowering.code import LISTS, Again, Jump, Next, PickMember, Routine
from warchest.lowering.layout import NOWHERE

Owners: TypeAlias = frozenset[int]
"""The players who own a zone; none for one of the game."""
_SHOWN = ("rows", "in", "count", "counts")
"""The words in shapes of positions whose zones every view shows."""


@dataclass(slots=True)
class Pile:
    """Hidden places whose tokens are interchangeable: the holders, and the drawn tokens that are nowhere."""

    holds: str
    owners: set[int]
    holders: list[int]
    drawn: list[int]


class Worlds:
    """The tokens in a run that a player does not see; `known` are hidden places that the player can see now."""

    def __init__(self, variant: Variant, run: Run, viewer: int, known: Collection[int]) -> None:
        self.variant, self.run, self.viewer = variant, run, viewer
        self.layout = variant.program.layout
        self.piles = self._piles(known)
        self._hidden = {holder for pile in self.piles for holder in pile.holders}
        self.kept: Counter[int] = Counter()
        """The tokens that pending work needs in hidden places, each once."""
        self._look_at_pending()

    # ---- what is hidden

    def _piles(self, known: Collection[int]) -> list[Pile]:
        found: dict[tuple[str, Owners], list[int]] = {}
        shapes = self.variant.format.shapes.values()
        shown = {shape[key] for shape in shapes for key in _SHOWN if key in shape}
        for zone, holders in zip(self.layout.ruleset.zones, self.layout.zones, strict=True):
            if zone.name in shown:
                continue
            for holder in range(holders.first, holders.first + holders.owners * holders.faces):
                if holder not in known and not self.variant.sees(self.viewer, holder):
                    found.setdefault((zone.holds, self.variant.owners(holder)), []).append(holder)
        shared = {holds for holds, owners in found if not owners}
        piles: dict[tuple[str, Owners], Pile] = {}
        for (holds, owners), places in found.items():
            key = (holds, frozenset() if holds in shared else owners)
            pile = piles.setdefault(key, Pile(holds, set(), [], []))
            pile.owners |= owners
            pile.holders += places
        return list(piles.values())

    def _look_at_pending(self) -> None:
        """Note the tokens that pending work needs: tokens in a place stay, tokens just drawn are sampled."""
        memory, drawn = self.run.memory, dict[int, int]()
        for you, token in _needed(self.run.top):
            holder = token // self.layout.documents
            if holder in self._hidden and memory[self.layout.tokens + token]:
                self.kept[token] = 1
            elif holder == NOWHERE and token not in drawn:
                drawn[token] = you
        for token, you in drawn.items():
            kind = self.layout.ruleset.sheets[token % self.layout.documents].kind
            for pile in self.piles if you != self.viewer else ():
                if you in pile.owners and kind in self.layout.ruleset.token_sheets[pile.holds]:
                    pile.drawn.append(token)
                    break

    # ---- one of the worlds

    @property
    def is_mixed(self) -> bool:
        """Whether tokens of several players may change places, so that one player can get another player's tokens."""
        return any(len(pile.owners) > 1 for pile in self.piles)

    def sample(self, rng: Random) -> Run:
        """Return the run of a random world: uniformly, counting tokens of a kind as distinct.

        The same source of chance gives the same world wherever the player knows the same, apart from tokens that
        pending work keeps. The pending decision of the world can differ from the present one.
        """
        memory, called = self.run.memory[:], dict[int, int]()
        for pile in self.piles:
            places = [(holder, self._loose(holder)) for holder in pile.holders]
            heap = [*(one for _, tokens in places for one in tokens), *pile.drawn]
            # In order, so that the sample does not depend on their real places.
            documents = sorted(token % self.layout.documents for token in heap)
            _shuffle(documents, rng)
            for _, tokens in places:
                for token in tokens:
                    memory[self.layout.tokens + token] -= 1
            for holder, tokens in places:
                for _ in tokens:
                    memory[self.layout.holder_cells(holder)[documents.pop()]] += 1
            called |= {token: documents.pop() for token in pile.drawn}
        top = self.run.top
        return Run(self.run.machine, memory, _renamed(top, called) if called and top is not None else top)

    def _loose(self, holder: int) -> list[int]:
        """Return the tokens in a holder that can change places, each as often as it occurs."""
        first, memory = self.layout.tokens, self.run.memory
        cells = self.layout.holder_cells(holder)
        return [cell - first for cell in cells for _ in range(memory[cell] - self.kept[cell - first])]


def _shuffle(values: list[int], rng: Random) -> None:
    """Put values into a uniformly random order."""
    for last in range(len(values) - 1, 0, -1):
        other = rng.randrange(last + 1)
        values[last], values[other] = values[other], values[last]


# ---- pending work


def _needed(top: Frame | None) -> Iterator[tuple[int, int]]:
    """Yield each token that pending work will still use, with the player whose text does so."""
    stack = list(frames(top))[::-1]
    wanted: set[int] = set()
    for frame, above in pairwise((*stack, None)):
        assert frame is not None
        handed = {source for source, target in frame.outs if target in wanted}
        wanted = _read_from(frame.code, frame.pc) | handed
        coming = {target for _, target in above.outs} if above is not None else set()
        for place in wanted - coming:
            base, value = frame.code.bases[place], frame.env[place]
            several = LISTS.get(base) == "token" and isinstance(value, tuple)
            for token in value[1:] if several else (value,) if base == "token" else ():
                if token >= 0:
                    yield frame.env[YOU], token


def _read_from(code: Routine, pc: int) -> set[int]:
    """Return the variables that a routine may read from an instruction on; acts and events read all their variables."""
    if code.stages or code.origin == "act":
        return set(range(len(code.bases)))
    first = pc
    for number in range(pc, len(code.instructions)):
        match code.instructions[number]:
            case Again(start=back) | Jump(target=back):
                first = min(first, back)
    found = set[int]()
    for one in code.instructions[first:]:
        found |= variables_in(one)
        if isinstance(one, Next | PickMember):
            found.add(one.slot)
    return {place for place in found if place < len(code.bases)}


def _renamed(frame: Frame, called: Mapping[int, int]) -> Frame:
    """Return a stack in which some tokens are replaced by others."""
    below, code = frame.parent, frame.code
    parent = _renamed(below, called) if below is not None else None
    env = tuple([_other(value, base, called) for value, base in zip(frame.env, code.bases, strict=True)])
    return Frame(parent, code, frame.pc, env, frame.outs)


def _other(value: Any, base: str, called: Mapping[int, int]) -> Any:
    if base == "token":
        return called.get(value, value)
    if LISTS.get(base) == "token" and isinstance(value, tuple):
        return (value[0], *(called.get(one, one) for one in value[1:]))
    return value
