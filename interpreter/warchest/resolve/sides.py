"""Sides: words that depend on the meaning of `you`, such as `friendly`, where the card or the agent could be meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from warchest.diagnostics.articles import article
from warchest.diagnostics.diagnostic import quoted
from warchest.ir.parts import nodes_in, substituted
from warchest.ir.ruleset import Role
from warchest.ir.values import EVENT_VARIABLES, Attribute, Compare, Condition, FieldOf, Not, Set, Value, Var, conjuncts
from warchest.resolve.antecedents import reference
from warchest.resolve.model import Model
from warchest.resolve.phrase_nouns import thing_of, widest_noun
from warchest.resolve.sets import read_adjective, read_called
from warchest.resolve.text_reader import TextReader
from warchest.resolve.types import Flaw, Scope, Typed, flaw
from warchest.syntax import ast

OWNER = "the owner of the thing with the text"
"""`you` in the texts of a card."""
ACTOR = "the one who acts"
"""`you` in the rules of a game."""


def relative_words(model: Model) -> frozenset[str]:
    """Return the words whose meaning depends on `you`: adjectives and nouns that texts of the game define so."""
    tables = (model.adjectives, model.nouns, model.values)
    told = [
        (word, one.sentence) for table in tables for word, texts in table.items() for one in texts if one.carrier < 0
    ]
    says = [(word, list(nodes_in(sentence))) for word, sentence in told]
    found: set[str] = set()
    while True:
        new = {word for word, nodes in says if word not in found and any(_is_relative(one, found) for one in nodes)}
        if not new:
            return frozenset(found)
        found |= new


def says_sides(sentence: ast.Sentence, relative: Collection[str]) -> bool:
    """Whether the meaning of a sentence depends on `you`, given the words that do."""
    return any(_is_relative(one, relative) for one in nodes_in(sentence))


def _is_relative(node: object, known: Collection[str]) -> bool:
    """Whether a part of a sentence has a different meaning for each player."""
    match node:
        case ast.Pronoun("you"):
            return True
        case ast.Phrase(determiner):
            return determiner == "your"
        case ast.Word(text):
            return text in known
    return False


def relative_said(reader: TextReader) -> frozenset[str]:
    """Return the words whose meaning depends on `you`; they are found again whenever words have been added."""
    model = reader.model
    size = sum(len(one) for table in (model.adjectives, model.nouns, model.values) for one in table.values())
    if reader.relative[0] != size:
        reader.relative = size, relative_words(model)
    return reader.relative[1]


# ---- the noun of a verb, which is said from the side of who acts


def for_role(reader: TextReader, scope: Scope, role: Role, actor: Typed | None) -> Scope:
    """Return the scope of the phrase for a role: it takes the role's noun (`attack a target`) from the agent's side."""
    if actor is None or role.noun not in relative_said(reader):
        return scope
    return replace(scope, side=(role.noun, side_of(actor)))


def actor_of(subject: ast.NounPhrase | None, agent: Typed, scope: Scope) -> Typed | None:
    """Return the agent of a rule on a card, if it is neither the card's piece nor its owner."""
    named = subject is not None and not isinstance(subject, ast.Pronoun)
    return agent if named and scope.carrier >= 0 and agent.base in ("piece", "player") else None


def take_note(reader: TextReader, phrase: ast.Expression, actor: Typed | None, noun: str) -> None:
    """Record the player to whom each relative word in a phrase for a role refers, if another agent acts."""
    if actor is None:
        return
    for part in nodes_in(phrase):
        if isinstance(part, ast.Phrase):
            for word in _words_of(part):
                if word.text in relative_said(reader):
                    by_actor = part is phrase and word is part.head and word.text == noun
                    side = ACTOR if by_actor else OWNER
                    reader.seen_from[word.text] = side


# ---- all other relative words are said from the side of the card


def refuse_sides(reader: TextReader, phrase: ast.Expression, actor: Typed, scope: Scope, noun: str = "") -> None:
    """Raise Flaw for a word in a phrase that could be relative to the card or to the agent.

    `noun` is that of the role that the phrase fills: it is meant from the agent's side.
    """
    if scope.you is None or actor.value in (scope.you, scope.this and scope.this.value):
        return
    relative = relative_said(reader)
    for part in nodes_in(phrase):
        if isinstance(part, ast.Phrase):
            own = noun if part is phrase else ""
            for word in _words_of(part):
                if word.text in relative and not (word is part.head and word.text == own):
                    _refuse_side(reader, word, part, actor, scope)


def _refuse_side(reader: TextReader, word: ast.Word, part: ast.Phrase, actor: Typed, scope: Scope) -> None:
    asked = replace(scope, side=None)
    ours = _of_any(reader, word, part, asked)
    theirs = _of_any(reader, word, part, replace(asked, you=side_of(actor)))
    known = _known_of(reader, actor, asked)
    if ours is None or theirs is None or _same_side(reader, ours, theirs, known):
        return
    who = _name_of(reader, actor, scope)
    message = f"{quoted(word.text)} could be said from your side or from that of {quoted(who)}"
    raise flaw("ambiguous-it", message, word.span, help=_both(reader, word, part, ours, actor, who))


def _of_any(reader: TextReader, word: ast.Word, part: ast.Phrase, scope: Scope) -> list[Condition] | None:
    """Return a word of a phrase as conditions on any thing of the phrase; None if it makes no sense."""
    thing = thing_of(reader, part)
    assert thing.base is not None
    any_of = Typed(Var(EVENT_VARIABLES - 1, thing.base, thing.name), thing.base, widest_noun(reader, thing).name)
    try:
        return (
            read_called(reader, word, replace(any_of, noun=""), scope)
            if word is part.head
            else [read_adjective(reader, word, replace(any_of, noun=thing.name), scope)]
        )
    except Flaw:
        return None


def _known_of(reader: TextReader, actor: Typed, scope: Scope) -> list[Condition]:
    """Return the conditions known about the agent: by the words for it, and by the way it was chosen."""
    found: list[Condition] = list(scope.variables.known)
    for mention in scope.mentions:
        if mention.thing.value == actor.value:
            for text in mention.adjectives:
                if text in reader.model.adjectives:
                    word = ast.Word(text, span=mention.span)  # type: ignore[arg-type]
                    found.append(read_adjective(reader, word, mention.thing, scope))
    return found


def _same_side(reader: TextReader, ours: object, theirs: object, known: list[Condition]) -> bool:
    """Whether two readings mean the same, under the known conditions."""
    decides = reader.model.ruleset.decides

    def by_owner(node: object) -> object:
        match node:
            case Attribute("decider", of, base):
                return Attribute("owner", of, base)
            case FieldOf(field, of, base) if field == decides and of is not None:
                return Attribute("owner", of, base)
        return node

    ours, theirs = substituted(ours, by_owner), substituted(theirs, by_owner)
    equal = {
        one.left: one.right for part in known for one in conjuncts(part) if isinstance(one, Compare) and one.how == "=="
    }
    pairs = {substituted(left, by_owner): substituted(right, by_owner) for left, right in equal.items()}
    return ours == theirs or ours == substituted(theirs, lambda node: pairs.get(node, node))


# ---- words that settle it


def _name_of(reader: TextReader, actor: Typed, scope: Scope) -> str:
    """Return the words that refer to the agent."""
    mention = next((one for one in scope.mentions if one.thing.value == actor.value), None)
    return reference(reader, mention, scope) if mention is not None else "it"


def _both(reader: TextReader, word: ast.Word, part: ast.Phrase, ours: list[Condition], actor: Typed, who: str) -> str:
    """Return help with the words for both sides."""
    base = thing_of(reader, part).base
    if base not in ("piece", "player") or any(not _leaves_room(one) for one in part.modifiers):
        return f"choose it in a sentence of its own before, where {quoted(word.text)} is said from your side"
    negated = any(isinstance(one, Not) or (isinstance(one, Compare) and one.how == "!=") for one in nodes_in(ours))
    has, is_so, theirs = "that", "is not" if negated else "is", who
    if base == "piece":
        decides = reader.model.ruleset.decides
        owner = reader.model.ruleset.fields[decides].name if decides >= 0 else "owner"
        has, theirs = f"whose {owner}", f"the {owner} of {who}" if actor.base == "piece" else who
    return f"say which: `{_without(reader, word, part)} {has} {is_so} you`, or `… {has} {is_so} {theirs}`"


def _without(reader: TextReader, word: ast.Word, part: ast.Phrase) -> str:
    """Return a phrase without one of its adjectives, or with a noun that means the same for all players."""
    words = part.span.text.split()
    at = words.index(word.span.text) if word.span.text in words else 0
    plain = widest_noun(reader, thing_of(reader, part))
    kinds = [reader.model.ruleset.kinds[kind].name for kind in plain.kinds]
    words[at : at + 1] = [*(kinds[:1] or [plain.name])] if word is part.head else []
    if words[0] in ("a", "an") and len(words) > 1:
        words[0] = article(words[1])
    return " ".join(words)


def side_of(actor: Typed) -> Value:
    """Return the player for an agent: a player itself, or the one who decides for a piece."""
    return actor.value if actor.base == "player" else Attribute("decider", actor.value, "player")


def _words_of(part: ast.Phrase) -> Iterator[ast.Word]:
    """Yield the adjectives of a phrase, those after `that is` among them, and its noun.

    A phrase for an antecedent yields none: it means the same for all players.
    """
    if part.determiner in ("that", "the", "its", "your"):
        return
    yield from part.adjectives
    for one in part.modifiers:
        if isinstance(one, ast.ThatIs) and isinstance(one.value, ast.Adjective):
            yield one.value.word
    if isinstance(part.head, ast.Word):
        yield part.head


def _leaves_room(modifier: ast.Modifier) -> bool:
    """Whether a relative clause can follow a modifier and belong to the same noun."""
    match modifier:
        case ast.Related(_, phrase) | ast.Away(_, _, _, phrase):
            return not isinstance(phrase, ast.Phrase | ast.Name) or (
                isinstance(phrase, ast.Phrase) and phrase.determiner in ("that", "its", "your")
            )
        case ast.Whose() | ast.ThatIs() | ast.ThatDoes():
            return False
    return True


def chosen_as(var: Var, among: Set) -> list[Condition]:
    """Return the conditions known of a member that was chosen from a set."""
    return [substituted(one, lambda node: var if node == among.var else node) for one in among.filters]
