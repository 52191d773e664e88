"""Plays of a connection: games that a client plays, with the way back and forward, and views of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from random import Random

from warchest.bots.choose import SEARCHING, read_name
from warchest.game.decision import Option
from warchest.game.errors import CardError, OptionError, PositionError
from warchest.game.game import Game
from warchest.game.placing import OptionPlace
from warchest.game.state import EndlessError, State
from warchest.game.telling.labels import id_of
from warchest.game.telling.log import LogEntry
from warchest.game.telling.motions import Motion, MotionKind, motions_by, motions_of
from warchest.lsp.messages import Arrow, OfferedOption, ThingPlace
from warchest.lsp.protocol import MODIFIED, RequestError
from warchest.lsp.text_positions import line_of, uri_of
from warchest.picture import svg
from warchest.replay.game_session import Session
from warchest.replay.record import Misfit, TakenStep, Unreadable
from warchest.replay.stepping import gives_up

MOST_PLAYS = 8
"""The most plays of a connection; a further one replaces the least recently used."""
MOST_DECISIONS = 1000
"""The most decisions of a play."""
MOST_CHANCES = 10_000
"""The most outcomes of chance between two decisions."""
MOST_NEWS = 200
"""The most news of a view."""
MOST_SHOWN = 20
"""The most decisions whose motions a view shows."""
MOST_SECONDS, MOST_ITERATIONS = 10.0, 5000
"""The longest that a bot can think about a decision."""
PREFIX = "board"
"""The beginning of ids in pictures, and the class of these."""


@contextmanager
def refused() -> Iterator[None]:
    """Raise RequestError for the errors of the public interface about arguments."""
    try:
        yield
    except (PositionError, OptionError) as error:
        raise RequestError(str(error), data={"field": error.field}) from None
    except CardError as error:
        raise RequestError(error.diagnostics[0].message, data={"field": "cards"}) from None
    except (Unreadable, Misfit) as error:
        raise RequestError(str(error), data={"field": "text"}) from None
    except EndlessError as error:
        raise RequestError(str(error), data=error.data()) from None


def check_bot(name: str, field: str) -> None:
    """Raise RequestError about a field if a bot would think too long, and OptionError if there is no such bot."""
    kind, time = read_name(name)
    seconds, iterations = time.seconds * time.trees, time.iterations * time.trees
    if kind == SEARCHING and seconds > MOST_SECONDS and iterations > MOST_ITERATIONS:
        most = f"{MOST_SECONDS:g} seconds or {MOST_ITERATIONS:,} iterations"
        raise RequestError(f"{field}: at most {most} for a decision", data={"field": field})


class PlayedGame:
    """A game that a client plays: a session, and the decisions that were taken back."""

    def __init__(self, name: str, path: str, session: Session, viewer: str | None) -> None:
        self.name, self.path = name, path
        self.restart(session)
        self.see(viewer)

    def restart(self, session: Session) -> None:
        """Go on with another session; the old one cannot be undone."""
        self.session = session
        self.later: list[list[TakenStep]] = []
        """The decisions that can be taken again, the next one last, each with the outcomes of chance after it."""
        self._told = self._since = 0
        """The numbers of the news and the decisions that are not in the next view, because they are earlier."""
        self._settle()

    @property
    def game(self) -> Game:
        """The game, with the cards as they were when the play began or was reloaded."""
        return self.session.game

    @property
    def state(self) -> State:
        """The state."""
        return self.session.state

    @property
    def count(self) -> int:
        """The number of decisions of players so far."""
        return self.session.marks

    def see(self, viewer: str | None) -> None:
        """Set the viewer of the play from now on: a player, or the full view; raises RequestError."""
        players = self.state.board.players
        if viewer is not None and viewer not in players:
            raise RequestError(
                f"viewer: there is no player {viewer[:60]!r}; there are: {', '.join(players)}", data={"field": "viewer"}
            )
        self.viewer = viewer

    # ---- playing

    def apply(self, count: int, chosen: str) -> None:
        """Take the option of an id; raises RequestError where the client has not seen the decision."""
        if count != self.count:
            raise RequestError(
                f"count: {count} decisions have been seen, and there are {self.count}",
                MODIFIED,
                {"field": "count", "count": self.count},
            )
        decision = self.state.decision
        if decision is None:
            raise RequestError("the game is over", data={"field": "id"})
        option = decision.by_id(chosen)
        self.go_on()
        self.take(option)
        self.later.clear()

    def go_on(self) -> None:
        """Let the next view include the events from now on."""
        self._told, self._since = len(self._entries()), self.count

    def take(self, option: Option, chances: Sequence[TakenStep] = ()) -> None:
        """Take an option, and let chance decide after it, with the same outcome as before if that is known.

        Raises RequestError for too many decisions.
        """
        if self.count >= MOST_DECISIONS:
            raise RequestError(f"a play has at most {MOST_DECISIONS:,} decisions; begin another one from its position")
        before, marks = self.state.clone(), self.count
        try:
            self.session.take(option, mark=True)
            self._settle(chances)
        except Exception:
            # The rules do not terminate after this option: the play is unchanged.
            if self.count > marks:
                self.session.undo()
            self.session.state = before
            raise

    def go_to(self, count: int) -> None:
        """Go back to a number of decisions, or forward to one that was taken back; raises RequestError."""
        most = self.count + len(self.later)
        if count > most:
            raise RequestError(f"to: there are {most} decisions", data={"field": "to"})
        while self.count > count:
            taken = self.session.taken
            before = taken[:]
            self.session.undo()
            self.later.append(before[len(self.session.taken) :])
        while self.count < count:
            later, (step, *chances) = self.later[:-1], self.later[-1]
            decision = self.state.decision
            if gives_up(self.state, step):
                self.session.give_up(str(step.by))
            else:
                assert decision is not None
                try:
                    self.take(decision.by_id(id_of(step.option)), chances)
                except OptionError:
                    self.later.clear()
                    raise RequestError(
                        "to: with the cards as they are now this cannot be decided again", data={"field": "to"}
                    ) from None
            self.later = later
        self.all_news()

    def _settle(self, chances: Sequence[TakenStep] = ()) -> None:
        for number in range(MOST_CHANCES):
            decision = self.state.decision
            if decision is None or not decision.is_chance:
                return
            if number < len(chances):
                self.session.take(decision.by_id(id_of(chances[number].option)))
            else:
                self.session.roll()
        raise RequestError(f"more than {MOST_CHANCES:,} outcomes of chance follow each other")

    # ---- as it is seen

    def view(self) -> dict[str, object]:
        """Return the play as its viewer sees it."""
        state, decision, entries = self.state, self.state.decision, self._entries()
        mine = decision is not None and self.viewer in (None, decision.player)
        outcome = state.outcome
        return {
            "play": self.name,
            "count": self.count,
            "redo": len(self.later),
            "svg": svg(state, viewer=self.viewer, styled=False, prefix=PREFIX),
            "viewer": self.viewer,
            "players": list(state.board.players),
            "player": decision.player if decision is not None else None,
            "question": state.question,
            "options": [offered(one) for one in decision.options] if decision is not None and mine else [],
            "last": [arrow(one) for one in self._last()],
            "news": [news(one, self.game) for one in entries[self._told :][-MOST_NEWS:]],
            "round": state.round,
            "turn": state.turn,
            "outcome": outcome.reason if outcome is not None else None,
            "winners": list(outcome.winners) if outcome is not None else [],
            "canUndo": self.count > 0,
        }

    def _entries(self) -> list[LogEntry]:
        return self.state.news_entries(self.viewer)

    def all_news(self) -> None:
        """Let the next view include the last news and the last decision, even if they were sent before."""
        self._told, self._since = max(0, len(self._entries()) - MOST_NEWS), max(0, self.count - 1)

    def _last(self) -> Iterator[Motion]:
        """Yield the motions of the decisions that the view shows, decision by decision."""
        first = max(self._since, self.count - MOST_SHOWN)
        lengths = [len(self.session.moment(mark)[0].history()) for mark in range(first, self.count + 1)]
        history = self.state.history()
        for start, end in pairwise(lengths):
            yield from motions_of(history[start:end], self.state.variant, self.viewer)

    def motions(self, chosen: str) -> list[Motion]:
        """Return the motions that an option causes, as the viewer can know them; raises RequestError.

        The option is carried out in a state where everything hidden from the viewer is resampled.
        """
        decision = self.state.decision
        if decision is None or self.viewer not in (None, decision.player):
            raise RequestError("id: somebody else decides, or the game is over", data={"field": "id"})
        state = self.state if self.viewer is None else self.state.determinize(self.viewer, Random(self.count))
        known = state.decision
        assert known is not None
        return list(motions_by(state, known.by_id(chosen)))


def offered(option: Option) -> OfferedOption:
    """Return an option with the places of its things."""
    places = option.places
    return {
        "id": option.id,
        "label": option.label,
        "act": option.act,
        "places": list(map(_placed, places)),
        "arrows": [arrow(one) for one in _named_in(places)],
    }


def _named_in(places: Sequence[OptionPlace]) -> Iterator[Motion]:
    """Yield motions from the first piece that an option names to each other space it names, or only the spaces."""
    pieces = (one.space for one in places if one.sort == "piece" and one.space)
    spaces = dict.fromkeys(one.space for one in places if one.space)
    start = next(pieces, "")
    for space in spaces:
        if space != start or len(spaces) == 1:
            yield Motion(MotionKind.NAMED, start or space, space)


def arrow(one: Motion) -> Arrow:
    """Return a motion as an arrow between two spaces."""
    return {"kind": one.kind.name.lower(), "start": one.start, "end": one.end}


def _placed(one: OptionPlace) -> ThingPlace:
    return {
        "role": one.role,
        "sort": one.sort,
        "name": one.name,
        "zone": one.zone,
        "owner": one.owner,
        "space": one.space,
    }


def news(one: LogEntry, game: Game) -> dict[str, object]:
    """Return an entry of the news as data."""
    return {"text": one.text, "clause": one.clause, **place_of_line(game, one.file, one.line), "count": one.decision}


def place_of_line(game: Game, file: str, line: int) -> dict[str, object]:
    """Return the URI of a file and the range of a line of it; an empty URI where there is no file."""
    source = next((one for one in game.library.sources if one.path == file), None)
    return {"uri": uri_of(file) if file else "", "range": line_of(source, line)}


class Plays:
    """The plays of a connection, by their names, those used least recently first."""

    def __init__(self) -> None:
        self._plays: dict[str, PlayedGame] = {}
        self._made = 0

    def __iter__(self) -> Iterator[PlayedGame]:
        return iter(list(self._plays.values()))

    def add(self, path: str, session: Session, viewer: str | None) -> PlayedGame:
        """Add a play."""
        self._made += 1
        made = PlayedGame(str(self._made), path, session, viewer)
        self._plays[made.name] = made
        if len(self._plays) > MOST_PLAYS:
            del self._plays[next(iter(self._plays))]
        return made

    def named(self, name: str) -> PlayedGame:
        """Return the play with a name; raises RequestError if there is none."""
        if name not in self._plays:
            raise RequestError(f"play: there is no play {name[:60]!r}", data={"field": "play"})
        self._plays[name] = self._plays.pop(name)
        return self._plays[name]
