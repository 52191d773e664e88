"""Laws of every game: statements that hold in each of its states and for each option, with all cards.

A law finds at most one fault in a state, or in a step from one state to the next. It takes all that it needs from the
declarations of the game. The laws about errors check the exceptions that are raised when an option is taken.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal, TypeAlias, TypeVar

from warchest.engine.runs import DeadEndError, Overfull
from warchest.game.decision import Decision, Option
from warchest.game.errors import OptionError
from warchest.game.state import EndlessError, State, state_at
from warchest.game.telling.labels import id_of
from warchest.game.variant import Variant
from warchest.game.worlds import Worlds
from warchest.rulings.runner import CHANCE, NOBODY
from warchest.source.text import Span
from warchest.testing.budget import look_at_clock
from warchest.testing.circles import circle_from, turn_is_over
from warchest.testing.properties.watch import Breach, breaches_of
from warchest.testing.steps import Step, step_of
from warchest.testing.symmetry import Symmetry, canonical, symmetries_of
from warchest.testing.token_laws import misplaced
from warchest.testing.views import OwnWay, Watcher, leak_at

TURN = 200
"""The most decisions that are taken to bring a turn to its end."""
REFUSED, WORLDS = 4, 3
"""The number of unavailable options that are tried at each state, and of samples of the hidden tokens."""
AS = "as"
"""The key of an option that names the act which its own act is a part of."""
OptionData: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LawFault:
    """A violation of a law.

    `clauses` are to blame. `path` are options, by their ids, that lead from the checked state to the fault. `expected`
    are the keys of a ruling for the correct result, if rulings can express it; `position` is where that case begins, if
    not at the checked state. `asked` is the law whose check met the fault, which can be a fault of another law.
    """

    law: str
    text: str
    clauses: tuple[Span, ...] = ()
    path: tuple[str, ...] = ()
    expected: Mapping[str, Any] | None = None
    position: Mapping[str, Any] | None = None
    asked: str = ""
    about: str = ""
    """The place of the property that is broken, for a fault of a property."""


@dataclass(frozen=True, slots=True)
class Law:
    """A law: its name, its statement as a sentence, and the functions that find a fault.

    `asked` gives the extent of the check, if it is incomplete.
    """

    name: str
    says: str
    of_state: Callable[[State], LawFault | None] | None = None
    of_step: Callable[[Step], LawFault | None] | None = None
    asked: Literal["", "searched", "sampled"] = ""


NO_ROOM = LawFault("", "there is no room for more")
"""The mark of a play that ends for lack of room: that is a limit of states, and no fault of a card."""


def law_named(name: str) -> Law:
    """Return the law with a name, which is one of LAWS; raises KeyError."""
    return _BY_NAME[name]


# ---- what is raised


def taken(state: State, option: Option) -> Step | LawFault:
    """Take an option of a state, or return the fault of doing so."""
    try:
        return step_of(state, option)
    except Exception as error:
        return fault_of(error)


def listed(state: State) -> tuple[Option, ...] | LawFault:
    """Return the options of a state, none if the game is over, or the fault of listing them."""
    try:
        return state.decision.options if state.decision is not None else ()
    except Exception as error:
        return fault_of(error)


def fault_of(error: Exception) -> LawFault:
    """Return the fault for an error that the rules have raised; NO_ROOM if a state is full, which is no fault."""
    if isinstance(error, Overfull) or isinstance(error.__context__, Overfull):
        return NO_ROOM
    clauses = (error.clause,) if isinstance(error, EndlessError) and error.clause is not None else ()
    law = NO_DEAD_END if isinstance(error, DeadEndError) else ENDS if isinstance(error, EndlessError) else NO_ERRORS
    return LawFault(law, f"{type(error).__name__}: {error}" if law == NO_ERRORS else str(error), clauses, expected={})


def faults_of(step: Step, laws: Iterable[Law]) -> Iterator[LawFault]:
    """Yield the faults of a step; unless a law names others, the clauses that acted are to blame."""
    for law in laws:
        fault = _asked(law, law.of_step, step) if law.of_step is not None else None
        if fault is not None:
            yield replace(fault, clauses=fault.clauses or tuple(acted_in(step)))


def faults_in(state: State, laws: Iterable[Law]) -> Iterator[LawFault]:
    """Yield the faults of a state; where its options cannot be listed, only that."""
    options = listed(state)
    if isinstance(options, LawFault):
        yield from [options] if options is not NO_ROOM else ()
        return
    for law in laws:
        fault = _asked(law, law.of_state, state) if law.of_state is not None else None
        if fault is not None:
            asking = state.decision.clause if state.decision is not None else None
            yield replace(fault, clauses=fault.clauses or ((asking,) if asking is not None else ()))


_Asking = TypeVar("_Asking", State, Step)


def _asked(law: Law, find: Callable[[_Asking], LawFault | None], what: _Asking) -> LawFault | None:
    """Return the fault that the check of a law meets, which can be a fault of another law."""
    try:
        fault = find(what)
    except Exception as error:
        fault = fault_of(error)
    if fault is None or fault is NO_ROOM:
        return None
    return replace(fault, law=fault.law or law.name, asked=law.name)


def acted_in(step: Step) -> list[Span]:
    """Return the clauses that acted in a step, in their order."""
    told = step.after.history()[len(step.before.history()) :]
    return list(dict.fromkeys(one.span for one in told if one.span is not None))


# ---- ends


def _goes_round(state: State) -> LawFault | None:
    """Find choices within a turn that lead back to where they began, and can be taken again and again."""
    circle = circle_from(state)
    if circle is None:
        return None
    text = f"this is possible without end within a turn: {' > '.join(circle.options)}"
    clauses = (circle.clause,) if circle.clause is not None else ()
    return LawFault("", text, clauses, (*circle.before, *circle.options), {"not offered": [circle.unwanted]})


def _is_carried_through(step: Step) -> LawFault | None:
    """Play on to the end of the turn; an option that cannot be carried through to it is a fault."""
    here, rng, path = step.after.clone(), Random(0), list[str]()
    here.silent = True
    for _ in range(TURN):
        look_at_clock()
        decision = here.decision
        if decision is None or turn_is_over(here, step.before):
            return None
        option = decision.draw(rng)
        path.append(option.id)
        try:
            here.apply(option)
        except Exception as error:
            fault = fault_of(error)
            return replace(fault, path=tuple(path)) if fault is not NO_ROOM else None
    return LawFault("", f"the turn is not over after {TURN} further decisions", path=tuple(path))


def _has_an_end(state: State) -> LawFault | None:
    """Find a state without options where the game is not over."""
    if (state.decision is None) == (state.outcome is None):
        return LawFault(
            "",
            "there are no options, and the game is not over"
            if state.decision is None
            else "the game is over, and a decision is pending",
            expected={},
        )
    if state.decision is not None and not state.decision.count:
        return LawFault("", "there is nothing to choose from", expected={})
    return None


# ---- what is not offered


def _is_refused(state: State) -> LawFault | None:
    """Query options that are nearly those on offer: each is refused with a reason, and the query changes nothing."""
    decision = state.decision
    if decision is None or decision.is_chance:
        return None
    key, offered = state.key(), {option.id for option in decision.options}
    for data in _near_misses(state, decision):
        asked = {"why not": {"what": dict(data), "mentions": "e"}}
        try:
            reasons = state.why_not(data)
        except Exception as error:
            fault = fault_of(error)
            return fault if fault is NO_ROOM else replace(fault, expected=asked)
        if not reasons or not all(one.get("reason") for one in reasons):
            return LawFault("", f"{_told(data)} is not on offer, and there is no reason for that", expected=asked)
        wrong = id_of(data)
        try:
            state.clone().apply(decision.by_id(wrong))
        except OptionError:
            continue
        if wrong not in offered:
            return LawFault("", f"{_told(data)} is not on offer, and can be taken")
    if state.key() != key:
        return LawFault("", "a request that is not on offer has changed the state")
    return None


def _near_misses(state: State, decision: Decision) -> Iterator[dict[str, object]]:
    """Yield options with a value from another one, or another space, that are not on offer, not even in part."""
    rng, told = Random(0), [option.data for option in decision.options]
    spaces = state.variant.naming.spaces
    found = 0
    for _ in range(4 * REFUSED):
        data, other = rng.choice(told), rng.choice(told)
        key = rng.choice(list(data))
        if data[key] in spaces:
            changed = {**data, key: rng.choice(spaces)}
        elif key in other:
            changed = {**data, key: other[key]}
        else:
            continue
        if not any(all(_says(one, name, value) for name, value in changed.items()) for one in told):
            yield changed
            found += 1
        if found == REFUSED:
            return


def _says(data: OptionData, key: str, value: object) -> bool:
    return str(data.get(key)) == str(value) or (key == "act" and data.get(AS) == value)


def _told(data: OptionData) -> str:
    return json.dumps(data, ensure_ascii=False)


# ---- saved, hidden, told


def _comes_back(state: State) -> LawFault | None:
    """Restore a state from its position and its pickle, and copy it: the results are equal, with the same question."""
    position, question = state.position(), _question(state)
    makers = {
        "position": lambda: _read_again(state.variant, position),
        "copy": state.clone,
        "pickle": lambda: _reduced(state),
    }
    for how, make in makers.items():
        again = _made_again(state, question, how, make)
        if isinstance(again, LawFault):
            return again
        told = again.position()
        if told != position:
            keys = [key for key, value in told.items() if position.get(key) != value]
            return LawFault("", f"another state comes back from its {how}: {', '.join(keys)}")
    return None


def _comes_back_from_position(step: Step) -> LawFault | None:
    """Restore the state after a step from its position; the result is equal and asks the same question."""
    after = step.after
    again = _made_again(after, _question(after), "position", lambda: _read_again(after.variant, after.position()))
    return again if isinstance(again, LawFault) else None


def _read_again(variant: Variant, position: Mapping[str, object]) -> State:
    return state_at(variant, json.loads(json.dumps(position)))


def _reduced(state: State) -> State:
    """Return a state after a round trip through pickle."""
    make, arguments = state.__reduce__()
    made: State = make(*arguments)
    return made


def _made_again(state: State, question: object, how: str, make: Callable[[], State]) -> State | LawFault:
    """Return a state after a restoration, if it is equal to the state before and asks the same question."""
    try:
        again = make()
    except Exception as error:
        return LawFault("", f"the state does not come back from its {how}: {type(error).__name__}: {error}")
    if again != state or hash(again) != hash(state):
        told, position = again.position(), state.position()
        keys = [key for key, value in told.items() if position.get(key) != value]
        return LawFault("", f"another state comes back from its {how}{': ' if keys else ''}{', '.join(keys)}")
    if _question(again) != question:
        return LawFault("", f"the state that comes back from its {how} asks something else")
    return again


def _question(state: State) -> object:
    decision = state.decision
    if decision is None:
        return state.outcome
    return decision.player, decision.prompt, [(option.id, option.probability) for option in decision.options]


def _hides(state: State) -> LawFault | None:
    """Resample hidden tokens: a player who cannot see them has the same view and options as before."""
    decision, variant = state.decision, state.variant
    if not state.at_boundary or decision is None:
        return None
    keys_told = state.position().keys()
    for number, player in enumerate(variant.naming.players):
        if state.view(player).keys() != keys_told:
            return LawFault("", f"the view of {player} has other keys than the position")
        worlds, alike = Worlds(variant, state.run, number, ()), list[OwnWay]()
        for seed in range(WORLDS):
            other = State(variant, worlds.sample(Random(seed))).advance()
            # The decider may depend on the resampled tokens, if they are in a hand.
            if other.decision is not None and other.decision.player == decision.player and other != state:
                alike.append(OwnWay(other))
        leak = leak_at(Watcher(variant, player), OwnWay(state), alike)
        if leak is not None:
            return LawFault("", leak.text, path=leak.path)
    return None


def _is_told_apart(state: State) -> LawFault | None:
    """Find options that read the same, or take more than a line, and chances that do not add up to one."""
    wrong = misnamed(state.decision, state.variant) if state.decision is not None else iter(())
    return next((LawFault("", one) for one in wrong), None)


def misnamed(decision: Decision, variant: Variant) -> Iterator[str]:
    """Yield the mistakes in the words and the data of a decision and its options."""
    options = decision.options
    for what, told in (
        ("data", [json.dumps(one.data, sort_keys=True) for one in options]),
        ("label", [one.label for one in options]),
        ("id", [one.id for one in options]),
    ):
        same = [one for place, one in enumerate(told) if one in told[:place]]
        if same:
            yield f"two options have the same {what}: {same[0]}"
    if not options:
        yield "there are no options"
        return
    if any(decision.by_id(options[place].id) is not options[place] for place in (0, -1)):
        yield "an option is not found by its id"
    for one in options:
        data = one.data
        if json.loads(json.dumps(data)) != data or not isinstance(data.get("act"), str) or not data["act"]:
            yield f"an option cannot be written down: {data}"
    if any("\n" in one.label for one in options) or not decision.prompt or "\n" in decision.prompt:
        yield "a label or the question is not one line"
    if decision.is_chance != (decision.player is None):
        yield "it is not clear whether chance decides"
    if decision.is_chance and sum(one.probability for one in options) != 1:
        yield "the chances do not add up to 1"
    if decision.player is not None and decision.player not in variant.naming.players:
        yield f"{decision.player} is no player"


# ---- conservation and symmetry


def _is_conserved(step: Step) -> LawFault | None:
    """Find tokens and pieces that are not where the events put them, or that appear from nowhere."""
    return next((LawFault("", one) for one in misplaced(step)), None)


def _is_symmetric(state: State) -> LawFault | None:
    """Turn the board and let the players change seats: the options are the same, with the same results."""
    if not state.at_boundary or state.decision is None:
        return None
    position = state.position()
    for symmetry in symmetries_of(state.variant):
        turned = symmetry.of(position)
        other = state_at(state.variant, turned)
        fault = _decided_apart(state, other, symmetry) or _turned_apart(state, other, symmetry)
        if fault is not None:
            return LawFault("", fault[0], expected=fault[1], position=turned)
    return None


_SideFault: TypeAlias = tuple[str, Mapping[str, Any]]
"""A difference between a state and that on the turned board, and the keys of a ruling about the latter."""


def _decided_apart(state: State, other: State, symmetry: Symmetry) -> _SideFault | None:
    here, there = (_decider(one) for one in (state, other))
    if symmetry.of(here) == there:
        return None
    return "from the other side of the board another player decides", {"decides": symmetry.of(here)}


def _decider(state: State) -> str:
    return NOBODY if state.decision is None else state.decision.player or CHANCE


def _turned_apart(state: State, other: State, symmetry: Symmetry) -> _SideFault | None:
    assert state.decision is not None and other.decision is not None
    here = {canonical(symmetry.of(option.data)): option for option in state.decision.options}
    there = {canonical(option.data): option for option in other.decision.options}
    for key, option in there.items():
        if key not in here:
            said = f"{_told(option.data)} is on offer only from the other side of the board"
            return said, {"not offered": [option.data]}
    for key, option in here.items():
        data = symmetry.of(option.data)
        if key not in there:
            return f"{_told(data)} is not on offer from the other side of the board", {"offered": [data]}
        steps = taken(state, option), taken(other, there[key])
        afters = [one.after.position() for one in steps if isinstance(one, Step)]
        if len(afters) == len(steps) and not any("pending" in one for one in afters):
            then, now = symmetry.of(afters[0]), afters[1]
            keys = [key for key in then if canonical(then[key]) != canonical(now.get(key))]
            if keys:
                said = f"{_told(data)} has another result from the other side of the board: {', '.join(keys)}"
                return said, {"do": [data], "then": {key: then[key] for key in keys}}
    return None


# ---- properties


def _keeps_properties(step: Step) -> LawFault | None:
    return next((breach_fault(one) for one in breaches_of(step.before, step.option)), None)


def breach_fault(breach: Breach) -> LawFault:
    """Return the fault for a broken property."""
    how = f": {breach.told}" if breach.told else ""
    return LawFault(PROPERTIES, f"this breaks `{breach.text}` ({breach.place}){how}", about=breach.place)


# ---- the laws

NO_ERRORS, ENDS, NO_DEAD_END = "no errors", "ends by rule", "no dead end"
OFFERED, IDLE, PROPERTIES, VIEWS = "offered", "idle", "properties", "views"

LAWS = (
    Law(NO_ERRORS, "Whatever is done or asked raises no error."),
    Law(ENDS, "Everything that the rules order ends by itself."),
    Law("ends by choice", "Every turn ends after finitely many choices.", of_state=_goes_round, asked="searched"),
    Law(NO_DEAD_END, "There is always an option, or the game is over.", of_state=_has_an_end),
    Law("conservation", "Tokens and pieces are conserved, as the events say.", of_step=_is_conserved),
    Law(PROPERTIES, "The properties declared by the game hold.", of_step=_keeps_properties),
    Law(
        OFFERED,
        "Every option on offer can be carried out, to the end of the turn.",
        of_step=_is_carried_through,
        asked="sampled",
    ),
    Law("refused", "An option that is not on offer is refused, for a reason.", of_state=_is_refused, asked="sampled"),
    Law(
        "saved",
        "A state comes back from its position, its pickle and its copy.",
        of_step=_comes_back_from_position,
        of_state=_comes_back,
    ),
    Law(
        VIEWS,
        "Players see no hidden things, and no option or question depends on them.",
        of_state=_hides,
        asked="sampled",
    ),
    Law(
        "words",
        "Options have distinct words.",
        of_step=lambda step: _is_told_apart(step.after),
        of_state=_is_told_apart,
    ),
    Law("symmetry", "The game is the same from either side of the board.", of_state=_is_symmetric),
    Law(IDLE, "A card that is not in play changes nothing."),
)
_BY_NAME = {one.name: one for one in LAWS}


__all__ = [
    "IDLE",
    "LAWS",
    "NO_DEAD_END",
    "NO_ROOM",
    "PROPERTIES",
    "VIEWS",
    "Law",
    "LawFault",
    "acted_in",
    "breach_fault",
    "fault_of",
    "faults_in",
    "faults_of",
    "law_named",
    "listed",
    "misnamed",
    "taken",
]
