"""Running cases: set up the position, take the steps, and compare the outcome with the expectations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from warchest.diagnostics.render import text
from warchest.game.decision import Option
from warchest.game.errors import CardError, PositionError
from warchest.game.explain.vocabulary import Sayable, sayable
from warchest.game.game import Game
from warchest.game.position.keys import Shapes
from warchest.game.spectator import ListeningSpectator, Spectator
from warchest.game.state import State
from warchest.game.telling.log import readable
from warchest.rulings.cases import Case
from warchest.rulings.compare import differences, matches, shown
from warchest.rulings.field_places import place_of
from warchest.scripts.line_script import run_script
from warchest.scripts.notation import notation_of
from warchest.source.records import record
from warchest.source.text import Span

CHANCE, NOBODY = "chance", "nobody"
_MAX_LISTED = 40
_LOG_LINES = 12

Picture = Callable[[State], str]
CaseOutcome: TypeAlias = Literal["passed", "failed", "skipped"]


@record()
class CaseResult:
    """The outcome of a case; `message` says why it failed or was skipped, with the board and the log.

    `wrong` are the reasons alone, if it was carried out and did not meet all expectations.
    """

    case: Case
    outcome: CaseOutcome
    message: str = ""
    wrong: tuple[str, ...] = ()


class _CaseFailure(Exception):
    """Stops a case that cannot be carried on."""


def run_case(game: Game, case: Case, picture: Picture | None = None, spectator: Spectator | None = None) -> CaseResult:
    """Run a case; never raises for the contents of a case.

    `picture` draws the board for a failing case. A spectator watches from the position to the last act.
    """
    if case.script is not None:
        return _scripted(game, case, case.script, picture, spectator)
    given: Mapping[str, Any] = case.values["position"]
    if given.get("game", game.name) != game.name:
        return CaseResult(case, "skipped", f"it is about {given['game']}, and this is {game.name}")
    try:
        state = _begun(game, case, given) if "setup" in given else game.position(given)
    except PositionError as error:
        return CaseResult(case, "failed", _position_message(case, error))
    except CardError as error:
        return CaseResult(case, "failed", f"under its options the texts of the game are wrong: {error}")
    try:
        if spectator is not None:
            spectator.begin(state)
        for number, step in enumerate(case.values.get("do", ()), 1):
            option = _meant(state, step, number)
            state.apply(option) if spectator is None else spectator.take(state, option)
        shapes = game.document.values.get("position", {})
        wrong = _checks(state, case.values, shapes, sayable(state.variant, game.boards))
        if isinstance(spectator, ListeningSpectator):
            spectator.miss(state, _unwanted(case.values))
        wrong += spectator.wrong() if spectator is not None else []
    except _CaseFailure as failure:
        wrong = [str(failure)]
    except Exception as error:  # a fault in one case must not hide the others
        wrong = [f"the game cannot go on: {type(error).__name__}: {error}"]
    if wrong:
        return CaseResult(case, "failed", _message(wrong, state, picture), tuple(wrong))
    return CaseResult(case, "passed")


def _begun(game: Game, case: Case, given: Mapping[str, Any]) -> State:
    """Return the first state of a new game, in a case that gives a setup in place of a position.

    Cases of the game itself were written before cards were added in other folders, so chance brings no such card.
    """
    beside = sorted(given.keys() - {"game", "setup", "seed", "sets", "options"})
    if beside:
        raise PositionError(beside[0], "this is for the setup to say; beside it are only a seed, sets and options")
    begun = game.beginning(options=given.get("options"), setup=given["setup"], sets=given.get("sets"))
    folders = [folder.resolve() for folder in game.folders] if game.extra else []
    own = _is_in(folders, case.span)
    further = [one for one in game.library.documents if not _is_in(folders, one.span)] if own else []
    return replace(begun, left_out=further).begin(given.get("seed", 0))


def _is_in(folders: Sequence[Path], span: Span) -> bool:
    """Whether a place is in one of some folders: those of a game and its origin, without the folders of `--cards`."""
    return any(Path(span.path).resolve().is_relative_to(folder) for folder in folders)


def _scripted(game: Game, case: Case, script: Span, picture: Picture | None, spectator: Spectator | None) -> CaseResult:
    """Run a case that is a script."""
    if notation_of(game.library) is None:
        return CaseResult(case, "skipped", f"{game.name} has no notation for scripts")
    try:
        done = run_script(game, script, spectator)
    except Exception as error:  # as for all cases
        return CaseResult(case, "failed", f"the game cannot go on: {type(error).__name__}: {error}")
    wrong = spectator.wrong() if spectator is not None else []
    if done.finding is None and not wrong:
        return CaseResult(case, "passed")
    if done.finding is not None:
        wrong.insert(0, text([done.finding]).rstrip())
    return CaseResult(case, "failed", _message(wrong, done.state, picture) if done.state is not None else wrong[0])


def _meant(state: State, step: Mapping[str, object], number: int) -> Option:
    """Return the one option that a step of a case means."""
    decision = state.decision
    if decision is None:
        raise _CaseFailure(f"step {number} of `do`, {shown(step)}: the game is over")
    found = [option for option in decision.options if matches(step, option.data)]
    if len(found) != 1:
        many = f"{len(found)} options are" if found else "no option is"
        raise _CaseFailure(f"step {number} of `do`: {many} like {shown(step)}; {_on_offer(state, found)}")
    return found[0]


# ---- conditions


def _checks(state: State, values: Mapping[str, Any], shapes: Shapes, words: Sayable) -> list[str]:
    """Return a line for every expectation of a case that is not met."""
    options = state.decision.options if state.decision is not None else ()
    wrong = [
        f"expected on offer: {shown(wanted)}; {_on_offer(state)}"
        for wanted in values.get("offered", ())
        if not _like(wanted, options)
    ]
    wrong += [
        f"expected not on offer: {shown(unwanted)}; but there is {_labels(found)}"
        for unwanted in values.get("not offered", ())
        if (found := _like(unwanted, options))
    ]
    wrong += [
        f"{key}: {shown(one)}: {'; '.join(part for part in (wrong.message, wrong.help) if part)}"
        for key in ("offered", "not offered")
        for one in values.get(key, ())
        for wrong in words.wrong(one)
    ]
    decides = decider_of(state)
    if values.get("decides", decides) != decides:
        wrong.append(f"decides: expected {values['decides']}, but it is {decides}; {_on_offer(state)}")
    if "then" in values:
        wrong += differences(_counted(values["then"], shapes), state.position(), _counts(shapes), shapes)
    return wrong + _explanations(state, values.get("why not", ()))


def _unwanted(values: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the descriptions of the options that are not on offer according to a case."""
    why = values.get("why not", ())
    told = [why] if isinstance(why, Mapping) else why
    return [*values.get("not offered", ()), *(one["what"] for one in told if isinstance(one["what"], Mapping))]


def _counts(shapes: Shapes) -> set[str]:
    """Return the keys for numbers of tokens in a piece, which default to 1."""
    return {shape["tokens"] for shape in shapes.values() if "tokens" in shape}


def _counted(then: Mapping[str, Any], shapes: Shapes) -> dict[str, Any]:
    """Return the expected facts; each piece with a list of its tokens also gets their number."""
    whole = dict(then)
    for key in then.keys() & shapes.keys():
        tokens, stack = shapes[key].get("tokens"), shapes[key].get("stack")
        if tokens and stack and isinstance(then[key], list):
            whole[key] = [{tokens: len(one[stack]), **one} if stack in one else one for one in then[key]]
    return whole


def _explanations(state: State, wanted: Any) -> list[str]:
    """Return a line for each option that is not on offer and whose reasons lack an expected text."""
    wrong = []
    for one in [wanted] if isinstance(wanted, Mapping) else wanted:
        reasons = [str(reason["reason"]) for reason in state.why_not(one["what"])]
        if not any(one["mentions"].casefold() in reason.casefold() for reason in reasons):
            given = "; ".join(reasons) or "it is on offer"
            wrong.append(f"why not {shown(one['what'])}: expected a reason with `{one['mentions']}`; but: {given}")
    return wrong


def _like(wanted: Mapping[str, object], options: tuple[Option, ...]) -> list[Option]:
    return [option for option in options if matches(wanted, option.data)]


def decider_of(state: State) -> str:
    """Return the decider in the words of cases: a player, `chance` or `nobody`."""
    if state.decision is None:
        return NOBODY
    return CHANCE if state.decision.is_chance else str(state.decision.player)


# ---- what a failing case shows


def _on_offer(state: State, options: list[Option] | None = None) -> str:
    if state.decision is None:
        return "nothing is on offer, the game is over"
    return f"on offer to {decider_of(state)}: {_labels(options or list(state.decision.options))}"


def _labels(options: list[Option]) -> str:
    lines = [f"\n    {shown(option.data)}" for option in options[:_MAX_LISTED]]
    more = len(options) - _MAX_LISTED
    return "".join(lines) + (f"\n    and {more} more" if more > 0 else "")


def _message(wrong: list[str], state: State, picture: Picture | None) -> str:
    parts = list(wrong)
    if picture is not None:
        parts.append(_drawing(state, picture))
    lines = readable(state.trace[-_LOG_LINES:])
    if lines:
        parts.append("what happened last:\n" + "\n".join(f"    {line}" for line in lines))
    return "\n".join(parts)


def _drawing(state: State, picture: Picture) -> str:
    try:
        return picture(state).rstrip()
    except Exception as error:  # a fault in a case may spoil its picture too
        return f"(the board cannot be drawn: {type(error).__name__}: {error})"


def _position_message(case: Case, error: PositionError) -> str:
    node = case.node.get("position")
    span = place_of(node, error.field, by_key=error.by_key) if node is not None else case.span
    return f"the position cannot be: {error} ({span.path}:{span.line}:{span.column})"
