"""Many games of each shipped game, played natively and told: each line is one that people say at a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from loaded import shipped
from warchest.game.state import State
from warchest.game.telling.phrases import phrases_of
from warchest.game.variant import Variant
from warchest.syntax.words import third_person

BLOCK, BLOCKS = 5, 40
"""The games of one test, and the tests for each game: 200 games."""
CAP = 300
WAYS: dict[str, tuple[dict[str, object], ...]] = {
    "war-chest": (
        {"sets": "all"},
        {"sets": "all", "setup": "Draft"},
        {"sets": "all", "setup": "Elimination draft"},
        {"sets": "all", "setup": "Four players random", "players": 4},
        {},
    ),
    "unigames": ({}, {"setup": "Ambush"}, {"setup": "Conjurers"}, {}, {}),
}
GAMES = [(name, block) for name in WAYS for block in range(BLOCKS)]


def played(name: str, seed: int) -> State:
    """Return a state after a game of random options, played natively."""
    ways = WAYS[name]
    state, rng = shipped(name).new(seed=seed, **ways[seed % len(ways)]), Random(seed)  # type: ignore[arg-type]
    state.play_natively()
    for _ in range(CAP):
        if state.decision is None:
            break
        state.apply(state.decision.sample(rng))
    return state


@cache
def banned(variant: Variant) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of an infinitive after its subject, and of a field's name that no phrase of the game says."""
    ruleset = variant.program.ruleset
    verbs = {verb.name.split()[0] for verb in ruleset.verbs} - {third_person(verb.name) for verb in ruleset.verbs}
    who = "|".join(map(re.escape, (*variant.naming.players, "chance", r"it")))
    infinitive = rf"^ *(?:\w+: )?(?:{who}|the [A-Z][^:]* on [a-z]\d+) (?:{'|'.join(sorted(verbs))})(?: |$)"
    said = " ".join(one.span.source.text for one in variant.origin.library.of_kind("phrases") if one.span.source)
    said = re.sub(r"^ .*: \"\"$|^ +[a-z ,]+:|\{[^}]*\}", " ", said, flags=re.M)
    fields = {field.name for field in ruleset.fields if not re.search(rf"\b{re.escape(field.name)}\b", said)}
    fields -= {sheet.name for sheet in ruleset.sheets}
    return re.compile(infinitive), re.compile(rf"(?<!-)\b(?:{'|'.join(sorted(fields))})\b(?!-)")


def wrong(lines: list[str], variant: Variant) -> Iterator[str]:
    """Yield the lines that no reader would say."""
    infinitive, fields = banned(variant)
    for line in lines:
        clean = not re.search(r"nowhere|\{|\}|: true|: false|/|'s '|^ *$|(?: of| to| with|'s) *$", line)
        if not clean or infinitive.search(line) or fields.search(line) or "  " in line.strip():
            yield line


@pytest.mark.parametrize(("name", "block"), GAMES)
def test_no_line_is_about_internals(name: str, block: int) -> None:
    for seed in range(block * BLOCK, block * BLOCK + BLOCK):
        state = played(name, seed)
        lines = [*state.log, *(one.text for one in state.news_entries(None))]
        for player in state.variant.naming.players:
            lines += state.log_for(player)
        assert lines and not list(wrong(lines, state.variant)), seed


def doubled(lines: list[str]) -> Iterator[str]:
    """Yield the lines that repeat the line before them."""
    again = (
        (r"(.*) claims the initiative", r"  {} has the initiative now"),
        (r"(?:\w+: )?.* places an? .* on ([a-z]\d+), .*", r"  the .* on {} obeys .*"),
        (r"  .* captures (the .*)", r"  {} falls"),
        (r"\w+: (the .*) is reactivated", r"  {} is not disabled any more"),
        (r"(\w+) .* takes control of ([a-z]\d+)", r"  {} controls {} now"),
    )
    for first, second in pairwise(lines):
        for said, next_one in again:
            if (one := re.fullmatch(said, first)) and re.fullmatch(next_one.format(*one.groups()), second):
                yield second


@pytest.mark.parametrize("name", WAYS)
def test_no_line_repeats_the_line_before(name: str) -> None:
    for seed in range(BLOCK):
        lines = [one.text for one in played(name, seed).news_entries(None)]
        assert lines and not list(doubled(lines)), seed


def test_a_doubled_line_is_found() -> None:
    told = ["P1 places a Dwarf on h2, facing west", "  the Dwarf on h2 obeys P1"]
    told += ["wolf claims the initiative", "  wolf has the initiative now"]
    assert list(doubled(told)) == [told[1], told[3]]


@pytest.mark.parametrize("name", WAYS)
def test_a_line_about_internals_is_found(name: str) -> None:
    variant = shipped(name).new(seed=1).variant
    player, where = variant.naming.players[0], variant.naming.spaces[0]
    verb = next(one.name for one in variant.program.ruleset.verbs if one.by == "piece" and not one.built_in)
    planted = [
        f"  {player} concede",
        f"  the Some One on {where} {verb}",
        "  Some: bag to nowhere",
        "  the active player is someone now",
        "  Some goes to the discard of",
        "  raven's  thing",
    ]
    assert list(wrong(planted, variant)) == planted
    assert not list(wrong([f"{player} concedes", f"  the Some One on {where} leaves the board"], variant))


@pytest.mark.parametrize("name", WAYS)
def test_every_decision_has_a_phrase(name: str) -> None:
    """Without one the line would be the label of the option: `raven moves: unit f4, to f5`."""
    for seed in range(10):
        state = played(name, seed)
        entries = state.news_entries(None)
        assert not [one.text for one in entries if re.match(r"(?!P\d: the )[^ ].*: (?!the )|nothing else", one.text)], (
            seed
        )


@pytest.mark.parametrize("name", WAYS)
def test_every_question_has_a_phrase(name: str) -> None:
    phrases = phrases_of(shipped(name).library)
    for seed in range(5):
        way = WAYS[name][seed]
        state, rng = shipped(name).new(seed=seed, **way), Random(seed)  # type: ignore[arg-type]
        for _ in range(CAP):
            if state.decision is None:
                break
            clause = state.decision.clause
            if not state.decision.is_chance and clause is not None:
                assert clause.one_line in phrases.questions, state.question
            state.apply(state.decision.sample(rng))
