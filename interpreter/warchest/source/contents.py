"""The contents of files and the trees of their YAML: none is read twice, and no tree that an earlier run has kept.

Texts can be given in place of files, even of files that do not exist yet; and files can be left out.
Trees can be written for another process as plain data, by the digests of their texts; and so
can the values of documents that fit their schemas, with a mark that identifies the schemas.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingType
from contextlib import suppress
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from warchest.diagnostics.diagnostic import Diagnostic
from warchest.source.cache import BUILT, Cache, built_digest, plain_of
from warchest.source.file_reading import Read, begins_with, decode, read_source
from warchest.source.folders import FoundFiles, is_yaml, looked_through
from warchest.source.limits import MAX_BYTES
from warchest.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from warchest.source.text import Source, Span, digest
from warchest.source.yaml import parse

_PlainList: TypeAlias = list[Any]
_Kept: TypeAlias = tuple[_PlainList, str, object]
"""A tree, the mark of the schemas that its document fitted (empty for none), and the values of the document."""
WrittenTrees: TypeAlias = dict[str, list[_Kept]]
"""The trees of texts as plain data, by the digests of the texts."""
_LIST, _MAPPING = 0, 1
"""The numbers that the plain data of a list, and of a mapping, begin with; those of a scalar begin with its text."""
_FEW = 8
"""Trees are saved again when at least one in `_FEW` of them is new, or has new values."""


class Contents:
    """The contents of files, each read once, and the trees that were read from them."""

    def __init__(self) -> None:
        self.keeps = False
        """Whether a cache from run to run is in use."""
        self._bytes: dict[str, bytes] = {}
        self._read: dict[str, Read] = {}
        """The sources of files, by their paths as they were named."""
        self._parsed: dict[int, tuple[Source, list[Node], list[Diagnostic]]] = {}
        """The documents in sources and the faults of their YAML, by the identities of the sources."""
        self._written: dict[str, list[_Kept]] = {}
        self._recalled: bytes | None = None
        """The record of trees that was recalled last."""
        self._roots: dict[str, list[Node]] = {}
        self._values: dict[int, tuple[Node, str, object]] = {}
        """The values of documents, by the identities of their roots, with the marks of the schemas that they fitted."""
        self._new = 0
        self._given: dict[str, bool] = {}
        """The files that were replaced by a text, by their paths, and those that were left out: False."""
        self._here = ""
        """The base of relative paths, for contents sent to another process; empty: the working folder."""

    @classmethod
    def arrived(cls, here: str, contents: MappingType[str, bytes]) -> Contents:
        """Return contents that were sent: they have only the given files, and no file of this machine.

        `here` is the working folder of the process that sent them, `contents` the files by their whole paths.
        """
        made = cls()
        made.keeps, made._here = True, here
        made._bytes, made._given = dict(contents), dict.fromkeys(contents, True)
        return made

    def sent(self) -> tuple[str, dict[str, bytes]]:
        """Return the arguments of `arrived` for the files that were read so far or given, without those left out."""
        known = {place: data for place, data in self._bytes.items() if self._given.get(place, True)}
        return self._here or os.getcwd(), known

    def _place(self, path: Path | str) -> str:
        """Return the whole path of a file."""
        return os.path.abspath(os.path.join(self._here, path))

    def of(self, path: Path | str) -> bytes:
        """Return the contents of a file, or one byte more than the limit; raises as `begins_with` does."""
        place = self._place(path)
        if self._given.get(place) is False:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), place)
        if self._here and place not in self._bytes:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        if place not in self._bytes:
            self._bytes[place] = begins_with(path, MAX_BYTES + 1)
        return self._bytes[place]

    def source(self, path: Path) -> Read:
        """Return a source of the contents of a file, the same one each time; never raises."""
        name = str(path)
        if name not in self._read:
            try:
                self._read[name] = decode(self.of(path), name)
            except (OSError, ValueError):
                return read_source(path)
        return self._read[name]

    def with_texts(self, texts: MappingType[str, str | bytes | None]) -> Contents:
        """Return the same contents, but with given texts or bytes for some paths of files; no file is read again.

        None leaves a file out. A file that does not exist belongs to the folder of its path.
        """
        made = copy(self)
        # The trees of these texts are of no use elsewhere, and would be kept with the others.
        made._parsed, made._values = dict(self._parsed), dict(self._values)
        made._bytes, made._given = dict(self._bytes), dict(self._given)
        places = {self._place(path) for path in texts}
        names = {os.path.basename(place) for place in places}
        made._read, made._roots = dict(self._read), dict(self._roots)
        for path, read in self._read.items():
            if os.path.basename(path) in names and self._place(path) in places:
                made._drop(path, read)
        for path, text in texts.items():
            place = self._place(path)
            made._given[place] = text is not None
            made._bytes.pop(place, None)
            if text is not None:
                made._bytes[place] = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
        return made

    def _drop(self, path: str, read: Read) -> None:
        """Forget a source that another text replaces, and the source's trees."""
        del self._read[path]
        if read.source is not None:
            _, roots, _ = self._parsed.pop(id(read.source), (None, [], None))
            self._roots.pop(digest(read.source.text), None)
            for root in roots:
                self._values.pop(id(root), None)

    def files(self, path: Path, below: bool = True) -> FoundFiles:
        """Return the files of a path as `looked_through` does, with given texts, and without files left out.

        Raises TooMuch.
        """
        place = self._place(path)
        inside = list(self._given_in(place))
        if not inside and place not in self._given:
            return FoundFiles([], []) if self._here else looked_through(path, below)
        if place in self._given:
            return FoundFiles([path] if self._given[place] else [], [])
        looked = FoundFiles([], []) if self._here or not os.path.isdir(path) else looked_through(path, below)
        found = [file for file in looked.files if self._given.get(self._place(file), True)]
        new = [
            path / part
            for part in inside
            if self._given[os.path.join(place, part)]
            and (below or os.sep not in part)
            and not self._is_file_here(os.path.join(place, part))
        ]
        return FoundFiles(sorted([*found, *new], key=lambda one: one.parts), looked.lost)

    def _given_in(self, folder: str) -> Iterator[str]:
        """Yield the YAML files in a folder, or below it, for which a text was given or which are left out."""
        head = os.path.join(folder, "")
        for place in self._given:
            part = place[len(head) :]
            if place.startswith(head) and is_yaml(part) and not f"{os.sep}{part}".count(f"{os.sep}."):
                yield part

    def new_in(self, folder: Path) -> list[str]:
        """Return the paths directly in a folder for which a text was given but no file exists."""
        place = self._place(folder)
        found = (os.path.join(place, part) for part in self._given_in(place) if os.sep not in part)
        return [path for path in found if self._given[path] and not self._is_file_here(path)]

    def _is_file_here(self, place: str) -> bool:
        """Whether a file is on this machine, for contents that were not sent from another one."""
        return not self._here and os.path.exists(place)

    def roots(self, source: Source) -> tuple[list[Node], list[Diagnostic]]:
        """Return the documents in a text and the faults of its YAML, as `parse` does."""
        if id(source) not in self._parsed:
            self._parsed[id(source)] = source, *self._roots_of(source)
        _, roots, findings = self._parsed[id(source)]
        return list(roots), list(findings)

    def _roots_of(self, source: Source) -> tuple[list[Node], list[Diagnostic]]:
        name = digest(source.text)
        with suppress(LookupError, ValueError, TypeError):
            kept = self._written[name] if name in self._written else _built()[name]
            self._roots[name] = [_made(tree, source) for tree, _, _ in kept]
            for root, (_, mark, values) in zip(self._roots[name], kept, strict=True):
                self._values[id(root)] = root, mark, values
            return self._roots[name], []
        roots, findings = parse(source)
        if not findings:
            self._roots[name] = roots
            self._new += 1
        return roots, findings

    def values(self, root: Node, mark: str) -> object:
        """Return the values of a document that are known to fit the schemas of this mark; None if there are none."""
        _, known, values = self._values.get(id(root), (root, "", None))
        return values if known == mark else None

    def keep_values(self, root: Node, mark: str, values: object) -> None:
        """Keep the values of a document that fit the schemas of this mark."""
        self._values[id(root)] = root, mark, values
        self._new += 1

    def recall(self, data: bytes | None) -> None:
        """Load stored trees; an unreadable record counts as missing."""
        self.keeps = True
        if data is None or data != self._recalled:
            trees = plain_of(data)
            self._recalled, self._written = data, trees if isinstance(trees, dict) else {}

    def written(self, sources: Iterable[Source]) -> WrittenTrees:
        """Return the trees of some texts as plain data; none if only a few of them are new."""
        if self._new * _FEW <= 2 * len(self._written):
            return {}
        names = [name for source in sources if (name := digest(source.text)) in self._roots]
        return {
            name: [(_plain(root), *self._values.get(id(root), (root, "", None))[1:]) for root in self._roots[name]]
            for name in names
        }


def keep_built(trees: Iterable[WrittenTrees]) -> None:
    """Keep trees of texts for a package that is being built, which knows them from then on."""
    Cache(BUILT).write_plain(_name_of_built(), {name: tree for one in trees for name, tree in one.items()})


@cache
def _built() -> WrittenTrees:
    """Return the trees that a package was built with, by the digests of their texts; none for any other package."""
    found = Cache(BUILT).read_plain(_name_of_built()) if built_digest() else None
    return found if isinstance(found, dict) else {}


def _name_of_built() -> str:
    return f"{digest(f'trees of {built_digest()}')}.json"


def _plain(node: Node) -> _PlainList:
    """Return a tree as plain data: each node is a list that begins with its sort and its place."""
    span = node.span
    if isinstance(node, Sequence):
        return [_LIST, span.start, span.end, [_plain(one) for one in node.items]]
    if isinstance(node, Mapping):
        return [_MAPPING, span.start, span.end, [(_plain(one.key), _plain(one.value)) for one in node.entries]]
    block = () if node.block is None else (node.block.start, node.block.end)
    return [node.text, span.start, span.end, node.style, *block]


def _made(plain: _PlainList, source: Source) -> Node:
    """Return the tree from its plain data."""
    text, start, end, rest, *block = plain
    span = Span(source, start, end)
    if text == _LIST:
        return Sequence(tuple([_made(one, source) for one in rest]), span)
    if text == _MAPPING:
        return Mapping(tuple([Entry(_scalar(key, source), _made(value, source)) for key, value in rest]), span)
    return Scalar(text, rest, span, Span(source, *block) if block else None)


def _scalar(plain: _PlainList, source: Source) -> Scalar:
    made = _made(plain, source)
    if not isinstance(made, Scalar):
        raise TypeError("a key is a scalar")
    return made
