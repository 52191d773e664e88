"""The page about the server's own requests, held against the types of the messages and against the handlers."""

from __future__ import annotations

import re

from protocol_support import PAGE, TYPES, page, types_page

from warchest.lsp.connection import Connection
from warchest.lsp.messages import METHODS
from warchest.lsp.own_requests import ServiceDesk
from warchest.lsp.wc_lsp import parser
from warchest.lsp.workspace import Workspace


def test_it_agrees_with_the_types() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/docs/protocol_support.py"
    assert TYPES.read_text(encoding="utf-8") == types_page(), "python tests/docs/protocol_support.py"


def test_each_request_has_its_line_and_its_handler() -> None:
    told = re.findall(r"^\| `(warchest/[\w/]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    handlers = [one for one in Connection(lambda _: None).methods if one.startswith("warchest/")]
    assert sorted(told) == sorted(METHODS) == sorted(handlers) == sorted(ServiceDesk(Workspace()).methods)


def test_the_options_of_the_command_are_those_of_the_page_on_editors() -> None:
    told = re.findall(
        r"^\| `(--[a-z]+)", (PAGE.parents[1] / "guides" / "editors.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    options = {one for action in parser()._actions for one in action.option_strings if one.startswith("--")}
    assert sorted(told) == sorted(options - {"--help"})
