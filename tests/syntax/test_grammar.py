"""The grammar itself: no conflicts, every production used, and no word that could be two things at one place."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lark import Lark, Tree
from lark import Token as LarkToken
from lark.exceptions import GrammarError
from lark.lexer import Lexer
from lark.parsers.lalr_interactive_parser import InteractiveParser
from strategies import KINDS, runs_together
from syntax_support import (
    GAMES,
    GRAMMAR,
    WORD_TERMINALS,
    fresh_parser,
    node_classes,
    nodes,
    parse_text,
    parsed,
    vocabulary,
    war_chest,
    words_of,
)

from warchest.source.limits import MAX_TOKENS
from warchest.source.text import Source
from warchest.syntax import ast
from warchest.syntax.automaton import Automaton, Extent, Token
from warchest.syntax.lexer import Raw, SentenceInput, WordLexer, scan
from warchest.syntax.printer import print_sentence
from warchest.syntax.table import made_by_lark

SUPER_CARD = (Path(__file__).parent / "super_card.txt").read_text(encoding="utf-8")

SAME_SPELLING = {
    # A word for a state that is also a participle: the state is meant, so `after this is bolstered` needs other words.
    ("ADJ", "VERBED"): {"bolstered"}
}
"""Words of the shipped games that are two things at one place, with the one that is meant."""


# ---- conflicts


def conflicts(grammar: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """The conflicts that Lark resolves by a default (it refuses the other kind)."""
    with caplog.at_level(logging.DEBUG, logger="lark"):
        made_by_lark(grammar, debug=True)
    return [record.getMessage() for record in caplog.records if "conflict" in record.getMessage().lower()]


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    assert conflicts(GRAMMAR.read_text(encoding="utf-8"), caplog) == []


def test_a_planted_conflict_is_found(caplog: pytest.LogCaptureFixture) -> None:
    text = GRAMMAR.read_text(encoding="utf-8")
    with_dangling = text.replace('"if" condition "," steps  ', '"if" condition "," steps ("else" steps)? ')
    assert with_dangling != text
    assert any("Shift/Reduce" in message for message in conflicts(with_dangling, caplog))
    with pytest.raises(GrammarError, match="Reduce/Reduce"):
        conflicts(text + "\nodd: NUMBER\n%extend term: odd\n", caplog)


# ---- every production


def sentences_of(text: str) -> list[SentenceInput]:
    source = Source("text", text)
    found: list[list[Raw]] = [[]]
    for raw in scan(text, 0, len(text)):
        found[-1].append(raw)
        if raw.text == ".":
            found.append([])
    return [SentenceInput(source.span(raw[0].start, raw[-1].end), raw, war_chest()) for raw in found if raw]


def test_the_super_card_uses_every_production(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = fresh_parser()
    used = set()
    reduce = Automaton._reduce

    def noting(automaton: Automaton, number: int) -> None:
        used.add(number)
        reduce(automaton, number)

    monkeypatch.setattr(Automaton, "_reduce", noting)
    for sentence in sentences_of(SUPER_CARD):
        parser.parse(sentence)
    assert [one for number, one in enumerate(parser.table.productions) if number not in used] == []


def test_the_super_card_uses_every_function_word() -> None:
    parser = fresh_parser()
    spoken = words_of(SUPER_CARD)
    phrases = [" ".join(words) for found in parser.lexer.phrases.values() for words, _ in found]
    assert len(phrases) > 50
    assert [phrase for phrase in phrases if f" {phrase} " not in f" {spoken} "] == []


def test_the_super_card_holds_every_kind_of_node() -> None:
    sentences, findings = parse_text(SUPER_CARD)
    assert findings == []
    assert node_classes() - {type(node) for sentence in sentences for node in nodes(sentence)} == set()


def test_an_only_order_takes_no_adverb() -> None:
    # It was accepted once, and then forgotten.
    assert [found.name for found in parse_text("discard a coin faceup only by an attack.")[1]] == ["syntax-error"]


def test_an_unfinished_sentence_gets_advice_to_finish_it() -> None:
    for text, help in ("move", "end every sentence with `.`"), ("move twice", "finish what it says, and end it with"):
        (found,) = parse_text(text)[1]
        assert found.name == "missing-full-stop" and found.help.startswith(help)


# ---- what the automaton builds


class _OfLark(Lexer):
    """The tokens of a sentence as Lark takes them, with Lark's own choice of the next terminals."""

    __future_interface__ = 2

    def __init__(self, conf: object) -> None:
        self.words = WordLexer(fresh_parser().table.terminals)

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[LarkToken]:
        parser: Any = SimpleNamespace()
        thread: Any = SimpleNamespace(_Token=LarkToken)
        parser.accepts = lambda terminal: terminal in InteractiveParser(None, parser_state, thread).accepts()
        for token in self.words.lex(lexer_state.text, parser):
            yield LarkToken(token.type, str(token), start_pos=token.start_pos, end_pos=token.end_pos)


def plain(tree: Any) -> Any:
    """A tree of Lark's as lists and texts, with its places."""
    if isinstance(tree, Tree):
        place = [] if tree.meta.empty else [tree.meta.start_pos, tree.meta.end_pos]
        return [str(tree.data), place, [plain(child) for child in tree.children]]
    return str(tree)


def test_the_automaton_builds_the_same_trees_as_lark() -> None:
    """The same trees with the same places, whatever is left out, passed on or replaced."""
    ours = fresh_parser()

    def building(name: str) -> Callable[[Extent, list[Any]], Any]:
        return lambda extent, children: [
            name,
            [] if extent.is_empty else [extent.start_pos, extent.end_pos],
            [str(one) if isinstance(one, Token) else one for one in children],
        ]

    ours._takes = {}
    ours._builds = [None if one.name.startswith("_") else building(one.name) for one in ours.table.productions]
    text = GRAMMAR.read_text(encoding="utf-8")
    theirs = Lark(text, parser="lalr", lexer=_OfLark, propagate_positions=True, maybe_placeholders=False)
    for sentence in sentences_of(SUPER_CARD):
        assert ours.built(sentence) == plain(theirs.parse(sentence))  # type: ignore[arg-type]


# ---- one word, one meaning at a place


@pytest.mark.parametrize("game", GAMES, ids=lambda folder: folder.name)
def test_spellings_of_words_do_not_collide(game: Path) -> None:
    """No spelling is two kinds of word in one state of the table, except nouns that are verbs as well.

    Those two are distinguished by the whole stack (`Automaton.accepts`), which the next test checks.
    """
    found = defaultdict(set)
    entries = vocabulary(game).entries
    spelled = {kind: {words for words, kinds in entries.items() if kind in kinds} for kind in WORD_TERMINALS}
    for accepted in fresh_parser().table.states:
        for pair in combinations([kind for kind in WORD_TERMINALS if kind in accepted], 2):
            found[pair] |= {" ".join(words) for words in spelled[pair[0]] & spelled[pair[1]]}
    seen = {pair: words for pair, words in found.items() if words}
    assert set(seen) <= {*SAME_SPELLING, ("NOUN", "VERB"), ("NOUN", "VERBS")}
    for pair, words in SAME_SPELLING.items():
        assert seen.get(pair, set()) <= words


@pytest.mark.parametrize("game", GAMES, ids=lambda folder: folder.name)
def test_no_word_is_a_function_word(game: Path) -> None:
    phrases = fresh_parser().lexer.phrases
    functional = {words for found in phrases.values() for words, _ in found}
    assert functional & vocabulary(game).entries.keys() == set()


class _Watching(WordLexer):
    """Notes where a word could have been two things."""

    doubtful: list[tuple[str, set[str]]] = []  # noqa: RUF012 - one list for the one test that uses it

    def _best(self, raw, position, vocabulary, parser_state):  # type: ignore[no-untyped-def]
        chosen = super()._best(raw, position, vocabulary, parser_state)
        kinds = {
            terminal
            for terminal, _, length in self._candidates(raw, position, vocabulary)
            if length == chosen[2] and parser_state.accepts(terminal)
        }
        # After a number a noun would be the unit of a distance, `2 moves away`; after `that` it would be the subject of
        # a relative clause, and after the verbs of one an object. The verb is meant each time.
        before = [one.text for one in raw[:position]]
        is_told = (position > 0 and before[-1].isdigit()) or _is_in_clause(" ".join(before))
        if len(kinds) > 1 and not (is_told and kinds == {"NOUN", chosen[0]} and chosen[0].startswith("VERB")):
            self.doubtful.append((raw[position].text, kinds))
        return chosen


def _is_in_clause(before: str) -> bool:
    """Whether words end with `that` and the verbs of a relative clause."""
    verbs = [" ".join(one) for one, kinds in war_chest().entries.items() if {"VERB", "VERBS"} & kinds.keys()]
    said = "|".join(map(re.escape, sorted(verbs, key=len, reverse=True)))
    return re.search(rf"\bthat( ({said}|or))*$", before) is not None


def test_no_word_of_a_sentence_is_in_doubt() -> None:
    parser = fresh_parser()
    parser.lexer = _Watching(parser.table.terminals)
    allowed = [(word, set(pair)) for pair, words in SAME_SPELLING.items() for word in words]

    def check(text: str) -> None:
        _Watching.doubtful.clear()
        for sentence in sentences_of(text):
            parser.parse(sentence)
        assert [one for one in _Watching.doubtful if one not in allowed] == []

    @given(st.one_of(*KINDS.values()))
    @settings(max_examples=settings().max_examples * 2, deadline=None, suppress_health_check=list(HealthCheck))
    def check_random(tree: ast.Sentence) -> None:
        printed = print_sentence(tree, war_chest())
        assume(len(words_of(printed).split()) <= MAX_TOKENS and not runs_together(tree, printed))
        check(printed)

    check(SUPER_CARD)
    check_random()


def test_a_noun_that_is_a_verb_too() -> None:
    """The word after the verb decides: in `attacks controls` the second word is a noun."""
    tree = parsed("this attacks controls.")
    assert isinstance(tree, ast.Do) and isinstance(tree.arguments.object, ast.Phrase)
    assert [tree.verb.text, tree.arguments.object.head] == ["attack", ast.Word("control", span=tree.span)]
    tree = parsed("a unit you control attacks.")
    assert isinstance(tree, ast.Do) and tree.verb.text == "attack"


def test_a_verb_of_a_relative_clause_that_is_a_noun_too() -> None:
    tree = parsed("a unit that moves attacks it.")
    assert isinstance(tree, ast.Do) and isinstance(tree.subject, ast.Phrase) and tree.verb.text == "attack"
    (clause,) = tree.subject.modifiers
    assert isinstance(clause, ast.ThatDoes) and [one.text for one in clause.verbs] == ["move"]
    tree = parsed("a unit that attack controls moves.")
    assert isinstance(tree, ast.Do) and isinstance(tree.subject, ast.Phrase) and tree.verb.text == "move"
    assert isinstance(tree.subject.modifiers[0], ast.RelativeClause)


def test_a_word_that_is_an_adjective_and_a_participle() -> None:
    tree = parsed("when a unit is bolstered, it moves.")
    assert isinstance(tree, ast.HookSentence) and isinstance(tree.event, ast.Turns)
