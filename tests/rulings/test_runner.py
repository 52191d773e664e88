"""The runner of rulings: its comparisons, and its messages about a case that fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import warchest
from loaded import documents, shipped
from warchest.rulings.cases import Case, cases_in, cases_of, read_cases
from warchest.rulings.compare import agree, differences, matches
from warchest.rulings.field_places import place_of
from warchest.rulings.runner import CaseResult, run_case
from warchest.source.nodes import Mapping
from warchest.source.text import Source
from warchest.source.yaml import parse

POSITION = """
    position:
      to_act: raven
      initiative: raven
      control: {raven: [e2, h1]}
      units:
        - {at: f4, unit: Scout, owner: raven, coins: 2}
        - {at: f5, unit: Knight, owner: wolf}
      hand: {raven: [Scout], wolf: [Royal Coin]}
"""


@pytest.fixture(scope="module")
def game() -> warchest.Game:
    return shipped()


def cases(folder: Path, text: str) -> list[Case]:
    file = folder / "cases.yaml"
    file.write_text(text, encoding="utf-8")
    found, _, errors = read_cases([file])
    assert not errors, warchest.CardError(errors)
    return found


@pytest.fixture
def run(game: warchest.Game, tmp_path: Path) -> Any:
    def run(text: str) -> CaseResult:
        (case,) = cases(tmp_path, f"rulings: Test\nsource: here\ncases:\n  - name: A case{POSITION}{text}")
        return run_case(game, case)

    return run


def test_a_case_that_holds_passes(run: Any) -> None:
    result = run("""
    do:
      - {act: move, to: g3}
    decides: wolf
    then:
      units:
        - {at: g3, unit: Scout, owner: raven, coins: 2}
        - {at: f5, unit: Knight, owner: wolf}
      control: {raven: [h1, e2]}
      discard: {raven: {up: [Scout]}}
      initiative_moved: false
    """)
    assert result == CaseResult(result.case, "passed")


def test_a_unit_can_be_without_coins_amid_an_act(tmp_path: Path) -> None:
    """The one that is attacked has lost its last coin when the attacker moves, and is still on the board."""
    (case,) = cases(
        tmp_path,
        """\
rulings: Duelist
source: here
cases:
  - name: It moves amid its attack
    position:
      to_act: raven
      units: [{at: f4, unit: Duelist, owner: raven}, {at: f5, unit: Scout, owner: wolf}]
      hand: {raven: [Duelist]}
    do: [{act: attack, target: f5}]
    then:
      units: [{at: f4, unit: Duelist, owner: raven}, {at: f5, unit: Scout, owner: wolf, coins: 0}]
""",
    )
    duelist = "unit: Duelist\ncoins: 4\nattribute: |\n  when this attacks, it moves.\n"
    assert run_case(shipped("war-chest", duelist), case).outcome == "passed"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("    do: [{act: attack, target: g9}]", "step 1 of `do`: no option is like {act: attack, target: g9}"),
        ("    do: [{act: move}]", "step 1 of `do`: 5 options are like {act: move}"),
        ("    do: [{act: pass}, {act: pass}, {act: pass}]", "step 3 of `do`"),
        ("    offered: [{act: move, to: f5}]", "expected on offer: {act: move, to: f5}; on offer to raven:"),
        ("    not offered: [{act: pass}]", "expected not on offer: {act: pass}"),
        ("    decides: chance", "decides: expected chance, but it is raven"),
        ("    then: {to_act: wolf}", "to_act: expected wolf, but it is raven"),
        ("    then: {winner: raven}", "winner: expected raven, but the position has no such key now"),
        ("    then: {hand: {raven: []}}", "hand.raven: expected [], but it is [Scout]"),
        ("    then: {units: []}", "units: f4 Scout is there, but it is not expected"),
        ("    then: {initiative_moved: true}", "initiative_moved: expected true, but it is false"),
    ],
)
def test_a_failing_case_has_a_message(run: Any, text: str, words: str) -> None:
    result = run(text)
    assert result.outcome == "failed"
    assert words in result.message


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("{act: atack}", "there is no act `atack`; did you mean `attack`?"),
        ("{act: attack, targt: f5}", "options say no `targt`; did you mean `target`?"),
        ("{act: deploy, coin: Dragon}", "`coin` cannot be `Dragon`; it is one of `Archer`, `Bannerman`,"),
        ("{act: deploy, coin: Scuot}", "`coin` cannot be `Scuot`; did you mean `Scout`?"),
        ("{act: move, as: mvoe}", "there is no act `mvoe`"),
        ("{act: move, target: f5}", "`move` is never said with `target`; say `to`, `unit`"),
        ("{act: move, to: z9}", "no board has a space `z9`; the `rows` of the boards list the existing ones"),
        ("{act: move, to: raven}", "`to` cannot be `raven`; name a space"),
    ],
)
@pytest.mark.parametrize("key", ["offered", "not offered"])
def test_a_case_about_an_impossible_option_proves_nothing(run: Any, key: str, what: str, words: str) -> None:
    result = run(f"""
    {key}:
      - {what}
""")
    assert result.outcome == "failed" and words in result.message


def test_a_space_of_another_board_may_be_named(run: Any) -> None:
    """That is how a case shows that a piece does not go off its own board."""
    assert (
        run("""
    not offered:
      - {act: move, to: b5}
""").outcome
        == "passed"
    )


def test_a_case_under_options_whose_texts_are_wrong_fails(tmp_path: Path) -> None:
    layer = (
        "errata: {}\nruling: x\noption: {{name: o{}, value: on, otherwise: off}}\n"
        "amends: {{kind: unit, name: Scout}}\nreplace:\n  attribute: |\n    this cannot {}.\n"
    )
    layers = tmp_path / "layers.yaml"
    layers.write_text(layer.format("A", 1, "move") + "---\n" + layer.format("B", 2, "attack"), encoding="utf-8")
    options = "      options: {o1: 'on', o2: 'on'}\n    decides: raven"
    (case,) = cases(tmp_path, f"rulings: T\nsource: x\ncases:\n  - name: A case{POSITION}{options}")
    result = run_case(warchest.load(extra=[layers]), case)
    assert result.outcome == "failed" and "both replace the attribute of `Scout`" in result.message


def test_a_failing_case_shows_the_log_with_clause_and_place(run: Any) -> None:
    message = run("    do: [{act: move, to: g3}]\n    decides: raven").message
    assert "what happened last:" in message
    assert "raven moves: coin Scout" in message
    assert "move.yaml:" in message


def test_a_failing_case_shows_the_board(game: warchest.Game, tmp_path: Path) -> None:
    (case,) = cases(tmp_path, f"rulings: Test\nsource: x\ncases:\n  - name: A case{POSITION}    decides: wolf")
    assert "a picture" in run_case(game, case, lambda state: "a picture").message


def test_an_impossible_position_is_reported_with_its_place(run: Any) -> None:
    result = run("      supply: {raven: [Scuot]}\n    decides: raven")
    assert result.outcome == "failed"
    assert "supply.raven[0]" in result.message
    assert "cases.yaml:13:24" in result.message


def test_a_case_of_another_game_is_skipped(run: Any) -> None:
    assert run("      game: chess\n    decides: raven").outcome == "skipped"


def test_reasons_must_contain_the_given_words(run: Any, game: warchest.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def why_not(state: warchest.State, what: Any, player: Any = None) -> list[dict[str, Any]]:
        return [{"reason": f"{what['to']} is taken", "clause": "", "file": "", "line": 0}]

    monkeypatch.setattr(warchest.State, "why_not", why_not)
    case = run("    decides: raven").case
    for mentions, outcome in (("TAKEN", "passed"), ("far", "failed")):
        values = {**case.values, "why not": {"what": {"act": "move", "to": "f5"}, "mentions": mentions}}
        result = run_case(game, Case(case.card, case.name, "", values, case.node))
        assert result.outcome == outcome
    assert "expected a reason with `far`; but: f5 is taken" in result.message


def test_a_case_cites_its_own_source_or_that_of_its_document(tmp_path: Path) -> None:
    own = "  - name: B\n    ruling: so it is" + POSITION + "    decides: raven"
    found = cases(tmp_path, f"rulings: Test\nsource: p.1\ncases:\n  - name: A{POSITION}    decides: raven\n{own}")
    assert [case.source for case in found] == ["p.1", "ruling: so it is"]
    assert [case.card for case in found] == ["Test", "Test"]


def test_cards_carry_cases(tmp_path: Path) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(
        f"unit: Rider\ncoins: 4\nsource: x\nrulings:\n  - name: A{POSITION}    decides: raven\n", encoding="utf-8"
    )
    found, cards, errors = read_cases([tmp_path])
    assert not errors
    assert [(case.card, case.name) for case in found] == [("Rider", "A")]
    assert [card.name for card in cards] == ["Rider"]
    assert cases_of(cards[0]) == found


# ---- comparing


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        (["a", "b"], ["b", "a"], True),
        (["a", "a"], ["a"], False),
        ({}, {"up": [], "down": []}, True),
        ({"up": ["a"]}, {"up": ["a"], "down": ["b"]}, False),
        ([{"at": "a"}], [{"at": "a", "count": 1}], True),
        ([{"at": "a"}], [{"at": "a", "count": 2}], False),
        ([{"at": "a"}], [{"at": "a", "count": 1, "marks": [], "hits": 0}], True),
        ([], [{"at": "a"}], False),
        (1, True, False),
        (None, None, True),
        ("a", None, False),
    ],
)
def test_expected_parts_agree_with_actual_ones(expected: object, actual: object, same: bool) -> None:
    assert agree(expected, actual, {"count"}) is same


BEGINNING = """rulings: Test
source: here
cases:
  - name: A case
    position: {{setup: Four players draft{}}}
    decides: {}
"""


@pytest.mark.parametrize(
    ("beside", "decides", "outcome"),
    [
        ("", "raven", "passed"),
        (", seed: 4", "wolf", "passed"),
        (", seed: 4", "raven", "failed"),
        (", options: {berserker_coin: box}", "raven", "passed"),
        (", options: {berserker_coin: bag}", "raven", "failed"),
    ],
)
def test_a_case_may_begin_with_a_setup(
    game: warchest.Game, tmp_path: Path, beside: str, decides: str, outcome: str
) -> None:
    (case,) = cases(tmp_path, BEGINNING.format(beside, decides))
    assert run_case(game, case).outcome == outcome


def test_a_case_with_a_setup_has_no_other_beginning(game: warchest.Game, tmp_path: Path) -> None:
    (case,) = cases(tmp_path, BEGINNING.format(", to_act: raven", "raven"))
    result = run_case(game, case)
    assert result.outcome == "failed" and "this is for the setup to say" in result.message


YEOMAN = """unit: Yeoman
coins: 4
tactic: |
  attack.
"""


def test_chance_brings_further_cards_in_cases_beside_them_only(tmp_path: Path) -> None:
    further = shipped("war-chest", YEOMAN)
    of_game = [case for case in cases_in(documents()) if "setup" in case.values.get("position", {})]
    assert len(of_game) > 10
    assert [case.name for case in of_game if run_case(further, case).outcome != "passed"] == []
    (case,) = cases(
        tmp_path,
        BEGINNING.format(", seed: 2", "raven") + "    do: [{act: nominate, player: raven}]\n"
        "    offered: [{act: draft, card: Yeoman}]\n",
    )
    assert run_case(further, case).outcome == "passed"


def test_only_the_keys_and_players_given_are_compared() -> None:
    actual = {"hand": {"one": ["a"], "two": ["b"]}, "turn": "one"}
    assert differences({"hand": {"one": ["a"]}}, actual) == []
    assert differences({"hand": {"three": []}}, actual) == ["hand.three: expected [], but it is null"]


def test_a_part_matches_an_option() -> None:
    assert matches({"act": "go"}, {"act": "go", "to": "a1"})
    assert not matches({"act": "go", "by": None}, {"act": "go"})
    assert not matches({"to": 1}, {"to": "1"})


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("", "first"),
        ("first", "first"),
        ("list[1].at", "g1"),
        ("list[1]", "at"),
        ("list[1].by", "at"),
        ("list[7]", "list"),
        ("by.one[0]", "x"),
        ("none.at.all", "first"),
    ],
)
def test_the_place_of_a_field_is_found(field: str, text: str) -> None:
    source = Source("file.yaml", "first:\nlist:\n  - {at: f1}\n  - {at: g1}\nby: {one: [x, y]}\n")
    (root,), _ = parse(source)
    assert isinstance(root, Mapping)
    assert place_of(root, field).text == text


@pytest.mark.parametrize(("field", "text"), [("list[1].at", "at"), ("by.one", "one"), ("none", "first")])
def test_the_place_of_a_key(field: str, text: str) -> None:
    (root,), _ = parse(Source("file.yaml", "first:\nlist:\n  - {at: f1}\n  - {at: g1}\nby: {one: x}\n"))
    assert isinstance(root, Mapping)
    assert place_of(root, field, by_key=True).text == text
