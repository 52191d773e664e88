"""Settings of the linter, from a file (`wc-lint.toml`, or a table in `pyproject.toml`) and from the command line.

The file is the one in the working folder, or in the nearest folder above it that has one. Errors are always reported:
settings only select among warnings and notes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from warchest.diagnostics.codes import TABLE, find_code
from warchest.diagnostics.diagnostic import SEVERITIES, Diagnostic, Severity, quoted
from warchest.diagnostics.suggest import did_you_mean
from warchest.lint.jobs import UnknownGame, folder_of
from warchest.source.file_reading import NotAFileError, begins_with
from warchest.source.ignoring import IgnoreFile, as_git
from warchest.source.limits import MAX_BYTES, MAX_PATTERNS

FILE, PROJECT = "wc-lint.toml", "pyproject.toml"
_TABLE = "wc-lint"
_HEAD = re.compile(r"[\]=]")
"""The characters that end the name of a table or of a key."""
_IN_TOML = re.compile(r"(?P<why>.*) \(at (?P<place>line \d+, column \d+|end of document)\)", re.DOTALL)
_ADDRESS = re.compile(r"https?://[!-~]+")
ALL = "ALL"
"""The name for all codes."""
KEYS = ("select", "ignore", "per-file-ignores", "severity", "game", "cards", "exclude", "pages")
"""The keys of the settings."""


class SettingsError(ValueError):
    """Invalid settings; the message gives the place, the reason and the correct form."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The choice of the findings that are reported, and of the files that are checked.

    `select` and `ignore` are codes; `per_file` has codes to ignore in the files that match patterns. `severity` has
    other grades for codes.
    """

    select: frozenset[str] = frozenset(row.code for row in TABLE)
    ignore: frozenset[str] = frozenset()
    per_file: tuple[tuple[IgnoreFile, frozenset[str]], ...] = ()
    severity: Mapping[str, Severity] | None = None
    game: str | None = None
    cards: tuple[Path, ...] = ()
    exclude: IgnoreFile | None = None
    pages: str = ""
    """The address of the folder with the pages about codes (docs/reference/findings); empty where it is not known."""

    def applied(self, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the findings to report, with the grades that the settings give them."""
        grades = self.severity or {}
        return [
            replace(one, severity=grades.get(one.code, one.severity)) if one.severity != "error" else one
            for one in findings
            if one.severity == "error" or self._is_wanted(one)
        ]

    def _is_wanted(self, found: Diagnostic) -> bool:
        if found.code not in self.select or found.code in self.ignore:
            return False
        return not any(found.code in codes and _matches(patterns, found.file) for patterns, codes in self.per_file)

    def is_excluded(self, file: Path) -> bool:
        """Whether a file in a folder that is checked is excluded."""
        return self.exclude is not None and _matches(self.exclude, str(file))


def settings(named: Path | None = None, folder: Path | None = None) -> Settings:
    """Return the settings of a file, by default the nearest one in the working folder, or in another `folder`.

    If there is no file, return the default settings. Raises SettingsError.
    """
    if named is not None:
        table = _table(named, named.name == PROJECT)
        if table is None:
            raise SettingsError(f"{named}: there is no table `[tool.{_TABLE}]` in it")
        return _read(table, named)
    here = folder or Path.cwd()
    for place in (here, *here.parents):
        for name in (FILE, PROJECT):
            file = place / name
            # An unreadable file of settings is reported; a project file is left to the other tools that read it.
            there = os.path.lexists(file) if name == FILE else os.path.isfile(file)
            table = _table(file, name == PROJECT) if there else None
            if table is not None:
                return _read(table, file)
    return Settings()


def with_arguments(base: Settings, table: Mapping[str, object]) -> Settings:
    """Return settings combined with those of the command line, which are keys and values of the same form.

    `select` and `exclude` replace those of `base`; the others are added to it. Raises SettingsError.
    """
    own = _read(table, None)
    return Settings(
        own.select if "select" in table else base.select,
        base.ignore | own.ignore,
        base.per_file + own.per_file,
        {**(base.severity or {}), **(own.severity or {})},
        base.game,
        base.cards,
        own.exclude or base.exclude,
        own.pages or base.pages,
    )


def _table(file: Path, is_project: bool) -> Mapping[str, object] | None:
    """Return the settings in a file; None if it has none. Raises SettingsError."""
    import tomllib

    try:
        data = begins_with(file, MAX_BYTES + 1)
        if is_project and _TABLE.encode() not in data:
            return None  # other tools report errors in it
        told: Mapping[str, object] = tomllib.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"{file}: it cannot be read: {error.strerror}") from None
    except NotAFileError as error:
        raise SettingsError(f"{file}: {error}") from None
    except UnicodeDecodeError as error:
        line, wrong = data.count(b"\n", 0, error.start) + 1, data[error.start]
        raise SettingsError(f"{file}:{line}: byte 0x{wrong:02x} is not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{file}{_in_toml(error, data)}") from None
    if not is_project:
        return told
    tools = told.get("tool")
    found = tools.get(_TABLE) if isinstance(tools, dict) else None
    if found is not None and not isinstance(found, dict):
        raise SettingsError(f"{file}: tool.{_TABLE}: this has to be a table, `[tool.{_TABLE}]`")
    return found


def _in_toml(error: Exception, text: bytes) -> str:
    """Return the place of an error in TOML, if it is known, and the reason."""
    found = _IN_TOML.fullmatch(str(error))
    if found is None:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        return f": this is not valid TOML: {why}"
    line, _, column = found["place"].partition(", column ")
    place = f"{line.removeprefix('line ')}:{column}" if column else str(text.rstrip().count(b"\n") + 1)
    return f":{place}: this is not valid TOML: {found['why'][:1].lower()}{found['why'][1:]}"


# ---- reading


@dataclass(frozen=True, slots=True)
class _SettingsKey:
    """A key of settings, in a file or on the command line."""

    file: Path | None
    key: str
    inner: str = ""

    def wrong(self, message: str) -> SettingsError:
        """Return an error about the key."""
        whole = f"{self.key}.{self.inner}" if self.inner else self.key
        if self.file is None:
            return SettingsError(f"--{self.key}: {f'{self.inner}: ' if self.inner else ''}{message}")
        return SettingsError(f"{self.file}{_line(self.file, self.inner or self.key)}: {whole}: {message}")


def _line(file: Path, key: str) -> str:
    """Return the number of the line that sets a key, after a colon; empty if it is not found."""
    text = begins_with(file, MAX_BYTES).decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), 1):
        head = _HEAD.split(line.strip().lstrip("["), maxsplit=1)[0].strip()
        if head.strip("\"'") == key or (head.endswith(key) and head.removesuffix(key)[-1:] == "."):
            return f":{number}"
    return ""


def _read(table: Mapping[str, object], file: Path | None) -> Settings:
    for key in table:
        if key not in KEYS:
            help = did_you_mean(key, KEYS) or f"the keys are {', '.join(f'`{one}`' for one in KEYS)}"
            raise _SettingsKey(file, key).wrong(f"there is no such key; {help}")
    folder = os.path.realpath(file.parent if file is not None else ".")
    found = Settings()
    if "select" in table:
        found = replace(found, select=_codes(table["select"], _SettingsKey(file, "select")))
    if "exclude" in table:
        found = replace(found, exclude=_patterns(table["exclude"], folder, _SettingsKey(file, "exclude")))
    return replace(
        found,
        ignore=_codes(table.get("ignore", []), _SettingsKey(file, "ignore")),
        per_file=_per_file(table.get("per-file-ignores", {}), folder, _SettingsKey(file, "per-file-ignores")),
        severity=_severities(table.get("severity", {}), _SettingsKey(file, "severity")),
        game=_game(table.get("game"), folder, _SettingsKey(file, "game")),
        pages=_address(table.get("pages", ""), _SettingsKey(file, "pages")),
        cards=tuple(_cards(table.get("cards", []), folder, _SettingsKey(file, "cards"))),
    )


def _address(value: object, place: _SettingsKey) -> str:
    """Return the address of a folder on the web, without a slash at its end; empty for none."""
    if not isinstance(value, str) or (value and _ADDRESS.fullmatch(value) is None):
        raise place.wrong("this has to be an address such as `https://example.org/findings`")
    return value.rstrip("/")


def _cards(value: object, folder: str, place: _SettingsKey) -> Iterator[Path]:
    """Yield the paths of cards from the working folder."""
    for one in _texts(value, place):
        path = Path(_shown(folder, one))
        if not path.exists():
            raise place.wrong(f"there is no file or folder {quoted(one)}")
        yield path


def _game(value: object, folder: str, place: _SettingsKey) -> str | None:
    """Return the name of a game, or the path of its folder from the working folder."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise place.wrong("this has to be a text: the name of a game, or its folder with a slash")
    name = _shown(folder, value) + os.sep if "/" in value else value
    try:
        folder_of(name)
    except UnknownGame as error:
        raise place.wrong(str(error)) from None
    return name


def _shown(folder: str, path: str) -> str:
    """Return a path that is relative to a folder as a path from the working folder."""
    return os.path.relpath(os.path.join(folder, path))


def _texts(value: object, place: _SettingsKey) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise place.wrong('this has to be a list of texts, such as `["…"]`')
    return cast("list[str]", value)


def _codes(value: object, place: _SettingsKey) -> frozenset[str]:
    """Return the codes that some words select; each is a code, its beginning, its name, or `ALL`."""
    found = set[str]()
    for word in _texts(value, place):
        row, help = find_code(word)
        meant = [row] if row is not None else [one for one in TABLE if word == ALL or _begins(word, one.code)]
        if not meant:
            raise place.wrong(f"there is no code {quoted(word)}; {help}")
        if place.key != "select" and all(one.severity == "error" for one in meant):
            raise place.wrong(f"{word} is an error, and errors are always reported; leave it out")
        found.update(one.code for one in meant)
    return frozenset(found)


def _begins(word: str, code: str) -> bool:
    return re.fullmatch(r"WC[0-9]{0,2}", word) is not None and code.startswith(word)


def _per_file(value: object, folder: str, place: _SettingsKey) -> tuple[tuple[IgnoreFile, frozenset[str]], ...]:
    if not isinstance(value, dict):
        raise place.wrong('this has to be a table of patterns with lists of codes, such as `"old/" = ["WC4"]`')
    return tuple(
        (_patterns([one], folder, place), _codes(codes, _SettingsKey(place.file, place.key, one)))
        for one, codes in value.items()
    )


def _severities(value: object, place: _SettingsKey) -> dict[str, Severity]:
    if not isinstance(value, dict):
        raise place.wrong('this has to be a table of codes with grades, such as `WC412 = "info"`')
    found = dict[str, Severity]()
    for word, grade in value.items():
        here = _SettingsKey(place.file, place.key, word)
        if grade not in SEVERITIES:
            raise here.wrong(f"a grade is one of {', '.join(f'`{one}`' for one in SEVERITIES)}")
        found.update(dict.fromkeys(_codes([word], here), cast(Severity, grade)))
    return found


def _patterns(value: object, folder: str, place: _SettingsKey) -> IgnoreFile:
    lines = _texts(value, place)
    if len(lines) > MAX_PATTERNS:
        raise place.wrong(f"there are more than {MAX_PATTERNS:,} patterns; use fewer")
    return IgnoreFile.of(folder, [as_git(one) for one in lines])


def _matches(patterns: IgnoreFile, file: str) -> bool:
    """Whether a file, or a folder that contains it, matches the patterns."""
    place = as_git(os.path.realpath(file))
    if not place.startswith(patterns.inside):
        return False
    parts = place[len(patterns.inside) :].split("/")
    said = False
    for number in range(1, len(parts) + 1):
        found = patterns.ignores(patterns.inside + "/".join(parts[:number]), number < len(parts))
        said = said if found is None else found
        if said and number < len(parts):
            return True
    return said
