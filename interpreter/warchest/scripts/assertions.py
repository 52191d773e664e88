"""Assertions about a state and about its pieces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from warchest.diagnostics.diagnostic import quoted
from warchest.game.explain.measures import bears, events, measured
from warchest.game.state import State
from warchest.scripts.fault import Fault, fault
from warchest.scripts.gaps import Reference
from warchest.scripts.notation import LinePhrase, Notation, bare, filled
from warchest.scripts.pieces import Piece, PiecesOnBoard
from warchest.source.text import Span

WRONG = "wrong-assertion"
_ABSENT = object()


class Assertions:
    """Checks assertions about one state."""

    def __init__(self, state: State, notation: Notation) -> None:
        self.state, self.notation = state, notation
        self.pieces = PiecesOnBoard(state, notation)

    @cached_property
    def position(self) -> Mapping[str, Any]:
        """The whole position, which assertions about a piece do not need."""
        return self.state.position()

    def check(self, phrase: LinePhrase) -> None:
        """Raise Fault where a phrase of assertions does not hold."""
        who = filled(phrase.form.says.get("of"), phrase.known)
        reference = bare(who)
        if isinstance(reference, Reference):
            self._check_piece(reference, phrase)
            return
        for one in (phrase, *phrase.more):
            wrong = self._wrong(one, None, None)
            if wrong:
                raise _fault(one, wrong)

    def _check_piece(self, reference: Reference, phrase: LinePhrase) -> None:
        """Check the assertions about a piece; if several have the name, they must hold for one of them."""
        faults: list[Fault] = []
        found: list[Piece | None] = [*self.pieces.named(reference)]
        for piece in found or [None]:
            wrong = next(((one, said) for one in phrase.more if (said := self._wrong(one, piece, reference))), None)
            if wrong is None:
                if piece is None and not phrase.more:
                    raise _fault(phrase, f"{reference.name} is not on the board")
                return
            faults.append(_fault(wrong[0], f"{reference.name}: {wrong[1]}"))
        raise faults[0]

    def _wrong(self, phrase: LinePhrase, piece: Piece | None, reference: Reference | None) -> str:
        """Return the difference from a phrase; empty if there is none."""
        says, known = phrase.form.says, phrase.known
        if "event" in says:
            return self._unseen(says["event"], piece, reference)
        if reference is not None and piece is None:
            return "it is not on the board"
        facts: Mapping[str, Any] = piece.entry if piece is not None else self.position
        found = [_difference(bare(filled(says.get("is", {}), known)), facts)]
        if "ended" in says and says["ended"] is (self.state.outcome is None):
            found.append("the game is still going on" if says["ended"] else "the game is over")
        for kept, there in (("has", True), ("lacks", False)):
            found += [self._listed(key, value, there) for key, value in bare(filled(says.get(kept, {}), known)).items()]
        if piece is not None:
            found += self._worked_out(says, phrase, piece)
        return "; ".join(filter(None, found))

    def _worked_out(self, says: Mapping[str, Any], phrase: LinePhrase, piece: Piece) -> list[str]:
        key, found = self.notation.pieces["key"], []
        for noun, wanted in bare(filled(says.get("number", {}), phrase.known)).items():
            number = measured(self.state, key, piece.index, noun)
            if number != wanted:
                found.append(f"its {noun} is {number}, not {wanted}")
        without = bare(filled(says.get("without"), phrase.known))
        if without is not None and bears(self.state, key, piece.index, str(without)):
            found.append(f"it has {without}")
        return found

    def _listed(self, key: str, wanted: Any, there: bool) -> str:
        """Return the fault if a list or mapping of the position has no item as wanted, or has a forbidden one."""
        items = self.position.get(key) or ()
        values = list(items.values()) if isinstance(items, Mapping) else list(items)
        found = any(_agrees(wanted, one) for one in values)
        return "" if found is there else f"{key} has {'nothing' if there else 'something'} like {_shown(wanted)}"

    def _unseen(self, wanted: list[Mapping[str, Any]], piece: Piece | None, reference: Reference | None) -> str:
        """Return the fault if the last event of a piece, of some kinds, is not one of the wanted events."""
        assert reference is not None
        if piece is not None:
            return f"it is on the board, on {self.pieces.place(piece)}"
        forms = [form for group in self.notation.forms.values() for form in group]
        acts = {says["act"]: says["of"] for form in forms for says in form.says.get("event", ())}
        told = [one for one in events(self.state) if one["act"] in acts and one.get(acts[one["act"]]) == reference.name]
        if not told:
            return "it never was on the board, or nothing tells how it left"
        last = told[-1]["act"]
        return "" if any(says["act"] == last for says in wanted) else f"it left the board otherwise: {last}"


def _difference(wanted: Mapping[str, object], facts: Mapping[str, object], path: str = "") -> str:
    """Return the first difference from the wanted facts; parts that a position leaves out count as empty."""
    for key, value in wanted.items():
        there, where = facts.get(key, _ABSENT), f"{path}{key}"
        if isinstance(value, Mapping):
            wrong = _difference(value, there if isinstance(there, Mapping) else {}, f"{where}.")
            if wrong:
                return wrong
        elif not _agrees(value, there):
            return f"{where} is {_shown(there)}, not {_shown(value)}"
    return ""


def _agrees(wanted: object, there: object) -> bool:
    """Whether a value is as wanted; of a mapping, only the wanted keys are compared."""
    if isinstance(wanted, Mapping):
        pairs = wanted.items() if isinstance(there, Mapping) else ()
        return isinstance(there, Mapping) and all(_agrees(value, there.get(key, _ABSENT)) for key, value in pairs)
    if wanted is None or there is None:
        return wanted is there
    if isinstance(wanted, Reference):
        return bool(there == wanted.name)
    return bool(there == wanted) or (there is _ABSENT and not wanted)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_shown(inner)}" for key, inner in value.items()) + "}"
    if value is None or value is _ABSENT or value == "":
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else str(getattr(value, "name", value))


def _fault(phrase: LinePhrase, message: str) -> Fault:
    span: Span = phrase.span
    return fault(WRONG, f"{quoted(span.text)} does not hold: {message}", span)
