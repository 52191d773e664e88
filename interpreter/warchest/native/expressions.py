"""Values, sets and conditions as C expressions over the memory, in GNU C (statement expressions).

In an expression `m` is the memory, `e` the variables of the frame, `r` the machine, `fp` and `cur` the frame and its
routine, `x0`, `x1`, … the current members of nested sets, and `f0`, … the variables of an event that is searched for.
Names that end in `_` are an expression's own. An expression uses no other name that it does not declare itself, so that
it can be nested in another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, cast

from warchest.ir import values as ir
from warchest.ir.values import NOTHING
from warchest.lowering.board import FAR
from warchest.lowering.code import variable
from warchest.lowering.expression_lowering import ExpressionLowering
from warchest.lowering.layout import LIVE, Layout
from warchest.lowering.operations import COMMON_TEXTS, HolderRows, Operand, Operation, SetSearch
from warchest.lowering.probes import ProbedLowering, Probes
from warchest.native.definitions import LARGEST, Trails, was_once
from warchest.native.interrupts import interruptible
from warchest.native.native_layout import roomy
from warchest.native.sheets import SheetTables, sheet_table, words
from warchest.native.tables import Tables
from warchest.native.unfit import Unfit

SIMPLE = re.compile(r"[\w\[\]]+")
"""The text of a piece that is cheap enough to be written twice."""
NAMES = re.compile(r"\b[A-Za-z_]\w*")
ALWAYS = "(1)"
"""The empty conjunction."""
MOST_IN_ALL = 2**31 - LARGEST
"""The bound on a sum: below it, a number of C also has room for LARGEST, which the check for a cell adds."""


def _whole_trail(*_: object) -> str:
    raise Unfit("a trail is kept as a value")


def noted(numbers: Sequence[int], holds: object) -> str:
    """Return the expression that counts whether a condition holds, and has its value."""
    return f"noted(r, {', '.join(map(str, numbers))}, {holds})"


def _together(how: str, numbers: Sequence[tuple[int, ...]], *tests: str) -> str:
    """Return the expression for several conditions; the first to decide is counted alone, or all if none decides."""
    usual, others = (1, "||") if how == "every" else (0, "&&")
    parts = [
        f"({test} {others} {noted(known, 1 - usual)})" if known else test
        for known, test in zip(numbers, tests, strict=True)
    ]
    settled = ", ".join([*(noted(known, usual) for known in numbers if known), str(usual)])
    return f"({' && '.join([*parts, f'({settled})']) if usual else ' || '.join([*parts, f'({settled})'])})"


C_TEXTS: dict[str, Callable[..., str]] = {
    **COMMON_TEXTS,
    "number": lambda value, _: str(value) if value >= 0 else f"({value})",
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
    "noted": noted,
    "together": _together,
    "trail more": _whole_trail,
    "trail less": _whole_trail,
}
"""The C of the operations that always have the same text."""


class Expressions:
    """Writes expressions; `instead` has other texts for some variables of the frame."""

    def __init__(
        self,
        layout: Layout,
        tables: dict[str, str] | None = None,
        instead: Mapping[int, str] | None = None,
        sheets: SheetTables | None = None,
        probes: Probes | None = None,
        *,
        all_there: bool = False,
    ) -> None:
        self.layout, self.board, self.ruleset = roomy(layout), layout.board, layout.ruleset
        self.tables = Tables(tables)
        self.instead: Mapping[int, str] = instead or {}
        self.sheets = sheets or SheetTables(layout)
        self.trails = Trails(layout)
        self.probes = probes
        self.small = len(self.board.spaces) <= 64
        """Whether a set of spaces is one number."""
        spaces: Literal["bits", "many"] = "bits" if self.small else "many"
        self.lowering = (
            ProbedLowering(self.layout, spaces, probes, all_there=all_there)
            if probes
            else ExpressionLowering(self.layout, spaces, all_there=all_there)
        )

    def reading(self, instead: Mapping[int, str]) -> Expressions:
        """Return a writer that writes other texts for some variables of the frame."""
        known = self.tables.known
        return Expressions(self.layout, known, instead, self.sheets, self.probes, all_there=self.lowering.all_there)

    def of_act(self) -> Expressions:
        """Return a writer for the variables of an act that is about to begin, so that none of its pieces has gone."""
        return Expressions(self.layout, self.tables.known, self.instead, self.sheets, self.probes, all_there=True)

    def definitions(self) -> list[str]:
        """Return the definitions of the constant tables used so far."""
        return self.tables.definitions()

    def text(self, one: Operation) -> str:
        """Return the expression for an operation; it can be nested in any other."""
        if one.code == "sum" and sum(map(_most, one.operands)) > MOST_IN_ALL:
            raise Unfit("a sum could be too large")
        operands = [self.text(part) if isinstance(part, Operation) else part for part in one.operands]
        plain = C_TEXTS.get(one.code)
        return plain(*operands) if plain is not None else WRITTEN[one.code](self, *operands)

    def _operand(self, one: Operand) -> str:
        assert isinstance(one, Operation)
        return self.text(one)

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
        """Return the expression for the cell of a thing for a field."""
        return self.text(self.lowering.cell(field, of))

    def trail(self, node: ir.FieldOf) -> str:
        """Return the cell of a trail, and the row of its steps, as two arguments."""
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

    def _last_known(self, first: int, piece: str, what: str) -> str:
        if not SIMPLE.fullmatch(piece):
            return f"({{int of_ = {piece}; {self._last_known(first, 'of_', what)};}})"
        here = f"m[{first} + {piece} * {self.layout.stride}]"
        digit = self.lowering.digits._asdict()[what]
        return f"({piece} >= 0 ? {here} : {was_once(self.layout, piece, digit)})"

    def _distance(self, origin: str, goal: str) -> str:
        near = self._grid(self._nearness, origin, goal)
        return f"({{int far_ = {near}; far_ == {len(self.board.spaces)} ? {FAR} : far_;}})"

    def _trek(self, origin: str, heading: str, goal: str) -> str:
        # Nowhere, and no heading, use the entry of the last space or heading.
        trek = [self.board.trek[-1], *self.board.trek]
        cells = [step for rows in trek for row in (rows[-1], *rows) for step in (row[-1], *row)]
        row = f"(({origin} + 1) * {len(self.board.directions) + 1} + {heading} + 1)"
        return f"({self.tables.row(cells)}[{row} * {len(self.board.spaces) + 1} + {goal} + 1])"

    def _grid(self, rows: Sequence[Sequence[int]], row: str, column: str) -> str:
        """Return the expression for a cell of a table; the table's first row and column are for -1."""
        name = self.tables.row([cell for cells in rows for cell in cells])
        return f"{name}[({row} + 1) * {len(rows[0])} + {column} + 1]"

    @property
    def _bearings(self) -> list[list[int]]:
        """The direction from each space to each other one; the first row and column are for no space."""
        count = len(self.board.spaces)
        rows = [[NOTHING, *(row.get(goal, NOTHING) for goal in range(count))] for row in self.board.bearing]
        return [[NOTHING] * (count + 1), *rows]

    @property
    def _nearness(self) -> list[list[int]]:
        """The distances between spaces, first those from no space; FAR is one step more than any way can have."""
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
        return self._loop(self.lowering.search(node), body, bad)

    def _loop(self, search: SetSearch, body: str, bad: str = "") -> str:
        text = self._noting(search, body) if search.notes else self._each(search, body, bad)
        return f"if ({self._all(search.fixed)}) {{{text}}}" if search.fixed else text

    def _noting(self, search: SetSearch, body: str) -> str:
        """Return the loop over the members of a set that are counted together."""
        before, each, after = "", "", ""
        for note in search.notes:
            match note:
                case Operation("sized", (tuple(numbers),)):
                    before += "int size_ = 0; "
                    each += "size_++; "
                    after += f"sized({', '.join(map(str, numbers))}, size_); "
                case Operation("reached", ((int(near), int(far)), int(low), int(high), origin)):
                    noting = self.reached((near, far), low, high, self._operand(origin), self.text(search.variable))
                    before, each, after = before + noting[0], each + noting[1], after + noting[2]
        return f"{{{before}{self._each(search, each + body)} {after}}}"

    def reached(self, numbers: tuple[int, int], low: int, high: int, origin: str, goal: str) -> tuple[str, str, str]:
        """Return statements before, within and after a loop that count goals at the nearest and farthest distance."""
        steps = self._grid(self._nearness, "origin_", "goal_")
        within = f"const int goal_ = {goal}, steps_ = goal_ < 0 ? -1 : {steps};"
        return (
            f"const int origin_ = {origin}; int near_ = 0, most_ = 0; ",
            f"{{{within} near_ |= steps_ == {low}; most_ |= steps_ == {high};}} ",
            f"if (origin_ >= 0) {{counters[{numbers[0]}] += near_; counters[{numbers[1]}] += most_;}}",
        )

    def _each(self, search: SetSearch, body: str, bad: str = "") -> str:
        variable = self.text(search.variable)
        if search.within:
            of_pieces = search.source.code == "pieces"
            number, least = ("PieceSet", "first_of") if of_pieces else ("uint64_t", "__builtin_ctzll")
            inner = self._member(search, f"{least}(set_)", body)
            mask = f"{self._within(search)}{f' & ~{bad}' if bad else ''}"
            return f"for ({number} set_ = {mask}; set_; set_ &= set_ - 1) {inner}"
        if bad:
            body = f"if (!({bad} >> {variable} & 1)) {{{body}}}"
        match search.source:
            case Operation("all spaces"):
                inner = self._member(search, "at_", body)
                return f"for (int at_ = 0; at_ < {len(self.board.spaces)}; at_++) {inner}"
            case Operation("ring", (int(low), int(high), origin)):
                return self._listed(search, self.board.ring(low, high), origin, (), body)
            case Operation("rays", (int(low), int(high), origin)):
                rows = self._all_ways(low, high)
                return self._listed(search, rows, origin, rows[-1], body)
            case Operation("ray", (int(low), int(high), origin, direction)):
                return self._ray(search, low, high, (self._operand(origin), self._operand(direction)), body)
            case Operation("tokens", (tuple(holders),)):
                return self._tokens(search, cast(tuple[HolderRows, ...], holders), body)
            case Operation("everyone", (str(base),)):
                return self._everyone(search, base, body)
        raise TypeError(f"not a set: {search!r}")

    def _within(self, search: SetSearch) -> str:
        return " & ".join(map(self.text, search.within))

    def _member(self, search: SetSearch, first: str, body: str, looped: bool = True) -> str:
        """Return the block that does `body` with a member, if it meets all conditions, mostly in a loop."""
        var = self.text(search.variable)
        if search.tests:
            body = f"if ({self._all(search.tests)}) {{{body}}}"
        text = f"int {var} = {first}; {body}" if mentions(var, body) else body
        return interruptible(text) if looped else f"{{{text}}}"

    def _all(self, tests: Iterable[Operation]) -> str:
        return " && ".join(map(self.text, tests))

    def _listed(
        self, search: SetSearch, rows: Sequence[Sequence[int]], origin: Operand, nobody: Sequence[int], body: str
    ) -> str:
        """Return the loop over a row of a table of lists, each of which ends with -1."""
        width = max(len(row) for row in rows) + 1
        cells = [one for row in (nobody, *rows) for one in (*row, *[NOTHING] * (width - len(row)))]
        name = self.tables.row(cells, "int16_t")
        inner = self._member(search, "*at_", body)
        return f"for (const int16_t *at_ = {name} + ({self._operand(origin)} + 1) * {width}; *at_ >= 0; at_++) {inner}"

    def _all_ways(self, low: int, high: int) -> list[list[int]]:
        return [sorted(end for ray in rays for end in ray) for rays in self.board.ray_part(low, high)]

    def _step(self, space: str, direction: str) -> str:
        """Return the expression for the next space in a direction; nothing beyond the edge of the board.

        No space is treated as the last space, and no direction as the last direction.
        """
        ahead = [[ray[0] if ray else NOTHING for ray in rays] for rays in self.board.rays]
        return self._grid([[row[-1], *row] for row in (ahead[-1], *ahead)], space, direction)

    def _ray(self, search: SetSearch, low: int, high: int, place: tuple[str, str], body: str) -> str:
        least, next_ = max(low, 1), self._step("at_", "way_")
        inner = self._member(search, "at_", body)
        if least > 1:
            inner = f"if (step_ >= {least}) {inner}"
        start = f"int way_ = {place[1]}, at_ = {place[0]}; at_ = {next_};"
        return f"{{{start} for (int step_ = 1; at_ >= 0 && step_ <= {high}; step_++, at_ = {next_}) {inner}}}"

    def _everyone(self, search: SetSearch, base: str, body: str) -> str:
        players, active = self.layout.players, self.layout.fields.get(self.ruleset.active)
        if base != "player" or active is None:
            count = {"player": players, "team": self.layout.teams, "direction": len(self.board.directions)}[base]
            return f"for (int at_ = 0; at_ < {count}; at_++) {self._member(search, 'at_', body)}"
        # Before any player is active, turn order begins with the first seat.
        inner = self._member(search, f"(uint32_t)(from_ + at_) % {players}", body)
        first = f", from_ = m[{active}] > 0 ? m[{active}] : 0" if "(from_ + at_)" in inner else ""
        return f"for (int at_ = 0{first}; at_ < {players}; at_++) {inner}"

    # ---- sets of bits

    def spaces_where(self, var: ir.Var, condition: ir.Condition) -> str:
        """Return the set of the spaces for which a condition holds; empty if no bit set can represent it."""
        found = self.lowering.spaces_where(var, condition)
        return self.text(found) if found is not None else ""

    def _rays(self, low: int, high: int, origin: str) -> str:
        rows = self._all_ways(low, high)
        return f"{self.tables.bits((rows[-1], *rows))}[{origin} + 1]"

    def _one_space(self, space: str) -> str:
        # The rest of a trail without an owner is no space, either.
        return f"({{uint32_t at_ = {space}; at_ < {len(self.board.spaces)} ? 1ULL << at_ : 0;}})"

    def _listed_spaces(self, key: str, document: str) -> str:
        row = f"r->sheets + {self.sheets.place(('spaces', key, 0, 0))}"
        if len(self.board.spaces) <= 32:
            return f"(uint32_t)({row})[{document}]"
        word = f"const int32_t *row_ = {row} + 2 * {document};"
        return f"({{{word} (uint32_t)row_[0] | (uint64_t)(uint32_t)row_[1] << 32;}})"

    def _ends(self, low: int, high: int, straight: bool) -> list[list[int]]:
        """Return for each space the set of the spaces at a distance from it."""
        distance, bearing, spaces = self.board.distance, self.board.bearing, range(len(self.board.spaces))
        return [
            [end for end in spaces if low <= distance[start][end] <= high and (not straight or end in bearing[start])]
            for start in spaces
        ]

    def _spaces_apart(self, _: bool, low: int, high: int, place: str, straight: bool = False) -> str:
        return f"{self.tables.bits(((), *self._ends(low, high, straight)))}[{place} + 1]"

    def _spaces_in_direction(self, backwards: bool, low: int, high: int, place: str, direction: str) -> str:
        ways, bearing = range(NOTHING, len(self.board.directions)), self.board.bearing
        rows = [
            [end for end in ends if (bearing[end].get(start) if backwards else bearing[start].get(end)) == way]
            for start, ends in enumerate(self._ends(low, high, True))
            for way in ways
        ]
        table = self.tables.bits((*[()] * len(ways), *rows))
        return f"{table}[({place} + 1) * {len(ways)} + {direction} + 1]"

    def _pieces_in(self, spaces: str) -> str:
        """Return the set of the pieces on some spaces; mostly there are none."""
        on = " | ".join(f"occupied(m, {kind})" for kind in range(len(self.ruleset.kinds))) or "0"
        each = f"for (uint64_t near_ = {spaces} & ({on}); near_; near_ &= near_ - 1)"
        return f"({{PieceSet on_ = 0; {each} on_ |= set_in(m, {self.layout.at} + __builtin_ctzll(near_)); on_;}})"

    def _pieces_on(self, space: str) -> str:
        if space[0] == "x" and space[1:].isdigit():
            return f"set_in(m, {self.layout.at} + {space})"
        count = len(self.board.spaces)
        return f"({{uint32_t at_ = {space}; at_ < {count} ? set_in(m, {self.layout.at} + at_) : 0;}})"

    def _pieces_near(self, low: int, high: int, origin: str) -> str:
        rows = self.board.ring(low, high)
        width = max(len(row) for row in rows) + 1
        cells = [one for row in ((), *rows) for one in (*row, *[NOTHING] * (width - len(row)))]
        name = self.tables.row(cells, "int16_t")
        each = f"for (const int16_t *at_ = {name} + ({origin} + 1) * {width}; *at_ >= 0; at_++)"
        return f"({{PieceSet on_ = 0; {each} on_ |= set_in(m, {self.layout.at} + *at_); on_;}})"

    def _pieces_of(self, document: str | int) -> str:
        cell = self.layout.of_document
        return f"set_in(m, {cell + document if isinstance(document, int) else f'{cell} + {document}'})"

    def bearers(self, documents: Iterable[int]) -> str:
        """Return the set of the pieces that bear at least one of the given documents."""
        return f"({' | '.join(map(self._pieces_of, documents)) or '(PieceSet)0'})"

    def _pieces(self, *kinds: int) -> str:
        """Return the set of all pieces of some kinds."""
        if len(kinds) == len(self.ruleset.kinds):
            return f"set_in(m, {LIVE})"
        return f"({' | '.join(f'set_in(m, {self.layout.of_kind + kind})' for kind in kinds) or '(PieceSet)0'})"

    # ---- whether a set has members, and how many

    def exists(self, node: ir.Set) -> str:
        """Return the condition that a set has a member."""
        return self._exists(self.lowering.search(node))

    def _exists(self, search: SetSearch) -> str:
        holders = search.source.operands[0] if search.source.code == "tokens" and search.of is None else ()
        if search.notes:
            return f"({{int found_ = 0; {self._loop(search, 'found_ = 1;')} found_;}})"
        if search.within and not search.tests:
            found = f"({self._within(search)}) != 0"
        elif isinstance(holders, tuple) and holders and not search.tests:
            found = self._in_holders(cast(tuple[HolderRows, ...], holders), "holds_any(m, {})")
        else:
            loop = self._each(search, "found_ = 1; goto done_;")
            found = f"{self._might_stand(search)}({{__label__ done_; int found_ = 0; {loop} done_:; found_;}})"
        return f"({' && '.join([*map(self.text, search.fixed), found])})"

    def _might_stand(self, search: SetSearch) -> str:
        """Return a quick test to be made before a test for pieces on a space; empty for other sets."""
        if search.of is None or not self.small or search.source.code != "pieces":
            return ""
        on = " | ".join(f"occupied(m, {kind})" for kind in search.source.operands)
        return f"(({on}) >> ({self.text(search.of)} & 63) & 1) && "

    def size(self, node: ir.Set) -> str:
        """Return the expression for the number of members of a set; for tokens, the number of tokens."""
        return self._size(self.lowering.search(node))

    def _size(self, search: SetSearch) -> str:
        if search.within and not (search.tests or search.fixed or search.notes):
            count = "size_of" if search.source.code == "pieces" else "__builtin_popcountll"
            return f"{count}({self._within(search)})"
        is_token = search.source.code == "tokens"
        add = f"count_ += m[{self.layout.tokens} + {self.text(search.variable)}];" if is_token else "count_++;"
        return f"({{int count_ = 0; {self._loop(search, add)} count_;}})"

    # ---- notes of values

    def _compared(self, numbers: Sequence[int], off: int, left: str, right: str, holds: str) -> str:
        note = (
            f"if (left_ == right_) counters[{numbers[0]}]++; "
            f"else if (left_ - right_ == {off}) counters[{numbers[1]}]++;"
        )
        return f"({{{{const int left_ = {left}, right_ = {right}; {note}}} {holds};}})"

    def _near(self, numbers: tuple[int, int], low: int, high: int, left: str, right: str, holds: str) -> str:
        before, within, after = self.reached(numbers, low, high, left, right)
        return f"({holds} && ({{{before}{within}{after} 1;}}))"

    def _used(self, numbers: Sequence[int], documents: Sequence[int], of_piece: bool, of: str, value: str) -> str:
        tests = [f"of_ >= 0 && has({self._pieces_of(one)}, of_)" if of_piece else f"of_ == {one}" for one in documents]
        notes = " else ".join(f"if ({test}) counters[{one}]++;" for test, one in zip(tests, numbers, strict=True))
        return f"({{{{const int of_ = {of}; (void)of_; {notes}}} {value};}})"

    # ---- tokens

    def _rows(self, some: Iterable[HolderRows]) -> list[tuple[str, str, int]]:
        """Return consecutive rows of holders, each as its owner `of_` (or empty), its first holder, and its length."""
        found = []
        for one in some:
            if one.whose is None:
                found += [("", str(row.start), one.faces) for row in one.rows()]
            else:
                first = f"{one.first} + of_ * {one.apart}" if one.apart > 1 else f"{one.first} + of_"
                found.append((self.text(one.whose), first, one.faces))
        return found

    def most(self, node: ir.Set) -> int:
        """Return the number of members that a set can have."""
        match node.members:
            case ir.Tokens(holders):
                rows = self._rows(map(self.lowering.holders, holders))
                return sum(row[2] for row in rows) * self.layout.documents
            case ir.Pieces():
                return self.layout.room
            case ir.Everyone(base):
                return {"player": self.layout.players, "team": self.layout.teams}.get(base, len(self.board.directions))
        return len(self.board.spaces)

    def lie_together(self, node: ir.Set) -> bool:
        """Whether the members of a set are tokens in one holder, so that no two members are of the same document."""
        holders = node.members.holders if isinstance(node.members, ir.Tokens) else ()
        rows = self._rows(map(self.lowering.holders, holders))
        return len(rows) == 1 and rows[0][2] == 1

    def _in_holders(self, some: Iterable[HolderRows], test: str) -> str:
        """Return the condition that a test holds for at least one of the given holders."""
        parts = []
        for whose, first, count in self._rows(some):
            one = " || ".join(test.format(f"{first} + {face}" if face else first) for face in range(count))
            parts.append(f"({{int of_ = {whose}; of_ >= 0 && ({one});}})" if whose else f"({one})")
        return f"({' || '.join(parts)})"

    def _tokens(self, search: SetSearch, holders: tuple[HolderRows, ...], body: str) -> str:
        rows = self._rows(holders)
        inner = self._of_holder(search, body) if search.of is None else self._of_document(search, body)
        if len(rows) == 1 and rows[0][2] == 1:
            whose, first, _ = rows[0]
            text = f"int holder_ = {first}; {inner}"
            text = f"int of_ = {whose}; if (of_ >= 0) {{{text}}}" if whose else text
        else:
            row = interruptible(f"int holder_ = list_[row_]; {inner}")
            each = f"for (int row_ = 0; row_ < rows_; row_++) {row}"
            text = f"{self._gathered(rows)} {each}"
        if search.of is not None:
            text = f"int document_ = {self.text(search.of)}; if (document_ >= 0) {{{text}}}"
        return f"{{{text}}}"

    def _gathered(self, rows: Sequence[tuple[str, str, int]]) -> str:
        """Return the statements that list the holders of several rows."""
        count = sum(row[2] for row in rows)
        text = f"int rows_ = 0, list_[{count}];"
        for whose, first, faces in rows:
            put = " ".join(f"list_[rows_++] = {first}{f' + {face}' if face else ''};" for face in range(faces))
            text += f" {{int of_ = {whose}; if (of_ >= 0) {{{put}}}}}" if whose else f" {put}"
        return text

    def _of_document(self, search: SetSearch, body: str) -> str:
        """Return the statement for the tokens of `document_` in `holder_`: one cell counts them."""
        there = f"m[{self.layout.tokens} + token_]"
        inner = self._member(search, "token_", body, looped=False)
        return f"int token_ = holder_ * documents + document_; if ({there}) {inner}"

    def _of_holder(self, search: SetSearch, body: str) -> str:
        """Return the loop over the different tokens in `holder_`."""
        longs, first = (self.layout.documents + 63) // 64, "holder_ * documents + __builtin_ctzll(set_)"
        if longs == 1:
            each = "for (uint64_t set_ = held(m, holder_, 0); set_; set_ &= set_ - 1)"
            return f"{each} {self._member(search, first, body)}"
        each = (
            f"for (int long_ = 0; long_ < {longs}; long_++) "
            "for (uint64_t set_ = held(m, holder_, long_); set_; set_ &= set_ - 1)"
        )
        return f"{each} {self._member(search, f'{first} + 64 * long_', body)}"

    def destination(self, node: ir.Holder, face: str) -> str:
        """Return the expression for the holder that tokens go into with a new `face`; negative if it has no owner."""
        into = self.lowering.holders(node)
        owner = self.text(into.whose) if into.whose is not None else "0"
        holder = f"{into.first} + whose_ * {into.apart} + {'0' if into.apart == 1 else face}"
        return f"({{const int whose_ = {owner}; whose_ < 0 ? {NOTHING} : {holder};}})"

    # ---- conditions

    def _bears(self, piece: str, document: int, gone: bool) -> str:
        if gone and not SIMPLE.fullmatch(piece):
            return f"({{int of_ = {piece}; {self._bears('of_', document, gone)};}})"
        test = f"has({self._pieces_of(document)}, {piece})"
        bore = f"bore(r, {was_once(self.layout, piece, self.lowering.digits.document)}, {document})"
        return f"({piece} >= 0 ? {test} : {bore})" if gone else test

    def _of_kind(self, cell: str, some: tuple[int, ...]) -> str:
        tests = " || ".join(f"kind_ == {one}" for one in some) or "0"
        return f"({{int kind_ = m[{cell}]; {tests};}})"

    def _held(self, token: str, holders: Iterable[HolderRows]) -> str:
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
        # The names of the loop are numbered, as searches for events can be nested.
        walk = (
            f"int found_ = 0, fp_ = fp, cur_ = cur; do if (routine_event[cur_] == {verb}) {found} "
            "while (!found_ && descend(r, &fp_, &cur_)); found_;"
        )
        return f"({{{walk}}})"

    def _tagged(self, tag: str, space: str) -> str:
        tagged = self.board.tagged(tag)
        if len(self.board.spaces) < 64:
            # Nothing (-1) is treated as the last bit, which no space has.
            return f"(int)({sum(1 << one for one in tagged):#x}ULL >> ({space} & 63) & 1)"
        cells = [int(one in tagged) for one in range(-1, len(self.board.spaces))]
        return f"{self.tables.row(cells)}[{space} + 1]"

    def _listed_space(self, key: str, document: str, space: str) -> str:
        what = "spaces", key, 0, 0
        row = f"{self.sheets.place(what)} + {document} * {self.sheets.width(what)}"
        word = f"r->sheets[{row} + (at_ >> 5)] >> (at_ & 31) & 1"
        return f"({{int at_ = {space}; at_ >= 0 && ({word});}})"

    def _between(self, distance: str, low: int, high: int) -> str:
        """Return the condition that a distance, in the form of the tables, is within bounds."""
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

    def _reached(self, origin: str, high: int, fits: str) -> str:
        """Return the set of the spaces that a way leads to."""
        near, steps = self.tables.bits(self.board.neighbours), min(high, len(self.board.spaces))
        grow = (
            f"uint64_t near_ = 0; for (; edge_; edge_ &= edge_ - 1) near_ |= {near}[__builtin_ctzll(edge_)]; "
            "reached_ |= near_; edge_ = near_ & ~seen_ & fits_; seen_ |= near_;"
        )
        return (
            f"({{int from_ = {origin}; const uint64_t fits_ = {fits}; "
            "uint64_t edge_ = from_ < 0 ? 0 : 1ULL << from_, seen_ = 0, reached_ = 0; "
            f"for (int step_ = 1; edge_ && step_ <= {steps}; step_++) {{{grow}}} reached_;}})"
        )

    def _way_over_lists(self, origin: str, end: str, high: int, between: str, fits: str) -> str:
        """Return the condition of `_way` by lists of spaces, for boards with too many spaces for one number."""
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
        case Operation("number", (int(number), _)):
            return abs(number)
        case Operation("distance" | "trek"):
            return FAR
        case Operation("sum" | "raised", terms):
            return sum(map(_most, terms))
    return LARGEST


def _first_of(of: str, tests: Sequence[str], values: Sequence[str]) -> str:
    """Return the expression for the value of the first test that holds; if no test holds, for the first value."""
    text, *held = values
    for test, value in reversed([*zip(tests, held, strict=True)]):
        text = f"({test} ? {value} : {text})"
    return f"({{int of_ = {of}; {text};}})"


def _fitting(between: str, fits: str) -> str:
    """Return the statements that test whether the space `at_` fits."""
    return f"{f'int {between} = at_; ' if mentions(between, fits) else ''}open_ = {fits};"


WRITTEN: dict[str, Callable[..., str]] = {
    "variable": lambda write, number: write.instead[number] if number in write.instead else variable(number),
    "field": Expressions._field,
    "last known": Expressions._last_known,
    "team": lambda write, player: f"{write.tables.row((NOTHING, *write.layout.team_of))}[{player} + 1]",
    "bearing": lambda write, origin, goal: write._grid(write._bearings, origin, goal),
    "distance": Expressions._distance,
    "trek": Expressions._trek,
    "sheet": lambda write, what, document: write.sheets.cell(sheet_table(*what), document),
    "trail step": Expressions._trail_step,
    "per document": Expressions._per_document,
    "per bearer": Expressions._per_bearer,
    "size": Expressions._size,
    "exists": lambda write, search: write._exists(search),
    "tagged": Expressions._tagged,
    "listed": Expressions._listed_space,
    "of kind": Expressions._of_kind,
    "bears": lambda write, *operands: f"({write._bears(*operands)})",
    "held": Expressions._held,
    "apart": lambda write, low, high, left, right: f"({write._apart(low, high, left, right)})",
    "in line": Expressions._in_line,
    "in direction": Expressions._in_line,
    "open line": Expressions._open_line,
    "open way": lambda write, *operands: write._way(*operands) if write.small else write._way_over_lists(*operands),
    "under way": Expressions._under_way,
    "caused": Expressions._caused,
    "compared": Expressions._compared,
    "near": Expressions._near,
    "used": Expressions._used,
    "all spaces": lambda write: (
        f"{2 ** len(write.board.spaces) - 1:#x}ULL" if len(write.board.spaces) < 64 else "~0ULL"
    ),
    "ring": lambda write, low, high, origin: f"{write.tables.bits(((), *write.board.ring(low, high)))}[{origin} + 1]",
    "rays": Expressions._rays,
    "tagged spaces": lambda write, tag: f"{sum(1 << one for one in write.board.tagged(tag)):#x}ULL",
    "listed spaces": Expressions._listed_spaces,
    "one space": Expressions._one_space,
    "spaces apart": Expressions._spaces_apart,
    "spaces in line": lambda write, *operands: write._spaces_apart(*operands, straight=True),
    "spaces in direction": Expressions._spaces_in_direction,
    "occupied": lambda write, *kinds: f"({' | '.join(f'occupied(m, {kind})' for kind in kinds) or '0ULL'})",
    "reached": Expressions._reached,
    "pieces": Expressions._pieces,
    "pieces of": Expressions._pieces_of,
    "pieces on": Expressions._pieces_on,
    "pieces in": Expressions._pieces_in,
    "pieces near": Expressions._pieces_near,
}
"""The C of the other operations."""
