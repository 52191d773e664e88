"""Everything that is loaded for a game: kinds, zones, fields, documents, verbs with their rules, hooks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from warchest.ir.steps import Code, Grant, Prevail
from warchest.ir.values import All, Base, Condition, FieldOf, Set, Value, Var, asks_nothing
from warchest.source.records import record
from warchest.source.text import Span

LASTS = "until"
"""The value of `per` for a field that lasts until a moment."""
Filled: TypeAlias = int | tuple[str, int]
"""The filling of a letter of a borne document: a number (also that of a document), or a bonus: its name and amount."""

THIS, YOU, MANNER, AGENT = 0, 1, 2, 3
"""The first variables of every piece of code; the roles of the verb follow."""
BY = "by"
"""The word for the doer among the parts of an act."""
FIXED = 4
"""The number of variables before the roles."""


@record()
class Zone:
    """A place for tokens: one for each player or team, or one for the game. Of its faces, the first is the default."""

    name: str
    of: Literal["player", "team", "game"]
    holds: str
    seen_by: Literal["all", "owner", "nobody", "face"]
    faces: tuple[str, ...]

    @property
    def of_player(self) -> bool:
        """Whether every player has such a zone."""
        return self.of == "player"


@record()
class Field:
    """A value of every space, player, team or piece, or (`of` empty) one of the game.

    A trail is kept as a number; `steps` is the type of its steps. A trail of places keeps the space of a piece and the
    fields of the piece that are `beside` it. A field that counts acts has the time that it counts for as `per`: it is
    reset to 0 when the next turn or round begins. With `until`, the field keeps whether a text is in force: for a
    player a flag, for a piece the player who applied it. A field that a game declares can last for a time (`lasts`):
    it is reset when the next turn or round begins. A field of a piece can last for acts (`lasts_for`: their verbs): it
    is reset when one of these is over and none is under way any more. A value of an act (`act`: the verb) belongs to
    the innermost event of the act that is under way, and has its default if there is none. One such flag, which texts
    cannot name, is set while the act is under way (`is_under_way`). A part of an act is a value that texts do not
    change: the doer of the act, or the thing in one of its roles.
    """

    name: str
    of: Literal["space", "player", "team", "piece", ""]
    base: Base
    steps: Base | None = None
    per: Literal["", "turn", "round", "game", "until"] = ""
    lasts: Literal["", "turn", "round"] = ""
    lasts_for: tuple[int, ...] = ()
    act: int = -1
    is_under_way: bool = False
    part: str | None = None
    """The role of the act that a part names, by its preposition (empty: the object; `by`: the doer); None for other
    verbs."""
    beside: tuple[int, ...] | None = None

    @property
    def width(self) -> int:
        """The number of parts in each step of a trail."""
        return 1 + len(self.beside or ())

    @property
    def is_timed(self) -> bool:
        """Whether it counts for a turn or a round, or is reset when the next turn or round begins."""
        return bool(self.lasts) or self.per in ("turn", "round")


@record()
class Kind:
    """A kind of piece, the kind of document that is its sheet, and the tokens it is made of."""

    name: str
    sheet: str
    holds: str
    alone: bool = False
    """Whether a space takes only one piece of this kind."""
    by_name: bool = False
    """Whether labels of options call it by its printed name."""
    remains_of: int = -1
    """The kind whose pieces can become pieces of this kind, and turn back; -1 if there is none."""
    keeps: tuple[int, ...] = ()
    """The fields that keep their values when a piece changes between the two kinds."""


@record()
class Sheet:
    """A document that pieces and tokens are of, with the numbers and the lists of spaces written on it."""

    name: str
    kind: str
    set: str
    numbers: dict[str, int]
    source: str
    blocks: dict[str, Code]
    spaces: dict[str, tuple[str, ...]] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    """The letters of the parameters, which the bearer of this document fills in."""
    filled_by: dict[str, str] = field(default_factory=dict)
    """The letters that a document fills in, each with its kind."""
    called: dict[str, str] = field(default_factory=dict)
    """The letters whose number follows a word, each with that word."""
    bears: dict[int, tuple[Filled, ...]] = field(default_factory=dict)
    """The documents that things of this one bear, by number, with their fillings."""
    names: dict[str, int] = field(default_factory=dict)
    """The documents that this one names under keys, by number."""
    spoken: bool = True
    """Whether texts can name it: its name is among the words of the game."""
    plural: str = ""
    """The plural of its name, if it is irregular."""


@record()
class Role:
    """A role of a verb: its preposition (empty: the object) and the things that fill it."""

    word: str
    noun: str
    base: Base

    @property
    def is_quantity(self) -> bool:
        """Whether the role is the number of an act, with a noun of its own: `to suffer damage`."""
        return self.base == "number" and self.word == ""


@record()
class Rule:
    """A prohibition: the act is forbidden where the condition holds.

    The variables are those of the verb: this, you, the manner, the agent, the roles. `carrier` is the document of the
    rule (-1: none); `this` is then the role numbered `this_role` (agent 0), or any piece of the carrier if that is -1.
    """

    carrier: int
    this_role: int
    condition: Condition
    span: Span = field(compare=False, repr=False)


@record()
class CountedActs:
    """A count of the acts that a rule is about, in the field of `place`, up to `most`."""

    rule: Rule
    place: FieldOf
    most: int


@record()
class Domain:
    """The candidates of a role if the text that orders the act does not name any."""

    carrier: int
    this_role: int
    applies: Condition
    role: int
    among: Set
    span: Span = field(compare=False, repr=False)

    @property
    def always(self) -> bool:
        """Whether the domain applies to all agents, in every state."""
        return self.carrier < 0 and asks_nothing(self.applies)


@record()
class Definition:
    """One way to do a verb, open to all agents that fit the condition; a definition of no document is open to all."""

    carrier: int
    applies: Condition
    code: Code


@dataclass(slots=True)
class Verb:
    """A verb with everything that the rules state about it."""

    name: str
    act: str
    by: Literal["piece", "player", "game"]
    agent_noun: str
    parents: tuple[int, ...]
    kinds: tuple[int, ...] = ()
    """The verbs that are kinds of it, itself included unless it is a name."""
    is_name: bool = False
    """Whether it is only a name for several kinds of acts."""
    yields: str = ""
    built_in: bool = False
    """Whether the machine itself causes its events, and no text defines, orders or forbids it."""
    moment_of: int = -1
    """The act that it is a moment of, with the same doer and roles; -1 if it is not a moment."""
    roles: list[Role] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    domains: list[Domain] = field(default_factory=list)
    forbidden: list[Rule] = field(default_factory=list)
    counts: list[CountedActs] = field(default_factory=list)
    """The counts of its acts, for rules that limit them."""

    def is_source(self, role: Role) -> bool:
        """Whether a role is the source of an act with a number; the source can be missing: `from nobody`."""
        return (role.word, role.base) == ("from", "piece") and any(one.is_quantity for one in self.roles)


@record()
class Hook:
    """Code that is triggered by events of some verbs.

    `optional` marks an `instead` that is offered rather than ordered, to the player `asked`; None means the player who
    decides for the carrier. `this_role` is as for rules. `roles` has for each verb (in the order of `verbs`) the roles
    of the code's parameters after the agent.
    """

    stage: Literal["before", "when", "instead", "after"]
    verbs: tuple[int, ...]
    carrier: int
    this_role: int
    condition: Condition
    optional: bool
    asked: Value | None
    code: Code
    span: Span = field(compare=False, repr=False)


@record()
class StateRule:
    """A rule carried out as soon as a set has a member; the member is the code's first role."""

    among: Set
    code: Code


@record()
class InitialValue:
    """The initial value of a value of an act; it depends only on the parts of the act."""

    number: int
    value: Value
    span: Span = field(compare=False, repr=False)


@record()
class StandingChange:
    """A change of a number of pieces, made wherever a text settles the number; without an amount the number doubles.

    It is about the bearer of a document (`of_this`), or about each piece, the variable of the agent, that satisfies the
    condition; `this` is the bearer, as in all rules.
    """

    carrier: int
    of_this: bool
    number: int
    """The field that holds the number."""
    sign: int
    amount: Value | None
    condition: All
    span: Span = field(compare=False, repr=False)


@dataclass(slots=True)
class Ruleset:
    """The whole of a loaded game."""

    name: str
    kinds: list[Kind]
    zones: list[Zone]
    fields: list[Field]
    sheets: list[Sheet]
    verbs: list[Verb]
    manners: list[str]
    singles: list[str]
    active: int = -1
    orders: int = -1
    """The field of the game for the player who orders the answers that replace an event; -1: the affected one."""
    decides: int = -1
    """The field of a piece that names the player who decides for it; -1 if that is its owner."""
    raised: list[str] = field(default_factory=list)
    """The names that bonuses can raise: the keys of printed numbers, and the names of documents that pieces bear."""
    grants: list[str] = field(default_factory=list)
    """The clauses that give a bonus, or override a value, for a time."""
    upheld: dict[int, tuple[int, Grant | Prevail]] = field(default_factory=dict)
    """For each such clause its document, and the step that gives the bonus or value."""
    prevailing: list[int] = field(default_factory=list)
    """The fields of pieces that texts override for a time, hiding the values before."""
    kept: list[int] = field(default_factory=list)
    """The fields of pieces that belong to the present form of a piece."""
    heading: int = -1
    """The field of a piece for the direction that it faces; -1 if none is."""
    token_sheets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    limits: dict[str, Value] = field(default_factory=dict)
    measures: dict[tuple[str, int], Value] = field(default_factory=dict)
    """The declared numbers that pieces of a kind have, by noun and kind; the piece is the first role."""
    hooks: list[Hook] = field(default_factory=list)
    state_rules: list[StateRule] = field(default_factory=list)
    standing: list[StandingChange] = field(default_factory=list)
    beginnings: list[InitialValue] = field(default_factory=list)
    impossible: list[tuple[str, Var, Condition]] = field(default_factory=list)
    """Adjectives that no space, or no piece of a kind, may fit between two acts: with role and condition."""
    play: Code | None = None
    concession: int = -1
    """The verb for giving the game up; -1 if players cannot."""
    times: dict[tuple[str, str], int] = field(default_factory=dict)
    """The verbs whose events start and end turns and rounds: by `turn` or `round`, and `starts` or `ends`."""
    falls: int = -1
    """The verb of a piece that leaves the board; -1 if the game uses the word otherwise."""
    setups: dict[str, Code] = field(default_factory=dict)
    variables: dict[int, Var] = field(default_factory=dict)
    _by_name: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _indexed: int = field(default=0, init=False, repr=False, compare=False)
    """The numbers of the first `_indexed` sheets by their names: sheets are only added, and never renamed."""

    def under_way(self, act: int) -> int:
        """Return the field that is set while an act with values is under way, by its verb."""
        return next(number for number, one in enumerate(self.fields) if one.act == act and one.is_under_way)

    @property
    def passing(self) -> dict[tuple[int, ...], list[int]]:
        """The fields of pieces that last for acts, by the verbs of the acts."""
        found: dict[tuple[int, ...], list[int]] = {}
        for number, one in enumerate(self.fields):
            if one.lasts_for:
                found.setdefault(one.lasts_for, []).append(number)
        return found

    def with_moments(self, act: int) -> tuple[int, ...]:
        """Return the verbs that are kinds of an act, and the verbs that are moments of the act."""
        return (*self.verbs[act].kinds, *(number for number, one in enumerate(self.verbs) if one.moment_of == act))

    def codes(self) -> Iterator[Code]:
        """Yield all code there is: of the game, its setups, documents, verbs, hooks and state rules."""
        yield from (one for one in (self.play, *self.setups.values()) if one is not None)
        for sheet in self.sheets:
            yield from sheet.blocks.values()
        for verb in self.verbs:
            yield from (definition.code for definition in verb.definitions)
        yield from (hook.code for hook in self.hooks)
        yield from (rule.code for rule in self.state_rules)

    def texts(self) -> Iterator[tuple[int, Code, Hook | None]]:
        """Yield the texts of documents, acts and answers, each with the document that carries it (-1: none).

        An answer comes with its hook.
        """
        for number, sheet in enumerate(self.sheets):
            yield from ((number, code, None) for code in sheet.blocks.values())
        yield from ((way.carrier, way.code, None) for verb in self.verbs for way in verb.definitions)
        yield from ((hook.carrier, hook.code, hook) for hook in self.hooks)

    def kinds_of(self, document: int) -> tuple[int, ...]:
        """Return the kinds of pieces that can be of a document; empty for -1."""
        sheet = self.sheets[document].kind if document >= 0 else ""
        return tuple(number for number, one in enumerate(self.kinds) if sheet and one.sheet == sheet)

    def with_codes(self, change: Callable[[Code], Code]) -> Ruleset:
        """Return the rules with all code changed."""
        return replace(
            self,
            play=change(self.play) if self.play is not None else None,
            setups={name: change(code) for name, code in self.setups.items()},
            sheets=[
                replace(sheet, blocks={name: change(code) for name, code in sheet.blocks.items()})
                for sheet in self.sheets
            ],
            verbs=[
                replace(verb, definitions=[replace(way, code=change(way.code)) for way in verb.definitions])
                for verb in self.verbs
            ],
            hooks=[replace(hook, code=change(hook.code)) for hook in self.hooks],
            state_rules=[replace(rule, code=change(rule.code)) for rule in self.state_rules],
        )

    def named_together(self, kinds: tuple[int, ...]) -> tuple[Verb, ...]:
        """Return the smallest set of verbs that together name some acts, in their order; empty if no verbs do."""
        found = list[Verb]()
        while kinds:
            wide = [verb for verb in self.verbs if kinds[: len(verb.kinds)] == verb.kinds != ()]
            if not wide:
                return ()
            found.append(max(wide, key=lambda one: len(one.kinds)))
            kinds = kinds[len(found[-1].kinds) :]
        return tuple(found)

    @property
    def all_kinds(self) -> tuple[int, ...]:
        """The numbers of all kinds of pieces."""
        return tuple(range(len(self.kinds)))

    def kinds_in(self, zone: int) -> tuple[str, ...]:
        """Return the kinds of documents that the tokens in a zone can be of."""
        return self.token_sheets[self.zones[zone].holds]

    def sheet_number(self, name: str, kinds: Collection[str] = ()) -> int:
        """Return the number of the document called `name`, or -1; only of some kinds, if any are given.

        If there are several, the result is the one that texts can name.
        """
        for number in range(self._indexed, len(self.sheets)):
            self._by_name.setdefault(self.sheets[number].name, []).append(number)
        self._indexed = len(self.sheets)
        found = [number for number in self._by_name.get(name, ()) if not kinds or self.sheets[number].kind in kinds]
        return next((number for number in found if self.sheets[number].spoken), found[0] if found else -1)
