"""Plain steps as C statements: a step without a choice is carried out directly.

Stops and jumps are left to macros of the machine: `STOP(signal, place)`, `STOP_IF_CERTAIN(place)` after a condition
that held (perhaps nothing more can fail), and `FINISHED` when the game is over.
"""

from __future__ import annotations

from warchest.ir import steps as ir
from warchest.ir.parts import base_of, may_have_gone
from warchest.ir.ruleset import MANNER, THIS, YOU
from warchest.ir.values import FieldOf, Parameter, Trail, Var
from warchest.lowering.code import Plain
from warchest.lowering.layout import MUST_ASK, ROUND, TURN, WINNER
from warchest.native.definitions import DEEP
from warchest.native.expressions import Expressions
from warchest.native.sheets import sheet_table
from warchest.native.unfit import Unfit


def plain(write: Expressions, instruction: Plain, here: str = "0", behind: str = "0", announce: str = "") -> str:
    """Return the statements of a plain step at the place `here`; the statements `announce` name it in an option."""
    step = instruction.step
    match step:
        case ir.MoveToken():
            return _move_token(write, step, announce if instruction.announces else "")
        case ir.MoveAll() | ir.MakeTokens():
            return _tokens(write, step)
        case ir.RaisePiece():
            return _raise_piece(write, step)
        case ir.MovePiece(piece, space):
            return f"put_onto(r, {write.value(piece)}, {write.value(space)});"
        case ir.SwapPlaces(piece, other):
            return f"swap_places(r, {write.value(piece)}, {write.value(other)});"
        case ir.ChangeOwner(piece, owner):
            return f"change_owner(r, {write.value(piece)}, {write.value(owner)});"
        case ir.BecomeKind(piece, kind, result):
            change = f"change_kind(r, fp, cur, piece, {kind}); e[{result.id}] = piece;"
            return f"{{int piece = {write.value(piece)}; if (can_change_kind(r, piece, {kind})) {{{change}}}}}"
        case ir.RemovePiece() | ir.ChangeForm() | ir.SwapForm():
            return _of_piece(write, step)
        case ir.SetField():
            return _set_field(write, step)
        case ir.Grant() | ir.Prevail() | ir.EndGrants():
            return _grants(write, step)
        case ir.Forget(verbs):
            cells, flags = write.layout.passing[verbs], (write.layout.ruleset.under_way(verb) for verb in verbs)
            under_way = " || ".join(f"m[{write.layout.fields[flag]}]" for flag in flags)
            return f"if (!({under_way})) forget_passing(r, {cells.start}, {len(cells)});"
        case ir.Keep(var, value):
            return f"e[{var.id}] = {_bounded(write, var.base, write.value(value))};"
        case ir.Must() | ir.See() | ir.Win() | ir.Clock():
            return _stopping(write, step, here, behind)
    raise TypeError(f"not a plain step: {step!r}")


def _bounded(write: Expressions, base: str, value: str) -> str:
    """Return the expression for a number that may have become too large for a cell."""
    worked_out = value[:1] in "({" and not value[1:-1].lstrip("-").isdigit()
    return f"bounded(r, {value})" if base == "number" and worked_out else value


def _stopping(write: Expressions, step: ir.Must | ir.See | ir.Win | ir.Clock, here: str, behind: str) -> str:
    """Return the statements of a step that can stop the machine."""
    match step:
        case ir.Must(condition):
            return f"if (!{write.condition(condition)}) STOP(FAIL, {behind}); STOP_IF_CERTAIN({behind});"
        case ir.See():
            # An outcome that is not known in advance cannot be part of an option, nor of a look-ahead.
            return f"r->in_option = 0; if (r->lookahead) STOP(HORIZON, {here}); r->shown = 1;"
        case ir.Win(team):
            return f"set(r, {WINNER}, {write.value(team)}); over(r); FINISHED;"
        case ir.Clock("nothing"):
            return ";"
        case ir.Clock("end"):
            return "over(r); FINISHED;"
        case ir.Clock(what):
            cell = {"turn": TURN, "round": ROUND}.get(what)
            count = f"set(r, {cell}, m[{cell}] + 1); " if cell is not None else ""
            return f"if (r->lookahead) STOP(HORIZON, {here}); {count}set(r, {MUST_ASK}, 1);"


def _face(manner: int) -> str:
    if manner == ir.INHERITED:
        return f"(e[{MANNER}] > 0 ? e[{MANNER}] : 0)"
    return str(max(manner, 0))


def _move_token(write: Expressions, step: ir.MoveToken, announce: str) -> str:
    place = step.token.id if isinstance(step.token, Var) and base_of(step.token) == "token" else -1
    into = "NOWHERE" if step.into is None else write.destination(step.into, _face(step.manner))
    moved = f"e[{place}] = move_token(r, token, holder);" if place >= 0 else "move_token(r, token, holder);"
    # It lapses if its destination has no owner or has gone, or if the token was taken away on the way.
    go = f"if (holder >= 0 && is_there(r, token)) {moved}"
    return f"{{int holder = {into}, token = {write.value(step.token)}; {announce} {go}}}"


def _tokens(write: Expressions, step: ir.MoveAll | ir.MakeTokens) -> str:
    if isinstance(step, ir.MakeTokens):
        holder = write.destination(step.into, "0")
        key = sheet_table("number", step.key)
        count = write.sheets.cell(key, "document") if step.count is None else write.value(step.count)
        start = f"int document = {write.value(step.document)}, holder = {holder};"
        return f"{{{start} if (holder >= 0) add_tokens(r, holder, document, {count});}}"
    into = "NOWHERE" if step.into is None else write.destination(step.into, _face(step.manner))
    token, limited = write.value(step.tokens.var), step.count >= 0
    many = f"m[TOKENS + {token}]"
    if limited:
        many = f"{many} < left ? {many} : left"
    # The tokens are those that are there at first, wherever they go.
    gather = write.loop(step.tokens, f"tokens[count++] = {token};")
    less = "left -= many; " if limited else ""
    each = (
        f"for (int one = 0; one < count; one++) {{int {token} = tokens[one], many = {many}; "
        f"if (many > 0 && holder >= 0) {{{less}move_tokens(r, {token}, holder, many);}}}}"
    )
    left = f", left = {step.count}" if limited else ""
    return f"{{int holder = {into}, count = 0{left}; int32_t tokens[{write.most(step.tokens)}]; {gather} {each}}}"


def _raise_piece(write: Expressions, step: ir.RaisePiece) -> str:
    place = step.token.id if isinstance(step.token, Var) else -1
    start = f"int token = {write.value(step.token)}, space = {write.value(step.space)};"
    new = f"int piece = new_piece(r, {step.kind}, document_of(token), space, {write.value(step.owner)});"
    moved = "move_token(r, token, IN_PIECE + piece);"
    moved = f"e[{place}] = {moved}" if place >= 0 else moved
    test = f"is_there(r, token) && space >= 0 && !taken(r, {step.kind}, space, 0)"
    return f"{{{start} if ({test}) {{{new} e[{step.result.id}] = piece; {moved}}}}}"


def _of_piece(write: Expressions, step: ir.RemovePiece | ir.ChangeForm | ir.SwapForm) -> str:
    start = f"int piece = {write.value(step.piece)};"
    if isinstance(step, ir.RemovePiece):
        return f"{{{start} if (piece >= 0) remove_piece(r, fp, cur, piece);}}"
    become = "swap_form" if isinstance(step, ir.SwapForm) else "change_form"
    start = f"int piece = {write.value(step.piece)}, document = {write.value(step.document)};"
    return f"{{{start} if (piece >= 0 && document >= 0) {become}(r, piece, document);}}"


def _set_field(write: Expressions, step: ir.SetField) -> str:
    field = write.ruleset.fields[step.field]
    if field.steps is not None:
        return _set_trail(write, step)
    value = _bounded(write, field.base, write.value(step.value))
    keep = f"set(r, cell, value);{' dirty(r);' if step.field in write.layout.watched.fields else ''}"
    text = f"{{int cell = {write.cell(step.field, step.of)}, value = {value}; if (m[cell] != value) {{{keep}}}}}"
    return _if_there(write, step, text)


def _if_there(write: Expressions, step: ir.SetField, text: str) -> str:
    """Return the statements that set a field, which lapse if its piece has gone, or it has no owner."""
    if step.of is None or (step.field in write.layout.piece_field and not may_have_gone(step.of)):
        return text
    return f"if ({write.value(step.of)} >= 0) {text}"


def _set_trail(write: Expressions, step: ir.SetField) -> str:
    value, trail = step.value, FieldOf(step.field, step.of, "number")
    if not isinstance(value, Trail) or value.trail != trail:
        raise Unfit("a trail gets another value than one step more or less")
    row, most = write.trail(trail), DEEP * value.width
    changes = [f"add_step(r, {row}, {most}, {write.value(part)})" for part in value.step]
    changes = changes or [f"go_back(r, {row})"] * value.width
    is_watched = step.field in write.layout.watched.fields
    each = (f"if ({one}) dirty(r);" if is_watched else f"{one};" for one in changes)
    return _if_there(write, step, f"{{{' '.join(each)}}}")


def _grants(write: Expressions, step: ir.Grant | ir.Prevail | ir.EndGrants) -> str:
    if isinstance(step, ir.EndGrants):
        test = write.reading({**write.instead, THIS: "giver", YOU: "player"}).condition(step.when)
        known = "int giver = r->m[one + BY], player = r->m[one + YOU_THEN]; (void)giver; (void)player;"
        is_ended = f"if (r->m[one] == {step.clause + 1}) {{{known} if ({test}) end_grant(r, one);}}"
        return f"FOR_GRANTS(r, one) {{{is_ended}}}"
    start = f"int piece = {write.value(step.piece)};"
    by = f"{write.value(step.this)}, {write.value(step.you)}"
    if isinstance(step, ir.Prevail):
        number = write.ruleset.prevailing.index(step.field)
        what = f"{number}, {_bounded(write, 'number', write.value(step.value))}"
        return f"{{{start} if (piece >= 0) prevail(r, {step.clause}, piece, {what}, {by});}}"
    given = f"{{{start} if (piece >= 0) "
    match step.bonus:
        case ir.Raise(what_raised, amount):
            what = f"{what_raised}, {write.value(amount)}"
            return f"{given}grant_bonus(r, {step.clause}, piece, {what}, {by});}}"
        case Parameter(document, index, of):
            kinds = (sheet_table(kind, document, index) for kind in ("raised", "amount"))
            what = ", ".join(write.sheets.cell(kind, "on") for kind in kinds)
            on = f"m[PIECES + DOCUMENT + {write.present(of)} * STRIDE]"
            return f"{given}{{int on = {on}; grant_bonus(r, {step.clause}, piece, {what}, {by});}}}}"
