"""Bad input: a finding with a file, a place and a hint, and the right exit code."""

from __future__ import annotations

import os
import shutil
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from lint_support import (
    CARD,
    CARDS,
    attribute,
    codes,
    lint_among,
    lint_on,
    lint_text,
    lint_together,
    run,
    small_game,
    sound,
    tactic,
    usual_texts,
)

from remembered import remember_files
from warchest.lint.wc_lint import findings_in

# ---- files


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a small game: in files that are no cards the same is found on top of any."""
    return f"{small_game(tmp_path_factory.mktemp('small'))}/"


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0", "not-text", 2),
        (b"unit: Caf\xe9\n", "not-text", 2),
        (b"", "empty-file", 2),
        (b"# nothing\n", "empty-file", 1),
        (b"a: 1\n" * 300_000, "file-too-large", 2),
        (b"[" * 100_000, "nesting-too-deep", 1),
        (b"unit:\n" + b"".join(b" " * depth + b"a:\n" for depth in range(1, 300)), "nesting-too-deep", 1),
        (b"unit: [\n", "yaml-syntax", 1),
        (b"unit: A\n\tcoins: 4\n", "tab-indentation", 1),
        (b"unit: &x A\ncoins: 4\n", "yaml-anchor", 1),
        (b"just a text\n", "not-a-document", 1),
        (b"- 1\n", "not-a-document", 1),
        (b"{}\n", "not-a-document", 1),
        (b"knight: A\n", "unknown-kind", 1),
        (b"\xef\xbb\xbf" + CARD.encode(), "byte-order-mark", 1),
    ],
)
def test_a_file_without_a_card_gets_a_finding(
    tmp_path: Path, small: str, capsys: pytest.CaptureFixture[str], data: bytes, name: str, code: int
) -> None:
    file = tmp_path / "card.yaml"
    file.write_bytes(data)
    got, found = run(capsys, "--game", small, file)
    assert (got, found[0]["name"], found[0]["file"]) == (code, name, str(file))


def test_a_path_without_cards_gets_a_finding(tmp_path: Path, small: str, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    for path, name in ((tmp_path / "no.yaml", "unreadable-file"), (empty, "no-documents"), (pipe, "not-a-file")):
        code, (found,) = run(capsys, "--game", small, path)
        assert (code, found["name"], found["file"]) == (2, name, str(path))


def test_a_good_file_beside_one_that_cannot_be_read(
    tmp_path: Path, small: str, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tmp_path / "good.yaml"
    good.write_text(CARD, encoding="utf-8")
    code, (found,) = run(capsys, "--game", small, good, tmp_path / "no.yaml")
    assert (code, found["name"]) == (1, "unreadable-file")


def test_a_file_that_may_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "card.yaml"
    file.write_text(CARD, encoding="utf-8")
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("this user may read everything")
    assert run(capsys, file)[0] == 2


def test_a_block_with_endless_mistakes_is_cut_short(tmp_path: Path) -> None:
    found = lint_text(tmp_path, tactic(*["blorp."] * 4_000))
    assert "too-many-findings" in codes(found) and len(found) < 100


def test_thousands_of_rules_that_are_wrong_take_no_longer_each(tmp_path: Path) -> None:
    """With ten times the rules it takes some ten times as long, and not a hundred times."""
    taken = []
    for count in (200, 2000):
        text = CARD + "attribute: |\n  " + "the limit of this is 2. " * count + "\n"
        begun = process_time()
        found = lint_text(tmp_path, text)
        taken.append(process_time() - begun)
        assert set(codes(found)) == {"declared-twice"}
    assert taken[1] < 30 * taken[0]


def test_one_sentence_of_many_thousand_words_is_reported_at_once(tmp_path: Path) -> None:
    begun = process_time()
    for text in (
        attribute("the limit of this is 1" + " + 1" * 20_000 + "."),
        tactic("either pass" + ", or pass" * 9_000 + "."),
        tactic("if it is bolstered" + " and it is own" * 6_000 + ", pass."),
    ):
        (found,) = lint_text(tmp_path, text)
        assert found.name == "syntax-error" and "more than 300 words" in found.message
    assert process_time() - begun < 30


def test_a_very_deep_sentence(tmp_path: Path) -> None:
    deep = "if this is bolstered, " * 3000 + "move."
    long = "the space of " * 3000 + "this becomes bolstered."
    for sentence in (deep, long):
        found = lint_text(tmp_path, tactic(sentence))
        sound(found)
        assert found


# ---- cards


NAMES = "a name is the printed name of a document, as its first line gives it"
FIRST = "the kind and the name come first: move `unit: …` to the first line"
ERRATUM = "errata: Mine\nruling: x\namends: {kind: unit, name: Scout}\nadd:\n  tactic: |\n    move.\n"
RULING = "rulings: Mine\ncases:\n  - name: x\n    position: {%s}\n    decides: raven\n"
SETUP = "setup: Mine\nboard: Two players\n"


MISTAKES = [
    ("unit: Halberdier\ncoins: '4'\n", "wrong-type", "'4'", "write `4`, without quotes"),
    ("coins: 4\nunit: Halberdier\n", "unknown-kind", "coins", FIRST),
    ("unit: Halberdier\ncoins: 4\nsorce: x\n", "unknown-key", "sorce", "did you mean `source`?"),
    (tactic("moev."), "unknown-word", "moev", "did you mean `move`?"),
    (attribute("this cannot attack a Light Cavlry."), "unknown-name", "Light Cavlry", "did you mean `Light Cavalry`?"),
    (attribute("this cannot attack a Griffin."), "unknown-name", "Griffin", NAMES),
    (tactic("Moev."), "unknown-word", "Moev", "did you mean `move`?"),
    (tactic("move to a Space."), "unknown-name", "Space", "write the word in small letters"),
    (tactic("move then attack."), "unknown-word", "then", "write a comma before it: `…, then …`"),
    (tactic("move twice."), "syntax-error", ".", None),
    (attribute("they cannot attack."), "unknown-word", "they", "name the thing as in `that …`"),
    (
        attribute("this can move to a space within two spaces of this."),
        "syntax-error",
        "can",
        "say `this may move …`, or `no … can …` for a prohibition",
    ),
    (tactic("move", "attack a target adjacent to this."), "missing-full-stop", "move", "end it here: `move.`"),
    (tactic("move to an adjacent space"), "missing-full-stop", "e", "end every sentence with `.`"),
    ("setup: Mine\nboard: Three players\n", "no-such-document", "Three players", "did you mean `Two players`?"),
    (SETUP + "armies:\n  ravn: [Scout]\n", "not-on-the-board", "ravn", "did you mean `raven`?"),
    (SETUP + "armies:\n  raven: [Scuot]\n", "unknown-name", "Scuot", "did you mean `Scout`?"),
    (ERRATUM.replace("Scout", "Scuot"), "no-such-document", "{kind: unit, name: Scuot}", "did you mean `Scout`?"),
    (ERRATUM.replace("tactic", "tactc"), "unused-layer", "tactc", "did you mean `tactic`?"),
    (RULING % "units: [{at: z9, unit: Scout, owner: raven}]", "not-on-the-board", "z9", None),
    (RULING % "hand: {raven: [Scuot]}", "unknown-name", "Scuot", "did you mean `Scout`?"),
]


@pytest.mark.parametrize(("text", "name", "at", "help"), MISTAKES)
def test_a_mistake_gets_a_place_and_a_hint(tmp_path: Path, text: str, name: str, at: str, help: str | None) -> None:
    found = lint_among(tmp_path, text, [one for one, *_ in MISTAKES])
    sound(found)
    first = found[0]
    assert first.span is not None
    assert (first.name, first.span.text) == (name, at), [(one.name, one.span) for one in found]
    assert first.help == help if help is not None else first.help
    assert len(found) == 1 or "coins" in text, codes(found)


def test_two_cards_with_one_name(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(CARD, encoding="utf-8")
    (tmp_path / "two.yaml").write_text(CARD, encoding="utf-8")
    (found,) = findings_in([tmp_path], usual_texts())
    assert found.name == "duplicate-name" and found.file.endswith("two.yaml")
    assert [label.span.path for label in found.labels] == [str(tmp_path / "one.yaml")]
    assert codes(findings_in([tmp_path / "two.yaml"], usual_texts())) == []


def test_a_second_card_of_a_shipped_name(tmp_path: Path) -> None:
    assert codes(lint_text(tmp_path, CARD.replace("Halberdier", "Scout"))) == ["duplicate-name"]


# ---- several mistakes


def test_one_bad_sentence_leaves_the_others_alone(tmp_path: Path) -> None:
    sentences = ("blorp.", "move.", "attack an empty space.", "move to a spce.", "this cannot move.")
    found = lint_text(tmp_path, tactic(*sentences))
    assert codes(found) == ["unknown-word", "wrong-kind", "unknown-word", "rule-among-steps"]
    found = lint_text(tmp_path, attribute("otherwise, move.", "move.", "blorp.", "this cannot put a coin into a bag."))
    assert codes(found) == ["otherwise-without-if", "step-among-rules", "unknown-word", "undeclared-verb"]


def test_consequences_of_an_unreadable_sentence_are_not_reported(tmp_path: Path) -> None:
    text = tactic("choose anothr friendly unit within 2 spaces of this.", "that unit moves to an adjacent space.")
    assert codes(lint_text(tmp_path, text)) == ["unknown-word"]
    text = tactic("choose an empty Scout.", "it moves to an adjacent space.")
    assert len(lint_text(tmp_path, text)) == 1
    assert codes(lint_text(tmp_path, tactic("if this is blorp, move.", "otherwise, attack."))) == ["unknown-word"]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the game whose own document may be spoilt, without its rulings and with one of its errata."""
    folder = tmp_path_factory.mktemp("copy") / "war-chest"
    others = [file.name for file in (CARDS / "war-chest" / "errata").iterdir() if file.stem != "mercenary-at-the-end"]
    shutil.copytree(CARDS / "war-chest", folder, ignore=shutil.ignore_patterns("rulings", "questions", *others))
    remember_files(folder)
    return folder


def _broken_game(folder: Path, old: str, new: str) -> list[str]:
    text = (CARDS / "war-chest" / "game.yaml").read_text(encoding="utf-8")
    assert old in text
    (folder / "game.yaml").write_text(text.replace(old, new), encoding="utf-8")
    return [f"{one.name} {one.span.text if one.span else ''}" for one in findings_in([folder])]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("a unit is friendly when", "a unit is friendly whn", ["unknown-word whn"]),
        (
            "a unit is friendly when the team",
            "a unit is friendly when the hand",
            ["no-such-attribute the hand of its owner"],
        ),
        ("to lose a coin: put", "to lose a coin: putt", ["unknown-word putt"]),
        ("a unit is friendly when the team of its owner is your team.", "", ["undefined-word friendly"]),
        ("setup: Random armies", "setup: Randm armies", ["undeclared Randm armies"]),
        ("  a target is an", "  a unit is rusty when its hand is 2.\n  a target is an", None),
        ("{is any: [unit, fort]}", "{is any: [unit, target]}", None),
        ("past: lost", "past: lost, is: blorp", ["undeclared blorp"]),
        ("bolstered, unbolstered", "bolstered, rusty, unbolstered", ["unused-word rusty"]),
        ("    lose: {by", "    dance: {by: unit}\n    lose: {by", ["unused-word dance"]),
        ("    lose: {by", "    put: {by: unit}\n    lose: {by", ["declared-twice put"]),
        ("game: war-chest\n", "game: war-chest\nblorp: 1\n", ["unknown-key blorp"]),
    ],
)
def test_a_mistake_in_the_game_is_reported_once(copied: Path, old: str, new: str, wanted: list[str] | None) -> None:
    found = _broken_game(copied, old, new)
    if wanted is not None:
        assert found == wanted
    assert found and len(found) == len(set(found))


def test_a_card_that_is_broken_does_not_make_its_name_unknown(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text("unit: Halberdier\ncoins: many\n", encoding="utf-8")
    (tmp_path / "two.yaml").write_text("unit: Griffin\ncoins: [\n", encoding="utf-8")
    text = attribute("this cannot attack a Halberdier.", "this cannot attack a Griffin.")
    (tmp_path / "three.yaml").write_text(text.replace("unit: H", "unit: Second H"), encoding="utf-8")
    assert codes(findings_in([tmp_path], usual_texts())) == ["wrong-type", "yaml-syntax"]


def test_a_definition_that_no_text_uses_is_checked(tmp_path: Path) -> None:
    found = lint_text(tmp_path, attribute("a unit is stuck when its hand is 2."))
    assert codes(found) == ["no-such-attribute"]


def test_definitions_that_unfold_without_end_are_refused(tmp_path: Path) -> None:
    names = [f"q{chr(97 + number)}" for number in range(25)]
    rules = [f"a player is {one} when it is {two} and it is {two}." for two, one in pairwise(names)]
    text = f"game: bomb\ndocuments: {{}}\nthings: {{}}\nwords: {{adjectives: [{', '.join(names)}]}}\n"
    text += "play: |\n  end the game.\nrules: |\n  a player is qa when its team is its team.\n  "
    found = lint_text(tmp_path, text + "\n  ".join(rules) + "\n")
    sound(found)
    assert set(codes(found)) == {"nesting-too-deep"}


LAYERS = (("a", "Scout"), ("b", "Knight"))


def test_every_choice_of_options_is_checked(tmp_path: Path) -> None:
    layer = (
        "errata: Mine {}\nruling: x\noption: {{name: {}, value: changed, otherwise: plain}}\n"
        "amends: {{kind: unit, name: {}}}\nadd:\n  tactic: |\n    blorp{}.\n"
    )
    text = "---\n".join(layer.format(name.upper(), name, unit, name) for name, unit in LAYERS)
    assert codes(lint_text(tmp_path, text)) == ["unknown-word", "unknown-word"]


@pytest.mark.parametrize(("verb", "found"), [("move", []), ("mvoe", ["unknown-word"])])
def test_a_layer_of_the_game_itself_is_checked_with_all_of_the_game(
    tmp_path: Path, verb: str, found: list[str]
) -> None:
    layer = "errata: Mine\nruling: x\namends: {kind: game, name: war-chest}\nadd:\n  rules: |\n    "
    assert codes(lint_text(tmp_path, f"{layer}a unit cannot {verb} while it is bolstered.\n")) == found


@pytest.mark.parametrize("written", ["move.", "'move.'", '"move."', "mvoe to the moon", "move.\n    attack."])
def test_a_text_of_rules_that_is_no_block_is_not_passed_over(tmp_path: Path, written: str) -> None:
    for number, text in enumerate(
        (
            f"unit: Halberdier\ncoins: 4\ntactic: {written}\n",
            ERRATUM.replace("|\n    move.", written),
            f"action: Mine\nrules: {written}\n",
            f"{SETUP}steps: {written}\n",
        )
    ):
        (tmp_path / f"{number}.yaml").write_text(text, encoding="utf-8")
    found = findings_in([tmp_path], usual_texts())
    assert [Path(one.file).stem for one in found] == list("0123") and set(codes(found)) == {"unmarked-text"}


def test_no_two_documents_that_coins_can_be_of_have_one_name(tmp_path: Path) -> None:
    assert codes(lint_text(tmp_path, "unit: Royal Coin\ncoins: 4\n")) == ["duplicate-name"]


WORDS = {
    "move": "choose another name",
    "coin": "choose another name",
    "coins": None,
    "the": None,
    "if able": None,
    "the Archer": None,
    "own unit": None,
}
"""Names that are words, each with the help that is given."""


def test_a_name_that_is_a_word_is_the_only_finding_and_at_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {name: f"unit: {name}\ncoins: 4\ntactic: |\n  move.\n" for name in WORDS}
    good = tactic("attack a target exactly 2 spaces away.")
    told = lint_together((*texts.values(), good), "")
    assert told[good] == []
    for name, help in WORDS.items():
        (found,) = told[texts[name]]
        assert found.span is not None
        assert (found.name, found.span.text) == ("name-is-a-word", name)
        assert help is None or found.help == help, name
    (tmp_path / "bad.yaml").write_text(texts["move"], encoding="utf-8")
    (tmp_path / "good.yaml").write_text(good, encoding="utf-8")
    assert run(capsys, "--game", usual_texts(), tmp_path / "bad.yaml")[0] == 1
    (found,) = findings_in([tmp_path], usual_texts())
    assert found.file.endswith("bad.yaml")


CAPITALIZED = ("The Coin", "X", "Archer of Old", "Move Fast")
TAKEN = ("Move", "Coin", "royal coin", "Knights", "ATTACK", "Royal Coins", "Two")
CAPITALS = [CARD.replace("Halberdier", name) for name in CAPITALIZED]


@pytest.mark.parametrize("text", CAPITALS)
def test_a_name_with_a_capital_is_no_word(tmp_path: Path, text: str) -> None:
    assert lint_among(tmp_path, text, CAPITALS, named="") == []


def test_a_name_that_is_a_word_in_other_letters_is_refused_at_its_card_alone(tmp_path: Path) -> None:
    texts = [CARD.replace("Halberdier", name) for name in TAKEN]
    good = tactic("Attack a target exactly 2 spaces away.")
    told = lint_together((*texts, good), "")
    assert told[good] == []
    for name, text in zip(TAKEN, texts, strict=True):
        (found,) = told[text]
        assert found.span is not None and (found.name, found.span.text) == ("name-is-a-word", name)


def test_documents_of_two_kinds_that_a_text_can_take_for_each_other(tmp_path: Path) -> None:
    (found,) = lint_text(tmp_path, CARD.replace("Halberdier", "Sacrifice"))
    assert found.span is not None and (found.name, found.span.text) == ("duplicate-name", "Sacrifice")
    assert "of kind `decree` and `unit`" in found.message
    assert [Path(label.span.path).name for label in found.labels] == ["sacrifice.yaml"]


def test_every_board_is_checked(tmp_path: Path) -> None:
    board = (
        "board: {}\nshape: hexes\norigin: a1\nrows: {{a: 1-3}}\n"
        "seats:\n  - {{name: raven, team: raven}}\nnumbers: {{{}: 1}}\n"
    )
    (tmp_path / "boards.yaml").write_text(
        "game: small\ndocuments: {}\nthings: {}\nwords: {}\nplay: |\n  if the rocks is 1, end the game.\n---\n"
        + board.format("One", "rocks")
        + "---\n"
        + board.format("Two", "trees"),
        encoding="utf-8",
    )
    # The word of the one board is none on the other, and no text uses that of the other.
    assert codes(findings_in([tmp_path])) == ["unknown-word", "unused-word"]


def test_a_game_none_of_whose_documents_has_a_sheet(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "game: small\ndocuments: {action: {blocks: {rules: rules}}}\nthings: {}\nwords: {verbs: {dawn: {by: game}}}\n"
        "play: |\n  dawn.\n---\naction: Dawn\nrules: |\n  to dawn: end the game.\n",
        encoding="utf-8",
    )
    assert findings_in([tmp_path]) == []


def test_boards_that_are_checked_at_once_stay_apart(tmp_path: Path) -> None:
    """Setups of one name on two boards are no repetition, and a fault on one board is reported once."""
    mine = "setup: Mine\nboard: {}\nsteps: |\n  {}\n"
    two, four = mine.format("Two players", "unbox."), mine.format("Four players", "unbox.")
    assert lint_text(tmp_path, two + "---\n" + four) == []
    wrong = mine.format("Four players", "flip the blorp.")
    assert codes(lint_text(tmp_path, two + "---\n" + wrong)) == ["unknown-word"]


def test_a_name_that_only_an_ability_may_share_with_an_act_is_reported_once(tmp_path: Path) -> None:
    sheet = "class: Warrior\nattack: 1\ndefense: 1\nmove: 1\ncost: 1\nabilities: []\n"
    found = lint_on("unigames", tmp_path, f"figure: Boost\n{sheet}")
    assert [one.name for one in found if one.span and one.span.text == "Boost"] == ["duplicate-name"]
