"""Questions about an option: labels, as they are shown or as people type them, turned back into data.

The lack of an option that could never exist has no reason in the rules; so all parts of a question must exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from warchest.diagnostics.suggest import did_you_mean
from warchest.game.variant import Variant
from warchest.ir import steps as ir
from warchest.ir.parts import nodes_in
from warchest.ir.ruleset import Ruleset
from warchest.lowering.act_orders import role_key
from warchest.lowering.code import DECLINED, choice_points

# ---- whether the words for an option exist

ACTS = ("act", "as", "then")
"""The keys under which an option's data names acts."""
_PLACE = re.compile(r"[a-z][0-9]+\b")
"""The form of the name of a space; it need not be on the board: a case can show that something does not go off it."""


ACTS_OF_NO_VERB = frozenset((DECLINED, "put", "first", "choose"))
"""The acts of options that no game has a verb for."""


def unknown(wanted: Mapping[str, object], variant: Variant) -> Iterator[str]:
    """Yield a message for each part of an option that no option of the game can have: another key, act, or name."""
    acts, keys, names = known_words(variant)
    for key, value in wanted.items():
        word = key.rstrip("0123456789 ")
        if word not in keys:
            yield _said(f"options say no {key!r}", word, keys)
        elif key in ACTS:
            if value not in acts:
                yield _said(f"there is no act {value!r}", str(value), acts)
        elif isinstance(value, str) and value not in names and not _PLACE.match(value):
            yield _said(f"there is no {key} {value!r}", value, names)


def own_acts(ruleset: Ruleset) -> set[str]:
    """Return the names of options that no rule has a verb for: `decline`, `put`, and changes that are offered."""
    return {*ACTS_OF_NO_VERB, *(one.called for one in offers_of_changes(ruleset))}


def offers_of_changes(ruleset: Ruleset) -> Iterator[ir.Offer]:
    """Yield the offers of a change in the rules, which have a name: `become marked`."""
    nodes = (node for code in ruleset.codes() for node in nodes_in(code.steps))
    yield from (one for one in nodes if isinstance(one, ir.Offer) and one.called)


@lru_cache(maxsize=8)
def known_words(variant: Variant) -> tuple[set[str], set[str], set[str]]:
    """Return the acts, the keys and the names that options can say."""
    program, naming, board = variant.program, variant.naming, variant.board
    verbs = [act.verb for act in program.acts]
    acts = {verb.act for verb in verbs} | own_acts(program.ruleset)
    chosen = {one.key for routine in program.routines.values() for _, one in choice_points(routine)}
    roles = {role_key(role.word, role.noun) for verb in verbs for role in verb.roles if not role.is_quantity}
    agents = {verb.agent_noun for verb in verbs if not verb.is_name}
    names = {*naming.spaces, *naming.documents, *naming.players, *board.teams, *board.directions}
    return acts, acts | set(ACTS) | chosen | roles | agents | {"of", "clause", "number", "way", "does"}, names


def _said(what: str, word: str, known: Iterable[str]) -> str:
    hint = did_you_mean(word, known)
    return f"{what}; {hint}" if hint else what


# ---- questions about an option

BARE = ""
"""The key of a thing that a label names without a role."""
_FREE = ("clause", "of", "way", "does")
"""The keys of data whose values are not names."""
_NUMBERED = re.compile(r"(\S+ [0-9]+) (.+)")
"""A part of a label whose key is followed by a number, because things before it have the same key: `token 3 A`."""
SPACE = re.compile(r"[a-z][0-9]+")
"""The form of the name of a space."""


def parsed(label: str, variant: Variant) -> dict[str, object]:
    """Return the data of a label: `attack: unit f4, target f5`, or `move: Scout f4, step to f5` with a printed name.

    The signs between its words may be left out: `attack unit f4 target f5`.
    """
    act, colon, rest = label.partition(":")
    if not colon:
        act, rest = _split(label, variant)
    wanted: dict[str, object] = {"act": act.strip()}
    acts = {one.verb.act for one in variant.program.acts}
    for part in rest.split(","):
        named, where = _by_name(part.strip(), variant)
        key, value = _keyed(where)
        if key in acts and value.startswith("to "):
            # The act within the act at the beginning of the label.
            wanted["act"], key, value = key, "to", value.removeprefix("to ")
        if key and value:
            wanted[named or key] = value.strip()
        elif key and not colon:
            _add_bare(wanted, key, variant)
    return wanted


def asked(what: Mapping[str, object] | str, variant: Variant) -> dict[str, object]:
    """Return a question, given as data or a label, as data with acts as options name them."""
    wanted = parsed(what, variant) if isinstance(what, str) else dict(what)
    verbs = {act.verb.name: act.verb.act for act in variant.program.acts}
    if str(wanted.get("act")) in verbs:
        wanted["act"] = verbs[str(wanted["act"])]
    return wanted


def missing(wanted: Mapping[str, object], variant: Variant) -> str:
    """Return a message about the first wanted part that does not exist or that no option can have; empty if none."""
    if BARE in wanted:
        return f"the role of {wanted[BARE]!r} is unclear; add the word that precedes it in options"
    texts = {str(key): value for key, value in wanted.items() if isinstance(value, str) and key not in _FREE}
    for key, value in texts.items():
        if SPACE.fullmatch(value) and value not in variant.naming.spaces and value not in known_words(variant)[2]:
            return f"there is no space {value!r} on the board"
        for said in unknown({key: value}, variant):
            return said
    return ""


def _keyed(part: str) -> tuple[str, str]:
    """Return the key at the start of a part of a label, and the text after it."""
    numbered = _NUMBERED.fullmatch(part)
    if numbered is not None:
        return numbered[1], numbered[2]
    key, _, value = part.partition(" ")
    return key, value


def _split(label: str, variant: Variant) -> tuple[str, str]:
    """Return the act that a label without signs begins with, and its parts with commas between them."""
    acts, keys, names = known_words(variant)
    acts = acts | {act.verb.name for act in variant.program.acts}
    words = label.split()
    longest = min(len(words), max((len(act.split()) for act in acts), default=0))
    length = next((many for many in range(longest, 0, -1) if " ".join(words[:many]) in acts), 0)
    if not length:
        return label, ""
    folded = {name.casefold(): name for name in names}
    parts: list[list[str]] = []
    for word in words[length:]:
        if not parts or word in keys:
            parts.append([word])
        else:
            parts[-1].append(word)
    whole = [[one[0], folded.get(" ".join(one[1:]).casefold(), " ".join(one[1:]))] for one in parts]
    return " ".join(words[:length]), ", ".join(" ".join(one).strip() for one in whole)


def _add_bare(wanted: dict[str, object], value: str, variant: Variant) -> None:
    """Add a part of a label that has no key: a space is the act's destination or, if it has none, its agent."""
    verb = next((act.verb for act in variant.program.acts if act.verb.act == wanted["act"]), None)
    roles = [role for role in verb.roles if role.base in ("space", "piece")] if verb is not None else []
    keys = [*(role_key(role.word, role.noun) for role in roles), *([verb.agent_noun] if verb is not None else [])]
    wanted[keys[0] if keys and SPACE.fullmatch(value) else BARE] = value


def _by_name(part: str, variant: Variant) -> tuple[str, str]:
    """Return the noun of the piece whose name begins a part of a label, and the part reduced to its space."""
    for kind in variant.program.layout.ruleset.kinds if part else ():
        for sheet in variant.program.layout.ruleset.sheets if kind.by_name else ():
            before, name, where = part.partition(f"{sheet.name} ")
            if name and sheet.kind == kind.sheet:
                noun = "" if before.strip() else kind.name
                return noun, f"{before.strip() or kind.name} {where.split(' ')[0]}"
    return "", part
