"""Games: load the documents of a game, and make states of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.layers import choices, in_use, layered, of_board, readings, usual
from warchest.documents.library import Document, Library
from warchest.documents.load import load
from warchest.documents.packs import PACKS
from warchest.documents.schemas import read_schemas
from warchest.engine.machine import machine_of
from warchest.engine.runs import Machine
from warchest.game.board_view import BoardMap
from warchest.game.errors import CardError, PositionError
from warchest.game.position.own_sheets import ToldSheet, library_with, plain, told
from warchest.game.setup.armies import Armies, Asked
from warchest.game.setup.beginning import Beginning
from warchest.game.setup.boards import KEY, Boards
from warchest.game.state import State, state_at
from warchest.game.variant import Variant
from warchest.lowering.program import Program
from warchest.resolve.model import Model, raisable
from warchest.resolve.resolve import check_plain, read_all
from warchest.resolve.shipped_blocks import keep_shipped, recall_shipped
from warchest.source.contents import Contents
from warchest.source.data import GAME_FILE, folders_of, shipped_game, shipped_games
from warchest.source.folders import TooMuch
from warchest.source.garbage import uncollected
from warchest.source.text import digest

DocumentPath = str | Path
GivenTexts: TypeAlias = Mapping[str, str | None] | Mapping[Path, str | None]
"""Texts by the paths of files, and None for files that are left out."""
_VariantKey: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]
"""A variant: its board and its options."""
ROOM = 16
"""For how many sheets of positions, or a multiple of them, a program has room."""
MAX_KEPT = 16
"""The most games with sheets of positions that are kept to be used again."""
ALL = "all"
"""Stands for all sets there are."""
_DATE = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?")


def load_game(name: DocumentPath = "war-chest", extra: Iterable[DocumentPath] | DocumentPath = ()) -> Game:
    """Load a shipped game by name, with a further folder or file, or several; raises CardError if anything is wrong.

    A text is always a name, so that it may come from anywhere; a `Path` is the folder of a game of one's own.
    """
    if not isinstance(name, str | Path):
        raise _unusable("wrong-type", f"name: the name of a game is needed, not {name!r}")
    folder = folder_of(name)
    if folder is None:
        raise _unusable("no-such-document", f"name: {no_game(name)}")
    paths = list(extra) if isinstance(extra, Iterable) and not isinstance(extra, str) else [extra]
    for path in paths:
        if not isinstance(path, str | Path):
            raise _unusable("wrong-type", f"extra: the path of a folder or a file is needed, not {path!r}")
    return Game(folder, [Path(path) for path in paths])


def folder_of(name: DocumentPath) -> Path | None:
    """Return the folder of the shipped game of a name, or the folder that a path is; None if there is no game."""
    if isinstance(name, Path):
        return name if os.path.isfile(name / GAME_FILE) else None
    return shipped_game(name)


def no_game(name: DocumentPath) -> str:
    """Return the message about a name that is that of no shipped game, or about a folder that is none of a game."""
    if isinstance(name, Path):
        return f"{str(name)!r} is no folder of a game: there is no {GAME_FILE} in it"
    shipped = [one.name for one in shipped_games()]
    hint = did_you_mean(name, shipped) or f"there are: {', '.join(shipped)}"
    return f"there is no game {name[:60]!r}; {hint}"


def _unusable(kind: str, message: str) -> CardError:
    """Return the error that the arguments of `load_game` name no documents at all."""
    return CardError([report(kind, message, None)])


class Game:
    """The documents of a game; variants are checked and bound when they are first asked for."""

    def __init__(
        self,
        folder: Path,
        extra: Sequence[Path] = (),
        contents: Contents | None = None,
        texts: Mapping[str, str | None] | None = None,
        is_checked: bool = True,
    ) -> None:
        """Load the documents in a folder, and further ones; `texts` are in the `contents` in place of files.

        Unless it is checked, errors in sentences are only found when a variant is asked for.
        """
        self._contents = contents or Contents()
        self._contents.keeps = True
        lost, folders = list[Path](), folders_of(folder)
        files = [file for one in folders for file in _documents(one, self._contents, lost)]
        further = _further([*folders, *extra], texts or {})
        left = [path for path in extra if not texts or self._contents.files(path).files]
        self.library = load([*files, *left, *further], read_schemas(), [*files, *further], self._contents)
        self.library.lost[:0] = lost
        self.folder, self.extra, self.texts = folder, tuple(extra), dict(texts or {})
        self._refuse(self.library.findings)
        self.document = self.library.of_kind("game")[0]
        self.boards = Boards(self.library.of_kind("board"), self.document.values.get("board"))
        self.choices = choices(self.library)
        self.told: list[ToldSheet] = []
        """The sheets that no file holds, but the position this game was made for."""
        self._with: dict[str, Game] = {}
        self._without: Game | None = None
        """The same game without these sheets."""
        self._usually: tuple[Game, Callable[[Program], Machine]] | None = None
        """The same game on its usual machines, and the maker of other ones, where it is played on those."""
        self._usual_options: dict[tuple[tuple[str, ...], str | None], dict[str, str]] = {}
        """The options, with these sets at that date, unless others are asked for."""
        self._models: dict[_VariantKey, Model] = {}
        self._machines: dict[tuple[_VariantKey, int], Machine] = {}
        """The machines that have room for so many sheets of positions."""
        self._variants: dict[_VariantKey, Variant] = {}
        self._is_checked = is_checked
        if is_checked:
            self._usual()

    def _usual(self) -> None:
        """Make the usual variant, for which the texts of a shipped game are parsed only if that was not done before."""
        name = self.folder.name
        if folder_of(name) != self.folder:
            self.variant({})
            return
        recall_shipped(name)
        self.variant({})
        if not self.extra and not self.texts:
            keep_shipped(name, self.library.sources)

    @property
    def name(self) -> str:
        """The name under which the game is loaded."""
        return self.document.name

    @cached_property
    def digest(self) -> str:
        """The digest of the texts of all documents: games with the same one are the same."""
        texts = (*(source.text for source in self.library.sources), *(sheet.text for sheet in self.told))
        return digest("\0".join(texts))

    @property
    def digest_without_sheets(self) -> str:
        """The digest of the documents in files, without the sheets of a position."""
        return (self._without or self).digest

    def __reduce__(self) -> tuple[Any, ...]:
        _KNOWN[self.digest] = self._usually[0] if self._usually is not None else self
        shipped = folder_of(self.folder.name) == self.folder
        folder = self.folder.name if shipped else self.folder
        return _recalled, (folder, self.extra, self.told, self.digest, self.texts)

    @property
    def contents(self) -> Contents:
        """The contents of the files that the game was read from, with the texts in place of some of them."""
        return self._contents

    @property
    def paths(self) -> list[Path]:
        """The folders and files that the game and its rulings are read from; texts can be in place of some files."""
        left = [path for path in self.extra if not self.texts or self._contents.files(path).files]
        return [self.folder, *left, *_further([*folders_of(self.folder), *self.extra], self.texts)]

    # ---- names

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of documents that the game is made of."""
        return tuple(sorted({one.kind for one in self.library.documents}))

    @property
    def piece_kinds(self) -> tuple[str, ...]:
        """The kinds of documents whose pieces stand on the board."""
        return tuple(sorted({kind.sheet for kind in self.variant().program.ruleset.kinds}))

    def names(self, kind: str, sets: Iterable[str] | str | None = None) -> tuple[str, ...]:
        """Return the names of the documents of a kind, all or those in use with some sets (see `sets`).

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
        """Return the board that `new` uses for a setup, or for so many players; raises PositionError as `new` does."""
        return BoardMap(self.beginning(setup=setup, players=players).variant.board)

    def _refuse(self, findings: Iterable[Diagnostic]) -> None:
        errors = [finding for finding in findings if finding.severity == "error"]
        if errors:
            raise CardError(errors)

    def with_text(self, path: DocumentPath, text: str) -> Game:
        """Return the same game with another text in place of that of one of its files; no other file is read again.

        Raises CardError with the findings where the text will not do, as loading it from the file would.
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
            raise _unusable("wrong-type", f"texts: a mapping from paths to texts is needed, not {texts!r}")
        known = {os.path.abspath(one.path): one.path for one in self.library.sources}
        changed: dict[str, str | None] = {}
        for path, text in texts.items():
            if not isinstance(path, str | Path) or not (text is None or isinstance(text, str)):
                raise _unusable("wrong-type", f"texts: a path and a text, or None, are needed, not {path!r}: {text!r}")
            place = known.get(os.path.abspath(path))
            if text is None and place is None:
                self._refuse_unless_file(path)
            changed[place or str(path)] = text
        together = {**self.texts, **changed}
        contents = self._contents.with_texts(changed)
        made = Game(self.folder, self.extra, contents, together, self._is_checked)
        return made._having(self.told) if self.told else made

    def _refuse_unless_file(self, path: DocumentPath) -> None:
        """Raise CardError if a path is none of the files that the game was read from."""
        place = os.path.abspath(path)
        if not any(os.path.abspath(one.path) == place for one in self.library.sources):
            raise _unusable("no-such-document", f"path: {str(path)!r} is no file of {self.name}")

    # ---- variants

    def sets(self, given: Iterable[str] | str | None = None) -> tuple[str, ...]:
        """Return the sets in use: those given (by commas, or `"all"`), else the usual ones; raises PositionError."""
        if given is None and "sets" in self.document.values:
            return tuple(self.document.values["sets"])
        there = sorted({str(one.values["set"]) for one in self.library.documents if "set" in one.values})
        if given is None or given == ALL:
            return tuple(there)
        if not isinstance(given, Iterable):
            raise PositionError("sets", f"a list of names is needed, not {given!r}")
        names = [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)
        for name in names:
            if name not in there:
                hint = did_you_mean(str(name), there) or f"there are: {', '.join(there) or 'none'}"
                raise PositionError("sets", f"there is no set {name!r}; {hint}")
        return tuple(dict.fromkeys(names))

    def options(
        self, given: Mapping[str, Any] | None, sets: Iterable[str] | str | None = None, date: str | None = None
    ) -> dict[str, str]:
        """Return all options with their values: those given, else the usual ones with these sets at that date.

        Raises PositionError for an option, a set or a date that does not exist.
        """
        if date is not None and not _DATE.fullmatch(str(date)):
            raise PositionError("date", f"a year, or also month and day, is needed, as in 2019-08-31, not {date!r}")
        asked = self.sets(sets), None if date is None else str(date)
        if asked not in self._usual_options:
            self._usual_options[asked] = usual(self.library, *asked)
        chosen = dict(self._usual_options[asked])
        for name, value in (given or {}).items():
            if name not in self.choices:
                raise PositionError(f"options.{name}", f"there are only {', '.join(self.choices) or 'no options'}")
            if value not in self.choices[name]:
                raise PositionError(f"options.{name}", f"it is one of {', '.join(self.choices[name])}")
            chosen[name] = value
        return chosen

    def layers(self, options: Mapping[str, str]) -> list[Document]:
        """Return the layers that are in use under some options, in the order in which they are applied."""
        return in_use(self.library, options)

    def variant(self, given: Mapping[str, Any] | None = None, board: str | None = None) -> Variant:
        """Return the variant for some options on a board (the usual one); raises CardError or PositionError."""
        return self._variant(self.options(given), self.boards.named(board) if board else self.boards.usual)

    def _variant(self, options: Mapping[str, str], board: Document) -> Variant:
        key = _key(board, options)
        if key not in self._variants:
            self._variants[key] = self._make(options, board)
        return self._variants[key]

    @uncollected()
    def _make(self, options: Mapping[str, str], board: Document) -> Variant:
        if self._usually is not None:
            usually, machine_for = self._usually
            variant = usually._variant(options, board)
            return variant.on(machine_for(variant.program))
        library, findings = layered(of_board(self.library, board.name), options)
        document = next(one for one in library.of_kind("board") if one.name == board.name)
        game = next(one for one in library.of_kind("game") if one.name == self.document.name)
        model, known, found = self._checked(library, game, document, options)
        self._refuse([*findings, *found])
        if known is None or self._without is None:
            machine = machine_of(Program(model.ruleset, self.boards.described_by(document)))
        else:
            further, key = len(model.ruleset.sheets) - len(known.ruleset.sheets), _key(document, options)
            machine = self._without._machine_with_room(known, document, further, key).having(model.ruleset)
        sources = {one.span.path: one.source or str(one.values.get("ruling", "")) for one in library.documents}
        shapes = dict(game.values.get("position", {}))
        if self.boards.must_be_named(board.name):
            shapes = {KEY: {"always": board.name}, **shapes}
        kinds = game.values["documents"]
        sheets = {(one.kind, one.name): one.values for one in library.documents if one.kind in kinds}
        told = [(one.kind, one.name) for one in self.told]
        packs = game.values.get(PACKS, ())
        return Variant(self, machine, shapes, options, self._written(options), sources, sheets, told, packs)

    def _checked(
        self, library: Library, game: Document, board: Document, options: Mapping[str, str]
    ) -> tuple[Model, Model | None, list[Diagnostic]]:
        """Return the model of a variant with its findings; the texts are not read again for sheets alone.

        Between them stands the model whose texts were read, where that is another one.
        """
        if self._without is not None:
            known = self._without._read_as(options, board.name)
            documents = plain(library, self.told, game, self._without.library)
            if documents is not None:
                model, found = check_plain(known, library, game, documents)
                return model, known, found
        reader, found = read_all(library, game, board)
        self._models[_key(board, options)] = reader.model
        return reader.model, None, found

    def _machine_with_room(self, known: Model, board: Document, further: int, key: _VariantKey) -> Machine:
        """Return the machine that plays this game with further sheets, which have no texts; it is made once."""
        room = -(-max(further, 1) // ROOM) * ROOM
        if (key, room) not in self._machines:
            program = Program(known.ruleset, self.boards.described_by(board), room, raisable(known))
            self._machines[key, room] = machine_of(program)
        return self._machines[key, room]

    def _read_as(self, options: Mapping[str, str], board: str) -> Model:
        """Return the model of a variant, whose texts have been read."""
        document = self.boards.named(board)
        self._variant(options, document)
        return self._models[_key(document, options)]

    def played_on(self, machine_for: Callable[[Program], Machine]) -> Game:
        """Return the same game on other machines: for each program the one that `machine_for` returns."""
        made = Game.__new__(Game)
        made.__dict__.update(self.__dict__)
        made._variants, made._with, made._usually = {}, {}, (self, machine_for)
        return made

    def _written(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return the options that positions tell: printings always, readings where they are not the usual ones."""
        usual_values, chosen = self.options(None), readings(self.library)
        return {name: value for name, value in options.items() if name not in chosen or value != usual_values[name]}

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
        """Return the first state of a game; `seed` settles the decisions of chance before anybody is asked.

        `armies` are those that players bring; the setup gives an army to those who are not named, or have None.
        `points` are the most that an army may cost where a setup counts that, `collection` holds the cards that each
        player owns: armies are taken from it, and the rest is at hand. Raises PositionError for things that cannot be.
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
        """Return how a new game would begin; raises PositionError as `new` does.

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
        variant = self._variant(self.options(asked, in_use, date), board)
        if armies:
            armies = {**dict.fromkeys(variant.naming.players), **armies}
        army, apart = (str(self.document.values.get(key, "")) for key in ("armies", "collection"))
        fill = {**self.document.values.get("fill", {}), **document.values.get("fill", {})}
        return Beginning(document, variant, in_use, Asked(armies, collection, points), army, apart, fill)

    def _setup(self, name: str | None, players: int | None, armies: Armies | None) -> Document:
        """Return the setup of a name; without one, that of the board for the players."""
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
            raise PositionError("", "it is nested too deep, or the rules do not come to an end") from None

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
        variant = game._variant(game.options(options), game.boards.for_position(mapping))
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
        if self._usually is not None:
            usually, machine_for = self._usually
            return usually._having(sheets).played_on(machine_for)
        made = Game.__new__(Game)
        made.__dict__.update(self.__dict__)
        made.__dict__.pop("digest", None)
        made.library, made.told = library_with(self.library, sheets), [*self.told, *sheets]
        made._variants, made._with, made._models, made._without = {}, {}, {}, self._without or self
        made._usual_options = {}
        try:
            made.variant({})
        except CardError as error:
            raise _as_position_error(error, sheets) from None
        return made


def model_of(game: Game, variant: Variant) -> Model:
    """Return the model of a variant of a game, in which the words of further sentences are looked up."""
    return (game._without or game)._read_as(variant.options, variant.board.name)


def _key(board: Document, options: Mapping[str, str]) -> _VariantKey:
    return board.name, tuple(sorted(options.items()))


_KNOWN: dict[str, Game] = {}
"""The games that have travelled, by the texts of their documents."""


def _recalled(
    folder: DocumentPath,
    extra: Sequence[Path],
    sheets: list[ToldSheet],
    digest: str,
    texts: Mapping[str, str | None] | None = None,
) -> Game:
    """Return a game that has travelled; raises CardError where its documents say something else now."""
    if digest not in _KNOWN:
        place = folder_of(folder) if isinstance(folder, str) else folder
        if place is None:
            raise _unusable("no-such-document", f"name: {no_game(folder)}")
        game = Game(place, extra, Contents().with_texts(texts or {}), texts)
        _KNOWN[digest] = game._having(sheets) if sheets else game
    if _KNOWN[digest].digest != digest:
        raise _unusable("no-such-document", f"the documents of {_KNOWN.pop(digest).name} have changed")
    return _KNOWN[digest]


def _as_position_error(error: CardError, sheets: list[ToldSheet]) -> PositionError:
    """Return the fault of a sheet that came with a position as an error of the position."""
    first = error.diagnostics[0]
    for sheet in sheets:
        if first.span is not None and first.span.path == sheet.where:
            return sheet.error(first)
    return PositionError(sheets[0].where, first.message)


def _documents(folder: Path, contents: Contents, lost: list[Path]) -> list[Path]:
    """Return the files of a game: all in its folder but rulings, questions and properties, which play does not need.

    `lost` gets the links to no file.
    """
    try:
        looked = contents.files(folder)
    except TooMuch:
        return [folder]  # which is refused when it is loaded
    lost += looked.lost
    depth = len(folder.parts)
    return [file for file in looked.files if file.parts[depth] not in ("rulings", "questions", "properties")]


def _further(paths: Iterable[Path], texts: Mapping[str, str | None]) -> list[Path]:
    """Return the files of given texts that lie in none of some folders, and are none of some files."""
    places = [Path(os.path.abspath(path)) for path in paths]
    given = [Path(path) for path, text in texts.items() if text is not None]
    return [path for path in given if not any(Path(os.path.abspath(path)).is_relative_to(one) for one in places)]


__all__ = ["ALL", "Beginning", "Game", "Library", "load_game", "model_of"]
