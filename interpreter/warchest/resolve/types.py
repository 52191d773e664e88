"""The things in a text: types, values with a type, and the scope of a place in a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, Label, quoted
from warchest.ir.values import SET_VARIABLES, Base, Condition, Value, Var
from warchest.source.carried import Carried
from warchest.source.limits import MAX_SETS
from warchest.source.records import record
from warchest.source.text import Span


class Flaw(Carried):
    """A sentence that cannot be understood. Raising it ends only the check of that sentence; see `resolve.check`."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(finding.message)
        self.finding = finding


class NobodyIsYou(Flaw):
    """A flaw of a text that mentions `you`, itself or by the meaning of a word, in a place without a `you`.

    `said` are the words that mean `you`.
    """

    def __init__(self, finding: Diagnostic, said: str = "") -> None:
        super().__init__(finding)
        self.said = said or (finding.span.text if finding.span is not None else "")

    def of_reader(self, word: str, definition: Span, span: Span) -> Flaw:
        """Return a flaw in the definition of a word as a flaw of that word in the text, and any other as it is."""
        found = self.finding
        if found.span is None or found.span.source is not definition.source:
            return self
        if not definition.start <= found.span.start < definition.end:
            return self
        message = f"{quoted(word)} needs a player as {quoted(self.said)}, and there is none here"
        following = span.source.text[span.end : span.end + 40].split()
        noun = following[0].rstrip(".,") if span.text == word and following else ""
        whose = with_article(noun) if noun.isalpha() and noun not in ("when", "and") else "a …"
        labels = (Label(definition, "the meaning of the word"), *found.labels)
        help = f"say whose it is: `{whose} whose owner is …`"
        return NobodyIsYou(report("no-antecedent", message, span, help=help, labels=labels), self.said)


def flaw(
    name: str, message: str, span: Span, help: str = "", labels: tuple[Label, ...] = (), fix: Fix | None = None
) -> Flaw:
    """Return the exception that carries a finding out of the check of a sentence."""
    return Flaw(report(name, message, span, help=help, labels=labels, fix=fix))


@record()
class Typed:
    """A value, its type, and the noun the text has for it (`target` for a piece, say)."""

    value: Value
    base: Base
    noun: str


@record()
class Mention:
    """A single thing that a text has mentioned, with the words of the mention.

    `called` holds the nouns and the name that later words can use for it: those of the phrase, and the noun of the role
    that it fills. A word such as `this` or `you` supplies no noun. `it` refers only to things that were `told` by a
    phrase of their own: neither to a name that `let` gives, nor to a thing that an act `implied`.
    """

    thing: Typed
    called: tuple[str, ...]
    adjectives: tuple[str, ...] = ()
    told: bool = True
    implied: bool = False
    span: Span | None = field(default=None, compare=False)
    line: tuple[Value, Value] | None = field(default=None, compare=False)
    """The beginning and the direction of the straight line in which it was chosen; None if no later words need it."""
    in_window: bool = field(default=False, compare=False)
    """Whether it belongs to an offer that is repeated until all pass, and means another thing each time."""


class Variables:
    """Assigns the numbers of the variables of one piece of code."""

    def __init__(self, used: int, first: int | None = None) -> None:
        self.used, self.first = used, used if first is None else first
        """The number of the next variable, and that of the first which is not a parameter of the code."""
        self.named: dict[int, tuple[str, Span]] = {}
        """The variables named by `let`, each with that name and its place."""
        self.joined: set[int] = set()
        """The variables for a mention that several branches share."""
        self.known: list[Condition] = []
        """The conditions that are known to hold for chosen things, and for the parts of an event."""
        self.set_aside: dict[Span, Var] = {}
        """The part of a number within a budget, by the words for the budget, until the step that changes the number."""
        self.chosen_by: dict[int, Value] = {}
        """The player who chose, for each variable that a player chooses in a text."""

    def new(self, base: Base, noun: str) -> Var:
        """Return a new variable of the code."""
        self.used += 1
        return Var(self.used - 1, base, noun)


ITSELF = "itself"
"""The noun of the actor in scopes that measure distances from it, where the actor is `this`."""
ACTOR = "who acts"
"""The noun of the actor in scopes of events and rules that measure distances from it, where it is not `this`."""


@record()
class Scope:
    """The meanings of words at a place in a text.

    `this` is the carrier of the text, `origin` the default origin of distances, `mentions` the things that `it`, `the
    …` and `that …` can refer to, in the order of their first mention. `ordered` is the piece or the player that gets an
    order, within the phrases of that order. `side` is the noun of the role that a phrase fills, and the player from
    whose side that noun is meant. `asked_of` is the player who gets an offer, within that offer, if that is not `you`.
    """

    variables: Variables
    this: Typed | None = None
    you: Value | None = None
    origin: Typed | None = None
    carrier: int = -1
    mentions: tuple[Mention, ...] = ()
    asked: tuple[Mention, ...] = ()
    """The things whose existence a condition tests; no later word refers to the one found."""
    perhaps: tuple[Mention, ...] = ()
    """The things that conditional steps introduce; later steps cannot refer to them."""
    depth: int = 0
    within: tuple[str, ...] = field(default=())
    ordered: Typed | None = None
    side: tuple[str, Value] | None = None
    asked_of: Value | None = None

    def mentioning(self, *mentions: Mention) -> Scope:
        """Return the scope with further mentions; a thing that is already mentioned keeps its place."""
        known = list(self.mentions)
        for new in mentions:
            at = next((index for index, old in enumerate(known) if old.thing.value == new.thing.value), -1)
            if at < 0:
                known.append(new)
            else:
                old = known[at]
                called = tuple(dict.fromkeys((*old.called, *new.called)))
                adjectives = tuple(dict.fromkeys((*old.adjectives, *new.adjectives)))
                told, implied = old.told or new.told, old.implied and new.implied
                known[at] = replace(old, called=called, adjectives=adjectives, told=told, implied=implied)
        return self._mentioning_only(tuple(known))

    def _mentioning_only(self, mentions: tuple[Mention, ...]) -> Scope:
        """Return the scope with other mentions; `replace` takes five times as long, and this is called most often."""
        return Scope(
            self.variables,
            self.this,
            self.you,
            self.origin,
            self.carrier,
            mentions,
            self.asked,
            self.perhaps,
            self.depth,
            self.within,
            self.ordered,
            self.side,
            self.asked_of,
        )

    def before(self, *things: Typed) -> Scope:
        """Return the scope without the mentions of some things."""
        values = [one.value for one in things]
        return self._mentioning_only(tuple(one for one in self.mentions if one.thing.value not in values))

    def each(self, member: Mention) -> Scope:
        """Return the scope of a loop over several things, in which `it` is the current member."""
        outside = tuple(replace(one, told=False) for one in self.mentions)
        return replace(self, mentions=outside, asked=(), perhaps=()).mentioning(member)

    def doubting(self, behind: Scope) -> Scope:
        """Return the scope after conditional steps: later steps cannot refer to the new things in `behind`."""
        new = tuple(one for one in behind.mentions if one not in self.mentions and one.told and not one.implied)
        return replace(self, perhaps=(*self.perhaps, *new)) if new else self

    def mentions_of(self, noun: str, narrows: Callable[[str, str], bool]) -> list[Mention]:
        """Return the mentions by a noun, a narrower one or a name; implied ones only if there are no others."""
        called = [one for one in self.mentions if any(word == noun or narrows(word, noun) for word in one.called)]
        return [one for one in called if not one.implied] or called

    def about(self, thing: Typed) -> Scope:
        """Return the scope after a thing was mentioned by its noun."""
        return self.mentioning(Mention(thing, (thing.noun,)))

    def from_here(self, origin: Typed | None) -> Scope:
        """Return the scope in which distances without an origin are measured from `origin`."""
        return replace(self, origin=origin) if origin is not None else self

    def member(self, base: Base, noun: str, span: Span) -> tuple[Var, Scope]:
        """Return a variable for the members of a set, and the scope of the set's filters.

        Raises Flaw if too many nested sets would be searched.
        """
        if self.depth >= MAX_SETS:
            message = f"things are described by other things here more than {MAX_SETS} deep"
            help = "cut it into steps; `let` keeps the result of one of them"
            raise flaw("nesting-too-deep", message, span, help)
        return Var(SET_VARIABLES + self.depth, base, noun), replace(self, depth=self.depth + 1)
