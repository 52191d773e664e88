"""Trails of places: the spaces of a piece with its fields there, and the way back."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import warchest
from designer.reading_support import advised, advised_with
from linted import lint_text
from loaded import read_card
from machine.machine_support import card, comes_back, game, offered, passed, position, refused, round_trips, take, unit
from warchest import State
from warchest.game.state import state_at
from warchest.words import words_at

WORDS = """\
words: Tracks
fields:
  unit: {track: {trail of: [space, marked]}, marked: {flag: true, opposite: plain}, path: {trail of: space}}
"""
KEEP = "before this moves, its place becomes the track of this.\nafter this moves, this becomes marked."


@cache
def tracking(tactic: str, attribute: str = KEEP) -> warchest.Game:
    """Return War Chest with a card of this tactic whose unit keeps its places, and is marked by each move."""
    return game(WORDS, card("Horn", tactic=tactic, attribute=attribute))


def standing(tactic: str, attribute: str = KEEP) -> State:
    """Return the state before the tactic of a Horn with an enemy near it."""
    place = position("Horn f4, wolf Archer f7", "Horn, Horn, Horn, Horn", "Royal Coin, Archer, Archer, Archer")
    return tracking(tactic, attribute).position(place)


def walked(state: State, *spaces: str) -> State:
    """Return the state after the Horn has moved to some spaces, and the other player has passed each time."""
    for space in spaces:
        take(state, act="move", to=space)
        passed(state)
    return state


GOES_BACK = [
    "the track of this goes back.",
    "its track goes back.",
    "the track of this may go back.",
    "if a space is the track of this, the track of this goes back.",
]


@pytest.mark.parametrize("tactic", GOES_BACK)
def test_a_piece_goes_back_step_by_step_with_its_former_fields(tactic: str) -> None:
    state = walked(standing(tactic), "f5", "f6")
    assert unit(state, "Horn")["at"] == "f6" and unit(state, "Horn")["marked"]
    said = {"then": "go back track"} if "may" in tactic else {}
    take(state, act="tactic", **said)
    assert unit(state, "Horn")["at"] == "f5" and unit(state, "Horn")["marked"]
    round_trips(state)
    passed(state)
    take(state, act="tactic", **said)
    assert unit(state, "Horn")["at"] == "f4" and "marked" not in unit(state, "Horn")


def test_there_is_no_option_to_go_back_without_a_step() -> None:
    state = standing("the track of this goes back.")
    assert not offered(state, act="tactic")
    assert [one["reason"] for one in state.why_not({"act": "tactic"})] == [
        "there is no way back: the track of this goes back"
    ]
    assert offered(walked(state, "f5"), act="tactic")


def test_an_offer_to_go_back_can_be_declined_and_needs_a_step() -> None:
    state = standing("the track of this may go back.")
    assert [one.get("then", "") for one in offered(state, act="tactic")] in (["decline"], [""])
    assert {one["then"] for one in offered(walked(state, "f5"), act="tactic")} == {"go back track", "decline"}


@pytest.mark.parametrize(("asked", "is_offered"), [("a space is", True), ("no space is", False)])
def test_the_existence_of_a_way_back_is_a_condition(asked: str, is_offered: bool) -> None:
    state = standing(f"this must be marked. if {asked} the track of this, attack.")
    state = walked(state, "f5", "f6")
    assert bool(offered(state, act="tactic", target="f7")) == is_offered


def test_a_piece_can_be_put_onto_the_last_place_and_keep_the_trail() -> None:
    state = walked(standing("put this onto the track of this."), "f5")
    take(state, act="tactic")
    assert unit(state, "Horn")["at"] == "f4" and unit(state, "Horn")["marked"]
    passed(state)
    # The way back leads to the space where the unit is already.
    take(state, act="move", to="e4")
    passed(state)
    take(state, act="tactic")
    assert unit(state, "Horn")["at"] == "f4"


def test_the_place_of_another_piece_can_be_kept() -> None:
    tactic = (
        "choose an enemy unit, then the place of that unit becomes the track of this, then remove that unit, "
        "then the track of this goes back."
    )
    state = take(standing(tactic), act="tactic")
    assert unit(state, "Horn")["at"] == "f7" and len(state.position()["units"]) == 1


def test_a_keeping_can_be_offered() -> None:
    goes_back = "after this moves, the track of this goes back."
    state = standing("its place may become the track of this.", attribute=goes_back)
    take(state, act="tactic", then="become the track of this")
    passed(state)
    assert unit(take(state, act="move", to="f5"), "Horn")["at"] == "f4"
    # An impossible step after an act is left out.
    passed(state)
    assert unit(take(state, act="move", to="f5"), "Horn")["at"] == "f5"


def test_a_trail_of_places_is_kept_in_positions() -> None:
    """Positions tell it among the fields, and the state that is read from one is equal and goes back alike."""
    state = walked(standing("the track of this goes back."), "f5", "f6")
    told = state.position()
    (number,) = told["pending"]["fields"]["track of piece"].values()
    back = comes_back(state)
    for one in (back, state):
        assert unit(take(one, act="tactic"), "Horn")["at"] == "f5"
    assert back == state and back.position() == state.position() != told
    # A step without one part, a space that does not exist, and a mark that is neither true nor false.
    for wrong in (number >> 16, number | 0xFFFF << 48, number & ~0xFFFF | 7):
        told["pending"]["fields"]["track of piece"] = {"f6": wrong}
        with pytest.raises(warchest.PositionError, match="there is no such value"):
            state_at(state.variant, told)


def test_states_with_other_trails_are_others() -> None:
    states = [walked(standing("the track of this goes back."), *way) for way in (("f5", "e5"), ("e4", "e5"))]
    assert [unit(one, "Horn") for one in states] == [unit(states[0], "Horn")] * 2
    assert states[0] != states[1]


def test_the_log_names_the_spaces() -> None:
    state = walked(standing("the track of this goes back."), "f5")
    take(state, act="tactic")
    assert [one.text.strip() for one in state.trace if "the track of" in one.text] == [
        "the track of the Horn on f4 is f4 now",
        "the track of the Horn on f4 is nothing now",
    ]


@pytest.mark.parametrize("way", [("f5",), ("f5", "f6"), ("f5", "f4")])
def test_the_first_space_of_a_way_stays_the_same(way: tuple[str, ...]) -> None:
    state = walked(standing("put this onto the first space of its track."), *way)
    round_trips(state)
    assert unit(take(state, act="tactic"), "Horn")["at"] == "f4"


@pytest.mark.parametrize(("way", "is_offered"), [((), False), (("f5",), False), (("f5", "f4"), True)])
def test_the_first_space_of_a_way_is_a_condition(way: tuple[str, ...], is_offered: bool) -> None:
    state = walked(standing("if its space is the first space of its track, move."), *way)
    assert bool(offered(state, act="tactic", to="e4")) == is_offered


# ---- what is understood


@pytest.mark.parametrize(
    "tactic",
    [
        "its place becomes the track of this.",
        "the place of this becomes the track of this.",
        "choose a unit, then its place becomes the track of that unit.",
        "either the track of this goes back, or move.",
        "for each friendly unit, the track of it goes back.",
        "if no space is the track of this, its place becomes the track of this.",
        "until no space is the track of this, the track of this goes back.",
        "if its space is the first space of its track, this moves.",
        "put this onto the first space of the path of this if able.",
        "choose a unit, then if the first space of its path is nothing, that unit moves.",
    ],
)
def test_sentences_are_read_and_said_again(tactic: str) -> None:
    read_card(tracking(tactic), "Horn")


@pytest.mark.parametrize(
    ("begun", "ends"),
    [("its pl", ["place"]), ("its place becomes the tr", ["track"]), ("the track of this g", ["goes back"])],
)
def test_words_that_come_next_are_known(begun: str, ends: list[str]) -> None:
    text = card("Horn", tactic=begun).rstrip()
    found = {one.text for one in words_at(text, len(text), tracking("the track of this goes back."))}
    assert found >= set(ends)


NEARLY = [
    ("its space becomes the track of this.", "say `its place becomes the track of this`"),
    ("the space of this becomes the track of this.", "say `the place of this becomes the track of this`"),
    ("this becomes marked. the track of this becomes its place.", "`its place becomes the … of this`"),
    ("its place becomes the path of this.", "`path: {trail of: [space]}`"),
    ("its place becomes the type of this.", "cannot become"),
    ("choose a unit whose place is its place.", "name its space to ask where it is"),
    ("the track of this goes back by 2.", "takes no amount"),
    ("this goes back.", "say `the track of this goes back` or `the path of this goes back`"),
    ("this goes back to the track of this.", "`the … of this goes back`"),
    ("this goes back the way it came.", "`the … of this goes back`"),
    ("this becomes the track of this.", "say `its place becomes the track of this`"),
    ("this returns to where it was.", "`the … of this goes back`"),
    ("this moves back to its place.", "`the … of this goes back`"),
    ("remember the place of this.", "`its … becomes the … of this`"),
    ("if this has a track, the track of this goes back.", "`a … is the … of this` of a field"),
    ("its place becomes the track of this until your next turn.", "cannot be so for a time"),
    ("put this onto the first place of its track.", "say `the first space of its track`"),
    ("put this onto the second space of its track.", "say `the first space of its track`"),
    ("put this onto the earliest space of its track.", "say `the first … of …` of a trail"),
    ("put this onto the first space of this.", "only a trail has a first space"),
    ("put this onto its first space.", "say `the first space of its track`"),
    ("put this onto the space it started from.", "a trail begins on `the first space of …`"),
    ("its space becomes the first space of its path.", "cannot be set"),
]


@pytest.mark.parametrize(("tactic", "says"), NEARLY)
def test_nearly_right_texts_get_advice(tactic: str, says: str) -> None:
    (first, *_) = advised_with(WORDS, card("Horn", tactic=tactic))
    assert says in f"{first.message} {first.help}"


def test_the_first_space_of_a_piece_without_a_trail_gets_advice_about_a_declaration(tmp_path: Path) -> None:
    (first, *_) = advised(card("Horn", tactic="put this onto its first space."))
    assert first.help == (
        "declare a field with `trail of: space`, add to it by `its space becomes its …`, and say "
        "`the first space of its …`"
    )
    declared = "words: Track words\nfields: {unit: {track: {trail of: space}}}\n"
    attribute = (
        "after this moves, its space becomes the track of this. after this attacks, it moves to the first space of its "
        "track."
    )
    assert lint_text(tmp_path, "---\n".join((declared, card("Horn", attribute=attribute)))) == []


def test_attributes_that_a_game_has_no_use_for_are_not_named() -> None:
    text = card("Horn", attribute="after this attacks a unit, you become its controller.")
    (first, *_) = advised(text)
    assert "owner" in first.help and "trek" not in first.help


# ---- what is declared


@pytest.mark.parametrize(
    ("fields", "code", "says"),
    [
        (
            "unit: {track: {trail of: [marked, space]}, marked: {flag: true, opposite: plain}}",
            "wrong-kind",
            "name the space first: `track: {trail of: [space, marked]}`",
        ),
        (
            "unit: {track: {trail of: [marked]}, marked: {flag: true, opposite: plain}}",
            "wrong-kind",
            "`track: {trail of: [space, marked]}`",
        ),
        ("unit: {track: {trail of: [space, heat]}, heat: number}", "wrong-kind", "`heat` cannot be kept with a place"),
        ("unit: {track: {trail of: [space, markd]}, marked: {flag: true, opposite: plain}}", "undeclared", "`marked`"),
        ("player: {track: {trail of: [space]}}", "wrong-kind", "`track: {trail of: space}`"),
        ("unit: {track: {trail of: spaces}}", "unknown-value", "space"),
    ],
)
def test_impossible_contents_of_trails_are_found(tmp_path: Path, fields: str, code: str, says: str) -> None:
    found = [one for one in lint_text(tmp_path, f"words: Tracks\nfields: {{{fields}}}\n") if one.name != "unused-word"]
    assert [one.name for one in found] == [code] and says in f"{found[0].message} {found[0].help}"


def test_a_game_whose_trail_keeps_an_unknown_field_cannot_be_loaded() -> None:
    words = WORDS.replace("[space, marked]", "[space, markd]")
    (first,) = refused(words, card("Horn", tactic="its place becomes the track of this."))
    assert "no piece has" in first.message


@pytest.mark.parametrize(
    ("tactic", "code", "says"),
    [
        ("its place becomes the track of this. move.", "no-difference", "`the track of … goes back`"),
        ("its space becomes the path of this. move.", "no-difference", "`the path of … goes back`"),
        ("the track of this goes back.", "never-so", "`its place becomes the track of …`"),
        ("if a space is the path of this, move.", "never-so", "`… becomes the path of …`"),
    ],
)
def test_a_trail_to_no_purpose_is_found(tmp_path: Path, tactic: str, code: str, says: str) -> None:
    name = "path" if "path" in tactic else "track"
    kept = "space" if name == "path" else "[space]"
    text = f"words: Tracks\nfields: {{unit: {{{name}: {{trail of: {kept}}}}}}}\n---\n" + card("Horn", tactic=tactic)
    found = lint_text(tmp_path, text)
    assert [one.name for one in found] == [code] and says in found[0].help
