"""Events: records of the past, by name, each with its clause and its cause."""

from __future__ import annotations

import pytest

from loaded import played, shipped
from warchest import Event
from warchest.engine import history
from warchest.game.telling.log import ASIDES, CHANGES
from warchest.game.telling.occurrences import occurrence_of
from warchest.source.records import names_of


def test_events_contain_an_attack_and_its_consequences() -> None:
    game = shipped()
    units = [{"at": "f4", "unit": "Archer", "owner": "raven"}, {"at": "f6", "unit": "Scout", "owner": "wolf"}]
    state = game.position({"to_act": "raven", "units": units, "hand": {"raven": ["Archer"], "wolf": ["Scout"]}})
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "tactic"))
    (attack,) = [one for one in state.events if one.kind == "attack"]
    assert (attack.agent, attack.roles) == ("Archer on f4", {"target": "Scout on f6"})
    assert attack.clause is not None and attack.clause.text.startswith("to attack a target")
    assert attack.cause is not None and attack.cause.file.endswith("archer.yaml") and attack.cause.line > 0
    (gone,) = [one for one in state.events if one.kind == "removed"]
    assert gone.agent == "Scout on f6" and gone.decision == attack.decision


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_every_line_of_the_log_is_an_event(name: str) -> None:
    for seed in range(2):
        state = played(80, name, seed)
        events = state.events
        assert len(events) == len(state.trace)
        assert all(isinstance(one, Event) and one.kind for one in events)
        for event, entry in zip(events, state.trace, strict=True):
            assert event.decision == entry.decision
            assert (event.clause.text if event.clause is not None else "") == entry.clause
        assert {one.kind for one in events} >= {"decided", "changed"}


def test_each_kind_of_record_has_a_line_and_a_name() -> None:
    records = {one for one in vars(history).values() if isinstance(one, type) and issubclass(one, history.Happened)}
    told = {"piece": (0, 0, 0), "whose": (0, 0, 0), "notes": ()}
    program = shipped("unigames").new(seed=1).variant.program
    kinds = {
        occurrence_of(one(*(told.get(name, 0) for name in names_of(one))), program).kind
        for one in records - {history.Happened, history.Acted}
    }
    assert kinds == {"decided", "changed", "token", "ended", *ASIDES, *CHANGES}
    assert all(f"`{kind}`" in (Event.__doc__ or "") for kind in kinds)


def test_events_of_equal_play_are_equal() -> None:
    assert played(60, seed=5).events == played(60, seed=5).events
