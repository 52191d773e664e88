"""Bots: players that are programs. A game's settings for them are in its document of kind `bots`."""

from warchest.bots.bot import Bot, Course, drive, played
from warchest.bots.choose import BOTS, bot_named, read_name
from warchest.bots.mcts import Mcts

__all__ = ["BOTS", "Bot", "Course", "Mcts", "bot_named", "drive", "played", "read_name"]
