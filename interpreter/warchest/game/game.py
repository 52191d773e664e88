"""Games: load the documents of a game, and make states of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.layers import in_use
from warchest.documents.library import Document, Library
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.game.board_view import BoardMap
from warchest.game.errors import CardError, PositionError
from warchest.game.game_files import (
    DocumentPath,
    GamePlace,
    SentGame,
    existing_folder,
    files_beside,
    files_in,
    place_of,
    unusable,
)
from warchest.game.option_values import ALL, OptionValues
from warchest.game.pipeline import MachineMaker, Pipeline, refuse
from warchest.game.position.own_sheets import ToldSheet, library_with, told
from warchest.game.setup.armies import Armies, Asked
from warchest.game.setup.beginning import Beginning
from warchest.game.setup.boards import KEY, Boards
from warchest.game.state import State, state_at
from warchest.game.variant import Variant
from warchest.resolve import parsed_blocks
from warchest.resolve.model import Model
from warchest.source.contents import Contents
from warchest.source.data import pack_or_path, shipped_game
from warchest.source.text import digest

GivenTexts: TypeAlias = Mapping[str, str | None] | Mapping[Path, str | None]
"""Texts by the paths of files, and None for files that are left out."""
MAX_KEPT = 16
"""The most games with sheets of positions that are kept to be used again."""


def load_game(name: DocumentPath = "war-chest", extra: Iterable[DocumentPath] | DocumentPath = ()) -> Game:
    """Load a shipped game by name, with a further folder or file, or several; raises CardError if there are errors.

    A string is always a name, wherever it comes from; a `Path` is the folder of another game. A shipped pack can be
    given by its name, such as `nightfall`, as a further folder, unless a file in the working folder has that name.
    """
    if not isinstance(name, str | Path):
        raise unusable("wrong-type", f"name: the name of a game is needed, not {name!r}")
    folder = existing_folder(name)
    paths = list(extra) if isinstance(extra, Iterable) and not isinstance(extra, str) else [extra]
    for path in paths:
        if not isinstance(path, str | Path):
            raise unusable("wrong-type", f"extra: the path of a folder or a file is needed, not {path!r}")
    return Game(folder, [pack_or_path(path) for path in paths])


class Game:
    """The documents of a game; variants are checked and bound when they are first asked for."""

    def __init__(
        self,
        folder: Path,
        extra: Sequence[Path] = (),
        contents: Contents | None = None,
        texts: Mapping[str, str | None] | None = None,
        is_checked: bool = True,
        place: GamePlace | None = None,
    ) -> None:
        """Load the documents in a folder, and those in `extra`; `texts` replace the contents of files.

        Without `is_checked`, errors in sentences are only found when a variant is requested. Give `place` for a game
        whose files need not be on this machine.
        """
        self._contents = contents or Contents()
        self._contents.keeps = True
        self._place = place or place_of(folder)
        lost, folders = list[Path](), self._place.folders
        files = [file for one in folders for file in files_in(one, self._contents, lost)]
        further = files_beside([*folders, *extra], texts or {})
        left = [path for path in extra if not texts or self._contents.files(path).files]
        self.library = load([*files, *left, *further], read_schemas(), [*files, *further], self._contents)
        self.library.lost[:0] = lost
        self.folder, self.extra, self.texts = folder, tuple(extra), dict(texts or {})
        refuse(self.library.findings)
        self.document = self.library.of_kind("game")[0]
        self.boards = Boards(self.library.of_kind("board"), self.document.values.get("board"))
        self.values = OptionValues(self.library, self.document)
        self.told: list[ToldSheet] = []
        """The sheets that no file holds, only the position for which this game was made."""
        self._with: dict[str, Game] = {}
        self._without: Game | None = None
        """The same game without these sheets."""
        self._usual_game: Game | None = None
        """The same game on its usual machines, where it is played on others."""
        self._pipeline = Pipeline(self, self.boards, self.values)
        self._is_checked = is_checked
        if is_checked:
            self._usual()

    def _usual(self) -> None:
        """Make the usual variant; the texts of a shipped game are parsed only if no parsed form was shipped or cached."""
        shipped = shipped_game(self._place.shipped) if self._place.shipped else None
        if shipped is not None:
            parsed_blocks.recall(shipped)
        self.variant({})
        if shipped is not None and not self.extra and not self.texts:
            parsed_blocks.keep_known(shipped, self.library.sources)

    @property
    def name(self) -> str:
        """The name under which the game is loaded."""
        return self.document.name

    @cached_property
    def digest(self) -> str:
        """The digest of the texts of all documents: equal digests mean equal games."""
        texts = (*(source.text for source in self.library.sources), *(sheet.text for sheet in self.told))
        return digest("\0".join(texts))

    @property
    def digest_without_sheets(self) -> str:
        """The digest of the documents in files, without the sheets of a position."""
        return (self._without or self).digest

    def __reduce__(self) -> tuple[Any, ...]:
        _KNOWN[self.digest] = self._usual_game or self
        folder = self._place.shipped or self.folder
        return _recalled, (folder, self.extra, self.told, self.digest, self.texts)

    def sent(self) -> SentGame:
        """Return the game with the contents of its files, so that `arrived` can make it again on any machine."""
        game = self._usual_game or self
        here, files = game._contents.sent()
        sheets = tuple((one.kind, one.name, dict(one.said), one.where) for one in game.told)
        told = game.folder, game.extra, game.texts, game._is_checked, game._place
        return SentGame(here, files, *told, sheets, game.digest)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folder of the game, after that of the shipped game that it extends, if any."""
        return self._place.folders

    @property
    def contents(self) -> Contents:
        """The contents of the files that the game was read from, where given texts replace some files."""
        return self._contents

    @property
    def paths(self) -> list[Path]:
        """The folders and files that the game and its rulings are read from; given texts can replace some files."""
        left = [path for path in self.extra if not self.texts or self._contents.files(path).files]
        return [self.folder, *left, *files_beside([*self.folders, *self.extra], self.texts)]

    # ---- names

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of documents that the game is made of."""
        return tuple(sorted({one.kind for one in self.library.documents}))

    @property
    def piece_kinds(self) -> tuple[str, ...]:
        """The kinds of documents with pieces on the board."""
        return tuple(sorted({kind.sheet for kind in self.variant().program.ruleset.kinds}))

    def names(self, kind: str, sets: Iterable[str] | str | None = None) -> tuple[str, ...]:
        """Return the names of the documents of a kind: all, or only the documents in use with some sets (see `sets`).

        Raises PositionError for a kind or a set that does not exist.
        """
        if kind not in self.kinds:
            hint = did_you_mean(str(kind), self.kinds) or f"there are: {', '.join(self.kinds)}"
            raise PositionError("kind", f"there is no document of a kind {kind!r}; {hint}")
        chosen = None if sets is None else self.sets(sets)
        return tuple(
            sorted(
                {
                    one.name
                    for one in self.library.of_kind(kind)
                    if chosen is None or one.values.get("set", "") in ("", *chosen)
                }
            )
        )

    @property
    def players(self) -> tuple[str, ...]:
        """The players at the usual board, in turn order."""
        return self.board.players

    @cached_property
    def board(self) -> BoardMap:
        """The usual board; a state has its own, which may be another one: `state.board`."""
        return BoardMap(self.variant().board)

    def board_for(self, setup: str | None = None, players: int | None = None) -> BoardMap:
        """Return the board that `new` uses for a setup, or for a number of players; raises PositionError as `new`
        does."""
        return BoardMap(self.beginning(setup=setup, players=players).variant.board)

    def with_text(self, path: DocumentPath, text: str) -> Game:
        """Return the same game with another text in place of the text of one file; no other file is read again.

        Raises CardError with the findings if the text has errors, as loading it from the file would.
        """
        self._refuse_unless_file(path)
        return self.with_texts({str(path): text})

    def with_texts(self, texts: GivenTexts) -> Game:
        """Return the same game with other texts in place of files, and without the files whose text is None.

        The path of a new file is the place where the text would be saved: in a folder of the game it belongs to the
        game as other files there do; elsewhere it is read on top of the game. Files already read are not read again.
        Raises CardError with the findings where the texts are wrong, as loading them from files would, and where a
        file to be left out is not one of the game.
        """
        if not isinstance(texts, Mapping):
            raise unusable("wrong-type", f"texts: a mapping from paths to texts is needed, not {texts!r}")
        known = {os.path.abspath(one.path): one.path for one in self.library.sources}
        changed: dict[str, str | None] = {}
        for path, text in texts.items():
            if not isinstance(path, str | Path) or not (text is None or isinstance(text, str)):
                raise unusable("wrong-type", f"texts: a path and a text, or None, are needed, not {path!r}: {text!r}")
            place = known.get(os.path.abspath(path))
            if text is None and place is None:
                self._refuse_unless_file(path)
            changed[place or str(path)] = text
        together = {**self.texts, **changed}
        contents = self._contents.with_texts(changed)
        made = Game(self.folder, self.extra, contents, together, self._is_checked, self._place)
        return made._having(self.told) if self.told else made

    def _refuse_unless_file(self, path: DocumentPath) -> None:
        """Raise CardError unless a path is one of the files that the game was read from."""
        place = os.path.abspath(path)
        if not any(os.path.abspath(one.path) == place for one in self.library.sources):
            raise unusable("no-such-document", f"path: {str(path)!r} is no file of {self.name}")

    # ---- variants

    @property
    def choices(self) -> dict[str, list[str]]:
        """All options, each with its values; the value that needs no layer is the first."""
        return self.values.choices

    def sets(self, given: Iterable[str] | str | None = None) -> tuple[str, ...]:
        """Return the sets in use: those given (by commas, or `"all"`), or the usual ones; raises PositionError."""
        return self.values.sets(given)

    def options(
        self, given: Mapping[str, Any] | None, sets: Iterable[str] | str | None = None, date: str | None = None
    ) -> dict[str, str]:
        """Return all options with their values: the given values, or the usual ones with these sets at that date.

        Raises PositionError for an option, a set or a date that does not exist.
        """
        return self.values.all(given, sets, date)

    def layers(self, options: Mapping[str, str]) -> list[Document]:
        """Return the layers that are in use under some options, in the order in which they are applied."""
        return in_use(self.library, options)

    def variant(self, given: Mapping[str, Any] | None = None, board: str | None = None) -> Variant:
        """Return the variant for some options on a board, by default the usual; raises CardError or PositionError."""
        document = self.boards.named(board) if board else self.boards.usual
        return self._pipeline.variant(self.options(given), document)

    def played_on(self, machine_for: MachineMaker) -> Game:
        """Return the same game on other machines: for each program the one that `machine_for` returns."""
        made = self._copy()
        made._usual_game, made._pipeline = self, self._pipeline.played_on(machine_for)
        return made

    def _copy(self) -> Game:
        """Return a copy that shares the documents."""
        made = Game.__new__(Game)
        made.__dict__.update(self.__dict__)
        made.__dict__.pop("digest", None)
        made._with = {}
        return made

    # ---- states

    def new(
        self,
        seed: int | None = None,
        armies: Armies | None = None,
        options: Mapping[str, Any] | None = None,
        setup: str | None = None,
        players: int | None = None,
        sets: Iterable[str] | str | None = None,
        date: str | None = None,
        points: int | None = None,
        collection: Armies | None = None,
    ) -> State:
        """Return the first state of a game; `seed` settles the decisions of chance before a player's first decision.

        `armies` are those that players bring; the setup gives an army to players who are not named, or have None.
        `points` are the most that an army may cost where a setup counts points, `collection` has the documents of each
        player: armies are taken from it, and the rest stays available. Raises PositionError for impossible
        arguments.
        """
        return self.beginning(armies, options, setup, players, sets, date, points, collection).begin(seed)

    def beginning(
        self,
        armies: Armies | None = None,
        options: Mapping[str, Any] | None = None,
        setup: str | None = None,
        players: int | None = None,
        sets: Iterable[str] | str | None = None,
        date: str | None = None,
        points: int | None = None,
        collection: Armies | None = None,
    ) -> Beginning:
        """Return the beginning of a new game; raises PositionError as `new` does.

        Armies and collections are checked when the game begins, or by `brought`.
        """
        for what, given in (("armies", armies), ("collection", collection)):
            if given is not None and not isinstance(given, Mapping):
                raise PositionError(what, f"a mapping from players to lists of names is needed, not {given!r}")
        document = self._setup(setup, players, armies)
        board = self.boards.named(document.values["board"], "setup")
        seats = len(self.boards.boards[board.name].seats)
        if players is not None and players != seats:
            raise PositionError("players", f"the setup {document.name!r} is for {seats} players, not {players!r}")
        in_use = self.sets(sets)
        if options is not None and not isinstance(options, Mapping):
            raise PositionError("options", f"a mapping is needed, not {options!r}")
        asked = {**document.values.get("options", {}), **(options or {})}
        variant = self._pipeline.variant(self.options(asked, in_use, date), board)
        if armies:
            armies = {**dict.fromkeys(variant.naming.players), **armies}
        army, apart = (str(self.document.values.get(key, "")) for key in ("armies", "collection"))
        fill = {**self.document.values.get("fill", {}), **document.values.get("fill", {})}
        return Beginning(document, variant, in_use, Asked(armies, collection, points), army, apart, fill)

    def _setup(self, name: str | None, players: int | None, armies: Armies | None) -> Document:
        """Return the setup of a name; without a name, the setup of the board for the players."""
        setups = self.library.of_kind("setup")
        if name is not None:
            return self._setup_named(name, "setup")
        if players is not None:
            board = self.boards.with_seats(players)
        else:
            board = self.boards.with_players(armies) if armies else self.boards.usual
            usual_setup = self.document.values.get("setup")
            if usual_setup is not None and board is self.boards.usual:
                return self._setup_named(usual_setup, "setup")
        if "setup" in board.values:
            return self._setup_named(board.values["setup"], "setup")
        for one in setups:
            if one.values["board"] == board.name:
                return one
        raise PositionError("setup", f"there is none for the board {board.name!r}")

    def _setup_named(self, name: str, field: str) -> Document:
        found = self.library.named("setup", name)
        if found is None:
            names = [one.name for one in self.library.of_kind("setup")]
            hint = did_you_mean(str(name), names) or f"there are: {', '.join(names)}"
            raise PositionError(field, f"there is no setup {name!r}; {hint}")
        return found

    def position(self, mapping: Mapping[str, Any]) -> State:
        """Return the state for a position; raises PositionError that names the field.

        The board is the first that has all spaces and players which the position names, unless it names a board.
        """
        if not isinstance(mapping, Mapping):
            raise PositionError("", "a position is a mapping")
        try:
            return self._position(mapping)
        except RecursionError:
            raise PositionError("", "it is nested too deep, or the rules do not terminate") from None

    def _position(self, mapping: Mapping[str, Any]) -> State:
        if mapping.get("game", self.name) != self.name:
            raise PositionError("game", f"this is {self.name}, not {mapping['game']}")
        options = mapping.get("options")
        if options is not None and not isinstance(options, Mapping):
            raise PositionError("options", "a mapping is needed")
        sheets = told(mapping, self.document, self.library)
        game = self._having(sheets) if sheets else self
        for odd in told(mapping, game.document, game.library) if sheets else ():
            raise PositionError(odd.where, f"no sheet can say the same of {odd.name}")
        variant = game._pipeline.variant(game.options(options), game.boards.for_position(mapping))
        return state_at(variant, {key: mapping[key] for key in mapping if key != KEY})

    def _having(self, sheets: list[ToldSheet]) -> Game:
        """Return this game with the sheets of a position; raises PositionError where one of them is wrong."""
        key = "".join(one.text for one in sheets)
        if key not in self._with:
            if len(self._with) == MAX_KEPT:
                self._with.clear()
            self._with[key] = self._made_having(sheets)
        return self._with[key]

    def _made_having(self, sheets: list[ToldSheet]) -> Game:
        if self._usual_game is not None:
            return self._usual_game._having(sheets).played_on(self._pipeline.machine_for)
        made = self._copy()
        made.library, made.told = library_with(self.library, sheets), [*self.told, *sheets]
        made.values, made._without = OptionValues(made.library, self.document), self._without or self
        made._pipeline = Pipeline(made, self.boards, made.values, made.told, made._without._pipeline)
        try:
            made.variant({})
        except CardError as error:
            raise _as_position_error(error, sheets) from None
        return made


def model_of(game: Game, variant: Variant) -> Model:
    """Return the model of a variant of a game, which is used to look up the words of further sentences."""
    return game._pipeline.model(variant.options, variant.board.name)


_KNOWN: dict[str, Game] = {}
"""The games that were unpickled in this process, by the texts of their documents."""


def _recalled(
    folder: DocumentPath,
    extra: Sequence[Path],
    sheets: list[ToldSheet],
    digest: str,
    texts: Mapping[str, str | None] | None = None,
) -> Game:
    """Return the game of a pickle; raises CardError if its documents have changed since."""
    if digest not in _KNOWN:
        place = existing_folder(folder) if isinstance(folder, str) else folder
        game = Game(place, extra, Contents().with_texts(texts or {}), texts)
        _KNOWN[digest] = game._having(sheets) if sheets else game
    if _KNOWN[digest].digest != digest:
        raise unusable("no-such-document", f"the documents of {_KNOWN.pop(digest).name} have changed")
    return _KNOWN[digest]


_ARRIVED: dict[str, Game] = {}
"""The games that were sent with their files, by their digests with the paths of the files."""


def arrived(sent: SentGame) -> Game:
    """Return a game that was sent; it has only the files sent with it, and none of this machine.

    A game that has arrived before is not made again. Raises CardError if this program reads the files differently.
    """
    key = sent.key
    if key not in _ARRIVED:
        if len(_ARRIVED) == MAX_KEPT:
            del _ARRIVED[next(iter(_ARRIVED))]
        contents = Contents.arrived(sent.here, sent.files)
        game = Game(sent.folder, sent.extra, contents, sent.texts, sent.is_checked, sent.place)
        _ARRIVED[key] = game._having([ToldSheet(*one) for one in sent.sheets]) if sent.sheets else game
    if _ARRIVED[key].digest != sent.digest:
        raise unusable("no-such-document", f"the documents of {_ARRIVED.pop(key).name} have not arrived as they were")
    return _ARRIVED[key]


def _as_position_error(error: CardError, sheets: list[ToldSheet]) -> PositionError:
    """Return the fault of a sheet that came with a position as an error of the position."""
    first = error.diagnostics[0]
    for sheet in sheets:
        if first.span is not None and first.span.path == sheet.where:
            return sheet.error(first)
    return PositionError(sheets[0].where, first.message)


__all__ = ["ALL", "Beginning", "Game", "Library", "arrived", "load_game", "model_of"]
