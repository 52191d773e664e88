"""The search for violations of laws: deterministic, and each finding is a ruling that shows it and is kept."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from check_support import ENDLESS_CHOICE, ENDLESS_RULE, HARMLESS, found_with, looked_at, with_card

from loaded import shipped
from warchest.cli.main import main
from warchest.game.game import load_game
from warchest.rulings.cases import read_cases
from warchest.testing import law_check as looking
from warchest.testing.blank import NoBlankError, without_texts
from warchest.testing.budget import Budget, OutOfTime, clock
from warchest.testing.law_check import CheckTask, Finding, GameCheck
from warchest.testing.law_rulings import known_findings, write_finding
from warchest.testing.laws import IDLE, LAWS, PROPERTIES, VIEWS, LawFault, fault_of, law_named
from warchest.testing.ruling_files import fails, file_stem, found_cases, ruling_text, write_ruling
from warchest.testing.sentences import sentences_in

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def endless() -> Finding:
    """A finding of a card that never ends."""
    return found_with(ENDLESS_RULE).findings[0]


def told(finding: Finding) -> tuple[Any, ...]:
    return finding.key, finding.position, finding.path, finding.on_step


# ---- the portions


def test_every_card_meets_every_other_one_as_friend_and_as_foe() -> None:
    check = GameCheck(shipped())
    tasks = check.tasks(["Lancer"], pairs=True, triples=True)
    pairs = [one for one in tasks if len(one.cards) == 2]
    assert {one.cards[1] for one in pairs} == set(check.cards) - {"Lancer"} and len(check.cards) == 16
    assert len(pairs) == len(set(pairs)) == 2 * (len(check.cards) - 1)
    assert {one.relation for one in tasks if one.cards == ("Lancer",)} == {"alone", "idle"}
    assert sum(len(one.cards) == 3 for one in tasks) == 2 * len(check.cards)
    everything = GameCheck(shipped(), "all")
    both = everything.tasks(everything.cards, pairs=True, triples=False)
    assert len({one.cards for one in both if len(one.cards) == 2}) == 276


def test_cards_that_are_named_meet_each_other_and_come_before_all_others() -> None:
    check = GameCheck(shipped())
    two = check.tasks(["Lancer", "Knight"], pairs=True, triples=False, others=["Lancer", "Knight"])
    assert [one.title for one in two] == [
        "Lancer alone",
        "Knight alone",
        "Lancer idle",
        "Knight idle",
        "Knight beside Lancer",
        "Knight against Lancer",
    ]
    wide = check.tasks(["Lancer", "Knight"], pairs=True, triples=False)
    assert wide[: len(two)] == two and len({one.cards for one in wide if len(one.cards) == 2}) == 29


def test_documents_that_are_no_pieces_are_checked_by_their_bearers() -> None:
    check, other = GameCheck(shipped("unigames")), GameCheck(shipped())
    assert check.cards_near("Aid") == ("Bandit Lookout", "Dwarf Drummer")
    assert check.cards_near("Dwarf Spear") == ("Dwarf Spear",)
    assert "Aid" in check.borne_by(["Dwarf Drummer"])
    assert other.cards_near("Lancer") == ("Lancer",)
    decrees = shipped().names("decree")
    assert [other.cards_near(one) for one in decrees] == [(one,) for one in decrees]


def test_laws_are_asked_in_the_middle_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """This law is an example: it is checked in states that no small position reaches, and reported from a position."""
    asked = list[int]()

    def found(state: Any) -> LawFault | None:
        asked.append(state.round)
        return LawFault("", "wrong") if state.round > 1 else None

    monkeypatch.setattr(looking, "POSITIONS", 0)
    check = GameCheck(shipped(), laws=[replace(law_named(VIEWS), of_state=found)], games=1)
    monkeypatch.setattr(check, "smallest", lambda finding: finding)
    (finding,) = check.look(CheckTask(("Lancer",))).findings
    assert finding.fault.law == VIEWS and len(asked) > 1
    assert check.game.position(finding.position).decision is not None


@pytest.mark.parametrize("relation", ["friend", "foe"])
def test_a_pair_is_checked_and_played_alike_each_time(relation: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "POSITIONS", 3)
    task, some = CheckTask(("Lancer", "Knight"), relation), [law_named(PROPERTIES)]
    first = GameCheck(shipped(), games=8).look(task)
    # Laws draw nothing, so that it all goes the same way with one of them, which is asked in positions of its own.
    again = GameCheck(shipped(), laws=some, games=8).look(task)
    assert (first.positions, first.options, first.games, first.acted) == (
        again.positions,
        again.options,
        again.games,
        again.acted,
    )
    assert first.findings == [] and first.games > 0 and first.options > 20
    other = GameCheck(shipped(), laws=some, games=8, seed=1).look(task)
    assert (other.options, other.acted) != (first.options, first.acted)


def test_findings_are_the_same_each_time(endless: Finding) -> None:
    again = looked_at(with_card(ENDLESS_RULE), "Planted").findings[0]
    assert told(again) == told(endless)


def test_a_game_that_is_broken_off_is_found_at_its_last_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.testing.playing.SLOW", 12)
    game = with_card(ENDLESS_RULE)
    check = GameCheck(game)
    position = {
        "to_act": "raven",
        "hand": {"raven": ["Planted"], "wolf": ["Scout"]},
        "bag": {"raven": ["Planted"] * 2},
        "units": [{"at": "f4", "unit": "Planted", "owner": "raven"}, {"at": "f5", "unit": "Scout", "owner": "wolf"}],
    }
    played = check.player.play(game.position(position), games=12, seed=0)
    assert played.broken and played.games >= len(played.broken)
    for broken in played.broken[:1]:
        finding = Finding(CheckTask(("Planted",)), fault_of(broken.error), broken.position, broken.path, on_step=True)
        assert check.trial(finding, broken.position) is not None
        assert check.smallest(finding).fault.law == "ends by rule"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("put this onto the space.", "put this onto the space, then remove this."),
        ("normally, a unit moves to an adjacent space.", "normally, a unit moves to a space exactly 2 spaces away."),
    ],
)
def test_a_card_that_changes_others_is_not_idle(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The game without the texts of a card represents one that the card changes."""
    game = shipped()
    move = game.library.named("action", "Move")
    assert move is not None
    other = game.with_text(move.span.path, move.span.source.text.replace(old, new, 1))
    monkeypatch.setattr(looking, "without_texts", lambda *_: other)
    monkeypatch.setattr(looking, "COMPARED", 20)
    (found,) = GameCheck(game).look(CheckTask(("Scout",), "idle")).findings
    assert found.fault.law == IDLE and "Scout is not in play" in found.fault.text
    write_finding(game, found, tmp_path, 0)
    (case,) = found_cases(game, tmp_path)
    assert fails(game, case) and not fails(other, case)


def test_a_card_without_texts_does_nothing() -> None:
    blank = without_texts(shipped(), "Scout")
    assert "Scout" in blank.names("unit") and blank.digest != shipped().digest
    document = blank.library.named("unit", "Scout")
    assert document is not None and not document.blocks("attribute") and not document.blocks("tactic")
    with pytest.raises(NoBlankError, match="no texts"):
        without_texts(shipped("unigames"), "Dwarf Spear")


def test_a_text_that_says_what_a_word_means_stays() -> None:
    game = load_game("war-chest", Path(__file__).parents[2] / "docs" / "examples" / "packs" / "seas")
    document = without_texts(game, "Pirate").library.named("unit", "Pirate")
    assert document is not None and document.blocks("attribute")
    assert not document.blocks("tactic") and not document.blocks("restriction")


def test_sentences_that_never_act_are_reported() -> None:
    """A clause that no position reaches does not act, nor one whose condition is never true."""
    game = with_card("""\
attribute: |
  after this attacks, it may move.
  after this is recruited, you win.
tactic: |
  move.
  if the number of units adjacent to this is at least 7, attack.
""")
    document = game.library.named("unit", "Planted")
    assert document is not None
    listed = sentences_in(game.variant().program, [document.span.path])
    assert [one.line for one in listed] == sorted(one.line for one in listed)
    acted = looked_at(game, "Planted").acted
    assert [one.text for one in listed if not any(map(one.includes, acted))] == ["you win", "attack"]


# ---- rulings


def test_a_finding_is_a_ruling_that_fails(endless: Finding, tmp_path: Path) -> None:
    game = with_card(ENDLESS_RULE)
    file = write_finding(game, endless, tmp_path, 0)
    assert file.name == "ends-by-rule-planted.yaml"
    (case,) = found_cases(game, tmp_path)
    assert fails(game, case) and case.source.startswith("law: ends by rule")
    assert not fails(with_card(ENDLESS_CHOICE), case)
    assert [one.still for one in known_findings(game, tmp_path)] == [True]
    assert [one.still for one in known_findings(with_card(ENDLESS_CHOICE), tmp_path)] == [False]


def test_no_finding_is_written_over(endless: Finding, tmp_path: Path) -> None:
    first = write_ruling(tmp_path, "some", "one\n")
    assert write_ruling(tmp_path, "some", "one\n") == first
    other = write_ruling(tmp_path, "some", "other\n")
    assert (first.read_text(), other.read_text(), other.name) == ("one\n", "other\n", "some-2.yaml")
    game = with_card(ENDLESS_RULE)
    further = replace(endless, task=replace(endless.task, number=1))
    assert write_finding(game, endless, tmp_path, 0) == write_finding(game, further, tmp_path, 0)


def test_the_contents_of_a_ruling_are_read_back(tmp_path: Path) -> None:
    game = shipped()
    position = game.new(seed=3).position()
    offered = game.position(position).decision.options[0].data  # type: ignore[union-attr]
    text = ruling_text("Found It's", 'No: "this" # here', "law: words; yes", position, [offered], {"decides": "chance"})
    file = write_ruling(tmp_path, file_stem("No", "Royal Guard"), text)
    (case,), _, errors = read_cases([file], [game.folder / "game.yaml"])
    assert errors == [] and case.values["do"] == [offered] and case.name == 'No: "this" # here'
    told = game.position(case.values["position"])
    assert told == game.position(position)


# ---- the command


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    """Return the exit code of `warchest check`, its result, and its notes."""
    code = main(["check", *arguments, "--jobs", "1", "--format", "json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else None, err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hasty: None, loads_once: None) -> Path:
    """A folder with a card that can go on for ever."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "planted.yaml").write_text(f"unit: Planted\ncoins: 4\n{ENDLESS_CHOICE}", encoding="utf-8")
    return tmp_path


def test_the_example_of_the_guide_is_true_and_its_findings_are_known_later(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "guides" / "testing.md").read_text(encoding="utf-8")
    page = page.partition("## Laws")[2].partition("\n## ")[0]
    card, said = (re.search(rf"^```{kind}\n(.*?)^```$", page, re.M | re.S)[1] for kind in ("yaml", "text"))  # type: ignore[index]
    (folder / "endless").mkdir()
    (folder / "endless" / "runner.yaml").write_text(card, encoding="utf-8")
    command, *lines = said.splitlines()
    assert main([*command.split()[2:], "--jobs", "1"]) == 1
    out = capsys.readouterr().out
    for line in lines:
        assert line.partition("…")[0] in out, out
    for law in LAWS:
        assert f"| `{law.name}` |" in page
    assert main(["test", "found", "--cards", "endless", "--jobs", "1"]) == 1
    assert "expected not on offer" in capsys.readouterr().out
    before = {file: file.read_text() for file in (folder / "found").iterdir()}
    code, report, _ = checked(capsys, "Runner", "--cards", "endless", "--alone", "--found", "found")
    broken = [one for one in report["laws"] if not one["ok"]]
    assert code == 1 and [one["law"] for one in broken] == ["ends by choice"]
    assert broken[0]["found"] == [] and broken[0]["known"][0]["still"]
    assert {file: file.read_text() for file in (folder / "found").iterdir()} == before


def test_each_card_is_reported_by_itself_but_not_a_removed_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = folder / "cards" / "other.yaml"
    other.write_text(f"unit: Vagabond\ncoins: 4\n{ENDLESS_CHOICE}", encoding="utf-8")
    code, report, _ = checked(capsys, "--cards", "cards", "--alone", "--found", "found")
    assert (code, report["left"], report["partial"]) == (1, 0, False)
    assert sorted(report["cards"]) == ["Planted", "Vagabond"]
    assert [one["law"] for one in report["laws"] if not one["ok"]] == ["ends by choice"]
    clauses = [found["clauses"][0] for law in report["laws"] for found in law["found"]]
    assert {Path(one["file"]).name for one in clauses} == {"planted.yaml", "other.yaml"}
    assert {one["text"] for one in clauses} == {"it may move"}
    other.unlink()
    code, report, _ = checked(capsys, "Archer", "--cards", "cards", "--alone", "--from", "1", "--found", "found")
    assert code == 1 and [len(one["known"]) for one in report["laws"] if one["known"]] == [1]


def test_unreadable_properties_are_reported_first(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "cards" / "mine.yaml").write_text("properties: Mine\nsays: |\n  never a unit fliez.\n", encoding="utf-8")
    assert main(["check", "Archer", "--cards", "cards", "--alone"]) == 2
    out, err = capsys.readouterr()
    assert not out and "unknown word `fliez`" in err and "portions" not in err


def test_findings_are_shown_but_not_written_unasked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.rglob("*"))
    assert main(["check", "Planted", "--cards", "cards", "--alone", "--jobs", "1"]) == 1
    out, err = capsys.readouterr()
    assert sorted(folder.rglob("*")) == before
    assert "- name: Every turn ends after finitely many choices" in out
    assert "add `--found DIR`" in err


def test_the_sets_of_own_cards_are_in_use(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    card = folder / "cards" / "planted.yaml"
    card.write_text(f"unit: Planted\nset: mine\ncoins: 4\n{HARMLESS}", encoding="utf-8")
    code, report, _ = checked(capsys, "Planted", "--cards", "cards", "--alone")
    assert code == 0 and report["games"] > 0 and report["notes"] == {}
    code, report, _ = checked(capsys, "Planted", "--cards", "cards", "--alone", "--sets", "base")
    assert code == 0 and report["games"] == 0 and len(report["notes"]) == 1


def test_an_interrupted_portion_reports_its_findings() -> None:
    asked = list[int]()

    def found(state: Any) -> LawFault:
        asked.append(state.round)
        if len(asked) > 1:
            raise OutOfTime
        return LawFault("", "wrong")

    check = GameCheck(shipped(), laws=[replace(law_named(VIEWS), of_state=found)], games=0)
    outcome = check.look(CheckTask(("Lancer",)))
    assert [one.fault.law for one in outcome.findings] == [VIEWS] and not outcome.whole and check.under_way is None
    assert check.look(CheckTask(("Lancer",)), until=clock()).findings == []


def test_unchecked_portions_are_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, report, err = checked(capsys, "Lancer", "--budget", "0.001s")
    assert code == 0 and report["portions"] == 0 and report["left"] == 32 and report["partial"]
    assert "32 portions are left; add `--from 0`" in err
    code, report, err = checked(capsys, "Lancer", "--from", "31")
    assert (code, report["portions"], report["left"], err) == (0, 1, 0, "")
    monkeypatch.setattr("warchest.cli.check.budget_of", lambda _: Budget(1, begun=clock() - 2))
    main(["check", "Lancer", "--jobs", "1"])
    assert capsys.readouterr().out.endswith("\nnothing was checked\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("Lancre",), "did you mean"), (("Lancer", "--sets", "none"), "no set"), (("--pairs", "--alone"), "not allowed")],
)
def test_wrong_arguments_are_refused(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = checked(capsys, *arguments)
    assert code == 2 and said in err


@pytest.mark.parametrize("words", [{}, {"why not": {"what": {"act": "pass"}, "mentions": "e"}}])
def test_findings_of_every_law_can_be_read_as_rulings(words: dict[str, Any], endless: Finding, tmp_path: Path) -> None:
    game = with_card(ENDLESS_RULE)
    for law in LAWS:
        write_finding(game, replace(endless, path=(), fault=LawFault(law.name, "wrong", expected=words)), tmp_path, 0)
    assert len(list(found_cases(game, tmp_path))) == len(list(tmp_path.iterdir())) == len(LAWS)
    # They may be beside the cards that they are about.
    (tmp_path / "planted.yaml").write_text(f"unit: Planted\ncoins: 4\n{ENDLESS_RULE}", encoding="utf-8")
    assert "Planted" in load_game("war-chest", tmp_path).names("unit")


def test_findings_in_one_folder_have_names_of_their_own_and_are_not_written_twice(
    endless: Finding, tmp_path: Path
) -> None:
    game = with_card(ENDLESS_RULE)
    for _ in range(2):
        for text in ("one", "another"):
            write_finding(game, replace(endless, fault=replace(endless.fault, text=text)), tmp_path, 0)
    titles = [re.search("^rulings: (.*)$", file.read_text("utf-8"), re.MULTILINE)[1] for file in tmp_path.iterdir()]  # type: ignore[index]
    assert sorted(titles) == ["Found ends by rule Planted", "Found ends by rule Planted 2"]
