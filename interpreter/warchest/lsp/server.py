"""The language server: its answer to each request, from a workspace of open texts."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from warchest import __version__
from warchest.diagnostics.diagnostic import Diagnostic, Edit
from warchest.documents.library import Document
from warchest.format import formatted
from warchest.lsp.lenses import lenses
from warchest.lsp.links import declared, names_at, said_of
from warchest.lsp.outline import last_line, stretches, symbol
from warchest.lsp.places import offset_of, path_of, position_of, range_of, uri_of, whole
from warchest.lsp.protocol import Endpoint, RequestError
from warchest.lsp.renaming import renamed
from warchest.lsp.tokens import TYPES, semantic_tokens
from warchest.lsp.workspace import Workspace, block_at, pairs_of_words
from warchest.paraphrase.reading import Reading, Study
from warchest.source.nodes import Mapping as YamlMapping
from warchest.source.text import Source, Span
from warchest.source.yaml import parse
from warchest.syntax.expected import LANGUAGE, begin_of_word, words_at
from warchest.syntax.lexer import scan

SEVERITIES = {"error": 1, "warning": 2, "info": 3}
"""The numbers of the protocol for grades of findings."""
KEYWORD, REFERENCE, PROPERTY = 14, 18, 10
"""The kinds of completions of the protocol."""
MOST_WORDS = 400
"""The most words in a list of completions; the likeliest come first."""
SORTS = {"NOUN": "a thing", "PLURAL": "things", "ADJ": "an adjective", "VERB": "an act", "VERBS": "an act",
         "VERBED": "an act done", "NAME": "a name", "NAMES": "names", "ADV": "an adverb",
         LANGUAGE: "of the language"}  # fmt: skip
"""The names of the sorts of words, as editors show them."""


class LanguageServer:
    """A server for one client. Requests are answered at once; texts are checked while no request is waiting."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self.workspace = Workspace()
        self._unchecked: dict[str, None] = {}
        """The texts that have changed since they were checked, the longest waiting first."""
        self._unread: dict[str, None] = {}
        """The texts whose game is loaded while no request is waiting."""
        self._pairs: tuple[Study, Counter[tuple[str, str]]] | None = None
        handlers = {
            "initialize": self.initialize,
            "initialized": lambda _: None,
            "textDocument/didOpen": self.did_open,
            "textDocument/didChange": self.did_change,
            "textDocument/didClose": self.did_close,
            "textDocument/didSave": self.did_save,
            "workspace/didChangeWatchedFiles": self.did_change_files,
            "textDocument/hover": self.hover,
            "textDocument/completion": self.completion,
            "textDocument/definition": self.definition,
            "textDocument/references": self.references,
            "textDocument/rename": self.rename,
            "textDocument/semanticTokens/full": self.tokens,
            "textDocument/documentSymbol": self.symbols,
            "textDocument/codeLens": self.lenses,
            "textDocument/foldingRange": self.folding,
            "textDocument/codeAction": self.actions,
            "textDocument/formatting": self.formatting,
        }
        self.endpoint = Endpoint(send, handlers)

    # ---- session

    def initialize(self, params: Any) -> dict[str, Any]:
        """Return the capabilities of the server."""
        if not isinstance(params, Mapping):
            raise RequestError("`initialize` has parameters")
        return {
            "serverInfo": {"name": "wc-lsp", "version": __version__},
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": {"openClose": True, "change": 1, "save": True},
                "hoverProvider": True,
                "completionProvider": {"triggerCharacters": [" "]},
                "definitionProvider": True,
                "referencesProvider": True,
                "renameProvider": True,
                "semanticTokensProvider": {"legend": {"tokenTypes": list(TYPES), "tokenModifiers": []}, "full": True},
                "documentSymbolProvider": True,
                "codeLensProvider": {"resolveProvider": False},
                "foldingRangeProvider": True,
                "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll"]},
                "documentFormattingProvider": True,
            },
        }

    @property
    def has_work(self) -> bool:
        """Whether texts are waiting to be checked, or their games to be loaded."""
        return bool(self._unchecked or self._unread)

    def work_idly(self) -> None:
        """Check the text that has waited longest and publish its findings, or else load the game of a text."""
        if not self._unchecked:
            path, _ = self._unread.popitem()
            with suppress(Exception):  # a request about the text will report the error
                self.workspace.study(path)
            return
        path = next(iter(self._unchecked))
        del self._unchecked[path]
        opened = self.workspace.texts.get(path)
        if opened is None:
            return
        try:
            found = [one for one in self.workspace.report(path).findings if one.file == path]
        except Exception as error:
            # A text that cannot be checked must not keep the others from being checked.
            self.endpoint.log(f"{path}: {type(error).__name__}: {error}")
            return
        told: dict[str, Any] = {"uri": uri_of(path), "diagnostics": [_diagnostic(one, opened.source) for one in found]}
        if opened.version is not None:
            told["version"] = opened.version
        self.endpoint.notify("textDocument/publishDiagnostics", told)

    # ---- texts

    def did_open(self, params: Any) -> None:
        """Add a text that the client has opened."""
        document = params["textDocument"]
        self._take(path_of(document["uri"]), document.get("version"), document["text"])
        self._unread[path_of(document["uri"])] = None

    def did_save(self, params: Any) -> None:
        """Reload the game of a text, whose words may have changed."""
        self._unread[path_of(params["textDocument"]["uri"])] = None

    def did_change(self, params: Any) -> None:
        """Replace the whole text of a document."""
        document = params["textDocument"]
        self._take(path_of(document["uri"]), document.get("version"), params["contentChanges"][-1]["text"])

    def _take(self, path: str, version: object, text: object) -> None:
        if not isinstance(text, str):
            raise RequestError("a text is needed")
        self.workspace.take(path, version if isinstance(version, int) else None, text)
        self._unchecked.pop(path, None)
        self._unchecked[path] = None

    def did_close(self, params: Any) -> None:
        """Forget a text and its findings."""
        path = path_of(params["textDocument"]["uri"])
        self.workspace.close(path)
        self._unchecked.pop(path, None)
        self.endpoint.notify("textDocument/publishDiagnostics", {"uri": uri_of(path), "diagnostics": []})

    def did_change_files(self, params: Any) -> None:
        """Read files on the disk again, and check all open texts."""
        self.workspace.forget()
        self._unchecked.update(dict.fromkeys(self.workspace.texts))

    def _open(self, params: Any) -> tuple[str, Source]:
        """Return the path and the text of the document that a request is about; raises RequestError."""
        path = path_of(params["textDocument"]["uri"])
        if path not in self.workspace.texts:
            raise RequestError(f"{path} is not open")
        return path, self.workspace.texts[path].source

    # ---- meaning

    def hover(self, params: Any) -> dict[str, Any] | None:
        """Return the reading of the sentence at a place."""
        path, source = self._open(params)
        offset, study = offset_of(source, params["position"]), self.workspace.study(path)
        if study is None:
            return None
        for document in study.library.documents:
            if document.span.source.text != source.text or os.path.abspath(document.span.path) != path:
                continue
            for one in study.document(document):
                if isinstance(one, Reading) and one.span.start <= offset <= one.span.end:
                    span = source.span(one.span.start, one.span.end)
                    return {"contents": {"kind": "plaintext", "value": _read(one, document)}, "range": range_of(span)}
        return None

    def completion(self, params: Any) -> dict[str, Any]:
        """Return the next words that a sentence allows, the likeliest first, or the keys that a document can have."""
        path, source = self._open(params)
        offset, study = offset_of(source, params["position"]), self.workspace.words(path)
        block = block_at(source, offset)
        if study is None:
            return {"isIncomplete": False, "items": []}
        if block is None:
            items = list(_keys(study, source, offset))
            return {"isIncomplete": False, "items": items}
        begin = begin_of_word(source.text, block.start, offset)
        begun, before = source.text[begin:offset].lower(), scan(source.text, block.start, begin)
        last, counted = before[-1].text if before else "", self._counted(study)
        found = [one for one in words_at(source.text, block.start, offset, study.vocabulary)
                 if one.text.lower().startswith(begun)]  # fmt: skip
        found.sort(key=lambda one: (-counted[last, one.text.split()[0]], one.text))
        edit = {"start": position_of(source, begin), "end": position_of(source, offset)}
        items = [
            {"label": one.text, "kind": REFERENCE if one.sort in ("NAME", "NAMES") else KEYWORD,
             "detail": SORTS.get(one.sort, ""), "sortText": f"{number:04}",
             "textEdit": {"range": edit, "newText": one.text}}
            for number, one in enumerate(found[:MOST_WORDS])
        ]  # fmt: skip
        return {"isIncomplete": len(found) > MOST_WORDS, "items": items}

    def _counted(self, study: Study) -> Counter[tuple[str, str]]:
        if self._pairs is None or self._pairs[0] is not study:
            self._pairs = study, pairs_of_words(study.library)
        return self._pairs[1]

    # ---- navigation

    def definition(self, params: Any) -> list[dict[str, Any]]:
        """Return the declarations of the word or the card at a position."""
        path, source = self._open(params)
        study, offset = self.workspace.study(path), offset_of(source, params["position"])
        if study is None:
            return []
        return [_location(span) for span in declared(study, names_at(source, offset))]

    def references(self, params: Any) -> list[dict[str, Any]]:
        """Return the mentions of the word or the card at a position, with its declarations if the client wants them."""
        path, source = self._open(params)
        study, offset = self.workspace.study(path), offset_of(source, params["position"])
        places = list(declared(study, names_at(source, offset))) if study is not None else []
        if study is None or not places:
            return []
        is_whole = params.get("context", {}).get("includeDeclaration", False)
        return [_location(span) for span in said_of(study, places[0].text) if is_whole or span not in places]

    def rename(self, params: Any) -> dict[str, Any]:
        """Return the edits that rename a card or a word of the user's own."""
        path, source = self._open(params)
        study, new = self.workspace.study(path), params["newName"]
        if study is None or not isinstance(new, str):
            raise RequestError("nothing can be renamed while the game cannot be read")
        found = renamed(study, source, offset_of(source, params["position"]), new)
        return {"changes": {uri_of(file): [{"range": range_of(span), "newText": text} for span, text in edits]
                            for file, edits in found.items()}}  # fmt: skip

    def tokens(self, params: Any) -> dict[str, Any]:
        """Return the sorts of the words in sentences."""
        path, source = self._open(params)
        study = self.workspace.words(path)
        return {"data": semantic_tokens(source, study.vocabulary) if study is not None else []}

    def symbols(self, params: Any) -> list[dict[str, Any]]:
        """Return the documents of a text, each with its blocks and rulings."""
        _, source = self._open(params)
        roots, _ = parse(source)
        return [symbol(root) for root in roots if isinstance(root, YamlMapping) and root.entries]

    def lenses(self, params: Any) -> list[dict[str, Any]]:
        """Return whether each ruling of a text passes; nothing while the game cannot be read with it."""
        path, source = self._open(params)
        game, documents = self.workspace.game(path), self.workspace.documents(path)
        is_current = all(one.span.source.text == source.text for one in documents)
        return lenses(game, documents, source) if game is not None and is_current else []

    def folding(self, params: Any) -> list[dict[str, Any]]:
        """Return the ranges of a text that can be folded: keys with their values, and items of lists."""
        _, source = self._open(params)
        roots, _ = parse(source)
        spans = [span for root in roots for span in stretches(root)]
        return [{"startLine": span.line - 1, "endLine": last_line(span) - 1} for span in spans
                if last_line(span) > span.line]  # fmt: skip

    # ---- edits

    def actions(self, params: Any) -> list[dict[str, Any]]:
        """Return the fixes of the findings in a range, and one action for all safe fixes in the text."""
        path, source = self._open(params)
        start, end = (offset_of(source, params["range"][key]) for key in ("start", "end"))
        found = [one for one in self.workspace.report(path, with_fixes=True).findings
                 if one.file == path and one.fix is not None]  # fmt: skip
        actions = [_action(one, source) for one in found
                   if one.span is not None and one.span.start <= end and start <= one.span.end]  # fmt: skip
        safe = [edit for one in found if one.fix is not None and one.fix.is_safe for edit in one.fix.edits]
        if len(found) > 1 and safe:
            changes = {"changes": {uri_of(path): [_edit(one, source) for one in safe]}}
            actions.append({"title": "Apply all safe fixes", "kind": "source.fixAll", "edit": changes})
        return actions

    def formatting(self, params: Any) -> list[dict[str, Any]]:
        """Return the edit that lays a text out; none where it is laid out already, or cannot be."""
        _, source = self._open(params)
        try:
            text = formatted(source.text)
        except ValueError:
            return []
        return [] if text == source.text else [{"range": whole(source), "newText": text}]


def _keys(study: Study, source: Source, offset: int) -> Iterator[dict[str, Any]]:
    """Yield the keys that a document can have and does not have yet, if the offset is at the beginning of a line."""
    line = source.text[source.text.rfind("\n", 0, offset) + 1 : offset]
    if study.library.schemas is None or not re.fullmatch(r"[a-z ]*", line):
        return
    here = source.text[source.text.rfind("\n---", 0, offset) + 1 :]
    head = re.search(r"^([a-z]+):", here, re.MULTILINE)
    schema = study.library.schemas.for_kind(head[1]) if head is not None else None
    given = set(re.findall(r"^([a-z][a-z ]*):", here, re.MULTILINE))
    edit = {"start": position_of(source, offset - len(line)), "end": position_of(source, offset)}
    for key, shape in (schema or {}).get("properties", {}).items():
        if key not in given and key.startswith(line):
            told = shape.get("description", "") if isinstance(shape, dict) else ""
            yield {"label": key, "kind": PROPERTY, "detail": str(told),
                   "textEdit": {"range": edit, "newText": f"{key}: "}}  # fmt: skip


def _diagnostic(found: Diagnostic, source: Source) -> dict[str, Any]:
    message = f"{found.message}\n{found.help}" if found.help else found.message
    span = found.span or source.span(0, 0)
    related = [{"location": _location(label.span), "message": label.text} for label in found.labels]
    return {"range": range_of(source.span(span.start, span.end)), "severity": SEVERITIES[found.severity],
            "code": found.code, "source": "wc-lint", "message": message,
            **({"relatedInformation": related} if related else {})}  # fmt: skip


def _location(span: Span) -> dict[str, Any]:
    return {"uri": uri_of(span.path), "range": range_of(span)}


def _read(reading: Reading, document: Document) -> str:
    """Return a reading as plain text."""
    said = reading.said or (f"(the language has no words for this: {reading.unsaid})",)
    facts = [f"- {one.about}: {one.text}" for one in reading.facts]
    source = [f"source: {document.source}"] if document.source else []
    rulings = document.values.get("rulings")
    names = [f"- {one['name']}" for one in rulings or () if isinstance(one, Mapping) and "name" in one]
    told = ["rulings:", *names] if names else []
    return "\n".join(["read as:", *said, *facts, *source, *told])


def _action(found: Diagnostic, source: Source) -> dict[str, Any]:
    assert found.fix is not None
    edits = [_edit(one, source) for one in found.fix.edits]
    title = found.help.partition(";")[0] or "Apply the fix"
    return {"title": title, "kind": "quickfix", "isPreferred": found.fix.is_safe,
            "diagnostics": [_diagnostic(found, source)], "edit": {"changes": {uri_of(found.file): edits}}}  # fmt: skip


def _edit(edit: Edit, source: Source) -> dict[str, Any]:
    return {"range": range_of(source.span(edit.span.start, edit.span.end)), "newText": edit.text}
