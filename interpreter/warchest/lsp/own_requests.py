"""The server's own requests: reading sentences, playing, rulings and links, on the public interface of the package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from warchest.bots import BOTS, bot_named
from warchest.diagnostics.diagnostic import Diagnostic
from warchest.diagnostics.visible import visible
from warchest.documents.library import Document
from warchest.game.errors import CardError, OptionError, PositionError
from warchest.game.game import Game
from warchest.game.state import EndlessError
from warchest.lint.documents.other_games import of_other_games
from warchest.lsp.findings import diagnostic, location
from warchest.lsp.machines import NativeMachines, chosen_by
from warchest.lsp.messages import (
    METHODS,
    ApplyParams,
    Arrow,
    BotParams,
    CheckedPosition,
    CheckParams,
    EditParams,
    JobParams,
    LinkParams,
    LoadParams,
    NativeParams,
    NewCardParams,
    NewParams,
    OptionParams,
    PageParams,
    PartsParams,
    PictureParams,
    PlayParams,
    PositionParams,
    RangeParams,
    ReadParams,
    RulingParams,
    RunParams,
    SetParams,
    UndoParams,
    ViewParams,
    WhyNotParams,
    WordsParams,
)
from warchest.lsp.new_cards import new_card
from warchest.lsp.parameters import bounded, checked
from warchest.lsp.plays import MOST_DECISIONS, PREFIX, PlayedGame, Plays, arrow, check_bot, place_of_line, refused
from warchest.lsp.position_setup import checked_position, edited_position, position_parts
from warchest.lsp.protocol import RequestError
from warchest.lsp.text_positions import offset_of, path_of, range_of, uri_of
from warchest.lsp.trials import begun_at, edit_for, ruling_of, run_rulings
from warchest.lsp.workspace import Workspace
from warchest.paper.pages import drawn_range
from warchest.paper.ranges import RangeFinder
from warchest.paraphrase.reading import PROPERTIES, RULES, STEPS, Reading, Study
from warchest.picture import sheet, svg
from warchest.replay import Misfit
from warchest.replay.file import read, written
from warchest.replay.game_session import Session
from warchest.replay.page import PageTooLarge, replay_page
from warchest.rulings.cases import Case, cases_of
from warchest.source.data import is_shipped
from warchest.source.text import Source
from warchest.templates.filling import new_kinds
from warchest.words.following import block_at

FORMAT = 1
"""The number of the format of links."""
MOST_LINKED = 1 << 20
"""The most characters of the cards of a link."""
MOST_BOT_STEPS = 500
"""The most decisions of a bot for one request."""
MOST_LEFT_OUT = 8
"""The most times that a job is tried again without files in which there are errors."""
MOST_SEEDS = 60
"""The most seeds that are tried for a game that begins with a card."""
MOST_JOBS = 8
"""The most processes of a job."""
Notify: TypeAlias = Callable[[str, object], None]
"""Sends a notification: its method and its parameters."""
_UNREADABLE = "the game cannot be read; see the diagnostics of its files"


class ServiceDesk:
    """Answers the requests of one client that only this server knows."""

    def __init__(self, workspace: Workspace, notify: Notify = lambda method, params: None) -> None:
        """Make the desk for a client that is sent notifications by `notify`."""
        self.workspace, self.plays, self._notify = workspace, Plays(), notify
        self._machines = NativeMachines()
        self._digests: dict[str, tuple[str, bool]] = {}
        self._answers: dict[str, Callable[..., object]] = {
            "warchest/set": self.game_set,
            "warchest/read": self.read,
            "warchest/words": self.words,
            "warchest/picture": self.picture,
            "warchest/range": self.range,
            "warchest/play/new": self.new,
            "warchest/play/apply": self.apply,
            "warchest/play/bot": self.bot,
            "warchest/play/undo": self.undo,
            "warchest/play/reload": self.reload,
            "warchest/play/view": self.view,
            "warchest/play/whyNot": self.why_not,
            "warchest/play/position": self.position,
            "warchest/play/ruling": self.ruling,
            "warchest/play/motions": self.motions,
            "warchest/play/save": self.save,
            "warchest/play/load": self.load,
            "warchest/play/page": self.page,
            "warchest/play/native": self.native,
            "warchest/rulings/run": self.run,
            "warchest/link": self.link,
            "warchest/job": self.job,
            "warchest/card/new": self.new_card,
            "warchest/position/parts": self.position_parts,
            "warchest/position/check": self.check_position,
            "warchest/position/edit": self.edit_position,
        }

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods of the requests."""
        return tuple(self._answers)

    def answer(self, method: str, params: object) -> object:
        """Return the result of a request; raises RequestError."""
        with refused():
            return self._answers[method](checked(METHODS[method].params, params))

    # ---- the game

    def _path(self, uri: str | None) -> str:
        """Return the path of a file, by default of an open one, or of one in the client's folder."""
        if uri is not None:
            return path_of(uri)
        return next(iter(self.workspace.texts), str((self.workspace.root or Path.cwd()) / "cards.yaml"))

    def _game(self, path: str) -> Game:
        game = self.workspace.game(path)
        if game is None:
            raise RequestError(_UNREADABLE)
        self._digests.setdefault(os.path.dirname(path), (game.digest, self.workspace.is_whole(path)))
        return game

    def game_set(self, params: SetParams) -> dict[str, object]:
        """Return a game with its documents, and the choices for the beginning of a play."""
        game = self._game(self._path(params.get("uri")))
        setups = {one.name: list(game.board_for(one.name).players) for one in game.library.of_kind("setup")}
        return {
            "game": game.name,
            "digest": game.digest,
            "files": [_file(one) for one in game.library.documents],
            "setups": list(setups),
            "seats": setups,
            "players": list(game.players),
            "sets": list(game.sets("all")),
            "usualSets": list(game.sets()),
            "options": {name: list(values) for name, values in game.choices.items()},
            "bots": list(BOTS),
            "kinds": new_kinds(game.folder, game),
            "style": sheet(PREFIX),
        }

    def new_card(self, params: NewCardParams) -> dict[str, object]:
        """Return the texts of a new document."""
        path = self._path(params.get("uri"))
        folder = Path(path_of(params["folder"])) if "folder" in params else Path(path).parent
        game = self._game(str(folder / "cards.yaml"))
        return new_card(self.workspace, game, folder, params["kind"], params["name"])

    def changes(self, path: str) -> list[dict[str, object]]:
        """Return the messages for the client after a text has changed; an empty list if the game stays the same."""
        game = self.workspace.game(path)
        if game is None:
            return []
        folder, now = os.path.dirname(path), (game.digest, self.workspace.is_whole(path))
        if self._digests.setdefault(folder, now) == now:
            return []
        self._digests[folder] = now
        misfits = [one.name for one in self.plays if not _fits(game, one)]
        return [{"digest": now[0], "whole": now[1], "plays": misfits}]

    # ---- sentences

    def read(self, params: ReadParams) -> dict[str, object]:
        """Return the readings of sentences in an open text, or of sentences that are in no file."""
        path = self._path(params.get("uri"))
        study = self.workspace.study(path)
        if study is None:
            raise RequestError(_UNREADABLE)
        if "text" in params:
            return _written(study, params["text"], params.get("on", ""), params.get("meaning"))
        opened = self.workspace.texts.get(path)
        if opened is None or "uri" not in params:
            raise RequestError("uri: an open text is needed, or `text`", data={"field": "uri"})
        source = opened.source
        start, end = 0, len(source.text)
        if "range" in params:
            start, end = (offset_of(source, params["range"][key]) for key in ("start", "end"))
        readings, findings = list[object](), list[object]()
        for document in study.library.in_file(path):
            for one in study.document(document) if document.span.source.text == source.text else ():
                if isinstance(one, Diagnostic):
                    findings.append(diagnostic(one, source))
                elif one.span.start <= end and start <= one.span.end:
                    readings.append(_reading(one))
        return {"readings": readings, "findings": findings}

    def words(self, params: WordsParams) -> dict[str, object]:
        """Return the words that can come next at a place of an open text."""
        path = path_of(params["textDocument"]["uri"])
        source, ranking = self.workspace.open_text(path), self.workspace.ranking(path)
        offset = offset_of(source, params["position"])
        block = block_at(source, offset)
        if block is None or ranking is None:
            return {"words": [], "open": False}
        found = ranking.words(source.text, block.start, offset)
        return {
            "words": [{"text": one.text, "sort": one.sort, "rank": rank} for rank, one in enumerate(found)],
            "open": True,
        }

    # ---- plays

    def new(self, params: NewParams) -> dict[str, object]:
        """Begin a play; return its view."""
        path = self._path(params.get("uri"))
        game, seed = self._game(path), params.get("seed", 0)
        if "position" in params or "ruling" in params:
            state = (
                begun_at(game, self._cases(path), params["ruling"])
                if "ruling" in params
                else game.position(params["position"])
            )
            session = Session.from_position(game, state, seed)
        else:
            names = ("setup", "armies", "options", "players", "sets")
            given: dict[str, Any] = {key: value for key, value in params.items() if key in names}
            session = _begun(game, seed, given, params.get("card"))
        return self.plays.add(path, session, params.get("viewer")).view()

    def apply(self, params: ApplyParams) -> dict[str, object]:
        """Take an option; return the view."""
        play = self.plays.named(params["play"])
        play.apply(params["count"], params["id"])
        return play.view()

    def bot(self, params: BotParams) -> dict[str, object]:
        """Let a bot decide once, or until the viewer is asked; return the view."""
        play = self.plays.named(params["play"])
        check_bot(params["bot"], "bot")
        bot, until = bot_named(params["bot"], play.game), params.get("until", "one")
        if until == "viewer" and play.viewer is None:
            raise RequestError("until: the play has no viewer", data={"field": "until"})
        play.go_on()
        for number in range(MOST_BOT_STEPS):
            decision = play.state.decision
            if decision is None or (decision.player == play.viewer if until == "viewer" else number > 0):
                break
            play.take(chosen_by(bot, play))
            play.later.clear()
        return play.view()

    def undo(self, params: UndoParams) -> dict[str, object]:
        """Go back or forward to a number of decisions; return the view."""
        play = self.plays.named(params["play"])
        play.go_to(params["to"])
        return play.view()

    def reload(self, params: PlayParams) -> dict[str, object]:
        """Go on from the same position with the cards as they are now.

        The undo and redo history is kept if the same decisions lead there with these cards, too; otherwise it is
        cleared.
        """
        play = self.plays.named(params["play"])
        game = self._game(play.path)
        if game.digest == play.game.digest:
            play.all_news()
            return play.view()
        state = game.position(play.state.position())
        again, later = _replayed(game, play), play.later
        play.restart(again or Session.from_position(game, state, play.session.start.seed or 0))
        if again is not None:
            play.later = later
        return play.view()

    def view(self, params: ViewParams) -> dict[str, object]:
        """Return the view of a play, from now on that of another viewer if one is named."""
        play = self.plays.named(params["play"])
        if "viewer" in params:
            play.see(params["viewer"])
        play.all_news()
        return play.view()

    def why_not(self, params: WhyNotParams) -> list[dict[str, object]]:
        """Return why an option is not on offer."""
        play = self.plays.named(params["play"])
        found = play.state.why_not(params["what"], params.get("player"))
        return [_reason(play.game, one) for one in found]

    def position(self, params: PositionParams) -> dict[str, object]:
        """Return the position of a play: the whole one, or only the part that a player may see."""
        state = self.plays.named(params["play"]).state
        return state.view(params["viewer"]) if "viewer" in params else state.position()

    def motions(self, params: OptionParams) -> list[Arrow]:
        """Return the motions on the board that an option causes."""
        return [arrow(one) for one in self.plays.named(params["play"]).motions(params["id"])]

    def save(self, params: PlayParams) -> dict[str, object]:
        """Return the replay of a play as the text of a file."""
        return {"text": written(self.plays.named(params["play"]).session.replay())}

    def native(self, params: NativeParams) -> dict[str, object]:
        """Return whether bots can search natively; on request, begin to compile the machine for that."""
        variant = self.plays.named(params["play"]).state.variant
        return self._machines.told(variant, params.get("compile", False))

    def page(self, params: PageParams) -> dict[str, object]:
        """Return a play as a page to look through, whole or as a player sees it."""
        play = self.plays.named(params["play"])
        try:
            return {"html": replay_page(play.game, play.session.replay(), params.get("viewer"))}
        except (PageTooLarge, Misfit) as error:
            raise RequestError(str(error), data={"field": "play"}) from None

    def load(self, params: LoadParams) -> dict[str, object]:
        """Begin a play at the end of a replay, whose decisions can be undone; return its view."""
        path = self._path(params.get("uri"))
        game, replay = self._game(path), read(params["text"])
        if replay.game != game.name:
            raise RequestError(f"text: this is a replay of {replay.game}, not of {game.name}", data={"field": "text"})
        if len(replay.taken) > MOST_DECISIONS:
            raise RequestError(f"text: the replay has more than {MOST_DECISIONS:,} steps", data={"field": "text"})
        session = Session.resumed(game, replay, None, "replay", everybody=True)
        play = self.plays.add(path, session, params.get("viewer"))
        play.all_news()
        return play.view()

    # ---- positions to be set up

    def position_parts(self, params: PartsParams) -> dict[str, object]:
        """Return the parts of positions."""
        game = self._game(self._path(params.get("uri")))
        return position_parts(game, params.get("position", {}), params.get("board"))

    def check_position(self, params: CheckParams) -> CheckedPosition:
        """Return a position in full, or its problems."""
        return checked_position(self._game(self._path(params.get("uri"))), params["position"])

    def edit_position(self, params: EditParams) -> CheckedPosition:
        """Return a position after some edits."""
        return edited_position(self._game(self._path(params.get("uri"))), params["position"], params["edits"])

    # ---- pictures, rulings and links

    def picture(self, params: PictureParams) -> dict[str, object]:
        """Return the picture of a play, a position, or the position of a ruling."""
        how: dict[str, Any] = {key: value for key, value in params.items() if key in ("viewer", "styled", "prefix")}
        if not how.get("prefix", PREFIX).replace("-", "").isalnum():
            raise RequestError("prefix: letters, digits and hyphens are needed", data={"field": "prefix"})
        how.setdefault("prefix", PREFIX)
        if "name" in params:
            path = self._path(params.get("uri"))
            return {"svg": svg(begun_at(self._game(path), self._cases(path), params["name"]), **how)}
        if "position" in params:
            return {"svg": svg(self._game(self._path(params.get("uri"))).position(params["position"]), **how)}
        if "play" not in params:
            raise RequestError("a `play`, a `position` or the `name` of a ruling is needed")
        return {"svg": svg(self.plays.named(params["play"]).state, **how)}

    def range(self, params: RangeParams) -> dict[str, object]:
        """Return the spaces that a card reaches as a diagram, which has no marks if the card reaches none."""
        path = path_of(params["uri"])
        game = self._game(path)
        named = [one for one in game.library.in_file(path) if params.get("name", one.name) == one.name]
        if not named:
            raise RequestError("name: there is no such card in the file", data={"field": "name"})
        try:
            found = [drawn_range(RangeFinder(game, wide=False).range_of(one)) for one in named[:1]]
        except RuntimeError as error:  # rules that do not end, or that go on in too many ways
            raise RequestError(str(error), data={"field": "name"}) from None
        return found[0] or {"shape": "", "stands": False, "facing": False, "spaces": [], "marks": [], "legend": []}

    def ruling(self, params: RulingParams) -> dict[str, object]:
        """Return a ruling of decisions of a play, and the edit that puts it into a file."""
        play = self.plays.named(params["play"])
        start, end = params.get("start", 0), params.get("end", play.count)
        text = ruling_of(play, start, end, params["name"], params.get("shrink", True))
        if "uri" not in params:
            return {"text": text}
        path = path_of(params["uri"])
        edit = edit_for(self.workspace.open_text(path, "uri"), text)
        return {"text": text, "edit": {"changes": {params["uri"]: [edit]}}}

    def run(self, params: RunParams) -> list[dict[str, object]]:
        """Run the rulings of a file, or of all own files."""
        path = self._path(params.get("uri"))
        cases, names = self._cases(path if "uri" in params else None, path), params.get("names")
        chosen = [one for one in cases if names is None or one.name in names]
        return run_rulings(self._game(path), chosen, params.get("pictures", False))

    def _cases(self, path: str | None, game_of: str = "") -> list[Case]:
        game = self._game(path or game_of)
        others = set(map(id, of_other_games(game.library, game.document)))
        documents = game.library.documents if path is None else game.library.in_file(path)
        found = [case for one in documents if id(one) not in others for case in cases_of(one)]
        return [one for one in found if path is not None or not is_shipped(one.span.path)]

    def link(self, params: LinkParams) -> dict[str, object]:
        """Return the own cards of a game, and the position of a play."""
        play = self.plays.named(params["play"]) if "play" in params else None
        path = play.path if play is not None else self._path(None)
        game, folder = self._game(path), str(self.workspace.root or os.path.dirname(path))
        own = [one for one in game.library.sources if not is_shipped(one.path)]
        cards = {os.path.relpath(one.path, folder).replace(os.sep, "/"): one.text for one in own}
        if sum(map(len, cards.values())) > MOST_LINKED:
            raise RequestError(f"the cards have more than {MOST_LINKED:,} characters, which is too much for a link")
        position = {"position": play.state.position()} if play is not None else {}
        return {"format": FORMAT, "game": game.name, "digest": game.digest, "cards": cards, **position}

    # ---- jobs

    def job(self, params: JobParams) -> dict[str, object]:
        """Do a long job about cards, and report its progress meanwhile; return its result."""
        from warchest.lsp.jobs.running import MOST_SECONDS, SECONDS, run
        from warchest.lsp.jobs.task import JobTask, ProgressReports
        from warchest.parallel import processors
        from warchest.testing.budget import Budget

        seconds, jobs = bounded(params, "budget", SECONDS, MOST_SECONDS), bounded(params, "jobs", MOST_JOBS, MOST_JOBS)
        budget = Budget(seconds, min(jobs, processors()), params.get("seed", 0))
        path = self._path(params.get("uri"))
        progress = ProgressReports(partial(self._notify, "warchest/progress"))
        if "text" in params and "uri" not in params:
            raise RequestError("uri: the file of the text is needed", data={"field": "uri"})
        game, left_out = self._game_for_job(path, params.get("text"))
        found = run(JobTask(game, path, params, budget, progress))
        notes = found["notes"]
        assert isinstance(notes, list)
        return {**found, "notes": [*left_out, *notes]}

    def _game_for_job(self, path: str, text: str | None = None) -> tuple[Game, list[str]]:
        """Return the game of all texts as they are now; a job can give another text for its file.

        Other files with errors are left out; they are named in the notes, which are returned, too. Raises RequestError
        where there are errors in the file itself.
        """
        left_out = set[str]()
        for _ in range(MOST_LEFT_OUT):
            try:
                game = self.workspace.whole_game(path, left_out)
                return game if text is None else game.with_texts({path: text}), _left_out(left_out)
            except CardError as error:
                wrong = {os.path.abspath(one.file) for one in error.diagnostics if one.file} - left_out - {path}
                further = {one for one in wrong if not is_shipped(one)}
                if not further:
                    raise _with_place(error) from None
                left_out |= further
        raise RequestError("cards: too many files have errors; correct them first", data={"field": "cards"})


def _left_out(paths: Iterable[str]) -> list[str]:
    """Return a note on the files that a job leaves out, if there are any."""
    names = ", ".join(sorted(visible(os.path.basename(one)) for one in paths))
    return [f"left out, because of errors: {names}"] if names else []


def _with_place(error: CardError) -> RequestError:
    """Return the refusal of a request because of errors in cards, with the place of the first."""
    first = error.diagnostics[0]
    where = f"{os.path.basename(first.file)}:{first.span.line}: " if first.span is not None else ""
    place = location(first.span) if first.span is not None else {}
    return RequestError(f"{where}{first.message}", data={"field": "cards", **place})


def _begun(game: Game, seed: int, given: Mapping[str, Any], card: str | None) -> Session:
    """Return a new game, with a card for the first player if one is named; raises RequestError if none is found."""
    if card is None:
        return Session.new(game, seed, **given)
    for further in range(MOST_SEEDS):
        session = Session.new(game, seed + further, **given)
        state = session.state
        if _has(state.position(), state.board.players[0], card):
            return session
    why = f"card: in none of {MOST_SEEDS} games the first player begins with {card[:60]!r}"
    raise RequestError(why, data={"field": "card"})


def _has(found: object, player: str, card: str, is_own: bool = False) -> bool:
    """Whether a part of a position names a card among the things of a player."""
    if isinstance(found, Mapping):
        own = is_own or found.get("owner") == player
        return any(_has(one, player, card, own or key == player) for key, one in found.items())
    if isinstance(found, list):
        return any(_has(one, player, card, is_own) for one in found)
    return is_own and found == card


def _fits(game: Game, play: PlayedGame) -> bool:
    """Whether the position of a play can be in a game."""
    try:
        game.position(play.state.position())
    except (PositionError, CardError):
        return False
    return True


def _replayed(game: Game, play: PlayedGame) -> Session | None:
    """Return a session of a play's decisions with other cards, if it leads to the same position; otherwise None."""
    try:
        session = Session.resumed(game, play.session.replay(), None, "replay", everybody=True)
    except (Misfit, PositionError, OptionError, CardError, EndlessError):
        return None
    return session if session.state.position() == play.state.position() else None


def _file(document: Document) -> dict[str, object]:
    return {
        "uri": uri_of(document.span.path),
        "kind": document.kind,
        "name": document.name,
        "set": str(document.values.get("set", "")),
        "readOnly": is_shipped(document.span.path),
        "rulings": len(cases_of(document)),
    }


def _written(study: Study, text: str, on: str, meaning: str | None) -> dict[str, object]:
    """Return the reading of sentences as steps, rules or a property: as requested, or as the first that is possible."""
    carrier = study.bearer(on)
    if on and carrier.number < 0:
        raise RequestError(f"on: there is no card {on[:60]!r}", data={"field": "on"})
    wrong = list[Diagnostic]()
    for one in (meaning,) if meaning is not None else (STEPS, RULES, PROPERTIES):
        found = study.written(text, one, carrier)
        if isinstance(found, Reading):
            return {"readings": [_reading(found)], "findings": []}
        if not wrong or wrong[0].name in ("rule-among-steps", "step-among-rules", "property-among-rules"):
            wrong = found
    return {"readings": [], "findings": [diagnostic(one, Source("", text)) for one in wrong]}


def _reading(one: Reading) -> dict[str, object]:
    facts = [{"about": fact.about, "text": fact.text} for fact in one.facts]
    return {
        "range": range_of(one.span),
        "key": one.key,
        "sentences": list(one.sentences),
        "said": list(one.said),
        "unsaid": one.unsaid,
        "facts": facts,
    }


def _reason(game: Game, one: dict[str, Any]) -> dict[str, object]:
    place = place_of_line(game, str(one.get("file", "")), int(one.get("line", 0)))
    return {"reason": str(one.get("reason", one.get("fault", ""))), "clause": str(one.get("clause", "")), **place}
