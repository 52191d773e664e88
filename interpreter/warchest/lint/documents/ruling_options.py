"""Options in rulings: every act, key and value must be one that some option of the game can have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.editions import edition
from warchest.documents.layers import choices
from warchest.documents.library import Document, Library
from warchest.lint.documents.ruling_positions import board_named, cases_of
from warchest.resolve.resolve import Parsed, check
from warchest.source.nodes import Mapping as Keys
from warchest.source.nodes import Node, Scalar, items

if TYPE_CHECKING:
    from warchest.game.explain.vocabulary import Sayable, Unsayable

Alike: TypeAlias = list[tuple[list[Document], Parsed]]
"""Boards that add the same words to a game, with the blocks that were parsed with these words."""
_LISTS = ("do", "offered", "not offered")


def offer_findings(
    library: Library, game: Document, shown: Collection[str], alike: Alike, aside: Collection[str]
) -> tuple[list[Diagnostic], set[str]]:
    """Find options named in the rulings of the reported files that the game can never offer. The texts must be sound.

    Return also the files with an option that would be impossible without the texts in the files that are `aside`.
    """
    read = [one for one in library.documents if one.span.path in shown and one.span.path not in library.unread]
    cases = [(one.span.path, case, values) for one in read for case, values in cases_of(one)]
    asked = [(path, values, options) for path, case, values in cases if (options := list(_asked(case)))]
    if not library.of_kind("board") or not asked:
        return [], set()
    reader = _OfferCheck(replace(library, unread=frozenset(aside)), game, alike)
    wrong = [one for one in asked if any(True for _ in reader.wrong(one[1], one[2]))]
    if not wrong:
        return [], set()
    reader = _OfferCheck(replace(library, unread=frozenset()), game, alike) if aside else reader
    return [found for _, values, options in wrong for found in reader.wrong(values, options)], {one[0] for one in wrong}


def _asked(case: Keys) -> Iterator[tuple[Keys, bool]]:
    """Yield the options in a case, each with whether the case only asks about it."""
    for key in _LISTS:
        yield from ((one, False) for one in items(case.get(key)))
    why = case.get("why not")
    for one in [why] if isinstance(why, Keys) else items(why):
        what = one.get("what")
        if isinstance(what, Keys):
            yield what, True


class _OfferCheck:
    """Looks options up in the vocabulary of the game, on each board and under each necessary choice of options."""

    def __init__(self, library: Library, game: Document, alike: Alike) -> None:
        # Most runs read no rulings, and need not wait for the modules that read them.
        from warchest.game.setup.boards import Boards

        self.library, self.game = library, game
        self.parsed = {board.name: parsed for boards, parsed in alike for board in boards}
        self.boards = Boards(library.of_kind("board"), game.values.get("board"))
        self.usual = {name: str(values[0]) for name, values in choices(library).items()}
        self.made: dict[tuple[str, tuple[tuple[str, str], ...]], Sayable | None] = {}

    def wrong(self, values: Mapping[str, Any], options: list[tuple[Keys, bool]]) -> Iterator[Diagnostic]:
        """Find the options in a case that the game can never offer."""
        position = values.get("position", {})
        if position.get("game", self.game.name) != self.game.name:
            return
        board = self.boards.documents.get(board_named(self.library, self.boards, position))
        if board is None:
            return
        usual, own = self._words(board, {}), None
        for option, asks in options:
            found = _wrong(usual, option, asks)
            if found and position.get("options"):
                # Under its own options, more words may be allowed.
                own = own or self._words(board, position["options"])
                found = _wrong(own, option, asks)
            for one in found:
                entry = option.entry(one.key)
                assert entry is not None
                node: Node = entry.key if one.by_key else entry.value
                yield report("never-offered", one.message, node.span, help=one.help)

    def _words(self, board: Document, options: Mapping[str, str]) -> Sayable | None:
        """Return the vocabulary on a board under some options; None if the texts are wrong there."""
        from warchest.game.explain.vocabulary import Sayable

        chosen = {**self.usual, **{name: value for name, value in options.items() if name in self.usual}}
        key = (board.name, tuple(sorted(chosen.items())))
        if key not in self.made:
            there = edition(self.library, self.game.name, board.name, chosen)
            ruleset, found = check(there.library, there.game, there.board, self.parsed.get(board.name))
            sound = not any(one.severity == "error" for one in (*there.faults, *found))
            described = self.boards.described_by(board)
            self.made[key] = Sayable(ruleset, described, self.boards.spaces) if sound else None
        return self.made[key]


def _wrong(words: Sayable | None, option: Keys, asks: bool) -> list[Unsayable]:
    if words is None:
        return []
    return list(words.wrong(words.called(_plain(option)) if asks else _plain(option)))


def _plain(option: Keys) -> dict[str, object]:
    """Return the data of an option with numbers and names as the schema distinguishes them; no name is looked up."""
    return {
        entry.key.text: entry.value.text
        for entry in option.entries
        if isinstance(entry.value, Scalar) and not entry.value.text.isdecimal()
    }
