"""Mutants: each sort of change, the results, and the report of the command."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import warchest
from linted import usual_texts
from loaded import shipped
from warchest.rulings.runner import run_case
from warchest.source.text import Source, Span
from warchest.testing.budget import UNLIMITED, Budget
from warchest.testing.differences import GameComparison
from warchest.testing.mutants.adopting import case_of
from warchest.testing.mutants.changes import KINDS
from warchest.testing.mutants.making import Mutant, Mutants, edit
from warchest.testing.mutants.trying import NOT_LOOKED, SAME, DifferenceSearch, Trial, Trials, rulings_of

OUTRIDER = """\
unit: Outrider
coins: 4
tactic: |
  move to a space exactly 2 spaces away through an open space.
  attack.
attribute: |
  after this attacks or controls, you may put a coin in your supply into your bag, then this moves if able.
restriction: |
  # distances
  a unit cannot attack this unless that unit is adjacent to this,
    or the height of that unit is at least 2.
rulings:
  - name: It rides two spaces and attacks
    position:
      to_act: raven
      units: [{at: f3, unit: Outrider, owner: raven}, {at: f6, unit: Scout, owner: wolf}]
      hand: {raven: [Outrider], wolf: [Royal Coin]}
    do: [{act: tactic, coin: Outrider, to: f5}]
    then: {units: [{at: f5, unit: Outrider, owner: raven}]}
"""
HERMIT = """\
unit: Hermit
coins: 4
tactic: |
  attack.
restriction: |
  a unit on an open space cannot attack this.
rulings:
  - name: It attacks
    position:
      to_act: raven
      units: [{at: f3, unit: Hermit, owner: raven}, {at: f4, unit: Scout, owner: wolf}]
      hand: {raven: [Hermit], wolf: [Royal Coin]}
    do: [{act: tactic, coin: Hermit, target: f4}]
    then: {units: [{at: f3, unit: Hermit, owner: raven}]}
"""
MOLE = """\
ability: Digging
parameters: [X]
rules: |
  before its melee attack lands, if the distance of its victim is more than 1,
    the strength of the melee attack increases by X.
  when this would be harmed while this is disabled, this rests instead.
"""


@cache
def made(game: str, text: str) -> tuple[warchest.Game, list[Mutant]]:
    loaded = shipped(game, text)
    name = text.partition("\n")[0].partition(": ")[2]
    return loaded, list(Mutants(loaded).of(next(one for one in loaded.library.documents if one.name == name)))


def made_of_all(game: str) -> list[list[Mutant]]:
    makes = Mutants(shipped(game))
    return [list(makes.of(document)) for document in shipped(game).library.documents]


of_all = cache(made_of_all)
"""The mutants of all documents of a game, made once."""


# ---- making them


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("number", "move to a space exactly 1 space away through an open space."),
        ("number", "move to a space exactly 3 spaces away through an open space."),
        (
            "number",
            "a unit cannot attack this unless that unit is adjacent to this, "
            "or the height of that unit is more than 2.",
        ),
        ("range", "move to a space within 2 spaces away through an open space."),
        ("range", "move to a space 2 spaces away through an open space."),
        ("condition", "a unit cannot attack this."),
        ("condition", "a unit cannot attack this unless the height of that unit is at least 2."),
        (
            "condition",
            "a unit cannot attack this unless that unit is adjacent to this and the height of that unit is at least 2.",
        ),
        (
            "negation",
            "a unit cannot attack this unless that unit is not adjacent to this, "
            "or the height of that unit is at least 2.",
        ),
        (
            "negation",
            "a unit cannot attack this while that unit is adjacent to this, or the height of that unit is at least 2.",
        ),
        (
            "negation",
            "a unit cannot attack this unless that unit is adjacent to this, "
            "or the height of that unit is less than 2.",
        ),
        ("word", "move to a location exactly 2 spaces away through an open space."),
        ("word", "move to a space exactly 2 spaces away through an empty space."),
        (
            "word",
            "after this attacks or moves, you may put a coin in your supply into your bag, then this moves if able.",
        ),
        (
            "word",
            "after this attacks or controls, you may put a coin in your box into your bag, then this moves if able.",
        ),
        ("choice", "this may attack."),
        ("choice", "after this attacks or controls, put a coin in your supply into your bag, then this moves if able."),
        (
            "hook",
            "before this attacks or controls, you may put a coin in your supply into your bag, "
            "then this moves if able.",
        ),
        ("clause", "move to a space exactly 2 spaces away."),
        ("clause", "move to a space through an open space."),
        ("clause", "move to a space exactly 2 spaces away through a space."),
        ("clause", "after this attacks, you may put a coin in your supply into your bag, then this moves if able."),
        ("clause", "after this attacks or controls, you may put a coin in your supply into your bag, then this moves."),
        ("step", "after this attacks or controls, you may put a coin in your supply into your bag."),
        ("sentence", ""),
    ],
)
def test_a_card_gets_each_sort_of_change(kind: str, after: str) -> None:
    assert (kind, after) in {(one.kind, one.after) for one in made("war-chest", OUTRIDER)[1]}


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        (
            "number",
            "before its melee attack lands, if the distance of its victim is more than 2, "
            "the strength of the melee attack increases by X.",
        ),
        ("condition", "before its melee attack lands, the strength of the melee attack increases by X."),
        (
            "word",
            "before its melee attack lands, if the distance of its victim is more than 1, "
            "the strength of the melee attack decreases by X.",
        ),
        (
            "word",
            "before its melee attack lands, if the trek of its victim is more than 1, "
            "the strength of the melee attack increases by X.",
        ),
        ("word", "when this would be harmed while this is alert, this rests instead."),
        ("hook", "when this would be harmed while this is disabled, this rests."),
        ("negation", "when this would be harmed unless this is disabled, this rests instead."),
        ("condition", "when this would be harmed, this rests instead."),
    ],
)
def test_an_ability_of_another_game_gets_them_too(kind: str, after: str) -> None:
    text = MOLE.replace("would be harmed", "would rest").replace("this rests instead", "this wakes instead")
    after = after.replace("would be harmed", "would rest").replace("this rests", "this wakes")
    assert (kind, after) in {(one.kind, one.after) for one in made("unigames", text)[1]}


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_mutants_are_edits_of_sentences_and_no_two_are_the_same(game: str) -> None:
    kinds: Counter[str] = Counter()
    for mutants in of_all(game):
        assert len({one.text for one in mutants}) == len(mutants)
        for one in mutants:
            whole = one.span.source.text
            assert one.text == whole[: one.span.start] + one.new + whole[one.span.end :] != whole
            assert one.old and whole[one.span.start : one.span.end] == one.old
            assert one.kind == "sentence" or one.sentence.start <= one.span.start < one.span.end <= one.sentence.end
            assert one.after != one.before and "\n" not in one.before + one.after
            assert one.kind == "sentence" or one.after.endswith(".")
            kinds[one.kind] += 1
    assert set(kinds) == set(KINDS)


def test_they_are_in_the_same_order_each_time() -> None:
    first, again = of_all("war-chest"), made_of_all("war-chest")
    assert [[one.text for one in mutants] for mutants in first] == [[one.text for one in mutants] for mutants in again]
    for mutants in first:
        starts = [one.sentence.start for one in mutants if one.path == mutants[0].path]
        assert starts == sorted(starts)


@pytest.mark.parametrize(
    ("written", "old", "new", "expected"),
    [
        ("move  to\n  a space.", "move to a space.", "move to a location.", ("space", "location")),
        ("move.", "move.", "this may move.", ("move", "this may move")),
        ("attack a far unit.", "attack a far unit.", "attack a unit.", ("a far", "a")),
        ("Move to a space.", "move to a space.", "move to a hill.", ("space", "hill")),
        ("move, then # a note\n stop.", "move, then stop.", "move, then rest.", ("stop", "rest")),
        ("walk over.", "move.", "rest.", ("walk over.", "rest.")),
        ("if far,\n or near, go.", "if far, or near, go.", "if far and near, go.", ("far,\n or", "far and")),
        ("if far and near, go.", "if far and near, go.", "if far, or near, go.", ("far and", "far, or")),
        ("move, then stop.", "move, then stop.", "stop.", ("move, then stop", "stop")),
    ],
)
def test_an_edit_is_as_small_as_can_be(written: str, old: str, new: str, expected: tuple[str, str]) -> None:
    span, words = edit(Span(Source("a file", written), 0, len(written)), old, new)
    assert (span.text, words) == expected


# ---- trying them


def compared_with(game: warchest.Game, mutant: Mutant) -> GameComparison:
    """A comparison of a game with the one that has a mutant."""
    return GameComparison(game, game.with_text(mutant.path, mutant.text))


def written(text: str, folder: Path) -> tuple[warchest.Game, list[Mutant]]:
    """The game with a card from a file, and the mutants of the card; without errata, as others are tried."""
    (folder / "card.yaml").write_text(text, encoding="utf-8")
    game = warchest.load(Path(usual_texts()), extra=[folder])
    card = next(one for one in game.library.documents if one.span.path == str(folder / "card.yaml"))
    return game, list(Mutants(game).of(card))


@pytest.fixture(scope="module")
def hermit(tmp_path_factory: pytest.TempPathFactory) -> tuple[warchest.Game, list[Mutant]]:
    """The game with the Hermit in a file, and its mutants."""
    return written(HERMIT, tmp_path_factory.mktemp("hermit"))


def tried(trials: Trials, mutants: list[Mutant], budget: Budget = UNLIMITED) -> list[Trial]:
    """The trials of some mutants."""
    return [trials.trial(*one) for one in trials.search_in(mutants, budget).parts()]


def test_each_outcome_is_reported(tmp_path: Path) -> None:
    game, mutants = written(OUTRIDER, tmp_path)
    wanted = ("1 space", "attack", "a", "space", "empty")
    mutants = [one for one in mutants if one.sentence.line == 4 and one.new in wanted]
    by_change = {(one.mutant.old, one.mutant.new): one for one in tried(Trials(game, rulings_of(game)), mutants)}
    caught = by_change["2 spaces", "1 space"]
    assert (caught.outcome, caught.case and caught.case.name) == ("caught", "It rides two spaces and attacks")
    unviable = by_change["move", "attack"]
    assert (unviable.outcome, unviable.why) == ("unviable", "`attack` does not take `to …`")
    linted = by_change["an open", "a"]
    assert linted.outcome == "unviable" and "always holds" in linted.why
    same = by_change["space exactly", "space"]
    assert (same.outcome, same.why) == ("equivalent", SAME)
    missed = by_change["open", "empty"]
    assert (missed.outcome, missed.why, missed.difference) == ("missed", NOT_LOOKED, None)


def test_mutants_without_a_difference_are_equivalent_and_others_become_rulings(
    hermit: tuple[warchest.Game, list[Mutant]], tmp_path: Path
) -> None:
    game, mutants = hermit
    wanted = [one for one in mutants if one.new in ("this may attack", "target")]
    trials = Trials(game, rulings_of(game), search=DifferenceSearch(8, seed=1))
    missed, equivalent = tried(trials, wanted)
    assert (equivalent.outcome, equivalent.why) == ("equivalent", "no difference in 8 positions")
    assert missed.outcome == "missed" and missed.difference is not None
    case = case_of(compared_with(game, missed.mutant), missed.difference, missed.mutant.before)
    longer = HERMIT + "".join(f"  {line}\n" for line in _as_yaml(case))
    game, _ = written(longer, tmp_path)
    (adopted,) = (one for one in rulings_of(game) if one.name == case["name"])
    assert run_case(game, adopted).outcome == "passed"
    changed = game.with_text(str(tmp_path / "card.yaml"), longer.replace("  attack.\n", "  this may attack.\n", 1))
    assert run_case(changed, adopted).outcome == "failed"


def test_beginnings_show_effects_of_rules_before_a_game() -> None:
    game = shipped("war-chest")
    setup = game.library.named("setup", "First game")
    assert setup is not None
    after = "for each player in turn order, it may muster."
    mutant = next(one for one in Mutants(game).of(setup) if one.after == after)
    (trial,) = tried(Trials(game, [], search=DifferenceSearch(60)), [mutant])
    assert trial.outcome == "missed" and trial.difference is not None
    case = case_of(compared_with(game, mutant), trial.difference, mutant.before)
    assert case["position"] == {"setup": "First game"} and case["not offered"]


def test_a_mutant_whose_search_is_interrupted_is_not_done(hermit: tuple[warchest.Game, list[Mutant]]) -> None:
    game, mutants = hermit
    offer, target = (next(one for one in mutants if one.new == new) for new in ("this may attack", "target"))
    trials = Trials(game, rulings_of(game), search=DifferenceSearch(30, seed=1))
    assert not tried(trials, [target, offer], Budget(0.0))


def _as_yaml(case: dict[str, object]) -> list[str]:
    from yaml import safe_dump

    return str(safe_dump([case], sort_keys=False, default_flow_style=None)).splitlines()


def test_an_erratum_is_tried_under_its_option_and_all_required_ones() -> None:
    game = shipped("war-chest")
    document = game.library.named("errata", "Royal Guard comes back")
    assert document is not None
    trials = Trials(game, rulings_of(game))
    assert trials.options_of(document) == {"royal_guard": "revised", "royal_guard_loop": "allowed"}
    mutants = [one for one in Mutants(game).of(document) if one.old == "2 spaces"]
    assert {one.outcome for one in tried(trials, mutants[:1])} <= {"caught", "missed"}


def test_the_rulings_of_a_card_come_first_and_rules_of_the_game_concern_all() -> None:
    game = shipped("war-chest")
    cases = rulings_of(game)
    trials = Trials(game, cases)
    lancer, action = game.library.named("unit", "Lancer"), game.library.named("action", "Bolster")
    assert lancer is not None and action is not None
    about = [cases[number] for number in trials.about(lancer)]
    own = [case for case in cases if case.card == "Lancer"]
    assert about[: len(own)] == sorted(own, key=about.index) and len(about) < len(cases) / 2
    assert len(trials.about(action)) == len(cases) == len(Trials(game, cases, everywhere=True).about(lancer))
