"""Why an option is not on offer: the smallest set of reasons, each with its clause and place.

The question is followed through the same choice points that make the options. Where the requested thing is not among
the candidates of a point, the parts of the text that leave it out are the reasons. If there are several ways to fail,
the answer is the one that gets furthest, and of these the one with the fewest reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warchest.diagnostics.articles import with_article
from warchest.diagnostics.suggest import did_you_mean
from warchest.engine.lookahead import candidates_of, resume
from warchest.engine.permissions import all_forbidding, roles_with, standing_domains
from warchest.engine.runs import FAIL, Run, Signal, Stop, frames
from warchest.game.errors import OptionError
from warchest.game.explain.option_questions import asked, known_words, missing, offers_of_changes
from warchest.game.telling.labels import describe, next_key
from warchest.game.telling.wording import counted
from warchest.ir import steps as ir
from warchest.ir.parts import base_of, calls_in, reached, way_back_in
from warchest.ir.ruleset import AGENT, FIXED, Rule, Ruleset
from warchest.ir.steps import Perform
from warchest.ir.values import NOTHING, Apart, Attribute, Compare, Condition, InZone, Set, Tagged, Tokens, Var
from warchest.lowering.act_orders import part_of
from warchest.lowering.code import UNSET, CallAct, ChoicePoint, Instruction, Pick, PickMember, PickRole, PickWay, Plain
from warchest.lowering.layout import DOCUMENT, MUST_ASK
from warchest.source.text import Span

if TYPE_CHECKING:
    from warchest.game.decision import Decision
    from warchest.game.variant import Variant


# ---- the acts that a part of the rules can order


class ReachableActs:
    """The acts that the definitions of a rule set can order in their own steps."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._steps = {one.code.name: one.code.steps for verb in ruleset.verbs for one in verb.definitions}
        self._found: dict[str, frozenset[str]] = {}

    def acts(self, name: str) -> frozenset[str] | None:
        """Return the acts that the definition of this name orders, or None if there is none."""
        if name not in self._steps:
            return None
        if name not in self._found:
            # Orders in a block of a card are left out: they are carried out within another act.
            verbs = reached((call.verb for call in calls_in(self._steps[name])), self._following)
            self._found[name] = frozenset(self.ruleset.verbs[number].act for number in verbs)
        return self._found[name]

    def _following(self, number: int) -> Iterator[int]:
        verb = self.ruleset.verbs[number]
        yield from verb.kinds
        yield from (call.verb for way in verb.definitions for call in calls_in(way.code.steps))


# ---- why an option is not on offer

Reason = tuple[str, Span | None]
MOST = 4000
"""The number of dead ends to try before the best answer so far is given."""


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """A point where the path of the requested option ends: the share that matched so far, and the obstacle.

    `unable`: the agent could never do the act, or the act does not go with a requested thing; other obstacles are
    better answers.
    """

    fitted: int
    reasons: tuple[Reason, ...]
    unable: bool = False


def why_not(
    variant: Variant,
    run: Run,
    point: ChoicePoint | None,
    decision: Decision | None,
    what: Mapping[str, object] | str,
    player: str | None = None,
) -> list[dict[str, object]]:
    """Return the reasons why an option, given by its data (also in part) or its label, is not on offer at a point.

    Raises OptionError if it is neither data nor a label.
    """
    if decision is None:
        return [_record("the game is over", None)]
    if not isinstance(what, str | Mapping):
        raise OptionError("what", f"an option's data or its label is needed, not {what!r}")
    wanted = asked(what, variant)
    if player is not None and decision.player != player:
        variant.player_number(player)
        span = point.span if point is not None else None
        return [_record(f"it is not for {player} to decide now", span)]
    if any(_matches(option.data, wanted) or what == option.label for option in decision.options):
        return []
    acts = known_words(variant)[0] - {act.verb.act for act in variant.program.acts if act.verb.by == "game"}
    if "act" in wanted and str(wanted["act"]) not in acts:
        hint = did_you_mean(str(wanted["act"]), acts)
        return [_record(f"there is no act {wanted['act']!r}" + (f"; {hint}" if hint else ""), None)]
    if not_there := missing(wanted, variant):
        return [_record(not_there, None)]
    if decision.is_chance or point is None:
        return [_record("chance decides now, and this is no outcome of it", point.span if point else None)]
    inquiry = Inquiry(variant, run.memory[:], wanted)
    inquiry.ask(run, point)
    return [_record(reason, span) for reason, span in inquiry.answer()]


def _matches(data: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
    return all(_says(data, key, value) for key, value in wanted.items())


def _says(data: Mapping[str, object], key: str, value: object) -> bool:
    """Whether an option's data has a value under a key; an act within another act counts as that act too."""
    return str(data.get(key)) == str(value) or (key == "act" and "as" in data and data["as"] == value)


def _record(reason: str, span: Span | None) -> dict[str, object]:
    clause = span.one_line if span is not None else ""
    return {"reason": reason, "clause": clause, "file": span.path if span else "", "line": span.line if span else 0}


_OFFERED_ELSEWHERE = "this is offered where its text is carried out, and not here"


class Inquiry:
    """Follows an option through the choice points, and collects the dead ends."""

    def __init__(self, variant: Variant, memory: list[int], wanted: Mapping[str, object]) -> None:
        self.variant, self.memory, self.wanted = variant, memory, wanted
        self.ends: list[DeadEnd] = []
        self.reach = ReachableActs(variant.program.ruleset)
        self.asked_in: set[str] = set()
        """The names of the code that was under way when the question was asked."""

    def answer(self) -> tuple[Reason, ...]:
        """Return the reasons of the best dead end: the furthest, then the one with the fewest reasons."""
        if not self.ends:
            offers, act = offers_of_changes(self.variant.program.ruleset), self.wanted.get("act")
            named = ", ".join(f"{key} {value}" for key, value in self.wanted.items())
            return tuple((_OFFERED_ELSEWHERE, one.span) for one in offers if one.called == act) or (
                (f"nothing here has to do with {named}", None),
            )
        best = min(self.ends, key=lambda end: (-end.fitted, end.unable, len(end.reasons)))
        return best.reasons

    def ask(self, run: Run, point: ChoicePoint) -> None:
        """Ask at the point where the run is; the run is left where it was."""
        self.asked_in = {frame.code.name for frame in frames(run.top)}
        run.lookahead += 1
        run.in_option = True
        run.notes[:] = run.machine.choices[type(point)].context(run, point)
        run.candidates = candidates_of(run, point)
        self._at(run, point)
        run.in_option = False
        run.lookahead -= 1

    def _at(self, run: Run, point: ChoicePoint) -> None:
        if len(self.ends) > MOST:
            return
        candidates = list(run.candidates)
        key = self._key(run, point)
        if key in self.wanted:
            value = str(self.wanted[key])
            candidates = [one for one in candidates if self._name(run, point, one) == value]
            if not candidates:
                self._blocked(run, point, value)
                return
        for candidate in candidates:
            mark = run.mark()
            failed = resume(run, point, candidate)
            # No candidate is taken automatically here, so that a single one is compared with the request.
            run.set(MUST_ASK, 1)
            self._after(run, failed if failed is not None else run.go())
            run.undo(mark)

    def _after(self, run: Run, stop: Stop) -> None:
        if stop is FAIL:
            self._failed(run)
        elif not isinstance(stop, Signal) and run.in_option and not stop.by_chance:
            self._at(run, stop)
        else:
            self._complete(run)

    def _complete(self, run: Run) -> None:
        """Record a path that goes through to the end as another option than the requested one."""
        missing = [key for key in self.wanted if not self._says(run, key)]
        if missing and "act" not in missing:
            said = ", ".join(f"{key} {self.wanted[key]}" for key in missing)
            self._end(run, ((f"this act does not go with {said}", self._definition()),), unable=True)

    def _definition(self) -> Span | None:
        """Return the text of the requested act, or of the act named last."""
        for act in self.variant.program.acts:
            if act.verb.act == str(self.wanted.get("act")) and act.verb.definitions:
                return act.verb.definitions[0].code.span
        return None

    def _failed(self, run: Run) -> None:
        failure, point = run.failure, run.code.instructions[max(run.pc - 1, 0)]
        if failure is None and isinstance(point, PickMember):
            self._unable(run, point)
            return
        if self._other_act(run) and not isinstance(failure, ChoicePoint):
            return
        if isinstance(failure, Rule):
            act = next(act for act in self.variant.program.acts if any(rule is failure for rule in act.rules))
            lacks = self._without(run, failure.span, act.number)
            self._end(run, ((lacks or f"it is forbidden: {_said(failure.span)}", failure.span),))
        elif isinstance(failure, ChoicePoint):
            key = self._key(run, failure)
            if key in self.wanted:
                self._blocked(run, failure, str(self.wanted[key]))
            elif lacking := self._lacking(run, failure):
                self._end(run, (lacking,), unable=True)
            else:
                self._end(run, self._none(run, failure))
        else:
            span = run.failed
            if span is not None and (without := self._without(run, span, run.code.verb)):
                self._end(run, ((without, span),), unable=True)
                return
            why = "there is no way back" if _goes_back(point) else "it could not be completed"
            self._end(run, ((why + (f": {_said(span)}" if span is not None else ""), span),))

    def _unable(self, run: Run, point: PickMember) -> None:
        """Find out why no possible member can act; the run must be just after the point."""
        for member in run.env[point.slot][1:]:
            mark = run.mark()
            failed = run.machine.choices[PickMember].take(run, point, member)
            self._after(run, failed if failed is not None else run.go())
            run.undo(mark)

    def _without(self, run: Run, span: Span, verb: int) -> str:
        """Return a message that a piece has no text of the kind that a step of an act carries out; empty if it does."""
        ways = self.variant.program.acts[verb].verb.definitions if verb >= 0 else ()
        for step in (step for way in ways for step in way.code.steps if isinstance(step, Perform)):
            env = (run.env[AGENT], *run.env[1:])
            piece = self.variant.functions.value(step.of)(run, env) if base_of(step.of) == "piece" else -1
            if step.span == span and piece >= 0 and not self._has_block(run, piece, step.block):
                naming = self.variant.naming
                return f"{naming.own_name(piece, run.memory)} on {naming.piece(piece, run.memory)} has no {step.block}"
        return ""

    def _has_block(self, run: Run, piece: int, block: str) -> bool:
        program = self.variant.program
        return program.block(run.memory[program.layout.piece(piece) + DOCUMENT], block) is not None

    def _end(self, run: Run, reasons: tuple[Reason, ...], *, unable: bool = False) -> None:
        if self._other_act(run) or not self._leads_there(run):
            return
        fitted = sum(2 if key == "act" else 1 for key in self.wanted if self._says(run, key))
        self.ends.append(DeadEnd(fitted, reasons, unable))

    def _leads_there(self, run: Run) -> bool:
        """Whether the requested act can follow from the acts that have begun since the question was asked."""
        act = self.wanted.get("act")
        if act is None or self._says(run, "act"):
            return True
        begun = [self.reach.acts(frame.code.name) for frame in frames(run.top) if frame.code.name not in self.asked_in]
        known = [acts for acts in begun if acts is not None]
        return not known or any(str(act) in acts for acts in known)

    def _lacking(self, run: Run, point: ChoicePoint) -> Reason | None:
        """Return the reason that a piece lacks a text which lets it do the act; None if it has a text or needs none."""
        if not isinstance(point, PickRole | PickWay) or not self.variant.program.acts[point.verb].by_piece:
            return None
        act, agent = self.variant.program.acts[point.verb], run.env[AGENT]
        domains = act.domains[point.role] if isinstance(point, PickRole) else ()
        carriers = [one.carrier for one in (domains if isinstance(point, PickRole) else act.ways)]
        borne = self.variant.program.layout.of_document
        others = any(domain.this_role for domain in domains)
        if not carriers or others or any(one < 0 or run.memory[borne + one] >> agent & 1 for one in carriers):
            return None
        names = " or ".join(dict.fromkeys(self.variant.program.ruleset.sheets[one].name for one in carriers))
        place = self.variant.naming.piece(agent, run.memory)
        who = f"{place} has no" if place in map(str, self.wanted.values()) else "nobody who can act has"
        return f"{who} {names}, which it takes to {act.verb.act}", point.span

    def _none(self, run: Run, point: ChoicePoint) -> tuple[Reason, ...]:
        """Return the reasons why a point has no candidates at all, for the value with the fewest reasons."""
        if isinstance(point, PickRole):
            act = self.variant.program.acts[point.verb]
            env = run.env[: act.way_place]
            sets = [domain.among for domain in standing_domains(run, env, act, point.role)]
        else:
            sets = [point.among] if isinstance(point, Pick) else []
            env = run.env
        nearest: list[tuple[bool, tuple[Reason, ...]]] = []
        for among in sets:
            everything = self.variant.functions.all_of(among)(run, env)
            for value in everything:
                # Of two that are equally near, the agent itself is the one that the question did not mention.
                itself = point.base == "piece" and value == run.env[AGENT]
                nearest.append((itself, self._reasons(run, point, value, self._name(run, point, value))))
        if nearest:
            return min(nearest, key=lambda one: (len(one[1]), one[0]))[1]
        span = sets[0].span if sets else point.span
        return ((f"there is no {_bare(_said(span))}" if span is not None else "there is none", span),)

    # ---- what has been said on the way

    def _data(self, run: Run) -> dict[str, object]:
        notes = tuple(run.notes)
        return describe(notes, self.variant, self.memory).data

    def _says(self, run: Run, key: str) -> bool:
        return _says(self._data(run), key, self.wanted[key])

    def _key(self, run: Run, point: ChoicePoint) -> str:
        """Return the key of a point's choice in the data of options; the run must be at the point."""
        own = next_key(tuple(run.notes), point.key, self.variant, self.memory)
        if own in self.wanted or not isinstance(point, Pick) or point.verb >= 0:
            return own
        # A thing that is chosen by itself has the key of its later role.
        for order in (one for one in run.code.instructions[run.pc :] if isinstance(one, CallAct)):
            part = part_of(self.variant.program.acts[order.verb].verb, order.step, point.place)
            if part:
                return own if part in self._data(run) else part
        return own

    def _other_act(self, run: Run) -> bool:
        """Whether the path has become another act than the requested one."""
        act = self.wanted.get("act")
        said = self._data(run)["act"]
        return act is not None and said != act and said in self._acts() and said not in self._payments()

    def _acts(self) -> set[str]:
        return {act.verb.act for act in self.variant.program.acts}

    def _payments(self) -> set[str]:
        """Return the acts that are only steps towards others: an option can name them before the requested act."""
        wide = {act.verb.act for act in self.variant.program.acts if self.variant.program.failures.extends(act.number)}
        plain = {act.verb.act for act in self.variant.program.acts if act.plain and not act.verb.parents}
        return wide | plain

    # ---- why a candidate is not one

    def _name(self, run: Run, point: ChoicePoint, candidate: int) -> str:
        """Return the name of a candidate in options: the one that it had at the decision, if it existed then."""
        naming = self.variant.naming
        is_new = point.base == "piece" and candidate >= 0 and not naming.is_there(candidate, self.memory)
        return str(naming.name(point.base, candidate, run.memory if is_new else self.memory))

    def _called(self, run: Run, point: ChoicePoint, value: int, name: str) -> str:
        """Return the words for a value: for a piece its own name and its owner, otherwise the name that options use."""
        naming, layout = self.variant.naming, self.variant.program.layout
        if point.base != "piece" or value < 0 or not naming.is_there(value, run.memory):
            return name
        owner = run.memory[layout.piece(value) + layout.decider]
        whose = f"{naming.players[owner]}'s" if owner != NOTHING else "the"
        return f"{whose} {naming.own_name(value, run.memory)} on {naming.piece(value, run.memory)}"

    def _blocked(self, run: Run, point: ChoicePoint, name: str) -> None:
        """Find the parts of the text that exclude the requested thing, which is not among the candidates."""
        found: list[tuple[Reason, ...]] = []
        for value in self._values(run, point, name):
            found.append(self._reasons(run, point, value, name))
        if not found:
            where = point.base == "piece" and name in self.variant.naming.spaces
            said = f"nothing is on {name}" if where else f"{name} is not among"
            found.append(((f"{said}: {_said(point.span)}", point.span),))
        self._end(run, min(found, key=len))

    def _values(self, run: Run, point: ChoicePoint, name: str) -> list[int]:
        """Return all values of a point's kind that have a name."""
        naming, layout = self.variant.naming, self.variant.program.layout
        if point.base == "space":
            return [naming.spaces.index(name)] if name in naming.spaces else []
        if point.base == "piece":
            return [one for one in naming.pieces(run.memory) if naming.piece(one, run.memory) == name]
        if point.base == "token" and name in naming.documents:
            return [naming.documents.index(name)]
        if point.base == "direction" and name in layout.board.directions:
            return [layout.board.directions.index(name)]
        return []

    def _reasons(self, run: Run, point: ChoicePoint, value: int, name: str) -> tuple[Reason, ...]:
        acts, name = self.variant.program.acts, self._called(run, point, value, name)
        if isinstance(point, Pick):
            reasons = self._left_out(run, run.env, point.among, value, name)
            with_it = roles_with(run, run.env, point, value)
            rules = all_forbidding(run, with_it, acts[point.verb]) if point.verb >= 0 else []
        elif isinstance(point, PickRole):
            env = run.env[: acts[point.verb].way_place]
            reasons = self._unpermitted(run, point, env, value, name)
            whole = (*env[: point.place], value, *env[point.place + 1 :])
            rules = all_forbidding(run, whole, acts[point.verb]) if UNSET not in whole[FIXED:] else []
        else:
            return ((f"{name} is not among: {_said(point.span)}", point.span),)
        reasons.extend((f"it is forbidden: {_said(rule.span)}", rule.span) for rule in rules)
        return tuple(reasons) or ((f"{name} is not possible here", point.span),)

    def _unpermitted(self, run: Run, point: PickRole, env: tuple[object, ...], value: int, name: str) -> list[Reason]:
        """Return as reasons the unmet conditions of the domain that comes nearest to permitting the value."""
        best: list[Reason] | None = None
        for domain in standing_domains(run, env, self.variant.program.acts[point.verb], point.role):
            found = self._left_out(run, env, domain.among, value, name)
            if best is None or len(found) < len(best):
                best = found
        return best or []

    def _left_out(self, run: Run, env: tuple[object, ...], among: Set, value: int, name: str) -> list[Reason]:
        functions = self.variant.functions
        reasons: list[Reason] = []
        name = counted(name, among.var.noun, 1) if among.var.base == "token" else name
        if value not in functions.all_of(among)(run, env):
            reasons.append((f"{name} is not: {_said(among.span)}{self._whose(run, env, among)}", among.span))
            if among.var.base == "token":
                return reasons
        for condition in among.filters:
            if not functions.filter(condition, among.var)(run, env, value):
                span = _whole(condition, among)
                said = with_article(condition.tag) if isinstance(condition, Tagged) else _said(span)
                reasons.append((f"{name} is not: {said}{self._instead(run, env, condition, among, value)}", span))
        return reasons

    def _instead(self, run: Run, env: tuple[object, ...], condition: Condition, among: Set, value: int) -> str:
        """Return words for the value that a thing has instead of the required one; empty if the condition compares no
        values."""
        if not isinstance(condition, Compare) or isinstance(condition.left, Var):
            return ""
        base = base_of(condition.left)
        if base not in ("number", "player", "team", "space", "direction", "document"):
            return ""
        sides = (condition.left, condition.right) if base in ("document", "player", "team") else (condition.left,)
        found = [self.variant.functions.of_each(side, among.var)(run, env, value) for side in sides]
        told = [self.variant.naming.name(base, one, run.memory) for one in found]
        of = condition.right.of if isinstance(condition.right, Attribute) and base == "document" else None
        other = f"the {of.noun}" if isinstance(of, Var) and of.base == "token" and of.noun else "not"
        return f" (it is {f', {other} '.join('none' if one is None else str(one) for one in told)})"

    def _whose(self, run: Run, env: tuple[object, ...], among: Set) -> str:
        """Return words for the zone of a player or team if tokens are searched for only there; otherwise empty."""
        held = among.members.holders if isinstance(among.members, Tokens) else ()
        if len(held) != 1 or not isinstance(held[0], InZone) or held[0].of is None:
            return ""
        whose = self.variant.naming.name(base_of(held[0].of), self.variant.functions.value(held[0].of)(run, env), [])
        return f" (in {whose}'s {self.variant.program.ruleset.zones[held[0].zone].name})"


def _whole(condition: Condition, among: Set) -> Span:
    """Return the whole text of a condition: a distance with the direction after it."""
    span = condition.span
    if not isinstance(condition, Apart) or condition.direction is None or among.span.source is not span.source:
        return span
    starts = [one.span.start for one in among.filters if one.span.start >= span.end]
    return span.source.span(span.start, max(span.end, min(starts, default=among.span.end)))


def _bare(phrase: str) -> str:
    """Return a phrase without its article, for use after `no`."""
    first, _, rest = phrase.partition(" ")
    return rest if first in ("a", "an", "any", "all", "another") and rest else phrase


def _goes_back(failed: Instruction) -> bool:
    """Whether an instruction requires the way back along a trail."""
    step = failed.step if isinstance(failed, Plain) else None
    return isinstance(step, ir.Must) and way_back_in(step.condition) is not None


def _said(span: Span | None) -> str:
    return span.one_line if span is not None else ""
