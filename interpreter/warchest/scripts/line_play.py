"""Carrying out a line: its wants are carried out, its answers given, and all other offers declined."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from warchest.diagnostics.diagnostic import quoted
from warchest.game.decision import Option
from warchest.game.explain.measures import events
from warchest.game.state import State
from warchest.scripts.fault import Fault, fault
from warchest.scripts.gaps import Reference
from warchest.scripts.notation import LinePhrase, Notation, bare, filled
from warchest.scripts.offers import AFTER, EACH, OR, SOME, TIMES, WHEN, OfferSearch, Want, least, pattern_of, several
from warchest.scripts.pieces import PiecesOnBoard
from warchest.source.text import Span

REFUSED = "refused-line"
_MAX_CHOICES = 2_000
_MAX_LISTED = 6


ITSELF = -1
"""The number of an answer as a whole, among its wishes."""


@dataclass(slots=True)
class LineTask:
    """The wants of a line, one after the other, and its wishes, which are granted whenever they are on offer."""

    span: Span
    wants: list[Want]
    wishes: list[Want]
    used: dict[int, int] = field(default_factory=dict)
    """The number of times each wish has come true, of those in a row on the present occasion."""
    occasions: dict[str, int] = field(default_factory=dict)
    """The number of occasions that each row of wishes has had."""
    kept: dict[int, bool] = field(default_factory=dict)
    """Whether a wish in a row came true as often as wished on all earlier occasions, if there were any."""
    begun: bool = False
    late: dict[int, int] = field(default_factory=dict)
    """The number of times that each wish, or the whole of an answer (ITSELF), is skipped before it is taken."""

    def lets_pass(self, number: int) -> bool:
        """Whether a wish, or the whole of an answer, is to be taken later."""
        left = self.late.get(number, 0)
        self.late[number] = max(left - 1, 0)
        return left > 0

    @property
    def unmet(self) -> Want | None:
        """The first want that is not done; None if all are."""
        return next(iter([*self.wants, *self.unmet_wishes]), None)

    @property
    def unmet_wishes(self) -> list[Want]:
        """The wishes that are not met as often as wished."""
        return [wish for number, wish in enumerate(self.wishes) if not self.content(number)]

    def content(self, number: int) -> bool:
        """Whether a wish is met as often as wished."""
        idle = number in self.kept and not self.used.get(number)
        return self.kept.get(number, True) and (idle or self._enough(number))

    def _enough(self, number: int) -> bool:
        wish = self.wishes[number]
        return self.used.get(number, 0) >= (wish.least if wish.times is None else wish.times)

    def stands(self, number: int) -> bool:
        """Whether a wish is current: it is not met often enough, and no other of its row is current."""
        wish = self.wishes[number]
        if wish.times is not None and self._enough(number):
            return False
        row = self._row(wish.each) if wish.each else [number]
        first = min(max(self.occasions.get(wish.each, 0) - bool(wish.after), 0), len(row) - 1)
        return number == row[first] or (not wish.after and number in row[first:])

    def _row(self, name: str) -> list[int]:
        """Return the wishes of a row, in the order in which they are said."""
        numbers = [number for number, wish in enumerate(self.wishes) if wish.each == name]
        return sorted(numbers, key=lambda number: self.wishes[number].span.start)

    def use(self, number: int) -> None:
        """Note that a wish comes true; if no act has to lead to the wish, that is an occasion of its row."""
        wish = self.wishes[number]
        self.used[number] = self.used.get(number, 0) + 1
        if wish.each and not wish.after and self._enough(number):
            self._over(number)
            self.occasions[wish.each] = self._row(wish.each).index(number) + 1

    def note(self, acts: Container[object]) -> None:
        """Note the acts that are done; the first act of those that lead to a wish makes a new occasion of its row."""
        for name in {wish.each: None for wish in self.wishes if wish.each and wish.after and wish.after[0] in acts}:
            self.occasions[name] = self.occasions.get(name, 0) + 1
            for number in self._row(name):
                self._over(number)

    def _over(self, number: int) -> None:
        """Note that an occasion of a wish in a row is over."""
        if self.used.get(number):
            self.kept[number] = self.kept.get(number, True) and self._enough(number)
            del self.used[number]


def task_of(phrase: LinePhrase, notation: Notation) -> LineTask:
    """Return the task of a line, as the notation has it for its form."""
    task = LineTask(phrase.span, [], [])
    for says in phrase.form.says.get("does", ()):
        task.wants += _wants(says, phrase, notation)
    # They are granted in the order of the notation, in whatever order they are said.
    for one in sorted(phrase.more, key=lambda one: notation.forms[phrase.form.more].index(one.form)):
        task.wishes += [_want(wish, one, _mover(one, wish), one.span) for wish in one.form.says.get("wishes", ())]
    return task


def _wants(says: Mapping[str, Any], phrase: LinePhrase, notation: Notation) -> list[Want]:
    """Return the wants of one item of `does`: a pattern, or a path whose steps are patterns."""
    if "steps" not in says:
        want = _want(says, phrase, None, phrase.span)
        return [want] * (want.times or 0)
    caught = filled(says["steps"], phrase.known)
    mover = bare(filled(says["of"], phrase.known))
    return [
        _want(pattern, phrase, mover, step.span)
        for step in (caught.value if caught is not None else ())
        for pattern in notation.steps[step.sign]
    ]


def _want(says: Mapping[str, Any], phrase: LinePhrase, mover: Reference | None, span: Span) -> Want:
    times = bare(filled(says.get(TIMES, 1), phrase.known))
    number = times if isinstance(times, int) else None
    asked = filled(pattern_of(says), phrase.known)
    after = tuple(several(says.get(AFTER, [])))
    each = str(says.get(EACH, ""))
    return Want(asked, mover, span, number, int(times == SOME), says.get(WHEN) == "offered", after, each)


def _mover(phrase: LinePhrase, says: Mapping[str, Any]) -> Reference | None:
    values = [bare(value) for value in filled(says, phrase.known).values()]
    return next((value for value in values if isinstance(value, Reference)), None)


class Player:
    """Plays one line on a state.

    If the line is only `tried`, the reasons of faults are not read, and left out.
    """

    def __init__(
        self, state: State, notation: Notation, task: LineTask, answers: Sequence[LineTask] = (), tried: bool = False
    ) -> None:
        self.state, self.notation, self.tried = state, notation, tried
        self.task, self.answers = task, list(answers)
        self.current = task
        self.before = sum(1 for _ in events(state)) if task.wishes else 0
        """The number of acts done before the line."""
        self.taken: list[Option] = []
        """The options that were taken."""
        self.last: tuple[State, Option] | None = None
        """The state in which the line itself chose last, and the option."""
        self.steps = [pattern for patterns in notation.steps.values() for pattern in patterns]

    def play(self) -> None:
        """Carry the line out, up to the decision before the next one; raises Fault if that is impossible."""
        for _ in range(_MAX_CHOICES):
            if self.state.decision is None:
                break
            pieces = PiecesOnBoard(self.state, self.notation)
            offers = OfferSearch(self.state, pieces)
            waiting = self.between(offers)
            if waiting and self.task.begun:
                if self._settled(offers):
                    continue
                break
            option = self._wanted(offers)
            if option is None and waiting:
                if self._settle(offers):
                    continue
                break
            option = option or self._declined(offers)
            self._take(option)
            for task in (self.task, *self.answers):
                task.note(_names_of(option))
        else:
            raise fault(REFUSED, "the line never ends", self.task.span)
        self._finish()

    def _take(self, option: Option) -> None:
        self.state.apply(option)
        self.taken.append(option)

    def _finish(self) -> None:
        unmet = next(iter([*self.task.wants, *self._missed()]), None)
        if unmet is not None:
            raise self._refusal(unmet) if self.last is None else self._left(unmet, *self.last)
        for task in self.answers:
            if task.unmet is not None:
                words = quoted(task.unmet.span.text)
                raise fault(
                    REFUSED,
                    f"{words} could not be given as an answer",
                    task.unmet.span,
                    help="the player who answers must be asked before the line before takes effect",
                )

    def _missed(self) -> list[Want]:
        """Return the wishes that should be met and are not, and those that no act has led to."""
        done = list(islice(events(self.state), self.before, None)) if self.task.wishes else []
        told = self._told(done)
        unmet = self.task.unmet_wishes
        return [
            wish
            for wish in self.task.wishes
            if (wish in unmet and self._due(wish, done)) or (wish.after and wish.after[0] not in told)
        ]

    def _told(self, done: Sequence[Mapping[str, Any]]) -> set[object]:
        """Return the acts that are done, and the offers that are taken, because an offered change is not an act."""
        return {one["act"] for one in done}.union(*(_names_of(option) for option in self.taken))

    def _due(self, wish: Want, done: Sequence[Mapping[str, Any]]) -> bool:
        """Whether a wish must be met by now; it need not be if an answer has prevented the acts that lead to it.

        A wish that names a piece is also fulfilled without a decision, if no other piece is possible.
        """
        named = {key: value.name for key, value in bare(wish.pattern).items() if isinstance(value, Reference)}
        acts = several(wish.pattern.get("act", [one["act"] for one in done]))
        if named and any(one["act"] in acts and self._names(one, named) for one in done):
            return False
        if not wish.after or not any(answer.begun for answer in self.answers):
            return True
        told = self._told(done)
        return wish.after[0] not in told or wish.after[-1] in told

    @staticmethod
    def _names(event: Mapping[str, object], named: Mapping[str, str]) -> bool:
        return all(name in (event.get(one) for one in key.split(OR)) for key, name in named.items())

    def _may_leave_out(self, wants: Sequence[Want], offers: OfferSearch) -> bool:
        """Whether the first of some wants is skipped, since the next one, or a step, is already possible."""
        if not wants[0].open or offers.fitting(wants[0]):
            return False
        return offers.include(self.steps) or any(offers.fitting(want) for want in wants[1:2])

    def _wanted(self, offers: OfferSearch) -> Option | None:
        """Return the option that the line wants now; None if it wants no option on offer."""
        for task in (self.task, *self._answering()):
            if task.wants and self._may_leave_out(task.wants, offers):
                task.wants.pop(0)
            for want in task.wants[:1]:
                found = self._narrowed(offers.fitting(want), offers, task)
                if found is not None and (task.begun or not task.lets_pass(ITSELF)):
                    self._done(task, found, offers)
                    task.begun = True
                    self.current = task
                    if task is self.task:
                        self.last = self.state.clone(), found
                    return found
            # Among steps a wish only says which: by itself it would go on and on.
            standing = task.begun and not offers.include(self.steps)
            wished = self._wished(offers.options, offers, task) if standing else []
            if wished:
                return wished[0]
        return None

    def _answering(self) -> list[LineTask]:
        """Return the answers that may be given now, in their order: those that are being given, and the next one."""
        left = [one for one in self.answers if one.unmet] if self.task.begun else []
        return [*(one for one in left if one.begun), *[one for one in left if not one.begun][:1]]

    def _done(self, task: LineTask, option: Option, offers: OfferSearch) -> None:
        """Remove the want that an option fulfils, and the next one with the same words if the option fits it, too."""
        done = task.wants.pop(0)
        further = task.wants[0] if task.wants else done
        if further.span == done.span and further != done and option in offers.fitting(further):
            task.wants.pop(0)

    def _narrowed(self, found: list[Option], offers: OfferSearch, task: LineTask) -> Option | None:
        """Return the one option that is wanted of those that fit: by wishes; without wishes, the one that declines the
        rest."""
        for want in task.wants[1:2]:
            both = [option for option in offers.fitting(want) if option in found]
            found = both if both and want.span == task.wants[0].span else found
        found = self._wished(found, offers, task) or found
        if len(found) < 2:
            return found[0] if found else None
        declining = {act for says in self.notation.values.get("declines", ()) for act in several(says.get("act"))}
        declined = [option for option in found if _names_of(option) & declining]
        plainest = min(len(option.data) for option in declined or found)
        return least([option for option in declined or found if len(option.data) == plainest])

    def _wished(self, found: Sequence[Option], offers: OfferSearch, task: LineTask) -> list[Option]:
        """Return the options that remain after each wish in turn has selected some; empty if there is no wish."""
        left: list[Option] = []
        for number, wish in enumerate(task.wishes):
            wished = [option for option in offers.fitting(wish) if option in (left or found)]
            if wished and task.stands(number) and not task.lets_pass(number):
                task.use(number)
                left = wished
        return left

    def _declined(self, offers: OfferSearch) -> Option:
        """Return the option that declines the offer, or does the least; raises Fault where a want is left."""
        for says in self.notation.values.get("declines", ()):
            found = offers.exactly(Want(pattern_of(says), None, self.task.span))
            if found and says.get(WHEN) == "done" and self.current.wants:
                raise self._refusal(self.current.wants[0], offers)
            if found:
                return found[0]
        left = self._left_unasked(offers)
        if offers.include(self.steps) or not left:
            raise self._refusal(self.current.wants[0], offers) if self.current.wants else self._endless(offers)
        return least(left)

    def _left_unasked(self, offers: OfferSearch) -> list[Option]:
        """Return the options, except those that are taken only if a line asks for them."""
        unasked = [Want(says, None, self.task.span) for says in self.notation.values.get("unasked", ())]
        kept = [option for want in unasked for option in offers.fitting(want)]
        return [option for option in offers.options if option not in kept]

    # ---- between lines

    def between(self, offers: OfferSearch) -> bool:
        """Whether no act is under way, so that the next line can begin."""
        return any(self._waits(says, offers) for says in self.notation.values["between"])

    def _waits(self, says: Mapping[str, object], offers: OfferSearch) -> list[Option]:
        return offers.fitting(Want(pattern_of(says), None, self.task.span))

    def _settled(self, offers: OfferSearch) -> bool:
        """Go on if the only option is to decline; return whether that was the case."""
        return len(offers.options) == 1 and not offers.include(self.steps) and self._settle(offers)

    def _settle(self, offers: OfferSearch) -> bool:
        """Decline the choices that are still open from the line before; return whether there were any."""
        marks = [says for says in self.notation.values["between"] if self._waits(says, offers)]
        if all(says.get(WHEN) == "open" for says in marks):
            self._take(self._declined(offers))
            return True
        return False

    # ---- faults

    def _refusal(self, want: Want, offers: OfferSearch | None = None) -> Fault:
        words = quoted(want.span.text)
        if self.state.decision is None:
            return fault(REFUSED, f"{words} is not possible: the game is over", want.span)
        said = f"{words} is not possible here"
        if self.tried:
            return fault(REFUSED, said, want.span)
        offers = offers or OfferSearch(self.state, PiecesOnBoard(self.state, self.notation))
        reasons = _reasons(self.state, offers.shown(want))
        return fault(REFUSED, said, want.span, help=_joined(reasons, self.state, offers))

    def _left(self, want: Want, state: State, last: Option) -> Fault:
        """Return the fault of a want that is left at the end of the line; the fault is about the line's last choice."""
        words, after = quoted(want.span.text), quoted(last.label)
        if want in self.task.wants:
            if self.state.decision is None:
                return self._refusal(want)
            said = f"{words} is not possible: the act of the line ends with {after}"
            return fault(REFUSED, said, want.span, help="a later act begins a line of its own")
        said = f"{words} goes with nothing on offer up to {after}"
        if self.tried:
            return fault(REFUSED, said, want.span)
        offers = OfferSearch(state, PiecesOnBoard(state, self.notation))
        # A separate act was not requested, so that no clause prevents it.
        asked = {**last.data, **offers.shown(want)} if "act" not in want.pattern else {}
        reasons = _reasons(state, asked, clauses=True)
        return fault(REFUSED, said, want.span, help=_joined(reasons, state, offers))

    def _endless(self, offers: OfferSearch) -> Fault:
        """Return the fault of a line that has done all it wants, but cannot end there."""
        span, reasons = self.task.span, list[str]()
        said = f"{quoted(span.text)} cannot end here"
        if self.tried:
            return fault(REFUSED, said, span)
        for says in self.notation.values.get("declines", ()):
            if says.get(WHEN) == "done":
                reasons += _reasons(self.state, offers.shown(Want(pattern_of(says), None, span)), clauses=True)
        return fault(REFUSED, said, span, help=_joined(reasons, self.state, offers))


def _reasons(state: State, asked: Mapping[str, object], *, clauses: bool = False) -> list[str]:
    """Return the reasons why an option is not on offer, perhaps only those with clauses."""
    found = state.why_not(dict(asked)) if "act" in asked else []
    return [str(one["reason"]) for one in found if one["clause"] or not clauses]


def _joined(reasons: list[str], state: State, offers: OfferSearch) -> str:
    """Return some reasons, and the options on offer instead."""
    assert state.decision is not None
    labels = [option.label for option in offers.options[:_MAX_LISTED]]
    more = f" and {len(offers.options) - len(labels)} more" if len(offers.options) > len(labels) else ""
    return "; ".join([*reasons[:2], f"on offer to {state.decision.player}: {'; '.join(labels)}{more}"])


def _names_of(option: Option) -> set[object]:
    """Return the words of an option."""
    return {option.data.get("act"), option.data.get("then")}
