"""Direct tests of the oracle on explicit rules of the rulebook."""

from __future__ import annotations

from .rules import Figure, Position, successors, turn_successors


def foot(at: str, facing: str, player: str | None, attack: int = 1, defense: int = 3, **further: int | bool) -> Figure:
    return Figure(at, f"Foot {at}", facing, player or "P1", player, attack, defense, **{"move": 2, **further})


def position(*figures: Figure, chest: str = "a1", **further: int | bool) -> Position:
    return Position(frozenset(figures), (("P1", chest), ("P2", "h8")), "P1", **{"actions_left": 1, **further})


def stands(start: Position, name: str = "Foot d4") -> set[str]:
    """The possible places of a figure at the end of the turn."""
    return {one.at + one.facing for after in turn_successors(start) for one in after.figures if one.name == name}


def test_a_point_for_a_step_and_for_a_quarter_turn() -> None:
    assert stands(position(foot("d4", "n", "P1"))) == {
        "d4n",
        "d5n",
        "d6n",
        "d5e",
        "d5w",
        "d4e",
        "d4w",
        "e4e",
        "c4w",
        "d4s",
    }
    assert stands(position(foot("d4", "n", "P1", move=0))) == {"d4n"}


def test_no_way_leads_off_the_board() -> None:
    assert stands(position(foot("a8", "n", "P1", move=1)), "Foot a8") == {"a8n", "a8e", "a8w"}


def test_allies_are_passed_or_attacked_and_enemies_are_attacked() -> None:
    assert "d6n" in stands(position(foot("d4", "n", "P1"), foot("d5", "n", "P1")))
    for other in ("P2", None):
        start = position(foot("d4", "n", "P1"), foot("d5", "n", other))
        assert "d6n" not in stands(start)
        hurt = [after for after in turn_successors(start) if any(one.damage for one in after.figures)]
        assert len(hurt) == 1 and stands(hurt[0]._replace(turn="P2", actions_left=1)) == {"d4n"}


def test_a_figure_without_defense_is_captured() -> None:
    start = position(foot("d4", "n", "P1", attack=2), foot("d5", "s", "P2", damage=1))
    (after,) = (one for one in turn_successors(start) if one.captured)
    assert after.captured == (("P2", "Foot d5"),) and {one.at for one in after.figures} == {"d5"}


def test_the_way_back_leads_over_allies_to_an_empty_square() -> None:
    start = position(foot("d4", "n", "P1"), foot("d5", "n", "P1", acted=True), foot("d6", "s", "P2"))
    hit = [one for one in turn_successors(start) if any(one.damage and one.at == "d6" for one in one.figures)]
    assert len(hit) == 1 and {one.at for one in hit[0].figures} == {"d4", "d5", "d6"}


def test_no_figure_stays_on_its_own_war_chest() -> None:
    found = stands(position(foot("d4", "n", "P1"), chest="d5"))
    assert "d6n" in found and not any(one.startswith("d5") for one in found)


def test_the_enemy_war_chest_is_the_end_even_for_the_weak() -> None:
    start = position(foot("h6", "n", "P1", attack=0))
    assert [one.winner for one in turn_successors(start) if one.over] == ["P1"]


def test_the_disabled_rest_or_get_up() -> None:
    after = successors(position(foot("d4", "n", "P1", disabled=True, damage=2)))
    found = {(one.damage, one.disabled) for end in after for one in end.figures}
    assert found == {(2, True), (1, True), (2, False)}


def test_a_figure_has_one_action_and_two_waived_turns_are_a_draw() -> None:
    start = position(foot("d4", "n", "P1", move=1), actions_left=2)
    assert stands(start) == {"d4n", "d5n", "d4e", "d4w"}
    (waived,) = (one for one in turn_successors(start) if one.waived)
    assert any(one.over and one.winner is None for one in turn_successors(waived))
    opening = position(foot("d4", "n", "P1"), opening=True)
    assert not any(one.waived for one in turn_successors(opening))
