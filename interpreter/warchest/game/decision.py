"""Decisions and options as a user sees them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from warchest.diagnostics.suggest import did_you_mean
from warchest.engine.choices import clause_ordered, weight_of
from warchest.engine.options import OptionSet, Path
from warchest.engine.runs import ordering_at
from warchest.game.errors import OptionError
from warchest.game.placing import OptionPlace, places_of
from warchest.game.telling.labels import KINDS, NUMBERED, REPEATS, REPLACED, OptionWords, describe, id_of, label_of
from warchest.lowering.code import DECLINED, SETTLED, VERBS, ChoicePoint, Note, Pick, PickAnswer

if TYPE_CHECKING:
    from warchest.engine.runs import Run
    from warchest.game.variant import Variant
    from warchest.native.shared_game import Moment
    from warchest.source.text import Span


DRAWS, WHOLE = 2**32 - 1, 2**64 - 1
"""The number of different random numbers for a draw; and the greatest mark of an option."""


class Random(Protocol):
    """The methods that a source of chance must have; `random.Random` has them."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 up to, not including, `stop`."""


class Option:
    """A choice of a decision. Two options are equal when their data are."""

    __slots__ = ("_told", "_variant", "alike", "detail", "moment", "path", "weight", "whole")

    def __init__(self, variant: Variant, moment: list[int], path: Path, weight: int = 1, whole: int = 1) -> None:
        # The memory is that of the decision: the words of an option stay the same when the game goes on.
        self._variant, self.path = variant, path
        self.moment: Any = moment
        self.weight, self.whole = weight, whole
        self.detail = 0
        """The additions to the option's words without which another option would read the same: see KINDS."""
        self.alike: Callable[[], Sequence[Option]] | None = None
        """A function that lists the options among which equal ones are searched for, called once a name is needed."""
        self._told: OptionWords | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The option as data: `act`, and one key for each role. It is a copy that the caller may change."""
        return dict(self._named().data)

    def _named(self) -> OptionWords:
        if self.alike is not None:
            options, self.alike = self.alike(), None
            if options:
                _tell_apart(options, self._variant.crowded(self.moment))
            for one in options:
                if one.path.taken == self.path.taken:
                    self.detail, self._told = one.detail, one._told
        if self._told is None:
            self._told = describe(self.path.notes, self._variant, self.moment, self.detail)
        return self._told

    @property
    def label(self) -> str:
        """The option as one line of text."""
        told = self._named()
        return label_of(told.data, told.names)

    @property
    def id(self) -> str:
        """A text made of the option's data; no other option of the decision has the same text.

        An equal option has the same id in every process with any other cards loaded; `Decision.by_id` finds it again.
        """
        return id_of(self.data)

    @property
    def places(self) -> tuple[OptionPlace, ...]:
        """The places of the things named in the option, by the keys of its data."""
        return tuple(places_of(self._named().things, self._variant, self.moment))

    @property
    def probability(self) -> Fraction:
        """The probability of the option where chance decides; 1 for a player's option."""
        return Fraction(self.weight, self.whole)

    @property
    def act(self) -> str:
        """The name of the act, without the work of naming the other parts."""
        return self.path.act

    @property
    def declines(self) -> bool:
        """Whether the option only declines an offer."""
        return self.path.act == DECLINED

    def about(self, pieces: int) -> bool:
        """Whether the option concerns any of a set of pieces."""
        return any(base == "piece" and value >= 0 and pieces >> value & 1 for _, base, value in self.path.notes)

    def repeats(self) -> bool:
        """Whether the same thing is named more than once on the option's path."""
        named = [note[1:] for note in self.path.notes if note[0] not in VERBS]
        return len(set(named)) < len(named)

    def __getstate__(self) -> tuple[Any, ...]:
        told = self._named()
        return self._variant, self.moment, self.path, self.weight, self.whole, self.detail, None, told

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        self._variant, self.moment, self.path, self.weight, self.whole, self.detail, self.alike, self._told = kept

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and self._named().data == other._named().data

    def __hash__(self) -> int:
        return hash(self.label)

    def __repr__(self) -> str:
        return f"Option({self.label!r})"


class Offers:
    """The options of a player, each created when it is asked for."""

    # Drawn options are not kept: a reference cycle would be freed late, together with the list of options.
    __slots__ = ("_all", "_variant", "clause", "set")

    def __init__(self, variant: Variant, options: OptionSet, clause: Span | None) -> None:
        self._variant, self.set, self.clause = variant, options, clause
        self._all: tuple[Option, ...] | None = None

    def all(self) -> tuple[Option, ...]:
        """Return all options, in a fixed order."""
        if self._all is None:
            paths, moment = self.set.settle(), self.set.memory
            self._all = tuple([Option(self._variant, moment, path) for path in paths])
            if len(paths) > 1 and self._may_read_the_same():
                for option in self._all:
                    option.alike = self.all
        return self._all

    def keys(self) -> tuple[tuple[int, ...], ...]:
        """Return the candidates that each option takes."""
        return tuple([one.path.taken for one in self.all()])

    def _may_read_the_same(self) -> bool:
        return self.set.alike or self._variant.mixed(self.set.memory) or self._has_same_parts()

    def _has_same_parts(self) -> bool:
        """Whether two options have the same act and the same things; they may differ in an act that is not shown."""
        seen = set[tuple[Any, ...]]()
        for path in self.set.paths:
            parts = path.act, *(note for note in path.notes if note[0] not in VERBS and note[0][-1:] != SETTLED)
            if parts in seen:
                return True
            seen.add(parts)
        return False

    def taking(self, candidates: tuple[int, ...]) -> Option:
        """Return the option that takes some candidates, which is known not to fail."""
        return self._option(next(number for number, path in enumerate(self.set.paths) if path.taken == candidates))

    def _alike(self) -> Sequence[Option]:
        """Return all options if some may read the same, otherwise an empty list."""
        return self.all() if self._may_read_the_same() else ()

    @property
    def moment(self) -> list[int]:
        """The memory at the time when the options were listed."""
        return self.set.memory

    @property
    def count(self) -> int:
        """The number of options; options that are still unchecked may turn out to fail."""
        return len(self.set.paths)

    @property
    def listed(self) -> bool:
        """Whether the list of all options has been requested."""
        return self._all is not None

    def any(self, rng: Random, acts: Container[str]) -> Option:
        """Return one option, drawn uniformly; if there are options of the given acts, one of these."""
        option = self._drawn(rng, self._favourites(acts)) or self._drawn(rng, range(len(self.set.paths)))
        assert option is not None
        return option

    def draw(self, rng: Random, acts: Container[str]) -> Option:
        """Return one option as `any` does, by a single draw: the option with the highest mark that does not fail."""
        paths, drawn = self.set.paths, rng.randrange(DRAWS)
        for numbers in (self._favourites(acts), range(len(paths))):
            marks = {number: mark_of(drawn, paths[number].taken) for number in numbers}
            for number in sorted(numbers, key=marks.__getitem__, reverse=True):
                if self.set.holds(number):
                    return self._option(number)
        raise AssertionError("some option can be carried through")

    def _favourites(self, acts: Container[str]) -> Sequence[int]:
        return [number for number, path in enumerate(self.set.paths) if path.act in acts] if acts else ()

    def _drawn(self, rng: Random, left: Sequence[int]) -> Option | None:
        """Return a random option among the options with some numbers; it draws until one holds, or all fail (None)."""
        while left:
            number = left[rng.randrange(len(left))]
            if self.set.holds(number):
                return self._option(number)
            left = [one for one in left if one != number]
        return None

    def _option(self, number: int) -> Option:
        option = Option(self._variant, self.set.memory, self.set.paths[number])
        option.alike = self._alike
        return option


class Chances:
    """The outcomes of chance: equal things are one outcome with the sum of their weights."""

    __slots__ = ("_made", "_notes", "_point", "_variant", "clause", "moment", "weights", "whole")

    def __init__(self, variant: Variant, run: Run, point: Pick, notes: tuple[Note, ...], clause: Span | None) -> None:
        self._variant, self._point, self._notes, self.moment = variant, point, notes, run.memory[:]
        self.clause = clause
        documents = variant.program.layout.documents if point.base == "token" else 1 << 62
        same: dict[int, int] = {}
        self.weights: dict[int, int] = {}
        """The outcomes, each by the first candidate that leads to it."""
        for candidate in run.candidates:
            first = same.setdefault(candidate % documents, candidate)
            self.weights[first] = self.weights.get(first, 0) + weight_of(run, point, candidate)
        self.whole = sum(self.weights.values())
        self._made: dict[int, Option] = {}

    @property
    def count(self) -> int:
        """The number of outcomes."""
        return len(self.weights)

    def all(self) -> tuple[Option, ...]:
        """Return all outcomes, in a fixed order."""
        return tuple([self._option(candidate) for candidate in self.weights])

    def keys(self) -> tuple[tuple[int, ...], ...]:
        """Return the candidate of each outcome."""
        return tuple([(candidate,) for candidate in self.weights])

    def any(self, rng: Random, acts: Container[str]) -> Option:
        """Return one outcome, by weight."""
        return self._option(list(self.weights)[_rolled(self.weights.values(), rng)])

    draw = any

    def taking(self, candidates: tuple[int, ...]) -> Option:
        """Return the outcome for a candidate."""
        return self._option(candidates[0])

    def _option(self, candidate: int) -> Option:
        option = self._made.get(candidate)
        if option is None:
            path = Path((candidate,), (*self._notes, (self._point.key, self._point.base, candidate)), "")
            option = Option(self._variant, self.moment, path, self.weights[candidate], self.whole)
            self._made[candidate] = option
        return option


class FoundOption(Option):
    """An option that the native machine has found: the reference machine names it on demand."""

    __slots__ = ("found", "number")

    def __init__(self, found: FoundOptions, number: int) -> None:
        self.found, self.number = found, number

    def __getattr__(self, name: str) -> Any:
        """Return an attribute that was not asked for before: the option's path, or its words."""
        if name == "moment":
            return self.found.moment
        if name in ("weight", "whole"):
            self.weight, self.whole = self.found.moment.odds(self.number)
            return getattr(self, name)
        return getattr(self._told_by, name)

    @property
    def _told_by(self) -> Option:
        return self.found.decision.options[self.number]

    def _named(self) -> OptionWords:
        return self._told_by._named()

    @property
    def places(self) -> tuple[OptionPlace, ...]:
        """The places of the things named in the option, by the keys of its data."""
        return self._told_by.places

    def __reduce__(self) -> tuple[Any, ...]:
        return told_option, self._told_by.__getstate__()

    @property
    def act(self) -> str:
        """The name of the act, without the work of naming the other parts."""
        return self.found.moment.act(self.number)


def told_option(*kept: Any) -> Option:
    """Return an option from its saved parts."""
    option = Option.__new__(Option)
    option.__setstate__(kept)
    return option


class FoundOptions:
    """The options of a player, or the outcomes of chance, that the native machine has found."""

    # It keeps no option, because each of them keeps it: such a cycle would be freed late.
    __slots__ = ("_decision", "_make", "_variant", "moment")

    def __init__(self, variant: Variant, moment: Moment, make: Callable[[Variant, Moment], Decision]) -> None:
        self._variant, self.moment, self._make = variant, moment, make
        self._decision: Decision | None = None

    @property
    def decision(self) -> Decision:
        """The decision of the reference machine, with the same options in the same order."""
        if self._decision is None:
            self._decision = self._make(self._variant, self.moment)
        return self._decision

    @property
    def clause(self) -> Span | None:
        """The text that asks for the decision; if this is about an answer, only the reference machine has the text."""
        code, pc = self.moment.code
        point, below = code.instructions[pc], self.moment.waiting_code
        assert isinstance(point, ChoicePoint)
        if self._decision is not None or isinstance(point, PickAnswer):
            return self.decision.clause
        return clause_ordered(point, ordering_at(*below) if below is not None else None)

    def keys(self) -> tuple[tuple[int, ...], ...]:
        """Return the candidates that each option takes."""
        return self.moment.keys

    @property
    def count(self) -> int:
        """The number of options."""
        return self.moment.count

    def all(self) -> tuple[Option, ...]:
        """Return all options, in a fixed order."""
        return tuple([FoundOption(self, number) for number in range(self.moment.count)])

    def any(self, rng: Random, acts: Container[str]) -> Option:
        """Return one option, drawn as on the reference machine: an outcome by weight, otherwise like `Offers.any`."""
        if self.moment.by_chance:
            return FoundOption(self, _rolled(self.moment.weights, rng))
        liked = [number for number in range(self.count) if self.moment.act(number) in acts] if acts else ()
        among = liked or range(self.count)
        return FoundOption(self, among[rng.randrange(len(among))])

    def draw(self, rng: Random, acts: Container[str]) -> Option:
        """Return one option by a single draw, the same as on the reference machine."""
        if self.moment.by_chance:
            return FoundOption(self, _rolled(self.moment.weights, rng))
        return FoundOption(self, self.moment.pick(rng.randrange(DRAWS), acts))


class Decision:
    """A question, and the player who is asked; None for chance."""

    __slots__ = ("_options", "offers", "player")

    player: str | None
    """The player who decides; None for chance."""

    def __init__(self, player: str | None, offers: Offers | Chances | FoundOptions) -> None:
        self.player, self.offers = player, offers
        self._options: tuple[Option, ...] | None = None

    @property
    def clause(self) -> Span | None:
        """The clause that asks for the decision."""
        return self.offers.clause

    @property
    def prompt(self) -> str:
        """The decision in one line: the player, and the clause that asks."""
        clause = self.clause
        asked = clause.one_line if clause is not None else "go on"
        return f"{self.player or 'chance'}: {asked}"

    @property
    def options(self) -> tuple[Option, ...]:
        """All options of the player, or all outcomes of chance."""
        if self._options is None:
            self._options = self.offers.all()
        return self._options

    @property
    def count(self) -> int:
        """The number of options; where the native machine has found them, it is known before they are listed."""
        return self.offers.count if isinstance(self.offers, FoundOptions) else len(self.options)

    @property
    def keys(self) -> tuple[tuple[int, ...], ...]:
        """The options, each by the candidates that it takes: the keys are the same in all successors of one state."""
        return self.offers.keys()

    def by_id(self, text: str) -> Option:
        """Return the option with this id; raises OptionError if there is none."""
        ids = {option.id: option for option in self.options}
        if not isinstance(text, str) or text not in ids:
            hint = did_you_mean(str(text), ids)
            raise OptionError("option", f"{text!r} is not on offer" + (f"; {hint}" if hint else ""))
        return ids[text]

    @property
    def moment(self) -> object:
        """The moment at which the decision was asked; only options of the same decision share this object."""
        return self.offers.moment

    @property
    def is_chance(self) -> bool:
        """Whether chance decides; then options have their probabilities."""
        return self.player is None

    def sample(self, rng: Random, acts: Container[str] = ()) -> Option:
        """Return one option: by weight where chance decides, otherwise uniformly.

        If options of the given `acts` are on offer, it is one of these. Sampling is quicker than listing all options.
        """
        return self.offers.any(rng, acts)

    def draw(self, rng: Random, acts: Container[str] = ()) -> Option:
        """Return one option as `sample` does, by a single draw that depends only on the options themselves.

        So every machine draws the same option, however many failing options it has explored.
        """
        return self.offers.draw(rng, acts)

    def __repr__(self) -> str:
        return f"Decision({self.player!r}, {self.prompt!r}, {len(self.options)} options)"


def _rolled(weights: Iterable[int], rng: Random) -> int:
    """Return the number of an outcome of chance, drawn by weight."""
    sums = list(accumulate(weights))
    return bisect_right(sums, rng.randrange(sums[-1]))


def mark_of(drawn: int, taken: Sequence[int]) -> int:
    """Return the mark of an option, computed from a drawn number and the candidates that the option takes."""
    found = drawn
    for one in taken:
        found = (found ^ one & 0xFFFFFFFF) * 0x9E3779B97F4A7C15 & WHOLE
        found ^= found >> 32
    found = (found ^ found >> 30) * 0xBF58476D1CE4E5B9 & WHOLE
    found = (found ^ found >> 27) * 0x94D049BB133111EB & WHOLE
    return found ^ found >> 31


def _tell_apart(options: Sequence[Option], crowded: int) -> None:
    """Add words to options that would read the same: the additions are tried one after the other."""
    for option in options:
        option.alike = None
    by_kind = [one for one in options if one.about(crowded)]
    for detail, more in ((KINDS, by_kind), (REPLACED, options), (REPEATS, options)):
        for alike in _reading_the_same(more):
            for option in alike:
                if detail != REPEATS or option.repeats():
                    option.detail, option._told = option.detail | detail, None
    for alike in _reading_the_same(options):
        for number, option in enumerate(alike, 1):
            option.detail, option._told = option.detail | number * NUMBERED, None


def _reading_the_same(options: Sequence[Option]) -> Iterator[list[Option]]:
    seen: dict[str, list[Option]] = {}
    for option in options:
        seen.setdefault(option.label, []).append(option)
    yield from [alike for alike in seen.values() if len(alike) > 1]
