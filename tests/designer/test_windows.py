"""Response windows: players are asked in turn until all of them have passed in a row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import warchest
from designer.reading_support import advised
from loaded import studied
from machine.machine_support import card, game, player, round_trips, spaces, take
from warchest import State
from warchest.paraphrase.reading import Reading

WORDS = """\
words: Bids
verbs: {bid: {by: player, past: bid}, praise: {by: player}}
fields: {player: {bids: number}}
"""
RULES = card(
    "Bid",
    kind="action",
    rules="""
    to bid: your bids increase by 1.
    to praise: your bids increase by 100.
""",
)
SEATS = {2: ("raven", "wolf"), 4: ("raven", "wolf", "raven2", "wolf2")}


@cache
def bidding(tactic: str) -> warchest.Game:
    """Return War Chest with a card of this tactic, and players who can bid."""
    return game(WORDS, RULES, card("Horn", tactic=tactic))


def blown(tactic: str, seats: int) -> State:
    """Return the state before the tactic of a Horn."""
    hands = {one: ["Horn" if one == "raven" else "Royal Coin"] for one in SEATS[seats]}
    return bidding(tactic).position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "hand": hands,
            "units": [{"at": "f4", "unit": "Horn", "owner": "raven"}],
        }
    )


def answer(state: State, act: str) -> str:
    """Give an answer; return who was asked. An answer of the player who takes the tactic is part of that option."""
    assert state.decision is not None
    if any(option.data["act"] == "tactic" for option in state.decision.options):
        if any(option.data.get("then") == act for option in state.decision.options):
            take(state, act="tactic", coin="Horn", then=act)
            return "raven"
        take(state, act="tactic", coin="Horn")
    asked = str(player(state))
    take(state, act=act)
    return asked


def bids(state: State) -> dict[str, int]:
    """Return the bids of the players who have made any."""
    told = state.position().get("bids", {})
    return {one: int(number) for one, number in told.items() if number}


def asked_in_turn(order: Sequence[str], answers: Sequence[bool]) -> tuple[list[str], dict[str, int]]:
    """Return who is asked for each answer, and how often each player has bid; no player bids when no answers are
    left."""
    asked, counts, passes = list[str](), dict[str, int](), 0
    for number, one in enumerate([*order] * (len(answers) + 1)):
        if passes == len(order):
            break
        asked.append(one)
        if number < len(answers) and answers[number]:
            counts[one], passes = counts.get(one, 0) + 1, 0
        else:
            passes += 1
    return asked, counts


ORDERS = [
    ("each player may bid until all decline.", 2, (0, 1)),
    ("each player may bid until all decline.", 4, (0, 1, 2, 3)),
    ("each player, beginning with you, may bid until all decline.", 4, (0, 1, 2, 3)),
    ("each player may bid until all have declined, beginning with your opponent.", 2, (1, 0)),
    ("each player, beginning with your opponent, may bid until all decline.", 4, (1, 3, 0, 2)),
    ("each player, beginning with your left neighbour, may bid until all decline.", 4, (1, 0, 2, 3)),
    ("each opponent may bid until all decline.", 2, (1,)),
    ("each opponent may bid until all decline.", 4, (1, 3)),
]


@pytest.mark.parametrize(("tactic", "seats", "order"), ORDERS)
@given(answers=st.lists(st.booleans(), max_size=12))
def test_all_are_asked_until_all_have_passed_in_a_row(
    tactic: str, seats: int, order: tuple[int, ...], answers: list[bool]
) -> None:
    asked, counts = asked_in_turn([SEATS[seats][one] for one in order], answers)
    state, found = blown(tactic, seats), list[str]()
    for number in range(len(asked)):
        found.append(answer(state, "bid" if number < len(answers) and answers[number] else "decline"))
    assert found == asked and bids(state) == counts
    round_trips(state)


@pytest.mark.parametrize(
    ("tactic", "praised"),
    [
        # The steps after a window follow its end, whichever player has acted in it.
        ("each player may bid until all decline, then praise.", 1),
        ("each player may bid until all decline; praise.", 1),
        ("praise, then each player may bid until all decline, beginning with your opponent, then praise.", 2),
    ],
)
def test_a_window_ends_before_the_next_step(tactic: str, praised: int) -> None:
    state = blown(tactic, 2)
    answer(state, "decline")
    answer(state, "decline")
    assert bids(state) == {"raven": 100 * praised}


def test_a_player_can_have_a_piece_answer() -> None:
    state = game(card("Horn", tactic="each player may move one of their units until all decline.")).position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "hand": {"raven": ["Horn"], "wolf": ["Royal Coin"]},
            "units": [{"at": "f4", "unit": "Horn", "owner": "raven"}, {"at": "d4", "unit": "Scout", "owner": "wolf"}],
        }
    )
    answer(state, "decline")
    assert player(state) == "wolf" and state.decision is not None
    take(state, to="d5")
    assert [player(state), *sorted(spaces(state).items())] == ["raven", ("Horn", "f4"), ("Scout", "d5")]


def test_a_player_without_options_is_not_asked() -> None:
    state = blown("each opponent may discard a coin in its hand until all decline, then praise.", 2)
    answer(state, "discard")
    assert bids(state) == {"raven": 100}


@pytest.mark.parametrize(
    "text",
    [tactic for tactic, _, _ in ORDERS]
    + [
        "each player may bid or praise until all decline.",
        "each player may move one of their units until all decline, then attack.",
        "each player may move one of your units until all decline.",
    ],
)
def test_a_window_is_read_back(text: str) -> None:
    known = game(WORDS, RULES)
    reader = studied(known)
    found = reader.written(text, "steps", reader.bearer("Archer"))
    assert isinstance(found, Reading) and found.sentences and "until all" in " ".join(found.sentences)
    again = reader.written(" ".join(found.sentences), "steps", reader.bearer("Archer"))
    assert isinstance(again, Reading) and again.sentences == found.sentences


@pytest.mark.parametrize(
    ("tactic", "help"),
    [
        ("you may move until all decline.", "say `each player may … until all decline`"),
        (
            "each of your units may move until all decline.",
            "say `each player may … one of their units … until all decline`",
        ),
        ("until all decline, each player may draw a coin.", "say `each player may draw a coin until all decline`"),
        ("until all pass, each player may draw a coin.", "say `each player may draw a coin until all decline`"),
        ("each player may draw a coin until all pass.", "say `until all decline`"),
        ("each player may draw a coin until everyone declines.", "say `each player may draw a coin until all decline`"),
        (
            "each opponent may draw a coin until no one acts, then move.",
            "say `each opponent may draw a coin until all decline, then move`",
        ),
        (
            "each player may draw a coin until both players have passed in a row.",
            "say `each player may draw a coin until all decline`",
        ),
        (
            "each player may draw a coin until all decline, your opponent first.",
            "say `each player may draw a coin until all decline, beginning with your opponent`",
        ),
        (
            "move, then each player may draw a coin until all decline, starting with your opponent, then attack.",
            "say `move, then each player may draw a coin until all decline, beginning with your opponent, then attack`",
        ),
        (
            "each player may draw a coin until all decline.",
            "in an `action:` document: `to …: draw …, then put that coin into …`",
        ),
        ("each player may move one of their units until all decline, then it loses a coin.", "name the other thing"),
        (
            "each opponent may discard a coin in its hand until all decline. put that coin into your hand.",
            "nothing in it can be referred to",
        ),
        ("each player may move until all decline.", "say `each player may move one of their units`"),
        ("your opponent may recruit until all decline.", "say `each opponent may … until all decline`"),
        (
            "each player may recruit, beginning with you, until all decline.",
            "say `each player may recruit until all decline, beginning with you`",
        ),
        (
            "beginning with your opponent, each player may recruit until all decline.",
            "say `each player may recruit until all decline, beginning with your opponent`",
        ),
        (
            "each player, beginning with your opponent, may recruit until nobody wants to, then attack.",
            "say `each player may recruit until all decline, beginning with your opponent, then attack`",
        ),
        ("until nobody wants to, any player may recruit.", "say `each player may recruit until all decline`"),
        ("everyone may recruit, until all decline.", "say `each player may recruit until all decline`"),
        ("each player may draw a coin until all decline, beginning with this.", "beginning with your"),
        ("each opponent may draw a coin until all decline, beginning with you.", "each player, beginning with"),
    ],
)
def test_other_words_for_a_window_get_advice(tactic: str, help: str) -> None:
    found = advised(card("Horn", tactic=tactic))
    assert found and help in (found[0].help or ""), [(one.message, one.help) for one in found]
