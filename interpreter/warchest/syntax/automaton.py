"""The automaton that carries a parse table out: it builds while it reads, and says where it cannot go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from warchest.syntax.table import END, ParseTable, Production

Build: TypeAlias = Callable[["Extent", list[Any]], Any]
"""A function that builds a node from its stretch of the text and from its parts."""


class Token(str):
    """A word or a sign with its terminal; its text is the dictionary form of the written word."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int

    @classmethod
    def of(cls, type: str, text: str, start: int, end: int) -> Token:
        """Return a token that stands from `start` to `end`."""
        made = cls(text)
        made.type, made.start_pos, made.end_pos = type, start, end
        return made


class Unexpected(Exception):
    """The automaton cannot take a token; `expected` are the terminals that it names in its state."""

    def __init__(self, token: Token, expected: frozenset[str]) -> None:
        super().__init__(str(token))
        self.token = token
        self.expected = expected

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.token, self.expected)


class Extent:
    """The stretch of a text that a symbol covers, and, behind it, all that was read for it.

    A pair of brackets, say, belongs to the second only. Where nothing was read there are no such places.
    """

    __slots__ = ("end_pos", "first", "is_empty", "last", "start_pos")

    def __init__(self) -> None:
        self.is_empty = True
        self.start_pos = self.end_pos = self.first = self.last = 0

    def widen(self, first: int, last: int) -> None:
        """Let the symbol stand for more; its own stretch remains the one that was read first."""
        if self.is_empty:
            self.start_pos, self.end_pos, self.is_empty = first, last, False
        self.first, self.last = first, last


_Built: TypeAlias = tuple[Any, Extent | None]
"""The node built of a symbol, and its extent; a token has its own."""


class Automaton:
    """A parser of one sentence: a stack of states, and the nodes built of the symbols below them."""

    def __init__(
        self, table: ParseTable, build: Sequence[Build | None], take: dict[str, Callable[[Token], Any]]
    ) -> None:
        self.table = table
        self.build = build
        """The function that builds a node of each production; None where its children stand for themselves."""
        self.take = take
        """The functions that make nodes of tokens, by their terminals; other tokens stay as they are."""
        self.states = [table.begin]
        self.values: list[_Built] = []

    def accepts(self, terminal: str) -> bool:
        """Whether a terminal can come next.

        A state of the table names the terminals of all its places, so the reductions are tried as well: else
        the noun in `attacks cards` would be a verb, because in some other sentence a verb can follow there.
        """
        states, productions = self.table.states, self.table.productions
        stack = list(self.states)
        while (action := states[stack[-1]].get(terminal)) is not None:
            if action >= 0:
                return True
            done = productions[-1 - action]
            if done.size:
                del stack[-done.size :]
            stack.append(states[stack[-1]][done.origin])
        return False

    def named(self) -> frozenset[str]:
        """Return the terminals that its state names."""
        return frozenset(one for one in self.table.states[self.states[-1]] if one.isupper())

    def feed(self, token: Token) -> None:
        """Take a token; raises Unexpected where that cannot be."""
        states, terminal = self.table.states, token.type
        while True:
            action = states[self.states[-1]].get(terminal)
            if action is None:
                raise Unexpected(token, self.named())
            if action >= 0:
                self.states.append(action)
                self.values.append((token, None))
                return
            self._reduce(-1 - action)
            if terminal == END and self.states[-1] == self.table.end:
                return

    def end(self, behind: Token | None) -> Any:
        """Return the tree, if the sentence can end behind a token; else raises Unexpected."""
        place = (behind.start_pos, behind.end_pos) if behind is not None else (0, 0)
        self.feed(Token.of(END, "", *place))
        return self.values[-1][0]

    def _reduce(self, number: int) -> None:
        done = self.table.productions[number]
        read: list[_Built] = []
        if done.size:
            read = self.values[-done.size :]
            del self.states[-done.size :]
            del self.values[-done.size :]
        self.values.append(self._built(done, self.build[number], read))
        self.states.append(self.table.states[self.states[-1]][done.origin])

    def _built(self, done: Production, build: Build | None, read: list[_Built]) -> _Built:
        children: list[_Built] = []
        for place, is_inlined in done.kept:
            if is_inlined:
                children += read[place][0]
            else:
                children.append(read[place])
        passed_on = children[0] if done.is_passed_on and len(children) == 1 else None
        if passed_on is not None and passed_on[1] is None:
            return passed_on
        extent = passed_on[1] if passed_on is not None else None
        extent = _widened(extent if extent is not None else Extent(), read)
        if passed_on is not None:
            return passed_on[0], extent
        if build is None:
            return children, extent
        return build(extent, [self._taken(one) for one in children]), extent

    def _taken(self, value: _Built) -> Any:
        one, extent = value
        if extent is None and (take := self.take.get(one.type)) is not None:
            return take(one)
        return one


def _widened(extent: Extent, read: list[_Built]) -> Extent:
    """Let a symbol stand for all that it was read from."""
    places = [
        (one.start_pos, one.end_pos) if own is None else (own.first, own.last)
        for one, own in read
        if own is None or not own.is_empty
    ]
    if places:
        extent.widen(places[0][0], places[-1][1])
    return extent
