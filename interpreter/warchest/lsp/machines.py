"""Native machines for the bots of plays: whether one exists, and compiling it while requests are answered."""

from __future__ import annotations

from threading import Thread

from warchest.bots.bot import Bot
from warchest.bots.choose import natively_chosen
from warchest.bots.mcts import Mcts
from warchest.game.decision import Option
from warchest.game.native_engine import is_made, native_machine
from warchest.game.variant import Variant
from warchest.lsp.plays import PlayedGame

READY, COMPILING, NONE = "ready", "compiling", "none"


class NativeMachines:
    """The native machines that are compiled for a client, one at a time."""

    def __init__(self) -> None:
        self._worker: Thread | None = None
        self._tried: Variant | None = None
        """The variant whose machine is compiled, or was compiled last."""

    def told(self, variant: Variant, compiles: bool) -> dict[str, object]:
        """Return whether the native machine of a variant exists; on request, begin to compile it."""
        if is_made(variant):
            return _told(READY)
        if self._worker is not None and self._worker.is_alive():
            return _told(COMPILING)
        if self._tried is variant:
            return _told(NONE, getattr(native_machine(variant), "reason", ""))
        return self._begun(variant) if compiles else _told(NONE, "it is not compiled yet")

    def _begun(self, variant: Variant) -> dict[str, object]:
        worker = Thread(target=native_machine, args=(variant,), daemon=True)
        try:
            worker.start()
        except RuntimeError:
            return _told(NONE, "there are no threads here to compile it in")
        self._worker, self._tried = worker, variant
        return _told(COMPILING)


def _told(state: str, reason: str = "") -> dict[str, object]:
    return {"state": state, "reason": reason}


def chosen_by(bot: Bot, play: PlayedGame) -> Option:
    """Return the option that a bot chooses; a searching bot searches natively if the machine exists."""
    state, rng = play.state, play.session.rng("bot")
    if isinstance(bot, Mcts) and is_made(state.variant):
        return natively_chosen(bot, state, rng)
    return bot.choose(state, rng)
