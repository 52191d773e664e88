"""Scopes for proofs: the varied and the fixed keys of positions of a size, and the enumeration of these positions.

All keys are found by the shapes that the document of the game declares for positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations, permutations, product
from typing import Any

from warchest.diagnostics.articles import many
from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.position.keys import Shape
from warchest.game.variant import Variant
from warchest.ir.parts import nodes_in
from warchest.ir.ruleset import Field, Ruleset
from warchest.ir.values import InZone, Tokens
from warchest.testing.positions import PositionData, zone_of_players
from warchest.testing.symmetry import canonical, symmetries_of

STACK, NUMBER = 2, 1
"""The default maximum of the tokens of a piece, and of another number."""
COMMON = 2
"""The most common cards for which each player gets a token; if there are more of them, players get none."""
MARKS = ("spaces by", "places", "rows", "field")
"""The sorts of keys that are varied by default, beside the player to act and the pieces."""


@dataclass(frozen=True)
class SmallScope:
    """A size of positions: at most `pieces` pieces, one of a card and the rest of `others`, on `spaces` spaces.

    `depth` is the number of decisions from each position on. Beside the pieces there are at most `marks` marks: each is
    one deviation from the usual position, such as a second token in a piece, or a space with an owner. `vary` and `fix`
    name keys that are varied or fixed other than by default; `upto` has the maximum of numbers, by their keys; `give`
    names the zones in which each player has a token of each own piece (None: those that the rules of the game mention).
    """

    card: str
    others: tuple[str, ...] = ()
    spaces: int = 7
    pieces: int = 3
    depth: int = 2
    marks: int = 1
    vary: tuple[str, ...] = ()
    fix: tuple[str, ...] = ()
    upto: tuple[tuple[str, int], ...] = ()
    give: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class _ScopeMark:
    """A deviation from the usual position: its subject, which no two marks may share, and the change that makes it."""

    about: tuple[Any, ...]
    put: Callable[[PositionData], PositionData] = field(compare=False)


class SmallWorld:
    """All positions of a size, in the order of the number of marks and then of pieces."""

    def __init__(self, game: Game, scope: SmallScope) -> None:
        self.game, self.scope = game, scope
        self.variant: Variant = game.variant()
        self.ruleset, self.naming, self.board = (self.variant.program.ruleset, self.variant.naming, self.variant.board)
        self.shapes: Mapping[str, Shape] = self.variant.format.shapes
        self._refuse_unknown()

    def _refuse_unknown(self) -> None:
        """Raise PositionError for a name in the scope that is not a key that can be varied or given."""
        known, scope = list(self.keys), self.scope
        for name in (*scope.vary, *scope.fix, *(name for name, _ in scope.upto)):
            if name not in known:
                raise PositionError(name, f"positions have no {name!r} that can be varied, only {', '.join(known)}")
        zones = list(self._zones)
        for name in scope.give or ():
            if name not in zones:
                raise PositionError(
                    name, f"players cannot be given tokens in {name!r}, only in {', '.join(zones) or 'none'}"
                )

    # ---- the keys

    @cached_property
    def pieces_key(self) -> tuple[str, Shape]:
        """The key of positions for the pieces of the card; raises PositionError if it has none."""
        for key, shape in self.shapes.items():
            kind = next((one for one in self.ruleset.kinds if one.name == shape.get("pieces")), None)
            if kind is not None and any(
                one.kind == kind.sheet and one.name == self.scope.card for one in self.ruleset.sheets
            ):
                return key, shape
        raise PositionError("card", f"{self.scope.card!r} has no pieces")

    @cached_property
    def keys(self) -> dict[str, str]:
        """The keys of positions and of the entries of pieces that can be varied, each with its sort."""
        found = dict[str, str]()
        for key, shape in self.shapes.items():
            sort = next((one for one in ("turn of", *MARKS, "one by owner", "zone") if one in shape), "")
            if sort and (sort != "zone" or key in self._zones):
                found[key] = sort
        shape = self.pieces_key[1]
        if "tokens" in shape:
            found[shape["tokens"]] = "tokens"
        for key in self._piece_fields:
            found.setdefault(key, "piece")
        return found

    @cached_property
    def _turn(self) -> str:
        return next(key for key, shape in self.shapes.items() if "turn of" in shape)

    @cached_property
    def varied(self) -> list[str]:
        """The keys that are varied, beside the pieces and their spaces."""
        usual = [key for key, sort in self.keys.items() if sort in (*MARKS, "turn of", "tokens")]
        said = (*self.scope.vary, *(name for name, _ in self.scope.upto))
        return [key for key in self.keys if (key in usual or key in said) and key not in self.scope.fix]

    @cached_property
    def fixed(self) -> list[str]:
        """The keys that are neither varied nor given."""
        return [
            key
            for key in (*self.shapes, *self._piece_fields)
            if key not in (self.pieces_key[0], *self.varied, *self.given)
        ]

    def most(self, key: str, usual: int) -> int:
        """Return the maximum of a number."""
        return dict(self.scope.upto).get(key, usual)

    @cached_property
    def _piece_fields(self) -> dict[str, Field]:
        """The fields of pieces that have their own key in entries, except directions."""
        of_pieces, fields = self.variant.format.of_pieces, self.pieces_key[1].get("fields", {})
        known = {key: self.ruleset.fields[of_pieces[name]] for key, name in fields.items() if isinstance(name, str)}
        return {key: one for key, one in known.items() if one.base in ("flag", "number")}

    # ---- tokens and cards

    @cached_property
    def _zones(self) -> dict[str, tuple[str, ...]]:
        """The keys of players' zones that can hold tokens of the card, each with the other kinds in the zone."""
        found = dict[str, tuple[str, ...]]()
        for key, shape in self.shapes.items():
            number = zone_of_players(shape, self.variant)
            kinds = self.ruleset.kinds_in(number) if number is not None else ()
            own = {one.kind for one in self.ruleset.sheets if one.name == self.scope.card and one.kind in kinds}
            if own:
                found[key] = tuple(kind for kind in kinds if kind not in own)
        return found

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The keys of zones in which each player has a token of each own piece."""
        if self.scope.give is not None:
            return self.scope.give
        spoken = _zones_of(self.ruleset)
        return tuple(key for key in self._zones if self.variant.format.zones[self.shapes[key]["zone"]] in spoken)

    @cached_property
    def common(self) -> tuple[str, ...]:
        """The common cards; each player has a token of each of them in the first given zone."""
        kinds = self._zones[self.given[0]] if self.given else ()
        names = [one.name for one in self.ruleset.sheets if one.kind in kinds]
        return tuple(names) if len(names) <= COMMON else ()

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The other cards: the named ones or, if none are named, as many as needed of those with the fewest words."""
        if self.scope.others:
            return self.scope.others
        kind = next(one.kind for one in self.ruleset.sheets if one.name == self.scope.card)
        known = [one for one in self.game.library.of_kind(kind) if one.name != self.scope.card]
        known.sort(key=lambda one: (sum(len(str(value)) for value in one.values.values()), one.name))
        return tuple(one.name for one in known[: max(1, self.scope.pieces - 1)])

    @cached_property
    def region(self) -> tuple[str, ...]:
        """The spaces for pieces: one in the middle of the board, and those around it."""
        reach = self.board.distance
        count = len(self.board.spaces)
        middle = min(range(count), key=lambda one: (max(reach[one][other] for other in range(count)), one))
        nearest = sorted(range(count), key=lambda one: (reach[middle][one], one))
        return tuple(self.naming.spaces[one] for one in nearest[: self.scope.spaces])

    @cached_property
    def facings(self) -> list[PositionData]:
        """The combinations of directions that a piece can have, by the keys of its entry."""
        of_pieces, fields = self.variant.format.of_pieces, self.pieces_key[1].get("fields", {})
        keys = [
            key
            for key, name in fields.items()
            if isinstance(name, str) and self.ruleset.fields[of_pieces[name]].base == "direction"
        ]
        return [dict(zip(keys, chosen, strict=True)) for chosen in product(self.board.directions, repeat=len(keys))]

    # ---- positions

    def positions(self) -> Iterator[PositionData | None]:
        """Yield all positions, and None for each that is a rotation of an earlier one."""
        symmetries, seen = symmetries_of(self.variant), set[str]()
        for told in self._all():
            images = [canonical(told), *(canonical(one.of(told)) for one in symmetries)]
            if symmetries and min(images) in seen:
                yield None
                continue
            seen.add(min(images))
            yield told

    def _all(self) -> Iterator[PositionData]:
        for number in range(self.scope.marks + 1):
            for told in self._plain():
                yield from _marked(told, self._marks(told), number)

    def _plain(self) -> Iterator[PositionData]:
        """Yield the positions without marks: only the player to act and the pieces are varied."""
        players = self.naming.players
        acting = players if self._turn in self.varied else players[:1]
        for count in range(self.scope.pieces):
            for company in combinations(self.others, min(count, len(self.others))):
                cards = (self.scope.card, *company)
                if len(cards) != count + 1:
                    continue
                for places in permutations(self.region, len(cards)):
                    for owners, active in product(product(players, repeat=len(cards)), acting):
                        for facings in product(self.facings, repeat=len(cards)):
                            yield {self._turn: active, **self._standing(cards, places, owners, facings)}

    def _standing(
        self, cards: Sequence[str], places: Sequence[str], owners: Sequence[str], facings: Sequence[PositionData]
    ) -> PositionData:
        key, shape = self.pieces_key
        entries = []
        for card, place, owner, facing in zip(cards, places, owners, facings, strict=True):
            entry: dict[str, object] = {shape["place"]: place, shape["document"]: card, **facing}
            if "owner" in shape:
                entry[shape["owner"]] = owner
            entries.append(entry)
        found = PositionData({key: entries})
        for number, zone in enumerate(self.given):
            tokens: dict[str, list[str]] = {player: list(self.common) for player in self.naming.players if not number}
            for card, owner in zip(cards, owners, strict=True):
                tokens.setdefault(owner, []).append(card)
            found[zone] = {player: lying for player, lying in tokens.items() if lying}
        return found

    # ---- marks

    def _marks(self, told: PositionData) -> list[_ScopeMark]:
        """Return the marks that a position can have."""
        made: dict[str, Callable[[str], Iterable[_ScopeMark]]] = {
            "tokens": lambda key: self._stacked(told, key),
            "piece": lambda key: self._numbered(told, key, self._values_in_pieces(key)),
            "spaces by": self._owned_spaces,
            "places": lambda key: (_ScopeMark((key, space), _adding(key, [space])) for space in self._tagged(key)),
            "one by owner": lambda key: (
                _ScopeMark((key, who), _adding(key, {who: space}))
                for who in self.naming.players
                for space in self.region
            ),
            "rows": self._rows,
            "field": lambda key: self._values(told, key),
            "zone": lambda key: self._zone(told, key),
        }
        return [mark for key in self.varied if self.keys[key] in made for mark in made[self.keys[key]](key)]

    def _numbered(self, told: PositionData, key: str, values: Iterable[object]) -> Iterator[_ScopeMark]:
        """Yield the marks that set a key in the entry of a piece."""
        pieces = self.pieces_key[0]
        for (number, _), value in product(enumerate(told[pieces]), values):

            def put(told: PositionData, number: int = number, value: object = value) -> PositionData:
                entries = [{**one, key: value} if at == number else one for at, one in enumerate(told[pieces])]
                return {**told, pieces: entries}

            yield _ScopeMark((key, number), put)

    def _stacked(self, told: PositionData, key: str) -> Iterator[_ScopeMark]:
        """Yield the marks of several tokens in a piece; one is the hidden token of its card, if there is one."""
        pieces, shape = self.pieces_key
        for mark in self._numbered(told, key, range(2, self.most(key, STACK) + 1)):
            entry = told[pieces][mark.about[1]]
            owner, card = entry.get(shape.get("owner", "")), entry[shape["document"]]
            yield _ScopeMark(mark.about, partial(self._out_of_hidden, mark, owner, card))

    def _out_of_hidden(self, mark: _ScopeMark, owner: str | None, card: str, told: PositionData) -> PositionData:
        """Return a position with a mark, but without an owner's tokens of a card in hidden zones."""
        found = mark.put(told)
        for zone in self._hidden if owner is not None else ():
            lying = found.get(zone, {})
            found = {**found, zone: {**lying, owner: [one for one in lying.get(owner, ()) if one != card]}}
        return found

    @cached_property
    def _hidden(self) -> list[str]:
        """The given zones that no player sees."""
        numbers = {key: self.variant.format.zones[self.shapes[key]["zone"]] for key in self.given}
        return [key for key, number in numbers.items() if self.ruleset.zones[number].seen_by == "nobody"]

    def _values_in_pieces(self, key: str) -> Iterable[object]:
        return (True,) if self._piece_fields[key].base == "flag" else range(1, self.most(key, NUMBER) + 1)

    def _tagged(self, key: str) -> list[str]:
        """Return the spaces of the region that a key can list."""
        tag = self.shapes[key].get("tag")
        tags = {space.name: space.tags for space in self.board.spaces}
        return [space for space in self.region if not tag or tag in tags[space]]

    def _owned_spaces(self, key: str) -> Iterator[_ScopeMark]:
        for space, team in product(self._tagged(key), self.board.teams):
            yield _ScopeMark((key, space), _adding(key, {team: [space]}))

    def _rows(self, key: str) -> Iterator[_ScopeMark]:
        shape = self.shapes[key]
        kinds = self.ruleset.kinds_in(self.variant.format.zones[shape["rows"]])
        for one in self.ruleset.sheets:
            if one.kind in kinds:
                yield _ScopeMark((key, one.name), _adding(key, [{shape["name"]: one.name, shape["teams"]: []}]))

    def _values(self, told: PositionData, key: str) -> Iterator[_ScopeMark]:
        """Yield the marks of a field of the game, or of players or teams, by its values."""
        known = self.ruleset.fields[self.variant.format.fields[self.shapes[key]["field"]]]
        values: dict[str, Sequence[object]] = {
            "flag": (True,),
            "number": range(self.most(key, NUMBER) + 1),
            "player": self.naming.players,
            "team": self.board.teams,
        }
        owners = {"player": self.naming.players, "team": self.board.teams}.get(known.of, ())
        usual = told.get(self.shapes[key].get("usual", ""))
        for value in values.get(known.base, ()):
            if value == usual:
                continue
            if known.of in ("player", "team"):
                yield from (_ScopeMark((key, who), _adding(key, {who: value})) for who in owners)
            elif known.of != "space":
                yield _ScopeMark((key,), _setting(key, value))

    def _zone(self, told: PositionData, key: str) -> Iterator[_ScopeMark]:
        """Yield for each player and card the mark that adds a token to a zone, or removes a given token from it."""
        for player, card in product(self.naming.players, (self.scope.card, *self.others, *self.common)):
            lying = list(told.get(key, {}).get(player, ()))
            changed = [one for one in lying if one != card] if card in lying else [*lying, card]
            yield _ScopeMark(
                (key, player),
                lambda told, player=player, changed=changed: {  # type: ignore[misc]
                    **told,
                    key: {**told.get(key, {}), player: changed},
                },
            )

    # ---- in words

    def fixed_words(self) -> str:
        """Return a description of the fixed keys."""
        kind, said = self.pieces_key[1]["pieces"], []
        if self.given:
            zones = [self.ruleset.zones[self.variant.format.zones[self.shapes[key]["zone"]]] for key in self.given]
            said.append(f"each player has a {zones[0].holds} of each own {kind} in {_listed(self.given)}")
            said += [f"a {one} in {self.given[0]}" for one in self.common]
        words = _listed(said)
        rest = f"{_listed(self.fixed)} {'is' if len(self.fixed) == 1 else 'are'} as usual" if self.fixed else ""
        return ", and ".join(filter(None, (words, rest)))

    def varied_words(self) -> str:
        """Return a description of the varied keys."""
        free = [one for one in self.varied if self.keys[one] == "turn of"]
        marks = [self._mark_words(one) for one in self.varied if one not in free]
        told = _listed([*free, self.pieces_key[0]])
        most = f"at most {many(self.scope.marks, 'mark')} of {_listed(marks)}"
        return f"{told}; {most}" if marks and self.scope.marks else told

    def _mark_words(self, key: str) -> str:
        """Return a key with its maximum, and the zones that further tokens of a piece come from."""
        if self.keys[key] == "tokens":
            source = f", out of {_listed(self._hidden)}" if self._hidden else ""
            return f"{key} (up to {self.most(key, STACK)}{source})"
        number = key in self._piece_fields and self._piece_fields[key].base == "number"
        return f"{key} (up to {self.most(key, NUMBER)})" if number else key


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def _zones_of(ruleset: Ruleset) -> set[int]:
    """Return the zones that the rules of the game mention, apart from cards."""
    code = [one.code for verb in ruleset.verbs for one in verb.definitions if one.carrier < 0]
    among = [one.among for verb in ruleset.verbs for one in verb.domains if one.carrier < 0]
    tokens = (part for part in nodes_in([code, among]) if isinstance(part, Tokens))
    return {holder.zone for part in tokens for holder in part.holders if isinstance(holder, InZone)}


def _marked(told: PositionData, marks: Sequence[_ScopeMark], number: int) -> Iterator[PositionData]:
    """Yield a position with each combination of `number` marks that have different subjects."""
    for chosen in combinations(marks, number):
        if len({one.about for one in chosen}) == number:
            found = told
            for one in chosen:
                found = one.put(found)
            yield found


def _setting(key: str, value: object) -> Callable[[PositionData], PositionData]:
    return lambda told: {**told, key: value}


def _adding(key: str, more: Any) -> Callable[[PositionData], PositionData]:
    """Return a function that adds entries under a key: to a list, or to the lists of a mapping."""

    def put(told: PositionData) -> PositionData:
        there = told.get(key)
        if not isinstance(more, dict):
            return {**told, key: [*(there or ()), *more]}
        found = dict(there or {})
        for name, one in more.items():
            found[name] = [*found.get(name, ()), *one] if isinstance(one, list) else one
        return {**told, key: found}

    return put
