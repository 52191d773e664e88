"""Replays as pages: they need nothing else, are small, are the same each time, and keep hidden things hidden."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from page_support import HOSTILE, data_of, hostile_page, page, played, shown

import loaded
from loaded import shipped
from seeds import seeds
from warchest import State
from warchest.cli.main import main
from warchest.game.errors import OptionError
from warchest.game.telling.motions import MotionKind
from warchest.replay import Misfit, Replay, Session, TakenStep, load, save
from warchest.replay.page import PageTooLarge, course, languages, page_of, replay_page
from warchest.replay.replay_moments import moments

MOST = 1_500_000
"""The most bytes that a whole game may take."""
GAMES = [("war-chest", 3, 1000, None), ("war-chest", 4, 80, 4), ("unigames", 1, 60, None)]


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts of scripts and sheets."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[dict[str, str | None], str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found[-1:] and self.found[-1][0] in ("script", "style") and data.strip():
            self.texts.append((self.found[-1][1], data))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [one for name, one in self.found if name == tag]


# ---- one file


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_page_is_small_and_has_all_steps_of_all_views(game: tuple[str, int, int, int | None]) -> None:
    bot = "policy-c" if game[0] == "unigames" else "beginner"
    text, taken = page(*game, bot=bot), played(*game, bot=bot).taken
    assert len(text.encode()) < MOST / 2
    views = data_of(text)["views"]
    players = shipped(game[0]).new(seed=1, players=game[3]).board.players
    assert [view["viewer"] for view in views] == [None, *players]
    assert {len(view["steps"]) for view in views} == {1 + sum(step.by is not None for step in taken)}


def test_a_long_game_stays_small() -> None:
    long = page(seed=6, bot="policy-c", viewer="raven")
    assert len(data_of(long)["views"][0]["steps"]) > 200 and len(long.encode()) < MOST


def test_equal_replays_have_equal_pages(tmp_path: Path) -> None:
    save(tmp_path / "game.json", played(most=60))
    assert replay_page(shipped(), load(tmp_path / "game.json")) == page(most=60)


def test_a_page_loads_nothing_and_runs_one_script() -> None:
    text = page(most=60)
    elements = Elements(text)
    links = [one[key] for _, one in elements.found for key in ("src", "href", "action", "data", "srcset") if key in one]
    assert links == ["data:,"]
    for _, attributes in elements.found:
        assert not [key for key in attributes if key == "style" or key.startswith("on")]
    folder = files("warchest.replay.page")
    script, style = [folder.joinpath(name).read_text("utf-8") for name in ("page.js", "page.css")]
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|fetch|import|XMLHttp", script)
    assert not re.search(r"url\(|@import|@font-face", style)
    kinds = [one.get("type") for one in elements.named("script")]
    assert kinds == ["application/json", "application/json", None] and len(elements.named("style")) == 1


def test_the_policy_allows_its_script_and_its_sheet_and_nothing_else() -> None:
    elements = Elements(page(most=60))
    [policy] = [one["content"] for one in elements.named("meta") if "http-equiv" in one]
    hashes = [
        b64encode(sha256(text.encode()).digest()).decode()
        for attributes, text in elements.texts
        if "type" not in attributes
    ]
    style, script = hashes
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


# ---- its contents


def test_steps_have_the_pictures_and_the_news_of_their_moments() -> None:
    replay = played(most=60)
    data, seen = data_of(page(most=60)), list(moments(shipped(), replay, with_chance=False))
    for view in range(3):
        steps = shown(data, view)
        assert [news for _, _, news in steps] == [list(moment[view].news) for moment in seen]
        for (pictures, facts, _), moment in zip(steps, seen, strict=True):
            assert all(title in facts for title, _ in moment[view].seen.facts)
            for one in pictures:
                root = ElementTree.fromstring(one)
                assert root.get("role") == "img" and root.get("aria-label") and " style=" not in one
            spaces = {one.get("data-space") for one in ElementTree.fromstring(pictures[0])}
            assert {cell.name for cell in moment[view].seen.cells} <= spaces
    arrows = [one for pictures, _, _ in shown(data, 0) for one in pictures if 'data-from="' in one]
    assert arrows and not any('data-from="' in one for one in shown(data, 0)[0][0])


def test_a_step_is_a_decision_with_the_chance_after_it() -> None:
    replay = played(most=60)
    numbers = [one.number for [one] in moments(shipped(), replay, [None], with_chance=False)]
    by = [step.by for step in replay.taken]
    assert numbers[0] == next(number for number, one in enumerate(by) if one is not None) and numbers[-1] == len(by)
    for before, after in pairwise(numbers):
        assert by[before] is not None and set(by[before + 1 : after]) <= {None}


def test_a_page_can_end_before() -> None:
    replay = played(most=60)
    whole, part = data_of(page(most=60)), data_of(replay_page(shipped(), replay, upto=30))
    count = len(part["views"][0]["steps"])
    assert 1 < count < len(whole["views"][0]["steps"]) and shown(part, 0)[:-1] == shown(whole, 0)[: count - 1]


def test_an_end_is_shown_but_not_for_a_running_game() -> None:
    assert data_of(page())["ending"].startswith("The game is over: ") and data_of(page(most=60))["ending"] == ""


def test_all_words_of_the_page_are_in_one_table() -> None:
    folder = files("warchest.replay.page")
    template, script = [folder.joinpath(name).read_text("utf-8") for name in ("page.html", "page.js")]
    used = {*re.findall(r"\{\{word_(\w+)\}\}", template), *re.findall(r"\bwords\.(\w+)", script)}
    for language in languages():
        assert json.loads(folder.joinpath(f"{language}.json").read_text("utf-8")).keys() == used
    assert "en" in languages()
    # The template has no words of its own.
    bare = re.sub(r"<(style|script)[^>]*>.*?</\1>|<[^>]*>|\{\{\w+\}\}", "", template, flags=re.DOTALL)
    assert not re.search(r"[A-Za-z]", bare)


# ---- hidden things


HIDING: dict[str, Any] = {
    "to_act": "wolf",
    "initiative": "wolf",
    "control": {"raven": ["e2"], "wolf": ["d7"]},
    "armies": {"raven": ["Archer", "Swordsman"], "wolf": ["Knight", "Pikeman"]},
    "hand": {"raven": ["Archer"], "wolf": ["Knight", "Pikeman"]},
    "bag": {"raven": ["Archer", "Archer", "Swordsman"], "wolf": ["Knight", "Pikeman", "Pikeman"]},
}


def passes(position: dict[str, Any], coins: list[str], draws: list[str] | None = None) -> Replay:
    """Return a game of passes with a coin, by each player in turn; chance first gives the coins `draws`."""
    state = shipped().position(position)
    session, waiting, wanted = Session.from_position(shipped(), state, 1), list(coins), list(draws or ())
    while (decision := session.state.decision) is not None:
        if decision.is_chance:
            fitting = [one for one in decision.options if wanted[:1] == [one.data["coin"]]]
            wanted = wanted[bool(fitting) :]
            session.take(fitting[0] if fitting else decision.options[0])
        elif not waiting:
            break
        else:
            coin = waiting.pop(0)
            session.take(
                next(one for one in decision.options if one.data["act"] == "pass" and one.data["coin"] == coin)
            )
    return session.replay()


def test_a_page_for_a_player_does_not_reveal_the_coins_used_by_another() -> None:
    one, other = [passes(HIDING, coins) for coins in (["Knight", "Archer", "Pikeman"], ["Pikeman", "Archer", "Knight"])]
    assert replay_page(shipped(), one, "raven") == replay_page(shipped(), other, "raven")
    for viewer in ("wolf", None):
        assert replay_page(shipped(), one, viewer) != replay_page(shipped(), other, viewer)


def test_a_page_for_a_player_hides_whether_chance_had_a_choice_for_another() -> None:
    """Of equal coins the last ones are drawn without a step of chance, of different ones with it."""
    pages, lengths = set(), set()
    for bag in (["Archer", "Archer", "Archer"], ["Archer", "Swordsman", "Swordsman"]):
        position = {
            **HIDING,
            "bag": {"raven": bag, "wolf": ["Knight"] * 3},
            "to_act": "raven",
            "hand": {"raven": ["Archer"], "wolf": []},
        }
        replay = passes(position, ["Archer"])
        lengths.add(len(replay.taken))
        pages.add(replay_page(shipped(), replay, "wolf"))
    assert len(lengths) == 2 and len(pages) == 1


TRIED = 12
"""The most attempts at chance after an option until the outcome is the wanted one."""


def settled(session: Session, rng: Random) -> None:
    """Let chance decide until a player does."""
    while (decision := session.state.decision) is not None and decision.is_chance:
        session.take(decision.sample(rng))


def seen_by(state: State, player: str) -> Any:
    return state.view(player), [one.text for one in state.news_entries(player)]


def follow(session: Session, aim: Any, player: str, rng: Random) -> bool:
    """Take a decision, and chance, that look to a player as something else did; return whether any was found."""
    before, taken = session.state, list(session.taken)
    assert before.decision is not None
    for option in before.decision.options:
        for _ in range(TRIED):
            session.state, session.taken = before.clone(), list(taken)
            session.take(option)
            chance = len(session.taken)
            settled(session, rng)
            if seen_by(session.state, player) == aim:
                return True
            if chance == len(session.taken):
                break
    session.state, session.taken = before, taken
    return False


@pytest.mark.parametrize("seed", seeds(4, "page", usual=[1, 2]))
@pytest.mark.parametrize("player", ["raven", "wolf"])
def test_games_that_look_alike_to_a_player_have_equal_pages_for_it(player: str, seed: int) -> None:
    rng, state = Random(seed), loaded.played(30, seed=seed)
    while state.decision is not None and state.decision.is_chance:
        state.apply(state.decision.sample(rng))
    one, other = [
        Session.from_position(shipped(), shipped().position(each.position()), 1)
        for each in (state, state.determinize(player, rng))
    ]
    count = 0
    for _ in range(12):
        before, taken = one.state.clone(), list(one.taken)
        assert before.decision is not None
        one.take(before.decision.sample(rng))
        settled(one, rng)
        if follow(other, seen_by(one.state, player), player, rng):
            count += 1
        else:
            one.state, one.taken = before, taken
    assert count and one.replay() != other.replay()
    assert replay_page(shipped(), one.replay(), player) == replay_page(shipped(), other.replay(), player)


def test_a_page_for_a_player_is_the_view_of_that_player() -> None:
    whole, own = data_of(page(most=60)), data_of(page(most=60, viewer="wolf"))
    assert [view["viewer"] for view in own["views"]] == ["wolf"]
    assert shown(own, 0) == shown(whole, 2) != shown(whole, 0)
    used = {line for number in range(len(own["pictures"])) for line in own["pictures"][number]}
    used |= {line for step in own["views"][0]["steps"] for line in (step[3], *step[4])}
    assert used == set(range(len(own["lines"])))


def test_spaces_merely_named_by_others_are_not_marked() -> None:
    replay, marked = played(seed=2), set()
    by = [step.by for step in replay.taken if step.by is not None]
    for player, moment in zip(by, list(moments(shipped(), replay, with_chance=False))[1:], strict=True):
        for one in moment:
            if any(motion.kind is MotionKind.NAMED for motion in one.seen.motions):
                marked.add((one.viewer, player))
    assert marked == {(None, "raven"), (None, "wolf"), ("raven", "raven"), ("wolf", "wolf")}


def test_a_viewer_must_be_a_player() -> None:
    with pytest.raises(OptionError):
        replay_page(shipped(), played(most=60), "fox")


# ---- texts of strangers


def test_texts_of_strangers_are_texts_only() -> None:
    text, harmless = hostile_page(), page(most=60)
    assert [tag for tag, _ in Elements(text).found] == [tag for tag, _ in Elements(harmless).found]
    data = data_of(text)
    assert HOSTILE == data["title"] and all(news[0] == HOSTILE for _, _, news in shown(data, 1))
    for pictures, _, _ in shown(data, 0):
        for one in pictures:
            root = ElementTree.fromstring(one)
            assert not {each.tag.rpartition("}")[2] for each in root.iter()} & {"script", "img", "foreignObject"}


def test_invisible_characters_are_written_as_escapes() -> None:
    [first] = [moment for moment in moments(shipped(), played(most=40), [None], upto=5, with_chance=False)][:1]
    odd = replace(first[0], seen=replace(first[0].seen, title="a\u202eb\ud800"), news=("c\u2028d",))
    data = data_of(page_of([(odd,)]).encode().decode())
    assert data["title"] == "a\\u202eb\\ud800" and "c\\u2028d" in data["lines"]


# ---- bounds, and the verb


def test_a_page_that_would_be_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], loads_once: None
) -> None:
    monkeypatch.setattr(course, "MAX_PAGE", 1 << 17)
    with pytest.raises(PageTooLarge, match="larger than 0 MiB, which is the most, from decision "):
        replay_page(shipped(), played())
    save(tmp_path / "game.json", played())
    assert main(["replay", str(tmp_path / "game.json"), "--html", str(tmp_path / "game.html")]) == 2
    said = capsys.readouterr().err
    assert "--html: " in said and "--viewer PLAYER" in said and said.count("\n") == 1
    assert not (tmp_path / "game.html").exists()


def test_the_bound_is_about_the_size_of_the_page() -> None:
    """The size that is estimated while a page is made is close to the real one."""
    store = course.PictureStore()
    for moment in moments(shipped(), played(most=60), with_chance=False):
        for one in moment:
            course._step(one, store)
    assert 0.8 < store.size / len(page(most=60).encode()) < 1.2


def test_the_verb_writes_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], loads_once: None
) -> None:
    monkeypatch.chdir(tmp_path)
    save("game.json", played(most=60))
    assert main(["replay", "game.json", "--html", "game.html"]) == 0
    assert capsys.readouterr().err == "wrote game.html\n"
    assert Path("game.html").read_bytes() == page(most=60).encode()
    assert main(["replay", "game.json", "--html", "game.html", "--viewer", "wolf", "--at", "30"]) == 0
    assert Path("game.html").read_text("utf-8") == replay_page(shipped(), played(most=60), "wolf", upto=30)
    assert main(["replay", "game.json", "--html", "game.html", "--viewer", "fox"]) == 2
    assert main(["replay", "game.json", "--html", "game.json"]) == 2
    assert "is no page in HTML" in capsys.readouterr().err


def test_a_misfit_makes_no_page(tmp_path: Path, loads_once: None) -> None:
    replay = played(most=60)
    save(tmp_path / "game.json", replace(replay, taken=(TakenStep("wolf", {"act": "fly"}), *replay.taken)))
    assert main(["replay", str(tmp_path / "game.json"), "--html", str(tmp_path / "game.html")]) == 1
    assert not (tmp_path / "game.html").exists()
    with pytest.raises(Misfit):
        replay_page(shipped(), load(tmp_path / "game.json"))
