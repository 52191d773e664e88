"""The canonical form: parsing the printed text gives the same tree, for shipped sentences and for random ones."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis.errors import NoSuchExample
from strategies import KINDS, runs_together
from syntax_support import (
    NOWHERE,
    Shipped,
    node_classes,
    nodes,
    parse_text,
    parsed,
    shipped,
    vocabulary,
    war_chest,
    words_of,
)

from warchest.diagnostics.articles import article
from warchest.source.limits import MAX_TOKENS
from warchest.syntax import ast
from warchest.syntax.printer import WIDTH, print_block, print_sentence
from warchest.syntax.words import participle, plural, third_person

SUPER_CARD = (Path(__file__).parent / "super_card.txt").read_text(encoding="utf-8")


def printed_otherwise(one: Shipped) -> str:
    """The printed form of a sentence, if it is read differently or differs from that on the card; otherwise none."""
    words = vocabulary(one.game)
    tree = parsed(one.text, words)
    printed = print_sentence(tree, words)
    again = parsed(printed, words)
    # Shipped cards are written in the canonical form already, except their layout.
    alike = again == tree and print_sentence(again, words) == printed and words_of(printed) == words_of(one.text)
    return "" if alike else printed


def test_shipped_sentences_are_printed_as_they_read() -> None:
    assert [(str(one), printed) for one in shipped() if (printed := printed_otherwise(one))] == []
    assert len(shipped()) > 550


def test_the_super_card_is_printed_and_read_back() -> None:
    sentences, findings = parse_text(SUPER_CARD)
    assert findings == []
    printed = print_block(sentences, war_chest())
    assert parse_text(printed) == (sentences, [])
    assert print_block(parse_text(printed)[0], war_chest()) == printed


SHARE = 4 if settings().max_examples > 40 else 8


@pytest.mark.parametrize("kind", KINDS)
def test_random_trees_are_read_back(kind: str) -> None:
    words = war_chest()

    @given(KINDS[kind])
    @settings(max_examples=settings().max_examples * 3 // SHARE, deadline=None, suppress_health_check=list(HealthCheck))
    def check(tree: ast.Sentence) -> None:
        printed = print_sentence(tree, words)
        assume(len(words_of(printed).split()) <= MAX_TOKENS and not runs_together(tree, printed))
        again = parsed(printed)
        assert again == tree
        assert print_sentence(again, words) == printed
        assert parsed(print_block([tree], words)) == tree

    check()


def test_random_trees_hold_every_kind_of_node() -> None:
    """Among the first few of each kind, which are small."""
    wanted = node_classes()

    def was_last(tree: ast.Sentence) -> bool:
        wanted.difference_update(type(one) for one in nodes(tree))
        return not wanted

    how = settings(
        max_examples=40,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for kind in KINDS.values():
        with suppress(NoSuchExample):
            find(kind, was_last, settings=how)
            break
    assert wanted == set()


# ---- the choices of the canonical form


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("  choose an unit .", "choose a unit."),
        ("choose a own\n unit.", "choose an own unit."),
        ("choose a 8 unit.", "choose an 8 units."),
        ("put 1 coins in all hand into your bags.", "put 1 coin in all hands into your bag."),
        ("attack target exactly 2 space away.", "attack targets exactly 2 spaces away."),
        ("attack a target 2-2 spaces away.", "attack a target 2 spaces away."),
        ("it attack.", "it attacks."),
        ("you attacks.", "you attack."),
        ("all unit moves.", "all units move."),
        ("you becomes the holder of the initiative.", "you become the holder of the initiative."),
        ("if you is dry, move.", "if you are dry, move."),
        (
            "after a units is discarded, draw a coin # a comment\n faceup.",
            "after a unit is discarded, draw a coin faceup.",
        ),
    ],
)
def test_equal_sentences_are_printed_in_one_form(written: str, printed: str) -> None:
    assert print_sentence(parsed(written), war_chest()) == printed


def test_a_block_is_wrapped() -> None:
    text = "to pass: " + ", then ".join(["discard a coin in your hand faceup"] * 6) + ". move."
    sentences, findings = parse_text(text)
    assert findings == []
    lines = print_block(sentences, war_chest()).split("\n")
    assert all(len(line) <= WIDTH for line in lines)
    assert [line.startswith("  ") for line in lines] == [False] + [True] * (len(lines) - 2) + [False]
    assert parse_text("\n".join(lines))[0] == sentences


def test_a_joined_otherwise_is_printed_as_two_sentences() -> None:
    first, second = parse_text("if it is own, move. otherwise, attack.")[0]
    assert isinstance(first, ast.Conditional) and isinstance(second, ast.Otherwise)
    joined = ast.Conditional(first.condition, first.step, second.step, span=NOWHERE)
    assert print_sentence(joined, war_chest()) == "if it is own, move. otherwise, attack."


@pytest.mark.parametrize(
    "following", ["unit", "useful unit", "European", "one-sided unit", "unicorn", "ubiquitous unit", "hero", "12 units"]
)
def test_a(following: str) -> None:
    assert article(following) == "a"


@pytest.mark.parametrize(
    "following", ["own unit", "Archer", "unarmed unit", "uninjured unit", "hour", "heir", "8 units", "11 units"]
)
def test_an(following: str) -> None:
    assert article(following) == "an"


@pytest.mark.parametrize(
    ("verb", "third", "past"),
    [
        ("pass", "passes", "passed"),
        ("carry on", "carries on", "carried on"),
        ("obey", "obeys", "obeyed"),
        ("move", "moves", "moved"),
        ("use its tactic", "uses its tactic", "used its tactic"),
        ("push", "pushes", "pushed"),
    ],
)
def test_regular_forms(verb: str, third: str, past: str) -> None:
    assert (third_person(verb), participle(verb)) == (third, past)


def test_regular_plurals() -> None:
    assert [plural(noun) for noun in ("box", "army", "key", "coin")] == ["boxes", "armies", "keys", "coins"]


def test_a_form_that_another_word_has_taken_is_not_used() -> None:
    from warchest.syntax.words import Vocabulary

    words = Vocabulary()
    words.add_noun("dice")
    words.add_noun("die", "dice")
    assert words.form("PLURAL", "die") == "die"
    assert words.form("PLURAL", "dice") == "dices"
    words.add_verb("throw", "thrown")
    assert [words.form(form, "throw") for form in ("VERBS", "VERBED")] == ["throws", "thrown"]
