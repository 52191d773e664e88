"""Plain steps: tokens and pieces move, fields and variables get values, the game ends. There is no choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from warchest.engine import effects
from warchest.engine.events import lapse, show
from warchest.engine.history import (
    Became,
    FieldSet,
    KindChanged,
    Moved,
    NumberChanged,
    Owned,
    Placed,
    Raised,
    Removed,
    Seen,
    TokenMoved,
)
from warchest.engine.lookahead import is_over
from warchest.engine.permissions import decider_of
from warchest.engine.runs import DONE, FAIL, HORIZON, Env, Run, Stop, frames
from warchest.ir import steps as ir
from warchest.ir.ruleset import FIXED
from warchest.ir.values import NOTHING, Parameter, Value, Var
from warchest.lowering.code import Plain
from warchest.lowering.layout import (
    DOCUMENT,
    ENDED,
    KIND,
    MUST_ASK,
    NOWHERE,
    OWNER,
    ROUND,
    SPACE,
    TURN,
    UNSETTLED,
    WINNER,
)
from warchest.source.text import Span


def _value(run: Run, env: Env, node: Value) -> int:
    if type(node) is Var:
        return env[node.id]  # type: ignore[no-any-return]
    return run.machine.functions.value(node)(run, env)


# ---- tokens


def _move_token(run: Run, env: Env, it: Plain) -> None:
    step, functions = it.step, run.machine.functions
    assert isinstance(step, ir.MoveToken)
    if it.announces and run.in_option:
        run.notes.append(("act?", "put", 0))
    token, holder = (functions.known.get(id(step)) or functions.moving(step))(run, env)
    moved = effects.move_tokens(run, run.program.layout, token, holder)
    if moved < 0:
        # Its goal is a piece that has left the board, or a zone that has no owner or is full; or the token is gone.
        lapse(run, step.span)
        return
    if isinstance(step.token, Var) and step.token.base == "token":
        # The variable gets the number of the token at its new place.
        place = step.token.id
        run.env = (*env[:place], moved, *env[place + 1 :])
    if not run.lookahead:
        run.tell(TokenMoved, step.span, token, holder)


def _move_all(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.MoveAll)
    holder = run.machine.functions.holder(step)(run, env)
    if holder < 0:
        lapse(run, step.span)
        return
    left = step.count if step.count >= 0 else 1 << 30
    for token in run.machine.functions.members(step.tokens)(run, env):
        count = min(run.memory[layout.tokens + token], left)
        if not count:
            continue
        if effects.move_tokens(run, layout, token, holder, count) < 0:
            lapse(run, step.span)
        else:
            left -= count
            run.tell(TokenMoved, step.span, token, holder, count)


def _make_tokens(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.MakeTokens)
    document, holder = _value(run, env, step.document), run.machine.functions.holder(step)(run, env)
    count = run.catalogue["number", step.key][document] if step.count is None else _value(run, env, step.count)
    if holder < 0 or not effects.add_tokens(run, layout, holder, document, count):
        lapse(run, step.span)
        return
    if count:
        run.tell(TokenMoved, step.span, NOWHERE * layout.documents + document, holder, count)


# ---- pieces


def _raise_piece(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.RaisePiece)
    token, space = _value(run, env, step.token), _value(run, env, step.space)
    if effects.is_gone(run, layout, token) or space < 0 or effects.taken(run, layout, step.kind, space):
        lapse(run, step.span)
        return
    owner, document = _value(run, env, step.owner), token % layout.documents
    piece = effects.new_piece(run, layout, step.kind, document, space, owner)
    run.put(step.result.id, piece)
    moved = effects.move_tokens(run, layout, token, layout.first_piece_holder + piece)
    if isinstance(step.token, Var):
        run.put(step.token.id, moved)
    if not run.lookahead:
        run.tell(Placed, step.span, run.meant(piece), token)


def _move_piece(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.MovePiece)
    piece, space = _value(run, env, step.piece), _value(run, env, step.space)
    if piece < 0 or space < 0 or effects.taken(run, layout, run.memory[layout.piece(piece) + KIND], space, piece):
        lapse(run, step.span)
        return
    if not run.lookahead:
        run.tell(Moved, step.span, run.meant(piece), space)
    effects.move_piece(run, layout, piece, space)


def _swap_places(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.SwapPlaces)
    first, second = _value(run, env, step.piece), _value(run, env, step.other)
    if first < 0 or second < 0 or not effects.can_swap_places(run, layout, first, second):
        lapse(run, step.span)
        return
    here, there = (run.memory[layout.piece(piece) + SPACE] for piece in (first, second))
    for piece, space in ((first, there), (second, here)):
        run.tell(Moved, step.span, run.meant(piece), space)
        effects.move_piece(run, layout, piece, space)


def _remove_piece(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.RemovePiece)
    piece = _value(run, env, step.piece)
    if piece < 0:
        lapse(run, step.span)
        return
    if run.onlooker is not None and run.program.falls < 0:
        _show_fall(run, env, piece)
    if not run.lookahead:
        clause = _removing(run, step)
        run.tell(Removed, clause, run.meant(piece))
        for cell in layout.holder_cells(layout.first_piece_holder + piece):
            if run.memory[cell]:
                run.tell(TokenMoved, clause, cell - layout.tokens, NOWHERE, run.memory[cell])
    effects.remove_piece(run, layout, piece)


def _removing(run: Run, step: ir.RemovePiece) -> Span | None:
    """Return the text that has a piece removed; where the removal is an event, the text that ordered the event."""
    falls = run.program.falls
    if falls < 0:
        return step.span
    below = next((one for one in frames(run.parent) if one.code.event != falls), None)
    return below.code.clause(below.pc - 1) if below is not None else step.span


def _show_fall(run: Run, env: Env, piece: int) -> None:
    """Report that a piece falls, where no text asks for it and so there is no event."""
    falls = run.program.ruleset.falls
    if falls >= 0:
        show(run, run.program.acts[falls], (piece, decider_of(run, piece), NOTHING, piece))


def _change_form(run: Run, env: Env, it: Plain) -> None:
    step = it.step
    assert isinstance(step, ir.ChangeForm | ir.SwapForm)
    piece = _value(run, env, step.piece)
    if piece < 0:
        lapse(run, step.span)
        return
    document = _value(run, env, step.document)
    if document < 0:
        return
    run.tell(Became, step.span, run.meant(piece), document)
    become = effects.swap_form if isinstance(step, ir.SwapForm) else effects.change_form
    become(run, run.program.layout, piece, document)


def _change_kind(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.BecomeKind)
    piece = _value(run, env, step.piece)
    if piece < 0 or not effects.can_change_kind(run, layout, piece, step.kind):
        lapse(run, step.span)
        return
    run.tell(KindChanged, step.span, run.meant(piece), step.kind)
    effects.change_kind(run, layout, piece, step.kind)
    run.put(step.result.id, piece)


def _change_owner(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.ChangeOwner)
    piece, player = _value(run, env, step.piece), _value(run, env, step.owner)
    if piece < 0 or player < 0:
        lapse(run, step.span)
        return
    if run.memory[layout.piece(piece) + OWNER] == player:
        return
    run.tell(Owned, step.span, run.meant(piece), player)
    effects.change_owner(run, layout, piece, player)


# ---- fields, and temporary values


def _set_field(run: Run, env: Env, it: Plain) -> None:
    step, layout, functions = it.step, run.program.layout, run.machine.functions
    assert isinstance(step, ir.SetField)
    if step.of is not None and _value(run, env, step.of) < 0:
        lapse(run, step.span)
        return
    cell, value = (functions.known.get(id(step)) or functions.setting(step))(run, env)
    old = run.memory[cell]
    if old == value:
        return
    # Stages of events set values of acts, which begin and end with these.
    is_told = not run.lookahead and not run.code.stages
    whose = (_value(run, env, step.of) if step.of is not None else 0) if is_told else NOTHING
    run.log.append((cell, old))
    run.memory[cell] = value
    if whose >= 0:
        of = run.meant(whose) if step.field in layout.piece_field else whose
        run.tell(FieldSet, step.span, step.field, of, value)
    if step.field in layout.watched.fields:
        run.set(UNSETTLED, 1)


def _grant(run: Run, env: Env, it: Plain) -> None:
    step, layout = it.step, run.program.layout
    assert isinstance(step, ir.Grant)
    piece = _value(run, env, step.piece)
    if piece < 0:
        lapse(run, step.span)
        return
    what, amount = bonus_of(run, env, step.bonus)
    if step.clause < 0:
        effects.raise_for_good(run, layout, piece, what, amount)
    else:
        this, you = max(_value(run, env, step.this), NOTHING), _value(run, env, step.you)
        effects.give(run, layout, step.clause, piece, what, amount, this, you)
    run.tell(Raised, step.span, run.meant(piece), what, amount)


def bonus_of(run: Run, env: Env, bonus: ir.Raise | Parameter) -> tuple[int, int]:
    """Return the number of the value that a bonus raises, and the amount."""
    if isinstance(bonus, ir.Raise):
        return bonus.what, _value(run, env, bonus.amount)
    piece = run.program.layout.piece(max(_value(run, env, bonus.piece), NOTHING))
    filled: tuple[int, int] = run.catalogue["bonus", bonus.document, bonus.index][run.memory[piece + DOCUMENT]]
    return filled


def _prevail(run: Run, env: Env, it: Plain) -> None:
    step = it.step
    assert isinstance(step, ir.Prevail)
    piece = _value(run, env, step.piece)
    if piece < 0:
        lapse(run, step.span)
        return
    value, this, you = (_value(run, env, one) for one in (step.value, step.this, step.you))
    effects.prevail(run, run.program.layout, step.clause, piece, step.field, value, max(this, NOTHING), you)
    run.tell(FieldSet, step.span, step.field, run.meant(piece), value)


def _end_grants(run: Run, env: Env, it: Plain) -> None:
    step, layout, memory = it.step, run.program.layout, run.memory
    assert isinstance(step, ir.EndGrants)
    test = run.machine.functions.test(step.when)
    for record in effects.records(memory, layout):
        by, you = memory[record + effects.BY], memory[record + effects.YOU]
        if memory[record] != step.clause + 1 or not test(run, (by, you, *env[2:])):
            continue
        piece, what, amount = memory[record + 1 : record + 4]
        effects.end_record(run, layout, record)
        if run.lookahead:
            continue
        if what >= 0:
            run.tell(Raised, step.span, run.meant(piece), what, -amount)
        else:
            field = run.program.ruleset.prevailing[-1 - what]
            now = memory[layout.piece(piece) + layout.piece_field[field]]
            run.tell(FieldSet, step.span, field, run.meant(piece), now)


def _forget(run: Run, env: Env, it: Plain) -> None:
    assert isinstance(it.step, ir.Forget)
    effects.forget_passing(run, run.program.layout, it.step.verbs)


# ---- variables, knowledge, and the end


def _keep(run: Run, env: Env, it: Plain) -> None:
    assert isinstance(it.step, ir.Keep)
    var, value = it.step.var, _value(run, env, it.step.value)
    run.put(var.id, value)
    if not run.lookahead and run.code.origin == "hook" and var.base == "number":
        roles = run.program.acts[run.code.verb].verb.roles
        if var.id - FIXED < len(roles):
            run.tell(NumberChanged, it.step.span, roles[var.id - FIXED].noun, value)


def _must(run: Run, env: Env, it: Plain) -> Stop | None:
    assert isinstance(it.step, ir.Must)
    if not run.machine.functions.test(it.step.condition)(run, env):
        run.failure = None
        return FAIL
    return is_over(run)


def _see(run: Run, env: Env, it: Plain) -> Stop | None:
    step = it.step
    assert isinstance(step, ir.See)
    # An outcome that is not known before cannot be part of an option, and no look-ahead can see it.
    run.in_option = False
    if run.lookahead:
        run.pc -= 1
        return HORIZON
    run.shown = True
    tokens = tuple(run.machine.functions.members(step.tokens)(run, env))
    run.tell(Seen, step.span, tokens, _value(run, env, step.by))
    return None


def _win(run: Run, env: Env, it: Plain) -> Stop:
    assert isinstance(it.step, ir.Win)
    run.set(WINNER, _value(run, env, it.step.team))
    return _over(run)


def _over(run: Run) -> Stop:
    """End the game, with all work under way."""
    run.set(ENDED, 1)
    effects.end_values(run, run.program.layout)
    for acts in run.program.layout.passing:
        effects.forget_passing(run, run.program.layout, acts)
    run.put_back(None)
    return DONE


def _clock(run: Run, env: Env, it: Plain) -> Stop | None:
    assert isinstance(it.step, ir.Clock)
    match it.step.what:
        case "nothing":
            return None
        case "end":
            return _over(run)
        case what:
            if run.lookahead:
                run.pc -= 1
                return HORIZON
            cell = {"turn": TURN, "round": ROUND}.get(what)
            if cell is not None:
                run.set(cell, run.memory[cell] + 1)
            run.set(MUST_ASK, 1)
            return None


PLAIN: Mapping[type, Callable[[Run, Env, Any], Stop | None]] = {
    ir.MoveToken: _move_token,
    ir.MoveAll: _move_all,
    ir.MakeTokens: _make_tokens,
    ir.MovePiece: _move_piece,
    ir.SwapPlaces: _swap_places,
    ir.RemovePiece: _remove_piece,
    ir.RaisePiece: _raise_piece,
    ir.SetField: _set_field,
    ir.Grant: _grant,
    ir.Prevail: _prevail,
    ir.EndGrants: _end_grants,
    ir.ChangeForm: _change_form,
    ir.SwapForm: _change_form,
    ir.BecomeKind: _change_kind,
    ir.ChangeOwner: _change_owner,
    ir.Forget: _forget,
    ir.Keep: _keep,
    ir.Must: _must,
    ir.See: _see,
    ir.Win: _win,
    ir.Clock: _clock,
}
"""The function that carries out each kind of plain step."""
