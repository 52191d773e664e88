"""Work that is sent elsewhere has the documents of its games with it, by the paths that they have here."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import pytest

from loaded import shipped
from warchest.game.game import Game, arrived, load_game
from warchest.testing.budget import OnClock, clock
from warchest.workers.sending import program, received, sent

CARD = """unit: Sent
coins: 4
tactic: |
    attack a target exactly 2 spaces away.
"""


def names(game: Game) -> list[tuple[str, str]]:
    """The paths and texts of all documents."""
    return [(one.span.path, one.span.text) for one in game.library.documents]


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_a_shipped_game_arrives_as_it_was(name: str) -> None:
    game = shipped(name)
    again = arrived(pickle.loads(pickle.dumps(game.sent())))
    assert again is not game and (again.digest, names(again)) == (game.digest, names(game))
    assert again.variant().program.ruleset == game.variant().program.ruleset
    assert arrived(game.sent()) is again


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game with a further card, which is named by a path from the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("cards").mkdir()
    Path("cards/sent.yaml").write_text(CARD, encoding="utf-8")
    return load_game("war-chest", ["cards"])


def test_no_file_is_looked_for_where_a_game_arrives(own: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, before = pickle.dumps(own.sent()), names(own)
    Path("cards/sent.yaml").unlink()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    # Another file of that name means nothing there.
    Path("cards").mkdir()
    Path("cards/other.yaml").write_text(CARD.replace("Sent", "Other"), encoding="utf-8")
    again = arrived(pickle.loads(told))
    assert (names(again), again.digest) == (before, own.digest)
    assert ("cards/sent.yaml", "Sent") in [(one.span.path, one.name) for one in again.library.of_kind("unit")]
    assert not again.contents.files(Path("cards/other.yaml")).files


def test_texts_in_place_of_files_arrive_and_can_be_replaced_again(own: Game) -> None:
    changed = own.with_text("cards/sent.yaml", CARD.replace("exactly 2", "exactly 3"))
    again = arrived(pickle.loads(pickle.dumps(changed.sent())))
    assert names(again) == names(changed)
    third = CARD.replace("exactly 2", "exactly 4")
    assert names(again.with_text("cards/sent.yaml", third)) == names(changed.with_text("cards/sent.yaml", third))
    without = again.with_texts({"cards/sent.yaml": None})
    assert "Sent" not in without.names("unit") and "Sent" in again.names("unit")


def test_a_game_of_the_same_texts_elsewhere_is_another_one(own: Game) -> None:
    os.rename("cards", "moved")
    moved = load_game("war-chest", ["moved"])
    assert moved.digest == own.digest
    assert [names(arrived(one.sent())) for one in (own, moved)] == [names(own), names(moved)]


def test_work_brings_its_game_and_the_time_on_the_clock() -> None:
    game, begun = shipped(), clock()
    told = sent(OnClock(lambda number: (game.digest, game is shipped(), number, clock())))
    assert told.program == program() and sent(lambda number: number).key != told.key
    while clock() < begun + 0.1:
        pass
    digest, is_same, number, moment = received(told)(3)  # type: ignore[misc]
    assert (digest, is_same, number) == (game.digest, False, 3)
    # It goes on from the moment when it was sent, in whichever process it arrives.
    assert begun <= moment < begun + 0.09
