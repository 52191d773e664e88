"""The page about the server's own requests, made from the types of their messages.

`python tests/docs/protocol_support.py` writes it.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, is_typeddict

from warchest.lsp import messages
from warchest.lsp.jobs.running import MOST_SECONDS as MOST_BUDGET
from warchest.lsp.jobs.running import SECONDS
from warchest.lsp.jobs.simulating import GAMES, MOST_GAMES
from warchest.lsp.messages import METHODS
from warchest.lsp.own_requests import FORMAT, MOST_BOT_STEPS, MOST_JOBS, MOST_LINKED
from warchest.lsp.parameters import MOST_CHARACTERS, MOST_ITEMS, MOST_NUMBER, fields_of
from warchest.lsp.plays import MOST_DECISIONS, MOST_ITERATIONS, MOST_NEWS, MOST_PLAYS, MOST_SECONDS
from warchest.lsp.server import MOST_TEXTS
from warchest.lsp.trials import MOST_RULINGS

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
PAGE, TYPES = FOLDER / "protocol.md", FOLDER / "protocol-types.md"
WIDTH = 120
HEAD = """\
# Requests of the language server

<!-- Made from the types of the messages by `python tests/docs/protocol_support.py`; do not edit. -->

`wc-lsp` answers the requests of the [Language Server Protocol](https://microsoft.github.io/language-server-protocol/)
that [editors.md](../guides/editors.md) lists. For programs that show more than text, such as a page with a board, it
answers the requests below, over the same connection. Places, ranges, edits and diagnostics are those of LSP; a position
of a game is a mapping, as under `position:` in rulings ([rulings.md](../guides/rulings.md)).

## Transports

| transport | started by | messages |
|---|---|---|
| standard input and output | `wc-lsp` | JSON behind a header, as in LSP |
| TCP | `wc-lsp --tcp [HOST:]PORT` | the same; each client has a session of its own |
| WebSocket, for local pages | `wc-lsp --websocket PORT` (`pip install 'warchest[lsp-web]'`) | one in each frame |
| calls within a process | `warchest.lsp.connection.Connection` | texts |

`--websocket` prints an address with a token. A client is turned away without the token; if it calls this computer by
another name than `127.0.0.1`, `localhost` or `[::1]`; and if it is a page of another site, unless `--origin` names it.

A program that runs Python itself, such as a page with Pyodide, calls `receive` for each message, and `work_idly` while
nothing else happens; neither uses a thread, a process or a clock:

```python
from warchest.lsp.connection import Connection

sent = []
connection = Connection(sent.append)
connection.receive('{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}')
while connection.has_work:
    connection.work_idly()
```

`receive` answers the message, and publishes the errors of a changed text. Other findings are published in idle moments.

## The requests

A parameter with `?` can be left out.
"""
TYPES_HEAD = """\
# Types of the requests

<!-- Made from the types of the messages by `python tests/docs/protocol_support.py`; do not edit. -->

The parameters and results of the [requests of the language server](protocol.md). A key with `?` can be left out.
"""
LIMITS = f"""\
## Errors and limits

A request that is refused is answered with an error of JSON-RPC: {{code}} for parameters that cannot be, and `-32801`
(content modified) for `warchest/play/apply` if the client has not seen the current decision. The `data` of the error
name the `field`. The connection and its plays stay as they were.

| what | at most |
|---|---|
| open texts of a client | {MOST_TEXTS:,} |
| plays of a client; a further one ends the one that was used least recently | {MOST_PLAYS} |
| decisions of a play | {MOST_DECISIONS:,} |
| news in a view | {MOST_NEWS} |
| decisions of a bot for one request | {MOST_BOT_STEPS} |
| time of a bot for a decision | {MOST_SECONDS:g} seconds, or {MOST_ITERATIONS:,} iterations |
| rulings run by one request | {MOST_RULINGS} |
| time of a job (usually {SECONDS} seconds) | {MOST_BUDGET:,} seconds of processor time |
| processes of a job | {MOST_JOBS} |
| games of a job (usually {GAMES}) | {MOST_GAMES:,} |
| characters of the cards of a link (format {FORMAT}) | {MOST_LINKED:,} |
| characters of a text in parameters | {MOST_CHARACTERS:,} |
| entries of a list or a mapping in parameters | {MOST_ITEMS:,} |
| numbers in parameters | {MOST_NUMBER:,} |
""".replace("{code}", "`-32602`")
PICTURES = """\
## Pictures

`svg` is an SVG document. Parts say what they show: `data-space` a space, `data-piece` a piece with its `data-owner`,
`data-zone` a zone with its `data-owner`, `data-thing` a thing in a zone. They correspond to the places of options: a
place with the sort `space` or `piece` to the part with its `space`, one of a `token` to the `zone` and the `owner`.
Spaces and pieces have ids. The pictures of views bring no sheet, so that they change nothing else of a page; `style`,
in the result of `warchest/set`, is the sheet for all of them.
"""


JOBS = """\
## Jobs

`warchest/job` takes long, and a connection handles one request after the other: so a client does a job on a second
connection with the same texts open, and closes that connection to stop the job. Where one process serves several
clients, they wait for the job; a process or a worker of its own for the job keeps them free. Meanwhile the client gets
the notification `warchest/progress` with a [JobProgress](#jobprogress), at most
ten times a second. A job is done with the texts as they are when it begins. Errors in its own file refuse it; other
files with errors are left out, and the first of the `notes` names them. The same texts and parameters give the same
result, unless the time is over before all is done: then the result is `partial`.

| kind | work |
|---|---|
| `sim` | bots play games: `tables` of wins by team, bot, seat and card; `findings` are rules without end |
| `check` | laws are checked as by `warchest check`: `findings` break laws, `marks` are sentences that never acted |
| `means` | near readings of a document: `questions` tell them apart, as `warchest quiz` does |
| `cover` | rulings are run and games played; `marks` count the acts of each sentence |
| `mutants` | words are changed: `findings` are changes that no ruling notices, `marks` are counts by sentence |
"""


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD, "\n".join(_table()), "", LIMITS, PICTURES, JOBS]
    return "\n".join(parts).replace("](#", "](protocol-types.md#").rstrip("\n") + "\n"


def types_page() -> str:
    """Return the text of the page about the types."""
    return f"{TYPES_HEAD}\n" + "\n".join(_types()).rstrip("\n") + "\n"


def _table() -> Iterator[str]:
    yield "| method | parameters | result | use |"
    yield "|---|---|---|---|"
    for name, method in METHODS.items():
        given = ", ".join(f"`{key}{'' if needed else '?'}`" for key, (_, needed) in fields_of(method.params).items())
        result = f"list of {_named(method.result)}" if method.is_list else _named(method.result)
        yield f"| `{name}` | {given} | {result} | {method.about} |"
    yield ""
    yield "After a change of a text, a client that has sent one of these requests gets the notification"
    yield "`warchest/changed` with a [GameChange](#gamechange) in an idle moment, if the game is another one now."


def _types() -> Iterator[str]:
    for name, shape in vars(messages).items():
        if is_typeddict(shape) and shape.__module__ == messages.__name__:
            yield f"## {name}\n"
            yield textwrap.fill(" ".join(inspect.cleandoc(shape.__doc__ or "").split()), WIDTH, break_on_hyphens=False)
            yield ""
            for key, (hint, needed) in fields_of(shape).items():
                yield f"- `{key}{'' if needed else '?'}`: {_said(hint)}"
            yield ""


def _named(hint: object) -> str:
    return f"[{hint.__name__}](#{hint.__name__.lower()})" if is_typeddict(hint) else _said(hint)


def _said(hint: object) -> str:
    """Return a type in words."""
    if is_typeddict(hint):
        return _named(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(map(_said, inner))
    if origin is Literal:
        return " or ".join(f'`"{one}"`' for one in inner)
    if origin is list:
        return f"list of {_said(inner[0])}"
    if origin is dict:
        return f"mapping to {_said(inner[1])}" if inner[1] is not object else "mapping"
    names = {
        str: "text",
        int: "number",
        float: "number",
        bool: "true or false",
        NoneType: "null",
        dict: "mapping",
        object: "anything",
    }
    return names[hint]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    TYPES.write_text(types_page(), encoding="utf-8")
