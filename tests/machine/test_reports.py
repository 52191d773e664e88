"""Reports: the trace, reasons, and the view of a player."""

from __future__ import annotations

import random
from typing import Any

import pytest
from machine_support import card, game, layer, lines, offered, player, position, round_trips, take

import warchest
from oracle.random_positions import random_position
from seeds import seeds


def test_each_change_carries_its_clause_and_its_decision() -> None:
    state = game().position(position("Swordsman f4, wolf Pikeman f5 2, wolf Royal Guard i1", "Swordsman"))
    take(state, act="attack")
    entries = state.trace
    assert {entry.decision for entry in entries} == {1}
    changes = [entry for entry in entries if entry.text.startswith("  ")]
    assert all(entry.clause and entry.file.endswith(".yaml") and entry.line > 0 for entry in changes)
    loss = next(entry for entry in entries if "a Pikeman goes from the board" in entry.text)
    assert loss.clause.startswith("put a coin in this into your box") and loss.file.endswith("game.yaml")


def test_the_trace_names_the_card_whose_hook_it_was() -> None:
    scribe = card("Scribe", attribute="after this moves, the initiative becomes stale.")
    state = game(scribe).position(position("Scribe f4", "Scribe"))
    take(state, act="move", to="f5")
    entry = next(entry for entry in state.trace if "stale" in entry.text)
    assert entry.clause == "the initiative becomes stale" and entry.source == "a test"
    assert entry.file.endswith("extra0.yaml") and entry.line == 6


def test_the_trace_names_the_errata_whose_text_it_was() -> None:
    fort = layer("Fort", ("unit", "Cavalry"), replace={"tactic": "the initiative becomes stale."})
    state = game(fort).position(position("Cavalry f4", "Cavalry"))
    take(state, act="tactic")
    entry = next(entry for entry in state.trace if "stale" in entry.text)
    assert entry.line == 6 and entry.file.endswith("extra0.yaml")


def test_the_log_is_the_same_for_the_same_options() -> None:
    logs = []
    for _ in range(2):
        rng = random.Random(5)
        state = game().position(random_position(random.Random(4)))
        for _ in range(30):
            if state.decision is None:
                break
            state.apply(state.decision.sample(rng))
        logs.append(state.log)
    assert logs[0] == logs[1]


# ---- reasons


def illegal_acts(rng: random.Random, state: warchest.State) -> dict[str, Any]:
    """Return some act, most likely an illegal one."""
    spaces = [space.name for space in game().board.spaces]
    at = state.position()
    coins = [*at["armies"]["raven"], *at["armies"]["wolf"], "Royal Coin"]
    act = rng.choice(
        ["move", "attack", "control", "tactic", "deploy", "bolster", "recruit", "claim", "pass", "decline"]
    )
    what: dict[str, Any] = {"act": act}
    roles = {
        "move": ("unit", "to"),
        "attack": ("unit", "target"),
        "control": ("unit", "location"),
        "deploy": ("to",),
        "bolster": ("unit",),
        "tactic": ("unit", "to", "target", "chosen", "direction"),
        "recruit": ("recruit",),
    }.get(act, ())
    if rng.random() < 0.7:
        what["coin"] = rng.choice(coins)
    for role in roles:
        if rng.random() < 0.7:
            names = coins if role == "recruit" else ["n", "se"] if role == "direction" else spaces
            if role == "unit" and at["units"] and rng.random() < 0.8:
                names = [unit["at"] for unit in at["units"]]
            what[role] = rng.choice(names)
    return what


@pytest.mark.parametrize("block", seeds(6, "reasons", range(2)))
def test_there_is_always_a_reason(block: int) -> None:
    rng = random.Random(block)
    asked = 0
    while asked < 50:
        state = game().position(random_position(rng))
        for _ in range(rng.randint(0, 6)):
            if state.decision is not None:
                state.apply(state.decision.sample(rng))
        if state.decision is None or state.decision.is_chance:
            continue
        for _ in range(5):
            what = illegal_acts(rng, state)
            before = state.position()
            found = state.why_not(what)
            legal = bool(offered(state, **what))
            assert bool(found) != legal, (what, found)
            for one in found:
                assert set(one) == {"reason", "clause", "file", "line"} and one["reason"]
            assert state.position() == before
            asked += not legal


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"act": ""},
        {"act": None},
        {"zz": 1},
        "",
        ":",
        "attack f5",
        "attack:",
        "attack: unit f4, target",
        {"act": "attack", "unit": 7},
        {"act": "attack", "target": []},
        {"unit": "zz9"},
        {"act": "to use a coin"},
        {"act": "use"},
        {"act": "muster"},
    ],
)
def test_reasons_for_nonsense_do_not_fail(what: Any) -> None:
    state = game().position(position("Swordsman f4, wolf Pikeman f6", "Swordsman, Royal Coin"))
    assert isinstance(state.why_not(what), list)
    assert state.why_not({"act": "pass"}, "wolf")


ONE_REASON: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], str]] = [
    (
        position("Cavalry f4, wolf Knight f5", "Cavalry"),
        {"act": "attack", "unit": "f4", "target": "f5"},
        position("Cavalry f4 2, wolf Knight f5", "Cavalry"),
        "a unit cannot attack this unless that unit is bolstered",
    ),
    (
        position("Cavalry f4", "Cavalry, Royal Coin", initiative_moved=True) | {"initiative": "wolf"},
        {"act": "claim", "coin": "Cavalry"},
        position("Cavalry f4", "Cavalry, Royal Coin") | {"initiative": "wolf"},
        "you cannot claim the initiative while the initiative is stale",
    ),
    (
        position("Cavalry e5", "Cavalry", control={"raven": ["e5"]}),
        {"act": "control", "unit": "e5", "location": "e5"},
        position("Cavalry e5", "Cavalry"),
        "a unit cannot control a location while your team controls the location",
    ),
    (
        position("Cavalry f4", "Cavalry", control={"raven": ["e2"]}),
        {"act": "deploy", "coin": "Cavalry", "to": "e2"},
        position("", "Cavalry", control={"raven": ["e2"]}),
        "you cannot deploy a coin unless",
    ),
    (
        position("Cavalry f4, Scout f5", "Cavalry"),
        {"act": "move", "unit": "f4", "to": "f5"},
        position("Cavalry f4", "Cavalry"),
        "a unit cannot move to a space unless the space is empty",
    ),
    (
        position("Cavalry f4", "Cavalry"),
        {"act": "move", "unit": "f4", "to": "f6"},
        position("Cavalry f5", "Cavalry"),
        "an adjacent space",
    ),
]


@pytest.mark.parametrize(("bad", "what", "good", "clause"), ONE_REASON)
def test_without_the_reason_the_act_is_legal(
    bad: dict[str, Any], what: dict[str, Any], good: dict[str, Any], clause: str
) -> None:
    reasons = game().position(bad).why_not(what)
    assert len(reasons) == 1 and reasons[0]["clause"].startswith(clause), reasons
    assert reasons[0]["file"].endswith(".yaml") and reasons[0]["line"] > 0
    # The unit has moved on in the last case; no other expectation changes.
    what = what | {"unit": good["units"][0]["at"]} if "unit" in what else what
    assert game().position(good).why_not(what) == []


def test_a_reason_may_be_a_text_of_the_card() -> None:
    still = card("Still", restriction="this cannot move.")
    reasons = game(still).position(position("Still f4", "Still")).why_not({"act": "move", "unit": "f4", "to": "f5"})
    assert [one["clause"] for one in reasons] == ["this cannot move"]
    assert reasons[0]["file"].endswith("extra0.yaml") and reasons[0]["line"] == 6


def test_a_later_impossible_step_is_the_reason() -> None:
    state = game(card("Ra", tactic="move.\nthis must be adjacent to an enemy unit.")).position(
        position("Ra f4, wolf Archer f6", "Ra")
    )
    assert state.why_not({"act": "tactic", "to": "f5"}) == []
    assert state.why_not({"act": "tactic", "to": "e4"})


# ---- what a player may see

PRIEST = position("Warrior Priest f4, wolf Archer f5 3", "Warrior Priest, Knight", bag={"raven": ["Scout", "Marshall"]})


def test_a_drawn_coin_is_the_drawers_own() -> None:
    state = game().position(PRIEST)
    take(state, act="attack", unit="f4")
    assert state.decision is not None and state.decision.is_chance
    round_trips(state)
    take(state, act="draw", coin="Scout")
    round_trips(state)
    assert "Scout" not in "\n".join(state.log_for("wolf"))
    take(state, act="pass", coin="Scout")
    assert "Scout" not in "\n".join(state.log_for("wolf"))
    assert "Scout" in lines(state)
    wolf, raven = state.view("wolf"), state.view("raven")
    assert wolf["hand"]["raven"] == 1 and raven["hand"]["raven"] == ["Knight"]
    assert wolf["bag"] == {"raven": 1, "wolf": 0} == raven["bag"]
    assert wolf["discard"]["raven"] == {"up": ["Warrior Priest"], "down": 1}
    assert raven["discard"]["raven"] == {"up": ["Warrior Priest"], "down": ["Scout"]}


def test_the_drawer_reads_of_the_coin_in_the_log() -> None:
    state = game().position(PRIEST)
    take(take(state, act="attack", unit="f4"), act="draw", coin="Scout")
    assert "Scout" in "\n".join(state.log_for("raven"))


@pytest.mark.parametrize("act", ["pass", "claim"])
def test_a_facedown_coin_is_hidden(act: str) -> None:
    state = game().position(position("", "Knight, Scout", "Archer, Cavalry") | {"initiative": "wolf"})
    take(state, act=act, coin="Knight")
    assert "Knight" not in "\n".join(state.log_for("wolf"))
    assert "Knight" in "\n".join(state.log_for("raven")) and "Knight" in lines(state)


def test_a_recruited_coin_is_visible_and_its_payment_is_hidden() -> None:
    state = game().position(position("", "Knight, Scout", "Archer", supply={"raven": ["Marshall"]}))
    take(state, act="recruit", coin="Knight")
    seen = "\n".join(state.log_for("wolf"))
    assert "Knight" not in seen and "Marshall" in seen


def test_the_first_line_of_an_act_in_the_open_names_it() -> None:
    state = game().position(position("Cavalry f4", "Cavalry"))
    take(state, act="move", to="e4")
    assert "e4" in state.log_for("wolf")[0] and "hidden" not in state.log_for("wolf")[0]


def test_a_view_has_the_question_but_no_pending_work() -> None:
    state = game().position(PRIEST)
    take(take(state, act="attack", unit="f4"), act="draw", coin="Scout")
    assert player(state) == "raven"
    for viewer in ("raven", "wolf"):
        seen = state.view(viewer)
        assert isinstance(seen["pending"], str)
        assert viewer == "raven" or ("Scout" not in str(seen["pending"]) and "Marshall" not in str(seen["pending"]))
    with pytest.raises(warchest.OptionError):
        state.view("nobody")
    with pytest.raises(warchest.OptionError):
        state.log_for("nobody")


def test_a_drawn_coin_is_no_reason_for_the_other() -> None:
    state = game().position(PRIEST)
    take(take(state, act="attack", unit="f4"), act="draw", coin="Scout")
    told = [state.why_not({"act": "pass", "coin": coin}, "wolf") for coin in ("Scout", "Marshall")]
    assert told[0] == told[1] and len(told[0]) == 1


WAYS = "after this moves, either swap this for an Archer, or do nothing."


def test_every_way_has_a_number_and_says_what_it_does() -> None:
    state = take(game(card("Page", attribute=WAYS)).position(position("Page f4 2", "Page")), act="move", to="f5")
    assert state.decision is not None
    assert [(one.data, one.label) for one in state.decision.options] == [
        ({"act": "choose", "way": 1, "does": "swap this for an Archer"}, "choose: swap this for an Archer"),
        ({"act": "choose", "way": 2, "does": "do nothing"}, "choose: do nothing"),
    ]
    for option in state.decision.options:
        assert state.why_not(option.data) == state.why_not(option.label) == []
