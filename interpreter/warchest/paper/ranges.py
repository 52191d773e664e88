"""The range of a card: the spaces to which its piece can go, and those that it can act on, by playing its options.

The piece is on an empty board: alone, with an enemy piece, or with a friendly piece among enemy pieces. Every
option of its player is carried out, and the acts of the piece are noted for each space.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from warchest.documents.layers import layered
from warchest.documents.library import Document
from warchest.game.borne_documents import borne_documents
from warchest.game.decision import Option
from warchest.game.errors import CardError, PositionError
from warchest.game.game import Game
from warchest.game.position.keys import Shape
from warchest.game.state import State
from warchest.game.telling.public_events import Clause, Event
from warchest.game.variant import Variant
from warchest.lowering.board import Board
from warchest.paper.wide import middle_of, on_a_wide_board, turns_of
from warchest.source.text import Span
from warchest.testing.blank import NoBlankError, without_texts
from warchest.testing.positions import without, zone_of_players

FARTHEST = 6
"""The greatest distance at which others are placed."""
IDLE = 2
"""The search ends after this number of rings without a new result."""
_MENDED = 12
"""The most entries of a position that are left out until the game accepts it."""
_FOLLOWED = 400
"""The most states that are explored after one position, where a piece acts several times in a row."""


class MarkSort(StrEnum):
    """The meaning of a mark on a space: there the piece goes, acts on or helps another one, or is put on the board."""

    GOES = "goes"
    ACTS = "acts"
    HELPS = "helps"
    COMES = "comes"


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """A mark: the word of the game for an act at a space, and the place of the space's middle, seen from the piece's.

    `x` goes to the right and `y` down, in sides of a hex or in widths of a square.
    """

    sort: MarkSort
    word: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class CardRange:
    """The range of a card: the shape of the spaces, their middles around the piece, and the marks.

    `stands` says whether the piece is in the middle; otherwise a friend is, and the piece is put on a space near it.
    `faces` says whether the piece faces upwards. Acts that reach every space have no marks; `everywhere` has them by
    sort and word.
    """

    shape: str
    spaces: tuple[tuple[float, float], ...]
    marks: tuple[DrawnMark, ...]
    stands: bool
    faces: bool
    everywhere: tuple[tuple[MarkSort, str], ...]


StandingPiece: TypeAlias = tuple[int, str, str]
"""A piece on the board: its space, its document and its owner."""
TextLines: TypeAlias = frozenset[tuple[str, int]]
"""Lines of files."""
RangeMarks: TypeAlias = dict[tuple[MarkSort, int], str]
"""Marks by sort and space, each with the word for the act there."""


class RangeFinder:
    """Finds the ranges of cards of one game, with some options."""

    def __init__(self, game: Game, options: Mapping[str, str] | None = None, wide: bool = True) -> None:
        self.game = on_a_wide_board(game) if wide else game
        self.variant: Variant = self.game.variant(options or None)
        self.board: Board = self.variant.board
        self.options = dict(options or {})
        self.ruleset, self.naming = self.variant.program.ruleset, self.variant.naming
        self.middle = middle_of(self.board)
        row = self.board.distance[self.middle]
        self.rings = [[one for one, far in enumerate(row) if far == ring] for ring in range(1, FARTHEST + 1)]
        first = self.board.seats[0]
        self.me = first.name
        self.foe = next((seat.name for seat in self.board.seats if seat.team != first.team), first.name)
        self.plain = self._plainest()
        self._of_tokens = any("tokens" in shape for shape in self.variant.format.shapes.values())
        self.turns = tuple(turns_of(self.board, self.middle, self.ruleset.heading >= 0))
        """The ways to turn or mirror the board that leave a piece the same acts, each as the new spaces by number."""
        self._refused: set[tuple[str, int]] = set()
        """The keys with tokens that positions had too many of, each with the number of tokens of the piece."""

    def _plainest(self) -> list[str]:
        """Return the names of the documents with pieces of the first kind, those with the fewest texts first.

        Documents from folders beside the game come last.
        """

        def size(one: Document) -> tuple[bool, int, str]:
            return not Path(one.span.path).is_relative_to(self.game.folder), _size(one), one.name

        return [one.name for one in sorted(self.game.library.of_kind(self.ruleset.kinds[0].sheet), key=size)]

    def range_of(self, document: Document, whole: bool = False) -> CardRange | None:
        """Return the range of a document of a kind with pieces; None if it has no range.

        Only acts of its own texts, and of documents that it names, count, unless the `whole` range is asked for.
        """
        own = frozenset(_own_lines(self.game, document, self.variant.options))
        if not own and not whole:
            return None
        # Some can do more, and a few can do less, when they are made of more.
        for count in (2, 1, 0) if self._of_tokens else (1, 0):
            marks = self._marks(document, own, whole, count)
            if marks:
                return self._drawn(marks, count > 0)
        return None

    def _marks(self, document: Document, own: TextLines, whole: bool, standing: int) -> RangeMarks:
        """Return the marks of a piece in the middle with a number of tokens, or (for 0) of a piece put near a friend.

        Its document is given, with its `own` texts.
        """
        marks = _RangeSearch(self, document, own, whole).all_rings(standing)
        if whole or not any(_is_in(domain.span, own) for verb in self.ruleset.verbs for domain in verb.domains):
            return marks
        # A text that permits does nothing itself: its range is all that would not be possible without it.
        blank = self._without_texts(document)
        if blank is None:
            return marks
        usual = _RangeSearch(blank, document, own, True).all_rings(standing)
        more = _RangeSearch(self, document, own, True).all_rings(standing)
        return marks | {mark: word for mark, word in more.items() if mark not in usual}

    def _without_texts(self, document: Document) -> RangeFinder | None:
        """Return the finder for the game in which a document has lost its texts; None if it needs them."""
        try:
            return RangeFinder(without_texts(self.game, document.name), self.options, wide=False)
        except (CardError, NoBlankError):
            return None

    def _drawn(self, marks: RangeMarks, stands: bool) -> CardRange:
        x, y = self.board.centre(self.middle)
        row = self.board.distance[self.middle]

        def place(space: int) -> tuple[float, float]:
            right, down = self.board.centre(space)
            return round(right - x, 4), round(down - y, 4)

        found = self._without_doubles(marks)
        everywhere = tuple(dict.fromkeys(self._everywhere(found)))
        found = {mark: word for mark, word in found.items() if (mark[0], word) not in everywhere}
        far = max((row[space] for _, space in found), default=1)
        shown = [space for space, steps in enumerate(row) if steps <= far]
        if self.board.shape != "hexes":
            reach = max((max(map(abs, place(space))) for _, space in found), default=1)
            shown = [space for space in range(len(row)) if max(map(abs, place(space))) <= reach]
        drawn = tuple(DrawnMark(sort, word, *place(space)) for (sort, space), word in sorted(found.items()))
        faces = stands and self.ruleset.heading >= 0
        return CardRange(self.board.shape, tuple(map(place, shown)), drawn, stands, faces, everywhere)

    def _without_doubles(self, marks: RangeMarks) -> RangeMarks:
        """Return marks, except marks on friends for acts that are also done to foes."""
        done = {word for (sort, _), word in marks.items() if sort is MarkSort.ACTS}
        return {mark: word for mark, word in marks.items() if mark[0] is not MarkSort.HELPS or word not in done}

    def _everywhere(self, marks: RangeMarks) -> Iterator[tuple[MarkSort, str]]:
        """Yield the acts that reach nearly all spaces of the farthest ring, and thus every space, by sort and word."""
        last = self.rings[-1]
        there = Counter((sort, word) for (sort, space), word in marks.items() if space in last)
        yield from (done for done, count in there.items() if count >= len(last) - 1)

    # ---- positions

    def position(
        self, own: Collection[str], standing: Sequence[StandingPiece], count: int, held: int | None = None
    ) -> State | None:
        """Return the state with pieces on spaces, each of a document and an owner; None if the state is impossible.

        The first piece has `count` tokens. Its player acts, has tokens of its `own` documents and of documents without
        pieces, and has the space `held` under all keys that give spaces to players or teams.
        """
        told: dict[str, object] = {}
        placed = False
        for key, shape in self.variant.format.shapes.items():
            if "turn of" in shape:
                told[key] = self.me
            elif "pieces" in shape and "document" in shape and not placed:
                told[key] = [self._piece(shape, one, 1 if number else count) for number, one in enumerate(standing)]
                placed = True
            elif held is not None and "spaces by" in shape:
                told[key] = {self.board.teams[0]: [self.naming.spaces[held]]}
            elif (key, count) not in self._refused and (tokens := self._tokens(shape, own)):
                # The others have something to do, too, but little.
                told[key] = {self.me: tokens, self.foe: self._tokens(shape, ())}
        if self.options and "options" in self.variant.format.shapes:
            told["options"] = self.options
        return self._taken(told, count)

    def _piece(self, shape: Shape, standing: StandingPiece, count: int) -> dict[str, Any]:
        space, document, owner = standing
        piece = {shape["place"]: self.naming.spaces[space], shape["document"]: document}
        piece |= {shape["owner"]: owner} if "owner" in shape else {}
        piece |= {shape["tokens"]: count} if "tokens" in shape else {}
        for key, named in shape.get("fields", {}).items():
            if isinstance(named, str) and self.ruleset.fields[self.variant.format.of_pieces[named]].base == "direction":
                piece[key] = self.board.directions[0]
        return piece

    def _tokens(self, shape: Shape, own: Collection[str]) -> list[str]:
        """Return the tokens that the player holds in the zone of a key; empty if the key is not for such a zone."""
        number = zone_of_players(shape, self.variant)
        if number is None:
            return []
        kinds, with_pieces = self.ruleset.kinds_in(number), {kind.sheet for kind in self.ruleset.kinds}
        return [
            one.name
            for one in self.ruleset.sheets
            if one.kind in kinds and (one.name in own or one.kind not in with_pieces)
        ]

    def _taken(self, told: dict[str, object], count: int) -> State | None:
        for _ in range(_MENDED):
            try:
                state = self.game.position(told)
            except PositionError as error:
                smaller = without(told, error.field)
                if smaller is None:
                    return None
                self._refused |= {(key, count) for key in told.keys() - smaller.keys()}
                told = smaller
            else:
                return state if state.decision is not None and state.decision.player == self.me else None
        return None


class _RangeSearch:
    """The search for the range of one card."""

    def __init__(self, finder: RangeFinder, document: Document, own: TextLines, whole: bool) -> None:
        self.finder, self.name, self.own, self.whole = finder, document.name, own, whole
        company = [one for one in finder.plain if one != document.name]
        self.friend, self.foe = (company[0], company[1]) if len(company) > 1 else ("", "")
        self.others = company[2:]
        self.marks: RangeMarks = {}
        self.answers = whole or any(_is_in(hook.span, own) for hook in finder.ruleset.hooks)
        self.known: set[str] = set()
        """The options of the piece alone: others do not change their results, unless the card answers events."""
        self.gives_spaces = any("spaces by" in shape for shape in finder.variant.format.shapes.values())

    def all_rings(self, standing: int) -> RangeMarks:
        """Return the marks of the piece alone, and with other pieces at ever greater distances.

        The board looks the same from all sides, so others are on one side of it only. All that a piece can do begins
        near it, so after two rings without anything new there is no more.
        """
        finder, idle = self.finder, 0
        centre = (finder.middle, self.name if standing else self.friend, finder.me)
        self.count = max(standing, 1)
        self._play([centre])
        for ring in finder.rings if standing and self.foe else ():
            before = len(self.marks)
            for space in ring:
                if space == min(turn[space] for turn in finder.turns):
                    self._among(centre, space)
            idle = 0 if len(self.marks) > before else idle + 1
            if self.whole and idle == IDLE:
                break
        return {(sort, turn[space]): word for (sort, space), word in self.marks.items() for turn in finder.turns}

    def _among(self, centre: StandingPiece, space: int) -> None:
        """Explore the options of the piece with others on a space."""
        finder = self.finder
        self._play([centre, (space, self.foe, finder.foe)])
        if self.gives_spaces:
            self._play([centre], held=space)
        # Friends find foes and also spaces to go to, on one side or on the other.
        around = [one for one in finder.board.neighbours[space] if one != finder.middle]
        for side in (0, 1):
            foes = [(one, name, finder.foe) for one, name in zip(around[side::2], self.others, strict=False)]
            if (MarkSort.HELPS, space) not in self.marks:
                self._play([centre, (space, self.friend, finder.me), *foes], frozenset((space,)))

    def _play(
        self, standing: Sequence[StandingPiece], friends: frozenset[int] = frozenset(), held: int | None = None
    ) -> None:
        """Carry out all options of a position, and those that follow until the act is done.

        A piece that goes step by step is followed without other pieces, and each of its states only once.
        """
        alone = len(standing) == 1 and held is None
        state = self.finder.position((self.name, self.friend), standing, self.count, held)
        waiting, seen = deque([(state, "")] if state is not None else ()), set[str]()
        while waiting and len(seen) < _FOLLOWED:
            before, word = waiting.popleft()
            decision, told = before.decision, len(before.events)
            for option in decision.options if decision is not None else ():
                if before is state and not (self._is_about(option, standing) and self._is_new(option, alone)):
                    continue
                after = before.clone().apply(option)
                called, acted = self._note(after.events[told:], word, friends)
                if after.at_boundary or after.decision is None or after.decision.player != self.finder.me:
                    continue
                if (acted or not self.whole or len(standing) == 1) and (key := self._stand(after)) not in seen:
                    seen.add(key)
                    waiting.append((after, called))

    def _is_about(self, option: Option, standing: Sequence[StandingPiece]) -> bool:
        """Whether an option names the place of the piece, or at least no place of another piece."""
        spaces = self.finder.naming.spaces
        named = set(map(str, option.data.values()))
        return spaces[standing[0][0]] in named or not any(spaces[space] in named for space, _, _ in standing[1:])

    def _is_new(self, option: Option, alone: bool) -> bool:
        """Whether an option can have results that it did not have when the piece was alone."""
        if alone:
            self.known.add(option.id)
        return alone or self.answers or option.id not in self.known

    def _stand(self, state: State) -> str:
        """Return the pieces on the board in a position."""
        shapes, told = self.finder.variant.format.shapes, state.position()
        return repr([told[key] for key, shape in shapes.items() if "pieces" in shape and key in told])

    def _note(self, events: Sequence[Event], word: str, friends: frozenset[int]) -> tuple[str, bool]:
        """Note the acts of a step; return the word for the piece's first act, and whether it acted on another piece."""
        acted, ordered, last = False, False, ""
        for event in events:
            last = event.kind if event.kind not in _PLAIN_EVENTS else last
            agent = event.pieces.get("agent")
            by_it = agent is not None and agent.name == self.name
            acted |= by_it and any(piece.name == self.foe for piece in event.pieces.values())
            is_own = _is_in(event.clause, self.own) or _is_in(event.cause, self.own)
            # All that follows from its own act is its own, whatever texts others put in between.
            ordered |= is_own and by_it and event.kind not in _PLAIN_EVENTS
            is_own |= ordered and event.kind in ("moved", "placed")
            if is_own or self.whole:
                if by_it and event.kind not in _PLAIN_EVENTS:
                    word = word or event.kind
                self._mark(event, word or last, is_own, friends)
        return word, acted

    def _mark(self, event: Event, word: str, is_own: bool, friends: frozenset[int]) -> None:
        number, agent = self.finder.board.number, event.pieces.get("agent")
        is_act, by_it = event.kind not in _PLAIN_EVENTS, agent is not None and agent.name == self.name
        if event.kind in ("moved", "placed") and by_it:
            sort = MarkSort.GOES if event.kind == "moved" else MarkSort.COMES
            self._add(sort, number[event.roles["to"]], word)
        elif is_act and is_own and agent is not None and not by_it and number[agent.at] in friends:
            self._add(MarkSort.HELPS, number[agent.at], f"{event.kind} by another")
        elif is_act and (by_it or (agent is None and is_own)):
            for role, piece in event.pieces.items():
                if role != "agent" and piece.name == self.foe:
                    self._add(MarkSort.ACTS, number[piece.at], event.kind)
                elif role != "agent" and piece.name == self.friend and is_own:
                    self._add(MarkSort.HELPS, number[piece.at], event.kind)

    def _add(self, sort: MarkSort, space: int, word: str) -> None:
        if space != self.finder.middle:
            self.marks.setdefault((sort, space), word)


_PLAIN_EVENTS = frozenset(
    (
        "decided",
        "moved",
        "placed",
        "removed",
        "became",
        "owned",
        "token",
        "changed",
        "counted",
        "raised",
        "seen",
        "answered",
        "performed",
        "replaced",
        "lapsed",
        "unordered",
        "ended",
    )
)
"""The kinds of events that are not acts."""


def _is_in(clause: Clause | Span | None, lines: TextLines) -> bool:
    if clause is None:
        return False
    return (clause.path if isinstance(clause, Span) else clause.file, clause.line) in lines


def _size(document: Document) -> int:
    """Return the length of all texts in a document, and of the names of the documents that it names."""
    return sum(len(str(value)) for value in document.values.values() if isinstance(value, list) or "\n" in str(value))


def _own_lines(game: Game, document: Document, options: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Yield the lines of texts, with layers applied, of a document and of the documents that it names."""
    library, _ = layered(game.library, options)
    kinds = game.document.values["documents"]
    borne_ones = (other for _, other, _ in borne_documents(game, document, library))
    for one in (library.named(document.kind, document.name), *borne_ones):
        blocks = kinds[one.kind].get("blocks", {}) if one is not None else ()
        for span in (span for key in blocks if one is not None for span in one.blocks(key)):
            yield from ((span.path, line) for line in range(span.line, span.end_line + 1))
