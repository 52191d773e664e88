"""The cards with pieces that a document affects: the document itself, cards that name it, or cards with its verbs."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warchest.documents.layers import LAYER
from warchest.documents.library import Document
from warchest.game.game import Game
from warchest.ir.parts import verbs_in
from warchest.ir.ruleset import Definition, Domain, Rule, Ruleset, Sheet
from warchest.source.text import Span


def bearers_of(game: Game, document: Document, apart_from: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of the cards with pieces that a document of a game affects, in the order of the game.

    For a card with pieces this is the card itself; for an erratum, the result for the document that it amends. For a
    document that sheets name, these are the cards whose sheets name it, directly or through other sheets. For any
    other document, these are the cards whose texts order, answer, forbid or define an act that the document is about.
    Rules that `apart_from` lists, by their words as `rules_of` returns them, do not count if the document has others.
    The result is empty if the document affects no card more than others.
    """
    if document.kind == LAYER:
        amends = document.values["amends"]
        subject = game.library.named(str(amends["kind"]), str(amends["name"]))
        return bearers_of(game, subject) if subject is not None else ()
    ruleset = game.variant().program.ruleset
    with_pieces = {kind.sheet for kind in ruleset.kinds if kind.sheet}
    if document.kind in with_pieces:
        return (document.name,)
    number = ruleset.sheet_number(document.name, (document.kind,))
    found = _naming(ruleset, {number}) if number >= 0 else set()
    if not _with_pieces(ruleset, found, with_pieces):
        wanted = _verbs_of(ruleset, document, apart_from)
        acting = {one for one, verb in _mentioned(ruleset) if verb in wanted}
        found = acting | _naming(ruleset, acting)
    return _with_pieces(ruleset, found, with_pieces)


def _with_pieces(ruleset: Ruleset, numbers: set[int], kinds: set[str]) -> tuple[str, ...]:
    return tuple(sheet.name for number, sheet in enumerate(ruleset.sheets) if number in numbers and sheet.kind in kinds)


def _naming(ruleset: Ruleset, numbers: set[int]) -> set[int]:
    """Return the numbers of the sheets that name any of the given sheets, directly or through other sheets."""
    found, before = set[int](), set(numbers)
    while before:
        called = {ruleset.sheets[one].name for one in before}
        before = {
            number
            for number, sheet in enumerate(ruleset.sheets)
            if number not in found and _names_one(sheet, before, called)
        }
        found |= before
    return found


def _names_one(sheet: Sheet, numbers: set[int], called: set[str]) -> bool:
    """Whether a sheet names any of the given sheets, in its lists or as a value of a parameter there."""
    if numbers & {*sheet.bears, *sheet.names.values()}:
        return True
    return any(isinstance(one, tuple) and one[0] in called for filled in sheet.bears.values() for one in filled)


# ---- acts


def rules_of(game: Game, document: Document) -> set[str]:
    """Return the words of the rules in a document that define, forbid or answer acts."""
    return {_words(span) for _, span in _told_in(game.variant().program.ruleset, document)}


def _words(span: Span) -> str:
    return " ".join(span.text.split())


def _told_in(ruleset: Ruleset, document: Document) -> list[tuple[int, Span]]:
    """Return the verbs that the texts of a document define, forbid or answer, each with the place of the rule."""
    spans = _spans_of(document)
    return [(verb, span) for verb, span in _told(ruleset) if _is_in(span, spans)]


def _spans_of(document: Document) -> list[Span]:
    return [span for key in document.values for span in document.blocks(key)]


def _verbs_of(ruleset: Ruleset, document: Document, apart_from: Collection[str]) -> set[int]:
    """Return the verbs that a document's texts define, forbid or answer; without any, the verbs that they order."""
    spans, told = _spans_of(document), _told_in(ruleset, document)
    found = {verb for verb, span in told if _words(span) not in apart_from} or {verb for verb, _ in told}
    return found or {verb for code in ruleset.codes() if _is_in(code.span, spans) for verb in verbs_in(code)}


def _is_in(span: Span, spans: list[Span]) -> bool:
    return any(one.path == span.path and one.start <= span.start < one.end for one in spans)


def _told(ruleset: Ruleset) -> Iterator[tuple[int, Span]]:
    """Yield the verbs that rules define, forbid or answer, each with the place of the rule."""
    for number, verb in enumerate(ruleset.verbs):
        yield from ((number, way.code.span) for way in verb.definitions)
        yield from ((number, one.span) for one in verb.domains)
        yield from ((number, one.span) for one in verb.forbidden)
    for hook in ruleset.hooks:
        yield from ((verb, hook.span) for verb in hook.verbs)


def _mentioned(ruleset: Ruleset) -> Iterator[tuple[int, int]]:
    """Yield the number of each sheet with each verb that its texts mention."""
    for number, sheet in enumerate(ruleset.sheets):
        for code in sheet.blocks.values():
            yield from ((number, verb) for verb in verbs_in(code))
    for number, verb in enumerate(ruleset.verbs):
        rules: tuple[Definition | Domain | Rule, ...] = (*verb.definitions, *verb.domains, *verb.forbidden)
        for rule in rules:
            if rule.carrier >= 0:
                yield from ((rule.carrier, one) for one in (number, *verbs_in(rule)))
    for hook in ruleset.hooks:
        if hook.carrier >= 0:
            yield from ((hook.carrier, one) for one in (*hook.verbs, *verbs_in(hook)))
