"""Pictures that are written to files: of positions, of options, and of the steps of a replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from loaded import shipped
from warchest.cli.main import main
from warchest.picture import images
from warchest.replay import Session, save

POSITION = """\
to_act: raven
initiative: raven
units: [{at: f4, unit: Scout, owner: raven}, {at: f5, unit: Archer, owner: wolf}]
hand: {raven: [Scout], wolf: [Royal Coin, Archer]}
bag: {raven: [Knight], wolf: [Sapper]}
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], loads_once: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "position.yaml").write_text(POSITION, encoding="utf-8")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return run


def drawable(kind: str) -> Any:
    return pytest.mark.skipif(bool(images.missing(kind)), reason=images.missing(kind) or "it can be drawn")


def replay(path: Path, steps: int = 12) -> Path:
    session = Session.new(shipped(), 5)
    while len(session.taken) < steps and session.state.decision is not None:
        decision = session.state.decision
        session.take(decision.sample(session.rng(decision.player or "chance")))
    save(path, session.replay())
    return path


def words_of(file: Path) -> str:
    return ElementTree.parse(file).getroot().findtext("{http://www.w3.org/2000/svg}desc") or ""


def test_an_option_by_number_and_by_words(run: Run) -> None:
    for said in ("attack", "attack: coin Scout, unit f4, target f5"):
        code, _, err = run("show", "position.yaml", "--option", said, "--svg", "out.svg")
        assert (code, err) == (0, "wrote out.svg\n")
        assert "attack: coin Scout, unit f4, target f5" in words_of(Path("out.svg"))
        assert "f4 to f5: acts on it" in words_of(Path("out.svg")) and "f5: leaves" in words_of(Path("out.svg"))
    code, out, _ = run("show", "position.yaml", "--option", "1")
    assert code == 0 and "option 1: " in out
    shown = run("show", "position.yaml", "--option", "attack")[1]
    assert "Archer" in shown.rpartition(" attacks ")[2].partition("\n")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--option", "0"], "there are options 1 to"),
        (["--option", "999"], "`warchest moves` lists them"),
        (["--option", "dance"], "no option matches"),
        (["--option", "coin"], "add more words"),
        (["--option", "1", "--viewer", "wolf"], "raven decides here, and wolf may not see the options"),
    ],
)
def test_invalid_options_are_refused_in_one_line(run: Run, words: list[str], said: str) -> None:
    code, _, err = run("show", "position.yaml", *words, "--svg", "out.svg")
    assert code == 2 and said in err and err.count("\n") == 1 and not Path("out.svg").exists()


def test_missing_packages_are_reported_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    replay(Path("game.json"))
    monkeypatch.setattr(images, "find_spec", lambda name: None)
    for words in (
        ["show", "position.yaml", "--png", "out.png"],
        ["replay", "game.json", "--png", "out.png"],
        ["replay", "game.json", "--gif", "out.gif"],
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, "") and err.count("\n") == 1 and "pip install 'warchest[png]'" in err
    assert not Path("out.png").exists() and not Path("out.gif").exists()


def test_without_a_font_no_picture_is_drawn(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "find_spec", lambda name: True)
    monkeypatch.setattr(images, "_font", lambda: "")
    code, _, err = run("show", "position.yaml", "--png", "out.png")
    assert code == 2 and "need a common font" in err and err.count("\n") == 1


@drawable("png")
def test_png(run: Run) -> None:
    assert run("show", "position.yaml", "--png", "out.png", "--svg", "out.svg")[0] == 0
    data = Path("out.png").read_bytes()
    width = float(ElementTree.parse("out.svg").getroot().get("width", "0"))
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(data[16:20], "big") == pytest.approx(2 * width, abs=2)


def test_a_picture_for_each_step(run: Run) -> None:
    replay(Path("game.json"), 40)
    code, _, err = run("replay", "game.json", "--svg-dir", "steps")
    files = sorted(Path("steps").iterdir())
    assert (code, err) == (0, "wrote 41 pictures to steps\n") and files[0].name == "step-000.svg" and len(files) == 41
    assert "the start" in words_of(files[0]) and all(
        f"step {number} of 40: " in words_of(file) for number, file in enumerate(files) if number
    )
    assert any(": comes" in words_of(file) for file in files)
    assert run("replay", "game.json", "--at", "3", "--svg", "third.svg")[0] == 0
    assert Path("third.svg").read_bytes() == files[3].read_bytes()


def test_pictures_of_a_viewer_show_no_hidden_coins(run: Run) -> None:
    """Coins drawn by others are not named."""
    replay(Path("game.json"), 12)
    assert run("replay", "game.json", "--svg-dir", "steps", "--viewer", "raven", "--at", "6")[0] == 0
    told = [words_of(file) for file in sorted(Path("steps").iterdir())]
    assert len(told) == 7 and all("wolf: Hand" not in one or " hidden" in one for one in told)
    assert not any("wolf draws" in one and "wolf draws a" not in one and "something" not in one for one in told)


@drawable("gif")
def test_an_animation(run: Run) -> None:
    from PIL import Image

    file = replay(Path("game.json"), 8)
    assert run("replay", str(file), "--gif", "out.gif", "--seconds", "0.2")[0] == 0
    with Image.open("out.gif") as shown:
        assert shown.n_frames > 2 and shown.info["duration"] == 200
    assert run("replay", str(file), "--gif", "out.gif", "--seconds", "0")[0] == 2
