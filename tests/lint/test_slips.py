"""The slips of people who do not program: each gets its place, and help that says what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lint_support import CARD, attribute, codes, lint_among, sound, tactic

from warchest.lint.sentences.advice_trial import MOST_TRIED
from warchest.lint.sentences.sayings import DO, OFTEN

PLAIN = "leave it out; sentences are made of words, names, numbers, and the signs `,` `:` and `.`"

PAST = (
    "texts cannot ask about acts that are over: limit how often, `… cannot … more than once a turn`, or let a rule begin "
    "with the act, `after this …s, this cannot … this turn`"
)


SENTENCES = [
    # signs
    (tactic("put a “Royal Coin” into your bag."), "“", "write names without quotation marks"),
    (tactic("move to a space 1–2 spaces away."), "–", "write a range with a hyphen: `1-2`"),
    (tactic("move to a space 1 - 2 spaces away."), "-", "write a range without blanks: `1-2`"),
    (
        tactic("either move; or attack."),
        ";",
        "end the sentence with a full stop; a semicolon separates parts of steps: `for each …, …; …`",
    ),
    (tactic("move/attack."), "/", "say `either …, or …`"),
    (tactic("move (to an adjacent space)."), "(", "leave the brackets out; write notes for people after a `#`"),
    (tactic("move % attack."), "%", f"its place needs another word; {PLAIN.partition('; ')[2]}"),
    (tactic("move %."), "%", PLAIN),
    (tactic("move: attack."), ":", "only definitions have a colon: `to …: …`"),
    (tactic("move, attack."), ",", "join steps by `, then`"),
    (tactic("move, and attack."), ",", "join steps by `, then`; `and` joins conditions"),
    (
        tactic("put a coin in this unit's supply into your bag."),
        "unit",
        "that would be `the supply of this`, and there a supply belongs to a player, and this is a unit: say"
        " `the supply of the owner of this`",
    ),
    (
        tactic("put a coin in this unit’s supply into your bag."),
        "unit",
        "that would be `the supply of this`, and there a supply belongs to a player, and this is a unit: say"
        " `the supply of the owner of this`",
    ),
    (
        tactic("move to the units' space."),
        "units'",
        "say it of each: `for each …, … its …`; of one thing it is `that …'s …`",
    ),
    # letters of other alphabets
    (
        tactic("m\u043eve."),
        "m\u043eve",
        "`\u043e` (U+043E) is no plain letter; write the word with letters from A to Z",
    ),
    (
        tactic("attack the caf\u00e9."),
        "caf\u00e9",
        "`\u00e9` (U+00E9) is no plain letter; write the word with letters from A to Z",
    ),
    # forms of words
    (attribute("this cannot attacks a unit."), "attacks", "say `attack`"),
    (
        attribute("after this attacked, it may move."),
        "attacked",
        "say `attacks` of the agent, or `is attacked` of the object",
    ),
    (attribute("enemies cannot attack this."), "enemies", "`enemy` needs a noun after it"),
    (tactic("if an enemy is adjacent, attack."), "is", "`enemy` needs a noun after it"),
    (
        attribute("this unit cannot move."),
        "unit",
        "`this` needs no noun: leave `unit` out, or say `that unit` of another",
    ),
    (attribute("this can not attack a unit."), "can not", "say `cannot`, in one word"),
    (attribute("this cannot be attacked."), "be", "say who does it: `a … cannot … this`"),
    # omissions
    (
        tactic("move attack a target."),
        "a",
        "if `attack` is another order, join it by `, then`, or end the sentence before it",
    ),
    (tactic("if it is bolstered attack a target."), "a", "put a comma after the first part: `if it is bolstered, …`"),
    (
        tactic("for each friendly unit in any order it moves."),
        "it",
        "put a comma after the first part: `for each friendly unit in any order, …`",
    ),
    (attribute("after this attacks it may move."), "may", "put a comma after the first part: `after this attacks, …`"),
    (
        attribute("after this attacks, it may either move, or control."),
        "either",
        "say who does it in each of the branches: `either it may …, or it may …`",
    ),
    (
        attribute("a friendly unit may either move, or control."),
        "either",
        "say who does it in each of the branches: `either … may …, or … may …`",
    ),
    (attribute("after this attacks, may move."), "may", "say who: `this may …`, `it may …` or `you may …`"),
    (
        tactic("attack a target exactly 2 spaces."),
        "exactly 2 spaces",
        "say `exactly 2 spaces away`, or `exactly 2 spaces of …`",
    ),
    (tactic("move to a space exactly 2 spaces away in straight line."), "in straight line", "say `in a straight line`"),
    # other words
    (
        attribute("this has a limit of 2."),
        "a",
        "a number is set by `the … of this is …`; a bonus is given by `has +2 … until …`",
    ),
    (
        attribute("attack only if this is bolstered."),
        "if",
        "a rule holds while its condition does: `attack only while this is bolstered.`",
    ),
    (tactic("if there is a target on it, move."), "there", "say `if a … is …`, and where it is"),
    (
        attribute("when this would be attacked, discard a coin instead."),
        "be",
        "say who does it: `when a … would … this, …`",
    ),
    (
        attribute("this cannot attack units that are bolstered."),
        "units that are bolstered",
        "say `a unit that is bolstered`",
    ),
    (
        attribute("if this is destroyed, you may move a friendly unit."),
        "is destroyed",
        "say `when this falls, …`; a thing that has fallen is not on a space",
    ),
    (
        attribute("when a friendly unit is attacked, this loses a coin in its place."),
        "place",
        "end the sentence with `instead`: `when …, … instead`",
    ),
    (tactic("an opponent has to discard a coin in its hand."), "to", "say the order itself, without `has to`"),
    (
        attribute("units adjacent to this do not attack."),
        "units",
        "a rule is said of one of them, and holds for each: `a unit adjacent to this cannot attack.`",
    ),
    (attribute("this does not move."), "does", "a forbidden act has `cannot`: `this cannot move.`"),
    (
        attribute("an enemy unit may not attack this."),
        "not",
        "a forbidden act has `cannot`: `an enemy unit cannot attack this.`",
    ),
    (tactic("do this twice."), "do", DO),
    (
        tactic("if you control fewer locations than your opponent, draw a coin."),
        "fewer",
        "omit it, or compare: `the number of … is more than the number of …`",
    ),
    (tactic("exchange places with an adjacent friendly unit."), "exchange", "say `this swaps places with …`"),
    (tactic("this switches places with an enemy unit."), "switches", "say `this swaps places with …`"),
    (tactic("this may attack a friendly unit; if it does so, it loses a coin."), "does", DO),
    (
        attribute("at the start of each of my turns, move."),
        "of",
        "the times are `your turn`, `each turn` and `the round`",
    ),
    (tactic("if there are no coins in your hand, move."), "there", "say `if no … is …`, and where it is"),
    (tactic("if you have no coins in your hand, move."), "have", "ask whether `no coin is in your hand`"),
    (tactic("move to a space next to this."), "next", "say `adjacent to …`"),
    (tactic("move next to an enemy unit."), "next", "say `move to a space adjacent to …`"),
    (tactic("move adjacent to an enemy unit."), "to", "say `move to a space adjacent to …`"),
    (
        attribute("after an enemy unit moves adjacent to this, this may attack that unit."),
        "to",
        "say `moves to a space adjacent to …`",
    ),
    (
        attribute("after this moves, the initiative becomes yours."),
        "yours",
        "say `you become the holder of the initiative`",
    ),
    (
        tactic("if your hand is empty, move."),
        "your hand",
        "it is a place: say `a coin is in your hand`, or `no coin is in your hand`",
    ),
    (tactic("move if it did not move this turn."), "did", PAST),
    (tactic("if this has not moved this turn, move."), "has", PAST),
    (attribute("this cannot attack if it moved this turn."), "moved", PAST),
    (attribute("you may recruit no more than once a round."), "more than", OFTEN),
    (attribute("Whenever this moves, it may attack."), "Whenever", "say `when` or `after`"),
    # times
    (tactic("until next turn, this cannot attack."), "next", "say `your next turn` or `the next turn`"),
    (tactic("until the start of next round, this cannot attack."), "next", "say `the next round`"),
    (tactic("this cannot attack until next turn."), "next", "say `your next turn` or `the next turn`"),
    (
        tactic("this may attack until it moves."),
        "until",
        "a permission lasts until a time, not an event: `until the end of the turn, … may …`",
    ),
    (
        tactic("this cannot attack more than once a turn until it moves."),
        "until",
        "leave out how often: a prohibition until an event is `… cannot … until …`",
    ),
    (
        tactic("until this is attacked, it cannot move."),
        "attacked",
        "put the event after the prohibition: `… cannot … until this is attacked`",
    ),
    (
        tactic("this cannot attack for one round."),
        "round",
        "begin the sentence with that time: `until the next round, …`",
    ),
    (
        tactic("next turn, this cannot attack."),
        "next",
        "say in front the rule that lasts until then, `until your next turn, … cannot …`, or the act at that time: "
        "`at the start of your next turn, …`",
    ),
    (
        attribute("at the end of your next turn, this may move."),
        "the end of your next turn",
        "say `the end of your turn`",
    ),
    (tactic("until next turn, enemy units cannot attack."), "next", "say `your next turn` or `the next turn`"),
    (
        tactic("until the end of the turn, enemy units lose a coin."),
        "enemy",
        "an order has no time before it: leave out `until the end of the turn`, or write a prohibition, `… cannot …`",
    ),
    (tactic("attack while this is bolstered."), "attack while this is bolstered", "say `attack if this is bolstered`"),
    (
        tactic("while this is bolstered, attack."),
        "while this is bolstered, attack",
        "say `if this is bolstered, attack`",
    ),
    (
        attribute("after this attacks if this is bolstered, it may move."),
        "if",
        "put a comma in front of it, `after …, if …, …`, or say `while …`",
    ),
    (
        attribute("this cannot attack if it is bolstered."),
        "this cannot attack if it is bolstered",
        "say `this cannot attack while it is bolstered`",
    ),
    (
        attribute("each friendly unit may attack a target 2 spaces away if this is bolstered."),
        "each friendly unit may attack a target 2 spaces away if this is bolstered",
        "say `each friendly unit may attack a target 2 spaces away while this is bolstered`",
    ),
    (
        attribute("if this is bolstered, a unit cannot attack this."),
        "if this is bolstered, a unit cannot attack this",
        "a rule holds always: say `a unit cannot attack this while this is bolstered`",
    ),
    (
        tactic("attack if this is bolstered; otherwise, move."),
        "attack if this is bolstered; otherwise, move",
        "say `if this is bolstered, attack; otherwise, move`",
    ),
    (
        tactic("attack unless this is bolstered; otherwise, move."),
        "attack unless this is bolstered; otherwise, move",
        "say `if this is bolstered, move; otherwise, attack`",
    ),
    *(
        (
            tactic(f"if this is bolstered, attack; {said}, move."),
            word,
            "`otherwise` begins another part: `if this is bolstered, attack; otherwise, move.`",
        )
        for said, word in (("else", "else"), ("if not", "not"))
    ),
    (
        tactic("if this is bolstered, attack. if not, move."),
        "not",
        "`otherwise` begins another part: `otherwise, move.`",
    ),
    (
        tactic("if this is bolstered, attack; otherwise, move and attack."),
        "and",
        "join steps by `, then`; `and` joins conditions",
    ),
    (
        tactic("this may move if this is bolstered, then stop if this is on a location, then attack."),
        "stop if this is on a location",
        "put a semicolon in front of it: `…; stop …`",
    ),
    (
        tactic("this may move if this is bolstered, then attack."),
        "attack",
        "say `…; attack` to do it in any case, or `if this is bolstered, … may …, then …` to offer all of it",
    ),
    (
        tactic("attack an enemy unit unless it is bolstered."),
        "it is bolstered",
        "name the thing, as `this` or `that …`; for a choice of the step say `a … that is …`; or say it in front, "
        "`unless it is bolstered, attack an enemy unit`",
    ),
    (
        tactic("choose an enemy unit. this may move if it is bolstered."),
        "it is bolstered",
        "name the thing, as `this` or `that …`; for a choice of the step say `a … that is …`; or say it in front, "
        "`if it is bolstered, this may move`",
    ),
    (
        tactic("attack an enemy unit if this is bolstered, then it loses a coin."),
        "it",
        "put the condition in front of both steps, `if …, …, then …`, to speak of that unit; or name the other thing, "
        "as `this`",
    ),
    (
        tactic("if this is bolstered, attack an enemy unit; that unit loses a coin."),
        "that unit",
        "put the condition in front of both steps, `if …, …, then …`, to speak of that unit; or name the other thing, "
        "as `this`",
    ),
    (
        tactic("choose an enemy unit. that unit cannot attack until the end of the round unless it is bolstered."),
        "it is bolstered",
        "put `if … is not …,` in front to ask now; or restrict the noun, `a … on a …`",
    ),
    (
        tactic("attack an enemy unit if it is bolstered."),
        "it is bolstered",
        "name the thing, as `this` or `that …`; for a choice of the step say `a … that is …`; or say it in front, "
        "`if it is bolstered, attack an enemy unit`",
    ),
    (
        tactic("move to an adjacent space if it is open."),
        "it is open",
        "name the thing, as `this` or `that …`; for a choice of the step say `a … that is …`",
    ),
    (
        tactic("each adjacent friendly unit attacks if it is bolstered."),
        "it",
        "say `for each …, if it is bolstered, …`",
    ),
    (
        tactic("either attack, or move if this is bolstered."),
        "if",
        "a branch has no condition of its own: `if this is bolstered, either attack, or move; otherwise, attack.`",
    ),
    (
        tactic("stop if this is bolstered."),
        "stop if this is bolstered",
        "put a semicolon and the steps that it can end after it: `stop if …; …`",
    ),
    (tactic("move; stop; attack."), "stop", "say when it ends: `stop if …`, `stop unless …`"),
    (
        tactic("this may move, then stop if this is bolstered, then attack."),
        "stop if this is bolstered",
        "put a semicolon in front of it: `…; stop …`",
    ),
    (
        attribute("unless this unit is bolstered, it cannot attack."),
        "unit",
        "`this` needs no noun: leave `unit` out, or say `that unit` of another",
    ),
    (tactic("attack. then attack."), "then", "put a comma in place of the full stop before it: `…, then …`"),
    # several things of one player
    (attribute("your units cannot move."), "your units", "say `each of your units` or `one of your units`"),
    (tactic("move your adjacent units."), "your adjacent units", "say `one of your adjacent units`"),
    (tactic("adjacent enemy units lose a coin."), "adjacent", "say `each adjacent enemy unit loses a coin`"),
    (tactic("units adjacent to this lose a coin."), "units", "say `each unit adjacent to this loses a coin`"),
    (
        attribute("bolstered units cannot be attacked."),
        "bolstered",
        "a rule is said of one of them: `a bolstered unit …`",
    ),
    (tactic("attack twice."), ".", "say it twice: `attack, then attack`"),
    (
        tactic("if not all adjacent units are friendly, attack."),
        "not",
        "say it of one of them, after `is`: `if a … is not …`",
    ),
    # no guess is better than a wrong one
    (
        tactic("move to an adjacent snowy space."),
        "snowy",
        "a word of your own is declared: put the lines `words: Snowy words`, `adjectives: [snowy]` and `---` in front of"
        " this document, and define it: `a space is snowy when …`",
    ),
    # wrong order
    (
        attribute("this may move after this attacks."),
        "after",
        "put this part first, and a comma after it: `after this attacks, this may move.`",
    ),
    # sentences without an end
    (tactic("move to an adjacent space", "attack an adjacent unit."), "space", "end it here: `space.`"),
    (tactic("move", "attack."), "move", "end it here: `move.`"),
    (
        tactic("choose a direction, if this is bolstered, move."),
        ",",
        "end the sentence here: `.` in place of the comma; what begins with `if` is another sentence",
    ),
    (attribute("after this attacks a unit, that unit moves, that unit attacks."), ",", "join steps by `, then`"),
    # words in the wrong place
    (
        tactic("move through open spaces to a space 1-2 spaces away."),
        "through",
        "put it after the noun: `a space … spaces away through …`",
    ),
    (
        tactic("attack exactly 2 spaces away a target."),
        "exactly",
        "put the distance after the noun: `attack a … exactly 2 spaces away`",
    ),
    (tactic("choose a unit friendly within 2 spaces of this."), "friendly", "put it before the noun: `friendly unit`"),
    (
        tactic("in any order for each own Footman, it moves."),
        "in any order",
        "say it after the noun: `for each … in any order, …`",
    ),
    (
        attribute("a unit cannot unless it is bolstered attack this."),
        "unless",
        "put this part last: `… cannot … unless …`",
    ),
    (
        attribute("when attacks a unit this, that unit loses a coin."),
        "attacks",
        "say who does it first: `when a … attacks …`",
    ),
    (
        tactic("move on an adjacent space."),
        "on",
        "say `move a …` for its object, and `move to …` or `move onto …` for its destination",
    ),
    (
        attribute("to charge this move."),
        "charge",
        "a word of your own is declared: put the lines `words: Charge words`, `verbs: {charge: {by: player}}` and `---` in"
        " front of this document, and define it: `to charge: …`",
    ),
    (
        attribute("to lose a coin put a coin in this into your box."),
        "put",
        "put a colon after the defined word: `to …: …`",
    ),
    (
        attribute("when an adjacent unit attacks this that unit loses a coin."),
        "that",
        "put a comma after the first part: `when an adjacent unit attacks this, …`",
    ),
    (tactic("swap places to an adjacent friendly unit."), "an adjacent friendly unit", "say `swap places with …`"),
    (
        tactic("put a coin from your supply into your bag."),
        "your supply",
        "say the place of a thing after the noun: `a … in …`",
    ),
    (
        tactic("put a coin in your supply in your bag."),
        "put a coin in your supply in your bag",
        "say `into …` or `onto …`",
    ),
    # signs and numbers
    (tactic("move.."), ".", "one full stop ends a sentence: leave this one out"),
    (tactic("move to a space 1 -2 spaces away."), "-", "write a range without blanks: `1-2`"),
    (tactic("move to a space 1 to 2 spaces away."), "to", "write a range with a hyphen: `1-2`"),
    (tactic("attack a target exactly 1st space away."), "st", "write numbers without letters: `1`"),
    (tactic("choose a friendly unit within 2 space of this."), "2 space", "say `2 spaces`"),
    (tactic("attack a target exactly 1 spaces away."), "1 spaces", "say `1 space`"),
    # guesses
    (tactic("draw a coin, tehn put that coin into your hand."), ", tehn", "did you mean `, then`?"),
    (tactic("attack a target 2 spaces away in a straigt line."), "straigt", "did you mean `straight`?"),
    (attribute("this attacks only bu its tactic."), "bu", "did you mean `by`?"),
    (attribute("this uses its tactic only by the royal coin."), "royal", "did you mean `Royal Coin`?"),
    (attribute("a unit cannot attack This."), "This", "write the word in small letters"),
    # words that people say
    (tactic("pick a friendly unit."), "pick", "say `choose`"),
    (tactic("move to a neighbouring space."), "neighbouring", "say `adjacent`"),
    (tactic("move to an adjacent hex."), "hex", "say `space`"),
    (tactic("Destroy an adjacent unit."), "Destroy", "say `attack` or `remove`"),
    (tactic("choose an ally, then it moves."), "ally", "say `friendly unit`"),
    (tactic("swap this for one of your units."), "one of your units", "choose it first, and then say `that unit`"),
]


def those_with(text: str, texts: list[str]) -> list[str]:
    """Return a text among others, together so few that the advice for each of them is tried."""
    together = MOST_TRIED // 2
    first = texts.index(text) // together * together
    return texts[first : first + together]


@pytest.mark.parametrize(("text", "at", "help"), SENTENCES)
def test_a_slip_in_a_sentence_is_found(tmp_path: Path, text: str, at: str, help: str) -> None:
    found = lint_among(tmp_path, text, those_with(text, [one for one, _, _ in SENTENCES]))
    sound(found)
    first = found[0]
    assert first.span is not None
    assert (first.span.text, first.help) == (at, help), first


CAPITALS = [
    re.sub(r"(^  |\. )([a-z])", lambda found: found[1] + found[2].upper(), text, flags=re.MULTILINE)
    for text, *_ in SENTENCES
]


def test_a_rule_about_all_things_is_mended_with_its_verb(tmp_path: Path) -> None:
    (found,) = lint_among(tmp_path, text := attribute("all friendly units are bolstered."), [text])
    assert found.help == "say `a friendly unit is`: a rule holds for each"
    assert found.span is not None and found.span.text == "all friendly units are" and found.fix is not None


@pytest.mark.parametrize(("text", "slip"), list(zip(CAPITALS, SENTENCES, strict=True)))
def test_a_slip_in_a_sentence_with_a_capital(tmp_path: Path, text: str, slip: tuple[str, str, str]) -> None:
    found = lint_among(tmp_path, text, those_with(text, CAPITALS))
    sound(found)
    first, (_, at, help) = found[0], slip
    assert first.span is not None
    assert (first.span.text.lower(), first.help.lower()) == (at.lower(), help.lower()), first


def test_findings_of_cards_linted_together_are_kept_apart(tmp_path: Path) -> None:
    texts = [tactic("move."), tactic("mvoe."), attribute("this cannot mvoe.")]
    assert [codes(lint_among(tmp_path, text, texts)) for text in texts] == [[], ["unknown-word"], ["unknown-word"]]


FORMS = [
    (CARD + "tactic: |\nmove.\n", "yaml-syntax", 4, "indent the text below the `|` by two spaces"),
    (CARD + "tactic: |\n\u00a0\u00a0move.\n", "invisible-character", 4, "indent with spaces"),
    (CARD + "tactic: |\n", "wrong-size", 3, "write a sentence into the lines below it, indented, or take the key out"),
    (
        "unit Halberdier\ncoins: 4\n",
        "yaml-syntax",
        2,
        "the line above has no colon: write `key: value`, or put text that goes over several lines in quotes",
    ),
    (
        "unit: Halberdier\n coins: 4\n",
        "yaml-syntax",
        2,
        "begin the line in the same column as the one above, which has its value already",
    ),
    ("unit:Halberdier\ncoins:4\n", "not-a-document", 1, "write a blank after each colon: `unit: Halberdier`"),
    ("unit: Halberdier\ncoin: 4\n", "unknown-key", 2, "did you mean `coins`?"),
    ("unit: Halberdier\nprice: 4\n", "unknown-key", 2, "did you mean `coins`?"),
    ("unit: Halberdier\ncoins: [4]\n", "wrong-type", 2, "write `4`, without brackets"),
    ("unit: Halberdier\nset:house\ncoins: 4\n", "yaml-syntax", 2, "write a blank after the colon: `key: value`"),
    ("unit: Halberdier\n// note\ncoins: 4\n", "yaml-syntax", 2, "write notes for people after a `#`"),
    ("unit: Halberdier\ncoins: four\n", "wrong-type", 2, "write the number in digits: `4`"),
    (
        "unit: Halberdier\ncoins: 4\nsource: a: b\n",
        "yaml-syntax",
        3,
        "put text that holds a colon in quotes, or check the indentation",
    ),
]


@pytest.mark.parametrize(("text", "name", "line", "help"), FORMS)
def test_a_slip_in_the_form_of_a_card(tmp_path: Path, text: str, name: str, line: int, help: str) -> None:
    (found,) = lint_among(tmp_path, text, [one for one, *_ in FORMS], named="")
    assert found.span is not None
    assert (found.name, found.span.line, found.help) == (name, line, help)
