"""The server as a client of others sees it: pytest-lsp runs it, and lsprotocol structures each of its messages."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
import pytest_lsp
from inside import CARD
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

COMMAND = [sys.executable, "-m", "warchest.lsp.wc_lsp"]
WRONG = CARD.replace("  attack.", "  atack.")


def made_client() -> LanguageClient:
    """A client that supports notifications about changed files."""
    client = make_test_lsp_client()

    @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(params: lsp.RegistrationParams) -> None:
        (asked,) = params.registrations
        assert asked.method == lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES

    return client


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=COMMAND, client_factory=made_client),
    params=["neovim", "visual_studio_code", "emacs"],
)
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path):  # type: ignore[no-untyped-def]
    folder = lsp.WorkspaceFolder(uri=tmp_path.as_uri(), name="cards")
    begun = await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities(request.param), root_uri=tmp_path.as_uri(), workspace_folders=[folder]
        )
    )
    assert begun.capabilities.position_encoding == lsp.PositionEncodingKind.Utf16
    assert begun.server_info is not None and begun.server_info.name == "wc-lsp"
    yield
    await lsp_client.shutdown_session()


class Editor:
    """A file that is open in a client."""

    def __init__(self, client: LanguageClient, file: Path) -> None:
        self.client, self.uri = client, file.as_uri()
        self.here = lsp.TextDocumentIdentifier(uri=self.uri)

    async def found(self, version: int) -> list[lsp.Diagnostic]:
        """Wait for the diagnostics of a version."""
        while True:
            told = await asyncio.wait_for(self.client.wait_for_notification("textDocument/publishDiagnostics"), 60)
            if told.uri == self.uri and told.version == version:
                return list(told.diagnostics)

    async def open(self, text: str) -> list[lsp.Diagnostic]:
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri=self.uri, language_id="yaml", version=1, text=text))
        )
        return await self.found(1)

    async def change(self, text: str, version: int) -> list[lsp.Diagnostic]:
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(uri=self.uri, version=version),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        return await self.found(version)


def at(line: int, character: int) -> lsp.Position:
    return lsp.Position(line=line, character=character)


WHOLE = lsp.Range(at(0, 0), at(99, 0))


@pytest.mark.asyncio
async def test_all_answers_are_those_of_the_protocol(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "halberdier.yaml")
    (found,) = await editor.open(WRONG)
    assert found.code == "WC201" and found.severity == lsp.DiagnosticSeverity.Error and found.source == "wc-lint"
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(editor.here, found.range, lsp.CodeActionContext(diagnostics=[found]))
    )
    assert actions and isinstance(actions[0], lsp.CodeAction) and actions[0].kind == lsp.CodeActionKind.QuickFix
    assert await editor.change(CARD, 2) == []
    hover = await client.text_document_hover_async(lsp.HoverParams(editor.here, at(6, 10)))
    assert hover is not None and isinstance(hover.contents, lsp.MarkupContent) and "read as:" in hover.contents.value
    listed = await client.text_document_completion_async(lsp.CompletionParams(editor.here, at(6, 29)))
    assert isinstance(listed, lsp.CompletionList)
    item = await client.completion_item_resolve_async(next(one for one in listed.items if one.label == "attack"))
    assert isinstance(item.documentation, str)
    places = await client.text_document_definition_async(lsp.DefinitionParams(editor.here, at(4, 4)))
    assert isinstance(places, list) and all(isinstance(one, lsp.Location) for one in places)
    context = lsp.ReferenceContext(include_declaration=True)
    assert await client.text_document_references_async(lsp.ReferenceParams(context, editor.here, at(0, 8)))
    renamed = await client.text_document_rename_async(lsp.RenameParams(editor.here, at(0, 8), "Poleaxeman"))
    assert renamed is not None and renamed.changes
    colours = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(editor.here))
    assert colours is not None and len(colours.data) % 5 == 0
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(editor.here))
    assert symbols and isinstance(symbols[0], lsp.DocumentSymbol)
    assert await client.text_document_folding_range_async(lsp.FoldingRangeParams(editor.here))
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(editor.here, WHOLE))
    assert hints and all(isinstance(one, lsp.InlayHint) for one in hints)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(editor.here)) or []
    titles = [(one if one.command else await client.code_lens_resolve_async(one)).command for one in lenses]
    assert [one.title for one in titles if one][:2] == ["passes", "picture"]
    drawn = next(one for one in titles if one and one.command)
    picture = await client.workspace_execute_command_async(lsp.ExecuteCommandParams(drawn.command, drawn.arguments))
    assert "svg" in str(picture)
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    assert await editor.change(CARD.replace("coins: 4", "coins:    4"), 3) == []
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(editor.here, options))
    assert edits and isinstance(edits[0], lsp.TextEdit)


@pytest.mark.asyncio
async def test_errors_and_own_requests_are_answered(client: LanguageClient, tmp_path: Path) -> None:
    editor = Editor(client, tmp_path / "halberdier.yaml")
    assert await editor.open(CARD) == []
    with pytest.raises(JsonRpcException) as refused:
        await client.text_document_rename_async(lsp.RenameParams(editor.here, at(4, 4), "hit"))
    assert "comes with the package" in str(refused.value)
    with pytest.raises(JsonRpcException):
        await client.protocol.send_request_async("no/such", {})
    view = await client.protocol.send_request_async("warchest/play/new", {"seed": 1})
    assert view.play == "1" and view.options
    # A server that has crashed would not answer any more.
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(editor.here))
    with pytest.raises(JsonRpcException):
        await client.text_document_hover_async(lsp.HoverParams(editor.here, at(6, 10)))
    assert await editor.open(CARD) == []
