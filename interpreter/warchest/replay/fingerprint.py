"""Fingerprints of documents, so that a replay can report the cards that have changed since it was made."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from warchest.documents.library import Document
from warchest.game.game import Game

_DIGITS = 16
_LOOKS = ("picture", "bots", "phrases")
"""Kinds that make no difference to the course of a game."""


def fingerprint(game: Game) -> dict[str, dict[str, str]]:
    """Return a digest for each document a game is made of: `shipped` ones, and those of `extra` folders."""
    found: dict[str, dict[str, str]] = {"shipped": {}, "extra": {}}
    for document in game.library.documents:
        if document.kind not in _LOOKS:
            shipped = document.span.path.startswith(str(game.folder))
            found["shipped" if shipped else "extra"][f"{document.kind}/{document.name}"] = _digest(document)
    return found


def layers(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """Return a digest for each layer that is in use under some options, by its name."""
    return {layer.name: _digest(layer) for layer in game.layers(options)}


def other_layers(recorded: Mapping[str, object], now: Mapping[str, str]) -> list[str]:
    """Return a line for each difference between the layers in use and those that a replay was made with."""
    lines = [f"{name} is not there" for name in recorded if name not in now]
    lines += [f"{name} has another text" for name in recorded if name in now and now[name] != recorded[name]]
    return lines + [f"{name} is in use too" for name in now if name not in recorded]


def _digest(document: Document) -> str:
    text = document.node.span.text.replace("\r\n", "\n").strip()
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def changed(recorded: Mapping[str, object], game: Game) -> list[str]:
    """Return a line for each difference between a game's documents and those that a replay was made with."""
    lines = []
    now = fingerprint(game)
    for part, word in (("shipped", ""), ("extra", " of an extra folder")):
        before = recorded.get(part)
        if not isinstance(before, Mapping):
            continue
        for name, digest in before.items():
            if name not in now[part]:
                lines.append(f"{name}{word} is missing" + ("; give its folder with --cards" if word else ""))
            elif now[part][name] != digest:
                lines.append(f"{name}{word} has changed")
        lines += [f"{name}{word} is new" for name in now[part] if name not in before]
    return lines
