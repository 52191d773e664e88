"""The processor time of the language server, in a process as an editor starts it, and what else starts no slower."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from inside import CARD
from speed import CARDS, name_of

ALLOWED = {"first": 1000, "key_median": 60, "key_p95": 150, "completion_median": 50}
"""The milliseconds of processor time that are aimed at."""
ALLOWANCE = 3
"""Another computer may take this many times as long."""


def test_names_of_cards_differ() -> None:
    assert len({name_of(number) for number in range(CARDS)}) == CARDS


def test_diagnostics_and_completion_are_quick_in_a_folder_of_500_cards(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "kept").mkdir(mode=0o700)
    environment = {
        **os.environ,
        "WARCHEST_CACHE": str(tmp_path / "kept"),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPATH": str(Path(__file__).parent),
    }
    command = [sys.executable, str(Path(__file__).with_name("speed.py")), str(tmp_path / "cards")]
    for keys in ("2", "40"):
        # The second time is a usual start: there are records of the files read before.
        said = subprocess.run(
            [*command, keys], env=environment, capture_output=True, text=True, timeout=300, check=True
        ).stdout
    took = json.loads(said)
    assert {name: took[name] for name, most in ALLOWED.items() if took[name] > ALLOWANCE * most} == {}, took


@pytest.mark.parametrize(
    ("module", "given"),
    [
        ("warchest.lint.wc_lint", ["card.yaml"]),
        ("warchest.cli.main", ["show", "Scout"]),
        ("warchest.cli.main", ["--help"]),
    ],
)
def test_other_commands_import_no_server(module: str, given: list[str], tmp_path: Path) -> None:
    (tmp_path / "card.yaml").write_text(CARD, encoding="utf-8")
    code = (
        f"import sys\nfrom {module} import main\nsys.argv[1:] = {given!r}\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "names = ('warchest.lsp', 'asyncio', 'socket', 'websockets')\n"
        "sys.stderr.write(repr([name for name in sys.modules if name.startswith(names)]))"
    )
    made = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=True
    )
    assert made.stderr.endswith("[]")


def test_the_server_imports_no_library_that_only_some_transports_or_requests_need() -> None:
    code = (
        "import sys, threading\n"
        "from warchest.lsp.connection import Connection\n"
        "made = Connection(lambda _: None)\n"
        'made.receive(\'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\')\n'
        'made.receive(\'{"jsonrpc": "2.0", "id": 2, "method": "warchest/play/new", "params": {}}\')\n'
        "names = ('asyncio', 'socket', 'websockets', 'hypothesis', 'PIL', 'pygls')\n"
        "print([name for name in sys.modules if name.startswith(names)], threading.active_count())"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert made.stdout == "[] 1\n"
