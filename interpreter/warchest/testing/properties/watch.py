"""Watching properties: each is checked at each step of a play, and the results are counted.

Events are judged by the machine itself, at the moment when it judges hooks with `when`: the event has not been
replaced, its roles are settled, and its body is about to begin. So agents, causes and places are those of the event,
and not those that its records or the states around it would suggest. Conditions are judged by the same evaluator on the
memory of a state between acts: in the middle of an effect a token can be without a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from weakref import WeakKeyDictionary

from warchest.engine.evaluation import members_of
from warchest.engine.runs import Env, Run
from warchest.game.decision import Decision, Option
from warchest.game.game import Game
from warchest.game.state import State, show, survey
from warchest.game.telling.naming import Naming
from warchest.game.variant import Variant
from warchest.ir.properties import EventAssertion, Frequency, StateAssertion
from warchest.ir.ruleset import AGENT, FIXED, YOU
from warchest.ir.values import NOTHING
from warchest.lowering.act_orders import role_key
from warchest.lowering.code import Act
from warchest.lowering.layout import LIVE
from warchest.lowering.verbs import role_places
from warchest.testing.properties.stated_properties import StatedProperty, properties_of

_Judgement = Callable[[Run, Env], bool]


MEANT = 2000
"""The most events that the data of an option can mean."""
HOW_TO_LIFT = (
    "where cards mean to break it, a document beside them lifts it: `properties: …` with `because:`, a line, "
    "and `lifts: |`, its words"
)
"""The advice after properties that a ruling breaks."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken property: the step of a play, the option taken there, and the thing that broke it."""

    text: str
    place: str
    step: int
    option: str
    told: str

    @property
    def message(self) -> str:
        """One line with the violation, and the place of the property."""
        how = f": {self.told}" if self.told else ""
        return f"broken in step {self.step} ({self.option}){how}: `{self.text}` ({self.place})"


@dataclass(slots=True)
class PropertyTally:
    """A property with the numbers of times that it applied, held and was broken."""

    document: str
    text: str
    place: str
    frequency: Frequency
    least: int
    times: int = 0
    held: int = 0
    broken: int = 0
    first: Breach | None = None

    @property
    def is_vacuous(self) -> bool:
        """Whether it applied less often than required, so that it was not tested."""
        return self.times < self.least

    def add(self, other: PropertyTally) -> None:
        """Add the numbers of another tally of the same property."""
        self.times += other.times
        self.held += other.held
        self.broken += other.broken
        self.first = self.first or other.first


@dataclass(slots=True)
class _WatchedEvent:
    """An assertion about events of one verb, made ready; `subject` is the variable of the thing that it is about."""

    tally: PropertyTally
    places: Sequence[int]
    applies: _Judgement | None
    holds: _Judgement
    subject: int = AGENT

    def variables(self, roles: Env) -> Env:
        """Return the variables of the assertion for an event with some roles, or only with its first ones."""
        known = len(roles)
        return (NOTHING, roles[YOU], NOTHING, *(roles[at] if 0 <= at < known else NOTHING for at in self.places))

    def is_never(self, run: Run, env: Env) -> bool:
        """Whether an event must never happen by the assertion."""
        return self.tally.frequency == "never" and self.holds(run, env)

    def meant(self, run: Run, act: Act, you: int, data: Mapping[str, object]) -> Iterator[Env]:
        """Yield the variables of the assertion for the events that an option's data, or a part of them, can mean."""
        naming, verb = Naming(run.program.layout), act.verb
        keys = [verb.agent_noun if act.by_piece else "", *(role_key(role.word, role.noun) for role in verb.roles)]
        found = list[Sequence[int]]()
        for at in self.places:
            base, key = act.bases[at] if at >= 0 else "", keys[at - AGENT] if at >= 0 else ""
            things = [you] if at == AGENT and not act.by_piece else list(_others_like(run, base, NOTHING))
            if key in data:
                things = [one for one in things if str(naming.name(base, one, run.memory)) == str(data[key])]
            found.append(things if things or key in data else [NOTHING])
        yield from ((NOTHING, you, NOTHING, *chosen) for chosen in islice(product(*found), MEANT))

    def is_tested(self, run: Run, act: Act, env: Env) -> bool:
        """Whether an event tests that another event never happens.

        Either the assertion applies to the event, or the event could have had another object, for which the property
        forbids it.
        """
        if self.applies is not None and self.applies(run, env):
            return True
        return any(
            self.holds(run, (*env[:place], other, *env[place + 1 :]))
            for place, at in enumerate(self.places, AGENT)
            if place != self.subject and at >= 0
            for other in _others_like(run, act.bases[at], env[place])
            if other != env[place] and (act.bases[at] != act.bases[AGENT] or other != env[AGENT])
        )


@dataclass(slots=True)
class _WatchedState:
    """An assertion about states, made ready; without members, it is about the whole state."""

    tally: PropertyTally
    members: Callable[[Run, Env], Sequence[int]] | None
    base: str
    size: int
    applies: _Judgement
    holds: _Judgement
    value: Callable[[Run, Env], int] | None
    last: dict[int, int] = field(default_factory=dict)
    """The value of each member when it was last read, where the assertion is that it changes."""


@dataclass(slots=True)
class _Prepared:
    """All assertions about one variant, made ready."""

    events: dict[int, list[_WatchedEvent]] = field(default_factory=dict)
    states: list[_WatchedState] = field(default_factory=list)
    is_refused: bool = False
    """Whether rules can forbid any event that must never happen."""


class PropertyWatch:
    """Watches the states of games, one play after the other, and keeps a tally of each property."""

    def __init__(self, game: Game, properties: Sequence[StatedProperty] | None = None, thorough: bool = False) -> None:
        """Watch some properties, or all of the game; these are read again for each variant.

        A `thorough` watch also counts a property as tested if a rule forbids an event that must never happen.
        """
        self.game, self._given, self.thorough = game, properties, thorough
        self.tallies: dict[str, PropertyTally] = {}
        """The tallies by the places of the sentences, in the order in which these were found."""
        self.breaches: list[Breach] = []
        """The properties that were broken since the play began, each once."""
        self._made: dict[int, _Prepared] = {}
        self._watched = _Prepared()
        self._excused: set[str] = set()
        self._begun: tuple[State, Decision | None, list[dict[int, int]]] | None = None
        """The initial state of the last play, its decision, and the values there that may change."""
        self._step = 0
        self._option: Option | None = None

    # ---- watching

    def expect(self, variant: Variant) -> None:
        """Have a tally of each property about a variant, even if that is never played."""
        self._ready(variant)

    def begin(self, state: State) -> None:
        """Check the state at the beginning of a play.

        A property that does not hold there is left out of this play: the given state has broken it, and not the rules.
        """
        self._watched = self._ready(state.variant)
        self._step, self._option = 0, None
        self.breaches, self._excused = [], set()
        for one in self._watched.states:
            one.last.clear()
        self._look(state)
        self._look_ahead(state)
        self._begun = state, state.decision, [dict(one.last) for one in self._watched.states]

    def begin_again(self, state: State) -> None:
        """Begin a play as `begin` does; its initial state is that of the last play, and is not checked again."""
        if self._begun is None or self._begun[0] is not state or self._begun[1] is not state.decision:
            self.begin(state)
            return
        self._step, self._option, self.breaches = 0, None, []
        for one, last in zip(self._watched.states, self._begun[2], strict=True):
            one.last = dict(last)

    def take(self, state: State, option: Option, look: bool = True, ahead: bool = True) -> State:
        """Take an option in a state, check its events and the state after it, and return that state.

        To save time, `look` can be False for some states: changes are compared with the last state that was checked.
        With `look` and `ahead`, events that must never happen are counted if only a rule forbids them in the state.
        """
        self._step, self._option = self._step + 1, option
        show(state, option, self._see)
        if look:
            self._look(state)
        if look and ahead:
            self._look_ahead(state)
        return state

    def _see(self, run: Run, act: Act, roles: Env) -> None:
        """Check an event that is about to be carried out."""
        for one in self._watched.events.get(act.number, ()):
            env = one.variables(roles)
            if one.tally.frequency == "never":
                applies = one.is_tested(run, act, env)
            else:
                applies = one.applies is not None and one.applies(run, env)
            self._judge(one.tally, applies, one.holds(run, env), lambda: _told(run, act, roles))

    def _look_ahead(self, state: State) -> None:
        """Count, once for a state, the events that must never happen and that only a rule forbids there."""
        if not self.thorough or not self._watched.is_refused or state.outcome is not None:
            return
        found = dict[str, PropertyTally]()

        def refusing(run: Run, act: Act, roles: Env) -> None:
            for one in self._watched.events.get(act.number, ()):
                if one.tally.place not in found and one.is_never(run, one.variables(roles)):
                    found[one.tally.place] = one.tally
            # For the kinds of an act that is forbidden as such, only the agent is known.
            for one in (one for kind in act.verb.kinds for one in self._watched.events.get(kind, ())):
                if one.tally.place not in found and one.is_never(run, one.variables(roles[:FIXED])):
                    found[one.tally.place] = one.tally

        survey(state, refusing)
        for tally in found.values():
            self._judge(tally, True, False, str)

    def miss(self, state: State, wanted: Sequence[Mapping[str, object]]) -> None:
        """Count events that must never happen and that, according to a ruling, are not on offer in a state."""
        if not self.thorough or state.decision is None or state.decision.player is None:
            return
        you = state.variant.player_number(state.decision.player)
        for act in state.variant.program.acts:
            told = [one for one in wanted if one.get("act") == act.verb.act]
            for one in self._watched.events.get(act.number, ()) if told else ():
                times = sum(
                    any(one.is_never(state.run, env) for env in one.meant(state.run, act, you, data)) for data in told
                )
                for _ in range(times):
                    self._judge(one.tally, True, False, str)

    def _look(self, state: State) -> None:
        """Check a state, unless it is in the middle of an act, as the last state of a game can be."""
        if not self._watched.states or state.outcome is not None or not state.at_boundary:
            return
        run = state.run
        for one in self._watched.states:
            env: Env = (NOTHING,) * one.size
            if one.members is None:
                self._look_at(one, run, env, NOTHING)
                continue
            for member in one.members(run, env):
                self._look_at(one, run, (*env[:FIXED], member, *env[FIXED + 1 :]), member)

    def _look_at(self, one: _WatchedState, run: Run, env: Env, member: int) -> None:
        """Check the assertion about a member, or about the whole."""

        def told() -> str:
            return _named(run, one.base, member) if one.base else ""

        if one.value is None:
            self._judge(one.tally, one.applies(run, env), one.holds(run, env), told)
            return
        before = one.last.pop(member, None)
        if one.applies(run, env):
            one.last[member] = now = one.value(run, env)
            if before is not None:
                changed = f"{before} before, {now} now"
                self._judge(one.tally, True, now != before, lambda: ": ".join(filter(None, (told(), changed))))

    def _judge(self, tally: PropertyTally, applies: bool, holds: bool, told: Callable[[], str]) -> None:
        if tally.place in self._excused:
            return
        if tally.frequency == "sometimes":
            tally.times, tally.held = tally.times + holds, tally.held + holds
            return
        is_broken = applies and not holds if tally.frequency == "always" else holds
        if is_broken and not self._step:
            self._excused.add(tally.place)
            return
        tally.times, tally.held = tally.times + applies, tally.held + (applies and not is_broken)
        if is_broken:
            tally.broken += 1
            self._breach(tally, told())

    def _breach(self, tally: PropertyTally, told: str) -> None:
        if all(one.place != tally.place for one in self.breaches):
            label = self._option.label if self._option is not None else ""
            breach = Breach(tally.text, tally.place, self._step, label, told)
            self.breaches.append(breach)
            tally.first = tally.first or breach

    # ---- making ready

    def _ready(self, variant: Variant) -> _Prepared:
        # A variant that is kept here is not another one with the same identity.
        if id(variant) not in self._made:
            found = self._made[id(variant)] = _Prepared()
            for one in self._given if self._given is not None else properties_of(self.game, variant):
                tally = self.tallies.setdefault(one.place, _tally(one))
                for assertion in one.meaning.assertions:
                    self._prepare(found, assertion, tally, variant)
        return self._made[id(variant)]

    def _prepare(
        self, found: _Prepared, assertion: EventAssertion | StateAssertion, tally: PropertyTally, variant: Variant
    ) -> None:
        test = variant.functions.test
        if isinstance(assertion, StateAssertion):
            members = variant.functions.members(assertion.among) if assertion.among is not None else None
            base = assertion.member.base if assertion.member is not None else ""
            value = variant.functions.value(assertion.value) if assertion.value is not None else None
            found.states.append(
                _WatchedState(
                    tally, members, base, assertion.variables + 1, test(assertion.applies), test(assertion.holds), value
                )
            )
            return
        acts = variant.program.acts
        found.is_refused |= tally.frequency == "never" and any(
            act.rules for act in acts if act.number in assertion.verbs or set(act.verb.kinds) & set(assertion.verbs)
        )
        applies = test(assertion.applies) if assertion.applies is not None else None
        for verb in assertion.verbs:
            places = role_places(assertion.verb, verb, variant.program.ruleset)
            found.events.setdefault(verb, []).append(
                _WatchedEvent(tally, places, applies, test(assertion.holds), assertion.subject)
            )

    # ---- what was seen

    def wrong(self) -> list[str]:
        """Return a line for each property that was broken since the play began, and advice on lifting a property."""
        return [*(one.message for one in self.breaches), *([HOW_TO_LIFT] if self.breaches else [])]

    def collected(self) -> list[PropertyTally]:
        """Return the tallies, and begin new ones."""
        found = [replace(one) for one in self.tallies.values()]
        for one in self.tallies.values():
            one.times = one.held = one.broken = 0
            one.first = None
        return found

    @property
    def vacuous(self) -> list[PropertyTally]:
        """The properties that applied less often than required."""
        return [one for one in self.tallies.values() if one.is_vacuous]

    def add(self, tallies: Iterable[PropertyTally]) -> None:
        """Add the tallies of another watch."""
        for one in tallies:
            if one.place in self.tallies:
                self.tallies[one.place].add(one)
            else:
                self.tallies[one.place] = one


_watches: WeakKeyDictionary[Game, PropertyWatch] = WeakKeyDictionary()
"""A watch for each game whose single steps were checked."""


def breaches_of(before: State, option: Option) -> list[Breach]:
    """Return the properties of its game that an option breaks in a state, which stays unchanged."""
    game = before.variant.origin
    assert isinstance(game, Game)
    watch = _watches.setdefault(game, PropertyWatch(game))
    watch.begin_again(before)
    watch.take(before.clone(), option)
    return watch.breaches


def _others_like(run: Run, base: str, value: int) -> Iterable[int]:
    """Return the things of a type that could replace a thing; for a token, those in the same place."""
    layout = run.program.layout
    if base == "piece":
        return members_of(run.memory[LIVE])
    if base == "token":
        holders = range(layout.holders) if value < 0 else (value // layout.documents,)
        return [
            one
            for holder in holders
            for one in range(holder * layout.documents, (holder + 1) * layout.documents)
            if run.memory[layout.tokens + one]
        ]
    return range({"space": len(layout.board.spaces), "player": layout.players}.get(base, 0))


def _tally(one: StatedProperty) -> PropertyTally:
    return PropertyTally(one.document, one.text, one.place, one.meaning.frequency, one.least)


def _told(run: Run, act: Act, roles: Env) -> str:
    """Return an event in words: the act, its agent and its roles."""
    words = ["by", *(role_key(role.word, role.noun) for role in act.verb.roles)]
    values = zip(words, act.bases[AGENT:], roles[AGENT:], strict=False)
    said = [f"{word} {_named(run, base, value)}" for word, base, value in values if value != NOTHING]
    return " ".join([act.verb.act, *said])


def _named(run: Run, base: str, value: int) -> str:
    """Return the name of a thing; a piece is named by its document and its space."""
    return str(Naming(run.program.layout).told(base, run.meant(value) if base == "piece" else value))
