"""`wc-lint --fix`: slips of form are corrected to the text that was meant, and nothing else is changed."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

import pytest
from lint_support import CARD, attribute, tactic
from slips_of_form import Slip, slips

from linted import usual_texts
from seeds import seeds
from warchest.cli.main import main as command
from warchest.diagnostics.diagnostic import Edit, Fix
from warchest.diagnostics.edits import apart, edited, moved
from warchest.lint.fixing.mending import Mended, mended
from warchest.lint.jobs import jobs
from warchest.lint.wc_lint import main
from warchest.source.limits import MAX_BYTES
from warchest.source.text import Source

CASES = 90
"""The number of slips that are made with a seed."""
SHARE = 0.6
"""The least share of them that must be corrected to the text that was meant."""


def put_right(folder: Path, texts: list[str], unsafe: bool = False) -> list[str]:
    """The texts of some cards after their fixes."""
    files = [folder / f"{number}.yaml" for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_bytes(text.encode())
    done: list[Mended] = [mended(one, unsafe) for one in jobs([folder], usual_texts(), ())]
    changed = {path: after for one in done for path, (_, after) in one.texts.items()}
    return [changed.get(str(file), text) for file, text in zip(files, texts, strict=True)]


@pytest.mark.parametrize("seed", seeds(1, "fixes"))
def test_slips_are_corrected_as_meant_or_left_alone(seed: int) -> None:
    made = slips(seed, CASES)
    with tempfile.TemporaryDirectory() as folder:
        after = put_right(Path(folder), [one.text for one in made])
    right = [one.meant == text for one, text in zip(made, after, strict=True)]
    assert sum(right) >= SHARE * CASES
    wrong = [(one.sort, text) for one, text in zip(made, after, strict=True) if _is_wrong(one, text)]
    assert wrong == []


MORE = {
    "move 2 spaces, then attack.": "move to a space exactly 2 spaces away, then attack.",
    "attack, then move up to 2 spaces.": "attack, then move to a space within 2 spaces of this.",
    "if this is bolstered, move 2 spaces. otherwise, move.": (
        "if this is bolstered, move to a space exactly 2 spaces away. otherwise, move."
    ),
    "you may discard a coin in your hand, then move 2 spaces.": (
        "you may discard a coin in your hand, then move to a space exactly 2 spaces away."
    ),
    "either move 2 spaces, or attack.": "",
    "move up to 3 spaces in a straight line through open spaces.": "",
}
"""Orders in sentences that say more, with the sentences after fixes; empty if there is no fix that keeps the rest."""


def test_fixes_keep_the_rest_of_a_sentence(tmp_path: Path) -> None:
    texts = [tactic(said) for said in MORE]
    wanted = [tactic(meant or said) for said, meant in MORE.items()]
    assert put_right(tmp_path, texts) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "after this moves to a space adjacent to an enemy unit, it may attack that unit.",
        "when an adjacent friendly unit is attacked, this may attack the unit that attacks that unit.",
        "when a friendly unit is attacked, this may attack the unit that attacks it.",
    ],
)
def test_no_fix_puts_this_or_the_attacked_unit_in_place_of_another_one(said: str, tmp_path: Path) -> None:
    assert put_right(tmp_path, [attribute(said)], unsafe=True) == [attribute(said)]


KINDS = {
    "an article": ("attack a enemy unit. move to an space.", "attack an enemy unit. move to a space."),
    "a retired word before an article": ("move to an hex.", "move to a space."),
    "a plural": ("move to a space exactly 2 space away.", "move to a space exactly 2 spaces away."),
    "a singular": ("choose any units. that unit moves.", "choose any unit. that unit moves."),
    "all of a way": (
        "move to a space exactly 2 spaces away through all open spaces.",
        "move to a space exactly 2 spaces away through open spaces.",
    ),
    "another noun": (
        "choose an adjacent target. that unit loses a coin.",
        "choose an adjacent target. that target loses a coin.",
    ),
    "an idle adjective": (
        "choose an adjacent target. attack that adjacent target.",
        "choose an adjacent target. attack that target.",
    ),
    "an idle ordinal": ("choose an adjacent unit. attack the first unit.", "choose an adjacent unit. attack the unit."),
    "this space": ("if this space is a location, attack.", "if the space of this is a location, attack."),
    "a comma": ("if this is bolstered attack.", "if this is bolstered, attack."),
    "two steps": ("move, attack.", "move, then attack."),
    "a part behind": ("move until this is bolstered.", "until this is bolstered, move."),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_slip_is_corrected_as_meant(kind: str, tmp_path: Path) -> None:
    wrong, right = (tactic(*one.replace(". ", ".\n").split("\n")) for one in KINDS[kind])
    assert put_right(tmp_path, [wrong]) == [right]


UNSAFE = {
    # More than one text can be meant, or the new one means something else.
    "attack 2 targets.": "attack 2 targets.",
    "attack all targets.": "attack all targets.",
    "all unit adjacent to this loses a coin.": "all unit adjacent to this loses a coin.",
    "move to a space exactly 2 spaces away through no open space.": (
        "move to a space exactly 2 spaces away through no open space."
    ),
    "attack unless you discard a coin in your hand.": "either discard a coin in your hand, or attack.",
}
"""Sentences with the text that --unsafe-fixes makes of them."""
HOOKS = {
    "after this attacks, that unit moves.": "after this attacks, that unit moves.",
    "after this attacks a unit, it loses a coin.": "after this attacks a unit, it loses a coin.",
    "when this attacks, move instead.": "when this would attack, move instead.",
    "when this would attack, move.": "when this would attack, move instead.",
    "units cannot attack this.": "a unit cannot attack this.",
}


@pytest.mark.parametrize("given", [*UNSAFE, *HOOKS])
def test_ambiguous_slips_are_not_corrected_unasked(given: str, tmp_path: Path) -> None:
    card, after = (tactic, UNSAFE[given]) if given in UNSAFE else (attribute, HOOKS[given])
    assert put_right(tmp_path, [card(given)]) == [card(given)]
    assert put_right(tmp_path, [card(given)], unsafe=True) == [card(after)]


def rules_of(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """The rules of a card on top of the shipped game, as they are read back from its sentences."""
    folder.mkdir(exist_ok=True)
    (folder / "rules.yaml").write_text(text, encoding="utf-8")
    assert command(["read", "Halberdier", "--game", usual_texts(), "--cards", str(folder), "--format", "json"]) == 0
    return [one["reading"] for one in json.loads(capsys.readouterr().out)]


READABLE = {
    "article": CARD + "tactic: |\n  attack a enemy unit.\n",
    "note": CARD + "tactic: |\n  attack.  # wc-lint: ignore[WC413] because so\n",
    "declaration": CARD + "tactic: |\n  attack.\n---\nwords: Idle\nfields: {unit: {rage: number, scars: number}}\n",
    "mark": "\ufeff" + CARD + "tactic: |\n  attack.\n",
}


@pytest.mark.parametrize("name", READABLE)
def test_a_safe_fix_of_a_readable_text_keeps_its_rules(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (after,) = put_right(tmp_path, [READABLE[name]])
    assert after != READABLE[name]
    before = rules_of(tmp_path / "before", READABLE[name], capsys)
    assert before == rules_of(tmp_path / "after", after, capsys) != []


def _is_wrong(slip: Slip, after: str) -> bool:
    """Whether a slip was corrected to a text that was not meant."""
    return after not in (slip.text, slip.meant)


def test_several_slips_in_a_card_are_put_right_one_after_the_other(tmp_path: Path) -> None:
    text = (
        "unit: Probe\ncoins: four\ntactic: |\n  this atacks an enmy unit\nattribute: after this moves, it may moves.\n"
    )
    assert put_right(tmp_path, [text]) == [
        "unit: Probe\ncoins: 4\ntactic: |\n  this attacks an enemy unit.\n"
        "attribute: |\n  after this moves, it may move.\n"
    ]


def test_comments_and_line_ends_stay(tmp_path: Path) -> None:
    text = "# first\r\nunit: Probe  # name\r\ncoins: four # many\r\ntactic: mve.\r\n# last\r\n"
    assert put_right(tmp_path, [text]) == [
        "# first\r\nunit: Probe  # name\r\ncoins: 4 # many\r\ntactic: |\r\n  move.\r\n# last\r\n"
    ]


def test_a_slip_that_is_made_again_and_again_is_put_right_everywhere(tmp_path: Path) -> None:
    wrong = "unit: Probe\ncoins: four\ntactic: |\n" + "  atack. mve.\n" * 40
    assert put_right(tmp_path, [wrong]) == [
        wrong.replace("atack", "attack").replace("mve", "move").replace("four", "4")
    ]


@pytest.mark.parametrize(
    "declared",
    [
        "fields: {unit: {rage: number, scars: number}}",
        "fields:\n  unit:\n    rage: number\n    scars: number",
        "names: [rival]",
        "names:\n  - rival",
        "names: [rival]\nfields: {unit: {rage: number}}",
    ],
)
def test_declarations_that_nothing_uses_are_taken_out(declared: str, tmp_path: Path) -> None:
    card = CARD + "tactic: |\n  attack.\n---\n# mine\nwords: Idle\n"
    assert put_right(tmp_path, [f"{card}{declared}\n"]) == [card]


def test_a_slip_with_two_fitting_words_is_left_alone(tmp_path: Path) -> None:
    text = CARD + "attribute: |\n  when an adjacent unit attacks this, tht unit loses a coin.\n"
    assert put_right(tmp_path, [text]) == [text]


def test_a_warning_is_put_right_only_where_that_is_asked_for(tmp_path: Path) -> None:
    text = CARD + "set: nobilty\ntactic: |\n  move.\n"
    assert put_right(tmp_path, [text]) == [text]
    assert put_right(tmp_path, [text], unsafe=True) == [text.replace("nobilty", "nobility")]


def test_files_are_written_only_with_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "probe.yaml"
    wrong, right = CARD + "tactic: |\n  mve.\n", CARD + "tactic: |\n  move.\n"
    file.write_text(wrong, encoding="utf-8")
    file.chmod(0o640)
    assert main([str(file)]) == 1
    assert "1 fixable with --fix" in capsys.readouterr().err
    assert main(["--diff", str(file)]) == 1
    assert "-  mve.\n+  move.\n" in capsys.readouterr().out
    assert main(["--format", "json", str(file)]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    edit = {"line": 4, "column": 3, "end_line": 4, "end_column": 6, "text": "move"}
    assert found["fix"] == {"safe": True, "edits": [edit]}
    assert file.read_text(encoding="utf-8") == wrong
    assert main(["--fix", str(file)]) == 0
    assert "1 fixed" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == right and file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_cannot_be_written_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    file = folder / "probe.yaml"
    file.write_text(CARD + "tactic: |\n  mve.\n", encoding="utf-8")
    folder.chmod(0o500)
    try:
        try:
            (folder / "probe").touch()
        except OSError:
            assert main(["--fix", str(file)]) == 2
            assert "it stays as it was" in capsys.readouterr().err
    finally:
        folder.chmod(0o700)


WRONG, RIGHT = CARD + "tactic: |\n  mve.\n", CARD + "tactic: |\n  move.\n"


def test_a_read_only_file_stays_and_the_others_are_put_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    locked, other = tmp_path / "a.yaml", tmp_path / "b.yaml"
    locked.write_text(WRONG, encoding="utf-8")
    other.write_text(WRONG.replace("Halberdier", "Fusilier"), encoding="utf-8")
    locked.chmod(0o444)
    assert main(["--fix", str(tmp_path)]) == 2
    assert capsys.readouterr() == ("", f"wc-lint: {locked}: the file is read-only; it stays as it was\n")
    assert locked.read_text(encoding="utf-8") == WRONG
    assert other.read_text(encoding="utf-8") == RIGHT.replace("Halberdier", "Fusilier")
    locked.write_text("unit:   A\n", encoding="utf-8")
    assert main(["fmt", str(locked)]) == 2
    assert f"{locked}: the file is read-only; it stays as it was" in capsys.readouterr().err


def test_the_file_that_a_link_leads_to_is_put_right(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text(WRONG, encoding="utf-8")
    (tmp_path / "card.yaml").symlink_to("real.txt")
    assert main(["--fix", str(tmp_path / "card.yaml")]) == 0
    assert (tmp_path / "card.yaml").is_symlink() and (tmp_path / "real.txt").read_text(encoding="utf-8") == RIGHT


ODD = {
    b"\xef\xbb\xbfunit: Probe\r\ncoins: four\r\ntactic: mve.\n": b"unit: Probe\r\ncoins: 4\r\ntactic: |\r\n  move.\n",
    b"unit: Probe\ncoins: 4\ntactic: |\r\n\tmve.\r\n": b"unit: Probe\ncoins: 4\ntactic: |\r\n  move.\r\n",
    b"unit: Probe\ncoins: 4\ntactic: mve.": b"unit: Probe\ncoins: 4\ntactic: |\n  move.",
}


@pytest.mark.parametrize("given", ODD)
def test_signs_and_line_ends_are_put_right(given: bytes, tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_bytes(given)
    main(["--fix", str(tmp_path / "card.yaml")])
    assert (tmp_path / "card.yaml").read_bytes() == ODD[given]


GIVEN = {
    b"unit: Probe\r\ncoins: four\r\n": (0, b"unit: Probe\r\ncoins: 4\r\n"),
    b"unit: Probe\ntactic: |\n  blorp.\n": (1, b"unit: Probe\ntactic: |\n  blorp.\n"),
    b"unit: \xff\r\n": (2, b"unit: \xff\r\n"),
    b"unit: A\x1b[0m\n": (1, b"unit: A\x1b[0m\n"),
    b"": (2, b""),
}


@pytest.mark.parametrize("given", GIVEN)
def test_standard_input_is_put_right_or_handed_back_as_it_was(
    given: bytes, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert (main(["--isolated", "--fix", "-"]), capsysbinary.readouterr().out) == GIVEN[given]


def test_bad_standard_input_is_reported_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for data, said in ((b"unit: \xff", "byte 0xff in line 1 is not UTF-8"), (b"a" * (MAX_BYTES + 1), "is larger than")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main(["--isolated", "--format", "concise", "-"]) == 2
        assert said in "".join(capsys.readouterr())


def test_edits_are_carried_out_together_only_apart() -> None:
    source = Source("a", "one two three")
    first, second = Fix.put(source.span(0, 3), "1"), Fix.put(source.span(8, 13), "3")
    between = Fix.put(source.span(3, 5), "")
    assert apart([second, between, first]) == [first, second]
    edits: list[Edit] = [*first.edits, *second.edits]
    assert edited(source.text, edits) == "1 two 3"
    assert moved(edits) == [(0, 1), (6, 7)]
