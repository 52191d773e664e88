"""The possible acts, and the candidates for their roles, which must be permitted and not forbidden.

A rule or a permission on a document is about the bearer of the document: `this` is then the role that the rule names,
or, if it names no role, any piece that bears the document.
"""

from __future__ import annotations

from collections.abc import Sequence

from warchest.engine.effects import by_place
from warchest.engine.evaluation import members_of
from warchest.engine.runs import Env, Run
from warchest.ir.ruleset import AGENT, FIXED, THIS, YOU, Domain, Rule
from warchest.ir.values import NOTHING, Set, asks_nothing
from warchest.lowering.code import UNSET, Act, Pick, PickRole
from warchest.lowering.gone import digits_of
from warchest.lowering.layout import POSTPONED

NOBODY: Env = (NOTHING,) * FIXED
"""The variables of an event without an act."""
WAYS = 64
"""The distance between ways as candidates: the piece that bears the document of a way is added to each."""


def decider_of(run: Run, piece: int) -> int:
    """Return the player who decides for a piece, or decided for it last."""
    layout = run.program.layout
    if piece < 0:
        return digits_of(layout).decider.of(piece)
    return run.memory[layout.pieces + layout.decider + piece * layout.stride]


def bearers_of(run: Run, document: int) -> int:
    """Return the set of the pieces that are of a document, or bear it, as bits."""
    return run.memory[run.program.layout.of_document + document]


def ordered_members(run: Run, env: Env, among: Set) -> Sequence[int]:
    """Return the members of a set, pieces by place."""
    functions = run.machine.functions
    found = (functions.known.get(id(among)) or functions.members(among))(run, env)
    return by_place(run, run.program.layout, found) if among.var.base == "piece" else found


def scopes_of(run: Run, env: Env, act: Act, said: Rule | Domain) -> Sequence[Env]:
    """Return the variables for evaluating a rule or a permission: once for each piece that it is about."""
    carrier, role = said.carrier, said.this_role
    if carrier < 0:
        return (env,)
    bearers = run.memory[run.program.layout.of_document + carrier]
    if role < 0:
        return [_carried(run, env, piece) for piece in members_of(bearers)] if bearers else ()
    this = env[AGENT + role]
    if this < 0:
        return ()
    if act.bases[AGENT + role] == "token":
        return ((this, *env[1:]),) if this % run.program.layout.documents == carrier else ()
    return (_carried(run, env, this),) if bearers >> this & 1 else ()


def _carried(run: Run, env: Env, piece: int) -> Env:
    """Return variables in which `this` is a piece, and `you` the player who decides for it."""
    return (piece, decider_of(run, piece), *env[2:])


# ---- what is forbidden


def forbids(run: Run, roles: Env, act: Act, rule: Rule) -> bool:
    """Whether a rule forbids an act with its roles."""
    test = run.machine.functions.test(rule.condition)
    return test(run, roles) if rule.carrier < 0 else any([test(run, one) for one in scopes_of(run, roles, act, rule)])


def forbidden_by(run: Run, roles: Env, act: Act) -> Rule | None:
    """Return the first rule that forbids an act with its roles; None if no rule does."""
    functions, memory, first = run.machine.functions, run.memory, run.program.layout.of_document
    for rule in act.rules:
        if rule.carrier < 0:
            is_so = (functions.known.get(id(rule.condition)) or functions.test(rule.condition))(run, roles)
        else:
            # Most documents have no bearer; a rule on one of them can only be about a token.
            about_token = act.bases[AGENT + rule.this_role] == "token"
            is_so = (about_token or memory[first + rule.carrier]) and forbids(run, roles, act, rule)
        if is_so:
            if run.refusing is not None:
                run.refusing(run, act, roles)
            return rule
    return None


def all_forbidding(run: Run, roles: Env, act: Act) -> list[Rule]:
    """Return every rule that forbids an act with its roles."""
    return [rule for rule in act.rules if forbids(run, roles, act, rule)]


# ---- what is permitted


def without_due(run: Run, found: Sequence[int]) -> Sequence[int]:
    """Return pieces, except pieces that wait for a consequence until the event under way allows it.

    A piece that has lost all its tokens is no candidate any more, although its event is not over.
    """
    if not (run.memory[POSTPONED] or run.program.falls_wait):
        return found
    about_pieces = [one.rule.among for one in run.program.state_rules if one.rule.among.var.base == "piece"]
    due = {piece for among in about_pieces for piece in run.machine.functions.members(among)(run, NOBODY)}
    return [one for one in found if one not in due]


def can_begin(run: Run, piece: int, act: Act) -> bool:
    """Whether a piece bears one of the documents that an act needs, if it needs any."""
    if act.needs is None:
        return True
    memory, first = run.memory, run.program.layout.of_document
    return piece >= 0 and any([memory[first + one] >> piece & 1 for one in act.needs])


def standing_domains(run: Run, env: Env, act: Act, role: int) -> list[Domain]:
    """Return the domains of a role: general domains, and domains on documents of the agent or a filler of a role."""
    return [one for one in act.domains[role] if scopes_of(run, env, act, one)]


def role_candidates(run: Run, env: Env, point: PickRole) -> Sequence[int]:
    """Return the candidates for a role: permitted candidates, except any that make the act forbidden.

    Prohibitions are checked only when the last role is chosen.
    """
    act = run.program.acts[point.verb]
    found = _permitted(run, env, act, point.role)
    if found and act.bases[point.place] == "piece":
        found = by_place(run, run.program.layout, without_due(run, found))
    if not found or not act.rules:
        return found
    before, after = env[: point.place], env[point.place + 1 : act.way_place]
    if UNSET in after:
        return found
    return [one for one in found if forbidden_by(run, (*before, one, *after), act) is None]


def _permitted(run: Run, env: Env, act: Act, role: int) -> Sequence[int]:
    functions, found = run.machine.functions, list[int]()
    for domain in act.domains[role]:
        for scope in scopes_of(run, env, act, domain):
            if asks_nothing(domain.applies) or functions.test(domain.applies)(run, scope):
                among = domain.among
                members = (functions.known.get(id(among)) or functions.members(among))(run, scope)
                found += [one for one in members if one not in found] if found else members
    return found


def pick_candidates(run: Run, env: Env, point: Pick) -> Sequence[int]:
    """Return the members of a set, except members for which the following act is forbidden."""
    functions, among = run.machine.functions, point.among
    found = (functions.known.get(id(among)) or functions.members(among))(run, env)
    if found and among.var.base == "piece":
        found = by_place(run, run.program.layout, without_due(run, found))
    if point.verb < 0 or not found or not run.program.acts[point.verb].rules:
        return found
    act = run.program.acts[point.verb]
    return [one for one in found if forbidden_by(run, roles_with(run, env, point, one), act) is None]


def roles_with(run: Run, env: Env, point: Pick, candidate: int) -> Env:
    """Return the variables of the act that a candidate is chosen for."""
    with_it = (*env[: point.place], candidate, *env[point.place + 1 :])
    return run.machine.functions.row(point.variables)(run, with_it)


def ways_of(run: Run, env: Env, act: Act) -> list[int]:
    """Return the ways to carry out an act, each with the piece that carries it, as one number.

    The ways of several pieces are in the order of the places of the pieces.
    """
    memory, first, test, found = run.memory, run.program.layout.of_document, run.machine.functions.test, list[int]()
    for number, way in enumerate(act.ways):
        if way.carrier < 0:
            if way.always or test(act.verb.definitions[number].applies)(run, env):
                found.append(number * WAYS + 1 + env[THIS])
            continue
        bearers = memory[first + way.carrier]
        if not bearers:
            continue
        if act.by_piece:
            # A piece acts in ways of its own, not in those of another one.
            bearers = 1 << env[AGENT] if env[AGENT] >= 0 and bearers >> env[AGENT] & 1 else 0
        for piece in by_place(run, run.program.layout, members_of(bearers)):
            applies = act.verb.definitions[number].applies
            if decider_of(run, piece) == env[YOU] and test(applies)(run, (piece, *env[1:])):
                found.append(number * WAYS + 1 + piece)
    return found
