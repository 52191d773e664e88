"""Files with a row for each army of each game that bots have played."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Protocol

from warchest.cli.common import UsageError
from warchest.cli.outputs import Output, OutputFolder
from warchest.diagnostics.visible import json_text, visible
from warchest.testing.game_records import ArmyRow

ROWS = 100_000
"""The number of rows in each part, where rows are written in parts."""
_PART = "part-"
PARQUET, TOGETHER = "pyarrow", 1000
"""The library that writes Parquet, and the number of rows that it gets at a time."""
COLUMNS = {
    "seed": "int64",
    "seat": "string",
    "team": "string",
    "bot": "string",
    "cards": "list",
    "result": "string",
    "turns": "int64",
    "rounds": "int64",
    "decisions": "int64",
}
"""The columns of a file of rows, each with its type."""


# ---- files of rows


class RowFile(Protocol):
    """A file that rows are written into one by one."""

    def add(self, row: ArmyRow) -> None:
        """Write a further row."""

    def end(self) -> None:
        """Write out all remaining rows."""


class _CommaRows:
    """Comma-separated values, with a first line of column names; the cards of an army share a column."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("w", encoding="utf-8", newline="")
        self._rows = csv.DictWriter(self._file, list(COLUMNS), lineterminator="\n")
        self._rows.writeheader()
        # Processes that play are copies of this one, and must not find unwritten rows.
        self._file.flush()

    def add(self, row: ArmyRow) -> None:
        cards = ", ".join(row["cards"])
        self._rows.writerow({key: visible(str(value)) for key, value in {**row, "cards": cards}.items()})

    def end(self) -> None:
        self._file.close()


class _LineRows:
    """Lines of JSON, with one object each."""

    def __init__(self, file: Path) -> None:
        self._file: IO[str] = file.open("w", encoding="utf-8")

    def add(self, row: ArmyRow) -> None:
        self._file.write(json_text(row) + "\n")

    def end(self) -> None:
        self._file.close()


class _ParquetRows:
    """Apache Parquet, by the library that comes with an extra."""

    def __init__(self, file: Path) -> None:
        if find_spec(PARQUET) is None:
            raise UsageError(f"--rows: Parquet needs {PARQUET}: pip install 'warchest[parquet]', or name a .csv file")
        import pyarrow as arrow
        from pyarrow.parquet import ParquetWriter

        types = {"int64": arrow.int64(), "string": arrow.string(), "list": arrow.list_(arrow.string())}
        self._schema = arrow.schema([(name, types[told]) for name, told in COLUMNS.items()])
        self._table: Callable[..., object] = arrow.Table.from_pylist
        # The library does not get the name, so that its errors are those of any file.
        self._file = file.open("wb")
        self._writer = ParquetWriter(self._file, self._schema)
        self._file.flush()
        self._waiting, self._is_whole = list[ArmyRow](), True

    def add(self, row: ArmyRow) -> None:
        self._waiting.append(row)
        if len(self._waiting) >= TOGETHER:
            self._write()

    def end(self) -> None:
        if self._is_whole:
            self._write()
            self._writer.close()
        self._file.close()

    def _write(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            # After an error nothing more can be written, so that the error is the one to report.
            self._is_whole = False
            self._writer.write_table(self._table(waiting, schema=self._schema))
            self._is_whole = True


class _PartedRows:
    """A folder of files with equally many rows, which other programs read as one table, also in parallel."""

    def __init__(self, folder: Path, made: Callable[[Path], RowFile], ending: str) -> None:
        self._folder, self._made, self._ending = folder, made, ending
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{_PART}*{ending}"):
            # Parts of other games would be read as parts of these.
            old.unlink()
        self._parts = self._rows = 0
        self._part = self._next()

    def _next(self) -> RowFile:
        self._parts += 1
        return self._made(self._folder / f"{_PART}{self._parts:05}{self._ending}")

    def add(self, row: ArmyRow) -> None:
        if self._rows == ROWS:
            self._part.end()
            self._part, self._rows = self._next(), 0
        self._part.add(row)
        self._rows += 1

    def end(self) -> None:
        self._part.end()


FORMS: dict[str, Callable[[Path], RowFile]] = {".csv": _CommaRows, ".jsonl": _LineRows, ".parquet": _ParquetRows}
"""The forms of files of rows, by the ends of their names."""
_KIND = "file of rows"
_FILES = {
    ".csv": Output(_KIND, (",".join(COLUMNS).encode(),)),
    ".jsonl": Output(_KIND, (b'{"seed":',)),
    ".parquet": Output(_KIND, (b"par1",)),
}


def rows_file(named: str) -> str:
    """Return the path of a file of rows as it was given, for argparse; its form is checked by `rows_into`.

    With a slash at its end it is a folder for parts.
    """
    ending = Path(named).suffix
    check = _FILES.get(ending.lower())
    if check is None:
        return named
    return OutputFolder(f"{_PART}*{ending}", check)(named) if _is_folder(named) else check(named)


def _is_folder(named: str) -> bool:
    return named.endswith(("/", os.sep))


@contextmanager
def rows_into(file: str | None) -> Iterator[Callable[[ArmyRow], None]]:
    """Open a file for rows, in the form that its name shows, and yield the function that writes one; raises UsageError.

    Without a file the rows are dropped. If the block is interrupted, the rows written so far are kept.
    """
    if file is None:
        yield lambda row: None
        return
    made = FORMS.get(Path(file).suffix.lower())
    if made is None:
        raise UsageError(f"--rows: the name must end with {', '.join(list(FORMS)[:-1])} or {list(FORMS)[-1]}")
    with _naming(file):
        rows = _PartedRows(Path(file), made, Path(file).suffix) if _is_folder(file) else made(Path(file))

    def add(row: ArmyRow) -> None:
        with _naming(file):
            rows.add(row)

    try:
        yield add
    finally:
        with _naming(file):
            rows.end()


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Add the file's name to errors that do not name it, such as the error of a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or file
        raise
