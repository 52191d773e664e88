"""Bots: players that are programs. What they go by in a game stands in its document of kind `bots`."""

from warchest.bots.bot import Bot, drive
from warchest.bots.choose import BOTS, bot_named

__all__ = ["BOTS", "Bot", "bot_named", "drive"]
