"""The pages keep to a style: Proselint has nothing to say, and terms are spelled as the project spells them."""

from __future__ import annotations

import pytest
import style

pytestmark = pytest.mark.quick


def test_the_pages_have_no_findings() -> None:
    """`python tests/conventions/style.py` prints them."""
    assert style.findings(style.pages()) == []


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("A game.\n\nIt goes on\nfor ever.", 4, "archaic"),
        ("The color of a piece.", 1, "colour"),
        ("One\nGithub page.", 2, "GitHub"),
        ("This is very unique.", 1, "unique"),
    ],
)
def test_a_planted_slip_is_found(text: str, line: int, word: str) -> None:
    found = list(style.advice("page.md", text))
    assert any(one.startswith(f"page.md:{line}: ") and word in one for one in found), found


def test_code_and_headings_are_left_out() -> None:
    assert list(style.advice("page.md", "# Color\n\nSet `color` so:\n\n```yaml\ncolor: red\n```\n")) == []
