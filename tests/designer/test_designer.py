"""A designer's work without a line of Python: units, errata and printings of one's own."""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest

import warchest
from seeds import is_usual
from warchest import CardError, State

SLINGER = """\
    unit: Slinger
    coins: 4
    source: "ruling: a unit of the tests"
    tactic: |
      either move to a space exactly 2 spaces away, or attack a target exactly 3 spaces away in a straight line.
    restriction: |
      this attacks only by its tactic.
"""
ENVOY = """\
    unit: Envoy
    coins: 5
    source: "ruling: a unit of the tests"
    attribute: |
      after this moves, it may control.
      after this controls, you may claim the initiative.
"""
WARDEN = """\
    unit: Warden
    coins: 3
    source: "ruling: a unit of the tests"
    attribute: |
      you may deploy this onto an empty space adjacent to an enemy unit.
      the limit of this is 2.
      when this would lose a coin against an attack, you may put a coin in your hand into your box instead.
    restriction: |
      a unit cannot attack this while this is bolstered.
      this cannot control.
"""


def folder(place: Path, *texts: str) -> Path:
    """Write documents into a folder, each into a file of its own, and return the folder."""
    place.mkdir(exist_ok=True)
    for text in texts:
        text = dedent(text)
        kind, _, name = text.partition("\n")[0].partition(": ")
        (place / f"{kind}-{name.lower().replace(' ', '-')}.yaml").write_text(text, "utf-8")
    return place


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> warchest.Game:
    """The game with three new units."""
    return warchest.load("war-chest", extra=[folder(tmp_path_factory.mktemp("cards"), SLINGER, ENVOY, WARDEN)])


def position(units: str, hand: str, **keys: Any) -> dict[str, Any]:
    """Return a position before a coin of raven, from lines such as `raven f4 Envoy 2`."""
    found = []
    for line in filter(None, (one.strip() for one in units.split(","))):
        owner, at, *words = line.split()
        coins = int(words.pop()) if words[-1].isdigit() else 1
        found.append({"at": at, "unit": " ".join(words), "owner": owner, "coins": coins})
    return {
        "to_act": "raven",
        "initiative": "raven",
        "units": found,
        "hand": {"raven": [hand], "wolf": ["Royal Coin"]},
        **keys,
    }


def offers(state: State, **parts: str) -> list[dict[str, Any]]:
    """Return the data of the options that have all these parts."""
    assert state.decision is not None
    return [
        option.data
        for option in state.decision.options
        if all(option.data.get(key) == value for key, value in parts.items())
    ]


def take(state: State, **parts: str) -> State:
    """Take the one option that has all these parts."""
    (data,) = offers(state, **parts)
    assert state.decision is not None
    return state.apply(next(option for option in state.decision.options if option.data == data))


def stacks(state: State) -> dict[str, tuple[str, int]]:
    """Return the pieces by space, with their heights."""
    return {unit["at"]: (unit["unit"], unit["coins"]) for unit in state.position()["units"]}


# ---- units of one's own


def test_new_units_are_dealt_and_played(game: warchest.Game) -> None:
    armies = {"raven": ["Slinger", "Envoy", "Archer", "Scout"], "wolf": ["Warden", "Knight", "Pikeman", "Lancer"]}
    state = game.new(seed=3, armies=armies)
    written = state.position()
    assert written["armies"] == {player: sorted(names) for player, names in armies.items()}
    assert written["supply"]["raven"].count("Envoy") == 3 and written["bag"]["raven"].count("Envoy") == 2
    assert written["supply"]["wolf"].count("Warden") == 1 and written["bag"]["wolf"].count("Warden") == 2
    rng = Random(3)
    for number in range(400):
        if state.decision is None:
            break
        if number % 4 == 0 or not is_usual():
            assert game.position(state.position()) == state
        state.apply(state.decision.sample(rng))
    text = "\n".join(state.log)
    assert all(name in text for name in ("Slinger", "Envoy", "Warden"))


def test_new_units_may_be_drawn_at_random(game: warchest.Game) -> None:
    dealt = {name for seed in range(40) for army in game.new(seed=seed).position()["armies"].values() for name in army}
    assert {"Slinger", "Envoy", "Warden"} <= dealt


def test_a_tactic_with_a_choice(game: warchest.Game) -> None:
    state = game.position(position("raven f4 Slinger, wolf f7 Lancer 2, wolf f5 Scout", "Slinger"))
    tactics = offers(state, act="tactic", coin="Slinger")
    assert {one["to"] for one in tactics if "to" in one} == {
        "f2",
        "f6",
        "d4",
        "d5",
        "d6",
        "h2",
        "h3",
        "h4",
        "e3",
        "g2",
        "e6",
        "g5",
    }
    assert [one["target"] for one in tactics if "target" in one] == ["f7"]
    assert not offers(state, act="attack")
    assert stacks(take(state.clone(), act="tactic", to="f2"))["f2"] == ("Slinger", 1)
    assert stacks(take(state, act="tactic", target="f7"))["f7"] == ("Lancer", 1)


def test_an_offer_after_an_event(game: warchest.Game) -> None:
    state = game.position(position("raven f4 Envoy", "Envoy", initiative="wolf"))
    take(state, act="move", to="g3")
    assert state.decision is not None and state.decision.player == "raven"
    assert [one["act"] for one in offers(state)] in (["control", "decline"], ["decline", "control"])
    declined = take(state.clone(), act="decline").position()
    assert declined["control"]["raven"] == [] and declined["to_act"] == "wolf"
    take(state, act="control")
    assert [one["act"] for one in offers(state)] in (["claim", "decline"], ["decline", "claim"])
    kept = take(state.clone(), act="decline").position()
    assert kept["control"]["raven"] == ["g3"] and kept["initiative"] == "wolf"
    claimed = take(state, act="claim").position()
    assert (claimed["initiative"], claimed["initiative_moved"], claimed["to_act"]) == ("raven", True, "wolf")


def test_an_offer_that_cannot_be_taken_is_not_made(game: warchest.Game) -> None:
    state = game.position(position("raven f4 Envoy", "Envoy"))
    take(state, act="move", to="f5")
    assert state.decision is not None and state.decision.player == "wolf"
    state = game.position(position("raven g3 Envoy", "Envoy"))
    take(state, act="control")
    assert state.decision is not None and state.decision.player == "wolf"


def test_a_card_adds_places_to_deploy(game: warchest.Game) -> None:
    state = game.position(position("wolf f7 Knight", "Warden", control={"raven": ["e2"]}))
    assert {one["to"] for one in offers(state, act="deploy")} == {"e2", "e7", "f6", "g6"}
    ordinary = game.position(position("wolf f7 Knight", "Archer", control={"raven": ["e2"]}))
    assert {one["to"] for one in offers(ordinary, act="deploy")} == {"e2"}


def test_a_card_raises_its_limit(game: warchest.Game) -> None:
    control = {"raven": ["e2"]}
    one = game.position(position("raven f4 Warden", "Warden", control=control))
    assert offers(one, act="deploy", to="e2")
    two = game.position(position("raven f4 Warden, raven f5 Warden", "Warden", control=control))
    assert not offers(two, act="deploy")
    with pytest.raises(warchest.PositionError):
        game.position(position("raven f4 Warden, raven f5 Warden, raven f6 Warden", "Royal Coin"))


def test_prohibitions(game: warchest.Game) -> None:
    low = game.position(position("raven f4 Knight, wolf f5 Warden", "Knight"))
    assert offers(low, act="attack", target="f5")
    high = game.position(position("raven f4 Knight 2, wolf f5 Warden 2", "Knight"))
    assert not offers(high, act="attack")
    idle = game.position(position("raven g3 Warden", "Warden"))
    assert not offers(idle, act="control")
    busy = game.position(position("raven g3 Knight", "Knight"))
    assert offers(busy, act="control")


def test_an_act_can_be_replaced_by_an_optional_one(game: warchest.Game) -> None:
    state = game.position(position("raven f4 Knight, wolf f5 Warden", "Knight"))
    take(state, act="attack", target="f5")
    assert state.decision is not None and state.decision.player == "wolf"
    assert state.position()["to_act"] == "raven"
    struck = next(one for one in offers(state) if one["act"] == "decline")
    assert struck
    saved = take(state.clone(), act="put").position()
    assert saved["box"]["wolf"] == ["Royal Coin"] and saved["hand"]["wolf"] == []
    assert [unit["unit"] for unit in saved["units"]] == ["Knight", "Warden"]
    lost = take(state, act="decline").position()
    assert lost["box"]["wolf"] == ["Warden"] and [unit["unit"] for unit in lost["units"]] == ["Knight"]


def test_the_log_and_the_trace_cite_the_designers_file(game: warchest.Game) -> None:
    state = game.position(position("raven f4 Knight, wolf f5 Warden", "Knight"))
    take(take(state, act="attack", target="f5"), act="put")
    entry = [entry for entry in state.trace if Path(entry.file).name == "unit-warden.yaml"][-1]
    assert "Royal Coin" in entry.text and entry.line == 7
    assert entry.clause == "you may put a coin in your hand into your box"
    assert entry.source == "ruling: a unit of the tests"


# ---- errata and printings of one's own

CLAIM = """\
    errata: Claims without end
    ruling: the house plays it so
    amends: {kind: action, name: Claim initiative}
    replace:
      rules: |
        to use a coin: discard the coin facedown, then claim the initiative.
        to claim the initiative: you become the holder of the initiative, then the initiative becomes stale.
        you cannot claim the initiative while the team of the holder of the initiative is your team.
"""
LONG = """\
    errata: Archer with a longbow
    ruling: a printing of the tests
    option: {name: archer, value: longbow, otherwise: printed}
    amends: {kind: unit, name: Archer}
    replace:
      tactic: |
        attack a target exactly 3 spaces away.
"""
SHORT = """\
    errata: Archer with a short bow
    ruling: a printing of the tests
    amends: {kind: unit, name: Archer}
    replace:
      tactic: |
        attack a target exactly 1 space away.
"""
SPRY = """\
    errata: Archer with a sling
    ruling: a printing of the tests
    amends: {kind: unit, name: Archer}
    replace:
      tactic: |
        attack a target within 3 spaces of this.
"""
RUNNER = """\
    errata: Archer that runs
    ruling: a text added, and none replaced
    amends: {kind: unit, name: Archer}
    add:
      attribute: |
        after this attacks, it may move.
"""


def test_an_erratum_to_a_core_action(tmp_path: Path) -> None:
    claimed = position("", "Knight", initiative="wolf", initiative_moved=True)
    assert not offers(warchest.load("war-chest").position(claimed), act="claim")
    game = warchest.load("war-chest", extra=[folder(tmp_path, CLAIM)])
    after = take(game.position(claimed), act="claim").position()
    assert (after["initiative"], after["initiative_moved"]) == ("raven", True)
    assert not offers(game.position({**claimed, "initiative": "raven"}), act="claim")


def targets(game: warchest.Game, **options: str) -> set[str]:
    """Return the targets of an Archer on f4: enemies are 1, 2 and 3 spaces away."""
    units = "raven f4 Archer, wolf f5 Scout, wolf f6 Lancer, wolf f7 Cavalry"
    state = game.position(position(units, "Archer", options=options))
    assert state.position()["options"].items() >= options.items()
    return {one["target"] for one in offers(state, act="tactic")}


def test_a_printing_that_is_chosen(tmp_path: Path) -> None:
    game = warchest.load("war-chest", extra=[folder(tmp_path, LONG)])
    assert targets(game) == targets(game, archer="printed") == {"f6"}
    assert targets(game, archer="longbow") == {"f7"}
    options = {"archer": "longbow", "royal_guard": "revised"}
    state = game.new(seed=1, options=options)
    assert state.position()["options"] == options
    assert game.new(seed=1).position()["options"] == {"archer": "printed", "royal_guard": "original"}
    assert state != game.new(seed=1)
    with pytest.raises(warchest.PositionError) as caught:
        game.new(options={"archer": "crossbow"})
    assert caught.value.field == "options.archer"
    with pytest.raises(warchest.PositionError):
        warchest.load("war-chest").new(options=options)


def test_a_text_is_replaced_or_added_to(tmp_path: Path) -> None:
    game = warchest.load("war-chest", extra=[folder(tmp_path, SHORT, RUNNER)])
    assert targets(game) == {"f5"}
    state = game.position(position("raven f4 Archer 2, wolf f5 Scout 2", "Archer"))
    take(state, act="tactic", target="f5")
    assert offers(state, act="move", to="f3") and offers(state, act="decline")


def test_two_layers_collide(tmp_path: Path) -> None:
    with pytest.raises(CardError) as caught:
        warchest.load("war-chest", extra=[folder(tmp_path, SHORT, SPRY)])
    (found,) = caught.value.diagnostics
    assert found.name == "colliding-layers" and found.severity == "error"
    assert found.span is not None
    there = {Path(found.file).name, *(Path(label.span.path).name for label in found.labels)}
    assert there == {"errata-archer-with-a-short-bow.yaml", "errata-archer-with-a-sling.yaml"}
    assert (found.span.line, found.span.column) == (1, 9)
    assert "after: [" in found.help


def test_two_layers_with_an_order(tmp_path: Path) -> None:
    later = dedent(SPRY).replace("amends:", "after: [Archer with a short bow]\namends:")
    assert targets(warchest.load("war-chest", extra=[folder(tmp_path, SHORT, later)])) == {"f5", "f6", "f7"}


def test_a_layer_that_is_chosen_collides_only_when_it_is(tmp_path: Path) -> None:
    game = warchest.load("war-chest", extra=[folder(tmp_path, SHORT, LONG)])
    assert targets(game) == {"f5"}
    with pytest.raises(CardError):
        game.new(options={"archer": "longbow"})


def test_files_and_folders_are_taken_alike(tmp_path: Path) -> None:
    inner = folder(tmp_path / "deep", SLINGER)
    for extra in ([inner / "unit-slinger.yaml"], [str(inner)], [tmp_path]):
        game = warchest.load("war-chest", extra=extra)
        assert game.position(position("raven f4 Slinger", "Slinger")).decision is not None


# ---- cards that are wrong

UNIT = 'unit: Wrong\ncoins: 4\nsource: "ruling: wrong"\n'
WRONG: dict[str, tuple[str, str, int, int]] = {
    "a word nobody knows": (UNIT + "tactic: |\n  teleport to a space.\n", "unknown-word", 5, 3),
    "a misspelt word": (UNIT + "tactic: |\n  move.\n  atack a target.\n", "unknown-word", 6, 3),
    "a noun nobody knows": (UNIT + "tactic: |\n  move to a swamp.\n", "unknown-word", 5, 13),
    "no full stop": (UNIT + "tactic: |\n  move\n", "missing-full-stop", 5, 6),
    "half a sentence": (UNIT + "tactic: |\n  move to.\n", "syntax-error", 5, 10),
    "a rule among steps": (UNIT + "tactic: |\n  this cannot move.\n", "rule-among-steps", 5, 3),
    "a step among rules": (UNIT + "attribute: |\n  move.\n", "step-among-rules", 5, 3),
    "an unknown key": (UNIT + "tactics: |\n  move.\n", "unknown-key", 4, 1),
    "a missing key": ("unit: Wrong\n", "missing-key", 1, 1),
    "a number that is a word": ("unit: Wrong\ncoins: four\nsource: x\n", "wrong-type", 2, 8),
    "too large a number": ("unit: Wrong\ncoins: 400\nsource: x\n", "wrong-size", 2, 8),
    "no such kind": ("unti: Wrong\ncoins: 4\n", "unknown-kind", 1, 1),
    "no document": ("- move\n", "not-a-document", 1, 1),
    "no YAML": ("unit: [Wrong\n", "yaml-syntax", 1, 7),
    "a key twice": (UNIT + "coins: 5\n", "duplicate-key", 4, 1),
    "an alias": ("unit: &a Wrong\ncoins: 4\nsource: *a\n", "yaml-anchor", 1, 7),
    "a tag": ("unit: !!python/object:os.system Wrong\ncoins: 4\n", "yaml-tag", 1, 7),
    "a tab": ("unit: Wrong\ncoins: 4\ntactic: |\n\tmove.\n", "tab-indentation", 4, 1),
    "an erratum to nothing": (
        "errata: Wrong\nsource: x\namends: {kind: unit, name: Archr}\nreplace:\n  tactic: |\n    move.\n",
        "no-such-document",
        3,
        9,
    ),
    "a name that is taken": ("unit: Archer\ncoins: 4\nsource: x\n", "duplicate-name", 1, 7),
    "the wrong kind of thing": (UNIT + "tactic: |\n  attack a space.\n", "wrong-kind", 5, 10),
    "somebody not named before": (UNIT + "tactic: |\n  move to that space.\n", "no-antecedent", 5, 11),
}


@pytest.mark.parametrize(("text", "name", "line", "column"), WRONG.values(), ids=WRONG)
def test_wrong_cards(tmp_path: Path, text: str, name: str, line: int, column: int) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(CardError) as caught:
        warchest.load("war-chest", extra=[tmp_path])
    places = []
    for found in caught.value.diagnostics:
        assert found.severity == "error"
        assert found.span is not None and found.message and found.code
        places.append((found.name, found.file, found.span.line, found.span.column))
    assert (name, str(path), line, column) in places
    assert f"{path}" in str(caught.value) and found.code in str(caught.value)


def test_a_folder_without_cards(tmp_path: Path) -> None:
    with pytest.raises(CardError) as caught:
        warchest.load("war-chest", extra=[tmp_path])
    assert [found.name for found in caught.value.diagnostics] == ["no-documents"]


def test_one_bad_card_does_not_hide_another(tmp_path: Path) -> None:
    worse = UNIT.replace("Wrong", "Worse") + "attribute: |\n  fly.\n"
    folder(tmp_path, SLINGER, UNIT + "tactic: |\n  teleport.\n", worse)
    with pytest.raises(CardError) as caught:
        warchest.load("war-chest", extra=[tmp_path])
    assert {Path(found.file).name for found in caught.value.diagnostics} == {"unit-wrong.yaml", "unit-worse.yaml"}
