"""Normally, may and cannot; only; own domains; definitions that add up; values and nouns widened by a layer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from machine_support import card, game, layer, offered, player, position, round_trips, take

import warchest
from warchest.game.game import Game

TWO_AWAY = {"d4", "d5", "d6", "e3", "e6", "f2", "f6", "g2", "g5", "h2", "h3", "h4"}
OWNERS = ["raven", "wolf"]
ADJACENT = {"e4", "e5", "f3", "f5", "g3", "g4"}


def tos(state, act: str) -> set[str]:  # type: ignore[no-untyped-def]
    """Return where an act can go."""
    return {one["to"] for one in offered(state, act=act)}


def test_normally_and_may_add_up_and_cannot_takes_away() -> None:
    ra = card("Ra", attribute="this may move to a space exactly 2 spaces away.")
    state = game(ra).position(position("Ra f4, wolf Archer f6, wolf Knight f5", "Ra"))
    assert tos(state, "move") == (TWO_AWAY | ADJACENT) - {"f5", "f6"}


def test_cannot_beats_may() -> None:
    ra = card("Ra", attribute="this may move to a space exactly 2 spaces away.\nthis cannot move to a location.")
    state = game(ra).position(position("Ra f4", "Ra"))
    assert tos(state, "move") == (TWO_AWAY | ADJACENT) - {"d4", "e5", "g3", "h4"}


def test_may_holds_only_while_its_guard_does() -> None:
    ra = card("Ra", attribute="this may attack a target exactly 3 spaces away while this is bolstered.")
    for coins, targets in ((1, []), (2, ["f7"])):
        state = game(ra).position(position(f"Ra f4 {coins}, wolf Archer f7", "Ra"))
        assert [one["target"] for one in offered(state, act="attack")] == targets


@pytest.mark.parametrize("forbidden", ["move", "attack"])
def test_a_domain_of_its_own_lifts_no_cannot(forbidden: str) -> None:
    tactic = "attack a target exactly 2 spaces away.\nmove to a space exactly 2 spaces away."
    units = "Ra f4, wolf Archer f6"
    assert offered(game(card("Ra", tactic=tactic)).position(position(units, "Ra")), act="tactic")
    bound = card("Ra", tactic=tactic, restriction=f"this cannot {forbidden}.")
    assert not offered(game(bound).position(position(units, "Ra")), act="tactic")


def test_a_cannot_of_the_game_holds_for_a_domain_of_its_own() -> None:
    state = game().position(position("Archer f4, wolf Knight f6", "Archer"))
    assert not offered(state, act="tactic")


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("this attacks only while it is bolstered.", False, True),
        ("this attacks only unless it is bolstered.", True, False),
        ("this cannot attack while it is bolstered.", True, False),
        ("this cannot attack unless it is bolstered.", False, True),
        ("this maneuvers only while it is bolstered.", False, True),
        ("a unit attacks only while it is bolstered.", False, True),
    ],
)
def test_only_while(text: str, low: bool, high: bool) -> None:
    for coins, allowed in ((1, low), (2, high)):
        state = game(card("Ra", restriction=text)).position(position(f"Ra f4 {coins}, wolf Archer f5", "Ra"))
        assert bool(offered(state, act="attack")) == allowed


def test_only_by() -> None:
    ra = card("Ra", tactic="attack.\nmove.", restriction="this moves only by its tactic.")
    state = game(ra).position(position("Ra f4, wolf Archer f5 2", "Ra"))
    assert not offered(state, act="move") and offered(state, act="tactic")


def test_a_rule_about_this_as_target() -> None:
    ra = card("Ra", attribute="a unit cannot attack this while a friendly unit is adjacent to this.")
    for friend, allowed in (("wolf Knight f6", False), ("wolf Knight i1", True)):
        state = game(ra).position(position(f"Cavalry f4, wolf Ra f5, {friend}", "Cavalry"))
        assert bool(offered(state, act="attack", target="f5")) == allowed


@pytest.mark.parametrize("owner", OWNERS)
def test_you_on_a_card_is_its_owner(owner: str) -> None:
    tyrant = card("Tyrant", attribute="you cannot recruit.")
    state = game(tyrant).position(position(f"{owner} Tyrant i1", "Cavalry", supply={"raven": ["Cavalry"]}))
    assert bool(offered(state, act="recruit")) == (owner == "wolf")


@pytest.mark.parametrize("owner", OWNERS)
def test_you_on_a_card_is_its_owner_where_more_is_permitted(owner: str) -> None:
    port = card("Port", attribute="you may deploy a coin onto an empty space adjacent to this.")
    state = game(port).position(position(f"{owner} Port f4", "Cavalry"))
    assert tos(state, "deploy") == (ADJACENT if owner == "raven" else set())


# ---- several definitions


def test_a_layer_adds_a_way_to_use_a_coin() -> None:
    drawing = layer(
        "Drawing",
        ("action", "Pass"),
        add={
            "rules": """
        to use a coin: discard the coin facedown, then draw a coin, then put the second coin into your hand."""
        },
    )
    state = game(drawing).position(position("", "Cavalry, Royal Coin", bag={"raven": ["Scout", "Cavalry"]}))
    assert len(offered(state, act="pass")) == 2 and len(offered(state, act="draw")) == 2
    take(state, act="draw", coin="Royal Coin")
    assert state.decision is not None and state.decision.is_chance
    round_trips(state)
    take(state, act="draw", coin="Scout")
    assert state.position()["hand"]["raven"] == ["Cavalry", "Scout"]


def test_a_card_adds_ways_for_its_owner_while_it_is_in_play() -> None:
    rite = card(
        "Rite",
        restriction="""
        to use the Royal Coin: discard it faceup, then this moves.
        to use the Royal Coin: discard it facedown, then this attacks.""",
    )
    state = game(rite).position(position("Rite f4, wolf Archer f5", "Royal Coin, Rite"))
    assert {one["act"] for one in offered(state, coin="Royal Coin")} == {"pass", "move", "attack"}
    there = take(state.clone(), act="attack", coin="Royal Coin")
    assert there.position()["discard"]["raven"] == {"up": [], "down": ["Royal Coin"]}
    state = game(rite).position(position("wolf Rite f4, Archer f5", "Royal Coin, Archer"))
    assert {one["act"] for one in offered(state, coin="Royal Coin")} == {"pass"}


def test_a_kind_is_done_as_any_of_its_kinds() -> None:
    state = game().position(position("Mercenary e5, wolf Archer e6", "Royal Coin", supply={"raven": ["Mercenary"]}))
    take(state, act="recruit", recruit="Mercenary")
    assert {one["act"] for one in offered(state)} == {"decline", "move", "attack", "control"}
    round_trips(state)


# ---- values and nouns


def test_a_value_of_a_card_replaces_the_usual_one() -> None:
    trio = card("Trio", attribute="the limit of this is 3.")
    places = ["c5", "d5", "e3"]
    for count in range(1, 4):
        state = game(trio).position(
            position(",".join(f"Trio {one}" for one in places[:count]), "Trio", control={"raven": ["e2", "h1"]})
        )
        assert bool(offered(state, act="deploy")) == (count < 3)


def test_a_layer_widens_a_noun() -> None:
    wider = layer("Wider", ("action", "Attack"), add={"rules": "a target is a friendly unit."})
    units = "Cavalry f4, Swordsman e4, wolf Archer f5"
    plain = game().position(position(units, "Cavalry"))
    assert [one["target"] for one in offered(plain, act="attack")] == ["f5"]
    state = game(wider).position(position(units, "Cavalry"))
    assert sorted(one["target"] for one in offered(state, act="attack")) == ["e4", "f5"]


def test_the_other_player_decides_about_a_unit_that_is_made_to_move() -> None:
    push = card("Push", attribute="after this moves, choose an adjacent enemy unit, then that unit may move.")
    state = game(push).position(position("Push f4, wolf Archer f6", "Push"))
    take(state, act="move", to="f5")
    assert player(state) == "wolf" and offered(state, act="decline")
    round_trips(state)


# ---- kinds of kinds, and layers


def deeds(tmp_path: Path, *cards: str) -> Game:
    """Return War Chest where a maneuver is a kind of a still wider verb."""
    folder = Path(str(tmp_path)) / "war-chest"
    shutil.copytree(game().folder, folder)
    text = (folder / "game.yaml").read_text(encoding="utf-8")
    wider = text.replace("maneuver: {by: unit}", "maneuver: {by: unit, is: deed}\n    deed: {by: unit}")
    assert wider != text
    (folder / "game.yaml").write_text(wider, encoding="utf-8")
    for number, one in enumerate(cards):
        (folder / "units" / f"extra{number}.yaml").write_text(one, encoding="utf-8")
    return Game(folder)


def test_a_prohibition_of_a_kind_holds_for_kinds_of_its_kinds(tmp_path: Path) -> None:
    state = deeds(tmp_path, card("Still", restriction="this cannot deed.")).position(
        position("Still f4, wolf Archer f5", "Still")
    )
    assert not offered(state, unit="f4", act="move") and not offered(state, act="attack")


def test_a_hook_on_a_kind_answers_kinds_of_its_kinds(tmp_path: Path) -> None:
    state = deeds(tmp_path, card("Doer", attribute="after this deeds, the initiative becomes stale.")).position(
        position("Doer f4", "Doer")
    )
    take(state, act="move", to="f5")
    assert state.position()["initiative_moved"] is True


def replaced(name: str, text: str, **more: str) -> str:
    """Return a layer that gives the Cavalry another tactic."""
    return layer(name, ("unit", "Cavalry"), replace={"tactic": text}, **more)  # type: ignore[arg-type]


def test_layers_that_replace_the_same_need_an_order() -> None:
    with pytest.raises(warchest.CardError) as caught:
        game(replaced("One", "move."), replaced("Two", "attack."))
    assert [one.name for one in caught.value.diagnostics] == ["colliding-layers"]
    for documents in (
        (replaced("One", "move."), replaced("Two", "attack.", head="after: [One]")),
        (replaced("Two", "attack.", head="after: [One]"), replaced("One", "move.")),
    ):
        state = game(*documents).position(position("Cavalry f4, wolf Archer f5", "Cavalry"))
        assert [one["then"] for one in offered(state, act="tactic")] == ["attack"]


def test_layers_in_a_circle_are_an_error() -> None:
    with pytest.raises(warchest.CardError):
        game(replaced("One", "move.", head="after: [Two]"), replaced("Two", "attack.", head="after: [One]"))


def test_layers_that_replace_and_add_to_the_same_need_an_order() -> None:
    adds = layer("Two", ("unit", "Cavalry"), add={"tactic": "recruit."})
    with pytest.raises(warchest.CardError):
        game(adds, replaced("One", "move."))


def test_two_values_on_one_card_are_an_error() -> None:
    with pytest.raises(warchest.CardError):
        game(card("Trio", attribute="the limit of this is 3.\nthe limit of this is 2."))


def test_a_way_on_a_card_is_open_to_that_card_only() -> None:
    twice = "to attack a target: the target loses a coin, then the target loses a coin if able."
    hammer = card("Hammer", attribute=twice)
    state = game(hammer).position(position("Scout f4, Hammer e6, wolf Archer f5 3", "Scout, Hammer"))
    assert len(offered(state, unit="f4", target="f5")) == 1
    assert len(offered(state, unit="e6", target="f5")) == 2


def test_a_verb_that_no_text_defines_breaks_nothing() -> None:
    words = "words: Hops\nverbs:\n  hop: {by: unit}\n"
    assert game(words).new(seed=1).decision is not None
