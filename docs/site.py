"""Changes of pages for the site: links that lead out of docs/, and the languages of fenced blocks.

Such a link leads to the repository if its address is known (`repo_url` in mkdocs.yml); otherwise it becomes plain text.
"""

from __future__ import annotations

import os
import re
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^( *```)(\w+)[^\n]*$", re.MULTILINE)
_LANGUAGES = {"card": "yaml", "yaml": "yaml", "python": "python", "sh": "bash", "console": "console", "json": "json"}


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Return the changed text of a page; mkdocs calls this for each page."""

    def changed(link: re.Match[str]) -> str:
        """Return a link as it is if it stays in docs/ or has an address of its own."""
        text, target = link[1], link[2]
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        path = os.path.normpath(os.path.join(os.path.dirname(page.file.src_uri), target))
        if not path.startswith("../"):
            return link[0]
        address = f"{config.repo_url.rstrip('/')}/blob/main/{path[3:]}{link[3] or ''}" if config.repo_url else ""
        return f"[{text}]({address})" if address else text

    fenced = _FENCE.sub(lambda fence: fence[1] + _LANGUAGES.get(fence[2], "text"), markdown)
    return _LINK.sub(changed, fenced)
