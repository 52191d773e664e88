"""Read folders of documents. A document is one YAML root whose first key is its kind, with its name."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, quoted
from warchest.diagnostics.suggest import did_you_mean, nearest
from warchest.documents.begun import BEGINS, begun, without_replaced
from warchest.documents.board_names import board_findings
from warchest.documents.extending import extended
from warchest.documents.library import Document, Library
from warchest.documents.packs import PACK, PACKS, declared_by, how_many, telling, with_packs, with_spaces
from warchest.documents.schema_findings import validated
from warchest.documents.schemas import RawSchema, Schemas, clauses_of, read_schemas
from warchest.source.contents import Contents
from warchest.source.file_reading import read_source
from warchest.source.folders import TooMuch, files_in, once
from warchest.source.garbage import uncollected
from warchest.source.limits import (
    MAX_BOARDS,
    MAX_DECLARED,
    MAX_DOCUMENTS,
    MAX_FILES,
    MAX_FINDINGS,
    MAX_RULES,
    MAX_SENTENCES,
    MAX_SPACES,
    MAX_TEXT,
)
from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from warchest.source.text import Source, Span, digest, line_end

_NAMED = re.compile(r"^[a-z]+: *([^\s#].*)", re.MULTILINE)
_MARGIN = re.compile(r"^(?:- )?([A-Za-z_][\w-]*)[ \t]*:(?=\s|$)", re.MULTILINE)
"""The keys at the margin of a text that is YAML."""
_BOARD, _GAME = "board", "game"
_DECLARING = (_GAME, PACK)
"""The kinds of document whose declarations the others rely on."""
_KEPT_IN_POSITIONS = ("game", "board", "packs", "options", "irregular", "winner", "pending", "used", "lasting")
"""The keys of positions that the program itself has, whatever the game."""
_CASES = ("rulings", "cases")
"""The keys under which documents have cases."""
_READ_LESS = "docs/reference/limits.md lists the bounds; name a folder further down, or read less at once"
_NO_BLANK = re.compile(r"([a-z]+):([A-Z][A-Za-z'-]*)")


DECLARES = ("documents", "things", "fields", "zones", "words", "play", "rules", "title", BEGINS)
"""The keys under which a document of kind `game` declares the parts of the game."""


@uncollected()
def load(
    paths: Iterable[Path], schemas: Schemas, found: Collection[Path] = (), contents: Contents | None = None
) -> Library:
    """Read every document in `paths` (files and folders); never raises for the contents of the files.

    A file from a folder is skipped if it is plainly no document; so is a file among `found`, which came from a folder
    earlier. A file that was named is always read as a document. `contents` are the contents of the files that were read
    earlier.
    """
    reader = _DocumentReader(schemas, Library(), contents or Contents())
    with suppress(_Full):
        read = {root: reader.files(root) for root in paths}
        named = {root for root, files in read.items() if files == [root]}.difference(found)
        for file in once(file for files in read.values() for file in files):
            reader.file(file, file not in named)
        reader.documents()
        for root, files in read.items():
            if files not in ([], [root]) and {str(file) for file in files} <= set(reader.library.passed_over):
                reader.none_in(root, "no YAML file in the folder is a card")
    return reader.library


def from_source(source: Source, schemas: Schemas) -> Library:
    """Read the documents in a text; never raises for its contents."""
    reader = _DocumentReader(schemas, Library(), Contents())
    with suppress(_Full):
        reader.waiting += reader.roots(source)
        reader.documents()
    return reader.library


def declaring_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files, in folders or by themselves, in which a game or a pack may declare something."""
    found = list[Path]()
    for path in paths:
        with suppress(TooMuch):  # the error is raised when it is loaded
            found += files_in(path)
    return [file for file in dict.fromkeys(found) if _may_declare(file)]


def declared(paths: Iterable[Path]) -> Library:
    """Return the documents that declare something, with the schemas of all kinds that they declare."""
    files = declaring_files(paths)
    return load(files, read_schemas(), files)


def _may_declare(file: Path) -> bool:
    read = read_source(file)
    return read.source is not None and any(key in _DECLARING for key in _MARGIN.findall(read.source.text))


class _Full(Exception):
    """Stops the reading if there are too many documents; never leaves this module."""


@dataclass(slots=True)
class _DocumentReader:
    """Reads documents into a library, and counts the things that have a limit."""

    schemas: Schemas
    library: Library
    contents: Contents
    mark: str = "shipped"
    """A digest of all declarations that extend the schemas."""
    waiting: list[Node] = field(default_factory=list)
    """The roots that were read and are still to be checked."""
    unnamed: list[Node] = field(default_factory=list)
    """Those of them that are in files which were found in folders."""
    doubtful: list[Path] = field(default_factory=list)
    """The files found in folders that contain documents only if their kind is declared somewhere."""
    files_read: int = 0
    bytes_read: int = 0
    roots_read: int = 0
    characters: int = 0
    sentences: int = 0
    boards: int = 0

    def files(self, root: Path) -> list[Path]:
        """Return the files to be read for a path."""
        try:
            looked = self.contents.files(root)
        except TooMuch as error:
            self._stop(report("too-much", str(error), None, path=str(root), help=_READ_LESS))
        if not looked.files:
            self.none_in(root, "the folder holds no YAML file")
        self.library.lost += looked.lost
        return looked.files

    def none_in(self, folder: Path, message: str) -> None:
        """Report that there is no document in a folder."""
        help = "a document is a `.yaml` file whose first key is its kind"
        self.library.findings.append(report("no-documents", message, None, path=str(folder), help=help))

    def file(self, file: Path, found: bool) -> None:
        """Read the documents in a file; a file that was found, and not named, may hold other data."""
        self.files_read += 1
        self._bound(self.files_read, MAX_FILES, "files", None, file)
        read = self.contents.source(file)
        if read.source is None:
            self.library.findings.extend(read.diagnostics)
            return
        if found and not may_hold_documents(read.source.text, self.schemas):
            self.doubtful.append(file)
            return
        self.library.findings.extend(read.diagnostics)
        self.bytes_read += len(read.source.text)
        self._bound(self.bytes_read, MAX_TEXT, "characters", None, file)
        roots = [root for root in self.roots(read.source) if not is_position(root, file)]
        self.waiting += roots
        self.unnamed += roots if found else []

    def documents(self) -> None:
        """Check the waiting documents, beginning with the documents whose declarations others need."""
        for root in self.waiting:
            if kind_of(root) in _DECLARING:
                self.root(root)
        packs = self.library.of_kind(PACK)
        game, base = self._game()
        whole = with_packs(telling(game if base is None else begun(base, game)), packs) if game is not None else None
        known, declared = self.schemas, whole.values if whole is not None else declared_by(packs)
        self._bound(how_many(declared), MAX_DECLARED, "declarations", packs[-1].span if packs else None)
        self.schemas = extended(known, declared)
        self.mark = digest(json.dumps(declared, sort_keys=True)) if self.contents.keeps else ""
        doubtful, self.doubtful = self.doubtful, []
        for file in doubtful if self.schemas is not known else ():
            self.file(file, found=True)
        self.library.passed_over += map(str, self.doubtful if self.schemas is not known else doubtful)
        self.library.schemas = self.schemas
        self._pass_over_positions(whole.values.get("position", ()) if whole is not None else ())
        for root in self.waiting:
            if kind_of(root) not in _DECLARING:
                self.root(root)
        order = {id(root): number for number, root in enumerate(self.waiting)}
        documents = sorted(self.library.documents, key=lambda one: order[id(one.node)])
        if base is not None:
            documents = without_replaced([one for one in documents if one is not base], Path(base.span.path).parent)
        self.library.documents = [
            whole if whole is not None and one is game else with_spaces(one, packs) if one.kind == _BOARD else one
            for one in documents
        ]

    def _pass_over_positions(self, keys: Collection[str]) -> None:
        """Take the positions that were found in folders out of the reading queue."""
        known = {*_KEPT_IN_POSITIONS, *keys}
        positions = [root for root in self.unnamed if self._tells_a_position(root, known)]
        self.library.passed_over += dict.fromkeys(root.span.path for root in positions)
        passed = set(map(id, positions))
        self.waiting = [root for root in self.waiting if id(root) not in passed]

    def _tells_a_position(self, root: Node, keys: Collection[str]) -> bool:
        """Whether a root has only keys of positions, and its first key does not name a document."""
        if not isinstance(root, Mapping) or not root.entries or any(one.key.text not in keys for one in root.entries):
            return False
        first = root.entries[0]
        return not isinstance(first.value, Scalar) or self.schemas.for_kind(first.key.text) is None

    def _game(self) -> tuple[Document | None, Document | None]:
        """Return the document of the game, and the document of the game that it begins from, if any."""
        games = self.library.of_kind(_GAME)
        own = next((one for one in games if BEGINS in one.values), None)
        if own is None:
            return (games[0] if games else None), None
        base = next((one for one in games if one.name == own.values[BEGINS] and one is not own), None)
        if base is None:
            node = own.node.get(BEGINS)
            message = f"there is no shipped game {quoted(own.values[BEGINS])} to begin from"
            self._stop(report("no-such-document", message, node.span if node is not None else own.span))
        return own, base

    def roots(self, source: Source) -> list[Node]:
        """Return the roots of a text, if it is well-formed."""
        self.library.sources.append(source)
        roots, findings = self.contents.roots(source)
        self.library.findings.extend(findings)
        if any(found.severity == "error" for found in findings):
            self.library.left_out.update(_names_in(source.text))
            self._check_findings(findings[-1].span)
            return []
        return roots

    def root(self, root: Node) -> None:
        """Read a document."""
        self.roots_read += 1
        self._bound(self.roots_read, MAX_DOCUMENTS, "documents", root.span)
        if not isinstance(root, Mapping) or not root.entries or not isinstance(root.entries[0].value, Scalar):
            message = "a document begins with its kind and its name"
            self._wrong([report("not-a-document", message, root.span, help=_first_line(root))])
            return
        first = root.entries[0]
        kind, name = first.key.text, root.entries[0].value.text
        schema = self.schemas.for_kind(kind)
        if schema is None:
            help = _kind_given_later(root, self.schemas) or _kind_left_out(first) or self.schemas.suggestion(kind)
            unknown = report("unknown-kind", f"{quoted(kind)} is no kind of document", first.key.span, help=help)
            self._wrong([unknown], name)
            return
        lacking = list(self._packs_lacking(root))
        if lacking:
            # Without its packs, their keys would be unknown one by one.
            self._wrong(lacking, name)
            return
        texts = list(texts_of_rules(root, schema))
        self._count(texts)
        values, found = self._validated(root, schema)
        found += [wrong for entry in texts for wrong in _marked(entry)]
        if kind == _BOARD and not found:
            self.boards += 1
            self._bound(self.boards, MAX_BOARDS, "boards", first.value.span)
            found += _too_large(root)
        if any(finding.severity == "error" for finding in found):
            self._wrong(found, name)
            return
        self.library.findings.extend(found)
        assert isinstance(values, dict)
        document = Document(kind, name, root, values)
        self.library.documents.append(document)
        if kind == _BOARD:
            self.library.findings.extend(board_findings(document))

    def _validated(self, root: Mapping, schema: RawSchema) -> tuple[object, list[Diagnostic]]:
        """Return the values of a document and its faults; if they are known to fit, they are not checked again."""
        if not self.contents.keeps:
            return validated(root, schema)
        values = self.contents.values(root, self.mark)
        if values is not None:
            return values, []
        values, found = validated(root, schema)
        if not found:
            self.contents.keep_values(root, self.mark, values)
        return values, found

    def _packs_lacking(self, root: Mapping) -> Iterator[Diagnostic]:
        """Find missing packs that the position of a case needs."""
        for case in (one for key in _CASES for one in _items(root.get(key))):
            position = case.get("position") if isinstance(case, Mapping) else None
            for named in _items(position.get(PACKS)) if isinstance(position, Mapping) else ():
                there = {pack.name for pack in self.library.of_kind(PACK)}
                if isinstance(named, Scalar) and named.text not in there:
                    help = did_you_mean(named.text, there) or "name its folder with `--cards`"
                    message = f"the pack {quoted(named.text)} is not here"
                    yield report("no-such-document", message, named.span, help=help)

    def _count(self, texts: list[Entry]) -> None:
        for entry in texts:
            said = entry.value.text if isinstance(entry.value, Scalar) else ""
            self.characters += len(said)
            self.sentences += said.count(".")
            self._bound(self.characters, MAX_RULES, "characters of rules", entry.key.span)
            self._bound(self.sentences, MAX_SENTENCES, "sentences", entry.key.span)

    def _wrong(self, found: list[Diagnostic], name: str | None = None) -> None:
        """Leave a faulty document out."""
        self.library.findings.extend(found)
        if name is not None:
            self.library.left_out.add(name)
        self._check_findings(found[-1].span)

    def _check_findings(self, span: Span | None) -> None:
        if sum(one.severity == "error" for one in self.library.findings) > MAX_FINDINGS:
            message = f"more than {MAX_FINDINGS} things are wrong up to here; what follows was not read"
            self._stop(report("too-many-findings", message, span))

    def _bound(self, number: int, most: int, what: str, span: Span | None, path: Path | None = None) -> None:
        if number > most:
            message = f"there are more than {most:,} {what} up to here; what follows was not read"
            self._stop(report("too-much", message, span, path=str(path or ""), help=_READ_LESS))

    def _stop(self, found: Diagnostic) -> NoReturn:
        self.library.findings.append(found)
        self.library.is_whole = False
        raise _Full


def may_hold_documents(text: str, schemas: Schemas) -> bool:
    """Whether a text has a key of a document at its margin: a kind, or one of sentences.

    A first key that may be a misspelt kind counts if no other key follows, or one of that kind does: `name` is one
    letter off a kind, and many other files begin with it.
    """
    keys = _MARGIN.findall(text)
    if not keys or not (schemas.raw.keys() | schemas.texts).isdisjoint(keys):
        return True
    meant = nearest(keys[0], schemas.raw)
    return bool(meant) and (len(keys) == 1 or not schemas.raw[meant]["properties"].keys().isdisjoint(keys))


def _names_in(text: str) -> Iterator[str]:
    """Yield possible names of documents in a text that is not YAML: the values after the keys, without comments."""
    for match in _NAMED.finditer(text):
        yield match[1].partition(" #")[0].rstrip(" \t")


def is_position(root: Node, file: Path) -> bool:
    """Whether a file holds a position: it begins with the name of its game, and declares no part of a game."""
    if kind_of(root) != _GAME or file.stem == _GAME:
        return False
    return isinstance(root, Mapping) and all(entry.key.text not in DECLARES for entry in root.entries)


def _items(node: Node | None) -> tuple[Node, ...]:
    """Return the items of a list; empty for other nodes."""
    return node.items if isinstance(node, Sequence) else ()


def kind_of(root: Node) -> str:
    """Return the kind of a document; empty if the root is no document."""
    return root.entries[0].key.text if isinstance(root, Mapping) and root.entries else ""


def texts_of_rules(root: Mapping, schema: RawSchema) -> Iterator[Entry]:
    """Yield the entries of a document that hold sentences."""
    clauses = clauses_of(schema)
    for entry in root.entries if clauses is not None else ():
        wanted = schema.get("properties", {}).get(entry.key.text, {})
        if wanted == clauses:
            yield entry
        elif wanted.get("additionalProperties") == clauses and isinstance(entry.value, Mapping):
            yield from entry.value.entries


def _marked(entry: Entry) -> Iterator[Diagnostic]:
    """Yield a finding for a text of rules that is not a literal block: in any other form it would not be read."""
    if isinstance(entry.value, Scalar) and entry.value.block is None and entry.value.text:
        key = entry.key.text
        yield report(
            "unmarked-text",
            f"the sentences of {quoted(key)}are not in a block",
            entry.value.span,
            help=f"write `{key}: |`, and the sentences in the lines below, indented",
            fix=_in_block(entry, entry.value),
        )


def _in_block(entry: Entry, said: Scalar) -> Fix | None:
    """Return the fix that puts a text into a block below its key; None if the key has no lines of its own."""
    key, text = entry.key.span, entry.key.span.source.text
    line = text[text.rfind("\n", 0, key.start) + 1 : key.start]
    if line.strip() or said.text != said.text.strip():
        return None
    indent = f"{line_end(text)}{line}  "
    return Fix.put(said.span, f"|{indent}{indent.join(said.text.splitlines())}")


def _too_large(board: Mapping) -> Iterator[Diagnostic]:
    """Find a board with too many spaces; its schema limits the number and the length of columns."""
    rows = board.get("rows")
    assert isinstance(rows, Mapping)
    spaces = 0
    for entry in rows.entries:
        low, _, high = entry.value.text.partition("-") if isinstance(entry.value, Scalar) else ("0", "", "")
        spaces += max(0, int(high or low) - int(low) + 1)
    if spaces > MAX_SPACES:
        message = f"the board has {spaces:,} spaces; there may be {MAX_SPACES}"
        yield report("too-much", message, rows.entries[0].key.span, help=_READ_LESS)


def _first_line(root: Node) -> str:
    """Return help for a text that does not begin as documents do."""
    run_together = _NO_BLANK.match(root.text) if isinstance(root, Scalar) else None
    if run_together is not None:
        return f"write a blank after each colon: `{run_together[1]}: {run_together[2]}`"
    return "write for example `unit: Name` in the first line"


def _kind_left_out(first: Entry) -> str:
    """Return help for a document that begins with its name, and not with its kind."""
    name = first.value.text if isinstance(first.value, Scalar) else ""
    return f"the kind is the key: `unit: {name}`" if first.key.text in ("name", "title") else ""


def _kind_given_later(root: Mapping, schemas: Schemas) -> str:
    """Return help for a document whose kind is there, but not in the first line."""
    for entry in root.entries[1:]:
        if schemas.for_kind(entry.key.text) is not None and isinstance(entry.value, Scalar):
            return f"the kind and the name come first: move `{entry.key.text}: …` to the first line"
    return ""
