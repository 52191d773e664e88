"""The search for differences between two versions: rulings with other results, and positions near bearers."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest

from loaded import shipped
from warchest.source.data import data_folder
from warchest.testing.budget import Budget
from warchest.testing.differences import GameComparison
from warchest.testing.rerunning import Rerun, RulingComparison
from warchest.testing.searching import VersionSearch
from warchest.testing.versions import Version, words_changed


@cache
def versions(game: str, file: str, old: str, new: str) -> tuple[Version, Version]:
    """Return a shipped game, and the same game with one text replaced by another."""
    path = data_folder("cards") / game / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    return Version("old", shipped(game)), Version("new", shipped(game).with_text(path, text.replace(old, new)))


BACKSTAB = ("unigames", "abilities/backstab.yaml", "increases by X", "increases by X + 1")


def rerun(rulings: RulingComparison) -> list[Rerun]:
    """Run some rulings in both versions."""
    return [Rerun(case, *told) for case, told in rulings.search_in().parts()]


@cache
def reruns() -> list[Rerun]:
    """Return the rulings near the changed ability, run in both versions."""
    return rerun(RulingComparison(*versions(*BACKSTAB), [("ability", "Backstab")]))


def test_scripts_near_a_changed_ability_have_other_results() -> None:
    apart = [one for one in reruns() if one.differs]
    assert apart and {one.outcomes for one in apart} == {("passed", "failed")}
    assert all("Backstab" in str(one.case.values) and one.wrong for one in apart)


def test_rulings_of_the_same_game_have_the_same_results() -> None:
    old, _ = versions(*BACKSTAB)
    same = rerun(RulingComparison(old, old, [("ability", "Backstab")]))
    assert not any(one.differs for one in same)


def test_no_ruling_is_run_when_the_time_is_over() -> None:
    assert list(RulingComparison(*versions(*BACKSTAB), [("ability", "Backstab")]).search_in(Budget(0.0)).parts()) == []


def test_the_play_of_a_script_leads_to_the_difference() -> None:
    old, new = versions(*BACKSTAB)
    plays = [one.play for one in reruns() if one.differs and one.play is not None]
    found = GameComparison(old.game, new.game).look(most=1, known=plays[:1]).found
    assert found is not None and [line for line in found.lines if ": damage expected " in line]
    # A smaller position in which something else differs, too, is no simpler one.
    assert found.keys == {"figures"}


@pytest.mark.parametrize(
    ("change", "cards"),
    [
        (BACKSTAB, {("Bandit Cutthroat",), ("Dwarf Stalker",)}),
        (("war-chest", "units/archer.yaml", "exactly 2", "exactly 3"), {("Archer",)}),
        (("war-chest", "actions/flip.yaml", "the player becomes", "your left neighbour becomes"), {()}),
        (("war-chest", "decrees/reinforce.yaml", "your supply", "your hand"), {("Reinforce",)}),
        # Of a document about many acts only the rules that differ count.
        (
            (
                "war-chest",
                "actions/fortify.yaml",
                "cannot redeploy a unit onto a space with an enemy fort",
                "cannot redeploy a unit onto a space with a fort",
            ),
            {("Earl",), ("Scout",), ("Siege Tower",)},
        ),
    ],
)
def test_positions_are_drawn_near_those_that_the_change_matters_to(
    change: tuple[str, str, str, str], cards: set[tuple[str, ...]]
) -> None:
    old, new = versions(*change)
    search = VersionSearch(old, new, words_changed(old, new))
    portions = search.portions([], seed=4, most=100)
    assert {one.cards for one in portions} == cards
    assert [one.seed for one in portions] == list(range(4, 4 + len(portions))) and sum(p.most for p in portions) == 100
    # If cards are named, only these are used.
    assert {one.cards for one in VersionSearch(old, new, [], ["Scout", "Knight"]).portions([], 0, 60)} == {
        ("Scout", "Knight")
    }


def test_plays_with_other_results_are_followed_first() -> None:
    old, new = versions(*BACKSTAB)
    done = reruns()
    portions = VersionSearch(old, new, words_changed(old, new)).portions(done, seed=0, most=200)
    followed = [play for portion in portions for play in portion.plays]
    apart = [one.play for one in done if one.differs]
    assert list(islice(followed, len(apart))) == apart and len(followed) == len(done)


def test_differences_of_lasting_bonuses_are_found() -> None:
    old, new = versions("unigames", "abilities/drain.yaml", "before this captures", "after this captures")
    rulings = RulingComparison(old, new, [("ability", "Drain")])
    rulings.cases = [one for one in rulings.cases if "its own Drain" in one.name]
    (again,) = rerun(rulings)
    assert again.differs and again.play is not None
    found = GameComparison(old.game, new.game).look(most=1, known=[again.play]).found
    assert found is not None and len(found.lines) == 1
    assert found.lines[0].startswith("bonuses.") and found.lines[0].endswith(".move: expected 2, but it is 0")
