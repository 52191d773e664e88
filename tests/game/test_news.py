"""The words at the table: news and questions in the phrases of the games, and in the default ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

import warchest
from loaded import shipped
from warchest.bots import bot_named
from warchest.game.state import State
from warchest.game.telling.phrases import HIDDEN, filled, phrases_of

GAMES = ("war-chest", "unigames")
# Names that only the machine has.
MACHINE_TALK = ("nowhere", "allowance", "stale", "tired", "prelude", ": true", ": false", "the active player", "/")


def at_the_table(game: warchest.Game, seed: int, decisions: int = 120) -> tuple[State, Sequence[str]]:
    """Play a while; return the state, and all questions that were asked of players."""
    state, rng, bot = game.new(seed=seed), Random(seed), bot_named("policy-c", game)
    asked = []
    for _ in range(decisions):
        decision = state.decision
        if decision is None:
            break
        if not decision.is_chance:
            asked.append(state.question)
        state.apply(decision.sample(rng) if decision.is_chance or rng.random() < 0.3 else bot.choose(state, rng))
    return state, asked


@pytest.mark.parametrize("name", GAMES)
def test_news_and_questions_have_no_technical_words(name: str) -> None:
    state, asked = at_the_table(shipped(name), 3)
    for player in (seat.name for seat in state.variant.board.seats):
        news = state.news_for(player)
        assert news and not [line for line in news if any(word in line for word in MACHINE_TALK)]
    assert asked and not [line for line in asked if any(word in line for word in MACHINE_TALK)]
    assert all(line.startswith(tuple(seat.name for seat in state.variant.board.seats)) for line in asked)


def test_news_and_log_hide_the_draws_of_others() -> None:
    state, _ = at_the_table(shipped(), 5)
    # Also where it is drawn from open places, as when the bag is empty.
    assert any("is taken from raven's discard (up)" in one.text for one in state.trace)
    plain = [one.text for one in state.trace_for("wolf")]
    assert not [line for line in plain if line.startswith("chance") and "player raven" in line]
    assert "  a hidden coin is taken from raven's discard" in plain  # nor its face
    assert not [
        line for line in state.news_for("wolf") if line.strip().startswith("raven draws a ") and "hand" not in line
    ]
    assert [
        line for line in state.news_for("raven") if line.strip().startswith("raven draws a ") and "hand" not in line
    ]


def test_a_designer_says_it_in_other_words(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        """\
phrases: Mine
questions:
  the active player uses a coin in the hand of the active player: which coin?
acts: {draw: "{player}: {coin}!", pass: "{who} lays {coin}", deploy: "{who} deploys"}
fields:
  stale: {is: the initiative has moved, is not: ""}
tokens:
  - {from: hand, to: discard, say: "{token} of {whose}"}
pieces:
  placed: "look, {piece}"
""",
        encoding="utf-8",
    )
    state, asked = at_the_table(warchest.load("war-chest", extra=[tmp_path]), 3, 60)
    news = state.news_for("raven")
    assert any(line == "raven, which coin?" for line in asked)
    assert any(line.startswith("raven: ") and line.endswith("!") for line in news)
    assert any(line.strip().startswith("look, ") for line in news)
    assert any(line in ("raven deploys", "wolf deploys") for line in news)
    # The parts that it does not mention are worded by the game.
    assert "active player" not in " ".join(news)


def test_a_clause_of_a_card_is_asked_with_its_name() -> None:
    state = shipped().position(
        {
            "to_act": "raven",
            "hand": {"raven": ["Cavalry"]},
            "units": [
                {"at": "f4", "unit": "Cavalry", "owner": "raven"},
                {"at": "f6", "unit": "Scout", "owner": "wolf"},
            ],
        }
    )
    assert state.question == "raven, play a coin"
    cards = {one.name for one in state.variant.origin.library.of_kind("unit")}
    asked = [line for seed in range(3) for line in at_the_table(shipped(), seed, 200)[1] if ": " in line]
    assert asked and {line.split(", ", 1)[1].split(":")[0] for line in asked} <= cards


def test_a_phrase_that_names_no_token_is_said_once_and_also_of_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        """\
phrases: Mine
tokens:
  - {from: hand, to: discard, say: "{whose} lays something down"}
  - {from: discard, to: bag, say: "{token} of {whose} goes back"}
""",
        encoding="utf-8",
    )
    state = warchest.load("war-chest", extra=[tmp_path]).position(
        {
            "to_act": "raven",
            "initiative": "wolf",
            "control": {"raven": ["e2"], "wolf": ["d7"]},
            "armies": {"raven": ["Archer", "Swordsman"], "wolf": ["Knight", "Pikeman"]},
            "hand": {"raven": ["Archer"], "wolf": []},
            "bag": {"raven": [], "wolf": ["Knight"] * 3},
            "discard": {"raven": {"up": ["Archer", "Archer", "Swordsman"], "down": []}},
        }
    )
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "pass"))
    while state.decision is not None and state.decision.is_chance:
        state.apply(0)
    for player in ("raven", "wolf"):
        assert state.news_for(player).count("  raven lays something down") == 1
    assert any("goes back" in line for line in state.news_for("raven"))
    assert not any("goes back" in line for line in state.news_for("wolf"))


def test_a_phrase_with_an_owner_is_not_used_for_places_without_one(tmp_path: Path) -> None:
    """A lost fort goes to the supply of the game: no player's discard is named."""
    (tmp_path / "mine.yaml").write_text(
        'phrases: Mine\ntokens:\n  - {from: the board, say: "{token} goes to the discard of {whose}"}\n'
        '  - {from: the board, say: "{token} goes to {to}"}\n',
        encoding="utf-8",
    )
    phrases = phrases_of(warchest.load("war-chest", extra=[tmp_path]).library)
    assert phrases.of_tokens("the board", "fort supply", False) == "{token} goes to {to}"
    assert phrases.of_tokens("the board", "discard", True) == "{token} goes to the discard of {whose}"


@pytest.mark.parametrize(
    ("phrase", "name", "said"),
    [
        ("a {coin} coin", "Scout", "a Scout coin"),
        ("a {coin} coin", "Archer", "an Archer coin"),
        ("a {coin} coin", "Royal Coin", "a Royal Coin"),
        ("a {coin} coin", HIDDEN, "a hidden coin"),
        ("a {coin}, at last", HIDDEN, "something hidden, at last"),
        ("{coin} goes", "Scout", "Scout goes"),
        ("the {coin} is there", "Scout", "the Scout is there"),
    ],
)
def test_gaps_are_filled_by_the_grammar(phrase: str, name: str, said: str) -> None:
    assert filled(phrase, {"coin": name}) == said


def test_without_phrases_the_grammar_words_acts_and_things() -> None:
    state = shipped().position(
        {
            "to_act": "raven",
            "hand": {"raven": ["Scout"], "wolf": ["Knight"]},
            "units": [
                {"at": "f4", "unit": "Scout", "owner": "raven"},
                {"at": "f5", "unit": "Archer", "owner": "wolf", "coins": 2},
            ],
            "armies": {"raven": ["Scout"], "wolf": ["Archer", "Knight"]},
        }
    )
    state.apply(next(one for one in state.decision.options if one.data["act"] == "attack"))  # type: ignore[union-attr]
    assert state.log == [
        "raven uses a Scout coin: the Scout on f4 attacks the Archer on f5",
        "  the Archer on f5 loses a coin",
    ]
    assert [one.text for one in state.trace] == [
        "raven attacks: coin Scout, unit f4, target f5",
        "  raven uses a Scout coin",
        "  raven discards a Scout coin",
        "  a Scout coin goes from raven's hand to raven's discard (up)",
        "  the Scout on f4 attacks the Archer on f5",
        "  the Archer on f5 loses",
        "  an Archer goes from the board to wolf's box",
        "  the active player is wolf now",
    ]
