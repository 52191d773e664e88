"""Play a game at the terminal against bots. Type `help` during the game for the commands there."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from itertools import groupby
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from rich.text import Text

import warchest
from warchest.cli import common
from warchest.cli.begin_options import BEGINNING, add_beginning, begun_with
from warchest.cli.cards import documents_named, hint
from warchest.cli.saving import DEFAULT_BOT, Saving
from warchest.cli.show import SEATS, card, card_in_brief, place_in, print_picture, remarks_for, rulings_of
from warchest.scripts.notation import notation_of
from warchest.scripts.walking import PathWalk, Stopped, no_step, tried, walk_of
from warchest.streams import ask, console, say, shows_all_signs

if TYPE_CHECKING:
    from warchest.bots import Bot
    from warchest.documents.library import Document
    from warchest.game.decision import Decision
    from warchest.game.state import State
    from warchest.game.telling.log import LogEntry
    from warchest.replay import Session, TakenStep


CAP = 1000
"""The most decisions in a game; after them it ends without a winner."""

_HELP = """\
  a number           take the option of this number
  some words         take the option whose label holds them; if there are several, they are listed
{paths}  board, options     show the board, or the options, again, with all that belongs to them
  hint, best         see what the {hinting} bot would do in your place, or a bot that thinks for a second
  undo               go back to your last decision; chance falls as before
  why not WORDS      ask why an option is not on offer
  c                  read the rules for the question, and for the latest events
  card NAME          read a card in a few lines; `show NAME`: with its rulings
  log                read the events so far; `log rules`: in the words of the rules
  save [FILE]        save the game
{concession}  quit               save the game and leave; so do Ctrl-C and Ctrl-D
  abandon            leave without saving"""
_WITH_WORDS = ("why", "show", "card", "save")
"""The commands that take words."""
_HINTING, _BEST = "greedy", "mcts"
"""The bots that give hints: a quick one, and the strongest one."""
_LOWEST = 6
"""The fewest lines for the options, below a board that is made smaller to fit."""
_TYPED = 3
"""The number of lines for the question, and for the answer as it is typed."""
_CONCESSION = """\
  {:<18} give the game up; you are asked whether you mean it
"""
_PATHS = """\
  a path             signs of steps, each an option as long as it is on offer: {};
                     before them you may name the piece that goes, by name or space
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--as", dest="player", metavar="PLAYER", help="the player whom you play (default: the first one)"
    )
    parser.add_argument(
        "--bot",
        default=DEFAULT_BOT,
        type=common.bot_name,
        metavar="NAME",
        help="the bot that plays the others (default: %(default)s)",
    )
    common.add_number(
        parser, "--seed", least=0, metavar="S", help="the seed of all random events (default: a random one)"
    )
    add_beginning(parser)
    parser.add_argument("--position", metavar="FILE", help="start from a position in a file")
    parser.add_argument("--save", metavar="FILE", help="save the game to this file, also when it is over")
    parser.add_argument("--resume", metavar="FILE", help="continue a saved game")
    common.add_common(parser, None, f"the game of the position or the saved game, or else {common.USUAL_GAME}")


def run(args: argparse.Namespace) -> int:
    """Play the game; return the exit code."""
    if args.format == "json":
        raise common.UsageError("--format json is not for playing; `warchest sim` plays for programs")
    with suppress(ImportError):
        import readline  # noqa: F401  (it gives input() a history and editing keys)
    session = _session(args)
    seats = session.state.variant.board.seats
    players = [seat.name for seat in seats]
    player = args.player or players[0]
    if player not in players:
        remark = remarks_for(session.game, [seat.team for seat in seats]).get(SEATS, "")
        listed = f"there are: {', '.join(players)}"
        raise common.UsageError(f"--as: there is no player {player!r}; {listed}. {remark}".removesuffix(". "))
    return Table(session, player, args).play()


# ---- beginning


def _session(args: argparse.Namespace) -> Session:
    from warchest.replay import Misfit, Session, Unreadable, load

    seed = args.seed if args.seed is not None else SystemRandom().randrange(1_000_000)
    if args.resume:
        _refuse(args, ("position", "seed", *BEGINNING), "--resume goes on as the game began")
        try:
            replay = load(args.resume)
            game = common.game_of(replay, args, args.resume)
            return Session.resumed(game, replay, args.player, args.resume)
        except (Unreadable, Misfit) as error:
            raise common.UsageError(str(error)) from None
    if args.position:
        _refuse(args, BEGINNING, "--position already has the state of the game")
        return Session.from_position(*common.game_and_state(args, args.position), seed)
    args.game = args.game or common.USUAL_GAME
    game = common.load_game(args)
    return Session.new(game, seed, **begun_with(game, args))


def _refuse(args: argparse.Namespace, names: Iterable[str], why: str) -> None:
    for name in names:
        if getattr(args, name) not in (None, []):
            raise common.UsageError(f"{why}, so there is no --{name} with it")


class Leave(Exception):
    """The person leaves the game, and has saved it or does not wish to."""


class Table:
    """The table at which a person sits: the board shown, questions, and answers."""

    def __init__(self, session: Session, player: str, args: argparse.Namespace) -> None:
        from warchest.bots import bot_named

        self.session, self.player, self.game = session, player, session.game
        self.bot: Bot = bot_named(args.bot, self.game)
        self.named: str = args.bot
        self.saving = Saving(session, player, args)
        self.options = common.words_for_game(args)
        """The options that make other commands load the same game."""
        self.begun = self._decided()
        """The decisions of the person up to the point where the game was resumed."""
        self.chosen = bool(args.player or args.resume)
        self.notation = notation_of(self.game.library)
        self.walk: PathWalk | None = None
        """A typed path, with the rest of it."""
        self.stopped: Stopped | None = None
        """The stop of a path that is not reported yet."""
        self.out = console()
        self.heard = len(session.state.news_for(player))
        self.fresh: list[LogEntry] = []
        """The news that was reported last."""
        concession = session.state.variant.program.concession
        self.concession = concession.verb.name if concession is not None else ""
        """The command that gives the game up; empty if the game has none."""

    @cached_property
    def commands(self) -> dict[str, Callable[[str], None]]:
        """The commands, each with the function that runs it."""
        return {
            **({self.concession: self._give_up} if self.concession else {}),
            "help": self._help,
            "?": self._help,
            "board": self._board,
            "options": self._menu,
            "undo": self._undo,
            "why": self._why,
            "c": self._clauses,
            "log": self._log,
            "show": self._show,
            "card": self._card,
            "hint": lambda _: self._advise(_HINTING),
            "best": lambda _: self._advise(_BEST),
            "save": self._save_as,
            "quit": self._quit,
            "exit": self._quit,
            "abandon": self._abandon,
        }

    # ---- the game

    def play(self) -> int:
        """Play until the game is over or the person leaves; return the exit code."""
        others = [seat.name for seat in self.session.state.variant.board.seats if seat.name != self.player]
        self._say(
            f"You are {self.player}; {', '.join(others)}: the {self.named} bot."
            f" Seed {self.session.start.seed}. Type `help` to see what you can type."
        )
        for remark in self._remarks():
            self._say(remark)
        if not shows_all_signs():
            self._say("This terminal does not show UTF-8: some signs are spelled.")
        from warchest.bots import Mcts

        reason = self.session.state.play_natively() if isinstance(self.bot, Mcts) else ""
        if reason:
            common.note(f"the reference machine plays: {reason}")
        try:
            return self._until_left()
        except BaseException as error:
            # A signal, a lost terminal, a fault of the program: the game is saved first of all.
            if not isinstance(error, OSError) or self._decided() != self.begun:
                self.saving.save()
            raise

    def _decided(self) -> list[TakenStep]:
        """Return the decisions of the person so far."""
        return [step for step in self.session.taken if step.by == self.player]

    def _remarks(self) -> list[str]:
        """Return the game's remarks to people at this table; a seat is chosen once, by `--as`."""
        seats = self.session.state.variant.board.seats
        told = remarks_for(self.game, [seat.team for seat in seats])
        if self.chosen:
            told.pop(SEATS, None)
        elif SEATS in told:
            told[SEATS] += f" Yours is the first; `--as` takes another: {', '.join(seat.name for seat in seats[1:])}."
        return list(told.values())

    def _until_left(self) -> int:
        try:
            self._game()
        except (KeyboardInterrupt, EOFError):
            self._say("")
            self.saving.save()
        except Leave:
            pass
        except warchest.EndlessError as error:
            self._news()
            self._say(f"The game cannot go on: {error}.")
            self.saving.save()
            return common.FINDINGS
        else:
            self._over()
        return common.FINDINGS if self.saving.lost else common.FINE

    def _game(self) -> None:
        while (decision := self.session.state.decision) is not None and len(self.session.taken) < CAP:
            if decision.is_chance:
                self.session.roll()
            elif decision.player == self.player:
                self._turn()
            else:
                self.session.take(self._chosen_by_bot())

    def _chosen_by_bot(self) -> warchest.Option:
        """Return the option that the bot takes; it thinks on the native machine if that is compiled already."""
        from warchest.bots.choose import natively_chosen

        state, rng = self.session.state, self.session.rng("bot")
        return natively_chosen(self.bot, state, rng) if self._has_machine else self.bot.choose(state, rng)

    @cached_property
    def _has_machine(self) -> bool:
        from warchest.game.native_engine import is_made

        return is_made(self.session.state.variant)

    def _turn(self) -> None:
        """Continue a path, or show the state of the game, and ask until the state has changed."""
        stopped = self._stride()
        if stopped is None:
            return
        self._news()
        self._table()
        if stopped:
            self._say_stopped(stopped)
        state, taken = self.session.state, len(self.session.taken)
        while self.session.state is state and len(self.session.taken) == taken:
            words = self._asked().strip()
            try:
                if words:
                    self._answer(words)
            except warchest.EndlessError as error:
                self.walk = None
                self._say(f"That is not done, because {error}. Take something else.")

    def _stride(self) -> str | None:
        """Take a path's next step and return None; without a next step, return why the path ends (empty if no path)."""
        walk, self.walk = self.walk, None
        if walk is None or not walk.left:
            return ""
        left, begun = str(walk), walk.begun
        try:
            option = walk.next(self.session.state)
        except Stopped as stopped:
            self.stopped = stopped
            return f"The path stops before `{left}`: {stopped}."
        if option is None:
            return ""
        # `undo` goes back to before the whole path.
        self.session.take(option, mark=not begun)
        self.walk = walk
        return None

    def _say_stopped(self, said: str) -> None:
        """Print that a path cannot go on, with the reasons if they are known."""
        self._say(said)
        if self.stopped is not None and "act" in self.stopped.asked:
            self._reasons(self.stopped.state or self.session.state, self.stopped.asked)
        self.stopped = None

    def _over(self) -> None:
        self._news()
        self._board()
        if self.session.state.outcome is None:
            self._say(f"{CAP} decisions have been taken, and nobody has won.")
        if self.saving.keep:
            self.saving.save()

    # ---- what is typed

    def _answer(self, words: str) -> None:
        first, _, rest = words.partition(" ")
        # A command without words is none if words follow: the line may be part of a label.
        if words.casefold() in self.commands:
            self.commands[words.casefold()]("")
        elif first.casefold() in _WITH_WORDS or words.casefold() == "log rules":
            self.commands[first.casefold()](rest.strip())
        else:
            self._choose(words)

    def _choose(self, words: str) -> None:
        from warchest.picture.menu import matching, menu

        decision = self._decision()
        self.walk = self._path(words)
        if self.walk is not None:
            stopped = self._stride()
            if stopped:
                self._say_stopped(stopped)
            return
        if words.isascii() and words.isdigit():
            number = int(words[:9])
            found = [number - 1] if 1 <= number <= len(decision.options) else []
            if not found:
                self._say(f"There are the numbers 1 to {len(decision.options)}.")
                return
        else:
            found = matching(decision, words)
        if len(found) == 1:
            self.session.take(decision.options[found[0]], mark=True)
        elif found:
            self._say(f"Which of these {len(found)}?")
            self.out.print(menu(decision, self.out.width, found))
        else:
            self._say(
                self._no_path(words)
                or f"Nothing on offer fits {words!r}. Type `options`, `why not {words}`, or `help`."
            )

    def _path(self, words: str) -> PathWalk | None:
        """Return the path that some words describe, if the game has paths."""
        return walk_of(words, self.notation, self.session.state) if self.notation is not None else None

    def _no_path(self, words: str) -> str:
        return no_step(words, self.notation, self.session.state) if self.notation is not None else ""

    def _decision(self) -> Decision:
        decision = self.session.state.decision
        assert decision is not None
        return decision

    # ---- commands

    def _help(self, _: str) -> None:
        signs = " ".join(self.notation.steps) if self.notation is not None else ""
        paths, concession = _PATHS.format(signs) if signs else "", self.concession
        concession = _CONCESSION.format(concession) if concession else ""
        self._tell_long(Text(_HELP.format(paths=paths, hinting=_HINTING, concession=concession)))

    def _undo(self, _: str) -> None:
        self.walk = None
        if self.session.undo():
            self.heard, self.fresh = len(self.session.state.news_for(self.player)), []
            self._say("Back to your last decision.")
        else:
            self._say("There is nothing to go back to.")

    def _why(self, words: str) -> None:
        from warchest.picture.menu import matching, menu

        words = words.removeprefix("not").strip()
        if not words:
            self._say("Say what: for example `why not` and part of an option's label.")
            return
        walk = self._path(words)
        if walk is not None:
            self._why_path(walk)
        elif no_path := self._no_path(words):
            self._say(no_path)
        elif found := matching(self._decision(), words):
            self._say("It is on offer.")
            self.out.print(menu(self._decision(), self.out.width, found))
        else:
            self._reasons(self.session.state, words)

    def _why_path(self, walk: PathWalk) -> None:
        state, stopped = tried(walk, self.session.state)
        self._say(str(stopped) if stopped is not None else "It is on offer.")
        if stopped is not None and "act" in stopped.asked:
            self._reasons(state, stopped.asked)

    def _reasons(self, state: State, what: str | dict[str, object]) -> None:
        try:
            reasons = state.why_not(what, self.player)
        except (ImportError, NotImplementedError):
            self._say("The reasons are not known yet.")
            return
        except (ValueError, RuntimeError) as error:
            self._say(str(error))
            return
        for one in reasons:
            self._say(f"  {one['reason']}")
            if one.get("clause"):
                self._say(f"    {self._cited(one['clause'], one.get('file', ''), one.get('line', 0))}")
        if not reasons:
            self._say("It is on offer.")

    def _clauses(self, _: str) -> None:
        """Print the clause that asks, and the clauses of the news."""
        clause = self._decision().clause
        if clause is not None:
            self._say(f"The question: {self.session.state.question}")
            self._say(f"    {self._cited(' '.join(clause.text.split()), clause.path, clause.line)}")
        for entry in self.fresh:
            if entry.clause:
                self._say(entry.text)
                self._say(f"    {self._cited(entry.clause, entry.file, entry.line)}")

    def _cited(self, clause: str, file: str, line: int) -> str:
        """Return a clause with its place; a file that comes with the game is named relative to the game's folder."""
        return f"“{clause}” — {place_in(self.game, file)}:{line}"

    def _log(self, words: str) -> None:
        state = self.session.state
        plain = [one.text for one in state.trace_for(self.player)] if words else None
        lines = state.news_for(self.player) if plain is None else plain
        self._tell_long(Text("\n".join(lines) or "Nothing has happened yet."))

    def _show(self, name: str) -> None:
        self._named(name, lambda one: card(self.game, rulings_of(self.game), one, True, self.options))

    def _card(self, name: str) -> None:
        self._named(name, card_in_brief)

    def _named(self, name: str, told: Callable[[Document], Text]) -> None:
        """Print the documents with a name."""
        found = documents_named(self.game, name)
        if found:
            self._tell_long(Text("\n").join(map(told, found)))
        else:
            self._say(f"There is no card {name!r}; {hint(self.game, name)}" if name else "Say which card.")

    def _advise(self, bot: str) -> None:
        """Print the option that a bot would take."""
        from warchest.bots import bot_named

        decision, state = self._decision(), self.session.state.clone()
        if bot == _BEST:
            state.play_natively()
        option = bot_named(bot, self.game).choose(state, Random(self.session.start.seed))
        number = [one.id for one in decision.options].index(option.id) + 1
        self._say(f"The {bot} bot would take {number}: {option.label}")

    def _save_as(self, name: str) -> None:
        if name:
            self.saving.save_as(name)
        else:
            self.saving.save()

    def _give_up(self, _: str) -> None:
        try:
            over = self.session.state.clone().give_up(self.player).outcome
        except warchest.OptionError as error:
            self._say(f"This is impossible: {error}.")
            return
        assert over is not None
        self._say(f"That ends the game: {over.reason}. Type `yes` if you mean it.")
        if self._asked().strip().casefold() in ("yes", "y", self.concession):
            self.session.give_up(self.player)
        else:
            self._say("The game goes on.")

    def _quit(self, _: str) -> None:
        if self.saving.save():
            raise Leave
        self._say("You are still at the table: `save FILE` tries another place, and `abandon` leaves without saving.")

    def _abandon(self, _: str) -> None:
        raise Leave

    # ---- things shown

    def _asked(self) -> str:
        """Return the next line that the person types."""
        say()
        return ask(f"{self.player} > ")

    def _say(self, text: str) -> None:
        self.out.print(text)

    def _tell_long(self, text: Text) -> None:
        """Print a text; if it has more lines than the window, the person can page through it."""
        if self.out.is_terminal and len(text.wrap(self.out, self.out.width)) >= self.out.height:
            with self.out.pager():
                self.out.print(text)
        else:
            self.out.print(text)

    def _table(self) -> None:
        """Show the board with the question and the options; in a window, at a size at which everything can be seen."""
        from warchest.picture.menu import menu

        if not self.out.is_terminal:
            self._board()
            self._menu()
            return
        room = self.out.height - _TYPED
        taken = print_picture(self.game, self.session.state, self.player, room - _LOWEST)
        self.out.print(menu(self._decision(), self.out.width, height=max(room - taken, _LOWEST)))

    def _board(self, _: str = "") -> None:
        self.out.print()
        print_picture(self.game, self.session.state, self.player)

    def _menu(self, _: str = "") -> None:
        from warchest.picture.menu import menu

        self.out.print(menu(self._decision(), self.out.width))

    def _news(self) -> None:
        """Print the news since the person's last decision, as far as the person may see it."""
        entries = self.session.state.news_entries(self.player)
        fresh, self.heard = entries[self.heard :], len(entries)
        if fresh:
            self.fresh = fresh
            self.out.print()
        for line, same in groupby(one.text for one in fresh):
            count = len(list(same))
            self._say(f"{line} (×{count})" if count > 1 else line)
