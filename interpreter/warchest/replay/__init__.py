"""Replays: files that hold the beginning of a game and its choices, so that it can be played again step by step."""

from warchest.replay.file import load, save
from warchest.replay.fingerprint import changed, fingerprint
from warchest.replay.game_session import Session
from warchest.replay.record import Misfit, Replay, Start, TakenStep, Unreadable
from warchest.replay.stepping import begin, replayed, steps

__all__ = [
    "Misfit",
    "Replay",
    "Session",
    "Start",
    "TakenStep",
    "Unreadable",
    "begin",
    "changed",
    "fingerprint",
    "load",
    "replayed",
    "save",
    "steps",
]
