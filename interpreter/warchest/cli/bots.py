"""How verbs come by bots, and what they tell of the armies these play with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from random import Random
from typing import Any, Protocol

from warchest.cli.common import UsageError
from warchest.game.decision import Option
from warchest.game.game import Game
from warchest.game.state import State
