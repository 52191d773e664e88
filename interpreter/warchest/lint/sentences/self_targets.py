"""Orders whose object could be their own agent, although the text does not say so."""

from __future__ import annotations

from collections.abc import Iterator

from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, quoted
from warchest.ir import steps as ir
from warchest.ir.parts import calls_in, chosen_in, set_of
from warchest.ir.ruleset import AGENT, THIS, YOU, Ruleset
from warchest.ir.values import Apart, Attribute, Compare, Condition, Const, FieldOf, Pieces, Set, Value, Var, conjuncts
from warchest.lint.sentences.reasoning import among, known_of_bearer, never
from warchest.source.text import Span

_ITSELF = Var(1 << 19, "piece")
"""The variable of the piece whose text is examined, in that text and in all others."""
_YOU = Var(YOU, "player")


def itself_findings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find the orders whose object could be their agent, without a word that says so.

    `another …` excludes it, and so does a condition that cannot hold for the piece itself; `any …` allows it.
    """
    for carrier, code, own in _codes(ruleset):
        chosen = chosen_in(code.steps)
        for call in calls_in(code.steps):
            verb, agent = ruleset.verbs[call.verb], call.agent.value if isinstance(call.agent, ir.Bound) else None
            if verb.by == "piece" and agent in own:
                sets = filter(None, (set_of(fill, chosen) for fill in call.roles))
                found = (one for one in sets if _says_nothing_of_itself(one) and _may_be_in(ruleset, carrier, one, own))
                yield from (_finding(verb.act, one) for one in found)


def owners_findings(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Find cards that forbid `you` an act on them that players never do to their own pieces."""
    for number, verb in enumerate(ruleset.verbs):
        for rule in verb.forbidden if verb.by == "player" else ():
            role = rule.this_role - 1
            is_own = rule.carrier >= 0 and role >= 0 and verb.roles[role].base == "piece" and _is_of_you(rule.condition)
            if is_own and not verb.domains and not _is_done_to_own(ruleset, rule.carrier, number, role):
                yield _of_nobody(verb.name, rule.span)


def _is_of_you(condition: Condition) -> bool:
    return any(
        isinstance(one, Compare) and (one.left, one.right) == (Var(AGENT, "player"), _YOU)
        for one in conjuncts(condition)
    )


def _is_done_to_own(ruleset: Ruleset, carrier: int, verb: int, role: int) -> bool:
    """Whether any text lets a player do a verb to a piece of some document that the same player owns."""
    for _, code, _ in ruleset.texts():
        chosen = chosen_in(code.steps)
        for call in (one for one in calls_in(code.steps) if one.verb == verb):
            members = set_of(call.roles[role], chosen)
            if members is None or call.agent != ir.Bound(_YOU) or _may_be_in(ruleset, carrier, members, ()):
                return True
    return False


def _of_nobody(verb: str, span: Span) -> Diagnostic:
    _, _, rest = span.one_line.partition(" cannot ")
    everybody = f"a player cannot {rest}"
    return report(
        "never-so",
        f"`you` is the owner of this card, and no player would {verb} a piece of its own",
        span,
        help=f"say `{everybody}`: a rule about all players",
    )


def _finding(act: str, among: Set) -> Diagnostic:
    phrase = among.span.one_line
    first, _, rest = phrase.partition(" ")
    bare = rest if first in ("a", "an") else phrase
    message = f"{quoted(phrase)} can be the very piece that is to {act}"
    return report(
        "may-be-itself",
        message,
        among.span,
        help=f"say {quoted(f'another {bare}')}, or {quoted(f'any {bare}')} if it may be itself",
    )


def _says_nothing_of_itself(among: Set) -> bool:
    """Whether a phrase for pieces has neither `any` nor a distance that begins at 0."""
    from_here = any(isinstance(one, Apart) and one.low == 0 for one in among.filters)
    return isinstance(among.members, Pieces) and among.span.text.split()[:1] != ["any"] and not from_here


def _codes(ruleset: Ruleset) -> Iterator[tuple[int, ir.Code, tuple[Value, ...]]]:
    """Yield each text that may have a piece as `this`, with its document and the variables of that piece."""
    this, agent = Var(THIS, "piece"), Var(AGENT, "piece")
    for carrier, code, hook in ruleset.texts():
        if hook is not None:
            yield carrier, code, (this,)
        elif code.origin == "block" or ruleset.verbs[code.verb].by == "piece":
            yield carrier, code, (this, agent)


def _may_be_in(ruleset: Ruleset, carrier: int, members: Set, own: tuple[Value, ...]) -> bool:
    """Whether the conditions on the members of a set admit a piece that bears a document."""
    span, piece = members.span, _ITSELF
    # Another player may decide for a piece for a time; then `you` in its text is not the owner.
    owners: list[Value] = [Attribute("owner", piece, "player"), Attribute("decider", piece, "player")]
    owners += [FieldOf(ruleset.decides, piece, "player")]
    known = [Compare("==", one, _YOU, span) for one in owners]
    known += [Compare("==", one, piece, span) for one in own]
    if ruleset.kinds_of(carrier):
        known.append(Compare("==", Attribute("document", piece, "document"), Const(carrier, "document"), span))
    return not never([*known_of_bearer(ruleset, carrier, span, piece=piece), *known, *among(members, piece)])
