"""`warchest balance`: the table, the data, the page, and the answers to bad input."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest

import warchest.source.replacing as replacing
from loaded import load_once
from warchest.balance import needed_libraries
from warchest.balance.charts import BalanceChart, ChartRow, drawn_chart
from warchest.balance.series import GameSeries
from warchest.cli.main import main
from warchest.game.native_games import Unavailable
from warchest.replay import load, replayed
from warchest.testing.bot_games import BotTable, GameLimit, armies_of
from warchest.testing.game_records import Record

PLAY, PLAY_NATIVELY = BotTable.play, BotTable.play_natively
FEW = ("--games", "60", "--bots", "policy-c", "--jobs", "1")
"""Few games in this process."""


def made_up(table: BotTable, number: int, seed: int, limit: GameLimit, teller: Any = None) -> Record:
    """A game that chance decides by the seed and the coins of a card; one that is listed is really played."""
    if teller is not None:
        return PLAY(table, number, seed, limit, teller)
    state = table.beginning.begin(seed)
    coins = next(one.values["coins"] for one in table.game.library.documents if one.name == "Archer")
    odds = {"random": 0.2, "policy-c": 0.5}
    seating = table.seating(number)
    bots = [odds[bot] for bot in seating.values()]
    won = Random(f"{seed}/{coins}").random() < 0.5 + bots[0] - bots[1]
    return Record(seed, armies_of(table.game, state), seating, (list(seating)[not won],), "", 9, 5, 20)


@pytest.fixture
def balanced(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process; return the exit code, the output and the notes."""
    monkeypatch.setattr("warchest.game.game.load_game", load_once)
    monkeypatch.setattr(BotTable, "play", made_up)
    monkeypatch.setattr(BotTable, "play_natively", lambda _: "")

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["balance", *map(str, words)])
        told = capsys.readouterr()
        assert "Traceback" not in told.err and "fault of the program" not in told.err
        return code, told.out, told.err

    return run


Balanced = Callable[..., tuple[int, str, str]]


def data_of(ran: tuple[int, str, str]) -> dict[str, Any]:
    assert ran[0] == 0, ran[2]
    found: dict[str, Any] = json.loads(ran[1])
    return found


def test_a_table(balanced: Balanced) -> None:
    code, out, _ = balanced(*FEW)
    assert code == 0
    rows = re.findall(r"│ (\w[\w ]+?) +│ +\d+ │ +(\d+\.\d)% │ +(\d+\.\d)% to (\d+\.\d)% │ +([+-]\d\.\d\d) │", out)
    cards, seats = rows[:-2], rows[-2:]
    assert len(cards) == 16 and [one[0] for one in seats] == ["raven", "wolf"]
    assert [float(one[4]) for one in cards] == sorted((float(one[4]) for one in cards), reverse=True)
    assert all(float(low) < float(share) < float(high) for _, share, low, high, _ in rows)
    assert out.endswith("\n60 games; these were the most that were asked for\n")


def test_the_same_options_give_the_same_bytes(balanced: Balanced, tmp_path: Path) -> None:
    pages = []
    for jobs in ("1", "2"):
        page = tmp_path / f"{jobs}.html"
        code, out, err = balanced(*FEW[:-1], jobs, "--format", "json", "--report", page)
        assert code == 0 and err.endswith(f"wrote {page}\n")
        pages.append((out, page.read_bytes()))
    assert pages[0] == pages[1]


def test_the_games_are_those_of_sim(balanced: Balanced, tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    assert balanced(*FEW[:2], "--seed", "3", "--bots", "policy-c,random", "--jobs", "1", "--rows", one)[0] == 0
    assert (
        main(["sim", "-n", "60", "--seed", "3", "--bots", "policy-c,random", "--jobs", "1", "--rows", str(other)]) == 0
    )
    assert one.read_bytes() == other.read_bytes() and one.read_text().count("\n") == 121


def test_only_deals_with_a_card_are_played(balanced: Balanced, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    found = data_of(balanced("Archer", *FEW, "--rows", rows, "--format", "json"))
    assert list(found["cards"]) == ["Archer"] and found["cards"]["Archer"]["games"] == 60
    games: dict[int, set[str]] = {}
    for line in rows.read_text().splitlines():
        row = json.loads(line)
        games.setdefault(row["seed"], set()).update(row["cards"])
    assert len(games) == 60 and all("Archer" in cards for cards in games.values())
    assert max(games) > 60


def test_it_stops_when_enough_is_known(balanced: Balanced, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.balance.series.STEP", 20)
    found = data_of(balanced("Archer", *FEW, "--within", "40", "--format", "json"))
    assert (found["games"], found["ended"], found["partial"]) == (20, "all intervals were within ±40 points", False)
    assert data_of(balanced("Archer", *FEW, "--within", "5", "--format", "json"))["games"] == 60


def test_results_are_kept_when_the_time_is_over(balanced: Balanced, monkeypatch: pytest.MonkeyPatch) -> None:
    found = data_of(
        balanced(
            "-n", 10**6, "--jobs", "1", "--bots", "policy-c", "--within", "0.1", "--budget", "1s", "--format", "json"
        )
    )
    assert (found["ended"], found["partial"]) == ("the time was over", True)
    assert 0 < found["games"] < 10**6


def test_another_number_and_another_text_are_compared(balanced: Balanced, tmp_path: Path) -> None:
    source = load_once("war-chest").library.named("unit", "Archer")
    assert source is not None
    same, other = tmp_path / "same.yaml", tmp_path / "other.yaml"
    same.write_text(source.span.source.text)
    other.write_text(source.span.source.text.replace("this attacks only by its tactic", "this cannot attack"))
    asked = ("--if", "coins=2", "--if", same, "--if", other)
    found = data_of(balanced("Archer", *FEW, *asked, "--format", "json"))["versions"]
    assert [one["version"] for one in found] == ["coins=2", str(same), str(other)]
    assert all(one["games"] == 60 and one["before"] == found[0]["before"] for one in found)
    assert found[0]["otherwise"] > 0
    assert (found[1]["otherwise"], found[1]["change"]) == (0, 0), "the same text plays the same games"


def test_bots_have_ratings(balanced: Balanced) -> None:
    found = data_of(balanced("-n", 60, "--bots", "random,policy-c", "--jobs", "1", "--format", "json"))
    bots = {name: one["elo"] for name, one in found["bots"].items()}
    assert bots["policy-c"] == pytest.approx(-bots["random"], abs=0.1) and bots["policy-c"] > 50
    apart = data_of(balanced("-n", 30, "--bots", "random,policy-c", "--apart", "--jobs", "1", "--format", "json"))
    assert apart["games"] == 60 and list(apart["by_bot"]) == ["random", "policy-c"]
    assert list(apart["by_bot"]["random"]) == list(apart["cards"])


def test_numbers_are_proposed(balanced: Balanced) -> None:
    asked = ("Archer", "-n", "30", "--bots", "policy-c", "--jobs", "1", "--tune", "coins=3-5")
    found = data_of(balanced(*asked, "--format", "json"))
    assert sorted(one["numbers"]["coins"] for one in found["tuned"]) == [3, 4, 5]
    shares = [abs(one["share"] - 0.5) for one in found["tuned"]]
    assert shares == sorted(shares)
    usual = next(one for one in found["tuned"] if one["numbers"]["coins"] == 4)
    assert usual["share"] == found["cards"]["Archer"]["share"]
    out = balanced(*asked, "--trials", "1", "--target", "60")[1]
    assert "numbers of Archer, the nearest to 60.0% first" in " ".join(out.split())


# ---- the page


class PageReader(HTMLParser):
    """Reads a page: its links, its images, its tags, and whether all of them are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links, self.images, self.open = list[str](), list[str](), list[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.links += [str(told["href"])] if tag == "a" else []
        self.images += [str(told["src"])] if tag == "img" else []
        assert tag != "script" and not any(name.startswith("on") for name in told)
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else(balanced: Balanced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warchest.balance.card_pairs.FEW", 2)
    monkeypatch.setattr("warchest.balance.card_pairs.SAMPLES", 1)
    page, folder = tmp_path / "page.html", tmp_path / "some games"
    assert (
        balanced("Archer", "-n", "400", "--bots", "policy-c", "--jobs", "1", "--report", page, "--save", folder)[0] == 0
    )
    text = page.read_text()
    read = PageReader(text)
    assert not read.open
    assert "default-src 'none'" in text and "http" not in re.sub(r"http-equiv", "", text)
    assert read.images and all(one.startswith("data:image/svg+xml;base64,") for one in read.images)
    assert read.links, "each pair is shown by games"
    for link in read.links:
        assert link.startswith("some%20games/game-")
        assert (tmp_path / link.replace("%20", " ")).is_file()
    assert "attack a target exactly 2 spaces away." in text.lower()


def test_the_report_is_written_also_if_a_game_cannot_be_saved(
    balanced: Balanced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = list[Path]()

    def full_after_one_game(file: str | Path, content: bytes) -> None:
        path = Path(file)
        if len(written) == 1 and path.parent.name == "games":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        written.append(path)
        path.write_bytes(content)

    monkeypatch.setattr("warchest.balance.card_pairs.FEW", 2)
    monkeypatch.setattr("warchest.cli.balance.replace_file", full_after_one_game)
    page, folder = tmp_path / "report.html", tmp_path / "games"
    words = ("Archer", "-n", "400", "--bots", "policy-c", "--jobs", "1", "--report", page, "--save", folder)
    code, out, notes = balanced(*words)
    assert code == 2 and "No space left on device" in notes and "400 games" in out
    game, report = written
    assert report == page and [f"games/{game.name}"] == PageReader(page.read_text()).links


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", "datum.x + 1", "{{title}}", 'quo"te'])
def test_names_are_only_names(name: str) -> None:
    svg = drawn_chart(BalanceChart(name, [ChartRow(name, 0.5, 0.4, 0.6)], 0.5))
    assert "<script" not in svg and svg.count("<svg") == 1
    assert svg == drawn_chart(BalanceChart(name, [ChartRow(name, 0.5, 0.4, 0.6)], 0.5))


# ---- errors


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Archre",), "there is no card 'Archre'; did you mean `Archer`?"),
        (("--if", "coins=3"), "--if: name the cards that it is about"),
        (("--tune", "coins"), "--tune: name the one card whose numbers are to be tuned"),
        (("Archer", "Scout", "--tune", "coins"), "--tune: name the one card whose numbers are to be tuned"),
        (
            ("Archer", "--tune", "range"),
            "Archer has no number 'range'; there are: coins is 4 (coins: 4); tactic.1 is 2",
        ),
        (("Archer", "--if", "range=3"), "Archer has no number 'range'"),
        (("Archer", "--if", "Archer"), "'Archer' is the game as it is; name a file with another text of the card"),
        (("--within", "0"), "it is from 0.1 to 50"),
        (("--within", "wide"), "a number of points is needed, not 'wide'"),
        (("--bots", "genius"), "there is no bot 'genius'"),
        (("Bannerman",), "20 deals in a row had no Bannerman; is its set in use?"),
    ],
)
def test_bad_input_is_refused(
    balanced: Balanced, words: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warchest.balance.series.IN_VAIN", 20)
    code, out, err = balanced(*words, "--jobs", "1")
    assert code == 2 and out == "" and said in err


def test_a_text_that_will_not_do_is_refused(balanced: Balanced) -> None:
    code, out, err = balanced("Archer", "--if", "spaces=0", *FEW)
    assert code == 2 and out == "" and "error[" in err and "archer.yaml:6" in err


def test_results_are_kept_when_the_disk_is_full(
    balanced: Balanced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says so; the result has been printed, and the earlier page is still there."""
    page = tmp_path / "page.html"
    page.write_text("<!doctype html>before")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(replacing.os, "fsync", full)
    code, out, err = balanced(*FEW, "--report", page, "--format", "json")
    assert code == 2 and json.loads(out)["games"] == 60
    assert err == f"warchest: {page}: No space left on device\n"
    assert page.read_text() == "<!doctype html>before" and list(tmp_path.iterdir()) == [page]


def test_no_page_takes_the_place_of_another_file(balanced: Balanced, tmp_path: Path) -> None:
    card = tmp_path / "card.yaml"
    card.write_text("unit: One\n")
    code, _, err = balanced(*FEW, "--report", card)
    assert code == 2 and "is there already, and is no page in HTML" in err


def test_without_a_native_machine_it_says_how_slow_it_is(balanced: Balanced, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BotTable, "play", PLAY)
    monkeypatch.setattr(BotTable, "play_natively", PLAY_NATIVELY)
    monkeypatch.setattr(
        "warchest.game.native_games.table_for", lambda _: Unavailable("there is no compiler for C on this computer")
    )
    code, out, err = balanced("-n", "2", "--cap", "40", "--bots", "random", "--jobs", "1", "--native")
    assert code == 0 and out.endswith("2 games; these were the most that were asked for\n")
    assert re.fullmatch(
        r"the reference machine plays: there is no compiler for C on this computer; that is slow:"
        r" [0-9.]+ s a game, so 2 take about \d seconds of processor time\n",
        err,
    )


def test_results_are_kept_after_an_interruption(balanced: Balanced, monkeypatch: pytest.MonkeyPatch) -> None:
    play = GameSeries.play

    def interrupted(self: GameSeries, seed: int) -> Any:
        if seed == 20:
            raise KeyboardInterrupt
        return play(self, seed)

    monkeypatch.setattr(GameSeries, "play", interrupted)
    code, out, _ = balanced(*FEW, "--format", "json")
    found = json.loads(out)
    assert code == 130 and (found["games"], found["ended"], found["partial"]) == (20, "broken off", True)


def test_without_the_libraries_it_says_what_to_install(balanced: Balanced, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed_libraries, "find_spec", lambda name: None if name == "optuna" else object())
    code, _, err = balanced(*FEW)
    assert code == 2 and err == "warchest: this needs optuna: pip install 'warchest[balance]'\n"


# ---- games that are kept


def test_sim_keeps_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are the games that are played without being kept, and can be replayed to their ends."""
    folder = tmp_path / "games"
    words = ("sim", "-n", "2", "--seed", "4", "--bots", "policy-c,random", "--jobs", "1", "--format", "json")
    assert main([*words]) == 0
    plain = capsys.readouterr().out
    assert main([*words, "--save", str(folder)]) == 0
    assert capsys.readouterr().out == plain
    games = json.loads(plain)[:-1]
    assert sorted(one.name for one in folder.iterdir()) == ["game-4.json", "game-5.json"]
    for game in games:
        replay = load(folder / f"game-{game['seed']}.json")
        assert len(replay.taken) == game["decisions"]
        outcome = replayed(load_once("war-chest"), replay).outcome
        assert outcome is not None and list(outcome.winners) == game["outcome"]["winners"]


def test_no_game_takes_the_place_of_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game-7.json").write_text("{}")
    assert main(["sim", "-n", "1", "--save", str(tmp_path)]) == 2
    assert "game-7.json is there already, and is no replay" in capsys.readouterr().err
