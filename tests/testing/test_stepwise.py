"""Properties in Python: a planted fault is found and made small, and one that is hardly tried fails as vacuous."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import InvalidArgument

import warchest
from loaded import shipped
from warchest import testing
from warchest.testing.asked import ASKED, position_in
from warchest.testing.stepwise import VacuousError

TACTIC = """\
unit: Outrider
coins: 4
source: a test
tactic: |
  move to a space exactly 2 spaces away through an open space.
  attack.
"""
ATTRIBUTE = """\
attribute: |
  a unit cannot attack this unless that unit is adjacent to this.
"""
MANY = settings(max_examples=15, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
UNSHRUNK = settings(MANY, phases=(Phase.reuse, Phase.generate))
"""Settings without shrinking by Hypothesis, which is left to the property."""


def attacks(step: testing.Step) -> list[warchest.Event]:
    return [one for one in step.of("attack") if str(one.roles["target"]).startswith("Outrider")]


def from_next_to_it(step: testing.Step) -> None:
    """No unit attacks an Outrider from afar."""
    for one in attacks(step):
        agent, target = (str(named).split()[-1] for named in (one.agent, one.roles["target"]))
        assert step.before.board.distance(agent, target) == 1


@pytest.fixture
def outrider(tmp_path: Path) -> Callable[..., Callable[[], None]]:
    """A function that makes a test of the card with some text."""

    def test(text: str, *others: str, how: settings = MANY) -> Callable[[], None]:
        (tmp_path / "outrider.yaml").write_text(text, encoding="utf-8")
        game = warchest.load(extra=[tmp_path])
        return testing.property(game, ["Outrider"], needs=attacks, others=others, settings=how)(from_next_to_it)

    return test


def test_the_card_of_the_readme_is_as_it_says(outrider: Callable[..., Callable[[], None]]) -> None:
    # Of fewer positions not enough are such as it is about.
    test = outrider(TACTIC + ATTRIBUTE, how=settings(MANY, max_examples=35))
    test()
    assert test.__name__ == "from_next_to_it" and test.__doc__ == from_next_to_it.__doc__


def test_without_its_attribute_it_is_found_in_the_smallest_position(
    outrider: Callable[..., Callable[[], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_CURRENT_TEST", "tests/test_cards.py::test_it (call)")
    with pytest.raises(AssertionError) as found:
        outrider(TACTIC, "Archer", how=UNSHRUNK)()
    (told,) = found.value.__notes__
    said = told.splitlines()
    position = said[1 : said.index("  hand:") + 2]
    # It is the Outrider, one enemy, and one coin.
    assert len(position) == 6 and position[1] == "  units:", told
    assert sum("unit: Outrider" in line for line in position) == 1
    assert len(position[-1].split(",")) == 1 and position[-1].endswith("]")
    assert "_____" in told and "the option there: " in told
    assert said[-2].endswith(("spaces away.", "direction.")) and said[-3] == "it does not happen without:"
    assert said[-1].startswith("to see it again: pytest tests/test_cards.py::test_it --warchest-position '{")
    # It fails again at the position that the command names, and no other position is tried.
    before = ASKED.set(position_in(shlex.split(said[-1])[-1]))
    try:
        with pytest.raises(AssertionError) as again:
            outrider(TACTIC, "Archer", how=settings(UNSHRUNK, max_examples=1))()
    finally:
        ASKED.reset(before)
    assert again.value.__notes__ == found.value.__notes__


def test_a_property_that_is_hardly_tried_is_vacuous() -> None:
    few = settings(MANY, max_examples=5)
    test = testing.property(
        shipped(), ["Lancer"], needs=lambda step: step.of("no such thing"), min_hits=1, settings=few
    )(lambda _: None)
    with pytest.raises(VacuousError, match=r"^VACUOUS: `needs` was true of 0 of \d+ steps, and 1 are wanted"):
        test()


def test_each_option_of_a_position_is_tried_once() -> None:
    seen: list[testing.Step] = []

    @testing.property(shipped(), ["Lancer"], settings=settings(MANY, max_examples=5))
    def look(step: testing.Step) -> None:
        seen.append(step)

    look()
    first = [step.option.id for step in seen if step.before is seen[0].before]
    assert seen[0].before.decision is not None
    assert first == [one.id for one in seen[0].before.decision.options]


def test_a_failure_is_kept_and_comes_first_the_next_time() -> None:
    kept = settings(UNSHRUNK, database=InMemoryExampleDatabase())
    seen: list[testing.Step] = []
    wrong = ["control"]

    def never(step: testing.Step) -> None:
        seen.append(step)
        assert step.option.act not in wrong

    def placed(number: int) -> dict[str, Any]:
        unit = {"at": "e5" if number > 3 else "f4", "unit": "Lancer", "owner": "raven"}
        return {"to_act": "raven", "units": [unit], "hand": {"raven": ["Lancer"]}}

    drawn = st.integers(0, 9).map(placed)
    test = testing.property(shipped(), settings=kept, drawn=drawn)(never)
    with pytest.raises(AssertionError):
        test()
    failing = next(step.before for step in seen if step.option.act in wrong)
    assert seen[0].before != failing
    seen.clear()
    with pytest.raises(AssertionError):
        test()
    assert seen[0].before == failing and len(failing.position()["units"]) == 1


def test_an_error_of_the_game_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = warchest.State.apply

    def broken(self: warchest.State, option: warchest.Option) -> warchest.State:
        if option.act == "bolster":
            raise RuntimeError("this is broken")
        return whole(self, option)

    monkeypatch.setattr(warchest.State, "apply", broken)
    with pytest.raises(RuntimeError, match="this is broken") as found:
        testing.property(shipped(), ["Lancer"], others=["Lancer"], pieces=1, settings=UNSHRUNK)(lambda _: None)()
    (told,) = found.value.__notes__
    assert told.count("{at: ") == 1 and "unit: Lancer" in told and "the option there: bolster" in told


CHAPLAIN = """\
unit: Chaplain
coins: 4
source: a test
tactic: |
  choose an adjacent friendly unit.
  that unit moves to an adjacent space.
"""
USUAL = settings(derandomize=True, database=None, max_examples=40)


def test_a_plain_property_of_a_plain_card_is_put_to_the_test(tmp_path: Path) -> None:
    (tmp_path / "chaplain.yaml").write_text(CHAPLAIN, encoding="utf-8")
    game, helped = warchest.load(extra=[tmp_path]), list[tuple[str | None, str | None]]()

    def helps(step: testing.Step) -> bool:
        return step.option.act == "tactic" and step.option.data.get("coin") == "Chaplain"

    @testing.property(game, ["Chaplain"], needs=helps, settings=USUAL)
    def friends_move(step: testing.Step) -> None:
        if helps(step):
            helped.extend((step.who, step.owner(event)) for event in step.of("move"))

    friends_move()
    assert len(helped) > 10 and all(who == owner is not None for who, owner in helped)


def test_more_positions_are_drawn_before_a_property_is_vacuous() -> None:
    seen: list[warchest.State] = []

    def needs(step: testing.Step) -> bool:
        if not seen or seen[-1] is not step.before:
            seen.append(step.before)
        return len(seen) > 12

    few = settings(MANY, max_examples=5)
    testing.property(shipped(), ["Lancer"], needs=needs, settings=few)(lambda _: None)()
    assert 12 < len(seen) <= 20 and len(set(seen)) > 12


@pytest.mark.parametrize("above", [False, True])
def test_settings_count_above_and_below(above: bool) -> None:
    seen: dict[int, warchest.State] = {}

    def look(step: testing.Step) -> None:
        seen[id(step.before)] = step.before

    asked, made = settings(MANY, max_examples=3), testing.property(shipped(), ["Lancer"])
    test = asked(made(look)) if above else made(asked(look))
    test()
    assert len(seen) <= 3
    twice = testing.property(shipped(), ["Lancer"], settings=MANY)(look)
    with pytest.raises(InvalidArgument, match="look has settings from"):
        (asked(twice) if above else twice)()


def test_positions_can_be_drawn_by_a_strategy() -> None:
    told = {"to_act": "raven", "units": [{"at": "f4", "unit": "Scout", "owner": "raven"}], "hand": {"raven": ["Scout"]}}
    seen = set[warchest.State]()
    testing.property(shipped(), drawn=st.just(told), settings=MANY)(lambda step: seen.add(step.before))()
    assert seen == {shipped().position(told)}


def test_a_seed_counts_as_it_does_elsewhere() -> None:
    def look(step: testing.Step) -> None:
        seen.append(step.before.position())

    runs = []
    for number in (1, 1, 2):
        seen: list[dict[str, Any]] = []
        few = settings(max_examples=6, database=None)
        seed(number)(testing.property(shipped(), ["Lancer"], settings=few)(look))()
        runs.append(seen)
    assert runs[0] == runs[1] != runs[2]
