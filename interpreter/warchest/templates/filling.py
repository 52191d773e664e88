"""Templates of new documents: texts with a name to fill in.

The templates are in the folder `templates` of each game, in a folder for each kind. A document of a kind without a
template takes its values from another one of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from warchest.diagnostics.suggest import did_you_mean
from warchest.diagnostics.visible import visible
from warchest.game.game import Game
from warchest.source.carried import Carried
from warchest.source.data import folders_of
from warchest.source.text import slug
from warchest.templates.sampled import kinds_of, sampled

TEMPLATES, SUFFIX = "templates", ".template"
"""The folder of a game for templates, and the suffix of their files."""
LONGEST = 60
"""The most characters of a name."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9'’ -]*")


class TemplateError(Carried, ValueError):
    """The new document is impossible; `field` is the wrong one of `kind` and `name`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def name_of(written: str) -> str:
    """Return the name of a new document, with single blanks; raises TemplateError if it is invalid."""
    name = " ".join(written.split())
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        told = (
            f"a name begins with a letter from A to Z, and has at most {LONGEST} of these letters, digits, blanks, "
            f"hyphens and apostrophes; {visible(name[:LONGEST])!r} is not one"
        )
        raise TemplateError("name", told)
    return name


def new_texts(folder: Path, game: Callable[[], Game], kind: str, name: str, title: str) -> dict[Path, str]:
    """Return the texts of new files by their paths: from the template of a kind, or from its declaration.

    The game is only loaded if there is no template for the kind; `title` names the game in messages. Raises
    TemplateError.
    """
    known = _templates(folder)
    if kind in known:
        return dict(_filled(known[kind], name))
    kinds = new_kinds(folder, game())
    if kind not in kinds:
        help = did_you_mean(kind, kinds) or f"there are: {', '.join(kinds)}"
        raise TemplateError("kind", f"there is no kind of document {visible(kind)!r} in {title}; {help}")
    return sampled(game(), kind, name, slug(name))


def new_kinds(folder: Path, game: Game) -> list[str]:
    """Return the kinds that new documents of a game can have: first those that it declares, in their order."""
    return list(dict.fromkeys([*kinds_of(game), *sorted(_templates(folder))]))


def _templates(folder: Path) -> dict[str, Path]:
    """Return the folders of the templates of a game, and of the games that it is based on, by their kinds."""
    found: dict[str, Path] = {}
    for one in folders_of(folder):
        inside = one / TEMPLATES
        for kind in sorted(inside.iterdir()) if inside.is_dir() else ():
            found.setdefault(kind.name, kind)
    return found


def _filled(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Yield the files of a template with a name filled in: their paths in the target folder, and their texts."""
    short = slug(name)
    said = {"{name}": name, "{file}": short, "{word}": short}
    for file in sorted(folder.rglob(f"*{SUFFIX}")):
        path, text = file.relative_to(folder).as_posix().removesuffix(SUFFIX), file.read_text(encoding="utf-8")
        for key, value in said.items():
            path, text = path.replace(key, value), text.replace(key, value)
        yield Path(path), text
