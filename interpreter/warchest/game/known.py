"""Whether what is said of an option is there at all: what nobody could ever do proves no rule that forbids it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from warchest.diagnostics.suggest import did_you_mean
from warchest.game.variant import Variant
from warchest.lowering.code import DECLINED, choice_points
from warchest.lowering.orders import role_key

ACTS = ("act", "as", "then")
"""The keys under which an option's data names acts."""
OWN_ACTS = {DECLINED, "put", "first", "choose"}
"""The acts of options that no rule has a verb for: to decline, to put something somewhere, to choose."""
_PLACE = re.compile(r"[a-z][0-9]+\b")
"""The form of the name of a space; it need not be on the board: a case can show that something does not go off it."""


def unknown(wanted: Mapping[str, Any], variant: Variant) -> Iterator[str]:
    """Yield a text on each thing said of an option that no option of the game can say: another key, act, or name."""
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


@lru_cache(maxsize=8)
def known_words(variant: Variant) -> tuple[set[str], set[str], set[str]]:
    """Return the acts, the keys and the names that options can say."""
    program, naming, board = variant.program, variant.naming, variant.board
    verbs = [act.verb for act in program.acts]
    acts = {verb.act for verb in verbs} | OWN_ACTS
    chosen = {one.key for routine in program.routines.values() for _, one in choice_points(routine)}
    roles = {role_key(role.word, role.noun) for verb in verbs for role in verb.roles}
    agents = {verb.agent_noun for verb in verbs}
    names = {*naming.spaces, *naming.documents, *naming.players, *board.teams, *board.directions}
    return acts, acts | set(ACTS) | chosen | roles | agents | {"of", "clause", "number", "way"}, names


def _said(what: str, word: str, known: Iterable[str]) -> str:
    hint = did_you_mean(word, known)
    return f"{what}; {hint}" if hint else what
