"""Values and conditions of the rules as operations: the cells they read, and their results for a piece that has gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeGuard

from warchest.ir import values as ir
from warchest.ir.parts import base_of, may_have_gone, nodes_in, variables_in
from warchest.lowering.directions import beside, turn
from warchest.lowering.gone import digits_of
from warchest.lowering.layout import DOCUMENT, KIND, NATURE, OWNER, SPACE, Layout
from warchest.lowering.operations import HolderRows, Operand, Operation, SetSearch

COSTS: dict[type, int] = {
    ir.Compare: 1,
    ir.Bears: 1,
    ir.KindIs: 1,
    ir.Tagged: 1,
    ir.Listed: 2,
    ir.HeldIn: 2,
    ir.Apart: 2,
    ir.FieldOf: 0,
    ir.Exists: 4,
    ir.Size: 8,
    ir.Passable: 20,
    ir.Upholds: 20,
    ir.CausedBy: 20,
    ir.Happening: 30,
}
"""The rough costs of testing the parts of a condition; cheap ones are tested first."""
EMPTY = {("==", 0): True, ("<", 1): True, ("<=", 0): True, ("!=", 0): False, (">", 0): False, (">=", 1): False}
"""The comparisons of the size of a set that ask whether it is empty."""


def cost(condition: ir.Condition) -> int:
    """Return a rough cost of testing a condition."""
    return sum(COSTS.get(type(one), 0) for one in nodes_in(condition))


def _is_of_piece(node: ir.Value) -> TypeGuard[ir.Attribute]:
    return isinstance(node, ir.Attribute) and node.what == "document" and base_of(node.of) == "piece"


class ExpressionLowering:
    """Lowers values and conditions; with `all_there`, no piece in a variable of the frame has gone."""

    def __init__(self, layout: Layout, spaces: Literal["listed", "bits", "many"], *, all_there: bool = False) -> None:
        self.layout, self.all_there = layout, all_there
        self.spaces = spaces
        """The form of sets of spaces in a machine: precomputed lists, bits, or none, as there are too many spaces."""
        self.digits = digits_of(layout)
        self.cells = {"document": DOCUMENT, "nature": NATURE, "owner": OWNER, "space": SPACE, "decider": layout.decider}
        """The cells of a piece for its attributes."""

    def is_probed(self, node: object) -> bool:
        """Whether a part of the rules, or any part of it, is probed, so that no short cut may leave it out."""
        return False

    # ---- values

    def value(self, node: ir.Value) -> Operation:
        """Return the operation for a value."""
        match node:
            case ir.Var(id=number):
                return Operation("variable", (number,))
            case ir.Const(value, base):
                return Operation("number", (value, base))
            case ir.FieldOf():
                return Operation("field", (self.cell(node.field, node.of), node.field))
            case ir.Latest() | ir.Earliest() | ir.Trail():
                return self._trail(node)
            case ir.Attribute():
                return self._attribute(node)
            case ir.Bearing(origin, goal):
                return Operation("bearing", (self.place(origin), self.place(goal)))
            case ir.Distance():
                return self._distance(node)
            case ir.SheetNumber(key, of):
                printed = Operation("sheet", (("number", key), self.value(of)))
                return self._raised(printed, key, of.of) if _is_of_piece(of) else printed
            case ir.SheetName(key, of):
                return Operation("sheet", (("name", key), self.value(of)))
            case ir.Parameter():
                return self._parameter(node)
            case ir.PerDocument():
                return self._per_document(node)
            case ir.Sum(signs, terms):
                return Operation("sum", (signs, *map(self.value, terms)))
            case ir.Floored(of, least):
                return Operation("at least", (least, self.value(of)))
            case ir.Size(of):
                return Operation("size", (self.search(of),))

    def of_piece(self, cell: int, piece: Operand) -> Operation:
        """Return the cell of a piece."""
        return Operation("cell of piece", (self.layout.pieces + cell, piece, self.layout.stride))

    def attribute_of(self, what: str, piece: Operand, gone: bool) -> Operation:
        """Return an attribute of a piece; for a piece that may have gone, also its last value."""
        cell = self.of_piece(self.cells[what], piece)
        return (
            Operation("last known", (cell.operands[0], piece, what)) if gone else Operation("attribute", (cell, what))
        )

    def cell(self, field: int, of: ir.Value | None) -> Operation:
        """Return the cell of a thing for a field."""
        if of is None:
            return Operation("cell", (self.layout.fields[field],))
        if field in self.layout.piece_field:
            return self.of_piece(self.layout.piece_field[field], self.present(of))
        return Operation("cell of", (self.layout.fields[field], self.value(of)))

    def present(self, piece: ir.Value) -> Operation:
        """Return a piece, or no piece if it has gone."""
        return Operation("present", (self.value(piece),)) if self.may_have_gone(piece) else self.value(piece)

    def may_have_gone(self, piece: ir.Value) -> bool:
        """Whether a value can name a piece that has left the board."""
        known = self.all_there and isinstance(piece, ir.Var) and piece.id < ir.EVENT_VARIABLES
        return not known and may_have_gone(piece)

    def place(self, node: ir.Value) -> Operation:
        """Return a space, or the space of a piece."""
        return self._attribute(ir.Attribute("space", node, "space")) if base_of(node) == "piece" else self.value(node)

    def where_it_is(self, node: ir.Value) -> Operation:
        """Return the space of a piece in a condition: nowhere if the piece has gone.

        A distance can also be measured from a piece that has gone. Other values are unchanged.
        """
        if not isinstance(node, ir.Attribute) or node.what != "space":
            return self.value(node)
        return Operation("attribute", (self.of_piece(SPACE, self.present(node.of)), "space"))

    def where(self, thing: ir.Value) -> Operation:
        """Return a space, or the space of a piece in a condition."""
        return self.where_it_is(ir.Attribute("space", thing, "space") if base_of(thing) == "piece" else thing)

    def _trail(self, node: ir.Latest | ir.Earliest | ir.Trail) -> Operation:
        trail = node.trail
        cell = self.cell(trail.field, trail.of)
        if isinstance(node, ir.Trail):
            if node.step:
                return Operation("trail more", (cell, trail.field, *map(self.value, node.step)))
            return Operation("trail less", (cell, trail.field, node.width))
        whose = self.value(trail.of) if trail.of is not None else ""
        return Operation("trail step", (cell, trail.field, whose, node.part if isinstance(node, ir.Latest) else -1))

    def _attribute(self, node: ir.Attribute) -> Operation:
        of, base, players = self.value(node.of), base_of(node.of), self.layout.players
        if node.what == "team":
            return Operation("team", (of,))
        if base == "direction":
            count = len(self.layout.board.directions)
            return Operation("turned", (of, turn(node.what, count), count))
        if node.what in ("left", "right"):
            return Operation("turned", (of, 1 if node.what == "left" else players - 1, players))
        if base == "token":
            return Operation("document of token", (of, self.layout.documents))
        return self.attribute_of(node.what, of, self.may_have_gone(node.of))

    def _parameter(self, node: ir.Parameter) -> Operation:
        document = self.value(ir.Attribute("document", node.piece, "document"))
        printed = Operation("sheet", (("filled", node.document, node.index), document))
        if node.index or node.base == "document":
            return printed
        return self._raised(printed, self.layout.ruleset.sheets[node.document].name, node.piece)

    def _raised(self, printed: Operation, what: str, piece: ir.Value) -> Operation:
        """Return a printed number of a piece with its bonuses, if it can have any."""
        raised = self.layout.raises
        if what not in raised:
            return printed
        return Operation(
            "raised", (printed, self.of_piece(self.layout.raised + raised.index(what), self.present(piece)))
        )

    def _distance(self, node: ir.Distance) -> Operation:
        origin, goal = self.place(node.origin), self.place(node.goal)
        if not node.turns:
            return Operation("distance", (origin, goal))
        heading = self.layout.ruleset.heading
        return Operation("trek", (origin, Operation("field", (self.cell(heading, node.origin), heading)), goal))

    def _per_document(self, node: ir.PerDocument) -> Operation:
        numbers, values = tuple(number for number, _ in node.cases), [self.value(value) for _, value in node.cases]
        rest = (self.value(node.of), numbers, self.value(node.otherwise), *values)
        if base_of(node.of) == "piece":
            return Operation("per bearer", (self.may_have_gone(node.of), *rest))
        return Operation("per document", rest)

    # ---- conditions

    def condition(self, node: ir.Condition) -> Operation:
        """Return the operation that is true where a condition holds."""
        match node:
            case ir.Compare(how, left, right):
                return self.emptiness(node) or Operation(how, (self.where_it_is(left), self.value(right)))
            case ir.All(conditions):
                return Operation("every", self._in_order(conditions))
            case ir.Any(conditions):
                return Operation("some", self._in_order(conditions))
            case ir.Not(ir.Compare("==", left, right) as same) if self.emptiness(same) is None:
                return Operation("differ", (self.where_it_is(left), self.value(right)))
            case ir.Not(condition):
                return Operation("not", (self.condition(condition),))
            case ir.Exists(members):
                return Operation("exists", (self.search(members),))
            case ir.Tagged(tag, space):
                return Operation("tagged", (tag, self.value(space)))
            case ir.Listed(key, document, space):
                return Operation("listed", (key, self.value(document), self.value(space)))
            case ir.KindIs(piece, kinds):
                return Operation("of kind", (self.of_piece(KIND, self.present(piece)), kinds))
            case ir.Bears(piece, document):
                return Operation("bears", (self.value(piece), document, self.may_have_gone(piece)))
            case ir.Upholds(by, piece, document):
                return Operation("upheld", (self.value(by), self.value(piece), document))
            case ir.HeldIn(token, holders):
                return Operation("held", (self.value(token), tuple(map(self.holders, holders))))
            case ir.Apart():
                return self._apart(node)
            case ir.Passable():
                return self._passable(node)
            case ir.Happening(verb, depth, condition):
                return Operation("under way", (verb, depth, self.condition(condition)))
            case ir.CausedBy(verbs, agent, document, acting):
                who, does = (self.value(one) if one is not None else Operation("anybody") for one in (agent, acting))
                return Operation("caused", (verbs, who, document, does))

    def emptiness(self, node: ir.Compare) -> Operation | None:
        """Return the operation for a comparison that asks whether a set is empty; None for any other."""
        match node:
            case ir.Compare(how, ir.Size(of), ir.Const(number)) if (how, number) in EMPTY:
                found = Operation("exists", (self.search(of),))
                return Operation("not", (found,)) if EMPTY[how, number] else found
        return None

    def _in_order(self, tests: Iterable[ir.Condition]) -> tuple[Operation, ...]:
        """Return the operations for some conditions, the cheap ones first."""
        return tuple(map(self.condition, sorted(tests, key=cost)))

    def _apart(self, node: ir.Apart) -> Operation:
        operands = (node.low, node.high, self.place(node.left), self.where(node.right))
        if not node.straight:
            return Operation("apart", operands)
        if node.direction is None:
            return Operation("in line", operands)
        return Operation("in direction", (*operands, self.value(node.direction)))

    def _passable(self, node: ir.Passable) -> Operation:
        ends = self.place(node.origin), self.place(node.end)
        way = Operation("variable", (node.between.id,)), self.condition(node.fits)
        return (
            Operation("open line", (*ends, *way)) if node.straight else Operation("open way", (*ends, node.high, *way))
        )

    # ---- sets

    def search(self, node: ir.Set) -> SetSearch:
        """Return the search for the members of a set."""
        var, asked, within, of = node.var, list[ir.Condition](), list[Operation](), None
        fixed = [one for one in node.filters if var.id not in variables_in(one)]
        asked = [one for one in node.filters if var.id in variables_in(one)]
        source = self.source(node.members)
        match node.members:
            case ir.Pieces(kinds):
                within, asked = self._narrowed_pieces(var, kinds, asked)
                of = next(
                    (self.value(space) for one in node.filters if (space := _space_of(var, one)) is not None), None
                )
            case ir.Tokens() | ir.Everywhere():
                of, asked = self._split(asked, lambda one: self._document_of(var, one))
            case ir.AllSpaces() | ir.Ring() | ir.Ray(direction=None) if self.spaces == "bits":
                within, asked = self._narrowed_spaces(var, source, asked)
            case ir.AllSpaces() if self.spaces == "listed":
                found, asked = self._split(asked, lambda one: self._few_spaces(var, one))
                source = found or source
            case ir.Everyone() if self.spaces == "listed" and len(asked) == 1:
                found, asked = self._split(asked, lambda one: self._beside(var, one))
                source = found or source
        return SetSearch(self.value(var), source, tuple(within), self._in_order(fixed), self._in_order(asked), of)

    def source(self, node: ir.Members) -> Operation:
        """Return the operation for the things that members are chosen from."""
        match node:
            case ir.AllSpaces():
                return Operation("all spaces")
            case ir.Ring(low, high, origin):
                return Operation("ring", (low, high, self.place(origin)))
            case ir.Ray(low, high, origin, None):
                return Operation("rays", (low, high, self.place(origin)))
            case ir.Ray(low, high, origin, direction):
                assert direction is not None
                return Operation("ray", (low, high, self.place(origin), self.value(direction)))
            case ir.Pieces(kinds):
                return Operation("pieces", kinds)
            case ir.Tokens(holders):
                return Operation("tokens", (tuple(map(self.holders, holders)),))
            case ir.Everywhere(noun):
                return Operation("everywhere", (noun,))
            case ir.Everyone(base):
                return Operation("everyone", (base,))

    def holders(self, node: ir.Holder) -> HolderRows:
        """Return the holders of a place."""
        layout = self.layout
        if isinstance(node, ir.InPiece):
            those = layout.documents_of(kind.holds for kind in layout.ruleset.kinds)
            return HolderRows("", self.present(node.piece), layout.first_piece_holder, 1, 1, layout.room, those)
        zone, known = layout.zones[node.zone], layout.ruleset.zones[node.zone]
        those = layout.documents_of([known.holds])
        whose = self.value(node.of) if node.of is not None else None
        faces = zone.faces if node.face < 0 else 1
        return HolderRows(known.name, whose, zone.first + max(node.face, 0), zone.faces, faces, zone.owners, those)

    def _split(
        self, tests: list[ir.Condition], found: Callable[[ir.Condition], Operation | None]
    ) -> tuple[Operation | None, list[ir.Condition]]:
        """Return the operation of the first test for which there is an operation, and the other tests."""
        for number, one in enumerate(tests):
            operation = found(one)
            if operation is not None:
                return operation, tests[:number] + tests[number + 1 :]
        return None, tests

    def _document_of(self, var: ir.Var, condition: ir.Condition) -> Operation | None:
        """Return the document in `a token is of it`, unless that depends on the token itself."""
        match condition:
            case ir.Compare("==", left, right) if left == ir.Attribute("document", var, "document"):
                return self.value(right) if var.id not in variables_in(right) else None
        return None

    def _few_spaces(self, var: ir.Var, condition: ir.Condition) -> Operation | None:
        """Return the spaces that a condition on a space leaves, if it names a tag or the space of a thing."""
        match condition:
            case ir.Tagged(tag, space) if space == var:
                return Operation("tagged spaces", (tag,))
            case ir.Compare("==", left, right) if right == var and var.id not in variables_in(left):
                return Operation("one space", (self.where_it_is(left),))
        return None

    def _beside(self, var: ir.Var, condition: ir.Condition) -> Operation | None:
        asked = beside(var, condition)
        return Operation("beside", (asked[1], self.value(asked[0]))) if asked is not None else None

    def _narrowed_spaces(
        self, var: ir.Var, source: Operation, asked: list[ir.Condition]
    ) -> tuple[list[Operation], list[ir.Condition]]:
        within, rest = [source] if source.operands or len(self.layout.board.spaces) < 64 else [], list[ir.Condition]()
        for condition in sorted(asked, key=cost):
            spaces = self.spaces_where(var, condition)
            if spaces is not None:
                within.append(spaces)
            else:
                rest.append(condition)
        return within or [source], rest

    def spaces_where(self, var: ir.Var, condition: ir.Condition) -> Operation | None:
        """Return the set of the spaces for which a condition holds; None if no bit set can represent it."""
        match condition:
            case ir.Tagged(tag, space) if space == var:
                return Operation("tagged spaces", (tag,))
            case ir.Apart(left=left, right=right) if (left == var) != (right == var):
                return self._spaces_apart(var, condition)
            case ir.Compare("==", left, right) if (left == var) != (right == var):
                other = right if left == var else left
                which = self.where_it_is(other) if other is left else self.value(other)
                return Operation("one space", (which,)) if var.id not in variables_in(other) else None
            case ir.Listed(key, document, space) if space == var and var.id not in variables_in(document):
                return Operation("listed spaces", (key, self.value(document)))
            case ir.Exists(members):
                return self._occupied(var, members)
            case ir.Passable(straight=False, end=end) if end == var:
                return self._reached(var, condition)
        return self._put_together(condition, lambda part: self.spaces_where(var, part))

    def _spaces_apart(self, var: ir.Var, node: ir.Apart) -> Operation | None:
        """Return the set of the spaces at a distance from a place; None if the place depends on the space itself."""
        backwards = node.left == var
        other = node.right if backwards else node.left
        direction = node.direction if node.straight else None
        if var.id in variables_in(other) or (direction is not None and var.id in variables_in(direction)):
            return None
        operands = (backwards, node.low, node.high, self.where(other) if backwards else self.place(other))
        if direction is not None:
            return Operation("spaces in direction", (*operands, self.value(direction)))
        return Operation("spaces in line" if node.straight else "spaces apart", operands)

    def _occupied(self, var: ir.Var, node: ir.Set) -> Operation | None:
        """Return the set of the spaces of some pieces; None if the pieces have conditions other than on their kind."""
        rest = [one for one in node.filters if _space_of(node.var, one) != var]
        if self.spaces != "bits" or not isinstance(node.members, ir.Pieces) or len(rest) + 1 != len(node.filters):
            return None
        kinds = set(node.members.kinds)
        for one in rest:
            if not isinstance(one, ir.KindIs) or one.piece != node.var:
                return None
            kinds &= set(one.kinds)
        return Operation("occupied", tuple(sorted(kinds)))

    def _reached(self, var: ir.Var, node: ir.Passable) -> Operation | None:
        """Return the set of the spaces that a way leads to; None if no bit set has the spaces that the way can use."""
        fits = self.spaces_where(node.between, node.fits)
        own = {var.id, node.between.id} & variables_in(node.origin) or var.id in variables_in(node.fits)
        if self.spaces != "bits" or fits is None or own:
            return None
        return Operation("reached", (self.place(node.origin), node.high, fits))

    def _put_together(
        self, condition: ir.Condition, where: Callable[[ir.Condition], Operation | None]
    ) -> Operation | None:
        """Return the set for a compound condition, if there are sets for all of its parts."""
        match condition:
            case ir.Not(part):
                found = where(part)
                return Operation("without", (found,)) if found is not None else None
            case ir.All(parts) | ir.Any(parts) if parts:
                sets = [one for one in map(where, parts) if one is not None]
                code = "both" if isinstance(condition, ir.All) else "either"
                return Operation(code, tuple(sets)) if len(sets) == len(parts) else None
        return None

    def _narrowed_pieces(
        self, var: ir.Var, kinds: tuple[int, ...], asked: list[ir.Condition]
    ) -> tuple[list[Operation], list[ir.Condition]]:
        within, rest, narrow = [Operation("pieces", kinds)], list[ir.Condition](), False
        for condition in asked:
            found = None if narrow else self._where_to_look(var, condition)
            narrow = narrow or found is not None
            pieces = found or self._pieces_where(var, condition)
            if pieces is not None:
                within.append(pieces)
            else:
                rest.append(condition)
        return within[narrow and len(kinds) == len(self.layout.ruleset.kinds) :], rest

    def _pieces_where(self, var: ir.Var, condition: ir.Condition) -> Operation | None:
        """Return the set of the pieces for which a condition holds; None if no cell has it."""
        match condition:
            case ir.Bears(piece, document) if piece == var:
                return Operation("pieces of", (document,))
            case ir.KindIs(piece, kinds) if piece == var:
                return Operation("pieces", kinds)
        return self._put_together(condition, lambda part: self._pieces_where(var, part))

    def _where_to_look(self, var: ir.Var, condition: ir.Condition) -> Operation | None:
        """Return the set of the pieces of a document, on a space or next to something, if the condition requires it."""
        document, space = ir.Attribute("document", var, "document"), ir.Attribute("space", var, "space")
        match condition:
            case ir.Compare("==", left, right) if left == document and var.id not in variables_in(right):
                return Operation("pieces of", (self.value(right),))
            case ir.Compare("==", left, right) if left == space and var.id not in variables_in(right):
                return Operation("pieces on", (self.place(right),))
            case ir.Apart(left=left, right=right) if self.spaces == "bits" and (left == var) != (right == var):
                near = self._spaces_apart(var, condition)
                return Operation("pieces in", (near,)) if near is not None else None
            case ir.Apart(low, 0 | 1 as high, left, right, False, None) if right == var:
                near_by = Operation("pieces near", (low, high, self.place(left)))
                return near_by if var.id not in variables_in(left) else None
        return None


def _space_of(var: ir.Var, condition: ir.Condition) -> ir.Value | None:
    """Return the space on which a piece must be, if a condition requires one."""
    space = ir.Attribute("space", var, "space")
    match condition:
        case ir.Compare("==", left, right) if space in (left, right):
            other = right if left == space else left
            return other if var.id not in variables_in(other) else None
    return None
