"""The contents of files are read once, and trees that were written down are those that are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from warchest.documents import load
from warchest.documents.schemas import read_schemas
from warchest.source.contents import Contents
from warchest.source.data import data_folder
from warchest.source.nodes import Mapping, Node, Scalar, Sequence
from warchest.source.text import Source

FILES = sorted(data_folder("cards").rglob("*.yaml"))[::3]
"""A third of the shipped files."""
TEXT = "unit: Foe\nlists: [a, 'b', {c: |-\n}]\ntactic: |\n  move.\n"


def places(node: Node) -> list[object]:
    """Return all that a tree says, and where."""
    span = (node.span.start, node.span.end)
    if isinstance(node, Scalar):
        return [node.text, node.style, span, node.block and (node.block.start, node.block.end)]
    if isinstance(node, Sequence):
        return [span, *map(places, node.items)]
    assert isinstance(node, Mapping)
    return [span, *((places(one.key), places(one.value)) for one in node.entries)]


def written_by(contents: Contents, sources: list[Source]) -> bytes:
    return json.dumps(contents.written(sources), separators=(",", ":")).encode()


def kept(sources: list[Source]) -> bytes:
    """Return the trees of some texts, written down by a run that has read them."""
    return read_and_kept(sources)[1]


def read_and_kept(sources: list[Source]) -> tuple[list[list[Node]], bytes]:
    """Return the trees of some texts, and how they are written down."""
    contents = Contents()
    return [contents.roots(source)[0] for source in sources], written_by(contents, sources)


def test_trees_that_were_written_down_are_those_that_are_read() -> None:
    sources = [Source(str(file), file.read_text(encoding="utf-8")) for file in FILES]
    later = Contents()
    read, written = read_and_kept(sources)
    later.recall(written)
    for source, roots in zip(sources, read, strict=True):
        again, findings = later.roots(source)
        assert [places(one) for one in again] == [places(one) for one in roots] and findings == []
        assert all(one is not other for one, other in zip(again, roots, strict=True))
        assert all(one.span.source is source for one in again)
    assert later.written(sources) == {}, "nothing is new"


def test_values_that_were_written_down_are_those_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    first, later = Contents(), Contents()
    first.recall(b"")
    game = data_folder("cards") / "war-chest"
    some = [game / "game.yaml", game / "boards", game / "units", game / "rulings" / "scout.yaml", game / "picture.yaml"]
    library = load.load(some, read_schemas(), contents=first)
    assert library.findings == [] and len(library.documents) > 25
    later.recall(written_by(first, library.sources))
    monkeypatch.setattr(load, "validated", None)
    again = load.load(some, read_schemas(), contents=later)
    assert [one.values for one in again.documents] == [one.values for one in library.documents]
    assert again.findings == [] and later.written(again.sources) == {}, "nothing is new"


def test_values_are_checked_again_after_a_change_of_declarations(tmp_path: Path) -> None:
    words = "words: My words\ndocuments: {drum: {numbers: [beats], blocks: {}}}\n"
    (tmp_path / "words.yaml").write_text(words, encoding="utf-8")
    (tmp_path / "drum.yaml").write_text("drum: Gong\nbeats: 4\n", encoding="utf-8")
    first, later = Contents(), Contents()
    first.recall(b"")
    library = load.load([tmp_path], read_schemas(), contents=first)
    assert library.findings == []
    (tmp_path / "words.yaml").write_text(words.replace("[beats]", "[strokes]"), encoding="utf-8")
    later.recall(written_by(first, library.sources))
    again = load.load([tmp_path], read_schemas(), contents=later)
    assert [one.name for one in again.findings] == ["unknown-key"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{",
        b"{}",
        b"[1, 2]",
        b"\xff",
        b"[" * 100_000,
        kept([Source("x", TEXT)]).replace(b'"plain"', b"7"),
        kept([Source("x", TEXT)]).replace(b"[1,", b"["),
    ],
)
def test_unreadable_contents_are_ignored(data: bytes) -> None:
    contents, source = Contents(), Source("x", TEXT)
    contents.recall(data)
    assert isinstance(contents.roots(source)[0], list)


def test_texts_with_mistakes_are_not_cached() -> None:
    assert b"Foe" not in kept([Source("x", "unit: Foe\nunit: Foe\n"), Source("y", "unit: Friend\n")])


def test_a_file_is_read_once(tmp_path: Path) -> None:
    file, contents = tmp_path / "card.yaml", Contents()
    file.write_text("unit: Foe\n", encoding="utf-8")
    before = contents.source(file).source
    file.write_text("unit: Friend\n", encoding="utf-8")
    after = contents.source(file).source
    assert before is not None and after is not None and before.text == after.text == "unit: Foe\n"
    missing = Contents().source(tmp_path / "none.yaml")
    assert missing.source is None and "cannot be read" in missing.diagnostics[0].message
