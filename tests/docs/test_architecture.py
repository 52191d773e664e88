"""docs/architecture.md lists every folder and module, and speaks only of files that are there."""

from __future__ import annotations

import re

from docs_support import DOCS, MARK, PACKAGE, ROOT, module_list

PAGE = (DOCS / "architecture.md").read_text(encoding="utf-8")


def test_the_list_of_modules_is_complete() -> None:
    before, mark, listed = PAGE.partition(MARK)
    assert before and mark
    # If this fails, run `python tests/docs/docs_support.py`.
    assert listed == module_list(listed)


def test_every_module_says_what_it_is() -> None:
    lines = re.findall(r"^- `\w+\.py` – (.*)$", PAGE.partition(MARK)[2], re.MULTILINE)
    assert len(lines) > 50
    assert [line for line in lines if not line.strip()] == []


def test_the_files_that_are_named_exist() -> None:
    before = PAGE.partition(MARK)[0]
    known = {path.name for path in PACKAGE.rglob("*.py")}
    for name in re.findall(r"`([\w/.-]+\.(?:py|lark|yaml|txt|md))`", before):
        places = [ROOT / name, PACKAGE / name, ROOT / "tests" / "syntax" / name]
        assert name in known or any(place.is_file() for place in places), name
    for folder in re.findall(r"`(\w+/)`", before):
        assert (ROOT / folder).is_dir() or (PACKAGE / folder).is_dir(), folder
