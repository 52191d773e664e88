"""The contents of cards and tokens: the texts of the game with its errata; and all cards of the shipped games fit."""

from __future__ import annotations

from collections import Counter

import pytest
from paper_support import laid_out, printed

from loaded import shipped
from warchest.game.borne_documents import text_in
from warchest.paper.game_parts import Section, sentences
from warchest.paper.pages import SUMMARY, TOKENS, board_pages, card_pages, summary_pages, token_pages
from warchest.paper.sizes import PageSize, SizeError, sheet_of
from warchest.paper.typeset import Templates

A4 = PageSize(210.0, 297.0)
GAMES = ("war-chest", "unigames")


def test_sentences_begin_with_capitals_and_have_no_comments() -> None:
    text = "# the round\nto march: move,\n  then attack.  # twice\nmove 1-2 spaces. attack.\n"
    assert sentences(text) == ("To march: move, then attack.", "Move 1-2 spaces. Attack.")
    assert sentences("") == () and sentences("# nothing\n") == ()


@pytest.mark.parametrize("name", GAMES)
def test_every_card_shows_all_texts_of_its_document(name: str) -> None:
    game = printed(shipped(name), "all")
    cards = game.documents(game.card_kinds(), game.game.sets("all"))
    assert len(cards) > 30
    for document in cards:
        face = game.face(document)
        words = " ".join(line for text in face.texts for line in text.lines).lower().split()
        for block in game.kinds[document.kind].get("blocks", {}):
            text = text_in(document, block) if document.blocks(block) else ""
            said = " ".join(line for line in text.splitlines() if "#" not in line)
            assert not Counter(said.lower().split()) - Counter(words), (document.name, block)
        assert face.name == document.name and face.source


def test_a_card_shows_the_texts_of_its_abilities_with_their_numbers() -> None:
    game = printed(shipped("unigames"))
    face = game.face(game.library.of_kind("figure")[0])
    drain = next(text for text in face.texts if text.key.startswith("Drain"))
    assert any("+1 attack" in line for line in drain.lines)


def test_an_erratum_in_use_changes_the_text_and_is_named() -> None:
    for sets, names in ((None, []), ("all", ["Royal Guard revised"])):
        game = printed(shipped(), sets)
        guard = game.library.named("unit", "Royal Guard")
        assert guard is not None
        face = game.face(guard)
        assert [one.name for one in face.errata] == names
        assert (Section("tactic", ("Move.",)) in face.texts) == (not names)


@pytest.mark.parametrize("name", GAMES)
def test_the_texts_of_all_shipped_cards_fit(name: str) -> None:
    game = printed(shipped(name), "all")
    faces = [game.face(one) for one in game.documents(game.card_kinds(), game.game.sets("all"))]
    pages = laid_out(game, faces)
    assert pages.overflowing == () and len(pages.files) == -(-len(faces) // 9)


def test_backs_follow_the_cards_of_each_page() -> None:
    game = printed(shipped())
    faces = [game.face(one) for one in game.documents(game.card_kinds(), ("base",))[:11]]
    data = card_pages(game, faces, sheet_of(A4, PageSize(63, 88), 2.0), marks=True, backs=True)
    names = [one if isinstance(one, str) else one["name"] for one in data["cards"]]
    told = [one.name for one in faces]
    assert names == [*told[:9], *["back"] * 9, *told[9:], *["blank"] * 7, *["back"] * 9]
    assert len(Templates().laid_out("cards.typ", data, "svg").files) == 4


# ---- tokens, boards, summaries


def test_a_card_has_as_many_tokens_as_it_says() -> None:
    game = printed(shipped())
    documents = [one for kind in game.token_kinds() for one in game.library.of_kind(kind)]
    counts = Counter(one.name for one in game.tokens(documents))
    assert counts == {one.name: one.values["coins"] for one in documents}
    assert {"unit", "coin", "fortification"} == {one.kind for one in documents}


def test_a_piece_that_is_no_heap_has_one_token_with_its_numbers() -> None:
    game = printed(shipped("unigames"))
    tokens = game.tokens(game.library.of_kind("figure"))
    assert len(tokens) == len(game.library.of_kind("figure")) and all(one.facing for one in tokens)
    assert len({one.label for one in tokens}) == len(tokens)
    data = token_pages(game, tokens, sheet_of(A4, PageSize(30, 30), 1.0), marks=True)
    assert Templates().laid_out(TOKENS, data, "svg").overflowing == ()


@pytest.mark.parametrize("name", GAMES)
def test_a_board_is_cut_into_as_many_pages_as_it_needs(name: str) -> None:
    game = printed(shipped(name))
    for board in game.game.boards.boards.values():
        whole = board_pages(game, board, A4, None, marks=True)
        assert len(whole["parts"]) == 1 and len(whole["spaces"]) == len(board.spaces)
        assert whole["width"] <= 297 and whole["height"] <= 297
        large = board_pages(game, board, A4, 60.0, marks=True)
        room = (large["page"]["width"] - 16) * (large["page"]["height"] - 16) * len(large["parts"])
        assert large["width"] * large["height"] <= room and len(large["parts"]) > 1
        pages = Templates().laid_out("board.typ", large, "svg").files
        assert len(pages) == len(large["parts"])
        with pytest.raises(SizeError, match="pages"):
            board_pages(game, board, A4, 480.0, marks=True)


@pytest.mark.parametrize("name", GAMES)
def test_a_summary_has_every_document_with_texts(name: str) -> None:
    game = printed(shipped(name))
    data = summary_pages(game, "All", game.library.documents, A4)
    told = {item["name"] for part in data["parts"] for item in part["items"]}
    for kind in game.kinds:
        assert {one.name for one in game.library.of_kind(kind) if game.face(one).texts} <= told
    assert data["rules"] and len(Templates().laid_out(SUMMARY, data, "svg").files) > 1
