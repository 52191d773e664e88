"""Every form of line of the second game's notation: its effect, and its conditions."""

from __future__ import annotations

import pytest
from scripts_support import FIELD, holds, run, stops

POSITIONS = {
    "P1 Foot@d4n 3/4/5": {
        "at": "d4",
        "facing": "n",
        "owner": "P1",
        "controller": "P1",
        "attack": 3,
        "defense": 4,
        "move": 5,
        "cost": 10,
        "damage": 0,
        "disabled": False,
        "abilities": [],
    },
    "P2 Foot@d4w 3/4/5/7": {"owner": "P2", "facing": "w", "cost": 7},
    "neutral Foot@d4n 3/4/5": {"owner": None, "controller": None, "cost": 10},
    "P1 Foot@d4n 3/4/5 dmg=2": {"damage": 2},
    "P1 Foot@d4n 3/4/5 disabled": {"disabled": True},
    "P1 Foot@d4n 3/4/5 class=Undead": {"class": "Undead"},
    "P1 Foot@d4n 3/4/5 SideStep Backlash(2)": {"abilities": ["Side-Step", "Backlash (2)"]},
    "P1 Foot@d4n 3/4/5 Missile(3/5)": {"abilities": ["Missile (3, range 5)"]},
    "P1 Foot@d4n 3/4/5 Aid(+2A)": {"abilities": ["Aid (+2 attack)"]},
    "P1 Foot@d4n 3/4/5 Boost(+1D)": {"abilities": ["Boost (+1 defense)"]},
    "P1 Foot@d4n 3/4/5 Drain(+1M)": {"abilities": ["Drain (+1 move)"]},
    "P1 Foot@d4n 3/4/5 Aid(Protection 2)": {"abilities": ["Aid (Protection 2)"]},
    "  P1   Foot@d4n   3/4/5   dmg=2   # hurt": {"damage": 2},
    "P1 DwarfSpear@d4n dmg=1": {"name": "Dwarf Spear", "damage": 1},
    "neutral DwarfSpear@d4n": {"owner": None},
}


@pytest.mark.parametrize("line", POSITIONS)
def test_a_figure(line: str) -> None:
    (figure,) = holds(f"{line}\n").position()["figures"]
    assert {key: figure[key] for key in POSITIONS[line]} == POSITIONS[line]


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("turn P2", "turn", "P2"),
        ("opening", "actions_left", 1),
        ("opening", "opening", True),
        ("chest P2 d8", "chests", {"P1": "a1", "P2": "d8"}),
        ("pool P1 Undead 6 generic 4", "pools", {"P1": {"Undead": 6, "generic": 4}}),
        ("collection P1 Ghoul:Undead 3/4/5/9", "collection", {"P1": ["Ghoul"], "P2": []}),
        ("collection P1 Imp 1/1/1/0\ncollection P1 Imp 1/1/1/0", "collection", {"P1": ["Imp", "Imp"], "P2": []}),
    ],
)
def test_other_lines_of_a_position(line: str, key: str, value: object) -> None:
    found = holds(FIELD + line).position()[key]
    if key == "pools":
        found = {player: counts for player, counts in found.items() if counts}
    assert found == value


def test_unstated_values_are_the_usual_ones() -> None:
    position = holds(FIELD).position()
    assert (position["turn"], position["actions_left"]) == ("P1", 2)
    assert not any(figure["acted"] for figure in position["figures"])


DONE = [
    "> move Foot F\n= Foot @d5n",
    "> move Foot L F R F\n= Foot @c5n",
    "> move Foot F F\n= Foot @d5n Foe dmg 3",
    "> rest Foot\n= Foot dmg 1",
    "> aid Friend -> Foot\n= actions 2\n! aid Friend -> Foot",
    "> end\n= active P2",
    "> concede P2\n= winner P1",
    "> concede P1\n= winner P2",
    "> move Foot F F\n| aid Friend -> Foe\n= Foe dmg 1 Friend disabled",
    "! rest Friend\n= Friend ready",
    "! move Foot F F F\n= Foot @d4n actions 2",
    "! move Foe F",
    "! aid Foe -> Foe",
]


@pytest.mark.parametrize("lines", DONE)
def test_orders_are_carried_out(lines: str) -> None:
    holds(FIELD + lines)


@pytest.mark.parametrize(
    ("figures", "lines"),
    [
        ("P1 Foot@d4n 3/4/5 disabled\n", "> react Foot\n= Foot ready @d4n"),
        ("P1 A@d4n 1/4/5 Boost(+1D)\nP1 B@e4n 1/4/5\n", "> boost A -> B\n= B def 5 A disabled"),
        ("P1 A@d4n 1/4/5 Healing(2)\nP1 B@e4n 1/4/5 dmg=3\n", "> heal A -> B\n= B dmg 0"),
        ("P1 A@d4n 1/4/5 Missile(2/9)\n", "> missile A -> Foe\n= Foe dmg 2"),
        ("P1 A@d4n 1/4/5 Aid(+1A)\n", "> aid A -> A\n= A atk 2 disabled"),
        ("P1 A@d4n 1/4/5 SideStep\n", "> move A < < B\n= A @b3n"),
        ("P1 A@d4n 1/4/5 SideStep\n", "> move A >\n= A @e4n"),
        ("P1 A@d4n 3/4/5\nP1 B@d5n 1/4/5\n", "> move A F!\n= A @d4n B dmg 3"),
        ("P1 A@d4n 3/4/5\nP1 B@d5n 1/4/5\n", "> move A F F\n= A @d6n B dmg 0"),
        ("P1 A@d4n 3/4/5\nP2 B@d5e 1/9/5 Escape\n", "> move A F\n| escape B F F\n= B @f5e disabled dmg 0"),
    ],
)
def test_abilities_that_are_used(figures: str, lines: str) -> None:
    holds(f"{figures}P2 Foe@h6s 1/4/3\n{lines}")


TRUE = [
    "Foot @d4n",
    "Foot @d4",
    "Foot dmg 2",
    "Foot stun 0",
    "Foot atk 3",
    "Foot def 7",
    "Foot move 5",
    "Foot linger 0",
    "Foot mc 0",
    "Foot ready",
    "Foot ctrl P1",
    "Foot form base",
    "Foot lacks Escape",
    "Foot lacks Side-Step",
    "actions 2",
    "active P1",
    "empty d5",
    "ongoing",
    "pool P1 Undead 0",
    "Foot @d4n dmg 2 atk 3  Foe @d6s dmg 0  actions 2",
]
FALSE = [
    "Foot @d4e",
    "Foot @d5",
    "Foot dmg 1",
    "Foot stun 1",
    "Foot atk 4",
    "Foot def 9",
    "Foot move 4",
    "Foot linger 1",
    "Foot mc 1",
    "Foot disabled",
    "Foot ctrl P2",
    "Foot ctrl None",
    "Foot form Foe",
    "Friend lacks Aid",
    "actions 1",
    "active P2",
    "empty d4",
    "empty a1",
    "winner P1",
    "draw",
    "pool P1 Undead 1",
    "Foot captured",
]


@pytest.mark.parametrize("said", TRUE)
def test_true_assertions_hold(said: str) -> None:
    holds(f"{FIELD}= {said}")


@pytest.mark.parametrize("said", FALSE)
def test_false_assertions_are_found_at_their_place(said: str) -> None:
    words = said.split(" ", 1)
    column = 3 if words[0][0].islower() else 4 + len(words[0])
    if words[0] == "pool":
        column = said.index("Undead") + 3
    assert stops(f"{FIELD}= {said}") == ("wrong-assertion", 4, column)


def test_a_captured_figure_has_no_other_properties() -> None:
    holds(FIELD.replace("1/4/3", "1/3/3") + "> move Foot F F\n= Foe captured Foot @d6n")
    assert stops(FIELD.replace("1/4/3", "1/3/3") + "> move Foot F F\n= Foe dmg 3")[0] == "wrong-assertion"


def test_the_end() -> None:
    holds(FIELD + "> end\n> end\n= draw\n! end\n! concede P1")
    assert stops(FIELD + "> end\n> end\n= ongoing") == ("wrong-assertion", 6, 3)
    assert stops(FIELD + "> end\n> end\n> end") == ("refused-line", 6, 3)


def test_several_of_one_name_are_distinguished_by_their_squares() -> None:
    imps = "P1 Imp@d4n 1/1/3\nP1 Imp@f4n 1/1/3 dmg=0\nP2 Foe@h6s 1/4/3\n"
    holds(imps + "= Imp @d4n Imp @f4n\n> move Imp@f4 F\n= Imp @f5n Imp @d4n")
    assert stops(imps + "= Imp @e4n") == ("wrong-assertion", 4, 7)


def test_a_position_after_other_lines_starts_again() -> None:
    state = holds(FIELD + "> move Foot F\n" + "P1 Foot@a4n 1/1/1\nP2 Foe@h5s 1/1/1\n= Foot @a4n actions 2")
    assert len(state.position()["figures"]) == 2


@pytest.mark.parametrize("line", ["escape Elf F", "martyr Elf", "aid Foot -> Elf"])
def test_an_answer_is_not_on_offer_by_itself(line: str) -> None:
    holds(f"P1 Foot@d3n 1/5/5\nP2 Elf@d4e 1/2/5 Escape Martyr(1)\n> move Foot F\n! {line}\n= Elf dmg 1")


def test_answers_are_given_in_the_order_in_which_they_are_written() -> None:
    figures = "P1 Foot@d4n 3/9/5\nP1 Monk@a4n 1/1/1 Aid(+2D)\nP2 Abbot@h4n 1/1/1 Aid(+1D)\nP2 Foe@d5e 1/9/3\n"
    aids = ["| aid Monk -> Foot", "| aid Abbot -> Foe"]
    for answers in (aids, aids[::-1]):
        holds("\n".join([f"{figures}> move Foot F", *answers, "= Foot def 11 Foe def 7"]))


def test_a_wish_is_used_later_if_a_line_could_not_go_on() -> None:
    figures = "P1 Axe@d4n 2/9/5 MultiAttack Sacrifice(3)\nP1 Other@a4n 1/1/1\nP2 Foe@d5s 1/2/3\nP2 Next@d6s 1/9/3\n"
    holds(f"{figures}> move Axe F F sacrifice\n= Foe captured Axe removed Next dmg 5")
    holds(f"{figures}> move Axe F sacrifice\n= Foe captured Axe removed Next dmg 0")
    assert stops(f"{figures}> move Axe F F F F F F sacrifice")[0] == "refused-line"


def test_refused_orders_change_nothing() -> None:
    before, after = holds(FIELD), holds(FIELD + "! move Foot F F F\n! rest Foe\n! aid Foe -> Foot\n")
    assert before == after


def test_lines_are_counted() -> None:
    result = run(FIELD + "\n# nothing\n> move Foot F F\n| aid Friend -> Foe\n= Foot ready\n")
    assert (result.finding, result.lines) == (None, 6)


def test_the_last_figure_that_can_act_does_not_end_its_players_turn() -> None:
    holds("P1 Foot@d4n 3/4/5\nP2 Foe@h6s 1/1/1\n> move Foot F\n= active P1 actions 1\n> end\n= active P2 actions 2")


def test_an_effect_prevented_by_an_answer_is_not_required_but_a_reduced_one_is() -> None:
    bull = "P1 Bull@d4n 5/3/3 Repel\nP2 Foe@d5s 1/3/3{}\nP2 Other@g6s 1/3/3 Aid(+1D)\n"
    holds(bull.format(" Martyr(1)") + "> move Bull F* push 2\n| martyr Foe\n= Foe removed Bull @d5n dmg 1")
    holds(bull.format("") + "! move Bull F* push 2\n| aid Other -> Foe\n> move Bull F* push 1\n| aid Other -> Foe")


def test_a_wrong_declaration_is_refused_with_each_answer() -> None:
    foes = "P2 Foe@d5s 1/3/3 Escape\n"
    holds(f"P1 Foot@d4n 5/3/3\n{foes}! move Foot F*\n| escape Foe L F")
    bull = f"P1 Bull@d4n 5/3/3 Repel\n{foes}"
    holds(f"{bull}! move Bull F push 1\n| escape Foe L F\n> move Bull F* push 1\n| escape Foe L F")


def test_a_stated_choice_without_alternatives_must_have_happened() -> None:
    steed = "P1 Foot@d4n 3/3/3\nP2 Horse@d5s 1/9/4/9 Mount\nP2 Knight@d5s 5/3/3/5 Fear\n"
    holds(f"{steed}! move Foot F target Knight\n> move Foot F target Horse\n= Horse dmg 3")
    coward = "P1 Horse@d4n 3/3/4/9 Mount Coward\nP1 Knight@d4n 4/9/3/5\nP2 Foe@d5s 5/9/3\n"
    holds(f"{coward}! move Horse F carry Knight by Horse\n> move Horse F carry Knight by Knight\n= Foe dmg 4")


def test_a_sacrifice_is_stated_with_each_outcome_of_the_attack() -> None:
    for ability, then in (("Takeover", "captured"), ("Stun", "stun 2 dmg 3 disabled"), ("Drain(+1A)", "captured")):
        foes = f"P1 Zealot@d4n 2/3/3 {ability} Sacrifice(3)\nP2 Foe@d5s 1/5/3\nP2 Other@g5s 1/5/3\n"
        holds(f"{foes}> move Zealot F sacrifice\n= Foe {then} Zealot removed")
    holds("P1 Lord@d4n 5/3/3 Takeover\nP2 Foe@d5s 1/5/3\n! move Lord F sacrifice")


def test_a_path_may_contain_steps_without_alternatives() -> None:
    friends = "P1 Foot@d4n 3/4/{}\nP1 Friend@d5n 3/4/2\nP1 Other@d6n 3/4/2\nP2 Foe@h6s 1/3/3\n"
    holds(friends.format(3) + "! move Foot F\n! move Foot F L\n> move Foot F F F\n= Foot @d7n actions 1")
    captive = "P1 Witch@b4n 1/3/3 MindControl(9)\nP2 Foe@a2s 1/3/3/9\ncontrolled Foe by P1 via Witch\n"
    holds(f"{captive}> move Foe F L F\n= Foe @b1e ongoing")


def test_a_line_about_control_may_precede_the_figures() -> None:
    witch, foe = "P1 Witch@b4n 1/3/3 MindControl(9)", "P2 Foe@a2s 1/3/3/9"
    holds(f"controlled Foe by P1 via Witch\n{foe}\n{witch}\n= Foe ctrl P1 Witch disabled")
