"""The first law: a reading can be said in full, and that sentence, read again, gives equal rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from laws_support import (
    CHUNKS,
    GAMES,
    GENERATED,
    Text,
    documented,
    generated,
    reading,
    shipped,
    study_of,
    super_card,
    understood,
)

from warchest.cli.main import main
from warchest.ir.parts import nodes_in, substituted
from warchest.ir.steps import SetField
from warchest.ir.values import FieldOf
from warchest.paraphrase.reading import Reading
from warchest.resolve.resolve import texts_of


def faults(texts: tuple[Text, ...]) -> list[str]:
    """The texts that cannot be said in full, or whose reading gives other rules."""
    found = []
    for text in texts:
        known = reading(text)
        said = " ".join(known.said)
        if known.unsaid:
            found.append(f"{text} -> no words for {known.unsaid}")
        elif not _same(_plain(understood(text)), _plain(understood(text, said))):
            found.append(f"{text} -> {said}")
    return found


def _plain(rules: tuple[object, ...] | None) -> tuple[object, ...] | None:
    """The rules with numbers in the order of their use for the fields that count for a text, which are its own."""
    counting = dict.fromkeys(part.field for part in nodes_in(rules) if isinstance(part, FieldOf) and part.per)
    renumbered = {field: -1 - place for place, field in enumerate(counting)}

    def numbered(part: object) -> object:
        if isinstance(part, FieldOf | SetField) and part.field in renumbered:
            return replace(part, field=renumbered[part.field])
        return part

    return substituted(rules, numbered) if rules is not None else None  # type: ignore[no-any-return]


def _same(first: tuple[object, ...] | None, second: tuple[object, ...] | None) -> bool:
    """Whether two texts give equal rules; the order of rules means nothing."""
    if first is None or second is None or len(first) != len(second):
        return False
    return all(one in second for one in first)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("chunk", range(3))
def test_shipped_texts_are_read_again_as_they_were(game: str, chunk: int) -> None:
    texts = shipped(game)
    assert len(texts) >= 150
    assert faults(texts[chunk::3]) == []


def test_texts_of_the_docs_are_read_again_as_they_were() -> None:
    texts = documented()
    assert len(texts) >= 30
    assert faults(texts) == []


def test_sentences_of_the_super_card_are_read_again_as_they_were() -> None:
    texts = super_card()
    assert len(texts) >= 60
    assert faults(texts) == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_generated_sentences_are_read_again_as_they_were(chunk: int) -> None:
    game = GAMES[chunk % 2]
    texts = generated(game, chunk, GENERATED // CHUNKS)
    assert len({str(text) for text in texts}) == GENERATED // CHUNKS
    assert faults(texts) == []


def test_a_reading_that_says_less_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from warchest.paraphrase.phrase_wording import Phrases

    def deaf(self: Phrases, *_: object) -> tuple[bool, tuple[()], tuple[()]]:
        return False, (), ()

    monkeypatch.setattr(Phrases, "_filters", deaf)
    assert faults(shipped("war-chest")[::4]) != []


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "this may swap places with an adjacent friendly unit.",
            "this may swap places with a friendly unit adjacent to this.",
        ),
        ("attack a target exactly 2 spaces away.", "this attacks a target exactly 2 spaces away."),
        ("choose an enemy unit.", "choose an enemy unit."),
        (
            "if this can attack, attack, then stop. move; the initiative becomes stale.",
            "if this can attack a target, this attacks a target, then stop.\n  this moves to a space.",
        ),
        ("this may move or attack.", "this may move or attack."),
        (
            "an opponent discards a coin in its hand.",
            "choose an opponent.\n  that opponent discards a coin in the hand of that opponent.\n"
            "  - decides: `an opponent`: the owner of the thing with the text chooses\n"
            "  - decides: `an opponent discards a coin in its hand`: the opponent chooses the coin among those that the "
            "text names",
        ),
        (
            "an opponent discards a coin in its hand if able.",
            "an opponent discards a coin in the hand of that opponent if able.",
        ),
        (
            "after this attacks, an opponent puts a coin in its hand into its bag if able.",
            "after this attacks a target, an opponent puts a coin in the hand of that opponent into the bag of that "
            "opponent if able.",
        ),
        (
            "if an opponent can discard a coin in its hand, move.",
            "if an opponent can discard a coin in the hand of that opponent, this moves to a space.",
        ),
        (
            "after this attacks, if this is bolstered, it may move or control.",
            "after this attacks a target, if this is bolstered, this may move or control.",
        ),
        (
            "after this moves, it cannot attack this turn.",
            "after this moves to a space, this cannot attack this turn.\n  - holds: until just before the turn ends",
        ),
        (
            "after an enemy unit attacks this, until the start of your next turn, that unit cannot move.",
            "after an enemy unit attacks this, that unit cannot move until the start of your next turn.\n"
            "  - holds: until your next turn has started",
        ),
        (
            "a unit cannot attack this more than once a round.",
            "a unit cannot attack this more than once a round.\n"
            "  - counted: `once a round`: each piece that does it has a count of its own, which begins at 0 in each round",
        ),
    ],
)
def test_a_reading_is_said_in_the_words_of_the_game(
    sentence: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["read", sentence, "--on", "Knight"]) == 0
    assert f"read as:\n  {said}\n" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES)
def test_texts_are_shown_in_a_form_that_gives_the_same_reading(game: str) -> None:
    study, others = study_of(game), []
    for text in texts_of(study.desk.reader, study.library, study.game):
        for known in study.text(text):
            assert isinstance(known, Reading)
            again = study.written(" ".join(known.sentences), text.meaning, text.carrier)
            if not isinstance(again, Reading) or again.said != known.said:
                others.append(known.sentences)
    assert others == []


def test_a_loop_that_sets_numbers_is_not_taken_for_the_end_of_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = "after this attacks, for each adjacent figure, let due be 2, then its damage becomes that due."
    assert main(["read", text, "--game", "unigames", "--on", "Missile"]) == 0
    out = capsys.readouterr().out
    assert "when: when all has settled" in out and "holds:" not in out


def test_a_sentence_with_a_bonus_of_its_own_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    text = "after this wakes, it has Charge until it wakes."
    assert main(["read", text, "--game", "unigames", "--on", "Missile"]) == 0
    assert "when: when all has settled" in capsys.readouterr().out
