"""Orders: the call of an act by a text, the initial variables of the act, and its announcement in options."""

from __future__ import annotations

from warchest.ir import steps as ir
from warchest.ir.parts import asked_roles, kept_by
from warchest.ir.ruleset import AGENT, FIXED, MANNER, Ruleset, Verb
from warchest.ir.values import NO_PIECE, NOTHING, Attribute, Base, Const, Value, Var
from warchest.lowering.code import SETTLED, SILENT_ORDER, UNSET, Announcement, Note, Outs
from warchest.lowering.failure import own_act


def role_key(word: str, noun: str) -> str:
    """Return the key of a role in an option's data: the destination of a thing is `to`, any other role has its noun."""
    return "to" if word in ("to", "onto", "into") else noun


def pick_key(verb: Verb, number: int) -> str:
    """Return the key in an option's data of the agent (0) or a role of an act."""
    if number == 0:
        return verb.agent_noun
    role = verb.roles[number - 1]
    return role_key(role.word, role.noun)


def part_of(verb: Verb, step: ir.Call, variable: int) -> str:
    """Return the key in an option's data of the part that a variable has in an act; empty if it has none."""
    for number, fill in enumerate(step.fills):
        if isinstance(fill, ir.Bound) and isinstance(fill.value, Var) and fill.value.id == variable:
            return pick_key(verb, number)
    return ""


def variables_of(verb: Verb, step: ir.Call) -> list[Value]:
    """Return the initial contents of the variables of an act's frame, as values of the ordering code."""
    asked = {domain.role for domain in verb.domains}
    agent, *roles = [_settled(fill) for fill in step.fills]
    nothing = Const(NOTHING, "number")
    who = agent if agent is not None else nothing
    filled: list[Value] = [
        value if value is not None else Const(UNSET, "number") if number in asked else nothing
        for number, value in enumerate(roles)
    ]
    manner = Var(MANNER, "manner") if step.manner == ir.INHERITED else Const(step.manner, "manner")
    if verb.by == "piece":
        return [who, Attribute("decider", who, "player"), manner, who, *filled, nothing, step.decider]
    return [nothing, who, manner, who, *filled, nothing, step.decider]


def _settled(fill: ir.Fill) -> Value | None:
    """Return the value of a role that is filled before the act begins; None for other roles."""
    if isinstance(fill, ir.Bound):
        return fill.value
    return fill.var if isinstance(fill, ir.ChosenRole) else None


def outs_of(step: ir.Call) -> Outs:
    """Return the roles that are handed back, each with the variable of the caller that receives it."""
    outs: list[tuple[int, int]] = []
    for number, fill in enumerate(step.roles):
        var = fill.value if isinstance(fill, ir.Bound) else getattr(fill, "var", None)
        if isinstance(var, Var) and (var.base == "token" or not isinstance(fill, ir.Bound)):
            outs.append((FIXED + number, var.id))
    if step.result is not None:
        outs.append((FIXED, step.result.id))
    return tuple(outs)


def living_of(verb: Verb, bases: tuple[str, ...], step: ir.Call) -> tuple[int, ...]:
    """Return the variables of an act for pieces that must still be on the board when it begins.

    The source of an act with a number may have gone, and the act still takes place. A moment of an act needs only the
    doer of the act.
    """
    fills = enumerate(step.fills, AGENT)
    spared = {place for place, role in enumerate(verb.roles, FIXED) if verb.moment_of >= 0 or verb.is_source(role)}
    named = (place for place, fill in fills if isinstance(fill, ir.Bound) and place not in spared)
    return tuple(place for place in named if bases[place] == "piece")


def bases_of(verb: Verb) -> tuple[str, ...]:
    """Return the types of the variables of an act's frame."""
    agent = "piece" if verb.by == "piece" else "player"
    return ("piece", "player", "manner", agent, *(role.base for role in verb.roles), "way", "player")


def asks_more(verb: Verb, step: ir.Call) -> bool:
    """Whether an act still has a choice once it is ordered."""
    return bool(asked_roles(step, verb)) or verb.is_name or len(verb.kinds) > 1


def announced(ruleset: Ruleset, code: ir.Code, step: ir.Call, branches: bool) -> Announcement:
    """Return the announcement of an order in a piece of code; `branches`: a branch begins with it."""
    verb = ruleset.verbs[step.verb]
    bases, fills = bases_of(verb), step.fills
    said: list[tuple[str, Base, Value]] = [
        (pick_key(verb, number) + SETTLED, bases[AGENT + number], fill.value)  # type: ignore[misc]
        for number, fill in enumerate(fills)
        if isinstance(fill, ir.Bound)
        and verb.by != "game"
        and (number > 0 or verb.by == "piece")
        # The number of an act is computed, and not chosen.
        and not (number > 0 and verb.roles[number - 1].is_quantity)
        and fill.value != NO_PIECE
    ]
    nameless = verb.is_name
    # A consequent act of another agent, without a choice, is not the subject of an option.
    chosen = any(isinstance(fill, ir.ChosenRole) for fill in step.roles) or asks_more(verb, step)
    picked = chosen or branches or isinstance(step.agent, ir.ChosenRole)
    settled = _goes_on(ruleset, code, step, verb) and not picked
    act: Note = ("act?" if settled else "act", verb.act, 0)
    elsewhere = verb.by == "player" and not (said or chosen or branches or own_act(step.agent))
    if (code.origin == "state" or verb.moment_of >= 0) and not picked:
        # State rules and moments of acts never name an option.
        return SILENT_ORDER
    silent = verb.by == "game" or nameless or elsewhere
    if silent or settled:
        # Numbers and players are computed, and tell nothing about the choice.
        said = [one for one in said if one[1] not in ("number", "player")]
    return Announcement(None if silent else act, tuple(said))


def _goes_on(ruleset: Ruleset, code: ir.Code, step: ir.Call, verb: Verb) -> bool:
    """Whether later steps of the code name an option only if it has no other name.

    The same is true of a mandatory replacement of an event, if it is the only one.
    """
    if verb.by != "piece":
        return False
    if code.origin == "hook":
        return code.steps == (step,)
    return code.origin == "verb" and (ruleset.verbs[code.verb].by == "piece" or _is_brought(code, step.agent))


def _is_brought(code: ir.Code, agent: ir.Fill) -> bool:
    """Whether the doer of an act is a piece that the text itself has put onto the board or changed in kind."""
    brought = {var.id for step in code.steps if "arrivals" in step.changes for var in kept_by(step)}
    return isinstance(agent, ir.Bound) and isinstance(agent.value, Var) and agent.value.id in brought
