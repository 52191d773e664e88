"""The formatter, which lays documents out without changing their content."""

from warchest.format.text_layout import formatted

__all__ = ["formatted"]
