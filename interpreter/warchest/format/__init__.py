"""The formatter, which lays documents out in one way and leaves alone what they say."""

from warchest.format.layout import formatted

__all__ = ["formatted"]
