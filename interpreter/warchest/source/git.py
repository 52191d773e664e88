"""Queries to git about an untrusted folder: git answers from its own files, and starts no other program.

The configuration of a repository names programs: filters, hooks, monitors, pagers, helpers that fetch missing objects.
Only git commands that use no such programs are called; besides, all such programs are turned off.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from warchest.source.programs import program

SECONDS = 60
"""The longest time that git may take for an answer."""
SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.askPass": "",
    "core.sshCommand": "false",
    "core.gitProxy": "",
    "core.alternateRefsCommand": "",
    "credential.helper": "",
    "diff.external": "",
    "fetch.bundleURI": "",
    "gc.auto": "0",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
}
"""The settings that override those of a repository, so that these start nothing."""
ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "false",
    "LC_ALL": "C",
}
"""The environment in which git neither fetches, prompts, nor writes."""
_KEPT = re.compile(r"(?!GIT_|SSH_ASKPASS)|GIT_(CONFIG|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|EXEC_PATH)")
"""The variables that are handed on; of git's own, only those that do not concern one repository."""


class GitError(Exception):
    """A query that git cannot answer; the message says why, in one line."""


def ask(folder: str | Path, *arguments: str) -> bytes | None:
    """Return the answer of git in a folder; None where it refuses. Raises GitError where it cannot be asked."""
    found = program("git")
    if found is None:
        raise GitError("git is not installed, and nothing else knows what differs")
    if not os.path.isdir(folder):
        raise GitError(f"there is no folder {folder}")
    settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
    pipe = subprocess.PIPE
    environment = {name: value for name, value in os.environ.items() if _KEPT.match(name)}
    try:
        done = subprocess.run(
            [found, "--no-pager", *settings, *arguments],
            cwd=folder,
            env={**environment, **ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"git takes more than {SECONDS} seconds") from None
    except (OSError, ValueError) as error:
        raise GitError(f"git does not answer: {error}") from None
    if done.returncode and b"dubious ownership" in done.stderr:
        message = f"git does not read the repository of {folder}, because it belongs to another user"
        raise GitError(f"{message}; if you trust it, say so to git (`safe.directory`)")
    return done.stdout if done.returncode == 0 else None
