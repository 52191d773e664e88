"""Properties: how they are read and said again, what breaks them, and when one of them tells nothing."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

import warchest
from loaded import shipped, studied
from warchest import State
from warchest.cli.main import main as run
from warchest.documents.load import from_source
from warchest.documents.schemas import read_schemas
from warchest.game.game import model_of
from warchest.ir.properties import EventAssertion, Property, StateAssertion
from warchest.lint.wc_lint import main as lint
from warchest.paraphrase.reading import PROPERTIES, Study
from warchest.resolve.resolve import new_reader
from warchest.resolve.stated import StatedProperty, stated
from warchest.source.data import data_folder
from warchest.source.text import Source
from warchest.testing.laws import faults_of, law_named
from warchest.testing.properties import PropertyTally, PropertyWatch, properties_of
from warchest.testing.steps import step_of

GAMES = ("war-chest", "unigames")


def stated_in(says: str, game: warchest.Game | None = None, times: int = 1) -> tuple[list[StatedProperty], list[str]]:
    """Return the properties in a text, and the names of the findings about it."""
    game = game if game is not None else shipped()
    indented = "\n".join(f"  {line}" for line in says.strip().splitlines())
    text = f"properties: These\ntimes: {times}\nsays: |\n{indented}\n"
    library = from_source(Source("these.yaml", text), read_schemas())
    assert library.findings == []
    found = stated(new_reader(model_of(game, game.variant())), library.of_kind("properties"))
    return found.properties, [one.name for one in found.findings]


def meaning(says: str, name: str = "war-chest") -> Property:
    """Return the meaning of one property."""
    properties, wrong = stated_in(says, shipped(name))
    assert wrong == []
    (one,) = properties
    return one.meaning


@cache
def study_of(name: str) -> Study:
    return studied(shipped(name))


def coins_in(told: Any) -> Counter[str]:
    """Return the coins of each type in a position, in zones and in units."""
    found = Counter[str]()
    for unit in told["units"]:
        found[unit["unit"]] += unit["coins"]
    for zone in ("hand", "bag", "discard", "supply", "box"):
        for lying in told[zone].values():
            found.update(chain.from_iterable(lying.values()) if isinstance(lying, dict) else lying)
    return found


# ---- what is understood


@pytest.mark.parametrize(
    ("says", "found"),
    [
        ("never a unit attacks a Scout that is not adjacent to it.", []),
        ("always the number of all coins is 74.", []),
        ("always for each player, the number of coins in its hand + the number of coins in its bag is at most 9.", []),
        ("never for each player, the number of coins in its hand changes.", []),
        ("sometimes a unit is bolstered.", []),
        ("never a unit controls a location while your team controls the location.", []),
        ("never a unit attacks a Scuot.", ["unknown-word"]),
        ("never a unit atacks a Scout.", ["unknown-word"]),
        ("never a unit attacks a Scout", ["missing-full-stop"]),
        ("a unit cannot attack a Scout.", ["not-a-property"]),
        ("move.", ["not-a-property"]),
        ("never a coin is in a hand and a unit attacks.", ["not-a-property"]),
        ("always a unit attacks.", ["says-nothing"]),
        ("always the number of coins changes.", ["says-nothing"]),
        ("never for each unit, its height changes.", ["wrong-kind"]),
        ("never this attacks.", ["no-antecedent"]),
        ("always your team controls a location.", ["no-antecedent"]),
        ("never a unit attacks or maneuvers.", ["says-nothing"]),
        ("never a unit attacks a coin.", ["wrong-kind"]),
    ],
)
def test_a_sentence_is_a_property_or_is_refused(says: str, found: list[str]) -> None:
    properties, wrong = stated_in(says)
    assert wrong == found and bool(properties) != bool(found)


def test_a_bad_sentence_leaves_the_others_alone() -> None:
    properties, wrong = stated_in("never a unit atacks.\nnever a unit attacks a friendly unit.\nmove.")
    assert [one.text for one in properties] == ["never a unit attacks a friendly unit"]
    assert wrong == ["unknown-word", "not-a-property"]


@pytest.mark.parametrize("name", GAMES)
def test_paraphrases_of_properties_are_read_with_the_same_meaning(name: str) -> None:
    told = study_of(name)
    for one in properties_of(shipped(name)):
        reading = told.sentences([one.sentence], PROPERTIES, told.nobody, "says")
        assert not isinstance(reading, warchest.CardError) and reading.said, one.text  # type: ignore[union-attr]
        again = [meaning(said, name) for said in reading.said]  # type: ignore[union-attr]
        assert tuple(part for each in again for part in each.assertions) == one.meaning.assertions


@pytest.mark.parametrize(
    ("says", "without"),
    [
        ("never a unit attacks a Scout that is not own.", "never a unit attacks a Scout that is own."),
        ("never a unit attacks a Scout that is bolstered.", "never a unit attacks a bolstered Scout."),
        ("never a unit attacks while the initiative is stale.", "never a unit attacks unless the initiative is stale."),
        ("never a unit is on a location.", "always a unit is on a location."),
        ("always for each unit, its height is 1.", "always for each friendly unit, its height is 1."),
    ],
)
def test_no_word_is_idle(says: str, without: str) -> None:
    there, _ = stated_in(without)
    assert not there or there[0].meaning != meaning(says)


def test_a_property_is_no_part_of_the_rules() -> None:
    text = "properties: More\nsays: |\n  never a unit attacks a Scout.\n  sometimes a unit attacks a Scout.\n"
    plain, more = shipped().variant(), shipped("war-chest", text).variant()
    assert more.program.ruleset == plain.program.ruleset
    assert {one.path for one in shipped().library.sources if Path(one.path).parent.name == "properties"} == set()
    assert len(properties_of(shipped("war-chest", text))) == len(properties_of(shipped())) + 2


# ---- when a property applies


@pytest.mark.parametrize(
    ("says", "wider"),
    [
        ("never a unit attacks a Scout that is bolstered.", "never a unit attacks a Scout."),
        ("never a bolstered unit attacks a Scout that is bolstered.", "never a bolstered unit attacks a Scout."),
        ("always a unit that is bolstered attacks a Scout.", "never a unit attacks a Scout."),
    ],
)
def test_an_event_applies_without_the_point_of_the_sentence(says: str, wider: str) -> None:
    (one,), (other,) = meaning(says).assertions, meaning(wider).assertions
    assert isinstance(one, EventAssertion) and isinstance(other, EventAssertion)
    assert one.applies == other.holds != one.holds


@pytest.mark.parametrize(
    "says",
    [
        "never a unit attacks.",
        "never an Archer attacks a Scout.",
        "never a unit that is bolstered attacks a Scout.",
        "never a unit attacks a Scout unless that Scout is bolstered.",
        "never a Scout that is bolstered is attacked.",
    ],
)
def test_acts_of_others_do_not_test_a_subject(says: str) -> None:
    (one,) = meaning(says).assertions
    assert one.applies is None


# ---- what is seen

BESIDE = {
    "to_act": "raven",
    "initiative": "raven",
    "control": {"raven": ["e2"], "wolf": ["g6"]},
    "hand": {"raven": ["Knight", "Royal Coin"], "wolf": ["Royal Coin"]},
}


def position(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**BESIDE, "units": list(units), **more}


KNIGHT = {"at": "f4", "unit": "Knight", "owner": "raven", "coins": 2}
SCOUT = {"at": "f5", "unit": "Scout", "owner": "wolf", "coins": 2}


def after(state: State, watch: PropertyWatch, **wanted: str) -> PropertyWatch:
    """Watch while the option with some words is taken."""
    assert state.decision is not None
    (option,) = [one for one in state.decision.options if wanted.items() <= one.data.items()]
    watch.take(state, option)
    return watch


def watching(says: str, state: State, times: int = 1) -> PropertyWatch:
    """Return a watch on some properties that has checked the state."""
    game = state.variant.origin
    assert isinstance(game, warchest.Game)
    properties, wrong = stated_in(says, game, times)
    assert wrong == []
    watch = PropertyWatch(game, properties)
    watch.begin(state)
    return watch


def seen(watch: PropertyWatch) -> list[tuple[int, int, int]]:
    return [(one.times, one.held, one.broken) for one in watch.tallies.values()]


def test_events_are_judged_as_they_happen() -> None:
    watch = watching(
        """
        never a unit attacks a Scout that is adjacent to it.
        never a unit attacks a Scout that is not adjacent to it.
        never a unit attacks a Scout that is unbolstered.
        never a unit maneuvers while the initiative is stale.
        never a unit attacks by its tactic.
        sometimes a unit attacks a friendly unit.
        """,
        shipped().position(position(KNIGHT, SCOUT)),
    )
    state = shipped().position(position(KNIGHT, SCOUT))
    after(state, watch, act="attack", target="f5")
    assert seen(watch) == [(1, 0, 1), (1, 1, 0), (1, 1, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)]
    assert [one.is_vacuous for one in watch.tallies.values()] == [False] * 3 + [True] * 3
    (breach,) = watch.breaches
    assert (breach.step, breach.told) == (1, "attack by Knight on f4 target Scout on f5")
    assert breach.message.endswith("`never a unit attacks a Scout that is adjacent to it` (these.yaml:4:3)")


@pytest.mark.parametrize(
    ("says", "times"),
    [
        ("never a unit moves to a space with a unit.", 1),
        ("never a unit moves to a space that is with a unit.", 1),
        ("never a Scout moves to a space with a unit.", 0),
        ("never you deploy the Royal Coin.", 1),
        ("never you claim the initiative.", 1),
        ("never you claim the initiative while the initiative is stale.", 0),
        ("never a coin is recruited.", 0),
    ],
)
def test_acts_prevented_only_by_a_rule_are_tested_on_request(says: str, times: int) -> None:
    state = shipped().position(position(KNIGHT, SCOUT))
    properties, _ = stated_in(says)
    for thorough in (False, True):
        watch = PropertyWatch(shipped(), properties, thorough)
        watch.begin(state)
        assert seen(watch)[0] == (times * thorough, times * thorough, 0), says


@pytest.mark.parametrize(
    ("says", "data", "times"),
    [
        ("never a unit attacks a friendly unit.", {"act": "attack", "target": "f4"}, 1),
        ("never an Archer attacks.", {"act": "attack"}, 0),
        ("never a Scout attacks.", {"act": "attack", "unit": "f5"}, 1),
        ("never a Knight attacks.", {"act": "attack", "unit": "f5"}, 0),
        ("never a unit moves to a space that is not within 2 spaces of it.", {"act": "move", "to": "f1"}, 1),
    ],
)
def test_options_stated_as_missing_are_tested(says: str, data: dict[str, str], times: int) -> None:
    state = shipped().position(position(KNIGHT, SCOUT))
    properties, _ = stated_in(says)
    watch = PropertyWatch(shipped(), properties, thorough=True)
    watch.begin(state)
    before = seen(watch)[0][0]
    watch.miss(state, [data])
    assert seen(watch)[0][0] - before == times


def test_considered_acts_and_acts_of_a_copy_do_not_count() -> None:
    state = shipped().position(position(KNIGHT, SCOUT))
    watch = watching("never a unit attacks a Scout that is adjacent to it.", state)
    assert state.decision is not None and len(state.decision.options) > 2
    copy = state.clone()
    assert copy.decision is not None
    copy.apply(next(one for one in copy.decision.options if one.data["act"] == "attack"))
    after(state, watch, act="move", to="f3")
    assert seen(watch) == [(0, 0, 0)]


def test_an_event_that_is_replaced_has_not_happened() -> None:
    guard = {"at": "f5", "unit": "Royal Guard", "owner": "wolf", "coins": 2}
    state = shipped().position(position(KNIGHT, guard, supply={"wolf": ["Royal Guard"]}))
    watch = watching("sometimes a unit attacks a Royal Guard.\nsometimes a Royal Guard loses a coin.", state)
    after(state, watch, act="attack", target="f5")
    taken = [one for one in state.decision.options if one.data["act"] != "decline"]  # type: ignore[union-attr]
    watch.take(state, taken[0])
    assert seen(watch) == [(1, 1, 0), (0, 0, 0)]


def test_states_are_checked_member_by_member() -> None:
    state = shipped().position(position(KNIGHT, SCOUT))
    watch = watching(
        """
        always for each unit, its height is at least 2.
        always for each unit, no coin that is not of its type is in it.
        never a unit is on a location.
        never the number of all coins changes.
        """,
        state,
    )
    after(state, watch, act="attack", target="f5")
    assert seen(watch) == [(4, 3, 1), (4, 4, 0), (2, 2, 0), (1, 1, 0)]
    assert [one.told for one in watch.breaches] == ["Scout on f5"]


def test_coins_are_counted_in_all_places() -> None:
    """The counts are those of the position: in zones, which tell each coin by name, and in units."""
    state, rng = shipped().new(seed=3), Random(3)
    told = meaning("never for each card in an army, the number of coins of its type changes.").assertions[0]
    whole = meaning("never the number of all coins changes.").assertions[0]
    assert isinstance(told, StateAssertion) and isinstance(whole, StateAssertion)
    assert told.value is not None and whole.value is not None and told.among is not None
    functions, naming = state.variant.functions, state.variant.naming
    for _ in range(60):
        assert state.decision is not None
        state.apply(state.decision.sample(rng))
        lying, env = coins_in(state.position()), (-1,) * (told.variables + 1)
        assert functions.value(whole.value)(state.run, env) == lying.total() > 0
        cards = functions.members(told.among)(state.run, env)
        counts = {
            str(naming.told("token", card)): functions.value(told.value)(state.run, (*env[:4], card, *env[5:]))
            for card in cards
        }
        assert counts == {name: lying[name] for name in counts} and len(counts) == 8


def test_a_property_broken_by_the_first_position_is_no_fault_of_the_rules() -> None:
    state = shipped().position(position(KNIGHT, SCOUT))
    watch = watching("always for each unit, its height is 1.\nalways the number of all coins is 74.", state)
    after(state, watch, act="move", to="f3")
    assert watch.breaches == [] and all(one.is_vacuous for one in watch.vacuous)
    assert len(watch.vacuous) == 2


def test_a_natively_held_state_is_watched_like_any_other() -> None:
    plain, native = (shipped().position(position(KNIGHT, SCOUT)) for _ in range(2))
    reason = native.play_natively()
    if reason:
        pytest.skip(reason)
    says = "never a unit attacks a Scout that is adjacent to it.\nalways for each unit, its height is at most 5."
    assert seen(after(plain, watching(says, plain), act="attack")) == seen(
        after(native, watching(says, native), act="attack")
    )


# ---- planted faults

LEAK = """unit: Midas
set: base
coins: 4
source: our own
attribute: |
  after this moves, put a new Midas into your hand.
"""
BRAVE = """unit: Bully
set: base
coins: 4
source: our own
attribute: |
  this may move to a space exactly 3 spaces away.
"""


@pytest.mark.parametrize(
    ("card", "units", "hand", "wanted", "broken"),
    [
        (
            LEAK,
            [{"at": "f4", "unit": "Midas", "owner": "raven"}],
            "Midas",
            {"act": "move", "to": "f3"},
            "never the number of all coins changes while no card is in the pool",
        ),
        (
            BRAVE,
            [{"at": "f4", "unit": "Bully", "owner": "raven"}],
            "Bully",
            {"act": "move", "to": "f1"},
            "never a unit moves to a space that is not within 2 spaces of it",
        ),
    ],
)
def test_the_shipped_properties_find_planted_faults(
    card: str, units: list[dict[str, Any]], hand: str, wanted: dict[str, str], broken: str
) -> None:
    game = shipped("war-chest", card)
    state = game.position(position(*units, hand={"raven": [hand, hand], "wolf": ["Royal Coin"]}))
    watch = PropertyWatch(game)
    watch.begin(state)
    after(state, watch, **wanted)
    assert broken in [one.text for one in watch.breaches]


def test_the_law_of_properties_finds_them_step_by_step() -> None:
    game = shipped("war-chest", BRAVE)
    bully = {"at": "f4", "unit": "Bully", "owner": "raven"}
    state = game.position(position(bully, hand={"raven": ["Bully"], "wolf": ["Royal Coin"]}))
    assert state.decision is not None
    by_place = {one.data.get("to"): one for one in state.decision.options if one.data["act"] == "move"}
    law = law_named("properties")
    (fault,) = faults_of(step_of(state, by_place["f1"]), [law])
    assert "never a unit moves to a space that is not within 2 spaces of it" in fault.text
    assert list(faults_of(step_of(state, by_place["f3"]), [law])) == []


# ---- tallies, and the shipped games


def test_tallies_add_up_and_travel() -> None:
    state = shipped().position(position(KNIGHT, SCOUT))
    watch = watching("never a unit attacks a Scout that is adjacent to it.", state, times=2)
    after(state, watch, act="attack", target="f5")
    first = pickle.loads(pickle.dumps(watch.collected()))
    assert seen(watch) == [(0, 0, 0)] and [one.is_vacuous for one in first] == [True]
    total = PropertyWatch(shipped())
    total.add(first)
    total.add(pickle.loads(pickle.dumps(first)))
    (one,) = total.tallies.values()
    assert isinstance(one, PropertyTally) and (one.times, one.broken, one.is_vacuous) == (2, 2, False)
    assert one.first is not None and one.first.step == 1


@pytest.mark.parametrize(("name", "cap"), [("war-chest", 260), ("unigames", 160)])
def test_nothing_breaks_the_shipped_properties_and_most_apply_in_a_game(name: str, cap: int) -> None:
    game = shipped(name)
    watch = PropertyWatch(game, thorough=True)
    for seed in range(1):
        state, rng = game.new(seed=seed), Random(seed)
        watch.begin(state)
        for _ in range(cap):
            decision = state.decision
            if decision is None:
                break
            options = [one for one in decision.options if one.data["act"] != "desist"] or list(decision.options)
            watch.take(state, rng.choice(options))
        assert watch.wrong() == []
    assert len(watch.vacuous) <= len(watch.tallies) // 3


RULED = """unit: Midas
set: base
coins: 4
source: our own
attribute: |
  after this moves, put a new Midas into your hand.
rulings:
  - name: It makes coins
    source: "ruling: a test"
    position:
      to_act: raven
      initiative: raven
      units: [{at: f4, unit: Midas, owner: raven}]
      hand: {raven: [Midas], wolf: [Royal Coin]}
    do: [{act: move, to: f3}]
"""
MINE = """properties: Mine
times: 2
says: |
  sometimes a Midas moves.
  never a Midas attacks a unit that is adjacent to it.
"""


def test_rulings_report_broken_and_vacuous_properties(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "midas.yaml").write_text(RULED, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    assert run(["test", str(tmp_path), "--properties", "--jobs", "1"]) == 1
    told = capsys.readouterr().out
    assert "failed  Midas: It makes coins" in told
    assert "broken in step 1" in told and "`never the number of all coins changes while no card is in the pool`" in told
    assert "1 time   Mine: sometimes a Midas moves  vacuous: it must apply at least 2 times" in told
    assert run(["test", str(tmp_path), "--properties", "--jobs", "1", "--format", "json"]) == 1
    listed = {one["says"]: one for one in json.loads(capsys.readouterr().out)["properties"]}
    assert listed["never a Midas attacks a unit that is adjacent to it"]["vacuous"]
    assert listed["never the number of all coins changes while no card is in the pool"]["broken"] == 1
    assert {one for one in listed if "a Midas" not in one and not listed[one]["broken"]} == set()
    (tmp_path / "midas.yaml").unlink()
    assert run(["test", str(tmp_path), "--properties", "--jobs", "1"]) == 2
    (tmp_path / "mine.yaml").write_text(MINE.replace("Midas", "Scout"), encoding="utf-8")
    assert run(["test", str(tmp_path), "--properties", "--jobs", "1"]) == 1
    told = capsys.readouterr()
    assert "there are no rulings there" in told.err and "2 properties, 0 broken, 2 vacuous" in told.out
    (tmp_path / "mine.yaml").write_text("properties: Mine\nsays: |\n  never a Scout moovs.\n", encoding="utf-8")
    assert run(["test", str(tmp_path)]) == 2
    assert f"{tmp_path}/mine.yaml:3:17" in capsys.readouterr().err


@pytest.mark.parametrize("name", GAMES)
def test_the_linter_is_content_with_the_shipped_properties(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data_folder("cards") / name / "properties"
    assert lint(["--game", name, str(folder)]) == 0, capsys.readouterr().out
    assert all(one.source for one in properties_of(shipped(name)))


def test_properties_that_can_never_apply_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "never.yaml"
    file.write_text(
        "properties: Never\nsays: |\n  never a bolstered unbolstered unit attacks a unit that is own.\n",
        encoding="utf-8",
    )
    assert lint([str(file)]) == 1
    assert "WC411" in capsys.readouterr().out
    file.write_text("properties: Wrong\nsays: |\n  never a unit attacks a Scuot.\n", encoding="utf-8")
    assert lint([str(file)]) == 1
    assert f"{file}:3:26" in capsys.readouterr().out
