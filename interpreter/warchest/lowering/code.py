"""Code as data: the orders of the rules, as numbered instructions in routines.

A machine carries the code out. Every instruction knows the text it comes from, and whether its routine can fail from
there on. Conditions, sets and values are those of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from warchest.ir import steps as ir
from warchest.ir.ruleset import AGENT, FIXED, Domain, Hook, Rule, StateRule, Verb
from warchest.ir.values import EVENT_VARIABLES, EVENT_WIDTH, NOTHING, SET_VARIABLES, Base, Condition, Set, Value
from warchest.lowering.failure import Failure
from warchest.source.records import record
from warchest.source.text import Span

UNSET = -2
"""The value of a role that is still to be chosen."""
LISTS: dict[str, str] = {f"{base}s": base for base in get_args(Base)}
"""The types of variables that hold the rest of a set in a loop, each with the type of its members.

The first entry of such a value says whether a member has been taken already.
"""
MENTIONING = ("piece", "token", "pieces", "tokens", "queue")
"""The types of variables that can name pieces, or tokens that pieces are made of."""
Note: TypeAlias = tuple[str, str, int]
"""One item of an option's description: a role with its type and value; or a verb, under one of the keys in VERBS.

A chosen role has its own key; for a settled role, SETTLED is appended to the key.
"""
SETTLED = "?"
"""The end of the key of a role without a choice: options may leave it out if it adds nothing new."""
DOES = "does"
"""The key of a note that distinguishes an option from others with the same words: its text, and its number."""
VERBS = frozenset(("act", "act?", "kind", "within", "instead"))
"""Keys of notes that name no thing: an act; an act that names an option only if nothing else does; a chosen kind of
act; the take-over by a document's own text; an act that is replaced.
"""
WITHIN: Note = ("within", "", 0)
WITHIN_ANY: Note = ("within", "any", 0)
"""Notes that a document's own text takes over; the second also says that any equal piece could carry it out."""
INSTEAD = "instead"
"""The key of a note of an act that is replaced."""
DECLINED = "decline"
"""The act of not taking an offer."""
DECLINE = -1
"""The candidate for declining an offer."""
Outs: TypeAlias = tuple[tuple[int, int], ...]
"""Copy-out: variables of a routine, each with the variable of the frame below that receives it in the end."""
RoutineOrigin: TypeAlias = Literal["verb", "hook", "block", "state", "game", "act"]
OWN = ("hook", "block")
"""The origins of texts that belong to documents, not to a word of the rules."""
LEFT_OUT = (OWN, ("verb",), ("act",))
"""The origins of code that lapses if it proves impossible, in order: a text of a document's own, a definition of an
act, an act whose definition is still to be chosen.
"""


@record()
class Announcement:
    """The description of an order in an option: a note of the verb, if any, and settled roles: key, type, value."""

    verb: Note | None
    roles: tuple[tuple[str, Base, Value], ...]


SILENT_ORDER = Announcement(None, ())
"""The announcement of an order that options do not mention."""


@record(kw_only=True)
class Instruction:
    """The base of all instructions: its text, and whether the rest of the routine from it on can fail."""

    span: Span | None = field(compare=False, repr=False)
    failure: Failure


# ---- control


@record()
class Jump(Instruction):
    """Go on at another instruction."""

    target: int


@record()
class Branch(Instruction):
    """Go on here if a condition holds; jump to `otherwise` if not."""

    condition: Condition
    otherwise: int


@record()
class LoopTest(Instruction):
    """Begin a round of a loop, or go to its `end` if the condition holds; `about` are pieces it is about.

    The loop ends, too, when one of these has left the board, as the condition would never become true.
    """

    condition: Condition
    about: tuple[int, ...]
    end: int


@record()
class RequirePieces(Instruction):
    """Go on here if some pieces are all on the board; otherwise the orders about them lapse up to `absent`."""

    pieces: tuple[int, ...]
    absent: int


@record()
class Again(Instruction):
    """Go back to the `start` of a loop. Each round is a separate decision.

    Between two rounds `of_game` itself no act is under way, so that looking ahead ends there.
    """

    start: int
    of_game: bool


@record()
class KeepMembers(Instruction):
    """Keep the members of a set in a variable, for a loop."""

    slot: int
    among: Set


@record()
class Next(Instruction):
    """Take the next member of a loop into a variable, or go to its `end`."""

    place: int
    slot: int
    end: int


@record()
class Fence(Instruction):
    """The end of steps that are tried by themselves: looking ahead stops here. Play itself goes on at `target`."""

    target: int


@record()
class Attempt(Instruction):
    """Carry out the instructions up to a fence if they can be completed; otherwise skip them.

    If they can be completed exactly when a set has members, `certain` is this set.
    """

    fence: int
    certain: Set | None


@record(kw_only=True)
class AskAhead(Instruction):
    """Look ahead whether the instructions up to a fence could be completed now, store the answer, and skip them.

    They cannot be completed if one of the things that are `needed` is missing.
    """

    place: int
    needed: tuple[Value, ...]
    fence: int


# ---- choice points


@record(kw_only=True)
class ChoicePoint(Instruction):
    """A choice by a player or by chance: alternatives are tried and undone here.

    `chooser` is the player who chooses, None for chance, or if the kind of choice determines the player. An option
    names the candidate under `key`. An option ends here if `ends` is set, unless the agent bears one of the documents
    `unless`. `by_chance`: chance decides, and equal tokens count by their number.
    """

    key: str = ""
    base: str = "branch"
    chooser: Value | None = None
    ends: bool = False
    unless: tuple[int, ...] = ()
    by_chance: bool = False


@record()
class Pick(ChoicePoint):
    """A member of a set is stored in the variable `place`.

    `announcement` belongs to the act that the choice begins. If `verb` is not -1, candidates that make that verb
    forbidden are left out; `variables` are the act's variables up to its last role. If `orders` is not -1, the member
    is a piece that is ordered to do that verb.
    """

    place: int
    among: Set
    announcement: Announcement | None
    verb: int
    variables: tuple[Value, ...]
    orders: int = -1


@record()
class PickBranch(ChoicePoint):
    """One of several branches, by their first instructions; an offer can be declined, which goes to `declined`.

    `tacit`: taking the offer names an act, so that declining needs no words. `announcement`: the words of taking an
    offer that begins with no act. `closes`: the option to take the offer ends there. `in_window`: looking ahead counts
    the offer as declined. `texts` are the texts of the branches.
    """

    targets: tuple[int, ...]
    declined: int
    tacit: bool
    in_window: bool
    announcement: Announcement | None
    closes: bool
    texts: tuple[Span, ...] = field(compare=False, repr=False)


@record()
class PickMember(ChoicePoint):
    """The member of a loop that acts next; only members for which the `body` up to the `fence` can be carried out.

    If no member is left, the loop goes on at `done`, but fails if no member has acted yet.
    """

    place: int
    slot: int
    body: int
    fence: int
    done: int


@record()
class PickRole(ChoicePoint):
    """A role of an act is filled with a thing that is normally or specially permitted, unless it is filled already."""

    verb: int
    role: int
    place: int


@record()
class PickWay(ChoicePoint):
    """One of several definitions of an act, with the piece that bears its document."""

    verb: int


@record()
class PickKind(ChoicePoint):
    """One of the verbs that are kinds of an act."""

    verb: int
    kinds: tuple[int, ...]


@record()
class PickHook(ChoicePoint):
    """Carry out the waiting hooks, one after another; the active player orders them if the order matters."""

    verb: int


@record()
class OrderAnswers(ChoicePoint):
    """The first answer, chosen among the answers that wait to replace an event."""

    verb: int


@record()
class PickAnswer(ChoicePoint):
    """An answer that replaces an event: the first waiting answer, or one of several that one player is offered."""

    verb: int


# ---- acts and events


@record()
class CallAct(Instruction):
    """Order an act: its `variables` are computed, and it lapses if one of the `living` pieces has gone.

    `step` is its order; `announcement` is None if an earlier choice has announced it.
    """

    verb: int
    variables: tuple[Value, ...]
    living: tuple[int, ...]
    outs: Outs
    announcement: Announcement | None
    step: ir.Call = field(compare=False, repr=False)


@record()
class Check(Instruction):
    """Fail if an act is forbidden whose roles are all filled."""

    verb: int


@record()
class Enter(Instruction):
    """Replace an act that has only one definition by its event."""

    verb: int


@record()
class Collect(Instruction):
    """Note the hooks that answer an event at a stage."""

    verb: int
    stage: Literal["before", "when", "after"]


@record()
class Judge(Instruction):
    """Note, when an event begins, which of the hooks judged then will answer it at their stages."""

    verb: int


@record()
class LapseWithout(Instruction):
    """End an event whose agent has gone before it."""

    verb: int


@record()
class FindAnswers(Instruction):
    """Note the answers that can replace an event; if there are no answers, the choices among them are skipped."""

    verb: int


@record()
class StillDue(Instruction):
    """End an event that an answer has replaced, unless the state rule that ordered it would order it again.

    If the answer has not removed the reason, the event goes on, and no further answer is asked for.
    """

    verb: int


@record()
class Hold(Instruction):
    """Hold back immediate consequences while hooks wait (`change` 1), or release them again (-1)."""

    change: int


@record()
class AskLater(Instruction):
    """Postpone a question that is always asked until some hooks are carried out (`change` 1), or ask it now (-1)."""

    change: int


@record()
class Body(Instruction):
    """Carry out the definition of an event."""

    verb: int


@record()
class Settle(Instruction):
    """Carry out immediate consequences, until there are no more."""


@record()
class Finish(Instruction):
    """End a routine: an event first `settles` all immediate consequences. An option that it `extends` ends here."""

    settles: bool
    extends: bool


@record()
class PerformBlock(Instruction):
    """Carry out a block of the document of a piece, or of a token for the player `by`."""

    block: str
    of: Value
    by: Value
    of_piece: bool


@record()
class Opening(Instruction):
    """Begin the game after its setup: the first question of play is asked in any case."""


@record()
class Plain(Instruction):
    """A step without a choice: tokens and pieces move, fields and variables get values.

    `announces`: the step names the effect of an option of a document's own text.
    """

    step: ir.Order
    announces: bool


# ---- routines


@dataclass(slots=True)
class Wait:
    """Routines that can be under way above a frame, by name, and the variables that they hand back to it."""

    routines: tuple[str, ...]
    outs: Outs


@dataclass(slots=True, eq=False)
class Routine:
    """A piece of code. `bases` are the types of its variables, `known` the variables chosen before a place."""

    name: str
    origin: RoutineOrigin
    verb: int
    bases: tuple[str, ...]
    instructions: list[Instruction] = field(default_factory=list)
    known: list[frozenset[int]] = field(default_factory=list)
    stages: bool = False
    """Whether these are the stages of an event, around the body of an act."""
    holding: range = range(0)
    """The instructions before which these stages may defer the state rules."""
    asking: range = range(0)
    """The instructions before which these stages may have postponed a question."""
    replaced: int = -1
    """The instruction at which these stages go on after an answer that replaces the event."""
    ending: int = -1
    """The first instruction of the end of these stages, which also follows an answer that replaces the event."""
    values: tuple[tuple[int, int], ...] = ()
    """The variables in which these stages save the values of their act in an outer event, each with its field."""
    loops: list[tuple[int, int, int]] = field(default_factory=list)
    """The loops over sets: the first and the last instruction of a round, and the variable with the rest of the set."""
    waits: dict[int, list[Wait]] = field(default_factory=dict)
    """The routines that can be under way above this one while it waits before an instruction."""
    tokens: tuple[int, ...] = ()
    mentions: tuple[int, ...] = ()
    """The variables that can name pieces, or tokens that pieces are made of."""
    nested: bool = False
    """Whether pieces can be named within the value of a variable."""

    def __post_init__(self) -> None:
        self.of_bases(self.bases)

    @property
    def event(self) -> int:
        """The verb of the event that these stages carry out; -1 for other routines."""
        return self.verb if self.origin == "verb" else NOTHING

    def of_bases(self, bases: tuple[str, ...]) -> None:
        """Set the bases of the variables."""
        self.bases = bases
        self.tokens = tuple(place for place, base in enumerate(bases) if base == "token")
        self.mentions = tuple(place for place, base in enumerate(bases) if base in MENTIONING)
        self.nested = any(bases[place] != "piece" for place in self.mentions)

    def add(self, instruction: Instruction, known: frozenset[int] = frozenset()) -> int:
        """Add an instruction and return its number; `known` are the variables that have been chosen before it."""
        self.instructions.append(instruction)
        self.known.append(known)
        return len(self.instructions) - 1

    def clause(self, pc: int) -> Span | None:
        """Return the text of an instruction; after the last one, the text of the whole routine."""
        return self.instructions[min(pc, len(self.instructions) - 1)].span

    @property
    def has_text(self) -> bool:
        """Whether the routine comes from a text at all."""
        return bool(self.instructions)


@record()
class Way:
    """A definition of an act: its document (-1: none), and its routine."""

    carrier: int
    always: bool
    routine: Routine


@dataclass(slots=True, eq=False)
class Act:
    """A verb that can be ordered: its variables are this, you, the manner, the agent, the roles, way, chooser."""

    number: int
    verb: Verb
    bases: tuple[str, ...]
    domains: tuple[tuple[Domain, ...], ...]
    routine: Routine
    ways: list[Way] = field(default_factory=list)
    stages: Routine | None = None
    """The stages of its event, if a hook can answer it."""
    direct: bool = False
    """Whether there is no choice between the order and the event."""
    plain: tuple[Plain, ...] = ()
    """The instructions of a definition with only plain changes, which needs no frame of its own."""
    judged: tuple[BoundHook, ...] = ()
    """The hooks judged when its event begins that answer it later, when their conditions may have other results."""
    awaits: bool = False
    """Whether its event can bring a piece onto the board that carries an answer to it."""
    needs: frozenset[int] | None = None
    """The documents that let their bearers do the act; None if no document is needed."""
    roles: int = field(init=False)
    """The number of its roles."""
    way_place: int = field(init=False)
    """The variable of the way, after the roles."""
    chooser_place: int = field(init=False)
    """The variable of the player who chooses."""
    rules: list[Rule] = field(init=False)
    """The rules that forbid it."""
    by_piece: bool = field(init=False)
    """Whether it is an act of pieces."""
    numbers: tuple[int, ...] = field(init=False)
    """The variables of its numbers, which hooks on it can change."""
    affected: int = field(init=False)
    """The variable of the first piece that the act is done to, which is not its source; -1 if there is none."""
    values: tuple[int, ...] = ()
    """The fields in which its values are kept while its event is under way."""
    unfilled: tuple[int, ...] = field(init=False)
    """The initial values of the roles: UNSET for those that can be chosen."""
    told: bool = field(init=False)
    """Whether the log reports it; acts of the game and of the machine, and moments of acts, are left out."""

    def __post_init__(self) -> None:
        verb = self.verb
        self.roles, self.rules, self.by_piece = len(verb.roles), verb.forbidden, verb.by == "piece"
        self.way_place, self.chooser_place = len(self.bases) - 2, len(self.bases) - 1
        self.unfilled = tuple(UNSET if domains else NOTHING for domains in self.domains)
        self.numbers = tuple(place for place, base in enumerate(self.bases) if base == "number")
        pieces = (
            place for place, one in enumerate(verb.roles, FIXED) if one.base == "piece" and not verb.is_source(one)
        )
        self.affected = next(pieces, NOTHING)
        self.told = verb.by != "game" and not verb.built_in and verb.moment_of < 0

    @property
    def judged_place(self) -> int:
        """The variable for the hooks judged early in the stages of its event, after roles and saved values."""
        return self.way_place + len(self.values)

    @property
    def judges(self) -> bool:
        """Whether the stages of its event begin with a judgement, kept in the variable `judged_place`."""
        return bool(self.judged)


@record()
class BoundHook:
    """A hook for one verb; `places` are the variables of the event that fill its own, from the agent on.

    `certain`: it cannot fail. `ended`: the clauses that it would end, if that is its only purpose. `causes`: the
    required causes of the event, as far as they cannot change while it is under way; None if the hook requires no
    cause. `about_token`: its document is that of a token that the act uses, so that no piece has to bear it. `lasting`:
    its facts about the event do not change while that is under way. `awaited`: the event can bring a piece onto the
    board that carries it. `outs` are the numbers of the event that it changes, in the form in which it hands them back.
    `late` is the part of its condition that is about numbers of the event which earlier hooks can change; the rest, its
    `early` part, is judged when the event begins.
    """

    number: int
    hook: Hook
    routine: Routine
    places: tuple[int, ...]
    certain: bool
    ended: frozenset[int]
    causes: Condition | None
    lasting: bool
    awaited: bool
    about_token: bool
    outs: Outs = ()
    early: Condition | None = None
    late: Condition | None = None

    @property
    def judged(self) -> Condition:
        """The condition that is judged when the event begins."""
        return self.hook.condition if self.early is None else self.early


@record()
class BoundStateRule:
    """A rule that is carried out as soon as a set has a member."""

    routine: Routine
    rule: StateRule


def choice_points(routine: Routine) -> Iterator[tuple[int, ChoicePoint]]:
    """Yield the choice points of a routine with their numbers."""
    for number, one in enumerate(routine.instructions):
        if isinstance(one, ChoicePoint):
            yield number, one


def variable(number: int) -> str:
    """Return the name of a variable in the expressions of both machines: of a frame, a set or an event."""
    if number >= EVENT_VARIABLES:
        depth, place = divmod(number - EVENT_VARIABLES, EVENT_WIDTH)
        return f"f{depth}[{AGENT + place}]"
    return f"e[{number}]" if number < SET_VARIABLES else f"x{number - SET_VARIABLES}"
