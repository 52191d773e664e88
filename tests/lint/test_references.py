"""Names in documents: each that does not exist, or has no effect, is reported with its place and the nearest name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from lint_support import CARDS, codes, lint_among, lint_on, lint_text, sound, usual_texts

import loaded
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.layers import choices, in_use
from warchest.documents.library import Library
from warchest.documents.load import from_source, load
from warchest.documents.schemas import read_schemas
from warchest.game.explain.vocabulary import sayable
from warchest.lint.documents.blocks import block_findings
from warchest.lint.documents.declarations import declaration_findings, declared
from warchest.lint.documents.errata_findings import unread
from warchest.lint.documents.place_names import place_findings
from warchest.lint.documents.set_names import set_findings
from warchest.lint.documents.shapes import shape_findings
from warchest.lint.run import variants
from warchest.lint.wc_lint import findings_in
from warchest.source.text import Source

# ---- errata

TACTIC = "replace:\n  tactic: |\n    {}\n"


def erratum(name: str = "Mine", kind: str = "unit", of: str = "Lancer", text: str = "attack.", **keys: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"errata: {name}\nruling: x\n{lines}amends: {{kind: {kind}, name: {of}}}\n" + TACTIC.format(text)


def option(name: str, value: str, otherwise: str) -> str:
    return f"{{name: {name}, value: {value}, otherwise: {otherwise}}}"


def joined(*documents: str) -> str:
    return "---\n".join(documents)


def told(tmp_path: Path, text: str, among: Iterable[str] = ()) -> list[tuple[str, str, str]]:
    """The name, the marked text and the help of each finding in a document, which may be linted among others."""
    return shown(lint_among(tmp_path, text, among, text.partition("\n")[0]))


def told_without(tmp_path: Path, text: str, about: str) -> list[tuple[str, str, str]]:
    """The same for a document by itself, on top of the game without its errata, but where it holds a word about them."""
    return shown(lint_on(None if about in text else usual_texts(), tmp_path, text))


def shown(found: list[Diagnostic]) -> list[tuple[str, str, str]]:
    sound(found)
    return [(one.name, one.span.text if one.span else "", one.help) for one in found]


GUARD = "did you mean `Royal Guard revised`?"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (erratum(on="[Royal Guard revisd]"), [("no-such-document", "Royal Guard revisd", GUARD)]),
        (erratum(after="[Royal Guard revisd]"), [("no-such-document", "Royal Guard revisd", GUARD)]),
        (
            erratum(kind="decree"),
            [
                (
                    "no-such-document",
                    "{kind: decree, name: Lancer}",
                    "it is a document of another kind: write `kind: unit`",
                )
            ],
        ),
        (
            erratum(kind="unitt", of="Scuot"),
            [("no-such-document", "{kind: unitt, name: Scuot}", "did you mean `unit`?")],
        ),
        (
            erratum(option=option("lances", "short", "short")),
            [
                (
                    "unclear-option",
                    "short",
                    "give `otherwise` the value under which the text stays as it is, or leave out `option`",
                )
            ],
        ),
        (
            joined(
                erratum("A", option=option("lances", "long", "short")),
                erratum("B", option=option("lances", "none", "shrt")),
            ),
            [("unclear-option", "shrt", "an option has one usual value: write `otherwise: short`")],
        ),
        (
            joined(
                erratum("A", of="Pikeman", option=option("lances", "long", "short")).replace("replace", "add"),
                erratum("B", option=option("lances", "none", "short"), on="[A]"),
            ),
            [("never-applied", "on", "the document that it is `on` applies under other values than it does itself")],
        ),
        (
            joined(erratum("A"), erratum("B", text="move.", after="[A]")),
            [("never-applied", "tactic", "give one of the two an `option`, or take this text out")],
        ),
        (
            erratum(of="Cavalry", text="move.\n    # as printed\n    attack."),
            [("changes-nothing", "tactic", "write the new text, or take it out")],
        ),
    ],
)
def test_errata_that_can_do_nothing(tmp_path: Path, text: str, wanted: list[tuple[str, str, str]]) -> None:
    assert told_without(tmp_path, text, "Royal Guard") == wanted


@pytest.mark.parametrize(
    "text",
    [
        erratum(on="[Royal Guard comes back]", of="Royal Guard", text="move."),
        erratum(option=option("lances", "long", "short")),
        joined(
            erratum("A", option=option("lances", "long", "short")),
            erratum("B", text="move.", option=option("lances", "none", "short")),
        ),
        joined(erratum("A"), erratum("B", text="move.", after="[A]", option=option("lances", "none", "short"))),
        joined(
            erratum("A", of="Cavalry", text="attack."),
            erratum("B", of="Cavalry", text="move.\n    attack.", after="[A]", option=option("h", "old", "new")),
        ),
    ],
)
def test_errata_that_do_something(tmp_path: Path, text: str) -> None:
    assert told_without(tmp_path, text, "Royal Guard") == []


WHENEVER = [
    {"on": "[Nobody Here]"},
    {"on": "[Royal Guard revised]"},
    {"on": "[Royal Guard comes back]", "option": option("lances", "long", "short")},
    {"on": "[Royal Guard revised]", "option": option("royal_guard", "other", "original")},
    {"set": "house"},
    {"date": '"2031"'},
]
"""When errata count: some of them never do under the options that are checked."""


def test_the_text_of_every_erratum_is_read(tmp_path: Path) -> None:
    for number, keys in enumerate(WHENEVER):
        (tmp_path / f"{number}.yaml").write_text(erratum(f"Mine {number}", text="movv.", **keys), encoding="utf-8")
    found = findings_in([tmp_path])
    sound(found)
    wrong = [(one.file, one.help) for one in found if one.name == "unknown-word" and one.span.text == "movv"]
    assert sorted(wrong) == [
        (str(tmp_path / f"{number}.yaml"), "did you mean `move`?") for number in range(len(WHENEVER))
    ]


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_every_shipped_erratum_counts_in_some_variant_that_is_checked(game: str) -> None:
    library = loaded.documents(game)
    tried = list(variants(library))
    counted = {layer.name for options in tried for layer in in_use(library, options)}
    counted |= {layer.name for whole, options in unread(library, tried) for layer in in_use(whole, options)}
    assert counted == {layer.name for layer in library.of_kind("errata")}
    assert game == "unigames" or len(choices(library)) > 10


def test_a_correction_of_an_unused_correction_is_unused(tmp_path: Path) -> None:
    layers = joined(
        erratum("A", option=option("a", "on", "off")),
        erratum("B", text="move.", on="[A]", option=option("b", "on", "off")),
        erratum("C", text="pass.", on="[B]", option=option("c", "on", "off")),
    )
    (tmp_path / "layers.yaml").write_text(layers, encoding="utf-8")
    library = load([tmp_path], read_schemas())
    for chosen, wanted in (("bc", []), ("ac", ["A"]), ("ab", ["A", "B"]), ("abc", ["A", "B", "C"])):
        assert [layer.name for layer in in_use(library, dict.fromkeys(chosen, "on"))] == wanted


DAYS = {
    "2019-02-31": "February 2019 has 28 days",
    "2020-02-30": "February 2020 has 29 days",
    "2019-06-31": "June 2019 has 30 days",
    '"0000"': "the years are counted from 0001",
    "2020-02-29": None,
    "2019-12": None,
    '"2019"': None,
}
"""Days as they are written, and the help with each that is none: a year alone is a number unless it is in quotes."""


def test_invalid_days_are_refused(tmp_path: Path) -> None:
    written = {**DAYS, **{f'"{day}"': help for day, help in DAYS.items() if '"' not in day}}
    units = iter(("Archer", "Cavalry", "Crossbowman", "Footman", "Lancer"))
    layers = [
        erratum(f"Mine {number}", of="Ensign" if help else next(units), date=day)
        for number, (day, help) in enumerate(written.items())
    ]
    wanted = [("malformed-value", day, help) for day, help in written.items() if help is not None]
    assert told(tmp_path, joined(*layers)) == wanted


# ---- questions

QUESTION = """question: Halting Lancers
about: [Lancer]
asks: May it stay?
readings:
  - {reading: It must move., value: facedown}
  - {reading: It may stay., value: faceup}
taken: It must move.
because: x
option: spy_discard
source: x
"""


WRONG_QUESTIONS = [
    ("[Lancer]", "[Lancier]", "unknown-name", "Lancier", "did you mean `Lancer`?"),
    ("option: spy_discard", "option: spy_discrd", "unknown-option", "spy_discrd", "did you mean `spy_discard`?"),
    ("value: faceup", "value: faceupp", "unknown-option", "faceupp", "did you mean `faceup`?"),
    ("taken: It must move.", "taken: It must mve.", "unknown-reading", "It must mve.", "did you mean `It must move.`?"),
    (
        "taken: It must move.",
        "taken: It may stay.",
        "unknown-reading",
        "It may stay.",
        "take the reading of `facedown`, or make its value the `otherwise` of the option",
    ),
    (
        "option: spy_discard\n",
        "",
        "unknown-reading",
        "facedown",
        "name the `option` of the question, or take the value out",
    ),
    (
        "reading: It may stay.",
        "reading: It must move.",
        "repeated-item",
        "It must move.",
        "say how the two differ, or take one out",
    ),
    ("value: faceup", "value: facedown", "repeated-item", "facedown", "say how the two differ, or take one out"),
]


@pytest.mark.parametrize(("old", "new", "name", "at", "help"), WRONG_QUESTIONS)
def test_questions(tmp_path: Path, old: str, new: str, name: str, at: str, help: str) -> None:
    assert old in QUESTION
    others = [QUESTION.replace(*one[:2]) for one in WRONG_QUESTIONS]
    assert (name, at, help) in told(tmp_path, QUESTION.replace(old, new), others)


# ---- excuses

EXCUSE = """excused: Clauses
clauses:
  - of: Lancer
    clause: choose a direction
    never: [none]
    because: x
  - of: Lancer
    clause: this attacks only by its tactic
    never: [allowed]
    because: x
"""

WRONG_EXCUSES = [
    (
        "of: Lancer\n    clause: choose",
        "of: Lancier\n    clause: choose",
        "unknown-name",
        "Lancier",
        "did you mean `Lancer`?",
    ),
    (
        "choose a direction",
        "choose a way",
        "unknown-clause",
        "choose a way",
        "copy the clause from `warchest cover`, word for word",
    ),
    (
        "this attacks only by its tactic",
        "choose a direction",
        "repeated-item",
        "choose a direction",
        "say how the two differ, or take one out",
    ),
]


@pytest.mark.parametrize(("old", "new", "name", "at", "help"), WRONG_EXCUSES)
def test_wrong_excuses_are_found(tmp_path: Path, old: str, new: str, name: str, at: str, help: str) -> None:
    assert old in EXCUSE
    others = [EXCUSE, *(EXCUSE.replace(*one[:2]) for one in WRONG_EXCUSES)]
    assert (name, at, help) in told(tmp_path, EXCUSE.replace(old, new), others)


# ---- sets


@pytest.mark.parametrize(
    ("sets", "found"),
    [
        (["nobilty"], ["lonely-set"]),
        (["nobilty", "nobilty"], []),
        (["house"], []),
        (["siege-2"], []),
        (["base"], []),
        (["seige"], ["lonely-set"]),
    ],
)
def test_sets(tmp_path: Path, sets: list[str], found: list[str]) -> None:
    text = joined(*(f"unit: Halberdier {'ABC'[number]}\nset: {one}\ncoins: 4\n" for number, one in enumerate(sets)))
    assert codes(lint_text(tmp_path, text)) == found


# ---- rulings

CASES = """rulings: Scouts
source: x
cases:
  - name: A
    position:
      to_act: raven
      units: [{at: f4, unit: Scout, owner: raven}]
      hand: {raven: [Scout], wolf: [Royal Coin]}
      control: {raven: [e2]}
      options: {royal_guard: revised}
      decrees: [{name: March, seals: [wolf]}]
      forts: [e5]
    offered: [{act: move, to: f5}]
  - name: B
    position: {to_act: raven, units: [{at: f4, unit: Scout, owner: raven}], hand: {raven: [Scout], wolf: [Scout]}}
    not offered: [{act: attack, unit: f4}, {act: move, to: b5}]
    decides: raven
    then: {options: {royal_guard: original}}
"""
DIFFER = "say how the two differ, or take one out"
LISTED = "it has `raven`, `wolf`"


WRONG_CASES = [
    ("name: B", "name: A", "repeated-item", "A", DIFFER),
    ("royal_guard: revised", "royal_gard: revised", "unknown-option", "royal_gard", "did you mean `royal_guard`?"),
    ("royal_guard: revised", "royal_guard: revisd", "unknown-option", "revisd", "did you mean `revised`?"),
    ("royal_guard: original", "royal_guard: orignal", "unknown-option", "orignal", "did you mean `original`?"),
    ("name: March", "name: Marhc", "unknown-name", "Marhc", "did you mean `March`?"),
    ("name: March", "name: Scout", "unknown-name", "Scout", "for example `Enlist` can be"),
    ("seals: [wolf]", "seals: [wolv]", "not-on-the-board", "wolv", "did you mean `wolf`?"),
    ("forts: [e5]", "forts: [z5]", "not-on-the-board", "z5", "the board's `rows` list them"),
    ("decides: raven", "decides: ravn", "not-on-the-board", "ravn", "did you mean `raven`?"),
    (
        "{to_act: raven, units",
        "{to_act: raven, game: war-chst, units",
        "no-such-document",
        "war-chst",
        "did you mean `war-chest`?",
    ),
    (
        "{to_act: raven, units",
        "{to_act: raven, setup: Drafft, units",
        "no-such-document",
        "Drafft",
        "did you mean `Draft`?",
    ),
    (
        "{to_act: raven, units",
        "{to_act: raven, sets: [base, sige], units",
        "no-such-document",
        "sige",
        "did you mean `siege`?",
    ),
    (
        "{to_act: raven, units",
        "{to_act: raven, board: Two player, units",
        "no-such-document",
        "Two player",
        "did you mean `Two players`?",
    ),
    (
        "hand: {raven: [Scout], wolf: [Royal",
        "hand: {raven: [March], wolf: [Royal",
        "unknown-name",
        "March",
        "for example `Archer` can be",
    ),
    ("{act: move, to: f5}", "{act: mvoe, to: f5}", "never-offered", "mvoe", "did you mean `move`?"),
    ("{act: move, to: f5}", "{act: move, too: f5}", "never-offered", "too", "did you mean `to`?"),
    ("{act: move, to: f5}", "{act: move, target: f5}", "never-offered", "target", "say `to`, `unit`"),
    (
        "{act: move, to: b5}",
        "{act: move, to: z9}",
        "never-offered",
        "z9",
        "the `rows` of the boards list the existing ones",
    ),
    ("{act: move, to: b5}", "{act: deploy, coin: Scuot}", "never-offered", "Scuot", "did you mean `Scout`?"),
    ("{act: move, to: b5}", "{act: tactic, then: atack}", "never-offered", "atack", "did you mean `attack`?"),
    (
        "    decides: raven\n",
        "    why not: {what: {act: atack}, mentions: x}\n",
        "never-offered",
        "atack",
        "did you mean `attack`?",
    ),
]


@pytest.mark.parametrize(("old", "new", "name", "at", "help"), WRONG_CASES)
def test_rulings(tmp_path: Path, old: str, new: str, name: str, at: str, help: str) -> None:
    assert old in CASES
    assert (name, at, help) in told(tmp_path, CASES.replace(old, new), [CASES.replace(*one[:2]) for one in WRONG_CASES])


def test_cards_carry_rulings_that_are_checked_too(tmp_path: Path) -> None:
    cases = CASES.split("cases:\n")[1].replace("act: attack", "act: atack")
    assert codes(lint_text(tmp_path, f"unit: Halberdier\ncoins: 4\nrulings:\n{cases}")) == ["never-offered"]


VAULT = """\
words: Vaults
verbs: {vault: {by: unit}}
---
action: Vault
rules: |
  to vault: choose an adjacent unit, then choose an empty space adjacent to that unit, then put this onto that space.
---
unit: Halberdier
coins: 4
tactic: |
  vault.
rulings:
  - name: It vaults
    source: our own
    position: {to_act: raven, units: [{at: f4, unit: Halberdier, owner: raven}], hand: {raven: [Halberdier]}}
    offered: [{act: vault, SAID}]
"""


@pytest.mark.parametrize(
    ("said", "help"),
    [
        ("to: f6", "say `chosen`, `unit`, `vault`"),
        ("unit: f4, to: f6", "say `chosen`, `vault`"),
        ("unit: f4, chosen: f5, vault: f6, to: f6", "leave it out"),
    ],
)
def test_help_on_a_wrong_key_lists_the_other_keys_of_its_act(tmp_path: Path, said: str, help: str) -> None:
    (found,) = lint_text(tmp_path, VAULT.replace("SAID", said))
    assert (found.name, found.help) == ("never-offered", help)


def test_a_question_why_not_may_call_an_act_by_its_verb(tmp_path: Path) -> None:
    asked = "    why not: {what: {act: use its tactic}, mentions: x}\n"
    assert told(tmp_path, CASES.replace("    decides: raven\n", asked)) == []


def test_acts_under_the_options_of_a_case_are_allowed(tmp_path: Path) -> None:
    words = "words: Mine\nverbs: {hop: {by: unit, is: maneuver}}\n"
    action = "action: Hop\nsource: x\nrules: |\n  to hop: do nothing.\n"
    layer = erratum("Hopping Scouts", of="Scout", text="hop.", option=option("hopping", "yes_please", "no_thanks"))
    cases = CASES.replace("royal_guard: revised", "hopping: yes_please").replace("act: move, to: f5", "act: hop")
    assert told(tmp_path, joined(words, action, layer.replace("replace", "add"), cases)) == []


@pytest.mark.parametrize("name", ["war-chest", "unigames"])
def test_options_of_games_have_no_findings(name: str) -> None:
    """No option of random play is found to be one that is never offered."""
    game = loaded.shipped(name)
    setups = [setup.name for setup in game.library.of_kind("setup")]
    looked = 0
    for seed in range(len(setups)):
        rng = Random(seed)
        options = {key: rng.choice(values) for key, values in game.choices.items()}
        sets = "all" if name == "war-chest" else None
        state = game.new(seed=seed, setup=setups[seed % len(setups)], options=options, sets=sets)
        words = sayable(state.variant, game.boards)
        for _ in range(25):
            if state.decision is None:
                break
            for one in state.decision.options:
                assert list(words.wrong(one.data)) == [], one.data
                looked += 1
            state.apply(state.decision.sample(rng))
    assert looked > 1000


# ---- boards, setups, pictures, bots, words

BOARD = """board: Mine
shape: hexes
setup: Mine
origin: a1
rows: {a: 1-9}
seats:
  - {name: raven, team: raven, colour: blue}
  - {name: wolf, team: wolf}
numbers: {markers: 4}
tags: {location: [a2]}
start: {controller: {raven: [a2]}}
---
setup: Mine
board: Mine
army limit: {number: coins, most: 30}
fill: {decree deck: decree}
armies: {raven: [Scout], wolf: [Knight]}
---
picture: Mine
pieces: [{key: units, at: at, name: unit, owner: owner, count: coins}]
rows: [{key: decrees, title: Decrees, name: name, marks: seals}]
tags: [{tag: location, title: location}]
facts: [{key: winner, title: Winner}]
labels: {Marshall: Mar}
colours: {blue: "#2f6db3"}
---
bots: Mine
eager: [control, tactic]
weights:
  - {owned: control, each: 3}
  - {pieces: units, count: coins, each: 1}
  - {pieces: units, toward: location, unless: control, each: 1}
---
phrases: Mine
questions: {"the active player uses a coin in the hand of the active player": play}
acts: {draw: "{player} draws {coin}"}
forced: [decline]
fields: {controller: "{of} goes to {value}", stale: {is: "", is not: ""}}
tokens: [{from: the board, to: box, say: "{token} of {whose} is gone"}]
pieces: {placed: "here is {piece}"}
"""

ROYAL = BOARD.replace("army limit", "options: {royal_guard: revised}\narmy limit")
"""The same with an option, which the game has by its errata."""


@pytest.mark.parametrize(
    ("old", "new", "name", "at", "help"),
    [
        ("setup: Mine\norigin", "setup: Mien\norigin", "undeclared", "Mien", "did you mean `Mine`?"),
        ("setup: Mine\norigin", "setup: Draft\norigin", "undeclared", "Draft", "there are `Mine`"),
        ("{name: wolf, team", "{name: raven, team", "repeated-item", "raven", DIFFER),
        ("{markers: 4}", "{markers: 4, stones: 3}", "unused-word", "stones", "use it, or take it out"),
        ("tags: {location: [a2]}", "tags: {locaton: [a2]}", "unused-word", "locaton", "did you mean `location`?"),
        (
            "tags: {location: [a2]}",
            "tags: {location: [a2], mud: [a1]}",
            "unused-word",
            "mud",
            "the game's document declares such nouns: `things: {mud: {is a: space, tag: mud}}`; there are nouns for "
            "`location`",
        ),
        ("start: {controller", "start: {controler", "undeclared", "controler", "did you mean `controller`?"),
        ("royal_guard: revised", "royal_gard: revised", "unknown-option", "royal_gard", "did you mean `royal_guard`?"),
        ("number: coins", "number: coinz", "undeclared", "coinz", "did you mean `coins`?"),
        ("raven: [Scout]", "raven: [March]", "unknown-name", "March", "for example `Archer` can be"),
        ("key: units, at", "key: unitz, at", "undeclared", "unitz", "did you mean `units`?"),
        ("count: coins}", "count: coinz}", "undeclared", "coinz", "did you mean `coins`?"),
        ("marks: seals", "marks: seal", "undeclared", "seal", "did you mean `seals`?"),
        ("tag: location, t", "tag: locaton, t", "undeclared", "locaton", "did you mean `location`?"),
        ("key: winner", "key: winer", "undeclared", "winer", "did you mean `winner`?"),
        ("Marshall: Mar", "Marshal: Mar", "unknown-name", "Marshal", "did you mean `Marshall`?"),
        ("{blue:", "{bleu:", "undeclared", "bleu", "did you mean `blue`?"),
        ("eager: [control", "eager: [contrl", "undeclared", "contrl", "did you mean `control`?"),
        ("owned: control", "owned: contrl", "undeclared", "contrl", "did you mean `control`?"),
        ("toward: location", "toward: locaton", "undeclared", "locaton", "did you mean `location`?"),
        (
            '{"the active player uses a coin',
            '{"the active player takes a coin',
            "undeclared",
            '"the active player takes a coin in the hand of the active player"',
            "write it literally as in the rules, in one line",
        ),
        ("acts: {draw", "acts: {drow", "undeclared", "drow", "did you mean `draw`?"),
        ("forced: [decline", "forced: [declin", "undeclared", "declin", "did you mean `decline`?"),
        ("fields: {controller", "fields: {controler", "undeclared", "controler", "did you mean `controller`?"),
        ("goes to {value}", "goes to {valeu}", "undeclared", '"{of} goes to {valeu}"', "did you mean `value`?"),
        ('is not: ""', 'is not: "{token}"', "undeclared", '"{token}"', "there are `of`, `value`"),
        ("to: box", "to: bxo", "undeclared", "bxo", "did you mean `box`?"),
        ("is {piece}", "is {pieces}", "undeclared", '"here is {pieces}"', "did you mean `piece`?"),
    ],
)
def test_boards_setups_pictures_bots_and_phrases(
    tmp_path: Path, old: str, new: str, name: str, at: str, help: str
) -> None:
    assert old in ROYAL
    text = (BOARD if old in BOARD else ROYAL).replace(old, new, 1)
    assert (name, at, help) in told_without(tmp_path, text, "royal")


def test_rulings_with_all_named_documents_have_no_findings(tmp_path: Path) -> None:
    assert told(tmp_path, joined(QUESTION, CASES, ROYAL)) == []


def test_a_card_is_dealt_once_where_nothing_limits_armies(tmp_path: Path) -> None:
    text = "setup: Mine\nboard: Two players\narmies: {raven: [Scout, Knight], wolf: [Scout]}\n"
    assert told(tmp_path, text) == [("repeated-item", "Scout", DIFFER)]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("adjectives: [rusty]", [("unused-word", "rusty")]),
        ("names: [spot]", [("unused-word", "spot")]),
        ("verbs: {dance: {by: unitt}}", [("unused-word", "dance"), ("undeclared", "unitt")]),
        ("verbs: {dance: {by: unit, is: mvoe}}", [("unused-word", "dance"), ("undeclared", "mvoe")]),
        ("verbs: {put: {by: unit}}", [("declared-twice", "put")]),
    ],
)
def test_words_that_designers_add(tmp_path: Path, words: str, wanted: list[tuple[str, str]]) -> None:
    assert [found[:2] for found in told(tmp_path, f"words: Mine\n{words}\n")] == wanted


def test_a_verb_that_designers_add_and_use_is_to_be_defined(tmp_path: Path) -> None:
    words = "words: Mine\nverbs: {dance: {by: unit}}\n---\nunit: Halberdier\ncoins: 4\ntactic: |\n  dance.\n"
    assert "verb-without-definition" in codes(lint_text(tmp_path, words))


# ---- the game's own document


def found_in_the_game(game: str, old: str, new: str) -> list[tuple[str, str]]:
    """Return the findings in the game's own document when something in it is changed; no text is checked."""
    text = (CARDS / game / "game.yaml").read_text(encoding="utf-8")
    assert old in text
    (document,) = from_source(Source("game.yaml", text.replace(old, new, 1)), read_schemas()).documents
    others = [one for one in loaded.documents(game).documents if one.kind != "game"]
    library = Library(documents=[document, *others])
    found = [
        *declaration_findings(library, document),
        *shape_findings(library, document, declared(library, document)),
        *place_findings(library, document),
        *set_findings(library, document),
        *block_findings(library, document),
    ]
    return [(one.name, one.span.text) for one in found if one.span is not None and one.file == "game.yaml"]


@pytest.mark.parametrize("game", ["war-chest", "unigames"])
def test_declarations_of_the_shipped_games_have_no_findings(game: str) -> None:
    assert found_in_the_game(game, "documents:", "documents:") == []


@pytest.mark.parametrize(
    ("game", "old", "new", "wanted"),
    [
        ("war-chest", "spaces: [sites]", "spaces: [sites, springs]", ("unused-word", "springs")),
        ("war-chest", "numbers: [coins]", "numbers: [coins, weight]", ("unused-word", "weight")),
        ("war-chest", "names: [gap]", "names: [gap, spot]", ("unused-word", "spot")),
        (
            "war-chest",
            "  opponent: {is a: player}",
            "  opponent: {is a: player}\n  rival: {is a: player}",
            ("unused-word", "rival"),
        ),
        (
            "war-chest",
            "  pool: {of: game",
            "  attic: {of: game, holds: card, seen by: all}\n  pool: {of: game",
            ("unused-word", "attic"),
        ),
        ("war-chest", "roused: {flag", "rusty: {flag: true, opposite: shiny}, roused: {flag", ("unused-word", "rusty")),
        ("war-chest", "{flag: true, opposite: calm}", "flag", ("undeclared", "flag")),
        ("war-chest", "{active player: player}", "{active player: unit}", ("wrong-kind", "unit")),
        (
            "war-chest",
            "unit: {roused: {flag: true,",
            "attack: {roused: {flag: true, until: turn,",
            ("wrong-kind", "until"),
        ),
        ("war-chest", "tactic: steps", "tactic: steps, feint: steps", ("unused-word", "feint")),
        ("war-chest", "sets: [base]", "sets: [bas]", ("undeclared", "bas")),
        ("war-chest", "setup: Random armies", "setup: Four players draft", ("undeclared", "Four players draft")),
        ("war-chest", "{field: stale, of: initiative}", "{feild: stale, of: initiative}", ("unknown-key", "feild")),
        ("war-chest", "{field: stale, of: initiative}", "{of: initiative}", ("missing-key", "initiative_moved")),
        ("war-chest", "{field: stale, of: initiative}", "{field: stale, of: initative}", ("undeclared", "initative")),
        ("war-chest", "usual: to_act", "usual: to_akt", ("undeclared", "to_akt")),
        ("war-chest", "tag: location, most", "tag: locaton, most", ("undeclared", "locaton")),
        ("war-chest", "most: markers", "most: marker", ("undeclared", "marker")),
        ("war-chest", "limit: limit", "limit: limits", ("undeclared", "limits")),
        ("unigames", "plurals: {", "plurals: {disabled: disableds, ", ("undeclared", "disabled")),
        ("unigames", "class: class}\n  ability", "class: clas}\n  ability", ("undeclared", "clas")),
        ("unigames", "abilities: ability}", "abilities: abilty}", ("undeclared", "abilty")),
        ("unigames", "heading: facing", "heading: facng", ("undeclared", "facng")),
        ("unigames", "decides: controller", "decides: controler", ("undeclared", "controler")),
        ("unigames", "kept: [damage", "kept: [damge", ("undeclared", "damge")),
        ("unigames", "kept: [damage", "kept: [busy, damage", ("wrong-kind", "busy")),
        ("unigames", "until: [stir, aid]", "until: [stirr, aid]", ("undeclared", "stirr")),
        ("unigames", "mind-control: Mind Control", "mind-control: Mind Contrl", ("unknown-name", "Mind Contrl")),
        ("unigames", "most: {mind-control", "most: {mind-contrl", ("undeclared", "mind-contrl")),
        ("unigames", "usual: {controller: owner}", "usual: {controller: ownr}", ("undeclared", "ownr")),
        ("unigames", 'sheet: {class: "", attack', 'sheet: {clas: "", attack', ("undeclared", "clas")),
        ("unigames", "documents: figure\n    sheet", "documents: figur\n    sheet", ("undeclared", "figur")),
    ],
)
def test_wrong_declarations_of_a_game_are_found(game: str, old: str, new: str, wanted: tuple[str, str]) -> None:
    assert found_in_the_game(game, old, new) == [wanted]


@pytest.mark.parametrize(
    ("named", "old", "new"),
    [
        ("war-chest/game.yaml", "{active player: player}", "{active player: playr}"),
        ("war-chest/game.yaml", "{active player: player}", "{active player: unit}"),
        ("war-chest/game.yaml", "armies: army", "armies: armie"),
        ("unigames/game.yaml", "documents: figure\n    sheet", "documents: figur\n    sheet"),
        ("war-chest/boards/two-players.yaml", "name: wolf, team: wolf", "name: wolf, team: woolf"),
        ("war-chest/boards/two-players.yaml", "raven: [e2, h1]", "raven: [e2, h9]"),
    ],
)
def test_a_wrong_declaration_brings_no_findings_in_texts_that_rest_on_it(
    tmp_path: Path, named: str, old: str, new: str
) -> None:
    document = tmp_path / named
    folder = tmp_path / Path(named).parts[0]
    copytree(CARDS / folder.name, folder)
    text = document.read_text(encoding="utf-8")
    document.write_text(text.replace(old, new, 1), encoding="utf-8")
    (found,) = findings_in([folder])
    assert found.file == str(document) and found.span is not None and found.span.text in new
