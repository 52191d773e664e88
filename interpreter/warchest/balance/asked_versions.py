"""The versions of a game that a request names, and the tables at which bots play them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from warchest.balance.number_places import NoNumberError, number_named, with_numbers
from warchest.balance.series import GameVersion
from warchest.balance.tuning import NumberRange
from warchest.diagnostics.suggest import did_you_mean
from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.game.setup.beginning import Beginning
from warchest.testing.bot_games import BotTable
from warchest.testing.versions import NoVersionError, version_of

AS_IT_IS = "as it is"
_VALUES = re.compile(r"[^=,]{1,60}=\s*\d{1,6}(,[^=,]{1,60}=\s*\d{1,6})*")
_RANGE = re.compile(r"([^=,]{1,60})(?:=\s*(\d{1,6})\s*-\s*(\d{1,6}))?")


class AskedError(ValueError):
    """The request cannot be met; the message names it, and lists the possible ones."""


@dataclass(frozen=True, slots=True)
class TableMaker:
    """Makes tables: games that begin with some options of their cards, and the bots that play them.

    The bots play against each other, or (`apart`) each against itself.
    """

    begin: Callable[[Game, Mapping[str, str]], Beginning]
    bots: Sequence[str]
    apart: bool = False

    def version(self, game: Game, said: str = AS_IT_IS, options: Mapping[str, str] | None = None) -> GameVersion:
        """Return a version of a game with its tables; raises PositionError for an impossible beginning."""
        beginning = self.begin(game, options or {})
        groups = [[bot] for bot in dict.fromkeys(self.bots)] if self.apart else [self.bots]
        return GameVersion(said, tuple(BotTable(game, beginning, group) for group in groups))


def card_named(game: Game, name: str) -> Document:
    """Return the document of a game by its name, the first if there are several; raises AskedError."""
    documents = [one for one in game.library.documents if one.name == name]
    if not documents:
        hint = did_you_mean(name, [one.name for one in game.library.documents])
        raise AskedError(f"there is no card {name[:60]!r}{'; ' + hint if hint else ''}")
    return documents[0]


def other_version(maker: TableMaker, game: Game, cards: Sequence[str], written: str) -> GameVersion:
    """Return the version that a text names: numbers of the only card (`size=3`), a file, a revision, or an option.

    Raises AskedError, or CardError if the texts have errors.
    """
    try:
        if _VALUES.fullmatch(written) and len(cards) == 1:
            pairs = [one.partition("=") for one in written.split(",")]
            values = {name.strip(): int(value) for name, _, value in pairs}
            return maker.version(with_numbers(game, card_named(game, cards[0]), values), written)
        found = version_of(game, written)
    except (NoNumberError, NoVersionError) as error:
        raise AskedError(
            f"{error}; or a number of the only card, such as size=3"
            if isinstance(error, NoVersionError)
            else str(error)
        ) from None
    if found.game is game and not found.options:
        raise AskedError(f"{written!r} is the game as it is; name a file with another text of the card")
    return maker.version(found.game, written, found.options)


def ranges_of(game: Game, card: str, written: str) -> list[NumberRange]:
    """Return the ranges in a text such as `size, reach=1-3`; raises AskedError."""
    document, found = card_named(game, card), list[NumberRange]()
    for one in written.split(","):
        read = _RANGE.fullmatch(one.strip())
        if read is None:
            raise AskedError(f"{one.strip()[:60]!r} is no number to tune: write its name, and a range, as in size=2-6")
        name = read[1].strip()
        try:
            value = number_named(document, name).value
        except NoNumberError as error:
            raise AskedError(str(error)) from None
        if read[2] is None:
            found.append(NumberRange.near(name, value))
            continue
        least, most = int(read[2]), int(read[3])
        if not least <= value <= most:
            raise AskedError(f"{name} is {value} now, which is not from {least} to {most}; choose a range around it")
        found.append(NumberRange(name, value, least, most))
    return found
