"""The parse table that Lark makes of the grammar. It is cached as JSON: reading that takes a twentieth of the time of
making it.

A cached table is plain data, never run. Lark is not even imported where one is cached.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypedDict

from warchest.source.cache import digest_of_files, program_cache
from warchest.source.records import record
from warchest.source.text import digest

if TYPE_CHECKING:
    from lark import Lark
    from lark.grammar import Rule

START = "start"
END = "$END"


@record()
class Production:
    """A production of the grammar, as far as a parser needs it."""

    origin: str
    """The symbol that it makes."""
    size: int
    """The number of symbols it is made of."""
    name: str
    """The name of the node that is built of it: its alias, or its symbol."""
    kept: tuple[tuple[int, bool], ...]
    """The symbols that count, by their numbers, and whether they are replaced by their children."""
    is_passed_on: bool
    """Whether no node is built where only one symbol counts."""


@record()
class ParseTable:
    """An LALR(1) table: the action in each state, by the symbol that comes next.

    A number `n` from 0 on is the next state; a negative `n` means that the production of number `-1 - n` is complete.
    """

    states: tuple[dict[str, int], ...]
    productions: tuple[Production, ...]
    begin: int
    end: int
    terminals: dict[str, str]
    """The terminals with their patterns, those excepted that are declared without one."""


class _PlainTable(TypedDict):
    """A table as plain data; a production is written as its fields, in their order."""

    states: list[dict[str, int]]
    productions: list[tuple[str, int, str, list[tuple[int, bool]], bool]]
    begin: int
    end: int
    terminals: dict[str, str]


def table_of(grammar: str) -> ParseTable:
    """Return the table of a grammar: the cached one, if it is of this grammar, or a new one."""
    cache, name = program_cache(), f"{digest(f'table by {_maker()} of {grammar}')}.json"
    kept: Any = cache.read_plain(name) if cache is not None else None
    # A cached table may be wrong in any way: a new one can be made.
    with suppress(LookupError, ValueError, TypeError):
        return _table(kept)
    made = _made(grammar)
    if cache is not None:
        cache.write_plain(name, made)
    return _table(made)


def _maker() -> str:
    """Return a text that identifies the version of Lark, without loading it."""
    return digest_of_files(_files_of_lark())


def _files_of_lark() -> Iterator[str]:
    """Yield the first module of Lark; in the exported page even looking for it would fetch it."""
    found = find_spec("lark")
    if found is not None and found.origin is not None and os.path.isfile(found.origin):
        yield found.origin


def _table(plain: _PlainTable) -> ParseTable:
    productions = (
        Production(origin, size, name, tuple((number, inlined) for number, inlined in kept), is_passed_on)
        for origin, size, name, kept, is_passed_on in plain["productions"]
    )
    return ParseTable(tuple(plain["states"]), tuple(productions), plain["begin"], plain["end"], plain["terminals"])


# ---- making one


def made_by_lark(grammar: str, debug: bool = False) -> Lark:
    """Return the parser that Lark makes of a grammar; with `debug` it logs each conflict that it resolves by a
    default."""
    import lark
    from lark.lexer import Lexer

    class Unasked(Lexer):
        """A lexer, which Lark requires but never uses."""

        def __init__(self, conf: object) -> None:
            pass

        def lex(self, *rest: object) -> Iterator[lark.Token]:
            """Yield nothing."""
            yield from ()

    return lark.Lark(grammar, parser="lalr", lexer=Unasked, maybe_placeholders=False, debug=debug)


def _made(grammar: str) -> _PlainTable:
    """Return the table that Lark makes of a grammar, as plain data: Lark's own strings take longer to compare."""
    parser = made_by_lark(grammar)
    table = parser.parser.parser._parse_table
    numbers = {rule: number for number, rule in enumerate(parser.rules)}
    states: list[dict[str, int]] = [{} for _ in table.states]
    for state, symbols in table.states.items():
        for symbol, (_, argument) in symbols.items():
            states[state][str(symbol)] = argument if isinstance(argument, int) else -1 - numbers[argument]
    order, ordered = _in_order(states, table.start_states[START])
    return {
        "states": ordered,
        "productions": [_production(rule) for rule in parser.rules],
        "begin": order[table.start_states[START]],
        "end": order[table.end_states[START]],
        "terminals": {one.name: str(one.pattern.value) for one in parser.terminals},
    }


def _in_order(states: list[dict[str, int]], begin: int) -> tuple[dict[int, int], list[dict[str, int]]]:
    """Return new numbers for states, in order of discovery from the first one, and the states by these numbers.

    Lark puts symbols and states into sets, whose order differs from one process to the next.
    """
    order, waiting = {begin: 0}, [begin]
    for state in waiting:
        for _, target in sorted(states[state].items()):
            if target >= 0 and target not in order:
                order[target] = len(order)
                waiting.append(target)
    renumbered = [{symbol: order.get(to, to) for symbol, to in sorted(states[old].items())} for old in waiting]
    return order, renumbered


def _production(rule: Rule) -> tuple[str, int, str, list[tuple[int, bool]], bool]:
    from lark.grammar import Terminal

    kept = [
        (number, not symbol.is_term and symbol.name.startswith("_"))
        for number, symbol in enumerate(rule.expansion)
        if rule.options.keep_all_tokens or not (isinstance(symbol, Terminal) and symbol.filter_out)
    ]
    is_passed_on = bool(rule.options.expand1) and not rule.alias
    origin = str(rule.origin.name)
    return origin, len(rule.expansion), str(rule.alias or origin), kept, is_passed_on
