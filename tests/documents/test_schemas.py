"""The schemas: valid, strict, complete for an editor, and true of every file that ships."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from warchest.documents.load import files_in, load
from warchest.documents.schemas import read_schemas
from warchest.source.data import PACKS

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS: dict[str, dict[str, Any]] = {
    file.name.removesuffix(".schema.json"): json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((ROOT / "schemas").glob("*.schema.json"))
}
CARDS = files_in(ROOT / "cards")


def parts(schema: object, path: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema inside a schema that describes a value an author writes, with its place."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for word in ("properties", "patternProperties", "$defs"):
        for name, inner in schema.get(word, {}).items():
            yield from parts(inner, f"{path}/{word}/{name}")
    for word in ("items", "additionalProperties"):
        yield from parts(schema.get(word), f"{path}/{word}")
    for word in ("oneOf", "anyOf"):
        for number, inner in enumerate(schema.get(word, ())):
            if set(inner) != {"required"}:
                yield from parts(inner, f"{path}/{word}/{number}")


def all_parts() -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts of all schemas, each with its kind and its place."""
    for kind, schema in SCHEMAS.items():
        yield from ((f"{kind}{place}", part) for place, part in parts(schema))


def test_there_is_a_schema_for_every_kind() -> None:
    assert {"game", "unit", "coin", "action", "board", "setup", "rulings", "errata"} <= set(SCHEMAS)


def test_a_schema_is_a_schema() -> None:
    for schema in SCHEMAS.values():
        assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
        Draft202012Validator.check_schema(schema)


def test_a_document_begins_with_its_kind() -> None:
    for kind, schema in SCHEMAS.items():
        assert schema["required"][0] == kind == next(iter(schema["properties"]))


def test_everything_has_a_title_and_a_description() -> None:
    assert [place for place, part in all_parts() if not part.get("title") or not part.get("description")] == []


def test_a_description_is_one_plain_sentence_or_more() -> None:
    """They are shown as help beside a finding, so they end like sentences and stay short."""
    texts = {place: part["description"] for place, part in all_parts()}
    assert [text for text in texts.items() if not text[1].endswith(".") or len(text[1]) > 140 or "\n" in text[1]] == []


def test_every_mapping_names_its_keys() -> None:
    """A mapping names its keys, or says what form keys and values have; only opaque ones do neither."""
    opaque = ("/properties/pending", "#/properties/position")
    for place, part in all_parts():
        if part.get("type") != "object" or place.endswith(opaque):
            continue
        rest = part.get("additionalProperties")
        assert rest is False or (isinstance(rest, dict) and "propertyNames" in part), place


def test_every_definition_is_used() -> None:
    texts = {kind: json.dumps(schema) for kind, schema in SCHEMAS.items()}
    names = [(kind, name) for kind, schema in SCHEMAS.items() for name in schema["$defs"]]
    assert [(kind, name) for kind, name in names if f'"#/$defs/{name}"' not in texts[kind]] == []


def test_definitions_of_one_name_are_the_same_in_all_schemas() -> None:
    """Each schema is whole by itself, for editors; so common parts are written in each."""
    found: dict[str, str] = {}
    for kind, schema in SCHEMAS.items():
        for name, definition in schema["$defs"].items():
            written = json.dumps(definition, sort_keys=True)
            assert found.setdefault(name, written) == written, f"{name} in {kind}"


def test_every_shipped_file_fits_its_schema() -> None:
    games = [one.parent for one in CARDS if one.name == "game.yaml"]
    packs = [one for one in CARDS if one.is_relative_to(ROOT / "cards" / PACKS)]
    libraries = [load([one for one in CARDS if one.is_relative_to(game)], read_schemas()) for game in games]
    whole = next(one for one in CARDS if one.parent.name == "war-chest" and one.name == "game.yaml").parent
    libraries.append(load([*(one for one in CARDS if one.is_relative_to(whole)), *packs], read_schemas()))
    found = [one for library in libraries for one in library.findings]
    assert [f"{one.file}: {one.code} {one.message}" for one in found] == []
    files = Counter(one.span.path for library in libraries[:-1] for one in library.documents)
    files.update(one.span.path for one in libraries[-1].documents if Path(one.span.path) in packs)
    assert files == dict.fromkeys(map(str, CARDS), 1)
    assert len(files) > 300


UNIT = "unit: Halberdier\ncoins: 4\n"
GAME = "game: tiny\ndocuments: {}\nthings: {}\nwords: {}\nplay: |\n  end the game.\n"
BOARD = "board: Small\nshape: hexes\norigin: b2\nrows: {a: 1-2, b: 1-3}\nseats: [{name: red, team: red}]\n"
CASE = "rulings: Halberdier\ncases:\n- name: It stands\n  position: {to_act: red}\n"
ERRATA = "errata: Halberdier 2\nruling: it was too strong\namends: {kind: unit, name: Halberdier}\n"
QUESTION = (
    "question: Lance length\nabout: [Halberdier]\nasks: How long is it?\nreadings:\n"
    "- {reading: Long., used by: [somebody], value: long}\n- {reading: Short.}\n"
    "taken: Long.\nbecause: It looks long.\nsource: nothing is printed\n"
)
REPLACE = "replace:\n  tactic: |\n    move.\n"

GOOD = {
    "a unit with rulings": UNIT + "rulings: [{name: It stands, position: {to_act: red}, decides: red}]\n",
    "a coin": "coin: Crown\ncoins: 1\n",
    "an action": "action: Wait\nrules: |\n  to wait: do nothing.\n",
    "a game": GAME,
    "a flag and its opposite": GAME + "fields: {torch: {lit: {flag: true, opposite: dark}, holder: player}}\n",
    "a verb of the game": GAME.replace("words: {}", "words: {verbs: {dawn: {by: game}}}"),
    "a board": BOARD + "tags: {location: [a1]}\nnumbers: {markers: 6}\nstart: {controller: {red: [a1]}}\n",
    "a setup": "setup: Short\nboard: Small\noptions: {fast: true}\nfill: {pool: card}\narmies: {red: [Halberdier]}\n",
    "an erratum": ERRATA
    + REPLACE
    + "date: 2018-10-31\nafter: [Halberdier 1]\noption: {name: printing, value: new, otherwise: old}\n",
    "a question": QUESTION + "option: lances\nnot offered: Nobody asks for it.\n",
    "a draw": CASE + "  then: {winner: null}\n",
}

BAD = {
    "the printed text": (UNIT + "text: Moves.\n", "unknown-key"),
    "a unit without coins": ("unit: Halberdier\n", "missing-key"),
    "too many coins": (UNIT.replace("4", "21"), "wrong-size"),
    "coins as text": (UNIT.replace("4", "four"), "wrong-type"),
    "a block without text": (UNIT + "tactic: ''\n", "wrong-size"),
    "a block that is neither steps nor rules": (
        GAME.replace("documents: {}", "documents: {unit: {blocks: {tactic: prose}}}"),
        "unknown-value",
    ),
    "a thing of two kinds": (GAME.replace("things: {}", "things: {x: {piece: x, token: [x]}}"), "unknown-key"),
    "a thing of no kind": (GAME.replace("things: {}", "things: {x: {}}"), "missing-key"),
    "a kind that names others and has no sheet": (
        GAME.replace("documents: {}", "documents: {unit: {names: {rank: rank}}}"),
        "missing-key",
    ),
    "a flag without its opposite": (GAME + "fields: {torch: {lit: {flag: true}}}\n", "missing-key"),
    "a zone seen by somebody": (GAME + "zones: {x: {of: player, holds: y, seen by: me}}\n", "unknown-value"),
    "a zone seen by face without faces": (GAME + "zones: {x: {of: game, holds: y, seen by: face}}\n", "missing-key"),
    "a zone with faces nobody sees": (
        GAME + "zones: {x: {of: game, holds: y, seen by: all, faces: {up: up}}}\n",
        "unknown-key",
    ),
    "a verb that nobody does": (GAME.replace("words: {}", "words: {verbs: {dawn: {}}}"), "missing-key"),
    "a board of triangles": (BOARD.replace("hexes", "triangles"), "unknown-value"),
    "a column with a broken range": (BOARD.replace("1-3", "1..3"), "malformed-value"),
    "a seat without a team": (BOARD.replace(", team: red", ""), "missing-key"),
    "a case that shows nothing": (CASE, "missing-key"),
    "a case with a misspelt key": (CASE + "  offred: [{act: move}]\n", "unknown-key"),
    "a unit nowhere": (CASE + "  then: {units: [{unit: Scout, owner: red}]}\n", "missing-key"),
    "a unit on no space": (CASE + "  then: {units: [{at: F4, unit: Scout, owner: red}]}\n", "malformed-value"),
    "a misspelt zone": (CASE + "  then: {hands: {red: []}}\n", "unknown-key"),
    "an option that is no mapping": (CASE + "  do: [move]\n", "wrong-type"),
    "an erratum without a reason": (ERRATA.replace("ruling: it was too strong\n", "") + REPLACE, "missing-key"),
    "an erratum that changes nothing": (ERRATA, "missing-key"),
    "a question nobody answers": (QUESTION.replace("taken: Long.\n", ""), "missing-key"),
    "a reading that says nothing": (QUESTION.replace("reading: Short.", "value: short"), "missing-key"),
    "a misspelt key of the phrases of an act": ('phrases: Mine\nacts: {pass: {doen: ""}}\n', "unknown-key"),
    "an erratum of no day": (ERRATA + REPLACE + "date: 2018-13-01\n", "malformed-value"),
}


def found_in(text: str, folder: Path) -> list[str]:
    """The names of all findings in a document."""
    file = folder / "document.yaml"
    file.write_text(text, encoding="utf-8")
    return [found.name for found in load([file], read_schemas()).findings]


@pytest.mark.parametrize("text", GOOD.values(), ids=list(GOOD))
def test_well_formed_documents_are_accepted(text: str, tmp_path: Path) -> None:
    assert found_in(text, tmp_path) == []


@pytest.mark.parametrize(("text", "name"), BAD.values(), ids=list(BAD))
def test_malformed_documents_get_one_finding(text: str, name: str, tmp_path: Path) -> None:
    assert found_in(text, tmp_path) == [name]
