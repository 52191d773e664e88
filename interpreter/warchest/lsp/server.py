"""The language server: one client's session, its texts, and the findings that are published for them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from warchest import __version__
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.jobs import Report
from warchest.lint.run import LintSteps
from warchest.lint.settings import SettingsError
from warchest.lsp.findings import diagnostic
from warchest.lsp.language import LanguageAnswers
from warchest.lsp.lenses import PICTURE
from warchest.lsp.messages import METHODS
from warchest.lsp.pictures import kept_picture
from warchest.lsp.protocol import ChangedFiles, CommandParams, DocumentParams, Endpoint, MessageHandler, RequestError
from warchest.lsp.semantic_tokens import TYPES
from warchest.lsp.text_positions import path_of, uri_of
from warchest.lsp.workspace import Workspace
from warchest.source.garbage import uncollected

if TYPE_CHECKING:
    from warchest.lsp.own_requests import ServiceDesk

MOST_TEXTS = 2000
"""The most texts that a client can have open."""
COLLECTED_AFTER = 100
"""The number of texts after which objects that are no longer needed are collected in an idle moment."""
WARNING, CHANGED = 2, 2
"""The numbers of the protocol for warnings, and for files that were changed, and neither made nor removed."""


FurtherHandlers: TypeAlias = Callable[["LanguageServer"], Mapping[str, MessageHandler]]
"""Makes the handlers of further methods for a server."""


class LanguageServer:
    """A server for one client. Requests are answered at once.

    After the requests come the errors of changed texts (`has_changes`, `check`); all other findings are found in
    idle moments, step by step (`has_work`, `work_idly`), and given up for a text that has changed meanwhile.
    """

    def __init__(self, send: Callable[[dict[str, object]], None], further: FurtherHandlers | None = None) -> None:
        self.workspace = Workspace()
        self._changed: dict[str, None] = {}
        """The texts that have changed since their errors were found, the longest waiting first."""
        self._linted: dict[str, LintSteps | None] = {}
        """The texts still to be linted, the longest waiting first, each with the remaining steps of its linting."""
        self._taken = 0
        """The number of texts taken since the last search for objects that are no longer needed."""
        self._unread: dict[str, None] = {}
        """The texts whose game is loaded while there is nothing else to do."""
        handlers: dict[str, MessageHandler] = {
            "initialize": self.initialize,
            "initialized": self.initialized,
            "textDocument/didOpen": self.did_open,
            "textDocument/didChange": self.did_change,
            "textDocument/didClose": self.did_close,
            "textDocument/didSave": self.did_save,
            "workspace/didChangeWatchedFiles": self.did_change_files,
            "workspace/executeCommand": self.execute,
        }
        handlers |= LanguageAnswers(self.workspace).handlers()
        handlers |= {method: partial(self._own, method) for method in METHODS}
        self._desk: ServiceDesk | None = None
        self._tells_files = False
        """Whether the client can be asked to report changed files."""
        self._shows_files = False
        """Whether the client can be asked to show a file."""
        if further is not None:
            handlers |= further(self)
        self.endpoint = Endpoint(send, handlers)

    # ---- session

    def initialize(self, params: object) -> dict[str, object]:
        """Return the capabilities of the server."""
        if not isinstance(params, Mapping):
            raise RequestError("`initialize` has parameters")
        folders = params.get("workspaceFolders") or ()
        root = folders[0].get("uri") if folders else params.get("rootUri")
        told = params.get("capabilities", {})
        self._tells_files = bool(_capability(told, "workspace", "didChangeWatchedFiles", "dynamicRegistration"))
        self._shows_files = bool(_capability(told, "window", "showDocument", "support"))
        is_asked_first = bool(_capability(told, "textDocument", "rename", "prepareSupport"))
        with suppress(RequestError):
            self.workspace.root = Path(path_of(root)) if root is not None else None
        return {
            "serverInfo": {"name": "wc-lsp", "version": __version__},
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": {"openClose": True, "change": 1, "save": True},
                "hoverProvider": True,
                "completionProvider": {"triggerCharacters": [" "], "resolveProvider": True},
                "definitionProvider": True,
                "referencesProvider": True,
                "renameProvider": {"prepareProvider": True} if is_asked_first else True,
                "semanticTokensProvider": {"legend": {"tokenTypes": list(TYPES), "tokenModifiers": []}, "full": True},
                "documentSymbolProvider": True,
                "inlayHintProvider": True,
                "codeLensProvider": {"resolveProvider": True},
                "foldingRangeProvider": True,
                "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll"]},
                "documentFormattingProvider": True,
                "executeCommandProvider": {"commands": [PICTURE]},
            },
        }

    def initialized(self, _: object) -> None:
        """Ask the client to report changed files, if it can."""
        if self._tells_files:
            watched = [{"globPattern": f"**/*.{end}"} for end in ("yaml", "yml", "toml")]
            asked = {
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watched},
            }
            self.endpoint.send(
                {
                    "jsonrpc": "2.0",
                    "id": "files",
                    "method": "client/registerCapability",
                    "params": {"registrations": [asked]},
                }
            )

    def _own(self, method: str, params: object) -> object:
        """Answer one of the server's own requests; their modules are imported with the first one."""
        from warchest.lsp.own_requests import ServiceDesk

        self._renew_settings()
        if self._desk is None:
            self._desk = ServiceDesk(self.workspace, self.endpoint.notify)
        return self._desk.answer(method, params)

    def execute(self, params: CommandParams) -> object:
        """Carry out the command of a lens: return the picture of a ruling's position, and ask the client to show it."""
        if params["command"] != PICTURE:
            raise RequestError(f"there is no command {params['command']!r}")
        (about,) = params["arguments"]
        found = self._own("warchest/picture", {**about, "styled": True})
        file = kept_picture(found["svg"]) if self._shows_files and isinstance(found, Mapping) else None
        if file is not None:
            self.endpoint.send(
                {
                    "jsonrpc": "2.0",
                    "id": "picture",
                    "method": "window/showDocument",
                    "params": {"uri": uri_of(str(file)), "external": True},
                }
            )
        return found

    # ---- texts

    def did_open(self, params: DocumentParams) -> None:
        """Add a text that the client has opened."""
        document = params["textDocument"]
        path = path_of(document["uri"])
        if len(self.workspace.texts) >= MOST_TEXTS and path not in self.workspace.texts:
            raise RequestError(f"no more than {MOST_TEXTS:,} texts can be open")
        self._take(path, document.get("version"), document["text"])
        self._unread[path] = None

    def did_save(self, params: DocumentParams) -> None:
        """Reload the game of a text, and lint the other texts, which may use its words."""
        path = path_of(params["textDocument"]["uri"])
        self._unread[path] = None
        self._linted = {**dict.fromkeys(self.workspace.texts), **self._linted}

    def did_change(self, params: DocumentParams) -> None:
        """Replace the whole text of a document."""
        document = params["textDocument"]
        self._take(path_of(document["uri"]), document.get("version"), params["contentChanges"][-1]["text"])

    def _take(self, path: str, version: object, text: object) -> None:
        if not isinstance(text, str):
            raise RequestError("a text is needed")
        self.workspace.take(path, version if isinstance(version, int) else None, text)
        self._taken += 1
        self._changed.pop(path, None)
        self._linted.pop(path, None)
        self._changed[path] = None
        if self._desk is not None:
            self._unread[path] = None

    def did_close(self, params: DocumentParams) -> None:
        """Forget a text and its findings."""
        path = path_of(params["textDocument"]["uri"])
        self.workspace.close(path)
        self._changed.pop(path, None)
        self._linted.pop(path, None)
        self.endpoint.notify("textDocument/publishDiagnostics", {"uri": uri_of(path), "diagnostics": []})

    def did_change_files(self, params: ChangedFiles) -> None:
        """Read files on the disk again, and check all open texts; files that are open have their texts in memory."""
        changes = [(path_of(one["uri"]), one.get("type")) for one in params["changes"]]
        if changes and all(kind == CHANGED and path in self.workspace.texts for path, kind in changes):
            return
        self.workspace.forget()
        self._changed.update(dict.fromkeys(self.workspace.texts))

    # ---- findings

    @property
    def has_changes(self) -> bool:
        """Whether texts have changed since their errors were found."""
        return bool(self._changed)

    def check(self) -> None:
        """Find the errors of the text that has waited longest, and publish them, if there are any."""
        self._renew_settings()
        path = next(iter(self._changed))
        del self._changed[path]
        self._linted.pop(path, None)
        with self._logged(path), uncollected():
            steps = self.workspace.steps(path)
            if steps is None:
                self._publish(path, ())
                return
            self._linted[path] = steps
            early = None
            while early is None and path in self._linted:
                early = self._step(path, steps)
            if early is not None and any(one.file == path for one in early.findings):
                self._publish(path, [one for one in early.findings if one.severity == "error"])

    def _step(self, path: str, steps: LintSteps) -> Report | None:
        """Go a step on with the linting of a text; publish its findings at the end."""
        try:
            return next(steps)
        except StopIteration as done:
            self._linted.pop(path, None)
            self._publish(path, self.workspace.shown(done.value).findings)
            return None

    @property
    def has_work(self) -> bool:
        """Whether there is work for idle moments: texts to be linted, or games to be loaded."""
        return bool(self._linted or self._unread) or self._taken >= COLLECTED_AFTER

    def work_idly(self) -> None:
        """Go a step on with the work for idle moments: some milliseconds, and more where a game is loaded."""
        if self._linted:
            path, steps = next(iter(self._linted.items()))
            with self._logged(path), uncollected():
                if steps is None:
                    steps = self.workspace.steps(path) if path in self.workspace.texts else None
                    if steps is None:
                        self._linted.pop(path)
                        return
                    self._linted[path] = steps
                self._step(path, steps)
            return
        if not self._unread:
            self._taken = 0
            gc.collect()
            return
        path, _ = self._unread.popitem()
        with suppress(Exception):  # a request about the text will report the error
            self.workspace.study(path)
        for told in self._desk.changes(path) if self._desk is not None else ():
            self.endpoint.notify("warchest/changed", told)

    def _publish(self, path: str, findings: Iterable[Diagnostic]) -> None:
        opened = self.workspace.texts[path]
        own = [one for one in findings if one.file == path]
        told: dict[str, object] = {"uri": uri_of(path), "diagnostics": [diagnostic(one, opened.source) for one in own]}
        if opened.version is not None:
            told["version"] = opened.version
        self.endpoint.notify("textDocument/publishDiagnostics", told)

    def _renew_settings(self) -> None:
        """Read changed settings, which may concern all texts; a fault is shown once."""
        try:
            if self.workspace.renew_settings():
                self._linted = dict.fromkeys(self.workspace.texts)
        except SettingsError as error:
            self.endpoint.notify("window/showMessage", {"type": WARNING, "message": str(error)})

    @contextmanager
    def _logged(self, path: str) -> Iterator[None]:
        """Log an error with a text, so that the other texts are still checked."""
        try:
            yield
        except Exception as error:
            self._linted.pop(path, None)
            self.endpoint.log(f"{path}: {type(error).__name__}: {error}")


def _capability(told: object, *keys: str) -> object:
    """Return a capability of a client by its keys; None where the client has none."""
    for key in keys:
        told = told.get(key) if isinstance(told, Mapping) else None
    return told
