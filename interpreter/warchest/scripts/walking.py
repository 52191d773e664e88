"""Typed paths: rows of signs; each sign is a step of one or more options that are on offer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warchest.game.decision import Option
from warchest.game.state import State
from warchest.scripts.forms import Caught
from warchest.scripts.gaps import Reference
from warchest.scripts.line_play import LineTask, Player
from warchest.scripts.notation import Notation, filled
from warchest.scripts.offers import WHEN, OfferSearch, Want, pattern_of
from warchest.scripts.pieces import Piece, PiecesOnBoard

_WHO = "who"
"""The name of the piece that goes, in the patterns of steps."""


class Stopped(Exception):
    """A path cannot go on; the message gives the reason, `asked` the option for the step, and `state` the state where
    it was to be on offer, if that is not the last one.
    """

    def __init__(self, message: str, asked: Mapping[str, object] | None = None, state: State | None = None) -> None:
        super().__init__(message)
        self.asked, self.state = dict(asked or {}), state


class PathWalk:
    """A path under way: the rest of it, and the piece that goes along it."""

    def __init__(self, notation: Notation, who: str, signs: list[str]) -> None:
        self.notation, self.who = notation, who
        self.left = [(step, sign, pattern) for step, sign in enumerate(signs) for pattern in notation.steps[sign]]
        self.begun = False
        self._last: tuple[State, Option] | None = None
        """The step that was taken last, with the state before it."""

    def __str__(self) -> str:
        return " ".join({step: sign for step, sign, _ in self.left}.values())

    def next(self, state: State) -> Option | None:
        """Return the option for the next step, and go on to the one after it; raises Stopped.

        An offer on the way that no step takes is declined. None: the path is complete.
        """
        pieces = PiecesOnBoard(state, self.notation)
        offers = OfferSearch(state, pieces)
        if self.begun and Player(state, self.notation, LineTask(self.notation.document.span, [], [])).between(offers):
            raise self._over()
        found = self._found(0, pieces, offers)
        if not found and self._open() and self._found(1, pieces, offers):
            self.left.pop(0)
            found = self._found(0, pieces, offers)
        declined = [option for option in offers.options if option.declines]
        if not found and self.begun and declined:
            return declined[0]
        while not found and self._open():
            self.left.pop(0)
            if not self.left:
                return None
            found = self._found(0, pieces, offers)
        _, sign, pattern = self.left[0]
        if not found:
            meant = [self._want(pattern, piece, pieces) for piece in _meant(self.who, pieces)]
            asked = offers.shown(meant[0]) if len(meant) == 1 else None
            raise Stopped(f"`{sign}` is not on offer" + (f" to {self.who}" if self.who else ""), asked)
        if len(found) > 1:
            named = ", ".join(_called(piece, pieces) for piece, _ in found)
            raise Stopped(f"`{sign}` is possible for {named}; name one, such as `{pieces.place(found[0][0])} {self}`")
        piece, fits = found[0]
        self.left.pop(0)
        # From now on the piece is referred to by its name, because its place changes.
        self.begun, self.who = True, _name(piece, pieces)
        plainest = _plainest(fits, sign)
        self._last = state.clone(), plainest
        return plainest

    def _over(self) -> Stopped:
        """Return why the path is over, with the last state in which its act could only be ended, if there was one."""
        message = "the act that it was part of is over"
        if self._last is None:
            return Stopped(message)
        before, taken = self._last
        asked = before.clone()
        asked.thorough = True
        asked.apply(taken)
        if asked.decision is None:
            return Stopped(message)
        pieces = PiecesOnBoard(asked, self.notation)
        meant = [self._want(self.left[0][2], piece, pieces) for piece in _meant(self.who, pieces)]
        return Stopped(message, OfferSearch(asked, pieces).shown(meant[0]) if len(meant) == 1 else None, asked)

    def _open(self) -> bool:
        """Whether the next step may be left out if it is not on offer."""
        return bool(self.left[0][2].get(WHEN) == "offered")

    def _found(self, number: int, pieces: PiecesOnBoard, offers: OfferSearch) -> list[tuple[Piece, list[Option]]]:
        """Return the pieces that can take one of the remaining steps, each with the options for it."""
        return [
            (piece, fits)
            for _, _, pattern in self.left[number : number + 1]
            for piece in _meant(self.who, pieces)
            if (fits := self._fitting(pattern, piece, pieces, offers))
        ]

    def _fitting(
        self, pattern: Mapping[str, object], piece: Piece, pieces: PiecesOnBoard, offers: OfferSearch
    ) -> list[Option]:
        return offers.fitting(self._want(pattern, piece, pieces))

    def _want(self, pattern: Mapping[str, Any], piece: Piece, pieces: PiecesOnBoard) -> Want:
        span = self.notation.document.span
        mover = Reference(_name(piece, pieces), pieces.place(piece))
        return Want(filled(pattern_of(pattern), {_WHO: Caught(mover, span)}), mover, span)


def walk_of(words: str, notation: Notation, state: State) -> PathWalk | None:
    """Return the path that some words mean: signs, perhaps after words for an existing piece; None for other words."""
    by_case = {sign.casefold(): sign for sign in notation.steps}
    typed = words.split()
    signs: list[str] = []
    while typed and typed[-1].casefold() in by_case:
        signs.insert(0, by_case[typed.pop().casefold()])
    who = " ".join(typed)
    return PathWalk(notation, who, signs) if signs and _meant(who, PiecesOnBoard(state, notation)) else None


def no_step(words: str, notation: Notation, state: State) -> str:
    """Return the reason why words are no path, though they begin with a piece and a step; empty for other words."""
    by_case = {sign.casefold() for sign in notation.steps}
    typed = words.split()
    first = next((number for number, word in enumerate(typed) if word.casefold() in by_case), 0)
    wrong = next((word for word in typed[first:] if word.casefold() not in by_case), "")
    if not (wrong and first and _meant(" ".join(typed[:first]), PiecesOnBoard(state, notation))):
        return ""
    return f"`{wrong}` is no step; the steps are {' '.join(notation.steps)}."


def tried(walk: PathWalk, state: State) -> tuple[State, Stopped | None]:
    """Follow a path on a copy of a state until it stops or another player decides; return the state, and the reason."""
    copy = state.clone()
    player = copy.decision.player if copy.decision is not None else None
    while walk.left and copy.decision is not None and copy.decision.player == player:
        left = str(walk)
        try:
            option = walk.next(copy)
        except Stopped as stopped:
            return stopped.state or copy, Stopped(f"The path stops before `{left}`: {stopped}.", stopped.asked)
        if option is not None:
            copy.apply(option)
    return copy, None


def _meant(who: str, pieces: PiecesOnBoard) -> list[Piece]:
    """Return the pieces whose name and place contain all the given words; without words, all pieces."""
    words = set(who.casefold().split())
    return [piece for piece in pieces.all if words <= set(_called(piece, pieces).casefold().split())]


def _name(piece: Piece, pieces: PiecesOnBoard) -> str:
    return str(piece.entry[pieces.keys["document"]])


def _called(piece: Piece, pieces: PiecesOnBoard) -> str:
    return f"{_name(piece, pieces)} {pieces.place(piece)}"


def _plainest(options: list[Option], sign: str) -> Option:
    """Return the option with the shortest description; raises Stopped if several are as short."""
    least = min(len(option.data) for option in options)
    plain = [option for option in options if len(option.data) == least]
    if len(plain) > 1:
        raise Stopped(f"`{sign}` can mean {'; '.join(option.label for option in plain)}")
    return plain[0]
