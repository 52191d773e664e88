"""A sentence does as a careful reader takes it to mean; one that could mean two things is refused."""

from __future__ import annotations

import pytest

from lint.lint_support import codes
from machine.machine_support import card, coins, game, offered, position, refused, take

WORDS = "words: Tricks\nverbs:\n  dupe: {by: player}\n  give back: {by: player}\n  charge: {by: unit, is: maneuver}\n"


def findings(**blocks: str) -> list[str]:
    """Return the names of the findings in a unit with these texts."""
    return codes(refused(WORDS, card("Newcomer", **blocks)))


# ---- who is meant


@pytest.mark.parametrize("who", ["that unit", "the unit", "that target"])
@pytest.mark.parametrize("stage", ["after", "when", "before"])
def test_the_attacked_unit_loses_the_coin(stage: str, who: str) -> None:
    brute = card("Brute", attribute=f"{stage} this attacks an enemy unit, {who} loses a coin.")
    state = game(brute).position(position("Brute f4 3, wolf Scout f5 5", "Brute"))
    take(state, act="attack", target="f5")
    assert coins(state) == {"f4": 3, "f5": 3}


@pytest.mark.parametrize("text", ["that unit attacks.", "the unit moves.", "attack, then that unit moves."])
def test_a_pronoun_without_an_antecedent_is_refused(text: str) -> None:
    assert findings(tactic=text) == ["no-antecedent"]


@pytest.mark.parametrize(
    "text",
    [
        "after this attacks a unit, it loses a coin.",
        "when an adjacent unit attacks this, it loses a coin.",
        "a unit cannot attack this unless it is bolstered.",
        "after a unit attacks a unit, that unit moves.",
        "after a unit moves, choose a unit, then that unit moves.",
    ],
)
def test_a_pronoun_with_two_antecedents_is_a_finding(text: str) -> None:
    (found,) = refused(card("Newcomer", attribute=text))
    assert found.name == "ambiguous-it" and len(found.labels) == 2 and "say which" in found.help


@pytest.mark.parametrize(
    ("near", "noun", "text"),
    [
        ("an adjacent space", "a space", "after an enemy unit moves to {}, this may attack that unit."),
        (
            "an adjacent friendly unit",
            "a friendly unit",
            "when an enemy unit attacks {}, this may attack that enemy unit.",
        ),
        ("an adjacent friendly unit", "a friendly unit", "a unit cannot attack {}."),
        ("an adjacent space", "a space", "an enemy unit cannot move to {}."),
    ],
)
def test_adjacent_to_this_or_to_another_piece_that_acts_is_a_finding(near: str, noun: str, text: str) -> None:
    (found,) = refused(card("Newcomer", attribute=text.format(near)))
    assert found.name == "ambiguous-it" and found.message == "`adjacent` could be counted from this, or from who acts"
    for said in (f"{noun} adjacent to this", f"{noun} adjacent to it"):
        game(card("Newcomer", attribute=text.format(said)))


def test_adjacent_in_the_condition_of_a_rule_is_counted_from_one_piece() -> None:
    while_adjacent = "a unit cannot attack this while at least 2 friendly units are adjacent{}."
    assert findings(attribute=while_adjacent.format("")) == ["ambiguous-it"]
    game(card("Newcomer", attribute=while_adjacent.format(" to this")))


@pytest.mark.parametrize(
    "text",
    [
        "after this moves to an adjacent space, it may attack.",
        "this cannot attack an adjacent unit.",
        "when an adjacent unit attacks this, that unit loses a coin.",
    ],
)
def test_adjacent_has_one_meaning_where_this_acts_or_is_described(text: str) -> None:
    game(card("Newcomer", attribute=text))


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("the first unit", {"e4": 1}),
        ("the second unit", {"f5": 1}),
        ("that enemy unit", {"f5": 1}),
        ("that friendly unit", {"e4": 1}),
    ],
)
def test_ordinals_and_nouns_determine_the_meant_unit(words: str, left: dict[str, int]) -> None:
    tactic = f"choose another friendly unit. choose an enemy unit. {words} loses a coin."
    state = game(card("Judge", tactic=tactic)).position(position("Judge f4, Archer e4 2, wolf Scout f5 2", "Judge"))
    take(state, act="tactic")
    assert coins(state) == {"f4": 1, "e4": 2, "f5": 2, **left}


def test_a_choice_of_either_branch_can_be_named_after_them() -> None:
    tactic = "either choose a Scout, or choose a Knight. that unit loses a coin."
    units = "Judge f4, wolf Scout c4 2, wolf Knight f6 2"
    state = game(card("Judge", tactic=tactic)).position(position(units, "Judge"))
    assert len(offered(state, act="tactic")) == 2
    take(state, act="tactic", target="f6")
    assert coins(state) == {"f4": 1, "c4": 2, "f6": 1}


def test_a_choice_of_one_branch_alone_cannot_be_named_after_them() -> None:
    assert findings(tactic="either choose a Scout, or move. that unit loses a coin.") == ["no-antecedent"]


def test_a_word_that_distinguishes_no_candidates_is_refused() -> None:
    assert findings(tactic="choose an enemy unit. that bolstered unit loses a coin.") == ["no-antecedent"]
    assert findings(tactic="choose an enemy unit. that enemy unit loses a coin.") == ["says-nothing"]


def test_a_unit_that_was_called_by_its_name_is_taken_up_by_it() -> None:
    tactic = "choose a Footman. that Footman loses a coin."
    units = "Judge f4, wolf Footman c4 2, wolf Footman f6 2"
    state = game(card("Judge", tactic=tactic)).position(position(units, "Judge"))
    take(state, act="tactic", target="c4")
    assert coins(state) == {"f4": 1, "c4": 1, "f6": 2}


# ---- when, and of whom


@pytest.mark.parametrize("guard", [", if it is bolstered,", " while it is bolstered,", " unless it is unbolstered,"])
def test_the_guard_of_an_instead_guards_the_loss(guard: str) -> None:
    saved = card("Saved", attribute=f"when this would lose a coin{guard} put a coin in this into your discard instead.")
    for height, discard in ((2, ["Saved"]), (1, [])):
        state = game(saved).position(
            position(f"Saved f4 {height}, wolf Archer f6", "Royal Coin", "Archer", to_act="wolf")
        )
        take(state, act="tactic", target="f4")
        after = state.position()
        assert [one["coins"] for one in after["units"] if one["unit"] == "Saved"] == [1] * (height - 1)
        assert after["discard"]["raven"]["up"] == discard


def test_a_rule_about_other_units_holds_for_them() -> None:
    banner = card("Banner", attribute="a friendly unit adjacent to this is bolstered.")
    state = game(banner).position(position("Banner f3, Scout f4, Archer i4, wolf Knight f5", "Scout, Archer"))
    assert offered(state, act="attack", coin="Scout", target="f5")  # only a bolstered unit attacks a Knight
    alone = game(banner).position(position("Banner c4, Scout f4, wolf Knight f5", "Scout, Banner"))
    assert not offered(alone, act="attack", target="f5")


def test_a_rule_about_some_units_does_not_hold_for_all() -> None:
    rule = card("Aura", kind="action", rules="a unit adjacent to a Banner is bolstered.")
    state = game(rule, card("Banner")).position(position("Banner f3, Scout f4, wolf Knight f5", "Scout"))
    assert offered(state, act="attack", target="f5")
    apart = game(rule, card("Banner")).position(position("Banner c4, Scout f4, wolf Knight f5", "Scout"))
    assert not offered(apart, act="attack", target="f5")


def test_the_target_of_a_verb_is_asked_for() -> None:
    duper = card(
        "Duper",
        tactic="dupe an opponent.",
        attribute="to dupe an opponent: put a new Royal Coin into the discard of the opponent.",
    )
    state = game(WORDS, duper).position(position("Duper f4", "Duper"))
    take(state, act="tactic")
    discard = state.position()["discard"]
    assert discard["wolf"]["up"] == ["Royal Coin"] and discard["raven"]["up"] == ["Duper"]


@pytest.mark.parametrize("verb", ["maneuvers", "moves"])
def test_an_act_is_also_an_act_of_its_kind(verb: str) -> None:
    busy = card(
        "Busy", attribute="before this moves, recruit if able.", restriction=f"you cannot recruit while this {verb}."
    )
    state = game(busy).position(position("Busy f4", "Busy", supply={"raven": ["Busy"]}))
    take(state, act="move", to="f5")
    assert state.position()["supply"]["raven"] == ["Busy"]


def test_a_hook_on_the_payment_does_not_change_the_options() -> None:
    state = game(card("Aft", attribute="after you discard a coin, this may move.")).position(
        position("Aft f3", "Aft, Royal Coin")
    )
    assert {one["coin"] for one in offered(state)} == {"Aft", "Royal Coin"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("after this moves, if an enemy unit is adjacent to this, it loses a coin.", "ambiguous-it"),
        ("after this moves, choose an opponent, then that player chooses an own unit.", "ambiguous-it"),
        ("after this moves, draw a coin.", "says-nothing"),
        ("after this attacks, move to a space within 2 spaces of this through all open spaces.", "number-of-things"),
        ("after this moves, let gap be its space, then attack.", "says-nothing"),
    ],
)
def test_misleading_texts_are_refused(text: str, name: str) -> None:
    assert name in findings(attribute=text)


def test_a_second_this_is_no_idle_word() -> None:
    calm = game(card("Placid", restriction="this cannot attack this."))
    state = calm.position(position("Placid f4, wolf Scout f5", "Placid"))
    assert offered(state, act="attack", target="f5")


def test_another_excludes_the_acting_unit() -> None:
    tactic = "choose another unit. that unit attacks another unit."
    state = game(card("Lord", tactic=tactic)).position(position("Lord f4, Scout e4, wolf Archer e5", "Lord"))
    assert not offered(state, act="tactic", chosen="e4", target="e4")
    assert offered(state, act="tactic", chosen="e4", target="e5")


def test_an_act_that_only_its_own_kind_allows_is_possible() -> None:
    still = card("Still", tactic="move.", restriction="this maneuvers only by its tactic.")
    state = game(still).position(position("Still f4, wolf Scout f5", "Still"))
    assert offered(state, act="tactic") and not offered(state, act="move") and not offered(state, act="attack")


def test_an_event_is_no_cause_of_itself() -> None:
    quick = card("Quick", attribute="after this moves by a maneuver, it may attack.")
    state = game(quick).position(position("Quick f4, wolf Scout f6 2", "Quick"))
    take(state, act="move", to="f5")
    assert state.decision is None or not offered(state, act="attack", unit="f5")


# ---- words that were passed over


@pytest.mark.parametrize(
    "text",
    [
        "that player discards a random coin in its hand.",
        "attack a random target.",
        "recruit a random coin.",
        "choose a player, then that player discards a random coin in its hand.",
    ],
)
def test_misplaced_uses_of_random_are_refused(text: str) -> None:
    assert findings(tactic=text)[-1] in ("says-nothing", "no-antecedent", "not-definite")


@pytest.mark.parametrize("cause", ["by a coin", "by you", "for a coin of its type", "by the Scout of this"])
def test_invalid_causes_are_refused(cause: str) -> None:
    assert findings(attribute=f"this cannot maneuver {cause}.")[0] in ("wrong-kind", "says-nothing", "unknown-role")


def test_an_act_ordered_by_another_piece_is_not_caused_by_the_payment() -> None:
    """The cause of an act is the text that ordered it: the Marshall's tactic, not the coin."""
    text = "this cannot attack by a use."
    for coin, ways in (("Marshall", 1), ("Slow", 0)):
        state = game(card("Slow", restriction=text)).position(position("Slow f4, Marshall e4, wolf Scout f5 3", coin))
        assert len([one for one in offered(state) if "attack" in (one["act"], one.get("then"))]) == ways


@pytest.mark.parametrize("text", ["choose a space with this.", "choose a space without that unit."])
def test_the_space_of_one_unit_is_a_condition(text: str) -> None:
    tactic = f"choose another unit. {text} move if able."
    state = game(card("Seer", tactic=tactic)).position(position("Seer f4, wolf Scout f6", "Seer"))
    assert offered(state, act="tactic")


def test_a_taken_coin_without_a_destination_is_gone() -> None:
    rules = "to use the Blank: give back it.\nto give back a coin: take the coin."
    blank = "coin: Blank\ncoins: 5\nsource: none\n"
    state = game(WORDS, blank, card("Blanks", kind="action", rules=rules)).position(position("Scout f4", "Blank"))
    take(state, act="give back")
    assert "Blank" not in str(state.position()["discard"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("move to a space adjacent to its own space.", "says-nothing"),
        ("put 2 coins in your hand into a bag.", "not-definite"),
        ("you put that coin into your hand.", "says-nothing"),
        ("choose a unit. remove the bolstered unit.", "no-antecedent"),
        ("put a coin in your chancery into your bag.", "wrong-kind"),
        ("that player wins.", "no-antecedent"),
        ("this becomes stale.", "wrong-kind"),
        ("claim.", "unknown-role"),
        ("attack the initiative.", "wrong-kind"),
        ("for each own unit in turn order, it moves.", "syntax-error"),
        ("discard a coin in your hand faceup facedown.", "says-nothing"),
    ],
)
def test_idle_words_in_orders_are_refused(text: str, name: str) -> None:
    assert name in findings(tactic=text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("when this loses a coin, move instead.", "syntax-error"),
        ("before this would lose a coin, move instead.", "syntax-error"),
        ("the limit of this is 2 when it is bolstered.", "not-a-definition"),
        ("the limit of a type is 3.", "not-a-definition"),
        ("a unit is roused when it is bolstered.", "declared-twice"),
        ("a target is a decree.", "wrong-kind"),
        ("you may deploy this onto an empty space facedown.", "says-nothing"),
        ("you may attack an adjacent target.", "wrong-kind"),
        ("a unit cannot attack this using a coin.", "unknown-role"),
        ("this cannot move against an attack by its tactic.", "unknown-role"),
        ("it attacks only by its tactic.", "no-antecedent"),
        ("to bolster this using a coin: move.", "not-indefinite"),
        ("when a unit is spent, remove that unit.", "not-a-definition"),
    ],
)
def test_idle_words_in_rules_are_refused(text: str, name: str) -> None:
    assert name in findings(attribute=text)


# ---- branches of several steps


def test_a_branch_is_done_as_a_whole() -> None:
    ranger = card("Ranger", tactic="either move and then attack, or attack and then move.")
    state = game(ranger).position(position("Ranger f4, wolf Scout f6 2", "Ranger"))
    # No piece is next to it: it can only move first, to the one space that is beside its target.
    assert [one["to"] for one in offered(state, act="tactic")] == ["f5"]
    take(state, act="tactic")
    assert coins(state) == {"f5": 1, "f6": 1}


def test_a_step_after_the_branches_follows_each() -> None:
    runner = card("Runner", tactic="either move and then attack, or do nothing, then move.")
    state = game(runner).position(position("Runner f4, wolf Scout f6 2", "Runner"))
    ways = sorted(one["to"] for one in offered(state, act="tactic"))
    assert ways == ["e4", "e5", "f3", "f5", "f5", "g3", "g4"]
    take(state, act="tactic", to="f5", way=2)
    assert coins(state) == {"f5": 1, "f6": 2}
