"""Whatever the text, the linter answers with findings that have a place, and never with an exception."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lint_support import CARD, CARDS, sound

from warchest.check.model import declare
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.documents.load import load
from warchest.documents.schemas import read_schemas
from warchest.lint.jobs import Job
from warchest.lint.run import lint

GAME = CARDS / "war-chest"
FILES = sorted(file for file in GAME.rglob("*.yaml") if "rulings" not in file.parts)
TEXTS = {file: file.read_text(encoding="utf-8") for file in FILES}
BATCH = 10
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@lru_cache(maxsize=1)
def words() -> list[str]:
    """All words of the shipped game, and the function words of the language."""
    library = load([GAME], read_schemas())
    model = declare(library, library.of_kind("game")[0], library.of_kind("board")[0])
    grammar = (CARDS.parent / "grammar" / "sentence.lark").read_text(encoding="utf-8")
    spoken = {word for quoted in re.findall(r'"([^"\n]+)"', grammar) for word in quoted.split()}
    return sorted(spoken | set(model.vocabulary.spellings()) | set(".,:+") | {"2", "1-2", "0", "blorp", "Blorp"})


def linted(folder: Path, data: bytes, instead_of: Path | None = None) -> list[Diagnostic]:
    """Lint a file on top of the game, or in place of one of its files."""
    file = folder / "fuzz.yaml"
    file.write_bytes(data)
    files = [other for other in FILES if other != instead_of]
    found = list(lint(Job(GAME, [*files, file], {str(file), *map(str, FILES)})).findings)
    sound(found)
    assert len(found) == len(set(found))
    return found


@quick
@given(data=st.binary(max_size=300))
def test_random_bytes(tmp_path: Path, data: bytes) -> None:
    assert linted(tmp_path, data), "no random bytes are a document"


@quick
@given(text=st.text(max_size=200))
def test_random_text_in_a_block(tmp_path: Path, text: str) -> None:
    lines = "\n".join("  " + line for line in text.split("\n"))
    linted(tmp_path, f"{CARD}tactic: |\n{lines}\n".encode("utf-8", "surrogatepass"))


@settings(quick, max_examples=80)
@given(data=st.data(), key=st.sampled_from(["tactic", "attribute", "restriction"]))
def test_random_words_in_a_block(tmp_path: Path, data: st.DataObject, key: str) -> None:
    soup = data.draw(st.lists(st.sampled_from(words()), max_size=25))
    linted(tmp_path, f"{CARD}{key}: |\n  {' '.join(soup)} .\n".encode())


@st.composite
def mutated(draw: st.DrawFn) -> tuple[Path, str]:
    """A shipped file, and its text with some words or characters dropped, doubled, swapped or replaced."""
    file = draw(st.sampled_from(FILES))
    by_word = draw(st.booleans())
    parts = re.findall(r"\s+|[\w'-]+|.", TEXTS[file]) if by_word else list(TEXTS[file])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(parts) - 1))
        kind = draw(st.sampled_from(["drop", "double", "swap", "replace"]))
        if kind == "drop" and len(parts) > 1:
            del parts[at]
        elif kind == "double":
            parts.insert(at, parts[at])
        elif kind == "swap":
            other = draw(st.integers(0, len(parts) - 1))
            parts[at], parts[other] = parts[other], parts[at]
        else:
            parts[at] = draw(st.sampled_from(words())) if by_word else draw(st.characters(codec="utf-8"))
    return file, "".join(parts)


@settings(quick, max_examples=80)
@given(case=mutated())
def test_mutated_cards(tmp_path: Path, case: tuple[Path, str]) -> None:
    file, text = case
    linted(tmp_path, text.encode(), instead_of=file)


def batches() -> list[list[Path]]:
    """The files in batches; those of which many others speak are alone."""
    alone = [file for file in FILES if file.stem == "game"]
    rest = [file for file in FILES if file not in alone]
    return [alone, *(rest[first : first + BATCH] for first in range(0, len(rest), BATCH))]


@pytest.mark.parametrize("batch", batches(), ids=lambda batch: batch[0].stem)
@pytest.mark.parametrize("half", [0, 1, 2])
def test_cut_off_cards(tmp_path: Path, batch: list[Path], half: int) -> None:
    cut = []
    for number, file in enumerate(batch):
        cut.append(tmp_path / f"{number}.yaml")
        cut[-1].write_text(TEXTS[file][: len(TEXTS[file]) // 2 * half], encoding="utf-8")
    files = [other for other in FILES if other not in batch]
    found = list(lint(Job(GAME, [*files, *cut], {*map(str, cut), *map(str, FILES)})).findings)
    sound(found)
    assert len(found) == len(set(found)) and (half or len(found) >= len(batch))
