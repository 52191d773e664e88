"""Packs: what a folder of cards declares besides its game, in positions, rulings, pictures and findings."""

from __future__ import annotations

from pathlib import Path
from random import Random
from string import ascii_lowercase as ascii
from textwrap import dedent
from typing import Any

import pytest

import warchest
from linted import game_for
from warchest import PositionError
from warchest.cli.main import main
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.wc_lint import findings_in
from warchest.picture import plain
from warchest.replay.file import save
from warchest.replay.game_session import Session

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "packs"
PACK = """\
    words: Weather
    source: our own
    documents:
      cloud: {blocks: {rules: rules}, numbers: [drops], names: {wind: wind}}
      wind: {numbers: []}
    things:
      vapour: {token: [cloud], copies: drops}
      puff: {piece: cloud, holds: vapour, of: game}
      gust: {piece: wind, of: player}
    fields:
      unit: {wet: {flag: true, opposite: dried}, chill: number}
      player: {luck: number}
      team: {shade: space}
      location: {flooded: {flag: true, opposite: drained}}
      game: {season: number}
    zones:
      heap: {of: player, holds: coin, seen by: all}
      store: {of: team, holds: coin, seen by: owner}
      sky: {of: game, holds: vapour, seen by: nobody}
    spaces: {hollow: [f3, f5], centre: [f4]}
    names: [spot]
"""
CLOUD = """\
    cloud: Nimbus
    drops: 3
    wind: Zephyr
    rules: |
      after a unit moves to the space of this, that unit becomes wet.
"""
WIND = "wind: Zephyr\n"
RULES = """\
    action: Weathering
    source: our own
    rules: |
      after a unit moves to a hollow, the luck of the owner of that unit increases by 2.
      after a unit moves to a centre, the chill of that unit increases by 1,
        then its space becomes the shade of your team.
      a unit cannot attack a wet unit.
      after a player passes, the season increases by 1.
"""
POSITION: dict[str, Any] = {
    "to_act": "raven",
    "initiative": "raven",
    "units": [
        {"at": "f4", "unit": "Scout", "owner": "raven", "wet": True, "chill": 2},
        {"at": "g2", "unit": "Archer", "owner": "wolf"},
    ],
    "hand": {"raven": ["Scout"], "wolf": ["Royal Coin"]},
    "puffs": [{"at": "f3", "cloud": "Nimbus"}],
    "gusts": [{"at": "e4", "wind": "Zephyr", "owner": "wolf"}],
    "luck": {"wolf": 3},
    "shade": {"raven": "f4"},
    "flooded": {"h1": True},
    "season": 4,
    "heap": {"raven": ["Scout"]},
    "store": {"wolf": ["Archer"], "raven": ["Scout"]},
    "sky": ["Nimbus"],
}


def folder(place: Path, *texts: str) -> Path:
    """Write documents into a folder, numbered so that they are read in this order."""
    place.mkdir(exist_ok=True)
    for number, text in enumerate(texts):
        (place / f"{number}.yaml").write_text(dedent(text), "utf-8")
    return place


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # The documents of a new kind are read before the one that declares it.
    return folder(tmp_path_factory.mktemp("weather"), WIND, CLOUD, RULES, PACK)


@pytest.fixture(scope="module")
def game(cards: Path) -> warchest.Game:
    return warchest.load("war-chest", cards)


def found(folder_: Path) -> list[Diagnostic]:
    return findings_in([folder_], game_for(file.read_text("utf-8") for file in folder_.iterdir()))


# ---- positions


def test_positions_contain_all_declarations(game: warchest.Game) -> None:
    written = game.position(POSITION).position()
    assert written["packs"] == ["Weather"]
    for key in POSITION.keys() - {"hand", "units", "store", "heap", "puffs"}:
        assert written[key] == POSITION[key], key
    assert written["units"][0] == {**POSITION["units"][0], "coins": 1}
    assert "wet" not in written["units"][1] and "chill" not in written["units"][1]
    assert written["store"] == {"raven": ["Scout"], "wolf": ["Archer"]}
    assert written["puffs"] == [{"at": "f3", "cloud": "Nimbus", "vapours": 1}]
    assert "pending" not in written and "irregular" not in written


def test_default_values_are_omitted(game: warchest.Game) -> None:
    written = game.new(seed=1).position()
    assert not written.keys() & {"puffs", "gusts", "luck", "shade", "flooded", "season", "heap", "store", "sky"}


def test_positions_come_back_anywhere(game: warchest.Game) -> None:
    rng, state, met = Random(3), game.position(POSITION), set[str]()
    for _ in range(150):
        if state.decision is None or state.outcome is not None:
            break
        position = state.position()
        met |= position.keys()
        assert game.position(position).position() == position
        state.apply(rng.choice(state.decision.options))
    assert {"luck", "season", "puffs"} <= met


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"luck": {"bear": 1}}, "luck.bear", "there is no player 'bear'"),
        ({"luck": {"wolf": -1}}, "luck.wolf", "a number from 0 is needed"),
        ({"flooded": {"f9": True}}, "flooded.f9", "there is no space 'f9'"),
        ({"shade": {"raven": "x"}}, "shade.raven", "there is no space 'x'"),
        ({"puffs": [{"at": "f3", "cloud": "Cirrus"}]}, "puffs[0].cloud", "there is no cloud 'Cirrus'"),
        ({"puffs": [{"at": "f3", "cloud": "Nimbus", "owner": "raven"}]}, "puffs[0].owner", "no such key"),
        ({"packs": ["Whether"]}, "packs[0]", "did you mean `Weather`?"),
    ],
)
def test_impossible_values_are_refused_by_their_field(
    game: warchest.Game, change: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(PositionError) as caught:
        game.position({**POSITION, **change})
    assert caught.value.field == field and message in str(caught.value)


def test_a_missing_pack_is_reported_by_its_name(game: warchest.Game) -> None:
    with pytest.raises(PositionError, match="the pack 'Weather' is not here; name its folder with `--cards`"):
        warchest.load().position(game.position(POSITION).position())


def test_a_replay_that_lacks_its_pack_says_so(
    game: warchest.Game, cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weather.json"
    save(file, Session.new(game, seed=1).replay())
    assert main(["replay", str(file), "--cards", str(cards)]) == 0
    capsys.readouterr()
    assert main(["replay", str(file)]) != 0
    assert "Weather" in capsys.readouterr().err


def test_rules_act_on_declared_properties(game: warchest.Game) -> None:
    state = game.position({**POSITION, "units": [{"at": "f2", "unit": "Scout", "owner": "raven"}]})
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data.get("to") == "f3"))
    written = state.position()
    assert written["luck"] == {"raven": 2, "wolf": 3} and written["units"][0]["wet"] is True


def test_views_hide_unseen_coins(game: warchest.Game) -> None:
    seen = game.position(POSITION).view("wolf")
    assert seen["sky"] == 1 and seen["store"] == {"raven": 1, "wolf": ["Archer"]}


def test_pictures_draw_it(game: warchest.Game) -> None:
    drawn = plain(game.position(POSITION), None)
    for said in ("Nim", "Zep", "heap", "store", "luck"):
        assert said in drawn


# ---- rulings and findings


def test_only_unused_declarations_are_found(cards: Path) -> None:
    silent = ("puff", "gust", "flooded", "heap", "store", "sky", "spot")
    assert [one.message for one in findings_in([cards])] == [f"no text uses `{name}`" for name in silent]


def test_rulings_may_contain_declared_keys(cards: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ruling = """\
        rulings: Weathering
        cases:
          - name: A hollow brings luck
            source: our own
            position:
              packs: [Weather]
              to_act: raven
              initiative: raven
              units: [{at: f2, unit: Scout, owner: raven, chill: 1}]
              luck: {raven: 1}
              hand: {raven: [Scout], wolf: [Royal Coin]}
            do: [{act: move, to: f3}]
            then:
              units: [{at: f3, unit: Scout, owner: raven, chill: 1}]
              luck: {raven: 3}
              puffs: []
              store: {raven: []}
    """
    file = folder(tmp_path / "rulings", ruling) / "0.yaml"
    assert main(["test", "--cards", str(cards), str(file)]) == 0, capsys.readouterr().out
    assert main(["test", str(file)]) != 0
    assert "the pack `Weather` is not here" in capsys.readouterr().err
    file.write_text(file.read_text("utf-8").replace("puffs: []", "huffs: []"), "utf-8")
    assert main(["test", "--cards", str(cards), str(file)]) != 0
    assert "`huffs` is not known here" in capsys.readouterr().err


CLASHES = {
    "a noun": ("things: {unit: {piece: unit}}", "the noun `unit`"),
    "a zone": ("zones: {hand: {of: player, holds: coin, seen by: all}}", "the noun `hand`"),
    "a flag": ("fields: {unit: {roused: {flag: true, opposite: tame}}}", "the adjective `roused`"),
    "a field": ("fields: {player: {controller: number}}", "the field `controller`"),
    "a kind": ("documents: {unit: {numbers: []}}", "the kind of document `unit`"),
    "a key": ("position: {units: {pieces: unit}}", "the key of positions `units`"),
    "some spaces": ("spaces: {location: [f4]}", "the noun `location`"),
}


@pytest.mark.parametrize(("declared", "what"), CLASHES.values(), ids=list(CLASHES))
def test_names_of_the_game_are_not_declared_again(tmp_path: Path, declared: str, what: str) -> None:
    wrong = [one for one in found(folder(tmp_path, f"words: Clash\n{declared}\n")) if one.name == "declared-twice"]
    assert [one.message for one in wrong] == [f"{what} is declared already"]
    assert wrong[0].file.endswith("0.yaml") and wrong[0].labels[0].span.path.endswith("game.yaml")


RANKS = "words: Ranks\ndocuments: {unit: {numbers: [rank]}}\nnumbers: [rank]\n"
CAPTAIN = """\
    unit: Captain
    coins: 4
    rank: 3
    tactic: |
      attack a target exactly 2 spaces away whose rank is less than the rank of this.
    ---
    unit: Major
    coins: 4
    rank: 5
"""


def test_a_pack_gives_units_a_number(tmp_path: Path) -> None:
    assert found(folder(tmp_path / "cards", CAPTAIN, RANKS)) == []
    game = warchest.load("war-chest", tmp_path / "cards")
    stacks = [("f4", "Captain", "raven"), ("f2", "Major", "wolf"), ("f6", "Scout", "wolf")]
    state = game.position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "hand": {"raven": ["Captain"], "wolf": ["Royal Coin"]},
            "units": [{"at": at, "unit": unit, "owner": owner} for at, unit, owner in stacks],
        }
    )
    assert state.position()["packs"] == ["Ranks"]
    reached = {one.data["target"] for one in state.decision.options if one.data["act"] == "tactic"}
    assert reached == {"f6"}, "who has no rank has 0"


@pytest.mark.parametrize(
    ("pack", "card", "name", "message"),
    [
        (
            "words: R\ndocuments: {unit: {numbers: [coins]}}\n",
            "",
            "declared-twice",
            "the key of a unit `coins` is declared already",
        ),
        (
            "words: R\ndocuments: {unit: {numbers: [tactic]}}\n",
            "",
            "declared-twice",
            "the key of a unit `tactic` is declared already",
        ),
        (
            "words: R\ndocuments: {unit: {numbers: [set]}}\n",
            "",
            "declared-twice",
            "the key of a unit `set` is declared already",
        ),
        (
            RANKS + "---\nwords: More Ranks\ndocuments: {unit: {numbers: [rank]}}\n",
            "",
            "declared-twice",
            "the key of a unit `rank` is declared already",
        ),
        ("words: R\ndocuments: {unit: {numbers: [rank]}}\n", "", "unused-word", "no text uses `rank`"),
        (
            RANKS,
            "unit: Captain\ncoins: 4\nrank: high\n",
            "wrong-type",
            "expected a whole number for `rank`, found `high`",
        ),
    ],
)
def test_a_number_of_units_is_checked(tmp_path: Path, pack: str, card: str, name: str, message: str) -> None:
    texts = [text for text in (pack, card) if text]
    assert (name, message) in [(one.name, one.message) for one in found(folder(tmp_path, *texts))]


def test_a_pack_may_declare_a_common_word(tmp_path: Path) -> None:
    card = "unit: Mayor\ncoins: 4\ntactic: |\n  move to a town.\n"
    assert found(folder(tmp_path, "words: Towns\nspaces: {town: [f3, f4]}\n", card)) == []


def test_two_packs_do_not_declare_the_same(tmp_path: Path) -> None:
    packs = ("words: One\nfields: {player: {luck: number}}\n", "words: Two\nfields: {unit: {luck: number}}\n")
    wrong = [one for one in found(folder(tmp_path, *packs)) if one.name == "declared-twice"]
    assert [one.message for one in wrong] == ["the field `luck` is declared already"]
    assert wrong[0].file.endswith("1.yaml") and wrong[0].labels[0].span.path.endswith("0.yaml")


@pytest.mark.parametrize(
    ("declared", "name", "message"),
    [
        ("spaces: {swamp: [z9]}", "not-on-the-board", "the board has no space `z9`"),
        ("spaces: {swamp: [f4]}", "unused-word", "no text uses `swamp`"),
        ("zones: {heap: {of: player, holds: coin, seen by: all}}", "unused-word", "no text uses `heap`"),
        ("fields: {unit: {wet: {flag: true, opposite: dried}}}", "unused-word", "no text uses `wet`"),
        ("things: {puff: {piece: cloud}}", "undeclared", "there is no kind of document `cloud`"),
        ("zones: {heap: {of: player, holds: stone, seen by: all}}", "undeclared", "there is no token `stone`"),
        (
            "zones: {heap: {of: everybody, holds: coin, seen by: all}}",
            "unknown-value",
            "expected one of `player`, `team` or `game` for `of`, found `everybody`",
        ),
    ],
)
def test_a_declaration_that_makes_no_sense_is_found(tmp_path: Path, declared: str, name: str, message: str) -> None:
    assert (name, message) in [(one.name, one.message) for one in found(folder(tmp_path, f"words: Odd\n{declared}\n"))]


def test_documents_of_a_new_kind_are_checked(tmp_path: Path) -> None:
    wrong = found(folder(tmp_path, PACK, CLOUD.replace("drops: 3", "drops: many\n    puffs: 2"), WIND, RULES))
    expected = [
        ("wrong-type", "expected a whole number for `drops`, found `many`"),
        ("unknown-key", "the key `puffs` is not known here"),
    ]
    assert [one for one in ((one.name, one.message) for one in wrong) if one in expected] == expected


def test_a_kind_without_a_declaration_is_unknown(tmp_path: Path) -> None:
    wrong = found(folder(tmp_path, CLOUD))
    assert [(one.name, one.message) for one in wrong] == [("unknown-kind", "`cloud` is no kind of document")]


def test_a_coin_taken_instead_of_a_draw_is_drawn(tmp_path: Path) -> None:
    pack = "words: Pile\nzones: {pile: {of: player, holds: coin, seen by: all}}\n"
    rules = """\
        action: Piling
        rules: |
          when a player would draw a coin, if a coin is in the pile of that player,
            take a random coin in the pile of that player instead.
    """
    game = warchest.load("war-chest", folder(tmp_path, pack, rules))
    bags = {"raven": ["Scout", "Scout"], "wolf": ["Archer", "Archer", "Archer"]}
    state = game.position(
        {
            "to_act": "raven",
            "initiative": "raven",
            "hand": {"raven": ["Royal Coin"]},
            "pile": {"raven": ["Lancer"]},
            "bag": bags,
        }
    )
    assert state.decision is not None
    state.apply(next(one for one in state.decision.options if one.data["act"] == "pass"))
    # There is no choice on the way.
    assert state.position()["hand"]["raven"] == ["Lancer", "Scout", "Scout"]
    assert "pile" not in state.position()


def test_the_number_of_declarations_has_a_bound(tmp_path: Path) -> None:
    letters = [f"mark {first}{second}{third}" for first in "abcdefghijk" for second in ascii for third in "wxyz"]
    fields = ", ".join(f"{name}: number" for name in letters)
    wrong = found(folder(tmp_path, f"words: Plenty\nfields: {{unit: {{{fields}}}}}\n"))
    assert [one.name for one in wrong] == ["too-much"] and "more than 1,000 declarations" in wrong[0].message


def test_at_most_one_of_two_rivals_is_dealt() -> None:
    game = warchest.load("war-chest", extra=[EXAMPLES / "rivals"])
    dealt = set()
    for seed in range(60):
        pool = game.new(setup="Draft", sets=["base", "rivals"], seed=seed).position()["pool"]
        dealt.add(frozenset(pool) & {"Lancer", "Heavy Lancer"})
    assert dealt == {frozenset(), frozenset({"Lancer"}), frozenset({"Heavy Lancer"})}


def test_a_trail_is_written_as_a_list() -> None:
    game = warchest.load("war-chest", extra=[EXAMPLES / "drums"])
    position = {
        "to_act": "raven",
        "initiative": "raven",
        "hand": {"raven": ["Scout"], "wolf": ["Archer"]},
        "drum": {"wolf": ["Archer", "Knight"]},
        "beat": {"wolf": ["Knight", "Archer", "Knight"]},
    }
    written = game.position(position).position()
    assert written["beat"] == position["beat"] and game.position(written) == game.position(position)


@pytest.mark.parametrize(
    ("beat", "where"),
    [
        ("Knight", "beat.wolf"),
        (["Knight", "Nobody"], "beat.wolf[1]"),
        (["Knight", None], "beat.wolf[1]"),
        (["Knight"] * 501, "beat.wolf"),
    ],
)
def test_invalid_trails_are_refused(beat: Any, where: str) -> None:
    game = warchest.load("war-chest", extra=[EXAMPLES / "drums"])
    with pytest.raises(PositionError) as caught:
        game.position({"to_act": "raven", "initiative": "raven", "beat": {"wolf": beat}})
    assert caught.value.field == where
