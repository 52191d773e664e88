"""The automaton that runs a parse table: it builds the tree while it reads, and reports where it cannot go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from warchest.syntax.table import END, ParseTable, Production

Build: TypeAlias = Callable[["Extent", list[object]], object]
"""A function that builds a node from its stretch of the text and from its parts."""


class Token(str):
    """A word or a sign with its terminal; its text is the dictionary form of the written word."""

    __slots__ = ("end_pos", "start_pos", "type")

    is_empty = False
    type: str
    start_pos: int
    end_pos: int

    @classmethod
    def of(cls, type: str, text: str, start: int, end: int) -> Token:
        """Return a token that reaches from `start` to `end`."""
        made = cls(text)
        made.type, made.start_pos, made.end_pos = type, start, end
        return made

    @property
    def first(self) -> int:
        """The start of the token, under the name that extents use."""
        return self.start_pos

    @property
    def last(self) -> int:
        """The end of the token, under the name that extents use."""
        return self.end_pos


class Unexpected(Exception):
    """The automaton cannot take a token; `expected` are the terminals that it names in its state."""

    def __init__(self, token: Token, expected: frozenset[str]) -> None:
        super().__init__(str(token))
        self.token = token
        self.expected = expected

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.token, self.expected)


class Extent:
    """The part of a text that a symbol covers, and the wider part that includes everything read for the symbol.

    A pair of brackets, for example, belongs to the wider part only. Without any text, a symbol has neither part.
    """

    __slots__ = ("end_pos", "first", "is_empty", "last", "start_pos")

    def __init__(self) -> None:
        self.is_empty = True
        self.start_pos = self.end_pos = self.first = self.last = 0

    def widen(self, first: int, last: int) -> None:
        """Extend the wider part of the symbol; its own part remains the part that was read first."""
        if self.is_empty:
            self.start_pos, self.end_pos, self.is_empty = first, last, False
        self.first, self.last = first, last


_Built: TypeAlias = tuple[object, Extent | Token]
"""The node built of a symbol, and its extent; a token is its own."""


class Automaton:
    """A parser of one sentence: a stack of states, and the nodes built from the symbols read so far."""

    def __init__(
        self, table: ParseTable, build: Sequence[Build | None], take: dict[str, Callable[[Token], object]]
    ) -> None:
        self.table = table
        self.build = build
        """The function that builds a node of each production; None where its children take its place."""
        self.take = take
        """The functions that make nodes of tokens, by their terminals; other tokens stay as they are."""
        self.states = [table.begin]
        self.values: list[_Built] = []

    def accepts(self, terminal: str) -> bool:
        """Whether a terminal can come next.

        A state of the table names the terminals of all its places, so the reductions are tried as well. Otherwise the
        noun in `attacks cards` would be a verb, because in some other sentence a verb can follow there.
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
        """Take a token; raises Unexpected if that is impossible."""
        states, terminal = self.table.states, token.type
        while True:
            action = states[self.states[-1]].get(terminal)
            if action is None:
                raise Unexpected(token, self.named())
            if action >= 0:
                self.states.append(action)
                self.values.append((token, token))
                return
            self._reduce(-1 - action)
            if terminal == END and self.states[-1] == self.table.end:
                return

    def end(self, behind: Token | None) -> object:
        """Return the tree, if the sentence can end after a token; raises Unexpected if it cannot."""
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
            built = read[place]
            if is_inlined and isinstance(built[0], list):
                children += built[0]
            else:
                children.append(built)
        if done.is_passed_on and len(children) == 1:
            node, extent = children[0]
            return node, extent if isinstance(extent, Token) else _widened(extent, read)
        extent = _widened(Extent(), read)
        if build is None:
            return children, extent
        return build(extent, [self._taken(one) for one in children]), extent

    def _taken(self, value: _Built) -> object:
        node, token = value
        if isinstance(token, Token) and (take := self.take.get(token.type)) is not None:
            return take(token)
        return node


def _widened(extent: Extent, read: list[_Built]) -> Extent:
    """Extend a symbol to everything that it was read from."""
    places = [place for _, place in read if not place.is_empty]
    if places:
        extent.widen(places[0].first, places[-1].last)
    return extent
