"""Drafts: decisions of the players before the first turn, and their results."""

from __future__ import annotations

from random import Random

import pytest
from setups_support import BATTLES, DEALT, DRAFTS, SEATS, game, setup_decisions

import warchest

SEEDS = range(4)
SETS = (None, "all")
PICKS = {
    "Draft": [0, 1, 1, 0, 0, 1, 1],
    "Elimination draft": [0, 1, 0, 1, 1, 0, 0, 1, 1],
    "Four players draft": [0, 1, 2, 3, 3, 2, 1, 0, 1, 2, 3],
}
"""The choosing players, counted from the first drafter; the last card is no choice any more."""
BANS = {"Draft": 0, "Elimination draft": 2, "Four players draft": 0}


def drafted(setup: str, seed: int, sets: str | None = None) -> tuple[warchest.State, list[tuple[str | None, str]]]:
    """Return the state after a draft, and the acts of the players on the way."""
    state, done = game().new(seed=seed, setup=setup, sets=sets), []
    for at in setup_decisions(state, Random(seed)):
        assert at.decision is not None
        done.append((at.decision.player, at.decision.options[0].data["act"]))
    return state, done


@pytest.mark.parametrize("sets", SETS)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("setup", DRAFTS)
def test_a_draft_ends_with_armies_of_the_right_size(setup: str, seed: int, sets: str | None) -> None:
    state, _ = drafted(setup, seed, sets)
    position, size = state.position(), DRAFTS[setup]
    armies = position["armies"]
    assert [len(army) for army in armies.values()] == [size] * len(armies)
    assert len({card for army in armies.values() for card in army}) == size * len(armies)
    assert "pool" not in position and "pending" not in position
    for player, army in armies.items():
        assert position["bag"][player] == sorted([*army, *army, "Royal Coin"])
        assert set(position["supply"][player]) == set(army)
    assert (state.turn, state.round) == (0, 1)
    assert state.decision is not None and state.decision.is_chance
    assert state.decision.options[0].data["act"] == "draw"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("setup", DRAFTS)
def test_players_draft_in_the_given_order(setup: str, seed: int) -> None:
    state, done = drafted(setup, seed)
    seats = SEATS[len(state.position()["armies"])]
    choosing = [player for player, act in done if act in ("draft", "ban")]
    first = seats.index(str(choosing[0]))
    assert [(seats.index(str(player)) - first) % len(seats) for player in choosing] == PICKS[setup]
    assert [act for _, act in done[: BANS[setup]]] == ["ban"] * BANS[setup]
    assert (done[-1] == (None, "flip the initiative")) == (len(seats) == 4)


@pytest.mark.parametrize("setup", ["Draft", "Elimination draft"])
def test_the_second_to_draft_begins(setup: str) -> None:
    for seed in SEEDS:
        state, done = drafted(setup, seed)
        assert state.position()["initiative"] == state.position()["to_act"] != done[0][0]
        assert state.position()["initiative_moved"] is False


@pytest.mark.parametrize("seed", SEEDS)
def test_a_team_chooses_its_first_drafter(seed: int) -> None:
    for number in range(2):
        state = game().new(seed=seed, setup="Four players draft")
        assert state.decision is not None and len(state.decision.options) == 2
        asked, named = str(state.decision.player), str(state.decision.options[number].data["player"])
        assert named.removesuffix("2") == asked
        state.apply(number)
        assert state.decision.player == named and state.decision.options[0].data["act"] == "draft"


def test_the_marker_shows_either_team() -> None:
    asked = [game().new(seed=seed, setup="Four players draft").decision for seed in range(12)]
    assert {decision.player for decision in asked if decision is not None} == {"raven", "wolf"}


def test_a_team_chooses_the_holder_of_the_initiative_by_that_reading() -> None:
    state = game().new(seed=1, setup="Four players random", options={"initiative_for_four": "team"})
    assert state.decision is not None
    begun = {state.clone().apply(number).position()["initiative"] for number in range(2)}
    assert begun in ({"raven", "raven2"}, {"wolf", "wolf2"})


def test_chance_says_who_begins_after_a_draft_of_four() -> None:
    state = game().new(seed=1, setup="Four players draft")
    for at in setup_decisions(state, Random(1)):
        if at.decision is not None and at.decision.is_chance:
            assert [str(option.probability) for option in at.decision.options] == ["1/4"] * 4
            begun = {at.clone().apply(number).position()["initiative"] for number in range(4)}
            assert begun == set(SEATS[4])
            return
    raise AssertionError("nobody has asked chance")


@pytest.mark.parametrize("setup", DRAFTS)
def test_positions_round_trip_at_every_decision(setup: str) -> None:
    state = game().new(seed=6, setup=setup, sets="all")
    for at in setup_decisions(state, Random(2)):
        written = at.position()
        back = game().position(written)
        assert back == at and hash(back) == hash(at) and back.position() == written
        assert back.decision is not None and at.decision is not None
        assert back.decision.player == at.decision.player
        assert back.decision.options == at.decision.options
        for player in back.position()["armies"]:
            assert back.view(player).get("pool") == written.get("pool")
        copy = at.clone()
        assert copy.apply(0) == back.apply(0)
        assert at.position() == written


@pytest.mark.parametrize("setup", [*DRAFTS, *DEALT, *BATTLES])
def test_the_same_seed_gives_the_same_deal(setup: str) -> None:
    for seed in SEEDS:
        one, other = (game().new(seed=seed, setup=setup, sets="all") for _ in range(2))
        assert one == other and one.decision is not None
        assert one.log == [] and one.position() == other.position()
    if setup not in BATTLES:
        assert len({str(game().new(seed=seed, setup=setup).position()) for seed in range(12)}) > 8


@pytest.mark.parametrize(("setup", "dealt"), [("Draft", 8), ("Elimination draft", 10), ("Four players draft", 12)])
def test_the_pool_has_the_dealt_cards(setup: str, dealt: int) -> None:
    state = game().new(seed=3, setup=setup)
    assert state.decision is not None
    if dealt == 12:
        state.apply(0)
    names = [option.data["card"] for option in state.decision.options]
    assert state.position()["pool"] == names and len(set(names)) == dealt
    card = names[2]
    assert state.decision.options[2].data == {"act": "ban" if dealt == 10 else "draft", "card": card}
    drafter = state.decision.player
    assert state.position()["to_act"] == drafter
    state.apply(2)
    assert card not in state.position()["pool"]
    assert state.position()["armies"][str(drafter)] == ([] if dealt == 10 else [card])
    assert any(f"{card} card goes from the pool" in one.text for one in state.trace)


def test_a_banned_card_is_in_no_army() -> None:
    state = game().new(seed=3, setup="Elimination draft")
    banned = []
    for at in setup_decisions(state, Random(3)):
        assert at.decision is not None
        if at.decision.options[0].data["act"] == "ban":
            banned.append(at.position()["pool"])
    assert len(banned) == 2
    left = {card for army in state.position()["armies"].values() for card in army}
    assert len(set(banned[0]) - left) == 2


@pytest.mark.parametrize("setup", [*DRAFTS, *DEALT, *BATTLES])
def test_every_setup_names_its_source_and_lays_the_table(setup: str) -> None:
    document = game().library.named("setup", setup)
    assert document is not None and document.source
    state = game().new(seed=2, setup=setup, sets="all")
    list(setup_decisions(state, Random(1)))
    position = state.position()
    assert len(position["decrees"]) == 3
    assert len(position["forts"]) == 4 and position["fort_supply"] == 3
    plain = game().new(seed=2, setup=setup).position()
    assert (plain["decrees"], plain["forts"], plain["fort_supply"]) == ([], [], 0)


@pytest.mark.parametrize("setup", BATTLES)
def test_battles_have_their_armies(setup: str) -> None:
    armies = game().new(seed=1, setup=setup).position()["armies"]
    for player, names in zip(("raven", "wolf"), BATTLES[setup], strict=True):
        assert len(armies[player]) == 4
        assert [name for name in armies[player] if " " not in name] == names.split()
    first = {game().new(seed=seed, setup=setup).position()["initiative"] for seed in range(12)}
    assert first == ({"raven"} if setup == "First game" else {"raven", "wolf"})


TWO_STEPS = """\
setup: Slow start
board: Two players
source: a test
army size: 4
fill: {card deck: card}
steps: |
  the active player drafts a card in the card deck.
  until the number of cards in the pool is at least 2, put a random card in the card deck into the pool.
  for each player in turn order, until the number of cards in its army is at least 4,
    it drafts a card in the pool,
    then put a random card in the card deck into the pool.
  remove all cards in the card deck.
  remove all cards in the pool.
  for each player in turn order, it musters.
"""


def test_chance_after_a_choice_is_a_decision() -> None:
    state = game(TWO_STEPS).new(seed=1, setup="Slow start")
    assert state.decision is not None and state.decision.player == "raven" and len(state.decision.options) == 16
    state.apply(0)
    assert state.decision.is_chance and len(state.decision.options) == 15
    asked = set()
    for at in setup_decisions(state, Random(1)):
        assert at.decision is not None
        asked.add(at.decision.player)
    assert asked == {None, "raven", "wolf"}
    assert [len(army) for army in state.position()["armies"].values()] == [4, 4]


FORCED = """\
setup: No choice
board: Two players
source: a test
fill: {card deck: card}
steps: |
  put a random card in the card deck into the pool.
  the active player drafts a card in the pool.
  put a random card in the card deck into the pool.
  the left neighbour of the active player drafts a card in the pool.
  remove all cards in the card deck.
  for each player in turn order, it musters.
  flip the initiative.
"""


def test_a_choice_of_one_is_none() -> None:
    state = game(FORCED).new(seed=1, setup="No choice")
    assert "pending" not in state.position() and state.log == []
    assert [len(army) for army in state.position()["armies"].values()] == [1, 1]
    assert state == game(FORCED).new(seed=1, setup="No choice")
    assert len({str(game(FORCED).new(seed=seed, setup="No choice").position()["armies"]) for seed in range(9)}) > 5


WON = """\
setup: Won at once
board: Two players
source: a test
steps: |
  the team of the active player wins.
"""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (WON, "setup: the game is over before it has begun"),
        (TWO_STEPS.replace("fill:", "# fill:"), "setup: with the sets base it orders something impossible"),
    ],
)
def test_impossible_setups_are_refused(text: str, says: str) -> None:
    with pytest.raises(warchest.PositionError, match=says):
        state = game(text).new(seed=1, setup=text.partition("\n")[0].removeprefix("setup: "))
        assert state.decision is None
