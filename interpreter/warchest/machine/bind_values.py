"""Values and sets made ready to run: each becomes a function of a run and the variables of a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from warchest.machine.layout import DOCUMENT, LIVE, OWNER, SPACE, Layout
from warchest.machine.run import Env, Run
from warchest.rules import values as ir
from warchest.rules.values import NOTHING

Evaluate: TypeAlias = Callable[[Run, Env], int]
Test: TypeAlias = Callable[[Run, Env], bool]
Gather: TypeAlias = Callable[[Run, Env], Sequence[int]]
SET_VARIABLES = 1000

_members_of_mask: dict[int, tuple[int, ...]] = {}


def members_of(mask: int) -> tuple[int, ...]:
    """Return the numbers of the bits set in `mask`, smallest first."""
    found = _members_of_mask.get(mask)
    if found is None:
        found = tuple(index for index in range(mask.bit_length()) if mask >> index & 1)
        _members_of_mask[mask] = found
    return found


class ValueBinder:
    """Binds values; `size` is the number of variables of the frame, behind which set variables stand."""

    def __init__(self, layout: Layout, size: int) -> None:
        self.layout, self.size = layout, size

    def index(self, var: ir.Var) -> int:
        """Return where a variable stands."""
        return var.id if var.id < SET_VARIABLES else self.size + var.id - SET_VARIABLES

    def value(self, node: ir.Value) -> Evaluate:
        """Return the function that evaluates a value."""
        match node:
            case ir.Var():
                place = self.index(node)
                return lambda run, env: env[place]  # type: ignore[no-any-return]
            case ir.Const(number):
                return lambda run, env: number
            case ir.FieldOf():
                return self._field(node)
            case ir.Attribute():
                return self._attribute(node)
            case ir.SheetNumber(key, of):
                numbers = [sheet.numbers.get(key, 0) for sheet in self.layout.ruleset.sheets]
                inner = self.value(of)
                return lambda run, env: numbers[inner(run, env)]
            case ir.PerDocument():
                return self._per_document(node)
            case ir.Sum(signs, terms):
                parts = tuple(zip(signs, (self.value(term) for term in terms), strict=True))
                return lambda run, env: sum(sign * part(run, env) for sign, part in parts)
            case ir.Size(of):
                return self._size(of)

    def _field(self, node: ir.FieldOf) -> Evaluate:
        if node.of is None:
            cell = self.layout.fields[node.field]
            return lambda run, env: run.memory[cell]
        inner = self.value(node.of)
        if node.field in self.layout.piece_field:
            first, stride = self.layout.pieces + self.layout.piece_field[node.field], self.layout.stride
            return lambda run, env: run.memory[first + inner(run, env) * stride]
        first = self.layout.fields[node.field]
        return lambda run, env: run.memory[first + inner(run, env)]

    def _attribute(self, node: ir.Attribute) -> Evaluate:
        inner = self.value(node.of)
        layout = self.layout
        if node.what == "team":
            teams = (*layout.team_of, NOTHING)
            return lambda run, env: teams[inner(run, env)]
        if node.what == "neighbour":
            players = layout.players
            return lambda run, env: (inner(run, env) + 1) % players
        if base_of(node.of) == "token":
            documents = layout.documents
            if isinstance(node.of, ir.Var):
                place = self.index(node.of)
                return lambda run, env: env[place] % documents
            return lambda run, env: inner(run, env) % documents
        offset = {"document": DOCUMENT, "owner": OWNER, "space": SPACE}[node.what]
        first, stride = layout.pieces + offset, layout.stride
        if isinstance(node.of, ir.Var):
            # By far the most frequent question, so it is answered without a further call. The cells of a piece
            # that is not there are -1, and the last cell of the memory is never asked for by that number.
            place = self.index(node.of)
            return lambda run, env: run.memory[first + env[place] * stride] if env[place] >= 0 else NOTHING

        def of_piece(run: Run, env: Env) -> int:
            piece = inner(run, env)
            return run.memory[first + piece * stride] if piece >= 0 else NOTHING

        return of_piece

    def _per_document(self, node: ir.PerDocument) -> Evaluate:
        document, otherwise = self.value(node.of), self.value(node.otherwise)
        cases = {number: self.value(value) for number, value in node.cases}

        def choose(run: Run, env: Env) -> int:
            return cases.get(document(run, env), otherwise)(run, env)

        return choose

    # ---- where tokens are

    def holders(self, nodes: Iterable[ir.Holder]) -> Gather:
        """Return the function that gives the numbers of some holders."""
        parts = [self._holder(node) for node in nodes]
        if len(parts) == 1:
            return parts[0]
        return lambda run, env: [holder for part in parts for holder in part(run, env)]

    def _holder(self, node: ir.Holder) -> Gather:
        if isinstance(node, ir.InPiece):
            piece, first = self.value(node.piece), self.layout.first_piece_holder

            def of_piece(run: Run, env: Env) -> Sequence[int]:
                number = piece(run, env)
                return (first + number,) if number >= 0 else ()

            return of_piece
        zone = self.layout.zones[node.zone]
        faces = range(zone.faces) if node.face < 0 else (node.face,)
        by_player = [tuple(zone.number(player, face) for face in faces) for player in range(zone.players)]
        if node.of is None:
            everywhere = tuple(holder for holders in by_player for holder in holders)
            return lambda run, env: everywhere
        owner = self.value(node.of)
        return lambda run, env: by_player[owner(run, env)]

    def destination(self, node: ir.Holder) -> Callable[[Run, Env, int], int]:
        """Return the function that gives the holder tokens go into; it takes the face too."""
        if isinstance(node, ir.InPiece):
            piece, first_piece = self.value(node.piece), self.layout.first_piece_holder
            return lambda run, env, face: first_piece + piece(run, env)
        zone = self.layout.zones[node.zone]
        first, faces = zone.first, zone.faces
        if node.of is None:
            return lambda run, env, face: first + (face if face < faces else 0)
        owner = self.value(node.of)
        if faces == 1:
            return lambda run, env, face: first + owner(run, env)
        return lambda run, env, face: first + owner(run, env) * faces + face

    # ---- sets

    def gather(self, node: ir.Set) -> Gather:
        """Return the function that lists the members of a set, in a fixed order."""
        source, filters = self._refined(node)
        tests = tuple(self.test(condition) for condition in filters)
        if not tests:
            return source
        if len(tests) == 1:
            only = tests[0]
            return lambda run, env: [x for x in source(run, env) if only(run, env + (x,))]
        first, rest = tests[0], tests[1:]

        def several(run: Run, env: Env) -> Sequence[int]:
            found = []
            for x in source(run, env):
                inner = env + (x,)
                if first(run, inner):
                    for test in rest:
                        if not test(run, inner):
                            break
                    else:
                        found.append(x)
            return found

        return several

    def _refined(self, node: ir.Set) -> tuple[Gather, tuple[ir.Condition, ...]]:
        """Return where to look for members and what is still to be tested; pieces are found by type or by place."""
        if isinstance(node.members, ir.Pieces) and self._all_kinds(node.members.kinds):
            for number, condition in enumerate(node.filters):
                source = self._by_document(node.var, condition) or self._by_place(node.var, condition)
                if source is not None:
                    return source, (*node.filters[:number], *node.filters[number + 1 :])
        return self._source(node.members), node.filters

    def _by_document(self, var: ir.Var, condition: ir.Condition) -> Gather | None:
        """Return the source for pieces whose document is asked for, if the condition asks for one."""
        document = ir.Attribute("document", var, "document")
        if not isinstance(condition, ir.Compare) or condition.how != "==" or condition.left != document:
            return None
        wanted, first = self.value(condition.right), self.layout.of_document

        def source(run: Run, env: Env) -> Sequence[int]:
            mask = run.memory[first + wanted(run, env)]
            return members_of(mask) if mask else ()

        return source

    def _by_place(self, var: ir.Var, condition: ir.Condition) -> Gather | None:
        """Return the source for pieces next to something, if the condition asks for that."""
        if not isinstance(condition, ir.Apart) or condition.straight or condition.high > 1 or condition.right != var:
            return None
        start, ring, first = self.place(condition.left), self.layout.board.ring(condition.low, 1), self.layout.at

        def source(run: Run, env: Env) -> Sequence[int]:
            memory = run.memory
            mask = 0
            for space in ring[start(run, env)]:
                mask |= memory[first + space]
            return members_of(mask) if mask else ()

        return source

    def _all_kinds(self, kinds: tuple[int, ...]) -> bool:
        return len(kinds) == len(self.layout.ruleset.kinds)

    def test(self, node: ir.Condition) -> Test:
        """Return the function that tests a condition."""
        raise NotImplementedError

    def _source(self, node: ir.Members) -> Gather:
        match node:
            case ir.AllSpaces():
                spaces = tuple(range(len(self.layout.board.spaces)))
                return lambda run, env: spaces
            case ir.Ring(low, high, origin):
                ring, start = self.layout.board.ring(low, high), self.place(origin)
                return lambda run, env: ring[start(run, env)]
            case ir.Ray(low, high, origin, direction):
                return self._ray(low, high, origin, direction)
            case ir.Pieces(kinds):
                return self._pieces(kinds)
            case ir.Tokens(holders):
                return self._tokens(self.holders(holders))
            case ir.Everyone(base):
                return self._everyone(base)

    def _everyone(self, base: str) -> Gather:
        if base == "player":
            return self._players()
        count = self.layout.teams if base == "team" else len(self.layout.board.directions)
        everyone = tuple(range(count))
        return lambda run, env: everyone

    def _players(self) -> Gather:
        """Players in turn order from the active one, whom a field of the game names."""
        count = self.layout.players
        orders = tuple(tuple((first + step) % count for step in range(count)) for first in range(count))
        active = self.layout.fields.get(self.layout.ruleset.active)
        if active is None:
            return lambda run, env: orders[0]
        return lambda run, env: orders[max(run.memory[active], 0)]

    def _ray(self, low: int, high: int, origin: ir.Value, direction: ir.Value | None) -> Gather:
        parts, start = self.layout.board.ray_part(low, high), self.place(origin)
        if direction is None:
            joined = tuple(tuple(sorted(end for ray in rays for end in ray)) for rays in parts)
            return lambda run, env: joined[start(run, env)]
        way = self.value(direction)
        return lambda run, env: parts[start(run, env)][way(run, env)]

    def _pieces(self, kinds: tuple[int, ...]) -> Gather:
        if self._all_kinds(kinds):
            return lambda run, env: members_of(run.memory[LIVE])
        first, stride, wanted = self.layout.pieces, self.layout.stride, frozenset(kinds)
        return lambda run, env: [
            piece for piece in members_of(run.memory[LIVE]) if run.memory[first + piece * stride] in wanted
        ]

    def _tokens(self, holders: Gather) -> Gather:
        documents, first = self.layout.documents, self.layout.tokens

        def tokens(run: Run, env: Env) -> Sequence[int]:
            found = []
            memory = run.memory
            for holder in holders(run, env):
                start = holder * documents
                counts = memory[first + start : first + start + documents]
                if any(counts):
                    found.extend([start + index for index, count in enumerate(counts) if count])
            return found

        return tokens

    def _size(self, node: ir.Set) -> Evaluate:
        if isinstance(node.members, ir.Tokens):
            members, cells = self.gather(node), self.layout.tokens
            if not node.filters:
                return self._total(self.holders(node.members.holders))
            return lambda run, env: sum(run.memory[cells + token] for token in members(run, env))
        gathered = self.gather(node)
        return lambda run, env: len(gathered(run, env))

    def _total(self, holders: Gather) -> Evaluate:
        documents, first = self.layout.documents, self.layout.tokens

        def total(run: Run, env: Env) -> int:
            memory, found = run.memory, 0
            for holder in holders(run, env):
                start = first + holder * documents
                found += sum(memory[start : start + documents])
            return found

        return total

    def place(self, node: ir.Value) -> Evaluate:
        """Return the function that gives the space of a space or a piece."""
        if base_of(node) == "piece":
            return self._attribute(ir.Attribute("space", node, "space"))
        return self.value(node)


def base_of(node: ir.Value) -> str:
    """Return what kind of value a node stands for."""
    if isinstance(node, ir.Var | ir.Const | ir.Attribute):
        return node.base
    return "number"

