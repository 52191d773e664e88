"""The messages of the server's own requests, by method: their parameters and their results."""

from __future__ import annotations

from typing import Literal, NamedTuple, NotRequired, TypedDict

PlayName = str
"""The name of a play of this connection."""


class TextPosition(TypedDict):
    """A place in a text, as in LSP: a line and a character in units of UTF-16, from 0."""

    line: int
    character: int


class TextRange(TypedDict):
    """A part of a text, as in LSP."""

    start: TextPosition
    end: TextPosition


class TextDocument(TypedDict):
    """An open text, as in LSP."""

    uri: str


class SetParams(TypedDict):
    """A file of the game that is asked about; by default an open one, or one in the client's folder."""

    uri: NotRequired[str]


class SetFile(TypedDict):
    """A document of the game: its file, its kind, its name, its set, and the number of its rulings."""

    uri: str
    kind: str
    name: str
    set: str
    readOnly: bool
    rulings: int


class GameSet(TypedDict):
    """A game with its documents, and the setups, sets, options and bots for a play of it.

    `options` are the options of the rules with their values, the usual one first. `style` is the sheet for pictures
    that have none. `kinds` are the possible kinds of new documents. `seats` are the players of each setup.
    """

    game: str
    digest: str
    files: list[SetFile]
    setups: list[str]
    seats: dict[str, list[str]]
    players: list[str]
    sets: list[str]
    usualSets: list[str]
    options: dict[str, list[str]]
    bots: list[str]
    kinds: list[str]
    style: str


class NewCardParams(TypedDict):
    """The kind and the name of a new document, and a folder for its files; by default that of the file `uri`."""

    kind: str
    name: str
    uri: NotRequired[str]
    folder: NotRequired[str]


class NewFile(TypedDict):
    """A new file, and its text."""

    uri: str
    text: str


class NewCard(TypedDict):
    """A new document that passes its rulings: the file with it, and all files, which are not written yet."""

    uri: str
    text: str
    files: list[NewFile]


class ReadParams(TypedDict):
    """An open text, or a part of it; or sentences as `text`, read like those of a card, as steps or rules."""

    uri: NotRequired[str]
    range: NotRequired[TextRange]
    text: NotRequired[str]
    on: NotRequired[str]
    meaning: NotRequired[Literal["steps", "rules", "properties"]]


class ReadFact(TypedDict):
    """A fact that no sentence says, such as who decides, and its subject."""

    about: str
    text: str


class SentenceReading(TypedDict):
    """A sentence or a block of steps, and sentences with the same meaning in full, or the reason in `unsaid`."""

    range: TextRange
    key: str
    sentences: list[str]
    said: list[str]
    unsaid: str
    facts: list[ReadFact]


class ReadResult(TypedDict):
    """The readings, or findings (as in LSP) about sentences that are not understood."""

    readings: list[SentenceReading]
    findings: list[dict[str, object]]


class WordsParams(TypedDict):
    """A place in an open text."""

    textDocument: TextDocument
    position: TextPosition


class RankedWord(TypedDict):
    """A word that can come next: its sort, and its rank from 0 for the likeliest."""

    text: str
    sort: str
    rank: int


class WordsResult(TypedDict):
    """The words that can come next; `open`: whether the place is in a block of sentences."""

    words: list[RankedWord]
    open: bool


class NewParams(TypedDict):
    """A position, or a setup with the arguments of `Game.new`; the viewer is a player, or null to see everything.

    `ruling` names a ruling of the file, from whose position the play begins. `card` names a card that the first player
    has at the beginning: the seeds from `seed` on are tried for one.
    """

    uri: NotRequired[str]
    seed: NotRequired[int]
    setup: NotRequired[str]
    players: NotRequired[int]
    armies: NotRequired[dict[str, list[str]]]
    sets: NotRequired[list[str]]
    options: NotRequired[dict[str, str]]
    position: NotRequired[dict[str, object]]
    ruling: NotRequired[str]
    card: NotRequired[str]
    viewer: NotRequired[str | None]


class ApplyParams(TypedDict):
    """An option by its id; `count` is the number of decisions that the client has seen."""

    play: PlayName
    count: int
    id: str


class BotParams(TypedDict):
    """A bot that decides once, or until the viewer is asked."""

    play: PlayName
    bot: str
    until: NotRequired[Literal["viewer", "one"]]


class UndoParams(TypedDict):
    """The number of decisions to go back to, or forward to after going back."""

    play: PlayName
    to: int


class PlayParams(TypedDict):
    """A play."""

    play: PlayName


class ViewParams(TypedDict):
    """A play, and the viewer from now on."""

    play: PlayName
    viewer: NotRequired[str | None]


class OptionParams(TypedDict):
    """An option of a play, by its id."""

    play: PlayName
    id: str


class LoadParams(TypedDict):
    """The text of a replay; the viewer is a player, or null to see everything."""

    uri: NotRequired[str]
    text: str
    viewer: NotRequired[str | None]


class NativeParams(TypedDict):
    """A play; `compile` begins to compile its native machine, if it is not there."""

    play: PlayName
    compile: NotRequired[bool]


class NativeState(TypedDict):
    """Whether the native machine is there, for bots that search; if not, the reason."""

    state: Literal["ready", "compiling", "none"]
    reason: str


class PageParams(TypedDict):
    """A play; with a viewer, the page holds only the parts that this player may see."""

    play: PlayName
    viewer: NotRequired[str]


class ReplayPage(TypedDict):
    """A play as a page of HTML that needs nothing else, as `warchest replay --html` writes it."""

    html: str


class ReplayText(TypedDict):
    """A replay as the text of a file, as `warchest play --save` writes it."""

    text: str


class WhyNotParams(TypedDict):
    """A text or the data of an option that is not on offer, as for `State.why_not`."""

    play: PlayName
    what: str | dict[str, object]
    player: NotRequired[str]


class ReasonWhyNot(TypedDict):
    """A reason why an option is not on offer, with its clause and its place."""

    reason: str
    clause: str
    uri: str
    range: TextRange


class PositionParams(TypedDict):
    """A play; with a viewer, only the parts of the position that this player may see."""

    play: PlayName
    viewer: NotRequired[str]


class PartsParams(TypedDict):
    """A board by its name or by a position; by default the usual one."""

    uri: NotRequired[str]
    board: NotRequired[str]
    position: NotRequired[dict[str, object]]


class PositionValue(TypedDict):
    """A value of a key of positions, or within an entry of it at `path`: its sort, and the names to choose from.

    The sort is `flag`, `number`, `name`, `names` (a list) or `trail` (a list of earlier values). `empty` values
    can be null; those that are `needed` are in every entry.
    """

    path: list[str]
    sort: Literal["flag", "number", "name", "names", "trail"]
    choices: list[str]
    empty: bool
    needed: bool


class PositionKey(TypedDict):
    """A key of positions, and the things that can be put there.

    The sort `pieces` is a list of entries; `owned pieces` are spaces by owner, `places` are spaces of pieces without an
    owner, and `spaces` are spaces by owner without pieces. Things are in zones as names (`zone`), numbers by name
    (`counts`), a number (`count`) or entries (`rows`). `value` is a single value, `values` are values by owner. `of` is
    the kind of piece or the zone, `names` are the possible things, `owners` their possible owners (`nobody`: also
    without an owner), and `on` the spaces where they can be (none: anywhere). `entry` names the keys of entries by
    their roles: `place`, `document`, `owner`, `tokens`, `stack`, `nature` and `form`.
    """

    key: str
    sort: str
    of: str
    names: list[str]
    owners: list[str]
    nobody: bool
    faces: list[str]
    on: list[str]
    entry: dict[str, str]
    values: list[PositionValue]
    needed: bool


class PositionParts(TypedDict):
    """The parts of positions on a board, with the teams of its players; `position` is a first position to edit."""

    boards: list[str]
    board: str
    players: list[str]
    teams: dict[str, str]
    spaces: list[str]
    keys: list[PositionKey]
    position: dict[str, object]


class PositionSpot(TypedDict):
    """A place in a position: a space, or a zone with its owner and its face, as in pictures.

    `key` is the key of the position, where several can have things there.
    """

    space: NotRequired[str]
    zone: NotRequired[str]
    owner: NotRequired[str]
    face: NotRequired[str]
    key: NotRequired[str]


class PositionEdit(TypedDict):
    """A value at `path` (null removes it); or a thing that is moved from `source` to `target`.

    Without a source the thing is new, without a target it is removed. By default it is the first thing at the source,
    and keeps its owner. A piece that is put into a zone becomes the tokens that it is made of; a token that is put onto
    a piece of its name and owner makes it higher, where pieces have several tokens.
    """

    path: NotRequired[list[str | int]]
    value: NotRequired[object]
    name: NotRequired[str]
    owner: NotRequired[str]
    source: NotRequired[PositionSpot]
    target: NotRequired[PositionSpot]


class EditParams(TypedDict):
    """A position and edits of it; an act under way in the position is dropped."""

    uri: NotRequired[str]
    position: dict[str, object]
    edits: list[PositionEdit]


class CheckParams(TypedDict):
    """A position."""

    uri: NotRequired[str]
    position: dict[str, object]


class PositionProblem(TypedDict):
    """A fault of a position, and the field that is wrong, such as `units[0].at`."""

    field: str
    message: str


class CheckedPosition(TypedDict):
    """A position in full with its picture; or a wrong position as it was given, with its problems.

    `player` decides in it, and `question` is the question.
    """

    position: dict[str, object]
    svg: str
    problems: list[PositionProblem]
    player: str | None
    question: str


class RulingParams(TypedDict):
    """The decisions of a play from one number up to another, a name, and a file to put the ruling into."""

    play: PlayName
    start: NotRequired[int]
    end: NotRequired[int]
    name: str
    uri: NotRequired[str]
    shrink: NotRequired[bool]


class RulingResult(TypedDict):
    """A ruling that passes as the cards are now; with a file, also the edit that puts it there, as in LSP."""

    text: str
    edit: NotRequired[dict[str, object]]


class RunParams(TypedDict):
    """Rulings to run: those of a file, by default of all own files; and of these some, by default all."""

    uri: NotRequired[str]
    names: NotRequired[list[str]]
    pictures: NotRequired[bool]


class RunRuling(TypedDict):
    """A ruling that was run: `wrong` has a line for each expectation that is not met."""

    uri: str
    name: str
    range: TextRange
    outcome: Literal["passed", "failed", "skipped"]
    message: str
    wrong: list[str]
    svg: NotRequired[str]


class RangeParams(TypedDict):
    """A file, and the name of a card in it; by default its first card with pieces."""

    uri: str
    name: NotRequired[str]


class RangeSpace(TypedDict):
    """The middle of a space around the piece: hexes are 2 wide, squares 1."""

    x: float
    y: float


class ReachedMark(TypedDict):
    """A mark of a range on a space: its sort as in arrows, and the word for the act."""

    sort: str
    word: str
    x: float
    y: float


class RangeLegend(TypedDict):
    """A mark, and the word for it."""

    sort: str
    word: str


class RangeDiagram(TypedDict):
    """The spaces that a card reaches: `stands` says whether its piece is in the middle, `facing` whether it looks up.

    A card without a range has no marks. `shape` is the shape of the spaces.
    """

    shape: str
    stands: bool
    facing: bool
    spaces: list[RangeSpace]
    marks: list[ReachedMark]
    legend: list[RangeLegend]


class PictureParams(TypedDict):
    """A play, a position, or the position of a ruling by its file and name; ids begin with `prefix`."""

    play: NotRequired[PlayName]
    position: NotRequired[dict[str, object]]
    uri: NotRequired[str]
    name: NotRequired[str]
    viewer: NotRequired[str]
    prefix: NotRequired[str]
    styled: NotRequired[bool]


class PictureResult(TypedDict):
    """A picture as SVG."""

    svg: str


class LinkParams(TypedDict):
    """A play whose position goes into the link."""

    play: NotRequired[PlayName]


class LinkResult(TypedDict):
    """The own cards of a game, by their paths from its folder, and a position; the client packs it."""

    format: int
    game: str
    digest: str
    cards: dict[str, str]
    position: NotRequired[dict[str, object]]


class ThingPlace(TypedDict):
    """The place of a thing that an option names; see `OptionPlace` in api.md."""

    role: str
    sort: str
    name: str
    zone: str
    owner: str
    space: str


class Arrow(TypedDict):
    """A motion on the board from one space to another, or on a single one, where both are the same.

    Its kind is `goes` or `acts` (of a piece), `comes` or `leaves` (on a space), or `named` (a space that is chosen).
    """

    kind: str
    start: str
    end: str


class OfferedOption(TypedDict):
    """An option with the places of its things, and arrows of the kind `named` from its piece to the other places.

    `warchest/play/motions` returns the motions of the option.
    """

    id: str
    label: str
    act: str
    places: list[ThingPlace]
    arrows: list[Arrow]


class News(TypedDict):
    """One event, with its clause, and the number of decisions before it."""

    text: str
    clause: str
    uri: str
    range: TextRange
    count: int


class View(TypedDict):
    """A play as its viewer sees it; options are there for the viewer's own decision.

    `news` and `last`, the motions on the board, are those of the decisions of this request, or the last ones where the
    request took none. `redo` is the number of decisions that `warchest/play/undo` can go forward to.
    """

    play: PlayName
    count: int
    redo: int
    svg: str
    viewer: str | None
    players: list[str]
    player: str | None
    question: str
    options: list[OfferedOption]
    last: list[Arrow]
    news: list[News]
    round: int
    turn: int
    outcome: str | None
    winners: list[str]
    canUndo: bool


class JobParams(TypedDict):
    """A job about the documents of a file, or about named ones; by default about all cards of the game.

    `budget` is its time in seconds, `jobs` the number of processes, if any can be started. `bots` take turns from seat
    to seat. Games begin as those of `warchest/play/new`. `alone` checks cards without particular others. `range` limits
    readings and changes to the sentences that overlap it, and `position` to the sentence there. `text` is used in
    place of that of the file.
    """

    kind: Literal["sim", "check", "means", "cover", "mutants", "balance"]
    uri: NotRequired[str]
    range: NotRequired[TextRange]
    position: NotRequired[TextPosition]
    text: NotRequired[str]
    names: NotRequired[list[str]]
    budget: NotRequired[int]
    seed: NotRequired[int]
    jobs: NotRequired[int]
    games: NotRequired[int]
    bots: NotRequired[list[str]]
    setup: NotRequired[str]
    players: NotRequired[int]
    armies: NotRequired[dict[str, list[str]]]
    sets: NotRequired[list[str]]
    options: NotRequired[dict[str, str]]
    alone: NotRequired[bool]


class JobProgress(TypedDict):
    """The parts of a job that are done, their total, and a name for them."""

    done: int
    total: int
    text: str


class JobTable(TypedDict):
    """A table of a job: the names of its columns, and its rows of cells."""

    title: str
    columns: list[str]
    rows: list[list[str]]


class JobFinding(TypedDict):
    """A fault, and its place.

    `position` shows the fault after the options `way` (ids); `svg` is the picture before the last option. `ruling`
    has it as a ruling, and `edit` adds this to a file, as in LSP. `law` is the broken law, and `cards` are the checked
    cards; for a change that no ruling notices, `before` and `after` are the sentence without and with the change.
    """

    message: str
    uri: str
    range: TextRange
    law: NotRequired[str]
    cards: NotRequired[list[str]]
    before: NotRequired[str]
    after: NotRequired[str]
    position: NotRequired[dict[str, object]]
    way: NotRequired[list[str]]
    svg: NotRequired[str]
    ruling: NotRequired[str]
    edit: NotRequired[dict[str, object]]


class JobMark(TypedDict):
    """A sentence, the number of times that it was seen to act, and this number in words."""

    uri: str
    range: TextRange
    text: str
    count: int
    message: str


class JobReading(TypedDict):
    """A near reading: its sentence, and the edit that writes it, as in LSP; the original text has neither."""

    text: str
    edit: NotRequired[dict[str, object]]


class JobAnswer(TypedDict):
    """The answer of some readings to the question of the next events in a position; `written` if the original text is
    one of them.

    `lines` say how it differs from other answers. `position` and its picture follow the option `taken`; without one
    they show the question's moment; `offered` are options that only some readings offer. `ruling` is the answer as a
    ruling, and `edit` adds that to the file, as in LSP.
    """

    written: bool
    lines: list[str]
    taken: list[OfferedOption]
    offered: list[OfferedOption]
    readings: list[JobReading]
    svg: NotRequired[str]
    position: NotRequired[dict[str, object]]
    ruling: str
    edit: NotRequired[dict[str, object]]


class JobQuestion(TypedDict):
    """A position where near readings differ, after the options `way` (ids), with its picture."""

    position: dict[str, object]
    way: list[str]
    svg: NotRequired[str]
    answers: list[JobAnswer]


class JobResult(TypedDict):
    """The result of a job; `partial` if the time was over before all was done. `data` are its numbers by names.

    `page` is a report as a page of HTML that loads nothing.
    """

    kind: str
    summary: str
    partial: bool
    notes: list[str]
    tables: list[JobTable]
    findings: list[JobFinding]
    marks: list[JobMark]
    questions: list[JobQuestion]
    data: dict[str, object]
    page: NotRequired[str]


class GameChange(TypedDict):
    """A change of the game: its digest, whether all texts are valid, and the plays that no longer fit the game."""

    digest: str
    whole: bool
    plays: list[PlayName]


class MethodShape(NamedTuple):
    """A method: its parameters, its result (or the type of the entries of a list), and its use."""

    params: type
    result: type
    about: str
    is_list: bool = False


METHODS = {
    "warchest/set": MethodShape(SetParams, GameSet, "a game with its documents, setups, options and bots"),
    "warchest/card/new": MethodShape(NewCardParams, NewCard, "a new card, pack or game from a template"),
    "warchest/read": MethodShape(ReadParams, ReadResult, "the reading of sentences"),
    "warchest/words": MethodShape(WordsParams, WordsResult, "the words that can come next, the likeliest first"),
    "warchest/picture": MethodShape(PictureParams, PictureResult, "the picture of a play, a position or a ruling"),
    "warchest/range": MethodShape(RangeParams, RangeDiagram, "the spaces that a card reaches"),
    "warchest/play/new": MethodShape(NewParams, View, "begin a play by a setup or from a position"),
    "warchest/play/apply": MethodShape(ApplyParams, View, "take an option"),
    "warchest/play/bot": MethodShape(BotParams, View, "let a bot decide"),
    "warchest/play/undo": MethodShape(UndoParams, View, "go back, or forward again"),
    "warchest/play/reload": MethodShape(PlayParams, View, "go on with the cards as they are now"),
    "warchest/play/view": MethodShape(ViewParams, View, "the play as a player sees it, or as it is"),
    "warchest/play/whyNot": MethodShape(WhyNotParams, ReasonWhyNot, "the reasons why something is not on offer", True),
    "warchest/play/position": MethodShape(PositionParams, dict, "the position, whole or as a player sees it"),
    "warchest/play/motions": MethodShape(OptionParams, Arrow, "the motions on the board that an option causes", True),
    "warchest/play/save": MethodShape(PlayParams, ReplayText, "the replay of a play"),
    "warchest/play/native": MethodShape(NativeParams, NativeState, "whether bots can search natively, for `mcts`"),
    "warchest/play/page": MethodShape(PageParams, ReplayPage, "a play as a page to look through"),
    "warchest/play/load": MethodShape(LoadParams, View, "begin a play at the end of a replay"),
    "warchest/position/parts": MethodShape(PartsParams, PositionParts, "the parts that positions are made of"),
    "warchest/position/edit": MethodShape(EditParams, CheckedPosition, "edit a position, as by dragging"),
    "warchest/position/check": MethodShape(CheckParams, CheckedPosition, "the problems and the picture of a position"),
    "warchest/play/ruling": MethodShape(RulingParams, RulingResult, "a ruling of decisions of a play"),
    "warchest/rulings/run": MethodShape(RunParams, RunRuling, "run rulings", True),
    "warchest/job": MethodShape(JobParams, JobResult, "a long job about cards, which reports its progress"),
    "warchest/link": MethodShape(LinkParams, LinkResult, "the contents of a link to the cards and a position"),
}
"""The methods of the server's own requests."""
