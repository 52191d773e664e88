"""Values, sets and conditions as functions: each is one Python expression over the memory, compiled on first use.

This is the only place where Python is written by Python. A rule such as `a unit cannot move to a space unless the space
is empty` becomes an expression over whole numbers, here `not (not (m[9 + e[4]]))`. It is composed of the numbers and
operators of the rules alone; no text of a document gets into it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, repeat
from types import CodeType
from typing import Any, ClassVar, TypeAlias, cast

from warchest.engine.effects import upheld
from warchest.engine.runs import Env, Run
from warchest.ir import values as ir
from warchest.ir.ruleset import AGENT, MANNER
from warchest.ir.steps import INHERITED, MakeTokens, MoveAll, MoveToken, SetField
from warchest.ir.values import NOTHING, SET_VARIABLES
from warchest.lowering.board import FAR
from warchest.lowering.code import Announcement, CallAct, Note, variable
from warchest.lowering.directions import table
from warchest.lowering.expression_lowering import ExpressionLowering
from warchest.lowering.gone import GONE
from warchest.lowering.layout import LIVE, NOWHERE, Layout
from warchest.lowering.operations import COMMON_TEXTS, HolderRows, Operation, SetSearch

Cells: TypeAlias = tuple[slice, range]
"""The consecutive cells that count the tokens of holders, and the tokens, a cell for each."""
LARGE = 100
"""The number of spaces above which the cost of going through a single set is counted, too."""


class _BitSets(dict[int, tuple[int, ...]]):
    """The members of sets of bits, computed once for each set."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = self[mask] = tuple(index for index in range(mask.bit_length()) if mask >> index & 1)
        return found


members_of: Callable[[int], tuple[int, ...]] = _BitSets().__getitem__
"""Returns the numbers of the bits set in a number, smallest first."""


def standing(memory: list[int], at: int, spaces: Iterable[int]) -> int:
    """Return the set of the pieces on some spaces; the sets of pieces on each space begin at cell `at`."""
    mask = 0
    for space in spaces:
        mask |= memory[at + space]
    return mask


def way_through(
    neighbours: Sequence[Sequence[int]], origin: int, goal: int, high: int, fits: Callable[[int], bool]
) -> bool:
    """Whether a path of at most `high` steps leads to `goal` through spaces that fit."""
    edge = {origin}
    for _ in range(min(high, len(neighbours))):
        reached = {near for space in edge for near in neighbours[space]}
        if goal in reached:
            return True
        edge = {space for space in reached if fits(space)}
    return False


def caused_by(
    run: Run, verbs: frozenset[int], agent: int | None, document: int, documents: int, acting: int | None
) -> bool:
    """Whether an event of one of `verbs` (any, when empty) ordered the act under way, through its own steps.

    The search ends at an act of a piece other than `acting`: the causes of that act did not order this one.
    """
    code, env, below = run.code, run.env, run.parent
    if code.stages and below is not None:
        # The answered event is no cause of itself.
        below, code, _, env, _ = below
    while True:
        if code.origin == "verb" and (not verbs or code.verb in verbs):
            if document < 0:
                if agent is None or env[AGENT] == agent:
                    return True
            elif any([env[place] >= 0 and env[place] % documents == document for place in code.tokens]):
                return True
        another = acting is not None and code.origin == "verb" and code.bases[AGENT] == "piece" and env[AGENT] != acting
        if another or code.origin == "hook" or below is None:
            return False
        below, code, _, env, _ = below


def happening(run: Run, verb: int, fits: Callable[[Env], bool]) -> bool:
    """Whether an event of a verb, whose agent and roles fit, is under way."""
    code, env, below = run.code, run.env, run.parent
    while True:
        if code.event == verb and fits(env):
            return True
        if below is None:
            return False
        below, code, _, env, _ = below


@lru_cache(8192)
def _compiled(source: str) -> CodeType:
    """Return the code for some lines of Python; games that differ in a few documents share most of it."""
    return compile(source, "<rules>", "exec")


def function_of(source: str, names: dict[str, Any]) -> Any:
    """Return the one function that some lines of Python define, in which these names are known."""
    found: dict[str, Any] = {}
    exec(_compiled(source), names, found)
    (made,) = found.values()
    return made


SIMPLE = re.compile(r"\w+|-\d+|e\[\d+\]")
"""A text that is cheap to evaluate, and so can be written twice."""
_MEMORY = re.compile(r"\bm\b")
_PLACED = re.compile(r"(e\[\d+\]|v\d+) \* (\d+)")
"""The beginning of the cells of a piece in an expression: a variable of the routine or function, and the stride."""


def placed_once(lines: Sequence[str]) -> list[str]:
    """Return the lines of a function with repeated places of pieces computed only once.

    A variable of the routine keeps its value unless the lines change it; a variable of the function (`v1`) is set in a
    line of its own.
    """
    text = "\n".join(lines)
    again = [found for found, times in Counter(_PLACED.findall(text)).items() if times > 1]
    names = {
        f"{variable} * {stride}": f"p_{variable.strip('e[]')}"
        for variable, stride in again
        if variable[0] == "v" or "e = " not in text
    }
    found = [f"{name} = {place}" for place, name in names.items() if place[0] == "e"]
    for line in lines:
        found.append(_PLACED.sub(lambda one: names.get(one[0], one[0]), line))
        variable, given, _ = line.partition(" = ")
        deep = variable[: len(variable) - len(variable.lstrip())]
        found += [
            f"{deep}{name} = {place}"
            for place, name in names.items()
            if given and place.startswith(f"{variable.strip()} *")
        ]
    return found


def _trail_step(cell: str, field: int, whose: str, part: int) -> str:
    steps = f"m[{cell}]"
    if part < 0:
        behind = f"max({steps}.bit_length() - 1, 0) // {ir.TRAIL_BITS} * {ir.TRAIL_BITS}"
        return f"(({steps} >> {behind} & {ir.TRAIL_MASK}) - 1)"
    return f"(({steps}{f' >> {ir.TRAIL_BITS * part}' if part else ''} & {ir.TRAIL_MASK}) - 1)"


def _trail_more(cell: str, field: int, *parts: str) -> str:
    steps = f"m[{cell}]"
    for one in parts:
        steps = f"({steps} << {ir.TRAIL_BITS} | {one} + 1)"
    return steps


TEXTS: dict[str, Callable[..., str]] = {
    **COMMON_TEXTS,
    "number": "{0}".format,
    "field": "m[{}]".format,
    "present": f"max({{}}, {NOTHING})".format,
    "turned": "(({} + {}) % {})".format,
    "document of token": "({} % {})".format,
    "sheet": "run.catalogue[{}][{}]".format,
    "at least": "max({}, {})".format,
    **{how: f"{{}} {how} {{}}".format for how in ("==", "!=", "<", "<=", ">", ">=")},
    "differ": "{} != {}".format,
    "every": lambda *tests: f"({' and '.join(tests) or 'True'})",
    "some": lambda *tests: f"({' or '.join(tests) or 'False'})",
    "not": "(not {})".format,
    "listed": "{2} in run.catalogue[('spaces', {0!r})][{1}]".format,
    "of kind": lambda cell, some: f"m[{cell}] == {some[0]}" if len(some) == 1 else f"m[{cell}] in {set(some)}",
    "upheld": "upheld(m, layout, {}, {}, {})".format,
    "under way": "happening(run, {}, lambda f{}: {})".format,
    "anybody": "None".format,
    "trail step": _trail_step,
    "trail more": _trail_more,
    "trail less": f"(m[{{0}}] >> {ir.TRAIL_BITS} * {{2}})".format,
}
"""The Python of the operations that always have the same text."""


class ExpressionWriter:
    """Writes the operations of expressions as Python; the names that it uses are in `names`.

    In an expression `m` is the memory, `e` the variables of the frame, `run` the run, and `x0`, `x1`, … the current
    members of the nested sets, the outermost first.
    """

    plain: ClassVar = TEXTS
    """The texts of the operations that do not depend on the game."""

    def __init__(
        self, lowering: ExpressionLowering, names: dict[str, Any], instead: Mapping[int, str] | None = None
    ) -> None:
        self.lowering, self.layout, self.names = lowering, lowering.layout, names
        self.temporary = 0
        self.instead: Mapping[int, str] = instead or {}

    def reading(self, instead: Mapping[int, str]) -> ExpressionWriter:
        """Return a writer that writes other texts for some variables of the frame."""
        return ExpressionWriter(self.lowering, self.names, instead)

    def text(self, one: Operation) -> str:
        """Return the expression for an operation."""
        operands = [self.text(part) if isinstance(part, Operation) else part for part in one.operands]
        plain = self.plain.get(one.code)
        return plain(*operands) if plain is not None else WRITTEN[one.code](self, *operands)

    def value(self, node: ir.Value) -> str:
        """Return the expression for a value."""
        return self.text(self.lowering.value(node))

    def row(self, nodes: Iterable[ir.Value]) -> str:
        """Return the expression for several values in a row."""
        return f"({''.join(self.value(one) + ', ' for one in nodes)})"

    def condition(self, node: ir.Condition) -> str:
        """Return the expression that is true where a condition holds."""
        return self.text(self.lowering.condition(node))

    def once(self, text: str) -> tuple[str, str]:
        """Return the texts of a value for its first use and for later ones, so that it is computed once."""
        if SIMPLE.fullmatch(text):
            return text, text
        self.temporary += 1
        name = f"t{self.temporary}"
        return f"({name} := {text})", name

    # ---- values

    @property
    def _bearings(self) -> str:
        return self.constant((*self.layout.board.bearing, {}))

    @property
    def _distances(self) -> str:
        return self.constant(_with_nowhere(self.layout.board.distance))

    def _last_known(self, first: int, piece: str, what: str) -> str:
        digit = self.lowering.digits._asdict()[what]
        return f"(m[{first} + {piece} * {self.layout.stride}] if {piece} >= 0 else {self.constant(digit)}.of({piece}))"

    def _per_document(self, of: str, numbers: tuple[int, ...], *values: str) -> str:
        now, then = self.once(of)
        return _first_of(
            [f"{one} == {number}" for one, number in zip(chain([now], repeat(then)), numbers, strict=False)], values
        )

    def _per_bearer(self, gone: bool, of: str, numbers: tuple[int, ...], *values: str) -> str:
        now, then = self.once(of)
        asked = zip(chain([now], repeat(then)), numbers, strict=False)
        return _first_of([self._bears(one, number, gone) for one, number in asked], values)

    def _bears(self, piece: str, document: int, gone: bool) -> str:
        cell = self.layout.of_document + document
        if not gone:
            return f"m[{cell}] >> {piece} & 1"
        now, then = self.once(piece)
        was = f"run.catalogue.carried[{self.constant(self.lowering.digits.document)}.of({then})]"
        return f"(m[{cell}] >> {then} & 1 if {now} >= 0 else {then} <= {-GONE} and {cell} in {was})"

    # ---- sets

    def members(self, node: ir.Set) -> str:
        """Return the expression that lists the members of a set, in a fixed order."""
        return self._members(self.lowering.search(node))

    def _members(self, search: SetSearch) -> str:
        if search.tests or (search.are_tokens and search.of):
            found = f"[{self.text(search.variable)} {self._looked_through(search)}]"
        else:
            found = self.listed(search.source, search.within)
        return f"({found} if {self._all(search.fixed)} else ())" if search.fixed else found

    def _looked_through(self, search: SetSearch) -> str:
        """Return the clause of a comprehension over the members of a set, with a count of the cost.

        The cost is counted where nested loops can become long.
        """
        var, source = self.text(search.variable), self.listed(search.source, search.within)
        if search.variable.operands > (SET_VARIABLES,) or len(self.layout.board.spaces) > LARGE:
            source = f"run.look_through({source})"
        of = [f"{var} % {self.layout.documents} == {self.text(search.of)}"] if search.of and search.are_tokens else []
        tests = " and ".join([*of, *map(self.text, search.tests)])
        return f"for {var} in {source}{f' if {tests}' if tests else ''}"

    def listed(self, source: Operation, within: Sequence[Operation] = ()) -> str:
        """Return the expression that lists the possible members, or the things that are in every given set of bits."""
        if within or source.code == "pieces":
            return f"members_of({' & '.join(map(self.text, within or [source]))})"
        return self.text(source)

    def _exists(self, search: SetSearch) -> str:
        token = search.source.code == "tokens" and not search.tests
        if search.within and (not search.tests or search.of is not None):
            found = " & ".join(map(self.text, search.within))
            now, then = self.once(found)
            each = f"{self._all(search.tests)} for {self.text(search.variable)} in members_of({then})"
            found = f"{now} and any([{each}])" if search.tests else f"{found} != 0"
        elif token and search.of is not None:
            found = self._lies_in(self.text(search.of), _holders_in(search))
        elif token:
            found = " or ".join(f"any({cells})" for cells in self.cells(_holders_in(search)))
        else:
            return f"bool({self._members(search)})"
        return f"({' and '.join([*map(self.text, search.fixed), found])})"

    def _size(self, search: SetSearch) -> str:
        if search.are_tokens:
            return self._number_of_tokens(search)
        if search.within and not search.tests and not search.fixed:
            return f"({' & '.join(map(self.text, search.within))}).bit_count()"
        return f"len({self._members(search)})"

    def _number_of_tokens(self, search: SetSearch) -> str:
        """Return the expression for the number of tokens; equal tokens all count."""
        everywhere, plain = search.source.code == "everywhere", not search.tests and not search.fixed
        if everywhere and plain and search.of is not None:
            cells = self.constant(self._everywhere_by_document(str(search.source.operands[0])))
            return f"sum([sum(m[row]) for row in {cells}.get({self.text(search.of)}, ())])"
        if not everywhere and plain and search.of is None:
            return f"({' + '.join(f'sum({cells})' for cells in self.cells(_holders_in(search)))})"
        found = f"sum([m[{self.layout.tokens} + {self.text(search.variable)}] {self._looked_through(search)}])"
        return f"({found} if {self._all(search.fixed)} else 0)" if search.fixed else found

    def _lies_in(self, document: str, nodes: Iterable[HolderRows]) -> str:
        """Return the test for a token of a document in some holders: in each, one cell counts such tokens."""
        now, then = self.once(document)
        holders = self.holders(nodes)
        source = holders[0][1:] if len(holders) == 1 and holders[0].startswith("*") else f"({', '.join(holders)},)"
        cells = f"m[{self.layout.tokens} + holder * {self.layout.documents} + {then}]"
        return f"{now} >= 0 and any([{cells} for holder in {source}])"

    def _pieces(self, *kinds: int) -> str:
        if len(kinds) == len(self.layout.ruleset.kinds):
            return f"m[{LIVE}]"
        masks = " | ".join(f"m[{self.layout.of_kind + kind}]" for kind in kinds)
        return masks if len(kinds) == 1 else f"({masks})"

    def _pieces_of(self, document: str | int) -> str:
        first = self.layout.of_document
        return f"m[{first + document if isinstance(document, int) else f'{first} + {document}'}]"

    def _pieces_on(self, space: str) -> str:
        at, layout = self.layout.at, self.layout
        if space[0] == "x":
            return f"m[{at} + {space}]"
        if SIMPLE.fullmatch(space):
            return f"(m[{at} + {space}] if {space} >= 0 else 0)"
        # No tokens are in the holder of no piece, so that its cells are as those of a space without pieces.
        empty = layout.tokens + (layout.first_piece_holder - 1) * layout.documents
        return f"m[{self.constant((*range(at, at + len(layout.board.spaces)), empty))}[{space}]]"

    def _rays(self, low: int, high: int, origin: str) -> str:
        parts = self.layout.board.ray_part(low, high)
        return f"{self.constant(tuple(tuple(sorted(end for ray in rays for end in ray)) for rays in parts))}[{origin}]"

    def _near(self, low: int, high: int, origin: str) -> str:
        return f"{self.constant((*self.layout.board.ring(low, high), ()))}[{origin}]"

    def _one_space(self, space: str) -> str:
        return f"{self.constant((*((one,) for one in range(len(self.layout.board.spaces))), ()))}[{space}]"

    def _beside(self, ways: tuple[str, ...], direction: str) -> str:
        return f"{self.constant(table(ways, len(self.layout.board.directions)))}[{direction}]"

    def _everyone(self, base: str) -> str:
        if base != "player":
            count = self.layout.teams if base == "team" else len(self.layout.board.directions)
            return self.constant(tuple(range(count)))
        count = self.layout.players
        orders = tuple(tuple((first + step) % count for step in range(count)) for first in range(count))
        active = self.layout.fields.get(self.layout.ruleset.active)
        # Before any player is active, turn order begins with the first seat.
        return f"{self.constant(orders)}[max(m[{active}], 0)]" if active is not None else self.constant(orders[0])

    # ---- conditions

    def _all(self, tests: Iterable[Operation]) -> str:
        return " and ".join(map(self.text, tests))

    def _apart(self, low: int, high: int, left: str, right: str) -> str:
        return f"{low} <= {self._distances}[{left}][{right}] <= {high}"

    def _in_line(self, low: int, high: int, left: str, right: str, direction: str = "") -> str:
        (left, start), (right, end) = self.once(left), self.once(right)
        way = f"== {direction}" if direction else "is not None"
        return f"({self._apart(low, high, left, right)} and {self._bearings}[{start}].get({end}) {way})"

    def _open_line(self, origin: str, end: str, between: str, fits: str) -> str:
        now, then = self.once(f"{self.constant((*self.layout.board.between, {}))}[{origin}].get({end})")
        return f"({now} is not None and all([{fits} for {between} in {then}]))"

    def _open_way(self, origin: str, end: str, high: int, between: str, fits: str) -> str:
        ways = self.constant((*self.layout.board.neighbours, ()))
        return f"way_through({ways}, {origin}, {end}, {high}, lambda {between}: {fits})"

    def _caused(self, verbs: tuple[int, ...], agent: str, document: int, acting: str) -> str:
        return (
            f"caused_by(run, {self.constant(frozenset(verbs))}, {agent}, {document}, {self.layout.documents}, {acting})"
        )

    def notes(self, announcement: Announcement) -> str:
        """Return the expression for the note of an order in an option."""
        verb = f"{self.constant(announcement.verb)}, " if announcement.verb is not None else ""
        roles = [(self.constant((key, base)), self.value(node)) for key, base, node in announcement.roles]
        return f"({verb}{''.join(f'(*{said}, {value}), ' for said, value in roles)})"

    # ---- holders

    def constant(self, value: Any) -> str:
        """Return a name for a value that is fixed when the rules are loaded."""
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def holders(self, some: Iterable[HolderRows]) -> list[str]:
        """Return an expression for each holder."""
        return [text for one in some for text in self._numbers_of(one)]

    def _numbers_of(self, one: HolderRows) -> list[str]:
        if one.whose is None:
            return [str(number) for row in one.rows() for number in row]
        if not one.zone:
            # No tokens are in the holder of no piece.
            return [f"({one.first} + {self.text(one.whose)})"]
        return [f"*{self.constant((*map(tuple, one.rows()), ()))}[{self.text(one.whose)}]"]

    def setting(self, step: SetField) -> str:
        """Return the expression for the cell of the field that a step sets, and its new value."""
        return f"({self.text(self.lowering.cell(step.field, step.of))}, {self.value(step.value)})"

    def moving(self, step: MoveToken) -> str:
        """Return the expression for the token that a step moves, and the holder that it goes into."""
        return f"({self.value(step.token)}, {self.destination(step)})"

    def destination(self, step: MoveToken | MoveAll | MakeTokens) -> str:
        """Return the expression for the holder that the tokens of a step go into, NOTHING if the holder has no owner.

        An adverb of the step, or of the act that the step is part of, determines the face that the tokens get.
        """
        node = step.into
        if node is None:
            return str(NOWHERE)
        into = self.lowering.holders(node)
        manner = 0 if into.apart == 1 or isinstance(step, MakeTokens) else step.manner
        face = f"max({variable(MANNER)}, 0)" if manner == INHERITED else str(max(manner, 0))
        face = "" if face == "0" else f" + {face}"
        if into.whose is None:
            return f"{into.first}{face}"
        now, then = self.once(self.text(into.whose))
        holder = then if into.apart == 1 else f"{then} * {into.apart}"
        return f"({into.first} + {holder}{face} if {now} >= 0 else {NOTHING})"

    def cells(self, some: Iterable[HolderRows]) -> list[str]:
        """Return the slices of the memory that count the tokens of some holders."""
        return [text for one in some for text in self._slices(one)]

    def _slices(self, one: HolderRows) -> list[str]:
        # The faces of a zone are consecutive, so that one slice holds them all.
        rows = [cells for cells, _ in self._cut([(row.start, one.faces) for row in one.rows()], *one.documents)]
        if one.whose is None:
            return [f"m[{self.constant(cells)}]" for cells in rows]
        return [f"m[{self.constant((*rows, slice(0, 0)))}[{self.text(one.whose)}]]"]

    def _everywhere(self, noun: str) -> tuple[Cells, ...]:
        """Return the cells of all holders of the tokens of a noun: zones and pieces."""
        called, each = self.layout.called(noun), self.layout.documents
        zones, pieces = self._holders_of(noun)
        rows = [range(first * each, end * each) for first, end in zones]
        rows += [range(first * each + one, end * each, each) for first, end in pieces for one in called]
        return tuple(self._counting(row) for row in rows)

    def _everywhere_by_document(self, noun: str) -> dict[int, list[slice]]:
        """Return for each document the cells that count its tokens called by a noun."""
        each = self.layout.documents
        rows = [row for rows in self._holders_of(noun) for row in rows]
        return {
            one: [self._counting(range(first * each + one, end * each, each))[0] for first, end in rows]
            for one in self.layout.called(noun)
        }

    def _holders_of(self, noun: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the rows of holders that can have tokens of a noun: zones that have no other tokens, and pieces."""
        ruleset, layout = self.layout.ruleset, self.layout
        zones = [
            (zone.first, zone.number(zone.owners, 0))
            for zone, known in zip(layout.zones, ruleset.zones, strict=True)
            if known.holds == noun
        ]
        on_pieces = any(kind.holds == noun for kind in ruleset.kinds)
        return zones, [(layout.first_piece_holder, layout.holders)] if on_pieces else []

    def _counting(self, numbers: range) -> Cells:
        """Return the cells that count some tokens, with the numbers of the tokens."""
        first = self.layout.tokens
        return slice(first + numbers.start, first + numbers.stop, numbers.step), numbers

    def _cut(self, holders: Iterable[tuple[int, int]], least: int, most: int) -> tuple[Cells, ...]:
        """Return the cells of rows of holders for a range of documents, with the tokens that the cells count."""
        documents, cells = self.layout.documents, self.layout.tokens
        return tuple(
            (slice(cells + low, cells + high), range(low, high))
            for low, high in (
                (first * documents + least, (first + count - 1) * documents + most) for first, count in holders
            )
        )

    def tokens(self, rows: str) -> str:
        """Return the expression for the different tokens in some holders, given the expression for their cells."""
        return f"[token for cells, tokens in {rows} for token in compress(tokens, m[cells])]"

    def rows(self, some: Iterable[HolderRows]) -> str:
        """Return the expression for the cells of some holders with the tokens that they count, holder by holder."""
        parts = []
        for one in some:
            rows = [self._cut([(number, 1) for number in row], *one.documents) for row in one.rows()]
            if one.whose is None:
                parts.append(f"*{self.constant(tuple(pair for row in rows for pair in row))}")
            else:
                parts.append(f"*{self.constant((*rows, ()))}[{self.text(one.whose)}]")
        return parts[0][1:] if len(parts) == 1 else f"({', '.join(parts)},)"


WRITTEN: dict[str, Callable[..., str]] = {
    "variable": lambda write, number: write.instead[number] if number in write.instead else variable(number),
    "last known": ExpressionWriter._last_known,
    "team": lambda write, player: f"{write.constant((*write.layout.team_of, NOTHING))}[{player}]",
    "bearing": lambda write, origin, goal: f"{write._bearings}[{origin}].get({goal}, {NOTHING})",
    "distance": lambda write, origin, goal: f"{write._distances}[{origin}][{goal}]",
    "trek": lambda write, *ends: f"{write.constant(write.layout.board.trek)}[{']['.join(ends)}]",
    "per document": ExpressionWriter._per_document,
    "per bearer": ExpressionWriter._per_bearer,
    "size": ExpressionWriter._size,
    "exists": lambda write, search: write._exists(search),
    "tagged": lambda write, tag, space: f"{space} in {write.constant(write.layout.board.tagged(tag))}",
    "bears": ExpressionWriter._bears,
    "held": lambda write, token, some: f"{token} // {write.layout.documents} in ({', '.join(write.holders(some))},)",
    "apart": ExpressionWriter._apart,
    "in line": ExpressionWriter._in_line,
    "in direction": ExpressionWriter._in_line,
    "open line": ExpressionWriter._open_line,
    "open way": ExpressionWriter._open_way,
    "caused": ExpressionWriter._caused,
    "all spaces": lambda write: write.constant(tuple(range(len(write.layout.board.spaces)))),
    "ring": ExpressionWriter._near,
    "rays": ExpressionWriter._rays,
    "ray": lambda write, low, high, *ends: (
        f"{write.constant(write.layout.board.ray_part(low, high))}[{']['.join(ends)}]"
    ),
    "tagged spaces": lambda write, tag: write.constant(tuple(sorted(write.layout.board.tagged(tag)))),
    "one space": ExpressionWriter._one_space,
    "pieces": ExpressionWriter._pieces,
    "pieces of": ExpressionWriter._pieces_of,
    "pieces on": ExpressionWriter._pieces_on,
    "pieces near": lambda write, *ring: f"standing(m, {write.layout.at}, {write._near(*ring)})",
    "tokens": lambda write, holders: write.tokens(write.rows(holders)),
    "everywhere": lambda write, noun: write.tokens(write.constant(write._everywhere(noun))),
    "everyone": ExpressionWriter._everyone,
    "beside": ExpressionWriter._beside,
}
"""The Python of the other operations."""


class Evaluator:
    """Makes functions from values, conditions and sets, each once."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.names: dict[str, Any] = {
            "layout": layout,
            "members_of": members_of,
            "standing": standing,
            "compress": compress,
            "way_through": way_through,
            "upheld": upheld,
            "caused_by": caused_by,
            "happening": happening,
        }
        self.writer = ExpressionWriter(ExpressionLowering(layout, "listed"), self.names)
        self.known: dict[int, Callable[..., Any]] = {}
        """The functions made so far, by the identity of their nodes. Frequent callers look here before a call, which
        saves 4 % of the time of the reference machine in War Chest, 10 % in the second game.
        """
        self._nodes: list[Any] = []
        """These nodes, kept so that no other node gets the same identity."""

    def value(self, node: ir.Value) -> Callable[[Run, Env], int]:
        """Return the function that evaluates a value."""
        return self.known.get(id(node)) or self._made(node, self.writer.value(node))

    def test(self, node: ir.Condition) -> Callable[[Run, Env], bool]:
        """Return the function that tests a condition."""
        return self.known.get(id(node)) or self._made(node, self.writer.condition(node))

    def members(self, node: ir.Set) -> Callable[[Run, Env], Sequence[int]]:
        """Return the function that lists the members of a set; pieces are in the order of their numbers (see
        `by_place`)."""
        return self.known.get(id(node)) or self._made(node, self.writer.members(node))

    def all_of(self, among: ir.Set) -> Callable[[Run, Env], Sequence[int]]:
        """Return the function that lists the domain of a set, without its filters."""
        return self.known.get(id(among.members)) or self._made(
            among.members, self.writer.listed(self.writer.lowering.source(among.members))
        )

    def row(self, nodes: tuple[ir.Value, ...]) -> Callable[[Run, Env], Env]:
        """Return the function that evaluates several values in a row."""
        return self.known.get(id(nodes)) or self._made(nodes, self.writer.row(nodes))

    def order(self, order: CallAct) -> Callable[[Run, Env], tuple[Env, Sequence[Note]]]:
        """Return the function that evaluates the variables of an order, with the notes of the order for an option."""
        known = self.known.get(id(order))
        if known is None:
            said = self.writer.notes(order.announcement) if order.announcement is not None else "()"
            known = self._made(order, f"({self.writer.row(order.variables)}, {said})")
        return known

    def notes(self, announcement: Announcement) -> Callable[[Run, Env], Sequence[Note]]:
        """Return the function that returns the notes of an order for an option: its verb, and the settled roles."""
        return self.known.get(id(announcement)) or self._made(announcement, self.writer.notes(announcement))

    def setting(self, step: SetField) -> Callable[[Run, Env], tuple[int, int]]:
        """Return the function that finds the cell of the field that a step sets, and its new value."""
        return self.known.get(id(step)) or self._made(step, self.writer.setting(step))

    def moving(self, step: MoveToken) -> Callable[[Run, Env], tuple[int, int]]:
        """Return the function that finds the token that a step moves, and the holder that it goes into."""
        return self.known.get(id(step)) or self._made(step, self.writer.moving(step))

    def holder(self, step: MoveAll | MakeTokens) -> Callable[[Run, Env], int]:
        """Return the function that finds the holder that the tokens of a step go into; NOTHING if it has no owner."""
        return self.known.get(id(step)) or self._made(step, self.writer.destination(step))

    def filter(self, node: ir.Condition, var: ir.Var) -> Callable[[Run, Env, int], bool]:
        """Return the function that tests a condition of a set for one thing."""
        return self._function(self.writer.condition(node), f"run, e, {self.writer.value(var)}")

    def of_each(self, node: ir.Value, var: ir.Var) -> Callable[[Run, Env, int], int]:
        """Return the function of a value for one thing of a set."""
        return self._function(self.writer.value(node), f"run, e, {self.writer.value(var)}")

    def _made(self, node: Any, expression: str, params: str = "run, e") -> Callable[..., Any]:
        made = self.known[id(node)] = self._function(expression, params)
        self._nodes.append(node)
        return made

    def _function(self, expression: str, params: str) -> Callable[..., Any]:
        lines = placed_once([f"return {expression}"])
        memory = ["m = run.memory"] if _MEMORY.search(expression) else []
        source = "\n    ".join([f"def bound({params}):", *memory, *lines])
        return cast(Callable[..., Any], function_of(source, self.names))


def _with_nowhere(distance: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Add the space -1, for things that are on no space: it is far from everything, itself included."""
    return (*((*row, FAR) for row in distance), (FAR,) * (len(distance) + 1))


def _first_of(tests: Sequence[str], values: Sequence[str]) -> str:
    """Return the expression for the value of the first test that holds; if no test holds, for the first value."""
    text, *held = values
    for test, value in reversed([*zip(tests, held, strict=True)]):
        text = f"({value} if {test} else {text})"
    return text


def _holders_in(search: SetSearch) -> tuple[HolderRows, ...]:
    return cast(tuple[HolderRows, ...], search.source.operands[0])
