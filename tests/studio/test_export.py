"""The parts of the export of the studio: Pyodide, the archives, the names of files, and the requests of the page."""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import io
import json
import re
import sys
import tarfile
from importlib import import_module
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warchest.lsp.messages import JobParams
from warchest.source.text import Source
from warchest.studio import bundle, exercise, export, persistent, pyodide
from warchest.studio import inside as inside_page
from warchest.studio.archives import FURTHER, KEPT, _divided, _write_tar
from warchest.studio.bundle import Unbuilt
from warchest.studio.compiling import _undocumented
from warchest.studio.pyodide import FILES, Pinned, unpack, verified
from warchest.studio.session import StudioSession

ROOT = Path(__file__).resolve().parents[2]
NOTIFIED = {
    "initialized",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
}
OF_EDITORS = {"workspace/executeCommand"}
"""The requests that a page never sends."""


# ---- Pyodide


def test_pyodide_is_pinned_by_version_and_digest() -> None:
    wanted = pyodide.pinned()
    assert re.fullmatch(r"\d+\.\d+\.\d+", wanted.version)
    assert len(base64.b64decode(wanted.integrity.removeprefix("sha512-"))) == 64


@given(st.binary(max_size=99), st.binary(max_size=99))
def test_another_archive_is_refused(archive: bytes, other: bytes) -> None:
    digest = base64.b64encode(hashlib.sha512(archive).digest()).decode()
    wanted = Pinned("some", "1.0.0", f"sha512-{digest}")
    assert verified(archive, wanted) == archive
    if other != archive:
        with pytest.raises(Unbuilt, match=r"not some 1\.0\.0"):
            verified(other, wanted)


def test_only_known_files_leave_the_package(tmp_path: Path) -> None:
    names = [f"package/{name}" for name in FILES]

    def package(*inside: str) -> bytes:
        written = io.BytesIO()
        _write_tar(written, dict.fromkeys(inside, b"x"))
        return gzip.compress(written.getvalue())

    unpack(package(*names, "../evil", "package/sub/pyodide.mjs", "package/other.js"), tmp_path / "out")
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == sorted(FILES)
    assert [one.name for one in tmp_path.iterdir()] == ["out"]
    with pytest.raises(Unbuilt, match=re.escape(FILES[0])):
        unpack(package(*names[1:]), tmp_path / "less")


# ---- the archives


def inside(data: bytes) -> dict[str, bytes]:
    """Return the files of a tar, which may be compressed."""
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {one.name: found.read() for one in tar if (found := tar.extractfile(one)) is not None}


@given(st.dictionaries(st.from_regex(r"[a-z]{1,40}(/[a-z]{1,40}){0,3}", fullmatch=True), st.binary(max_size=2000)))
def test_an_archive_has_its_files_and_is_the_same_each_time(files: dict[str, bytes]) -> None:
    first, second = io.BytesIO(), io.BytesIO()
    _write_tar(first, files)
    _write_tar(second, dict(reversed(files.items())))
    assert first.getvalue() == second.getvalue() and inside(first.getvalue()) == files


def test_the_first_archive_has_the_used_modules_and_names_the_rest() -> None:
    at = "python3.14/site-packages"
    used = ["python3.14/os.pyc", f"{at}/yaml/__init__.pyc"]
    data = [f"{at}/yaml/data.txt", f"{at}/warchest/_data/a.yaml", f"{at}/warchest/replay/a.html", f"{KEPT}/b.json"]
    rest = [
        "python3.14/email/__init__.pyc",
        "python3.14/email/mime/text.pyc",
        "python3.14/email/a.txt",
        f"{at}/lark/__init__.pyc",
        f"{at}/lark/a.lark",
        f"{at}/warchest/cards.pyc",
        f"{at}/warchest/native/machine.c",
    ]
    native = [f"{at}/warchest/_native/1.so"]
    made = _divided(dict.fromkeys([*used, *data, *rest, *native], b"x"), frozenset(used), "")
    first = inside(made.first)
    assert sorted(first) == sorted([*used, *data, f"{KEPT}/{FURTHER}"])
    assert sorted(inside(made.further)) == sorted(rest) and sorted(inside(made.native)) == native
    names = json.loads(first[f"{KEPT}/{FURTHER}"])
    assert names == ["email", "email.mime.text", "lark", "warchest.cards"]


MODULES = sorted((ROOT / "interpreter" / "warchest").rglob("*.py"))[::7]


@pytest.mark.parametrize("file", MODULES, ids=lambda one: one.stem)
def test_a_module_without_docstrings_is_the_same_program(file: Path) -> None:
    """All statements are there, each on its line."""
    source = file.read_bytes()
    before, after = ast.parse(source), ast.parse(_undocumented(source))
    for node in ast.walk(after):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            assert not ast.get_docstring(node)
    for node in ast.walk(before):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and ast.get_docstring(node) is not None
        ):
            assert isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
            node.body[0].value.value = ""
    assert ast.dump(before) == ast.dump(after)
    lines = [[node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)] for tree in (before, after)]
    assert lines[0] == lines[1]


# ---- the stand-in for rpds


def published(text: str) -> list[str]:
    """Return all that a session says about a text that was opened."""
    said: list[str] = []
    session = StudioSession(Path("/nowhere"), said.append)
    opened = {"uri": "file:///nowhere/x.yaml", "version": 1, "languageId": "yaml", "text": text}
    for message in (
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"method": "textDocument/didOpen", "params": {"textDocument": opened}},
    ):
        session.receive(json.dumps({"jsonrpc": "2.0", **message}))
    while session.has_work:
        session.work_idly()
    return said[1:]


def test_the_substitute_finds_the_same_misfits_as_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "cards").glob("*/*/*.yaml"))[::41]]
    texts = [f"{text}zz: [1]\n" for text in found]
    texts += [re.sub(r"(?m)^([a-z ]+): .*$", r"\1: [x]", text) for text in found]
    usual = [published(text) for text in texts]
    assert sum('"WC1' in one for said in usual for one in said) > len(found)
    of_libraries = ("rpds", "referencing", "jsonschema", "jsonschema_specifications")
    for name in [name for name in sys.modules if name.split(".")[0] in of_libraries]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rpds", persistent)
    assert import_module("referencing._core").HashTrieMap is persistent.HashTrieMap
    assert [published(text) for text in texts] == usual


# ---- the exercise


def test_the_exercise_asks_for_everything_that_a_page_can(tmp_path: Path) -> None:
    """The modules for a method that is not asked for would come late in the page, with the second archive."""
    asked: set[str] = set()
    for done in exercise.exercise(tmp_path):
        assert done.faults == []
        asked |= done.asked
    methods = set(StudioSession(tmp_path, lambda _: None).methods)
    assert methods - asked == NOTIFIED | OF_EDITORS
    assert set(exercise.JOBS) == set(get_args(get_type_hints(JobParams)["kind"]))


# ---- the files


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    return export._of_page({export.TOLD: b"{}", export.PLACES: b"export default {};\n"})


def test_files_name_each_other_by_their_digests(page: dict[str, bytes]) -> None:
    """Each file that the page names was written."""
    plain = {re.sub(r"-[0-9a-f]{10}", "", name) for name in page}
    assert export.INDEX in page and {"worker.js", "main.js", "words/en.json", "studio.json"} <= plain
    assert all(re.search(r"-[0-9a-f]{10}[./]", name) for name in page if name != export.INDEX)
    for name, data in page.items():
        if name.endswith((".html", ".js")) and not name.startswith(bundle.BUNDLE.stem):
            said = re.findall(r"[\"'`]\./([\w.-]+)([\"'`/])", data.decode())
            files = [one for one, end in said if end != "/"]
            folders = [one for one, end in said if end == "/"]
            assert set(files) <= page.keys(), name
            assert all(any(known.startswith(f"{one}/") for known in page) for one in folders), name
            assert name != export.INDEX or len(files) > 2


def test_a_change_of_a_file_changes_the_names(page: dict[str, bytes]) -> None:
    other = export._of_page({export.TOLD: b"{ }", export.PLACES: b"export default {};\n"})
    assert page.keys() & other.keys() == {export.INDEX}


def test_the_page_brings_its_policy(page: dict[str, bytes]) -> None:
    text = page[export.INDEX].decode()
    assert text.index("Content-Security-Policy") < text.index("<script") and "frame-ancestors" not in text
    assert "script-src 'self' 'wasm-unsafe-eval';" in text


def test_a_folder_that_cannot_be_written_is_reported_before_the_long_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = list[str]()
    with pytest.raises(OSError, match="file"):
        export.export(tmp_path / "file" / "site", said.append)
    assert said == []


def test_an_export_is_written_only_where_nothing_else_is(tmp_path: Path) -> None:
    assert export._earlier(tmp_path) == [] and export._earlier(tmp_path / "new") == []
    export._write(
        tmp_path,
        {
            "index.html": b"1",
            "a-1.js": b"",
            "old-1/b.js": b"",
            export.CONTENTS: json.dumps(["index.html", "a-1.js", "old-1/b.js", export.CONTENTS]).encode(),
        },
        [],
    )
    export._write(tmp_path, {"index.html": b"2", "a-2.js": b""}, export._earlier(tmp_path))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a-2.js", "index.html"]
    with pytest.raises(Unbuilt, match="no earlier export"):
        export._earlier(tmp_path)


@pytest.mark.parametrize("named", ["../evil", "/evil", "a/../../evil", "a/b/c", ".hidden", "a/"])
def test_an_earlier_export_names_no_files_elsewhere(tmp_path: Path, named: str) -> None:
    (tmp_path / export.CONTENTS).write_text(json.dumps([named]), encoding="utf-8")
    with pytest.raises(Unbuilt, match="no earlier export"):
        export._earlier(tmp_path)


def test_licences_are_those_of_all_that_is_in_the_archives() -> None:
    if not bundle.LICENCES.is_file():
        pytest.skip("the editor is not built here: `make editor`")
    text = export.licences()
    for said in (
        "Pyodide",
        "Mozilla Public License 2.0",
        "Python Software Foundation",
        "PyYAML",
        "attrs",
        "codemirror",
        "The above copyright notice and this permission notice",
    ):
        assert said in text
    assert Source("x", text).line_count > 100


# ---- inside the page


def test_modules_of_the_second_archive_are_fetched_when_they_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / FURTHER
    named.write_text(json.dumps(["found_further", "found_further.deep"]), encoding="utf-8")
    monkeypatch.setattr(inside_page, "FURTHER", named)
    monkeypatch.syspath_prepend(str(tmp_path / "library"))
    fetched: list[bool] = []

    def fetch() -> None:
        fetched.append(True)
        (tmp_path / "library" / "found_further").mkdir(parents=True)
        for name in ("__init__", "deep"):
            (tmp_path / "library" / "found_further" / f"{name}.py").write_text("there = True\n", encoding="utf-8")

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, inside_page.FurtherModules(fetch)])
    with pytest.raises(ModuleNotFoundError):
        import_module("not_anywhere")
    assert not fetched
    assert import_module("found_further.deep").there and import_module("found_further").there
    assert fetched == [True]


# ---- the start of the page


def test_all_modules_of_the_page_are_fetched_at_once() -> None:
    page = ROOT / "interpreter" / "warchest" / "studio" / "page"
    found, waiting = set[str](), ["main.js"]
    while waiting:
        name = waiting.pop()
        if name not in found and (page / name).is_file():
            found.add(name)
            waiting += re.findall(r'from "\./([\w.]+)"', (page / name).read_text(encoding="utf-8"))
    text = (page / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'"modulepreload" href="([\w.]+)"', text)) | {"early.js"} == found | {"codemirror.js"}
