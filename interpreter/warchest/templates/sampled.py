"""A first document of a kind without a template, made from the kind's declaration and from another document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warchest.format.text_layout import formatted
from warchest.source.nodes import Entry, Scalar
from warchest.source.text import with_line_ends

if TYPE_CHECKING:
    from warchest.documents.library import Document
    from warchest.game.game import Game

_OWN = ("set", "printed", "date", "rulings", "notes", "plural")
"""The keys of a document that a new one does not copy."""
_SOURCE = "source"


def kinds_of(game: Game) -> list[str]:
    """Return the kinds of document that a game and its packs declare."""
    return list(_shapes(game))


def sampled(game: Game, kind: str, name: str, file: str) -> dict[Path, str]:
    """Return a new document of a declared kind with a ruling that passes, by the name of its file.

    Its values are those of another document of the kind; the texts of that one are in comments.
    """
    documents = [one for one in game.library.documents if one.kind == kind]
    sample = min(documents, key=lambda one: len(one.span.source.text), default=None)
    lines = [f"# A {kind}. Change anything you like.", f"{kind}: {name}"]
    if sample is None:
        lines += _declared(game, _shapes(game)[kind])
    else:
        blocks = _shapes(game)[kind].get("blocks", {})
        for entry in sample.node.entries[1:]:
            if entry.key.text not in (*_OWN, _SOURCE):
                lines += _commented(entry, sample) if entry.key.text in blocks else [_text(entry)]
    text = "\n".join([*lines, f"{_SOURCE}: our own", *_ruling(game, name)]) + "\n"
    return {Path(f"{file}.yaml"): formatted(text)}


def _shapes(game: Game) -> dict[str, Any]:
    """Return the declarations of kinds of a game and its packs."""
    told: list[Mapping[str, Any]] = [
        one.values.get("documents", {}) for kind in ("game", "words") for one in game.library.of_kind(kind)
    ]
    return {kind: shape for shapes in told for kind, shape in shapes.items()}


def _text(entry: Entry) -> str:
    """Return an entry as it is written, from its key to the end of its value."""
    source = entry.key.span.source
    return with_line_ends(source.text[entry.key.span.start : entry.value.span.end], "\n").rstrip()


def _commented(entry: Entry, sample: Document) -> Iterator[str]:
    """Yield the lines of a comment with a text of another document."""
    block = entry.value.block if isinstance(entry.value, Scalar) else None
    if block is not None:
        said = with_line_ends(block.text, "\n").strip("\n").split("\n")
        yield f"# {sample.name} has this text:"
        yield from (f"# {line}".rstrip() for line in (f"{entry.key.text}: |", *said))


def _declared(game: Game, shape: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys that a kind declares, each with a first value."""
    for number in shape.get("numbers") or ():
        yield f"{number}: 1"
    for key, other in shape.get("names", {}).items():
        named = next((one.name for one in game.library.documents if one.kind == other), None)
        yield f"{key}: {named}" if named is not None else f"# {key}: the name of a {other}"
    for key in shape.get("blocks", {}):
        yield from (f"# {key}: |", "#   Its sentences are here.")


def _ruling(game: Game, name: str) -> Iterator[str]:
    """Yield the lines of a ruling: a game begins, and the first player decides."""
    setups: list[str | None] = [one.name for one in game.library.of_kind("setup")]
    for setup in setups or [None]:
        decision = game.beginning(setup=setup).begin(0).decision
        if decision is not None and not decision.is_chance:
            position = f"{{setup: {setup}, seed: 0}}" if setup is not None else "{}"
            yield from (
                "---",
                "# A ruling: a case that you would be asked about at the table, with its answer.",
                f"rulings: {name}",
                "cases:",
                "  - name: A game with it begins",
                '    source: "ruling: as ever"',
                f"    position: {position}",
                f"    decides: {decision.player}",
            )
            return
