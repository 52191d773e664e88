"""Sentences in lines: the places of line breaks, the indentation, and the parts that keep their places."""

from __future__ import annotations

import pytest

from warchest.format.sentence_lines import laid_out


def lines(text: str, width: int = 60) -> str:
    return "\n".join(laid_out(text, width))


def test_each_sentence_has_a_line() -> None:
    assert lines("choose a gem. take it ,then\tkeep\n it.") == "choose a gem.\ntake it, then keep it."


def test_lines_that_end_at_clauses_stay() -> None:
    text = "when a gem shines,\n  take it,\n  then keep it."
    assert lines(text) == text


def test_lines_that_end_elsewhere_are_joined() -> None:
    assert lines("when a gem\n  shines,\n  take it.") == "when a gem shines, take it."


def test_a_long_sentence_has_a_line_for_each_step() -> None:
    text = "to shine: take a gem in the chest of the queen, then keep that gem, then do nothing."
    assert lines(text) == (
        "to shine:\n  take a gem in the chest of the queen,\n  then keep that gem,\n  then do nothing."
    )


def test_a_scope_is_indented_up_to_its_end() -> None:
    text = "to shine: take a gem, then until no gem is left,\ntake a gem,\nthen keep it;\ndo nothing."
    assert lines(text) == (
        "to shine: take a gem, then until no gem is left,\n  take a gem,\n  then keep it;\n  do nothing."
    )
    text = "to shine: take a gem,\nthen until no gem is left,\ntake a gem,\nthen keep it;\ndo nothing."
    assert lines(text) == (
        "to shine: take a gem,\n  then until no gem is left,\n    take a gem,\n    then keep it;\n  do nothing."
    )


def test_a_time_is_no_scope() -> None:
    text = "take a gem,\nthen until the end of this turn, no gem shines,\nthen keep it."
    assert lines(text).endswith("\n  then keep it.")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("a gem cannot shine in the hall of the king unless the king has gone to the sea.", "unless the king"),
        ("this is the hall and the king has gone to the sea far away and nobody is here today.", "and nobody"),
        ("always the number of gems in the hall of the king + the number of gems here is 4.", "+ the number"),
        ("either take a gem in the chest of the king and go away, or do nothing at all today.", "or do nothing"),
    ],
)
def test_a_line_ends_before_the_last_clause_that_has_no_room(text: str, last: str) -> None:
    first, second = laid_out(text, 60)
    assert len(first) <= 60
    assert second.startswith(f"  {last}")


def test_a_sentence_without_clauses_stays_in_its_line() -> None:
    text = f"take {'a gem of ' * 20}the king."
    assert lines(text) == text


def test_comments_stay_where_they_are() -> None:
    text = "# first\ntake it.  # beside\n\n\n  # between\ntake it, # within\n# above\n then keep it.\n\n# last\n\n"
    assert lines(text) == (
        "# first\ntake it.  # beside\n\n# between\ntake it,  # within\n  # above\n  then keep it.\n\n# last"
    )


@pytest.mark.parametrize("text", ["take\n  it.  # beside", "# wc-lint: ignore[WC412] because x\ntake\n  it."])
def test_a_sentence_with_a_comment_about_a_line_keeps_its_lines(text: str) -> None:
    assert lines(text) == text


def test_signs_keep_their_distance() -> None:
    assert lines('a gem has +1 light: 1-2, 1 - 2 and "so" .') == 'a gem has +1 light: 1-2, 1 - 2 and "so".'


def test_a_text_that_never_stops_takes_no_time() -> None:
    assert len(laid_out("take, and " * 20_000, 60)) == 1
