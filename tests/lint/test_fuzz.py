"""Whatever the text, the linter answers with findings that have a place, and never with an exception."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lint_support import CARD, CARDS, sound

from linted import OF_ERRATA
from loaded import documents
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.lint.jobs import Job
from warchest.lint.run import lint
from warchest.resolve.model import declare

GAME = CARDS / "war-chest"
FILES = sorted(file for file in GAME.rglob("*.yaml") if "rulings" not in file.parts)
TEXTS = {file: file.read_text(encoding="utf-8") for file in FILES}
BATCH = 24
"""How many files are linted at once, each spoilt in its own way."""
SHARE = 10 if settings().max_examples > 40 else 20
few = settings(
    max_examples=settings().max_examples // SHARE, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@lru_cache(maxsize=1)
def words() -> list[str]:
    """All words of the shipped game, and the function words of the language."""
    library = documents()
    model = declare(library, library.of_kind("game")[0], library.of_kind("board")[0])
    grammar = (CARDS.parent / "grammar" / "sentence.lark").read_text(encoding="utf-8")
    spoken = {word for quoted in re.findall(r'"([^"\n]+)"', grammar) for word in quoted.split()}
    return sorted(spoken | set(model.vocabulary.spellings()) | set(".,:+") | {"2", "1-2", "0", "blorp", "Blorp"})


def linted(folder: Path, data: Sequence[bytes], instead_of: Iterable[Path] = ()) -> list[Diagnostic]:
    """Lint files together, on top of the game or in place of some of its files."""
    files = [folder / f"{number}.yaml" for number in range(len(data))]
    for file, content in zip(files, data, strict=True):
        file.write_bytes(content)
    left = [other for other in FILES if other not in instead_of]
    # Each variant is checked again, so errata are left out where none of them is tested.
    others = left if any(map(is_layer, instead_of)) else [other for other in left if not is_layer(other)]
    found = list(lint(Job(GAME, [*others, *files], {*map(str, files), *map(str, FILES)})).findings)
    sound(found)
    assert len(found) == len(set(found))
    return found


def is_layer(file: Path) -> bool:
    return file.parent.name in OF_ERRATA


def cards(texts: Iterable[str]) -> list[bytes]:
    """Cards of different names, with these lines after the first two."""
    return [
        CARD.replace("\n", f" {number}\n", 1).encode() + text.encode("utf-8", "surrogatepass")
        for number, text in enumerate(texts)
    ]


@few
@given(data=st.lists(st.binary(max_size=300), min_size=BATCH, max_size=BATCH))
def test_random_bytes(tmp_path: Path, data: list[bytes]) -> None:
    wrong = {Path(one.file).stem for one in linted(tmp_path, data)}
    assert wrong >= {str(number) for number in range(BATCH)}, "no random bytes are a document"


@few
@given(texts=st.lists(st.text(max_size=200), min_size=BATCH, max_size=BATCH))
def test_random_text_in_a_block(tmp_path: Path, texts: list[str]) -> None:
    blocks = ["\n".join("  " + line for line in text.split("\n")) for text in texts]
    linted(tmp_path, cards(f"tactic: |\n{block}\n" for block in blocks))


@st.composite
def soups(draw: st.DrawFn) -> str:
    """Words in no order, as a block of a card."""
    key = draw(st.sampled_from(["tactic", "attribute", "restriction"]))
    soup = draw(st.lists(st.sampled_from(words()), max_size=25))
    return f"{key}: |\n  {' '.join(soup)} .\n"


@few
@given(texts=st.lists(soups(), min_size=BATCH, max_size=BATCH))
def test_random_words_in_a_block(tmp_path: Path, texts: list[str]) -> None:
    linted(tmp_path, cards(texts))


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


@few
@given(cases=st.lists(mutated(), min_size=BATCH, max_size=BATCH, unique_by=lambda case: case[0]))
def test_mutated_cards(tmp_path: Path, cases: list[tuple[Path, str]]) -> None:
    """Many at once; by itself the game's document, without which nothing else is looked through."""
    apart = [case for case in cases if case[0].stem == "game"]
    for some in (apart, [case for case in cases if case not in apart]):
        linted(tmp_path, [text.encode() for _, text in some], instead_of={file for file, _ in some})


def batches(size: int) -> list[list[Path]]:
    """The files in batches; the game's document, without which nothing else is looked through, is alone."""
    alone = [file for file in FILES if file.stem == "game"]
    rest = [file for file in FILES if file not in alone]
    return [alone, *(rest[first : first + size] for first in range(0, len(rest), size))]


# Empty and whole files hide nothing in others.
CUT_OFF = [(half, batch) for half in (0, 1, 2) for batch in batches(BATCH if half == 1 else len(FILES))]


@pytest.mark.parametrize(("half", "batch"), CUT_OFF, ids=lambda one: one if isinstance(one, int) else one[0].stem)
def test_cut_off_cards(tmp_path: Path, half: int, batch: list[Path]) -> None:
    found = linted(tmp_path, [TEXTS[file][: len(TEXTS[file]) // 2 * half].encode() for file in batch], batch)
    assert half or len(found) >= len(batch)
