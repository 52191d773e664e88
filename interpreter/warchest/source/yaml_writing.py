"""Plain values written as YAML in the style of people, so that reading it gives the same values."""

from __future__ import annotations

WIDTH = 110
"""The longest line, where that can be."""


def yaml_text(value: object) -> str:
    """Return a mapping or a list in YAML: a line for each key, and its contents on that line or in a list below."""
    from yaml import SafeDumper, dump

    class PlainDumper(SafeDumper):
        """Writes values in full each time they occur: the readers of this package accept no aliases."""

        def ignore_aliases(self, data: object) -> bool:
            return True

    written: str = dump(
        value, Dumper=PlainDumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=WIDTH
    )
    return written
