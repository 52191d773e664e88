"""Laws find violations: planted cards, and faults of the machine; the shipped games have none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from check_support import ENDLESS_CHOICE, ENDLESS_RULE, HARMLESS, LATER, found_with, states
from hypothesis import settings

from loaded import shipped
from warchest import Option, State
from warchest.engine import effects
from warchest.engine.runs import DeadEndError, Overfull
from warchest.testing.laws import (
    LAWS,
    NO_ROOM,
    LawFault,
    fault_of,
    faults_in,
    faults_of,
    law_named,
    listed,
    misnamed,
    taken,
)
from warchest.testing.symmetry import symmetries_of

pytestmark = pytest.mark.usefixtures("impatient")
CASES = [("war-chest", ("Footman", "Royal Guard")), ("unigames", ("Dwarf Spear", "Goblin Shaman"))]


def broken_by(state: State, *names: str) -> set[str]:
    """Return the names of the laws that are broken in a state, or by any of its options."""
    laws = [law_named(name) for name in names] or list(LAWS)
    found = {one.law for one in faults_in(state, laws)}
    options = listed(state)
    for option in options if not isinstance(options, LawFault) else ():
        step = taken(state, option)
        found |= {step.law} if isinstance(step, LawFault) else {one.law for one in faults_of(step, laws)}
    return found


@pytest.mark.parametrize(("name", "cards"), CASES)
def test_the_shipped_games_break_no_law(name: str, cards: tuple[str, ...]) -> None:
    count = settings().max_examples // 10
    assert [broken_by(state) for state in states(*cards, count=count, name=name)] == [set()] * count


@pytest.mark.parametrize(
    ("rules", "law"), [(ENDLESS_RULE, "ends by rule"), (ENDLESS_CHOICE, "ends by choice"), (LATER, "ends by rule")]
)
def test_a_card_that_breaks_a_law_is_found(rules: str, law: str) -> None:
    found = found_with(rules).findings
    assert [one.fault.law for one in found] == [law]
    # The card is to blame, and hardly anything else is left of the position.
    assert found[0].fault.clauses[0].text in rules
    assert len(found[0].position["units"]) <= 2


def test_a_harmless_card_has_no_findings() -> None:
    assert found_with(HARMLESS).findings == []


FOLLOWS = "unit: {}\nset: base\ncoins: 4\nsource: a test\nattribute: |\n  after {}, this may move.\n"


@pytest.mark.parametrize(
    ("whom", "law"), [("an adjacent friendly unit moves", ["ends by choice"]), ("this attacks", [])]
)
@pytest.mark.parametrize("places", [("f4", "e4"), ("i1", "h1")])
def test_choices_that_lead_back_are_found_after_wrong_ones(whom: str, law: list[str], places: tuple[str, str]) -> None:
    names = ("Leader", "Follower")
    texts = [FOLLOWS.format(name, whom) for name in names]
    units = [{"at": at, "unit": name, "owner": "raven"} for at, name in zip(places, names, strict=True)]
    position = {"to_act": "raven", "units": units, "hand": {"raven": ["Leader"], "wolf": ["Royal Coin"]}}
    state = shipped("war-chest", *texts).position(position)
    found = list(faults_in(state, [law_named("ends by choice")]))
    assert [one.law for one in found] == law
    for one in found:
        # The options of the path lead into the cycle and through it; all of them are on offer.
        here = state
        for chosen in one.path:
            assert here.decision is not None
            here = here.clone().apply(here.decision.by_id(chosen))
        assert (here.turn, here.round) == (state.turn, state.round)


# ---- faults of the machine


def once_more(run: Any, layout: Any, token: int, holder: int, count: int = 1) -> int:
    """Put a token where it goes twice, and take it away once."""
    moved = MOVE_TOKEN(run, layout, token, holder, count)
    if holder and moved >= 0:
        run.set(layout.tokens + moved, run.memory[layout.tokens + moved] + 1)
    return moved


def elsewhere(run: Any, layout: Any, number: int, space: int) -> None:
    """Take no piece to the first spaces of the board."""
    MOVE_PIECE(run, layout, number, max(space, 12))


MOVE_TOKEN, MOVE_PIECE = effects.move_tokens, effects.move_piece
POSITION = State.position


def forgetful(state: State) -> dict[str, Any]:
    """Return a position without hands."""
    return {key: value for key, value in POSITION(state).items() if key != "hand"}


PLANTED: list[tuple[str, object, str, object]] = [
    ("conservation", effects, "move_tokens", once_more),
    ("symmetry", effects, "move_piece", elsewhere),
    ("saved", State, "position", forgetful),
    ("views", State, "view", lambda state, player: state.position()),
    ("refused", State, "why_not", lambda state, what, player=None: []),
    ("words", Option, "label", property(lambda option: option.act)),
    ("no dead end", State, "outcome", "somebody has won"),
]


@pytest.mark.parametrize(("law", "where", "name", "wrong"), PLANTED, ids=[one[0] for one in PLANTED])
def test_a_fault_of_the_machine_is_found(
    law: str, where: object, name: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = states("Lancer", "Knight")
    monkeypatch.setattr(where, name, wrong)
    assert any(law in broken_by(state, law) for state in some)


def test_an_error_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Callable[..., None]:
        raise ZeroDivisionError("planted")

    some = states("Lancer", count=3)
    monkeypatch.setattr(effects, "move_piece", fails)
    found = {one.law for state in some for one in faults_in(state, LAWS)}
    found |= {law for state in some for law in broken_by(state)}
    assert found == {"no errors"}


def test_a_lack_of_room_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise Overfull("planted")

    some = states("Lancer", count=3)
    monkeypatch.setattr(effects, "move_piece", full)
    assert [one for state in some for one in faults_in(state, LAWS)] == []
    assert {law for state in some for law in broken_by(state)} <= {NO_ROOM.law}


def test_an_order_that_cannot_be_carried_out_is_a_dead_end() -> None:
    clause = states("Lancer")[0].decision.clause  # type: ignore[union-attr]
    fault = fault_of(DeadEndError(clause))
    assert (fault.law, fault.clauses) == ("no dead end", (clause,))


# ---- their parts


def test_the_board_of_two_is_the_same_from_both_sides() -> None:
    (only,) = symmetries_of(shipped().variant())
    assert only.of({"raven": ["e2", "f4"], "unit": "Archer"}) == {"wolf": ["g6", "f4"], "unit": "Archer"}
    assert only.of(only.of({"h1": ["wolf", "n", "c7/1", "Archer@d7"]})) == {"h1": ["wolf", "n", "c7/1", "Archer@d7"]}
    assert [only.of(one) for one in ("Archer@d7", "d7 Archer", "d7/2")] == ["Archer@h1", "h1 Archer", "h1/2"]


def test_the_board_of_four_has_teams_that_bear_the_names_of_players() -> None:
    """Where two names change otherwise, the board is not turned."""
    variant = shipped().variant(board="Four players")
    assert all(one.of("raven") != "wolf" for one in symmetries_of(variant))


def test_good_names_are_not_found_fault_with() -> None:
    for state in states("Ensign"):
        assert state.decision is not None
        assert list(misnamed(state.decision, state.variant)) == []


def test_each_law_has_a_name_and_a_sentence() -> None:
    assert len({one.name for one in LAWS}) == len(LAWS)
    assert all(one.says.endswith(".") and law_named(one.name) is one for one in LAWS)
