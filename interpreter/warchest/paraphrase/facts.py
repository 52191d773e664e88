"""Facts about a rule that no sentence of the language says: its decider, and the times when it is asked or holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from warchest.ir import steps as ir
from warchest.ir.parts import asked_roles, base_of, branches_of, calls_in, choices_of, nodes_in
from warchest.ir.ruleset import YOU, Definition, Domain, Hook, Rule, Ruleset, StandingChange, StateRule
from warchest.ir.values import NOTHING, Attribute, Compare, Const, FieldOf, Passable, Value, Var
from warchest.resolve.budgets import limit_in
from warchest.resolve.lasting import ends_grant, is_of_time
from warchest.resolve.sets import Defined
from warchest.resolve.sides import ACTOR, OWNER
from warchest.resolve.single_sentences import Meaning
from warchest.resolve.times import times_of
from warchest.source.records import record
from warchest.source.text import Span


class RuleFact(NamedTuple):
    """One fact and its subject: `decides` for the player who decides, `when` for the time, and so on."""

    about: str
    text: str


_ON_BOARD = "while a piece that bears this text is on the board"
_STAGES = {
    "before": "first, before the act is carried out",
    "when": "judged before the act, and done together with it",
    "instead": "in place of the act, which then has not happened",
    "after": "when all has settled, if the thing with the text is still there",
}


_KEPT = (
    "it stays of its type, made of the same and as it is; all that hangs on its owner hangs on the new one from then "
    "on, and `you` in what is under way stays who it was"
)
_TIMES = {"starts": "as soon as it has started", "ends": "just before it ends"}


def facts(meanings: tuple[Meaning, ...], ruleset: Ruleset) -> list[RuleFact]:
    """Return the facts about the rules of a sentence, each once, in the order of the sentence."""
    return list(
        dict.fromkeys(
            fact for meaning in meanings for fact in _FactFinder(ruleset, meaning.carrier.number >= 0).of(meaning)
        )
    )


@record()
class _FactFinder:
    """Finds the facts about a rule of a card, or of the game."""

    ruleset: Ruleset
    on_card: bool

    def of(self, meaning: Meaning) -> Iterator[RuleFact]:
        match meaning.rule:
            case Hook() as hook if ends_grant(hook):
                return
            case Hook() as hook if until := self._until(hook):
                yield RuleFact("holds", until)
            case Hook() as hook:
                yield RuleFact("when", self._when(hook))
                if hook.optional:
                    can = "it can be declined" if hook.asked is None else f"{self.who(hook.asked)} can decline it"
                    yield RuleFact("asked", f"{can}, and then the act goes on")
                yield from self.steps(hook.code.steps)
            case Definition() as way:
                yield RuleFact("holds", "for the bearer of this text" if self.on_card else "for everybody")
                yield from self.steps(way.code.steps)
            case StateRule() as rule:
                yield RuleFact("when", "as soon as it is so, and again until it is so of nothing more")
                yield from self.steps(rule.code.steps)
            case StandingChange() as change:
                yield RuleFact(
                    "when", "wherever a text settles the number: first changes that add, then those that double"
                )
                if change.carrier >= 0 and not change.of_this:
                    yield RuleFact("holds", _ON_BOARD)
            case Rule() | Domain() as rule:
                if rule.carrier >= 0 and rule.this_role < 0:
                    yield RuleFact("holds", _ON_BOARD)
            case Defined() as said:
                if said.around is not None:
                    yield RuleFact("holds", _ON_BOARD)
            case tuple() as steps:
                yield from self.steps(steps)
        if not isinstance(meaning.rule, Defined):
            yield from _others(meaning.rule)
            parts = nodes_in(meaning.rule)
            yield from map(_ways, (part for part in parts if isinstance(part, Passable)))
            yield from map(_counted, (part for part in parts if isinstance(part, Compare) and limit_in(part)))

    def _when(self, hook: Hook) -> str:
        """Return when a hook is carried out: at the start or the end of a time, or at a stage of an event."""
        edges = [edge for _, edge in times_of(self.ruleset, hook)]
        return _TIMES[edges[0]] if edges else _STAGES[hook.stage]

    def _until(self, hook: Hook) -> str:
        """Return the time until which a text holds, for the hook that only ends it; empty for other hooks."""
        match hook.code.steps:
            case (ir.ForEach(among=among, steps=(ir.Keep(), ir.SetField())),) if is_of_time(hook):
                [(time, edge)] = times_of(self.ruleset, hook)
                whose = "your next" if len(among.filters) > 1 else "the"
                if edge == "starts":
                    return f"until {whose} {time} has started"
                return f"until just before {whose} {time} ends"
        return ""

    def steps(self, steps: ir.Steps) -> Iterator[RuleFact]:
        for step in steps:
            yield from self.step(step)
            for branch in branches_of(step):
                yield from self.steps(branch)

    def step(self, step: ir.Order) -> Iterator[RuleFact]:
        said = f"`{' '.join(step.span.text.split())}`"
        match step:
            case ir.Choose(_, _, None):
                yield RuleFact("chance", f"{said}: chance takes one, each as likely as the others")
            case ir.Choose(_, _, decider) if decider is not None:
                yield RuleFact("decides", f"{said}: {self.who(decider)} chooses")
            case ir.Call():
                yield from self.call(step, said)
            case ir.Either(_, decider):
                yield RuleFact("decides", f"{said}: {self.who(decider)} chooses the way")
            case ir.Offer(_, decider):
                yield RuleFact("asked", f"{said}: {self.who(decider)} can decline all of it")
            case ir.ForEach(_, _, True, decider):
                yield RuleFact("decides", f"{said}: {self.who(decider)} takes one after the other, and at least one")
            case ir.ChangeOwner():
                yield RuleFact("owner", f"{said}: {_KEPT}")
                if (by_type := _ordered_by_type(self.ruleset)) is not None:
                    yield RuleFact(
                        "owner",
                        f"{said}: `{' '.join(by_type.text.split())}` needs something of its type, "
                        "and its new owner may have nothing of it",
                    )
            case ir.BecomeKind(kind=kind, piece=piece):
                yield RuleFact("remains", f"{said}: {self._kept(kind, piece)}")
            case ir.IfAble():
                yield RuleFact("lapses", f"{said}: left out where it is impossible")

    def _kept(self, kind: int, piece: Value) -> str:
        """Return the words for everything that a piece keeps when it changes its kind."""
        kinds, fields = self.ruleset.kinds, self.ruleset.fields
        noun = piece.noun if isinstance(piece, Var) else ""
        turned_back = [one for one in kinds if one.remains_of == kind]
        now = [one for one in turned_back if one.name == noun] or (turned_back if kinds[kind].remains_of < 0 else [])
        remains = now[0] if now else kinds[kind]
        names = [f"`{fields[number].name}`" for number in remains.keeps]
        rest = f"of its fields only {' and '.join(names)} stay" if names else "its fields are as usual"
        return f"it keeps its space, owner, tokens and form; {rest}, and all bonuses end"

    def call(self, step: ir.Call, said: str) -> Iterator[RuleFact]:
        verb = self.ruleset.verbs[step.verb]
        fills = (
            (verb.agent_noun, -1, step.agent),
            *(
                (role.noun, number, fill)
                for number, (role, fill) in enumerate(zip(verb.roles, step.roles, strict=False))
            ),
        )
        for noun, number, fill in fills:
            if isinstance(fill, ir.ChosenRole):
                yield RuleFact(
                    "decides", f"{said}: {self.who(step.decider)} chooses the {noun} among those that the text names"
                )
            elif number in asked_roles(step, verb):
                yield RuleFact(
                    "decides", f"{said}: {self.who(step.decider)} chooses the {noun} among what is permitted"
                )

    def who(self, decider: Value) -> str:
        """Return the decider, in words."""
        match decider:
            case Const(number, _) if number == NOTHING:
                return "nobody"
            case Var(number) if number == YOU:
                return OWNER if self.on_card else ACTOR
            case Attribute("decider", Var(_, _, noun)) if noun:
                return f"the owner of the {noun}"
            case Var(_, _, noun) if noun:
                return f"the {noun}"
        return "the player who is named"


def _ordered_by_type(ruleset: Ruleset) -> Span | None:
    """Return the text that lets players act with pieces of the type of a token; None if there is none."""
    for verb in ruleset.verbs:
        for definition in verb.definitions if verb.by == "player" else ():
            for call in calls_in(definition.code.steps):
                if isinstance(call.agent, ir.ChosenRole):
                    member = Attribute("document", call.agent.among.var, "document")
                    for one in call.agent.among.filters:
                        if isinstance(one, Compare) and one.left == member and _is_of_token(one.right):
                            return call.span
    return None


def _is_of_token(value: Value) -> bool:
    return isinstance(value, Attribute) and value.what == "document" and base_of(value.of) == "token"


def _others(rule: object) -> Iterator[RuleFact]:
    """Yield the facts about earlier chosen things that `another` and `other` leave out."""
    chosen: dict[Var, str] = {}
    for step in (part for part in nodes_in(rule) if isinstance(part, ir.Order)):
        chosen |= dict.fromkeys((var for var, _ in choices_of(step)), step.span.one_line)
    for part in nodes_in(rule):
        match part:
            case Compare("!=", _, Var() as var, span) if var in chosen:
                said = span.one_line
                yield RuleFact("other", f"`{said}`: not the {var.noun or 'one'} of `{chosen[var]}`")


def _counted(part: Compare) -> RuleFact:
    """Return the fact of how a limit is counted: for a piece or a player, in a turn, a round or the game."""
    assert isinstance(part.left, FieldOf) and part.left.of is not None
    whose = "player" if base_of(part.left.of) == "player" else "piece"
    again = "never begins anew" if part.left.per == "game" else f"begins at 0 in each {part.left.per}"
    said = f"`{' '.join(part.span.text.split())}`"
    return RuleFact("counted", f"{said}: each {whose} that does it has a count of its own, which {again}")


def _ways(part: Passable) -> RuleFact:
    """Return the fact about the ways that count for `through …`."""
    said = f"`{' '.join(part.span.text.split())}`"
    if part.straight:
        return RuleFact("ways", f"{said}: asked of each space between on the straight line")
    steps = "1 step" if part.high == 1 else f"{part.high} steps"
    return RuleFact("ways", f"{said}: any way of at most {steps} counts, round corners too, if each space between fits")


__all__ = ["OWNER", "RuleFact", "facts"]
