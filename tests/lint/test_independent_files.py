"""The cache makes no difference: after any edits the findings are those of a full check."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from linted import usual_texts
from warchest.lint import run
from warchest.lint.jobs import Job, jobs
from warchest.lint.sentences import texts
from warchest.lint.wc_lint import main
from warchest.resolve import parsed_blocks
from warchest.resolve.resolve import read_all
from warchest.source.cache import NAMED_BY, Cache

_CARDS = {
    "plain": "unit: Plain Rider\ncoins: 4\ntactic: |\n  move.\n  attack.\n",
    "hook": "unit: Eager Rider\ncoins: 5\nattribute: |\n  after this attacks, it moves.\n",
    "back": "unit: Restless Rider\ncoins: 5\nattribute: |\n  after this moves, it may attack.\n",
    "shy": (
        "unit: Shy Rider\ncoins: 3\nattribute: |\n  a unit cannot attack this unless that unit is adjacent to this.\n"
    ),
    "named": "unit: Jealous Rider\ncoins: 4\ntactic: |\n  move.\nattribute: |\n  this cannot attack a Plain Rider.\n",
    "stiff": "unit: Stiff Rider\ncoins: 4\nattribute: |\n  this cannot move to a space exactly 2 spaces away.\n",
    "leap": "unit: Leaping Rider\ncoins: 4\ntactic: |\n  move to a space exactly 2 spaces away.\n",
    "given": "unit: Proud Rider\ncoins: 4\nattribute: |\n  a unit is brisk while it is adjacent to this.\n",
    "case": (
        "unit: Ruled Rider\ncoins: 4\ntactic: |\n  move to a space exactly 2 spaces away.\nrulings:\n"
        "  - name: It rides\n    position:\n      to_act: raven\n      units:\n"
        "        - {at: f3, unit: Ruled Rider, owner: raven}\n      hand: {raven: [Ruled Rider], wolf: [Royal Coin]}\n"
        "    not offered:\n      - {act: tactic, coin: Ruled Rider, to: f7}\n"
    ),
    "words": "words: My words\nadjectives: [brisk]\n",
    "rules": "action: Briskness\nsource: a test\nrules: |\n  a unit is brisk when it is adjacent to an enemy unit.\n",
    "printing": (
        "errata: Plainer\namends: {kind: unit, name: Plain Rider}\nset: later\nsource: a test\n"
        "replace:\n  tactic: |\n    move.\n"
    ),
}
_SENTENCES = (
    "move.",
    "attack.",
    "this is brisk.",
    "mvoe.",
    "attack a Plain Rider.",
    "move to a space exactly 2 spaces away.",
    "after this attacks, it attacks again.",
    "after this attacks, it may move.",
    "after this moves, it attacks.",
    "this cannot attack.",
    "this cannot move to a space exactly 3 spaces away.",
    "a unit is brisk when it is wounded.",
    "a brisk unit cannot attack this.",
    "this may attack a unit exactly 2 spaces away.",
    "to charge: move.",
    "the limit of this is 1.",
    "until nothing is adjacent to this, do nothing.",
    "move to a space 70 spaces away.",
    "this cannot attack a brisk unit.",
    "after a unit attacks this, its owner draws a coin.",
)
_NAMES = ("Plain Rider", "Eager Rider", "Other Rider", "attack", "Rider", "Archer")


def _numbers(text: str, chance: random.Random) -> str:
    return text.replace("coins: 4", "coins: 5") if chance.random() < 0.5 else text.replace("coins: 5", "coins: 4")


def _sentence(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if line.startswith("  ") and line.endswith(".")]
    if places:
        lines[chance.choice(places)] = f"  {chance.choice(_SENTENCES)}"
    return "\n".join(lines)


def _more(text: str, chance: random.Random) -> str:
    key = chance.choice(("tactic", "attribute", "restriction"))
    return text if f"{key}:" in text else f"{text}{key}: |\n  {chance.choice(_SENTENCES)}\n"


def _name(text: str, chance: random.Random) -> str:
    first, _, rest = text.partition("\n")
    return f"{first.partition(':')[0]}: {chance.choice(_NAMES)}\n{rest}"


def _words(text: str, chance: random.Random) -> str:
    return text.replace("brisk", chance.choice(("brisk", "quick", "wounded")))


def _case(text: str, chance: random.Random) -> str:
    return text.replace("to: f7", chance.choice(("to: f4", "too: f7", "to: z9"))).replace("Ruled Rider,", "Rider,", 1)


_EDITS: tuple[Callable[[str, random.Random], str], ...] = (
    _numbers,
    _sentence,
    _sentence,
    _sentence,
    _more,
    _name,
    _words,
    _case,
)


def _edit(folder: Path, chance: random.Random) -> str:
    """Change a file, take it away, or restore it; return the action."""
    name = chance.choice(list(_CARDS))
    file = folder / f"{name}.yaml"
    way = chance.random()
    if way < 0.1:
        file.unlink(missing_ok=True)
        return f"{name}: away"
    if way < 0.35 or not file.exists():
        file.write_text(_CARDS[name], encoding="utf-8")
        return f"{name}: as it was"
    edit = chance.choice(_EDITS)
    text = edit(file.read_text(encoding="utf-8"), chance)
    file.write_text(text, encoding="utf-8")
    return f"{name}: {edit.__name__}"


def _told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, object, str]:
    code = main(["--format", "json", *arguments])
    printed = capsys.readouterr()
    return code, json.loads(printed.out), printed.err


@pytest.mark.parametrize("seed", range(settings().max_examples // 20))
def test_the_cache_does_not_change_findings(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(NAMED_BY, str(tmp_path / "kept"))
    chance = random.Random(seed)
    folder = tmp_path / "cards"
    folder.mkdir()
    for name, text in _CARDS.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    # There are errata among the cards; those of the game make four times as many variants.
    asked, edits = ([str(folder)], 3) if seed == 0 else (["--game", usual_texts(), str(folder)], 6)
    done: list[str] = []
    for _ in range(edits + 1):
        remembered = _told(asked, capsys)
        assert remembered == _told(["--no-cache", *asked], capsys), done
        done.append(_edit(folder, chance))


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[str]]:
    """The files that were left unread, each time that a game was checked."""
    left: list[frozenset[str]] = []
    texts = run.Texts

    def noted(library: run.Library, *rest: object) -> run.Texts:
        left.append(library.unread)
        return texts(library, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "Texts", noted)
    return left


def _folder(tmp_path: Path, *names: str) -> Path:
    folder = tmp_path / "cards"
    folder.mkdir()
    for name in names:
        (folder / f"{name}.yaml").write_text(_CARDS[name], encoding="utf-8")
    return folder


def _again(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / f"{name}.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def _job(folder: Path, with_errata: bool = False) -> Job:
    """Return the job of linting a folder, mostly on top of the game without its errata: each variant is checked
    again."""
    (job,) = jobs([folder], None if with_errata else usual_texts(), ())
    return job


def _lint(folder: Path, with_errata: bool = False) -> tuple[str, ...]:
    return tuple(one.name for one in run.lint(_job(folder, with_errata), Cache(folder.parent / "kept")).findings)


def _lint_anew(folder: Path) -> tuple[str, ...]:
    return tuple(one.name for one in run.lint(_job(folder)).findings)


def test_only_changed_files_and_their_dependents_are_checked(tmp_path: Path, checked: list[frozenset[str]]) -> None:
    folder = _folder(tmp_path, "plain", "shy", "case")
    assert _lint(folder) == () and checked == [frozenset()]
    _again(folder, "plain", "coins: 4", "coins: 5")
    assert _lint(folder) == () and len(checked) == 2
    own = {Path(path).stem for path in checked[-1] if Path(path).is_relative_to(folder)}
    assert own == {"shy", "case"}
    _again(folder, "shy", "adjacent to this", "adjacnt to this")
    assert _lint(folder) == ("unknown-word",) and len(checked) == 3


def test_a_definition_concerns_all(tmp_path: Path, checked: list[frozenset[str]]) -> None:
    folder = _folder(tmp_path, "plain", "shy", "words", "rules", "given")
    _lint(folder)
    _again(folder, "rules", "an enemy unit", "a unit")
    _lint(folder)
    assert checked[-1] == frozenset()


def test_a_name_concerns_all(tmp_path: Path, checked: list[frozenset[str]]) -> None:
    folder = _folder(tmp_path, "plain", "named")
    assert _lint(folder) == ()
    _again(folder, "plain", "Plain Rider", "Fancy Rider")
    assert _lint(folder) == ("unknown-name",) and checked[-1] == frozenset()


def test_permissions_of_another_text_are_not_left_out(tmp_path: Path) -> None:
    """A card that forbids an act which only another card orders is not idle while that card exists."""
    folder = _folder(tmp_path, "stiff", "leap", "plain")
    before = _lint(folder)
    _again(folder, "leap", "exactly 2 spaces away", "exactly 3 spaces away")
    assert _lint(folder) == _lint_anew(folder)
    assert before is not None


@pytest.mark.parametrize("usual", ["move.", "move to a space exactly 2 spaces away."])
def test_permissions_under_an_option_are_not_left_out(usual: str, tmp_path: Path) -> None:
    """Steps of a card that stays as it is are not read under all options, but others may lean on them."""
    folder = _folder(tmp_path, "stiff", "plain")
    other = "move." if usual != "move." else "move to a space exactly 2 spaces away."
    way = "restriction: |\n  to use a Royal Coin: discard it faceup, then this uses its tactic.\n"
    (folder / "way.yaml").write_text(f"unit: Wise Rider\ncoins: 4\ntactic: |\n  {usual}\n{way}", encoding="utf-8")
    (folder / "errata.yaml").write_text(
        "errata: Wiser\namends: {kind: unit, name: Wise Rider}\nset: later\nsource: a test\n"
        f"replace:\n  tactic: |\n    {other}\n",
        encoding="utf-8",
    )
    _lint(folder)
    for number in (3, 2):
        text = _CARDS["stiff"].replace("exactly 2", f"exactly {number}")
        (folder / "stiff.yaml").write_text(text, encoding="utf-8")
        assert _lint(folder) == _lint_anew(folder)


def test_steps_that_stay_as_they_are_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(texts, "read_all", lambda *rest: read.append(rest) or read_all(*rest))
    folder = _folder(tmp_path, "plain")
    assert _lint(folder, with_errata=True) == ()
    at_first = len(read)
    _again(folder, "plain", "move", "attack")
    _lint(folder, with_errata=True)
    assert 2 <= len(read) - at_first < at_first


def test_cached_blocks_are_read_back_unchanged(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "plain", "shy")
    known = (parsed_blocks._BLOCKS, parsed_blocks._VOCABULARIES, parsed_blocks._COMPARED)
    for one in known:
        one.clear()
    _lint(folder)
    parsed = {span: block.parsed for span, block in parsed_blocks._BLOCKS.items()}
    for one in known:
        one.clear()
    job = _job(folder)
    parsed_blocks.recall(job.folder, Cache(tmp_path / "kept"))
    library = run.load(job.files, run.read_schemas())
    for source in library.sources:
        parsed_blocks._recall(source)
    assert len(parsed_blocks._BLOCKS) > 50
    assert all(block.parsed == parsed[span] for span, block in parsed_blocks._BLOCKS.items())
