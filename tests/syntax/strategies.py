"""Random trees of every kind of node over the shipped vocabulary: whatever the grammar can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from syntax_support import NOWHERE, nodes, war_chest

from warchest.syntax import ast
from warchest.syntax.lexer import scan

Strategy = st.SearchStrategy[Any]
PREPOSITIONS = ("of", "on", "in", "with", "without", "through", "adjacent to")
ROLES = ("to", "from", "into", "onto", "using", "for", "against", "as")
DETERMINERS = ("a", "the", "each", "all", "any", "no", "another")
WORDS = war_chest()


def lexemes(terminal: str) -> list[str]:
    return sorted({kinds[terminal] for kinds in WORDS.entries.values() if terminal in kinds})


def node(kind: type, *parts: Strategy) -> Strategy:
    return st.tuples(*parts).map(lambda values: kind(*values, span=NOWHERE))


def several(part: Strategy, low: int = 0, high: int = 2) -> Strategy:
    return st.lists(part, min_size=low, max_size=high).map(tuple)


@st.composite
def fitting(draw: st.DrawFn, part: Strategy, fits: Callable[[Any], bool]) -> Any:
    """Trees that fit. (A filter writes out its strategy when it draws again: hundreds of megabytes for these.)"""
    tree = draw(part)
    assume(fits(tree))
    return tree


def word(terminal: str) -> Strategy:
    return node(ast.Word, st.sampled_from(lexemes(terminal)))


def is_act(phrase: ast.SyntaxNode) -> bool:
    """Whether a phrase begins with a noun that is also a verb, and is read as one after `that` and after verbs."""
    if not isinstance(phrase, ast.Phrase) or phrase.determiner not in ("that", "") or phrase.adjectives or phrase.count:
        return False
    said = phrase.head.text, WORDS.form("PLURAL", phrase.head.text)
    return any({"VERB", "VERBS"} & set(WORDS.entries[tuple(one.split())]) for one in said)


maybe = st.booleans()
nothing = st.none()
noun, adjective, verb, name = word("NOUN"), word("ADJ"), word("VERB"), node(ast.Name, st.sampled_from(lexemes("NAME")))
# `is bolstered` is an adjective before it is a participle, so only other participles tell the two apart.
participle = word("VERB").filter(
    lambda one: {"ADJ", "VERBED"} & set(WORDS.entries[tuple(WORDS.form("VERBED", one.text).split())]) == {"VERBED"}
)
pronoun = node(ast.Pronoun, st.sampled_from(("this", "it", "you", "nobody")))
number = node(ast.Number, st.integers(0, 99))
parameter = node(ast.Letter, st.just("X"))
count = st.one_of(
    st.integers(0, 12).map(lambda low: ast.Count(low, low, span=NOWHERE)),
    node(ast.Count, st.integers(0, 3), st.integers(4, 9)),
)
unit = node(
    ast.Word, st.sampled_from([one for one in lexemes("NOUN") if "VERBS" not in WORDS.kinds(WORDS.form("PLURAL", one))])
)
"""A noun in which distances could be counted; after a number a word that is a verb, too, is that."""
adjectives, head = several(adjective), st.one_of(noun, name)
limit, some_limit = st.sampled_from(("", "exactly", "within")), st.sampled_from(("exactly", "within"))
preposition = st.sampled_from(PREPOSITIONS)
adverbs = several(st.sampled_from([*lexemes("ADV"), "if able"]))

closed = node(ast.Phrase, st.sampled_from(("its", "your", "that")), nothing, adjectives, head, st.just(()))
plain = node(ast.Phrase, st.sampled_from(DETERMINERS), nothing, adjectives, head, st.just(()))
near = st.one_of(
    node(ast.Away, limit, count, unit, nothing),
    node(ast.InLine),
    node(ast.InDirection),
    node(ast.RelativeClause, st.one_of(pronoun, fitting(closed, lambda one: not is_act(one)), plain), verb),
    node(ast.Related, preposition, st.one_of(pronoun, closed)),
    node(ast.Away, limit, count, unit, st.one_of(pronoun, closed)),
    node(ast.Away, some_limit, parameter, unit, nothing | pronoun | closed),
)
verbs = several(verb, 1, 3)
patient = st.deferred(lambda: nothing | pronoun | closed | fitting(full, lambda one: not is_act(one)))
far = st.deferred(
    lambda: st.one_of(
        node(ast.Related, preposition, full),
        node(ast.Away, limit, count, unit, full),
        node(ast.Away, some_limit, parameter, unit, full),
        node(
            ast.Whose,
            noun,
            maybe,
            st.one_of(node(ast.Adjective, adjective), subject, number, place, node(ast.Comparison, how, term)),
        ),
        node(
            ast.ThatIs,
            maybe,
            st.one_of(node(ast.Adjective, adjective), subject, number, place, node(ast.Comparison, how, term)),
        ),
        node(ast.ThatDoes, verbs, node(ast.Arguments, patient, st.just(()))),
    )
)
modifiers = st.tuples(several(near), several(far, high=1)).map(lambda parts: parts[0] + parts[1])
counted = node(ast.Phrase, st.sampled_from(DETERMINERS), nothing | count, adjectives, head, modifiers)
several_named = node(ast.Name, st.sampled_from(lexemes("NAMES")))
bare = node(ast.Phrase, st.just(""), nothing, adjectives, noun | several_named, modifiers)
bare_count = node(ast.Phrase, st.just(""), count, adjectives, head, modifiers)
full = st.one_of(name, parameter, counted, bare_count, bare)
subject = st.one_of(pronoun, name, parameter, counted, closed)
noun_phrase = st.one_of(subject, bare_count, bare)

term = st.one_of(subject, bare, number)
total = several(st.tuples(st.sampled_from("+-"), term), 2, 3).map(
    lambda pairs: ast.Total(("+", *(sign for sign, _ in pairs[1:])), tuple(one for _, one in pairs), span=NOWHERE)
)
expression = st.one_of(term, total)
place = st.one_of(
    node(ast.Related, preposition, noun_phrase),
    node(ast.Away, limit, count, unit, nothing | noun_phrase),
    node(
        ast.Somewhere, st.tuples(node(ast.Away, limit, count, unit, nothing), node(ast.InLine) | node(ast.InDirection))
    ),
)
how = st.sampled_from(("at least", "at most", "more than", "less than"))
value = st.one_of(node(ast.Adjective, adjective), expression, place, node(ast.Comparison, how, expression))
role = st.one_of(
    node(ast.RolePhrase, st.sampled_from(ROLES), noun_phrase), node(ast.RolePhrase, st.just("by"), expression)
)
beside = st.tuples(node(ast.RolePhrase, st.just("with"), noun_phrase), several(role)).map(
    lambda parts: (parts[0], *parts[1])
)
amount = node(ast.Amount, noun, expression)
arguments = st.one_of(
    node(ast.Arguments, nothing | noun_phrase, several(role)),
    node(ast.Arguments, nothing, beside),
    node(ast.Arguments, nothing, several(role), amount),
)


def begins_with(one: ast.SyntaxNode) -> ast.Word | None:
    """Return the adjective at the start of a value that is one, or a phrase without a determiner."""
    if isinstance(one, ast.Adjective):
        return one.word
    bare = isinstance(one, ast.Phrase) and not one.determiner and one.count is None and one.adjectives
    return one.adjectives[0] if bare else None  # type: ignore[attr-defined]


def begins_an_event(one: ast.SyntaxNode) -> bool:
    """Whether a value begins with a word that is a participle, too: after `before` and `after` that is an event."""
    word = begins_with(one)
    return word is not None and "VERBED" in WORDS.entries[tuple(word.text.split())]


turned = fitting(value, lambda one: not begins_an_event(one))
several_terms = st.tuples(subject, several(st.tuples(st.sampled_from("+-"), term), 1, 2)).map(
    lambda parts: ast.Total(
        ("+", *(sign for sign, _ in parts[1])), (parts[0], *(one for _, one in parts[1])), span=NOWHERE
    )
)
doing = node(ast.ThatDoes, verbs, node(ast.Arguments, patient, several(role, 1, 2)))
doer = node(
    ast.Phrase,
    st.sampled_from(DETERMINERS),
    nothing | count,
    adjectives,
    head,
    st.tuples(several(near), doing).map(lambda parts: (*parts[0], parts[1])),
)
"""A phrase that can only be a subject: a role after the verb of its relative clause belongs to that verb."""
atom = st.one_of(
    node(ast.Is, subject | several_terms, maybe, value),
    node(ast.Holds, subject | doer, several(verb, 1, 3), arguments),
    node(ast.CanDo, subject, maybe, several(verb, 1, 3), arguments),
)
conjunction = atom | node(ast.AllOf, several(atom, 2, 3))
condition = conjunction | node(ast.AnyOf, several(conjunction, 2, 3))

span_of = st.sampled_from(("turn", "round"))
next_start = node(ast.ComingTime, st.just("starts"), span_of, st.just(False)) | node(
    ast.ComingTime, st.just("starts"), st.just("turn"), st.just(True)
)
this_end = node(ast.ComingTime, st.just("ends"), span_of, st.just(False))
later = next_start | this_end
moment = later | node(ast.ComingTime, st.just("ends"), st.just("turn"), st.just(True))
so_often = node(ast.Limit, st.integers(1, 12), st.sampled_from(("turn", "round", "game")), maybe)
led = st.tuples(counted, node(ast.ComesFirst, closed)).map(
    lambda parts: replace(parts[0], modifiers=(*parts[0].modifiers, parts[1]))
)
all_pass = node(ast.AllPass, st.sampled_from(("pass", "decline")))
CHANGES = ("increases", "decreases", "doubles")
first_points = node(
    ast.FirstPoints, number | parameter, node(ast.Limit, st.just(1), st.sampled_from(("turn", "round", "game")), maybe)
)
change = st.one_of(
    node(ast.Becomes, subject, expression | node(ast.Adjective, adjective)),
    node(
        ast.Prevails,
        subject,
        expression | node(ast.Adjective, adjective),
        nothing | moment | st.deferred(lambda: node(ast.Happens, subject, verbs, arguments)),
    ),
    node(ast.Changes, subject, st.sampled_from(CHANGES), nothing | expression | first_points),
    node(ast.Changes, subject, st.sampled_from(CHANGES), expression, number),
    node(
        ast.Has,
        subject,
        st.one_of(
            node(ast.Addition, st.one_of(number, parameter, closed), noun | name),
            node(ast.Addition, nothing, name),
            parameter,
        ),
        nothing | st.deferred(lambda: node(ast.Happens, subject, verbs, arguments)),
    ),
)
window = node(ast.Window, node(ast.May, subject, verbs, arguments, st.just(())), all_pass, nothing | closed | pronoun)
plain = st.one_of(
    window,
    node(ast.Do, nothing | subject | doer, verb, arguments, adverbs),
    node(ast.May, subject | led, verbs, arguments, adverbs),
    change,
    node(ast.OfferedChange, change),
    node(ast.Let, noun, expression),
    node(ast.Requirement, subject, maybe, value),
    node(ast.Cannot, subject | doer, verbs, arguments, nothing | so_often),
    node(ast.Can, subject, verbs, arguments, nothing | so_often),
    st.just(ast.Ending(span=NOWHERE)),
)
branch = plain | node(ast.StepSequence, several(plain, 2, 3))
guarded = node(ast.Guarded, plain, st.sampled_from(("if", "while", "unless")), condition)
clause = plain | guarded | node(ast.Alternatives, several(branch, 2, 3))
members = node(ast.Phrase, st.just("each"), nothing, adjectives, head, modifiers)
order = st.sampled_from(("", "in any order", "in turn order"))
steps = st.deferred(lambda: st.one_of(step, sequence))
step = st.deferred(
    lambda: st.one_of(
        clause,
        node(ast.Conditional, condition, steps),
        node(ast.Repetition, condition, steps),
        node(ast.Iteration, members, order, steps),
        node(ast.Limited, so_often, fitting(steps, lambda one: not isinstance(one, ast.Guarded))),
        node(ast.Lasting, moment, plain),
    )
)
whole = steps | st.tuples(steps, several(steps | st.deferred(lambda: node(ast.Otherwise, steps)), 1, 2)).map(
    lambda said: ast.Sections((said[0], *said[1]), span=NOWHERE)
)
parts = whole | node(ast.Delayed, later, whole)
sequence = st.tuples(several(clause, 1, 2), step).map(
    lambda parts: ast.StepSequence((*parts[0], parts[1]), span=NOWHERE)
)

stage = st.sampled_from(("before", "when", "after"))
guard_word = st.sampled_from(("while", "unless"))
any_subject = nothing | subject
frequency = st.sampled_from(("always", "never", "sometimes"))
changing = node(ast.Varies, subject | several_terms)
stated = condition | changing
asserted = st.one_of(
    stated,
    node(ast.Holds, subject, several(verb, 2, 3), arguments),
    node(ast.IsDone, subject, several(participle, 1, 2), arguments),
    node(ast.OfEach, members, stated),
)
KINDS: dict[str, Strategy] = {
    "steps": parts,
    "steps at a time to come": node(ast.Delayed, later, whole),
    "otherwise": node(ast.Otherwise, steps),
    "definition of a verb": node(ast.DefineVerb, verb, arguments, parts),
    "definition of a moment": node(ast.DefineVerb, verb, arguments, parts, subject),
    "definition of a word": node(ast.DefineIs, subject, maybe, value, nothing | condition),
    "definition of a fact": node(ast.DefineHolds, subject, verb, arguments, condition),
    "would": node(ast.HookSentence, stage, node(ast.Would, subject, verb, arguments), steps, maybe),
    "happens": node(ast.HookSentence, stage, node(ast.Happens, subject, verbs, arguments), parts, maybe),
    "is done": node(
        ast.HookSentence, stage, node(ast.IsDone, subject, several(participle, 1, 2), arguments), steps, maybe
    ),
    "time": node(
        ast.HookSentence,
        st.sampled_from(["at the start of", "at the end of"]),
        node(ast.Time, st.just("turn"), nothing | subject) | node(ast.Time, st.just("round"), nothing),
        steps,
        st.just(False),
    ),
    "limited": node(
        ast.HookSentence,
        stage,
        node(ast.Happens, subject, verbs, arguments),
        parts,
        maybe,
        st.just(""),
        nothing,
        so_often,
    ),
    "limited and guarded": node(ast.Guarded, node(ast.Limited, so_often, plain), guard_word, condition),
    "turns": node(ast.HookSentence, stage, node(ast.Turns, subject, turned), steps, maybe),
    "normally": node(ast.Normally, plain),
    "guarded": guarded,
    "only by": node(ast.Only, any_subject, verb, arguments, noun_phrase, st.just(""), nothing),
    "only while": node(ast.Only, any_subject, verb, arguments, nothing, guard_word, condition),
    "property": node(ast.PropertySentence, frequency, asserted),
    "property of each": node(ast.PropertySentence, frequency, node(ast.OfEach, members, stated), guard_word, condition),
    "change": node(ast.PropertySentence, frequency, changing),
}


# ---- words that run together


def runs_together(tree: ast.SyntaxNode, printed: str) -> bool:
    """Whether words side by side happen to spell a longer word of the game, such as `use` + `its tactic`."""
    raw = tuple(one.text for one in scan(printed, 0, len(printed)))
    meant = Counter(one.text for one in nodes(tree) if isinstance(one, ast.Word | ast.Name))
    spelled: Counter[str] = Counter()
    for spelling, kinds in WORDS.entries.items():
        if len(spelling) > 1:
            spelled[min(kinds.values())] += sum(1 for _ in _places(raw, spelling))
    if any(found > meant[lexeme] for lexeme, found in spelled.items()):
        return True
    directions = sum(isinstance(one, ast.InDirection) for one in nodes(tree))
    return sum(1 for _ in _places(raw, ("in", "that", "direction"))) > directions


def _places(raw: tuple[str, ...], spelling: tuple[str, ...]) -> Iterator[int]:
    return (start for start in range(len(raw)) if raw[start : start + len(spelling)] == spelling)
