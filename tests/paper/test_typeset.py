"""Templates: data are never read as text of Typst, faults have their places, and no other file is read or fetched."""

from __future__ import annotations

import json
import os
import re
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from paper_support import laid_out, printed, size_of

from loaded import shipped
from warchest.paper import typeset
from warchest.paper.game_parts import CardFace, Section
from warchest.paper.typeset import LayoutError, Templates, shipped_templates

SIGNS = "#panic() $x$ *a* _b_ `c` @d <e> \\f = g / h // i ~ [j] \" ' \u202e"


def card(of: str = "March", **changed: object) -> CardFace:
    game = printed(shipped())
    found = game.library.named("decree", of)
    assert found is not None
    return replace(game.face(found), **changed)  # type: ignore[arg-type]


def made(template: str, folder: Path) -> Templates:
    (folder / "mine.typ").write_text(template, encoding="utf-8")
    return Templates(single=folder / "mine.typ")


HEAD = "#let data = json(bytes(sys.inputs.data))\n#set document(date: none)\n"


def test_signs_of_typst_in_names_and_texts_are_printed_as_they_are(tmp_path: Path) -> None:
    told = card(name=SIGNS, kind=SIGNS, source=SIGNS, texts=(Section(SIGNS, (SIGNS, SIGNS)),))
    laid_out(printed(shipped()), [told])
    same = made(f'{HEAD}#assert(data.cards.first().name == json(bytes("{_quoted(SIGNS)}")))\nx', tmp_path)
    laid_out(printed(shipped()), [told], templates=same)


def _quoted(text: str) -> str:
    return json.dumps(text).replace("\\", "\\\\").replace('"', '\\"')


def test_equal_data_give_equal_bytes() -> None:
    game = printed(shipped())
    for form in ("pdf", "svg", "png"):
        first, second = (laid_out(game, [card(), card("Spy")], form) for _ in range(2))  # type: ignore[arg-type]
        assert first == second and len(first.files) == 1
    assert not re.search(rb"CreationDate|ModDate|CreateDate|ModifyDate", laid_out(game, [card()], "pdf").files[0])


def test_a_long_text_is_set_smaller_and_a_longer_one_is_reported() -> None:
    game = printed(shipped())
    long = tuple(["All of this has been said before, and so it is said again here."] * 31)
    assert sum(map(len, long)) >= 1950
    assert laid_out(game, [card(texts=(Section("effect", long),))]).overflowing == ()
    longer = card(name="Saga", texts=(Section("effect", long * 4),))
    assert laid_out(game, [card(), longer]).overflowing == (("Saga", "text"),)


def test_the_room_of_a_text_includes_descenders_of_its_last_line(tmp_path: Path) -> None:
    laid_out(
        printed(shipped()),
        [card()],
        templates=made(
            HEAD
            + """#import "card.typ": tallness
#context for size in (4.6pt, 6.5pt, 9.5pt) {
  let told(edge) = { set text(size: size, bottom-edge: edge); [Quickly jumping, (my); gyp.] }
  assert(tallness(60mm, size, told("baseline")) >= measure(block(width: 60mm, told("bounds"))).height)
}
""",
            tmp_path,
        ),
    )


def test_pages_have_the_size_that_was_asked_for() -> None:
    pages = laid_out(printed(shipped()), [card()] * 10)
    assert [size_of(page) for page in pages.files] == [(210.0, 297.0)] * 2


# ---- faults


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("#let x = 1.foo", "cannot access fields"),
        ("#nothing", "unknown variable: nothing"),
        ("#(", "unclosed delimiter"),
        ("#let f() = { while true { } }\n#f()", "condition is always true"),
        ("#data.cards.at(99)", "99"),
        ('#read("../x")', "cannot access files outside of the project sandbox"),
    ],
)
def test_a_fault_is_reported_with_its_place(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(LayoutError) as error:
        laid_out(printed(shipped()), [card()], templates=made(f"{HEAD}{line}", tmp_path))
    message = str(error.value)
    assert re.match(rf"{re.escape(str(tmp_path / 'mine.typ'))}:[34]:\d+: ", message), message
    assert said in message and "\n" not in message and "--" not in message


def test_a_fault_in_a_template_that_is_used_by_another_has_its_own_place(tmp_path: Path) -> None:
    text = next(one for one in shipped_templates() if one.name == "card.typ").read_text(encoding="utf-8")
    head = "#let badge(value, colour, size) ="
    assert head in text
    (tmp_path / "card.typ").write_text(text.replace(head, f"{head} nix +"), encoding="utf-8")
    told = card("March", values=printed(shipped()).face(shipped().library.of_kind("unit")[0]).values)
    with pytest.raises(LayoutError, match=re.escape(str(tmp_path / "card.typ")) + r":\d+:\d+: unknown variable: nix"):
        laid_out(printed(shipped()), [told], templates=Templates(folder=tmp_path))


# ---- the folder


def test_files_of_a_folder_take_the_places_of_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "word.txt").write_text("Bear", encoding="utf-8")
    (tmp_path / "cards.typ").write_text(
        f'{HEAD}#assert(read("parts/word.txt") == "Bear")\n#set page(width: 5cm, height: 5cm)\nx', encoding="utf-8"
    )
    page = laid_out(printed(shipped()), [card()], templates=Templates(folder=tmp_path)).files[0]
    assert size_of(page) == (50.0, 50.0)


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret.txt", "link.txt", "inner/secret.txt"])
def test_no_file_outside_of_the_folder_is_read(path: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "inner").symlink_to(tmp_path, target_is_directory=True)
    (folder / "cards.typ").write_text(f'{HEAD}#read("{path}")', encoding="utf-8")
    with pytest.raises(LayoutError, match=r"cards\.typ:3:\d+: "):
        laid_out(printed(shipped()), [card()], templates=Templates(folder=folder))


@pytest.mark.parametrize("name", ["@preview/cetz:0.3.0", "@local/mine:0.1.0"])
@pytest.mark.parametrize("set_by_user", [False, True])
def test_no_package_is_fetched(name: str, set_by_user: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler asks for a package at the one address that it is given, where usually no server answers."""
    if set_by_user:
        monkeypatch.setenv("NO_PROXY", "*")
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    before = dict(os.environ)
    template = made(f'{HEAD}#let p = "{name[:4]}" + "{name[4:]}"\n#import p: x', tmp_path)
    asked = list[bool]()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)
        monkeypatch.setattr(typeset, "_NOWHERE", f"http://127.0.0.1:{server.getsockname()[1]}")

        def hang_up() -> None:
            with suppress(OSError):
                server.accept()[0].close()
                asked.append(True)

        listener = Thread(target=hang_up, daemon=True)
        listener.start()
        with pytest.raises(LayoutError, match="a template cannot use packages"):
            laid_out(printed(shipped()), [card()], templates=template)
        if name.startswith("@preview"):
            listener.join()
    assert bool(asked) == name.startswith("@preview")
    assert dict(os.environ) == before
    assert typeset._NOWHERE.startswith("http://127.0.0.1:")


def test_a_folder_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeset, "MAX_FILES", 3)
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text("x", encoding="utf-8")
    with pytest.raises(LayoutError, match="at most 3 files"):
        laid_out(printed(shipped()), [card()], templates=Templates(folder=tmp_path))
