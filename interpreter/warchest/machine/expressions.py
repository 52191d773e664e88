"""Values, sets and conditions as Python expressions over the memory.

A rule such as `a unit cannot move to a space unless the space is empty` becomes one expression over whole numbers,
here `not (not (m[9 + e[4]]))`, which `binding` makes a function of. The texts are put together from the numbers and
operators of the rules alone; nothing a card says gets into them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from warchest.machine.board import FAR
from warchest.machine.directions import beside, table, turn
from warchest.machine.holders import HolderWriter
from warchest.machine.layout import DOCUMENT, KIND, LIVE, NATURE, OWNER, SPACE, Layout
from warchest.rules import values as ir
from warchest.rules.parts import plain_first, variables_in
from warchest.rules.ruleset import AGENT
from warchest.rules.values import NOTHING, SET_VARIABLES

LARGE = 100
"""How many spaces a board has on which it is counted, too, what one set costs that is looked through."""


class Writer(HolderWriter):
    """Writes expressions; the names they use stand in `names`.

    In an expression `m` is the memory, `e` the variables of the frame, `run` the run, and `x0`, `x1`, … the members
    of the sets that are being looked through, the outermost first.
    """

    def __init__(self, layout: Layout, names: dict[str, Any], instead: Mapping[int, str] | None = None) -> None:
        super().__init__(layout, names)
        self.temporary = 0
        self.instead: Mapping[int, str] = instead or {}

    def reading(self, instead: Mapping[int, str]) -> Writer:
        """Return a writer that writes other texts for some variables of the frame."""
        return Writer(self.layout, self.names, instead)

    def once(self, text: str) -> tuple[str, str]:
        """Return how a value is written where it is used first, and afterwards, so that it is computed once."""
        if text.isidentifier() or text.lstrip("-").isdigit() or (text.startswith("e[") and text[2:-1].isdigit()):
            return text, text
        self.temporary += 1
        name = f"t{self.temporary}"
        return f"({name} := {text})", name

    # ---- values

    def decider(self, piece: str) -> str:
        """Return the expression for the player who decides for a piece."""
        return f"m[{self.layout.pieces + self.layout.decider} + {piece} * {self.layout.stride}]"

    def value(self, node: ir.Value) -> str:
        """Return the expression for a value."""
        match node:
            case ir.Var(id=number):
                if number in self.instead:
                    return self.instead[number]
                if number >= ir.EVENT_VARIABLES:
                    depth, place = divmod(number - ir.EVENT_VARIABLES, ir.EVENT_WIDTH)
                    return f"f{depth}[{AGENT + place}]"
                return f"e[{number}]" if number < SET_VARIABLES else f"x{number - SET_VARIABLES}"
            case ir.Const(value):
                return str(value)
            case ir.FieldOf():
                return f"m[{self.cell(node.field, node.of)}]"
            case ir.Latest() | ir.Trail():
                return self._trail(node)
            case ir.Attribute():
                return self._attribute(node)
            case ir.Bearing(origin, goal):
                table = self.constant((*self.layout.board.bearing, {}))
                return f"{table}[{self.place(origin)}].get({self.place(goal)}, {NOTHING})"
            case ir.Distance():
                return self._distance(node)
            case ir.SheetNumber(key, of):
                printed = self._said(of, "number", key)
                return self._with_bonus(printed, key, of.of) if _is_of_piece(of) else printed
            case ir.SheetName(key, of):
                return self._said(of, "name", key)
            case ir.Parameter():
                return self._parameter(node)
            case ir.PerDocument():
                return self._per_document(node)
            case ir.Sum(signs, terms):
                pairs = zip(signs, terms, strict=True)
                return "(" + " ".join(f"{'+' if sign > 0 else '-'} {self.value(term)}" for sign, term in pairs) + ")"
            case ir.Size(of):
                return self._size(of)

    def cell(self, field: int, of: ir.Value | None) -> str:
        """Return the expression for the cell of a field, of what has it."""
        if of is None:
            return str(self.layout.fields[field])
        if field in self.layout.piece_field:
            first = self.layout.pieces + self.layout.piece_field[field]
            return f"{first} + {self.value(of)} * {self.layout.stride}"
        return f"{self.layout.fields[field]} + {self.value(of)}"

    def _trail(self, node: ir.Latest | ir.Trail) -> str:
        steps = self.value(node.trail)
        if isinstance(node, ir.Latest):
            return f"(({steps} & {ir.TRAIL_MASK}) - 1)"
        if node.step is None:
            return f"({steps} >> {ir.TRAIL_BITS})"
        return f"({steps} << {ir.TRAIL_BITS} | {self.value(node.step)} + 1)"

    def _attribute(self, node: ir.Attribute) -> str:
        of = self.value(node.of)
        if node.what == "team":
            return f"{self.constant((*self.layout.team_of, NOTHING))}[{of}]"
        if base_of(node.of) == "direction":
            count = len(self.layout.board.directions)
            return f"(({of} + {turn(node.what, count)}) % {count})"
        if node.what in ("left", "right"):
            return f"(({of} {'+' if node.what == 'left' else '-'} 1) % {self.layout.players})"
        if base_of(node.of) == "token":
            return f"({of} % {self.layout.documents})"
        cells = {"document": DOCUMENT, "nature": NATURE, "owner": OWNER, "space": SPACE, "decider": self.layout.decider}
        return f"m[{self.layout.pieces + cells[node.what]} + {of} * {self.layout.stride}]"

    def _said(self, document: ir.Value, *key: str | int) -> str:
        """Return the expression for what a document says, which stands in a table of the catalogue."""
        return f"run.catalogue[{key}][{self.value(document)}]"

    def _parameter(self, node: ir.Parameter) -> str:
        of = ir.Attribute("document", node.piece, "document")
        printed = self._said(of, "filled", node.document, node.index)
        if node.index or node.base == "document":
            return printed
        return self._with_bonus(printed, self.layout.ruleset.sheets[node.document].name, node.piece)

    def _distance(self, node: ir.Distance) -> str:
        board, goal = self.layout.board, self.place(node.goal)
        if not node.turns:
            return f"{self.constant((*board.distance, (FAR,) * len(board.spaces)))}[{self.place(node.origin)}][{goal}]"
        heading = f"m[{self.cell(self.layout.ruleset.heading, node.origin)}]"
        return f"{self.constant(board.trek)}[{self.place(node.origin)}][{heading}][{goal}]"

    def _per_document(self, node: ir.PerDocument) -> str:
        now, then = self.once(self.value(node.of))
        text = self.value(node.otherwise)
        for index, (number, value) in enumerate(reversed(node.cases)):
            # The first test that runs is the one written last, and it is what computes the document.
            asked = now if index == len(node.cases) - 1 else then
            test = self._bears(asked, number) if base_of(node.of) == "piece" else f"{asked} == {number}"
            text = f"({self.value(value)} if {test} else {text})"
        return text

    def _with_bonus(self, printed: str, what: str, piece: ir.Value) -> str:
        """Return a printed number of a piece with what bonuses add to it, if there are any that could."""
        raised = self.layout.raises
        if what not in raised:
            return printed
        first = self.layout.pieces + self.layout.raised + raised.index(what)
        return f"({printed} + m[{first} + {self.value(piece)} * {self.layout.stride}])"

    def _bears(self, piece: str, document: int) -> str:
        return f"m[{self.layout.of_document + document}] >> {piece} & 1"

    def _size(self, node: ir.Set) -> str:
        if isinstance(node.members, ir.Tokens):
            if node.filters:
                var = self.value(node.var)
                source = self._counted(node, self._source(node.members))
                found = f"for {var} in {source} if {self._all(node.filters)}"
                return f"sum([m[{self.layout.tokens} + {var}] {found}])"
            parts = [f"sum({cells})" for cells in self.cells(node.members.holders)]
            return f"({' + '.join(parts)})"
        if isinstance(node.members, ir.Pieces) and len(node.filters) == 1:
            space = _space_of(node.var, node.filters[0])
            if space is not None and node.var.id not in variables_in(space):
                where, kinds = self.place(space), self._kinds(node.members.kinds) or "-1"
                return f"((m[{self.layout.at} + {where}] & {kinds}).bit_count() if {where} >= 0 else 0)"
        return f"len({self.members(node)})"

    # ---- sets

    def members(self, node: ir.Set) -> str:
        """Return the expression that lists the members of a set, in a fixed order."""
        source, filters = self._refined(node)
        if not filters:
            return source
        var = self.value(node.var)
        return f"[{var} for {var} in {self._counted(node, source)} if {self._all(filters)}]"

    def _counted(self, node: ir.Set, source: str) -> str:
        """Return where to look for members, with a count of what it costs where they can be many times many."""
        many = node.var.id > SET_VARIABLES or len(self.layout.board.spaces) > LARGE
        return f"run.look_through({source})" if many else source

    def _refined(self, node: ir.Set) -> tuple[str, tuple[ir.Condition, ...]]:
        """Return where to look for members and what is still to be tested.

        Pieces are found by type or by place, spaces by their tag, where the text asks for one.
        """
        if isinstance(node.members, ir.AllSpaces):
            for number, condition in enumerate(node.filters):
                if isinstance(condition, ir.Tagged) and condition.space == node.var:
                    tagged = self.constant(tuple(sorted(self.layout.board.tagged(condition.tag))))
                    return tagged, (*node.filters[:number], *node.filters[number + 1 :])
                if (alone := self._alone(node.var, condition)) != "":
                    return alone, (*node.filters[:number], *node.filters[number + 1 :])
        if isinstance(node.members, ir.Pieces):
            kinds = self._kinds(node.members.kinds)
            for number, condition in enumerate(node.filters):
                source = self._by_document(node.var, condition, kinds) or self._by_place(node.var, condition, kinds)
                if source:
                    return source, (*node.filters[:number], *node.filters[number + 1 :])
        asked = beside(node.var, node.filters[0]) if len(node.filters) == 1 else None
        if isinstance(node.members, ir.Everyone) and asked is not None:
            others = self.constant(table(asked[1], len(self.layout.board.directions)))
            return f"{others}[{self.value(asked[0])}]", ()
        return self._source(node.members), node.filters

    def _alone(self, var: ir.Var, condition: ir.Condition) -> str:
        """Return the one space that something is on, where that is asked of a space."""
        if not isinstance(condition, ir.Compare) or condition.how != "==" or condition.right != var:
            return ""
        which = self.value(condition.left)
        spaces = tuple((space,) for space in range(len(self.layout.board.spaces)))
        return "" if self.value(var) in which else f"{self.constant((*spaces, ()))}[{which}]"

    def _by_document(self, var: ir.Var, condition: ir.Condition, kinds: str) -> str:
        document = ir.Attribute("document", var, "document")
        if not isinstance(condition, ir.Compare) or condition.how != "==" or condition.left != document:
            return ""
        of_kind = f" & {kinds}" if kinds else ""
        return f"members_of(m[{self.layout.of_document} + {self.value(condition.right)}]{of_kind})"

    def _by_place(self, var: ir.Var, condition: ir.Condition, kinds: str) -> str:
        if not isinstance(condition, ir.Apart) or condition.straight or condition.high > 1 or condition.right != var:
            return ""
        ring = self.constant((*self.layout.board.ring(condition.low, 1), ()))
        return f"standing(m, {self.layout.at}, {ring}[{self.place(condition.left)}], {kinds or -1})"

    def _kinds(self, kinds: tuple[int, ...]) -> str:
        """Return the set of all pieces of some kinds; empty where these are all kinds there are."""
        if len(kinds) == len(self.layout.ruleset.kinds):
            return ""
        masks = " | ".join(f"m[{self.layout.of_kind + kind}]" for kind in kinds)
        return masks if len(kinds) == 1 else f"({masks})"

    def _source(self, node: ir.Members) -> str:
        board = self.layout.board
        match node:
            case ir.AllSpaces():
                return self.constant(tuple(range(len(board.spaces))))
            case ir.Ring(low, high, origin):
                return f"{self.constant((*board.ring(low, high), ()))}[{self.place(origin)}]"
            case ir.Ray(low, high, origin, direction):
                parts = board.ray_part(low, high)
                if direction is not None:
                    return f"{self.constant(parts)}[{self.place(origin)}][{self.value(direction)}]"
                joined = tuple(tuple(sorted(end for ray in rays for end in ray)) for rays in parts)
                return f"{self.constant(joined)}[{self.place(origin)}]"
            case ir.Pieces(kinds):
                return f"members_of({self._kinds(kinds) or f'm[{LIVE}]'})"
            case ir.Tokens(holders):
                return f"tokens(m, {self.listed(holders)})"
            case ir.Everyone(base):
                return self._everyone(base)

    def _everyone(self, base: str) -> str:
        if base != "player":
            count = self.layout.teams if base == "team" else len(self.layout.board.directions)
            return self.constant(tuple(range(count)))
        count = self.layout.players
        orders = tuple(tuple((first + step) % count for step in range(count)) for first in range(count))
        active = self.layout.fields.get(self.layout.ruleset.active)
        # Before anybody is active, turn order begins with the first seat.
        return f"{self.constant(orders)}[max(m[{active}], 0)]" if active is not None else self.constant(orders[0])

    def place(self, node: ir.Value) -> str:
        """Return the expression for the space of a space or a piece."""
        if base_of(node) == "piece":
            return self._attribute(ir.Attribute("space", node, "space"))
        return self.value(node)

    # ---- conditions

    def _all(self, tests: Iterable[ir.Condition]) -> str:
        return " and ".join([self.condition(one) for one in plain_first(tests)])

    def condition(self, node: ir.Condition) -> str:
        """Return the expression that is true where a condition holds."""
        match node:
            case ir.Compare(how, left, right):
                return f"{self.value(left)} {how} {self.value(right)}"
            case ir.All(conditions):
                return "(" + (" and ".join(self.condition(one) for one in conditions) or "True") + ")"
            case ir.Any(conditions):
                return "(" + (" or ".join(self.condition(one) for one in conditions) or "False") + ")"
            case ir.Not(ir.Compare("==", left, right)):
                return f"{self.value(left)} != {self.value(right)}"
            case ir.Not(condition):
                return f"(not {self.condition(condition)})"
            case ir.Exists(members):
                return self._exists(members)
            case ir.Tagged(tag, space):
                return f"{self.value(space)} in {self.constant(self.layout.board.tagged(tag))}"
            case ir.Listed(key, document, space):
                return f"{self.value(space)} in {self._said(document, 'spaces', key)}"
            case ir.KindIs(piece, kinds):
                one_of = f"== {kinds[0]}" if len(kinds) == 1 else f"in {set(kinds)}"
                return f"m[{self.layout.pieces + KIND} + {self.value(piece)} * {self.layout.stride}] {one_of}"
            case ir.Bears(piece, document):
                return self._bears(self.value(piece), document)
            case ir.Upholds(by, piece, document):
                said = f"{self.value(by)}, {self.value(piece)}, {document}"
                return f"upheld(m, {self.constant(self.layout)}, {said})"
            case ir.HeldIn(token, holders):
                return f"{self.value(token)} // {self.layout.documents} in ({', '.join(self.holders(holders))},)"
            case ir.Apart():
                return self._apart(node)
            case ir.Passable():
                return self._passable(node)
            case ir.Happening(verb, depth, condition):
                return f"happening(run, {verb}, lambda f{depth}: {self.condition(condition)})"
            case ir.CausedBy(verbs, agent, document, acting):
                who, does = (self.value(one) if one is not None else "None" for one in (agent, acting))
                sought = f"{self.constant(frozenset(verbs))}, {who}, {document}, {self.layout.documents}"
                return f"caused_by(run, {sought}, {does})"

    def _exists(self, members: ir.Set) -> str:
        if isinstance(members.members, ir.Pieces):
            for number, condition in enumerate(members.filters):
                space = _space_of(members.var, condition)
                if space is not None:
                    rest = (*members.filters[:number], *members.filters[number + 1 :])
                    return self._stands_on(space, members.members, members.var, rest)
        if isinstance(members.members, ir.Tokens) and len(members.filters) == 1:
            document = _document_of(members.var, members.filters[0])
            if document is not None:
                return self._lies_in(document, members.members.holders)
        if isinstance(members.members, ir.Tokens) and not members.filters:
            return "(" + " or ".join(f"any({cells})" for cells in self.cells(members.members.holders)) + ")"
        return f"bool({self.members(members)})"

    def _lies_in(self, document: ir.Value, nodes: Iterable[ir.Holder]) -> str:
        """Return whether a token of a document is in some holders: in each, one cell counts them."""
        now, then = self.once(self.value(document))
        holders = self.holders(nodes)
        source = holders[0][1:] if len(holders) == 1 and holders[0].startswith("*") else f"({', '.join(holders)},)"
        cells = f"m[{self.layout.tokens} + holder * {self.layout.documents} + {then}]"
        return f"({now} >= 0 and any([{cells} for holder in {source}]))"

    def _stands_on(self, space: ir.Value, pieces: ir.Pieces, var: ir.Var, rest: tuple[ir.Condition, ...]) -> str:
        """Return whether a piece stands on a space, which one cell answers where nothing more is asked of it."""
        kinds = self._kinds(pieces.kinds)
        of_kind = f" & {kinds}" if kinds else ""
        now, then = self.once(self.place(space))
        is_member = isinstance(space, ir.Var) and space.id >= SET_VARIABLES
        there = f"m[{self.layout.at} + {then}]{of_kind}"
        found = f"{there} != 0" if is_member else f"{now} >= 0 and {there} != 0"
        if rest:
            found += f" and any([{self._all(rest)} for {self.value(var)} in members_of({there})])"
        return f"({found})"

    def _apart(self, node: ir.Apart) -> str:
        board = self.layout.board
        left, right = self.place(node.left), self.place(node.right)
        if not node.straight:
            return f"{node.low} <= {self.constant(_with_nowhere(board.distance))}[{left}][{right}] <= {node.high}"
        (left, start), (right, end) = self.once(left), self.once(right)
        far = f"{node.low} <= {self.constant(_with_nowhere(board.distance))}[{left}][{right}] <= {node.high}"
        bearing = f"{self.constant((*board.bearing, {}))}[{start}].get({end})"
        way = "is not None" if node.direction is None else f"== {self.value(node.direction)}"
        return f"({far} and {bearing} {way})"

    def _passable(self, node: ir.Passable) -> str:
        board = self.layout.board
        origin, end = self.place(node.origin), self.place(node.end)
        between, fits = self.value(node.between), self.condition(node.fits)
        if node.straight:
            now, then = self.once(f"{self.constant((*board.between, {}))}[{origin}].get({end})")
            return f"({now} is not None and all([{fits} for {between} in {then}]))"
        ways = self.constant((*board.neighbours, ()))
        return f"way_through({ways}, {origin}, {end}, {node.high}, lambda {between}: {fits})"


def _with_nowhere(distance: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Add the space of what is on no space (-1): it is far from everything, itself included."""
    far = 9999
    return (*((*row, far) for row in distance), (far,) * (len(distance) + 1))


def base_of(node: ir.Value) -> str:
    """Return what kind of value a node stands for."""
    if isinstance(node, ir.Var | ir.Const | ir.Attribute | ir.FieldOf | ir.Latest | ir.SheetName | ir.Parameter):
        return node.base
    if isinstance(node, ir.Bearing):
        return "direction"
    return "number"


def _is_of_piece(node: ir.Value) -> TypeGuard[ir.Attribute]:
    return isinstance(node, ir.Attribute) and node.what == "document" and base_of(node.of) == "piece"


def _document_of(var: ir.Var, condition: ir.Condition) -> ir.Value | None:
    """Return the document of `a token is of it`, unless that depends on the token itself."""
    if not isinstance(condition, ir.Compare) or condition.how != "==" or var.id in variables_in(condition.right):
        return None
    return condition.right if condition.left == ir.Attribute("document", var, "document") else None


def _space_of(var: ir.Var, condition: ir.Condition) -> ir.Value | None:
    """Return the space of `a piece is on it`."""
    if not isinstance(condition, ir.Compare) or condition.how != "==":
        return None
    return condition.right if condition.left == ir.Attribute("space", var, "space") else None
