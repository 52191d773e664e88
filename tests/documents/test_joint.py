"""The one schema of all kinds: valid, and with the same verdict on a document as the schema of its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from loaded import documents
from warchest.cli.main import main
from warchest.documents.joint import joint
from warchest.documents.load import declared
from warchest.source.data import shipped_games

GAMES = [folder.name for folder in shipped_games()]


class Core(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as editors read it: by the core schema of YAML 1.2, without our own rules."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


for tag, form, first in (
    ("bool", "true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", "[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
):
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{form})$"), list(first))


@lru_cache
def validator(game: str) -> Draft202012Validator:
    """A validator for the documents of a shipped game."""
    folder = next(one for one in shipped_games() if one.name == game)
    schemas = declared([folder]).schemas
    assert schemas is not None
    return Draft202012Validator(joint(schemas, game))


def spoilt(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A document with each key misspelt, and without each of them."""
    for key in values:
        yield {f"{name}z" if name == key else name: value for name, value in values.items()}
        yield {name: value for name, value in values.items() if name != key}


def references(part: Any) -> Iterator[str]:
    """All references in a schema."""
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from references(inner)
    if isinstance(part, dict) and isinstance(part.get("$ref"), str):
        yield part["$ref"]


@pytest.mark.parametrize("game", GAMES)
def test_it_is_a_schema_whose_references_lead_somewhere(game: str) -> None:
    schema = validator(game).schema
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"urn:warchest:schema:{game}"
    for reference in set(references(schema)):
        place: Any = schema
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_document_fits_as_editors_read_it(game: str) -> None:
    read = [one for source in documents(game).sources for one in yaml.load_all(source.text, Loader=Core)]
    assert len(read) > 100
    assert [one for one in read if not validator(game).is_valid(one)] == []


@pytest.mark.parametrize("game", GAMES)
def test_it_says_the_same_as_the_schema_of_the_kind(game: str) -> None:
    """Of one document of each kind, with each key misspelt and left out; and no misspelt key is let pass."""
    library, seen = documents(game), dict[str, int]()
    assert library.schemas is not None
    for document in library.documents:
        if document.kind in seen or len(json.dumps(document.values)) > 20_000:
            continue
        schema = library.schemas.for_kind(document.kind)
        assert schema is not None
        alone = Draft202012Validator(schema)
        for values in spoilt(document.values):
            assert validator(game).is_valid(values) == alone.is_valid(values), (document.kind, list(values))
            seen[document.kind] = seen.get(document.kind, 0) + (not alone.is_valid(values))
    assert len(seen) > 8 and all(seen.values())


def test_the_schema_has_the_kinds_that_a_pack_declares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.yaml").write_text(
        "words: Weather\ndocuments:\n  weather: {numbers: [strength], blocks: {rules: rules}}\n", encoding="utf-8"
    )
    printed = []
    for cards in ([], ["--cards", str(tmp_path)]):
        assert main(["schema", *cards]) == 0
        printed.append(Draft202012Validator(json.loads(capsys.readouterr().out)))
    plain, extended = printed
    document = {"weather": "Storm", "strength": 3}
    assert not plain.is_valid(document) and extended.is_valid(document)
    assert not extended.is_valid({**document, "strenth": 3})


def test_wrong_declarations_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.yaml").write_text("words: Weather\ndocumentz: {}\n", encoding="utf-8")
    assert main(["schema", "--cards", str(tmp_path)]) == 2
    assert main(["schema", "--cards", str(tmp_path / "none")]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "documentz" in said.err and "there is no folder" in said.err
