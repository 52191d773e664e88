"""Agreement in number, and the nesting of phrases, as checks on parsed sentences.

A phrase in the singular and the plural at once (`all unit`) could mean either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from warchest.diagnostics.articles import article, with_article
from warchest.diagnostics.codes import report
from warchest.diagnostics.diagnostic import Diagnostic, Fix, quoted
from warchest.source.limits import MAX_PHRASES
from warchest.source.records import names_of
from warchest.source.text import Span
from warchest.syntax import ast
from warchest.syntax.parse import parse_block
from warchest.syntax.plurals import takes_base_form
from warchest.syntax.words import Vocabulary


def read_block(span: Span, vocabulary: Vocabulary) -> tuple[list[ast.Sentence], list[Diagnostic]]:
    """Parse all sentences in `span`; return the sentences that can be followed, and a finding for each other."""
    fitting: list[ast.Sentence] = []
    sentences, findings = parse_block(span, vocabulary)
    for sentence in sentences:
        nodes = nodes_in(sentence)
        found = next(filter(None, (_in_node(node, depth, vocabulary) for node, depth in nodes)), None)
        if found is None:
            fitting.append(sentence)
        else:
            findings.append(found)
    return fitting, findings


def nodes_in(node: ast.SyntaxNode) -> Iterator[tuple[ast.SyntaxNode, int]]:
    """Yield all nodes of a tree, in the order of the text, each with the number of nodes around it."""
    left = [(node, 0)]
    while left:
        one, depth = left.pop()
        yield one, depth
        for name in reversed(names_of(type(one))):
            part = getattr(one, name)
            if isinstance(part, ast.SyntaxNode):
                left.append((part, depth + 1))
            elif isinstance(part, tuple):
                left += [(each, depth + 1) for each in reversed(part) if isinstance(each, ast.SyntaxNode)]


def with_parts(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node with each of its direct parts changed."""
    changes: dict[str, Any] = {}
    for name in names_of(type(node)):
        value = getattr(node, name)
        if isinstance(value, ast.SyntaxNode):
            changes[name] = change(value)
        elif isinstance(value, tuple):
            changes[name] = tuple(change(one) if isinstance(one, ast.SyntaxNode) else one for one in value)
    return replace(node, **changes)


def _in_node(node: ast.SyntaxNode, depth: int, vocabulary: Vocabulary) -> Diagnostic | None:
    """Return the finding for a node that is nested too deep, or does not agree in number."""
    if depth > MAX_PHRASES:
        message = f"the sentence has more than {MAX_PHRASES} phrases and clauses within each other"
        return report("nesting-too-deep", message, node.span, help="cut it into several")
    if isinstance(node, ast.Changes):
        return _in_change(node, vocabulary)
    return _in_phrase(node, vocabulary) if isinstance(node, ast.Phrase) else None


def _in_change(node: ast.Changes, vocabulary: Vocabulary) -> Diagnostic | None:
    """Return the finding for a change whose verb does not agree with its subject in number."""
    if isinstance(node.subject, ast.Phrase) and _is_undeclared(node.subject, vocabulary):
        is_number = node.subject.head.text in vocabulary.numbers
        # Things in the plural have a separate finding.
        return _undeclared(node, node.subject, vocabulary) if is_number else None
    is_plural = takes_base_form(node.subject, vocabulary)
    right = ast.OFFERED_CHANGES[node.how] if is_plural else node.how
    if node.written in ("", right):
        return None
    place = _verb_in(node)
    number = "in the plural" if is_plural else "in the singular"
    message = f"{quoted(place.one_line)} does not agree with {quoted(node.subject.span.one_line)}, which is {number}"
    return report("number-of-things", message, place, help=f"say `{right}`", fix=Fix.put(place, right))


def _verb_in(node: ast.Changes) -> Span:
    """Return the place of the verb of a change."""
    text, first, last = node.span.source.text, node.written.split()[0], node.written.split()[-1]
    start = text.index(first, node.subject.span.end)
    return node.span.source.span(start, text.index(last, start) + len(last))


def _is_undeclared(subject: ast.Phrase, vocabulary: Vocabulary) -> bool:
    """Whether a phrase names one thing by a plural that the game has not declared for a number."""
    one, written = subject.head.text, subject.head.span.one_line.lower()
    is_one = subject.count is None and subject.determiner in ("the", "its", "your")
    is_plural = written == vocabulary.form("PLURAL", one) != one
    return is_one and is_plural and not vocabulary.in_plural(one, written)


def _undeclared(node: ast.Changes, subject: ast.Phrase, vocabulary: Vocabulary) -> Diagnostic:
    """Return the finding for a change of a number that is named by an undeclared plural."""
    text, head = subject.span.source.text, subject.head
    place = subject.span.to(_verb_in(node)) if node.written else subject.span
    several = vocabulary.form("PLURAL", head.text)
    said = text[subject.span.start : head.span.start] + head.text + text[head.span.end : subject.span.end]
    said = " ".join((*said.split(), *([node.how] if node.written else [])))
    message = f"{quoted(several)} is not declared as the plural of the number {quoted(head.text)}"
    return report(
        "number-of-things", message, place, help=f"say `{said}`, or declare it: `plurals: {{{head.text}: {several}}}`"
    )


def _in_phrase(phrase: ast.Phrase, vocabulary: Vocabulary) -> Diagnostic | None:
    """Return the finding for a phrase whose noun is in another number than the words before it."""
    head, those = phrase.head, _before_noun(phrase)
    if phrase.count is None and phrase.determiner in ("", "no") and those is None:
        return None
    one, several = head.text, vocabulary.form("PLURAL", head.text)
    written = head.span.one_line
    written = written if isinstance(head, ast.Name) else written.lower()
    if one == several or written not in (one, several):
        return None
    if written == several and phrase.determiner in ("the", "its", "your") and vocabulary.in_plural(one, written):
        return None
    if those is not None:
        said_before = phrase.span.source.text[phrase.span.start : those.span.end]
        number, is_several = " ".join(said_before.split()), True
    elif phrase.count is not None:
        number, is_several = phrase.count.span.text, (phrase.count.low, phrase.count.high) != (1, 1)
    else:
        number, is_several = phrase.determiner, phrase.determiner == "all"
    # A name in the singular is plain after a number, too.
    named = isinstance(head, ast.Name) and those is None
    if is_several == (written == several) or (named and written == one):
        return None
    whose = _possessor(phrase)
    if whose is not None:
        of = whose.span.text
        help = f"say `all {several} in {of}`, `each {one} of {of}`, or `the {one} of {of}`"
        message = f"{quoted(phrase.span.text)} are several things, and one is meant here"
        return report("number-of-things", message, phrase.span, help=help)
    said, adjectives = quoted(head.span.text), [adjective.text for adjective in phrase.adjectives]
    meant = f"several things, and {said} is one" if is_several else f"one thing, and {said} are several"
    words = " ".join((*adjectives, several if is_several else one))
    words = f"{article(words) if number in ('a', 'an') else number} {words}"
    if number == "all":
        words += f"`, or `{with_article(' '.join((*adjectives, one)))}"
    elif number == "your" and not is_several:
        many = " ".join((*adjectives, several))
        words = f"each of your {many}`, `one of your {many}` or `{words}"
    place = phrase.span.source.span(phrase.span.start, head.span.end)
    return report("number-of-things", f"{quoted(number)} speaks of {meant}", place, help=f"say `{words}`")


def _before_noun(phrase: ast.Phrase) -> ast.Modifier | None:
    """Return the possessor of a phrase that precedes its noun: `one of your units`."""
    first = phrase.modifiers[0] if phrase.modifiers else None
    is_between = first is not None and phrase.span.start < first.span.start < phrase.head.span.start
    return first if is_between else None


def _possessor(phrase: ast.Phrase) -> ast.Modifier | None:
    """Return the modifier of a possessor that is said by `'s`."""
    first = phrase.modifiers[0] if phrase.modifiers else None
    return first if first is not None and first.span.start == phrase.span.start else None
