"""Values, sets and conditions as C expressions over the memory, in GNU C (statement expressions).

In an expression `m` is the memory, `e` the variables of the frame, `r` the machine, `fp` and `cur` the frame and its
routine, `x0`, `x1`, … the members of the sets that are looked through, and `f0`, … the variables of an event that is
looked for.
Names that end in `_` are an expression's own. An expression uses no other name that it does not declare itself, so
that one can stand within another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from warchest.ir import values as ir
from warchest.ir.parts import variables_in
from warchest.ir.values import NOTHING
from warchest.lowering.board import FAR
from warchest.lowering.code import variable
from warchest.lowering.expression_lowering import ExpressionLowering, cost
from warchest.lowering.gone import Digit
from warchest.lowering.layout import LIVE, Layout
from warchest.lowering.operations import COMMON_TEXTS, Operand, Operation
from warchest.native.definitions import LARGEST, Trails, was_once
from warchest.native.interrupts import interruptible
from warchest.native.native_layout import roomy
from warchest.native.sheets import SheetTables, sheet_table, words
from warchest.native.tables import Tables
from warchest.native.unfit import Unfit
from warchest.source.text import Span

SIMPLE = re.compile(r"[\w\[\]]+")
"""A piece named by a text that can be written twice."""
NAMES = re.compile(r"\b[A-Za-z_]\w*")
ALWAYS = "(1)"
"""The condition that is put together from none."""
MOST_IN_ALL = 2**31 - LARGEST
"""The bound on a sum: below it, a number of C also has room for LARGEST, which the check for a cell adds."""
C_TEXTS: dict[str, Callable[..., str]] = {
    **COMMON_TEXTS,
    "number": lambda value: str(value) if value >= 0 else f"({value})",
    "present": "present({})".format,
    "turned": "(int)((uint32_t)({} + {}) % {})".format,
    "document of token": "document_of({})".format,
    "at least": "(at_least({}, {}))".format,
    **{how: f"({{}} {how} {{}})".format for how in ("==", "!=", "<", "<=", ">", ">=")},
    "differ": "(!({} == {}))".format,
    "every": lambda *tests: f"({' && '.join(tests) or '1'})",
    "some": lambda *tests: f"({' || '.join(tests) or '0'})",
    "not": "(!{})".format,
    "upheld": "upheld(r, {}, {}, {})".format,
    "anybody": "ANYBODY".format,
}
"""The C of the operations that have one text."""
Where: TypeAlias = "Callable[[ir.Var, ir.Condition], str]"


@dataclass(frozen=True)
class Bits:
    """Members found as a set of bits, and the conditions that are still to be tested of each."""

    mask: str
    wide: bool
    rest: tuple[ir.Condition, ...]

    @property
    def first(self) -> str:
        """The expression for the least member of the set that is left."""
        return "__builtin_ctzll(set_)" if self.wide else "__builtin_ctz(set_)"

    @property
    def count(self) -> str:
        """The expression for how many bits are set."""
        return f"__builtin_popcountll({self.mask})" if self.wide else f"__builtin_popcount({self.mask})"


class Expressions:
    """Writes expressions; `instead` has other texts for some variables of the frame."""

    def __init__(
        self,
        layout: Layout,
        tables: dict[str, str] | None = None,
        instead: Mapping[int, str] | None = None,
        sheets: SheetTables | None = None,
        clauses: Mapping[Span, int] | None = None,
        *,
        all_there: bool = False,
    ) -> None:
        self.layout, self.board, self.ruleset = roomy(layout), layout.board, layout.ruleset
        self.tables = Tables(tables)
        self.instead: Mapping[int, str] = instead or {}
        self.sheets = sheets or SheetTables(layout)
        self.trails = Trails(layout)
        self.clauses: Mapping[Span, int] = clauses or {}
        """The numbers of the clauses that are counted: none, but where a machine is to count."""
        self.lowering = ExpressionLowering(self.layout, all_there=all_there)
        self.small = len(self.board.spaces) <= 64
        """Whether a set of spaces is one number."""
        self.texts: dict[str, Callable[..., str]] = {
            **C_TEXTS,
            "variable": lambda number: self.instead[number] if number in self.instead else variable(number),
            "field": self._field,
            "last known": self._last_known,
            "entry": lambda row, at: f"{self.tables.row((NOTHING, *row))}[{at} + 1]",
            "bearing": lambda origin, goal: self._grid(self._bearings, origin, goal),
            "distance": self._distance,
            "trek": self._trek,
            "sheet": lambda what, document: self.sheets.cell(sheet_table(*what), document),
            "trail step": self._trail_step,
            "trail more": _whole_trail,
            "trail less": _whole_trail,
            "per document": self._per_document,
            "per bearer": self._per_bearer,
            "size": self.size,
            "exists": self.exists,
            "tagged": self._tagged,
            "listed": self._listed_space,
            "one of": self._one_of,
            "bears": lambda *operands: f"({self._bears(*operands)})",
            "held": self._held,
            "apart": lambda low, high, left, right: f"({self._apart(low, high, left, right)})",
            "in line": self._in_line,
            "in direction": self._in_line,
            "open line": self._open_line,
            "open way": lambda *operands: self._way(*operands) if self.small else self._way_over_lists(*operands),
            "under way": self._under_way,
            "caused": self._caused,
        }

    def reading(self, instead: Mapping[int, str]) -> Expressions:
        """Return a writer that writes other texts for some variables of the frame."""
        known = self.tables.known
        return Expressions(self.layout, known, instead, self.sheets, self.clauses, all_there=self.lowering.all_there)

    def of_act(self) -> Expressions:
        """Return a writer for the variables of an act that is about to be done: all that it is about is there."""
        return Expressions(self.layout, self.tables.known, self.instead, self.sheets, self.clauses, all_there=True)

    def definitions(self) -> list[str]:
        """Return the definitions of the constant tables used so far."""
        return self.tables.definitions()

    def text(self, one: Operation) -> str:
        """Return the expression for an operation; it can stand anywhere."""
        if one.code == "sum" and sum(map(_most, one.operands)) > MOST_IN_ALL:
            raise Unfit("a sum could be too large")
        return self.texts[one.code](
            *[self.text(part) if isinstance(part, Operation) else part for part in one.operands]
        )

    def value(self, node: ir.Value) -> str:
        """Return the expression for a value."""
        return self.text(self.lowering.value(node))

    def condition(self, node: ir.Condition) -> str:
        """Return the expression that is true where a condition holds."""
        return self.text(self.lowering.condition(node))

    # ---- values

    def decider(self, piece: str) -> str:
        """Return the expression for the player who decides for a piece, or decided for it last."""
        return self.text(self.lowering.attribute_of("decider", piece, not self.lowering.all_there))

    def present(self, piece: ir.Value) -> str:
        """Return the expression for a piece that may have gone: the number for no piece if it has."""
        return self.text(self.lowering.present(piece))

    def cell(self, field: int, of: ir.Value | None) -> str:
        """Return the expression for the cell in which a thing has a field."""
        return self.text(self.lowering.cell(field, of))

    def place(self, node: ir.Value) -> str:
        """Return the expression for the space of a space or a piece."""
        return self.text(self.lowering.place(node))

    def trail(self, node: ir.FieldOf) -> str:
        """Return the cell of a trail, and the row in which its steps stand, as two arguments."""
        return self._trail(
            self.cell(node.field, node.of), node.field, self.value(node.of) if node.of is not None else ""
        )

    def _trail(self, cell: str, field: int, whose: str) -> str:
        return f"{cell}, {self.trails.rows[field]}{f' + {whose}' if whose else ''}"

    def _trail_step(self, cell: str, field: int, whose: str, part: int) -> str:
        return f"step_of(m, {self._trail(cell, field, whose)}, {part if part >= 0 else 'FIRST_PART'})"

    def _field(self, cell: str, field: int) -> str:
        if field in self.trails.rows:
            raise Unfit("a trail is read as a whole")
        return f"m[{cell}]"

    def _last_known(self, first: int, piece: str, digit: Digit) -> str:
        if not SIMPLE.fullmatch(piece):
            return f"({{int of_ = {piece}; {self._last_known(first, 'of_', digit)};}})"
        here = f"m[{first} + {piece} * {self.layout.stride}]"
        return f"({piece} >= 0 ? {here} : {was_once(self.layout, piece, digit)})"

    def _distance(self, origin: str, goal: str) -> str:
        near = self._grid(self._nearness, origin, goal)
        return f"({{int far_ = {near}; far_ == {len(self.board.spaces)} ? {FAR} : far_;}})"

    def _trek(self, origin: str, heading: str, goal: str) -> str:
        # Where nobody is, or where nothing is faced, is told as of the last one.
        trek = [self.board.trek[-1], *self.board.trek]
        cells = [step for rows in trek for row in (rows[-1], *rows) for step in (row[-1], *row)]
        row = f"(({origin} + 1) * {len(self.board.directions) + 1} + {heading} + 1)"
        return f"({self.tables.row(cells)}[{row} * {len(self.board.spaces) + 1} + {goal} + 1])"

    def _grid(self, rows: Sequence[Sequence[int]], row: str, column: str) -> str:
        """Return the expression for a cell of a table, in which those for nothing (-1) stand first."""
        name = self.tables.row([cell for cells in rows for cell in cells])
        return f"{name}[({row} + 1) * {len(rows[0])} + {column} + 1]"

    @property
    def _bearings(self) -> list[list[int]]:
        """The direction that leads from each space to each, with those of nothing first."""
        count = len(self.board.spaces)
        rows = [[NOTHING, *(row.get(goal, NOTHING) for goal in range(count))] for row in self.board.bearing]
        return [[NOTHING] * (count + 1), *rows]

    @property
    def _nearness(self) -> list[list[int]]:
        """The distances between spaces, with those from no space first; FAR is one step more than any way can have."""
        beyond = len(self.board.spaces)
        rows = [[beyond, *(beyond if steps == FAR else steps for steps in row)] for row in self.board.distance]
        return [[beyond] * len(rows[0]), *rows]

    def _per_document(self, of: str, numbers: tuple[int, ...], *values: str) -> str:
        return _first_of(of, [f"of_ == {number}" for number in numbers], values)

    def _per_bearer(self, gone: bool, of: str, numbers: tuple[int, ...], *values: str) -> str:
        return _first_of(of, [self._bears("of_", number, gone) for number in numbers], values)

    # ---- sets

    def loop(self, node: ir.Set, body: str, bad: str = "") -> str:
        """Return the statement that does `body` for each member of a set, in order; `x0`, … is the member.

        `bad` names a set of spaces that are left out.
        """
        fixed = [one for one in node.filters if node.var.id not in variables_in(one)]
        asked = tuple(one for one in node.filters if node.var.id in variables_in(one))
        text = self._each(node, asked, body, bad)
        return f"if ({self._all(fixed)}) {{{text}}}" if fixed else text

    def _each(self, node: ir.Set, asked: tuple[ir.Condition, ...], body: str, bad: str = "") -> str:
        bits = self._bits(node, asked)
        if bits is not None:
            number = "uint64_t" if bits.wide else "uint32_t"
            inner = self._member(node, bits.first, bits.rest, body)
            mask = f"{bits.mask} & ~{bad}" if bad else bits.mask
            return f"for ({number} set_ = {mask}; set_; set_ &= set_ - 1) {inner}"
        if bad:
            body = f"if (!({bad} >> {self.value(node.var)} & 1)) {{{body}}}"
        match node.members:
            case ir.AllSpaces():
                inner = self._member(node, "at_", asked, body)
                return f"for (int at_ = 0; at_ < {len(self.board.spaces)}; at_++) {inner}"
            case ir.Ring(low, high, origin):
                return self._listed(node, self.board.ring(low, high), self.place(origin), (), asked, body)
            case ir.Ray(low, high, origin, None):
                rows = self._all_ways(low, high)
                return self._listed(node, rows, self.place(origin), rows[-1], asked, body)
            case ir.Ray():
                return self._ray(node, node.members, asked, body)
            case ir.Tokens(holders):
                return self._tokens(node, holders, asked, body)
            case ir.Everyone(base):
                return self._everyone(node, base, asked, body)
        raise TypeError(f"not a set: {node!r}")

    def _member(self, node: ir.Set, first: str, asked: Iterable[ir.Condition], body: str, looped: bool = True) -> str:
        """Return the block that does `body` with a member, if it meets all conditions, mostly in a loop."""
        var, tests = self.value(node.var), self._all(asked)
        if tests != "1":
            body = f"if ({tests}) {{{body}}}"
        text = f"int {var} = {first}; {body}" if mentions(var, body) else body
        return interruptible(text) if looped else f"{{{text}}}"

    def _all(self, tests: Iterable[ir.Condition]) -> str:
        """Return the condition that some conditions hold, the cheap ones first."""
        return " && ".join(map(self.text, cast(tuple[Operation, ...], self.lowering.every(tests).operands))) or "1"

    def _listed(
        self,
        node: ir.Set,
        rows: Sequence[Sequence[int]],
        origin: str,
        nobody: Sequence[int],
        asked: tuple[ir.Condition, ...],
        body: str,
    ) -> str:
        """Return the loop over a row of a table of lists, each of which ends with -1."""
        width = max(len(row) for row in rows) + 1
        cells = [one for row in (nobody, *rows) for one in (*row, *[NOTHING] * (width - len(row)))]
        name = self.tables.row(cells, "int16_t")
        inner = self._member(node, "*at_", asked, body)
        return f"for (const int16_t *at_ = {name} + ({origin} + 1) * {width}; *at_ >= 0; at_++) {inner}"

    def _all_ways(self, low: int, high: int) -> list[list[int]]:
        return [sorted(end for ray in rays for end in ray) for rays in self.board.ray_part(low, high)]

    def _step(self, space: str, direction: str) -> str:
        """Return the expression for the next space in a direction; nothing where the board ends.

        Nowhere is taken for the last space, and no direction for the last direction.
        """
        ahead = [[ray[0] if ray else NOTHING for ray in rays] for rays in self.board.rays]
        return self._grid([[row[-1], *row] for row in (ahead[-1], *ahead)], space, direction)

    def _ray(self, node: ir.Set, ray: ir.Ray, asked: tuple[ir.Condition, ...], body: str) -> str:
        assert ray.direction is not None
        low, high, next_ = max(ray.low, 1), ray.high, self._step("at_", "way_")
        inner = self._member(node, "at_", asked, body)
        if low > 1:
            inner = f"if (step_ >= {low}) {inner}"
        start = f"int way_ = {self.value(ray.direction)}, at_ = {self.place(ray.origin)}; at_ = {next_};"
        return f"{{{start} for (int step_ = 1; at_ >= 0 && step_ <= {high}; step_++, at_ = {next_}) {inner}}}"

    def _everyone(self, node: ir.Set, base: str, asked: tuple[ir.Condition, ...], body: str) -> str:
        players, active = self.layout.players, self.layout.fields.get(self.ruleset.active)
        if base != "player" or active is None:
            count = {"player": players, "team": self.layout.teams, "direction": len(self.board.directions)}[base]
            return f"for (int at_ = 0; at_ < {count}; at_++) {self._member(node, 'at_', asked, body)}"
        # Before anybody is active, turn order begins with the first seat.
        inner = self._member(node, f"(uint32_t)(from_ + at_) % {players}", asked, body)
        first = f", from_ = m[{active}] > 0 ? m[{active}] : 0" if "(from_ + at_)" in inner else ""
        return f"for (int at_ = 0{first}; at_ < {players}; at_++) {inner}"

    # ---- sets of bits

    def _bits(self, node: ir.Set, asked: tuple[ir.Condition, ...]) -> Bits | None:
        """Return the members of a set as bits, where they can be found so."""
        match node.members:
            case ir.Pieces(kinds):
                return self._piece_bits(node.var, kinds, asked)
            case ir.AllSpaces() if self.small:
                base = "" if len(self.board.spaces) == 64 else f"{2 ** len(self.board.spaces) - 1:#x}ULL"
                return self._space_bits(node.var, base, asked)
            case ir.Ring(low, high, origin) if self.small:
                table = self.tables.bits(((), *self.board.ring(low, high)))
                return self._space_bits(node.var, f"{table}[{self.place(origin)} + 1]", asked)
            case ir.Ray(low, high, origin, None) if self.small:
                rows = self._all_ways(low, high)
                table = self.tables.bits((rows[-1], *rows))
                return self._space_bits(node.var, f"{table}[{self.place(origin)} + 1]", asked)
        return None

    def _space_bits(self, var: ir.Var, base: str, asked: Iterable[ir.Condition]) -> Bits:
        parts, rest = [base] if base else [], list[ir.Condition]()
        for condition in sorted(asked, key=cost):
            mask = self.spaces_where(var, condition)
            if mask:
                parts.append(mask)
            else:
                rest.append(condition)
        return Bits(" & ".join(parts) or "~0ULL", True, tuple(rest))

    def spaces_where(self, var: ir.Var, condition: ir.Condition) -> str:
        """Return the set of the spaces for which a condition holds; empty where that is no matter of tables."""
        match condition:
            case ir.Tagged(tag, space) if space == var:
                return f"{sum(1 << one for one in self.board.tagged(tag)):#x}ULL"
            case ir.Apart(left=left, right=right) if (left == var) != (right == var):
                return self._spaces_apart(var, condition)
            case ir.Compare("==", left, right) if (left == var) != (right == var):
                other = right if left == var else left
                if var.id in variables_in(other):
                    return ""
                # What is left of a trail of nobody is no space, either.
                count = len(self.board.spaces)
                which = self.text(self.lowering.where_it_is(other)) if other is left else self.value(other)
                return f"({{uint32_t at_ = {which}; at_ < {count} ? 1ULL << at_ : 0;}})"
            case ir.Listed(key, document, space) if space == var and var.id not in variables_in(document):
                row = f"r->sheets + {self.sheets.place(('spaces', key, 0, 0))}"
                if len(self.board.spaces) <= 32:
                    return f"(uint32_t)({row})[{self.value(document)}]"
                word = f"const int32_t *row_ = {row} + 2 * {self.value(document)};"
                return f"({{{word} (uint32_t)row_[0] | (uint64_t)(uint32_t)row_[1] << 32;}})"
            case ir.Exists(members):
                return self._occupied(var, members)
            case ir.Passable(straight=False, end=end) if end == var:
                return self._within_reach(var, condition)
        return self._put_together(var, condition, self.spaces_where)

    def _spaces_apart(self, var: ir.Var, node: ir.Apart) -> str:
        """Return the set of the spaces that are so far from a place; empty where that hangs on the space itself."""
        backwards = node.left == var
        other = node.right if backwards else node.left
        direction = node.direction if node.straight else None
        if var.id in variables_in(other) or (direction is not None and var.id in variables_in(direction)):
            return ""
        count, distance, bearing = len(self.board.spaces), self.board.distance, self.board.bearing
        apart = [
            [
                end
                for end in range(count)
                if node.low <= distance[start][end] <= node.high and (not node.straight or end in bearing[start])
            ]
            for start in range(count)
        ]
        place = f"{self.text(self.lowering.where(other)) if backwards else self.place(other)} + 1"
        if direction is None:
            return f"{self.tables.bits(((), *apart))}[{place}]"
        ways = range(NOTHING, len(self.board.directions))
        rows = [
            [end for end in ends if (bearing[end].get(start) if backwards else bearing[start].get(end)) == way]
            for start, ends in enumerate(apart)
            for way in ways
        ]
        table = self.tables.bits((*[()] * len(ways), *rows))
        return f"{table}[({place}) * {len(ways)} + {self.value(direction)} + 1]"

    def _occupied(self, var: ir.Var, node: ir.Set) -> str:
        """Return the set of the spaces where some pieces stand; empty where more than their kind is asked of them."""
        rest = [one for one in node.filters if self._stands_on(node, one) != var]
        if not self.small or not isinstance(node.members, ir.Pieces) or len(rest) + 1 != len(node.filters):
            return ""
        kinds = set(node.members.kinds)
        for one in rest:
            if not isinstance(one, ir.KindIs) or one.piece != node.var:
                return ""
            kinds &= set(one.kinds)
        return f"({' | '.join(f'occupied(m, {kind})' for kind in sorted(kinds)) or '0ULL'})"

    def _stands_on(self, node: ir.Set, condition: ir.Condition) -> ir.Value | None:
        """Return the space on which the pieces of a set must be, if a condition says so."""
        space = ir.Attribute("space", node.var, "space")
        match condition:
            case ir.Compare("==", left, right) if space in (left, right):
                other = right if left == space else left
                return other if node.var.id not in variables_in(other) else None
        return None

    def _put_together(self, var: ir.Var, condition: ir.Condition, where: Where) -> str:
        """Return the set for a condition put together from others, where there are sets for all of them."""
        match condition:
            case ir.Not(part):
                mask = where(var, part)
                return mask and f"~({mask})"
            case ir.All(parts) | ir.Any(parts) if parts:
                masks = [where(var, part) for part in parts]
                joined = (" & " if isinstance(condition, ir.All) else " | ").join(masks)
                return f"({joined})" if all(masks) else ""
        return ""

    def _pieces_where(self, var: ir.Var, condition: ir.Condition) -> str:
        """Return the set of the pieces for which a condition holds; empty where no cell has it."""
        match condition:
            case ir.Bears(piece, document) if piece == var:
                return f"(uint32_t)m[{self.layout.of_document + document}]"
            case ir.KindIs(piece, kinds) if piece == var:
                return self._kinds(kinds)
        return self._put_together(var, condition, self._pieces_where)

    def _piece_bits(self, var: ir.Var, kinds: tuple[int, ...], asked: Iterable[ir.Condition]) -> Bits:
        parts, rest, narrow = [self._kinds(kinds)], list[ir.Condition](), False
        for condition in asked:
            found = "" if narrow else self._where_to_look(var, condition)
            narrow = narrow or bool(found)
            mask = found or self._pieces_where(var, condition)
            if mask:
                parts.append(mask)
            else:
                rest.append(condition)
        return Bits(" & ".join(parts[narrow and len(kinds) == len(self.ruleset.kinds) :]), False, tuple(rest))

    def _where_to_look(self, var: ir.Var, condition: ir.Condition) -> str:
        """Return the set of the pieces of a document, on a space or next to something, where that is asked for."""
        document, space = ir.Attribute("document", var, "document"), ir.Attribute("space", var, "space")
        match condition:
            case ir.Compare("==", left, right) if left == document and var.id not in variables_in(right):
                return f"(uint32_t)m[{self.layout.of_document} + {self.value(right)}]"
            case ir.Compare("==", left, right) if left == space and var.id not in variables_in(right):
                return self._on(self.place(right))
            case ir.Apart(left=left, right=right) if self.small and (left == var) != (right == var):
                near = self._spaces_apart(var, condition)
                return near and self._standing_in(near)
            case ir.Apart(low, 0 | 1 as high, left, right, False, None) if right == var and var.id not in variables_in(
                left
            ):
                return self._next_to(low, high, self.place(left))
        return ""

    def _standing_in(self, spaces: str) -> str:
        """Return the set of the pieces that stand on some spaces; mostly nothing does."""
        on = " | ".join(f"occupied(m, {kind})" for kind in range(len(self.ruleset.kinds))) or "0"
        each = f"for (uint64_t near_ = {spaces} & ({on}); near_; near_ &= near_ - 1)"
        return f"({{uint32_t on_ = 0; {each} on_ |= (uint32_t)m[{self.layout.at} + __builtin_ctzll(near_)]; on_;}})"

    def _on(self, space: str) -> str:
        at = f"m[{self.layout.at} + {space}]"
        if space[0] == "x" and space[1:].isdigit():
            return f"(uint32_t){at}"
        count = len(self.board.spaces)
        return f"({{uint32_t at_ = {space}; at_ < {count} ? (uint32_t)m[{self.layout.at} + at_] : 0;}})"

    def _next_to(self, low: int, high: int, origin: str) -> str:
        rows = self.board.ring(low, high)
        width = max(len(row) for row in rows) + 1
        cells = [one for row in ((), *rows) for one in (*row, *[NOTHING] * (width - len(row)))]
        name = self.tables.row(cells, "int16_t")
        each = f"for (const int16_t *at_ = {name} + ({origin} + 1) * {width}; *at_ >= 0; at_++)"
        return f"({{uint32_t on_ = 0; {each} on_ |= (uint32_t)m[{self.layout.at} + *at_]; on_;}})"

    def _kinds(self, kinds: tuple[int, ...]) -> str:
        """Return the set of all pieces of some kinds."""
        if len(kinds) == len(self.ruleset.kinds):
            return f"(uint32_t)m[{LIVE}]"
        return f"(uint32_t)({' | '.join(f'm[{self.layout.of_kind + kind}]' for kind in kinds) or '0'})"

    # ---- whether a set has members, and how many

    def exists(self, node: ir.Set) -> str:
        """Return the condition that a set has a member."""
        fixed = [one for one in node.filters if node.var.id not in variables_in(one)]
        asked = tuple(one for one in node.filters if node.var.id in variables_in(one))
        bits = self._bits(node, asked)
        if bits is not None and not bits.rest:
            found = f"({bits.mask}) != 0"
        elif isinstance(node.members, ir.Tokens) and not asked:
            found = self._in_holders(node.members.holders, "holds_any(m, {})")
        else:
            loop = self._each(node, asked, "found_ = 1; goto done_;")
            found = f"({{__label__ done_; int found_ = 0; {loop} done_:; found_;}})"
            found = f"{self._might_stand(node)}{found}"
        return f"({' && '.join([*([self._all(fixed)] if fixed else []), found])})"

    def _might_stand(self, node: ir.Set) -> str:
        """Return a quick test in front of the one that pieces are on a space; empty where it is about none."""
        spaces = [space for one in node.filters if (space := self._stands_on(node, one)) is not None]
        if not spaces or not self.small or not isinstance(node.members, ir.Pieces):
            return ""
        on = " | ".join(f"occupied(m, {kind})" for kind in node.members.kinds)
        return f"(({on}) >> ({self.value(spaces[0])} & 63) & 1) && "

    def size(self, node: ir.Set) -> str:
        """Return the expression for how many members a set has; for tokens, how many tokens."""
        fixed = any(node.var.id not in variables_in(one) for one in node.filters)
        bits = self._bits(node, node.filters) if not fixed else None
        if bits is not None and not bits.rest:
            return bits.count
        many = isinstance(node.members, ir.Tokens)
        add = f"count_ += m[{self.layout.tokens} + {self.value(node.var)}];" if many else "count_++;"
        return f"({{int count_ = 0; {self.loop(node, add)} count_;}})"

    # ---- tokens

    def _rows(self, node: ir.Holder) -> tuple[str, str, int]:
        """Return whose a holder is (empty: the game's), the first of its faces for `of_`, and how many they are."""
        if isinstance(node, ir.InPiece):
            return self.value(node.piece), f"{self.layout.first_piece_holder} + of_", 1
        zone = self.layout.zones[node.zone]
        first, count = zone.first + max(node.face, 0), zone.faces if node.face < 0 else 1
        if node.of is None:
            return "", str(first), count
        return (
            self.value(node.of),
            f"{first} + of_ * {zone.faces}" if zone.faces > 1 else f"{first} + of_",
            count,
        )

    def _holders(self, nodes: Iterable[ir.Holder]) -> list[tuple[str, str, int]]:
        """Return rows of holders side by side: whose they are, the first, and how many they are."""
        found = []
        for node in nodes:
            whose, first, count = self._rows(node)
            zone = self.layout.zones[node.zone] if isinstance(node, ir.InZone) else None
            owners = range(zone.owners) if zone is not None and not whose else range(1)
            for owner in owners:
                first_of = str(int(first) + owner * zone.faces) if zone is not None and not whose else first
                found.append((whose, first_of, count))
        return found

    def most(self, node: ir.Set) -> int:
        """Return the number of members that a set can have."""
        match node.members:
            case ir.Tokens(holders):
                return sum(row[2] for row in self._holders(holders)) * self.layout.documents
            case ir.Pieces():
                return self.layout.room
            case ir.Everyone(base):
                return {"player": self.layout.players, "team": self.layout.teams}.get(base, len(self.board.directions))
        return len(self.board.spaces)

    def lie_together(self, node: ir.Set) -> bool:
        """Whether a set is of tokens in one holder, so that no two members are of the same document."""
        rows = self._holders(node.members.holders) if isinstance(node.members, ir.Tokens) else []
        return len(rows) == 1 and rows[0][2] == 1

    def _in_holders(self, nodes: Iterable[ir.Holder], test: str) -> str:
        """Return the condition that a test holds for one of some holders."""
        parts = []
        for whose, first, count in self._holders(nodes):
            one = " || ".join(test.format(f"{first} + {face}" if face else first) for face in range(count))
            parts.append(f"({{int of_ = {whose}; of_ >= 0 && ({one});}})" if whose else f"({one})")
        return f"({' || '.join(parts)})"

    def _tokens(self, node: ir.Set, holders: tuple[ir.Holder, ...], asked: tuple[ir.Condition, ...], body: str) -> str:
        rows = self._holders(holders)
        document = next((one for one in asked if _document_of(node.var, one) is not None), None)
        if document is not None:
            rest = tuple(one for one in asked if one is not document)
            inner = self._of_document(node, rest, body)
        else:
            inner = self._of_holder(node, asked, body)
        if len(rows) == 1 and rows[0][2] == 1:
            whose, first, _ = rows[0]
            text = f"int holder_ = {first}; {inner}"
            text = f"int of_ = {whose}; if (of_ >= 0) {{{text}}}" if whose else text
        else:
            row = interruptible(f"int holder_ = list_[row_]; {inner}")
            each = f"for (int row_ = 0; row_ < rows_; row_++) {row}"
            text = f"{self._gathered(rows)} {each}"
        if document is not None:
            value = _document_of(node.var, document)
            assert value is not None
            text = f"int document_ = {self.value(value)}; if (document_ >= 0) {{{text}}}"
        return f"{{{text}}}"

    def _gathered(self, rows: Sequence[tuple[str, str, int]]) -> str:
        """Return the statements that list the holders of several rows."""
        count = sum(row[2] for row in rows)
        text = f"int rows_ = 0, list_[{count}];"
        for whose, first, faces in rows:
            put = " ".join(f"list_[rows_++] = {first}{f' + {face}' if face else ''};" for face in range(faces))
            text += f" {{int of_ = {whose}; if (of_ >= 0) {{{put}}}}}" if whose else f" {put}"
        return text

    def _of_document(self, node: ir.Set, rest: tuple[ir.Condition, ...], body: str) -> str:
        """Return the statement for the tokens of `document_` in `holder_`: one cell counts them."""
        there = f"m[{self.layout.tokens} + token_]"
        inner = self._member(node, "token_", rest, body, looped=False)
        return f"int token_ = holder_ * documents + document_; if ({there}) {inner}"

    def _of_holder(self, node: ir.Set, asked: tuple[ir.Condition, ...], body: str) -> str:
        """Return the loop over the different tokens in `holder_`."""
        longs, first = (self.layout.documents + 63) // 64, "holder_ * documents + __builtin_ctzll(set_)"
        if longs == 1:
            each = "for (uint64_t set_ = held(m, holder_, 0); set_; set_ &= set_ - 1)"
            return f"{each} {self._member(node, first, asked, body)}"
        each = (
            f"for (int long_ = 0; long_ < {longs}; long_++) "
            "for (uint64_t set_ = held(m, holder_, long_); set_; set_ &= set_ - 1)"
        )
        return f"{each} {self._member(node, f'{first} + 64 * long_', asked, body)}"

    def destination(self, node: ir.Holder, face: str) -> str:
        """Return the expression for the holder tokens go into, negative if it is nobody's; `face` is what they get."""
        first, faces = self.layout.first_piece_holder, 1
        if isinstance(node, ir.InZone):
            zone = self.layout.zones[node.zone]
            first, faces = zone.first, zone.faces
        of = node.piece if isinstance(node, ir.InPiece) else node.of
        owner = self.value(of) if of is not None else "0"
        holder = f"{first} + whose_ * {faces} + {'0' if faces == 1 else face}"
        return f"({{const int whose_ = {owner}; whose_ < 0 ? {NOTHING} : {holder};}})"

    # ---- conditions

    def asked(self, node: ir.Condition, clause: Span | None = None) -> str:
        """Return the expression for a condition that is asked by itself: a machine that counts notes the result.

        It is noted for the text of the condition, and for the clause that asks.
        """
        text = self.condition(node)
        for span in dict.fromkeys((node.span, clause)):
            if span is not None and span in self.clauses:
                text = f"ask(r, {self.clauses[span]}, {text})"
        return text

    def _bears(self, piece: str, document: int, gone: bool) -> str:
        if gone and not SIMPLE.fullmatch(piece):
            return f"({{int of_ = {piece}; {self._bears('of_', document, gone)};}})"
        test = f"m[{self.layout.of_document + document}] >> ({piece} & 31) & 1"
        bore = f"bore(r, {was_once(self.layout, piece, self.lowering.digits.document)}, {document})"
        return f"({piece} >= 0 ? {test} : {bore})" if gone else test

    def _one_of(self, number: str, some: tuple[int, ...]) -> str:
        tests = " || ".join(f"kind_ == {one}" for one in some) or "0"
        return f"({{int kind_ = {number}; {tests};}})"

    def _held(self, token: str, holders: Iterable[ir.Holder]) -> str:
        return f"({{int in_ = holder_of({token}); {self._in_holders(holders, 'in_ == {}')};}})"

    def _caused(self, verbs: Sequence[int], agent: str, document: int, acting: str) -> str:
        bits = words(verbs, len(self.ruleset.verbs) // 32 + 1)
        row = self.tables.row([one & 0xFFFFFFFF for one in bits], "uint32_t")
        return f"caused_by(r, fp, cur, {row if verbs else 'NULL'}, {agent}, {document}, {acting})"

    def _under_way(self, verb: int, depth: int, fits: str) -> str:
        found = "found_ = 1;"
        if fits != ALWAYS:
            known = f"const int32_t *f{depth} = r->st + fp_ + HEADER; (void)f{depth};"
            found = f"{{{known} found_ = {fits};}}"
        # The names of what is looked through are numbered, as one event is looked for within another one.
        walk = (
            f"int found_ = 0, fp_ = fp, cur_ = cur; do if (routine_event[cur_] == {verb}) {found} "
            "while (!found_ && descend(r, &fp_, &cur_)); found_;"
        )
        return f"({{{walk}}})"

    def _tagged(self, tag: str, space: str) -> str:
        tagged = self.board.tagged(tag)
        if len(self.board.spaces) < 64:
            # Nothing (-1) is taken for the last bit, which no space has.
            return f"(int)({sum(1 << one for one in tagged):#x}ULL >> ({space} & 63) & 1)"
        cells = [int(one in tagged) for one in range(-1, len(self.board.spaces))]
        return f"{self.tables.row(cells)}[{space} + 1]"

    def _listed_space(self, key: str, document: str, space: str) -> str:
        what = "spaces", key, 0, 0
        row = f"{self.sheets.place(what)} + {document} * {self.sheets.width(what)}"
        word = f"r->sheets[{row} + (at_ >> 5)] >> (at_ & 31) & 1"
        return f"({{int at_ = {space}; at_ >= 0 && ({word});}})"

    def _between(self, distance: str, low: int, high: int) -> str:
        """Return the condition that a distance, as tables of nearness have it, is within bounds."""
        longest = len(self.board.spaces) - 1
        most = min(high, longest)
        if low >= most:
            return f"{distance} == {low}" if low == most else "0"
        wide = "uint8_t" if longest < 255 else "uint16_t"
        return f"{distance} <= {most}" if low <= 0 else f"({wide})({distance} - {low}) <= {most - low}"

    def _apart(self, low: int, high: int, left: str, right: str) -> str:
        return self._between(self._grid(self._nearness, left, right), low, high)

    def _in_line(self, low: int, high: int, left: str, right: str, direction: str = "") -> str:
        near, way = self._apart(low, high, "left_", "right_"), self._grid(self._bearings, "left_", "right_")
        if not direction:
            return f"({{int left_ = {left}, right_ = {right}; {near} && {way} >= 0;}})"
        test = f"{near} && way_ >= 0 && way_ == {direction}"
        return f"({{int left_ = {left}, right_ = {right}, way_ = {way}; {test};}})"

    def _open_line(self, origin: str, end: str, between: str, fits: str) -> str:
        """Return the condition that all spaces between two in a straight line fit."""
        way, ahead = self._grid(self._bearings, "from_", "goal_"), self._step("at_", "way_")
        test = _fitting(between, fits)
        each = f"for (int at_ = {self._step('from_', 'way_')}; open_ && at_ != goal_; at_ = {ahead}) {{{test}}}"
        return f"({{int from_ = {origin}, goal_ = {end}, way_ = {way}, open_ = way_ >= 0; if (open_) {each} open_;}})"

    def _way(self, origin: str, end: str, high: int, between: str, fits: str) -> str:
        """Return the condition that a way leads through spaces that fit, with sets of spaces as bits."""
        near, far = self.tables.bits(self.board.neighbours), self._grid(self._nearness, "from_", "goal_")
        grow = (
            f"uint64_t near_ = 0; for (uint64_t set_ = edge_; set_; set_ &= set_ - 1) "
            f"near_ |= {near}[__builtin_ctzll(set_)]; if (near_ >> goal_ & 1) {{way_ = 1; break;}}"
        )
        keep = (
            "near_ &= ~seen_; seen_ |= near_; edge_ = 0; for (uint64_t set_ = near_; set_; set_ &= set_ - 1) "
            f"{{int at_ = __builtin_ctzll(set_), open_; {_fitting(between, fits)} "
            "if (open_) edge_ |= 1ULL << at_;}"
        )
        steps = min(high, len(self.board.spaces))
        last = f" if (step_ == {steps}) break;"
        walk = (
            f"uint64_t edge_ = 1ULL << from_, seen_ = 0; for (int step_ = 1; edge_ && step_ <= {steps}; step_++) "
            f"{{{grow}{last} {keep}}}"
        )
        near_enough = self._between(far, 0, high)
        return (
            f"({{int from_ = {origin}, goal_ = {end}, way_ = 0; "
            f"if (from_ >= 0 && goal_ >= 0 && {near_enough}) {{{walk}}} way_;}})"
        )

    def _within_reach(self, var: ir.Var, node: ir.Passable) -> str:
        """Return the set of the spaces to which a way leads; empty where the spaces on it are no matter of sets."""
        own = {var.id, node.between.id}
        fits = self.spaces_where(node.between, node.fits)
        if not self.small or not fits or own & variables_in(node.origin) or var.id in variables_in(node.fits):
            return ""
        near, steps = self.tables.bits(self.board.neighbours), min(node.high, len(self.board.spaces))
        grow = (
            f"uint64_t near_ = 0; for (; edge_; edge_ &= edge_ - 1) near_ |= {near}[__builtin_ctzll(edge_)]; "
            "reached_ |= near_; edge_ = near_ & ~seen_ & fits_; seen_ |= near_;"
        )
        return (
            f"({{int from_ = {self.place(node.origin)}; const uint64_t fits_ = {fits}; "
            "uint64_t edge_ = from_ < 0 ? 0 : 1ULL << from_, seen_ = 0, reached_ = 0; "
            f"for (int step_ = 1; edge_ && step_ <= {steps}; step_++) {{{grow}}} reached_;}})"
        )

    def _way_over_lists(self, origin: str, end: str, high: int, between: str, fits: str) -> str:
        """Return the same with lists of spaces, for boards that have too many for a number."""
        count, rows = len(self.board.spaces), self.board.neighbours
        width = max(len(row) for row in rows) + 1
        name = self.tables.row([one for row in rows for one in (*row, *[NOTHING] * (width - len(row)))], "int16_t")
        look = (
            f"for (const int16_t *next_ = {name} + edge_[one_] * {width}; *next_ >= 0; next_++) "
            "{int at_ = *next_, open_; if (at_ == goal_) {way_ = 1; goto done_;} if (seen_[at_]) continue; "
            f"seen_[at_] = 1; {_fitting(between, fits)} if (open_) edge_[more_++] = at_;}}"
        )
        walk = (
            f"int16_t edge_[{count} + 1]; uint8_t seen_[{count}] = {{0}}; int one_ = 0, end_ = 1, more_ = 1; "
            f"edge_[0] = from_; for (int step_ = 1; one_ < end_ && step_ <= {min(high, count)}; step_++) "
            f"{{for (; one_ < end_; one_++) {look} end_ = more_;}}"
        )
        return (
            f"({{__label__ done_; int from_ = {origin}, goal_ = {end}, way_ = 0; "
            f"if (from_ >= 0 && goal_ >= 0) {{{walk}}} done_:; way_;}})"
        )


def mentions(name: str, text: str) -> bool:
    """Whether a text of C uses a name."""
    return name in NAMES.findall(text)


def _most(one: Operand) -> int:
    """Return the greatest number that a term of a sum can add."""
    if not isinstance(one, Operation):
        return 0
    match one:
        case Operation("number", (int(number),)):
            return abs(number)
        case Operation("distance" | "trek"):
            return FAR
        case Operation("sum" | "raised", terms):
            return sum(map(_most, terms))
    return LARGEST


def _whole_trail(*_: object) -> str:
    raise Unfit("a trail is kept as a value")


def _first_of(of: str, tests: Sequence[str], values: Sequence[str]) -> str:
    """Return the expression for the value of the first test that holds; the value where none does is the first one."""
    text, *held = values
    for test, value in reversed([*zip(tests, held, strict=True)]):
        text = f"({test} ? {value} : {text})"
    return f"({{int of_ = {of}; {text};}})"


def _fitting(between: str, fits: str) -> str:
    """Return the statements that test whether the space `at_` fits."""
    return f"{f'int {between} = at_; ' if mentions(between, fits) else ''}open_ = {fits};"


def _document_of(var: ir.Var, condition: ir.Condition) -> ir.Value | None:
    """Return the document of `a token is of it`, unless that depends on the token itself."""
    if not isinstance(condition, ir.Compare) or condition.how != "==" or var.id in variables_in(condition.right):
        return None
    return condition.right if condition.left == ir.Attribute("document", var, "document") else None
