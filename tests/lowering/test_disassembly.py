"""The code of cards is printed so that people can read it; ten cards are here as they are lowered."""

from __future__ import annotations

from pathlib import Path

import pytest

from loaded import shipped
from warchest.cli.main import main

GOLDEN = Path(__file__).parent / "golden"
"""The code of some cards and verbs; `warchest dis NAME > tests/lowering/golden/NAME.txt` writes it again."""
CARDS = {
    "war-chest": ("Archer", "Berserker", "Ensign", "Footman", "Lancer", "Pikeman", "Royal Guard", "attack"),
    "unigames": ("Drain", "Martyr", "melee attack"),
}
NAMES = [(game, name) for game, names in CARDS.items() for name in names]


@pytest.mark.parametrize(("game", "name"), NAMES)
def test_code_is_unchanged(game: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dis", name, "--game", game]) == 0
    assert capsys.readouterr().out == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {name for _, name in NAMES}


def test_every_kind_of_instruction_has_words(capsys: pytest.CaptureFixture[str]) -> None:
    """No part of a game is left out: the code of all its verbs and documents is printed."""
    import warchest
    from warchest.lowering.disassembly import disassembled, permissions

    for game in CARDS:
        program = warchest.load(game).variant({}).program
        lines = [line for routine in program.routines.values() for line in disassembled(program, routine)]
        lines += [line for act in program.acts for line in permissions(program, act)]
        assert lines and all(code.strip() for code, _ in lines)


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dis", "Pikemann"]) == 2
    assert "did you mean" in capsys.readouterr().err


def test_after_its_last_instruction_code_keeps_the_text_of_that_one() -> None:
    routines = [one for one in shipped().variant({}).program.routines.values() if one.has_text]
    assert routines
    for one in routines:
        assert one.clause(len(one.instructions)) is one.clause(len(one.instructions) - 1) is one.instructions[-1].span
