"""The parser that Lark makes of the grammar. Its table is kept as JSON: reading that takes a tenth of making it anew.

What is read is plain data. Nothing of it is run, whoever wrote it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from warchest.syntax.lexer import WordLexer

_OPTIONS: dict[str, Any] = {"propagate_positions": True}
_LOADS: Any = lark.Lark
"""Lark's own loader of tables that are plain data, the one its stand-alone parsers use, is not typed."""
_LEXER = "lexer"
_LEXER_TYPE = "lexer_type"


def parser_of(grammar: str) -> lark.Lark:
    """Return the parser of a grammar: from the table that is kept, if it is of this grammar, else made anew."""
    file = kept_in()
    digest = hashlib.sha256(f"{lark.__version__}\0{grammar}".encode()).hexdigest()
    kept = _read(file, digest) if file is not None else None
    if kept is not None:
        return kept
    made = lark.Lark(grammar, parser="lalr", lexer=WordLexer, maybe_placeholders=False, **_OPTIONS)
    if file is not None:
        _write(file, digest, made)
    return made


def kept_in() -> Path | None:
    """Return the file beside Python's own compiled modules that keeps the table; None where none may be written."""
    return None if sys.dont_write_bytecode else Path(cache_from_source(__file__)).with_suffix(".json")


def _read(file: Path, digest: str) -> lark.Lark | None:
    """Return the parser that a file keeps; None if it is of another grammar, or no such file at all."""
    try:
        kept = json.loads(file.read_bytes(), object_hook=_numbered)
        if kept["digest"] != digest:
            return None
        kept["data"]["options"][_LEXER] = kept["data"]["parser"]["lexer_conf"][_LEXER_TYPE] = WordLexer
        made: lark.Lark = _LOADS._load_from_dict(kept["data"], kept["memo"], **_OPTIONS)
        return made
    except Exception:
        # Whatever it is, it can be made anew.
        return None


def _numbered(values: dict[str, Any]) -> dict[Any, Any]:
    """Return a mapping of JSON with the numbers among its keys, which JSON writes as texts."""
    return {int(key) if key.isdigit() else key: value for key, value in values.items()}


def _write(file: Path, digest: str, made: lark.Lark) -> None:
    """Write the table of a parser, if it can be written; another process finds the whole of it, or nothing."""
    data, memo = made.memo_serialize([TerminalDef, Rule])
    # What is no plain data is what is the same each time: `_read` puts it back.
    data["options"] = {key: value for key, value in data["options"].items() if key not in (_LEXER, *_OPTIONS)}
    data["parser"]["lexer_conf"] = {**data["parser"]["lexer_conf"], _LEXER_TYPE: None}
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    with suppress(OSError):
        try:
            temporary.write_text(json.dumps({"digest": digest, "data": data, "memo": memo}), encoding="utf-8")
            temporary.replace(file)
        finally:
            temporary.unlink(missing_ok=True)
