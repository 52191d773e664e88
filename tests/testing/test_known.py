"""Positions of rulings, and positions near them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from loaded import shipped
from warchest.game.game import load_game
from warchest.testing.draws import RandomDraws
from warchest.testing.known import RuledPositions
from warchest.testing.positions import PositionSampler, Sampling


def test_rulings_that_name_a_card_are_known_those_with_all_cards_first() -> None:
    known, card, other = RuledPositions(shipped()), "Knight", "Berserker"
    alone, both = known.naming([card]), known.naming([card, other])
    assert alone and all(card in str(one) for one in alone) and len(alone) == len(both)
    named = [other in str(one) for one in both]
    assert any(named) and named == sorted(named, reverse=True)
    assert not any({"setup", "options"} & set(one) for one in alone)
    assert known.naming(["Nobody"]) == []


def test_a_position_near_another_one_contains_it_and_has_more() -> None:
    game, draws = shipped(), RandomDraws(Random(1))
    sampler = PositionSampler(game, Sampling(("Knight", "Berserker"), pieces=4))
    near = RuledPositions(game).naming(["Knight"])[0]
    tries, whole, more = 20, 0, set[str]()
    for _ in range(tries):
        told = sampler.told(draws, near)
        assert told["to_act"] == near["to_act"] and game.position(told).decision is not None
        # Things that the game refuses together are left out, perhaps a piece that was there.
        whole += all(one in told["units"] for one in near["units"])
        more |= told.keys() - near.keys()
        more |= {"units"} if len(told["units"]) > len(near["units"]) else set()
    assert whole > tries // 2 and {"units", "box", "bag"} <= more


def test_rulings_that_cannot_be_read_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text("unit: Rider\ncoins: 4\ntactic: |\n  move.\n", encoding="utf-8")
    game = load_game("war-chest", [tmp_path])
    (tmp_path / "later.yaml").write_text("rulings: [\n", encoding="utf-8")
    assert RuledPositions(game).naming(["Rider"]) == []
